/** Gaits along the branch as columns: times, energy, states, conditions on the feet. */
#include "nonlinear.h"

#include <gsl/gsl_math.h>
#include <stdlib.h>

/** Numbers of a gait. */
enum {
    AMPLITUDE,
    TIME,
    CONSTRAINED_TIME,
    PERIOD,
    ENERGY,
    RESIDUAL,
    ARM,
    CLEARANCE,
    PEAK_GAP,
    LANDING_FORCE_SLOPE,
    MAX_LANDING_FORCE,
    MIN_SINGLE_SUPPORT,
    MIN_DOUBLE_SUPPORT,
    FRICTION,
    DOUBLE_FRICTION,
    ENERGY_SPREAD,
    REALIZABLE,
    NUMBERS
};

/** States of a gait: at P, where it is at rest; at the landing; velocity at P'. */
enum { POSITION_P, POSITION_LANDING, VELOCITY_LANDING, VELOCITY_P_PRIME, STATES };

static void fill_numbers(const carom_nonlinear_gait *gait, const carom_gait_conditions *conditions,
                         double *numbers[NUMBERS], int i) {
    numbers[AMPLITUDE][i] = gait->half_step_angle;
    numbers[TIME][i] = gait->time;
    numbers[CONSTRAINED_TIME][i] = gait->constrained_time;
    numbers[PERIOD][i] = 4.0 * (gait->time + gait->constrained_time);
    numbers[ENERGY][i] = gait->excess_energy;
    numbers[RESIDUAL][i] = gait->residual;
    numbers[ARM][i] = gait->states[0] - M_PI;
    numbers[CLEARANCE][i] = conditions->clearance;
    numbers[PEAK_GAP][i] = conditions->peak_gap;
    numbers[LANDING_FORCE_SLOPE][i] = conditions->landing_force_slope;
    numbers[MAX_LANDING_FORCE][i] = conditions->max_landing_force;
    numbers[MIN_SINGLE_SUPPORT][i] = conditions->min_single_support;
    numbers[MIN_DOUBLE_SUPPORT][i] = conditions->min_double_support;
    numbers[FRICTION][i] = conditions->friction_demand;
    numbers[DOUBLE_FRICTION][i] = conditions->double_friction_demand;
    numbers[ENERGY_SPREAD][i] = conditions->energy_spread;
    numbers[REALIZABLE][i] = conditions->is_realizable ? 1.0 : 0.0;
}

static void fill_states(const carom_nonlinear_gait *gait, double *states[STATES], int i) {
    const int N = gait->coordinate_count;
    const double *landing = gait->states + 2 * N * gait->segment_count;
    const double *last = landing + 2 * N * gait->constrained_segment_count;
    for (int j = 0; j < N; j++) {
        states[POSITION_P][i * N + j] = gait->states[j];
        states[POSITION_LANDING][i * N + j] = landing[j];
        states[VELOCITY_LANDING][i * N + j] = landing[N + j];
        states[VELOCITY_P_PRIME][i * N + j] = last[N + j];
    }
}

static void write_numbers(const results *r, double *const numbers[NUMBERS]) {
    static const struct {
        const char *name;
        const char *units;
        const char *long_name;
    } names[NUMBERS] = {
        [AMPLITUDE] = {"amplitude", "rad", "theta, half the angle between the legs"},
        [TIME] = {"impact_time", "s", "tau, from P to the landing"},
        [CONSTRAINED_TIME] = {"constrained_time", "s", "tau', from the landing to P'"},
        [PERIOD] = {"period", "s", "of the cycle, 4 (tau + tau')"},
        [ENERGY] = {"energy", "J", "above the equilibrium on one foot"},
        [RESIDUAL] = {"residual", "1", "largest scaled equation of the shooting"},
        [ARM] = {"arm_at_P", "rad", "angle of the arm at P from hanging"},
        [CLEARANCE] = {"clearance", "m s-3", "least height of the free foot over (tau - t)^3"},
        [PEAK_GAP] = {"peak_gap", "m", "largest height of the free foot"},
        [LANDING_FORCE_SLOPE] = {"landing_force_slope", "s-1",
                                 "least force on the landing foot over weight and time from then"},
        [MAX_LANDING_FORCE] = {"max_landing_force", "1",
                               "largest vertical force on the landing foot up to P', over weight"},
        [MIN_SINGLE_SUPPORT] = {"min_single_support", "1",
                                "least vertical force on one foot, over weight"},
        [MIN_DOUBLE_SUPPORT] = {"min_double_support", "1",
                                "least vertical force on the other of two feet, over weight"},
        [FRICTION] = {"friction_demand", "1", "largest horizontal over vertical force, one foot"},
        [DOUBLE_FRICTION] = {"double_friction_demand", "1", "of both feet on the ground together"},
        [ENERGY_SPREAD] = {"energy_spread", "1",
                           "largest less least energy along the gait, over m_t g h"},
        [REALIZABLE] = {"realizable", "1", "1: the free foot is clear, no foot is pulled"},
    };
    carom_record to = carom_record_group(r->record, "/nonlinear");
    for (int k = 0; k < NUMBERS; k++) {
        const carom_column column = {names[k].name, numbers[k], names[k].units, names[k].long_name};
        carom_record_columns(&to, "point", NULL, &column, 1);
    }
}

static void write_states(const results *r, double *const states[STATES]) {
    const carom_column matrices[STATES] = {
        {"position_P", states[POSITION_P], "rad", "absolute angles at P, at rest"},
        {"position_landing", states[POSITION_LANDING], "rad", "absolute angles at the landing"},
        {"velocity_landing", states[VELOCITY_LANDING], "rad s-1", "rates at the landing"},
        {"velocity_P_prime", states[VELOCITY_P_PRIME], "rad s-1",
         "rates at P', arm hanging, torso upright"},
    };
    carom_record to = carom_record_group(r->record, "/nonlinear");
    carom_record_columns(&to, "point", "coordinate", matrices, STATES);
}

carom_status biped_rocking_write_points(const results *r, int count,
                                        const carom_nonlinear_gait *gaits,
                                        const carom_gait_conditions *conditions) {
    const size_t n = (size_t)count;
    const size_t N = (size_t)r->coordinate_count;
    CAROM_AUTO_MEMORY double *memory = malloc(n * (NUMBERS + STATES * N) * sizeof *memory);
    if (memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *numbers[NUMBERS];
    double *states[STATES];
    for (size_t k = 0; k < NUMBERS; k++) {
        numbers[k] = memory + k * n;
    }
    for (size_t k = 0; k < STATES; k++) {
        states[k] = memory + (NUMBERS + k * N) * n;
    }
    for (int i = 0; i < count; i++) {
        fill_numbers(&gaits[i], &conditions[i], numbers, i);
        fill_states(&gaits[i], states, i);
    }
    carom_record_index_axis(r->record, "/nonlinear/point", count, "gait, along the branch");
    write_numbers(r, numbers);
    write_states(r, states);
    return CAROM_OK;
}
