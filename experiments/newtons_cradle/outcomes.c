/** The first impact in all orders, or in one: /outcome_NN, and the drawing of figure 2a. */
#include "results.h"

#include <stdio.h>
#include <stdlib.h>

/** Follow all orders; too many of them are not an error, but said. */
static carom_status follow_all(results *r) {
    carom_propagative_tree_params params = carom_propagative_tree_params_default();
    params.most_momenta = r->values->momenta;
    const carom_status status =
        carom_propagative_outcomes_find(r->contacts, &params, r->problem->contact_velocity,
                                        r->problem->kinetic_energy, &r->outcomes, r->report);
    if (status == CAROM_STATUS_NOT_CONVERGED) {
        fprintf(stderr,
                "newtons_cradle: more than %d momenta on the way of all orders (--momenta): "
                "/outcome_00 is that of the most approaching contacts first alone\n",
                params.most_momenta);
        *r->report = carom_report_empty();
        return CAROM_OK;
    }
    if (status == CAROM_OK && r->outcomes->sequence_total > r->outcomes->sequence_count &&
        !r->common->is_quiet) {
        printf("newtons_cradle: the first %d of %.15g orders of impacts are listed\n",
               r->outcomes->sequence_count, r->outcomes->sequence_total);
    }
    if (status == CAROM_OK && r->outcomes->count > CAROM_PROPAGATIVE_MOST_WRITTEN &&
        !r->common->is_quiet) {
        printf("newtons_cradle: the first %d of %d outcomes are written\n",
               CAROM_PROPAGATIVE_MOST_WRITTEN, r->outcomes->count);
    }
    return status;
}

/** The impact by the one rule of --order. */
static carom_status write_one(const results *r, const carom_propagative_record *target) {
    CAROM_AUTO(carom_propagative_impact) impact = NULL;
    const carom_propagative_params params =
        newtons_cradle_rule(r->values, r->problem->contact_count);
    CAROM_TRY(carom_propagative_impact_alloc(
        r->problem->contact_count, newtons_cradle_most_reflections(r->values->balls), &impact));
    CAROM_TRY(carom_propagative_impact_run(r->contacts, &params, r->values->restitution,
                                           r->problem->contact_velocity, r->problem->kinetic_energy,
                                           impact, r->report));
    return carom_propagative_record_impact(target, impact);
}

/** Figure 2a: the balls at the start, for circles and arrows. */
static carom_status draw(const results *r) {
    const size_t n = (size_t)r->values->balls;
    CAROM_AUTO_MEMORY double *radii = malloc(n * sizeof(double));
    if (radii == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        radii[i] = r->values->radius;
    }
    carom_record_series(r->record, "/drawing/x", r->model->initial_position, "/ball", NULL, "m",
                        "centres at the start");
    carom_record_series(r->record, "/drawing/radius", radii, "/ball", NULL, "m", "radii");
    carom_record_series(r->record, "/drawing/velocity", r->model->initial_velocity, "/ball", NULL,
                        "m s-1", "velocities at the start");
    return CAROM_OK;
}

carom_status newtons_cradle_write_outcomes(results *r) {
    carom_propagative_record target =
        carom_propagative_record_of(r->record, "", r->problem, r->contacts);
    CAROM_TRY(draw(r));
    carom_record_series(r->record, "/mass", r->values->mass, "/ball", NULL, "kg",
                        "masses from left to right");
    CAROM_TRY(follow_all(r));
    carom_record_integer(r->record, "/follows_all_orders",
                         r->values->order == ORDER_COUNT && r->outcomes != NULL, "1",
                         "whether the outcomes of all orders are listed");
    carom_record_scalar(r->record, "/plastic_share", r->plastic_share, "1",
                        "energy lost by a plastic impact / energy before");
    return r->values->order == ORDER_COUNT && r->outcomes != NULL
               ? carom_propagative_record_outcomes(&target, r->outcomes)
               : write_one(r, &target);
}
