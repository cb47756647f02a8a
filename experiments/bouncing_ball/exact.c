#include "answers.h"
#include "questions.h"

#include <math.h>
#include <stdlib.h>

static const double SETTLING_STEPS = 50.0; /* after the accumulation: from there rest is required */
static const double PLAIN_HEIGHT = 1.0;    /* m, the height that the paper avoids */

enum { MOST_IMPACTS = 40 /* in the record */ };

/* ------------------------------------------------------------------- find */

carom_status bouncing_ball_find_exact(results *r) {
    const carom_bouncing_ball_params *ball = &r->values->ball;
    const carom_trajectory *grid = r->runs[0].trajectory;
    exact_motion *exact = &r->exact;
    exact->accumulation = carom_bouncing_ball_exact_accumulation_time(ball);
    const double settled = exact->accumulation + SETTLING_STEPS * r->values->schemes.step;
    exact->settled =
        settled + r->window <= r->values->schemes.duration ? settled : (double)INFINITY;

    const size_t rows = (size_t)grid->row_count;
    double *block = calloc(4 * rows, sizeof *block);
    if (block == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    exact->position = block;
    exact->velocity = block + rows;
    exact->gap = block + 2 * rows;
    exact->energy = block + 3 * rows;
    const carom_mechanism *mechanism = &r->model->mechanism;
    for (size_t row = 0; row < rows; row++) {
        double *y = &exact->position[row];
        double *v = &exact->velocity[row];
        double work[2];
        carom_bouncing_ball_exact_state(ball, grid->time[row], y, v);
        mechanism->constraints(y, &exact->gap[row], mechanism->context);
        exact->energy[row] = carom_mechanism_kinetic_energy(mechanism, y, v, work) +
                             mechanism->potential_energy(y, mechanism->context);
    }
    return CAROM_OK;
}

void bouncing_ball_free_exact(exact_motion *exact) {
    free(exact->position);
    exact->position = NULL;
}

/* The largest height is reached half way to the next impact. */
double bouncing_ball_exact_rebound(const results *r, int k) {
    const carom_bouncing_ball_params *ball = &r->values->ball;
    const double landing = carom_bouncing_ball_exact_impact(ball, k).time;
    const double next = carom_bouncing_ball_exact_impact(ball, k + 1).time;
    double position = ball->radius;
    double velocity = 0.0;
    if (isfinite(next)) {
        carom_bouncing_ball_exact_state(ball, 0.5 * (landing + next), &position, &velocity);
    }
    return position - ball->radius;
}

/* ------------------------------------------------------------------- write */

static void write_motion(const results *r) {
    const carom_trajectory *grid = r->runs[0].trajectory;
    carom_record *record = r->record;
    const char *time = "/reference/time";
    carom_record_axis(record, time, grid->row_count, grid->time, "s", "time");
    carom_record_index_axis(record, "/reference/coordinate", 1,
                            "number of the generalized coordinate");
    carom_record_index_axis(record, "/reference/contact", 1, "number of the contact");
    carom_record_series(record, "/reference/position", r->exact.position, time,
                        "/reference/coordinate", "m", "exact height of the centre");
    carom_record_series(record, "/reference/velocity", r->exact.velocity, time,
                        "/reference/coordinate", "m s-1", "exact velocity");
    carom_record_series(record, "/reference/gap", r->exact.gap, time, "/reference/contact", "m",
                        "exact gap");
    carom_record_series(record, "/reference/energy", r->exact.energy, time, NULL, "J",
                        "exact energy");
}

/** Impacts up to half a step before their accumulation. */
static void write_impacts(const results *r) {
    const double end = r->exact.accumulation - 0.5 * r->values->schemes.step;
    double time[MOST_IMPACTS];
    double speed[MOST_IMPACTS];
    double impulse[MOST_IMPACTS];
    double rebound[MOST_IMPACTS];
    double energy[MOST_IMPACTS];
    int count = 0;
    while (count < MOST_IMPACTS) {
        const carom_bouncing_ball_impact impact =
            carom_bouncing_ball_exact_impact(&r->values->ball, count);
        // The first is there even if the ball stays on the floor; without a fall there is none.
        if (!isfinite(impact.time) || (count > 0 && !(impact.time <= end))) {
            break;
        }
        double work[2];
        time[count] = impact.time;
        speed[count] = impact.speed;
        impulse[count] = impact.impulse;
        rebound[count] = bouncing_ball_exact_rebound(r, count);
        energy[count] = carom_mechanism_kinetic_energy(
            &r->model->mechanism, r->model->initial_position, &impact.speed, work);
        count++;
    }
    if (count == 0) {
        return;
    }
    carom_record *record = r->record;
    const char *axis = "/exact/impacts/time";
    carom_record_axis(record, axis, count, time, "s", "times of the exact impacts");
    carom_record_series(record, "/exact/impacts/speed", speed, axis, NULL, "m s-1",
                        "approach speed");
    carom_record_series(record, "/exact/impacts/impulse", impulse, axis, NULL, "N s", "impulse");
    carom_record_series(record, "/exact/impacts/rebound", rebound, axis, NULL, "m",
                        "largest gap after the impact");
    carom_record_index_axis(record, "/exact/flight", count, "number of the flight");
    carom_record_series(record, "/exact/energy_levels", energy, "/exact/flight", NULL, "J",
                        "energy of the flights that end with the exact impacts");
}

/** When the first impact falls on the time grid, and when it would from the height avoided. */
static void write_synchronisation(const results *r) {
    carom_bouncing_ball_params plain = r->values->ball;
    plain.initial_height = PLAIN_HEIGHT;
    const double h = r->values->schemes.step;
    const bool is_above = plain.radius <= PLAIN_HEIGHT;
    const double steps = carom_bouncing_ball_exact_impact(&r->values->ball, 0).time / h;
    const double plain_steps =
        is_above ? carom_bouncing_ball_exact_impact(&plain, 0).time / h : (double)NAN;
    const double off_grid = fabs(plain_steps - round(plain_steps));
    const bool has_staircase = bouncing_ball_has_staircase(r);
    const measure measures[] = {
        {"first_impact_steps", isfinite(steps) ? steps : (double)NAN, "1",
         "instant of the first impact in steps"},
        {"first_impact_steps_from_one_metre", isfinite(plain_steps) ? plain_steps : (double)NAN,
         "1", "instant of the first impact in steps, dropped from one metre"},
        {"exact_drops", has_staircase ? (double)bouncing_ball_exact_drops(r) : (double)NAN, "1",
         "exact impacts in the first 5/6 of the time to the accumulation"},
    };
    bouncing_ball_write_measures(r->record, LENGTH(measures), measures);
    const claim claims[] = {
        {"one_metre_synchronises_the_first_impact",
         bouncing_ball_decide(isfinite(plain_steps), off_grid <= ROUNDING * plain_steps),
         "dropped from one metre, the first impact falls on a time step"},
    };
    bouncing_ball_write_claims(r->record, LENGTH(claims), claims);
}

void bouncing_ball_write_exact(const results *r) {
    write_motion(r);
    write_impacts(r);
    if (isfinite(r->exact.accumulation)) {
        carom_record_scalar(r->record, "/exact/accumulation_time", r->exact.accumulation, "s",
                            "instant at which the impacts accumulate");
    }
    write_synchronisation(r);
}
