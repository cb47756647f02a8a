/** Periodic motions with k impacts per period: what one is, how it is solved for, whether it is
 * admissible and whether it is stable. */
#ifndef CAROM_MODES_ORBIT_H
#define CAROM_MODES_ORBIT_H

#include <carom/base/base.h>
#include <carom/modes/modal_basis.h>

#include <stdbool.h>

CAROM_BEGIN_DECLARATIONS

/* ---------------------------------------------------------------------------------------- orbit */
/* A periodic motion with k impacts per period: its sequence of impacts, state and energy. */

/**
 * A solution of the impact equations (potential, until its admissibility is certified). The impact
 * j = 1..k happens at t_j = sigma_1 + ... + sigma_j, the last at t_k = T, which is also t = 0^-.
 */
typedef struct carom_orbit {
    int impact_count;     /**< k >= 1 */
    int mode_count;       /**< m, visible modes */
    double *flight_times; /**< sigma [k], s; sigma_j ends with impact j */
    double *lambda;       /**< [k], J^1/2; pre-impact speed / sqrt(G), >= 0 if admissible */
    double *state;        /**< [m][2] z_1, z_2 just after the impact at t = 0, J^1/2 */
    double period;        /**< T, s */
    double energy;        /**< J */
    double residual;      /**< scaled residual of the impact equations, 1 */
} carom_orbit;

/** An orbit filled with NaN. @return CAROM_OK; OUT_OF_RANGE if k < 1; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_orbit_alloc(const carom_modal_basis *basis, int impact_count,
                                                carom_orbit **out);

/** Free; NULL is accepted. */
void carom_orbit_free(carom_orbit *orbit);
CAROM_AUTO_TYPE(carom_orbit)

/**
 * Complete an orbit whose flight times and lambda are set: period, state just after t = 0 and
 * energy.
 *
 * @param[in]     basis the structure
 * @param[in,out] orbit flight_times and lambda are read, period, state and energy written; the
 * residual is left alone
 * @return CAROM_OK; SINGULAR if the period is a harmonic of a visible mode to rounding, where the
 * state does not follow from the impacts (carom_orbit_solve gives it)
 * Source: thorin-2017 (3.1g); energy sum rho^2 |sum lambda_j e^{i w t_j}|^2 / (2 sin^2(w T/2)).
 * Cost: O(m k).
 */
CAROM_MUST_CHECK carom_status carom_orbit_complete(const carom_modal_basis *basis,
                                                   carom_orbit *orbit);

/** Impact times t_1 to t_k = T [k], s. */
void carom_orbit_impact_times(const carom_orbit *orbit, double *times);

/**
 * Modal state just after impact i, reached by rotation from t = 0 and the orbit's own lambda.
 *
 * @param[in]  basis  the structure
 * @param[in]  orbit  complete
 * @param[in]  impact i in 0..k; 0 is the impact at t = 0, k that at t = T
 * @param[out] state  [m][2], J^1/2
 * Cost: O(m i).
 */
void carom_orbit_state_after(const carom_modal_basis *basis, const carom_orbit *orbit, int impact,
                             double *state);

/**
 * Position and velocity at a time; at an impact the right limit.
 *
 * @param[in]  basis    the structure
 * @param[in]  orbit    complete
 * @param[in]  time     s, in [0, T]
 * @param[out] position [n] m; may be NULL
 * @param[out] velocity [n] m/s; may be NULL
 * @param[out] state    [m][2] modal state, J^1/2: work memory as well, not NULL
 * Cost: O(m (n + k)).
 */
void carom_orbit_motion(const carom_modal_basis *basis, const carom_orbit *orbit, double time,
                        double *position, double *velocity, double *state);

/* --------------------------------------------------------------------------------------- solver */
/* Solving the impact equations from a guess, by rank-revealing Gauss-Newton steps. */

/** What is asked of a solution besides periodicity and closed gaps. */
typedef struct carom_orbit_target {
    double period;      /**< T in s; NaN: free */
    int grazing_impact; /**< impact j in 1..k with lambda_j = 0; 0: none */
    double gap_at_rest; /**< g in m; 0: the limit of infinite impact speed, see below */
} carom_orbit_target;

/** When a solution is accepted. */
typedef struct carom_orbit_solver_params {
    int max_iterations; /**< Gauss-Newton steps, 200 */
    double tolerance;   /**< scaled residual at which a solution is accepted, in (0, 1e-3]; 1e-12 */
    double smallest_flight; /**< flight times stay above this fraction of the mean guess, 1e-6 */
} carom_orbit_solver_params;

/** 200 steps, 1e-12, 1e-6. */
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

/* -------------------------------------------------------------------------------- admissibility */
/* Certified non-penetration of a periodic motion. */

/** Whether an orbit is admissible, and by how much. */
typedef struct carom_admissibility {
    bool is_admissible;           /**< proven: no penetration, and every impact pushes */
    double largest_gap_violation; /**< largest local maximum of x_c - g_0 inside all flights, m;
                                     negative: the gap stays open by so much; NaN: no maximum */
    double violation_bound;       /**< proven upper bound of the same; -infinity if no maximum */
    int flight;                   /**< flight of the largest maximum, 1..k; 0 if none */
    double time;                  /**< its instant from t = 0, s; NaN if none */
    double smallest_lambda;       /**< J^1/2 */
} carom_admissibility;

/** Tolerance of a certificate in units of |g_0|, never below what rounding makes of x_c: 1e-10. */
#define CAROM_ADMISSIBILITY_TOLERANCE 1e-10

/**
 * Certify an orbit: all lambda >= -tolerance (in units of the largest), and no local maximum of the
 * contact displacement inside a flight exceeds the gap at rest by more than the tolerance. Since
 * x_c = g_0 at both ends of a flight, that is all that non-penetration asks. An orbit that is not
 * complete is not admissible.
 *
 * @param[in]     basis  the structure
 * @param[in,out] motion workspace
 * @param[in]     orbit  complete
 * @param[out]    state  [m][2] work memory
 * @param[in]     tolerance 1, usually CAROM_ADMISSIBILITY_TOLERANCE
 * Source: thorin-2017 (2.12c), remark 3.3.
 */
carom_admissibility carom_orbit_certify(const carom_modal_basis *basis,
                                        carom_contact_motion *motion, const carom_orbit *orbit,
                                        double *state, double tolerance);

/* ------------------------------------------------------------------------------------ stability */
/* Linear stability of a periodic motion: the reduced return map and its multipliers. */

/**
 * Workspace for a structure; borrows the basis. The return map acts on the perturbations of the
 * visible modes that stay on the section just after an impact and on the energy level, of dimension
 * 2m - 2; the trivial multipliers 1, 1 (time shift and energy) are removed exactly.
 */
typedef struct carom_stability carom_stability;

/** Workspace. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_stability_alloc(const carom_modal_basis *basis,
                                                    carom_stability **out);

/** Free; NULL is accepted. */
void carom_stability_free(carom_stability *stability);
CAROM_AUTO_TYPE(carom_stability)

/** Multipliers with modulus within this of 1 count as neutral. */
#define CAROM_STABILITY_TOLERANCE 1e-7

/**
 * Multipliers and spectral radius: neutrally stable if the radius is 1 (to
 * CAROM_STABILITY_TOLERANCE), unstable if larger; it is never smaller, since multipliers come in
 * reciprocal pairs. Those of invisible modes, e^{+-i w T}, follow at the end.
 *
 * @param[in,out] stability       workspace
 * @param[in]     orbit           complete
 * @param[out]    multipliers     [2n-2][2] real and imaginary parts, by falling modulus within the
 * visible ones (then by angle); n coordinates; may be NULL; NaN after a failure
 * @param[out]    spectral_radius largest modulus, at least 1 (n = 1: 1); NaN after a failure
 * @return CAROM_OK; SINGULAR if a lambda vanishes; NOT_CONVERGED; OUT_OF_MEMORY
 * Cost: O(m^3).
 */
CAROM_MUST_CHECK carom_status carom_stability_multipliers(carom_stability *stability,
                                                          const carom_orbit *orbit,
                                                          double *multipliers,
                                                          double *spectral_radius);

/** Whether a spectral radius is that of a neutrally stable orbit. */
bool carom_stability_is_neutral(double spectral_radius);

CAROM_END_DECLARATIONS

#endif
