/** The largest indeterminacy of three balls in a line, by the ratios of their masses. */
#include "results.h"

#include <carom/impact/propagative_pair.h>

#include <gsl/gsl_math.h>
#include <stdio.h>
#include <stdlib.h>

/** Exact curves are drawn for k of c = -cos(pi/k), with so many points. */
enum { FEWEST_ORDER = 3, ORDERS = 8, CURVE_POINTS = 801, CHECKED = 13 };

/** Momenta of a check: sigma = 1/2, the worst, is one of them. */
enum { MOMENTA = 15 };

static const double ROUNDING = 1e-12;

/** A share of a decade, 0 to 1, as a ratio of masses. */
static double ratio_at(const settings *v, double share) {
    return pow(v->largest_ratio, 2.0 * share - 1.0);
}

/** Rows: m_A/m_B, columns: m_C/m_B. */
static carom_status write_plane(const propagation *x, double *axis, double *values) {
    const int count = x->values->map_points;
    double largest = 0.0;
    int unique = 0;
    for (int i = 0; i < count; i++) {
        axis[i] = ratio_at(x->values, i / (count - 1.0));
    }
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++) {
            carom_propagative_pair pair;
            const double c = carom_ball_chain_cosine(axis[i], 1.0, axis[j]);
            CAROM_TRY(propagative_impact_pair(c, &pair, x->report));
            const double xi = carom_propagative_pair_largest_spread(&pair);
            values[i * count + j] = xi;
            largest = fmax(largest, xi);
            unique += carom_propagative_pair_order(&pair) > 0.0 ? 1 : 0;
        }
    }
    carom_record_axis(x->record, "/map/left_ratio", count, axis, "1", "m_A/m_B");
    carom_record_axis(x->record, "/map/right_ratio", count, axis, "1", "m_C/m_B");
    carom_record_series(x->record, "/map/indeterminacy", values, "/map/left_ratio",
                        "/map/right_ratio", "1", "largest |p_uv - p_vu|/|p| over all momenta");
    const double share = unique / ((double)count * count);
    const carom_measure measures[] = {
        {"map_largest", largest, "1", "largest indeterminacy of the map"},
        {"map_unique_share", share, "1", "share of its points with a unique outcome"},
    };
    carom_record_measures(x->record, measures, COUNT(measures));
    const carom_claim claim = {"unequal_masses_are_not_unique", share < 0.5,
                               "with unequal masses the outcome is, in general, not unique"};
    carom_record_claims(x->record, &claim, 1);
    return CAROM_OK;
}

/** m_C/m_B over m_A/m_B for each k; NaN outside the map. */
static void write_spectrum(const propagation *x, double *axis, double *values) {
    double orders[ORDERS];
    for (int k = 0; k < ORDERS; k++) {
        orders[k] = FEWEST_ORDER + k;
    }
    for (int i = 0; i < CURVE_POINTS; i++) {
        axis[i] = ratio_at(x->values, i / (CURVE_POINTS - 1.0));
        for (int k = 0; k < ORDERS; k++) {
            const double ratio = propagative_impact_unique_ratio(axis[i], FEWEST_ORDER + k);
            const bool is_shown = ratio <= x->values->largest_ratio;
            values[i * ORDERS + k] = is_shown ? ratio : (double)NAN;
        }
    }
    carom_record_axis(x->record, "/map/curve_ratio", CURVE_POINTS, axis, "1", "m_A/m_B");
    carom_record_axis(x->record, "/map/order", ORDERS, orders, "1", "k of c = -cos(pi/k)");
    carom_record_series(x->record, "/map/unique_ratio", values, "/map/curve_ratio", "/map/order",
                        "1", "m_C/m_B for which the outcome is unique; NaN: none");
}

/** Largest |p_uv - p_vu|/|p| of three balls, by running both orders of some momenta. */
static carom_status sample_chain(chain *c, double *largest, carom_report *report) {
    const carom_propagative_pair pair = carom_propagative_pair_of(c->contacts, U, V);
    const double opening = 2.0 * pair.half_opening;
    const double *length = c->contacts->length;
    *largest = 0.0;
    for (int i = 1; i <= MOMENTA; i++) {
        // Total momentum zero, |p| = 1.
        const double psi = opening * i / (MOMENTA + 1.0);
        const double velocity[PAIR] = {-length[U] * sin(opening - psi), -length[V] * sin(psi)};
        double difference[PAIR] = {0.0};
        for (int first = U; first < PAIR; first++) {
            carom_propagative_params params = carom_propagative_params_default();
            params.rule = CAROM_PROPAGATIVE_CYCLIC;
            params.first = first;
            CAROM_TRY(carom_propagative_impact_run(c->contacts, &params, 1.0, velocity, 0.5,
                                                   c->impact, report));
            for (int k = 0; k < PAIR; k++) {
                difference[k] += (first == U ? length[k] : -length[k]) * c->impact->impulse[k];
            }
        }
        const double square = gsl_pow_2(difference[U]) + gsl_pow_2(difference[V]) +
                              2.0 * pair.cosine * difference[U] * difference[V];
        *largest = fmax(*largest, sqrt(fmax(square, 0.0)));
    }
    return CAROM_OK;
}

/** Balls of given masses: what is met against the closed form. */
static carom_status check_chain(const propagation *x, double left, double right, double *largest,
                                double *error, bool *is_unique) {
    const double masses[] = {left, 1.0, right};
    const double velocities[] = {1.0, 0.0, -1.0};
    chain c;
    carom_status status =
        propagative_impact_open_chain(COUNT(masses), masses, velocities, &c, x->report);
    if (status == CAROM_OK) {
        status = sample_chain(&c, largest, x->report);
    }
    if (status == CAROM_OK) {
        const carom_propagative_pair pair = carom_propagative_pair_of(c.contacts, U, V);
        *error = fmax(*error, fabs(*largest - carom_propagative_pair_largest_spread(&pair)));
        *is_unique = carom_propagative_contacts_are_unique(c.contacts, NULL, NULL);
    }
    propagative_impact_close_chain(&c);
    return status;
}

/** The map at some of its points, and unequal balls on its curves, by the model. */
static carom_status check_map(const propagation *x) {
    double error = 0.0;
    double apart = 0.0;
    bool are_unique = true;
    int unequal = 0;
    for (int i = 0; i < CHECKED; i++) {
        const double left = ratio_at(x->values, i / (CHECKED - 1.0));
        bool is_unique = false;
        double largest = 0.0;
        for (int j = 0; j < CHECKED; j++) {
            const double right = ratio_at(x->values, j / (CHECKED - 1.0));
            CAROM_TRY(check_chain(x, left, right, &largest, &error, &is_unique));
        }
        for (int k = 0; k < ORDERS; k++) {
            const double right = propagative_impact_unique_ratio(left, FEWEST_ORDER + k);
            if (right <= x->values->largest_ratio) {
                CAROM_TRY(check_chain(x, left, right, &largest, &error, &is_unique));
                apart = fmax(apart, largest);
                are_unique = are_unique && is_unique;
                unequal++;
            }
        }
    }
    const carom_measure measures[] = {
        {"map_error", error, "1", "largest difference of the map from sequences run"},
        {"unique_chains", unequal, "1", "chains of unequal balls with c = -cos(pi/k) run"},
        {"unique_chain_error", apart, "1", "largest |p_uv - p_vu|/|p| of these"},
    };
    carom_record_measures(x->record, measures, COUNT(measures));
    const carom_claim claims[] = {
        {"map_is_exact", error <= 1e-9, "the map is that of sequences run"},
        {"unequal_chains_can_be_unique", are_unique && apart <= ROUNDING && unequal > 0,
         "unequal balls with c = -cos(pi/k) have a unique outcome"},
    };
    carom_record_claims(x->record, claims, COUNT(claims));
    return CAROM_OK;
}

carom_status propagative_impact_write_map(const propagation *x) {
    const size_t count = (size_t)x->values->map_points;
    const size_t curves = (size_t)CURVE_POINTS * ORDERS;
    const size_t size = count * count > curves ? count * count : curves;
    double *axis = malloc((count > CURVE_POINTS ? count : CURVE_POINTS) * sizeof *axis);
    double *values = malloc(size * sizeof *values);
    carom_status status = axis == NULL || values == NULL ? CAROM_STATUS_OUT_OF_MEMORY : CAROM_OK;
    if (status == CAROM_OK) {
        status = write_plane(x, axis, values);
    }
    if (status == CAROM_OK) {
        write_spectrum(x, axis, values);
    }
    free(values);
    free(axis);
    return status == CAROM_OK ? check_map(x) : status;
}
