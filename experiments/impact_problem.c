/**
 * impact_problem: any impact with friction, by any law (halm-2023, seghete-2014).
 *
 *     M (v+ - v-) = J_n' L_n + J_t' L_t,   normal speeds J_n v,   Coulomb friction, inelastic
 *
 * A small text file gives M, J_n, J_t, mu and v- (src/study/problem_file.h says how); without one
 * the end of a rod strikes the ground and friction reverses its slip, an example that is not
 * printed in the paper. Laws: Routh's of each contact alone; Anitescu and Potra's, all solutions of
 * it in the plane; contacts one after the other; the sampled set with its bounds and its coverage;
 * the exact inclusion in the plane; with restitution the propagative model, without friction, all
 * its sequences or that of a rule, and Newton and Moreau's law. Numbers of samples and paths and
 * the step are chosen.
 */
#include "impact_problem/results.h"

#include <carom/impact/contact_modes.h>
#include <carom/program/memory.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- the problem, and what options must not combine ------------------------------------------ */

/** Most unknowns of a complementarity problem in space: its matrix then takes 130 MB. */
enum { MOST_UNKNOWNS = 4096 };

/** Contacts whose own planes are drawn. */
enum { DRAWN_CONTACTS = 6 };

/** A uniform rod of 1 kg and 2 m, at 50 degrees to the ground, strikes it with its lower end.
 * Chosen because friction reverses its slip; halm-2023 has no such example. data/examples/rod.txt
 * says the same. */
static const char *const rod = "mass\n"
                               "1 0 0\n"
                               "0 1 0\n"
                               "0 0 0.3333333333333333\n"
                               "normal\n"
                               "0 1 -0.6427876096865394\n"
                               "tangential\n"
                               "1 0 0.766044443118978\n"
                               "friction\n"
                               "0.25\n"
                               "velocity\n"
                               "0.3 -1 0\n"
                               "names\n"
                               "end\n";

/** The end of a path that fits the context of a report. */
static void set_path_context(carom_report *report, const char *path) {
    char context[CAROM_REPORT_CONTEXT_SIZE];
    const size_t length = strlen(path);
    const bool is_long = length >= sizeof context;
    snprintf(context, sizeof context, "%s%s", is_long ? "..." : "",
             path + (is_long ? length - (sizeof context - 4) : 0));
    carom_report_set_context(report, context);
}

/** Read the problem that was asked for. */
static carom_status read_problem(settings *v, carom_report *report) {
    carom_status status = CAROM_OK;
    if (v->path == NULL) {
        status = carom_problem_file_parse(rod, strlen(rod), &v->file, v->defect);
    } else {
        status = carom_problem_file_read(v->path, &v->file, v->defect);
    }
    if (status == CAROM_STATUS_IO) {
        return carom_report_say(
            report, status,
            "--problem %.60s %s; accepted is a file with sections mass, normal, "
            "tangential, friction and velocity",
            v->path, v->defect);
    }
    if (status != CAROM_OK) {
        (void)carom_report_fail(report, status, v->defect, (double)NAN, -1);
        set_path_context(report, v->path != NULL ? v->path : "example");
        return status;
    }
    // The record tells the numbers of the problem, not where they were found.
    v->path = NULL;
    for (int i = 0; v->file->names != NULL && i < v->file->problem->contact_count; i++) {
        v->names[i] = v->file->names[i];
    }
    return CAROM_OK;
}

/** Refuse cones in space that are none or too large. */
static carom_status check_facets(const settings *v, carom_report *report) {
    const carom_impact_problem *p = v->file->problem;
    if (p->tangent_count == 1) {
        return CAROM_OK;
    }
    if (v->facets < 4 || v->facets % 2 != 0) {
        return carom_report_refuse(report, "facets", v->facets, -1, "even, >= 4");
    }
    const double unknowns = (v->facets + 3.0) * p->contact_count;
    if (unknowns > MOST_UNKNOWNS) {
        return carom_report_bound(report, "(--facets + 3) times the contacts", unknowns, "at most",
                                  MOST_UNKNOWNS);
    }
    return CAROM_OK;
}

/** Read the problem and refuse options that do not fit together. */
static carom_status check(void *context, carom_report *report) {
    settings *values = context;
    values->has_restitution = !isnan(values->restitution);
    values->restitution = values->has_restitution ? values->restitution : 1.0;
    CAROM_TRY(read_problem(values, report));
    CAROM_TRY(check_facets(values, report));
    const carom_impact_problem *p = values->file->problem;
    if (values->first >= p->contact_count) {
        return carom_report_bound(report, "first", values->first,
                                  "a contact, they are counted from 0, at most",
                                  p->contact_count - 1);
    }
    if (!impact_problem_applies(p, values->law)) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                "this --law is for contacts in the plane, and a list of all its "
                                "solutions for at most %d; these are %d in %s",
                                CAROM_CONTACT_MODES_MOST_UNCAPPED, p->contact_count,
                                p->tangent_count == 1 ? "the plane" : "space");
    }
    const double path_size =
        (double)((size_t)(p->coordinate_count + p->row_count + 3) * sizeof(double) +
                 2 * sizeof(int));
    CAROM_TRY(carom_memory_check(values->paths, path_size, "paths", report));
    if (values->law != LAW_ALL_THAT_APPLY && values->law != CAROM_IMPACT_LAW_SAMPLING) {
        return CAROM_OK;
    }
    return carom_impact_options_check(&values->sampling, p->contact_count, p->tangent_count,
                                      report);
}

/** Planes to be drawn, without limits: normal speeds by pairs of contacts, and the speeds of each
 * contact; returns their number. Names are kept in `names`. */
static int list_planes(const carom_impact_record *target, carom_plane planes[MOST_PLANES],
                       char names[MOST_PLANES][PATH_SIZE]) {
    const int m = target->problem->contact_count;
    const int t = target->problem->tangent_count;
    const int drawn = m < DRAWN_CONTACTS ? m : DRAWN_CONTACTS;
    int count = 0;
    for (int i = 0; i < drawn; i++) {
        const int slip = m + t * i;
        char first[CAROM_IMPACT_NAME_SIZE];
        char second[CAROM_IMPACT_NAME_SIZE];
        carom_impact_record_name(target, i, first);
        if (i % 2 == 0 && i + 1 < m) {
            carom_impact_record_name(target, i + 1, second);
            snprintf(names[count], PATH_SIZE, "normal_%s_%s", first, second);
            planes[count] = (carom_plane){names[count], i, i + 1, NAN, NAN, NAN, NAN};
            count++;
        }
        snprintf(names[count], PATH_SIZE, "contact_%s", first);
        planes[count] = (carom_plane){names[count], i, slip, NAN, NAN, NAN, NAN};
        count++;
        if (t == 2) {
            snprintf(names[count], PATH_SIZE, "slip_%s", first);
            planes[count] = (carom_plane){names[count], slip, slip + 1, NAN, NAN, NAN, NAN};
            count++;
        }
    }
    return count;
}

/* --- the program ------------------------------------------------------------------------------ */

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const settings *values = context;
    carom_impact_options sampling = values->sampling;
    if (isnan(sampling.impulse_step)) {
        sampling.impulse_step =
            CAROM_IMPACT_STEP_PART * carom_impact_stopping_impulse(values->file->problem);
    }
    char names[MOST_PLANES][PATH_SIZE];
    carom_plane planes[MOST_PLANES];
    carom_impact_study study = {
        .target = {record, values->file->problem,
                   values->file->names != NULL ? values->names : NULL},
        .options = &sampling,
        .common = common,
        .facets = values->facets,
        .planes = planes,
        .part_samples = CAROM_IMPACT_PART_SAMPLES,
    };
    study.plane_count = list_planes(&study.target, planes, names);
    carom_impact_study_results study_results = {.simultaneous = NULL};
    const application a = {values, &study, &study_results, report};
    const carom_status status = impact_problem_apply(&a);
    carom_impact_study_results_clear(&study_results);
    return status;
}

/** Choices as the table of laws has them, listed by main. */
static char law_names[512];

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_TEXT("problem", settings, path,
               "file with mass matrix, contacts, friction and velocity; else a rod that strikes "
               "the ground"),
    CAROM_CHOICE("law", settings, law, "impact law", law_names),
    CAROM_CHOICE("orders", settings, orders, "orders of the sequential law", "cyclic|all"),
    CAROM_INTEGER("facets", settings, facets, "1", "directions of a friction cone in space, even",
                  "positive"),
    CAROM_INTEGER("paths", settings, paths, "1", "random paths of the inclusion; 0: none",
                  "not negative"),
    CAROM_CHOICE("rule", settings, rule,
                 "approaching contact that the propagative law reflects next; all: every sequence",
                 "most|least|index|cyclic|random|all"),
    CAROM_INTEGER("first", settings, first, "1",
                  "contact, from 0 on, that the cyclic rule begins at", "not negative"),
    CAROM_INTEGER("momenta", settings, momenta, "1",
                  "most momenta on the way of all sequences of the propagative law; a hundred "
                  "bytes and more of memory for each",
                  "positive"),
    CAROM_REAL("restitution", settings, restitution, "1",
               "restitution of every contact: R of the propagative law, e of Newton and Moreau's, "
               "else 1; laws without restitution refuse one above 0",
               "[0, 1]"),
    CAROM_OPTIONS_OF(settings, sampling, carom_impact_options_before_step),
    CAROM_REAL("impulse-step", settings, sampling.impulse_step, "N s",
               "largest normal impulse of a contact in an increment; else twice what stops one "
               "contact without friction",
               "positive"),
    CAROM_OPTIONS_OF(settings, sampling, carom_impact_options_after_step),
};

int main(int argc, char **argv) {
    carom_impact_options_list_laws(CAROM_IMPACT_LAW_COUNT,
                                   "anitescu-potra-all|bounds|all-that-apply", sizeof law_names,
                                   law_names);
    settings v = {
        .law = LAW_ALL_THAT_APPLY,
        .orders = CAROM_SEQUENTIAL_CYCLIC,
        .facets = 8,
        .paths = 256,
        .rule = RULE_ALL,
        .momenta = carom_propagative_tree_params_default().most_momenta,
        .restitution = NAN,
        .sampling = carom_impact_options_default(4096, 20, (double)NAN),
    };
    const carom_program program = {
        .name = "impact_problem",
        .title = "Laws of simultaneous frictional impact applied to a problem of one's own",
        .source = "halm-2023, seghete-2014",
        .schema = "impact_problem 1",
        .options = CAROM_OPTIONS(options),
        .operand = "problem",
        .has_samples = true,
        CAROM_TABLES(carom_impact_tables),
    };
    const int status = carom_experiment_main(&program, argc, argv, check, body, &v);
    carom_problem_file_free(v.file);
    return status;
}
