#include <carom/collisionless/motion/spectral_motion.h>

#include <carom/collisionless/motion/internal.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>

/** Rounding errors of a matrix of norm 1 and of its decomposition. */
static const double SINGULAR_VALUE_ERROR = 64.0 * DBL_EPSILON;

void carom_spectral_motion_free(carom_spectral_motion *motion) {
    if (motion == NULL) {
        return;
    }
    carom_phase_spectra_free(motion->spectra);
    free(motion->participation);
    free(motion->amplitude);
    free(motion->gap_amplitude);
    free(motion->log_scale);
    free(motion->constrained_amplitude);
    free(motion->constrained_log_scale);
    free(motion);
}

static carom_status motion_alloc(const carom_phase_spectra *spectra, carom_spectral_motion **out) {
    *out = NULL;
    const size_t N = (size_t)spectra->mode_count;
    CAROM_AUTO(carom_spectral_motion) motion = calloc(1, sizeof *motion);
    if (motion == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_phase_spectra_copy(spectra, &motion->spectra));
    motion->participation = malloc(N * sizeof(double));
    motion->amplitude = malloc(N * sizeof(double));
    motion->gap_amplitude = malloc(N * sizeof(double));
    motion->log_scale = malloc(N * sizeof(double));
    motion->constrained_amplitude = malloc((N - 1) * sizeof(double));
    motion->constrained_log_scale = malloc((N - 1) * sizeof(double));
    if (motion->participation == NULL || motion->amplitude == NULL ||
        motion->gap_amplitude == NULL || motion->log_scale == NULL ||
        motion->constrained_amplitude == NULL || motion->constrained_log_scale == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_HAND_OVER(motion, out);
    return CAROM_OK;
}

/** Unconstrained mode i at tau. */
static carom_modal_function mode_at_impact(const carom_spectral_motion *motion, int i) {
    const carom_phase_spectra *s = motion->spectra;
    return carom_modal_function_evaluate(s->unconstrained[i], s->unconstrained_parity[i],
                                         motion->time);
}

/** Constrained mode j at -tau'. */
static carom_modal_function constrained_mode_at_impact(const carom_spectral_motion *motion, int j) {
    const carom_phase_spectra *s = motion->spectra;
    return carom_modal_function_evaluate(s->constrained[j], s->constrained_parity[j],
                                         -motion->constrained_time);
}

/** eta_i = W_i/W_N. */
static void fill_participation(carom_spectral_motion *motion) {
    const carom_phase_spectra *s = motion->spectra;
    const int N = s->mode_count;
    carom_phase_spectra_shares(s, motion->participation);
    const double last = motion->participation[N - 1];
    for (int i = 0; i < N; i++) {
        motion->participation[i] /= last;
    }
}

/**
 * Both sets of amplitudes from the null vector u: b_j = u_j sqrt(V_j) over the length of the pair
 * (kappa h'_j', h'_j''), and a_i from
 *
 *     a_i (h_i', h_i'') (tau) = sum_j M_ij b_j (h'_j', h'_j'') (-tau'),
 *
 * projected onto the pair of mode i: least squares of the two equations.
 */
static void fill_amplitudes(const carom_impact_matrix *matrix, const double *u,
                            carom_spectral_motion *motion) {
    const carom_phase_spectra *s = motion->spectra;
    const int N = s->mode_count;
    const double kappa = carom_impact_matrix_frequency_scale(matrix);
    const double *V = carom_impact_matrix_constrained_weights(matrix);
    for (int j = 0; j < N - 1; j++) {
        const carom_modal_function h = constrained_mode_at_impact(motion, j);
        motion->constrained_amplitude[j] =
            u[j] * sqrt(V[j]) / hypot(kappa * h.velocity, h.acceleration);
        motion->constrained_log_scale[j] = h.log_scale;
    }
    for (int i = 0; i < N; i++) {
        const carom_modal_function mode = mode_at_impact(motion, i);
        double velocity = 0.0;
        double acceleration = 0.0;
        for (int j = 0; j < N - 1; j++) {
            const carom_modal_function h = constrained_mode_at_impact(motion, j);
            const double M_ij = 1.0 / carom_phase_spectra_difference(s, i, j);
            velocity += M_ij * motion->constrained_amplitude[j] * h.velocity;
            acceleration += M_ij * motion->constrained_amplitude[j] * h.acceleration;
        }
        const double length = hypot(kappa * mode.velocity, mode.acceleration);
        const double sine = kappa * mode.velocity / length;
        const double cosine = mode.acceleration / length;
        motion->amplitude[i] = (sine * kappa * velocity + cosine * acceleration) / length;
        motion->log_scale[i] = mode.log_scale;
    }
}

/** A sum of terms, and how large its error is in units of a relative error of amplitudes and
 * times. */
typedef struct balanced_sum {
    double sum;
    double size;
} balanced_sum;

/** Add a term whose derivative by the impact time is `slope`. */
static void balance_add(balanced_sum *b, double term, double slope, double time) {
    b->sum += term;
    b->size += fabs(term) + fabs(slope) * time;
}

/** The sum; zero if that is within its error. */
static double balance_value(balanced_sum b, double error) {
    return fabs(b.sum) <= error * b.size ? 0.0 : b.sum;
}

/** Whether an eigenvalue is zero to the rounding of the largest one. */
static bool is_zero(const carom_spectral_motion *motion, double lambda) {
    const carom_phase_spectra *s = motion->spectra;
    const int N = s->mode_count;
    const double largest = fmax(fabs(s->unconstrained[0]), fabs(s->unconstrained[N - 1]));
    return fabs(lambda) <= N * DBL_EPSILON * largest;
}

/** c F_N^0 = -sum_j q'_j g'_j(-tau'); even: q' g' = -b C/lambda', odd: q' g' = b h'. */
static double static_force(const carom_spectral_motion *motion, double error) {
    const carom_phase_spectra *s = motion->spectra;
    const double time = motion->constrained_time;
    balanced_sum force = {0.0, 0.0};
    for (int j = 0; j < s->mode_count - 1; j++) {
        const carom_modal_function h = constrained_mode_at_impact(motion, j);
        const double b = motion->constrained_amplitude[j];
        if (s->constrained_parity[j] == CAROM_PARITY_ODD) {
            balance_add(&force, -b * h.displacement, b * h.velocity, time);
        } else if (is_zero(motion, s->constrained[j])) {
            return (double)NAN;
        } else {
            balance_add(&force, b * h.acceleration / s->constrained[j], b * h.velocity, time);
        }
    }
    return balance_value(force, error);
}

/** x_N^0 = sum_i eta_i p_i g_i(tau). */
static double contact_level(const carom_spectral_motion *motion, double error) {
    const carom_phase_spectra *s = motion->spectra;
    balanced_sum level = {0.0, 0.0};
    for (int i = 0; i < s->mode_count; i++) {
        const carom_modal_function h = mode_at_impact(motion, i);
        const double a = motion->gap_amplitude[i];
        if (s->unconstrained_parity[i] == CAROM_PARITY_ODD) {
            balance_add(&level, a * h.displacement, a * h.velocity, motion->time);
        } else if (is_zero(motion, s->unconstrained[i])) {
            return (double)NAN;
        } else {
            balance_add(&level, -a * h.acceleration / s->unconstrained[i], a * h.velocity,
                        motion->time);
        }
    }
    return balance_value(level, error);
}

/** c dF_N/dt' = sum_j b_j h'_j' at -tau'. */
static double force_rate(const carom_spectral_motion *motion, double error) {
    balanced_sum rate = {0.0, 0.0};
    for (int j = 0; j < motion->spectra->mode_count - 1; j++) {
        const carom_modal_function h = constrained_mode_at_impact(motion, j);
        const double b = motion->constrained_amplitude[j];
        balance_add(&rate, b * h.velocity, b * h.acceleration, motion->constrained_time);
    }
    return balance_value(rate, error);
}

/** Amplitudes of c F_N^0 = 1 or, where that is impossible, of a force that grows. */
static void normalise(double error, carom_spectral_motion *motion) {
    const int N = motion->spectra->mode_count;
    motion->static_force = static_force(motion, error);
    motion->is_per_static_force = fabs(motion->static_force) > 0.0;
    const double divisor = motion->is_per_static_force       ? motion->static_force
                           : force_rate(motion, error) < 0.0 ? -1.0
                                                             : 1.0;
    for (int j = 0; j < N - 1; j++) {
        motion->constrained_amplitude[j] /= divisor;
    }
    for (int i = 0; i < N; i++) {
        motion->amplitude[i] /= divisor;
        motion->gap_amplitude[i] = motion->participation[i] * motion->amplitude[i];
    }
    motion->static_force /= divisor;
}

/** Everything that follows from the amplitudes; `error` is that of the null vector. */
static void complete(double error, carom_spectral_motion *motion) {
    normalise(error, motion);
    motion->contact_level = contact_level(motion, error);
    motion->force_rate = force_rate(motion, error);
    motion->contact_sign = (motion->force_rate > 0.0) - (motion->force_rate < 0.0);
    carom_modal_sum gap = carom_spectral_motion_gap_sum(motion);
    carom_modal_sum force = carom_spectral_motion_force_sum(motion);
    carom_modal_sum_anchor(&gap);
    carom_modal_sum_anchor(&force);
    motion->gap_offset = gap.offset;
    motion->force_offset = force.offset;
}

/** The motion in memory that exists. */
static carom_status compute(carom_impact_matrix *matrix, double *null_vector,
                            carom_spectral_motion *motion, carom_report *report) {
    carom_impact_rank rank = {.smallest = (double)NAN};
    const carom_status status = carom_impact_matrix_rank(
        matrix, motion->time, motion->constrained_time, &rank, null_vector);
    if (status != CAROM_OK) {
        return carom_report_fail(report, status, "singular values", (double)NAN, -1);
    }
    motion->residual = rank.smallest;
    if (!(rank.smallest <= CAROM_SPECTRAL_MOTION_ROOT_TOLERANCE)) {
        return carom_report_fail(report, CAROM_STATUS_CONFLICT,
                                 "impact times, no root: smallest singular value", rank.smallest,
                                 -1);
    }
    /* The null vector is as good as the next singular value is large. */
    const double error = (rank.smallest + SINGULAR_VALUE_ERROR) / rank.second;
    if (!(error <= CAROM_SPECTRAL_MOTION_ROOT_TOLERANCE)) {
        return carom_report_fail(report, CAROM_STATUS_SINGULAR,
                                 "motion, not unique: second singular value", rank.second, -1);
    }
    fill_participation(motion);
    fill_amplitudes(matrix, null_vector, motion);
    complete(error, motion);
    return CAROM_OK;
}

carom_status carom_spectral_motion_compute(const carom_phase_spectra *spectra, double time,
                                           double constrained_time, carom_spectral_motion **out,
                                           carom_report *report) {
    CAROM_ASSERT(spectra != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(carom_phase_spectra_check(spectra, report));
    CAROM_TRY(carom_phase_times_check(time, constrained_time, report));
    CAROM_AUTO(carom_spectral_motion) motion = NULL;
    CAROM_TRY(motion_alloc(spectra, &motion));
    motion->time = time;
    motion->constrained_time = constrained_time;
    CAROM_AUTO_MEMORY double *null_vector =
        malloc((size_t)spectra->mode_count * sizeof *null_vector);
    if (null_vector == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_AUTO(carom_impact_matrix) matrix = NULL;
    CAROM_TRY(carom_impact_matrix_alloc(motion->spectra, &matrix, report));
    CAROM_TRY(compute(matrix, null_vector, motion, report));
    CAROM_HAND_OVER(motion, out);
    return CAROM_OK;
}

carom_modal_sum carom_spectral_motion_gap_sum(const carom_spectral_motion *motion) {
    return (carom_modal_sum){.count = motion->spectra->mode_count,
                             .lambda = motion->spectra->unconstrained,
                             .parity = motion->spectra->unconstrained_parity,
                             .weight = motion->gap_amplitude,
                             .log_scale = motion->log_scale,
                             .impact_time = motion->time,
                             .offset = motion->gap_offset};
}

carom_modal_sum carom_spectral_motion_force_sum(const carom_spectral_motion *motion) {
    return (carom_modal_sum){.count = motion->spectra->mode_count - 1,
                             .lambda = motion->spectra->constrained,
                             .parity = motion->spectra->constrained_parity,
                             .weight = motion->constrained_amplitude,
                             .log_scale = motion->constrained_log_scale,
                             .impact_time = -motion->constrained_time,
                             .offset = motion->force_offset};
}

void carom_spectral_motion_gap(const carom_spectral_motion *motion, double t, double *gap) {
    const carom_modal_sum sum = carom_spectral_motion_gap_sum(motion);
    carom_modal_sum_evaluate(&sum, t, gap);
}

void carom_spectral_motion_force(const carom_spectral_motion *motion, double t, double *force) {
    const carom_modal_sum sum = carom_spectral_motion_force_sum(motion);
    carom_modal_sum_evaluate(&sum, t, force);
}
