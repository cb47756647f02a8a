/* carom/timestepping/inclusion: every step satisfies the laws of contact, friction and energy, on
 * random systems. */
#include "inclusion_runs.h"

/* ---- Random constant data: M, f, J, mu, gaps affine in q ---- */

enum { MOST_COORDINATES = 6, MOST_CONTACTS = 4, MOST_ROWS = 3 * MOST_CONTACTS };

typedef struct affine {
    int n;
    int m;
    int t;
    double M[MOST_COORDINATES * MOST_COORDINATES];
    double f[MOST_COORDINATES];
    double J[MOST_ROWS * MOST_COORDINATES];
    double g0[MOST_CONTACTS];
    double mu[MOST_CONTACTS];
    double restitution[MOST_CONTACTS];
} affine;

static void affine_mass(const double *q, double *M, void *context) {
    (void)q;
    const affine *a = context;
    memcpy(M, a->M, (size_t)(a->n * a->n) * sizeof(double));
}

static void affine_force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    (void)q;
    (void)v;
    const affine *a = context;
    memcpy(f, a->f, (size_t)a->n * sizeof(double));
}

static double affine_energy(const double *q, void *context) {
    const affine *a = context;
    double energy = 0.0;
    for (int i = 0; i < a->n; i++) {
        energy -= a->f[i] * q[i];
    }
    return energy;
}

static void affine_gaps(const double *q, double *g, void *context) {
    const affine *a = context;
    for (int i = 0; i < a->m; i++) {
        g[i] = a->g0[i];
        for (int j = 0; j < a->n; j++) {
            g[i] += a->J[i * a->n + j] * q[j];
        }
    }
}

static void affine_jacobian(const double *q, double *G, void *context) {
    (void)q;
    const affine *a = context;
    memcpy(G, a->J, (size_t)(a->m * a->n) * sizeof(double));
}

static void affine_tangential(const double *q, double *H, void *context) {
    (void)q;
    const affine *a = context;
    memcpy(H, a->J + a->m * a->n, (size_t)(a->m * a->t * a->n) * sizeof(double));
}

static carom_mechanism affine_mechanism(affine *a) {
    return (carom_mechanism){
        .name = "affine",
        .coordinate_count = a->n,
        .contact_count = a->m,
        .layout = carom_layout_full(a->n),
        .position_units = "m",
        .velocity_units = "m s-1",
        .restitution = a->restitution,
        .friction = a->mu,
        .tangent_count = a->t,
        .mass = affine_mass,
        .force = affine_force,
        .potential_energy = affine_energy,
        .constraints = affine_gaps,
        .constraint_jacobian = affine_jacobian,
        .tangential_jacobian = affine_tangential,
        .context = a,
    };
}

static affine random_affine(gsl_rng *generator, int n, int m, int t) {
    affine a = {.n = n, .m = m, .t = t};
    double A[MOST_COORDINATES * MOST_COORDINATES] = {0.0};
    for (int i = 0; i < n * n; i++) {
        A[i] = uniform(generator, -1.0, 1.0);
    }
    for (int i = 0; i < n; i++) {
        a.f[i] = uniform(generator, -2.0, 2.0);
        for (int j = 0; j < n; j++) {
            a.M[i * n + j] = i == j ? 0.5 : 0.0;
            for (int k = 0; k < n; k++) {
                a.M[i * n + j] += A[i * n + k] * A[j * n + k];
            }
        }
    }
    for (int i = 0; i < m * (1 + t) * n; i++) {
        a.J[i] = uniform(generator, -1.0, 1.0);
    }
    for (int i = 0; i < m; i++) {
        a.mu[i] = uniform(generator, 0.0, 1.0) < 0.2 ? 0.0 : uniform(generator, 0.0, 2.5);
        // Closed, about to close, or open.
        const double kind = uniform(generator, 0.0, 1.0);
        a.g0[i] = kind < 0.4 ? 0.0 : (kind < 0.8 ? 0.02 : 5.0) * uniform(generator, 0.0, 1.0);
    }
    return a;
}

/** sum_j J_row,j v_j. */
static double row_speed(const affine *a, int row, const double *v) {
    double sum = 0.0;
    for (int j = 0; j < a->n; j++) {
        sum += a->J[row * a->n + j] * v[j];
    }
    return sum;
}

static double kinetic_energy(const affine *a, const double *v) {
    double twice = 0.0;
    for (int i = 0; i < a->n; i++) {
        for (int j = 0; j < a->n; j++) {
            twice += v[i] * a->M[i * a->n + j] * v[j];
        }
    }
    return 0.5 * twice;
}

/** M (v+ - v) = dt f + J'L; dt + sum L_n = ds; dt and beta complementary. */
static void assert_balances(const affine *a, const carom_inclusion_step *step, const double *v,
                            const double *v_post) {
    double sum = step->time;
    for (int i = 0; i < a->m; i++) {
        sum += step->normal_impulse[i];
    }
    assert_close(sum, step->length, ROUNDING, 0.0);
    ck_assert(step->time >= 0.0 && step->approach >= 0.0);
    assert_close(step->time * step->approach, 0.0, 0.0, 0.0);
    for (int i = 0; i < a->n; i++) {
        double rest = -step->time * a->f[i];
        for (int j = 0; j < a->n; j++) {
            rest += a->M[i * a->n + j] * (v_post[j] - v[j]);
        }
        for (int l = 0; l < a->m; l++) {
            rest -= a->J[l * a->n + i] * step->normal_impulse[l];
        }
        for (int l = 0; l < a->m * a->t; l++) {
            rest -= a->J[(a->m + l) * a->n + i] * step->tangential_impulse[l];
        }
        assert_close(rest, 0.0, 0.0, ROUNDING);
    }
}

/** Of the steps of random systems, s. */
static const double STEP = 0.02;

/** The normal law, and planar friction, of one contact in the step. */
static void assert_contact_laws(const affine *a, int i, double gap,
                                const carom_inclusion_step *step, const double *v_post) {
    const double u = row_speed(a, i, v_post);
    const double L = step->normal_impulse[i];
    const double scale = ROUNDING + 1e-8 * step->length;
    ck_assert(L >= 0.0);
    // No gap is passed: rounding of the end, and 1e-8 of the gap (agreement of the search).
    const double end = gap + step->time * u;
    ck_assert_msg(end >= -1e-7 * gap - GAP_ROUNDING, "gap %.3g ends at %.3g", gap, end);
    if (L > 1e-9 * step->length) {
        // What presses approaches, or stays, and is closed at the end.
        ck_assert(u <= scale);
        // Or it is early, by a thousandth of the step; speeds stay below 10 m/s here.
        const double open = step->is_early ? 1e-3 * step->length * 10.0 : 0.0;
        const double closed = 1e-8 * STEP * 10.0;
        ck_assert_msg(end <= 1e-7 * gap + closed + open, "gap %.3g, end %.3g, L %.3g", gap, end, L);
        if (step->time > 0.0 && gap <= 0.0) {
            assert_close(u, 0.0, 0.0, scale);
        }
        if (!(step->time > 0.0) && !step->is_early) {
            assert_close(u, -step->approach, 0.0, scale);
        }
    }
    if (a->t == 1) {
        const double L_t = step->tangential_impulse[i];
        const double slip = row_speed(a, a->m + i, v_post);
        ck_assert(fabs(L_t) <= a->mu[i] * L + ROUNDING);
        if (fabs(slip) > scale) {
            assert_close(L_t, -a->mu[i] * L * copysign(1.0, slip), ROUNDING, ROUNDING);
        }
    }
}

TEST(property, every_step_satisfies_the_laws_of_the_inclusion) {
    gsl_rng *generator = seeded_generator(4201);
    int impacts = 0;
    int contacts = 0;
    int shortened = 0;
    int early = 0;
    for (int k = 0; k < 400; k++) {
        const int m = 1 + k % MOST_CONTACTS;
        affine a = random_affine(generator, 3 + k % 4, m, 1);
        const carom_mechanism mechanism = affine_mechanism(&a);
        const carom_inclusion_params params = with_step(STEP);
        carom_inclusion_stepper *stepper;
        assert_ok(carom_inclusion_stepper_alloc(&mechanism, &params, &stepper, NULL));
        double q[MOST_COORDINATES] = {0.0};
        double v[MOST_COORDINATES] = {0.0};
        for (int i = 0; i < a.n; i++) {
            v[i] = uniform(generator, -1.0, 1.0);
        }
        double t = 0.0;
        for (int j = 0; j < 20; j++) {
            double v_pre[MOST_COORDINATES];
            double gap[MOST_CONTACTS] = {0.0};
            memcpy(v_pre, v, sizeof v);
            affine_gaps(q, gap, &a);
            carom_inclusion_step step;
            assert_ok(carom_inclusion_stepper_advance(stepper, params.step, &t, q, v, &step, NULL));
            assert_balances(&a, &step, v_pre, v);
            double power = 0.0;
            for (int i = 0; i < a.n; i++) {
                power += a.f[i] * v[i];
            }
            ck_assert(kinetic_energy(&a, v) <=
                      kinetic_energy(&a, v_pre) + step.time * power + ROUNDING);
            for (int i = 0; i < m; i++) {
                assert_contact_laws(&a, i, gap[i], &step, v);
            }
            impacts += !(step.time > 0.0);
            contacts += step.time > 0.0 && step.time < 0.99 * step.length;
            shortened += step.is_shortened;
            early += step.is_early;
        }
        carom_inclusion_stepper_free(stepper);
    }
    ck_assert_int_gt(impacts, 200);
    ck_assert_int_gt(contacts, 200);
    // Jumps are rare, but there are some.
    ck_assert_int_gt(shortened, 0);
    ck_assert_int_lt(shortened + early, 200);
    gsl_rng_free(generator);
}

/** Twenty steps from q = 0 with v [n], which are overwritten; the time at the end. */
static double take_steps(carom_inclusion_stepper *stepper, double *q, double *v) {
    double t = 0.0;
    memset(q, 0, MOST_COORDINATES * sizeof *q);
    assert_ok(carom_inclusion_stepper_start(stepper, t, q, v, NULL));
    for (int j = 0; j < 20; j++) {
        assert_ok(carom_inclusion_stepper_advance(stepper, STEP, &t, q, v, NULL, NULL));
    }
    return t;
}

TEST(property, a_motion_that_starts_after_another_is_that_of_a_new_stepper) {
    gsl_rng *generator = seeded_generator(4204);
    for (int k = 0; k < 200; k++) {
        affine a = random_affine(generator, 3 + k % 4, 1 + k % MOST_CONTACTS, 1);
        const carom_mechanism mechanism = affine_mechanism(&a);
        const carom_inclusion_params params = with_step(STEP);
        carom_inclusion_stepper *used;
        carom_inclusion_stepper *fresh;
        assert_ok(carom_inclusion_stepper_alloc(&mechanism, &params, &used, NULL));
        assert_ok(carom_inclusion_stepper_alloc(&mechanism, &params, &fresh, NULL));
        double q[2][MOST_COORDINATES] = {{0.0}};
        double v[2][MOST_COORDINATES] = {{0.0}};
        double earlier[MOST_COORDINATES] = {0.0};
        for (int i = 0; i < a.n; i++) {
            v[0][i] = uniform(generator, -1.0, 1.0);
            v[1][i] = v[0][i];
            earlier[i] = (k % 2 == 0 ? 1e6 : 1.0) * uniform(generator, -1.0, 1.0);
        }
        // Before go ways a million times as long, beside which gaps of some 1e-4 m are closed, or
        // steps with shares of time of their own.
        take_steps(used, q[0], earlier);
        const double t[2] = {take_steps(used, q[0], v[0]), take_steps(fresh, q[1], v[1])};
        ck_assert_double_eq(t[0], t[1]);
        ck_assert_mem_eq(q[0], q[1], sizeof q[0]);
        ck_assert_mem_eq(v[0], v[1], sizeof v[0]);
        carom_inclusion_stepper_free(used);
        carom_inclusion_stepper_free(fresh);
    }
    gsl_rng_free(generator);
}

TEST(property, rows_of_a_run_tell_the_shares_of_its_steps) {
    // Shortened steps among them: s grows by what dt and the impulses sum to.
    gsl_rng *generator = seeded_generator(4203);
    int shortened = 0;
    for (int k = 0; k < 200; k++) {
        affine a = random_affine(generator, 4, 3, 1);
        const carom_mechanism mechanism = affine_mechanism(&a);
        const double q0[4] = {0.0};
        double v0[4];
        for (int i = 0; i < 4; i++) {
            v0[i] = uniform(generator, -1.0, 1.0);
        }
        carom_trajectory *trajectory = run(&mechanism, 0.02, q0, v0, 0.4);
        for (int row = 1; row < trajectory->row_count; row++) {
            const double ds = trajectory->s[row] - trajectory->s[row - 1];
            double sum = trajectory->time_rate[row];
            for (int i = 0; i < 3; i++) {
                sum += trajectory->normal_rate[3 * row + i];
            }
            ck_assert(ds > 0.0);
            assert_close(sum, 1.0, 1e-9, 0.0);
            assert_close(trajectory->time[row] - trajectory->time[row - 1],
                         trajectory->time_rate[row] * ds, 1e-9, ROUNDING);
        }
        assert_close(trajectory->s[last_row(trajectory)], 0.4, ROUNDING, 0.0);
        shortened += (int)carom_trajectory_total(trajectory, trajectory->shortened);
        carom_trajectory_free(trajectory);
    }
    ck_assert_int_gt(shortened, 0);
    gsl_rng_free(generator);
}

TEST(property, steps_in_space_dissipate_and_keep_their_cones) {
    gsl_rng *generator = seeded_generator(4202);
    for (int k = 0; k < 60; k++) {
        const int m = 1 + k % 3;
        affine a = random_affine(generator, 5, m, 2);
        const carom_mechanism mechanism = affine_mechanism(&a);
        const carom_inclusion_params params = with_step(0.02);
        carom_inclusion_stepper *stepper;
        assert_ok(carom_inclusion_stepper_alloc(&mechanism, &params, &stepper, NULL));
        double q[MOST_COORDINATES] = {0.0};
        double v[MOST_COORDINATES] = {0.3, -0.9, 0.5, 0.2, -0.4, 0.0};
        double t = 0.0;
        for (int j = 0; j < 20; j++) {
            double v_pre[MOST_COORDINATES];
            double gap[MOST_CONTACTS] = {0.0};
            memcpy(v_pre, v, sizeof v);
            affine_gaps(q, gap, &a);
            carom_inclusion_step step;
            assert_ok(carom_inclusion_stepper_advance(stepper, params.step, &t, q, v, &step, NULL));
            assert_balances(&a, &step, v_pre, v);
            double power = 0.0;
            for (int i = 0; i < a.n; i++) {
                power += a.f[i] * v[i];
            }
            ck_assert(kinetic_energy(&a, v) <=
                      kinetic_energy(&a, v_pre) + step.time * power + ROUNDING);
            for (int i = 0; i < m; i++) {
                assert_contact_laws(&a, i, gap[i], &step, v);
                const double *L_t = step.tangential_impulse + 2 * i;
                ck_assert(hypot(L_t[0], L_t[1]) <= a.mu[i] * step.normal_impulse[i] + ROUNDING);
            }
        }
        carom_inclusion_stepper_free(stepper);
    }
    gsl_rng_free(generator);
}

TEST(unit, a_sliding_point_in_space_stops_along_a_facet) {
    // Mass 1.3 on a plane, sliding along the facet at 45 deg: t = |v|/(mu g), straight on.
    affine a = {.n = 3, .m = 1, .t = 2, .mu = {0.4}, .f = {0.0, 0.0, -1.3 * 9.81}};
    a.M[0] = a.M[4] = a.M[8] = 1.3;
    a.J[2] = 1.0;
    a.J[3] = 1.0;
    a.J[7] = 1.0;
    const carom_mechanism mechanism = affine_mechanism(&a);
    const double speed = 1.7;
    const double q0[3] = {0.0, 0.0, 0.0};
    const double v0[3] = {-speed * sqrt(0.5), speed * sqrt(0.5), 0.0};
    const double step = 0.005;
    carom_trajectory *trajectory = run(&mechanism, step, q0, v0, 8.0);
    const int last = last_row(trajectory);
    const double path = 0.5 * speed * speed / (0.4 * GRAVITY);
    assert_close(trajectory->velocity[3 * last], 0.0, 0.0, ROUNDING);
    assert_close(trajectory->position[3 * last + 1], -trajectory->position[3 * last], 0.0, 1e-9);
    assert_close(trajectory->position[3 * last + 1], path * sqrt(0.5), 0.0, speed * step);
    carom_trajectory_free(trajectory);
}

TEST(errors, impossible_parameters_are_refused) {
    affine a = {.n = 1, .m = 1, .t = 1, .M = {1.0}, .J = {1.0, 0.0}, .mu = {0.1}};
    const double bad_weights[3] = {0.0, (double)NAN, INFINITY};
    carom_inclusion_params refused[14];
    int count = 0;
    const double bad_lengths[4] = {0.0, -1.0, (double)NAN, INFINITY};
    const double bad_gaps[3] = {0.0, 1.0, (double)NAN};
    for (int k = 0; k < 4; k++) {
        refused[count] = with_step(1.0);
        refused[count++].step = bad_lengths[k];
        refused[count] = with_step(1.0);
        refused[count++].reference_force = bad_lengths[k];
    }
    for (int k = 0; k < 3; k++) {
        refused[count] = with_step(1.0);
        refused[count++].closed_gap = bad_gaps[k];
        refused[count] = with_step(1.0);
        refused[count++].approach_weight = &bad_weights[k];
    }
    const carom_mechanism mechanism = affine_mechanism(&a);
    for (int k = 0; k < count; k++) {
        carom_report report = carom_report_empty();
        carom_inclusion_stepper *stepper = (void *)&a;
        ck_assert_int_eq(carom_inclusion_stepper_alloc(&mechanism, &refused[k], &stepper, &report),
                         CAROM_STATUS_OUT_OF_RANGE);
        ck_assert_ptr_null(stepper);
        ck_assert_ptr_nonnull(report.accepted);
    }
    a.mu[0] = 1e8;
    carom_report report = carom_report_empty();
    const carom_inclusion_params good = with_step(1e-2);
    carom_inclusion_stepper *stepper;
    assert_status(carom_inclusion_stepper_alloc(&mechanism, &good, &stepper, &report),
                  OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "friction");
    a.mu[0] = 0.1;
    a.t = 2;
    const int facets[] = {0, -8, 2, 7};
    for (size_t k = 0; k < sizeof facets / sizeof facets[0]; k++) {
        carom_mechanism spatial = affine_mechanism(&a);
        carom_inclusion_params params = with_step(1e-2);
        params.facets = facets[k];

        assert_status(carom_inclusion_stepper_alloc(&spatial, &params, &stepper, NULL),
                      OUT_OF_RANGE);
    }
}
