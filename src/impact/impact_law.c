#include <carom/impact/impact_law.h>
#include <carom/impact/internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

const carom_impact_law *carom_impact_law_of(carom_impact_law_id id) {
#define ADDRESS(id, name) &carom_impact_law_##name,
    static const carom_impact_law *const laws[] = {CAROM_IMPACT_LAW_LIST(ADDRESS)};
#undef ADDRESS
    CAROM_ASSERT((int)id >= 0 && id < CAROM_IMPACT_LAW_COUNT);
    return laws[id];
}

const carom_impact_law *carom_impact_law_find(const char *name) {
    CAROM_ASSERT(name != NULL);
    for (int i = 0; i < CAROM_IMPACT_LAW_COUNT; i++) {
        const carom_impact_law *law = carom_impact_law_of((carom_impact_law_id)i);
        if (strcmp(law->name, name) == 0) {
            return law;
        }
    }
    return NULL;
}

carom_impact_law_params carom_impact_law_params_default(void) {
    return (carom_impact_law_params){
        .facets = 8,
        .orders = CAROM_SEQUENTIAL_CYCLIC,
        .sequential = carom_sequential_params_default(),
        .tree = carom_propagative_tree_params_default(),
        .rule = carom_propagative_params_default(),
        .sampling = carom_impact_sampling_params_default(),
        .stiffness_ratio = 1e3,
        .damping_ratio = 200.0,
        .contact = -1,
        .inclusion = carom_planar_inclusion_params_default(),
    };
}

void carom_impact_result_free(carom_impact_result *result) {
    if (result == NULL) {
        return;
    }
    carom_impact_outcomes_free(result->outcomes);
    carom_sequential_impacts_free(result->sequences);
    carom_propagative_contacts_free(result->contacts);
    carom_propagative_outcomes_free(result->tree);
    carom_propagative_impact_free(result->reflections);
    carom_impact_samples_free(result->samples);
    carom_planar_inclusion_path_free(result->path);
    free(result);
}

/** Whether some of m coefficients is not zero. */
static bool has_any(int m, const double *coefficients) {
    bool found = false;
    for (int i = 0; i < m; i++) {
        found = found || coefficients[i] > 0.0;
    }
    return found;
}

const char *carom_impact_law_lacks(const carom_impact_law *law,
                                   const carom_impact_problem *problem) {
    CAROM_ASSERT(law != NULL && problem != NULL);
    if (law->is_planar && problem->tangent_count != 1) {
        return "contacts in space";
    }
    if (!law->has_restitution && has_any(problem->contact_count, problem->restitution)) {
        return "restitution";
    }
    return !law->has_friction && has_any(problem->contact_count, problem->friction) ? "friction"
                                                                                    : NULL;
}

/** Refuse what a law lacks. */
static carom_status require(const carom_impact_law *law, const carom_impact_problem *problem,
                            carom_report *report) {
    if (law->is_planar && problem->tangent_count != 1) {
        return carom_report_say(report, CAROM_STATUS_UNSUPPORTED,
                                "%s is for contacts in the plane; these are %d in space", law->name,
                                problem->contact_count);
    }
    if (!law->has_restitution) {
        CAROM_TRY(carom_impact_require_inelastic(problem, law->name, report));
    }
    return law->has_friction ? CAROM_OK : carom_impact_require_smooth(problem, law->name, report);
}

/** Show the outcomes that a law has filled in. */
static void show(carom_impact_result *result) {
    const carom_impact_samples *s = result->samples;
    const carom_impact_outcomes *o = result->outcomes;
    if (s != NULL) {
        result->count = s->count;
        result->velocity = s->velocity;
        result->contact_velocity = s->contact_velocity;
        result->kinetic_energy = s->kinetic_energy;
        result->is_finished = s->is_finished;
        result->unfinished = 1.0 - s->fraction_finished;
        result->residual = s->largest_residual;
        return;
    }
    result->count = o->count;
    result->velocity = o->velocity;
    result->contact_velocity = o->contact_velocity;
    result->impulse = o->impulse;
    result->kinetic_energy = o->kinetic_energy;
    for (int k = 0; k < o->count; k++) {
        result->residual = fmax(result->residual, o->residual[k]);
    }
}

carom_status carom_impact_law_run(const carom_impact_law *law, const carom_impact_problem *problem,
                                  const carom_impact_law_params *params, carom_impact_result **out,
                                  carom_report *report) {
    CAROM_ASSERT(law != NULL && problem != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(require(law, problem, report));
    CAROM_AUTO(carom_impact_result) result = calloc(1, sizeof *result);
    if (result == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_impact_outcomes_alloc(problem, &result->outcomes));
    const carom_impact_law_params defaults = carom_impact_law_params_default();
    CAROM_TRY(law->run(problem, params != NULL ? params : &defaults, result, report));
    show(result);
    CAROM_HAND_OVER(result, out);
    return CAROM_OK;
}
