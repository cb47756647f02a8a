#include <carom/impact/internal.h>

#include <carom/base/scales.h>
#include <carom/contact/contact.h>

#include <math.h>

/** The largest violation, beside the speeds that the energy allows: of v_n+ = 0, of the cone, and
 * of sliding that friction does not oppose with all it has. In the kinetic metric speeds compare
 * with impulses. */
static double residual_of(const carom_impact_problem *problem, int t, const double *W, double mu,
                          const double *L, const double *v) {
    double root = 0.0;
    double speed = 0.0;
    double friction = 0.0;
    for (int a = 1; a <= t; a++) {
        root = fmax(root, sqrt(W[(1 + t) * a + a]));
        speed = hypot(speed, v[a]);
        friction = hypot(friction, L[a]);
    }
    double unused = 0.0; // mu L_n v_t/|v_t| + L_t
    for (int a = 1; a <= t && speed > 0.0; a++) {
        unused = hypot(unused, mu * L[0] * v[a] / speed + L[a]);
    }
    const double excess = fmax(0.0, friction - mu * L[0]) * root;
    const double slip = root > 0.0 ? speed / root : 0.0;
    const double violation = fmax(fmax(fabs(v[0]) / sqrt(W[0]), excess), fmin(slip, unused * root));
    return violation > 0.0 ? violation / carom_scale_speed(problem->kinetic_energy, 1.0) : 0.0;
}

carom_status carom_contact_resolve(const carom_impact_problem *problem, int i, const double *c,
                                   double *L, double *residual) {
    CAROM_ASSERT(problem != NULL && c != NULL && L != NULL && residual != NULL);
    CAROM_ASSERT(problem->tangent_count <= 2);
    const int t = problem->tangent_count;
    const int size = 1 + t;
    const int row[3] = {i, problem->contact_count + t * i, problem->contact_count + t * i + 1};
    double W[9] = {0.0};
    double v[3] = {0.0};
    for (int a = 0; a < size; a++) {
        v[a] = c[row[a]];
        for (int b = 0; b < size; b++) {
            W[a * size + b] = problem->delassus_matrix[row[a] * problem->row_count + row[b]];
        }
    }
    if (!carom_contact_solve_local(t, W, problem->friction[i], v, L)) {
        return CAROM_STATUS_NOT_CONVERGED;
    }
    for (int a = 0; a < size; a++) {
        for (int b = 0; b < size; b++) {
            v[a] += W[a * size + b] * L[b];
        }
    }
    *residual = residual_of(problem, t, W, problem->friction[i], L, v);
    return CAROM_OK;
}
