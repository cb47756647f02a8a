/* The propagative model as an impact law: closed forms, and sequences of reflections of momenta
 * with the mass matrix itself, all of them by recursion, as the independent method. */

#include "../failing_malloc.h"
#include "add_law.h"
#include "propagative_cases.h"

static const unsigned long SEED = 20140502;
enum { MOST_OUTCOMES = 64 };

/** Momenta that sequences end with, and how many of them. */
typedef struct plain_ends {
    int count;
    int sequences;
    double p[MOST_OUTCOMES][MOST_COORDINATES];
    int multiplicity[MOST_OUTCOMES];
} plain_ends;

/** |a - b| in the metric. */
static double separation(const propagative_case *x, const double *a, const double *b) {
    double difference[MOST_COORDINATES] = {0};
    for (int k = 0; k < x->n; k++) {
        difference[k] = a[k] - b[k];
    }
    return sqrt(metric_product(x, difference, difference));
}

/** Follow every sequence from p on; momenta within 1e-9 of each other are one. */
static void follow(const propagative_case *x, const double *p, plain_ends *ends) {
    bool is_feasible = true;
    for (int i = 0; i < x->m; i++) {
        const double *u = x->N + i * x->n;
        const double slowest = -1e-12 * sqrt(2.0 * x->energy * metric_product(x, u, u));
        if (dot(x->n, p, x->Y + i * x->n) < slowest) {
            is_feasible = false;
            double next[MOST_COORDINATES] = {0};
            memcpy(next, p, sizeof next);
            reflect_momentum(x, i, next);
            follow(x, next, ends);
        }
    }
    if (!is_feasible) {
        return;
    }
    int k = 0;
    while (k < ends->count && separation(x, ends->p[k], p) > 1e-9 * sqrt(2.0 * x->energy)) {
        k++;
    }
    ck_assert_int_lt(k, MOST_OUTCOMES);
    memcpy(ends->p[k], p, sizeof ends->p[k]);
    ends->count += k == ends->count ? 1 : 0;
    ends->multiplicity[k]++;
    ends->sequences++;
}

/** The problem of a case with random tangents, which must not matter. */
static carom_impact_problem *problem_of(const propagative_case *x, int t) {
    double tangents[2 * MOST_NORMALS * MOST_COORDINATES] = {0};
    const double mu[MOST_NORMALS] = {0};
    double v[MOST_COORDINATES] = {0};
    unsigned long d = 0;
    for (int k = 0; k < t * x->m * x->n; k++) {
        tangents[k] = draw(SEED, 77, &d, -1.0, 1.0);
    }
    solve_mass(x, x->p, v);
    carom_impact_problem *problem = NULL;
    assert_ok(
        carom_impact_problem_alloc(x->n, x->m, t, x->M, x->N, tangents, mu, v, &problem, NULL));
    return problem;
}

static carom_impact_outcomes *outcomes_for(const carom_impact_problem *problem) {
    carom_impact_outcomes *outcomes = NULL;
    assert_ok(carom_impact_outcomes_alloc(problem, &outcomes));
    return outcomes;
}

/* The same problem with one coefficient of restitution, borrowed until the next call. */
static carom_impact_problem with_restitution(const carom_impact_problem *problem, double R) {
    static double e[MOST_NORMALS];
    carom_impact_problem other = *problem;
    for (int i = 0; i < problem->contact_count; i++) {
        e[i] = R;
    }
    other.restitution = e;
    return other;
}

static carom_status apply_all(const carom_impact_problem *problem, double R,
                              carom_impact_outcomes *outcomes) {
    const carom_impact_problem own = with_restitution(problem, R);
    return add_law(&carom_impact_law_propagative, &own, NULL, outcomes, NULL);
}

static carom_status apply_rule(const carom_impact_problem *problem, carom_propagative_rule rule,
                               double R, carom_impact_outcomes *outcomes) {
    carom_impact_law_params params = carom_impact_law_params_default();
    params.has_rule = true;
    params.rule.rule = rule;
    params.rule.seed = 5;
    const carom_impact_problem own = with_restitution(problem, R);
    return add_law(&carom_impact_law_propagative, &own, &params, outcomes, NULL);
}

/** p+ = M v+ of an outcome. */
static void momentum_of(const propagative_case *x, const carom_impact_outcomes *outcomes, int k,
                        double *p) {
    for (int i = 0; i < x->n; i++) {
        p[i] = dot(x->n, x->M + i * x->n, outcomes->velocity + k * x->n);
    }
}

/* (15): three balls exchange their velocities by three reflections, in two orders. With R the
 * common velocity enters by 1 - R, (17). */
TEST(unit, the_cradle_has_one_outcome_of_two_sequences) {
    const double masses[3] = {1.7, 1.7, 1.7};
    const double v[3] = {2.385, 1.1, -0.7};
    const double mean = (2.385 + 1.1 - 0.7) / 3.0;
    const double coefficients[3] = {1.0, 0.7, 0.0};
    const propagative_case x = chain_case(3, masses, v);
    carom_impact_problem *problem = problem_of(&x, 1);
    for (int k = 0; k < 3; k++) {
        const double R = coefficients[k];
        carom_impact_outcomes *outcomes = outcomes_for(problem);
        assert_ok(apply_all(problem, R, outcomes));
        ck_assert_int_eq(outcomes->count, 1);
        ck_assert_int_eq(outcomes->multiplicity[0], 2);
        ck_assert(outcomes->residual[0] <= 1e-14);
        for (int rule = 0; rule < 5; rule++) {
            assert_ok(apply_rule(problem, (carom_propagative_rule)rule, R, outcomes));
        }
        for (int l = 0; l < outcomes->count; l++) {
            for (int i = 0; i < 3; i++) {
                assert_close(outcomes->velocity[3 * l + i], R * v[2 - i] + (1.0 - R) * mean, 0.0,
                             1e-14);
            }
        }
        carom_impact_outcomes_free(outcomes);
    }
    carom_impact_problem_free(problem);
}

/* Acute contacts, c = 0.3, speeds (-1, -1.2): u first gives (1, -0.6), then (1.36, 0.6); v first
 * (-0.28, 1.2), then (0.28, 1.368). Friction has no part in it. */
TEST(unit, two_acute_contacts_have_two_outcomes) {
    const propagative_case x = plane_case(0.3, -1.0, -1.2);
    const double expected[2][2] = {{1.36, 0.6}, {0.28, 1.368}};
    for (int t = 1; t <= 2; t++) {
        carom_impact_problem *problem = problem_of(&x, t);
        const int r = 2 * (1 + t);
        for (int half = 0; half < 2; half++) {
            const double R = half == 1 ? 0.5 : 1.0;
            carom_impact_outcomes *outcomes = outcomes_for(problem);
            assert_ok(apply_all(problem, R, outcomes));
            ck_assert_int_eq(outcomes->count, 2);
            const int swap = outcomes->contact_velocity[0] < R ? 1 : 0;
            for (int k = 0; k < 2; k++) {
                const double *c = outcomes->contact_velocity + k * r;
                assert_close(c[0], R * expected[k ^ swap][0], 1e-14, 0.0);
                assert_close(c[1], R * expected[k ^ swap][1], 1e-14, 0.0);
                // Two coordinates, both stopped by the plastic impact: it takes all energy.
                assert_close(outcomes->kinetic_energy[k], R * R * x.energy, 1e-14, 0.0);
                ck_assert_int_eq(outcomes->multiplicity[k], 1);
                for (int a = 2; a < r; a++) {
                    assert_close(outcomes->impulse[k * r + a], 0.0, 0.0, 0.0);
                }
            }
            carom_impact_outcomes_free(outcomes);
        }
        carom_impact_problem_free(problem);
    }
}

/* Three orthogonal contacts: 3! sequences to one outcome; v- stays where nothing approaches. */
TEST(unit, multiplicities_count_sequences_and_rest_has_one) {
    propagative_case x = {.n = 3, .m = 3, .p = {-0.3, -0.7, -0.2}};
    for (int k = 0; k < 3; k++) {
        x.M[4 * k] = 1.0 + k;
        x.N[4 * k] = 1.0;
    }
    complete_case(&x);
    for (int approaches = 0; approaches < 2; approaches++) {
        carom_impact_problem *problem = problem_of(&x, 1);
        carom_impact_outcomes *outcomes = outcomes_for(problem);
        assert_ok(apply_all(problem, 1.0, outcomes));
        ck_assert_int_eq(outcomes->count, 1);
        ck_assert_int_eq(outcomes->multiplicity[0], approaches == 0 ? 6 : 1);
        for (int i = 0; i < 3; i++) {
            const double speed = fabs(x.p[i]) / (1.0 + i);
            assert_close(outcomes->velocity[i], speed, 1e-15, 0.0);
            assert_close(outcomes->impulse[i], approaches == 0 ? 2.0 * fabs(x.p[i]) : 0.0, 1e-15,
                         0.0);
        }
        // The outcomes of the rules are that outcome: the sixth solution or the second.
        assert_ok(apply_rule(problem, CAROM_PROPAGATIVE_RANDOM, 1.0, outcomes));
        ck_assert_int_ge(outcomes->multiplicity[0] + outcomes->count, approaches == 0 ? 8 : 3);
        carom_impact_outcomes_free(outcomes);
        carom_impact_problem_free(problem);
        for (int i = 0; i < 3; i++) {
            x.p[i] = fabs(x.p[i]);
        }
        complete_case(&x);
    }
}

TEST(unit, a_contact_given_twice_changes_no_outcome) {
    // Dependent normals, one of them 2.5 times as long: the same reflection under two names.
    const propagative_case once = plane_case(-0.4, -1.0, -0.6);
    propagative_case twice = once;
    twice.m = 3;
    for (int k = 0; k < 2; k++) {
        twice.N[4 + k] = 2.5 * once.N[k];
    }
    complete_case(&twice);
    carom_impact_problem *single = problem_of(&once, 1);
    carom_impact_problem *dual = problem_of(&twice, 1);
    carom_impact_outcomes *expected = outcomes_for(single);
    carom_impact_outcomes *outcomes = outcomes_for(dual);
    assert_ok(apply_all(single, 0.6, expected));
    assert_ok(apply_all(dual, 0.6, outcomes));
    ck_assert_int_eq(outcomes->count, expected->count);
    for (int k = 0; k < 2 * outcomes->count; k++) {
        assert_close(outcomes->velocity[k], expected->velocity[k], 0.0, 1e-14);
    }
    ck_assert_int_gt(outcomes->multiplicity[0], expected->multiplicity[0]);
    carom_impact_outcomes_free(outcomes);
    carom_impact_outcomes_free(expected);
    carom_impact_problem_free(dual);
    carom_impact_problem_free(single);
}

TEST(property, all_outcomes_are_those_of_a_recursion_over_momenta) {
    for (unsigned long sample = 0; sample < 300; sample++) {
        const int m = 1 + (int)(sample % 4);
        const propagative_case x = random_case(SEED, sample, m + (int)(sample % 3), m);
        static plain_ends ends;
        memset(&ends, 0, sizeof ends);
        follow(&x, x.p, &ends);
        carom_impact_problem *problem = problem_of(&x, 1 + (int)(sample % 2));
        carom_impact_outcomes *outcomes = outcomes_for(problem);
        assert_ok(apply_all(problem, 1.0, outcomes));
        ck_assert_int_eq(outcomes->count, ends.count);
        const double norm = sqrt(2.0 * x.energy);
        // All outcomes first, then what the rules add beyond bits.
        int checked = 0;
        for (int rule = -1; rule < 5; rule++) {
            if (rule >= 0) {
                assert_ok(apply_rule(problem, (carom_propagative_rule)rule, 1.0, outcomes));
            }
            for (; checked < outcomes->count; checked++) {
                double p[MOST_COORDINATES] = {0};
                momentum_of(&x, outcomes, checked, p);
                int l = 0;
                while (l < ends.count && separation(&x, ends.p[l], p) > 1e-9 * norm) {
                    l++;
                }
                ck_assert_msg(l < ends.count, "sample %lu, outcome %d", sample, checked);
                ck_assert_int_eq(outcomes->multiplicity[checked],
                                 rule < 0 ? ends.multiplicity[l] : 1);
                assert_close(outcomes->kinetic_energy[checked], x.energy, 1e-10, 0.0);
                ck_assert(outcomes->residual[checked] <= 1e-9 * norm);
            }
        }
        carom_impact_outcomes_free(outcomes);
        carom_impact_problem_free(problem);
    }
}

TEST(property, restitution_loses_its_part_of_what_the_plastic_impact_loses) {
    for (unsigned long sample = 0; sample < 200; sample++) {
        const int m = 1 + (int)(sample % 3);
        const propagative_case x = random_case(SEED + 1, sample, m + (int)(sample % 3), m);
        carom_impact_problem *problem = problem_of(&x, 1);
        carom_impact_outcomes *plastic = outcomes_for(problem);
        carom_impact_outcomes *mixed = outcomes_for(problem);
        unsigned long d = 0;
        const double R = draw(SEED + 2, sample, &d, 0.0, 1.0);
        assert_ok(apply_all(problem, 0.0, plastic));
        ck_assert_int_eq(plastic->count, 1);
        assert_ok(apply_all(problem, R, mixed));
        assert_ok(apply_rule(problem, CAROM_PROPAGATIVE_MOST_APPROACHING, R, mixed));
        assert_ok(apply_rule(problem, CAROM_PROPAGATIVE_CYCLIC, 0.0, plastic));
        int sequences = 0;
        // (16): 1 - R^2 of the loss, and both laws agree at R = 0.
        for (int k = 0; k < mixed->count; k++) {
            assert_close((x.energy - mixed->kinetic_energy[k]),
                         (1.0 - R * R) * (x.energy - plastic->kinetic_energy[0]), 1e-9,
                         1e-10 * x.energy);
            sequences += mixed->multiplicity[k];
        }
        int plastic_sequences = 0;
        for (int k = 0; k < plastic->count; k++) {
            for (int i = 0; i < m; i++) {
                assert_close(plastic->contact_velocity[2 * m * k + i], 0.0, 0.0, 1e-10);
            }
            plastic_sequences += plastic->multiplicity[k];
        }
        ck_assert_int_eq(sequences, plastic_sequences);
        carom_impact_outcomes_free(mixed);
        carom_impact_outcomes_free(plastic);
        carom_impact_problem_free(problem);
    }
}

TEST(errors, contacts_that_cannot_separate_and_odd_parameters_are_refused) {
    const double M[1] = {2.385};
    const double opposite[2] = {1.0, -1.0};
    const double flat[2] = {1.0, 0.0};
    const double zeros[2] = {0.0, 0.0};
    const double v[1] = {-1.0};
    carom_impact_problem *problem = NULL;
    const carom_impact_law *law = &carom_impact_law_propagative;
    const carom_impact_law_params tree = carom_impact_law_params_default();
    carom_impact_law_params rule = tree;
    rule.has_rule = true;
    carom_report report = carom_report_empty();
    assert_ok(carom_impact_problem_alloc(1, 2, 1, M, opposite, zeros, zeros, v, &problem, NULL));
    carom_impact_outcomes *outcomes = outcomes_for(problem);
    assert_status(add_law(law, problem, &tree, outcomes, &report), CONFLICT);
    ck_assert_str_eq(report.quantity, "contacts that cannot be separated at once");
    assert_status(add_law(law, problem, &rule, outcomes, NULL), CONFLICT);
    carom_impact_problem_free(problem);
    assert_ok(carom_impact_problem_alloc(1, 2, 1, M, flat, zeros, zeros, v, &problem, NULL));
    assert_status(add_law(law, problem, &tree, outcomes, &report), OUT_OF_RANGE);
    ck_assert_int_eq(report.index, 1);
    carom_impact_problem_free(problem);
    const double masses[3] = {1.0, 1.0, 1.0};
    const double speeds[3] = {3.0, 2.0, 1.0};
    const propagative_case x = chain_case(3, masses, speeds);
    problem = problem_of(&x, 1);
    // One restitution for all contacts, and no friction.
    const double different[2] = {1.0, 0.5};
    assert_ok(carom_impact_problem_set_restitution(problem, different, NULL));
    assert_status(add_law(law, problem, &tree, outcomes, &report), UNSUPPORTED);
    ck_assert_str_eq(report.sentence,
                     "propagative computes impacts with one restitution; contact 0 "
                     "has 1, contact 1 has 0.5");
    assert_status(add_law(law, problem, &rule, outcomes, NULL), UNSUPPORTED);
    problem->restitution[1] = 1.0;
    problem->friction[1] = 0.25;
    assert_status(add_law(law, problem, &tree, outcomes, &report), UNSUPPORTED);
    ck_assert_str_eq(report.sentence,
                     "propagative computes impacts without friction; contact 1 has 0.25");
    assert_status(add_law(law, problem, &rule, outcomes, NULL), UNSUPPORTED);
    problem->friction[1] = 0.0;
    carom_impact_law_params small = tree;
    small.tree.most_momenta = 3;
    assert_status(add_law(law, problem, &small, outcomes, NULL), NOT_CONVERGED);
    small = tree;
    small.tree.tolerance = 0.0;
    assert_status(add_law(law, problem, &small, outcomes, NULL), OUT_OF_RANGE);
    ck_assert_int_eq(outcomes->count, 0);
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
}

/* pi times the root of the ratio of masses, 1.99 million reflections: twice what the law allows. */
TEST(errors, a_sequence_that_is_too_long_is_given_up) {
    propagative_case x = {.n = 2, .m = 2, .M = {1.0, 0.0, 0.0, 4e11}, .N = {1.0, 0.0, -1.0, 1.0}};
    x.p[1] = -4e11;
    complete_case(&x);
    carom_impact_problem *problem = problem_of(&x, 1);
    carom_impact_outcomes *outcomes = outcomes_for(problem);
    assert_status(apply_rule(problem, CAROM_PROPAGATIVE_CYCLIC, 1.0, outcomes), NOT_CONVERGED);
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
}

TEST(errors, failing_allocations_are_reported_without_a_leak) {
    const propagative_case x = plane_case(0.3, -1.0, -1.2);
    carom_impact_problem *problem = problem_of(&x, 1);
    for (int rule = 0; rule < 2; rule++) {
        for (int k = 0;; k++) {
            carom_impact_outcomes *outcomes = outcomes_for(problem);
            successes_left = k;
            const carom_status status =
                rule == 1 ? apply_rule(problem, CAROM_PROPAGATIVE_CYCLIC, 0.5, outcomes)
                          : apply_all(problem, 0.5, outcomes);
            successes_left = -1;
            carom_impact_outcomes_free(outcomes);
            if (status == CAROM_OK) {
                ck_assert_int_gt(k, 10);
                break;
            }
            ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
        }
    }
    carom_impact_problem_free(problem);
}
