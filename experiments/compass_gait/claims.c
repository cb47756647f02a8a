/** Numbers drawn from the impact and the sampled set, and the statements of the paper about them:
 * /measures, /claims. */
#include "results.h"

#include <carom/study/contact_mode_classes.h>
#include <carom/study/impact_claims.h>

#include <gsl/gsl_math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* --- modes of the feet
 * ----------------------------------------------------------------------------- */

/** Whether speeds of contact space c [ROWS] are in a class of modes, "SL". */
static bool is_in(const results *r, const double *c, const char *modes) {
    char letters[FEET + 1];
    carom_contact_mode_letters(r->study->target.problem, c, letters);
    return strcmp(letters, modes) == 0;
}

/** The simultaneous solution of a class of modes; NULL if there is none. `index` may be NULL. */
static const double *solution_of(const results *r, const char *modes, int *index) {
    const carom_impact_outcomes *s = r->study_results.simultaneous;
    for (int i = 0; i < s->count; i++) {
        const double *c = s->contact_velocity + i * ROWS;
        if (is_in(r, c, modes)) {
            if (index != NULL) {
                *index = i;
            }
            return c;
        }
    }
    return NULL;
}

/* --- numbers
 * --------------------------------------------------------------------------------------- */

/** LCPs per sample that table 3 prints. */
static const double PUBLISHED_INCREMENTS = 2.27;

/** Barycentric coordinates beyond this are away from an edge of the triangle; those of points on an
 * edge are rounded to some 1e-15. */
static const double OFF_EDGE = 1e-6;

/** What is counted beside the triangle. */
typedef struct comparison {
    const carom_impact_problem *problem;
    const double *corners[3]; /**< speeds [ROWS] of the solutions */
    double area;              /**< twice that of the triangle, with its sign */
    double threshold;         /**< least barycentric coordinate of a point that is counted */
} comparison;

/** Cross product of two differences of B's speeds: (p - a) x (q - a). */
static double cross(const double *a, const double *p, const double *q) {
    return (p[NORMAL_B] - a[NORMAL_B]) * (q[TANGENTIAL_B] - a[TANGENTIAL_B]) -
           (p[TANGENTIAL_B] - a[TANGENTIAL_B]) * (q[NORMAL_B] - a[NORMAL_B]);
}

static bool is_sticking(const double *c, void *context) {
    const comparison *with = context;
    return carom_contact_mode_is_at_rest(with->problem, c, NORMAL_A) &&
           carom_contact_mode_is_at_rest(with->problem, c, TANGENTIAL_A);
}

/** Whether A sticks and all barycentric coordinates reach the threshold. */
static bool is_within(const double *c, void *context) {
    const comparison *with = context;
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        const double *a = with->corners[(i + 1) % 3];
        const double *b = with->corners[(i + 2) % 3];
        least = fmin(least, cross(a, b, c) / with->area);
    }
    return is_sticking(c, context) && least >= with->threshold;
}

/** Where samples with A sticking lie beside the triangle of the three simultaneous solutions in the
 * plane of B's speeds. */
typedef struct hull_counts {
    bool is_known; /**< there are three solutions, not in a line */
    int sticking;  /**< finished samples with A sticking */
    int inside;    /**< of which in the triangle, its edges included */
    int interior;  /**< of which away from all edges */
} hull_counts;

/** Compare the samples with the triangle. */
static hull_counts compare_hull(const results *r) {
    hull_counts hull = {.is_known = false};
    comparison with = {.problem = r->study->target.problem,
                       .corners = {solution_of(r, "SL", NULL), solution_of(r, "Ss", NULL),
                                   solution_of(r, "SS", NULL)}};
    hull.sticking = carom_impact_samples_count(r->study_results.samples, is_sticking, &with);
    if (with.corners[0] == NULL || with.corners[1] == NULL || with.corners[2] == NULL) {
        return hull;
    }
    with.area = cross(with.corners[0], with.corners[1], with.corners[2]);
    hull.is_known = fabs(with.area) > 0.0;
    if (hull.is_known) {
        with.threshold = -OFF_EDGE;
        hull.inside = carom_impact_samples_count(r->study_results.samples, is_within, &with);
        with.threshold = OFF_EDGE;
        hull.interior = carom_impact_samples_count(r->study_results.samples, is_within, &with);
    }
    return hull;
}

/** Friction below which the simultaneous law cannot bring both feet to rest: the largest ratio of
 * impulses at rest, which do not depend on friction. NaN without that solution. */
static double rest_friction(const results *r) {
    int index = 0;
    if (solution_of(r, "SS", &index) == NULL) {
        return NAN;
    }
    const double *L = r->study_results.simultaneous->impulse + index * ROWS;
    double least = 0.0;
    for (int i = 0; i < FEET; i++) {
        least = L[i] > 0.0 ? fmax(least, fabs(L[FEET + i]) / L[i]) : least;
    }
    return least;
}

/** Fewest increments of a finished sample in a class of modes; 0 without any. */
static int fewest_increments(const results *r, const char *modes) {
    const carom_impact_samples *samples = r->study_results.samples;
    int least = 0;
    for (int i = 0; i < samples->count; i++) {
        const double *c = samples->contact_velocity + (size_t)i * ROWS;
        const bool is_fewer = least == 0 || samples->increments[i] < least;
        if (samples->is_finished[i] != 0 && is_fewer && is_in(r, c, modes)) {
            least = samples->increments[i];
        }
    }
    return least;
}

/** The rate at which a unit of normal impulse opens its contact while it slides against the cone:
 * c_nn - mu |c_nt|, negative in the Painleve regime. */
static double sliding_rate(const results *r, int i) {
    const carom_impact_problem *problem = r->study->target.problem;
    const double *row = problem->delassus_matrix + i * ROWS;
    return row[i] - problem->friction[i] * fabs(row[FEET + i]);
}

/** Numbers about the impact and the sampled set. */
static void write_measures(const results *r, const hull_counts *hull) {
    const carom_impact_samples *samples = r->study_results.samples;
    const double opening = (r->gait->trailing_pitch - r->gait->leading_pitch) * (180.0 / M_PI);
    const double finished = samples->fraction_finished * samples->count;
    const carom_measure measures[] = {
        {"increments_minus_published", samples->mean_increments - PUBLISHED_INCREMENTS, "1",
         "mean increments of a sample less those of table 3"},
        {"most_increments", carom_impact_samples_most_increments(samples), "1",
         "increments of the longest sample"},
        {"leg_opening", fabs(opening), "deg", "angle between the legs"},
        {"mass_to_foot", r->gait->leg_length - r->gait->mass_offset, "m",
         "distance of the mass of a leg from its foot"},
        {"sliding_rate_A", sliding_rate(r, 0), "kg-1",
         "opening of A by its own impulse while it slides"},
        {"sliding_rate_B", sliding_rate(r, 1), "kg-1",
         "opening of B by its own impulse while it slides"},
        {"rest_friction", rest_friction(r), "1",
         "least friction with which both feet come to rest"},
        {"least_increments_lifting_A", fewest_increments(r, "LS"), "1",
         "fewest increments after which A lifts off and B sticks; 0: no sample does"},
        {"least_increments_sliding_A", fewest_increments(r, "sS"), "1",
         "fewest increments after which A slides and B sticks; 0: no sample does"},
    };
    carom_record *record = r->study->target.record;
    carom_record_measures(record, measures, COUNT(measures));
    carom_record_measure(record, "share_A_sticking",
                         finished > 0.0 ? hull->sticking / finished : (double)NAN, "1",
                         "share of finished samples that end with A sticking; NaN: none finished");
    if (hull->is_known && hull->sticking > 0) {
        carom_record_measure(record, "share_in_triangle", (double)hull->inside / hull->sticking,
                             "1", "of these, with B in the triangle of simultaneous solutions");
        carom_record_measure(record, "share_off_edges", (double)hull->interior / hull->sticking,
                             "1", "of these, with B in the interior of that triangle");
    }
}

/* --- impulses that alternate between the feet
 * ------------------------------------------------------ */

/** Samples whose paths are looked at. */
enum { MOST_SAMPLES = 1 << 16 };

/** What is noted of one sample: samples are watched by several threads. */
typedef struct note {
    bool moves_a;  /**< A lifts off or slides at the end, and B is in contact */
    bool closes_b; /**< at some point between, B was closing, which it was not before the impact */
} note;

/** All notes, and the problem that tells what is rest. */
typedef struct notebook {
    const carom_impact_problem *problem;
    note *notes; /**< [samples] */
} notebook;

/** Whether A lifts off or slides and B is in contact. */
static bool is_moving_a(const carom_impact_problem *problem, const double *c) {
    return carom_contact_mode_is_at_rest(problem, c, NORMAL_B) &&
           c[NORMAL_A] >= -carom_impact_colliding_speed(problem, NORMAL_A) &&
           (c[NORMAL_A] > carom_contact_mode_resting_speed(problem, NORMAL_A) ||
            !carom_contact_mode_is_at_rest(problem, c, TANGENTIAL_A));
}

/*[compassGaitPath]*/
/** Note what a path does. */
static void watch(int sample, int point_count, const double *path, void *context) {
    const notebook *all = context;
    note *of = all->notes + sample;
    const double colliding = carom_impact_colliding_speed(all->problem, NORMAL_B);
    const double start = path[NORMAL_B];
    of->moves_a = is_moving_a(all->problem, path + (point_count - 1) * ROWS);
    for (int i = 1; i < point_count - 1; i++) {
        const double speed = path[i * ROWS + NORMAL_B];
        of->closes_b = of->closes_b || speed < fmin(start, 0.0) - colliding;
    }
}
/*[end compassGaitPath]*/

/** Look at the paths of samples: where A moves, and B does not lift off, impulses alternate. With
 * every branch followed, a sample has no path of its own. */
static carom_status write_alternation(const results *r) {
    const carom_impact_problem *problem = r->study->target.problem;
    carom_impact_sampling_params params =
        carom_impact_options_params(r->study->options, r->study->common);
    params.samples = params.samples < MOST_SAMPLES ? params.samples : MOST_SAMPLES;
    if (params.selection == CAROM_SELECTION_ALL) {
        params.selection = CAROM_SELECTION_RANDOM;
    }
    CAROM_AUTO_MEMORY note *notes = calloc((size_t)params.samples, sizeof *notes);
    if (notes == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    notebook all = {problem, notes};
    params.observer = watch;
    params.observer_context = &all;
    CAROM_AUTO(carom_impact_samples) sampled = NULL;
    CAROM_TRY(carom_impact_sample(problem, &params, &sampled, r->report));
    int moving = 0;
    int alternating = 0;
    for (int i = 0; i < params.samples; i++) {
        moving += notes[i].moves_a;
        alternating += notes[i].moves_a && notes[i].closes_b;
    }
    carom_record *record = r->study->target.record;
    carom_record_measure(record, "paths_moving_A", moving, "1",
                         "samples that end with A lifting off or sliding, B in contact");
    carom_record_measure(record, "paths_alternating", alternating, "1",
                         "of these, with B driven down in between");
    carom_record_claim(record, "a_moves_after_alternation", moving > 0 && alternating == moving,
                       "where A lifts off or slides, B in contact, an impulse at A drove B "
                       "down before the last one at B");
    return CAROM_OK;
}

/* --- statements
 * ------------------------------------------------------------------------------------ */

/** A sample so close to an outcome, in parts of the closing speed before the impact, has found it:
 * 3e-3 m/s with the published parameters, what 2^14 samples of the simplest example reach. */
static const double FOUND = 6e-3;

/** Speeds between these parts of a simultaneous solution's are neither rest nor the solution's. */
static const double LEAST_BETWEEN = 0.1;
static const double MOST_BETWEEN = 0.9;

/** Friction this much below or above a threshold, in parts of it, decides: far beyond rounding. */
static const double BESIDE = 1e-6;

/** The speed at which the impact begins. */
static double closing_speed(const results *r) {
    const double *c = r->study->target.problem->contact_velocity;
    return fmax(-c[NORMAL_A], -c[NORMAL_B]);
}

/** Whether two velocities of contact space are the same up to the speed that counts as zero. */
static bool are_equal(const results *r, const double *a, const double *b) {
    bool is_same = true;
    for (int i = 0; i < ROWS; i++) {
        const double rest = carom_contact_mode_resting_speed(r->study->target.problem, i);
        is_same = is_same && fabs(a[i] - b[i]) <= rest;
    }
    return is_same;
}

/** Normal impulse of a contact in the simultaneous solution of a class of modes; NaN without it. */
static double impulse_of(const results *r, const char *modes, int contact) {
    int index = 0;
    return solution_of(r, modes, &index) == NULL
               ? (double)NAN
               : r->study_results.simultaneous->impulse[index * ROWS + contact];
}

/** Whether in all simultaneous solutions A sticks. */
static bool leading_foot_sticks(const results *r) {
    const carom_impact_outcomes *s = r->study_results.simultaneous;
    bool sticks = s->count > 0;
    for (int i = 0; i < s->count; i++) {
        const double *c = s->contact_velocity + i * ROWS;
        sticks = sticks && carom_contact_mode_is_at_rest(r->study->target.problem, c, NORMAL_A) &&
                 carom_contact_mode_is_at_rest(r->study->target.problem, c, TANGENTIAL_A);
    }
    return sticks;
}

/** Both sequences: an impact at A is the first solution, and ends the sequence. */
static bool are_single_impacts(const results *r) {
    const carom_sequential_impacts *sequential = r->study_results.sequential;
    const double *lifting = solution_of(r, "SL", NULL);
    bool is_single = lifting != NULL;
    for (int i = 0; i < sequential->count && is_single; i++) {
        const carom_sequential_impact *s = sequential->sequences[i];
        is_single = s->is_finished && s->stage_count > 0 &&
                    are_equal(r, s->contact_velocity + (s->stage_count - 1) * ROWS, lifting);
    }
    return is_single;
}

/** What section 3.1 and figure 4 say of the simultaneous law and of sequences. */
static void write_simultaneous(const results *r) {
    // Impulses of the size of rounding count as none; NaN fails every comparison.
    const double none =
        carom_contact_mode_resting_speed(r->study->target.problem, NORMAL_A) * r->gait->leg_mass;
    const carom_claim claims[] = {
        {"simultaneous_has_three_solutions", r->study_results.simultaneous->count == 3,
         "the simultaneous law has three solutions"},
        {"simultaneous_leading_foot_sticks", leading_foot_sticks(r),
         "in all simultaneous solutions the leading foot sticks"},
        {"trailing_foot_lifts_off",
         impulse_of(r, "SL", 0) > none && fabs(impulse_of(r, "SL", 1)) <= none,
         "an impact at the leading foot alone makes the trailing foot lift off"},
        {"trailing_foot_slides", impulse_of(r, "Ss", 0) > none && impulse_of(r, "Ss", 1) > none,
         "impacts at both feet can result in the trailing foot sliding"},
        {"trailing_foot_rests", impulse_of(r, "SS", 0) > none && impulse_of(r, "SS", 1) > none,
         "impacts at both feet can result in the trailing foot coming to rest"},
        {"sequences_are_a_single_impact", are_single_impacts(r),
         "both sequences are the impact at the leading foot alone"},
    };
    carom_record_claims(r->study->target.record, claims, COUNT(claims));
}

/** Whether the simultaneous law brings both feet to rest with that friction. */
static carom_status find_rest(const results *r, double friction, bool *rests) {
    carom_compass_gait_params gait = *r->gait;
    gait.friction = friction;
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    CAROM_AUTO(carom_impact_problem) problem = NULL;
    CAROM_AUTO(carom_impact_result) result = NULL;
    *rests = false;
    CAROM_TRY(carom_compass_gait_alloc(&gait, &scene, r->report));
    CAROM_TRY(carom_impact_problem_of_scene(scene, &problem, r->report));
    CAROM_TRY(
        carom_impact_law_run(&carom_impact_law_anitescu_potra, problem, NULL, &result, r->report));
    for (int i = 0; i < result->count; i++) {
        *rests = *rests || is_in(r, result->contact_velocity + i * ROWS, "SS");
    }
    return CAROM_OK;
}

/** Rest appears at a threshold of friction. */
static carom_status write_threshold(const results *r) {
    const double least = rest_friction(r);
    if (isnan(least)) {
        return CAROM_OK;
    }
    bool rests_below = false;
    bool rests_above = false;
    CAROM_TRY(find_rest(r, least * (1.0 - BESIDE), &rests_below));
    CAROM_TRY(find_rest(r, least * (1.0 + BESIDE), &rests_above));
    carom_record_claim(r->study->target.record, "rest_needs_friction", !rests_below && rests_above,
                       "the feet can come to rest from the least friction on, not below");
    return CAROM_OK;
}

/** What is_part asks: a class of modes, and B's speed as a part of a solution's. */
typedef struct part {
    const results *r;
    const char *modes;
    int row;
    double speed;
} part;

static bool is_part(const double *c, void *context) {
    const part *of = context;
    const double share = c[of->row] / of->speed;
    return is_in(of->r, c, of->modes) && share > LEAST_BETWEEN && share < MOST_BETWEEN;
}

/** Whether samples end in these modes with a scaled-down speed of the solution of these modes. */
static bool has_part(const results *r, const char *modes, int row) {
    const double *solution = solution_of(r, modes, NULL);
    if (solution == NULL) {
        return false;
    }
    part of = {.r = r, .modes = modes, .row = row, .speed = solution[row]};
    return carom_impact_samples_count(r->study_results.samples, is_part, &of) > 0;
}

/** A speed of A that is not rest while B stays on the floor. */
static bool a_lifts(const double *c, void *problem) {
    return c[NORMAL_A] > carom_contact_mode_resting_speed(problem, NORMAL_A) &&
           carom_contact_mode_is_at_rest(problem, c, NORMAL_B);
}

static bool a_slides(const double *c, void *problem) {
    return carom_contact_mode_is_at_rest(problem, c, NORMAL_A) &&
           carom_contact_mode_is_at_rest(problem, c, NORMAL_B) &&
           !carom_contact_mode_is_at_rest(problem, c, TANGENTIAL_A);
}

static bool both_lift(const double *c, void *problem) {
    return c[NORMAL_A] > carom_contact_mode_resting_speed(problem, NORMAL_A) &&
           c[NORMAL_B] > carom_contact_mode_resting_speed(problem, NORMAL_B);
}

/** What section 5.4.2 and figure 10 say of the sampled set. */
static void write_set(const results *r, const hull_counts *hull) {
    const carom_impact_samples *samples = r->study_results.samples;
    const carom_impact_outcomes *s = r->study_results.simultaneous;
    void *problem = (void *)r->study->target.problem;
    const double found = FOUND * closing_speed(r);
    bool is_found = s->count > 0;
    for (int i = 0; i < s->count; i++) {
        is_found = is_found &&
                   carom_impact_samples_distance(samples, s->contact_velocity + i * ROWS) <= found;
    }
    const carom_claim claims[] = {
        {"set_holds_simultaneous", is_found,
         "the sampled set contains every simultaneous solution"},
        {"set_holds_combinations", hull->interior > 0,
         "it contains convex combinations of the three solutions"},
        {"set_holds_slower_lifting", has_part(r, "SL", NORMAL_B),
         "it contains outcomes with B lifting off more slowly"},
        {"set_holds_slower_sliding", has_part(r, "Ss", TANGENTIAL_B),
         "it contains outcomes with B sliding more slowly"},
        {"set_holds_a_lifting", carom_impact_samples_count(samples, a_lifts, problem) > 0,
         "A can lift off while B maintains contact"},
        {"set_holds_a_sliding", carom_impact_samples_count(samples, a_slides, problem) > 0,
         "A can slide while B maintains contact"},
        {"one_foot_stays", carom_impact_samples_count(samples, both_lift, problem) == 0,
         "at least one foot stays on the floor"},
    };
    carom_record_claims(r->study->target.record, claims, COUNT(claims));
}

/* --- all of it -------------------------------------------------------------------------------- */

carom_status compass_gait_judge(const results *r) {
    const carom_impact_problem *problem = r->study->target.problem;
    const hull_counts hull = compare_hull(r);
    write_measures(r, &hull);
    carom_impact_claims_theorems(r->study, &r->study_results);
    if (!carom_impact_is_colliding(problem, problem->contact_velocity)) {
        return CAROM_OK;
    }
    write_simultaneous(r);
    write_set(r, &hull);
    CAROM_TRY(write_threshold(r));
    return write_alternation(r);
}
