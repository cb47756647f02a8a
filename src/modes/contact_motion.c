#include <carom/modes/internal.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* --------------------------------------------------------------------------------------- motion */

/** Arrays [m] in one block of memory. */
enum { ARRAY_COUNT = 9 };

carom_status carom_contact_motion_alloc(const carom_modal_basis *basis,
                                        carom_contact_motion **out) {
    CAROM_ASSERT(basis != NULL && out != NULL);
    *out = NULL;
    CAROM_AUTO(carom_contact_motion) motion = calloc(1, sizeof *motion);
    if (motion == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const size_t m = (size_t)basis->visible_count;
    motion->weight = calloc(ARRAY_COUNT * (m > 0 ? m : 1), sizeof(double));
    if (motion->weight == NULL) {
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
    CAROM_HAND_OVER(motion, out);
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

/* -------------------------------------------------------------------------------- first contact */

/* Roundings, for each mode, of x_c at one instant: a maximum that is so close to the level, above
 * or below, touches it. */
static const double TOUCH_ROUNDINGS = 16.0;

/* A flight that starts within this many times that distance starts in contact, so that the touch it
 * starts with is not found again.
 */
static const double START_ROUNDINGS = 4.0;

/* A bracket that is halved at least every second time is down to rounding long before. */
enum { MAX_ITERATIONS = 200 };

/** What is looked for in one search. */
typedef struct search {
    const carom_contact_motion *motion;
    double level;    /**< m */
    double touch;    /**< maxima from level - touch on count, m */
    bool in_contact; /**< x_c(start) is the level, or above */
    bool has_left;   /**< x_c has been clearly below the level */
} search;

/** A function whose only root in a bracket is the crossing, with slope and rounding. */
typedef struct sample {
    double value;
    double slope;
    double rounding;
} sample;

/** x_c - level. */
static sample sample_level(const search *s, double time) {
    const carom_contact_node node = carom_contact_node_at(s->motion, time);
    return (sample){node.displacement - s->level, node.velocity,
                    2.0 * DBL_EPSILON * s->motion->bounds[0]};
}

/**
 * Mean velocity (x_c - x_c(start)) / time since the start. Where x_c is convex it rises from
 * x_c'(start) < 0 and vanishes at the return to the level, be the flight ever so short.
 */
static sample sample_return(const search *s, double time) {
    const carom_contact_node node = carom_contact_node_at(s->motion, time);
    const double mean = carom_contact_displacement_since(s->motion, time) / time;
    return (sample){mean, (node.velocity - mean) / time, 2.0 * DBL_EPSILON * s->motion->bounds[1]};
}

/** Newton's method inside a bracket, for a function that is negative before its root. */
static double find_root(const search *s, sample (*at)(const search *, double), double low,
                        double high, double guess) {
    double time = guess > low && guess < high ? guess : low + 0.5 * (high - low);
    double width_before = INFINITY;
    for (int i = 0; i < MAX_ITERATIONS; i++) {
        const sample here = at(s, time);
        if (here.value < 0.0) {
            low = time;
        } else {
            high = time;
        }
        const double step = -here.value / here.slope;
        const double next = time + step;
        const bool is_inside = next > low && next < high;
        // Done when the step is below what the rounding of value and time can decide.
        const double resolution = fabs(here.rounding / here.slope) + 2.0 * DBL_EPSILON * time;
        if (fabs(step) <= resolution && here.slope > 0.0) {
            return is_inside ? next : time;
        }
        if (high - low <= 2.0 * DBL_EPSILON * high) {
            return high;
        }
        const bool is_slow = i % 2 == 1 && high - low > 0.5 * width_before;
        if (i % 2 == 1) {
            width_before = high - low;
        }
        const bool approaches = fabs(step) <= 0.25 * (high - low);
        time = is_inside && (!is_slow || approaches) ? next : low + 0.5 * (high - low);
    }
    return time;
}

/** The crossing in a cell with x_c < level at its left end and >= level at its right end. */
static double crossing_in(const search *s, const carom_contact_cell *cell) {
    const double below = s->level - cell->left.displacement;
    const double rise = cell->right.displacement - cell->left.displacement;
    const double width = cell->right.time - cell->left.time;
    return find_root(s, sample_level, cell->left.time, cell->right.time,
                     cell->left.time + width * below / rise);
}

/** Concave cell: the crossing, or the touching maximum, on its rising part. */
static bool contact_in_concave(const search *s, const carom_contact_cell *cell, double *time) {
    const carom_contact_node *left = &cell->left;
    const carom_contact_node *right = &cell->right;
    if (left->displacement >= s->level || left->velocity <= 0.0) {
        return false;
    }
    if (right->velocity > 0.0) {
        const bool crosses = right->displacement >= s->level;
        *time = crosses ? crossing_in(s, cell) : *time;
        return crosses;
    }
    const carom_contact_node top = carom_contact_cell_maximum(s->motion, cell, s->level - s->touch);
    const double least = s->has_left ? s->level - s->touch : s->level + s->touch;
    if (top.displacement < least) {
        return false;
    }
    *time = top.time;
    const double above = top.displacement - s->level;
    if (above > s->touch && left->time < top.time) {
        // The parabola at the maximum gives the guess.
        const double guess = top.time - sqrt(2.0 * above / fabs(top.acceleration));
        *time = find_root(s, sample_level, left->time, top.time, guess);
    }
    return true;
}

/** Outcome of one cell. */
typedef enum outcome { NO_CONTACT, CONTACT, SPLIT } outcome;

/** Convex cell: x_c is below its ends, so that it reaches the level once at most. */
static outcome contact_in_convex(const search *s, const carom_contact_cell *cell, double *time) {
    const carom_contact_node *left = &cell->left;
    const carom_contact_node *right = &cell->right;
    if (right->displacement < s->level || right->velocity < 0.0) {
        return NO_CONTACT;
    }
    if (left->displacement < s->level) {
        *time = crossing_in(s, cell);
        return CONTACT;
    }
    if (left->velocity >= 0.0) {
        return NO_CONTACT;
    }
    if (left->time > 0.0 || !s->in_contact) {
        return carom_contact_cell_is_resolved(s->motion, cell) ? NO_CONTACT : SPLIT;
    }
    // It leaves the contact and returns within the cell.
    *time =
        find_root(s, sample_return, 0.0, right->time, -2.0 * left->velocity / left->acceleration);
    return CONTACT;
}

/** Look for a contact in a cell whose upper bound reaches the level. */
static outcome contact_in(const search *s, const carom_contact_cell *cell, double *time) {
    const bool crosses = cell->left.displacement < s->level && cell->right.displacement >= s->level;
    switch (carom_contact_cell_shape(s->motion, cell)) {
    case CAROM_CONTACT_SHAPE_FALLING:
        return NO_CONTACT;
    case CAROM_CONTACT_SHAPE_RISING:
        *time = crosses ? crossing_in(s, cell) : *time;
        return crosses ? CONTACT : NO_CONTACT;
    case CAROM_CONTACT_SHAPE_CONVEX:
        return contact_in_convex(s, cell, time);
    case CAROM_CONTACT_SHAPE_CONCAVE:
        return contact_in_concave(s, cell, time) ? CONTACT : NO_CONTACT;
    case CAROM_CONTACT_SHAPE_UNDECIDED:
        break;
    }
    if (!carom_contact_cell_is_resolved(s->motion, cell)) {
        return SPLIT;
    }
    // Flat to rounding, at the level: a touch.
    *time = cell->right.time;
    const bool is_at_level = cell->right.displacement >= s->level - s->touch;
    return s->has_left && is_at_level ? CONTACT : NO_CONTACT;
}

bool carom_contact_motion_first_contact(carom_contact_motion *motion, double level, double start,
                                        double end, double *tau) {
    *tau = (double)NAN;
    if (!(end > start) || !(motion->bounds[1] > 0.0)) {
        return false;
    }
    carom_contact_cells_begin(motion, start, end, (double)NAN, (double)NAN);
    const double touch =
        TOUCH_ROUNDINGS * (double)motion->mode_count * DBL_EPSILON * motion->bounds[0];
    const double apart = START_ROUNDINGS * touch;
    const double first = motion->reached.displacement;
    search s = {motion, level, touch, first >= level - apart, first < level - apart};
    if (s.in_contact) {
        motion->reached.displacement = fmax(first, level);
    }
    carom_contact_cell cell;
    double time = (double)NAN;
    outcome found = NO_CONTACT;
    while (found != CONTACT && carom_contact_cells_next(motion, &cell)) {
        found = NO_CONTACT;
        if (carom_contact_cell_upper_bound(motion, &cell) >= level - touch) {
            found = contact_in(&s, &cell, &time);
        }
        if (found == SPLIT) {
            carom_contact_cells_split(motion, &cell);
        } else {
            s.has_left = s.has_left || cell.right.displacement < level - apart;
        }
    }
    if (found == CONTACT) {
        *tau = start + time;
    }
    return found == CONTACT;
}
