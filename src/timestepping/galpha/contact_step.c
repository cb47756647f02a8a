#include <carom/timestepping/galpha/schemes.h>

#include <carom/base/linear_algebra.h>
#include <carom/contact/contact.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A contact problem is solved to this part of the step's tolerance, which is what the step needs,
 * and to as much less in each further iteration if some sweeps and factorisations do; then swept so
 * often, and where that is not enough by so many of Newton's iterations. */
static const double CONTACT_PART = 0.1;
enum { SOME_SWEEPS = 2000, SOME_FACTORISATIONS = 150 };

/* In space, where each costs as much more, this part of them. */
enum { LESS_IN_SPACE = 2 };

/* Problems of a step that may fail with every effort, before those that follow get some. */
enum { MOST_FAILURES = 6 };
enum { ROUND_SWEEPS = 20, ROUND_NEWTON = 2 };

/* Roundings of a certificate's residual, a sum over few blocks: nothing to be lowered, and the
 * least that is asked for. */
static const double FLOOR = 8.0 * DBL_EPSILON;
static const double LEAST_TOLERANCE = 64.0 * DBL_EPSILON;

/* What could not be lowered is tried again when it has grown by this, and also beyond as many
 * floors. */
static const double GROWTH = 4.0;

/* A factor that is kept as long as its matrix has the same bits. */
typedef struct kept_factor {
    carom_factor *factor;
    double *matrix; /* [layout] */
    bool is_made;
} kept_factor;

struct carom_contact_step {
    carom_velocity_level *scheme;
    kept_factor mass;    /* M */
    kept_factor tangent; /* S */
    double *S;           /* [layout] */
    bool is_inertia;     /* S = M, whose factor serves both */
    double *velocity;    /* [n] v_free, then v */
    double *jump;        /* [n] M^-1 G' Lambda */
    double *inertia;     /* [n] scratch */

    /* the rows of the joints and of the closed contacts, each normal with its tangents */
    int contacts;
    int rows;
    int *member;      /* [row_count] row of the evaluation */
    int *row_start;   /* [row_count+1] */
    int *row_column;  /* [entries] */
    double *value;    /* [entries] G */
    double *rate;     /* [entries] G + h theta d(G v)/dq */
    double *supports; /* [row_count] w, with restitution and what the rows' change brings */
    double *friction; /* [n_u] */
    double *r;        /* [row_count] impulses */
    double *polished; /* [row_count] */
    double kept;      /* residual that polishing did not lower; 0 if it did */
    double part;      /* of the tolerance in this iteration */
    int failures;     /* problems of this step that no effort solved */
    bool is_plain;    /* the problems of this step leave out how its rows change */
    int *ints;
    double *doubles;
    carom_contact_assembly *assembly;
    carom_contact_solver *solver;
};

static carom_status alloc_arrays(carom_contact_step *c) {
    const carom_evaluation *at = &c->scheme->step->evaluation;
    const size_t n = (size_t)at->n;
    const size_t rows = (size_t)at->row_count;
    const size_t entries = at->entry_count;
    const size_t matrix = carom_layout_entry_count(at->mechanism->layout);
    c->ints = calloc(2 * rows + 1 + entries, sizeof *c->ints);
    c->doubles = calloc(3 * matrix + 3 * n + 2 * entries + 4 * rows + 1, sizeof *c->doubles);
    if (c->ints == NULL || c->doubles == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    c->member = c->ints;
    c->row_start = c->member + rows;
    c->row_column = c->row_start + rows + 1;
    c->mass.matrix = c->doubles;
    c->tangent.matrix = c->mass.matrix + matrix;
    c->S = c->tangent.matrix + matrix;
    c->velocity = c->S + matrix;
    c->jump = c->velocity + n;
    c->inertia = c->jump + n;
    c->value = c->inertia + n;
    c->rate = c->value + entries;
    c->supports = c->rate + entries;
    c->friction = c->supports + rows;
    c->r = c->friction + rows;
    c->polished = c->r + rows;
    return CAROM_OK;
}

carom_status carom_contact_step_alloc(carom_velocity_level *scheme, carom_contact_step **out) {
    *out = NULL;
    CAROM_AUTO(carom_contact_step) c = calloc(1, sizeof *c);
    if (c == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const carom_layout layout = scheme->step->mechanism->layout;
    c->scheme = scheme;
    CAROM_TRY(alloc_arrays(c));
    CAROM_TRY(carom_factor_alloc(layout, &c->mass.factor));
    CAROM_TRY(carom_factor_alloc(layout, &c->tangent.factor));
    CAROM_TRY(carom_contact_assembly_alloc(&c->assembly));
    CAROM_TRY(carom_contact_solver_alloc(&c->solver));
    CAROM_HAND_OVER(c, out);
    return CAROM_OK;
}

void carom_contact_step_free(carom_contact_step *step) {
    if (step == NULL) {
        return;
    }
    carom_factor_free(step->mass.factor);
    carom_factor_free(step->tangent.factor);
    carom_contact_assembly_free(step->assembly);
    carom_contact_solver_free(step->solver);
    free(step->ints);
    free(step->doubles);
    free(step);
}

static carom_status factor(kept_factor *kept, carom_layout layout, const double *A) {
    const size_t bytes = carom_layout_entry_count(layout) * sizeof *A;
    if (kept->is_made && memcmp(kept->matrix, A, bytes) == 0) {
        return CAROM_OK;
    }
    kept->is_made = false;
    CAROM_TRY(carom_factor_compute(kept->factor, A));
    memcpy(kept->matrix, A, bytes);
    kept->is_made = true;
    return CAROM_OK;
}

/* Row j of the evaluation behind those gathered. */
static void append_row(carom_contact_step *c, int j, bool is_curved) {
    const carom_step_context *s = c->scheme->step;
    const carom_evaluation *at = &s->evaluation;
    const carom_evaluation_entries row = carom_evaluation_entries_of(at, j);
    const double *rates = is_curved ? at->rates + (row.value - at->jacobian) : NULL;
    const double h_theta = s->params.step * s->theta;
    const double *velocity = s->next->velocity;
    const int used = c->row_start[c->rows];
    int *column = c->row_column + used;
    double *value = c->value + used;
    double *rate = c->rate + used;
    double support = at->supports[j] + carom_step_restitution(s, j) * s->last->rate[j];
    for (int k = row.first; k < row.end; k++) {
        const int i = row.column != NULL ? row.column[k] : k;
        *column++ = i;
        *value++ = row.value[k];
        if (is_curved) {
            *rate++ = row.value[k] + h_theta * rates[k];
            support -= h_theta * rates[k] * velocity[i];
        }
    }
    c->supports[c->rows] = support;
    c->r[c->rows] = s->next->impulse[j];
    c->member[c->rows++] = j;
    c->row_start[c->rows] = used + row.end - row.first;
}

static void gather_rows(carom_contact_step *c, bool is_curved) {
    const carom_step_context *s = c->scheme->step;
    const int t = s->evaluation.tangent_count;
    c->rows = 0;
    c->contacts = 0;
    for (int j = 0; j < s->joint_count; j++) {
        append_row(c, j, is_curved);
    }
    for (int j = s->joint_count; j < s->m; j++) {
        if (!c->scheme->closed[j]) {
            continue;
        }
        const int contact = j - s->joint_count;
        append_row(c, j, is_curved);
        for (int a = 0; a < t; a++) {
            append_row(c, s->m + contact * t + a, is_curved);
        }
        c->friction[c->contacts++] = t > 0 ? s->mechanism->friction[contact] : 0.0;
    }
}

/* One method from r; kept if its residual is lower. @return the residual of r */
static double improve(carom_contact_step *c, const carom_contact_problem *problem,
                      carom_contact_method method, double residual) {
    const carom_contact_params params = {.method = method,
                                         .tolerance = FLOOR,
                                         .most_sweeps = ROUND_SWEEPS,
                                         .most_newton_iterations = ROUND_NEWTON};
    const size_t bytes = (size_t)problem->row_count * sizeof *c->r;
    memcpy(c->polished, c->r, bytes);
    carom_contact_report result;
    const carom_status status =
        carom_contact_solve(c->solver, problem, &params, c->polished, NULL, &result, NULL);
    if ((status == CAROM_OK || status == CAROM_STATUS_NOT_CONVERGED) &&
        result.certificate.residual < residual) {
        memcpy(c->r, c->polished, bytes);
        return result.certificate.residual;
    }
    return residual;
}

/* From a solution of the tolerance towards one of rounding: what is left of it would add up where a
 * contact sticks for long. */
static void polish(carom_contact_step *c, const carom_contact_problem *problem, double residual) {
    if (problem->tangent_count == 0 || residual <= FLOOR ||
        residual <= GROWTH * fmin(c->kept, FLOOR)) {
        return;
    }
    double after = improve(c, problem, CAROM_CONTACT_GAUSS_SEIDEL, residual);
    if (after > FLOOR) {
        after = improve(c, problem, CAROM_CONTACT_NEWTON, after);
    }
    c->kept = after > 0.5 * residual ? after : 0.0;
}

/* The contact problem of the rows gathered, borrowed. */
static carom_status assemble(carom_contact_step *c, bool is_curved,
                             const carom_contact_problem **problem) {
    const carom_step_context *s = c->scheme->step;
    const carom_contact_bodies bodies = {.layout = s->mechanism->layout,
                                         .mass = c->S,
                                         .is_tangent = true,
                                         .joint_count = s->joint_count,
                                         .contact_count = c->contacts,
                                         .tangent_count = s->evaluation.tangent_count,
                                         .row_start = c->row_start,
                                         .row_column = c->row_column,
                                         .row_value = c->value,
                                         .rate_value = is_curved ? c->rate : NULL,
                                         .free_velocity = c->velocity,
                                         .support_velocity = c->supports,
                                         .friction = c->friction};
    return carom_contact_assemble(c->assembly, &bodies, problem, NULL);
}

/* Contacts that pressed in the last step too rest: they have hit before, and what would leave is
 * back before the step ends. Newton's law goes on with less and less of their speeds, and where
 * more rows stick than bodies have coordinates it asks of them what they cannot do at once:
 * impulses then jump for it. */
static void let_rest(const carom_contact_step *c) {
    const carom_step_context *s = c->scheme->step;
    for (int row = s->joint_count; row < c->rows; row++) {
        const int j = c->member[row];
        if (j < s->m && s->last->impulse[j] > 0.0) {
            s->rests[j] = true;
        }
    }
}

/* Gather the rows again, of contacts that rest, without how they change, and go on from the
 * impulses so far. */
static carom_status make_plain(carom_contact_step *c, const carom_contact_problem **problem) {
    let_rest(c);
    const size_t bytes = (size_t)c->rows * sizeof *c->r;
    memcpy(c->polished, c->r, bytes);
    gather_rows(c, false);
    memcpy(c->r, c->polished, bytes);
    c->is_plain = true;
    return assemble(c, false, problem);
}

/*
 * The impulses of the linearized step, from those of the iterate.
 *
 * How the rows change makes W unsymmetric, for which there are fewer methods. Where some effort
 * leaves more than the step may, the problem of rows that do not change, of contacts that rest,
 * takes its place: from then on the iteration leaves the part O(h) of an error, as it does for the
 * lack of G^v. What acts in a row of the step can be much less than what acts in its contact: late
 * iterations need all.
 */
static carom_status solve_contacts(carom_contact_step *c, bool is_curved, double tolerance,
                                   int *contact) {
    const carom_step_context *s = c->scheme->step;
    const bool is_late = c->part * tolerance < CONTACT_PART * LEAST_TOLERANCE;
    const double needed = fmax(is_late ? 0.0 : CONTACT_PART * tolerance, LEAST_TOLERANCE);
    const carom_contact_problem *problem = NULL;
    CAROM_TRY(assemble(c, is_curved, &problem));
    carom_contact_params params = carom_contact_params_default();
    params.tolerance = fmax(c->part * tolerance, LEAST_TOLERANCE);
    const int part = s->evaluation.tangent_count == 2 ? LESS_IN_SPACE : 1;
    params.most_sweeps = SOME_SWEEPS / part;
    params.most_newton_iterations = SOME_FACTORISATIONS / part;
    c->part *= CONTACT_PART;
    carom_contact_report result;
    carom_status status =
        carom_contact_solve(c->solver, problem, &params, c->r, NULL, &result, NULL);
    if (status == CAROM_STATUS_NOT_CONVERGED && !(result.certificate.residual <= needed) &&
        c->failures < MOST_FAILURES) {
        params = carom_contact_params_default();
        params.tolerance = needed;
        CAROM_TRY(make_plain(c, &problem));
        status = carom_contact_solve(c->solver, problem, &params, c->r, NULL, &result, NULL);
        c->failures += status == CAROM_STATUS_NOT_CONVERGED ? 1 : 0;
    }
    /* the best of an ill-conditioned problem may do: the residual of the step decides */
    if (status != CAROM_OK && status != CAROM_STATUS_NOT_CONVERGED) {
        const int worst = result.certificate.worst;
        *contact = worst < s->joint_count
                       ? -1
                       : c->member[carom_contact_problem_row(problem, worst)] - s->joint_count;
        return status;
    }
    polish(c, problem, result.certificate.residual);
    return CAROM_OK;
}

/* y = G' Lambda of the rows gathered. */
static void add_reactions(const carom_contact_step *c, double *y) {
    for (int row = 0; row < c->rows; row++) {
        for (int k = c->row_start[row]; k < c->row_start[row + 1]; k++) {
            y[c->row_column[k]] += c->r[row] * c->value[k];
        }
    }
}

/* Increments of v~, W and -Lambda that lead to the impulses, and the sets that go with them. */
static void form_increment(carom_contact_step *c, double *increment) {
    const carom_step_context *s = c->scheme->step;
    carom_step_state *x = s->next;
    const int n = s->n;
    memset(c->jump, 0, (size_t)n * sizeof *c->jump);
    add_reactions(c, c->jump);
    memcpy(c->inertia, c->jump, (size_t)n * sizeof *c->inertia);
    carom_factor_solve(c->mass.factor, c->jump);
    if (c->is_inertia) {
        memcpy(c->inertia, c->jump, (size_t)n * sizeof *c->inertia);
    } else {
        carom_factor_solve(c->tangent.factor, c->inertia);
    }
    for (int i = 0; i < n; i++) {
        const double dv = c->velocity[i] + c->inertia[i] - x->velocity[i];
        const double dW = c->jump[i] - x->velocity_jump[i];
        increment[i] = dv - dW;
        increment[n + i] = dW;
    }
    double *multipliers = increment + CAROM_VELOCITY_LEVEL_BLOCKS * n;
    memcpy(multipliers, x->impulse, (size_t)s->evaluation.row_count * sizeof *multipliers);
    for (int j = s->joint_count; j < s->m; j++) {
        x->velocity_active[j] = false;
    }
    for (int row = 0; row < c->rows; row++) {
        multipliers[c->member[row]] -= c->r[row];
        if (c->member[row] < s->m && c->member[row] >= s->joint_count) {
            x->velocity_active[c->member[row]] = c->r[row] > 0.0;
        }
    }
}

void carom_contact_step_begin(carom_contact_step *step) {
    const carom_step_context *s = step->scheme->step;
    memset(s->rests, 0, (size_t)s->m * sizeof *s->rests);
    step->part = CONTACT_PART;
    step->is_plain = false;
    step->failures = 0;
}

/*
 * With v~' and q as functions of v~ and W (50) the linearized step is
 *
 *     (M + h theta C + h^2 theta^2 K) dv~ + (h theta C + h^2 theta^2 K) dW = -theta r1
 *     M dW + h theta G^v dv - G' dLambda = -r2,     r2 = M W - G' Lambda.
 *
 * Their sum is one equation for v = v~ + W, with S = M + h theta (C + G^v) + h^2 theta^2 K:
 *
 *     S (v + dv) = S v_free + G' (Lambda + dLambda),   v_free = v - S^-1 (M W + theta r1),
 *
 * a contact problem of bodies with the mass S; then M (W + dW) = G' (Lambda + dLambda), where G^v
 * dv, of second order at a solution, is left to the next iteration.
 */
/*[contactStep]*/
carom_status carom_contact_step_increment(carom_contact_step *c, double tolerance,
                                          double *increment, int *contact) {
    carom_step_context *s = c->scheme->step;
    carom_evaluation *at = &s->evaluation;
    const carom_layout layout = s->mechanism->layout;
    carom_velocity_level_tangent(c->scheme, c->S);
    c->is_inertia = memcmp(c->S, at->mass, carom_layout_entry_count(layout) * sizeof *c->S) == 0;
    CAROM_TRY(factor(&c->mass, layout, at->mass));
    if (!c->is_inertia) {
        CAROM_TRY(factor(&c->tangent, layout, c->S));
    }
    const bool is_curved =
        s->m > 0 && !c->is_plain &&
        carom_evaluation_rate_derivative(at, s->next->position, s->next->velocity);

    /* v_free; the increment holds the residual */
    for (int i = 0; i < s->n; i++) {
        c->inertia[i] = s->theta * increment[i];
    }
    carom_layout_multiply_add(layout, 1.0, at->mass, s->next->velocity_jump, c->inertia);
    carom_factor_solve(c->is_inertia ? c->mass.factor : c->tangent.factor, c->inertia);
    for (int i = 0; i < s->n; i++) {
        c->velocity[i] = s->next->velocity[i] - c->inertia[i];
    }
    gather_rows(c, is_curved);
    if (c->rows > 0) {
        CAROM_TRY(solve_contacts(c, is_curved, tolerance, contact));
    }
    form_increment(c, increment);
    return CAROM_OK;
}
/*[end contactStep]*/
