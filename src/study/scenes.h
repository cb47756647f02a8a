/** Scenes of bodies: pictures of them in a record, and the frame of an experiment that samples the
 * outcomes of one impact. */
#ifndef CAROM_STUDY_SCENES_H
#define CAROM_STUDY_SCENES_H

#include <carom/drawing/geometry.h>
#include <carom/mechanism/planar_tree.h>
#include <carom/models/model.h>
#include <carom/record/record.h>
#include <carom/study/impacts.h>

/* ------------------------------------------------------------------------------------- pictures */
/* Outlines of planar trees to scale, and velocities of their points. */

/** A line, or a few points, fixed to a body. */
typedef struct carom_scene_line {
    const char *name;     /**< of its group in a record */
    int body;             /**< index in the tree; -1: the ground */
    int count;            /**< points, >= 1 */
    const double *points; /**< [count][2] in the frame of the body, m */
} carom_scene_line;

/**
 * Write a line as GROUP/NAME/{x, y} over GROUP/NAME/point: its points in the world, m.
 *
 * @param[in,out] record open record
 * @param[in]     group  "/drawing"
 * @param[in]     tree   the tree
 * @param[in]     q      [n]
 * @param[in]     line   to be drawn
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_scene_record_line(carom_record *record, const char *group,
                                                      const carom_planar_tree *tree,
                                                      const double *q,
                                                      const carom_scene_line *line);

/** The same with the velocities of the points at v [n]: also GROUP/NAME/{dx, dy}, m/s. */
CAROM_MUST_CHECK carom_status carom_scene_record_velocities(carom_record *record, const char *group,
                                                            const carom_planar_tree *tree,
                                                            const double *q, const double *v,
                                                            const carom_scene_line *line);

/** Points of a closed circle. */
enum { CAROM_SCENE_CIRCLE_POINTS = 97 };

/**
 * Write an impact as a motion: time and position over it, 0.1 s up to the impact by the velocity
 * before it, and 0.1 s on from it by that after it, as if nothing else changed them.
 *
 * @param[in,out] group    of the motion
 * @param[in]     n        coordinates
 * @param[in]     position [n] at the impact
 * @param[in]     before   [n]
 * @param[in]     after    [n]; NULL: there is none, and it ends with the impact
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_scene_record_passage(carom_record *group, int n,
                                                         const double *position,
                                                         const double *before, const double *after);

/** A circle about (x, y) in the frame of a body, first point repeated, points
 * [CAROM_SCENE_CIRCLE_POINTS][2]. */
void carom_scene_circle(double x, double y, double radius, double *points);

/** A rectangle about the origin of a body, first corner (the lower left) repeated, points [5][2].
 */
void carom_scene_rectangle(double width, double height, double *points);

/* ---------------------------------------------------------------------------------- experiments */
/* The driver says how options make the scene, what is drawn and what else is recorded. */

/** First member of the struct of an experiment's settings. */
typedef struct carom_scene_settings {
    const struct carom_scene_experiment *experiment; /**< whose settings these are */
    carom_impact_options sampling;                   /**< a NaN impulse step: from the published */
} carom_scene_settings;

/** What came of the laws, for a driver to draw, measure and write. */
typedef struct carom_scene_run {
    const carom_scene_settings *settings; /**< of the options */
    const carom_impact_scene *scene;
    const carom_impact_study *study; /**< with the problem, its record, seed and threads */
    carom_impact_study_results results;
    carom_report *report;
    carom_geometry *geometry; /**< of what is drawn */
} carom_scene_run;

/** Planes that a scene may have. */
enum { CAROM_SCENE_MOST_PLANES = 8 };

/** An experiment. Its settings begin with a carom_scene_settings. */
typedef struct carom_scene_experiment {
    carom_program program;
    const carom_scene_settings *published; /**< settings of the paper */
    double published_step;                 /**< their impulse step, N s */
    int plane_count;                       /**< planes of contact space that are drawn, at most
                                                CAROM_SCENE_MOST_PLANES */
    const carom_plane *planes;             /**< [plane_count]; NaN limits: from the paths */
    int pilot_samples;                     /**< for their limits, see carom_impact_study; 0: few */
    /** Fill planes [plane_count] that depend on the settings; NULL: those above. */
    void (*list_planes)(const carom_scene_settings *settings, carom_plane *planes);
    /** Make the scene that settings describe, or refuse them. */
    carom_status (*build)(const carom_scene_settings *settings, carom_impact_scene **scene,
                          carom_report *report);
    /** Make its impact problem; NULL: carom_impact_problem_of_scene. */
    carom_status (*pose)(const carom_scene_settings *settings, const carom_impact_scene *scene,
                         carom_impact_problem **problem, carom_report *report);
    /** Refuse options before anything is computed; NULL: carom_scene_experiment_check. */
    carom_experiment_check check;
    /** Draw, measure and write what the laws alone do not. */
    carom_status (*finish)(carom_scene_run *run);
    /** Look at the next samples of the set, which come in parts and are not kept; the laws before
     * them are in the results. NULL: there is nothing to see. */
    carom_status (*watch)(carom_scene_run *run, const carom_impact_samples *part);
    void *watched;       /**< what `watch` has seen, for `finish`; of the driver */
    bool watch_has_maps; /**< carom_sample_listener.has_maps */
} carom_scene_experiment;

/** Refuse what the options cannot see one by one: what `build` and carom_impact_options_check do;
 * and scale what was not given by carom_impact_options_scale. */
CAROM_MUST_CHECK carom_status carom_scene_experiment_check(void *settings, carom_report *report);

/**
 * main of such an experiment: carom_experiment_main with carom_impact_study_run, then `finish`.
 *
 * @param[in]     self     the experiment
 * @param[in]     argc     of main
 * @param[in]     argv     of main
 * @param[in,out] settings with the defaults
 * @return the exit status of the process
 */
int carom_scene_experiment_main(const carom_scene_experiment *self, int argc, char **argv,
                                carom_scene_settings *settings);

/** The coefficients of the scene's impact, borrowed. */
const carom_impact_problem *carom_scene_run_problem(const carom_scene_run *run);

/** Where a run is recorded. */
carom_record *carom_scene_run_record(const carom_scene_run *run);

/** Draw bodies and ground, [count] lines, as /drawing/NAME; and in the motions that animate draws,
 * /around_impact/simultaneous_K: by the velocities before the impact and after each solution. */
CAROM_MUST_CHECK carom_status carom_scene_run_draw(const carom_scene_run *run, int count,
                                                   const carom_scene_line *lines);

/** Velocities of the points of [count] lines before the impact: /drawing/before_NAME, or without
 * _NAME for a line whose name is "". */
CAROM_MUST_CHECK carom_status carom_scene_run_draw_before(const carom_scene_run *run, int count,
                                                          const carom_scene_line *lines);

/** The same after each solution of the simultaneous law: /drawing/simultaneous_0_NAME. */
CAROM_MUST_CHECK carom_status carom_scene_run_draw_solutions(const carom_scene_run *run, int count,
                                                             const carom_scene_line *lines);

/** The same after each stage of the sequences: /drawing/A_first_0_NAME. */
CAROM_MUST_CHECK carom_status carom_scene_run_draw_stages(const carom_scene_run *run, int count,
                                                          const carom_scene_line *lines);

#endif
