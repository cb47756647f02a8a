#include <carom/timestepping/engine/error_reduction.h>

#include <carom/base/linear_algebra.h>
#include <carom/base/vector.h>
#include <carom/contact/contact.h>
#include <carom/mechanism/completed.h>
#include <carom/mechanism/mechanism.h>
#include <carom/timestepping/galpha/internal.h>
#include <carom/timestepping/internal.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* So much less is asked of a problem that is not solved to the default tolerance: contacts held by
 * more rows than there are coordinates slide by what is reduced of their errors, speeds of nothing
 * beside the others. */
static const double LESS = 1e3;

/* The problem of a step: its rows of J by their entries, joints, then each closed contact. */
typedef struct step_rows {
    int count;
    int contact_count;
    int *start;       /* [rows+1] */
    int *column;      /* [rows n] */
    int *source;      /* [rows] of J */
    int *contact;     /* [m] which are closed */
    double *value;    /* [rows n] */
    double *excess;   /* [rows] what is added to J v* besides, m/s: less what is asked for */
    double *impulse;  /* [rows] N s */
    double *speed;    /* [rows] m/s */
    double *friction; /* [m] 1 */
} step_rows;

struct carom_error_reduction_stepper {
    carom_completed *completed;
    const carom_mechanism *mechanism;
    carom_error_reduction_params params;
    int n;
    int position_count;  /* n_q */
    int b;               /* joints */
    int m;               /* contacts */
    carom_evaluation at; /* M, f, g, J = (G, H) and supports at the present state */
    carom_factor *mass;
    step_rows rows;
    carom_contact_assembly *assembly;
    carom_contact_solver *solver;
    double start_time;
    double next_time; /* where the step ends, s */
    long steps_done;

    double *position;      /* [n_q] */
    double *velocity;      /* [n] */
    double *next_velocity; /* [n] */
    double *next_position; /* [n_q] */
    double *change;        /* [n] of the velocity by impulses, then of the position */
    double *touching;      /* [b+m] largest gaps that are closed in the step */
    double *impulse;       /* [rows of J] of the last step */
    double *memory;        /* owns the numbers */
    int *integers;         /* owns those of the rows */
    carom_error_reduction_result result;
};

carom_error_reduction_params carom_error_reduction_params_default(void) {
    const carom_error_reduction_params params = {
        .step = 1.0 / 60.0,
        .error_reduction = 0.2,
        .solver = CAROM_ERROR_REDUCTION_SWEEPS,
        .sweeps = 10,
        .is_warm_started = false,
        .is_speculative = false,
        .touching = 1e-12,
        .check_derivatives = true,
    };
    return params;
}

/** Refuse parameters. */
static carom_status refuse(const carom_error_reduction_params *params, carom_report *report) {
    const double below_one = nextafter(1.0, 0.0);
    CAROM_TRY(carom_stepper_check_real("step", params->step, DBL_MIN, HUGE_VAL, "> 0", report));
    CAROM_TRY(carom_stepper_check_real("error reduction", params->error_reduction, 0.0, 1.0,
                                       "in [0,1]", report));
    CAROM_TRY(
        carom_stepper_check_real("touching", params->touching, 0.0, below_one, "in [0,1)", report));
    return carom_stepper_check_real("sweeps", params->sweeps, 1.0, HUGE_VAL, ">= 1", report);
}

static carom_status alloc_arrays(carom_error_reduction_stepper *s) {
    CAROM_TRY(carom_evaluation_init(&s->at, s->mechanism));
    CAROM_TRY(carom_factor_alloc(s->mechanism->layout, &s->mass));
    CAROM_TRY(carom_contact_assembly_alloc(&s->assembly));
    CAROM_TRY(carom_contact_solver_alloc(&s->solver));
    const size_t n = (size_t)s->n;
    const size_t positions = (size_t)s->position_count;
    const size_t m = (size_t)s->m;
    const size_t c = (size_t)s->b + (size_t)s->m;
    const size_t rows = (size_t)s->at.row_count;
    s->memory = calloc(2 * positions + 3 * n + c + 4 * rows + m + rows * n, sizeof(double));
    s->integers = calloc(2 * rows + 1 + m + rows * n, sizeof(int));
    if (s->memory == NULL || s->integers == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    s->position = s->memory;
    s->velocity = s->position + positions;
    s->next_velocity = s->velocity + n;
    s->next_position = s->next_velocity + n;
    s->change = s->next_position + positions;
    s->touching = s->change + n;
    s->impulse = s->touching + c;
    s->rows.excess = s->impulse + rows;
    s->rows.impulse = s->rows.excess + rows;
    s->rows.speed = s->rows.impulse + rows;
    s->rows.friction = s->rows.speed + rows;
    s->rows.value = s->rows.friction + m;
    s->rows.start = s->integers;
    s->rows.source = s->rows.start + rows + 1;
    s->rows.contact = s->rows.source + rows;
    s->rows.column = s->rows.contact + m;
    return CAROM_OK;
}

carom_status carom_error_reduction_stepper_alloc(const carom_mechanism *mechanism,
                                                 const carom_error_reduction_params *params,
                                                 carom_error_reduction_stepper **out,
                                                 carom_report *report) {
    CAROM_ASSERT(mechanism != NULL && params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(refuse(params, report));
    const carom_mechanism_support support = {
        .method = "error_reduction",
        .subject = "motion",
        .joints = true,
        .friction = true,
        .restitution = true,
        .nonlinear_mass = true,
        .space = true,
        .moving_supports = true,
        .rotations = true,
    };
    CAROM_TRY(carom_mechanism_require(mechanism, &support, report));
    CAROM_AUTO(carom_error_reduction_stepper) s = calloc(1, sizeof *s);
    if (s == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_completed_alloc(mechanism, &s->completed));
    s->mechanism = carom_completed_mechanism(s->completed);
    s->params = *params;
    s->n = mechanism->coordinate_count;
    s->position_count = carom_mechanism_position_count(mechanism);
    s->b = mechanism->joint_count;
    s->m = mechanism->contact_count;
    CAROM_TRY(alloc_arrays(s));
    s->result.position = s->position;
    s->result.velocity = s->velocity;
    s->result.joint = s->at.constraint;
    s->result.gap = s->at.constraint + s->b;
    s->result.joint_impulse = s->impulse;
    s->result.impulse = s->impulse + s->b;
    s->result.friction_impulse = s->impulse + s->b + s->m;
    CAROM_HAND_OVER(s, out);
    return CAROM_OK;
}

void carom_error_reduction_stepper_free(carom_error_reduction_stepper *stepper) {
    if (stepper == NULL) {
        return;
    }
    carom_contact_solver_free(stepper->solver);
    carom_contact_assembly_free(stepper->assembly);
    carom_factor_free(stepper->mass);
    carom_evaluation_clear(&stepper->at);
    free(stepper->integers);
    carom_completed_free(stepper->completed);
    free(stepper->memory);
    free(stepper);
}

/** Everything at the present state, its gaps and energies included. */
static void observe(carom_error_reduction_stepper *s, double t) {
    const carom_mechanism *mechanism = s->mechanism;
    carom_evaluation_point(&s->at, t, s->position, s->velocity);
    memset(s->at.coordinate, 0, (size_t)s->n * sizeof(double));
    carom_layout_multiply_add(mechanism->layout, 1.0, s->at.mass, s->velocity, s->at.coordinate);
    s->result.time = t;
    s->result.kinetic_energy = 0.5 * carom_vector_dot(s->n, s->velocity, s->at.coordinate);
    s->result.potential_energy = mechanism->potential_energy(s->position, mechanism->context);
}

static carom_status factor_mass(carom_error_reduction_stepper *s, carom_report *report) {
    const carom_status status = carom_factor_compute(s->mass, s->at.mass);
    return status == CAROM_OK ? CAROM_OK
                              : carom_report_fail(report, status, "mass matrix", (double)NAN, -1);
}

carom_status carom_error_reduction_stepper_start(carom_error_reduction_stepper *stepper, double t,
                                                 const double *q, const double *v,
                                                 carom_report *report) {
    CAROM_ASSERT(stepper != NULL && q != NULL && v != NULL);
    carom_error_reduction_stepper *s = stepper;
    CAROM_TRY(carom_completed_start(s->completed, t, q, v, s->params.check_derivatives, report));
    CAROM_TRY(carom_time_after(t, s->params.step, 1, &s->next_time, report));
    memcpy(s->position, q, (size_t)s->position_count * sizeof(double));
    memcpy(s->velocity, v, (size_t)s->n * sizeof(double));
    memset(s->impulse, 0, (size_t)s->at.row_count * sizeof(double));
    s->start_time = t;
    s->steps_done = 0;
    s->result.contact_count = 0;
    s->result.residual = 0.0;
    carom_evaluation_forget(&s->at);
    observe(s, t);
    return factor_mass(s, report);
}

/** Gaps that touch: up to a part of their terms |G| (|q| + h |v| + h |v*|), or to what the rounded
 * time leaves of them if that is more. */
static void measure_gaps(carom_error_reduction_stepper *s) {
    carom_mechanism_position_sizes(s->mechanism, s->position, s->at.coordinate);
    for (int i = 0; i < s->n; i++) {
        const double speed = fabs(s->velocity[i]) + fabs(s->next_velocity[i]);
        s->at.coordinate[i] = s->params.touching * (s->at.coordinate[i] + s->params.step * speed);
    }
    memset(s->touching, 0, (size_t)(s->b + s->m) * sizeof(double));
    carom_evaluation_add_sizes(&s->at, s->b + s->m, s->at.coordinate, s->touching);
    for (int j = 0; j < s->b + s->m; j++) {
        const double rounding = carom_evaluation_time_rounding(&s->at, j, s->result.time);
        s->touching[j] = fmax(s->touching[j], rounding);
    }
}

/* What is to be reduced: nothing of what touches, where two walls without play, or a joint that is
 * there twice, would be asked to give way to their different roundings. */
static double error_of(const carom_error_reduction_stepper *s, int row) {
    const double error = s->at.constraint[row];
    return fabs(error) > s->touching[row] ? error : 0.0;
}

/*[errorReductionTarget]*/
static double target_speed(const carom_error_reduction_stepper *s, int contact) {
    const int row = s->b + contact;
    const double approach = fmax(0.0, -s->at.rate[row]);
    const double restituted = s->mechanism->restitution[contact] * approach;
    const double gap = s->at.constraint[row];
    const double h = s->params.step;
    if (gap > s->touching[row]) {
        return restituted - gap / h;
    }
    return restituted + s->params.error_reduction * fmax(0.0, -error_of(s, row)) / h;
}
/*[end errorReductionTarget]*/

/** Append row j of J, its velocity beyond a target. */
static void add_row(carom_error_reduction_stepper *s, int j, double target) {
    step_rows *rows = &s->rows;
    const carom_evaluation_entries entries = carom_evaluation_entries_of(&s->at, j);
    // Of joints that are redundant the exact answer would keep what is none of its step's.
    const bool is_exact = s->params.solver == CAROM_ERROR_REDUCTION_EXACT;
    const bool is_warm = is_exact ? j >= s->b : s->params.is_warm_started;
    int end = rows->start[rows->count];
    for (int k = entries.first; k < entries.end; k++) {
        rows->column[end] = entries.column != NULL ? entries.column[k] : k;
        rows->value[end] = entries.value[k];
        end += fabs(entries.value[k]) > 0.0 ? 1 : 0;
    }
    rows->source[rows->count] = j;
    rows->excess[rows->count] = s->at.supports[j] - target;
    rows->impulse[rows->count] = is_warm ? s->impulse[j] : 0.0;
    rows->start[++rows->count] = end;
}

/** Joints, and the contacts that take part with their tangents. */
static void gather_rows(carom_error_reduction_stepper *s) {
    const int t = s->at.tangent_count;
    s->rows.count = 0;
    s->rows.contact_count = 0;
    measure_gaps(s);
    for (int j = 0; j < s->b; j++) {
        add_row(s, j, -s->params.error_reduction * error_of(s, j) / s->params.step);
    }
    for (int i = 0; i < s->m; i++) {
        const int row = s->b + i;
        if (s->at.constraint[row] > s->touching[row] && !s->params.is_speculative) {
            continue;
        }
        s->rows.friction[s->rows.contact_count] = t > 0 ? s->mechanism->friction[i] : 0.0;
        s->rows.contact[s->rows.contact_count++] = i;
        add_row(s, row, target_speed(s, i));
        for (int a = 0; a < t; a++) {
            add_row(s, s->b + s->m + i * t + a, 0.0);
        }
    }
}

/** A closed contact must answer its own impulse. */
static carom_status refuse_response(const carom_error_reduction_stepper *s,
                                    const carom_contact_problem *problem, carom_report *report) {
    for (int i = 0; i < problem->block_count; i++) {
        const double response = problem->entries[problem->offset[problem->diagonal[i]]];
        if (!(response > 0.0)) {
            return i < s->b ? carom_report_refuse(report, "response of a joint to its impulse",
                                                  response, i, "> 0")
                            : carom_report_refuse(report, "response of a contact to its impulse",
                                                  response, s->rows.contact[i - s->b], "> 0");
        }
    }
    return CAROM_OK;
}

/*[errorReductionSweep]*/
/** One sweep: every joint and contact in turn is solved for its own impulse, the others held. */
static void sweep(const carom_contact_problem *p, double *r) {
    const int t = p->tangent_count;
    for (int i = 0; i < p->block_count; i++) {
        const int row = carom_contact_problem_row(p, i);
        const int size = i < p->joint_count ? 1 : 1 + t;
        const double *W = p->entries + p->offset[p->diagonal[i]];
        double u[3];
        memcpy(u, p->free_velocity + row, (size_t)size * sizeof *u);
        for (int k = p->start[i]; k < p->start[i + 1]; k++) {
            const int columns = p->column[k] < p->joint_count ? 1 : 1 + t;
            const double *entry = p->entries + p->offset[k];
            const double *other = r + carom_contact_problem_row(p, p->column[k]);
            for (int a = 0; a < size && p->column[k] != i; a++) {
                u[a] += carom_vector_dot(columns, entry + a * columns, other);
            }
        }
        if (i < p->joint_count) {
            r[row] = -u[0] / W[0];
        } else {
            (void)carom_contact_solve_local(t, W, p->friction[i - p->joint_count], u, r + row);
        }
    }
}
/*[end errorReductionSweep]*/

/** Without friction Lemke's method takes less than sweeps to 1e-12; what it leaves of contacts that
 * move little beside the others, and whatever else, is left to all methods. */
static carom_status solve_exactly(carom_error_reduction_stepper *s,
                                  const carom_contact_problem *problem, double *residual,
                                  carom_report *report) {
    double *r = s->rows.impulse;
    carom_contact_params params = carom_contact_params_default();
    params.method = CAROM_CONTACT_PIVOTING;
    const bool is_rough = s->at.tangent_count > 0 || s->b > 0;
    carom_contact_report result;
    carom_status status = CAROM_STATUS_NOT_CONVERGED;
    if (!is_rough) {
        status = carom_contact_solve(s->solver, problem, &params, r, NULL, &result, NULL);
    }
    params.method = CAROM_CONTACT_AUTOMATIC;
    if (status != CAROM_OK) {
        status = carom_contact_solve(s->solver, problem, &params, r, NULL, &result, report);
    }
    if (status == CAROM_STATUS_NOT_CONVERGED) {
        params.tolerance *= LESS;
        status = carom_contact_solve(s->solver, problem, &params, r, NULL, &result, report);
    }
    *residual = result.certificate.residual;
    return status;
}

/** Impulses of the rows, by sweeps that end where they end, or exactly, and their residual. */
static carom_status find_impulses(carom_error_reduction_stepper *s,
                                  const carom_contact_problem *problem, double *residual,
                                  carom_report *report) {
    if (s->params.solver == CAROM_ERROR_REDUCTION_EXACT) {
        return solve_exactly(s, problem, residual, report);
    }
    carom_contact_certificate certificate;
    for (int k = 0; k < s->params.sweeps; k++) {
        sweep(problem, s->rows.impulse);
    }
    carom_contact_certify(problem, s->rows.impulse, s->rows.speed, &certificate);
    *residual = certificate.residual;
    return carom_report_require_finite(report, "contact impulses", s->rows.count, s->rows.impulse);
}

/** Pose and solve the problem, and add the impulses to the free velocity. */
static carom_status collide(carom_error_reduction_stepper *s, double *residual,
                            carom_report *report) {
    const carom_contact_bodies bodies = {.layout = s->mechanism->layout,
                                         .mass = s->at.mass,
                                         .joint_count = s->b,
                                         .contact_count = s->rows.contact_count,
                                         .tangent_count = s->at.tangent_count,
                                         .row_start = s->rows.start,
                                         .row_column = s->rows.column,
                                         .row_value = s->rows.value,
                                         .free_velocity = s->next_velocity,
                                         .support_velocity = s->rows.excess,
                                         .friction = s->rows.friction};
    const carom_contact_problem *problem = NULL;
    CAROM_TRY(carom_contact_assemble(s->assembly, &bodies, &problem, report));
    CAROM_TRY(refuse_response(s, problem, report));
    const carom_contact_listener *contacts = &s->params.contacts;
    if (contacts->tell != NULL) {
        CAROM_TRY(contacts->tell(s->next_time, problem, contacts->context, report));
    }
    CAROM_TRY(find_impulses(s, problem, residual, report));
    memset(s->change, 0, (size_t)s->n * sizeof(double));
    for (int k = 0; k < s->rows.count; k++) {
        carom_evaluation_add_row(&s->at, s->rows.source[k], s->rows.impulse[k], s->change);
    }
    carom_factor_solve(s->mass, s->change);
    for (int i = 0; i < s->n; i++) {
        s->next_velocity[i] += s->change[i];
    }
    return CAROM_OK;
}

/** v_{k+1} and q_{k+1}, beside the present ones. */
static carom_status solve(carom_error_reduction_stepper *s, double *residual,
                          carom_report *report) {
    const double h = s->params.step;
    if (!s->mechanism->is_linear) {
        CAROM_TRY(factor_mass(s, report));
    }
    // v* = v_k + h M^-1 f
    memcpy(s->next_velocity, s->at.force, (size_t)s->n * sizeof(double));
    carom_factor_solve(s->mass, s->next_velocity);
    for (int i = 0; i < s->n; i++) {
        s->next_velocity[i] = s->velocity[i] + h * s->next_velocity[i];
    }
    CAROM_TRY(carom_report_require_finite(report, "velocity", s->n, s->next_velocity));
    gather_rows(s);
    *residual = 0.0;
    if (s->rows.count > 0) {
        CAROM_TRY(collide(s, residual, report));
    }
    for (int i = 0; i < s->n; i++) {
        s->change[i] = h * s->next_velocity[i];
    }
    carom_mechanism_advance(s->mechanism, s->position, s->change, s->next_position);
    return carom_report_require_finite(report, "position", s->position_count, s->next_position);
}

carom_status carom_error_reduction_stepper_advance(carom_error_reduction_stepper *stepper,
                                                   carom_report *report) {
    CAROM_ASSERT(stepper != NULL);
    carom_error_reduction_stepper *s = stepper;
    double residual = 0.0;
    CAROM_TRY(
        carom_time_after(s->start_time, s->params.step, s->steps_done + 1, &s->next_time, report));
    const carom_status status = solve(s, &residual, report);
    if (status != CAROM_OK) {
        if (report != NULL) {
            report->time = s->result.time;
            report->step = s->params.step;
        }
        return status;
    }
    memcpy(s->position, s->next_position, (size_t)s->position_count * sizeof(double));
    memcpy(s->velocity, s->next_velocity, (size_t)s->n * sizeof(double));
    memset(s->impulse, 0, (size_t)s->at.row_count * sizeof(double));
    for (int k = 0; k < s->rows.count; k++) {
        s->impulse[s->rows.source[k]] = s->rows.impulse[k];
    }
    s->result.contact_count = s->rows.contact_count;
    s->result.residual = residual;
    s->steps_done++;
    observe(s, s->next_time);
    return CAROM_OK;
}

const carom_error_reduction_result *
carom_error_reduction_stepper_result(const carom_error_reduction_stepper *stepper) {
    CAROM_ASSERT(stepper != NULL);
    return &stepper->result;
}
