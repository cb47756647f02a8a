/* carom/timestepping/variational/variational.h: how far apart two runs are; and Coulomb's law and
 * the momentum along runs of the tailed biped, whose forces a record has. */
#include <carom/models/trex/internal.h>
#include <carom/timestepping/variational/variational.h>

#include "../../failing_malloc.h"
#include "variational_systems.h"

#include <gsl/gsl_math.h>

enum { COORDINATES = CAROM_TREX_COORDINATES, CONTACTS = CAROM_TREX_CONTACTS };

/* Two masses that fly freely, M = diag(2, 0.3) and something off it. */
static void two_masses(pile *p) {
    pile_init(p, 2, 0);
    p->M[0] = 2.0;
    p->M[1] = 0.4;
    p->M[2] = 0.4;
    p->M[3] = 0.3;
}

static carom_variational_trajectory *fly(const pile *p, const double *v) {
    const double q[2] = {0.0, 0.0};
    carom_variational_params params = carom_variational_params_default();
    params.step = 0.1;
    carom_variational_trajectory *run;
    assert_ok(carom_variational_trajectory_run(&p->mechanism, &params, 0.0, q, v, 0.5, NULL, NULL,
                                               &run, NULL));
    return run;
}

TEST(unit, momenta_are_as_far_apart_as_velocities_in_the_kinetic_metric) {
    // |p|_g^2 = p M^-1 p' = v'M v: sqrt((v_1 - v_2)'M (v_1 - v_2) / v_1'M v_1) in every row.
    pile p;
    two_masses(&p);
    const double v_1[2] = {1.385, -0.731};
    const double v_2[2] = {1.117, 0.643};
    carom_variational_trajectory *one = fly(&p, v_1);
    carom_variational_trajectory *other = fly(&p, v_2);
    double by_norm[6];
    double by_energy[6];
    assert_ok(carom_variational_difference(&p.mechanism, one->rows, other->rows, by_norm, by_energy,
                                           NULL));
    const double d[2] = {v_1[0] - v_2[0], v_1[1] - v_2[1]};
    const double apart = 2.0 * d[0] * d[0] + 0.8 * d[0] * d[1] + 0.3 * d[1] * d[1];
    const double size = 2.0 * v_1[0] * v_1[0] + 0.8 * v_1[0] * v_1[1] + 0.3 * v_1[1] * v_1[1];
    ck_assert_int_eq(one->rows->row_count, 6);
    for (int k = 0; k < 6; k++) {
        assert_close(by_norm[k], sqrt(apart / size), 1e-12, 0.0);
        assert_close(by_energy[k], sqrt(apart) / (0.5 * size), 1e-12, 0.0);
    }
    assert_ok(
        carom_variational_difference(&p.mechanism, one->rows, one->rows, by_norm, by_energy, NULL));
    assert_close(by_norm[3], 0.0, 0.0, 0.0);
    carom_variational_trajectory_free(one);
    carom_variational_trajectory_free(other);
}

/* A mass matrix that depends on the position. */
static void mass_that_changes(const double *q, double *M, void *context) {
    (void)context;
    M[0] = 2.0 + q[0] * q[0];
    M[1] = M[2] = 0.4 * q[1];
    M[3] = 0.3 + q[1] * q[1];
}

TEST(unit, the_metric_is_that_at_the_positions_of_the_first) {
    pile p;
    two_masses(&p);
    p.mechanism.mass = mass_that_changes;
    double position[2][4] = {{0.617, -0.853, 1.463, 0.271}, {2.385, 1.0, -1.0, 3.0}};
    double momentum[2][4] = {{1.385, -0.731, 0.893, 2.117}, {1.117, 0.643, 0.5, 1.5}};
    const carom_trajectory one = {.row_count = 2, .position = position[0], .momentum = momentum[0]};
    const carom_trajectory other = {
        .row_count = 2, .position = position[1], .momentum = momentum[1]};
    double by_norm[2];
    double by_energy[2];
    assert_ok(carom_variational_difference(&p.mechanism, &one, &other, by_norm, by_energy, NULL));
    for (int k = 0; k < 2; k++) {
        // p M^-1 p' by Cramer's rule.
        double M[4];
        double square[2];
        mass_that_changes(position[0] + 2 * k, M, NULL);
        for (int i = 0; i < 2; i++) {
            const double a = momentum[0][2 * k] - (i == 0 ? momentum[1][2 * k] : 0.0);
            const double b = momentum[0][2 * k + 1] - (i == 0 ? momentum[1][2 * k + 1] : 0.0);
            square[i] =
                (M[3] * a * a - 2.0 * M[1] * a * b + M[0] * b * b) / (M[0] * M[3] - M[1] * M[2]);
        }
        assert_close(by_norm[k], sqrt(square[0] / square[1]), 1e-13, 0.0);
        assert_close(by_energy[k], 2.0 * sqrt(square[0]) / square[1], 1e-13, 0.0);
    }
}

TEST(unit, at_rest_there_is_nothing_to_compare_with) {
    pile p;
    two_masses(&p);
    carom_variational_trajectory *one = fly(&p, (const double[]){0.0, 0.0});
    carom_variational_trajectory *other = fly(&p, (const double[]){0.3, 0.2});
    double by_norm[6];
    double by_energy[6];
    assert_ok(carom_variational_difference(&p.mechanism, one->rows, other->rows, by_norm, by_energy,
                                           NULL));
    assert_close(by_norm[5], 0.0, 0.0, 0.0);
    assert_close(by_energy[5], 0.0, 0.0, 0.0);
    carom_variational_trajectory_free(one);
    carom_variational_trajectory_free(other);
}

TEST(errors, a_singular_mass_matrix_and_missing_memory_are_reported) {
    pile p;
    two_masses(&p);
    carom_variational_trajectory *run = fly(&p, (const double[]){1.0, 0.5});
    double by_norm[6];
    double by_energy[6];
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    for (int k = 0; status == CAROM_STATUS_OUT_OF_MEMORY; k++) {
        successes_left = k;
        status = carom_variational_difference(&p.mechanism, run->rows, run->rows, by_norm,
                                              by_energy, NULL);
        successes_left = -1;
    }
    assert_ok(status);
    memset(p.M, 0, sizeof p.M);
    carom_report report = carom_report_empty();
    ck_assert_int_ne(carom_variational_difference(&p.mechanism, run->rows, run->rows, by_norm,
                                                  by_energy, &report),
                     CAROM_OK);
    ck_assert_str_eq(report.quantity, "mass matrix");
    carom_variational_trajectory_free(run);
}

/* --- runs of the tailed biped ----------------------------------------------------------------- */

/* What Coulomb's law and Newton's are checked on: a drop of the robot of table I with straight
 * legs, then hips that turn. */
typedef struct drop {
    double friction;
    double hip_rate;
    double step;
    int sliding; /* held contacts that slide, steps together */
} drop;

/* Speeds of the tips along +x at the middle of the step that ends at row k. */
static void find_sliding(const carom_mechanism *mechanism, const carom_trajectory *run, int k,
                         double *sliding) {
    const double *q = run->position + (size_t)k * COORDINATES;
    const double h = run->time[k] - run->time[k - 1];
    double middle[COORDINATES];
    double H[CONTACTS * COORDINATES];
    for (int j = 0; j < COORDINATES; j++) {
        middle[j] = 0.5 * (q[j] + q[j - COORDINATES]);
    }
    mechanism->tangential_jacobian(middle, H, mechanism->context);
    for (int i = 0; i < CONTACTS; i++) {
        sliding[i] = 0.0;
        for (int j = 0; j < COORDINATES; j++) {
            sliding[i] += H[i * COORDINATES + j] * (q[j] - q[j - COORDINATES]) / h;
        }
    }
}

/* An impact in a step adds to the contact forces what is not of held contacts. */
static bool has_impact(const carom_trajectory *run, int k) {
    for (int i = k * CONTACTS; i < (k + 1) * CONTACTS; i++) {
        if (fabs(run->contact_force[i] - run->holding_force[i]) > 0.0) {
            return true;
        }
    }
    return false;
}

/* Friction is at most mu times the normal force of contacts that stay held (in the last half step
 * before they open they are pulled without friction), and against the sliding. */
static void assert_coulomb(const carom_mechanism *mechanism, const carom_trajectory *run, int k,
                           double weight, double speed, drop *d) {
    double sliding[CONTACTS];
    find_sliding(mechanism, run, k, sliding);
    for (int i = 0; i < CONTACTS; i++) {
        const int at = k * CONTACTS + i;
        const double force = run->friction_force[at];
        if (run->held[at] == 0) {
            continue;
        }
        if (k + 1 < run->row_count && run->held[at + CONTACTS] != 0) {
            // Steps are solved to 1e-14 of their terms, springs and hips a hundred times these.
            ck_assert_double_le(fabs(force), d->friction * run->holding_force[at] + 1e-11 * weight);
        }
        if (fabs(sliding[i]) > 1e-9 * speed) {
            ck_assert_double_le(sliding[i] > 0.0 ? force : -force, 0.0);
            d->sliding++;
        }
    }
}

/* p_x changes by friction, p_y by weight and contact forces, impacts included. */
static void assert_balance(const carom_trajectory *run, int k, double weight, double momentum) {
    const double *p = run->momentum + (size_t)k * COORDINATES;
    const double h = run->time[k] - run->time[k - 1];
    double along = 0.0;
    double up = -weight;
    for (int i = k * CONTACTS; i < (k + 1) * CONTACTS; i++) {
        along += run->friction_force[i];
        up += run->contact_force[i];
    }
    assert_close(p[CAROM_TREX_X] - p[CAROM_TREX_X - COORDINATES], h * along, 0.0, 1e-12 * momentum);
    assert_close(p[CAROM_TREX_Y] - p[CAROM_TREX_Y - COORDINATES], h * up, 0.0, 1e-12 * momentum);
}

static void run_drop(drop *d) {
    carom_trex_params robot = carom_trex_params_default();
    double stance[COORDINATES];
    assert_ok(carom_trex_straight_stance(&robot, false, stance, NULL));
    memcpy(robot.stance, stance, sizeof stance);
    robot.friction = d->friction;
    robot.hip_rates[0] = d->hip_rate;
    robot.hip_rates[1] = d->hip_rate;
    robot.hip_start_time = sqrt(2.0 * robot.drop_height / robot.gravity);
    carom_model *model;
    assert_ok(carom_trex_alloc(&robot, &model, NULL));
    carom_variational_params params = carom_variational_params_default();
    params.step = d->step;
    params.most_hits = 2;
    params.impacts_without_friction = true;
    carom_variational_trajectory *run;
    assert_ok(carom_variational_trajectory_run(&model->mechanism, &params, 0.0,
                                               model->initial_position, model->initial_velocity,
                                               0.3, NULL, NULL, &run, NULL));
    const double mass = carom_trex_inertia_of(&robot).mass;
    const double speed = sqrt(2.0 * robot.gravity * robot.drop_height);
    for (int k = 1; k < run->rows->row_count; k++) {
        assert_balance(run->rows, k, mass * robot.gravity, mass * speed);
        if (!has_impact(run->rows, k)) {
            assert_coulomb(&model->mechanism, run->rows, k, mass * robot.gravity, speed, d);
        }
    }
    carom_variational_trajectory_free(run);
    carom_model_free(model);
}

TEST(property, friction_of_the_biped_is_in_its_cone_against_sliding_and_accounts_for_momentum) {
    drop drops[] = {{0.8, 6.0, 1e-3, 0},
                    {5.0, 6.0, 1e-3, 0},
                    {0.8, 100.0, 1e-3, 0},
                    {0.8, 6.0, 0.02, 0},
                    {0.3, -6.0, 1e-3, 0}};
    int sliding = 0;
    for (size_t i = 0; i < sizeof drops / sizeof drops[0]; i++) {
        run_drop(&drops[i]);
        sliding += drops[i].sliding;
    }
    ck_assert_int_gt(sliding, 10);
}
