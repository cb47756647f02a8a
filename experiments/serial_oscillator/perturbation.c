/** Motions followed over many periods by events, and perturbed ones among them (figure 16). */
#include "results.h"

#include <carom/base/parallel.h>
#include <carom/base/random.h>

#include <math.h>
#include <stdlib.h>

/** Random directions in which each motion is perturbed, that of the figure first. */
enum { DIRECTIONS = 16 };

/** Called after each impact. */
static carom_status observe(int impact, double time, double lambda, const double *state,
                            void *context) {
    (void)lambda;
    follower *f = context;
    if (impact % f->orbit->impact_count != 0 || f->done == f->periods) {
        return CAROM_OK;
    }
    f->deviation[f->done] = serial_oscillator_deviation(f->o, state, f->orbit->state);
    if (f->time_shift != NULL) {
        f->time_shift[f->done] = time - (f->done + 1) * f->orbit->period;
    }
    f->done++;
    return f->deviation[f->done - 1] < f->bound ? CAROM_OK : CAROM_STATUS_NOT_FOUND;
}

carom_status serial_oscillator_follow(const oscillator *o, follower *f) {
    for (int i = 0; i < f->periods; i++) {
        f->deviation[i] = NAN;
        if (f->time_shift != NULL) {
            f->time_shift[i] = NAN;
        }
    }
    bool found = false;
    return serial_oscillator_may_miss(carom_event_propagate(o->basis, o->motion, o->state,
                                                            f->periods * f->orbit->impact_count,
                                                            INFINITY, observe, f, NULL, NULL),
                                      &found);
}

void serial_oscillator_perturb(const oscillator *o, const carom_orbit *orbit, int direction_number,
                               double size) {
    const carom_modal_basis *basis = o->basis;
    double *direction = o->work;
    const int length = 2 * basis->visible_count;
    double along = 0.0;
    double normal = 0.0;
    double norm = 0.0;
    for (int i = 0; i < length; i++) {
        const double u = carom_counter_uniform(o->common->seed, (unsigned long)direction_number,
                                               (unsigned long)i);
        direction[i] = 2.0 * u - 1.0;
    }
    // x_c = h'z with h_l = sqrt(G) rho_l/omega_l on the positions.
    for (int l = 0; l < basis->visible_count; l++) {
        const double h = basis->participation[l] / basis->frequency[l];
        along += h * direction[2 * l];
        normal += h * h;
    }
    for (int l = 0; l < basis->visible_count; l++) {
        direction[2 * l] -= along / normal * basis->participation[l] / basis->frequency[l];
    }
    for (int i = 0; i < length; i++) {
        norm += direction[i] * direction[i];
    }
    const double scale = size * sqrt(2.0 * orbit->energy / norm);
    for (int i = 0; i < length; i++) {
        o->state[i] = orbit->state[i] + scale * direction[i];
    }
}

/** One motion perturbed in many directions. */
typedef struct bundle {
    const oscillator *o;
    const carom_orbit *orbit;
    int number; /**< of the motion */
    bool is_near[DIRECTIONS];
} bundle;

/** Follow the motion perturbed in one direction, with work memory of its own. */
static carom_status follow_direction(int item, void *context, carom_report *report) {
    (void)report;
    bundle *b = context;
    const int periods = b->o->values->periods;
    const size_t length = 2 * (size_t)b->o->basis->coordinate_count;
    oscillator own = *b->o;
    own.motion = NULL;
    CAROM_TRY(carom_contact_motion_alloc(own.basis, &own.motion));
    double *memory = malloc((2 * length + (size_t)periods) * sizeof *memory);
    carom_status status = memory == NULL ? CAROM_STATUS_OUT_OF_MEMORY : CAROM_OK;
    if (status == CAROM_OK) {
        own.state = memory;
        own.work = memory + length;
        const double size = own.values->perturbation;
        follower f = {
            .o = &own,
            .orbit = b->orbit,
            .deviation = memory + 2 * length,
            .periods = periods,
            .bound = SERIAL_OSCILLATOR_NEAR * size,
        };
        serial_oscillator_perturb(&own, b->orbit, NEUTRAL_COUNT * item + b->number, size);
        status = serial_oscillator_follow(&own, &f);
        b->is_near[item] = f.done == periods && f.deviation[periods - 1] < f.bound;
    }
    free(memory);
    carom_contact_motion_free(own.motion);
    return status;
}

carom_status serial_oscillator_near_share(const oscillator *o, const carom_orbit *orbit, int number,
                                          double *share) {
    bundle b = {.o = o, .orbit = orbit, .number = number};
    CAROM_TRY(carom_parallel_map(DIRECTIONS, o->common->threads, follow_direction, &b, o->report));
    int near = 0;
    for (int i = 0; i < DIRECTIONS; i++) {
        near += b.is_near[i] ? 1 : 0;
    }
    *share = (double)near / DIRECTIONS;
    return CAROM_OK;
}
