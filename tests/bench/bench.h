/**
 * One table of costs: rows measured as medians over batches, each beside a control of fixed work,
 * printed and written as JSON.
 */
#ifndef CAROM_TESTS_BENCH_H
#define CAROM_TESTS_BENCH_H

#include <carom/contact/contact.h>

#include <stdbool.h>

/** What a cost is given in. */
typedef struct bench_unit {
    const char *name;
    double factor; /**< units in a second */
    bool is_rate;  /**< the number grows as the cost falls: a target is a least value */
    bool is_ratio; /**< batches compare two timings themselves: no control is needed */
} bench_unit;

/** One row: what is measured, filled by the caller, and what came out. */
typedef struct bench_row {
    const char *system;
    const char *method;
    int coordinates; /**< n */
    int contacts;
    int impacts;     /**< k per period; 0: does not apply */
    bench_unit unit; /**< of cost and target */
    double work;     /**< what the cost should be proportional to; NaN: nothing simple */
    double target;   /**< NaN if none is set */
    double cost;     /**< median, filled by bench_measure */
    double ratio;    /**< median of time / time of 1000 multiply-adds of the control beside it */
    double spread;   /**< (largest - smallest) / median of that ratio over the batches */
    int rounds;      /**< of batches until the spread was small enough, or no more were allowed */
} bench_row;

enum { BENCH_MAX_ROWS = 160 };

typedef struct bench_table {
    bench_row rows[BENCH_MAX_ROWS];
    int count;
} bench_table;

/** Time that the processor has worked for this program, s: whoever else it works for is left out.
 */
double bench_seconds(void);

/** Time since some instant, s, for work on several threads. */
double bench_wall_seconds(void);

/** Ratios that spread farther are measured again, and marked if that does not help. */
#define BENCH_WIDE_SPREAD 0.2

/** Time of `count` operations, s; negative on failure. */
typedef double (*bench_batch)(long count, void *context);

/**
 * Measure a row over several batches of equal length and append it to the table. Before and after
 * each batch a control of fixed work runs, so that the ratio holds on a machine that is busy or
 * changes its clock; a round of batches whose ratios spread too far is repeated, and the round of
 * least spread is kept.
 *
 * @param[in,out] table   gets the row
 * @param[in]     row     described
 * @param[in]     batch   runs and times operations
 * @param[in]     most    largest number of operations in a batch
 * @param[in]     context handed to batch
 * @return 0; 1 after a failure, which is printed
 */
int bench_measure(bench_table *table, bench_row row, bench_batch batch, long most, void *context);

/** Cost of a time step. @return number of failures */
int bench_timestepping(bench_table *table);

/** Cost of steps at rest with many contacts. @return number of failures */
int bench_steps(bench_table *table);

/** Cost of sampled frictional impacts. @return number of failures */
int bench_impact(bench_table *table);

/** Cost of one answer of each impact law. @return number of failures */
int bench_impact_laws(bench_table *table);

/** Cost of complementarity problems, and that none is unsolved or wrong. @return number of failures
 */
int bench_lcp(bench_table *table);

/** Discs of radius 1 and of unequal masses in a box, 12 and 11 in turn, 11 rows: 360 contacts. */
bool bench_make_box_of_discs(double mass_ratio, double friction, carom_contact_problem **out);

/** Boxes on each other at rest: two corners in the plane, four in space, unit mass and half
 * width 1.
 */
bool bench_make_tower(int tangents, int boxes, carom_contact_problem **out);

/** Cost of contact problems. @return number of failures */
int bench_contact(bench_table *table);

/** Cost of nonsmooth modes. @return number of failures */
int bench_modes(bench_table *table);

/** Cost of collisionless motions. @return number of failures */
int bench_collisionless(bench_table *table);

/** Cost of propagative impacts and of variational time steps. @return number of failures */
int bench_propagative(bench_table *table);

#endif
