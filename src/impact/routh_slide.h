/** The sliding phase of Routh's impact in space, inside its integration. */
#ifndef CAROM_IMPACT_ROUTH_SLIDE_H
#define CAROM_IMPACT_ROUTH_SLIDE_H

#include <carom/impact/routh.h>

/** Sliding v_t = rho u, and the impulse that led there. */
typedef struct carom_routh_slide {
    double u[2];       /**< direction, |u| = 1 */
    double rho;        /**< |v_t|, m/s */
    double impulse[3]; /**< (s, L_1, L_2), N s */
} carom_routh_slide;

/** What ends a phase of sliding. */
typedef enum carom_routh_slide_end {
    CAROM_ROUTH_SLIDE_AT_REST,   /**< v_t = 0 */
    CAROM_ROUTH_SLIDE_SEPARATED, /**< v_n = 0 */
    CAROM_ROUTH_SLIDE_ENDLESS    /**< neither */
} carom_routh_slide_end;

/** A sliding speed or a rate that is rounding of its terms, relative to them. */
#define CAROM_ROUTH_SLIDE_ROUNDING 8.9e-16

/** dv_n/ds while the contact slides along u [2], 1/kg. */
double carom_routh_slide_normal_rate(const carom_routh_spatial_contact *contact, const double *u);

/** speed = before + C impulse; all [3]. */
void carom_routh_slide_speeds(const carom_routh_spatial_contact *contact, const double *before,
                              const double *impulse, double *speed);

/**
 * Slide until v_n = 0 or v_t = 0.
 *
 * @param[in]     contact the contact
 * @param[in]     c       [3] speeds at the start of the impact, v_n <= 0, v_t not 0
 * @param[in,out] at      starts with v_t and no impulse
 * @param[out]    steps   taken; -1: too many
 * @return what has ended it
 */
carom_routh_slide_end carom_routh_slide_follow(const carom_routh_spatial_contact *contact,
                                               const double *c, carom_routh_slide *at, int *steps);

#endif
