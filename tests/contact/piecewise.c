/* carom/contact/internal.h: paths of the piecewise linear equations of contacts in the plane. */
#include "../failing_malloc.h"
#include "random_problem.h"

#include <carom/contact/piecewise.h>
#include <carom/models/disc_pile.h>

#include <stdlib.h>
#include <string.h>

/* A pyramid of so many rows, its discs moved besides by impulses at their contacts: more contacts
 * than coordinates hold apart, of which some open, some slide and most bear. */
static carom_contact_problem *heap(int k, int rows, double part) {
    static const double friction[] = {0.1, 0.2, 0.3, 0.4, 0.5};
    static const double mass_ratio[] = {1.0, 0.1, 10.0};
    carom_disc_pile_params params = carom_disc_pile_params_default();
    carom_contact_problem *problem = NULL;
    params.rows = rows;
    params.friction = friction[k % 5];
    params.mass_ratio = mass_ratio[k % 3];
    assert_ok(carom_disc_pile_problem(&params, &problem, NULL));
    CAROM_AUTO_MEMORY double *x = calloc(2 * (size_t)problem->row_count, sizeof *x);
    double *moved = x + problem->row_count;
    for (int i = 0; i < problem->row_count; i++) {
        x[i] = part * drawn(k, 1, i) * params.mass * params.gravity * params.step;
    }
    carom_contact_problem_velocity(problem, x, moved);
    memcpy(problem->free_velocity, moved, (size_t)problem->row_count * sizeof *moved);
    return problem;
}

TEST(property, heaps_of_redundant_contacts_are_solved_to_rounding) {
    CAROM_AUTO(carom_contact_piecewise) work = NULL;
    assert_ok(carom_contact_piecewise_alloc(&work));
    for (int k = 0; k < 120; k++) {
        CAROM_AUTO(carom_contact_problem) problem = heap(k, 4 + k % 6, 0.3);
        const size_t rows = (size_t)problem->row_count;
        CAROM_AUTO_MEMORY double *r = calloc(2 * rows, sizeof *r);
        double *u = r + rows;
        carom_contact_certificate certificate;
        int pivots = 0;
        const carom_status status =
            carom_contact_piecewise_solve(work, problem, 1e-12, r, u, &certificate, &pivots);
        ck_assert_msg(status == CAROM_OK, "heap %d: residual %g", k, certificate.residual);
        ck_assert(certificate.residual <= 1e-12 && pivots > 0);
        ck_assert(carom_contact_energy(problem, r, u) <= 0.0);
    }
}

/* One contact at rest or sliding forth at rate 1 by r: det (n' W (1, -mu)') is negative where
 * friction wedges, W_nn < mu W_nt; begun as stuck, it is that of W. */
TEST(unit, the_sign_is_that_of_the_piece) {
    static const double r[][2] = {{0.0, 0.0}, {1.3, 0.1}, {1.3, -2.6}, {1.3, 2.6}, {1.3, -2.6}};
    static const double slip[] = {0.0, 0.0, 1.0, -1.0, 1.0};
    static const int expected[] = {1, 1, -1, 1, 1};
    const double W[4] = {1.1, 0.8, 0.8, 1.2};
    const double mu = 2.0;
    for (int k = 0; k < 5; k++) {
        const double q[2] = {k == 0 ? 0.7 : -W[0] * r[k][0] - W[1] * r[k][1],
                             slip[k] - W[2] * r[k][0] - W[3] * r[k][1]};
        const carom_contact_rows rows = {.contact_count = 1,
                                         .tangent_count = 1,
                                         .entries = W,
                                         .free_velocity = q,
                                         .friction = &mu};
        CAROM_AUTO(carom_contact_piecewise) work = NULL;
        CAROM_AUTO(carom_contact_problem) problem = NULL;
        assert_ok(carom_contact_problem_alloc(&rows, &problem, NULL));
        assert_ok(carom_contact_piecewise_alloc(&work));
        assert_ok(carom_piecewise_set(work, problem));
        work->basis.compliance = 0.0;
        carom_piecewise_begin(
            work, k == 4 ? CAROM_PIECEWISE_FROM_STUCK : CAROM_PIECEWISE_FROM_IMPULSES, 0, r[k]);
        assert_ok(carom_piecewise_aim(work));
        ck_assert_int_eq(carom_piecewise_basis_sign(&work->basis), expected[k]);
    }
}

/* From impulses near a solution a path ends at one, after few pivots. */
TEST(property, near_a_solution_paths_are_short) {
    CAROM_AUTO(carom_contact_piecewise) work = NULL;
    assert_ok(carom_contact_piecewise_alloc(&work));
    for (int k = 0; k < 20; k++) {
        CAROM_AUTO(carom_contact_problem) problem = heap(k, 8, 0.3);
        const size_t rows = (size_t)problem->row_count;
        CAROM_AUTO_MEMORY double *r = calloc(2 * rows, sizeof *r);
        carom_contact_certificate certificate;
        int from_none = 0;
        int from_near = 0;
        assert_ok(carom_contact_piecewise_solve(work, problem, 1e-12, r, r + rows, &certificate,
                                                &from_none));
        for (int i = 0; i < problem->row_count; i++) {
            r[i] *= 1.0 + 1e-3 * drawn(k, 2, i);
        }
        assert_ok(carom_contact_piecewise_solve(work, problem, 1e-12, r, r + rows, &certificate,
                                                &from_near));
        ck_assert_int_lt(4 * from_near, from_none);
    }
}

typedef struct search {
    int row_count;
    const double *r;
    bool is_found;
} search;

static bool compare(const double *r, const double *u, void *context) {
    search *s = context;
    double size = 1.0;
    double difference = 0.0;
    (void)u;
    for (int i = 0; i < s->row_count; i++) {
        size = fmax(size, fabs(r[i]));
        difference = fmax(difference, fabs(r[i] - s->r[i]));
    }
    s->is_found = s->is_found || difference <= 1e-7 * size;
    return true;
}

/* Small problems in the plane, with and without tangents and joints, regular and redundant; some
 * have no solution. */
TEST(property, paths_agree_with_all_solutions_and_with_lemkes_method) {
    CAROM_AUTO(carom_contact_piecewise) work = NULL;
    CAROM_AUTO(carom_contact_pivoting) lemke = NULL;
    int rays = 0;
    int solved = 0;
    assert_ok(carom_contact_piecewise_alloc(&work));
    assert_ok(carom_contact_pivoting_alloc(&lemke));
    for (int k = 0; k < 3000; k++) {
        static random_problem p;
        double r[MOST_ROWS];
        double other[MOST_ROWS];
        double u[MOST_ROWS];
        carom_contact_certificate certificate;
        int pivots = 0;
        draw_problem(k, 1 + k / 2 % 3, 1.5, &p);
        if (p.tangent_count == 2) {
            continue;
        }
        // A contact that moves against the others' common direction may be jammed between them.
        p.q[p.joint_count] -= k / 6 % 2 == 0 ? 1.0 : 0.0;
        CAROM_AUTO(carom_contact_problem) problem = problem_of(&p);
        const carom_status status = carom_contact_piecewise_pivot(work, problem, r, &pivots);
        const carom_status expected =
            carom_contact_pivot(lemke, problem, true, other, &pivots, NULL);
        ck_assert(expected == status || expected == CAROM_STATUS_NOT_CONVERGED);
        rays += status == CAROM_STATUS_RAY ? 1 : 0;
        if (status != CAROM_OK) {
            continue;
        }
        solved++;
        assert_laws_hold(&p, r, 1e-9);
        carom_contact_certify(problem, r, u, &certificate);
        ck_assert(certificate.residual <= 1e-10);
        if (p.coordinate_count > p.row_count) {
            search s = {.row_count = p.row_count, .r = r};
            assert_ok(carom_contact_solve_all(problem, compare, &s, NULL, NULL));
            ck_assert(s.is_found);
            memset(r, 0, sizeof r);
            assert_ok(
                carom_contact_piecewise_solve(work, problem, 1e-12, r, u, &certificate, &pivots));
            s.is_found = false;
            assert_ok(carom_contact_solve_all(problem, compare, &s, NULL, NULL));
            ck_assert(s.is_found);
        }
    }
    ck_assert_int_gt(rays, 5);
    ck_assert_int_gt(solved, 1000);
}

/* One disc between walls that both come closer: u_1 + u_2 = q_1 + q_2 < 0 whatever the impulses. */
TEST(errors, what_is_jammed_ends_on_a_ray) {
    const double W[4] = {1.7, -1.7, -1.7, 1.7};
    const double q[2] = {-0.3, -0.4};
    const carom_contact_rows rows = {.contact_count = 2, .entries = W, .free_velocity = q};
    CAROM_AUTO(carom_contact_piecewise) work = NULL;
    CAROM_AUTO(carom_contact_problem) problem = NULL;
    double r[2] = {0.0};
    double u[2];
    carom_contact_certificate certificate;
    int pivots = 0;
    assert_ok(carom_contact_problem_alloc(&rows, &problem, NULL));
    assert_ok(carom_contact_piecewise_alloc(&work));
    ck_assert_int_eq(carom_contact_piecewise_pivot(work, problem, r, &pivots), CAROM_STATUS_RAY);
    // With a compliance there is one; impulses grow from path to path.
    r[0] = r[1] = 0.0;
    const carom_status status =
        carom_contact_piecewise_solve(work, problem, 1e-12, r, u, &certificate, &pivots);
    ck_assert(status == CAROM_STATUS_NOT_CONVERGED || certificate.growth > 1e8);
}

/* Units of powers of two: mass 2^a, velocity 2^b. */
TEST(property, units_change_no_digit) {
    CAROM_AUTO(carom_contact_piecewise) work = NULL;
    assert_ok(carom_contact_piecewise_alloc(&work));
    for (int k = 0; k < 10; k++) {
        CAROM_AUTO(carom_contact_problem) problem = heap(k, 8, 0.3);
        const int rows = problem->row_count;
        CAROM_AUTO_MEMORY double *r = calloc(3 * (size_t)rows, sizeof *r);
        double *scaled = r + rows;
        double *u = scaled + rows;
        carom_contact_certificate certificate;
        int pivots = 0;
        int same = 0;
        assert_ok(carom_contact_piecewise_solve(work, problem, 1e-12, r, u, &certificate, &pivots));
        const size_t last = (size_t)problem->start[problem->block_count];
        carom_contact_scale((int)(4 * last), -7, problem->entries, problem->entries);
        carom_contact_scale(rows, 5, problem->free_velocity, problem->free_velocity);
        carom_contact_problem_find_diagonal(problem);
        assert_ok(
            carom_contact_piecewise_solve(work, problem, 1e-12, scaled, u, &certificate, &same));
        carom_contact_scale(rows, -12, scaled, scaled);
        ck_assert_int_eq(pivots, same);
        ck_assert_mem_eq(r, scaled, (size_t)rows * sizeof *r);
    }
}

/* The steps of a heap at rest in a motion: from the impulses of the last one, by few pivots. */
TEST(unit, a_heap_at_rest_is_solved_from_impulses_of_a_step_before) {
    CAROM_AUTO(carom_contact_solver) solver = NULL;
    CAROM_AUTO(carom_contact_problem) problem = heap(3, 16, 0.0);
    CAROM_AUTO_MEMORY double *r = calloc((size_t)problem->row_count, sizeof *r);
    carom_contact_report result;
    assert_ok(carom_contact_solver_alloc(&solver));
    assert_ok(carom_contact_solve(solver, problem, NULL, r, NULL, &result, NULL));
    for (int i = 0; i < problem->row_count; i++) {
        r[i] *= 1.0 + 1e-4 * drawn(0, 2, i);
    }
    assert_ok(carom_contact_solve(solver, problem, NULL, r, NULL, &result, NULL));
    ck_assert(result.certificate.residual <= 1e-12);
    ck_assert_int_eq(result.method, CAROM_CONTACT_PIVOTING);
    ck_assert_int_lt(result.pivots, problem->contact_count);
    ck_assert_int_eq(result.newton_iterations, 0);
}

TEST(errors, memory_that_runs_out_is_reported) {
    CAROM_AUTO(carom_contact_problem) problem = heap(1, 6, 0.3);
    CAROM_AUTO_MEMORY double *r = calloc(2 * (size_t)problem->row_count, sizeof *r);
    carom_contact_certificate certificate;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int failures = 0;
    for (int k = 0; status == CAROM_STATUS_OUT_OF_MEMORY; k++) {
        CAROM_AUTO(carom_contact_piecewise) work = NULL;
        int pivots = 0;
        memset(r, 0, (size_t)problem->row_count * sizeof *r);
        successes_left = k;
        status = carom_contact_piecewise_alloc(&work);
        if (status == CAROM_OK) {
            status = carom_contact_piecewise_solve(work, problem, 1e-12, r, r + problem->row_count,
                                                   &certificate, &pivots);
        }
        successes_left = -1;
        failures += status == CAROM_OK ? 0 : 1;
    }
    assert_ok(status);
    ck_assert_int_gt(failures, 4);
}
