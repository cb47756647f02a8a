#include <carom/collisionless/curves/critical_region.h>

#include <carom/base/linear_algebra.h>
#include <carom/base/roots.h>
#include <carom/collisionless/motion/internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct carom_critical_region {
    const carom_phase_spectra *spectra;
    double participation_sum; /**< eta^T 1 in the limit, 1 */
    double *constrained;      /**< lambda' [N-1] in the limit: the last one is zero, 1/s2 */
    double *matrix;           /**< Ubar [N-1][N-1], s2 */
    double *solution;         /**< [2][N-1] Ubar^-1 of the columns of [1, w]/(lambda.lambda) */
    carom_factor *factor;     /**< of Ubar */
    carom_bracket bracket;
};

/** w = -h''/h' of an unconstrained mode at tau, or -nu of a hyperbolic one at HUGE_VAL, 1/s. */
static double impact_ratio(const carom_phase_spectra *spectra, int mode, double time) {
    const double lambda = spectra->unconstrained[mode];
    const double scale = sqrt(fabs(lambda));
    if (!(time < HUGE_VAL)) {
        return lambda < 0.0 ? -scale : (double)NAN;
    }
    const carom_modal_direction direction =
        carom_modal_direction_at(lambda, spectra->unconstrained_parity[mode], scale, time);
    return -scale * direction.cosine / direction.sine;
}

/** Refuse spectra whose lambda'_{N-1} cannot fall to zero alone. */
static carom_status check_spectra(const carom_phase_spectra *spectra, carom_report *report) {
    CAROM_TRY(carom_phase_spectra_check(spectra, report));
    const int N = spectra->mode_count;
    const char *quantity = "spectra without a critical limit";
    if (!(spectra->unconstrained[N - 2] < 0.0)) {
        (void)carom_report_refuse(report, quantity, spectra->unconstrained[N - 2], N - 2,
                                  "the last unconstrained eigenvalue alone positive");
        return CAROM_STATUS_CONFLICT;
    }
    if (!(spectra->constrained[N - 2] >= 0.0)) {
        (void)carom_report_refuse(report, quantity, spectra->constrained[N - 2], N - 2,
                                  "the last constrained eigenvalue not negative");
        return CAROM_STATUS_CONFLICT;
    }
    return CAROM_OK;
}

/** Limits of the constrained spectrum and of eta^T 1 = 1/W_N. */
static carom_status fill_limits(carom_critical_region *region) {
    const carom_phase_spectra *spectra = region->spectra;
    const int N = spectra->mode_count;
    CAROM_AUTO_MEMORY double *share = malloc((size_t)N * sizeof *share);
    if (share == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    memcpy(region->constrained, spectra->constrained, (size_t)(N - 2) * sizeof(double));
    region->constrained[N - 2] = 0.0;
    carom_cauchy_shares(N, spectra->unconstrained, region->constrained, share);
    region->participation_sum = 1.0 / share[N - 1];
    return CAROM_OK;
}

carom_status carom_critical_region_alloc(const carom_phase_spectra *spectra,
                                         carom_critical_region **out, carom_report *report) {
    CAROM_ASSERT(spectra != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(check_spectra(spectra, report));
    CAROM_AUTO(carom_critical_region) region = calloc(1, sizeof *region);
    if (region == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const size_t n = (size_t)spectra->mode_count - 1;
    region->spectra = spectra;
    region->constrained = malloc(n * sizeof(double));
    region->matrix = malloc(n * n * sizeof(double));
    region->solution = malloc(2 * n * sizeof(double));
    if (region->constrained == NULL || region->matrix == NULL || region->solution == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_bracket_init(&region->bracket));
    CAROM_TRY(fill_limits(region));
    CAROM_TRY(carom_factor_alloc(carom_layout_full((int)n), &region->factor));
    CAROM_HAND_OVER(region, out);
    return CAROM_OK;
}

void carom_critical_region_free(carom_critical_region *region) {
    if (region == NULL) {
        return;
    }
    free(region->constrained);
    free(region->matrix);
    free(region->solution);
    carom_factor_free(region->factor);
    carom_bracket_clear(&region->bracket);
    free(region);
}

/*[criticalSystem]*/
/** Ubar = Mbar - Gbar.Mbar and the two right sides. */
static void fill_system(carom_critical_region *region, double time) {
    const carom_phase_spectra *spectra = region->spectra;
    const int n = spectra->mode_count - 1;
    for (int i = 0; i < n; i++) {
        const double lambda = spectra->unconstrained[i];
        const double w = impact_ratio(spectra, i, time);
        for (int j = 0; j < n; j++) {
            // (31) with w'_j = -nu'_j; nu'_{N-1} = 0, so that G^{N-1} = 0
            const double constrained_nu = sqrt(-region->constrained[j]);
            const double G = -w * constrained_nu / lambda;
            region->matrix[i * n + j] = (1.0 - G) / (lambda - region->constrained[j]);
        }
        region->solution[i] = 1.0 / (lambda * lambda);
        region->solution[n + i] = w / (lambda * lambda);
    }
}

/** The rows of R (60) times the solutions. */
static void project(const carom_critical_region *region, carom_critical_matrices *matrices) {
    const int n = region->spectra->mode_count - 1;
    const double last = region->spectra->unconstrained[n];
    for (int k = 0; k < 2; k++) {
        double row[3] = {0.0, 0.0, 0.0};
        for (int j = 0; j < n; j++) {
            const double entry = region->solution[k * n + j];
            const double M_Nj = 1.0 / (last - region->constrained[j]);
            row[0] += M_Nj * sqrt(-region->constrained[j]) / last * entry;
            row[1] += M_Nj * entry;
            row[2] += region->participation_sum * entry;
        }
        for (int l = 0; l < 3; l++) {
            matrices->projection[l][k] = row[l];
        }
    }
    matrices->constant = 1.0 / (last * last);
}
/*[end criticalSystem]*/

/** K and K~ (39) of R and r at a value of w_N: U_N = M_N + w_N M_N.nu'/lambda_N. */
static void assemble(double w_N, carom_critical_matrices *matrices) {
    matrices->w_N = w_N;
    for (int k = 0; k < 2; k++) {
        matrices->K[0][k] = matrices->projection[1][k] + w_N * matrices->projection[0][k];
        matrices->K[1][k] = matrices->projection[2][k];
        matrices->K_tilde[k] = matrices->constant * (k == 0 ? 1.0 : w_N);
    }
}

static void clear_matrices(carom_critical_matrices *matrices) {
    matrices->time = (double)NAN;
    matrices->constant = (double)NAN;
    for (int l = 0; l < 3; l++) {
        matrices->projection[l][0] = (double)NAN;
        matrices->projection[l][1] = (double)NAN;
    }
    assemble((double)NAN, matrices);
}

/** Whether R and r are numbers: entries of the spectra may lie too many orders apart. */
static bool are_finite(const carom_critical_matrices *matrices) {
    double sum = matrices->constant;
    for (int l = 0; l < 3; l++) {
        sum += fabs(matrices->projection[l][0]) + fabs(matrices->projection[l][1]);
    }
    return isfinite(sum);
}

carom_status carom_critical_region_matrices(carom_critical_region *region, double time,
                                            carom_critical_matrices *matrices) {
    CAROM_ASSERT(region != NULL && matrices != NULL);
    clear_matrices(matrices);
    if (!(time > 0.0)) {
        return CAROM_STATUS_OUT_OF_RANGE;
    }
    const int n = region->spectra->mode_count - 1;
    fill_system(region, time);
    if (carom_factor_compute(region->factor, region->matrix) != CAROM_OK) {
        return CAROM_STATUS_SINGULAR;
    }
    carom_factor_solve(region->factor, region->solution);
    carom_factor_solve(region->factor, region->solution + n);
    project(region, matrices);
    if (!are_finite(matrices)) {
        clear_matrices(matrices);
        return CAROM_STATUS_SINGULAR;
    }
    matrices->time = time;
    assemble(impact_ratio(region->spectra, n, time), matrices);
    return CAROM_OK;
}

/*[criticalEquations]*/
double carom_critical_matrices_determinant(const carom_critical_matrices *matrices,
                                           bool as_printed) {
    // the corrected sign of K~ is a minus
    const double sign = as_printed ? 1.0 : -1.0;
    const double first = matrices->K[0][0] + sign * matrices->K_tilde[0];
    const double second = matrices->K[0][1] + sign * matrices->K_tilde[1];
    return first * matrices->K[1][1] - second * matrices->K[1][0];
}

double carom_critical_matrices_slope(const carom_critical_matrices *matrices) {
    return -matrices->projection[2][1] / matrices->projection[2][0];
}

double carom_critical_matrices_demanded_w(const carom_critical_matrices *matrices,
                                          bool as_printed) {
    const double(*R)[2] = matrices->projection;
    const double r = as_printed ? matrices->constant : -matrices->constant;
    const double numerator = (R[1][0] + r) * R[2][1] - R[1][1] * R[2][0];
    const double denominator = R[0][0] * R[2][1] - (R[0][1] + r) * R[2][0];
    return -numerator / denominator;
}
/*[end criticalEquations]*/

void carom_critical_region_column_derivative(const carom_critical_region *region, double time,
                                             double slope, double *derivative) {
    const carom_phase_spectra *spectra = region->spectra;
    for (int i = 0; i < spectra->mode_count; i++) {
        const double lambda = spectra->unconstrained[i];
        const double w = impact_ratio(spectra, i, time);
        derivative[i] = (1.0 + w / slope) / (lambda * lambda);
    }
}

static void clear_root(carom_critical_root *root) {
    root->time = (double)NAN;
    root->w_N = (double)NAN;
    root->slope = (double)NAN;
    root->phase = (double)NAN;
    root->constrained_phase = (double)NAN;
    root->constrained_time = (double)NAN;
    root->residual = (double)NAN;
}

/** The determinant over the sum of the magnitudes of its products. */
static double relative_determinant(const carom_critical_matrices *matrices, bool as_printed) {
    const double size =
        (fabs(matrices->K[0][0]) + fabs(matrices->K_tilde[0])) * fabs(matrices->K[1][1]) +
        (fabs(matrices->K[0][1]) + fabs(matrices->K_tilde[1])) * fabs(matrices->K[1][0]);
    return fabs(carom_critical_matrices_determinant(matrices, as_printed)) / size;
}

/** What follows from K, K~ and the phase o_N: the rest of a root, with (63) for o'_{N-1}. */
static void complete_root(const carom_phase_spectra *spectra,
                          const carom_critical_matrices *matrices, double constrained_upper,
                          bool as_printed, carom_critical_root *root) {
    const int N = spectra->mode_count;
    const double constrained_omega = sqrt(spectra->constrained[N - 2]);
    root->time = root->phase / sqrt(spectra->unconstrained[N - 1]);
    root->w_N = matrices->w_N;
    root->slope = carom_critical_matrices_slope(matrices);
    // pi/2 (odd) or pi (even) in the bottom row: the upper bound of the cell
    root->constrained_phase = constrained_upper - constrained_omega / root->slope;
    root->constrained_time = root->constrained_phase / constrained_omega;
    root->residual = relative_determinant(matrices, as_printed);
}

/** The equation of a critical tau, on its way along the side of the cell. */
typedef struct critical_equation {
    carom_critical_region *region;
    double lower; /**< of o_N in the cell, rad */
    double omega; /**< omega_N, rad/s */
    carom_critical_matrices *matrices;
} critical_equation;

/** The offset of o_N at which w_N is what (40) demands at the tau of another offset. */
static double demanded_offset(double offset, void *context) {
    const critical_equation *at = context;
    const double time = (at->lower + offset) / at->omega;
    if (carom_critical_region_matrices(at->region, time, at->matrices) != CAROM_OK) {
        return (double)NAN;
    }
    return atan2(at->omega, -carom_critical_matrices_demanded_w(at->matrices, false));
}

carom_status carom_critical_region_root(carom_critical_region *region, int column, int row,
                                        carom_critical_root *root) {
    CAROM_ASSERT(region != NULL && root != NULL);
    clear_root(root);
    double cell[4];
    CAROM_TRY(carom_impact_phase_cell_bounds(region->spectra, column, row, cell));
    carom_critical_matrices matrices;
    critical_equation equation = {
        .region = region,
        .lower = cell[0],
        .omega = sqrt(region->spectra->unconstrained[region->spectra->mode_count - 1]),
        .matrices = &matrices,
    };
    double offset;
    CAROM_TRY(
        carom_impact_phase_cell_fixed_point(&region->bracket, demanded_offset, &equation, &offset));
    const double phase = cell[0] + offset;
    CAROM_TRY(carom_critical_region_matrices(region, phase / equation.omega, &matrices));
    root->phase = phase;
    complete_root(region->spectra, &matrices, cell[3], false, root);
    return CAROM_OK;
}

carom_status carom_critical_region_asymptote(carom_critical_region *region, int column, int row,
                                             bool as_printed, carom_critical_root *root) {
    CAROM_ASSERT(region != NULL && root != NULL);
    clear_root(root);
    double cell[4];
    CAROM_TRY(carom_impact_phase_cell_bounds(region->spectra, column, row, cell));
    carom_critical_matrices matrices;
    CAROM_TRY(carom_critical_region_matrices(region, HUGE_VAL, &matrices));
    assemble(carom_critical_matrices_demanded_w(&matrices, as_printed), &matrices);
    // (63): the first term is the upper bound of the cell, for either parity
    const carom_phase_spectra *spectra = region->spectra;
    const double omega = sqrt(spectra->unconstrained[spectra->mode_count - 1]);
    root->phase = cell[1] + atan(matrices.w_N / omega);
    complete_root(spectra, &matrices, cell[3], as_printed, root);
    return CAROM_OK;
}
