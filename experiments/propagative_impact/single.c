/** One contact, and the equations of several: (2) to (14) and (21). */
#include "results.h"

#include <gsl/gsl_math.h>

/** Rounding of products in random metrics. */
static const double ROUNDING = 1e-12;

/** Openings of random pairs, rad. */
static const double LEAST_OPENING = 0.05;
static const double LARGEST_OPENING = 1.5;

enum { PART = 1 };

/** What the random impacts found. */
typedef struct study_results {
    double feasibility; /**< |D phi q' - (p,u)|, (2) against (6), relative */
    double norm;        /**< change of |p|^2 by (7), relative */
    double reversal;    /**< |(p+,u) + (p-,u)| by (7), relative */
    double square;      /**< |p Gamma Gamma - p|/|p|, (8) */
    double scale;       /**< the same of Gamma(a u) and Gamma(u), (9) */
    double isometry;    /**< (21), relative to |p_a| |p_b| */
    double continuum;   /**< change of |p|^2 along the family of solutions of (13), relative */
    double projection;  /**< (p_p,u_i) and (p_p,p - p_p) of (11), relative */
    double doubled;     /**< change of p_p if a contact is given twice, relative */
    int pulling;        /**< plastic impulses below zero where both contacts approach */
    int escaping;       /**< outcomes infeasible at a touching contact that is left out of S */
    int ending_at_u;    /**< sequences from u on whose last reflection is across u */
    int ending_at_v;
    int not_positive; /**< lambda <= 0 of (7) at an approaching contact */
} study_results;

static double distance(const instant *x, const double *a, const double *b) {
    double d[MOST_COORDINATES] = {0.0};
    for (int k = 0; k < x->n; k++) {
        d[k] = a[k] - b[k];
    }
    return sqrt(propagative_impact_product(x, d, d));
}

static void copy(const instant *x, const double *from, double *to) {
    for (int k = 0; k < x->n; k++) {
        to[k] = from[k];
    }
}

/** (2) to (9) and (21) for the contact u. */
static void try_reflection(stream *from, const instant *x, study_results *f) {
    const double size = sqrt(2.0 * x->energy);
    const double *u = x->normal;
    // q' = M^-1 p'.
    f->feasibility =
        fmax(f->feasibility,
             fabs(propagative_impact_product(x, u, x->momentum) - x->velocity[U]) / size);
    double p[MOST_COORDINATES] = {0.0};
    copy(x, x->momentum, p);
    const double lambda = propagative_impact_reflect(x, U, p);
    f->not_positive += x->velocity[U] < 0.0 && !(lambda > 0.0) ? 1 : 0;
    f->norm = fmax(f->norm, fabs(0.5 * propagative_impact_product(x, p, p) / x->energy - 1.0));
    f->reversal =
        fmax(f->reversal, fabs(propagative_impact_product(x, p, u) + x->velocity[U]) / size);
    // Another normal of the same direction.
    instant scaled = *x;
    const double factor = propagative_impact_draw(from, -3.0, -0.2);
    for (int k = 0; k < x->n; k++) {
        scaled.normal[k] *= factor;
    }
    propagative_impact_complete(&scaled);
    double q[MOST_COORDINATES] = {0.0};
    copy(x, x->momentum, q);
    (void)propagative_impact_reflect(&scaled, U, q);
    f->scale = fmax(f->scale, distance(x, p, q) / size);
    // Angles with another covector, v: (21).
    copy(x, x->normal + x->n, q);
    (void)propagative_impact_reflect(x, U, q);
    f->isometry =
        fmax(f->isometry, fabs(propagative_impact_product(x, p, q) - x->velocity[V]) / size);
    (void)propagative_impact_reflect(x, U, p);
    f->square = fmax(f->square, distance(x, p, x->momentum) / size);
}

/** Impulses s t along u and s (1 - t) along v that keep |p|: a solution of (13) for each t. */
static void try_continuum(const instant *x, study_results *f) {
    for (int i = 0; i <= 8; i++) {
        const double t = i / 8.0;
        double d[MOST_COORDINATES] = {0.0};
        double p[MOST_COORDINATES] = {0.0};
        propagative_impact_add(x, (const double[]){t, 1.0 - t}, d);
        const double speed = t * x->velocity[U] + (1.0 - t) * x->velocity[V];
        const double s = -2.0 * speed / propagative_impact_product(x, d, d);
        f->not_positive += s > 0.0 ? 0 : 1;
        copy(x, x->momentum, p);
        propagative_impact_add(x, (const double[]){s * t, s * (1.0 - t)}, p);
        f->continuum =
            fmax(f->continuum, fabs(0.5 * propagative_impact_product(x, p, p) / x->energy - 1.0));
    }
}

/** Work memory of two contacts, and of three of which two are the same. */
typedef struct memory {
    carom_propagative_contacts *contacts;
    carom_propagative_contacts *doubled;
    carom_propagative_impact *impact;
    carom_propagative_impact *doubled_impact;
} memory;

/** (11): tangent to the contacts and closest to p, whatever the impulses. */
static carom_status try_plastic(const instant *x, memory *work, study_results *f,
                                carom_report *report) {
    double impulse[PAIR + 1] = {0.0};
    CAROM_TRY(carom_propagative_plastic(work->contacts, CAROM_PROPAGATIVE_HELD, x->velocity,
                                        impulse, work->impact));
    f->pulling += fmin(impulse[U], impulse[V]) < 0.0 ? 1 : 0;
    const double size = sqrt(2.0 * x->energy);
    double p[MOST_COORDINATES] = {0.0};
    double lost[MOST_COORDINATES] = {0.0};
    copy(x, x->momentum, p);
    propagative_impact_add(x, impulse, p);
    propagative_impact_add(x, impulse, lost);
    for (int i = 0; i < PAIR; i++) {
        const double *u = x->normal + i * x->n;
        f->projection = fmax(f->projection, fabs(propagative_impact_product(x, p, u)) / size);
    }
    f->projection =
        fmax(f->projection, fabs(propagative_impact_product(x, p, lost)) / (2.0 * x->energy));
    // The first contact once more.
    instant y = *x;
    y.m = PAIR + 1;
    copy(x, x->normal, y.normal + PAIR * x->n);
    propagative_impact_complete(&y);
    CAROM_TRY(propagative_impact_set(&y, work->doubled, report));
    CAROM_TRY(carom_propagative_plastic(work->doubled, CAROM_PROPAGATIVE_HELD, y.velocity, impulse,
                                        work->doubled_impact));
    double q[MOST_COORDINATES] = {0.0};
    copy(x, x->momentum, q);
    propagative_impact_add(&y, impulse, q);
    f->doubled = fmax(f->doubled, distance(x, p, q) / size);
    return CAROM_OK;
}

/** Sequences from u on: where they end, and what they do to a contact that did not approach. */
static carom_status try_sequences(const instant *x, memory *work, study_results *f,
                                  carom_report *report) {
    carom_propagative_params params = carom_propagative_params_default();
    params.rule = CAROM_PROPAGATIVE_CYCLIC;
    params.first = U;
    CAROM_TRY(carom_propagative_impact_run(work->contacts, &params, 1.0, x->velocity, x->energy,
                                           work->impact, report));
    const int last = work->impact->sequence[work->impact->step_count - 1];
    f->ending_at_u += last == U ? 1 : 0;
    f->ending_at_v += last == V ? 1 : 0;
    // v touches and separates with a tenth of the speed of u: left out of S as printed.
    instant y = *x;
    const double c = work->contacts->cosine[V];
    const double a = -1.0;
    const double b = 0.1;
    const double s2 = 1.0 - c * c;
    for (int k = 0; k < x->n; k++) {
        y.momentum[k] = ((a - c * b) * x->normal[k] + (b - c * a) * x->normal[x->n + k]) / s2;
    }
    propagative_impact_complete(&y);
    double p[MOST_COORDINATES] = {0.0};
    copy(x, y.momentum, p);
    (void)propagative_impact_reflect(&y, U, p);
    f->escaping += propagative_impact_product(x, p, x->normal + x->n) < -ROUNDING ? 1 : 0;
    return CAROM_OK;
}

static carom_status try_all(const propagation *x, memory *work, study_results *f) {
    for (int i = 0; i < x->values->draws; i++) {
        stream from = {x->common->seed, PART, (unsigned long)i, 0};
        const double gamma = propagative_impact_draw(&from, LEAST_OPENING, LARGEST_OPENING);
        const double angle = propagative_impact_draw(&from, 0.01, 0.99) * 2.0 * gamma;
        instant y;
        // Work memory has one number of coordinates.
        propagative_impact_draw_pair(&from, work->contacts->coordinate_count, gamma, angle, true,
                                     &y);
        CAROM_TRY(propagative_impact_set(&y, work->contacts, x->report));
        try_reflection(&from, &y, f);
        try_continuum(&y, f);
        CAROM_TRY(try_plastic(&y, work, f, x->report));
        CAROM_TRY(try_sequences(&y, work, f, x->report));
    }
    return CAROM_OK;
}

static void write_findings(const propagation *x, const study_results *f) {
    const carom_measure measures[] = {
        {"reset_square_error", f->square, "1", "|p Gamma Gamma - p|/|p|, (8)"},
        {"reset_scale_error", f->scale, "1", "|p Gamma(a u) - p Gamma(u)|/|p|, (9)"},
        {"reset_isometry_error", f->isometry, "1", "change of an inner product, (21), relative"},
        {"reset_energy_error", f->norm, "1", "change of |p|^2 by a reset, relative"},
        {"plastic_error", f->projection, "1", "(11): velocities that are left, relative"},
        {"plastic_pulling", f->pulling, "1",
         "plastic impacts of two approaching contacts with a negative impulse"},
        {"escaping", f->escaping, "1",
         "outcomes infeasible at a touching contact that did not approach and was left out"},
        {"ending_at_u", f->ending_at_u, "1", "sequences from u on that end across u"},
        {"ending_at_v", f->ending_at_v, "1", "sequences from u on that end across v"},
    };
    carom_record_measures(x->record, measures, COUNT(measures));
    const carom_claim claims[] = {
        {"feasibility_is_that_of_momentum", f->feasibility <= ROUNDING,
         "D phi q' < 0 (2) is (p,u) < 0 (6)"},
        {"reset_solves_jump_conditions", f->norm <= ROUNDING && f->reversal <= ROUNDING,
         "p Gamma(u) solves (4) and reverses the normal velocity (7)"},
        {"impulses_are_positive", f->not_positive == 0,
         "the feasible root lambda of (4) is positive at an approaching contact"},
        {"reset_is_an_involution", f->square <= ROUNDING, "Gamma(u)^2 = I (8)"},
        {"reset_ignores_length", f->scale <= ROUNDING, "Gamma(a u) = Gamma(u) (9)"},
        {"reset_is_isometric", f->isometry <= ROUNDING, "lemma 5, (21)"},
        {"plastic_is_projection", f->projection <= ROUNDING,
         "the plastic outcome is tangent to all contacts and the orthogonal projection of p (11)"},
        {"plastic_is_unique", f->doubled <= ROUNDING,
         "the plastic outcome is unique, also for a contact given twice"},
        {"plastic_impulses_push", f->pulling == 0, "lambda_i >= 0 in (10b)"},
        {"elastic_equations_have_a_continuum", f->continuum <= ROUNDING && f->not_positive == 0,
         "(13) has a continuum of solutions for two contacts"},
        {"approaching_contacts_suffice", f->escaping == 0,
         "a sequence over the set S as printed, without contacts that did not approach, is "
         "feasible for all that are closed"},
        {"last_reset_is_across_b", f->ending_at_u == 0,
         "the sequence before (14), from a on, ends across b"},
    };
    carom_record_claims(x->record, claims, COUNT(claims));
}

carom_status propagative_impact_write_single(const propagation *x) {
    enum { N = 5, MOST_STEPS = 64 };
    memory work = {NULL, NULL, NULL, NULL};
    study_results f = {0};
    carom_status status = carom_propagative_contacts_alloc(N, PAIR, &work.contacts);
    if (status == CAROM_OK) {
        status = carom_propagative_contacts_alloc(N, PAIR + 1, &work.doubled);
    }
    if (status == CAROM_OK) {
        status = carom_propagative_impact_alloc(PAIR, MOST_STEPS, &work.impact);
    }
    if (status == CAROM_OK) {
        status = carom_propagative_impact_alloc(PAIR + 1, MOST_STEPS, &work.doubled_impact);
    }
    if (status == CAROM_OK) {
        status = try_all(x, &work, &f);
    }
    carom_propagative_impact_free(work.impact);
    carom_propagative_impact_free(work.doubled_impact);
    carom_propagative_contacts_free(work.contacts);
    carom_propagative_contacts_free(work.doubled);
    if (status == CAROM_OK) {
        write_findings(x, &f);
    } else {
        return status;
    }
    return CAROM_OK;
}
