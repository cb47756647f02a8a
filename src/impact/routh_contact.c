#include <carom/impact/internal.h>
#include <carom/impact/routh.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>

/** Rounding of a 2x2 determinant, relative to its diagonal product: entries carry a few roundings
 * of the mass matrix that they come from. */
static const double DETERMINANT_ROUNDING = 64.0 * DBL_EPSILON;

/** If C is singular, both speeds vanish at once: what rounding of C and of the speeds may leave of
 * v_n then, relative to the speeds on the way. */
static const double CONSISTENT_SPEED = 1e-9;

carom_routh_contact carom_routh_contact_of_problem(const carom_impact_problem *problem, int i) {
    CAROM_ASSERT(problem != NULL);
    CAROM_ASSERT(problem->tangent_count == 1 && i >= 0 && i < problem->contact_count);
    const int r = problem->row_count;
    const int tangent = problem->contact_count + i;
    const double *C = problem->delassus_matrix;
    return (carom_routh_contact){.c_nn = C[i * r + i],
                                 .c_nt = C[i * r + tangent],
                                 .c_tt = C[tangent * r + tangent],
                                 .mu = problem->friction[i]};
}

/** 1, 0 or -1; the zero is exact: a contact at rest. */
static double sign_of(double x) {
    return x > 0.0 ? 1.0 : (x < 0.0 ? -1.0 : 0.0);
}

bool carom_routh_is_impact_without_collision(const carom_routh_contact *contact, double v_t) {
    CAROM_ASSERT(contact != NULL);
    return contact->c_nn - contact->mu * sign_of(v_t) * contact->c_nt < 0.0;
}

static carom_status refuse(const carom_routh_contact *k, double v_n, double v_t,
                           carom_report *report) {
    const double values[] = {k->c_nn, k->c_nt, k->c_tt, k->mu, v_n, v_t};
    CAROM_TRY(carom_report_require_finite(report, "contact", (int)(sizeof values / sizeof *values),
                                          values));
    // A contact without tangents has no friction.
    if (k->c_nn <= 0.0 || k->c_tt < 0.0 || (k->c_tt <= 0.0 && k->mu > 0.0)) {
        return carom_report_refuse(report, "response of a contact", fmin(k->c_nn, k->c_tt), -1,
                                   "> 0");
    }
    if (k->mu < 0.0) {
        return carom_report_refuse(report, "friction", k->mu, -1, ">= 0");
    }
    const double determinant = k->c_nn * k->c_tt - k->c_nt * k->c_nt;
    if (determinant < -DETERMINANT_ROUNDING * k->c_nn * k->c_tt) {
        return carom_report_refuse(report, "determinant of a contact", determinant, -1, ">= 0");
    }
    return CAROM_OK;
}

/** Add the point that a phase with tangential rate l reaches after the normal impulse ds. */
static void add_point(const carom_routh_contact *k, double l, double ds, carom_routh_path *path) {
    const int last = path->point_count - 1;
    const int next = path->point_count++;
    path->normal_impulse[next] = path->normal_impulse[last] + ds;
    path->tangential_impulse[next] = path->tangential_impulse[last] + l * ds;
    path->normal_speed[next] = path->normal_speed[last] + (k->c_nn + k->c_nt * l) * ds;
    path->tangential_speed[next] = path->tangential_speed[last] + (k->c_nt + k->c_tt * l) * ds;
}

/** The size of the speeds until the last point, and of the terms that they are sums of. */
static double largest_speed(const carom_routh_contact *k, const carom_routh_path *path) {
    const int last = path->point_count - 1;
    return fabs(path->normal_speed[0]) + fabs(path->tangential_speed[0]) +
           (k->c_nn + k->c_tt) *
               (path->normal_impulse[last] + fabs(path->tangential_impulse[last]));
}

/** The last phase: with tangential rate l until v_n = 0. */
static carom_status finish(const carom_routh_contact *k, double l, carom_routh_path *path) {
    const double rate = k->c_nn + k->c_nt * l;
    const double v_n = path->normal_speed[path->point_count - 1];
    const bool is_rounding = rate <= DETERMINANT_ROUNDING * k->c_nn;
    const bool is_done = is_rounding && -v_n <= CONSISTENT_SPEED * largest_speed(k, path);
    const double ds = is_done ? 0.0 : -v_n / rate;
    if (!(rate > 0.0 || is_done) || !isfinite(ds)) {
        return CAROM_STATUS_SINGULAR;
    }
    add_point(k, l, ds, path);
    path->normal_speed[path->point_count - 1] = 0.0;
    return CAROM_OK;
}

/** From v_t = 0 on. */
static carom_status leave_rest(const carom_routh_contact *k, carom_routh_path *path) {
    if (fabs(k->c_nt) <= k->mu * k->c_tt) {
        CAROM_TRY(finish(k, k->c_tt > 0.0 ? -k->c_nt / k->c_tt : 0.0, path));
        path->tangential_speed[path->point_count - 1] = 0.0;
        path->is_sticking = true;
        return CAROM_OK;
    }
    path->is_reversing = path->point_count > 1;
    return finish(k, -k->mu * sign_of(k->c_nt), path);
}

/** All phases of an impact that takes place. */
static carom_status follow(const carom_routh_contact *k, carom_routh_path *path) {
    const double v_n = path->normal_speed[0];
    const double v_t = path->tangential_speed[0];
    const double direction = sign_of(v_t);
    if (direction * v_t <= 0.0) {
        return leave_rest(k, path);
    }
    // Slide until either speed vanishes.
    const double l = -k->mu * direction;
    const double normal_rate = k->c_nn + k->c_nt * l;
    const double deceleration = -direction * (k->c_nt + k->c_tt * l);
    const double slip = fabs(v_t) / deceleration;
    const bool comes_to_rest = deceleration > 0.0 && isfinite(slip);
    if (!comes_to_rest || (normal_rate > 0.0 && -v_n <= normal_rate * slip)) {
        return finish(k, l, path);
    }
    add_point(k, l, slip, path);
    path->tangential_speed[1] = 0.0;
    return leave_rest(k, path);
}

static void spoil(carom_routh_path *path) {
    path->point_count = 1;
    path->normal_impulse[0] = (double)NAN;
    path->tangential_impulse[0] = (double)NAN;
    path->normal_speed[0] = (double)NAN;
    path->tangential_speed[0] = (double)NAN;
}

carom_status carom_routh_resolve_planar(const carom_routh_contact *contact, double v_n, double v_t,
                                        carom_routh_path *path, carom_report *report) {
    CAROM_ASSERT(contact != NULL && path != NULL);
    *path = (carom_routh_path){.point_count = 1};
    carom_status status = refuse(contact, v_n, v_t, report);
    if (status != CAROM_OK) {
        spoil(path);
        return status;
    }
    path->normal_speed[0] = v_n;
    path->tangential_speed[0] = v_t;
    const bool is_pressed =
        v_n >= 0.0 && v_n <= 0.0 && carom_routh_is_impact_without_collision(contact, v_t);
    if (v_n >= 0.0 && !is_pressed) {
        return CAROM_OK;
    }
    path->is_without_collision = is_pressed;
    status = follow(contact, path);
    if (status != CAROM_OK) {
        spoil(path);
        return carom_report_fail(report, status, "normal rate of a contact", (double)NAN, -1);
    }
    return CAROM_OK;
}

double carom_routh_impulse_bound(const carom_routh_contact *contact, double v_n, double v_t) {
    CAROM_ASSERT(contact != NULL);
    const carom_routh_contact *k = contact;
    if (k->mu <= 0.0) {
        return (double)INFINITY;
    }
    const double determinant = k->c_nn * k->c_tt - k->c_nt * k->c_nt;
    double speed;
    double epsilon;
    if (determinant > DETERMINANT_ROUNDING * k->c_nn * k->c_tt) {
        // c' C^-1 c is convex: its largest value with |v_n| + |v_t| = 1 is at a corner.
        speed = sqrt((k->c_tt * v_n * v_n - 2.0 * k->c_nt * v_n * v_t + k->c_nn * v_t * v_t) /
                     determinant);
        epsilon = sqrt(determinant / fmax(k->c_nn, k->c_tt));
    } else {
        // One motion y: v_n = sqrt(c_nn) y, v_t = +-sqrt(c_tt) y.
        speed = hypot(v_n, v_t) / sqrt(k->c_nn + k->c_tt);
        epsilon = sqrt(k->c_nn) + sqrt(k->c_tt);
    }
    return speed / (epsilon * fmin(k->mu, 1.0));
}

double carom_routh_increment_error(const carom_routh_contact *contact,
                                   const carom_routh_path *path) {
    CAROM_ASSERT(contact != NULL && path != NULL);
    const int last = path->point_count - 1;
    if (last < 1) {
        return 0.0;
    }
    const double rise = path->normal_speed[last] - path->normal_speed[last - 1];
    const double drift = path->tangential_speed[last] - path->tangential_speed[last - 1];
    return 2.0 * contact->mu * (contact->c_tt + fabs(contact->c_nt * drift / rise));
}

carom_status carom_routh_impact_planar(const carom_impact_problem *problem, int contact,
                                       carom_impact_outcomes *outcomes, carom_report *report) {
    CAROM_ASSERT(problem != NULL && outcomes != NULL);
    const int m = problem->contact_count;
    if (problem->tangent_count != 1) {
        return carom_report_refuse(report, "tangents of a contact", problem->tangent_count, -1,
                                   "1");
    }
    if (contact < 0 || contact >= m) {
        return carom_report_refuse(report, "contact", contact, -1, "a contact, from 0 on");
    }
    CAROM_TRY(carom_impact_require_inelastic(problem, "routh", report));
    // A contact that is not colliding may still be pressed in.
    const carom_routh_contact k = carom_routh_contact_of_problem(problem, contact);
    const double v_n = problem->contact_velocity[contact];
    const double v_t = problem->contact_velocity[m + contact];
    const bool is_colliding = fabs(v_n) > carom_impact_colliding_speed(problem, contact);
    carom_routh_path path;
    CAROM_TRY(carom_routh_resolve_planar(&k, is_colliding ? v_n : 0.0, v_t, &path, report));
    const int end = path.point_count - 1;
    const double normal = path.normal_impulse[end];
    const double tangential = path.tangential_impulse[end];
    const double excess = fmax(0.0, fabs(tangential) - k.mu * normal);
    const double v_n_post = v_n + k.c_nn * normal + k.c_nt * tangential;
    CAROM_AUTO_MEMORY double *L = calloc(2 * (size_t)problem->row_count, sizeof(double));
    if (L == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *speeds = L + problem->row_count;
    L[m + contact] = excess;
    speeds[contact] = end > 0 ? v_n_post : fmin(v_n, 0.0);
    const double residual = carom_impact_violation(problem, speeds, L);
    L[contact] = normal;
    L[m + contact] = tangential;
    // One outcome: only one that is the same is merged.
    return carom_impact_outcomes_add(outcomes, problem, L, residual, 0.0);
}
