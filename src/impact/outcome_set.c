#include <carom/impact/internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Outcomes whose contact speeds differ by less, in parts of the largest one before, are one:
 * beyond what samples, sequences and reflections leave of a closing speed, 1e-6 at most. */
static const double MERGING = 1e-5;

/** Contact speeds up to this part of the largest one before count as zero in a mode: more than what
 * inelastic compliant contacts give back. */
static const double RESTING = 1e-4;

void carom_outcome_set_clear(carom_outcome_set *set) {
    free(set->velocity);
    free(set->contact_velocity);
    free(set->impulse);
    free(set->energy_ratio);
    free(set->weighted);
    *set = (carom_outcome_set){.count = 0};
}

/** The arrays of a set, and how long they are for each outcome. */
typedef struct set_array {
    double **values;
    size_t length;
} set_array;

enum { SET_ARRAYS = 5 };

static void list_arrays(const carom_impact_problem *p, carom_outcome_set *set,
                        set_array arrays[SET_ARRAYS]) {
    const size_t n = (size_t)p->coordinate_count;
    const size_t r = (size_t)p->row_count;
    const set_array all[SET_ARRAYS] = {{&set->velocity, n},
                                       {&set->contact_velocity, r},
                                       {&set->impulse, r},
                                       {&set->energy_ratio, 1},
                                       {&set->weighted, n}};
    memcpy(arrays, all, sizeof all);
}

carom_status carom_outcome_set_pack(const carom_impact_problem *problem,
                                    const carom_outcome_set *set, carom_parallel_bytes *bytes) {
    CAROM_ASSERT(problem != NULL && set != NULL && bytes != NULL);
    carom_outcome_set head = *set;
    set_array arrays[SET_ARRAYS];
    list_arrays(problem, &head, arrays);
    CAROM_TRY(carom_parallel_append(bytes, set, sizeof *set));
    for (int k = 0; k < SET_ARRAYS; k++) {
        CAROM_TRY(carom_parallel_append(bytes, *arrays[k].values,
                                        (size_t)set->count * arrays[k].length * sizeof(double)));
    }
    return CAROM_OK;
}

carom_status carom_outcome_set_unpack(const carom_impact_problem *problem,
                                      const unsigned char **data, size_t *left,
                                      carom_outcome_set *set) {
    CAROM_ASSERT(problem != NULL && data != NULL && left != NULL && set != NULL);
    set_array arrays[SET_ARRAYS];
    list_arrays(problem, set, arrays);
    CAROM_TRY(carom_parallel_take(data, left, set, sizeof *set));
    for (int k = 0; k < SET_ARRAYS; k++) {
        *arrays[k].values = NULL; // those of the process that packed them
    }
    if (set->count < 0 || (size_t)set->count > *left) {
        set->count = 0;
        return CAROM_STATUS_BAD_FORMAT;
    }
    for (int k = 0; k < SET_ARRAYS; k++) {
        const size_t size = (size_t)set->count * arrays[k].length * sizeof(double);
        *arrays[k].values = malloc(size + 1);
        if (*arrays[k].values == NULL) {
            return CAROM_STATUS_OUT_OF_MEMORY;
        }
        CAROM_TRY(carom_parallel_take(data, left, *arrays[k].values, size));
    }
    return CAROM_OK;
}

/** Room for `count` outcomes; impulses are unknown. */
static carom_status reserve(const carom_impact_problem *p, int count, carom_outcome_set *set) {
    const size_t rows = (size_t)(count > 0 ? count : 1);
    const size_t n = (size_t)p->coordinate_count;
    const size_t r = (size_t)p->row_count;
    set->velocity = calloc(rows * n, sizeof(double));
    set->contact_velocity = calloc(rows * r, sizeof(double));
    set->impulse = calloc(rows * r, sizeof(double));
    set->energy_ratio = calloc(rows, sizeof(double));
    set->weighted = calloc(rows * n, sizeof(double));
    if (set->velocity == NULL || set->contact_velocity == NULL || set->impulse == NULL ||
        set->energy_ratio == NULL || set->weighted == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < rows * r; i++) {
        set->impulse[i] = NAN;
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

/** Largest contact speed before the impact, m/s. */
static double fastest_before(const carom_impact_problem *p) {
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

/** How many modes the contacts of the outcomes end in. */
static carom_status count_modes(const carom_impact_problem *p, carom_outcome_set *set) {
    const size_t length = (size_t)p->contact_count + 1;
    const double resting = RESTING * fastest_before(p);
    CAROM_AUTO_MEMORY char *letters = calloc((size_t)set->count * length + 1, sizeof *letters);
    if (letters == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < set->count; k++) {
        char *own = letters + (size_t)set->mode_count * length;
        name_modes(p, set->contact_velocity + (size_t)k * (size_t)p->row_count, resting, own);
        bool is_new = true;
        for (int i = 0; i < set->mode_count && is_new; i++) {
            is_new = strcmp(letters + (size_t)i * length, own) != 0;
        }
        set->mode_count += is_new ? 1 : 0;
    }
    return CAROM_OK;
}

/** Whether contact speeds are those of an outcome already in the set. */
static bool is_known(const carom_outcome_set *set, const double *c, int r, double merging) {
    for (int k = 0; k < set->count; k++) {
        double largest = 0.0;
        for (int i = 0; i < r; i++) {
            largest = fmax(largest, fabs(c[i] - set->contact_velocity[k * r + i]));
        }
        if (largest <= merging) {
            return true;
        }
    }
    return false;
}

/** Add outcome k of a result unless it is known. */
static void add(const carom_impact_problem *p, const carom_impact_result *result, int k,
                double merging, carom_outcome_set *set) {
    const size_t n = (size_t)p->coordinate_count;
    const size_t r = (size_t)p->row_count;
    const double *v = result->velocity + (size_t)k * n;
    const double *c = result->contact_velocity + (size_t)k * r;
    const size_t at = (size_t)set->count;
    if (is_known(set, c, p->row_count, merging)) {
        return;
    }
    memcpy(set->velocity + at * n, v, n * sizeof(double));
    memcpy(set->contact_velocity + at * r, c, r * sizeof(double));
    if (result->impulse != NULL) {
        memcpy(set->impulse + at * r, result->impulse + (size_t)k * r, r * sizeof(double));
    }
    weigh(p, v, set->weighted + at * n);
    set->energy_ratio[at] = carom_impact_kinetic_energy(p, v) / p->kinetic_energy;
    set->least_energy = fmin(set->least_energy, set->energy_ratio[at]);
    set->most_energy = fmax(set->most_energy, set->energy_ratio[at]);
    set->count++;
}

carom_status carom_outcome_set_fill(const carom_impact_problem *problem,
                                    const carom_impact_result *result, carom_outcome_set *set) {
    CAROM_ASSERT(problem != NULL && result != NULL && set != NULL);
    *set = (carom_outcome_set){.least_energy = NAN, .most_energy = NAN};
    const double merging = MERGING * fastest_before(problem);
    CAROM_TRY(reserve(problem, result->count, set));
    for (int k = 0; k < result->count; k++) {
        if (result->is_finished == NULL || result->is_finished[k] != 0) {
            add(problem, result, k, merging, set);
        }
    }
    return count_modes(problem, set);
}

/*[impactLawsDistance]*/
double carom_outcome_set_distance(const carom_impact_problem *problem,
                                  const carom_outcome_set *from, const carom_outcome_set *to) {
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
