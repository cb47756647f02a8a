/** Balls on a line: equal ones end sorted by velocity; three, by the ratios of their masses. */
#include "propagation.h"

#include <gsl/gsl_math.h>
#include <gsl/gsl_sort.h>
#include <stdlib.h>

enum { MOST_BALLS = MOST_CONTACTS + 1, MOST_STEPS = 4096, RULES = 5, PART = 11 };

/** Gaps of balls that touch, m. */
static const double CLOSED = 1e-9;

/** Touching balls on a line (example 1). */
typedef struct chain {
    carom_impact_problem *problem;
    carom_propagative_contacts *contacts;
    carom_propagative_impact *impact;
} chain;

static void close_chain(chain *c) {
    carom_propagative_impact_free(c->impact);
    carom_propagative_contacts_free(c->contacts);
    carom_impact_problem_free(c->problem);
}

/** Make one of masses and velocities [balls], kg and m/s; closed by close_chain, whatever is
 * returned. */
static carom_status open_chain(int balls, const double *masses, const double *velocities,
                               chain *out, carom_report *report) {
    CAROM_ASSERT(balls >= 2 && balls <= MOST_BALLS);
    *out = (chain){NULL, NULL, NULL};
    double radii[MOST_BALLS];
    for (int i = 0; i < balls; i++) {
        radii[i] = 0.5;
    }
    const carom_ball_chain_params params = {.balls = balls,
                                            .masses = masses,
                                            .radii = radii,
                                            .velocities = velocities,
                                            .restitution = 1.0};
    CAROM_AUTO(carom_model) model = NULL;
    CAROM_TRY(carom_ball_chain_alloc(&params, &model, report));
    CAROM_TRY(carom_impact_problem_of_mechanism(&model->mechanism, model->initial_position,
                                                model->initial_velocity, CLOSED, NULL,
                                                &out->problem, report));
    CAROM_TRY(carom_propagative_contacts_of_problem(out->problem, &out->contacts, report));
    return carom_propagative_impact_alloc(balls - 1, MOST_STEPS, &out->impact);
}

static const int CHAINS[] = {3, 4, 5, 8};
enum { CHAIN_KINDS = COUNT(CHAINS), CHAIN_DRAWS = 50 };

/** Velocities of one chain, by every rule: sorted. */
static carom_status try_chain(const propagation *x, int balls, int draw, double *longest,
                              double *error) {
    double masses[MOST_BALLS];
    double v[MOST_BALLS];
    double sorted[MOST_BALLS];
    stream from = {x->common->seed, PART, (unsigned long)(balls * CHAIN_DRAWS + draw), 0};
    for (int i = 0; i < balls; i++) {
        masses[i] = 1.0;
        // The first draw is the worst: all approach.
        v[i] = draw == 0 ? balls - i : propagative_impact_draw(&from, -1.0, 1.0);
        sorted[i] = v[i];
    }
    gsl_sort(sorted, 1, (size_t)balls);
    chain c;
    carom_status status = open_chain(balls, masses, v, &c, x->report);
    for (int rule = 0; rule < RULES && status == CAROM_OK; rule++) {
        carom_propagative_params params = carom_propagative_params_default();
        params.rule = (carom_propagative_rule)rule;
        params.seed = (unsigned long)draw;
        status = carom_propagative_impact_run(c.contacts, &params, 1.0, c.problem->contact_velocity,
                                              c.problem->kinetic_energy, c.impact, x->report);
        for (int i = 0; i < balls && status == CAROM_OK; i++) {
            const double left = i > 0 ? c.impact->impulse[i - 1] : 0.0;
            const double right = i + 1 < balls ? c.impact->impulse[i] : 0.0;
            *error = fmax(*error, fabs(v[i] + left - right - sorted[i]));
        }
        *longest = fmax(*longest, c.impact == NULL ? 0.0 : c.impact->step_count);
    }
    close_chain(&c);
    return status;
}

carom_status propagative_impact_write_chains(const propagation *x) {
    double columns[3][CHAIN_KINDS] = {{0.0}};
    double error = 0.0;
    for (int k = 0; k < CHAIN_KINDS; k++) {
        const int balls = CHAINS[k];
        columns[0][k] = balls;
        columns[2][k] = 0.5 * balls * (balls - 1);
        for (int draw = 0; draw < CHAIN_DRAWS; draw++) {
            CAROM_TRY(try_chain(x, balls, draw, &columns[1][k], &error));
        }
    }
    carom_record_axis(x->record, "/chains/balls", CHAIN_KINDS, columns[0], "1", "equal balls N");
    const carom_column datasets[] = {
        {"/chains/longest", columns[1], "1", "reflections of the longest sequence"},
        {"/chains/pairs", columns[2], "1", "N (N-1)/2"},
    };
    carom_record_columns(x->record, "/chains/balls", NULL, datasets, COUNT(datasets));
    const carom_measure largest = {"chain_error", error, "m s-1",
                                   "largest difference of a velocity from the sorted ones"};
    carom_record_measures(x->record, &largest, 1);
    return CAROM_OK;
}

/* --- three balls -------------------------------------------------------------------------------
 */

/** Exact curves are drawn for k of c = -cos(pi/k), with so many points. */
enum { FEWEST_ORDER = 3, ORDERS = 8, CURVE_POINTS = 801, CHECKED = 13 };

/** Momenta of a check: sigma = 1/2, the worst, is one of them. */
enum { MOMENTA = 15 };

/** m_C/m_B of three balls for which c = -cos(pi/k), k >= 3, given m_A/m_B; NaN if there is none. */
static double unique_ratio(double left_ratio, int k) {
    // c^2 = a z/((1 + a)(1 + z)), a = m_A/m_B, z = m_C/m_B.
    const double square = gsl_pow_2(cos(M_PI / k));
    const double divisor = left_ratio * (1.0 - square) - square;
    return divisor > 0.0 ? square * (1.0 + left_ratio) / divisor : (double)NAN;
}

/** A share of a decade, 0 to 1, as a ratio of masses. */
static double ratio_at(const settings *v, double share) {
    return pow(v->largest_ratio, 2.0 * share - 1.0);
}

/** Rows: m_A/m_B, columns: m_C/m_B. */
static carom_status write_plane(const propagation *x, double *axis, double *values) {
    const int count = x->values->map_points;
    double largest = 0.0;
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
        }
    }
    carom_record_axis(x->record, "/map/left_ratio", count, axis, "1", "m_A/m_B");
    carom_record_axis(x->record, "/map/right_ratio", count, axis, "1", "m_C/m_B");
    carom_record_series(x->record, "/map/indeterminacy", values, "/map/left_ratio",
                        "/map/right_ratio", "1", "largest |p_uv - p_vu|/|p| over all momenta");
    carom_record_measure(x->record, "map_largest", largest, "1",
                         "largest indeterminacy of the map");
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
            const double ratio = unique_ratio(axis[i], FEWEST_ORDER + k);
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
                                double *error) {
    const double masses[] = {left, 1.0, right};
    const double velocities[] = {1.0, 0.0, -1.0};
    chain c;
    carom_status status = open_chain(COUNT(masses), masses, velocities, &c, x->report);
    if (status == CAROM_OK) {
        status = sample_chain(&c, largest, x->report);
    }
    if (status == CAROM_OK) {
        const carom_propagative_pair pair = carom_propagative_pair_of(c.contacts, U, V);
        *error = fmax(*error, fabs(*largest - carom_propagative_pair_largest_spread(&pair)));
    }
    close_chain(&c);
    return status;
}

/** The map at some of its points, and unequal balls on its curves, by the model. */
static carom_status check_map(const propagation *x) {
    double error = 0.0;
    double apart = 0.0;
    int unequal = 0;
    for (int i = 0; i < CHECKED; i++) {
        const double left = ratio_at(x->values, i / (CHECKED - 1.0));
        double largest = 0.0;
        for (int j = 0; j < CHECKED; j++) {
            const double right = ratio_at(x->values, j / (CHECKED - 1.0));
            CAROM_TRY(check_chain(x, left, right, &largest, &error));
        }
        for (int k = 0; k < ORDERS; k++) {
            const double right = unique_ratio(left, FEWEST_ORDER + k);
            if (right <= x->values->largest_ratio) {
                CAROM_TRY(check_chain(x, left, right, &largest, &error));
                apart = fmax(apart, largest);
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
