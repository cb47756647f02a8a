/** The statements of the paper about the cradle, decided from the results: /claims. */
#include "results.h"

/** Rounding of a few products of numbers of order one. */
static const double ROUNDING = 1e-12;

/** Two numbers further apart are two. */
static const double DIFFERENT = 1e-6;

/** What sweeps may leave of a contact speed, ten of two equal contacts 2 4^-10, and a few times
 * that of the energy. */
static const double LEFT = 3e-6;
static const double SWEPT = 1e-5;

/** Bands of some hundred speeds end this far from each other and from their limits. */
static const double BAND = 0.02;

/** Fewer speeds do not show the ends of a band. */
enum { FEWEST_SPEEDS = 100 };

/** Time stepping sums up to a thousand steps of a Newton method to 1e-14. */
static const double STEPPED = 1e-9;

/** Example 1 and section V. */
static void write_example(const results *r) {
    const example *e = &r->example;
    carom_record *record = r->record;
    carom_record_claim(record, "orders_give_equal_products", e->product_difference <= ROUNDING,
                       "Gamma(u)Gamma(v)Gamma(u) = Gamma(v)Gamma(u)Gamma(v)");
    carom_record_claim(record, "two_minimal_sequences", e->has_two_sequences,
                       "{u,v,u} and {v,u,v} are the minimal sequences of momenta that "
                       "are infeasible at both contacts");
    carom_record_claim(record, "takes_three_reflections_for_any",
                       e->least_reflections == 3 && e->most_reflections == 3 &&
                           e->struck_reflections == 3,
                       "three iterations for an infeasible momentum, also for that of "
                       "the options");
    carom_record_claim(record, "outcome_is_unique", e->indeterminacy <= ROUNDING,
                       "one outcome for any combination of momenta");
    carom_record_claim(record, "unequal_masses_are_not_unique", e->unequal_share > 0.5,
                       "chains of random masses have in general several outcomes");
    carom_record_claim(record, "acute_angle_is_unique", e->acute_indeterminacy <= ROUNDING,
                       "one outcome for any momentum where (u,v) = +1/2");
}

/** Section III-A. */
static void write_inelastic(const results *r) {
    const example *e = &r->example;
    carom_record *record = r->record;
    carom_record_claim(record, "conserves_energy", e->energy_error <= ROUNDING,
                       "elastic impacts keep the kinetic energy");
    carom_record_claim(record, "conserves_momentum", e->momentum_error <= ROUNDING,
                       "elastic impacts keep the momentum");
    carom_record_claim(record, "limits_are_plastic_and_elastic",
                       e->plastic_error <= ROUNDING && e->elastic_error <= ROUNDING,
                       "R = 0 is plastic and R = 1 elastic");
    carom_record_claim(record, "plastic_part_is_orthogonal", e->orthogonality_error <= ROUNDING,
                       "|p_p|^2 = (p_p, p_e), (18)");
    carom_record_claim(record, "weight_recovers_restitution", e->weight_error <= ROUNDING,
                       "the weight R of the elastic part gives R by (16)");
    carom_record_claim(record, "printed_weight_recovers_restitution", e->printed_error <= ROUNDING,
                       "the weight sqrt(1 - R^2) of the elastic part gives R by (16)");
    carom_record_claim(record, "printed_plastic_loss_holds", e->printed_loss_error <= DIFFERENT,
                       "E_p = |p_p|^2/2 for some momentum at least");
    carom_record_claim(record, "printed_energy_balance_holds", e->printed_display <= DIFFERENT,
                       "|p+|^2 - |p_e|^2 = R^2 (|p_e|^2 - |p_p|^2) for some momentum");
}

/** Index of the coefficient, -1 if it is not among those of the options. */
static int index_of(const results *r, double restitution) {
    for (int k = 0; k < r->points.coefficient_count; k++) {
        if (fabs(r->values->coefficients.values[k] - restitution) <= ROUNDING) {
            return k;
        }
    }
    return -1;
}

/** Whether the step varies. */
static bool has_several_frequencies(const settings *values) {
    bool varies = false;
    for (int k = 1; k < values->frequencies.count; k++) {
        const double ratio = values->frequencies.values[k] / values->frequencies.values[0];
        varies = varies || fabs(ratio - 1.0) > DIFFERENT;
    }
    return varies;
}

/** Whether the baseline solves the contacts of the first impact, so that closed forms say what it
 * does: exactly, or by sweeps enough; speculative contacts stop before they touch. */
static bool solves_contacts(const results *r) {
    const carom_error_reduction_params *baseline = &r->values->baseline;
    const int m = r->contacts->contact_count;
    double left[MOST_BALLS] = {0.0};
    double largest = 1.0;
    for (int i = 0; i < m; i++) {
        left[i] = 1.0;
    }
    // Errors of speeds in unit normals; cosines of neighbours are negative, so that they add up.
    for (int k = 0; k < baseline->sweeps && largest > LEFT; k++) {
        largest = 0.0;
        for (int i = 0; i < m; i++) {
            left[i] = 0.0;
            for (int j = 0; j < m; j++) {
                left[i] += j == i ? 0.0 : fabs(r->contacts->cosine[i * m + j]) * left[j];
            }
            largest = fmax(largest, left[i]);
        }
    }
    const bool is_exact = baseline->solver == CAROM_ERROR_REDUCTION_EXACT;
    return !baseline->is_speculative && (is_exact || largest <= LEFT);
}

/** What the elastic baseline gains; nothing where no coefficient is 1. */
static void write_gains(const results *r) {
    const scatter *p = &r->points;
    carom_record *record = r->record;
    const int elastic = index_of(r, 1.0);
    const double erp = r->values->baseline.error_reduction;
    const double bound = r->plastic_share * erp * (2.0 + erp);
    carom_record_measure(record, "gain_bound", 100.0 * bound, "percent",
                         "limit of the energy gain of the elastic baseline, of impacts "
                         "found a whole step late");
    if (elastic < 0) {
        return;
    }
    const double gain = p->largest[elastic];
    carom_record_measure(record, "largest_gain", 100.0 * gain, "percent",
                         "largest energy gain of the elastic baseline");
    carom_record_measure(record, "stillest_distance", p->stillest_velocity_gap, "1",
                         "distance to the propagative law / speed of the elastic point "
                         "of the baseline that keeps its energy best");
    if (!solves_contacts(r)) {
        return;
    }
    carom_record_claim(record, "elastic_baseline_gains_energy", gain > DIFFERENT,
                       "elastic impacts of the baseline raise the energy");
    if (p->speed_count < FEWEST_SPEEDS) {
        return;
    }
    // A limit as small as its tolerance is reached by anything.
    if (bound > 2.0 * BAND) {
        carom_record_claim(record, "gain_reaches_its_bound", gain > bound - BAND,
                           "some of these gains are close to their limit");
    }
    if (r->example.is_there) {
        carom_record_claim(record, "still_baseline_is_elsewhere",
                           p->stillest_gain <= BAND && p->stillest_velocity_gap > 0.1,
                           "where the baseline keeps the energy its velocities are others");
    }
}

/** Figure 2b: the baseline. */
static void write_baseline(const results *r) {
    const scatter *p = &r->points;
    carom_record *record = r->record;
    write_gains(r);
    carom_record_measure(record, "closed_form_error", p->closed_form_error, "1",
                         "largest difference of energy change to its closed form");
    if (solves_contacts(r)) {
        carom_record_claim(record, "baseline_follows_closed_form", p->closed_form_error <= SWEPT,
                           "the baseline changes the energy by E_p ((e + erp f)^2 - 1)");
    }
    if (p->speed_count < FEWEST_SPEEDS || !has_several_frequencies(r->values)) {
        return;
    }
    carom_record_measure(record, "frequency_spread", p->frequency_spread, "1",
                         "largest difference of band ends between frequencies");
    carom_record_claim(record, "baseline_error_ignores_the_step", p->frequency_spread <= BAND,
                       "bands of the baseline are the same for all frequencies");
}

/** Figure 2b: the lines of the propagative law. */
static void write_lines(const results *r) {
    const scatter *p = &r->points;
    carom_record *record = r->record;
    const int elastic = index_of(r, 1.0);
    double error = 0.0;
    bool loses = false;
    for (int k = 0; k < p->coefficient_count; k++) {
        const double R = r->values->coefficients.values[k];
        error = fmax(error, fabs(p->line[k] + (1.0 - R * R) * r->plastic_share));
        loses = loses || R < 1.0;
    }
    if (elastic >= 0) {
        carom_record_claim(record, "elastic_line_is_zero", fabs(p->line[elastic]) <= ROUNDING,
                           "the elastic line of the propagative law keeps the energy");
    }
    if (loses) {
        carom_record_claim(record, "lines_lose_by_restitution", error <= ROUNDING,
                           "the lines lose (1 - R^2) E_p");
    }
}

/** Time stepping with the law: section VI. */
static void write_stepping(const results *r) {
    const scatter *p = &r->points;
    carom_record *record = r->record;
    carom_record_measure(record, "stepped_energy_error", p->stepped_energy_error, "1",
                         "largest difference of time stepping to the lines");
    carom_record_measure(record, "stepped_velocity_error", p->stepped_velocity_error, "1",
                         "largest difference of its velocities to the law / speed");
    carom_record_measure(record, "chain_error", r->chain_error, "m s-1",
                         "largest difference of law and time stepping, longer chain");
    carom_record_claim(record, "stepping_follows_the_lines", p->stepped_energy_error <= STEPPED,
                       "time stepping loses as much for all steps and speeds");
    carom_record_claim(record, "stepping_reproduces_the_outcome",
                       p->stepped_velocity_error <= STEPPED &&
                           r->chain_error <= STEPPED * newtons_cradle_speed(r->values),
                       "time stepping ends with the velocities of the law for all steps");
    carom_record_claim(record, "stepping_conserves_momentum", p->stepped_momentum_error <= STEPPED,
                       "time stepping keeps the momentum");
}

void newtons_cradle_write_claims(const results *r) {
    if (r->example.is_there) {
        write_example(r);
        write_inelastic(r);
    }
    if (r->points.speed_count > 0) {
        write_baseline(r);
        write_lines(r);
    }
    if (r->points.stepped_count > 0) {
        write_stepping(r);
    }
}
