/* Constructors of models: a parameter that is not a number, infinite, or negative where it cannot
 * be, is refused by name, before anything is made. */
#include <carom/models/clamped_bar.h>
#include <carom/models/zeno_block.h>

#include "every_model.h"

#include <string.h>

/* X(model, what it makes, the parameters that are reals) */
#define MODELS(X)                                                                                  \
    X(armed_biped, carom_model, F(armed_biped, gravity), F(armed_biped, half_step_angle))          \
    X(ball_column, carom_model, F(ball_column, mass), F(ball_column, radius),                      \
      F(ball_column, gravity), F(ball_column, restitution))                                        \
    X(bouncing_ball, carom_model, F(bouncing_ball, mass), F(bouncing_ball, radius),                \
      F(bouncing_ball, gravity), F(bouncing_ball, initial_height),                                 \
      F(bouncing_ball, initial_velocity), F(bouncing_ball, restitution))                           \
    X(bouncing_pendulum, carom_model, F(bouncing_pendulum, mass), F(bouncing_pendulum, inertia),   \
      F(bouncing_pendulum, length), F(bouncing_pendulum, gravity),                                 \
      F(bouncing_pendulum, initial_angle), F(bouncing_pendulum, initial_rate),                     \
      F(bouncing_pendulum, wall_position), F(bouncing_pendulum, restitution))                      \
    X(box_tower, carom_model, F(box_tower, mass), F(box_tower, width), F(box_tower, height),       \
      F(box_tower, gravity), F(box_tower, friction), F(box_tower, restitution))                    \
    X(clamped_bar, carom_linear_system, F(clamped_bar, young_modulus), F(clamped_bar, density),    \
      F(clamped_bar, length), F(clamped_bar, section), F(clamped_bar, gap_at_rest))                \
    X(compass_gait, carom_impact_scene, F(compass_gait, leg_length), F(compass_gait, mass_offset), \
      F(compass_gait, leg_mass), F(compass_gait, trailing_pitch), F(compass_gait, leading_pitch),  \
      F(compass_gait, trailing_rate), F(compass_gait, leading_rate), F(compass_gait, friction),    \
      F(compass_gait, gravity))                                                                    \
    X(disk_stack, carom_impact_scene, F(disk_stack, radius), F(disk_stack, mass),                  \
      F(disk_stack, friction), F(disk_stack, initial_velocity), F(disk_stack, gravity))            \
    X(elastic_bar, carom_model, F(elastic_bar, young_modulus), F(elastic_bar, density),            \
      F(elastic_bar, length), F(elastic_bar, section), F(elastic_bar, initial_gap),                \
      F(elastic_bar, initial_velocity), F(elastic_bar, restitution))                               \
    X(falling_disk, carom_impact_scene, F(falling_disk, radius), F(falling_disk, mass),            \
      F(falling_disk, gravity), F(falling_disk, initial_gap), F(falling_disk, initial_velocity),   \
      F(falling_disk, friction))                                                                   \
    X(leaning_box, carom_impact_scene, F(leaning_box, side), F(leaning_box, mass),                 \
      F(leaning_box, tilt), F(leaning_box, initial_velocity), F(leaning_box, friction),            \
      F(leaning_box, gravity))                                                                     \
    X(ramone, carom_impact_scene, F(ramone, trunk_mass), F(ramone, trunk_inertia),                 \
      F(ramone, thigh_mass), F(ramone, thigh_inertia), F(ramone, shank_mass),                      \
      F(ramone, shank_inertia), F(ramone, trunk_to_hip), F(ramone, hip_to_thigh),                  \
      F(ramone, knee_to_shank), F(ramone, thigh_length), F(ramone, shank_length),                  \
      F(ramone, foot_radius), F(ramone, trunk_angle), F(ramone, leading_hip),                      \
      F(ramone, leading_knee), F(ramone, trailing_hip), F(ramone, trunk_rate),                     \
      F(ramone, leading_hip_rate), F(ramone, leading_knee_rate), F(ramone, trailing_hip_rate),     \
      F(ramone, trailing_knee_rate), F(ramone, friction), F(ramone, gravity))                      \
    X(rigid_block, carom_impact_scene, F(rigid_block, width), F(rigid_block, height),              \
      F(rigid_block, mass), F(rigid_block, friction), F(rigid_block, initial_speed),               \
      F(rigid_block, tilt), F(rigid_block, gravity))                                               \
    X(rocking_block, carom_model, F(rocking_block, mass), F(rocking_block, width),                 \
      F(rocking_block, height), F(rocking_block, gravity), F(rocking_block, restitution),          \
      F(rocking_block, initial_x), F(rocking_block, initial_y), F(rocking_block, initial_angle),   \
      F(rocking_block, initial_x_velocity), F(rocking_block, initial_y_velocity),                  \
      F(rocking_block, initial_rate))                                                              \
    X(trex, carom_model, F(trex, anterior_radius), F(trex, posterior_radius),                      \
      F(trex, upper_length), F(trex, lower_length), F(trex, body_density), F(trex, limb_density),  \
      F(trex, limb_section), F(trex, knee_stiffness), F(trex, knee_damping),                       \
      F(trex, body_stiffness), F(trex, body_damping), F(trex, hip_stiffness),                      \
      F(trex, hip_damping), F(trex, hip_start_time), F(trex, drop_height), F(trex, gravity),       \
      F(trex, friction), F(trex, restitution))                                                     \
    X(zeno_block, carom_zeno_block, F(zeno_block, width), F(zeno_block, height),                   \
      F(zeno_block, mass), F(zeno_block, friction), F(zeno_block, initial_rate),                   \
      F(zeno_block, gravity))                                                                      \
    X(billiard_break, carom_impact_scene, F(billiard_break, density), F(billiard_break, angle),    \
      F(billiard_break, speed), F(billiard_break, restitution))

/** A real of a struct of parameters. */
typedef struct field {
    const char *name;
    size_t offset;
} field;
#define F(MODEL, FIELD) \
    { #FIELD, offsetof(carom_##MODEL##_params, FIELD) }

/** Make a model with one of its default parameters replaced; the status, what was made freed. */
#define DEFINE(MODEL, TYPE, ...)                                                               \
    static carom_status make_with_##MODEL(size_t offset, double value, carom_report *report) { \
        carom_##MODEL##_params params = carom_##MODEL##_params_default();                      \
        memcpy((char *)&params + offset, &value, sizeof value);                                \
        TYPE *made = NULL;                                                                     \
        const carom_status status = carom_##MODEL##_alloc(&params, &made, report);             \
        ck_assert_int_eq(made != NULL, status == CAROM_OK);                                    \
        TYPE##_free(made);                                                                     \
        return status;                                                                         \
    }                                                                                          \
    static const field FIELDS_OF_##MODEL[] = {__VA_ARGS__};
MODELS(DEFINE)

#define LIST(MODEL, TYPE, ...) \
    {#MODEL, make_with_##MODEL, FIELDS_OF_##MODEL, sizeof FIELDS_OF_##MODEL / sizeof(field)},
static const struct {
    const char *name;
    carom_status (*make)(size_t offset, double value, carom_report *report);
    const field *fields;
    size_t field_count;
} CONSTRUCTORS[] = {MODELS(LIST)};
enum { CONSTRUCTOR_COUNT = sizeof CONSTRUCTORS / sizeof CONSTRUCTORS[0] };

/** The report names what was refused. */
static void assert_named(const carom_report *report, const char *model, const char *parameter) {
    ck_assert_msg(report->quantity != NULL || report->sentence[0] != '\0',
                  "%s.%s is refused without a word", model, parameter);
}

TEST(errors, what_is_no_number_is_refused_by_every_constructor) {
    const double values[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (int k = 0; k < CONSTRUCTOR_COUNT; k++) {
        for (size_t i = 0; i < CONSTRUCTORS[k].field_count; i++) {
            const field *f = &CONSTRUCTORS[k].fields[i];
            for (int j = 0; j < 3; j++) {
                carom_report report = carom_report_empty();
                const carom_status status = CONSTRUCTORS[k].make(f->offset, values[j], &report);
                ck_assert_msg(status == CAROM_STATUS_NOT_FINITE ||
                                  status == CAROM_STATUS_OUT_OF_RANGE,
                              "%s.%s = %g: %s", CONSTRUCTORS[k].name, f->name, values[j],
                              carom_status_name(status));
                assert_named(&report, CONSTRUCTORS[k].name, f->name);
                ck_assert_int_eq(CONSTRUCTORS[k].make(f->offset, values[j], NULL), status);
            }
        }
    }
}

TEST(errors, what_cannot_be_negative_is_refused_by_every_constructor) {
    static const char *const sizes[] = {"mass",    "radius", "inertia", "friction", "restitution",
                                        "density", "width",  "height",  "length"};
    int refused = 0;
    for (int k = 0; k < CONSTRUCTOR_COUNT; k++) {
        for (size_t i = 0; i < CONSTRUCTORS[k].field_count; i++) {
            const field *f = &CONSTRUCTORS[k].fields[i];
            bool is_size = false;
            for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
                is_size = is_size || strcmp(f->name, sizes[s]) == 0;
            }
            if (is_size) {
                carom_report report = carom_report_empty();
                const carom_status status = CONSTRUCTORS[k].make(f->offset, -0.37, &report);
                ck_assert_msg(status == CAROM_STATUS_OUT_OF_RANGE, "%s.%s: %s",
                              CONSTRUCTORS[k].name, f->name, carom_status_name(status));
                assert_named(&report, CONSTRUCTORS[k].name, f->name);
                refused++;
            }
        }
    }
    ck_assert_int_gt(refused, 40);
}
