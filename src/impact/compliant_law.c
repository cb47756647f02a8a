/** Compliant contacts in the limit of infinite stiffness: the place stays as it is, forces other
 * than those of the contacts do nothing. The outcome then depends on ratios of stiffness alone, so
 * that units are chosen in which the slowest contact has sqrt(m/k) = 1 s and the fastest speed
 * before the impact is 1 m/s. */
#include <carom/base/roots.h>
#include <carom/impact/impact_law.h>
#include <carom/impact/internal.h>
#include <carom/timestepping/compliant/compliant.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/** A span of time is so many of these units; spans until all contacts have opened. */
static const double SPAN = 100.0;
enum { MOST_SPANS = 100 };

/** Steps of a span: a hundred times what the scenes take. */
enum { MOST_STEPS = 100000 };

/** Contacts apart or closing by less are open: a hundred steps at the tolerance of the integrator.
 */
static const double SEPARATED = 1e-8;

/** Damping ratio beyond which e, 1/(4 zeta^2), is nothing beside what an integration leaves. */
static const double LARGEST_RATIO = 1e6;

/** Outcomes of different stiffness with contact speeds as near as this, in parts of the largest one
 * before, are one: more than what the inelastic contacts of the default give back, 6e-6. */
static const double MERGING = 1e-4;

/** e of a damping ratio: the speed at which the force of spring and dashpot has fallen to zero, in
 * parts of that before. With b = zeta, w = sqrt(1 - zeta^2): exp(-b/w atan2(2 b w, 2 b^2 - 1)). */
static double restitution_of(double ratio) {
    if (ratio >= 1.0) {
        const double w = sqrt(ratio * ratio - 1.0);
        const double exponent = w > 0.0 ? ratio / w * log((ratio + w) / (ratio - w)) : 2.0;
        return exp(-exponent);
    }
    const double w = sqrt(1.0 - ratio * ratio);
    return exp(-ratio / w * atan2(2.0 * ratio * w, 2.0 * ratio * ratio - 1.0));
}

/** What the root is of. */
static double excess(double ratio, void *context) {
    return restitution_of(ratio) - *(const double *)context;
}

/** Damping ratio with which a spring and a dashpot return the part e in (0, 1] of a speed, pushing
 * and never pulling. */
static carom_status find_damping_ratio(double e, double *ratio) {
    if (e >= 1.0 || e <= restitution_of(LARGEST_RATIO)) {
        *ratio = e >= 1.0 ? 0.0 : LARGEST_RATIO;
        return CAROM_OK;
    }
    CAROM_AUTO_VALUE(carom_bracket) bracket = {.solver = NULL};
    CAROM_TRY(carom_bracket_init(&bracket));
    const gsl_function function = {excess, &e};
    carom_status status = carom_bracket_start(&bracket, &function, 0.0, LARGEST_RATIO);
    int test = GSL_CONTINUE;
    for (int i = 0; i < 200 && status == CAROM_OK && test == GSL_CONTINUE; i++) {
        status = carom_bracket_narrow(&bracket);
        test = gsl_root_test_interval(bracket.low, bracket.high, 1e-13, 1e-13);
    }
    *ratio = bracket.root;
    return status;
}

/** One run. */
typedef struct run {
    const carom_mechanism *mechanism;
    const carom_frozen_impact *impact;
    carom_compliant_params params;
    double *state;   /**< [2][k] */
    double *impulse; /**< [r] so far */
} run;

/** Whether all contacts have opened and none closes. */
static bool is_apart(const run *self) {
    const carom_frozen_impact *impact = self->impact;
    for (int i = 0; i < impact->contacts; i++) {
        if (carom_frozen_impact_along(impact, i, self->state) < -SEPARATED ||
            carom_frozen_impact_along(impact, i, self->state + impact->size) < -SEPARATED) {
            return false;
        }
    }
    return true;
}

/** Integrate over one span and add its impulses. */
static carom_status advance(run *self, int *cost, carom_report *report) {
    const size_t k = (size_t)self->impact->size;
    const int m = self->impact->contacts;
    CAROM_AUTO(carom_compliant_run) end = NULL;
    CAROM_TRY(carom_compliant_simulate(self->mechanism, &self->params, self->state, self->state + k,
                                       &end, report));
    memcpy(self->state, end->position, k * sizeof(double));
    memcpy(self->state + k, end->velocity, k * sizeof(double));
    for (int i = 0; i < m; i++) {
        self->impulse[i] += end->normal_impulse[i];
        self->impulse[m + i] += end->tangential_impulse[i];
    }
    *cost += (int)end->steps;
    return CAROM_OK;
}

/** Follow the contacts until all of them are open again. */
/*[impactLawsCompliant]*/
static carom_status follow(run *self, int *cost, carom_report *report) {
    CAROM_TRY(advance(self, cost, report));
    for (int span = 1; !is_apart(self); span++) {
        if (span == MOST_SPANS) {
            return carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED,
                                     "time until all contacts open", (double)NAN, -1);
        }
        CAROM_TRY(advance(self, cost, report));
    }
    return CAROM_OK;
}
/*[end impactLawsCompliant]*/

/** Least and mean compliance c_nn of the contacts, 1/kg. */
typedef struct contact_compliance {
    double least;
    double mean;
} contact_compliance;

static contact_compliance compliance_of(const carom_impact_problem *p) {
    contact_compliance c = {.least = HUGE_VAL};
    for (int i = 0; i < p->contact_count; i++) {
        const double c_nn = p->delassus_matrix[i * p->row_count + i];
        c.mean += c_nn / p->contact_count;
        c.least = fmin(c.least, c_nn);
    }
    return c;
}

/** Add the outcome of one distribution of stiffness. */
static carom_status add_run(const carom_impact_problem *p, double damping_ratio,
                            carom_frozen_impact *impact, const double *stiffness,
                            carom_impact_result *result, carom_report *report) {
    const size_t k = (size_t)impact->size;
    CAROM_AUTO_MEMORY double *memory =
        calloc(2 * k + (size_t)impact->rows + (size_t)impact->contacts, sizeof *memory);
    if (memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    // What comes back is for springs and dashpots to say: no restitution besides.
    const double *none = memory + 2 * k + impact->rows;
    const carom_mechanism mechanism = carom_frozen_impact_mechanism(impact, p, none);
    run self = {.mechanism = &mechanism,
                .impact = impact,
                .params = carom_compliant_params_default(),
                .state = memory,
                .impulse = memory + 2 * k};
    memcpy(self.state, impact->y, 2 * k * sizeof(double));
    self.params.stiffness = stiffness;
    self.params.damping_ratio = damping_ratio;
    self.params.reference_mass = 1.0 / compliance_of(p).mean;
    self.params.time_span = SPAN * (self.params.damping_ratio + 1.0);
    self.params.stops_when_separating = false;
    self.params.most_steps = MOST_STEPS;
    if (carom_impact_is_colliding(p, p->contact_velocity)) {
        CAROM_TRY(follow(&self, &result->cost, report));
    }
    for (int i = 0; i < impact->rows; i++) {
        self.impulse[i] *= impact->speed;
    }
    return carom_impact_outcomes_add(result->outcomes, p, self.impulse, 0.0, MERGING);
}

/** All distributions: equal stiffness, then each contact in turn stiffer. One contact alone has no
 * ratio. */
static carom_status run_law(const carom_impact_problem *p, const carom_impact_law_params *params,
                            carom_impact_result *result, carom_report *report) {
    const int m = p->contact_count;
    double e = 0.0;
    CAROM_TRY(carom_impact_require_one_restitution(p, "compliant", &e, report));
    CAROM_AUTO_MEMORY double *stiffness = calloc((size_t)m, sizeof *stiffness);
    carom_frozen_impact impact = {.A = NULL};
    carom_status status =
        stiffness == NULL ? CAROM_STATUS_OUT_OF_MEMORY : carom_frozen_impact_init(p, &impact);
    const double unit = 1.0 / compliance_of(p).least;
    double damping_ratio = params->damping_ratio;
    if (status == CAROM_OK && e > 0.0) {
        status = find_damping_ratio(e, &damping_ratio);
    }
    for (int stiffer = -1; stiffer < (m > 1 ? m : 0) && status == CAROM_OK; stiffer++) {
        for (int i = 0; i < m; i++) {
            stiffness[i] = unit * (i == stiffer ? params->stiffness_ratio : 1.0);
        }
        status = add_run(p, damping_ratio, &impact, stiffness, result, report);
    }
    free(impact.A);
    return status;
}

const carom_impact_law carom_impact_law_compliant = {
    .name = "compliant",
    .title = "springs and dashpots in the limit of infinite stiffness, equal and with one stiffer",
    .cost = "time steps of all runs",
    .has_restitution = true,
    .has_friction = true,
    .is_planar = true,
    .run = run_law,
};
