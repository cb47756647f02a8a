/** The record: a group for each scene, in it one for each setting and law; and all scenes side by
 * side, for figures and tables, in /overview. */
#include "results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** The kinds of outcomes. */
static const char *const kinds[] = {"not asked for", "answered", "does not apply", "failed"};

/* --- scenes ----------------------------------------------------------------------------------- */

/** Axes of a scene, what it is, its friction and the velocity before. */
static void write_scene(carom_record *group, const scene_result *s) {
    const carom_impact_problem *p = s->problem;
    carom_record_index_axis(group, "contact", p->contact_count, "contacts");
    carom_record_index_axis(group, "coordinate", p->coordinate_count, "coordinates");
    carom_record_string(group, "title", s->entry->title, "what happens");
    carom_record_string(group, "paper", s->entry->paper, "paper it is from");
    carom_record_scalar(group, "restitution", s->restitution, "1",
                        "coefficient of restitution of its own");
    const carom_column columns[] = {
        {"before/friction", p->friction, "1", "coefficients of friction"},
        {"before/normal_velocity", p->contact_velocity, "m s-1",
         "normal velocities before the impact"},
        {"before/tangential_velocity", p->contact_velocity + p->contact_count, "m s-1",
         "tangential velocities before the impact"},
    };
    carom_record_columns(group, "contact", NULL, columns, COUNT(columns));
    carom_record_scalar(group, "before/kinetic_energy", p->kinetic_energy, "J",
                        "kinetic energy before the impact");
    carom_record_series(group, "before/velocity", p->velocity, "coordinate", NULL, "m s-1",
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

/** Columns [first, first + m) of rows of contact space, over the outcomes of a law. */
static carom_status write_columns(carom_record *group, const scene_result *s, int count,
                                  const contact_columns *c) {
    const size_t m = (size_t)s->problem->contact_count;
    const size_t width = (size_t)s->problem->row_count;
    CAROM_AUTO_MEMORY double *part = calloc((size_t)count * m, sizeof *part);
    if (part == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (size_t k = 0; k < (size_t)count; k++) {
        memcpy(part + k * m, c->rows + k * width + c->first, m * sizeof(double));
    }
    const carom_record contact = carom_record_group(group, "/%s/contact", s->entry->name);
    carom_record_series(group, c->name, part, "outcome", contact.group, c->units, c->long_name);
    return CAROM_OK;
}

/** The outcomes of a law. */
static carom_status write_outcomes(carom_record *group, const scene_result *s,
                                   const law_outcomes *a) {
    const int m = s->problem->contact_count;
    const carom_record coordinate = carom_record_group(group, "/%s/coordinate", s->entry->name);
    carom_record_index_axis(group, "outcome", a->count, "distinct outcomes");
    carom_record_series(group, "velocity", a->velocity, "outcome", coordinate.group, "m s-1",
                        "velocity after the impact");
    carom_record_series(group, "energy_ratio", a->energy_ratio, "outcome", NULL, "1",
                        "kinetic energy over that before");
    const contact_columns columns[] = {
        {"normal_velocity", a->contact_velocity, 0, "m s-1", "normal velocities after the impact"},
        {"tangential_velocity", a->contact_velocity, m, "m s-1",
         "tangential velocities after the impact"},
        {"normal_impulse", a->impulse, 0, "N s", "normal impulses that lead there"},
        {"tangential_impulse", a->impulse, m, "N s", "tangential impulses that lead there"},
    };
    // Of samples only the velocities are known.
    const int known = isnan(a->impulse[0]) ? 2 : 4;
    for (int i = 0; i < known; i++) {
        CAROM_TRY(write_columns(group, s, a->count, columns + i));
    }
    return CAROM_OK;
}

/** A law in a setting: whether it has outcomes, and these. */
static carom_status write_law(carom_record *group, const scene_result *s, const law_outcomes *a,
                              const carom_impact_law *law) {
    char text[2 * REASON_SIZE];
    snprintf(text, sizeof text, "%s%s%s", kinds[a->kind], a->reason[0] != '\0' ? ": " : "",
             a->reason);
    carom_record_string(group, "status", text, "whether the law has outcomes");
    carom_record_integer(group, "count", a->count, "1", "number of distinct outcomes");
    if (a->kind != OUTCOMES_FOUND) {
        return CAROM_OK;
    }
    carom_record_integer(group, "mode_count", a->mode_count, "1",
                         "modes of the contacts that the outcomes end in");
    carom_record_integer(group, "cost", a->cost, "1", law->cost);
    const carom_measure numbers[] = {
        {"least_energy", impact_laws_least_energy(a), "1", "smallest energy_ratio"},
        {"most_energy", impact_laws_most_energy(a), "1", "largest energy_ratio"},
        {"unfinished", a->unfinished, "1", "part of the samples that did not end"},
        {"residual", a->residual, "1", "largest violation of the conditions of the law"},
    };
    carom_record_scalars(group, numbers, COUNT(numbers));
    return write_outcomes(group, s, a);
}

/** All laws in a setting, and their distances. */
static carom_status write_setting(carom_record *scene, const scene_result *s,
                                  impact_setting setting) {
    carom_record group = carom_record_group(scene, "%s", impact_laws_setting_name(setting));
    for (int k = 0; k < LAWS; k++) {
        const carom_impact_law *law = carom_impact_law_of((carom_impact_law_id)k);
        const law_outcomes *a = &s->outcomes[setting][k];
        if (a->kind != OUTCOMES_MISSING) {
            carom_record own = carom_record_group(&group, "%s", law->name);
            CAROM_TRY(write_law(&own, s, a, law));
        }
    }
    carom_record_series(
        &group, "distance", &s->distance[setting][0][0], "/law", "/other_law", "1",
        "farthest outcome of a law from the nearest one of another, kinetic norm over that before; "
        "NaN: no outcome");
    return CAROM_OK;
}

/* --- all scenes side by side ------------------------------------------------------------------ */

/** One number of all scenes and laws in a setting. */
typedef struct column {
    const char *name;
    const char *long_name;
    double (*value)(const scene_result *s, int setting, int law);
} column;

static double least_energy(const scene_result *s, int setting, int law) {
    return impact_laws_least_energy(&s->outcomes[setting][law]);
}

static double most_energy(const scene_result *s, int setting, int law) {
    return impact_laws_most_energy(&s->outcomes[setting][law]);
}

static double count_of(const scene_result *s, int setting, int law) {
    const law_outcomes *a = &s->outcomes[setting][law];
    return a->kind == OUTCOMES_FOUND ? a->count : (double)NAN;
}

static double modes_of(const scene_result *s, int setting, int law) {
    const law_outcomes *a = &s->outcomes[setting][law];
    return a->kind == OUTCOMES_FOUND ? a->mode_count : (double)NAN;
}

static double cost_of(const scene_result *s, int setting, int law) {
    const law_outcomes *a = &s->outcomes[setting][law];
    return a->kind == OUTCOMES_FOUND ? a->cost : (double)NAN;
}

static double kind_of(const scene_result *s, int setting, int law) {
    return s->outcomes[setting][law].kind;
}

static double nearest(const scene_result *s, int setting, int law) {
    return s->distance[setting][CAROM_IMPACT_LAW_NEWTON_MOREAU][law];
}

static double farthest(const scene_result *s, int setting, int law) {
    return s->distance[setting][law][CAROM_IMPACT_LAW_NEWTON_MOREAU];
}

static const column columns[] = {
    {"least_energy", "smallest part of the kinetic energy kept; NaN: no outcome", least_energy},
    {"most_energy", "largest part of the kinetic energy kept; NaN: no outcome", most_energy},
    {"count", "number of distinct outcomes; NaN: not computed", count_of},
    {"mode_count", "modes of the contacts that the outcomes end in; NaN: no outcome", modes_of},
    {"cost", "elementary steps, see /SCENE/SETTING/LAW/cost; NaN: none", cost_of},
    {"kind", "0 not asked for, 1 answered, 2 does not apply, 3 failed", kind_of},
    {"nearest", "distance of Newton and Moreau's outcomes from the law's; NaN: none", nearest},
    {"farthest", "distance of the law's outcomes from Newton and Moreau's; NaN: none", farthest},
};

/** /overview/SETTING over scenes and laws; `values` has room for a number of each. */
static void write_overview_of(const results *r, impact_setting setting, double *values) {
    carom_record group =
        carom_record_group(r->record, "/overview/%s", impact_laws_setting_name(setting));
    for (int k = 0; k < COUNT(columns); k++) {
        for (int i = 0; i < r->count * LAWS; i++) {
            values[i] = columns[k].value(r->scenes + i / LAWS, setting, i % LAWS);
        }
        carom_record_series(&group, columns[k].name, values, "/scene", "/law", "1",
                            columns[k].long_name);
    }
}

/** Names in the order of an axis, in one text with blanks between. */
static void write_names(const results *r, const char *path, int count,
                        const char *(*name)(const results *r, int i)) {
    char text[32 * PATH_SIZE];
    size_t length = 0;
    for (int i = 0; i < count && length < sizeof text; i++) {
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", i > 0 ? " " : "",
                                   name(r, i));
    }
    carom_record_string(r->record, path, text, "names in the order of the axis");
}

static const char *scene_name(const results *r, int i) {
    return r->scenes[i].entry->name;
}

static const char *law_name(const results *r, int i) {
    (void)r;
    return carom_impact_law_of((carom_impact_law_id)i)->name;
}

/** The number of closed contacts, and which line of the table a scene is. */
static void write_scenes(const results *r, double *values) {
    int total = 0;
    const scene_entry *entries = impact_laws_scenes(&total);
    write_names(r, "/overview/scenes", r->count, scene_name);
    write_names(r, "/overview/laws", LAWS, law_name);
    for (int i = 0; i < r->count; i++) {
        values[i] = r->scenes[i].problem->contact_count;
    }
    carom_record_series(r->record, "/overview/contacts", values, "/scene", NULL, "1",
                        "closed contacts");
    for (int i = 0; i < r->count; i++) {
        values[i] = (double)(r->scenes[i].entry - entries);
    }
    carom_record_series(r->record, "/overview/place", values, "/scene", NULL, "1",
                        "place of the scene in the table of all");
}

static carom_status write_overview(const results *r) {
    CAROM_AUTO_MEMORY double *values = calloc((size_t)r->count * LAWS, sizeof *values);
    if (values == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    write_scenes(r, values);
    for (int setting = 0; setting < SETTINGS; setting++) {
        write_overview_of(r, (impact_setting)setting, values);
    }
    return CAROM_OK;
}

carom_status impact_laws_write(const results *r) {
    carom_record_index_axis(r->record, "/scene", r->count, "see /overview/scenes");
    carom_record_index_axis(r->record, "/law", LAWS, "see /overview/laws");
    carom_record_index_axis(r->record, "/other_law", LAWS, "as /law");
    for (int i = 0; i < r->count; i++) {
        const scene_result *s = r->scenes + i;
        carom_record group = carom_record_group(r->record, "/%s", s->entry->name);
        write_scene(&group, s);
        for (int setting = 0; setting < SETTINGS; setting++) {
            if (s->is_asked[setting]) {
                CAROM_TRY(write_setting(&group, s, (impact_setting)setting));
            }
        }
    }
    return write_overview(r);
}
