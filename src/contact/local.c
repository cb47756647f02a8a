#include <carom/contact/contact.h>

#include <float.h>
#include <math.h>

/* The root is bracketed, so that halving alone would end here. */
enum { MOST_ROOT_STEPS = 200 };

/* The tangential problem that is left where u_n = 0: u_t = A r_t + b, r_n = r_0 - c' r_t. */
typedef struct sliding {
    double A[4]; /* W_tt - W_tn W_nt / W_nn */
    double b[2]; /* q_t - W_tn q_n / W_nn */
    double c[2]; /* W_nt / W_nn */
    double r0;   /* -q_n / W_nn > 0 */
    double mu;
} sliding;

static double length_of(const double *x) {
    return sqrt(x[0] * x[0] + x[1] * x[1]);
}

static bool solve_plane(const double *W, double mu, const double *q, double *r) {
    const double b = q[1] - W[2] * q[0] / W[0];
    const double A = W[3] - W[2] * W[1] / W[0];
    // Stick ...
    if (A > 4.0 * DBL_EPSILON * W[3] || !(fabs(b) > 0.0)) {
        r[1] = fabs(b) > 0.0 ? -b / A : 0.0;
        r[0] = -(q[0] + W[1] * r[1]) / W[0];
        if (r[0] >= 0.0 && fabs(r[1]) <= mu * r[0]) {
            return true;
        }
    }
    // ... or slide the way that sticking would be forced, where both leave u_n = 0.
    const double way = b > 0.0 ? 1.0 : -1.0;
    r[0] = -q[0] / (W[0] - way * mu * W[1]);
    r[1] = -way * mu * r[0];
    return r[0] > 0.0 && isfinite(r[0]);
}

/* r_t = -(A + a 1)^-1 b; false where that is singular. */
static bool tangential_impulse(const sliding *s, double a, const double *b, double *x) {
    const double A00 = s->A[0] + a;
    const double A11 = s->A[3] + a;
    const double det = A00 * A11 - s->A[1] * s->A[2];
    if (!(det > 4.0 * DBL_EPSILON * fabs(A00 * A11))) {
        return false;
    }
    x[0] = -(A11 * b[0] - s->A[1] * b[1]) / det;
    x[1] = -(A00 * b[1] - s->A[2] * b[0]) / det;
    return true;
}

/*
 * Sliding at r_t = -u_t/a: psi(a) = mu r_n(a)/|r_t(a)| - 1, below zero at a = 0, where sticking
 * leaves the cone, and nearly linear, as 1/|r_t| is. Its derivative by r_t' = -(A + a 1)^-1 r_t.
 */
static bool sliding_function(const sliding *s, double a, double *r, double *psi, double *slope) {
    double t[2];
    double p[2];
    if (!tangential_impulse(s, a, s->b, t) || !tangential_impulse(s, a, t, p)) {
        return false;
    }
    const double size = sqrt(t[0] * t[0] + t[1] * t[1]);
    const double d[2] = {t[0] / size, t[1] / size};
    const double along = d[0] * p[0] + d[1] * p[1];
    const double turned =
        s->c[0] * (p[0] - d[0] * along) + s->c[1] * (p[1] - d[1] * along); /* c' d(d)/da |r_t| */
    r[0] = s->r0 - s->c[0] * t[0] - s->c[1] * t[1];
    r[1] = t[0];
    r[2] = t[1];
    *psi = s->mu * r[0] / size - 1.0;
    *slope = -s->mu * (s->r0 * along / size + turned) / size;
    return true;
}

/* The root of psi by Newton's method within a bracket that halves where it leaves it. */
static bool solve_sliding(const sliding *s, double *r) {
    const double b = length_of(s->b);
    const double trace = fabs(s->A[0]) + fabs(s->A[3]);
    const double limit = (1.0 + s->mu * length_of(s->c)) * b / (s->mu * s->r0);
    double low = 0.0;
    double high = limit * (1.0 + 4.0 * DBL_EPSILON);
    double a = fmin(fmax(b / (s->mu * s->r0) - 0.5 * trace, 0.0), high);
    if (!isfinite(high)) {
        return false;
    }
    for (int k = 0; k < MOST_ROOT_STEPS; k++) {
        double psi;
        double slope;
        if (!sliding_function(s, a, r, &psi, &slope)) {
            // Too near to where A + a 1 is singular, which can be at a = 0 only.
            low = a;
            a = a > 0.0 ? 0.5 * (a + high) : 4.0 * DBL_EPSILON * (trace + high);
            continue;
        }
        if (psi < 0.0) {
            low = a;
        } else {
            high = a;
        }
        double next = a - psi / slope;
        if (!(next > low && next < high)) {
            next = 0.5 * (low + high);
        }
        if (fabs(next - a) <= 2.0 * DBL_EPSILON * a || fabs(psi) <= 2.0 * DBL_EPSILON) {
            return r[0] > 0.0;
        }
        a = next;
    }
    return false;
}

static bool solve_space(const double *W, double mu, const double *q, double *r) {
    sliding s = {.mu = mu, .r0 = -q[0] / W[0], .c = {W[1] / W[0], W[2] / W[0]}};
    for (int i = 0; i < 2; i++) {
        const double *row = W + 3 * (i + 1);
        s.b[i] = q[i + 1] + row[0] * s.r0;
        s.A[2 * i] = row[1] - row[0] * s.c[0];
        s.A[2 * i + 1] = row[2] - row[0] * s.c[1];
    }
    // Stick, where the tangents are not independent by the least impulse, or slide along the cone.
    double *t = r + 1;
    const bool is_still = !(length_of(s.b) > 0.0);
    if (is_still || !(mu > 0.0)) {
        r[0] = s.r0;
        t[0] = 0.0;
        t[1] = 0.0;
        return true;
    }
    const double rounding = 8.0 * DBL_EPSILON * (fabs(s.A[0]) + fabs(s.A[3]));
    if (tangential_impulse(&s, 0.0, s.b, t) || tangential_impulse(&s, rounding, s.b, t)) {
        r[0] = s.r0 - s.c[0] * t[0] - s.c[1] * t[1];
        if (r[0] >= 0.0 && length_of(t) <= mu * r[0]) {
            return true;
        }
    }
    if (!solve_sliding(&s, r)) {
        return false;
    }
    const double onto = mu * r[0] / length_of(t);
    t[0] *= onto;
    t[1] *= onto;
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
