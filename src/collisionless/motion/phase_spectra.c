#include <carom/collisionless/motion/internal.h>
#include <carom/collisionless/motion/spectral_motion.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

carom_status carom_phase_spectra_alloc(int mode_count, carom_phase_spectra **out) {
    CAROM_ASSERT(out != NULL);
    *out = NULL;
    if (mode_count < 2) {
        return CAROM_STATUS_OUT_OF_RANGE;
    }
    CAROM_AUTO(carom_phase_spectra) spectra = calloc(1, sizeof *spectra);
    if (spectra == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const size_t N = (size_t)mode_count;
    spectra->mode_count = mode_count;
    spectra->unconstrained = calloc(N, sizeof(double));
    spectra->constrained = calloc(N - 1, sizeof(double));
    spectra->constrained_rest = calloc(N - 1, sizeof(double));
    spectra->unconstrained_parity = calloc(N, sizeof(carom_parity));
    spectra->constrained_parity = calloc(N - 1, sizeof(carom_parity));
    if (spectra->unconstrained == NULL || spectra->constrained == NULL ||
        spectra->constrained_rest == NULL || spectra->unconstrained_parity == NULL ||
        spectra->constrained_parity == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_HAND_OVER(spectra, out);
    return CAROM_OK;
}

void carom_phase_spectra_free(carom_phase_spectra *spectra) {
    if (spectra == NULL) {
        return;
    }
    free(spectra->unconstrained);
    free(spectra->constrained);
    free(spectra->constrained_rest);
    free(spectra->unconstrained_parity);
    free(spectra->constrained_parity);
    free(spectra);
}

static carom_status refuse_mode_count(int mode_count, carom_report *report) {
    if (mode_count < 2) {
        return carom_report_refuse(report, "mode count", (double)mode_count, -1, "at least 2");
    }
    return CAROM_OK;
}

carom_status carom_phase_spectra_make(int mode_count, const double *unconstrained,
                                      const double *constrained, carom_parity unconstrained_parity,
                                      carom_parity constrained_parity, carom_phase_spectra **out,
                                      carom_report *report) {
    CAROM_ASSERT(unconstrained != NULL && constrained != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(refuse_mode_count(mode_count, report));
    CAROM_AUTO(carom_phase_spectra) spectra = NULL;
    CAROM_TRY(carom_phase_spectra_alloc(mode_count, &spectra));
    const size_t N = (size_t)mode_count;
    memcpy(spectra->unconstrained, unconstrained, N * sizeof(double));
    memcpy(spectra->constrained, constrained, (N - 1) * sizeof(double));
    for (size_t i = 0; i < N; i++) {
        spectra->unconstrained_parity[i] = unconstrained_parity;
    }
    for (size_t j = 0; j + 1 < N; j++) {
        spectra->constrained_parity[j] = constrained_parity;
    }
    CAROM_TRY(carom_phase_spectra_check(spectra, report));
    CAROM_HAND_OVER(spectra, out);
    return CAROM_OK;
}

carom_status carom_phase_spectra_copy(const carom_phase_spectra *spectra,
                                      carom_phase_spectra **out) {
    CAROM_ASSERT(spectra != NULL && out != NULL);
    CAROM_TRY(carom_phase_spectra_alloc(spectra->mode_count, out));
    const size_t N = (size_t)spectra->mode_count;
    memcpy((*out)->unconstrained, spectra->unconstrained, N * sizeof(double));
    memcpy((*out)->constrained, spectra->constrained, (N - 1) * sizeof(double));
    memcpy((*out)->constrained_rest, spectra->constrained_rest, (N - 1) * sizeof(double));
    memcpy((*out)->unconstrained_parity, spectra->unconstrained_parity, N * sizeof(carom_parity));
    memcpy((*out)->constrained_parity, spectra->constrained_parity, (N - 1) * sizeof(carom_parity));
    return CAROM_OK;
}

double carom_phase_spectra_difference(const carom_phase_spectra *spectra, int i, int j) {
    return (spectra->unconstrained[i] - spectra->constrained[j]) - spectra->constrained_rest[j];
}

void carom_phase_spectra_shares(const carom_phase_spectra *spectra, double *share) {
    const double *lambda = spectra->unconstrained;
    for (int i = 0; i < spectra->mode_count; i++) {
        double product = 1.0;
        for (int j = 0; j + 1 < spectra->mode_count; j++) {
            /* lambda'_j lies between lambda_i and its partner below: a quotient in (0, 1). */
            const int k = j < i ? j : j + 1;
            product *= carom_phase_spectra_difference(spectra, i, j) / (lambda[i] - lambda[k]);
        }
        share[i] = product;
    }
}

/** The spectra as one sequence lambda_1, lambda'_1, lambda_2, ..: its entry k, from 0. */
static double merged_value(const carom_phase_spectra *spectra, int k) {
    return k % 2 == 0 ? spectra->unconstrained[k / 2] : spectra->constrained[k / 2];
}

/** Report the entry k of the merged sequence. */
static carom_status refuse_merged(const carom_phase_spectra *spectra, int k, carom_status status,
                                  carom_report *report) {
    const char *quantity = k % 2 == 0 ? "unconstrained spectrum" : "constrained spectrum";
    (void)carom_report_refuse(report, quantity, merged_value(spectra, k), k / 2,
                              "both spectra in turn ascending");
    return status;
}

carom_status carom_phase_spectra_check(const carom_phase_spectra *spectra, carom_report *report) {
    CAROM_ASSERT(spectra != NULL);
    CAROM_TRY(refuse_mode_count(spectra->mode_count, report));
    const int count = 2 * spectra->mode_count - 1;
    for (int k = 0; k < count; k++) {
        if (!isfinite(merged_value(spectra, k))) {
            return refuse_merged(spectra, k, CAROM_STATUS_NOT_FINITE, report);
        }
    }
    for (int i = 0; i < spectra->mode_count; i++) {
        const carom_parity parity = spectra->unconstrained_parity[i];
        if (parity != CAROM_PARITY_EVEN && parity != CAROM_PARITY_ODD) {
            return carom_report_refuse(report, "parity", (double)parity, i, "even or odd");
        }
    }
    for (int j = 0; j < spectra->mode_count - 1; j++) {
        const carom_parity parity = spectra->constrained_parity[j];
        if (parity != CAROM_PARITY_EVEN && parity != CAROM_PARITY_ODD) {
            return carom_report_refuse(report, "constrained parity", (double)parity, j,
                                       "even or odd");
        }
    }

    /* Interlacing: the merged sequence ascends. */
    for (int k = 1; k < count; k++) {
        if (!(merged_value(spectra, k - 1) < merged_value(spectra, k))) {
            return refuse_merged(spectra, k, CAROM_STATUS_CONFLICT, report);
        }
    }

    /* Third powers, as of the jerk in an amplitude's unit, stay within the range of numbers. */
    const double lowest = spectra->unconstrained[0];
    const double highest = spectra->unconstrained[spectra->mode_count - 1];
    const int fastest = fabs(lowest) > fabs(highest) ? 0 : count - 1;
    const double size = fmax(fabs(lowest), fabs(highest));
    if (!(size >= cbrt(DBL_MIN) && size <= cbrt(DBL_MAX))) {
        const carom_status status =
            refuse_merged(spectra, fastest, CAROM_STATUS_OUT_OF_RANGE, report);
        if (report != NULL) {
            report->accepted = "where third powers neither overflow nor underflow";
        }
        return status;
    }
    return CAROM_OK;
}

static int positive_count(int count, const double *lambda) {
    int positive = 0;
    for (int i = 0; i < count; i++) {
        positive += lambda[i] > 0.0 ? 1 : 0;
    }
    return positive;
}

int carom_phase_spectra_oscillating_count(const carom_phase_spectra *spectra) {
    return positive_count(spectra->mode_count, spectra->unconstrained);
}

int carom_phase_spectra_constrained_oscillating_count(const carom_phase_spectra *spectra) {
    return positive_count(spectra->mode_count - 1, spectra->constrained);
}

bool carom_phase_spectra_has_single_oscillations(const carom_phase_spectra *spectra) {
    if (carom_phase_spectra_oscillating_count(spectra) != 1 ||
        carom_phase_spectra_constrained_oscillating_count(spectra) != 1) {
        return false;
    }

    /* A free mode lambda_(N-1) = 0 counts as hyperbolic if it is even: w = -1/tau < 0 as there. */
    const int free_mode = spectra->mode_count - 2;
    return spectra->unconstrained[free_mode] < 0.0 ||
           spectra->unconstrained_parity[free_mode] == CAROM_PARITY_EVEN;
}

double carom_phase_spectra_frequency(const carom_phase_spectra *spectra) {
    return sqrt(fabs(spectra->unconstrained[spectra->mode_count - 1]));
}

double carom_phase_spectra_constrained_frequency(const carom_phase_spectra *spectra) {
    return sqrt(fabs(spectra->constrained[spectra->mode_count - 2]));
}

static bool is_uniform(int count, const carom_parity *parity) {
    for (int i = 1; i < count; i++) {
        if (parity[i] != parity[0]) {
            return false;
        }
    }
    return true;
}

bool carom_phase_spectra_has_uniform_parity(const carom_phase_spectra *spectra) {
    return is_uniform(spectra->mode_count, spectra->unconstrained_parity) &&
           is_uniform(spectra->mode_count - 1, spectra->constrained_parity);
}
