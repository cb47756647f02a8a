/** Internal: where the energy of a scene goes, step by step. */
#ifndef CAROM_STUDY_SCENE_ACCOUNTS_H
#define CAROM_STUDY_SCENE_ACCOUNTS_H

#include <carom/study/scene_motion.h>

/** What a step is compared with, and room for its rows. */
typedef struct carom_scene_accounts {
    const carom_mechanism *mechanism;
    double step;
    double theta;
    double *last_velocity; /**< [n] */
    double *last_force;    /**< [n] at the last instant */
    double *last_damping;  /**< [n] C v there */
    double *last_supports; /**< [rows] w there; of joints */
    double last_potential; /**< J */
    double *change;        /**< [n] of the velocity in the step */
    double *force;         /**< [n] */
    double *damping;       /**< [n] */
    double *supports;      /**< [rows] */
    double *matrix;        /**< [layout] C */
    double *normal;        /**< entries of G */
    double *tangential;    /**< entries of H */
    double *work;          /**< of the kinetic energy */
} carom_scene_accounts;

/** Room for a mechanism. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_scene_accounts_init(carom_scene_accounts *accounts,
                                                        const carom_mechanism *mechanism,
                                                        const carom_stepper_params *params);

/** Free what it has. */
void carom_scene_accounts_clear(carom_scene_accounts *accounts);

/** Kinetic and potential energy, J. */
double carom_scene_accounts_energy(carom_scene_accounts *accounts, const carom_step *step);

/** Begin with a state. */
void carom_scene_accounts_start(carom_scene_accounts *accounts, const carom_step *start);

/**
 * What a step took, by the mean of the speeds before and after: friction, normal impulses, dampers,
 * supports and the scheme, which holds joints by speeds and takes forces as straight between the
 * ends of the step.
 */
void carom_scene_accounts_add(carom_scene_accounts *accounts, const carom_step *step,
                              carom_scene_motion_result *result);

/** Speed of a row of constraints before the step that was added last, m/s. */
double carom_scene_accounts_speed_before(const carom_scene_accounts *accounts,
                                         const carom_step *step, int row);

#endif
