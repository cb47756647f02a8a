/* carom/collisionless/motion/random_spectra.h: what is drawn interlaces and lies where it should.
 */
#include "../../failing_malloc.h"
#include "../../support.h"

#include <carom/collisionless/motion/random_spectra.h>

enum { SAMPLES = 400, MOST = CAROM_RANDOM_SPECTRA_MOST_MODES };

static carom_phase_spectra *draw(const carom_random_spectra *from, int sample, int mode_count) {
    carom_phase_spectra *spectra = NULL;
    assert_ok(carom_random_spectra_draw(from, sample, mode_count, &spectra, NULL));
    ck_assert_int_eq(spectra->mode_count, mode_count);
    // (6), with lambda'_{N-1} below lambda_N.
    for (int i = 0; i + 1 < mode_count; i++) {
        ck_assert_double_lt(spectra->unconstrained[i], spectra->constrained[i]);
        ck_assert_double_lt(spectra->constrained[i], spectra->unconstrained[i + 1]);
    }
    return spectra;
}

/** All eigenvalues from one to another, by size, lie in an interval. */
static void assert_between(const carom_phase_spectra *spectra, int from, int to, double low,
                           double high) {
    for (int i = from; i < to; i++) {
        const double *phase = i % 2 == 0 ? spectra->unconstrained : spectra->constrained;
        ck_assert_double_ge(phase[i / 2], low);
        ck_assert_double_le(phase[i / 2], high);
    }
}

LOOP_TEST(property, each_kind_has_its_oscillating_modes, CAROM_SPECTRA_SEVERAL + 1) {
    const carom_random_spectra from = {
        .seed = 7, .stream = 3, .kind = _i, .is_mixed = true, .critical_eigenvalue = 0.01};
    int zeros = 0;
    for (int sample = 0; sample < SAMPLES; sample++) {
        const int N = 2 + sample % (MOST - 1);
        const int count = 2 * N - 1;
        carom_phase_spectra *spectra = draw(&from, sample, N);
        const double last = spectra->unconstrained[N - 1];
        const double before = spectra->constrained[N - 2];
        if (from.kind == CAROM_SPECTRA_SEVERAL) {
            assert_between(spectra, 0, 1, -4.0, -0.3);
            assert_between(spectra, 1, count, 0.3, 4.0);
        } else {
            assert_between(spectra, 0, count - 2, -4.0,
                           from.kind == CAROM_SPECTRA_NONE ? 0.0 : -0.3);
            assert_between(spectra, count - 1, count, CAROM_RANDOM_SPECTRA_LEAST_OSCILLATING, 3.0);
        }
        if (from.kind == CAROM_SPECTRA_CRITICAL) {
            assert_close(before, 0.01, 0.0, 0.0);
        } else if (from.kind == CAROM_SPECTRA_SINGLE) {
            ck_assert_double_ge(before, 0.05);
            ck_assert_double_le(before, 0.9 * last);
        } else if (from.kind == CAROM_SPECTRA_NONE) {
            ck_assert_double_le(before, 0.0);
            const bool is_zero = !(before < 0.0);
            ck_assert(is_zero == (sample % 8 == 0));
            zeros += is_zero;
        }
        carom_phase_spectra_free(spectra);
    }
    ck_assert(from.kind != CAROM_SPECTRA_NONE || zeros == SAMPLES / 8);
}

TEST(unit, parities_are_one_for_each_phase_or_one_for_each_mode) {
    carom_random_spectra from = {.seed = 5, .kind = CAROM_SPECTRA_SINGLE};
    int mixed = 0;
    int pairs[2][2] = {{0}};
    for (int sample = 0; sample < SAMPLES; sample++) {
        for (int is_mixed = 0; is_mixed < 2; is_mixed++) {
            from.is_mixed = is_mixed == 1;
            carom_phase_spectra *spectra = draw(&from, sample, 6);
            int odd = 0;
            for (int i = 0; i < 6; i++) {
                odd += spectra->unconstrained_parity[i] == CAROM_PARITY_ODD;
            }
            if (is_mixed == 0) {
                ck_assert(odd == 0 || odd == 6);
                pairs[odd / 6][spectra->constrained_parity[0] == CAROM_PARITY_ODD]++;
            }
            mixed += is_mixed == 1 && odd > 0 && odd < 6;
            carom_phase_spectra_free(spectra);
        }
    }
    // 31/32 of them, and a quarter each: within four standard errors.
    assert_close((double)mixed / SAMPLES, 31.0 / 32.0, 0.0, 0.035);
    for (int k = 0; k < 4; k++) {
        const int *row = pairs[k / 2];
        assert_close((double)row[k % 2] / SAMPLES, 0.25, 0.0, 0.09);
    }
}

TEST(property, a_sample_depends_on_seed_stream_and_index_alone) {
    carom_random_spectra from = {.seed = 11, .stream = 2, .kind = CAROM_SPECTRA_SINGLE};
    carom_phase_spectra *one = draw(&from, 9, 4);
    carom_phase_spectra *same = draw(&from, 9, 4);
    ck_assert_mem_eq(one->unconstrained, same->unconstrained, 4 * sizeof(double));
    ck_assert_mem_eq(one->constrained, same->constrained, 3 * sizeof(double));
    const double number = carom_random_spectra_uniform(&from, 9, 0);
    assert_close(carom_random_spectra_uniform(&from, 9, 0), number, 0.0, 0.0);
    ck_assert(number >= 0.0 && number < 1.0);
    carom_phase_spectra_free(same);
    for (int k = 0; k < 3; k++) {
        carom_random_spectra other = from;
        other.seed += k == 0;
        other.stream += k == 1;
        carom_phase_spectra *differs = draw(&other, k == 2 ? 10 : 9, 4);
        ck_assert(fabs(differs->unconstrained[0] - one->unconstrained[0]) > 1e-9);
        carom_phase_spectra_free(differs);
        ck_assert(fabs(carom_random_spectra_uniform(&other, k == 2 ? 10 : 9, 0) - number) > 1e-9);
    }
    carom_phase_spectra_free(one);
    // It is none of those that eigenvalues are made of: here the one between -4 and -0.3.
    carom_phase_spectra *two = draw(&from, 9, 2);
    ck_assert(fabs((two->unconstrained[0] + 4.0) / 3.7 - number) > 1e-9);
    carom_phase_spectra_free(two);
}

TEST(errors, memory_that_runs_out_is_reported) {
    const carom_random_spectra from = {.seed = 1, .kind = CAROM_SPECTRA_NONE};
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int k = 0;
    for (; status != CAROM_OK; k++) {
        ck_assert_int_lt(k, 20);
        carom_phase_spectra *spectra = NULL;
        successes_left = k;
        status = carom_random_spectra_draw(&from, 0, 3, &spectra, NULL);
        successes_left = -1;
        ck_assert(status == CAROM_OK || status == CAROM_STATUS_OUT_OF_MEMORY);
        ck_assert((spectra != NULL) == (status == CAROM_OK));
        carom_phase_spectra_free(spectra);
    }
    ck_assert_int_ge(k, 2);
}
