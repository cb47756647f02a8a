/**
 * box_wall: a box slides on one corner along the floor and hits a wall with another (halm-2023
 * figures 5 and 11, table 6).
 *
 *     M (v+ - v-) = J_n' L_n + J_t' L_t,   v- = (v0, 0, 0),   contacts A (floor) and B (wall)
 *
 * The simultaneous law, the sequence of single impacts that begins at the wall, and the sampled set
 * of outcomes. Printed in the paper: side, mass, tilt, v0, friction, the impulse step h, N and M.
 * From the authors' programs: the box leans towards the wall.
 */
#include <carom/carom.h>
#include <carom/study/impacts.h>
#include <carom/study/scenes.h>

#include <gsl/gsl_math.h>
#include <math.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/** Rows of contact space; the tangent of A points to the wall, that of B down. */
enum { NORMAL_A, NORMAL_B, TANGENTIAL_A, TANGENTIAL_B, ROWS };

/** q = (x, y, theta). */
enum { ANGLE = 2 };

/** Everything that options set; the tilt of `box` is taken from the one in degrees. */
typedef struct settings {
    carom_scene_settings common;
    carom_leaning_box_params box;
    double tilt; /**< deg */
} settings;

/** The box of the options, its tilt in radians. */
static carom_leaning_box_params box_of(const carom_scene_settings *common) {
    const settings *values = (const settings *)common;
    carom_leaning_box_params box = values->box;
    box.tilt = values->tilt * (M_PI / 180.0);
    return box;
}

static carom_status build(const carom_scene_settings *common, carom_impact_scene **scene,
                          carom_report *report) {
    const carom_leaning_box_params box = box_of(common);
    return carom_leaning_box_alloc(&box, scene, report);
}

/** Pictures of figure 5: the box, floor and wall, and the velocities of corners and centre before
 * the impact and after each law. */
static carom_status draw(const carom_scene_run *run) {
    const double margin = 0.25; // of floor and wall beyond the box, in sides
    const carom_leaning_box_params box = box_of(run->settings);
    const double extent = box.side * (cos(box.tilt) + sin(box.tilt));
    const double floor_points[] = {-extent - margin * box.side, 0.0, 0.0, 0.0};
    const double wall_points[] = {0.0, 0.0, 0.0, extent + margin * box.side};
    const double half = 0.5 * box.side;
    const double points[] = {half, -half, half, half, -half, -half, -half, half, 0.0, 0.0};
    double outline[10];
    carom_scene_rectangle(box.side, box.side, outline);
    const carom_scene_line bodies[] = {
        {"box", 0, 5, outline}, {"floor", -1, 2, floor_points}, {"wall", -1, 2, wall_points}};
    const carom_scene_line moving = {"", 0, COUNT(points) / 2, points};
    CAROM_TRY(carom_scene_run_draw(run, COUNT(bodies), bodies));
    CAROM_TRY(carom_scene_run_draw_before(run, 1, &moving));
    CAROM_TRY(carom_scene_run_draw_solutions(run, 1, &moving));
    return carom_scene_run_draw_stages(run, 1, &moving);
}

/** Steps from one law's outcome to the other's. */
enum { STEPS = 8 };

/** Distances of combinations of both laws' outcomes from the nearest sample so far. */
typedef struct combinations {
    bool is_begun;
    double distance[STEPS]; /**< m/s; the first, of an outcome itself, is not looked at */
} combinations;

/** Whether both laws have an outcome. */
static bool has_both(const carom_scene_run *run) {
    return run->results.sequential->sequences[1]->stage_count > 0 &&
           run->results.simultaneous->count > 0;
}

/*[boxWallCombinations]*/
/** Lower the distances by the next samples. */
static carom_status watch(carom_scene_run *run, const carom_impact_samples *part) {
    combinations *seen = run->settings->experiment->watched;
    if (!has_both(run)) {
        return CAROM_OK;
    }
    const carom_sequential_impact *s = run->results.sequential->sequences[1];
    const double *last = s->contact_velocity + (s->stage_count - 1) * ROWS;
    const double *rest = run->results.simultaneous->contact_velocity;
    for (int k = 1; k < STEPS; k++) {
        const double share = (double)k / STEPS;
        double c[ROWS];
        for (int i = 0; i < ROWS; i++) {
            c[i] = (1.0 - share) * rest[i] + share * last[i];
        }
        const double distance = carom_impact_samples_distance(part, c);
        seen->distance[k] = seen->is_begun ? fmin(seen->distance[k], distance) : distance;
    }
    seen->is_begun = true;
    return CAROM_OK;
}
/*[end boxWallCombinations]*/

/** The largest of these distances, m/s; NaN: there are none. */
static double largest_distance(const combinations *seen) {
    double distance = seen->is_begun ? 0.0 : (double)NAN;
    for (int k = 1; k < STEPS && seen->is_begun; k++) {
        distance = fmax(distance, seen->distance[k]);
    }
    return distance;
}

/** Kinetic energy that the simultaneous law leaves with another friction, as a part of that before
 * the impact; NaN without a solution. */
static carom_status energy_with(const carom_scene_run *run, double friction, double *part) {
    carom_leaning_box_params box = box_of(run->settings);
    box.friction = friction;
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    CAROM_AUTO(carom_impact_problem) problem = NULL;
    CAROM_AUTO(carom_impact_result) result = NULL;
    CAROM_TRY(carom_leaning_box_alloc(&box, &scene, run->report));
    CAROM_TRY(carom_impact_problem_of_scene(scene, &problem, run->report));
    CAROM_TRY(carom_impact_law_run(&carom_impact_law_anitescu_potra, problem, NULL, &result,
                                   run->report));
    *part = result->count > 0 ? result->outcomes->kinetic_energy[0] / problem->kinetic_energy
                              : (double)NAN;
    return CAROM_OK;
}

/** Numbers about the impact and the set: /measures. */
static carom_status write_measures(const carom_scene_run *run) {
    const double beside = 1e-3; // of the friction at which rest begins
    const carom_impact_problem *problem = carom_scene_run_problem(run);
    const double *turn = problem->impulse_response + ANGLE * ROWS;
    const double least = carom_leaning_box_rest_friction(box_of(run->settings).tilt);
    double below = NAN;
    double above = NAN;
    if (problem->kinetic_energy > 0.0) {
        CAROM_TRY(energy_with(run, least * (1.0 - beside), &below));
        CAROM_TRY(energy_with(run, least * (1.0 + beside), &above));
    }
    const carom_measure measures[] = {
        {"rest_friction", least, "1",
         "least friction with which the box comes to rest: tan(45 deg - tilt)"},
        {"energy_below_rest_friction", below, "1",
         "share of the energy that the simultaneous law leaves with 0.1 % less friction"},
        {"energy_above_rest_friction", above, "1", "the same with 0.1 % more"},
        {"turn_by_floor", turn[NORMAL_A], "rad s-1 N-1 s-1",
         "angular velocity by a unit of normal impulse at the floor"},
        {"turn_by_wall", turn[NORMAL_B], "rad s-1 N-1 s-1", "the same at the wall"},
        {"combinations_distance", largest_distance(run->settings->experiment->watched), "m s-1",
         "largest distance of combinations of simultaneous and sequential outcome from the "
         "nearest sample"},
    };
    carom_record_measures(carom_scene_run_record(run), measures, COUNT(measures));
    return CAROM_OK;
}

static carom_status finish(carom_scene_run *run) {
    const carom_impact_comparison_sizes sizes = carom_impact_comparison_sizes_default();
    CAROM_TRY(draw(run));
    CAROM_TRY(write_measures(run));
    CAROM_TRY(carom_impact_study_compare_selections(run->study, sizes, run->report));
    return carom_impact_study_compare_distributions(run->study, sizes, run->report);
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_REAL("side", settings, box.side, "m", "side w of the square box", "positive"),
    CAROM_REAL("mass", settings, box.mass, "kg", "mass m", "positive"),
    CAROM_REAL(
        "tilt", settings, tilt, "deg",
        "angle theta from the floor to the box, which leans to the wall, between 0 and 45 deg",
        "(0, 45)"),
    CAROM_REAL("initial-velocity", settings, box.initial_velocity, "m s-1",
               "velocity v0 to the wall before the impact; negative: the box leaves it", "any"),
    CAROM_REAL("friction", settings, box.friction, "1",
               "coefficient of friction mu of floor and wall", "not negative"),
    CAROM_OPTIONS_OF(settings, common.sampling, carom_impact_options_table),
};

int main(int argc, char **argv) {
    static const carom_plane planes[] = {
        {"normal_AB", NORMAL_A, NORMAL_B, NAN, NAN, NAN, NAN},
        {"contact_A", NORMAL_A, TANGENTIAL_A, NAN, NAN, NAN, NAN},
        {"contact_B", NORMAL_B, TANGENTIAL_B, NAN, NAN, NAN, NAN},
    };
    const settings published = {
        .common.sampling = carom_impact_options_default(1 << 18, 5, (double)NAN),
        .box = carom_leaning_box_params_default(),
        .tilt = 10.0,
    };
    combinations seen = {.is_begun = false};
    const carom_scene_experiment experiment = {
        .program = {.name = "box_wall",
                    .title = "A box slides into a wall: all outcomes of one impact",
                    .source = "halm-2023",
                    .schema = "box_wall 1",
                    .options = CAROM_OPTIONS(options),
                    CAROM_TABLES(carom_impact_tables)},
        .published = &published.common,
        .published_step = 2.0,
        .plane_count = COUNT(planes),
        .planes = planes,
        .build = build,
        .finish = finish,
        .watch = watch,
        .watched = &seen,
    };
    settings values = published;
    values.common.experiment = &experiment;
    return carom_scene_experiment_main(&experiment, argc, argv, &values.common);
}
