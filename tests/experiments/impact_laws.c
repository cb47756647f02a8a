/**
 * The laws of impact against each other, on random impacts: where theory says that they agree, and
 * what none of them may do. Newton's law of one contact and the reflections of orthogonal ones are
 * written out here.
 */
#include "../impact/add_law.h"
#include "../impact/random_impacts.h"

#include <carom/impact/anitescu_potra.h>

/** Most contacts of a random impact. */
enum { CONTACTS = 3 };

/** Random impacts of a property. */
enum { CASES = 200 };

/** Energies and speeds are sums of some hundred products of numbers of order 1 to 10. */
static const double ROUNDING = 1e-11;

/** A random impact of m contacts without friction. */
static carom_impact_problem *smooth_impact(gsl_rng *generator, int m) {
    plain_impact plain;
    random_plain(generator, GENERIC, m, &plain);
    for (int i = 0; i < m; i++) {
        plain.mu[i] = 0.0;
    }
    return problem_of_plain(&plain);
}

/** Newton and Moreau's law with one e for all contacts. */
static carom_status newton_moreau(const carom_impact_problem *problem, double e,
                                  carom_impact_outcomes *outcomes) {
    const double restitution[CONTACTS] = {e, e, e};
    const carom_impact_problem own = with_restitution(problem, restitution);
    return add_law(&carom_impact_law_newton_moreau, &own, NULL, outcomes, NULL);
}

static carom_status propagative(const carom_impact_problem *problem, double e,
                                carom_impact_outcomes *outcomes) {
    const double restitution[CONTACTS] = {e, e, e};
    const carom_impact_problem own = with_restitution(problem, restitution);
    return add_law(&carom_impact_law_propagative, &own, NULL, outcomes, NULL);
}

static carom_status in_all_orders(const carom_impact_problem *problem,
                                  carom_impact_outcomes *outcomes) {
    carom_impact_law_params params = carom_impact_law_params_default();
    params.orders = CAROM_SEQUENTIAL_PERMUTATIONS;
    params.sequential.most_rounds = 1000;
    params.sequential.tolerance = 1e-12;
    return add_law(&carom_impact_law_sequential, problem, &params, outcomes, NULL);
}

/** One outcome, whose normal speeds are these. */
static void assert_only(const carom_impact_outcomes *outcomes, int m, const double *c_n) {
    ck_assert_int_eq(outcomes->count, 1);
    for (int i = 0; i < m; i++) {
        assert_close(outcomes->contact_velocity[i], c_n[i], ROUNDING, ROUNDING);
    }
}

TEST(property, one_smooth_contact_returns_e_of_its_speed_by_every_law) {
    gsl_rng *generator = gsl_rng_alloc(gsl_rng_mt19937);
    for (int k = 0; k < CASES; k++) {
        gsl_rng_set(generator, (unsigned long)k);
        carom_impact_problem *problem = smooth_impact(generator, 1);
        const double coefficients[3] = {1.0, 0.0, uniform(generator, 0.0, 1.0)};
        for (int j = 0; j < 3; j++) {
            const double e = coefficients[j];
            const double c_n = -e * problem->contact_velocity[0];
            carom_impact_outcomes *moreau = outcomes_for(problem);
            carom_impact_outcomes *reflected = outcomes_for(problem);
            assert_ok(newton_moreau(problem, e, moreau));
            assert_ok(propagative(problem, e, reflected));
            assert_only(moreau, 1, &c_n);
            assert_only(reflected, 1, &c_n);
            // The lost energy is that of the approach, but for e^2 of it.
            const double c = problem->contact_velocity[0];
            assert_close(problem->kinetic_energy - moreau->kinetic_energy[0],
                         0.5 * (1.0 - e * e) * c * c / problem->delassus_matrix[0], ROUNDING,
                         ROUNDING);
            carom_impact_outcomes_free(moreau);
            carom_impact_outcomes_free(reflected);
        }
        carom_impact_problem_free(problem);
    }
    gsl_rng_free(generator);
}

/** Contacts whose normals are orthogonal in the kinetic metric: axes of a diagonal mass, and J_n
 * M^-1 J_n' is diagonal. */
static carom_impact_problem *orthogonal_impact(gsl_rng *generator) {
    plain_impact plain = {.n = 4, .m = CONTACTS};
    for (int i = 0; i < plain.n; i++) {
        plain.M[i * plain.n + i] = uniform(generator, 0.2, 3.0);
        plain.v[i] = uniform(generator, -1.0, 1.0);
    }
    plain.v[0] = -fabs(plain.v[0]) - 0.1;
    for (int i = 0; i < plain.m; i++) {
        plain.J[i * plain.n + i] = uniform(generator, 0.2, 2.0);
    }
    return problem_of_plain(&plain);
}

TEST(property, all_smooth_laws_agree_on_orthogonal_contacts) {
    gsl_rng *generator = gsl_rng_alloc(gsl_rng_mt19937);
    for (int k = 0; k < CASES; k++) {
        gsl_rng_set(generator, (unsigned long)k);
        carom_impact_problem *problem = orthogonal_impact(generator);
        double elastic[CONTACTS];
        double plastic[CONTACTS];
        for (int i = 0; i < CONTACTS; i++) {
            const double c = problem->contact_velocity[i];
            elastic[i] = fabs(c);
            plastic[i] = fmax(c, 0.0);
        }
        carom_impact_outcomes *outcomes = outcomes_for(problem);
        assert_ok(newton_moreau(problem, 1.0, outcomes));
        assert_only(outcomes, CONTACTS, elastic);
        carom_impact_outcomes_clear(outcomes);
        assert_ok(propagative(problem, 1.0, outcomes));
        assert_only(outcomes, CONTACTS, elastic);
        carom_impact_outcomes_clear(outcomes);
        assert_ok(newton_moreau(problem, 0.0, outcomes));
        assert_only(outcomes, CONTACTS, plastic);
        carom_impact_outcomes_clear(outcomes);
        assert_ok(carom_anitescu_potra_all(problem, outcomes, NULL));
        assert_only(outcomes, CONTACTS, plastic);
        carom_impact_outcomes_clear(outcomes);
        assert_ok(in_all_orders(problem, outcomes));
        assert_only(outcomes, CONTACTS, plastic);
        carom_impact_outcomes_free(outcomes);
        carom_impact_problem_free(problem);
    }
    gsl_rng_free(generator);
}

TEST(property, smooth_elastic_laws_keep_the_energy) {
    gsl_rng *generator = gsl_rng_alloc(gsl_rng_mt19937);
    int reflected = 0;
    for (int k = 0; k < CASES; k++) {
        gsl_rng_set(generator, (unsigned long)k);
        carom_impact_problem *problem = smooth_impact(generator, 1 + k % CONTACTS);
        carom_impact_outcomes *outcomes = outcomes_for(problem);
        assert_ok(newton_moreau(problem, 1.0, outcomes));
        // Contacts that separate before have no e: what they take up may only lose energy.
        for (int i = 0; i < outcomes->count; i++) {
            ck_assert_double_le(outcomes->kinetic_energy[i],
                                problem->kinetic_energy * (1.0 + ROUNDING));
        }
        carom_impact_outcomes_clear(outcomes);
        // Nearly opposite normals of a random impact may take more reflections than are followed.
        if (propagative(problem, 1.0, outcomes) == CAROM_OK) {
            ck_assert_int_ge(outcomes->count, 1);
            reflected++;
            for (int i = 0; i < outcomes->count; i++) {
                assert_close(outcomes->kinetic_energy[i], problem->kinetic_energy, ROUNDING, 0.0);
            }
        }
        carom_impact_outcomes_free(outcomes);
        carom_impact_problem_free(problem);
    }
    ck_assert_int_gt(reflected, CASES / 2);
    gsl_rng_free(generator);
}

/** Rounds of single impacts in an order until all contacts are held, whose impulses may pull. */
static void hold(const carom_impact_problem *p, const int *order, double *impulse) {
    const int m = p->contact_count;
    const int r = p->row_count;
    double c[CONTACTS];
    double fastest = INFINITY;
    for (int i = 0; i < m; i++) {
        c[i] = p->contact_velocity[i];
    }
    for (int round = 0; round < 100000 && fastest > ROUNDING; round++) {
        fastest = 0.0;
        for (int k = 0; k < m; k++) {
            const int i = order[k];
            const double push = -c[i] / p->delassus_matrix[i * r + i];
            fastest = fmax(fastest, fabs(c[i]));
            impulse[i] += push;
            for (int j = 0; j < m; j++) {
                c[j] += p->delassus_matrix[j * r + i] * push;
            }
        }
    }
    ck_assert_double_le(fastest, ROUNDING);
}

/** seghete-2014 (11): the plastic outcome is the projection on all closed contacts, where single
 * held impacts lead, projections in turn. */
TEST(property, held_single_impacts_end_in_the_plastic_outcome_in_any_order) {
    static const int orders[6][CONTACTS] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                            {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    gsl_rng *generator = gsl_rng_alloc(gsl_rng_mt19937);
    for (int k = 0; k < CASES; k++) {
        gsl_rng_set(generator, (unsigned long)k);
        carom_impact_problem *problem = smooth_impact(generator, CONTACTS);
        carom_impact_outcomes *outcomes = outcomes_for(problem);
        assert_ok(propagative(problem, 0.0, outcomes));
        ck_assert_int_eq(outcomes->count, 1);
        for (int j = 0; j < 6; j++) {
            double impulse[2 * CONTACTS] = {0.0};
            double velocity[16];
            hold(problem, orders[j], impulse);
            carom_impact_velocity(problem, impulse, velocity);
            for (int i = 0; i < problem->coordinate_count; i++) {
                // Rows that are nearly dependent magnify the speed at which contacts are held.
                assert_close(velocity[i], outcomes->velocity[i], 1e-7, 1e-7);
            }
        }
        carom_impact_outcomes_free(outcomes);
        carom_impact_problem_free(problem);
    }
    gsl_rng_free(generator);
}

TEST(property, inelastic_laws_with_friction_never_gain_energy) {
    gsl_rng *generator = gsl_rng_alloc(gsl_rng_mt19937);
    for (int k = 0; k < CASES; k++) {
        gsl_rng_set(generator, (unsigned long)k);
        plain_impact plain;
        random_plain(generator, (random_kind)(k % RANDOM_KINDS), 1 + k % CONTACTS, &plain);
        carom_impact_problem *problem = problem_of_plain(&plain);
        carom_impact_outcomes *outcomes = outcomes_for(problem);
        assert_ok(carom_anitescu_potra_all(problem, outcomes, NULL));
        assert_ok(newton_moreau(problem, 0.0, outcomes));
        assert_ok(in_all_orders(problem, outcomes));
        for (int i = 0; i < outcomes->count; i++) {
            // Friction of 1e5 magnifies the rounding of impulses.
            ck_assert_double_le(outcomes->kinetic_energy[i],
                                problem->kinetic_energy * (1.0 + 1e-7));
        }
        carom_impact_outcomes_free(outcomes);
        carom_impact_problem_free(problem);
    }
    gsl_rng_free(generator);
}

/** Three balls on a line, both contacts closing: c = -sqrt(m_A m_C/((m_A + m_B)(m_B + m_C))) is
 * -1/2 for equal ones. */
TEST(unit, equal_balls_have_one_outcome_and_unequal_ones_two) {
    plain_impact cradle = {.n = 3,
                           .m = 2,
                           .M = {1.7, 0, 0, 0, 1.7, 0, 0, 0, 1.7},
                           .J = {-1, 1, 0, 0, -1, 1},
                           .v = {2.385, 0.4, -1.1}};
    carom_impact_problem *problem = problem_of_plain(&cradle);
    carom_impact_outcomes *outcomes = outcomes_for(problem);
    assert_ok(propagative(problem, 1.0, outcomes));
    ck_assert_int_eq(outcomes->count, 1);
    // Equal balls exchange their velocities until these are in order.
    assert_close(outcomes->velocity[0], -1.1, 1e-14, 0.0);
    assert_close(outcomes->velocity[1], 0.4, 1e-14, 0.0);
    assert_close(outcomes->velocity[2], 2.385, 1e-14, 0.0);
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
    cradle.M[4] = 2.9;
    problem = problem_of_plain(&cradle);
    outcomes = outcomes_for(problem);
    assert_ok(propagative(problem, 1.0, outcomes));
    ck_assert_int_eq(outcomes->count, 2);
    carom_impact_outcomes_clear(outcomes);
    assert_ok(newton_moreau(problem, 1.0, outcomes));
    const double reversed[2] = {-problem->contact_velocity[0], -problem->contact_velocity[1]};
    assert_only(outcomes, 2, reversed);
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
}
