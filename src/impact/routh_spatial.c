#include <carom/impact/impact_law.h>
#include <carom/impact/internal.h>
#include <carom/impact/routh.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Newton's steps to a root between bounds that halve at worst. */
enum { MOST_NEWTON_STEPS = 80 };

/** Rounding of determinants and eigenvalues of C, relative to its diagonal. */
static const double MATRIX_ROUNDING = 64.0 * DBL_EPSILON;

/** If C is singular, both speeds vanish at once: what rounding of C and of the speeds, amplified by
 * a C_tt of large condition, may leave of v_n then, relative to the speeds on the way. */
static const double CONSISTENT_SPEED = 1e-9;

carom_routh_spatial_contact
carom_routh_spatial_contact_of_problem(const carom_impact_problem *problem, int i) {
    CAROM_ASSERT(problem != NULL);
    CAROM_ASSERT(problem->tangent_count == 2 && i >= 0 && i < problem->contact_count);
    const int r = problem->row_count;
    const int t = problem->contact_count + 2 * i;
    const double *C = problem->delassus_matrix;
    return (carom_routh_spatial_contact){
        .c_nn = C[i * r + i],
        .c_nt = {C[i * r + t], C[i * r + t + 1]},
        .c_tt = {C[t * r + t], C[t * r + t + 1], C[(t + 1) * r + t + 1]},
        .mu = problem->friction[i]};
}

bool carom_routh_is_spatial_impact_without_collision(const carom_routh_spatial_contact *contact,
                                                     const double *v_t) {
    CAROM_ASSERT(contact != NULL && v_t != NULL);
    const double rho = hypot(v_t[0], v_t[1]);
    if (!(rho > 0.0)) {
        return false;
    }
    const double u[2] = {v_t[0] / rho, v_t[1] / rho};
    return carom_routh_slide_normal_rate(contact, u) < 0.0;
}

/** C less its first row and column, eliminated, must have no negative eigenvalue. */
static bool is_semidefinite(const carom_routh_spatial_contact *k) {
    const double *n = k->c_nt;
    const double s11 = k->c_tt[0] - n[0] * n[0] / k->c_nn;
    const double s12 = k->c_tt[1] - n[0] * n[1] / k->c_nn;
    const double s22 = k->c_tt[2] - n[1] * n[1] / k->c_nn;
    const double trace = k->c_tt[0] + k->c_tt[2];
    const double rounding = MATRIX_ROUNDING * trace;
    return s11 >= -rounding && s22 >= -rounding && s11 * s22 - s12 * s12 >= -rounding * trace;
}

static carom_status refuse(const carom_routh_spatial_contact *k, const double *c,
                           carom_report *report) {
    const double values[] = {k->c_nn,    k->c_nt[0], k->c_nt[1], k->c_tt[0], k->c_tt[1],
                             k->c_tt[2], k->mu,      c[0],       c[1],       c[2]};
    CAROM_TRY(carom_report_require_finite(report, "contact", (int)(sizeof values / sizeof *values),
                                          values));
    const double trace = k->c_tt[0] + k->c_tt[2];
    if (k->c_nn <= 0.0 || trace <= 0.0) {
        return carom_report_refuse(report, "response of a contact", fmin(k->c_nn, trace), -1,
                                   "> 0");
    }
    if (k->mu < 0.0) {
        return carom_report_refuse(report, "friction", k->mu, -1, ">= 0");
    }
    if (!is_semidefinite(k)) {
        return carom_report_refuse(report, "response of a contact (not positive semidefinite)",
                                   k->c_nn, -1, "positive semidefinite");
    }
    return CAROM_OK;
}

/** Eigenvalues of C_tt, larger first, and c_tn in the axes (x, y), (-y, x) of its eigenvectors. */
typedef struct tangent_axes {
    double eigenvalue[2];
    double axis[2];
    double p[2];
} tangent_axes;

static tangent_axes find_axes(const carom_routh_spatial_contact *k) {
    const double mean = 0.5 * (k->c_tt[0] + k->c_tt[2]);
    const double half = 0.5 * (k->c_tt[0] - k->c_tt[2]);
    const double radius = hypot(half, k->c_tt[1]);
    const double angle = 0.5 * atan2(k->c_tt[1], half);
    const double determinant = k->c_tt[0] * k->c_tt[2] - k->c_tt[1] * k->c_tt[1];
    tangent_axes axes = {.eigenvalue = {mean + radius, fmax(0.0, determinant / (mean + radius))},
                         .axis = {cos(angle), sin(angle)}};
    axes.p[0] = axes.axis[0] * k->c_nt[0] + axes.axis[1] * k->c_nt[1];
    axes.p[1] = -axes.axis[1] * k->c_nt[0] + axes.axis[0] * k->c_nt[1];
    return axes;
}

/**
 * The tangential rate l = -C_tt^-1 c_tn that keeps v_t = 0, of least norm, in the axes; returns the
 * condition of C_tt.
 */
static double sticking_rate(const tangent_axes *axes, double *l) {
    double condition = 1.0;
    for (int j = 0; j < 2; j++) {
        const bool is_regular = axes->eigenvalue[j] > MATRIX_ROUNDING * axes->eigenvalue[0];
        l[j] = is_regular ? -axes->p[j] / axes->eigenvalue[j] : 0.0;
        condition = is_regular ? axes->eigenvalue[0] / axes->eigenvalue[j] : condition;
    }
    return condition;
}

/**
 * The root k of N(k) = |(k + mu C_tt)^-1 c_tn| = 1 by Newton's method on 1/N, which is nearly
 * linear, kept between |c_tn| - mu times either eigenvalue.
 */
static double leaving_rate(const tangent_axes *axes, double mu) {
    const double size = hypot(axes->p[0], axes->p[1]);
    double low = fmax(0.0, size - mu * axes->eigenvalue[0]);
    double high = size - mu * axes->eigenvalue[1];
    double root = low;
    for (int i = 0; i < MOST_NEWTON_STEPS && low < high; i++) {
        const double d[2] = {root + mu * axes->eigenvalue[0], root + mu * axes->eigenvalue[1]};
        const double q[2] = {axes->p[0] / d[0], axes->p[1] / d[1]};
        const double N = hypot(q[0], q[1]);
        if (N >= 1.0) {
            low = root;
        } else {
            high = root;
        }
        const double derivative = (q[0] * q[0] / d[0] + q[1] * q[1] / d[1]) / (N * N * N);
        double next = root + (1.0 - 1.0 / N) / derivative;
        if (!(next >= low && next <= high)) {
            next = low + 0.5 * (high - low);
        }
        if (fabs(next - root) <= DBL_EPSILON * next) {
            return next;
        }
        root = next;
    }
    return root;
}

/** From the axes back to the two tangents; y may be x. */
static void turn(const tangent_axes *axes, const double *x, double *y) {
    const double first = axes->axis[0] * x[0] - axes->axis[1] * x[1];
    y[1] = axes->axis[1] * x[0] + axes->axis[0] * x[1];
    y[0] = first;
}

/**
 * The last phase, from v_t = 0 on: u is the direction of the rate l that friction gives. A normal
 * speed up to `rest` is none if C is singular.
 */
static carom_status leave_rest(const carom_routh_spatial_contact *k, double v_n, double rest,
                               carom_routh_slide *at, bool *is_sticking) {
    const tangent_axes axes = find_axes(k);
    double l[2];
    const double condition = sticking_rate(&axes, l);
    *is_sticking = hypot(l[0], l[1]) <= k->mu;
    const double rate = *is_sticking ? 0.0 : leaving_rate(&axes, k->mu);
    if (!*is_sticking) {
        const double u[2] = {axes.p[0] / (rate + k->mu * axes.eigenvalue[0]),
                             axes.p[1] / (rate + k->mu * axes.eigenvalue[1])};
        turn(&axes, u, at->u);
        l[0] = -k->mu * u[0];
        l[1] = -k->mu * u[1];
    }
    turn(&axes, l, l);
    const double normal = k->c_nn + k->c_nt[0] * l[0] + k->c_nt[1] * l[1];
    const bool is_rounding = normal <= MATRIX_ROUNDING * condition * k->c_nn;
    const bool is_done = is_rounding && -v_n <= rest;
    const double ds = is_done ? 0.0 : -v_n / normal;
    if (!(normal > 0.0 || is_done) || !isfinite(ds)) {
        return CAROM_STATUS_SINGULAR;
    }
    at->impulse[0] += ds;
    at->impulse[1] += l[0] * ds;
    at->impulse[2] += l[1] * ds;
    at->rho = rate * ds;
    return CAROM_OK;
}

/** Record where a phase ended; v_n is what the impulse says but for an exact zero at the end. */
static void add_point(const carom_routh_spatial_contact *k, const carom_routh_slide *at,
                      bool is_end, carom_routh_spatial_path *path) {
    const int i = path->point_count++;
    memcpy(path->impulse[i], at->impulse, sizeof at->impulse);
    double speed[3];
    carom_routh_slide_speeds(k, path->speed[0], at->impulse, speed);
    path->speed[i][0] = is_end ? 0.0 : speed[0];
    path->speed[i][1] = at->rho * at->u[0];
    path->speed[i][2] = at->rho * at->u[1];
    path->residual = 0.0;
    for (int j = is_end ? 0 : 1; j < 3; j++) {
        path->residual = fmax(path->residual, fabs(path->speed[i][j] - speed[j]));
    }
}

/** The size of the speeds until the last point, and of the terms that they are sums of. */
static double largest_speed(const carom_routh_spatial_contact *k,
                            const carom_routh_spatial_path *path) {
    const double *L = path->impulse[path->point_count - 1];
    return fabs(path->speed[0][0]) + hypot(path->speed[0][1], path->speed[0][2]) +
           (k->c_nn + k->c_tt[0] + k->c_tt[2]) * (L[0] + hypot(L[1], L[2]));
}

/** All phases of an impact that takes place. */
static carom_status follow(const carom_routh_spatial_contact *k, carom_routh_spatial_path *path) {
    const double *c = path->speed[0];
    const double rho = hypot(c[1], c[2]);
    carom_routh_slide at = {.rho = rho};
    if (rho > 0.0) {
        at.u[0] = c[1] / rho;
        at.u[1] = c[2] / rho;
        const carom_routh_slide_end end = carom_routh_slide_follow(k, c, &at, &path->step_count);
        if (end == CAROM_ROUTH_SLIDE_ENDLESS) {
            return path->step_count < 0 ? CAROM_STATUS_NOT_CONVERGED : CAROM_STATUS_SINGULAR;
        }
        add_point(k, &at, end == CAROM_ROUTH_SLIDE_SEPARATED, path);
        if (end == CAROM_ROUTH_SLIDE_SEPARATED) {
            return CAROM_OK;
        }
    }
    const double v_n = path->speed[path->point_count - 1][0];
    const double rest = CONSISTENT_SPEED * largest_speed(k, path);
    CAROM_TRY(leave_rest(k, v_n, rest, &at, &path->is_sticking));
    path->is_sliding_on = !path->is_sticking;
    add_point(k, &at, true, path);
    return CAROM_OK;
}

static void spoil(carom_routh_spatial_path *path) {
    path->point_count = 1;
    path->residual = (double)NAN;
    for (int j = 0; j < 3; j++) {
        path->impulse[0][j] = (double)NAN;
        path->speed[0][j] = (double)NAN;
    }
}

carom_status carom_routh_resolve_spatial(const carom_routh_spatial_contact *contact,
                                         const double *c, carom_routh_spatial_path *path,
                                         carom_report *report) {
    CAROM_ASSERT(contact != NULL && c != NULL && path != NULL);
    *path = (carom_routh_spatial_path){.point_count = 1};
    carom_status status = refuse(contact, c, report);
    if (status != CAROM_OK) {
        spoil(path);
        return status;
    }
    memcpy(path->speed[0], c, sizeof path->speed[0]);
    const bool is_pressed = c[0] >= 0.0 && c[0] <= 0.0 &&
                            carom_routh_is_spatial_impact_without_collision(contact, c + 1);
    if (c[0] >= 0.0 && !is_pressed) {
        return CAROM_OK;
    }
    path->is_without_collision = is_pressed;
    status = follow(contact, path);
    if (status != CAROM_OK) {
        spoil(path);
        return carom_report_fail(report, status, "phase of a contact", (double)NAN, -1);
    }
    return CAROM_OK;
}

carom_status carom_routh_impact_spatial(const carom_impact_problem *problem, int contact,
                                        carom_impact_outcomes *outcomes, carom_report *report) {
    CAROM_ASSERT(problem != NULL && outcomes != NULL);
    const int m = problem->contact_count;
    if (problem->tangent_count != 2) {
        return carom_report_refuse(report, "tangents of a contact", problem->tangent_count, -1,
                                   "2");
    }
    if (contact < 0 || contact >= m) {
        return carom_report_refuse(report, "contact", contact, -1, "a contact, from 0 on");
    }
    CAROM_TRY(carom_impact_require_inelastic(problem, "routh", report));
    // A contact that is not colliding may still be pressed in.
    const carom_routh_spatial_contact k = carom_routh_spatial_contact_of_problem(problem, contact);
    const double v_n = problem->contact_velocity[contact];
    const double *v_t = problem->contact_velocity + m + 2 * contact;
    const bool is_colliding = fabs(v_n) > carom_impact_colliding_speed(problem, contact);
    const double c[3] = {is_colliding ? v_n : 0.0, v_t[0], v_t[1]};
    carom_routh_spatial_path path;
    CAROM_TRY(carom_routh_resolve_spatial(&k, c, &path, report));
    const double *impulse = path.impulse[path.point_count - 1];
    const double excess = fmax(0.0, hypot(impulse[1], impulse[2]) - k.mu * impulse[0]);
    const double normal = path.point_count > 1 ? fabs(v_n - c[0]) : fmax(0.0, -v_n);
    CAROM_AUTO_MEMORY double *L = calloc(2 * (size_t)problem->row_count, sizeof(double));
    if (L == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *speeds = L + problem->row_count;
    L[m + 2 * contact] = excess;
    speeds[contact] = fmax(normal, path.residual);
    const double residual = carom_impact_violation(problem, speeds, L);
    L[contact] = impulse[0];
    L[m + 2 * contact] = impulse[1];
    L[m + 2 * contact + 1] = impulse[2];
    // One outcome: only one that is the same is merged.
    return carom_impact_outcomes_add(outcomes, problem, L, residual, 0.0);
}

static carom_status run_law(const carom_impact_problem *problem,
                            const carom_impact_law_params *params, carom_impact_result *result,
                            carom_report *report) {
    const int m = problem->contact_count;
    if (params->contact < 0 && m > 1) {
        return carom_report_say(report, CAROM_STATUS_UNSUPPORTED,
                                "routh computes the impact of one contact; these are %d, none is "
                                "chosen",
                                m);
    }
    const int i = params->contact < 0 ? 0 : params->contact;
    result->cost = 1;
    return problem->tangent_count == 1
               ? carom_routh_impact_planar(problem, i, result->outcomes, report)
               : carom_routh_impact_spatial(problem, i, result->outcomes, report);
}

const carom_impact_law carom_impact_law_routh = {
    .name = "routh",
    .title = "the inelastic impact of one contact along its normal impulse",
    .cost = "contacts",
    .choice = "a contact",
    .has_friction = true,
    .run = run_law,
};
