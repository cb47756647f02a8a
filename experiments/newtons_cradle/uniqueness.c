/** Outcomes of random momenta: numbers of reflections, sequences, uniqueness. */
#include "results.h"

#include <carom/base/random.h>

#include <string.h>

enum { BALLS = 3, CONTACTS = 2 };

/** Momenta, and chains of random masses, that are drawn. */
enum { DRAWS = 400 };

/** Two momenta further apart, |p| being 1, are two. */
static const double SAME = 1e-9;

/** Number in (-1, 1) of a draw; one stream for each kind of draw. */
static double draw(const results *r, int stream, int sample, int dimension) {
    return 2.0 * carom_counter_uniform(r->common->seed + (unsigned long)stream,
                                       (unsigned long)sample, (unsigned long)dimension) -
           1.0;
}

/** Outcomes of the chain, or of other contacts, for a velocity. */
static carom_status follow(const results *r, carom_impact_problem *problem,
                           const carom_propagative_contacts *contacts, const double *v,
                           carom_propagative_outcomes **out) {
    const carom_propagative_tree_params params = carom_propagative_tree_params_default();
    CAROM_TRY(carom_impact_problem_set_velocity(problem, v));
    return carom_propagative_outcomes_find(contacts, &params, problem->contact_velocity,
                                           problem->kinetic_energy, out, r->report);
}

/** Whether a sequence is one contact, the other, and the first again. */
static bool alternates(const int *contact, int length) {
    return length == 3 && contact[0] == contact[2] && contact[0] != contact[1];
}

/** Whether the minimal sequences are {u,v,u} and {v,u,v}. */
static bool has_two_sequences(const carom_propagative_outcomes *outcomes) {
    int minimal = 0;
    bool is_alternating = true;
    for (int k = 0; k < outcomes->sequence_count; k++) {
        const int *first = outcomes->contact + outcomes->begin[k];
        if (outcomes->minimality[k] == CAROM_PROPAGATIVE_MINIMAL) {
            minimal++;
            is_alternating =
                is_alternating && alternates(first, outcomes->begin[k + 1] - outcomes->begin[k]);
        }
    }
    return minimal == 2 && is_alternating;
}

/** Shortest and longest sequence of a momentum. */
static void lengths(const carom_propagative_outcomes *outcomes, int *least, int *most) {
    for (int k = 0; k < outcomes->sequence_count; k++) {
        const int length = outcomes->begin[k + 1] - outcomes->begin[k];
        *least = length < *least ? length : *least;
        *most = length > *most ? length : *most;
    }
}

/** Momenta of the chain of the options. */
static carom_status sample_momenta(results *r, carom_impact_problem *problem) {
    example *e = &r->example;
    e->least_reflections = newtons_cradle_most_reflections(BALLS);
    e->has_two_sequences = true;
    for (int k = 0; k < DRAWS; k++) {
        double v[BALLS];
        for (int i = 0; i < BALLS; i++) {
            v[i] = draw(r, 1, k, i);
        }
        carom_propagative_outcomes *outcomes = NULL;
        CAROM_TRY(follow(r, problem, r->contacts, v, &outcomes));
        e->indeterminacy = fmax(e->indeterminacy, outcomes->indeterminacy);
        if (v[0] > v[1] && v[1] > v[2]) {
            lengths(outcomes, &e->least_reflections, &e->most_reflections);
            e->has_two_sequences = e->has_two_sequences && has_two_sequences(outcomes);
        }
        carom_propagative_outcomes_free(outcomes);
    }
    carom_propagative_outcomes *struck = NULL;
    int longest = 0;
    e->struck_reflections = newtons_cradle_most_reflections(BALLS);
    CAROM_TRY(follow(r, problem, r->contacts, r->values->velocity, &struck));
    lengths(struck, &e->struck_reflections, &longest);
    carom_propagative_outcomes_free(struck);
    return CAROM_OK;
}

/** Largest indeterminacy of a system over one momentum. */
static carom_status measure(const results *r, const double *M, const double *normals, int n,
                            const double *v, double *indeterminacy) {
    const double H[CONTACTS * BALLS] = {0.0};
    const double mu[CONTACTS] = {0.0, 0.0};
    carom_impact_problem *problem = NULL;
    carom_propagative_contacts *contacts = NULL;
    carom_propagative_outcomes *outcomes = NULL;
    CAROM_TRY(
        carom_impact_problem_alloc(n, CONTACTS, 1, M, normals, H, mu, v, &problem, r->report));
    carom_status status = carom_propagative_contacts_of_problem(problem, &contacts, r->report);
    if (status == CAROM_OK) {
        status = follow(r, problem, contacts, v, &outcomes);
    }
    *indeterminacy = status == CAROM_OK ? outcomes->indeterminacy : (double)NAN;
    carom_propagative_outcomes_free(outcomes);
    carom_propagative_contacts_free(contacts);
    carom_impact_problem_free(problem);
    return status;
}

/** Chains of random masses, struck at both contacts. */
static carom_status sample_masses(results *r) {
    int several = 0;
    for (int k = 0; k < DRAWS; k++) {
        double M[BALLS * BALLS] = {0.0};
        double v[BALLS];
        double indeterminacy = 0.0;
        for (int i = 0; i < BALLS; i++) {
            M[i * BALLS + i] = pow(10.0, draw(r, 2, k, i));
            v[i] = 1.0 - i + 0.4 * draw(r, 3, k, i);
        }
        CAROM_TRY(measure(r, M, r->problem->contact_jacobian, BALLS, v, &indeterminacy));
        several += indeterminacy > SAME;
    }
    r->example.unequal_share = (double)several / DRAWS;
    return CAROM_OK;
}

/** Two normals at 60 degrees, (u, v) = 1/2, which section V names beside 0 and -1/2. */
static carom_status sample_acute(results *r) {
    const double M[4] = {1.0, 0.0, 0.0, 1.0};
    const double normals[4] = {1.0, 0.0, 0.5, 0.5 * sqrt(3.0)};
    for (int k = 0; k < DRAWS; k++) {
        const double v[2] = {draw(r, 4, k, 0), draw(r, 4, k, 1)};
        double indeterminacy = 0.0;
        CAROM_TRY(measure(r, M, normals, 2, v, &indeterminacy));
        r->example.acute_indeterminacy = fmax(r->example.acute_indeterminacy, indeterminacy);
    }
    return CAROM_OK;
}

carom_status newtons_cradle_sample_outcomes(results *r) {
    if (!r->example.is_there) {
        return CAROM_OK;
    }
    CAROM_TRY(sample_momenta(r, r->problem));
    CAROM_TRY(carom_impact_problem_set_velocity(r->problem, r->values->velocity));
    CAROM_TRY(sample_masses(r));
    CAROM_TRY(sample_acute(r));
    const example *e = &r->example;
    carom_record_measure(r->record, "reflections", e->most_reflections, "1",
                         "most reflections of momenta infeasible at both contacts");
    carom_record_measure(r->record, "least_reflections", e->least_reflections, "1",
                         "fewest reflections of momenta infeasible at both contacts");
    carom_record_measure(r->record, "struck_reflections", e->struck_reflections, "1",
                         "fewest reflections of the momentum of the options");
    carom_record_measure(r->record, "indeterminacy", e->indeterminacy, "1",
                         "largest distance of two outcomes / momentum");
    carom_record_measure(r->record, "unequal_share", e->unequal_share, "1",
                         "part of chains of random masses with several outcomes");
    carom_record_measure(r->record, "acute_indeterminacy", e->acute_indeterminacy, "1",
                         "largest distance of two outcomes / momentum for (u,v) = +1/2");
    return CAROM_OK;
}
