#include <carom/contact/internal.h>

#include <math.h>

/* |x_t|, and the hyperbolic length (x_0^2 - |x_t|^2)^1/2 of a point in the cone. */
static double tangential(int size, const double *x) {
    return size < 2 ? 0.0 : size < 3 ? fabs(x[1]) : hypot(x[1], x[2]);
}

static double length_of(int size, const double *x) {
    const double t = tangential(size, x);
    return sqrt(fmax(x[0] - t, 0.0) * (x[0] + t));
}

static double dot(int size, const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < size; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

void carom_contact_cone_scale(int size, const double *x, const double *y,
                              carom_contact_cone *cone) {
    const double x_length = length_of(size, x);
    const double y_length = length_of(size, y);
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
            E[i * size + j] = square * (2.0 * w[i] * w[j] - mirror);
        }
    }
}

void carom_contact_cone_multiply(int size, const double *a, const double *b, double *out) {
    const double first = dot(size, a, b);
    for (int i = size - 1; i > 0; i--) {
        out[i] = a[0] * b[i] + b[0] * a[i];
    }
    out[0] = first;
}

void carom_contact_cone_divide(int size, const double *a, const double *b, double *out) {
    const double length = length_of(size, a);
    const double first = (a[0] * b[0] - dot(size - 1, a + 1, b + 1)) / (length * length);
    for (int i = size - 1; i > 0; i--) {
        out[i] = (b[i] - first * a[i]) / a[0];
    }
    out[0] = first;
}

double carom_contact_cone_reach(int size, const double *x, const double *d) {
    const double length = length_of(size, x);
    double turned[CAROM_CONTACT_MOST_ROWS];
    turned[0] = (x[0] * d[0] - dot(size - 1, x + 1, d + 1)) / (length * length);
    const double part = (turned[0] + d[0] / length) / (x[0] / length + 1.0);
    for (int i = 1; i < size; i++) {
        turned[i] = (d[i] - part * x[i]) / length;
    }
    const double rate = tangential(size, turned) - turned[0];
    return rate > 0.0 ? 1.0 / rate : (double)INFINITY;
}
