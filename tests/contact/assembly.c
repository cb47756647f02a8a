/* carom/contact/contact.h: problems of bodies assembled one after the other in the same memory are
 * those made anew, with W from the products term by term. */
#include "random_problem.h"

#include <carom/base/linear_algebra.h>

enum { MOST_SIZE = 14, MOST_ASSEMBLED = 2 + 3 * 6, SEQUENCES = 40, STEPS = 30 };

/* Bodies drawn anew, or what of them changes from one step to the next. */
typedef struct drawn_bodies {
    carom_contact_bodies bodies;
    double mass[MOST_SIZE * MOST_SIZE];
    int start[MOST_ASSEMBLED + 1];
    int column[MOST_ASSEMBLED * MOST_SIZE];
    double value[MOST_ASSEMBLED * MOST_SIZE];
    double rate[MOST_ASSEMBLED * MOST_SIZE];
    double free_velocity[MOST_SIZE];
    double previous[MOST_SIZE];
    double support[MOST_ASSEMBLED];
    double restitution[MOST_ASSEMBLED];
    double friction[MOST_ASSEMBLED];
    int rows;
} drawn_bodies;

static double part_of_one(int k, int i, int j) {
    return 0.5 + 0.5 * drawn(k, i, j);
}

/* A diagonally dominant mass whose coordinates are coupled in groups, or all of them. */
static void draw_mass(drawn_bodies *d, int k) {
    const carom_layout layout = d->bodies.layout;
    const int n = layout.size;
    memset(d->mass, 0, sizeof d->mass);
    for (int i = 0; i < n; i++) {
        for (int j = carom_layout_first_column(layout, i); j <= i; j++) {
            const bool is_coupled = part_of_one(k, 2, 16 * i + j) < 0.3;
            const double entry = i == j ? 8.0 + part_of_one(k, 3, i)
                                        : (is_coupled ? 0.4 * drawn(k, 3, 16 * i + j) : 0.0);
            d->mass[carom_layout_index(layout, i, j)] = entry;
            d->mass[carom_layout_index(layout, j, i)] = entry;
        }
    }
}

static void draw_layout(drawn_bodies *d, int k, bool is_banded) {
    const int n = 2 + (int)(12.0 * part_of_one(k, 1, 0));
    d->bodies.layout = is_banded ? carom_layout_banded(n, k % 3) : carom_layout_full(n);
    draw_mass(d, k);
}

static void draw_rows(drawn_bodies *d, int k) {
    carom_contact_bodies *b = &d->bodies;
    b->joint_count = k % 3;
    b->contact_count = (int)(7.0 * part_of_one(k, 4, 0));
    b->tangent_count = k / 3 % 3;
    d->rows = b->joint_count + b->contact_count * (1 + b->tangent_count);
    int used = 0;
    for (int row = 0; row < d->rows; row++) {
        for (int j = 0; j < b->layout.size; j++) {
            if (part_of_one(k, 10 + row, j) < 0.4) {
                d->column[used++] = j;
            }
        }
        d->start[row + 1] = used;
    }
}

static void draw_values(drawn_bodies *d, int k) {
    for (int e = 0; e < d->start[d->rows]; e++) {
        d->value[e] = drawn(k, 40, e);
        d->rate[e] = k % 2 == 0 ? d->value[e] : drawn(k, 41, e);
    }
    for (int i = 0; i < MOST_SIZE; i++) {
        d->free_velocity[i] = drawn(k, 42, i);
        d->previous[i] = drawn(k, 43, i);
    }
    for (int i = 0; i < MOST_ASSEMBLED; i++) {
        d->support[i] = drawn(k, 44, i);
        d->restitution[i] = part_of_one(k, 45, i);
        d->friction[i] = d->bodies.tangent_count > 0 ? part_of_one(k, 46, i) : 0.0;
    }
}

/* Bind the arrays; now and then without those that may be left out. */
static void bind(drawn_bodies *d, int k) {
    carom_contact_bodies *b = &d->bodies;
    b->mass = d->mass;
    b->row_start = d->start;
    b->row_column = d->column;
    b->row_value = d->value;
    b->rate_value = k % 2 == 0 ? NULL : d->rate;
    b->free_velocity = d->free_velocity;
    b->previous_velocity = k % 5 == 1 ? NULL : d->previous;
    b->support_velocity = k % 7 == 1 ? NULL : d->support;
    b->restitution = k % 5 == 2 ? NULL : d->restitution;
    b->friction = k % 11 == 3 ? NULL : d->friction;
}

static void assert_same_problem(const carom_contact_problem *one,
                                const carom_contact_problem *other) {
    ck_assert_int_eq(one->row_count, other->row_count);
    ck_assert_int_eq(one->block_count, other->block_count);
    for (int i = 0; i < one->block_count; i++) {
        ck_assert_int_eq(one->start[i + 1], other->start[i + 1]);
        ck_assert_int_eq(one->diagonal[i], other->diagonal[i]);
        assert_close(one->inverse_mass[i], other->inverse_mass[i], 0.0, 0.0);
    }
    for (int k = 0; k < one->start[one->block_count]; k++) {
        ck_assert_int_eq(one->column[k], other->column[k]);
        ck_assert_uint_eq(one->offset[k], other->offset[k]);
    }
    for (int i = 0; i < one->contact_count; i++) {
        assert_close(one->friction[i], other->friction[i], 0.0, 0.0);
    }
    double r[MOST_ASSEMBLED] = {0.0};
    double u[2][MOST_ASSEMBLED];
    for (int c = -1; c < one->row_count; c++) {
        memset(r, 0, sizeof r);
        if (c >= 0) {
            r[c] = 1.0;
        }
        carom_contact_problem_velocity(one, r, u[0]);
        carom_contact_problem_velocity(other, r, u[1]);
        for (int i = 0; i < one->row_count; i++) {
            assert_close(u[0][i], u[1][i], 0.0, 0.0);
        }
    }
}

/* u of impulses r by the bodies: v = v_free + M^-1 J' r, then J v, term by term. */
static void assert_products(const drawn_bodies *d, const carom_contact_problem *problem, int k) {
    const carom_contact_bodies *b = &d->bodies;
    const int n = b->layout.size;
    const double *rate = b->rate_value != NULL ? b->rate_value : b->row_value;
    double r[MOST_ASSEMBLED];
    double u[MOST_ASSEMBLED];
    double x[MOST_SIZE] = {0.0};
    CAROM_AUTO(carom_factor) factor = NULL;
    assert_ok(carom_factor_alloc(b->layout, &factor));
    assert_ok(carom_factor_compute(factor, b->mass));
    for (int row = 0; row < d->rows; row++) {
        r[row] = drawn(k, 60, row);
        for (int e = d->start[row]; e < d->start[row + 1]; e++) {
            x[d->column[e]] += d->value[e] * r[row];
        }
    }
    carom_factor_solve(factor, x);
    carom_contact_problem_velocity(problem, r, u);
    for (int row = 0; row < d->rows; row++) {
        const int contact_row = row - b->joint_count;
        const bool is_normal = contact_row >= 0 && contact_row % (1 + b->tangent_count) == 0;
        const double e = is_normal && b->restitution != NULL && b->previous_velocity != NULL
                             ? b->restitution[contact_row / (1 + b->tangent_count)]
                             : 0.0;
        double sum = b->support_velocity != NULL ? (1.0 + e) * d->support[row] : 0.0;
        for (int entry = d->start[row]; entry < d->start[row + 1]; entry++) {
            const int i = d->column[entry];
            sum += rate[entry] * (x[i] + d->free_velocity[i] + e * d->previous[i]);
        }
        assert_close(u[row], sum, 0.0, 1e-14 * (n + d->rows));
    }
}

TEST(property, what_is_kept_between_assemblies_changes_nothing) {
    for (int sequence = 0; sequence < SEQUENCES; sequence++) {
        CAROM_AUTO(carom_contact_assembly) assembly = NULL;
        static drawn_bodies d;
        assert_ok(carom_contact_assembly_alloc(&assembly));
        for (int step = 0; step < STEPS; step++) {
            const int k = sequence * STEPS + step;
            const double what = step == 0 ? 0.0 : part_of_one(k, 0, 0);
            if (what < 0.2) {
                draw_layout(&d, k, k % 2 == 0);
            }
            if (what < 0.4) {
                draw_rows(&d, k);
            }
            if (what < 0.8) {
                draw_values(&d, k);
            } else if (what < 0.9) { /* the same parts */
                d.mass[carom_layout_index(d.bodies.layout, 0, 0)] *= 1.1;
            } else { /* others */
                draw_mass(&d, k);
            }
            bind(&d, k);
            const carom_contact_problem *problem = NULL;
            CAROM_AUTO(carom_contact_problem) anew = NULL;
            assert_ok(carom_contact_assemble(assembly, &d.bodies, &problem, NULL));
            assert_ok(carom_contact_problem_of_bodies(&d.bodies, &anew, NULL));
            assert_same_problem(problem, anew);
            assert_products(&d, problem, k);
        }
    }
}

TEST(errors, after_a_refusal_the_assembly_begins_anew) {
    CAROM_AUTO(carom_contact_assembly) assembly = NULL;
    static drawn_bodies d;
    assert_ok(carom_contact_assembly_alloc(&assembly));
    int k = 4; /* one with contacts and their friction */
    do {
        k += 3;
        draw_layout(&d, k, true);
        draw_rows(&d, k);
        draw_values(&d, k);
        bind(&d, k);
    } while (d.bodies.contact_count == 0 || d.bodies.tangent_count == 0 || d.start[1] == 0 ||
             d.bodies.friction == NULL);
    double *first = &d.mass[carom_layout_index(d.bodies.layout, 0, 0)];
    const carom_contact_problem *problem = NULL;
    CAROM_AUTO(carom_contact_problem) anew = NULL;
    assert_ok(carom_contact_problem_of_bodies(&d.bodies, &anew, NULL));
    const struct {
        double *number;
        double wrong;
        carom_status status;
        const char *quantity;
    } faults[] = {
        {first, -1.0, CAROM_STATUS_OUT_OF_RANGE, "mass"},
        {first, (double)NAN, CAROM_STATUS_NOT_FINITE, "mass"},
        {&d.value[0], (double)INFINITY, CAROM_STATUS_NOT_FINITE, "row_value"},
        {&d.free_velocity[1], (double)NAN, CAROM_STATUS_NOT_FINITE, "free_velocity"},
        {&d.friction[0], -0.1, CAROM_STATUS_OUT_OF_RANGE, "friction"},
    };
    for (size_t f = 0; f < sizeof faults / sizeof *faults; f++) {
        const double right = *faults[f].number;
        carom_report report = carom_report_empty();
        *faults[f].number = faults[f].wrong;
        ck_assert_int_eq(carom_contact_assemble(assembly, &d.bodies, &problem, &report),
                         faults[f].status);
        ck_assert_str_eq(report.quantity, faults[f].quantity);
        ck_assert_ptr_null(problem);
        *faults[f].number = right;
        assert_ok(carom_contact_assemble(assembly, &d.bodies, &problem, &report));
        assert_same_problem(problem, anew);
    }
}

TEST(unit, a_tangent_may_be_unsymmetric) {
    /* W = J S^-1 J' with S = (2 1; -1 3), det 7. */
    const double S[4] = {2.0, 1.0, -1.0, 3.0};
    const int start[2] = {0, 2};
    const int column[2] = {0, 1};
    const double J[2] = {0.7, -1.3};
    const double v[2] = {0.0, 0.0};
    const carom_contact_bodies bodies = {.layout = carom_layout_full(2),
                                         .mass = S,
                                         .is_tangent = true,
                                         .contact_count = 1,
                                         .row_start = start,
                                         .row_column = column,
                                         .row_value = J,
                                         .free_velocity = v};
    CAROM_AUTO(carom_contact_problem) problem = NULL;
    assert_ok(carom_contact_problem_of_bodies(&bodies, &problem, NULL));
    const double W = (0.7 * (3.0 * 0.7 + 1.3) - 1.3 * (0.7 - 2.0 * 1.3)) / 7.0;
    assert_close(problem->entries[0], W, 1e-15, 0.0);
    carom_contact_bodies symmetric = bodies;
    symmetric.is_tangent = false;
    carom_contact_problem *none = NULL;
    assert_status(carom_contact_problem_of_bodies(&symmetric, &none, NULL), NOT_SYMMETRIC);
}

/* One damage a case, to bodies that are accepted as they are. */
typedef struct damaged_bodies {
    double mass[4];
    double restitution;
    double friction;
    double v_free;
    int tangent_count;
    int column;
    carom_status status;
    const char *quantity;
    int index;
} damaged_bodies;

static const damaged_bodies DAMAGES[] = {
    {{2.0, 0.3, 0.3, 1.7}, 0.4, 0.5, -1.0, 1, 1, CAROM_OK, NULL, 0},
    {{2.0, 0.3, 0.3, 0.0}, 0.4, 0.5, -1.0, 1, 1, CAROM_STATUS_OUT_OF_RANGE, "mass", 1},
    {{-2.0, 0.3, 0.3, 1.7}, 0.4, 0.5, -1.0, 1, 1, CAROM_STATUS_OUT_OF_RANGE, "mass", 0},
    {{2.0, 2.3, 2.3, 1.7}, 0.4, 0.5, -1.0, 1, 1, CAROM_STATUS_SINGULAR, "mass", 0},
    {{2.0, 0.3, 0.4, 1.7}, 0.4, 0.5, -1.0, 1, 1, CAROM_STATUS_NOT_SYMMETRIC, "mass", -1},
    {{2.0, NAN, NAN, 1.7}, 0.4, 0.5, -1.0, 1, 1, CAROM_STATUS_NOT_FINITE, "mass", 0},
    {{2.0, 0.3, 0.3, 1.7}, 1.1, 0.5, -1.0, 1, 1, CAROM_STATUS_OUT_OF_RANGE, "restitution", 0},
    {{2.0, 0.3, 0.3, 1.7}, NAN, 0.5, -1.0, 1, 1, CAROM_STATUS_OUT_OF_RANGE, "restitution", 0},
    {{2.0, 0.3, 0.3, 1.7}, 0.4, -0.5, -1.0, 1, 1, CAROM_STATUS_OUT_OF_RANGE, "friction", 0},
    {{2.0, 0.3, 0.3, 1.7}, 0.4, NAN, -1.0, 1, 1, CAROM_STATUS_NOT_FINITE, "friction", 0},
    {{2.0, 0.3, 0.3, 1.7}, 0.4, 0.5, NAN, 1, 1, CAROM_STATUS_NOT_FINITE, "free_velocity", 0},
    {{2.0, 0.3, 0.3, 1.7}, 0.4, 0.5, -1.0, 3, 1, CAROM_STATUS_OUT_OF_RANGE, "tangent_count", -1},
    {{2.0, 0.3, 0.3, 1.7}, 0.4, 0.5, -1.0, 1, 2, CAROM_STATUS_OUT_OF_RANGE, "row_column", 1},
};

LOOP_TEST(errors, bodies_that_cannot_be_are_refused_by_name,
          (int)(sizeof DAMAGES / sizeof DAMAGES[0])) {
    const damaged_bodies *d = &DAMAGES[_i];
    const int start[3] = {0, 1, 2};
    const int column[2] = {0, d->column};
    const double rows[2] = {1.0, 1.0};
    const double v_free[2] = {d->v_free, 0.6};
    const carom_contact_bodies bodies = {.layout = carom_layout_full(2),
                                         .mass = d->mass,
                                         .contact_count = 1,
                                         .tangent_count = d->tangent_count,
                                         .row_start = start,
                                         .row_column = column,
                                         .row_value = rows,
                                         .free_velocity = v_free,
                                         .previous_velocity = v_free,
                                         .restitution = &d->restitution,
                                         .friction = &d->friction};
    carom_contact_problem *problem = NULL;
    carom_report report = carom_report_empty();
    const carom_status status = carom_contact_problem_of_bodies(&bodies, &problem, &report);
    ck_assert_msg(status == d->status, "%s", carom_status_name(status));
    ck_assert((problem == NULL) == (status != CAROM_OK));
    if (status != CAROM_OK) {
        ck_assert_str_eq(report.quantity, d->quantity);
        ck_assert_int_eq(report.index, d->index);
    }
    carom_contact_problem_free(problem);
}
