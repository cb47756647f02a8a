/* carom/models/sliding_box.h: what a box begins to do against its contact problem, its way against
 * its energy, the rate it rocks on with against the impact of both corners. */
#include <carom/contact/contact.h>
#include <carom/mechanism/mechanism.h>
#include <carom/models/sliding_box.h>

#include "../support.h"

#include <float.h>
#include <string.h>

/* The velocity [3] after a time of forces and impulses at both corners, from the problem itself. */
static void step(const carom_sliding_box_params *p, double time, double *v) {
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    assert_ok(carom_sliding_box_alloc(p, &scene, NULL));
    const carom_mechanism *m = carom_impact_scene_mechanism(scene);
    enum { N = 3, ROWS = 4 };
    double M[N * N];
    double f[N];
    double G[2 * N];
    double H[2 * N];
    m->mass(scene->position, M, m->context);
    m->force(0.0, scene->position, scene->velocity, f, m->context);
    m->constraint_jacobian(scene->position, G, m->context);
    m->tangential_jacobian(scene->position, H, m->context);
    double J[ROWS * N];
    int start[ROWS + 1];
    int column[ROWS * N];
    for (int i = 0; i < N; i++) {
        v[i] = scene->velocity[i] + time * f[i] / M[i * N + i];
    }
    for (int k = 0; k < ROWS; k++) {
        memcpy(J + k * N, (k % 2 == 0 ? G : H) + k / 2 * N, N * sizeof *J);
        start[k] = k * N;
        for (int i = 0; i < N; i++) {
            column[k * N + i] = i;
        }
    }
    start[ROWS] = ROWS * N;
    const carom_contact_bodies bodies = {.layout = m->layout,
                                         .mass = M,
                                         .contact_count = 2,
                                         .tangent_count = 1,
                                         .row_start = start,
                                         .row_column = column,
                                         .row_value = J,
                                         .free_velocity = v,
                                         .friction = m->friction};
    CAROM_AUTO(carom_contact_problem) problem = NULL;
    CAROM_AUTO(carom_contact_solver) solver = NULL;
    double r[ROWS] = {0.0};
    assert_ok(carom_contact_problem_of_bodies(&bodies, &problem, NULL));
    assert_ok(carom_contact_solver_alloc(&solver));
    assert_ok(carom_contact_solve(solver, problem, NULL, r, NULL, NULL, NULL));
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < ROWS; k++) {
            v[i] += r[k] * J[k * N + i] / M[i * N + i];
        }
    }
}

TEST(property, it_begins_as_its_contact_problem_does) {
    gsl_rng *generator = seeded_generator(20261127);
    int count[3] = {0};
    for (int k = 0; k < 600; k++) {
        carom_sliding_box_params p = {.mass = uniform(generator, 0.2, 3.0),
                                      .width = uniform(generator, 0.1, 0.6),
                                      .height = uniform(generator, 0.2, 0.8),
                                      .friction = uniform(generator, 0.0, 1.2),
                                      .slope = uniform(generator, 0.0, 0.8),
                                      .gravity = uniform(generator, 1.0, 12.0)};
        // It does not stop within the step.
        p.speed = k % 2 == 0 ? 0.0 : uniform(generator, 0.1, 2.0) * (k % 4 == 1 ? 1.0 : -1.0);
        double v[3];
        const double time = 1e-3;
        const double small = 1e-9 * p.gravity * time;
        const carom_sliding_box_motion motion = carom_sliding_box_begins(&p);
        step(&p, time, v);
        const bool tips = fabs(v[2]) * p.width > small;
        ck_assert_int_eq(tips, motion == CAROM_SLIDING_BOX_TIPS);
        if (!tips) {
            ck_assert_int_eq(fabs(v[0]) > small, motion == CAROM_SLIDING_BOX_SLIDES);
        }
        count[motion]++;
    }
    for (int k = 0; k < 3; k++) {
        ck_assert_int_gt(count[k], 50);
    }
    gsl_rng_free(generator);
}

TEST(unit, it_brakes_over_v_squared_by_two_mu_g) {
    carom_sliding_box_params p = carom_sliding_box_params_default();
    double x;
    double speed;
    p.speed = 2.385;
    const double time = p.speed / (p.friction * p.gravity);
    assert_close(carom_sliding_box_stop(&p), time, 4.0 * DBL_EPSILON, 0.0);
    carom_sliding_box_exact(&p, 2.0 * time, &x, &speed);
    assert_close(x, p.speed * p.speed / (2.0 * p.friction * p.gravity), 1e-15, 0.0);
    assert_close(speed, 0.0, 0.0, 0.0);
    p.slope = atan(p.friction) * 1.01;
    ck_assert(isinf(carom_sliding_box_stop(&p)));
    p.speed = 0.0;
    assert_close(carom_sliding_box_stop(&p), 0.0, 0.0, 0.0);
}

/* Weight and friction do the work, downwards and upwards, over the turn and beyond the stop. */
TEST(property, its_energy_is_the_work_of_friction) {
    gsl_rng *generator = seeded_generator(20261128);
    int rested = 0;
    for (int k = 0; k < 300; k++) {
        carom_sliding_box_params p = carom_sliding_box_params_default();
        p.friction = uniform(generator, 0.05, 0.9);
        p.slope = uniform(generator, 0.0, 0.8);
        p.speed = uniform(generator, -2.0, 2.0);
        const double stop = carom_sliding_box_stop(&p);
        const double t = uniform(generator, 0.0, 2.0) * fmin(stop, 1.0);
        double x;
        double speed;
        double turn;
        carom_sliding_box_exact(&p, fmin(stop, t), &turn, &speed);
        carom_sliding_box_exact(&p, t, &x, &speed);
        const double way = fabs(turn) + fabs(x - turn);
        const double gained = 0.5 * (speed * speed - p.speed * p.speed);
        assert_close(gained, p.gravity * (sin(p.slope) * x - p.friction * cos(p.slope) * way),
                     1e-12, 1e-13);
        const bool rests = t > stop && tan(p.slope) <= p.friction;
        ck_assert(!rests || !(fabs(speed) > 0.0));
        ck_assert(rests || t <= stop || speed > 0.0);
        rested += rests ? 1 : 0;
    }
    ck_assert(rested > 30);
    gsl_rng_free(generator);
}

TEST(property, a_rough_plane_lets_it_rock_on_as_housner_says) {
    gsl_rng *generator = seeded_generator(20261129);
    for (int k = 0; k < 100; k++) {
        carom_sliding_box_params p = carom_sliding_box_params_default();
        p.height = uniform(generator, 0.2, 1.0);
        p.width = uniform(generator, 0.1, 0.9) * p.height;
        p.friction = 3.0;
        p.speed = 0.0;
        p.rocking_rate = uniform(generator, 0.1, 2.0);
        double v[3];
        step(&p, 0.0, v);
        assert_close(v[2], -p.rocking_rate * carom_sliding_box_rate_ratio(&p), 1e-12, 0.0);
    }
    gsl_rng_free(generator);
}

TEST(errors, what_is_no_box_on_a_slope_is_refused) {
    static const struct {
        double value;
        int member; /* of the struct's numbers, in their order */
        const char *quantity;
    } cases[] = {{0.0, 0, "mass"},      {-0.1, 1, "width"}, {NAN, 2, "height"},
                 {-0.1, 3, "friction"}, {-0.1, 4, "slope"}, {1.6, 4, "slope"},
                 {0.0, 5, "gravity"},   {NAN, 6, "speed"},  {-0.1, 7, "rocking rate"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        carom_sliding_box_params p = carom_sliding_box_params_default();
        memcpy((char *)&p + (size_t)cases[k].member * sizeof(double), &cases[k].value,
               sizeof(double));
        carom_impact_scene *scene = NULL;
        carom_report report = carom_report_empty();
        ck_assert_int_ne(carom_sliding_box_alloc(&p, &scene, &report), CAROM_OK);
        ck_assert_str_eq(report.quantity, cases[k].quantity);
        ck_assert(scene == NULL);
    }
}
