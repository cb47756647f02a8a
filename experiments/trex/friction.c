/** What the forces of a run have to obey: the balance of momentum, and Coulomb's law. */
#include "results.h"

/** Speeds up to this part of the fall's are no sliding. */
static const double RESTING = 1e-9;

/** A run under watch. */
typedef struct watch {
    const carom_mechanism *mechanism;
    const carom_trajectory *run;
    double friction; /**< mu */
    double mass;     /**< of the robot, kg */
    double gravity;  /**< cm/s^2 */
    double speed;    /**< at the end of the fall, cm/s */
} watch;

/** Momentum of the whole in a step: p_x changes by friction, p_y by weight and contacts, impacts
 * included. */
static void balance(const watch *w, int k, pair_measures *out) {
    const carom_trajectory *run = w->run;
    const double *p = run->momentum + (size_t)k * COORDINATES;
    const double h = run->time[k] - run->time[k - 1];
    double along = 0.0;
    double up = -w->mass * w->gravity;
    for (int i = 0; i < CONTACTS; i++) {
        along += run->friction_force[(size_t)k * CONTACTS + (size_t)i];
        up += run->contact_force[(size_t)k * CONTACTS + (size_t)i];
    }
    const double scale = w->mass * w->speed;
    const double change_x = p[CAROM_TREX_X] - p[CAROM_TREX_X - COORDINATES];
    const double change_y = p[CAROM_TREX_Y] - p[CAROM_TREX_Y - COORDINATES];
    out->balance_error = fmax(out->balance_error, fabs(change_x - h * along) / scale);
    out->balance_error = fmax(out->balance_error, fabs(change_y - h * up) / scale);
}

/** Speeds of the tips along +x at the middle of a step, [CONTACTS]. */
static void find_sliding(const watch *w, int k, double *sliding) {
    const double *q = w->run->position + (size_t)k * COORDINATES;
    const double *before = q - COORDINATES;
    const double h = w->run->time[k] - w->run->time[k - 1];
    double middle[COORDINATES];
    double H[CONTACTS * COORDINATES];
    for (int j = 0; j < COORDINATES; j++) {
        middle[j] = 0.5 * (q[j] + before[j]);
    }
    w->mechanism->tangential_jacobian(middle, H, w->mechanism->context);
    for (int i = 0; i < CONTACTS; i++) {
        sliding[i] = 0.0;
        for (int j = 0; j < COORDINATES; j++) {
            sliding[i] += H[i * COORDINATES + j] * (q[j] - before[j]) / h;
        }
    }
}

/** Coulomb's law in a step without impact: friction is at most mu times the normal force, and
 * against the sliding at the middle of the step. Where a contact is about to open, the second half
 * of its last step pulls without friction: the sum of both halves says nothing of the bound there.
 */
static void watch_law(const watch *w, int k, pair_measures *out) {
    const carom_trajectory *run = w->run;
    const double weight = w->mass * w->gravity;
    double sliding[CONTACTS];
    find_sliding(w, k, sliding);
    for (int i = 0; i < CONTACTS; i++) {
        const size_t at = (size_t)k * CONTACTS + (size_t)i;
        if (run->held[at] == 0) {
            continue;
        }
        const double force = run->friction_force[at];
        if (k + 1 < run->row_count && run->held[at + CONTACTS] != 0) {
            const double excess = fabs(force) - w->friction * run->holding_force[at];
            out->cone_excess = fmax(out->cone_excess, excess / weight);
        }
        if (fabs(sliding[i]) > RESTING * w->speed) {
            const double push = sliding[i] > 0.0 ? force : -force;
            out->push = fmax(out->push, push / weight);
            out->sliding_rows++;
        }
    }
}

/** An impact in a step adds to the contact forces what is not of held contacts. */
static bool has_impact(const carom_trajectory *run, int k) {
    bool strikes = false;
    for (int i = 0; i < CONTACTS; i++) {
        const size_t at = (size_t)k * CONTACTS + (size_t)i;
        strikes = strikes || fabs(run->contact_force[at] - run->holding_force[at]) > 0.0;
    }
    return strikes;
}

void trex_watch_friction(const carom_trex_params *robot, const carom_mechanism *mechanism,
                         const carom_trajectory *run, pair_measures *out) {
    const watch w = {.mechanism = mechanism,
                     .run = run,
                     .friction = robot->friction,
                     .mass = carom_trex_inertia_of(robot).mass,
                     .gravity = robot->gravity,
                     .speed = sqrt(2.0 * robot->gravity * robot->drop_height)};
    for (int k = 1; k < run->row_count; k++) {
        balance(&w, k, out);
        if (!has_impact(run, k)) {
            watch_law(&w, k, out);
        }
    }
}
