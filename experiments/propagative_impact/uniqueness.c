/** Lemma 7, theorems 2 and 3: when the order of the reflections does not matter. */
#include "results.h"

#include <gsl/gsl_math.h>

static const double ROUNDING = 1e-12;
/** Cosines this far from those of a theorem belong to other impacts. */
static const double APART = 0.01;

/** Openings, rad; those of c = 0, -1/2 and 1/2. */
static const double LEAST_OPENING = 0.05;
static const double LARGEST_OPENING = 1.5;
static const double ORTHOGONAL = M_PI / 4.0;
static const double THREE_STAGES = M_PI / 6.0;
static const double ACUTE = M_PI / 3.0;

enum { PART = 5, ORTHOGONAL_PART = 6, MOST_ORTHOGONAL = 8, N = 4 };

/** What the random impacts found, errors relative to |p|. */
typedef struct study_results {
    double lemma_7_identity;   /**< p G(u) G(v) - p G(v) G(u) = 4 c ((p,u) v - (p,v) u) */
    double theorem_3_identity; /**< of three: 2 (1 - 4 c^2) ((p,u) u - (p,v) v) */
    int commuting;             /**< pairs with c != 0 whose two orders agree after two */
    int agreeing;              /**< pairs with |c| != 1/2 whose two orders agree after three */
    double orthogonal;         /**< difference of the two orders, c = 0 */
    int orthogonal_infeasible;
    double stages;         /**< difference of the two orders after three, c = -1/2 */
    double formula;        /**< p_f of theorem 3 for c = -1/2 against the reflections */
    double ends;           /**< (p_f,u) = -(p,v), (p_f,v) = -(p,u) */
    double printed_factor; /**< the same by the factor 1 - (u,v) of the last display */
    int stages_infeasible;
    double acute;            /**< p_f of the proof for c = 1/2 against the reflections */
    double printed_acute;    /**< (p_f,u), (p_f,v) for c = 1/2 as printed */
    int acute_infeasible;    /**< momenta that stay infeasible after three, c = 1/2 */
    int acute_split;         /**< whose two orders end apart, both followed to their ends */
    double permutation;      /**< largest difference of two orders of orthogonal contacts */
    double untouched;        /**< change of (p,u_i) by a reflection across another one */
    int permuted_infeasible; /**< outcomes of all orders, contact by contact */
    double permutations;     /**< orders tried */
} study_results;

static double length_of(const instant *x, const double *p) {
    return sqrt(propagative_impact_product(x, p, p));
}

/** p Gamma .. of `count` alternating reflections from `first` on. */
static void alternate(const instant *x, int first, int count, double *p) {
    for (int k = 0; k < x->n; k++) {
        p[k] = x->momentum[k];
    }
    for (int i = 0; i < count; i++) {
        (void)propagative_impact_reflect(x, (first + i) % PAIR, p);
    }
}

/** |a - b - factor (x u + y v)|/|p|. */
static double identity_error(const instant *z, const double *a, const double *b, double x,
                             double y) {
    double d[MOST_COORDINATES] = {0.0};
    for (int k = 0; k < z->n; k++) {
        d[k] = a[k] - b[k] - x * z->normal[k] - y * z->normal[z->n + k];
    }
    return length_of(z, d) / sqrt(2.0 * z->energy);
}

/** Two unit normals that are both approached. */
static void draw_approaching(stream *from, double gamma, instant *x) {
    const double angle = 2.0 * gamma * propagative_impact_draw(from, 0.02, 0.98);
    propagative_impact_draw_pair(from, N, gamma, angle, true, x);
}

/** Any opening: the identities, and that the orders agree nowhere else. */
static void try_any(stream *from, study_results *f) {
    instant x;
    draw_approaching(from, propagative_impact_draw(from, LEAST_OPENING, LARGEST_OPENING), &x);
    const double c = propagative_impact_product(&x, x.normal, x.normal + N);
    const double a = x.velocity[U];
    const double b = x.velocity[V];
    double p[MOST_COORDINATES] = {0.0};
    double q[MOST_COORDINATES] = {0.0};
    alternate(&x, U, 2, p);
    alternate(&x, V, 2, q);
    f->lemma_7_identity =
        fmax(f->lemma_7_identity, identity_error(&x, p, q, -4.0 * c * b, 4.0 * c * a));
    f->commuting += fabs(c) > APART && identity_error(&x, p, q, 0.0, 0.0) <= ROUNDING ? 1 : 0;
    alternate(&x, U, 3, p);
    alternate(&x, V, 3, q);
    const double factor = 2.0 * (1.0 - 4.0 * c * c);
    f->theorem_3_identity =
        fmax(f->theorem_3_identity, identity_error(&x, p, q, factor * a, -factor * b));
    f->agreeing +=
        fabs(fabs(c) - 0.5) > APART && identity_error(&x, p, q, 0.0, 0.0) <= ROUNDING ? 1 : 0;
}

/** Least (p,w)/|p| of the two normals. */
static double slowest(const instant *x, const double *p) {
    const double a = propagative_impact_product(x, p, x->normal);
    const double b = propagative_impact_product(x, p, x->normal + x->n);
    return fmin(a, b) / sqrt(2.0 * x->energy);
}

/** c = 0: two reflections, either order. */
static void try_orthogonal(stream *from, study_results *f) {
    instant x;
    draw_approaching(from, ORTHOGONAL, &x);
    double p[MOST_COORDINATES] = {0.0};
    double q[MOST_COORDINATES] = {0.0};
    alternate(&x, U, 2, p);
    alternate(&x, V, 2, q);
    f->orthogonal = fmax(f->orthogonal, identity_error(&x, p, q, 0.0, 0.0));
    f->orthogonal_infeasible += slowest(&x, p) < -ROUNDING ? 1 : 0;
}

/** c = -1/2: three, either order; and the displays of the proof. */
static void try_three(stream *from, study_results *f) {
    instant x;
    draw_approaching(from, THREE_STAGES, &x);
    const double a = x.velocity[U];
    const double b = x.velocity[V];
    const double c = propagative_impact_product(&x, x.normal, x.normal + N);
    const double size = sqrt(2.0 * x.energy);
    double p[MOST_COORDINATES] = {0.0};
    double q[MOST_COORDINATES] = {0.0};
    alternate(&x, U, 3, p);
    alternate(&x, V, 3, q);
    f->stages = fmax(f->stages, identity_error(&x, p, q, 0.0, 0.0));
    f->stages_infeasible += slowest(&x, p) < -ROUNDING ? 1 : 0;
    const double sum = -2.0 * (a + b);
    f->formula = fmax(f->formula, identity_error(&x, p, x.momentum, sum, sum));
    const double u = propagative_impact_product(&x, p, x.normal);
    const double v = propagative_impact_product(&x, p, x.normal + N);
    f->ends = fmax(f->ends, fmax(fabs(u + b), fabs(v + a)) / size);
    f->printed_factor = fmax(f->printed_factor, fabs(a - 2.0 * (1.0 - c) * (a + b) - u) / size);
}

/** c = 1/2: three, either order, and all in vain. */
static void try_acute(stream *from, study_results *f) {
    instant x;
    draw_approaching(from, ACUTE, &x);
    const double a = x.velocity[U];
    const double b = x.velocity[V];
    const double size = sqrt(2.0 * x.energy);
    double p[MOST_COORDINATES] = {0.0};
    double q[MOST_COORDINATES] = {0.0};
    alternate(&x, U, 3, p);
    f->acute = fmax(f->acute, identity_error(&x, p, x.momentum, 2.0 * (b - a), -2.0 * (b - a)));
    f->acute_infeasible += slowest(&x, p) < 0.0 ? 1 : 0;
    const double u = propagative_impact_product(&x, p, x.normal);
    const double v = propagative_impact_product(&x, p, x.normal + N);
    f->printed_acute =
        fmax(f->printed_acute, fmax(fabs(2.0 * a - b - u), fabs(2.0 * b - a - v)) / size);
    // To the ends: one reflection, or a second one where the first was not enough.
    for (int first = U; first < PAIR; first++) {
        double *end = first == U ? p : q;
        alternate(&x, first, 1, end);
        if (slowest(&x, end) < -ROUNDING) {
            alternate(&x, first, 2, end);
        }
    }
    f->acute_split += identity_error(&x, p, q, 0.0, 0.0) > ROUNDING ? 1 : 0;
}

/** All orders of the contacts that are left, from the momentum p on. */
static void permute(const instant *x, unsigned done, const double *p, const double *expected,
                    study_results *f) {
    if (done == (1u << x->m) - 1u) {
        double d[MOST_COORDINATES] = {0.0};
        for (int k = 0; k < x->n; k++) {
            d[k] = p[k] - expected[k];
        }
        f->permutation = fmax(f->permutation, length_of(x, d) / sqrt(2.0 * x->energy));
        f->permutations += 1.0;
        for (int i = 0; i < x->m; i++) {
            const double *u = x->normal + i * x->n;
            const double speed = propagative_impact_product(x, p, u) / length_of(x, u);
            f->permuted_infeasible += speed < -ROUNDING * sqrt(2.0 * x->energy) ? 1 : 0;
        }
        return;
    }
    for (int i = 0; i < x->m; i++) {
        if ((done >> i & 1u) == 0) {
            double q[MOST_COORDINATES] = {0.0};
            for (int k = 0; k < x->n; k++) {
                q[k] = p[k];
            }
            (void)propagative_impact_reflect(x, i, q);
            permute(x, done | 1u << i, q, expected, f);
        }
    }
}

/** Theorem 2: p_f = p - 2 sum (p,u_i) u_i of unit normals, (25). */
static void try_many(stream *from, int m, study_results *f) {
    instant x;
    propagative_impact_draw_orthogonal(from, m + 2, m, &x);
    const double size = sqrt(2.0 * x.energy);
    double expected[MOST_COORDINATES] = {0.0};
    for (int k = 0; k < x.n; k++) {
        expected[k] = x.momentum[k];
    }
    for (int i = 0; i < m; i++) {
        const double *u = x.normal + i * x.n;
        const double square = propagative_impact_product(&x, u, u);
        for (int k = 0; k < x.n; k++) {
            expected[k] -= 2.0 * x.velocity[i] / square * u[k];
        }
    }
    permute(&x, 0u, x.momentum, expected, f);
    double p[MOST_COORDINATES] = {0.0};
    for (int k = 0; k < x.n; k++) {
        p[k] = x.momentum[k];
    }
    (void)propagative_impact_reflect(&x, 0, p);
    for (int i = 0; i < m; i++) {
        const double *u = x.normal + i * x.n;
        const double length = length_of(&x, u);
        const double now = propagative_impact_product(&x, p, u);
        f->untouched =
            fmax(f->untouched, i == 0 ? 0.0 : fabs(now - x.velocity[i]) / (length * size));
    }
}

static void write_findings(const propagation *x, const study_results *f) {
    const carom_measure measures[] = {
        {"lemma_7_identity_error", f->lemma_7_identity, "1", "relative to |p|"},
        {"theorem_3_identity_error", f->theorem_3_identity, "1", "relative to |p|"},
        {"orthogonal_orders", f->permutations, "1", "orders of up to 8 orthogonal contacts tried"},
        {"orthogonal_error", f->permutation, "1", "largest distance of p_f from (25), over |p|"},
        {"three_stages_error", f->stages, "1", "c = -1/2: distance of the two orders over |p|"},
        {"acute_split", f->acute_split, "1",
         "momenta with two outcomes for (u,v) = 1/2, each order followed to its end"},
    };
    carom_record_measures(x->record, measures, COUNT(measures));
    const bool is_unique_at_zero = f->orthogonal <= ROUNDING && f->orthogonal_infeasible == 0;
    const bool is_unique_at_half = f->stages <= ROUNDING && f->stages_infeasible == 0;
    const carom_claim claims[] = {
        {"lemma_7_identity", f->lemma_7_identity <= ROUNDING,
         "p G(u) G(v) - p G(v) G(u) = 4 (u,v) ((p,u) v - (p,v) u)"},
        {"lemma_7_sufficient", is_unique_at_zero,
         "(u,v) = 0: two reflections, the same and feasible for both orders"},
        {"lemma_7_necessary", f->commuting == 0,
         "(u,v) != 0: the orders of two reflections differ"},
        {"theorem_2_any_order", f->permutation <= ROUNDING,
         "orthogonal contacts: the same outcome (25) for every order"},
        {"theorem_2_feasible", f->permuted_infeasible == 0, "and it is feasible after every order"},
        {"theorem_2_step", f->untouched <= ROUNDING,
         "a reflection leaves the inner products with orthogonal normals"},
        {"theorem_3_identity", f->theorem_3_identity <= ROUNDING,
         "(26) is (1 - 4 (u,v)^2) ((p,u) u - (p,v) v) = 0"},
        {"theorem_3_sufficient", is_unique_at_half,
         "(u,v) = -1/2: three reflections, the same and feasible for both orders"},
        {"theorem_3_necessary", f->agreeing == 0 && f->acute_infeasible > 0,
         "no other (u,v) has (26) with a feasible end"},
        {"theorem_3_formula", f->formula <= ROUNDING,
         "p_f = p - 2 (v + u) ((p,v) + (p,u)) for (u,v) = -1/2"},
        {"theorem_3_ends", f->ends <= ROUNDING, "(p_f,u) = -(p,v) and (p_f,v) = -(p,u)"},
        {"theorem_3_printed_factor", f->printed_factor <= ROUNDING,
         "(p_f,u) = (p,u) - 2 (1 - (u,v)) ((p,u) + (p,v))"},
        {"acute_formula", f->acute <= ROUNDING,
         "p_f = p - 2 (v - u) ((p,v) - (p,u)) for (u,v) = 1/2"},
        {"acute_printed_ends", f->printed_acute <= ROUNDING,
         "(p_f,u) = 2 (p,u) - (p,v) and (p_f,v) = 2 (p,v) - (p,u) for (u,v) = 1/2"},
        {"acute_is_infeasible", f->acute_infeasible > 0,
         "(u,v) = 1/2: some infeasible momenta stay infeasible after three"},
        {"acute_is_always_infeasible", f->acute_infeasible == x->values->draws,
         "(u,v) = 1/2: all stay infeasible"},
        {"unique_at_zero", is_unique_at_zero, "the outcome is unique for (u,v) = 0"},
        {"unique_at_minus_half", is_unique_at_half, "the outcome is unique for (u,v) = -1/2"},
        {"unique_at_plus_half", f->acute_split == 0, "the outcome is unique for (u,v) = +1/2"},
    };
    carom_record_claims(x->record, claims, COUNT(claims));
}

void propagative_impact_write_uniqueness(const propagation *x) {
    study_results f = {0};
    for (int i = 0; i < x->values->draws; i++) {
        stream from = {x->common->seed, PART, (unsigned long)i, 0};
        try_any(&from, &f);
        try_orthogonal(&from, &f);
        try_three(&from, &f);
        try_acute(&from, &f);
    }
    for (int m = PAIR; m <= MOST_ORTHOGONAL; m++) {
        stream from = {x->common->seed, ORTHOGONAL_PART, (unsigned long)m, 0};
        try_many(&from, m, &f);
    }
    write_findings(x, &f);
}
