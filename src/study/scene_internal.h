/** Internal: statements of a scene file, and what they make. */
#ifndef CAROM_STUDY_SCENE_INTERNAL_H
#define CAROM_STUDY_SCENE_INTERNAL_H

#include <carom/study/scene_file.h>

#include <stdbool.h>

/* ------------------------------------------------------------------------------------ statements
 */

/** Statements, as numbers. */
typedef enum carom_scene_word {
    CAROM_SCENE_SPACE,
    CAROM_SCENE_PARAMETER,
    CAROM_SCENE_GRAVITY,
    CAROM_SCENE_RUN,
    CAROM_SCENE_MATERIAL,
    CAROM_SCENE_GROUND,
    CAROM_SCENE_BODY,
    CAROM_SCENE_DISC,
    CAROM_SCENE_BOX,
    CAROM_SCENE_CAPSULE,
    CAROM_SCENE_SEGMENT,
    CAROM_SCENE_POLYGON,
    CAROM_SCENE_HALF_PLANE,
    CAROM_SCENE_SPHERE,
    CAROM_SCENE_HALF_SPACE,
    CAROM_SCENE_REVOLUTE,
    CAROM_SCENE_FIXED,
    CAROM_SCENE_PRISMATIC,
    CAROM_SCENE_DRIVE,
    CAROM_SCENE_SPRING,
    CAROM_SCENE_TORSION,
    CAROM_SCENE_WORD_COUNT
} carom_scene_word;

/** Clauses of all statements, as numbers. */
typedef enum carom_scene_clause {
    CAROM_CLAUSE_DURATION,
    CAROM_CLAUSE_STEP,
    CAROM_CLAUSE_FRICTION,
    CAROM_CLAUSE_RESTITUTION,
    CAROM_CLAUSE_MASS,
    CAROM_CLAUSE_INERTIA,
    CAROM_CLAUSE_AT,
    CAROM_CLAUSE_ANGLE,
    CAROM_CLAUSE_VELOCITY,
    CAROM_CLAUSE_RATE,
    CAROM_CLAUSE_REPEAT,
    CAROM_CLAUSE_STAGGER,
    CAROM_CLAUSE_MATERIAL,
    CAROM_CLAUSE_BELT,
    CAROM_CLAUSE_FROM,
    CAROM_CLAUSE_TO,
    CAROM_CLAUSE_NORMAL,
    CAROM_CLAUSE_AXIS,
    CAROM_CLAUSE_SPEED,
    CAROM_CLAUSE_AMPLITUDE,
    CAROM_CLAUSE_FREQUENCY,
    CAROM_CLAUSE_PHASE,
    CAROM_CLAUSE_STIFFNESS,
    CAROM_CLAUSE_DAMPING,
    CAROM_CLAUSE_LENGTH,
    CAROM_CLAUSE_TOUCHING,
    CAROM_CLAUSE_STOPS,
    CAROM_CLAUSE_COUNT
} carom_scene_clause;

/** Most numbers of a clause, words of a statement, and corners of a polygon. */
enum { CAROM_CLAUSE_NUMBERS = 6, CAROM_SCENE_WORDS = 3, CAROM_SCENE_CORNERS = 256 };

/** One line, taken apart. */
typedef struct carom_scene_statement {
    carom_scene_word word;
    const char *names[CAROM_SCENE_WORDS]; /**< what it is about */
    int count;                            /**< of numbers before the clauses */
    double numbers[2 * CAROM_SCENE_CORNERS];
    bool has[CAROM_CLAUSE_COUNT];
    double values[CAROM_CLAUSE_COUNT][CAROM_CLAUSE_NUMBERS];
    const char *material; /**< of that clause */
} carom_scene_statement;

/** A number with a name. */
typedef struct carom_scene_parameter {
    char name[CAROM_SCENE_FILE_NAME_SIZE];
    double value;
    bool is_given;  /**< by the caller, in place of what the file says */
    bool is_stated; /**< in the file */
} carom_scene_parameter;

enum { CAROM_SCENE_MOST_PARAMETERS = 64, CAROM_SCENE_MOST_MATERIALS = 64 };

/** Coefficients with a name. */
typedef struct carom_scene_material {
    char name[CAROM_SCENE_FILE_NAME_SIZE];
    double friction;
    double restitution;
} carom_scene_material;

/** A scene while it is read. */
typedef struct carom_scene_reader {
    char *defect;
    int line;
    int parameter_count;
    carom_scene_parameter parameters[CAROM_SCENE_MOST_PARAMETERS];
    int material_count;
    carom_scene_material materials[CAROM_SCENE_MOST_MATERIALS];
    carom_scene_statement statement; /**< of the line */
    carom_scene_file *file;
    int shape_room;
    int body_room;
    int joint_room;
    int spring_room;
    size_t point_count;
    size_t point_room;

    /* the body whose shapes are read */
    bool has_owner; /**< a body or the ground was begun */
    int owner;      /**< its first copy; CAROM_BODIES_GROUND */
    int copies;
    int first_shape; /**< of its first copy */
    int owner_line;
    double mass;
    double inertia[3]; /**< NaN: by the shapes; in the plane one number */
    double pose[3];    /**< x, y and the angle, in space x, y, z */
    double turn[4];    /**< in space */
    double velocity[3];
    double rate[3]; /**< in space, by the axes of the world */
    double repeat[CAROM_CLAUSE_NUMBERS];
    double stagger;

    bool has_gravity; /**< it was stated */
    bool has_begun;   /**< something but parameters was stated */
} carom_scene_reader;

/** Say what is wrong, in printable characters. @return BAD_FORMAT */
CAROM_PRINTF(2, 3)
carom_status carom_scene_fail(const carom_scene_reader *reader, const char *format, ...);

/** The word of a statement. */
const char *carom_scene_word_text(carom_scene_word word);

/**
 * Take one line apart, cut in place: its statement, names and numbers, clauses with theirs.
 *
 * @param[out] is_empty nothing but blanks and a comment
 */
CAROM_MUST_CHECK carom_status carom_scene_take_line(carom_scene_reader *reader, char *line,
                                                    bool *is_empty);

/** Take "NAME=VALUE,..." as parameters that are given. */
CAROM_MUST_CHECK carom_status carom_scene_take_parameters(carom_scene_reader *reader,
                                                          const char *text);

/** State a parameter, which keeps the value that was given. */
CAROM_MUST_CHECK carom_status carom_scene_state_parameter(carom_scene_reader *reader);

/* ---------------------------------------------------------------------------------------- bodies
 */

/** Begin a body, or the ground. */
CAROM_MUST_CHECK carom_status carom_scene_begin_body(carom_scene_reader *reader);

/** Add a shape to it. */
CAROM_MUST_CHECK carom_status carom_scene_add_shape(carom_scene_reader *reader);

/** The body is complete: its mass, and its copies. */
CAROM_MUST_CHECK carom_status carom_scene_end_body(carom_scene_reader *reader);

/** The materials that a shape has by its statement. */
CAROM_MUST_CHECK carom_status carom_scene_find_material(const carom_scene_reader *reader,
                                                        double *friction, double *restitution);

/** Say what of a shape was refused. @return BAD_FORMAT */
carom_status carom_scene_fail_shape(const carom_scene_reader *reader, const carom_report *report);

/** In space: add a solid to the body, and complete it. */
CAROM_MUST_CHECK carom_status carom_scene_add_solid(carom_scene_reader *reader);
CAROM_MUST_CHECK carom_status carom_scene_begin_in_space(carom_scene_reader *reader);
CAROM_MUST_CHECK carom_status carom_scene_end_in_space(carom_scene_reader *reader);

/** Add a joint, a spring, or one between angles. */
CAROM_MUST_CHECK carom_status carom_scene_add_joint(carom_scene_reader *reader);
CAROM_MUST_CHECK carom_status carom_scene_add_torsion(carom_scene_reader *reader);
CAROM_MUST_CHECK carom_status carom_scene_add_spring(carom_scene_reader *reader);

/**
 * An array with room for `more` items behind `count`: where it is now.
 * @return NULL if there is no memory, which is said; the array is as before
 */
void *carom_scene_grow(const carom_scene_reader *reader, void *items, int count, int more,
                       int *room, size_t size);

#endif
