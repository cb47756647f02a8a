/** The record: a group for each scene, in it one for each setting and law. */
#include "results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Room for a group and what is below it. */
enum { LONG_PATH_SIZE = 2 * PATH_SIZE };

/** The kinds of outcomes. */
static const char *const kinds[] = {"not asked for", "answered", "does not apply", "failed"};

/** The path of `name` below a group. */
static const char *below(const char *group, const char *name, char path[LONG_PATH_SIZE]) {
    snprintf(path, LONG_PATH_SIZE, "%s/%s", group, name);
    return path;
}

/** The group of a scene. */
static void scene_group(const scene_result *s, char group[PATH_SIZE]) {
    snprintf(group, PATH_SIZE, "/%s", s->entry->name);
}

/** Axes of a scene, and what it is. */
static void write_scene(const results *r, const scene_result *s) {
    const carom_impact_problem *p = s->problem;
    char group[PATH_SIZE];
    char path[LONG_PATH_SIZE];
    scene_group(s, group);
    carom_record_index_axis(r->record, below(group, "contact", path), p->contact_count, "contacts");
    carom_record_index_axis(r->record, below(group, "coordinate", path), p->coordinate_count,
                            "coordinates");
    carom_record_string(r->record, below(group, "title", path), s->entry->title, "what happens");
    carom_record_string(r->record, below(group, "paper", path), s->entry->paper,
                        "paper it is from");
    carom_record_scalar(r->record, below(group, "restitution", path), s->restitution, "1",
                        "coefficient of restitution of its own");
}

/** Friction and the velocity before. */
static void write_before(const results *r, const scene_result *s) {
    const carom_impact_problem *p = s->problem;
    char group[PATH_SIZE];
    char contact[LONG_PATH_SIZE];
    char path[LONG_PATH_SIZE];
    scene_group(s, group);
    below(group, "contact", contact);
    const struct {
        const char *name;
        const double *values;
        const char *units;
        const char *long_name;
    } rows[] = {
        {"before/friction", p->friction, "1", "coefficients of friction"},
        {"before/normal_velocity", p->contact_velocity, "m s-1",
         "normal velocities before the impact"},
        {"before/tangential_velocity", p->contact_velocity + p->contact_count, "m s-1",
         "tangential velocities before the impact"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        carom_record_series(r->record, below(group, rows[i].name, path), rows[i].values, contact,
                            NULL, rows[i].units, rows[i].long_name);
    }
    carom_record_scalar(r->record, below(group, "before/kinetic_energy", path), p->kinetic_energy,
                        "J", "kinetic energy before the impact");
    char coordinate[LONG_PATH_SIZE];
    carom_record_series(r->record, below(group, "before/velocity", path), p->velocity,
                        below(group, "coordinate", coordinate), NULL, "m s-1",
                        "velocity before the impact (angles: rad s-1; TREX: cm s-1)");
}

/** What columns of contact space are written as. */
typedef struct contact_columns {
    const char *name;
    const double *rows; /**< [count][r] */
    int first;          /**< of m columns */
    const char *units;
    const char *long_name;
} contact_columns;

/** Columns [first, first + m) of rows of contact space. */
static carom_status write_columns(const results *r, const scene_result *s, const char *group,
                                  int count, const contact_columns *c) {
    const size_t m = (size_t)s->problem->contact_count;
    const size_t width = (size_t)s->problem->row_count;
    char scene[PATH_SIZE];
    char path[LONG_PATH_SIZE];
    char outcome[LONG_PATH_SIZE];
    char contact[LONG_PATH_SIZE];
    double *part = calloc((size_t)count * m, sizeof *part);
    if (part == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (size_t k = 0; k < (size_t)count; k++) {
        memcpy(part + k * m, c->rows + k * width + c->first, m * sizeof(double));
    }
    scene_group(s, scene);
    carom_record_series(r->record, below(group, c->name, path), part,
                        below(group, "outcome", outcome), below(scene, "contact", contact),
                        c->units, c->long_name);
    free(part);
    return CAROM_OK;
}

/** The outcomes of a law. */
static carom_status write_outcomes(const results *r, const scene_result *s, const char *group,
                                   const law_outcomes *a) {
    const int m = s->problem->contact_count;
    char scene[PATH_SIZE];
    char path[LONG_PATH_SIZE];
    char outcome[LONG_PATH_SIZE];
    char coordinate[LONG_PATH_SIZE];
    scene_group(s, scene);
    below(group, "outcome", outcome);
    carom_record_index_axis(r->record, outcome, a->count, "distinct outcomes");
    carom_record_series(r->record, below(group, "velocity", path), a->velocity, outcome,
                        below(scene, "coordinate", coordinate), "m s-1",
                        "velocity after the impact");
    carom_record_series(r->record, below(group, "energy_ratio", path), a->energy_ratio, outcome,
                        NULL, "1", "kinetic energy over that before");
    const contact_columns columns[] = {
        {"normal_velocity", a->contact_velocity, 0, "m s-1", "normal velocities after the impact"},
        {"tangential_velocity", a->contact_velocity, m, "m s-1",
         "tangential velocities after the impact"},
        {"normal_impulse", a->impulse, 0, "N s", "normal impulses that lead there"},
        {"tangential_impulse", a->impulse, m, "N s", "tangential impulses that lead there"},
    };
    // Of samples only the velocities are known.
    const size_t known = isnan(a->impulse[0]) ? 2 : 4;
    for (size_t i = 0; i < known; i++) {
        CAROM_TRY(write_columns(r, s, group, a->count, columns + i));
    }
    return CAROM_OK;
}

/** The outcomes of a law in a setting. */
static carom_status write_outcomes_of(const results *r, const scene_result *s,
                                      impact_setting setting, carom_impact_law_id law) {
    const law_outcomes *a = &s->outcomes[setting][law];
    char group[PATH_SIZE];
    char path[LONG_PATH_SIZE];
    char text[2 * REASON_SIZE];
    if (a->kind == OUTCOMES_MISSING) {
        return CAROM_OK;
    }
    snprintf(group, sizeof group, "/%s/%s/%s", s->entry->name, impact_laws_setting_name(setting),
             carom_impact_law_of(law)->name);
    snprintf(text, sizeof text, "%s%s%s", kinds[a->kind], a->reason[0] != '\0' ? ": " : "",
             a->reason);
    carom_record_string(r->record, below(group, "status", path), text,
                        "whether the law has outcomes");
    carom_record_integer(r->record, below(group, "count", path), a->count, "1",
                         "number of distinct outcomes");
    if (a->kind != OUTCOMES_FOUND) {
        return CAROM_OK;
    }
    carom_record_integer(r->record, below(group, "mode_count", path), a->mode_count, "1",
                         "modes of the contacts that the outcomes end in");
    carom_record_integer(r->record, below(group, "cost", path), a->cost, "1",
                         carom_impact_law_of(law)->cost);
    const struct {
        const char *name;
        double value;
        const char *long_name;
    } scalars[] = {
        {"least_energy", impact_laws_least_energy(a), "smallest energy_ratio"},
        {"most_energy", impact_laws_most_energy(a), "largest energy_ratio"},
        {"unfinished", a->unfinished, "part of the samples that did not end"},
        {"residual", a->residual, "largest violation of the conditions of the law"},
    };
    for (size_t i = 0; i < sizeof scalars / sizeof scalars[0]; i++) {
        carom_record_scalar(r->record, below(group, scalars[i].name, path), scalars[i].value, "1",
                            scalars[i].long_name);
    }
    return write_outcomes(r, s, group, a);
}

/** All laws in a setting, and their distances. */
static carom_status write_setting(const results *r, const scene_result *s, impact_setting setting) {
    char path[PATH_SIZE];
    for (int law = 0; law < LAWS; law++) {
        CAROM_TRY(write_outcomes_of(r, s, setting, (carom_impact_law_id)law));
    }
    snprintf(path, sizeof path, "/%s/%s/distance", s->entry->name,
             impact_laws_setting_name(setting));
    carom_record_series(
        r->record, path, &s->distance[setting][0][0], "/law", "/other_law", "1",
        "farthest outcome of a law from the nearest one of another, kinetic norm over that before; "
        "NaN: no outcome");
    return CAROM_OK;
}

carom_status impact_laws_write(const results *r) {
    carom_record_index_axis(r->record, "/scene", r->count, "see /overview/scenes");
    carom_record_index_axis(r->record, "/law", LAWS, "see /overview/laws");
    carom_record_index_axis(r->record, "/other_law", LAWS, "as /law");
    for (int i = 0; i < r->count; i++) {
        const scene_result *s = r->scenes + i;
        write_scene(r, s);
        write_before(r, s);
        for (int setting = 0; setting < SETTINGS; setting++) {
            if (s->is_asked[setting]) {
                CAROM_TRY(write_setting(r, s, (impact_setting)setting));
            }
        }
    }
    return impact_laws_write_overview(r);
}
