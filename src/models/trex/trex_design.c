#include <carom/models/trex/internal.h>

#include <carom/base/roots.h>

#include <math.h>
#include <string.h>

enum { VARIABLES = CAROM_TREX_DESIGN_VARIABLES, CONDITIONS = CAROM_TREX_DESIGN_CONDITIONS };

/** Last step to the nearest root, unit lengths and rad: rounding of the projector is 1e-16 times
 * the condition, some 1e4, and the distance. */
static const double STEP_TOLERANCE = 1e-11;

/** Of a leg of the hand-picked robot. */
static const double UNIT_LENGTHS = 18.0;

double carom_trex_design_unit_length(const carom_trex_params *params) {
    CAROM_ASSERT(params != NULL);
    return (params->upper_length + params->lower_length) / UNIT_LENGTHS;
}

carom_trex_design_params carom_trex_design_params_default(void) {
    const carom_trex_design_params params = {
        .scope = CAROM_TREX_DESIGN_ALL,
        .cosine = 0.0,
        .tolerance = 1e-13,
        .most_iterations = 50,
    };
    return params;
}

static carom_status check_design(const carom_trex_design_params *design, carom_report *report) {
    if (design->scope != CAROM_TREX_DESIGN_ALL &&
        design->scope != CAROM_TREX_DESIGN_CONFIGURATION &&
        design->scope != CAROM_TREX_DESIGN_SHAPE) {
        return carom_report_refuse(report, "scope", (double)design->scope, -1,
                                   "a carom_trex_design_scope");
    }
    CAROM_TRY(carom_model_require_finite("cosine", design->cosine, report));
    if (!(fabs(design->cosine) < 1.0)) {
        return carom_report_refuse(report, "cosine", design->cosine, -1, "in (-1,1)");
    }
    CAROM_TRY(carom_model_require_positive("tolerance", design->tolerance, report));
    CAROM_TRY(
        carom_model_require_within("unit length", design->unit_length, 0.0, HUGE_VAL, report));
    if (design->most_iterations < 1) {
        return carom_report_refuse(report, "most iterations", design->most_iterations, -1, ">= 1");
    }
    return CAROM_OK;
}

/** Which variables a scope lets move. */
static bool may_move(carom_trex_design_scope scope, int variable) {
    const bool is_shape = variable >= CAROM_TREX_DESIGN_ANTERIOR_RADIUS;
    switch (scope) {
    case CAROM_TREX_DESIGN_CONFIGURATION:
        return !is_shape;
    case CAROM_TREX_DESIGN_SHAPE:
        return is_shape || variable == CAROM_TREX_DESIGN_HEIGHT ||
               variable == CAROM_TREX_DESIGN_PITCH;
    case CAROM_TREX_DESIGN_ALL:
    default:
        return true;
    }
}

/** The robot that is searched with, and the cosine that its normals are to have. */
typedef struct target {
    carom_trex_params robot;
    double cosine;
    double unit; /**< length that is one, cm */
} target;

/** What a variable is in units of. */
static double unit_of(const target *self, int variable) {
    const bool is_length =
        variable == CAROM_TREX_DESIGN_HEIGHT || variable >= CAROM_TREX_DESIGN_ANTERIOR_RADIUS;
    return is_length ? self->unit : 1.0;
}

/** The same of a condition. */
static double unit_of_condition(const target *self, int condition) {
    return condition == CAROM_TREX_DESIGN_COSINE ? 1.0 : self->unit;
}

/** The robot with the variables [VARIABLES] in their units. */
static void set_variables(target *self, const double *scaled) {
    double z[VARIABLES];
    for (int j = 0; j < VARIABLES; j++) {
        z[j] = scaled[j] * unit_of(self, j);
    }
    carom_trex_design_set(&self->robot, z);
}

/** F - (cosine, 0, 0) and J of the robot with these variables, if it is one, in their units. */
static carom_status conditions_at(const double *scaled, double *F, double *jacobian, void *context,
                                  carom_report *report) {
    target *self = context;
    set_variables(self, scaled);
    CAROM_TRY(carom_trex_check(&self->robot, report));
    CAROM_TRY(carom_trex_design_conditions(&self->robot, F, jacobian, report));
    F[CAROM_TREX_DESIGN_COSINE] -= self->cosine;
    for (int i = 0; i < CONDITIONS; i++) {
        F[i] /= unit_of_condition(self, i);
        for (int j = 0; jacobian != NULL && j < VARIABLES; j++) {
            jacobian[i * VARIABLES + j] *= unit_of(self, j) / unit_of_condition(self, i);
        }
    }
    return CAROM_OK;
}

static carom_status search(carom_trex_params *params, const carom_trex_design_params *design,
                           carom_underdetermined_goal goal, carom_trex_design_result *result,
                           carom_report *report) {
    CAROM_ASSERT(params != NULL && design != NULL);
    CAROM_TRY(carom_trex_check(params, report));
    CAROM_TRY(check_design(design, report));
    bool is_free[VARIABLES];
    for (int j = 0; j < VARIABLES; j++) {
        is_free[j] = may_move(design->scope, j);
    }
    target aim = {.robot = *params, .cosine = design->cosine, .unit = design->unit_length};
    if (!(aim.unit > 0.0)) {
        aim.unit = carom_trex_design_unit_length(params);
    }
    const carom_underdetermined_system system = {
        .equation_count = CONDITIONS,
        .unknown_count = VARIABLES,
        .function = conditions_at,
        .context = &aim,
        .is_free = is_free,
    };
    carom_underdetermined_params search_params = carom_underdetermined_params_default();
    search_params.goal = goal;
    search_params.tolerance = design->tolerance;
    search_params.step_tolerance = STEP_TOLERANCE;
    search_params.most_iterations = design->most_iterations;

    CAROM_AUTO(carom_underdetermined_workspace) work = NULL;
    CAROM_TRY(carom_underdetermined_workspace_alloc(CONDITIONS, VARIABLES, &work));
    double z[VARIABLES];
    double F[CONDITIONS];
    carom_trex_design_get(params, z);
    for (int j = 0; j < VARIABLES; j++) {
        z[j] /= unit_of(&aim, j);
    }
    carom_underdetermined_result found = {.iterations = 0};
    CAROM_TRY(carom_underdetermined_root_find(&system, &search_params, z, F, work, &found, report));
    set_variables(&aim, z);
    carom_trex_design_get(&aim.robot, z);
    carom_trex_design_set(params, z);
    if (result != NULL) {
        result->iterations = found.iterations;
        result->distance = found.distance;
        result->condition = found.condition;
        for (int i = 0; i < CONDITIONS; i++) {
            result->residual[i] = F[i] * unit_of_condition(&aim, i);
        }
    }
    return CAROM_OK;
}

carom_status carom_trex_design_optimize(carom_trex_params *params,
                                        const carom_trex_design_params *design,
                                        carom_trex_design_result *result, carom_report *report) {
    CAROM_ASSERT(params != NULL && design != NULL);
    return search(params, design, CAROM_UNDERDETERMINED_GAUSS_NEWTON, result, report);
}

carom_status carom_trex_design_nearest(carom_trex_params *params,
                                       const carom_trex_design_params *design,
                                       carom_trex_design_result *result, carom_report *report) {
    CAROM_ASSERT(params != NULL && design != NULL);
    return search(params, design, CAROM_UNDERDETERMINED_NEAREST, result, report);
}
