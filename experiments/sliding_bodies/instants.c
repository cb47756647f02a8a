#include "sliding_bodies.h"

#include <carom/base/parallel.h>

#include <string.h>

/** The weight acts so long in the step of an instant, as a part of the time it takes to matter. */
static const double INSTANT = 1e-9;

/** What the parallel maps hand to every run. */
typedef struct task {
    const settings *values;
    void *rows;
} task;

/** The velocity [n <= 6] after one or more steps of a scheme. */
static carom_status velocity_after(const settings *v, int scheme, const carom_mechanism *mechanism,
                                   const double *q, const double *start, double step, int steps,
                                   double *velocity, carom_report *report) {
    sliding_run run;
    const carom_status status = sliding_run_scheme(v, (sliding_scheme)scheme, mechanism, q, start,
                                                   step, steps, NULL, &run, report);
    if (status == CAROM_OK) {
        const size_t n = (size_t)mechanism->coordinate_count;
        memcpy(velocity, run.velocity + (size_t)steps * n, n * sizeof *velocity);
    }
    sliding_run_clear(&run);
    return status;
}

/* --- oblique impact --------------------------------------------------------------------------- */

/** A sphere strikes the plane, sliding. */
typedef struct impact_row {
    double before;
    double exact;
    double after[SLIDING_SCHEMES];
    double error[SLIDING_SCHEMES];
} impact_row;

static const carom_field IMPACT_FIELDS[] = {
    CAROM_FIELD("before", impact_row, before, "1",
                "sliding speed before, over the speed of the impact"),
    CAROM_FIELD("exact", impact_row, exact, "1", "sliding speed after, over the same"),
    CAROM_FIELD_ARRAY("after", impact_row, after, "scheme", "1",
                      "sliding speed after by each scheme"),
    CAROM_FIELD_ARRAY("error", impact_row, error, "scheme", "1", "its difference from exact"),
};

/** Sliding speeds from -MOST to MOST times that which just sticks. */
static const double MOST = 2.0;

static carom_status strike(int i, void *context, carom_report *report) {
    const task *all = context;
    const settings *v = all->values;
    impact_row *row = (impact_row *)all->rows + i;
    carom_thrown_sphere_params sphere = v->sphere;
    carom_thrown_sphere_state state;
    const double speed = sphere.velocity[0];
    const double sticks = 3.5 * sphere.friction * (1.0 + v->restitution);
    const double place = v->points > 1 ? 2.0 * i / (v->points - 1.0) - 1.0 : 0.0;
    row->before = MOST * sticks * place;
    sphere.is_planar = true;
    sphere.restitution = v->restitution;
    memset(sphere.spin, 0, sizeof sphere.spin);
    sphere.velocity[1] = 0.0;
    sphere.velocity[2] = -speed;
    // All of the sliding is spin.
    sphere.velocity[0] = 0.0;
    sphere.spin[1] = -row->before * speed / sphere.radius;
    carom_thrown_sphere_exact(&sphere, 0.0, &state);
    row->exact = state.sliding[0] / speed;
    CAROM_AUTO(carom_model) model = NULL;
    CAROM_TRY(carom_thrown_sphere_alloc(&sphere, &model, report));
    for (int scheme = 0; scheme < SLIDING_SCHEMES; scheme++) {
        double u[6];
        CAROM_TRY(velocity_after(v, scheme, &model->mechanism, model->initial_position,
                                 model->initial_velocity, INSTANT * speed / sphere.gravity, 1, u,
                                 report));
        row->after[scheme] = (u[0] - sphere.radius * u[2]) / speed;
        row->error[scheme] = row->after[scheme] - row->exact;
    }
    return CAROM_OK;
}

/* --- tipping against sliding ------------------------------------------------------------------ */

/** A box of some slenderness on a slope, with some friction. */
typedef struct tipping_row {
    int box;
    double friction;
    double slenderness;
    int exact;
    int found[SLIDING_SCHEMES];
    bool is_mistaken[SLIDING_SCHEMES];
} tipping_row;

static const carom_field TIPPING_FIELDS[] = {
    CAROM_FIELD("box", tipping_row, box, "1", "number of the box"),
    CAROM_FIELD("friction", tipping_row, friction, "1", "friction over the tangent of the slope"),
    CAROM_FIELD("slenderness", tipping_row, slenderness, "1",
                "width over height, over the tangent of the slope"),
    CAROM_FIELD("exact", tipping_row, exact, "1", "0: it rests, 1: it slides, 2: it tips"),
    CAROM_FIELD_ARRAY("found", tipping_row, found, "scheme", "1", "the same by each scheme"),
    CAROM_FIELD_ARRAY("mistaken", tipping_row, is_mistaken, "scheme", "1",
                      "1 where a scheme finds another"),
};

/** Steps of such a box. */
enum { TIPPING_STEPS = 10 };

/** A speed below this part of that of a free fall is none. */
static const double STILL = 1e-6;

static carom_status tip(int i, void *context, carom_report *report) {
    const task *all = context;
    const settings *v = all->values;
    tipping_row *row = (tipping_row *)all->rows + i;
    const int column = i % v->points;
    const int line = i / v->points;
    row->box = i;
    // Between the lines on which it is open what happens.
    row->friction = 2.0 * (column + 0.5) / v->points;
    row->slenderness = 2.0 * (line + 0.5) / v->points;
    if (v->points % 2 == 1) {
        row->friction *= 1.0 + 0.25 / v->points;
        row->slenderness *= 1.0 - 0.25 / v->points;
    }
    carom_sliding_box_params box = v->box;
    box.speed = 0.0;
    box.slope = atan(v->incline);
    box.friction = row->friction * v->incline;
    box.width = box.height * row->slenderness * v->incline;
    row->exact = (int)carom_sliding_box_begins(&box);
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    CAROM_TRY(carom_sliding_box_alloc(&box, &scene, report));
    const double step = 1e-3 * sqrt(box.height / box.gravity);
    for (int scheme = 0; scheme < SLIDING_SCHEMES; scheme++) {
        double u[3];
        CAROM_TRY(velocity_after(v, scheme, carom_impact_scene_mechanism(scene), scene->position,
                                 scene->velocity, step, TIPPING_STEPS, u, report));
        const double small = STILL * box.gravity * step * TIPPING_STEPS;
        row->found[scheme] =
            fabs(u[2]) * box.height > small
                ? (int)CAROM_SLIDING_BOX_TIPS
                : (int)(fabs(u[0]) > small ? CAROM_SLIDING_BOX_SLIDES : CAROM_SLIDING_BOX_RESTS);
        row->is_mistaken[scheme] = row->found[scheme] != row->exact;
    }
    return CAROM_OK;
}

/* --- rocking ---------------------------------------------------------------------------------- */

/** A block falls from one corner onto the other. */
typedef struct rocking_row {
    double slenderness;
    double exact;
    double ratio[SLIDING_SCHEMES];
    double error[SLIDING_SCHEMES];
} rocking_row;

static const carom_field ROCKING_FIELDS[] = {
    CAROM_FIELD("slenderness", rocking_row, slenderness, "1", "width over height"),
    CAROM_FIELD("exact", rocking_row, exact, "1", "1 - 3/2 sin^2 alpha"),
    CAROM_FIELD_ARRAY("ratio", rocking_row, ratio, "scheme", "1",
                      "rate after over rate before, by each scheme"),
    CAROM_FIELD_ARRAY("error", rocking_row, error, "scheme", "1", "its difference from exact"),
};

static carom_status rock(int i, void *context, carom_report *report) {
    const task *all = context;
    const settings *v = all->values;
    rocking_row *row = (rocking_row *)all->rows + i;
    carom_sliding_box_params box = v->box;
    row->slenderness = (i + 1.0) / v->points;
    box.speed = 0.0;
    box.width = row->slenderness * box.height;
    // Rough enough that no corner slides.
    box.friction = 3.0;
    box.rocking_rate = sqrt(box.gravity / box.height);
    row->exact = carom_sliding_box_rate_ratio(&box);
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    CAROM_TRY(carom_sliding_box_alloc(&box, &scene, report));
    for (int scheme = 0; scheme < SLIDING_SCHEMES; scheme++) {
        double u[3];
        CAROM_TRY(velocity_after(v, scheme, carom_impact_scene_mechanism(scene), scene->position,
                                 scene->velocity, INSTANT / box.rocking_rate, 1, u, report));
        row->ratio[scheme] = u[2] / scene->velocity[2];
        row->error[scheme] = row->ratio[scheme] - row->exact;
    }
    return CAROM_OK;
}

/* --- all of them ------------------------------------------------------------------------------ */

carom_status sliding_write_instants(const settings *values, const carom_common_options *common,
                                    carom_record *record, carom_report *report) {
    carom_record_measure(record, "instant", INSTANT, "1",
                         "step of an instant, over the time in which the weight matters");
    const struct {
        const char *group;
        const char *text;
        const char *axis;
        int count;
        size_t size;
        carom_parallel_body body;
        const carom_field *fields;
        int field_count;
    } studies[] = {
        {"/oblique_impact", "a sphere that strikes a plane with spin, by scheme", "before",
         values->points, sizeof(impact_row), strike, IMPACT_FIELDS, COUNT(IMPACT_FIELDS)},
        {"/tipping", "boxes on a slope that rest, slide or tip, by scheme", "box",
         values->points * values->points, sizeof(tipping_row), tip, TIPPING_FIELDS,
         COUNT(TIPPING_FIELDS)},
        {"/rocking_on", "blocks that fall from one corner onto the other, by scheme", "slenderness",
         values->points, sizeof(rocking_row), rock, ROCKING_FIELDS, COUNT(ROCKING_FIELDS)},
    };
    for (int k = 0; k < COUNT(studies); k++) {
        CAROM_AUTO_MEMORY void *rows = calloc((size_t)studies[k].count, studies[k].size);
        if (rows == NULL) {
            return CAROM_STATUS_OUT_OF_MEMORY;
        }
        task all = {values, rows};
        const carom_parallel_array left[] = {
            {rows, studies[k].size, (size_t)studies[k].count * studies[k].size}};
        CAROM_TRY(carom_parallel_map(common->workers, studies[k].count, studies[k].body, &all,
                                     CAROM_PARALLEL_ARRAYS(left), report));
        carom_record group = carom_record_group(record, "%s", studies[k].group);
        carom_record_attribute(&group, ".", "long_name", studies[k].text);
        carom_record_index_axis(&group, "scheme", SLIDING_SCHEMES,
                                "scheme, in the order of /friction_angle/scheme");
        carom_record_rows(&group, studies[k].axis, rows, studies[k].count, studies[k].size,
                          studies[k].fields, studies[k].field_count);
    }
    return CAROM_OK;
}
