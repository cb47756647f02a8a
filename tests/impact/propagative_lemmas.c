/*
 * Lemmas 1 to 6, theorems 1 to 3 of seghete-2014 and the displays of their proofs, put to random
 * metrics, normals and momenta, reflections being written down with the mass matrix and the momenta
 * themselves. What the paper misprints has to fail as printed and to hold as corrected.
 */
#include <carom/impact/propagative_impact.h>

#include "propagative_cases.h"

static const unsigned long SEED = 20141001;

/* Products in metrics of a condition below a hundred, some reflections. */
static const double ROUNDING = 1e-12;
/* Momenta closer to a wall than this are not asked on which side they are. */
static const double NEAR_WALL = 1e-9;

enum { U, V, PAIR, DRAWS = 1000 };

static double length_of(const propagative_case *x, const double *a) {
    return sqrt(metric_product(x, a, a));
}

/* w + factor a */
static void add(int n, double factor, const double *a, double *w) {
    for (int k = 0; k < n; k++) {
        w[k] += factor * a[k];
    }
}

/* Largest |a_k - b_k|. */
static double difference(int n, const double *a, const double *b) {
    double largest = 0.0;
    for (int k = 0; k < n; k++) {
        largest = fmax(largest, fabs(a[k] - b[k]));
    }
    return largest;
}

/* Makes the first `count` covectors of a [..][n] orthonormal in the metric, in place. */
static void orthonormalise(const propagative_case *x, int count, double *a) {
    for (int i = 0; i < count; i++) {
        for (int pass = 0; pass < 2; pass++) {
            for (int j = 0; j < i; j++) {
                const double part = metric_product(x, a + i * x->n, a + j * x->n);
                add(x->n, -part, a + j * x->n, a + i * x->n);
            }
        }
        const double length = length_of(x, a + i * x->n);
        for (int k = 0; k < x->n; k++) {
            a[i * x->n + k] /= length;
        }
    }
}

/* Two unit normals of half opening gamma, (u,v) = -cos 2 gamma, in a random metric; the momentum
 * has the length one in their plane, at `angle` from their bisector towards u, and `beside` across
 * it (n > 2). */
static propagative_case pair_case(unsigned long sample, int n, double gamma, double angle,
                                  double beside) {
    propagative_case x = random_case(SEED, sample, n, n < 3 ? n : 3);
    double basis[3 * MOST_COORDINATES] = {0};
    memcpy(basis, x.N, sizeof(double) * (size_t)(x.m * n));
    orthonormalise(&x, x.m, basis);
    const double *r = basis;          /* the bisector r_0 */
    const double *across = basis + n; /* towards u */
    x.m = PAIR;
    memset(x.N, 0, sizeof x.N);
    memset(x.p, 0, sizeof x.p);
    for (int i = U; i < PAIR; i++) {
        add(n, sin(gamma), r, x.N + i * n);
        add(n, i == U ? cos(gamma) : -cos(gamma), across, x.N + i * n);
    }
    add(n, cos(angle), r, x.p);
    add(n, sin(angle), across, x.p);
    if (n > PAIR) {
        add(n, beside, basis + 2 * n, x.p);
    }
    complete_case(&x);
    return x;
}

/* r_0 = (u + v)/|u + v| */
static void bisector_of(const propagative_case *x, double *r) {
    memset(r, 0, sizeof(double) * MOST_COORDINATES);
    add(x->n, 1.0, x->N, r);
    add(x->n, 1.0, x->N + x->n, r);
    const double length = length_of(x, r);
    for (int k = 0; k < x->n; k++) {
        r[k] /= length;
    }
}

/* p Gamma .. of `count` alternating reflections, the first across `first`. */
static void alternate(const propagative_case *x, int first, int count, double *p) {
    for (int i = 0; i < count; i++) {
        reflect_momentum(x, (first + i) % PAIR, p);
    }
}

/* --- sections II and III ---------------------------------------------------------------------- */

/* Lemma 5, (21): inner products of any two covectors stay. */
TEST(property, a_reflection_keeps_inner_products) {
    for (unsigned long sample = 0; sample < DRAWS; sample++) {
        const int n = 2 + (int)(sample % 5);
        const propagative_case x = random_case(SEED + 1, sample, n, 3);
        double a[MOST_COORDINATES];
        double b[MOST_COORDINATES];
        memcpy(a, x.p, sizeof a);
        memcpy(b, x.N + n, sizeof(double) * (size_t)n);
        const double before = metric_product(&x, a, b);
        const double size = length_of(&x, a) * length_of(&x, b);
        reflect_momentum(&x, 0, a);
        reflect_momentum(&x, 0, b);
        assert_close(metric_product(&x, a, b), before, 0.0, ROUNDING * size);
    }
}

/* (13): impulses in any ratio, scaled to keep the energy, and none is negative. */
TEST(property, two_contacts_have_a_continuum_of_elastic_solutions) {
    for (unsigned long sample = 0; sample < DRAWS; sample++) {
        const double gamma = 0.05 + 1.4 * (double)sample / DRAWS;
        const propagative_case x = pair_case(sample, 4, gamma, M_PI + 0.3 * gamma, 0.7);
        for (int i = 0; i <= 8; i++) {
            const double t = i / 8.0;
            double d[MOST_COORDINATES] = {0};
            double p[MOST_COORDINATES];
            add(4, t, x.N, d);
            add(4, 1.0 - t, x.N + 4, d);
            const double s = -2.0 * (t * x.c[U] + (1.0 - t) * x.c[V]) / metric_product(&x, d, d);
            ck_assert_double_gt(s, 0.0);
            memcpy(p, x.p, sizeof p);
            add(4, s, d, p);
            assert_close(0.5 * metric_product(&x, p, p), x.energy, 1e-11, 0.0);
        }
    }
}

/* Before (14): from u on, the last reflection is across v as printed only if their number is even.
 */
TEST(property, sequences_end_across_the_contact_of_their_parity) {
    int ending[PAIR] = {0, 0};
    for (unsigned long sample = 0; sample < DRAWS; sample++) {
        const double gamma = 0.05 + 1.4 * (double)sample / DRAWS;
        const propagative_case x = pair_case(sample, 3, gamma, M_PI + 0.3 * gamma, 0.0);
        double p[MOST_COORDINATES];
        memcpy(p, x.p, sizeof p);
        int last = -1;
        int i = U;
        for (; dot(3, p, x.Y + i * 3) < -ROUNDING; i = 1 - i) {
            reflect_momentum(&x, i, p);
            last = i;
        }
        ck_assert_double_gt(fmin(dot(3, p, x.Y), dot(3, p, x.Y + 3)), -ROUNDING);
        ck_assert_int_ge(last, 0);
        ending[last]++;
    }
    ck_assert_int_gt(ending[U], DRAWS / 10);
    ck_assert_int_gt(ending[V], DRAWS / 10);
}

/* Words of up to so many reflections; openings that need no more. */
enum { LONGEST_WORD = 6, WORDS = 1 << LONGEST_WORD };

/* Whether each word ends feasible; the contacts of a word are the bits of its number, the first one
 * the highest of `length`. */
static void list_words(const propagative_case *x, bool feasible[LONGEST_WORD + 1][WORDS]) {
    for (int length = 0; length <= LONGEST_WORD; length++) {
        for (int word = 0; word < (1 << length); word++) {
            double p[MOST_COORDINATES];
            memcpy(p, x->p, sizeof p);
            for (int i = length - 1; i >= 0; i--) {
                reflect_momentum(x, word >> i & 1, p);
            }
            feasible[length][word] =
                fmin(dot(x->n, p, x->Y), dot(x->n, p, x->Y + x->n)) >= -ROUNDING;
        }
    }
}

/* Definition 1: feasible at the end, and no proper part of it, in its order, is. */
static bool is_minimal(bool feasible[LONGEST_WORD + 1][WORDS], int length, int word) {
    bool is_alone = feasible[length][word];
    for (int kept = 0; is_alone && kept + 1 < (1 << length); kept++) {
        int part = 0;
        int part_length = 0;
        for (int i = length - 1; i >= 0; i--) {
            if ((kept >> i & 1) != 0) {
                part = 2 * part + (word >> i & 1);
                part_length++;
            }
        }
        is_alone = !feasible[part_length][part];
    }
    return is_alone;
}

/* Lemma 1 and the existence of theorem 1, by all words: minimal sequences alternate, and an
 * infeasible momentum has one or two. */
TEST(property, minimal_sequences_alternate_and_are_one_or_two) {
    for (unsigned long sample = 0; sample < DRAWS; sample++) {
        unsigned long d = 0;
        const double gamma = draw(SEED + 2, sample, &d, 0.27, 1.5);
        const double angle = draw(SEED + 2, sample, &d, gamma + 1e-3, 2.0 * M_PI - gamma - 1e-3);
        const propagative_case x = pair_case(sample, 2, gamma, angle, 0.0);
        bool feasible[LONGEST_WORD + 1][WORDS];
        list_words(&x, feasible);
        int count = 0;
        ck_assert(!feasible[0][0]);
        for (int length = 1; length <= LONGEST_WORD; length++) {
            for (int word = 0; word < (1 << length); word++) {
                if (is_minimal(feasible, length, word)) {
                    const int changes = (word ^ word >> 1) & ((1 << (length - 1)) - 1);
                    ck_assert_int_eq(changes, (1 << (length - 1)) - 1);
                    count++;
                }
            }
        }
        ck_assert_int_ge(count, 1);
        ck_assert_int_le(count, PAIR);
    }
}

/* --- section IV ------------------------------------------------------------------------------- */

/* Lemmas 2 and 3: the part in the plane of the normals decides and alone is reflected. */
TEST(property, the_part_in_the_plane_of_the_normals_decides) {
    for (unsigned long sample = 0; sample < DRAWS; sample++) {
        unsigned long d = 0;
        const int n = 3 + (int)(sample % 4);
        const double gamma = draw(SEED + 3, sample, &d, 0.05, 1.5);
        const double angle = draw(SEED + 3, sample, &d, -M_PI, M_PI);
        const propagative_case x = pair_case(sample, n, gamma, angle, 0.8);
        const propagative_case plane = pair_case(sample, n, gamma, angle, 0.0);
        double whole[MOST_COORDINATES];
        double part[MOST_COORDINATES];
        memcpy(whole, x.p, sizeof whole);
        memcpy(part, plane.p, sizeof part);
        for (int i = U; i < PAIR; i++) {
            assert_close(x.c[i], plane.c[i], 0.0, ROUNDING);
        }
        alternate(&x, U, 7, whole);
        alternate(&x, U, 7, part);
        add(n, 1.0, x.p, part);
        add(n, -1.0, plane.p, part);
        assert_close(difference(n, whole, part), 0.0, 0.0, 1e-11);
    }
}

/* Lemma 4, (20) and (38): in the plane p is feasible if and only if it is within gamma of r_0;
 * elsewhere that is enough but not needed. gamma is half the supplement of the angle between u and
 * v, not half that angle as printed. */
TEST(property, feasibility_is_an_angle_in_the_plane_of_the_normals) {
    int half_angle = 0;
    int beyond = 0;
    for (unsigned long sample = 0; sample < DRAWS; sample++) {
        unsigned long d = 0;
        const int n = 3 + (int)(sample % 4);
        const double gamma = draw(SEED + 4, sample, &d, 0.05, 1.5);
        const double angle = draw(SEED + 4, sample, &d, -M_PI, M_PI);
        const propagative_case x = pair_case(sample, n, gamma, angle, 0.6);
        double r[MOST_COORDINATES];
        double sum[MOST_COORDINATES] = {0};
        bisector_of(&x, r);
        add(n, 1.0, x.N, sum);
        add(n, 1.0, x.N + n, sum);
        assert_close(metric_product(&x, x.N, x.N + n), -cos(2.0 * gamma), 0.0, ROUNDING);
        assert_close(length_of(&x, sum), 2.0 * sin(gamma), 0.0, ROUNDING);
        const double along = metric_product(&x, x.p, r);
        assert_close(along, (x.c[U] + x.c[V]) / (2.0 * sin(gamma)), 0.0, 1e-11);
        assert_close(sqrt(0.5 * (1.0 - metric_product(&x, x.N, x.N + n))), cos(gamma), 0.0,
                     ROUNDING);
        /* The part in the plane has the length one, all of it sqrt(1 + 0.36). */
        const bool is_feasible = fmin(x.c[U], x.c[V]) >= 0.0;
        if (fabs(along - cos(gamma)) > NEAR_WALL) {
            ck_assert_int_eq(is_feasible, along >= cos(gamma));
            half_angle += is_feasible == (along >= sin(gamma)) ? 0 : 1;
        }
        const bool is_within = along >= sqrt(1.36) * cos(gamma) + NEAR_WALL;
        ck_assert(!is_within || is_feasible);
        beyond += is_feasible && !is_within ? 1 : 0;
    }
    ck_assert_int_gt(half_angle, DRAWS / 20);
    ck_assert_int_gt(beyond, DRAWS / 50);
}

/* The proof of lemma 4, p = a u + b v: forward, a b (1 + cos^2 2g) - (a^2 + b^2) cos 2g >= 0 where
 * the printed display fails; backward, (p,v) >= (|p| |u_t| - (p,u_t))/(2 sin^2 g) >= 0. */
TEST(property, the_steps_of_the_proof_of_lemma_4_hold_as_corrected) {
    int violated = 0;
    int feasible = 0;
    for (unsigned long sample = 0; sample < DRAWS; sample++) {
        unsigned long d = 0;
        const double gamma = draw(SEED + 5, sample, &d, 0.05, 1.5);
        const double angle = draw(SEED + 5, sample, &d, -1.0, 1.0) * gamma;
        const propagative_case x = pair_case(sample, 2, gamma, angle, 0.0);
        const double c = -cos(2.0 * gamma);
        const double C = cos(2.0 * gamma);
        const double S = sin(2.0 * gamma);
        const double a = (x.c[U] - c * x.c[V]) / (S * S);
        const double b = (x.c[V] - c * x.c[U]) / (S * S);
        const double squares = a * a + b * b;
        ck_assert_double_ge(a * b * (1.0 + C * C) - squares * C, -NEAR_WALL * squares);
        violated += a * b * S * S - 2.0 * squares * C < -NEAR_WALL * squares ? 1 : 0;
        /* u_t = u - (u,v) v of length sin 2g. */
        const double bound = (S - (x.c[U] - c * x.c[V])) / (2.0 * sin(gamma) * sin(gamma));
        ck_assert_double_ge(x.c[V], bound - NEAR_WALL);
        ck_assert_double_ge(bound, -NEAR_WALL);
        feasible++;
    }
    ck_assert_int_eq(feasible, DRAWS);
    ck_assert_int_gt(violated, DRAWS / 50);
}

/* After lemma 4: within arcsin min (w_i,r) of r a momentum is feasible for any number of contacts.
 */
TEST(property, momenta_near_the_axis_are_feasible_for_any_number_of_contacts) {
    for (unsigned long sample = 0; sample < DRAWS; sample++) {
        unsigned long d = 0;
        const int n = 3 + (int)(sample % 3);
        propagative_case x = random_case(SEED + 6, sample, n, 3 + (int)(sample % 6));
        carom_propagative_contacts *contacts = contacts_of(&x);
        double r[MOST_COORDINATES] = {0}; /* as a covector */
        for (int k = 0; k < n; k++) {
            r[k] = dot(k + 1, x.L + k * n, contacts->separator);
        }
        double w[2 * MOST_COORDINATES];
        memcpy(w, r, sizeof(double) * (size_t)n);
        memcpy(w + n, x.p, sizeof(double) * (size_t)n);
        orthonormalise(&x, 2, w);
        const double angle = draw(SEED + 6, sample, &d, 0.0, 1.0) * asin(contacts->separation);
        memset(x.p, 0, sizeof x.p);
        add(n, cos(angle), w, x.p);
        add(n, sin(angle), w + n, x.p);
        complete_case(&x);
        for (int i = 0; i < x.m; i++) {
            ck_assert_double_ge(x.c[i], -1e-11 * contacts->length[i]);
        }
        carom_propagative_contacts_free(contacts);
    }
}

/* Three contacts 120 degrees apart cannot be separated: every momentum approaches one of them, for
 * ever, which is why they are refused (contacts_that_cannot_be_separated_are_refused). */
TEST(unit, reflections_across_contacts_that_cannot_be_separated_never_end) {
    enum { CORNERS = 3, LONG = 10000 };
    propagative_case x = {.n = 2, .m = CORNERS, .M = {1.0, 0.0, 0.0, 1.0}, .p = {0.3, 0.8}};
    for (int i = 0; i < CORNERS; i++) {
        x.N[2 * i] = cos(2.0 * M_PI * i / CORNERS);
        x.N[2 * i + 1] = sin(2.0 * M_PI * i / CORNERS);
    }
    complete_case(&x);
    for (int step = 0; step < LONG; step++) {
        int fastest = 0;
        for (int i = 1; i < CORNERS; i++) {
            fastest = dot(2, x.p, x.N + 2 * i) < dot(2, x.p, x.N + 2 * fastest) ? i : fastest;
        }
        /* At least half of |p| along one of them. */
        ck_assert_double_lt(dot(2, x.p, x.N + 2 * fastest), -0.49 * sqrt(2.0 * x.energy));
        reflect_momentum(&x, fastest, x.p);
    }
}

/* Lemma 6 and (39): after k alternating reflections, from u on, r_0 is 2k gamma from where it was;
 * not with the k + 1 factors printed, and the induction holds where v was last, not u. */
TEST(property, images_of_the_bisector_turn_by_the_opening) {
    enum { REFLECTIONS = 24, N = 4 };
    double printed_factors = 0.0;
    double printed_induction = 0.0;
    for (unsigned long sample = 0; sample < DRAWS; sample++) {
        unsigned long d = 0;
        const double gamma = draw(SEED + 7, sample, &d, 0.05, 1.5);
        const propagative_case x = pair_case(sample, N, gamma, 1.0, 0.0);
        double r[MOST_COORDINATES];
        double image[MOST_COORDINATES];
        bisector_of(&x, r);
        memcpy(image, r, sizeof image);
        ck_assert_double_gt(fmin(dot(N, r, x.Y), dot(N, r, x.Y + N)), 0.0); /* feasible */
        for (int k = 1; k <= REFLECTIONS; k++) {
            const int last = (k - 1) % PAIR;
            reflect_momentum(&x, last, image);
            const double along = metric_product(&x, image, r);
            assert_close(along, cos(2.0 * k * gamma), 0.0, 1e-11);
            printed_factors = fmax(printed_factors, fabs(along - cos(2.0 * (k - 1) * gamma)));
            assert_close(dot(N, image, x.Y + last * N), -sin((2.0 * k - 1.0) * gamma), 0.0, 1e-11);
            const double other = dot(N, image, x.Y + (1 - last) * N);
            assert_close(other, sin((2.0 * k + 1.0) * gamma), 0.0, 1e-11);
            /* The display for k, of w_{k-1} = u printed: (r_k,u) = -sin (2k-1) gamma. */
            printed_induction =
                fmax(printed_induction,
                     last == V ? fabs(dot(N, image, x.Y) + sin((2.0 * k - 1.0) * gamma)) : 0.0);
        }
    }
    ck_assert_double_gt(printed_factors, 1.0);
    ck_assert_double_gt(printed_induction, 1.0);
}

/* Largest (p,r_i) of r_0 and its images by up to `most` reflections from a contact on. */
static double nearest_image(const propagative_case *x, int first, int most) {
    double r[MOST_COORDINATES];
    bisector_of(x, r);
    double nearest = metric_product(x, x->p, r);
    for (int i = 0; i < most; i++) {
        reflect_momentum(x, (first + i) % PAIR, r);
        nearest = fmax(nearest, metric_product(x, x->p, r));
    }
    return nearest;
}

/* (22) and the end of the proof of theorem 1: an image is within gamma of any momentum, that is
 * (p,r_i) >= |p| cos gamma; the printed bound without |p| fails for short ones. */
TEST(property, images_are_nowhere_farther_than_half_an_opening) {
    int missed_unscaled = 0;
    for (unsigned long sample = 0; sample < DRAWS; sample++) {
        unsigned long d = 0;
        const double gamma = draw(SEED + 8, sample, &d, 0.05, 1.5);
        const double angle = draw(SEED + 8, sample, &d, -M_PI, M_PI);
        const propagative_case x = pair_case(sample, 3, gamma, angle, 0.0);
        const int most = (int)ceil(M_PI / gamma);
        const double nearest = fmax(nearest_image(&x, U, most), nearest_image(&x, V, most));
        ck_assert_double_ge(nearest, cos(gamma) - 1e-11);
        missed_unscaled += 0.2 * nearest < cos(gamma) ? 1 : 0;
    }
    ck_assert_int_gt(missed_unscaled, DRAWS / 2);
}

/* --- section V -------------------------------------------------------------------------------- */

/* All orders of the contacts that are left from p on, each once. @return how many */
static int permute(const propagative_case *x, unsigned done, const double *p,
                   const double *expected) {
    int count = done + 1u == 1u << x->m ? 1 : 0;
    if (count == 1) {
        assert_close(difference(x->n, p, expected), 0.0, 0.0, 1e-11);
    }
    for (int i = 0; i < x->m; i++) {
        if ((done >> i & 1u) == 0) {
            double q[MOST_COORDINATES];
            memcpy(q, p, sizeof q);
            reflect_momentum(x, i, q);
            for (int j = 0; j < x->m; j++) {
                const double rate = j == i ? -1.0 : 1.0;
                assert_close(dot(x->n, q, x->Y + j * x->n), rate * dot(x->n, p, x->Y + j * x->n),
                             0.0, 1e-11);
            }
            count += permute(x, done | 1u << i, q, expected);
        }
    }
    return count;
}

/* Theorem 2, (25): orthogonal contacts have one feasible outcome in every order, and a reflection
 * leaves the speeds of the others. */
TEST(property, orthogonal_contacts_end_alike_in_every_order) {
    int orders = 0;
    for (int m = 2; m <= 6; m++) {
        propagative_case x = random_case(SEED + 9, (unsigned long)m, m + 2, m);
        orthonormalise(&x, m, x.N);
        double expected[MOST_COORDINATES];
        for (int i = 0; i < m; i++) { /* approach all */
            const double speed = metric_product(&x, x.p, x.N + i * x.n);
            add(x.n, -speed - 0.3 - 0.1 * i, x.N + i * x.n, x.p);
        }
        complete_case(&x);
        memcpy(expected, x.p, sizeof expected);
        for (int i = 0; i < m; i++) {
            ck_assert_double_lt(x.c[i], -0.29);
            add(x.n, -2.0 * x.c[i], x.N + i * x.n, expected);
        }
        orders += permute(&x, 0u, x.p, expected);
    }
    ck_assert_int_eq(orders, 2 + 6 + 24 + 120 + 720);
}

/* Theorem 3, (u,v) = -1/2: p_f = p - 2 (u + v) ((p,u) + (p,v)) in both orders, (p_f,u) = -(p,v) and
 * (p_f,v) = -(p,u), from the factor 1 + (u,v); the printed 1 - (u,v) does not lead there. */
TEST(property, three_reflections_end_alike_where_the_cosine_is_minus_one_half) {
    for (unsigned long sample = 0; sample < DRAWS; sample++) {
        unsigned long d = 0;
        const double gamma = M_PI / 6.0;
        const double angle = M_PI + gamma * draw(SEED + 10, sample, &d, -0.9, 0.9);
        const propagative_case x = pair_case(sample, 4, gamma, angle, 0.5);
        double p[PAIR][MOST_COORDINATES];
        double formula[MOST_COORDINATES];
        const double sum = x.c[U] + x.c[V];
        memcpy(formula, x.p, sizeof formula);
        add(4, -2.0 * sum, x.N, formula);
        add(4, -2.0 * sum, x.N + 4, formula);
        for (int first = U; first < PAIR; first++) {
            memcpy(p[first], x.p, sizeof p[first]);
            alternate(&x, first, 3, p[first]);
            assert_close(difference(4, p[first], formula), 0.0, 0.0, 1e-11);
        }
        const double u = dot(4, p[U], x.Y);
        assert_close(u, -x.c[V], 0.0, ROUNDING);
        assert_close(dot(4, p[U], x.Y + 4), -x.c[U], 0.0, ROUNDING);
        assert_close(x.c[U] - 2.0 * (1.0 - 0.5) * sum, u, 0.0, ROUNDING);
        ck_assert_double_gt(fabs(x.c[U] - 2.0 * (1.0 + 0.5) * sum - u), 0.1);
    }
}

/* (u,v) = +1/2, which section V names beside -1/2 and theorem 3 excludes: p_f = p - 2 (v - u)
 * ((p,v)
 * - (p,u)) stays infeasible; (p_f,u) = (p,v) and (p_f,v) = (p,u), not what is printed; and the two
 * orders, followed to their ends, end apart. */
TEST(property, acute_contacts_stay_infeasible_after_three_reflections) {
    int apart = 0;
    for (unsigned long sample = 0; sample < DRAWS; sample++) {
        unsigned long d = 0;
        const double gamma = M_PI / 3.0;
        const double angle = M_PI + 0.9 * (M_PI_2 - gamma) * draw(SEED + 11, sample, &d, -1.0, 1.0);
        const propagative_case x = pair_case(sample, 4, gamma, angle, 0.5);
        double p[MOST_COORDINATES];
        double formula[MOST_COORDINATES];
        ck_assert_double_lt(fmax(x.c[U], x.c[V]), 0.0);
        memcpy(p, x.p, sizeof p);
        memcpy(formula, x.p, sizeof formula);
        alternate(&x, U, 3, p);
        add(4, -2.0 * (x.c[V] - x.c[U]), x.N + 4, formula);
        add(4, 2.0 * (x.c[V] - x.c[U]), x.N, formula);
        assert_close(difference(4, p, formula), 0.0, 0.0, 1e-11);
        assert_close(dot(4, p, x.Y), x.c[V], 0.0, ROUNDING);
        assert_close(dot(4, p, x.Y + 4), x.c[U], 0.0, ROUNDING);
        double end[PAIR][MOST_COORDINATES];
        for (int first = U; first < PAIR; first++) {
            memcpy(end[first], x.p, sizeof end[first]);
            reflect_momentum(&x, first, end[first]);
            if (dot(4, end[first], x.Y + (1 - first) * 4) < 0.0) {
                reflect_momentum(&x, 1 - first, end[first]);
            }
        }
        apart += difference(4, end[U], end[V]) > 1e-6 ? 1 : 0;
    }
    ck_assert_int_gt(apart, DRAWS - DRAWS / 100);
}
