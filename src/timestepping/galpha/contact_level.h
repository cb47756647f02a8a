/** Joints and contacts of a step at one level - positions or velocities - and their contact
 * problem.
 */
#ifndef CAROM_TIMESTEPPING_GALPHA_CONTACT_LEVEL_H
#define CAROM_TIMESTEPPING_GALPHA_CONTACT_LEVEL_H

#include <carom/base/linear_algebra.h>
#include <carom/contact/contact.h>
#include <carom/timestepping/galpha/internal.h>

/** A factor that is kept as long as its matrix has the same bits. */
typedef struct carom_kept_factor {
    carom_factor *factor;
    double *matrix; /**< [layout], owned by who made it */
    bool is_made;
} carom_kept_factor;

/** Factor A. @return CAROM_OK; SINGULAR; NOT_FINITE */
CAROM_MUST_CHECK carom_status carom_kept_factor_compute(carom_kept_factor *kept,
                                                        carom_layout layout, const double *A);

typedef struct carom_contact_level carom_contact_level;

/** Gather the rows of a level, with how they change where `is_curved`. */
typedef void (*carom_contact_gather)(void *self, carom_contact_level *level, bool is_curved);

/**
 * Rows G x + s of joints, then of contacts, each normal with its tangents, and the impulses r that
 * act in them: S (x - x_free) = G' r. Memory follows the entries of the rows.
 */
struct carom_contact_level {
    carom_step_context *step;
    carom_contact_gather gather;
    void *self;             /**< of whose scheme */
    int tangents;           /**< t of a contact; 0: nothing rubs at this level */
    bool may_rest;          /**< its contacts restitute, and may rest instead */
    bool is_polished;       /**< solved on towards rounding, not to the tolerance */
    int joints;             /**< gathered */
    int contacts;           /**< gathered */
    int rows;               /**< of both */
    bool changes;           /**< a row gathered changes with x */
    int *member;            /**< [row_count] row of the evaluation */
    int *row_start;         /**< [row_count+1] */
    int *row_column;        /**< [entries] */
    double *value;          /**< [entries] G */
    double *rate;           /**< [entries] G with how it changes */
    double *supports;       /**< [row_count] s */
    double *friction;       /**< [n_u] */
    double *r;              /**< [row_count] */
    double *polished;       /**< [row_count] */
    const double *S;        /**< [layout], borrowed for a solution */
    const double *x_free;   /**< [n] likewise */
    double kept;            /**< residual that polishing did not lower; 0 if it did */
    double part;            /**< of the tolerance in this iteration */
    int failures;           /**< problems of this step that no effort solved */
    bool is_plain;          /**< the problems of this step leave out how its rows change */
    double failed_residual; /**< of the last of those failures */
    int *ints;
    double *doubles;
    carom_contact_assembly *assembly;
    carom_contact_solver *solver;
};

/** @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_contact_level_init(carom_contact_level *level,
                                                       carom_step_context *step, int tangents,
                                                       carom_contact_gather gather, void *self);

/** Free; a zeroed level is accepted. */
void carom_contact_level_clear(carom_contact_level *level);

/** Begin the iteration of a step. */
void carom_contact_level_begin(carom_contact_level *level);

/**
 * Row j of the evaluation behind those gathered, to be called by `gather`: joints, then contacts,
 * each normal with its tangents.
 *
 * @param[in] support  s
 * @param[in] impulse  to start from
 * @param[in] change   0, or the factor of d(G x)/dq in how the row changes with x, of the rates of
 *                     the evaluation
 * @param[in] x        [n] where they are taken
 */
void carom_contact_level_append(carom_contact_level *level, int j, double support, double impulse,
                                double change, const double *x);

/**
 * Gather the rows and find their impulses from those appended. Where there is no solution to some
 * effort, contacts that pressed in the last step too rest.
 *
 * @param[in,out] level     its r is the solution
 * @param[in]     S         [layout] regular
 * @param[in]     x_free    [n] without impulses
 * @param[in]     is_curved rows change
 * @param[in]     tolerance of the step, which the problem is solved to a tenth of, and to a tenth
 *                          of that in each further iteration
 * @param[out]    contact   where there is no solution; else untouched
 * @return CAROM_OK; RAY, SINGULAR, NOT_FINITE; OUT_OF_MEMORY; NOT_CONVERGED: impulses run away from
 * a problem without solution, or rows are held and it is asked again for what it did not find
 */
CAROM_MUST_CHECK carom_status carom_contact_level_solve(carom_contact_level *level, const double *S,
                                                        const double *x_free, bool is_curved,
                                                        double tolerance, int *contact);

/** y [n] += G' r. */
void carom_contact_level_add_reactions(const carom_contact_level *level, double *y);

#endif
