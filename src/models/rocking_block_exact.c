#include <carom/models/rocking_block.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>

/*
 * In free flight y falls as a parabola and theta turns uniformly, so that the gap of a corner is
 *     g(s) = y + y_dot s - a_g s^2/2 - (l/2) cos(theta + theta_dot s) +- (L/2) sin(...),
 * with |g''| <= B = a_g + theta_dot^2 sqrt(L^2 + l^2)/2. From any instant with g >= 0 the parabola
 * g + g' s - B s^2/2 stays below the gap: up to its positive root there is no impact. Going from
 * root to root approaches the first impact from the left and, where the corner is approaching the
 * floor, quadratically.
 */

enum { CORNERS = 2 };

/** The corner of contact 0 is on the side of + sin theta (53). */
static const double SIDE[CORNERS] = {1.0, -1.0};

/** Steps of one march. About five are usual; the bound is met only if the block turns many thousand
 * times before it lands. */
enum { MARCH_STEPS = 1000000 };
/** Roundings of the elapsed time below which a march has arrived. */
static const double ARRIVAL = 2.0 * DBL_EPSILON;
/** Gap, relative to the half diagonal, at which the other corner strikes at the same instant: what
 * rounding leaves of a flat fall. */
static const double SIMULTANEITY = 1e-13;

/** The block at an instant. */
typedef struct flight {
    double time;
    double position[3];
    double velocity[3];
} flight;

/** The next impact of a corner. */
typedef struct landing {
    double time;     /**< s */
    double gap_rate; /**< m/s, < 0; not below 0 if the corner stays on the floor */
} landing;

/** J = m (L^2 + l^2)/12. */
static double block_inertia(const carom_rocking_block_params *params) {
    return params->mass * (params->width * params->width + params->height * params->height) / 12.0;
}

static double half_diagonal(const carom_rocking_block_params *params) {
    return 0.5 * hypot(params->width, params->height);
}

/** Gap of a corner (53). */
static double corner_gap(const carom_rocking_block_params *params, int corner,
                         const double *position) {
    return position[1] - 0.5 * params->height * cos(position[2]) +
           SIDE[corner] * 0.5 * params->width * sin(position[2]);
}

/** Third entry of the corner's row of g_q (54). */
static double corner_arm(const carom_rocking_block_params *params, int corner, double angle) {
    return 0.5 * params->height * sin(angle) + SIDE[corner] * 0.5 * params->width * cos(angle);
}

static double corner_gap_rate(const carom_rocking_block_params *params, int corner,
                              const flight *at) {
    return at->velocity[1] + corner_arm(params, corner, at->position[2]) * at->velocity[2];
}

static flight release(const carom_rocking_block_params *params) {
    const flight at = {
        .time = 0.0,
        .position = {params->initial_x, params->initial_y, params->initial_angle},
        .velocity = {params->initial_x_velocity, params->initial_y_velocity, params->initial_rate},
    };
    return at;
}

/** Free flight in closed form. */
static flight fly(const carom_rocking_block_params *params, const flight *from, double time) {
    const double s = time - from->time;
    flight to = *from;
    to.time = time;
    for (int i = 0; i < 3; i++) {
        to.position[i] += s * from->velocity[i];
    }
    to.position[1] -= 0.5 * params->gravity * s * s;
    to.velocity[1] -= params->gravity * s;
    return to;
}

/** Impulse of Newton's law at a single corner, from M (v+ - v-) = g_q' p. */
static double newton_impulse(const carom_rocking_block_params *params, int corner,
                             const flight *at) {
    const double arm = corner_arm(params, corner, at->position[2]);
    const double compliance = 1.0 / params->mass + arm * arm / block_inertia(params);
    return -(1.0 + params->restitution) * corner_gap_rate(params, corner, at) / compliance;
}

static void apply_impulse(const carom_rocking_block_params *params, int corner, double impulse,
                          flight *at) {
    const double arm = corner_arm(params, corner, at->position[2]);
    at->velocity[1] += impulse / params->mass;
    at->velocity[2] += arm * impulse / block_inertia(params);
}

static double total_energy(const carom_rocking_block_params *params, const flight *at) {
    const double *v = at->velocity;
    return 0.5 * params->mass * (v[0] * v[0] + v[1] * v[1]) +
           0.5 * block_inertia(params) * v[2] * v[2] +
           params->mass * params->gravity * at->position[1];
}

/** Positive root of g + g' s - B s^2/2, in the form that does not cancel; g >= 0. */
static double safe_step(double gap, double gap_rate, double bound) {
    const double root = sqrt(gap_rate * gap_rate + 2.0 * bound * gap);
    return gap_rate > 0.0 ? (gap_rate + root) / bound : 2.0 * gap / (root - gap_rate);
}

/** March to the first landing of a corner; is_on_floor if it has just left the floor. */
static carom_status find_landing(const carom_rocking_block_params *params, int corner,
                                 bool is_on_floor, const flight *from, landing *found,
                                 carom_report *report) {
    const double turn = from->velocity[2];
    const double bound = params->gravity + turn * turn * half_diagonal(params);
    flight at = *from;
    double gap = is_on_floor ? 0.0 : corner_gap(params, corner, at.position);
    for (int k = 0; k < MARCH_STEPS; k++) {
        const double gap_rate = corner_gap_rate(params, corner, &at);
        /* On the floor, to rounding: an impact if it approaches, a graze if it leaves. */
        gap = fmax(gap, 0.0);
        const double step = gap > 0.0 || gap_rate > 0.0 ? safe_step(gap, gap_rate, bound) : 0.0;
        if (step <= ARRIVAL * at.time) {
            found->time = at.time;
            found->gap_rate = gap_rate;
            return CAROM_OK;
        }
        at = fly(params, from, at.time + step);
        gap = corner_gap(params, corner, at.position);
    }
    const carom_status status =
        carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, "landing time", gap, corner);
    if (report != NULL) {
        report->time = at.time;
        report->iterations = MARCH_STEPS;
    }
    return status;
}

/** The corner that lands first. */
static carom_status find_first_landing(const carom_rocking_block_params *params, int last_corner,
                                       const flight *from, int *corner, landing *found,
                                       carom_report *report) {
    landing landings[CORNERS];
    for (int j = 0; j < CORNERS; j++) {
        CAROM_TRY(find_landing(params, j, j == last_corner, from, &landings[j], report));
    }
    *corner = landings[1].time < landings[0].time ? 1 : 0;
    *found = landings[*corner];
    return CAROM_OK;
}

/** Both corners at once are no single contact: the impact law of the reference does not decide. */
static carom_status refuse_simultaneous(const carom_rocking_block_params *params, int corner,
                                        const flight *at, carom_report *report) {
    const int other = 1 - corner;
    const double gap = corner_gap(params, other, at->position);
    if (gap > SIMULTANEITY * half_diagonal(params) || corner_gap_rate(params, other, at) >= 0.0) {
        return CAROM_OK;
    }
    const carom_status status =
        carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, "simultaneous impacts", gap, other);
    if (report != NULL) {
        report->time = at->time;
    }
    return status;
}

/** Refuse parameters outside of their ranges, gravity and resolution that are not positive. */
static carom_status check_reference(const carom_rocking_block_params *params, double resolution,
                                    carom_report *report) {
    CAROM_TRY(carom_rocking_block_params_check(params, report));
    if (params->gravity <= 0.0) {
        return carom_report_refuse(report, "gravity", params->gravity, -1, "> 0");
    }
    if (params->friction > 0.0) {
        return carom_report_refuse(report, "friction", params->friction, -1, "0");
    }
    if (!isfinite(resolution)) {
        return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "resolution", resolution, -1);
    }
    if (resolution <= 0.0) {
        return carom_report_refuse(report, "resolution", resolution, -1, "> 0");
    }
    return CAROM_OK;
}

carom_status carom_rocking_block_exact_impacts(const carom_rocking_block_params *params,
                                               double resolution, int capacity,
                                               carom_rocking_block_impact *impacts, int *count,
                                               carom_report *report) {
    CAROM_ASSERT(params != NULL && count != NULL && capacity >= 0);
    *count = 0;
    CAROM_TRY(check_reference(params, resolution, report));
    flight at = release(params);
    double last_time[CORNERS] = {-INFINITY, -INFINITY};
    int last_corner = -1;
    while (*count < capacity) {
        /* Where the flight ends. */
        int corner = -1;
        landing next = {NAN, NAN};
        CAROM_TRY(find_first_landing(params, last_corner, &at, &corner, &next, report));

        /* A corner that stays on the floor, or one whose impacts accumulate, ends the list. */
        if (next.gap_rate >= 0.0 || next.time - last_time[corner] < resolution) {
            return CAROM_OK;
        }
        at = fly(params, &at, next.time);
        CAROM_TRY(refuse_simultaneous(params, corner, &at, report));

        /* The impact. */
        carom_rocking_block_impact *impact = &impacts[*count];
        impact->time = next.time;
        impact->corner = corner;
        impact->gap_rate = next.gap_rate;
        impact->impulse = newton_impulse(params, corner, &at);
        apply_impulse(params, corner, impact->impulse, &at);
        impact->energy = total_energy(params, &at);
        *count += 1;
        last_time[corner] = next.time;
        last_corner = corner;

        /* Without restitution the corner stays down. */
        if (params->restitution <= 0.0) {
            return CAROM_OK;
        }
    }
    return CAROM_OK;
}

void carom_rocking_block_exact_state(const carom_rocking_block_params *params, int count,
                                     const carom_rocking_block_impact *impacts, double t,
                                     double *position, double *velocity) {
    CAROM_ASSERT(params != NULL && count >= 0);
    /* Replay the impacts up to t. */
    flight at = release(params);
    for (int k = 0; k < count && impacts[k].time <= t; k++) {
        at = fly(params, &at, impacts[k].time);
        apply_impulse(params, impacts[k].corner, impacts[k].impulse, &at);
    }
    at = fly(params, &at, t);
    for (int i = 0; i < 3; i++) {
        position[i] = at.position[i];
        velocity[i] = at.velocity[i];
    }
}
