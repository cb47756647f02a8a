#include <carom/collisionless/motion/collisionless_motion.h>

#include <carom/collisionless/motion/internal.h>

#include <gsl/gsl_math.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void carom_collisionless_motion_free(carom_collisionless_motion *motion) {
    if (motion == NULL) {
        return;
    }
    carom_spectral_motion_free(motion->spectral);
    free(motion->impact_position);
    free(motion->constrained_impact_position);
    free(motion->static_position);
    free(motion->impact_offset);
    free(motion->constrained_impact_offset);
    free(motion->amplitude);
    free(motion->constrained_amplitude);
    free(motion);
}

static carom_status motion_alloc(const carom_phase_modes *modes, carom_collisionless_motion **out) {
    *out = NULL;
    const size_t n = (size_t)modes->coordinate_count;
    const size_t N = (size_t)modes->spectra->mode_count;
    CAROM_AUTO(carom_collisionless_motion) motion = calloc(1, sizeof *motion);
    if (motion == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    motion->modes = modes;
    motion->impact_position = calloc(n, sizeof(double));
    motion->constrained_impact_position = calloc(n, sizeof(double));
    motion->static_position = calloc(n, sizeof(double));
    motion->impact_offset = calloc(n, sizeof(double));
    motion->constrained_impact_offset = calloc(n, sizeof(double));
    motion->amplitude = malloc(N * sizeof(double));
    motion->constrained_amplitude = malloc((N - 1) * sizeof(double));
    if (motion->impact_position == NULL || motion->constrained_impact_position == NULL ||
        motion->static_position == NULL || motion->impact_offset == NULL ||
        motion->constrained_impact_offset == NULL || motion->amplitude == NULL ||
        motion->constrained_amplitude == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_HAND_OVER(motion, out);
    return CAROM_OK;
}

/** What the two phases have in common: modes, their shapes, and amplitudes as at the impact. */
typedef struct phase_view {
    int count;
    const double *lambda;
    const carom_parity *parity;
    const double *shape; /**< [n][count] */
    bool is_scaled;      /**< each shape by its factor */
    const double *row;   /**< [count] that factor, X_N, if scaled */
    const double *amplitude;
    const double *log_scale;
    double impact_time;
} phase_view;

static phase_view view_phase(const carom_collisionless_motion *motion, carom_motion_phase phase) {
    const carom_phase_modes *modes = motion->modes;
    const carom_spectral_motion *spectral = motion->spectral;
    const int N = modes->spectra->mode_count;
    if (phase == CAROM_MOTION_CONSTRAINED) {
        return (phase_view){.count = N - 1,
                            .lambda = spectral->spectra->constrained,
                            .parity = spectral->spectra->constrained_parity,
                            .shape = modes->constrained_shape,
                            .is_scaled = false,
                            .amplitude = spectral->constrained_amplitude,
                            .log_scale = spectral->constrained_log_scale,
                            .impact_time = -spectral->constrained_time};
    }
    return (phase_view){.count = N,
                        .lambda = spectral->spectra->unconstrained,
                        .parity = spectral->spectra->unconstrained_parity,
                        .shape = modes->shape,
                        .is_scaled = true,
                        .row = modes->shape + (size_t)(modes->coordinate_count - 1) * (size_t)N,
                        .amplitude = spectral->amplitude,
                        .log_scale = spectral->log_scale,
                        .impact_time = spectral->time};
}

/** y += factor times the shape of mode i. */
static void add_shape(const carom_collisionless_motion *motion, const phase_view *view, int i,
                      double factor, double *y) {
    const double weight = motion->scale * factor * (view->is_scaled ? view->row[i] : 1.0);
    for (int row = 0; y != NULL && row < motion->modes->coordinate_count; row++) {
        y[row] += weight * view->shape[row * view->count + i];
    }
}

/**
 * Two positions at the impact: from the symmetry point, where every h is zero, and from the
 * equilibrium of the phase: -a C/lambda for even modes, NaN if lambda = 0; for odd ones the same.
 */
static void fill_impact(const carom_collisionless_motion *motion, carom_motion_phase phase,
                        double *from_symmetry_point, double *from_equilibrium) {
    const phase_view view = view_phase(motion, phase);
    const double reference = phase == CAROM_MOTION_CONSTRAINED ? motion->spectral->static_force
                                                               : motion->spectral->contact_level;
    for (int i = 0; i < view.count; i++) {
        const carom_modal_function h =
            carom_modal_function_evaluate(view.lambda[i], view.parity[i], view.impact_time);
        const double a = view.amplitude[i];
        const bool is_even = view.parity[i] == CAROM_PARITY_EVEN;
        const double distance = is_even ? -h.acceleration / view.lambda[i] : h.displacement;
        add_shape(motion, &view, i, a * h.displacement, from_symmetry_point);
        add_shape(motion, &view, i, isnan(reference) ? (double)NAN : a * distance,
                  from_equilibrium);
    }
}

/** Energy above the equilibrium of a phase: sum of inertia a^2/lambda (even) or inertia a^2 (odd)
 * over 2, inertia_i = eta_i/c or sum_k eta_k M_kj^2/c; and the size of its largest term, that of
 * the energies of this phase. NaN without equilibrium. */
static double phase_energy(const carom_collisionless_motion *motion, carom_motion_phase phase,
                           double reference, double *size) {
    *size = (double)NAN;
    if (isnan(reference)) {
        return (double)NAN;
    }
    const phase_view view = view_phase(motion, phase);
    const carom_phase_spectra *s = motion->spectral->spectra;
    const double *eta = motion->spectral->participation;
    double sum = 0.0;
    double largest = 0.0;
    for (int i = 0; i < view.count; i++) {
        double inertia = eta[i];
        if (phase == CAROM_MOTION_CONSTRAINED) {
            inertia = 0.0;
            for (int k = 0; k < s->mode_count; k++) {
                inertia += eta[k] / gsl_pow_2(carom_phase_spectra_difference(s, k, i));
            }
        }
        const double a = motion->scale * view.amplitude[i] * exp(-view.log_scale[i]);
        const double term =
            inertia * a * a / (view.parity[i] == CAROM_PARITY_EVEN ? view.lambda[i] : 1.0);
        sum += term;
        largest = fmax(largest, fabs(term));
    }
    *size = 0.5 * largest / motion->modes->normalisation;
    return 0.5 * sum / motion->modes->normalisation;
}

/** The paper's amplitudes of one phase. */
static void fill_paper_amplitudes(const carom_collisionless_motion *motion,
                                  carom_motion_phase phase, double *q) {
    const phase_view view = view_phase(motion, phase);
    for (int i = 0; i < view.count; i++) {
        const double factor = carom_modal_function_amplitude_factor(view.lambda[i], view.parity[i]);
        const double a = motion->scale * view.amplitude[i] * exp(-view.log_scale[i]);
        q[i] = isfinite(factor) ? factor * a * (view.is_scaled ? view.row[i] : 1.0) : (double)NAN;
    }
}

/** Factor of the spectral amplitudes from what is given. */
static carom_status find_scale(carom_motion_scale kind, double value,
                               carom_collisionless_motion *motion, carom_report *report) {
    const carom_spectral_motion *spectral = motion->spectral;
    if (kind == CAROM_MOTION_SCALE_AMPLITUDE) {
        motion->scale = value;
        return CAROM_OK;
    }
    if (kind == CAROM_MOTION_SCALE_STATIC_FORCE) {
        if (!spectral->is_per_static_force) {
            return carom_report_fail(report, CAROM_STATUS_SINGULAR, "static force",
                                     spectral->static_force, -1);
        }
        motion->scale = motion->modes->normalisation * value;
        return CAROM_OK;
    }
    if (!(fabs(spectral->contact_level) > 0.0)) {
        return carom_report_fail(report, CAROM_STATUS_SINGULAR, "contact level",
                                 spectral->contact_level, -1);
    }
    motion->scale = value / spectral->contact_level;
    return CAROM_OK;
}

/** Everything that follows from the scale; sizes of the energies of both phases. */
static void complete(carom_collisionless_motion *motion, double energy_size[2]) {
    const carom_spectral_motion *spectral = motion->spectral;
    motion->static_force = spectral->static_force * motion->scale / motion->modes->normalisation;
    motion->contact_level = spectral->contact_level * motion->scale;
    motion->contact_sign = motion->scale < 0.0 ? -spectral->contact_sign : spectral->contact_sign;
    fill_impact(motion, CAROM_MOTION_UNCONSTRAINED, motion->impact_offset, motion->impact_position);
    fill_impact(motion, CAROM_MOTION_CONSTRAINED, motion->constrained_impact_offset,
                motion->constrained_impact_position);
    for (int i = 0; i < motion->modes->coordinate_count; i++) {
        motion->static_position[i] =
            motion->impact_position[i] - motion->constrained_impact_position[i];
    }
    motion->energy =
        phase_energy(motion, CAROM_MOTION_UNCONSTRAINED, spectral->contact_level, &energy_size[0]);
    motion->constrained_energy =
        phase_energy(motion, CAROM_MOTION_CONSTRAINED, spectral->static_force, &energy_size[1]);
    fill_paper_amplitudes(motion, CAROM_MOTION_UNCONSTRAINED, motion->amplitude);
    fill_paper_amplitudes(motion, CAROM_MOTION_CONSTRAINED, motion->constrained_amplitude);
}

/** Size of an energy below which a double holds a part of it only that counts no more. */
#define LEAST_ENERGY (DBL_MIN / DBL_EPSILON)

/** Refuse a size at which a number of the motion overflows or its energies underflow; NaN is what
 * it does not have. */
static carom_status check_size(const carom_collisionless_motion *motion,
                               const double energy_size[2], double value, carom_report *report) {
    double largest = fmax(fabs(motion->static_force), fabs(motion->contact_level));
    largest = fmax(largest, fmax(energy_size[0], energy_size[1]));
    for (int i = 0; i < motion->modes->coordinate_count; i++) {
        largest = fmax(largest, fabs(motion->impact_offset[i]));
        largest = fmax(largest, fabs(motion->constrained_impact_offset[i]));
    }
    for (int i = 0; i < motion->modes->spectra->mode_count; i++) {
        largest = fmax(largest, fabs(motion->amplitude[i]));
    }
    for (int j = 0; j < motion->modes->spectra->mode_count - 1; j++) {
        largest = fmax(largest, fabs(motion->constrained_amplitude[j]));
    }
    if (isinf(largest) || energy_size[0] < LEAST_ENERGY || energy_size[1] < LEAST_ENERGY) {
        return carom_report_refuse(report, "size of the motion", value, -1,
                                   "where forces and energies neither overflow nor underflow");
    }
    return CAROM_OK;
}

static carom_status check_scale(double value, carom_report *report) {
    if (!isfinite(value)) {
        return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "scale", value, -1);
    }
    if (!(fabs(value) > 0.0)) {
        return carom_report_refuse(report, "scale", value, -1, "not 0");
    }
    return CAROM_OK;
}

carom_status carom_collisionless_motion_compute(const carom_phase_modes *modes, double time,
                                                double constrained_time, carom_motion_scale kind,
                                                double value, carom_collisionless_motion **out,
                                                carom_report *report) {
    CAROM_ASSERT(modes != NULL && out != NULL);
    *out = NULL;
    if (kind != CAROM_MOTION_SCALE_AMPLITUDE && kind != CAROM_MOTION_SCALE_STATIC_FORCE &&
        kind != CAROM_MOTION_SCALE_CONTACT_LEVEL) {
        return carom_report_refuse(report, "kind of scale", (double)kind, -1, "one of the three");
    }
    CAROM_TRY(check_scale(value, report));
    CAROM_AUTO(carom_collisionless_motion) motion = NULL;
    CAROM_TRY(motion_alloc(modes, &motion));
    CAROM_TRY(carom_spectral_motion_compute(modes->spectra, time, constrained_time,
                                            &motion->spectral, report));
    CAROM_TRY(find_scale(kind, value, motion, report));
    double energy_size[2];
    complete(motion, energy_size);
    CAROM_TRY(check_size(motion, energy_size, value, report));
    CAROM_HAND_OVER(motion, out);
    return CAROM_OK;
}

/** Position at the impact from an origin; NULL if that is the origin. */
static const double *impact_from(const carom_collisionless_motion *motion,
                                 carom_motion_origin origin) {
    switch (origin) {
    case CAROM_MOTION_FROM_EQUILIBRIUM:
        return motion->impact_position;
    case CAROM_MOTION_FROM_CONSTRAINED_EQUILIBRIUM:
        return motion->constrained_impact_position;
    default:
        return NULL;
    }
}

void carom_collisionless_motion_state(const carom_collisionless_motion *motion,
                                      carom_motion_phase phase, double t,
                                      carom_motion_origin origin, const carom_motion_state *state) {
    const int n = motion->modes->coordinate_count;
    double *const outputs[] = {state->position, state->velocity, state->acceleration, state->jerk};
    for (int k = 0; k < 4; k++) {
        if (outputs[k] != NULL) {
            memset(outputs[k], 0, (size_t)n * sizeof(double));
        }
    }
    const phase_view view = view_phase(motion, phase);
    for (int i = 0; i < view.count; i++) {
        const carom_modal_function h =
            carom_modal_function_evaluate(view.lambda[i], view.parity[i], t);
        const double a = view.amplitude[i] * exp(h.log_scale - view.log_scale[i]);
        add_shape(motion, &view, i, a * h.displacement, state->position);
        add_shape(motion, &view, i, a * h.velocity, state->velocity);
        add_shape(motion, &view, i, a * h.acceleration, state->acceleration);
        add_shape(motion, &view, i, a * h.jerk, state->jerk);
    }

    /* From the symmetry point of the phase to the impact, and on to the origin. */
    const double *offset = phase == CAROM_MOTION_CONSTRAINED ? motion->constrained_impact_offset
                                                             : motion->impact_offset;
    const double *impact = impact_from(motion, origin);
    for (int i = 0; state->position != NULL && i < n; i++) {
        state->position[i] += (impact == NULL ? 0.0 : impact[i]) - offset[i];
    }
}

double carom_collisionless_motion_force(const carom_collisionless_motion *motion, double t) {
    double force[4];
    carom_spectral_motion_force(motion->spectral, t, force);
    return motion->scale * force[0] / motion->modes->normalisation;
}
