#include <carom/impact/contact_modes.h>
#include <carom/lcp/lcp.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/**
 * A rate of speed below this part of its largest term has vanished: terms carry a few roundings
 * each, and Lemke's method leaves 1e-14 of the largest row as a rule.
 */
static const double VANISHING = 1e-12;

struct carom_friction_rates {
    const carom_impact_problem *problem;
    carom_lcp_workspace *lemke;
    int resting_count;  /**< contacts with c_n = 0 and a share */
    int sticking_count; /**< pressed contacts with c_t = 0 */
    int *resting;       /**< [m] */
    int *sticking;      /**< [m] */
    double *share;      /**< [m] w, sum 1 */
    double *sliding;    /**< [m] -mu sign(c_t), 0 where c_t = 0 */
    double *base;       /**< [r] L' of the contacts with given p */
    double *base_rate;  /**< [r] C base */
    double *matrix;     /**< [5m][5m] W */
    double *constant;   /**< [5m] w */
    double *covering;   /**< [5m] d */
    double *solution;   /**< [5m] z */
};

void carom_friction_rates_free(carom_friction_rates *work) {
    if (work == NULL) {
        return;
    }
    carom_lcp_workspace_free(work->lemke);
    free(work->resting);
    free(work->sticking);
    free(work->share);
    free(work->sliding);
    free(work->base);
    free(work->base_rate);
    free(work->matrix);
    free(work->constant);
    free(work->covering);
    free(work->solution);
    free(work);
}

carom_status carom_friction_rates_alloc(const carom_impact_problem *problem,
                                        carom_friction_rates **out, carom_report *report) {
    CAROM_ASSERT(problem != NULL && out != NULL);
    *out = NULL;
    if (problem->tangent_count != 1) {
        return carom_report_refuse(report, "tangents of a contact", problem->tangent_count, -1,
                                   "1");
    }
    CAROM_AUTO(carom_friction_rates) work = calloc(1, sizeof *work);
    if (work == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const size_t m = (size_t)problem->contact_count;
    work->problem = problem;
    work->resting = calloc(m, sizeof(int));
    work->sticking = calloc(m, sizeof(int));
    work->share = calloc(m, sizeof(double));
    work->sliding = calloc(m, sizeof(double));
    work->base = calloc(2 * m, sizeof(double));
    work->base_rate = calloc(2 * m, sizeof(double));
    work->matrix = calloc(25 * m * m, sizeof(double));
    work->constant = calloc(5 * m, sizeof(double));
    work->covering = calloc(5 * m, sizeof(double));
    work->solution = calloc(5 * m, sizeof(double));
    const bool has_all = work->resting != NULL && work->sticking != NULL && work->share != NULL &&
                         work->sliding != NULL && work->base != NULL && work->base_rate != NULL &&
                         work->matrix != NULL && work->constant != NULL && work->covering != NULL &&
                         work->solution != NULL;
    if (!has_all ||
        carom_lcp_workspace_alloc(5 * problem->contact_count, &work->lemke) != CAROM_OK) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_HAND_OVER(work, out);
    return CAROM_OK;
}

/** C_ab. */
static double response(const carom_impact_problem *p, int a, int b) {
    return p->delassus_matrix[a * p->row_count + b];
}

/** sum_b C_ab L_b. */
static double row_product(const carom_impact_problem *p, int a, const double *L) {
    double sum = 0.0;
    for (int b = 0; b < p->row_count; b++) {
        sum += response(p, a, b) * L[b];
    }
    return sum;
}

/** w divided by its sum. */
static carom_status load_shares(carom_friction_rates *work, const double *weights) {
    double sum = 0.0;
    for (int i = 0; i < work->problem->contact_count; i++) {
        if (!(weights[i] >= 0.0)) {
            return CAROM_STATUS_OUT_OF_RANGE;
        }
        sum += weights[i];
    }
    if (!(sum > 0.0) || !isfinite(sum)) {
        return CAROM_STATUS_OUT_OF_RANGE;
    }
    for (int i = 0; i < work->problem->contact_count; i++) {
        work->share[i] = weights[i] / sum;
    }
    return CAROM_OK;
}

/** Equal shares of the contacts that are colliding; false if there are none. */
static bool share_among_colliding(carom_friction_rates *work, const double *c) {
    bool has_colliding = false;
    for (int i = 0; i < work->problem->contact_count; i++) {
        work->share[i] = c[i] < 0.0 ? 1.0 : 0.0;
        has_colliding = has_colliding || c[i] < 0.0;
    }
    return has_colliding;
}

/** Which contacts have c_n = 0 and which of these c_t = 0, and the impulse rates of all others. */
static void classify(carom_friction_rates *work, const double *c, bool is_pressed) {
    const carom_impact_problem *p = work->problem;
    const int m = p->contact_count;
    work->resting_count = 0;
    work->sticking_count = 0;
    memset(work->base, 0, (size_t)p->row_count * sizeof(double));
    for (int i = 0; i < m; i++) {
        const double sign = c[m + i] > 0.0 ? 1.0 : (c[m + i] < 0.0 ? -1.0 : 0.0);
        work->sliding[i] = -p->friction[i] * sign;
        if (c[i] > 0.0 || !(work->share[i] > 0.0)) {
            continue;
        }
        if (c[i] < 0.0 || is_pressed) {
            work->base[i] = work->share[i];
            work->base[m + i] = work->sliding[i] * work->share[i];
        } else {
            work->resting[work->resting_count++] = i;
        }
        if (!(fabs(sign) > 0.0) && p->friction[i] > 0.0) {
            work->sticking[work->sticking_count++] = i;
        }
    }
    for (int a = 0; a < p->row_count; a++) {
        work->base_rate[a] = row_product(p, a, work->base);
    }
}

/** Change of speed a by a unit of p of a contact with the friction of its sliding. */
static double pressed_response(const carom_friction_rates *work, int a, int contact) {
    const carom_impact_problem *p = work->problem;
    return response(p, a, contact) +
           work->sliding[contact] * response(p, a, p->contact_count + contact);
}

/** One row of speeds: row a of c', with the sign of a facet. */
static void fill_speed_row(const carom_friction_rates *work, int a, double sign, double *row,
                           double *constant) {
    const int normal = work->resting_count;
    const int facet = 2 * work->resting_count;
    for (int k = 0; k < work->resting_count; k++) {
        row[normal + k] = sign * pressed_response(work, a, work->resting[k]);
    }
    for (int k = 0; k < work->sticking_count; k++) {
        const int tangential = work->problem->contact_count + work->sticking[k];
        row[facet + 2 * k] = sign * response(work->problem, a, tangential);
        row[facet + 2 * k + 1] = -row[facet + 2 * k];
    }
    *constant = sign * work->base_rate[a];
}

/** Index among the resting contacts, -1 if it is not one. */
static int resting_index(const carom_friction_rates *work, int contact) {
    for (int k = 0; k < work->resting_count; k++) {
        if (work->resting[k] == contact) {
            return k;
        }
    }
    return -1;
}

/** W and w of the resting contacts, z = (beta, p, (l+, l-), gamma). Returns their size. */
static int fill_problem(carom_friction_rates *work) {
    const carom_impact_problem *p = work->problem;
    const int resting = work->resting_count;
    const int sticking = work->sticking_count;
    const int facet = 2 * resting;
    const int speed = facet + 2 * sticking;
    const int size = speed + sticking;
    double *W = work->matrix;
    memset(W, 0, (size_t)size * (size_t)size * sizeof(double));
    for (int k = 0; k < resting; k++) {
        // beta _|_ w - p, p _|_ c_n' + beta.
        const int i = work->resting[k];
        W[k * size + resting + k] = -1.0;
        work->constant[k] = work->share[i];
        fill_speed_row(work, i, 1.0, W + (resting + k) * size, work->constant + resting + k);
        W[(resting + k) * size + k] = 1.0;
    }
    for (int k = 0; k < sticking; k++) {
        // l+- _|_ +-c_t' + gamma, gamma _|_ mu p - l+ - l-.
        const int i = work->sticking[k];
        for (int side = 0; side < 2; side++) {
            const int row = facet + 2 * k + side;
            fill_speed_row(work, p->contact_count + i, side == 0 ? 1.0 : -1.0, W + row * size,
                           work->constant + row);
            W[row * size + speed + k] = 1.0;
            W[(speed + k) * size + row] = -1.0;
        }
        const int own = resting_index(work, i);
        if (own >= 0) {
            W[(speed + k) * size + resting + own] = p->friction[i];
        }
        work->constant[speed + k] = p->friction[i] * work->base[i];
    }
    return size;
}

/**
 * The covering vector: 1 for caps and cones; in rows of speeds twice what any p <= 1 and l+ + l- <=
 * mu p + 1 can change there, so that w = d has no solution but zero.
 */
static void fill_covering(carom_friction_rates *work, int size) {
    const carom_impact_problem *p = work->problem;
    double largest = 0.0;
    for (int i = 0; i < p->row_count * p->row_count; i++) {
        largest = fmax(largest, fabs(p->delassus_matrix[i]));
    }
    double reach = 0.0;
    for (int k = 0; k < work->resting_count; k++) {
        reach += 1.0 + p->friction[work->resting[k]];
    }
    reach += work->sticking_count;
    // Contacts that nothing moves leave it open.
    largest = largest > 0.0 ? largest : 1.0;
    const int speed = 2 * (work->resting_count + work->sticking_count);
    for (int k = 0; k < size; k++) {
        const bool is_of_speed = k >= work->resting_count && k < speed;
        work->covering[k] = is_of_speed ? 2.0 * reach * largest : 1.0;
    }
}

/** L' of a solution, with p as it comes. Returns the sum of p. */
static double read_rates(const carom_friction_rates *work, double *rate) {
    const int m = work->problem->contact_count;
    const int resting = work->resting_count;
    memcpy(rate, work->base, (size_t)(2 * m) * sizeof(double));
    for (int k = 0; k < resting; k++) {
        const int i = work->resting[k];
        rate[i] = work->solution[resting + k];
        rate[m + i] = work->sliding[i] * rate[i];
    }
    for (int k = 0; k < work->sticking_count; k++) {
        const double *l = work->solution + 2 * resting + 2 * k;
        rate[m + work->sticking[k]] = l[0] - l[1];
    }
    double sum = 0.0;
    for (int i = 0; i < m; i++) {
        sum += rate[i];
    }
    return sum;
}

/** The rates for the shares as they are. */
static carom_status solve(carom_friction_rates *work, const double *c, bool is_pressed,
                          double *rate, double *sum, double *residual) {
    classify(work, c, is_pressed);
    const int size = fill_problem(work);
    if (size > 0) {
        fill_covering(work, size);
        carom_lcp_report report;
        CAROM_TRY(carom_lcp_solve_lemke_covering(size, work->matrix, work->constant, work->covering,
                                                 work->solution, work->lemke, &report));
        *residual = report.relative;
    }
    *sum = read_rates(work, rate);
    return CAROM_OK;
}

/** L'/sum p and c' = C L', its vanishing entries zero. */
static void finish(const carom_friction_rates *work, double sum, double *rate, double *speed_rate) {
    const carom_impact_problem *p = work->problem;
    for (int a = 0; a < p->row_count && sum > 0.0; a++) {
        rate[a] /= sum;
    }
    for (int a = 0; a < p->row_count; a++) {
        double terms = 0.0;
        for (int b = 0; b < p->row_count; b++) {
            terms = fmax(terms, fabs(response(p, a, b) * rate[b]));
        }
        const double value = row_product(p, a, rate);
        speed_rate[a] = fabs(value) <= VANISHING * terms ? 0.0 : value;
    }
}

static carom_status compute(carom_friction_rates *work, const double *weights, const double *c,
                            bool is_pressed, double *rate, double *speed_rate, double *residual) {
    double own_residual = 0.0;
    double sum = 0.0;
    carom_status status = load_shares(work, weights);
    if (status == CAROM_OK) {
        status = solve(work, c, is_pressed, rate, &sum, &own_residual);
    }
    // All shares were those of contacts that separate.
    if (status == CAROM_OK && !(sum > 0.0) && share_among_colliding(work, c)) {
        status = solve(work, c, is_pressed, rate, &sum, &own_residual);
    }
    if (status == CAROM_OK) {
        finish(work, sum, rate, speed_rate);
    }
    for (int a = 0; a < work->problem->row_count && status != CAROM_OK; a++) {
        rate[a] = (double)NAN;
        speed_rate[a] = (double)NAN;
    }
    if (residual != NULL) {
        *residual = status == CAROM_OK ? own_residual : (double)NAN;
    }
    return status;
}

carom_status carom_friction_rates_compute(carom_friction_rates *work, const double *weights,
                                          const double *c, double *rate, double *speed_rate,
                                          double *residual) {
    CAROM_ASSERT(work != NULL && weights != NULL && c != NULL && rate != NULL &&
                 speed_rate != NULL);
    return compute(work, weights, c, false, rate, speed_rate, residual);
}

carom_status carom_friction_rates_compute_pressed(carom_friction_rates *work, const double *weights,
                                                  const double *c, double *rate, double *speed_rate,
                                                  double *residual) {
    CAROM_ASSERT(work != NULL && weights != NULL && c != NULL && rate != NULL &&
                 speed_rate != NULL);
    return compute(work, weights, c, true, rate, speed_rate, residual);
}
