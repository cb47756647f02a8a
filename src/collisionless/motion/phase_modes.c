#include <carom/collisionless/motion/collisionless_motion.h>
#include <carom/collisionless/motion/internal.h>
#include <carom/mechanism/linear_system.h>
#include <carom/modes/internal.h>

#include <float.h>
#include <gsl/gsl_cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------------------------------- memory */

carom_status carom_phase_modes_alloc(int n, int N, carom_phase_modes **out) {
    CAROM_ASSERT(n >= N && N >= 2);
    *out = NULL;
    const size_t rows = (size_t)n;
    const size_t columns = (size_t)N;
    CAROM_AUTO(carom_phase_modes) modes = calloc(1, sizeof *modes);
    if (modes == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    modes->coordinate_count = n;
    modes->decoupled_count = n - N;
    modes->shape = malloc(rows * columns * sizeof(double));
    modes->constrained_shape = malloc(rows * (columns - 1) * sizeof(double));
    modes->participation = malloc(columns * sizeof(double));
    modes->static_shape = malloc(rows * sizeof(double));
    CAROM_TRY(carom_phase_spectra_alloc(N, &modes->spectra));
    if (modes->shape == NULL || modes->constrained_shape == NULL || modes->participation == NULL ||
        modes->static_shape == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_HAND_OVER(modes, out);
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

/* ------------------------------------------------------------------------------------ the modes */

/**
 * Motion of the contact, relative to that of all modes together, below which a mode is decoupled.
 * Entries rounded to eps mix modes by eps times the largest eigenvalue over the distance of theirs:
 * room for distances of 1e-4. What is dropped enters all equations squared, below 1e-24.
 */
static const double DECOUPLED_MOTION = 1e-12;

/** The modes on their way: first all n, then the coupled ones in front. */
typedef struct reduction {
    int n;
    int coupled_count;
    carom_linear_system *system; /**< copies of mass and stiffness, made symmetric */
    double *V;                   /**< [n][n] modes in columns, V'm V = 1, kg^-1/2 */
    double *eigenvalue;          /**< [n] lambda ascending, 1/s2 */
    double *motion;              /**< [n] last row of V, >= 0, kg^-1/2 */
    double *scratch;             /**< [n] part of a mode in its eigenspace, then weights */
    carom_secular_root *roots;   /**< [n] constrained eigenvalues */
    double inverse_mass;         /**< V_N V_N', 1/kg */
} reduction;

static void reduction_clear(reduction *work) {
    carom_linear_system_free(work->system);
    free(work->V);
    free(work->eigenvalue);
    free(work->motion);
    free(work->scratch);
    free(work->roots);
}

/** On failure the caller frees what there is. */
static carom_status reduction_init(int n, reduction *work) {
    const size_t size = (size_t)n;
    work->n = n;
    CAROM_TRY(carom_linear_system_alloc(n, &work->system));
    work->V = malloc(size * size * sizeof(double));
    work->eigenvalue = malloc(size * sizeof(double));
    work->motion = calloc(size, sizeof(double));
    work->scratch = malloc(size * sizeof(double));
    work->roots = malloc(size * sizeof(carom_secular_root));
    if (work->V == NULL || work->eigenvalue == NULL || work->motion == NULL ||
        work->scratch == NULL || work->roots == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    return CAROM_OK;
}

/** The mean of A and its transpose. */
static void make_symmetric(size_t n, double *A) {
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            const double mean = 0.5 * A[i * n + j] + 0.5 * A[j * n + i];
            A[i * n + j] = mean;
            A[j * n + i] = mean;
        }
    }
}

/** Copies of the matrices, checked and made symmetric: x_N is the gap of a linear system. */
static carom_status read_matrices(const double *mass, const double *stiffness, reduction *work,
                                  carom_report *report) {
    const size_t n = (size_t)work->n;
    memcpy(work->system->mass, mass, n * n * sizeof(double));
    memcpy(work->system->stiffness, stiffness, n * n * sizeof(double));
    work->system->contact_normal[n - 1] = 1.0;
    CAROM_TRY(carom_linear_system_check(work->system, report));
    make_symmetric(n, work->system->mass);
    make_symmetric(n, work->system->stiffness);
    return CAROM_OK;
}

/** All modes; eigenvalues within rounding of zero are zero. */
static carom_status compute_modes(reduction *work, carom_report *report) {
    const carom_status status = carom_linear_modes_compute(
        work->n, work->system->mass, work->system->stiffness, work->eigenvalue, work->V);
    if (status == CAROM_STATUS_OUT_OF_MEMORY) {
        return status;
    }
    if (status != CAROM_OK) {
        return carom_report_fail(report, status, "stiffness", (double)NAN, -1);
    }
    const double resolution = carom_linear_modes_resolution(work->n, work->eigenvalue);
    for (int l = 0; l < work->n; l++) {
        if (fabs(work->eigenvalue[l]) <= resolution) {
            work->eigenvalue[l] = 0.0;
        }
    }
    return CAROM_OK;
}

/** End of the eigenspace that begins with a mode: eigenvalues equal within rounding. */
static int eigenspace_end(const reduction *work, int first, double resolution) {
    int end = first + 1;
    while (end < work->n && fabs(work->eigenvalue[end] - work->eigenvalue[end - 1]) <= resolution) {
        end++;
    }
    return end;
}

/**
 * The one mode of an eigenspace that moves the contact, sum_l V_l V_Nl/|V_N|, put into a column in
 * front; the others are at right angles to it and stay at rest. Its eigenvalue is the mean of equal
 * ones.
 */
static void gather_motion(int first, int count, double norm, int column, reduction *work) {
    const size_t n = (size_t)work->n;
    double *part = work->scratch;
    const double base = work->eigenvalue[first];
    double difference = 0.0;
    for (int l = 0; l < count; l++) {
        part[l] = work->V[(n - 1) * n + (size_t)(first + l)] / norm;
        difference += part[l] * part[l] * (work->eigenvalue[first + l] - base);
    }
    work->eigenvalue[column] = base + difference;
    work->motion[column] = norm;
    for (size_t a = 0; a < n; a++) {
        double *row = work->V + a * n;
        row[column] = cblas_ddot(count, row + first, 1, part, 1);
    }
}

/** One mode for each eigenspace that moves the contact. */
static void gather_eigenspaces(reduction *work) {
    const double resolution = carom_linear_modes_resolution(work->n, work->eigenvalue);
    const double *V_N = work->V + (size_t)(work->n - 1) * (size_t)work->n;
    const double whole = cblas_dnrm2(work->n, V_N, 1);
    work->inverse_mass = whole * whole;
    work->coupled_count = 0;
    int end;
    for (int first = 0; first < work->n; first = end) {
        end = eigenspace_end(work, first, resolution);
        const double norm = cblas_dnrm2(end - first, V_N + first, 1);
        if (norm > DECOUPLED_MOTION * whole) {
            gather_motion(first, end - first, norm, work->coupled_count, work);
            work->coupled_count++;
        }
    }
}

/** Take one mode out of the coupled ones. */
static void remove_mode(int mode, reduction *work) {
    const size_t n = (size_t)work->n;
    const size_t place = (size_t)mode;
    const size_t following = (size_t)(work->coupled_count - mode - 1);
    memmove(work->eigenvalue + place, work->eigenvalue + place + 1, following * sizeof(double));
    memmove(work->motion + place, work->motion + place + 1, following * sizeof(double));
    for (size_t a = 0; a < n; a++) {
        double *row = work->V + a * n + place;
        memmove(row, row + 1, following * sizeof(double));
    }
    work->coupled_count--;
}

/** The constrained eigenvalues of the coupled modes. */
static carom_status solve_secular_equation(reduction *work, carom_report *report) {
    if (work->coupled_count < 2) {
        return carom_report_refuse(report, "modes coupled to the contact",
                                   (double)work->coupled_count, -1, "at least 2");
    }
    for (int i = 0; i < work->coupled_count; i++) {
        work->scratch[i] = work->motion[i] * (work->motion[i] / work->inverse_mass);
    }
    const carom_status status = carom_secular_equation_solve(work->coupled_count, work->eigenvalue,
                                                             work->scratch, work->roots);
    if (status == CAROM_STATUS_NOT_CONVERGED) {
        return carom_report_fail(report, status, "constrained spectrum", (double)NAN, -1);
    }
    return status;
}

/** The largest mode that a constrained eigenvalue meets to rounding, -1 if there is none. */
static int last_met_mode(const reduction *work) {
    const int N = work->coupled_count;
    const double largest = fmax(fabs(work->eigenvalue[0]), fabs(work->eigenvalue[N - 1]));
    int met = -1;
    for (int j = 0; j + 1 < N; j++) {
        if (fabs(work->roots[j].offset) <= DBL_EPSILON * largest) {
            met = work->roots[j].pole;
        }
    }
    return met;
}

/**
 * Constrained eigenvalues, after the modes have been left out that move the contact so little that
 * their eigenvalue and the constrained one next to it are one number.
 */
static carom_status separate_coupled(reduction *work, carom_report *report) {
    gather_eigenspaces(work);
    CAROM_TRY(solve_secular_equation(work, report));
    for (int met = last_met_mode(work); met >= 0; met = last_met_mode(work)) {
        remove_mode(met, work);
        CAROM_TRY(solve_secular_equation(work, report));
    }
    return CAROM_OK;
}

static void fill_spectra(const reduction *work, carom_parity unconstrained_parity,
                         carom_parity constrained_parity, carom_phase_spectra *spectra) {
    for (int i = 0; i < work->coupled_count; i++) {
        spectra->unconstrained[i] = work->eigenvalue[i];
        spectra->unconstrained_parity[i] = unconstrained_parity;
    }
    for (int j = 0; j + 1 < work->coupled_count; j++) {
        const carom_secular_root root = work->roots[j];
        const double pole = work->eigenvalue[root.pole];
        spectra->constrained[j] = pole + root.offset;
        /* Exact: the sum lies nearer to the pole than to zero wherever the rest matters. */
        spectra->constrained_rest[j] = root.offset - (spectra->constrained[j] - pole);
        spectra->constrained_parity[j] = constrained_parity;
    }
}

/** X = V/V_NN, c = V_NN2, eta = X_N2. */
static void fill_shape(const reduction *work, carom_phase_modes *modes) {
    const size_t n = (size_t)work->n;
    const size_t N = (size_t)work->coupled_count;
    const double V_NN = work->motion[N - 1];
    modes->inverse_mass = work->inverse_mass;
    modes->normalisation = V_NN * V_NN;
    for (size_t i = 0; i < N; i++) {
        for (size_t a = 0; a + 1 < n; a++) {
            modes->shape[a * N + i] = work->V[a * n + i] / V_NN;
        }
        const double X_Ni = work->motion[i] / V_NN;
        modes->shape[(n - 1) * N + i] = X_Ni;
        modes->participation[i] = X_Ni * X_Ni;
    }
}

/** X' = X.X_N M, with M from the offsets; the contact rests (9). */
static void fill_constrained_shape(const reduction *work, carom_phase_modes *modes) {
    const size_t n = (size_t)work->n;
    const size_t N = (size_t)work->coupled_count;
    const double *X_N = modes->shape + (n - 1) * N;
    for (size_t j = 0; j + 1 < N; j++) {
        const carom_secular_root root = work->roots[j];
        for (size_t a = 0; a < n; a++) {
            const double *X_a = modes->shape + a * N;
            double sum = 0.0;
            for (size_t i = 0; i < N && a + 1 < n; i++) {
                const double difference = work->eigenvalue[i] - work->eigenvalue[root.pole];
                sum += X_a[i] * X_N[i] / (difference - root.offset);
            }
            modes->constrained_shape[a * (N - 1) + j] = sum;
        }
    }
}

/** (k^-1)^N = c X (X_N/lambda), NaN if a coupled mode is free. */
static void fill_statics(const reduction *work, carom_phase_modes *modes) {
    const size_t n = (size_t)work->n;
    const size_t N = (size_t)work->coupled_count;
    const double *X_N = modes->shape + (n - 1) * N;
    for (size_t i = 0; i < N; i++) {
        // Zero exactly: set where it was within rounding of it.
        modes->is_stiffness_singular |= !(fabs(work->eigenvalue[i]) > 0.0);
    }
    for (size_t a = 0; a < n; a++) {
        double sum = 0.0;
        for (size_t i = 0; i < N && !modes->is_stiffness_singular; i++) {
            sum += modes->shape[a * N + i] * X_N[i] / work->eigenvalue[i];
        }
        modes->static_shape[a] =
            modes->is_stiffness_singular ? (double)NAN : modes->normalisation * sum;
    }
    modes->compliance = modes->static_shape[n - 1];
}

/** Refuse what is neither even nor odd. */
static carom_status check_parity(const char *name, carom_parity parity, carom_report *report) {
    return parity == CAROM_PARITY_EVEN || parity == CAROM_PARITY_ODD
               ? CAROM_OK
               : carom_report_refuse(report, name, (double)parity, -1, "even or odd");
}

carom_status carom_phase_modes_compute(int n, const double *mass, const double *stiffness,
                                       carom_parity unconstrained_parity,
                                       carom_parity constrained_parity, carom_phase_modes **out,
                                       carom_report *report) {
    CAROM_ASSERT(mass != NULL && stiffness != NULL && out != NULL);
    *out = NULL;
    if (n < 2) {
        return carom_report_refuse(report, "coordinates", (double)n, -1, "at least 2");
    }
    CAROM_TRY(check_parity("parity", unconstrained_parity, report));
    CAROM_TRY(check_parity("constrained parity", constrained_parity, report));
    CAROM_AUTO_VALUE(reduction) work = {.n = 0};
    CAROM_TRY(reduction_init(n, &work));
    CAROM_TRY(read_matrices(mass, stiffness, &work, report));
    CAROM_TRY(compute_modes(&work, report));
    CAROM_TRY(separate_coupled(&work, report));
    CAROM_TRY(carom_phase_modes_alloc(n, work.coupled_count, out));
    carom_phase_modes *modes = *out;
    fill_spectra(&work, unconstrained_parity, constrained_parity, modes->spectra);
    fill_shape(&work, modes);
    fill_constrained_shape(&work, modes);
    fill_statics(&work, modes);
    return CAROM_OK;
}
