/** Statements of the paper about any system, decided on the roots and motions of this one. */
#include "results.h"

#include <carom/base/vector.h>
#include <carom/collisionless/motion/internal.h>

#include <math.h>
#include <stdlib.h>

/** Conditions at an impact hold to so much of the largest term: rounding times the conditioning of
 * a few modes. */
static const double EXACT = 1e-9;

/** Energy lost over the largest kinetic energy, and distance after a step: tolerances of the
 * integrator, magnified by the motion. */
static const double CONSERVED = 1e-12;
static const double RETURNED = 1e-8;

/** Roots of one impact time belong to one column. */
static const double SAME_TIME = 1e-6;

/* --- the conditions (1) -------------------------------------------------------------------------
 */

/** Largest violation of a condition, over the largest number in it. */
typedef struct violation {
    double position;
    double velocity;
    double contact_velocity;
    double contact_acceleration;
} violation;

/** States of both phases at the impact. */
typedef struct meeting {
    double *position[2]; /**< [n] */
    double *velocity[2];
    double *acceleration;
} meeting;

static double difference(int n, const double *x, const double *y) {
    double distance = 0.0;
    for (int i = 0; i < n; i++) {
        distance = fmax(distance, fabs(x[i] - y[i]));
    }
    return distance / carom_vector_largest(n, x);
}

/** Conditions (1) of one motion. */
static void meet(const carom_collisionless_motion *motion, meeting *m, violation *worst) {
    const int n = motion->modes->coordinate_count;
    const double times[2] = {motion->spectral->time, -motion->spectral->constrained_time};
    for (int phase = 0; phase < 2; phase++) {
        const carom_motion_state state = {m->position[phase], m->velocity[phase],
                                          phase == 0 ? m->acceleration : NULL, NULL};
        carom_collisionless_motion_state(
            motion, phase == 0 ? CAROM_MOTION_UNCONSTRAINED : CAROM_MOTION_CONSTRAINED,
            times[phase], CAROM_MOTION_FROM_EQUILIBRIUM, &state);
    }
    worst->position = fmax(worst->position, difference(n, m->position[0], m->position[1]));
    worst->velocity = fmax(worst->velocity, difference(n, m->velocity[0], m->velocity[1]));
    worst->contact_velocity =
        fmax(worst->contact_velocity,
             fabs(m->velocity[0][n - 1]) / carom_vector_largest(n, m->velocity[0]));
    worst->contact_acceleration =
        fmax(worst->contact_acceleration,
             fabs(m->acceleration[n - 1]) / carom_vector_largest(n, m->acceleration));
}

/** Conditions (1) of all motions. */
static carom_status meet_all(const analysis *a, violation *worst) {
    *worst = (violation){.position = 0.0};
    const size_t n = (size_t)a->values->modes->coordinate_count;
    double *memory = malloc(5 * n * sizeof *memory);
    if (memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    meeting m = {{memory, memory + n}, {memory + 2 * n, memory + 3 * n}, memory + 4 * n};
    carom_status status = CAROM_OK;
    for (int i = 0; i < a->roots->count && status == CAROM_OK; i++) {
        const carom_impact_root *root = &a->roots->roots[i];
        carom_collisionless_motion *motion = NULL;
        status = carom_collisionless_motion_compute(
            a->values->modes, root->time, root->constrained_time, CAROM_MOTION_SCALE_AMPLITUDE, 1.0,
            &motion, a->report);
        if (status == CAROM_OK) {
            meet(motion, &m, worst);
        }
        carom_collisionless_motion_free(motion);
    }
    free(memory);
    return status;
}

/* --- two modes ----------------------------------------------------------------------------------
 */

/** w = sigma tan^sigma(omega t) omega of a mode, in functions that exist for any lambda. */
static double slope(double lambda, carom_parity parity, double t) {
    const carom_modal_function h = carom_modal_function_evaluate(lambda, parity, t);
    return -h.acceleration / h.velocity;
}

/** Largest relative difference of both sides of (18), w_i = -w'_1 for i = 1, 2. */
static double two_mode_error(const analysis *a) {
    const carom_phase_spectra *s = a->values->modes->spectra;
    double error = 0.0;
    for (int i = 0; i < a->roots->count; i++) {
        const carom_impact_root *root = &a->roots->roots[i];
        const double constrained =
            slope(s->constrained[0], s->constrained_parity[0], root->constrained_time);
        for (int mode = 0; mode < 2; mode++) {
            const double w =
                slope(s->unconstrained[mode], s->unconstrained_parity[mode], root->time);
            error = fmax(error, fabs(w / constrained + 1.0));
        }
    }
    return error;
}

/* --- rows of the plane ---------------------------------------------------------------------------
 */

/** Realizable roots that are not the lowest of their column. */
static int count_high_realizable(const analysis *a) {
    int count = 0;
    for (int i = 0; i < a->roots->count; i++) {
        bool is_lowest = true;
        const carom_impact_root *root = &a->roots->roots[i];
        for (int k = 0; k < a->roots->count; k++) {
            const carom_impact_root *other = &a->roots->roots[k];
            is_lowest = is_lowest && !(fabs(other->time - root->time) < SAME_TIME * root->time &&
                                       other->constrained_time < root->constrained_time);
        }
        count += !is_lowest && a->realizabilities[i].realizable == 1 ? 1 : 0;
    }
    return count;
}

static int count_realizable(const analysis *a) {
    int count = 0;
    for (int i = 0; i < a->roots->count; i++) {
        count += a->realizabilities[i].realizable == 1 ? 1 : 0;
    }
    return count;
}

/* --- what is written
 * ------------------------------------------------------------------------------ */

/** Numbers without units. */
typedef struct measure {
    const char *name;
    double value;
    const char *long_name;
} measure;

static void write_measures(const analysis *a, int count, const measure *measures) {
    for (int i = 0; i < count; i++) {
        carom_record_measure(a->record, measures[i].name, measures[i].value, "1",
                             measures[i].long_name);
    }
}

/** Conditions (1), equations (18), and which roots are motions of a body. */
static carom_status write_root_claims(const analysis *a) {
    violation worst;
    CAROM_TRY(meet_all(a, &worst));
    const double two_modes = two_mode_error(a);
    const double matching = fmax(worst.position, worst.velocity);
    const double contact = fmax(worst.contact_velocity, worst.contact_acceleration);
    const measure measures[] = {
        {"realizable", count_realizable(a), "roots whose motion is realizable"},
        {"matching_error", matching, "largest relative jump of a position or velocity"},
        {"contact_error", contact, "largest relative velocity or acceleration of the contact"},
        {"two_mode_error", two_modes, "largest relative difference of both sides of (18)"},
    };
    write_measures(a, (int)(sizeof measures / sizeof measures[0]), measures);
    carom_record_claim(a->record, "conditions_hold", matching < EXACT && contact < EXACT,
                       "conditions (1) hold at the impact of every root");
    carom_record_claim(a->record, "two_mode_equations_hold", two_modes < EXACT,
                       "equations (18) hold at every root of two modes");
    carom_record_claim(a->record, "only_bottom_row_realizable",
                       count_realizable(a) > 0 && count_high_realizable(a) == 0,
                       "no realizable root has another one of its column below it");
    return CAROM_OK;
}

/** The same in other coordinates. */
static carom_status write_recombination_claims(const analysis *a) {
    recombination found;
    CAROM_TRY(collisionless_recombine(a, &found));
    const measure measures[] = {
        {"recombined_mixing", found.mixing, "largest share of one coordinate in another"},
        {"recombined_times", found.times, "largest relative change of an impact time"},
        {"recombined_amplitudes", found.amplitudes, "largest relative change of q and q'"},
        {"recombined_histories", found.histories, "largest relative change of gap and force"},
    };
    write_measures(a, (int)(sizeof measures / sizeof measures[0]), measures);
    carom_record_claim(
        a->record, "spectra_decide",
        found.mixing > 0.0 && found.root_count == a->roots->count && found.times < EXACT &&
            found.amplitudes < EXACT && found.histories < EXACT,
        "times, amplitudes, gap and force stay when the other coordinates are recombined");
    return CAROM_OK;
}

/** The motion that was followed. */
static void write_simulation_claims(const analysis *a, const simulation *seen) {
    if (seen->solution < 0) {
        return;
    }
    carom_record_claim(
        a->record, "motion_conserves_energy",
        seen->energy_lost < CONSERVED && seen->return_distance < RETURNED,
        "followed by events, with plastic landings, a motion loses no energy and returns");
}

carom_status collisionless_write_claims(const analysis *a, const simulation *seen) {
    if (a->roots->count == 0) {
        return CAROM_OK;
    }
    CAROM_TRY(write_root_claims(a));
    CAROM_TRY(write_recombination_claims(a));
    write_simulation_claims(a, seen);
    return CAROM_OK;
}
