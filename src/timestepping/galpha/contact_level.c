#include <carom/timestepping/galpha/contact_level.h>

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

/* A problem of rows that are held is the same in all iterations but for what forces change. Where
 * every effort has failed it fails again, unless it is left with this part of the residual. */
static const double PROGRESS = 0.5;

/* Roundings of a certificate's residual, a sum over few blocks: nothing to be lowered, and the
 * least that is asked for. */
static const double FLOOR = 8.0 * DBL_EPSILON;
static const double LEAST_TOLERANCE = 64.0 * DBL_EPSILON;

/* What could not be lowered is tried again when it has grown by this, and also beyond as many
 * floors. */
static const double GROWTH = 4.0;

/* --- memory ------------------------------------------------------------------------------------
 */

carom_status carom_kept_factor_compute(carom_kept_factor *kept, carom_layout layout,
                                       const double *A) {
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

carom_status carom_contact_level_init(carom_contact_level *level, carom_step_context *step,
                                      int tangents, carom_contact_gather gather, void *self) {
    *level =
        (carom_contact_level){.step = step, .tangents = tangents, .gather = gather, .self = self};
    const size_t rows = (size_t)step->evaluation.row_count;
    const size_t entries = step->evaluation.entry_count;
    level->ints = calloc(2 * rows + 1 + entries, sizeof *level->ints);
    level->doubles = calloc(2 * entries + 4 * rows + 1, sizeof *level->doubles);
    if (level->ints == NULL || level->doubles == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    level->member = level->ints;
    level->row_start = level->member + rows;
    level->row_column = level->row_start + rows + 1;
    level->value = level->doubles;
    level->rate = level->value + entries;
    level->supports = level->rate + entries;
    level->friction = level->supports + rows;
    level->r = level->friction + rows;
    level->polished = level->r + rows;
    CAROM_TRY(carom_contact_assembly_alloc(&level->assembly));
    return carom_contact_solver_alloc(&level->solver);
}

void carom_contact_level_clear(carom_contact_level *level) {
    carom_contact_assembly_free(level->assembly);
    carom_contact_solver_free(level->solver);
    free(level->ints);
    free(level->doubles);
    *level = (carom_contact_level){0};
}

void carom_contact_level_begin(carom_contact_level *level) {
    if (level->may_rest) {
        memset(level->step->rests, 0, (size_t)level->step->m * sizeof *level->step->rests);
    }
    level->part = CONTACT_PART;
    level->is_plain = false;
    level->failures = 0;
    level->failed_residual = (double)INFINITY;
}

/* --- rows --------------------------------------------------------------------------------------
 */

void carom_contact_level_append(carom_contact_level *level, int j, double support, double impulse,
                                double change, const double *x) {
    const carom_step_context *s = level->step;
    const carom_evaluation *at = &s->evaluation;
    const carom_evaluation_entries row = carom_evaluation_entries_of(at, j);
    const double *rates = at->rates + (row.value - at->jacobian);
    const bool is_curved = change > 0.0;
    const int used = level->row_start[level->rows];
    int *column = level->row_column + used;
    double *value = level->value + used;
    double *rate = level->rate + used;
    for (int k = row.first; k < row.end; k++) {
        const int i = row.column != NULL ? row.column[k] : k;
        *column++ = i;
        *value++ = row.value[k];
        if (is_curved) {
            *rate++ = row.value[k] + change * rates[k];
            support -= change * rates[k] * x[i];
        }
    }
    level->changes = level->changes || is_curved;
    if (j < s->joint_count) {
        level->joints++;
    } else if (j < s->m) {
        level->friction[level->contacts++] =
            level->tangents > 0 ? s->mechanism->friction[j - s->joint_count] : 0.0;
    }
    level->supports[level->rows] = support;
    level->r[level->rows] = impulse;
    level->member[level->rows++] = j;
    level->row_start[level->rows] = used + row.end - row.first;
}

static void gather(carom_contact_level *level, bool is_curved) {
    level->rows = 0;
    level->joints = 0;
    level->contacts = 0;
    level->changes = false;
    level->gather(level->self, level, is_curved);
}

void carom_contact_level_add_reactions(const carom_contact_level *level, double *y) {
    for (int row = 0; row < level->rows; row++) {
        for (int k = level->row_start[row]; k < level->row_start[row + 1]; k++) {
            y[level->row_column[k]] += level->r[row] * level->value[k];
        }
    }
}

/* --- impulses ----------------------------------------------------------------------------------
 */

/* One method from r; kept if its residual is lower. @return the residual of r */
static double improve(carom_contact_level *c, const carom_contact_problem *problem,
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
static void polish(carom_contact_level *c, const carom_contact_problem *problem, double residual) {
    if (!c->is_polished || residual <= FLOOR || residual <= GROWTH * fmin(c->kept, FLOOR)) {
        return;
    }
    double after = improve(c, problem, CAROM_CONTACT_GAUSS_SEIDEL, residual);
    if (after > FLOOR) {
        after = improve(c, problem, CAROM_CONTACT_NEWTON, after);
    }
    c->kept = after > 0.5 * residual ? after : 0.0;
}

/* The contact problem of the rows gathered, borrowed. */
static carom_status assemble(carom_contact_level *c, const carom_contact_problem **problem) {
    const carom_step_context *s = c->step;
    const carom_contact_bodies bodies = {.layout = s->mechanism->layout,
                                         .mass = c->S,
                                         .is_tangent = true,
                                         .joint_count = c->joints,
                                         .contact_count = c->contacts,
                                         .tangent_count = c->tangents,
                                         .row_start = c->row_start,
                                         .row_column = c->row_column,
                                         .row_value = c->value,
                                         .rate_value = c->changes ? c->rate : NULL,
                                         .free_velocity = c->x_free,
                                         .support_velocity = c->supports,
                                         .friction = c->friction};
    return carom_contact_assemble(c->assembly, &bodies, problem, NULL);
}

/* Contacts that pressed in the last step too rest: they have hit before, and what would leave is
 * back before the step ends. Newton's law goes on with less and less of their speeds, and where
 * more rows stick than bodies have coordinates it asks of them what they cannot do at once:
 * impulses then jump for it. */
static void let_rest(const carom_contact_level *c) {
    const carom_step_context *s = c->step;
    for (int row = c->joints; row < c->rows && c->may_rest; row++) {
        const int j = c->member[row];
        if (j < s->m && s->last->impulse[j] > 0.0) {
            s->rests[j] = true;
        }
    }
}

/* Gather the rows again, of contacts that rest, without how they change, and go on from the
 * impulses so far. */
static carom_status make_plain(carom_contact_level *c, const carom_contact_problem **problem) {
    let_rest(c);
    const size_t bytes = (size_t)c->rows * sizeof *c->r;
    memcpy(c->polished, c->r, bytes);
    gather(c, false);
    memcpy(c->r, c->polished, bytes);
    c->is_plain = true;
    return assemble(c, problem);
}

/* The contact of a block; in place of a joint, which alone always has a solution, that which
 * presses most. */
static int failed_contact(const carom_contact_level *c, const carom_contact_problem *problem,
                          int block) {
    const int m = c->step->m;
    int row = block < c->joints ? -1 : carom_contact_problem_row(problem, block);
    for (int i = c->joints; i < c->rows && block < c->joints; i++) {
        if (c->member[i] < m && (row < 0 || c->r[i] > c->r[row])) {
            row = i;
        }
    }
    return row < 0 ? -1 : c->member[row] - c->step->joint_count;
}

/* Whether impulses have run away from a problem without solution: what they leave is small beside
 * them, not beside what there was to stop. */
static bool runs_away(const carom_contact_certificate *certificate, double tolerance) {
    return (certificate->residual + DBL_EPSILON) * certificate->growth > sqrt(tolerance) &&
           certificate->residual <= tolerance;
}

/* Whether the problem has failed before and is no nearer to its solution. */
static bool is_in_vain(const carom_contact_level *c, double residual) {
    return c->step->evaluation.holds_rows && c->failures > 0 &&
           !(residual <= PROGRESS * c->failed_residual);
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
carom_status carom_contact_level_solve(carom_contact_level *c, const double *S,
                                       const double *x_free, bool is_curved, double tolerance,
                                       int *contact) {
    c->S = S;
    c->x_free = x_free;
    gather(c, is_curved);
    if (c->rows == 0) {
        return CAROM_OK;
    }
    const bool is_late = c->part * tolerance < CONTACT_PART * LEAST_TOLERANCE;
    const double needed = fmax(is_late ? 0.0 : CONTACT_PART * tolerance, LEAST_TOLERANCE);
    const carom_contact_problem *problem = NULL;
    CAROM_TRY(assemble(c, &problem));
    carom_contact_params params = carom_contact_params_default();
    params.tolerance = fmax(c->part * tolerance, LEAST_TOLERANCE);
    const int part = c->tangents == 2 ? LESS_IN_SPACE : 1;
    params.most_sweeps = SOME_SWEEPS / part;
    params.most_newton_iterations = SOME_FACTORISATIONS / part;
    c->part *= CONTACT_PART;
    carom_contact_report result;
    carom_status status =
        carom_contact_solve(c->solver, problem, &params, c->r, NULL, &result, NULL);
    const bool is_answer =
        result.certificate.residual <= needed && !runs_away(&result.certificate, tolerance);
    if (status == CAROM_STATUS_NOT_CONVERGED && !is_answer && c->failures < MOST_FAILURES) {
        params = carom_contact_params_default();
        params.tolerance = needed;
        CAROM_TRY(make_plain(c, &problem));
        status = carom_contact_solve(c->solver, problem, &params, c->r, NULL, &result, NULL);
        if (status == CAROM_STATUS_NOT_CONVERGED && (is_in_vain(c, result.certificate.residual) ||
                                                     runs_away(&result.certificate, tolerance))) {
            *contact = failed_contact(c, problem, result.certificate.worst);
            return status;
        }
        c->failures += status == CAROM_STATUS_NOT_CONVERGED ? 1 : 0;
        c->failed_residual = result.certificate.residual;
    }
    /* the best of an ill-conditioned problem may do: the residual of the step decides */
    if (status != CAROM_OK && status != CAROM_STATUS_NOT_CONVERGED) {
        *contact = failed_contact(c, problem, result.certificate.worst);
        return status;
    }
    polish(c, problem, result.certificate.residual);
    return CAROM_OK;
}
