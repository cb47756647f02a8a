#include "sliding_bodies.h"

#include <carom/base/parallel.h>
#include <carom/drawing/models.h>

#include <stdio.h>
#include <string.h>

/* --- one run ---------------------------------------------------------------------------------- */

const char *sliding_scheme_name(sliding_scheme scheme) {
    static const char *const names[SLIDING_SCHEMES] = {"moreau_jean", "moreau_jean_midpoint",
                                                       "velocity_galpha", "nonsmooth_galpha",
                                                       "variational"};
    return names[scheme];
}

void sliding_run_clear(sliding_run *run) {
    free(run->position);
    free(run->velocity);
    *run = (sliding_run){NULL, NULL, 0};
}

/** Row k of a run. */
static void keep(sliding_run *run, int n, int k, const double *q, const double *v) {
    memcpy(run->position + (size_t)k * (size_t)n, q, (size_t)n * sizeof *q);
    memcpy(run->velocity + (size_t)k * (size_t)n, v, (size_t)n * sizeof *v);
}

static carom_status run_variational(const carom_mechanism *mechanism,
                                    const carom_variational_params *params, int steps,
                                    sliding_run *run, carom_report *report) {
    const int n = mechanism->coordinate_count;
    CAROM_AUTO(carom_variational_stepper) stepper = NULL;
    CAROM_TRY(carom_variational_stepper_alloc(mechanism, params, &stepper, report));
    CAROM_TRY(
        carom_variational_stepper_start(stepper, 0.0, run->position, run->velocity, NULL, report));
    for (int k = 1; k <= steps; k++) {
        CAROM_TRY(carom_variational_stepper_advance(stepper, report));
        const carom_variational_result *now = carom_variational_stepper_result(stepper);
        keep(run, n, k, now->position, now->velocity);
        run->iterations += now->iterations;
    }
    return CAROM_OK;
}

static carom_status run_fixed(const carom_mechanism *mechanism, const carom_stepper_params *params,
                              int steps, sliding_run *run, carom_report *report) {
    const int n = mechanism->coordinate_count;
    CAROM_AUTO(carom_stepper) stepper = NULL;
    CAROM_TRY(carom_stepper_alloc(mechanism, params, &stepper, report));
    CAROM_TRY(carom_stepper_start(stepper, 0.0, run->position, run->velocity, report));
    for (int k = 1; k <= steps; k++) {
        CAROM_TRY(carom_stepper_advance(stepper, report));
        const carom_step *now = carom_stepper_result(stepper);
        keep(run, n, k, now->position, now->velocity);
        run->iterations += now->iterations;
    }
    return CAROM_OK;
}

carom_status sliding_run_scheme(const settings *values, sliding_scheme scheme,
                                const carom_mechanism *mechanism, const double *q, const double *v,
                                double step, int steps, carom_contact_folder_run *dump,
                                sliding_run *run, carom_report *report) {
    static const carom_scheme fixed[] = {CAROM_SCHEME_MOREAU_JEAN, CAROM_SCHEME_MOREAU_JEAN,
                                         CAROM_SCHEME_VELOCITY_GALPHA,
                                         CAROM_SCHEME_NONSMOOTH_GALPHA};
    const size_t entries = ((size_t)steps + 1) * (size_t)mechanism->coordinate_count;
    *run = (sliding_run){malloc(entries * sizeof *run->position),
                         malloc(entries * sizeof *run->velocity), 0};
    if (run->position == NULL || run->velocity == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    keep(run, mechanism->coordinate_count, 0, q, v);
    const carom_contact_listener contacts =
        dump != NULL ? carom_contact_folder_listener(dump) : (carom_contact_listener){NULL, NULL};
    carom_status status;
    if (scheme == SLIDING_VARIATIONAL) {
        carom_variational_params params = carom_variational_params_default();
        params.step = step;
        params.contacts = contacts;
        status = run_variational(mechanism, &params, steps, run, report);
    } else {
        carom_stepper_params params = carom_stepper_params_default(fixed[scheme]);
        params.step = step;
        params.spectral_radius = values->spectral_radius;
        params.theta = scheme == SLIDING_MIDPOINT ? 0.5 : (double)NAN;
        params.contacts = contacts;
        status = run_fixed(mechanism, &params, steps, run, report);
    }
    if (status != CAROM_OK) {
        carom_report_set_context(report, sliding_scheme_name(scheme));
    }
    return status;
}

/* --- motions ---------------------------------------------------------------------------------- */

/** The body of a motion, at its start; one of model and scene. */
typedef struct body {
    carom_model *model;
    carom_impact_scene *scene;
    const carom_mechanism *mechanism;
    const double *q;
    const double *v;
} body;

static void body_clear(body *b) {
    carom_model_free(b->model);
    carom_impact_scene_free(b->scene);
}

/** The sphere that is thrown, the other's from above. */
static carom_thrown_sphere_params thrown(const settings *v) {
    carom_thrown_sphere_params sphere = v->sphere;
    sphere.height = v->throw_height;
    sphere.restitution = v->restitution;
    return sphere;
}

static carom_status make_sphere(const carom_thrown_sphere_params *sphere, body *b,
                                carom_report *report) {
    CAROM_TRY(carom_thrown_sphere_alloc(sphere, &b->model, report));
    b->mechanism = &b->model->mechanism;
    b->q = b->model->initial_position;
    b->v = b->model->initial_velocity;
    return CAROM_OK;
}

static carom_status make_rolling(const settings *v, body *b, carom_report *report) {
    return make_sphere(&v->sphere, b, report);
}

static carom_status make_thrown(const settings *v, body *b, carom_report *report) {
    const carom_thrown_sphere_params sphere = thrown(v);
    return make_sphere(&sphere, b, report);
}

static carom_status make_braking(const settings *v, body *b, carom_report *report) {
    CAROM_TRY(carom_sliding_box_alloc(&v->box, &b->scene, report));
    b->mechanism = carom_impact_scene_mechanism(b->scene);
    b->q = b->scene->position;
    b->v = b->scene->velocity;
    return CAROM_OK;
}

/** Where the body is exactly, and how fast, in the first three coordinates. */
static void exact_sphere(const carom_thrown_sphere_params *sphere, double t, double *q, double *v) {
    carom_thrown_sphere_state state;
    carom_thrown_sphere_exact(sphere, t, &state);
    memcpy(q, state.position, sizeof state.position);
    memcpy(v, state.velocity, sizeof state.velocity);
}

static void exact_rolling(const settings *s, double t, double *q, double *v) {
    exact_sphere(&s->sphere, t, q, v);
}

static void exact_thrown(const settings *s, double t, double *q, double *v) {
    const carom_thrown_sphere_params sphere = thrown(s);
    exact_sphere(&sphere, t, q, v);
}

static void exact_braking(const settings *s, double t, double *q, double *v) {
    carom_sliding_box_exact(&s->box, t, q, v);
    q[1] = 0.5 * s->box.height;
    q[2] = v[1] = v[2] = 0.0;
}

/** When what is to be met happens: it rolls, strikes, stops. */
static double event_of(const settings *v, int motion) {
    switch (motion) {
    case 0:
        return carom_thrown_sphere_sliding_time(&v->sphere);
    case 1:
        return sqrt(2.0 * v->throw_height / v->sphere.gravity);
    default:
        return carom_sliding_box_stop(&v->box);
    }
}

double sliding_coarsest_steps(const settings *values, double event) {
    const carom_sliding_box_params *box = &values->box;
    // I = m (b^2 + H^2)/12, pushed over by m g H/2 for each radian.
    const double falling =
        sqrt((box->width * box->width + box->height * box->height) / (6.0 * box->gravity)) /
        sqrt(box->height);
    return fmax(values->steps, ceil(event / falling));
}

static const struct {
    const char *name;
    carom_status (*make)(const settings *v, body *b, carom_report *report);
    void (*exact)(const settings *s, double t, double *q, double *v);
    double duration; /**< in units of the time of the event; of the thrown one the second impact
                        follows after 2 e of it */
} MOTIONS[] = {{"rolling", make_rolling, exact_rolling, 2.0},
               {"thrown", make_thrown, exact_thrown, 1.75},
               {"braking", make_braking, exact_braking, 1.5}};

enum { BRAKING = 2 };

/* --- to look at ------------------------------------------------------------------------------- */

/** A motion in steps of a scheme: GROUP/motion. */
static carom_status write_motion(const settings *v, int motion, carom_record *of,
                                 carom_report *report) {
    enum { STEPS = 128 }; // to the event
    const double step = event_of(v, motion) / (STEPS + 0.5);
    const int steps = (int)ceil(MOTIONS[motion].duration * (STEPS + 0.5));
    carom_record group = carom_record_group(of, "motion");
    CAROM_AUTO_MEMORY double *time = malloc(((size_t)steps + 1) * sizeof *time);
    body b = {.model = NULL};
    sliding_run run = {NULL, NULL, 0};
    carom_status status =
        time == NULL ? CAROM_STATUS_OUT_OF_MEMORY : MOTIONS[motion].make(v, &b, report);
    if (status == CAROM_OK) {
        status = sliding_run_scheme(v, SLIDING_MIDPOINT, b.mechanism, b.q, b.v, step, steps, NULL,
                                    &run, report);
    }
    if (status == CAROM_OK) {
        for (int k = 0; k <= steps; k++) {
            time[k] = k * step;
        }
        carom_record_attribute(&group, ".", "long_name",
                               "the motion by the Moreau-Jean scheme with theta = 1/2");
        carom_record_axis(&group, "time", steps + 1, time, "s", "time");
        carom_record_index_axis(&group, "coordinate", b.mechanism->coordinate_count, "coordinate");
        carom_record_series(&group, "position", run.position, "time", "coordinate", "m, rad", "q");
        status = motion == BRAKING
                     ? carom_geometry_record_block(&group, v->box.width, v->box.height)
                     : carom_geometry_record_thrown_sphere(&group, &v->sphere);
    }
    sliding_run_clear(&run);
    body_clear(&b);
    return status;
}

/* --- errors and costs ------------------------------------------------------------------------- */

/** One run of a scheme. */
typedef struct error_row {
    double step;
    int steps;
    int iterations;
    double error;
    double speed_error;
} error_row;

static const carom_field ERROR_FIELDS[] = {
    CAROM_FIELD("step", error_row, step, "s", "step"),
    CAROM_FIELD("steps", error_row, steps, "1", "steps"),
    CAROM_FIELD("iterations", error_row, iterations, "1",
                "iterations of Newton's method in all steps, each with a contact problem"),
    CAROM_FIELD("error", error_row, error, "1", "mean distance from the exact place, over the way"),
    CAROM_FIELD("speed_error", error_row, speed_error, "1",
                "of the velocity at the end, over that at the beginning"),
};

/** What the parallel map hands to every run. */
typedef struct task {
    const settings *values;
    carom_contact_folder *problems;
    error_row *rows; /**< [motions][schemes][levels] */
    int levels;
    carom_progress *progress;
} task;

/** The difference from the exact motion in the place and in the velocity of row k. */
static void compare(const settings *v, int motion, const sliding_run *run, int n, int k,
                    double step, double *place, double *velocity) {
    double q[3];
    double u[3];
    const size_t first = (size_t)k * (size_t)n;
    MOTIONS[motion].exact(v, k * step, q, u);
    *place = *velocity = 0.0;
    for (int a = 0; a < 3; a++) {
        *place = hypot(*place, run->position[first + (size_t)a] - q[a]);
        *velocity = hypot(*velocity, run->velocity[first + (size_t)a] - u[a]);
    }
}

static carom_status compute(int i, void *context, carom_report *report) {
    const task *all = context;
    const settings *v = all->values;
    const int motion = i / (SLIDING_SCHEMES * all->levels);
    const sliding_scheme scheme = (sliding_scheme)(i / all->levels % SLIDING_SCHEMES);
    const int level = i % all->levels;
    error_row *row = &all->rows[i];
    const double event = event_of(v, motion);
    // The event is in the middle of a step.
    const double coarsest = motion == BRAKING ? sliding_coarsest_steps(v, event) : v->steps;
    row->step = event / (ldexp(coarsest, level) + 0.5);
    row->steps = (int)ceil(MOTIONS[motion].duration * event / row->step);
    char name[64];
    (void)snprintf(name, sizeof name, "%s-%s-%d", MOTIONS[motion].name, sliding_scheme_name(scheme),
                   level);
    carom_contact_folder_run dump = {all->problems, name, row->step};
    body b = {.model = NULL};
    sliding_run run = {NULL, NULL, 0};
    carom_status status = MOTIONS[motion].make(v, &b, report);
    if (status == CAROM_OK) {
        status = sliding_run_scheme(v, scheme, b.mechanism, b.q, b.v, row->step, row->steps, &dump,
                                    &run, report);
    }
    if (status == CAROM_OK) {
        const double speed = fabs(b.v[0]);
        double place = 0.0;
        double velocity = 0.0;
        for (int k = 1; k <= row->steps; k++) {
            compare(v, motion, &run, b.mechanism->coordinate_count, k, row->step, &place,
                    &velocity);
            row->error += place / row->steps;
        }
        row->error /= speed * event;
        row->speed_error = velocity / speed;
        row->iterations = run.iterations;
    }
    sliding_run_clear(&run);
    body_clear(&b);
    carom_progress_add(all->progress, row->steps);
    return status;
}

/** What the runs of a scheme say together. */
typedef struct summary_row {
    int scheme;
    double order;
    double largest_error;
    double largest_speed_error;
    double most_iterations;
} summary_row;

static const carom_field SUMMARY_FIELDS[] = {
    CAROM_FIELD("scheme", summary_row, scheme, "1",
                "0: Moreau-Jean, 1: with theta = 1/2, 2: velocity-level, 3: nonsmooth "
                "generalized-alpha, 4: variational"),
    CAROM_FIELD("order", summary_row, order, "1", "of the error of the place, by least squares"),
    CAROM_FIELD("largest_error", summary_row, largest_error, "1", "of the place, of all steps"),
    CAROM_FIELD("largest_speed_error", summary_row, largest_speed_error, "1",
                "of the velocity at the end, of all steps"),
    CAROM_FIELD("most_iterations", summary_row, most_iterations, "1",
                "iterations over steps, of all steps"),
};

static summary_row summarize(int scheme, const error_row *rows, int levels) {
    summary_row all = {.scheme = scheme};
    double x = 0.0;
    double y = 0.0;
    double xx = 0.0;
    double xy = 0.0;
    for (int k = 0; k < levels; k++) {
        const double log_step = log(rows[k].step / rows[0].step);
        const double log_error = log(rows[k].error / rows[0].error);
        x += log_step;
        y += log_error;
        xx += log_step * log_step;
        xy += log_step * log_error;
        all.largest_error = fmax(all.largest_error, rows[k].error);
        all.largest_speed_error = fmax(all.largest_speed_error, rows[k].speed_error);
        all.most_iterations = fmax(all.most_iterations, rows[k].iterations / (double)rows[k].steps);
    }
    all.order = (levels * xy - x * y) / (levels * xx - x * x);
    return all;
}

carom_status sliding_write_convergence(const settings *values, const carom_common_options *common,
                                       carom_record *record, carom_report *report) {
    const int levels = values->halvings + 1;
    const int runs = COUNT(MOTIONS) * SLIDING_SCHEMES * levels;
    CAROM_AUTO_MEMORY error_row *rows = calloc((size_t)runs, sizeof *rows);
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double steps = 0.0;
    for (int motion = 0; motion < COUNT(MOTIONS); motion++) {
        const double coarsest = motion == BRAKING
                                    ? sliding_coarsest_steps(values, event_of(values, motion))
                                    : values->steps;
        steps += MOTIONS[motion].duration * SLIDING_SCHEMES * ldexp(coarsest, levels);
    }
    task all = {values, common->problems, rows, levels,
                carom_progress_start("schemes", (long)steps, "steps", common->is_quiet)};
    const carom_status status = carom_parallel_map(common->workers, runs, compute, &all,
                                                   CAROM_PARALLEL_ROWS(rows, runs), report);
    carom_progress_finish(all.progress);
    CAROM_TRY(status);
    for (int motion = 0; motion < COUNT(MOTIONS); motion++) {
        summary_row summary[SLIDING_SCHEMES];
        carom_record group = carom_record_group(record, "/%s", MOTIONS[motion].name);
        carom_record_attribute(&group, ".", "long_name",
                               "a motion with friction: orders and largest errors by scheme");
        for (int scheme = 0; scheme < SLIDING_SCHEMES; scheme++) {
            const error_row *first = rows + (motion * SLIDING_SCHEMES + scheme) * levels;
            carom_record one =
                carom_record_group(&group, "%s", sliding_scheme_name((sliding_scheme)scheme));
            carom_record_rows(&one, "step", first, levels, sizeof *first, ERROR_FIELDS,
                              COUNT(ERROR_FIELDS));
            carom_record_attribute(&one, ".", "long_name",
                                   "errors and costs of the scheme over its step");
            summary[scheme] = summarize(scheme, first, levels);
        }
        carom_record_rows(&group, "scheme", summary, SLIDING_SCHEMES, sizeof *summary,
                          SUMMARY_FIELDS, COUNT(SUMMARY_FIELDS));
        CAROM_TRY(write_motion(values, motion, &group, report));
    }
    return CAROM_OK;
}
