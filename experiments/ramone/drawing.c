/** The picture of figure 13(a): the robot and the velocities of its points before the impact. */
#include "results.h"

#include <carom/study/scene_record.h>

/** Bodies of the tree. */
enum { TRUNK, LEADING_THIGH, LEADING_SHANK, TRAILING_THIGH, TRAILING_SHANK };

/** The floor reaches so far beyond the legs stretched out. */
static const double FLOOR_REACH = 1.1;

/** Links, feet, mass centres of the trunk and floor. */
static carom_status draw_bodies(const results *r) {
    const carom_ramone_params *robot = r->robot;
    const double trunk[] = {0.0, 0.0, 0.0, -robot->trunk_to_hip};
    const double thigh[] = {0.0, 0.0, 0.0, -robot->thigh_length};
    const double shank[] = {0.0, 0.0, 0.0, -robot->shank_length};
    const double half = FLOOR_REACH * (robot->thigh_length + robot->shank_length);
    const double floor_points[] = {-half, 0.0, half, 0.0};
    double foot[2 * CAROM_SCENE_CIRCLE_POINTS];
    carom_scene_circle(0.0, -robot->shank_length, robot->foot_radius, foot);
    const carom_scene_line lines[] = {
        {"trunk", TRUNK, 2, trunk},
        {"mass_centre", TRUNK, 1, trunk},
        {"leading_thigh", LEADING_THIGH, 2, thigh},
        {"leading_shank", LEADING_SHANK, 2, shank},
        {"trailing_thigh", TRAILING_THIGH, 2, thigh},
        {"trailing_shank", TRAILING_SHANK, 2, shank},
        {"leading_foot", LEADING_SHANK, CAROM_SCENE_CIRCLE_POINTS, foot},
        {"trailing_foot", TRAILING_SHANK, CAROM_SCENE_CIRCLE_POINTS, foot},
        {"floor", -1, 2, floor_points},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        CAROM_TRY(carom_scene_record_line(r->study->target.record, "/drawing", r->scene->tree,
                                          r->scene->position, &lines[i]));
    }
    return CAROM_OK;
}

/** The point of a shank's foot on the floor, in the frame of the shank. */
static void find_sole(const results *r, int shank, double *point) {
    double pose[3];
    carom_planar_tree_pose(r->scene->tree, r->scene->position, shank, pose);
    point[0] = -r->robot->foot_radius * sin(pose[2]);
    point[1] = -r->robot->shank_length - r->robot->foot_radius * cos(pose[2]);
}

carom_status ramone_draw(const results *r) {
    const double trunk[] = {0.0, 0.0, 0.0, -r->robot->trunk_to_hip};
    const double knee[] = {0.0, -r->robot->thigh_length};
    double leading[2];
    double trailing[2];
    find_sole(r, LEADING_SHANK, leading);
    find_sole(r, TRAILING_SHANK, trailing);
    const carom_scene_line lines[] = {
        {"before_trunk", TRUNK, 2, trunk},
        {"before_leading_knee", LEADING_THIGH, 1, knee},
        {"before_leading_foot", LEADING_SHANK, 1, leading},
        {"before_trailing_knee", TRAILING_THIGH, 1, knee},
        {"before_trailing_foot", TRAILING_SHANK, 1, trailing},
    };
    CAROM_TRY(draw_bodies(r));
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        CAROM_TRY(carom_scene_record_velocities(r->study->target.record, "/drawing", r->scene->tree,
                                                r->scene->position, r->scene->velocity, &lines[i]));
    }
    return CAROM_OK;
}
