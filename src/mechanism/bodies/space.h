/** Internal: vectors in space. */
#ifndef CAROM_MECHANISM_BODIES_SPACE_H
#define CAROM_MECHANISM_BODIES_SPACE_H

#include <math.h>

static inline double carom_space_dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** c = a x b, which is neither a nor b. */
static inline void carom_space_cross(const double a[3], const double b[3], double c[3]) {
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double carom_space_length(const double a[3]) {
    return hypot(hypot(a[0], a[1]), a[2]);
}

static inline double carom_space_distance(const double a[3], const double b[3]) {
    const double way[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    return carom_space_length(way);
}

/** R a, and R' a. */
static inline void carom_space_turn(const double R[9], const double a[3], double turned[3]) {
    for (int k = 0; k < 3; k++) {
        turned[k] = R[3 * k] * a[0] + R[3 * k + 1] * a[1] + R[3 * k + 2] * a[2];
    }
}

static inline void carom_space_turn_back(const double R[9], const double a[3], double turned[3]) {
    for (int k = 0; k < 3; k++) {
        turned[k] = R[k] * a[0] + R[3 + k] * a[1] + R[6 + k] * a[2];
    }
}

#endif
