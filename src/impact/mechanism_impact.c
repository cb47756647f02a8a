/* The impact problem of a mechanism, or of a scene, at an instant. */
#include <carom/base/scales.h>
#include <carom/impact/impact_problem.h>
#include <carom/mechanism/completed.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Of CAROM_IMPACT_CLOSED. */
static const double CLOSED_PART = 1e-9;

/** What is evaluated of the mechanism before its touching contacts are known. */
typedef struct evaluated {
    double *mass_entries; /**< in the mechanism's layout */
    double *M;            /**< [n][n] */
    double *gaps;         /**< [m] */
    double *G;            /**< [m][n] */
    double *H;            /**< [m t][n] */
    double *mu;           /**< [m] */
    double *e;            /**< [m] restitution */
    int *touching;        /**< [m] */
} evaluated;

static void clear(evaluated *e) {
    free(e->mass_entries);
    free(e->M);
    free(e->gaps);
    free(e->G);
    free(e->H);
    free(e->mu);
    free(e->e);
    free(e->touching);
}

/** Tangents of a contact: one of zeros, which no friction acts along, if the mechanism has none. */
static int tangents_of(const carom_mechanism *mechanism) {
    return mechanism->tangent_count > 0 ? mechanism->tangent_count : 1;
}

static carom_status alloc_evaluated(const carom_mechanism *mechanism, evaluated *e) {
    const size_t n = (size_t)mechanism->coordinate_count;
    const size_t m = (size_t)mechanism->contact_count;
    const size_t t = (size_t)tangents_of(mechanism);
    *e = (evaluated){
        .mass_entries = calloc(carom_layout_entry_count(mechanism->layout), sizeof(double)),
        .M = calloc(n * n, sizeof(double)),
        .gaps = calloc(m, sizeof(double)),
        .G = calloc(m * n, sizeof(double)),
        .H = calloc(m * t * n, sizeof(double)),
        .mu = calloc(m, sizeof(double)),
        .e = calloc(m, sizeof(double)),
        .touching = calloc(m, sizeof(int)),
    };
    const bool has_all = e->mass_entries != NULL && e->M != NULL && e->gaps != NULL &&
                         e->G != NULL && e->H != NULL && e->mu != NULL && e->e != NULL &&
                         e->touching != NULL;
    return has_all ? CAROM_OK : CAROM_STATUS_OUT_OF_MEMORY;
}

/** The largest gap of a closed contact: a part of the lengths that gaps are differences of. */
static double closed_gap(const carom_mechanism *mechanism, const double *q, const evaluated *e) {
    const int n = mechanism->coordinate_count;
    double largest = 0.0;
    for (int i = 0; i < mechanism->contact_count; i++) {
        double length = 0.0;
        carom_scale_add_product(1, n, e->G + (size_t)i * (size_t)n, q, &length);
        largest = fmax(largest, length);
    }
    return CLOSED_PART * largest;
}

/** Keep the rows of the touching contacts, in place. Returns their number. */
static int keep_touching(const carom_mechanism *mechanism, double touching, evaluated *e) {
    const size_t n = (size_t)mechanism->coordinate_count;
    const size_t t = (size_t)tangents_of(mechanism);
    int kept = 0;
    for (int i = 0; i < mechanism->contact_count; i++) {
        if (e->gaps[i] > touching) {
            continue;
        }
        memmove(e->G + (size_t)kept * n, e->G + (size_t)i * n, n * sizeof(double));
        memmove(e->H + (size_t)kept * t * n, e->H + (size_t)i * t * n, t * n * sizeof(double));
        e->mu[kept] = mechanism->friction == NULL ? 0.0 : mechanism->friction[i];
        e->e[kept] = mechanism->restitution == NULL ? 0.0 : mechanism->restitution[i];
        e->touching[kept] = i;
        kept++;
    }
    return kept;
}

static carom_status evaluate(const carom_mechanism *mechanism, const double *q, const double *v,
                             double touching, int *contacts, carom_impact_problem **out,
                             carom_report *report, evaluated *e) {
    const int n = mechanism->coordinate_count;
    CAROM_TRY(alloc_evaluated(mechanism, e));
    mechanism->mass(q, e->mass_entries, mechanism->context);
    for (int i = 0; i < n; i++) {
        const int end = carom_layout_end_column(mechanism->layout, i);
        for (int j = carom_layout_first_column(mechanism->layout, i); j < end; j++) {
            e->M[i * n + j] = e->mass_entries[carom_layout_index(mechanism->layout, i, j)];
        }
    }
    mechanism->constraints(q, e->gaps, mechanism->context);
    carom_mechanism_constraint_jacobian(mechanism, q, e->G);
    if (mechanism->tangent_count > 0) {
        carom_mechanism_tangential_jacobian(mechanism, q, e->H);
    }
    const int m =
        keep_touching(mechanism, touching < 0.0 ? closed_gap(mechanism, q, e) : touching, e);
    if (m == 0) {
        return carom_report_refuse(report, "number of touching contacts", 0.0, -1, "at least 1");
    }
    CAROM_AUTO(carom_impact_problem) problem = NULL;
    CAROM_TRY(carom_impact_problem_alloc(n, m, tangents_of(mechanism), e->M, e->G, e->H, e->mu, v,
                                         &problem, report));
    CAROM_TRY(carom_impact_problem_set_restitution(problem, e->e, report));
    if (contacts != NULL) {
        memcpy(contacts, e->touching, (size_t)m * sizeof(int));
    }
    CAROM_HAND_OVER(problem, out);
    return CAROM_OK;
}

carom_status carom_impact_problem_of_mechanism(const carom_mechanism *mechanism, const double *q,
                                               const double *v, double touching, int *contacts,
                                               carom_impact_problem **out, carom_report *report) {
    CAROM_ASSERT(mechanism != NULL && q != NULL && v != NULL && out != NULL);
    *out = NULL;
    if (mechanism->joint_count != 0) {
        return carom_report_refuse(report, "number of joints", mechanism->joint_count, -1, "0");
    }
    if (mechanism->contact_count < 1) {
        return carom_report_refuse(report, "number of contacts", 0.0, -1, "at least 1");
    }
    const bool has_tangents = mechanism->tangential_jacobian != NULL;
    if (mechanism->tangent_count < 0 || (mechanism->tangent_count > 0 && !has_tangents)) {
        return carom_report_refuse(report, "tangents of a contact", mechanism->tangent_count, -1,
                                   "0, or 1 or 2 with a tangential Jacobian");
    }
    if (mechanism->tangent_count == 0 && mechanism->friction != NULL) {
        return carom_report_refuse(report, "tangents of a contact", 0.0, -1,
                                   "1 or 2 where there is friction");
    }
    if (carom_mechanism_has_moving_supports(mechanism)) {
        return carom_report_say(report, CAROM_STATUS_UNSUPPORTED,
                                "an impact problem has supports at rest; mechanism '%s' has "
                                "constraints that depend on time",
                                mechanism->name != NULL ? mechanism->name : "");
    }
    if (mechanism->rotation_count > 0) {
        return carom_report_say(report, CAROM_STATUS_UNSUPPORTED,
                                "an impact problem has no rotations in space; mechanism '%s' has "
                                "unit quaternions (%d)",
                                mechanism->name != NULL ? mechanism->name : "",
                                mechanism->rotation_count);
    }
    const bool is_closed = touching <= CAROM_IMPACT_CLOSED && touching >= CAROM_IMPACT_CLOSED;
    if (!(touching >= 0.0 || is_closed)) {
        return carom_report_refuse(report, "touching gap", touching, -1,
                                   ">= 0 or CAROM_IMPACT_CLOSED");
    }
    CAROM_AUTO(carom_completed) completed = NULL;
    CAROM_TRY(carom_completed_alloc(mechanism, &completed));
    CAROM_TRY(carom_completed_choose(completed, 0.0, q, v));
    evaluated e;
    const carom_status status =
        evaluate(carom_completed_mechanism(completed), q, v, touching, contacts, out, report, &e);
    clear(&e);
    return status;
}

carom_status carom_impact_problem_of_scene(const carom_impact_scene *scene,
                                           carom_impact_problem **out, carom_report *report) {
    CAROM_ASSERT(scene != NULL && out != NULL);
    return carom_impact_problem_of_mechanism(carom_impact_scene_mechanism(scene), scene->position,
                                             scene->velocity, CAROM_IMPACT_CLOSED, NULL, out,
                                             report);
}
