/** Spectral radii: the vibration modes of the bar are oscillators of their own while it is free,
 * and a step multiplies the state of one by a matrix that depends on Omega = omega h alone. The
 * matrix is found from steps of the scheme, its spectral radius is what is left of the amplitude.
 */
#include "dissipation.h"

#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_linalg.h>

#include <math.h>

/** Four frequencies to the decade, from a sixtieth of a vibration in a step to 160 of them. */
enum { FREQUENCIES = 17, TO_THE_DECADE = 4 };
static const double LOWEST = 0.1;

/** Entries of a state: position, velocity, pseudo-acceleration. */
enum { STATE = 3 };

/** The last pivot of states that depend on each other, of entries of one: the root of rounding. */
static const double DEPENDENT = 1.5e-8;

/* q'' = -Omega^2 q with h = 1; the context is Omega^2. */

static void unit_mass(const double *q, double *M, void *context) {
    (void)q;
    (void)context;
    M[0] = 1.0;
}

static void spring_force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    (void)v;
    f[0] = -*(const double *)context * q[0];
}

static void spring_stiffness(double t, const double *q, const double *v, double *K, void *context) {
    (void)t;
    (void)q;
    (void)v;
    K[0] = *(const double *)context;
}

static double spring_energy(const double *q, void *context) {
    return 0.5 * *(const double *)context * q[0] * q[0];
}

static carom_mechanism oscillator(double *stiffness) {
    return (carom_mechanism){
        .name = "oscillator",
        .coordinate_count = 1,
        .layout = carom_layout_full(1),
        .is_linear = true,
        .position_units = "m",
        .velocity_units = "m s-1",
        .mass = unit_mass,
        .force = spring_force,
        .stiffness = spring_stiffness,
        .potential_energy = spring_energy,
        .context = stiffness,
    };
}

/** (q, v / Omega, a / Omega^2), all of one size. */
static void keep_state(carom_stepper *stepper, double Omega, double state[STATE]) {
    const carom_step *step = carom_stepper_result(stepper);
    state[0] = step->position[0];
    state[1] = step->velocity[0] / Omega;
    state[2] = step->pseudo_acceleration[0] / (Omega * Omega);
}

/** States before and after the first two steps from (q, v), as rows. */
static carom_status two_steps(const carom_mechanism *mechanism, const carom_stepper_params *params,
                              double Omega, double q, double v, double before[2][STATE],
                              double after[2][STATE]) {
    CAROM_AUTO(carom_stepper) stepper = NULL;
    CAROM_TRY(carom_stepper_alloc(mechanism, params, &stepper, NULL));
    CAROM_TRY(carom_stepper_start(stepper, 0.0, &q, &v, NULL));
    for (int i = 0; i < 2; i++) {
        keep_state(stepper, Omega, before[i]);
        CAROM_TRY(carom_stepper_advance(stepper, NULL));
        keep_state(stepper, Omega, after[i]);
    }
    return CAROM_OK;
}

/** Largest modulus of the eigenvalues of T, before T' = after with `size` states as rows; NaN if
 * the states depend on each other. */
static carom_status largest_eigenvalue(int size, double before[][STATE], double after[][STATE],
                                       double *radius) {
    const size_t n = (size_t)size;
    gsl_matrix_view left = gsl_matrix_view_array_with_tda(before[0], n, n, STATE);
    gsl_matrix_view right = gsl_matrix_view_array_with_tda(after[0], n, n, STATE);
    size_t places[STATE];
    gsl_permutation permutation = {n, places};
    int sign = 0;
    bool is_known = gsl_linalg_LU_decomp(&left.matrix, &permutation, &sign) == GSL_SUCCESS &&
                    fabs(gsl_matrix_get(&left.matrix, n - 1, n - 1)) > DEPENDENT;
    for (size_t j = 0; j < n && is_known; j++) {
        gsl_vector_view column = gsl_matrix_column(&right.matrix, j);
        is_known = gsl_linalg_LU_svx(&left.matrix, &permutation, &column.vector) == GSL_SUCCESS;
    }
    double numbers[2 * STATE];
    gsl_vector_complex_view values = gsl_vector_complex_view_array(numbers, n);
    gsl_eigen_nonsymm_workspace *work = gsl_eigen_nonsymm_alloc(n);
    if (work == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    gsl_eigen_nonsymm_params(0, 1, work);
    is_known = is_known && gsl_eigen_nonsymm(&right.matrix, &values.vector, work) == GSL_SUCCESS;
    gsl_eigen_nonsymm_free(work);
    *radius = is_known ? 0.0 : (double)NAN;
    for (size_t i = 0; i < n && is_known; i++) {
        *radius = fmax(*radius, hypot(numbers[2 * i], numbers[2 * i + 1]));
    }
    return CAROM_OK;
}

/** Spectral radius of a scheme at Omega, from two steps of a displacement and two of a push; what
 * Moreau-Jean keeps is position and velocity. */
/*[elasticBarRadius]*/
static carom_status spectral_radius(carom_stepper_params params, double Omega, double *radius) {
    double stiffness = Omega * Omega;
    double before[4][STATE];
    double after[4][STATE];
    const carom_mechanism mechanism = oscillator(&stiffness);
    params.step = 1.0;
    CAROM_TRY(two_steps(&mechanism, &params, Omega, 1.0, 0.0, before, after));
    CAROM_TRY(two_steps(&mechanism, &params, Omega, 0.0, Omega, before + 2, after + 2));
    return largest_eigenvalue(params.scheme == CAROM_SCHEME_MOREAU_JEAN ? 2 : 3, before, after,
                              radius);
}
/*[end elasticBarRadius]*/

carom_status elastic_bar_write_dissipation(const carom_scheme_options *schemes,
                                           carom_record *record) {
    static const carom_scheme compared[] = {CAROM_SCHEME_NONSMOOTH_GALPHA, CAROM_SCHEME_MOREAU_JEAN,
                                            CAROM_SCHEME_SMOOTH_GALPHA};
    double frequency[FREQUENCIES];
    for (int i = 0; i < FREQUENCIES; i++) {
        frequency[i] = LOWEST * pow(10.0, (double)i / TO_THE_DECADE);
    }
    carom_record group = carom_record_group(record, "/dissipation");
    carom_record_axis(&group, "frequency", FREQUENCIES, frequency, "1",
                      "angular frequency of a vibration times the step, Omega");
    for (size_t k = 0; k < sizeof compared / sizeof compared[0]; k++) {
        if (!carom_scheme_options_selects(schemes, compared[k])) {
            continue;
        }
        const carom_stepper_params params = carom_scheme_options_params(schemes, compared[k]);
        double radius[FREQUENCIES];
        for (int i = 0; i < FREQUENCIES; i++) {
            radius[i] = (double)NAN;
            const carom_status status = spectral_radius(params, frequency[i], &radius[i]);
            CAROM_TRY(status == CAROM_STATUS_OUT_OF_MEMORY ? status : CAROM_OK);
        }
        carom_record_series(&group, carom_scheme_name(compared[k]), radius, "frequency", NULL, "1",
                            "spectral radius of a step; NaN: not found, as the one of "
                            "generalized-alpha where nothing is dissipated");
    }
    return CAROM_OK;
}
