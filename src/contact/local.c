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

/* y = adj(A + a 1) b, a line in a, and the determinant of A + a 1: r_t = -y/det. @return whether
 * that matrix is regular */
static inline bool adjoint_impulse(const sliding *s, double a, double *y, double *det) {
    const double A00 = s->A[0] + a;
    const double A11 = s->A[3] + a;
    const double product = A00 * A11;
    y[0] = A11 * s->b[0] - s->A[1] * s->b[1];
    y[1] = A00 * s->b[1] - s->A[2] * s->b[0];
    *det = product - s->A[1] * s->A[2];
    return *det > 4.0 * DBL_EPSILON * fabs(product);
}

/* r_t = -(A + a 1)^-1 b, and r_n. */
static void sliding_impulse(const sliding *s, double a, double *r) {
    double det;
    (void)adjoint_impulse(s, a, r + 1, &det);
    const double scale = -1.0 / det;
    r[1] *= scale;
    r[2] *= scale;
    r[0] = s->r0 - dot(s->c, r + 1);
}

/*
 * The root of psi(a) = mu r_n(a)/|r_t(a)| - 1, where the contact slides at r_t = -u_t/a: psi < 0 at
 * a = 0, where sticking leaves the cone, and nearly linear, as 1/|r_t| is. By Newton's method
 * within a bracket that halves where it leaves it, from where the root would be if A turned
 * nothing. With N = r_0 det + c'y, det r_n, psi = mu N/|y| - 1: a root and two divisions a step.
 */
static bool solve_sliding(const sliding *s, double *r) {
    const double square = dot(s->b, s->b);
    const double b = sqrt(square);
    const double Ab[2] = {dot(s->A, s->b), dot(s->A + 2, s->b)};
    const double cb = dot(s->c, s->b);
    const double limit = 1.0 / (s->mu * s->r0);
    double low = 0.0;
    double high = (1.0 + s->mu * sqrt(dot(s->c, s->c))) * b * limit * (1.0 + 4.0 * DBL_EPSILON);
    double a = (b - s->mu * cb) * limit - dot(s->b, Ab) / square;
    a = a > 0.0 ? a : 0.0;
    a = a < high ? a : high;
    for (int k = 0; k < MOST_ROOT_STEPS && isfinite(high); k++) {
        double y[2];
        double det;
        if (!adjoint_impulse(s, a, y, &det)) {
            // Too near to where A + a 1 is singular, which can be at a = 0 only.
            low = a;
            a = a > 0.0 ? 0.5 * (a + high)
                        : 4.0 * DBL_EPSILON * (fabs(s->A[0]) + fabs(s->A[3]) + high);
            continue;
        }
        const double size = sqrt(dot(y, y));
        const double inverse = 1.0 / size;
        const double excess = s->mu * (s->r0 * det + dot(s->c, y)) - size; /* psi |y| */
        const double slope = s->mu * (s->r0 * (s->A[0] + s->A[3] + 2.0 * a) + cb) -
                             (1.0 + excess * inverse) * dot(y, s->b) * inverse; /* psi' |y| */
        low = excess < 0.0 ? a : low;
        high = excess < 0.0 ? high : a;
        double next = a - excess / slope;
        const bool is_near =
            fabs(excess) <= NEARLY_ROOT * size || fabs(next - a) <= 2.0 * DBL_EPSILON * a;
        if (is_near) {
            sliding_impulse(s, next, r);
            return r[0] > 0.0;
        }
        a = next > low && next < high ? next : 0.5 * (low + high);
    }
    return false;
}

/* r_t = -A^-1 b; where A has rank one the least, -A' b / |A|^2, where it has none zero. @return
 * whether they hold the contact, which rounding of `terms` decides for neither side */
static bool sticking_impulse(const sliding *s, double rounding, double terms, double *x) {
    const double det = s->A[0] * s->A[3] - s->A[1] * s->A[2];
    const double size = dot(s->A, s->A) + dot(s->A + 2, s->A + 2);
    if (fabs(det) > rounding * sqrt(size)) {
        x[0] = -(s->A[3] * s->b[0] - s->A[1] * s->b[1]) / det;
        x[1] = -(s->A[0] * s->b[1] - s->A[2] * s->b[0]) / det;
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
