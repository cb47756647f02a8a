/** Pictures of figure 4: the walker and the velocities of its points, before and after. */
#include "results.h"

#include <carom/study/scene_record.h>

#include <stdio.h>

/** Bodies of the tree: hip, leading leg, trailing leg. */
enum { LEADING_LEG = 1, TRAILING_LEG = 2 };

/** The floor reaches so far beyond the feet, as a part of the distance between them. */
static const double FLOOR_MARGIN = 0.15;

/** Longest name of a group that is made here. */
enum { NAME_SIZE = 64 };

/** Legs, masses and floor. */
static carom_status draw_bodies(const results *r) {
    const carom_compass_gait_params *gait = r->gait;
    const double leg[] = {0.0, 0.0, 0.0, -gait->leg_length};
    const double mass[] = {0.0, -gait->mass_offset};
    const double half =
        (1.0 + 2.0 * FLOOR_MARGIN) * gait->leg_length * sin(fabs(gait->trailing_pitch));
    const double floor_points[] = {-half, 0.0, half, 0.0};
    const carom_scene_line lines[] = {
        {"leading_leg", LEADING_LEG, 2, leg},   {"trailing_leg", TRAILING_LEG, 2, leg},
        {"leading_mass", LEADING_LEG, 1, mass}, {"trailing_mass", TRAILING_LEG, 1, mass},
        {"floor", -1, 2, floor_points},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        CAROM_TRY(carom_scene_record_line(r->study->target.record, "/drawing", r->scene->tree,
                                          r->scene->position, &lines[i]));
    }
    return CAROM_OK;
}

/** Velocities at v of the hip, of the masses and of the feet: NAME_leading, with the hip, and
 * NAME_trailing. */
static carom_status draw_velocities(const results *r, const char *name, const double *v) {
    const double points[] = {0.0, 0.0, 0.0, -r->gait->mass_offset, 0.0, -r->gait->leg_length};
    char leading[NAME_SIZE];
    char trailing[NAME_SIZE];
    snprintf(leading, sizeof leading, "%s_leading", name);
    snprintf(trailing, sizeof trailing, "%s_trailing", name);
    const carom_scene_line lines[] = {{leading, LEADING_LEG, 3, points},
                                      {trailing, TRAILING_LEG, 2, points + 2}};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        CAROM_TRY(carom_scene_record_velocities(r->study->target.record, "/drawing", r->scene->tree,
                                                r->scene->position, v, &lines[i]));
    }
    return CAROM_OK;
}

carom_status compass_gait_draw(const results *r) {
    const carom_impact_outcomes *simultaneous = r->study_results.simultaneous;
    CAROM_TRY(draw_bodies(r));
    CAROM_TRY(draw_velocities(r, "before", r->scene->velocity));
    for (int i = 0; i < simultaneous->count; i++) {
        char name[NAME_SIZE];
        snprintf(name, sizeof name, "simultaneous_%d", i);
        CAROM_TRY(draw_velocities(r, name, simultaneous->velocity + i * COORDINATES));
    }
    return CAROM_OK;
}
