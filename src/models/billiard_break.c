#include <carom/models/billiard_break.h>

#include <carom/models/internal.h>
#include <carom/models/model.h>

#include <gsl/gsl_math.h>

enum {
    A = CAROM_BILLIARD_BREAK_A,
    B = CAROM_BILLIARD_BREAK_B,
    C = CAROM_BILLIARD_BREAK_C,
    BALLS = CAROM_BILLIARD_BREAK_BALLS
};

/** Rounding that a sweep of angles from theta_min to pi may have at its ends, rad. */
static const double ANGLE_ROUNDING = 1e-12;

carom_billiard_break_params carom_billiard_break_params_default(void) {
    const carom_billiard_break_params params = {
        /* sin(theta_min/2) = r_a/(r_a + r_c) with theta_min = pi/6. */
        .radii = {1.0, 1.0, 1.0 / sin(M_PI / 12.0) - 1.0},
        .density = 1.0,
        .angle = M_PI / 3.0,
        .speed = 1.0,
        .restitution = 1.0,
    };
    return params;
}

double carom_billiard_break_mass(const carom_billiard_break_params *params, int ball) {
    CAROM_ASSERT(params != NULL && ball >= 0 && ball < BALLS);
    const double radius = params->radii[ball];
    return 4.0 / 3.0 * M_PI * params->density * (radius * radius * radius);
}

double carom_billiard_break_smallest_angle(const double *radii) {
    CAROM_ASSERT(radii != NULL);
    const double share_a = radii[A] / (radii[A] + radii[C]);
    const double share_b = radii[B] / (radii[B] + radii[C]);
    return 2.0 * asin(sqrt(share_a * share_b));
}

double carom_billiard_break_cosine(const carom_billiard_break_params *params) {
    const double m_a = carom_billiard_break_mass(params, A);
    const double m_b = carom_billiard_break_mass(params, B);
    const double m_c = carom_billiard_break_mass(params, C);
    return cos(params->angle) * sqrt(m_a / (m_a + m_c) * (m_b / (m_b + m_c)));
}

/** The report of a refused ball names it. */
static carom_status require_positive_of(const char *quantity, double value, int ball,
                                        carom_report *report) {
    const carom_status status = carom_model_require_positive(quantity, value, report);
    if (status != CAROM_OK && report != NULL) {
        report->index = ball;
    }
    return status;
}

/** Refuse parameters that do not describe a break. */
static carom_status refuse(const carom_billiard_break_params *params, carom_report *report) {
    for (int i = 0; i < BALLS; i++) {
        CAROM_TRY(require_positive_of("radius", params->radii[i], i, report));
    }
    CAROM_TRY(carom_model_require_positive("density", params->density, report));
    /* A volume may overflow, or vanish. */
    for (int i = 0; i < BALLS; i++) {
        CAROM_TRY(require_positive_of("mass", carom_billiard_break_mass(params, i), i, report));
    }
    CAROM_TRY(carom_model_require_positive("speed", params->speed, report));
    CAROM_TRY(carom_model_require_within("restitution", params->restitution, 0.0, 1.0, report));
    const double smallest = carom_billiard_break_smallest_angle(params->radii);
    return carom_model_require_within("angle", params->angle, smallest - ANGLE_ROUNDING,
                                      M_PI + ANGLE_ROUNDING, report);
}

/** The cue ball's contact with another: the normal points from the cue ball to the other. */
static carom_planar_contact with_cue_ball(const carom_billiard_break_params *params, int ball) {
    carom_planar_contact contact =
        carom_planar_disc_on_disc(C, params->radii[C], ball, params->radii[ball], 0.0);
    contact.restitution = params->restitution;
    return contact;
}

/** Put a ball beside the cue ball, `direction` counter-clockwise from the bisector. */
static void place(const carom_billiard_break_params *params, int ball, double direction,
                  carom_impact_scene *scene) {
    const double distance = params->radii[ball] + params->radii[C];
    scene->position[2 * ball] = distance * cos(direction);
    scene->position[2 * ball + 1] = distance * sin(direction);
}

carom_status carom_billiard_break_alloc(const carom_billiard_break_params *params,
                                        carom_impact_scene **out, carom_report *report) {
    CAROM_ASSERT(params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(refuse(params, report));
    carom_planar_body balls[BALLS];
    for (int i = 0; i < BALLS; i++) {
        const double mass = carom_billiard_break_mass(params, i);
        balls[i] = carom_planar_translating(carom_planar_point_mass(mass, 0.0, 0.0));
    }
    const carom_planar_contact contacts[2] = {with_cue_ball(params, A), with_cue_ball(params, B)};
    carom_planar_tree_spec spec = carom_planar_tree_spec_default();
    spec.name = "billiard_break";
    spec.body_count = BALLS;
    spec.bodies = balls;
    spec.contact_count = 2;
    spec.contacts = contacts;
    spec.gravity[1] = 0.0;
    CAROM_TRY(carom_impact_scene_alloc(&spec, out, report));
    place(params, A, 0.5 * params->angle, *out);
    place(params, B, -0.5 * params->angle, *out);
    (*out)->velocity[2 * C] = params->speed;
    return CAROM_OK;
}
