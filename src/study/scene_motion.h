/** A scene moved in time into a record: poses, impacts, energies, outlines. */
#ifndef CAROM_STUDY_SCENE_MOTION_H
#define CAROM_STUDY_SCENE_MOTION_H

#include <carom/base/workers.h>
#include <carom/record/record.h>
#include <carom/study/scene_file.h>
#include <carom/timestepping/galpha/galpha.h>

/** How it is moved. */
typedef struct carom_scene_motion_params {
    carom_stepper_params stepper;
    double duration;    /**< s */
    int frames;         /**< poses that are recorded, about; all steps if there are fewer; >= 2 */
    bool keeps_partial; /**< what was computed before a failure is recorded */
    carom_work_exchange *exchange; /**< where a checkpoint keeps the motion part by part; borrowed;
                                        NULL: nowhere */
} carom_scene_motion_params;

/** Of a scheme, which stops contacts before they penetrate (CAROM_PREDICTOR_NEXT_STEP), with theta
 * 1/2, which keeps the energy of what is smooth, and predicted rows where it has them; 501 poses of
 * a second, by steps of a millisecond. */
carom_scene_motion_params carom_scene_motion_params_default(carom_scheme scheme);

/** What it came to. */
typedef struct carom_scene_motion_result {
    int steps;               /**< taken */
    int most_contacts;       /**< near each other at once */
    int impacts;             /**< contacts that press and did not in the step before */
    double initial_energy;   /**< J */
    double final_energy;     /**< J */
    double friction_loss;    /**< J */
    double impact_loss;      /**< taken by normal impulses, J */
    double support_work;     /**< done by drives and belts, J */
    double damping_loss;     /**< J */
    double scheme_loss;      /**< of moreau-jean, which holds joints by speeds and takes forces as
                                straight      within a step, J */
    double smallest_gap;     /**< m; infinite: no contact ever */
    double largest_residual; /**< 1 */
    carom_status outcome;    /**< of the motion, where a failure is kept */
} carom_scene_motion_result;

/**
 * Refuse shapes that overlap where they start, by the names of their bodies and their depth.
 *
 * @return CAROM_OK; PENETRATION; as carom_bodies_alloc
 */
CAROM_MUST_CHECK carom_status carom_scene_check_overlap(const carom_scene_file *scene,
                                                        carom_report *report);

/**
 * Move a scene and record it: /geometry (carom_geometry_record_outlines), the group of the scheme
 * with time, poses, energy and contacts, its impacts, and /measures.
 *
 * @param[in]     scene    as read
 * @param[in]     params   step, scheme, duration
 * @param[in]     progress may be NULL
 * @param[in]     context  handed to progress
 * @param[in,out] record   open record
 * @param[out]    result   may be NULL
 * @param[out]    report   of a step with no solution: time, bodies, residual
 * @return CAROM_OK; BAD_FORMAT: speeds that a joint does not let; as the stepper; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_scene_motion_run(const carom_scene_file *scene,
                                                     const carom_scene_motion_params *params,
                                                     carom_trajectory_progress progress,
                                                     void *context, carom_record *record,
                                                     carom_scene_motion_result *result,
                                                     carom_report *report);

/* -------------------------------------------------------------------------------------- outlines
 */

/** Write the outlines of a scene about the centres of mass of its bodies: carom_bodies' poses. */
CAROM_MUST_CHECK carom_status carom_scene_record_outlines(const carom_scene_file *scene,
                                                          carom_record *record);

#endif
