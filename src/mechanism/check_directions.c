#include <carom/mechanism/check.h>

#include <carom/base/counter_random.h>
#include <carom/base/scales.h>
#include <carom/mechanism/check_linearity.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps are parts of what a coordinate reaches. The first, alone, is where the truncation of a
 * smooth function and its rounding are both small; the others follow only for rows in doubt, and
 * where nothing at the state has a size, with more decades on both sides. */
static const double FIRST_STEP = 1e-5;
enum { LARGEST_DECADE = -2, SMALLEST_DECADE = -11, GUESSED_DECADES = 14 };

/* Differences are taken this many steps beside the state, elsewhere each time: a kink at the state
 * itself, such as that of a spring that just touches, is then met by few of them, and a derivative
 * that vanishes at a symmetric state does not beside it. */
static const double OFFSET = 64.0;

/* What is accepted, relative to the sum of the magnitudes of a row, in roundings of the values that
 * are differenced, and in parts of what the smallest steps show, which is rounding inside the
 * function. */
static const double TOLERANCE = 1e-6;
static const double ROUNDINGS = 64.0;
static const double NOISE = 4.0;

/* Deviations at three steps in a row within a tenth of each other do not shrink, if they stay at
 * every smaller step that rounding leaves readable to a tenth. */
static const double TENTH = 0.1;

/* The same for deviations relative to a row that vanishes at the state, and they with it: above the
 * truncation of a homogeneous function, about (2/OFFSET)^2, and unless they go at once, not decade
 * by decade. */
static const double LEAST_RATIO = 1e-2;
static const double ABRUPT = 1e-4;

/* A linear mechanism keeps its matrices to rounding. */
static const double LINEARITY_TOLERANCE = 1e-9;

enum { DIRECTION_COUNT = 2, CONFIRMATIONS = 3 };

/** What one row showed at the steps so far. */
typedef struct row_history {
    double noise;        /**< of the function, from the smallest steps */
    double missed[3];    /**< of its values, at the last steps where the derivative held */
    double last;         /**< deviation at the last step, allowed or not */
    double deviation[2]; /**< at the last step and the one before, 0 where it was allowed */
    double ratio[2];     /**< the same relative to the size of the row */
    double seen;         /**< last deviation that was not allowed */
    double constant;     /**< deviation that does not shrink; 0: none */
    double relative;     /**< relative deviation that does not shrink; 0: none */
    double found;        /**< ratio where either was found */
    int votes;           /**< directions along which the row is wrong */
} row_history;

/** One derivative along one direction. Arrays of n and of rows. */
typedef struct ladder {
    carom_check_state *c;
    const carom_check_member *member;
    const double *reach; /**< [n] of the coordinates along this direction */
    unsigned long seed;  /**< of this direction */
    double *memory;      /**< owns the arrays of numbers below */
    double *base;        /**< [n] the place of the difference */
    double *minus;       /**< [n] its lower end */
    double *delta;       /**< [n] its length */
    double *deviation;   /**< [rows] of the difference quotient from the derivative */
    double *allowance;   /**< [rows] what tolerance and rounding leave */
    double *size;        /**< [rows] sum of the magnitudes of both */
    row_history *rows;   /**< [rows] */
} ladder;

static carom_status ladder_alloc(ladder *l) {
    const size_t n = (size_t)l->c->mechanism->coordinate_count;
    size_t rows = n;
    for (carom_check_rows kind = CAROM_CHECK_CONSTRAINTS; kind <= CAROM_CHECK_TANGENTS; kind++) {
        const size_t height = (size_t)carom_check_row_count(l->c, kind);
        rows = height > rows ? height : rows;
    }
    l->memory = calloc(3 * n + 3 * rows, sizeof(double));
    l->rows = calloc(rows, sizeof(row_history));
    if (l->memory == NULL || l->rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    l->base = l->memory;
    l->minus = l->base + n;
    l->delta = l->minus + n;
    l->deviation = l->delta + n;
    l->allowance = l->deviation + rows;
    l->size = l->allowance + rows;
    return CAROM_OK;
}

/** Component k of a random direction: of either sign, none of them small. */
static double component(unsigned long seed, unsigned long stream, int k) {
    const double x = 2.0 * carom_counter_uniform(seed, stream, (unsigned long)k) - 1.0;
    return copysign(0.5 + 0.5 * fabs(x), x);
}

/** Product of the supplied derivative with delta, and its magnitudes with |delta| and |x|. */
static void multiply_supplied(const ladder *l, const double *x, double *product, double *size,
                              double *magnitude) {
    const carom_check_state *c = l->c;
    const carom_layout layout = c->mechanism->layout;
    const int n = layout.size;
    if (l->member->rows == CAROM_CHECK_COORDINATES) {
        carom_layout_multiply_add(layout, 1.0, c->supplied, l->delta, product);
        carom_scale_add_layout(layout, 1.0, c->supplied, l->delta, size);
        carom_scale_add_layout(layout, 1.0, c->supplied, x, magnitude);
        return;
    }
    const int rows = carom_check_row_count(c, l->member->rows);
    for (int i = 0; i < rows; i++) {
        const double *row = &c->supplied[(size_t)i * (size_t)n];
        for (int j = 0; j < n; j++) {
            product[i] += row[j] * l->delta[j];
        }
    }
    carom_scale_add_product(rows, n, c->supplied, l->delta, size);
    carom_scale_add_product(rows, n, c->supplied, x, magnitude);
}

/** What rounding inside the supplied derivative may leave in a row: that of the largest one, of the
 * function over its whole reach included. Constraints are measured in what they reach, 1. */
static void allow_for_rounding(const ladder *l, const double *F) {
    const carom_check_state *c = l->c;
    const carom_check_rows kind = l->member->rows;
    const int rows = carom_check_row_count(c, kind);
    double largest = l->member->is_of_constraints ? 1.0 : 0.0;
    for (int i = 0; i < rows; i++) {
        const double value = (l->size[i] + fabs(F[i])) * carom_check_row_weight(c, kind, i);
        largest = isfinite(value) ? fmax(largest, value) : largest;
    }
    for (int i = 0; i < rows; i++) {
        l->allowance[i] += ROUNDINGS * DBL_EPSILON * largest / carom_check_row_weight(c, kind, i);
    }
}

/** The difference quotient with step s, near the state, from the derivative there. */
static void compare_at(ladder *l, double s, unsigned long place) {
    carom_check_state at = *l->c;
    const int n = at.mechanism->coordinate_count;
    const int rows = carom_check_row_count(&at, l->member->rows);
    const double *here = l->member->is_of_velocity ? at.v : at.q;
    for (int j = 0; j < n; j++) {
        const double step = s * l->reach[j];
        l->base[j] = here[j] + OFFSET * step * component(l->seed, place, j);
        at.x[j] = l->base[j] + step * component(l->seed, 0, j);
        l->minus[j] = l->base[j] - step * component(l->seed, 0, j);
        l->delta[j] = at.x[j] - l->minus[j];
    }
    l->member->evaluate(&at, at.x, at.F_plus);
    l->member->evaluate(&at, l->minus, at.F_minus);
    *(l->member->is_of_velocity ? &at.v : &at.q) = l->base;
    (void)carom_check_supply(&at, l->member);

    memset(l->deviation, 0, (size_t)rows * sizeof(double));
    memset(l->allowance, 0, (size_t)rows * sizeof(double));
    memset(l->size, 0, (size_t)rows * sizeof(double));
    multiply_supplied(l, at.x, l->deviation, l->size, l->allowance);
    for (int i = 0; i < rows; i++) {
        const double difference = at.F_plus[i] - at.F_minus[i];
        const double values = fabs(at.F_plus[i]) + fabs(at.F_minus[i]) + l->allowance[i];
        l->size[i] = (l->size[i] + fabs(difference)) / (2.0 * s);
        l->deviation[i] = (difference - l->deviation[i]) / (2.0 * s);
        l->allowance[i] = TOLERANCE * l->size[i] + ROUNDINGS * DBL_EPSILON * values / (2.0 * s);
    }
    allow_for_rounding(l, at.F_plus);
}

/** Whether no row deviates at the first step. */
static bool agrees_at_once(ladder *l) {
    compare_at(l, FIRST_STEP, 1);
    for (int i = 0; i < carom_check_row_count(l->c, l->member->rows); i++) {
        if (!(fabs(l->deviation[i]) <= l->allowance[i])) {
            return false;
        }
    }
    return true;
}

/** Whether two numbers that are not zero agree within a tenth. */
static bool agree(double x, double y) {
    return fabs(x - y) < TENTH * fabs(x);
}

/** Whether a deviation is no more than what its function's values missed where the derivative held:
 * rounding inside of it, such as that of a length beside a small change of it. */
static bool is_noise(const row_history *h, double value) {
    return value <= NOISE * fmax(h->missed[0], fmax(h->missed[1], h->missed[2]));
}

/** Keep what the values of a function missed where its derivative holds, and the deviation follows
 * no power of the step. */
static void keep_missed(row_history *h, double deviation, double size, double s) {
    const double magnitude = fabs(deviation);
    const bool is_irregular = magnitude > 0.5 * fabs(h->last) && !agree(deviation, h->last);
    if (magnitude < LEAST_RATIO * size && is_irregular) {
        h->missed[2] = h->missed[1];
        h->missed[1] = h->missed[0];
        h->missed[0] = magnitude * s;
    }
    h->last = deviation;
}

/** What a row shows at one more, smaller step. */
static void follow_row(row_history *h, double deviation, double allowance, double size) {
    const double magnitude = fabs(deviation);
    const bool is_allowed = !(magnitude > allowance); /* or not finite: it says nothing */
    const double ratio = is_allowed ? 0.0 : magnitude / size;

    /* What was found does not stay. */
    const double part = TENTH * fabs(h->constant);
    if (allowance < part && fabs(deviation - h->constant) > 0.5 * fabs(h->constant)) {
        h->constant = 0.0;
    }
    const double relative_part = TENTH * h->relative * size;
    if ((magnitude < relative_part && allowance < relative_part) ||
        (magnitude <= allowance && allowance < ABRUPT * h->seen)) {
        h->relative = 0.0;
    }

    /* Three in a row agree, or shrink with the row itself. */
    if (!is_allowed && agree(deviation, h->deviation[0]) && agree(deviation, h->deviation[1])) {
        h->constant = deviation;
        h->found = ratio;
    }
    const bool is_shrinking = 2.0 * magnitude < fabs(h->deviation[0]) &&
                              2.0 * fabs(h->deviation[0]) < fabs(h->deviation[1]);
    if (is_shrinking && ratio > LEAST_RATIO && agree(ratio, h->ratio[0]) &&
        agree(ratio, h->ratio[1])) {
        h->relative = ratio;
        h->found = ratio;
    }
    h->deviation[1] = h->deviation[0];
    h->deviation[0] = is_allowed ? 0.0 : deviation;
    h->ratio[1] = h->ratio[0];
    h->ratio[0] = ratio;
    h->seen = is_allowed ? h->seen : magnitude;
}

/** All steps from the largest down, `larger` decades above those of a state with a size. The
 * smallest ones come first, for the noise. */
static void walk_down(ladder *l, int larger) {
    const int rows = carom_check_row_count(l->c, l->member->rows);
    const int more = l->c->has_scale ? 0 : GUESSED_DECADES;
    const int first = LARGEST_DECADE + larger;
    const double smallest = pow(10.0, SMALLEST_DECADE - more);
    for (int i = 0; i < rows; i++) {
        l->rows[i] = (row_history){.votes = l->rows[i].votes, .last = (double)INFINITY};
    }
    for (unsigned long place = 2; place < 4; place++) {
        compare_at(l, smallest, place);
        for (int i = 0; i < rows; i++) {
            l->rows[i].noise = fmax(l->rows[i].noise, fabs(l->deviation[i]) * smallest);
        }
    }
    for (int decade = first; decade >= SMALLEST_DECADE - more; decade--) {
        const double s = pow(10.0, decade);
        compare_at(l, s, (unsigned long)(4 + first - decade));
        for (int i = 0; i < rows; i++) {
            row_history *h = &l->rows[i];
            const double magnitude = fabs(l->deviation[i]);
            const double noise = NOISE * h->noise / s;
            const double allowance = fmax(l->allowance[i], noise);
            const bool is_known = magnitude > TENTH * l->size[i] && is_noise(h, magnitude * s);
            keep_missed(h, l->deviation[i], l->size[i], s);
            follow_row(h, l->deviation[i], is_known ? fmax(allowance, magnitude) : allowance,
                       l->size[i]);
        }
    }
}

/** The row that deviates most of those that deviate along every direction of a seed, with steps
 * from `larger` decades above those of a state with a size; -1 if there is none. */
static int find_in_ladders(ladder *l, unsigned long seed, int larger) {
    const int rows = carom_check_row_count(l->c, l->member->rows);
    int worst = -1;
    l->seed = seed;
    memset(l->rows, 0, (size_t)rows * sizeof(row_history));
    for (int pass = 1; pass <= CONFIRMATIONS && (pass == 1 || worst >= 0); pass++, l->seed++) {
        walk_down(l, larger);
        worst = -1;
        for (int i = 0; i < rows; i++) {
            row_history *h = &l->rows[i];
            h->votes += fabs(h->constant) > 0.0 || h->relative > 0.0;
            if (h->votes == pass && (worst < 0 || h->found > l->rows[worst].found)) {
                worst = i;
            }
        }
    }
    return worst;
}

/** Whether the function does not see the first step in a row that its derivative sees. */
static bool is_blind(ladder *l, int row) {
    compare_at(l, FIRST_STEP, 1);
    return !(fabs(l->c->F_plus[row] - l->c->F_minus[row]) > 0.0) && l->size[row] > 0.0;
}

/** A row that deviates, -1 if there is none. What a state reaches may be nothing beside the lengths
 * inside a function: it is then looked at from farther away, too. */
static int find_wrong_row(ladder *l, unsigned long seed) {
    l->seed = seed;
    if (!l->c->has_scale) {
        return find_in_ladders(l, seed, GUESSED_DECADES);
    }
    if (agrees_at_once(l)) {
        return -1;
    }
    const int row = find_in_ladders(l, seed, 0);
    return row >= 0 && is_blind(l, row) ? find_in_ladders(l, seed, GUESSED_DECADES) : row;
}

/** The sentence of a row that deviates. */
static carom_status refuse_row(const ladder *l, int row, carom_report *report) {
    const carom_check_member *member = l->member;
    const char *name = l->c->mechanism->name != NULL ? l->c->mechanism->name : "";
    const char *variable = member->is_of_velocity ? "velocity" : "position";
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

/** Each derivative along directions that reach as far as the whole, and as each coordinate by
 * itself. */
static carom_status check_derivatives(ladder *l, unsigned long seed, carom_report *report) {
    const carom_check_state *c = l->c;
    const carom_check_member *list = NULL;
    const int count = carom_check_list_members(c, &list);
    for (int k = 0; k < count; k++) {
        l->member = &list[k];
        for (unsigned long direction = 0; direction < DIRECTION_COUNT; direction++) {
            const double *const q = direction == 0 ? c->q_scale : c->q_own;
            const double *const v = direction == 0 ? c->v_scale : c->v_own;
            l->reach = l->member->is_of_velocity ? v : q;
            const int row = find_wrong_row(l, seed + CONFIRMATIONS * direction);
            if (row >= 0) {
                return refuse_row(l, row, report);
            }
        }
    }
    return CAROM_OK;
}

/** What `is_linear` promises; values that are not finite at a second state say nothing. */
static carom_status check_promise(carom_check_state *c, carom_report *report) {
    carom_mechanism_mismatch worst = carom_check_tally_start(NULL).entry;
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
    CAROM_TRY(carom_check_state_alloc(l->c, seed));
    CAROM_TRY(ladder_alloc(l));
    if (l->c->mechanism->is_linear) {
        CAROM_TRY(check_promise(l->c, report));
    }
    return check_derivatives(l, seed, report);
}

carom_status carom_mechanism_check_directions(const carom_mechanism *mechanism, double t,
                                              const double *q, const double *v, unsigned long seed,
                                              carom_report *report) {
    CAROM_ASSERT(mechanism != NULL && mechanism->coordinate_count > 0 && q != NULL && v != NULL);
    carom_check_state c = {.mechanism = mechanism, .t = t, .q = q, .v = v};
    ladder l = {.c = &c};
    carom_status status = run_check(&l, seed, report);
    if (status == CAROM_STATUS_OUT_OF_MEMORY) {
        status = carom_report_fail(report, status, "check of derivatives", (double)NAN, -1);
    }
    free(l.memory);
    free(l.rows);
    carom_check_state_free(&c);
    return status;
}
