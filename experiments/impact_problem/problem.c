/** The problem: from a file, or the example; and what options must not combine. */
#include "results.h"

#include <carom/impact/contact_modes.h>
#include <carom/program/memory.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

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

carom_status impact_problem_check(settings *values, carom_report *report) {
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
        (double)((size_t)(p->coordinate_count + p->row_count + 2) * sizeof(double) +
                 2 * sizeof(int));
    CAROM_TRY(carom_memory_check(values->paths, path_size, "paths", report));
    if (values->law != LAW_ALL_THAT_APPLY && values->law != CAROM_IMPACT_LAW_SAMPLING) {
        return CAROM_OK;
    }
    return carom_impact_options_check(&values->sampling, p->contact_count, p->tangent_count,
                                      report);
}

double impact_problem_step(const settings *values) {
    return isnan(values->sampling.impulse_step)
               ? CAROM_IMPACT_STEP_PART * carom_impact_stopping_impulse(values->file->problem)
               : values->sampling.impulse_step;
}

/** The plane of two rows, without limits. */
static carom_plane open_plane(const char *name, int row_x, int row_y) {
    const carom_plane plane = {.name = name,
                               .row_x = row_x,
                               .row_y = row_y,
                               .x_min = NAN,
                               .x_max = NAN,
                               .y_min = NAN,
                               .y_max = NAN};
    return plane;
}

int impact_problem_planes(const carom_impact_record *target, carom_plane planes[MOST_PLANES],
                          char names[MOST_PLANES][PATH_SIZE]) {
    const int m = target->problem->contact_count;
    const int t = target->problem->tangent_count;
    const int drawn = m < DRAWN_CONTACTS ? m : DRAWN_CONTACTS;
    int count = 0;
    for (int i = 0; i < drawn; i++) {
        char first[CAROM_IMPACT_NAME_SIZE];
        char second[CAROM_IMPACT_NAME_SIZE];
        carom_impact_record_name(target, i, first);
        if (i % 2 == 0 && i + 1 < m) {
            carom_impact_record_name(target, i + 1, second);
            snprintf(names[count], PATH_SIZE, "normal_%s_%s", first, second);
            planes[count] = open_plane(names[count], i, i + 1);
            count++;
        }
        snprintf(names[count], PATH_SIZE, "contact_%s", first);
        planes[count] = open_plane(names[count], i, m + t * i);
        count++;
        if (t == 2) {
            snprintf(names[count], PATH_SIZE, "slip_%s", first);
            planes[count] = open_plane(names[count], m + t * i, m + t * i + 1);
            count++;
        }
    }
    return count;
}
