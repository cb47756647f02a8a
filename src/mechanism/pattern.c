#include <carom/mechanism/check_internal.h>
#include <carom/mechanism/mechanism.h>

#include <string.h>

/* Rows of H. */
static int tangential_rows(const carom_mechanism *mechanism) {
    return mechanism->contact_count * mechanism->tangent_count;
}

/* Stored entries of a matrix with so many rows of n. */
static size_t count_entries(const carom_mechanism *mechanism, carom_mechanism_pattern pattern,
                            int rows) {
    return pattern.start != NULL ? (size_t)pattern.start[rows]
                                 : (size_t)rows * (size_t)mechanism->coordinate_count;
}

size_t carom_mechanism_constraint_entry_count(const carom_mechanism *mechanism) {
    return count_entries(mechanism, mechanism->constraint_pattern,
                         carom_mechanism_constraint_count(mechanism));
}

size_t carom_mechanism_tangential_entry_count(const carom_mechanism *mechanism) {
    return count_entries(mechanism, mechanism->tangential_pattern, tangential_rows(mechanism));
}

size_t carom_mechanism_constraint_entry_room(const carom_mechanism *mechanism) {
    return mechanism->update_contacts == NULL
               ? carom_mechanism_constraint_entry_count(mechanism)
               : count_entries(mechanism, mechanism->constraint_pattern, mechanism->joint_count) +
                     (size_t)mechanism->contact_count * (size_t)mechanism->contact_entry_count;
}

size_t carom_mechanism_tangential_entry_room(const carom_mechanism *mechanism) {
    return mechanism->update_contacts == NULL
               ? carom_mechanism_tangential_entry_count(mechanism)
               : (size_t)tangential_rows(mechanism) * (size_t)mechanism->contact_entry_count;
}

/* From stored entries to all of them, in place: an entry moves to no lower place than its own, so
 * that from the last one on none is overwritten before it has moved. */
static void expand(const carom_mechanism *mechanism, carom_mechanism_pattern pattern, int rows,
                   double *A) {
    const size_t n = (size_t)mechanism->coordinate_count;
    size_t end = (size_t)rows * n;
    for (int i = rows - 1; i >= 0 && pattern.start != NULL; i--) {
        for (int k = pattern.start[i + 1] - 1; k >= pattern.start[i]; k--) {
            const double entry = A[k];
            const size_t place = (size_t)i * n + (size_t)pattern.column[k];
            memset(A + place, 0, (end - place) * sizeof *A);
            A[place] = entry;
            end = place;
        }
        memset(A + (size_t)i * n, 0, (end - (size_t)i * n) * sizeof *A);
        end = (size_t)i * n;
    }
}

void carom_mechanism_constraint_jacobian(const carom_mechanism *mechanism, const double *q,
                                         double *G) {
    mechanism->constraint_jacobian(q, G, mechanism->context);
    expand(mechanism, mechanism->constraint_pattern, carom_mechanism_constraint_count(mechanism),
           G);
}

void carom_mechanism_constraint_rate_derivative(const carom_mechanism *mechanism, const double *q,
                                                const double *v, double *D) {
    mechanism->constraint_rate_derivative(q, v, D, mechanism->context);
    expand(mechanism, mechanism->constraint_pattern, carom_mechanism_constraint_count(mechanism),
           D);
}

void carom_mechanism_tangential_jacobian(const carom_mechanism *mechanism, const double *q,
                                         double *H) {
    mechanism->tangential_jacobian(q, H, mechanism->context);
    expand(mechanism, mechanism->tangential_pattern, tangential_rows(mechanism), H);
}

void carom_mechanism_tangential_rate_derivative(const carom_mechanism *mechanism, const double *q,
                                                const double *v, double *D) {
    mechanism->tangential_rate_derivative(q, v, D, mechanism->context);
    expand(mechanism, mechanism->tangential_pattern, tangential_rows(mechanism), D);
}

/* Starts that rise from zero, columns that do within a row. */
static carom_status check_pattern(const carom_mechanism *mechanism, const char *quantity,
                                  carom_mechanism_pattern pattern, int rows, carom_report *report) {
    if (pattern.start == NULL) {
        return pattern.column == NULL
                   ? CAROM_OK
                   : carom_report_refuse(report, quantity, 0.0, -1, "columns with starts");
    }
    if (pattern.column == NULL || pattern.start[0] != 0) {
        return carom_report_refuse(report, quantity, pattern.start[0], 0,
                                   "a start of 0, with columns");
    }
    for (int i = 0; i < rows; i++) {
        if (pattern.start[i + 1] < pattern.start[i]) {
            return carom_report_refuse(report, quantity, pattern.start[i + 1], i + 1,
                                       "starts that do not decrease");
        }
        for (int k = pattern.start[i]; k < pattern.start[i + 1]; k++) {
            const int least = k > pattern.start[i] ? pattern.column[k - 1] + 1 : 0;
            if (pattern.column[k] < least || pattern.column[k] >= mechanism->coordinate_count) {
                return carom_report_refuse(report, quantity, pattern.column[k], i,
                                           "coordinates that increase within a row");
            }
        }
    }
    return CAROM_OK;
}

carom_status carom_mechanism_check_patterns(const carom_mechanism *mechanism,
                                            carom_report *report) {
    CAROM_TRY(check_pattern(mechanism, "constraint pattern", mechanism->constraint_pattern,
                            carom_mechanism_constraint_count(mechanism), report));
    return check_pattern(mechanism, "tangential pattern", mechanism->tangential_pattern,
                         tangential_rows(mechanism), report);
}

int carom_mechanism_uncoupled_derivatives(const carom_mechanism *mechanism) {
    const carom_mechanism_pattern pattern = mechanism->constraint_pattern;
    const carom_layout layout = mechanism->layout;
    if (mechanism->constraint_force_derivative != NULL || pattern.start == NULL) {
        return 0;
    }
    if (mechanism->update_contacts != NULL) {
        return CAROM_MECHANISM_CONSTRAINT_FORCE_DERIVATIVE;
    }
    if (!layout.is_banded) {
        return 0;
    }
    for (int i = 0; i < carom_mechanism_constraint_count(mechanism); i++) {
        const int begin = pattern.start[i];
        const int end = pattern.start[i + 1];
        if (end > begin &&
            pattern.column[end - 1] - pattern.column[begin] > layout.half_bandwidth) {
            return CAROM_MECHANISM_CONSTRAINT_FORCE_DERIVATIVE;
        }
    }
    return 0;
}
