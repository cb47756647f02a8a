#include <carom/impact/impact_problem.h>

#include <carom/impact/internal.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum { FIRST_CAPACITY = 8 };

static carom_status grow(double **values, size_t entries) {
    double *larger = realloc(*values, entries * sizeof(double));
    if (larger == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    *values = larger;
    return CAROM_OK;
}

static carom_status reserve(carom_impact_outcomes *o, int capacity) {
    const size_t count = (size_t)capacity;
    CAROM_TRY(grow(&o->velocity, count * (size_t)o->coordinate_count));
    CAROM_TRY(grow(&o->contact_velocity, count * (size_t)o->row_count));
    CAROM_TRY(grow(&o->impulse, count * (size_t)o->row_count));
    CAROM_TRY(grow(&o->kinetic_energy, count));
    CAROM_TRY(grow(&o->residual, count));
    int *multiplicity = realloc(o->multiplicity, count * sizeof(int));
    if (multiplicity == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    o->multiplicity = multiplicity;
    o->capacity = capacity;
    return CAROM_OK;
}

carom_status carom_impact_outcomes_alloc(const carom_impact_problem *problem,
                                         carom_impact_outcomes **out) {
    CAROM_ASSERT(problem != NULL && out != NULL);
    *out = NULL;
    CAROM_AUTO(carom_impact_outcomes) o = calloc(1, sizeof *o);
    if (o == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    o->coordinate_count = problem->coordinate_count;
    o->row_count = problem->row_count;
    if (reserve(o, FIRST_CAPACITY) != CAROM_OK) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_HAND_OVER(o, out);
    return CAROM_OK;
}

void carom_impact_outcomes_free(carom_impact_outcomes *outcomes) {
    if (outcomes == NULL) {
        return;
    }
    free(outcomes->velocity);
    free(outcomes->contact_velocity);
    free(outcomes->impulse);
    free(outcomes->kinetic_energy);
    free(outcomes->residual);
    free(outcomes->multiplicity);
    free(outcomes);
}

void carom_impact_outcomes_clear(carom_impact_outcomes *outcomes) {
    outcomes->count = 0;
}

/** The outcome within `merging` of c [r], -1 if none. */
static int find(const carom_impact_outcomes *o, const carom_impact_problem *problem,
                const double *c, double merging) {
    const int r = o->row_count;
    for (int k = 0; k < o->count; k++) {
        bool is_same = true;
        for (int a = 0; a < r; a++) {
            const double distance = fabs(o->contact_velocity[k * r + a] - c[a]);
            is_same = is_same && distance <= merging * problem->speed_scale[a];
        }
        if (is_same) {
            return k;
        }
    }
    return -1;
}

carom_status carom_impact_outcomes_add(carom_impact_outcomes *outcomes,
                                       const carom_impact_problem *problem, const double *L,
                                       double residual, double merging) {
    return carom_impact_outcomes_add_solutions(outcomes, problem, L, residual, merging, 1.0);
}

carom_status carom_impact_outcomes_add_solutions(carom_impact_outcomes *outcomes,
                                                 const carom_impact_problem *problem,
                                                 const double *L, double residual, double merging,
                                                 double solutions) {
    CAROM_ASSERT(outcomes != NULL && problem != NULL && L != NULL);
    carom_impact_outcomes *o = outcomes;
    if (o->count == o->capacity) {
        CAROM_TRY(reserve(o, 2 * o->capacity));
    }
    const int r = o->row_count;
    const int k = o->count;
    double *c = o->contact_velocity + k * r;
    carom_impact_add_impulse(problem, L, problem->contact_velocity, c);
    const int same = find(o, problem, c, merging);
    if (same >= 0) {
        o->multiplicity[same] = (int)fmin(o->multiplicity[same] + solutions, INT_MAX);
        o->residual[same] = fmin(o->residual[same], residual);
        return CAROM_OK;
    }
    double *v = o->velocity + k * o->coordinate_count;
    carom_impact_velocity(problem, L, v);
    for (int a = 0; a < r; a++) {
        o->impulse[k * r + a] = L[a];
    }
    o->kinetic_energy[k] = carom_impact_kinetic_energy(problem, v);
    o->residual[k] = residual;
    o->multiplicity[k] = (int)fmin(solutions, INT_MAX);
    o->count++;
    return CAROM_OK;
}
