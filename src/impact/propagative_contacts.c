#include <carom/impact/propagative_impact.h>

#include <carom/base/linear_algebra.h>
#include <carom/base/vector.h>

#include <math.h>
#include <stdlib.h>

/** Contacts whose separating direction rises less along a unit normal count as not separable: the
 * cosines themselves carry some 1e-16, and so does this. */
static const double LEAST_SEPARATION = 1e-12;

void carom_propagative_contacts_free(carom_propagative_contacts *contacts) {
    if (contacts == NULL) {
        return;
    }
    free(contacts->length);
    free(contacts->unit_normal);
    free(contacts->cosine);
    free(contacts->separator);
    free(contacts);
}

carom_status carom_propagative_contacts_alloc(int n, int m, carom_propagative_contacts **out) {
    CAROM_ASSERT(out != NULL);
    CAROM_ASSERT(n >= 1 && m >= 1);
    *out = NULL;
    CAROM_AUTO(carom_propagative_contacts) contacts = calloc(1, sizeof *contacts);
    if (contacts == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    contacts->coordinate_count = n;
    contacts->contact_count = m;
    contacts->length = calloc((size_t)m, sizeof(double));
    contacts->unit_normal = calloc((size_t)m * (size_t)n, sizeof(double));
    contacts->cosine = calloc((size_t)m * (size_t)m, sizeof(double));
    contacts->separator = calloc((size_t)n, sizeof(double));
    if (contacts->length == NULL || contacts->unit_normal == NULL || contacts->cosine == NULL ||
        contacts->separator == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_HAND_OVER(contacts, out);
    return CAROM_OK;
}

static carom_status refuse(int n, int m, const double *L, const double *normals,
                           carom_report *report) {
    for (int k = 0; k < n; k++) {
        for (int j = 0; j <= k; j++) {
            if (!isfinite(L[k * n + j])) {
                return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "mass factor",
                                         L[k * n + j], k * n + j);
            }
        }
        if (L[k * n + k] <= 0.0) {
            return carom_report_refuse(report, "mass factor", L[k * n + k], k * n + k, "> 0");
        }
    }
    for (int k = 0; k < m * n; k++) {
        if (!isfinite(normals[k])) {
            return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "normal", normals[k], k / n);
        }
    }
    return CAROM_OK;
}

/** w = L^-1 u' divided by its length, which is returned. */
static double whiten(int n, const double *L, const double *u, double *w) {
    for (int k = 0; k < n; k++) {
        w[k] = (u[k] - carom_vector_dot(k, L + k * n, w)) / L[k * n + k];
    }
    // The largest entry is taken out before squaring, so that units do not overflow.
    double largest = 0.0;
    for (int k = 0; k < n; k++) {
        largest = fmax(largest, fabs(w[k]));
    }
    if (!(largest > 0.0) || !isfinite(largest)) {
        return largest;
    }
    for (int k = 0; k < n; k++) {
        w[k] /= largest;
    }
    const double norm = sqrt(carom_vector_dot(n, w, w));
    for (int k = 0; k < n; k++) {
        w[k] /= norm;
    }
    return largest * norm;
}

static void set_cosines(carom_propagative_contacts *contacts) {
    const int n = contacts->coordinate_count;
    const int m = contacts->contact_count;
    for (int i = 0; i < m; i++) {
        contacts->cosine[i * m + i] = 1.0;
        for (int j = 0; j < i; j++) {
            const double c =
                carom_vector_dot(n, contacts->unit_normal + i * n, contacts->unit_normal + j * n);
            contacts->cosine[i * m + j] = c;
            contacts->cosine[j * m + i] = c;
        }
    }
}

/** Make r a unit covector; @return the least <w_i,r>, or 0 for r = 0. */
static double normalize_separator(carom_propagative_contacts *contacts) {
    const int n = contacts->coordinate_count;
    double *r = contacts->separator;
    const double norm = sqrt(carom_vector_dot(n, r, r));
    if (!(norm > 0.0)) {
        return 0.0;
    }
    double least = HUGE_VAL;
    for (int k = 0; k < n; k++) {
        r[k] /= norm;
    }
    for (int i = 0; i < contacts->contact_count; i++) {
        least = fmin(least, carom_vector_dot(n, contacts->unit_normal + i * n, r));
    }
    return least;
}

/** r = the sum of the unit normals, the bisector of two, or else the widest direction. */
static carom_status separate(carom_propagative_contacts *contacts, carom_report *report) {
    const int n = contacts->coordinate_count;
    const int m = contacts->contact_count;
    for (int k = 0; k < n; k++) {
        contacts->separator[k] = 0.0;
        for (int i = 0; i < m; i++) {
            contacts->separator[k] += contacts->unit_normal[i * n + k];
        }
    }
    contacts->separation = normalize_separator(contacts);
    if (contacts->separation > LEAST_SEPARATION) {
        return CAROM_OK;
    }
    CAROM_AUTO_MEMORY double *multipliers = calloc((size_t)m, sizeof(double));
    if (multipliers == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    // The shortest r with <w_i,r> >= 1 is the direction of the largest least <w_i,r>.
    const carom_status status = carom_least_distance_solve(n, m, contacts->unit_normal,
                                                           contacts->separator, multipliers, NULL);
    if (status == CAROM_STATUS_OUT_OF_MEMORY) {
        return status;
    }
    contacts->separation = status == CAROM_OK ? normalize_separator(contacts) : 0.0;
    if (!(contacts->separation > LEAST_SEPARATION)) {
        return carom_report_fail(report, CAROM_STATUS_CONFLICT,
                                 "contacts that cannot be separated at once", contacts->separation,
                                 -1);
    }
    return CAROM_OK;
}

carom_status carom_propagative_contacts_set(carom_propagative_contacts *contacts,
                                            const double *mass_factor, const double *normals,
                                            carom_report *report) {
    CAROM_ASSERT(contacts != NULL && mass_factor != NULL && normals != NULL);
    const int n = contacts->coordinate_count;
    const int m = contacts->contact_count;
    CAROM_TRY(refuse(n, m, mass_factor, normals, report));
    for (int i = 0; i < m; i++) {
        const double length =
            whiten(n, mass_factor, normals + i * n, contacts->unit_normal + i * n);
        if (!isfinite(length)) {
            return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "length of a normal", length,
                                     i);
        }
        if (!(length > 0.0)) {
            return carom_report_refuse(report, "length of a normal", length, i, "> 0");
        }
        contacts->length[i] = length;
    }
    set_cosines(contacts);
    return separate(contacts, report);
}

carom_status carom_propagative_contacts_of_problem(const carom_impact_problem *problem,
                                                   carom_propagative_contacts **out,
                                                   carom_report *report) {
    CAROM_ASSERT(problem != NULL && out != NULL);
    *out = NULL;
    CAROM_AUTO(carom_propagative_contacts) contacts = NULL;
    CAROM_TRY(carom_propagative_contacts_alloc(problem->coordinate_count, problem->contact_count,
                                               &contacts));
    CAROM_TRY(carom_propagative_contacts_set(contacts, problem->mass_factor,
                                             problem->contact_jacobian, report));
    CAROM_HAND_OVER(contacts, out);
    return CAROM_OK;
}
