/* carom/collisionless: rectangles of impact times without a root, and balls with one alone. */
#include <carom/collisionless/roots/internal.h>

#include "../../failing_malloc.h"
#include "../independent.h"

static const unsigned long SEED = 24021604;

/** The impact matrix of some spectra with both tests. */
typedef struct subject {
    carom_phase_spectra *spectra;
    carom_impact_matrix *matrix;
    carom_root_exclusion *exclusion;
    carom_root_newton *newton;
} subject;

static subject subject_of(carom_phase_spectra *s) {
    subject all = {.spectra = s};
    assert_ok(carom_impact_matrix_alloc(s, &all.matrix, NULL));
    assert_ok(carom_root_exclusion_alloc(all.matrix, &all.exclusion));
    assert_ok(carom_root_newton_alloc(all.matrix, &all.newton));
    return all;
}

static void subject_free(subject *all) {
    carom_root_exclusion_free(all->exclusion);
    carom_root_newton_free(all->newton);
    carom_impact_matrix_free(all->matrix);
    carom_phase_spectra_free(all->spectra);
}

/** N = 2..5, at least one oscillating mode in each phase, any parities. */
static subject random_subject(draws *d) {
    const int N = 2 + (int)(d->sample % 4);
    const int positive = 2 + (int)draw(d, 0.0, 2.0 * N - 2.0);
    carom_phase_spectra *s = random_spectra(d, N, (positive + 1) / 2, positive / 2);
    draw_parities(d, s, draw(d, 0.0, 1.0) < 0.5);
    return subject_of(s);
}

/** Whether a rectangle is excluded, with bounds that hold in it; the offset of a guess. */
static bool is_excluded_or(subject *all, const carom_time_rectangle *r, double offset[2]) {
    carom_impact_bounds_of_change bounds = {{0.0, 0.0}, {0.0, 0.0}};
    const double time[] = {fmax(0.0, r->centre[0] - r->half[0]), r->centre[0] + r->half[0]};
    const double held[] = {fmax(0.0, r->centre[1] - r->half[1]), r->centre[1] + r->half[1]};
    carom_impact_matrix_bounds(all->matrix, time, held, bounds.rates, bounds.curvatures);
    offset[0] = offset[1] = (double)NAN;
    return carom_root_exclusion_holds(all->exclusion, r, &bounds, offset);
}

static bool is_excluded(subject *all, const carom_time_rectangle *r) {
    double offset[2];
    const bool holds = is_excluded_or(all, r, offset);
    ck_assert(!isnan(offset[0]) && !isnan(offset[1]));
    return holds;
}

static const double BOX[] = {0.4, 4.5, 0.4, 4.5};

TEST(property, a_rectangle_around_a_root_is_never_excluded) {
    int tried = 0;
    for (unsigned long sample = 0; sample < 24; sample++) {
        draws d = {SEED, sample, 0};
        subject all = random_subject(&d);
        grid_roots found;
        grid_roots_find(all.spectra, BOX, 0.12, &found);
        for (int i = 0; i < 60 * found.count; i++) {
            // sizes of 1e-8 to 0.5; the root anywhere, also on the edge
            carom_time_rectangle r;
            for (int k = 0; k < 2; k++) {
                r.half[k] = pow(10.0, draw(&d, -8.0, -0.3));
                const double edge = draw(&d, -1.3, 1.3);
                r.centre[k] =
                    found.times[i / 60][k] + fmax(-1.0, fmin(1.0, edge)) * (r.half[k] - 1e-10);
            }
            ck_assert_msg(!is_excluded(&all, &r), "seed %lu sample %lu: %.15g +- %g, %.15g +- %g",
                          SEED, sample, r.centre[0], r.half[0], r.centre[1], r.half[1]);
            tried++;
        }
        subject_free(&all);
    }
    ck_assert_int_ge(tried, 60 * 50);
}

TEST(property, an_excluded_rectangle_keeps_its_rank_everywhere) {
    int excluded = 0;
    for (unsigned long sample = 0; sample < 400; sample++) {
        draws d = {SEED + 1, sample, 0};
        subject all = random_subject(&d);
        for (int trial = 0; trial < 10; trial++) {
            const double half = pow(10.0, draw(&d, -1.5, 0.5));
            const carom_time_rectangle r = {{draw(&d, 0.3, 5.0), draw(&d, 0.3, 5.0)},
                                            {half, half * pow(10.0, draw(&d, -1.0, 1.0))}};
            if (!is_excluded(&all, &r)) {
                continue;
            }
            excluded++;
            // Newton iterations from points of it end outside
            for (int start = 0; start < 4; start++) {
                carom_impact_root root;
                const double time = r.centre[0] + draw(&d, -1.0, 1.0) * r.half[0];
                const double held = r.centre[1] + draw(&d, -1.0, 1.0) * r.half[1];
                if (time <= 0.0 || held <= 0.0 ||
                    carom_root_newton_polish(all.newton, time, held, &root, NULL) != CAROM_OK) {
                    continue;
                }
                ck_assert_msg(fabs(root.time - r.centre[0]) > r.half[0] ||
                                  fabs(root.constrained_time - r.centre[1]) > r.half[1],
                              "seed %lu sample %lu: %.15g, %.15g", SEED, sample, root.time,
                              root.constrained_time);
            }
        }
        subject_free(&all);
    }
    ck_assert_int_ge(excluded, 400);
}

TEST(property, small_rectangles_without_a_root_are_excluded) {
    for (unsigned long sample = 0; sample < 150; sample++) {
        draws d = {SEED + 2, sample, 0};
        subject all = random_subject(&d);
        for (int trial = 0; trial < 10; trial++) {
            carom_time_rectangle r = {{draw(&d, 0.4, 4.5), draw(&d, 0.4, 4.5)}, {0.0, 0.0}};
            carom_impact_rank rank;
            assert_ok(carom_impact_matrix_rank(all.matrix, r.centre[0], r.centre[1], &rank, NULL));
            // The least entry of R and the least value of R_11 are within factors of N of the two
            // smallest singular values; the square of the change over the second one must stay
            // below the first.
            const double reach = 0.02 * fmin(rank.smallest, sqrt(rank.smallest * rank.second));
            carom_impact_bounds_of_change bounds;
            carom_impact_matrix_bounds(all.matrix, (double[]){0.2, 5.0}, (double[]){0.2, 5.0},
                                       bounds.rates, bounds.curvatures);
            r.half[0] = reach / bounds.rates[0];
            r.half[1] = reach / bounds.rates[1];
            ck_assert_msg(is_excluded(&all, &r), "seed %lu sample %lu: %.15g, %.15g, ranks %g %g",
                          SEED, sample, r.centre[0], r.centre[1], rank.smallest, rank.second);
        }
        subject_free(&all);
    }
}

TEST(property, rectangles_next_to_a_root_are_excluded_up_to_near_it) {
    // To first order Z stays away from losing rank along a ray from a simple root: a square of a
    // hundredth of its distance is excluded, however close it is.
    int tried = 0;
    for (unsigned long sample = 0; sample < 16; sample++) {
        draws d = {SEED + 3, sample, 0};
        subject all = random_subject(&d);
        grid_roots found;
        grid_roots_find(all.spectra, BOX, 0.12, &found);
        for (int i = 0; i < 16 * found.count; i++) {
            const double distance = pow(10.0, -2.0 - i % 4);
            const double angle = draw(&d, 0.0, 2.0 * M_PI);
            const double *root = found.times[i / 16];
            carom_impact_root polished;
            assert_ok(carom_root_newton_polish(all.newton, root[0], root[1], &polished, NULL));
            if (polished.second_singular_value < 0.05) {
                continue;
            }
            const carom_time_rectangle r = {
                {root[0] + distance * cos(angle), root[1] + distance * sin(angle)},
                {0.003 * distance, 0.003 * distance}};
            tried++;
            ck_assert_msg(is_excluded(&all, &r), "seed %lu sample %lu: %.15g, %.15g at %g", SEED,
                          sample, r.centre[0], r.centre[1], distance);
        }
        subject_free(&all);
    }
    ck_assert_int_ge(tried, 16 * 10);
}

/** Least length of f + s a + t b for |s|, |t| <= 1 in three dimensions: bisection on t of the
 * slope, the best s of each t in closed form. */
static double least_length(const double *f, const double *a, const double *b) {
    double low = -1.0;
    double high = 1.0;
    double x[3];
    for (int step = 0; step < 60; step++) {
        const double t = 0.5 * (low + high);
        double along = 0.0;
        double square = 1e-300;
        for (int i = 0; i < 3; i++) {
            along -= (f[i] + t * b[i]) * a[i];
            square += a[i] * a[i];
        }
        const double s = fmax(-1.0, fmin(1.0, along / square));
        double slope = 0.0;
        for (int i = 0; i < 3; i++) {
            x[i] = f[i] + t * b[i] + s * a[i];
            slope += x[i] * b[i];
        }
        *(slope > 0.0 ? &high : &low) = t;
    }
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

/** Distance less remainder of the test for N = 2 and 3, where R_11 is empty or one number: column
 * c of Z, |c| = s, is projected out of f = Z v and of its derivatives. */
static double expected_margin(const subject *all, const carom_time_rectangle *r,
                              const carom_impact_bounds_of_change *bounds) {
    const int N = all->spectra->mode_count;
    double Z[3][6];
    carom_impact_matrix_evaluate(all->matrix, r->centre[0], r->centre[1], Z[0], Z[1], Z[2]);
    double square[2] = {0.0, 0.0};
    double product = 0.0;
    for (int i = 0; N == 3 && i < 3; i++) {
        square[0] += Z[0][2 * i] * Z[0][2 * i];
        square[1] += Z[0][2 * i + 1] * Z[0][2 * i + 1];
        product += Z[0][2 * i] * Z[0][2 * i + 1];
    }
    const int first = square[1] > square[0] ? 1 : 0;
    const double strength = N == 3 ? sqrt(square[first]) : HUGE_VAL;
    double v[2] = {1.0, 1.0};
    v[N == 3 ? first : 1] = N == 3 ? -product / square[first] : 0.0;
    double images[3][3] = {{0.0}, {0.0}, {0.0}};
    for (int which = 0; which < 3; which++) {
        double along = 0.0;
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N - 1 && j < 2; j++) {
                images[which][i] += Z[which][i * (N - 1) + j] * v[j];
            }
            images[which][i] *= which == 0 ? 1.0 : r->half[which - 1];
            along += N == 3 ? images[which][i] * Z[0][2 * i + first] / strength : 0.0;
        }
        for (int i = 0; N == 3 && i < N; i++) {
            images[which][i] -= along * Z[0][2 * i + first] / strength;
        }
    }
    const double across = bounds->rates[0] * r->half[0];
    const double up = bounds->rates[1] * r->half[1];
    const double second_order = 0.5 * bounds->curvatures[0] * r->half[0] * r->half[0] +
                                across * up + 0.5 * bounds->curvatures[1] * r->half[1] * r->half[1];
    if (!(across + up < strength)) {
        return -HUGE_VAL;
    }
    const double coupling = (across + up) * (across + up) / (strength - across - up);
    return least_length(images[0], images[1], images[2]) -
           hypot(v[0], v[1]) * (second_order + coupling);
}

TEST(property, the_test_is_as_sharp_as_it_claims) {
    int held = 0;
    int failed = 0;
    for (unsigned long sample = 0; sample < 600; sample++) {
        draws d = {SEED + 10, sample, 0};
        const int N = 2 + (int)(sample % 2);
        const int positive = 2 + (int)draw(&d, 0.0, 2.0 * N - 2.0);
        carom_phase_spectra *s = random_spectra(&d, N, (positive + 1) / 2, positive / 2);
        draw_parities(&d, s, true);
        subject all = subject_of(s);
        for (int trial = 0; trial < 10; trial++) {
            const carom_time_rectangle r = {
                {draw(&d, 0.4, 4.5), draw(&d, 0.4, 4.5)},
                {pow(10.0, draw(&d, -1.5, 0.0)), pow(10.0, draw(&d, -1.5, 0.0))}};
            const carom_impact_bounds_of_change bounds = {{draw(&d, 0.1, 0.8), draw(&d, 0.1, 0.8)},
                                                          {draw(&d, 0.0, 3.0), draw(&d, 0.0, 3.0)}};
            const double margin = expected_margin(&all, &r, &bounds);
            double offset[2];
            const bool holds = carom_root_exclusion_holds(all.exclusion, &r, &bounds, offset);
            // the lengths are of the order of |v| <= 1.5, rounded some hundred times
            if (fabs(margin) > 1e-12) {
                ck_assert_msg(holds == (margin > 0.0), "seed %lu sample %lu: margin %g", SEED,
                              sample, margin);
            }
            held += holds;
            failed += !holds;
        }
        subject_free(&all);
    }
    ck_assert_int_ge(held, 500);
    ck_assert_int_ge(failed, 500);
}

TEST(property, the_offset_leads_to_a_root_to_second_order) {
    int tried = 0;
    for (unsigned long sample = 0; sample < 16; sample++) {
        draws d = {SEED + 9, sample, 0};
        subject all = random_subject(&d);
        grid_roots found;
        grid_roots_find(all.spectra, BOX, 0.12, &found);
        for (int i = 0; i < found.count; i++) {
            const double *times = found.times[i];
            carom_impact_root root;
            assert_ok(carom_root_newton_polish(all.newton, times[0], times[1], &root, NULL));
            if (root.second_singular_value < 0.05) {
                continue;
            }
            const double angle = draw(&d, 0.0, 2.0 * M_PI);
            double errors[2];
            for (int k = 0; k < 2; k++) {
                const double distance = k == 0 ? 1e-4 : 1e-5;
                const carom_time_rectangle r = {{root.time + distance * cos(angle),
                                                 root.constrained_time + distance * sin(angle)},
                                                {2.0 * distance, 2.0 * distance}};
                double offset[2];
                ck_assert(!is_excluded_or(&all, &r, offset));
                errors[k] = hypot(r.centre[0] + offset[0] - root.time,
                                  r.centre[1] + offset[1] - root.constrained_time);
            }
            // a hundredth for a tenth of the distance; the root is known to 1e-14
            ck_assert_msg(errors[1] < 0.02 * errors[0] + 1e-12,
                          "seed %lu sample %lu: errors %g, %g", SEED, sample, errors[0], errors[1]);
            ck_assert(errors[0] < 1e-5);
            tried++;
        }
        subject_free(&all);
    }
    ck_assert_int_ge(tried, 10);
}

TEST(property, a_smaller_bound_excludes_no_less) {
    // holds(bounds) implies holds for smaller bounds
    for (unsigned long sample = 0; sample < 100; sample++) {
        draws d = {SEED + 4, sample, 0};
        subject all = random_subject(&d);
        const carom_time_rectangle r = {{draw(&d, 0.4, 4.5), draw(&d, 0.4, 4.5)}, {0.05, 0.05}};
        carom_impact_bounds_of_change bounds;
        carom_impact_matrix_bounds(all.matrix, (double[]){r.centre[0] - 0.05, r.centre[0] + 0.05},
                                   (double[]){r.centre[1] - 0.05, r.centre[1] + 0.05}, bounds.rates,
                                   bounds.curvatures);
        double offset[2];
        const bool holds = carom_root_exclusion_holds(all.exclusion, &r, &bounds, offset);
        for (int k = 0; k < 2; k++) {
            bounds.rates[k] *= 0.5;
            bounds.curvatures[k] *= 0.5;
        }
        ck_assert(!holds || carom_root_exclusion_holds(all.exclusion, &r, &bounds, offset));
        subject_free(&all);
    }
}

TEST(unit, two_modes_are_excluded_by_their_two_equations) {
    // N = 2: Z has one column and loses rank only at zero. At the middle between the roots n = 2
    // and 3 of the pendulum wheel (reference table A.8, o_2 = beta_n(1)) a square of 0.3 holds
    // none, around each root one.
    const double lambda[] = {-M_SQRT2, M_SQRT2};
    const double held = 1.0;
    const double w = sqrt(M_SQRT2);
    subject all = subject_of(uniform_spectra(2, lambda, &held, CAROM_PARITY_ODD, CAROM_PARITY_ODD));
    const double tau = 0.5 * (5.4978039190008 + 8.6393798286997) / w;
    ck_assert(is_excluded(&all, &(carom_time_rectangle){{tau, 0.87}, {0.3, 0.3}}));
    ck_assert(!is_excluded(&all, &(carom_time_rectangle){{5.4978039190008 / w, 0.87}, {0.1, 0.1}}));
    ck_assert(!is_excluded(&all, &(carom_time_rectangle){{tau, 0.87}, {1.4, 0.3}}));
    subject_free(&all);
}

TEST(property, no_other_root_is_within_the_solitary_radius) {
    int roots = 0;
    for (unsigned long sample = 0; sample < 24; sample++) {
        draws d = {SEED + 5, sample, 0};
        subject all = random_subject(&d);
        const double k = carom_impact_matrix_frequency_scale(all.matrix);
        grid_roots found;
        grid_roots_find(all.spectra, (double[]){0.2, 6.0, 0.2, 6.0}, 0.15, &found);
        for (int i = 0; i < found.count; i++) {
            carom_impact_root root;
            assert_ok(carom_root_newton_polish(all.newton, found.times[i][0], found.times[i][1],
                                               &root, NULL));
            ck_assert_int_eq(root.column, 0);
            ck_assert_int_eq(root.row, -1);
            const double radius = carom_root_newton_solitary_radius(all.newton, &root) / k;
            ck_assert_msg(radius > 0.0, "seed %lu sample %lu: %.15g, %.15g, second %g", SEED,
                          sample, root.time, root.constrained_time, root.second_singular_value);
            roots++;
            for (int j = 0; j < found.count; j++) {
                const double distance =
                    hypot(found.times[j][0] - root.time, found.times[j][1] - root.constrained_time);
                ck_assert_msg(j == i || distance > radius, "seed %lu sample %lu: %g <= %g", SEED,
                              sample, distance, radius);
            }
            // iterations from its ball end in the root or outside
            for (int start = 0; start < 8; start++) {
                const double angle = draw(&d, 0.0, 2.0 * M_PI);
                const double reach = radius * draw(&d, 0.0, 1.0);
                carom_impact_root other;
                if (carom_root_newton_polish(all.newton, root.time + reach * cos(angle),
                                             root.constrained_time + reach * sin(angle), &other,
                                             NULL) == CAROM_OK) {
                    const double distance = hypot(other.time - root.time,
                                                  other.constrained_time - root.constrained_time);
                    ck_assert(distance < 1e-9 || distance > radius);
                }
            }
        }
        subject_free(&all);
    }
    ck_assert_int_ge(roots, 60);
}

/** Smallest singular value of A, the derivative of Z q by (tau, tau', q), with kappa = 1/s: columns
 * Z_tau q, Z_tau' q and Z times an orthonormal complement of the null vector q. */
static double derivative_strength(const subject *all, const carom_impact_root *root, double k) {
    const int N = all->spectra->mode_count;
    const size_t n = (size_t)N;
    double Z[3][MODES * MODES];
    double q[MODES];
    double values[MODES];
    carom_impact_matrix_evaluate(all->matrix, root->time, root->constrained_time, Z[0], Z[1], Z[2]);
    gsl_matrix_const_view view = gsl_matrix_const_view_array(Z[0], n, n - 1);
    singular_values(&view.matrix, values, q);
    // [Z; q' as further row] has the complement's part of Z and 1 as singular values, so A'A is
    // that of [Z + (Z q = 0), Z_tau q, Z_tau' q] with q made no longer a null vector: a column 1 q'
    gsl_matrix *A = gsl_matrix_calloc(n + 1, n + 1);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N - 1; j++) {
            gsl_matrix_set(A, (size_t)i, (size_t)j, Z[0][i * (N - 1) + j]);
            for (int which = 1; which < 3; which++) {
                *gsl_matrix_ptr(A, (size_t)i, n - 2 + (size_t)which) +=
                    Z[which][i * (N - 1) + j] * q[j] / k;
            }
        }
    }
    for (int j = 0; j < N - 1; j++) {
        // far above all other singular values
        gsl_matrix_set(A, n, (size_t)j, 100.0 * q[j]);
    }
    singular_values(A, values, NULL);
    gsl_matrix_free(A);
    return values[N];
}

/** s - K d/2 - R t/d of the criterion, with the sharpest K and R that the bounds in the ball give;
 * negative where a second root at the distance d cannot be ruled out. kappa = 1/s. */
static double solitary_margin(const subject *all, const carom_impact_root *root, double strength,
                              double d, double k) {
    const double reach = d / k;
    double rates[2];
    double curvatures[2];
    carom_impact_matrix_bounds(
        all->matrix, (double[]){fmax(0.0, root->time - reach), root->time + reach},
        (double[]){fmax(0.0, root->constrained_time - reach), root->constrained_time + reach},
        rates, curvatures);
    const double mean = 0.5 * (curvatures[0] + curvatures[1]);
    const double K =
        (mean + hypot(0.5 * (curvatures[0] - curvatures[1]), rates[0] * rates[1])) / (k * k);
    const double R = hypot(rates[0], rates[1]) / k;
    const double second = root->second_singular_value;
    const double rest = second * second - R * R * d * d;
    const double slope = all->spectra->mode_count == 2 ? 0.0 : R / sqrt(fmax(rest, 1e-300));
    return strength - 0.5 * K * d - R * slope * d;
}

TEST(property, the_solitary_radius_is_what_its_criterion_allows) {
    int roots = 0;
    for (unsigned long sample = 0; sample < 24; sample++) {
        draws d = {SEED + 11, sample, 0};
        subject all = random_subject(&d);
        const double k = carom_impact_matrix_frequency_scale(all.matrix);
        grid_roots found;
        grid_roots_find(all.spectra, BOX, 0.12, &found);
        for (int i = 0; i < found.count; i++) {
            carom_impact_root root;
            assert_ok(carom_root_newton_polish(all.newton, found.times[i][0], found.times[i][1],
                                               &root, NULL));
            const double strength = derivative_strength(&all, &root, k);
            const double radius = carom_root_newton_solitary_radius(all.newton, &root);
            ck_assert_msg(solitary_margin(&all, &root, strength, radius, k) > 0.0,
                          "seed %lu sample %lu: %.15g, %.15g, radius %g", SEED, sample, root.time,
                          root.constrained_time, radius);
            // and no less than half of it, unless it is cut by the interval of its bounds
            const double nearest = k * fmin(root.time, root.constrained_time);
            ck_assert(radius > 0.3 * nearest ||
                      solitary_margin(&all, &root, strength, 2.0 * radius, k) < 0.0);
            roots++;
        }
        subject_free(&all);
    }
    ck_assert_int_ge(roots, 40);
}

TEST(property, close_roots_have_small_radii) {
    // Two unit masses on springs that nearly decouple: lambda'_1 close to lambda_1. For N = 2 and
    // an even pair, roots of the slow and of the fast mode come as close as they may.
    for (unsigned long sample = 0; sample < 30; sample++) {
        draws d = {SEED + 6, sample, 0};
        const double slow = draw(&d, 0.3, 1.0);
        const double lambda[] = {slow, slow * draw(&d, 30.0, 60.0)};
        const double held = lambda[0] * (1.0 + pow(10.0, draw(&d, -4.0, -1.0)));
        subject all =
            subject_of(uniform_spectra(2, lambda, &held, CAROM_PARITY_EVEN, CAROM_PARITY_EVEN));
        grid_roots found;
        grid_roots_find(all.spectra, (double[]){0.5, 5.0, 0.5, 5.0}, 0.1, &found);
        const double k = carom_impact_matrix_frequency_scale(all.matrix);
        for (int i = 0; i < found.count; i++) {
            carom_impact_root root;
            assert_ok(carom_root_newton_polish(all.newton, found.times[i][0], found.times[i][1],
                                               &root, NULL));
            const double radius = carom_root_newton_solitary_radius(all.newton, &root) / k;
            for (int j = 0; j < found.count; j++) {
                ck_assert(j == i || hypot(found.times[j][0] - root.time,
                                          found.times[j][1] - root.constrained_time) > radius);
            }
        }
        subject_free(&all);
    }
}

TEST(property, radii_do_not_depend_on_the_unit_of_time) {
    const double lambda[] = {-5.850284901586612, -0.673191369894797, 1.523476271481409};
    const double held[] = {-M_SQRT2, M_SQRT2};
    double radii[2];
    for (int way = 0; way < 2; way++) {
        const double unit = way == 0 ? 1.0 : 37.0;
        carom_phase_spectra *s =
            uniform_spectra(3, lambda, held, CAROM_PARITY_EVEN, CAROM_PARITY_ODD);
        for (int k = 0; k < 5; k++) {
            *(k % 2 == 0 ? &s->unconstrained[k / 2] : &s->constrained[k / 2]) *= unit * unit;
        }
        subject all = subject_of(s);
        carom_impact_root root;
        assert_ok(
            carom_root_newton_polish(all.newton, 3.0794771 / unit, 0.777845 / unit, &root, NULL));
        assert_close(root.time * unit, 3.07947715534505958, 3e-15, 0.0);
        radii[way] = carom_root_newton_solitary_radius(all.newton, &root);
        subject_free(&all);
    }
    // of a root known to 1e-15 and smooth bounds
    assert_close(radii[1], radii[0], 1e-9, 0.0);
}

TEST(unit, subdivision_appends_to_what_is_there) {
    draws d = {SEED + 7, 5, 0};
    subject all = random_subject(&d);
    grid_roots found;
    grid_roots_find(all.spectra, BOX, 0.1, &found);
    ck_assert_int_ge(found.count, 2);
    carom_root_search_params params = carom_root_search_params_default();
    params.min_time = BOX[0];
    params.max_time = BOX[1];
    params.min_constrained_time = BOX[2];
    params.max_constrained_time = BOX[3];
    carom_root_store store = {0, 0, NULL};
    const carom_impact_root other = {.time = 23.85, .column = 7};
    assert_ok(carom_root_store_add(&store, &other));
    carom_root_outcome outcome = {.boxes = 1000000, .undecided = 11, .undecided_share = 0.25};
    assert_ok(carom_root_subdivision_find(all.matrix, &params, 0.5, &store, &outcome));
    ck_assert_int_gt(outcome.boxes, 1000000);
    ck_assert_int_eq(outcome.undecided, 11);
    assert_close(outcome.undecided_share, 0.25, 0.0, 0.0);
    ck_assert_ptr_null(outcome.regions);
    ck_assert_int_eq(store.count, 1 + found.count);
    ck_assert_int_ge(store.capacity, store.count);
    assert_close(store.roots[0].time, 23.85, 0.0, 0.0);
    ck_assert_int_eq(store.roots[0].column, 7);
    for (int i = 1; i < store.count; i++) {
        ck_assert(grid_roots_distance(&found, store.roots[i].time,
                                      store.roots[i].constrained_time) < 1e-9);
        ck_assert(i == 1 || store.roots[i].time >= store.roots[i - 1].time);
    }
    free(store.roots);
    subject_free(&all);
}

TEST(errors, an_iteration_that_leaves_the_positive_times_has_no_root) {
    // claim 1: no root, wherever it starts
    const double lambda[] = {-1.7, -0.3, 2.2};
    const double held[] = {-0.9, -0.1};
    subject all = subject_of(uniform_spectra(3, lambda, held, CAROM_PARITY_EVEN, CAROM_PARITY_ODD));
    for (int start = 0; start < 36; start++) {
        carom_impact_root root;
        carom_report report = carom_report_empty();
        const int column = start % 6;
        const int row = start / 6;
        assert_status(carom_root_newton_polish(all.newton, 0.3 + column, 0.3 + row, &root, &report),
                      NOT_CONVERGED);
        ck_assert(isnan(root.time) && isnan(root.constrained_time) && isnan(root.residual));
        ck_assert_int_gt(report.iterations, 0);
        assert_status(carom_root_newton_polish(all.newton, 0.3 + column, 0.3 + row, &root, NULL),
                      NOT_CONVERGED);
    }
    subject_free(&all);
}

/** The three things that allocate, by number. */
static carom_status allocate(int which, carom_impact_matrix *matrix, void **out) {
    if (which == 0) {
        return carom_root_exclusion_alloc(matrix, (carom_root_exclusion **)out);
    }
    if (which == 1) {
        return carom_root_newton_alloc(matrix, (carom_root_newton **)out);
    }
    carom_root_search_params params = carom_root_search_params_default();
    params.min_time = params.min_constrained_time = 0.5;
    params.max_time = params.max_constrained_time = 8.0;
    carom_root_store store = {0, 0, NULL};
    carom_root_outcome outcome = {.boxes = 0};
    const carom_status status = carom_root_subdivision_find(matrix, &params, 1.0, &store, &outcome);
    free(store.roots);
    free(outcome.regions);
    *out = NULL;
    return status;
}

TEST(errors, any_allocation_may_fail) {
    const double lambda[] = {-1.7, 0.3, 2.2};
    const double held[] = {-0.4, 0.5};
    carom_phase_spectra *s = uniform_spectra(3, lambda, held, CAROM_PARITY_EVEN, CAROM_PARITY_ODD);
    subject all = subject_of(s);
    for (int which = 0; which < 3; which++) {
        carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
        int failures = 0;
        for (; status != CAROM_OK; failures++) {
            void *out = NULL;
            successes_left = failures;
            status = allocate(which, all.matrix, &out);
            successes_left = -1;
            ck_assert(status == CAROM_OK || status == CAROM_STATUS_OUT_OF_MEMORY);
            ck_assert(status == CAROM_OK || out == NULL);
            if (which == 0) {
                carom_root_exclusion_free(out);
            } else if (which == 1) {
                carom_root_newton_free(out);
            }
            ck_assert_int_lt(failures, 1000);
        }
        ck_assert_int_ge(failures, 2);
    }
    carom_root_store store = {0, 0, NULL};
    const carom_impact_root root = {.time = 1.0};
    successes_left = 0;
    const carom_status status = carom_root_store_add(&store, &root);
    successes_left = -1;
    assert_status(status, OUT_OF_MEMORY);
    ck_assert_int_eq(store.count, 0);
    free(store.roots);
    subject_free(&all);
}

TEST(errors, tests_of_boxes_and_roots_allocate_nothing) {
    draws d = {SEED + 8, 2, 0};
    subject all = random_subject(&d);
    const carom_time_rectangle r = {{1.3, 1.7}, {0.1, 0.2}};
    const carom_impact_bounds_of_change bounds = {{2.0, 2.0}, {4.0, 4.0}};
    carom_impact_root root;
    double offset[2];
    allocations = 0;
    (void)carom_root_exclusion_holds(all.exclusion, &r, &bounds, offset);
    const carom_status status = carom_root_newton_polish(all.newton, 1.3, 1.7, &root, NULL);
    const double radius =
        status == CAROM_OK ? carom_root_newton_solitary_radius(all.newton, &root) : 0.0;
    const int asked_for = allocations;
    ck_assert_int_eq(asked_for, 0);
    ck_assert(radius >= 0.0);
    carom_root_exclusion_free(NULL);
    carom_root_newton_free(NULL);
    subject_free(&all);
}
