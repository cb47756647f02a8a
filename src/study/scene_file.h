/** A mechanism in a text file: bodies with shapes, materials, joints, springs, and how it starts;
 * in the plane or in space. */
#ifndef CAROM_STUDY_SCENE_FILE_H
#define CAROM_STUDY_SCENE_FILE_H

#include <carom/base/base.h>
#include <carom/mechanism/bodies/bodies.h>

#include <stddef.h>

/** Characters of the sentence that says what is wrong with a file, the closing zero included. */
#define CAROM_SCENE_FILE_DEFECT_SIZE 200

/** Characters of a name, the closing zero included. */
#define CAROM_SCENE_FILE_NAME_SIZE 24

/** Bytes of the largest file, and most bodies that it may ask for. */
enum { CAROM_SCENE_FILE_MOST_BYTES = 32 * 1024 * 1024, CAROM_SCENE_FILE_MOST_BODIES = 1000000 };

/** What a file holds; the specification borrows from it. */
typedef struct carom_scene_file {
    carom_bodies_spec spec;
    char (*names)[CAROM_SCENE_FILE_NAME_SIZE]; /**< [body_count] */
    double *position; /**< [3 body_count] coordinates as carom_bodies has them: centres of mass;
                         in space [7 body_count] */
    double *velocity; /**< [3 body_count], in space [6 body_count] */
    double duration;  /**< s; NaN: not said */
    double step;      /**< s; NaN: not said */

    carom_planar_shape *bodies;
    carom_bodies_shape *shapes;
    double *points; /**< of the shapes */
    carom_bodies_joint *joints;
    carom_bodies_spring *springs;

    bool is_space;                 /**< `space` takes the place of `spec`, but for its body_count */
    carom_bodies_space_spec space; /**< borrows too */
    carom_bodies_mass *masses;
    carom_bodies_solid *solids;
} carom_scene_file;

/** The bodies of a file, in the plane or in space. As carom_bodies_alloc. */
CAROM_MUST_CHECK carom_status carom_scene_file_alloc_bodies(const carom_scene_file *file,
                                                            carom_bodies **out,
                                                            carom_report *report);

/**
 * Read a scene. One statement a line: its word, what it is about, and clauses in any order, each a
 * word with its numbers (docs/scene.md has all of it); `#` begins a comment. Metres, kilograms,
 * seconds, radians.
 *
 *     parameter NAME VALUE                             a number that may stand for one below
 *     gravity X Y                                      0 -9.81 if it is not said
 *     run [duration T] [step H]
 *     material NAME [friction MU] [restitution E]
 *     ground                                           shapes below are fixed to it
 *     body NAME [mass M] [inertia I] [at X Y] [angle A] [velocity X Y] [rate W]
 *          [repeat COLUMNS ROWS DX DY] [stagger S]     shapes below are fixed to it
 *     disc R | box W H | capsule R from X Y to X Y | segment from X Y to X Y | polygon X Y X Y ...
 *          [at X Y] [angle A] [material NAME] [belt V]
 *     half-plane at X Y normal X Y [material NAME] [belt V]
 *     revolute A B at X Y [stops LOW HIGH] [restitution E] [friction M] [touching]
 *     prismatic A B at X Y axis A [stops LOW HIGH] [restitution E] [friction F] [touching]
 *     fixed A B [touching]
 *     drive A B x|y|turn [at X Y] [speed B] [amplitude C] [frequency D] [phase E] [touching]
 *     spring A B from X Y to X Y stiffness K [damping C] [length L]
 *     torsion A B stiffness K [damping C] [angle L]
 *
 * A scene in space begins with `space`. Places, directions, velocities and gravity have three
 * numbers then, and its statements are
 *
 *     body NAME mass M [inertia X Y Z] [at X Y Z] [axis X Y Z angle A] [velocity X Y Z]
 *          [rate X Y Z] [repeat COLUMNS ROWS LAYERS DX DY DZ] [stagger S]
 *     sphere R [at X Y Z] | box A B C [at X Y Z] [axis X Y Z angle A] | capsule R from X Y Z to X Y
 * Z | half-space at X Y Z normal X Y Z, each with [material NAME]
 *
 * Places in joints and springs are those of the world at the start. What stands for something must
 * have been said above.
 *
 * @param[in]  path       of the file
 * @param[in]  parameters "NAME=VALUE,..." in place of what the file says; NULL: none
 * @param[out] out        belongs to the caller; NULL on failure
 * @param[out] defect     [CAROM_SCENE_FILE_DEFECT_SIZE] what is wrong, to be printed after the name
 * of the file and a colon ("line 4: ..."), "" if nothing; may be NULL
 * @return CAROM_OK; IO; BAD_FORMAT, also for what is no mechanism; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_scene_file_read(const char *path, const char *parameters,
                                                    carom_scene_file **out, char *defect);

/**
 * Read a scene from a text in memory, as carom_scene_file_read.
 *
 * @param[in]  text       [length] need not end with a zero
 * @param[in]  length     bytes
 * @param[in]  parameters as above
 * @param[out] out        belongs to the caller; NULL on failure
 * @param[out] defect     as above; may be NULL
 * @return CAROM_OK; BAD_FORMAT; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_scene_file_parse(const char *text, size_t length,
                                                     const char *parameters, carom_scene_file **out,
                                                     char *defect);

/** Whether a contact is possible: shapes of two bodies that no joint keeps apart, or a joint with
 * stops or friction. */
bool carom_scene_may_touch(const carom_scene_file *scene);

/** Free; NULL is accepted. */
void carom_scene_file_free(carom_scene_file *file);
CAROM_AUTO_TYPE(carom_scene_file)

#endif
