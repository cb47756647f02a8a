/*
 * carom/impact/propagative_impact.h: the paper's example and identities,
 * closed forms, and reflections of momenta with the mass matrix itself as the independent method.
 */
#include <carom/impact/propagative_impact.h>

#include "../failing_malloc.h"
#include "propagative_cases.h"

#include <float.h>

static const unsigned long SEED = 20140501;
enum { MOST_STEPS = 8192, FEW_STEPS = 512, RULES = 5 };

static carom_propagative_params with_rule(carom_propagative_rule rule, int first) {
    carom_propagative_params params = carom_propagative_params_default();
    params.rule = rule;
    params.first = first;
    return params;
}

static carom_propagative_impact *impact_of(int m) {
    carom_propagative_impact *impact;
    assert_ok(carom_propagative_impact_alloc(m, MOST_STEPS, &impact));
    return impact;
}

/** p + Lambda N. */
static void add_impulse(const propagative_case *x, const double *impulse, double *p) {
    memcpy(p, x->p, sizeof x->p);
    for (int i = 0; i < x->m; i++) {
        for (int k = 0; k < x->n; k++) {
            p[k] += impulse[i] * x->N[i * x->n + k];
        }
    }
}

/** Run a chain of balls; velocities after it. @return the number of reflections */
static int run_chain(const propagative_case *x, carom_propagative_params params, double R,
                     double *v_post) {
    carom_propagative_contacts *contacts = contacts_of(x);
    carom_propagative_impact *impact = impact_of(x->m);
    assert_ok(carom_propagative_impact_run(contacts, &params, R, x->c, x->energy, impact, NULL));
    double p[MOST_COORDINATES] = {0};
    add_impulse(x, impact->impulse, p);
    for (int k = 0; k < x->n; k++) {
        v_post[k] = p[k] / x->M[k * x->n + k];
    }
    const int steps = impact->step_count;
    carom_propagative_impact_free(impact);
    carom_propagative_contacts_free(contacts);
    return steps;
}

TEST(unit, the_cradle_exchanges_its_outer_velocities_in_both_orders) {
    // (15): the product of three reflections reverses the order of three equal balls.
    const double masses[3] = {1.7, 1.7, 1.7};
    const double v[3] = {3.0, 1.0, -2.0};
    const propagative_case x = chain_case(3, masses, v);
    for (int first = 0; first < 2; first++) {
        double v_post[3] = {0};
        ck_assert_int_eq(run_chain(&x, with_rule(CAROM_PROPAGATIVE_CYCLIC, first), 1.0, v_post), 3);
        for (int k = 0; k < 3; k++) {
            // A dozen operations on numbers of order 3.
            assert_close(v_post[k], v[2 - k], 0.0, 50.0 * DBL_EPSILON);
        }
    }
    // One ball against two at rest: the second contact is closed, not approaching, but belongs.
    const double struck[3] = {1.0, 0.0, 0.0};
    const propagative_case y = chain_case(3, masses, struck);
    double v_post[3] = {0};
    ck_assert_int_eq(run_chain(&y, carom_propagative_params_default(), 1.0, v_post), 2);
    assert_close(v_post[0], 0.0, 0.0, 10.0 * DBL_EPSILON);
    assert_close(v_post[1], 0.0, 0.0, 10.0 * DBL_EPSILON);
    assert_close(v_post[2], 1.0, 0.0, 10.0 * DBL_EPSILON);
}

TEST(unit, neighbours_of_a_chain_have_the_cosine_of_their_masses) {
    const double masses[4] = {1.3, 0.4, 2.9, 0.8};
    const double v[4] = {1.0, 0.3, -0.2, 0.1};
    const propagative_case x = chain_case(4, masses, v);
    carom_propagative_contacts *contacts = contacts_of(&x);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            double c = i == j ? 1.0 : 0.0;
            if (abs(i - j) == 1) {
                const int a = i < j ? i : j;
                c = -sqrt(masses[a] * masses[a + 2] /
                          ((masses[a] + masses[a + 1]) * (masses[a + 1] + masses[a + 2])));
            }
            assert_close(contacts->cosine[i * 3 + j], c, 0.0, 4.0 * DBL_EPSILON);
        }
        assert_close(contacts->length[i], sqrt(1.0 / masses[i] + 1.0 / masses[i + 1]),
                     4.0 * DBL_EPSILON, 0.0);
    }
    carom_propagative_contacts_free(contacts);
}

TEST(unit, equal_balls_sort_their_velocities_one_exchange_per_inversion) {
    const int sizes[4] = {3, 4, 5, 8};
    const double masses[8] = {0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9, 0.9};
    for (unsigned long sample = 0; sample < 200; sample++) {
        const int balls = sizes[sample % 4];
        unsigned long d = 0;
        double v[8] = {0};
        for (int k = 0; k < balls; k++) {
            v[k] = draw(SEED, sample, &d, -1.0, 1.0);
        }
        const propagative_case x = chain_case(balls, masses, v);
        int inversions = 0;
        for (int i = 0; i < balls; i++) {
            for (int j = i + 1; j < balls; j++) {
                inversions += v[i] > v[j] ? 1 : 0;
            }
        }
        for (int rule = 0; rule < RULES; rule++) {
            double v_post[8] = {0};
            ck_assert_int_eq(run_chain(&x, with_rule((carom_propagative_rule)rule, 1), 1.0, v_post),
                             inversions);
            for (int k = 0; k < balls; k++) {
                int rank = 0;
                for (int j = 0; j < balls; j++) {
                    rank += v[j] < v[k] ? 1 : 0;
                }
                // Up to 28 reflections of numbers below one.
                assert_close(v_post[rank], v[k], 0.0, 200.0 * DBL_EPSILON);
            }
        }
    }
}

TEST(unit, the_last_of_eight_balls_alone_leaves_with_all_the_speed) {
    const double masses[8] = {2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0};
    const double v[8] = {2.385};
    const propagative_case x = chain_case(8, masses, v);
    double v_post[8] = {0};
    ck_assert_int_eq(run_chain(&x, carom_propagative_params_default(), 1.0, v_post), 7);
    for (int k = 0; k < 8; k++) {
        assert_close(v_post[k], k == 7 ? 2.385 : 0.0, 0.0, 20.0 * DBL_EPSILON);
    }
}

TEST(unit, a_wall_and_two_blocks_count_the_digits_of_pi) {
    // The heavy block pushes the light one against a wall: floor(pi sqrt(m_heavy/m_light)).
    const double heavy[4] = {1.0, 1e2, 1e4, 1e6};
    const int counts[4] = {3, 31, 314, 3141};
    for (int k = 0; k < 4; k++) {
        propagative_case x = {
            .n = 2, .m = 2, .M = {1.0, 0.0, 0.0, heavy[k]}, .N = {1.0, 0.0, -1.0, 1.0}};
        x.p[1] = -heavy[k];
        complete_case(&x);
        for (int rule = 0; rule < RULES; rule++) {
            double v_post[2] = {0};
            ck_assert_int_eq(run_chain(&x, with_rule((carom_propagative_rule)rule, 0), 1.0, v_post),
                             counts[k]);
        }
    }
}

TEST(unit, rules_choose_as_they_say) {
    // Orthogonal contacts: each approaching one is reflected once, in the order of the rule.
    propagative_case x = {.n = 5, .m = 5, .p = {-0.3, -0.7, 0.2, -0.5, -0.7}};
    for (int k = 0; k < 5; k++) {
        x.M[6 * k] = 1.0;
        x.N[6 * k] = 1.0 + k; // lengths do not matter
    }
    complete_case(&x);
    const int expected[4][4] = {{1, 4, 3, 0}, {0, 3, 1, 4}, {0, 1, 3, 4}, {3, 4, 0, 1}};
    carom_propagative_contacts *contacts = contacts_of(&x);
    carom_propagative_impact *impact = impact_of(5);
    for (int rule = 0; rule < 4; rule++) {
        const carom_propagative_params params = with_rule((carom_propagative_rule)rule, 2);
        assert_ok(
            carom_propagative_impact_run(contacts, &params, 1.0, x.c, x.energy, impact, NULL));
        ck_assert_int_eq(impact->step_count, 4);
        for (int k = 0; k < 4; k++) {
            const int i = expected[rule][k];
            ck_assert_int_eq(impact->sequence[k], i);
            assert_close(impact->step_impulse[k], -2.0 * x.p[i] / (1.0 + i), 1e-15, 0.0);
        }
    }
    // Random choices: all four contacts come first for some seed, each in about a quarter.
    int begins[5] = {0};
    carom_propagative_params params = with_rule(CAROM_PROPAGATIVE_RANDOM, 0);
    for (params.seed = 0; params.seed < 400; params.seed++) {
        assert_ok(
            carom_propagative_impact_run(contacts, &params, 1.0, x.c, x.energy, impact, NULL));
        begins[impact->sequence[0]]++;
    }
    ck_assert_int_eq(begins[2], 0);
    for (int k = 0; k < 5; k++) {
        // Six standard deviations of sqrt(400 3/16).
        ck_assert(k == 2 || abs(begins[k] - 100) < 52);
    }
    carom_propagative_impact_free(impact);
    carom_propagative_contacts_free(contacts);
}

TEST(unit, a_separating_contact_can_be_made_to_approach) {
    const propagative_case x = plane_case(-0.5, -1.0, 0.3);
    carom_propagative_contacts *contacts = contacts_of(&x);
    double c[2] = {x.c[0], x.c[1]};
    assert_close(carom_propagative_reflect(contacts, 0, c), 2.0, 1e-15, 0.0);
    assert_close(c[0], 1.0, 1e-15, 0.0);
    assert_close(c[1], -0.7, 1e-15, 0.0);
    carom_propagative_impact *impact = impact_of(2);
    const carom_propagative_params params = carom_propagative_params_default();
    assert_ok(carom_propagative_impact_run(contacts, &params, 1.0, x.c, x.energy, impact, NULL));
    ck_assert_int_eq(impact->step_count, 2);
    assert_close(impact->normal_velocity[0], 0.3, 0.0, 1e-15);
    assert_close(impact->normal_velocity[1], 0.7, 1e-15, 0.0);
    carom_propagative_impact_free(impact);
    carom_propagative_contacts_free(contacts);
}

TEST(unit, speeds_within_the_tolerance_are_feasible) {
    const propagative_case x = plane_case(0.2, -1e-4, 1e3);
    carom_propagative_contacts *contacts = contacts_of(&x);
    carom_propagative_impact *impact = impact_of(2);
    carom_propagative_params params = carom_propagative_params_default();
    for (int k = 0; k < 2; k++) {
        params.tolerance = k == 0 ? 1.1e-4 / sqrt(2.0 * x.energy) : 0.9e-4 / sqrt(2.0 * x.energy);
        assert_ok(
            carom_propagative_impact_run(contacts, &params, 1.0, x.c, x.energy, impact, NULL));
        ck_assert_int_eq(impact->step_count, k);
        assert_close(impact->residual, k == 0 ? 1e-4 / sqrt(2.0 * x.energy) : 0.0, 1e-8, 0.0);
    }
    // A body at rest has nothing to do.
    const double rest[2] = {0.0, 0.0};
    assert_ok(carom_propagative_impact_run(contacts, &params, 1.0, rest, 0.0, impact, NULL));
    ck_assert_int_eq(impact->step_count, 0);
    assert_close(impact->energy_error, 0.0, 0.0, 0.0);
    carom_propagative_impact_free(impact);
    carom_propagative_contacts_free(contacts);
}

TEST(unit, a_ball_on_two_loses_the_energy_of_its_restitution) {
    // (1 - R^2) 2/3 of the energy; the velocities are R (0,0,1) + (1-R)(1,1,1)/3.
    const double restitution[3] = {1.0, 0.7, 0.0};
    const double masses[3] = {1.0, 1.0, 1.0};
    const double v[3] = {1.0, 0.0, 0.0};
    const propagative_case x = chain_case(3, masses, v);
    carom_propagative_contacts *contacts = contacts_of(&x);
    carom_propagative_impact *impact = impact_of(2);
    for (int k = 0; k < 3; k++) {
        const double R = restitution[k];
        const carom_propagative_params params = carom_propagative_params_default();
        double v_post[3] = {0};
        run_chain(&x, params, R, v_post);
        assert_close(v_post[0], (1.0 - R) / 3.0, 0.0, 1e-15);
        assert_close(v_post[1], (1.0 - R) / 3.0, 0.0, 1e-15);
        assert_close(v_post[2], (1.0 + 2.0 * R) / 3.0, 0.0, 1e-15);
        assert_ok(carom_propagative_impact_run(contacts, &params, R, x.c, x.energy, impact, NULL));
        assert_close(impact->energy_change / x.energy, -(1.0 - R * R) * 2.0 / 3.0, 0.0, 1e-15);
        ck_assert_int_eq(isnan(impact->plastic_loss) != 0, k == 0);
        if (k > 0) {
            assert_close(impact->plastic_loss, 1.0 / 3.0, 1e-15, 0.0);
        }
    }
    carom_propagative_impact_free(impact);
    carom_propagative_contacts_free(contacts);
}

TEST(unit, acute_contacts_held_pull_and_released_do_not) {
    const propagative_case x = plane_case(0.5, -1.0, -0.2);
    carom_propagative_contacts *contacts = contacts_of(&x);
    carom_propagative_impact *impact = impact_of(2);
    double impulse[2] = {0};
    assert_ok(carom_propagative_plastic(contacts, CAROM_PROPAGATIVE_HELD, x.c, impulse, impact));
    assert_close(impulse[0], 1.2, 1e-14, 0.0);
    assert_close(impulse[1], -0.4, 1e-14, 0.0);
    assert_ok(
        carom_propagative_plastic(contacts, CAROM_PROPAGATIVE_RELEASED, x.c, impulse, impact));
    assert_close(impulse[0], 1.0, 1e-14, 0.0);
    assert_close(impulse[1], 0.0, 0.0, 1e-15);
    carom_propagative_impact_free(impact);
    carom_propagative_contacts_free(contacts);
}

TEST(property, reflections_are_isometries_that_undo_themselves_whatever_the_scale) {
    for (unsigned long sample = 0; sample < 300; sample++) {
        const int n = 2 + (int)(sample % 5);
        const int m = 2 + (int)(sample % 4);
        propagative_case x = random_case(SEED, sample, n, m);
        carom_propagative_contacts *contacts = contacts_of(&x);
        for (int i = 0; i < m; i++) {
            double p[MOST_COORDINATES] = {0};
            double c[MOST_NORMALS] = {0};
            memcpy(p, x.p, sizeof p);
            memcpy(c, x.c, sizeof c);
            const double expected = reflect_momentum(&x, i, p);
            // Lambda and all velocities as from the momentum; conditioning of M below 100.
            assert_close(carom_propagative_reflect(contacts, i, c), expected, 1e-12, 1e-13);
            for (int j = 0; j < m; j++) {
                assert_close(c[j], dot(n, p, x.Y + j * n), 0.0, 1e-11);
            }
            assert_close(0.5 * metric_product(&x, p, p), x.energy, 1e-12, 0.0);
            // (8), c being back.
            carom_propagative_reflect(contacts, i, c);
            for (int j = 0; j < m; j++) {
                assert_close(c[j], x.c[j], 0.0, 1e-12);
            }
        }
        // (9): the velocities of normals alpha u are alpha times, impulses 1/alpha times as large.
        propagative_case scaled = x;
        for (int k = 0; k < m * n; k++) {
            scaled.N[k] *= 7.3;
        }
        complete_case(&scaled);
        carom_propagative_contacts *others = contacts_of(&scaled);
        double c[MOST_NORMALS] = {0};
        double d[MOST_NORMALS] = {0};
        memcpy(c, x.c, sizeof c);
        memcpy(d, scaled.c, sizeof d);
        const double once = carom_propagative_reflect(contacts, 0, c);
        assert_close(7.3 * carom_propagative_reflect(others, 0, d), once, 1e-12, 1e-13);
        for (int j = 0; j < m; j++) {
            assert_close(d[j], 7.3 * c[j], 1e-11, 1e-11);
        }
        carom_propagative_contacts_free(others);
        carom_propagative_contacts_free(contacts);
    }
}

/** A finished impact against reflections of the momentum in the same order. */
static void verify_impact(const propagative_case *x, const carom_propagative_contacts *contacts,
                          const carom_propagative_impact *impact, double precision) {
    const double norm = sqrt(2.0 * x->energy);
    double p[MOST_COORDINATES] = {0};
    double q[MOST_COORDINATES] = {0};
    double sum[MOST_NORMALS] = {0};
    double all = 0.0;
    memcpy(p, x->p, sizeof p);
    for (int k = 0; k < impact->step_count; k++) {
        const int i = impact->sequence[k];
        const double size = contacts->length[i] * norm;
        ck_assert_double_lt(dot(x->n, p, x->Y + i * x->n), precision * size);
        assert_close(impact->step_impulse[k], reflect_momentum(x, i, p), 0.0,
                     precision * norm / contacts->length[i]);
        ck_assert_double_gt(impact->step_impulse[k], 0.0);
        sum[i] += impact->step_impulse[k];
        all += impact->step_impulse[k] * contacts->length[i];
    }
    ck_assert_double_le(all * contacts->separation, 2.0 * norm * (1.0 + 1e-12));
    add_impulse(x, impact->impulse, q);
    for (int k = 0; k < x->n; k++) {
        q[k] -= p[k];
    }
    assert_close(sqrt(metric_product(x, q, q)) / norm, 0.0, 0.0, precision);
    for (int i = 0; i < x->m; i++) {
        const double size = contacts->length[i] * norm;
        assert_close(impact->impulse[i], sum[i], 1e-12, 1e-15);
        assert_close(impact->normal_velocity[i], dot(x->n, p, x->Y + i * x->n), 0.0,
                     precision * size);
        ck_assert_double_ge(impact->normal_velocity[i], -precision * size);
    }
    ck_assert_double_le(impact->residual, precision);
    ck_assert_double_le(impact->energy_error, 1e-12);
    ck_assert_double_le(fabs(impact->energy_change), 1e-12 * x->energy);
}

TEST(property, two_contacts_end_within_the_sharp_bound_at_constant_energy) {
    carom_propagative_contacts *contacts;
    assert_ok(carom_propagative_contacts_alloc(2, 2, &contacts));
    carom_propagative_impact *impact = impact_of(2);
    int attained = 0;
    for (unsigned long sample = 0; sample < 100000; sample++) {
        unsigned long d = 0;
        const double gamma = draw(SEED + 1, sample, &d, 0.02, 1.55);
        const double angle = draw(SEED + 1, sample, &d, -M_PI, M_PI);
        const double c = -cos(2.0 * gamma);
        // p at an angle to u in the plane.
        const propagative_case x =
            plane_case(c, cos(angle), c * cos(angle) + sin(2.0 * gamma) * sin(angle));
        carom_status status = carom_propagative_contacts_set(contacts, x.L, x.N, NULL);
        const carom_propagative_params params =
            with_rule((carom_propagative_rule)(sample % RULES), (int)(sample % 2));
        if (status == CAROM_OK) {
            status =
                carom_propagative_impact_run(contacts, &params, 1.0, x.c, x.energy, impact, NULL);
        }
        const int bound = (int)ceil(M_PI / (2.0 * gamma));
        // One assertion for each of so many cases would take longer than the cases.
        if (status != CAROM_OK || impact->step_count > bound ||
            !(impact->energy_error <= 1e-12 && impact->residual <= 1e-11) ||
            !(fabs(contacts->separation / sin(gamma) - 1.0) <= 1e-10)) {
            ck_abort_msg("sample %lu, gamma = %.17g", sample, gamma);
        }
        attained += impact->step_count == bound ? 1 : 0;
        // Up to 79 reflections, normals of an opening of 0.02.
        if (sample % 50 == 0) {
            verify_impact(&x, contacts, impact, 1e-11);
        }
    }
    ck_assert_int_gt(attained, 1000);
    carom_propagative_impact_free(impact);
    carom_propagative_contacts_free(contacts);
}

TEST(property, any_number_of_contacts_ends_under_every_rule_at_constant_energy) {
    int longest = 0;
    for (unsigned long sample = 0; sample < 10000; sample++) {
        const int n = 3 + (int)(sample % 4);
        const int m = 3 + (int)(sample / 4 % 8);
        const propagative_case x = random_case(SEED + 2, sample, n, m);
        carom_propagative_contacts *contacts = contacts_of(&x);
        double least = HUGE_VAL;
        for (int i = 0; i < m; i++) {
            least = fmin(least, dot(n, contacts->unit_normal + i * n, contacts->separator));
        }
        assert_close(contacts->separation, least, 0.0, 1e-15);
        assert_close(dot(n, contacts->separator, contacts->separator), 1.0, 1e-14, 0.0);
        carom_propagative_impact *impact;
        assert_ok(carom_propagative_impact_alloc(m, FEW_STEPS, &impact));
        carom_propagative_params params =
            with_rule((carom_propagative_rule)(sample % RULES), (int)(sample % 3));
        params.seed = sample;
        assert_ok(
            carom_propagative_impact_run(contacts, &params, 1.0, x.c, x.energy, impact, NULL));
        if (sample % 10 == 0) {
            verify_impact(&x, contacts, impact, 1e-11);
        } else if (!(impact->energy_error <= 1e-12 && impact->residual <= 1e-11)) {
            ck_abort_msg("sample %lu", sample);
        }
        longest = impact->step_count > longest ? impact->step_count : longest;
        carom_propagative_impact_free(impact);
        carom_propagative_contacts_free(contacts);
    }
    ck_assert_int_gt(longest, 20);
}

TEST(property, restitution_is_the_root_of_the_energy_that_is_kept) {
    for (unsigned long sample = 0; sample < 500; sample++) {
        const int n = 3 + (int)(sample % 4);
        const int m = 1 + (int)(sample % 5); // some with more contacts than coordinates
        const propagative_case x = random_case(SEED + 3, sample, n, m);
        carom_propagative_contacts *contacts = contacts_of(&x);
        carom_propagative_impact *impact = impact_of(m);
        double p[3][MOST_COORDINATES] = {{0}};
        double energy[3] = {0};
        const double R[3] = {1.0, 0.0, carom_counter_uniform(SEED + 4, sample, 0)};
        for (int k = 0; k < 3; k++) {
            const carom_propagative_params params = carom_propagative_params_default();
            assert_ok(
                carom_propagative_impact_run(contacts, &params, R[k], x.c, x.energy, impact, NULL));
            add_impulse(&x, impact->impulse, p[k]);
            energy[k] = 0.5 * metric_product(&x, p[k], p[k]);
            assert_close(impact->energy_change, energy[k] - x.energy, 0.0, 1e-11 * x.energy);
            for (int i = 0; i < m; i++) {
                ck_assert_double_ge(impact->normal_velocity[i], -1e-10);
            }
        }
        // (18), and (16) with E_p the energy that the plastic impact loses.
        assert_close(metric_product(&x, p[1], p[0]), 2.0 * energy[1], 0.0, 1e-10 * x.energy);
        const double plastic_loss = x.energy - energy[1];
        assert_close(impact->plastic_loss, plastic_loss, 0.0, 1e-11 * x.energy);
        assert_close(x.energy - energy[2], (1.0 - R[2] * R[2]) * plastic_loss, 0.0,
                     1e-11 * x.energy);
        carom_propagative_impact_free(impact);
        carom_propagative_contacts_free(contacts);
    }
}

TEST(property, plastic_impacts_project_and_released_ones_are_complementary) {
    for (unsigned long sample = 0; sample < 500; sample++) {
        const int n = 2 + (int)(sample % 4);
        const int m = 1 + (int)(sample % 7); // often dependent
        const propagative_case x = random_case(SEED + 5, sample, n, m);
        carom_propagative_contacts *contacts = contacts_of(&x);
        carom_propagative_impact *impact = impact_of(m);
        double held[MOST_NORMALS] = {0};
        double released[MOST_NORMALS] = {0};
        double p[MOST_COORDINATES] = {0};
        assert_ok(carom_propagative_plastic(contacts, CAROM_PROPAGATIVE_HELD, x.c, held, impact));
        assert_ok(
            carom_propagative_plastic(contacts, CAROM_PROPAGATIVE_RELEASED, x.c, released, impact));
        // Tangent to every contact and moved along normals alone: the projection.
        add_impulse(&x, held, p);
        bool pulls = false;
        for (int i = 0; i < m; i++) {
            assert_close(dot(n, p, x.Y + i * n), 0.0, 0.0, 1e-8);
            pulls = pulls || held[i] < 0.0;
        }
        const double held_energy = metric_product(&x, p, p);
        // Karush, Kuhn and Tucker; less is taken from the energy.
        add_impulse(&x, released, p);
        for (int i = 0; i < m; i++) {
            const double speed = dot(n, p, x.Y + i * n);
            ck_assert_double_ge(released[i], 0.0);
            ck_assert_double_ge(speed, -1e-8);
            assert_close(released[i] * speed, 0.0, 0.0, 1e-8);
        }
        ck_assert_double_ge(metric_product(&x, p, p), held_energy - 1e-8);
        if (!pulls) {
            assert_close(metric_product(&x, p, p), held_energy, 0.0, 1e-8);
        }
        carom_propagative_impact_free(impact);
        carom_propagative_contacts_free(contacts);
    }
}

TEST(unit, dependent_normals_share_the_impulse_evenly) {
    // A contact given twice, with another length: half the impulse in unit normals for each.
    const propagative_case once = plane_case(0.1, -1.0, -0.4);
    propagative_case x = once;
    x.m = 3;
    x.N[4] = 2.5;
    x.N[5] = 0.0;
    complete_case(&x);
    carom_propagative_contacts *single = contacts_of(&once);
    carom_propagative_contacts *contacts = contacts_of(&x);
    carom_propagative_impact *impact = impact_of(3);
    carom_propagative_impact *two = impact_of(2);
    double impulse[3] = {0};
    double expected[2] = {0};
    assert_ok(carom_propagative_plastic(contacts, CAROM_PROPAGATIVE_HELD, x.c, impulse, impact));
    assert_ok(carom_propagative_plastic(single, CAROM_PROPAGATIVE_HELD, once.c, expected, two));
    assert_close(impulse[0], 0.5 * expected[0], 1e-13, 0.0);
    assert_close(2.5 * impulse[2], 0.5 * expected[0], 1e-13, 0.0);
    assert_close(impulse[1], expected[1], 1e-13, 0.0);
    // The sequence reflects across one of them.
    const carom_propagative_params params = carom_propagative_params_default();
    assert_ok(carom_propagative_impact_run(contacts, &params, 1.0, x.c, x.energy, impact, NULL));
    assert_ok(carom_propagative_impact_run(single, &params, 1.0, once.c, once.energy, two, NULL));
    ck_assert_int_eq(impact->step_count, two->step_count);
    assert_close(impact->normal_velocity[1], two->normal_velocity[1], 1e-14, 0.0);
    carom_propagative_impact_free(impact);
    carom_propagative_impact_free(two);
    carom_propagative_contacts_free(contacts);
    carom_propagative_contacts_free(single);
}

TEST(unit, an_impact_problem_has_its_normal_rows_alone) {
    const propagative_case x = random_case(SEED + 6, 3, 4, 3);
    double J_t[12] = {0.3, 0.1};
    const double mu[3] = {0.5, 0.0, 1.0};
    double v[4] = {0};
    solve_mass(&x, x.p, v);
    carom_impact_problem *problem;
    assert_ok(carom_impact_problem_alloc(4, 3, 1, x.M, x.N, J_t, mu, v, &problem, NULL));
    carom_propagative_contacts *contacts;
    assert_ok(carom_propagative_contacts_of_problem(problem, &contacts, NULL));
    carom_propagative_contacts *expected = contacts_of(&x);
    for (int k = 0; k < 9; k++) {
        assert_close(contacts->cosine[k], expected->cosine[k], 0.0, 1e-14);
        const int i = k / 3;
        const int j = k % 3;
        assert_close(contacts->length[i] * contacts->cosine[k] * contacts->length[j],
                     problem->delassus_matrix[i * problem->row_count + j], 1e-12, 1e-13);
    }
    carom_propagative_contacts_free(contacts);
    carom_propagative_contacts_free(expected);
    carom_impact_problem_free(problem);
}

TEST(errors, contacts_that_cannot_be_separated_are_refused) {
    // Three normals at 120 degrees, and two opposite ones, reflect for ever.
    const double I[4] = {1.0, 0.0, 0.0, 1.0};
    const double h = sqrt(0.75);
    const double triple[6] = {1.0, 0.0, -0.5, h, -0.5, -h};
    const double opposite[4] = {0.6, 0.8, -1.2, -1.6};
    const double wide[6] = {1.0, 0.0, -0.49, h, -0.51, -0.8};
    carom_propagative_contacts *three;
    carom_propagative_contacts *two;
    assert_ok(carom_propagative_contacts_alloc(2, 3, &three));
    assert_ok(carom_propagative_contacts_alloc(2, 2, &two));
    carom_report report = carom_report_empty();
    assert_status(carom_propagative_contacts_set(three, I, triple, &report), CONFLICT);
    ck_assert_str_eq(report.quantity, "contacts that cannot be separated at once");
    assert_status(carom_propagative_contacts_set(two, I, opposite, &report), CONFLICT);
    assert_status(carom_propagative_contacts_set(three, I, wide, &report), CONFLICT);
    // The sum of the normals does not separate these; the widest direction (0, 1) does.
    const double crowd[8] = {-0.9, 0.1, -0.9, 0.1, -0.9, 0.1, 0.9, 0.1};
    carom_propagative_contacts *four;
    assert_ok(carom_propagative_contacts_alloc(2, 4, &four));
    assert_ok(carom_propagative_contacts_set(four, I, crowd, NULL));
    assert_close(four->separation, 0.1 / sqrt(0.82), 1e-12, 0.0);
    assert_close(four->separator[1], 1.0, 1e-12, 0.0);
    carom_propagative_contacts_free(two);
    carom_propagative_contacts_free(three);
    carom_propagative_contacts_free(four);
    carom_propagative_contacts_free(NULL);
}

TEST(errors, malformed_normals_are_refused) {
    const double L[4] = {1.0, (double)NAN, 0.5, 2.0}; // the upper half is not read
    const double bad_value[4] = {1.0, 0.0, 0.5, (double)NAN};
    const double bad_sign[4] = {1.0, 0.0, 0.5, -2.0};
    const double normals[4] = {1.0, 0.0, 0.0, 1.0};
    const double zero[4] = {1.0, 0.0, 0.0, 0.0};
    const double infinite[4] = {1.0, 0.0, HUGE_VAL, 1.0};
    const double overflow[4] = {1.0, 0.0, 0.0, 1e308};
    const double tiny[4] = {1e-300, 0.0, 0.0, 0.1};
    carom_propagative_contacts *contacts;
    carom_report report = carom_report_empty();
    assert_ok(carom_propagative_contacts_alloc(2, 2, &contacts));
    assert_ok(carom_propagative_contacts_set(contacts, L, normals, &report));
    assert_status(carom_propagative_contacts_set(contacts, bad_value, normals, &report),
                  NOT_FINITE);
    ck_assert_str_eq(report.quantity, "mass factor");
    assert_status(carom_propagative_contacts_set(contacts, bad_sign, normals, &report),
                  OUT_OF_RANGE);
    ck_assert_int_eq(report.index, 3);
    assert_status(carom_propagative_contacts_set(contacts, L, infinite, &report), NOT_FINITE);
    ck_assert_str_eq(report.quantity, "normal");
    ck_assert_int_eq(report.index, 1);
    assert_status(carom_propagative_contacts_set(contacts, L, zero, &report), OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "length of a normal");
    ck_assert_int_eq(report.index, 1);
    const double small[4] = {1.0, 0.0, 0.0, 1e-3};
    assert_status(carom_propagative_contacts_set(contacts, small, overflow, &report), NOT_FINITE);
    // Units do not matter.
    assert_ok(carom_propagative_contacts_set(contacts, L, tiny, &report));
    assert_close(contacts->cosine[0], 1.0, 0.0, 0.0);
    carom_propagative_contacts_free(contacts);
}

/** A run that fails with nothing but NaN left. */
static void assert_refused(const carom_propagative_contacts *contacts,
                           carom_propagative_params params, double R, const double *c,
                           double energy, carom_propagative_impact *impact, carom_status expected,
                           const char *quantity) {
    carom_report report = carom_report_empty();
    ck_assert_int_eq(carom_propagative_impact_run(contacts, &params, R, c, energy, impact, &report),
                     expected);
    ck_assert_str_eq(report.quantity, quantity);
    ck_assert_int_eq(impact->step_count, 0);
    ck_assert(isnan(impact->energy_change) && isnan(impact->energy_error));
    ck_assert(isnan(impact->residual) && isnan(impact->plastic_loss));
    for (int i = 0; i < impact->contact_count; i++) {
        ck_assert(isnan(impact->impulse[i]) && isnan(impact->normal_velocity[i]));
    }
}

TEST(errors, malformed_impacts_are_refused) {
    const propagative_case x = plane_case(-0.9, -1.0, -0.3);
    carom_propagative_contacts *contacts = contacts_of(&x);
    carom_propagative_impact *impact = impact_of(2);
    const carom_propagative_params good = carom_propagative_params_default();
    carom_propagative_params bad = good;
    bad.rule = (carom_propagative_rule)9;
    assert_refused(contacts, bad, 1.0, x.c, x.energy, impact, CAROM_STATUS_OUT_OF_RANGE, "rule");
    for (int k = 0; k < 2; k++) {
        bad = with_rule(CAROM_PROPAGATIVE_CYCLIC, k == 0 ? -1 : 2);
        assert_refused(contacts, bad, 1.0, x.c, x.energy, impact, CAROM_STATUS_OUT_OF_RANGE,
                       "first contact");
    }
    const double tolerances[3] = {0.0, 1.0, (double)NAN};
    const double restitutions[3] = {-0.1, 1.1, (double)NAN};
    for (int k = 0; k < 3; k++) {
        bad = good;
        bad.tolerance = tolerances[k];
        assert_refused(contacts, bad, 1.0, x.c, x.energy, impact, CAROM_STATUS_OUT_OF_RANGE,
                       "tolerance");
        assert_refused(contacts, good, restitutions[k], x.c, x.energy, impact,
                       CAROM_STATUS_OUT_OF_RANGE, "restitution");
    }
    assert_refused(contacts, good, 1.0, x.c, -1.0, impact, CAROM_STATUS_OUT_OF_RANGE,
                   "kinetic energy");
    assert_refused(contacts, good, 1.0, x.c, HUGE_VAL, impact, CAROM_STATUS_NOT_FINITE,
                   "kinetic energy");
    assert_refused(contacts, good, 1.0, x.c, 0.49, impact, CAROM_STATUS_OUT_OF_RANGE,
                   "normal velocity beside the kinetic energy");
    const double c[2] = {-1.0, (double)NAN};
    assert_refused(contacts, good, 1.0, c, x.energy, impact, CAROM_STATUS_NOT_FINITE,
                   "normal velocity");
    double impulse[2] = {0};
    assert_status(carom_propagative_plastic(contacts, CAROM_PROPAGATIVE_HELD, c, impulse, impact),
                  NOT_FINITE);
    ck_assert(isnan(impulse[0]) && isnan(impulse[1]));
    carom_propagative_impact_free(impact);
    // Too little room, and an energy too small for the speeds together.
    assert_ok(carom_propagative_impact_alloc(2, 1, &impact));
    assert_refused(contacts, good, 1.0, x.c, x.energy, impact, CAROM_STATUS_NOT_CONVERGED,
                   "number of reflections");
    carom_propagative_impact_free(impact);
    impact = impact_of(2);
    assert_refused(contacts, good, 1.0, x.c, 0.5, impact, CAROM_STATUS_NOT_CONVERGED,
                   "sum of the impulses");
    carom_propagative_impact_free(impact);
    carom_propagative_impact_free(NULL);
    carom_propagative_contacts_free(contacts);
}

TEST(errors, without_memory_nothing_is_returned_and_nothing_is_lost) {
    const double I[4] = {1.0, 0.0, 0.0, 1.0};
    const double crowd[8] = {-0.9, 0.1, -0.9, 0.1, -0.9, 0.1, 0.9, 0.1};
    const double J_t[8] = {0};
    const double mu[4] = {0};
    const double v[2] = {0.3, -1.0};
    carom_impact_problem *problem;
    assert_ok(carom_impact_problem_alloc(2, 4, 1, I, crowd, J_t, mu, v, &problem, NULL));
    carom_propagative_contacts *contacts = NULL;
    carom_propagative_impact *impact = NULL;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int failures = 0;
    for (; status != CAROM_OK; failures++) {
        successes_left = failures;
        status = carom_propagative_contacts_of_problem(problem, &contacts, NULL);
        successes_left = -1;
        ck_assert(status == CAROM_OK || (status == CAROM_STATUS_OUT_OF_MEMORY && !contacts));
    }
    ck_assert_int_gt(failures, 6);
    status = CAROM_STATUS_OUT_OF_MEMORY;
    for (failures = 0; status != CAROM_OK; failures++) {
        successes_left = failures;
        status = carom_propagative_impact_alloc(4, 16, &impact);
        successes_left = -1;
        ck_assert(status == CAROM_OK || (status == CAROM_STATUS_OUT_OF_MEMORY && !impact));
    }
    ck_assert_int_gt(failures, 10);
    // Nothing is allocated by an impact, of dependent normals as here or not.
    const carom_propagative_params params = carom_propagative_params_default();
    allocations = 0;
    status = carom_propagative_impact_run(contacts, &params, 0.3, problem->contact_velocity,
                                          problem->kinetic_energy, impact, NULL);
    const int asked = allocations;
    assert_ok(status);
    ck_assert_int_eq(asked, 0);
    carom_propagative_impact_free(impact);
    carom_propagative_contacts_free(contacts);
    carom_impact_problem_free(problem);
}
