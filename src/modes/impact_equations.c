#include <carom/modes/impact_equations.h>

#include <carom/modes/few_impacts_internal.h>

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct carom_impact_equations {
    const carom_modal_basis *basis;
    int impact_count;                              /**< k */
    int resonant_count;                            /**< r */
    int resonant[CAROM_IMPACT_RESONANT_MAX];       /**< modes, ascending */
    double half_sine[CAROM_IMPACT_RESONANT_MAX];   /**< sin(w T/2) of each at the last evaluation */
    double phase_sensitivity;                      /**< of the kernels at the last evaluation */
    double half_cosine[CAROM_IMPACT_RESONANT_MAX]; /**< cos(w T/2) */
    double *cosine;                                /**< [m][k] cos(w_l t_j) */
    double *sine;                                  /**< [m][k] sin(w_l t_j) */
    double *times;                                 /**< [k] t_j */
    double *velocity;           /**< Pi [k][k] without the poles of resonant modes */
    double *gap;                /**< Sigma [k][k], likewise */
    double *velocity_by_time;   /**< d Pi_ij / d (t_j - t_i) [k][k], symmetric */
    double *velocity_by_period; /**< d Pi_ij / d T [k][k] */
    double *gap_by_period;      /**< d Sigma_ij / d T [k][k] */
};

carom_status carom_impact_equations_alloc(const carom_modal_basis *basis, int impact_count,
                                          carom_impact_equations **out) {
    CAROM_ASSERT(basis != NULL && out != NULL);
    *out = NULL;
    if (impact_count < 1) {
        return CAROM_STATUS_OUT_OF_RANGE;
    }
    const size_t k = (size_t)impact_count;
    const size_t m = (size_t)basis->visible_count;
    carom_impact_equations *e = malloc(sizeof *e + (2 * m * k + k + 5 * k * k) * sizeof(double));
    if (e == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    *e = (carom_impact_equations){.basis = basis, .impact_count = impact_count};
    double *memory = (double *)(e + 1);
    e->cosine = memory;
    e->sine = e->cosine + m * k;
    e->times = e->sine + m * k;
    e->velocity = e->times + k;
    e->gap = e->velocity + k * k;
    e->velocity_by_time = e->gap + k * k;
    e->velocity_by_period = e->velocity_by_time + k * k;
    e->gap_by_period = e->velocity_by_period + k * k;
    *out = e;
    return CAROM_OK;
}

void carom_impact_equations_free(carom_impact_equations *equations) {
    free(equations);
}

const int *carom_impact_equations_resonant_modes(const carom_impact_equations *equations) {
    return equations->resonant;
}

int carom_impact_equations_choose_resonant(carom_impact_equations *equations, double period,
                                           double threshold) {
    const carom_modal_basis *basis = equations->basis;
    double distance[CAROM_IMPACT_RESONANT_MAX];
    int count = 0;
    for (int l = 0; l < basis->visible_count; l++) {
        const double own = fabs(sin(0.5 * basis->frequency[l] * period));
        if (!(own < threshold)) {
            continue;
        }
        // Where there is no room, the mode replaces the one farthest from its harmonic.
        int slot = count;
        if (count == CAROM_IMPACT_RESONANT_MAX) {
            slot = 0;
            for (int i = 1; i < count; i++) {
                slot = distance[i] > distance[slot] ? i : slot;
            }
            if (distance[slot] <= own) {
                continue;
            }
            // Keep the list ascending.
            for (int i = slot; i + 1 < count; i++) {
                equations->resonant[i] = equations->resonant[i + 1];
                distance[i] = distance[i + 1];
            }
            slot = --count;
        }
        equations->resonant[slot] = l;
        distance[slot] = own;
        count++;
    }
    equations->resonant_count = count;
    return count;
}

/** Sines and cosines of all modes at all impact times. */
static void tabulate(carom_impact_equations *e, const double *flight_times) {
    const int k = e->impact_count;
    double time = 0.0;
    for (int j = 0; j < k; j++) {
        time += flight_times[j];
        e->times[j] = time;
    }
    for (int l = 0; l < e->basis->visible_count; l++) {
        const double omega = e->basis->frequency[l];
        for (int j = 0; j < k; j++) {
            e->cosine[l * k + j] = cos(omega * e->times[j]);
            e->sine[l * k + j] = sin(omega * e->times[j]);
        }
    }
}

/**
 * Add one mode to the upper triangles of Pi, Sigma and their derivatives: with s, c = sin, cos of
 * w (t_j - t_i), i <= j,
 *
 *     Pi_ij    = rho^2 (cot s - c) (i < j),     Sigma_ij = sqrt(G) rho^2/w (cot c + s).
 *
 * A resonant mode has cot = 0 and 1/sin^2 = 0 here: its pole is in the amplitudes.
 */
/*[impactAddMode]*/
static void add_mode(carom_impact_equations *e, int mode, double cotangent, double inverse_square,
                     bool with_derivatives) {
    const int k = e->impact_count;
    const double omega = e->basis->frequency[mode];
    const double weight = e->basis->participation[mode] * e->basis->participation[mode];
    const double gap_weight = e->basis->root_inverse_mass * weight / omega;
    const double *cosine = e->cosine + mode * k;
    const double *sine = e->sine + mode * k;
    const double velocity_by_period = -0.5 * omega * weight * inverse_square;
    const double gap_by_period = -0.5 * omega * gap_weight * inverse_square;
    for (int i = 0; i < k; i++) {
        for (int j = i; j < k; j++) {
            const int ij = i * k + j;
            const double c = cosine[i] * cosine[j] + sine[i] * sine[j];
            const double s = sine[j] * cosine[i] - cosine[j] * sine[i];
            e->velocity[ij] += weight * (cotangent * s - c);
            e->gap[ij] += gap_weight * (cotangent * c + s);
            if (with_derivatives) {
                e->velocity_by_time[ij] += weight * omega * (cotangent * c + s);
                e->velocity_by_period[ij] += velocity_by_period * s;
                e->gap_by_period[ij] += gap_by_period * c;
            }
        }
    }
}
/*[end impactAddMode]*/

/** The lower triangles: Pi and d Pi / d T are skew, the others symmetric. */
static void mirror(carom_impact_equations *e) {
    const int k = e->impact_count;
    for (int i = 0; i < k; i++) {
        e->velocity[i * k + i] = 0.0;
        e->velocity_by_period[i * k + i] = 0.0;
        for (int j = 0; j < i; j++) {
            e->velocity[i * k + j] = -e->velocity[j * k + i];
            e->gap[i * k + j] = e->gap[j * k + i];
            e->velocity_by_time[i * k + j] = e->velocity_by_time[j * k + i];
            e->velocity_by_period[i * k + j] = -e->velocity_by_period[j * k + i];
            e->gap_by_period[i * k + j] = e->gap_by_period[j * k + i];
        }
    }
}

/** Pi, Sigma and derivatives at the tabulated times; the first `resonant` chosen modes keep their
 * poles out. */
static void assemble(carom_impact_equations *e, int resonant, bool with_derivatives) {
    const size_t k = (size_t)e->impact_count;
    const double period = e->times[k - 1];
    memset(e->velocity, 0, 5 * k * k * sizeof(double));
    e->phase_sensitivity = 0.0;
    int next = 0;
    for (int l = 0; l < e->basis->visible_count; l++) {
        const carom_half_angle half = carom_half_angle_of(e->basis->frequency[l], period);
        const double phase = e->basis->frequency[l] * period;
        const double weight = e->basis->participation[l] * e->basis->participation[l];
        if (next != resonant && e->resonant[next] == l) {
            e->half_sine[next] = half.sine;
            e->half_cosine[next] = half.cosine;
            add_mode(e, l, 0.0, 0.0, with_derivatives);
            e->phase_sensitivity += phase;
            next++;
        } else {
            e->phase_sensitivity += weight * phase / (half.sine * half.sine);
            add_mode(e, l, half.cosine / half.sine, 1.0 / (half.sine * half.sine),
                     with_derivatives);
        }
    }
    mirror(e);
}

carom_status carom_impact_equations_matrices(carom_impact_equations *equations,
                                             const double *flight_times, double *Pi,
                                             double *Sigma) {
    CAROM_ASSERT(equations != NULL && flight_times != NULL && Pi != NULL && Sigma != NULL);
    const size_t k = (size_t)equations->impact_count;
    tabulate(equations, flight_times);
    const double period = equations->times[k - 1];
    for (int l = 0; l < equations->basis->visible_count; l++) {
        const carom_half_angle half =
            carom_half_angle_of_period(equations->basis->frequency[l], period);
        if (!(fabs(half.sine) > 0.0)) {
            for (size_t i = 0; i < k * k; i++) {
                Pi[i] = (double)NAN;
                Sigma[i] = (double)NAN;
            }
            return CAROM_STATUS_SINGULAR;
        }
    }
    assemble(equations, 0, false);
    memcpy(Pi, equations->velocity, k * k * sizeof(double));
    memcpy(Sigma, equations->gap, k * k * sizeof(double));
    return CAROM_OK;
}

/** Residual: what resonant mode `slot` adds to Pi lambda and Sigma lambda, and its own equations.
 */
static void add_resonant_residual(const carom_impact_equations *e, int slot, const double *y,
                                  double *F) {
    const int k = e->impact_count;
    const int mode = e->resonant[slot];
    const double weight = e->basis->participation[mode] * e->basis->participation[mode];
    const double gap_factor = e->basis->root_inverse_mass / e->basis->frequency[mode];
    const double *cosine = e->cosine + mode * k;
    const double *sine = e->sine + mode * k;
    const double *lambda = y + k;
    const double p = y[2 * k + 1 + 2 * slot];
    const double q = y[2 * k + 2 + 2 * slot];
    double *own = F + 2 * k + 2 * slot;
    own[0] = e->half_sine[slot] * p;
    own[1] = e->half_sine[slot] * q;
    for (int i = 0; i < k; i++) {
        F[i] += e->half_cosine[slot] * (q * cosine[i] - p * sine[i]);
        F[k + i] += gap_factor * e->half_cosine[slot] * (p * cosine[i] + q * sine[i]);
        own[0] -= weight * lambda[i] * cosine[i];
        own[1] -= weight * lambda[i] * sine[i];
    }
}

/** Jacobian: rows and columns that resonant mode `slot` touches. */
static void add_resonant_jacobian(const carom_impact_equations *e, int slot, const double *y,
                                  double *J) {
    const int k = e->impact_count;
    const int columns = 2 * k + 1 + 2 * e->resonant_count;
    const int mode = e->resonant[slot];
    const double omega = e->basis->frequency[mode];
    const double weight = e->basis->participation[mode] * e->basis->participation[mode];
    const double root = e->basis->root_inverse_mass;
    const double *cosine = e->cosine + mode * k;
    const double *sine = e->sine + mode * k;
    const double *lambda = y + k;
    const int p_column = 2 * k + 1 + 2 * slot;
    const double p = y[p_column];
    const double q = y[p_column + 1];
    const double hc = e->half_cosine[slot];
    const double hs = e->half_sine[slot];
    double *p_row = J + (2 * k + 2 * slot) * columns;
    double *q_row = p_row + columns;
    p_row[p_column] = hs;
    q_row[p_column + 1] = hs;
    double p_by_times = 0.0; // sum over the impacts from m on, for the derivative by sigma_m
    double q_by_times = 0.0;
    for (int i = k - 1; i >= 0; i--) {
        double *velocity_row = J + i * columns;
        double *gap_row = J + (k + i) * columns;
        const double along = p * cosine[i] + q * sine[i];
        const double across = q * cosine[i] - p * sine[i];
        velocity_row[p_column] = -hc * sine[i];
        velocity_row[p_column + 1] = hc * cosine[i];
        gap_row[p_column] = root / omega * hc * cosine[i];
        gap_row[p_column + 1] = root / omega * hc * sine[i];
        for (int m = 0; m < k; m++) {
            velocity_row[m] -= 0.5 * omega * hs * across;
            gap_row[m] -= 0.5 * root * hs * along;
        }
        for (int m = 0; m <= i; m++) {
            velocity_row[m] -= omega * hc * along;
            gap_row[m] += root * hc * across;
        }
        p_row[k + i] = -weight * cosine[i];
        q_row[k + i] = -weight * sine[i];
        p_by_times += weight * omega * lambda[i] * sine[i];
        q_by_times -= weight * omega * lambda[i] * cosine[i];
        p_row[i] = 0.5 * omega * hc * p + p_by_times;
        q_row[i] = 0.5 * omega * hc * q + q_by_times;
    }
}

/**
 * Columns sigma_m of row i of both matrices: t_j - t_i holds sigma_m with + for i < m <= j, with -
 * for j < m <= i, and T holds every sigma_m. d Sigma_ij / d (t_j - t_i) = -sqrt(G) Pi_ij.
 */
/*[impactFlightTimeColumns]*/
static void flight_time_columns(const carom_impact_equations *e, int i, const double *lambda,
                                double *velocity_row, double *gap_row) {
    const int k = e->impact_count;
    const double root = e->basis->root_inverse_mass;
    double velocity_by_period = 0.0;
    double gap_by_period = 0.0;
    for (int j = 0; j < k; j++) {
        velocity_by_period += e->velocity_by_period[i * k + j] * lambda[j];
        gap_by_period += e->gap_by_period[i * k + j] * lambda[j];
    }
    double velocity_sum = 0.0;
    double gap_sum = 0.0;
    for (int m = k - 1; m > i; m--) {
        velocity_sum += e->velocity_by_time[i * k + m] * lambda[m];
        gap_sum -= root * e->velocity[i * k + m] * lambda[m];
        velocity_row[m] = velocity_by_period + velocity_sum;
        gap_row[m] = gap_by_period + gap_sum;
    }
    velocity_sum = 0.0;
    gap_sum = 0.0;
    for (int m = 0; m <= i; m++) {
        velocity_row[m] = velocity_by_period - velocity_sum;
        gap_row[m] = gap_by_period - gap_sum;
        velocity_sum += e->velocity_by_time[i * k + m] * lambda[m];
        gap_sum -= root * e->velocity[i * k + m] * lambda[m];
    }
}
/*[end impactFlightTimeColumns]*/

void carom_impact_equations_evaluate(carom_impact_equations *equations, const double *y, double *F,
                                     double *J) {
    carom_impact_equations *e = equations;
    const int k = e->impact_count;
    const int r = e->resonant_count;
    const int columns = 2 * k + 1 + 2 * r;
    const double *lambda = y + k;
    tabulate(e, y);
    assemble(e, r, J != NULL);
    for (int i = 0; i < k; i++) {
        F[i] = 0.0;
        F[k + i] = y[2 * k];
        for (int j = 0; j < k; j++) {
            F[i] += e->velocity[i * k + j] * lambda[j];
            F[k + i] += e->gap[i * k + j] * lambda[j];
        }
    }
    for (int slot = 0; slot < r; slot++) {
        add_resonant_residual(e, slot, y, F);
    }
    if (J == NULL) {
        return;
    }
    memset(J, 0, (size_t)(2 * k + 2 * r) * (size_t)columns * sizeof(double));
    for (int i = 0; i < k; i++) {
        double *velocity_row = J + i * columns;
        double *gap_row = J + (k + i) * columns;
        flight_time_columns(e, i, lambda, velocity_row, gap_row);
        memcpy(velocity_row + k, e->velocity + i * k, (size_t)k * sizeof(double));
        memcpy(gap_row + k, e->gap + i * k, (size_t)k * sizeof(double));
        gap_row[2 * k] = 1.0;
    }
    for (int slot = 0; slot < r; slot++) {
        add_resonant_jacobian(e, slot, y, J);
    }
}

double carom_impact_equations_phase_sensitivity(const carom_impact_equations *equations) {
    return equations->phase_sensitivity;
}

void carom_impact_equations_redundancy(const carom_impact_equations *equations, const double *y,
                                       double *l) {
    const int k = equations->impact_count;
    memcpy(l, y + k, (size_t)k * sizeof(double));
    memset(l + k, 0, (size_t)k * sizeof(double));
    for (int slot = 0; slot < equations->resonant_count; slot++) {
        const double *amplitude = y + 2 * k + 1 + 2 * slot;
        const double rho = equations->basis->participation[equations->resonant[slot]];
        const double factor = equations->half_cosine[slot] / (rho * rho);
        l[2 * k + 2 * slot] = factor * amplitude[1];
        l[2 * k + 2 * slot + 1] = -factor * amplitude[0];
    }
}

/** rho^2 sum lambda_j e^{i w t_j} of one mode at the tabulated times. */
static void driving(const carom_impact_equations *e, int mode, const double *lambda, double *p,
                    double *q) {
    const int k = e->impact_count;
    const double weight = e->basis->participation[mode] * e->basis->participation[mode];
    *p = 0.0;
    *q = 0.0;
    for (int j = 0; j < k; j++) {
        *p += weight * lambda[j] * e->cosine[mode * k + j];
        *q += weight * lambda[j] * e->sine[mode * k + j];
    }
}

void carom_impact_equations_guess_resonant(carom_impact_equations *equations, double *y) {
    const int k = equations->impact_count;
    tabulate(equations, y);
    for (int slot = 0; slot < equations->resonant_count; slot++) {
        const int mode = equations->resonant[slot];
        const double half_sine =
            carom_half_angle_of(equations->basis->frequency[mode], equations->times[k - 1]).sine;
        double *amplitude = y + 2 * k + 1 + 2 * slot;
        driving(equations, mode, y + k, &amplitude[0], &amplitude[1]);
        amplitude[0] /= half_sine;
        amplitude[1] /= half_sine;
    }
}

void carom_impact_equations_state(carom_impact_equations *equations, const double *y,
                                  double *state) {
    const int k = equations->impact_count;
    tabulate(equations, y);
    const double period = equations->times[k - 1];
    int next = 0;
    for (int l = 0; l < equations->basis->visible_count; l++) {
        const carom_half_angle half = carom_half_angle_of(equations->basis->frequency[l], period);
        double p = 0.0;
        double q = 0.0;
        if (next < equations->resonant_count && equations->resonant[next] == l) {
            p = y[2 * k + 1 + 2 * next];
            q = y[2 * k + 2 + 2 * next];
            next++;
        } else {
            driving(equations, l, y + k, &p, &q);
            p /= half.sine;
            q /= half.sine;
        }
        const double rho = equations->basis->participation[l];
        state[2 * l] = -(p * half.cosine + q * half.sine) / rho;
        state[2 * l + 1] = -(q * half.cosine - p * half.sine) / rho;
    }
}
