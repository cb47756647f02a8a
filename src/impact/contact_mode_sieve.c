/* Most combinations of modes fail one of their first tests: those of several combinations at once
 * leave few of them to be looked at one by one. */
#include <carom/base/vector.h>
#include <carom/impact/contact_modes.h>

#include <math.h>
#include <stdlib.h>

/** Numbers of one group in the sieve: of each two tests the factors [inputs][2][GROUP]. */
static size_t group_size(const carom_contact_modes *modes) {
    const size_t inputs = (size_t)modes->row_count + (size_t)modes->contact_count;
    return CAROM_CONTACT_MODE_SIEVE * inputs * CAROM_CONTACT_MODE_GROUP;
}

/** The first tests of a combination, its own numbers of a group from `entry` on. */
static void fill_entry(const carom_contact_modes *modes, const carom_contact_mode_combination *c,
                       double *entry) {
    const int inputs = modes->row_count + modes->contact_count;
    const double *test = modes->arena + c->first;
    // Where directions are left open the tests alone do not decide.
    for (int t = 0; c->null_count == 0 && t < c->test_count && t < CAROM_CONTACT_MODE_SIEVE; t++) {
        double *own = entry + (t / 2 * inputs * 2 + t % 2) * CAROM_CONTACT_MODE_GROUP;
        for (int a = 0; a < inputs; a++) {
            own[a * 2 * CAROM_CONTACT_MODE_GROUP] = *test++;
        }
    }
}

carom_status carom_contact_modes_fill_sieve(carom_contact_modes *modes) {
    CAROM_ASSERT(modes != NULL && modes->combination_count > 0);
    const size_t groups = ((size_t)modes->combination_count - 1) / CAROM_CONTACT_MODE_GROUP + 1;
    modes->sieve = calloc(groups * group_size(modes), sizeof(double));
    if (modes->sieve == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (size_t k = 0; k < groups * CAROM_CONTACT_MODE_GROUP; k++) {
        double *entry = modes->sieve + k / CAROM_CONTACT_MODE_GROUP * group_size(modes) +
                        k % CAROM_CONTACT_MODE_GROUP;
        if (k < (size_t)modes->combination_count) {
            fill_entry(modes, &modes->combinations[k], entry);
        } else {
            // No combination: no test holds.
            *entry = (double)NAN;
        }
    }
    return CAROM_OK;
}

/* Of a file: the dispatcher of a wide function that others call would be exported. */
CAROM_VECTOR_WIDE static unsigned sift(const carom_contact_modes *modes, int group, const double *y,
                                       double least) {
    const int inputs = modes->row_count + modes->contact_count;
    const double *entry = modes->sieve + (size_t)group * group_size(modes);
    // 1: all tests so far hold; 0: one does not, or has no value.
    double holds[CAROM_CONTACT_MODE_GROUP];
    for (int k = 0; k < CAROM_CONTACT_MODE_GROUP; k++) {
        holds[k] = 1.0;
    }
    for (int t = 0; t < CAROM_CONTACT_MODE_SIEVE; t += 2) {
        double value[CAROM_CONTACT_MODE_GROUP] = {0.0};
        double next[CAROM_CONTACT_MODE_GROUP] = {0.0};
        for (int a = 0; a < inputs; a++, entry += 2 * CAROM_CONTACT_MODE_GROUP) {
            const double factor = y[a];
#pragma omp simd
            for (int k = 0; k < CAROM_CONTACT_MODE_GROUP; k++) {
                value[k] += entry[k] * factor;
            }
#pragma omp simd
            for (int k = 0; k < CAROM_CONTACT_MODE_GROUP; k++) {
                next[k] += entry[CAROM_CONTACT_MODE_GROUP + k] * factor;
            }
        }
        double any = 0.0;
#pragma omp simd reduction(max : any)
        for (int k = 0; k < CAROM_CONTACT_MODE_GROUP; k++) {
            holds[k] = value[k] >= least ? holds[k] : 0.0;
            holds[k] = next[k] >= least ? holds[k] : 0.0;
            any = holds[k] > any ? holds[k] : any;
        }
        if (!(any > 0.0)) {
            return 0;
        }
    }
    unsigned left = 0;
    for (int k = 0; k < CAROM_CONTACT_MODE_GROUP; k++) {
        left |= (holds[k] > 0.0 ? 1u : 0u) << k;
    }
    return left;
}

unsigned carom_contact_modes_sift(const carom_contact_modes *modes, int group, const double *y,
                                  double least) {
    return sift(modes, group, y, least);
}
