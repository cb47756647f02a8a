#include <carom/base/roots.h>
#include <carom/modes/few_impacts_internal.h>

#include <carom/base/base.h>

#include <float.h>
#include <gsl/gsl_math.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/** Poles closer than this are one: frequencies are not known better. */
static const double COINCIDENCE = 1e-12;

/** Brent's method to the last digit; 15 steps are usual, 60 are bisections all along. */
enum { ROOT_ITERATIONS = 200 };

/** A root is accepted if its bracket is narrower than this part of its distance to the pole. */
static const double ROOT_TOLERANCE = 1e-12;

/** Halvings of a segment of a curve before Newton's method finishes. */
enum { SEGMENT_HALVINGS = 24 };

/** Steps that bring the middle of a segment back onto its curve, and where they may stop. */
enum { PROJECTION_STEPS = 6 };
static const double PROJECTION_TOLERANCE = 1e-14;

/**
 * A family belongs to its segment if Newton's method ends within this part of the period from where
 * the halvings have left it; further away it has gone to another.
 */
static const double NEWTON_REACH = 1e-6;

/** Families that are being collected. */
typedef struct collection {
    carom_constant_period_families *found;
    int capacity;
} collection;

/** Add one of positive lambda (zero: at a harmonic); the room doubles when it is used up. */
static carom_status collect(collection *all, const carom_constant_period_family *family) {
    if (!(family->lambda_sum > 0.0)) {
        return CAROM_OK;
    }
    if (all->found->count == all->capacity) {
        const int capacity = 2 * all->capacity + 16;
        carom_constant_period_family *larger =
            realloc(all->found->families, (size_t)capacity * sizeof *larger);
        if (larger == NULL) {
            return CAROM_STATUS_OUT_OF_MEMORY;
        }
        all->found->families = larger;
        all->capacity = capacity;
    }
    all->found->families[all->found->count++] = *family;
    return CAROM_OK;
}

static int compare_numbers(const void *left, const void *right) {
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

/** By rising period, at equal periods by the shorter flight. */
static int compare_families(const void *left, const void *right) {
    const carom_constant_period_family *a = left;
    const carom_constant_period_family *b = right;
    const double periods[2] = {a->sigma_1 + a->sigma_2, b->sigma_1 + b->sigma_2};
    const int order = compare_numbers(&periods[0], &periods[1]);
    return order != 0 ? order : compare_numbers(&a->sigma_1, &b->sigma_1);
}

/** Sort, drop what was found twice, and judge what is left. */
static carom_status finish(const carom_modal_basis *basis, carom_constant_period_families *found) {
    if (found->count == 0) {
        return CAROM_OK;
    }
    qsort(found->families, (size_t)found->count, sizeof *found->families, compare_families);
    int kept = 1;
    for (int i = 1; i < found->count; i++) {
        const carom_constant_period_family *last = &found->families[kept - 1];
        const carom_constant_period_family *next = &found->families[i];
        const double distance =
            fabs(next->sigma_1 - last->sigma_1) + fabs(next->sigma_2 - last->sigma_2);
        if (distance > CAROM_CONSTANT_PERIOD_DISTANCE * (next->sigma_1 + next->sigma_2)) {
            found->families[kept++] = *next;
        }
    }
    found->count = kept;
    CAROM_AUTO_VALUE(carom_constant_period_judge) work = {.basis = basis};
    CAROM_TRY(carom_constant_period_judge_init(&work));
    for (int i = 0; i < kept; i++) {
        carom_constant_period_judge_family(&work, &found->families[i]);
    }
    return CAROM_OK;
}

/** Where the bridge equation sum (rho^2/w) tan(w T/4) = 0 is evaluated: T = base + side offset. */
typedef struct bridge_equation {
    const carom_modal_basis *basis;
    double base; /**< a pole, s */
    double side; /**< 1 above it, -1 below */
} bridge_equation;

/**
 * The bridge equation times the offset from the pole: finite there. Each tangent is taken from the
 * distance to its own nearest pole, an odd multiple of its mode's period.
 */
static double bridge_value(double offset, void *context) {
    const bridge_equation *at = context;
    const carom_modal_basis *basis = at->basis;
    double sum = 0.0;
    for (int l = 0; l < basis->visible_count; l++) {
        const double w = basis->frequency[l];
        const double rho = basis->participation[l];
        const double mode_period = 2.0 * M_PI / w;
        const double T = at->base + at->side * offset;
        const double odd = 2.0 * floor(0.5 * T / mode_period) + 1.0;
        const double distance = (at->base - odd * mode_period) + at->side * offset;
        sum -= rho * rho / w * (offset / tan(0.25 * w * distance));
    }
    return sum;
}

/** Nearest place to a pole, in parts of the way to the next: any number but zero. */
static const double LEAST_OFFSET = 0x1p-600;

/** The root between two poles, to rounding of its distance to the nearer one. */
/*[bridgeRoot]*/
static carom_status bridge_root(const carom_modal_basis *basis, double lower, double upper,
                                carom_bracket *bracket, double *root) {
    // the equation rises from -infinity to infinity: its sign in the middle says which half
    const double half = 0.5 * (upper - lower);
    bridge_equation at = {.basis = basis, .base = lower, .side = 1.0};
    if (bridge_value(half, &at) < 0.0) {
        at.base = upper;
        at.side = -1.0;
    }
    gsl_function f = {.function = bridge_value, .params = &at};
    CAROM_TRY(carom_bracket_start(bracket, &f, LEAST_OFFSET * half, half));
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i < ROOT_ITERATIONS &&
                    bracket->high - bracket->low > DBL_EPSILON * bracket->high;
         i++) {
        status = carom_bracket_narrow(bracket);
    }
    *root = at.base + at.side * bracket->root;
    const bool is_narrow = bracket->high - bracket->low <= ROOT_TOLERANCE * bracket->high;
    return is_narrow ? CAROM_OK : CAROM_STATUS_NOT_CONVERGED;
}
/*[end bridgeRoot]*/

/** All poles up to the first of each mode above a period, ascending, coincident ones once. */
static carom_status list_poles(const carom_modal_basis *basis, double max_period, double **out,
                               int *count) {
    double total = 0.0;
    for (int l = 0; l < basis->visible_count; l++) {
        total += 2.0 + 0.5 * max_period * basis->frequency[l] / (2.0 * M_PI);
    }
    if (!(total < (double)INT_MAX)) {
        return CAROM_STATUS_OUT_OF_RANGE;
    }
    double *poles = calloc((size_t)total + 1, sizeof(double));
    if (poles == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    int listed = 0;
    for (int l = 0; l < basis->visible_count; l++) {
        const double mode_period = 2.0 * M_PI / basis->frequency[l];
        double odd = 1.0;
        poles[listed++] = mode_period;
        while (odd * mode_period <= max_period) {
            odd += 2.0;
            poles[listed++] = odd * mode_period;
        }
    }
    qsort(poles, (size_t)listed, sizeof(double), compare_numbers);
    *count = 1;
    for (int i = 1; i < listed; i++) {
        if (poles[i] - poles[*count - 1] > COINCIDENCE * poles[i]) {
            poles[(*count)++] = poles[i];
        }
    }
    *out = poles;
    return CAROM_OK;
}

/** Collect the bridges between consecutive poles. */
static carom_status collect_bridges(const carom_modal_basis *basis, double max_period,
                                    const double *poles, int count, collection *all) {
    CAROM_AUTO_VALUE(carom_bracket) bracket = {.solver = NULL};
    CAROM_TRY(carom_bracket_init(&bracket));
    for (int i = 0; i + 1 < count && poles[i] < max_period; i++) {
        double T;
        CAROM_TRY(bridge_root(basis, poles[i], poles[i + 1], &bracket, &T));
        if (T <= max_period) {
            const double sigma[2] = {0.5 * T, 0.5 * T};
            const carom_constant_period_family family =
                carom_constant_period_family_at(basis, sigma);
            CAROM_TRY(collect(all, &family));
        }
    }
    return CAROM_OK;
}

/** The bridges between poles, judged. */
static carom_status find_bridges(const carom_modal_basis *basis, double max_period,
                                 collection *all) {
    CAROM_AUTO_MEMORY double *poles = NULL;
    int count = 0;
    CAROM_TRY(list_poles(basis, max_period, &poles, &count));
    CAROM_TRY(collect_bridges(basis, max_period, poles, count, all));
    return finish(basis, all->found);
}

carom_status carom_constant_period_bridges(const carom_modal_basis *basis, double max_period,
                                           carom_constant_period_families **out,
                                           carom_report *report) {
    CAROM_ASSERT(basis != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(carom_constant_period_check_gap(basis, report));
    if (!(max_period > 0.0 && max_period <= DBL_MAX)) {
        return carom_report_refuse(report, "largest period", max_period, -1, "> 0, finite");
    }
    CAROM_AUTO(carom_constant_period_families) found = calloc(1, sizeof *found);
    collection all = {.found = found};
    const carom_status status =
        found != NULL ? find_bridges(basis, max_period, &all) : CAROM_STATUS_OUT_OF_MEMORY;
    if (status != CAROM_OK) {
        return carom_report_fail(report, status, "largest period", max_period, -1);
    }
    CAROM_HAND_OVER(found, out);
    return CAROM_OK;
}

/** Bring flight times [2] onto the curve a = 0 along the gradient of its regular form. */
static void project(const carom_modal_basis *basis, double *sigma) {
    for (int i = 0; i < PROJECTION_STEPS; i++) {
        const carom_constant_period_equations e = carom_constant_period_equations_at(basis, sigma);
        const double value = e.a / e.size;
        const double gradient[2] = {(e.by_a[0] - value * e.by_size) / e.size,
                                    (e.by_a[1] - value * e.by_size) / e.size};
        const double square = gradient[0] * gradient[0] + gradient[1] * gradient[1];
        if (!(fabs(value) > PROJECTION_TOLERANCE) || !(square > 0.0)) {
            return;
        }
        sigma[0] -= value * gradient[0] / square;
        sigma[1] -= value * gradient[1] / square;
    }
}

/**
 * The sign of c, or of c in regular form. Where a curve crosses a harmonic one of the two changes,
 * c if it has its pole there; where it meets a family, both.
 */
static bool is_above(const carom_constant_period_equations *e, bool is_regular) {
    return (is_regular ? e->sign * e->c : e->c) > 0.0;
}

/** Follow a change of sign between two points of a curve; collect what it is if it is a family. */
static carom_status search_segment(const carom_modal_basis *basis, const double *from,
                                   const double *to, bool is_regular, collection *all) {
    double a[2] = {from[0], from[1]};
    double b[2] = {to[0], to[1]};
    const carom_constant_period_equations start = carom_constant_period_equations_at(basis, a);
    const carom_constant_period_equations end = carom_constant_period_equations_at(basis, b);
    const bool is_start_above = is_above(&start, is_regular);
    if (is_start_above == is_above(&end, is_regular)) {
        return CAROM_OK;
    }
    for (int i = 0; i < SEGMENT_HALVINGS; i++) {
        double middle[2] = {0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])};
        project(basis, middle);
        const carom_constant_period_equations e = carom_constant_period_equations_at(basis, middle);
        memcpy(is_above(&e, is_regular) == is_start_above ? a : b, middle, sizeof middle);
    }
    double sigma[2] = {0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])};
    if (!carom_constant_period_newton(basis, sigma)) {
        return CAROM_OK;
    }
    const double distance = hypot(sigma[0] - a[0], sigma[1] - a[1]);
    const carom_constant_period_family family = carom_constant_period_family_at(basis, sigma);
    if (family.is_bridge == 1 || distance > NEWTON_REACH * (sigma[0] + sigma[1])) {
        return CAROM_OK;
    }
    return collect(all, &family);
}

/** Search all segments of a curve. */
static carom_status search_curve(const carom_modal_basis *basis,
                                 const carom_flight_time_curve *curve, collection *all) {
    const int segments = curve->is_closed ? curve->count : curve->count - 1;
    for (int i = 0; i < segments; i++) {
        const int j = (i + 1) % curve->count;
        const double from[2] = {curve->sigma_1[i], curve->sigma_2[i]};
        const double to[2] = {curve->sigma_1[j], curve->sigma_2[j]};
        CAROM_TRY(search_segment(basis, from, to, false, all));
        CAROM_TRY(search_segment(basis, from, to, true, all));
    }
    return CAROM_OK;
}

/** The families on all curves, judged. */
static carom_status search_curves(const carom_modal_basis *basis,
                                  const carom_flight_time_curves *curves, collection *all) {
    for (int i = 0; i < curves->count; i++) {
        CAROM_TRY(search_curve(basis, &curves->curves[i], all));
    }
    return finish(basis, all->found);
}

carom_status carom_constant_period_on_curves(const carom_modal_basis *basis,
                                             const carom_flight_time_curves *curves,
                                             carom_constant_period_families **out,
                                             carom_report *report) {
    CAROM_ASSERT(basis != NULL && curves != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(carom_constant_period_check_gap(basis, report));
    CAROM_AUTO(carom_constant_period_families) found = calloc(1, sizeof *found);
    collection all = {.found = found};
    const carom_status status =
        found != NULL ? search_curves(basis, curves, &all) : CAROM_STATUS_OUT_OF_MEMORY;
    if (status != CAROM_OK) {
        return carom_report_fail(report, status, "curves", (double)curves->count, -1);
    }
    CAROM_HAND_OVER(found, out);
    return CAROM_OK;
}

void carom_constant_period_families_free(carom_constant_period_families *families) {
    if (families == NULL) {
        return;
    }
    free(families->families);
    free(families);
}
