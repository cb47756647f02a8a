/** Which realizable motion is followed by events, and what is written of it. */
#include "chase.h"

#include <math.h>

/** Limits within which a motion is followed, so that it is fast and keeps its digits: an unstable
 * mode grows by no more than exp of this in a step of the motion, the fastest mode turns by so many
 * radians in it, and there are so many coordinates. */
static const double LARGEST_GROWTH = 25.0;
static const double LARGEST_PHASE = 2000.0;
enum { MOST_COORDINATES = 64 };

/** Write the motion that was followed. */
static void write_chase(const analysis *a, chase *c) {
    carom_record group = carom_record_group(a->record, "/simulation");
    const carom_column columns[] = {
        {"gap", c->gap, a->writer.units.position, "gap"},
        {"force", c->force, a->writer.units.force, "contact force"},
    };
    carom_record_integer(&group, "landings", c->landings, "1", "times that the contact closed");
    carom_record_integer(&group, "releases", c->releases, "1",
                         "times that it, or the other foot, opened");
    carom_record_scalar(&group, "energy_lost", c->energy_lost / c->energy, "1",
                        "energy lost at landings over the largest kinetic energy");
    carom_record_scalar(&group, "return_distance", collisionless_chase_distance(c), "1",
                        "distance from the state at P after a step, over the motion's");
    carom_record_axis(&group, "time", CHASE_INSTANTS + 1, c->time, "s", "time from P");
    carom_record_columns(&group, "time", NULL, columns, 2);
}

/** Follow a root; where rounding or the integrator end it, say so. */
static carom_status chase_root(const analysis *a, int number, chase *c) {
    CAROM_TRY(collisionless_chase_open(a, &a->roots->roots[number], c));
    const carom_status status = collisionless_chase_follow(c);
    if (status == CAROM_STATUS_OUT_OF_MEMORY) {
        return status;
    }
    carom_record_integer(a->record, "/simulation/solution", number, "1",
                         "number of the root whose motion was followed");
    if (status != CAROM_OK) {
        carom_record_string(a->record, "/simulation/reason",
                            "the events of the motion could not be followed",
                            "why there are no results");
        return CAROM_OK;
    }
    write_chase(a, c);
    return CAROM_OK;
}

/** Whether a step can be followed in a moment, and keeps digits. */
static bool is_followable(const analysis *a, const carom_impact_root *root) {
    const carom_phase_spectra *s = a->values->modes->spectra;
    const double duration = 2.0 * (root->time + root->constrained_time);
    const double growth = s->unconstrained[0] < 0.0 ? sqrt(-s->unconstrained[0]) : 0.0;
    const double frequency = sqrt(fmax(s->unconstrained[s->mode_count - 1], 0.0));
    return duration * growth <= LARGEST_GROWTH && duration * frequency <= LARGEST_PHASE &&
           a->values->modes->coordinate_count <= MOST_COORDINATES;
}

/** The shortest realizable motion, -1 if there is none that can be followed. */
static int choose(const analysis *a) {
    int chosen = -1;
    double shortest = HUGE_VAL;
    for (int i = 0; i < a->roots->count; i++) {
        const carom_impact_root *root = &a->roots->roots[i];
        const double duration = root->time + root->constrained_time;
        if (a->realizabilities[i].realizable == 1 && duration < shortest &&
            is_followable(a, root)) {
            chosen = i;
            shortest = duration;
        }
    }
    return chosen;
}

/** Why no motion is followed. */
static const char *reason_of(const analysis *a) {
    if (!carom_phase_spectra_has_uniform_parity(a->values->modes->spectra)) {
        return "modes of a phase have different parities, which extend to no period";
    }
    for (int i = 0; i < a->roots->count; i++) {
        if (a->realizabilities[i].realizable == 1) {
            return "a step of every realizable motion is too long or too unstable";
        }
    }
    return "no motion is realizable";
}

carom_status collisionless_simulate(const analysis *a) {
    const bool is_uniform = carom_phase_spectra_has_uniform_parity(a->values->modes->spectra);
    const int number = is_uniform ? choose(a) : -1;
    if (number < 0) {
        carom_record_string(a->record, "/simulation/reason", reason_of(a),
                            "why no motion was followed");
        return CAROM_OK;
    }
    chase c = {.motion = NULL};
    const carom_status status = chase_root(a, number, &c);
    collisionless_chase_close(&c);
    return status;
}
