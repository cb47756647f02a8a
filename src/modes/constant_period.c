#include <carom/modes/few_impacts_internal.h>
#include <carom/modes/internal.h>

#include <carom/base/base.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/** Newton steps; from a point of a curve five are enough. */
enum { NEWTON_STEPS = 60 };

/** Halvings of a step that does not reduce the residual. */
enum { STEP_HALVINGS = 40 };

/** Bisections after which an interval of doubles is exhausted. */
enum { BISECTIONS = 60 };

/** sum rho^2 / |sin(w T/2)| up to which T counts as away from the harmonics. */
static const double LARGEST_SIZE = 1e8;

/** Residual of both equations in regular form that is rounding, of sines with large arguments. */
static const double RESIDUAL_TOLERANCE = 1e-12;

void carom_constant_period_judge_clear(carom_constant_period_judge *work) {
    carom_contact_motion_free(work->motion);
    carom_orbit_free(work->orbit);
    free(work->state);
}

carom_status carom_constant_period_judge_init(carom_constant_period_judge *work) {
    const carom_modal_basis *basis = work->basis;
    work->state = calloc(2 * (size_t)basis->visible_count, sizeof(double));
    if (work->state == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_contact_motion_alloc(basis, &work->motion));
    return carom_orbit_alloc(basis, 2, &work->orbit);
}

/** alpha = Gamma_T(T) and beta = Gamma_T(sigma_2 - sigma_1), with a = Upsilon_T of the same. */
typedef struct entries {
    double alpha;
    double beta;
    double a;
} entries;

static entries matrix_entries(const carom_modal_basis *basis, double sigma_1, double sigma_2) {
    const double T = sigma_1 + sigma_2;
    const carom_kernels difference = carom_kernels_evaluate(basis, T, sigma_2 - sigma_1);
    const entries result = {
        .alpha = carom_kernels_evaluate(basis, T, T).gap,
        .beta = difference.gap,
        .a = difference.velocity,
    };
    return result;
}

/*[constantPeriodMember]*/
carom_status carom_constant_period_member(const carom_modal_basis *basis,
                                          const carom_constant_period_family *family,
                                          double lambda_1, carom_orbit *orbit) {
    CAROM_ASSERT(basis != NULL && family != NULL && orbit != NULL);
    CAROM_ASSERT(orbit->impact_count == 2 && orbit->mode_count == basis->visible_count);
    orbit->flight_times[0] = family->sigma_1;
    orbit->flight_times[1] = family->sigma_2;
    orbit->lambda[0] = lambda_1;
    orbit->lambda[1] = family->lambda_sum - lambda_1;
    const carom_status status = carom_orbit_complete(basis, orbit);
    if (status != CAROM_OK) {
        carom_orbit_clear(orbit);
        return status;
    }
    // |Pi lambda| / |lambda| = |a|, and both rows of Sigma lambda + g
    const double g = basis->gap_at_rest;
    const entries e = matrix_entries(basis, family->sigma_1, family->sigma_2);
    const double first = e.alpha * orbit->lambda[0] + e.beta * orbit->lambda[1] + g;
    const double second = e.beta * orbit->lambda[0] + e.alpha * orbit->lambda[1] + g;
    orbit->residual = fmax(fabs(e.a), fmax(fabs(first), fabs(second)) / fabs(g));
    return CAROM_OK;
}
/*[end constantPeriodMember]*/

/** Certify a member, its violation as NaN if it cannot be computed. */
static bool is_admissible(carom_constant_period_judge *work,
                          const carom_constant_period_family *family, double lambda_1,
                          double *violation) {
    *violation = (double)NAN;
    if (carom_constant_period_member(work->basis, family, lambda_1, work->orbit) != CAROM_OK) {
        return false;
    }
    const carom_admissibility admissibility = carom_orbit_certify(
        work->basis, work->motion, work->orbit, work->state, CAROM_ADMISSIBILITY_TOLERANCE);
    *violation = admissibility.largest_gap_violation;
    return admissibility.is_admissible;
}

/**
 * Each x_c(t) is linear in lambda_1, so that x_c <= g_0 holds on
 * an interval; reversed in time, lambda_1 and lambda_2 change places, so that it lies evenly about
 * lambda_1 = lambda_2.
 */
/*[admissibleRange]*/
void carom_constant_period_judge_family(carom_constant_period_judge *work,
                                        carom_constant_period_family *family) {
    const double middle = 0.5 * family->lambda_sum;
    double violation;
    family->is_full = 0;
    family->lower_lambda = (double)NAN;
    family->upper_lambda = (double)NAN;
    if (!(middle >= 0.0) || !is_admissible(work, family, middle, &violation)) {
        return;
    }
    double low = 0.0;
    double high = middle;
    if (is_admissible(work, family, 0.0, &violation)) {
        family->is_full = 1;
        high = low;
    }
    for (int i = 0; i < BISECTIONS && high - low > DBL_EPSILON * middle; i++) {
        const double lambda_1 = 0.5 * (low + high);
        (void)is_admissible(work, family, lambda_1, &violation);
        *(violation > 0.0 ? &low : &high) = lambda_1;
    }
    family->lower_lambda = high;
    family->upper_lambda = family->lambda_sum - high;
}
/*[end admissibleRange]*/

carom_constant_period_equations carom_constant_period_equations_at(const carom_modal_basis *basis,
                                                                   const double *sigma) {
    carom_constant_period_equations e = {.sign = 1.0};
    for (int l = 0; l < basis->visible_count; l++) {
        const double w = basis->frequency[l];
        const double rho = basis->participation[l];
        const double S = sin(0.5 * w * (sigma[0] + sigma[1]));
        const double first = sin(0.5 * w * sigma[0]);
        const double second = sin(0.5 * w * sigma[1]);
        const double weight = rho * rho / S;
        e.a += weight * sin(0.5 * w * (sigma[1] - sigma[0]));
        e.c += weight * first * second / w;
        e.by_a[0] -= 0.5 * w * weight * sin(w * sigma[1]) / S;
        e.by_a[1] += 0.5 * w * weight * sin(w * sigma[0]) / S;
        e.by_c[0] += 0.5 * weight * second * second / S;
        e.by_c[1] += 0.5 * weight * first * first / S;
        e.size += fabs(weight);
        e.by_size -= 0.5 * w * fabs(weight) * cos(0.5 * w * (sigma[0] + sigma[1])) / S;
        e.sign = S < 0.0 ? -e.sign : e.sign;
        e.timescale += rho * rho / w;
    }
    return e;
}

/** Size of both equations, with their poles: these are walls that Newton's method stays between. */
static double merit(const carom_constant_period_equations *e) {
    return hypot(e->a, e->c / e->timescale);
}

/**
 * Whether flight times solve both equations. Towards the harmonic points of (7.22) both equations
 * vanish in regular form whatever they are, so that there nothing is a solution.
 */
static bool is_solution(const carom_constant_period_equations *e) {
    return e->size <= LARGEST_SIZE && merit(e) <= RESIDUAL_TOLERANCE * e->size;
}

bool carom_constant_period_newton(const carom_modal_basis *basis, double *sigma) {
    carom_constant_period_equations e = carom_constant_period_equations_at(basis, sigma);
    for (int i = 0; i < NEWTON_STEPS; i++) {
        const double determinant = e.by_a[0] * e.by_c[1] - e.by_a[1] * e.by_c[0];
        double step[2] = {-(e.a * e.by_c[1] - e.c * e.by_a[1]) / determinant,
                          -(e.c * e.by_a[0] - e.a * e.by_c[0]) / determinant};
        const double T = sigma[0] + sigma[1];
        if (!isfinite(step[0]) || !isfinite(step[1])) {
            return false;
        }
        if (is_solution(&e) && fabs(step[0]) + fabs(step[1]) <= 4.0 * DBL_EPSILON * T) {
            return true;
        }
        bool is_better = false;
        carom_constant_period_equations next = e;
        double trial[2] = {sigma[0], sigma[1]};
        for (int h = 0; h < STEP_HALVINGS && !is_better; h++) {
            trial[0] = sigma[0] + step[0];
            trial[1] = sigma[1] + step[1];
            if (trial[0] > 0.0 && trial[1] > 0.0) {
                next = carom_constant_period_equations_at(basis, trial);
                is_better = merit(&next) < merit(&e);
            }
            step[0] *= 0.5;
            step[1] *= 0.5;
        }
        if (!is_better) {
            // no smaller residual in reach: the last digits, or no solution
            return is_solution(&e);
        }
        memcpy(sigma, trial, sizeof trial);
        e = next;
    }
    return is_solution(&e);
}

carom_constant_period_family carom_constant_period_family_at(const carom_modal_basis *basis,
                                                             const double *sigma) {
    carom_constant_period_family family = {
        .sigma_1 = fmin(sigma[0], sigma[1]),
        .sigma_2 = fmax(sigma[0], sigma[1]),
        .is_full = 0,
        .lower_lambda = (double)NAN,
        .upper_lambda = (double)NAN,
    };
    const double T = sigma[0] + sigma[1];
    family.is_bridge =
        family.sigma_2 - family.sigma_1 <= CAROM_CONSTANT_PERIOD_DISTANCE * T ? 1 : 0;
    if (family.is_bridge == 1) {
        family.sigma_1 = 0.5 * T;
        family.sigma_2 = 0.5 * T;
    }
    // alpha + beta rather than alpha: to first order the same, whatever is left of c
    const entries e = matrix_entries(basis, family.sigma_1, family.sigma_2);
    family.lambda_sum = -2.0 * basis->gap_at_rest / (e.alpha + e.beta);
    return family;
}

carom_status carom_constant_period_check_gap(const carom_modal_basis *basis, carom_report *report) {
    if (fabs(basis->gap_at_rest) > 0.0) {
        return CAROM_OK;
    }
    return carom_report_refuse(report, "gap at rest", basis->gap_at_rest, -1, "not 0");
}

carom_status carom_constant_period_solve(const carom_modal_basis *basis, double sigma_1,
                                         double sigma_2, carom_constant_period_family *family,
                                         carom_report *report) {
    CAROM_ASSERT(basis != NULL && family != NULL);
    double sigma[2] = {sigma_1, sigma_2};
    *family = (carom_constant_period_family){
        .sigma_1 = (double)NAN,
        .sigma_2 = (double)NAN,
        .lambda_sum = (double)NAN,
        .lower_lambda = (double)NAN,
        .upper_lambda = (double)NAN,
    };
    CAROM_TRY(carom_constant_period_check_gap(basis, report));
    for (int j = 0; j < 2; j++) {
        if (!(sigma[j] > 0.0 && sigma[j] <= DBL_MAX)) {
            return carom_report_refuse(report, "flight time", sigma[j], j, "> 0, finite");
        }
    }
    if (!carom_constant_period_newton(basis, sigma)) {
        return carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, "flight time", sigma[0], 0);
    }
    CAROM_AUTO_VALUE(carom_constant_period_judge) work = {.basis = basis};
    CAROM_TRY(carom_constant_period_judge_init(&work));
    *family = carom_constant_period_family_at(basis, sigma);
    carom_constant_period_judge_family(&work, family);
    return CAROM_OK;
}
