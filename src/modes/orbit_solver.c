#include <carom/modes/internal.h>
#include <carom/modes/orbit.h>

#include <carom/modes/impact_equations.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/** A step of minimum norm is good if it leaves less than this of the residual. */
static const double CLEAR_GAIN = 0.5;

/** Any step must leave less than this of it. */
static const double DESCENT = 0.999;

/** First damping after a rejected step, relative to the largest singular value, and its growth. */
static const double FIRST_DAMPING = 1e-8;
static const double DAMPING_GROWTH = 6.0;

/** Bounds of the phase w T of the highest mode: below, all motions close to rounding; above, the
 * phase has lost half of its digits. */
static const double LEAST_PHASE = 1e-6;
static const double LARGEST_PHASE = 1e8;

/** No flight time shrinks by more than this factor in one step. */
static const double SHRINKAGE = 0.8;

struct carom_orbit_solver {
    const carom_modal_basis *basis;
    carom_impact_newton *newton;
    int impact_count;
    double *Y;     /**< [capacity] present iterate, scaled */
    double *trial; /**< [capacity] */
    double *step;  /**< [capacity] */
};

/** What a solve works with besides the workspace: the target in scaled units. */
typedef struct scaled_target {
    bool has_period;
    double period;      /**< in units of time */
    int grazing_impact; /**< 1..k; 0: none */
    bool is_limit;      /**< gap zero: lambda has norm 1 */
    double gap;         /**< in units of the gap: -1, 0 or 1 */
    double smallest_flight;
    double lambda_scale; /**< J^1/2 */
    double time_scale;   /**< s */
} scaled_target;

/** How far an iteration has come. */
typedef struct progress {
    double norm;     /**< of all residuals */
    double largest;  /**< of the equations */
    double rounding; /**< what rounding makes of it */
} progress;

carom_orbit_solver_params carom_orbit_solver_params_default(void) {
    return (carom_orbit_solver_params){
        .max_iterations = 200, .tolerance = 1e-12, .smallest_flight = 1e-6};
}

carom_orbit_target carom_orbit_target_default(const carom_modal_basis *basis) {
    return (carom_orbit_target){
        .period = (double)NAN, .grazing_impact = 0, .gap_at_rest = basis->gap_at_rest};
}

carom_status carom_orbit_solver_alloc(const carom_modal_basis *basis, int impact_count,
                                      carom_orbit_solver **out) {
    CAROM_ASSERT(basis != NULL && out != NULL);
    *out = NULL;
    carom_impact_newton *newton = NULL;
    CAROM_TRY(carom_impact_newton_alloc(basis, impact_count, &newton));
    const size_t capacity = (size_t)carom_impact_newton_capacity(newton);
    carom_orbit_solver *solver = malloc(sizeof *solver + 3 * capacity * sizeof(double));
    if (solver == NULL) {
        carom_impact_newton_free(newton);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *memory = (double *)(solver + 1);
    *solver = (carom_orbit_solver){
        .basis = basis,
        .newton = newton,
        .impact_count = impact_count,
        .Y = memory,
        .trial = memory + capacity,
        .step = memory + 2 * capacity,
    };
    *out = solver;
    return CAROM_OK;
}

void carom_orbit_solver_free(carom_orbit_solver *solver) {
    if (solver != NULL) {
        carom_impact_newton_free(solver->newton);
        free(solver);
    }
}

/** Refuse guesses and targets that are none. */
static carom_status check(const carom_orbit_solver *solver, const double *flight_times,
                          const double *lambda, const carom_orbit_target *target,
                          carom_report *report) {
    for (int j = 0; j < solver->impact_count; j++) {
        if (!isfinite(flight_times[j])) {
            return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "flight time",
                                     flight_times[j], j);
        }
        if (!(flight_times[j] > 0.0)) {
            return carom_report_refuse(report, "flight time", flight_times[j], j, "> 0");
        }
        if (lambda != NULL && !isfinite(lambda[j])) {
            return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "impact lambda", lambda[j],
                                     j);
        }
    }
    double period = 0.0;
    for (int j = 0; j < solver->impact_count; j++) {
        period += flight_times[j];
    }
    period = isnan(target->period) ? period : target->period;
    const double phase = solver->basis->frequency[solver->basis->visible_count - 1] * period;
    if (period > 0.0 && !(phase >= LEAST_PHASE && phase <= LARGEST_PHASE)) {
        return carom_report_bound(
            report, "period", period, phase < LEAST_PHASE ? "at least" : "at most",
            period / phase * (phase < LEAST_PHASE ? LEAST_PHASE : LARGEST_PHASE));
    }
    if (isinf(target->period) || target->period <= 0.0) {
        return carom_report_refuse(report, "period", target->period, -1, "> 0, finite");
    }
    if (!isfinite(target->gap_at_rest)) {
        return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "gap at rest",
                                 target->gap_at_rest, -1);
    }
    if (target->grazing_impact < 0 || target->grazing_impact > solver->impact_count) {
        return carom_report_refuse(report, "grazing impact", target->grazing_impact, -1,
                                   "0, or an impact from 1 on");
    }
    return CAROM_OK;
}

/** Without a gap: the norm of lambda is one, amplitudes follow. */
static void normalize(carom_orbit_solver *solver) {
    const int k = solver->impact_count;
    double square = 0.0;
    for (int j = 0; j < k; j++) {
        square += solver->Y[k + j] * solver->Y[k + j];
    }
    for (int i = k; square > 0.0 && i < carom_impact_newton_size(solver->newton); i++) {
        solver->Y[i] /= sqrt(square);
    }
}

/** Put the guess into Y and choose its units: mean flight time, gap, and the lambda of a motion
 * that crosses the gap within a mean flight, or that of the guess if larger. */
static carom_status start(carom_orbit_solver *solver, const double *flight_times,
                          const double *lambda, const carom_orbit_target *target,
                          scaled_target *scaled) {
    const int k = solver->impact_count;
    double period = 0.0;
    double largest = 0.0;
    for (int j = 0; j < k; j++) {
        period += flight_times[j];
        largest = lambda == NULL ? largest : fmax(largest, fabs(lambda[j]));
    }
    const bool is_limit = !(fabs(target->gap_at_rest) > 0.0);
    const double mean = period / k;
    const double gap_scale =
        is_limit ? solver->basis->root_inverse_mass * mean : fabs(target->gap_at_rest);
    const double natural = gap_scale / (solver->basis->root_inverse_mass * mean);
    *scaled = (scaled_target){
        .has_period = !isnan(target->period),
        .period = target->period / mean,
        .grazing_impact = target->grazing_impact,
        .is_limit = is_limit,
        .gap = is_limit ? 0.0 : (target->gap_at_rest > 0.0 ? 1.0 : -1.0),
        .lambda_scale = is_limit ? 1.0 : fmax(natural, largest),
        .time_scale = mean,
    };
    carom_impact_newton_set_scales(solver->newton, mean, scaled->lambda_scale, gap_scale);
    // A given period stretches the guess onto it, so that its harmonics are seen from the start.
    const double stretch = scaled->has_period ? scaled->period / k : 1.0;
    for (int j = 0; j < k; j++) {
        solver->Y[j] = stretch * flight_times[j] / mean;
        solver->Y[k + j] = lambda == NULL ? 0.0 : lambda[j] / scaled->lambda_scale;
    }
    solver->Y[2 * k] = scaled->gap;
    carom_impact_newton_choose_resonant(solver->newton, solver->Y);
    CAROM_TRY(
        carom_impact_newton_fit(solver->newton, solver->Y, lambda != NULL, target->grazing_impact));
    if (is_limit) {
        normalize(solver);
    }
    return CAROM_OK;
}

/** Residuals of the conditions at Y; with rows, also into the Newton system. */
static double conditions(const carom_orbit_solver *solver, const scaled_target *target,
                         const double *Y, bool with_rows) {
    const int k = solver->impact_count;
    double sum = 0.0;
    const double gap = Y[2 * k] - target->gap;
    sum += gap * gap;
    if (with_rows) {
        carom_impact_newton_add_row(solver->newton, gap)[2 * k] = 1.0;
    }
    if (target->has_period) {
        double residual = -target->period;
        for (int j = 0; j < k; j++) {
            residual += Y[j];
        }
        sum += residual * residual;
        double *row = with_rows ? carom_impact_newton_add_row(solver->newton, residual) : NULL;
        for (int j = 0; with_rows && j < k; j++) {
            row[j] = 1.0;
        }
    }
    if (target->grazing_impact > 0) {
        const int column = k + target->grazing_impact - 1;
        sum += Y[column] * Y[column];
        if (with_rows) {
            carom_impact_newton_add_row(solver->newton, Y[column])[column] = 1.0;
        }
    }
    if (target->is_limit) {
        double residual = -0.5;
        for (int j = 0; j < k; j++) {
            residual += 0.5 * Y[k + j] * Y[k + j];
        }
        sum += residual * residual;
        double *row = with_rows ? carom_impact_newton_add_row(solver->newton, residual) : NULL;
        for (int j = 0; with_rows && j < k; j++) {
            row[k + j] = Y[k + j];
        }
    }
    return sqrt(sum);
}

/** Norm of everything that must vanish, at Y; the largest equation and its rounding as well. */
static double merit(const carom_orbit_solver *solver, const scaled_target *target, const double *Y,
                    double *largest, double *rounding) {
    double norm = 0.0;
    *largest = carom_impact_newton_residual(solver->newton, Y, &norm);
    *rounding = carom_impact_newton_rounding(solver->newton, Y);
    const double extra = conditions(solver, target, Y, false);
    *largest = fmax(*largest, extra);
    return hypot(norm, extra);
}

/** Y + fraction of the step, the fraction chosen so that no flight time falls too fast. */
static void take_step(const carom_orbit_solver *solver, const scaled_target *target) {
    const int k = solver->impact_count;
    const int size = carom_impact_newton_size(solver->newton);
    double fraction = 1.0;
    for (int j = 0; j < k; j++) {
        const double most = SHRINKAGE * (solver->Y[j] - target->smallest_flight);
        if (-solver->step[j] * fraction > most) {
            fraction = most / -solver->step[j];
        }
    }
    for (int i = 0; i < size; i++) {
        solver->trial[i] = solver->Y[i] + fraction * solver->step[i];
    }
}

/** Newton system at the present iterate, decomposed. @return whether there is one */
static bool decompose(carom_orbit_solver *solver, const scaled_target *target, bool is_projected) {
    (void)carom_impact_newton_begin(solver->newton, solver->Y, is_projected);
    (void)conditions(solver, target, solver->Y, true);
    return carom_impact_newton_decompose(solver->newton) == CAROM_OK;
}

/** Take the step with a damping if it leaves less than a fraction of the residual. */
static bool try_step(carom_orbit_solver *solver, const scaled_target *target, double damping,
                     double fraction, progress *now) {
    carom_impact_newton_step(solver->newton, damping, solver->step);
    take_step(solver, target);
    progress trial;
    trial.norm = merit(solver, target, solver->trial, &trial.largest, &trial.rounding);
    if (!(trial.norm < fraction * now->norm)) {
        return false;
    }
    const int size = carom_impact_newton_size(solver->newton);
    memcpy(solver->Y, solver->trial, (size_t)size * sizeof(double));
    *now = trial;
    return true;
}

/**
 * One step. Close to a solution that is the step of minimum norm, which does not move along the
 * curve. Where it gains little, the curvature of the redundant equation helps as well, and damping
 * grows until the residual falls.
 * @return whether it fell
 */
static bool improve(carom_orbit_solver *solver, const scaled_target *target, progress *now) {
    if (!decompose(solver, target, true)) {
        return false;
    }
    if (try_step(solver, target, 0.0, CLEAR_GAIN, now)) {
        return true;
    }
    if (!decompose(solver, target, false)) {
        return false;
    }
    double damping = 0.0;
    while (damping < 1e3) {
        if (try_step(solver, target, damping, DESCENT, now)) {
            return true;
        }
        damping = damping > 0.0 ? damping * DAMPING_GROWTH : FIRST_DAMPING;
    }
    return false;
}

/** Iterate until nothing improves. @return whether a solution was reached */
static bool iterate(carom_orbit_solver *solver, const scaled_target *target,
                    const carom_orbit_solver_params *params, double *residual, int *iterations) {
    progress now = {.norm = HUGE_VAL, .largest = HUGE_VAL};
    bool is_polished = false;
    for (*iterations = 0; *iterations < params->max_iterations && !is_polished; ++*iterations) {
        carom_impact_newton_choose_resonant(solver->newton, solver->Y);
        now.norm = merit(solver, target, solver->Y, &now.largest, &now.rounding);
        // Once below the tolerance go on only while a step gains much.
        const double before = now.norm;
        const bool was_solved = now.largest <= fmax(params->tolerance, now.rounding);
        is_polished = !improve(solver, target, &now) || (was_solved && now.norm > 0.1 * before);
    }
    *residual = now.largest;
    return now.largest <= fmax(params->tolerance, now.rounding);
}

/** Without a gap both signs solve: that of impacts that push. */
static void choose_sign(carom_orbit_solver *solver) {
    const int k = solver->impact_count;
    double sum = 0.0;
    for (int j = 0; j < k; j++) {
        sum += solver->Y[k + j];
    }
    for (int i = k; sum < 0.0 && i < carom_impact_newton_size(solver->newton); i++) {
        solver->Y[i] = -solver->Y[i];
    }
}

/** Write the iterate as an orbit. */
static void finish(const carom_orbit_solver *solver, const scaled_target *target, double residual,
                   carom_orbit *orbit) {
    const int k = solver->impact_count;
    orbit->period = 0.0;
    for (int j = 0; j < k; j++) {
        orbit->flight_times[j] = solver->Y[j] * target->time_scale;
        orbit->lambda[j] = solver->Y[k + j] * target->lambda_scale;
        orbit->period += orbit->flight_times[j];
    }
    carom_impact_newton_state(solver->newton, solver->Y, orbit->state);
    orbit->energy = carom_orbit_energy_of(solver->basis, orbit->state);
    orbit->residual = residual;
}

/** Largest residual that may be called a solution: it has the leading digits at least. */
static const double LARGEST_TOLERANCE = 1e-3;

/** Refuse parameters that accept anything, or nothing. */
static carom_status check_params(const carom_orbit_solver_params *params, carom_report *report) {
    if (params->max_iterations < 1) {
        return carom_report_refuse(report, "iterations", params->max_iterations, -1, "at least 1");
    }
    if (!(params->tolerance > 0.0 && params->tolerance <= LARGEST_TOLERANCE)) {
        return carom_report_refuse(report, "tolerance", params->tolerance, -1, "in (0, 1e-3]");
    }
    if (!(params->smallest_flight >= 0.0 && params->smallest_flight < 1.0)) {
        return carom_report_refuse(report, "smallest flight", params->smallest_flight, -1,
                                   "in [0, 1)");
    }
    return CAROM_OK;
}

carom_status carom_orbit_solve(carom_orbit_solver *solver, const double *flight_times,
                               const double *lambda, const carom_orbit_target *target,
                               const carom_orbit_solver_params *params, carom_orbit *orbit,
                               carom_report *report) {
    CAROM_ASSERT(solver != NULL && flight_times != NULL && orbit != NULL);
    CAROM_ASSERT(orbit->impact_count == solver->impact_count);
    const carom_orbit_target default_target = carom_orbit_target_default(solver->basis);
    const carom_orbit_solver_params default_params = carom_orbit_solver_params_default();
    target = target == NULL ? &default_target : target;
    params = params == NULL ? &default_params : params;
    carom_status status = check_params(params, report);
    if (status == CAROM_OK) {
        status = check(solver, flight_times, lambda, target, report);
    }
    if (status != CAROM_OK) {
        carom_orbit_clear(orbit);
        return status;
    }
    scaled_target scaled;
    double residual = (double)NAN;
    int iterations = 0;
    status = start(solver, flight_times, lambda, target, &scaled);
    scaled.smallest_flight = params->smallest_flight;
    if (status == CAROM_OK && !iterate(solver, &scaled, params, &residual, &iterations)) {
        status = CAROM_STATUS_NOT_CONVERGED;
    }
    if (status != CAROM_OK) {
        carom_orbit_clear(orbit);
        (void)carom_report_fail(report, status, "residual of the impact equations", residual, -1);
        if (report != NULL) {
            report->residual = residual;
            report->iterations = iterations;
        }
        return status;
    }
    if (scaled.is_limit) {
        choose_sign(solver);
    }
    finish(solver, &scaled, residual, orbit);
    return CAROM_OK;
}
