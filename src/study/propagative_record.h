/** The layout of the propagative model in a record: its outcomes, their sequences, its bounds. */
#ifndef CAROM_STUDY_PROPAGATIVE_RECORD_H
#define CAROM_STUDY_PROPAGATIVE_RECORD_H

#include <carom/impact/propagative_impact.h>
#include <carom/program/program.h>
#include <carom/study/impacts.h>

/** Outcomes that are written: HDF5 lists what belongs to an axis, at most 4096 data sets. */
enum { CAROM_PROPAGATIVE_MOST_WRITTEN = 1024 };

/**
 * One instant and the group that it is written to, axes included, so that a record may hold many.
 * For a model, carom_impact_problem_of_mechanism at (q, v) or carom_impact_problem_of_scene makes
 * the problem, carom_propagative_contacts_of_problem its contacts. All is borrowed.
 */
typedef struct carom_propagative_record {
    carom_impact_record target;                 /**< record, problem, names of contacts or NULL */
    carom_record group;                         /**< "/propagative" */
    const carom_propagative_contacts *contacts; /**< of the problem */
} carom_propagative_record;

/** Names A, B, ... R of (16) is the restitution of the problem's contacts, one for all: with R < 1
 * outcomes are mixed with the plastic impact of all contacts, (17). */
carom_propagative_record carom_propagative_record_of(carom_record *record, const char *group,
                                                     const carom_impact_problem *problem,
                                                     const carom_propagative_contacts *contacts);

/**
 * Write all outcomes into the group:
 *
 * - count, is_unique (1: one outcome; with R = 0 it is the plastic impact), sequence_count (of all,
 *   listed or not), momentum_count, indeterminacy (xi of the elastic outcomes; R times as large
 *   after mixing), restitution, plastic_loss (E_p, J);
 * - what carom_propagative_record_contacts writes;
 * - for each outcome of the first CAROM_PROPAGATIVE_MOST_WRITTEN, outcome_00 and so on, with its
 *   shortest sequence (of several the first):
 *   velocity and momentum (coordinate; v+ and p+ = v+' M), normal_velocity, impulse (contact;
 *   total), kinetic_energy, energy_change, length, sequence (step; contacts in order), step_impulse
 *   (step; of the elastic reflections) and names ("A B A"), the last three left out if length is
 *   0; sequence_count (how many lead there), longest, minimality (of the shortest sequence: 0 no, 1
 *   yes, 2 not tested or not listed), minimal_count;
 * - of those listed, sequences/{length, begin, outcome, minimality} (sequence) and
 * sequences/contact (step), where begin says at which step a sequence begins; contact is left out
 * if no contact approaches.
 *
 * @param[in] self     as above
 * @param[in] outcomes of carom_propagative_outcomes_find for these contacts, c- and energy
 * @return CAROM_OK; NOT_CONVERGED, NOT_FINITE: the plastic impact;
 * OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_propagative_record_outcomes(
    const carom_propagative_record *self, const carom_propagative_outcomes *outcomes);

/**
 * Write one impact, the sequence of one rule, into the group: what
 * carom_propagative_record_contacts writes; restitution; plastic_loss (NaN if R = 1); residual;
 * energy_error; and outcome_00 as above, without sequence_count, longest, minimality and
 * minimal_count. The problem has the restitution of the run.
 *
 * @param[in] self   as above
 * @param[in] impact of carom_propagative_impact_run for these contacts
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_propagative_record_impact(
    const carom_propagative_record *self, const carom_propagative_impact *impact);

/**
 * Write what holds before any sequence, which both functions above do too: the axes contact and
 * coordinate; before/{velocity, momentum, normal_velocity, kinetic_energy, names}; normal_length
 * (contact; |u_i|), separation, is_unique_always (1: by their cosines all momenta have one
 * outcome); and with two or more contacts pairs/{first, second, cosine, half_opening, wedge_count,
 * paper_bound, longest, longest_minimal, order, reflections_first, reflections_second} (pair; the
 * last two: exact numbers of reflections of the two contacts alone, by which of them is first).
 *
 * @param[in] self as above
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status
carom_propagative_record_contacts(const carom_propagative_record *self);

/** What a program ends with whose outcomes stand in its record itself. */
extern const carom_table carom_propagative_tables[1];

#endif
