/**
 * elastic_bar: an elastic bar flies against a rigid wall, rests on it while a wave runs through it
 * and back, and takes off (bruls-2014 section 10.3, figures 17 to 19).
 *
 *     M dv/dt + K u = 0 between impacts,   gap d_0 + u_0 >= 0,   du_0/dt+ = -e du_0/dt- at impacts
 *
 * u_0 .. u_N are the displacements of the nodes of N two-node elements, node 0 facing the wall.
 *
 * Printed in the paper: E = 900 Pa, rho = 1 kg/m3, L = 10 m, d_0 = 5.005 m, v_0 = 10 m/s, e = 0,
 * N = 200, h = 2e-3 s, rho_infinity = 0.8. Chosen, because the paper is silent: cross-section 1 m2
 * (forces and energies scale with it), consistent mass (the lumped one is run too), end at 2 s (the
 * exact bar takes off at 1.167 s), tolerance, predictor of Moreau-Jean.
 *
 * In elastic_bar/: runs.c runs the schemes on the bar; exact.c writes the travelling wave that they
 * are compared with; measures.c measures every run; claims.c decides from the measures what the
 * paper says in words; refinement.c repeats two schemes on coarser meshes.
 */
#include "elastic_bar/results.h"

#include <carom/carom.h>
#include <carom/program/memory.h>
#include <carom/study/scheme_options.h>

#include <stdlib.h>

/** Bytes of an element at least: two rows of the initial state, mass and stiffness in bands. */
#define ELEMENT_SIZE 64.0

/** Refuse options that do not fit together, before anything is written. */
static carom_status check(void *context, carom_report *report) {
    settings *values = context;
    values->bar.mass_matrix = (carom_elastic_bar_mass)values->mass_matrix;
    CAROM_TRY(carom_scheme_options_check(&values->schemes, report));
    CAROM_TRY(carom_memory_check(values->bar.elements, ELEMENT_SIZE, "elements", report));
    carom_model *model = NULL;
    CAROM_TRY(carom_elastic_bar_alloc(&values->bar, &model, report));
    carom_model_free(model);
    return CAROM_OK;
}

/** From the runs to all that follows from them. */
static carom_status compute(results *all, const carom_common_options *common, carom_record *record,
                            carom_report *report) {
    CAROM_TRY(elastic_bar_run_all(all, common, record, report));
    elastic_bar_write_exact(all, record);
    CAROM_TRY(elastic_bar_write_reference(all, record));
    elastic_bar_write_measures(all, record);
    elastic_bar_write_claims(all, record);
    return elastic_bar_write_refinement(all, record, report);
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    results *all = calloc(1, sizeof *all);
    if (all == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    all->values = context;
    const carom_status status = compute(all, common, record, report);
    for (int k = 0; k < all->count; k++) {
        carom_trajectory_free(all->runs[k].trajectory);
    }
    free(all);
    return status;
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_REAL("young-modulus", settings, bar.young_modulus, "Pa", "Young's modulus E", "positive"),
    CAROM_REAL("density", settings, bar.density, "kg m-3", "density rho", "positive"),
    CAROM_REAL("length", settings, bar.length, "m", "undeformed length L", "positive"),
    CAROM_REAL("section", settings, bar.section, "m2", "area A of the cross-section", "positive"),
    CAROM_REAL("initial-gap", settings, bar.initial_gap, "m", "distance d_0 from the wall", "any"),
    CAROM_REAL("initial-velocity", settings, bar.initial_velocity, "m s-1",
               "speed v_0 towards the wall", "any"),
    CAROM_REAL("restitution", settings, bar.restitution, "1", "coefficient e of the impacts",
               "[0, 1]"),
    CAROM_INTEGER("elements", settings, bar.elements, "1", "number of elements", "positive"),
    CAROM_CHOICE("mass-matrix", settings, mass_matrix,
                 "how the mass of an element is shared between its nodes", "consistent|lumped"),
    CAROM_OPTIONS_OF(settings, schemes, carom_scheme_options_table),
};

int main(int argc, char **argv) {
    settings values = {
        .bar = carom_elastic_bar_params_default(),
        .mass_matrix = CAROM_ELASTIC_BAR_CONSISTENT,
        .schemes = carom_scheme_options_default(2e-3, 2.0),
    };
    const carom_program program = {
        .name = "elastic_bar",
        .title = "An elastic bar against a rigid wall",
        .source = "bruls-2014",
        .schema = "elastic_bar 1",
        .options = CAROM_OPTIONS(options),
        CAROM_TABLES(carom_scheme_tables),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &values);
}
