#include <carom/timestepping/variational/stepper_internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** A speed after a plastic impact is zero below this part of the terms that it is the sum of. */
static const double ROUNDING = 1e-14;

carom_status carom_variational_collision_init(carom_variational_collision *collision,
                                              const carom_mechanism *mechanism,
                                              const carom_variational_params *params) {
    const int n = mechanism->coordinate_count;
    const int m = mechanism->contact_count;
    *collision = (carom_variational_collision){.coordinate_count = n, .contact_count = m};
    collision->params = (carom_propagative_params){
        .rule = params->rule,
        .first = params->first,
        .seed = params->seed,
        .tolerance = params->impact_tolerance,
    };
    const size_t coordinates = (size_t)n;
    const size_t contacts = (size_t)m;
    collision->memory = calloc(contacts * coordinates + 2 * contacts + coordinates, sizeof(double));
    collision->closed = calloc(contacts + 1, sizeof(int));
    collision->laws = calloc(contacts + 1, sizeof(carom_variational_law));
    if (collision->memory == NULL || collision->closed == NULL || collision->laws == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    collision->normal = collision->memory;
    collision->approach = collision->normal + contacts * coordinates;
    collision->impulse = collision->approach + contacts;
    collision->momentum = collision->impulse + contacts;
    for (int k = 1; k <= m; k++) {
        CAROM_TRY(carom_propagative_contacts_alloc(n, k, &collision->laws[k - 1].contacts));
        CAROM_TRY(carom_propagative_impact_alloc(k, params->most_reflections,
                                                 &collision->laws[k - 1].impact));
    }
    return CAROM_OK;
}

void carom_variational_collision_clear(carom_variational_collision *collision) {
    for (int k = 0; collision->laws != NULL && k < collision->contact_count; k++) {
        carom_propagative_contacts_free(collision->laws[k].contacts);
        carom_propagative_impact_free(collision->laws[k].impact);
    }
    free(collision->laws);
    free(collision->closed);
    free(collision->memory);
    *collision = (carom_variational_collision){0};
}

/** Normals and speeds of the closed contacts. */
static carom_status gather(carom_variational_collision *collision,
                           const carom_variational_contacts *at, carom_report *report) {
    const int n = collision->coordinate_count;
    for (int k = 0; k < collision->closed_count; k++) {
        const int i = collision->closed[k];
        if (!(at->length[i] > 0.0)) {
            return carom_report_fail(report, CAROM_STATUS_SINGULAR, "length of a normal",
                                     at->length[i], i);
        }
        memcpy(collision->normal + k * n, at->normal + i * n, (size_t)n * sizeof(double));
        collision->approach[k] = at->length[i] * at->speed[i];
    }
    return CAROM_OK;
}

/** The first closed contact from `first` on and round again: the same cycle among the closed ones.
 */
static int place_of_first(const carom_variational_collision *collision) {
    for (int k = 0; k < collision->closed_count; k++) {
        if (collision->closed[k] >= collision->params.first) {
            return k;
        }
    }
    return 0;
}

static carom_status find_impulses(carom_variational_collision *collision,
                                  const carom_variational_contacts *at, unsigned long turn,
                                  carom_report *report) {
    carom_propagative_contacts *contacts = collision->laws[collision->closed_count - 1].contacts;
    carom_propagative_impact *impact = collision->laws[collision->closed_count - 1].impact;
    const double energy = 0.5 * at->norm * at->norm;
    collision->reflection_count = 0;
    CAROM_TRY(carom_propagative_contacts_set(contacts, at->mass_factor, collision->normal, report));
    if (collision->is_plastic) {
        const carom_status status = carom_propagative_plastic(
            contacts, collision->plastic_law, collision->approach, collision->impulse, impact);
        return status == CAROM_OK ? CAROM_OK
                                  : carom_report_fail(report, status, "plastic impact", energy, -1);
    }
    carom_propagative_params params = collision->params;
    params.first = place_of_first(collision);
    params.seed += turn;
    CAROM_TRY(carom_propagative_impact_run(contacts, &params, collision->restitution,
                                           collision->approach, energy, impact, report));
    memcpy(collision->impulse, impact->impulse, (size_t)collision->closed_count * sizeof(double));
    collision->reflection_count = impact->step_count;
    collision->reflection = impact->sequence;
    return CAROM_OK;
}

carom_status carom_variational_collision_run(carom_variational_collision *collision,
                                             const carom_variational_contacts *at, const double *p,
                                             unsigned long turn, carom_report *report) {
    CAROM_ASSERT(collision->closed_count >= 1);
    const int n = collision->coordinate_count;
    CAROM_TRY(gather(collision, at, report));
    carom_report refusal = carom_report_empty();
    const carom_status status = find_impulses(collision, at, turn, &refusal);
    if (status != CAROM_OK) {
        // The law counts closed contacts, the report those of the mechanism.
        if (refusal.index >= 0 && refusal.index < collision->closed_count) {
            refusal.index = collision->closed[refusal.index];
        }
        if (report != NULL) {
            *report = refusal;
        }
        return status;
    }
    // p+ = p- + sum of Lambda_i u_i.
    for (int j = 0; j < n; j++) {
        double sum = p[j];
        double size = fabs(p[j]);
        for (int k = 0; k < collision->closed_count; k++) {
            const double term = collision->impulse[k] * collision->normal[k * n + j];
            sum += term;
            size += fabs(term);
        }
        collision->momentum[j] = collision->is_plastic && fabs(sum) <= ROUNDING * size ? 0.0 : sum;
    }
    return CAROM_OK;
}
