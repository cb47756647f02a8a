#include <carom/timestepping/variational/stepper_internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Combinations tried in order after guidance has failed: all of six contacts with one tangent. */
static const int MOST_COMBINATIONS = 4096;

/* Signs count beyond this many tolerances of Newton's method, of the momentum of the step:
 * residuals at the rounding floor are 100 of them. Less than that, a contact may pull or a row
 * slide backwards. */
static const double CONSISTENCY_TOLERANCES = 1000.0;

carom_status carom_variational_contact_modes_init(carom_variational_contact_modes *modes,
                                                  carom_variational_newton *newton) {
    const carom_variational_equations *eq = newton->equations;
    *modes = (carom_variational_contact_modes){
        .newton = newton,
        .history_capacity = 4 * newton->row_count + 4,
    };
    const size_t m = (size_t)eq->m;
    const size_t rows = m * (size_t)eq->t;
    modes->was_held = calloc(m + 1, sizeof(bool));
    modes->last = calloc(rows + 1, sizeof(carom_variational_contact_mode));
    modes->memory = calloc(m * (size_t)(modes->history_capacity + 1) + 1, sizeof(int));
    if (modes->was_held == NULL || modes->last == NULL || modes->memory == NULL) {
        carom_variational_contact_modes_clear(modes);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    modes->code = modes->memory;
    modes->history = modes->memory + m;
    return CAROM_OK;
}

void carom_variational_contact_modes_clear(carom_variational_contact_modes *modes) {
    free(modes->was_held);
    free(modes->last);
    free(modes->memory);
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
        row < eq->m && eq->is_gap_used[row] ? eq->gap_rounding[row] / eq->h : 0.0;
    return CONSISTENCY_TOLERANCES * newton->params.tolerance * newton->momentum_norm *
               newton->length[row] +
           rounding;
}

static double impulse_tolerance(const carom_variational_newton *newton, int row) {
    return speed_tolerance(newton, row) / (newton->length[row] * newton->length[row]);
}

/* ------------------------------------------------------------------------------------- codes */

static int code_count(const carom_variational_equations *eq, int contact) {
    int count = 1;
    for (int a = 0; a < eq->t && has_friction(eq, contact); a++) {
        count *= 3;
    }
    return 1 + count;
}

/* Write the modes of a code into the equations. */
static void set_code(carom_variational_contact_modes *modes, int contact, int code) {
    static const carom_variational_contact_mode kinds[3] = {
        CAROM_VARIATIONAL_STICK, CAROM_VARIATIONAL_FORWARD, CAROM_VARIATIONAL_BACKWARD};
    carom_variational_equations *eq = modes->newton->equations;
    modes->code[contact] = code;
    eq->is_active[contact] = code > 0;
    int digits = code - 1;
    for (int a = 0; a < eq->t; a++) {
        carom_variational_contact_mode *mode = &eq->mode[contact * eq->t + a];
        *mode = code > 0 ? kinds[digits % 3] : CAROM_VARIATIONAL_RELEASED;
        digits /= 3;
    }
}

static int digit_of(carom_variational_contact_mode mode) {
    switch (mode) {
    case CAROM_VARIATIONAL_FORWARD:
        return 1;
    case CAROM_VARIATIONAL_BACKWARD:
        return 2;
    case CAROM_VARIATIONAL_STICK:
    case CAROM_VARIATIONAL_RELEASED:
    default:
        return 0;
    }
}

/* Code of a held contact with these modes [t]. */
static int code_of(const carom_variational_equations *eq, int contact,
                   const carom_variational_contact_mode *mode) {
    int code = 0;
    for (int a = eq->t - 1; a >= 0 && has_friction(eq, contact); a--) {
        code = 3 * code + digit_of(mode[a]);
    }
    return 1 + code;
}

/* Give one row another mode. */
static void set_mode(carom_variational_contact_modes *modes, int row,
                     carom_variational_contact_mode mode) {
    const carom_variational_equations *eq = modes->newton->equations;
    const int contact = row / eq->t;
    eq->mode[row] = mode;
    set_code(modes, contact, code_of(eq, contact, eq->mode + contact * eq->t));
}

/* Hold a contact with the modes of its sliding at the evaluated velocity. */
static void hold_as_sliding(carom_variational_contact_modes *modes, int contact) {
    const carom_variational_newton *newton = modes->newton;
    const carom_variational_equations *eq = newton->equations;
    for (int row = contact * eq->t; row < (contact + 1) * eq->t; row++) {
        const double tolerance = speed_tolerance(newton, eq->m + row);
        const double speed = eq->sliding[row];
        eq->mode[row] = speed > tolerance    ? CAROM_VARIATIONAL_FORWARD
                        : speed < -tolerance ? CAROM_VARIATIONAL_BACKWARD
                                             : CAROM_VARIATIONAL_STICK;
    }
    set_code(modes, contact, code_of(eq, contact, eq->mode + contact * eq->t));
}

/* ------------------------------------------------------------------------- what is inconsistent */

/* The kinds, in the order in which they are mended. */
typedef enum violation_kind {
    VIOLATION_NONE,
    VIOLATION_DIRECTION, /* slides against its direction */
    VIOLATION_BOUND,     /* sticks by more than mu lambda */
    VIOLATION_PULL,      /* lambda < 0 */
    VIOLATION_CLOSING    /* released, and the gap closes */
} violation_kind;

typedef struct violation {
    violation_kind kind;
    int index;   /* row of a tangent, or contact */
    double size; /* of its tolerance */
} violation;

/* Keep the kind that is mended first, and of it the largest. */
static void note(violation *worst, violation_kind kind, int index, double value, double tolerance) {
    if (value <= tolerance) {
        return;
    }
    const double size = value / tolerance; /* infinite without tolerance */
    if (worst->kind == VIOLATION_NONE || kind < worst->kind ||
        (kind == worst->kind && size > worst->size)) {
        *worst = (violation){.kind = kind, .index = index, .size = size};
    }
}

/* Friction's law in a row of an active contact. */
static void check_row(const carom_variational_newton *newton, int row, violation *worst) {
    const carom_variational_equations *eq = newton->equations;
    const int contact = row / eq->t;
    const double mu = carom_variational_equations_friction(eq, contact);
    const double lambda = eq->normal[contact];
    const double normal_tolerance = impulse_tolerance(newton, contact);
    const double speed = speed_tolerance(newton, eq->m + row);
    switch (eq->mode[row]) {
    case CAROM_VARIATIONAL_FORWARD:
        note(worst, VIOLATION_DIRECTION, row, -eq->sliding[row], speed);
        break;
    case CAROM_VARIATIONAL_BACKWARD:
        note(worst, VIOLATION_DIRECTION, row, eq->sliding[row], speed);
        break;
    case CAROM_VARIATIONAL_STICK:
    case CAROM_VARIATIONAL_RELEASED:
    default:
        /* a contact that pulls has no bound */
        if (lambda >= -normal_tolerance) {
            note(worst, VIOLATION_BOUND, row, fabs(eq->friction[row]) - mu * lambda,
                 impulse_tolerance(newton, eq->m + row) + mu * normal_tolerance);
        }
        break;
    }
}

static violation find_violation(const carom_variational_newton *newton) {
    const carom_variational_equations *eq = newton->equations;
    violation worst = {.kind = VIOLATION_NONE};
    for (int i = 0; eq->has_candidates && i < eq->m; i++) {
        if (!eq->candidate[i]) {
            continue;
        }
        if (!eq->is_active[i]) {
            note(&worst, VIOLATION_CLOSING, i, -eq->rate[i], speed_tolerance(newton, i));
            continue;
        }
        note(&worst, VIOLATION_PULL, i, -eq->normal[i], impulse_tolerance(newton, i));
        for (int row = i * eq->t; has_friction(eq, i) && row < (i + 1) * eq->t; row++) {
            check_row(newton, row, &worst);
        }
    }
    return worst;
}

/* The change that a violation proposes. */
static void mend(carom_variational_contact_modes *modes, const violation *found) {
    const carom_variational_equations *eq = modes->newton->equations;
    switch (found->kind) {
    case VIOLATION_DIRECTION:
        set_mode(modes, found->index, CAROM_VARIATIONAL_STICK);
        break;
    case VIOLATION_BOUND:
        set_mode(modes, found->index,
                 eq->friction[found->index] < 0.0 ? CAROM_VARIATIONAL_FORWARD
                                                  : CAROM_VARIATIONAL_BACKWARD);
        break;
    case VIOLATION_PULL:
        set_code(modes, found->index, 0);
        break;
    case VIOLATION_CLOSING:
        hold_as_sliding(modes, found->index);
        break;
    case VIOLATION_NONE:
    default:
        break;
    }
}

/* ------------------------------------------------------------------------------------ search */

/* Solve for the combination. @return true if it is consistent */
static bool is_solution(carom_variational_contact_modes *modes, violation *found) {
    modes->combinations++;
    const carom_status status = carom_variational_newton_solve(modes->newton);
    if (status != CAROM_OK) {
        modes->failure = status;
        modes->residual = modes->newton->residual;
        *found = (violation){.kind = VIOLATION_NONE};
        return false;
    }
    *found = find_violation(modes->newton);
    return found->kind == VIOLATION_NONE;
}

static bool was_tried(const carom_variational_contact_modes *modes) {
    const int m = modes->newton->equations->m;
    for (int k = 0; k < modes->history_length; k++) {
        if (memcmp(modes->history + k * m, modes->code, (size_t)m * sizeof(int)) == 0) {
            return true;
        }
    }
    return false;
}

static void choose_first(carom_variational_contact_modes *modes) {
    const carom_variational_equations *eq = modes->newton->equations;
    for (int i = 0; i < eq->m; i++) {
        if (!eq->has_candidates || !eq->candidate[i]) {
            set_code(modes, i, 0);
        } else if (modes->was_held[i]) {
            set_code(modes, i, code_of(eq, i, modes->last + i * eq->t));
        } else {
            hold_as_sliding(modes, i);
        }
    }
}

/*[variationalModes]*/
/* Let each combination propose the next. @return true if one is consistent */
static bool follow_guidance(carom_variational_contact_modes *modes) {
    const int m = modes->newton->equations->m;
    while (modes->history_length < modes->history_capacity && !was_tried(modes)) {
        memcpy(modes->history + modes->history_length * m, modes->code, (size_t)m * sizeof(int));
        modes->history_length++;
        violation found;
        if (is_solution(modes, &found)) {
            return true;
        }
        if (found.kind == VIOLATION_NONE) {
            return false; /* not solved: nothing to learn */
        }
        mend(modes, &found);
    }
    return false;
}
/*[end variationalModes]*/

/* Change exactly `changes` of the contacts from `begin` on, in all ways. */
static bool try_changes(carom_variational_contact_modes *modes, int begin, int changes) {
    const carom_variational_equations *eq = modes->newton->equations;
    if (changes == 0) {
        violation found;
        return !was_tried(modes) && is_solution(modes, &found);
    }
    for (int i = begin; i < eq->m; i++) {
        if (!eq->candidate[i]) {
            continue;
        }
        const int kept = modes->code[i];
        for (int code = code_count(eq, i) - 1; code >= 0; code--) {
            if (code == kept) {
                continue;
            }
            set_code(modes, i, code);
            if (try_changes(modes, i + 1, changes - 1)) {
                return true;
            }
            if (modes->combinations >= MOST_COMBINATIONS) {
                return false;
            }
        }
        set_code(modes, i, kept);
    }
    return false;
}

static bool try_all(carom_variational_contact_modes *modes) {
    const int m = modes->newton->equations->m;
    for (int i = 0; i < m; i++) {
        set_code(modes, i, modes->history[i]);
    }
    for (int changes = 1; changes <= m && modes->combinations < MOST_COMBINATIONS; changes++) {
        if (try_changes(modes, 0, changes)) {
            return true;
        }
    }
    return false;
}

/* A row that rests while its mode is that of sliding, with friction at its bound, sticks. What the
 * impulses are beyond their bounds, within the tolerances, is taken off. */
static void settle(carom_variational_contact_modes *modes) {
    const carom_variational_newton *newton = modes->newton;
    carom_variational_equations *eq = newton->equations;
    for (int i = 0; i < eq->m; i++) {
        eq->normal[i] = fmax(0.0, eq->normal[i]);
    }
    for (int row = 0; row < eq->m * eq->t; row++) {
        const int contact = row / eq->t;
        if (!eq->is_active[contact] || !has_friction(eq, contact)) {
            continue;
        }
        const double bound =
            carom_variational_equations_friction(eq, contact) * eq->normal[contact];
        eq->friction[row] = fmax(-bound, fmin(bound, eq->friction[row]));
        if (fabs(eq->sliding[row]) <= speed_tolerance(newton, eq->m + row)) {
            eq->mode[row] = CAROM_VARIATIONAL_STICK;
        }
    }
}

static void remember(carom_variational_contact_modes *modes) {
    const carom_variational_equations *eq = modes->newton->equations;
    memcpy(modes->was_held, eq->is_active, (size_t)eq->m * sizeof(bool));
    memcpy(modes->last, eq->mode, (size_t)eq->m * (size_t)eq->t * sizeof *modes->last);
}

carom_status carom_variational_contact_modes_find(carom_variational_contact_modes *modes) {
    modes->combinations = 0;
    modes->history_length = 0;
    modes->failure = CAROM_OK;
    modes->residual = (double)NAN;
    choose_first(modes);
    if (follow_guidance(modes) || (modes->newton->equations->has_candidates && try_all(modes))) {
        settle(modes);
        remember(modes);
        return CAROM_OK;
    }
    return modes->failure == CAROM_OK ? CAROM_STATUS_CONFLICT : modes->failure;
}
