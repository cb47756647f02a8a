/** Scenes of the suites, read. */
#ifndef CAROM_TESTS_STUDY_SCENE_TEXT_H
#define CAROM_TESTS_STUDY_SCENE_TEXT_H

#include "../support.h"

#include <carom/study/scene_file.h>

#include <string.h>

static inline carom_scene_file *parse_with(const char *text, const char *parameters) {
    char defect[CAROM_SCENE_FILE_DEFECT_SIZE];
    carom_scene_file *file = NULL;
    const carom_status status =
        carom_scene_file_parse(text, strlen(text), parameters, &file, defect);
    ck_assert_msg(status == CAROM_OK, "%s", defect);
    ck_assert_str_eq(defect, "");
    return file;
}

#endif
