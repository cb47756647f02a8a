#include <carom/contact/contact.h>

#include <float.h>
#include <math.h>

/* The root is bracketed, so that halving alone would end here. */
enum { MOST_ROOT_STEPS = 200 };

/* Where psi is so small, Newton's next step leaves its square. */
static const double NEARLY_ROOT = 1e-9;

/* Of W_tt, what rounding leaves of a tangential matrix that is singular: of the impulses that stick
 * the least is taken. */
static const double ROUNDING = 64.0 * DBL_EPSILON;

/* Of the terms of b, what is left of them where it is none. */
static const double STILL = 4.0 * DBL_EPSILON;

/* Of the same terms, velocities that such matrices do not tell from none. */
static const double UNDECIDED = 1e-11;

/* The tangential problem that is left where u_n = 0: u_t = A r_t + b, r_n = r_0 - c' r_t. */
typedef struct sliding {
    double A[4]; /* W_tt - W_tn W_nt / W_nn */
    double b[2]; /* q_t - W_tn q_n / W_nn */
    double c[2]; /* W_nt / W_nn */
    double r0;   /* -q_n / W_nn > 0 */
    double mu;
} sliding;

static double dot(const double *x, const double *y) {
    return x[0] * y[0] + x[1] * y[1];
}

static bool solve_plane(const double *W, double mu, const double *q, double *r) {
    const double c = W[1] / W[0];
    const double r0 = -q[0] / W[0];
    const double b = q[1] + W[2] * r0;
    const double A = W[3] - W[2] * c;
    const double least = ROUNDING * W[3];
    // Stick ...
    if (fabs(b) > STILL * (fabs(q[1]) + fabs(W[2]) * r0)) {
        r[1] = -b / (fabs(A) > least ? A : least);
        r[0] = r0 - c * r[1];
    } else {
        r[0] = r0;
    }
    if (r[0] >= 0.0 && fabs(r[1]) <= mu * r[0]) {
        return true;
    }
    // ... or slide the way that sticking would be forced, where both leave u_n = 0.
    const double way = b > 0.0 ? 1.0 : -1.0;
    r[0] = -q[0] / (W[0] - way * mu * W[1]);
    r[1] = -way * mu * r[0];
    return r[0] > 0.0 && isfinite(r[0]);
}

/* r_t = -(A + a 1)^-1 b and its derivative by a; where that is singular false. */
static bool tangential_impulse(const sliding *s, double a, double *x, double *slope) {
    const double A00 = s->A[0] + a;
    const double A11 = s->A[3] + a;
    const double det = A00 * A11 - s->A[1] * s->A[2];
    const double scale = -1.0 / det;
    x[0] = scale * (A11 * s->b[0] - s->A[1] * s->b[1]);
    x[1] = scale * (A00 * s->b[1] - s->A[2] * s->b[0]);
    slope[0] = scale * (A11 * x[0] - s->A[1] * x[1]);
    slope[1] = scale * (A00 * x[1] - s->A[2] * x[0]);
    return det > 4.0 * DBL_EPSILON * fabs(A00 * A11);
}

/*
 * Sliding at r_t = -u_t/a: psi(a) = mu r_n(a)/|r_t(a)| - 1, below zero at a = 0, where sticking
 * leaves the cone, and nearly linear, as 1/|r_t| is.
 */
static bool sliding_function(const sliding *s, double a, double *r, double *psi, double *slope) {
    double d[2];
    const bool is_regular = tangential_impulse(s, a, r + 1, d);
    const double square = dot(r + 1, r + 1);
    const double factor = s->mu / sqrt(square);
    r[0] = s->r0 - dot(s->c, r + 1);
    *psi = factor * r[0] - 1.0;
    *slope = -factor * (dot(s->c, d) + r[0] * dot(r + 1, d) / square);
    return is_regular;
}

/* The root of psi by Newton's method within a bracket that halves where it leaves it, from where it
 * would be if A turned nothing. */
static bool solve_sliding(const sliding *s, double *r) {
    const double square = dot(s->b, s->b);
    const double b = sqrt(square);
    const double Ab[2] = {dot(s->A, s->b), dot(s->A + 2, s->b)};
    const double straight =
        (b - s->mu * dot(s->c, s->b)) / (s->mu * s->r0) - dot(s->b, Ab) / square;
    double low = 0.0;
    double high = (1.0 + s->mu * sqrt(dot(s->c, s->c))) * b / (s->mu * s->r0);
    high *= 1.0 + 4.0 * DBL_EPSILON;
    double a = fmin(fmax(straight, 0.0), high);
    bool is_near = false;
    for (int k = 0; k < MOST_ROOT_STEPS && isfinite(high); k++) {
        double psi;
        double slope;
        if (!sliding_function(s, a, r, &psi, &slope)) {
            // Too near to where A + a 1 is singular, which can be at a = 0 only.
            low = a;
            a = a > 0.0 ? 0.5 * (a + high)
                        : 4.0 * DBL_EPSILON * (fabs(s->A[0]) + fabs(s->A[3]) + high);
            continue;
        }
        if (is_near || fabs(psi) <= 2.0 * DBL_EPSILON) {
            return r[0] > 0.0;
        }
        low = psi < 0.0 ? a : low;
        high = psi < 0.0 ? high : a;
        double next = a - psi / slope;
        is_near = fabs(psi) <= NEARLY_ROOT || fabs(next - a) <= 2.0 * DBL_EPSILON * a;
        if (!is_near && !(next > low && next < high)) {
            next = 0.5 * (low + high);
        }
        a = next;
    }
    return false;
}

/* r_t = -A^-1 b; where A has rank one the least, -A' b / |A|^2, where it has none zero. @return
 * whether they hold the contact, which rounding of `terms` decides for neither side */
static bool sticking_impulse(const sliding *s, double rounding, double terms, double *x) {
    const double det = s->A[0] * s->A[3] - s->A[1] * s->A[2];
    const double size = dot(s->A, s->A) + dot(s->A + 2, s->A + 2);
    double slope[2];
    if (fabs(det) > rounding * sqrt(size)) {
        (void)tangential_impulse(s, 0.0, x, slope);
        return true;
    }
    for (int i = 0; i < 2; i++) {
        x[i] =
            size > rounding * rounding ? -(s->A[i] * s->b[0] + s->A[2 + i] * s->b[1]) / size : 0.0;
    }
    return fabs(s->b[0] + dot(s->A, x)) + fabs(s->b[1] + dot(s->A + 2, x)) <= UNDECIDED * terms;
}

static bool solve_space(const double *W, double mu, const double *q, double *r) {
    sliding s = {.mu = mu, .r0 = -q[0] / W[0], .c = {W[1] / W[0], W[2] / W[0]}};
    double terms = 0.0;
    for (int i = 0; i < 2; i++) {
        const double *row = W + 3 * (i + 1);
        s.b[i] = q[i + 1] + row[0] * s.r0;
        s.A[2 * i] = row[1] - row[0] * s.c[0];
        s.A[2 * i + 1] = row[2] - row[0] * s.c[1];
        terms += fabs(q[i + 1]) + fabs(row[0]) * s.r0;
    }
    r[0] = s.r0;
    if (!(mu > 0.0) || fabs(s.b[0]) + fabs(s.b[1]) <= STILL * terms) {
        return true;
    }
    // Stick, or slide along the cone.
    const bool is_held = sticking_impulse(&s, ROUNDING * (W[4] + W[8]), terms, r + 1);
    r[0] = s.r0 - dot(s.c, r + 1);
    if (is_held && r[0] >= 0.0 && dot(r + 1, r + 1) <= mu * mu * r[0] * r[0]) {
        return true;
    }
    if (!solve_sliding(&s, r)) {
        return false;
    }
    const double onto = mu * r[0] / sqrt(dot(r + 1, r + 1));
    r[1] *= onto;
    r[2] *= onto;
    return true;
}

bool carom_contact_solve_local(int t, const double *W, double mu, const double *q, double *r) {
    bool is_solved = true;
    for (int a = 0; a <= t; a++) {
        r[a] = 0.0;
    }
    if (q[0] >= 0.0) {
        return true;
    }
    if (!(W[0] > 0.0)) {
        return false;
    }
    if (t == 0) {
        r[0] = -q[0] / W[0];
    } else {
        is_solved = t == 1 ? solve_plane(W, mu, q, r) : solve_space(W, mu, q, r);
    }
    for (int a = 0; a <= t && !is_solved; a++) {
        r[a] = 0.0;
    }
    return is_solved;
}
