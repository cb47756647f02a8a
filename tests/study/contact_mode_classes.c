#include "../failing_malloc.h"
#include "../support.h"

#include <carom/study/internal.h>
#include <string.h>

/** A problem of m contacts with t tangents: classes ask for nothing but its sizes and the scales of
 * its speeds, 1 m/s. */
static carom_impact_problem sizes(int m, int t) {
    static double ones[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    ck_assert_int_le(m * (1 + t), (int)(sizeof ones / sizeof *ones));
    const carom_impact_problem problem = {.coordinate_count = 1,
                                          .contact_count = m,
                                          .tangent_count = t,
                                          .row_count = m * (1 + t),
                                          .speed_scale = ones};
    return problem;
}

TEST(unit, letters_say_what_contacts_do) {
    const carom_impact_problem plane = sizes(5, 1);
    char letters[8];
    // The threshold itself rests; a contact that still closes is no lifting one.
    const double c[] = {2e-7, 1e-7, 0.0, -0.5, 1.0, 0.3, 1e-7, -2e-7, 0.0, 0.0};
    carom_contact_mode_letters(&plane, c, letters);
    ck_assert_str_eq(letters, "LSsSL");
    const carom_impact_problem space = sizes(2, 2);
    // Neither tangent alone exceeds the threshold, their resultant does.
    const double d[] = {0.0, 0.0, 0.8e-7, 0.8e-7, -1e-8, 0.9e-7};
    carom_contact_mode_letters(&space, d, letters);
    ck_assert_str_eq(letters, "sS");
}

/** Six samples of two contacts: SL SL LS SS (unfinished) LS SL. */
static const double speeds[] = {0.0, 1.0,  0.0, 0.0, 0.0, 0.5, 0.0, 9.0, 2.0, 0.0, 1.0, 0.0,
                                0.0, -1.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 0.0, 0.2, 0.0, 0.0};
static int finished[] = {1, 1, 1, 0, 1, 1};

static carom_impact_samples hand_made(void) {
    const carom_impact_samples samples = {
        .row_count = 4,
        .count = 6,
        .contact_velocity = (double *)speeds,
        .is_finished = finished,
    };
    return samples;
}

TEST(unit, classes_are_ordered_and_those_that_never_occur_are_listed) {
    const carom_impact_problem problem = sizes(2, 1);
    const carom_impact_samples samples = hand_made();
    carom_contact_mode_classes *classes = NULL;
    assert_ok(carom_contact_mode_classes_count(&problem, &samples, &classes));
    ck_assert_int_eq(classes->count, 9);
    const char *const expected[] = {"SL", "LS", "SS", "LL", "Ls", "Ss", "sL", "sS", "ss"};
    const int counts[] = {3, 2, 1, 0, 0, 0, 0, 0, 0};
    const int of_finished[] = {3, 2, 0, 0, 0, 0, 0, 0, 0};
    for (int i = 0; i < 9; i++) {
        ck_assert_str_eq(carom_contact_mode_classes_letters(classes, i), expected[i]);
        ck_assert_int_eq(classes->samples[i], counts[i]);
        ck_assert_int_eq(classes->finished[i], of_finished[i]);
    }
    carom_contact_mode_classes_free(classes);
    carom_contact_mode_classes_free(NULL);
}

TEST(property, classes_of_many_contacts_are_those_that_occur) {
    // Random modes of ten contacts, counted once more by comparing all pairs.
    enum { M = 10, COUNT = 400 };
    const carom_impact_problem problem = sizes(M, 1);
    static double c[COUNT * 2 * M];
    static int is_finished[COUNT];
    static char letters[COUNT][M + 1];
    gsl_rng *generator = seeded_generator(2305);
    for (int i = 0; i < COUNT; i++) {
        is_finished[i] = gsl_rng_uniform(generator) < 0.75 ? 1 : 0;
        for (int j = 0; j < 2 * M; j++) {
            // Only two contacts vary, so that classes repeat.
            const bool moves = j % M < 2 && gsl_rng_uniform(generator) < 0.4;
            c[i * 2 * M + j] = moves ? 0.25 : 0.0;
        }
        carom_contact_mode_letters(&problem, c + i * 2 * M, letters[i]);
    }
    gsl_rng_free(generator);
    const carom_impact_samples samples = {
        .row_count = 2 * M, .count = COUNT, .contact_velocity = c, .is_finished = is_finished};
    carom_contact_mode_classes *classes = NULL;
    assert_ok(carom_contact_mode_classes_count(&problem, &samples, &classes));
    ck_assert_int_le(classes->count, 9);
    int total = 0;
    for (int k = 0; k < classes->count; k++) {
        int found = 0;
        int found_finished = 0;
        for (int i = 0; i < COUNT; i++) {
            if (strcmp(letters[i], carom_contact_mode_classes_letters(classes, k)) == 0) {
                found++;
                found_finished += is_finished[i];
            }
        }
        ck_assert_int_eq(classes->samples[k], found);
        ck_assert_int_eq(classes->finished[k], found_finished);
        ck_assert(k == 0 || classes->finished[k] <= classes->finished[k - 1]);
        total += found;
    }
    ck_assert_int_eq(total, COUNT);
    carom_contact_mode_classes_free(classes);
}

TEST(errors, every_failing_allocation_is_said) {
    const carom_impact_problem problem = sizes(2, 1);
    const carom_impact_samples samples = hand_made();
    carom_contact_mode_classes *classes = NULL;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int k = 0;
    for (; status != CAROM_OK && k < 100; k++) {
        successes_left = k;
        status = carom_contact_mode_classes_count(&problem, &samples, &classes);
        successes_left = -1;
        ck_assert(status == CAROM_OK || status == CAROM_STATUS_OUT_OF_MEMORY);
        ck_assert((classes != NULL) == (status == CAROM_OK));
    }
    // Letters, list, nine classes, the result and its three arrays.
    ck_assert_int_ge(k, 15);
    carom_contact_mode_classes_free(classes);
}
