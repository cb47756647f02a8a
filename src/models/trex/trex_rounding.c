#include <carom/models/trex/internal.h>

#include <math.h>

enum { VARIABLES = CAROM_TREX_DESIGN_VARIABLES, CONDITIONS = CAROM_TREX_DESIGN_CONDITIONS };
enum { MOST_ITERATIONS = 20 };

/** Gaps of 20 cm levers, cm. */
static const double GAP_TOLERANCE = 1e-13;
/** Sine of the angle below which a column is parallel to another. */
static const double PARALLEL_TOLERANCE = 1e-12;

/** J change = b in two equations. */
typedef struct gap_equations {
    double column[VARIABLES][2];
    double right[2];
} gap_equations;

/** J_j.y, zero where rounding decides. */
static double pairing(const gap_equations *equations, int j, const double *y) {
    const double *column = equations->column[j];
    const double value = column[0] * y[0] + column[1] * y[1];
    const double scale = hypot(column[0], column[1]) * hypot(y[0], y[1]);
    return fabs(value) > PARALLEL_TOLERANCE * scale ? value : 0.0;
}

/** Largest |b.y|/|J'y|_1 and its y, with b.y >= 0; false where all columns are parallel. */
static bool find_dual(const gap_equations *equations, double *y, double *value) {
    *value = -1.0;
    for (int i = 0; i < VARIABLES; i++) {
        const double candidate[2] = {-equations->column[i][1], equations->column[i][0]};
        double norm = 0.0;
        for (int j = 0; j < VARIABLES; j++) {
            norm += fabs(pairing(equations, j, candidate));
        }
        const double gain = equations->right[0] * candidate[0] + equations->right[1] * candidate[1];
        if (norm > 0.0 && fabs(gain) / norm > *value) {
            *value = fabs(gain) / norm;
            y[0] = copysign(1.0, gain) * candidate[0];
            y[1] = copysign(1.0, gain) * candidate[1];
        }
    }
    return *value >= 0.0;
}

/** The change of least max-norm: entries of size `value` where J'y has a sign; what is left is a
 * multiple of the columns orthogonal to y, which share it. */
static void set_change(const gap_equations *equations, const double *y, double value,
                       double *change) {
    const double size = hypot(y[0], y[1]);
    const double along[2] = {y[1] / size, -y[0] / size};
    double left_over = equations->right[0] * along[0] + equations->right[1] * along[1];
    double shared = 0.0;
    for (int j = 0; j < VARIABLES; j++) {
        const double *column = equations->column[j];
        const double sign = pairing(equations, j, y);
        const double share = column[0] * along[0] + column[1] * along[1];
        change[j] = sign > 0.0 ? value : sign < 0.0 ? -value : 0.0;
        left_over -= share * change[j];
        shared += sign > 0.0 || sign < 0.0 ? 0.0 : fabs(share);
    }
    for (int j = 0; j < VARIABLES; j++) {
        const double *column = equations->column[j];
        const double share = column[0] * along[0] + column[1] * along[1];
        const double sign = pairing(equations, j, y);
        if (!(sign > 0.0 || sign < 0.0) && fabs(share) > 0.0) {
            change[j] = copysign(left_over / shared, left_over * share);
        }
    }
}

/** Gap equations linearised at a change, for the whole change. */
static gap_equations linearise(const double *F, const double *jacobian, const bool *is_exact,
                               const double *change) {
    static const int rows[2] = {CAROM_TREX_DESIGN_FOOT_GAP, CAROM_TREX_DESIGN_TAIL_GAP};
    gap_equations equations = {.right = {0.0}};
    for (int i = 0; i < 2; i++) {
        equations.right[i] = -F[rows[i]];
        for (int j = 0; j < VARIABLES; j++) {
            const bool is_rounded = is_exact == NULL || !is_exact[j];
            const double slope = is_rounded ? jacobian[rows[i] * VARIABLES + j] : 0.0;
            equations.column[j][i] = slope;
            equations.right[i] += slope * change[j];
        }
    }
    return equations;
}

/** First-order spread of the cosine over the rounded entries. */
static double spread_of_cosine(const double *jacobian, const bool *is_exact, double half_unit) {
    double sum = 0.0;
    for (int j = 0; j < VARIABLES; j++) {
        const bool is_rounded = is_exact == NULL || !is_exact[j];
        sum += is_rounded ? fabs(jacobian[CAROM_TREX_DESIGN_COSINE * VARIABLES + j]) : 0.0;
    }
    return half_unit * sum;
}

/** Solve linearised problems until the gaps close. */
static carom_status close_contacts(const carom_trex_params *params, const bool *is_exact,
                                   double half_unit, carom_trex_rounding *rounding,
                                   carom_report *report) {
    double z[VARIABLES];
    double F[CONDITIONS];
    double jacobian[CONDITIONS * VARIABLES];
    carom_trex_params robot = *params;
    carom_trex_design_get(params, z);
    CAROM_TRY(carom_trex_design_conditions(&robot, F, jacobian, report));
    rounding->cosine = F[CAROM_TREX_DESIGN_COSINE];
    rounding->cosine_spread = spread_of_cosine(jacobian, is_exact, half_unit);
    for (int j = 0; j < VARIABLES; j++) {
        rounding->change[j] = 0.0;
    }
    rounding->closure = 0.0;
    double residual = (double)NAN;
    for (rounding->iterations = 0;; rounding->iterations++) {
        residual = fmax(fabs(F[CAROM_TREX_DESIGN_FOOT_GAP]), fabs(F[CAROM_TREX_DESIGN_TAIL_GAP]));
        if (residual <= GAP_TOLERANCE) {
            return CAROM_OK;
        }
        if (rounding->iterations == MOST_ITERATIONS) {
            return carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, "gap", residual, -1);
        }
        const gap_equations equations = linearise(F, jacobian, is_exact, rounding->change);
        double y[2] = {0.0, 0.0};
        double value = 0.0;
        if (!find_dual(&equations, y, &value)) {
            return carom_report_fail(report, CAROM_STATUS_SINGULAR, "gaps", residual, -1);
        }
        set_change(&equations, y, value, rounding->change);
        rounding->closure = value / half_unit;
        double moved[VARIABLES];
        for (int j = 0; j < VARIABLES; j++) {
            moved[j] = z[j] + rounding->change[j];
        }
        carom_trex_design_set(&robot, moved);
        CAROM_TRY(carom_trex_check(&robot, report));
        CAROM_TRY(carom_trex_design_conditions(&robot, F, jacobian, report));
    }
}

carom_status carom_trex_rounding_of(const carom_trex_params *params, const bool *is_exact,
                                    double half_unit, carom_trex_rounding *rounding,
                                    carom_report *report) {
    CAROM_ASSERT(params != NULL && rounding != NULL);
    const double nan = (double)NAN;
    const carom_trex_rounding unknown = {
        .closure = nan,
        .change = {nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan},
        .cosine = nan,
        .cosine_spread = nan,
        .iterations = 0};
    *rounding = unknown;
    CAROM_TRY(carom_trex_check(params, report));
    CAROM_TRY(carom_model_require_positive("half unit", half_unit, report));
    carom_trex_rounding found = unknown;
    CAROM_TRY(close_contacts(params, is_exact, half_unit, &found, report));
    *rounding = found;
    return CAROM_OK;
}
