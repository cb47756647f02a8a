/** An impact whose place stays as it is, as a mechanism of as few coordinates as contacts can move.
 */
#include <carom/impact/internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Rows of contact space shorter than this beside the others are combinations of them. */
static const double DEPENDENT = 1e-10;

static void unit_mass(const double *q, double *M, void *context) {
    const int k = ((const carom_frozen_impact *)context)->size;
    (void)q;
    memset(M, 0, (size_t)k * (size_t)k * sizeof(double));
    for (int i = 0; i < k; i++) {
        M[i * k + i] = 1.0;
    }
}

static void no_force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    (void)q;
    (void)v;
    memset(f, 0, (size_t)((const carom_frozen_impact *)context)->size * sizeof(double));
}

static double no_energy(const double *q, void *context) {
    (void)q;
    (void)context;
    return 0.0;
}

double carom_frozen_impact_along(const carom_frozen_impact *self, int i, const double *y) {
    double sum = 0.0;
    for (int j = 0; j < self->size; j++) {
        sum += self->A[i * self->size + j] * y[j];
    }
    return sum;
}

static void gaps(const double *q, double *g, void *context) {
    const carom_frozen_impact *self = context;
    for (int i = 0; i < self->contacts; i++) {
        g[i] = carom_frozen_impact_along(self, i, q);
    }
}

static void normal_rows(const double *q, double *G, void *context) {
    const carom_frozen_impact *self = context;
    (void)q;
    memcpy(G, self->A, (size_t)self->contacts * (size_t)self->size * sizeof(double));
}

static void tangential_rows(const double *q, double *H, void *context) {
    const carom_frozen_impact *self = context;
    const size_t block = (size_t)self->contacts * (size_t)self->size;
    (void)q;
    memcpy(H, self->A + block, block * sizeof(double));
}

/** The rows L^-1 J' by forward substitution: B [r][n], whose products are those of C. */
static void whiten(const carom_impact_problem *p, double *B) {
    const int n = p->coordinate_count;
    for (int a = 0; a < p->row_count; a++) {
        for (int i = 0; i < n; i++) {
            double sum = p->contact_jacobian[a * n + i];
            for (int j = 0; j < i; j++) {
                sum -= p->mass_factor[i * n + j] * B[a * n + j];
            }
            B[a * n + i] = sum / p->mass_factor[i * n + i];
        }
    }
}

/** Orthonormal directions of the rows of B, in place of a list of them; returns their number.
 * Gram and Schmidt's method, each row twice. */
static int orthonormalize(const carom_impact_problem *p, const double *B, double *Q) {
    const int n = p->coordinate_count;
    int count = 0;
    for (int a = 0; a < p->row_count && count < n; a++) {
        double *row = Q + (size_t)count * (size_t)n;
        memcpy(row, B + (size_t)a * (size_t)n, (size_t)n * sizeof(double));
        double before = 0.0;
        double after = 0.0;
        for (int i = 0; i < n; i++) {
            before += row[i] * row[i];
        }
        for (int pass = 0; pass < 2 * count; pass++) {
            const double *unit = Q + (size_t)(pass % count) * (size_t)n;
            double part = 0.0;
            for (int i = 0; i < n; i++) {
                part += row[i] * unit[i];
            }
            for (int i = 0; i < n; i++) {
                row[i] -= part * unit[i];
            }
        }
        for (int i = 0; i < n; i++) {
            after += row[i] * row[i];
        }
        if (after > DEPENDENT * DEPENDENT * before) {
            for (int i = 0; i < n; i++) {
                row[i] /= sqrt(after);
            }
            count++;
        }
    }
    return count;
}

/** Largest contact speed before the impact, m/s; 1 if there is none. */
static double fastest(const carom_impact_problem *p) {
    double speed = 0.0;
    for (int i = 0; i < p->row_count; i++) {
        speed = fmax(speed, fabs(p->contact_velocity[i]));
    }
    return speed > 0.0 ? speed : 1.0;
}

/** Rows and velocity in the directions Q. */
static void project(const carom_impact_problem *p, const double *B, const double *Q,
                    carom_frozen_impact *out) {
    const int n = p->coordinate_count;
    const int k = out->size;
    for (int j = 0; j < k; j++) {
        const double *unit = Q + (size_t)j * (size_t)n;
        for (int a = 0; a < p->row_count; a++) {
            double *entry = &out->A[a * k + j];
            *entry = 0.0;
            for (int i = 0; i < n; i++) {
                *entry += B[a * n + i] * unit[i];
            }
        }
        // y' = Q L' v.
        double *speed = &out->y[k + j];
        *speed = 0.0;
        for (int i = 0; i < n; i++) {
            for (int l = i; l < n; l++) {
                *speed += unit[i] * p->mass_factor[l * n + i] * p->velocity[l] / out->speed;
            }
        }
    }
}

carom_status carom_frozen_impact_init(const carom_impact_problem *p, carom_frozen_impact *out) {
    const size_t n = (size_t)p->coordinate_count;
    const size_t r = (size_t)p->row_count;
    CAROM_AUTO_MEMORY double *B = calloc(2 * r * n + n, sizeof *B);
    if (B == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *Q = B + r * n;
    whiten(p, B);
    *out = (carom_frozen_impact){.size = orthonormalize(p, B, Q),
                                 .contacts = p->contact_count,
                                 .rows = p->row_count,
                                 .speed = fastest(p)};
    const size_t k = (size_t)out->size;
    out->A = calloc(r * k + 2 * k + 1, sizeof *out->A);
    if (out->A != NULL) {
        out->y = out->A + r * k;
        project(p, B, Q, out);
    }
    return out->A != NULL ? CAROM_OK : CAROM_STATUS_OUT_OF_MEMORY;
}

carom_mechanism carom_frozen_impact_mechanism(carom_frozen_impact *self,
                                              const carom_impact_problem *p,
                                              const double *restitution) {
    const carom_mechanism mechanism = {
        .name = "impact",
        .coordinate_count = self->size,
        .contact_count = self->contacts,
        .layout = carom_layout_full(self->size),
        .is_linear = true,
        .position_units = "m",
        .velocity_units = "m s-1",
        .restitution = restitution,
        .friction = p->friction,
        .tangent_count = 1,
        .mass = unit_mass,
        .force = no_force,
        .potential_energy = no_energy,
        .constraints = gaps,
        .constraint_jacobian = normal_rows,
        .tangential_jacobian = tangential_rows,
        .context = self,
    };
    return mechanism;
}
