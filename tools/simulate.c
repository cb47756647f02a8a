/**
 * simulate: a mechanism in a text file, moved in time.
 *
 *     simulate data/examples/dominoes.scene --output dominoes.h5
 *
 * The file has bodies in the plane with shapes, materials, joints and springs, of which any two may
 * touch, or in space spheres, capsules, boxes and half spaces (docs/scene.md). The record has the
 * outline of every body and its poses, so that the motion can be drawn from it alone, the impacts
 * and the energies.
 */
#include <carom/carom.h>
#include <carom/drawing/drawing.h>
#include <carom/study/scene_motion.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct settings {
    const char *path;
    const char *parameters;
    int scheme;
    double step;     /**< NaN: the file's */
    double duration; /**< NaN: the file's */
    double theta;
    int rows; /**< CAROM_ROWS_COUNT: those of the scheme */
    double spectral_radius;
    double tolerance;
    int frames;
    bool keeps_partial;
    const char *plot;
    const char *animate;
    const char *view; /**< NULL: three-quarter */
    double slow_impacts;
    carom_scene_file *scene;
    char defect[CAROM_SCENE_FILE_DEFECT_SIZE];
    bool has_failed;
    const char *drawn[2];         /**< files of the plot and the animation; NULL: none */
    carom_drawing_params drawing; /**< how */
    const char *record;           /**< file of the record */
} settings;

static const carom_option OPTION_ROWS[] = {
    CAROM_TEXT("scene", settings, path, "file with the scene (docs/scene.md)"),
    CAROM_TEXT("parameters", settings, parameters,
               "NAME=VALUE,...: numbers in place of those that the scene states, all in one list"),
    CAROM_CHOICE("scheme", settings, scheme, "how steps are taken",
                 "nonsmooth-galpha|moreau-jean|smooth-galpha|modified-lcp|velocity-galpha"),
    CAROM_REAL("step", settings, step, "s", "step; NaN: that of the scene, or a millisecond",
               "positive"),
    CAROM_REAL("duration", settings, duration, "s", "duration; NaN: that of the scene, or a second",
               "positive"),
    CAROM_REAL("theta", settings, theta, "1",
               "of moreau-jean: 1/2 keeps the energy of what is smooth", "[1/2, 1]"),
    CAROM_CHOICE("rows", settings, rows,
                 "joints and contacts as at the end of a step, or where its start leads",
                 "solved|predicted"),
    CAROM_REAL("spectral-radius", settings, spectral_radius, "1",
               "of the generalized-alpha schemes", "[0, 1]"),
    CAROM_REAL("tolerance", settings, tolerance, "1", "on the residual of a step", "(0, 1)"),
    CAROM_INTEGER("frames", settings, frames, "1", "poses that are recorded, about",
                  "[2, 1000000]"),
    CAROM_FLAG("keep-partial", settings, keeps_partial,
               "of a motion that fails, record what was computed"),
    CAROM_TEXT("plot", settings, plot, "SVG file: start, end, ways and impacts"),
    CAROM_TEXT("animate", settings, animate, "SVG file: the motion, played by a browser"),
    CAROM_TEXT("view", settings, view, "X,Y,Z: from where a scene in space is drawn"),
    CAROM_REAL("slow-impacts", settings, slow_impacts, "1",
               "times that the animation is slower about impacts", "[1, 1000000]"),
};

/** Read the scene. */
static carom_status read_scene(settings *v, carom_report *report) {
    if (v->path == NULL) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                "a scene is missing: simulate FILE; data/examples has some");
    }
    const carom_status status = carom_scene_file_read(v->path, v->parameters, &v->scene, v->defect);
    if (status != CAROM_OK) {
        // the file is to blame, and no option
        return carom_report_say(
            report, status == CAROM_STATUS_OUT_OF_MEMORY ? status : CAROM_STATUS_BAD_FORMAT,
            "%.60s: %s", v->path, v->defect);
    }
    /* the record tells the motion, not where its scene was found and where it is drawn */
    v->path = NULL;
    v->drawn[0] = v->plot;
    v->drawn[1] = v->animate;
    v->drawing = carom_drawing_params_default();
    v->drawing.slow_impacts = v->slow_impacts;
    if (v->view != NULL && !carom_drawing_parse_view(v->view, v->drawing.view)) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                "view: \"%.60s\" is no direction X,Y,Z", v->view);
    }
    for (int k = 0; k < 2; k++) {
        CAROM_TRY(v->drawn[k] == NULL ? CAROM_OK : carom_drawing_check_place(v->drawn[k], report));
    }
    v->plot = NULL;
    v->animate = NULL;
    v->view = NULL;
    v->slow_impacts = (double)NAN;
    return CAROM_OK;
}

static carom_status check(void *context, carom_report *report) {
    settings *v = context;
    CAROM_TRY(read_scene(v, report));
    v->step = isnan(v->step) ? v->scene->step : v->step;
    v->step = isnan(v->step) ? 1e-3 : v->step;
    v->duration = isnan(v->duration) ? v->scene->duration : v->duration;
    v->duration = isnan(v->duration) ? 1.0 : v->duration;
    if (v->rows == CAROM_ROWS_COUNT) {
        v->rows = (int)carom_scene_motion_params_default((carom_scheme)v->scheme).stepper.rows;
    }
    if (v->step > v->duration) {
        return carom_report_bound(report, "step", v->step, "at most the duration", v->duration);
    }
    if (v->duration / v->step > 1e9) {
        return carom_report_bound(report, "steps", v->duration / v->step, "at most", 1e9);
    }
    const carom_status status = carom_scene_check_overlap(v->scene, report);
    return status == CAROM_STATUS_PENETRATION ? CAROM_STATUS_BAD_FORMAT : status;
}

static void show_progress(int done, int total, void *context) {
    (void)total;
    carom_progress_reach(context, done);
}

static carom_status run(carom_record *record, const carom_common_options *common, void *context,
                        carom_report *report) {
    settings *v = context;
    v->record = common->output;
    if (!common->is_quiet && !carom_scene_may_touch(v->scene)) {
        fprintf(stderr,
                "simulate: no contact is possible: no two shapes may touch, and no joint has "
                "stops or friction\n");
    }
    carom_scene_motion_params params = carom_scene_motion_params_default((carom_scheme)v->scheme);
    params.duration = v->duration;
    params.frames = v->frames;
    params.keeps_partial = v->keeps_partial;
    params.exchange = common->workers.exchange;
    params.stepper.step = v->step;
    params.stepper.theta = v->theta;
    params.stepper.rows = (carom_rows)v->rows;
    params.stepper.spectral_radius = v->spectral_radius;
    params.stepper.tolerance = v->tolerance;
    carom_contact_folder_run dump = {common->problems, "step", v->step};
    params.stepper.contacts = carom_contact_folder_listener(&dump);
    carom_progress *progress = carom_progress_start("steps", lround(ceil(v->duration / v->step)),
                                                    "steps", common->is_quiet);
    carom_scene_motion_result result;
    const carom_status status =
        carom_scene_motion_run(v->scene, &params, show_progress, progress, record, &result, report);
    carom_progress_finish(progress);
    CAROM_TRY(status);
    v->has_failed = result.outcome != CAROM_OK;
    if (v->has_failed) {
        fprintf(stderr, "simulate: kept what was computed: ");
        carom_report_print(stderr, result.outcome, report);
    }
    return CAROM_OK;
}

static const carom_table_column COLUMNS[] = {
    {.head = "contacts", .expression = "/measures/contacts"},
    {.head = "impacts", .expression = "/measures/impacts"},
    {.head = "energy", .expression = "/measures/final_energy", .digits = 4},
    {.head = "friction", .expression = "/measures/friction_loss", .digits = 4},
    {.head = "impact loss", .expression = "/measures/impact_loss", .digits = 4},
    {.head = "least gap", .expression = "/measures/smallest_gap", .digits = 2},
    {.head = "residual", .expression = "/measures/largest_residual", .digits = 2},
};
static const carom_table TABLES[] = {{.groups = "/", CAROM_COLUMNS(COLUMNS)}};

/** Draw what was recorded. */
static int draw(const settings *v) {
    carom_drawing_params params = v->drawing;
    for (int k = 0; k < 2; k++) {
        params.is_still = k == 0;
        carom_report report = carom_report_empty();
        const carom_status status =
            v->drawn[k] == NULL
                ? CAROM_OK
                : carom_drawing_write(v->record, NULL, &params, v->drawn[k], &report);
        if (status != CAROM_OK) {
            fprintf(stderr, "simulate: ");
            carom_report_print(stderr, status, &report);
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS;
}

int main(int argc, char **argv) {
    const carom_stepper_params defaults = carom_stepper_params_default(CAROM_SCHEME_MOREAU_JEAN);
    settings values = {
        .scheme = CAROM_SCHEME_MOREAU_JEAN,
        .step = (double)NAN,
        .duration = (double)NAN,
        .theta = 0.5,
        .rows = CAROM_ROWS_COUNT,
        .spectral_radius = defaults.spectral_radius,
        .tolerance = defaults.tolerance,
        .frames = 501,
        .slow_impacts = 1.0,
    };
    const carom_program program = {
        .name = "simulate",
        .title = "A mechanism in a text file, moved in time",
        .source = "own",
        .schema = "simulate 1",
        .options = CAROM_OPTIONS(OPTION_ROWS),
        CAROM_TABLES(TABLES),
        .operand = "scene",
        .has_contact_steps = true,
    };
    int exit_status = carom_experiment_main(&program, argc, argv, check, run, &values);
    if (exit_status == EXIT_SUCCESS && values.record != NULL) {
        exit_status = draw(&values);
    }
    carom_scene_file_free(values.scene);
    return exit_status == EXIT_SUCCESS && values.has_failed ? EXIT_FAILURE : exit_status;
}
