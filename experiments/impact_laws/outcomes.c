/** The outcomes of laws, as plain lists of velocities, and how far apart those of two laws are. */
#include "results.h"

#include <stdlib.h>
#include <string.h>

/** Outcomes whose contact speeds differ by less, in parts of the largest one before, are one:
 * beyond what samples, sequences and reflections leave of a closing speed, 1e-6 at most. */
static const double MERGING = 1e-5;

/** Contact speeds up to this part of the largest one before count as zero in a mode: more than what
 * inelastic compliant contacts give back. */
static const double RESTING = 1e-4;

void impact_laws_outcomes_clear(law_outcomes *a) {
    free(a->velocity);
    free(a->contact_velocity);
    free(a->impulse);
    free(a->energy_ratio);
    free(a->weighted);
    *a = (law_outcomes){.kind = OUTCOMES_MISSING};
}

/** Room for `count` outcomes; impulses are unknown. */
static carom_status reserve(const carom_impact_problem *p, int count, law_outcomes *a) {
    const size_t rows = (size_t)(count > 0 ? count : 1);
    const size_t n = (size_t)p->coordinate_count;
    const size_t r = (size_t)p->row_count;
    a->velocity = calloc(rows * n, sizeof(double));
    a->contact_velocity = calloc(rows * r, sizeof(double));
    a->impulse = calloc(rows * r, sizeof(double));
    a->energy_ratio = calloc(rows, sizeof(double));
    a->weighted = calloc(rows * n, sizeof(double));
    if (a->velocity == NULL || a->contact_velocity == NULL || a->impulse == NULL ||
        a->energy_ratio == NULL || a->weighted == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < rows * r; i++) {
        a->impulse[i] = NAN;
    }
    return CAROM_OK;
}

/** w = L' v, M = L L': |w|^2 is twice the kinetic energy. */
static void weigh(const carom_impact_problem *p, const double *v, double *w) {
    const int n = p->coordinate_count;
    for (int j = 0; j < n; j++) {
        w[j] = 0.0;
        for (int i = j; i < n; i++) {
            w[j] += p->mass_factor[i * n + j] * v[i];
        }
    }
}

double impact_laws_fastest(const carom_impact_problem *p) {
    double fastest = 0.0;
    for (int i = 0; i < p->row_count; i++) {
        fastest = fmax(fastest, fabs(p->contact_velocity[i]));
    }
    return fastest;
}

/** The mode of each contact, L lifting, s sliding, S at rest: m letters, zero-terminated. */
static void name_modes(const carom_impact_problem *p, const double *c, double resting,
                       char *letters) {
    const int m = p->contact_count;
    const int t = p->tangent_count;
    for (int i = 0; i < m; i++) {
        double square = 0.0;
        for (int j = 0; j < t; j++) {
            square += c[m + t * i + j] * c[m + t * i + j];
        }
        letters[i] = (char)(c[i] > resting ? 'L' : sqrt(square) > resting ? 's' : 'S');
    }
    letters[m] = '\0';
}

/** How many modes the contacts of the outcomes end in; 0 without memory for their letters. */
static int count_modes(const carom_impact_problem *p, const law_outcomes *a) {
    const size_t length = (size_t)p->contact_count + 1;
    const double resting = RESTING * impact_laws_fastest(p);
    char *letters = calloc((size_t)a->count * length + 1, sizeof *letters);
    int count = 0;
    for (int k = 0; k < a->count && letters != NULL; k++) {
        char *own = letters + (size_t)count * length;
        name_modes(p, a->contact_velocity + (size_t)k * (size_t)p->row_count, resting, own);
        bool is_new = true;
        for (int i = 0; i < count && is_new; i++) {
            is_new = strcmp(letters + (size_t)i * length, own) != 0;
        }
        count += is_new ? 1 : 0;
    }
    free(letters);
    return count;
}

/** What follows from the velocities. */
static void complete(const carom_impact_problem *p, law_outcomes *a) {
    const size_t n = (size_t)p->coordinate_count;
    for (size_t k = 0; k < (size_t)a->count; k++) {
        const double *v = a->velocity + k * n;
        weigh(p, v, a->weighted + k * n);
        a->energy_ratio[k] = carom_impact_kinetic_energy(p, v) / p->kinetic_energy;
    }
    a->mode_count = count_modes(p, a);
    a->kind = OUTCOMES_FOUND;
}

/** Whether contact speeds are those of an outcome already in the list. */
static bool is_known(const law_outcomes *a, const double *c, int r, double merging) {
    for (int k = 0; k < a->count; k++) {
        double largest = 0.0;
        for (int i = 0; i < r; i++) {
            largest = fmax(largest, fabs(c[i] - a->contact_velocity[k * r + i]));
        }
        if (largest <= merging) {
            return true;
        }
    }
    return false;
}

/** Add an outcome that is not known yet; L may be NULL. */
static void add(const carom_impact_problem *p, const double *v, const double *c, const double *L,
                double merging, law_outcomes *a) {
    const size_t n = (size_t)p->coordinate_count;
    const size_t r = (size_t)p->row_count;
    const size_t k = (size_t)a->count;
    if (is_known(a, c, p->row_count, merging)) {
        return;
    }
    memcpy(a->velocity + k * n, v, n * sizeof(double));
    memcpy(a->contact_velocity + k * r, c, r * sizeof(double));
    if (L != NULL) {
        memcpy(a->impulse + k * r, L, r * sizeof(double));
    }
    a->count++;
}

carom_status impact_laws_outcomes_take(const carom_impact_problem *problem,
                                       const carom_impact_result *result, law_outcomes *a) {
    const size_t n = (size_t)problem->coordinate_count;
    const size_t r = (size_t)problem->row_count;
    const double merging = MERGING * impact_laws_fastest(problem);
    CAROM_TRY(reserve(problem, result->count, a));
    for (size_t k = 0; k < (size_t)result->count; k++) {
        if (result->is_finished == NULL || result->is_finished[k] != 0) {
            add(problem, result->velocity + k * n, result->contact_velocity + k * r,
                result->impulse != NULL ? result->impulse + k * r : NULL, merging, a);
        }
    }
    a->cost = result->cost;
    a->unfinished = result->samples != NULL ? result->unfinished : 0.0;
    a->residual = result->residual;
    complete(problem, a);
    return CAROM_OK;
}

/*[impactLawsDistance]*/
double impact_laws_distance(const carom_impact_problem *problem, const law_outcomes *from,
                            const law_outcomes *to) {
    if (from->count < 1 || to->count < 1) {
        return (double)NAN;
    }
    const int n = problem->coordinate_count;
    double farthest = 0.0;
    for (int i = 0; i < from->count; i++) {
        double nearest = HUGE_VAL;
        for (int k = 0; k < to->count && nearest > farthest; k++) {
            double square = 0.0;
            for (int j = 0; j < n; j++) {
                const double d = from->weighted[i * n + j] - to->weighted[k * n + j];
                square += d * d;
            }
            nearest = fmin(nearest, square);
        }
        farthest = fmax(farthest, nearest);
    }
    return sqrt(farthest / (2.0 * problem->kinetic_energy));
}
/*[end impactLawsDistance]*/

double impact_laws_least_energy(const law_outcomes *a) {
    double least = a->count > 0 ? HUGE_VAL : (double)NAN;
    for (int k = 0; k < a->count; k++) {
        least = fmin(least, a->energy_ratio[k]);
    }
    return least;
}

double impact_laws_most_energy(const law_outcomes *a) {
    double most = a->count > 0 ? 0.0 : (double)NAN;
    for (int k = 0; k < a->count; k++) {
        most = fmax(most, a->energy_ratio[k]);
    }
    return most;
}
