#include <carom/timestepping/variational/step_internal.h>

#include <carom/base/linear_algebra.h>

#include <carom/base/vector.h>

#include <float.h>
#include <gsl/gsl_blas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A covector that loses all but so many roundings of a term in the span of the joints is in it. */
static const double ROUNDINGS = 16.0;

carom_status carom_variational_contacts_init(carom_variational_contacts *contacts,
                                             const carom_mechanism *mechanism) {
    *contacts = (carom_variational_contacts){.mechanism = mechanism};
    const size_t n = (size_t)mechanism->coordinate_count;
    const size_t m = (size_t)mechanism->contact_count;
    const size_t b = (size_t)mechanism->joint_count;
    const size_t entries = carom_layout_entry_count(mechanism->layout);
    contacts->memory = calloc(n * n + (b + 2 * m) * n + 2 * m + n + entries, sizeof(double));
    if (contacts->memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    contacts->mass_factor = contacts->memory;
    // As the Jacobian has them: joints, then contacts.
    contacts->joint = contacts->mass_factor + n * n;
    contacts->normal = contacts->joint + b * n;
    contacts->white_normal = contacts->normal + m * n;
    contacts->length = contacts->white_normal + m * n;
    contacts->speed = contacts->length + m;
    contacts->white_momentum = contacts->speed + m;
    contacts->mass = contacts->white_momentum + n;
    return CAROM_OK;
}

void carom_variational_contacts_clear(carom_variational_contacts *contacts) {
    free(contacts->memory);
    *contacts = (carom_variational_contacts){0};
}

/** M = L L'. */
static carom_status factor_mass(carom_variational_contacts *contacts, const double *q,
                                carom_report *report) {
    const carom_mechanism *mechanism = contacts->mechanism;
    const carom_layout layout = mechanism->layout;
    const int n = mechanism->coordinate_count;
    double *L = contacts->mass_factor;
    mechanism->mass(q, contacts->mass, mechanism->context);
    for (int i = 0; i < n * n; i++) {
        L[i] = 0.0;
    }
    for (int i = 0; i < n; i++) {
        const int end = carom_layout_end_column(layout, i);
        for (int j = carom_layout_first_column(layout, i); j < end; j++) {
            L[i * n + j] = contacts->mass[carom_layout_index(layout, i, j)];
            if (!isfinite(L[i * n + j])) {
                return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "mass", L[i * n + j], i);
            }
        }
    }
    if (carom_cholesky_compute(n, L) != CAROM_OK) {
        return carom_report_fail(report, CAROM_STATUS_SINGULAR, "mass", (double)NAN, -1);
    }
    return CAROM_OK;
}

/*[variationalJoints]*/
double carom_variational_contacts_whiten(const carom_variational_contacts *contacts,
                                         const double *a, double *w) {
    const size_t n = (size_t)contacts->mechanism->coordinate_count;
    const gsl_matrix_const_view L = gsl_matrix_const_view_array(contacts->mass_factor, n, n);
    memmove(w, a, n * sizeof(double));
    gsl_vector_view white = gsl_vector_view_array(w, n);
    (void)gsl_blas_dtrsv(CblasLower, CblasNoTrans, CblasNonUnit, &L.matrix, &white.vector);
    const double whole = gsl_blas_dnrm2(&white.vector);
    // w - E' E w, twice, so that what is left of nearly dependent rows is orthogonal, too.
    for (int k = 0; k < 2 * contacts->joint_rank; k++) {
        const double *e = contacts->joint + (size_t)(k % contacts->joint_rank) * n;
        const double part = carom_vector_dot((int)n, e, w);
        for (size_t j = 0; j < n; j++) {
            w[j] -= part * e[j];
        }
    }
    const double length = gsl_blas_dnrm2(&white.vector);
    if (contacts->joint_rank > 0 && length <= ROUNDINGS * (double)n * DBL_EPSILON * whole) {
        gsl_vector_set_zero(&white.vector);
        return 0.0;
    }
    return length;
}
/*[end variationalJoints]*/

void carom_variational_contacts_restore(const carom_variational_contacts *contacts, const double *w,
                                        double *a) {
    const size_t n = (size_t)contacts->mechanism->coordinate_count;
    const gsl_matrix_const_view L = gsl_matrix_const_view_array(contacts->mass_factor, n, n);
    memcpy(a, w, n * sizeof(double));
    gsl_vector_view covector = gsl_vector_view_array(a, n);
    (void)gsl_blas_dtrmv(CblasLower, CblasNoTrans, CblasNonUnit, &L.matrix, &covector.vector);
}

/* Rows of joints become an orthonormal basis of what they span; dependent ones are left out. */
static void span_joints(carom_variational_contacts *contacts) {
    const int n = contacts->mechanism->coordinate_count;
    contacts->joint_rank = 0;
    for (int i = 0; i < contacts->mechanism->joint_count; i++) {
        double *e = contacts->joint + contacts->joint_rank * n;
        const double length =
            carom_variational_contacts_whiten(contacts, contacts->joint + i * n, e);
        for (int j = 0; j < n && length > 0.0; j++) {
            e[j] /= length;
        }
        contacts->joint_rank += length > 0.0 ? 1 : 0;
    }
}

carom_status carom_variational_contacts_set(carom_variational_contacts *contacts, const double *q,
                                            const double *p, carom_report *report) {
    const carom_mechanism *mechanism = contacts->mechanism;
    const int n = mechanism->coordinate_count;
    CAROM_TRY(factor_mass(contacts, q, report));
    if (carom_mechanism_constraint_count(mechanism) > 0) {
        carom_mechanism_constraint_jacobian(mechanism, q, contacts->joint);
        span_joints(contacts);
    }
    for (int i = 0; i < mechanism->contact_count; i++) {
        contacts->length[i] = carom_variational_contacts_whiten(contacts, contacts->normal + i * n,
                                                                contacts->white_normal + i * n);
        if (!isfinite(contacts->length[i])) {
            return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "normal", contacts->length[i],
                                     i);
        }
        if (contacts->joint_rank > 0) {
            carom_variational_contacts_restore(contacts, contacts->white_normal + i * n,
                                               contacts->normal + i * n);
        }
    }
    carom_variational_contacts_set_momentum(contacts, p);
    if (!isfinite(contacts->norm)) {
        return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "momentum", contacts->norm, -1);
    }
    return CAROM_OK;
}

void carom_variational_contacts_set_momentum(carom_variational_contacts *contacts,
                                             const double *p) {
    const int n = contacts->mechanism->coordinate_count;
    contacts->norm = carom_variational_contacts_whiten(contacts, p, contacts->white_momentum);
    for (int i = 0; i < contacts->mechanism->contact_count; i++) {
        double sum = 0.0;
        for (int k = 0; k < n; k++) {
            sum += contacts->white_normal[i * n + k] * contacts->white_momentum[k];
        }
        contacts->speed[i] = contacts->length[i] > 0.0 ? sum / contacts->length[i] : 0.0;
    }
}

void carom_variational_contacts_velocity(const carom_variational_contacts *contacts, double *v) {
    const size_t n = (size_t)contacts->mechanism->coordinate_count;
    const gsl_matrix_const_view L = gsl_matrix_const_view_array(contacts->mass_factor, n, n);
    memcpy(v, contacts->white_momentum, n * sizeof(double));
    gsl_vector_view velocity = gsl_vector_view_array(v, n);
    (void)gsl_blas_dtrsv(CblasLower, CblasTrans, CblasNonUnit, &L.matrix, &velocity.vector);
}
