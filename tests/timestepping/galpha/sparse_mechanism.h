/** Another mechanism with Jacobians stored by their entries: those that are not zero at some
 * positions around one. */
#ifndef CAROM_TESTS_TIMESTEPPING_SPARSE_MECHANISM_H
#define CAROM_TESTS_TIMESTEPPING_SPARSE_MECHANISM_H

#include <carom/mechanism/mechanism.h>

#include "../../support.h"

#include <math.h>

enum { SPARSE_MAX_COORDINATES = 16, SPARSE_MAX_ROWS = 24, SPARSE_SAMPLES = 5 };
enum { SPARSE_MAX_ENTRIES = SPARSE_MAX_ROWS * SPARSE_MAX_COORDINATES };

/** The stored entries of one matrix. */
typedef struct sparse_rows {
    int start[SPARSE_MAX_ROWS + 1];
    int column[SPARSE_MAX_ENTRIES];
} sparse_rows;

/** A copy whose functions of the Jacobians leave out what is zero. Must not move. */
typedef struct sparse_mechanism {
    carom_mechanism mechanism;
    const carom_mechanism *inner;
    sparse_rows normal;
    sparse_rows tangential;
    double full[SPARSE_MAX_ENTRIES];
} sparse_mechanism;

static inline int sparse_tangent_rows(const carom_mechanism *m) {
    return m->contact_count * m->tangent_count;
}

static inline void sparse_gather(const sparse_mechanism *s, const sparse_rows *rows, int row_count,
                                 double *stored) {
    const int n = s->inner->coordinate_count;
    for (int i = 0; i < row_count; i++) {
        for (int k = rows->start[i]; k < rows->start[i + 1]; k++) {
            stored[k] = s->full[i * n + rows->column[k]];
        }
    }
}

/* The context of the functions is that of the inner mechanism, but for these. */
static sparse_mechanism *sparse_current;

static inline void sparse_constraint_jacobian(const double *q, double *G, void *context) {
    sparse_mechanism *s = sparse_current;
    s->inner->constraint_jacobian(q, s->full, context);
    sparse_gather(s, &s->normal, carom_mechanism_constraint_count(s->inner), G);
}

static inline void sparse_constraint_rate_derivative(const double *q, const double *v, double *D,
                                                     void *context) {
    sparse_mechanism *s = sparse_current;
    s->inner->constraint_rate_derivative(q, v, s->full, context);
    sparse_gather(s, &s->normal, carom_mechanism_constraint_count(s->inner), D);
}

static inline void sparse_tangential_jacobian(const double *q, double *H, void *context) {
    sparse_mechanism *s = sparse_current;
    s->inner->tangential_jacobian(q, s->full, context);
    sparse_gather(s, &s->tangential, sparse_tangent_rows(s->inner), H);
}

static inline void sparse_tangential_rate_derivative(const double *q, const double *v, double *D,
                                                     void *context) {
    sparse_mechanism *s = sparse_current;
    s->inner->tangential_rate_derivative(q, v, s->full, context);
    sparse_gather(s, &s->tangential, sparse_tangent_rows(s->inner), D);
}

/* Entries that are not zero at one of the samples, which `fill` has added up in size. */
static inline void sparse_find(const double *size, int n, int row_count, sparse_rows *rows) {
    int count = 0;
    rows->start[0] = 0;
    for (int i = 0; i < row_count; i++) {
        for (int j = 0; j < n; j++) {
            if (size[i * n + j] > 0.0) {
                rows->column[count++] = j;
            }
        }
        rows->start[i + 1] = count;
    }
}

/** Entries around q of a mechanism with full Jacobians. @return how many are left out */
static inline int sparse_init(sparse_mechanism *s, const carom_mechanism *inner, const double *q) {
    const int n = inner->coordinate_count;
    const int m = carom_mechanism_constraint_count(inner);
    const int t = sparse_tangent_rows(inner);
    double normal[SPARSE_MAX_ENTRIES] = {0.0};
    double tangential[SPARSE_MAX_ENTRIES] = {0.0};
    double near[SPARSE_MAX_COORDINATES];
    ck_assert(n <= SPARSE_MAX_COORDINATES && m <= SPARSE_MAX_ROWS && t <= SPARSE_MAX_ROWS);
    *s = (sparse_mechanism){.mechanism = *inner, .inner = inner};
    sparse_current = s;
    for (int sample = 0; sample < SPARSE_SAMPLES; sample++) {
        for (int j = 0; j < n; j++) {
            near[j] = q[j] + 0.37 * sin(1.0 + sample + 3.0 * j);
        }
        if (m > 0) {
            inner->constraint_jacobian(near, s->full, inner->context);
        }
        for (int k = 0; k < m * n; k++) {
            normal[k] += fabs(s->full[k]);
        }
        if (t > 0) {
            inner->tangential_jacobian(near, s->full, inner->context);
        }
        for (int k = 0; k < t * n; k++) {
            tangential[k] += fabs(s->full[k]);
        }
    }
    sparse_find(normal, n, m, &s->normal);
    sparse_find(tangential, n, t, &s->tangential);
    carom_mechanism *sparse = &s->mechanism;
    sparse->constraint_pattern = (carom_mechanism_pattern){s->normal.start, s->normal.column};
    sparse->constraint_jacobian = sparse_constraint_jacobian;
    if (inner->constraint_rate_derivative != NULL) {
        sparse->constraint_rate_derivative = sparse_constraint_rate_derivative;
    }
    if (t > 0) {
        sparse->tangential_pattern =
            (carom_mechanism_pattern){s->tangential.start, s->tangential.column};
        sparse->tangential_jacobian = sparse_tangential_jacobian;
    }
    if (inner->tangential_rate_derivative != NULL) {
        sparse->tangential_rate_derivative = sparse_tangential_rate_derivative;
    }
    return (m + t) * n - s->normal.start[m] - s->tangential.start[t];
}

#endif
