/* carom/modes/modal_basis.h where modes do not move the contact, or frequencies coincide. */
#include "structures.h"

#include <float.h>
#include <gsl/gsl_math.h>

TEST(unit, a_contact_at_a_node_does_not_see_the_mode) {
    // Three masses between walls: omega^2 = 2 - sqrt(2), 2, 2 + sqrt(2), the second at rest in the
    // middle.
    const double K[9] = {2.0, -1.0, 0.0, -1.0, 2.0, -1.0, 0.0, -1.0, 2.0};
    const double w[3] = {0.0, 1.0, 0.0};
    carom_linear_system *system = system_of(3, K, w);
    carom_modal_basis *basis;
    assert_ok(carom_modal_basis_compute(system, &basis, NULL));
    ck_assert_int_eq(basis->visible_count, 2);
    assert_basis(system, basis);
    assert_close(basis->frequency[0], sqrt(2.0 - sqrt(2.0)), 1e-15, 0.0);
    assert_close(basis->frequency[1], sqrt(2.0 + sqrt(2.0)), 1e-15, 0.0);
    assert_close(basis->frequency[2], sqrt(2.0), 1e-15, 0.0);
    assert_close(basis->participation[0], sqrt(0.5), 1e-15, 0.0);
    assert_close(basis->participation[1], sqrt(0.5), 1e-15, 0.0);
    carom_modal_basis_free(basis);
    carom_linear_system_free(system);
}

TEST(unit, two_equal_oscillators_against_each_other_have_one_visible_mode) {
    const double K[4] = {2.9, 0.0, 0.0, 2.9};
    const double w[2] = {1.0, -1.0};
    carom_linear_system *system = system_of(2, K, w);
    system->mass[0] = system->mass[3] = 0.37;
    carom_modal_basis *basis;
    assert_ok(carom_modal_basis_compute(system, &basis, NULL));
    ck_assert_int_eq(basis->visible_count, 1);
    assert_basis(system, basis);
    for (int l = 0; l < 2; l++) {
        assert_close(basis->frequency[l], sqrt(2.9 / 0.37), 1e-15, 0.0);
    }
    assert_close(basis->participation[0], 1.0, 1e-15, 0.0);
    // (-1, 1)/sqrt(2 m): towards the obstacle is against w.
    assert_close(basis->shape[0], -sqrt(0.5 / 0.37), 1e-15, 0.0);
    assert_close(basis->shape[2], sqrt(0.5 / 0.37), 1e-15, 0.0);
    carom_modal_basis_free(basis);
    carom_linear_system_free(system);
}

TEST(unit, the_visible_mode_has_the_mean_frequency_of_its_eigenspace) {
    // Rayleigh quotient of w in diag(1, 1 + 14 eps): weights 0.36 and 0.64, the rest for the other.
    const double K[4] = {1.0, 0.0, 0.0, 1.0 + 14.0 * DBL_EPSILON};
    const double w[2] = {0.6, -0.8};
    carom_linear_system *system = system_of(2, K, w);
    carom_modal_basis *basis;
    assert_ok(carom_modal_basis_compute(system, &basis, NULL));
    ck_assert_int_eq(basis->visible_count, 1);
    // Half the change of omega^2; the last digit.
    assert_close(basis->frequency[0], 1.0 + 4.48 * DBL_EPSILON, 0.0, DBL_EPSILON);
    assert_close(basis->frequency[1], 1.0 + 2.52 * DBL_EPSILON, 0.0, DBL_EPSILON);
    carom_modal_basis_free(basis);
    carom_linear_system_free(system);
}

TEST(property, a_part_that_is_not_joined_to_the_contact_is_invisible) {
    gsl_rng *generator = seeded_generator(6006);
    carom_linear_system *near = random_system(generator, 3);
    carom_linear_system *far = random_system(generator, 4);
    carom_linear_system *both;
    assert_ok(carom_linear_system_alloc(7, &both));
    both->gap_at_rest = near->gap_at_rest;
    for (int i = 0; i < 3; i++) {
        both->contact_normal[4 + i] = near->contact_normal[i];
        for (int j = 0; j < 3; j++) {
            both->mass[7 * (4 + i) + 4 + j] = near->mass[3 * i + j];
            both->stiffness[7 * (4 + i) + 4 + j] = near->stiffness[3 * i + j];
        }
    }
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            both->mass[7 * i + j] = far->mass[4 * i + j];
            both->stiffness[7 * i + j] = far->stiffness[4 * i + j];
        }
    }
    carom_modal_basis *parts[2];
    carom_modal_basis *basis;
    assert_ok(carom_modal_basis_compute(near, &parts[0], NULL));
    assert_ok(carom_modal_basis_compute(far, &parts[1], NULL));
    assert_ok(carom_modal_basis_compute(both, &basis, NULL));
    ck_assert_int_eq(basis->visible_count, 3);
    assert_basis(both, basis);
    for (int l = 0; l < 7; l++) {
        // The same equations, solved in another order of elimination.
        const double expected = l < 3 ? parts[0]->frequency[l] : parts[1]->frequency[l - 3];
        assert_close(basis->frequency[l], expected, 1e-14, 0.0);
        if (l < 3) {
            assert_close(basis->participation[l], parts[0]->participation[l], 1e-13, 0.0);
        }
    }
    // What invisible modes carry is dropped: the state is that of the near part alone.
    double u[7];
    double v[7];
    double state[6];
    double near_state[6];
    random_vector(generator, 7, u);
    random_vector(generator, 7, v);
    carom_modal_basis_project(basis, u, v, state);
    carom_modal_basis_project(parts[0], u + 4, v + 4, near_state);
    for (int k = 0; k < 6; k++) {
        assert_close(state[k], near_state[k], 0.0, 1e-13);
    }
    carom_modal_basis_expand(basis, state, u, v);
    for (int i = 0; i < 4; i++) {
        assert_close(u[i], 0.0, 0.0, 1e-14);
        assert_close(v[i], 0.0, 0.0, 1e-14);
    }
    carom_modal_basis_free(parts[0]);
    carom_modal_basis_free(parts[1]);
    carom_modal_basis_free(basis);
    carom_linear_system_free(near);
    carom_linear_system_free(far);
    carom_linear_system_free(both);
    gsl_rng_free(generator);
}

TEST(property, modes_in_phase_do_not_move_a_contact_of_equal_bodies) {
    // Contact between two equal chains with a weak link: modes in phase do not move it.
    const double links[4] = {0.3, 3e-4, 3e-7, 3e-10};
    for (int strength = 0; strength < 4; strength++) {
        const double link = links[strength];
        const double K[16] = {3.3,   -1.9, -link, 0.0,  -1.9, 1.9, 0.0,  0.0,
                              -link, 0.0,  3.3,   -1.9, 0.0,  0.0, -1.9, 1.9};
        const double w[2][4] = {{0.0, -1.0, 0.0, 1.0}, {0.0, -1.0, 0.0, -1.0}};
        for (int sign = 0; sign < 2; sign++) {
            carom_linear_system *system = system_of(4, K, w[sign]);
            carom_modal_basis *basis;
            assert_ok(carom_modal_basis_compute(system, &basis, NULL));
            ck_assert_int_eq(basis->visible_count, 2);
            assert_basis(system, basis);
            // The modes of one chain whose first mass is held by 3.3 +- link: trace and
            // determinant.
            const double hold = sign == 0 ? 3.3 + link : 3.3 - link;
            const double half = 0.5 * (hold + 1.9);
            const double root = sqrt(0.25 * gsl_pow_2(hold - 1.9) + 1.9 * 1.9);
            const double high = half + root;
            const double low = (hold * 1.9 - 1.9 * 1.9) / high;
            // A few roundings of the closed form and of 3.3 +- link.
            assert_close(basis->frequency[0], sqrt(low), 2e-15, 0.0);
            assert_close(basis->frequency[1], sqrt(high), 2e-15, 0.0);
            carom_modal_basis_free(basis);
            carom_linear_system_free(system);
        }
    }
}

TEST(property, equal_oscillators_joined_by_a_full_normal_have_one_visible_mode) {
    gsl_rng *generator = seeded_generator(6007);
    for (int round = 0; round < 50; round++) {
        const int n = 1 + (int)gsl_rng_uniform_int(generator, LARGEST);
        carom_linear_system *system = random_system(generator, n);
        for (int k = 0; k < n * n; k++) {
            system->stiffness[k] = 2.9 * system->mass[k];
        }
        carom_modal_basis *basis;
        assert_ok(carom_modal_basis_compute(system, &basis, NULL));
        ck_assert_int_eq(basis->visible_count, 1);
        assert_basis(system, basis);
        assert_close(basis->frequency[0], sqrt(2.9), 1e-13, 0.0);
        carom_modal_basis_free(basis);
        carom_linear_system_free(system);
    }
    gsl_rng_free(generator);
}

/** Entry of the reflection R = 1 - 2 h h'/h'h. */
static double reflection(const double *h, int i, int k) {
    return (i == k ? 1.0 : 0.0) - 2.0 * h[i] * h[k] / dot(LARGEST, h, h);
}

/** K = R diag(values) R, symmetric to the last digit. */
static void reflected_stiffness(const double *h, const double *values, double *K) {
    for (int i = 0; i < LARGEST; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = 0.0;
            for (int k = 0; k < LARGEST; k++) {
                sum += reflection(h, i, k) * values[k] * reflection(h, j, k);
            }
            K[i * LARGEST + j] = K[j * LARGEST + i] = sum;
        }
    }
}

TEST(property, modes_that_move_the_contact_by_rounding_alone_are_invisible) {
    // K = R diag(omega^2) R with a random reflection, w in the span of the modes 2 and 5.
    const double values[LARGEST] = {0.8, 1.1, 1.5, 2.385, 2.7, 4.1, 5.0, 5.6};
    gsl_rng *generator = seeded_generator(6010);
    for (int round = 0; round < 50; round++) {
        double h[LARGEST];
        double w[LARGEST];
        double K[LARGEST * LARGEST];
        random_vector(generator, LARGEST, h);
        reflected_stiffness(h, values, K);
        for (int i = 0; i < LARGEST; i++) {
            w[i] = 0.6 * reflection(h, i, 1) - 0.8 * reflection(h, i, 4);
        }
        carom_linear_system *system = system_of(LARGEST, K, w);
        carom_modal_basis *basis;
        assert_ok(carom_modal_basis_compute(system, &basis, NULL));
        ck_assert_int_eq(basis->visible_count, 2);
        assert_basis(system, basis);
        // Entries of K are rounded: condition 7, gaps 0.3.
        assert_close(basis->participation[0], 0.6, 0.0, 1e-13);
        assert_close(basis->participation[1], 0.8, 0.0, 1e-13);
        assert_close(basis->frequency[0], sqrt(1.1), 1e-14, 0.0);
        assert_close(basis->frequency[1], sqrt(2.7), 1e-14, 0.0);
        carom_modal_basis_free(basis);
        carom_linear_system_free(system);
    }
    gsl_rng_free(generator);
}

TEST(property, repeated_frequencies_count_once) {
    /* K = R diag(omega^2) R with a reflection R of random direction: known eigenspaces, whose
     * participations are |P w|/|w| with projections P. */
    const double values[LARGEST] = {0.8, 0.8, 0.8, 2.385, 2.385, 4.1, 5.0, 5.0};
    const int starts[5] = {0, 3, 5, 6, 8};
    gsl_rng *generator = seeded_generator(6008);
    for (int round = 0; round < 50; round++) {
        double h[LARGEST];
        double w[LARGEST];
        double rotated[LARGEST];
        double K[LARGEST * LARGEST];
        random_vector(generator, LARGEST, h);
        random_vector(generator, LARGEST, w);
        reflected_stiffness(h, values, K);
        for (int k = 0; k < LARGEST; k++) {
            rotated[k] = 0.0;
            for (int i = 0; i < LARGEST; i++) {
                rotated[k] += reflection(h, k, i) * w[i];
            }
        }
        carom_linear_system *system = system_of(LARGEST, K, w);
        carom_modal_basis *basis;
        assert_ok(carom_modal_basis_compute(system, &basis, NULL));
        ck_assert_int_eq(basis->visible_count, 4);
        assert_basis(system, basis);
        for (int l = 0; l < 4; l++) {
            double square = 0.0;
            for (int k = starts[l]; k < starts[l + 1]; k++) {
                square += rotated[k] * rotated[k];
            }
            // Entries of K are rounded: condition 6, gaps 0.9.
            assert_close(basis->frequency[l], sqrt(values[starts[l]]), 1e-14, 0.0);
            assert_close(gsl_pow_2(basis->participation[l]), square / dot(LARGEST, w, w), 0.0,
                         1e-13);
        }
        carom_modal_basis_free(basis);
        carom_linear_system_free(system);
    }
    gsl_rng_free(generator);
}
