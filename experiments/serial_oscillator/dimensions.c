/** How many motions there are: ranks of the equations at motions (theorem 3.3, corollary 3.1). */
#include "results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Impacts per period, and random guesses for each. */
enum { MOST_IMPACTS = 6, GUESSES = 200 };
/** Masses of the chains that have equations of one size. */
static const int CHAINS[] = {3, 10, 30};
/** Guesses for motions with a gap of zero. */
enum { ZERO_GUESSES = 40 };

/** A singular value is zero, relative to the largest one: kernels of solved motions are solved to
 * 1e-12 and worse conditioned by a factor of 1e3; the next ones are above 1e-6 but where motions
 * branch. */
static const double RANK = 1e-9;
/** Motions nearer to a harmonic than this, in |sin(w T/2)|, are left out: there the plain equations
 * have a pole, and ranks no meaning. */
static const double HARMONIC = 1e-2;
/** Generically means all but one in fifty: at a branch point the kernel has a dimension more. */
static const double GENERIC = 0.98;
/** A Pfaffian of matrices of size one vanishes. */
static const double VANISHING = 1e-8;

/** Counts over all motions. */
typedef struct tally {
    int motions;
    int curves; /**< of these, with a kernel of dimension one */
    int zero_motions;
    int points;      /**< of these, with no freedom but the amplitude */
    double pfaffian; /**< largest at motions with k even, over ||Pi||^(k/2) */
} tally;

/** Whether a period keeps its distance from all harmonics. */
static bool is_regular(const carom_modal_basis *basis, double period) {
    bool holds = true;
    for (int l = 0; l < basis->visible_count; l++) {
        holds = holds && fabs(sin(0.5 * basis->frequency[l] * period)) > HARMONIC;
    }
    return holds;
}

/** Dimension of the kernel of the equations in flight times and lambda, scaled to unknowns of size
 * one; -1 if it could not be computed. */
static int kernel_dimension(carom_impact_equations *equations, const carom_orbit *orbit,
                            double gap) {
    enum { UNKNOWNS = 2 * MOST_IMPACTS };
    double y[UNKNOWNS + 1];
    double F[UNKNOWNS];
    double J[UNKNOWNS * (UNKNOWNS + 1)];
    double A[UNKNOWNS * UNKNOWNS];
    double values[UNKNOWNS];
    double work[UNKNOWNS * (UNKNOWNS + 1)];
    const int k = orbit->impact_count;
    const int size = 2 * k;
    double largest = 0.0;
    for (int j = 0; j < k; j++) {
        y[j] = orbit->flight_times[j];
        y[k + j] = orbit->lambda[j];
        largest = fmax(largest, fabs(orbit->lambda[j]));
    }
    y[size] = gap;
    (void)carom_impact_equations_choose_resonant(equations, orbit->period, 0.0);
    carom_impact_equations_evaluate(equations, y, F, J);
    for (int i = 0; i < size; i++) {
        for (int j = 0; j < size; j++) {
            const double scale = j < k ? orbit->period / k : largest;
            A[i * size + j] = scale * J[i * (size + 1) + j];
        }
    }
    if (serial_oscillator_singular_values(size, size, A, values, NULL, work) != CAROM_OK) {
        return -1;
    }
    int dimension = 0;
    for (int i = 0; i < size; i++) {
        dimension += values[i] < RANK * values[0] ? 1 : 0;
    }
    return dimension;
}

/** Pfaffian of Pi at a motion, over the power of its largest entry. */
static double relative_pfaffian(carom_impact_equations *equations, const carom_orbit *orbit) {
    double Pi[MOST_IMPACTS * MOST_IMPACTS];
    double Sigma[MOST_IMPACTS * MOST_IMPACTS];
    const int k = orbit->impact_count;
    if (carom_impact_equations_matrices(equations, orbit->flight_times, Pi, Sigma) != CAROM_OK) {
        return NAN;
    }
    double largest = 1.0;
    for (int i = 0; i < k * k; i++) {
        largest = fmax(largest, fabs(Pi[i]));
    }
    return fabs(serial_oscillator_pfaffian(k, Pi, -1)) / pow(largest, 0.5 * k);
}

/** Count the motions with k impacts of one structure that random guesses lead to. */
static carom_status count_motions(const oscillator *o, const carom_modal_basis *basis, int k,
                                  int guesses, tally *t) {
    carom_orbit_search_params params =
        carom_orbit_search_params_default(k, k * acos(-1.0) / basis->frequency[0]);
    params.start_count = guesses;
    params.seed = o->common->seed;
    params.threads = o->common->threads;
    params.keep_potential = true;
    carom_orbit_list *list = NULL;
    CAROM_TRY(carom_orbit_search(basis, &params, NULL, NULL, &list, o->report));
    carom_impact_equations *equations = NULL;
    const carom_status status = carom_impact_equations_alloc(basis, k, &equations);
    for (int i = 0; i < list->count && status == CAROM_OK; i++) {
        const carom_orbit *orbit = list->found[i].orbit;
        if (!is_regular(basis, orbit->period)) {
            continue;
        }
        t->motions++;
        t->curves += kernel_dimension(equations, orbit, basis->gap_at_rest) == 1 ? 1 : 0;
        if (k % 2 == 0) {
            t->pfaffian = fmax(t->pfaffian, relative_pfaffian(equations, orbit));
        }
    }
    carom_impact_equations_free(equations);
    carom_orbit_list_free(list);
    return status;
}

/** Count the motions with k impacts and a gap of zero that random guesses lead to. */
static carom_status count_zero_motions(const oscillator *o, int k, tally *t) {
    const carom_modal_basis *basis = o->basis;
    carom_orbit_target target = carom_orbit_target_default(basis);
    target.gap_at_rest = 0.0;
    carom_orbit *orbit = NULL;
    carom_orbit_solver *solver = NULL;
    carom_impact_equations *equations = NULL;
    carom_status status = carom_orbit_alloc(basis, k, &orbit);
    if (status == CAROM_OK) {
        status = carom_orbit_solver_alloc(basis, k, &solver);
    }
    if (status == CAROM_OK) {
        status = carom_impact_equations_alloc(basis, k, &equations);
    }
    const double mean = 0.5 * acos(-1.0) / basis->frequency[0];
    for (int guess = 0; guess < ZERO_GUESSES && status == CAROM_OK; guess++) {
        double times[MOST_IMPACTS];
        for (int j = 0; j < k; j++) {
            times[j] = serial_oscillator_draw_time(o, guess, k, j, mean);
        }
        bool found = false;
        status = serial_oscillator_may_miss(
            carom_orbit_solve(solver, times, NULL, &target, NULL, orbit, NULL), &found);
        found = found && is_regular(basis, orbit->period) &&
                carom_sequence_primitive(k, orbit->flight_times, orbit->lambda, RANK) == k;
        if (found) {
            t->zero_motions++;
            t->points += kernel_dimension(equations, orbit, 0.0) == 1 ? 1 : 0;
        }
    }
    carom_impact_equations_free(equations);
    carom_orbit_solver_free(solver);
    carom_orbit_free(orbit);
    return status;
}

/** Motions of a chain of another length, with two impacts. */
static carom_status count_chain(const oscillator *o, int mass_count, tally *t) {
    carom_linear_system *system = NULL;
    CAROM_TRY(carom_serial_chain_uniform_alloc(mass_count, o->values->gap, &system, o->report));
    carom_modal_basis *basis = NULL;
    carom_status status = carom_modal_basis_compute(system, &basis, o->report);
    carom_linear_system_free(system);
    if (status == CAROM_OK) {
        status = count_motions(o, basis, 2, GUESSES, t);
    }
    carom_modal_basis_free(basis);
    return status;
}

/** Whether generically all of some motions are as they should. */
static bool is_generic(int count, int motions) {
    return motions > 0 && count >= GENERIC * motions;
}

carom_status serial_oscillator_write_dimensions(const oscillator *o) {
    tally chain = {.motions = 0};
    for (int k = 1; k <= MOST_IMPACTS; k++) {
        CAROM_TRY(count_motions(o, o->basis, k, GUESSES, &chain));
        CAROM_TRY(count_zero_motions(o, k, &chain));
    }
    tally others = {.motions = 0};
    for (int i = 0; i < COUNT(CHAINS); i++) {
        CAROM_TRY(count_chain(o, CHAINS[i], &others));
    }
    const carom_measure measures[] = {
        {"theorem_motions", chain.motions, "1", "motions found from random guesses, k = 1 to 6"},
        {"theorem_motions_on_curves", chain.curves, "1", "of these, in a continuum of dimension 1"},
        {"theorem_zero_gap_motions", chain.zero_motions, "1", "the same for a gap of zero"},
        {"theorem_zero_gap_points", chain.points, "1",
         "of these, isolated but for their amplitude"},
        {"theorem_motion_pfaffian", chain.pfaffian, "1", "largest pf(Pi) at motions, k even"},
        {"theorem_other_chains_motions", others.motions, "1", "motions of 3, 10 and 30 masses"},
    };
    const carom_claim claims[] = {
        {"theorem_curves", is_generic(chain.curves, chain.motions),
         "motions generically form curves if the gap is not zero (theorem 3.3, corollary 3.1)"},
        {"theorem_points", is_generic(chain.points, chain.zero_motions),
         "motions are generically isolated but for their amplitude if the gap is zero (corollary "
         "3.1)"},
        {"theorem_pfaffian_vanishes", chain.pfaffian < VANISHING,
         "pf(Pi) vanishes at motions with an even number of impacts (remark 3.1)"},
        {"theorem_size_independent", is_generic(others.curves, others.motions),
         "2k equations of rank 2k - 1 in 2k unknowns decide for 3, 10 and 30 masses"},
    };
    carom_record_measures(o->record, measures, COUNT(measures));
    carom_record_claims(o->record, claims, COUNT(claims));
    return CAROM_OK;
}
