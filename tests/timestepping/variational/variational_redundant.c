/* carom/timestepping/variational/variational.h: contacts with friction on random rows, more than
 * there are coordinates, or between two walls: the laws hold, and modes are found. */
#include "../galpha/friction_bodies.h"
#include "variational_start.h"

#include <carom/base/random.h>
#include <carom/base/vector.h>
#include <carom/timestepping/variational/step_internal.h>
#include <carom/timestepping/variational/variational.h>

#include <math.h>

static carom_variational_stepper *stepper_at(const carom_mechanism *mechanism, double step,
                                             const double *q, const double *v) {
    carom_variational_params params = carom_variational_params_default();
    params.step = step;
    return start(mechanism, &params, 0.0, q, v, NULL);
}

/* Couple the coordinates: M = A A' + 0.3. */
typedef struct random_body {
    body b;
    double M[BODY_COORDINATES * BODY_COORDINATES];
} random_body;

static void random_mass(const double *q, double *M, void *context) {
    (void)q;
    const random_body *r = context;
    memcpy(M, r->M, sizeof r->M);
}

static double draw(unsigned long seed, int i, int j) {
    return 2.0 * carom_counter_uniform(seed, (unsigned long)i, (unsigned long)j) - 1.0;
}

static void random_init(random_body *r, unsigned long seed) {
    const int n = BODY_COORDINATES;
    body_init(&r->b, n, 2, 2);
    double A[BODY_COORDINATES * BODY_COORDINATES];
    for (int i = 0; i < n * n; i++) {
        A[i] = draw(seed, i, 0);
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            r->M[i * n + j] = (i == j ? 0.3 : 0.0) + carom_vector_dot(n, A + i * n, A + j * n);
        }
        r->b.force[i] = 10.0 * draw(seed, i, 1);
    }
    for (int i = 0; i < 2 * n; i++) {
        r->b.G[i] = draw(seed, i, 2);
        r->b.H[i] = draw(seed, i, 3);
        r->b.H[2 * n + i] = draw(seed, i, 4);
    }
    r->b.friction[0] = 0.4;
    r->b.friction[1] = 0.9;
    r->b.mechanism.mass = random_mass;
    r->b.mechanism.context = r; // the body is its first member
}

/* Within the cone, and if it slides with u all against u. */
static void assert_coulomb(double mu, double normal, const double *f, const double *u,
                           double scale) {
    const double size = hypot(f[0], f[1]);
    const double speed = hypot(u[0], u[1]);
    ck_assert_double_ge(normal, 0.0);
    ck_assert_double_le(size, mu * normal * (1.0 + 1e-12));
    if (speed > 1e-9) {
        for (int a = 0; a < 2; a++) {
            assert_close(f[a], -mu * normal * u[a] / speed, 1e-10, 1e-12 * scale + 1e-11 / speed);
        }
    }
}

TEST(property, both_halves_of_a_step_obey_signorini_and_the_round_cone) {
    int seen[3] = {0};
    int both = 0;
    for (unsigned long sample = 0; sample < 400; sample++) {
        random_body r;
        random_init(&r, sample);
        const int n = BODY_COORDINATES;
        const carom_variational_step_params params = carom_variational_step_params_default();
        carom_variational_step *step = NULL;
        assert_ok(carom_variational_step_alloc(&r.b.mechanism, &params, &step, NULL));
        const double h = 0.01;
        const double q[BODY_COORDINATES] = {0.0};
        const bool held[2] = {true, true};
        double p[BODY_COORDINATES] = {0.0};
        // From rest, or with a speed that friction turns round or hardly changes.
        double v[BODY_COORDINATES] = {0.0};
        const double speed[3] = {0.0, 0.02, 1.0};
        for (int i = 0; i < n; i++) {
            v[i] = speed[sample % 3] * draw(sample, i, 5);
        }
        // ... along both gaps
        for (int k = 0; k < 200; k++) {
            const double *row = r.b.G + (k % 2) * n;
            const double part = carom_vector_dot(n, row, v) / carom_vector_dot(n, row, row);
            for (int i = 0; i < n; i++) {
                v[i] -= part * row[i];
            }
        }
        carom_variational_momentum(step, q, v, p);
        assert_ok(carom_variational_step_solve(step, 0.0, q, p, h, held, NULL));
        both += step->is_held[0] && step->is_held[1];
        for (int i = 0; i < 2; i++) {
            seen[step->mode[i]]++;
            const double *f = step->first_friction + 2 * i;
            const double *g = step->last_friction + 2 * i;
            const double mu = r.b.friction[i];
            const double scale = hypot(step->first_impulse[i], step->last_impulse[i]);
            double middle[2];
            double end[2];
            for (int a = 0; a < 2; a++) {
                const double *row = r.b.H + (2 * i + a) * n;
                middle[a] = carom_vector_dot(n, row, step->position) / h;
                end[a] = carom_vector_dot(n, row, step->velocity);
            }
            if (!step->is_held[i]) {
                ck_assert_double_ge(step->gap[i], -1e-14);
                continue;
            }
            assert_close(step->gap[i], 0.0, 0.0, 1e-14);
            assert_close(carom_vector_dot(n, r.b.G + i * n, step->velocity), 0.0, 0.0, 1e-12);
            assert_coulomb(mu, step->first_impulse[i], f, middle, scale);
            if (step->last_impulse[i] < 0.0) {
                assert_close(hypot(g[0], g[1]), 0.0, 0.0, 0.0);
            } else if (step->mode[i] == CAROM_VARIATIONAL_SLIDE) {
                assert_coulomb(mu, step->last_impulse[i], g, middle, scale);
            } else {
                assert_coulomb(mu, step->last_impulse[i], g, end, scale);
            }
        }
        ck_assert_double_ge(step->dissipation, 0.0);
        carom_variational_step_free(step);
    }
    ck_assert_msg(seen[0] > 100 && seen[1] > 30 && seen[2] > 100 && both > 50, "%d %d %d, %d",
                  seen[0], seen[1], seen[2], both);
}

/* Four contacts, twelve rows of six coordinates: some of them bear nothing and hardly open, which a
 * tolerance alone cannot tell from closed ones. */
LOOP_TEST(property, plastic_impacts_at_redundant_rows_find_their_contact_modes, 58) {
    enum { CONTACTS = 4, FIRST = 200, STEPS = 20 };
    const unsigned long seed = FIRST + (unsigned long)_i;
    const int n = BODY_COORDINATES;
    random_body r;
    random_init(&r, seed);
    body_init(&r.b, n, CONTACTS, 2);
    r.b.mechanism.mass = random_mass;
    r.b.mechanism.context = &r;
    const double q[BODY_COORDINATES] = {0.0};
    double v[BODY_COORDINATES];
    for (int i = 0; i < n; i++) {
        r.b.force[i] = 10.0 * draw(seed, i, 1);
        v[i] = draw(seed, i, 5);
    }
    for (int i = 0; i < CONTACTS * n; i++) {
        r.b.G[i] = draw(seed, i, 2);
    }
    for (int i = 0; i < CONTACTS * 2 * n; i++) {
        r.b.H[i] = draw(seed, i, 3);
    }
    for (int j = 0; j < CONTACTS; j++) {
        r.b.friction[j] = 1.0 + draw(seed, j, 9);
    }
    carom_variational_stepper *stepper = stepper_at(&r.b.mechanism, 0.1, q, v);
    carom_status status = CAROM_OK;
    for (int k = 0; k < STEPS && status == CAROM_OK; k++) {
        status = carom_variational_stepper_advance(stepper, NULL);
    }
    // Contacts that chatter without end within a step are another matter.
    ck_assert_int_ne(status, CAROM_STATUS_CONFLICT);
    carom_variational_stepper_free(stepper);
}

/* A slab between floor and ceiling without play: no velocity separates both. It stays between them;
 * they press together by what only they share, and rub mu of both from its speed. */
TEST(property, contacts_that_jam_rub_by_all_that_they_press) {
    const double mu = 0.35;
    body b;
    body_init(&b, 2, 2, 1);
    b.mass[0] = b.mass[1] = MASS;
    b.G[1] = 1.0;
    b.G[2 + 1] = -1.0;
    b.H[0] = b.H[2] = 1.0;
    b.friction[0] = b.friction[1] = mu;
    const double q[2] = {0.0};
    const double v[2] = {1.3, -0.4};
    carom_variational_stepper *stepper = stepper_at(&b.mechanism, 0.1, q, v);
    const carom_variational_result *now = advance(stepper);
    ck_assert_int_eq(now->impact_count, 1);
    assert_close(now->velocity[1], 0.0, 0.0, 1e-15);
    const double floor_impulse = now->contact_impulse[0];
    const double ceiling_impulse = now->contact_impulse[1];
    ck_assert_double_ge(ceiling_impulse, 0.0);
    assert_close(floor_impulse - ceiling_impulse, 0.4 * MASS, 1e-13, 0.0);
    const double rubs = mu * (floor_impulse + ceiling_impulse);
    ck_assert_double_gt(now->velocity[0], 0.0);
    assert_close(MASS * (1.3 - now->velocity[0]), rubs, 1e-13, 0.0);
    assert_close(now->impact_loss + now->kinetic_energy, 0.5 * MASS * (1.3 * 1.3 + 0.4 * 0.4),
                 1e-13, 0.0);
    carom_variational_stepper_free(stepper);
    // Without friction the law of impact is the propagative one, which has no way to separate them.
    b.friction[0] = b.friction[1] = 0.0;
    carom_report report = carom_report_empty();
    stepper = stepper_at(&b.mechanism, 0.1, q, v);
    ck_assert_int_eq(carom_variational_stepper_advance(stepper, &report), CAROM_STATUS_CONFLICT);
    ck_assert_str_eq(report.quantity, "contacts that cannot be separated at once");
    carom_variational_stepper_free(stepper);
}
