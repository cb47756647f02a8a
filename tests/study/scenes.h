/** Scenes of the suites, run with a record. */
#ifndef CAROM_TESTS_STUDY_SCENES_H
#define CAROM_TESTS_STUDY_SCENES_H

#include "recorded_impact.h"
#include "scene_text.h"

#include <carom/study/scene_motion.h>

/** Moreau and Jean with theta = 1/2, by the step and to the end that are stated. */
static inline carom_scene_motion_params params_of(const carom_scene_file *file) {
    carom_scene_motion_params params = carom_scene_motion_params_default(CAROM_SCHEME_MOREAU_JEAN);
    params.duration = file->duration;
    params.frames = 11;
    params.stepper.step = file->step;
    return params;
}

static inline carom_scene_motion_result run_file(const carom_scene_file *file,
                                                 record_scene *scene) {
    const carom_scene_motion_params params = params_of(file);
    carom_scene_motion_result result;
    carom_report report = carom_report_empty();
    const carom_status status =
        carom_scene_motion_run(file, &params, NULL, NULL, scene->record, &result, &report);
    ck_assert_msg(status == CAROM_OK, "%s %s", carom_status_name(status), report.sentence);
    return result;
}

static inline carom_scene_motion_result run(const char *text, record_scene *scene) {
    CAROM_AUTO(carom_scene_file) file = parse_with(text, NULL);
    return run_file(file, scene);
}

#endif
