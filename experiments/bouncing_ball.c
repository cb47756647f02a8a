/**
 * bouncing_ball: a ball dropped on a rigid floor (bruls-2014 section 10.1, figures 2 to 7).
 *
 *     m dv = -m a_g dt + di,   0 <= g = y - R  _|_  di >= 0,   dy/dt+ = -e dy/dt- at an impact
 *
 * The impacts accumulate at a finite instant, after which the ball rests; the exact solution is
 * elementary. Printed in the paper: m, R, a_g, the initial height h_0, e, the step and the spectral
 * radius. Inferred: h_0 is the height of the centre (only then is the accumulation instant the
 * printed one), and v_0 = 0 ("starts from rest"). Chosen: the duration of 5 s, the zero of the
 * potential energy at the contact, and the predictor of Moreau-Jean.
 *
 * Beyond the schemes of the figures: the nonsmooth generalized-alpha scheme by both Newton
 * iterations instead of the exact linear step, and with spectral radius zero; Moreau-Jean with its
 * other predictors; a convergence study. The additional runs may fail without ending the program.
 */
#include <carom/carom.h>
#include <carom/record/claim.h>
#include <carom/timestepping/series.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Thresholds of the claims, each with its reason. */
static const double ROUNDING = 1e-13;  /* of a height or an energy, relative, after 1e4 steps */
static const double REST_SPEED = 1e-9; /* m/s: a closed contact keeps (-e)^k h a_g, never zero */
static const double SETTLING = 0.1;    /* s after the accumulation: from there rest is required */
static const double LATEST_REST = 0.4; /* s after the accumulation, for every consistent scheme */
static const double STAIRCASE_END = 5.0 / 6.0; /* of the accumulation: 3.00 s, eight impacts */
static const double CONSISTENT_ERROR = 0.05;   /* of the gap in L1, relative: O(h) at h = 2e-3 s */
static const double REBOUND_ERROR = 0.15;      /* of the first heights, relative: O(h) */
static const double GROWN_ENERGY = 5.0; /* times E_0 after one impact: no discretisation error */
static const double SLOW_LOSS = 0.01;   /* of E_0, in all flights together */
static const double WINDOW = 0.1;       /* s, in each of which chatter must show */
static const double CHATTER_GAP = 12.5; /* in h^2 a_g: what the limit cycle for e = 0.8 swings by */
static const double CHATTER_SPEED = 2.5; /* in h a_g: half of what the limit cycle reaches */
static const double SAME_MOTION = 1e-10; /* m, m/s: between two solutions of the same equations */
static const double LEAST_ORDER = 0.6;   /* slopes fitted to irregularly sampled impacts scatter */
static const double MOST_ORDER = 1.2;
static const double LARGEST_STEP = 1e-2; /* s, of the convergence study */
static const double PLAIN_HEIGHT = 1.0;  /* m, the height that the paper avoids */

enum {
    MOST_IMPACTS = 40,   /* of the exact solution, in the record */
    MOST_CONTACTS = 256, /* of a run, looked at */
    REBOUNDS = 5,        /* compared with the exact ones: well before the accumulation */
    FEW_ITERATIONS = 3,  /* of Newton's method in a step */
    STUDY_STEPS = 49,    /* step sizes of the study, eight to the octave */
    MOST_RUNS = CAROM_SCHEME_COUNT + 5,
    NAME_SIZE = 96,
    UNDECIDED = -1
};

typedef struct settings {
    carom_bouncing_ball_params ball;
    carom_scheme_options schemes;
} settings;

/** Exact motion on the time grid of the runs; one block, owned. */
typedef struct reference {
    double *position; /**< [row] m */
    double *velocity; /**< [row] m/s */
    double *gap;      /**< [row] m */
    double *energy;   /**< [row] J */
} reference;

/** What the parts of the body share. */
typedef struct study {
    const settings *values;
    const carom_common_options *common;
    carom_record *record;
    carom_model *model; /**< owned */
    carom_scheme_run runs[MOST_RUNS];
    int run_count;
    reference exact;
    double accumulation; /**< s; infinite for e = 1 */
    double settled;      /**< s: rest is required from here on; infinite if beyond the duration */
    double tolerance;    /**< rounding of a gap, m */
    double joule;        /**< rounding of an energy, J */
} study;

/* ------------------------------------------------------------------- measures and claims */

typedef struct measure {
    const char *name;
    double value; /**< not finite: not asked in this run, not written */
    const char *units;
    const char *long_name;
} measure;

typedef struct claim {
    const char *name;
    int holds; /**< 0, 1 or UNDECIDED: not asked in this run, not written */
    const char *statement;
} claim;

#define LENGTH(array) ((int)(sizeof(array) / sizeof((array)[0])))

static carom_status write_measures(const study *s, int count, const measure *list) {
    for (int i = 0; i < count; i++) {
        if (isfinite(list[i].value)) {
            CAROM_TRY(carom_record_measure(s->record, list[i].name, list[i].value, list[i].units,
                                           list[i].long_name));
        }
    }
    return CAROM_OK;
}

static carom_status write_claims(const study *s, int count, const claim *list) {
    for (int i = 0; i < count; i++) {
        if (list[i].holds != UNDECIDED) {
            CAROM_TRY(
                carom_record_claim(s->record, list[i].name, list[i].holds != 0, list[i].statement));
        }
    }
    return CAROM_OK;
}

/** A statement that may not be asked in this run. */
static int decide(bool is_asked, bool holds) {
    return !is_asked ? UNDECIDED : holds ? 1 : 0;
}

/* ------------------------------------------------------------------- questions to runs */

/** The run of a group; NULL if it is not part of this record or failed. */
static const carom_trajectory *find_run(const study *s, const char *group) {
    for (int i = 0; i < s->run_count; i++) {
        const carom_trajectory *t = s->runs[i].trajectory;
        if (strcmp(s->runs[i].group, group) == 0 && t->outcome == CAROM_OK) {
            return t;
        }
    }
    return NULL;
}

/** One of the run's series (they have one column) from a time on. */
static carom_series series_from(const carom_trajectory *t, const double *values, double from) {
    return carom_series_window(t, values, 1, 0, from, (double)INFINITY);
}

static carom_series whole(const carom_trajectory *t, const double *values) {
    return series_from(t, values, 0.0);
}

/** L1 distance over the run, the sum of h |value - exact|; exact NULL: zero. */
static double error_l1(const carom_trajectory *t, const double *values, const double *exact) {
    double sum = 0.0;
    for (int row = 1; row < t->row_count; row++) {
        sum += t->step * fabs(values[row] - (exact != NULL ? exact[row] : 0.0));
    }
    return sum;
}

/** Error of the gap relative to the integral of the exact gap; NaN without a run. */
static double gap_error(const study *s, const carom_trajectory *t) {
    return t == NULL ? (double)NAN
                     : error_l1(t, t->gap, s->exact.gap) / error_l1(t, s->exact.gap, NULL);
}

/** Whether the contact acts in a step. */
static bool is_contact(const carom_trajectory *t, int row) {
    return t->contact_impulse[row] > 0.0 || t->contact_force[row] > 0.0;
}

/** Changes of energy of a run, step by step. */
typedef struct energy_changes {
    double smallest_in_flight; /**< J */
    double largest_in_flight;  /**< J */
    double sum_in_flight;      /**< J */
    int flight_steps;
    int drops; /**< contact steps before the end of the staircase */
} energy_changes;

static energy_changes observe_energy(const study *s, const carom_trajectory *t) {
    energy_changes seen = {(double)INFINITY, -(double)INFINITY, 0.0, 0, 0};
    for (int row = 1; row < t->row_count; row++) {
        const double change = t->energy[row] - t->energy[row - 1];
        if (!is_contact(t, row)) {
            seen.smallest_in_flight = fmin(seen.smallest_in_flight, change);
            seen.largest_in_flight = fmax(seen.largest_in_flight, change);
            seen.sum_in_flight += change;
            seen.flight_steps++;
        } else if (t->time[row] < STAIRCASE_END * s->accumulation && change < -s->joule) {
            seen.drops++;
        }
    }
    return seen;
}

/** Number of exact impacts before the end of the staircase. */
static int exact_drops(const study *s) {
    int count = 0;
    while (count < MOST_CONTACTS && carom_bouncing_ball_exact_impact(&s->values->ball, count).time <
                                        STAIRCASE_END * s->accumulation) {
        count++;
    }
    return count;
}

/** Whether the run is long enough to show the staircase, and the ball bounces more than once. */
static bool has_staircase(const study *s) {
    return s->accumulation <= s->values->schemes.duration && s->values->ball.restitution > 0.0;
}

static int decide_staircase(const study *s, const carom_trajectory *t) {
    return decide(has_staircase(s), abs(observe_energy(s, t).drops - exact_drops(s)) <= 1);
}

/** Time from which on the run rests; NaN if it does not. */
static double rest_time(const carom_trajectory *t) {
    const double last = carom_series_last_above(whole(t, t->velocity), t, REST_SPEED);
    return last < t->time[t->row_count - 1] ? last : (double)NAN;
}

/** A scheme follows the exact motion and comes to rest about when that does. */
static int decide_consistent(const study *s, const carom_trajectory *t) {
    const bool rests = rest_time(t) < s->accumulation + LATEST_REST;
    const double error = gap_error(s, t);
    return decide(isfinite(s->settled) && isfinite(error), rests && error < CONSISTENT_ERROR);
}

/** The first impact reverses the velocity within one step, to O(h). */
static int decide_jump(const study *s, const carom_trajectory *t) {
    int row = 0;
    if (carom_trajectory_impacts(t, 0, 1, &row) == 0) {
        return UNDECIDED;
    }
    const carom_bouncing_ball_params *ball = &s->values->ball;
    const double jump = t->velocity[row] - t->velocity[row - 1];
    const double exact =
        (1.0 + ball->restitution) * carom_bouncing_ball_exact_impact(ball, 0).speed;
    return decide(true, fabs(jump - exact) <= (1.0 + ball->restitution) * t->step * ball->gravity);
}

/** How the contact of a run acts: in single steps before the accumulation, steadily after it. */
static int decide_steady_contact(const study *s, const carom_trajectory *t) {
    bool is_steady = true;
    for (int row = series_from(t, t->gap, s->settled).first; row < t->row_count; row++) {
        is_steady = is_steady && is_contact(t, row);
    }
    return decide(isfinite(s->settled), is_steady);
}

static int decide_single_impacts(const study *s, const carom_trajectory *t) {
    bool is_single = true;
    for (int row = 2; row < t->row_count && t->time[row] < STAIRCASE_END * s->accumulation; row++) {
        is_single = is_single && !(is_contact(t, row) && is_contact(t, row - 1));
    }
    return decide(has_staircase(s), is_single);
}

/** Impulse of the first impact; NaN if there is none, or a force in its place. */
static double first_impulse(const carom_trajectory *t) {
    int row = 0;
    const bool has_impact = carom_trajectory_impacts(t, 0, 1, &row) > 0;
    return has_impact && t->contact_impulse[row] > 0.0 ? t->contact_impulse[row] : (double)NAN;
}

/** Time of the second contact; NaN if there is none. */
static double second_contact_time(const carom_trajectory *t) {
    int rows[2];
    return carom_trajectory_impacts(t, 0, 2, rows) == 2 ? t->time[rows[1]] : (double)NAN;
}

static int decide_no_penetration(const study *s, const carom_trajectory *t) {
    return decide(true, carom_trajectory_smallest_gap(t) >= -s->tolerance);
}

/** What is asked of every scheme. */
static carom_status judge_scheme(const study *s, const carom_scheme_run *run) {
    static const struct {
        const char *name;
        int (*holds)(const study *, const carom_trajectory *);
        const char *statement;
    } table[] = {
        {"does_not_penetrate", decide_no_penetration, "the gap is never negative"},
        {"is_consistent", decide_consistent,
         "the gap follows the exact one and the ball rests soon after the accumulation"},
        {"jumps", decide_jump, "the velocity jumps at the first impact as the exact one, to O(h)"},
        {"energy_is_a_staircase", decide_staircase,
         "the energy drops as often as the exact one, up to once"},
        {"impacts_are_single_steps", decide_single_impacts,
         "impacts before the accumulation are impulses of single steps"},
        {"contact_is_steady", decide_steady_contact,
         "the contact acts in every step after the accumulation"},
    };
    const carom_trajectory *t = run->trajectory;
    const char *scheme = carom_scheme_name(run->params.scheme);
    const measure measures[] = {
        {"gap_error", gap_error(s, t), "1", "L1 error of the gap, relative to the exact gap"},
        {"smallest_gap", carom_trajectory_smallest_gap(t), "m", "smallest gap"},
        {"first_impulse", first_impulse(t), "N s", "impulse of the first impact"},
        {"second_contact_time", second_contact_time(t), "s", "time of the second contact"},
        {"rest_time", rest_time(t), "s", "last time at which the ball moves"},
    };
    char name[NAME_SIZE];
    for (int i = 0; i < LENGTH(measures); i++) {
        measure named = measures[i];
        (void)snprintf(name, sizeof name, "%s_%s", scheme, named.name);
        named.name = name;
        CAROM_TRY(write_measures(s, 1, &named));
    }
    for (int i = 0; i < LENGTH(table); i++) {
        (void)snprintf(name, sizeof name, "%s_%s", scheme, table[i].name);
        const claim named = {name, table[i].holds(s, t), table[i].statement};
        CAROM_TRY(write_claims(s, 1, &named));
    }
    return CAROM_OK;
}

/* ------------------------------------------------------------------- the proposed scheme */

/** Largest violations of what holds in every step of the nonsmooth generalized-alpha scheme. */
typedef struct violations {
    double energy_rise;   /**< J, Property 3 */
    double identity;      /**< J, its exact loss m a_g q_n + m (1 - e^2) v_n^2 / 2 of a contact */
    double impact_law;    /**< m/s, v + e v_n of a contact */
    double complementary; /**< m, gap where nu > 0 */
    double correction;    /**< N s2, nu beyond m (h |v_n| + h^2 a_g / 2) */
    int levels_apart;     /**< steps in which one level acts and the other does not */
} violations;

/*[ballPropertyThree]*/
static violations observe_violations(const study *s, const carom_trajectory *t) {
    const carom_bouncing_ball_params *ball = &s->values->ball;
    const double m = ball->mass;
    const double e = ball->restitution;
    const double h = t->step;
    violations seen = {.energy_rise = -(double)INFINITY};
    for (int row = 1; row < t->row_count; row++) {
        const double q_n = t->gap[row - 1];
        const double v_n = t->velocity[row - 1];
        const double nu = t->contact_position_multiplier[row];
        const double change = t->energy[row] - t->energy[row - 1];
        const bool acts = t->velocity_active[row] != 0;

        // Energy: kept in flight, lost by the exact amount in a contact step, never gained.
        const double loss =
            acts ? m * ball->gravity * q_n + 0.5 * m * (1.0 - e * e) * v_n * v_n : 0.0;
        seen.energy_rise = fmax(seen.energy_rise, change);
        seen.identity = fmax(seen.identity, fabs(change + loss));

        // Impact law, complementarity and both levels at once.
        seen.impact_law = fmax(seen.impact_law, acts ? fabs(t->velocity[row] + e * v_n) : 0.0);
        seen.complementary = fmax(seen.complementary, nu > 0.0 ? fabs(t->gap[row]) : 0.0);
        const bool is_closed = t->position_active[row] != 0 || t->gap[row] <= s->tolerance;
        seen.levels_apart += acts != is_closed ? 1 : 0;

        // The correction takes out no more than one step of fall.
        const double most = m * h * (fabs(v_n) + 0.5 * h * ball->gravity);
        seen.correction = fmax(seen.correction, nu - most);
    }
    return seen;
}
/*[end ballPropertyThree]*/

/** What the closed contact of a run shows after the accumulation. */
static carom_status write_rest(const study *s, const carom_trajectory *t) {
    const carom_series impulse = series_from(t, t->contact_impulse, s->settled);
    const carom_series nu = series_from(t, t->contact_position_multiplier, s->settled);
    const bool rests = isfinite(s->settled);
    const double last_open = carom_series_last_above(whole(t, t->gap), t, s->tolerance);
    const measure list[] = {
        {"rest_impulse", carom_series_mean(impulse), "N s",
         "mean contact impulse of a step after the accumulation"},
        {"rest_impulse_spread", carom_series_maximum(impulse) - carom_series_minimum(impulse),
         "N s", "its largest minus its smallest value"},
        {"rest_force", carom_series_mean(impulse) / t->step, "N",
         "contact impulse over step size after the accumulation"},
        {"rest_position_multiplier", carom_series_mean(nu), "N s2",
         "mean position multiplier after the accumulation"},
        {"rest_gap",
         rests ? carom_series_magnitude(series_from(t, t->gap, s->settled)) : (double)NAN, "m",
         "largest gap after the accumulation"},
        {"rest_speed",
         rests ? carom_series_magnitude(series_from(t, t->velocity, s->settled)) : (double)NAN,
         "m s-1", "largest speed after the accumulation"},
        {"closing_time", last_open < t->time[t->row_count - 1] ? last_open : (double)NAN, "s",
         "last time at which the contact is open"},
    };
    return write_measures(s, LENGTH(list), list);
}

static carom_status judge_nonsmooth_galpha(const study *s) {
    const carom_trajectory *t = find_run(s, "/nonsmooth_galpha");
    if (t == NULL) {
        return CAROM_OK;
    }
    const violations worst = observe_violations(s, t);
    const energy_changes energy = observe_energy(s, t);
    const double flight = fmax(energy.largest_in_flight, -energy.smallest_in_flight);
    const double smallest_nu = carom_series_minimum(whole(t, t->contact_position_multiplier));
    const double smallest_impulse = carom_series_minimum(whole(t, t->contact_impulse));
    const double smallest_gap = carom_trajectory_smallest_gap(t);
    const double rest_speed = carom_series_magnitude(series_from(t, t->velocity, s->settled));
    const double rest_gap = carom_series_magnitude(series_from(t, t->gap, s->settled));
    const measure measures[] = {
        {"smallest_position_multiplier", smallest_nu, "N s2", "smallest nu"},
        {"largest_position_multiplier",
         carom_series_maximum(whole(t, t->contact_position_multiplier)), "N s2", "largest nu"},
        {"first_impulse_error",
         fabs(first_impulse(t) - carom_bouncing_ball_exact_impact(&s->values->ball, 0).impulse),
         "N s", "distance of the first impulse from the exact one"},
        {"nonsmooth_galpha_flight_energy_change", flight, "J",
         "largest change of energy in a step of flight"},
        {"largest_energy_rise", worst.energy_rise, "J", "largest increase of energy in a step"},
        {"property_three_deviation", worst.identity, "J",
         "largest deviation from the exact energy loss of a step"},
        {"impact_law_deviation", worst.impact_law, "m s-1", "largest |v + e v_n| of a contact"},
        {"staircase_drops", has_staircase(s) ? (double)energy.drops : (double)NAN, "1",
         "drops of energy in the first 5/6 of the time to the accumulation"},
    };
    CAROM_TRY(write_measures(s, LENGTH(measures), measures));
    CAROM_TRY(write_rest(s, t));

    const bool rests = isfinite(s->settled);
    const bool is_at_rest = rest_speed < REST_SPEED && rest_gap <= s->tolerance;
    const claim claims[] = {
        {"nonsmooth_galpha_flight_keeps_energy", decide(true, flight <= s->joule),
         "the energy is constant in flight"},
        {"energy_never_increases", decide(true, worst.energy_rise <= s->joule),
         "Property 3: the energy decays monotonically"},
        {"property_three_identity", decide(true, worst.identity <= s->joule),
         "a contact step loses exactly m a_g q_n + m (1 - e^2) v_n^2 / 2"},
        {"levels_act_together", decide(true, worst.levels_apart == 0),
         "position and velocity level are active in the same steps"},
        {"complementarity_is_exact",
         decide(true, smallest_nu >= 0.0 && smallest_impulse >= 0.0 &&
                          smallest_gap >= -s->tolerance && worst.complementary <= s->tolerance),
         "gap and multipliers are never negative, and the gap is zero where nu is positive"},
        {"impact_law_is_exact", decide(true, worst.impact_law <= REST_SPEED),
         "every active contact leaves with -e times the velocity at the beginning of the step"},
        {"position_multiplier_is_bounded",
         decide(true, worst.correction <= s->values->ball.mass * s->tolerance),
         "nu is at most m (h |v_n| + h^2 a_g / 2)"},
        {"nonsmooth_galpha_rests", decide(rests, is_at_rest),
         "after the accumulation the contact is closed and the ball does not move"},
    };
    return write_claims(s, LENGTH(claims), claims);
}

/** Largest distance between two runs in gap and velocity; NaN without one of them. */
static double distance(const carom_trajectory *a, const carom_trajectory *b) {
    if (a == NULL || b == NULL) {
        return (double)NAN;
    }
    double largest = 0.0;
    for (int row = 0; row < a->row_count; row++) {
        largest = fmax(largest, fabs(a->gap[row] - b->gap[row]));
        largest = fmax(largest, fabs(a->velocity[row] - b->velocity[row]));
    }
    return largest;
}

/** The same step by the condensed problems, by Newton's method and by algorithm 1; and for another
 * spectral radius, on which the ball must not depend. */
static carom_status judge_solvers(const study *s) {
    const carom_trajectory *exact = find_run(s, "/nonsmooth_galpha");
    const carom_trajectory *newton = find_run(s, "/nonsmooth_galpha_monolithic");
    const carom_trajectory *sequential = find_run(s, "/nonsmooth_galpha_sequential");
    const double from_newton = distance(exact, newton);
    const double from_sequential = distance(exact, sequential);
    const double from_radius = distance(exact, find_run(s, "/nonsmooth_galpha_radius_0"));
    const int most = newton != NULL ? carom_trajectory_most_iterations(newton) : 0;
    const measure measures[] = {
        {"newton_iterations", most > 0 ? (double)most : (double)NAN, "1",
         "most iterations of Newton's method in a step"},
        {"monolithic_distance", from_newton, "1",
         "largest difference in m and m/s between Newton's method and the exact linear step"},
        {"sequential_distance", from_sequential, "1",
         "largest difference in m and m/s between algorithm 1 and the exact linear step"},
        {"spectral_radius_distance", from_radius, "1",
         "largest difference in m and m/s between the runs for two spectral radii"},
    };
    CAROM_TRY(write_measures(s, LENGTH(measures), measures));
    const claim claims[] = {
        {"newton_takes_few_iterations", decide(newton != NULL, most <= FEW_ITERATIONS),
         "Newton's method with the full matrix takes at most three iterations in a step"},
        {"sequential_variant_converges",
         decide(isfinite(from_sequential), from_sequential <= SAME_MOTION),
         "algorithm 1 converges in every step, to the same motion"},
        {"spectral_radius_does_not_matter",
         decide(isfinite(from_radius), from_radius <= SAME_MOTION),
         "the motion does not depend on the spectral radius"},
    };
    return write_claims(s, LENGTH(claims), claims);
}

/** Whether a ball at rest with this gap stays as it is for a step. */
static carom_status stays(const study *s, double gap, bool *result, carom_report *report) {
    carom_stepper_params params =
        carom_scheme_options_params(&s->values->schemes, CAROM_SCHEME_NONSMOOTH_GALPHA);
    const double position = s->values->ball.radius + gap;
    const double velocity = 0.0;
    carom_trajectory *t = NULL;
    CAROM_TRY(carom_trajectory_run(&s->model->mechanism, &params, &position, &velocity, params.step,
                                   NULL, NULL, &t, report));
    *result = fabs(t->gap[1] - gap) <= s->tolerance && fabs(t->velocity[1]) <= REST_SPEED;
    carom_trajectory_free(t);
    return CAROM_OK;
}

/** Property 2: of the balls at rest only that on the floor stays; tried around h^2 a_g / 2. */
static carom_status judge_equilibrium(const study *s, carom_report *report) {
    static const double share[] = {0.0, 0.25, 0.75, 1.5};
    const double h = s->values->schemes.step;
    const double critical = 0.5 * h * h * s->values->ball.gravity;
    bool holds = true;
    // Gaps that rounding hides show nothing.
    const bool is_asked = find_run(s, "/nonsmooth_galpha") != NULL && critical > 8.0 * s->tolerance;
    for (int i = 0; is_asked && i < LENGTH(share); i++) {
        bool is_equilibrium = false;
        CAROM_TRY(stays(s, share[i] * critical, &is_equilibrium, report));
        holds = holds && is_equilibrium == (i == 0);
    }
    const claim claims[] = {{"floor_is_the_only_equilibrium", decide(is_asked, holds),
                             "Property 2: of the states at rest only that of zero gap remains"}};
    return write_claims(s, LENGTH(claims), claims);
}

/* ------------------------------------------------------------------- the comparators */

static double smallest_gap_of(const carom_trajectory *t) {
    return t != NULL ? carom_trajectory_smallest_gap(t) : (double)NAN;
}

static carom_status judge_moreau_jean(const study *s) {
    const carom_trajectory *t = find_run(s, "/moreau_jean");
    if (t == NULL) {
        return CAROM_OK;
    }
    const energy_changes energy = observe_energy(s, t);
    const double mean_change = energy.sum_in_flight / (double)energy.flight_steps;
    // A flight step loses (theta - 1/2) m (a_g h)^2.
    const double fall = s->values->ball.gravity * t->step;
    const double theta = 0.5 - mean_change / (s->values->ball.mass * fall * fall);
    const double smallest_gap = carom_trajectory_smallest_gap(t);
    const measure measures[] = {
        {"moreau_jean_smallest_gap_full_step",
         smallest_gap_of(find_run(s, "/moreau_jean_full_step")), "m",
         "smallest gap with the predictor q_n + h v_n"},
        {"moreau_jean_smallest_gap_current", smallest_gap_of(find_run(s, "/moreau_jean_current")),
         "m", "smallest gap with the predictor q_n"},
        {"moreau_jean_final_gap", t->gap[t->row_count - 1], "m", "gap at the end of the run"},
        {"moreau_jean_flight_energy_change", mean_change, "J",
         "mean change of energy in a step of flight"},
        {"moreau_jean_flight_energy_change_spread",
         energy.largest_in_flight - energy.smallest_in_flight, "J",
         "its largest minus its smallest value"},
        {"moreau_jean_flight_loss", -energy.sum_in_flight / t->energy[0], "1",
         "energy lost in all flights together over the initial energy"},
        {"moreau_jean_theta", theta, "1", "theta of the scheme, from what a flight step loses"},
    };
    CAROM_TRY(write_measures(s, LENGTH(measures), measures));
    const bool is_slow =
        energy.largest_in_flight < 0.0 && -energy.sum_in_flight < SLOW_LOSS * t->energy[0];
    const claim claims[] = {
        {"moreau_jean_penetrates", decide(true, smallest_gap < -s->tolerance),
         "the gap is negative at times"},
        {"moreau_jean_flight_loses_energy", decide(energy.flight_steps > 0, is_slow),
         "the energy decreases in every step of flight, slowly"},
    };
    return write_claims(s, LENGTH(claims), claims);
}

/** Energy of the flight that follows an impact, at its end: the row before the next impact. */
static double flight_energy(const carom_trajectory *t, const int *impacts, int count, int k) {
    return t->energy[k + 1 < count ? impacts[k + 1] - 1 : t->row_count - 1];
}

static carom_status judge_smooth_galpha(const study *s) {
    const carom_trajectory *t = find_run(s, "/smooth_galpha");
    int impacts[MOST_CONTACTS];
    const int count = t != NULL ? carom_trajectory_impacts(t, 0, MOST_CONTACTS, impacts) : 0;
    if (count == 0) {
        return CAROM_OK;
    }
    bool grows = true;
    double before = t->energy[0];
    for (int k = 0; k < count; k++) {
        const double after = flight_energy(t, impacts, count, k);
        grows = grows && after > before;
        before = after;
    }
    const double ratio = flight_energy(t, impacts, count, 0) / t->energy[0];
    const double error = gap_error(s, t);
    const measure measures[] = {
        {"smooth_galpha_contacts", (double)count, "1", "number of contacts"},
        {"smooth_galpha_energy_ratio", ratio, "1", "energy after the first contact over E_0"},
        {"smooth_galpha_final_energy_ratio", before / t->energy[0], "1",
         "energy at the end over E_0"},
        {"smooth_galpha_first_force", t->contact_force[impacts[0]], "N",
         "contact force of the first contact"},
    };
    CAROM_TRY(write_measures(s, LENGTH(measures), measures));
    const claim claims[] = {
        {"smooth_galpha_gains_energy", decide(isfinite(ratio), grows && ratio > GROWN_ENERGY),
         "every contact increases the energy, the first more than five times"},
        {"smooth_galpha_is_not_consistent",
         decide(isfinite(s->settled) && isfinite(error), error > 1.0),
         "the error of the gap is larger than the gap"},
    };
    return write_claims(s, LENGTH(claims), claims);
}

/** Largest height that the exact ball reaches after its k-th impact, half way to the next. */
static double exact_rebound(const study *s, int k) {
    const carom_bouncing_ball_params *ball = &s->values->ball;
    const double landing = carom_bouncing_ball_exact_impact(ball, k).time;
    const double next = carom_bouncing_ball_exact_impact(ball, k + 1).time;
    double position = ball->radius;
    double velocity = 0.0;
    if (isfinite(next)) {
        carom_bouncing_ball_exact_state(ball, 0.5 * (landing + next), &position, &velocity);
    }
    return position - ball->radius;
}

/** Largest relative deviation of the first rebounds; NaN if the run has fewer. */
static double rebound_deviation(const study *s, const carom_trajectory *t) {
    int impacts[REBOUNDS + 1];
    if (carom_trajectory_impacts(t, 0, REBOUNDS + 1, impacts) <= REBOUNDS) {
        return (double)NAN;
    }
    double largest = 0.0;
    for (int k = 0; k < REBOUNDS; k++) {
        carom_series gap = whole(t, t->gap);
        gap.first = impacts[k];
        gap.end = impacts[k + 1];
        largest = fmax(largest, fabs(carom_series_maximum(gap) / exact_rebound(s, k) - 1.0));
    }
    return largest;
}

/** Smallest over the windows after the accumulation of the largest value in the window. */
static double persistent_magnitude(const study *s, const carom_trajectory *t,
                                   const double *values) {
    double smallest = (double)INFINITY;
    for (int k = 0;; k++) {
        const double from = s->settled + WINDOW * (double)k;
        if (!(from + WINDOW <= s->values->schemes.duration)) {
            return smallest;
        }
        const carom_series window = carom_series_window(t, values, 1, 0, from, from + WINDOW);
        smallest = fmin(smallest, carom_series_magnitude(window));
    }
}

static carom_status judge_modified_lcp(const study *s) {
    const carom_trajectory *t = find_run(s, "/modified_lcp");
    if (t == NULL) {
        return CAROM_OK;
    }
    const carom_series gap = series_from(t, t->gap, s->settled);
    int switches = 0;
    int position_steps = 0;
    for (int row = gap.first + 1; row < gap.end; row++) {
        switches += t->velocity_active[row] != t->velocity_active[row - 1] ? 1 : 0;
        position_steps += t->position_active[row];
    }
    const bool is_long = isfinite(s->settled);
    const double deviation = rebound_deviation(s, t);
    const double window_gap = persistent_magnitude(s, t, t->gap);
    const double window_speed = persistent_magnitude(s, t, t->velocity);
    const double fall = s->values->ball.gravity * t->step;
    const measure measures[] = {
        {"modified_lcp_rebound_deviation", deviation, "1",
         "largest relative deviation of the first five rebounds"},
        {"modified_lcp_window_gap", window_gap, "m",
         "gap that every 0.1 s after the accumulation reaches"},
        {"modified_lcp_window_speed", window_speed, "m s-1",
         "speed that every 0.1 s after the accumulation reaches"},
        {"modified_lcp_late_largest_gap", carom_series_maximum(gap), "m",
         "largest gap after the accumulation"},
        {"modified_lcp_late_smallest_gap", carom_series_minimum(gap), "m",
         "smallest gap after the accumulation"},
        {"modified_lcp_switches", is_long ? (double)switches : (double)NAN, "1",
         "changes of the velocity level between active and inactive after the accumulation"},
        {"modified_lcp_position_steps", is_long ? (double)position_steps : (double)NAN, "1",
         "steps with an active position level after the accumulation"},
    };
    CAROM_TRY(write_measures(s, LENGTH(measures), measures));
    const claim claims[] = {
        {"modified_lcp_follows_before_accumulation",
         decide(isfinite(deviation), deviation < REBOUND_ERROR),
         "the first five rebounds are close to the exact ones"},
        {"modified_lcp_gap_chatters",
         decide(is_long,
                window_gap > CHATTER_GAP * t->step * fall && carom_series_minimum(gap) > 0.0),
         "after the accumulation the gap opens again and again and never closes"},
        {"modified_lcp_velocity_chatters", decide(is_long, window_speed > CHATTER_SPEED * fall),
         "after the accumulation the velocity keeps oscillating"},
        {"modified_lcp_velocity_level_switches", decide(is_long, switches > 1),
         "after the accumulation the velocity level changes between active and inactive"},
        {"modified_lcp_position_level_switches",
         decide(is_long, position_steps > 0 && position_steps < gap.end - gap.first - 1),
         "after the accumulation the position level changes between active and inactive"},
    };
    return write_claims(s, LENGTH(claims), claims);
}

/* ------------------------------------------------------------------- convergence */

/** One series of runs: a scheme up to a time. */
typedef struct convergence {
    const char *group;
    carom_scheme scheme;
    double end; /**< s */
    const char *claim;
    const study *study;
    double step[STUDY_STEPS];           /**< s */
    double gap_error[STUDY_STEPS];      /**< L1, m s */
    double velocity_error[STUDY_STEPS]; /**< L1, m */
} convergence;

/** L1 errors of gap and velocity for step size i. */
static carom_status run_step_size(int i, void *context, carom_report *report) {
    convergence *series = context;
    const study *s = series->study;
    carom_stepper_params params = carom_scheme_options_params(&s->values->schemes, series->scheme);
    params.step = series->step[i];
    carom_trajectory *t = NULL;
    CAROM_TRY(carom_trajectory_run(&s->model->mechanism, &params, s->model->initial_position,
                                   s->model->initial_velocity, series->end, NULL, NULL, &t,
                                   report));
    for (int row = 1; row < t->row_count; row++) {
        double y = 0.0;
        double v = 0.0;
        carom_bouncing_ball_exact_state(&s->values->ball, t->time[row], &y, &v);
        series->gap_error[i] += params.step * fabs(t->position[row] - y);
        series->velocity_error[i] += params.step * fabs(t->velocity[row] - v);
    }
    carom_trajectory_free(t);
    return CAROM_OK;
}

/** Least-squares slope of log(error) over log(step); not finite if an error is zero. */
static double fitted_order(const double *step, const double *error) {
    double mean_x = 0.0;
    double mean_y = 0.0;
    for (int i = 0; i < STUDY_STEPS; i++) {
        mean_x += log(step[i]) / STUDY_STEPS;
        mean_y += log(error[i]) / STUDY_STEPS;
    }
    double xy = 0.0;
    double xx = 0.0;
    for (int i = 0; i < STUDY_STEPS; i++) {
        xy += (log(step[i]) - mean_x) * (log(error[i]) - mean_y);
        xx += (log(step[i]) - mean_x) * (log(step[i]) - mean_x);
    }
    return xy / xx;
}

static bool is_first_order(double slope) {
    return slope >= LEAST_ORDER && slope <= MOST_ORDER;
}

static carom_status write_convergence(const convergence *series) {
    const study *s = series->study;
    char axis[96];
    char path[96];
    (void)snprintf(axis, sizeof axis, "/convergence/%s/step", series->group);
    CAROM_TRY(
        carom_record_axis(s->record, axis, STUDY_STEPS, series->step, "s", "step size of a run"));
    (void)snprintf(path, sizeof path, "/convergence/%s/gap_error", series->group);
    CAROM_TRY(carom_record_series(s->record, path, series->gap_error, axis, NULL, "m s",
                                  "L1 error of the gap"));
    (void)snprintf(path, sizeof path, "/convergence/%s/velocity_error", series->group);
    CAROM_TRY(carom_record_series(s->record, path, series->velocity_error, axis, NULL, "m",
                                  "L1 error of the velocity"));

    (void)snprintf(path, sizeof path, "/convergence/%s/end", series->group);
    CAROM_TRY(carom_record_scalar(s->record, path, series->end, "s", "length of the runs"));

    const double gap_order = fitted_order(series->step, series->gap_error);
    const double velocity_order = fitted_order(series->step, series->velocity_error);
    (void)snprintf(axis, sizeof axis, "%s_gap_order", series->group);
    (void)snprintf(path, sizeof path, "%s_velocity_order", series->group);
    const measure measures[] = {
        {axis, gap_order, "1", "fitted order of convergence of the gap in L1"},
        {path, velocity_order, "1", "fitted order of convergence of the velocity in L1"},
    };
    CAROM_TRY(write_measures(s, LENGTH(measures), measures));
    const claim claims[] = {{series->claim,
                             decide(isfinite(gap_order) && isfinite(velocity_order),
                                    is_first_order(gap_order) && is_first_order(velocity_order)),
                             "gap and velocity converge to first order in L1"}};
    return write_claims(s, LENGTH(claims), claims);
}

/** Windows with one impact and with many, for the data of the paper: 0.8 s and 4 s. */
static carom_status study_convergence(const study *s, carom_report *report) {
    static const convergence table[] = {
        {.group = "one_impact",
         .scheme = CAROM_SCHEME_NONSMOOTH_GALPHA,
         .end = 0.8,
         .claim = "one_impact_is_first_order"},
        {.group = "many_impacts",
         .scheme = CAROM_SCHEME_NONSMOOTH_GALPHA,
         .end = 4.0,
         .claim = "many_impacts_are_first_order"},
        {.group = "moreau_jean_many_impacts",
         .scheme = CAROM_SCHEME_MOREAU_JEAN,
         .end = 4.0,
         .claim = "moreau_jean_many_impacts_are_first_order"},
    };
    for (int k = 0; k < LENGTH(table); k++) {
        convergence series = table[k];
        if (!carom_scheme_options_selects(&s->values->schemes, series.scheme) ||
            series.end > s->values->schemes.duration) {
            continue;
        }
        series.study = s;
        for (int i = 0; i < STUDY_STEPS; i++) {
            series.step[i] = LARGEST_STEP * pow(2.0, -(double)i / 8.0);
        }
        CAROM_TRY(
            carom_parallel_map(STUDY_STEPS, s->common->threads, run_step_size, &series, report));
        CAROM_TRY(write_convergence(&series));
    }
    return CAROM_OK;
}

/* ------------------------------------------------------------------- the exact solution */

/** The exact motion on the time grid of the runs. */
static carom_status compute_reference(study *s) {
    const carom_trajectory *grid = s->runs[0].trajectory;
    const size_t rows = (size_t)grid->row_count;
    double *block = calloc(4 * rows, sizeof *block);
    if (block == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    s->exact = (reference){block, block + rows, block + 2 * rows, block + 3 * rows};
    const carom_mechanism *mechanism = &s->model->mechanism;
    for (size_t row = 0; row < rows; row++) {
        double *y = &s->exact.position[row];
        double *v = &s->exact.velocity[row];
        double work[2];
        carom_bouncing_ball_exact_state(&s->values->ball, grid->time[row], y, v);
        mechanism->constraints(y, &s->exact.gap[row], mechanism->context);
        s->exact.energy[row] = carom_mechanism_kinetic_energy(mechanism, y, v, work) +
                               mechanism->potential_energy(y, mechanism->context);
    }
    return CAROM_OK;
}

static carom_status write_reference(const study *s) {
    const carom_trajectory *grid = s->runs[0].trajectory;
    carom_record *record = s->record;
    const char *time = "/reference/time";
    CAROM_TRY(carom_record_axis(record, time, grid->row_count, grid->time, "s", "time"));
    CAROM_TRY(carom_record_index_axis(record, "/reference/coordinate", 1,
                                      "number of the generalized coordinate"));
    CAROM_TRY(carom_record_index_axis(record, "/reference/contact", 1, "number of the contact"));
    CAROM_TRY(carom_record_series(record, "/reference/position", s->exact.position, time,
                                  "/reference/coordinate", "m", "exact height of the centre"));
    CAROM_TRY(carom_record_series(record, "/reference/velocity", s->exact.velocity, time,
                                  "/reference/coordinate", "m s-1", "exact velocity"));
    CAROM_TRY(carom_record_series(record, "/reference/gap", s->exact.gap, time,
                                  "/reference/contact", "m", "exact gap"));
    return carom_record_series(record, "/reference/energy", s->exact.energy, time, NULL, "J",
                               "exact energy");
}

/** Impacts of the exact solution up to a millisecond before their accumulation. */
static carom_status write_exact_impacts(const study *s) {
    static const double margin = 1e-3; /* s */
    const double end = s->accumulation - margin;
    double time[MOST_IMPACTS];
    double speed[MOST_IMPACTS];
    double impulse[MOST_IMPACTS];
    double rebound[MOST_IMPACTS];
    double energy[MOST_IMPACTS];
    int count = 0;
    while (count < MOST_IMPACTS) {
        const carom_bouncing_ball_impact impact =
            carom_bouncing_ball_exact_impact(&s->values->ball, count);
        // The first is there even if the ball stays on the floor; without a fall there is none.
        if (!isfinite(impact.time) || (count > 0 && !(impact.time <= end))) {
            break;
        }
        double work[2];
        time[count] = impact.time;
        speed[count] = impact.speed;
        impulse[count] = impact.impulse;
        rebound[count] = exact_rebound(s, count);
        energy[count] = carom_mechanism_kinetic_energy(
            &s->model->mechanism, s->model->initial_position, &impact.speed, work);
        count++;
    }
    if (count == 0) {
        return CAROM_OK;
    }
    carom_record *record = s->record;
    const char *axis = "/exact/impacts/time";
    CAROM_TRY(carom_record_axis(record, axis, count, time, "s", "times of the exact impacts"));
    CAROM_TRY(carom_record_series(record, "/exact/impacts/speed", speed, axis, NULL, "m s-1",
                                  "approach speed"));
    CAROM_TRY(carom_record_series(record, "/exact/impacts/impulse", impulse, axis, NULL, "N s",
                                  "impulse"));
    CAROM_TRY(carom_record_series(record, "/exact/impacts/rebound", rebound, axis, NULL, "m",
                                  "largest gap after the impact"));
    CAROM_TRY(carom_record_index_axis(record, "/exact/flight", count, "number of the flight"));
    return carom_record_series(record, "/exact/energy_levels", energy, "/exact/flight", NULL, "J",
                               "energy of the flights that end with the exact impacts");
}

/** Accumulation, and when the first impact falls on the time grid. */
static carom_status write_exact(const study *s) {
    CAROM_TRY(write_reference(s));
    CAROM_TRY(write_exact_impacts(s));
    if (isfinite(s->accumulation)) {
        CAROM_TRY(carom_record_scalar(s->record, "/exact/accumulation_time", s->accumulation, "s",
                                      "instant at which the impacts accumulate"));
    }
    carom_bouncing_ball_params plain = s->values->ball;
    plain.initial_height = PLAIN_HEIGHT;
    const double h = s->values->schemes.step;
    const bool is_above = plain.radius <= PLAIN_HEIGHT;
    const double steps = carom_bouncing_ball_exact_impact(&s->values->ball, 0).time / h;
    const double plain_steps =
        is_above ? carom_bouncing_ball_exact_impact(&plain, 0).time / h : (double)NAN;
    const measure measures[] = {
        {"first_impact_steps", steps, "1", "instant of the first impact in steps"},
        {"first_impact_steps_from_one_metre", plain_steps, "1",
         "instant of the first impact in steps, dropped from one metre"},
        {"exact_drops", has_staircase(s) ? (double)exact_drops(s) : (double)NAN, "1",
         "exact impacts in the first 5/6 of the time to the accumulation"},
    };
    CAROM_TRY(write_measures(s, LENGTH(measures), measures));
    const claim claims[] = {{"one_metre_synchronises_the_first_impact",
                             decide(isfinite(plain_steps), fabs(plain_steps - round(plain_steps)) <=
                                                               ROUNDING * plain_steps),
                             "dropped from one metre, the first impact falls on a time step"}};
    return write_claims(s, LENGTH(claims), claims);
}

/* ------------------------------------------------------------------- the experiment */

static carom_scheme_run *add_run(study *s, const char *group, carom_scheme scheme) {
    carom_scheme_run *run = &s->runs[s->run_count++];
    (void)snprintf(run->group, sizeof run->group, "/%s", group);
    run->params = carom_scheme_options_params(&s->values->schemes, scheme);
    // Algorithm 1 was asked for: no condensed step in its place.
    run->params.use_linear_step = run->params.newton == CAROM_NEWTON_MONOLITHIC;
    return run;
}

/** A variant of a selected scheme, which may fail. */
static carom_stepper_params *add_variant(study *s, const char *group, carom_scheme scheme) {
    carom_scheme_run *run = add_run(s, group, scheme);
    run->may_fail = true;
    return &run->params;
}

/** The selected schemes, and the variants that the comparisons need. */
static void plan_runs(study *s) {
    const carom_scheme_options *options = &s->values->schemes;
    for (carom_scheme scheme = 0; scheme < CAROM_SCHEME_COUNT; ++scheme) {
        if (carom_scheme_options_selects(options, scheme)) {
            (void)add_run(s, carom_scheme_name(scheme), scheme);
        }
    }
    if (carom_scheme_options_selects(options, CAROM_SCHEME_NONSMOOTH_GALPHA)) {
        const carom_scheme scheme = CAROM_SCHEME_NONSMOOTH_GALPHA;
        carom_stepper_params *monolithic = add_variant(s, "nonsmooth_galpha_monolithic", scheme);
        monolithic->newton = CAROM_NEWTON_MONOLITHIC;
        monolithic->use_linear_step = false;
        carom_stepper_params *sequential = add_variant(s, "nonsmooth_galpha_sequential", scheme);
        sequential->newton = CAROM_NEWTON_SEQUENTIAL;
        sequential->use_linear_step = false;
        add_variant(s, "nonsmooth_galpha_radius_0", scheme)->spectral_radius = 0.0;
    }
    if (carom_scheme_options_selects(options, CAROM_SCHEME_MOREAU_JEAN)) {
        const carom_scheme scheme = CAROM_SCHEME_MOREAU_JEAN;
        add_variant(s, "moreau_jean_full_step", scheme)->predictor = CAROM_PREDICTOR_FULL_STEP;
        add_variant(s, "moreau_jean_current", scheme)->predictor = CAROM_PREDICTOR_CURRENT;
    }
}

/** Run, then ask. */
static carom_status compute(study *s, carom_report *report) {
    const double duration = s->values->schemes.duration;
    plan_runs(s);
    CAROM_TRY(
        carom_scheme_runs(s->model, duration, s->runs, s->run_count, s->common, s->record, report));
    // Gaps and energies carry the rounding of the height, and what a tie that counts as closed is.
    const carom_scheme_run *first = &s->runs[0];
    const double weight = s->values->ball.mass * s->values->ball.gravity;
    s->tolerance = ROUNDING * fabs(s->values->ball.initial_height) + first->params.tie_tolerance;
    s->joule = ROUNDING * (first->trajectory->energy[0] + weight * s->values->ball.radius) +
               weight * first->params.tie_tolerance;
    CAROM_TRY(compute_reference(s));
    CAROM_TRY(write_exact(s));
    for (int i = 0; i < s->run_count; i++) {
        if (!s->runs[i].may_fail) {
            CAROM_TRY(judge_scheme(s, &s->runs[i]));
        }
    }
    CAROM_TRY(judge_nonsmooth_galpha(s));
    CAROM_TRY(judge_solvers(s));
    CAROM_TRY(judge_equilibrium(s, report));
    CAROM_TRY(judge_moreau_jean(s));
    CAROM_TRY(judge_smooth_galpha(s));
    CAROM_TRY(judge_modified_lcp(s));
    return study_convergence(s, report);
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const settings *values = context;
    const carom_bouncing_ball_params *ball = &values->ball;
    study s = {.values = values, .common = common, .record = record};
    CAROM_TRY(carom_bouncing_ball_alloc(ball, &s.model, report));
    s.accumulation = carom_bouncing_ball_exact_accumulation_time(ball);
    const double settled = s.accumulation + SETTLING;
    s.settled = settled + WINDOW <= values->schemes.duration ? settled : (double)INFINITY;
    const carom_status status = compute(&s, report);
    for (int i = 0; i < s.run_count; i++) {
        carom_trajectory_free(s.runs[i].trajectory);
    }
    free(s.exact.position);
    carom_model_free(s.model);
    return status;
}

/** Refuse what the options cannot see one by one. */
static carom_status check(void *context, carom_report *report) {
    const settings *values = context;
    CAROM_TRY(carom_scheme_options_check(&values->schemes, report));
    carom_model *model = NULL;
    CAROM_TRY(carom_bouncing_ball_alloc(&values->ball, &model, report));
    carom_model_free(model);
    return CAROM_OK;
}

int main(int argc, char **argv) {
    settings values = {
        .ball = carom_bouncing_ball_params_default(),
        .schemes = carom_scheme_options_default(2e-3, 5.0),
    };
    enum { OWN_OPTION_COUNT = 6, OPTION_COUNT = OWN_OPTION_COUNT + CAROM_SCHEME_OPTION_COUNT };
    carom_option options[OPTION_COUNT] = {
        {"mass", CAROM_OPTION_REAL, &values.ball.mass, "kg", "mass m", CAROM_RANGE_POSITIVE, NULL},
        {"radius", CAROM_OPTION_REAL, &values.ball.radius, "m", "radius R", CAROM_RANGE_POSITIVE,
         NULL},
        {"gravity", CAROM_OPTION_REAL, &values.ball.gravity, "m s-2",
         "gravitational acceleration a_g", CAROM_RANGE_NON_NEGATIVE, NULL},
        {"initial-height", CAROM_OPTION_REAL, &values.ball.initial_height, "m",
         "initial height h_0 of the centre, at least the radius", CAROM_RANGE_ANY, NULL},
        {"initial-velocity", CAROM_OPTION_REAL, &values.ball.initial_velocity, "m s-1",
         "initial velocity v_0, upwards", CAROM_RANGE_ANY, NULL},
        {"restitution", CAROM_OPTION_REAL, &values.ball.restitution, "1",
         "coefficient e of the impacts", CAROM_RANGE_UNIT_INTERVAL, NULL},
    };
    carom_scheme_options_append(&values.schemes, options + OWN_OPTION_COUNT);
    const carom_program program = {
        .name = "bouncing_ball",
        .title = "A ball bouncing on a rigid floor, with an accumulation of impacts",
        .source = "bruls-2014",
        .schema = "bouncing_ball 1",
    };
    return carom_experiment_main(&program, argc, argv, options, OPTION_COUNT, check, body, &values);
}
