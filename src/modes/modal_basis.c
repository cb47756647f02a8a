#include <carom/modes/modal_basis.h>

#include <carom/modes/internal.h>

#include <float.h>
#include <gsl/gsl_cblas.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/**
 * Participation below which a mode is invisible. Entries of K rounded to eps mix modes by eps times
 * the largest eigenvalue over the distance of theirs: room for distances of 1e-4. What is dropped
 * enters all kernels squared, below 1e-24.
 */
static const double INVISIBLE_PARTICIPATION = 1e-12;

/** The linear modes of a structure on their way to a basis. */
typedef struct reduction {
    int n;
    double *M;          /**< [n][n] symmetric part of the mass */
    double *K;          /**< [n][n] symmetric part of the stiffness */
    double *X;          /**< [n][n] modes in columns */
    double *eigenvalue; /**< [n] omega^2 */
    double *motion;     /**< [n] -w'x_l, motion of the contact towards the obstacle */
    double *rotated;    /**< [n] scratch of one eigenspace */
    int *order;         /**< [n] modes as they stand in the basis */
} reduction;

static void reduction_clear(reduction *work) {
    free(work->M);
    free(work->K);
    free(work->X);
    free(work->eigenvalue);
    free(work->motion);
    free(work->rotated);
    free(work->order);
}

static double *symmetric_part(int n, const double *A) {
    const size_t size = (size_t)n;
    double *S = malloc(size * size * sizeof *S);
    for (size_t i = 0; S != NULL && i < size; i++) {
        for (size_t j = 0; j < size; j++) {
            S[i * size + j] = 0.5 * A[i * size + j] + 0.5 * A[j * size + i];
        }
    }
    return S;
}

/** On failure the caller frees what there is. */
static carom_status reduction_init(const carom_linear_system *system, reduction *work) {
    const size_t n = (size_t)system->coordinate_count;
    work->n = system->coordinate_count;
    work->M = symmetric_part(work->n, system->mass);
    work->K = symmetric_part(work->n, system->stiffness);
    work->X = malloc(n * n * sizeof(double));
    work->eigenvalue = malloc(n * sizeof(double));
    work->motion = malloc(n * sizeof(double));
    work->rotated = malloc(n * sizeof(double));
    work->order = malloc(n * sizeof(int));
    if (work->M == NULL || work->K == NULL || work->X == NULL || work->eigenvalue == NULL ||
        work->motion == NULL || work->rotated == NULL || work->order == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    return CAROM_OK;
}

static carom_status basis_alloc(int coordinate_count, carom_modal_basis **out) {
    *out = NULL;
    const size_t n = (size_t)coordinate_count;
    CAROM_AUTO(carom_modal_basis) basis = calloc(1, sizeof *basis);
    if (basis == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    basis->coordinate_count = coordinate_count;
    basis->frequency = malloc(n * sizeof(double));
    basis->participation = malloc(n * sizeof(double));
    basis->shape = malloc(n * n * sizeof(double));
    basis->mass_shape = malloc(n * n * sizeof(double));
    if (basis->frequency == NULL || basis->participation == NULL || basis->shape == NULL ||
        basis->mass_shape == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_HAND_OVER(basis, out);
    return CAROM_OK;
}

void carom_modal_basis_free(carom_modal_basis *basis) {
    if (basis == NULL) {
        return;
    }
    free(basis->frequency);
    free(basis->participation);
    free(basis->shape);
    free(basis->mass_shape);
    free(basis);
}

/** Rigid-body modes and negative stiffness have no place in the theory. */
static carom_status refuse_not_definite(const reduction *work, carom_report *report) {
    double smallest = work->eigenvalue[0];
    for (int l = 1; l < work->n; l++) {
        smallest = fmin(smallest, work->eigenvalue[l]);
    }
    const double resolution = carom_linear_modes_resolution(work->n, work->eigenvalue);
    if (smallest < -resolution) {
        return carom_report_refuse(report,
                                   "stiffness, not positive definite: smallest squared frequency",
                                   smallest, -1, "> 0");
    }
    if (!(smallest > resolution)) {
        return carom_report_fail(report, CAROM_STATUS_SINGULAR,
                                 "stiffness, with a rigid-body mode: smallest squared frequency",
                                 smallest, -1);
    }
    return CAROM_OK;
}

/** -w'x_l for all modes. */
static void compute_motion(const double *w, reduction *work) {
    const size_t n = (size_t)work->n;
    memset(work->motion, 0, n * sizeof(double));
    for (size_t i = 0; i < n; i++) {
        for (size_t l = 0; l < n; l++) {
            work->motion[l] -= w[i] * work->X[i * n + l];
        }
    }
}

/**
 * Householder reflection H = 1 - 2 h h'/h'h of the modes first .. first + count - 1 of one
 * eigenspace, after which the first of them carries the motion of the contact alone.
 */
static void gather_motion(int first, int count, reduction *work) {
    const size_t n = (size_t)work->n;
    double *motion = work->motion + first;
    double *eigenvalue = work->eigenvalue + first;
    double *h = work->rotated;
    const double norm = cblas_dnrm2(count, motion, 1);
    memcpy(h, motion, (size_t)count * sizeof(double));
    h[0] += h[0] < 0.0 ? -norm : norm;
    const double length = cblas_dnrm2(count, h, 1);
    if (!(length > 0.0)) {
        return;
    }
    cblas_dscal(count, 1.0 / length, h, 1);
    for (size_t i = 0; i < n; i++) {
        double *row = work->X + i * n + (size_t)first;
        cblas_daxpy(count, -2.0 * cblas_ddot(count, row, 1, h, 1), h, 1, row, 1);
    }
    motion[0] = motion[0] < 0.0 ? norm : -norm;

    /* Diagonal of H Lambda H, whose entries agree to rounding: differences to the first. */
    const double base = eigenvalue[0];
    double mean = 0.0;
    for (int l = 0; l < count; l++) {
        mean += h[l] * h[l] * (eigenvalue[l] - base);
    }
    for (int l = 0; l < count; l++) {
        const double difference = eigenvalue[l] - base;
        eigenvalue[l] = base + difference + 4.0 * h[l] * h[l] * (mean - difference);
    }
    for (int l = 1; l < count; l++) {
        motion[l] = 0.0;
    }
}

/** One visible mode at most in each eigenspace: frequencies that are equal within rounding. */
static void gather_eigenspaces(reduction *work) {
    const double resolution = carom_linear_modes_resolution(work->n, work->eigenvalue);
    int first = 0;
    while (first < work->n) {
        int end = first + 1;
        while (end < work->n &&
               fabs(work->eigenvalue[end] - work->eigenvalue[end - 1]) <= resolution) {
            end++;
        }
        if (end - first > 1) {
            gather_motion(first, end - first, work);
        }
        first = end;
    }
}

/** Whether mode k stands before mode l: visible first, then by frequency. */
static bool stands_before(const reduction *work, int k, int l) {
    const bool is_visible = fabs(work->motion[k]) > 0.0;
    if (is_visible != (fabs(work->motion[l]) > 0.0)) {
        return is_visible;
    }
    return work->eigenvalue[k] < work->eigenvalue[l];
}

/** Order of the basis, by insertion: the modes come in ascending order but for rounding. */
static void sort_modes(reduction *work) {
    for (int l = 0; l < work->n; l++) {
        int place = l;
        while (place > 0 && stands_before(work, l, work->order[place - 1])) {
            work->order[place] = work->order[place - 1];
            place--;
        }
        work->order[place] = l;
    }
}

/** Modes without participation set to rest; sqrt(G) = |motion| of the others. */
static void separate_invisible(reduction *work, carom_modal_basis *basis) {
    const double whole = cblas_dnrm2(work->n, work->motion, 1);
    basis->visible_count = 0;
    for (int l = 0; l < work->n; l++) {
        if (fabs(work->motion[l]) > INVISIBLE_PARTICIPATION * whole) {
            basis->visible_count++;
        } else {
            work->motion[l] = 0.0;
        }
    }
    basis->root_inverse_mass = cblas_dnrm2(work->n, work->motion, 1);
}

/** Columns in order, signed so that the contact moves towards the obstacle. */
static void fill_basis(const reduction *work, carom_modal_basis *basis) {
    const size_t n = (size_t)work->n;
    for (size_t place = 0; place < n; place++) {
        const size_t l = (size_t)work->order[place];
        const double sign = work->motion[l] < 0.0 ? -1.0 : 1.0;
        basis->frequency[place] = sqrt(work->eigenvalue[l]);
        basis->participation[place] = fabs(work->motion[l]) / basis->root_inverse_mass;
        for (size_t i = 0; i < n; i++) {
            basis->shape[i * n + place] = sign * work->X[i * n + l];
        }
    }

    /* M B; zeros of M cost nothing. */
    memset(basis->mass_shape, 0, n * n * sizeof(double));
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < n; k++) {
            if (fabs(work->M[i * n + k]) > 0.0) {
                cblas_daxpy(work->n, work->M[i * n + k], basis->shape + k * n, 1,
                            basis->mass_shape + i * n, 1);
            }
        }
    }
}

/** Refuse a gap that a state of rest at the obstacle has no energy for: its square leaves the range
 * of numbers, within which rounding leaves all digits. */
static carom_status check_gap(const carom_modal_basis *basis, carom_report *report) {
    const double gap = fabs(basis->gap_at_rest);
    for (int l = 0; gap > 0.0 && l < basis->visible_count; l++) {
        const double z = gap * basis->frequency[l] / basis->root_inverse_mass;
        const double energy = 0.5 * z * z;
        if (!(energy >= DBL_MIN / DBL_EPSILON && energy <= DBL_MAX * DBL_EPSILON)) {
            return carom_report_refuse(report, "gap at rest", basis->gap_at_rest, -1,
                                       "where energies neither overflow nor underflow");
        }
    }
    return CAROM_OK;
}

/** Refuse frequencies whose sixth powers, or the sixth derivatives of a motion as large as the gap,
 * leave the range of numbers: the search for contacts bounds the motion by them. */
static carom_status check_frequencies(const carom_modal_basis *basis, carom_report *report) {
    const double gap = fabs(basis->gap_at_rest);
    const double length = gap > 0.0 ? gap : 1.0;
    for (int l = 0; l < basis->visible_count; l++) {
        const double square = gsl_pow_2(basis->frequency[l]);
        const double power = gsl_pow_3(square);
        const double least = fmin(power, length * power);
        const double largest = fmax(power, length * power);
        if (!(least >= DBL_MIN && largest <= DBL_MAX)) {
            return carom_report_refuse(report, "squared frequency", square, -1,
                                       "where third powers, times the gap, neither overflow nor "
                                       "underflow");
        }
    }
    return CAROM_OK;
}

/** The steps of the reduction, in memory that exists. */
static carom_status reduce(const carom_linear_system *system, reduction *work,
                           carom_modal_basis *basis, carom_report *report) {
    const carom_status status =
        carom_linear_modes_compute(work->n, work->M, work->K, work->eigenvalue, work->X);
    if (status == CAROM_STATUS_OUT_OF_MEMORY) {
        return status;
    }
    if (status != CAROM_OK) {
        return carom_report_fail(report, status, "stiffness", (double)NAN, -1);
    }
    CAROM_TRY(refuse_not_definite(work, report));
    compute_motion(system->contact_normal, work);
    gather_eigenspaces(work);
    separate_invisible(work, basis);
    if (!(basis->root_inverse_mass > 0.0 && isfinite(basis->root_inverse_mass))) {
        return carom_report_refuse(report, "contact normal", basis->root_inverse_mass, -1,
                                   "moved by a mode");
    }
    sort_modes(work);
    basis->gap_at_rest = system->gap_at_rest;
    fill_basis(work, basis);
    CAROM_TRY(check_gap(basis, report));
    return check_frequencies(basis, report);
}

carom_status carom_modal_basis_compute(const carom_linear_system *system, carom_modal_basis **out,
                                       carom_report *report) {
    CAROM_ASSERT(system != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(carom_linear_system_check(system, report));
    CAROM_AUTO(carom_modal_basis) basis = NULL;
    CAROM_AUTO_VALUE(reduction) work = {.n = 0};
    CAROM_TRY(reduction_init(system, &work));
    CAROM_TRY(basis_alloc(system->coordinate_count, &basis));
    CAROM_TRY(reduce(system, &work, basis, report));
    CAROM_HAND_OVER(basis, out);
    return CAROM_OK;
}

void carom_modal_basis_expand(const carom_modal_basis *basis, const double *state, double *position,
                              double *velocity) {
    CAROM_ASSERT(basis != NULL && state != NULL);
    const size_t n = (size_t)basis->coordinate_count;
    const size_t m = (size_t)basis->visible_count;
    for (size_t i = 0; i < n; i++) {
        const double *B_i = basis->shape + i * n;
        double u = 0.0;
        double v = 0.0;
        for (size_t l = 0; l < m; l++) {
            u += B_i[l] * (state[2 * l] / basis->frequency[l]);
            v += B_i[l] * state[2 * l + 1];
        }
        if (position != NULL) {
            position[i] = u;
        }
        if (velocity != NULL) {
            velocity[i] = v;
        }
    }
}

void carom_modal_basis_project(const carom_modal_basis *basis, const double *position,
                               const double *velocity, double *state) {
    CAROM_ASSERT(basis != NULL && position != NULL && velocity != NULL && state != NULL);
    const size_t n = (size_t)basis->coordinate_count;
    const size_t m = (size_t)basis->visible_count;
    memset(state, 0, 2 * m * sizeof *state);
    for (size_t i = 0; i < n; i++) {
        const double *row = basis->mass_shape + i * n;
        for (size_t l = 0; l < m; l++) {
            state[2 * l] += row[l] * position[i];
            state[2 * l + 1] += row[l] * velocity[i];
        }
    }
    for (size_t l = 0; l < m; l++) {
        state[2 * l] *= basis->frequency[l];
    }
}

void carom_modal_basis_rotate(const carom_modal_basis *basis, double t, double *state) {
    CAROM_ASSERT(basis != NULL && state != NULL);
    for (int l = 0; l < basis->visible_count; l++) {
        const double c = cos(basis->frequency[l] * t);
        const double s = sin(basis->frequency[l] * t);
        const double z_1 = state[2 * l];
        const double z_2 = state[2 * l + 1];
        state[2 * l] = c * z_1 + s * z_2;
        state[2 * l + 1] = c * z_2 - s * z_1;
    }
}

double carom_modal_basis_contact_displacement(const carom_modal_basis *basis, const double *state) {
    CAROM_ASSERT(basis != NULL && state != NULL);
    double sum = 0.0;
    for (int l = 0; l < basis->visible_count; l++) {
        sum += basis->participation[l] * (state[2 * l] / basis->frequency[l]);
    }
    return basis->root_inverse_mass * sum;
}

/** rho'z_2. */
static double normal_velocity(const carom_modal_basis *basis, const double *state) {
    double sum = 0.0;
    for (int l = 0; l < basis->visible_count; l++) {
        sum += basis->participation[l] * state[2 * l + 1];
    }
    return sum;
}

double carom_modal_basis_contact_velocity(const carom_modal_basis *basis, const double *state) {
    CAROM_ASSERT(basis != NULL && state != NULL);
    return basis->root_inverse_mass * normal_velocity(basis, state);
}

double carom_modal_basis_reflect(const carom_modal_basis *basis, double *state) {
    CAROM_ASSERT(basis != NULL && state != NULL);
    const double lambda = normal_velocity(basis, state);
    for (int l = 0; l < basis->visible_count; l++) {
        state[2 * l + 1] -= 2.0 * lambda * basis->participation[l];
    }
    return lambda;
}
