/**
 * compass_gait: a walker of two straight legs puts its leading foot down, the trailing foot being
 * on the floor (halm-2023 figures 4 and 10, table 5).
 *
 *     M (v+ - v-) = J_n' L_n + J_t' L_t,   contacts A (leading foot) and B (trailing foot)
 *
 * The simultaneous law, which has three solutions, and the sampled set of outcomes. Printed in the
 * paper: lengths, mass, pitches and their rates, friction, the impulse step h, N and M. From the
 * authors' programs: the hip moves so that the trailing foot is at rest. Inferred: every solution
 * of an increment is enumerated and one taken at random, since no Lemke path ends in sliding, which
 * the paper shows.
 */
#include <carom/base/parallel.h>
#include <carom/carom.h>
#include <carom/study/impacts.h>
#include <carom/study/scenes.h>
#include <carom/study/walker_impact.h>

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/** Contacts A (leading foot) and B (trailing foot). */
enum { FEET = 2 };

/** Rows of contact space. */
enum {
    NORMAL_A = CAROM_WALKER_NORMAL_A,
    NORMAL_B = CAROM_WALKER_NORMAL_B,
    TANGENTIAL_A = CAROM_WALKER_TANGENTIAL_A,
    TANGENTIAL_B = CAROM_WALKER_TANGENTIAL_B,
    ROWS = CAROM_WALKER_ROWS
};

/** Everything that options set; the pitches of `gait` are taken from the angles in degrees. */
typedef struct settings {
    carom_scene_settings common;
    carom_compass_gait_params gait;
    double trailing_pitch; /**< deg */
    double leading_pitch;  /**< deg */
} settings;

/* --- the walker ------------------------------------------------------------------------------- */

/** Angles are within a right angle, and told in degrees. */
static carom_status check_pitch(const char *quantity, double pitch, carom_report *report) {
    if (!(fabs(pitch) > 0.0 && fabs(pitch) < 90.0)) {
        return carom_report_refuse(report, quantity, pitch, -1, "in (0,90) or (-90,0)");
    }
    return CAROM_OK;
}

static carom_status build(const carom_scene_settings *common, carom_impact_scene **scene,
                          carom_report *report) {
    const settings *values = (const settings *)common;
    carom_compass_gait_params gait = values->gait;
    gait.trailing_pitch = values->trailing_pitch * (M_PI / 180.0);
    gait.leading_pitch = values->leading_pitch * (M_PI / 180.0);
    CAROM_TRY(check_pitch("trailing pitch", values->trailing_pitch, report));
    CAROM_TRY(check_pitch("leading pitch", values->leading_pitch, report));
    return carom_compass_gait_alloc(&gait, scene, report);
}

/** Pictures of figure 4: the walker and the velocities of its points, before the impact and after
 * each solution of the simultaneous law. */
static carom_status draw(const carom_scene_run *run) {
    enum { LEADING_LEG = 1, TRAILING_LEG = 2 }; // bodies of the tree, after the hip
    const double margin = 0.15; // of the floor beyond the feet, of the distance between them
    const settings *values = (const settings *)run->settings;
    const carom_compass_gait_params *gait = &values->gait;
    const double spread = gait->leg_length * sin(fabs(values->trailing_pitch) * (M_PI / 180.0));
    const double half = (1.0 + 2.0 * margin) * spread;
    const double floor_points[] = {-half, 0.0, half, 0.0};
    const double leg[] = {0.0, 0.0, 0.0, -gait->leg_length};
    const double points[] = {0.0, 0.0, 0.0, -gait->mass_offset, 0.0, -gait->leg_length};
    const carom_scene_line bodies[] = {
        {"leading_leg", LEADING_LEG, 2, leg},
        {"trailing_leg", TRAILING_LEG, 2, leg},
        {"leading_mass", LEADING_LEG, 1, points + 2},
        {"trailing_mass", TRAILING_LEG, 1, points + 2},
        {"floor", -1, 2, floor_points},
    };
    const carom_scene_line moving[] = {{"leading", LEADING_LEG, 3, points},
                                       {"trailing", TRAILING_LEG, 2, points + 2}};
    CAROM_TRY(carom_scene_run_draw(run, COUNT(bodies), bodies));
    CAROM_TRY(carom_scene_run_draw_before(run, COUNT(moving), moving));
    return carom_scene_run_draw_solutions(run, COUNT(moving), moving);
}

/* --- numbers ---------------------------------------------------------------------------------- */

/** The rate at which a unit of normal impulse opens its contact while it slides against the cone:
 * c_nn - mu |c_nt|, negative in the Painleve regime. */
static double sliding_rate(const carom_impact_problem *problem, int i) {
    const double *row = problem->delassus_matrix + i * ROWS;
    return row[i] - problem->friction[i] * fabs(row[FEET + i]);
}

/** Compare the next samples with the triangle of simultaneous solutions. */
static carom_status compare(carom_scene_run *run, const carom_impact_samples *part) {
    const double off_edge = 1e-6; // barycentric; those of points on an edge are rounded to 1e-15
    carom_walker_compare(carom_scene_run_problem(run), run->results.simultaneous, part, off_edge,
                         run->settings->experiment->watched);
    return CAROM_OK;
}

/** Numbers about the impact and the set: /measures. */
static void write_measures(const carom_scene_run *run) {
    const carom_impact_problem *problem = carom_scene_run_problem(run);
    const carom_walker_triangle *t = run->settings->experiment->watched;
    const double sticking = t->is_known ? t->sticking : (double)NAN;
    const carom_measure measures[] = {
        {"sliding_rate_A", sliding_rate(problem, NORMAL_A), "kg-1",
         "opening of A by its own impulse while it slides"},
        {"sliding_rate_B", sliding_rate(problem, NORMAL_B), "kg-1",
         "opening of B by its own impulse while it slides"},
        {"rest_friction", carom_walker_rest_friction(problem, run->results.simultaneous), "1",
         "least friction with which both feet come to rest"},
        {"share_A_sticking", (double)t->sticking / t->finished, "1",
         "share of finished samples that end with A sticking"},
        {"share_in_triangle", t->inside / sticking, "1",
         "of these, with B in the triangle of simultaneous solutions"},
        {"share_off_edges", t->interior / sticking, "1",
         "of these, with B in the interior of that triangle"},
    };
    carom_record_measures(carom_scene_run_record(run), measures, COUNT(measures));
}

/* --- impulses that alternate between the feet ------------------------------------------------- */

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

/** Look at the paths of some samples: where A moves, and B does not lift off, impulses alternate.
 * With every branch followed, a sample has no path of its own. */
static carom_status write_alternation(const carom_scene_run *run) {
    enum { MOST_SAMPLES = 1 << 16 };
    const carom_impact_problem *problem = carom_scene_run_problem(run);
    carom_impact_sampling_params params = carom_impact_study_params(run->study).sampling;
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
    params.observed = CAROM_PARALLEL_ROWS(notes, params.samples);
    CAROM_AUTO(carom_impact_samples) sampled = NULL;
    CAROM_TRY(carom_impact_sample(problem, &params, &sampled, run->report));
    int moving = 0;
    int alternating = 0;
    for (int i = 0; i < params.samples; i++) {
        moving += notes[i].moves_a;
        alternating += notes[i].moves_a && notes[i].closes_b;
    }
    const carom_measure measures[] = {
        {"paths_moving_A", moving, "1",
         "samples that end with A lifting off or sliding, B in contact"},
        {"paths_alternating", alternating, "1", "of these, with B driven down in between"},
    };
    carom_record_measures(carom_scene_run_record(run), measures, COUNT(measures));
    return CAROM_OK;
}

/** A step so small that the scheme comes close to the inclusion: /steps/fine. */
static carom_status run_fine(const carom_scene_run *run) {
    // Each sample has hundreds of increments: half a step is the mean length of one.
    enum { MOST_SAMPLES = 1 << 12, LENGTH = 400 };
    const double part = 0.05; // of the chosen step
    carom_impact_sampling_params params = carom_impact_study_params(run->study).sampling;
    params.samples = params.samples < MOST_SAMPLES ? params.samples : MOST_SAMPLES;
    params.selection = CAROM_SELECTION_RANDOM;
    params.distribution = CAROM_CAPS_UNIFORM;
    params.impulse_step *= part;
    params.trajectory_length = LENGTH;
    carom_record_scalar(carom_scene_run_record(run), "/steps/fine/impulse_step",
                        params.impulse_step, "N s", "largest cap of the smaller step");
    return carom_impact_study_vary(run->study, "/steps/fine", &params, run->report);
}

/* --- the program ------------------------------------------------------------------------------ */

static carom_status finish(carom_scene_run *run) {
    CAROM_TRY(draw(run));
    write_measures(run);
    CAROM_TRY(write_alternation(run));
    CAROM_TRY(carom_impact_study_compare_selections(
        run->study, carom_impact_comparison_sizes_default(), run->report));
    return run_fine(run);
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_REAL("leg-length", settings, gait.leg_length, "m", "leg length l", "positive"),
    CAROM_REAL("mass-offset", settings, gait.mass_offset, "m",
               "distance of the mass of a leg from the hip, at most l", "positive"),
    CAROM_REAL("leg-mass", settings, gait.leg_mass, "kg", "mass m of each leg", "positive"),
    CAROM_REAL("trailing-pitch", settings, trailing_pitch, "deg",
               "pitch of the trailing leg from the downward vertical, within 90 deg",
               "[-1e8, 1e8]"),
    CAROM_REAL("leading-pitch", settings, leading_pitch, "deg",
               "pitch of the leading leg: the opposite, so that both feet are on the floor",
               "[-1e8, 1e8]"),
    CAROM_REAL("trailing-rate", settings, gait.trailing_rate, "rad s-1",
               "angular velocity of the trailing leg; the hip turns about its foot", "any"),
    CAROM_REAL("leading-rate", settings, gait.leading_rate, "rad s-1",
               "angular velocity of the leading leg", "any"),
    CAROM_REAL("friction", settings, gait.friction, "1", "coefficient of friction mu of both feet",
               "not negative"),
    CAROM_OPTIONS_OF(settings, common.sampling, carom_impact_options_table),
};

int main(int argc, char **argv) {
    static const carom_plane planes[] = {
        {"normal_AB", NORMAL_A, NORMAL_B, NAN, NAN, NAN, NAN},
        {"contact_A", NORMAL_A, TANGENTIAL_A, NAN, NAN, NAN, NAN},
        {"contact_B", NORMAL_B, TANGENTIAL_B, NAN, NAN, NAN, NAN},
    };
    settings published = {
        .common.sampling = carom_impact_options_default(1 << 20, 5, (double)NAN),
        .gait = carom_compass_gait_params_default(),
        .trailing_pitch = 78.0,
        .leading_pitch = -78.0,
    };
    published.common.sampling.selection = CAROM_SELECTION_RANDOM;
    carom_walker_triangle seen = {.is_known = false};
    const carom_scene_experiment experiment = {
        .program = {.name = "compass_gait",
                    .title = "A walker puts its leading foot down: all outcomes of one impact",
                    .source = "halm-2023",
                    .schema = "compass_gait 1",
                    .options = CAROM_OPTIONS(options),
                    CAROM_TABLES(carom_impact_tables)},
        .published = &published.common,
        .published_step = 0.25,
        .plane_count = COUNT(planes),
        .planes = planes,
        .build = build,
        .finish = finish,
        .watch = compare,
        .watched = &seen,
    };
    settings values = published;
    values.common.experiment = &experiment;
    return carom_scene_experiment_main(&experiment, argc, argv, &values.common);
}
