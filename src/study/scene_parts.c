#include <carom/study/scene_parts.h>

#include <carom/timestepping/internal.h>

#include <stdlib.h>

size_t carom_scene_course_pose_numbers(const carom_scene_course *course) {
    return (course->scene->is_space ? 7 : 3) * (size_t)course->scene->spec.body_count;
}

carom_status carom_scene_course_reserve_impacts(carom_scene_course *course, int count) {
    if (count <= course->impact_room) {
        return CAROM_OK;
    }
    const size_t room = 2 * (size_t)count + 64;
    carom_scene_impact *grown = realloc(course->impacts, room * sizeof *grown);
    if (grown == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    course->impacts = grown;
    course->impact_room = (int)room;
    return CAROM_OK;
}

/** How much of each there is. */
typedef struct counts {
    int frames;
    int pressing;
} counts;

carom_status carom_scene_course_pack(int item, void *course, carom_parallel_bytes *bytes) {
    (void)item;
    carom_scene_course *c = course;
    if (c->result.outcome != CAROM_OK) {
        return CAROM_OK;
    }
    const carom_scene_accounts *a = &c->accounts;
    const counts are = {c->frame_count, c->pressing_count};
    const size_t numbers = carom_scene_course_pose_numbers(c);
    const size_t frames = (size_t)(c->frame_count - c->part_frames);
    const size_t impacts = (size_t)(c->result.impacts - c->part_impacts);
    const size_t n = (size_t)c->mechanism->coordinate_count;
    CAROM_TRY(carom_parallel_append(bytes, &c->result, sizeof c->result));
    CAROM_TRY(carom_parallel_append(bytes, &are, sizeof are));
    CAROM_TRY(carom_parallel_append(bytes, c->frames + c->part_frames, frames * sizeof *c->frames));
    CAROM_TRY(carom_parallel_append(bytes, c->poses + (size_t)c->part_frames * numbers,
                                    frames * numbers * sizeof *c->poses));
    CAROM_TRY(
        carom_parallel_append(bytes, c->impacts + c->part_impacts, impacts * sizeof *c->impacts));
    CAROM_TRY(
        carom_parallel_append(bytes, c->pressing, (size_t)c->pressing_count * sizeof *c->pressing));
    CAROM_TRY(carom_parallel_append(
        bytes, c->stopped, (size_t)carom_bodies_limit_count(c->bodies) * sizeof *c->stopped));
    CAROM_TRY(carom_parallel_append(bytes, a->last_velocity, 3 * n * sizeof *a->last_velocity));
    CAROM_TRY(carom_parallel_append(bytes, a->last_supports,
                                    (size_t)c->mechanism->joint_count * sizeof *a->last_supports));
    CAROM_TRY(carom_parallel_append(bytes, &a->last_potential, sizeof a->last_potential));
    return carom_stepper_pack(c->stepper, bytes);
}

carom_status carom_scene_course_unpack(int item, const unsigned char *data, size_t size,
                                       void *course) {
    (void)item;
    carom_scene_course *c = course;
    carom_scene_accounts *a = &c->accounts;
    c->is_to_fail = size == 0;
    if (c->is_to_fail) {
        return CAROM_OK;
    }
    const int impacts_before = c->result.impacts;
    const size_t numbers = carom_scene_course_pose_numbers(c);
    const size_t n = (size_t)c->mechanism->coordinate_count;
    counts are;
    CAROM_TRY(carom_parallel_take(&data, &size, &c->result, sizeof c->result));
    CAROM_TRY(carom_parallel_take(&data, &size, &are, sizeof are));
    const int frames = are.frames - c->frame_count;
    const int impacts = c->result.impacts - impacts_before;
    if (frames < 0 || are.frames > c->most || impacts < 0 || are.pressing < 0 ||
        are.pressing > c->mechanism->contact_count) {
        return CAROM_STATUS_BAD_FORMAT;
    }
    CAROM_TRY(carom_scene_course_reserve_impacts(c, c->result.impacts));
    CAROM_TRY(carom_parallel_take(&data, &size, c->frames + c->frame_count,
                                  (size_t)frames * sizeof *c->frames));
    CAROM_TRY(carom_parallel_take(&data, &size, c->poses + (size_t)c->frame_count * numbers,
                                  (size_t)frames * numbers * sizeof *c->poses));
    CAROM_TRY(carom_parallel_take(&data, &size, c->impacts + impacts_before,
                                  (size_t)impacts * sizeof *c->impacts));
    CAROM_TRY(
        carom_parallel_take(&data, &size, c->pressing, (size_t)are.pressing * sizeof *c->pressing));
    CAROM_TRY(
        carom_parallel_take(&data, &size, c->stopped,
                            (size_t)carom_bodies_limit_count(c->bodies) * sizeof *c->stopped));
    CAROM_TRY(
        carom_parallel_take(&data, &size, a->last_velocity, 3 * n * sizeof *a->last_velocity));
    CAROM_TRY(carom_parallel_take(&data, &size, a->last_supports,
                                  (size_t)c->mechanism->joint_count * sizeof *a->last_supports));
    CAROM_TRY(carom_parallel_take(&data, &size, &a->last_potential, sizeof a->last_potential));
    c->frame_count = are.frames;
    c->pressing_count = are.pressing;
    carom_parallel_bytes_clear(&c->state);
    return carom_parallel_append(&c->state, data, size);
}
