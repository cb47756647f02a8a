/** The statements of sections 2 to 4 about any structure, checked on many. */
#include "results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Structures: the chain and so many random ones less one; impacts per period. */
enum { STRUCTURES = 51, MOST_IMPACTS = 7 };
/** Instants at which the series of theorem 3.4 is compared with the motion. */
enum { SERIES_INSTANTS = 9 };
/** They begin at this part of a share of the period, so that none is that of an impact. */
static const double BESIDE = 0.37;

/** Identities: some hundred roundings, enlarged by the nearest of some ten thousand random
 * harmonics (T/|T - p T_l| of about 1e4). */
static const double IDENTITY = 1e-9;
/** An impact itself is a few products. */
static const double ROUNDING = 1e-13;
/** A singular value is zero, relative to the largest one: between the identities and what random
 * times give. */
static const double RANK = 1e-10;

/** What all structures say. */
typedef struct tally {
    int structures;
    double reflection; /**< N e_l - e_l and N r + r */
    double energy;
    double matrices;
    double closure;
    double speeds;
    double gaps;
    double series;
    double pfaffian;
    double odd;        /**< largest smallest singular value of Pi, k odd */
    double odd_second; /**< smallest second smallest */
    double even;       /**< smallest smallest, k even */
    bool has_dimensions;
} tally;

/** One structure with one list of flights. */
typedef struct scene {
    const oscillator *o;
    const carom_modal_basis *basis;
    int k;
    double flight_times[MOST_IMPACTS];
    double times[MOST_IMPACTS];
    double T;
    double Pi[MOST_IMPACTS * MOST_IMPACTS];
    double Sigma[MOST_IMPACTS * MOST_IMPACTS];
    double null[MOST_IMPACTS]; /**< right singular vector of the smallest singular value of Pi */
    int null_dimension;
    double *memory; /**< [8 (2m)^2 + ..], see allocate */
} scene;

/** Position and velocity energies of physical coordinates, J. */
static double energy_of(const carom_linear_system *system, const double *u, const double *v) {
    double sum = 0.0;
    const int n = system->coordinate_count;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            sum += 0.5 * v[i] * system->mass[i * n + j] * v[j];
            sum += 0.5 * u[i] * system->stiffness[i * n + j] * u[j];
        }
    }
    return sum;
}

/** Proposition 2.1 and figure 3: what the reflection does to the axes, to r and to any state. */
static void check_reflection(const carom_linear_system *system, const carom_modal_basis *basis,
                             double *memory, tally *t) {
    const int n = basis->coordinate_count;
    const int m = basis->visible_count;
    double *state = memory;
    double *u = memory + 2 * m;
    double *v = u + n;
    for (int l = 0; l <= m; l++) {
        // Axis l of the positions; after the last of them r itself.
        for (int i = 0; i < m; i++) {
            state[2 * i] = i == l ? 1.0 : 0.0;
            state[2 * i + 1] = l == m ? basis->participation[i] : 0.0;
        }
        (void)carom_modal_basis_reflect(basis, state);
        for (int i = 0; i < m; i++) {
            const double velocity = l == m ? -basis->participation[i] : 0.0;
            t->reflection = fmax(t->reflection, fabs(state[2 * i] - (i == l ? 1.0 : 0.0)));
            t->reflection = fmax(t->reflection, fabs(state[2 * i + 1] - velocity));
        }
    }
    for (int i = 0; i < m; i++) {
        state[2 * i] = cos(1.0 + i);
        state[2 * i + 1] = sin(2.0 + i);
    }
    carom_modal_basis_expand(basis, state, u, v);
    const double before = energy_of(system, u, v);
    const double speed = carom_modal_basis_contact_velocity(basis, state);
    (void)carom_modal_basis_reflect(basis, state);
    carom_modal_basis_expand(basis, state, u, v);
    t->energy = fmax(t->energy, fabs(energy_of(system, u, v) - before) / before);
    double gap_speed = 0.0;
    for (int i = 0; i < n; i++) {
        gap_speed += system->contact_normal[i] * v[i];
    }
    const double size = basis->root_inverse_mass * sqrt(2.0 * before);
    t->energy = fmax(t->energy, fabs(gap_speed - speed) / size);
}

/** Pi and Sigma from the scalar kernels (3.1c), (3.1e), against the matrices; skewness, symmetry.
 */
static void check_matrices(const scene *s, tally *t) {
    const int k = s->k;
    double Pi_size = 1.0;
    double Sigma_size = 0.0;
    double error[2] = {0.0, 0.0};
    for (int i = 0; i < k; i++) {
        for (int j = 0; j < k; j++) {
            const double shift = i == j ? 0.0 : (j > i ? s->T : -s->T);
            const double gap_shift = j >= i ? s->T : -s->T;
            const double lag = 2.0 * (s->times[j] - s->times[i]);
            const double Pi = carom_kernels_evaluate(s->basis, s->T, lag - shift).velocity;
            const double Sigma = carom_kernels_evaluate(s->basis, s->T, lag - gap_shift).gap;
            Pi_size = fmax(Pi_size, fabs(Pi));
            Sigma_size = fmax(Sigma_size, fabs(Sigma));
            error[0] = fmax(error[0], fabs(s->Pi[i * k + j] - Pi));
            error[0] = fmax(error[0], fabs(s->Pi[j * k + i] + Pi));
            error[1] = fmax(error[1], fabs(s->Sigma[i * k + j] - Sigma));
            error[1] = fmax(error[1], fabs(s->Sigma[j * k + i] - Sigma));
        }
    }
    t->matrices = fmax(t->matrices, fmax(error[0] / Pi_size, error[1] / Sigma_size));
}

/** Kernel of Pi with its dimension, and its singular values at generic times. */
static carom_status find_kernel(scene *s, bool is_generic, tally *t) {
    const int k = s->k;
    double A[MOST_IMPACTS * MOST_IMPACTS];
    double values[MOST_IMPACTS];
    double right[MOST_IMPACTS * MOST_IMPACTS];
    double work[MOST_IMPACTS * (MOST_IMPACTS + 1)];
    memcpy(A, s->Pi, (size_t)(k * k) * sizeof(double));
    CAROM_TRY(serial_oscillator_singular_values(k, k, A, values, right, work));
    // Entries of Pi are of size one; one impact and two equal flights have a Pi of zeros.
    const double size = fmax(values[0], 1.0);
    s->null_dimension = 0;
    for (int j = 0; j < k; j++) {
        s->null_dimension += values[j] < RANK * size ? 1 : 0;
        s->null[j] = right[j * k + k - 1];
    }
    if (is_generic && k % 2 == 0) {
        t->even = fmin(t->even, values[k - 1] / values[0]);
    } else if (is_generic && k > 1) {
        t->odd = fmax(t->odd, values[k - 1] / values[0]);
        t->odd_second = fmin(t->odd_second, values[k - 2] / values[0]);
    }
    return CAROM_OK;
}

/** Sub-Pfaffians against the kernel of an odd number of impacts (remark 3.1). */
static void check_pfaffian(const scene *s, tally *t) {
    const int k = s->k;
    if (k % 2 == 0 || k == 1) {
        return;
    }
    double kernel[MOST_IMPACTS];
    double norm = 0.0;
    for (int i = 0; i < k; i++) {
        const double sign = i % 2 == 0 ? 1.0 : -1.0;
        kernel[i] = sign * serial_oscillator_pfaffian(k, s->Pi, i);
        norm += kernel[i] * kernel[i];
    }
    norm = sqrt(norm);
    double product = 0.0;
    for (int i = 0; i < k; i++) {
        product += kernel[i] * s->null[i] / norm;
    }
    for (int i = 0; i < k; i++) {
        const double difference = kernel[i] / norm - (product > 0.0 ? 1.0 : -1.0) * s->null[i];
        t->pfaffian = fmax(t->pfaffian, fabs(difference));
    }
}

/** Dimension of the kernel of N S(sigma_k) .. N S(sigma_1) - I. */
static carom_status brute_dimension(const scene *s, int *dimension) {
    const int size = 2 * s->basis->visible_count;
    double *product = s->memory;
    double *values = product + size * size;
    double *work = values + size;
    double *state = work + size * (size + 1);
    for (int c = 0; c < size; c++) {
        for (int i = 0; i < size; i++) {
            state[i] = i == c ? 1.0 : 0.0;
        }
        for (int j = 0; j < s->k; j++) {
            carom_modal_basis_rotate(s->basis, s->flight_times[j], state);
            (void)carom_modal_basis_reflect(s->basis, state);
        }
        state[c] -= 1.0;
        for (int i = 0; i < size; i++) {
            product[i * size + c] = state[i];
        }
    }
    CAROM_TRY(serial_oscillator_singular_values(size, size, product, values, NULL, work));
    *dimension = 0;
    // The product is of size one; with one mode and equal flights it is the identity.
    for (int i = 0; i < size; i++) {
        *dimension += values[i] < RANK * fmax(values[0], 1.0) ? 1 : 0;
    }
    return CAROM_OK;
}

/** The state phi(lambda) of a lambda in the kernel, propagated over one period. */
static void check_motion(const scene *s, const carom_orbit *orbit, tally *t) {
    const int k = s->k;
    const int size = 2 * s->basis->visible_count;
    double *state = s->memory;
    memcpy(state, orbit->state, (size_t)size * sizeof(double));
    const double scale = sqrt(2.0 * orbit->energy);
    for (int j = 0; j < k; j++) {
        carom_modal_basis_rotate(s->basis, s->flight_times[j], state);
        double gap = 0.0;
        double gap_scale = 0.0;
        for (int i = 0; i < k; i++) {
            gap += s->Sigma[j * k + i] * orbit->lambda[i];
        }
        for (int l = 0; l < s->basis->visible_count; l++) {
            gap_scale += s->basis->participation[l] / s->basis->frequency[l];
        }
        gap_scale *= s->basis->root_inverse_mass * scale;
        // w'u = -x_c.
        const double displacement = carom_modal_basis_contact_displacement(s->basis, state);
        t->gaps = fmax(t->gaps, fabs(gap + displacement) / gap_scale);
        const double lambda = carom_modal_basis_reflect(s->basis, state);
        t->speeds = fmax(t->speeds, fabs(lambda - orbit->lambda[j]) / scale);
    }
    for (int i = 0; i < size; i++) {
        t->closure = fmax(t->closure, fabs(state[i] - orbit->state[i]) / scale);
    }
}

/** The series of theorem 3.4 against the propagated motion. */
static void check_series(const scene *s, const carom_orbit *orbit, tally *t) {
    const int n = s->basis->coordinate_count;
    double *sums = s->memory;
    double *kernels = sums + 2 * n;
    double *motion = kernels + 2 * n;
    double *state = motion + 2 * n;
    double size[2] = {0.0, 0.0};
    double error[2] = {0.0, 0.0};
    for (int instant = 0; instant < SERIES_INSTANTS; instant++) {
        const double time = s->T * (instant + BESIDE) / SERIES_INSTANTS;
        memset(sums, 0, 2 * (size_t)n * sizeof(double));
        for (int j = 0; j < s->k; j++) {
            const double shift = s->times[j] <= time ? -s->T : s->T;
            carom_kernels_shape(s->basis, s->T, 2.0 * (time - s->times[j]) + shift, kernels,
                                kernels + n);
            for (int i = 0; i < 2 * n; i++) {
                sums[i] += orbit->lambda[j] * kernels[i];
            }
        }
        carom_orbit_motion(s->basis, orbit, time, motion, motion + n, state);
        for (int i = 0; i < 2 * n; i++) {
            size[i / n] = fmax(size[i / n], fabs(motion[i]));
            error[i / n] = fmax(error[i / n], fabs(motion[i] - sums[i]));
        }
    }
    t->series = fmax(t->series, fmax(error[0] / size[0], error[1] / size[1]));
}

/** All statements about one list of flights. */
static carom_status check_scene(scene *s, bool is_generic, tally *t) {
    carom_impact_equations *equations = NULL;
    CAROM_TRY(carom_impact_equations_alloc(s->basis, s->k, &equations));
    const carom_status status =
        carom_impact_equations_matrices(equations, s->flight_times, s->Pi, s->Sigma);
    carom_impact_equations_free(equations);
    CAROM_TRY(status);
    check_matrices(s, t);
    CAROM_TRY(find_kernel(s, is_generic, t));
    int dimension = -1;
    CAROM_TRY(brute_dimension(s, &dimension));
    t->has_dimensions = t->has_dimensions && dimension == s->null_dimension;
    if (is_generic) {
        check_pfaffian(s, t);
    }
    if (s->null_dimension == 0) {
        return CAROM_OK;
    }
    carom_orbit *orbit = NULL;
    CAROM_TRY(carom_orbit_alloc(s->basis, s->k, &orbit));
    memcpy(orbit->flight_times, s->flight_times, (size_t)s->k * sizeof(double));
    memcpy(orbit->lambda, s->null, (size_t)s->k * sizeof(double));
    const carom_status completed = carom_orbit_complete(s->basis, orbit);
    if (completed == CAROM_OK) {
        check_motion(s, orbit, t);
        check_series(s, orbit, t);
    }
    carom_orbit_free(orbit);
    return completed;
}

/** All numbers of impacts of one structure: random flights, and equal ones if they are even in
 * number, which have a kernel of their own. */
static carom_status check_flights(scene *s, int number, tally *t) {
    const double mean = acos(-1.0) / s->basis->frequency[0];
    for (int k = 1; k <= MOST_IMPACTS; k++) {
        for (int equal = 0; equal <= (k % 2 == 0 ? 1 : 0); equal++) {
            s->k = k;
            s->T = 0.0;
            for (int j = 0; j < k; j++) {
                s->flight_times[j] =
                    serial_oscillator_draw_time(s->o, number, k, equal == 1 ? 0 : j, mean);
                s->T += s->flight_times[j];
                s->times[j] = s->T;
            }
            CAROM_TRY(check_scene(s, equal == 0, t));
        }
    }
    return CAROM_OK;
}

/** One structure. */
static carom_status check_structure(const oscillator *o, int number, tally *t) {
    carom_linear_system *system = NULL;
    CAROM_TRY(serial_oscillator_make_structure(o, number, &system));
    carom_modal_basis *basis = NULL;
    carom_status status = carom_modal_basis_compute(system, &basis, o->report);
    scene s = {.o = o, .basis = basis};
    if (status == CAROM_OK) {
        const size_t size = 2 * (size_t)basis->coordinate_count;
        s.memory = malloc((2 * size * size + 8 * size) * sizeof *s.memory);
        status = s.memory == NULL ? CAROM_STATUS_OUT_OF_MEMORY : CAROM_OK;
    }
    if (status == CAROM_OK) {
        check_reflection(system, basis, s.memory, t);
        status = check_flights(&s, number, t);
        t->structures++;
    }
    free(s.memory);
    carom_modal_basis_free(basis);
    carom_linear_system_free(system);
    return status;
}

/** Write the numbers and what they decide. */
static void write(const oscillator *o, const tally *t) {
    const carom_measure measures[] = {
        {"theorem_structures", t->structures, "1", "structures: the chain and random ones"},
        {"theorem_reflection_error", t->reflection, "1", "error of N on axes and r"},
        {"theorem_energy_error", t->energy, "1", "energy and contact speed across an impact"},
        {"theorem_matrix_error", t->matrices, "1", "Pi, Sigma against the kernels"},
        {"theorem_closure", t->closure, "1", "states phi(lambda) after one period"},
        {"theorem_speed_error", t->speeds, "1", "lambda against the speed before the impact"},
        {"theorem_gap_error", t->gaps, "1", "Sigma lambda against the contact's displacement"},
        {"theorem_series_error", t->series, "1", "series of theorem 3.4 against propagation"},
        {"theorem_odd_singular_value", t->odd, "1", "largest relative smallest one, k odd"},
        {"theorem_odd_second_singular_value", t->odd_second, "1", "smallest second one, k odd"},
        {"theorem_even_singular_value", t->even, "1", "smallest relative smallest one, k even"},
        {"theorem_pfaffian_error", t->pfaffian, "1", "sub-Pfaffians against the kernel of Pi"},
    };
    const carom_claim claims[] = {
        {"theorem_reflection", t->reflection < ROUNDING,
         "an impact leaves all position axes alone and reverses r"},
        {"theorem_impact_keeps_energy", t->energy < ROUNDING,
         "an impact keeps the energy and reverses the contact speed (proposition 2.1)"},
        {"theorem_matrices", t->matrices < IDENTITY, "Pi is skew, Sigma symmetric, as (3.1)"},
        {"theorem_kernel_dimensions", t->has_dimensions,
         "the kernels of the product less I and of Pi have one dimension (theorem 3.1)"},
        {"theorem_kernel_states", t->closure < IDENTITY,
         "states of kernel vectors of Pi are periodic (theorem 3.1)"},
        {"theorem_odd_kernel", t->odd < RANK && t->odd_second > RANK,
         "an odd number of impacts has a kernel of dimension one"},
        {"theorem_even_kernel", t->even > RANK, "an even number generically has none"},
        {"theorem_speeds", t->speeds < IDENTITY,
         "lambda is the speed before the impact over the root of G"},
        {"theorem_gaps", t->gaps < IDENTITY, "w'u(t_i) = (Sigma lambda)_i (theorem 3.2)"},
        {"theorem_series", t->series < IDENTITY, "the series of theorem 3.4 is the motion"},
        {"theorem_pfaffian_kernel", t->pfaffian < IDENTITY,
         "sub-Pfaffians span the kernel of an odd number of impacts (remark 3.1)"},
    };
    carom_record_measures(o->record, measures, COUNT(measures));
    carom_record_claims(o->record, claims, COUNT(claims));
}

carom_status serial_oscillator_write_theorems(const oscillator *o) {
    tally t = {.odd_second = 1.0, .even = 1.0, .has_dimensions = true};
    for (int number = 0; number < STRUCTURES; number++) {
        CAROM_TRY(check_structure(o, number, &t));
    }
    write(o, &t);
    return CAROM_OK;
}
