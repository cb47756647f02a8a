#include <carom/collisionless/motion/collisionless_motion.h>

#include <carom/collisionless/motion/internal.h>

#include <math.h>
#include <stdlib.h>

/**
 * H [N][N] orthogonal with last row sqrt(W): minus the reflection of e_N + sqrt(W), which takes e_N
 * to sqrt(W) without cancellation.
 */
static void form_basis(int N, const double *root_share, double *H) {
    const double scale = 1.0 / (1.0 + root_share[N - 1]);
    for (int a = 0; a < N; ++a) {
        for (int i = 0; i < N; ++i) {
            const double along_a = root_share[a] + (a == N - 1 ? 1.0 : 0.0);
            const double along_i = root_share[i] + (i == N - 1 ? 1.0 : 0.0);
            H[a * N + i] = scale * along_a * along_i - (a == i ? 1.0 : 0.0);
        }
    }
}

/** m = 1/inverse_mass, k = H diag(lambda) H' / inverse_mass. */
static void fill_matrices(int N, const double *H, const double *lambda, double inverse_mass,
                          double *mass, double *stiffness) {
    for (int a = 0; a < N; ++a) {
        for (int b = 0; b < N; ++b) {
            if (mass != NULL) {
                mass[a * N + b] = a == b ? 1.0 / inverse_mass : 0.0;
            }
            double sum = 0.0;
            for (int i = 0; i < N; ++i) {
                sum += H[a * N + i] * lambda[i] * H[b * N + i];
            }
            if (stiffness != NULL) {
                stiffness[a * N + b] = sum / inverse_mass;
            }
        }
    }
}

/** X = H/sqrt(W_N) with c = W_N inverse_mass, X' = X.X_N M. */
static void fill_shapes(const double *H, const double *root_share, double inverse_mass,
                        carom_phase_modes *modes) {
    const carom_phase_spectra *spectra = modes->spectra;
    const int N = spectra->mode_count;
    const double last = root_share[N - 1];
    modes->normalisation = last * last * inverse_mass;
    modes->inverse_mass = inverse_mass;
    for (int i = 0; i < N; ++i) {
        for (int a = 0; a < N; ++a) {
            modes->shape[a * N + i] = H[a * N + i] / last;
        }
        modes->participation[i] = (root_share[i] / last) * (root_share[i] / last);
    }
    for (int j = 0; j < N - 1; ++j) {
        for (int a = 0; a < N; ++a) {
            double sum = 0.0;
            for (int i = 0; i < N && a < N - 1; ++i) {
                sum += modes->shape[a * N + i] * modes->shape[(N - 1) * N + i] /
                       carom_phase_spectra_difference(spectra, i, j);
            }
            modes->constrained_shape[a * (N - 1) + j] = sum;
        }
    }
}

/** (k^-1)^N = c X (X_N/lambda); NaN with a free mode. */
static void fill_statics(carom_phase_modes *modes) {
    const double *lambda = modes->spectra->unconstrained;
    const int N = modes->spectra->mode_count;
    for (int i = 0; i < N; ++i) {
        modes->is_stiffness_singular |= !(fabs(lambda[i]) > 0.0);
    }
    for (int a = 0; a < N; ++a) {
        double sum = modes->is_stiffness_singular ? (double)NAN : 0.0;
        for (int i = 0; i < N && !modes->is_stiffness_singular; ++i) {
            sum += modes->shape[a * N + i] * modes->shape[(N - 1) * N + i] / lambda[i];
        }
        modes->static_shape[a] = modes->normalisation * sum;
    }
    modes->compliance = modes->static_shape[N - 1];
}

carom_status carom_phase_modes_realize(const carom_phase_spectra *spectra, double inverse_mass,
                                       double *mass, double *stiffness, carom_phase_modes **out,
                                       carom_report *report) {
    CAROM_ASSERT(spectra != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(carom_phase_spectra_check(spectra, report));
    if (!isfinite(inverse_mass) || inverse_mass <= 0.0) {
        const carom_status status =
            isfinite(inverse_mass) ? CAROM_STATUS_OUT_OF_RANGE : CAROM_STATUS_NOT_FINITE;
        return carom_report_fail(report, status, "inverse mass", inverse_mass, -1);
    }
    const int N = spectra->mode_count;
    CAROM_AUTO(carom_phase_modes) modes = NULL;
    CAROM_TRY(carom_phase_modes_alloc(N, N, &modes));
    carom_phase_spectra_free(modes->spectra);
    modes->spectra = NULL;
    CAROM_TRY(carom_phase_spectra_copy(spectra, &modes->spectra));
    CAROM_AUTO_MEMORY double *root_share = malloc((size_t)N * sizeof *root_share);
    CAROM_AUTO_MEMORY double *H = calloc((size_t)N * (size_t)N, sizeof *H);
    if (root_share == NULL || H == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    carom_phase_spectra_shares(spectra, root_share);
    for (int i = 0; i < N; ++i) {
        root_share[i] = sqrt(root_share[i]);
    }
    form_basis(N, root_share, H);
    fill_matrices(N, H, spectra->unconstrained, inverse_mass, mass, stiffness);
    fill_shapes(H, root_share, inverse_mass, modes);
    fill_statics(modes);
    CAROM_HAND_OVER(modes, out);
    return CAROM_OK;
}
