/** What the parts of the tool share: options, and the system that follows from them. */
#ifndef CAROM_EXPERIMENTS_COLLISIONLESS_RESULTS_H
#define CAROM_EXPERIMENTS_COLLISIONLESS_RESULTS_H

#include <carom/carom.h>

/** Everything that options set, and the system that follows from it. */
typedef struct settings {
    carom_real_matrix mass; /**< any system */
    carom_real_matrix stiffness;
    int contact_coordinate;               /**< of its coordinates, from 1; 0: the last */
    carom_real_list spectrum;             /**< or two spectra */
    carom_real_list constrained_spectrum; /**< of one entry less */
    double inverse_mass;                  /**< of the system with these spectra, 1/kg; NaN: 1 */

    const char *parity;             /**< "even", "odd", or one word for each mode; NULL: even */
    const char *constrained_parity; /**< likewise; NULL: odd, even for the picture */

    double min_time; /**< the box of impact times, s; NaN: of the other phase, or by frequency */
    double max_time;
    double min_constrained_time;
    double max_constrained_time;
    double static_force;  /**< size of the motions, N; NaN: 1 if no contact level is given */
    double contact_level; /**< m; NaN: by the static force */

    int max_boxes;        /**< of the subdivision */
    bool use_subdivision; /**< even where cells apply */
    int samples;          /**< instants of a motion from P to P' */
    int max_solutions;    /**< motions written */
    bool has_curves;      /**< trace the curves of the two determinants */

    bool is_picture;           /**< no system was given: the picture of the document */
    int *order;                /**< [n] coordinates as they were given, from 1, the contact last */
    double *ordered_mass;      /**< [n][n] m in this order */
    double *ordered_stiffness; /**< [n][n] k in this order */
    carom_phase_modes *modes;  /**< made by collisionless_check, freed by collisionless_clear */
} settings;

/** Refuse options that do not fit together; make the system, its modes, and every default
 * that depends on them. */
CAROM_MUST_CHECK carom_status collisionless_check(settings *values, carom_report *report);

/** Free what collisionless_check made. */
void collisionless_clear(settings *values);

/** Write /system: matrices, spectra, parities. */
CAROM_MUST_CHECK carom_status collisionless_write_system(const settings *values,
                                                         carom_record *record);

/** Whether the grid of the determinants' curves resolves the box, so that their crossings can be
 * looked for: it is at most four times as long and as high as the default one. */
bool collisionless_has_fine_grid(const settings *values);

#endif
