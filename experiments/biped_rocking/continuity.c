/** What happens at the impact, and the energy from P to P': each phase by its own sum. */
#include "results.h"

#include <carom/base/vector.h>

#include <gsl/gsl_linalg.h>

#include <math.h>
#include <stdlib.h>

/** Rows of a state. */
enum { POSITION, VELOCITY, ACCELERATION, JERK, ROWS };

/** States on both sides of the impact, and at any time; m^-1 e_N. */
typedef struct impact_states {
    double *before;     /**< [ROWS][n] */
    double *after;      /**< [ROWS][n] */
    double *state;      /**< [ROWS][n] */
    double *compliance; /**< m^-1 e_N [n] */
} impact_states;

static bool impact_states_alloc(int n, impact_states *s) {
    const size_t size = (size_t)n;
    s->before = calloc((3 * ROWS + 1) * size, sizeof *s->before);
    if (s->before == NULL) {
        return false;
    }
    s->after = s->before + ROWS * n;
    s->state = s->after + ROWS * n;
    s->compliance = s->state + ROWS * n;
    return true;
}

/** Largest jump of a row over its magnitude. */
static double jump(int n, const impact_states *s, int row) {
    double difference = 0.0;
    for (int a = 0; a < n; a++) {
        difference = fmax(difference, fabs(s->after[row * n + a] - s->before[row * n + a]));
    }
    return difference / carom_vector_largest(n, s->before + row * n);
}

/** The contact's component of a row over the row's magnitude. */
static double contact_part(int n, const impact_states *s, int row) {
    return fabs(s->before[row * n + n - 1]) / carom_vector_largest(n, s->before + row * n);
}

/** The paper: x and its first two derivatives are continuous, those of x_N vanish. */
static void write_jumps(const results *r, const impact_states *s) {
    static const char *const NAMES[] = {"position_jump", "velocity_jump", "acceleration_jump"};
    const int n = r->coordinate_count;
    for (int row = POSITION; row <= ACCELERATION; row++) {
        carom_record_measure(r->record, NAMES[row], jump(n, s, row), "1",
                             "largest jump at the impact over the largest component");
    }
    const double vanishing = fmax(contact_part(n, s, VELOCITY), contact_part(n, s, ACCELERATION));
    carom_record_measure(r->record, "contact_rates", vanishing, "1",
                         "velocity and acceleration of x_N at the impact, over the "
                         "largest component");
}

/** m^-1 e_N. */
static carom_status fill_compliance(const results *r, double *compliance) {
    const size_t n = (size_t)r->coordinate_count;
    gsl_matrix *mass = gsl_matrix_alloc(n, n);
    if (mass == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (size_t k = 0; k < n * n; k++) {
        mass->data[k] = r->mass[k];
    }
    gsl_vector_view side = gsl_vector_view_array(compliance, n);
    gsl_vector_set_basis(&side.vector, n - 1);
    const bool is_solved =
        gsl_linalg_cholesky_decomp1(mass) == 0 && gsl_linalg_cholesky_svx(mass, &side.vector) == 0;
    gsl_matrix_free(mass);
    return is_solved ? CAROM_OK
                     : carom_report_fail(r->report, CAROM_STATUS_SINGULAR, "mass", (double)NAN, -1);
}

/** The third derivative jumps by m^-1 e_N dF_N/dt: the force starts with a finite rate. Its jump
 * is written over theta; the cusp of the second derivative is in those components alone. */
static void write_cusp(const results *r, const impact_states *s) {
    const int n = r->coordinate_count;
    const double theta = r->biped.half_step_angle;
    /*[bipedJerkJump]*/
    double force[4];
    carom_spectral_motion_force(r->gait->spectral, -r->root.constrained_time, force);
    const double rate = r->gait->static_force * force[1];
    double *jumps = s->state;
    double error = 0.0;
    for (int a = 0; a < n; a++) {
        jumps[a] = s->after[JERK * n + a] - s->before[JERK * n + a];
        error = fmax(error, fabs(jumps[a] - rate * s->compliance[a]));
    }
    /*[end bipedJerkJump]*/
    const double largest = carom_vector_largest(n, jumps);
    for (int a = 0; a < n; a++) {
        jumps[a] /= theta;
    }
    carom_record_series(r->record, "/impact/jerk_jump", jumps, "/impact/coordinate", NULL, "s-3",
                        "jump of the third derivative over theta");
    carom_record_measure(r->record, "jerk_jump_error", error / largest, "1",
                         "jump of the third derivative against m^-1 e_N dF_N/dt, over "
                         "its largest component");
}

/** Both sides of the impact over theta, and m^-1 e_N. */
static void write_states(const results *r, const impact_states *s) {
    static const char AXIS[] = "/impact/coordinate";
    static const char *const PATHS[] = {"/impact/position", "/impact/velocity",
                                        "/impact/acceleration", "/impact/jerk"};
    static const char *const UNITS[] = {"1", "s-1", "s-2", "s-3"};
    const int n = r->coordinate_count;
    carom_record_index_axis(r->record, AXIS, n, "arm, torso links from above, stance leg");
    for (int row = 0; row < ROWS; row++) {
        for (int a = 0; a < n; a++) {
            s->state[a] = s->before[row * n + a] / r->biped.half_step_angle;
        }
        carom_record_series(r->record, PATHS[row], s->state, AXIS, NULL, UNITS[row],
                            "just before the impact, over theta");
    }
    carom_record_series(r->record, "/impact/compliance", s->compliance, AXIS, NULL, "kg-1 m-2",
                        "m^-1 e_N");
}

/** Energies along the way, J. */
typedef struct energy_record {
    double reference; /**< just before the impact */
    double spread;    /**< largest distance from it */
} energy_record;

/** Kinetic and potential energy of a state. */
static double add_energy(const results *r, const double *state, energy_record *record) {
    const int n = r->coordinate_count;
    double sum = 0.0;
    for (int ab = 0; ab < n * n; ab++) {
        const int a = ab / n;
        const int b = ab % n;
        const double kinetic = 0.5 * state[n + a] * r->mass[ab] * state[n + b];
        const double potential = 0.5 * state[a] * r->stiffness[ab] * state[b];
        sum += kinetic + potential;
    }
    record->spread = fmax(record->spread, fabs(sum - record->reference));
    return sum;
}

/** The paper: no energy is lost. The rest of the cycle is the mirror image of P to P'. */
static void write_energy(const results *r, const impact_states *s) {
    energy_record e = {.reference = 0.0};
    e.reference = add_energy(r, s->before, &e);
    e.spread = 0.0;
    (void)add_energy(r, s->after, &e);
    const int last = r->values->samples - 1;
    for (int k = 0; k <= last; k++) {
        biped_rocking_expand(r, CAROM_MOTION_UNCONSTRAINED, r->root.time * k / last, s->state);
        (void)add_energy(r, s->state, &e);
        biped_rocking_expand(r, CAROM_MOTION_CONSTRAINED, -r->root.constrained_time * k / last,
                             s->state);
        (void)add_energy(r, s->state, &e);
    }
    const double theta = r->biped.half_step_angle;
    carom_record_measure(r->record, "energy_per_theta2", e.reference / (theta * theta), "J",
                         "energy of the gait above equilibrium on one foot, over theta "
                         "squared");
    carom_record_measure(r->record, "energy_spread", e.spread / fabs(e.reference), "1",
                         "largest change of the energy from P to P', over the energy");
}

carom_status biped_rocking_write_continuity(const results *r) {
    impact_states s;
    if (!impact_states_alloc(r->coordinate_count, &s)) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    biped_rocking_expand(r, CAROM_MOTION_UNCONSTRAINED, r->root.time, s.before);
    biped_rocking_expand(r, CAROM_MOTION_CONSTRAINED, -r->root.constrained_time, s.after);
    carom_status status = fill_compliance(r, s.compliance);
    if (status == CAROM_OK) {
        write_states(r, &s);
        write_jumps(r, &s);
        write_cusp(r, &s);
        write_energy(r, &s);
    }
    free(s.before);
    return status;
}
