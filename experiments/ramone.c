/**
 * ramone: the running robot RAMone puts its leading foot down, the trailing foot being on the floor
 * (halm-2023 figure 13, table 7).
 *
 *     M (v+ - v-) = J_n' L_n + J_t' L_t,   contacts A (leading foot) and B (trailing foot)
 *
 * The simultaneous law, which has three solutions in a narrow window of poses, and the sampled set
 * of outcomes. Printed in the paper: angles, rates, friction, the impulse step h, N and M. From the
 * authors' programs: masses, inertias, lengths, and that the trailing foot is at rest. Computed
 * from these: the angle of the trailing knee and the velocity of the trunk, which the paper prints
 * in four digits. Inferred: the reading of one length (carom/models/ramone.h), and that every
 * solution of an increment is enumerated and one taken at random, since no Lemke path ends in
 * sliding, which the paper shows.
 */
#include <carom/base/parallel.h>
#include <carom/carom.h>
#include <carom/study/impacts.h>
#include <carom/study/scenes.h>
#include <carom/study/walker_impact.h>

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/** Degrees to radians. */
static const double DEGREE = M_PI / 180.0;

/** q = (x, y, Phi, alpha_le, beta_le, alpha_tr, beta_tr). */
enum { TRAILING_KNEE = 6 };

/** Rows of contact space; A is the leading foot, B the trailing one. */
enum {
    NORMAL_A = CAROM_WALKER_NORMAL_A,
    NORMAL_B = CAROM_WALKER_NORMAL_B,
    TANGENTIAL_A = CAROM_WALKER_TANGENTIAL_A,
    TANGENTIAL_B = CAROM_WALKER_TANGENTIAL_B,
    ROWS = CAROM_WALKER_ROWS,
    FEET = 2
};

/** Everything that options set; the angles of `robot` are taken from those in degrees. */
typedef struct settings {
    carom_scene_settings common;
    carom_ramone_params robot;
    double trunk_angle;  /**< deg */
    double leading_hip;  /**< deg */
    double leading_knee; /**< deg */
    double trailing_hip; /**< deg */
} settings;

/* --- the robot -------------------------------------------------------------------------------- */

static carom_status build(const carom_scene_settings *common, carom_impact_scene **scene,
                          carom_report *report) {
    const settings *values = (const settings *)common;
    carom_ramone_params robot = values->robot;
    robot.trunk_angle = values->trunk_angle * DEGREE;
    robot.leading_hip = values->leading_hip * DEGREE;
    robot.leading_knee = values->leading_knee * DEGREE;
    robot.trailing_hip = values->trailing_hip * DEGREE;
    const carom_status status = carom_ramone_alloc(&robot, scene, report);
    // The only angle that the model refuses, in the unit of its option.
    if (status != CAROM_OK && report != NULL && report->quantity != NULL &&
        strcmp(report->quantity, "trailing hip") == 0) {
        report->value = values->trailing_hip;
        report->bound /= DEGREE;
    }
    return status;
}

/** Bodies of the tree. */
enum { TRUNK, LEADING_THIGH, LEADING_SHANK, TRAILING_THIGH, TRAILING_SHANK };

/** The point of a shank's foot on the floor, in the frame of the shank. */
static void find_sole(const carom_scene_run *run, const carom_ramone_params *robot, int shank,
                      double *point) {
    double pose[3];
    carom_planar_tree_pose(run->scene->tree, run->scene->position, shank, pose);
    point[0] = -robot->foot_radius * sin(pose[2]);
    point[1] = -robot->shank_length - robot->foot_radius * cos(pose[2]);
}

/** The picture of figure 13(a): links, feet, floor, and velocities of points before the impact. */
static carom_status draw(const carom_scene_run *run) {
    const double reach = 1.1; // of the floor beyond the legs stretched out
    const carom_ramone_params *robot = &((const settings *)run->settings)->robot;
    const double trunk[] = {0.0, 0.0, 0.0, -robot->trunk_to_hip};
    const double thigh[] = {0.0, 0.0, 0.0, -robot->thigh_length};
    const double shank[] = {0.0, 0.0, 0.0, -robot->shank_length};
    const double half = reach * (robot->thigh_length + robot->shank_length);
    const double floor_points[] = {-half, 0.0, half, 0.0};
    double foot[2 * CAROM_SCENE_CIRCLE_POINTS];
    double leading[2];
    double trailing[2];
    carom_scene_circle(0.0, -robot->shank_length, robot->foot_radius, foot);
    find_sole(run, robot, LEADING_SHANK, leading);
    find_sole(run, robot, TRAILING_SHANK, trailing);
    const carom_scene_line bodies[] = {
        {"trunk", TRUNK, 2, trunk},
        {"mass_centre", TRUNK, 1, trunk},
        {"leading_thigh", LEADING_THIGH, 2, thigh},
        {"leading_shank", LEADING_SHANK, 2, shank},
        {"trailing_thigh", TRAILING_THIGH, 2, thigh},
        {"trailing_shank", TRAILING_SHANK, 2, shank},
        {"leading_foot", LEADING_SHANK, CAROM_SCENE_CIRCLE_POINTS, foot},
        {"trailing_foot", TRAILING_SHANK, CAROM_SCENE_CIRCLE_POINTS, foot},
        {"floor", -1, 2, floor_points},
    };
    const carom_scene_line moving[] = {
        {"trunk", TRUNK, 2, trunk},
        {"leading_knee", LEADING_THIGH, 1, thigh + 2},
        {"leading_foot", LEADING_SHANK, 1, leading},
        {"trailing_knee", TRAILING_THIGH, 1, thigh + 2},
        {"trailing_foot", TRAILING_SHANK, 1, trailing},
    };
    CAROM_TRY(carom_scene_run_draw(run, COUNT(bodies), bodies));
    return carom_scene_run_draw_before(run, COUNT(moving), moving);
}

/* --- numbers ---------------------------------------------------------------------------------- */

/** Note the largest tangential speed of A on a path; each sample has its own number, so that
 * threads do not meet. */
static void follow(int sample, int point_count, const double *path, void *context) {
    double *slip = (double *)context + sample;
    for (int k = 1; k < point_count; k++) {
        *slip = fmax(*slip, fabs(path[k * ROWS + TANGENTIAL_A]));
    }
}

/** How far A slides anywhere on the paths of some samples. */
static carom_status write_sticking(const carom_scene_run *run) {
    enum { MOST_FOLLOWED = 1 << 18 }; // enough to meet events of one in ten thousand
    carom_impact_sampling_params params = carom_impact_study_params(run->study).sampling;
    params.samples = params.samples < MOST_FOLLOWED ? params.samples : MOST_FOLLOWED;
    CAROM_AUTO_MEMORY double *slips = calloc((size_t)params.samples, sizeof *slips);
    if (slips == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    params.observer = follow;
    params.observer_context = slips;
    params.observed = CAROM_PARALLEL_ROWS(slips, params.samples);
    CAROM_AUTO(carom_impact_samples) samples = NULL;
    CAROM_TRY(carom_impact_sample(carom_scene_run_problem(run), &params, &samples, run->report));
    double largest = 0.0;
    for (int i = 0; i < params.samples; i++) {
        largest = fmax(largest, slips[i]);
    }
    const carom_measure measures[] = {
        {"followed_samples", params.samples, "1", "samples whose paths were followed"},
        {"largest_slip_A", largest, "m s-1",
         "largest tangential speed of A anywhere on these paths"},
    };
    carom_record_measures(carom_scene_run_record(run), measures, COUNT(measures));
    return CAROM_OK;
}

/** Friction from which on a unit of normal impulse with sliding friction against it closes the
 * contact: c_nn < mu |c_nt|, the Painleve regime. */
static double painleve_friction(const carom_impact_problem *problem, int i) {
    const double *row = problem->delassus_matrix + i * ROWS;
    return fabs(row[FEET + i]) > 0.0 ? row[i] / fabs(row[FEET + i]) : (double)NAN;
}

/** Compare the next samples with the triangle of simultaneous solutions. */
static carom_status compare(carom_scene_run *run, const carom_impact_samples *part) {
    // Barycentric coordinates of points on an edge of the triangle, which is 1e-2 m/s long, are
    // uncertain by the speed that counts as zero over that.
    const double off_edge = 1e-4;
    carom_walker_compare(carom_scene_run_problem(run), run->results.simultaneous, part, off_edge,
                         run->settings->experiment->watched);
    return CAROM_OK;
}

/** Numbers about the impact and the set: /measures. */
static void write_measures(const carom_scene_run *run) {
    const carom_impact_problem *problem = carom_scene_run_problem(run);
    const carom_walker_triangle *t = run->settings->experiment->watched;
    const carom_measure measures[] = {
        {"trailing_knee", run->scene->position[TRAILING_KNEE] / DEGREE, "deg",
         "angle of the trailing knee with both feet on the floor"},
        {"painleve_friction_A", painleve_friction(problem, NORMAL_A), "1",
         "friction from which on an impulse against sliding closes A"},
        {"painleve_friction_B", painleve_friction(problem, NORMAL_B), "1",
         "friction from which on an impulse against sliding closes B"},
        {"rest_friction", carom_walker_rest_friction(problem, run->results.simultaneous), "1",
         "least friction with which both feet come to rest"},
        {"share_in_triangle", t->is_known ? (double)t->inside / t->finished : (double)NAN, "1",
         "share of finished samples that end with A sticking and B in the triangle of "
         "simultaneous solutions"},
        {"triangle_distance", t->is_known ? t->farthest : (double)NAN, "m s-1",
         "largest distance of B's speeds from that triangle"},
    };
    carom_record_measures(carom_scene_run_record(run), measures, COUNT(measures));
}

/* --- the window of several solutions ---------------------------------------------------------- */

/** The angles that are varied. */
static const char *const ANGLES[] = {"trunk_angle", "leading_hip", "leading_knee", "trailing_hip"};

/** The angle of a name, deg. */
static double *angle_of(settings *values, int angle) {
    double *const angles[] = {&values->trunk_angle, &values->leading_hip, &values->leading_knee,
                              &values->trailing_hip};
    return angles[angle];
}

/** Number of simultaneous solutions with one angle changed by a deviation in degrees, the trailing
 * knee and the velocity of the trunk following; NaN where no such pose exists. */
/*[ramoneBeside]*/
static carom_status count_beside(const carom_scene_run *run, int angle, double deviation,
                                 double *count) {
    settings values = *(const settings *)run->settings;
    *angle_of(&values, angle) += deviation;
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    CAROM_AUTO(carom_impact_problem) problem = NULL;
    CAROM_AUTO(carom_impact_result) result = NULL;
    carom_report refusal = carom_report_empty();
    *count = NAN;
    const carom_status status = build(&values.common, &scene, &refusal);
    if (status == CAROM_STATUS_OUT_OF_RANGE) {
        return CAROM_OK;
    }
    CAROM_TRY(status);
    CAROM_TRY(carom_impact_problem_of_scene(scene, &problem, run->report));
    CAROM_TRY(carom_impact_law_run(&carom_impact_law_anitescu_potra, problem, NULL, &result,
                                   run->report));
    *count = result->count;
    return CAROM_OK;
}
/*[end ramoneBeside]*/

/** The deviation on one side (+1, -1) up to which there are several solutions; NaN if there still
 * are at the last step. The pose itself has several. */
static carom_status find_edge(const carom_scene_run *run, int angle, int side, double *edge) {
    const double first = 1e-3; // deg; steps are doubled up to a right angle,
    const double last = 90.0;  // then the interval is halved
    const double width = 1e-9; // to a millionth of the first step
    double inner = 0.0;
    double outer = first;
    double count = NAN;
    CAROM_TRY(count_beside(run, angle, side * outer, &count));
    while (count > 1.0 && outer < last) {
        inner = outer;
        outer *= 2.0;
        CAROM_TRY(count_beside(run, angle, side * outer, &count));
    }
    *edge = NAN;
    if (count > 1.0) {
        return CAROM_OK;
    }
    while (outer - inner > width * fmax(outer, 1.0)) {
        const double middle = 0.5 * (inner + outer);
        CAROM_TRY(count_beside(run, angle, side * middle, &count));
        inner = count > 1.0 ? middle : inner;
        outer = count > 1.0 ? outer : middle;
    }
    *edge = side * inner;
    return CAROM_OK;
}

/** Solutions beside the pose with one angle varied, and the edges of its window. */
static carom_status write_angle(const carom_scene_run *run, int angle, int count,
                                const double *deviations, double *counts) {
    settings values = *(const settings *)run->settings;
    const double value = *angle_of(&values, angle);
    double edges[] = {NAN, NAN};
    for (int i = 0; i < count; i++) {
        CAROM_TRY(count_beside(run, angle, deviations[i], &counts[i]));
    }
    if (run->results.simultaneous->count > 1) {
        CAROM_TRY(find_edge(run, angle, -1, &edges[0]));
        CAROM_TRY(find_edge(run, angle, 1, &edges[1]));
    }
    const carom_measure numbers[] = {
        {"lower", value + edges[0], "deg",
         "least angle with several solutions; NaN: none here, or no end of them within 90 deg"},
        {"upper", value + edges[1], "deg",
         "largest angle with several solutions; NaN: none here, or no end of them within 90 deg"},
        {"width", edges[1] - edges[0], "deg",
         "width of the window of several solutions; NaN: none here, or an end is missing"},
    };
    carom_record group =
        carom_record_group(carom_scene_run_record(run), "/window/%s", ANGLES[angle]);
    carom_record_scalars(&group, numbers, COUNT(numbers));
    carom_record_series(&group, "count", counts, "/window/deviation", NULL, "1",
                        "simultaneous solutions; NaN: no such pose");
    return CAROM_OK;
}

/** How narrow the poses with several simultaneous solutions are: /window. */
static carom_status write_window(const carom_scene_run *run) {
    enum { POINTS = 81 };
    const double reach = 0.1; // deg, beyond the edges of the window
    double deviations[POINTS];
    double counts[POINTS];
    for (int i = 0; i < POINTS; i++) {
        deviations[i] = reach * (2.0 * i / (POINTS - 1) - 1.0);
    }
    carom_record_axis(carom_scene_run_record(run), "/window/deviation", POINTS, deviations, "deg",
                      "deviation of one angle from that of the pose");
    for (int i = 0; i < COUNT(ANGLES); i++) {
        CAROM_TRY(write_angle(run, i, POINTS, deviations, counts));
    }
    return CAROM_OK;
}

/* --- the program ------------------------------------------------------------------------------ */

static carom_status finish(carom_scene_run *run) {
    CAROM_TRY(draw(run));
    write_measures(run);
    CAROM_TRY(write_sticking(run));
    CAROM_TRY(write_window(run));
    return carom_impact_study_compare_selections(
        run->study, carom_impact_comparison_sizes_default(), run->report);
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    // The links, from the trunk down.
    CAROM_REAL("trunk-mass", settings, robot.trunk_mass, "kg", "mass of the trunk", "positive"),
    CAROM_REAL("trunk-inertia", settings, robot.trunk_inertia, "kg m2",
               "moment of inertia of the trunk about its mass centre", "positive"),
    CAROM_REAL("thigh-mass", settings, robot.thigh_mass, "kg", "mass of each thigh", "positive"),
    CAROM_REAL("thigh-inertia", settings, robot.thigh_inertia, "kg m2",
               "moment of inertia of each thigh about its mass centre", "positive"),
    CAROM_REAL("shank-mass", settings, robot.shank_mass, "kg", "mass of each shank", "positive"),
    CAROM_REAL("shank-inertia", settings, robot.shank_inertia, "kg m2",
               "moment of inertia of each shank about its mass centre", "positive"),
    CAROM_REAL("trunk-to-hip", settings, robot.trunk_to_hip, "m",
               "distance of the hip from the mass centre of the trunk", "not negative"),
    CAROM_REAL("hip-to-thigh", settings, robot.hip_to_thigh, "m",
               "distance of the mass centre of a thigh from the hip", "not negative"),
    CAROM_REAL("knee-to-shank", settings, robot.knee_to_shank, "m",
               "distance of the mass centre of a shank from the knee", "not negative"),
    CAROM_REAL("thigh-length", settings, robot.thigh_length, "m", "hip to knee", "positive"),
    CAROM_REAL("shank-length", settings, robot.shank_length, "m", "knee to the centre of the foot",
               "positive"),
    CAROM_REAL("foot-radius", settings, robot.foot_radius, "m", "radius of each foot", "positive"),
    // The pose, its rates, and friction.
    CAROM_REAL("trunk-angle", settings, trunk_angle, "deg",
               "pitch Phi of the trunk; a link at an angle of 0 hangs down", "[-1e8, 1e8]"),
    CAROM_REAL("leading-hip", settings, leading_hip, "deg",
               "angle of the leading thigh relative to the trunk", "[-1e8, 1e8]"),
    CAROM_REAL("leading-knee", settings, leading_knee, "deg",
               "angle of the leading shank relative to its thigh", "[-1e8, 1e8]"),
    CAROM_REAL("trailing-hip", settings, trailing_hip, "deg",
               "angle of the trailing thigh; its knee follows from the feet being level",
               "[-1e8, 1e8]"),
    CAROM_REAL("trunk-rate", settings, robot.trunk_rate, "rad s-1",
               "pitch rate of the trunk; its velocity follows from the trailing foot at rest",
               "any"),
    CAROM_REAL("leading-hip-rate", settings, robot.leading_hip_rate, "rad s-1",
               "rate of the leading hip", "any"),
    CAROM_REAL("leading-knee-rate", settings, robot.leading_knee_rate, "rad s-1",
               "rate of the leading knee", "any"),
    CAROM_REAL("trailing-hip-rate", settings, robot.trailing_hip_rate, "rad s-1",
               "rate of the trailing hip", "any"),
    CAROM_REAL("trailing-knee-rate", settings, robot.trailing_knee_rate, "rad s-1",
               "rate of the trailing knee", "any"),
    CAROM_REAL("friction", settings, robot.friction, "1", "coefficient of friction mu of both feet",
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
        .common.sampling = carom_impact_options_default(1 << 20, 10, (double)NAN),
        .robot = carom_ramone_params_default(),
        .trunk_angle = 16.0,
        .leading_hip = -70.0,
        .leading_knee = -2.0,
        .trailing_hip = 70.0,
    };
    published.common.sampling.selection = CAROM_SELECTION_RANDOM;
    carom_walker_triangle seen = {.is_known = false};
    const carom_scene_experiment experiment = {
        .program = {.name = "ramone",
                    .title =
                        "A running robot puts its leading foot down: all outcomes of one impact",
                    .source = "halm-2023",
                    .schema = "ramone 1",
                    .options = CAROM_OPTIONS(options),
                    CAROM_TABLES(carom_impact_tables)},
        .published = &published.common,
        .published_step = 1.0,
        .plane_count = COUNT(planes),
        .planes = planes,
        .pilot_samples = 1 << 18, // B is driven into the floor in one of ten thousand
        .build = build,
        .finish = finish,
        .watch = compare,
        .watched = &seen,
    };
    settings values = published;
    values.common.experiment = &experiment;
    return carom_scene_experiment_main(&experiment, argc, argv, &values.common);
}
