/** Internal: a motion of a scene on its way, and its parts for a later run. */
#ifndef CAROM_STUDY_SCENE_PARTS_H
#define CAROM_STUDY_SCENE_PARTS_H

#include <carom/base/parallel.h>
#include <carom/study/scene_accounts.h>
#include <carom/study/scene_motion.h>

/** A contact that presses and did not in the step before. */
typedef struct carom_scene_impact {
    int impact;
    double time;
    int first;
    int second;
    double x;
    double y;
    double z;
    double closing_speed;
    double impulse;
    double friction_impulse;
} carom_scene_impact;

/** What is recorded of an instant, beside the poses. */
typedef struct carom_scene_frame {
    double time;
    double energy;
    int contacts;
    int pressing;
} carom_scene_frame;

/** A motion on its way. */
typedef struct carom_scene_course {
    const carom_scene_file *scene;
    const carom_scene_motion_params *params;
    carom_bodies *bodies;
    carom_stepper *stepper;
    const carom_mechanism *mechanism;
    carom_scene_motion_result result;
    int steps; /**< in all */
    int every; /**< step that is recorded */
    int most;  /**< frames that there is room for */
    int frame_count;
    carom_scene_frame *frames;
    double *poses;
    double *start; /**< [2 n_q] positions and velocities */
    carom_scene_accounts accounts;
    bool *stopped;                  /**< [limits] that pressed in the last step */
    carom_bodies_contact *pressing; /**< of the last step, then room for this one */
    int pressing_count;
    carom_scene_impact *impacts;
    int impact_room;

    int part_frames;  /**< before the part under way */
    int part_impacts; /**< likewise */
    carom_parallel_bytes
        state;            /**< of the stepper after a part of an earlier run; empty: as it is */
    bool is_to_fail;      /**< the part under way has failed in an earlier run */
    carom_report *report; /**< of the motion */
} carom_scene_course;

/** Numbers of a pose of all bodies: those of pads in joints, which follow, are at rest. */
size_t carom_scene_course_pose_numbers(const carom_scene_course *course);

/** Make room for so many impacts. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_scene_course_reserve_impacts(carom_scene_course *course,
                                                                 int count);

/** Append what the part under way has brought, and what the next one depends on: the item of a map
 * of one. Nothing of a part that has failed, which fails again. */
CAROM_MUST_CHECK carom_status carom_scene_course_pack(int item, void *course,
                                                      carom_parallel_bytes *bytes);

/** Take it over. @return CAROM_OK; BAD_FORMAT; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_scene_course_unpack(int item, const unsigned char *data,
                                                        size_t size, void *course);

#endif
