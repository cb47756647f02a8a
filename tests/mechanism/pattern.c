/* carom/mechanism/mechanism.h: Jacobians stored by a pattern say the same as full ones; what is no
 * pattern is refused. */
#include "../support.h"
#include "example.h"

#include <carom/base/random.h>

enum { MOST = 12, DRAWS = 200 };

/** A matrix of random rows and entries, of which some rows are empty and some are full. */
typedef struct drawn {
    int n;
    int rows;
    int start[MOST + 1];
    int column[MOST * MOST];
    double entry[MOST * MOST];
    double full[MOST * MOST];
} drawn;

static double drawn_number(unsigned long seed, int k) {
    return carom_counter_uniform(seed, 5, (unsigned long)k);
}

static void draw(drawn *self, unsigned long seed) {
    *self = (drawn){.n = 1 + (int)(MOST * drawn_number(seed, 0)),
                    .rows = 1 + (int)(MOST * drawn_number(seed, 1))};
    int count = 0;
    for (int i = 0; i < self->rows; i++) {
        const double share = 1.5 * drawn_number(seed, 2 + i) - 0.25;
        for (int j = 0; j < self->n; j++) {
            const int k = 100 + i * MOST + j;
            if (drawn_number(seed, k) < share) {
                self->column[count] = j;
                self->entry[count] = 1.0 + drawn_number(seed, 1000 + k);
                self->full[i * self->n + j] = self->entry[count++];
            }
        }
        self->start[i + 1] = count;
    }
}

static void jacobian(const double *q, double *G, void *context) {
    const drawn *self = context;
    (void)q;
    memcpy(G, self->entry, (size_t)self->start[self->rows] * sizeof *G);
}

static void rate_derivative(const double *q, const double *v, double *D, void *context) {
    const drawn *self = context;
    jacobian(q, D, context);
    for (int k = 0; k < self->start[self->rows]; k++) {
        D[k] *= v[0];
    }
}

/** The entries of A are the factor times those of the matrix, the others zero. */
static void assert_expanded(const drawn *self, double factor, const double *A) {
    for (int k = 0; k < self->n * self->rows; k++) {
        assert_close(A[k], factor * self->full[k], 0.0, 0.0);
    }
}

TEST(property, a_pattern_gives_the_full_jacobians) {
    const double v = 2.385;
    for (unsigned long seed = 0; seed < DRAWS; seed++) {
        drawn self;
        draw(&self, seed);
        const carom_mechanism_pattern pattern = {self.start, self.column};
        const carom_mechanism mechanism = {
            .coordinate_count = self.n,
            .joint_count = self.rows / 2,
            .contact_count = self.rows - self.rows / 2,
            .constraint_pattern = pattern,
            .constraint_jacobian = jacobian,
            .constraint_rate_derivative = rate_derivative,
            .context = &self,
        };
        const carom_mechanism sliding = {
            .coordinate_count = self.n,
            .contact_count = self.rows,
            .tangent_count = 1,
            .tangential_pattern = pattern,
            .tangential_jacobian = jacobian,
            .tangential_rate_derivative = rate_derivative,
            .context = &self,
        };
        double A[MOST * MOST];
        memset(A, 0xff, sizeof A); /* NaN */
        carom_mechanism_constraint_jacobian(&mechanism, &v, A);
        assert_expanded(&self, 1.0, A);
        memset(A, 0xff, sizeof A);
        carom_mechanism_constraint_rate_derivative(&mechanism, &v, &v, A);
        assert_expanded(&self, v, A);
        memset(A, 0xff, sizeof A);
        carom_mechanism_tangential_jacobian(&sliding, &v, A);
        assert_expanded(&self, 1.0, A);
        memset(A, 0xff, sizeof A);
        carom_mechanism_tangential_rate_derivative(&sliding, &v, &v, A);
        assert_expanded(&self, v, A);
        ck_assert_uint_eq(carom_mechanism_constraint_entry_count(&mechanism),
                          (size_t)self.start[self.rows]);
        ck_assert_uint_eq(carom_mechanism_tangential_entry_count(&sliding),
                          (size_t)self.start[self.rows]);
    }
}

TEST(unit, without_a_pattern_all_entries_are_stored) {
    example subject;
    curved_make(&subject);
    ck_assert_uint_eq(carom_mechanism_constraint_entry_count(&subject.mechanism),
                      CURVED_CONSTRAINTS * CURVED_SIZE);
}

static void assert_refused(int start_0, int start_1, int start_2, int column_1, int index) {
    const int start[3] = {start_0, start_1, start_2};
    const int column[4] = {0, column_1, 2, 2};
    const double zero[3] = {0.31, -0.72, 1.14};
    example subject;
    carom_report report = carom_report_empty();
    curved_make(&subject);
    subject.mechanism.constraint_pattern = (carom_mechanism_pattern){start, column};
    assert_status(carom_mechanism_validate(&subject.mechanism, 0.0, zero, zero, &report),
                  OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "constraint pattern");
    ck_assert_int_eq(report.index, index);
}

TEST(errors, what_is_no_pattern_is_refused) {
    assert_refused(1, 2, 4, 1, 0);  /* begins late */
    assert_refused(0, 3, 2, 1, 2);  /* a start that decreases */
    assert_refused(0, 3, 4, 0, 0);  /* a coordinate twice */
    assert_refused(0, 3, 4, 3, 0);  /* no such coordinate */
    assert_refused(0, 1, 3, -1, 1); /* nor such */
    example subject;
    const int alone = 0;
    const double zero[3] = {0.31, -0.72, 1.14};
    carom_report report = carom_report_empty();
    curved_make(&subject);
    subject.mechanism.constraint_pattern = (carom_mechanism_pattern){&alone, NULL};
    assert_status(carom_mechanism_validate(&subject.mechanism, 0.0, zero, zero, &report),
                  OUT_OF_RANGE);
    subject.mechanism.constraint_pattern = (carom_mechanism_pattern){NULL, &alone};
    assert_status(carom_mechanism_validate(&subject.mechanism, 0.0, zero, zero, &report),
                  OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "constraint pattern");
}

/* G of the curved mechanism by a pattern that holds all, or leaves one entry out that is not zero.
 */
TEST(unit, what_a_pattern_leaves_out_must_be_zero) {
    const int start[3] = {0, 3, 6};
    const int column[6] = {0, 1, 2, 0, 1, 2};
    const double q[3] = {0.31, -0.72, 1.14};
    const double v[3] = {-1.21, 0.48, 0.83};
    example subject;
    carom_mechanism_mismatch worst;
    curved_make(&subject);
    subject.mechanism.constraint_pattern = (carom_mechanism_pattern){start, column};
    assert_ok(carom_mechanism_check(&subject.mechanism, 0.0, q, v, 1e-6, 1, &worst));
    assert_ok(carom_mechanism_check_directions(&subject.mechanism, 0.0, q, v, 1, NULL));
    const int fewer[3] = {0, 3, 5};
    carom_report report = carom_report_empty();
    subject.mechanism.constraint_pattern.start = fewer;
    assert_status(carom_mechanism_check(&subject.mechanism, 0.0, q, v, 1e-6, 1, &worst),
                  DERIVATIVE_MISMATCH);
    ck_assert_int_eq(worst.row, 1);
    ck_assert_int_eq(worst.column, 2);
    assert_status(carom_mechanism_check_directions(&subject.mechanism, 0.0, q, v, 1, &report),
                  DERIVATIVE_MISMATCH);
    ck_assert_int_eq(report.index, 1);
}
