/**
 * A second route to the motion of the contact: sums of cosines in extended precision, dense
 * sampling and golden sections. Modal data are made up, without a structure behind them.
 */
#ifndef CAROM_TESTS_MODES_CONTACT_REFERENCE_H
#define CAROM_TESTS_MODES_CONTACT_REFERENCE_H

#include <carom/modes/internal.h>
#include <carom/modes/modal_basis.h>

#include "../support.h"

#include <string.h>

enum { REFERENCE_MODES = 12 };

/** A modal basis without shapes, and a state of it. */
typedef struct reference {
    carom_modal_basis basis;
    double frequency[REFERENCE_MODES];
    double participation[REFERENCE_MODES];
    double state[2 * REFERENCE_MODES];
} reference;

/** m visible modes of given frequencies and participations, scaled to sum of squares 1. */
static inline void reference_init(reference *r, int m, const double *frequency,
                                  const double *participation, double root_G, double gap_at_rest) {
    double square = 0.0;
    for (int l = 0; l < m; l++) {
        square += participation[l] * participation[l];
    }
    for (int l = 0; l < m; l++) {
        r->frequency[l] = frequency[l];
        r->participation[l] = participation[l] / sqrt(square);
    }
    r->basis = (carom_modal_basis){.coordinate_count = m,
                                   .visible_count = m,
                                   .gap_at_rest = gap_at_rest,
                                   .root_inverse_mass = root_G,
                                   .frequency = r->frequency,
                                   .participation = r->participation};
}

/** Random frequencies in (0.5, 12), participations in (0.05, 1) and state in (-1, 1). */
static inline void reference_random(reference *r, gsl_rng *generator, int m, double gap_at_rest) {
    double frequency[REFERENCE_MODES];
    double participation[REFERENCE_MODES];
    for (int l = 0; l < m; l++) {
        frequency[l] = uniform(generator, 0.5, 12.0);
        participation[l] = uniform(generator, 0.05, 1.0);
        r->state[2 * l] = uniform(generator, -1.0, 1.0);
        r->state[2 * l + 1] = uniform(generator, -1.0, 1.0);
    }
    reference_init(r, m, frequency, participation, uniform(generator, 0.5, 2.0), gap_at_rest);
}

/** Set the state from contributions p to x_c and q w to x_c' of each mode, in m. */
static inline void reference_set(reference *r, const double *p, const double *q) {
    for (int l = 0; l < r->basis.visible_count; l++) {
        const double weight = r->basis.root_inverse_mass * r->participation[l] / r->frequency[l];
        r->state[2 * l] = p[l] / weight;
        r->state[2 * l + 1] = q[l] / weight;
    }
}

/** Derivative of x_c of an order 0, 1, 2 at a time, summed in extended precision. */
static inline double reference_value(const reference *r, int order, double t) {
    long double sum = 0.0L;
    for (int l = 0; l < r->basis.visible_count; l++) {
        const long double w = r->frequency[l];
        const long double weight =
            r->basis.root_inverse_mass * (long double)r->participation[l] / w;
        const long double cosine = cosl(w * t);
        const long double sine = sinl(w * t);
        const long double z_1 = cosine * r->state[2 * l] + sine * r->state[2 * l + 1];
        const long double z_2 = cosine * r->state[2 * l + 1] - sine * r->state[2 * l];
        sum += weight * (order == 0 ? z_1 : order == 1 ? w * z_2 : -w * w * z_1);
    }
    return (double)sum;
}

/** X_k = sum sqrt(G) rho w^(k-1) |zeta|, the size of the k-th derivative. */
static inline double reference_size(const reference *r, int k) {
    double sum = 0.0;
    for (int l = 0; l < r->basis.visible_count; l++) {
        sum += r->basis.root_inverse_mass * r->participation[l] *
               pow(r->frequency[l], (double)(k - 1)) * hypot(r->state[2 * l], r->state[2 * l + 1]);
    }
    return sum;
}

/** Samples of x_c at equal steps, by doubles: 24 to the shortest period. Returns their number. */
static inline int reference_samples(const reference *r, double start, double end, double **values,
                                    double *step) {
    double fastest = 0.0;
    for (int l = 0; l < r->basis.visible_count; l++) {
        fastest = fmax(fastest, r->frequency[l]);
    }
    const int count = 2 + (int)((end - start) * fastest * 24.0 / 6.2831853);
    *step = (end - start) / count;
    *values = calloc((size_t)count + 1, sizeof(double));
    for (int l = 0; l < r->basis.visible_count; l++) {
        const double w = r->frequency[l];
        const double weight = r->basis.root_inverse_mass * r->participation[l] / w;
        for (int i = 0; i <= count; i++) {
            const double angle = w * (start + i * *step);
            (*values)[i] +=
                weight * (cos(angle) * r->state[2 * l] + sin(angle) * r->state[2 * l + 1]);
        }
    }
    return count;
}

/** The maximum of x_c in an interval by golden section, to the square root of rounding in time. */
static inline double reference_golden(const reference *r, double low, double high) {
    const double ratio = 0.6180339887498949;
    double a = high - ratio * (high - low);
    double b = low + ratio * (high - low);
    double value_a = reference_value(r, 0, a);
    double value_b = reference_value(r, 0, b);
    for (int i = 0; i < 40; i++) {
        if (value_a > value_b) {
            high = b;
            b = a;
            value_b = value_a;
            a = high - ratio * (high - low);
            value_a = reference_value(r, 0, a);
        } else {
            low = a;
            a = b;
            value_a = value_b;
            b = low + ratio * (high - low);
            value_b = reference_value(r, 0, b);
        }
    }
    return 0.5 * (low + high);
}

/** Largest local maximum that dense samples show strictly inside (0, duration); -inf if none. */
static inline double reference_largest_maximum(const reference *r, double duration, double *time) {
    double *x;
    double h;
    const int count = reference_samples(r, 0.0, duration, &x, &h);
    double best = -(double)INFINITY;
    *time = (double)NAN;
    for (int i = 1; i < count; i++) {
        // only a triple that can beat the best is worth a golden section
        const double reach = fmax(fabs(x[i] - x[i - 1]), fabs(x[i] - x[i + 1]));
        if (x[i] >= x[i - 1] && x[i] > x[i + 1] && x[i] + reach > best) {
            const double top = reference_golden(r, (i - 1) * h, (i + 1) * h);
            const double value = reference_value(r, 0, top);
            *time = value > best ? top : *time;
            best = fmax(best, value);
        }
    }
    free(x);
    return best;
}

/** The crossing between a time below the level and one at or above it, by bisection. */
static inline double reference_bisect(const reference *r, double level, double low, double high) {
    for (int i = 0; i < 55; i++) {
        const double middle = 0.5 * (low + high);
        if (reference_value(r, 0, middle) < level) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return high;
}

/** First crossing of the level from below that dense samples show; NaN if none. */
static inline double reference_first_contact(const reference *r, double level, double start,
                                             double end) {
    double *x;
    double h;
    const int count = reference_samples(r, start, end, &x, &h);
    double found = (double)NAN;
    for (int i = 1; i <= count && isnan(found); i++) {
        const double before = start + (i - 1) * h;
        if (x[i - 1] < level && x[i] >= level) {
            found = reference_bisect(r, level, before, before + h);
        } else if (i < count && x[i - 1] < level && x[i] >= x[i - 1] && x[i] > x[i + 1]) {
            const double top = reference_golden(r, before, before + 2.0 * h);
            if (reference_value(r, 0, top) >= level) {
                found = reference_bisect(r, level, before, top);
            }
        }
    }
    free(x);
    return found;
}

/** A workspace started with the state. */
static inline carom_contact_motion *reference_motion(const reference *r) {
    carom_contact_motion *motion;
    assert_ok(carom_contact_motion_alloc(&r->basis, &motion));
    // A flight of another size first, and one of NaN: nothing of them may show afterwards.
    double poison[2 * REFERENCE_MODES];
    for (int i = 0; i < 2 * REFERENCE_MODES; i++) {
        poison[i] = 1e30;
    }
    double tau;
    carom_contact_motion_start(motion, poison);
    (void)carom_contact_motion_largest_maximum(motion, 1.0, -1.0, 1.0);
    (void)carom_contact_motion_first_contact(motion, 1.0, 0.0, 1.0, &tau);
    poison[0] = (double)NAN;
    carom_contact_motion_start(motion, poison);
    carom_contact_motion_start(motion, r->state);
    return motion;
}

/** The largest maximum of the state's flight, with the velocities of this route at its ends. */
static inline carom_contact_maximum reference_ask(const reference *r, double duration) {
    carom_contact_motion *motion = reference_motion(r);
    const carom_contact_maximum maximum = carom_contact_motion_largest_maximum(
        motion, duration, reference_value(r, 1, 0.0), reference_value(r, 1, duration));
    carom_contact_motion_free(motion);
    return maximum;
}

#endif
