#include <carom/mechanism/completed.h>

#include <carom/mechanism/check_internal.h>

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DERIVATIVES = 8, DECADES = 10 };

struct carom_completed {
    const carom_mechanism *inner;
    carom_mechanism
        mechanism; /**< complete, of which this is the context; unused if none is formed */
    int formed;
    carom_check_state first;  /**< at which the inner mechanism is differenced: for its Jacobian */
    carom_check_state second; /**< the complete one: for all else, which may take that Jacobian */
    double *steps;            /**< [DERIVATIVES][n] h of each number of each derivative; owns all */
    double *tried;            /**< [n] steps of a trial */
    double *least;            /**< [n] least change of a column so far */
    double *trial;            /**< [entries] a derivative with these steps */
    double *last;             /**< [entries] with those before */
};

/* ---------------------------------------------------------------------------------- differences */

/** Position of entry (i,j) in a derivative as the mechanism stores it; false if it is not stored.
 */
static bool find_entry(const carom_check_state *c, const carom_check_member *member, int i, int j,
                       size_t *place) {
    if (member->variable == CAROM_CHECK_TIME) {
        *place = (size_t)i;
        return true;
    }
    *place = carom_check_is_stored(c, member->rows, i, j)
                 ? carom_check_entry_index(c, member->rows, i, j)
                 : SIZE_MAX;
    return *place != SIZE_MAX;
}

/** Rows of column j that may be stored: [begin, end). */
static void rows_of(const carom_check_state *c, const carom_check_member *member, int j, int *begin,
                    int *end) {
    const carom_layout layout = c->mechanism->layout;
    const int rows = carom_check_row_count(c, member->rows);
    const bool is_banded = member->rows == CAROM_CHECK_COORDINATES && layout.is_banded;
    *begin = is_banded && j > layout.half_bandwidth ? j - layout.half_bandwidth : 0;
    *end = is_banded && layout.half_bandwidth < rows - j ? j + layout.half_bandwidth + 1 : rows;
}

/** Columns so far apart have no row of a band in common; of other matrices each goes alone. */
static int stride_of(const carom_check_state *c, const carom_check_member *member) {
    const carom_layout layout = c->mechanism->layout;
    const int columns = carom_check_column_count(c, member);
    const bool is_banded = member->rows == CAROM_CHECK_COORDINATES && layout.is_banded;
    return is_banded && layout.half_bandwidth < columns / 2 ? 2 * layout.half_bandwidth + 1
                                                            : columns;
}

/** F with the numbers first, first + stride, ... away by `factor` times their steps. */
static void evaluate_aside(carom_check_state *c, const carom_check_member *member, int first,
                           double factor, const double *steps, double *F, double *gone) {
    const int columns = carom_check_column_count(c, member);
    const int stride = stride_of(c, member);
    memset(c->way, 0, (size_t)columns * sizeof *c->way);
    for (int j = first; j < columns; j += stride) {
        c->way[j] = factor * steps[j];
    }
    carom_check_go(c, member, carom_check_place(c, member), c->way, c->x, gone);
    member->evaluate(c, c->x, F);
}

/** D = kept D + weight times the difference quotient between factor h and -factor h, in the columns
 * first, first + stride, ... */
static void add_quotients(carom_check_state *c, const carom_check_member *member, int first,
                          const double *steps, double factor, double kept, double weight,
                          double *D) {
    evaluate_aside(c, member, first, factor, steps, c->F_plus, c->other_v);
    evaluate_aside(c, member, first, -factor, steps, c->F_minus, c->middle_v);
    for (int j = first; j < carom_check_column_count(c, member); j += stride_of(c, member)) {
        int begin = 0;
        int end = 0;
        rows_of(c, member, j, &begin, &end);
        for (int i = begin; i < end; i++) {
            size_t place = 0;
            if (find_entry(c, member, i, j, &place)) {
                const double quotient =
                    (c->F_plus[i] - c->F_minus[i]) / (c->other_v[j] - c->middle_v[j]);
                D[place] = (kept > 0.0 ? kept * D[place] : 0.0) + weight * quotient;
            }
        }
    }
}

/*[completedDifferences]*/
/** D = dF/dx by central differences of fourth order with the steps [columns], at the state of c:
 * 4/3 of the quotient over h, -1/3 of that over 2 h. */
static void form(carom_check_state *c, const carom_check_member *member, const double *steps,
                 double *D) {
    const int stride = stride_of(c, member);
    for (int first = 0; first < stride; first++) {
        add_quotients(c, member, first, steps, 1.0, 0.0, 4.0 / 3.0, D);
        add_quotients(c, member, first, steps, 2.0, 1.0, -1.0 / 3.0, D);
    }
}
/*[end completedDifferences]*/

/** Change of column j between two trials, rows in one unit; infinite if it is no number. */
static double change_of(const carom_completed *self, const carom_check_state *c,
                        const carom_check_member *member, int j) {
    double change = 0.0;
    int begin = 0;
    int end = 0;
    rows_of(c, member, j, &begin, &end);
    for (int i = begin; i < end; i++) {
        size_t place = 0;
        if (find_entry(c, member, i, j, &place)) {
            const double difference = fabs(self->trial[place] - self->last[place]);
            const double weighted = carom_check_row_weight(c, member->rows, i) * difference;
            change = weighted <= change ? change : weighted;
            change = isfinite(change) ? change : (double)INFINITY;
        }
    }
    return change;
}

/** Rounding of the values of F last evaluated, rows in one unit. */
static double rounding_of(const carom_check_state *c, const carom_check_member *member) {
    double largest = 0.0;
    for (int i = 0; i < carom_check_row_count(c, member->rows); i++) {
        largest = fmax(largest, carom_check_row_weight(c, member->rows, i) * fabs(c->F_plus[i]));
    }
    return DBL_EPSILON * largest;
}

/**
 * Of all decades that from whose step to a tenth of it a column changes least, rounding included:
 * truncation falls with the fourth power of the step, rounding grows with its inverse, also where
 * differences are too small to show either.
 */
static void choose_steps(carom_completed *self, carom_check_state *c,
                         const carom_check_member *member, double *steps) {
    const int columns = carom_check_column_count(c, member);
    for (int decade = 0; decade <= DECADES; decade++) {
        double *const trial = self->last; /* the arrays change places */
        self->last = self->trial;
        self->trial = trial;
        for (int j = 0; j < columns; j++) {
            const double part = pow(DBL_EPSILON, 0.2) * pow(10.0, -decade);
            self->tried[j] = part * carom_check_reach(c, member)[j];
        }
        form(c, member, self->tried, self->trial);
        const double rounding = rounding_of(c, member);
        for (int j = 0; j < columns; j++) {
            const double error = decade > 0
                                     ? change_of(self, c, member, j) + rounding / self->tried[j]
                                     : (double)INFINITY;
            if (decade == 0 || error < self->least[j]) {
                self->least[j] = error;
                steps[j] = decade > 0 ? 10.0 * self->tried[j] : self->tried[j];
            }
        }
    }
}

/* --------------------------------------------------------------- the functions of the mechanism */

/** A derivative at the state that its function has set. */
static void form_derivative(carom_completed *self, int k, double *D) {
    const carom_check_member *list = NULL;
    const bool is_jacobian = 1 << k == CAROM_MECHANISM_CONSTRAINT_JACOBIAN;
    carom_check_state *c = is_jacobian ? &self->first : &self->second;
    (void)carom_check_list_members(c, &list);
    form(c, &list[k], self->steps + (size_t)k * (size_t)self->inner->coordinate_count, D);
}

static void keep_direction(carom_completed *self, const double *a) {
    memcpy(self->second.a, a, (size_t)self->inner->coordinate_count * sizeof *a);
}

static void form_mass_derivative(const double *q, const double *a, double *D, void *context) {
    carom_completed *self = context;
    self->second.q = q;
    keep_direction(self, a);
    form_derivative(self, 0, D);
}

static void form_stiffness(double t, const double *q, const double *v, double *K, void *context) {
    carom_completed *self = context;
    self->second.t = t;
    self->second.q = q;
    self->second.v = v;
    form_derivative(self, 1, K);
}

static void form_damping(double t, const double *q, const double *v, double *C, void *context) {
    carom_completed *self = context;
    self->second.t = t;
    self->second.q = q;
    self->second.v = v;
    form_derivative(self, 2, C);
}

static void form_constraint_jacobian(const double *q, double *G, void *context) {
    carom_completed *self = context;
    self->first.q = q;
    form_derivative(self, 3, G);
}

static void form_constraint_force_derivative(const double *q, const double *lambda, double *D,
                                             void *context) {
    carom_completed *self = context;
    const size_t m = (size_t)carom_mechanism_constraint_count(self->inner);
    self->second.q = q;
    memcpy(self->second.lambda, lambda, m * sizeof *lambda);
    form_derivative(self, 4, D);
}

static void form_constraint_rate_derivative(const double *q, const double *v, double *D,
                                            void *context) {
    carom_completed *self = context;
    self->second.q = q;
    keep_direction(self, v);
    form_derivative(self, 5, D);
}

static void form_constraint_velocity(double t, double *w, void *context) {
    carom_completed *self = context;
    const carom_mechanism *inner = self->inner;
    const size_t sliding = (size_t)inner->contact_count * (size_t)inner->tangent_count;
    self->second.t_early = t;
    form_derivative(self, 6, w);
    memset(w + carom_mechanism_constraint_count(inner), 0, sliding * sizeof *w);
}

static void form_tangential_rate_derivative(const double *q, const double *v, double *D,
                                            void *context) {
    carom_completed *self = context;
    self->second.q = q;
    keep_direction(self, v);
    form_derivative(self, 7, D);
}

/* Those of the user, under the context of the complete mechanism. */

#define INNER (((const carom_completed *)context)->inner)

static void inner_mass(const double *q, double *M, void *context) {
    INNER->mass(q, M, INNER->context);
}

static void inner_mass_derivative(const double *q, const double *a, double *D, void *context) {
    INNER->mass_derivative(q, a, D, INNER->context);
}

static void inner_force(double t, const double *q, const double *v, double *f, void *context) {
    INNER->force(t, q, v, f, INNER->context);
}

static void inner_stiffness(double t, const double *q, const double *v, double *K, void *context) {
    INNER->stiffness(t, q, v, K, INNER->context);
}

static void inner_damping(double t, const double *q, const double *v, double *C, void *context) {
    INNER->damping(t, q, v, C, INNER->context);
}

static double inner_potential_energy(const double *q, void *context) {
    return INNER->potential_energy(q, INNER->context);
}

static void inner_constraints(const double *q, double *g, void *context) {
    INNER->constraints(q, g, INNER->context);
}

static void inner_constraint_jacobian(const double *q, double *G, void *context) {
    INNER->constraint_jacobian(q, G, INNER->context);
}

static void inner_constraint_force_derivative(const double *q, const double *lambda, double *D,
                                              void *context) {
    INNER->constraint_force_derivative(q, lambda, D, INNER->context);
}

static void inner_constraint_rate_derivative(const double *q, const double *v, double *D,
                                             void *context) {
    INNER->constraint_rate_derivative(q, v, D, INNER->context);
}

static void inner_tangential_jacobian(const double *q, double *H, void *context) {
    INNER->tangential_jacobian(q, H, INNER->context);
}

static void inner_tangential_rate_derivative(const double *q, const double *v, double *D,
                                             void *context) {
    INNER->tangential_rate_derivative(q, v, D, INNER->context);
}

static void inner_constraint_offset(double t, double *s, void *context) {
    INNER->constraint_offset(t, s, INNER->context);
}

static void inner_constraint_velocity(double t, double *w, void *context) {
    INNER->constraint_velocity(t, w, INNER->context);
}

/** What takes the place of a member: the user's function, or none. */
#define HAND_ON(member) self->mechanism.member = self->inner->member != NULL ? inner_##member : NULL
/** The same, or the one that forms derivative k. */
#define TAKE(member, k)                                                      \
    self->mechanism.member = self->inner->member != NULL    ? inner_##member \
                             : (self->formed >> (k)&1) != 0 ? form_##member  \
                                                            : NULL

static void fill_mechanism(carom_completed *self) {
    self->mechanism = *self->inner;
    self->mechanism.context = self;
    self->mechanism.differences = 0;
    HAND_ON(mass);
    HAND_ON(force);
    HAND_ON(potential_energy);
    HAND_ON(constraints);
    HAND_ON(tangential_jacobian);
    HAND_ON(constraint_offset);
    TAKE(mass_derivative, 0);
    TAKE(stiffness, 1);
    TAKE(damping, 2);
    TAKE(constraint_jacobian, 3);
    TAKE(constraint_force_derivative, 4);
    TAKE(constraint_rate_derivative, 5);
    TAKE(constraint_velocity, 6);
    TAKE(tangential_rate_derivative, 7);
}

/* ----------------------------------------------------------------------------------- life cycle */

int carom_mechanism_differences(const carom_mechanism *mechanism) {
    const carom_mechanism *m = mechanism;
    const bool is_curved = !m->is_linear;
    const bool is_constrained = carom_mechanism_constraint_count(m) > 0;
    const bool slides = is_curved && m->contact_count > 0 && m->tangent_count > 0;
    const bool can[DERIVATIVES] = {
        is_curved && m->mass_derivative == NULL,
        m->stiffness == NULL,
        m->damping == NULL,
        is_constrained && m->constraint_jacobian == NULL,
        is_constrained && is_curved && m->constraint_force_derivative == NULL,
        is_constrained && is_curved && m->constraint_rate_derivative == NULL,
        is_constrained && m->constraint_offset != NULL && m->constraint_velocity == NULL,
        slides && m->tangential_rate_derivative == NULL,
    };
    int formed = 0;
    for (int k = 0; k < DERIVATIVES; k++) {
        formed |= can[k] ? m->differences & 1 << k : 0;
    }
    return formed;
}

/** Entries of the largest derivative. */
static size_t largest_of(const carom_mechanism *mechanism) {
    const size_t sizes[] = {carom_layout_entry_count(mechanism->layout),
                            carom_mechanism_constraint_entry_count(mechanism),
                            carom_mechanism_tangential_entry_count(mechanism),
                            (size_t)carom_mechanism_constraint_count(mechanism)};
    size_t largest = 0;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        largest = sizes[k] > largest ? sizes[k] : largest;
    }
    return largest;
}

carom_status carom_completed_alloc(const carom_mechanism *mechanism, carom_completed **out) {
    *out = NULL;
    CAROM_AUTO(carom_completed) self = calloc(1, sizeof *self);
    if (self == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    self->inner = mechanism;
    self->formed = carom_mechanism_differences(mechanism);
    if (self->formed != 0) {
        const size_t n = (size_t)mechanism->coordinate_count;
        const size_t entries = largest_of(mechanism);
        self->steps = calloc((DERIVATIVES + 2) * n + 2 * entries, sizeof *self->steps);
        if (self->steps == NULL) {
            return CAROM_STATUS_OUT_OF_MEMORY;
        }
        self->tried = self->steps + DERIVATIVES * n;
        self->least = self->tried + n;
        self->trial = self->least + n;
        self->last = self->trial + entries;
        fill_mechanism(self);
    }
    CAROM_HAND_OVER(self, out);
    return CAROM_OK;
}

void carom_completed_free(carom_completed *completed) {
    if (completed != NULL) {
        carom_check_state_clear(&completed->first);
        carom_check_state_clear(&completed->second);
        free(completed->steps);
        free(completed);
    }
}

const carom_mechanism *carom_completed_mechanism(const carom_completed *completed) {
    return completed->formed != 0 ? &completed->mechanism : completed->inner;
}

/** Set up one of the two states, and the steps of the derivatives that are formed there. */
static carom_status start_state(carom_completed *self, carom_check_state *c, int formed) {
    const carom_check_member *list = NULL;
    CAROM_TRY(carom_check_state_init(c, 0));
    c->t_early = c->t; /* a derivative is formed where it is asked for */
    c->t_own = c->t_scale;
    const int count = carom_check_list_members(c, &list);
    for (int k = 0; k < count; k++) {
        if ((formed >> k & 1) != 0) {
            choose_steps(self, c, &list[k],
                         self->steps + (size_t)k * (size_t)self->inner->coordinate_count);
        }
    }
    return CAROM_OK;
}

carom_status carom_completed_choose(carom_completed *completed, double t, const double *q,
                                    const double *v) {
    carom_completed *self = completed;
    const int jacobian = self->formed & CAROM_MECHANISM_CONSTRAINT_JACOBIAN;
    if (self->formed == 0) {
        return CAROM_OK;
    }
    carom_check_state_clear(&self->first);
    carom_check_state_clear(&self->second);
    self->first = (carom_check_state){.mechanism = self->inner, .t = t, .q = q, .v = v};
    self->second = (carom_check_state){.mechanism = &self->mechanism, .t = t, .q = q, .v = v};
    CAROM_TRY(start_state(self, &self->first, jacobian));
    return start_state(self, &self->second, self->formed & ~jacobian);
}

carom_status carom_completed_start(carom_completed *completed, double t, const double *q,
                                   const double *v, bool is_checked, carom_report *report) {
    CAROM_TRY(carom_mechanism_validate(completed->inner, t, q, v, report));
    const carom_status status = carom_completed_choose(completed, t, q, v);
    if (status != CAROM_OK) {
        return carom_report_fail(report, status, "differences", (double)NAN, -1);
    }
    return is_checked ? carom_mechanism_check_directions(completed->inner, t, q, v, 0, report)
                      : CAROM_OK;
}

/* ----------------------------------------------------------------------------------- in records */

void carom_mechanism_list_differences(const carom_mechanism *mechanism, size_t size, char *text) {
    static const char *const names[DERIVATIVES] = {
        "mass_derivative",
        "stiffness",
        "damping",
        "constraint_jacobian",
        "constraint_force_derivative",
        "constraint_rate_derivative",
        "constraint_velocity",
        "tangential_rate_derivative",
    };
    const int formed = carom_mechanism_differences(mechanism);
    size_t length = 0;
    text[0] = '\0';
    for (int k = 0; k < DERIVATIVES; k++) {
        if ((formed >> k & 1) != 0 && length < size) {
            const int added =
                snprintf(text + length, size - length, "%s%s", length > 0 ? ", " : "", names[k]);
            length += added > 0 ? (size_t)added : 0;
        }
    }
}
