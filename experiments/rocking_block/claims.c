/** Statements of the paper and about our runs, decided from the measures and recorded as /claims.
 */
#include "measures.h"

#include <float.h>
#include <math.h>

/** What a claim's number is divided by. */
typedef enum scale {
    PLAIN,
    GAP_TOLERANCE,   /**< what the tolerance leaves of a gap, m */
    RATE_TOLERANCE,  /**< and of its rate, m/s */
    LENGTH,          /**< half the diagonal, m */
    RESOLUTION,      /**< of the search for exact impacts, s */
    INITIAL_ENERGY,  /**< J */
    ENERGY_ROUNDING, /**< of the initial energy, once in every step, J */
    STEP_OF_HEIGHT,  /**< what the mass centre moves in a step at its highest speed, m */
    MOREAU_FREE,     /**< what free steps of the Moreau-Jean scheme change the energy, J */
    MOREAU_ERROR     /**< its error of the energy, J */
} scale;

/** Rounding of an energy or a length in a step, relative: some hundred operations. */
static const double ROUNDING = 1e-13;
/** Roundings in the difference of two energies: each is a sum of three products. */
static const double FEW_ROUNDINGS = 4.0;
/** Penetration that is not one of the solver, in its tolerances: 0.4 mm for the paper's step. */
static const double PENETRATION = 1e8;
/** Free steps of the paper's scheme lose only rounding, far less than this part of another's loss.
 */
static const double NEGLIGIBLE = 1e-6;
/** Impacts of one corner at this distance have accumulated: the search ends at intervals of the
 * resolution, and restitution sets the factor from one to the next. */
static const double ACCUMULATED = 5.0;
/** Orders of a first-order scheme: the impacts fall irregularly between the samples. */
static const double LEAST_ORDER = 0.6;
static const double MOST_ORDER = 1.2;
/** Iterations that still are few. */
static const double FEW_ITERATIONS = 3.0;
/** Two converged iterations agree to their tolerances, summed over the steps. */
static const double SAME_MOTION = 1e-10;

/** A unit in numbers, for this run. */
static double scale_of(const results *r, const carom_trajectory *t, scale unit) {
    const carom_rocking_block_params *block = &r->values->block;
    const carom_series speed = {t->velocity, COORDINATES, HEIGHT, 0, t->row_count};
    const carom_series rate = {t->velocity, COORDINATES, ANGLE, 0, t->row_count};
    const double length = 0.5 * hypot(block->width, block->height);
    const double fastest = carom_series_magnitude(speed) + length * carom_series_magnitude(rate);
    const double tolerance = r->values->schemes.tolerance;
    switch (unit) {
    case GAP_TOLERANCE:
        return t->step * tolerance * fastest + ROUNDING * length;
    case RATE_TOLERANCE:
        return tolerance * fastest;
    case LENGTH:
        return length;
    case RESOLUTION:
        return rocking_block_exact_resolution(r);
    case INITIAL_ENERGY:
        return fabs(t->energy[0]);
    case ENERGY_ROUNDING:
        return fabs(t->energy[0]) * DBL_EPSILON * t->row_count;
    case STEP_OF_HEIGHT:
        return t->step * carom_series_magnitude(speed);
    case MOREAU_FREE:
        return rocking_block_measure(r, MOREAU, FREE_ENERGY_CHANGE);
    case MOREAU_ERROR:
        return rocking_block_measure(r, MOREAU, ENERGY_ERROR);
    default:
        return 1.0;
    }
}

/** Whether the number of a run, in its unit, lies in [low, high]. */
typedef struct claim {
    const char *name;
    int run;
    measure what;
    scale unit;
    double low;
    double high;
    const char *statement;
} claim;

/** One claim, left out where its number is not defined. */
static void write_claim(carom_record *record, const results *r, const claim *c) {
    if (r->of[c->run] == NULL) {
        return;
    }
    const double value =
        rocking_block_measure(r, c->run, c->what) / scale_of(r, r->of[c->run], c->unit);
    if (!isfinite(value)) {
        return;
    }
    carom_record_claim(record, c->name, value >= c->low && value <= c->high, c->statement);
}

void rocking_block_write_claims(carom_record *record, const results *r) {
    const claim claims[] = {
        {"no_penetration", NONSMOOTH, SMALLEST_GAP, GAP_TOLERANCE, -1.0, INFINITY,
         "no corner passes the floor"},
        {"no_penetration_reference", REFERENCE, SMALLEST_GAP, GAP_TOLERANCE, -1.0, INFINITY,
         "no corner of the reference passes the floor"},
        {"moreau_jean_penetrates", MOREAU, SMALLEST_GAP, GAP_TOLERANCE, -INFINITY, -PENETRATION,
         "a corner passes the floor under the Moreau-Jean scheme"},
        {"position_level", NONSMOOTH, POSITION_LEVEL_RESIDUAL, GAP_TOLERANCE, 0.0, 1.0,
         "gap and position multiplier are complementary"},
        {"velocity_level", NONSMOOTH, RESTITUTION_DEFECT, RATE_TOLERANCE, 0.0, 1.0,
         "every active corner obeys Newton's law"},
        {"velocity_level_moreau_jean", MOREAU, RESTITUTION_DEFECT, RATE_TOLERANCE, 0.0, 1.0,
         "every active corner obeys Newton's law under the Moreau-Jean scheme"},
        {"no_pull", NONSMOOTH, SMALLEST_IMPULSE, PLAIN, 0.0, INFINITY, "no impulse pulls"},
        {"multiple_impacts", NONSMOOTH, FEWEST_IMPACTS, PLAIN, 2.0, INFINITY,
         "each corner strikes more than once"},
        {"accumulation", REFERENCE, SHORTEST_INTERVAL, RESOLUTION, 0.0, ACCUMULATED,
         "the event-driven impacts of a corner accumulate"},
        {"first_impulses", NONSMOOTH, IMPULSE_ERROR, PLAIN, 0.0, 1.0,
         "the first impulses are exact to first order in the step"},
        {"first_impulses_reference", REFERENCE, IMPULSE_ERROR, PLAIN, 0.0, 1.0,
         "the first impulses of the reference are exact to first order"},
        {"energy_kept_in_flight", NONSMOOTH, FREE_ENERGY_CHANGE, ENERGY_ROUNDING, 0.0,
         FEW_ROUNDINGS, "the energy is constant between the impacts"},
        {"energy_never_grows", NONSMOOTH, ENERGY_INCREASE, INITIAL_ENERGY, -INFINITY, ROUNDING,
         "no step adds energy"},
        {"less_dissipation", NONSMOOTH, FREE_ENERGY_CHANGE, MOREAU_FREE, 0.0, NEGLIGIBLE,
         "less energy is lost between the impacts than under the Moreau-Jean scheme"},
        {"better_energy", NONSMOOTH, ENERGY_ERROR, MOREAU_ERROR, 0.0, 1.0,
         "the energy is closer to the exact one than under the Moreau-Jean scheme"},
        {"satisfactory", NONSMOOTH, HEIGHT_ERROR, STEP_OF_HEIGHT, 0.0, 1.0,
         "the height is that of the exact motion to less than the way of one step"},
        {"satisfactory_moreau_jean", MOREAU, HEIGHT_ERROR, STEP_OF_HEIGHT, 0.0, 1.0,
         "the same under the Moreau-Jean scheme"},
        {"first_order", NONSMOOTH, ORDER_OF_HEIGHT, PLAIN, LEAST_ORDER, MOST_ORDER,
         "the error of the height is of first order"},
        {"rest", NONSMOOTH, PART_AT_REST, PLAIN, 0.0, REST_PART,
         "the block comes to rest and stays there"},
        {"rest_reference", REFERENCE, PART_AT_REST, PLAIN, 0.0, REST_PART,
         "the block of the reference comes to rest and stays there"},
        {"few_iterations", NONSMOOTH, MOST_ITERATIONS, PLAIN, 0.0, FEW_ITERATIONS,
         "Newton's method needs few iterations in every step"},
        {"sequential", SEQUENTIAL, GAP_DIFFERENCE, LENGTH, 0.0, SAME_MOTION,
         "algorithm 1 converges in every step, to the same motion"},
    };
    for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++) {
        write_claim(record, r, &claims[i]);
    }
}
