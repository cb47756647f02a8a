#include <carom/modes/internal.h>
#include <carom/modes/orbit_search_internal.h>

#include <carom/modes/impact_equations.h>

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CORRECTIONS = 8 };

/** Scaled residual that a corrected point must reach, unless rounding is larger. */
static const double RESIDUAL_TOLERANCE = 1e-12;

/** A second singular value below this means that two branches cross at the point itself: above it,
 * the tangent is known to about 1e-14/threshold. */
static const double CROSSING_THRESHOLD = 1e-9;

/** Corrections leave out directions with singular values below this: so close to a crossing,
 * rounding would decide how far to go along the other branch. */
static const double RANK_THRESHOLD = 1e-8;

/** Longest correction in units of the prediction: beyond it the curve is not the same. */
static const double MAX_DEVIATION = 0.2;

/** Corrections that rounding may ask for, whatever the step: where another branch is near, a
 * residual of 1e-16 is a distance of 1e-8. */
static const double LEAST_DEVIATION = 1e-8;

struct carom_orbit_continuation {
    const carom_modal_basis *basis;
    carom_impact_newton *newton;
    int impact_count;
    double time_scale;
    double lambda_scale;
    double gap_scale;
    double *Y;     /**< [capacity] X and the amplitudes of the resonant modes */
    double *step;  /**< [capacity] */
    double *null0; /**< [capacity] */
    double *null1; /**< [capacity] */
    double *state; /**< [m][2] */
};

carom_status carom_orbit_continuation_alloc(const carom_modal_basis *basis, int impact_count,
                                            carom_orbit_continuation **out) {
    *out = NULL;
    carom_impact_newton *newton = NULL;
    CAROM_TRY(carom_impact_newton_alloc(basis, impact_count, &newton));
    carom_impact_newton_set_rank_threshold(newton, RANK_THRESHOLD);
    const size_t capacity = (size_t)carom_impact_newton_capacity(newton);
    const size_t state_size = 2 * (size_t)basis->visible_count;
    carom_orbit_continuation *continuation =
        malloc(sizeof *continuation + (4 * capacity + state_size) * sizeof(double));
    if (continuation == NULL) {
        carom_impact_newton_free(newton);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *memory = (double *)(continuation + 1);
    *continuation = (carom_orbit_continuation){
        .basis = basis,
        .newton = newton,
        .impact_count = impact_count,
        .Y = memory,
        .step = memory + capacity,
        .null0 = memory + 2 * capacity,
        .null1 = memory + 3 * capacity,
        .state = memory + 4 * capacity,
    };
    *out = continuation;
    return CAROM_OK;
}

void carom_orbit_continuation_free(carom_orbit_continuation *continuation) {
    if (continuation != NULL) {
        carom_impact_newton_free(continuation->newton);
        free(continuation);
    }
}

carom_status carom_continuation_point_alloc(int impact_count, carom_continuation_point *point) {
    const size_t size = 2 * (size_t)impact_count + 1;
    *point = (carom_continuation_point){.X = malloc(2 * size * sizeof(double))};
    if (point->X == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    point->tangent = point->X + size;
    for (size_t i = 0; i < 2 * size; i++) {
        point->X[i] = (double)NAN;
    }
    return CAROM_OK;
}

void carom_continuation_point_clear(carom_continuation_point *point) {
    free(point->X);
    *point = (carom_continuation_point){.X = NULL};
}

void carom_continuation_point_copy(int impact_count, const carom_continuation_point *from,
                                   carom_continuation_point *to) {
    double *X = to->X;
    double *tangent = to->tangent;
    memcpy(X, from->X, 2 * (2 * (size_t)impact_count + 1) * sizeof(double));
    *to = *from;
    to->X = X;
    to->tangent = tangent;
}

/** Put X into Y and let the amplitudes follow. */
static carom_status load(carom_orbit_continuation *t, const double *X) {
    memcpy(t->Y, X, (2 * (size_t)t->impact_count + 1) * sizeof(double));
    carom_impact_newton_choose_resonant(t->newton, t->Y);
    return carom_impact_newton_fit(t->newton, t->Y, true, 0);
}

/** Begin the Newton system at Y with the sphere as its condition. @return the largest residual */
static double begin(carom_orbit_continuation *t) {
    const int k = t->impact_count;
    const double largest = carom_impact_newton_begin(t->newton, t->Y, true);
    double square = 0.0;
    for (int i = k; i <= 2 * k; i++) {
        square += t->Y[i] * t->Y[i];
    }
    const double residual = 0.5 * (square - 1.0);
    double *row = carom_impact_newton_add_row(t->newton, residual);
    for (int i = k; i <= 2 * k; i++) {
        row[i] = t->Y[i];
    }
    return fmax(largest, fabs(residual));
}

/** Correct Y by steps of minimum norm; all flight times stay positive. The system is left begun and
 * decomposed at the result. */
static carom_status correct(carom_orbit_continuation *t, double longest, double *residual,
                            int *iterations) {
    const int core = 2 * t->impact_count + 1;
    double before = HUGE_VAL;
    double moved = 0.0;
    for (*iterations = 0;; ++*iterations) {
        *residual = begin(t);
        CAROM_TRY(carom_impact_newton_decompose(t->newton));
        // Solved, and the last step gained little: it is as good as it gets.
        const double enough =
            fmax(RESIDUAL_TOLERANCE, carom_impact_newton_rounding(t->newton, t->Y));
        if (*residual <= enough && (*residual > 0.1 * before || *residual <= 1e-2 * enough)) {
            return CAROM_OK;
        }
        if (*iterations == MAX_CORRECTIONS) {
            return *residual <= enough ? CAROM_OK : CAROM_STATUS_NOT_CONVERGED;
        }
        before = *residual;
        carom_impact_newton_step(t->newton, 0.0, t->step);
        double length = 0.0;
        for (int i = 0; i < core; i++) {
            length += t->step[i] * t->step[i];
        }
        moved += sqrt(length);
        if (!(moved <= longest)) {
            return CAROM_STATUS_NOT_CONVERGED;
        }
        for (int i = 0; i < carom_impact_newton_size(t->newton); i++) {
            t->Y[i] += t->step[i];
        }
        for (int i = 0; i < t->impact_count; i++) {
            if (!(t->Y[i] > 0.0)) {
                return CAROM_STATUS_NOT_CONVERGED;
            }
        }
    }
}

static double inner(const double *a, const double *b, int size) {
    double sum = 0.0;
    for (int i = 0; i < size; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static double period_change(const double *vector, int impact_count) {
    double sum = 0.0;
    for (int i = 0; i < impact_count; i++) {
        sum += vector[i];
    }
    return sum;
}

/** Weights of the two null vectors where branches cross: along the given direction, or, at a start,
 * so that the period does not change, which is the branch of broken symmetry. */
static void crossing_weights(const carom_orbit_continuation *t, const double *direction,
                             double *first, double *second) {
    const int k = t->impact_count;
    if (direction != NULL) {
        *first = inner(t->null0, direction, 2 * k + 1);
        *second = inner(t->null1, direction, 2 * k + 1);
    } else {
        *first = period_change(t->null1, k);
        *second = -period_change(t->null0, k);
        if (!(hypot(*first, *second) > 0.0)) {
            *first = 1.0;
        }
    }
}

/** Tangent of unit length from the decomposed system, turned the way of `direction` (NULL: larger
 * periods), and its orientation. */
/*[arcTangent]*/
static void find_tangent(carom_orbit_continuation *t, const double *direction,
                         carom_continuation_point *point) {
    const int core = 2 * t->impact_count + 1;
    const int size = carom_impact_newton_size(t->newton);
    double first = 1.0;
    double second = 0.0;
    carom_impact_newton_null_vector(t->newton, 0, t->null0);
    if (size > 2 && carom_impact_newton_singular_value(t->newton, 1) < CROSSING_THRESHOLD) {
        carom_impact_newton_null_vector(t->newton, 1, t->null1);
        crossing_weights(t, direction, &first, &second);
        for (int i = 0; i < size; i++) {
            t->null0[i] = first * t->null0[i] + second * t->null1[i];
        }
    }
    double length = sqrt(inner(t->null0, t->null0, core));
    const double turned = direction != NULL ? inner(t->null0, direction, core)
                                            : period_change(t->null0, t->impact_count);
    length = turned < 0.0 ? -length : length;
    for (int i = 0; i < size; i++) {
        t->null0[i] /= length;
    }
    memcpy(point->tangent, t->null0, (size_t)core * sizeof(double));
    point->orientation = carom_impact_newton_orientation(t->newton, t->null0);
}
/*[end arcTangent]*/

/**
 * E T' = -(sum lambda' g - sum lambda g')/sqrt(G) along the tangent: the identity E dT = -(g_0/
 * sqrt(G)) d(sum lambda) with lambda g_0/g in the place of lambda, multiplied by (g/g_0)^2.
 */
static double identity_error(const carom_orbit_continuation *t,
                             const carom_continuation_point *point) {
    const int k = t->impact_count;
    double period = 0.0;
    double period_size = 0.0;
    double action = 0.0;
    double action_size = 0.0;
    const double g = point->X[2 * k];
    const double g_change = point->tangent[2 * k];
    for (int j = 0; j < k; j++) {
        period += point->tangent[j];
        period_size += fabs(point->tangent[j]);
        action += point->tangent[k + j] * g - point->X[k + j] * g_change;
        action_size += fabs(point->tangent[k + j] * g) + fabs(point->X[k + j] * g_change);
    }
    const double energy_unit = point->energy * t->time_scale;
    const double action_unit = t->lambda_scale * t->gap_scale / t->basis->root_inverse_mass;
    return fabs(energy_unit * period + action_unit * action) /
           (energy_unit * period_size + action_unit * action_size);
}

/** Complete a point from Y and the system decomposed there. */
static void complete(carom_orbit_continuation *t, const double *direction,
                     carom_continuation_point *point) {
    const int k = t->impact_count;
    memcpy(point->X, t->Y, (2 * (size_t)k + 1) * sizeof(double));
    find_tangent(t, direction, point);
    point->period = t->time_scale * period_change(point->X, k);
    point->gap = t->gap_scale * point->X[2 * k];
    carom_impact_newton_state(t->newton, t->Y, t->state);
    point->energy = carom_orbit_energy_of(t->basis, t->state);
    point->identity_error = identity_error(t, point);
}

carom_status carom_orbit_continuation_start(carom_orbit_continuation *continuation,
                                            const carom_orbit *orbit,
                                            carom_continuation_point *point) {
    carom_orbit_continuation *t = continuation;
    const int k = t->impact_count;
    t->time_scale = orbit->period / k;
    t->gap_scale = fabs(t->basis->gap_at_rest);
    // The lambda of a motion that crosses the gap within a flight, or that of the orbit.
    t->lambda_scale = t->gap_scale / (t->basis->root_inverse_mass * t->time_scale);
    for (int j = 0; j < k; j++) {
        t->lambda_scale = fmax(t->lambda_scale, fabs(orbit->lambda[j]));
    }
    carom_impact_newton_set_scales(t->newton, t->time_scale, t->lambda_scale, t->gap_scale);
    double square = 1.0;
    for (int j = 0; j < k; j++) {
        point->X[j] = orbit->flight_times[j] / t->time_scale;
        point->X[k + j] = orbit->lambda[j] / t->lambda_scale;
        square += point->X[k + j] * point->X[k + j];
    }
    point->X[2 * k] = t->basis->gap_at_rest > 0.0 ? 1.0 : -1.0;
    for (int i = k; i <= 2 * k; i++) {
        point->X[i] /= sqrt(square);
    }
    CAROM_TRY(load(t, point->X));
    // A solution in other digits may be corrected a little; more means that it is none.
    int iterations = 0;
    if (correct(t, 1e-3, &point->residual, &iterations) != CAROM_OK) {
        return CAROM_STATUS_NOT_CONVERGED;
    }
    complete(t, NULL, point);
    return CAROM_OK;
}

carom_status carom_orbit_continuation_step(carom_orbit_continuation *continuation,
                                           const carom_continuation_point *from, double arclength,
                                           carom_continuation_point *to, int *iterations) {
    carom_orbit_continuation *t = continuation;
    const int core = 2 * t->impact_count + 1;
    int corrections = 0;
    for (int i = 0; i < core; i++) {
        to->X[i] = from->X[i] + arclength * from->tangent[i];
    }
    for (int i = 0; i < t->impact_count; i++) {
        if (!(to->X[i] > 0.0)) {
            return CAROM_STATUS_NOT_CONVERGED;
        }
    }
    CAROM_TRY(load(t, to->X));
    const double longest = MAX_DEVIATION * fabs(arclength) + LEAST_DEVIATION;
    if (correct(t, longest, &to->residual, &corrections) != CAROM_OK) {
        return CAROM_STATUS_NOT_CONVERGED;
    }
    complete(t, from->tangent, to);
    if (iterations != NULL) {
        *iterations = corrections;
    }
    return CAROM_OK;
}

void carom_orbit_continuation_orbit(carom_orbit_continuation *continuation,
                                    const carom_continuation_point *point, carom_orbit *orbit) {
    carom_orbit_continuation *t = continuation;
    const int k = t->impact_count;
    for (int j = 0; j < k; j++) {
        orbit->flight_times[j] = point->X[j] * t->time_scale;
        orbit->lambda[j] = point->X[k + j] * t->lambda_scale;
    }
    orbit->period = point->period;
    orbit->residual = point->residual;
    orbit->energy = point->energy;
    if (load(t, point->X) == CAROM_OK) {
        carom_impact_newton_state(t->newton, t->Y, orbit->state);
    }
}
