#include <carom/base/linear_algebra.h>
#include <carom/base/vector.h>
#include <carom/mechanism/check_internal.h>
#include <carom/mechanism/mechanism.h>

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -------------------------------------------------------------------------------- the mechanism */

/* Two formulas for M_ij and M_ji may differ by some rounding errors, not by more than this fraction
 * of the largest entry. */
static const double SYMMETRY_TOLERANCE = 1e-12;

/* A pivot below this part of its diagonal entry is zero. Rounding of the columns above makes up to
 * epsilon over its root of the pivots below: less than it. */
static const double PIVOT_TOLERANCE = 1e-10;

int carom_mechanism_constraint_count(const carom_mechanism *mechanism) {
    return mechanism->joint_count + mechanism->contact_count;
}

double carom_mechanism_kinetic_energy(const carom_mechanism *mechanism, const double *q,
                                      const double *v, double *work) {
    const int n = mechanism->coordinate_count;
    double *M = work;
    double *momentum = work + carom_layout_entry_count(mechanism->layout);

    /* p = M(q) v */
    mechanism->mass(q, M, mechanism->context);
    memset(momentum, 0, (size_t)n * sizeof(double));
    carom_layout_multiply_add(mechanism->layout, 1.0, M, v, momentum);

    /* v' p / 2 */
    double energy = 0.0;
    for (int i = 0; i < n; i++) {
        energy += 0.5 * v[i] * momentum[i];
    }
    return energy;
}

carom_status carom_mechanism_check_counts(const carom_mechanism *mechanism, carom_report *report) {
    CAROM_ASSERT(mechanism != NULL);
    const carom_layout layout = mechanism->layout;
    /* Twice the contacts, and the sum of joints and contacts, must be ints. */
    const int joints = mechanism->joint_count > 0 ? mechanism->joint_count : 0;
    const struct {
        const char *quantity;
        int value;
        int smallest;
        int largest;
        const char *accepted;
    } counts[] = {
        {"coordinate count", mechanism->coordinate_count, 1, INT_MAX, ">= 1"},
        {"joint count", mechanism->joint_count, 0, INT_MAX, ">= 0"},
        {"contact count", mechanism->contact_count, 0, (INT_MAX - joints) / 2,
         ">= 0, twice of it an int"},
        {"layout size", layout.size, mechanism->coordinate_count, mechanism->coordinate_count,
         "the coordinate count"},
        {"tangent count", mechanism->tangent_count, 0, 2, "0, 1 or 2"},
        {"differences", mechanism->differences, 0, CAROM_MECHANISM_DERIVATIVES,
         "a sum of carom_mechanism_derivative"},
        {"rotation count", mechanism->rotation_count, 0, mechanism->coordinate_count / 3,
         "0 up to a third of the coordinates"},
        {"half bandwidth", layout.is_banded ? layout.half_bandwidth : 0, 0, INT_MAX, ">= 0"},
    };
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        if (counts[i].value < counts[i].smallest || counts[i].value > counts[i].largest) {
            return carom_report_refuse(report, counts[i].quantity, (double)counts[i].value, -1,
                                       counts[i].accepted);
        }
    }
    return carom_mechanism_check_rotations(mechanism, report);
}

carom_status carom_mechanism_check_functions(const carom_mechanism *mechanism,
                                             carom_report *report) {
    CAROM_TRY(carom_mechanism_check_counts(mechanism, report));
    /* Functions that must be there, and nonlinear derivatives that an affine system cannot have. */
    const bool is_constrained = carom_mechanism_constraint_count(mechanism) > 0;
    const bool is_linear = mechanism->is_linear;
    const bool has_tangents = mechanism->tangent_count > 0;
    const struct {
        const char *sentence;
        bool is_refused;
    } rules[] = {
        {"has no function 'mass'", mechanism->mass == NULL},
        {"has no function 'force'", mechanism->force == NULL},
        {"has no function 'potential_energy'", mechanism->potential_energy == NULL},
        {"has constraints, but no function 'constraints'",
         is_constrained && mechanism->constraints == NULL},
        {"has constraints, but no function 'constraint_jacobian'",
         is_constrained && mechanism->constraint_jacobian == NULL &&
             (mechanism->differences & CAROM_MECHANISM_CONSTRAINT_JACOBIAN) == 0},
        {"has tangents, but no function 'tangential_jacobian'",
         has_tangents && mechanism->tangential_jacobian == NULL},
        {"has friction, but no tangents", !has_tangents && mechanism->friction != NULL},
        {"has a function 'tangential_jacobian', but no tangents",
         !has_tangents && mechanism->tangential_jacobian != NULL},
        {"has a function 'tangential_rate_derivative', but no tangents",
         !has_tangents && mechanism->tangential_rate_derivative != NULL},
        {"has supports that move, but no constraints",
         !is_constrained && carom_mechanism_has_moving_supports(mechanism)},
        {"has contacts, but no restitution",
         mechanism->contact_count > 0 && mechanism->restitution == NULL},
        {"is linear, but has rotations", is_linear && mechanism->rotation_count > 0},
        {"is linear, but has a function 'mass_derivative'",
         is_linear && mechanism->mass_derivative != NULL},
        {"is linear, but has a function 'constraint_force_derivative'",
         is_linear && mechanism->constraint_force_derivative != NULL},
        {"is linear, but has a function 'constraint_rate_derivative'",
         is_linear && mechanism->constraint_rate_derivative != NULL},
        {"is linear, but has a function 'tangential_rate_derivative'",
         is_linear && mechanism->tangential_rate_derivative != NULL},
    };
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
        if (rules[i].is_refused) {
            return carom_report_say(report, CAROM_STATUS_OUT_OF_RANGE, "mechanism '%s' %s",
                                    mechanism->name != NULL ? mechanism->name : "",
                                    rules[i].sentence);
        }
    }
    return carom_mechanism_check_patterns(mechanism, report);
}

/** Newton coefficients outside [0,1]. */
static carom_status refuse_restitution(const carom_mechanism *mechanism, carom_report *report) {
    for (int j = 0; j < mechanism->contact_count; j++) {
        const double e = mechanism->restitution[j];
        if (!isfinite(e)) {
            return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "restitution", e, j);
        }
        if (e < 0.0 || e > 1.0) {
            return carom_report_refuse(report, "restitution", e, j, "in [0,1]");
        }
    }
    return CAROM_OK;
}

/** Coulomb coefficients that are negative or not finite. */
static carom_status refuse_friction(const carom_mechanism *mechanism, carom_report *report) {
    for (int j = 0; mechanism->friction != NULL && j < mechanism->contact_count; j++) {
        const double mu = mechanism->friction[j];
        if (!isfinite(mu)) {
            return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "friction", mu, j);
        }
        if (mu < 0.0) {
            return carom_report_refuse(report, "friction", mu, j, ">= 0");
        }
    }
    return CAROM_OK;
}

/** Number of sliding speeds, the rows of H. */
static int tangential_row_count(const carom_mechanism *mechanism) {
    return mechanism->contact_count * mechanism->tangent_count;
}

/** A NaN or infinity in an array of `rows` x `columns`; the index is that of the row. */
static carom_status refuse_not_finite(const char *quantity, const double *values, int rows,
                                      int columns, carom_report *report) {
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            const double value = values[(size_t)i * (size_t)columns + (size_t)j];
            if (!isfinite(value)) {
                return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, quantity, value, i);
            }
        }
    }
    return CAROM_OK;
}

/** The same of a matrix by its pattern. */
static carom_status refuse_row_not_finite(const char *quantity, carom_mechanism_pattern pattern,
                                          const double *values, int rows, int columns,
                                          carom_report *report) {
    if (pattern.start == NULL) {
        return refuse_not_finite(quantity, values, rows, columns, report);
    }
    for (int i = 0; i < rows; i++) {
        for (int k = pattern.start[i]; k < pattern.start[i + 1]; k++) {
            if (!isfinite(values[k])) {
                return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, quantity, values[k], i);
            }
        }
    }
    return CAROM_OK;
}

/** A NaN or infinity among the entries of a matrix in its layout; the index is that of the row. */
static carom_status refuse_matrix_not_finite(const char *quantity, carom_layout layout,
                                             const double *A, carom_report *report) {
    for (int i = 0; i < layout.size; i++) {
        const int end = carom_layout_end_column(layout, i);
        for (int j = carom_layout_first_column(layout, i); j < end; j++) {
            const double value = A[carom_layout_index(layout, i, j)];
            if (!isfinite(value)) {
                return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, quantity, value, i);
            }
        }
    }
    return CAROM_OK;
}

/** M = L D L' by its rows, in the place of M: a D below zero. Where it is zero, as where joints
 * make up for a singular M, -M_jj is kept in its place, and its column is zero but for what a D of
 * `nothing` allows, |S_ij|^2 <= D_j M_ii. */
static carom_status refuse_indefinite(carom_layout layout, double *M, carom_report *report) {
    for (int i = 0; i < layout.size; i++) {
        const int first = carom_layout_first_column(layout, i);
        double *row = M + carom_layout_index(layout, i, first) - first;
        const double diagonal = row[i];
        const double nothing = PIVOT_TOLERANCE * diagonal;
        for (int j = first; j < i; j++) {
            const int begin = carom_layout_first_column(layout, j);
            const double *other = M + carom_layout_index(layout, j, begin) - begin;
            const int both = first > begin ? first : begin;
            row[j] -= carom_vector_dot(j - both, row + both, other + both);
        }
        for (int j = first; j < i; j++) {
            const double D = M[carom_layout_index(layout, j, j)];
            if (!(D > 0.0) && fabs(row[j]) > sqrt(-PIVOT_TOLERANCE * D) * sqrt(diagonal)) {
                return carom_report_refuse(report, "mass beside a zero pivot", row[j], i, "0");
            }
            const double scaled = D > 0.0 ? row[j] / D : 0.0;
            row[i] -= scaled * row[j];
            row[j] = scaled;
        }
        if (row[i] < -nothing) {
            return carom_report_refuse(report, "pivot of the mass matrix (not positive definite)",
                                       row[i], i, ">= 0");
        }
        row[i] = row[i] > nothing ? row[i] : -diagonal;
    }
    return CAROM_OK;
}

/** M(q) not finite, with a negative diagonal entry, unsymmetric or indefinite. */
static carom_status refuse_mass(const carom_mechanism *mechanism, const double *q, double *M,
                                carom_report *report) {
    const carom_layout layout = mechanism->layout;
    mechanism->mass(q, M, mechanism->context);
    CAROM_TRY(refuse_matrix_not_finite("mass", layout, M, report));

    double largest = 0.0;
    for (int i = 0; i < layout.size; i++) {
        /* A zero is admitted: M may be singular where joints make up for it. */
        const double diagonal = M[carom_layout_index(layout, i, i)];
        if (diagonal < 0.0) {
            return carom_report_refuse(report, "mass", diagonal, i, ">= 0");
        }
        const int end = carom_layout_end_column(layout, i);
        for (int j = carom_layout_first_column(layout, i); j < end; j++) {
            largest = fmax(largest, fabs(M[carom_layout_index(layout, i, j)]));
        }
    }

    const double asymmetry = carom_layout_asymmetry(layout, M);
    if (asymmetry > SYMMETRY_TOLERANCE * largest) {
        return carom_report_fail(report, CAROM_STATUS_NOT_SYMMETRIC, "mass", asymmetry, -1);
    }
    return refuse_indefinite(layout, M, report);
}

/** Energy, gaps, Jacobians and supports that are not finite at (t, q). */
static carom_status refuse_values_of_position(const carom_mechanism *mechanism, double t,
                                              const double *q, double *work, carom_report *report) {
    const int n = mechanism->coordinate_count;
    const int m = carom_mechanism_constraint_count(mechanism);
    const int tangential_rows = tangential_row_count(mechanism);
    void *context = mechanism->context;

    /* V, g, G, H, s, w */
    const double energy = mechanism->potential_energy(q, context);
    CAROM_TRY(refuse_not_finite("potential energy", &energy, 1, 1, report));
    if (m > 0) {
        mechanism->constraints(q, work, context);
        CAROM_TRY(refuse_not_finite("constraints", work, m, 1, report));
    }
    if (m > 0 && mechanism->constraint_jacobian != NULL) {
        mechanism->constraint_jacobian(q, work, context);
        CAROM_TRY(refuse_row_not_finite("constraint jacobian", mechanism->constraint_pattern, work,
                                        m, n, report));
    }
    if (tangential_rows > 0) {
        mechanism->tangential_jacobian(q, work, context);
        CAROM_TRY(refuse_row_not_finite("tangential jacobian", mechanism->tangential_pattern, work,
                                        tangential_rows, n, report));
    }
    if (mechanism->constraint_offset != NULL) {
        mechanism->constraint_offset(t, work, context);
        CAROM_TRY(refuse_not_finite("constraint offset", work, m, 1, report));
    }
    if (mechanism->constraint_velocity != NULL) {
        mechanism->constraint_velocity(t, work, context);
        CAROM_TRY(refuse_not_finite("constraint velocity", work, m + tangential_rows, 1, report));
    }
    return CAROM_OK;
}

/** Forces and their derivatives, energy and constraints that are not finite at (t, q, v). */
static carom_status refuse_values(const carom_mechanism *mechanism, double t, const double *q,
                                  const double *v, double *work, carom_report *report) {
    const int n = mechanism->coordinate_count;
    void *context = mechanism->context;

    /* f, K, C */
    mechanism->force(t, q, v, work, context);
    CAROM_TRY(refuse_not_finite("force", work, n, 1, report));
    if (mechanism->stiffness != NULL) {
        mechanism->stiffness(t, q, v, work, context);
        CAROM_TRY(refuse_matrix_not_finite("stiffness", mechanism->layout, work, report));
    }
    if (mechanism->damping != NULL) {
        mechanism->damping(t, q, v, work, context);
        CAROM_TRY(refuse_matrix_not_finite("damping", mechanism->layout, work, report));
    }
    return refuse_values_of_position(mechanism, t, q, work, report);
}

/** The state itself, then what the mechanism makes of it. */
static carom_status refuse_state(const carom_mechanism *mechanism, double t, const double *q,
                                 const double *v, double *work, carom_report *report) {
    const int n = mechanism->coordinate_count;
    CAROM_TRY(refuse_not_finite("time", &t, 1, 1, report));
    CAROM_TRY(
        refuse_not_finite("position", q, carom_mechanism_position_count(mechanism), 1, report));
    CAROM_TRY(carom_mechanism_check_position(mechanism, q, report));
    CAROM_TRY(refuse_not_finite("velocity", v, n, 1, report));
    CAROM_TRY(refuse_mass(mechanism, q, work, report));
    return refuse_values(mechanism, t, q, v, work, report);
}

carom_status carom_mechanism_validate(const carom_mechanism *mechanism, double t, const double *q,
                                      const double *v, carom_report *report) {
    CAROM_ASSERT(mechanism != NULL && q != NULL && v != NULL);
    CAROM_TRY(carom_mechanism_check_functions(mechanism, report));
    CAROM_TRY(refuse_restitution(mechanism, report));
    CAROM_TRY(refuse_friction(mechanism, report));

    /* One array holds any of M, K, C [layout], f [n], s and g [m], w [m + n_u t], G and H. */
    const size_t sizes[] = {
        carom_layout_entry_count(mechanism->layout),
        (size_t)carom_mechanism_constraint_count(mechanism) +
            (size_t)tangential_row_count(mechanism),
        carom_mechanism_constraint_entry_count(mechanism),
        carom_mechanism_tangential_entry_count(mechanism),
    };
    size_t largest = (size_t)mechanism->coordinate_count;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        largest = sizes[k] > largest ? sizes[k] : largest;
    }
    CAROM_AUTO_MEMORY double *work = calloc(largest, sizeof(double));
    if (work == NULL) {
        return carom_report_fail(report, CAROM_STATUS_OUT_OF_MEMORY, "mechanism", (double)NAN, -1);
    }
    return refuse_state(mechanism, t, q, v, work, report);
}

/* ----------------------------------------------------------------------- what a method computes */

/** The sentence of a refusal: without what, and what the mechanism has. */
static carom_status lacks(const carom_mechanism *mechanism, const carom_mechanism_support *support,
                          const char *what, const char *has, carom_report *report) {
    return carom_report_say(report, CAROM_STATUS_UNSUPPORTED,
                            "%s computes %s without %s; mechanism '%s' has %s", support->method,
                            support->subject, what, mechanism->name != NULL ? mechanism->name : "",
                            has);
}

/** Refuse the first coefficient [n_u] above zero. */
static carom_status refuse_coefficients(const carom_mechanism *mechanism,
                                        const carom_mechanism_support *support, const char *what,
                                        const double *coefficients, carom_report *report) {
    for (int j = 0; coefficients != NULL && j < mechanism->contact_count; j++) {
        if (coefficients[j] > 0.0) {
            char has[64];
            (void)snprintf(has, sizeof has, "%s %.6g", what, coefficients[j]);
            return lacks(mechanism, support, what, has, report);
        }
    }
    return CAROM_OK;
}

bool carom_mechanism_has_friction(const carom_mechanism *mechanism) {
    for (int j = 0; mechanism->friction != NULL && j < mechanism->contact_count; j++) {
        if (mechanism->friction[j] > 0.0) {
            return true;
        }
    }
    return false;
}

bool carom_mechanism_has_moving_supports(const carom_mechanism *mechanism) {
    return mechanism->constraint_offset != NULL || mechanism->constraint_velocity != NULL;
}

carom_status carom_mechanism_require(const carom_mechanism *mechanism,
                                     const carom_mechanism_support *support, carom_report *report) {
    CAROM_ASSERT(mechanism != NULL && support != NULL);
    CAROM_TRY(carom_mechanism_check_counts(mechanism, report));
    if (!support->joints && mechanism->joint_count > 0) {
        char has[32];
        (void)snprintf(has, sizeof has, "joints (%d)", mechanism->joint_count);
        return lacks(mechanism, support, "joints", has, report);
    }
    if (!support->nonlinear_mass && mechanism->mass_derivative != NULL) {
        return lacks(mechanism, support, "a mass matrix that depends on the position", "one",
                     report);
    }
    if (!support->friction) {
        CAROM_TRY(refuse_coefficients(mechanism, support, "friction", mechanism->friction, report));
    }
    if (!support->restitution) {
        CAROM_TRY(
            refuse_coefficients(mechanism, support, "restitution", mechanism->restitution, report));
    }
    if (!support->space && mechanism->tangent_count == 2 &&
        carom_mechanism_has_friction(mechanism)) {
        return lacks(mechanism, support, "friction in space", "two tangents of each contact",
                     report);
    }
    if (!support->rotations && mechanism->rotation_count > 0) {
        char has[32];
        (void)snprintf(has, sizeof has, "unit quaternions (%d)", mechanism->rotation_count);
        return lacks(mechanism, support, "rotations in space", has, report);
    }
    if (!support->changing_contacts && mechanism->update_contacts != NULL) {
        return lacks(mechanism, support, "contacts that come and go", "them", report);
    }
    if (!support->moving_supports && carom_mechanism_has_moving_supports(mechanism)) {
        return lacks(mechanism, support, "supports that move", "constraints that depend on time",
                     report);
    }
    return CAROM_OK;
}
