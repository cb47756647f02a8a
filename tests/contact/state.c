/* carom/contact/contact.h: what the contacts of a solution do, and the energy that they take. */
#include "random_problem.h"

/* A joint, then contacts that are open, stick and slide, each by itself: W = diag, in units of mass
 * and of velocity. */
static void assert_states(int tangents, double mass, double speed) {
    enum { CONTACTS = 3, MOST = 1 + 3 * CONTACTS };
    const int rows = 1 + CONTACTS * (1 + tangents);
    const double mu[CONTACTS] = {0.7, 0.5, 0.25};
    // Without impulse: away from each other, towards it inside the cone, and outside of it.
    const double normal[CONTACTS] = {0.3, -1.9, -1.1};
    const double across[CONTACTS] = {2.3, -0.8, 1.7};
    double W[MOST * MOST] = {0.0};
    double q[MOST] = {0.0};
    double r[MOST] = {0.0};
    double u[MOST];
    carom_contact_state states[CONTACTS];
    for (int i = 0; i < rows; i++) {
        W[i * rows + i] = 1.3 / mass;
    }
    q[0] = 0.4 * speed;
    for (int i = 0; i < CONTACTS; i++) {
        q[1 + i * (1 + tangents)] = normal[i] * speed;
        for (int a = 1; a <= tangents; a++) {
            q[1 + i * (1 + tangents) + a] = across[i] * speed / tangents;
        }
    }
    const carom_contact_rows given = {.joint_count = 1,
                                      .contact_count = CONTACTS,
                                      .tangent_count = tangents,
                                      .entries = W,
                                      .free_velocity = q,
                                      .friction = tangents > 0 ? mu : NULL};
    CAROM_AUTO(carom_contact_problem) problem = NULL;
    CAROM_AUTO(carom_contact_solver) solver = NULL;
    const double tolerance = carom_contact_params_default().tolerance;
    assert_ok(carom_contact_problem_alloc(&given, &problem, NULL));
    assert_ok(carom_contact_solver_alloc(&solver));
    assert_ok(carom_contact_solve(solver, problem, NULL, r, u, NULL, NULL));
    carom_contact_classify(problem, r, u, tolerance, states);
    ck_assert_int_eq(states[0], CAROM_CONTACT_OPEN);
    ck_assert_int_eq(states[1], CAROM_CONTACT_STICKS);
    ck_assert_int_eq(states[2], tangents > 0 ? CAROM_CONTACT_SLIDES : CAROM_CONTACT_STICKS);
}

TEST(unit, contacts_are_open_stick_or_slide_in_every_unit) {
    for (int tangents = 0; tangents <= 2; tangents++) {
        assert_states(tangents, 1.7, 2.3);
        assert_states(tangents, 1.7e-9, 2.3e-7);
        assert_states(tangents, 1.7e9, 2.3e7);
    }
}

/* What a solver leaves of the sliding of a contact that sticks counts as nothing up to its
 * tolerance, and so does an impulse. */
TEST(unit, a_state_is_told_to_the_tolerance_of_its_solution) {
    const double W[4] = {2.0, 0.0, 0.0, 2.0};
    const double q[2] = {-3.0, 0.4};
    const double mu = 0.5;
    const carom_contact_rows given = {
        .contact_count = 1, .tangent_count = 1, .entries = W, .free_velocity = q, .friction = &mu};
    CAROM_AUTO(carom_contact_problem) problem = NULL;
    assert_ok(carom_contact_problem_alloc(&given, &problem, NULL));
    // s = 2.5 + (3 + 2 x 2.4)/2, and w s = 12.8.
    const double r[2] = {2.4, -0.7};
    const double u[2][2] = {{0.0, 1.27e-7}, {0.0, -1.29e-7}};
    carom_contact_state state;
    carom_contact_classify(problem, r, u[0], 1e-8, &state);
    ck_assert_int_eq(state, CAROM_CONTACT_STICKS);
    carom_contact_classify(problem, r, u[1], 1e-8, &state);
    ck_assert_int_eq(state, CAROM_CONTACT_SLIDES);
    const double no_impulse[2] = {1.4e-8, 0.0};
    carom_contact_classify(problem, no_impulse, u[1], 1e-8, &state);
    ck_assert_int_eq(state, CAROM_CONTACT_OPEN);
}

/* What stands beside larger impulses is not known better than they are: a contact inside its cone
 * sticks, one without impulse to the rounding of the others' is open. */
TEST(property, contacts_beside_larger_impulses_stick_inside_their_cones) {
    CAROM_AUTO(carom_contact_solver) solver = NULL;
    assert_ok(carom_contact_solver_alloc(&solver));
    int inside = 0;
    for (int k = 0; k < 100; k++) {
        static random_problem p;
        carom_contact_state states[MOST_CONTACTS];
        double r[MOST_ROWS] = {0.0};
        double u[MOST_ROWS];
        draw_problem(k, 24, 1.0, &p);
        CAROM_AUTO(carom_contact_problem) problem = problem_of(&p);
        assert_ok(carom_contact_solve(solver, problem, NULL, r, u, NULL, NULL));
        carom_contact_classify(problem, r, u, carom_contact_params_default().tolerance, states);
        for (int i = 0; i < p.contact_count; i++) {
            const double *x = r + carom_contact_problem_row(problem, p.joint_count + i);
            const double across = p.tangent_count < 1   ? 0.0
                                  : p.tangent_count < 2 ? fabs(x[1])
                                                        : hypot(x[1], x[2]);
            if (across < 0.99 * p.friction[i] * x[0]) {
                ck_assert_int_ne(states[i], CAROM_CONTACT_SLIDES);
                inside++;
            }
        }
    }
    ck_assert_int_gt(inside, 100);
}

/* A ball of 1.7 kg strikes the ground at 2.3 m/s and leaves it at 0.6 of that, sliding at 0.9 m/s
 * with friction of 0.2 that does not stop it. */
TEST(unit, restitution_is_taken_off_the_energy_of_impulses) {
    const double mass = 1.7;
    const double e = 0.6;
    const double before = -2.3;
    const double sliding = 0.9;
    const double mu = 0.2;
    const double W[4] = {1.0 / mass, 0.0, 0.0, 1.0 / mass};
    const double q[2] = {before + e * before, sliding};
    const carom_contact_rows given = {
        .contact_count = 1, .tangent_count = 1, .entries = W, .free_velocity = q, .friction = &mu};
    CAROM_AUTO(carom_contact_problem) problem = NULL;
    CAROM_AUTO(carom_contact_solver) solver = NULL;
    double r[2] = {0.0};
    double u[2];
    assert_ok(carom_contact_problem_alloc(&given, &problem, NULL));
    assert_ok(carom_contact_solver_alloc(&solver));
    assert_ok(carom_contact_solve(solver, problem, NULL, r, u, NULL, NULL));
    const double after = sliding - mu * (1.0 + e) * 2.3;
    const double lost =
        0.5 * mass * ((e * e - 1.0) * before * before + after * after - sliding * sliding);
    assert_close(carom_contact_energy(problem, r, u) - r[0] * e * before, lost, 1e-14, 0.0);
}
