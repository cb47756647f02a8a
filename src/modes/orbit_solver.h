/** Solving the impact equations from a guess, by rank-revealing Gauss-Newton steps. */
#ifndef CAROM_MODES_ORBIT_SOLVER_H
#define CAROM_MODES_ORBIT_SOLVER_H

#include <carom/base/attributes.h>
#include <carom/modes/orbit.h>

CAROM_BEGIN_DECLARATIONS

/** What is asked of a solution besides periodicity and closed gaps. */
typedef struct carom_orbit_target {
    double period;      /**< T in s; NaN: free */
    int grazing_impact; /**< impact j in 1..k with lambda_j = 0; 0: none */
    double gap_at_rest; /**< g in m; 0: the limit of infinite impact speed, see below */
} carom_orbit_target;

typedef struct carom_orbit_solver_params {
    int max_iterations; /**< Gauss-Newton steps, 200 */
    double tolerance;   /**< scaled residual at which a solution is accepted, in (0, 1e-3]; 1e-12 */
    double smallest_flight; /**< flight times stay above this fraction of the mean guess, 1e-6 */
} carom_orbit_solver_params;

carom_orbit_solver_params carom_orbit_solver_params_default(void);

/** The structure's own gap, free period, no grazing. */
carom_orbit_target carom_orbit_target_default(const carom_modal_basis *basis);

/** Workspace for one structure and one number of impacts. */
typedef struct carom_orbit_solver carom_orbit_solver;

/** Workspace; borrows the basis. @return CAROM_OK; OUT_OF_RANGE if k < 1; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_orbit_solver_alloc(const carom_modal_basis *basis,
                                                       int impact_count, carom_orbit_solver **out);

/** Free; NULL is accepted. */
void carom_orbit_solver_free(carom_orbit_solver *solver);
CAROM_AUTO_TYPE(carom_orbit_solver)

/**
 * Find the solution nearest to a guess. Solutions form curves: without a period or a grazing impact
 * in the target, each step is the smallest that meets the linearized equations, in units of the
 * mean flight time and the mean lambda. Redundant equations, families at constant period and
 * singular Sigma are absorbed by the singular-value decomposition; steps are damped
 * (Levenberg-Marquardt) while the residual does not fall. Periods at and near harmonics are no
 * exception.
 *
 * With gap_at_rest = 0 in the target, lambda has a free factor: it is returned with norm 1 J^1/2
 * and a sum
 * >= 0
 * and the energy belongs to it.
 *
 * @param[in,out] solver       workspace
 * @param[in]     flight_times [k] > 0, s
 * @param[in]     lambda       [k] J^1/2, or NULL: those that meet the equations best at these times
 * @param[in]     target       what to land on; NULL: default
 * @param[in]     params       NULL: default
 * @param[in,out] orbit        of the same sizes; all fields written, NaN after a failure
 * @param[out]    report       residual and iterations after NOT_CONVERGED, quantity and value after
 * a refusal; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE for a parameter, a flight time or period that is not positive, or
 * a period with a phase w T of the highest visible mode outside [1e-6, 1e8]; NOT_FINITE;
 * NOT_CONVERGED
 * Source: thorin-2017 section 5, theorems 3.1, 3.2; formulation with lambda as unknown.
 * Cost: O(m k^2 + k^3) a step.
 */
CAROM_MUST_CHECK carom_status carom_orbit_solve(carom_orbit_solver *solver,
                                                const double *flight_times, const double *lambda,
                                                const carom_orbit_target *target,
                                                const carom_orbit_solver_params *params,
                                                carom_orbit *orbit, carom_report *report);

CAROM_END_DECLARATIONS

#endif
