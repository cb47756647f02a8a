#include <carom/modes/internal.h>

#include <math.h>
#include <stdlib.h>

/** Arrays [m] in one block of memory. */
enum { ARRAY_COUNT = 9 };

carom_status carom_contact_motion_alloc(const carom_modal_basis *basis,
                                        carom_contact_motion **out) {
    CAROM_ASSERT(basis != NULL && out != NULL);
    *out = NULL;
    carom_contact_motion *motion = calloc(1, sizeof *motion);
    if (motion == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const size_t m = (size_t)basis->visible_count;
    motion->weight = calloc(ARRAY_COUNT * (m > 0 ? m : 1), sizeof(double));
    if (motion->weight == NULL) {
        free(motion);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    motion->basis = basis;
    motion->mode_count = basis->visible_count;
    motion->w = basis->frequency;
    motion->p = motion->weight + m;
    motion->q = motion->p + m;
    motion->origin_p = motion->q + m;
    motion->origin_q = motion->origin_p + m;
    motion->node_p = motion->origin_q + m;
    motion->node_q = motion->node_p + m;
    motion->step_cosine = motion->node_q + m;
    motion->step_sine = motion->step_cosine + m;
    for (int l = 0; l < motion->mode_count; l++) {
        motion->weight[l] = basis->root_inverse_mass * basis->participation[l] / motion->w[l];
    }
    *out = motion;
    return CAROM_OK;
}

void carom_contact_motion_free(carom_contact_motion *motion) {
    if (motion == NULL) {
        return;
    }
    free(motion->weight);
    free(motion);
}

void carom_contact_motion_start(carom_contact_motion *motion, const double *state) {
    for (int k = 0; k < CAROM_CONTACT_BOUND_COUNT; k++) {
        motion->bounds[k] = 0.0;
    }
    for (int l = 0; l < motion->mode_count; l++) {
        motion->p[l] = motion->weight[l] * state[2 * l];
        motion->q[l] = motion->weight[l] * state[2 * l + 1];
        double amplitude = sqrt(motion->p[l] * motion->p[l] + motion->q[l] * motion->q[l]);
        for (int k = 0; k < CAROM_CONTACT_BOUND_COUNT; k++) {
            motion->bounds[k] += amplitude;
            amplitude *= motion->w[l];
        }
    }
}

void carom_contact_motion_at(const carom_contact_motion *motion, double tau, double *displacement,
                             double *velocity, double *acceleration) {
    double x = 0.0;
    double v = 0.0;
    double a = 0.0;
    for (int l = 0; l < motion->mode_count; l++) {
        const double w = motion->w[l];
        const double cosine = cos(w * tau);
        const double sine = sin(w * tau);
        const double p = cosine * motion->p[l] + sine * motion->q[l];
        x += p;
        v += w * (cosine * motion->q[l] - sine * motion->p[l]);
        a -= w * w * p;
    }
    if (displacement != NULL) {
        *displacement = x;
    }
    if (velocity != NULL) {
        *velocity = v;
    }
    if (acceleration != NULL) {
        *acceleration = a;
    }
}

/**
 * Whether a concave cell holds its maximum inside the flight: x_c' changes sign. A maximum at the
 * end of the flight is none.
 */
static bool changes_sign(const carom_contact_motion *motion, const carom_contact_cell *cell) {
    const bool is_last = cell->right.time >= motion->duration;
    const double after = cell->right.velocity;
    return cell->left.velocity > 0.0 && (is_last ? after < 0.0 : after <= 0.0);
}

/** Take a maximum into account. */
static void record(carom_contact_maximum *best, double displacement, double time) {
    if (!best->exists || displacement > best->displacement) {
        best->exists = true;
        best->displacement = displacement;
        best->time = time;
    }
}

/*[contactLargestMaximum]*/
carom_contact_maximum carom_contact_motion_largest_maximum(carom_contact_motion *motion,
                                                           double duration, double start_velocity,
                                                           double end_velocity) {
    CAROM_ASSERT(duration > 0.0);
    carom_contact_maximum best = {false, (double)NAN, (double)NAN, -(double)INFINITY};
    // A structure at rest has no maximum.
    if (!(motion->bounds[1] > 0.0)) {
        return best;
    }
    carom_contact_cells_begin(motion, 0.0, duration, start_velocity, end_velocity);
    carom_contact_cell cell;
    while (carom_contact_cells_next(motion, &cell)) {
        const carom_contact_shape shape = carom_contact_cell_shape(motion, &cell);
        const bool is_concave = shape == CAROM_CONTACT_SHAPE_CONCAVE;
        // No maximum inside, or none that exceeds the best.
        if ((shape != CAROM_CONTACT_SHAPE_UNDECIDED && !is_concave) ||
            (is_concave && !changes_sign(motion, &cell))) {
            continue;
        }
        const double floor = best.exists ? best.displacement : -(double)INFINITY;
        const double bound = carom_contact_cell_upper_bound(motion, &cell);
        if (bound <= floor) {
            continue;
        }
        if (is_concave) {
            const carom_contact_node top = carom_contact_cell_maximum(motion, &cell, floor);
            record(&best, top.displacement, top.time);
        } else if (carom_contact_cell_is_resolved(motion, &cell)) {
            // Flat to rounding: whether it is a maximum cannot be known, so that it counts.
            record(&best, bound, cell.left.time + 0.5 * (cell.right.time - cell.left.time));
        } else {
            carom_contact_cells_split(motion, &cell);
        }
    }
    if (best.exists) {
        best.upper_bound = best.displacement + motion->rounding[0];
    }
    return best;
}
/*[end contactLargestMaximum]*/
