/**
 * woodpecker: the toy that goes down a pole by strokes of its beak, a sleeve with play, a torsion
 * spring and a bird (glocker-1995, leine-2001).
 *
 *     M q'' = f(q) + W_N lambda_N + W_T lambda_T,   q = (y, phi_M, phi_S)
 *
 * y is the height of the sleeve, phi_M its angle, phi_S that of the bird; all angles are small.
 * Contact 1 is the beak on the pole, 2 the lower and 3 the upper edge of the sleeve. Printed:
 * geometry, masses, stiffness, friction, restitution and the state from which the motion starts.
 */
#include <carom/carom.h>
#include <carom/drawing/geometry.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 3, CONTACTS = 3, BEAK = 0, LOWER = 1, UPPER = 2 };

/** The toy; the options of the command line are some of these. */
typedef struct toy {
    double pole_radius;     /**< r_O, m */
    double sleeve_radius;   /**< r_M, m */
    double sleeve_height;   /**< h_M, half of it, m */
    double spring_distance; /**< l_M, of the spring from the middle of the sleeve, m */
    double bird_distance;   /**< l_G, of the bird's centre of mass from the spring, m */
    double beak_height;     /**< h_S, above that, m */
    double beak_distance;   /**< l_S, towards the pole, m */
    double sleeve_mass;     /**< m_M, kg */
    double bird_mass;       /**< m_S, kg */
    double sleeve_inertia;  /**< J_M, kg m2 */
    double bird_inertia;    /**< J_S, kg m2 */
    double stiffness;       /**< c, N m */
    double gravity;         /**< m/s2 */
    double friction[CONTACTS];
    double restitution[CONTACTS];
} toy;

/** Everything the body needs. */
typedef struct settings {
    toy system;
    double friction;    /**< 1 */
    double restitution; /**< of the beak, 1 */
    double step;        /**< s */
    double duration;    /**< s */
    double initial_position[SIZE];
    double initial_velocity[SIZE];
} settings;

/*[woodpeckerMechanism]*/
static void mass(const double *q, double *M, void *context) {
    (void)q;
    const toy *w = context;
    const double l = w->spring_distance;
    const double b = w->bird_distance;
    const double m = w->bird_mass;
    const double matrix[SIZE][SIZE] = {{w->sleeve_mass + m, m * l, m * b},
                                       {m * l, w->sleeve_inertia + m * l * l, m * l * b},
                                       {m * b, m * l * b, w->bird_inertia + m * b * b}};
    memcpy(M, matrix, sizeof matrix);
}

static void force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    (void)v;
    const toy *w = context;
    const double moment = w->stiffness * (q[2] - q[1]);
    f[0] = -(w->sleeve_mass + w->bird_mass) * w->gravity;
    f[1] = moment - w->bird_mass * w->gravity * w->spring_distance;
    f[2] = -moment - w->bird_mass * w->gravity * w->bird_distance;
}

static void gaps(const double *q, double *g, void *context) {
    const toy *w = context;
    const double play = w->sleeve_radius - w->pole_radius;
    g[BEAK] = w->spring_distance + w->bird_distance - w->beak_distance - w->pole_radius -
              w->beak_height * q[2];
    g[LOWER] = play + w->sleeve_height * q[1];
    g[UPPER] = play - w->sleeve_height * q[1];
}

static void sliding(const double *q, double *H, void *context) {
    (void)q;
    const toy *w = context;
    const double rows[CONTACTS][SIZE] = {
        {1.0, w->spring_distance, w->bird_distance - w->beak_distance},
        {1.0, w->sleeve_radius, 0.0},
        {1.0, w->sleeve_radius, 0.0}};
    memcpy(H, rows, sizeof rows);
}
/*[end woodpeckerMechanism]*/

static void stiffness(double t, const double *q, const double *v, double *K, void *context) {
    (void)t;
    (void)q;
    (void)v;
    const double c = ((const toy *)context)->stiffness;
    const double matrix[SIZE * SIZE] = {0.0, 0.0, 0.0, 0.0, c, -c, 0.0, -c, c};
    memcpy(K, matrix, sizeof matrix);
}

static double potential_energy(const double *q, void *context) {
    const toy *w = context;
    const double turn = q[2] - q[1];
    return 0.5 * w->stiffness * turn * turn +
           w->gravity * ((w->sleeve_mass + w->bird_mass) * q[0] +
                         w->bird_mass * (w->spring_distance * q[1] + w->bird_distance * q[2]));
}

static void gap_jacobian(const double *q, double *G, void *context) {
    (void)q;
    const toy *w = context;
    const double h = w->sleeve_height;
    const double rows[CONTACTS * SIZE] = {0.0, 0.0, -w->beak_height, 0.0, h, 0.0, 0.0, -h, 0.0};
    memcpy(G, rows, sizeof rows);
}

static carom_mechanism mechanism_of(toy *w) {
    return (carom_mechanism){
        .name = "woodpecker",
        .coordinate_count = SIZE,
        .contact_count = CONTACTS,
        .tangent_count = 1,
        .layout = carom_layout_full(SIZE),
        .position_units = "m, rad, rad",
        .velocity_units = "m s-1, rad s-1, rad s-1",
        .restitution = w->restitution,
        .friction = w->friction,
        .mass = mass,
        .force = force,
        .stiffness = stiffness,
        .potential_energy = potential_energy,
        .constraints = gaps,
        .constraint_jacobian = gap_jacobian,
        .tangential_jacobian = sliding,
        .context = w,
    };
}

/* --- events ------------------------------------------------------------------------------------
 */

/** A contact that presses and did not in the step before. */
typedef struct event_row {
    int event;
    double time;
    int contact;
    double y;
    double sleeve_angle;
    double bird_angle;
    double fall_speed;
    double sleeve_rate;
    double bird_rate;
} event_row;

static const carom_field EVENT_FIELDS[] = {
    CAROM_FIELD("event", event_row, event, "1", "event"),
    CAROM_FIELD("time", event_row, time, "s", "end of its step"),
    CAROM_FIELD("contact", event_row, contact, "1", "0: beak, 1: lower edge, 2: upper edge"),
    CAROM_FIELD("y", event_row, y, "m", "height of the sleeve"),
    CAROM_FIELD("sleeve_angle", event_row, sleeve_angle, "rad", "phi_M"),
    CAROM_FIELD("bird_angle", event_row, bird_angle, "rad", "phi_S"),
    CAROM_FIELD("velocity", event_row, fall_speed, "m s-1", "dy/dt after it"),
    CAROM_FIELD("sleeve_rate", event_row, sleeve_rate, "rad s-1", "after it"),
    CAROM_FIELD("bird_rate", event_row, bird_rate, "rad s-1", "after it"),
};

/** When the bird comes down through the angle from which it started. */
typedef struct return_row {
    int number;
    double time;
    double y;
    double sleeve_angle;
    double velocity;
    double bird_rate;
} return_row;

static const carom_field RETURN_FIELDS[] = {
    CAROM_FIELD("number", return_row, number, "1", "return"),
    CAROM_FIELD("time", return_row, time, "s", "time"),
    CAROM_FIELD("y", return_row, y, "m", "height of the sleeve"),
    CAROM_FIELD("sleeve_angle", return_row, sleeve_angle, "rad", "phi_M"),
    CAROM_FIELD("velocity", return_row, velocity, "m s-1", "dy/dt"),
    CAROM_FIELD("bird_rate", return_row, bird_rate, "rad s-1", "dphi_S/dt"),
};

/** A row of the motion that is drawn. */
typedef struct motion_row {
    double time;
    double position[SIZE];
} motion_row;

static const carom_field MOTION_FIELDS[] = {
    CAROM_FIELD("time", motion_row, time, "s", "time"),
    CAROM_FIELD_ARRAY("position", motion_row, position, "coordinate", "m, rad",
                      "height of the sleeve, phi_M, phi_S"),
};

enum { MOST_EVENTS = 10000, MOST_RETURNS = 1000, MOST_ROWS = 20001 };

/** What is kept of a run. */
typedef struct kept {
    int event_count;
    event_row events[MOST_EVENTS];
    double angle;              /* that of the returns, rad */
    double last[2 * SIZE + 1]; /* t, q, v before the step */
    int return_count;
    return_row returns[MOST_RETURNS];
    int row_count;
    motion_row rows[MOST_ROWS];
    bool presses[CONTACTS];
} kept;

static void look(kept *k, const carom_step *step) {
    for (int j = 0; j < CONTACTS; j++) {
        const bool presses = step->impulse[j] > 0.0;
        if (presses && !k->presses[j] && k->event_count < MOST_EVENTS) {
            const double *q = step->position;
            const double *v = step->velocity;
            k->events[k->event_count] =
                (event_row){k->event_count, step->time, j, q[0], q[1], q[2], v[0], v[1], v[2]};
            k->event_count++;
        }
        k->presses[j] = presses;
    }
}

static void remember(kept *k, const carom_step *step) {
    k->last[0] = step->time;
    memcpy(k->last + 1, step->position, SIZE * sizeof(double));
    memcpy(k->last + 1 + SIZE, step->velocity, SIZE * sizeof(double));
}

/* Between both ends of a step in which nothing strikes all is straight to the second order of it.
 */
static void look_for_return(kept *k, const carom_step *step) {
    const double before = k->last[3] - k->angle;
    const double after = step->position[2] - k->angle;
    if (before > 0.0 && after <= 0.0 && k->return_count < MOST_RETURNS) {
        const double part = before / (before - after);
        double now[2 * SIZE + 1] = {step->time};
        memcpy(now + 1, step->position, SIZE * sizeof(double));
        memcpy(now + 1 + SIZE, step->velocity, SIZE * sizeof(double));
        for (int i = 0; i < 2 * SIZE + 1; i++) {
            now[i] = (1.0 - part) * k->last[i] + part * now[i];
        }
        k->returns[k->return_count] =
            (return_row){k->return_count, now[0], now[1], now[2], now[4], now[6]};
        k->return_count++;
    }
    remember(k, step);
}

static void keep_row(kept *k, const carom_step *step) {
    const double *q = step->position;
    k->rows[k->row_count++] = (motion_row){step->time, {q[0], q[1], q[2]}};
}

/* --- what it looks like ------------------------------------------------------------------------
 */

/** Pole, sleeve and bird, turned about the places by which their small angles are counted. */
static carom_status write_geometry(const toy *w, const kept *k, carom_record *record) {
    const double h = w->sleeve_height;
    const double low = k->rows[k->row_count - 1].position[0] - 4.0 * h;
    const double high = 8.0 * h;
    const double center[2] = {w->bird_distance, 0.0};
    const double beak[2] = {w->bird_distance - w->beak_distance, w->beak_height};
    static const double origin[2] = {0.0, 0.0};
    CAROM_AUTO_VALUE(carom_geometry) g = {0};
    const int sleeve = carom_geometry_add_body(&g, "sleeve", -1, 0.0, 0.0, 0.0);
    const int bird = carom_geometry_add_body(&g, "bird", sleeve, w->spring_distance, 0.0, 0.0);
    carom_geometry_add_term(&g, sleeve, CAROM_GEOMETRY_Y, 0, 1.0);
    carom_geometry_add_term(&g, sleeve, CAROM_GEOMETRY_ANGLE, 1, 1.0);
    carom_geometry_add_term(&g, bird, CAROM_GEOMETRY_ANGLE, 2, 1.0);
    for (int side = -1; side <= 1; side += 2) {
        const double x = side * w->sleeve_radius;
        const double pole = side * w->pole_radius;
        carom_geometry_add_line(&g, sleeve, (double[2]){x, -h}, (double[2]){x, h});
        carom_geometry_add_line(&g, -1, (double[2]){pole, low}, (double[2]){pole, high});
    }
    carom_geometry_add_spring(&g, sleeve, (double[2]){w->sleeve_radius, 0.0}, bird, origin);
    carom_geometry_add_line(&g, bird, origin, center);
    carom_geometry_add_line(&g, bird, center, beak);
    carom_geometry_add_disc(&g, bird, center[0], center[1], 0.5 * w->spring_distance);
    return carom_geometry_record(record, &g);
}

/* --- the program -------------------------------------------------------------------------------
 */

static carom_status check(void *context, carom_report *report) {
    const settings *values = context;
    return values->step <= values->duration
               ? CAROM_OK
               : carom_report_bound(report, "step", values->step, "at most the duration",
                                    values->duration);
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    settings *values = context;
    for (int j = 0; j < CONTACTS; j++) {
        values->system.friction[j] = values->friction;
        values->system.restitution[j] = j == BEAK ? values->restitution : 0.0;
    }
    const carom_mechanism mechanism = mechanism_of(&values->system);
    CAROM_AUTO(carom_stepper) stepper = NULL;
    CAROM_AUTO_MEMORY kept *k = calloc(1, sizeof *k);
    if (k == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    carom_stepper_params params = carom_stepper_params_default(CAROM_SCHEME_MOREAU_JEAN);
    params.step = values->step;
    params.theta = 0.5;
    CAROM_TRY(carom_stepper_alloc(&mechanism, &params, &stepper, report));
    CAROM_TRY(carom_stepper_start(stepper, 0.0, values->initial_position, values->initial_velocity,
                                  report));
    const int steps = (int)lround(ceil(values->duration / values->step));
    const int every = (steps + MOST_ROWS - 2) / (MOST_ROWS - 1);
    carom_progress *progress = carom_progress_start("steps", steps, "steps", common->is_quiet);
    keep_row(k, carom_stepper_result(stepper));
    remember(k, carom_stepper_result(stepper));
    k->angle = values->initial_position[2];
    carom_status status = CAROM_OK;
    for (int i = 1; i <= steps && status == CAROM_OK; i++) {
        status = carom_stepper_advance(stepper, report);
        look(k, carom_stepper_result(stepper));
        look_for_return(k, carom_stepper_result(stepper));
        if (i % every == 0 && status == CAROM_OK) {
            keep_row(k, carom_stepper_result(stepper));
        }
        carom_progress_reach(progress, i);
    }
    carom_progress_finish(progress);
    CAROM_TRY(status);
    carom_record motion = carom_record_group(record, "/motion");
    carom_record_attribute(&motion, ".", "long_name", "what is drawn");
    carom_record_index_axis(&motion, "coordinate", SIZE, "coordinate");
    carom_record_rows(&motion, "time", k->rows, k->row_count, sizeof *k->rows, MOTION_FIELDS,
                      (int)(sizeof MOTION_FIELDS / sizeof *MOTION_FIELDS));
    carom_record events = carom_record_group(record, "/events");
    carom_record_attribute(&events, ".", "long_name", "contacts that come to press");
    carom_record_rows(&events, "event", k->events, k->event_count, sizeof *k->events, EVENT_FIELDS,
                      (int)(sizeof EVENT_FIELDS / sizeof *EVENT_FIELDS));
    carom_record returns = carom_record_group(record, "/returns");
    carom_record_attribute(&returns, ".", "long_name",
                           "the bird comes down through the angle from which it started");
    carom_record_rows(&returns, "number", k->returns, k->return_count, sizeof *k->returns,
                      RETURN_FIELDS, (int)(sizeof RETURN_FIELDS / sizeof *RETURN_FIELDS));
    return write_geometry(&values->system, k, record);
}

static const carom_option OPTION_ROWS[] = {
    CAROM_REAL("friction", settings, friction, "1", "coefficient mu of all contacts",
               "not negative"),
    CAROM_REAL("restitution", settings, restitution, "1", "of the beak; the sleeve has none",
               "[0, 1]"),
    CAROM_REAL("stiffness", settings, system.stiffness, "N m", "c of the spring", "positive"),
    CAROM_REAL("step", settings, step, "s", "step of Moreau and Jean's scheme", "positive"),
    CAROM_REAL("duration", settings, duration, "s", "time that is computed", "positive"),
};

int main(int argc, char **argv) {
    settings values = {
        .system = {.pole_radius = 2.5e-3,
                   .sleeve_radius = 3.1e-3,
                   .sleeve_height = 5.8e-3,
                   .spring_distance = 1e-2,
                   .bird_distance = 1.5e-2,
                   .beak_height = 2e-2,
                   .beak_distance = 2.01e-2,
                   .sleeve_mass = 3e-4,
                   .bird_mass = 4.5e-3,
                   .sleeve_inertia = 5e-9,
                   .bird_inertia = 7e-7,
                   .stiffness = 5.6e-3,
                   .gravity = 9.81},
        .friction = 0.3,
        .restitution = 0.5,
        .step = 1e-5,
        .duration = 6.0,
        .initial_position = {0.0, -0.1034, -0.2788},
        .initial_velocity = {-0.3411, 0.0, -7.4583},
    };
    const carom_program program = {
        .name = "woodpecker",
        .title = "The woodpecker toy",
        .source = "own",
        .schema = "woodpecker 1",
        .options = CAROM_OPTIONS(OPTION_ROWS),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &values);
}
