#include <carom/mechanism/mechanism.h>

#include <carom/base/random.h>
#include <carom/base/scales.h>
#include <carom/mechanism/check_internal.h>
#include <carom/mechanism/completed.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps are parts of what a coordinate reaches. With the first, truncation and rounding are both
 * small for a smooth function. The others, one in each decade, follow only for rows in doubt: up to
 * large ones, as the lengths inside a function may be much larger than the state; and from very
 * small ones, where all of the state is zero and no length is known, or where a coordinate reaches
 * up to 1e150 times too far: sqrt(M_kk / M_jj) of an angle with an inertia of 1e-300. */
static const double FIRST_STEP = 1e-5;
enum { SMALLEST_DECADE = -11, LARGEST_DECADE = -2, FARTHEST_DECADE = 20 };
enum { GUESSED_DECADES = 14, FARTHEST_GUESS = 150 };

/* Differences are taken up to this many steps beside the state, at another place each time: so few
 * of them meet a kink at the state itself, such as that of a spring that just touches, and a
 * derivative that vanishes at a symmetric state does not vanish. */
static const double OFFSET = 64.0;

/* What is accepted, relative to the sum of the magnitudes of a row, and in roundings of the values
 * that are differenced. */
static const double TOLERANCE = 1e-5;
static const double ROUNDINGS = 64.0;

/* The ratio of a step to the one before; numbers agree if they differ by less than a tenth. */
static const double DECADE = 10.0;

/* A function is smooth on a decade of steps if its third difference grows by more than this: a
 * thousandfold in theory, while that of rounding hardly grows. It then also exceeds the deviation
 * over the square of this. */
static const double SMOOTH = 100.0;

/* A function is nearly constant if it changes by less than this part of a row. */
static const double HARDLY = 0.01;

/* A linear mechanism keeps its matrices to rounding. */
static const double LINEARITY_TOLERANCE = 1e-9;

enum { DIRECTION_COUNT = 2, CONFIRMATIONS = 3, STEPS_IN_A_ROW = 3, POINTS = 6 };

/** One row at one step, in the unit of its function. */
typedef struct row_sight {
    double step;     /**< part of what the coordinates reach */
    double missed;   /**< |difference of the function - what the derivative predicts| */
    double size;     /**< sum of the magnitudes of both */
    double change;   /**< of the function */
    double third;    /**< third difference of the function: its curvature, or its rounding */
    double rounding; /**< of its values, as far as it is known */
} row_sight;

/** One row at all steps so far, the smallest first. */
typedef struct row_history {
    double own;     /**< largest third difference and rounding: what a right derivative may miss */
    double last;    /**< third difference at the last step */
    double bend;    /**< the same, 0 where it is rounding */
    double held;    /**< least tolerance, as a part of the row, that the derivative has met */
    double curve;   /**< least of (missed + rounding) over the step squared at these steps */
    double slope;   /**< missed / step at the last deviation */
    double part;    /**< missed / size there */
    double missed;  /**< at the last step in doubt */
    double found;   /**< missed / size at that step; 0: the row is not in doubt */
    double change;  /**< change of the function / size there */
    double least;   /**< least third difference since, the larger one of each two steps */
    int in_a_row;   /**< successive deviations that grow with the step or with the row */
    bool is_bent;   /**< the function is so curved that larger steps decide nothing */
    bool is_smooth; /**< at the doubtful steps its third difference is curvature, not rounding */
    bool is_wrong;  /**< the doubt is settled */
    int votes;      /**< directions along which the row is wrong */
} row_history;

/** One derivative along one direction. Arrays of n and of rows. */
typedef struct ladder {
    carom_check_state *c;
    const carom_check_member *member;
    const double *reach; /**< [n] of the numbers that differ along this direction */
    unsigned long seed;  /**< of this direction */
    double *memory;      /**< owns the arrays of numbers below */
    double *way;         /**< [n] the direction, as far as the coordinates reach */
    double *base;        /**< [n_q] the place of the difference */
    double *minus;       /**< [n_q] its lower end */
    double *delta;       /**< [n] its length */
    double *gone;        /**< [n] scratch: the length below the place, sizes */
    double *deviation;   /**< [rows] of the difference quotient from the derivative */
    double *third;       /**< [rows] largest third difference of the function on such steps */
    double *differences; /**< [rows][3] its last value and differences on the way there */
    double *allowance;   /**< [rows] what rounding leaves */
    double *size;        /**< [rows] sum of the magnitudes of both */
    row_history *rows;   /**< [rows] */
} ladder;

static void ladder_clear(ladder *l) {
    free(l->memory);
    free(l->rows);
}

static carom_status ladder_init(ladder *l) {
    const size_t n = (size_t)carom_mechanism_position_count(l->c->mechanism);
    size_t rows = n;
    for (carom_check_rows kind = CAROM_CHECK_CONSTRAINTS; kind <= CAROM_CHECK_TANGENTS; kind++) {
        const size_t height = (size_t)carom_check_row_count(l->c, kind);
        rows = height > rows ? height : rows;
    }
    l->memory = calloc(5 * n + 7 * rows, sizeof(double));
    l->rows = calloc(rows, sizeof(row_history));
    if (l->memory == NULL || l->rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    l->way = l->memory;
    l->base = l->way + n;
    l->minus = l->base + n;
    l->delta = l->minus + n;
    l->gone = l->delta + n;
    l->deviation = l->gone + n;
    l->allowance = l->deviation + rows;
    l->size = l->allowance + rows;
    l->third = l->size + rows;
    l->differences = l->third + rows;
    return CAROM_OK;
}

/** Component k of a random direction: of either sign, none of them small. */
static double component(unsigned long seed, unsigned long stream, int k) {
    const double x = 2.0 * carom_counter_uniform(seed, stream, (unsigned long)k) - 1.0;
    return copysign(0.5 + 0.5 * fabs(x), x);
}

/** Turn to the direction of a seed. */
static void turn(ladder *l, unsigned long seed) {
    l->seed = seed;
    for (int j = 0; j < carom_check_column_count(l->c, l->member); j++) {
        l->way[j] = l->reach[j] * component(seed, 0, j);
    }
}

/** Product of the supplied derivative with delta, and its magnitudes with |delta| and |x|. */
static void multiply_supplied(const ladder *l, const double *x, double *product, double *size,
                              double *magnitude) {
    const carom_check_state *c = l->c;
    const carom_layout layout = c->mechanism->layout;
    if (l->member->rows == CAROM_CHECK_COORDINATES) {
        carom_layout_multiply_add(layout, 1.0, c->supplied, l->delta, product);
        carom_scale_add_layout(layout, 1.0, c->supplied, l->delta, size);
        carom_scale_add_layout(layout, 1.0, c->supplied, x, magnitude);
        return;
    }
    for (int i = 0; i < carom_check_row_count(c, l->member->rows); i++) {
        const carom_check_entries row =
            l->member->variable == CAROM_CHECK_TIME
                ? (carom_check_entries){.first = (size_t)i, .end = (size_t)i + 1}
                : carom_check_entries_of(c, l->member->rows, i);
        for (size_t k = row.first; k < row.end; k++) {
            const int j = carom_check_column(&row, k);
            product[i] += c->supplied[k] * l->delta[j];
            size[i] += fabs(c->supplied[k] * l->delta[j]);
            magnitude[i] += fabs(c->supplied[k] * x[j]);
        }
    }
}

/** Allow for rounding inside the supplied derivative: that of the largest row. Constraints are
 * measured in what they reach, 1. */
static void allow_for_rounding(const ladder *l) {
    const carom_check_state *c = l->c;
    const carom_check_rows kind = l->member->rows;
    const int rows = carom_check_row_count(c, kind);
    double largest = l->member->is_of_constraints ? 1.0 : 0.0;
    for (int i = 0; i < rows; i++) {
        const double value = l->size[i] * carom_check_row_weight(c, kind, i);
        largest = isfinite(value) ? fmax(largest, value) : largest;
    }
    for (int i = 0; i < rows; i++) {
        l->allowance[i] += ROUNDINGS * DBL_EPSILON * largest / carom_check_row_weight(c, kind, i);
    }
}

/** x = base + s way, and what rounding left of the step. */
static void step_aside(ladder *l, double s, double *x, double *gone) {
    for (int j = 0; j < carom_check_column_count(l->c, l->member); j++) {
        l->c->way[j] = s * l->way[j];
    }
    carom_check_go(l->c, l->member, l->base, l->c->way, x, gone);
}

/** The difference quotient with step s, near the state, from the derivative there. */
static void compare_at(ladder *l, double s, unsigned long place) {
    carom_check_state at = *l->c;
    const int n = carom_check_column_count(&at, l->member);
    const int rows = carom_check_row_count(&at, l->member->rows);
    const double *here = carom_check_place(l->c, l->member);
    for (int j = 0; j < n; j++) {
        at.way[j] = OFFSET * s * l->reach[j] * component(l->seed, place, j);
    }
    carom_check_go(&at, l->member, here, at.way, l->base, NULL);
    step_aside(l, -s, l->minus, l->gone);
    step_aside(l, s, at.x, l->delta);
    for (int j = 0; j < n; j++) {
        l->delta[j] -= l->gone[j];
    }
    l->member->evaluate(&at, at.x, at.F_plus);
    l->member->evaluate(&at, l->minus, at.F_minus);
    carom_check_move(&at, l->member, l->base);
    (void)carom_check_supply(&at, l->member);

    memset(l->deviation, 0, (size_t)rows * sizeof(double));
    memset(l->allowance, 0, (size_t)rows * sizeof(double));
    memset(l->size, 0, (size_t)rows * sizeof(double));
    const double *sizes = at.x;
    if (l->member->variable == CAROM_CHECK_POSITION) {
        carom_mechanism_position_sizes(at.mechanism, at.x, l->gone);
        sizes = l->gone;
    }
    multiply_supplied(l, sizes, l->deviation, l->size, l->allowance);
    for (int i = 0; i < rows; i++) {
        const double difference = at.F_plus[i] - at.F_minus[i];
        const double values = fabs(at.F_plus[i]) + fabs(at.F_minus[i]) + l->allowance[i];
        l->size[i] = (l->size[i] + fabs(difference)) / (2.0 * s);
        l->deviation[i] = (difference - l->deviation[i]) / (2.0 * s);
        l->allowance[i] = ROUNDINGS * DBL_EPSILON * values / (2.0 * s);
    }
    allow_for_rounding(l);
}

/** Whether no row deviates at the step with which that can be told at once: the first one; of a
 * linear mechanism, whose functions no step is too large for, and a state of zeros the farthest. */
static bool agrees_at_once(ladder *l) {
    if (!l->c->has_scale && !l->c->mechanism->is_linear) {
        return false;
    }
    compare_at(l, l->c->has_scale ? FIRST_STEP : pow(10.0, FARTHEST_DECADE), 1);
    for (int i = 0; i < carom_check_row_count(l->c, l->member->rows); i++) {
        if (!(fabs(l->deviation[i]) <= TOLERANCE * l->size[i] + l->allowance[i])) {
            return false;
        }
    }
    return true;
}

/** The largest third difference around the place of the last comparison: no less than what the
 * difference of a curved or rounded function misses of a right derivative. */
static void find_third(ladder *l, double s) {
    carom_check_state at = *l->c;
    const int rows = carom_check_row_count(&at, l->member->rows);
    memset(l->third, 0, (size_t)rows * sizeof(double));
    for (int point = 0; point < POINTS; point++) {
        const int steps = 2 * point - (POINTS - 1);
        const double *F = steps == -1 ? at.F_minus : steps == 1 ? at.F_plus : at.F_middle;
        if (F == at.F_middle) {
            step_aside(l, steps * s, at.x, NULL);
            l->member->evaluate(&at, at.x, at.F_middle);
        }
        for (int i = 0; i < rows; i++) {
            double next = F[i];
            for (int order = 0; order < 3; order++) {
                double *last = &l->differences[3 * i + order];
                const double difference = next - *last;
                *last = next;
                next = difference;
            }
            l->third[i] = point < 3 ? 0.0 : fmax(l->third[i], fabs(next));
        }
    }
}

/** Whether two numbers agree within a tenth. */
static bool agree(double x, double y) {
    return DECADE * fabs(x - y) < fabs(x);
}

/** Record a deviation. Three in a row make the row doubtful, unless a smaller step contradicts
 * them: the derivative was right there more closely, or the deviation grew by more than the square
 * of the step. */
static void doubt(row_history *h, const row_sight *sight) {
    const double slope = sight->missed / sight->step;
    const double part = sight->missed / sight->size;
    h->is_bent = h->is_bent || part > 2.0 * h->held ||
                 sight->missed > DECADE * h->curve * sight->step * sight->step;
    h->in_a_row = agree(slope, h->slope) || agree(part, h->part) ? h->in_a_row + 1 : 1;
    h->slope = slope;
    h->part = part;
    if (!h->is_bent && (h->in_a_row >= STEPS_IN_A_ROW || h->found > 0.0)) {
        h->is_smooth = h->is_smooth || (h->bend > 0.0 && sight->third > SMOOTH * h->bend &&
                                        SMOOTH * SMOOTH * sight->third > sight->missed);
        h->missed = sight->missed;
        h->found = part;
        h->change = sight->change / sight->size;
        h->least = (double)INFINITY;
    }
}

/** Record that the derivative is right at a step. If the doubtful deviation would have been seen
 * here, it is settled: it was rounding if the function rounds as much here, else the derivative is
 * wrong. */
static void trust(row_history *h, const row_sight *sight, double allowed) {
    const double missed = sight->missed + sight->rounding;
    h->in_a_row = 0;
    h->held = fmin(h->held, allowed / sight->size);
    h->curve = fmin(h->curve, missed / (sight->step * sight->step));
    if (allowed < h->found * sight->size) {
        h->is_wrong = h->is_smooth || h->missed > h->least;
        h->found = h->is_wrong ? h->found : 0.0;
    } else if (sight->missed > sight->third + sight->rounding) {
        h->least = (double)INFINITY; /* hidden by a jump below: still in doubt */
    }
}

/** Record one more, larger step of a row; values that are not finite decide nothing. */
static void follow_row(row_history *h, const row_sight *sight) {
    const double own = sight->third + sight->rounding;
    if (h->is_wrong || !isfinite(sight->missed) || !isfinite(own)) {
        h->in_a_row = 0;
        return;
    }
    h->own = fmax(h->own, own);
    const double allowed = TOLERANCE * sight->size + h->own;
    if (sight->missed > allowed) {
        doubt(h, sight);
    } else {
        h->least = fmin(h->least, fmax(sight->third, h->last));
        trust(h, sight, allowed);
    }
    h->last = sight->third;
    h->bend = sight->third > DECADE * sight->rounding ? sight->third : 0.0;
}

/** All steps from the smallest up, beyond those of a state with a size only while one is in doubt
 * for which rounding may be to blame. */
static void walk_up(ladder *l, int first) {
    const int rows = carom_check_row_count(l->c, l->member->rows);
    bool is_in_doubt = true;
    for (int i = 0; i < rows; i++) {
        l->rows[i] = (row_history){
            .votes = l->rows[i].votes, .held = (double)INFINITY, .curve = (double)INFINITY};
    }
    for (int decade = first; decade <= FARTHEST_DECADE && is_in_doubt; decade++) {
        const double s = pow(10.0, decade);
        compare_at(l, s, (unsigned long)(2 + decade - first));
        find_third(l, s);
        is_in_doubt = decade < LARGEST_DECADE || !l->c->has_scale;
        for (int i = 0; i < rows; i++) {
            row_history *h = &l->rows[i];
            const row_sight sight = {.step = s,
                                     .missed = 2.0 * s * fabs(l->deviation[i]),
                                     .size = 2.0 * s * l->size[i],
                                     .change = fabs(l->c->F_plus[i] - l->c->F_minus[i]),
                                     .third = l->third[i],
                                     .rounding = 2.0 * s * l->allowance[i]};
            follow_row(h, &sight);
            is_in_doubt = is_in_doubt || (h->found > 0.0 && !h->is_wrong && !h->is_smooth);
        }
    }
}

/** Whether the derivative of a doubtful row was right at no step, but for what curvature leaves,
 * while the function is nearly constant beside it: for a coordinate that reaches far, such as an
 * angle with next to no inertia, all steps may have been too large. */
static bool never_held(const ladder *l) {
    for (int i = 0; i < carom_check_row_count(l->c, l->member->rows); i++) {
        if (l->rows[i].found > 0.0 && l->rows[i].change < HARDLY && l->rows[i].held > HARDLY) {
            return true;
        }
    }
    return false;
}

/** The row that deviates most of those that deviate along every direction of a seed, -1 if there is
 * none. */
static int find_wrong_row(ladder *l, unsigned long seed) {
    const int rows = carom_check_row_count(l->c, l->member->rows);
    int worst = -1;
    turn(l, seed);
    if (agrees_at_once(l)) {
        return -1;
    }
    memset(l->rows, 0, (size_t)rows * sizeof(row_history));
    int first = SMALLEST_DECADE - (l->c->has_scale ? 0 : GUESSED_DECADES);
    for (int pass = 1; pass <= CONFIRMATIONS && (pass == 1 || worst >= 0); pass++) {
        walk_up(l, first);
        while (never_held(l) && first > SMALLEST_DECADE - FARTHEST_GUESS) {
            first -= GUESSED_DECADES;
            walk_up(l, first);
        }
        turn(l, l->seed + 1);
        worst = -1;
        for (int i = 0; i < rows; i++) {
            row_history *h = &l->rows[i];
            h->votes += h->found > 0.0;
            if (h->votes == pass && (worst < 0 || h->found > l->rows[worst].found)) {
                worst = i;
            }
        }
    }
    return worst;
}

/** The sentence of a row that deviates. */
static carom_status refuse_row(const ladder *l, int row, carom_report *report) {
    const carom_check_member *member = l->member;
    const char *name = l->c->mechanism->name != NULL ? l->c->mechanism->name : "";
    const char *const variables[] = {"position", "velocity", "time"};
    const char *variable = variables[member->variable];
    carom_status status = CAROM_STATUS_DERIVATIVE_MISMATCH;
    if (carom_check_supply(l->c, member)) {
        status = carom_report_say(
            report, status,
            "mechanism '%s': %s is not how %s changes with the %s (row %d, off by %.2g of it)",
            name, member->name, member->function, variable, row, l->rows[row].found);
    } else {
        status = carom_report_say(report, status,
                                  "mechanism '%s': %s is missing: %s changes with the %s (row %d)",
                                  name, member->name, member->function, variable, row);
    }
    if (report != NULL) {
        report->index = row;
    }
    return status;
}

/** Each derivative along directions in the common scales, and in the scale of each coordinate by
 * itself. */
static carom_status check_derivatives(ladder *l, unsigned long seed, carom_report *report) {
    const carom_check_state *c = l->c;
    const carom_check_member *list = NULL;
    const int count = carom_check_list_members(c, &list);
    for (int k = 0; k < count; k++) {
        if ((c->formed >> k & 1) != 0) {
            continue;
        }
        l->member = &list[k];
        for (unsigned long direction = 0; direction < DIRECTION_COUNT; direction++) {
            const double *const own[] = {c->q_own, c->v_own, &c->t_own};
            l->reach = direction == 0 ? carom_check_reach(c, l->member) : own[l->member->variable];
            const int row = find_wrong_row(l, seed + CONFIRMATIONS * direction);
            if (row >= 0) {
                return refuse_row(l, row, report);
            }
        }
    }
    return CAROM_OK;
}

/** Whether a mechanism that claims `is_linear` is linear; values that are not finite at a second
 * state decide nothing. */
static carom_status check_promise(carom_check_state *c, carom_report *report) {
    carom_mechanism_mismatch worst = carom_check_deviation_start(NULL).entry;
    const carom_status status = carom_check_linearity(c, LINEARITY_TOLERANCE, &worst);
    if (status != CAROM_STATUS_DERIVATIVE_MISMATCH) {
        return CAROM_OK;
    }
    const char *name = c->mechanism->name != NULL ? c->mechanism->name : "";
    const bool is_function = worst.column < 0;
    (void)carom_report_say(report, status,
                           "mechanism '%s' is not linear as it says: %s is not %s "
                           "(row %d)",
                           name, worst.derivative, is_function ? "affine" : "constant", worst.row);
    if (report != NULL) {
        report->index = worst.row;
    }
    return status;
}

static carom_status run_check(ladder *l, unsigned long seed, carom_report *report) {
    CAROM_TRY(carom_check_state_init(l->c, seed));
    CAROM_TRY(ladder_init(l));
    if (l->c->mechanism->is_linear) {
        CAROM_TRY(check_promise(l->c, report));
    }
    return check_derivatives(l, seed, report);
}

carom_status carom_mechanism_check_directions(const carom_mechanism *mechanism, double t,
                                              const double *q, const double *v, unsigned long seed,
                                              carom_report *report) {
    CAROM_ASSERT(mechanism != NULL && q != NULL && v != NULL);
    CAROM_TRY(carom_mechanism_check_functions(mechanism, report));
    CAROM_AUTO(carom_completed) completed = NULL;
    carom_status status = carom_completed_alloc(mechanism, &completed);
    status = status == CAROM_OK ? carom_completed_choose(completed, t, q, v) : status;
    CAROM_AUTO_VALUE(carom_check_state) c = {.t = t, .q = q, .v = v};
    CAROM_AUTO_VALUE(ladder) l = {.c = &c};
    if (status == CAROM_OK) {
        c.mechanism = carom_completed_mechanism(completed);
        c.formed = carom_mechanism_differences(mechanism) |
                   carom_mechanism_uncoupled_derivatives(mechanism);
        status = run_check(&l, seed, report);
    }
    if (status == CAROM_STATUS_OUT_OF_MEMORY) {
        status = carom_report_fail(report, status, "check of derivatives", (double)NAN, -1);
    }
    return status;
}
