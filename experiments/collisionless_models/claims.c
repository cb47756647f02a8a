/** Claims of section 4 and appendix C of pankov-2024, decided by what has been computed. */
#include "results.h"

#include <gsl/gsl_math.h>

/** Closed forms and general solver: rounding of tangents and of the zero search. */
static const double SAME_TIMES = 1e-12;

/** Residuals of printed equations, already relative to the conditioning of their tangents. */
static const double ROUNDING = 1e-13;

/** Powers measured between n = 256 and 512, where terms of relative size 1/n are left out. */
static const double POWER_TOLERANCE = 0.05;

/** Decays measured in the last resolved column: the next term is the square of the first. */
static const double DECAY_TOLERANCE = 0.01;

/** A period at tolerances of 1e-13, the errors of which grow by up to 1e3 in a flight. */
static const double RETURNED = 1e-8;

/** Energy lost in landings that errors of position of 1e-9 displace: their power 4/3. */
static const double LOSSLESS = 1e-11;

/** A statement and whether it holds. */
typedef struct claim {
    const char *name;
    bool holds;
    const char *statement;
} claim;

static void write_claims(const results *r, int count, const claim *claims) {
    for (int i = 0; i < count; i++) {
        carom_record_claim(r->record, claims[i].name, claims[i].holds, claims[i].statement);
    }
}

/** Largest of a residual over all models, or over those of a kind. */
static double largest(const results *r, const motion_kind *kind, double (*residual)(const gait *)) {
    double value = 0.0;
    for (int i = 0; i < MODELS; i++) {
        if (kind == NULL || r->gaits[i].kind == kind) {
            value = fmax(value, residual(&r->gaits[i]));
        }
    }
    return value;
}

static double difference_of(const gait *g) {
    return g->largest_difference;
}

static double rate_residual_of(const gait *g) {
    return g->rate_residual;
}

static double ratio_residual_of(const gait *g) {
    return g->ratio_residual;
}

static double printed_residual_of(const gait *g) {
    return g->printed_residual;
}

static double lost_share_of(const gait *g) {
    return g->simulated.lost_share;
}

static double excess_loss_of(const gait *g) {
    return fmax(g->simulated.decided_loss - g->simulated.allowed_loss, 0.0);
}

/** Whether rounding displaces no motion within its first period. */
static bool are_motions_decided(const results *r) {
    bool is_decided = true;
    for (int i = 0; i < MODELS; i++) {
        is_decided = is_decided && r->gaits[i].simulated.decided_periods > 0;
    }
    return is_decided;
}

static double energy_change_of(const gait *g) {
    return fabs(g->simulated.energy_change);
}

static double return_distance_of(const gait *g) {
    return g->simulated.return_distance[0];
}

/** Whether of rows 0, 1, 2 exactly the first is realizable in every column. */
static bool has_one_realizable_row(const results *r, const gait *g) {
    for (int k = 0; k < r->values->columns; k++) {
        for (int row = 0; row < ROWS; row++) {
            if (g->realizable[k][row] != (row == 0 ? 1 : 0)) {
                return false;
            }
        }
    }
    return true;
}

static bool is_near(double value, double expected, double tolerance) {
    return fabs(value - expected) <= tolerance;
}

/** Equations and closed forms. */
static void claim_equations(const results *r) {
    const gait *g = r->gaits;
    bool is_complete = true;
    for (int i = 0; i < MODELS; i++) {
        is_complete = is_complete && g[i].is_list_complete;
    }
    const motion_kind *hop = &COLLISIONLESS_HOP;
    const motion_kind *roll = &COLLISIONLESS_ROLL;
    const motion_kind *rock = &COLLISIONLESS_ROCK;
    const claim claims[] = {
        {"equation_17_holds", largest(r, NULL, ratio_residual_of) <= ROUNDING,
         "G_i1 = lambda'_1/lambda_i at every root"},
        {"equation_18_holds", largest(r, NULL, rate_residual_of) <= ROUNDING,
         "the rates of both modes cancel that of the constrained one at every root"},
        {"hopping_has_a_free_mode",
         r->gaits[HOPPER].modes->is_stiffness_singular &&
             r->gaits[JUGGLER].modes->is_stiffness_singular,
         "hopping and juggling have lambda_1 = 0"},
        {"equation_23_holds", largest(r, hop, printed_residual_of) <= ROUNDING,
         "o_2 cot o_2 = 1 and mu o'_1 cot o'_1 = -1 at every root"},
        {"equation_24_holds", largest(r, hop, difference_of) <= SAME_TIMES,
         "hopping and juggling: the closed form is the general solution"},
        {"hopping_has_one_realizable_row",
         has_one_realizable_row(r, &g[HOPPER]) && has_one_realizable_row(r, &g[JUGGLER]),
         "one solution of the second equation for every n is physically realizable"},
        {"wheel_spectrum",
         g[REACTION_WHEEL].spectrum[0] < 0.0 && g[REACTION_WHEEL].constrained > 0.0 &&
             g[PENDULUM_WHEEL].spectrum[0] < 0.0 && g[PENDULUM_WHEEL].constrained > 0.0,
         "both wheels have lambda_1 < 0 < lambda'_1"},
        {"equation_25_holds", largest(r, roll, printed_residual_of) <= ROUNDING,
         "o_2 tan o_2 = -o_1 tanh o_1 and mu o'_1 tan o'_1 = o_1 tanh o_1 at every root"},
        {"equation_26_holds", largest(r, roll, difference_of) <= SAME_TIMES,
         "wheels: the closed form is the general solution"},
        {"rocking_spectrum", g[ROCKER].spectrum[0] < 0.0 && g[ROCKER].constrained > 0.0,
         "rocking has lambda_1 < 0 < lambda'_1"},
        {"equation_27_holds", largest(r, rock, printed_residual_of) <= ROUNDING,
         "o_2 cot o_2 = o_1 coth o_1 and mu o'_1 tan o'_1 = o_1 coth o_1 at every root"},
        {"equation_28_holds", largest(r, rock, difference_of) <= SAME_TIMES,
         "rocking: the closed form is the general solution"},
        {"closed_forms_are_all_roots", is_complete,
         "a subdivision that knows no cells finds these roots and no other"},
    };
    write_claims(r, (int)(sizeof claims / sizeof claims[0]), claims);
}

/** Series for many oscillations; nothing is claimed of an error that rounding hides. */
static void claim_series(const results *r, const series_orders *o) {
    const struct {
        const char *name;
        double order;
        double expected;
        double tolerance;
        const char *statement;
    } claims[] = {
        {"alpha_series_order", o->alpha, 2.0, POWER_TOLERANCE,
         "alpha_n = (n-1/2) pi - 1/(n pi) up to a term in 1/n2"},
        {"hop_phase_series_order", o->hop_phase, 4.0, POWER_TOLERANCE,
         "o'_1 of hopping is its series up to a term in 1/n4"},
        {"beta_series_order", o->beta, 1.0, DECAY_TOLERANCE,
         "beta_n = n pi - arctan rho up to a term in exp(-2 pi n rho)"},
        {"wheel_phase_series_order", o->wheel_phase, 1.0, DECAY_TOLERANCE,
         "o'_1 of the wheel is its limit up to a term in exp(-2 pi n nu_1/omega_2)"},
        {"gamma_series_order", o->gamma, 1.0, DECAY_TOLERANCE,
         "gamma_n = (n-1) pi + arctan(1/rho) up to a term in exp(-2 pi n rho)"},
        {"rocking_phase_series_order", o->rocking_phase, 1.0, DECAY_TOLERANCE,
         "o'_1 of rocking is its limit up to a term in exp(-2 pi n nu_1/omega_2)"},
    };
    for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++) {
        if (!isnan(claims[i].order)) {
            carom_record_claim(r->record, claims[i].name,
                               is_near(claims[i].order, claims[i].expected, claims[i].tolerance),
                               claims[i].statement);
        }
    }
}

/** Whether (53) holds at the roots of rocking, whose modes are even. */
static bool printed_53_holds(const results *r, double *worst, double *worst_derived) {
    const gait *g = &r->gaits[ROCKER];
    *worst = 0.0;
    *worst_derived = 0.0;
    for (int k = 0; k < r->values->columns; k++) {
        const sides_of_53 sides = collisionless_models_evaluate_53(g, &g->general[k]);
        const double o = sqrt(g->spectrum[1]) * g->general[k].time;
        const double scale = (1.0 + o * o) * fabs(sides.right);
        *worst = fmax(*worst, fabs(sides.left - sides.right) / fabs(sides.right));
        *worst_derived = fmax(*worst_derived, fabs(sides.derived_left - sides.right) / scale);
    }
    return *worst <= SAME_TIMES;
}

/** Existence, first roots, and the edge. */
static void claim_existence(const results *r, const existence *found, bool is_53_right) {
    const double reached = 0.01; // o'_1 differs from pi/2 by some omega'_1/nu_1
    const claim claims[] = {
        {"no_solution_without_oscillation", found->without > 0 && found->crossings == 0,
         "no solution for lambda'_1 <= 0, whatever the parities"},
        {"solutions_with_oscillation",
         found->is_complete && found->oscillating > 0 && found->solved == found->oscillating,
         "a solution for lambda'_1 > 0, whatever the parities"},
        {"alpha_is_limit_of_gamma", found->alpha_of_gamma <= 1.0,
         "alpha_n = gamma_n(0+), approached as rho2 alpha_n/3"},
        {"first_alpha_is_a_motion", found->trivial_alpha > 0,
         "tan y = y has a root in the first half turn that is a motion"},
        {"first_gamma_is_a_motion", found->trivial_gamma > 0,
         "rho tan y = tanh(rho y) has a root in the first half turn that is a motion"},
        {"constrained_time_diverges_wheel",
         is_near(found->wheel_phase, M_PI_2, reached) && found->least_growth > 1.0,
         "tau' of the wheel grows beyond bounds as lambda'_1 falls to zero"},
        {"constrained_time_diverges_rocking",
         is_near(found->rocking_phase, M_PI_2, reached) && found->least_growth > 1.0,
         "tau' of rocking grows beyond bounds as lambda'_1 falls to zero"},
        {"printed_53_holds", is_53_right,
         "the roots of rocking satisfy (53) as printed, with sigma_1 = -1 on its left"},
    };
    write_claims(r, (int)(sizeof claims / sizeof claims[0]), claims);
}

/** Motions and simulations. */
static void claim_motions(const results *r, double same_frequencies) {
    const gait *rocker = &r->gaits[ROCKER];
    bool is_realizable = true;
    double mismatch = 0.0;
    for (int i = 0; i < MODELS; i++) {
        is_realizable = is_realizable && r->gaits[i].is_motion_realizable;
        mismatch = fmax(mismatch, r->gaits[i].mismatch);
    }
    const claim claims[] = {
        {"hopping_equals_juggling", same_frequencies <= SAME_TIMES,
         "a juggler with the frequencies of the hopper has its impact times"},
        {"impact_conditions_hold", mismatch <= 1e-11,
         "positions and velocities agree at the impact, contact velocity and acceleration vanish"},
        {"followed_motions_are_realizable", is_realizable,
         "no penetration and no attraction in any of the five motions, proved by bounds"},
        {"rocking_has_clearance", rocker->is_motion_realizable && rocker->largest_gap > 0.0,
         "rocking lifts the foot by a finite angle"},
    };
    // Left out where rounding may be why a motion does not return.
    if (are_motions_decided(r)) {
        carom_record_claim(r->record, "motions_repeat",
                           largest(r, NULL, return_distance_of) <= RETURNED,
                           "integrated event by event, the five motions return after a period");
        carom_record_claim(r->record, "no_energy_is_lost",
                           largest(r, NULL, excess_loss_of) <= LOSSLESS,
                           "plastic contacts dissipate nothing in the five motions, as "
                           "long as rounding does not displace them");
    }
    write_claims(r, (int)(sizeof claims / sizeof claims[0]), claims);
}

void collisionless_models_write_claims(const results *r, const series_orders *orders,
                                       const existence *found, double same_frequencies) {
    double worst = 0.0;
    double worst_derived = 0.0;
    const bool is_53_right = printed_53_holds(r, &worst, &worst_derived);
    const scalar_row measures[] = {
        {"largest_difference", largest(r, NULL, difference_of), "1",
         "largest relative distance of closed forms and general solver"},
        {"same_frequencies", same_frequencies, "1",
         "the same of the hopper and the juggler with its frequencies"},
        {"alpha_order", orders->alpha, "1",
         "power of 1/n of the error of alpha_n; NaN: rounding hides it"},
        {"alpha_factor", orders->alpha_factor, "1",
         "the error over the first term left out; NaN: likewise"},
        {"hop_phase_order", orders->hop_phase, "1",
         "power of 1/n of the error of o'_1; NaN: rounding hides it"},
        {"hop_phase_factor", orders->hop_phase_factor, "1",
         "the error over the term left out; NaN: likewise"},
        {"beta_decay", orders->beta, "1",
         "decay of the error of beta_n over 2 pi rho; NaN: rounding hides it"},
        {"gamma_decay", orders->gamma, "1",
         "decay of the error of gamma_n over 2 pi rho; NaN: rounding hides it"},
        {"wheel_phase_decay", orders->wheel_phase, "1",
         "the same of the wheel's o'_1; NaN: rounding hides it"},
        {"rocking_phase_decay", orders->rocking_phase, "1",
         "the same of rocking's o'_1; NaN: rounding hides it"},
        {"printed_53", worst, "1", "largest relative difference of the sides of (53) as printed"},
        {"derived_53", worst_derived, "1", "the same without sigma_1 on the left, over 1 + o_2^2"},
        {"lost_share", largest(r, NULL, lost_share_of), "1",
         "largest share of the kinetic energy that a simulation loses in landings, also in periods "
         "in which rounding has displaced an unstable motion"},
        {"energy_change", largest(r, NULL, energy_change_of), "1",
         "largest change of the energy of a simulation over the kinetic one, likewise"},
        {"return_distance", largest(r, NULL, return_distance_of), "1",
         "largest relative distance of a simulation from its start after a period"},
    };
    collisionless_models_write_scalars(r->record, "/measures",
                                       (int)(sizeof measures / sizeof measures[0]), measures);
    claim_equations(r);
    claim_series(r, orders);
    claim_existence(r, found, is_53_right);
    claim_motions(r, same_frequencies);
}
