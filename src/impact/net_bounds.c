#include <carom/impact/impact_bounds.h>

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/** Whole numbers up to here are doubles: beyond, the ceiling changes no digit. */
static const double LARGEST_WHOLE = 0x1.0p53;

/** log(cells) from which ln(1 - Omega) = -Omega to the last digit: Omega < 1e-17. */
static const double MANY_CELLS_LOG = 40.0;

static carom_status refuse_number(const char *quantity, double value, double least, double below,
                                  carom_report *report) {
    if (!(value > least && value < below)) {
        return carom_report_refuse(report, quantity, value, -1,
                                   isfinite(below) ? "in (0,1)" : "> 0, finite");
    }
    return CAROM_OK;
}

/** Logarithm of ceil(x) from x, or from its logarithm where x is too large for a ceiling. */
static double log_ceiling(double x, double log_x) {
    return x < LARGEST_WHOLE ? log(fmax(ceil(x), 1.0)) : log_x;
}

/** ln(1 - 1/cells) < 0. */
static double log_rest(double log_cells) {
    return log_cells > MANY_CELLS_LOG ? -exp(-log_cells) : log1p(-exp(-log_cells));
}

/** ln of (1 - Omega)^N/Omega (1). */
static double log_failure(double log_cells, double samples) {
    return log_cells > 0.0 ? log_cells + samples * log_rest(log_cells) : -(double)INFINITY;
}

/** ln(delta Omega)/ln(1 - Omega), at least one sample. */
static carom_net_bound bound_of(double log_cells, double probability) {
    carom_net_bound bound = {.log10_cells = log_cells / log(10.0), .samples = 1.0};
    if (!(log_cells > 0.0)) {
        return bound;
    }
    const double numerator = log_cells - log(probability);
    const double log_samples = log_cells > MANY_CELLS_LOG
                                   ? log(numerator) + log_cells
                                   : log(numerator) - log(-log_rest(log_cells));
    bound.log10_samples = fmax(log_samples / log(10.0), 0.0);
    bound.samples = log_cells > MANY_CELLS_LOG ? ceil(exp(log_samples))
                                               : ceil(numerator / -log_rest(log_cells));
    return bound;
}

static const carom_net_bound NOTHING = {
    .log10_cells = (double)NAN, .log10_samples = (double)NAN, .samples = (double)NAN};

/** The numbers that all bounds on a net share. */
static carom_status refuse_box(const carom_net_problem *problem, carom_report *report) {
    CAROM_TRY(refuse_number("dimension of the box", problem->dimension, 0.0, INFINITY, report));
    CAROM_TRY(refuse_number("side of the box", problem->side, 0.0, INFINITY, report));
    return refuse_number("Lipschitz constant", problem->lipschitz, 0.0, INFINITY, report);
}

static carom_status refuse_samples(double samples, carom_report *report) {
    CAROM_TRY(refuse_number("number of samples", samples, 0.5, INFINITY, report));
    return floor(samples) < samples
               ? carom_report_refuse(report, "number of samples", samples, -1, "a whole number")
               : CAROM_OK;
}

/** ln of the cells of side epsilon/(L sqrt(n)) or less. */
static double log_cells_of(const carom_net_problem *problem) {
    const double n = problem->dimension;
    const double across = problem->side * problem->lipschitz * sqrt(n) / problem->net_radius;
    const double log_across =
        log(problem->side) + log(problem->lipschitz) + 0.5 * log(n) - log(problem->net_radius);
    return n * log_ceiling(across, log_across);
}

carom_status carom_net_samples(const carom_net_problem *problem, carom_net_bound *bound,
                               carom_report *report) {
    CAROM_ASSERT(problem != NULL && bound != NULL);
    *bound = NOTHING;
    CAROM_TRY(refuse_box(problem, report));
    CAROM_TRY(refuse_number("radius of the net", problem->net_radius, 0.0, INFINITY, report));
    CAROM_TRY(refuse_number("probability", problem->probability, 0.0, 1.0, report));
    *bound = bound_of(log_cells_of(problem), problem->probability);
    return CAROM_OK;
}

carom_status carom_net_failure(const carom_net_problem *problem, double samples, double *bound_log,
                               carom_report *report) {
    CAROM_ASSERT(problem != NULL && bound_log != NULL);
    *bound_log = NAN;
    CAROM_TRY(refuse_box(problem, report));
    CAROM_TRY(refuse_number("radius of the net", problem->net_radius, 0.0, INFINITY, report));
    CAROM_TRY(refuse_samples(samples, report));
    *bound_log = log_failure(log_cells_of(problem), samples);
    return CAROM_OK;
}

/*[netRadius]*/
carom_status carom_net_radius(const carom_net_problem *problem, double samples, double *radius,
                              carom_report *report) {
    CAROM_ASSERT(problem != NULL && radius != NULL);
    *radius = NAN;
    CAROM_TRY(refuse_box(problem, report));
    CAROM_TRY(refuse_number("probability", problem->probability, 0.0, 1.0, report));
    CAROM_TRY(refuse_samples(samples, report));
    // The bound rises with the cells k^n: the largest k that keeps it, between powers of two.
    const double n = problem->dimension;
    const double log_probability = log(problem->probability);
    double few = 1.0;
    double many = 2.0;
    while (many < LARGEST_WHOLE && log_failure(n * log(many), samples) <= log_probability) {
        few = many;
        many *= 2.0;
    }
    while (many - few > 1.0) {
        const double middle = floor(0.5 * (few + many));
        const bool is_kept = log_failure(n * log(middle), samples) <= log_probability;
        few = is_kept ? middle : few;
        many = is_kept ? many : middle;
    }
    *radius = problem->side * problem->lipschitz * sqrt(n) / few;
    return CAROM_OK;
}
/*[end netRadius]*/

static carom_status refuse_trajectory(const carom_net_trajectory *t, carom_report *report) {
    CAROM_TRY(refuse_number("number of contacts", t->contact_count, 0.0, INFINITY, report));
    CAROM_TRY(refuse_number("length of a trajectory", t->trajectory_length, 0.0, INFINITY, report));
    CAROM_TRY(refuse_number("impulse step", t->impulse_step, 0.0, INFINITY, report));
    if (!(t->lipschitz >= 1.0 && t->lipschitz < (double)INFINITY)) {
        return carom_report_refuse(report, "Lipschitz constant", t->lipschitz, -1, ">= 1");
    }
    CAROM_TRY(refuse_number("radius of the net", t->net_radius, 0.0, INFINITY, report));
    CAROM_TRY(refuse_number("probability", t->probability, 0.0, 1.0, report));
    CAROM_TRY(refuse_number("separating band", t->separating_band, 0.0, INFINITY, report));
    return refuse_number("norm of the normal Jacobian", t->normal_norm, 0.0, INFINITY, report);
}

/*[trajectorySamples]*/
carom_status carom_net_trajectory_samples(const carom_net_trajectory *trajectory, double *radius,
                                          carom_net_bound *bound, carom_report *report) {
    CAROM_ASSERT(trajectory != NULL && bound != NULL);
    *bound = NOTHING;
    if (radius != NULL) {
        *radius = NAN;
    }
    CAROM_TRY(refuse_trajectory(trajectory, report));
    const carom_net_trajectory *t = trajectory;
    const double found = fmin(t->net_radius / 3.0, t->separating_band / (2.0 * t->normal_norm));
    // Lemma 1 in the box of all caps, the constant L^N by its logarithm where it is too large.
    const double n = (double)t->trajectory_length * t->contact_count;
    const double across =
        t->impulse_step * pow(t->lipschitz, t->trajectory_length) * sqrt(n) / found;
    const double log_across =
        log(t->impulse_step) + t->trajectory_length * log(t->lipschitz) + 0.5 * log(n) - log(found);
    *bound = bound_of(n * log_ceiling(across, log_across), t->probability);
    if (radius != NULL) {
        *radius = found;
    }
    return CAROM_OK;
}
/*[end trajectorySamples]*/
