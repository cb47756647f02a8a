/** The same system in other coordinates. */
#include "results.h"

#include <carom/base/random.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Instants of a phase at which gap and force are compared. */
enum { INSTANTS = 16 };

/** Random numbers of the combination: the diagonal away from zero, so that it is regular. */
static double draw(const analysis *a, int row, int column, int n) {
    const double u =
        carom_counter_uniform(a->common->seed, (unsigned long)row, (unsigned long)column);
    return row == n - 1 ? (row == column ? 1.0 : 0.0) : row == column ? 1.0 + u : (u - 0.5) / n;
}

/** R' A R for x = R y, y_N = x_N. */
static void transform(int n, const double *R, double *A, double *scratch) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) {
                sum += A[i * n + k] * R[k * n + j];
            }
            scratch[i * n + j] = sum;
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) {
                sum += R[k * n + i] * scratch[k * n + j];
            }
            A[i * n + j] = sum;
            A[j * n + i] = sum;
        }
    }
}

/** Modes of the system in other coordinates, with the parities of this one. */
static carom_status make_modes(const analysis *a, double *mixing, carom_phase_modes **out) {
    const settings *v = a->values;
    const int n = v->modes->coordinate_count;
    const size_t entries = (size_t)n * (size_t)n;
    double *memory = malloc(4 * entries * sizeof *memory);
    if (memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *R = memory;
    double *mass = memory + entries;
    double *stiffness = memory + 2 * entries;
    double *scratch = memory + 3 * entries;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            R[i * n + j] = draw(a, i, j, n);
            *mixing = i == j ? *mixing : fmax(*mixing, fabs(R[i * n + j]));
        }
    }
    memcpy(mass, v->ordered_mass, entries * sizeof *mass);
    memcpy(stiffness, v->ordered_stiffness, entries * sizeof *stiffness);
    transform(n, R, mass, scratch);
    transform(n, R, stiffness, scratch);
    const carom_status status = carom_phase_modes_compute(n, mass, stiffness, CAROM_PARITY_EVEN,
                                                          CAROM_PARITY_EVEN, out, a->report);
    free(memory);
    if (status == CAROM_OK && (*out)->spectra->mode_count == v->modes->spectra->mode_count) {
        const size_t N = (size_t)v->modes->spectra->mode_count;
        memcpy((*out)->spectra->unconstrained_parity, v->modes->spectra->unconstrained_parity,
               N * sizeof(carom_parity));
        memcpy((*out)->spectra->constrained_parity, v->modes->spectra->constrained_parity,
               (N - 1) * sizeof(carom_parity));
    }
    return status;
}

/** Largest difference of two lists over the largest entry. */
static double difference(int count, const double *x, const double *y) {
    double distance = 0.0;
    double size = 0.0;
    for (int i = 0; i < count; i++) {
        distance = fmax(distance, fabs(x[i] - y[i]));
        size = fmax(size, fabs(x[i]));
    }
    return size > 0.0 ? distance / size : distance;
}

/** Gap and force ratio at equal parts of their phases. */
static void sample(const carom_collisionless_motion *motion, double *gap, double *force) {
    const carom_spectral_motion *s = motion->spectral;
    for (int k = 0; k < INSTANTS; k++) {
        double values[4];
        carom_spectral_motion_gap(s, s->time * k / INSTANTS, values);
        gap[k] = motion->scale * values[0];
        carom_spectral_motion_force(s, s->constrained_time * -k / INSTANTS, values);
        force[k] = values[0];
    }
}

/** Compare two motions of the same size. */
static void compare(const carom_collisionless_motion *x, const carom_collisionless_motion *y,
                    recombination *out) {
    const int N = x->modes->spectra->mode_count;
    out->amplitudes = fmax(out->amplitudes, difference(N, x->amplitude, y->amplitude));
    out->amplitudes = fmax(out->amplitudes,
                           difference(N - 1, x->constrained_amplitude, y->constrained_amplitude));
    double gap[2][INSTANTS];
    double force[2][INSTANTS];
    sample(x, gap[0], force[0]);
    sample(y, gap[1], force[1]);
    out->histories = fmax(out->histories, difference(INSTANTS, gap[0], gap[1]));
    out->histories = fmax(out->histories, difference(INSTANTS, force[0], force[1]));
}

/** Both motions of a root. */
static carom_status compare_root(const analysis *a, const carom_phase_modes *modes,
                                 const carom_impact_root *root, const carom_impact_root *other,
                                 recombination *out) {
    out->times = fmax(out->times, fabs(other->time / root->time - 1.0));
    out->times = fmax(out->times, fabs(other->constrained_time / root->constrained_time - 1.0));
    CAROM_AUTO(carom_collisionless_motion) x = NULL;
    CAROM_AUTO(carom_collisionless_motion) y = NULL;
    CAROM_TRY(carom_collisionless_motion_compute(a->values->modes, root->time,
                                                 root->constrained_time, a->writer.scale,
                                                 a->writer.size, &x, a->report));
    CAROM_TRY(carom_collisionless_motion_compute(modes, other->time, other->constrained_time,
                                                 a->writer.scale, a->writer.size, &y, a->report));
    compare(x, y, out);
    return CAROM_OK;
}

/** The root of a list that is nearest to one. */
static const carom_impact_root *nearest(const carom_root_list *roots,
                                        const carom_impact_root *root) {
    const carom_impact_root *best = &roots->roots[0];
    double least = HUGE_VAL;
    for (int i = 0; i < roots->count; i++) {
        const carom_impact_root *other = &roots->roots[i];
        const double distance =
            hypot(other->time - root->time, other->constrained_time - root->constrained_time);
        if (distance < least) {
            least = distance;
            best = other;
        }
    }
    return best;
}

/** All roots of the other modes, each beside its own. */
static carom_status compare_roots(const analysis *a, const carom_phase_modes *modes,
                                  recombination *out) {
    const settings *v = a->values;
    const carom_root_search_params params = {
        .min_time = v->min_time,
        .max_time = v->max_time,
        .min_constrained_time = v->min_constrained_time,
        .max_constrained_time = v->max_constrained_time,
        .max_boxes = v->max_boxes,
        .use_subdivision = v->use_subdivision,
    };
    carom_root_list *roots = NULL;
    CAROM_TRY(carom_impact_roots_find(modes->spectra, &params, &roots, a->report));
    out->root_count = roots->count;
    carom_status status = CAROM_OK;
    for (int i = 0; i < a->roots->count && roots->count > 0 && status == CAROM_OK; i++) {
        const carom_impact_root *root = &a->roots->roots[i];
        status = compare_root(a, modes, root, nearest(roots, root), out);
    }
    carom_root_list_free(roots);
    return status;
}

carom_status collisionless_recombine(const analysis *a, recombination *out) {
    *out = (recombination){.mixing = 0.0};
    CAROM_AUTO(carom_phase_modes) modes = NULL;
    CAROM_TRY(make_modes(a, &out->mixing, &modes));
    return compare_roots(a, modes, out);
}
