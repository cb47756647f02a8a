#include <carom/mechanism/check_internal.h>

#include <string.h>

/* The eight pairs of function and derivative. */

static void evaluate_momentum(const carom_check_state *c, const double *x, double *F) {
    const carom_mechanism *mechanism = c->mechanism;
    mechanism->mass(x, c->other, mechanism->context);
    memset(F, 0, (size_t)mechanism->coordinate_count * sizeof(double));
    carom_layout_multiply_add(mechanism->layout, 1.0, c->other, c->a, F);
}

static bool supply_mass_derivative(const carom_check_state *c, double *D) {
    const carom_mechanism *mechanism = c->mechanism;
    if (mechanism->mass_derivative == NULL) {
        return false;
    }
    mechanism->mass_derivative(c->q, c->a, D, mechanism->context);
    return true;
}

static void negate(int count, double *F) {
    for (int i = 0; i < count; i++) {
        F[i] = -F[i];
    }
}

static void evaluate_resistance_of_position(const carom_check_state *c, const double *x,
                                            double *F) {
    c->mechanism->force(c->t, x, c->v, F, c->mechanism->context);
    negate(c->mechanism->coordinate_count, F);
}

static void evaluate_resistance_of_velocity(const carom_check_state *c, const double *x,
                                            double *F) {
    c->mechanism->force(c->t, c->q, x, F, c->mechanism->context);
    negate(c->mechanism->coordinate_count, F);
}

static bool supply_stiffness(const carom_check_state *c, double *D) {
    const carom_mechanism *mechanism = c->mechanism;
    if (mechanism->stiffness == NULL) {
        return false;
    }
    mechanism->stiffness(c->t, c->q, c->v, D, mechanism->context);
    return true;
}

static bool supply_damping(const carom_check_state *c, double *D) {
    const carom_mechanism *mechanism = c->mechanism;
    if (mechanism->damping == NULL) {
        return false;
    }
    mechanism->damping(c->t, c->q, c->v, D, mechanism->context);
    return true;
}

static void evaluate_constraints(const carom_check_state *c, const double *x, double *F) {
    c->mechanism->constraints(x, F, c->mechanism->context);
}

static bool supply_jacobian(const carom_check_state *c, double *D) {
    c->mechanism->constraint_jacobian(c->q, D, c->mechanism->context);
    return true;
}

static void evaluate_constraint_force(const carom_check_state *c, const double *x, double *F) {
    const carom_mechanism *mechanism = c->mechanism;
    mechanism->constraint_jacobian(x, c->other, mechanism->context);
    memset(F, 0, (size_t)mechanism->coordinate_count * sizeof(double));
    for (int j = 0; j < carom_mechanism_constraint_count(mechanism); j++) {
        const carom_check_entries row = carom_check_entries_of(c, CAROM_CHECK_CONSTRAINTS, j);
        for (size_t k = row.first; k < row.end; k++) {
            F[carom_check_column(&row, k)] += c->other[k] * c->lambda[j];
        }
    }
}

static bool supply_constraint_force_derivative(const carom_check_state *c, double *D) {
    const carom_mechanism *mechanism = c->mechanism;
    if (mechanism->constraint_force_derivative == NULL) {
        return false;
    }
    mechanism->constraint_force_derivative(c->q, c->lambda, D, mechanism->context);
    return true;
}

/** F = A a. */
static void multiply_rows(const carom_check_state *c, carom_check_rows rows, const double *A,
                          double *F) {
    for (int j = 0; j < carom_check_row_count(c, rows); j++) {
        const carom_check_entries row = carom_check_entries_of(c, rows, j);
        F[j] = 0.0;
        for (size_t k = row.first; k < row.end; k++) {
            F[j] += A[k] * c->a[carom_check_column(&row, k)];
        }
    }
}

static void evaluate_constraint_rate(const carom_check_state *c, const double *x, double *F) {
    const carom_mechanism *mechanism = c->mechanism;
    mechanism->constraint_jacobian(x, c->other, mechanism->context);
    multiply_rows(c, CAROM_CHECK_CONSTRAINTS, c->other, F);
}

static bool supply_constraint_rate_derivative(const carom_check_state *c, double *D) {
    const carom_mechanism *mechanism = c->mechanism;
    if (mechanism->constraint_rate_derivative == NULL) {
        return false;
    }
    mechanism->constraint_rate_derivative(c->q, c->a, D, mechanism->context);
    return true;
}

static void evaluate_offset(const carom_check_state *c, const double *t, double *F) {
    const carom_mechanism *mechanism = c->mechanism;
    if (mechanism->constraint_offset != NULL) {
        mechanism->constraint_offset(*t, F, mechanism->context);
    } else {
        memset(F, 0, (size_t)carom_mechanism_constraint_count(mechanism) * sizeof(double));
    }
}

/** Its entries of sliding, behind those of the constraints, are nothing's derivative. */
static bool supply_constraint_velocity(const carom_check_state *c, double *D) {
    const carom_mechanism *mechanism = c->mechanism;
    if (mechanism->constraint_velocity == NULL) {
        return false;
    }
    mechanism->constraint_velocity(c->t_early, D, mechanism->context);
    return true;
}

/** Number of sliding speeds. */
static int tangential_row_count(const carom_mechanism *mechanism) {
    return mechanism->contact_count * mechanism->tangent_count;
}

static void evaluate_sliding(const carom_check_state *c, const double *x, double *F) {
    const carom_mechanism *mechanism = c->mechanism;
    mechanism->tangential_jacobian(x, c->other, mechanism->context);
    multiply_rows(c, CAROM_CHECK_TANGENTS, c->other, F);
}

static bool supply_tangential_rate_derivative(const carom_check_state *c, double *D) {
    const carom_mechanism *mechanism = c->mechanism;
    if (mechanism->tangential_rate_derivative == NULL) {
        return false;
    }
    mechanism->tangential_rate_derivative(c->q, c->a, D, mechanism->context);
    return true;
}

int carom_check_row_count(const carom_check_state *c, carom_check_rows rows) {
    switch (rows) {
    case CAROM_CHECK_COORDINATES:
        break;
    case CAROM_CHECK_CONSTRAINTS:
        return carom_mechanism_constraint_count(c->mechanism);
    case CAROM_CHECK_TANGENTS:
        return tangential_row_count(c->mechanism);
    }
    return c->mechanism->coordinate_count;
}

/* What every mechanism has, then what only one with constraints and with tangents has. */
enum { UNCONSTRAINED = 3, CONSTRAINED = 7, WITH_TANGENTS = 8 };
static const carom_check_member MEMBERS[WITH_TANGENTS] = {
    {"mass_derivative", "the mass matrix", CAROM_CHECK_POSITION, false, CAROM_CHECK_COORDINATES,
     evaluate_momentum, supply_mass_derivative},
    {"stiffness", "the force", CAROM_CHECK_POSITION, false, CAROM_CHECK_COORDINATES,
     evaluate_resistance_of_position, supply_stiffness},
    {"damping", "the force", CAROM_CHECK_VELOCITY, false, CAROM_CHECK_COORDINATES,
     evaluate_resistance_of_velocity, supply_damping},
    {"constraint_jacobian", "the constraint function", CAROM_CHECK_POSITION, true,
     CAROM_CHECK_CONSTRAINTS, evaluate_constraints, supply_jacobian},
    {"constraint_force_derivative", "the constraint Jacobian", CAROM_CHECK_POSITION, true,
     CAROM_CHECK_COORDINATES, evaluate_constraint_force, supply_constraint_force_derivative},
    {"constraint_rate_derivative", "the constraint Jacobian", CAROM_CHECK_POSITION, true,
     CAROM_CHECK_CONSTRAINTS, evaluate_constraint_rate, supply_constraint_rate_derivative},
    {"constraint_velocity", "the constraint offset", CAROM_CHECK_TIME, true,
     CAROM_CHECK_CONSTRAINTS, evaluate_offset, supply_constraint_velocity},
    {"tangential_rate_derivative", "the tangential Jacobian", CAROM_CHECK_POSITION, true,
     CAROM_CHECK_TANGENTS, evaluate_sliding, supply_tangential_rate_derivative},
};

int carom_check_column_count(const carom_check_state *c, const carom_check_member *member) {
    return member->variable == CAROM_CHECK_TIME ? 1 : c->mechanism->coordinate_count;
}

const double *carom_check_place(const carom_check_state *c, const carom_check_member *member) {
    const double *const places[] = {c->q, c->v, &c->t_early};
    return places[member->variable];
}

const double *carom_check_reach(const carom_check_state *c, const carom_check_member *member) {
    const double *const reaches[] = {c->q_scale, c->v_scale, &c->t_own};
    return reaches[member->variable];
}

void carom_check_go(const carom_check_state *c, const carom_check_member *member,
                    const double *base, const double *way, double *x, double *gone) {
    const carom_mechanism *mechanism = c->mechanism;
    if (member->variable == CAROM_CHECK_POSITION && mechanism->rotation_count > 0) {
        carom_mechanism_advance(mechanism, base, way, x);
        if (gone != NULL && gone != way) {
            memcpy(gone, way, (size_t)mechanism->coordinate_count * sizeof *gone);
        }
        return;
    }
    for (int j = 0; j < carom_check_column_count(c, member); j++) {
        x[j] = base[j] + way[j];
        if (gone != NULL) {
            gone[j] = x[j] - base[j];
        }
    }
}

void carom_check_move(carom_check_state *c, const carom_check_member *member, const double *x) {
    switch (member->variable) {
    case CAROM_CHECK_POSITION:
        c->q = x;
        break;
    case CAROM_CHECK_VELOCITY:
        c->v = x;
        break;
    case CAROM_CHECK_TIME:
        c->t_early = *x;
        break;
    }
}

int carom_check_list_members(const carom_check_state *c, const carom_check_member **list) {
    *list = MEMBERS;
    if (carom_check_row_count(c, CAROM_CHECK_TANGENTS) > 0) {
        return WITH_TANGENTS;
    }
    return carom_check_row_count(c, CAROM_CHECK_CONSTRAINTS) > 0 ? CONSTRAINED : UNCONSTRAINED;
}

bool carom_check_supply(carom_check_state *c, const carom_check_member *member) {
    const bool is_supplied = member->supply(c, c->supplied);
    if (!is_supplied) {
        const size_t entries = member->variable == CAROM_CHECK_TIME
                                   ? (size_t)carom_check_row_count(c, member->rows)
                                   : carom_check_entry_count(c, member->rows);
        memset(c->supplied, 0, entries * sizeof(double));
    }
    return is_supplied;
}
