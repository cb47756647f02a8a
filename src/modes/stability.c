/*
 * The linearized motion over one period, as a product of rotations and rank-one saltations, and its
 * reduction to the perturbations that matter.
 *
 * In the coordinates delta = (delta z_1, delta z_2) an impact with lambda maps perturbations by
 *
 *     Y = [ I - 2 Omega rho rho' Omega^-1                       0        ]
 *         [ -(2 a / lambda) rho rho' Omega^-1          I - 2 rho rho'    ],   a = rho' Omega z_1,
 *
 * the reflection together with the change of the instant at which the contact is reached. Y and the
 * rotations are symplectic for J = [[0, Omega^-1], [-Omega^-1, 0]], and so is their product.
 */
#include <carom/base/linear_algebra.h>
#include <carom/base/vector.h>
#include <carom/modes/internal.h>
#include <carom/modes/orbit.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An impact with |lambda| below this fraction of the root of twice the energy is a graze. Orbits
 * are solved to 1e-12 of that scale, so that the terms in 1/lambda keep two digits here and none
 * soon below. */
static const double GRAZE_TOLERANCE = 1e-10;

/** A multiplier with what it is sorted by. */
typedef struct multiplier {
    double real;
    double imaginary;
    double modulus; /**< 1 exactly for all that count as neutral, so that rounding sorts nothing */
    double angle;   /**< in [-pi, pi] */
} multiplier;

struct carom_stability {
    const carom_modal_basis *basis;
    double *memory;          /**< all arrays of doubles below */
    double *state;           /**< [m][2] along the orbit */
    double *normal;          /**< [2m] h / sqrt(G), x_c = h'z */
    double *energy;          /**< [2m] z_0, gradient of the energy */
    double *flow;            /**< [2m] f = (Omega z_2, -Omega z_1) */
    double *first;           /**< [2m] unit vector of the reflection that takes h to an axis */
    double *second;          /**< [2m] that of the reflection that takes z_0 to the plane of two */
    double *product;         /**< [2m] work memory for rows */
    double *product_2;       /**< [2m] the same */
    double *map;             /**< [2m][2m] monodromy, then its reduction */
    double *reduced;         /**< [2m-2][2m-2] */
    multiplier *multipliers; /**< [2m-2] */
    gsl_eigen_nonsymm_workspace *eigen;
    gsl_vector_complex *eigenvalues; /**< [2m-2] */
};

carom_status carom_stability_alloc(const carom_modal_basis *basis, carom_stability **out) {
    CAROM_ASSERT(basis != NULL && out != NULL);
    *out = NULL;
    CAROM_AUTO(carom_stability) stability = calloc(1, sizeof *stability);
    if (stability == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    stability->basis = basis;
    const size_t size = 2 * (size_t)basis->visible_count;
    const size_t reduced = size - 2;
    stability->memory = malloc((8 * size + size * size + reduced * reduced) * sizeof(double));
    if (stability->memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double **const vectors[] = {&stability->state,   &stability->normal,   &stability->energy,
                                &stability->flow,    &stability->first,    &stability->second,
                                &stability->product, &stability->product_2};
    for (size_t i = 0; i < 8; i++) {
        *vectors[i] = stability->memory + i * size;
    }
    stability->map = stability->memory + 8 * size;
    stability->reduced = stability->map + size * size;
    if (reduced > 0) {
        stability->multipliers = malloc(reduced * sizeof(multiplier));
        stability->eigen = gsl_eigen_nonsymm_alloc(reduced);
        stability->eigenvalues = gsl_vector_complex_alloc(reduced);
        if (stability->multipliers == NULL || stability->eigen == NULL ||
            stability->eigenvalues == NULL) {
            return CAROM_STATUS_OUT_OF_MEMORY;
        }
    }
    CAROM_HAND_OVER(stability, out);
    return CAROM_OK;
}

void carom_stability_free(carom_stability *stability) {
    if (stability == NULL) {
        return;
    }
    if (stability->eigen != NULL) {
        gsl_eigen_nonsymm_free(stability->eigen);
    }
    if (stability->eigenvalues != NULL) {
        gsl_vector_complex_free(stability->eigenvalues);
    }
    free(stability->multipliers);
    free(stability->memory);
    free(stability);
}

static void fill_with_nan(int n, double *x) {
    for (int i = 0; i < n; i++) {
        x[i] = NAN;
    }
}

/** y += alpha x for rows [n]. */
static void add_row(int n, double alpha, const double *x, double *y) {
    for (int c = 0; c < n; c++) {
        y[c] += alpha * x[c];
    }
}

/** Whether every impact has a speed; not so with NaN. */
static bool has_only_impacts(const carom_orbit *orbit) {
    const double least = GRAZE_TOLERANCE * sqrt(2.0 * orbit->energy);
    for (int j = 0; j < orbit->impact_count; j++) {
        if (!(fabs(orbit->lambda[j]) > least)) {
            return false;
        }
    }
    return true;
}

/** Phi <- S(t) Phi: free flight turns the rows of each mode by its phase. */
static void rotate_rows(const carom_modal_basis *basis, double t, double *Phi) {
    const int m = basis->visible_count;
    const int size = 2 * m;
    for (int l = 0; l < m; l++) {
        const double cosine = cos(basis->frequency[l] * t);
        const double sine = sin(basis->frequency[l] * t);
        double *upper = Phi + l * size;
        double *lower = Phi + (l + m) * size;
        for (int c = 0; c < size; c++) {
            const double position = upper[c];
            const double velocity = lower[c];
            upper[c] = cosine * position + sine * velocity;
            lower[c] = cosine * velocity - sine * position;
        }
    }
}

/** Phi <- Y Phi at an impact with a/lambda = stiffening: two products of rows decide it. */
static void impact_rows(carom_stability *stability, double stiffening, double *Phi) {
    const carom_modal_basis *basis = stability->basis;
    const int m = basis->visible_count;
    const int size = 2 * m;
    double *delay = stability->product;      /* rho' Omega^-1 delta z_1 */
    double *velocity = stability->product_2; /* rho' delta z_2 + (a/lambda) delay */
    memset(delay, 0, (size_t)size * sizeof *delay);
    memset(velocity, 0, (size_t)size * sizeof *velocity);
    for (int l = 0; l < m; l++) {
        const double rho = basis->participation[l];
        add_row(size, rho / basis->frequency[l], Phi + l * size, delay);
        add_row(size, rho, Phi + (l + m) * size, velocity);
    }
    add_row(size, stiffening, delay, velocity);
    for (int l = 0; l < m; l++) {
        const double rho = basis->participation[l];
        add_row(size, -2.0 * rho * basis->frequency[l], delay, Phi + l * size);
        add_row(size, -2.0 * rho, velocity, Phi + (l + m) * size);
    }
}

/*[stabilityMonodromy]*/
carom_status carom_stability_monodromy(carom_stability *stability, const carom_orbit *orbit,
                                       double *Phi) {
    CAROM_ASSERT(stability != NULL && orbit != NULL && Phi != NULL);
    const carom_modal_basis *basis = stability->basis;
    const int m = basis->visible_count;
    const int size = 2 * m;
    CAROM_ASSERT(orbit->mode_count == m);
    if (!has_only_impacts(orbit)) {
        fill_with_nan(size * size, Phi);
        return CAROM_STATUS_SINGULAR;
    }
    /* Phi = Y_k S(sigma_k) ... Y_1 S(sigma_1), along with the motion itself */
    memset(Phi, 0, (size_t)(size * size) * sizeof *Phi);
    for (int i = 0; i < size; i++) {
        Phi[i * (size + 1)] = 1.0;
    }
    double *z = stability->state;
    memcpy(z, orbit->state, (size_t)size * sizeof *z);
    for (int j = 0; j < orbit->impact_count; j++) {
        rotate_rows(basis, orbit->flight_times[j], Phi);
        carom_modal_basis_rotate(basis, orbit->flight_times[j], z);
        double a = 0.0;
        for (int l = 0; l < m; l++) {
            a += basis->participation[l] * basis->frequency[l] * z[2 * l];
        }
        impact_rows(stability, a / orbit->lambda[j], Phi);
        for (int l = 0; l < m; l++) {
            z[2 * l + 1] -= 2.0 * orbit->lambda[j] * basis->participation[l];
        }
    }
    return CAROM_OK;
}
/*[end stabilityMonodromy]*/

/** The unit vector v whose reflection I - 2vv' takes x [n], from entry `axis` on, to that axis. */
static void reflection_of(int n, int axis, const double *x, double *v) {
    double norm = 0.0;
    for (int i = 0; i < n; i++) {
        v[i] = i < axis ? 0.0 : x[i];
        norm = hypot(norm, v[i]);
    }
    v[axis] += copysign(norm, x[axis]);
    const double length = sqrt(2.0 * norm * fabs(v[axis]));
    for (int i = axis; i < n; i++) {
        v[i] /= length;
    }
}

/** x <- (I - 2vv') x. */
static void reflect(int n, const double *v, double *x) {
    add_row(n, -2.0 * carom_vector_dot(n, v, x), v, x);
}

/** M <- (I - 2vv') M (I - 2vv') for M [n][n], with work memory [n]. */
static void reflect_map(int n, const double *v, double *M, double *work) {
    memset(work, 0, (size_t)n * sizeof *work);
    for (int i = 0; i < n; i++) {
        add_row(n, v[i], M + i * n, work);
    }
    for (int i = 0; i < n; i++) {
        double *row = M + i * n;
        add_row(n, -2.0 * v[i], work, row);
        reflect(n, v, row);
    }
}

/** The section's normal, the energy's gradient, the flow, and the two reflections they define. */
static void prepare_section(carom_stability *stability, const carom_orbit *orbit) {
    const carom_modal_basis *basis = stability->basis;
    const int m = basis->visible_count;
    for (int l = 0; l < m; l++) {
        const double omega = basis->frequency[l];
        const double z_1 = orbit->state[2 * l];
        const double z_2 = orbit->state[2 * l + 1];
        stability->normal[l] = basis->participation[l] / omega;
        stability->normal[l + m] = 0.0;
        stability->energy[l] = z_1;
        stability->energy[l + m] = z_2;
        stability->flow[l] = omega * z_2;
        stability->flow[l + m] = -omega * z_1;
    }
    const int size = 2 * m;
    reflection_of(size, 0, stability->normal, stability->first);
    double *turned = stability->product;
    memcpy(turned, stability->energy, (size_t)size * sizeof *turned);
    reflect(size, stability->first, turned);
    reflection_of(size, 1, turned, stability->second);
}

/** Columns 3..2m of the product of both reflections: the orthonormal basis of the section. */
static void write_basis(carom_stability *stability, double *basis) {
    const int size = 2 * stability->basis->visible_count;
    double *column = stability->product;
    for (int c = 2; c < size; c++) {
        memset(column, 0, (size_t)size * sizeof *column);
        column[c] = 1.0;
        reflect(size, stability->second, column);
        reflect(size, stability->first, column);
        for (int i = 0; i < size; i++) {
            basis[i * (size - 2) + c - 2] = column[i];
        }
    }
}

/*[stabilityReturnMap]*/
carom_status carom_stability_return_map(carom_stability *stability, const carom_orbit *orbit,
                                        double *R, double *basis) {
    CAROM_ASSERT(stability != NULL && orbit != NULL);
    const int size = 2 * stability->basis->visible_count;
    const int reduced = size - 2;
    double *map = stability->map;
    const carom_status status = carom_stability_monodromy(stability, orbit, map);
    if (status != CAROM_OK) {
        fill_with_nan(reduced * reduced, R);
        fill_with_nan(basis != NULL ? size * reduced : 0, basis);
        return status;
    }
    prepare_section(stability, orbit);
    /* back to the section along the flow: (I - f h'/(h'f)) Phi */
    double *displacement = stability->product;
    memset(displacement, 0, (size_t)size * sizeof *displacement);
    for (int i = 0; i < size; i++) {
        add_row(size, stability->normal[i], map + i * size, displacement);
    }
    const double speed = carom_vector_dot(size, stability->normal, stability->flow);
    for (int i = 0; i < size; i++) {
        add_row(size, -stability->flow[i] / speed, displacement, map + i * size);
    }
    /* in the coordinates that the two reflections leave on section and energy level */
    reflect_map(size, stability->first, map, stability->product);
    reflect_map(size, stability->second, map, stability->product);
    for (int i = 0; i < reduced; i++) {
        memcpy(R + i * reduced, map + (i + 2) * size + 2, (size_t)reduced * sizeof *R);
    }
    if (basis != NULL) {
        write_basis(stability, basis);
    }
    return CAROM_OK;
}
/*[end stabilityReturnMap]*/

/** The eigenvalue of R as a multiplier. */
static multiplier multiplier_of(gsl_complex mu) {
    multiplier one = {.real = GSL_REAL(mu), .imaginary = GSL_IMAG(mu)};
    one.modulus = hypot(one.real, one.imaginary);
    if (fabs(one.modulus - 1.0) <= CAROM_STABILITY_TOLERANCE) {
        one.modulus = 1.0;
    }
    one.angle = atan2(one.imaginary, one.real);
    return one;
}

/** Whether a comes before b: by falling modulus, then by rising angle. */
static bool comes_before(const multiplier *a, const multiplier *b) {
    if (a->modulus > b->modulus || a->modulus < b->modulus) {
        return a->modulus > b->modulus;
    }
    return a->angle < b->angle;
}

/** Eigenvalues of R into the sorted list of multipliers, by insertion. */
static carom_status visible_multipliers(carom_stability *stability, const carom_orbit *orbit) {
    const int count = 2 * stability->basis->visible_count - 2;
    CAROM_TRY(carom_stability_return_map(stability, orbit, stability->reduced, NULL));
    gsl_matrix_view R = gsl_matrix_view_array(stability->reduced, (size_t)count, (size_t)count);
    CAROM_TRY(carom_eigenvalues_compute(&R.matrix, stability->eigenvalues, stability->eigen));
    multiplier *list = stability->multipliers;
    for (int i = 0; i < count; i++) {
        const multiplier one =
            multiplier_of(gsl_vector_complex_get(stability->eigenvalues, (size_t)i));
        if (!isfinite(one.modulus)) {
            return CAROM_STATUS_NOT_CONVERGED;
        }
        int place = i;
        for (; place > 0 && comes_before(&one, &list[place - 1]); place--) {
            list[place] = list[place - 1];
        }
        list[place] = one;
    }
    return CAROM_OK;
}

carom_status carom_stability_multipliers(carom_stability *stability, const carom_orbit *orbit,
                                         double *multipliers, double *spectral_radius) {
    CAROM_ASSERT(stability != NULL && orbit != NULL && spectral_radius != NULL);
    const carom_modal_basis *basis = stability->basis;
    const int count = 2 * basis->visible_count - 2;
    const int total = 2 * basis->coordinate_count - 2;
    CAROM_ASSERT(orbit->mode_count == basis->visible_count);
    fill_with_nan(multipliers != NULL ? 2 * total : 0, multipliers);
    *spectral_radius = NAN;
    if (!has_only_impacts(orbit)) {
        return CAROM_STATUS_SINGULAR;
    }
    if (count > 0) {
        CAROM_TRY(visible_multipliers(stability, orbit));
    }
    /* never below 1: what rounding takes from neutral multipliers is given back */
    *spectral_radius = 1.0;
    for (int i = 0; i < count; i++) {
        const multiplier *one = &stability->multipliers[i];
        *spectral_radius = fmax(*spectral_radius, hypot(one->real, one->imaginary));
        if (multipliers != NULL) {
            multipliers[2 * i] = one->real;
            multipliers[2 * i + 1] = one->imaginary;
        }
    }
    /* invisible modes turn freely */
    for (int l = basis->visible_count; multipliers != NULL && l < basis->coordinate_count; l++) {
        double *pair = multipliers + 4 * (l - 1);
        pair[0] = cos(basis->frequency[l] * orbit->period);
        pair[1] = sin(basis->frequency[l] * orbit->period);
        pair[2] = pair[0];
        pair[3] = -pair[1];
    }
    return CAROM_OK;
}

bool carom_stability_is_neutral(double spectral_radius) {
    return spectral_radius <= 1.0 + CAROM_STABILITY_TOLERANCE;
}
