/** Roots of the impact equations and the motions that belong to them, curves of the determinants
 * and their crossings, as groups of a record. */
#ifndef CAROM_STUDY_COLLISIONLESS_RECORD_H
#define CAROM_STUDY_COLLISIONLESS_RECORD_H

#include <carom/collisionless/curves/determinant.h>
#include <carom/collisionless/motion/collisionless_motion.h>
#include <carom/collisionless/motion/spectral_motion.h>
#include <carom/collisionless/roots/impact_roots.h>
#include <carom/program/program.h>
#include <carom/record/record.h>

/** Units of what is recorded: lengths, or angles. */
typedef struct carom_collisionless_units {
    const char *position;     /**< "m" or "rad" */
    const char *velocity;     /**< "m s-1" */
    const char *acceleration; /**< "m s-2" */
    const char *force;        /**< "N" or "N m" */
    const char *inverse_mass; /**< "kg-1" or "kg-1 m-2" */
} carom_collisionless_units;

/** m, m s-1, m s-2, N, kg-1. */
carom_collisionless_units carom_collisionless_units_default(void);

/** What is written of a system. */
typedef struct carom_collisionless_record {
    carom_record *record;           /**< open */
    const carom_phase_modes *modes; /**< of the system */
    carom_motion_scale scale;       /**< what fixes the size of the motions; where a motion has no
                                       such quantity its amplitude does, and is 1 */
    double size;                    /**< its value */
    int samples;                    /**< instants of a trajectory from P to P', >= 4 */
    carom_collisionless_units units;
} carom_collisionless_record;

/** What decides between a root and a motion of a body. */
typedef struct carom_collisionless_realizability {
    int realizable;             /**< 1, 0, or -1 where bounds do not decide */
    double minimum_force_ratio; /**< least repulsive force over the static one; 0 at the impact */
    double minimum_gap;         /**< in the size of the motion; 0 at the impact */
} carom_collisionless_realizability;

/**
 * The motion of a root in the size of the system, or of amplitude 1 if it has none of that kind.
 *
 * @param[in]  self    system; nothing is written
 * @param[in]  root    its times
 * @param[out] motion  as of carom_collisionless_motion_compute
 * @param[out] report  may be NULL
 * @return what carom_collisionless_motion_compute returns
 */
CAROM_MUST_CHECK carom_status carom_collisionless_record_motion(
    const carom_collisionless_record *self, const carom_impact_root *root,
    carom_collisionless_motion **motion, carom_report *report);

/**
 * Whether the motion of a root is physically realizable.
 *
 * @param[in]  self    system; nothing is written
 * @param[in]  root    its times
 * @param[out] realizability -1 and NaN on failure
 * @param[out] report  may be NULL
 * @return what carom_collisionless_motion_compute returns
 */
CAROM_MUST_CHECK carom_status carom_collisionless_record_judge(
    const carom_collisionless_record *self, const carom_impact_root *root,
    carom_collisionless_realizability *realizability, carom_report *report);

/**
 * Write /roots and a group /solution_NN for every root: see the two functions below.
 *
 * @param[in]  self   system and record
 * @param[in]  roots  what was found; may be empty
 * @param[out] report of a motion that cannot be computed, with the group as context; may be NULL
 * @return CAROM_OK; what carom_collisionless_motion_compute returns; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_collisionless_record_write(
    const carom_collisionless_record *self, const carom_root_list *roots, carom_report *report);

/**
 * Write the list of roots below /roots: count, method, is_complete, boxes, undecided,
 * undecided_share and, if there are none, the reason as a text; below /undecided, if anything is,
 * where, over the axis `region`: least_time, largest_time, least_constrained_time,
 * largest_constrained_time, parts, share, is_searched; over the axis `root`: time,
 * constrained_time, column, row, residual, smallest_singular_value, the result of
 * carom_collisionless_record_judge: realizable, minimum_force_ratio, minimum_gap; and singular,
 * where a root is.
 *
 * @param[in]  self     system and record
 * @param[in]  roots    what was found
 * @param[in]  realizabilities [count] on each of them; NULL: judged here
 * @param[out] report   may be NULL
 * @return as carom_collisionless_record_write
 */
CAROM_MUST_CHECK carom_status carom_collisionless_record_roots(
    const carom_collisionless_record *self, const carom_root_list *roots,
    const carom_collisionless_realizability *realizabilities, carom_report *report);

/**
 * Write one motion below a group: spectrum, constrained_spectrum, amplitudes,
 * constrained_amplitudes (the paper's q, q'), impact_time, constrained_time, period, normalisation,
 * size_given_by, static_force, contact_level, contact_sign, energy, origin, and over the axis
 * `time` from P to P': position, velocity, acceleration, gap, force, force_ratio, phase (0
 * unconstrained, 1 constrained; the impact belongs to both and is written once, as 1).
 *
 * @param[in]     self   system and record
 * @param[in,out] group  "/solution_00"
 * @param[in]     root   its times
 * @param[out]    report may be NULL
 * @return as carom_collisionless_record_write
 */
CAROM_MUST_CHECK carom_status
carom_collisionless_record_solution(const carom_collisionless_record *self, carom_record *group,
                                    const carom_impact_root *root, carom_report *report);

/**
 * Write roots/phase and roots/constrained_phase over the axis roots/root, which stands there: the
 * impact phases o_N and o'_{N-1} of all roots.
 *
 * @param[in] record  record or group
 * @param[in] spectra of the roots
 * @param[in] roots   what was found; may be empty
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_collisionless_record_phases(carom_record *record,
                                                                const carom_phase_spectra *spectra,
                                                                const carom_root_list *roots);

/**
 * Write the curves of both determinants, one after the other with NaN after each, over the axis
 * `point` below curves/without_mode and curves/without_force; a family without curves is left out.
 *
 * @param[in] record        record or group
 * @param[in] spectra       of the curves
 * @param[in] curves        from carom_determinant_curves_trace
 * @param[in] is_over_times time and constrained_time; otherwise phase and constrained_phase
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status
carom_collisionless_record_curves(carom_record *record, const carom_phase_spectra *spectra,
                                  const carom_determinant_curves *curves, bool is_over_times);

/**
 * Find the crossings of the curves, the paper's way to all roots, and write crossings/count and,
 * over the axis crossings/crossing: time, constrained_time, smallest_singular_value, spurious,
 * root_distance from the nearest root.
 *
 * @param[in]  record  record or group
 * @param[in]  spectra of the roots
 * @param[in]  window  where to look
 * @param[in]  roots   in this window
 * @param[out] report  may be NULL
 * @return what carom_determinant_crossings_find returns; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_collisionless_record_crossings(
    carom_record *record, const carom_phase_spectra *spectra,
    const carom_impact_phase_window *window, const carom_root_list *roots, carom_report *report);

/** What a program ends with whose roots are in its record. */
extern const carom_table carom_collisionless_tables[1];

#endif
