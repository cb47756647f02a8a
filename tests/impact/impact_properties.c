/* What must not matter: order of contacts, units, signs of tangents, a common factor. Increments
 * and simultaneous outcomes of the problem and of its image, by enumeration, and by Lemke's method
 * among them; increments in space. */
#include "random_impacts.h"

#include <carom/impact/anitescu_potra.h>
#include <carom/impact/contact_modes.h>
#include <carom/impact/impact_inclusion.h>
#include <carom/impact/impulse_increment.h>

enum { PROBLEMS = 600 };

static void solve_modes(const plain_impact *plain, const double *caps, plain_outcomes *found) {
    carom_impact_problem *problem = problem_of_plain(plain);
    carom_contact_modes *modes = NULL;
    carom_contact_mode_solutions *solutions = NULL;
    const int r = 2 * plain->m;
    assert_ok(carom_contact_modes_alloc(problem, CAROM_CONTACT_MODES_CAPPED, &modes, NULL));
    assert_ok(carom_contact_mode_solutions_alloc(modes, &solutions));
    assert_ok(carom_contact_modes_solve(modes, problem->contact_velocity, caps, solutions));
    found->count = solutions->count;
    for (int k = 0; k < solutions->count && k < MOST_OUTCOMES; k++) {
        memcpy(found->c[k], &solutions->velocity[k * r], sizeof(double) * (size_t)r);
    }
    carom_contact_mode_solutions_free(solutions);
    carom_contact_modes_free(modes);
    carom_impact_problem_free(problem);
}

/* Lemke's increment of the image must be an image too: one of the solutions. */
static void solve_lemke(const plain_impact *plain, const double *caps, double *c) {
    carom_impact_problem *problem = problem_of_plain(plain);
    carom_impulse_increment *increment = NULL;
    carom_increment_work *work = NULL;
    double L[MOST_ROWS];
    assert_ok(carom_impulse_increment_alloc(problem, 0, &increment, NULL));
    assert_ok(carom_increment_work_alloc(increment, &work));
    assert_ok(carom_impulse_increment_solve(increment, problem->contact_velocity, caps, NULL, L,
                                            work, NULL));
    carom_impact_add_impulse(problem, L, problem->contact_velocity, c);
    carom_increment_work_free(work);
    carom_impulse_increment_free(increment);
    carom_impact_problem_free(problem);
}

/* An image of a problem: contact i goes to place[i], its tangent changes by sign[i], masses
 * are multiplied by `mass`, speeds by `speed`. */
typedef struct image {
    int place[MOST_CONTACTS];
    double sign[MOST_CONTACTS];
    double mass;
    double speed;
} image;

static void take_image(const plain_impact *plain, const double *caps, const image *map,
                       plain_impact *out, double *caps_out) {
    const int n = plain->n;
    const int m = plain->m;
    *out = *plain;
    for (int i = 0; i < m; i++) {
        const int p = map->place[i];
        out->mu[p] = plain->mu[i];
        caps_out[p] = caps[i] * map->mass * map->speed;
        for (int j = 0; j < n; j++) {
            out->J[p * n + j] = plain->J[i * n + j];
            out->J[(m + p) * n + j] = map->sign[i] * plain->J[(m + i) * n + j];
        }
    }
    for (int i = 0; i < n * n; i++) {
        out->M[i] *= map->mass;
    }
    for (int i = 0; i < n; i++) {
        out->v[i] *= map->speed;
    }
    complete(out);
}

static void compare_images(const image *map, int m, random_kind kind, gsl_rng *generator,
                           int number) {
    plain_impact plain;
    plain_impact changed;
    double caps[MOST_CONTACTS] = {0};
    double caps_changed[MOST_CONTACTS] = {0};
    plain_outcomes of_plain;
    plain_outcomes of_changed;
    double c[MOST_ROWS];
    double back[MOST_ROWS];
    random_plain(generator, kind, m, &plain);
    random_caps(generator, m, caps);
    take_image(&plain, caps, map, &changed, caps_changed);
    solve_modes(&plain, caps, &of_plain);
    solve_modes(&changed, caps_changed, &of_changed);
    ck_assert_msg(of_plain.count == of_changed.count, "problem %d: %d and %d solutions", number,
                  of_plain.count, of_changed.count);
    solve_lemke(&changed, caps_changed, c);
    const double tolerance = SAME_VELOCITY * largest_of(2 * m, plain.c);
    for (int k = 0; k <= of_changed.count; k++) {
        const double *speeds = k < of_changed.count ? of_changed.c[k] : c;
        for (int i = 0; i < m; i++) {
            back[i] = speeds[map->place[i]] / map->speed;
            back[m + i] = map->sign[i] * speeds[m + map->place[i]] / map->speed;
        }
        ck_assert_msg(find_plain(&of_plain, 2 * m, back, tolerance) >= 0,
                      "problem %d: solution %d has no image", number, k);
    }
}

TEST(property, order_of_contacts_does_not_matter) {
    const unsigned long seed = 811;
    gsl_rng *generator = seeded_generator(seed);
    const image maps[3] = {{{1, 0, 2}, {1, 1, 1}, 1.0, 1.0},
                           {{2, 0, 1}, {1, 1, 1}, 1.0, 1.0},
                           {{0, 2, 1}, {1, 1, 1}, 1.0, 1.0}};
    for (int k = 0; k < PROBLEMS; k++) {
        const int m = k % 3 == 0 ? 2 : k % 50 == 1 ? 3 : 2;
        compare_images(&maps[m == 2 ? 0 : k % 3], m, k % 2 == 0 ? GENERIC : RESTING, generator, k);
    }
    gsl_rng_free(generator);
}

TEST(property, sign_of_a_tangent_does_not_matter) {
    const unsigned long seed = 821;
    gsl_rng *generator = seeded_generator(seed);
    const image maps[3] = {{{0, 1, 2}, {-1, 1, 1}, 1.0, 1.0},
                           {{0, 1, 2}, {-1, -1, 1}, 1.0, 1.0},
                           {{1, 0, 2}, {1, -1, 1}, 1.0, 1.0}};
    for (int k = 0; k < PROBLEMS; k++) {
        compare_images(&maps[k % 3], k % 3 == 0 ? 1 : 2, k % 2 == 0 ? GENERIC : RESTING, generator,
                       k);
    }
    gsl_rng_free(generator);
}

/* Speeds and masses in other units, and both up (homogeneity, section 2.6). Tons and mm/s. */
TEST(property, units_do_not_matter) {
    const unsigned long seed = 831;
    gsl_rng *generator = seeded_generator(seed);
    const image maps[4] = {{{0, 1, 2}, {1, 1, 1}, 1e-3, 1.0},
                           {{0, 1, 2}, {1, 1, 1}, 1.0, 1e3},
                           {{0, 1, 2}, {1, 1, 1}, 1e3, 1e-3},
                           {{0, 1, 2}, {1, 1, 1}, 1.0, 0.37}};
    for (int k = 0; k < PROBLEMS; k++) {
        compare_images(&maps[k % 4], 1 + k % 2, k % 2 == 0 ? GENERIC : RESTING, generator, k);
    }
    gsl_rng_free(generator);
}

/* Other coordinates v = T u: M' = T'MT, J' = JT leave contact space as it is. */
TEST(property, coordinates_do_not_matter) {
    const unsigned long seed = 841;
    gsl_rng *generator = seeded_generator(seed);
    for (int k = 0; k < PROBLEMS / 2; k++) {
        plain_impact plain;
        plain_impact changed;
        plain_outcomes before;
        plain_outcomes after;
        double caps[2];
        double T[MOST_COORDINATES * MOST_COORDINATES] = {0};
        double A[MOST_COORDINATES * MOST_COORDINATES];
        random_plain(generator, GENERIC, 2, &plain);
        random_caps(generator, 2, caps);
        const int n = plain.n;
        changed = plain;
        for (int i = 0; i < n * n; i++) {
            T[i] = (i % (n + 1) == 0 ? 1.5 : 0.0) + uniform(generator, -0.3, 0.3);
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                double sum = 0.0;
                for (int a = 0; a < n * n; a++) {
                    sum += T[a / n * n + i] * plain.M[a] * T[a % n * n + j];
                }
                changed.M[i * n + j] = sum;
                changed.M[j * n + i] = sum;
            }
            for (int a = 0; a < 4; a++) {
                changed.J[a * n + i] = 0.0;
                for (int j = 0; j < n; j++) {
                    changed.J[a * n + i] += plain.J[a * n + j] * T[j * n + i];
                }
            }
        }
        memcpy(A, T, sizeof(A));
        eliminate(n, 1, A, changed.v);
        complete(&changed);
        solve_modes(&plain, caps, &before);
        solve_modes(&changed, caps, &after);
        ck_assert_int_eq(before.count, after.count);
        for (int l = 0; l < before.count; l++) {
            ck_assert(find_plain(&after, 4, before.c[l], SAME_VELOCITY * largest_of(4, plain.c)) >=
                      0);
        }
    }
    gsl_rng_free(generator);
}

/* Theorem 6 in space with 4, 8 and 16 facets: solved, caps kept, no energy won, Lemma 13, cones. */
TEST(property, spatial_increments_are_solved) {
    const unsigned long seed = 851;
    gsl_rng *generator = seeded_generator(seed);
    const int facet_counts[3] = {4, 8, 16};
    int rescues = 0;
    for (int trial = 0; trial < 450; trial++) {
        const int m = 1 + trial / 3 % 3;
        const int r = 3 * m;
        plain_impact plain = {.n = 6, .m = m};
        double J[9 * 6];
        double v[6];
        double caps[3];
        random_mass(generator, false, &plain);
        for (int i = 0; i < r * 6; i++) {
            J[i] = trial % 4 == 3 ? (double)gsl_rng_uniform_int(generator, 3) - 1.0
                                  : uniform(generator, -1.0, 1.0);
        }
        for (int i = 0; i < 6; i++) {
            v[i] = uniform(generator, -1.0, 1.0);
        }
        for (int i = 0; i < m; i++) {
            plain.mu[i] = random_friction(generator);
        }
        random_caps(generator, m, caps);
        carom_impact_problem *problem = NULL;
        carom_impulse_increment *increment = NULL;
        carom_increment_work *work = NULL;
        carom_increment_report report;
        double L[9];
        double c[9];
        assert_ok(carom_impact_problem_alloc(6, m, 2, plain.M, J, &J[m * 6], plain.mu, v, &problem,
                                             NULL));
        assert_ok(
            carom_impulse_increment_alloc(problem, facet_counts[trial % 3], &increment, NULL));
        assert_ok(carom_increment_work_alloc(increment, &work));
        memset(L, 0xff, sizeof(L));
        assert_ok(carom_impulse_increment_solve(increment, problem->contact_velocity, caps, NULL, L,
                                                work, &report));
        carom_impact_add_impulse(problem, L, problem->contact_velocity, c);
        const double tolerance = 1e-8 * fmax(1.0, largest_of(r, L));
        rescues += report.rescues > 0 ? 1 : 0;
        ck_assert(report.residual <= tolerance);
        bool is_full = false;
        double slowest = 0.0;
        for (int i = 0; i < m; i++) {
            const double sliding = hypot(L[m + 2 * i], L[m + 2 * i + 1]);
            ck_assert(L[i] >= -tolerance && L[i] <= caps[i] + tolerance);
            ck_assert(sliding <= plain.mu[i] * L[i] + tolerance);
            ck_assert(L[i] * c[i] <= tolerance);
            is_full = is_full || L[i] >= caps[i] - tolerance;
            slowest = fmin(slowest, c[i]);
        }
        ck_assert(is_full || slowest >= -tolerance);
        ck_assert(carom_impact_energy_change(problem, L, problem->contact_velocity, c) <=
                  tolerance);
        carom_increment_work_free(work);
        carom_impulse_increment_free(increment);
        carom_impact_problem_free(problem);
    }
    ck_assert_int_lt(rescues, 45);
    gsl_rng_free(generator);
}
