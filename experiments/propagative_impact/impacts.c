/** Random impacts, and single impacts written down with mass matrix and momenta. */
#include "propagation.h"

#include <carom/base/random.h>
#include <carom/base/vector.h>

#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>

/** Dimensions that a part of the experiment may draw for one impact. */
enum { PER_PART = 1024 };

/** Lengths of normals, if they are not one. */
static const double SHORTEST = 0.3;
static const double LONGEST = 3.0;

double propagative_impact_draw(stream *from, double low, double high) {
    const double share =
        carom_counter_uniform(from->seed, from->sample, from->part * PER_PART + from->dimension++);
    return low + (high - low) * share;
}

/** y = M^-1 a'. */
static void solve_mass(const instant *x, const double *a, double *y) {
    const size_t n = (size_t)x->n;
    const gsl_matrix_const_view L = gsl_matrix_const_view_array(x->factor, n, n);
    const gsl_vector_const_view right = gsl_vector_const_view_array(a, n);
    gsl_vector_view left = gsl_vector_view_array(y, n);
    // The factor has a positive diagonal: nothing can fail.
    (void)gsl_linalg_cholesky_solve(&L.matrix, &right.vector, &left.vector);
}

double propagative_impact_product(const instant *x, const double *a, const double *b) {
    double y[MOST_COORDINATES] = {0.0};
    solve_mass(x, b, y);
    return carom_vector_dot(x->n, a, y);
}

double propagative_impact_reflect(const instant *x, int i, double *p) {
    const double *u = x->normal + i * x->n;
    const double *y = x->dual + i * x->n;
    const double lambda = -2.0 * carom_vector_dot(x->n, p, y) / carom_vector_dot(x->n, u, y);
    for (int k = 0; k < x->n; k++) {
        p[k] += lambda * u[k];
    }
    return lambda;
}

void propagative_impact_complete(instant *x) {
    for (int i = 0; i < x->m; i++) {
        solve_mass(x, x->normal + i * x->n, x->dual + i * x->n);
        x->velocity[i] = carom_vector_dot(x->n, x->momentum, x->dual + i * x->n);
    }
    x->energy = 0.5 * propagative_impact_product(x, x->momentum, x->momentum);
}

/** A random metric of n coordinates. */
static void draw_metric(stream *from, int n, instant *x) {
    CAROM_ASSERT(n >= 1 && n <= MOST_COORDINATES);
    *x = (instant){.n = n};
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < k; j++) {
            x->factor[k * n + j] = propagative_impact_draw(from, -0.5, 0.5);
        }
        x->factor[k * n + k] = propagative_impact_draw(from, 0.5, 1.5);
    }
}

/** The covector (L w)' of w [n], times a length. */
static void to_covector(const instant *x, const double *w, double length, double *u) {
    for (int k = 0; k < x->n; k++) {
        u[k] = length * carom_vector_dot(k + 1, x->factor + k * x->n, w);
    }
}

/** Take from w [n] its parts along orthonormal vectors [count][n]; twice, for what rounding left.
 */
static void remove_directions(int n, int count, const double *others, double *w) {
    for (int pass = 0; pass < 2 * count; pass++) {
        const double *other = others + (pass % count) * n;
        const double part = carom_vector_dot(n, w, other);
        for (int k = 0; k < n; k++) {
            w[k] -= part * other[k];
        }
    }
}

/** A random vector of length one, at right angles to `count` others [count][n]. */
static void draw_direction(stream *from, int n, int count, const double *others, double *w) {
    double norm = 0.0;
    while (norm < 0.1) {
        for (int k = 0; k < n; k++) {
            w[k] = propagative_impact_draw(from, -1.0, 1.0);
        }
        remove_directions(n, count, others, w);
        norm = sqrt(carom_vector_dot(n, w, w));
    }
    for (int k = 0; k < n; k++) {
        w[k] /= norm;
    }
}

static double draw_length(stream *from) {
    return propagative_impact_draw(from, SHORTEST, LONGEST);
}

void propagative_impact_draw_pair(stream *from, int n, double half_opening, double angle,
                                  bool is_unit, instant *x) {
    CAROM_ASSERT(n >= PAIR);
    draw_metric(from, n, x);
    x->m = PAIR;
    // Normals in the plane of two orthonormal directions: v is pi - 2 gamma away from u.
    double basis[3 * MOST_COORDINATES] = {0.0};
    double w[MOST_COORDINATES] = {0.0};
    draw_direction(from, n, 0, basis, basis);
    draw_direction(from, n, 1, basis, basis + n);
    if (n > PAIR) {
        draw_direction(from, n, PAIR, basis, basis + 2 * n);
    }
    const double c = -cos(2.0 * half_opening);
    const double s = sin(2.0 * half_opening);
    for (int k = 0; k < n; k++) {
        w[k] = c * basis[k] + s * basis[n + k];
    }
    to_covector(x, basis, is_unit ? 1.0 : draw_length(from), x->normal);
    to_covector(x, w, is_unit ? 1.0 : draw_length(from), x->normal + n);
    const double size = propagative_impact_draw(from, 0.5, 2.0);
    const double at = angle - 2.0 * half_opening - M_PI_2;
    for (int k = 0; k < n; k++) {
        w[k] = size * (cos(at) * basis[k] + sin(at) * basis[n + k]);
        w[k] += n > PAIR ? size * basis[2 * n + k] : 0.0;
    }
    to_covector(x, w, 1.0, x->momentum);
    propagative_impact_complete(x);
}

void propagative_impact_draw_cone(stream *from, int n, int m, instant *x) {
    CAROM_ASSERT(m <= MOST_CONTACTS);
    draw_metric(from, n, x);
    x->m = m;
    double rise[MOST_COORDINATES] = {0.0};
    double w[MOST_COORDINATES] = {0.0};
    draw_direction(from, n, 0, rise, rise);
    for (int i = 0; i < m; i++) {
        double along = 0.0;
        // Below 0.01 separating them takes more than 200 |p| of impulses.
        while (fabs(along) < 0.01) {
            draw_direction(from, n, 0, rise, w);
            along = carom_vector_dot(n, rise, w);
        }
        to_covector(x, w, along < 0.0 ? -draw_length(from) : draw_length(from), x->normal + i * n);
    }
    draw_direction(from, n, 0, rise, w);
    to_covector(x, w, draw_length(from), x->momentum);
    propagative_impact_complete(x);
}

carom_status propagative_impact_set(const instant *x, carom_propagative_contacts *contacts,
                                    carom_report *report) {
    return carom_propagative_contacts_set(contacts, x->factor, x->normal, report);
}

void propagative_impact_add(const instant *x, const double *impulse, double *p) {
    for (int i = 0; i < x->m; i++) {
        for (int k = 0; k < x->n; k++) {
            p[k] += impulse[i] * x->normal[i * x->n + k];
        }
    }
}

/** Take from p [n] what the normals span: what is left is seen along tangents t, u_i t = 0. */
static void remove_normals(const instant *x, double *p) {
    const int n = x->n;
    double basis[MOST_COORDINATES * MOST_COORDINATES] = {0.0};
    int count = 0;
    for (int i = 0; i < x->m && count < n; i++) {
        const double *u = x->normal + i * n;
        double *b = basis + count * n;
        for (int k = 0; k < n; k++) {
            b[k] = u[k];
        }
        remove_directions(n, count, basis, b);
        const double norm = sqrt(carom_vector_dot(n, b, b));
        // Dependent normals add nothing.
        if (norm > 1e-9 * sqrt(carom_vector_dot(n, u, u))) {
            for (int k = 0; k < n; k++) {
                b[k] /= norm;
            }
            count++;
        }
    }
    remove_directions(n, count, basis, p);
}

conservation propagative_impact_conserved(const instant *x,
                                          const carom_propagative_impact *impact) {
    const int n = x->n;
    double after[MOST_COORDINATES] = {0.0};
    double change[MOST_COORDINATES] = {0.0};
    for (int k = 0; k < n; k++) {
        after[k] = x->momentum[k];
    }
    // The momentum itself, one reflection after the other.
    for (int i = 0; i < impact->step_count; i++) {
        (void)propagative_impact_reflect(x, impact->sequence[i], after);
    }
    const double norm = sqrt(2.0 * x->energy);
    conservation out = {.impulse = HUGE_VAL};
    out.energy = fabs(0.5 * propagative_impact_product(x, after, after) - x->energy) / x->energy;
    for (int i = 0; i < x->m; i++) {
        const double *y = x->dual + i * n;
        const double length = sqrt(carom_vector_dot(n, x->normal + i * n, y));
        out.approach = fmax(out.approach, -carom_vector_dot(n, after, y) / (length * norm));
    }
    for (int i = 0; i < impact->step_count; i++) {
        out.impulse = fmin(out.impulse, impact->step_impulse[i]);
    }
    for (int k = 0; k < n; k++) {
        change[k] = after[k] - x->momentum[k];
    }
    remove_normals(x, change);
    out.tangential =
        sqrt(carom_vector_dot(n, change, change) / carom_vector_dot(n, x->momentum, x->momentum));
    return out;
}

conservation propagative_impact_worse(conservation a, conservation b) {
    return (conservation){.energy = fmax(a.energy, b.energy),
                          .tangential = fmax(a.tangential, b.tangential),
                          .approach = fmax(a.approach, b.approach),
                          .impulse = fmin(a.impulse, b.impulse)};
}
