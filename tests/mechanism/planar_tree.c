/* carom/mechanism/planar_tree.h: the systems of halm-2023, closed forms, queries and refusals. */
#include "planar_scenes.h"

/* The specification prints eight digits after the point. */
static const double PRINTED = 0.5e-8 * 1.001;

/* Some roundings of numbers of order one. */
static const double ROUNDING = 1e-14;

/** Largest gap of a scene: all of its contacts are closed. */
static void check_closed(const scene *self) {
    double g[SCENE_CONTACTS];
    self->mechanism->constraints(self->q, g, self->mechanism->context);
    for (int i = 0; i < self->m; i++) {
        assert_close(g[i], 0.0, 0.0, ROUNDING);
    }
}

/** Speeds J v [2m], normal and tangential, as printed. */
static void check_speeds(const scene *self, const double *expected, double abs) {
    double J[SCENE_ROWS * SCENE_COORDINATES];
    double speeds[SCENE_ROWS];
    scene_jacobian(self, J);
    for (int i = 0; i < 2 * self->m; i++) {
        speeds[i] = 0.0;
        for (int k = 0; k < self->n; k++) {
            speeds[i] += J[i * self->n + k] * self->v[k];
        }
    }
    assert_entries(speeds, expected, 2 * self->m, abs);
}

static double kinetic_energy(const scene *self) {
    double work[SCENE_COORDINATES * SCENE_COORDINATES + SCENE_COORDINATES];
    return carom_mechanism_kinetic_energy(self->mechanism, self->q, self->v, work);
}

TEST(unit, the_block_has_its_closed_form) {
    scene block;
    scene_block(&block);
    double M[9];
    double J[12];
    double C[16] = {0.0};
    const double M_expected[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 5.0 / 12.0};
    const double J_expected[12] = {0.0, 1.0, -0.5, 0.0, 1.0, 0.5, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0};
    const double C_expected[16] = {1.6,  0.4, -1.2, -1.2, 0.4,  1.6, 1.2, 1.2,
                                   -1.2, 1.2, 3.4,  3.4,  -1.2, 1.2, 3.4, 3.4};
    block.mechanism->mass(block.q, M, block.mechanism->context);
    scene_jacobian(&block, J);
    scene_delassus(&block, C);
    assert_entries(M, M_expected, 9, ROUNDING);
    assert_entries(J, J_expected, 12, ROUNDING);
    assert_entries(C, C_expected, 16, ROUNDING);
    check_closed(&block);
    carom_planar_tree_free(block.tree);
}

TEST(unit, the_compass_gait_has_its_printed_matrices) {
    scene compass;
    scene_compass(&compass);
    double C[16] = {0.0};
    const double C_expected[16] = {
        13.56677223, 9.56677223,  -4.91718667, 4.49207355, /* nA */
        9.56677223,  13.56677223, -4.49207355, 4.91718667, /* nB */
        -4.91718667, -4.49207355, 2.52259015,  -1.47740985,
        4.49207355,  4.91718667,  -1.47740985, 2.52259015,
    };
    const double speeds[4] = {-0.4890738, 0.0, 0.0, 0.0};
    scene_delassus(&compass, C);
    assert_entries(C, C_expected, 16, PRINTED);
    check_closed(&compass);
    check_speeds(&compass, speeds, 0.5e-7);
    assert_close(kinetic_energy(&compass), 0.0754233, 0.0, 0.5e-7);
    carom_planar_tree_free(compass.tree);
}

TEST(unit, the_mass_matrix_of_the_compass_gait_is_that_of_two_points) {
    scene compass;
    scene_compass(&compass);
    double M[16];
    const double s = 0.5;
    const double phi[2] = {compass.q[2], compass.q[3]};
    /* each point moves by (x, y) + s phi (cos phi, sin phi) */
    const double M_expected[16] = {
        2.0,
        0.0,
        s * cos(phi[0]),
        s * cos(phi[1]), /* x */
        0.0,
        2.0,
        s * sin(phi[0]),
        s * sin(phi[1]), /* y */
        s * cos(phi[0]),
        s * sin(phi[0]),
        s * s,
        0.0, /* leading */
        s * cos(phi[1]),
        s * sin(phi[1]),
        0.0,
        s * s,
    };
    compass.mechanism->mass(compass.q, M, compass.mechanism->context);
    assert_entries(M, M_expected, 16, ROUNDING);
    carom_planar_tree_free(compass.tree);
}

TEST(unit, the_box_at_the_wall_has_its_printed_matrices) {
    scene box;
    scene_box(&box);
    double C[16] = {0.0};
    double offset[2];
    const double C_expected[16] = {
        1.98696979,  0.98696979,  1.40953893,  -2.40953893, /* nA */
        0.98696979,  1.98696979,  0.40953893,  -1.40953893, /* nB */
        1.40953893,  0.40953893,  3.01303021,  -2.01303021, /* tA */
        -2.40953893, -1.40953893, -2.01303021, 3.01303021,
    };
    const double speeds[4] = {0.0, -1.0, 1.0, 0.0};
    scene_delassus(&box, C);
    assert_entries(C, C_expected, 16, PRINTED);
    check_closed(&box);
    check_speeds(&box, speeds, ROUNDING);
    const double r_A[2] = {0.40557979, -0.57922797};
    const double r_B[2] = {0.57922797, 0.40557979};
    carom_planar_tree_point(box.tree, box.q, NULL, 0, (double[2]){0.5, -0.5}, offset, NULL);
    assert_entries(offset, r_A, 2, PRINTED);
    carom_planar_tree_point(box.tree, box.q, NULL, 0, (double[2]){0.5, 0.5}, offset, NULL);
    assert_entries(offset, r_B, 2, PRINTED);
    carom_planar_tree_free(box.tree);
}

TEST(unit, the_stacked_discs_have_their_closed_form) {
    scene discs;
    scene_discs(&discs);
    const double h = 0.5;
    const double s = sqrt(0.75);
    /* one row a contact: top, left, right disc; a contact's point of a disc has the arm R = 1 */
    const double J_expected[90] = {
        0,  0,  0, 0,  1,  0, 0,  0,  0, /* normal: left on the floor */
        0,  0,  0, 0,  0,  0, 0,  1,  0, /* right on the floor */
        h,  s,  0, -h, -s, 0, 0,  0,  0, /* top and left, n = (-h, -s) */
        -h, s,  0, 0,  0,  0, h,  -s, 0, /* top and right, n = (h, -s) */
        0,  0,  0, -1, 0,  0, 1,  0,  0, /* left and right, n = (1, 0) */
        0,  0,  0, 1,  0,  1, 0,  0,  0, /* tangential: t = (1, 0) */
        0,  0,  0, 0,  0,  0, 1,  0,  1, /* t = (1, 0) */
        s,  -h, 1, -s, h,  1, 0,  0,  0, /* t = (-s, h) */
        s,  h,  1, 0,  0,  0, -s, -h, 1, /* t = (-s, -h) */
        0,  0,  0, 0,  1,  1, 0,  -1, 1, /* t = (0, -1) */
    };
    double J[90];
    double M[81];
    double M_expected[81] = {0.0};
    for (int i = 0; i < 9; i++) {
        M_expected[10 * i] = i % 3 == 2 ? 0.5 : 1.0;
    }
    scene_jacobian(&discs, J);
    discs.mechanism->mass(discs.q, M, discs.mechanism->context);
    assert_entries(J, J_expected, 90, ROUNDING);
    assert_entries(M, M_expected, 81, ROUNDING);
    check_closed(&discs);
    const double speeds[10] = {0.0, 0.0, -0.8660254, -0.8660254, 0.0, 0.0, 0.0, 0.5, -0.5, 0.0};
    check_speeds(&discs, speeds, 0.5e-7);
    carom_planar_tree_free(discs.tree);
}

TEST(unit, the_robot_has_its_printed_matrices) {
    scene ramone;
    scene_ramone(&ramone);
    double C[16] = {0.0};
    const double C_expected[16] = {
        1.97214616,  0.00010564,  -1.47452982, -0.00927976, /* nA */
        0.00010564,  1.75852804,  0.00017499,  -0.14626231, /* nB */
        -1.47452982, 0.00017499,  1.43669644,  -0.01393510, /* tA */
        -0.00927976, -0.14626231, -0.01393510, 3.46399009,
    };
    /* the velocity that the speeds follow from is itself printed to eight digits */
    const double speeds[4] = {-0.53209872, 0.0, 0.0, 0.0};
    scene_delassus(&ramone, C);
    assert_entries(C, C_expected, 16, PRINTED);
    check_closed(&ramone);
    check_speeds(&ramone, speeds, 2.0 * PRINTED);
    /* dK = v' M dv: about 10 kg times 0.5 m/s times 5e-9 m/s twice, and the printed digits */
    assert_close(kinetic_energy(&ramone), 1.03504881, 0.0, 5e-8 + PRINTED);
    assert_close(ramone.q[6] * (180.0 / M_PI), -92.486456, 0.0, 0.5e-6);
    carom_planar_tree_free(ramone.tree);
}

TEST(unit, two_rods_have_the_equations_of_the_double_pendulum) {
    const double m_1 = 1.37;
    const double m_2 = 0.84;
    const double l_1 = 0.93;
    const double l_2 = 1.21;
    const carom_planar_body bodies[2] = {
        carom_planar_revolute(-1, 0.4, -0.7, carom_planar_rod(m_1, l_1)),
        carom_planar_revolute(0, 0.0, -l_1, carom_planar_rod(m_2, l_2)),
    };
    scene rods;
    scene_make(&rods, 2, bodies, 0, NULL);
    const double q[2] = {0.61, -1.37};
    const double v[2] = {1.72, -0.93};
    double M[4];
    double f[2];
    rods.mechanism->mass(q, M, rods.mechanism->context);
    rods.mechanism->force(0.0, q, v, f, rods.mechanism->context);

    const double I_1 = m_1 * l_1 * l_1 / 3.0;
    const double I_2 = m_2 * l_2 * l_2 / 3.0;
    const double c = 0.5 * m_2 * l_1 * l_2;
    const double mixed = I_2 + c * cos(q[1]);
    const double M_expected[4] = {
        I_1 + m_2 * l_1 * l_1 + I_2 + 2.0 * c * cos(q[1]),
        mixed,
        mixed,
        I_2,
    };
    const double torque_2 = -9.81 * m_2 * 0.5 * l_2 * sin(q[0] + q[1]);
    const double torque_1 = -9.81 * (0.5 * m_1 + m_2) * l_1 * sin(q[0]) + torque_2;
    const double f_expected[2] = {
        c * sin(q[1]) * v[1] * (2.0 * v[0] + v[1]) + torque_1,
        -c * sin(q[1]) * v[0] * v[0] + torque_2,
    };
    assert_entries(M, M_expected, 4, ROUNDING);
    /* sums of terms up to 20 N m */
    assert_entries(f, f_expected, 2, 10.0 * ROUNDING);
    assert_close(rods.mechanism->potential_energy(q, rods.mechanism->context),
                 -9.81 * (m_1 * 0.5 * l_1 * cos(q[0]) +
                          m_2 * (l_1 * cos(q[0]) + 0.5 * l_2 * cos(q[0] + q[1]))) -
                     9.81 * 0.7 * (m_1 + m_2),
                 0.0, 100.0 * ROUNDING);
    carom_planar_tree_free(rods.tree);
}

TEST(unit, a_bead_on_a_turning_rail_has_the_equations_of_polar_coordinates) {
    const double m = 0.73;
    const double axis = 0.9; /* turns the frame of the angle, not the equations */
    const carom_planar_body bodies[2] = {
        carom_planar_revolute(-1, 0.0, 0.0, carom_planar_massless()),
        carom_planar_prismatic(0, 0.0, 0.0, axis, carom_planar_point_mass(m, 0.0, 0.0)),
    };
    scene bead;
    scene_make(&bead, 2, bodies, 0, NULL);
    const double q[2] = {0.37, 1.84};
    const double v[2] = {-0.66, 0.71};
    double M[4];
    double f[2];
    bead.mechanism->mass(q, M, bead.mechanism->context);
    bead.mechanism->force(0.0, q, v, f, bead.mechanism->context);
    const double M_expected[4] = {m * q[1] * q[1], 0.0, 0.0, m};
    const double f_expected[2] = {
        -2.0 * m * q[1] * v[0] * v[1] - 9.81 * m * q[1] * cos(q[0] + axis),
        m * q[1] * v[0] * v[0] - 9.81 * m * sin(q[0] + axis),
    };
    assert_entries(M, M_expected, 4, ROUNDING);
    assert_entries(f, f_expected, 2, 10.0 * ROUNDING);
    carom_planar_tree_free(bead.tree);
}

TEST(unit, shapes_have_the_mass_and_inertia_of_the_textbooks) {
    const carom_planar_shape shapes[] = {
        carom_planar_massless(),        carom_planar_point_mass(2.385, 0.3, -0.4),
        carom_planar_rod(2.385, 1.2),   carom_planar_box(2.385, 0.7, 1.1),
        carom_planar_disc(2.385, 0.65),
    };
    const double expected[][4] = {
        {0.0, 0.0, 0.0, 0.0},
        {2.385, 0.0, 0.3, -0.4},
        {2.385, 2.385 * 0.12, 0.0, -0.6},
        {2.385, 2.385 * 1.7 / 12.0, 0.0, 0.0},
        {2.385, 2.385 * 0.21125, 0.0, 0.0},
    };
    for (int i = 0; i < 5; i++) {
        const double actual[4] = {shapes[i].mass, shapes[i].inertia, shapes[i].center[0],
                                  shapes[i].center[1]};
        assert_entries(actual, expected[i], 4, ROUNDING);
    }
}

TEST(unit, a_body_turned_by_psi_hangs_along_sin_psi_and_minus_cos_psi) {
    carom_planar_body bodies[3] = {
        carom_planar_revolute(-1, 0.2, 0.3, carom_planar_rod(1.0, 0.8)),
        carom_planar_fixed(0, 0.0, -0.8, carom_planar_massless()),
        carom_planar_revolute(1, 0.0, -0.6, carom_planar_rod(1.0, 0.5)),
    };
    bodies[0].joint_angle = 0.25;
    bodies[1].joint_angle = -0.4;
    scene arm;
    scene_make(&arm, 3, bodies, 0, NULL);
    ck_assert_int_eq(arm.n, 2);
    ck_assert_int_eq(carom_planar_tree_body_count(arm.tree), 3);
    ck_assert_int_eq(carom_planar_tree_first_coordinate(arm.tree, 0), 0);
    ck_assert_int_eq(carom_planar_tree_first_coordinate(arm.tree, 1), 1);
    ck_assert_int_eq(carom_planar_tree_first_coordinate(arm.tree, 2), 1);
    ck_assert_int_eq(carom_planar_tree_body(arm.tree, 2)->parent, 1);
    ck_assert_str_eq(arm.mechanism->name, "planar_tree");
    ck_assert_str_eq(arm.mechanism->position_units, "rad, rad");
    ck_assert_str_eq(arm.mechanism->velocity_units, "rad s-1, rad s-1");

    const double q[2] = {0.37, -0.52};
    const double psi[3] = {0.25 + 0.37, 0.25 + 0.37 - 0.4, 0.25 + 0.37 - 0.4 - 0.52};
    const double lengths[3] = {0.8, 0.6, 0.5};
    double expected[3] = {0.2, 0.3, 0.0};
    for (int i = 0; i < 3; i++) {
        double pose[3];
        double end[2];
        expected[2] = psi[i];
        carom_planar_tree_pose(arm.tree, q, i, pose);
        assert_entries(pose, expected, 3, ROUNDING);
        expected[0] += lengths[i] * sin(psi[i]);
        expected[1] -= lengths[i] * cos(psi[i]);
        const double tip[2] = {0.0, -lengths[i]};
        carom_planar_tree_point(arm.tree, q, NULL, i, tip, end, NULL);
        assert_entries(end, expected, 2, ROUNDING);
    }
    carom_planar_tree_free(arm.tree);
}

TEST(unit, points_of_the_ground_stay_where_they_are) {
    scene block;
    scene_block(&block);
    double pose[3];
    double place[2];
    double velocity[2];
    const double point[2] = {0.37, -1.24};
    const double zeros[3] = {0.0, 0.0, 0.0};
    carom_planar_tree_pose(block.tree, block.q, -1, pose);
    assert_entries(pose, zeros, 3, 0.0);
    carom_planar_tree_point(block.tree, block.q, block.v, -1, point, place, velocity);
    assert_entries(place, point, 2, 0.0);
    assert_entries(velocity, zeros, 2, 0.0);
    carom_planar_tree_free(block.tree);
}

TEST(unit, a_contact_is_found_with_its_point_gap_and_directions) {
    const carom_planar_body disc = carom_planar_floating(carom_planar_disc(1.0, 0.5));
    const carom_planar_body bodies[2] = {disc, disc};
    const carom_planar_wall slope = {.point = {2.0, 0.0}, .normal = {-3.0, 4.0}};
    carom_planar_contact contacts[4] = {
        carom_planar_corner_on_wall(0, 0.3, 0.1, slope, 0.2),
        carom_planar_disc_on_wall(0, 0.0, 0.0, 0.5, slope, 0.0),
        carom_planar_disc_on_disc(0, 0.5, 1, 0.25, 0.7),
        carom_planar_disc_on_disc(1, 0.25, -1, 2.0, 0.0),
    };
    contacts[2].is_tangent_reversed = true;
    contacts[3].other_point[0] = 5.0;
    contacts[3].other_point[1] = 1.0;
    contacts[3].restitution = 0.4;
    scene discs;
    scene_make(&discs, 2, bodies, 4, contacts);
    const double q[6] = {1.0, 1.0, 0.5 * M_PI, 1.0, 3.0, 0.9};
    /* gap; point; n; t */
    const double expected[4][7] = {
        {1.7, 0.9, 1.3, -0.6, 0.8, 0.8, 0.6},
        {0.9, 1.3, 0.6, -0.6, 0.8, 0.8, 0.6},
        {1.25, 1.0, 1.0 + 0.5 + 0.625, 0.0, 1.0, -1.0, 0.0},
        {2.0 * sqrt(5.0) - 2.25, 1.0 + 4.0 * (0.25 + sqrt(5.0) - 1.125) / sqrt(20.0),
         3.0 - 2.0 * (0.25 + sqrt(5.0) - 1.125) / sqrt(20.0), 2.0 / sqrt(5.0), -1.0 / sqrt(5.0),
         -1.0 / sqrt(5.0), -2.0 / sqrt(5.0)},
    };
    for (int i = 0; i < 4; i++) {
        const carom_planar_contact_place at = carom_planar_tree_contact_place(discs.tree, q, i);
        const double actual[7] = {at.gap,       at.point[0],   at.point[1],  at.normal[0],
                                  at.normal[1], at.tangent[0], at.tangent[1]};
        assert_entries(actual, expected[i], 7, ROUNDING);
    }
    assert_close(carom_planar_tree_contact(discs.tree, 0)->wall.normal[0], -0.6, 0.0, ROUNDING);
    assert_close(discs.mechanism->friction[2], 0.7, 0.0, 0.0);
    assert_close(discs.mechanism->restitution[3], 0.4, 0.0, 0.0);
    carom_planar_tree_free(discs.tree);
}

TEST(unit, a_tree_without_friction_says_so_and_keeps_its_tangents) {
    const carom_planar_body body = carom_planar_floating(carom_planar_box(1.0, 1.0, 2.0));
    const carom_planar_contact contact =
        carom_planar_corner_on_wall(0, 0.5, -1.0, carom_planar_floor(0.0), 0.0);
    scene smooth;
    scene_make(&smooth, 1, &body, 1, &contact);
    ck_assert_ptr_null(smooth.mechanism->friction);
    ck_assert_int_eq(smooth.mechanism->tangent_count, 1);
    assert_ok(carom_mechanism_validate(smooth.mechanism, 0.0, smooth.q, smooth.v, NULL));
    carom_planar_tree_free(smooth.tree);

    scene_make(&smooth, 1, &body, 0, NULL);
    ck_assert_int_eq(smooth.mechanism->tangent_count, 0);
    assert_ok(carom_mechanism_validate(smooth.mechanism, 0.0, smooth.q, smooth.v, NULL));
    carom_planar_tree_free(smooth.tree);
}

TEST(unit, a_pyramid_of_hundreds_of_discs_is_built_and_evaluated) {
    /* row k from the floor holds levels - k discs of radius 1; gaps are zero */
    enum { LEVELS = 20, DISCS = LEVELS * (LEVELS + 1) / 2, MOST = 3 * DISCS };
    carom_planar_body *bodies = malloc(DISCS * sizeof *bodies);
    carom_planar_contact *contacts = malloc(MOST * sizeof *contacts);
    double *q = calloc(MOST, sizeof(double));
    int count = 0;
    int body = 0;
    for (int k = 0; k < LEVELS; k++) {
        const int row = LEVELS - k;
        for (int i = 0; i < row; i++, body++) {
            bodies[body] = carom_planar_floating(carom_planar_disc(2.385, 1.0));
            q[3 * body] = 2.0 * i + k;
            q[3 * body + 1] = 1.0 + sqrt(3.0) * k;
            if (k == 0) {
                contacts[count++] =
                    carom_planar_disc_on_wall(body, 0.0, 0.0, 1.0, carom_planar_floor(0.0), 0.6);
            } else { /* on its two neighbours below */
                contacts[count++] = carom_planar_disc_on_disc(body, 1.0, body - row - 1, 1.0, 0.6);
                contacts[count++] = carom_planar_disc_on_disc(body, 1.0, body - row, 1.0, 0.6);
            }
        }
    }
    scene pyramid;
    scene_make(&pyramid, DISCS, bodies, count, contacts);
    const int n = 3 * DISCS;
    double *M = malloc((size_t)n * (size_t)n * sizeof(double));
    double *g = malloc((size_t)count * sizeof(double));
    double largest_error = 0.0;
    pyramid.mechanism->mass(q, M, pyramid.mechanism->context);
    pyramid.mechanism->constraints(q, g, pyramid.mechanism->context);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            const double diagonal = i % 3 == 2 ? 0.5 * 2.385 : 2.385;
            largest_error = fmax(largest_error, fabs(M[i * n + j] - (i == j ? diagonal : 0.0)));
        }
    }
    assert_close(largest_error, 0.0, 0.0, ROUNDING);
    /* coordinates up to 40 m */
    for (int i = 0; i < count; i++) {
        assert_close(g[i], 0.0, 0.0, 1e-13);
    }
    assert_ok(carom_mechanism_validate(pyramid.mechanism, 0.0, q, q, NULL));
    carom_planar_tree_free(pyramid.tree);
    free(bodies);
    free(contacts);
    free(q);
    free(M);
    free(g);
}

/* Refusals. */

enum { BODIES = 3, CONTACTS = 3 };

/** What the refusals start from: a tree that is accepted. */
typedef struct parts {
    carom_planar_body bodies[BODIES];
    carom_planar_contact contacts[CONTACTS];
    carom_planar_tree_spec spec;
} parts;

static void parts_make(parts *self) {
    self->bodies[0] = carom_planar_floating(carom_planar_box(1.3, 0.4, 0.9));
    self->bodies[1] = carom_planar_revolute(0, 0.1, -0.2, carom_planar_rod(0.7, 0.5));
    self->bodies[2] = carom_planar_prismatic(1, 0.0, -0.5, 0.3, carom_planar_disc(0.2, 0.1));
    self->contacts[0] = carom_planar_corner_on_wall(0, 0.2, 0.1, carom_planar_floor(0.0), 0.5);
    self->contacts[1] = carom_planar_disc_on_wall(2, 0.0, 0.0, 0.1, carom_planar_floor(0.0), 0.5);
    self->contacts[2] = carom_planar_disc_on_disc(0, 0.3, 2, 0.1, 0.5);
    self->spec = carom_planar_tree_spec_default();
    self->spec.name = "parts";
    self->spec.body_count = BODIES;
    self->spec.bodies = self->bodies;
    self->spec.contact_count = CONTACTS;
    self->spec.contacts = self->contacts;
}

/** Set one field of the accepted parts to a value; the tree is refused. */
#define assert_refused(field, value, code, expected_quantity, expected_index)         \
    do {                                                                              \
        parts subject;                                                                \
        parts_make(&subject);                                                         \
        subject.field = (value);                                                      \
        carom_report refusal = carom_report_empty();                                  \
        carom_planar_tree *tree = NULL;                                               \
        assert_status(carom_planar_tree_alloc(&subject.spec, &tree, &refusal), code); \
        ck_assert_ptr_null(tree);                                                     \
        ck_assert_str_eq(refusal.quantity, expected_quantity);                        \
        ck_assert_int_eq(refusal.index, expected_index);                              \
        assert_status(carom_planar_tree_alloc(&subject.spec, &tree, NULL), code);     \
    } while (0)

TEST(errors, bodies_that_cannot_be_are_refused) {
    const double nan = (double)NAN;
    assert_refused(spec.body_count, 0, OUT_OF_RANGE, "body count", -1);
    assert_refused(spec.body_count, -3, OUT_OF_RANGE, "body count", -1);
    assert_refused(bodies[1].shape.mass, -0.1, OUT_OF_RANGE, "mass", 1);
    assert_refused(bodies[1].shape.mass, nan, NOT_FINITE, "mass", 1);
    assert_refused(bodies[2].shape.inertia, -1e-9, OUT_OF_RANGE, "inertia", 2);
    assert_refused(bodies[2].shape.inertia, HUGE_VAL, NOT_FINITE, "inertia", 2);
    assert_refused(bodies[0].shape.center[0], nan, NOT_FINITE, "center of mass", 0);
    assert_refused(bodies[0].shape.center[1], nan, NOT_FINITE, "center of mass", 0);
    assert_refused(bodies[1].parent, 1, OUT_OF_RANGE, "parent", 1);
    assert_refused(bodies[1].parent, 2, OUT_OF_RANGE, "parent", 1);
    assert_refused(bodies[1].parent, -2, OUT_OF_RANGE, "parent", 1);
    assert_refused(bodies[1].type, (carom_planar_joint)5, OUT_OF_RANGE, "joint type", 1);
    assert_refused(bodies[1].joint_point[0], nan, NOT_FINITE, "joint point", 1);
    assert_refused(bodies[1].joint_point[1], HUGE_VAL, NOT_FINITE, "joint point", 1);
    assert_refused(bodies[1].joint_angle, nan, NOT_FINITE, "joint angle", 1);
    assert_refused(bodies[2].axis_angle, nan, NOT_FINITE, "axis angle", 2);
    assert_refused(spec.gravity[0], nan, NOT_FINITE, "gravity", 0);
    assert_refused(spec.gravity[1], -HUGE_VAL, NOT_FINITE, "gravity", 1);
}

TEST(errors, contacts_that_cannot_be_are_refused) {
    const double nan = (double)NAN;
    assert_refused(spec.contact_count, -1, OUT_OF_RANGE, "contact count", -1);
    assert_refused(contacts[0].kind, (carom_planar_contact_kind)3, OUT_OF_RANGE, "contact kind", 0);
    assert_refused(contacts[0].body, 3, OUT_OF_RANGE, "contact body", 0);
    assert_refused(contacts[0].body, -1, OUT_OF_RANGE, "contact body", 0);
    assert_refused(contacts[2].body, -2, OUT_OF_RANGE, "contact body", 2);
    assert_refused(contacts[2].other_body, 3, OUT_OF_RANGE, "other body", 2);
    assert_refused(contacts[2].other_body, 0, OUT_OF_RANGE, "other body", 2);
    assert_refused(contacts[0].point[1], nan, NOT_FINITE, "contact point", 0);
    assert_refused(contacts[2].other_point[0], nan, NOT_FINITE, "other contact point", 2);
    assert_refused(contacts[1].radius, 0.0, OUT_OF_RANGE, "radius", 1);
    assert_refused(contacts[1].radius, -0.1, OUT_OF_RANGE, "radius", 1);
    assert_refused(contacts[2].radius, nan, NOT_FINITE, "radius", 2);
    assert_refused(contacts[2].other_radius, 0.0, OUT_OF_RANGE, "radius", 2);
    assert_refused(contacts[1].wall.point[0], nan, NOT_FINITE, "wall point", 1);
    assert_refused(contacts[1].wall.normal[0], nan, NOT_FINITE, "wall normal", 1);
    assert_refused(contacts[1].wall.normal[1], 0.0, OUT_OF_RANGE, "wall normal", 1);
    assert_refused(contacts[1].friction, -0.1, OUT_OF_RANGE, "friction", 1);
    assert_refused(contacts[1].friction, HUGE_VAL, NOT_FINITE, "friction", 1);
    assert_refused(contacts[1].restitution, 1.1, OUT_OF_RANGE, "restitution", 1);
    assert_refused(contacts[1].restitution, -0.1, OUT_OF_RANGE, "restitution", 1);
    assert_refused(contacts[1].restitution, nan, NOT_FINITE, "restitution", 1);
}

TEST(errors, the_unrefused_parts_are_accepted_under_their_name) {
    parts subject;
    parts_make(&subject);
    /* any length of a normal is admitted, however far from one */
    subject.contacts[0].wall.normal[0] = 3e-300;
    subject.contacts[0].wall.normal[1] = 4e-300;
    subject.contacts[1].wall.normal[1] = 1e300;
    carom_planar_tree *tree = NULL;
    assert_ok(carom_planar_tree_alloc(&subject.spec, &tree, NULL));
    ck_assert_str_eq(carom_planar_tree_mechanism(tree)->name, "parts");
    ck_assert_str_eq(carom_planar_tree_mechanism(tree)->position_units, "m, m, rad, rad, m");
    const double *normal = carom_planar_tree_contact(tree, 0)->wall.normal;
    assert_close(normal[0], 0.6, 0.0, ROUNDING);
    assert_close(normal[1], 0.8, 0.0, ROUNDING);
    carom_planar_tree_free(tree);
    carom_planar_tree_free(NULL);
}

TEST(errors, a_tree_without_coordinates_is_refused) {
    const carom_planar_body body = carom_planar_fixed(-1, 0.1, 0.2, carom_planar_disc(1.0, 1.0));
    carom_planar_tree_spec spec = carom_planar_tree_spec_default();
    spec.body_count = 1;
    spec.bodies = &body;
    carom_planar_tree *tree = NULL;
    carom_report report = carom_report_empty();
    assert_status(carom_planar_tree_alloc(&spec, &tree, &report), OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "coordinate count");
}

TEST(errors, a_chain_as_deep_as_allowed_works_and_one_link_more_is_refused) {
    enum { DEPTH = CAROM_PLANAR_LARGEST_DEPTH };
    carom_planar_body bodies[DEPTH + 1];
    double q[3 * DEPTH] = {0.0};
    for (int i = 0; i <= DEPTH; i++) {
        bodies[i] = carom_planar_floating(carom_planar_massless());
        bodies[i].parent = i - 1;
    }
    bodies[DEPTH - 1].shape = carom_planar_point_mass(1.0, 0.0, 0.0);
    carom_planar_tree_spec spec = carom_planar_tree_spec_default();
    spec.body_count = DEPTH;
    spec.bodies = bodies;
    carom_planar_tree *tree = NULL;
    carom_report report = carom_report_empty();
    assert_ok(carom_planar_tree_alloc(&spec, &tree, &report));
    double f[3 * DEPTH];
    for (int i = 0; i < 3 * DEPTH; i++) {
        q[i] = i % 3 == 0 ? 0.01 : 0.0;
    }
    const carom_mechanism *mechanism = carom_planar_tree_mechanism(tree);
    mechanism->force(0.0, q, q, f, mechanism->context);
    /* weight across the arm from the first hinge; its rates are 0.01 m/s along a straight line */
    assert_close(f[2], -9.81 * 0.01 * (DEPTH - 1), 1e-12, 0.0);
    assert_close(f[3 * DEPTH - 2], -9.81, 1e-14, 0.0);
    carom_planar_tree_free(tree);

    spec.body_count = DEPTH + 1;
    assert_status(carom_planar_tree_alloc(&spec, &tree, &report), OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "depth");
    ck_assert_int_eq(report.index, DEPTH);
}

TEST(errors, concentric_discs_are_found_by_validation) {
    const carom_planar_body disc = carom_planar_floating(carom_planar_disc(1.0, 0.5));
    const carom_planar_body bodies[2] = {disc, disc};
    const carom_planar_contact contact = carom_planar_disc_on_disc(0, 0.5, 1, 0.5, 0.3);
    scene discs;
    scene_make(&discs, 2, bodies, 1, &contact);
    double g = (double)NAN;
    discs.mechanism->constraints(discs.q, &g, discs.mechanism->context);
    assert_close(g, -1.0, 0.0, 0.0);
    carom_report report = carom_report_empty();
    assert_status(carom_mechanism_validate(discs.mechanism, 0.0, discs.q, discs.v, &report),
                  NOT_FINITE);
    ck_assert_str_eq(report.quantity, "constraint jacobian");
    carom_planar_tree_free(discs.tree);
}
