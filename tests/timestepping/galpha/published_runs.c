/** The numbers of the paper's runs (bruls-2014 section 10), to their printed digits. They come from
 * an independent prototype, the ball's from exact rational arithmetic. */
#include "runs.h"

/** One impact of a run: time in s, and impulses in N s. */
typedef struct printed_impact {
    const char *time;
    const char *contact;
    const char *other; /**< Lambda^1 of the joint, or nu, or NULL */
} printed_impact;

/** Value at a time. */
typedef struct printed_sample {
    double time;
    const char *value;
} printed_sample;

#define LENGTH(array) ((int)(sizeof(array) / sizeof((array)[0])))

/** Times and contact impulses of the first contacts. */
static void check_impacts(const carom_trajectory *t, int contact, int count,
                          const printed_impact *printed) {
    enum { CAPACITY = 64 };
    int rows[CAPACITY] = {0};
    ck_assert_int_ge(run_contact_rows(t, contact, CAPACITY, rows), count);
    for (int i = 0; i < count; i++) {
        assert_printed(t->time[rows[i]], printed[i].time);
        assert_printed(run_at(t->contact_impulse, t->contact_count, rows[i], contact),
                       printed[i].contact);
    }
}

/** A column of a row-major array at given times. */
static void check_samples(const carom_trajectory *t, const double *array, int columns, int column,
                          int count, const printed_sample *printed) {
    for (int i = 0; i < count; i++) {
        assert_printed(run_at(array, columns, run_row(t, printed[i].time), column),
                       printed[i].value);
    }
}

/** No gap of the run is below -1e-12 of the length scale (acceptance criterion 1). */
static void check_no_penetration(const carom_trajectory *t, double length) {
    const double smallest = run_minimum(t->gap, t->row_count * t->contact_count);
    ck_assert_msg(smallest >= -1e-12 * length, "smallest gap %.3g", smallest);
}

static run paper_ball(carom_scheme scheme, carom_predictor predictor, double duration) {
    const carom_bouncing_ball_params ball = carom_bouncing_ball_params_default();
    carom_stepper_params params = scheme_with_step(scheme, 2e-3);
    params.predictor = predictor;
    return run_ball(&ball, &params, duration);
}

TEST(unit, ball_follows_the_exact_rational_history) {
    // closed branch of the tie at 1.042 s: q~ = 0 counts as closed
    static const printed_impact printed[] = {
        {"0.402", "7.22", "7.02e-3"},
        {"1.042", "5.744", "0"},
        {"1.552", "4.5848", "3.06e-3"},
        {"1.958", "3.64016", "4.872e-4"},
        {"2.280", "2.883872", "3.3488e-4"},
        {"2.536", "2.3009024", "1.835008e-3"},
        {"2.740", "1.83127808", "1.2781824e-3"},
        {"2.902", "1.450977536", "8.0797824e-4"},
    };
    static const char *const energy[] = {"5.12", "3.235968", "2.05801472", "1.294376141"};
    run r = paper_ball(CAROM_SCHEME_NONSMOOTH_GALPHA, CAROM_PREDICTOR_HALF_STEP, 5.0);
    const carom_trajectory *t = r.trajectory;
    int rows[64] = {0};
    ck_assert_int_ge(run_contact_rows(t, 0, 64, rows), LENGTH(printed));
    for (int i = 0; i < LENGTH(printed); i++) {
        // exact rationals: the digits above are all there are, to rounding of 2500 steps
        assert_close(t->time[rows[i]], strtod(printed[i].time, NULL), 0.0, 1e-12);
        assert_close(t->contact_impulse[rows[i]], strtod(printed[i].contact, NULL), 1e-12, 0.0);
        assert_close(t->contact_position_multiplier[rows[i]], strtod(printed[i].other, NULL), 0.0,
                     1e-13);
    }
    for (int i = 0; i < LENGTH(energy); i++) {
        assert_printed(t->energy[rows[i]], energy[i]);
    }
    check_no_penetration(t, 1.0);
    run_clear(&r);
}

TEST(unit, ball_comes_to_rest_where_the_exact_history_does) {
    run r = paper_ball(CAROM_SCHEME_NONSMOOTH_GALPHA, CAROM_PREDICTOR_HALF_STEP, 20.0);
    const carom_trajectory *t = r.trajectory;
    int last_open = 0;
    int last_moving = 0;
    int contact_steps = 0;
    for (int row = 0; row < t->row_count; row++) {
        if (t->gap[row] > 1e-12) { // rounding of y - R
            last_open = row;
        }
        if (fabs(t->velocity[row]) > 1e-9) { // the threshold of the printed number
            last_moving = row;
        }
    }
    for (int row = 1; row <= last_open; row++) {
        contact_steps += t->velocity_active[row];
    }
    assert_printed(t->time[last_open], "3.442");
    assert_printed(t->time[last_moving], "3.578");
    ck_assert_int_eq(contact_steps, 19);
    // exact rest, weight and h/2 of it
    for (int row = run_row(t, 3.7); row < t->row_count; row++) {
        assert_close(t->contact_impulse[row], 0.02, 0.0, 1e-12);
        assert_close(t->contact_position_multiplier[row], 2e-5, 0.0, 1e-12);
        assert_close(t->velocity[row], 0.0, 0.0, 1e-11); // e^k times 0.01 m/s, k > 90
        assert_close(t->gap[row], 0.0, 0.0, 1e-15);
    }
    run_clear(&r);
}

TEST(unit, smooth_galpha_ball_gains_energy_at_its_two_contacts) {
    run r = paper_ball(CAROM_SCHEME_SMOOTH_GALPHA, CAROM_PREDICTOR_HALF_STEP, 5.0);
    const carom_trajectory *t = r.trajectory;
    int rows[8] = {0};
    int count = 0;
    for (int row = 1; row < t->row_count; row++) {
        if (t->contact_force[row] > 0.0) {
            ck_assert_int_lt(count, 8);
            rows[count++] = row;
        }
    }
    ck_assert_int_eq(count, 2);
    assert_printed(t->time[rows[0]], "0.402");
    assert_printed(t->contact_force[rows[0]], "6823.44");
    assert_printed(t->time[rows[1]], "2.328");
    assert_printed(t->contact_force[rows[1]], "12664.3");
    assert_printed(t->energy[0], "8.01");
    assert_printed(t->energy[rows[1] - 1], "46.268");
    assert_printed(t->energy[t->row_count - 1], "123.044");
    ck_assert_double_gt(t->energy[rows[1] - 1], 5.0 * t->energy[0]);
    run_clear(&r);
}

TEST(unit, modified_lcp_ball_never_settles) {
    static const printed_impact printed[] = {
        {"0.402", "7.22", NULL},
        {"1.046", "5.816", NULL},
        {"1.564", "4.6712", NULL},
        {"1.982", "3.78704", NULL},
    };
    run r = paper_ball(CAROM_SCHEME_MODIFIED_LCP, CAROM_PREDICTOR_HALF_STEP, 20.0);
    const carom_trajectory *t = r.trajectory;
    check_impacts(t, 0, LENGTH(printed), printed);
    for (int row = 0; row < t->row_count; row++) {
        ck_assert_int_eq(t->position_active[row], 0);
    }
    const int first = run_row(t, 3.7);
    const int count = run_row(t, 5.0) - first;
    ck_assert_int_eq(count, 650);
    int changes = 0;
    for (int row = first + 1; row <= first + count; row++) {
        changes += t->velocity_active[row] != t->velocity_active[row - 1] ? 1 : 0;
    }
    assert_printed(run_minimum(&t->gap[first + 1], count), "7.0e-6");
    assert_printed(run_maximum(&t->gap[first + 1], count), "3.08e-3");
    assert_printed(run_minimum(&t->velocity[first + 1], count), "-0.230");
    assert_printed(run_maximum(&t->velocity[first + 1], count), "0.184");
    ck_assert_int_eq(changes, 116);
    run_clear(&r);
}

TEST(unit, modified_lcp_ball_ends_in_a_limit_cycle_of_ten_steps) {
    run r = paper_ball(CAROM_SCHEME_MODIFIED_LCP, CAROM_PREDICTOR_HALF_STEP, 20.0);
    const carom_trajectory *t = r.trajectory;
    const int first = run_row(t, 19.9);
    for (int row = first; row < t->row_count - 10; row++) {
        assert_close(t->gap[row + 10], t->gap[row], 0.0, 1e-10); // rounding of 10^4 steps
        assert_close(t->velocity[row + 10], t->velocity[row], 0.0, 1e-10);
    }
    // -5 .. +4 h a_g; the gap swings by 12.5 h^2 a_g
    const int count = t->row_count - first;
    assert_close(run_minimum(&t->velocity[first], count), -0.10, 0.0, 1e-9);
    assert_close(run_maximum(&t->velocity[first], count), 0.08, 0.0, 1e-9);
    assert_printed(run_minimum(&t->gap[first], count), "1.38e-4");
    assert_printed(run_maximum(&t->gap[first], count), "6.385e-4");
    run_clear(&r);
}

TEST(unit, moreau_ball_penetrates_as_its_predictor_says) {
    static const printed_impact printed[] = {
        {"0.402", "7.22", NULL},
        {"1.044", "5.78", NULL},
        {"1.558", "4.628", NULL},
        {"1.970", "3.7136", NULL},
    };
    run half = paper_ball(CAROM_SCHEME_MOREAU_JEAN, CAROM_PREDICTOR_HALF_STEP, 5.0);
    check_impacts(half.trajectory, 0, LENGTH(printed), printed);
    const int rows = half.trajectory->row_count;
    assert_printed(run_minimum(half.trajectory->gap, rows), "-2.0e-3");
    assert_printed(half.trajectory->gap[rows - 1], "-2.161e-6");
    run_clear(&half);
    run full = paper_ball(CAROM_SCHEME_MOREAU_JEAN, CAROM_PREDICTOR_FULL_STEP, 5.0);
    assert_printed(run_minimum(full.trajectory->gap, rows), "-1.67e-5");
    run_clear(&full);
    run current = paper_ball(CAROM_SCHEME_MOREAU_JEAN, CAROM_PREDICTOR_CURRENT, 5.0);
    assert_printed(run_minimum(current.trajectory->gap, rows), "-7.467e-3");
    run_clear(&current);
    /* what is foreseen misses the weight's way, g h^2 at most */
    run next = paper_ball(CAROM_SCHEME_MOREAU_JEAN, CAROM_PREDICTOR_NEXT_STEP, 5.0);
    ck_assert_double_ge(run_minimum(next.trajectory->gap, rows), -10.0 * 2e-3 * 2e-3);
    run_clear(&next);
}

static run paper_pendulum(carom_scheme scheme, double h, double rho, double duration) {
    const carom_bouncing_pendulum_params pendulum = carom_bouncing_pendulum_params_default();
    carom_stepper_params params = scheme_with_step(scheme, h);
    params.spectral_radius = rho;
    return run_pendulum(&pendulum, &params, duration);
}

/** Contact and joint impulses of the first contacts. */
static void check_pendulum_impacts(const carom_trajectory *t, int count,
                                   const printed_impact *printed) {
    check_impacts(t, 0, count, printed);
    int rows[64] = {0};
    run_contact_rows(t, 0, 64, rows);
    for (int i = 0; i < count; i++) {
        if (printed[i].other != NULL) {
            assert_printed(run_at(t->joint_impulse, 2, rows[i], 0), printed[i].other);
        }
    }
}

/** Largest absolute value of an array. */
static double largest(const double *a, int count) {
    return fmax(run_maximum(a, count), -run_minimum(a, count));
}

TEST(unit, pendulum_has_the_published_numbers) {
    static const printed_impact printed[] = {
        {"0.487", "11.7402211", "-6.40375699"}, {"1.282", "9.36908562", "-5.11041034"},
        {"1.950", "7.4627967", "-4.07061638"},  {"2.512", "5.94370124", "-3.24201886"},
        {"2.981", "4.73160156", "-2.58087358"},
    };
    static const printed_sample angle[] = {
        {0.4, "-0.450876898"}, {0.8, "-0.122025273"}, {1.6, "-0.321462716"},
        {2.2, "-0.48008954"},  {4.0, "-0.757669924"},
    };
    static const printed_sample energy[] = {
        {0.4, "2.58816853"},  {0.8, "-0.897082388"}, {1.6, "-3.14912263"},
        {2.2, "-4.58428014"}, {4.0, "-6.81462178"},
    };
    static const char *const nu[] = {"5.79902e-3", "1.52568e-3", "3.53231e-4"};
    run r = paper_pendulum(CAROM_SCHEME_NONSMOOTH_GALPHA, 1e-3, 0.8, 6.0);
    const carom_trajectory *t = r.trajectory;
    check_pendulum_impacts(t, LENGTH(printed), printed);
    check_samples(t, t->position, 3, 2, LENGTH(angle), angle);
    check_samples(t, t->energy, 1, 0, LENGTH(energy), energy);
    int rows[64] = {0};
    run_contact_rows(t, 0, 64, rows);
    for (int i = 0; i < LENGTH(nu); i++) {
        assert_printed(t->contact_position_multiplier[rows[i]], nu[i]);
    }
    check_no_penetration(t, 1.0);
    // joints at both levels: position to rounding, velocity to the Newton tolerance
    ck_assert_double_lt(largest(t->joint_residual, 2 * t->row_count), 1e-12);
    ck_assert_double_lt(largest(t->joint_rate, 2 * t->row_count), 1e-10);
    ck_assert_int_le(run_most_iterations(t), 3);
    // energy may rise, but by O(h^2) per step only (1.08e-4 J at this step)
    for (int row = 1; row < t->row_count; row++) {
        ck_assert_double_lt(t->energy[row] - t->energy[row - 1], 1.1e-4);
    }
    run_clear(&r);
}

TEST(unit, resting_pendulum_has_the_exact_reactions) {
    run r = paper_pendulum(CAROM_SCHEME_NONSMOOTH_GALPHA, 1e-3, 0.8, 6.0);
    const carom_trajectory *t = r.trajectory;
    const double h = t->step;
    const double exact[2] = {-50.0 / 11.0, 60.0 / 11.0}; // N, from the closed-contact balance
    for (int row = run_row(t, 5.4); row < t->row_count; row++) {
        assert_close(t->contact_impulse[row] / h, 10.0, 0.0, 1e-6); // 1e-10 N s over h, and rest
        assert_close(t->contact_position_multiplier[row], 0.5 * h * h * 10.0, 0.0, 1e-12);
        for (int j = 0; j < 2; j++) {
            assert_close(run_at(t->joint_force, 2, row, j), exact[j], 0.0, 1e-6);
            assert_close(run_at(t->joint_impulse, 2, row, j) / h,
                         j == 0 ? -60.0 / 11.0 : 50.0 / 11.0, 0.0, 1e-6);
            assert_close(run_at(t->joint_position_multiplier, 2, row, j),
                         0.5 * h * run_at(t->joint_impulse, 2, row, j), 0.0, 1e-12);
        }
    }
    run_clear(&r);
}

TEST(unit, reference_pendulum_has_the_published_numbers) {
    // the prototype left up to 1e-10 N s in each of the steps, 2e-8 of an impulse after 5000
    static const printed_impact printed[] = {
        {"0.4862", "11.73525", "-6.401045"}, {"1.2813", "9.38572", NULL},
        {"1.9512", "7.50551", NULL},         {"2.5167", "6.00354", NULL},
        {"2.9905", "4.80138", NULL},
    };
    run r = paper_pendulum(CAROM_SCHEME_NONSMOOTH_GALPHA, 1e-4, 0.8, 5.5);
    const carom_trajectory *t = r.trajectory;
    check_pendulum_impacts(t, LENGTH(printed), printed);
    assert_printed(run_maximum(t->contact_position_multiplier, t->row_count), "5.838e-4");
    assert_printed(t->contact_impulse[t->row_count - 1], "0.00100000");
    assert_printed(t->contact_position_multiplier[t->row_count - 1], "5.0e-8");
    check_no_penetration(t, 1.0);
    run_clear(&r);
}

TEST(unit, moreau_pendulum_drifts_by_the_published_amount) {
    static const printed_impact printed[] = {
        {"0.487", "11.7354589", "-6.41317715"},
        {"1.282", "9.36588258", NULL},
        {"1.951", "7.48610238", NULL},
    };
    static const printed_sample drift[] = {
        {0.4, "-9.285e-5"}, {0.8, "-2.258e-4"}, {1.6, "-3.424e-4"},
        {2.2, "-4.010e-4"}, {4.0, "-4.602e-4"}, {6.0, "-4.626e-4"},
    };
    run r = paper_pendulum(CAROM_SCHEME_MOREAU_JEAN, 1e-3, 0.8, 6.0);
    const carom_trajectory *t = r.trajectory;
    check_pendulum_impacts(t, LENGTH(printed), printed);
    check_samples(t, t->joint_residual, 2, 0, LENGTH(drift), drift);
    assert_printed(run_minimum(t->gap, t->row_count), "-1.145e-3");
    assert_printed(t->contact_impulse[t->row_count - 1] / t->step, "10.013");
    ck_assert_double_lt(largest(t->joint_rate, 2 * t->row_count), 1e-10);
    run_clear(&r);
}

/** Deviation of the smooth reaction from the one the exact solution has at the same state, N. */
static double reaction_deviation(const carom_trajectory *t, int row) {
    const carom_bouncing_pendulum_params p = carom_bouncing_pendulum_params_default();
    const double angle = run_at(t->position, 3, row, 2);
    const double rate = run_at(t->velocity, 3, row, 2);
    const double acceleration =
        -p.mass * p.gravity * p.length * cos(angle) / (p.mass * p.length * p.length + p.inertia);
    const double exact =
        -p.mass * p.length * (sin(angle) * acceleration + cos(angle) * rate * rate);
    return run_at(t->joint_force, 2, row, 0) - exact;
}

/**
 * Samples of the deviation after the one of the impact step, until it falls below one percent of
 * the first of them: their number, and how often the sign changes between them.
 */
static void check_reaction_oscillation(double rho, int sign_changes, int steps) {
    run r = paper_pendulum(CAROM_SCHEME_NONSMOOTH_GALPHA, 1e-3, rho, 0.6);
    int row = 0;
    run_contact_rows(r.trajectory, 0, 1, &row);
    const double first = reaction_deviation(r.trajectory, row + 1);
    double now = first;
    int changes = 0;
    int samples = 0;
    while (fabs(now) > 0.01 * fabs(first)) {
        samples++;
        const double next = reaction_deviation(r.trajectory, row + 1 + samples);
        changes += now * next < 0.0 && fabs(next) > 0.01 * fabs(first) ? 1 : 0;
        now = next;
    }
    ck_assert_msg(changes == sign_changes, "rho %g: %d sign changes", rho, changes);
    ck_assert_msg(samples == steps, "rho %g: %d steps", rho, samples);
    run_clear(&r);
}

TEST(unit, reaction_oscillates_as_long_as_the_spectral_radius_says) {
    check_reaction_oscillation(0.8, 22, 23);
    check_reaction_oscillation(0.5, 6, 7);
    check_reaction_oscillation(0.4, 5, 6);
    check_reaction_oscillation(0.2, 2, 3);
    static const char *const printed[] = {"-16.02", "14.28", "-12.37", "10.50"};
    run r = paper_pendulum(CAROM_SCHEME_NONSMOOTH_GALPHA, 1e-3, 0.8, 0.6);
    int row = 0;
    run_contact_rows(r.trajectory, 0, 1, &row);
    for (int i = 0; i < LENGTH(printed); i++) {
        assert_printed(reaction_deviation(r.trajectory, row + 1 + i), printed[i]);
    }
    run_clear(&r);
}

TEST(unit, reaction_decays_by_three_without_sign_change_at_spectral_radius_zero) {
    run r = paper_pendulum(CAROM_SCHEME_NONSMOOTH_GALPHA, 1e-3, 0.0, 0.6);
    int row = 0;
    run_contact_rows(r.trajectory, 0, 1, &row);
    assert_printed(fabs(reaction_deviation(r.trajectory, row)), "10.2");
    for (int i = 1; i < 5; i++) {
        // up to O(h) of the first sample
        assert_close(reaction_deviation(r.trajectory, row + i + 1),
                     reaction_deviation(r.trajectory, row + i) / 3.0, 0.0, 5e-3);
    }
    run_clear(&r);
}

static run paper_bar(carom_scheme scheme, carom_elastic_bar_mass mass, int elements,
                     carom_predictor predictor) {
    carom_elastic_bar_params bar = carom_elastic_bar_params_default();
    bar.mass_matrix = mass;
    bar.elements = elements;
    // Courant number 1.2 on every mesh
    carom_stepper_params params = scheme_with_step(scheme, 2e-3 * 200.0 / elements);
    params.predictor = predictor;
    params.tolerance = 1e-9;
    return run_bar(&bar, &params, 2.0);
}

/** Contact force of a row, whatever the scheme stores, N. */
static double bar_force(const carom_trajectory *t, int row) {
    return t->kind == CAROM_TRAJECTORY_SMOOTH ? t->contact_force[row]
                                              : t->contact_impulse[row] / t->step;
}

/** First eight contact forces from 0.502 s and the energy at six times. */
static void check_bar(carom_scheme scheme, const char *const *force, const char *const *energy) {
    static const double time[] = {0.6, 0.8, 1.0, 1.2, 1.5, 2.0};
    run r = paper_bar(scheme, CAROM_ELASTIC_BAR_CONSISTENT, 200, CAROM_PREDICTOR_HALF_STEP);
    const carom_trajectory *t = r.trajectory;
    for (int i = 0; i < 8; i++) {
        assert_printed(bar_force(t, run_row(t, 0.502) + i), force[i]);
    }
    for (int i = 0; i < LENGTH(time); i++) {
        assert_printed(t->energy[run_row(t, time[i])], energy[i]);
    }
    run_clear(&r);
}

TEST(unit, bar_has_the_published_forces_and_energies) {
    static const char *const ggl_force[] = {"215.063",  "307.9957", "308.3029", "288.5682",
                                            "306.4912", "300.0989", "296.1866", "303.5274"};
    static const char *const ggl_energy[] = {"498.30339", "498.03976", "497.86932",
                                             "497.73361", "497.54413", "497.30553"};
    static const char *const moreau_force[] = {"181.621", "275.299", "314.420", "294.242",
                                               "300.436", "301.588", "298.539", "300.552"};
    static const char *const moreau_energy[] = {"491.94811", "486.13857", "482.12656",
                                                "478.94842", "476.92369", "475.48002"};
    static const char *const smooth_force[] = {"491.036", "12.359",  "695.919", "0",
                                               "412.135", "321.772", "68.834",  "747.734"};
    static const char *const smooth_energy[] = {"499.43753", "498.70704", "498.34659",
                                                "498.10513", "497.80422", "497.44792"};
    check_bar(CAROM_SCHEME_NONSMOOTH_GALPHA, ggl_force, ggl_energy);
    check_bar(CAROM_SCHEME_MOREAU_JEAN, moreau_force, moreau_energy);
    check_bar(CAROM_SCHEME_SMOOTH_GALPHA, smooth_force, smooth_energy);
}

/** Largest rise of the energy over a step, J. */
static double largest_rise(const carom_trajectory *t) {
    double rise = 0.0;
    for (int row = 1; row < t->row_count; row++) {
        rise = fmax(rise, t->energy[row] - t->energy[row - 1]);
    }
    return rise;
}

/** Number of rows in which the contact acts. */
static int contact_row_count(const carom_trajectory *t) {
    int count = 0;
    for (int row = 1; row < t->row_count; row++) {
        count += bar_force(t, row) > 0.0 ? 1 : 0;
    }
    return count;
}

TEST(unit, bar_contact_is_as_published) {
    run ggl = paper_bar(CAROM_SCHEME_NONSMOOTH_GALPHA, CAROM_ELASTIC_BAR_CONSISTENT, 200,
                        CAROM_PREDICTOR_HALF_STEP);
    const carom_trajectory *t = ggl.trajectory;
    check_no_penetration(t, 5.0);
    ck_assert_int_eq(contact_row_count(t), 335);
    assert_printed(t->gap[t->row_count - 1], "8.22076");
    double mean = 0.0;
    double square = 0.0;
    const int first = run_row(t, 0.7);
    const int count = run_row(t, 1.0) - first + 1;
    for (int row = first; row < first + count; row++) {
        mean += bar_force(t, row) / count;
        square += (bar_force(t, row) - 300.0) * (bar_force(t, row) - 300.0) / count;
        assert_close(t->contact_position_multiplier[row], 6.0e-4, 2e-4, 0.0);
        assert_close(run_at(t->velocity, 201, row, 0), 0.0, 0.0, 1e-12);
    }
    assert_printed(mean, "300.0000");
    assert_printed(sqrt(square), "1.9e-3");
    ck_assert_double_lt(largest_rise(t), 2.2e-5); // 2.1e-5 J
    run_clear(&ggl);
    run moreau = paper_bar(CAROM_SCHEME_MOREAU_JEAN, CAROM_ELASTIC_BAR_CONSISTENT, 200,
                           CAROM_PREDICTOR_HALF_STEP);
    t = moreau.trajectory;
    ck_assert_int_eq(contact_row_count(t), 334);
    assert_printed(t->gap[t->row_count - 1], "8.02673");
    assert_printed(run_minimum(t->gap, t->row_count), "-3.8888889e-3");
    run_clear(&moreau);
    run current = paper_bar(CAROM_SCHEME_MOREAU_JEAN, CAROM_ELASTIC_BAR_CONSISTENT, 200,
                            CAROM_PREDICTOR_CURRENT);
    assert_printed(run_minimum(current.trajectory->gap, current.trajectory->row_count),
                   "-0.0238889");
    run_clear(&current);
}

TEST(unit, smooth_galpha_bar_oscillates_as_published) {
    run r = paper_bar(CAROM_SCHEME_SMOOTH_GALPHA, CAROM_ELASTIC_BAR_CONSISTENT, 200,
                      CAROM_PREDICTOR_HALF_STEP);
    const carom_trajectory *t = r.trajectory;
    assert_printed(run_maximum(t->energy, t->row_count), "502.686");
    assert_printed(largest_rise(t), "3.47");
    ck_assert_int_eq(contact_row_count(t), 326);
    double fastest = 0.0;
    for (int row = run_row(t, 0.502); row < run_row(t, 1.17); row++) {
        if (bar_force(t, row) > 0.0) {
            fastest = fmax(fastest, fabs(run_at(t->velocity, 201, row, 0)));
        }
    }
    assert_printed(fastest, "13.6");
    run_clear(&r);
}

TEST(unit, lumped_bar_has_the_published_numbers) {
    run ggl = paper_bar(CAROM_SCHEME_NONSMOOTH_GALPHA, CAROM_ELASTIC_BAR_LUMPED, 200,
                        CAROM_PREDICTOR_HALF_STEP);
    const int rows = ggl.trajectory->row_count;
    assert_printed(run_maximum(ggl.trajectory->contact_impulse, rows) / ggl.trajectory->step,
                   "327.497");
    assert_printed(ggl.trajectory->energy[rows - 1], "497.21861");
    check_no_penetration(ggl.trajectory, 5.0);
    run_clear(&ggl);
    run moreau = paper_bar(CAROM_SCHEME_MOREAU_JEAN, CAROM_ELASTIC_BAR_LUMPED, 200,
                           CAROM_PREDICTOR_HALF_STEP);
    assert_printed(moreau.trajectory->energy[rows - 1], "475.19537");
    run_clear(&moreau);
    run smooth = paper_bar(CAROM_SCHEME_SMOOTH_GALPHA, CAROM_ELASTIC_BAR_LUMPED, 200,
                           CAROM_PREDICTOR_HALF_STEP);
    assert_printed(run_maximum(smooth.trajectory->contact_force, rows), "1167.6");
    assert_printed(run_maximum(smooth.trajectory->energy, rows), "562.86");
    run_clear(&smooth);
}

/** L1 norm over 2 s of the gap error against the travelling wave, m s. */
static double bar_gap_error(const carom_trajectory *t, int elements) {
    carom_elastic_bar_params bar = carom_elastic_bar_params_default();
    bar.elements = elements;
    double error = 0.0;
    for (int row = 1; row < t->row_count; row++) {
        // closed between the impact at d_0/v_0 and 2 L/c later, straight flight otherwise
        const double impact = bar.initial_gap / bar.initial_velocity;
        const double take_off = impact + 2.0 * bar.length * sqrt(bar.density / bar.young_modulus);
        const double exact = bar.initial_velocity * (fmax(impact - t->time[row], 0.0) +
                                                     fmax(t->time[row] - take_off, 0.0));
        error += t->step * fabs(t->gap[row] - exact);
    }
    return error;
}

TEST(unit, bar_loses_the_published_energy_on_every_mesh) {
    static const int elements[] = {25, 50, 100, 200};
    static const char *const ggl_loss[] = {"15.49", "8.91", "4.41", "2.69"};
    static const char *const moreau_loss[] = {"72.23", "49.69", "34.98", "24.52"};
    static const char *const ggl_error[] = {"0.184", "0.111", "0.0668", "0.0418"};
    for (int i = 0; i < LENGTH(elements); i++) {
        run ggl = paper_bar(CAROM_SCHEME_NONSMOOTH_GALPHA, CAROM_ELASTIC_BAR_CONSISTENT,
                            elements[i], CAROM_PREDICTOR_HALF_STEP);
        run moreau = paper_bar(CAROM_SCHEME_MOREAU_JEAN, CAROM_ELASTIC_BAR_CONSISTENT, elements[i],
                               CAROM_PREDICTOR_HALF_STEP);
        const int last = ggl.trajectory->row_count - 1;
        assert_printed(500.0 - ggl.trajectory->energy[last], ggl_loss[i]);
        assert_printed(500.0 - moreau.trajectory->energy[last], moreau_loss[i]);
        assert_printed(bar_gap_error(ggl.trajectory, elements[i]), ggl_error[i]);
        run_clear(&ggl);
        run_clear(&moreau);
    }
}

static run paper_block(carom_scheme scheme, double h, carom_predictor predictor) {
    const carom_rocking_block_params block = carom_rocking_block_params_default();
    carom_stepper_params params = scheme_with_step(scheme, h);
    params.predictor = predictor;
    return run_block(&block, &params, 2.0);
}

TEST(unit, block_has_the_published_numbers) {
    static const printed_impact second[] = {
        {"0.19", "1.892861792", NULL},
        {"0.48", "1.008288048", NULL},
        {"0.62", "0.503934062", NULL},
        {"0.69", "0.2509527893", NULL},
    };
    static const printed_impact first[] = {
        {"0.30", "1.825575908", NULL},
        {"0.53", "0.8168124254", NULL},
        {"0.63", "0.3327335304", NULL},
        {"0.67", "0.1401787921", NULL},
    };
    static const printed_sample height[] = {
        {0.1, "0.95095"},     {0.2, "0.830652485"}, {0.4, "0.810334894"},
        {0.5, "0.763995655"}, {0.6, "0.759257741"}, {0.7, "0.750410916"},
    };
    static const printed_sample angle[] = {
        {0.1, "0.2"},           {0.2, "0.165343301"},  {0.4, "-0.00903839373"},
        {0.5, "0.00815932213"}, {0.6, "5.9428975e-4"}, {0.7, "-8.22338618e-4"},
    };
    static const printed_sample energy[] = {
        {0.25, "8.95928443"}, {0.4, "8.01617848"}, {0.5, "7.70262761"},
        {0.6, "7.51719667"},  {0.7, "7.36188024"}, {2.0, "7.3575"},
    };
    run r = paper_block(CAROM_SCHEME_NONSMOOTH_GALPHA, 1e-2, CAROM_PREDICTOR_HALF_STEP);
    const carom_trajectory *t = r.trajectory;
    check_impacts(t, 0, LENGTH(first), first);
    check_impacts(t, 1, LENGTH(second), second);
    check_samples(t, t->position, 3, 1, LENGTH(height), height);
    check_samples(t, t->position, 3, 2, LENGTH(angle), angle);
    check_samples(t, t->energy, 1, 0, LENGTH(energy), energy);
    check_no_penetration(t, 1.0);
    ck_assert_int_le(run_most_iterations(t), 3);
    for (int row = run_row(t, 1.8); row < t->row_count; row++) {
        for (int j = 0; j < 2; j++) {
            assert_close(run_at(t->contact_impulse, 2, row, j), 0.04905, 0.0, 1e-9);
            assert_close(run_at(t->contact_position_multiplier, 2, row, j), 0.5e-2 * 0.04905, 0.0,
                         1e-11);
        }
        assert_close(run_at(t->position, 3, row, 1), 0.75, 0.0, 1e-12);
        assert_close(run_at(t->position, 3, row, 2), 0.0, 0.0, 1e-12);
    }
    run_clear(&r);
}

TEST(unit, reference_block_has_the_published_numbers) {
    static const printed_impact second[] = {
        {"0.1838", "1.891202114", NULL},
        {"0.4726", "1.007341851", NULL},
        {"0.6144", "0.5205068951", NULL},
    };
    static const printed_impact first[] = {
        {"0.2964", "1.794792287", NULL},
        {"0.5188", "0.7742719864", NULL},
        {"0.6178", "0.3464950739", NULL},
    };
    run r = paper_block(CAROM_SCHEME_NONSMOOTH_GALPHA, 2e-4, CAROM_PREDICTOR_HALF_STEP);
    check_impacts(r.trajectory, 0, LENGTH(first), first);
    check_impacts(r.trajectory, 1, LENGTH(second), second);
    assert_printed(run_at(r.trajectory->contact_impulse, 2, r.trajectory->row_count - 1, 0),
                   "9.81e-4");
    check_no_penetration(r.trajectory, 1.0);
    run_clear(&r);
}

/** Smallest gap of one corner, m. */
static double smallest_gap(const carom_trajectory *t, int contact) {
    double smallest = t->gap[contact];
    for (int row = 0; row < t->row_count; row++) {
        smallest = fmin(smallest, run_at(t->gap, 2, row, contact));
    }
    return smallest;
}

TEST(unit, moreau_block_penetrates_and_loses_energy_in_flight_as_published) {
    run half = paper_block(CAROM_SCHEME_MOREAU_JEAN, 1e-2, CAROM_PREDICTOR_HALF_STEP);
    assert_printed(smallest_gap(half.trajectory, 0), "-1.4e-3");
    assert_printed(smallest_gap(half.trajectory, 1), "-7.5e-3");
    assert_printed(half.trajectory->energy[10], "9.80465");
    run_clear(&half);
    run full = paper_block(CAROM_SCHEME_MOREAU_JEAN, 1e-2, CAROM_PREDICTOR_FULL_STEP);
    assert_printed(smallest_gap(full.trajectory, 0), "-6.3e-4");
    assert_printed(smallest_gap(full.trajectory, 1), "-4.9e-4");
    run_clear(&full);
}

/** Most Newton iterations of a step for a bar of 50 elements. */
static int bar_iterations(carom_newton newton, double courant, double tolerance) {
    carom_elastic_bar_params bar = carom_elastic_bar_params_default();
    bar.elements = 50;
    const double speed = sqrt(bar.young_modulus / bar.density);
    carom_stepper_params params = scheme_with_step(CAROM_SCHEME_NONSMOOTH_GALPHA,
                                                   courant * bar.length / bar.elements / speed);
    params.newton = newton;
    params.use_linear_step = false;
    params.tolerance = tolerance;
    params.max_iterations = 400;
    run r = run_bar(&bar, &params, 0.7);
    const int most = run_most_iterations(r.trajectory);
    run_clear(&r);
    return most;
}

TEST(unit, newton_needs_the_published_number_of_iterations) {
    run ball = paper_ball(CAROM_SCHEME_NONSMOOTH_GALPHA, CAROM_PREDICTOR_HALF_STEP, 5.0);
    ck_assert_int_le(run_most_iterations(ball.trajectory), 2);
    run_clear(&ball);
    ck_assert_int_le(bar_iterations(CAROM_NEWTON_MONOLITHIC, 1.2, 1e-9), 2);
    // the blocks in turn contract linearly: 8, 33, 74, 165 iterations, counted one way or another
    static const double courant[] = {0.3, 1.2, 2.4, 4.8};
    static const int printed[] = {8, 33, 74, 165};
    for (int i = 0; i < LENGTH(courant); i++) {
        const int most = bar_iterations(CAROM_NEWTON_SEQUENTIAL, courant[i], 1e-8);
        ck_assert_msg(abs(most - printed[i]) <= 2 + printed[i] / 10,
                      "Courant %g: %d iterations, printed %d", courant[i], most, printed[i]);
    }
}
