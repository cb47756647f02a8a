#include <carom/impact/internal.h>

#include <carom/base/scales.h>
#include <carom/impact/contact_modes.h>
#include <carom/lcp/lcp.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Rounding of c_nn c_tt - c_nt^2, relative to its first term. */
static const double DETERMINANT_ROUNDING = 64.0 * DBL_EPSILON;

struct carom_contact_resolution {
    const carom_impact_problem *problem; /* borrowed */
    int facet_count;                     /* k */
    double *facets;                      /* [k][2] d_j */
    double *matrix;                      /* [k + 2][k + 2] over (normal, facets, sliding speed) */
    double *vector;                      /* [k + 2] */
    double *unknowns;                    /* [k + 2] */
    carom_lcp_workspace *work;           /* for k + 2 unknowns */
};

void carom_contact_resolve_planar(const carom_routh_contact *contact, double v_n, double v_t,
                                  double *L) {
    CAROM_ASSERT(contact != NULL && L != NULL);
    const carom_routh_contact *k = contact;
    L[0] = 0.0;
    L[1] = 0.0;
    if (v_n >= 0.0) {
        return;
    }
    // With v_n+ = 0 eliminated: v_t+ = free + slope L_t, L_n = (-v_n - c_nt L_t)/c_nn.
    const double free_speed = v_t - k->c_nt * v_n / k->c_nn;
    const double slope = k->c_tt - k->c_nt * k->c_nt / k->c_nn;
    if (slope > DETERMINANT_ROUNDING * k->c_tt) {
        L[1] = -free_speed / slope;
    }
    // |L_t| <= mu L_n: a bound on the side of the sign of L_t, none if friction presses it in.
    const double sign = L[1] < 0.0 ? -1.0 : 1.0;
    const double denominator = k->c_nn + sign * k->mu * k->c_nt;
    if (denominator > 0.0) {
        L[1] = sign * fmin(fabs(L[1]), -k->mu * v_n / denominator);
    }
    L[0] = (-v_n - k->c_nt * L[1]) / k->c_nn;
}

void carom_contact_resolution_free(carom_contact_resolution *resolution) {
    if (resolution == NULL) {
        return;
    }
    free(resolution->facets);
    free(resolution->matrix);
    free(resolution->vector);
    free(resolution->unknowns);
    carom_lcp_workspace_free(resolution->work);
    free(resolution);
}

/** Arrays for a cone in space. */
static carom_status alloc_spatial(int facets, carom_contact_resolution *w) {
    const size_t size = (size_t)facets + 2;
    w->facet_count = facets;
    w->facets = calloc(2 * (size_t)facets, sizeof(double));
    w->matrix = calloc(size * size, sizeof(double));
    w->vector = calloc(size, sizeof(double));
    w->unknowns = calloc(size, sizeof(double));
    if (w->facets == NULL || w->matrix == NULL || w->vector == NULL || w->unknowns == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_friction_facets(facets, w->facets));
    return carom_lcp_workspace_alloc(facets + 2, &w->work);
}

carom_status carom_contact_resolution_alloc(const carom_impact_problem *problem, int facets,
                                            carom_contact_resolution **out, carom_report *report) {
    CAROM_ASSERT(problem != NULL && out != NULL);
    *out = NULL;
    const bool is_planar = problem->tangent_count == 1;
    if (!is_planar && (facets < CAROM_FRICTION_FEWEST_FACETS || facets % 2 != 0)) {
        return carom_report_refuse(report, "facets", facets, -1, "even, at least 4");
    }
    CAROM_AUTO(carom_contact_resolution) w = calloc(1, sizeof *w);
    if (w == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    w->problem = problem;
    CAROM_TRY(is_planar ? CAROM_OK : alloc_spatial(facets, w));
    CAROM_HAND_OVER(w, out);
    return CAROM_OK;
}

/** The matrix and vector of (31)-(33) for contact i and speeds c [r]. */
static void fill(const carom_impact_problem *problem, int i, const double *c,
                 carom_contact_resolution *work) {
    const int r = problem->row_count;
    const int t = problem->contact_count + 2 * i;
    const int k = work->facet_count;
    const int size = k + 2;
    const double *C = problem->delassus_matrix;
    double *W = work->matrix;
    memset(W, 0, (size_t)size * (size_t)size * sizeof(double));
    W[0] = C[i * r + i];
    work->vector[0] = c[i];
    for (int a = 0; a < k; a++) {
        const double *d = work->facets + 2 * a;
        const double coupling = C[i * r + t] * d[0] + C[i * r + t + 1] * d[1];
        const double response[2] = {C[t * r + t] * d[0] + C[t * r + t + 1] * d[1],
                                    C[(t + 1) * r + t] * d[0] + C[(t + 1) * r + t + 1] * d[1]};
        W[1 + a] = coupling;
        W[(1 + a) * size] = coupling;
        for (int b = 0; b < k; b++) {
            const double *e = work->facets + 2 * b;
            W[(1 + b) * size + 1 + a] = e[0] * response[0] + e[1] * response[1];
        }
        W[(1 + a) * size + k + 1] = 1.0;
        W[(k + 1) * size + 1 + a] = -1.0;
        work->vector[1 + a] = d[0] * c[t] + d[1] * c[t + 1];
    }
    W[(k + 1) * size] = problem->friction[i];
    work->vector[k + 1] = 0.0;
}

/** (31) restricted to contact i in space: L (normal, tangents) and the residual. */
static carom_status resolve_spatial(const carom_impact_problem *problem, int i, const double *c,
                                    carom_contact_resolution *work, double *L, double *residual) {
    fill(problem, i, c, work);
    carom_lcp_report report;
    CAROM_TRY(carom_lcp_solve_lemke(work->facet_count + 2, work->matrix, work->vector,
                                    work->unknowns, work->work, &report));
    L[0] = work->unknowns[0];
    L[1] = 0.0;
    L[2] = 0.0;
    for (int a = 0; a < work->facet_count; a++) {
        L[1] += work->facets[2 * a] * work->unknowns[1 + a];
        L[2] += work->facets[2 * a + 1] * work->unknowns[1 + a];
    }
    *residual = report.relative;
    return CAROM_OK;
}

/** The same in the plane. The residual: of v_n+ = 0, of the cone, and of sliding that friction does
 * not oppose with all it has, beside the speeds that the energy allows. */
static void resolve_planar(const carom_impact_problem *problem, int i, const double *c, double *L,
                           double *residual) {
    const carom_routh_contact k = carom_routh_contact_of_problem(problem, i);
    const double v_t = c[problem->contact_count + i];
    carom_contact_resolve_planar(&k, c[i], v_t, L);
    const double v_n_post = c[i] + k.c_nn * L[0] + k.c_nt * L[1];
    const double v_t_post = v_t + k.c_nt * L[0] + k.c_tt * L[1];
    // In the kinetic metric speeds compare with impulses.
    const double root = sqrt(k.c_tt);
    const double unused = (k.mu * L[0] + (v_t_post < 0.0 ? -L[1] : L[1])) * root;
    const double excess = fmax(0.0, fabs(L[1]) - k.mu * L[0]) * root;
    const double slip = root > 0.0 ? fabs(v_t_post) / root : 0.0;
    const double violation =
        fmax(fmax(fabs(v_n_post) / sqrt(k.c_nn), excess), fmin(slip, fabs(unused)));
    *residual = violation > 0.0 ? violation / carom_scale_speed(problem->kinetic_energy, 1.0) : 0.0;
}

carom_status carom_contact_resolve(carom_contact_resolution *resolution, int i, const double *c,
                                   double *L, double *residual) {
    CAROM_ASSERT(resolution != NULL && c != NULL && L != NULL);
    if (resolution->problem->tangent_count == 1) {
        resolve_planar(resolution->problem, i, c, L, residual);
        return CAROM_OK;
    }
    return resolve_spatial(resolution->problem, i, c, resolution, L, residual);
}
