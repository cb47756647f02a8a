/** Statements about motions with two impacts (section 7.3, figures 9 to 11). */
#include "results.h"

#include <math.h>

/** The mode that the continuum ends in. */
enum { MODE = 2 };

/** Two evaluations of one motion agree: some hundred roundings, times the slope of the kernels near
 * a harmonic. */
static const double SAME = 1e-10;
/** A printed formula without its sign and gap is wrong by as much as the quantity itself. */
static const double DIFFERENT = 0.1;

/** Largest relative difference of the two speeds on the branch. */
static double speed_difference(const carom_orbit_branch *branch) {
    double difference = 0.0;
    for (int i = 0; i < branch->point_count; i++) {
        const double *lambda = branch->gap_sign[i] == 0 ? branch->direction : branch->lambda;
        const double one = lambda[2 * i];
        const double other = lambda[2 * i + 1];
        // Nothing strikes at the harmonic.
        const double size = fmax(fabs(one), fabs(other));
        if (size > SAME) {
            difference = fmax(difference, fabs(one - other) / size);
        }
    }
    return difference;
}

/** Largest errors over the motions between the ends. */
typedef struct errors {
    double axes;    /**< asymmetry about both axes */
    double formula; /**< of lambda = -d/(alpha + beta) */
    double printed; /**< smallest, of lambda = 1/(alpha + beta) */
    double sign;    /**< smallest lambda (alpha + beta)/d, 1 as printed, -1 if it is the opposite */
    double closure;
    bool is_admissible;
} errors;

/** Compare one motion. */
static void compare(const oscillator *o, const carom_orbit *orbit, errors *e) {
    const double t_1 = orbit->flight_times[0];
    const double T = orbit->period;
    e->axes = fmax(e->axes, serial_oscillator_asymmetry(o, orbit, 0.5 * t_1));
    e->axes = fmax(e->axes, serial_oscillator_asymmetry(o, orbit, 0.5 * (t_1 + T)));
    const double alpha = carom_kernels_evaluate(o->basis, T, T).gap;
    const double beta = carom_kernels_evaluate(o->basis, T, orbit->flight_times[1] - t_1).gap;
    const double lambda = orbit->lambda[0];
    const double formula = -o->basis->gap_at_rest / (alpha + beta);
    e->formula = fmax(e->formula, fabs(formula - lambda) / lambda);
    e->printed = fmin(e->printed, fabs(1.0 / (alpha + beta) - lambda) / lambda);
    e->sign = fmin(e->sign, lambda * (alpha + beta) / o->basis->gap_at_rest);
    e->closure = fmax(e->closure, serial_oscillator_closure(o, orbit));
    e->is_admissible = e->is_admissible && serial_oscillator_is_admissible(o, orbit);
}

/** Statements about motions 1 to 5. */
static void claim_motions(const oscillator *o, const double_mode *d) {
    errors e = {.printed = INFINITY, .sign = INFINITY, .is_admissible = true};
    bool has_motion = false;
    for (int i = 0; i < CASE_COUNT - 1; i++) {
        if (d->cases[i] != NULL) {
            has_motion = true;
            compare(o, d->cases[i], &e);
        }
    }
    if (!has_motion) {
        return;
    }
    const carom_measure measures[] = {
        {"double_axes_error", e.axes, "1", "largest asymmetry about t_1/2 and (t_1 + T)/2"},
        {"double_formula_error", e.formula, "1", "lambda against -d/(alpha + beta)"},
        {"double_closure", e.closure, "1", "error of one period by events"},
    };
    const carom_claim claims[] = {
        {"double_admissible", e.is_admissible, "motions 1 to 5 do not penetrate"},
        {"double_two_axes", e.axes < SAME, "motions are symmetric about t_1/2 and (t_1 + T)/2"},
        {"double_lambda_formula", e.formula < SAME, "lambda = -d/(alpha + beta)"},
        {"double_as_printed_lambda", e.printed < DIFFERENT,
         "lambda = 1/(alpha + beta) (as printed)"},
        {"double_as_printed_sign", e.sign > 0.0,
         "the sign of lambda is that of d (alpha + beta) (as printed)"},
    };
    carom_record_measures(o->record, measures, COUNT(measures));
    carom_record_claims(o->record, claims, COUNT(claims));
}

/** The limit motion at the harmonic. */
static void claim_limit(const oscillator *o, const carom_orbit *limit) {
    if (limit == NULL) {
        return;
    }
    const double exact = serial_oscillator_grazing_energy(o, MODE);
    const double mode_error = serial_oscillator_mode_error(o, limit, MODE);
    const double energy_error = fabs(limit->energy - exact) / exact;
    const carom_measure measures[] = {
        {"double_mode_error", mode_error, "1",
         "difference of the motion at 3 T_3 from the grazing linear mode 3"},
        {"double_energy_error", energy_error, "1", "difference of their energies"},
    };
    const carom_claim claim = {
        "double_ends_at_linear_mode", mode_error < SAME && energy_error < SAME,
        "motion 6, at a point (7.22) of 3 T_3, is the grazing linear mode 3"};
    carom_record_measures(o->record, measures, COUNT(measures));
    carom_record_claims(o->record, &claim, 1);
}

/** Statements about the branch and its ends. */
static void claim_branch(const oscillator *o, const double_mode *d) {
    const carom_orbit_branch *branch = d->branch;
    const int last = branch->point_count - 1;
    const int harmonic = branch->ends[0] == CAROM_BRANCH_END_HARMONIC ? 0 : 1;
    const bool ends_there = branch->ends[harmonic] == CAROM_BRANCH_END_HARMONIC;
    // The neighbour of the end says from which side it is approached.
    const double neighbour = branch->period[harmonic == 0 ? 1 : last - 1];
    const double difference = speed_difference(branch);
    const carom_measure measures[] = {
        {"double_first_period", branch->period[0], "s", "period at the first end of the branch"},
        {"double_last_period", branch->period[last], "s", "period at its last end"},
        {"double_points", branch->point_count, "1", "points of the branch"},
        {"double_speed_difference", difference, "1", "difference of the two speeds on the branch"},
        {"double_identity_error", branch->identity_error, "1",
         "largest error of E dT = -(g_0/sqrt G) d(sum lambda)"},
    };
    const carom_claim claims[] = {
        {"double_equal_speeds", difference < SAME, "both impacts have the same speed"},
        {"double_left_of_harmonic", ends_there && neighbour < d->harmonic,
         "the continuum ends at 3 T_3, from smaller periods"},
        {"double_ends_at_infinite_speed",
         branch->ends[1 - harmonic] == CAROM_BRANCH_END_INFINITE_SPEED,
         "at its other end the speed grows without bound"},
    };
    carom_record_measures(o->record, measures, COUNT(measures));
    carom_record_claims(o->record, claims, COUNT(claims));
}

void serial_oscillator_claim_double(const oscillator *o, const double_mode *d) {
    claim_motions(o, d);
    claim_limit(o, d->cases[CASE_COUNT - 1]);
    claim_branch(o, d);
}
