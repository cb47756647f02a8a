#include <carom/study/scenes.h>

#include <math.h>
#include <stdio.h>

/** Longest name of a group of a drawing. */
enum { NAME_SIZE = 64 };

carom_status carom_scene_experiment_check(void *context, carom_report *report) {
    carom_scene_settings *values = context;
    const carom_scene_experiment *of = values->experiment;
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    CAROM_AUTO(carom_impact_scene) published = NULL;
    CAROM_TRY(of->build(values, &scene, report));
    CAROM_TRY(of->build(of->published, &published, report));
    CAROM_TRY(carom_impact_options_scale(&values->sampling, scene, published, of->published_step,
                                         report));
    return carom_impact_options_check(
        &values->sampling, carom_impact_scene_mechanism(scene)->contact_count, 1, report);
}

/** /around_impact: what the driver has drawn, in motion. */
static carom_status write_motions(const carom_scene_run *run) {
    if (run->geometry->line_count == 0) {
        return run->geometry->failure;
    }
    const carom_impact_outcomes *solutions = run->results.simultaneous;
    const int n = carom_scene_run_problem(run)->coordinate_count;
    const double *q = run->scene->position;
    const double *v = run->scene->velocity;
    const int count = solutions != NULL ? solutions->count : 0;
    carom_record around = carom_record_group(carom_scene_run_record(run), "/around_impact");
    for (int k = 0; k < count; k++) {
        carom_record group = carom_record_group(&around, "simultaneous_%d", k);
        CAROM_TRY(carom_scene_record_passage(&group, n, q, v, solutions->velocity + k * n));
    }
    if (count == 0) {
        carom_record group = carom_record_group(&around, "before");
        CAROM_TRY(carom_scene_record_passage(&group, n, q, v, NULL));
    }
    return carom_geometry_record(&around, run->geometry);
}

/** Hand samples to the driver. */
static carom_status watch(const carom_impact_samples *part, void *context, carom_report *report) {
    (void)report;
    carom_scene_run *run = context;
    return run->settings->experiment->watch(run, part);
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const carom_scene_settings *values = context;
    const carom_scene_experiment *of = values->experiment;
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    CAROM_AUTO(carom_impact_problem) problem = NULL;
    CAROM_TRY(of->build(values, &scene, report));
    CAROM_TRY(of->pose != NULL ? of->pose(values, scene, &problem, report)
                               : carom_impact_problem_of_scene(scene, &problem, report));
    carom_plane planes[CAROM_SCENE_MOST_PLANES];
    CAROM_ASSERT(of->plane_count <= CAROM_SCENE_MOST_PLANES);
    if (of->list_planes != NULL) {
        of->list_planes(values, planes);
    }
    CAROM_AUTO_VALUE(carom_geometry) geometry = {0};
    carom_geometry_add_tree(&geometry, scene->tree);
    carom_scene_run run = {
        .settings = values, .scene = scene, .report = report, .geometry = &geometry};
    const carom_impact_study study = {
        .target = {.record = record, .problem = problem},
        .options = &values->sampling,
        .common = common,
        .plane_count = of->plane_count,
        .planes = of->list_planes != NULL ? planes : of->planes,
        .pilot_samples = of->pilot_samples,
        .part_samples = CAROM_IMPACT_PART_SAMPLES,
        .watch = {of->watch != NULL ? watch : NULL, &run, of->watch_has_maps},
    };
    run.study = &study;
    carom_status status = carom_impact_study_run(&study, &run.results, report);
    status = status == CAROM_OK ? of->finish(&run) : status;
    status = status == CAROM_OK ? write_motions(&run) : status;
    carom_impact_study_results_clear(&run.results);
    return status;
}

int carom_scene_experiment_main(const carom_scene_experiment *self, int argc, char **argv,
                                carom_scene_settings *settings) {
    CAROM_ASSERT(self != NULL && settings != NULL && settings->experiment == self);
    carom_program program = self->program;
    program.has_samples = true;
    return carom_experiment_main(&program, argc, argv,
                                 self->check != NULL ? self->check : carom_scene_experiment_check,
                                 body, settings);
}

const carom_impact_problem *carom_scene_run_problem(const carom_scene_run *run) {
    return run->study->target.problem;
}

carom_record *carom_scene_run_record(const carom_scene_run *run) {
    return run->study->target.record;
}

carom_status carom_scene_run_draw(const carom_scene_run *run, int count,
                                  const carom_scene_line *lines) {
    for (int i = 0; i < count; i++) {
        CAROM_TRY(carom_scene_record_line(carom_scene_run_record(run), "/drawing", run->scene->tree,
                                          run->scene->position, &lines[i]));
        const double *last = lines[i].points + 2 * (lines[i].count - 1);
        const bool closes = lines[i].count > 2 && !(hypot(last[0] - lines[i].points[0],
                                                          last[1] - lines[i].points[1]) > 0.0);
        carom_geometry_add_outline(run->geometry, lines[i].body,
                                   closes ? CAROM_OUTLINE_CLOSED : CAROM_OUTLINE_LINE,
                                   lines[i].count, lines[i].points);
    }
    return CAROM_OK;
}

/** Velocities of the points of lines at v, with a word before their names. */
static carom_status draw_at(const carom_scene_run *run, const char *when, const double *v,
                            int count, const carom_scene_line *lines) {
    for (int i = 0; i < count; i++) {
        char name[NAME_SIZE];
        snprintf(name, sizeof name, "%s%s%s", when, lines[i].name[0] != '\0' ? "_" : "",
                 lines[i].name);
        carom_scene_line line = lines[i];
        line.name = name;
        CAROM_TRY(carom_scene_record_velocities(carom_scene_run_record(run), "/drawing",
                                                run->scene->tree, run->scene->position, v, &line));
    }
    return CAROM_OK;
}

carom_status carom_scene_run_draw_before(const carom_scene_run *run, int count,
                                         const carom_scene_line *lines) {
    return draw_at(run, "before", run->scene->velocity, count, lines);
}

carom_status carom_scene_run_draw_solutions(const carom_scene_run *run, int count,
                                            const carom_scene_line *lines) {
    const carom_impact_outcomes *simultaneous = run->results.simultaneous;
    const int n = carom_scene_run_problem(run)->coordinate_count;
    for (int i = 0; i < simultaneous->count; i++) {
        char when[NAME_SIZE];
        snprintf(when, sizeof when, "simultaneous_%d", i);
        CAROM_TRY(draw_at(run, when, simultaneous->velocity + i * n, count, lines));
    }
    return CAROM_OK;
}

carom_status carom_scene_run_draw_stages(const carom_scene_run *run, int count,
                                         const carom_scene_line *lines) {
    const carom_sequential_impacts *sequential = run->results.sequential;
    const int n = carom_scene_run_problem(run)->coordinate_count;
    for (int i = 0; i < sequential->count; i++) {
        const carom_sequential_impact *s = sequential->sequences[i];
        char contact[CAROM_IMPACT_NAME_SIZE];
        carom_impact_record_name(&run->study->target, s->order[0], contact);
        for (int k = 0; k < s->stage_count; k++) {
            char when[NAME_SIZE];
            snprintf(when, sizeof when, "%s_first_%d", contact, k);
            CAROM_TRY(draw_at(run, when, s->velocity + k * n, count, lines));
        }
    }
    return CAROM_OK;
}
