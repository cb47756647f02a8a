/*
 * carom/modes/orbit_search.h: what is found on the paper's chain is propagated again in physical
 * coordinates by matrix exponentials, compared with the admissible periods and the families of two
 * impacts that are known, with closed forms for one mass, and byte by byte between threads.
 */
#include <carom/modes/orbit_search.h>
#include <carom/modes/orbit_search_internal.h>

#include <carom/models/serial_chain.h>
#include <carom/modes/impact_equations.h>
#include <carom/modes/internal.h>
#include <carom/modes/modal_basis.h>

#include "../failing_malloc.h"
#include "../support.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <string.h>

static const unsigned long SEED = 16108151;

/** The search accepts motions that events bring back to 1e-9; so are they judged here. */
static const double CLOSURE = 1e-9;

/** The paper's chain and its modes. */
typedef struct chain {
    carom_linear_system *system;
    carom_modal_basis *basis;
} chain;

static chain chain_alloc(int n, double gap_at_rest) {
    chain c;
    assert_ok(carom_serial_chain_uniform_alloc(n, gap_at_rest, &c.system, NULL));
    assert_ok(carom_modal_basis_compute(c.system, &c.basis, NULL));
    return c;
}

static void chain_free(chain c) {
    carom_modal_basis_free(c.basis);
    carom_linear_system_free(c.system);
}

/** Search with some number of guesses, repetitions kept, all else as given or default. */
static carom_orbit_list *search(const carom_modal_basis *basis, int k, int starts,
                                double max_period, unsigned long seed) {
    carom_orbit_search_params params = carom_orbit_search_params_default(k, max_period);
    params.start_count = starts;
    params.seed = seed;
    params.keep_repeats = true;
    carom_orbit_list *list;
    assert_ok(carom_orbit_search(basis, &params, NULL, NULL, &list, NULL));
    return list;
}

/* -------------------------------------------- an independent route, in physical coordinates */

/** x' = A x with x = (u, v), A = [[0, I], [-M^-1 K, 0]]; M of the chain is diagonal. */
static gsl_matrix *flight_matrix(const carom_linear_system *system, double t) {
    const int n = system->coordinate_count;
    const size_t size = (size_t)n;
    gsl_matrix *A = gsl_matrix_calloc(2 * size, 2 * size);
    gsl_matrix *exponential = gsl_matrix_alloc(2 * size, 2 * size);
    for (int i = 0; i < n; i++) {
        gsl_matrix_set(A, (size_t)i, size + (size_t)i, t);
        for (int j = 0; j < n; j++) {
            const double rate = system->stiffness[i * n + j] / system->mass[i * n + i];
            gsl_matrix_set(A, size + (size_t)i, (size_t)j, -rate * t);
        }
    }
    ck_assert_int_eq(gsl_linalg_exponential_ss(A, exponential, GSL_PREC_DOUBLE), GSL_SUCCESS);
    gsl_matrix_free(A);
    return exponential;
}

/** x <- E x. */
static void apply(const gsl_matrix *E, gsl_vector *x, gsl_vector *scratch) {
    gsl_blas_dgemv(CblasNoTrans, 1.0, E, x, 0.0, scratch);
    gsl_vector_memcpy(x, scratch);
}

/**
 * Fly in STEPS equal steps and reflect v <- v - 2 M^-1 w w'v / G, for the chain v_n <- -v_n, over a
 * period. The gap stays open, closes at the impacts with the speed sqrt(G) lambda, and the motion
 * returns, all to CLOSURE relative to the largest of the state.
 */
static void assert_moves_as_claimed(const chain *c, const carom_orbit *orbit) {
    enum { STEPS = 40 };
    const size_t n = (size_t)c->system->coordinate_count;
    gsl_vector *x = gsl_vector_alloc(2 * n);
    gsl_vector *start = gsl_vector_alloc(2 * n);
    gsl_vector *scratch = gsl_vector_alloc(2 * n);
    carom_modal_basis_expand(c->basis, orbit->state, x->data, x->data + n);
    gsl_vector_memcpy(start, x);
    const double size = gsl_blas_dnrm2(x);
    const double root_G = 1.0 / sqrt(c->system->mass[n * n - 1]);
    for (int j = 0; j < orbit->impact_count; j++) {
        gsl_matrix *E = flight_matrix(c->system, orbit->flight_times[j] / STEPS);
        for (int step = 1; step <= STEPS; step++) {
            apply(E, x, scratch);
            const double gap = c->system->gap_at_rest - gsl_vector_get(x, n - 1);
            ck_assert_msg(gap >= -CLOSURE * size, "gap %g in flight %d", gap, j + 1);
        }
        gsl_matrix_free(E);
        assert_close(gsl_vector_get(x, n - 1), c->system->gap_at_rest, 0.0, CLOSURE * size);
        const double speed = gsl_vector_get(x, 2 * n - 1);
        assert_close(speed, root_G * orbit->lambda[j], 0.0, CLOSURE * size);
        ck_assert_double_ge(orbit->lambda[j], -CLOSURE * size);
        gsl_vector_set(x, 2 * n - 1, -speed);
    }
    gsl_vector_sub(x, start);
    const double error = gsl_blas_dnrm2(x) / size;
    ck_assert_msg(error <= CLOSURE, "k = %d, T = %.17g returns to %g", orbit->impact_count,
                  orbit->period, error);
    gsl_vector_free(x);
    gsl_vector_free(start);
    gsl_vector_free(scratch);
}

/** What the header promises of a list of admissible motions, whatever the structure. */
static void assert_well_formed(const carom_orbit_list *list, int k, double max_period,
                               double tolerance) {
    int hits = 0;
    for (int i = 0; i < list->count; i++) {
        const carom_found_orbit *found = &list->found[i];
        const carom_orbit *orbit = found->orbit;
        const int d = orbit->impact_count;
        ck_assert_int_eq(k % d, 0);
        ck_assert(orbit->period <= max_period);
        ck_assert(found->is_admissible);
        ck_assert(found->closure_error <= CLOSURE);
        ck_assert(!(found->largest_gap_violation > 1e-9));
        ck_assert_int_ge(found->hits, 1);
        hits += found->hits;
        // The specification's filter: scaled residual below 1e-11.
        ck_assert_double_le(orbit->residual, 1e-11);
        ck_assert_int_eq(carom_sequence_primitive(d, orbit->flight_times, orbit->lambda, tolerance),
                         d);
        // In canonical form, bit by bit.
        double flight_times[8];
        double lambda[8];
        memcpy(flight_times, orbit->flight_times, (size_t)d * sizeof(double));
        memcpy(lambda, orbit->lambda, (size_t)d * sizeof(double));
        carom_sequence_canonicalize(d, flight_times, lambda, tolerance);
        ck_assert_mem_eq(flight_times, orbit->flight_times, (size_t)d * sizeof(double));
        ck_assert_mem_eq(lambda, orbit->lambda, (size_t)d * sizeof(double));
        for (int j = 0; j < i; j++) {
            const carom_orbit *other = list->found[j].orbit;
            ck_assert(other->period <= orbit->period);
            ck_assert(other->impact_count != d ||
                      !carom_sequence_equal(d, orbit->flight_times, orbit->lambda,
                                            other->flight_times, other->lambda, tolerance));
        }
    }
    ck_assert_int_le(hits + list->potential, list->converged);
    ck_assert_int_le(list->repeats, list->converged);
}

/** Every guess that converged is accounted for. */
static void assert_keeps_what_is_admissible(const carom_orbit_list *list) {
    int hits = 0;
    for (int i = 0; i < list->count; i++) {
        hits += list->found[i].hits;
    }
    ck_assert_int_eq(list->converged, list->potential + list->outside + list->unclosed + hits);
}

/* -------------------------------------------------------------------------- reference values */

typedef struct interval {
    double lower;
    double upper;
} interval;

/** Specification 5.2: all admissible periods below 8 s of one impact, g_0 = 1 [C]. */
static const interval OPEN_GAP[] = {
    {0.653492721951, 0.654844327156}, {0.739458874176, 0.746883675607},
    {0.928250637931, 0.959468934612}, {1.295675618606, 1.309688654313},
    {1.339497835007, 1.493767351213}, {1.497449919825, 1.512508000560},
    {1.853114563879, 1.918937869225}, {2.179519212917, 2.240651026820},
    {2.339291364548, 2.619377308626}, {2.623535070284, 2.878406803837},
    {2.924405445340, 2.987534702426}, {2.994371513977, 3.025016001119},
    {3.254691243145, 3.274221635782}, {3.285100519929, 3.734418378033},
    {3.748044460919, 3.837875738449}, {3.891545039138, 3.929065962939},
    {3.937830767579, 4.414989598705}, {7.198637051673, 7.203287598721},
    {7.378880570169, 7.468836756066}, {7.485408857269, 7.562540002798},
};

/** The same for g_0 = -1: the contact is prestressed [C]. */
static const interval PRESTRESSED[] = {
    {0.0, 0.653492722},          {0.6599250582, 0.739458874}, {0.7723814518, 0.928250638},
    {1.0481472492, 1.295675619}, {1.3137385524, 1.339497835}, {1.8356471383, 1.853114564},
    {2.0425817172, 2.179519213}, {2.2713165195, 2.339291365},
};

/** Roots of phi_c, the periods of one impact with g_0 = 0 [C]. */
static const double ROOTS[] = {
    0.653492721951, 0.739458874176, 0.928250637931, 1.295675618606, 1.339497835007, 1.495351441282,
    1.853114563879, 1.962529174100, 2.179519212917, 2.339291364548, 2.623044313161, 2.900372309751,
    2.990322774351, 3.198389576042, 3.280291592031, 3.739673281480, 3.854278008544, 3.930100438948,
};

/** Whether a period is in one of the intervals, whose ends are printed to some digits. */
static bool is_in_one(const interval *intervals, size_t count, double digits, double period) {
    for (size_t i = 0; i < count; i++) {
        if (period >= intervals[i].lower - digits && period <= intervals[i].upper + digits) {
            return true;
        }
    }
    return false;
}

/* ---------------------------------------------------------------------------------------- unit */

TEST(unit, one_impact_is_found_in_the_known_intervals_and_in_each_wide_one) {
    const chain c = chain_alloc(5, 1.0);
    carom_orbit_list *list = search(c.basis, 1, 1000, 8.0, 1);
    const size_t count = sizeof OPEN_GAP / sizeof OPEN_GAP[0];
    bool is_hit[sizeof OPEN_GAP / sizeof OPEN_GAP[0]] = {false};
    for (int i = 0; i < list->count; i++) {
        const double period = list->found[i].orbit->period;
        // Twelve digits printed.
        ck_assert_msg(is_in_one(OPEN_GAP, count, 1e-11, period), "T = %.17g", period);
        for (size_t j = 0; j < count; j++) {
            is_hit[j] = is_hit[j] || is_in_one(&OPEN_GAP[j], 1, 1e-11, period);
        }
    }
    for (size_t j = 0; j < count; j++) {
        // A thousand guesses over 8 s put twelve into 0.1 s.
        const double width = OPEN_GAP[j].upper - OPEN_GAP[j].lower;
        ck_assert_msg(is_hit[j] || width < 0.1, "nothing in interval %zu", j);
    }
    assert_well_formed(list, 1, 8.0, 1e-7);
    carom_orbit_list_free(list);
    chain_free(c);
}

TEST(unit, prestressed_motions_with_one_impact_are_in_the_known_intervals) {
    const chain c = chain_alloc(5, -1.0);
    carom_orbit_list *list = search(c.basis, 1, 500, 4.0, 3);
    const size_t count = sizeof PRESTRESSED / sizeof PRESTRESSED[0];
    ck_assert_int_ge(list->count, 100);
    for (int i = 0; i < list->count; i++) {
        const double period = list->found[i].orbit->period;
        // Ten digits printed.
        ck_assert_msg(is_in_one(PRESTRESSED, count, 1e-9, period), "T = %.17g", period);
    }
    assert_well_formed(list, 1, 4.0, 1e-7);
    carom_orbit_list_free(list);
    chain_free(c);
}

TEST(unit, without_gap_one_impact_has_the_periods_of_the_roots) {
    const chain c = chain_alloc(5, 0.0);
    carom_orbit_list *list = search(c.basis, 1, 300, 3.95, 1);
    ck_assert_int_ge(list->count, 2);
    int hits = 0;
    for (int i = 0; i < list->count; i++) {
        const carom_orbit *orbit = list->found[i].orbit;
        double nearest = INFINITY;
        for (size_t j = 0; j < sizeof ROOTS / sizeof ROOTS[0]; j++) {
            nearest = fmin(nearest, fabs(orbit->period - ROOTS[j]));
        }
        // Twelve digits printed. Isolated motions: found again and again.
        ck_assert_double_le(nearest, 1e-11);
        assert_close(orbit->lambda[0], 1.0, 0.0, 1e-12);
        hits += list->found[i].hits;
        assert_moves_as_claimed(&c, orbit);
    }
    ck_assert_int_gt(hits, 2 * list->count);
    assert_well_formed(list, 1, 3.95, 1e-7);
    carom_orbit_list_free(list);
    chain_free(c);
}

TEST(unit, one_mass_has_only_the_motions_with_one_impact) {
    // One oscillator: the speed after an impact is that before the next, so that all flights are
    // equal; with a gap, T in (T_1/2, T_1), lambda = -g_0 w tan(w T/2)/sqrt(G).
    const double mass = 0.731;
    const double stiffness = 2.385;
    chain c;
    assert_ok(carom_serial_chain_alloc(1, &mass, &stiffness, 0.52, &c.system, NULL));
    assert_ok(carom_modal_basis_compute(c.system, &c.basis, NULL));
    const double omega = sqrt(stiffness / mass);
    carom_orbit_list *list = search(c.basis, 2, 500, 14.0, 1);
    ck_assert_int_ge(list->count, 20);
    ck_assert_int_ge(list->repeats, list->count);
    for (int i = 0; i < list->count; i++) {
        const carom_orbit *orbit = list->found[i].orbit;
        ck_assert_int_eq(orbit->impact_count, 1);
        ck_assert(omega * orbit->period > M_PI && omega * orbit->period < 2.0 * M_PI);
        // The residual 1e-12 of the solver, near the poles of the tangent amplified a little.
        const double lambda = -0.52 * omega * tan(0.5 * omega * orbit->period) * sqrt(mass);
        assert_close(orbit->lambda[0], lambda, 1e-9, 0.0);
    }
    assert_well_formed(list, 2, 14.0, 1e-7);
    carom_orbit_list_free(list);
    chain_free(c);
}

/** What the observer has seen. */
typedef struct seen {
    int calls;
    int done;
} seen;

static void observe(int done, void *context) {
    seen *s = context;
    ck_assert_int_gt(done, s->done);
    s->calls++;
    s->done = done;
}

TEST(unit, progress_ends_at_the_number_of_guesses) {
    const chain c = chain_alloc(1, 1.0);
    carom_orbit_search_params params = carom_orbit_search_params_default(1, 5.0);
    // More than one batch, the last one not full.
    params.start_count = 9001;
    carom_orbit_list *list;
    seen s = {0, 0};
    assert_ok(carom_orbit_search(c.basis, &params, observe, &s, &list, NULL));
    ck_assert_int_eq(s.done, 9001);
    ck_assert_int_ge(s.calls, 2);
    carom_orbit_list_free(list);
    chain_free(c);
}

TEST(unit, guesses_of_all_batches_have_periods_uniform_up_to_the_largest) {
    // One impact solves the equations at the period of the guess, whatever that is.
    enum { STARTS = 9001, PARTS = 10 };
    const chain c = chain_alloc(1, 1.0);
    carom_orbit_search_params params = carom_orbit_search_params_default(1, 2.385);
    params.start_count = STARTS;
    params.keep_potential = true;
    carom_orbit_list *list;
    assert_ok(carom_orbit_search(c.basis, &params, NULL, NULL, &list, NULL));
    ck_assert_int_eq(list->count, list->converged);
    ck_assert_int_eq(list->repeats, 0);
    static bool is_seen[STARTS];
    int parts[PARTS] = {0};
    for (int i = 0; i < list->count; i++) {
        const carom_found_orbit *found = &list->found[i];
        ck_assert(found->start >= 0 && found->start < STARTS && !is_seen[found->start]);
        is_seen[found->start] = true;
        ck_assert(found->orbit->period > 0.0 && found->orbit->period <= 2.385);
        parts[(int)(PARTS * found->orbit->period / 2.385 * (1.0 - 1e-12))]++;
    }
    for (int i = 0; i < PARTS; i++) {
        // Five standard deviations of a part, (9001 / 10 9 / 10)^1/2 = 28.5.
        ck_assert_msg(abs(parts[i] - STARTS / PARTS) < 143, "%d in part %d", parts[i], i);
    }
    carom_orbit_list_free(list);
    chain_free(c);
}

TEST(unit, short_flights_are_left_out_on_request) {
    const chain c = chain_alloc(5, -0.731);
    carom_orbit_search_params params = carom_orbit_search_params_default(3, 3.0);
    params.start_count = 100;
    params.smallest_flight = 0.2;
    carom_orbit_list *list;
    assert_ok(carom_orbit_search(c.basis, &params, NULL, NULL, &list, NULL));
    ck_assert_int_ge(list->count, 1);
    for (int i = 0; i < list->count; i++) {
        const carom_orbit *orbit = list->found[i].orbit;
        for (int j = 0; j < orbit->impact_count; j++) {
            ck_assert_double_ge(orbit->flight_times[j], 0.2 * orbit->period);
        }
    }
    carom_orbit_list_free(list);
    chain_free(c);
}

/* ------------------------------------------------------------------------------------ property */

/** Searches whose every result is propagated again. */
static const struct {
    int k;
    double gap_at_rest;
    int starts;
    double max_period;
    int least; /* motions to be found at least; with an open gap those of five impacts are rare */
} SEARCHES[] = {
    {1, 1.0, 100, 5.0, 20},   {2, 1.0, 200, 4.0, 10},   {3, 1.0, 300, 8.0, 2},
    {5, 1.0, 300, 4.0, 0},    {1, -0.731, 50, 2.0, 20}, {2, -0.731, 60, 2.0, 20},
    {3, -0.731, 60, 3.0, 10}, {5, -0.731, 60, 5.0, 10},
};

LOOP_TEST(property, every_motion_found_moves_as_claimed_in_physical_coordinates, 8) {
    const chain c = chain_alloc(5, SEARCHES[_i].gap_at_rest);
    const int k = SEARCHES[_i].k;
    const double max_period = SEARCHES[_i].max_period;
    carom_orbit_list *list = search(c.basis, k, SEARCHES[_i].starts, max_period, 1);
    ck_assert_int_ge(list->count, SEARCHES[_i].least);
    for (int i = 0; i < list->count; i++) {
        assert_moves_as_claimed(&c, list->found[i].orbit);
        // No motion that reaches the obstacle has less energy than the static one, 1/2 for d = 1.
        const double gap = c.system->gap_at_rest;
        ck_assert_double_ge(list->found[i].orbit->energy, 0.5 * gap * gap * (1.0 - 1e-9));
    }
    assert_keeps_what_is_admissible(list);
    assert_well_formed(list, k, max_period, 1e-7);
    carom_orbit_list_free(list);
    chain_free(c);
}

TEST(property, two_impacts_are_equal_or_belong_to_a_family_of_constant_period) {
    // Section 7.3.2: lambda_1 = lambda_2 unless alpha = beta, -Gamma_T(T) = -Gamma_T(s_2 - s_1).
    const chain c = chain_alloc(5, 1.0);
    carom_orbit_list *list = search(c.basis, 2, 500, 4.6, 5);
    int pairs = 0;
    int singles = 0;
    for (int i = 0; i < list->count; i++) {
        const carom_orbit *orbit = list->found[i].orbit;
        if (orbit->impact_count == 1) {
            // Repetitions of one impact; those of 2 T < 4.6 s.
            ck_assert(
                is_in_one(OPEN_GAP, sizeof OPEN_GAP / sizeof OPEN_GAP[0], 1e-11, orbit->period));
            singles++;
            continue;
        }
        pairs++;
        const double difference = fabs(orbit->lambda[0] - orbit->lambda[1]);
        const double largest = fmax(orbit->lambda[0], orbit->lambda[1]);
        const double argument = orbit->flight_times[1] - orbit->flight_times[0];
        const carom_kernels alpha = carom_kernels_evaluate(c.basis, orbit->period, orbit->period);
        const carom_kernels beta = carom_kernels_evaluate(c.basis, orbit->period, argument);
        // (alpha - beta)(lambda_1 - lambda_2) = 0, each scaled, to the residual 1e-12 of the solver
        // and what conditioning makes of it.
        const double product = fabs(alpha.gap - beta.gap) * difference;
        ck_assert_msg(product <= 1e-9 * (fabs(alpha.gap) + fabs(beta.gap)) * largest,
                      "T = %.17g: alpha %g, beta %g, lambda %g, %g", orbit->period, alpha.gap,
                      beta.gap, orbit->lambda[0], orbit->lambda[1]);
    }
    ck_assert_int_ge(pairs, 20);
    ck_assert_int_ge(singles, 1);
    ck_assert_int_ge(list->repeats, singles);
    carom_orbit_list_free(list);
    chain_free(c);
}

/** All numbers of a list, byte by byte. */
static void assert_same_lists(const carom_orbit_list *a, const carom_orbit_list *b) {
    ck_assert_int_eq(a->count, b->count);
    ck_assert_int_eq(a->converged, b->converged);
    ck_assert_int_eq(a->repeats, b->repeats);
    ck_assert_int_eq(a->potential, b->potential);
    for (int i = 0; i < a->count; i++) {
        const carom_found_orbit *x = &a->found[i];
        const carom_found_orbit *y = &b->found[i];
        const size_t k = (size_t)x->orbit->impact_count;
        const size_t m = (size_t)x->orbit->mode_count;
        ck_assert_int_eq(x->start, y->start);
        ck_assert_int_eq(x->hits, y->hits);
        ck_assert_int_eq(x->is_admissible, y->is_admissible);
        ck_assert_int_eq(x->orbit->impact_count, y->orbit->impact_count);
        ck_assert_mem_eq(&x->largest_gap_violation, &y->largest_gap_violation, sizeof(double));
        ck_assert_mem_eq(&x->closure_error, &y->closure_error, sizeof(double));
        ck_assert_mem_eq(x->orbit->flight_times, y->orbit->flight_times, k * sizeof(double));
        ck_assert_mem_eq(x->orbit->lambda, y->orbit->lambda, k * sizeof(double));
        ck_assert_mem_eq(x->orbit->state, y->orbit->state, 2 * m * sizeof(double));
        ck_assert_mem_eq(&x->orbit->period, &y->orbit->period, sizeof(double));
        ck_assert_mem_eq(&x->orbit->energy, &y->orbit->energy, sizeof(double));
        ck_assert_mem_eq(&x->orbit->residual, &y->orbit->residual, sizeof(double));
    }
}

TEST(property, one_two_and_four_threads_find_the_same_bytes) {
    const chain c = chain_alloc(5, -0.731);
    carom_orbit_search_params params = carom_orbit_search_params_default(3, 3.5);
    params.start_count = 131;
    params.workers.threads = 1;
    carom_orbit_list *serial;
    assert_ok(carom_orbit_search(c.basis, &params, NULL, NULL, &serial, NULL));
    ck_assert_int_ge(serial->count, 10);
    for (int threads = 2; threads <= 4; threads += 2) {
        params.workers.threads = threads;
        carom_orbit_list *list;
        assert_ok(carom_orbit_search(c.basis, &params, NULL, NULL, &list, NULL));
        assert_same_lists(list, serial);
        carom_orbit_list_free(list);
    }
    carom_orbit_list_free(serial);
    chain_free(c);
}

TEST(property, a_guess_depends_on_seed_and_index_alone) {
    const chain c = chain_alloc(5, -0.731);
    carom_orbit_list *few = search(c.basis, 3, 70, 3.5, 1);
    carom_orbit_list *many = search(c.basis, 3, 200, 3.5, 1);
    carom_orbit_list *others = search(c.basis, 3, 200, 3.5, 2);
    ck_assert_int_ge(few->count, 10);
    for (int i = 0; i < few->count; i++) {
        const carom_found_orbit *found = &few->found[i];
        const size_t bytes = (size_t)found->orbit->impact_count * sizeof(double);
        bool is_there = false;
        for (int j = 0; j < many->count; j++) {
            const carom_found_orbit *other = &many->found[j];
            is_there = is_there ||
                       (other->start == found->start &&
                        memcmp(other->orbit->flight_times, found->orbit->flight_times, bytes) == 0);
        }
        ck_assert_msg(is_there, "guess %d", found->start);
        for (int j = 0; j < others->count; j++) {
            const carom_orbit *other = others->found[j].orbit;
            ck_assert_double_gt(fabs(other->flight_times[0] - found->orbit->flight_times[0]), 0.0);
        }
    }
    carom_orbit_list_free(few);
    carom_orbit_list_free(many);
    carom_orbit_list_free(others);
    chain_free(c);
}

TEST(property, motions_of_fewer_impacts_are_counted_and_kept_only_on_request) {
    // Four impacts may repeat one twice over and more, or two.
    const chain c = chain_alloc(3, -0.731);
    for (int k = 2; k <= 4; k++) {
        carom_orbit_search_params params = carom_orbit_search_params_default(k, 4.0);
        params.start_count = 150;
        carom_orbit_list *all = search(c.basis, k, params.start_count, params.max_period, 1);
        carom_orbit_list *list;
        assert_ok(carom_orbit_search(c.basis, &params, NULL, NULL, &list, NULL));
        ck_assert_int_eq(list->repeats, all->repeats);
        ck_assert_int_gt(list->repeats, 0);
        int kept = 0;
        for (int i = 0; i < all->count; i++) {
            const carom_found_orbit *found = &all->found[i];
            if (found->orbit->impact_count < k) {
                continue;
            }
            ck_assert_int_lt(kept, list->count);
            ck_assert_int_eq(list->found[kept].start, found->start);
            ck_assert_int_eq(list->found[kept].hits, found->hits);
            ck_assert_int_eq(list->found[kept].orbit->impact_count, k);
            kept++;
        }
        ck_assert_int_eq(kept, list->count);
        ck_assert_int_gt(kept, 0);
        ck_assert_int_lt(kept, all->count);
        carom_orbit_list_free(list);
        carom_orbit_list_free(all);
    }
    chain_free(c);
}

TEST(property, potential_solutions_are_kept_on_request_beside_the_same_motions) {
    const chain c = chain_alloc(5, 1.0);
    carom_orbit_search_params params = carom_orbit_search_params_default(3, 3.5);
    params.start_count = 200;
    carom_orbit_list *strict;
    carom_orbit_list *all;
    assert_ok(carom_orbit_search(c.basis, &params, NULL, NULL, &strict, NULL));
    params.keep_potential = true;
    assert_ok(carom_orbit_search(c.basis, &params, NULL, NULL, &all, NULL));
    ck_assert_int_eq(all->converged, strict->converged);
    ck_assert_int_eq(all->repeats, strict->repeats);
    ck_assert_int_eq(all->potential, strict->potential);
    int potential = 0;
    int same = 0;
    for (int i = 0; i < all->count; i++) {
        const carom_found_orbit *found = &all->found[i];
        if (!found->is_admissible) {
            double smallest = INFINITY;
            for (int j = 0; j < found->orbit->impact_count; j++) {
                smallest = fmin(smallest, found->orbit->lambda[j]);
            }
            ck_assert(smallest < 0.0 || found->largest_gap_violation > 0.0);
            ck_assert(isnan(found->closure_error));
            potential++;
            continue;
        }
        ck_assert_int_eq(strict->found[same].start, found->start);
        ck_assert_mem_eq(strict->found[same].orbit->state, found->orbit->state,
                         2 * (size_t)found->orbit->mode_count * sizeof(double));
        same++;
    }
    ck_assert_int_eq(same, strict->count);
    ck_assert_int_ge(potential, 5);
    ck_assert_int_le(potential, all->potential);
    carom_orbit_list_free(strict);
    carom_orbit_list_free(all);
    chain_free(c);
}

/** An orbit of random numbers. */
static carom_orbit *random_orbit(gsl_rng *generator, const chain *c, int k) {
    carom_orbit *orbit;
    assert_ok(carom_orbit_alloc(c->basis, k, &orbit));
    orbit->period = 0.0;
    orbit->energy = 0.731;
    for (int i = 0; i < k; i++) {
        orbit->flight_times[i] = uniform(generator, 0.3, 1.6);
        orbit->lambda[i] = uniform(generator, 0.3, 1.6);
        orbit->period += orbit->flight_times[i];
    }
    return orbit;
}

/**
 * Another form of an orbit, all flight times and all lambda longer or shorter by nine tenths of the
 * tolerance: the largest changes of the period and of the largest lambda that equal motions have.
 */
static carom_orbit *other_form(gsl_rng *generator, const chain *c, const carom_orbit *like,
                               double tolerance) {
    const int k = like->impact_count;
    carom_orbit *orbit;
    assert_ok(carom_orbit_alloc(c->basis, k, &orbit));
    carom_orbit_copy(like, orbit);
    if (gsl_rng_uniform(generator) < 0.5) {
        carom_sequence_reverse(k, orbit->flight_times, orbit->lambda);
    }
    carom_sequence_rotate(k, (int)gsl_rng_uniform_int(generator, (unsigned long)k),
                          orbit->flight_times, orbit->lambda);
    const double longer = gsl_rng_uniform(generator) < 0.5 ? 0.9 : -0.9;
    const double stronger = gsl_rng_uniform(generator) < 0.5 ? 0.9 : -0.9;
    double largest = 0.0;
    for (int i = 0; i < k; i++) {
        largest = fmax(largest, orbit->lambda[i]);
    }
    orbit->period = 0.0;
    for (int i = 0; i < k; i++) {
        orbit->flight_times[i] += longer * tolerance * like->period;
        orbit->lambda[i] += stronger * tolerance * largest;
        orbit->period += orbit->flight_times[i];
    }
    return orbit;
}

TEST(property, equal_motions_are_one_in_whatever_cells_they_are) {
    gsl_rng *generator = seeded_generator(SEED);
    const chain c = chain_alloc(2, 1.0);
    enum { MOTIONS = 2000 };
    static carom_orbit *orbits[MOTIONS];
    const int counts[] = {50, MOTIONS};
    for (int i = 0; i < 2; i++) {
        // A table of one list only, and one with as many lists as motions.
        carom_orbit_collection *collection;
        assert_ok(carom_orbit_collection_alloc(i == 0 ? 1 : MOTIONS, 7, 1e-7, &collection));
        for (int j = 0; j < 2 * counts[i]; j++) {
            const int motion = j % counts[i];
            const bool is_first = j < counts[i];
            carom_orbit *orbit = is_first ? random_orbit(generator, &c, 4 + motion % 4)
                                          : other_form(generator, &c, orbits[motion], 1e-7);
            orbits[motion] = is_first ? orbit : orbits[motion];
            const carom_found_orbit candidate = {.orbit = orbit, .start = j, .hits = 1};
            assert_ok(carom_orbit_collection_add(collection, &candidate));
        }
        carom_orbit_list *list = calloc(1, sizeof *list);
        carom_orbit_collection_hand_over(collection, list);
        ck_assert_int_eq(list->count, counts[i]);
        for (int j = 0; j < list->count; j++) {
            ck_assert_int_eq(list->found[j].hits, 2);
            ck_assert_int_lt(list->found[j].start, counts[i]);
            ck_assert(j == 0 || list->found[j - 1].orbit->period <= list->found[j].orbit->period);
        }
        carom_orbit_list_free(list);
        carom_orbit_collection_free(collection);
    }
    chain_free(c);
    gsl_rng_free(generator);
}

/* -------------------------------------------------------------------------------------- errors */

/** Search with refused parameters. */
static void assert_refused(const carom_orbit_search_params *params, const char *quantity) {
    const chain c = chain_alloc(2, 1.0);
    carom_report report = carom_report_empty();
    carom_orbit_list *list = (carom_orbit_list *)&report;
    assert_status(carom_orbit_search(c.basis, params, NULL, NULL, &list, &report), OUT_OF_RANGE);
    ck_assert_ptr_null(list);
    ck_assert_str_eq(report.quantity, quantity);
    assert_status(carom_orbit_search(c.basis, params, NULL, NULL, &list, NULL), OUT_OF_RANGE);
    chain_free(c);
}

TEST(errors, what_is_no_search_is_refused) {
    const carom_orbit_search_params good = carom_orbit_search_params_default(3, 4.0);
    carom_orbit_search_params bad = good;
    bad.impact_count = 0;
    assert_refused(&bad, "impact count");
    bad = good;
    bad.start_count = 0;
    assert_refused(&bad, "start count");
    const double periods[] = {0.0, -2.0, INFINITY, (double)NAN};
    for (size_t i = 0; i < 4; i++) {
        bad = good;
        bad.max_period = periods[i];
        assert_refused(&bad, "largest period");
    }
    bad = good;
    bad.workers.threads = -1;
    assert_refused(&bad, "threads");
    const double flights[] = {-1e-3, 0.34, (double)NAN};
    for (size_t i = 0; i < 3; i++) {
        bad = good;
        bad.smallest_flight = flights[i];
        assert_refused(&bad, "smallest flight");
    }
    const double tolerances[] = {0.0, 0.2, (double)NAN};
    for (size_t i = 0; i < 3; i++) {
        bad = good;
        bad.tolerance = tolerances[i];
        assert_refused(&bad, "tolerance");
    }
}

TEST(errors, nothing_found_is_an_empty_list) {
    // No motion with a gap is shorter than the first root.
    const chain c = chain_alloc(5, 1.0);
    carom_orbit_list *list = search(c.basis, 1, 50, 0.3, 1);
    ck_assert_int_eq(list->count, 0);
    carom_orbit_list_free(list);
    carom_orbit_list_free(NULL);
    carom_orbit_collection_free(NULL);
    chain_free(c);
}

TEST(errors, any_allocation_may_fail) {
    const chain c = chain_alloc(3, -0.731);
    carom_orbit_search_params params = carom_orbit_search_params_default(2, 4.0);
    params.start_count = 40;
    params.workers.threads = 1;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int failures = 0;
    for (; status != CAROM_OK; failures++) {
        carom_orbit_list *list = (carom_orbit_list *)&params;
        successes_left = failures;
        status = carom_orbit_search(c.basis, &params, NULL, NULL, &list, NULL);
        successes_left = -1;
        if (status == CAROM_OK) {
            ck_assert_int_ge(list->count, 5);
            carom_orbit_list_free(list);
        } else {
            ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
            ck_assert_ptr_null(list);
        }
        ck_assert_int_lt(failures, 1000);
    }
    // List, outcomes, table, two workspaces, orbits and what collects them.
    ck_assert_int_ge(failures, 20);
    chain_free(c);
}
