/** The record: a group for each scene, in it one for each setting and law; all scenes side by side,
 * for figures and tables, in /overview; and what is counted over them. */
#include "results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** The kinds of outcomes. */
static const char *const kinds[] = {"not asked for", "answered", "does not apply", "failed"};

/** Groups of the settings. */
static const char *const SETTING_NAMES[SETTINGS] = {"elastic", "plastic", "friction", "own"};

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
                                   const carom_outcome_set *a) {
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
    carom_record_integer(group, "count", a->set.count, "1", "number of distinct outcomes");
    if (a->kind != OUTCOMES_FOUND) {
        return CAROM_OK;
    }
    carom_record_integer(group, "mode_count", a->set.mode_count, "1",
                         "modes of the contacts that the outcomes end in");
    carom_record_integer(group, "cost", a->cost, "1", law->cost);
    const carom_measure numbers[] = {
        {"least_energy", a->set.least_energy, "1", "smallest energy_ratio"},
        {"most_energy", a->set.most_energy, "1", "largest energy_ratio"},
        {"unfinished", a->unfinished, "1", "part of the samples that did not end"},
        {"residual", a->residual, "1", "largest violation of the conditions of the law"},
    };
    carom_record_scalars(group, numbers, COUNT(numbers));
    return write_outcomes(group, s, &a->set);
}

/** All laws in a setting, and their distances. */
static carom_status write_setting(carom_record *scene, const scene_result *s,
                                  impact_setting setting) {
    carom_record group = carom_record_group(scene, "%s", SETTING_NAMES[setting]);
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

/** The numbers of all laws in a scene. */
typedef struct overview {
    double least_energy[LAWS];
    double most_energy[LAWS];
    double count[LAWS];
    double mode_count[LAWS];
    double cost[LAWS];
    double kind[LAWS];
    double nearest[LAWS];
    double farthest[LAWS];
} overview;

static const carom_field OVERVIEW_FIELDS[] = {
    CAROM_FIELD_ARRAY("least_energy", overview, least_energy, "/law", "1",
                      "smallest part of the kinetic energy kept; NaN: no outcome"),
    CAROM_FIELD_ARRAY("most_energy", overview, most_energy, "/law", "1",
                      "largest part of the kinetic energy kept; NaN: no outcome"),
    CAROM_FIELD_ARRAY("count", overview, count, "/law", "1",
                      "number of distinct outcomes; NaN: not computed"),
    CAROM_FIELD_ARRAY("mode_count", overview, mode_count, "/law", "1",
                      "modes of the contacts that the outcomes end in; NaN: no outcome"),
    CAROM_FIELD_ARRAY("cost", overview, cost, "/law", "1",
                      "elementary steps, see /SCENE/SETTING/LAW/cost; NaN: none"),
    CAROM_FIELD_ARRAY("kind", overview, kind, "/law", "1",
                      "0 not asked for, 1 answered, 2 does not apply, 3 failed"),
    CAROM_FIELD_ARRAY("nearest", overview, nearest, "/law", "1",
                      "distance of Newton and Moreau's outcomes from the law's; NaN: none"),
    CAROM_FIELD_ARRAY("farthest", overview, farthest, "/law", "1",
                      "distance of the law's outcomes from Newton and Moreau's; NaN: none"),
};

static overview overview_of(const scene_result *s, int setting) {
    overview row;
    for (int k = 0; k < LAWS; k++) {
        const law_outcomes *a = &s->outcomes[setting][k];
        const bool is_found = a->kind == OUTCOMES_FOUND;
        row.least_energy[k] = is_found ? a->set.least_energy : (double)NAN;
        row.most_energy[k] = is_found ? a->set.most_energy : (double)NAN;
        row.count[k] = is_found ? a->set.count : (double)NAN;
        row.mode_count[k] = is_found ? a->set.mode_count : (double)NAN;
        row.cost[k] = is_found ? a->cost : (double)NAN;
        row.kind[k] = a->kind;
        row.nearest[k] = s->distance[setting][CAROM_IMPACT_LAW_NEWTON_MOREAU][k];
        row.farthest[k] = s->distance[setting][k][CAROM_IMPACT_LAW_NEWTON_MOREAU];
    }
    return row;
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

/** The number of closed contacts, which line of the table a scene is, and its numbers. */
static carom_status write_overview(const results *r) {
    int total = 0;
    const scene_entry *entries = impact_laws_scenes(&total);
    CAROM_AUTO_MEMORY overview *rows = calloc((size_t)r->count, sizeof *rows);
    CAROM_AUTO_MEMORY double *values = calloc(2 * (size_t)r->count, sizeof *values);
    if (rows == NULL || values == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < r->count; i++) {
        values[i] = r->scenes[i].problem->contact_count;
        values[r->count + i] = (double)(r->scenes[i].entry - entries);
    }
    carom_record group = carom_record_group(r->record, "/overview");
    write_names(r, "/overview/scenes", r->count, scene_name);
    write_names(r, "/overview/laws", LAWS, law_name);
    const carom_column columns[] = {
        {"contacts", values, "1", "closed contacts"},
        {"place", values + r->count, "1", "place of the scene in the table of all"},
    };
    carom_record_columns(&group, "/scene", NULL, columns, COUNT(columns));
    for (int setting = 0; setting < SETTINGS; setting++) {
        for (int i = 0; i < r->count; i++) {
            rows[i] = overview_of(r->scenes + i, setting);
        }
        carom_record own = carom_record_group(&group, "%s", SETTING_NAMES[setting]);
        carom_record_rows(&own, "/scene", rows, r->count, sizeof *rows, OVERVIEW_FIELDS,
                          COUNT(OVERVIEW_FIELDS));
    }
    return CAROM_OK;
}

/* --- counts, energies and distances over all scenes: /measures -------------------------------- */

/** Laws agree: what inelastic compliant contacts give back and their integrator. */
static const double AGREE = 1e-4;

/** A finite ratio of stiffness reaches a limit if it is so near, in parts of what two laws differ
 * by. */
static const double LIMIT = 1e-2;

/** Impulses below this part of the largest one are no pull. */
static const double PULL = 1e-9;

/** Rounding of energies, in parts of that before. */
static const double ROUNDING = 1e-9;

/** What a scene says of a condition. */
typedef enum answer { OPEN, NO, YES } answer;

static answer answer_of(bool holds) {
    return holds ? YES : NO;
}

/** Whether the plastic outcome of reflections holds contacts together by impulses that pull. */
static answer pulls(const scene_result *s) {
    const law_outcomes *a = &s->outcomes[SETTING_PLASTIC][CAROM_IMPACT_LAW_PROPAGATIVE];
    double least = 0.0;
    double largest = 0.0;
    for (int i = 0; i < s->problem->contact_count && a->kind == OUTCOMES_FOUND; i++) {
        least = fmin(least, a->set.impulse[i]);
        largest = fmax(largest, fabs(a->set.impulse[i]));
    }
    return a->kind == OUTCOMES_FOUND ? answer_of(least < -PULL * largest) : OPEN;
}

/** How far elastic reflections are from Newton and Moreau's outcome; NaN without one of them. */
static double elastic_gap(const scene_result *s) {
    return s
        ->distance[SETTING_ELASTIC][CAROM_IMPACT_LAW_PROPAGATIVE][CAROM_IMPACT_LAW_NEWTON_MOREAU];
}

static answer is_apart(const scene_result *s) {
    return isnan(elastic_gap(s)) ? OPEN : answer_of(elastic_gap(s) > AGREE);
}

/** Where both are apart, whether all outcomes of one are among those of compliant contacts. */
static answer is_limit(const scene_result *s, carom_impact_law_id law) {
    const double off = s->distance[SETTING_ELASTIC][law][CAROM_IMPACT_LAW_COMPLIANT];
    return isnan(off) || is_apart(s) != YES ? OPEN : answer_of(off <= LIMIT * elastic_gap(s));
}

static answer is_moreau_limit(const scene_result *s) {
    return is_limit(s, CAROM_IMPACT_LAW_NEWTON_MOREAU);
}

static answer is_reflections_limit(const scene_result *s) {
    return is_limit(s, CAROM_IMPACT_LAW_PROPAGATIVE);
}

/** Whether any two laws differ with friction. */
static answer is_rough_apart(const scene_result *s) {
    double largest = (double)NAN;
    for (int i = 0; i < LAWS * LAWS; i++) {
        if (i / LAWS != i % LAWS) {
            largest = fmax(largest, s->distance[SETTING_FRICTION][i / LAWS][i % LAWS]);
        }
    }
    return isnan(largest) ? OPEN : answer_of(largest > AGREE);
}

/** In how many scenes a condition holds; conditions that no scene decides are left out. */
static void write_conditions(const results *r) {
    static const struct {
        const char *name;
        const char *text;
        answer (*of)(const scene_result *s);
    } conditions[] = {
        {"pulling_count",
         "scenes whose plastic outcome in the propagative model needs impulses that pull", pulls},
        {"elastic_apart_count",
         "scenes in which reflections and Newton and Moreau's law differ, elastic", is_apart},
        {"moreau_limit_count",
         "of these, scenes with Newton and Moreau's outcome among the compliant ones",
         is_moreau_limit},
        {"reflections_limit_count",
         "of these, scenes with those of all reflections among the compliant ones",
         is_reflections_limit},
        {"friction_apart_count", "scenes with friction on which laws differ", is_rough_apart},
    };
    for (int k = 0; k < COUNT(conditions); k++) {
        int counts[] = {[OPEN] = 0, [NO] = 0, [YES] = 0};
        for (int i = 0; i < r->count; i++) {
            counts[conditions[k].of(r->scenes + i)]++;
        }
        if (counts[OPEN] < r->count) {
            carom_record_measure(r->record, conditions[k].name, counts[YES], "1",
                                 conditions[k].text);
        }
    }
}

/** How many laws gain energy; those of restitution and friction together are counted besides. */
static void write_energies(const results *r) {
    int count = 0;
    int gaining = 0;
    int rough = 0;
    int rough_gaining = 0;
    for (int i = 0; i < r->count * SETTINGS * LAWS; i++) {
        const scene_result *s = r->scenes + i / (SETTINGS * LAWS);
        const int setting = i / LAWS % SETTINGS;
        const law_outcomes *a = &s->outcomes[setting][i % LAWS];
        if (a->kind != OUTCOMES_FOUND) {
            continue;
        }
        const int gains = a->set.most_energy > 1.0 + ROUNDING ? 1 : 0;
        const bool is_rough = setting == SETTING_OWN &&
                              i % LAWS == CAROM_IMPACT_LAW_NEWTON_MOREAU && s->has_friction &&
                              s->restitution > 0.0;
        count++;
        gaining += gains;
        rough += is_rough ? 1 : 0;
        rough_gaining += is_rough ? gains : 0;
    }
    const carom_measure measures[] = {
        {"answer_count", count, "1", "answers of laws, over all scenes and settings"},
        {"gaining_count", gaining, "1", "of these, answers with more energy than before"},
        {"rough_count", rough, "1",
         "answers of Newton and Moreau's law with restitution and friction together"},
        {"rough_gaining_count", rough_gaining, "1",
         "of these, answers with more energy than before"},
    };
    carom_record_measures(r->record, measures, count == 0 ? 0 : rough == 0 ? 2 : 4);
}

/** How far outcomes of other laws are from the sampled set, at most, with friction. */
static void write_misses(const results *r) {
    static const carom_impact_law_id laws[] = {
        CAROM_IMPACT_LAW_ANITESCU_POTRA, CAROM_IMPACT_LAW_SEQUENTIAL, CAROM_IMPACT_LAW_COMPLIANT};
    for (int i = 0; i < COUNT(laws); i++) {
        double largest = (double)NAN;
        for (int k = 0; k < r->count; k++) {
            const scene_result *s = r->scenes + k;
            largest =
                fmax(largest, s->distance[SETTING_FRICTION][laws[i]][CAROM_IMPACT_LAW_SAMPLING]);
        }
        char name[PATH_SIZE];
        snprintf(name, sizeof name, "set_misses_%s", carom_impact_law_of(laws[i])->name);
        const carom_measure miss = {
            name, largest, "1",
            "largest distance of its outcomes from the sampled set, with friction"};
        carom_record_measures(r->record, &miss, 1);
    }
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
    write_conditions(r);
    write_energies(r);
    write_misses(r);
    return write_overview(r);
}
