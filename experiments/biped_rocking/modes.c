/** The biped's matrices and modes in the paper's scaling: /modes. */
#include "results.h"

#include <carom/collisionless/curves/critical_region.h>

#include <math.h>
#include <stdlib.h>

/** One array of /modes. */
typedef struct mode_array {
    const char *path;
    const double *values;
    const char *row_axis;
    const char *column_axis; /**< NULL: a vector */
    const char *units;
    const char *long_name;
} mode_array;

static const char COORDINATE[] = "/modes/coordinate";
static const char MODE[] = "/modes/mode";
static const char CONSTRAINED_MODE[] = "/modes/constrained_mode";

static void write_axes(const results *r) {
    const int N = r->modes->spectra->mode_count;
    carom_record_index_axis(r->record, COORDINATE, r->coordinate_count,
                            "arm, torso links from above, stance leg");
    carom_record_index_axis(r->record, MODE, N, "unconstrained mode");
    carom_record_index_axis(r->record, CONSTRAINED_MODE, N - 1, "constrained mode");
}

static void write_arrays(const results *r, const double *cauchy, const double *printed) {
    const carom_phase_modes *modes = r->modes;
    const mode_array arrays[] = {
        {"/modes/mass", r->mass, COORDINATE, COORDINATE, "kg m2", "m"},
        {"/modes/stiffness", r->stiffness, COORDINATE, COORDINATE, "N m", "k"},
        {"/modes/equilibrium", r->equilibrium, COORDINATE, NULL, "rad",
         "angles from the upward vertical in equilibrium on one foot"},
        {"/modes/spectrum", modes->spectra->unconstrained, MODE, NULL, "s-2",
         "lambda, one foot on the ground"},
        {"/modes/constrained_spectrum", modes->spectra->constrained, CONSTRAINED_MODE, NULL, "s-2",
         "lambda', both feet on the ground"},
        {"/modes/shape", modes->shape, COORDINATE, MODE, "1", "X, c X'mX = 1, X_NN = 1"},
        {"/modes/constrained_shape", modes->constrained_shape, COORDINATE, CONSTRAINED_MODE, "s2",
         "X' = X.X_N M"},
        {"/modes/cauchy", cauchy, MODE, CONSTRAINED_MODE, "s2", "M, 1/(lambda_i - lambda'_j)"},
        {"/modes/participation", modes->participation, MODE, NULL, "1",
         "eta, squares of the last row of X"},
        {"/modes/participation_as_printed", printed, CONSTRAINED_MODE, NULL, "s-4",
         "the paper's second form of (10), without its lost reciprocal: not eta"},
    };
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) {
        const mode_array *a = &arrays[k];
        carom_record_series(r->record, a->path, a->values, a->row_axis, a->column_axis, a->units,
                            a->long_name);
    }
}

static void write_scalars(const results *r) {
    const double theta = r->biped.half_step_angle;
    carom_record_scalar(r->record, "/modes/normalisation", r->modes->normalisation, "kg-1 m-2",
                        "c, inverse modal mass of mode N");
    carom_record_scalar(r->record, "/modes/lean", r->statics.lean, "rad",
                        "xi, angle of the leg in equilibrium on one foot");
    carom_record_scalar(r->record, "/modes/contact_level", r->statics.contact_level, "rad",
                        "x_N^0, leg with both feet down from that equilibrium");
    carom_record_scalar(r->record, "/modes/contact_force", r->statics.contact_force, "N m",
                        "F_N^0, static torque of the ground on the leg");
    carom_record_measure(r->record, "amplitude", theta, "rad",
                         "theta, half angle between the legs");
    carom_record_measure(r->record, "lean_per_theta", r->statics.lean / theta, "1",
                         "xi over theta");
}

/** (10) in its second form as it is printed: (lambda' - lambda_N)' Mbar^-1 [N-1]. */
static carom_status fill_printed(const carom_phase_spectra *s, double *printed) {
    const int count = s->mode_count - 1;
    double *inverse = malloc((size_t)count * (size_t)count * sizeof *inverse);
    if (inverse == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    carom_cauchy_inverse(count, s->unconstrained, s->constrained, inverse);
    for (int i = 0; i < count; i++) {
        printed[i] = 0.0;
        for (int j = 0; j < count; j++) {
            printed[i] += (s->constrained[j] - s->unconstrained[count]) * inverse[j * count + i];
        }
    }
    free(inverse);
    return CAROM_OK;
}

carom_status biped_rocking_write_modes(const results *r) {
    const carom_phase_spectra *s = r->modes->spectra;
    const int N = s->mode_count;
    double *cauchy = malloc((size_t)N * (size_t)N * sizeof *cauchy);
    if (cauchy == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    // M [N][N-1], and in what is left of the memory the N-1 printed numbers.
    double *printed = cauchy + N * (N - 1);
    carom_cauchy_matrix(N, N - 1, s->unconstrained, s->constrained, cauchy);
    carom_status status = fill_printed(s, printed);
    if (status == CAROM_OK) {
        write_axes(r);
        write_arrays(r, cauchy, printed);
        write_scalars(r);
    }
    free(cauchy);
    return status;
}
