/* carom/models/thrown_sphere.h: rolling at five sevenths, what friction conserves and takes,
 * impacts against the local solution of contacts, flights against the bouncing ball. */
#include <carom/contact/contact.h>
#include <carom/mechanism/mechanism.h>
#include <carom/models/bouncing_ball.h>
#include <carom/models/thrown_sphere.h>

#include "../support.h"

#include <float.h>
#include <string.h>

/* All of it drawn; on the plane or above it. */
static carom_thrown_sphere_params random_sphere(gsl_rng *generator, double height) {
    carom_thrown_sphere_params p = {.mass = uniform(generator, 0.2, 3.0),
                                    .radius = uniform(generator, 0.05, 0.4),
                                    .friction = uniform(generator, 0.02, 0.9),
                                    .restitution = uniform(generator, 0.0, 0.9),
                                    .gravity = uniform(generator, 1.0, 12.0),
                                    .height = height};
    for (int a = 0; a < 3; a++) {
        p.velocity[a] = uniform(generator, -2.0, 2.0);
        p.spin[a] = uniform(generator, -9.0, 9.0);
    }
    p.velocity[2] = height > 0.0 ? p.velocity[2] : 0.0;
    return p;
}

static double energy(const carom_thrown_sphere_params *p, const carom_thrown_sphere_state *s) {
    double squares = 0.0;
    for (int a = 0; a < 3; a++) {
        squares += s->velocity[a] * s->velocity[a];
        squares += 0.4 * p->radius * p->radius * s->spin[a] * s->spin[a];
    }
    return p->mass * (0.5 * squares + p->gravity * s->position[2]);
}

TEST(unit, a_sphere_without_spin_rolls_at_five_sevenths) {
    carom_thrown_sphere_params p = carom_thrown_sphere_params_default();
    const double v0 = 2.385;
    p.velocity[0] = v0;
    const double time = 2.0 * v0 / (7.0 * p.friction * p.gravity);
    assert_close(carom_thrown_sphere_sliding_time(&p), time, 4.0 * DBL_EPSILON, 0.0);
    carom_thrown_sphere_state s;
    carom_thrown_sphere_exact(&p, 0.75 * time, &s);
    assert_close(s.velocity[0], v0 - 0.75 * time * p.friction * p.gravity, 1e-15, 0.0);
    assert_close(s.sliding[0], 0.25 * v0, 1e-14, 0.0);
    ck_assert(isnan(s.rolls_since));
    carom_thrown_sphere_exact(&p, 3.0 * time, &s);
    assert_close(s.velocity[0], 5.0 / 7.0 * v0, 1e-15, 0.0);
    assert_close(s.spin[1] * p.radius, 5.0 / 7.0 * v0, 1e-14, 0.0);
    assert_close(s.rolls_since, time, 1e-15, 0.0);
    assert_close(s.position[0], v0 * time * (6.0 / 7.0 + 2.0 * 5.0 / 7.0), 1e-14, 0.0);
    p.friction = 0.0;
    ck_assert(isinf(carom_thrown_sphere_sliding_time(&p)));
    carom_thrown_sphere_exact(&p, 3.0, &s);
    assert_close(s.position[0], 3.0 * v0, 1e-15, 0.0);
}

/* The moment about the line of contact, v_x + 2/5 R w_y and v_y - 2/5 R w_x, stays; the speed u of
 * the lowest point keeps its direction; the energy lost is mu m g times its way. */
TEST(property, friction_on_the_plane_takes_what_it_must) {
    gsl_rng *generator = seeded_generator(20261127);
    for (int k = 0; k < 300; k++) {
        const carom_thrown_sphere_params p = random_sphere(generator, 0.0);
        const double whole = carom_thrown_sphere_sliding_time(&p);
        const double t = uniform(generator, 0.0, 2.0) * whole;
        carom_thrown_sphere_state start;
        carom_thrown_sphere_state s;
        carom_thrown_sphere_exact(&p, 0.0, &start);
        carom_thrown_sphere_exact(&p, t, &s);
        assert_close(s.velocity[0] + 0.4 * p.radius * s.spin[1],
                     p.velocity[0] + 0.4 * p.radius * p.spin[1], 1e-13, 1e-14);
        assert_close(s.velocity[1] - 0.4 * p.radius * s.spin[0],
                     p.velocity[1] - 0.4 * p.radius * p.spin[0], 1e-13, 1e-14);
        const double rate = p.friction * p.gravity;
        const double time = fmin(t, whole);
        const double size = hypot(start.sliding[0], start.sliding[1]);
        for (int a = 0; a < 2; a++) {
            const double left = t < whole ? 1.0 - t / whole : 0.0;
            assert_close(s.sliding[a], left * start.sliding[a], 1e-12, 1e-13);
        }
        assert_close(energy(&p, &start) - energy(&p, &s),
                     p.mass * rate * (size * time - 1.75 * rate * time * time), 1e-12, 1e-13);
        ck_assert(isnan(s.rolls_since) == (t < whole));
    }
    gsl_rng_free(generator);
}

/* An impact is the contact problem of one contact, 1/m and 7/2 1/m on its diagonal. */
TEST(property, impacts_are_those_of_one_contact) {
    gsl_rng *generator = seeded_generator(20261128);
    int stuck = 0;
    for (int k = 0; k < 300; k++) {
        const carom_thrown_sphere_params p = random_sphere(generator, uniform(generator, 0.1, 2.0));
        const double landing = sqrt(p.velocity[2] * p.velocity[2] + 2.0 * p.gravity * p.height);
        const double t = (p.velocity[2] + landing) / p.gravity * (1.0 + 8.0 * DBL_EPSILON);
        carom_thrown_sphere_state before;
        carom_thrown_sphere_state after;
        carom_thrown_sphere_exact(&p, 0.5 * t, &before);
        carom_thrown_sphere_exact(&p, t, &after);
        ck_assert_int_eq(before.impacts, 0);
        ck_assert_int_eq(after.impacts, 1);
        const double w = 1.0 / p.mass;
        const double W[9] = {w, 0.0, 0.0, 0.0, 3.5 * w, 0.0, 0.0, 0.0, 3.5 * w};
        const double q[3] = {-(1.0 + p.restitution) * landing, before.sliding[0],
                             before.sliding[1]};
        double r[3];
        ck_assert(carom_contact_solve_local(2, W, p.friction, q, r));
        assert_close(after.velocity[2], -landing + w * r[0], 1e-13, 1e-13);
        for (int a = 0; a < 2; a++) {
            assert_close(after.velocity[a], before.velocity[a] + w * r[1 + a], 1e-13, 1e-13);
            assert_close(after.sliding[a], q[1 + a] + 3.5 * w * r[1 + a], 1e-12, 1e-13);
        }
        stuck += isnan(after.rolls_since) ? 0 : 1;
    }
    ck_assert(stuck > 30 && stuck < 270);
    gsl_rng_free(generator);
}

/* Its height is that of the bouncing ball, until it lies on the plane and beyond. */
TEST(property, it_flies_as_the_bouncing_ball_does) {
    gsl_rng *generator = seeded_generator(20261129);
    for (int k = 0; k < 200; k++) {
        const carom_thrown_sphere_params p = random_sphere(generator, uniform(generator, 0.1, 2.0));
        const carom_bouncing_ball_params ball = {.mass = p.mass,
                                                 .radius = p.radius,
                                                 .gravity = p.gravity,
                                                 .initial_height = p.height + p.radius,
                                                 .initial_velocity = p.velocity[2],
                                                 .restitution = p.restitution};
        const double rest = carom_bouncing_ball_exact_accumulation_time(&ball);
        const double t = uniform(generator, 0.0, 1.3) * rest;
        carom_thrown_sphere_state s;
        double gap;
        double rate;
        carom_thrown_sphere_exact(&p, t, &s);
        carom_bouncing_ball_exact_state(&ball, t, &gap, &rate);
        assert_close(s.position[2], gap - p.radius, 1e-11, 1e-12);
        assert_close(s.velocity[2], rate, 1e-11, 1e-11);
    }
    gsl_rng_free(generator);
}

/* H v is the velocity of the lowest point, v + w x r with r = (0, 0, -R). */
TEST(property, the_contact_slides_with_the_lowest_point) {
    gsl_rng *generator = seeded_generator(20261130);
    for (int k = 0; k < 50; k++) {
        const carom_thrown_sphere_params p = random_sphere(generator, 0.3);
        carom_model *model = NULL;
        assert_ok(carom_thrown_sphere_alloc(&p, &model, NULL));
        double H[12];
        carom_thrown_sphere_state s;
        model->mechanism.tangential_jacobian(model->initial_position, H, model->mechanism.context);
        carom_thrown_sphere_exact(&p, 0.0, &s);
        for (int a = 0; a < 2; a++) {
            double sum = 0.0;
            for (int i = 0; i < 6; i++) {
                sum += H[6 * a + i] * model->initial_velocity[i];
            }
            assert_close(sum, s.sliding[a], 1e-14, 1e-15);
            assert_close(sum, p.velocity[a] + (a == 0 ? -p.spin[1] : p.spin[0]) * p.radius, 1e-14,
                         1e-15);
        }
        carom_model_free(model);
    }
    gsl_rng_free(generator);
}

/* In the plane it is the same sphere with three of the coordinates. */
TEST(property, the_plane_is_part_of_space) {
    carom_thrown_sphere_params p = carom_thrown_sphere_params_default();
    p.height = 0.4;
    p.spin[1] = -3.7;
    p.velocity[2] = 0.3;
    const int kept[3] = {0, 2, 4};
    carom_model *space = NULL;
    carom_model *plane = NULL;
    assert_ok(carom_thrown_sphere_alloc(&p, &space, NULL));
    p.is_planar = true;
    assert_ok(carom_thrown_sphere_alloc(&p, &plane, NULL));
    ck_assert_int_eq(plane->mechanism.tangent_count, 1);
    double wide[3][36];
    double narrow[3][9];
    double gap[2];
    const double q6[6] = {0.3, 0.0, 0.7, 0.0, 1.1, 0.0};
    const double q3[3] = {0.3, 0.7, 1.1};
    space->mechanism.mass(q6, wide[0], space->mechanism.context);
    space->mechanism.constraint_jacobian(q6, wide[1], space->mechanism.context);
    space->mechanism.tangential_jacobian(q6, wide[2], space->mechanism.context);
    plane->mechanism.mass(q3, narrow[0], plane->mechanism.context);
    plane->mechanism.constraint_jacobian(q3, narrow[1], plane->mechanism.context);
    plane->mechanism.tangential_jacobian(q3, narrow[2], plane->mechanism.context);
    space->mechanism.constraints(q6, &gap[0], space->mechanism.context);
    plane->mechanism.constraints(q3, &gap[1], plane->mechanism.context);
    assert_close(gap[0], 0.7, 0.0, 0.0);
    assert_close(gap[1], 0.7, 0.0, 0.0);
    for (int i = 0; i < 3; i++) {
        assert_close(narrow[1][i], wide[1][kept[i]], 0.0, 0.0);
        assert_close(narrow[2][i], wide[2][kept[i]], 0.0, 0.0);
        assert_close(plane->initial_velocity[i], space->initial_velocity[kept[i]], 0.0, 0.0);
        for (int j = 0; j < 3; j++) {
            assert_close(narrow[0][3 * i + j], wide[0][6 * kept[i] + kept[j]], 0.0, 0.0);
        }
    }
    carom_model_free(space);
    carom_model_free(plane);
}

TEST(errors, what_is_no_sphere_above_a_plane_is_refused) {
    static const struct {
        double value;
        int member; /* of the struct's numbers, in their order */
        bool is_planar;
        const char *quantity;
    } cases[] = {
        {0.0, 0, false, "mass"},        {-0.1, 1, false, "radius"},  {-0.1, 2, false, "friction"},
        {1.1, 3, false, "restitution"}, {0.0, 4, false, "gravity"},  {-0.1, 5, false, "height"},
        {NAN, 6, false, "velocity"},    {0.1, 7, true, "velocity"},  {0.1, 9, true, "spin"},
        {-0.1, 11, true, "spin"},       {INFINITY, 10, true, "spin"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        carom_thrown_sphere_params p = carom_thrown_sphere_params_default();
        p.is_planar = cases[k].is_planar;
        memcpy((char *)&p + (size_t)cases[k].member * sizeof(double), &cases[k].value,
               sizeof(double));
        carom_model *model = NULL;
        carom_report report = carom_report_empty();
        ck_assert_int_ne(carom_thrown_sphere_alloc(&p, &model, &report), CAROM_OK);
        ck_assert_str_eq(report.quantity, cases[k].quantity);
        ck_assert(model == NULL);
    }
    const carom_thrown_sphere_params p = carom_thrown_sphere_params_default();
    carom_thrown_sphere_state s;
    carom_thrown_sphere_exact(&p, -1.0, &s);
    ck_assert(isnan(s.position[0]) && isnan(s.velocity[2]) && isnan(s.spin[1]));
}
