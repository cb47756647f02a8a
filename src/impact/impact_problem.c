#include <carom/impact/impact_problem.h>
#include <carom/impact/internal.h>

#include <carom/base/scales.h>
#include <carom/base/vector.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Asymmetry of M_ij that rounding explains, relative to the root of M_ii M_jj. */
static const double ASYMMETRY = 1e-12;

/** A pivot of M below this part of its diagonal entry: M is not positive definite in doubles. */
static const double SMALLEST_PIVOT = 1e-14;

void carom_impact_problem_free(carom_impact_problem *problem) {
    if (problem == NULL) {
        return;
    }
    free(problem->mass);
    free(problem->contact_jacobian);
    free(problem->friction);
    free(problem->restitution);
    free(problem->velocity);
    free(problem->mass_factor);
    free(problem->impulse_response);
    free(problem->delassus_matrix);
    free(problem->contact_velocity);
    free(problem->row_scale);
    free(problem->speed_scale);
    free(problem);
}

/** What can be refused before anything is computed. */
static carom_status refuse(int n, int m, int t, const double *M, const double *J_n,
                           const double *J_t, const double *mu, const double *v,
                           carom_report *report) {
    if (n < 1) {
        return carom_report_refuse(report, "number of coordinates", n, -1, "at least 1");
    }
    if (m < 1) {
        return carom_report_refuse(report, "number of contacts", m, -1, "at least 1");
    }
    if (t != 1 && t != 2) {
        return carom_report_refuse(report, "tangents of a contact", t, -1, "1 or 2");
    }
    CAROM_TRY(carom_report_require_finite(report, "mass matrix", n * n, M));
    CAROM_TRY(carom_report_require_finite(report, "normal Jacobian", m * n, J_n));
    CAROM_TRY(carom_report_require_finite(report, "tangential Jacobian", m * t * n, J_t));
    CAROM_TRY(carom_report_require_finite(report, "friction", m, mu));
    CAROM_TRY(carom_report_require_finite(report, "velocity", n, v));
    for (int i = 0; i < m; i++) {
        if (mu[i] < 0.0 || mu[i] > CAROM_IMPACT_LARGEST_FRICTION) {
            return carom_report_refuse(report, "friction", mu[i], i, "in [0,1e7]");
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            const double difference = M[i * n + j] - M[j * n + i];
            const double size = sqrt(fabs(M[i * (n + 1)])) * sqrt(fabs(M[j * (n + 1)]));
            if (fabs(difference) > ASYMMETRY * size) {
                return carom_report_fail(report, CAROM_STATUS_NOT_SYMMETRIC,
                                         "mass matrix minus its transpose", difference, i);
            }
        }
    }
    return CAROM_OK;
}

static carom_status alloc_arrays(carom_impact_problem *p) {
    const size_t n = (size_t)p->coordinate_count;
    const size_t r = (size_t)p->row_count;
    p->mass = calloc(n * n, sizeof(double));
    p->contact_jacobian = calloc(r * n, sizeof(double));
    p->friction = calloc((size_t)p->contact_count, sizeof(double));
    p->restitution = calloc((size_t)p->contact_count, sizeof(double));
    p->velocity = calloc(n, sizeof(double));
    p->mass_factor = calloc(n * n, sizeof(double));
    p->impulse_response = calloc(n * r, sizeof(double));
    p->delassus_matrix = calloc(r * r, sizeof(double));
    p->contact_velocity = calloc(r, sizeof(double));
    p->row_scale = calloc(r, sizeof(double));
    p->speed_scale = calloc(r, sizeof(double));
    const bool has_all = p->mass != NULL && p->contact_jacobian != NULL && p->friction != NULL &&
                         p->restitution != NULL && p->velocity != NULL && p->mass_factor != NULL &&
                         p->impulse_response != NULL && p->delassus_matrix != NULL &&
                         p->contact_velocity != NULL && p->row_scale != NULL &&
                         p->speed_scale != NULL;
    return has_all ? CAROM_OK : CAROM_STATUS_OUT_OF_MEMORY;
}

/** M = L L'. */
static carom_status factor_mass(carom_impact_problem *p, carom_report *report) {
    const int n = p->coordinate_count;
    double *L = p->mass_factor;
    for (int j = 0; j < n; j++) {
        for (int i = j; i < n; i++) {
            double rest = p->mass[i * n + j];
            for (int k = 0; k < j; k++) {
                rest -= L[i * n + k] * L[j * n + k];
            }
            if (i > j) {
                L[i * n + j] = rest / L[j * n + j];
                continue;
            }
            if (!(rest > SMALLEST_PIVOT * p->mass[j * n + j])) {
                return carom_report_refuse(
                    report, "pivot of the mass matrix (not positive definite)", rest, j, "> 0");
            }
            L[j * n + j] = sqrt(rest);
        }
    }
    return CAROM_OK;
}

/** x = M^-1 b in place, b [n] with a stride. */
static void solve_mass(const carom_impact_problem *p, double *b, int stride) {
    const int n = p->coordinate_count;
    const double *L = p->mass_factor;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) {
            b[i * stride] -= L[i * n + k] * b[k * stride];
        }
        b[i * stride] /= L[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) {
            b[i * stride] -= L[k * n + i] * b[k * stride];
        }
        b[i * stride] /= L[i * n + i];
    }
}

/** M^-1 J' and the Delassus matrix J M^-1 J', made symmetric to the last digit. */
static void derive(carom_impact_problem *p) {
    const int n = p->coordinate_count;
    const int r = p->row_count;
    for (int a = 0; a < r; a++) {
        for (int i = 0; i < n; i++) {
            p->impulse_response[i * r + a] = p->contact_jacobian[a * n + i];
        }
        solve_mass(p, p->impulse_response + a, r);
    }
    for (int a = 0; a < r; a++) {
        for (int b = 0; b <= a; b++) {
            double sum = 0.0;
            for (int i = 0; i < n; i++) {
                sum += p->contact_jacobian[a * n + i] * p->impulse_response[i * r + b];
            }
            p->delassus_matrix[a * r + b] = sum;
            p->delassus_matrix[b * r + a] = sum;
        }
    }
}

/** Roots of the inverse masses of all rows. A contact that no impulse moves has no speed either. */
static void derive_row_scales(carom_impact_problem *p) {
    const int m = p->contact_count;
    const int t = p->tangent_count;
    const int next = p->row_count + 1;
    for (int i = 0; i < m; i++) {
        const double *tangential = p->delassus_matrix + (m + t * i) * next;
        const double normal = sqrt(p->delassus_matrix[i * next]);
        double slip = sqrt(t == 1 ? tangential[0] : 0.5 * (tangential[0] + tangential[next]));
        slip = slip > 0.0 ? slip : normal;
        p->row_scale[i] = normal > 0.0 ? normal : (slip > 0.0 ? slip : 1.0);
        for (int a = 0; a < t; a++) {
            p->row_scale[m + t * i + a] = slip > 0.0 ? slip : 1.0;
        }
    }
}

/** Laws multiply its entries with each other. */
static carom_status refuse_delassus(const carom_impact_problem *p, carom_report *report) {
    const int entries = p->row_count * p->row_count;
    const double *W = p->delassus_matrix;
    CAROM_TRY(carom_report_require_finite(report, "Delassus matrix", entries, W));
    if (!carom_vector_is_moderate(entries, W, CAROM_VECTOR_LARGEST_SQUARED)) {
        return carom_report_refuse(report, "largest entry of the Delassus matrix",
                                   carom_vector_largest(entries, W), -1,
                                   "where squares neither overflow nor underflow");
    }
    // A row that is not zero moves something.
    for (int a = 0; a < p->row_count; a++) {
        const double *row = p->contact_jacobian + (ptrdiff_t)a * p->coordinate_count;
        const double inverse_mass = W[a * (p->row_count + 1)];
        if (carom_vector_largest(p->coordinate_count, row) > 0.0 && inverse_mass < DBL_MIN) {
            return carom_report_refuse(report, "inverse mass that a contact feels", inverse_mass,
                                       -1, "where it does not underflow");
        }
    }
    return CAROM_OK;
}

/** c-, the kinetic energy of v-, and the speeds that it allows. */
static carom_status derive_speeds(carom_impact_problem *p, carom_report *report) {
    const int n = p->coordinate_count;
    for (int a = 0; a < p->row_count; a++) {
        double sum = 0.0;
        for (int i = 0; i < n; i++) {
            sum += p->contact_jacobian[a * n + i] * p->velocity[i];
        }
        p->contact_velocity[a] = sum;
    }
    p->kinetic_energy = carom_impact_kinetic_energy(p, p->velocity);
    for (int a = 0; a < p->row_count; a++) {
        p->speed_scale[a] = carom_scale_speed(p->kinetic_energy, 1.0) * p->row_scale[a];
    }
    CAROM_TRY(carom_report_require_finite(report, "speed of a contact", p->row_count,
                                          p->contact_velocity));
    return carom_report_require_finite(report, "kinetic energy", 1, &p->kinetic_energy);
}

/** Refuse a velocity whose energy has lost digits: laws weigh residuals against it. */
static carom_status refuse_underflow(const carom_impact_problem *p, carom_report *report) {
    const bool is_moving = carom_vector_largest(p->coordinate_count, p->velocity) > 0.0;
    if (is_moving && p->kinetic_energy < DBL_MIN / DBL_EPSILON) {
        return carom_report_refuse(report, "kinetic energy", p->kinetic_energy, -1,
                                   "0 at rest, or where it does not underflow");
    }
    return CAROM_OK;
}

carom_status carom_impact_problem_alloc(int n, int m, int t, const double *M, const double *J_n,
                                        const double *J_t, const double *mu, const double *v,
                                        carom_impact_problem **out, carom_report *report) {
    CAROM_ASSERT(M != NULL && J_n != NULL && J_t != NULL && mu != NULL && v != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(refuse(n, m, t, M, J_n, J_t, mu, v, report));
    CAROM_AUTO(carom_impact_problem) p = calloc(1, sizeof *p);
    if (p == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    p->coordinate_count = n;
    p->contact_count = m;
    p->tangent_count = t;
    p->row_count = m * (1 + t);
    CAROM_TRY(alloc_arrays(p));
    memcpy(p->mass, M, (size_t)n * (size_t)n * sizeof(double));
    memcpy(p->contact_jacobian, J_n, (size_t)m * (size_t)n * sizeof(double));
    memcpy(p->contact_jacobian + (size_t)m * (size_t)n, J_t,
           (size_t)m * (size_t)t * (size_t)n * sizeof(double));
    memcpy(p->friction, mu, (size_t)m * sizeof(double));
    memcpy(p->velocity, v, (size_t)n * sizeof(double));
    CAROM_TRY(factor_mass(p, report));
    derive(p);
    derive_row_scales(p);
    CAROM_TRY(refuse_delassus(p, report));
    CAROM_TRY(derive_speeds(p, report));
    CAROM_TRY(refuse_underflow(p, report));
    CAROM_HAND_OVER(p, out);
    return CAROM_OK;
}

carom_status carom_impact_problem_set_restitution(carom_impact_problem *problem,
                                                  const double *restitution, carom_report *report) {
    CAROM_ASSERT(problem != NULL && restitution != NULL);
    const int m = problem->contact_count;
    for (int i = 0; i < m; i++) {
        if (!(restitution[i] >= 0.0 && restitution[i] <= 1.0)) {
            return carom_report_refuse(report, "restitution", restitution[i], i, "in [0,1]");
        }
    }
    memmove(problem->restitution, restitution, (size_t)m * sizeof(double));
    return CAROM_OK;
}

/** Refuse the first coefficient [m] above zero. */
static carom_status require_zero(const carom_impact_problem *problem, const char *law,
                                 const char *what, const double *coefficients,
                                 carom_report *report) {
    for (int i = 0; i < problem->contact_count; i++) {
        if (coefficients[i] > 0.0) {
            return carom_report_say(report, CAROM_STATUS_UNSUPPORTED,
                                    "%s computes impacts without %s; contact %d has %.6g", law,
                                    what, i, coefficients[i]);
        }
    }
    return CAROM_OK;
}

carom_status carom_impact_require_inelastic(const carom_impact_problem *problem, const char *law,
                                            carom_report *report) {
    CAROM_ASSERT(problem != NULL && law != NULL);
    return require_zero(problem, law, "restitution", problem->restitution, report);
}

carom_status carom_impact_require_smooth(const carom_impact_problem *problem, const char *law,
                                         carom_report *report) {
    CAROM_ASSERT(problem != NULL && law != NULL);
    return require_zero(problem, law, "friction", problem->friction, report);
}

carom_status carom_impact_require_one_restitution(const carom_impact_problem *problem,
                                                  const char *law, double *e,
                                                  carom_report *report) {
    CAROM_ASSERT(problem != NULL && law != NULL && e != NULL);
    const double *all = problem->restitution;
    *e = all[0];
    for (int i = 1; i < problem->contact_count; i++) {
        if (all[i] > *e || all[i] < *e) {
            return carom_report_say(report, CAROM_STATUS_UNSUPPORTED,
                                    "%s computes impacts with one restitution; contact 0 has %.6g, "
                                    "contact %d has %.6g",
                                    law, *e, i, all[i]);
        }
    }
    return CAROM_OK;
}

carom_status carom_impact_problem_set_velocity(carom_impact_problem *problem, const double *v) {
    CAROM_ASSERT(problem != NULL && v != NULL);
    const int n = problem->coordinate_count;
    CAROM_TRY(carom_report_require_finite(NULL, "velocity", n, v));
    memmove(problem->velocity, v, (size_t)n * sizeof(double));
    return derive_speeds(problem, NULL);
}

double carom_impact_colliding_speed(const carom_impact_problem *problem, int i) {
    CAROM_ASSERT(problem != NULL);
    return CAROM_IMPACT_COLLIDING_PART * problem->speed_scale[i];
}

bool carom_impact_is_colliding(const carom_impact_problem *problem, const double *c) {
    CAROM_ASSERT(problem != NULL && c != NULL);
    for (int i = 0; i < problem->contact_count; i++) {
        if (c[i] < -carom_impact_colliding_speed(problem, i)) {
            return true;
        }
    }
    return false;
}

void carom_impact_add_impulse(const carom_impact_problem *problem, const double *L,
                              const double *c_pre, double *c_post) {
    CAROM_ASSERT(problem != NULL && L != NULL && c_pre != NULL && c_post != NULL);
    const int r = problem->row_count;
    for (int a = 0; a < r; a++) {
        double sum = 0.0;
        for (int b = 0; b < r; b++) {
            sum += problem->delassus_matrix[a * r + b] * L[b];
        }
        c_post[a] = c_pre[a] + sum;
    }
}

void carom_impact_velocity(const carom_impact_problem *problem, const double *L, double *v_post) {
    CAROM_ASSERT(problem != NULL && L != NULL && v_post != NULL);
    const int r = problem->row_count;
    for (int i = 0; i < problem->coordinate_count; i++) {
        double sum = 0.0;
        for (int a = 0; a < r; a++) {
            sum += problem->impulse_response[i * r + a] * L[a];
        }
        v_post[i] = problem->velocity[i] + sum;
    }
}

double carom_impact_kinetic_energy(const carom_impact_problem *problem, const double *v) {
    CAROM_ASSERT(problem != NULL && v != NULL);
    const int n = problem->coordinate_count;
    double twice = 0.0;
    for (int i = 0; i < n; i++) {
        double momentum = 0.0;
        for (int j = 0; j < n; j++) {
            momentum += problem->mass[i * n + j] * v[j];
        }
        twice += v[i] * momentum;
    }
    return 0.5 * twice;
}

double carom_impact_stopping_impulse(const carom_impact_problem *problem) {
    CAROM_ASSERT(problem != NULL);
    double closing = 0.0;
    double allowed = 0.0;
    for (int i = 0; i < problem->contact_count; i++) {
        const double inverse_mass = problem->delassus_matrix[i * (problem->row_count + 1)];
        if (inverse_mass > 0.0) {
            closing = fmax(closing, -problem->contact_velocity[i] / inverse_mass);
            allowed = fmax(allowed, carom_scale_impulse(problem->kinetic_energy, inverse_mass));
        }
    }
    return closing > 0.0 ? closing : (allowed > 0.0 ? allowed : 1.0);
}

double carom_impact_violation(const carom_impact_problem *problem, const double *c,
                              const double *L) {
    CAROM_ASSERT(problem != NULL);
    double largest = 0.0;
    for (int a = 0; a < problem->row_count; a++) {
        // An impulse changes its own row by C_aa L_a.
        const double scale = problem->row_scale[a];
        const double speed = c != NULL ? fabs(c[a]) : 0.0;
        const double brought = L != NULL ? fabs(L[a]) * scale * scale : 0.0;
        const double size = fmax(speed, brought);
        largest = size > 0.0 ? fmax(largest, size / problem->speed_scale[a]) : largest;
    }
    return largest;
}

double carom_impact_energy_change(const carom_impact_problem *problem, const double *L,
                                  const double *c_pre, const double *c_post) {
    CAROM_ASSERT(problem != NULL && L != NULL && c_pre != NULL && c_post != NULL);
    double twice = 0.0;
    for (int a = 0; a < problem->row_count; a++) {
        twice += L[a] * (c_pre[a] + c_post[a]);
    }
    return 0.5 * twice;
}
