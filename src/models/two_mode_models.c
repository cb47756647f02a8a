#include <carom/models/two_mode_models.h>

#include <carom/models/linear_contact.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_poly.h>
#include <math.h>
#include <string.h>

/** A parameter and its name in reports. */
typedef struct named_value {
    const char *name;
    double value;
} named_value;

/** The first parameter that is not a finite number above zero. */
static carom_status require_all_positive(int count, const named_value *values,
                                         carom_report *report) {
    for (int i = 0; i < count; i++) {
        CAROM_TRY(carom_model_require_positive(values[i].name, values[i].value, report));
    }
    return CAROM_OK;
}

/** Half an angle between legs or spokes, in (0, pi/2). */
static carom_status require_half_angle(const char *quantity, double angle, carom_report *report) {
    CAROM_TRY(carom_model_require_positive(quantity, angle, report));
    if (!(angle < M_PI_2)) {
        return carom_report_refuse(report, quantity, angle, -1, "in (0,pi/2)");
    }
    return CAROM_OK;
}

/** A symmetric matrix from its three entries. */
static void fill_symmetric(double matrix[2][2], double first, double off_diagonal, double second) {
    matrix[0][0] = first;
    matrix[0][1] = off_diagonal;
    matrix[1][0] = off_diagonal;
    matrix[1][1] = second;
}

void carom_two_mode_model_spectrum(const carom_two_mode_model *model, double *lambda,
                                   double *lambda_constrained) {
    CAROM_ASSERT(model != NULL && lambda != NULL && lambda_constrained != NULL);
    const double(*m)[2] = model->mass;
    const double(*k)[2] = model->stiffness;
    const double mass_determinant = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    const double stiffness_determinant = k[0][0] * k[1][1] - k[0][1] * k[1][0];
    const double mixed = m[0][0] * k[1][1] + m[1][1] * k[0][0] - 2.0 * m[0][1] * k[0][1];
    lambda[0] = (double)NAN;
    lambda[1] = (double)NAN;
    // det(k - lambda m) = 0; both roots are real, m being positive definite
    gsl_poly_solve_quadratic(mass_determinant, -mixed, stiffness_determinant, &lambda[0],
                             &lambda[1]);
    *lambda_constrained = k[0][0] / m[0][0];
}

carom_status carom_two_mode_model_mechanism(const carom_two_mode_model *model, carom_model **out) {
    CAROM_ASSERT(model != NULL && out != NULL);
    const carom_linear_contact_params system = {
        .coordinate_count = 2,
        .mass = (const double *)model->mass,
        .stiffness = (const double *)model->stiffness,
        .load = model->load,
        .contact_level = model->contact_coordinate,
        .contact_sign = (int)model->gap_sign,
        .is_angle = strcmp(model->units, "rad") == 0,
    };
    CAROM_TRY(carom_linear_contact_alloc(&system, out, NULL));
    (*out)->mechanism.name = model->name;

    /* At rest in contact. */
    const double contact = model->contact_coordinate;
    (*out)->initial_position[0] =
        (model->load[0] - model->stiffness[0][1] * contact) / model->stiffness[0][0];
    (*out)->initial_position[1] = contact;
    return CAROM_OK;
}

carom_hopper_params carom_hopper_params_default(void) {
    const carom_hopper_params params = {
        .upper_mass = 1.0,
        .lower_mass = 1.0,
        .spring_stiffness = 1.0,
        .gravity = 1.0,
        .spring_length = 12.0,
    };
    return params;
}

static carom_status check_hopper(const carom_hopper_params *params, carom_report *report) {
    const named_value values[] = {
        {"upper mass", params->upper_mass},
        {"lower mass", params->lower_mass},
        {"spring stiffness", params->spring_stiffness},
        {"gravity", params->gravity},
        {"spring length", params->spring_length},
    };
    return require_all_positive(5, values, report);
}

carom_status carom_hopper_model(const carom_hopper_params *params, carom_two_mode_model *out,
                                carom_report *report) {
    CAROM_ASSERT(params != NULL && out != NULL);
    CAROM_TRY(check_hopper(params, report));
    const double kappa = params->spring_stiffness;
    const double g = params->gravity;
    *out = (carom_two_mode_model){
        .name = "hopper",
        .coordinates = {"upper mass", "lower mass"},
        .units = "m",
        .load = {-params->upper_mass * g, -params->lower_mass * g},
        .gap_sign = 1.0,
        .contact_level = (double)NAN,
        .weight = (params->upper_mass + params->lower_mass) * g,
    };
    fill_symmetric(out->mass, params->upper_mass, 0.0, params->lower_mass);
    fill_symmetric(out->stiffness, kappa, -kappa, kappa);
    out->contact_force = out->weight;
    return CAROM_OK;
}

carom_juggler_params carom_juggler_params_default(void) {
    const carom_juggler_params params = {
        .paddle_mass = 1.0,
        .ball_mass = 1.0,
        .spring_stiffness = 1.0,
        .gravity = 1.0,
        .spring_length = 12.0,
    };
    return params;
}

static carom_status check_juggler(const carom_juggler_params *params, carom_report *report) {
    const named_value values[] = {
        {"paddle mass", params->paddle_mass},           {"ball mass", params->ball_mass},
        {"spring stiffness", params->spring_stiffness}, {"gravity", params->gravity},
        {"spring length", params->spring_length},
    };
    return require_all_positive(5, values, report);
}

carom_status carom_juggler_model(const carom_juggler_params *params, carom_two_mode_model *out,
                                 carom_report *report) {
    CAROM_ASSERT(params != NULL && out != NULL);
    CAROM_TRY(check_juggler(params, report));
    const double ball = params->ball_mass;
    const double total = params->paddle_mass + ball;
    const double g = params->gravity;
    *out = (carom_two_mode_model){
        .name = "juggler",
        .coordinates = {"paddle", "ball above paddle"},
        .units = "m",
        .load = {-total * g, -ball * g},
        .gap_sign = 1.0,
        .contact_level = (double)NAN,
        .contact_force = ball * g,
        .weight = total * g,
    };
    fill_symmetric(out->mass, total, ball, ball);
    fill_symmetric(out->stiffness, params->spring_stiffness, 0.0, 0.0);
    return CAROM_OK;
}

/** A wheel that rolls from spoke to spoke, without its matrices. */
static carom_two_mode_model rolling_wheel(const char *name, const char *attachment,
                                          double half_spoke_angle) {
    const carom_two_mode_model model = {
        .name = name,
        .coordinates = {attachment, "stance spoke"},
        .units = "rad",
        .is_unconstrained_odd = true,
        .is_constrained_odd = true,
        .gap_sign = -1.0,
        .contact_coordinate = half_spoke_angle,
        .contact_level = half_spoke_angle,
    };
    return model;
}

carom_reaction_wheel_params carom_reaction_wheel_params_default(void) {
    const carom_reaction_wheel_params params = {
        .reaction_inertia = 1.0,
        .wheel_inertia = 2.0,
        .spring_stiffness = 1.0,
        .mass = 1.0,
        .gravity = 1.0,
        .spoke_length = 1.0,
        .half_spoke_angle = 1.0,
        .reaction_radius = 0.4,
    };
    return params;
}

static carom_status check_reaction_wheel(const carom_reaction_wheel_params *params,
                                         carom_report *report) {
    const named_value values[] = {
        {"reaction inertia", params->reaction_inertia},
        {"wheel inertia", params->wheel_inertia},
        {"spring stiffness", params->spring_stiffness},
        {"mass", params->mass},
        {"gravity", params->gravity},
        {"spoke length", params->spoke_length},
        {"reaction radius", params->reaction_radius},
    };
    CAROM_TRY(require_all_positive(7, values, report));
    CAROM_TRY(require_half_angle("half spoke angle", params->half_spoke_angle, report));
    // The parallel axis theorem.
    if (params->wheel_inertia < params->mass * gsl_pow_2(params->spoke_length)) {
        (void)carom_report_bound(report, "wheel inertia", params->wheel_inertia,
                                 "at least the mass times the square of the spoke length,",
                                 params->mass * gsl_pow_2(params->spoke_length));
        return CAROM_STATUS_CONFLICT;
    }
    return CAROM_OK;
}

carom_status carom_reaction_wheel_model(const carom_reaction_wheel_params *params,
                                        carom_two_mode_model *out, carom_report *report) {
    CAROM_ASSERT(params != NULL && out != NULL);
    CAROM_TRY(check_reaction_wheel(params, report));
    const double kappa = params->spring_stiffness;
    const double weight = params->mass * params->gravity;
    const double topple = weight * params->spoke_length;
    *out = rolling_wheel("reaction_wheel", "reaction wheel", params->half_spoke_angle);
    fill_symmetric(out->mass, params->reaction_inertia, 0.0, params->wheel_inertia);
    fill_symmetric(out->stiffness, kappa, -kappa, kappa - topple);
    out->contact_force = -topple * params->half_spoke_angle;
    out->weight = weight;
    return CAROM_OK;
}

/** A pendulum of mass m, length a at the hinge of a mass M upright at height l. */
static void hang_pendulum(carom_two_mode_model *model, double m, double a, double M, double l,
                          double g) {
    fill_symmetric(model->mass, m * a * a, -m * a * l, (M + m) * l * l);
    fill_symmetric(model->stiffness, g * m * a, 0.0, -g * (M + m) * l);
}

carom_pendulum_wheel_params carom_pendulum_wheel_params_default(void) {
    const carom_pendulum_wheel_params params = {
        .hub_mass = 1.0,
        .pendulum_mass = 1.0,
        .spoke_length = 1.0,
        .pendulum_length = 1.0,
        .gravity = 1.0,
        .half_spoke_angle = 1.0,
    };
    return params;
}

static carom_status check_pendulum_wheel(const carom_pendulum_wheel_params *params,
                                         carom_report *report) {
    const named_value values[] = {
        {"hub mass", params->hub_mass},         {"pendulum mass", params->pendulum_mass},
        {"spoke length", params->spoke_length}, {"pendulum length", params->pendulum_length},
        {"gravity", params->gravity},
    };
    CAROM_TRY(require_all_positive(5, values, report));
    return require_half_angle("half spoke angle", params->half_spoke_angle, report);
}

carom_status carom_pendulum_wheel_model(const carom_pendulum_wheel_params *params,
                                        carom_two_mode_model *out, carom_report *report) {
    CAROM_ASSERT(params != NULL && out != NULL);
    CAROM_TRY(check_pendulum_wheel(params, report));
    *out = rolling_wheel("pendulum_wheel", "pendulum", params->half_spoke_angle);
    hang_pendulum(out, params->pendulum_mass, params->pendulum_length, params->hub_mass,
                  params->spoke_length, params->gravity);
    out->weight = (params->hub_mass + params->pendulum_mass) * params->gravity;
    out->contact_force = -out->weight * params->spoke_length * params->half_spoke_angle;
    return CAROM_OK;
}

carom_coronal_rocker_params carom_coronal_rocker_params_default(void) {
    const carom_coronal_rocker_params params = {
        .foot_mass = 1.0,
        .pendulum_mass = 1.0,
        .hip_mass = 1.0,
        .leg_length = 1.0,
        .pendulum_length = 1.0,
        .gravity = 1.0,
        .half_leg_angle = 1.0,
    };
    return params;
}

static carom_status check_coronal_rocker(const carom_coronal_rocker_params *params,
                                         carom_report *report) {
    const named_value values[] = {
        {"pendulum mass", params->pendulum_mass},
        {"hip mass", params->hip_mass},
        {"leg length", params->leg_length},
        {"pendulum length", params->pendulum_length},
        {"gravity", params->gravity},
    };
    CAROM_TRY(
        carom_model_require_within("foot mass", params->foot_mass, 0.0, (double)INFINITY, report));
    CAROM_TRY(require_all_positive(5, values, report));
    return require_half_angle("half leg angle", params->half_leg_angle, report);
}

carom_status carom_coronal_rocker_model(const carom_coronal_rocker_params *params,
                                        carom_two_mode_model *out, carom_report *report) {
    CAROM_ASSERT(params != NULL && out != NULL);
    CAROM_TRY(check_coronal_rocker(params, report));
    const double upper = params->pendulum_mass + params->hip_mass;
    const double total = upper + 2.0 * params->foot_mass;
    *out = (carom_two_mode_model){
        .name = "coronal_rocker",
        .coordinates = {"pendulum", "stance leg"},
        .units = "rad",
        .is_constrained_odd = true,
        .gap_sign = 1.0,
        .contact_level = -params->half_leg_angle * total / upper,
        .weight = total * params->gravity,
    };
    hang_pendulum(out, params->pendulum_mass, params->pendulum_length, params->hip_mass,
                  params->leg_length, params->gravity);
    out->contact_coordinate = out->contact_level;
    out->contact_force = out->weight * params->leg_length * params->half_leg_angle;
    return CAROM_OK;
}
