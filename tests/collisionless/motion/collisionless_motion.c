/* carom/collisionless/motion/spectral_motion.h and collisionless_motion.h against the paper's
 * numbers, the tables of the reference tables, closed forms and the equations of motion. */
#include "../../failing_malloc.h"
#include "motion_cases.h"

#include <gsl/gsl_matrix.h>

/* Decompositions of the library end here (linker option --wrap) and fail on request. */
carom_status __real_carom_singular_values_rotate(gsl_matrix *A, gsl_matrix *V, gsl_vector *S);
carom_status __wrap_carom_singular_values_rotate(gsl_matrix *A, gsl_matrix *V, gsl_vector *S);

static bool is_decomposition_failing = false;

carom_status __wrap_carom_singular_values_rotate(gsl_matrix *A, gsl_matrix *V, gsl_vector *S) {
    return is_decomposition_failing ? CAROM_STATUS_NOT_CONVERGED
                                    : __real_carom_singular_values_rotate(A, V, S);
}

static const carom_motion_phase OPEN = CAROM_MOTION_UNCONSTRAINED;
static const carom_motion_phase CLOSED = CAROM_MOTION_CONSTRAINED;
static const carom_motion_origin EQUILIBRIUM = CAROM_MOTION_FROM_EQUILIBRIUM;
static const carom_motion_origin CONSTRAINED = CAROM_MOTION_FROM_CONSTRAINED_EQUILIBRIUM;

TEST(unit, amplitudes_of_the_biped_are_those_of_the_paper) {
    // Static force 5 theta, contact level -5/3 theta (section 6).
    held_motion held = hold_motion(&BIPED, CAROM_MOTION_SCALE_STATIC_FORCE, 5.0);
    const carom_collisionless_motion *motion = held.motion;
    // (68) as printed: half a unit of the last digit.
    assert_close(motion->amplitude[0], -0.000031265, 0.0, 0.51e-9);
    assert_close(motion->amplitude[1], -0.034423, 0.0, 0.51e-6);
    assert_close(motion->amplitude[2], 1.1687, 0.0, 0.51e-4);
    assert_close(motion->constrained_amplitude[0], -0.0087462, 0.0, 0.51e-7);
    assert_close(motion->constrained_amplitude[1], 0.1357027, 0.0, 0.51e-7);
    // Reference: N12 and N13, an independent program: 13 digits.
    assert_close(motion->amplitude[0], -3.126481793380e-5, 1e-11, 0.0);
    assert_close(motion->amplitude[1], -3.442267593165e-2, 1e-11, 0.0);
    assert_close(motion->amplitude[2], 1.168676402287, 1e-12, 0.0);
    assert_close(motion->constrained_amplitude[0], -8.746238111811e-3, 1e-11, 0.0);
    assert_close(motion->constrained_amplitude[1], 0.135702694856, 1e-11, 0.0);
    // Rounding times the condition of the root, about 1e2.
    assert_close(motion->contact_level, -5.0 / 3.0, 1e-13, 0.0);
    assert_close(motion->static_force, 5.0, 1e-14, 0.0);
    assert_close(motion->scale, 0.099081937236584, 1e-13, 0.0);
    assert_close(motion->energy, 52.481137629, 0.0, 0.51e-9);
    // The constrained equilibrium lies F_N^0 x_N^0/2 above the other one.
    assert_close(motion->energy - motion->constrained_energy, 0.5 * 5.0 * (-5.0 / 3.0), 0.0, 1e-12);
    ck_assert_int_eq(motion->contact_sign, 1);
    ck_assert(motion->spectral->is_per_static_force);
    release_motion(&held);

    // The contact level fixes the same motion.
    held_motion other = hold_motion(&BIPED, CAROM_MOTION_SCALE_CONTACT_LEVEL, -5.0 / 3.0);
    assert_close(other.motion->static_force, 5.0, 1e-13, 0.0);
    assert_close(other.motion->constrained_amplitude[1], 0.135702694856, 1e-11, 0.0);
    release_motion(&other);
}

TEST(unit, states_of_the_biped_are_those_of_the_table) {
    // Reference table A.2, from an independent program: x, x', x'' to nine decimals.
    held_motion held = hold_motion(&BIPED, CAROM_MOTION_SCALE_STATIC_FORCE, 5.0);
    const double tau = held.root.time;
    const double tau_c = held.root.constrained_time;
    const struct {
        carom_motion_phase phase;
        double t;
        double values[9];
    } rows[] = {
        {OPEN,
         0.0,
         {11.015420561, 2.538611152, 1.078289034, 0, 0, 0, -16.953618818, -4.095843054,
          -1.842355203}},
        {OPEN,
         1.0,
         {3.557056641, 0.732155353, 0.262449627, -12.983038676, -3.154457078, -1.432090290,
          -5.649802577, -1.415784112, -0.676961824}},
        {OPEN,
         2.0,
         {-8.880288779, -2.329402698, -1.168135851, -8.684072397, -2.203069810, -1.114032313,
          13.101772162, 3.067085537, 1.154397845}},
        {OPEN,
         3.0,
         {-9.802674769, -2.651068597, -1.666334313, 7.040657356, 1.734012177, -0.012377606,
          14.303212343, 4.197403319, 0.303134255}},
        {OPEN,
         tau,
         {-9.198850439, -2.5, -5.0 / 3.0, 8.142261020, 2.067564698, 0, 13.397700879, 4.198850439,
          0}},
        {CLOSED,
         -tau_c,
         {-9.198850439, -2.5, -5.0 / 3.0, 8.142261020, 2.067564698, 0, 13.397700879, 4.198850439,
          0}},
        {CLOSED,
         -0.5 * tau_c,
         {-5.154200589, -1.422027909, -5.0 / 3.0, 12.271065374, 3.353031212, 0, 7.464345360,
          2.310144772, 0}},
        {CLOSED, 0.0, {0, 0, -5.0 / 3.0, 13.748424747, 3.809410824, 0, 0, 0, 0}},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        const full_state s = state_at(held.motion, rows[r].phase, rows[r].t, EQUILIBRIUM);
        for (int i = 0; i < 3; i++) {
            assert_close(s.x[i], rows[r].values[i], 0.0, 0.51e-9);
            assert_close(s.v[i], rows[r].values[3 + i], 0.0, 0.51e-9);
            assert_close(s.a[i], rows[r].values[6 + i], 0.0, 0.51e-9);
        }

        // Each phase from its own amplitudes: terms are some 1e3 times the motion.
        double sums[12];
        carom_collisionless_motion_expand(held.motion, rows[r].phase, rows[r].t, sums);
        for (int i = 0; i < 9; i++) {
            assert_close(sums[i], rows[r].values[i], 0.0, 0.51e-9 + 1e-11);
        }
    }

    // Exactly -5/2 for the torso at the impact.
    assert_close(state_at(held.motion, OPEN, tau, EQUILIBRIUM).x[1], -2.5, 1e-13, 0.0);

    // Extremes, at times printed to four decimals: nothing of first order.
    assert_close(state_at(held.motion, OPEN, 2.5580, EQUILIBRIUM).x[0], -11.399390, 0.0, 1e-6);
    assert_close(state_at(held.motion, OPEN, 2.5877, EQUILIBRIUM).x[1], -3.008324, 0.0, 1e-6);
    assert_close(state_at(held.motion, OPEN, 1.2764, EQUILIBRIUM).v[0], -13.771406, 0.0, 1e-6);
    assert_close(state_at(held.motion, OPEN, 1.3249, EQUILIBRIUM).v[2], -1.542799, 0.0, 1e-6);

    // F_N/F_N^0 at quarters of the constrained phase.
    const double ratio[5] = {0.0, 0.190501010, 0.431188837, 0.706684792, 1.0};
    for (int k = 0; k < 5; k++) {
        const double t = tau_c * (0.25 * k - 1.0);
        double force[4];
        carom_spectral_motion_force(held.motion->spectral, t, force);
        assert_close(force[0], ratio[k], 0.0, 0.51e-9);
        assert_close(carom_collisionless_motion_force(held.motion, t), 5.0 * ratio[k], 0.0, 3e-9);
    }
    release_motion(&held);
}

TEST(unit, the_jerk_of_the_biped_jumps_in_two_components) {
    // C18: m^-1 e_N dF/dt' = (0, -4.1351, 4.1351); jerks of reference table A.2.
    held_motion held = hold_motion(&BIPED, CAROM_MOTION_SCALE_STATIC_FORCE, 5.0);
    const full_state before = state_at(held.motion, OPEN, held.root.time, EQUILIBRIUM);
    const full_state after =
        state_at(held.motion, CLOSED, -held.root.constrained_time, EQUILIBRIUM);
    const double jerk_before[3] = {-12.149392644, 0.127997773, -4.135129397};
    const double jerk_after[3] = {-12.149392644, -4.007131624, 0.0};
    const double jump[3] = {0.0, -4.1351, 4.1351};
    for (int i = 0; i < 3; i++) {
        assert_close(before.jerk[i], jerk_before[i], 0.0, 0.51e-9);
        assert_close(after.jerk[i], jerk_after[i], 0.0, 0.51e-9);
        assert_close(after.jerk[i] - before.jerk[i], jump[i], 0.0, 0.51e-4);
    }
    // c dF_N/dt' of unit c F_N^0; (m^-1)_NN = 1.
    assert_close(held.motion->spectral->force_rate * held.motion->scale / held.modes->normalisation,
                 4.135129397, 0.0, 0.51e-9);
    release_motion(&held);
}

TEST(unit, models_of_two_modes_have_the_amplitudes_of_the_table) {
    // Reference table A.8: contact level, q, q', printed to twelve decimals.
    const struct {
        const motion_case *c;
        double level;
        double q[2];
        double q_c;
    } rows[] = {
        {&REACTION_WHEEL_1, 1.0, {0.213514272097, 0.506866066919}, -0.223628962230},
        {&REACTION_WHEEL_2, 1.0, {0.040499060097, -0.461481353116}, -0.204858095564},
        {&PENDULUM_WHEEL, 1.0, {0.039260801812, 0.713431145320}, -0.385521067031},
        {&ROCKER_2, -2.0, {-0.016322395649, 1.413664453451}, 0.765120684599},
        {&ROCKER_3, -2.0, {-0.000705354618, -1.414212537142}, 0.765366405077},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        held_motion held = hold_motion(rows[r].c, CAROM_MOTION_SCALE_CONTACT_LEVEL, rows[r].level);
        assert_close(held.motion->amplitude[0], rows[r].q[0], 0.0, 0.51e-12);
        assert_close(held.motion->amplitude[1], rows[r].q[1], 0.0, 0.51e-12);
        assert_close(held.motion->constrained_amplitude[0], rows[r].q_c, 0.0, 0.51e-12);
        release_motion(&held);
    }

    held_motion rocker = hold_motion(&ROCKER_2, CAROM_MOTION_SCALE_CONTACT_LEVEL, -2.0);
    const full_state start = state_at(rocker.motion, OPEN, 0.0, EQUILIBRIUM);
    assert_close(start.x[0], 4.803468996, 0.0, 0.51e-9);
    assert_close(start.x[1], 1.374258705, 0.0, 0.51e-9);
    release_motion(&rocker);
}

TEST(unit, the_reaction_wheel_moves_on_where_the_truncated_equations_are_singular) {
    // Reference: m couples the contact to nothing. Impact at x = (0, 1), the jerk of x_1 is
    // continuous.
    held_motion held = hold_motion(&REACTION_WHEEL_1, CAROM_MOTION_SCALE_CONTACT_LEVEL, 1.0);
    const full_state before = state_at(held.motion, OPEN, held.root.time, EQUILIBRIUM);
    const full_state after =
        state_at(held.motion, CLOSED, -held.root.constrained_time, EQUILIBRIUM);
    assert_close(before.x[0], 0.0, 0.0, 1e-13);
    assert_close(before.x[1], 1.0, 0.0, 1e-13);
    assert_close(after.jerk[0], before.jerk[0], 1e-12, 0.0);
    ck_assert(fabs(after.jerk[1] - before.jerk[1]) > 0.1);
    // The wheel bounds x_2 from above.
    ck_assert_int_eq(held.motion->contact_sign, -1);
    release_motion(&held);
}

/** y_l(t) of the closed form in units of g/omega_2^2, with alpha_n = omega_2 tau. */
static double hop_gap(double alpha, double phase) {
    return 0.5 * (alpha * alpha - phase * phase) + 1.0 - cos(phase) / cos(alpha);
}

TEST(unit, the_hopper_moves_as_its_closed_form_says) {
    // Unit masses, spring and gravity: F_N^0 is the weight 2; lambda_1 = 0.
    const motion_case *cases[] = {&HOPPER_2, &HOPPER_3};
    const double gap_at_p[] = {7.8493515635, 11.5250261023};
    for (int k = 0; k < 2; k++) {
        held_motion held = hold_motion(cases[k], CAROM_MOTION_SCALE_STATIC_FORCE, 2.0);
        const double tau = held.root.time;
        const double tau_c = held.root.constrained_time;
        const double alpha = M_SQRT2 * tau;
        ck_assert(isnan(held.motion->contact_level) && isnan(held.motion->energy));
        ck_assert(isnan(held.motion->amplitude[0]) && isfinite(held.motion->amplitude[1]));
        for (int step = 0; step <= 20; step++) {
            const double t = tau * (0.1 * step - 1.0);
            const full_state s = state_at(held.motion, OPEN, t, CONSTRAINED);
            // The sums cancel from size alpha^2/2.
            assert_close(s.x[1], 0.5 * hop_gap(alpha, M_SQRT2 * t), 0.0, 2e-13);
            // Spring extension S cos(omega_2 t); it is pressed by 1 at rest on the ground.
            const double extension = 1.0 / cos(alpha) * cos(M_SQRT2 * t);
            assert_close(s.x[0] - s.x[1] - 1.0, extension, 0.0, 2e-13);
            assert_close(s.v[1], 0.5 * (-2.0 * t + M_SQRT2 * sin(M_SQRT2 * t) / cos(alpha)), 0.0,
                         2e-13);
            const double t_c = tau_c * (0.1 * step - 1.0);
            const full_state c = state_at(held.motion, CLOSED, t_c, CONSTRAINED);
            assert_close(c.x[0], 2.0 * cos(t_c) / cos(tau_c), 0.0, 1e-13);
            assert_close(c.x[1], 0.0, 0.0, 0.0);
            assert_close(carom_collisionless_motion_force(held.motion, t_c),
                         2.0 * (1.0 - cos(t_c) / cos(tau_c)), 0.0, 1e-13);
        }
        // Reference table A.8.
        assert_close(state_at(held.motion, OPEN, 0.0, CONSTRAINED).x[1], gap_at_p[k], 0.0, 0.6e-10);
        assert_close(state_at(held.motion, OPEN, tau, CONSTRAINED).v[0], -2.0 * tau, 1e-13, 0.0);
        release_motion(&held);
    }
    held_motion held = hold_motion(&HOPPER_2, CAROM_MOTION_SCALE_STATIC_FORCE, 2.0);
    assert_close(state_at(held.motion, OPEN, held.root.time, CONSTRAINED).v[0], -6.3546405967, 0.0,
                 1.1e-10);
    // Kinetic energy of the upper mass and of the spring at the impact: y = 2, y' = -2 tau.
    assert_close(held.motion->constrained_energy, 0.5 * 4.0 + 0.5 * gsl_pow_2(2.0 * held.root.time),
                 1e-13, 0.0);
    release_motion(&held);
}

TEST(unit, the_juggler_moves_as_its_closed_form_says) {
    held_motion held = hold_motion(&JUGGLER, CAROM_MOTION_SCALE_STATIC_FORCE, 1.0);
    const double tau = held.root.time;
    for (int step = 0; step <= 10; step++) {
        const double t = 0.1 * step * tau;
        assert_close(state_at(held.motion, OPEN, t, CONSTRAINED).x[1], hop_gap(tau, t), 0.0, 1e-12);
    }
    assert_close(state_at(held.motion, OPEN, 0.0, CONSTRAINED).x[1], 15.6987031270, 0.0, 0.6e-10);
    // Contact at the natural length of the paddle's spring, that carries both weights at rest; the
    // ball falls at tau.
    const full_state impact = state_at(held.motion, OPEN, tau, CONSTRAINED);
    assert_close(impact.x[0], 2.0, 1e-13, 0.0);
    assert_close(impact.v[1] + impact.v[0], -tau, 1e-13, 0.0);
    ck_assert_int_eq(held.motion->contact_sign, 1);
    release_motion(&held);
}

TEST(unit, an_attractive_static_force_leaves_the_contact_repulsive) {
    // Reference: hanging chain: integrated by another program there.
    held_motion held = hold_motion(&HANGING_CHAIN, CAROM_MOTION_SCALE_CONTACT_LEVEL, -1.0);
    assert_close(held.motion->static_force, -0.5, 1e-13, 0.0);
    ck_assert_int_eq(held.motion->spectral->contact_sign, -1);
    ck_assert_int_eq(held.motion->contact_sign, 1);
    assert_close(carom_collisionless_motion_force(held.motion, 0.0), 3.6754, 0.0, 0.51e-4);
    ck_assert(state_at(held.motion, OPEN, 0.0, EQUILIBRIUM).x[1] > -1.0);
    release_motion(&held);
}

TEST(unit, without_static_force_the_contact_level_gives_the_size) {
    // Open: x_2' = v (1 + cos(omega_2 t)), x_2(tau) = v tau. Closed: the other mass swings by 2 v
    // about the relaxed spring, which it passes at the impact, and that is the force.
    held_motion held = hold_motion(&BETWEEN_WALLS, CAROM_MOTION_SCALE_CONTACT_LEVEL, 0.7);
    const carom_collisionless_motion *motion = held.motion;
    const double v = 0.7 / held.root.time;
    ck_assert(!motion->spectral->is_per_static_force);
    ck_assert(fabs(motion->static_force) <= 0.0);
    assert_close(motion->contact_level, 0.7, 1e-14, 0.0);
    // The wall is above.
    ck_assert_int_eq(motion->contact_sign, -1);
    for (int step = 0; step <= 10; step++) {
        const double t = held.root.time * (0.2 * step - 1.0);
        const full_state s = state_at(motion, OPEN, t, EQUILIBRIUM);
        assert_close(s.x[1], v * (t + sin(M_SQRT2 * t) / M_SQRT2), 0.0, 1e-14);
        assert_close(s.v[1], v * (1.0 + cos(M_SQRT2 * t)), 0.0, 1e-14);
        assert_close(s.v[0], v * (1.0 - cos(M_SQRT2 * t)), 0.0, 1e-14);
        const double t_c = held.root.constrained_time * (0.2 * step - 1.0);
        assert_close(carom_collisionless_motion_force(motion, t_c), -2.0 * v * cos(t_c), 0.0,
                     1e-14);
    }
    // Both equilibria are the relaxed spring: at the impact all energy is kinetic.
    assert_close(motion->energy, 0.5 * gsl_pow_2(2.0 * v), 1e-13, 0.0);
    assert_close(motion->constrained_energy, motion->energy, 1e-13, 0.0);
    release_motion(&held);
}

/** Largest absolute value of a vector. */
static double largest(int n, const double *x) {
    double size = 0.0;
    for (int i = 0; i < n; i++) {
        size = fmax(size, fabs(x[i]));
    }
    return size;
}

/** |actual - expected| <= tolerance of the largest entry. */
static void assert_vectors(int n, const double *actual, const double *expected, double tolerance) {
    for (int i = 0; i < n; i++) {
        assert_close(actual[i], expected[i], 0.0, tolerance * largest(n, expected));
    }
}

/** Kinetic and potential energy of a state, from the origin of the potential. */
static double state_energy(int n, const double *mass, const double *stiffness,
                           const full_state *s) {
    double momentum[MOST];
    double force[MOST];
    multiply(n, mass, s->v, momentum);
    multiply(n, stiffness, s->x, force);
    double energy = 0.0;
    for (int i = 0; i < n; i++) {
        energy += 0.5 * s->v[i] * momentum[i] + 0.5 * s->x[i] * force[i];
    }
    return energy;
}

/** What every motion of a system must fulfil: m x'' + k x = F_N e_N in both phases, no force or no
 * motion of the contact, contact and energy. */
static void assert_mechanics(int n, const double *mass, const double *stiffness,
                             const held_motion *held, double tolerance) {
    const carom_collisionless_motion *motion = held->motion;
    const double tau[2] = {held->root.time, held->root.constrained_time};
    const carom_motion_phase phases[2] = {OPEN, CLOSED};
    double size = 0.0;
    for (int step = 0; step <= 6; step++) {
        for (int p = 0; p < 2; p++) {
            const double t = tau[p] * (step / 3.0 - 1.0);
            const full_state s = state_at(motion, phases[p], t, EQUILIBRIUM);
            double inertia[MOST];
            double spring[MOST];
            multiply(n, mass, s.a, inertia);
            multiply(n, stiffness, s.x, spring);
            size = fmax(size, largest(n, inertia) + largest(n, spring));
            for (int i = 0; i < n - 1; i++) {
                assert_close(inertia[i] + spring[i], 0.0, 0.0, tolerance * size);
            }
            const double force =
                phases[p] == CLOSED ? carom_collisionless_motion_force(motion, t) : 0.0;
            assert_close(inertia[n - 1] + spring[n - 1], force, 0.0, tolerance * size);
            if (phases[p] == CLOSED) {
                assert_close(s.x[n - 1], motion->contact_level, tolerance, 0.0);
                ck_assert(fabs(s.v[n - 1]) + fabs(s.a[n - 1]) + fabs(s.jerk[n - 1]) <= 0.0);
            }
            assert_close(state_energy(n, mass, stiffness, &s), motion->energy, 0.0,
                         tolerance * (fabs(motion->energy) + size * largest(n, s.x)));
        }
    }
    // Contact without impact: C17.
    const full_state before = state_at(motion, OPEN, tau[0], EQUILIBRIUM);
    const full_state after = state_at(motion, CLOSED, -tau[1], EQUILIBRIUM);
    assert_vectors(n, before.x, after.x, tolerance);
    assert_vectors(n, before.v, after.v, tolerance);
    assert_vectors(n, before.a, after.a, tolerance);
    assert_close(before.v[n - 1], 0.0, 0.0, tolerance * largest(n, before.v));
    assert_close(before.a[n - 1], 0.0, 0.0, tolerance * largest(n, before.a));
    //: m (x'''_after - x'''_before) = dF_N/dt' e_N.
    double jump[MOST];
    double impulse[MOST];
    double force[4];
    for (int i = 0; i < n; i++) {
        jump[i] = after.jerk[i] - before.jerk[i];
    }
    multiply(n, mass, jump, impulse);
    carom_spectral_motion_force(motion->spectral, -tau[1], force);
    const double rate = motion->scale * force[1] / held->modes->normalisation;
    for (int i = 0; i < n; i++) {
        assert_close(impulse[i], i == n - 1 ? rate : 0.0, 0.0, tolerance * (size + fabs(rate)));
    }
    assert_close(force[1], motion->spectral->force_rate, 1e-12, 0.0);
    // x^0 = (k^-1)^N F_N^0: positions match although only their derivatives were matched.
    double x_0[MOST];
    for (int i = 0; i < n; i++) {
        x_0[i] = held->modes->static_shape[i] * motion->static_force;
    }
    assert_vectors(n, motion->static_position, x_0,
                   tolerance * (1.0 + largest(n, before.x) / largest(n, x_0)));
}

TEST(property, the_biped_fulfils_the_equations_of_motion) {
    held_motion held = hold_motion(&BIPED, CAROM_MOTION_SCALE_STATIC_FORCE, 5.0);
    // Roundings in sums of terms up to 40 times their sum (eta).
    assert_mechanics(3, BIPED.mass, BIPED.stiffness, &held, 1e-12);
    release_motion(&held);
}

TEST(property, random_systems_fulfil_the_equations_of_motion) {
    // Any signs and parities, several oscillating modes included.
    const unsigned long seed = 8101;
    int motions = 0;
    for (unsigned long sample = 0; sample < 240; sample++) {
        const int N = 2 + (int)(sample % 5);
        carom_phase_spectra *spectra = draw_spectra(seed, sample, N, sample % 2 == 0);
        double mass[MOST * MOST] = {0.0};
        double stiffness[MOST * MOST] = {0.0};
        realise_spectra(seed, sample, spectra, draw(seed, sample, 1, 0.3, 3.0), mass, stiffness);
        held_motion held = {.modes = realised_modes(spectra, mass, stiffness)};
        if (draw_root(seed, sample, held.modes->spectra, &held.root)) {
            const double force = draw(seed, sample, 2, -3.0, 3.0);
            assert_ok(carom_collisionless_motion_compute(
                held.modes, held.root.time, held.root.constrained_time,
                CAROM_MOTION_SCALE_STATIC_FORCE, force, &held.motion, NULL));
            assert_close(held.motion->static_force, force, 1e-12, 0.0);
            // Modes of matrices with condition up to 1e3; second singular value above 1e-3.
            assert_mechanics(N, mass, stiffness, &held, 1e-9);
            carom_collisionless_motion_free(held.motion);
            motions++;
        }
        carom_phase_modes_free(held.modes);
        carom_phase_spectra_free(spectra);
    }
    ck_assert_msg(motions > 120, "only %d motions, seed %lu", motions, seed);
}

TEST(property, the_sums_of_the_paper_are_the_same_motion) {
    const motion_case *const cases[] = {&BIPED,    &REACTION_WHEEL_1, &PENDULUM_WHEEL,
                                        &ROCKER_2, &ROCKER_3,         &HANGING_CHAIN};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        held_motion held = hold_motion(cases[c], CAROM_MOTION_SCALE_AMPLITUDE, 2.385);
        const int n = cases[c]->n;
        for (int k = 0; k <= 16; k++) {
            const carom_motion_phase phase = k % 2 == 0 ? OPEN : CLOSED;
            const double duration = k % 2 == 0 ? held.root.time : held.root.constrained_time;
            const double t = duration * (k - 8) / 8.0;
            const full_state s = state_at(held.motion, phase, t, EQUILIBRIUM);
            double sums[4 * MOST];
            carom_collisionless_motion_expand(held.motion, phase, t, sums);
            const double *const states[] = {s.x, s.v, s.a, s.jerk};
            for (int d = 0; d < 4; d++) {
                double size = 0.0;
                for (int i = 0; i < n; i++) {
                    size = fmax(size, fabs(states[d][i]));
                }
                for (int i = 0; i < n; i++) {
                    // Rounding of terms that grow by cosh(nu tau), up to 1e3 here.
                    assert_close(sums[d * n + i], states[d][i], 0.0, 1e-11 * (size + 1.0));
                }
            }
        }
        release_motion(&held);
    }
}

TEST(property, recombined_coordinates_leave_contact_and_amplitudes_alone) {
    // C4: the same spectra behind other coordinates 1 .. N-1.
    const unsigned long seed = 8102;
    int motions = 0;
    for (unsigned long sample = 0; sample < 60; sample++) {
        const int N = 2 + (int)(sample % 4);
        carom_phase_spectra *spectra = draw_spectra(seed, sample, N, false);
        held_motion held[2];
        bool has_root = true;
        for (unsigned long k = 0; k < 2 && has_root; k++) {
            double mass[MOST * MOST] = {0.0};
            double stiffness[MOST * MOST] = {0.0};
            realise_spectra(seed + k, sample, spectra, 1.3, mass, stiffness);
            held[k].modes = realised_modes(spectra, mass, stiffness);
            held[k].motion = NULL;
            if (k == 0) {
                has_root = draw_root(seed, sample, held[0].modes->spectra, &held[0].root);
            } else {
                assert_ok(carom_impact_roots_polish(held[1].modes->spectra, held[0].root.time,
                                                    held[0].root.constrained_time, &held[1].root,
                                                    NULL));
            }
            if (has_root) {
                assert_ok(carom_collisionless_motion_compute(
                    held[k].modes, held[k].root.time, held[k].root.constrained_time,
                    CAROM_MOTION_SCALE_STATIC_FORCE, 1.7, &held[k].motion, NULL));
            }
        }
        if (has_root) {
            // Spectra that differ by rounding move roots and null vectors by that over the
            // singular value 1e-3.
            const double tolerance = 1e-9;
            motions++;
            assert_close(held[1].root.time, held[0].root.time, tolerance, 0.0);
            assert_close(held[1].modes->normalisation, held[0].modes->normalisation, tolerance,
                         0.0);
            assert_vectors(N, held[1].motion->amplitude, held[0].motion->amplitude, tolerance);
            assert_vectors(N - 1, held[1].motion->constrained_amplitude,
                           held[0].motion->constrained_amplitude, tolerance);
            for (int step = 0; step < 4; step++) {
                const double t = 0.3 * step * held[0].root.time;
                const double t_c = 0.3 * step * held[0].root.constrained_time;
                const full_state a = state_at(held[0].motion, OPEN, t, EQUILIBRIUM);
                const full_state b = state_at(held[1].motion, OPEN, t, EQUILIBRIUM);
                double gap[4];
                carom_spectral_motion_gap(held[0].motion->spectral, t, gap);
                const double size =
                    fabs(a.x[N - 1]) + fabs(a.a[N - 1]) + largest(N, held[0].motion->amplitude);
                assert_close(b.x[N - 1], a.x[N - 1], 0.0, tolerance * size);
                assert_close(held[0].motion->scale * gap[0] + held[0].motion->contact_level,
                             a.x[N - 1], 0.0, tolerance * size);
                assert_close(
                    carom_collisionless_motion_force(held[1].motion, -t_c),
                    carom_collisionless_motion_force(held[0].motion, -t_c), 0.0,
                    1.7 * tolerance *
                        (1.0 + largest(N - 1, held[0].motion->spectral->constrained_amplitude)));
            }
        }
        for (int k = 0; k < (has_root ? 2 : 1); k++) {
            release_motion(&held[k]);
        }
        carom_phase_spectra_free(spectra);
    }
    ck_assert_msg(motions > 20, "only %d motions, seed %lu", motions, seed);
}

TEST(property, gap_and_force_follow_from_the_spectra) {
    // Contact at rest at the impact, derivatives of derivatives, x_N^0 = c F_N^0 sum eta/lambda
    //, jerk = -eta'1 times the rate of c F_N.
    const unsigned long seed = 8103;
    int motions = 0;
    for (unsigned long sample = 0; sample < 200; sample++) {
        const int N = 2 + (int)(sample % 6);
        carom_phase_spectra *spectra = draw_spectra(seed, sample, N, sample % 3 == 0);
        carom_impact_root root;
        if (draw_root(seed, sample, spectra, &root)) {
            motions++;
            carom_spectral_motion *motion;
            assert_ok(carom_spectral_motion_compute(spectra, root.time, root.constrained_time,
                                                    &motion, NULL));
            double size = 0.0;
            double compliance = 0.0;
            double eta = 0.0;
            for (int i = 0; i < N; i++) {
                size += fabs(motion->gap_amplitude[i]);
                eta += motion->participation[i];
                compliance += motion->participation[i] / spectra->unconstrained[i];
            }
            double gap[4];
            carom_spectral_motion_gap(motion, root.time, gap);
            // Rounding over the singular value 1e-3, times rates up to 5.
            const double tolerance = 1e-10;
            for (int k = 0; k < 3; k++) {
                assert_close(gap[k], 0.0, 0.0, tolerance * size);
            }
            assert_close(gap[3], -eta * motion->force_rate, 0.0, tolerance * size);
            assert_close(motion->contact_level, compliance, 0.0, tolerance * (size + 1.0));
            double force[4];
            carom_spectral_motion_force(motion, -root.constrained_time, force);
            ck_assert(fabs(force[0]) <= 0.0);
            // Central differences: h^2 times the next but one derivative, rounding over h.
            const double h = 1e-5;
            const double t = 0.37 * root.time;
            double low[4];
            double high[4];
            double at[4];
            carom_spectral_motion_gap(motion, t - h, low);
            carom_spectral_motion_gap(motion, t + h, high);
            carom_spectral_motion_gap(motion, t, at);
            for (int k = 0; k < 3; k++) {
                assert_close((high[k] - low[k]) / (2.0 * h), at[k + 1], 0.0, 3e-8 * size);
            }
            carom_spectral_motion_force(motion, t - h, low);
            carom_spectral_motion_force(motion, t + h, high);
            carom_spectral_motion_force(motion, t, at);
            for (int k = 0; k < 3; k++) {
                assert_close((high[k] - low[k]) / (2.0 * h), at[k + 1], 1e-7, 1e-6 * size);
            }
            carom_spectral_motion_free(motion);
        }
        carom_phase_spectra_free(spectra);
    }
    ck_assert_msg(motions > 100, "only %d motions, seed %lu", motions, seed);
}

TEST(property, odd_constrained_parity_mirrors_the_force_about_one) {
    held_motion held = hold_motion(&ROCKER_2, CAROM_MOTION_SCALE_CONTACT_LEVEL, -2.0);
    for (int step = 0; step <= 10; step++) {
        const double t = 0.1 * step * held.root.constrained_time;
        double before[4];
        double after[4];
        carom_spectral_motion_force(held.motion->spectral, -t, before);
        carom_spectral_motion_force(held.motion->spectral, t, after);
        assert_close(before[0] + after[0], 2.0, 1e-14, 0.0);
    }
    release_motion(&held);
}

TEST(unit, a_free_constrained_mode_needs_no_special_case) {
    // lambda'_1 = 0 in a system with one more, oscillating, constrained mode. Even: it falls, there
    // is no constrained equilibrium; odd: it drifts, and x_N^0 = 0 as k' is singular.
    const double lambda[3] = {-0.9, 0.55, 2.1};
    const double constrained[2] = {0.0, 1.35};
    double mass[9] = {0.0};
    double stiffness[9] = {0.0};
    int found[2] = {0, 0};
    for (int kind = 0; kind < 2; kind++) {
        carom_phase_spectra *spectra;
        assert_ok(carom_phase_spectra_make(3, lambda, constrained, CAROM_PARITY_EVEN,
                                           kind == 0 ? CAROM_PARITY_EVEN : CAROM_PARITY_ODD,
                                           &spectra, NULL));
        realise_spectra(8104, 0, spectra, 1.0, mass, stiffness);
        for (unsigned long sample = 0; sample < 20; sample++) {
            carom_impact_root root;
            if (!draw_root(8104, sample, spectra, &root)) {
                continue;
            }
            found[kind]++;
            carom_phase_modes *modes = realised_modes(spectra, mass, stiffness);
            modes->spectra->constrained[0] = 0.0;
            carom_collisionless_motion *motion;
            assert_ok(carom_collisionless_motion_compute(modes, root.time, root.constrained_time,
                                                         CAROM_MOTION_SCALE_AMPLITUDE, 1.3, &motion,
                                                         NULL));
            ck_assert(isnan(motion->constrained_amplitude[0]));
            ck_assert(isfinite(motion->constrained_amplitude[1]));
            if (kind == 0) {
                ck_assert(!motion->spectral->is_per_static_force);
                ck_assert(isnan(motion->static_force) && isnan(motion->constrained_energy));
                ck_assert(motion->spectral->force_rate > 0.0);
                ck_assert(isnan(state_at(motion, OPEN, 0.1, CONSTRAINED).x[0]));
            } else {
                ck_assert(motion->spectral->is_per_static_force);
                ck_assert(isfinite(motion->constrained_energy));
                // c F_N^0 sum eta/lambda with sum eta/lambda = 0 to rounding.
                assert_close(motion->contact_level, 0.0, 0.0,
                             1e-9 * fabs(motion->spectral->gap_amplitude[1]));
            }
            // From the unconstrained equilibrium, that exists, everything is as ever.
            for (int step = 0; step <= 4; step++) {
                const double t = root.constrained_time * (0.5 * step - 1.0);
                const full_state s = state_at(motion, CLOSED, t, EQUILIBRIUM);
                double inertia[3];
                double spring[3];
                multiply(3, mass, s.a, inertia);
                multiply(3, stiffness, s.x, spring);
                const double size = largest(3, inertia) + largest(3, spring);
                assert_close(inertia[0] + spring[0], 0.0, 0.0, 1e-10 * size);
                assert_close(inertia[1] + spring[1], 0.0, 0.0, 1e-10 * size);
                assert_close(inertia[2] + spring[2], carom_collisionless_motion_force(motion, t),
                             0.0, 1e-10 * size);
                assert_close(state_energy(3, mass, stiffness, &s), motion->energy, 0.0,
                             1e-9 * (fabs(motion->energy) + size * largest(3, s.x)));
            }
            carom_collisionless_motion_free(motion);
            carom_phase_modes_free(modes);
        }
        carom_phase_spectra_free(spectra);
    }
    ck_assert_int_gt(found[0], 0);
    ck_assert_int_gt(found[1], 0);
}

TEST(unit, modes_that_grow_by_exp_of_800_do_not_overflow) {
    // Stand-in of figure 2, critical: nu'_1 tau' = 2.4e3 (reference table A.4), nu_1 tau = 6; then
    // the other way round, nu_1 tau = 1.7e3 at column 400.
    const double lambda[4] = {-3.1, -1.7, -0.8, 1.3};
    const double constrained[3] = {-2.4, -1.2, 1e-6};
    carom_phase_spectra *spectra;
    assert_ok(carom_phase_spectra_make(4, lambda, constrained, CAROM_PARITY_EVEN, CAROM_PARITY_ODD,
                                       &spectra, NULL));
    for (int k = 0; k < 2; k++) {
        carom_impact_root root;
        assert_ok(carom_impact_roots_cell(spectra, k == 0 ? 2 : 400, 0, &root, NULL));
        carom_spectral_motion *motion;
        assert_ok(carom_spectral_motion_compute(spectra, root.time, root.constrained_time, &motion,
                                                NULL));
        ck_assert(motion->constrained_log_scale[0] > 2000.0);
        ck_assert(k == 0 || motion->log_scale[0] > 1900.0);
        double compliance = 0.0;
        for (int i = 0; i < 4; i++) {
            compliance += motion->participation[i] / lambda[i];
        }
        assert_close(motion->contact_level, compliance, 1e-9, 0.0);
        for (int step = 0; step <= 20; step++) {
            double gap[4];
            double force[4];
            carom_spectral_motion_gap(motion, root.time * (0.1 * step - 1.0), gap);
            carom_spectral_motion_force(motion, root.constrained_time * (0.1 * step - 1.0), force);
            for (int d = 0; d < 4; d++) {
                ck_assert(isfinite(gap[d]) && isfinite(force[d]));
            }
            // In the middle of the phase only the oscillation is left: 1 + sine of size 1.
            if (step == 10) {
                assert_close(force[0], 1.0, 1e-12, 0.0);
            }
        }
        carom_spectral_motion_free(motion);
    }
    carom_phase_spectra_free(spectra);
}

TEST(unit, decoupled_modes_stay_at_rest) {
    // The hopper with a second, equal upper mass on an equal spring: their difference is no part of
    // the motion. Together they are one upper mass of 2 on a spring of 2.
    const double mass[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double stiffness[9] = {1, 0, -1, 0, 1, -1, -1, -1, 2};
    carom_phase_modes *modes;
    assert_ok(carom_phase_modes_compute(3, mass, stiffness, CAROM_PARITY_EVEN, CAROM_PARITY_EVEN,
                                        &modes, NULL));
    ck_assert_int_eq(modes->decoupled_count, 1);
    // tan alpha = alpha, omega_2 = sqrt(3), omega'_1 = 1; (24).
    const double alpha = 4.493409457909;
    const double time = alpha / sqrt(3.0);
    carom_impact_root root;
    assert_ok(carom_impact_roots_polish(modes->spectra, time, M_PI - atan(alpha / sqrt(3.0)), &root,
                                        NULL));
    assert_close(root.time, time, 1e-12, 0.0);
    carom_collisionless_motion *motion;
    assert_ok(carom_collisionless_motion_compute(modes, root.time, root.constrained_time,
                                                 CAROM_MOTION_SCALE_STATIC_FORCE, 3.0, &motion,
                                                 NULL));
    const full_state s = state_at(motion, OPEN, 0.4 * time, CONSTRAINED);
    assert_close(s.x[0], s.x[1], 1e-13, 0.0);
    assert_close(s.x[2], hop_gap(alpha, 0.4 * alpha) / 3.0, 1e-12, 0.0);
    carom_collisionless_motion_free(motion);
    carom_phase_modes_free(modes);
}

TEST(errors, what_is_no_root_is_refused) {
    carom_phase_spectra *spectra;
    const double lambda[2] = {-0.8, 1.3};
    const double constrained[1] = {0.4};
    assert_ok(carom_phase_spectra_make(2, lambda, constrained, CAROM_PARITY_EVEN, CAROM_PARITY_ODD,
                                       &spectra, NULL));
    carom_spectral_motion *motion = (carom_spectral_motion *)1;
    carom_report report = carom_report_empty();
    assert_status(carom_spectral_motion_compute(spectra, 1.0, 1.0, &motion, &report), CONFLICT);
    ck_assert_ptr_null(motion);
    ck_assert(report.value > 1e-3);
    assert_status(carom_spectral_motion_compute(spectra, 1.0, 1.0, &motion, NULL), CONFLICT);
    assert_status(carom_spectral_motion_compute(spectra, -1.0, 1.0, &motion, &report),
                  OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "time");
    assert_status(carom_spectral_motion_compute(spectra, 1.0, 0.0, &motion, &report), OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "constrained time");
    assert_status(carom_spectral_motion_compute(spectra, (double)NAN, 1.0, &motion, NULL),
                  NOT_FINITE);
    assert_status(carom_spectral_motion_compute(spectra, 1.0, HUGE_VAL, &motion, NULL), NOT_FINITE);
    spectra->constrained[0] = 2.0;
    assert_status(carom_spectral_motion_compute(spectra, 1.0, 1.0, &motion, NULL), CONFLICT);
    carom_phase_spectra_free(spectra);
    carom_spectral_motion_free(NULL);
    carom_collisionless_motion_free(NULL);
}

TEST(errors, a_family_of_motions_is_refused) {
    // Odd modes whose accelerations all vanish at once: omega = 1, 2, 3 and sqrt(2) times 1, 2. Any
    // velocities match.
    const double lambda[3] = {1.0, 4.0, 9.0};
    const double constrained[2] = {2.0, 8.0};
    carom_phase_spectra *spectra;
    assert_ok(carom_phase_spectra_make(3, lambda, constrained, CAROM_PARITY_ODD, CAROM_PARITY_ODD,
                                       &spectra, NULL));
    carom_spectral_motion *motion = (carom_spectral_motion *)1;
    carom_report report = carom_report_empty();
    assert_status(carom_spectral_motion_compute(spectra, M_PI, M_PI / M_SQRT2, &motion, &report),
                  SINGULAR);
    ck_assert_ptr_null(motion);
    ck_assert(report.value < 1e-14);
    carom_phase_spectra_free(spectra);
}

TEST(errors, a_size_that_is_none_is_refused) {
    held_motion hopper = hold_motion(&HOPPER_2, CAROM_MOTION_SCALE_STATIC_FORCE, 2.0);
    carom_collisionless_motion *motion = (carom_collisionless_motion *)1;
    carom_report report = carom_report_empty();
    const double tau = hopper.root.time;
    const double tau_c = hopper.root.constrained_time;
    assert_status(carom_collisionless_motion_compute(hopper.modes, tau, tau_c,
                                                     CAROM_MOTION_SCALE_CONTACT_LEVEL, -1.0,
                                                     &motion, &report),
                  SINGULAR);
    ck_assert_ptr_null(motion);
    ck_assert_str_eq(report.quantity, "contact level");
    assert_status(carom_collisionless_motion_compute(hopper.modes, tau, tau_c,
                                                     CAROM_MOTION_SCALE_STATIC_FORCE, 0.0, &motion,
                                                     &report),
                  OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "scale");
    // The energy goes with the square: it overflows, or has lost digits.
    const double sizes[] = {1e155, -1e-147, 1e-300};
    for (int i = 0; i < 3; i++) {
        assert_status(carom_collisionless_motion_compute(hopper.modes, tau, tau_c,
                                                         CAROM_MOTION_SCALE_STATIC_FORCE, sizes[i],
                                                         &motion, &report),
                      OUT_OF_RANGE);
        ck_assert_str_eq(report.quantity, "size of the motion");
        assert_close(report.value, sizes[i], 0.0, 0.0);
        ck_assert_ptr_null(motion);
    }
    assert_status(carom_collisionless_motion_compute(hopper.modes, tau, tau_c,
                                                     CAROM_MOTION_SCALE_AMPLITUDE, (double)NAN,
                                                     &motion, NULL),
                  NOT_FINITE);
    assert_status(carom_collisionless_motion_compute(hopper.modes, tau + 0.1, tau_c,
                                                     CAROM_MOTION_SCALE_AMPLITUDE, 1.0, &motion,
                                                     NULL),
                  CONFLICT);
    release_motion(&hopper);

    held_motion walls = hold_motion(&BETWEEN_WALLS, CAROM_MOTION_SCALE_AMPLITUDE, 1.0);
    assert_status(carom_collisionless_motion_compute(
                      walls.modes, walls.root.time, walls.root.constrained_time,
                      CAROM_MOTION_SCALE_STATIC_FORCE, 1.0, &motion, &report),
                  SINGULAR);
    ck_assert_str_eq(report.quantity, "static force");
    release_motion(&walls);
}

TEST(errors, a_failing_decomposition_is_reported) {
    held_motion held = hold_motion(&BIPED, CAROM_MOTION_SCALE_STATIC_FORCE, 5.0);
    carom_spectral_motion *motion = (carom_spectral_motion *)1;
    is_decomposition_failing = true;
    assert_status(carom_spectral_motion_compute(held.modes->spectra, held.root.time,
                                                held.root.constrained_time, &motion, NULL),
                  NOT_CONVERGED);
    is_decomposition_failing = false;
    ck_assert_ptr_null(motion);
    release_motion(&held);
}

TEST(errors, running_out_of_memory_leaves_nothing_behind) {
    held_motion held = hold_motion(&BIPED, CAROM_MOTION_SCALE_STATIC_FORCE, 5.0);
    carom_collisionless_motion *motion = NULL;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int failures = -1;
    for (int k = 0; status != CAROM_OK; k++) {
        successes_left = k;
        status = carom_collisionless_motion_compute(
            held.modes, held.root.time, held.root.constrained_time, CAROM_MOTION_SCALE_STATIC_FORCE,
            5.0, &motion, NULL);
        successes_left = -1;
        failures++;
        ck_assert(status == CAROM_OK || (status == CAROM_STATUS_OUT_OF_MEMORY && motion == NULL));
    }
    ck_assert_int_gt(failures, 20);
    carom_collisionless_motion_free(motion);
    release_motion(&held);
}

TEST(property, a_weakly_coupled_mode_moves_without_a_jump) {
    /* The constrained eigenvalue of a mode of coupling e lies e^2 beside its own: the difference
     * needs more digits than the eigenvalues have. */
    for (int k = 3; k <= 8; k++) {
        const double coupling = pow(10.0, -k);
        const double mass[4] = {1.2028973810600174, 1.0928114952053745 * coupling,
                                1.0928114952053745 * coupling, 0.85044384130136341};
        const double stiffness[4] = {2.164151914113345, -5.8229990472403631 * coupling,
                                     -5.8229990472403631 * coupling, 0.3276431498668711};
        carom_phase_modes *modes = NULL;
        carom_root_list *roots = NULL;
        assert_ok(carom_phase_modes_compute(2, mass, stiffness, CAROM_PARITY_EVEN, CAROM_PARITY_ODD,
                                            &modes, NULL));
        carom_root_search_params box = carom_root_search_params_default();
        box.max_time = 8.0;
        assert_ok(carom_impact_roots_find(modes->spectra, &box, &roots, NULL));
        ck_assert_int_gt(roots->count, 0);
        for (int r = 0; r < roots->count; r++) {
            carom_collisionless_motion *motion = NULL;
            assert_ok(carom_collisionless_motion_compute(
                modes, roots->roots[r].time, roots->roots[r].constrained_time,
                CAROM_MOTION_SCALE_STATIC_FORCE, 1.0, &motion, NULL));
            double before[2] = {0.0};
            double after[2] = {0.0};
            double position[2] = {0.0};
            const carom_motion_state left = {.position = position, .velocity = before};
            const carom_motion_state right = {.velocity = after};
            carom_collisionless_motion_state(motion, CAROM_MOTION_UNCONSTRAINED,
                                             motion->spectral->time, CAROM_MOTION_FROM_EQUILIBRIUM,
                                             &left);
            carom_collisionless_motion_state(motion, CAROM_MOTION_CONSTRAINED,
                                             -motion->spectral->constrained_time,
                                             CAROM_MOTION_FROM_EQUILIBRIUM, &right);
            const double speed = hypot(before[0], before[1]);
            // The coupling itself has 16 digits, the null vector the conditioning of the root.
            assert_close(after[0], before[0], 0.0, 1e-10 * speed);
            assert_close(after[1], before[1], 0.0, 1e-10 * speed);
            const double kinetic =
                0.5 * (mass[0] * before[0] * before[0] + 2.0 * mass[1] * before[0] * before[1] +
                       mass[3] * before[1] * before[1]);
            const double potential = 0.5 * (stiffness[0] * position[0] * position[0] +
                                            2.0 * stiffness[1] * position[0] * position[1] +
                                            stiffness[3] * position[1] * position[1]);
            assert_close(motion->energy, kinetic + potential, 1e-9, 0.0);
            carom_collisionless_motion_free(motion);
        }
        carom_root_list_free(roots);
        carom_phase_modes_free(modes);
    }
}
