/* carom/timestepping/variational/variational.h: the printed equations evaluated anew, and the
 * motion of held contacts, on random mechanisms. */
#include <carom/timestepping/variational/step_internal.h>

#include "../galpha/random_mechanism.h"
#include "variational_bodies.h"
#include "variational_ways.h"

#include <gsl/gsl_linalg.h>

/* ---------------------------------------------------------------------- the printed equations */

static const double RANDOM_FRICTION[2] = {0.8, 0.6};

/** H = a + 0.3 sin(k q) w, a = p and u of the random mechanism. */
static void random_tangent(const double *q, double *H, void *context) {
    const random_mechanism *r = context;
    const int n = r->shape.coordinates;
    const double wave = 0.3 * sin(random_dot(n, r->k, q));
    for (int j = 0; j < n; j++) {
        H[j] = r->p[j] + wave * r->w[j];
        if (r->shape.contacts > 1) {
            H[n + j] = r->u[j] - wave * r->w[j];
        }
    }
}

static void random_tangent_rates(const double *q, const double *v, double *D, void *context) {
    const random_mechanism *r = context;
    const int n = r->shape.coordinates;
    const double slope = 0.3 * cos(random_dot(n, r->k, q)) * random_dot(n, r->w, v);
    for (int j = 0; j < n; j++) {
        D[j] = slope * r->k[j];
        if (r->shape.contacts > 1) {
            D[n + j] = -slope * r->k[j];
        }
    }
}

/** A velocity without its parts along the normals. */
static void remove_normals(int n, int m, double *G, double *v) {
    for (int i = 0; i < m; i++) {
        for (int k = 0; k < i; k++) {
            const double overlap = random_dot(n, G + i * n, G + k * n);
            for (int j = 0; j < n; j++) {
                G[i * n + j] -= overlap * G[k * n + j];
            }
        }
        const double length = sqrt(random_dot(n, G + i * n, G + i * n));
        for (int j = 0; j < n; j++) {
            G[i * n + j] /= length;
        }
        const double rate = random_dot(n, G + i * n, v);
        for (int j = 0; j < n; j++) {
            v[j] -= rate * G[i * n + j];
        }
    }
}

/** (28) with forces and contacts at a result, both equations. */
static void assert_equations(const carom_variational_step *step, const double *q, const double *p,
                             double t, double h) {
    const carom_mechanism *mechanism = step->mechanism;
    void *context = mechanism->context;
    const int n = mechanism->coordinate_count;
    double q_mid[4] = {0.0};
    double v[4] = {0.0};
    double F[4] = {0.0};
    double Mv[4] = {0.0};
    double A[RANDOM_MAX_ENTRIES] = {0.0};
    double G_begin[8] = {0.0};
    double G_end[8] = {0.0};
    double H[8] = {0.0};
    for (int j = 0; j < n; j++) {
        q_mid[j] = 0.5 * (q[j] + step->position[j]);
        v[j] = (step->position[j] - q[j]) / h;
    }
    mechanism->mass(q_mid, A, context);
    carom_layout_multiply_add(mechanism->layout, 1.0, A, v, Mv);
    mechanism->force(t + 0.5 * h, q_mid, v, F, context);
    mechanism->mass_derivative(q_mid, v, A, context);
    carom_layout_multiply_add(mechanism->layout, 1.0, A, v, F);
    mechanism->constraint_jacobian(q, G_begin, context);
    mechanism->constraint_jacobian(step->position, G_end, context);
    mechanism->tangential_jacobian(q_mid, H, context);
    for (int j = 0; j < n; j++) {
        double first = p[j] + 0.5 * h * F[j] - Mv[j];
        double last = -step->momentum[j] + 0.5 * h * F[j] + Mv[j];
        for (int i = 0; i < 2; i++) {
            first += step->first_friction[i] * H[i * n + j] +
                     step->first_impulse[i] * G_begin[i * n + j];
            last +=
                step->last_friction[i] * H[i * n + j] + step->last_impulse[i] * G_end[i * n + j];
        }
        // Rounding of q over h, 1e-16/1e-2, times masses of order 3.
        assert_close(first, 0.0, 0.0, 1e-12);
        assert_close(last, 0.0, 0.0, 1e-12);
    }
    for (int i = 0; i < 2; i++) {
        if (step->is_held[i]) {
            assert_close(random_dot(n, G_end + i * n, step->velocity), 0.0, 0.0, 1e-13);
            const double slides = random_dot(n, H + i * n, v);
            assert_close(step->sliding[i], slides, 0.0, 1e-12);
        }
    }
}

/** Of rows that stick: the kinetic energy that f in the place of g would leave over, with normal
 * impulses that keep G v = 0. */
static double energy_of_turning(const carom_variational_step *step, const double *q) {
    const carom_mechanism *mechanism = step->mechanism;
    const int n = mechanism->coordinate_count;
    double q_mid[4] = {0.0};
    double G[8] = {0.0};
    double H[8] = {0.0};
    double W[8] = {0.0};
    double change[4] = {0.0};
    double response[4] = {0.0};
    for (int j = 0; j < n; j++) {
        q_mid[j] = 0.5 * (q[j] + step->position[j]);
    }
    mechanism->constraint_jacobian(step->position, G, mechanism->context);
    mechanism->tangential_jacobian(q_mid, H, mechanism->context);
    for (int i = 0; i < 2; i++) {
        const bool sticks = way_of(step, i) == WAY_STICK;
        const double f = sticks ? step->first_friction[i] - step->last_friction[i] : 0.0;
        for (int j = 0; j < n; j++) {
            change[j] += f * H[i * n + j];
        }
    }
    carom_variational_step *other = step_of(mechanism);
    assert_ok(carom_variational_velocity(other, step->position, change, response));
    // Gram-Schmidt in the kinetic metric.
    for (int i = 0; i < 2; i++) {
        double *normal = G + i * n;
        assert_ok(carom_variational_velocity(other, step->position, normal, W + i * n));
        for (int k = 0; k < i && step->is_held[k]; k++) {
            const double part =
                random_dot(n, normal, W + k * n) / random_dot(n, G + k * n, W + k * n);
            for (int j = 0; j < n; j++) {
                normal[j] -= part * G[k * n + j];
                W[i * n + j] -= part * W[k * n + j];
            }
        }
        const double part = random_dot(n, normal, response) / random_dot(n, normal, W + i * n);
        for (int j = 0; j < n && step->is_held[i]; j++) {
            response[j] -= part * W[i * n + j];
        }
    }
    carom_variational_step_free(other);
    return random_dot(n, change, step->velocity) + 0.5 * random_dot(n, change, response);
}

/** What a row that sticks does at the end. */
enum { END_STICKS, END_SLIDES, END_PULLS, ENDS };

/** Friction's law at the end of a row that sticks at the midpoint. */
static void assert_end(const carom_variational_step *step, int i, int *ends) {
    const carom_mechanism *mechanism = step->mechanism;
    const int n = mechanism->coordinate_count;
    double H[8] = {0.0};
    mechanism->tangential_jacobian(step->position, H, mechanism->context);
    const double speed = random_dot(n, H + i * n, step->velocity);
    const double g = step->last_friction[i];
    const double bound = RANDOM_FRICTION[i] * fmax(0.0, step->last_impulse[i]);
    if (step->last_impulse[i] < -1e-10) {
        assert_close(g, 0.0, 0.0, 0.0);
        ends[END_PULLS]++;
    } else if (fabs(g) < bound - 1e-10) {
        assert_close(speed, 0.0, 0.0, 1e-13);
        ends[END_STICKS]++;
    } else if (bound > 1e-10 && fabs(speed) > 1e-10) {
        ck_assert_double_lt(g * speed, 0.0);
        ends[END_SLIDES]++;
    }
}

/** The laws of contact and friction at a result; counts what occurs. */
static void assert_laws(const carom_variational_step *step, const double *q,
                        const double *gap_begin, int *counts, int *ends) {
    double dissipation = 0.0;
    for (int i = 0; i < 2; i++) {
        counts[way_of(step, i)]++;
        const double f = step->first_friction[i];
        const double u = step->sliding[i];
        assert_close(step->friction_impulse[i], f + step->last_friction[i], 0.0, 0.0);
        if (!step->is_held[i]) {
            ck_assert_int_eq(way_of(step, i), WAY_RELEASED);
            ck_assert_double_ge(step->gap[i], gap_begin[i] - 1e-13);
            assert_close(fabs(step->normal_impulse[i]) + fabs(f) + fabs(u), 0.0, 0.0, 0.0);
            assert_close(step->last_friction[i], 0.0, 0.0, 0.0);
            continue;
        }
        const double bound = RANDOM_FRICTION[i] * step->first_impulse[i];
        const double bound_end = RANDOM_FRICTION[i] * fmax(0.0, step->last_impulse[i]);
        // Both halves and the whole inside the cone, rounding of the products apart.
        ck_assert_double_le(fabs(f), bound * (1.0 + 1e-14));
        ck_assert_double_le(fabs(step->last_friction[i]), bound_end * (1.0 + 1e-14));
        ck_assert_double_le(fabs(step->friction_impulse[i]), (bound + bound_end) * (1.0 + 1e-12));
        assert_close(step->gap[i], 0.0, 0.0, 1e-12);
        ck_assert_double_ge(step->first_impulse[i], 0.0);
        assert_close(step->normal_impulse[i], step->first_impulse[i] + step->last_impulse[i], 1e-15,
                     0.0);
        if (way_of(step, i) == WAY_STICK) {
            assert_close(u, 0.0, 0.0, 0.0);
            assert_end(step, i, ends);
        } else {
            const double sign = way_of(step, i) == WAY_FORWARD ? 1.0 : -1.0;
            assert_close(f, -sign * bound, 1e-14, 1e-15);
            assert_close(step->last_friction[i], -sign * bound_end, 1e-14, 1e-15);
            ck_assert_double_ge(sign * u, -1e-10);
        }
        dissipation -= step->friction_impulse[i] * u;
    }
    dissipation += fmax(0.0, energy_of_turning(step, q));
    assert_close(step->dissipation, dissipation, 1e-12, 1e-11);
    ck_assert_double_ge(step->dissipation, 0.0);
}

TEST(property, results_satisfy_the_printed_equations_and_the_laws_of_contact) {
    gsl_rng *generator = seeded_generator(20140814);
    int counts[4] = {0};
    int ends[ENDS] = {0};
    const double speeds[3] = {1e-3, 0.02, 0.4};
    int iterations = 0;
    int combinations = 0;
    for (int sample = 0; sample < 1500; sample++) {
        const random_shape shape = {.coordinates = 3 + sample % 2,
                                    .contacts = 2,
                                    .is_banded = sample % 3 == 0,
                                    .has_damping = sample % 5 != 0,
                                    .closed_share = 1.0,
                                    .largest_gap = 1.0};
        random_mechanism r;
        random_mechanism_init(&r, &shape, generator);
        carom_mechanism mechanism = r.mechanism;
        mechanism.friction = RANDOM_FRICTION;
        mechanism.tangent_count = 1;
        mechanism.tangential_jacobian = random_tangent;
        mechanism.tangential_rate_derivative = random_tangent_rates;
        const int n = shape.coordinates;
        double G[8] = {0.0};
        double gap[2] = {0.0};
        double p[4] = {0.0};
        random_constraint_jacobian(r.q0, G, &r);
        random_constraints(r.q0, gap, &r);
        remove_normals(n, 2, G, r.v0);
        for (int j = 0; j < n; j++) {
            r.v0[j] *= speeds[sample % 3]; // slow ones stick
        }
        carom_variational_step *step = step_of(&mechanism);
        carom_variational_momentum(step, r.q0, r.v0, p);
        const bool held[2] = {true, true};
        carom_report report = carom_report_empty();
        const carom_status status =
            carom_variational_step_solve(step, 0.3, r.q0, p, 0.01, held, &report);
        ck_assert_msg(status == CAROM_OK, "sample %d: %s", sample, carom_status_name(status));
        iterations += step->iterations;
        combinations += step->combinations;
        assert_equations(step, r.q0, p, 0.3, 0.01);
        assert_laws(step, r.q0, gap, counts, ends);
        carom_variational_step_free(step);
    }
    // The matrices carry: three to four iterations each, from rest to rounding.
    ck_assert_int_lt(iterations, 4 * combinations);
    // All modes occur.
    for (int k = 0; k < 4; k++) {
        ck_assert_msg(counts[k] > 40, "mode %d: %d times", k, counts[k]);
    }
    for (int k = 0; k < ENDS; k++) {
        ck_assert_msg(ends[k] > 5, "end %d: %d times", k, ends[k]);
    }
    gsl_rng_free(generator);
}

/** Systems whose contacts all slide on, or all stick, over a time. */
typedef struct held_motion {
    carom_mechanism mechanism;
    random_mechanism *random;
    bool sticks;
    double friction[2];
    double sign[2]; /**< of the sliding */
} held_motion;

enum { MOST_ROWS = 4 + 4 };

/** M a - G' lambda - H' f = force, d(G v)/dt = 0 and d(H v)/dt = 0 or f = -mu s lambda.
 * @return true if contacts push, and friction is well inside its cone where they stick. */
static bool accelerate(const held_motion *motion, double t, const double *q, const double *v,
                       double *a) {
    const carom_mechanism *mechanism = &motion->mechanism;
    void *context = mechanism->context;
    const int n = mechanism->coordinate_count;
    const int m = mechanism->contact_count;
    const int size = n + 2 * m;
    double M[RANDOM_MAX_ENTRIES] = {0.0};
    double G[8] = {0.0};
    double H[8] = {0.0};
    double G_rates[8] = {0.0};
    double H_rates[8] = {0.0};
    double A[MOST_ROWS * MOST_ROWS] = {0.0};
    double b[MOST_ROWS] = {0.0};
    double x[MOST_ROWS] = {0.0};
    size_t order[MOST_ROWS] = {0};
    mechanism->mass(q, M, context);
    mechanism->force(t, q, v, b, context);
    mechanism->constraint_jacobian(q, G, context);
    mechanism->tangential_jacobian(q, H, context);
    mechanism->constraint_rate_derivative(q, v, G_rates, context);
    mechanism->tangential_rate_derivative(q, v, H_rates, context);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            A[i * size + j] = M[carom_layout_index(mechanism->layout, i, j)];
        }
        for (int k = 0; k < m; k++) {
            A[i * size + n + k] = -G[k * n + i];
            A[i * size + n + m + k] = -H[k * n + i];
            A[(n + k) * size + i] = G[k * n + i];
            A[(n + m + k) * size + i] = motion->sticks ? H[k * n + i] : 0.0;
        }
    }
    for (int k = 0; k < m; k++) {
        b[n + k] = -random_dot(n, G_rates + k * n, v);
        b[n + m + k] = motion->sticks ? -random_dot(n, H_rates + k * n, v) : 0.0;
        if (!motion->sticks) {
            A[(n + m + k) * size + n + k] = motion->friction[k] * motion->sign[k];
            A[(n + m + k) * size + n + m + k] = 1.0;
        }
    }
    gsl_matrix_view matrix = gsl_matrix_view_array(A, (size_t)size, (size_t)size);
    gsl_vector_view right = gsl_vector_view_array(b, (size_t)size);
    gsl_vector_view answer = gsl_vector_view_array(x, (size_t)size);
    gsl_permutation permutation = {(size_t)size, order};
    int sign = 0;
    gsl_linalg_LU_decomp(&matrix.matrix, &permutation, &sign);
    gsl_linalg_LU_solve(&matrix.matrix, &permutation, &right.vector, &answer.vector);
    memcpy(a, x, (size_t)n * sizeof(double));
    bool is_admissible = true;
    for (int k = 0; k < m; k++) {
        const double lambda = x[n + k];
        const double speed = random_dot(n, H + k * n, v);
        is_admissible = is_admissible && lambda > 0.3;
        is_admissible = is_admissible &&
                        (motion->sticks ? fabs(x[n + m + k]) < 0.9 * motion->friction[k] * lambda
                                        : speed * motion->sign[k] > 0.05);
    }
    return is_admissible;
}

/** The motion by the classical method of fourth order, in place. @return true if admissible */
static bool integrate(const held_motion *motion, double duration, int count, double *q, double *v) {
    const int n = motion->mechanism.coordinate_count;
    const double h = duration / count;
    const double nodes[4] = {0.0, 0.5, 0.5, 1.0};
    const double weights[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    for (int step = 0; step < count; step++) {
        double dq[4] = {0.0};
        double dv[4] = {0.0};
        double slope_q[4] = {0.0};
        double slope_v[4] = {0.0};
        for (int stage = 0; stage < 4; stage++) {
            double stage_q[4] = {0.0};
            double stage_v[4] = {0.0};
            for (int j = 0; j < n; j++) {
                stage_q[j] = q[j] + h * nodes[stage] * slope_q[j];
                stage_v[j] = v[j] + h * nodes[stage] * slope_v[j];
            }
            if (!accelerate(motion, (step + nodes[stage]) * h, stage_q, stage_v, slope_v)) {
                return false;
            }
            memcpy(slope_q, stage_v, sizeof slope_q);
            for (int j = 0; j < n; j++) {
                dq[j] += h * weights[stage] * slope_q[j];
                dv[j] += h * weights[stage] * slope_v[j];
            }
        }
        for (int j = 0; j < n; j++) {
            q[j] += dq[j];
            v[j] += dv[j];
        }
    }
    return true;
}

/** Largest differences of q and v from a reference after steps of a duration. */
static void compare_with(const held_motion *motion, const double *q_end, const double *v_end,
                         double duration, int count, double *error_q, double *error_v) {
    const int n = motion->mechanism.coordinate_count;
    carom_variational_step *step = step_of(&motion->mechanism);
    double t = 0.0;
    double q[4] = {0.0};
    double p[4] = {0.0};
    bool held[2] = {true, true};
    memcpy(q, motion->random->q0, (size_t)n * sizeof(double));
    carom_variational_momentum(step, q, motion->random->v0, p);
    for (int k = 0; k < count; k++) {
        advance(step, &t, q, p, duration / count, held);
    }
    *error_q = 0.0;
    *error_v = 0.0;
    for (int j = 0; j < n; j++) {
        *error_q = fmax(*error_q, fabs(q[j] - q_end[j]));
        *error_v = fmax(*error_v, fabs(step->velocity[j] - v_end[j]));
    }
    carom_variational_step_free(step);
}

/** A random system, its velocity tangent to what is held. */
static held_motion draw_motion(random_mechanism *r, bool sticks, int sample, gsl_rng *generator) {
    const random_shape shape = {.coordinates = sticks ? 4 : 3 + sample % 2,
                                .contacts = sticks ? 1 : 1 + sample % 2,
                                .has_damping = sample % 3 == 0,
                                .closed_share = 1.0,
                                .largest_gap = 1.0};
    random_mechanism_init(r, &shape, generator);
    held_motion motion = {.mechanism = r->mechanism, .random = r, .sticks = sticks};
    motion.mechanism.tangent_count = 1;
    motion.mechanism.tangential_jacobian = random_tangent;
    motion.mechanism.tangential_rate_derivative = random_tangent_rates;
    const int n = shape.coordinates;
    double rows[16] = {0.0};
    double H[8] = {0.0};
    random_constraint_jacobian(r->q0, rows, r);
    random_tangent(r->q0, H, r);
    memcpy(rows + shape.contacts * n, H, sizeof H);
    remove_normals(n, sticks ? 2 * shape.contacts : shape.contacts, rows, r->v0);
    for (int k = 0; k < shape.contacts; k++) {
        motion.friction[k] = sticks ? 3.0 : 0.3;
        motion.sign[k] = random_dot(n, H + k * n, r->v0) > 0.0 ? 1.0 : -1.0;
    }
    return motion;
}

TEST(property, held_motions_are_of_second_order_where_they_slide_and_where_they_stick) {
    gsl_rng *generator = seeded_generator(20140815);
    const double duration = 0.08;
    int counts[2] = {0};
    for (int sample = 0; sample < 400; sample++) {
        const bool sticks = sample % 4 < 2;
        random_mechanism r;
        held_motion motion = draw_motion(&r, sticks, sample, generator);
        motion.mechanism.friction = motion.friction;
        double q[4] = {0.0};
        double v[4] = {0.0};
        memcpy(q, r.q0, sizeof r.q0);
        memcpy(v, r.v0, sizeof r.v0);
        // Errors of (1e-3)^4 beside those of the steps.
        if (counts[sticks] == 20 || !integrate(&motion, duration, 80, q, v)) {
            continue;
        }
        counts[sticks]++;
        double error_q[2] = {0.0};
        double error_v[2] = {0.0};
        for (int k = 0; k < 2; k++) {
            compare_with(&motion, q, v, duration, 32 << k, &error_q[k], &error_v[k]);
        }
        // A quarter, or less than 1e-8 where terms of second order happen to cancel.
        ck_assert_msg(error_q[1] < 0.28 * error_q[0] || error_q[1] < 1e-8, "sample %d: %g, %g",
                      sample, error_q[0], error_q[1]);
        ck_assert_msg(error_v[1] < 0.28 * error_v[0] || error_v[1] < 1e-7, "sample %d: %g, %g",
                      sample, error_v[0], error_v[1]);
    }
    ck_assert_int_ge(counts[0], 15);
    ck_assert_int_ge(counts[1], 15);
    gsl_rng_free(generator);
}
