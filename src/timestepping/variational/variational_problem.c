#include <carom/timestepping/variational/stepper_internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A residual that is rounding, of the impulses. */
static const double ROUNDING = 1e-14;

carom_status carom_variational_problem_init(carom_variational_problem *problem,
                                            const carom_variational_equations *eq) {
    const size_t m = (size_t)eq->m;
    const size_t c = (size_t)eq->c;
    const size_t N = c + m * (size_t)eq->t;
    *problem = (carom_variational_problem){.equations = eq, .row_count = (int)N};
    problem->memory = calloc(2 * N * N + 6 * N + 2 * m + 1, sizeof(double));
    problem->row = calloc(N + 1, sizeof(int));
    problem->is_used = calloc(2 * c + 1, sizeof(bool));
    if (problem->memory == NULL || problem->row == NULL || problem->is_used == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    problem->is_bilateral = problem->is_used + c;
    problem->matrix = problem->memory;
    problem->offset = problem->matrix + N * N;
    problem->impulse = problem->offset + N;
    problem->velocity = problem->impulse + N;
    problem->friction = problem->velocity + N;
    problem->entries = problem->friction + m;
    problem->free_velocity = problem->entries + N * N;
    problem->answer = problem->free_velocity + N;
    problem->coefficient = problem->answer + 2 * N;
    return carom_contact_solver_alloc(&problem->solver);
}

void carom_variational_problem_clear(carom_variational_problem *problem) {
    carom_contact_solver_free(problem->solver);
    free(problem->is_used);
    free(problem->row);
    free(problem->memory);
    *problem = (carom_variational_problem){0};
}

static bool is_contact(const carom_variational_problem *problem, int constraint) {
    return problem->is_used[constraint] && !problem->is_bilateral[constraint];
}

/* The rows in the order of the contact problem: bilateral ones, then each normal with its tangents,
 * which are left out where nothing rubs. @return how many */
static int order_rows(carom_variational_problem *problem, carom_contact_rows *rows) {
    const carom_variational_equations *eq = problem->equations;
    int count = 0;
    for (int i = 0; i < eq->c; i++) {
        if (problem->is_used[i] && problem->is_bilateral[i]) {
            problem->row[count++] = i;
        } else if (is_contact(problem, i) && problem->friction[i - eq->b] > 0.0) {
            rows->tangent_count = eq->t;
        }
    }
    rows->joint_count = count;
    for (int i = eq->b; i < eq->c; i++) {
        if (!is_contact(problem, i)) {
            continue;
        }
        problem->coefficient[rows->contact_count++] = problem->friction[i - eq->b];
        problem->row[count++] = i;
        for (int a = 0; a < rows->tangent_count; a++) {
            problem->row[count++] = eq->c + (i - eq->b) * eq->t + a;
        }
    }
    return count;
}

/* The solution that is found first. */
typedef struct first_found {
    double *r;
    double *u;
    size_t bytes;
} first_found;

static bool take_first(const double *r, const double *u, void *context) {
    const first_found *first = context;
    memcpy(first->r, r, first->bytes);
    memcpy(first->u, u, first->bytes);
    return false;
}

/* The impulses to begin with, in the order of the rows. */
static void begin_with(const carom_variational_problem *problem, int count, double *r) {
    for (int i = 0; i < count; i++) {
        r[i] = problem->impulse[problem->row[i]];
    }
}

/* Newton's method alone stays near the impulses that it begins with, which decides where there are
 * several solutions; where it gives up, all methods, and of few contacts all bases. */
static carom_status solve_nearby(carom_variational_problem *problem,
                                 const carom_contact_problem *contacts, double *r, double *u) {
    const size_t bytes = (size_t)contacts->row_count * sizeof(double);
    carom_contact_params params = carom_contact_params_default();
    params.method = CAROM_CONTACT_NEWTON;
    if (problem->is_exact) {
        params.tolerance = ROUNDING;
        begin_with(problem, contacts->row_count, r);
        if (carom_contact_solve(problem->solver, contacts, &params, r, u, NULL, NULL) == CAROM_OK) {
            return CAROM_OK;
        }
        params = carom_contact_params_default();
        params.method = CAROM_CONTACT_NEWTON;
    }
    begin_with(problem, contacts->row_count, r);
    if (carom_contact_solve(problem->solver, contacts, &params, r, u, NULL, NULL) == CAROM_OK) {
        return CAROM_OK;
    }
    memset(r, 0, bytes);
    const carom_status status =
        carom_contact_solve(problem->solver, contacts, NULL, r, u, NULL, NULL);
    if (status == CAROM_OK) {
        return CAROM_OK;
    }
    int count = 0;
    first_found first = {.r = r, .u = u, .bytes = bytes};
    CAROM_TRY(carom_contact_solve_all(contacts, take_first, &first, &count, NULL));
    return count > 0 ? CAROM_OK : status;
}

carom_status carom_variational_problem_solve(carom_variational_problem *problem) {
    const int N = problem->row_count;
    carom_contact_rows rows = {.entries = problem->entries,
                               .free_velocity = problem->free_velocity,
                               .friction = problem->coefficient};
    const int count = order_rows(problem, &rows);
    double *r = problem->answer;
    double *u = problem->answer + N;
    for (int i = 0; i < count; i++) {
        const double *entry = problem->matrix + problem->row[i] * N;
        problem->free_velocity[i] = problem->offset[problem->row[i]];
        for (int k = 0; k < count; k++) {
            problem->entries[i * count + k] = entry[problem->row[k]];
        }
    }
    CAROM_AUTO(carom_contact_problem) contacts = NULL;
    CAROM_TRY(carom_contact_problem_alloc(&rows, &contacts, NULL));
    CAROM_TRY(solve_nearby(problem, contacts, r, u));
    memset(problem->impulse, 0, (size_t)N * sizeof(double));
    memset(problem->velocity, 0, (size_t)N * sizeof(double));
    for (int i = 0; i < count; i++) {
        problem->impulse[problem->row[i]] = r[i];
        problem->velocity[problem->row[i]] = u[i];
    }
    return CAROM_OK;
}

carom_variational_contact_mode
carom_variational_problem_mode(const carom_variational_problem *problem, int contact,
                               double tolerance, double *direction) {
    const carom_variational_equations *eq = problem->equations;
    const int N = problem->row_count;
    const int normal = eq->b + contact;
    const int tangent = eq->c + contact * eq->t;
    double w = problem->matrix[normal * N + normal];
    for (int a = 0; a < eq->t; a++) {
        w = fmax(w, problem->matrix[(tangent + a) * N + tangent + a]);
    }
    // Of r_n and u_n, one of which vanishes, that which is there; closed where neither is.
    if (problem->velocity[normal] > w * problem->impulse[normal] + tolerance) {
        return CAROM_VARIATIONAL_RELEASED;
    }
    // The natural map: what its projection on the disc cuts off slides.
    double length = 0.0;
    for (int a = 0; a < eq->t; a++) {
        direction[a] = problem->velocity[tangent + a] / w - problem->impulse[tangent + a];
        length = hypot(length, direction[a]);
    }
    const double bound = problem->friction[contact] * problem->impulse[normal];
    if (length <= bound) {
        return CAROM_VARIATIONAL_STICK;
    }
    for (int a = 0; a < eq->t; a++) {
        direction[a] /= length;
    }
    return CAROM_VARIATIONAL_SLIDE;
}
