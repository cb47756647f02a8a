#include <carom/modes/internal.h>

#include <float.h>
#include <math.h>

/* Width of the grid: the enclosure of x_c'' is wider than the curve by this part of X_2. Larger
 * cells have to be halved too often, which costs sines, and smaller ones are more. */
static const double GRID_ENCLOSURE = 0.05;

/* Rotations from node to node before the state is computed anew from the start of the cells. */
enum { RESTART_INTERVAL = 32 };

/* Roundings of a modal state after so many rotations: two products, a sum and the factor itself. */
static const double ROUNDINGS_OF_WALK = 3.0 * RESTART_INTERVAL;

/* More cells than this make a grid coarser, which only costs halvings. */
static const double MAX_CELLS = 1e9;

/* A step of the third-order iteration that is shorter, in units of the cell, has a cube below
 * rounding: the iterate after it needs no evaluation. */
static const double POLISHED_STEP = 1e-5;

/* An iteration that halves its bracket ends far before this. */
enum { MAX_ITERATIONS = 100 };

/** Bound of f - p for the cubic that meets f and f' at both ends, fourth derivative <= `bound`. */
static double cubic_error(double bound, double h) {
    return bound * h * h * h * h / 384.0;
}

/** Bound of f - p for the quintic that meets f, f', f'' at both ends, sixth derivative <= `bound`.
 */
static double quintic_error(double bound, double h) {
    return bound * h * h * h * h * h * h / 46080.0;
}

/** Modal coordinates [m] at a time after (p, q). */
static void rotate_to(const carom_contact_motion *motion, const double *p, const double *q,
                      double time, double *out_p, double *out_q) {
    for (int l = 0; l < motion->mode_count; l++) {
        const double cosine = cos(motion->w[l] * time);
        const double sine = sin(motion->w[l] * time);
        out_p[l] = cosine * p[l] + sine * q[l];
        out_q[l] = cosine * q[l] - sine * p[l];
    }
}

/** Go on to node i of the grid. */
static void walk_to_node(carom_contact_motion *motion, int i) {
    if (i % RESTART_INTERVAL == 0) {
        rotate_to(motion, motion->origin_p, motion->origin_q, i * motion->step, motion->node_p,
                  motion->node_q);
        return;
    }
    for (int l = 0; l < motion->mode_count; l++) {
        const double p = motion->node_p[l];
        const double q = motion->node_q[l];
        motion->node_p[l] = motion->step_cosine[l] * p + motion->step_sine[l] * q;
        motion->node_q[l] = motion->step_cosine[l] * q - motion->step_sine[l] * p;
    }
}

/** The sums over the modes at the node reached. */
static carom_contact_node walking_node(const carom_contact_motion *motion, double time) {
    carom_contact_node node = {time, 0.0, 0.0, 0.0, 0.0};
    for (int l = 0; l < motion->mode_count; l++) {
        const double w = motion->w[l];
        const double p = motion->node_p[l];
        const double wq = w * motion->node_q[l];
        node.displacement += p;
        node.velocity += wq;
        node.acceleration -= w * w * p;
        node.jerk -= w * w * wq;
    }
    return node;
}

/** What rounding makes of the values at nodes: phases w t, rotations, sums of m terms. */
static void bound_rounding(carom_contact_motion *motion, double end) {
    const double roundings = (double)motion->mode_count + ROUNDINGS_OF_WALK;
    for (int k = 0; k < 4; k++) {
        motion->rounding[k] =
            DBL_EPSILON * (roundings * motion->bounds[k] + end * motion->bounds[k + 1]);
    }
}

/** Cells of equal width, of which the bounds X_2 and X_6 say how narrow they need to be. */
static void divide(carom_contact_motion *motion) {
    const double width = sqrt(sqrt(384.0 * GRID_ENCLOSURE * motion->bounds[2] / motion->bounds[6]));
    const double cells = ceil(motion->duration / width);
    // without motion the quotient is NaN: one cell
    motion->cell_count = cells >= 1.0 ? (int)fmin(cells, MAX_CELLS) : 1;
    motion->step = motion->duration / motion->cell_count;
    for (int l = 0; l < motion->mode_count; l++) {
        motion->step_cosine[l] = cos(motion->w[l] * motion->step);
        motion->step_sine[l] = sin(motion->w[l] * motion->step);
    }
}

void carom_contact_cells_begin(carom_contact_motion *motion, double start, double end,
                               double start_velocity, double end_velocity) {
    motion->duration = end - start;
    rotate_to(motion, motion->p, motion->q, start, motion->origin_p, motion->origin_q);
    divide(motion);
    bound_rounding(motion, end);
    motion->next_cell = 0;
    motion->waiting_count = 0;
    motion->given_end_velocity = end_velocity;
    motion->start_doubt = 0.0;
    motion->end_doubt = 0.0;
    walk_to_node(motion, 0);
    motion->reached = walking_node(motion, 0.0);
    if (!isnan(start_velocity)) {
        motion->start_doubt = fabs(start_velocity - motion->reached.velocity);
        motion->reached.velocity = start_velocity;
    }
    if (!isnan(end_velocity)) {
        const carom_contact_node last = carom_contact_node_at(motion, motion->duration);
        motion->end_doubt = fabs(end_velocity - last.velocity);
    }
}

bool carom_contact_cells_next(carom_contact_motion *motion, carom_contact_cell *cell) {
    if (motion->waiting_count > 0) {
        motion->waiting_count--;
        *cell = motion->waiting[motion->waiting_count];
        return true;
    }
    if (motion->next_cell == motion->cell_count) {
        return false;
    }
    motion->next_cell++;
    const bool is_last = motion->next_cell == motion->cell_count;
    const double time = is_last ? motion->duration : motion->next_cell * motion->step;
    walk_to_node(motion, motion->next_cell);
    cell->left = motion->reached;
    cell->right = walking_node(motion, time);
    if (is_last && !isnan(motion->given_end_velocity)) {
        cell->right.velocity = motion->given_end_velocity;
    }
    motion->reached = cell->right;
    return true;
}

void carom_contact_cells_split(carom_contact_motion *motion, const carom_contact_cell *cell) {
    CAROM_ASSERT(motion->waiting_count + 2 <= CAROM_CONTACT_STACK_SIZE);
    const double middle = cell->left.time + 0.5 * (cell->right.time - cell->left.time);
    const carom_contact_node node = carom_contact_node_at(motion, middle);
    motion->waiting[motion->waiting_count++] = (carom_contact_cell){node, cell->right};
    motion->waiting[motion->waiting_count++] = (carom_contact_cell){cell->left, node};
}

carom_contact_node carom_contact_node_at(const carom_contact_motion *motion, double time) {
    carom_contact_node node = {time, 0.0, 0.0, 0.0, 0.0};
    for (int l = 0; l < motion->mode_count; l++) {
        const double w = motion->w[l];
        const double cosine = cos(w * time);
        const double sine = sin(w * time);
        const double p = cosine * motion->origin_p[l] + sine * motion->origin_q[l];
        const double wq = w * (cosine * motion->origin_q[l] - sine * motion->origin_p[l]);
        node.displacement += p;
        node.velocity += wq;
        node.acceleration -= w * w * p;
        node.jerk -= w * w * wq;
    }
    return node;
}

double carom_contact_displacement_since(const carom_contact_motion *motion, double time) {
    double difference = 0.0;
    for (int l = 0; l < motion->mode_count; l++) {
        const double half_sine = sin(0.5 * motion->w[l] * time);
        const double half_cosine = cos(0.5 * motion->w[l] * time);
        // p (cos - 1) + q sin
        difference +=
            2.0 * half_sine * (half_cosine * motion->origin_q[l] - half_sine * motion->origin_p[l]);
    }
    return difference;
}

/** Error of the velocities at the ends of a cell. */
static double velocity_doubt(const carom_contact_motion *motion, const carom_contact_cell *cell) {
    const double at_start = cell->left.time <= 0.0 ? motion->start_doubt : 0.0;
    const double at_end = cell->right.time >= motion->duration ? motion->end_doubt : 0.0;
    return motion->rounding[1] + at_start + at_end;
}

/** The least and the largest of four numbers. */
static void range_of_four(double a, double b, double c, double d, double *low, double *high) {
    const double low_ab = a < b ? a : b;
    const double low_cd = c < d ? c : d;
    const double high_ab = a < b ? b : a;
    const double high_cd = c < d ? d : c;
    *low = low_ab < low_cd ? low_ab : low_cd;
    *high = high_ab > high_cd ? high_ab : high_cd;
}

carom_contact_shape carom_contact_cell_shape(const carom_contact_motion *motion,
                                             const carom_contact_cell *cell) {
    const carom_contact_node *left = &cell->left;
    const carom_contact_node *right = &cell->right;
    const double third = (right->time - left->time) / 3.0;
    const double *rounding = motion->rounding;
    double low;
    double high;
    // A cubic lies between the coefficients of its Bernstein form.
    range_of_four(left->velocity, left->velocity + third * left->acceleration,
                  right->velocity - third * right->acceleration, right->velocity, &low, &high);
    const double velocity_error = cubic_error(motion->bounds[5], 3.0 * third) +
                                  velocity_doubt(motion, cell) + third * rounding[2];
    if (low > velocity_error) {
        return CAROM_CONTACT_SHAPE_RISING;
    }
    if (high < -velocity_error) {
        return CAROM_CONTACT_SHAPE_FALLING;
    }
    range_of_four(left->acceleration, left->acceleration + third * left->jerk,
                  right->acceleration - third * right->jerk, right->acceleration, &low, &high);
    const double acceleration_error =
        cubic_error(motion->bounds[6], 3.0 * third) + rounding[2] + third * rounding[3];
    if (high < -acceleration_error) {
        return CAROM_CONTACT_SHAPE_CONCAVE;
    }
    if (low > acceleration_error) {
        return CAROM_CONTACT_SHAPE_CONVEX;
    }
    return CAROM_CONTACT_SHAPE_UNDECIDED;
}

/** Bernstein coefficients [6] of the quintic that meets x_c, x_c', x_c'' at both ends of a cell. */
static void quintic_coefficients(const carom_contact_cell *cell, double *coefficients) {
    const carom_contact_node *left = &cell->left;
    const carom_contact_node *right = &cell->right;
    const double h = right->time - left->time;
    const double fifth = 0.2 * h;
    const double twentieth = 0.05 * h * h;
    coefficients[0] = left->displacement;
    coefficients[1] = left->displacement + fifth * left->velocity;
    coefficients[2] = coefficients[1] + fifth * left->velocity + twentieth * left->acceleration;
    coefficients[5] = right->displacement;
    coefficients[4] = right->displacement - fifth * right->velocity;
    coefficients[3] = coefficients[4] - fifth * right->velocity + twentieth * right->acceleration;
}

double carom_contact_cell_upper_bound(const carom_contact_motion *motion,
                                      const carom_contact_cell *cell) {
    double coefficients[6];
    quintic_coefficients(cell, coefficients);
    double high = coefficients[0];
    for (int i = 1; i < 6; i++) {
        high = coefficients[i] > high ? coefficients[i] : high;
    }
    const double h = cell->right.time - cell->left.time;
    const double *rounding = motion->rounding;
    return high + quintic_error(motion->bounds[6], h) + rounding[0] +
           0.4 * h * velocity_doubt(motion, cell) + 0.05 * h * h * rounding[2];
}

bool carom_contact_cell_is_resolved(const carom_contact_motion *motion,
                                    const carom_contact_cell *cell) {
    const double h = cell->right.time - cell->left.time;
    if (h <= 4.0 * DBL_EPSILON * motion->duration) {
        return true;
    }
    double coefficients[6];
    quintic_coefficients(cell, coefficients);
    double low = coefficients[0];
    double high = coefficients[0];
    for (int i = 1; i < 6; i++) {
        low = coefficients[i] < low ? coefficients[i] : low;
        high = coefficients[i] > high ? coefficients[i] : high;
    }
    return high - low + 2.0 * quintic_error(motion->bounds[6], h) <= motion->rounding[0];
}

/** Root in [0, 1] of the quintic that meets x_c' and its two derivatives at both ends of a cell. */
static double velocity_root(const carom_contact_cell *cell) {
    const carom_contact_node *left = &cell->left;
    const carom_contact_node *right = &cell->right;
    const double h = right->time - left->time;
    const double rise = right->velocity - left->velocity;
    const double slope_0 = h * left->acceleration;
    const double slope_1 = h * right->acceleration;
    const double bend_0 = 0.5 * h * h * left->jerk;
    const double bend_1 = 0.5 * h * h * right->jerk;
    const double c3 = 10.0 * rise - 6.0 * slope_0 - 4.0 * slope_1 - 3.0 * bend_0 + bend_1;
    const double c4 = -15.0 * rise + 8.0 * slope_0 + 7.0 * slope_1 + 3.0 * bend_0 - 2.0 * bend_1;
    const double c5 = 6.0 * rise - 3.0 * slope_0 - 3.0 * slope_1 - bend_0 + bend_1;
    double s = -left->velocity / rise;
    // Three steps of Newton's method bring the secant's root to the accuracy of the quintic.
    for (int i = 0; i < 3; i++) {
        const double value =
            left->velocity + s * (slope_0 + s * (bend_0 + s * (c3 + s * (c4 + s * c5))));
        const double slope =
            slope_0 + s * (2.0 * bend_0 + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)));
        s = fmin(1.0, fmax(0.0, s - value / slope));
    }
    return s;
}

/** x_c at the step from a node to the stationary point next to it. */
static carom_contact_node extrapolate(const carom_contact_node *from, double step) {
    carom_contact_node to = *from;
    to.time += step;
    to.displacement +=
        step * (from->velocity + step * (from->acceleration / 2.0 + step * from->jerk / 6.0));
    to.velocity += step * (from->acceleration + step * from->jerk / 2.0);
    to.acceleration += step * from->jerk;
    return to;
}

/** Bound of the maximum next to a node, if the velocity is small enough to prove one. */
static double maximum_bound(const carom_contact_motion *motion, const carom_contact_node *node) {
    const double size = fabs(node->acceleration);
    const double reach = 2.0 * fabs(node->velocity) / size;
    // Within the reach |x_c''| stays above half its value, so that x_c' vanishes there.
    if (motion->bounds[3] * reach <= 0.5 * size) {
        return node->displacement + fabs(node->velocity) * reach + motion->rounding[0];
    }
    return (double)INFINITY;
}

carom_contact_node carom_contact_cell_maximum(const carom_contact_motion *motion,
                                              const carom_contact_cell *cell, double floor) {
    double low = cell->left.time;
    double high = cell->right.time;
    const double width = high - low;
    double time = low + width * velocity_root(cell);
    carom_contact_node node = cell->left;
    for (int i = 0; i < MAX_ITERATIONS; i++) {
        node = carom_contact_node_at(motion, time);
        if (node.velocity > 0.0) {
            low = time;
        } else {
            high = time;
        }
        if (maximum_bound(motion, &node) <= floor) {
            return node;
        }
        // Halley's step for x_c' = 0.
        const double v = node.velocity;
        const double a = node.acceleration;
        const double next = time - 2.0 * v * a / (2.0 * a * a - v * node.jerk);
        const double kept = fmin(high, fmax(low, next));
        if (fabs(kept - time) <= POLISHED_STEP * width) {
            return extrapolate(&node, kept - time);
        }
        time = next > low && next < high ? next : low + 0.5 * (high - low);
    }
    return node;
}
