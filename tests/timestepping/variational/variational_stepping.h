/** Steps of the variational integrator on small systems: what its suites share. */
#ifndef CAROM_TESTS_VARIATIONAL_STEPPING_H
#define CAROM_TESTS_VARIATIONAL_STEPPING_H

#include "variational_start.h"
#include "variational_systems.h"

#include <carom/base/random.h>

/** Rounding of some hundred operations on numbers of order one. */
static const double ROUNDING = 1e-13;

/** An impact is as exact as the gap of its contact, 1e-12, divided by a speed of order one. */
static const double EVENT = 1e-12;

static inline carom_variational_params params_of_step(double step) {
    carom_variational_params params = carom_variational_params_default();
    params.step = step;
    params.impacts_without_friction = true; /* as the paper reflects */
    return params;
}

/** Masses that are coupled, walls whose normals all rise with the first coordinate (so that they
 * can be separated), a load onto them. */
static inline void random_pile(pile *p, unsigned long seed, int n, int m) {
    pile_init(p, n, m);
    double A[PILE_COORDINATES * PILE_COORDINATES] = {0.0};
    for (int i = 0; i < n * n; i++) {
        A[i] = 2.0 * carom_counter_uniform(seed, (unsigned long)i, 0) - 1.0;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            p->M[i * n + j] = i == j ? 0.3 : 0.0;
            for (int k = 0; k < n; k++) {
                p->M[i * n + j] += A[i * n + k] * A[j * n + k];
            }
        }
        p->load[i] = i == 0 ? -3.0 : 0.0;
        p->K[i * n + i] = i == 0 ? 0.0 : 5.0;
    }
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            p->N[i * n + j] = j == 0 ? 1.0
                                     : 2.0 * carom_counter_uniform(seed, (unsigned long)i,
                                                                   10 + (unsigned long)j) -
                                           1.0;
        }
        p->clearance[i] = 0.2 * carom_counter_uniform(seed, (unsigned long)i, 2);
    }
}

#endif
