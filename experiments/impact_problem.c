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

#include <carom/study/impacts.h>

#include <math.h>
#include <stdio.h>

/** Choices as the table of laws has them, listed by main. */
static char law_names[512];

static carom_status check(void *context, carom_report *report) {
    return impact_problem_check(context, report);
}

/** Whether a law has failed by what the problem is (OUT_OF_RANGE: a contact that impulses do not
 * move; CONFLICT: contacts that cannot separate; UNSUPPORTED: restitution), so that others may go
 * on. */
static bool is_of_law(carom_status status) {
    return status == CAROM_STATUS_RAY || status == CAROM_STATUS_NOT_CONVERGED ||
           status == CAROM_STATUS_SINGULAR || status == CAROM_STATUS_OUT_OF_RANGE ||
           status == CAROM_STATUS_CONFLICT || status == CAROM_STATUS_UNSUPPORTED;
}

/** Apply one of several laws: if it fails by its numbers, its group says so. */
static carom_status apply_one_of_many(const application *a, carom_impact_law_id law) {
    const carom_status status = impact_problem_apply(a, law);
    if (!is_of_law(status)) {
        return status;
    }
    char reason[3 * PATH_SIZE];
    const char *group = carom_impact_study_group(law);
    const char *quantity = a->report->quantity;
    const char *sentence = a->report->sentence;
    snprintf(reason, sizeof reason, "%s%s%s",
             sentence[0] != '\0' ? sentence : carom_status_sentence(status),
             quantity != NULL ? ": " : "", quantity != NULL ? quantity : "");
    impact_problem_announce(a, "%s: %s", group, reason);
    *a->report = carom_report_empty();
    carom_record to = carom_record_group(a->study->target.record, "%s", group);
    carom_record_string(&to, "failure", reason, "why the law has no outcome");
    return CAROM_OK;
}

/** Apply all laws that the problem admits, but the one that follows contacts in time. */
static carom_status apply_all(const application *a) {
    for (int law = 0; law < CAROM_IMPACT_LAW_COUNT; law++) {
        if (law != CAROM_IMPACT_LAW_COMPLIANT &&
            impact_problem_applies(a->study->target.problem, law)) {
            CAROM_TRY(apply_one_of_many(a, (carom_impact_law_id)law));
        }
    }
    return CAROM_OK;
}

/** Write the problem, apply the selected laws, and say where no contact collides or no bound
 * exists. */
static carom_status apply(const application *a) {
    const carom_impact_record *target = &a->study->target;
    const carom_impact_problem *p = target->problem;
    const bool is_sampled =
        a->values->law == LAW_ALL_THAT_APPLY || a->values->law == CAROM_IMPACT_LAW_SAMPLING;
    CAROM_TRY(carom_impact_record_before(target));
    carom_impact_record_problem(target);
    if (!carom_impact_is_colliding(p, p->contact_velocity)) {
        impact_problem_announce(a, "no contact is colliding: the velocity stays as it is");
    }
    CAROM_TRY(a->values->law == LAW_ALL_THAT_APPLY ? apply_all(a)
                                                   : impact_problem_apply(a, a->values->law));
    if (is_sampled && a->study_results->samples != NULL && !a->study_results->has_bounds) {
        impact_problem_announce(
            a, "jammed: impulses within the friction cones cancel (Assumption 2 fails), there "
               "are no bounds");
    }
    return CAROM_OK;
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const settings *values = context;
    carom_impact_options sampling = values->sampling;
    sampling.impulse_step = impact_problem_step(values);
    char names[MOST_PLANES][PATH_SIZE];
    carom_plane planes[MOST_PLANES];
    carom_impact_study study = {
        .target = {record, values->file->problem,
                   values->file->names != NULL ? values->names : NULL},
        .options = &sampling,
        .common = common,
        .facets = values->facets,
        .planes = planes,
    };
    study.plane_count = impact_problem_planes(&study.target, planes, names);
    carom_impact_study_results study_results = {.simultaneous = NULL};
    const application a = {values, &study, &study_results, report};
    const carom_status status = apply(&a);
    carom_impact_study_results_clear(&study_results);
    return status;
}

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
        CAROM_TABLES(carom_impact_tables),
    };
    const int status = carom_experiment_main(&program, argc, argv, check, body, &v);
    carom_problem_file_free(v.file);
    return status;
}
