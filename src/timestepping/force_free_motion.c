#include <carom/impact/impact_law.h>
#include <carom/mechanism/completed.h>
#include <carom/timestepping/internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Contacts that close more slowly, in parts of the fastest coordinate, do not: rounding. */
static const double RESTING = 1e-11;

/** A motion under way. */
typedef struct motion {
    const carom_mechanism *mechanism;
    const carom_force_free_params *params;
    carom_impact_law_params law;
    carom_trajectory *rows;
    double *q;    /**< [n] */
    double *v;    /**< [n] */
    double *gap;  /**< [m] */
    double *G;    /**< [m][n] */
    double *work; /**< as carom_mechanism_kinetic_energy */
} motion;

static void motion_clear(motion *m) {
    free(m->q);
    carom_trajectory_free(m->rows);
}

static carom_status motion_init(const carom_mechanism *mechanism, const double *q, const double *v,
                                motion *m) {
    const size_t n = (size_t)mechanism->coordinate_count;
    const size_t contacts = (size_t)mechanism->contact_count;
    const size_t scratch = (size_t)carom_layout_entry_count(mechanism->layout) + n;
    m->q = malloc((2 * n + contacts * (n + 1) + scratch) * sizeof *m->q);
    if (m->q == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    m->v = m->q + n;
    m->gap = m->v + n;
    m->G = m->gap + contacts;
    m->work = m->G + contacts * n;
    memcpy(m->q, q, n * sizeof *q);
    memcpy(m->v, v, n * sizeof *v);
    return carom_trajectory_alloc(mechanism, CAROM_TRAJECTORY_MOTION, 64, &m->rows);
}

static carom_status add_row(motion *m, double time) {
    CAROM_TRY(carom_trajectory_append(m->rows));
    const size_t n = (size_t)m->mechanism->coordinate_count;
    const size_t k = (size_t)m->rows->row_count - 1;
    m->rows->time[k] = time;
    memcpy(m->rows->position + k * n, m->q, n * sizeof(double));
    memcpy(m->rows->velocity + k * n, m->v, n * sizeof(double));
    m->rows->kinetic_energy[k] = carom_mechanism_kinetic_energy(m->mechanism, m->q, m->v, m->work);
    return CAROM_OK;
}

/** Time until the next gap closes; infinite if none does. */
static double next_meeting(motion *m) {
    const int n = m->mechanism->coordinate_count;
    double fastest = 0.0;
    double soonest = HUGE_VAL;
    m->mechanism->constraints(m->q, m->gap, m->mechanism->context);
    carom_mechanism_constraint_jacobian(m->mechanism, m->q, m->G);
    for (int j = 0; j < n; j++) {
        fastest = fmax(fastest, fabs(m->v[j]));
    }
    for (int i = 0; i < m->mechanism->contact_count; i++) {
        double closing = 0.0;
        for (int j = 0; j < n; j++) {
            closing -= m->G[i * n + j] * m->v[j];
        }
        if (closing > RESTING * fastest) {
            soonest = fmin(soonest, m->gap[i] > m->params->touching ? m->gap[i] / closing : 0.0);
        }
    }
    return soonest;
}

/** The impact of the contacts that are closed. */
static carom_status strike(motion *m, carom_report *report) {
    CAROM_AUTO(carom_impact_problem) problem = NULL;
    CAROM_AUTO(carom_impact_result) result = NULL;
    CAROM_TRY(carom_impact_problem_of_mechanism(m->mechanism, m->q, m->v, m->params->touching, NULL,
                                                &problem, report));
    CAROM_TRY(
        carom_impact_law_run(&carom_impact_law_propagative, problem, &m->law, &result, report));
    memcpy(m->v, result->velocity, (size_t)m->mechanism->coordinate_count * sizeof(double));
    return CAROM_OK;
}

/** Free flights and impacts until the end; a row before and after each. */
static carom_status fly(motion *m, double duration, carom_report *report) {
    double t = 0.0;
    CAROM_TRY(add_row(m, t));
    for (int impacts = 0;; impacts++) {
        const double meeting = next_meeting(m);
        const double flight = fmin(meeting, duration - t);
        for (int j = 0; j < m->mechanism->coordinate_count; j++) {
            m->q[j] += flight * m->v[j];
        }
        t = meeting <= duration - t ? t + flight : duration;
        CAROM_TRY(add_row(m, t));
        if (t >= duration) {
            return CAROM_OK;
        }
        if (impacts == m->params->most_impacts) {
            const carom_status status = carom_report_fail(
                report, CAROM_STATUS_NOT_CONVERGED, "impacts, an inelastic collapse,", impacts, -1);
            if (report != NULL) {
                report->time = t;
            }
            return status;
        }
        CAROM_TRY(strike(m, report));
        CAROM_TRY(add_row(m, t));
    }
}

carom_status carom_force_free_run(const carom_mechanism *mechanism,
                                  const carom_force_free_params *params, const double *q0,
                                  const double *v0, double duration, carom_trajectory **out,
                                  carom_report *report) {
    CAROM_ASSERT(mechanism != NULL && params != NULL && q0 != NULL && v0 != NULL && out != NULL);
    *out = NULL;
    if (!(duration > 0.0 && isfinite(duration))) {
        return carom_report_refuse(report, "duration", duration, -1, "positive");
    }
    const carom_mechanism_support support = {
        .method = "force_free",
        .subject = "motion",
        .friction = true,
        .restitution = true,
        .nonlinear_mass = true,
        .space = true,
    };
    CAROM_TRY(carom_mechanism_require(mechanism, &support, report));
    CAROM_AUTO(carom_completed) completed = NULL;
    CAROM_TRY(carom_completed_alloc(mechanism, &completed));
    CAROM_TRY(carom_completed_choose(completed, 0.0, q0, v0));
    CAROM_AUTO_VALUE(motion)
    m = {.mechanism = carom_completed_mechanism(completed), .params = params};
    m.law = carom_impact_law_params_default();
    m.law.has_rule = true;
    m.law.rule = params->rule;
    CAROM_TRY(motion_init(mechanism, q0, v0, &m));
    CAROM_TRY(fly(&m, duration, report));
    CAROM_HAND_OVER(m.rows, out);
    return CAROM_OK;
}
