#include <carom/collisionless/gait/gait.h>

#include <gsl/gsl_math.h>

/* What the quantities along a gait are computed from. */
typedef struct evaluation {
    const carom_nonlinear_gait *gait;
    const carom_gait_trajectory *quarter;
    double weight;        /* m_t g, N */
    double foot_distance; /* 2 l sin(theta), m */
} evaluation;

typedef double (*quantity)(const evaluation *at, int i);

/* gap/(tau - t)^3; f = -theta - jerk (tau - t)^3/6 near the landing. */
static double clearance(const evaluation *at, int i) {
    if (i == at->quarter->landing) {
        return -at->foot_distance * at->quarter->landing_jerk / 6.0;
    }
    return at->quarter->gap[i] / gsl_pow_3(at->gait->time - at->quarter->time[i]);
}

static double lowered(const evaluation *at, int i) {
    return -at->quarter->gap[i];
}

/* Force on the landing foot over the time since the landing. */
static double force_slope(const evaluation *at, int i) {
    if (i == at->quarter->landing) {
        return at->quarter->landing_force_rate / at->weight;
    }
    return at->quarter->landing_force[i] / (at->weight * (at->quarter->time[i] - at->gait->time));
}

static double unloading(const evaluation *at, int i) {
    return -at->quarter->landing_force[i] / at->weight;
}

static double stance(const evaluation *at, int i) {
    return at->quarter->stance_force[i] / at->weight;
}

/* Minus |horizontal|/vertical. */
static double grip(const evaluation *at, int i) {
    const double vertical = at->quarter->stance_force[i] + at->quarter->landing_force[i];
    return -fabs(at->quarter->horizontal_force[i]) / vertical;
}

/* Least value of samples first .. last and of the parabolas through least inner ones. */
static double least(const evaluation *at, quantity value, int first, int last) {
    double smallest = (double)INFINITY;
    for (int i = first; i <= last; i++) {
        const double middle = value(at, i);
        smallest = fmin(smallest, middle);
        if (i == first || i == last) {
            continue;
        }
        const double left = value(at, i - 1);
        const double right = value(at, i + 1);
        if (middle < left && middle < right) {
            const double bend = left - 2.0 * middle + right;
            smallest = fmin(smallest, middle - gsl_pow_2(right - left) / (8.0 * bend));
        }
    }
    return smallest;
}

/* Largest less least energy. */
static double energy_range(const carom_gait_trajectory *quarter) {
    double low = quarter->energy[0];
    double high = low;
    for (int i = 1; i < quarter->count; i++) {
        low = fmin(low, quarter->energy[i]);
        high = fmax(high, quarter->energy[i]);
    }
    return high - low;
}

static double total_mass(const carom_armed_biped_params *biped) {
    double total = biped->masses[0];
    for (int i = 0; i <= carom_armed_biped_coordinate_count(biped); i++) {
        total += biped->masses[i];
    }
    return total;
}

carom_gait_conditions carom_gait_conditions_evaluate(const carom_armed_biped_params *biped,
                                                     const carom_nonlinear_gait *gait,
                                                     const carom_gait_trajectory *quarter) {
    CAROM_ASSERT(biped != NULL && gait != NULL && quarter != NULL);
    CAROM_ASSERT(quarter->landing >= 2 && quarter->count - quarter->landing >= 3);
    const int landing = quarter->landing;
    const int last = quarter->count - 1;
    const double length = biped->lengths[0];
    const evaluation at = {gait, quarter, total_mass(biped) * biped->gravity,
                           2.0 * length * sin(gait->half_step_angle)};
    carom_gait_conditions conditions = {
        .clearance = least(&at, clearance, 0, landing),
        .peak_gap = -least(&at, lowered, 0, landing),
        .landing_force_slope = least(&at, force_slope, landing, last),
        .max_landing_force = -least(&at, unloading, landing, last),
        .min_single_support = least(&at, stance, 0, landing),
        .min_double_support = least(&at, stance, landing, last),
        .friction_demand = -least(&at, grip, 0, landing),
        .double_friction_demand = -least(&at, grip, landing, last),
        .energy_spread = energy_range(quarter) / (at.weight * length),
    };
    conditions.is_clear = conditions.clearance > 0.0;
    conditions.is_pushed = conditions.landing_force_slope > 0.0 &&
                           conditions.min_single_support > 0.0 &&
                           conditions.min_double_support > 0.0;
    conditions.is_realizable = conditions.is_clear && conditions.is_pushed;
    return conditions;
}
