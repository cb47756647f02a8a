/*
 * carom/impact/propagative_pair.h: bounds and counts against the sequences themselves, the paper's
 * theorems and identities against reflections of momenta, groups of reflections in closed form.
 */
#include <carom/impact/propagative_impact.h>
#include <carom/impact/propagative_pair.h>

#include "propagative_cases.h"

#include <float.h>

static const unsigned long SEED = 20140502;
enum { MOST_STEPS = 4096 };

/** The pair of cosine c. */
static carom_propagative_pair pair_of_cosine(double c) {
    const propagative_case x = plane_case(c, -1.0, -1.0);
    carom_propagative_contacts *contacts = contacts_of(&x);
    const carom_propagative_pair pair = carom_propagative_pair_of(contacts, 0, 1);
    carom_propagative_contacts_free(contacts);
    return pair;
}

/** Reflections from the contact `first` on, alternately; the momentum after it. */
static int run_pair(const propagative_case *x, int first, double tolerance, double *p) {
    carom_propagative_contacts *contacts = contacts_of(x);
    carom_propagative_impact *impact;
    assert_ok(carom_propagative_impact_alloc(2, MOST_STEPS, &impact));
    carom_propagative_params params = carom_propagative_params_default();
    params.rule = CAROM_PROPAGATIVE_CYCLIC;
    params.first = first;
    params.tolerance = tolerance;
    assert_ok(carom_propagative_impact_run(contacts, &params, 1.0, x->c, x->energy, impact, NULL));
    for (int k = 0; k < 2; k++) {
        p[k] = x->p[k] + impact->impulse[0] * x->N[k] + impact->impulse[1] * x->N[2 + k];
    }
    const int steps = impact->step_count;
    carom_propagative_impact_free(impact);
    carom_propagative_contacts_free(contacts);
    return steps;
}

TEST(unit, bounds_are_those_of_the_opening) {
    // Columns: c, most reflections, most of a shortest sequence, the paper's bound.
    const double expected[8][4] = {{-0.99, 23.0, 22.0, 45.0}, {-0.9, 7.0, 7.0, 14.0},
                                   {-0.6, 4.0, 3.0, 7.0},     {-0.5, 3.0, 3.0, 6.0},
                                   {-0.2, 3.0, 2.0, 5.0},     {0.0, 2.0, 2.0, 4.0},
                                   {0.2, 2.0, 2.0, 4.0},      {0.9, 2.0, 1.0, 3.0}};
    for (int k = 0; k < 8; k++) {
        const carom_propagative_pair pair = pair_of_cosine(expected[k][0]);
        assert_close(pair.cosine, expected[k][0], 0.0, 2.0 * DBL_EPSILON);
        assert_close(-cos(2.0 * pair.half_opening), expected[k][0], 0.0, 1e-15);
        assert_close(pair.wedge_count * pair.half_opening, 0.5 * M_PI, 1e-15, 0.0);
        assert_close(pair.longest, expected[k][1], 0.0, 0.0);
        assert_close(pair.longest_minimal, expected[k][2], 0.0, 0.0);
        assert_close(pair.paper_bound, expected[k][3], 0.0, 0.0);
    }
}

TEST(unit, small_openings_keep_their_digits) {
    // Normals (1, e) and (-1, e): tan gamma = e; the cosine knows nothing of e = 1e-10.
    for (int k = 2; k <= 10; k += 2) {
        const double e = pow(10.0, -k);
        propagative_case x = {
            .n = 2, .m = 2, .M = {1.0, 0.0, 0.0, 1.0}, .N = {1.0, e, -1.0, e}, .p = {0.3, -1.0}};
        complete_case(&x);
        carom_propagative_contacts *contacts = contacts_of(&x);
        const carom_propagative_pair pair = carom_propagative_pair_of(contacts, 0, 1);
        assert_close(pair.half_opening, atan(e), 1e-15, 0.0);
        carom_propagative_contacts_free(contacts);
    }
}

TEST(property, counts_are_those_of_the_sequences) {
    int longer[2] = {0, 0};
    int most = 0;
    for (unsigned long sample = 0; sample < 20000; sample++) {
        unsigned long d = 0;
        const double gamma = draw(SEED, sample, &d, 0.03, 1.55);
        const double angle = draw(SEED, sample, &d, -M_PI, M_PI);
        const double c = -cos(2.0 * gamma);
        const propagative_case x =
            plane_case(c, cos(angle), c * cos(angle) + sin(2.0 * gamma) * sin(angle));
        carom_propagative_contacts *contacts = contacts_of(&x);
        const carom_propagative_pair pair = carom_propagative_pair_of(contacts, 0, 1);
        carom_propagative_contacts_free(contacts);
        const carom_propagative_counts counts = carom_propagative_pair_count(&pair, x.c[0], x.c[1]);
        double p[2][2] = {{0}};
        const int u = run_pair(&x, 0, 1e-12, p[0]);
        const int v = run_pair(&x, 1, 1e-12, p[1]);
        const bool has_u = x.c[0] < 0.0;
        const bool has_v = x.c[1] < 0.0;
        assert_close(counts.first_u, has_u ? u : 0.0, 0.0, 0.0);
        assert_close(counts.first_v, has_v ? v : 0.0, 0.0, 0.0);
        ck_assert_int_eq(counts.is_minimal_u, has_u && (!has_v || u <= v));
        ck_assert_int_eq(counts.is_minimal_v, has_v && (!has_u || v <= u));
        if (has_u && has_v) {
            longer[0] += u > v ? 1 : 0;
            longer[1] += v > u ? 1 : 0;
            // The shorter is the tail of the longer one, both are sharp in their bounds.
            ck_assert_int_le(abs(u - v), 1);
            const int shorter = u < v ? u : v;
            ck_assert_double_le(shorter, pair.longest_minimal);
            most += shorter >= (int)pair.longest_minimal ? 1 : 0;
            if (u == v) {
                const double distance = hypot(p[0][0] - p[1][0], p[0][1] - p[1][1]);
                // Up to 53 reflections, sin 2 gamma above 0.04.
                assert_close(carom_propagative_pair_distance(&pair, x.c[0], x.c[1], u), distance,
                             0.0, 1e-11);
            }
        }
    }
    ck_assert_int_gt(longer[0], 500);
    ck_assert_int_gt(longer[1], 500);
    ck_assert_int_gt(most, 500);
}

TEST(unit, a_momentum_that_ends_on_a_wall_counts_no_further_step) {
    // c = 1/2 and equal speeds: one reflection, after which the other contact grazes.
    const propagative_case x = plane_case(0.5, -1.0, -1.0);
    const carom_propagative_pair pair = pair_of_cosine(0.5);
    carom_propagative_counts counts = carom_propagative_pair_count(&pair, -1.0, -1.0);
    assert_close(counts.first_u, 1.0, 0.0, 0.0);
    assert_close(counts.first_v, 1.0, 0.0, 0.0);
    double p[2] = {0};
    ck_assert_int_eq(run_pair(&x, 0, 1e-12, p), 1);
    // Newton's cradle: two if one ball meets two, three if all approach; none if they part.
    const carom_propagative_pair cradle = pair_of_cosine(-0.5);
    counts = carom_propagative_pair_count(&cradle, -1.0, 0.0);
    assert_close(counts.first_u, 2.0, 0.0, 0.0);
    assert_close(counts.first_v, 0.0, 0.0, 0.0);
    counts = carom_propagative_pair_count(&cradle, 0.0, -1.0);
    assert_close(counts.first_v, 2.0, 0.0, 0.0);
    ck_assert(counts.is_minimal_v && !counts.is_minimal_u);
    counts = carom_propagative_pair_count(&cradle, -1.0, -0.3);
    assert_close(counts.first_u + counts.first_v, 6.0, 0.0, 0.0);
    ck_assert(counts.is_minimal_v && counts.is_minimal_u);
    counts = carom_propagative_pair_count(&cradle, 0.0, 0.4);
    assert_close(counts.first_u + counts.first_v, 0.0, 0.0, 0.0);
    ck_assert(!counts.is_minimal_v && !counts.is_minimal_u);
    // Every tie of k reflections: momenta that start as the image of a wall.
    for (int k = 2; k <= 30; k++) {
        const double gamma = 0.5 * M_PI / (k + 0.37);
        const carom_propagative_pair generic = pair_of_cosine(-cos(2.0 * gamma));
        for (int steps = 1; steps <= k; steps++) {
            // sigma with pi/(2 gamma) - 1 + sigma = steps, approaching u.
            const double sigma = steps + 1.0 - generic.wedge_count;
            const double A = sin(2.0 * gamma * (1.0 - sigma));
            const double B = sin(2.0 * gamma * sigma);
            if (A > 0.0 && sigma > 1.0 - generic.wedge_count) {
                const propagative_case wall = plane_case(-cos(2.0 * gamma), -A, -B);
                assert_close(carom_propagative_pair_count(&generic, -A, -B).first_u, steps, 0.0,
                             0.0);
                ck_assert_int_eq(run_pair(&wall, 0, 1e-10, p), steps);
            }
        }
    }
}

TEST(unit, nearly_opposite_normals_are_counted_within_their_rounding) {
    for (int k = 7; k <= 11; k++) {
        const double gamma = pow(10.0, -k);
        // Normals (+-sin gamma, cos gamma) turned so that both lie along the axis: u = -v nearly.
        const double mass_factor[4] = {1.0, 0.0, 0.0, 1.0};
        const double normals[4] = {1.0, gamma, -1.0, gamma};
        carom_propagative_contacts *contacts = NULL;
        assert_ok(carom_propagative_contacts_alloc(2, 2, &contacts));
        assert_ok(carom_propagative_contacts_set(contacts, mass_factor, normals, NULL));
        const carom_propagative_pair pair = carom_propagative_pair_of(contacts, 0, 1);
        ck_assert(!carom_propagative_contacts_are_unique(contacts, NULL, NULL));
        carom_propagative_contacts_free(contacts);
        // tan gamma is given: pi/(2 gamma), to the rounding of the normals.
        const double wedges = M_PI / (2.0 * atan(gamma));
        assert_close(pair.longest, ceil(wedges), 2e-16 / gamma, 1.0);
        assert_close(carom_propagative_pair_order(&pair), 0.0, 0.0, 0.0);
        const carom_propagative_counts counts = carom_propagative_pair_count(&pair, -1e-3, 1.0);
        ck_assert(counts.first_u >= 0.0 && counts.first_v >= 0.0);
    }
    // An approach that is hidden by the tie is none.
    const carom_propagative_pair pair = pair_of_cosine(0.3);
    const carom_propagative_counts counts = carom_propagative_pair_count(&pair, -1e-11, 1.0);
    assert_close(counts.first_u, 0.0, 0.0, 0.0);
    ck_assert(!counts.is_minimal_u && !counts.is_minimal_v && !signbit(counts.first_u));
}

TEST(unit, a_wall_and_two_blocks_are_counted_without_a_step) {
    // tan of the opening 2 gamma = sqrt(m_light/m_heavy).
    const double ratio[4] = {1.0, 1e2, 1e4, 1e10};
    const double expected[4] = {3.0, 31.0, 314.0, 314159.0};
    for (int k = 0; k < 4; k++) {
        propagative_case x = {
            .n = 2, .m = 2, .M = {1.0, 0.0, 0.0, ratio[k]}, .N = {1.0, 0.0, -1.0, 1.0}};
        x.p[1] = -ratio[k];
        complete_case(&x);
        carom_propagative_contacts *contacts = contacts_of(&x);
        const carom_propagative_pair pair = carom_propagative_pair_of(contacts, 0, 1);
        const carom_propagative_counts counts = carom_propagative_pair_count(
            &pair, x.c[0] / contacts->length[0], x.c[1] / contacts->length[1]);
        assert_close(counts.first_v, expected[k], 0.0, 0.0);
        carom_propagative_contacts_free(contacts);
    }
}

/** p after alternate reflections from `first` on, whether or not they approach. */
static void alternate(const propagative_case *x, int first, int steps, double *p) {
    memcpy(p, x->p, sizeof x->p);
    for (int k = 0; k < steps; k++) {
        reflect_momentum(x, (first + k) % 2, p);
    }
}

TEST(property, orders_differ_by_the_identities_of_lemma_7_and_theorem_3) {
    for (unsigned long sample = 0; sample < 1000; sample++) {
        const int n = 2 + (int)(sample % 5);
        propagative_case x = random_case(SEED + 1, sample, n, 2);
        for (int i = 0; i < 2; i++) { // unit normals
            const double length = sqrt(metric_product(&x, x.N + i * n, x.N + i * n));
            for (int k = 0; k < n; k++) {
                x.N[i * n + k] /= length;
            }
        }
        complete_case(&x);
        carom_propagative_contacts *contacts = contacts_of(&x);
        const carom_propagative_pair pair = carom_propagative_pair_of(contacts, 0, 1);
        carom_propagative_contacts_free(contacts);
        const double c = pair.cosine;
        const double a = x.c[0];
        const double b = x.c[1];
        const double *u = x.N;
        const double *v = x.N + n;
        for (int steps = 0; steps <= 6; steps++) {
            double first_u[MOST_COORDINATES] = {0};
            double first_v[MOST_COORDINATES] = {0};
            alternate(&x, 0, steps, first_u);
            alternate(&x, 1, steps, first_v);
            for (int k = 0; k < n; k++) {
                first_u[k] -= first_v[k];
                const double seven = 4.0 * c * (a * v[k] - b * u[k]);
                const double three = 2.0 * (1.0 - 4.0 * c * c) * (a * u[k] - b * v[k]);
                if (steps == 2) {
                    assert_close(first_u[k], seven, 0.0, 1e-12);
                }
                if (steps == 3) {
                    assert_close(first_u[k], three, 0.0, 1e-12);
                }
            }
            assert_close(carom_propagative_pair_distance(&pair, a, b, steps),
                         sqrt(metric_product(&x, first_u, first_u)), 0.0, 1e-11);
        }
    }
}

TEST(property, ends_of_both_orders_are_apart_by_the_closed_form) {
    enum { CASES = 4000 };
    int unequal = 0;
    for (unsigned long sample = 0; sample < CASES; sample++) {
        unsigned long dimension = 0;
        const double gamma = draw(SEED, sample, &dimension, 0.02, 1.55);
        const double A = draw(SEED, sample, &dimension, 0.01, 1.0);
        const double B = draw(SEED, sample, &dimension, 0.01, 1.0);
        const propagative_case x = plane_case(-cos(2.0 * gamma), -A, -B);
        const carom_propagative_pair pair = pair_of_cosine(-cos(2.0 * gamma));
        double p[2][2] = {{0.0}};
        unequal += run_pair(&x, 0, 1e-12, p[0]) != run_pair(&x, 1, 1e-12, p[1]) ? 1 : 0;
        const double apart[2] = {p[0][0] - p[1][0], p[0][1] - p[1][1]};
        const double distance = sqrt(metric_product(&x, apart, apart));
        const double norm = sqrt(2.0 * x.energy);
        // Each of up to 80 reflections rounds p.
        assert_close(carom_propagative_pair_spread(&pair, -A, -B), distance, 0.0, 1e-12 * norm);
        ck_assert(distance <= (carom_propagative_pair_largest_spread(&pair) + 1e-12) * norm);
        // a = b is the direction of the largest one; its |p| is that of the plane.
        const double symmetric = carom_propagative_pair_spread(&pair, -1.0, -1.0);
        assert_close(symmetric * sin(gamma), carom_propagative_pair_largest_spread(&pair), 0.0,
                     1e-12);
    }
    ck_assert_int_gt(unequal, CASES / 10);
    const carom_propagative_pair third = pair_of_cosine(-0.5);
    assert_close(carom_propagative_pair_largest_spread(&third), 0.0, 0.0, 0.0);
    assert_close(carom_propagative_pair_spread(&third, -1.0, 0.3), 0.0, 0.0, 0.0);
}

TEST(property, orders_agree_exactly_in_the_spectrum) {
    // For each k, momenta all around; next to the spectrum some of them end apart.
    for (int k = 2; k <= 12; k++) {
        for (int side = -1; side <= 1; side++) {
            const double gamma = 0.5 * M_PI / k + 0.01 / k * side;
            const double c = -cos(2.0 * gamma);
            const carom_propagative_pair pair = pair_of_cosine(c);
            assert_close(carom_propagative_pair_order(&pair), side == 0 ? k : 0.0, 0.0, 0.0);
            double largest = 0.0;
            for (unsigned long sample = 0; sample < 200; sample++) {
                unsigned long d = 0;
                const double a = draw(SEED + 2, sample, &d, -1.0, 0.0);
                const double b = draw(SEED + 2, sample, &d, -1.0, 0.0);
                const propagative_case x = plane_case(c, a, b);
                double p[2][2] = {{0}};
                run_pair(&x, 0, 1e-12, p[0]);
                run_pair(&x, 1, 1e-12, p[1]);
                largest = fmax(largest,
                               hypot(p[0][0] - p[1][0], p[0][1] - p[1][1]) / sqrt(2.0 * x.energy));
            }
            if (side == 0) {
                ck_assert_double_lt(largest, 1e-12);
            } else {
                ck_assert_double_gt(largest, 1e-2 / k);
            }
        }
    }
    // A pair that is off the spectrum by some 1e-8 of a wedge, a hundred roundings of its cosine
    // and more, is not of it; the pair on it is, whatever rounding makes of its cosine.
    for (int k = 2; k <= 12; k++) {
        for (int side = -1; side <= 1; side++) {
            const carom_propagative_pair near = pair_of_cosine(-cos(M_PI / (k + 1e-8 * side * k)));
            assert_close(carom_propagative_pair_order(&near), side == 0 ? k : 0.0, 0.0, 0.0);
        }
    }
    // Acute pairs never: c = 1/2 = -cos(pi/1.5) has whole multiples, but no whole number.
    const carom_propagative_pair half = pair_of_cosine(0.5);
    assert_close(carom_propagative_pair_order(&half), 0.0, 0.0, 0.0);
    // A contact given twice: one wedge is the whole half plane, and not of the spectrum.
    propagative_case twice = {
        .n = 2, .m = 2, .M = {1.0, 0.0, 0.0, 1.0}, .N = {1.0, 0.0, 2.0, 0.0}, .p = {-1.0, 0.0}};
    complete_case(&twice);
    carom_propagative_contacts *contacts = contacts_of(&twice);
    const carom_propagative_pair pair = carom_propagative_pair_of(contacts, 0, 1);
    assert_close(pair.longest, 1.0, 0.0, 0.0);
    assert_close(carom_propagative_pair_order(&pair), 0.0, 0.0, 0.0);
    carom_propagative_contacts_free(contacts);
}

/** Four unit normals of the Gram matrix of cosines -cos(pi/k), k given for the six pairs. */
static propagative_case group_case(int m, const double *orders, unsigned long sample) {
    propagative_case x = {.n = m, .m = m};
    double *G = x.N;
    int pair = 0;
    for (int i = 0; i < m; i++) {
        x.M[i * m + i] = 1.0;
        G[i * m + i] = 1.0;
        for (int j = i + 1; j < m; j++) {
            G[i * m + j] = G[j * m + i] = -cos(M_PI / orders[pair++]);
        }
    }
    gsl_matrix_view view = gsl_matrix_view_array(G, (size_t)m, (size_t)m);
    ck_assert_int_eq(gsl_linalg_cholesky_decomp1(&view.matrix), 0);
    unsigned long d = 0;
    for (int i = 0; i < m; i++) {
        for (int j = i + 1; j < m; j++) {
            G[i * m + j] = 0.0;
        }
        x.p[i] = draw(SEED + 3, sample, &d, -1.0, 1.0);
    }
    complete_case(&x);
    return x;
}

/** The largest difference in a velocity, and in the number of steps, between five rules. */
static double spread_of_rules(const propagative_case *x, int *longest, bool *have_equal_lengths) {
    carom_propagative_contacts *contacts = contacts_of(x);
    carom_propagative_impact *impact;
    assert_ok(carom_propagative_impact_alloc(x->m, MOST_STEPS, &impact));
    double first[MOST_NORMALS] = {0};
    double spread = 0.0;
    int steps = -1;
    *have_equal_lengths = true;
    for (int rule = 0; rule < 5; rule++) {
        carom_propagative_params params = carom_propagative_params_default();
        params.rule = (carom_propagative_rule)rule;
        params.seed = 7;
        assert_ok(
            carom_propagative_impact_run(contacts, &params, 1.0, x->c, x->energy, impact, NULL));
        for (int i = 0; i < x->m; i++) {
            first[i] = rule == 0 ? impact->normal_velocity[i] : first[i];
            spread = fmax(spread, fabs(first[i] - impact->normal_velocity[i]));
        }
        *have_equal_lengths = *have_equal_lengths && (rule == 0 || steps == impact->step_count);
        steps = impact->step_count;
        *longest = steps > *longest ? steps : *longest;
    }
    carom_propagative_impact_free(impact);
    carom_propagative_contacts_free(contacts);
    return spread;
}

TEST(property, finite_groups_of_reflections_have_one_outcome_and_one_length) {
    // A3, B3, H3, I2(7) x A1, D4, F4, H4: pairs 01 02 03 12 13 23 (or 01 02 12), positive roots.
    const double orders[7][6] = {{3, 2, 3},         {4, 2, 3},          {5, 2, 3},
                                 {7, 2, 2},         {3, 3, 3, 2, 2, 2}, {3, 2, 2, 4, 2, 3},
                                 {5, 2, 2, 3, 2, 3}};
    const int size[7] = {3, 3, 3, 3, 4, 4, 4};
    const int roots[7] = {6, 9, 15, 8, 12, 24, 60};
    for (int group = 0; group < 7; group++) {
        int longest = 0;
        bool have_equal_lengths = false;
        for (unsigned long sample = 0; sample < 100; sample++) {
            const propagative_case x = group_case(size[group], orders[group], sample);
            ck_assert_double_lt(spread_of_rules(&x, &longest, &have_equal_lengths), 1e-12);
            ck_assert(have_equal_lengths);
            carom_propagative_contacts *contacts = contacts_of(&x);
            int i = 9;
            ck_assert(carom_propagative_contacts_are_unique(contacts, &i, NULL));
            ck_assert_int_eq(i, -1);
            carom_propagative_contacts_free(contacts);
        }
        ck_assert_int_le(longest, roots[group]);
        // All contacts approach at the momentum opposite to a feasible one: every root.
        propagative_case x = group_case(size[group], orders[group], 0);
        carom_propagative_contacts *contacts = contacts_of(&x);
        for (int k = 0; k < x.n; k++) {
            x.p[k] = -contacts->separator[k];
        }
        carom_propagative_contacts_free(contacts);
        complete_case(&x);
        longest = 0;
        spread_of_rules(&x, &longest, &have_equal_lengths);
        ck_assert_int_eq(longest, roots[group]);
    }
}

TEST(property, one_pair_outside_the_spectrum_makes_some_momentum_indeterminate) {
    double orders[3] = {3.0, 2.0, 3.3};
    propagative_case x = group_case(3, orders, 0);
    carom_propagative_contacts *contacts = contacts_of(&x);
    int i = 0;
    int j = 0;
    ck_assert(!carom_propagative_contacts_are_unique(contacts, &i, &j));
    ck_assert_int_eq(i, 1);
    ck_assert_int_eq(j, 2);
    ck_assert(!carom_propagative_contacts_are_unique(contacts, NULL, NULL));
    carom_propagative_contacts_free(contacts);
    double largest = 0.0;
    for (unsigned long sample = 0; sample < 100; sample++) {
        int longest = 0;
        bool have_equal_lengths;
        x = group_case(3, orders, sample);
        largest = fmax(largest, spread_of_rules(&x, &longest, &have_equal_lengths));
    }
    ck_assert_double_gt(largest, 0.1);
}
