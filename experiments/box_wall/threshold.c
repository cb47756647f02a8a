/** How much friction the simultaneous law needs to bring the box to rest. */
#include "results.h"

/** Friction this much below or above the threshold, in parts of it, decides. */
static const double BESIDE = 1e-3;

/** What the simultaneous law gives with some friction. */
typedef struct simultaneous {
    int count;         /**< solutions */
    double speed;      /**< largest speed of the first one in contact space, m/s */
    double slide_A;    /**< its tangential speeds, m/s */
    double slide_B;    /**< of B, downward */
    double separation; /**< its largest normal speed, m/s */
} simultaneous;

/** Apply the simultaneous law with another friction. */
static carom_status solve(const results *r, double friction, simultaneous *out) {
    carom_leaning_box_params box = *r->box;
    box.friction = friction;
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    CAROM_AUTO(carom_impact_problem) problem = NULL;
    CAROM_AUTO(carom_impact_result) result = NULL;
    *out = (simultaneous){.count = 0};
    CAROM_TRY(carom_leaning_box_alloc(&box, &scene, r->report));
    CAROM_TRY(carom_impact_problem_of_scene(scene, &problem, r->report));
    CAROM_TRY(
        carom_impact_law_run(&carom_impact_law_anitescu_potra, problem, NULL, &result, r->report));
    if (result->count > 0) {
        const double *c = result->contact_velocity;
        out->count = result->count;
        out->slide_A = c[TANGENTIAL_A];
        out->slide_B = c[TANGENTIAL_B];
        out->separation = fmax(fabs(c[NORMAL_A]), fabs(c[NORMAL_B]));
        out->speed = fmax(out->separation, fmax(fabs(out->slide_A), fabs(out->slide_B)));
    }
    return CAROM_OK;
}

carom_status box_wall_write_threshold(const results *r) {
    carom_record *record = r->study->target.record;
    const double least = carom_leaning_box_rest_friction(r->box->tilt);
    const double rest = box_wall_rest_speed(r);
    simultaneous below;
    simultaneous above;
    CAROM_TRY(solve(r, least * (1.0 - BESIDE), &below));
    CAROM_TRY(solve(r, least * (1.0 + BESIDE), &above));
    carom_record_claim(record, "rest_needs_friction",
                       below.speed > rest && above.count == 1 && above.speed <= rest,
                       "the simultaneous law brings the box to rest from the least "
                       "friction on, not below");
    carom_record_claim(record, "slides_below_rest_friction",
                       below.count == 1 && below.separation <= rest && fabs(below.slide_A) > rest &&
                           fabs(below.slide_B) > rest,
                       "just below, its only solution slides at both corners");
    return CAROM_OK;
}
