#include <carom/timestepping/inclusion/internal.h>

#include <math.h>

/** dt and the assumed one agree: gaps then close, or are passed, up to this part of themselves. */
static const double AGREEMENT = 1e-8;

/** A bracket of the assumed dt narrower than this part of its end holds a jump, not a solution. */
static const double JUMP_WIDTH = 1e-12;

/** dt carries some roundings of ds. */
static const double ROUNDING = 1e-14;

/**
 * A contact that closes within this part of ds may press at once: the error of its distance is then
 * far below that of the scheme, which is of first order.
 */
static const double SHORTEST_PART = 1e-3;

/** Shortenings of a step by the secant rule, which converges fast. */
enum { MOST_SHORTENINGS = 12 };

/** Trials of one search. Bisection takes 10 to a part in a thousand and 40 more to a jump; secant
 * steps may double that. */
enum { MOST_TRIALS = 150 };

/** By how much dt may miss the assumed one. */
static double agreement(double ds, double tau) {
    return AGREEMENT * tau + ROUNDING * ds;
}

/** The problem of a search, and its start. */
typedef struct duration_problem {
    carom_inclusion_mixture_work *mixture_work;
    const carom_inclusion_system *system;
    const carom_inclusion_params *params;
    double expected; /**< dt/ds to start from; 0: none */
    double *L;       /**< [r] */
} duration_problem;

/** The shares of ds for an assumed dt. */
static carom_status try_duration(const duration_problem *problem, double ds, double tau,
                                 carom_inclusion_mixture *mixture) {
    return carom_inclusion_mixture_solve(problem->mixture_work, problem->system, ds, tau,
                                         problem->params->approach_weight, problem->L, mixture);
}

/**
 * Where the search for the assumed dt stands: dt(lower) > lower, dt(upper) <= upper. It works in
 * 1/dt, in which the problem's data are linear.
 */
typedef struct duration_search {
    double lower;
    double upper;
    double shortest;    /**< dt below this are not told apart */
    double last;        /**< assumed dt before this one; NaN: none */
    double last_excess; /**< dt - assumed dt there */
    double width;       /**< 1/lower - 1/upper before this trial */
    double last_width;  /**< and before the last one */
} duration_search;

/** The assumed dt between a bracket's ends; nothing shorter than `shortest` is tried. */
static double between(const duration_search *search) {
    if (search->lower > 0.0) {
        return 2.0 / (1.0 / search->lower + 1.0 / search->upper);
    }
    return search->shortest;
}

/**
 * The next assumed dt: by the secant of the last two, or the dt that came out; between the ends of
 * the bracket wherever that leaves it or two trials have not halved it.
 */
static double next_duration(duration_search *search, double tau,
                            const carom_inclusion_mixture *mixture) {
    const double excess = mixture->dt - tau;
    double next = mixture->dt;
    if (isfinite(search->last)) {
        const double x = 1.0 / tau;
        const double slope = (excess - search->last_excess) / (x - 1.0 / search->last);
        next = 1.0 / (x - excess / slope);
    }
    const double width = 1.0 / search->lower - 1.0 / search->upper;
    const bool is_slow =
        width > 0.5 * search->last_width || (isfinite(search->last) && !(search->lower > 0.0));
    search->last = tau;
    search->last_excess = excess;
    search->last_width = search->width;
    search->width = width;
    const bool is_inside = next > fmax(search->lower, search->shortest) && next < search->upper;
    return is_inside && !is_slow ? next : between(search);
}

/** Find tau in a step ds; if there is none, false, and the bracket holds the jump. */
static carom_status search_duration(const duration_problem *problem, double ds, double shortest,
                                    carom_inclusion_mixture *mixture, duration_search *search,
                                    bool *is_found) {
    // dt <= ds: the bracket ends just beyond, so that ds itself can be tried.
    const double end = ds * (1.0 + AGREEMENT);
    *search = (duration_search){.upper = end,
                                .shortest = shortest,
                                .last = (double)NAN,
                                .width = INFINITY,
                                .last_width = INFINITY};
    double tau = problem->expected > 0.0 ? fmax(problem->expected * ds, shortest) : ds;
    *is_found = true;
    for (int trial = 0; trial < MOST_TRIALS; trial++) {
        CAROM_TRY(try_duration(problem, ds, tau, mixture));
        const bool is_long_enough = mixture->dt <= tau;
        // A smaller tau moves open contacts away: those that do not press stay out.
        if ((is_long_enough && !mixture->is_early) ||
            fabs(mixture->dt - tau) <= agreement(ds, tau)) {
            return CAROM_OK;
        }
        *(is_long_enough ? &search->upper : &search->lower) = tau;
        if (search->upper <= search->shortest) {
            return CAROM_OK;
        }
        if (search->upper - search->lower <= JUMP_WIDTH * search->upper) {
            break;
        }
        tau = next_duration(search, tau, mixture);
    }
    *is_found = false;
    return CAROM_OK;
}

/**
 * A shorter step, in which dt is nearer to the jump's place: with the same impulses and that much
 * less time, then by the secant of the last two.
 */
static double shorten(double ds, double miss, double last_ds, double last_miss, double place) {
    double shorter = ds - miss;
    if (isfinite(last_ds)) {
        shorter = ds - miss * (last_ds - ds) / (last_miss - miss);
    }
    return shorter < ds ? fmax(shorter, place) : ds - miss;
}

carom_status carom_inclusion_duration_find(carom_inclusion_mixture_work *mixture_work,
                                           const carom_inclusion_system *system,
                                           const carom_inclusion_params *params, double ds,
                                           double expected, double *L,
                                           carom_inclusion_duration *duration) {
    const duration_problem problem = {mixture_work, system, params, expected, L};
    *duration = (carom_inclusion_duration){.length = ds};
    carom_inclusion_mixture *mixture = &duration->mixture;
    double last_length = (double)NAN;
    double last_miss = (double)NAN;
    double upper = ds;
    for (int attempt = 0;; attempt++) {
        duration_search search;
        bool is_found;
        CAROM_TRY(search_duration(&problem, duration->length, SHORTEST_PART * ds, mixture, &search,
                                  &is_found));
        const bool is_early = is_found && mixture->is_early && search.upper <= search.shortest;
        if (is_early && attempt > 0) {
            break;
        }
        if (is_found) {
            duration->is_early = is_early;
            return CAROM_OK;
        }
        upper = attempt == 0 ? search.upper : upper;
        // The lower side ends beyond the closed gap, by what dt is larger there.
        CAROM_TRY(try_duration(&problem, duration->length, search.lower, mixture));
        const double miss = mixture->dt - search.lower;
        if (miss <= agreement(duration->length, search.lower) || attempt == MOST_SHORTENINGS) {
            return CAROM_OK;
        }
        const double length = shorten(duration->length, miss, last_length, last_miss, search.lower);
        last_length = duration->length;
        last_miss = miss;
        duration->length = length;
        duration->is_shortened = true;
    }
    // No shorter step leads to the jump: the whole one from its other side.
    *duration = (carom_inclusion_duration){.mixture = *mixture, .length = ds, .is_early = true};
    return try_duration(&problem, ds, upper, mixture);
}
