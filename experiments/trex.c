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
 *
 * In trex/: stances.c optimizes and strikes, runs.c drops and runs, measures.c measures the runs,
 * drawings.c draws.
 */
#include "trex/gaits.h"

/** Springs so much stiffer keep the bodies off the floor after the drop. */
static const double STIFFENING = 10.0;

/** Refuse options that do not fit together. */
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

/** Optimize, strike, run, and write everything. The further runs: without friction, with half the
 * step, with stiffer springs. */
static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const settings *v = context;
    const run_set sets[] = {
        {"/trex", v->start.friction, v->step, 1.0, true},
        {"/frictionless", 0.0, v->step, 1.0, false},
        {"/half_step", v->start.friction, 0.5 * v->step, 1.0, false},
        {"/stiff", v->start.friction, v->step, STIFFENING, false},
    };
    results r = {.values = v, .common = common, .record = record, .report = report};
    CAROM_TRY(trex_write_stances(&r));
    trex_write_drawings(&r);
    for (int i = 0; i < COUNT(sets); i++) {
        CAROM_TRY(trex_run_set(&r, &sets[i]));
    }
    return CAROM_OK;
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_CHOICE("gait", settings, gait,
                 "what is dropped; both, in both orders: further stances and variants as well",
                 "optimized|initial|both"),
    CAROM_CHOICE("order", settings, order,
                 "approaching contact that reflects first: argmin, argmax", "most|least|both"),
    CAROM_CHOICE("optimize", settings, scope,
                 "variables that may move; design: radii, lengths, height and pitch",
                 "all|configuration|design"),
    CAROM_REAL("residual", settings, residual, "1",
               "cosine (u,v) that is left for the stance published_residual", "(-1, 1)"),
    CAROM_REAL("anterior-radius", settings, start.anterior_radius, "cm",
               "r_1 before the optimization, above r_2", "positive"),
    CAROM_REAL("posterior-radius", settings, start.posterior_radius, "cm", "r_2 before it",
               "positive"),
    CAROM_REAL("upper-length", settings, start.upper_length, "cm", "l_u before it", "positive"),
    CAROM_REAL("lower-length", settings, start.lower_length, "cm", "l_l before it", "positive"),
    CAROM_REAL("height", settings, start.stance[CAROM_TREX_Y], "cm", "y of the hips before it",
               "any"),
    CAROM_REAL("pitch", settings, start.stance[CAROM_TREX_PITCH], "rad", "theta before it",
               "[-1e8, 1e8]"),
    CAROM_REAL("left-hip", settings, start.stance[CAROM_TREX_LEFT_HIP], "rad",
               "phi of the leg in the air before it", "[-1e8, 1e8]"),
    CAROM_REAL("left-knee", settings, start.stance[CAROM_TREX_LEFT_KNEE], "rad",
               "gamma of the leg in the air before it", "[-1e8, 1e8]"),
    CAROM_REAL("right-hip", settings, start.stance[CAROM_TREX_RIGHT_HIP], "rad",
               "phi of the leg on the floor before it", "[-1e8, 1e8]"),
    CAROM_REAL("right-knee", settings, start.stance[CAROM_TREX_RIGHT_KNEE], "rad",
               "gamma of the leg on the floor before it", "[-1e8, 1e8]"),
    CAROM_REAL("body-joint", settings, start.stance[CAROM_TREX_BODY_JOINT], "rad",
               "phi_T before it", "[-1e8, 1e8]"),
    CAROM_CHOICE("tail", settings, tail,
                 "length of the tail: tangents of both bodies, or the printed formula",
                 "cone|printed"),
    CAROM_REAL("body-density", settings, start.body_density, "kg cm-3", "density of the spheres",
               "positive"),
    CAROM_REAL("limb-density", settings, start.limb_density, "kg cm-3", "density of legs and tail",
               "positive"),
    CAROM_REAL("limb-section", settings, start.limb_section, "cm2",
               "cross-section of legs and tail", "positive"),
    CAROM_REAL("knee-stiffness", settings, start.knee_stiffness, "kg cm2 s-2",
               "springs of the knees, at rest in the stance", "not negative"),
    CAROM_REAL("knee-damping", settings, start.knee_damping, "kg cm2 s-1", "dashpots of the knees",
               "not negative"),
    CAROM_REAL("body-stiffness", settings, start.body_stiffness, "kg cm2 s-2",
               "spring of the body joint, at rest in the stance", "not negative"),
    CAROM_REAL("body-damping", settings, start.body_damping, "kg cm2 s-1",
               "dashpot of the body joint", "not negative"),
    CAROM_REAL("hip-stiffness", settings, start.hip_stiffness, "kg cm2 s-2", "gain K_p of the hips",
               "not negative"),
    CAROM_REAL("hip-damping", settings, start.hip_damping, "kg cm2 s-1", "gain K_v of the hips",
               "not negative"),
    CAROM_REAL("hip-rate", settings, hip_rate, "rad s-1",
               "speed Omega of both hips after the impact, counterclockwise", "any"),
    CAROM_REAL("drop-height", settings, start.drop_height, "cm",
               "height of the start above the stance", "positive"),
    CAROM_REAL("gravity", settings, start.gravity, "cm s-2", "gravitational acceleration g",
               "positive"),
    CAROM_REAL("friction", settings, start.friction, "1",
               "coefficient of friction mu of feet and tail while they are held; impacts have none",
               "not negative"),
    CAROM_REAL("restitution", settings, start.restitution, "1",
               "energetic coefficient R of the impacts", "[0, 1]"),
    CAROM_INTEGER("most-hits", settings, most_hits, "1",
                  "a contact that hits more often within a step is plastic", "not negative"),
    CAROM_REAL("step", settings, step, "s", "time step h", "positive"),
    CAROM_REAL("duration", settings, duration, "s", "length of the runs, beyond the first impact",
               "positive"),
};

static const carom_table_column columns[] = {
    {.head = "cosine", .expression = "cosine"},
    {.head = "half opening", .expression = "half_opening"},
    {.head = "indeterminacy", .expression = "indeterminacy"},
    {.head = "foot first", .expression = "reflections_foot_first"},
    {.head = "tail first", .expression = "reflections_tail_first"},
};

static const carom_table tables[] = {
    {.groups = "/first_impact/*", .group_head = "pose", CAROM_COLUMNS(columns)},
};

int main(int argc, char **argv) {
    settings v = {.start = carom_trex_params_hand_picked(),
                  .gait = CHOICE_BOTH,
                  .order = CHOICE_BOTH,
                  .hip_rate = 6.0,
                  .residual = -2.28e-7,
                  .step = 1e-3,
                  .duration = 0.4,
                  .most_hits = 2};
    const carom_program program = {
        .name = "trex",
        .title = "A tailed biped that is dropped on foot and tail, and runs off",
        .source = "seghete-2014",
        .schema = "trex 1",
        .options = CAROM_OPTIONS(options),
        CAROM_TABLES(tables),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &v);
}
