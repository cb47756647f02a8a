#include <carom/contact/internal.h>

#include <math.h>

/* 2^-1/2. */
static const double ROOT = 0.70710678118654752;

/* Of a cone in the plane the borders are the axes: products, scalings and steps are those of two
 * numbers. */
static bool has_axes(int size) {
    return size < 3;
}

static double dot(int size, const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < size; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* The hyperbolic length (x_0^2 - |x_t|^2)^1/2 of a point in the round cone. */
static double length_of(const double *x) {
    const double t = hypot(x[1], x[2]);
    return sqrt(fmax(x[0] - t, 0.0) * (x[0] + t));
}

void carom_contact_cone_turn(int size, double *x) {
    if (size == 2) {
        const double sum = x[0] + x[1];
        x[1] = ROOT * (x[0] - x[1]);
        x[0] = ROOT * sum;
    }
}

void carom_contact_cone_scale(int size, const double *x, const double *y,
                              carom_contact_cone *cone) {
    if (has_axes(size)) {
        cone->factor = 1.0;
        for (int i = 0; i < size; i++) {
            cone->point[i] = sqrt(y[i] / x[i]);
        }
        return;
    }
    const double x_length = length_of(x);
    const double y_length = length_of(y);
    cone->factor = sqrt(y_length / x_length);
    const double both = dot(size, x, y) / (x_length * y_length);
    const double middle = sqrt(2.0 * (1.0 + both));
    for (int i = 0; i < size; i++) {
        const double mirrored = i == 0 ? x[i] : -x[i];
        cone->point[i] = (y[i] / y_length + mirrored / x_length) / middle;
    }
}

void carom_contact_cone_apply(int size, const carom_contact_cone *cone, bool is_inverse,
                              const double *v, double *out) {
    const double *w = cone->point;
    if (has_axes(size)) {
        for (int i = 0; i < size; i++) {
            out[i] = is_inverse ? v[i] / w[i] : v[i] * w[i];
        }
        return;
    }
    const double sign = is_inverse ? -1.0 : 1.0;
    const double factor = is_inverse ? 1.0 / cone->factor : cone->factor;
    const double along = dot(size - 1, w + 1, v + 1);
    const double first = v[0];
    out[0] = factor * (w[0] * first + sign * along);
    for (int i = 1; i < size; i++) {
        out[i] = factor * (sign * w[i] * first + v[i] + w[i] * along / (1.0 + w[0]));
    }
}

void carom_contact_cone_square(int size, const carom_contact_cone *cone, double *E) {
    const double *w = cone->point;
    const double square = cone->factor * cone->factor;
    for (int i = 0; i < size; i++) {
        for (int j = 0; j < size; j++) {
            const double mirror = i != j ? 0.0 : i == 0 ? 1.0 : -1.0;
            E[i * size + j] = !has_axes(size) ? square * (2.0 * w[i] * w[j] - mirror)
                              : i == j        ? w[i] * w[i]
                                              : 0.0;
        }
    }
}

void carom_contact_cone_multiply(int size, const double *a, const double *b, double *out) {
    const double first = dot(size, a, b);
    if (has_axes(size)) {
        for (int i = 0; i < size; i++) {
            out[i] = a[i] * b[i];
        }
        return;
    }
    for (int i = size - 1; i > 0; i--) {
        out[i] = a[0] * b[i] + b[0] * a[i];
    }
    out[0] = first;
}

void carom_contact_cone_divide(int size, const double *a, const double *b, double *out) {
    if (has_axes(size)) {
        for (int i = 0; i < size; i++) {
            out[i] = b[i] / a[i];
        }
        return;
    }
    const double length = length_of(a);
    const double first = (a[0] * b[0] - dot(size - 1, a + 1, b + 1)) / (length * length);
    for (int i = size - 1; i > 0; i--) {
        out[i] = (b[i] - first * a[i]) / a[0];
    }
    out[0] = first;
}

double carom_contact_cone_reach(int size, const double *x, const double *d) {
    double rate = 0.0;
    if (has_axes(size)) {
        for (int i = 0; i < size; i++) {
            rate = fmax(rate, -d[i] / x[i]);
        }
        return rate > 0.0 ? 1.0 / rate : (double)INFINITY;
    }
    const double length = length_of(x);
    double turned[CAROM_CONTACT_MOST_ROWS];
    turned[0] = (x[0] * d[0] - dot(size - 1, x + 1, d + 1)) / (length * length);
    const double part = (turned[0] + d[0] / length) / (x[0] / length + 1.0);
    for (int i = 1; i < size; i++) {
        turned[i] = (d[i] - part * x[i]) / length;
    }
    rate = hypot(turned[1], turned[2]) - turned[0];
    return rate > 0.0 ? 1.0 / rate : (double)INFINITY;
}

void carom_contact_cone_velocity(int size, bool is_convex, const double *y, double *v, double *G) {
    for (int i = 0; i < size; i++) {
        v[i] = y[i];
        for (int j = 0; j < size; j++) {
            G[i * size + j] = i == j ? 1.0 : 0.0;
        }
    }
    if (size == 2 && !is_convex) {
        const double one = y[1] / (y[0] + y[1]);
        const double other = y[0] / (y[0] + y[1]);
        const double slope[2] = {one * one, other * other};
        for (int i = 0; i < 2; i++) {
            v[i] = one * y[0] + 0.5 * (i == 0 ? y[0] - y[1] : y[1] - y[0]);
            for (int j = 0; j < 2; j++) {
                G[2 * i + j] = slope[j] + (i == j ? 0.5 : -0.5);
            }
        }
    }
    if (size == 3 && !is_convex) {
        const double along[2] = {y[1] / y[0], y[2] / y[0]};
        const double square = along[0] * along[0] + along[1] * along[1];
        v[0] = 0.5 * y[0] * (1.0 - square);
        G[0] = 0.5 * (1.0 + square);
        G[1] = -along[0];
        G[2] = -along[1];
    }
}
