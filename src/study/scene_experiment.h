/** The frame of an experiment that samples the outcomes of one impact of a scene: the driver says
 * how options make the scene, what is drawn and what else is recorded. */
#ifndef CAROM_STUDY_SCENE_EXPERIMENT_H
#define CAROM_STUDY_SCENE_EXPERIMENT_H

#include <carom/models/model.h>
#include <carom/study/impact_options.h>
#include <carom/study/impact_study.h>
#include <carom/study/scene_record.h>

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

/** Draw bodies and ground, [count] lines, as /drawing/NAME. */
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
