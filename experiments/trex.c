/**
 * trex: a tailed biped is dropped on a foot and its tail, and runs off (seghete-2014 section VII-B,
 * figures 1, 6, 7 and 8, table I).
 *
 *     p_k + F-(t_k, t_{k+1}) + f- = 0,   (F+ + f+) Gamma(w_1) .. Gamma(w_n) + F- + f- = 0 (30)
 *
 * A design for which the double impact has one outcome, and how far apart the momenta of its two
 * orders are, for this and for another stance. Printed in the paper: table I, densities, the limbs'
 * section, the gains of the hips, the drop. From table I: the arrangement of the joints. Chosen:
 * spheres and rods as bodies, springs and dashpots, friction, the speed of the hips, step and
 * duration; they were fixed before any run.
 */
#include "trex/results.h"

/** Springs so much stiffer keep the bodies off the floor after the drop. */
static const double STIFFENING = 10.0;

/** Refuse what the options cannot see one by one. */
static carom_status check(void *context, carom_report *report) {
    const settings *values = context;
    const carom_trex_params start = trex_start(values);
    CAROM_TRY(carom_trex_check(&start, report));
    if (!(values->duration > start.hip_start_time)) {
        return carom_report_bound(report, "duration", values->duration,
                                  "beyond the first impact at", start.hip_start_time);
    }
    if (!(values->step <= values->duration && values->duration / values->step <= TREX_MOST_STEPS)) {
        return carom_report_bound(
            report, "step", values->step,
            "up to --duration, at least a millionth of it:", values->duration / TREX_MOST_STEPS);
    }
    return CAROM_OK;
}

/** Optimize, strike, run, and write everything. */
static carom_status compute(results *r) {
    CAROM_TRY(trex_design(r));
    CAROM_TRY(trex_write_design(r));
    CAROM_TRY(trex_write_first_impacts(r));
    CAROM_TRY(trex_write_table(r));
    CAROM_TRY(trex_write_drawings(r));
    CAROM_TRY(trex_write_schematic(r));
    for (int set = 0; set < SETS; set++) {
        CAROM_TRY(trex_run_set(r, set));
    }
    return trex_write_claims(r);
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const settings *values = context;
    results r = {.values = values, .common = common, .record = record, .report = report};
    const run_set asked = {.group = "/trex",
                           .friction = values->start.friction,
                           .step = values->step,
                           .stiffening = 1.0,
                           .is_asked_for = true};
    for (int set = 0; set < SETS; set++) {
        r.sets[set] = asked;
        r.sets[set].is_asked_for = set == SET_TREX;
    }
    r.sets[SET_FRICTIONLESS].group = "/frictionless";
    r.sets[SET_FRICTIONLESS].friction = 0.0;
    r.sets[SET_HALF_STEP].group = "/half_step";
    r.sets[SET_HALF_STEP].step = 0.5 * values->step;
    r.sets[SET_STIFF].group = "/stiff";
    r.sets[SET_STIFF].stiffening = STIFFENING;
    return compute(&r);
}

int main(int argc, char **argv) {
    settings v = {.start = carom_trex_params_hand_picked(),
                  .gait = CHOICE_BOTH,
                  .order = CHOICE_BOTH,
                  .hip_rate = 6.0,
                  .residual = -2.28e-7,
                  .step = 1e-3,
                  .duration = 0.4,
                  .most_hits = 2};
    double *q = v.start.stance;
    const carom_option options[] = {
        {"gait", CAROM_OPTION_CHOICE, &v.gait, NULL,
         "what is dropped; both, in both orders: further stances and variants as well",
         CAROM_RANGE_ANY, "optimized|initial|both"},
        {"order", CAROM_OPTION_CHOICE, &v.order, NULL,
         "approaching contact that reflects first: argmin, argmax", CAROM_RANGE_ANY,
         "most|least|both"},
        {"optimize", CAROM_OPTION_CHOICE, &v.scope, NULL,
         "variables that may move; design: radii, lengths, height and pitch", CAROM_RANGE_ANY,
         "all|configuration|design"},
        {"residual", CAROM_OPTION_REAL, &v.residual, "1",
         "cosine (u,v) that is left for the stance published_residual", CAROM_RANGE_INTERVAL,
         "(-1, 1)"},
        {"anterior-radius", CAROM_OPTION_REAL, &v.start.anterior_radius, "cm",
         "r_1 before the optimization, above r_2", CAROM_RANGE_POSITIVE, NULL},
        {"posterior-radius", CAROM_OPTION_REAL, &v.start.posterior_radius, "cm", "r_2 before it",
         CAROM_RANGE_POSITIVE, NULL},
        {"upper-length", CAROM_OPTION_REAL, &v.start.upper_length, "cm", "l_u before it",
         CAROM_RANGE_POSITIVE, NULL},
        {"lower-length", CAROM_OPTION_REAL, &v.start.lower_length, "cm", "l_l before it",
         CAROM_RANGE_POSITIVE, NULL},
        {"height", CAROM_OPTION_REAL, &q[CAROM_TREX_Y], "cm", "y of the hips before it",
         CAROM_RANGE_ANY, NULL},
        {"pitch", CAROM_OPTION_REAL, &q[CAROM_TREX_PITCH], "rad", "theta before it",
         CAROM_RANGE_ANY, NULL},
        {"left-hip", CAROM_OPTION_REAL, &q[CAROM_TREX_LEFT_HIP], "rad",
         "phi of the leg in the air before it", CAROM_RANGE_ANY, NULL},
        {"left-knee", CAROM_OPTION_REAL, &q[CAROM_TREX_LEFT_KNEE], "rad",
         "gamma of the leg in the air before it", CAROM_RANGE_ANY, NULL},
        {"right-hip", CAROM_OPTION_REAL, &q[CAROM_TREX_RIGHT_HIP], "rad",
         "phi of the leg on the floor before it", CAROM_RANGE_ANY, NULL},
        {"right-knee", CAROM_OPTION_REAL, &q[CAROM_TREX_RIGHT_KNEE], "rad",
         "gamma of the leg on the floor before it", CAROM_RANGE_ANY, NULL},
        {"body-joint", CAROM_OPTION_REAL, &q[CAROM_TREX_BODY_JOINT], "rad", "phi_T before it",
         CAROM_RANGE_ANY, NULL},
        {"tail", CAROM_OPTION_CHOICE, &v.tail, NULL,
         "length of the tail: tangents of both bodies, or the printed formula", CAROM_RANGE_ANY,
         "cone|printed"},
        {"body-density", CAROM_OPTION_REAL, &v.start.body_density, "kg cm-3",
         "density of the spheres", CAROM_RANGE_POSITIVE, NULL},
        {"limb-density", CAROM_OPTION_REAL, &v.start.limb_density, "kg cm-3",
         "density of legs and tail", CAROM_RANGE_POSITIVE, NULL},
        {"limb-section", CAROM_OPTION_REAL, &v.start.limb_section, "cm2",
         "cross-section of legs and tail", CAROM_RANGE_POSITIVE, NULL},
        {"knee-stiffness", CAROM_OPTION_REAL, &v.start.knee_stiffness, "kg cm2 s-2",
         "springs of the knees, at rest in the stance", CAROM_RANGE_NON_NEGATIVE, NULL},
        {"knee-damping", CAROM_OPTION_REAL, &v.start.knee_damping, "kg cm2 s-1",
         "dashpots of the knees", CAROM_RANGE_NON_NEGATIVE, NULL},
        {"body-stiffness", CAROM_OPTION_REAL, &v.start.body_stiffness, "kg cm2 s-2",
         "spring of the body joint, at rest in the stance", CAROM_RANGE_NON_NEGATIVE, NULL},
        {"body-damping", CAROM_OPTION_REAL, &v.start.body_damping, "kg cm2 s-1",
         "dashpot of the body joint", CAROM_RANGE_NON_NEGATIVE, NULL},
        {"hip-stiffness", CAROM_OPTION_REAL, &v.start.hip_stiffness, "kg cm2 s-2",
         "gain K_p of the hips", CAROM_RANGE_NON_NEGATIVE, NULL},
        {"hip-damping", CAROM_OPTION_REAL, &v.start.hip_damping, "kg cm2 s-1",
         "gain K_v of the hips", CAROM_RANGE_NON_NEGATIVE, NULL},
        {"hip-rate", CAROM_OPTION_REAL, &v.hip_rate, "rad s-1",
         "speed Omega of both hips after the impact, counterclockwise", CAROM_RANGE_ANY, NULL},
        {"drop-height", CAROM_OPTION_REAL, &v.start.drop_height, "cm",
         "height of the start above the stance", CAROM_RANGE_POSITIVE, NULL},
        {"gravity", CAROM_OPTION_REAL, &v.start.gravity, "cm s-2", "gravitational acceleration g",
         CAROM_RANGE_POSITIVE, NULL},
        {"friction", CAROM_OPTION_REAL, &v.start.friction, "1",
         "coefficient of friction mu of feet and tail while they are held; impacts have none",
         CAROM_RANGE_NON_NEGATIVE, NULL},
        {"restitution", CAROM_OPTION_REAL, &v.start.restitution, "1",
         "energetic coefficient R of the impacts", CAROM_RANGE_UNIT_INTERVAL, NULL},
        {"most-hits", CAROM_OPTION_INTEGER, &v.most_hits, "1",
         "a contact that hits more often within a step is plastic", CAROM_RANGE_NON_NEGATIVE, NULL},
        {"step", CAROM_OPTION_REAL, &v.step, "s", "time step h", CAROM_RANGE_POSITIVE, NULL},
        {"duration", CAROM_OPTION_REAL, &v.duration, "s",
         "length of the runs, beyond the first impact", CAROM_RANGE_POSITIVE, NULL},
    };
    const carom_program program = {
        .name = "trex",
        .title = "A tailed biped that is dropped on foot and tail, and runs off",
        .source = "seghete-2014",
        .schema = "trex 1",
    };
    return carom_experiment_main(&program, argc, argv, options,
                                 (int)(sizeof options / sizeof options[0]), check, body, &v);
}
