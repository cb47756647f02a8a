#include <carom/impact/propagative_impact.h>

#include <carom/base/linear_algebra.h>
#include <carom/base/random.h>
#include <carom/lcp/lcp.h>

#include <math.h>
#include <stdlib.h>

/** Rounding of the sums that are compared with their bounds. */
static const double SLACK = 1e-9;

/** Work memory of one impact, in unit normals. */
struct carom_propagative_work {
    double *speed;   /* [m] <w_i,p> as the sequence goes on */
    double *total;   /* [m] sums of the multipliers */
    double *plastic; /* [m] impulses of the plastic impact, N s */
    double *right;   /* [m] */
    carom_minimum_norm *projection;
    carom_lcp_workspace *lemke;
};

typedef struct carom_propagative_work work_memory;

carom_propagative_params carom_propagative_params_default(void) {
    return (carom_propagative_params){.rule = CAROM_PROPAGATIVE_MOST_APPROACHING,
                                      .tolerance = 1e-12};
}

static void work_free(work_memory *work) {
    if (work == NULL) {
        return;
    }
    free(work->speed);
    free(work->total);
    free(work->plastic);
    free(work->right);
    carom_minimum_norm_free(work->projection);
    carom_lcp_workspace_free(work->lemke);
    free(work);
}

static carom_status work_alloc(int m, work_memory **out) {
    work_memory *work = calloc(1, sizeof *work);
    *out = work;
    if (work == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const size_t count = (size_t)m;
    work->speed = calloc(count, sizeof(double));
    work->total = calloc(count, sizeof(double));
    work->plastic = calloc(count, sizeof(double));
    work->right = calloc(count, sizeof(double));
    if (work->speed == NULL || work->total == NULL || work->plastic == NULL ||
        work->right == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_minimum_norm_alloc(m, &work->projection));
    return carom_lcp_workspace_alloc(m, &work->lemke);
}

void carom_propagative_impact_free(carom_propagative_impact *impact) {
    if (impact == NULL) {
        return;
    }
    free(impact->sequence);
    free(impact->step_impulse);
    free(impact->impulse);
    free(impact->normal_velocity);
    work_free(impact->work);
    free(impact);
}

carom_status carom_propagative_impact_alloc(int m, int most_steps, carom_propagative_impact **out) {
    CAROM_ASSERT(out != NULL);
    CAROM_ASSERT(m >= 1 && most_steps >= 1);
    *out = NULL;
    CAROM_AUTO(carom_propagative_impact) impact = calloc(1, sizeof *impact);
    if (impact == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    work_memory *work;
    carom_status status = work_alloc(m, &work);
    impact->work = work;
    impact->contact_count = m;
    impact->most_steps = most_steps;
    impact->sequence = calloc((size_t)most_steps, sizeof(int));
    impact->step_impulse = calloc((size_t)most_steps, sizeof(double));
    impact->impulse = calloc((size_t)m, sizeof(double));
    impact->normal_velocity = calloc((size_t)m, sizeof(double));
    if (status != CAROM_OK || impact->sequence == NULL || impact->step_impulse == NULL ||
        impact->impulse == NULL || impact->normal_velocity == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_HAND_OVER(impact, out);
    return CAROM_OK;
}

double carom_propagative_reflect(const carom_propagative_contacts *contacts, int i, double *c) {
    CAROM_ASSERT(contacts != NULL && c != NULL);
    const int m = contacts->contact_count;
    const double *cosine = contacts->cosine + i * m;
    // In unit normals: lambda = -2 <w_i,p>, and each <w_j,p> changes by lambda <w_i,w_j>.
    const double lambda = -2.0 * c[i] / contacts->length[i];
    const double reversed = -c[i];
    for (int j = 0; j < m; j++) {
        c[j] += lambda * cosine[j] * contacts->length[j];
    }
    c[i] = reversed;
    return lambda / contacts->length[i];
}

/** The same in unit normals: speeds s [m]; @return lambda. */
static double reflect_unit(const carom_propagative_contacts *contacts, int i, double *s) {
    const int m = contacts->contact_count;
    const double *cosine = contacts->cosine + i * m;
    const double reversed = -s[i];
    const double lambda = 2.0 * reversed;
    for (int j = 0; j < m; j++) {
        s[j] += lambda * cosine[j];
    }
    s[i] = reversed;
    return lambda;
}

/** The approaching contact number `wanted`, counted from 0 in the order of the contacts. */
static int approaching_contact(int m, const double *s, double slowest, int wanted) {
    int seen = 0;
    for (int i = 0; i < m; i++) {
        if (s[i] < slowest && seen++ == wanted) {
            return i;
        }
    }
    return -1;
}

/** The first approaching contact in the order begin, begin + 1, .., around. */
static int next_around(int m, const double *s, double slowest, int begin) {
    for (int k = 0; k < m; k++) {
        const int i = (begin + k) % m;
        if (s[i] < slowest) {
            return i;
        }
    }
    return -1;
}

/** The approaching contact of extreme speed, -1 if none approaches. */
static int extreme_contact(int m, const double *s, double slowest, bool is_fastest) {
    int chosen = -1;
    for (int i = 0; i < m; i++) {
        if (s[i] < slowest && (chosen < 0 || (is_fastest ? s[i] < s[chosen] : s[i] > s[chosen]))) {
            chosen = i;
        }
    }
    return chosen;
}

static int random_contact(const carom_propagative_params *params, int m, const double *s,
                          double slowest, int step) {
    int count = 0;
    for (int i = 0; i < m; i++) {
        count += s[i] < slowest ? 1 : 0;
    }
    const double u = carom_counter_uniform(params->seed, (unsigned long)step, 0);
    return approaching_contact(m, s, slowest, (int)(u * count));
}

/** The contact to reflect next; -1 if all speeds are at least `slowest`. */
static int select_contact(const carom_propagative_params *params, int m, const double *s,
                          double slowest, const carom_propagative_impact *impact) {
    const int step = impact->step_count;
    switch (params->rule) {
    case CAROM_PROPAGATIVE_MOST_APPROACHING:
        return extreme_contact(m, s, slowest, true);
    case CAROM_PROPAGATIVE_LEAST_APPROACHING:
        return extreme_contact(m, s, slowest, false);
    case CAROM_PROPAGATIVE_CYCLIC:
        return next_around(m, s, slowest,
                           step == 0 ? params->first : impact->sequence[step - 1] + 1);
    case CAROM_PROPAGATIVE_RANDOM:
        return random_contact(params, m, s, slowest, step);
    case CAROM_PROPAGATIVE_LOWEST_INDEX:
    default:
        return next_around(m, s, slowest, 0);
    }
}

static carom_status refuse(const carom_propagative_contacts *contacts,
                           const carom_propagative_params *params, double R, const double *c,
                           double energy, carom_report *report) {
    const int m = contacts->contact_count;
    if ((int)params->rule < (int)CAROM_PROPAGATIVE_MOST_APPROACHING ||
        params->rule > CAROM_PROPAGATIVE_RANDOM) {
        return carom_report_refuse(report, "rule", (double)params->rule, -1,
                                   "a carom_propagative_rule");
    }
    if (params->rule == CAROM_PROPAGATIVE_CYCLIC && (params->first < 0 || params->first >= m)) {
        return carom_report_refuse(report, "first contact", params->first, -1,
                                   "a contact, from 0 on");
    }
    if (!(params->tolerance > 0.0 && params->tolerance < 1.0)) {
        return carom_report_refuse(report, "tolerance", params->tolerance, -1, "in (0,1)");
    }
    if (!(R >= 0.0 && R <= 1.0)) {
        return carom_report_refuse(report, "restitution", R, -1, "in [0,1]");
    }
    if (!isfinite(energy)) {
        return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "kinetic energy", energy, -1);
    }
    if (energy < 0.0) {
        return carom_report_refuse(report, "kinetic energy", energy, -1, ">= 0");
    }
    for (int i = 0; i < m; i++) {
        if (!isfinite(c[i])) {
            return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "normal velocity", c[i], i);
        }
        // |<w_i,p>| <= |p|.
        if (fabs(c[i]) / contacts->length[i] > (1.0 + SLACK) * sqrt(2.0 * energy)) {
            return carom_report_refuse(report, "normal velocity beside the kinetic energy", c[i], i,
                                       "what that energy allows");
        }
    }
    return CAROM_OK;
}

static void clear(carom_propagative_impact *impact) {
    impact->step_count = 0;
    impact->energy_change = (double)NAN;
    impact->plastic_loss = (double)NAN;
    impact->energy_error = (double)NAN;
    impact->residual = (double)NAN;
    for (int i = 0; i < impact->contact_count; i++) {
        impact->impulse[i] = (double)NAN;
        impact->normal_velocity[i] = (double)NAN;
    }
}

/** p0 Gamma(w_1) Gamma(w_2) .. until all contacts are feasible, (14). */
static carom_status propagate(const carom_propagative_contacts *contacts,
                              const carom_propagative_params *params, double norm,
                              carom_propagative_impact *impact, carom_report *report) {
    work_memory *work = impact->work;
    const int m = impact->contact_count;
    const double slowest = -params->tolerance * norm;
    // <p,r> rises by lambda <w,r> >= lambda separation, from -|p| to |p| at most.
    const double most_impulse = 2.0 * norm / contacts->separation;
    double sum = 0.0;
    /*[propagate]*/
    for (;;) {
        const int i = select_contact(params, m, work->speed, slowest, impact);
        if (i < 0) {
            return CAROM_OK;
        }
        if (impact->step_count == impact->most_steps) {
            return carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, "number of reflections",
                                     impact->most_steps, i);
        }
        const double lambda = reflect_unit(contacts, i, work->speed);
        sum += lambda;
        if (sum > (1.0 + SLACK) * most_impulse) {
            return carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, "sum of the impulses", sum,
                                     i);
        }
        work->total[i] += lambda;
        impact->sequence[impact->step_count] = i;
        impact->step_impulse[impact->step_count] = lambda / contacts->length[i];
        impact->step_count++;
    }
    /*[end propagate]*/
}

/** c + G Lambda [m], G_ij = |u_i| <w_i,w_j> |u_j|. */
static void add_impulses(const carom_propagative_contacts *contacts, const double *c,
                         const double *impulse, double *c_post) {
    const int m = contacts->contact_count;
    for (int i = 0; i < m; i++) {
        double sum = 0.0;
        for (int j = 0; j < m; j++) {
            sum += contacts->cosine[i * m + j] * contacts->length[j] * impulse[j];
        }
        c_post[i] = c[i] + contacts->length[i] * sum;
    }
}

/** Lambda'(c + c_post)/2. */
static double work_done(int m, const double *impulse, const double *c, const double *c_post) {
    double sum = 0.0;
    for (int i = 0; i < m; i++) {
        sum += 0.5 * impulse[i] * (c[i] + c_post[i]);
    }
    return sum;
}

/** Impulses, velocities, energy and residual of the elastic sequence, from the data. */
static void finish_elastic(const carom_propagative_contacts *contacts, const double *c,
                           double energy, carom_propagative_impact *impact) {
    const work_memory *work = impact->work;
    const int m = impact->contact_count;
    for (int i = 0; i < m; i++) {
        impact->impulse[i] = work->total[i] / contacts->length[i];
    }
    add_impulses(contacts, c, impact->impulse, impact->normal_velocity);
    impact->energy_change = work_done(m, impact->impulse, c, impact->normal_velocity);
    const bool has_energy = energy > 0.0;
    impact->energy_error = has_energy ? fabs(impact->energy_change) / energy : 0.0;
    impact->residual = 0.0;
    for (int i = 0; has_energy && i < m; i++) {
        const double s = impact->normal_velocity[i] / contacts->length[i];
        impact->residual = fmax(impact->residual, -s / sqrt(2.0 * energy));
    }
}

/** R times the elastic and 1 - R times the plastic impulses, (17). */
static carom_status combine(const carom_propagative_contacts *contacts, double R, const double *c,
                            carom_propagative_impact *impact) {
    work_memory *work = impact->work;
    const int m = impact->contact_count;
    CAROM_TRY(
        carom_propagative_plastic(contacts, CAROM_PROPAGATIVE_HELD, c, work->plastic, impact));
    add_impulses(contacts, c, work->plastic, work->right);
    impact->plastic_loss = -work_done(m, work->plastic, c, work->right);
    for (int i = 0; i < m; i++) {
        impact->impulse[i] = R * impact->impulse[i] + (1.0 - R) * work->plastic[i];
    }
    add_impulses(contacts, c, impact->impulse, impact->normal_velocity);
    impact->energy_change = work_done(m, impact->impulse, c, impact->normal_velocity);
    return CAROM_OK;
}

carom_status carom_propagative_impact_run(const carom_propagative_contacts *contacts,
                                          const carom_propagative_params *params, double R,
                                          const double *c, double energy,
                                          carom_propagative_impact *impact, carom_report *report) {
    CAROM_ASSERT(contacts != NULL && params != NULL && c != NULL && impact != NULL);
    CAROM_ASSERT(impact->contact_count == contacts->contact_count);
    work_memory *work = impact->work;
    const int m = impact->contact_count;
    clear(impact);
    CAROM_TRY(refuse(contacts, params, R, c, energy, report));
    for (int i = 0; i < m; i++) {
        work->speed[i] = c[i] / contacts->length[i];
        work->total[i] = 0.0;
    }
    carom_status status = propagate(contacts, params, sqrt(2.0 * energy), impact, report);
    if (status == CAROM_OK) {
        finish_elastic(contacts, c, energy, impact);
        if (R < 1.0) {
            status = combine(contacts, R, c, impact);
        }
    }
    if (status != CAROM_OK) {
        clear(impact);
    }
    return status;
}

/** In unit normals C lambda = -s: the least-squares solution of minimum norm. */
static carom_status hold(const carom_propagative_contacts *contacts, work_memory *work) {
    const int m = contacts->contact_count;
    CAROM_TRY(carom_minimum_norm_compute(work->projection, contacts->cosine));
    for (int i = 0; i < m; i++) {
        work->total[i] = -work->right[i];
    }
    return carom_minimum_norm_solve(work->projection, work->total);
}

carom_status carom_propagative_plastic(const carom_propagative_contacts *contacts,
                                       carom_propagative_plastic_law law, const double *c,
                                       double *impulse, carom_propagative_impact *impact) {
    CAROM_ASSERT(contacts != NULL && c != NULL && impulse != NULL && impact != NULL);
    CAROM_ASSERT(impact->contact_count == contacts->contact_count);
    work_memory *work = impact->work;
    const int m = contacts->contact_count;
    carom_status status = CAROM_OK;
    for (int i = 0; i < m; i++) {
        work->right[i] = c[i] / contacts->length[i];
        status = isfinite(work->right[i]) ? status : CAROM_STATUS_NOT_FINITE;
    }
    if (status == CAROM_OK) {
        status = law == CAROM_PROPAGATIVE_HELD
                     ? hold(contacts, work)
                     : carom_lcp_solve_lemke(m, contacts->cosine, work->right, work->total,
                                             work->lemke, NULL);
    }
    for (int i = 0; i < m; i++) {
        impulse[i] = status == CAROM_OK ? work->total[i] / contacts->length[i] : (double)NAN;
    }
    return status == CAROM_STATUS_RAY ? CAROM_STATUS_NOT_CONVERGED : status;
}
