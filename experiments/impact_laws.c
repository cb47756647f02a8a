/**
 * impact_laws: every impact law on every impact of the five papers.
 *
 *     M (v+ - v-) = J_n' L_n + J_t' L_t,   the position stays as it is
 *
 * Newton and Moreau's law, Anitescu and Potra's, single impacts one after the other, propagative
 * reflections, the sampled set of Routh's impacts, and compliant contacts in the limit of infinite
 * stiffness get the same settings: elastic and plastic without friction, plastic with the
 * friction of the scene, and those of the paper itself. A law that does not know restitution or
 * friction says so. Velocities, energies, numbers of outcomes, costs, and the distances of the laws
 * from each other are recorded. Scenes are those of the papers with their parameters; what had to
 * be chosen besides is said where they are made (experiments/impact_laws/scenes.c).
 */
#include "impact_laws/results.h"

#include <carom/study/impacts.h>

#include <stdio.h>
#include <string.h>

/** Choices as the tables of scenes and laws have them, listed by main. */
static char scene_names[1024];
static char law_names[1024];

/** Say how many laws failed: the record tells why. */
static void announce(const results *r) {
    int failed = 0;
    for (int i = 0; i < r->count * SETTINGS * LAWS; i++) {
        const scene_result *s = r->scenes + i / (SETTINGS * LAWS);
        failed += s->outcomes[i / LAWS % SETTINGS][i % LAWS].kind == OUTCOMES_FAILED ? 1 : 0;
    }
    if (failed > 0 && !r->common->is_quiet) {
        printf("impact_laws: %d answers failed: see /SCENE/SETTING/LAW/status\n", failed);
    }
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    results r = {.values = context, .common = common, .record = record, .report = report};
    carom_status status = impact_laws_compare(&r);
    status = status == CAROM_OK ? impact_laws_write(&r) : status;
    if (status == CAROM_OK) {
        impact_laws_write_measures(&r);
        announce(&r);
    }
    impact_laws_clear(&r);
    return status;
}

/** Fill scene_names. */
static void list_scenes(void) {
    int count = 0;
    const scene_entry *scenes = impact_laws_scenes(&count);
    for (int i = 0; i < count; i++) {
        strncat(scene_names, scenes[i].name, sizeof scene_names - strlen(scene_names) - 1);
        strncat(scene_names, "|", sizeof scene_names - strlen(scene_names) - 1);
    }
    strncat(scene_names, "all", sizeof scene_names - strlen(scene_names) - 1);
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_CHOICE("scene", settings, scene, "impact", scene_names),
    CAROM_CHOICE("law", settings, law, "impact law", law_names),
    CAROM_INTEGER("samples", settings, samples, "1", "samples of the set of outcomes",
                  "[1, 1048576]"),
    // Larger ratios are beyond what the integrator tells apart.
    CAROM_REAL(
        "stiffness-ratio", settings, ratio, "1",
        "stiffness of one contact, each in turn, over that of the others; equal ones come first",
        "[1e-6, 1e6]"),
    CAROM_REAL("damping-ratio", settings, damping, "1",
               "zeta of inelastic compliant contacts, which give back 1/(4 zeta^2) of the speed",
               "(0, 1e6]"),
    CAROM_REAL("restitution", settings, restitution, "1",
               "coefficient e of all contacts in the setting `own`; else that of each paper",
               "[0, 1]"),
    CAROM_REAL("friction", settings, friction, "1",
               "coefficient mu of all contacts that can slide; else that of each paper",
               "[0, 1e7]"),
};

/** The largest energy that a law leaves, by scene, without restitution. */
static const carom_table_column columns[] = {
    {.head = "scene", .expression = "/scene", .words = "@scenes"},
    {.head = "Newton / E before", .expression = "/overview/plastic/most_energy[:,0]"},
    {.head = "Anitescu / E before", .expression = "/overview/plastic/most_energy[:,1]"},
    {.head = "sequential / E before", .expression = "/overview/plastic/most_energy[:,2]"},
    {.head = "propagative / E before", .expression = "/overview/plastic/most_energy[:,3]"},
    {.head = "sampling / E before", .expression = "/overview/plastic/most_energy[:,4]"},
    {.head = "compliant / E before", .expression = "/overview/plastic/most_energy[:,5]"},
};

static const carom_table tables[] = {
    {.groups = "/overview", CAROM_COLUMNS(columns)},
};

int main(int argc, char **argv) {
    list_scenes();
    carom_impact_options_list_laws(LAWS, "all", sizeof law_names, law_names);
    settings v = {
        .law = LAWS,
        .samples = 1024,
        .ratio = 1e3,
        .damping = 200.0,
        .restitution = NAN,
        .friction = NAN,
    };
    (void)impact_laws_scenes(&v.scene);
    const carom_program program = {
        .name = "impact_laws",
        .title = "Every impact law on every impact of the five papers",
        .source = "bruls-2014, thorin-2017, halm-2023, pankov-2024, seghete-2014",
        .schema = "impact_laws 1",
        .options = CAROM_OPTIONS(options),
        CAROM_TABLES(tables),
    };
    return carom_experiment_main(&program, argc, argv, NULL, body, &v);
}
