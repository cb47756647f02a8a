/**
 * billiards: a ball that hits two others at the same time, and how much the order of the two
 * impacts matters (seghete-2014 section VII-A, figures 4 and 5).
 *
 *     (D phi_a, D phi_b) = cos(theta)/m_c (31),   xi = |p_ab - p_ba|/|p_0|
 *
 * Both orders of the two contacts are followed to their ends. Printed in the paper: equal
 * densities, balls a and b at rest, c on the bisector of theta, the range of theta from where a and
 * b touch, "somewhere close to pi/6", to pi. Inferred from that for r_a = r_b: r_c. Chosen: r_a = 1
 * m, density and speed, which do not matter, and the angle of figure 4.
 *
 * In billiards/: breaks.c evaluates one break, sweep.c makes figure 5, drawing.c figure 4, map.c
 * angles and masses; outcomes.c writes all outcomes of figure 4; claims.c the paper's formulas.
 */
#include "billiards/results.h"

#include <carom/study/propagative_record.h>

static carom_status check(void *context, carom_report *report) {
    return billiards_check(context, report);
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const billiards x = {.values = context, .common = common, .record = record, .report = report};
    CAROM_TRY(billiards_write_drawing(&x));
    CAROM_TRY(billiards_write_outcomes(&x));
    CAROM_TRY(billiards_write_sweep(&x));
    CAROM_TRY(billiards_write_map(&x));
    return billiards_write_claims(&x);
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_REAL("radius-a", settings, cue.radii[CAROM_BILLIARD_BREAK_A], "m",
               "radius r_a of a ball at rest", "positive"),
    CAROM_REAL("radius-b", settings, cue.radii[CAROM_BILLIARD_BREAK_B], "m",
               "radius r_b of the other one", "positive"),
    CAROM_REAL("radius-c", settings, cue.radii[CAROM_BILLIARD_BREAK_C], "m",
               "radius r_c of the cue ball", "positive"),
    CAROM_REAL("density", settings, cue.density, "kg m-3", "density of all balls", "positive"),
    CAROM_REAL("speed", settings, cue.speed, "m s-1",
               "speed of the cue ball along the bisector of theta", "positive"),
    CAROM_REAL("restitution", settings, cue.restitution, "1", "R of (16): 1 elastic, 0 plastic",
               "[0, 1]"),
    CAROM_REAL("angle", settings, angle, "deg",
               "theta of figure 4, from where a and b touch to 180", "(0, 180]"),
    CAROM_INTEGER("angles", settings, angles, "1",
                  "angles of figure 5, from where a and b touch to 180 deg, 3 to 1000000",
                  "[3, 1000000]"),
    CAROM_INTEGER("map-angles", settings, map_angles, "1",
                  "angles of the map, from 0 to 180 deg, 3 to 2001", "[3, 2001]"),
    CAROM_INTEGER("map-ratios", settings, map_ratios, "1",
                  "mass ratios m_c/m_a of the map, 3 to 2001", "[3, 2001]"),
    CAROM_REAL("least-ratio", settings, least_ratio, "1",
               "least mass ratio of the map, 1e-6 or more", "[1e-6, 1e6]"),
    CAROM_REAL("largest-ratio", settings, largest_ratio, "1",
               "largest mass ratio of the map, up to 1e6", "[1e-6, 1e6]"),
};

int main(int argc, char **argv) {
    settings v = billiards_defaults();
    const carom_program program = {
        .name = "billiards",
        .title = "A billiard break and the order of its impacts",
        .source = "seghete-2014",
        .schema = "billiards 1",
        .options = CAROM_OPTIONS(options),
        CAROM_TABLES(carom_propagative_tables),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &v);
}
