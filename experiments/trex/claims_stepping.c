/** What the runs have to keep, and how contacts are held, decided: /claims. */
#include "results.h"

/** Rounding of energies and of the momentum that forces account for, relative. */
static const double ROUNDING = 1e-12;

/** Heights of held tips, of a leg. */
static const double HELD = 1e-10;

/** The solution of a step leaves this part of its momenta: 1e-14 of its terms, which springs and
 * hips make some hundred times as large. */
static const double KEPT = 1e-11;

/** Largest of a quantity over the sets and gaits. */
typedef double (*quantity)(const pair_measures *of);
static double largest(const results *r, quantity value) {
    double most = -HUGE_VAL;
    for (int set = 0; set < SETS; set++) {
        for (int i = 0; i < GAITS; i++) {
            const pair_measures *of = &r->sets[set].measures[i];
            most = of->is_known ? fmax(most, value(of)) : most;
        }
    }
    return most;
}

static double energy_error(const pair_measures *of) {
    return of->energy_error;
}
static double held_gap(const pair_measures *of) {
    return of->held_gap;
}
static double depth(const pair_measures *of) {
    return -of->least_gap;
}
static double flight_error(const pair_measures *of) {
    return of->flight_error;
}
static double balance_error(const pair_measures *of) {
    return of->balance_error;
}
static double push(const pair_measures *of) {
    return of->push;
}
static double cone_excess(const pair_measures *of) {
    return of->cone_excess;
}
static double fewest_double(const pair_measures *of) {
    return -fmin(of->double_impacts[ORDER_MOST], of->double_impacts[ORDER_LEAST]);
}

/** A claim that the largest of a quantity stays below a bound; none if no run has a value. */
static void claim_below(const results *r, const char *name, quantity value, double bound,
                        const char *statement) {
    const double most = largest(r, value);
    if (isfinite(most)) {
        carom_record_claim(r->record, name, most <= bound, statement);
    }
}

/** What every step has to keep. */
static void write_kept(const results *r) {
    carom_record *record = r->record;
    claim_below(r, "energy_kept_in_impacts", energy_error, ROUNDING,
                "elastic impacts of the runs keep kinetic and potential energy");
    claim_below(r, "momentum_kept_in_flight", flight_error, KEPT,
                "steps of flight keep p_x and p_y + m g t, hips and dashpots acting");
    claim_below(r, "forces_balance_momentum", balance_error, ROUNDING,
                "p_x changes by friction, p_y by weight and contact forces alone");
    const double held = HELD * (r->values->start.upper_length + r->values->start.lower_length);
    carom_record_claim(record, "held_tips_stay_on_the_floor",
                       largest(r, held_gap) <= held && largest(r, depth) <= held,
                       "held tips stay on the floor, and no tip is below it");
    if (r->values->start.friction > 0.0) {
        claim_below(r, "friction_opposes_sliding", push, 0.0,
                    "friction of held tips that slide is against their sliding");
        claim_below(r, "friction_stays_in_its_cone", cone_excess, KEPT,
                    "friction of tips that stay held is at most mu times their normal force");
    }
    carom_record_claim(record, "several_double_impacts", -largest(r, fewest_double) >= 2.0,
                       "contacts strike while others are closed, several times in every run");
}

/** Contacts that are held after chatter. */
static void write_holding(const results *r) {
    bool switches = true;
    bool releases = false;
    bool holds = false;
    for (int i = 0; i < GAITS; i++) {
        const pair_measures *of = &r->sets[SET_TREX].measures[i];
        for (int order = 0; order < ORDERS; order++) {
            switches = switches && of->plastic[order] > 0 && of->held_steps[order] > 0;
            releases = releases || of->releases[order] > 0;
            holds = holds || of->held_steps[order] > 0;
        }
    }
    // Without restitution, or with N_c = 0, every impact is plastic, chatter or not.
    if (r->values->start.restitution > 0.0 && r->values->most_hits > 0) {
        carom_record_claim(r->record, "chatter_becomes_plastic", switches,
                           "in every run contacts chatter and are held from then on");
    }
    if (holds) {
        carom_record_claim(r->record, "held_contacts_release", releases,
                           "contacts that were held come off again");
    }
}

void trex_write_stepping(const results *r) {
    write_kept(r);
    write_holding(r);
}
