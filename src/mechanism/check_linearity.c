#include <carom/mechanism/check_internal.h>

#include <math.h>

/** `supplied` (here) against `other` (at the second state). */
static carom_status compare_matrices(const carom_check_state *c, const char *name,
                                     carom_check_rows rows, double tolerance,
                                     carom_mechanism_mismatch *worst) {
    const int row_end = carom_check_row_count(c, rows);
    carom_check_deviation deviation = carom_check_deviation_start(name);
    for (int i = 0; i < row_end; i++) {
        const carom_check_entries row = carom_check_entries_of(c, rows, i);
        const double weight = carom_check_row_weight(c, rows, i);
        for (size_t k = row.first; k < row.end; k++) {
            const int j = carom_check_column(&row, k);
            carom_check_deviation_entry(&deviation, i, j, weight * c->q_scale[j], c->supplied[k],
                                        c->other[k]);
        }
    }
    return carom_check_deviation_close(&deviation, tolerance, worst);
}

/** M, K, C, G and H at two states and two times. */
static carom_status check_constant(carom_check_state *c, double tolerance,
                                   carom_mechanism_mismatch *worst) {
    const carom_mechanism *mechanism = c->mechanism;
    void *context = mechanism->context;
    const double other_t = c->t + c->t_scale;
    mechanism->mass(c->q, c->supplied, context);
    mechanism->mass(c->other_q, c->other, context);
    carom_status status = compare_matrices(c, "mass", CAROM_CHECK_COORDINATES, tolerance, worst);
    if (mechanism->stiffness != NULL) {
        mechanism->stiffness(c->t, c->q, c->v, c->supplied, context);
        mechanism->stiffness(other_t, c->other_q, c->other_v, c->other, context);
        status = carom_check_worse(
            status, compare_matrices(c, "stiffness", CAROM_CHECK_COORDINATES, tolerance, worst));
    }
    if (mechanism->damping != NULL) {
        mechanism->damping(c->t, c->q, c->v, c->supplied, context);
        mechanism->damping(other_t, c->other_q, c->other_v, c->other, context);
        status = carom_check_worse(
            status, compare_matrices(c, "damping", CAROM_CHECK_COORDINATES, tolerance, worst));
    }
    if (carom_mechanism_constraint_count(mechanism) > 0) {
        mechanism->constraint_jacobian(c->q, c->supplied, context);
        mechanism->constraint_jacobian(c->other_q, c->other, context);
        status =
            carom_check_worse(status, compare_matrices(c, "constraint_jacobian",
                                                       CAROM_CHECK_CONSTRAINTS, tolerance, worst));
    }
    if (carom_check_row_count(c, CAROM_CHECK_TANGENTS) > 0) {
        mechanism->tangential_jacobian(c->q, c->supplied, context);
        mechanism->tangential_jacobian(c->other_q, c->other, context);
        status =
            carom_check_worse(status, compare_matrices(c, "tangential_jacobian",
                                                       CAROM_CHECK_TANGENTS, tolerance, worst));
    }
    return status;
}

/** An affine function takes midway between two points the mean of its values there. */
static carom_status compare_with_mean(const carom_check_state *c, const char *name,
                                      carom_check_rows rows, double tolerance,
                                      carom_mechanism_mismatch *worst) {
    carom_check_deviation deviation = carom_check_deviation_start(name);
    const int end = carom_check_row_count(c, rows);
    for (int i = 0; i < end; i++) {
        const double weight = carom_check_row_weight(c, rows, i);
        deviation.largest_entry = fmax(deviation.largest_entry, weight * fabs(c->F_plus[i]));
        deviation.largest_entry = fmax(deviation.largest_entry, weight * fabs(c->F_minus[i]));
        carom_check_deviation_entry(&deviation, i, -1, weight, c->F_middle[i],
                                    0.5 * (c->F_plus[i] + c->F_minus[i]));
    }
    return carom_check_deviation_close(&deviation, tolerance, worst);
}

/** f affine in (q, v) and g affine in q. */
static carom_status check_affine(carom_check_state *c, double tolerance,
                                 carom_mechanism_mismatch *worst) {
    const carom_mechanism *mechanism = c->mechanism;
    const int n = mechanism->coordinate_count;
    const int m = carom_mechanism_constraint_count(mechanism);
    void *context = mechanism->context;
    for (int i = 0; i < n; i++) {
        c->x[i] = 0.5 * (c->q[i] + c->other_q[i]);
        c->middle_v[i] = 0.5 * (c->v[i] + c->other_v[i]);
    }
    mechanism->force(c->t, c->q, c->v, c->F_minus, context);
    mechanism->force(c->t, c->x, c->middle_v, c->F_middle, context);
    mechanism->force(c->t, c->other_q, c->other_v, c->F_plus, context);
    carom_status status = compare_with_mean(c, "force", CAROM_CHECK_COORDINATES, tolerance, worst);
    if (m > 0) {
        mechanism->constraints(c->q, c->F_minus, context);
        mechanism->constraints(c->x, c->F_middle, context);
        mechanism->constraints(c->other_q, c->F_plus, context);
        status = carom_check_worse(
            status, compare_with_mean(c, "constraints", CAROM_CHECK_CONSTRAINTS, tolerance, worst));
    }
    return status;
}

carom_status carom_check_linearity(carom_check_state *c, double tolerance,
                                   carom_mechanism_mismatch *worst) {
    const carom_status status = check_constant(c, tolerance, worst);
    return status == CAROM_STATUS_NOT_FINITE
               ? status
               : carom_check_worse(status, check_affine(c, tolerance, worst));
}
