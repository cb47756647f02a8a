/** The exact motion: its impacts, its state at the times of the runs, and recording both as
 * /exact. */
#include "results.h"

#include <math.h>
#include <stdlib.h>

carom_status bouncing_pendulum_unless_unknown(carom_status status) {
    return status == CAROM_STATUS_OUT_OF_MEMORY ? status : CAROM_OK;
}

carom_status bouncing_pendulum_find_exact(results *all) {
    const carom_bouncing_pendulum_params *pendulum = &all->values->pendulum;
    const double duration = all->values->schemes.duration;

    // Impacts within the duration, up to the accumulation.
    all->impact_count = 0;
    const carom_status impacts =
        carom_bouncing_pendulum_exact_impacts(pendulum, EXACT_IMPACTS, all->impacts, NULL);
    CAROM_TRY(bouncing_pendulum_unless_unknown(impacts));
    double previous = -1.0;
    for (int k = 0; impacts == CAROM_OK && k < EXACT_IMPACTS; k++) {
        // Impacts that share the time of the accumulation are none.
        if (!(all->impacts[k].time > previous && all->impacts[k].time <= duration)) {
            break;
        }
        previous = all->impacts[k].time;
        all->impact_count++;
    }

    // The accumulation: infinite for e = 1, that is never.
    const carom_status accumulation =
        carom_bouncing_pendulum_exact_accumulation_time(pendulum, &all->accumulation, NULL);
    CAROM_TRY(bouncing_pendulum_unless_unknown(accumulation));
    if (!isfinite(all->accumulation)) {
        all->accumulation = (double)NAN;
    }
    return CAROM_OK;
}

/* --- impacts ---------------------------------------------------------------------------------- */

/** /exact/impacts and /exact/accumulation_time, as far as they are known. */
static void write_impacts(const results *all, carom_record *record) {
    if (!isnan(all->accumulation)) {
        carom_record_scalar(record, "/exact/accumulation_time", all->accumulation, "s",
                            "instant at which the impacts accumulate");
    }
    const int count = all->impact_count;
    if (count == 0) {
        return;
    }
    double time[EXACT_IMPACTS];
    double rate[EXACT_IMPACTS];
    double impulse[EXACT_IMPACTS];
    double joint[EXACT_IMPACTS][JOINTS];
    double energy[EXACT_IMPACTS];
    for (int k = 0; k < count; k++) {
        time[k] = all->impacts[k].time;
        rate[k] = all->impacts[k].rate;
        impulse[k] = all->impacts[k].contact_impulse;
        joint[k][0] = all->impacts[k].joint_impulse[0];
        joint[k][1] = all->impacts[k].joint_impulse[1];
        energy[k] = all->impacts[k].energy;
    }
    const char *axis = "/exact/impacts/time";
    const char *joints = "/exact/impacts/joint";
    carom_record_axis(record, axis, count, time, "s", "times of the impacts");
    carom_record_index_axis(record, joints, JOINTS, "number of the joint");
    carom_record_series(record, "/exact/impacts/rate", rate, axis, NULL, "rad s-1",
                        "rate of the angle before the impact");
    carom_record_series(record, "/exact/impacts/contact_impulse", impulse, axis, NULL, "N s",
                        "impulse of the contact");
    carom_record_series(record, "/exact/impacts/joint_impulse", joint[0], axis, joints, "N s",
                        "impulses of the joints");
    carom_record_series(record, "/exact/impacts/energy", energy, axis, NULL, "J",
                        "energy after the impact");
}

/* --- motion ----------------------------------------------------------------------------------- */

/** Exact states at given times; one block, owned. */
typedef struct samples {
    double *angle;  /**< [count] rad */
    double *rate;   /**< [count] rad/s */
    double *energy; /**< [count] J */
    double *force;  /**< [count][JOINTS] N */
} samples;

/** Energy on the manifold of the joints, from the mechanism itself. */
static double energy_of(const carom_model *model, double length, double angle, double rate) {
    const double q[COORDINATES] = {length * cos(angle), length * sin(angle), angle};
    const double v[COORDINATES] = {-q[1] * rate, q[0] * rate, rate};
    double scratch[COORDINATES * COORDINATES + COORDINATES];
    return carom_mechanism_kinetic_energy(&model->mechanism, q, v, scratch) +
           model->mechanism.potential_energy(q, model->mechanism.context);
}

/** Angle and rate from the exact solution; energy and smooth joint forces of these states. */
static carom_status sample(const results *all, int count, const double *time, samples *exact) {
    const carom_bouncing_pendulum_params *pendulum = &all->values->pendulum;
    CAROM_TRY(carom_bouncing_pendulum_exact_states(pendulum, count, time, exact->angle, exact->rate,
                                                   NULL));
    for (int i = 0; i < count; i++) {
        const double angle = exact->angle[i];
        const double rate = exact->rate[i];
        exact->energy[i] = energy_of(all->model, pendulum->length, angle, rate);
        carom_bouncing_pendulum_exact_joint_force(pendulum, angle, rate, &exact->force[2 * i]);
    }
    return CAROM_OK;
}

/** /exact/{time,angle,rate,energy,joint_force}. */
static void write_samples(int count, const double *time, const samples *exact,
                          carom_record *record) {
    const char *axis = "/exact/time";
    const char *joints = "/exact/joint";
    carom_record_axis(record, axis, count, time, "s", "time");
    carom_record_index_axis(record, joints, JOINTS, "number of the joint");
    carom_record_series(record, "/exact/angle", exact->angle, axis, NULL, "rad", "angle");
    carom_record_series(record, "/exact/rate", exact->rate, axis, NULL, "rad s-1",
                        "rate of the angle, right limit");
    carom_record_series(record, "/exact/energy", exact->energy, axis, NULL, "J",
                        "mechanical energy");
    carom_record_series(record, "/exact/joint_force", exact->force, axis, joints, "N",
                        "smooth joint force lambda");
}

/** The exact motion at the times of a run, if it is known. */
static carom_status write_motion(const results *all, const carom_trajectory *t,
                                 carom_record *record) {
    const size_t count = (size_t)t->row_count;
    double *block = malloc(count * (3 + JOINTS) * sizeof *block);
    if (block == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    samples exact = {block, block + count, block + 2 * count, block + 3 * count};
    const carom_status known = sample(all, t->row_count, t->time, &exact);
    if (known == CAROM_OK) {
        write_samples(t->row_count, t->time, &exact, record);
    }
    free(block);
    return bouncing_pendulum_unless_unknown(known);
}

carom_status bouncing_pendulum_write_exact(const results *all, carom_record *record) {
    write_impacts(all, record);
    // The schemes share their times: those of the first that was run.
    for (int run = 0; run < CAROM_SCHEME_COUNT; run++) {
        if (all->runs[run].trajectory != NULL) {
            return write_motion(all, all->runs[run].trajectory, record);
        }
    }
    return CAROM_OK;
}
