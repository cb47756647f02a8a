/** Figure 6(b): what the inclusion (53) does at points of the plane (z, dz/dt): /portrait. */
#include "results.h"

#include <carom/base/linear_algebra.h>

#include <stdlib.h>

/** Points along each axis, even: none lies on an axis of the plane. */
enum { SIDE = 16, POINTS = SIDE * SIDE };

/** Limits of the plane: with the published start +-2, as in the figure. */
static const double HEIGHTS = 2.25; /**< of the highest point of the flight */
static const double SPEEDS = 1.5;   /**< of the speed of landing */

/** Regions of (53) off its boundaries. */
typedef enum region { FLIGHT, IMPACT } region;

/** The mechanism's matrices at a point. */
typedef struct workplace {
    const carom_mechanism *ball;
    carom_factor *factor;
    double *mass;
    double reference_force; /**< kappa, N */
    double normal[COORDINATES];
    double rate[COORDINATES]; /**< dv/ds */
} workplace;

/** D_S = (v, M^-1 f, 1) where the contact is open or separates, D_C = (0, M^-1 J_n' kappa, 0) where
 * it is closed and closes further: without friction one element each. */
static carom_status evaluate(workplace *w, const double *q, const double *v, region *where,
                             double *gap_rate) {
    const carom_mechanism *ball = w->ball;
    double gap;
    double speed = 0.0;
    ball->constraints(q, &gap, ball->context);
    ball->constraint_jacobian(q, w->normal, ball->context);
    for (int i = 0; i < COORDINATES; i++) {
        speed += w->normal[i] * v[i];
    }
    /*[fallingBallField]*/
    *where = gap > 0.0 || speed > 0.0 ? FLIGHT : IMPACT;
    *gap_rate = *where == FLIGHT ? speed : 0.0;

    ball->mass(q, w->mass, ball->context);
    CAROM_TRY(carom_factor_compute(w->factor, w->mass));
    if (*where == FLIGHT) {
        ball->force(0.0, q, v, w->rate, ball->context);
    } else {
        for (int i = 0; i < COORDINATES; i++) {
            w->rate[i] = w->reference_force * w->normal[i];
        }
    }
    carom_factor_solve(w->factor, w->rate);
    /*[end fallingBallField]*/
    return CAROM_OK;
}

/** The point k of the grid, what happens there. */
static void note(field_measures *field, region where, double velocity, double gap_rate, double rate,
                 double gravity) {
    field->points[where]++;
    if (velocity > 0.0) {
        field->least_rise = fmin(field->least_rise, gap_rate);
    }
    if (where == IMPACT) {
        field->largest_drift = fmax(field->largest_drift, fabs(gap_rate));
        field->least_push = fmin(field->least_push, rate);
    } else {
        field->largest_acceleration = fmax(field->largest_acceleration, fabs(rate + gravity));
    }
}

/** The field over the grid. */
static carom_status sweep(results *r, workplace *w, const double *limits,
                          double columns[5][POINTS]) {
    const carom_falling_disk_params *params = &r->values->ball;
    for (int k = 0; k < POINTS; k++) {
        const int column = k % SIDE;
        const int row = k / SIDE;
        const double gap = limits[0] * (2.0 * (column + 0.5) / SIDE - 1.0);
        const double velocity = limits[1] * (2.0 * (row + 0.5) / SIDE - 1.0);
        const double q[COORDINATES] = {0.0, gap + params->radius, 0.0};
        const double v[COORDINATES] = {0.0, velocity, 0.0};
        region where = FLIGHT;
        double gap_rate = 0.0;
        CAROM_TRY(evaluate(w, q, v, &where, &gap_rate));
        note(&r->field, where, velocity, gap_rate, w->rate[HEIGHT], params->gravity);
        columns[0][k] = gap;
        columns[1][k] = velocity;
        columns[2][k] = gap_rate;
        columns[3][k] = w->rate[HEIGHT];
        columns[4][k] = where;
    }
    return CAROM_OK;
}

static void write(const results *r, const double *limits, double columns[5][POINTS]) {
    const series_row rows[] = {
        {"/portrait/gap", columns[0], "m", "height z"},
        {"/portrait/velocity", columns[1], "m s-1", "dz/dt"},
        {"/portrait/gap_rate", columns[2], "m s-1", "dz/ds"},
        {"/portrait/velocity_rate", columns[3], "m s-2", "d(dz/dt)/ds"},
        {"/portrait/region", columns[4], "1", "0: flight, 1: impact"},
    };
    carom_record_scalar(r->record, "/portrait/gap_limit", limits[0], "m",
                        "the plane reaches so far in z");
    carom_record_scalar(r->record, "/portrait/velocity_limit", limits[1], "m s-1",
                        "the plane reaches so far in dz/dt");
    carom_record_index_axis(r->record, "/portrait/point", POINTS, "point of the plane");
    falling_ball_write_series(r->record, "/portrait/point", 5, rows);
}

carom_status falling_ball_write_portrait(results *r) {
    // The highest point is v^2/2g above the ground, v the speed of a landing. A ball that lies
    // there has the scales of its radius.
    const double speed = r->landing.speed;
    const double rest = r->values->ball.radius;
    const double highest = 0.5 * speed * speed / r->values->ball.gravity;
    const double limits[2] = {highest > 0.0 ? HEIGHTS * highest : rest,
                              speed > 0.0 ? SPEEDS * speed : sqrt(r->values->ball.gravity * rest)};
    workplace w = {.ball = carom_impact_scene_mechanism(r->scene),
                   .reference_force = r->values->ball.reference_force};
    double columns[5][POINTS];
    r->field = (field_measures){.least_rise = INFINITY, .least_push = INFINITY};
    w.mass = calloc(carom_layout_entry_count(w.ball->layout), sizeof *w.mass);
    carom_status status = carom_factor_alloc(w.ball->layout, &w.factor);
    if (w.mass == NULL) {
        status = CAROM_STATUS_OUT_OF_MEMORY;
    }
    if (status == CAROM_OK) {
        status = sweep(r, &w, limits, columns);
    }
    free(w.mass);
    carom_factor_free(w.factor);
    if (status == CAROM_STATUS_SINGULAR) {
        return carom_report_fail(r->report, status, "mass matrix of the ball", (double)NAN, -1);
    }
    CAROM_TRY(status);
    write(r, limits, columns);
    return CAROM_OK;
}
