#include <carom/mechanism/check_internal.h>
#include <carom/mechanism/completed.h>
#include <carom/mechanism/mechanism.h>

#include <float.h>
#include <math.h>
#include <string.h>

/* Other steps, as parts of the coordinate's reach, if the first leaves a column in doubt: smaller
 * ones for a stiff or kinked function, and a wide range of them where the state gives no length to
 * compare with. */
enum { LARGEST_DECADE = -2, SMALLEST_DECADE = -11, GUESSED_DECADES = 14 };

/* A step is better than the first only if it leaves less than this part of the error. */
static const double SHRINKS = 0.1;

/** F at a distance h along number j; returns the distance that rounding left. */
static double evaluate_beside(carom_check_state *c, const carom_check_member *member, int j,
                              double h, double *F) {
    c->way[j] = h;
    carom_check_go(c, member, carom_check_place(c, member), c->way, c->x, c->way);
    const double gone = c->way[j];
    c->way[j] = 0.0;
    member->evaluate(c, c->x, F);
    return gone;
}

/** Column j of dF/dx by central differences with the step h. */
static void difference_column(carom_check_state *c, const carom_check_member *member, int j,
                              double h, double *column) {
    const double ahead = evaluate_beside(c, member, j, h, c->F_plus);
    const double behind = evaluate_beside(c, member, j, -h, c->F_minus);
    for (int i = 0; i < carom_check_row_count(c, member->rows); i++) {
        column[i] = (c->F_plus[i] - c->F_minus[i]) / (ahead - behind);
    }
}

/** Entry (i,j) of a derivative as supplied; outside the band it is zero. */
static double supplied_entry(const carom_check_state *c, const carom_check_member *member, int i,
                             int j) {
    if (member->variable == CAROM_CHECK_TIME) {
        return c->supplied[i];
    }
    return carom_check_is_stored(c, member->rows, i, j)
               ? c->supplied[carom_check_entry_index(c, member->rows, i, j)]
               : 0.0;
}

/** Compare a column found by differences with the supplied one. */
static void measure_column(const carom_check_state *c, const carom_check_member *member, int j,
                           const double *column, carom_check_deviation *deviation) {
    const double reach = carom_check_reach(c, member)[j];
    const int end = carom_check_row_count(c, member->rows);
    for (int i = 0; i < end; i++) {
        const double weight = carom_check_row_weight(c, member->rows, i);
        deviation->largest_value = fmax(deviation->largest_value, weight * fabs(c->F_plus[i]));
        carom_check_deviation_entry(deviation, i, j, weight * reach,
                                    supplied_entry(c, member, i, j), column[i]);
    }
}

/** Error of column j by itself for the step h, the column in c->F_middle. */
static double column_error(carom_check_state *c, const carom_check_member *member, int j,
                           double h) {
    difference_column(c, member, j, h, c->F_middle);
    carom_check_deviation deviation = carom_check_deviation_start(member->name);
    measure_column(c, member, j, c->F_middle, &deviation);
    return carom_check_deviation_error(&deviation);
}

/** Compare column j; if the first step shows an error, with the step that shows the least. */
static void compare_column(carom_check_state *c, const carom_check_member *member, int j,
                           double tolerance, carom_check_deviation *deviation) {
    const double reach = carom_check_reach(c, member)[j];
    double best = cbrt(DBL_EPSILON) * reach;
    double least = column_error(c, member, j, best);
    if (least > tolerance) {
        const int more = c->has_scale ? 0 : GUESSED_DECADES;
        for (int decade = LARGEST_DECADE + more; decade >= SMALLEST_DECADE - more; decade--) {
            const double h = pow(10.0, decade) * reach;
            const double error = column_error(c, member, j, h);
            if (error < SHRINKS * least) {
                least = error;
                best = h;
            }
        }
        difference_column(c, member, j, best, c->F_middle);
    }
    measure_column(c, member, j, c->F_middle, deviation);
}

/** One derivative, all of its columns. */
static carom_status compare_derivative(carom_check_state *c, const carom_check_member *member,
                                       double tolerance, carom_mechanism_mismatch *worst) {
    const int columns = carom_check_column_count(c, member);
    memset(c->way, 0, (size_t)c->mechanism->coordinate_count * sizeof(double));
    carom_check_supply(c, member);
    carom_check_deviation deviation = carom_check_deviation_start(member->name);
    for (int j = 0; j < columns; j++) {
        compare_column(c, member, j, tolerance, &deviation);
    }
    return carom_check_deviation_close(&deviation, tolerance, worst);
}

/** Every derivative, also after a mismatch, so that the worst is found. */
static carom_status compare_derivatives(carom_check_state *c, double tolerance,
                                        carom_mechanism_mismatch *worst) {
    const carom_check_member *list = NULL;
    const int count = carom_check_list_members(c, &list);
    carom_status status = CAROM_OK;
    for (int i = 0; i < count && status != CAROM_STATUS_NOT_FINITE; i++) {
        if ((c->formed >> i & 1) != 0) {
            continue;
        }
        status = carom_check_worse(status, compare_derivative(c, &list[i], tolerance, worst));
    }
    return status;
}

/** Linearity first: what breaks it would show again, less plainly, in the derivatives. */
static carom_status run_check(carom_check_state *c, double tolerance,
                              carom_mechanism_mismatch *worst) {
    if (c->mechanism->is_linear) {
        CAROM_TRY(carom_check_linearity(c, tolerance, worst));
    }
    return compare_derivatives(c, tolerance, worst);
}

carom_status carom_mechanism_check(const carom_mechanism *mechanism, double t, const double *q,
                                   const double *v, double tolerance, unsigned long seed,
                                   carom_mechanism_mismatch *worst) {
    CAROM_ASSERT(mechanism != NULL && q != NULL && v != NULL && tolerance > 0.0);
    carom_mechanism_mismatch unread = {0};
    worst = worst == NULL ? &unread : worst;
    *worst = carom_check_deviation_start(NULL).entry;
    CAROM_TRY(carom_mechanism_check_functions(mechanism, NULL));
    CAROM_AUTO(carom_completed) completed = NULL;
    CAROM_TRY(carom_completed_alloc(mechanism, &completed));
    CAROM_TRY(carom_completed_choose(completed, t, q, v));
    CAROM_AUTO_VALUE(carom_check_state)
    c = {.mechanism = carom_completed_mechanism(completed),
         .formed = carom_mechanism_differences(mechanism) |
                   carom_mechanism_uncoupled_derivatives(mechanism),
         .t = t,
         .q = q,
         .v = v};
    CAROM_TRY(carom_check_state_init(&c, seed));
    return run_check(&c, tolerance, worst);
}
