/**
 * propagative_impact: simultaneous impacts as sequences of single ones (seghete-2014 sections II to
 * V, figure 3): when they end, and when their order does not matter.
 *
 *     p+ = p- Gamma(w_1) .. Gamma(w_n) (14),   Gamma(u) = I - 2 M^-1 u'u/(u M^-1 u') (7),
 *
 * with w_i across a contact that approaches, until none does. Every statement of the theory is put
 * to random masses, normals and momenta. The paper prints no numbers: the half openings of figure
 * 3, its momentum, and how impacts are drawn are ours.
 *
 * In propagative_impact/: drawing.c makes figure 3; single.c, lemmas.c, images.c, uniqueness.c hold
 * the paper's formulas against momenta; existence.c, table.c and cones.c run random impacts;
 * chains.c and groups.c those with a known end; map.c the indeterminacy of three balls; impacts.c
 * and writing.c are shared.
 */
#include "propagative_impact/results.h"

static carom_status check(void *context, carom_report *report) {
    return propagative_impact_check(context, report);
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const propagation x = {.values = context, .common = common, .record = record, .report = report};
    CAROM_TRY(propagative_impact_write_drawing(&x));
    CAROM_TRY(propagative_impact_write_single(&x));
    CAROM_TRY(propagative_impact_write_lemmas(&x));
    propagative_impact_write_images(&x);
    propagative_impact_write_uniqueness(&x);
    CAROM_TRY(propagative_impact_write_existence(&x));
    CAROM_TRY(propagative_impact_write_table(&x));
    CAROM_TRY(propagative_impact_write_cones(&x));
    CAROM_TRY(propagative_impact_write_chains(&x));
    CAROM_TRY(propagative_impact_write_groups(&x));
    return propagative_impact_write_map(&x);
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_REAL_LIST("half-openings", settings, half_openings, "deg",
                    "half openings gamma of figure 3, one or two, 3 to 85", "[3, 85]"),
    CAROM_REAL("momentum-angle", settings, momentum_angle, "deg",
               "of the momentum of figure 3 from the bisector towards u, up to 180, not feasible",
               "(0, 180]"),
    CAROM_REAL_LIST(
        "cosines", settings, cosines, "1",
        "cosines c of two unit normals, -0.9999 to 0.9999, whose longest sequences are recorded",
        "[-0.9999, 0.9999]"),
    CAROM_INTEGER("directions", settings, directions, "1",
                  "momenta for each of them, 16 to 1000000", "[16, 1000000]"),
    CAROM_INTEGER("draws", settings, draws, "1",
                  "random impacts for each lemma and theorem, 500 to 1000000", "[500, 1000000]"),
    CAROM_INTEGER("cases", settings, cases, "1", "random impacts of two contacts, 100 to 100000000",
                  "[100, 100000000]"),
    CAROM_INTEGER("cones", settings, cones, "1",
                  "random impacts of 3 contacts or more, 100 to 10000000", "[100, 10000000]"),
    CAROM_INTEGER("contacts", settings, contacts, "1", "and of at most so many, 3 to 16",
                  "[3, 16]"),
    CAROM_INTEGER("map-points", settings, map_points, "1",
                  "mass ratios along each side of the map, 3 to 2001", "[3, 2001]"),
    CAROM_REAL("largest-ratio", settings, largest_ratio, "1",
               "largest ratio of masses in the map, above 1, up to 1e6", "(1, 1e6]"),
};

static const carom_table_column columns[] = {
    {.head = "half opening", .expression = "half_opening"},
    {.head = "indeterminacy", .expression = "indeterminacy"},
    {.head = "exact", .expression = "exact_indeterminacy"},
    {.head = "longest sequence", .expression = "longest"},
    {.head = "bound", .expression = "longest_bound"},
    {.head = "of the paper", .expression = "paper_bound"},
};

static const carom_table tables[] = {
    {.groups = "/table", CAROM_COLUMNS(columns)},
};

int main(int argc, char **argv) {
    settings v = propagative_impact_defaults();
    const carom_program program = {
        .name = "propagative_impact",
        .title = "Simultaneous impacts as sequences of single ones",
        .source = "seghete-2014",
        .schema = "propagative_impact 1",
        .options = CAROM_OPTIONS(options),
        CAROM_TABLES(tables),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &v);
}
