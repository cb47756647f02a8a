#include <carom/timestepping/galpha/schemes.h>

#include <math.h>
#include <stdlib.h>

/* The rows of J that take part, in the order of the contact problem, and what is added to G v~. */
typedef struct contact_rows {
    int count;
    int contact_count;
    int *start;       /* [rows+1] */
    int *column;      /* [entries] */
    double *value;    /* [entries] */
    double *velocity; /* [rows] w + e u_n before, m/s */
    double *friction; /* [n_u] of the closed contacts, 1 */
} contact_rows;

static void add_row(contact_rows *r, const carom_step_context *step, int j) {
    const carom_evaluation_entries row = carom_evaluation_entries_of(&step->evaluation, j);
    int used = r->start[r->count];
    for (int k = row.first; k < row.end; k++) {
        if (fabs(row.value[k]) > 0.0) {
            r->column[used] = row.column != NULL ? row.column[k] : k;
            r->value[used++] = row.value[k];
        }
    }
    r->velocity[r->count] = step->evaluation.supports[j] + carom_step_restituted(step, j);
    r->start[++r->count] = used;
}

/* Joints, then the closed contacts, each normal with its tangents. */
static void gather_rows(contact_rows *r, const carom_step_context *step, const bool *closed) {
    const int t = step->evaluation.tangent_count;
    for (int j = 0; j < step->joint_count; j++) {
        add_row(r, step, j);
    }
    for (int j = 0; j < step->m - step->joint_count; j++) {
        if (!closed[j]) {
            continue;
        }
        r->friction[r->contact_count++] = t > 0 ? step->mechanism->friction[j] : 0.0;
        add_row(r, step, step->joint_count + j);
        for (int a = 0; a < t; a++) {
            add_row(r, step, step->m + j * t + a);
        }
    }
}

carom_status carom_step_contacts_tell(carom_step_context *step, const carom_newton_problem *newton,
                                      carom_report *report) {
    const carom_mechanism *mechanism = step->mechanism;
    const carom_step_state *x = step->next;
    const size_t most = (size_t)step->evaluation.row_count;
    const size_t entries = step->evaluation.entry_count;
    CAROM_AUTO_MEMORY bool *closed = calloc(most + 1, sizeof *closed);
    CAROM_AUTO_MEMORY int *integers = calloc(most + entries + 1, sizeof *integers);
    CAROM_AUTO_MEMORY double *numbers = calloc(entries + 2 * most + 1, sizeof *numbers);
    if (closed == NULL || integers == NULL || numbers == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    contact_rows r = {.start = integers,
                      .column = integers + most + 1,
                      .value = numbers,
                      .velocity = numbers + entries,
                      .friction = numbers + entries + most};
    newton->eligible(newton->self, newton->level_count - 1, NULL, closed);
    carom_evaluation_point(&step->evaluation, step->time, x->position, x->velocity);
    gather_rows(&r, step, closed);
    if (r.contact_count == 0) {
        return CAROM_OK;
    }
    const carom_contact_bodies bodies = {.layout = mechanism->layout,
                                         .mass = step->evaluation.mass,
                                         .joint_count = step->joint_count,
                                         .contact_count = r.contact_count,
                                         .tangent_count = step->evaluation.tangent_count,
                                         .row_start = r.start,
                                         .row_column = r.column,
                                         .row_value = r.value,
                                         .free_velocity = x->smooth_velocity,
                                         .support_velocity = r.velocity,
                                         .friction = r.friction};
    CAROM_AUTO(carom_contact_problem) problem = NULL;
    CAROM_TRY(carom_contact_problem_of_bodies(&bodies, &problem, report));
    const carom_contact_listener *contacts = &step->params.contacts;
    return contacts->tell(step->time, problem, contacts->context, report);
}
