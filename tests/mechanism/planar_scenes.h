/** The five systems of halm-2023 as planar trees, at the instant before their impact. */
#ifndef CAROM_TESTS_MECHANISM_PLANAR_SCENES_H
#define CAROM_TESTS_MECHANISM_PLANAR_SCENES_H

#include <carom/mechanism/planar_tree.h>

#include "../support.h"

#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>
#include <string.h>

enum { SCENE_COORDINATES = 9, SCENE_CONTACTS = 5, SCENE_ROWS = 2 * SCENE_CONTACTS };

/** A tree with a state. */
typedef struct scene {
    carom_planar_tree *tree;
    const carom_mechanism *mechanism;
    int n; /**< coordinates */
    int m; /**< contacts */
    double q[SCENE_COORDINATES];
    double v[SCENE_COORDINATES];
} scene;

static inline double radians(double degrees) {
    return degrees * (M_PI / 180.0);
}

/** Build a scene from bodies and contacts that the caller keeps until then. */
static inline void scene_make(scene *self, int body_count, const carom_planar_body *bodies,
                              int contact_count, const carom_planar_contact *contacts) {
    carom_planar_tree_spec spec = carom_planar_tree_spec_default();
    spec.body_count = body_count;
    spec.bodies = bodies;
    spec.contact_count = contact_count;
    spec.contacts = contacts;
    memset(self, 0, sizeof(*self));
    assert_ok(carom_planar_tree_alloc(&spec, &self->tree, NULL));
    self->mechanism = carom_planar_tree_mechanism(self->tree);
    self->n = self->mechanism->coordinate_count;
    self->m = self->mechanism->contact_count;
}

/** Specification 3.1: block 1 m x 2 m, 1 kg, flat above the floor. */
static inline void scene_block(scene *self) {
    const carom_planar_body body = carom_planar_floating(carom_planar_box(1.0, 1.0, 2.0));
    const carom_planar_wall floor = carom_planar_floor(0.0);
    const carom_planar_contact contacts[2] = {
        carom_planar_corner_on_wall(0, -0.5, -1.0, floor, 1.0),
        carom_planar_corner_on_wall(0, 0.5, -1.0, floor, 1.0),
    };
    scene_make(self, 1, &body, 2, contacts);
    self->q[1] = 1.0;
    self->v[1] = -0.442944692;
}

/** Specification 3.3: massless hip, two legs of 1 m with 1 kg at half length. */
static inline void scene_compass(scene *self) {
    const carom_planar_shape leg = carom_planar_point_mass(1.0, 0.0, -0.5);
    const carom_planar_body bodies[3] = {
        carom_planar_translating(carom_planar_massless()),
        carom_planar_revolute(0, 0.0, 0.0, leg), /* leading */
        carom_planar_revolute(0, 0.0, 0.0, leg), /* trailing */
    };
    const double pitch = radians(78.0);
    const carom_planar_wall floor = carom_planar_floor(-cos(pitch));
    const carom_planar_contact contacts[2] = {
        carom_planar_corner_on_wall(1, 0.0, -1.0, floor, 5.0),
        carom_planar_corner_on_wall(2, 0.0, -1.0, floor, 5.0),
    };
    scene_make(self, 3, bodies, 2, contacts);
    self->q[2] = -pitch;
    self->q[3] = pitch;
    self->v[0] = -0.25 * cos(pitch);
    self->v[1] = -0.25 * sin(pitch);
    self->v[2] = 0.25;
    self->v[3] = 0.25;
}

/** Specification 3.4: unit square leaning clockwise by 10 degrees, floor and wall on the right. */
static inline void scene_box(scene *self) {
    const carom_planar_body body = carom_planar_floating(carom_planar_box(1.0, 1.0, 1.0));
    const double tilt = radians(10.0);
    const double far = sqrt(0.5) * cos(radians(45.0) - tilt);
    const carom_planar_wall wall = {.point = {far, 0.0}, .normal = {-1.0, 0.0}};
    carom_planar_contact contacts[2] = {
        carom_planar_corner_on_wall(0, 0.5, -0.5, carom_planar_floor(-far), 1.0),
        carom_planar_corner_on_wall(0, 0.5, 0.5, wall, 1.0),
    };
    contacts[1].is_tangent_reversed = true; /* downward positive */
    scene_make(self, 1, &body, 2, contacts);
    self->q[2] = -tilt;
    self->v[0] = 1.0;
}

/** Specification 3.5, as printed: a disc on two discs on the floor. */
static inline void scene_discs(scene *self) {
    const double mu = sqrt(3.0);
    const carom_planar_body disc = carom_planar_floating(carom_planar_disc(1.0, 1.0));
    const carom_planar_body bodies[3] = {disc, disc, disc};
    const carom_planar_wall floor = carom_planar_floor(0.0);
    const carom_planar_contact contacts[5] = {
        carom_planar_disc_on_wall(1, 0.0, 0.0, 1.0, floor, mu),
        carom_planar_disc_on_wall(2, 0.0, 0.0, 1.0, floor, mu),
        carom_planar_disc_on_disc(0, 1.0, 1, 1.0, mu),
        carom_planar_disc_on_disc(0, 1.0, 2, 1.0, mu),
        carom_planar_disc_on_disc(1, 1.0, 2, 1.0, mu),
    };
    const double q[9] = {1.0, 1.0 + sqrt(3.0), 0.0, 0.0, 1.0, 0.0, 2.0, 1.0, 0.0};
    scene_make(self, 3, bodies, 5, contacts);
    memcpy(self->q, q, sizeof(q));
    self->v[1] = -1.0;
}

/** Specification 3.6: the two-legged robot at footfall; trailing foot at rest on the floor. */
static inline void scene_ramone(scene *self) {
    const double hip = 0.137675;
    const double l_2 = 0.2;
    const double l_3 = 0.2385;
    const double r_F = 0.0563 / 2.0;
    const carom_planar_shape trunk = {.mass = 7.9026, .inertia = 0.08};
    const carom_planar_shape thigh = {0.7887, 0.00221, {0.0, -0.019399}};
    const carom_planar_shape shank = {0.510, 0.00652, {0.0, -0.165235}};
    const carom_planar_body bodies[5] = {
        carom_planar_floating(trunk),
        carom_planar_revolute(0, 0.0, -hip, thigh),
        carom_planar_revolute(1, 0.0, -l_2, shank), /* leading */
        carom_planar_revolute(0, 0.0, -hip, thigh),
        carom_planar_revolute(3, 0.0, -l_2, shank), /* trailing */
    };
    const double Phi = radians(16.0);
    const double alpha[2] = {radians(-70.0), radians(70.0)};
    const double beta_leading = radians(-2.0);
    const double L = l_3 * cos(Phi + alpha[0] + beta_leading) + l_2 * cos(Phi + alpha[0]);
    const double beta_trailing =
        asin((L - l_2 * cos(Phi + alpha[1])) / l_3) - M_PI_2 - Phi - alpha[1];
    const carom_planar_wall floor = carom_planar_floor(-hip * cos(Phi) - L - r_F);
    const carom_planar_contact contacts[2] = {
        carom_planar_disc_on_wall(2, 0.0, -l_3, r_F, floor, 1e5),
        carom_planar_disc_on_wall(4, 0.0, -l_3, r_F, floor, 1e5),
    };
    scene_make(self, 5, bodies, 2, contacts);
    const double q[7] = {0.0, 0.0, Phi, alpha[0], beta_leading, alpha[1], beta_trailing};
    memcpy(self->q, q, sizeof(q));
    self->v[0] = -0.41141626;
    self->v[1] = -0.21051823;
    self->v[2] = 1.0;
}

/** J [2m][n]: normal rows, then tangential ones. */
static inline void scene_jacobian(const scene *self, double *J) {
    for (int i = 0; i < 2 * self->m * self->n; i++) {
        J[i] = (double)NAN;
    }
    self->mechanism->constraint_jacobian(self->q, J, self->mechanism->context);
    self->mechanism->tangential_jacobian(self->q, J + self->m * self->n, self->mechanism->context);
}

/** C = J M^-1 J' [2m][2m], by a Cholesky factor of M. */
static inline void scene_delassus(const scene *self, double *C) {
    const int n = self->n;
    const int rows = 2 * self->m;
    double M[SCENE_COORDINATES * SCENE_COORDINATES];
    double J[SCENE_ROWS * SCENE_COORDINATES];
    double x[SCENE_COORDINATES];
    self->mechanism->mass(self->q, M, self->mechanism->context);
    scene_jacobian(self, J);
    gsl_matrix_view factor = gsl_matrix_view_array(M, (size_t)n, (size_t)n);
    ck_assert_int_eq(gsl_linalg_cholesky_decomp1(&factor.matrix), 0);
    for (int i = 0; i < rows; i++) {
        memcpy(x, J + i * n, (size_t)n * sizeof(double));
        gsl_vector_view solution = gsl_vector_view_array(x, (size_t)n);
        ck_assert_int_eq(gsl_linalg_cholesky_svx(&factor.matrix, &solution.vector), 0);
        for (int j = 0; j < rows; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) {
                sum += J[j * n + k] * x[k];
            }
            C[i * rows + j] = sum;
        }
    }
}

/** Every entry of a matrix. */
#define assert_entries(actual, expected, count, abs)                                              \
    do {                                                                                          \
        for (int entry = 0; entry < (count); entry++) {                                           \
            const double entry_error = fabs((actual)[entry] - (expected)[entry]);                 \
            ck_assert_msg(entry_error <= (abs), "%s[%d] = %.17g, expected %.17g", #actual, entry, \
                          (actual)[entry], (expected)[entry]);                                    \
        }                                                                                         \
    } while (0)

#endif
