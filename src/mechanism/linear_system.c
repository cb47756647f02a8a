#include <carom/mechanism/linear_system.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>

/** Asymmetry allowed relative to the largest entry: several roundings of an assembly. */
static const double SYMMETRY_TOLERANCE = 1e-12;

/** A pivot of the mass below this many roundings of its diagonal entry, for each row, is zero. */
static const double PIVOT_ROUNDINGS = 1.0;

carom_status carom_linear_system_alloc(int coordinate_count, carom_linear_system **out) {
    CAROM_ASSERT(out != NULL);
    *out = NULL;
    if (coordinate_count < 1) {
        return CAROM_STATUS_OUT_OF_RANGE;
    }
    CAROM_AUTO(carom_linear_system) system = calloc(1, sizeof *system);
    if (system == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const size_t n = (size_t)coordinate_count;
    system->coordinate_count = coordinate_count;
    system->mass = calloc(n * n, sizeof(double));
    system->stiffness = calloc(n * n, sizeof(double));
    system->contact_normal = calloc(n, sizeof(double));
    if (system->mass == NULL || system->stiffness == NULL || system->contact_normal == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_HAND_OVER(system, out);
    return CAROM_OK;
}

void carom_linear_system_free(carom_linear_system *system) {
    if (system == NULL) {
        return;
    }
    free(system->mass);
    free(system->stiffness);
    free(system->contact_normal);
    free(system);
}

/** Entries that are NaN or infinite, in rows of a length. */
static carom_status refuse_not_finite(int rows, int columns, const double *A, const char *quantity,
                                      carom_report *report) {
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            const double entry = A[(size_t)i * (size_t)columns + (size_t)j];
            if (!isfinite(entry)) {
                return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, quantity, entry, i);
            }
        }
    }
    return CAROM_OK;
}

/** An entry that differs from its mirror image; the value reported is the difference. */
static carom_status refuse_not_symmetric(int n, const double *A, const char *quantity,
                                         carom_report *report) {
    const size_t size = (size_t)n;
    double largest = 0.0;
    for (size_t k = 0; k < size * size; k++) {
        largest = fmax(largest, fabs(A[k]));
    }
    for (size_t i = 0; i < size; i++) {
        for (size_t j = 0; j < i; j++) {
            const double difference = A[i * size + j] - A[j * size + i];
            if (!(fabs(difference) <= SYMMETRY_TOLERANCE * largest)) {
                return carom_report_fail(report, CAROM_STATUS_NOT_SYMMETRIC, quantity, difference,
                                         (int)i);
            }
        }
    }
    return CAROM_OK;
}

/** First column of a row that is not zero, or the row itself: where its Cholesky factor begins. */
static size_t first_column(size_t row, const double *entries) {
    size_t j = 0;
    while (j < row && !(fabs(entries[j]) > 0.0)) {
        j++;
    }
    return j;
}

/**
 * Cholesky factor L of M row by row within its envelope: M = L L' exists if all pivots, the squares
 * of the diagonal, are positive beyond rounding. The value reported is the pivot that is not.
 */
static carom_status refuse_not_definite(int n, const double *M, double *L, size_t *first,
                                        carom_report *report) {
    const size_t size = (size_t)n;
    for (size_t i = 0; i < size; i++) {
        const double *M_i = M + i * size;
        double *L_i = L + i * size;
        first[i] = first_column(i, M_i);
        double pivot = M_i[i];
        for (size_t j = first[i]; j < i; j++) {
            const double *L_j = L + j * size;
            double sum = M_i[j];
            for (size_t k = first[i] > first[j] ? first[i] : first[j]; k < j; k++) {
                sum -= L_i[k] * L_j[k];
            }
            L_i[j] = sum / L_j[j];
            pivot -= L_i[j] * L_i[j];
        }
        if (!(pivot > PIVOT_ROUNDINGS * DBL_EPSILON * (double)n * M_i[i])) {
            return carom_report_refuse(report, "mass, not positive definite: pivot", pivot, (int)i,
                                       "> 0");
        }
        L_i[i] = sqrt(pivot);
    }
    return CAROM_OK;
}

/** The same with its work memory. */
static carom_status check_mass(int n, const double *M, carom_report *report) {
    const size_t size = (size_t)n;
    CAROM_AUTO_MEMORY double *L = calloc(size, size * sizeof *L);
    CAROM_AUTO_MEMORY size_t *first = malloc(size * sizeof *first);
    if (L == NULL || first == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    return refuse_not_definite(n, M, L, first, report);
}

carom_status carom_linear_system_check(const carom_linear_system *system, carom_report *report) {
    CAROM_ASSERT(system != NULL && system->coordinate_count >= 1);
    CAROM_ASSERT(system->mass != NULL && system->stiffness != NULL &&
                 system->contact_normal != NULL);
    const int n = system->coordinate_count;
    CAROM_TRY(refuse_not_finite(n, n, system->mass, "mass", report));
    CAROM_TRY(refuse_not_finite(n, n, system->stiffness, "stiffness", report));
    CAROM_TRY(refuse_not_finite(n, 1, system->contact_normal, "contact normal", report));
    CAROM_TRY(refuse_not_finite(1, 1, &system->gap_at_rest, "gap at rest", report));
    CAROM_TRY(refuse_not_symmetric(n, system->mass, "mass", report));
    CAROM_TRY(refuse_not_symmetric(n, system->stiffness, "stiffness", report));
    CAROM_TRY(check_mass(n, system->mass, report));

    /* A gap that no displacement changes is no contact. */
    for (int i = 0; i < n; i++) {
        if (fabs(system->contact_normal[i]) > 0.0) {
            return CAROM_OK;
        }
    }
    return carom_report_refuse(report, "contact normal", 0.0, -1, "not all zeros");
}
