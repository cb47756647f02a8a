#include <carom/timestepping/variational/stepper_internal.h>

#include <carom/base/vector.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Combinations that are tried; a few are enough where the equations are nearly linear. */
enum { MOST_COMBINATIONS = 12 };

/* Signs count beyond this many tolerances of Newton's method, of the momentum of the step:
 * residuals at the rounding floor are 100 of them. Less than that, a contact may pull or slide
 * backwards. */
static const double CONSISTENCY_TOLERANCES = 1000.0;

carom_status carom_variational_contact_modes_init(carom_variational_contact_modes *modes,
                                                  carom_variational_newton *newton) {
    const size_t m = (size_t)newton->equations->m;
    *modes = (carom_variational_contact_modes){.newton = newton};
    modes->was_held = calloc(m + 1, sizeof(bool));
    modes->last = calloc(m + 1, sizeof(carom_variational_contact_mode));
    if (modes->was_held == NULL || modes->last == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    return carom_variational_problem_init(&modes->problem, newton->equations);
}

void carom_variational_contact_modes_clear(carom_variational_contact_modes *modes) {
    carom_variational_problem_clear(&modes->problem);
    free(modes->was_held);
    free(modes->last);
    *modes = (carom_variational_contact_modes){0};
}

static bool has_friction(const carom_variational_equations *eq, int contact) {
    return carom_variational_equations_friction(eq, contact) > 0.0;
}

/* Tolerances of an impulse and of a speed along a row: the momentum of the step, and what the
 * rounding of a gap makes of them. */
static double speed_tolerance(const carom_variational_newton *newton, int row) {
    const carom_variational_equations *eq = newton->equations;
    const double rounding =
        row < eq->c && eq->is_gap_used[row] ? eq->gap_rounding[row] / eq->h : 0.0;
    return CONSISTENCY_TOLERANCES * newton->params.tolerance * newton->momentum_norm *
               newton->length[row] +
           rounding;
}

static double impulse_tolerance(const carom_variational_newton *newton, int row) {
    return speed_tolerance(newton, row) / (newton->length[row] * newton->length[row]);
}

/* Those of the tangents of a contact, the largest. */
static double sliding_tolerance(const carom_variational_newton *newton, int contact) {
    const carom_variational_equations *eq = newton->equations;
    double largest = 0.0;
    for (int row = contact * eq->t; row < (contact + 1) * eq->t; row++) {
        largest = fmax(largest, speed_tolerance(newton, eq->c + row));
    }
    return largest;
}

static double friction_tolerance(const carom_variational_newton *newton, int contact) {
    const carom_variational_equations *eq = newton->equations;
    double largest = 0.0;
    for (int row = contact * eq->t; row < (contact + 1) * eq->t; row++) {
        largest = fmax(largest, impulse_tolerance(newton, eq->c + row));
    }
    return largest;
}

/* Length of the tangential part [t] of a contact. */
static double length_of(const carom_variational_equations *eq, const double *values, int contact) {
    double length = 0.0;
    for (int a = 0; a < eq->t; a++) {
        length = hypot(length, values[contact * eq->t + a]);
    }
    return length;
}

/* Hold a contact with the mode and direction of its sliding at the evaluated velocity. */
static void hold_as_sliding(const carom_variational_newton *newton, int contact) {
    carom_variational_equations *eq = newton->equations;
    const double speed = length_of(eq, eq->sliding, contact);
    const bool is_sliding = speed > sliding_tolerance(newton, contact);
    eq->is_active[eq->b + contact] = true;
    eq->mode[contact] = is_sliding ? CAROM_VARIATIONAL_SLIDE : CAROM_VARIATIONAL_STICK;
    for (int row = contact * eq->t; is_sliding && row < (contact + 1) * eq->t; row++) {
        eq->direction[row] = eq->sliding[row] / speed;
    }
}

/* ------------------------------------------------------------------------- what is inconsistent */

/* Friction's law of an active contact. */
static bool obeys_friction(const carom_variational_newton *newton, int contact) {
    const carom_variational_equations *eq = newton->equations;
    const double mu = carom_variational_equations_friction(eq, contact);
    const double lambda = eq->normal[eq->b + contact];
    const double normal_tolerance = impulse_tolerance(newton, eq->b + contact);
    const double *direction = eq->direction + contact * eq->t;
    const double *sliding = eq->sliding + contact * eq->t;
    if (eq->mode[contact] != CAROM_VARIATIONAL_SLIDE) {
        return length_of(eq, eq->friction, contact) <=
               mu * lambda + friction_tolerance(newton, contact) + mu * normal_tolerance;
    }
    // Along its direction, and not across it.
    const double along = carom_vector_dot(eq->t, direction, sliding);
    double across = 0.0;
    for (int a = 0; a < eq->t; a++) {
        across = hypot(across, sliding[a] - along * direction[a]);
    }
    return fmax(across, -along) <= sliding_tolerance(newton, contact);
}

/* Does every candidate obey its laws? */
static bool is_consistent(const carom_variational_newton *newton) {
    const carom_variational_equations *eq = newton->equations;
    for (int i = eq->b; eq->has_candidates && i < eq->c; i++) {
        if (!eq->candidate[i]) {
            continue;
        }
        const bool is_obeyed = eq->is_active[i] ? eq->normal[i] >= -impulse_tolerance(newton, i) &&
                                                      (!has_friction(eq, i - eq->b) ||
                                                       obeys_friction(newton, i - eq->b))
                                                : eq->rate[i] >= -speed_tolerance(newton, i);
        if (!is_obeyed) {
            return false;
        }
    }
    return true;
}

/* ------------------------------------------------------------------------------------ search */

static void choose_first(carom_variational_contact_modes *modes) {
    carom_variational_equations *eq = modes->newton->equations;
    for (int i = 0; i < eq->m; i++) {
        eq->is_active[eq->b + i] = false;
        if (eq->has_candidates && eq->candidate[eq->b + i]) {
            hold_as_sliding(modes->newton, i);
        }
        if (!eq->is_active[eq->b + i] || !modes->was_held[i]) {
            continue;
        }
        // A contact that slid goes on along its direction, or along the one that it has now.
        const bool is_known = eq->t == 1 || eq->mode[i] == CAROM_VARIATIONAL_SLIDE;
        if (modes->last[i] != CAROM_VARIATIONAL_SLIDE || is_known) {
            eq->mode[i] = modes->last[i];
        }
    }
}

/* The linearised equations, and what the iterate has of their solution. */
static void pose(carom_variational_contact_modes *modes) {
    carom_variational_newton *newton = modes->newton;
    const carom_variational_equations *eq = newton->equations;
    carom_variational_problem *problem = &modes->problem;
    const size_t N = (size_t)newton->row_count;
    memcpy(problem->matrix, newton->compliance, N * N * sizeof(double));
    carom_variational_newton_linearise(newton, problem->offset);
    memcpy(problem->impulse, eq->normal, (size_t)eq->c * sizeof(double));
    memcpy(problem->impulse + eq->c, eq->friction, (size_t)(eq->m * eq->t) * sizeof(double));
    for (int i = 0; i < eq->c; i++) {
        problem->is_used[i] = eq->candidate[i];
        problem->is_bilateral[i] = i < eq->b;
    }
    for (int i = 0; i < eq->m; i++) {
        problem->friction[i] = carom_variational_equations_friction(eq, i);
    }
}

/* A contact that slides against its direction sticks; so may those that seem to slide at first, by
 * what they turn within half a step. @return whether there is one */
static bool stop_sliding(const carom_variational_newton *newton) {
    carom_variational_equations *eq = newton->equations;
    bool is_any = false;
    for (int i = 0; i < eq->m; i++) {
        const bool slides = eq->is_active[eq->b + i] && has_friction(eq, i) &&
                            eq->mode[i] == CAROM_VARIATIONAL_SLIDE;
        if (slides && carom_vector_dot(eq->t, eq->direction + i * eq->t, eq->sliding + i * eq->t) <
                          -sliding_tolerance(newton, i)) {
            eq->mode[i] = CAROM_VARIATIONAL_STICK;
            is_any = true;
        }
    }
    return is_any;
}

/* The combination of the linearised equations; if that of a proposal did not do, the solution is to
 * be near theirs. @return whether there is one that may do */
/*[variationalModes]*/
static bool propose(carom_variational_contact_modes *modes, bool is_solved) {
    carom_variational_equations *eq = modes->newton->equations;
    if (!is_solved && carom_variational_newton_restart(modes->newton) != CAROM_OK) {
        return false;
    }
    // Where a solution to the usual tolerance did not do, modes hang on its last digits.
    modes->problem.is_exact = modes->proposals > 0;
    pose(modes);
    if (carom_variational_problem_solve(&modes->problem) != CAROM_OK) {
        // Where contacts jam there may be a solution at the beginning alone.
        return is_solved && propose(modes, false);
    }
    bool is_new = false;
    for (int i = 0; i < eq->m; i++) {
        double direction[2] = {0.0, 0.0};
        if (!eq->candidate[eq->b + i]) {
            continue;
        }
        // Closed, what hardly opens may pull by more than a tolerance: it is open the next time.
        const double tolerance =
            modes->proposals == 0 ? speed_tolerance(modes->newton, eq->b + i) : 0.0;
        const carom_variational_contact_mode mode =
            carom_variational_problem_mode(&modes->problem, i, tolerance, direction);
        const bool is_active = mode != CAROM_VARIATIONAL_RELEASED;
        is_new = is_new || is_active != eq->is_active[eq->b + i] || mode != eq->mode[i];
        eq->is_active[eq->b + i] = is_active;
        eq->mode[i] = mode;
        for (int a = 0; a < eq->t && mode == CAROM_VARIATIONAL_SLIDE; a++) {
            eq->direction[i * eq->t + a] = direction[a];
        }
    }
    modes->is_near = modes->proposals++ > 0;
    return is_new || is_solved;
}
/*[end variationalModes]*/

/* Solve for the combination. @return true if it is consistent */
static bool is_solution(carom_variational_contact_modes *modes, bool *is_solved) {
    modes->combinations++;
    const carom_status status = carom_variational_newton_solve(
        modes->newton, modes->is_near ? modes->problem.impulse : NULL);
    *is_solved = status == CAROM_OK;
    if (status != CAROM_OK) {
        modes->failure = status;
        modes->residual = modes->newton->residual;
        return false;
    }
    return is_consistent(modes->newton);
}

static bool search(carom_variational_contact_modes *modes) {
    const bool has_contacts = modes->newton->equations->has_candidates;
    bool is_solved = false;
    modes->is_near = false;
    modes->proposals = 0;
    choose_first(modes);
    while (!is_solution(modes, &is_solved)) {
        const bool is_first = modes->combinations == 1;
        if (is_first && is_solved && stop_sliding(modes->newton)) {
            continue;
        }
        if (!has_contacts || modes->combinations == MOST_COMBINATIONS ||
            !propose(modes, is_solved)) {
            return false;
        }
    }
    return true;
}

/* A contact that rests while its mode is that of sliding, with friction at its bound, sticks. What
 * the impulses are beyond their bounds, within the tolerances, is taken off. */
static void settle(carom_variational_contact_modes *modes) {
    const carom_variational_newton *newton = modes->newton;
    carom_variational_equations *eq = newton->equations;
    for (int i = 0; i < eq->m; i++) {
        double *lambda = &eq->normal[eq->b + i];
        *lambda = fmax(0.0, *lambda);
        if (!eq->is_active[eq->b + i] || !has_friction(eq, i)) {
            continue;
        }
        const double bound = carom_variational_equations_friction(eq, i) * *lambda;
        const double size = length_of(eq, eq->friction, i);
        for (int row = i * eq->t; size > bound && row < (i + 1) * eq->t; row++) {
            eq->friction[row] *= bound / size;
        }
        if (length_of(eq, eq->sliding, i) <= sliding_tolerance(newton, i)) {
            eq->mode[i] = CAROM_VARIATIONAL_STICK;
        }
    }
}

carom_status carom_variational_contact_modes_find(carom_variational_contact_modes *modes) {
    const carom_variational_equations *eq = modes->newton->equations;
    modes->combinations = 0;
    modes->failure = CAROM_OK;
    modes->residual = (double)NAN;
    if (!search(modes)) {
        return modes->failure == CAROM_OK ? CAROM_STATUS_CONFLICT : modes->failure;
    }
    settle(modes);
    memcpy(modes->was_held, eq->is_active + eq->b, (size_t)eq->m * sizeof(bool));
    memcpy(modes->last, eq->mode, (size_t)eq->m * sizeof *modes->last);
    return CAROM_OK;
}
