/** How energy loss and error decrease with the mesh, at one Courant number. */
#include "results.h"

#include <carom/study/scheme_options.h>

#include <math.h>
#include <stdio.h>

/* Meshes of N/8, N/4, N/2 and N elements, each with the Courant number of the last. */
enum { LEVELS = 4, COARSEST = 8 };

/** By what elements are divided and the step size is multiplied on a level. */
static int coarsening(int level) {
    return COARSEST >> level;
}

/** Energy lost and error of the gap of one scheme on one mesh; NaN if the run does not tell. */
static carom_status refine(const settings *values, carom_scheme scheme, int divisor, double *lost,
                           double *error, carom_report *report) {
    carom_elastic_bar_params bar = values->bar;
    carom_stepper_params params = carom_scheme_options_params(&values->schemes, scheme);
    bar.elements /= divisor;
    params.step *= divisor;
    carom_model *model = NULL;
    carom_trajectory *run = NULL;
    CAROM_TRY(carom_elastic_bar_alloc(&bar, &model, report));
    const carom_status status = carom_trajectory_run(
        &model->mechanism, &params, model->initial_position, model->initial_velocity,
        values->schemes.duration, NULL, NULL, &run, report);
    double value[MEASURE_COUNT];
    elastic_bar_measure(&bar, run, value);
    *lost = value[ENERGY_LOST];
    *error = value[GAP_ERROR];
    carom_trajectory_free(run);
    carom_model_free(model);
    return status;
}

/** Write one scheme over all meshes, and the order of its error. */
static carom_status write_scheme(const settings *values, carom_scheme scheme, const char *axis,
                                 carom_record *record, carom_report *report) {
    double lost[LEVELS];
    double error[LEVELS];
    for (int k = 0; k < LEVELS; k++) {
        CAROM_TRY(refine(values, scheme, coarsening(k), &lost[k], &error[k], report));
    }
    char path[96];
    const char *name = carom_scheme_name(scheme);
    (void)snprintf(path, sizeof path, "/refinement/%s_energy_lost", name);
    carom_record_series(record, path, lost, axis, NULL, "J",
                        "energy lost at the end of the run; NaN: it ends before the rebound");
    (void)snprintf(path, sizeof path, "/refinement/%s_gap_error", name);
    carom_record_series(record, path, error, axis, NULL, "m s",
                        "integral of the error of the gap; NaN: the run ends before the rebound");

    /* Mean slope from the coarsest to the finest mesh. */
    const double order = log2(error[0] / error[LEVELS - 1]) / log2(COARSEST);
    if (!isfinite(order)) {
        return CAROM_OK;
    }
    (void)snprintf(path, sizeof path, "refinement_order_%s", name);
    carom_record_measure(record, path, order, "1", "mean order of the error of the gap");
    return CAROM_OK;
}

/** Write number of elements and step size of the meshes. */
static void write_meshes(const settings *values, const char *axis, carom_record *record) {
    double elements[LEVELS];
    double steps[LEVELS];
    for (int k = 0; k < LEVELS; k++) {
        const int divided = values->bar.elements / coarsening(k);
        elements[k] = divided;
        steps[k] = values->schemes.step * coarsening(k);
    }
    carom_record_axis(record, axis, LEVELS, elements, "1", "number of elements");
    carom_record_series(record, "/refinement/step", steps, axis, NULL, "s", "step size h");
}

carom_status elastic_bar_write_refinement(const results *all, carom_record *record,
                                          carom_report *report) {
    const settings *values = all->values;
    const carom_scheme schemes[] = {CAROM_SCHEME_NONSMOOTH_GALPHA, CAROM_SCHEME_MOREAU_JEAN};

    /* Where number of elements and duration allow all levels. */
    if ((all->motion[NONSMOOTH] == NULL && all->motion[MOREAU] == NULL) ||
        values->bar.elements % COARSEST != 0 ||
        values->schemes.step * COARSEST > values->schemes.duration) {
        return CAROM_OK;
    }
    const char axis[] = "/refinement/elements";
    write_meshes(values, axis, record);
    for (int k = 0; k < 2; k++) {
        if (all->motion[schemes[k]] != NULL) {
            CAROM_TRY(write_scheme(values, schemes[k], axis, record, report));
        }
    }
    return CAROM_OK;
}
