#include <carom/collisionless/roots/internal.h>

#include <carom/base/linear_algebra.h>
#include <carom/base/roots.h>
#include <carom/collisionless/motion/internal.h>

#include <math.h>
#include <stdlib.h>

/** Growth rate nu of a hyperbolic or free mode, 1/s. */
static double growth_rate(double lambda) {
    return sqrt(-lambda);
}

double carom_asymptotic_roots_angle(const carom_phase_spectra *spectra, double w) {
    if (!carom_phase_spectra_has_single_oscillations(spectra)) {
        return (double)NAN;
    }
    /* nu_1 > nu'_1 > nu_2 > ... > nu_{N-1}: the differences of neighbours are positive. */
    double angle = atan2(w, growth_rate(spectra->unconstrained[0]));
    for (int j = 0; j < spectra->mode_count - 2; j++) {
        const double constrained = growth_rate(spectra->constrained[j]);
        const double next = growth_rate(spectra->unconstrained[j + 1]);
        const double difference =
            (spectra->unconstrained[j + 1] - spectra->constrained[j]) / (constrained + next);
        angle += atan2(w * difference, constrained * next + w * w);
    }
    return angle;
}

double carom_asymptotic_roots_inverse_slope(const carom_phase_spectra *spectra) {
    if (!carom_phase_spectra_has_single_oscillations(spectra)) {
        return (double)NAN;
    }
    if (!(spectra->unconstrained[spectra->mode_count - 2] < 0.0)) {
        return HUGE_VAL;
    }
    double sum = 1.0 / growth_rate(spectra->unconstrained[0]);
    for (int j = 0; j < spectra->mode_count - 2; j++) {
        const double constrained = growth_rate(spectra->constrained[j]);
        const double next = growth_rate(spectra->unconstrained[j + 1]);
        const double difference =
            (spectra->unconstrained[j + 1] - spectra->constrained[j]) / (constrained + next);
        sum += difference / constrained / next;
    }
    return sum;
}

/** Refuse spectra that have no cells. */
static carom_status check_spectra(const carom_phase_spectra *spectra) {
    CAROM_TRY(carom_phase_spectra_check(spectra, NULL));
    const bool has_cells = carom_phase_spectra_has_single_oscillations(spectra);
    return has_cells ? CAROM_OK : CAROM_STATUS_CONFLICT;
}

carom_status carom_asymptotic_roots_cell(const carom_phase_spectra *spectra, int column, int row,
                                         double bounds[4]) {
    CAROM_ASSERT(spectra != NULL && bounds != NULL);
    for (int k = 0; k < 4; k++) {
        bounds[k] = (double)NAN;
    }
    CAROM_TRY(check_spectra(spectra));
    return carom_impact_phase_cell_bounds(spectra, column, row, bounds);
}

/*[saturatedPhases]*/
carom_status carom_asymptotic_roots_phases(const carom_phase_spectra *spectra, int column, int row,
                                           double *phase, double *constrained_phase) {
    CAROM_ASSERT(spectra != NULL && phase != NULL && constrained_phase != NULL);
    *phase = (double)NAN;
    *constrained_phase = (double)NAN;
    double cell[4];
    CAROM_TRY(carom_asymptotic_roots_cell(spectra, column, row, cell));
    const int N = spectra->mode_count;
    // w_N = -omega_N cot Phi(omega_N), w'_{N-1} = omega'_{N-1} cot Phi(omega'_{N-1})
    const double omega = sqrt(spectra->unconstrained[N - 1]);
    const double constrained_omega = sqrt(spectra->constrained[N - 2]);
    *phase = cell[0] + carom_asymptotic_roots_angle(spectra, omega);
    *constrained_phase = cell[3] - carom_asymptotic_roots_angle(spectra, constrained_omega);
    return CAROM_OK;
}
/*[end saturatedPhases]*/

carom_status carom_asymptotic_roots_times(const carom_phase_spectra *spectra, int column, int row,
                                          double *time, double *constrained_time) {
    CAROM_ASSERT(spectra != NULL && time != NULL && constrained_time != NULL);
    CAROM_TRY(carom_asymptotic_roots_phases(spectra, column, row, time, constrained_time));
    const int N = spectra->mode_count;
    *time /= sqrt(spectra->unconstrained[N - 1]);
    *constrained_time /= sqrt(spectra->constrained[N - 2]);
    return CAROM_OK;
}

/** The equation of a row's height, on its way along the side of the cell. */
typedef struct height_equation {
    const carom_phase_spectra *spectra;
    double lower;         /**< of o'_{N-1} in the cell, rad */
    double *matrix;       /**< [N-1][N-1] */
    double *solution;     /**< [N-1] */
    carom_factor *factor; /**< of the matrix */
} height_equation;

static void height_equation_clear(height_equation *equation) {
    free(equation->matrix);
    free(equation->solution);
    carom_factor_free(equation->factor);
}

/** On failure the caller clears what there is. */
static carom_status height_equation_init(const carom_phase_spectra *spectra, double lower,
                                         height_equation *equation) {
    const int n = spectra->mode_count - 1;
    const size_t size = (size_t)n;
    equation->spectra = spectra;
    equation->lower = lower;
    equation->matrix = malloc(size * size * sizeof(double));
    equation->solution = malloc(size * sizeof(double));
    if (equation->matrix == NULL || equation->solution == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    return carom_factor_alloc(carom_layout_full(n), &equation->factor);
}

/**
 * The matrix without its last column, in whose place stands 1/(lambda_i - lambda'_{N-1}): columns
 * of the hyperbolic constrained modes scaled so that they stay finite at tau' = 0.
 */
static void fill_height_matrix(const height_equation *equation, double constrained_time) {
    const carom_phase_spectra *spectra = equation->spectra;
    const int n = spectra->mode_count - 1;
    const double scale = sqrt(spectra->constrained[n - 1]);
    for (int j = 0; j < n; j++) {
        const double constrained = spectra->constrained[j];
        const carom_modal_direction direction = carom_modal_direction_at(
            constrained, spectra->constrained_parity[j], scale, -constrained_time);
        for (int i = 0; i < n; i++) {
            const double lambda = spectra->unconstrained[i];
            // w'_j = h''_j / h'_j at -tau', times h'_j
            const double sum = direction.cosine * scale - growth_rate(lambda) * direction.sine;
            equation->matrix[i * n + j] = (j < n - 1 ? sum : 1.0) / (lambda - constrained);
        }
    }
}

/**
 * The offset that the equation demands at a tau': the determinant is linear in w'_{N-1}, whose
 * value at its zero is by Cramer's rule the last unknown of the system with the right side
 * nu_i/(lambda_i - lambda'_{N-1}). It is positive; exactly zero for N = 2 with a free mode.
 */
static double demanded_offset(double offset, void *context) {
    height_equation *equation = context;
    const carom_phase_spectra *spectra = equation->spectra;
    const int n = spectra->mode_count - 1;
    const double constrained = spectra->constrained[n - 1];
    const double omega = sqrt(constrained);
    fill_height_matrix(equation, (equation->lower + offset) / omega);
    for (int i = 0; i < n; i++) {
        const double lambda = spectra->unconstrained[i];
        equation->solution[i] = growth_rate(lambda) / (lambda - constrained);
    }
    if (carom_factor_compute(equation->factor, equation->matrix) != CAROM_OK) {
        return (double)NAN;
    }
    carom_factor_solve(equation->factor, equation->solution);
    return atan2(equation->solution[n - 1], omega);
}

carom_status carom_asymptotic_roots_row_height(const carom_phase_spectra *spectra, int row,
                                               double *constrained_phase) {
    CAROM_ASSERT(spectra != NULL && constrained_phase != NULL);
    *constrained_phase = (double)NAN;
    // the second column exists for either parity
    double cell[4];
    CAROM_TRY(carom_asymptotic_roots_cell(spectra, 2, row, cell));
    CAROM_AUTO_VALUE(height_equation) equation = {.spectra = NULL};
    CAROM_AUTO_VALUE(carom_bracket) bracket = {.solver = NULL};
    CAROM_TRY(height_equation_init(spectra, cell[2], &equation));
    CAROM_TRY(carom_bracket_init(&bracket));
    double offset;
    const carom_status status =
        carom_impact_phase_cell_fixed_point(&bracket, demanded_offset, &equation, &offset);
    *constrained_phase = cell[2] + offset;
    return status;
}
