/** The laws: what each of them knows, and how it is asked. */
#include "results.h"

#include <carom/impact/newton_moreau.h>
#include <carom/impact/propagative_law.h>
#include <stdio.h>

/** Increments of a sample: more than any scene here needs. */
enum { TRAJECTORY_LENGTH = 64 };

/** Contacts up to which all solutions of an increment are enumerated, of which one is drawn: the
 * table of modes of three is made in no time. Beyond, Lemke's solution is taken. */
enum { MOST_ENUMERATED = 3 };

/** Contacts up to which the sequential law is run in all orders; beyond, in cyclic ones. */
enum { MOST_PERMUTED = 5 };

/** Rounds of the sequential law: where contacts hand on what they get for ever, impacts go on until
 * its tolerance. */
enum { MOST_ROUNDS = 1000 };

/** Closing speed at which a sequence of impacts has ended, in parts of its scale. */
static const double AT_REST = 1e-7;

/** Directions of a cone in space, where none of the scenes is. */
enum { FACETS = 8 };

const char *impact_laws_law_name(impact_law law) {
    static const char *const names[LAWS] = {"newton_moreau", "anitescu_potra", "sequential",
                                            "propagative",   "sampling",       "compliant"};
    return names[law];
}

const char *impact_laws_cost_name(impact_law law) {
    static const char *const names[LAWS] = {
        "combinations of contact modes, or one problem by Lemke's method",
        "combinations of contact modes, or one problem by Lemke's method",
        "single impacts in all orders",
        "distinct momenta that reflections lead to",
        "increments of impulse in all samples",
        "time steps of all runs"};
    return names[law];
}

const char *impact_laws_setting_name(impact_setting setting) {
    static const char *const names[SETTINGS] = {"elastic", "plastic", "friction", "own"};
    return names[setting];
}

/** Combinations of modes that an enumeration tries, 4^m, or one problem. */
static int enumeration_cost(const carom_impact_problem *p) {
    int cost = 1;
    for (int i = 0; i < p->contact_count && p->contact_count <= CAROM_MODES_MOST_UNCAPPED; i++) {
        cost *= 4;
    }
    return cost;
}

static carom_status ask_newton_moreau(const question *asked, carom_impact_outcomes *outcomes,
                                      carom_report *report) {
    return carom_newton_moreau_all(asked->problem, outcomes, report);
}

static carom_status ask_anitescu_potra(const question *asked, carom_impact_outcomes *outcomes,
                                       carom_report *report) {
    return asked->problem->contact_count <= CAROM_MODES_MOST_UNCAPPED
               ? carom_anitescu_potra_all(asked->problem, outcomes, report)
               : carom_anitescu_potra_lemke(asked->problem, FACETS, NULL, outcomes, report);
}

/** All orders of single impacts. */
static carom_status ask_sequential(const question *asked, carom_impact_outcomes *outcomes,
                                   int *cost, carom_report *report) {
    const carom_impact_problem *p = asked->problem;
    carom_sequential_params params = carom_sequential_params_default();
    params.most_rounds = MOST_ROUNDS;
    params.tolerance = AT_REST;
    carom_sequential_impacts *impacts = NULL;
    CAROM_TRY(carom_sequential_impacts_run(
        p,
        p->contact_count <= MOST_PERMUTED ? CAROM_SEQUENTIAL_PERMUTATIONS : CAROM_SEQUENTIAL_CYCLIC,
        &params, &impacts, report));
    for (int i = 0; i < impacts->count; i++) {
        *cost += impacts->sequences[i]->stage_count;
    }
    const carom_status status = carom_sequential_impacts_add_outcomes(impacts, p, outcomes);
    carom_sequential_impacts_free(impacts);
    return status;
}

/** Momenta on the way of all sequences, for the cost alone. */
static int count_momenta(const carom_impact_problem *p) {
    const carom_propagative_tree_params params = carom_propagative_tree_params_default();
    carom_propagative_contacts *contacts = NULL;
    carom_propagative_outcomes *tree = NULL;
    int count = 0;
    if (carom_propagative_contacts_of_problem(p, &contacts, NULL) == CAROM_OK &&
        carom_propagative_outcomes_find(contacts, &params, p->contact_velocity, p->kinetic_energy,
                                        &tree, NULL) == CAROM_OK) {
        count = tree->momentum_count;
    }
    carom_propagative_outcomes_free(tree);
    carom_propagative_contacts_free(contacts);
    return count;
}

static carom_status ask_propagative(const question *asked, carom_impact_outcomes *outcomes,
                                    int *cost, carom_report *report) {
    const carom_propagative_tree_params params = carom_propagative_tree_params_default();
    *cost = count_momenta(asked->problem);
    return carom_propagative_law_all(asked->problem, &params, outcomes, report);
}

/** Largest normal impulse of a contact: of those that stop one alone without friction, and of all
 * outcomes of Anitescu and Potra's law, where friction may press contacts together. */
static carom_status find_largest_impulse(const question *asked, double *largest,
                                         carom_report *report) {
    const carom_impact_problem *p = asked->problem;
    const int r = p->row_count;
    carom_impact_outcomes *outcomes = NULL;
    CAROM_TRY(carom_impact_outcomes_alloc(p, &outcomes));
    const carom_status status = ask_anitescu_potra(asked, outcomes, report);
    *largest = 0.0;
    for (int i = 0; i < p->contact_count; i++) {
        *largest = fmax(*largest, -p->contact_velocity[i] / p->delassus_matrix[i * r + i]);
        for (int k = 0; k < outcomes->count && status == CAROM_OK; k++) {
            *largest = fmax(*largest, outcomes->impulse[k * r + i]);
        }
    }
    carom_impact_outcomes_free(outcomes);
    return status;
}

/** The sampled set: caps that reach its extremes too. */
static carom_status sample(const question *asked, answer *a, carom_report *report) {
    const carom_impact_problem *p = asked->problem;
    carom_impact_sampling_params params = carom_impact_sampling_params_default();
    double largest = 0.0;
    CAROM_TRY(find_largest_impulse(asked, &largest, report));
    params.samples = asked->values->samples;
    params.trajectory_length = TRAJECTORY_LENGTH;
    params.impulse_step = 2.0 * largest;
    params.distribution = CAROM_CAPS_CORNERS;
    params.selection =
        p->contact_count <= MOST_ENUMERATED ? CAROM_SELECTION_RANDOM : CAROM_SELECTION_LEMKE;
    params.seed = asked->seed;
    params.threads = 1;
    carom_impact_samples *samples = NULL;
    CAROM_TRY(carom_impact_sample(p, &params, &samples, report));
    const carom_status status = impact_laws_answer_samples(p, samples, a);
    a->cost = (int)samples->increment_count;
    carom_impact_samples_free(samples);
    return status;
}

/** What a law does not know of what is asked; NULL if it knows all. */
static const char *ignorance(impact_law law, const question *asked) {
    const carom_impact_problem *p = asked->problem;
    bool has_friction = false;
    for (int i = 0; i < p->contact_count; i++) {
        has_friction = has_friction || p->friction[i] > 0.0;
    }
    const bool is_inelastic =
        law == LAW_ANITESCU_POTRA || law == LAW_SEQUENTIAL || law == LAW_SAMPLING;
    if (is_inelastic && asked->restitution > 0.0) {
        return "the law has no restitution";
    }
    return law == LAW_PROPAGATIVE && has_friction ? "the law has no friction" : NULL;
}

/** Why a law has no outcome. */
static void explain(carom_status status, const carom_report *report, answer *a) {
    a->kind = ANSWER_FAILED;
    const char *sentence =
        report->sentence[0] != '\0' ? report->sentence : carom_status_sentence(status);
    snprintf(a->reason, sizeof a->reason, "%s%s%s", sentence, report->quantity != NULL ? ": " : "",
             report->quantity != NULL ? report->quantity : "");
}

/** Ask a law that returns a list of outcomes. */
static carom_status ask(impact_law law, const question *asked, answer *a, carom_report *report) {
    carom_impact_outcomes *outcomes = NULL;
    CAROM_TRY(carom_impact_outcomes_alloc(asked->problem, &outcomes));
    carom_status status = CAROM_OK;
    int cost = enumeration_cost(asked->problem);
    switch (law) {
    case LAW_NEWTON_MOREAU:
        status = ask_newton_moreau(asked, outcomes, report);
        break;
    case LAW_ANITESCU_POTRA:
        status = ask_anitescu_potra(asked, outcomes, report);
        break;
    case LAW_SEQUENTIAL:
        cost = 0;
        status = ask_sequential(asked, outcomes, &cost, report);
        break;
    case LAW_PROPAGATIVE:
        status = ask_propagative(asked, outcomes, &cost, report);
        break;
    default:
        cost = 0;
        status = impact_laws_compliant(asked, outcomes, &cost, report);
        break;
    }
    if (status == CAROM_OK) {
        status = impact_laws_answer_outcomes(asked->problem, outcomes, a);
    }
    a->cost = cost;
    carom_impact_outcomes_free(outcomes);
    return status;
}

carom_status impact_laws_apply(impact_law law, const question *asked, answer *a) {
    const char *unknown = ignorance(law, asked);
    if (unknown != NULL) {
        a->kind = ANSWER_INAPPLICABLE;
        snprintf(a->reason, sizeof a->reason, "%s", unknown);
        return CAROM_OK;
    }
    carom_report report = carom_report_empty();
    const carom_status status =
        law == LAW_SAMPLING ? sample(asked, a, &report) : ask(law, asked, a, &report);
    if (status == CAROM_STATUS_OUT_OF_MEMORY) {
        return status;
    }
    if (status != CAROM_OK) {
        explain(status, &report, a);
    } else if (a->count == 0) {
        a->kind = ANSWER_FAILED;
        snprintf(a->reason, sizeof a->reason, "no end within the rounds or increments allowed");
    }
    return CAROM_OK;
}
