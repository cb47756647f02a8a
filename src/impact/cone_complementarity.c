#include <carom/impact/anitescu_potra.h>
#include <carom/impact/contact_modes.h>
#include <carom/impact/impulse_increment.h>

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static const double TWO_PI = 6.283185307179586476925286766559;

carom_status carom_friction_facets(int facets, double *directions) {
    CAROM_ASSERT(directions != NULL);
    if (facets < CAROM_FRICTION_FEWEST_FACETS || facets % 2 != 0) {
        return CAROM_STATUS_OUT_OF_RANGE;
    }
    // A quarter of the corners, or half of them, by angle ...
    const int given = facets % 4 == 0 ? facets / 4 : facets / 2;
    for (int j = 0; j < given; j++) {
        const double angle = TWO_PI * j / facets;
        directions[2 * j] = cos(angle);
        directions[2 * j + 1] = sin(angle);
    }
    // ... and the others by exact turns: a right angle, or a half turn.
    for (int j = given; j < facets; j++) {
        const double *d = directions + 2 * (j - given);
        directions[2 * j] = facets % 4 == 0 ? -d[1] : -d[0];
        directions[2 * j + 1] = facets % 4 == 0 ? d[0] : -d[1];
    }
    return CAROM_OK;
}

/** First row of the normal impulses. */
static int normal_start(const carom_cone_complementarity *cones) {
    return cones->is_capped ? cones->problem->contact_count : 0;
}

/**
 * Facet speeds J_D v = D' J_t v: the factor of contact-space row `row` in facet j of contact i, for
 * the t tangential rows of the contact.
 */
static double facet_entry(const carom_cone_complementarity *cones, int j, int tangent) {
    return cones->directions[j * cones->problem->tangent_count + tangent];
}

/** d_j' C_(t of i),row: the change of a facet speed by an impulse on a contact-space row. */
static double facet_response(const carom_cone_complementarity *cones, int i, int j, int row) {
    const carom_impact_problem *p = cones->problem;
    double sum = 0.0;
    for (int a = 0; a < p->tangent_count; a++) {
        const int tangential = p->contact_count + i * p->tangent_count + a;
        sum += facet_entry(cones, j, a) * p->delassus_matrix[tangential * p->row_count + row];
    }
    return sum;
}

/** d_j' C_(t of i),(t of l) d_o. */
static double facet_coupling(const carom_cone_complementarity *cones, int i, int j, int l, int o) {
    const carom_impact_problem *p = cones->problem;
    double sum = 0.0;
    for (int b = 0; b < p->tangent_count; b++) {
        const int tangential = p->contact_count + l * p->tangent_count + b;
        sum += facet_response(cones, i, j, tangential) * facet_entry(cones, o, b);
    }
    return sum;
}

/** W of (75), or its lower right part. */
static void fill_matrix(carom_cone_complementarity *cones) {
    const carom_impact_problem *p = cones->problem;
    const int m = p->contact_count;
    const int k = cones->facet_count;
    const int size = cones->size;
    const int normal = normal_start(cones);
    const int facet = normal + m;
    const int speed = facet + m * k;
    double *W = cones->matrix;
    for (int i = 0; i < m; i++) {
        if (cones->is_capped) {
            // beta _|_ cap - L_n, and beta in the row of the normal speed.
            W[i * size + normal + i] = -1.0;
            W[(normal + i) * size + i] = 1.0;
        }
        for (int l = 0; l < m; l++) {
            W[(normal + i) * size + normal + l] = p->delassus_matrix[i * p->row_count + l];
        }
        for (int j = 0; j < k; j++) {
            const int row = facet + i * k + j;
            for (int l = 0; l < m; l++) {
                const double response = facet_response(cones, i, j, l);
                W[row * size + normal + l] = response;
                W[(normal + l) * size + row] = response;
                for (int o = 0; o < k; o++) {
                    W[row * size + facet + l * k + o] = facet_coupling(cones, i, j, l, o);
                }
            }
            // L_D _|_ J_D v' + gamma, gamma _|_ mu L_n - sum L_D.
            W[row * size + speed + i] = 1.0;
            W[(speed + i) * size + row] = -1.0;
        }
        W[(speed + i) * size + normal + i] = p->friction[i];
    }
}

carom_status carom_cone_complementarity_alloc(const carom_impact_problem *problem, int facets,
                                              bool is_capped, carom_cone_complementarity **out,
                                              carom_report *report) {
    CAROM_ASSERT(problem != NULL && out != NULL);
    *out = NULL;
    const bool is_planar = problem->tangent_count == 1;
    if (!is_planar && (facets < 4 || facets % 2 != 0)) {
        return carom_report_refuse(report, "facets of a friction cone", facets, -1,
                                   "even, at least 4");
    }
    CAROM_AUTO(carom_cone_complementarity) cones = calloc(1, sizeof *cones);
    if (cones == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    cones->problem = problem;
    cones->is_capped = is_capped;
    cones->facet_count = is_planar ? 2 : facets;
    cones->size = (cones->facet_count + (is_capped ? 3 : 2)) * problem->contact_count;
    const size_t size = (size_t)cones->size;
    cones->directions =
        calloc((size_t)cones->facet_count * (size_t)problem->tangent_count, sizeof(double));
    cones->matrix = calloc(size * size, sizeof(double));
    if (cones->directions == NULL || cones->matrix == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    if (is_planar) {
        cones->directions[0] = 1.0;
        cones->directions[1] = -1.0;
    } else {
        CAROM_TRY(carom_friction_facets(cones->facet_count, cones->directions));
    }
    fill_matrix(cones);
    CAROM_HAND_OVER(cones, out);
    return CAROM_OK;
}

void carom_cone_complementarity_free(carom_cone_complementarity *cones) {
    if (cones == NULL) {
        return;
    }
    free(cones->directions);
    free(cones->matrix);
    free(cones);
}

void carom_cone_complementarity_constant(const carom_cone_complementarity *cones, const double *c,
                                         double *w) {
    CAROM_ASSERT(cones != NULL && c != NULL && w != NULL);
    const carom_impact_problem *p = cones->problem;
    const int m = p->contact_count;
    const int k = cones->facet_count;
    const int normal = normal_start(cones);
    for (int i = 0; i < m; i++) {
        w[normal + i] = c[i];
        for (int j = 0; j < k; j++) {
            double speed = 0.0;
            for (int a = 0; a < p->tangent_count; a++) {
                speed += facet_entry(cones, j, a) * c[m + i * p->tangent_count + a];
            }
            w[normal + m + i * k + j] = speed;
        }
        w[normal + m + m * k + i] = 0.0;
    }
}

void carom_cone_complementarity_covering(const carom_cone_complementarity *cones, double mass,
                                         double *d) {
    CAROM_ASSERT(cones != NULL && d != NULL);
    const carom_impact_problem *p = cones->problem;
    const bool has_mass = mass > 0.0;
    const int m = p->contact_count;
    const int k = cones->facet_count;
    const int normal = normal_start(cones);
    for (int i = 0; i < m; i++) {
        const double closing = has_mass ? 1.0 : p->row_scale[i];
        const double slip = has_mass ? 1.0 : p->row_scale[m + i * p->tangent_count];
        if (cones->is_capped) {
            d[i] = has_mass ? mass : 1.0 / closing;
        }
        d[normal + i] = closing;
        for (int j = 0; j < k; j++) {
            d[normal + m + i * k + j] = slip;
        }
        d[normal + m + m * k + i] = has_mass ? mass : 1.0 / slip;
    }
}

void carom_cone_complementarity_impulse(const carom_cone_complementarity *cones, const double *z,
                                        double *L) {
    CAROM_ASSERT(cones != NULL && z != NULL && L != NULL);
    const carom_impact_problem *p = cones->problem;
    const int m = p->contact_count;
    const int k = cones->facet_count;
    const int normal = normal_start(cones);
    for (int i = 0; i < m; i++) {
        L[i] = z[normal + i];
        for (int a = 0; a < p->tangent_count; a++) {
            double sum = 0.0;
            for (int j = 0; j < k; j++) {
                sum += facet_entry(cones, j, a) * z[normal + m + i * k + j];
            }
            L[m + i * p->tangent_count + a] = sum;
        }
    }
}
