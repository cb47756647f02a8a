/**
 * impact_laws: every impact law on every impact of the five papers.
 *
 *     M (v+ - v-) = J_n' L_n + J_t' L_t,   the position stays as it is
 *
 * Newton and Moreau's law, Anitescu and Potra's, single impacts one after the other, propagative
 * reflections, the sampled set of Routh's impacts, and compliant contacts in the limit of infinite
 * stiffness are asked the same questions: elastic and plastic without friction, plastic with the
 * friction of the scene, and what the paper itself asks. A law that does not know restitution or
 * friction says so. Velocities, energies, numbers of outcomes, costs, and the distances of the laws
 * from each other are recorded. Scenes are those of the papers with their parameters; what had to
 * be chosen besides is said where they are made (experiments/impact_laws/scenes*.c).
 */
#include "impact_laws/results.h"

#include <carom/study/impact_options.h>

#include <stdio.h>
#include <string.h>

/** Length of the text that lists all scenes. */
enum { CHOICES_SIZE = 1024 };

/** Say how many answers failed: the record tells why. */
static void announce(const results *r) {
    int failed = 0;
    for (int i = 0; i < r->count * SETTINGS * LAWS; i++) {
        const scene_result *s = r->scenes + i / (SETTINGS * LAWS);
        failed += s->answers[i / LAWS % SETTINGS][i % LAWS].kind == ANSWER_FAILED ? 1 : 0;
    }
    if (failed > 0 && !r->common->is_quiet) {
        printf("impact_laws: %d answers failed: see /SCENE/SETTING/LAW/status\n", failed);
    }
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    results r = {.values = context, .common = common, .record = record, .report = report};
    carom_status status = impact_laws_compare(&r);
    if (status == CAROM_OK) {
        status = impact_laws_write(&r);
    }
    if (status == CAROM_OK) {
        status = impact_laws_write_claims(&r);
    }
    if (status == CAROM_OK) {
        status = impact_laws_write_findings(&r);
    }
    if (status == CAROM_OK) {
        announce(&r);
    }
    impact_laws_clear(&r);
    return status;
}

/** "bouncing_ball|...|all": as the table has them. */
static void list_scenes(char choices[CHOICES_SIZE]) {
    int count = 0;
    const scene_entry *scenes = impact_laws_scenes(&count);
    choices[0] = '\0';
    for (int i = 0; i < count; i++) {
        strncat(choices, scenes[i].name, CHOICES_SIZE - strlen(choices) - 1);
        strncat(choices, "|", CHOICES_SIZE - strlen(choices) - 1);
    }
    strncat(choices, "all", CHOICES_SIZE - strlen(choices) - 1);
}

int main(int argc, char **argv) {
    char scenes[CHOICES_SIZE];
    char laws[CHOICES_SIZE];
    list_scenes(scenes);
    carom_impact_options_list_laws(LAWS, "all", sizeof laws, laws);
    settings v = {
        .law = LAWS,
        .samples = 1024,
        .ratio = 1e3,
        .damping = 200.0,
        .restitution = NAN,
        .friction = NAN,
    };
    (void)impact_laws_scenes(&v.scene);
    const carom_option options[] = {
        {"scene", CAROM_OPTION_CHOICE, &v.scene, NULL, "impact", CAROM_RANGE_ANY, scenes},
        {"law", CAROM_OPTION_CHOICE, &v.law, NULL, "impact law", CAROM_RANGE_ANY, laws},
        {"samples", CAROM_OPTION_INTEGER, &v.samples, "1", "samples of the set of outcomes",
         CAROM_RANGE_INTERVAL, "[1, 1048576]"},
        // Larger ratios are beyond what the integrator tells apart.
        {"stiffness-ratio", CAROM_OPTION_REAL, &v.ratio, "1",
         "stiffness of one contact, each in turn, over that of the others; equal ones come first",
         CAROM_RANGE_INTERVAL, "[1e-6, 1e6]"},
        {"damping-ratio", CAROM_OPTION_REAL, &v.damping, "1",
         "zeta of inelastic compliant contacts, which give back 1/(4 zeta^2) of the speed",
         CAROM_RANGE_INTERVAL, "(0, 1e6]"},
        {"restitution", CAROM_OPTION_REAL, &v.restitution, "1",
         "coefficient e of all contacts in the setting `own`; else that of each paper",
         CAROM_RANGE_UNIT_INTERVAL, NULL},
        {"friction", CAROM_OPTION_REAL, &v.friction, "1",
         "coefficient mu of all contacts that can slide; else that of each paper",
         CAROM_RANGE_INTERVAL, "[0, 1e7]"},
    };
    const carom_program program = {
        .name = "impact_laws",
        .title = "Every impact law on every impact of the five papers",
        .source = "bruls-2014, thorin-2017, halm-2023, pankov-2024, seghete-2014",
        .schema = "impact_laws 1",
    };
    return carom_experiment_main(&program, argc, argv, options,
                                 (int)(sizeof options / sizeof options[0]), NULL, body, &v);
}
