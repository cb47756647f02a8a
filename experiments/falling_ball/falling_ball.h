/** What the ball and the rod share: options, and the rod's part of the record. */
#ifndef CAROM_EXPERIMENTS_FALLING_BALL_H
#define CAROM_EXPERIMENTS_FALLING_BALL_H

#include <carom/carom.h>

#include <carom/base/vector.h>
#include <carom/study/scenes.h>
#include <carom/timestepping/inclusion/inclusion.h>

#include <math.h>

/** Number of entries of an array. */
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/** Coordinates (x, y, theta) of ball and rod. */
enum { COORDINATES = 3 };

/** A uniform rod that stands on one end. */
typedef struct rod_params {
    double mass;            /**< kg */
    double length;          /**< m */
    double angle;           /**< above the ground, deg */
    double friction;        /**< 1 */
    double velocity;        /**< of all its points along the ground, m/s */
    double reference_force; /**< kappa, N */
} rod_params;

/** Everything that options set. */
typedef struct settings {
    carom_falling_disk_params ball;
    rod_params rod;
    double step; /**< ds of the finest run, s */
    double rest; /**< s */
} settings;

/**
 * Painleve's rod slides on one end without colliding, and friction may press that end into the
 * ground: /rod, paths only if it does.
 *
 * @return CAROM_OK; as carom_inclusion_run; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status falling_ball_study_rod(const settings *values, carom_record *record,
                                                     carom_report *report);

#endif
