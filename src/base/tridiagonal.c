#include <carom/base/tridiagonal.h>

bool carom_tridiagonal_factor(carom_layout layout, const double *A, double threshold,
                              double *coupling, double *reciprocals) {
    const int n = layout.size;
    const int meeting = n / 2;
    // Rows 0 .. m-1 downwards: d_i = a_i - c_{i-1}^2 / d_{i-1}.
    double taken_down = 0.0;
    for (int i = 0; i < meeting; i++) {
        const double a = carom_layout_row(layout, A, i)[i];
        const double c = carom_layout_row(layout, A, i)[i + 1];
        const double pivot_down = a - taken_down;
        if (!(pivot_down > threshold * a)) {
            return false;
        }
        reciprocals[i] = 1.0 / pivot_down;
        coupling[i] = c * reciprocals[i];
        taken_down = coupling[i] * c;
    }
    // Rows n-1 .. m+1 upwards.
    double taken_up = 0.0;
    for (int i = n - 1; i > meeting; i--) {
        const double a = carom_layout_row(layout, A, i)[i];
        const double c = carom_layout_row(layout, A, i)[i - 1];
        const double pivot_up = a - taken_up;
        if (!(pivot_up > threshold * a)) {
            return false;
        }
        reciprocals[i] = 1.0 / pivot_up;
        coupling[i - 1] = c * reciprocals[i];
        taken_up = coupling[i - 1] * c;
    }
    // Both meet in row m.
    const double a = carom_layout_row(layout, A, meeting)[meeting];
    const double pivot = a - taken_down - taken_up;
    reciprocals[meeting] = 1.0 / pivot;
    return pivot > threshold * a;
}

void carom_tridiagonal_solve(int n, const double *coupling, const double *reciprocals, double *x) {
    const int meeting = n / 2;
    const int below = n - 1 - meeting;
    // Towards the meeting row; an even n has one row more above it than below.
    double down = x[0];
    double up = x[n - 1];
    for (int s = 1; s < below; s++) {
        down = x[s] - coupling[s - 1] * down;
        up = x[n - 1 - s] - coupling[n - 1 - s] * up;
        x[s] = down;
        x[n - 1 - s] = up;
    }
    for (int s = below > 1 ? below : 1; s < meeting; s++) {
        down = x[s] - coupling[s - 1] * down;
        x[s] = down;
    }
    // n = 2 has no row below the meeting row.
    const double from_below = below > 0 ? coupling[meeting] * up : 0.0;
    down = (x[meeting] - coupling[meeting - 1] * down - from_below) * reciprocals[meeting];
    up = down;
    x[meeting] = down;
    // And outwards again.
    for (int s = 1; s <= below; s++) {
        const int i = meeting - s;
        const int j = meeting + s;
        down = x[i] * reciprocals[i] - coupling[i] * down;
        up = x[j] * reciprocals[j] - coupling[j - 1] * up;
        x[i] = down;
        x[j] = up;
    }
    for (int i = meeting - below - 1; i >= 0; i--) {
        down = x[i] * reciprocals[i] - coupling[i] * down;
        x[i] = down;
    }
}
