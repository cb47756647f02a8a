#include <carom/collisionless/gait/internal.h>

#include <gsl/gsl_math.h>
#include <stdlib.h>
#include <string.h>

/* tau and tau' count in units of this many sqrt(l/g): they vary more than the angles. */
static const double TIME_UNITS = 4.0;

/* A start whose configuration at P differs by more than this part is none: its digits are given. */
static const double MOST_MISMATCH = 1e-4;

static int coordinates(const carom_gait_shooting *shooting) {
    return shooting->dynamics->count;
}

/* A segment of double support: the leg is held. */
static bool is_held(const carom_gait_shooting *shooting, int k) {
    return k >= shooting->params.segments;
}

static int segment_total(const carom_gait_shooting *shooting) {
    return shooting->params.segments + shooting->params.constrained_segments;
}

static double segment_time(const carom_gait_shooting *shooting, const double *u, int k) {
    const carom_gait_params *params = &shooting->params;
    const double *times = u + shooting->count - 3;
    return is_held(shooting, k) ? times[1] / params->constrained_segments
                                : times[0] / params->segments;
}

/* Place of an entry of a state without those of the leg; -1 for the leg. */
static int place_without_leg(int n, int entry) {
    if (entry == n - 1 || entry == 2 * n - 1) {
        return -1;
    }
    return entry < n ? entry : entry - 1;
}

/* Unknown that is entry `entry` of the state at the beginning of segment k; -1: it is none. */
static int unknown_index(const carom_gait_shooting *shooting, int k, int entry) {
    const int n = coordinates(shooting);
    const int m = shooting->params.segments;
    if (k == 0) {
        return entry < n ? entry : -1;
    }
    if (!is_held(shooting, k)) {
        return n + 2 * n * (k - 1) + entry;
    }
    const int place = place_without_leg(n, entry);
    return place < 0 ? -1 : n + 2 * n * (m - 1) + (2 * n - 2) * (k - m) + place;
}

/* Equation about entry `entry` of the state at the end of segment k; -1: there is none. */
static int equation_index(const carom_gait_shooting *shooting, int k, int entry) {
    const int n = coordinates(shooting);
    const int m = shooting->params.segments;
    if (!is_held(shooting, k)) {
        return 2 * n * k + entry;
    }
    if (k == segment_total(shooting) - 1 && entry >= n) {
        return -1;
    }
    const int place = place_without_leg(n, entry);
    return place < 0 ? -1 : 2 * n * m + 1 + (2 * n - 2) * (k - m) + place;
}

static int landing_equation(const carom_gait_shooting *shooting) {
    return 2 * coordinates(shooting) * shooting->params.segments;
}

/* Angles count as they are, rates in sqrt(g/l). */
static double entry_unit(const carom_gait_shooting *shooting, int entry) {
    return entry < coordinates(shooting) ? 1.0 : shooting->dynamics->time_unit;
}

/* Mean square of the states, theta, and the two times. */
static void fill_weights(carom_gait_shooting *shooting) {
    const int count = shooting->count;
    const int total = segment_total(shooting);
    for (int k = 0; k < total; k++) {
        for (int entry = 0; entry < 2 * coordinates(shooting); entry++) {
            const int i = unknown_index(shooting, k, entry);
            if (i >= 0) {
                shooting->weight[i] = gsl_pow_2(entry_unit(shooting, entry)) / total;
            }
        }
    }
    const double time_weight = gsl_pow_2(1.0 / (TIME_UNITS * shooting->dynamics->time_unit));
    shooting->weight[count - 3] = time_weight;
    shooting->weight[count - 2] = time_weight;
    shooting->weight[count - 1] = 1.0;
}

static carom_status make_arrays(carom_gait_shooting *shooting) {
    const size_t width = 2 * (size_t)coordinates(shooting);
    const size_t count = (size_t)shooting->count;
    CAROM_TRY(carom_factor_alloc(carom_layout_full(shooting->count), &shooting->factor));
    const size_t states = (width + 1) * width + 3 * width;
    shooting->weight = calloc(count * count + 4 * count + states, sizeof(double));
    if (shooting->weight == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    shooting->residual = shooting->weight + count;
    shooting->step = shooting->residual + count;
    shooting->trial = shooting->step + count;
    shooting->matrix = shooting->trial + count;
    shooting->sensitivity = shooting->matrix + count * count;
    shooting->state = shooting->sensitivity + (width + 1) * width;
    shooting->next = shooting->state + width;
    shooting->rate = shooting->next + width;
    return CAROM_OK;
}

carom_status carom_gait_shooting_alloc(const carom_armed_biped_params *biped,
                                       const carom_gait_params *params, carom_gait_shooting **out,
                                       carom_report *report) {
    *out = NULL;
    CAROM_AUTO(carom_gait_shooting) shooting = calloc(1, sizeof *shooting);
    if (shooting == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_gait_dynamics_alloc(biped, &shooting->dynamics, report));
    shooting->params = *params;
    const int n = shooting->dynamics->count;
    shooting->count = 2 * n * params->segments + (2 * n - 2) * params->constrained_segments - n + 3;
    CAROM_TRY(
        carom_gait_flow_alloc(shooting->dynamics, params->integration_error, &shooting->flow));
    CAROM_TRY(make_arrays(shooting));
    fill_weights(shooting);
    CAROM_HAND_OVER(shooting, out);
    return CAROM_OK;
}

void carom_gait_shooting_free(carom_gait_shooting *shooting) {
    if (shooting == NULL) {
        return;
    }
    carom_gait_flow_free(shooting->flow);
    carom_gait_dynamics_free(shooting->dynamics);
    carom_factor_free(shooting->factor);
    free(shooting->weight);
    free(shooting);
}

void carom_gait_shooting_state(const carom_gait_shooting *shooting, const double *u, int k,
                               double *state) {
    const int n = coordinates(shooting);
    for (int entry = 0; entry < 2 * n; entry++) {
        const int i = unknown_index(shooting, k, entry);
        state[entry] = i >= 0 ? u[i] : 0.0;
    }
    if (is_held(shooting, k)) {
        state[n - 1] = -u[shooting->count - 1];
    }
}

/* What the state at the end of segment k has to be: the beginning of the next one, or P'. */
static void target_state(const carom_gait_shooting *shooting, const double *u, int k,
                         double *state) {
    if (k + 1 < segment_total(shooting)) {
        carom_gait_shooting_state(shooting, u, k + 1, state);
        return;
    }
    memset(state, 0, 2 * (size_t)coordinates(shooting) * sizeof *state);
    state[0] = M_PI;
}

/* Derivatives of the end of segment k by its beginning, its duration and theta. */
static void fill_segment_rows(carom_gait_shooting *shooting, int k, const double *end_rate) {
    const int n = coordinates(shooting);
    const int width = 2 * n;
    const int count = shooting->count;
    const bool held = is_held(shooting, k);
    const int segments = held ? shooting->params.constrained_segments : shooting->params.segments;
    const double *S = shooting->sensitivity;
    for (int entry = 0; entry < width; entry++) {
        const int equation = equation_index(shooting, k, entry);
        if (equation < 0) {
            continue;
        }
        const double unit = entry_unit(shooting, entry);
        double *row = shooting->matrix + (size_t)equation * (size_t)count;
        for (int i = 0; i < width; i++) {
            const int unknown = unknown_index(shooting, k, i);
            if (unknown >= 0) {
                row[unknown] = unit * S[i * width + entry];
            }
        }
        row[held ? count - 2 : count - 3] = unit * end_rate[entry] / segments;
        /* What swings above a leg at rest does not depend on its angle, -theta. */
        row[count - 1] = unit * S[width * width + entry];
    }
}

/* Minus the derivatives of what segment k has to end at. */
static void fill_target_rows(carom_gait_shooting *shooting, int k) {
    const int n = coordinates(shooting);
    const int count = shooting->count;
    if (k + 1 == segment_total(shooting)) {
        return;
    }
    for (int entry = 0; entry < 2 * n; entry++) {
        const int equation = equation_index(shooting, k, entry);
        const int unknown = unknown_index(shooting, k + 1, entry);
        if (equation >= 0 && unknown >= 0) {
            shooting->matrix[(size_t)equation * (size_t)count + (size_t)unknown] =
                -entry_unit(shooting, entry);
        }
    }
    if (k + 1 == shooting->params.segments) {
        const int equation = equation_index(shooting, k, n - 1);
        shooting->matrix[(size_t)equation * (size_t)count + (size_t)count - 1] += 1.0;
    }
}

static carom_status evaluate_segment(carom_gait_shooting *shooting, const double *u, int k) {
    const int n = coordinates(shooting);
    const double theta = u[shooting->count - 1];
    const bool held = is_held(shooting, k);
    double *end = shooting->state;
    double *end_rate = shooting->rate;
    carom_gait_shooting_state(shooting, u, k, end);
    CAROM_TRY(carom_gait_flow_advance(shooting->flow, theta, held, segment_time(shooting, u, k),
                                      end, shooting->sensitivity));
    memcpy(end_rate, end + n, (size_t)n * sizeof *end_rate);
    CAROM_TRY(carom_gait_dynamics_acceleration(shooting->dynamics, theta, held, end, end_rate + n));

    target_state(shooting, u, k, shooting->next);
    for (int entry = 0; entry < 2 * n; entry++) {
        const int equation = equation_index(shooting, k, entry);
        if (equation >= 0) {
            shooting->residual[equation] =
                entry_unit(shooting, entry) * (end[entry] - shooting->next[entry]);
        }
    }
    fill_segment_rows(shooting, k, end_rate);
    fill_target_rows(shooting, k);
    return CAROM_OK;
}

/* F_N = 0 where the leg lands. */
static carom_status evaluate_landing(carom_gait_shooting *shooting, const double *u) {
    const int n = coordinates(shooting);
    const int count = shooting->count;
    const int m = shooting->params.segments;
    const int equation = landing_equation(shooting);
    double *row = shooting->matrix + (size_t)equation * (size_t)count;
    double *gradient = shooting->sensitivity;
    carom_gait_shooting_state(shooting, u, m, shooting->state);
    CAROM_TRY(carom_gait_dynamics_landing_torque(shooting->dynamics, u[count - 1], shooting->state,
                                                 &shooting->residual[equation], gradient));
    for (int entry = 0; entry < 2 * n; entry++) {
        const int unknown = unknown_index(shooting, m, entry);
        if (unknown >= 0) {
            row[unknown] = gradient[entry];
        }
    }
    row[count - 1] = gradient[2 * n] - gradient[n - 1];
    return CAROM_OK;
}

carom_status carom_gait_shooting_evaluate(carom_gait_shooting *shooting, const double *u) {
    const int count = shooting->count;
    if (!(u[count - 3] > 0.0 && u[count - 2] > 0.0 && u[count - 1] >= 0.0)) {
        return CAROM_STATUS_OUT_OF_RANGE;
    }
    memset(shooting->matrix, 0, (size_t)count * (size_t)count * sizeof *shooting->matrix);
    for (int k = 0; k < segment_total(shooting); k++) {
        CAROM_TRY(evaluate_segment(shooting, u, k));
    }
    CAROM_TRY(evaluate_landing(shooting, u));
    double square = 0.0;
    double largest = 0.0;
    for (int i = 0; i < count - 1; i++) {
        square += gsl_pow_2(shooting->residual[i]);
        largest = fmax(largest, fabs(shooting->residual[i]));
    }
    shooting->norm = sqrt(square);
    shooting->largest = largest;
    return isfinite(square) ? CAROM_OK : CAROM_STATUS_NOT_FINITE;
}

/* Every segment begins at the upright equilibrium of theta = 0, the arm hanging. */
static void put_equilibrium(const carom_gait_shooting *shooting, const carom_gait_start *start,
                            double *u) {
    memset(u, 0, (size_t)shooting->count * sizeof *u);
    for (int k = 0; k < segment_total(shooting); k++) {
        u[unknown_index(shooting, k, 0)] = M_PI;
    }
    u[shooting->count - 3] = start->time;
    u[shooting->count - 2] = start->constrained_time;
}

/* Replace an equation by: this unknown does not change. */
static void fix_unknown(carom_gait_shooting *shooting, int equation, int unknown) {
    const size_t count = (size_t)shooting->count;
    double *row = shooting->matrix + (size_t)equation * count;
    memset(row, 0, count * sizeof *row);
    row[unknown] = 1.0;
}

/* Largest difference of the configuration at P from the start's, over its largest entry. */
static double start_mismatch(const carom_gait_shooting *shooting, const carom_gait_start *start,
                             const double *slope) {
    const int n = coordinates(shooting);
    const double *masses = shooting->dynamics->biped.masses;
    const double lean = 2.0 * masses[0] / (shooting->dynamics->total_mass - 2.0 * masses[0]);
    double largest = 0.0;
    double difference = 0.0;
    for (int j = 0; j < n; j++) {
        const double position = start->position[j] + (j == n - 1 ? lean : 0.0);
        largest = fmax(largest, fabs(position));
        difference = fmax(difference, fabs(slope[j] - position));
    }
    return difference / largest;
}

carom_status carom_gait_shooting_guess(carom_gait_shooting *shooting, const carom_gait_start *start,
                                       double theta, double *u, carom_report *report) {
    const int n = coordinates(shooting);
    const int count = shooting->count;
    const int last_segment = shooting->params.segments - 1;
    double *slope = shooting->step;
    put_equilibrium(shooting, start, u);
    CAROM_TRY(carom_gait_shooting_evaluate(shooting, u));

    /* At the equilibrium nothing depends on tau and tau', which are known; two equations follow
     * from the others and can stand back: the leg's rate at the landing, and F_N = 0. */
    fix_unknown(shooting, equation_index(shooting, last_segment, 2 * n - 1), count - 3);
    fix_unknown(shooting, landing_equation(shooting), count - 2);
    fix_unknown(shooting, count - 1, count - 1);
    CAROM_TRY(carom_factor_compute(shooting->factor, shooting->matrix));
    memset(slope, 0, (size_t)count * sizeof *slope);
    slope[count - 1] = 1.0;
    carom_factor_solve(shooting->factor, slope);
    const double mismatch = start_mismatch(shooting, start, slope);
    if (!(mismatch <= MOST_MISMATCH)) {
        return carom_report_fail(report, CAROM_STATUS_CONFLICT, "start position", mismatch, -1);
    }
    for (int i = 0; i < count; i++) {
        u[i] += theta * slope[i];
    }
    return CAROM_OK;
}
