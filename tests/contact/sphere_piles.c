/* carom/contact/contact.h: piles of spheres that slide on each other, with the round cone. */
#include "../support.h"
#include "sphere_pile.h"

#include <carom/contact/internal.h>

#include <stdlib.h>

/* Look at the laws themselves. @return how many contacts slide */
static int assert_laws_hold(const carom_contact_problem *problem, double friction, double tolerance,
                            const double *r, const double *u) {
    int sliding = 0;
    double largest = 0.0;
    for (int i = 0; i < problem->row_count; i++) {
        largest = fmax(largest, fabs(r[i]));
    }
    // Residuals are beside the impulses of some ten neighbours.
    const double rounding = 100.0 * tolerance * largest;
    for (int i = 0; i < problem->contact_count; i++) {
        const double *own = r + 3 * i;
        const double *speed = u + 3 * i;
        const double slip = hypot(speed[1], speed[2]);
        ck_assert(hypot(own[1], own[2]) <= (1.0 + 1e-14) * friction * own[0]);
        ck_assert(speed[0] >= -problem->inverse_mass[i] * rounding);
        // Friction takes all that it can of what slides.
        assert_close(own[1] * speed[1] + own[2] * speed[2], -friction * own[0] * slip, 0.0,
                     rounding * (problem->inverse_mass[i] * own[0] + slip));
        sliding += own[0] > rounding && slip > problem->inverse_mass[i] * rounding ? 1 : 0;
    }
    return sliding;
}

/* Solve a pile to 1e-10 in so many factorisations at most. */
static void assert_pile_is_solved(int layers, double friction, bool is_falling, int most) {
    CAROM_AUTO(carom_contact_solver) solver = NULL;
    CAROM_AUTO(carom_contact_problem) problem = NULL;
    carom_contact_params how = carom_contact_params_default();
    carom_contact_report result;
    how.tolerance = 1e-10;
    assert_ok(make_sphere_pile(layers, friction, is_falling, &problem));
    assert_ok(carom_contact_solver_alloc(&solver));
    CAROM_AUTO_MEMORY double *r = calloc(2 * (size_t)problem->row_count, sizeof *r);
    double *u = r + problem->row_count;
    assert_ok(carom_contact_solve(solver, problem, &how, r, u, &result, NULL));
    ck_assert_int_gt(assert_laws_hold(problem, friction, how.tolerance, r, u), 10);
    ck_assert_int_le(result.newton_iterations, most);
}

TEST(property, spheres_that_slide_on_each_other_are_solved) {
    assert_pile_is_solved(5, 0.3, false, 200);
    assert_pile_is_solved(5, 0.6, false, 200);
}

/* 637 contacts: the paths turn back, and Newton's method goes on from where they end. */
TEST(property, many_spheres_that_fall_and_slide_are_solved) {
    assert_pile_is_solved(7, 0.3, true, 400);
    assert_pile_is_solved(7, 0.3, false, 400);
}

/* 396 contacts, where no path of the interior-point method and no start of Newton's leads to an
 * answer; the central path does, through dozens of turns. */
TEST(property, spheres_whose_paths_turn_back_all_are_solved) {
    assert_pile_is_solved(6, 0.45, true, 1500);
}

/* The path alone, to where Newton's method goes on. */
static void assert_path_leads_to_answer(int layers, double friction, int number, int most) {
    CAROM_AUTO(carom_contact_path) path = NULL;
    CAROM_AUTO(carom_contact_problem) problem = NULL;
    carom_contact_certificate certificate;
    int iterations = 0;
    assert_ok(carom_contact_path_alloc(&path));
    assert_ok(make_sphere_pile(layers, friction, true, &problem));
    CAROM_AUTO_MEMORY double *r = calloc(2 * (size_t)problem->row_count, sizeof *r);
    double *u = r + problem->row_count;
    assert_ok(carom_contact_path_solve(path, problem, number, 1e-8, most, r, u, &certificate,
                                       &iterations));
    carom_contact_certify(problem, r, u, &certificate);
    ck_assert(certificate.residual <= 1e-8);
    ck_assert(carom_contact_energy(problem, r, u) < 0.0);
}

/* From x = y and from where it is drawn; some fifty points without a turn, some three hundred with
 * many, past which the determinant's sign leads: by angles alone it does not end in thousands. */
TEST(property, paths_in_round_cones_lead_to_answers) {
    assert_path_leads_to_answer(4, 0.3, 0, 100);
    assert_path_leads_to_answer(4, 0.3, 1, 100);
    assert_path_leads_to_answer(6, 0.45, 1, 600);
}

/* Piles where neither the convex problem nor the path of the laws alone leads near an answer: they
 * do with the sliding of the former taken as given. What is left is for Newton's method, from a
 * residual of an answer but for rounding. */
TEST(property, sliding_that_is_taken_as_given_settles) {
    static const struct {
        int layers;
        double friction;
        bool is_falling;
    } PILES[] = {{4, 0.4, false}, {5, 0.3, false}, {5, 0.3, true}};
    for (size_t k = 0; k < sizeof PILES / sizeof *PILES; k++) {
        CAROM_AUTO(carom_contact_interior_point) work = NULL;
        CAROM_AUTO(carom_contact_problem) problem = NULL;
        carom_contact_certificate certificate;
        int iterations = 0;
        int starts = 0;
        assert_ok(
            make_sphere_pile(PILES[k].layers, PILES[k].friction, PILES[k].is_falling, &problem));
        assert_ok(carom_contact_interior_point_alloc(&work));
        CAROM_AUTO_MEMORY double *r = calloc(2 * (size_t)problem->row_count, sizeof *r);
        double *u = r + problem->row_count;
        while (starts < 2) {
            (void)!carom_contact_interior_point_solve(work, problem, 1e-14, 300, &starts, r, u,
                                                      &certificate, &iterations);
            ck_assert(starts > 1 || certificate.residual > 1e-3);
        }
        (void)!carom_contact_interior_point_solve(work, problem, 1e-14, 300, &starts, r, u,
                                                  &certificate, &iterations);
        carom_contact_certify(problem, r, u, &certificate);
        ck_assert(certificate.residual <= 1e-6);
        ck_assert_int_lt(starts, carom_contact_most_starts(problem));
    }
}

/* A pile by its matrix, as a step has it. Where more rows stick than bodies have coordinates, a
 * little in their free velocities that no motion has, as the last step leaves it, is taken up by
 * contacts that slide as little, of impulses far from those without it. */
TEST(property, contacts_stick_whatever_is_left_in_their_velocities) {
    const double friction = 0.6;
    for (unsigned long draw = 1; draw <= 5; draw++) {
        CAROM_AUTO(carom_contact_solver) solver = NULL;
        CAROM_AUTO(carom_contact_problem) problem = NULL;
        carom_contact_params how = carom_contact_params_default();
        double largest = 0.0;
        how.most_newton_iterations = 300;
        how.most_sweeps = 2000;
        assert_ok(make_sphere_pile(4, friction, false, &problem));
        carom_contact_kept_free(problem->kept);
        problem->kept = NULL;
        for (int a = 0; a < problem->row_count; a++) {
            largest = fmax(largest, fabs(problem->free_velocity[a]));
        }
        for (int i = 0; i < problem->contact_count; i++) {
            const double own = carom_counter_uniform(draw, 3UL * (unsigned long)i, 0);
            problem->free_velocity[3 * i] += 1e-7 * largest * (2.0 * own - 1.0);
        }
        assert_ok(carom_contact_solver_alloc(&solver));
        CAROM_AUTO_MEMORY double *r = calloc(2 * (size_t)problem->row_count, sizeof *r);
        double *u = r + problem->row_count;
        assert_ok(carom_contact_solve(solver, problem, &how, r, u, NULL, NULL));
        ck_assert_int_gt(assert_laws_hold(problem, friction, how.tolerance, r, u), 0);
    }
}
