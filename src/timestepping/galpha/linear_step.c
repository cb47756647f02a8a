#include <carom/timestepping/galpha/stepper_internal.h>

#include <carom/base/linear_algebra.h>
#include <carom/contact/contact.h>
#include <carom/lcp/active_set.h>
#include <carom/timestepping/galpha/internal.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row of a sparse [m][n] matrix: the entries that count lie in [first, end). */
typedef struct span {
    int first;
    int end;
} span;

struct carom_linear_step {
    carom_step_context *step;
    int n;
    int m;
    bool has_position_level; /* GGL; else velocity level only */
    bool is_coupled;         /* reactions change the elastic forces: K is not zero */
    bool is_sparse;          /* rows by their entries, not coupled: nothing is [m][n] or [m][m] */
    double h;
    double acceleration_factor; /* dv~' = (c/h) dv~ */
    double smooth_factor;       /* dq = h b dv~ ... */
    double jump_factor;         /* ... + h w dW (velocity level only) */

    carom_factor *smooth;  /* S* = c M + h^2 b K */
    double *jacobian;      /* [m][n] G */
    double *mobility;      /* [m][n] P' = G M^-1 */
    double *smooth_change; /* [m][n] dv~ per unit of multiplier, through the elastic forces */
    span *jacobian_span;   /* [m] */
    span *mobility_span;   /* [m] */
    span *change_span;     /* [m] */
    carom_lcp_active_set *position_level; /* D_p; NULL without position level */
    carom_lcp_active_set *velocity_level; /* D_v */
    carom_factor *mass;                   /* where rows are sparse */

    double *right;     /* [n] h f, then dv~ */
    double *predicted; /* [n] q* */
    double *offset;    /* [m] */
    bool *eligible;    /* [m] */
    double *memory;
};

bool carom_linear_step_applies(const carom_mechanism *mechanism, carom_scheme scheme) {
    const bool has_scheme = scheme == CAROM_SCHEME_NONSMOOTH_GALPHA ||
                            scheme == CAROM_SCHEME_MOREAU_JEAN ||
                            scheme == CAROM_SCHEME_VELOCITY_GALPHA;
    return has_scheme && mechanism->is_linear && mechanism->damping == NULL &&
           mechanism->joint_count == 0 && !carom_mechanism_has_friction(mechanism);
}

static double *row_of(const carom_linear_step *l, double *matrix, int j) {
    return matrix + (size_t)j * (size_t)l->n;
}

static double dot(span range, const double *x, const double *y) {
    double sum = 0.0;
    for (int i = range.first; i < range.end; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

static void add(span range, double alpha, const double *x, double *y) {
    for (int i = range.first; i < range.end; i++) {
        y[i] += alpha * x[i];
    }
}

static span whole(const carom_linear_step *l) {
    const span all = {0, l->n};
    return all;
}

/* The response to a contact decays exponentially away from it; what is below this fraction of its
 * largest entry, the square of rounding, is left out. */
static const double NEGLIGIBLE_RESPONSE = DBL_EPSILON * DBL_EPSILON;

/* Velocity changes in the far tails of the waves, as a part of the largest of the last step: zero,
 * before they become subnormal and slow. */
static const double NEGLIGIBLE_CHANGE = 1e-150;

/* The entries that count. */
static span significant_span(const carom_linear_step *l, const double *x) {
    double largest = 0.0;
    for (int i = 0; i < l->n; i++) {
        largest = fmax(largest, fabs(x[i]));
    }
    const double least = NEGLIGIBLE_RESPONSE * largest;
    span range = {0, l->n};
    while (range.first < range.end && fabs(x[range.first]) <= least) {
        range.first++;
    }
    while (range.end > range.first && fabs(x[range.end - 1]) <= least) {
        range.end--;
    }
    return range;
}

static carom_status alloc_arrays(carom_linear_step *l) {
    const size_t n = (size_t)l->n;
    const size_t m = (size_t)l->m;
    const size_t matrix = l->is_sparse ? 0 : m * n;
    l->memory = calloc(3 * matrix + 2 * n + m, sizeof(double));
    l->jacobian_span = calloc(3 * m + 1, sizeof(span));
    l->eligible = calloc(m + 1, sizeof(bool));
    if (l->memory == NULL || l->jacobian_span == NULL || l->eligible == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    l->jacobian = l->memory;
    l->mobility = l->jacobian + matrix;
    l->smooth_change = l->mobility + matrix;
    l->right = l->smooth_change + matrix;
    l->predicted = l->right + n;
    l->offset = l->predicted + n;
    l->mobility_span = l->jacobian_span + m;
    l->change_span = l->mobility_span + m;
    return CAROM_OK;
}

/* Columns of M^-1 G'. */
static carom_status make_mobility(carom_linear_step *l) {
    const carom_evaluation *at = &l->step->evaluation;
    const carom_layout layout = l->step->mechanism->layout;
    CAROM_AUTO(carom_factor) mass = NULL;
    CAROM_TRY(carom_factor_alloc(layout, &mass));
    CAROM_TRY(carom_factor_compute(mass, at->mass));
    for (int j = 0; j < l->m; j++) {
        double *mobility = row_of(l, l->mobility, j);
        memcpy(mobility, row_of(l, l->jacobian, j), (size_t)l->n * sizeof(double));
        carom_factor_solve(mass, mobility);
        l->jacobian_span[j] = significant_span(l, row_of(l, l->jacobian, j));
        l->mobility_span[j] = significant_span(l, mobility);
    }
    return CAROM_OK;
}

/* Columns of the smooth response to a unit multiplier, with S* left factored. */
static carom_status make_smooth_changes(carom_linear_step *l) {
    carom_evaluation *at = &l->step->evaluation;
    const carom_layout layout = l->step->mechanism->layout;
    /* S* = c M + h^2 b K takes the place of M */
    for (size_t k = 0; k < carom_layout_entry_count(layout); k++) {
        at->mass[k] = l->acceleration_factor * at->mass[k] +
                      l->h * l->h * l->smooth_factor * at->stiffness[k];
    }
    CAROM_TRY(carom_factor_compute(l->smooth, at->mass));
    /* dv~ = -h S*^-1 K P nu, or -h^2 w S*^-1 K P Lambda */
    const double scale = l->has_position_level ? -l->h : -l->h * l->h * l->jump_factor;
    for (int j = 0; j < l->m && l->is_coupled; j++) {
        double *change = row_of(l, l->smooth_change, j);
        carom_layout_multiply_add(layout, scale, at->stiffness, row_of(l, l->mobility, j), change);
        carom_factor_solve(l->smooth, change);
        l->change_span[j] = significant_span(l, change);
    }
    return CAROM_OK;
}

/* D = G (P + factor dv~), the Delassus matrix of a level. */
static carom_status make_level(carom_linear_step *l, double factor, carom_lcp_active_set **out) {
    const size_t m = (size_t)l->m;
    CAROM_AUTO_MEMORY double *delassus = calloc(m * m + 1, sizeof(double));
    if (delassus == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < l->m; i++) {
        const double *row = row_of(l, l->jacobian, i);
        for (int j = 0; j < l->m; j++) {
            delassus[(size_t)i * m + (size_t)j] =
                dot(l->jacobian_span[i], row, row_of(l, l->mobility, j)) +
                factor * dot(l->jacobian_span[i], row, row_of(l, l->smooth_change, j));
        }
    }
    return carom_lcp_active_set_alloc(l->m, delassus, out);
}

/* W = G M^-1 G' in a band, from its blocks of one row. */
static void fill_band(const carom_contact_problem *W, int half_bandwidth, double *band) {
    const carom_layout layout = carom_layout_banded(W->row_count, half_bandwidth);
    for (int i = 0; i < W->row_count; i++) {
        for (int k = W->start[i]; k < W->start[i + 1]; k++) {
            band[carom_layout_index(layout, i, W->column[k])] = W->entries[W->offset[k]];
        }
    }
}

/* Both levels with the one Delassus matrix W, kept by its band, at a guess: contacts that are
 * closed now go on pressing. */
static carom_status make_sparse_levels(carom_linear_step *l) {
    carom_step_context *s = l->step;
    const carom_evaluation *at = &s->evaluation;
    const carom_layout layout = s->mechanism->layout;
    CAROM_AUTO(carom_contact_problem) W = NULL;
    const carom_contact_bodies bodies = {.layout = layout,
                                         .mass = at->mass,
                                         .contact_count = l->m,
                                         .row_start = at->row_start,
                                         .row_column = at->row_column,
                                         .row_value = at->jacobian,
                                         .free_velocity = s->last->velocity};
    CAROM_TRY(carom_contact_problem_of_bodies(&bodies, &W, NULL));
    int band = 0;
    for (int i = 0; i < l->m; i++) {
        const int reach = W->column[W->start[i + 1] - 1] - i;
        band = reach > band ? reach : band;
    }
    CAROM_AUTO_MEMORY double *D = calloc((size_t)l->m * (2 * (size_t)band + 1), sizeof *D);
    if (D == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    fill_band(W, band, D);
    CAROM_TRY(carom_factor_alloc(layout, &l->mass));
    CAROM_TRY(carom_factor_compute(l->mass, at->mass));
    for (int j = 0; j < l->m; j++) {
        l->eligible[j] = carom_step_is_closed(s, j, at->constraint[j]);
    }
    carom_lcp_active_set **const levels[] = {&l->velocity_level, &l->position_level};
    for (int k = 0; k < (l->has_position_level ? 2 : 1); k++) {
        CAROM_TRY(carom_lcp_active_set_alloc_banded(carom_layout_banded(l->m, band), D, levels[k]));
        carom_lcp_active_set_guess(*levels[k], l->eligible);
    }
    return CAROM_OK;
}

static carom_status precompute(carom_linear_step *l) {
    carom_step_context *s = l->step;
    carom_evaluation *at = &s->evaluation;
    /* everything is constant: any state will do */
    carom_evaluation_point(at, 0.0, s->last->position, s->last->velocity);
    carom_evaluation_tangents(at, 0.0, s->last->position, s->last->velocity);
    CAROM_TRY(carom_factor_alloc(s->mechanism->layout, &l->smooth));
    if (l->is_sparse) {
        CAROM_TRY(make_sparse_levels(l));
        return make_smooth_changes(l);
    }
    for (int j = 0; j < l->m; j++) {
        memcpy(row_of(l, l->jacobian, j), carom_evaluation_row(at, j),
               (size_t)l->n * sizeof(double));
    }
    CAROM_TRY(make_mobility(l));
    CAROM_TRY(make_smooth_changes(l));
    if (l->has_position_level) {
        CAROM_TRY(make_level(l, l->h * l->smooth_factor, &l->position_level));
        return make_level(l, 0.0, &l->velocity_level);
    }
    return make_level(l, 1.0, &l->velocity_level);
}

carom_status carom_linear_step_alloc(carom_step_context *step, carom_linear_step **out) {
    *out = NULL;
    CAROM_AUTO(carom_linear_step) l = calloc(1, sizeof *l);
    if (l == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    l->step = step;
    l->n = step->n;
    l->m = step->m;
    l->h = step->params.step;
    l->has_position_level = step->params.scheme == CAROM_SCHEME_NONSMOOTH_GALPHA;
    l->is_coupled = step->mechanism->stiffness != NULL;
    l->is_sparse = !l->is_coupled && step->evaluation.row_start != NULL;
    carom_velocity_level_factors(step, &l->acceleration_factor, &l->smooth_factor, &l->jump_factor);
    CAROM_TRY(alloc_arrays(l));
    CAROM_TRY(precompute(l));
    CAROM_HAND_OVER(l, out);
    return CAROM_OK;
}

void carom_linear_step_free(carom_linear_step *linear) {
    if (linear == NULL) {
        return;
    }
    carom_factor_free(linear->smooth);
    carom_lcp_active_set_free(linear->position_level);
    carom_lcp_active_set_free(linear->velocity_level);
    carom_factor_free(linear->mass);
    free(linear->jacobian_span);
    free(linear->eligible);
    free(linear->memory);
    free(linear);
}

/* Free smooth motion from the prediction: S* dv~ = h f(q, v~), one solve. */
static void solve_free_motion(carom_linear_step *l) {
    carom_step_context *s = l->step;
    const carom_mechanism *mechanism = s->mechanism;
    carom_step_state *x = s->next;
    if (s->params.scheme == CAROM_SCHEME_MOREAU_JEAN) {
        carom_moreau_jean_predict(s);
    } else {
        carom_galpha_predict(s);
    }
    mechanism->force(s->time, x->position, x->velocity, l->right, mechanism->context);
    const double h = l->h;
    for (int i = 0; i < l->n; i++) {
        l->right[i] *= h;
    }
    carom_factor_solve(l->smooth, l->right);
    const double acceleration_factor = l->acceleration_factor / h;
    const double position_factor = h * l->smooth_factor;
    const double negligible = NEGLIGIBLE_CHANGE * s->scales.largest_change;
    double largest = 0.0;
    for (int i = 0; i < l->n; i++) {
        const double dv = fabs(l->right[i]) > negligible ? l->right[i] : 0.0;
        largest = fabs(dv) > largest ? fabs(dv) : largest;
        x->smooth_velocity[i] += dv;
        x->smooth_acceleration[i] = acceleration_factor * dv;
        x->position[i] += position_factor * dv;
    }
    s->scales.largest_change = largest;
}

/* Let a reaction act on the smooth motion through the elastic forces. */
static void change_smooth_motion(carom_linear_step *l, int j, double multiplier) {
    carom_step_state *x = l->step->next;
    const double *change = row_of(l, l->smooth_change, j);
    if (!l->is_coupled) {
        return;
    }
    const span range = l->change_span[j];
    add(range, multiplier, change, x->smooth_velocity);
    add(range, multiplier * l->acceleration_factor / l->h, change, x->smooth_acceleration);
    add(range, multiplier * l->h * l->smooth_factor, change, x->position);
}

/* y [n] += M^-1 G' multipliers, y = 0 where rows are sparse. */
static void respond(const carom_linear_step *l, const double *multipliers, double *y) {
    for (int j = 0; j < l->m; j++) {
        if (multipliers[j] > 0.0 && l->is_sparse) {
            carom_evaluation_add_row(&l->step->evaluation, j, multipliers[j], y);
        } else if (multipliers[j] > 0.0) {
            add(l->mobility_span[j], multipliers[j], row_of(l, l->mobility, j), y);
        }
    }
    if (l->is_sparse) {
        carom_factor_solve(l->mass, y);
    }
}

/* Row j of G times v. */
static double product(const carom_linear_step *l, int j, const double *v) {
    return l->is_sparse ? carom_evaluation_product(&l->step->evaluation, j, v)
                        : dot(l->jacobian_span[j], row_of(l, l->jacobian, j), v);
}

/*[linearStep]*/
/* Position level: 0 <= g(q~) + D_p nu  _|_  nu >= 0, then U = P nu; leaves the gaps at q~. */
static carom_status close_gaps(carom_linear_step *l, int *changes) {
    carom_step_context *s = l->step;
    carom_step_state *x = s->next;
    carom_evaluation *at = &s->evaluation;
    carom_evaluation_constraints(at, s->time, x->position);
    bool any_closed = false;
    for (int j = 0; j < l->m; j++) {
        any_closed = any_closed || !(at->constraint[j] > 0.0);
        x->position_active[j] = false;
        x->position_multiplier[j] = 0.0;
    }
    if (!any_closed) {
        return CAROM_OK;
    }
    carom_lcp_report report;
    CAROM_TRY(carom_lcp_active_set_solve(l->position_level, at->constraint, NULL,
                                         x->position_multiplier, &report));
    *changes = report.pivots;
    memcpy(x->position_active, carom_lcp_active_set_members(l->position_level),
           (size_t)l->m * sizeof(bool));
    for (int j = 0; j < l->m; j++) {
        if (x->position_multiplier[j] > 0.0) {
            change_smooth_motion(l, j, x->position_multiplier[j]);
        }
    }
    respond(l, x->position_multiplier, x->position_correction);
    if (l->is_coupled) {
        carom_evaluation_constraints(at, s->time, x->position);
    }
    add(whole(l), 1.0, x->position_correction, x->position);
    return CAROM_OK;
}

/* Velocity level on the closed contacts: 0 <= u~ + e u_n + D_v Lambda  _|_  Lambda >= 0 with
 * u = G v + w. */
static carom_status restitute(carom_linear_step *l, int *changes) {
    carom_step_context *s = l->step;
    carom_step_state *x = s->next;
    bool any_closed = false;
    for (int j = 0; j < l->m; j++) {
        x->velocity_active[j] = false;
        x->impulse[j] = 0.0;
        if (l->eligible[j]) {
            any_closed = true;
            l->offset[j] = product(l, j, x->smooth_velocity) + s->evaluation.supports[j] +
                           carom_step_restituted(s, j);
        }
    }
    if (!any_closed) {
        return CAROM_OK;
    }
    carom_lcp_report report;
    CAROM_TRY(
        carom_lcp_active_set_solve(l->velocity_level, l->offset, l->eligible, x->impulse, &report));
    *changes = report.pivots;
    memcpy(x->velocity_active, carom_lcp_active_set_members(l->velocity_level),
           (size_t)l->m * sizeof(bool));
    respond(l, x->impulse, x->velocity_jump);
    for (int j = 0; j < l->m && !l->has_position_level; j++) {
        if (x->impulse[j] > 0.0) {
            change_smooth_motion(l, j, x->impulse[j]);
        }
    }
    return CAROM_OK;
}
/*[end linearStep]*/

carom_status carom_linear_step_solve(carom_linear_step *l, int *iterations) {
    carom_step_context *s = l->step;
    carom_step_state *x = s->next;
    int position_changes = 0;
    int velocity_changes = 0;
    memset(x->velocity_jump, 0, (size_t)l->n * sizeof(double));
    memset(x->position_correction, 0, (size_t)l->n * sizeof(double));
    if (l->has_position_level) {
        solve_free_motion(l);
        CAROM_TRY(close_gaps(l, &position_changes));
        for (int j = 0; j < l->m; j++) {
            l->eligible[j] = carom_step_is_closed(s, j, s->evaluation.constraint[j]);
        }
    } else {
        carom_velocity_level_closed_contacts(s, l->predicted, l->eligible);
        solve_free_motion(l);
    }
    carom_evaluation_supports(&s->evaluation, s->time);
    CAROM_TRY(restitute(l, &velocity_changes));

    /* v = v~ + W, rates, and what the next step needs */
    for (int i = 0; i < l->n; i++) {
        x->velocity[i] = x->smooth_velocity[i] + x->velocity_jump[i];
    }
    if (!l->has_position_level) {
        add(whole(l), l->h * l->jump_factor, x->velocity_jump, x->position);
    }
    for (int j = 0; j < l->m; j++) {
        x->rate[j] = product(l, j, x->velocity) + s->evaluation.supports[j];
    }
    *iterations = 1 + (position_changes > velocity_changes ? position_changes : velocity_changes);
    return CAROM_OK;
}

void carom_linear_step_members(const carom_linear_step *linear, bool *members) {
    const carom_lcp_active_set *const levels[] = {linear->position_level, linear->velocity_level};
    const size_t count = (size_t)linear->m;
    for (size_t k = 0; k < 2; k++) {
        if (levels[k] != NULL) {
            memcpy(members + k * count, carom_lcp_active_set_members(levels[k]),
                   count * sizeof *members);
        } else {
            memset(members + k * count, 0, count * sizeof *members);
        }
    }
}

void carom_linear_step_guess(carom_linear_step *linear, const bool *members) {
    carom_lcp_active_set *const levels[] = {linear->position_level, linear->velocity_level};
    for (size_t k = 0; k < 2; k++) {
        if (levels[k] != NULL) {
            carom_lcp_active_set_guess(levels[k], members + k * (size_t)linear->m);
        }
    }
}
