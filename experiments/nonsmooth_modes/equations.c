/** What the paper states about the k x k equations (theorem 3.3, remark 3.1), checked by their
 * ranks.
 */
#include "results.h"

#include <carom/base/random.h>

#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>

/** A singular value of a matrix of order ten is zero, relative to the largest: rounding of its
 * entries, and of kernels near a harmonic. */
static const double RANK_TOLERANCE = 1e-9;
/** Entries of the kernel matrix carry a few roundings each. */
static const double ROUNDING = 1e-12;

/** Random impact times for each number of impacts, and the numbers looked at. */
enum { KERNEL_SAMPLES = 40, KERNEL_MOST_IMPACTS = 7 };

/** The two smallest singular values of A [n][n], overwritten, over the largest; the second is 1 for
 * n = 1. */
static carom_status smallest_singular(int n, double *A, double *smallest, double *second) {
    *smallest = *second = NAN;
    if (n < 1) {
        return CAROM_STATUS_OUT_OF_RANGE;
    }
    const size_t size = (size_t)n;
    double *memory = malloc((size * size + 2 * size) * sizeof *memory);
    if (memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    gsl_matrix_view matrix = gsl_matrix_view_array(A, size, size);
    gsl_matrix_view right = gsl_matrix_view_array(memory, size, size);
    gsl_vector_view values = gsl_vector_view_array(memory + size * size, size);
    gsl_vector_view work = gsl_vector_view_array(memory + size * size + size, size);
    const int code =
        gsl_linalg_SV_decomp(&matrix.matrix, &right.matrix, &values.vector, &work.vector);
    const double *s = memory + size * size;
    if (code == 0) {
        *smallest = s[0] > 0.0 ? s[size - 1] / s[0] : 0.0;
        *second = n > 1 && s[0] > 0.0 ? s[size - 2] / s[0] : 1.0;
    }
    free(memory);
    return code == 0 ? CAROM_OK : CAROM_STATUS_NOT_CONVERGED;
}

/** Jacobian [2k][2k] of the equations in flight times and lambda at a motion, in units of their
 * sizes; work [(2k + 1) (2k + 1) + 2k]. */
static void fill_jacobian(const analysis *a, carom_impact_equations *equations,
                          const carom_orbit *orbit, double *jacobian, double *work) {
    const size_t k = (size_t)orbit->impact_count;
    double *y = work;
    double *F = y + 2 * k + 1;
    double *J = F + 2 * k;
    double largest = 0.0;
    for (size_t j = 0; j < k; j++) {
        y[j] = orbit->flight_times[j];
        y[k + j] = orbit->lambda[j];
        largest = fmax(largest, fabs(orbit->lambda[j]));
    }
    y[2 * k] = a->basis->gap_at_rest;
    carom_impact_equations_evaluate(equations, y, F, J);
    for (size_t i = 0; i < 2 * k; i++) {
        for (size_t j = 0; j < 2 * k; j++) {
            const double unit = j < k ? orbit->period / (double)k : largest;
            jacobian[2 * k * i + j] = unit * J[(2 * k + 1) * i + j];
        }
    }
}

carom_status nonsmooth_modes_is_on_curve(const analysis *a, const carom_orbit *orbit, bool *holds) {
    const size_t unknowns = 2 * (size_t)orbit->impact_count;
    carom_impact_equations *equations = NULL;
    CAROM_TRY(carom_impact_equations_alloc(a->basis, orbit->impact_count, &equations));
    const size_t entries = unknowns * unknowns;
    double *jacobian = malloc((2 * entries + 3 * unknowns + 1) * sizeof *jacobian);
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    *holds = false;
    if (jacobian != NULL) {
        double smallest = NAN;
        double second = NAN;
        fill_jacobian(a, equations, orbit, jacobian, jacobian + entries);
        status = smallest_singular((int)unknowns, jacobian, &smallest, &second);
        *holds = smallest < RANK_TOLERANCE && second > RANK_TOLERANCE;
    }
    free(jacobian);
    carom_impact_equations_free(equations);
    return status;
}

/** Extreme relative smallest singular value of Pi over random impact times with k impacts: the
 * largest for odd k, the smallest for even k. */
static carom_status kernel_of_times(const analysis *a, int k, double *extreme) {
    carom_impact_equations *equations = NULL;
    CAROM_TRY(carom_impact_equations_alloc(a->basis, k, &equations));
    double Pi[KERNEL_MOST_IMPACTS * KERNEL_MOST_IMPACTS];
    double Sigma[KERNEL_MOST_IMPACTS * KERNEL_MOST_IMPACTS];
    double times[KERNEL_MOST_IMPACTS];
    *extreme = k % 2 == 1 ? 0.0 : 1.0;
    carom_status status = CAROM_OK;
    for (int sample = 0; sample < KERNEL_SAMPLES && status == CAROM_OK; sample++) {
        for (int j = 0; j < k; j++) {
            const int dimension = KERNEL_MOST_IMPACTS * k + j;
            const double u = carom_counter_uniform(a->common->seed, (unsigned long)sample,
                                                   (unsigned long)dimension);
            times[j] = a->max_period * (0.1 + u) / k;
        }
        status = carom_impact_equations_matrices(equations, times, Pi, Sigma);
        double smallest = NAN;
        double second = NAN;
        if (status == CAROM_OK) {
            status = smallest_singular(k, Pi, &smallest, &second);
        }
        *extreme = k % 2 == 1 ? fmax(*extreme, smallest) : fmin(*extreme, smallest);
    }
    carom_impact_equations_free(equations);
    return status;
}

carom_status nonsmooth_modes_write_kernel_claims(const analysis *a) {
    double odd = 0.0;
    double even = 1.0;
    for (int k = 2; k <= KERNEL_MOST_IMPACTS; k++) {
        double extreme = NAN;
        CAROM_TRY(kernel_of_times(a, k, &extreme));
        odd = k % 2 == 1 ? fmax(odd, extreme) : odd;
        even = k % 2 == 0 ? fmin(even, extreme) : even;
    }
    carom_record_measure(a->record, "kernel_odd", odd, "1",
                         "largest relative smallest singular value of Pi, k = 3, 5, 7");
    carom_record_measure(a->record, "kernel_even", even, "1",
                         "smallest relative smallest singular value of Pi, k = 2, 4, 6");
    carom_record_claim(a->record, "odd_kernel_is_nontrivial", odd < ROUNDING,
                       "Pi of an odd number of impacts is singular at any times");
    carom_record_claim(a->record, "even_kernel_is_trivial", even > RANK_TOLERANCE,
                       "Pi of an even number of impacts is generically regular");
    return CAROM_OK;
}
