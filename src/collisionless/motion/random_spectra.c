#include <carom/collisionless/motion/random_spectra.h>

#include <carom/base/random.h>

#include <gsl/gsl_sort.h>

/** Where random eigenvalues lie, 1/s2. */
static const double LOWEST = -4.0;
static const double HIGHEST_NEGATIVE = -0.3;
static const double LARGEST_OSCILLATING = 3.0;
/** Least lambda'_{N-1} away from the critical limit, and its largest part of lambda_N. */
static const double LEAST_CONSTRAINED = 0.05;
static const double LARGEST_PART = 0.9;
/** Several oscillating modes: from here, 1/s2. */
static const double LOWEST_POSITIVE = 0.3;
static const double HIGHEST = 4.0;

/** Dimensions of a sample: eigenvalues, parities, and whatever else a statement draws. */
enum { EIGENVALUES = 0, PARITIES = 100, OTHERS = 200, PER_STREAM = 300 };

static double uniform(const carom_random_spectra *from, int sample, int dimension) {
    return carom_counter_uniform(from->seed, (unsigned long)sample,
                                 from->stream * PER_STREAM + (unsigned long)dimension);
}

double carom_random_spectra_uniform(const carom_random_spectra *from, int sample, int number) {
    return uniform(from, sample, OTHERS + number);
}

static double between(double low, double high, double share) {
    return low + (high - low) * share;
}

/** The 2N-1 eigenvalues of both phases in ascending order. */
static void draw_values(const carom_random_spectra *from, int sample, int count, double *values) {
    for (int i = 0; i < count; i++) {
        values[i] = uniform(from, sample, EIGENVALUES + i);
    }
    const double last = values[count - 1];
    const double before_last = values[count - 2];
    // Hyperbolic modes: sorted uniform numbers.
    const bool has_several = from->kind == CAROM_SPECTRA_SEVERAL;
    const int hyperbolic = has_several                        ? 1
                           : from->kind == CAROM_SPECTRA_NONE ? count - 1
                                                              : count - 2;
    for (int i = 0; i < hyperbolic; i++) {
        const double high = from->kind == CAROM_SPECTRA_NONE ? 0.0 : HIGHEST_NEGATIVE;
        values[i] = between(LOWEST, high, values[i]);
    }
    for (int i = hyperbolic; i < count; i++) {
        values[i] = between(LOWEST_POSITIVE, HIGHEST, values[i]);
    }
    gsl_sort(values, 1, (size_t)hyperbolic);
    gsl_sort(values + hyperbolic, 1, (size_t)(count - hyperbolic));
    if (has_several) {
        return;
    }
    values[count - 1] = between(CAROM_RANDOM_SPECTRA_LEAST_OSCILLATING, LARGEST_OSCILLATING, last);
    if (from->kind == CAROM_SPECTRA_CRITICAL) {
        values[count - 2] = from->critical_eigenvalue;
    } else if (from->kind == CAROM_SPECTRA_SINGLE) {
        values[count - 2] =
            between(LEAST_CONSTRAINED, LARGEST_PART * values[count - 1], before_last);
    } else if (sample % 8 == 0) {
        values[count - 2] = 0.0;
    }
}

/** Parities: one number for each phase, or one for each mode. */
static void draw_parities(const carom_random_spectra *from, int sample,
                          carom_phase_spectra *spectra) {
    const int N = spectra->mode_count;
    for (int i = 0; i < 2 * N - 1; i++) {
        const bool is_free = i < N;
        const int k = from->is_mixed ? i : (is_free ? 0 : 1);
        carom_parity *parity =
            is_free ? &spectra->unconstrained_parity[i] : &spectra->constrained_parity[i - N];
        *parity = uniform(from, sample, PARITIES + k) < 0.5 ? CAROM_PARITY_EVEN : CAROM_PARITY_ODD;
    }
}

carom_status carom_random_spectra_draw(const carom_random_spectra *from, int sample, int mode_count,
                                       carom_phase_spectra **out, carom_report *report) {
    CAROM_ASSERT(mode_count >= CAROM_RANDOM_SPECTRA_FEWEST_MODES &&
                 mode_count <= CAROM_RANDOM_SPECTRA_MOST_MODES);
    double values[2 * CAROM_RANDOM_SPECTRA_MOST_MODES - 1] = {0.0};
    CAROM_AUTO(carom_phase_spectra) spectra = NULL;
    draw_values(from, sample, 2 * mode_count - 1, values);
    CAROM_TRY(carom_phase_spectra_alloc(mode_count, &spectra));
    for (int i = 0; i < 2 * mode_count - 1; i++) {
        double *phase = i % 2 == 0 ? spectra->unconstrained : spectra->constrained;
        phase[i / 2] = values[i];
    }
    draw_parities(from, sample, spectra);
    CAROM_TRY(carom_phase_spectra_check(spectra, report));
    CAROM_HAND_OVER(spectra, out);
    return CAROM_OK;
}
