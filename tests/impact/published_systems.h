/** The five systems of halm-2023 section 5.4 from positions of points alone, differentiated by
 * differences: nothing is shared with the models of the library. To be included by suites. */
#ifndef CAROM_TESTS_IMPACT_PUBLISHED_SYSTEMS_H
#define CAROM_TESTS_IMPACT_PUBLISHED_SYSTEMS_H

#include "independent_impacts.h"

#include <carom/impact/impact_problem.h>
#include <carom/models/compass_gait.h>
#include <carom/models/disk_stack.h>
#include <carom/models/leaning_box.h>
#include <carom/models/ramone.h>
#include <carom/models/rigid_block.h>

typedef enum published_system {
    BLOCK,
    COMPASS,
    BOX,
    RAMONE,
    DISKS_PRINTED,
    DISKS_CODE,
    PUBLISHED_SYSTEMS
} published_system;

static const char *const SYSTEM_NAMES[PUBLISHED_SYSTEMS] = {
    "block", "compass", "box", "ramone", "disks as printed", "disks as in the programs"};

/* Tables 4 to 8: step h and most increments N. */
static const double SYSTEM_STEPS[PUBLISHED_SYSTEMS] = {0.3, 0.25, 2.0, 1.0, 1.0, 1.0};
static const int SYSTEM_LENGTHS[PUBLISHED_SYSTEMS] = {10, 5, 5, 10, 10, 10};

#define DEGREE 0.017453292519943295

/* Bodies (x, y, angle) with mass and inertia, and contact points: a pair of material points, the
 * second one's motion relative to the first one's along n and t. */
typedef struct motion {
    int bodies;
    double pose[5][3];
    int contacts;
    double place[5][2]; /* second point minus first; only its derivative matters */
} motion;

/* Where everything is at q, points being those that are in contact at `origin`. */
typedef void (*motion_function)(const double *q, const double *origin, motion *at);

static inline void turn(double angle, double x, double y, double *out) {
    out[0] = cos(angle) * x - sin(angle) * y;
    out[1] = sin(angle) * x + cos(angle) * y;
}

static inline void block_motion(const double *q, const double *origin, motion *at) {
    (void)origin;
    at->bodies = 1;
    at->contacts = 2;
    memcpy(at->pose[0], q, 3 * sizeof(double));
    for (int i = 0; i < 2; i++) {
        double arm[2];
        turn(q[2], i == 0 ? -0.5 : 0.5, -1.0, arm);
        at->place[i][0] = q[0] + arm[0];
        at->place[i][1] = q[1] + arm[1];
    }
}

static inline void compass_motion(const double *q, const double *origin, motion *at) {
    (void)origin;
    at->bodies = 2;
    at->contacts = 2;
    for (int i = 0; i < 2; i++) {
        const double pitch = q[2 + i];
        at->pose[i][0] = q[0] + 0.5 * sin(pitch);
        at->pose[i][1] = q[1] - 0.5 * cos(pitch);
        at->pose[i][2] = pitch;
        at->place[i][0] = q[0] + sin(pitch);
        at->place[i][1] = q[1] - cos(pitch);
    }
}

/* Square of side 1, turned clockwise by 10 deg: A is its lower right corner, now the lowest, B its
 * upper right one, now the rightmost. */
static inline void box_motion(const double *q, const double *origin, motion *at) {
    (void)origin;
    at->bodies = 1;
    at->contacts = 2;
    memcpy(at->pose[0], q, 3 * sizeof(double));
    for (int i = 0; i < 2; i++) {
        double arm[2];
        turn(q[2], 0.5, i == 0 ? -0.5 : 0.5, arm);
        at->place[i][0] = q[0] + arm[0];
        at->place[i][1] = q[1] + arm[1];
    }
}

static inline void ramone_motion(const double *q, const double *origin, motion *at) {
    at->bodies = 5;
    at->contacts = 2;
    memcpy(at->pose[0], q, 3 * sizeof(double));
    const double hip[2] = {q[0] + 0.137675 * sin(q[2]), q[1] - 0.137675 * cos(q[2])};
    for (int i = 0; i < 2; i++) {
        const double thigh = q[2] + q[3 + 2 * i];
        const double shank = thigh + q[4 + 2 * i];
        const double shank_before = origin[2] + origin[3 + 2 * i] + origin[4 + 2 * i];
        const double knee[2] = {hip[0] + 0.2 * sin(thigh), hip[1] - 0.2 * cos(thigh)};
        double *upper = at->pose[1 + 2 * i];
        double *lower = at->pose[2 + 2 * i];
        upper[0] = hip[0] + 0.019399 * sin(thigh);
        upper[1] = hip[1] - 0.019399 * cos(thigh);
        upper[2] = thigh;
        lower[0] = knee[0] + 0.165235 * sin(shank);
        lower[1] = knee[1] - 0.165235 * cos(shank);
        lower[2] = shank;
        double arm[2];
        turn(shank - shank_before, 0.0, -0.02815, arm);
        at->place[i][0] = knee[0] + 0.2385 * sin(shank) + arm[0];
        at->place[i][1] = knee[1] - 0.2385 * cos(shank) + arm[1];
    }
}

/* Disk 0 on top, 1 and 2 below it; the floor is no body. */
static inline void disk_motion(const double *q, const double *origin, motion *at) {
    static const int first[5] = {-1, -1, 0, 0, 1};
    static const int second[5] = {1, 2, 1, 2, 2};
    at->bodies = 3;
    at->contacts = 5;
    memcpy(at->pose, q, 9 * sizeof(double));
    for (int i = 0; i < 5; i++) {
        at->place[i][0] = 0.0;
        at->place[i][1] = 0.0;
        for (int side = 0; side < 2; side++) {
            const int disk = side == 0 ? first[i] : second[i];
            const int other = side == 0 ? second[i] : first[i];
            if (disk < 0) {
                continue;
            }
            const double *here = &origin[3 * disk];
            const double floor_place[2] = {here[0], -1.0};
            const double *there = other < 0 ? floor_place : &origin[3 * other];
            double arm[2];
            turn(q[3 * disk + 2], 0.5 * (there[0] - here[0]), 0.5 * (there[1] - here[1]), arm);
            const double sign = side == 0 ? -1.0 : 1.0;
            at->place[i][0] += sign * (q[3 * disk] + arm[0]);
            at->place[i][1] += sign * (q[3 * disk + 1] + arm[1]);
        }
    }
}

/* One derivative by central differences of fourth order: h^4/30 = 3e-14 and rounding/h = 2e-13 for
 * motions of size one. */
static inline void difference(motion_function move, int n, const double *q, int i, double *pose,
                              double *place) {
    static const double weights[4] = {1.0 / 12.0, -2.0 / 3.0, 2.0 / 3.0, -1.0 / 12.0};
    static const double steps[4] = {-2.0, -1.0, 1.0, 2.0};
    const double h = 1e-3;
    memset(pose, 0, 15 * sizeof(double));
    memset(place, 0, 10 * sizeof(double));
    for (int k = 0; k < 4; k++) {
        double moved[MOST_COORDINATES];
        motion at;
        memcpy(moved, q, sizeof(double) * (size_t)n);
        moved[i] += steps[k] * h;
        memset(&at, 0, sizeof(at));
        move(moved, q, &at);
        for (int l = 0; l < 15; l++) {
            pose[l] += weights[k] / h * at.pose[l / 3][l % 3];
        }
        for (int l = 0; l < 10; l++) {
            place[l] += weights[k] / h * at.place[l / 2][l % 2];
        }
    }
}

/* M and J of a motion at q with masses and inertias of bodies, directions of contacts. */
static inline void differentiate(motion_function move, const double *q, const double *masses,
                                 const double *inertias, double (*normals)[2],
                                 double (*tangents)[2], plain_impact *plain) {
    const int n = plain->n;
    double pose[MOST_COORDINATES][15];
    motion at;
    memset(&at, 0, sizeof(at));
    move(q, q, &at);
    plain->m = at.contacts;
    for (int i = 0; i < n; i++) {
        double place[10];
        difference(move, n, q, i, pose[i], place);
        for (int k = 0; k < at.contacts; k++) {
            plain->J[k * n + i] = normals[k][0] * place[2 * k] + normals[k][1] * place[2 * k + 1];
            plain->J[(at.contacts + k) * n + i] =
                tangents[k][0] * place[2 * k] + tangents[k][1] * place[2 * k + 1];
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            plain->M[i * n + j] = 0.0;
            for (int b = 0; b < at.bodies; b++) {
                const double *left = &pose[i][3 * b];
                const double *right = &pose[j][3 * b];
                plain->M[i * n + j] += masses[b] * (left[0] * right[0] + left[1] * right[1]) +
                                       inertias[b] * left[2] * right[2];
            }
        }
    }
}

static inline void same_friction(plain_impact *plain, double mu) {
    for (int i = 0; i < plain->m; i++) {
        plain->mu[i] = mu;
    }
}

/* Velocity of the base that holds the trailing contact (index 1) at rest, the other rates given. */
static inline void hold_trailing_foot(plain_impact *plain) {
    const int n = plain->n;
    plain->v[0] = 0.0;
    plain->v[1] = 0.0;
    double speed[2] = {0.0, 0.0};
    for (int i = 0; i < n; i++) {
        speed[0] += plain->J[(2 + 1) * n + i] * plain->v[i];
        speed[1] += plain->J[1 * n + i] * plain->v[i];
    }
    plain->v[0] = -speed[0];
    plain->v[1] = -speed[1];
}

static inline void plain_ramone(plain_impact *plain) {
    const double masses[5] = {7.9026, 0.7887, 0.510, 0.7887, 0.510};
    const double inertias[5] = {0.08, 0.00221, 0.00652, 0.00221, 0.00652};
    double up[2][2] = {{0, 1}, {0, 1}};
    double along[2][2] = {{1, 0}, {1, 0}};
    const double trunk = 16 * DEGREE;
    const double reach = 0.2385 * cos(trunk - 72 * DEGREE) + 0.2 * cos(trunk - 70 * DEGREE);
    const double trailing =
        asin((reach - 0.2 * cos(trunk + 70 * DEGREE)) / 0.2385) - 90 * DEGREE - trunk - 70 * DEGREE;
    const double q[7] = {0.0, 0.5, trunk, -70 * DEGREE, -2 * DEGREE, 70 * DEGREE, trailing};
    plain->n = 7;
    differentiate(ramone_motion, q, masses, inertias, up, along, plain);
    same_friction(plain, 1e5);
    plain->v[2] = 1.0;
    hold_trailing_foot(plain);
}

static inline void plain_disks(bool is_code, plain_impact *plain) {
    const double height = sqrt(3.0);
    const double mass = is_code ? 5.0 : 1.0;
    const double masses[3] = {mass, mass, mass};
    const double inertias[3] = {0.5 * mass, 0.5 * mass, 0.5 * mass};
    const double q[9] = {1, 1 + height, 0, 0, 1, 0, 2, 1, 0};
    double normals[5][2] = {{0, 1}, {0, 1}, {-0.5, -0.5 * height}, {0.5, -0.5 * height}, {1, 0}};
    double tangents[5][2];
    for (int i = 0; i < 5; i++) {
        tangents[i][0] = normals[i][1];
        tangents[i][1] = is_code ? normals[i][0] : -normals[i][0];
    }
    plain->n = 9;
    differentiate(disk_motion, q, masses, inertias, normals, tangents, plain);
    same_friction(plain, height);
    plain->v[1] = -1.0;
}

/* The system of sections 3.1 to 3.6 of the specification. */
static inline void plain_system(published_system system, plain_impact *plain) {
    double up[2][2] = {{0, 1}, {0, 1}};
    double along[2][2] = {{1, 0}, {1, 0}};
    const double one[2] = {1.0, 1.0};
    const double none[2] = {0.0, 0.0};
    memset(plain, 0, sizeof(*plain));
    if (system == BLOCK) {
        const double q[3] = {0, 1, 0};
        const double inertia = 5.0 / 12.0;
        plain->n = 3;
        differentiate(block_motion, q, one, &inertia, up, along, plain);
        same_friction(plain, 1.0);
        plain->v[1] = -sqrt(2.0 * 9.81 * 0.01);
    } else if (system == COMPASS) {
        const double q[4] = {0, cos(78 * DEGREE), -78 * DEGREE, 78 * DEGREE};
        plain->n = 4;
        differentiate(compass_motion, q, one, none, up, along, plain);
        same_friction(plain, 5.0);
        plain->v[2] = 0.25;
        plain->v[3] = 0.25;
        hold_trailing_foot(plain);
    } else if (system == BOX) {
        const double q[3] = {0, 0, -10 * DEGREE};
        const double inertia = 1.0 / 6.0;
        double normals[2][2] = {{0, 1}, {-1, 0}};
        double tangents[2][2] = {{1, 0}, {0, -1}};
        plain->n = 3;
        differentiate(box_motion, q, one, &inertia, normals, tangents, plain);
        same_friction(plain, 1.0);
        plain->v[0] = 1.0;
    } else if (system == RAMONE) {
        plain_ramone(plain);
    } else {
        plain_disks(system == DISKS_CODE, plain);
    }
    complete(plain);
}

/* The scene of the library's model of a system, default parameters. */
static inline carom_impact_scene *scene_of_system(published_system system) {
    carom_impact_scene *scene = NULL;
    if (system == BLOCK) {
        const carom_rigid_block_params params = carom_rigid_block_params_default();
        assert_ok(carom_rigid_block_alloc(&params, &scene, NULL));
    } else if (system == COMPASS) {
        const carom_compass_gait_params params = carom_compass_gait_params_default();
        assert_ok(carom_compass_gait_alloc(&params, &scene, NULL));
    } else if (system == BOX) {
        const carom_leaning_box_params params = carom_leaning_box_params_default();
        assert_ok(carom_leaning_box_alloc(&params, &scene, NULL));
    } else if (system == RAMONE) {
        const carom_ramone_params params = carom_ramone_params_default();
        assert_ok(carom_ramone_alloc(&params, &scene, NULL));
    } else {
        carom_disk_stack_params params = carom_disk_stack_params_default();
        params.variant = system == DISKS_CODE ? CAROM_DISK_STACK_CODE : CAROM_DISK_STACK_PRINTED;
        assert_ok(carom_disk_stack_alloc(&params, &scene, NULL));
    }
    return scene;
}

/* The library's problem of a system: from the model, but with the skewed tangents of the programs,
 * which are not those of a mechanism, from the numbers above. */
static inline carom_impact_problem *problem_of_system(published_system system) {
    if (system == DISKS_CODE) {
        plain_impact plain;
        plain_system(system, &plain);
        return problem_of_plain(&plain);
    }
    carom_impact_scene *scene = scene_of_system(system);
    carom_impact_problem *problem = NULL;
    /* Gaps of closed contacts are rounding. */
    assert_ok(carom_impact_problem_of_mechanism(carom_impact_scene_mechanism(scene),
                                                scene->position, scene->velocity, 1e-12, NULL,
                                                &problem, NULL));
    carom_impact_scene_free(scene);
    return problem;
}

#endif
