/* What the suites of the examples of seghete-2014 share: the kinetic metric (5) and the reflection
 * (7) of a velocity, for systems with a diagonal mass matrix, and the order of reflections. To be
 * included by suites. */
#ifndef CAROM_TESTS_MODELS_REFLECTION_H
#define CAROM_TESTS_MODELS_REFLECTION_H

#include <carom/impact/impact_problem.h>

#include "../support.h"

/* Most velocities of the systems below. */
enum { REFLECTION_LARGEST = 8 };

/* Slower approach, against the size of the velocities, is rounding: of a reflection or two. */
static const double REFLECTION_ROUNDING = 1e-12;

/* <u_i, u_j> of two normals, not of unit length. */
static inline double metric_of_normals(const carom_impact_problem *p, int i, int j) {
    const int n = p->coordinate_count;
    double sum = 0.0;
    for (int k = 0; k < n; k++) {
        sum += p->contact_jacobian[i * n + k] * p->contact_jacobian[j * n + k] / p->mass[k * n + k];
    }
    return sum;
}

/* c of two contacts. */
static inline double cosine_of_contacts(const carom_impact_problem *p, int i, int j) {
    return metric_of_normals(p, i, j) /
           sqrt(metric_of_normals(p, i, i) * metric_of_normals(p, j, j));
}

/* Rate of a gap, <p, u_i>. */
static inline double gap_rate(const carom_impact_problem *p, int i, const double *v) {
    double sum = 0.0;
    for (int k = 0; k < p->coordinate_count; k++) {
        sum += p->contact_jacobian[i * p->coordinate_count + k] * v[k];
    }
    return sum;
}

/* v + lambda M^-1 u' with lambda = -2 <p, u>/|u|^2. */
static inline void reflect(const carom_impact_problem *p, int i, double *v) {
    const int n = p->coordinate_count;
    const double lambda = -2.0 * gap_rate(p, i, v) / metric_of_normals(p, i, i);
    for (int k = 0; k < n; k++) {
        v[k] += lambda * p->contact_jacobian[i * n + k] / p->mass[k * n + k];
    }
}

/* Kinetic energy with the diagonal of M. */
static inline double energy_of(const carom_impact_problem *p, const double *v) {
    double sum = 0.0;
    for (int k = 0; k < p->coordinate_count; k++) {
        sum += 0.5 * p->mass[k * p->coordinate_count + k] * v[k] * v[k];
    }
    return sum;
}

/* Two contacts, reflected alternately from `first` on until none approaches. Returns how often. */
static inline int reflect_in_turn(const carom_impact_problem *p, int first, double *v) {
    ck_assert_int_eq(p->contact_count, 2);
    double speed = 0.0;
    for (int k = 0; k < p->coordinate_count; k++) {
        speed = fmax(speed, fabs(v[k]));
    }
    const double slowest = -REFLECTION_ROUNDING * speed;
    int count = 0;
    for (int i = first; gap_rate(p, 0, v) < slowest || gap_rate(p, 1, v) < slowest; i = 1 - i) {
        if (gap_rate(p, i, v) < slowest) {
            reflect(p, i, v);
            count++;
        }
        ck_assert_int_lt(count, 100);
    }
    return count;
}

#endif
