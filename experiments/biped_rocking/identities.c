/** What sections 3 and 6 of the paper state about the modes, each computed another way. */
#include "results.h"

#include <carom/collisionless/curves/critical_region.h>

#include <gsl/gsl_linalg.h>

#include <math.h>
#include <stdlib.h>

/** Two numbers are the same: eigenvalues and closed forms of a handful of modes lose some hundred
 * roundings. */
static const double SAME = 1e-11;

/** (4): c X'mX = 1, largest error of an entry. */
static double normalisation_error(const results *r) {
    const int n = r->coordinate_count;
    const int N = r->modes->spectra->mode_count;
    const double *X = r->modes->shape;
    double error = 0.0;
    for (int ij = 0; ij < N * N; ij++) {
        const int i = ij / N;
        const int j = ij % N;
        double sum = 0.0;
        for (int ab = 0; ab < n * n; ab++) {
            sum += X[(ab / n) * N + i] * r->mass[ab] * X[(ab % n) * N + j];
        }
        error = fmax(error, fabs(r->modes->normalisation * sum - (i == j ? 1.0 : 0.0)));
    }
    return error;
}

/** (6): lambda_1 < lambda'_1 < lambda_2 < .. < lambda_N. */
static bool is_interlacing(const carom_phase_spectra *s) {
    bool holds = true;
    for (int j = 0; j < s->mode_count - 1; j++) {
        holds = holds && s->unconstrained[j] < s->constrained[j] &&
                s->constrained[j] < s->unconstrained[j + 1];
    }
    return holds;
}

/** (8): k'X' = m'X' lambda', largest residual over the size of its terms; and X'_N = 0. */
static double constrained_mode_error(const results *r) {
    const int n = r->coordinate_count;
    const int columns = r->modes->spectra->mode_count - 1;
    const double *shape = r->modes->constrained_shape;
    double error = 0.0;
    for (int j = 0; j < columns; j++) {
        double residual = 0.0;
        double size = 0.0;
        for (int a = 0; a < n - 1; a++) {
            double row = 0.0;
            for (int b = 0; b < n; b++) {
                const double inertia =
                    r->modes->spectra->constrained[j] * r->mass[a * n + b] * shape[b * columns + j];
                row += r->stiffness[a * n + b] * shape[b * columns + j] - inertia;
                size = fmax(size, fabs(inertia));
            }
            residual = fmax(residual, fabs(row));
        }
        error = fmax(error, residual / size + fabs(shape[(n - 1) * columns + j]));
    }
    return error;
}

/** (9): eta'M = 0, largest entry over the size of its terms. */
static double orthogonality_error(const carom_phase_modes *modes) {
    const carom_phase_spectra *s = modes->spectra;
    double error = 0.0;
    for (int j = 0; j < s->mode_count - 1; j++) {
        double sum = 0.0;
        double size = 0.0;
        for (int i = 0; i < s->mode_count; i++) {
            const double term = modes->participation[i] / (s->unconstrained[i] - s->constrained[j]);
            sum += term;
            size = fmax(size, fabs(term));
        }
        error = fmax(error, fabs(sum) / size);
    }
    return error;
}

/** (10): -M_N Mbar^-1 (Mbar^-1 given), or the second form as printed, against eta. */
static double participation_error(const carom_phase_modes *modes, const double *inverse,
                                  bool is_printed) {
    const carom_phase_spectra *s = modes->spectra;
    const int count = s->mode_count - 1;
    double error = 0.0;
    for (int i = 0; i < count; i++) {
        double eta = 0.0;
        for (int j = 0; j < count; j++) {
            const double difference = s->constrained[j] - s->unconstrained[count];
            eta += (is_printed ? difference : 1.0 / difference) * inverse[j * count + i];
        }
        error = fmax(error, fabs(eta / modes->participation[i] - 1.0));
    }
    return error;
}

/** Closed forms of the determinant and the inverse of Mbar (inverse [N-1][N-1] is filled) against
 * elimination: largest relative error. */
static carom_status compare_cauchy(const carom_phase_spectra *s, double *inverse, double *error) {
    const int count = s->mode_count - 1;
    const size_t size = (size_t)count;
    gsl_matrix *M = gsl_matrix_alloc(size, size);
    gsl_permutation *order = gsl_permutation_alloc(size);
    int sign = 0;
    if (M == NULL || order == NULL) {
        gsl_matrix_free(M);
        gsl_permutation_free(order);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    carom_cauchy_matrix(count, count, s->unconstrained, s->constrained, M->data);
    carom_cauchy_inverse(count, s->unconstrained, s->constrained, inverse);
    gsl_linalg_LU_decomp(M, order, &sign);
    const double determinant = carom_cauchy_determinant(count, s->unconstrained, s->constrained);
    *error = fabs(gsl_linalg_LU_det(M, sign) / determinant - 1.0);
    gsl_linalg_LU_invx(M, order);
    double largest = 0.0;
    double difference = 0.0;
    for (size_t k = 0; k < size * size; k++) {
        largest = fmax(largest, fabs(inverse[k]));
        difference = fmax(difference, fabs(M->data[k] - inverse[k]));
    }
    *error = fmax(*error, difference / largest);
    gsl_matrix_free(M);
    gsl_permutation_free(order);
    return CAROM_OK;
}

/** (44), (45) as printed, for one torso link and equal lengths. */
static void write_matrices(const results *r) {
    const double *L = r->biped.lengths;
    if (r->biped.torso_count != 1 || L[0] < L[1] || L[0] > L[1] || L[1] < L[2] || L[1] > L[2]) {
        return;
    }
    const double hip = r->biped.masses[1];
    const double top = r->biped.masses[2];
    const double hand = r->biped.masses[3];
    const double both = hand + top;
    const double mass[] = {hand, -hand, -hand, -hand, both, both, -hand, both, both + hip};
    const double stiffness[] = {hand, 0.0, 0.0, 0.0, -both, 0.0, 0.0, 0.0, -both - hip};
    const double moment = L[0] * r->biped.gravity;
    double error = 0.0;
    for (int k = 0; k < 9; k++) {
        error = fmax(error, fabs(r->mass[k] / (L[0] * L[0]) - mass[k]) / (both + hip));
        error = fmax(error, fabs(r->stiffness[k] / moment - stiffness[k]) / (both + hip));
    }
    carom_record_claim(r->record, "matrices_as_printed", error <= SAME,
                       "mass and stiffness matrix are (44) and (45)");
}

/** Section 6: F_N^0 = theta m_t g l moves nothing but the leg, by x_N^0. */
static void write_statics(const results *r) {
    const int n = r->coordinate_count;
    double error = 0.0;
    for (int a = 0; a < n; a++) {
        const double expected = a == n - 1 ? r->statics.contact_level : 0.0;
        const double displacement = r->modes->static_shape[a] * r->statics.contact_force;
        error = fmax(error, fabs(displacement - expected) / fabs(r->statics.contact_level));
    }
    carom_record_claim(r->record, "static_force_moves_the_leg", error <= SAME,
                       "the static force of the ground displaces the leg alone, by x_N^0");
}

/** The claims that need the inverse of Mbar. */
static carom_status write_cauchy(const results *r, double *inverse) {
    double error = 0.0;
    CAROM_TRY(compare_cauchy(r->modes->spectra, inverse, &error));
    carom_record_claim(r->record, "cauchy_closed_forms", error <= SAME,
                       "closed forms of determinant and inverse of M without its last "
                       "row agree with elimination");
    carom_record_claim(r->record, "participation_from_spectra",
                       participation_error(r->modes, inverse, false) <= SAME,
                       "(10), first form: eta follows from the spectra");
    carom_record_claim(r->record, "participation_as_printed",
                       participation_error(r->modes, inverse, true) <= SAME,
                       "(10), second form as printed: eta follows from the spectra");
    return CAROM_OK;
}

carom_status biped_rocking_write_identities(const results *r) {
    const carom_phase_modes *modes = r->modes;
    const size_t count = (size_t)modes->spectra->mode_count - 1;
    double *inverse = malloc(count * count * sizeof *inverse);
    if (inverse == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const carom_status status = write_cauchy(r, inverse);
    free(inverse);
    CAROM_TRY(status);
    write_matrices(r);
    write_statics(r);
    carom_record_claim(r->record, "modes_are_normalised", normalisation_error(r) <= SAME,
                       "(4): c X'mX = 1");
    carom_record_claim(r->record, "spectra_interlace", is_interlacing(modes->spectra),
                       "(6): between two frequencies on one foot lies one on two feet");
    carom_record_claim(r->record, "constrained_modes_from_cauchy",
                       constrained_mode_error(r) <= SAME,
                       "(8): X.X_N M are the constrained modes, their last row is zero");
    carom_record_claim(r->record, "participation_is_orthogonal", orthogonality_error(modes) <= SAME,
                       "(9): eta'M = 0");
    return CAROM_OK;
}
