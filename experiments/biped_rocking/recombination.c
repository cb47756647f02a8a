/** The same biped in other coordinates: the gait depends on the spectra only. */
#include "results.h"

#include <carom/base/random.h>

#include <math.h>
#include <stdlib.h>

/** Numbers of the gait in two sets of coordinates are the same: eigenvalues carry the roundings of
 * matrices that are conditioned otherwise. */
static const double SAME = 1e-9;

/** The new coordinates y, x = T y, are the old ones times this, and random parts of the others. */
static const double OWN_PART = 1.5;
static const double OTHER_PARTS = 1.0;

/** T, T'm T, T'k T, all [n][n]; x_N = y_N stays what it is. */
typedef struct recombination {
    double *T;
    double *mass;
    double *stiffness;
    double *product;
} recombination;

static bool recombination_alloc(int n, recombination *c) {
    const size_t size = (size_t)n * (size_t)n;
    c->T = malloc(4 * size * sizeof *c->T);
    if (c->T == NULL) {
        return false;
    }
    c->mass = c->T + size;
    c->stiffness = c->mass + size;
    c->product = c->stiffness + size;
    return true;
}

/** Random coordinates. */
static void fill_combination(const results *r, recombination *c) {
    const int n = r->coordinate_count;
    for (int a = 0; a < n; a++) {
        for (int b = 0; b < n; b++) {
            const double part =
                carom_counter_uniform(r->common->seed, (unsigned long)a, (unsigned long)b) - 0.5;
            const double own = a == b ? 1.0 : 0.0;
            c->T[a * n + b] = a == n - 1 ? own : OWN_PART * own + OTHER_PARTS * part;
        }
    }
}

/** T'S T, symmetric to the last digit. */
static void transform(int n, const double *T, const double *S, double *product, double *out) {
    for (int ab = 0; ab < n * n; ab++) {
        product[ab] = 0.0;
        for (int k = 0; k < n; k++) {
            product[ab] += S[ab / n * n + k] * T[k * n + ab % n];
        }
    }
    for (int a = 0; a < n; a++) {
        for (int b = 0; b <= a; b++) {
            double sum = 0.0;
            for (int k = 0; k < n; k++) {
                sum += T[k * n + a] * product[k * n + b];
            }
            out[a * n + b] = sum;
            out[b * n + a] = sum;
        }
    }
}

/** Largest difference of two arrays over the largest entry. */
static double array_difference(int count, const double *a, const double *b) {
    double difference = 0.0;
    double largest = 0.0;
    for (int k = 0; k < count; k++) {
        difference = fmax(difference, fabs(a[k] - b[k]));
        largest = fmax(largest, fabs(a[k]));
    }
    return difference / largest;
}

/** Largest relative difference of times, c, q, q', and gap and force over the motion. */
static double gait_difference(const results *r, const carom_impact_root *root,
                              const carom_collisionless_motion *other) {
    const int N = r->modes->spectra->mode_count;
    const carom_collisionless_motion *gait = r->gait;
    double error = fmax(fabs(root->time / r->root.time - 1.0),
                        fabs(root->constrained_time / r->root.constrained_time - 1.0));
    error = fmax(error, fabs(other->modes->normalisation / r->modes->normalisation - 1.0));
    error = fmax(error, array_difference(N, gait->amplitude, other->amplitude));
    error = fmax(
        error, array_difference(N - 1, gait->constrained_amplitude, other->constrained_amplitude));
    double size = 0.0;
    double difference = 0.0;
    const int last = r->values->samples - 1;
    for (int k = 0; k <= last; k++) {
        double gap[2][4];
        double force[2][4];
        carom_spectral_motion_gap(gait->spectral, r->root.time * k / last, gap[0]);
        carom_spectral_motion_gap(other->spectral, root->time * k / last, gap[1]);
        carom_spectral_motion_force(gait->spectral, r->root.constrained_time * k / last, force[0]);
        carom_spectral_motion_force(other->spectral, root->constrained_time * k / last, force[1]);
        error = fmax(error, fabs(force[0][0] - force[1][0]));
        difference = fmax(difference, fabs(gait->scale * gap[0][0] - other->scale * gap[1][0]));
        size = fmax(size, fabs(gait->scale * gap[0][0]));
    }
    return fmax(error, difference / size);
}

/** The gait of the transformed matrices, compared. */
static carom_status compare(const results *r, const recombination *c, double *error) {
    carom_phase_modes *modes = NULL;
    carom_collisionless_motion *motion = NULL;
    carom_impact_root root;
    CAROM_TRY(carom_phase_modes_compute(r->coordinate_count, c->mass, c->stiffness,
                                        CAROM_PARITY_EVEN, CAROM_PARITY_ODD, &modes, r->report));
    carom_status status = CAROM_OK;
    *error = HUGE_VAL;
    if (modes->spectra->mode_count == r->modes->spectra->mode_count) {
        status = carom_impact_roots_cell(modes->spectra, r->values->column, r->values->row, &root,
                                         r->report);
        if (status == CAROM_OK) {
            status = carom_collisionless_motion_compute(
                modes, root.time, root.constrained_time, CAROM_MOTION_SCALE_CONTACT_LEVEL,
                r->statics.contact_level, &motion, r->report);
        }
        if (status == CAROM_OK) {
            *error = gait_difference(r, &root, motion);
        }
    }
    carom_collisionless_motion_free(motion);
    carom_phase_modes_free(modes);
    return status;
}

carom_status biped_rocking_write_recombination(const results *r) {
    const int n = r->coordinate_count;
    recombination c;
    if (!recombination_alloc(n, &c)) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    fill_combination(r, &c);
    transform(n, c.T, r->mass, c.product, c.mass);
    transform(n, c.T, r->stiffness, c.product, c.stiffness);
    double error = 0.0;
    const carom_status status = compare(r, &c, &error);
    free(c.T);
    CAROM_TRY(status);
    carom_record_measure(r->record, "recombination_error", error, "1",
                         "largest relative difference of times, c, q, q', gap and force "
                         "in other coordinates");
    carom_record_claim(r->record, "depends_on_spectra_only", error <= SAME,
                       "random combinations of the coordinates change neither times nor "
                       "amplitudes, gap or force");
    return CAROM_OK;
}
