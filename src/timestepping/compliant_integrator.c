#include <carom/timestepping/compliant_integrator.h>

#include <carom/timestepping/compliant_events.h>

#include <cvode/cvode.h>
#include <float.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

/* A rest of the time span below this many roundings of it cannot be stepped over. */
static const double LEAST_REST = 16.0;

/* Steps in a row by which the time, as a number, does not grow: nothing integrable is left. Behind
 * an event, the first steps may be so short, for as long as they double. */
static const int MOST_STALLED = 20;

struct carom_compliant_integrator {
    carom_compliant_system *system;
    SUNContext context;
    N_Vector state;
    N_Vector tolerance;
    SUNMatrix matrix;
    SUNLinearSolver linear_solver;
    void *cvode;
    double origin;                 /* time of the last restart, s */
    double elapsed;                /* since then, s: CVODE's time, so that what follows an event is
                                      resolved relative to it */
    double time;                   /* reached, s */
    bool is_renewed;               /* the last step was replaced by a restart */
    int *found;                    /* [event count] */
    int *directions;               /* [event count] */
    int stalled;                   /* steps since the time grew last */
    carom_status equations_status; /* why they could not be evaluated since then, or OK */
    int flag;                      /* CVODE's last */
    carom_compliant_counts counts; /* of the pieces before the last restart */
};

/* A trial state where the equations cannot be evaluated is a reason for a smaller step. */
static int answer(carom_compliant_integrator *at, carom_status status) {
    if (status == CAROM_OK) {
        return 0;
    }
    at->equations_status = status;
    return 1;
}

static int rate(realtype t, N_Vector y, N_Vector y_dot, void *context) {
    carom_compliant_integrator *at = context;
    return answer(at, carom_compliant_rate(at->system, at->origin + t, N_VGetArrayPointer(y),
                                           N_VGetArrayPointer(y_dot)));
}

static int rate_derivative(realtype t, N_Vector y, N_Vector y_dot, SUNMatrix matrix, void *context,
                           N_Vector work_a, N_Vector work_b, N_Vector work_c) {
    carom_compliant_integrator *at = context;
    (void)y_dot;
    (void)work_a;
    (void)work_b;
    (void)work_c;
    return answer(at,
                  carom_compliant_rate_derivative(at->system, at->origin + t, N_VGetArrayPointer(y),
                                                  SUNDenseMatrix_Cols(matrix)));
}

static int event_values(realtype t, N_Vector y, realtype *g, void *context) {
    carom_compliant_integrator *at = context;
    (void)t;
    carom_compliant_event_values(at->system, N_VGetArrayPointer(y), g);
    return 0;
}

/* Vectors, matrix and linear solver. */
static carom_status make_algebra(carom_compliant_integrator *at) {
    const sunindextype size = at->system->size;
    if (SUNContext_Create(NULL, &at->context) != 0) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    at->state = N_VNew_Serial(size, at->context);
    at->tolerance = N_VNew_Serial(size, at->context);
    at->matrix = SUNDenseMatrix(size, size, at->context);
    if (at->state == NULL || at->tolerance == NULL || at->matrix == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    at->linear_solver = SUNLinSol_Dense(at->state, at->matrix, at->context);
    at->cvode = CVodeCreate(CV_BDF, at->context);
    const bool is_complete = at->linear_solver != NULL && at->cvode != NULL;
    return is_complete ? CAROM_OK : CAROM_STATUS_OUT_OF_MEMORY;
}

/* The problem, handed to CVODE; what can still fail there is memory. */
static bool is_set_up(carom_compliant_integrator *at) {
    const carom_compliant_params *params = at->system->params;
    void *cvode = at->cvode;
    return CVodeSetErrFile(cvode, NULL) == CV_SUCCESS &&
           CVodeInit(cvode, rate, 0.0, at->state) == CV_SUCCESS &&
           CVodeSVtolerances(cvode, params->relative_tolerance, at->tolerance) == CV_SUCCESS &&
           CVodeSetUserData(cvode, at) == CV_SUCCESS &&
           CVodeSetLinearSolver(cvode, at->linear_solver, at->matrix) == CV_SUCCESS &&
           CVodeSetJacFn(cvode, rate_derivative) == CV_SUCCESS &&
           CVodeRootInit(cvode, carom_compliant_event_count(at->system), event_values) ==
               CV_SUCCESS &&
           CVodeSetStopTime(cvode, params->time_span) == CV_SUCCESS;
}

static void set_directions(carom_compliant_integrator *at) {
    carom_compliant_event_directions(at->system, at->directions);
    CVodeSetRootDirection(at->cvode, at->directions);
}

carom_status carom_compliant_integrator_alloc(carom_compliant_system *system, const double *v,
                                              carom_compliant_integrator **out) {
    *out = NULL;
    carom_compliant_integrator *at = calloc(1, sizeof *at);
    if (at == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    at->system = system;
    const size_t events = (size_t)carom_compliant_event_count(system);
    at->found = calloc(events, sizeof *at->found);
    at->directions = calloc(events, sizeof *at->directions);
    if (at->found == NULL || at->directions == NULL || make_algebra(at) != CAROM_OK) {
        carom_compliant_integrator_free(at);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    N_VConst(0.0, at->state);
    N_VConst(system->params->absolute_tolerance, at->tolerance);
    for (int j = 0; j < system->n; j++) {
        N_VGetArrayPointer(at->state)[system->n + j] = v[j];
    }
    if (!is_set_up(at)) {
        carom_compliant_integrator_free(at);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    set_directions(at);
    *out = at;
    return CAROM_OK;
}

void carom_compliant_integrator_free(carom_compliant_integrator *at) {
    if (at == NULL) {
        return;
    }
    CVodeFree(&at->cvode);
    if (at->linear_solver != NULL) {
        SUNLinSolFree(at->linear_solver);
    }
    if (at->matrix != NULL) {
        SUNMatDestroy(at->matrix);
    }
    if (at->tolerance != NULL) {
        N_VDestroy(at->tolerance);
    }
    if (at->state != NULL) {
        N_VDestroy(at->state);
    }
    SUNContext_Free(&at->context);
    free(at->found);
    free(at->directions);
    free(at);
}

double carom_compliant_integrator_time(const carom_compliant_integrator *at) {
    return at->time;
}

const double *carom_compliant_integrator_state(const carom_compliant_integrator *at) {
    return N_VGetArrayPointer(at->state);
}

const int *carom_compliant_integrator_events(const carom_compliant_integrator *at) {
    return at->found;
}

carom_compliant_counts carom_compliant_integrator_counts(const carom_compliant_integrator *at) {
    long steps = 0;
    long forces = 0;
    long jacobians = 0;
    long error_failures = 0;
    long convergence_failures = 0;
    CVodeGetNumSteps(at->cvode, &steps);
    CVodeGetNumRhsEvals(at->cvode, &forces);
    CVodeGetNumJacEvals(at->cvode, &jacobians);
    CVodeGetNumErrTestFails(at->cvode, &error_failures);
    CVodeGetNumStepSolveFails(at->cvode, &convergence_failures);
    carom_compliant_counts sum = at->counts;
    sum.steps += steps;
    sum.force_evaluations += forces;
    sum.jacobian_evaluations += jacobians;
    sum.error_test_failures += error_failures;
    sum.convergence_failures += convergence_failures;
    return sum;
}

bool carom_compliant_integrator_restart(carom_compliant_integrator *at) {
    const double rest = at->system->params->time_span - at->time;
    if (rest <= LEAST_REST * DBL_EPSILON * at->system->params->time_span) {
        return false;
    }
    at->counts = carom_compliant_integrator_counts(at);
    at->origin = at->time;
    at->elapsed = 0.0;
    CVodeReInit(at->cvode, 0.0, at->state);
    CVodeSetStopTime(at->cvode, rest);
    set_directions(at);
    return true;
}

/* A history of high order that no longer fits, as behind a kink of the force, makes the error test
 * fail at any step size: once, the integrator forgets it and begins anew at order one. */
static carom_compliant_progress renew(carom_compliant_integrator *at) {
    const bool is_curable = at->flag == CV_ERR_FAILURE || at->flag == CV_CONV_FAILURE;
    if (at->is_renewed || !is_curable || !carom_compliant_integrator_restart(at)) {
        return CAROM_COMPLIANT_FAILED;
    }
    at->is_renewed = true;
    return CAROM_COMPLIANT_STEPPED;
}

carom_compliant_progress carom_compliant_integrator_step(carom_compliant_integrator *at) {
    const double rest = at->system->params->time_span - at->origin;
    const double before = at->elapsed;
    if (at->stalled == 0) {
        at->equations_status = CAROM_OK;
    }
    at->flag = CVode(at->cvode, rest, at->state, &at->elapsed, CV_ONE_STEP);
    at->stalled = at->elapsed > before ? 0 : at->stalled + 1;
    at->time =
        at->flag == CV_TSTOP_RETURN ? at->system->params->time_span : at->origin + at->elapsed;
    if (at->stalled > MOST_STALLED) {
        return CAROM_COMPLIANT_FAILED;
    }
    switch (at->flag) {
    case CV_SUCCESS:
        at->is_renewed = false;
        return CAROM_COMPLIANT_STEPPED;
    case CV_TSTOP_RETURN:
        return CAROM_COMPLIANT_FINISHED;
    case CV_ROOT_RETURN:
        CVodeGetRootInfo(at->cvode, at->found);
        return CAROM_COMPLIANT_EVENT;
    default:
        return renew(at);
    }
}

carom_status carom_compliant_integrator_failure(const carom_compliant_integrator *at) {
    if (at->flag == CV_MEM_FAIL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    return at->equations_status == CAROM_OK ? CAROM_STATUS_NOT_CONVERGED : at->equations_status;
}

double carom_compliant_integrator_step_size(const carom_compliant_integrator *at) {
    double step = 0.0;
    CVodeGetCurrentStep(at->cvode, &step);
    return step;
}
