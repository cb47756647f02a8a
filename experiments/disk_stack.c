/**
 * disk_stack: a disc falls onto two that stand on the floor side by side, or onto a larger pyramid
 * (halm-2023 figure 14, table 8).
 *
 *     M (v+ - v-) = J_n' L_n + J_t' L_t,   contacts A, B (floor), C, D (top disc), E (lower discs)
 *
 * The simultaneous law, the sequences of single impacts and the sampled set of outcomes, for the
 * problem that the text states and for the one that the authors' programs evidently solved (discs
 * as many times heavier as there are contacts, and "tangents" that are not orthogonal to the
 * normals between rows). Printed in the paper: radius, mass, velocity, friction, the impulse step
 * h, N and M. The variant of the options is sampled in full; the other one is in /other_variant.
 */
#include <carom/carom.h>
#include <carom/impact/contact_modes.h>
#include <carom/study/impacts.h>
#include <carom/study/scenes.h>

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/** The pyramid of the paper and its contacts: floor left and right, below the top disc left and
 * right, between the lower discs. */
enum { PUBLISHED_LEVELS = 2, A = 0, B, C, D, E, PUBLISHED_CONTACTS };

/** Everything that options set. */
typedef struct settings {
    carom_scene_settings common;
    carom_disk_stack_params stack;
    int variant; /**< carom_disk_stack_variant */
} settings;

/* --- the pyramid ------------------------------------------------------------------------------ */

static const settings *settings_of(const carom_scene_run *run) {
    return (const settings *)run->settings;
}

static carom_status build(const carom_scene_settings *common, carom_impact_scene **scene,
                          carom_report *report) {
    const settings *values = (const settings *)common;
    carom_disk_stack_params stack = values->stack;
    stack.variant = (carom_disk_stack_variant)values->variant;
    return carom_disk_stack_alloc(&stack, scene, report);
}

/** The impact with the tangents of the authors' programs. */
static carom_status skew(const carom_impact_scene *scene, const carom_impact_problem *from,
                         carom_impact_problem **out, carom_report *report) {
    const int n = from->coordinate_count;
    const int m = from->contact_count;
    const size_t size = (size_t)m * (size_t)n;
    CAROM_AUTO_MEMORY double *tangential = malloc(size * sizeof *tangential);
    if (tangential == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    memcpy(tangential, from->contact_jacobian + size, size * sizeof *tangential);
    carom_disk_stack_code_tangents(scene, from->contact_jacobian, tangential);
    return carom_impact_problem_alloc(n, m, 1, from->mass, from->contact_jacobian, tangential,
                                      from->friction, from->velocity, out, report);
}

/** The impact of a scene with one kind of tangents or the other. */
static carom_status pose_with(const carom_impact_scene *scene, bool is_skewed,
                              carom_impact_problem **problem, carom_report *report) {
    if (!is_skewed) {
        return carom_impact_problem_of_scene(scene, problem, report);
    }
    CAROM_AUTO(carom_impact_problem) orthogonal = NULL;
    CAROM_TRY(carom_impact_problem_of_scene(scene, &orthogonal, report));
    return skew(scene, orthogonal, problem, report);
}

static carom_status pose(const carom_scene_settings *common, const carom_impact_scene *scene,
                         carom_impact_problem **problem, carom_report *report) {
    const bool is_skewed = ((const settings *)common)->variant == CAROM_DISK_STACK_CODE;
    return pose_with(scene, is_skewed, problem, report);
}

/** Refuse options that do not fit together. The impulse step that was not given is from pyramids of
 * the published rows: others have the same disc on top. */
static carom_status check(void *context, carom_report *report) {
    settings *values = context;
    settings few = *values;
    settings paper = *(const settings *)values->common.experiment->published;
    few.stack.levels = paper.stack.levels;
    paper.variant = values->variant;
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    CAROM_AUTO(carom_impact_scene) other = NULL;
    CAROM_TRY(build(&few.common, &scene, report));
    CAROM_TRY(build(&paper.common, &other, report));
    CAROM_TRY(carom_impact_options_scale(&values->common.sampling, scene, other,
                                         values->common.experiment->published_step, report));
    return carom_impact_options_check(
        &values->common.sampling, carom_disk_stack_contact_count(values->stack.levels), 1, report);
}

/** Planes of any pyramid: normal speeds of the outermost contacts with the floor and of those of
 * the top disc; normal and tangential speeds of each of these, and of the contact between the two
 * discs below the top one. */
enum { PLANES = 7 };

static void list_planes(const carom_scene_settings *common, carom_plane *planes) {
    const int levels = ((const settings *)common)->stack.levels;
    const int m = carom_disk_stack_contact_count(levels);
    // Contacts: those with the floor, those between rows from the top, those within rows.
    const int floor_right = levels - 1;
    const int top_left = levels;
    const int top_right = levels + 1;
    const int side = levels + levels * (levels - 1);
    const carom_plane all[PLANES] = {
        {"floor_normals", 0, floor_right, NAN, NAN, NAN, NAN},
        {"top_normals", top_left, top_right, NAN, NAN, NAN, NAN},
        {"floor_left", 0, m, NAN, NAN, NAN, NAN},
        {"floor_right", floor_right, m + floor_right, NAN, NAN, NAN, NAN},
        {"top_left", top_left, m + top_left, NAN, NAN, NAN, NAN},
        {"top_right", top_right, m + top_right, NAN, NAN, NAN, NAN},
        {"side", side, m + side, NAN, NAN, NAN, NAN},
    };
    memcpy(planes, all, sizeof all);
}

/** The picture of figure 14(a): discs, floor, and velocities of the top disc before the impact. */
static carom_status draw(const carom_scene_run *run) {
    enum { MARKS = 5, NAME_SIZE = 32 }; // the centre and four points on the rim
    const double margin = 0.5;          // of the floor beyond the lowest row, in radii
    const double radius = settings_of(run)->stack.radius;
    const int levels = settings_of(run)->stack.levels;
    const int disks = carom_disk_stack_disk_count(levels);
    double circle[2 * CAROM_SCENE_CIRCLE_POINTS];
    carom_scene_circle(0.0, 0.0, radius, circle);
    carom_record_integer(carom_scene_run_record(run), "/drawing/disk_count", disks, "1", "discs");
    for (int i = 0; i < disks; i++) {
        char name[NAME_SIZE];
        snprintf(name, sizeof name, "disk_%d", i);
        const carom_scene_line line = {name, i, CAROM_SCENE_CIRCLE_POINTS, circle};
        CAROM_TRY(carom_scene_run_draw(run, 1, &line));
    }
    const double floor_points[] = {-(1.0 + margin) * radius, 0.0,
                                   (2.0 * levels - 1.0 + margin) * radius, 0.0};
    const carom_scene_line ground = {"floor", -1, 2, floor_points};
    CAROM_TRY(carom_scene_run_draw(run, 1, &ground));
    double marks[2 * MARKS] = {0.0};
    for (int k = 1; k < MARKS; k++) {
        marks[2 * k] = radius * cos(M_PI_4 * (2 * k - 1));
        marks[2 * k + 1] = radius * sin(M_PI_4 * (2 * k - 1));
    }
    const carom_scene_line top = {"", 0, MARKS, marks};
    return carom_scene_run_draw_before(run, 1, &top);
}

/* --- outcomes counted ------------------------------------------------------------------------- */

/** How many finished samples of the published pyramid are as section 5.4.5 says. */
typedef struct sample_counts {
    int finished;             /**< samples */
    int apart;                /**< some contact opens */
    int top_free;             /**< both contacts of the top disc open */
    double top_free_speed;    /**< largest speed of the slower one of these, m/s */
    int ground_free;          /**< both lower discs leave the floor */
    double ground_free_speed; /**< largest speed of the slower one of these, m/s */
    int one_sided;            /**< the top disc keeps contact with one of the lower discs alone */
    int rolling_away;     /**< of these, the other one moves away from it, rolling on the floor */
    int lifting;          /**< of these, the other one leaves the floor */
    double lifting_speed; /**< largest speed at which it does, m/s */
    int same_lifting;     /**< of these, the one in contact leaves the floor */
    int sliding;          /**< of these, some closed contact slides */
    int near_sliding;     /**< of these, one below the top disc or below its carrier slides */
} sample_counts;

static bool is_open(const char *letters, int i) {
    return letters[i] == 'L';
}

static bool slides(const char *letters, int i) {
    return letters[i] == 's';
}

/** The top disc rests on one lower disc alone: add what the other one does. near and away are
 * the contacts of these two discs with the floor. The other one rolls if it sticks to the floor and
 * moves away from this one. */
/*[diskStackSides]*/
static void add_one_sided(const double *c, const char *modes, int away, int near,
                          sample_counts *out) {
    out->one_sided++;
    bool is_sliding = false;
    for (int i = 0; i < PUBLISHED_CONTACTS; i++) {
        is_sliding = is_sliding || slides(modes, i);
    }
    out->sliding += is_sliding ? 1 : 0;
    // C lies above A, D above B.
    out->near_sliding += slides(modes, near) || slides(modes, near == A ? C : D) ? 1 : 0;
    out->rolling_away += !is_open(modes, away) && !slides(modes, away) && is_open(modes, E) ? 1 : 0;
    out->same_lifting += is_open(modes, near) ? 1 : 0;
    if (is_open(modes, away)) {
        out->lifting++;
        out->lifting_speed = fmax(out->lifting_speed, c[away]);
    }
}
/*[end diskStackSides]*/

/** Add one finished sample. */
static void add(const carom_impact_problem *problem, const double *c, sample_counts *out) {
    char modes[PUBLISHED_CONTACTS + 1];
    carom_contact_mode_letters(problem, c, modes);
    bool is_apart = false;
    for (int i = 0; i < PUBLISHED_CONTACTS; i++) {
        is_apart = is_apart || is_open(modes, i);
    }
    out->finished++;
    out->apart += is_apart ? 1 : 0;
    if (is_open(modes, A) && is_open(modes, B)) {
        out->ground_free++;
        out->ground_free_speed = fmax(out->ground_free_speed, fmin(c[A], c[B]));
    }
    if (is_open(modes, C) && is_open(modes, D)) {
        out->top_free++;
        out->top_free_speed = fmax(out->top_free_speed, fmin(c[C], c[D]));
    } else if (is_open(modes, C)) {
        add_one_sided(c, modes, A, B, out);
    } else if (is_open(modes, D)) {
        add_one_sided(c, modes, B, A, out);
    }
}

/** Counts of the samples of a set, which come in parts; only of the published pyramid. */
typedef struct counted_set {
    const carom_impact_problem *problem;
    sample_counts counts;
} counted_set;

/** Add the next samples. */
static carom_status count_samples(const carom_impact_samples *part, void *context,
                                  carom_report *report) {
    counted_set *set = context;
    (void)report;
    for (int i = 0; i < part->count && set->problem->contact_count == PUBLISHED_CONTACTS; i++) {
        if (part->is_finished[i] != 0) {
            const size_t at = (size_t)i * (size_t)part->row_count;
            add(set->problem, part->contact_velocity + at, &set->counts);
        }
    }
    return CAROM_OK;
}

/** Add the next samples of the options' variant. */
static carom_status watch(carom_scene_run *run, const carom_impact_samples *part) {
    counted_set *seen = run->settings->experiment->watched;
    seen->problem = carom_scene_run_problem(run);
    return count_samples(part, seen, run->report);
}

/** The counts of a set as GROUP/measures. */
static void write_counts(carom_record *record, const char *group, const counted_set *set) {
    if (set->problem->contact_count != PUBLISHED_CONTACTS) {
        return;
    }
    const sample_counts s = set->counts;
    const double finished = s.finished;
    const carom_measure numbers[] = {
        {"outcomes", finished, "1", "finished samples"},
        {"share_apart", s.apart / finished, "1", "of them: some contact opens"},
        {"top_free", s.top_free, "1", "of them: the top disc leaves both lower discs"},
        {"top_free_speed", s.top_free_speed, "m s-1",
         "largest speed of the slower one of both contacts"},
        {"ground_free", s.ground_free, "1", "both lower discs leave the floor"},
        {"ground_free_speed", s.ground_free_speed, "m s-1",
         "largest speed of the slower one of both"},
        {"share_one_sided", s.one_sided / finished, "1",
         "the top disc keeps contact with one lower disc alone"},
        {"share_rolling_away", s.rolling_away / finished, "1", "the other one rolls on the floor"},
        {"share_lifting", s.lifting / finished, "1", "the other one leaves the floor"},
        {"share_sliding", s.sliding / finished, "1", "some contact that is maintained slides"},
        {"share_near_sliding", s.near_sliding / finished, "1",
         "one of those below the top disc and below the disc that carries it slides"},
    };
    carom_record measures = carom_record_group(record, "%s/measures", group);
    carom_record_scalars(&measures, numbers, COUNT(numbers));
}

/* --- other variant, masses, tangents and rows ------------------------------------------------- */

/** The variant that the options have not chosen: /other_variant. */
static carom_status write_other(const carom_scene_run *run) {
    enum { MOST_SAMPLES = 1 << 16 }; // its increments are up to four times as many
    settings values = *settings_of(run);
    const bool is_code = values.variant == CAROM_DISK_STACK_PRINTED;
    carom_impact_options sampling = values.common.sampling;
    sampling.samples = sampling.samples < MOST_SAMPLES ? sampling.samples : MOST_SAMPLES;
    values.variant = is_code ? CAROM_DISK_STACK_CODE : CAROM_DISK_STACK_PRINTED;
    carom_record group = carom_record_group(carom_scene_run_record(run), "/other_variant");
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    CAROM_AUTO(carom_impact_problem) problem = NULL;
    CAROM_TRY(build(&values.common, &scene, run->report));
    CAROM_TRY(pose(&values.common, scene, &problem, run->report));
    carom_impact_study study = *run->study;
    study.target.problem = problem;
    study.target.record = &group;
    study.options = &sampling;
    counted_set counted = {.problem = problem};
    study.watch = (carom_sample_listener){.tell = count_samples, .context = &counted};
    carom_record_string(&group, "name", is_code ? "code" : "printed",
                        "which variant this group is about");
    carom_record_series(&group, "before/normal_velocity", problem->contact_velocity, "/contact",
                        NULL, "m s-1", "before the impact");
    carom_record_series(&group, "before/tangential_velocity",
                        problem->contact_velocity + problem->contact_count, "/contact", NULL,
                        "m s-1", "before the impact");
    carom_impact_study_results results = {.has_bounds = false};
    carom_status status = carom_impact_study_apply(&study, CAROM_IMPACT_LAW_ANITESCU_POTRA, NULL,
                                                   &results, run->report);
    status = status == CAROM_OK ? carom_impact_study_sample(&study, &results, run->report) : status;
    if (status == CAROM_OK) {
        write_counts(carom_scene_run_record(run), "/other_variant", &counted);
    }
    carom_impact_study_results_clear(&results);
    return status;
}

/** Samples of each comparison at most: means to half a percent; with 7^5 modes enumerated. */
enum { MOST_SAMPLES = 1 << 14, MOST_ENUMERATED = 1 << 9 };

/** One mass and one kind of tangents, by Lemke's solution. */
static carom_status write_combination(const carom_scene_run *run, const char *group, double mass,
                                      bool is_skewed) {
    carom_disk_stack_params stack = settings_of(run)->stack;
    stack.mass = mass;
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    CAROM_AUTO(carom_impact_problem) problem = NULL;
    CAROM_TRY(carom_disk_stack_alloc(&stack, &scene, run->report));
    CAROM_TRY(pose_with(scene, is_skewed, &problem, run->report));
    carom_impact_study study = *run->study;
    study.target.problem = problem;
    carom_impact_sampling_params params = carom_impact_study_params(run->study).sampling;
    params.samples = params.samples < MOST_SAMPLES ? params.samples : MOST_SAMPLES;
    params.selection = CAROM_SELECTION_LEMKE;
    return carom_impact_study_vary(&study, group, &params, run->report);
}

/** The mass and the tangents of the two variants combined: /combinations. */
static carom_status write_combinations(const carom_scene_run *run) {
    const carom_disk_stack_params *stack = &settings_of(run)->stack;
    const double light = stack->mass;
    const double heavy = carom_disk_stack_contact_count(stack->levels) * light;
    CAROM_TRY(write_combination(run, "/combinations/light_orthogonal", light, false));
    CAROM_TRY(write_combination(run, "/combinations/light_skewed", light, true));
    CAROM_TRY(write_combination(run, "/combinations/heavy_orthogonal", heavy, false));
    return write_combination(run, "/combinations/heavy_skewed", heavy, true);
}

/** What is told of a larger pyramid. */
typedef struct pyramid {
    double levels;
    double contacts;
    double increments;
    double unsolved;
    double pivots;
} pyramid;

static const carom_field PYRAMID_FIELDS[] = {
    CAROM_FIELD("levels", pyramid, levels, "1", "rows of the pyramid"),
    CAROM_FIELD("contact_count", pyramid, contacts, "1", "contacts"),
    CAROM_FIELD("mean_increments", pyramid, increments, "1", "mean increments of a sample"),
    CAROM_FIELD("unsolved_count", pyramid, unsolved, "1", "increments without a solution"),
    CAROM_FIELD("mean_pivots", pyramid, pivots, "1", "pivots of Lemke's method per increment"),
};

/** Sample a pyramid of so many rows. */
static carom_status measure_pyramid(const carom_scene_run *run, int levels, pyramid *out) {
    // They bound the cost.
    enum { SAMPLES = 1 << 9, LENGTH = 20 };
    settings values = *settings_of(run);
    values.stack.levels = levels;
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    CAROM_AUTO(carom_impact_problem) problem = NULL;
    CAROM_AUTO(carom_impact_samples) samples = NULL;
    CAROM_TRY(build(&values.common, &scene, run->report));
    CAROM_TRY(pose(&values.common, scene, &problem, run->report));
    carom_impact_sampling_params params = carom_impact_study_params(run->study).sampling;
    params.samples = params.samples < SAMPLES ? params.samples : SAMPLES;
    params.selection = CAROM_SELECTION_LEMKE;
    params.distribution = CAROM_CAPS_UNIFORM;
    params.trajectory_length = LENGTH;
    CAROM_TRY(carom_impact_sample(problem, &params, &samples, run->report));
    *out = (pyramid){.levels = levels,
                     .contacts = problem->contact_count,
                     .increments = samples->mean_increments,
                     .unsolved = (double)samples->unsolved_count,
                     .pivots = (double)samples->pivot_count /
                               fmax((double)samples->increment_count, 1.0)};
    return CAROM_OK;
}

/** Pyramids from the published one on: /pyramids. */
static carom_status write_pyramids(const carom_scene_run *run) {
    pyramid rows[3];
    for (int i = 0; i < COUNT(rows); i++) {
        CAROM_TRY(measure_pyramid(run, PUBLISHED_LEVELS + i, &rows[i]));
    }
    carom_record group = carom_record_group(carom_scene_run_record(run), "/pyramids");
    carom_record_rows(&group, "levels", rows, COUNT(rows), sizeof *rows, PYRAMID_FIELDS,
                      COUNT(PYRAMID_FIELDS));
    return CAROM_OK;
}

/* --- the program ------------------------------------------------------------------------------ */

static carom_status finish(carom_scene_run *run) {
    const carom_impact_problem *problem = carom_scene_run_problem(run);
    const bool enumerates = problem->contact_count <= CAROM_CONTACT_MODES_MOST_CAPPED;
    const carom_impact_comparison_sizes sizes = {.samples = MOST_SAMPLES,
                                                 .enumerated = enumerates ? MOST_ENUMERATED : 0};
    CAROM_TRY(draw(run));
    carom_record_measure(carom_scene_run_record(run), "disk_mass", problem->mass[0], "kg",
                         "mass of a disc in this variant");
    write_counts(carom_scene_run_record(run), "", run->settings->experiment->watched);
    CAROM_TRY(carom_impact_study_compare_selections(run->study, sizes, run->report));
    CAROM_TRY(write_combinations(run));
    CAROM_TRY(write_pyramids(run));
    return write_other(run);
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_CHOICE("variant", settings, variant,
                 "the problem as the paper prints it, or as the authors' programs solved it",
                 "printed|code"),
    CAROM_INTEGER(
        "levels", settings, stack.levels, "1",
        "rows of the pyramid, 2 to 40; an increment costs the 6th power: take few --samples",
        "[2, 40]"),
    CAROM_REAL("radius", settings, stack.radius, "m", "radius R of each disc", "positive"),
    CAROM_REAL(
        "mass", settings, stack.mass, "kg",
        "mass m of each disc; those of the variant code have as many times m as there are contacts",
        "positive"),
    CAROM_REAL("friction", settings, stack.friction, "1",
               "coefficient of friction mu of all contacts", "not negative"),
    CAROM_REAL("initial-velocity", settings, stack.initial_velocity, "m s-1",
               "upward velocity v0 of the top disc; negative: it falls", "any"),
    CAROM_OPTIONS_OF(settings, common.sampling, carom_impact_options_table),
};

int main(int argc, char **argv) {
    const settings published = {
        .common.sampling = carom_impact_options_default(1 << 20, 10, (double)NAN),
        .stack = carom_disk_stack_params_default(),
        .variant = CAROM_DISK_STACK_PRINTED,
    };
    counted_set seen = {.problem = NULL};
    const carom_scene_experiment experiment = {
        .program = {.name = "disk_stack",
                    .title = "A disc falls onto two others: all outcomes of one impact",
                    .source = "halm-2023",
                    .schema = "disk_stack 1",
                    .options = CAROM_OPTIONS(options),
                    CAROM_TABLES(carom_impact_tables)},
        .published = &published.common,
        .published_step = 1.0,
        .plane_count = PLANES,
        .list_planes = list_planes,
        .pilot_samples = 1 << 14,
        .build = build,
        .pose = pose,
        .check = check,
        .finish = finish,
        .watch = watch,
        .watched = &seen,
    };
    settings values = published;
    values.common.experiment = &experiment;
    return carom_scene_experiment_main(&experiment, argc, argv, &values.common);
}
