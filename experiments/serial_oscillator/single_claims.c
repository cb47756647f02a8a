/** Statements about motions with one impact (section 7.2, figures 6 to 8). */
#include "results.h"

#include <carom/base/vector.h>

#include <math.h>

/** The mode that the continuum ends in. */
enum { MODE = 2 };

/** Two evaluations of one motion agree: some hundred roundings, times the slope of the kernels near
 * a harmonic, below a hundred for periods a hundredth away from it. */
static const double SAME = 1e-10;
/** Printed formulas with a wrong sign are wrong by as much as the quantity itself. */
static const double DIFFERENT = 0.1;
/** Sections of the search for the least energy: its error is the root of rounding. */
enum { GOLDEN_SECTIONS = 60 };
/** Periods on which the sign of phi is looked at. */
enum { SIGN_SAMPLES = 200 };

/** Largest errors over all motions of the continuum, each relative to the size of its quantity. */
typedef struct errors {
    double symmetry;
    double half_period;      /**< speed at T/2 */
    double continuity;       /**< of the velocities of all masses but the last */
    double kernel;           /**< positions and velocities from the kernels */
    double printed_velocity; /**< smallest, of velocities with the printed sign */
    double speed;
    double printed_speed; /**< smallest, of x_n'(0+) = lambda/m_n */
    double closure;
    bool is_admissible;
} errors;

/** Motion by (7.16a), and (7.16b) with both signs, against the propagated one. */
static void compare_kernels(const oscillator *o, const carom_orbit *orbit, double *work,
                            errors *e) {
    const int n = o->basis->coordinate_count;
    double *phi = work;
    double *psi = work + n;
    double printed = 0.0;
    double position_size = 0.0;
    double velocity_size = 0.0;
    double position_error = 0.0;
    double velocity_error = 0.0;
    for (int i = 0; i < o->values->points; i++) {
        const double time = orbit->period * (i + 0.5) / o->values->points;
        serial_oscillator_motion(o, orbit, time, o->position, o->velocity);
        carom_kernels_shape(o->basis, orbit->period, 2.0 * time - orbit->period, phi, psi);
        position_size = fmax(position_size, carom_vector_largest(n, o->position));
        velocity_size = fmax(velocity_size, carom_vector_largest(n, o->velocity));
        for (int p = 0; p < n; p++) {
            const double u = orbit->lambda[0] * phi[p];
            const double v = orbit->lambda[0] * psi[p];
            position_error = fmax(position_error, fabs(o->position[p] - u));
            velocity_error = fmax(velocity_error, fabs(o->velocity[p] - v));
            printed = fmax(printed, fabs(o->velocity[p] + v));
        }
    }
    e->kernel =
        fmax(e->kernel, fmax(position_error / position_size, velocity_error / velocity_size));
    e->printed_velocity = fmin(e->printed_velocity, printed / velocity_size);
}

/** What happens at the impact and half a period later; work [2n]. */
static void compare_impact(const oscillator *o, const carom_orbit *orbit, double *work, errors *e) {
    const int n = o->basis->coordinate_count;
    double *before = work;
    double *after = work + n;
    const double T = orbit->period;
    serial_oscillator_motion(o, orbit, T, NULL, before);
    serial_oscillator_motion(o, orbit, 0.0, NULL, after);
    const double size = carom_vector_largest(n, after);
    for (int p = 0; p < n - 1; p++) {
        e->continuity = fmax(e->continuity, fabs(after[p] - before[p]) / size);
    }
    const double root_G = o->basis->root_inverse_mass;
    const double speed = root_G * orbit->lambda[0];
    e->speed = fmax(e->speed, fabs(after[n - 1] + speed) / size);
    e->printed_speed = fmin(e->printed_speed, fabs(after[n - 1] - root_G * speed) / size);
    serial_oscillator_motion(o, orbit, 0.5 * T, NULL, o->velocity);
    e->half_period = fmax(e->half_period, carom_vector_largest(n, o->velocity) / size);
}

/** All errors of all motions between the ends; work [2n]. */
static errors find_errors(const oscillator *o, const single_mode *s, double *work) {
    errors e = {.printed_velocity = INFINITY, .printed_speed = INFINITY, .is_admissible = true};
    for (int i = 0; i < CASE_COUNT - 1; i++) {
        const carom_orbit *orbit = s->cases[i];
        if (orbit == NULL) {
            continue;
        }
        e.symmetry = fmax(e.symmetry, serial_oscillator_asymmetry(o, orbit, 0.0));
        e.symmetry = fmax(e.symmetry, serial_oscillator_asymmetry(o, orbit, 0.5 * orbit->period));
        compare_kernels(o, orbit, work, &e);
        compare_impact(o, orbit, work, &e);
        e.is_admissible = e.is_admissible && serial_oscillator_is_admissible(o, orbit);
        // The first motion grazes: whether that is an impact is for rounding to say.
        e.closure = i == 0 ? e.closure : fmax(e.closure, serial_oscillator_closure(o, orbit));
    }
    return e;
}

/** Write the errors and what they decide. */
static void claim_motions(const oscillator *o, const errors *e) {
    const carom_measure measures[] = {
        {"single_symmetry_error", e->symmetry, "1", "largest asymmetry about 0 and T/2"},
        {"single_half_period_speed", e->half_period, "1", "speed at T/2 over that at the impact"},
        {"single_continuity_error", e->continuity, "1",
         "jump of the other masses' velocities at the impact"},
        {"single_kernel_error", e->kernel, "1", "motion from (7.16) against propagation"},
        {"single_closure", e->closure, "1", "error of one period by events"},
    };
    const carom_claim claims[] = {
        {"single_admissible", e->is_admissible, "motions 1 to 5 do not penetrate"},
        {"single_symmetric", e->symmetry < SAME, "motions are symmetric about 0 and T/2"},
        {"single_rests_at_half_period", e->half_period < SAME, "all velocities vanish at T/2"},
        {"single_velocities_continuous", e->continuity < SAME,
         "the impact changes the velocity of no other mass"},
        {"single_kernel_motion", e->kernel < SAME,
         "motions are (7.16a), velocities (7.16b) with a plus sign"},
        {"single_as_printed_velocity", e->printed_velocity < DIFFERENT,
         "velocities are (7.16b) with a minus sign (as printed)"},
        {"single_speed", e->speed < SAME, "x_n'(0+) = -lambda/sqrt(m_n)"},
        {"single_as_printed_speed", e->printed_speed < DIFFERENT,
         "x_n'(0+) = lambda/m_n (as printed)"},
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
        {"single_grazing_energy", limit->energy, "J", "energy of the motion at 4 T_3"},
        {"single_mode_error", mode_error, "1", "its difference from the grazing linear mode 3"},
        {"single_energy_error", energy_error, "1", "difference of their energies"},
    };
    const carom_claim claim = {"single_ends_at_linear_mode",
                               mode_error < SAME && energy_error < SAME,
                               "the limit at 4 T_3 is the grazing linear mode 3"};
    carom_record_measures(o->record, measures, COUNT(measures));
    carom_record_claims(o->record, &claim, 1);
}

/** Energy of the motion of a period; infinite without one. */
static double energy_at(const oscillator *o, carom_orbit *orbit, double period) {
    const carom_status status = carom_single_impact_orbit(o->basis, period, orbit);
    return status == CAROM_OK ? orbit->energy : (double)INFINITY;
}

/** The least energy of the continuum, by golden sections. */
static carom_status measure_least_energy(const oscillator *o, const single_mode *s) {
    carom_orbit *orbit = NULL;
    CAROM_TRY(carom_orbit_alloc(o->basis, 1, &orbit));
    const double golden = 0.5 * (sqrt(5.0) - 1.0);
    double low = s->interval->lower;
    double high = s->interval->upper;
    for (int i = 0; i < GOLDEN_SECTIONS; i++) {
        const double left = high - golden * (high - low);
        const double right = low + golden * (high - low);
        if (energy_at(o, orbit, left) < energy_at(o, orbit, right)) {
            high = right;
        } else {
            low = left;
        }
    }
    const double T = 0.5 * (low + high);
    const double least = energy_at(o, orbit, T);
    const carom_measure measures[] = {
        {"single_least_energy", isfinite(least) ? least : (double)NAN, "J",
         "least energy of the continuum"},
        {"single_least_energy_period", T, "s", "period of the least energy"},
    };
    carom_orbit_free(orbit);
    carom_record_measures(o->record, measures, COUNT(measures));
    return CAROM_OK;
}

/** Marks 1 and 6 of figure 6. */
static void claim_marks(const oscillator *o, const single_mode *s) {
    const carom_period_interval *interval = s->interval;
    bool is_positive = true;
    for (int i = 0; i < SIGN_SAMPLES; i++) {
        const double T = interval->lower + (interval->upper - interval->lower) * i / SIGN_SAMPLES;
        is_positive = is_positive && serial_oscillator_phi(o->basis, T) > 0.0;
    }
    const carom_measure measures[] = {
        {"single_lower_end", interval->lower, "s", "shortest period of the continuum"},
        {"single_upper_end", interval->upper, "s", "its longest period"},
        {"single_grazing_fraction", interval->lower_grazing_time / interval->lower, "1",
         "instant of the new contact at the shortest period, over the period"},
    };
    const carom_claim claim = {"phi_marks",
                               is_positive && interval->lower_end == CAROM_BRANCH_END_NEW_CONTACT &&
                                   interval->upper_end == CAROM_BRANCH_END_HARMONIC,
                               "marks 1 and 6 delimit admissible periods with phi > 0"};
    carom_record_measures(o->record, measures, COUNT(measures));
    carom_record_claims(o->record, &claim, 1);
}

carom_status serial_oscillator_claim_single(const oscillator *o, const single_mode *s) {
    bool has_motion = false;
    for (int i = 0; i < CASE_COUNT - 1; i++) {
        has_motion = has_motion || s->cases[i] != NULL;
    }
    if (has_motion) {
        const errors e = find_errors(o, s, o->work);
        claim_motions(o, &e);
    }
    claim_limit(o, s->cases[CASE_COUNT - 1]);
    CAROM_TRY(measure_least_energy(o, s));
    const carom_measure identity = {"single_identity_error",
                                    s->branch == NULL ? (double)NAN : s->branch->identity_error,
                                    "1", "largest error of E dT = -(g_0/sqrt G) d lambda"};
    carom_record_measures(o->record, &identity, 1);
    claim_marks(o, s);
    return CAROM_OK;
}
