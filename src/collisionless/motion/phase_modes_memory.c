#include <carom/collisionless/motion/internal.h>

#include <stdlib.h>

carom_status carom_phase_modes_alloc(int n, int N, carom_phase_modes **out) {
    CAROM_ASSERT(n >= N && N >= 2);
    *out = NULL;
    const size_t rows = (size_t)n;
    const size_t columns = (size_t)N;
    carom_phase_modes *modes = calloc(1, sizeof *modes);
    if (modes == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    modes->coordinate_count = n;
    modes->decoupled_count = n - N;
    modes->shape = malloc(rows * columns * sizeof(double));
    modes->constrained_shape = malloc(rows * (columns - 1) * sizeof(double));
    modes->participation = malloc(columns * sizeof(double));
    modes->static_shape = malloc(rows * sizeof(double));
    const carom_status status = carom_phase_spectra_alloc(N, &modes->spectra);
    if (status != CAROM_OK || modes->shape == NULL || modes->constrained_shape == NULL ||
        modes->participation == NULL || modes->static_shape == NULL) {
        carom_phase_modes_free(modes);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    *out = modes;
    return CAROM_OK;
}

void carom_phase_modes_free(carom_phase_modes *modes) {
    if (modes == NULL) {
        return;
    }
    carom_phase_spectra_free(modes->spectra);
    free(modes->shape);
    free(modes->constrained_shape);
    free(modes->participation);
    free(modes->static_shape);
    free(modes);
}
