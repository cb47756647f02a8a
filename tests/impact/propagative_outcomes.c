/*
 * carom/impact/propagative_impact.h: chains of equal balls by counting, two contacts in closed
 * form, and the tree of all reflections of momenta, without merging, as the independent method.
 */
#include <carom/impact/propagative_impact.h>
#include <carom/impact/propagative_pair.h>

#include "../failing_malloc.h"
#include "propagative_cases.h"

#include <float.h>

static const unsigned long SEED = 20140503;
enum { MOST_LISTED = 2000, LONGEST = 20 };

static carom_propagative_outcomes *outcomes_of(const propagative_case *x) {
    const carom_propagative_tree_params params = carom_propagative_tree_params_default();
    carom_propagative_contacts *contacts = contacts_of(x);
    carom_propagative_outcomes *outcomes;
    assert_ok(carom_propagative_outcomes_find(contacts, &params, x->c, x->energy, &outcomes, NULL));
    carom_propagative_contacts_free(contacts);
    return outcomes;
}

TEST(unit, equal_balls_have_one_outcome_reached_by_all_reduced_words) {
    // All permutations are met; the words are the standard tableaux of a staircase (Stanley 1984).
    const int momenta[3] = {6, 24, 120};
    const int words[3] = {2, 16, 768};
    const double masses[5] = {1.1, 1.1, 1.1, 1.1, 1.1};
    const double v[5] = {2.2, 1.3, 0.1, -0.7, -2.9};
    for (int k = 0; k < 3; k++) {
        const int balls = 3 + k;
        const propagative_case x = chain_case(balls, masses, v);
        carom_propagative_outcomes *outcomes = outcomes_of(&x);
        ck_assert_int_eq(outcomes->count, 1);
        ck_assert_int_eq(outcomes->momentum_count, momenta[k]);
        ck_assert_int_eq(outcomes->sequence_count, words[k]);
        ck_assert_double_lt(outcomes->indeterminacy, DBL_EPSILON);
        for (int s = 0; s < words[k]; s++) {
            ck_assert_int_eq(outcomes->begin[s + 1] - outcomes->begin[s], balls * (balls - 1) / 2);
            ck_assert_int_eq(outcomes->minimality[s], CAROM_PROPAGATIVE_MINIMAL);
            ck_assert_int_eq(outcomes->outcome[s], 0);
        }
        for (int i = 0; i + 1 < balls; i++) {
            // Velocities sorted: the differences come in reverse order.
            assert_close(outcomes->normal_velocity[i], v[balls - 2 - i] - v[balls - 1 - i], 1e-14,
                         0.0);
        }
        carom_propagative_outcomes_free(outcomes);
    }
}

TEST(unit, the_cradle_has_its_two_sequences) {
    const double masses[3] = {1.0, 1.0, 1.0};
    const double v[3] = {3.0, 1.0, -2.0};
    const propagative_case x = chain_case(3, masses, v);
    carom_propagative_outcomes *outcomes = outcomes_of(&x);
    const int expected[6] = {0, 1, 0, 1, 0, 1};
    for (int k = 0; k < 6; k++) {
        ck_assert_int_eq(outcomes->contact[k], expected[k]);
    }
    carom_propagative_outcomes_free(outcomes);
}

TEST(unit, orthogonal_contacts_commute) {
    // Theorem 2: one reflection each, in any order; a corner of a cube for each set of contacts.
    propagative_case x = {.n = 5, .m = 5, .p = {-0.3, -0.7, -0.2, -0.5, -0.9}};
    for (int k = 0; k < 5; k++) {
        x.M[6 * k] = 1.0 + k;
        x.N[6 * k] = 1.0;
    }
    complete_case(&x);
    carom_propagative_outcomes *outcomes = outcomes_of(&x);
    ck_assert_int_eq(outcomes->count, 1);
    ck_assert_int_eq(outcomes->momentum_count, 32);
    ck_assert_int_eq(outcomes->sequence_count, 120);
    for (int k = 0; k < 5; k++) {
        assert_close(outcomes->impulse[k], -2.0 * x.p[k], 1e-15, 0.0);
        ck_assert_int_eq(outcomes->contact[k], k);
        ck_assert_int_eq(outcomes->contact[5 * 119 + k], 4 - k);
    }
    carom_propagative_outcomes_free(outcomes);
}

TEST(property, two_contacts_differ_by_the_closed_form) {
    int apart = 0;
    int unlike = 0;
    for (unsigned long sample = 0; sample < 1000; sample++) {
        unsigned long d = 0;
        const double gamma = draw(SEED, sample, &d, 0.1, 1.5);
        const double a = draw(SEED, sample, &d, -1.0, 0.0);
        const double b = draw(SEED, sample, &d, -1.0, 0.0);
        const propagative_case x = plane_case(-cos(2.0 * gamma), a, b);
        carom_propagative_contacts *contacts = contacts_of(&x);
        const carom_propagative_pair pair = carom_propagative_pair_of(contacts, 0, 1);
        carom_propagative_contacts_free(contacts);
        const carom_propagative_counts counts = carom_propagative_pair_count(&pair, a, b);
        carom_propagative_outcomes *outcomes = outcomes_of(&x);
        ck_assert_int_eq(outcomes->sequence_count, 2);
        assert_close(outcomes->begin[1], counts.first_u, 0.0, 0.0);
        assert_close(outcomes->begin[2] - outcomes->begin[1], counts.first_v, 0.0, 0.0);
        ck_assert_int_eq(outcomes->minimality[0] == CAROM_PROPAGATIVE_MINIMAL, counts.is_minimal_u);
        ck_assert_int_eq(outcomes->minimality[1] == CAROM_PROPAGATIVE_MINIMAL, counts.is_minimal_v);
        if (counts.is_minimal_u && counts.is_minimal_v) {
            assert_close(outcomes->indeterminacy,
                         carom_propagative_pair_distance(&pair, a, b, counts.first_u) /
                             sqrt(2.0 * x.energy),
                         0.0, 1e-13);
            apart += outcomes->count == 2 ? 1 : 0;
        } else {
            unlike++;
        }
        carom_propagative_outcomes_free(outcomes);
    }
    ck_assert_int_gt(apart, 200);
    ck_assert_int_gt(unlike, 200);
}

/** The tree without merging. */
typedef struct plain_tree {
    const propagative_case *x;
    int count;
    int length[MOST_LISTED];
    int word[MOST_LISTED][LONGEST];
    double end[MOST_LISTED][MOST_COORDINATES];
} plain_tree;

static bool is_feasible(const propagative_case *x, const double *p) {
    for (int i = 0; i < x->m; i++) {
        const double *u = x->N + i * x->n;
        const double *y = x->Y + i * x->n;
        if (dot(x->n, p, y) < -1e-12 * sqrt(2.0 * x->energy * dot(x->n, u, y))) {
            return false;
        }
    }
    return true;
}

static void grow_tree(plain_tree *tree, const double *p, int length, const int *word) {
    const propagative_case *x = tree->x;
    if (is_feasible(x, p)) {
        ck_assert_int_lt(tree->count, MOST_LISTED);
        tree->length[tree->count] = length;
        memcpy(tree->word[tree->count], word, LONGEST * sizeof(int));
        memcpy(tree->end[tree->count++], p, MOST_COORDINATES * sizeof(double));
        return;
    }
    ck_assert_int_lt(length, LONGEST);
    for (int i = 0; i < x->m; i++) {
        if (dot(x->n, p, x->Y + i * x->n) < 0.0) {
            double q[MOST_COORDINATES];
            int longer[LONGEST];
            memcpy(q, p, sizeof q);
            memcpy(longer, word, sizeof longer);
            longer[length] = i;
            reflect_momentum(x, i, q);
            grow_tree(tree, q, length + 1, longer);
        }
    }
}

/** Whether some part of the rest of a word ends feasible, leaving out one contact at least. */
static bool has_feasible_part(const propagative_case *x, const double *p, const int *word,
                              int length, bool is_proper) {
    if (length == 0) {
        return is_proper && is_feasible(x, p);
    }
    double q[MOST_COORDINATES];
    memcpy(q, p, sizeof q);
    reflect_momentum(x, word[0], q);
    return has_feasible_part(x, p, word + 1, length - 1, true) ||
           has_feasible_part(x, q, word + 1, length - 1, is_proper);
}

static void compare_with_tree(const propagative_case *x, plain_tree *tree, int *minimal,
                              int *longer) {
    const int n = x->n;
    const int none[LONGEST] = {0};
    *tree = (plain_tree){.x = x};
    grow_tree(tree, x->p, 0, none);
    carom_propagative_outcomes *outcomes = outcomes_of(x);
    ck_assert_int_eq(outcomes->sequence_count, tree->count);
    double largest = 0.0;
    for (int k = 0; k < tree->count; k++) {
        const int *word = outcomes->contact + outcomes->begin[k];
        ck_assert_int_eq(outcomes->begin[k + 1] - outcomes->begin[k], tree->length[k]);
        ck_assert_mem_eq(word, tree->word[k], (size_t)tree->length[k] * sizeof(int));
        const int end = outcomes->outcome[k];
        for (int i = 0; i < x->m; i++) {
            double moved = x->c[i];
            for (int j = 0; j < x->m; j++) {
                moved += dot(n, x->N + i * n, x->Y + j * n) * outcomes->impulse[end * x->m + j];
            }
            assert_close(moved, dot(n, tree->end[k], x->Y + i * n), 0.0, 1e-10);
            assert_close(outcomes->normal_velocity[end * x->m + i], moved, 0.0, 1e-10);
        }
        for (int j = 0; j < k; j++) {
            double apart[MOST_COORDINATES] = {0};
            for (int a = 0; a < n; a++) {
                apart[a] = tree->end[k][a] - tree->end[j][a];
            }
            const double distance = sqrt(metric_product(x, apart, apart) / (2.0 * x->energy));
            ck_assert_int_eq(outcomes->outcome[j] == end, distance < 1e-9);
            largest = fmax(largest, distance);
        }
        if (tree->length[k] <= 9) {
            const bool is_minimal =
                !has_feasible_part(x, x->p, tree->word[k], tree->length[k], false);
            ck_assert_int_eq(outcomes->minimality[k] == CAROM_PROPAGATIVE_MINIMAL, is_minimal);
            ck_assert_int_ne(outcomes->minimality[k], CAROM_PROPAGATIVE_MINIMALITY_UNKNOWN);
            *minimal += is_minimal ? 1 : 0;
            *longer += is_minimal ? 0 : 1;
        } else if (tree->length[k] > 12 && x->m > 2) {
            ck_assert_int_eq(outcomes->minimality[k], CAROM_PROPAGATIVE_MINIMALITY_UNKNOWN);
        }
    }
    assert_close(outcomes->indeterminacy, largest, 0.0, 1e-11);
    carom_propagative_outcomes_free(outcomes);
}

TEST(property, outcomes_and_sequences_are_those_of_the_whole_tree) {
    plain_tree *tree = calloc(1, sizeof *tree);
    ck_assert_ptr_nonnull(tree);
    int minimal = 0;
    int longer = 0;
    for (unsigned long sample = 0; sample < 150; sample++) {
        const int n = 3 + (int)(sample % 3);
        const int m = 2 + (int)(sample % 2);
        const propagative_case x = random_case(SEED + 1, sample, n, m);
        double least = 1.0;
        carom_propagative_contacts *contacts = contacts_of(&x);
        for (int k = 0; k < m * m; k++) {
            least = fmin(least, contacts->cosine[k]);
        }
        carom_propagative_contacts_free(contacts);
        if (least > -0.8) { // short enough for the plain tree
            compare_with_tree(&x, tree, &minimal, &longer);
        }
    }
    ck_assert_int_gt(minimal, 50);
    ck_assert_int_gt(longer, 50);
    free(tree);
}

TEST(unit, minimality_is_tested_up_to_the_length_asked_for) {
    const double masses[4] = {1.0, 1.0, 1.0, 1.0};
    const double v[4] = {3.0, 1.0, -2.0, -4.0};
    const propagative_case x = chain_case(4, masses, v);
    carom_propagative_contacts *contacts = contacts_of(&x);
    carom_propagative_tree_params params = carom_propagative_tree_params_default();
    for (int less = 0; less < 2; less++) {
        params.longest_minimality = 6 - less; // all sequences have six
        carom_propagative_outcomes *outcomes;
        assert_ok(
            carom_propagative_outcomes_find(contacts, &params, x.c, x.energy, &outcomes, NULL));
        ck_assert_int_eq(outcomes->minimality[3],
                         less ? CAROM_PROPAGATIVE_MINIMALITY_UNKNOWN : CAROM_PROPAGATIVE_MINIMAL);
        carom_propagative_outcomes_free(outcomes);
    }
    carom_propagative_contacts_free(contacts);
}

TEST(unit, a_feasible_momentum_is_its_own_outcome) {
    const propagative_case x = plane_case(0.3, 0.4, 0.0);
    carom_propagative_outcomes *outcomes = outcomes_of(&x);
    ck_assert_int_eq(outcomes->count, 1);
    ck_assert_int_eq(outcomes->sequence_count, 1);
    ck_assert_int_eq(outcomes->begin[1], 0);
    assert_close(outcomes->normal_velocity[0], 0.4, 1e-15, 0.0);
    assert_close(outcomes->impulse[0], 0.0, 0.0, 0.0);
    carom_propagative_outcomes_free(outcomes);
}

static void assert_refused(carom_propagative_tree_params params, const double *c, double energy,
                           carom_status expected, const char *quantity) {
    const double masses[4] = {1.0, 1.0, 1.0, 1.0};
    const double v[4] = {3.0, 1.0, -2.0, -4.0};
    const propagative_case x = chain_case(4, masses, v);
    carom_propagative_contacts *contacts = contacts_of(&x);
    carom_propagative_outcomes *outcomes;
    carom_report report = carom_report_empty();
    ck_assert_int_eq(carom_propagative_outcomes_find(contacts, &params, c == NULL ? x.c : c, energy,
                                                     &outcomes, &report),
                     expected);
    if (expected == CAROM_OK) {
        carom_propagative_outcomes_free(outcomes);
    } else {
        ck_assert_ptr_null(outcomes);
        ck_assert_str_eq(report.quantity, quantity);
    }
    carom_propagative_contacts_free(contacts);
}

TEST(errors, malformed_input_and_trees_too_large_are_refused) {
    const carom_propagative_tree_params good = carom_propagative_tree_params_default();
    const double bad[3] = {-1e-9, 1.0, (double)NAN};
    carom_propagative_tree_params params;
    for (int k = 0; k < 3; k++) {
        params = good;
        params.tolerance = bad[k];
        assert_refused(params, NULL, 15.0, CAROM_STATUS_OUT_OF_RANGE, "tolerance");
        params = good;
        params.merging = bad[k];
        assert_refused(params, NULL, 15.0, CAROM_STATUS_OUT_OF_RANGE, "merging");
    }
    for (int k = 0; k < 2; k++) {
        params = good;
        *(k == 0 ? &params.most_momenta : &params.most_sequences) = 0;
        assert_refused(params, NULL, 15.0, CAROM_STATUS_OUT_OF_RANGE, "size of the tree");
        params = good;
        params.longest_minimality = k == 0 ? -1 : 21;
        assert_refused(params, NULL, 15.0, CAROM_STATUS_OUT_OF_RANGE,
                       "length tested for minimality");
    }
    const double c[3] = {-1.0, (double)NAN, 0.0};
    assert_refused(good, c, 15.0, CAROM_STATUS_NOT_FINITE, "normal velocity");
    assert_refused(good, NULL, HUGE_VAL, CAROM_STATUS_NOT_FINITE, "kinetic energy");
    assert_refused(good, NULL, -1.0, CAROM_STATUS_OUT_OF_RANGE, "kinetic energy");
    // 24 momenta fit exactly.
    for (int less = 0; less < 2; less++) {
        params = good;
        params.most_momenta = 24 - less;
        assert_refused(params, NULL, 15.0, less ? CAROM_STATUS_NOT_CONVERGED : CAROM_OK,
                       "number of momenta");
    }
    // All momenta are one, and it is not feasible.
    params = good;
    params.merging = 0.999;
    const double slow[3] = {-1e-3, -1e-3, -1e-3};
    assert_refused(params, slow, 15.0, CAROM_STATUS_NOT_CONVERGED, "number of outcomes");
}

/* Six equal balls that all approach sort themselves: 720 momenta, and the 292864 reduced words of
 * the longest permutation (Stanley 1984), of which a few are listed. */
TEST(unit, sequences_are_counted_where_they_are_too_many_to_be_listed) {
    const double masses[6] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    const double v[6] = {6.0, 5.0, 4.0, 3.0, 2.0, 1.0};
    const propagative_case x = chain_case(6, masses, v);
    carom_propagative_contacts *contacts = contacts_of(&x);
    carom_propagative_tree_params params = carom_propagative_tree_params_default();
    carom_propagative_outcomes *outcomes = NULL;
    params.most_sequences = 5;
    assert_ok(carom_propagative_outcomes_find(contacts, &params, x.c, x.energy, &outcomes, NULL));
    ck_assert_int_eq(outcomes->momentum_count, 720);
    ck_assert_int_eq(outcomes->count, 1);
    assert_close(outcomes->sequence_total, 292864.0, 0.0, 0.0);
    assert_close(outcomes->sequences[0], 292864.0, 0.0, 0.0);
    ck_assert_int_eq(outcomes->sequence_count, 5);
    ck_assert_int_eq(outcomes->longest[0], 15);
    // All have as many reflections; the first one of the shortest is the first of all.
    ck_assert_int_eq(outcomes->shortest_begin[1], 15);
    for (int k = 0; k < 15; k++) {
        ck_assert_int_eq(outcomes->shortest[k], outcomes->contact[k]);
    }
    carom_propagative_outcomes_free(outcomes);
    carom_propagative_contacts_free(contacts);
}

TEST(errors, without_memory_nothing_is_returned_and_nothing_is_lost) {
    const double masses[4] = {1.0, 1.0, 1.0, 1.0};
    const double v[4] = {3.0, 1.0, -2.0, -4.0};
    const propagative_case x = chain_case(4, masses, v);
    carom_propagative_contacts *contacts = contacts_of(&x);
    const carom_propagative_tree_params params = carom_propagative_tree_params_default();
    carom_propagative_outcomes *outcomes = NULL;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int failures = 0;
    for (; status != CAROM_OK; failures++) {
        successes_left = failures;
        status = carom_propagative_outcomes_find(contacts, &params, x.c, x.energy, &outcomes, NULL);
        successes_left = -1;
        ck_assert(status == CAROM_OK || (status == CAROM_STATUS_OUT_OF_MEMORY && !outcomes));
    }
    ck_assert_int_gt(failures, 15);
    carom_propagative_outcomes_free(outcomes);
    carom_propagative_outcomes_free(NULL);
    carom_propagative_contacts_free(contacts);
}
