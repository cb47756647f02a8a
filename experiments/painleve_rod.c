/**
 * painleve_rod: a rod that slides on its leading end, over its angle and the friction
 * (painleve-1895, genot-1999).
 *
 *     u = W r + q,   W_nn = 1 + 3 cos^2,  W_tt = 1 + 3 sin^2,  W_nt = 3 sin cos   over the mass
 *
 * of a slender rod at an angle to the floor. One step of Moreau and Jean's scheme from sliding says
 * what becomes of it: it slides on with a force, or no force is a solution and it stops at once, by
 * an impact without a collision. Length, mass, speed and gravity are our own and cancel.
 */
#include <carom/carom.h>
#include <carom/mechanism/bodies/bodies.h>

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

/** The options of the command line. */
typedef struct settings {
    int angles;              /**< of the map */
    int frictions;           /**< of the map */
    double largest_friction; /**< 1 */
    double speed;            /**< m/s */
    double step;             /**< s */
} settings;

static const double MASS = 1.0;
static const double HALF = 0.5; /* of the length, m */
static const double GRAVITY = 9.81;

/** What one step did. */
typedef struct outcome {
    double impulse; /* N s */
    double sliding; /* speed of the end after it, m/s */
} outcome;

/*[painleveRodStep]*/
static carom_status slide(const settings *values, double angle, double friction, outcome *out,
                          carom_report *report) {
    static const double up[] = {0.0, 0.0, 0.0, 1.0};
    const double ends[] = {-HALF, 0.0, HALF, 0.0};
    const carom_planar_shape rod = {MASS, MASS * HALF * HALF / 3.0, {0.0, 0.0}};
    const carom_bodies_shape shapes[] = {
        {.body = 0, .point_count = 2, .points = ends, .friction = friction},
        {.body = CAROM_BODIES_GROUND,
         .is_half_plane = true,
         .point_count = 2,
         .points = up,
         .friction = friction}};
    carom_bodies_spec spec = carom_bodies_spec_default();
    spec.body_count = 1;
    spec.bodies = &rod;
    spec.shape_count = 2;
    spec.shapes = shapes;
    spec.gravity[1] = -GRAVITY;
    spec.most_contacts = 2;
    carom_stepper_params params = carom_stepper_params_default(CAROM_SCHEME_MOREAU_JEAN);
    params.step = values->step;
    params.theta = 0.5;
    /* the right end is the lower one, and leads */
    const double q[] = {0.0, HALF * sin(angle), -angle};
    const double v[] = {values->speed, 0.0, 0.0};
    CAROM_AUTO(carom_bodies) bodies = NULL;
    CAROM_AUTO(carom_stepper) stepper = NULL;
    CAROM_TRY(carom_bodies_alloc(&spec, &bodies, report));
    CAROM_TRY(carom_stepper_alloc(carom_bodies_mechanism(bodies), &params, &stepper, report));
    CAROM_TRY(carom_stepper_start(stepper, 0.0, q, v, report));
    CAROM_TRY(carom_stepper_advance(stepper, report));
    const carom_step *step = carom_stepper_result(stepper);
    *out = (outcome){step->impulse[0], fabs(step->sliding_velocity[0])};
    return CAROM_OK;
}
/*[end painleveRodStep]*/

/** Friction beyond which no force lets the end slide: W_nn / W_nt. */
static double limit_at(double angle) {
    return (1.0 + 3.0 * cos(angle) * cos(angle)) / (3.0 * sin(angle) * cos(angle));
}

/** One pair of the map. */
typedef struct cell_row {
    int cell;
    double angle;
    double friction;
    double limit;
    double impulse;
    double sliding;
} cell_row;

static const carom_field CELL_FIELDS[] = {
    CAROM_FIELD("cell", cell_row, cell, "1", "pair of an angle and a friction"),
    CAROM_FIELD("angle", cell_row, angle, "rad", "of the rod from the floor"),
    CAROM_FIELD("friction", cell_row, friction, "1", "coefficient"),
    CAROM_FIELD("limit", cell_row, limit, "1", "friction beyond which no force is a solution"),
    CAROM_FIELD("impulse", cell_row, impulse, "1",
                "normal impulse of the step over mass and speed"),
    CAROM_FIELD("sliding", cell_row, sliding, "1",
                "speed of the end after the step, over that before"),
};

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    (void)common;
    const settings *values = context;
    const int count = values->angles * values->frictions;
    CAROM_AUTO_MEMORY cell_row *cells = calloc((size_t)count, sizeof *cells);
    if (cells == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < count; k++) {
        const int row = k / values->frictions;
        const double angle = M_PI_2 * (row + 0.5) / values->angles;
        const double friction =
            values->largest_friction * (k % values->frictions + 0.5) / values->frictions;
        outcome out;
        CAROM_TRY(slide(values, angle, friction, &out, report));
        cells[k] = (cell_row){k,
                              angle,
                              friction,
                              limit_at(angle),
                              out.impulse / (MASS * values->speed),
                              out.sliding / values->speed};
    }
    carom_record map = carom_record_group(record, "/map");
    carom_record_rows(&map, "cell", cells, count, sizeof *cells, CELL_FIELDS,
                      (int)(sizeof CELL_FIELDS / sizeof *CELL_FIELDS));
    return CAROM_OK;
}

static const carom_option OPTION_ROWS[] = {
    CAROM_INTEGER("angles", settings, angles, "1", "of the map", "[1, 10000]"),
    CAROM_INTEGER("frictions", settings, frictions, "1", "of the map", "[1, 10000]"),
    CAROM_REAL("largest-friction", settings, largest_friction, "1", "of the map", "positive"),
    CAROM_REAL("speed", settings, speed, "m s-1", "of the rod", "positive"),
    CAROM_REAL("step", settings, step, "s", "the one step of Moreau and Jean's scheme", "positive"),
};

int main(int argc, char **argv) {
    settings values = {
        .angles = 60, .frictions = 60, .largest_friction = 3.0, .speed = 1.0, .step = 1e-6};
    const carom_program program = {
        .name = "painleve_rod",
        .title = "Painleve's rod: where no force lets it slide",
        .source = "own",
        .schema = "painleve_rod 1",
        .options = CAROM_OPTIONS(OPTION_ROWS),
    };
    return carom_experiment_main(&program, argc, argv, NULL, body, &values);
}
