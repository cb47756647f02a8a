/** All scenes side by side, for figures and tables: /overview. */
#include "results.h"

#include <stdio.h>
#include <stdlib.h>

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

/** /overview/SETTING/NAME over scenes and laws. */
static void write_column(const results *r, int setting, const column *c, double *values) {
    char path[PATH_SIZE];
    for (int i = 0; i < r->count; i++) {
        for (int law = 0; law < LAWS; law++) {
            values[i * LAWS + law] = c->value(r->scenes + i, setting, law);
        }
    }
    snprintf(path, sizeof path, "/overview/%s/%s",
             impact_laws_setting_name((impact_setting)setting), c->name);
    carom_record_series(r->record, path, values, "/scene", "/law", "1", c->long_name);
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

carom_status impact_laws_write_overview(const results *r) {
    double *values = calloc((size_t)r->count * LAWS, sizeof *values);
    if (values == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    write_scenes(r, values);
    for (int setting = 0; setting < SETTINGS; setting++) {
        for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
            write_column(r, setting, columns + i, values);
        }
    }
    free(values);
    return CAROM_OK;
}
