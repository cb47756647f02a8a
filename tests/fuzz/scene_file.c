/**
 * Fuzz target (libFuzzer) for the reader of scenes: any bytes are read or refused with a sentence,
 * without harm, and what is read is found and placed.
 *
 *     make fuzz                                    (clang; a minute from the examples)
 *
 * CORPUS is a folder of its own, into which interesting inputs are written.
 */
#include <carom/study/scene_file.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Stop the program, which the fuzzer reports with the input. */
static void require(bool holds) {
    if (!holds) {
        abort();
    }
}

/** What every accepted scene keeps. */
static void check_scene(const carom_scene_file *file) {
    const carom_bodies_spec *spec = &file->spec;
    require(spec->body_count >= 1 && spec->body_count <= CAROM_SCENE_FILE_MOST_BODIES);
    for (int k = 0; k < spec->body_count; k++) {
        require(file->is_space ? file->masses[k].mass > 0.0 && file->masses[k].inertia[0] > 0.0
                               : spec->bodies[k].mass > 0.0 && spec->bodies[k].inertia > 0.0);
        require(file->names[k][0] != '\0');
        require(memchr(file->names[k], '\0', CAROM_SCENE_FILE_NAME_SIZE) != NULL);
    }
    for (int k = 0; k < file->space.solid_count; k++) {
        require(file->is_space && file->solids[k].body >= -1);
        require(file->solids[k].body < spec->body_count && file->solids[k].friction >= 0.0);
    }
    for (int k = 0; k < spec->shape_count; k++) {
        require(spec->shapes[k].body >= -1 && spec->shapes[k].body < spec->body_count);
        require(spec->shapes[k].friction >= 0.0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char defect[CAROM_SCENE_FILE_DEFECT_SIZE];
    carom_scene_file *file = NULL;
    const carom_status status =
        carom_scene_file_parse((const char *)data, size, NULL, &file, defect);
    require(memchr(defect, '\0', sizeof defect) != NULL);
    if (status == CAROM_OK) {
        require(defect[0] == '\0' && file != NULL);
        check_scene(file);
    } else {
        require(file == NULL);
        require(status == CAROM_STATUS_OUT_OF_MEMORY ||
                (status == CAROM_STATUS_BAD_FORMAT && defect[0] != '\0'));
        for (const char *letter = defect; *letter != '\0'; letter++) {
            require(*letter >= ' ' && *letter <= '~');
        }
    }
    carom_scene_file_free(file);
    return 0;
}
