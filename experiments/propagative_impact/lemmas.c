/** Lemmas 1 to 4: minimal sequences, the plane of the normals, and feasibility as an angle. */
#include "results.h"

#include <gsl/gsl_math.h>

static const double ROUNDING = 1e-12;
/** Momenta closer to a wall than this, relative, are not asked on which side they are. */
static const double NEAR_WALL = 1e-9;

/** All words of up to so many reflections; openings, rad, that need no more. */
enum { LONGEST_WORD = 6, WORDS = 1 << LONGEST_WORD };
static const double LEAST_WORD_OPENING = 0.27;
static const double LEAST_OPENING = 0.05;
static const double LARGEST_OPENING = 1.5;

enum { PART = 2, CONE_PART = 3 };

/** What the random impacts found; counts are of impacts that contradict a statement. */
typedef struct study_results {
    int equal_neighbours;   /**< minimal words with one, lemma 1 */
    int without_minimal;    /**< momenta without a minimal word */
    int most_minimal;       /**< minimal words of one momentum */
    double projection;      /**< |(p_N,u_i) - (p,u_i)|/|p|, lemma 2 */
    double tangential;      /**< |p_f - p_T - (p_N)_f|/|p|, lemma 3 */
    double trigonometry;    /**< of (u,v), |u + v| and (38) */
    int lemma_4;            /**< p in the plane, feasible otherwise than (20) says */
    int printed_half_angle; /**< the same, gamma being half the angle between u and v */
    int backward;           /**< p anywhere, within gamma of r and infeasible */
    int off_plane;          /**< p anywhere, feasible and not within gamma of r */
    int printed_step;       /**< feasible, second display of the proof violated */
    int corrected_step;     /**< feasible, its correction violated */
    int reverse_step;       /**< the bound of (p,v) in the reverse part violated */
    int cones;              /**< momenta within the angle of a cone of contacts, infeasible */
} study_results;

/** Whether each word ends feasible; of a word of `length`, its contacts from the first on are the
 * bits of its number from the highest one on. */
typedef struct word_list {
    bool is_feasible[LONGEST_WORD + 1][WORDS];
} word_list;

static void list_words(const instant *x, word_list *list) {
    const double c = propagative_impact_product(x, x->normal, x->normal + x->n);
    const double slowest = -ROUNDING * sqrt(2.0 * x->energy);
    double speed[LONGEST_WORD + 1][WORDS][PAIR];
    speed[0][0][U] = x->velocity[U];
    speed[0][0][V] = x->velocity[V];
    for (int length = 0; length <= LONGEST_WORD; length++) {
        for (int word = 0; word < (1 << length); word++) {
            double *s = speed[length][word];
            if (length > 0) {
                const double *before = speed[length - 1][word >> 1];
                const int i = word & 1;
                s[i] = -before[i];
                s[1 - i] = before[1 - i] - 2.0 * c * before[i];
            }
            list->is_feasible[length][word] = fmin(s[U], s[V]) >= slowest;
        }
    }
}

/** Definition 1: feasible at the end, and no part of it in its order is. */
static bool is_minimal(const word_list *list, int length, int word) {
    if (!list->is_feasible[length][word]) {
        return false;
    }
    for (int kept = 0; kept + 1 < (1 << length); kept++) {
        int part = 0;
        int part_length = 0;
        for (int i = length - 1; i >= 0; i--) {
            if (((kept >> i) & 1) != 0) {
                part = 2 * part + ((word >> i) & 1);
                part_length++;
            }
        }
        if (list->is_feasible[part_length][part]) {
            return false;
        }
    }
    return true;
}

/** Lemma 1, by all words. */
static void try_words(const instant *x, study_results *f) {
    word_list list;
    list_words(x, &list);
    int count = 0;
    for (int length = 1; length <= LONGEST_WORD; length++) {
        for (int word = 0; word < (1 << length); word++) {
            if (is_minimal(&list, length, word)) {
                // Neighbours differ in all places, or some are equal.
                const int changes = (word ^ (word >> 1)) & ((1 << (length - 1)) - 1);
                f->equal_neighbours += changes == (1 << (length - 1)) - 1 ? 0 : 1;
                count++;
            }
        }
    }
    f->without_minimal += count == 0 ? 1 : 0;
    f->most_minimal = count > f->most_minimal ? count : f->most_minimal;
}

/** p_N = a u + b v with the velocities of p. */
static void project(const instant *x, double c, double *coefficients, double *p) {
    const double s2 = (1.0 - c) * (1.0 + c);
    coefficients[U] = (x->velocity[U] - c * x->velocity[V]) / s2;
    coefficients[V] = (x->velocity[V] - c * x->velocity[U]) / s2;
    for (int k = 0; k < x->n; k++) {
        p[k] = coefficients[U] * x->normal[k] + coefficients[V] * x->normal[x->n + k];
    }
}

/** Lemmas 2 and 3. */
static void try_plane(const instant *x, const double *plane, study_results *f) {
    const double size = sqrt(2.0 * x->energy);
    double whole[MOST_COORDINATES] = {0.0};
    double part[MOST_COORDINATES] = {0.0};
    for (int k = 0; k < x->n; k++) {
        whole[k] = x->momentum[k];
        part[k] = plane[k];
    }
    for (int i = 0; i < PAIR; i++) {
        const double a = propagative_impact_product(x, plane, x->normal + i * x->n);
        f->projection = fmax(f->projection, fabs(a - x->velocity[i]) / size);
    }
    for (int i = 0; i < LONGEST_WORD; i++) {
        (void)propagative_impact_reflect(x, i % PAIR, whole);
        (void)propagative_impact_reflect(x, i % PAIR, part);
    }
    for (int k = 0; k < x->n; k++) {
        whole[k] -= part[k] + x->momentum[k] - plane[k];
    }
    f->tangential = fmax(f->tangential, sqrt(propagative_impact_product(x, whole, whole)) / size);
}

/** Lemma 4 and the two parts of its proof, gamma from the bisector. */
static void try_angle(const instant *x, double gamma, const double *plane, const double *ab,
                      study_results *f) {
    double sum[MOST_COORDINATES] = {0.0};
    for (int k = 0; k < x->n; k++) {
        sum[k] = x->normal[k] + x->normal[x->n + k];
    }
    const double length = sqrt(propagative_impact_product(x, sum, sum));
    const double along = propagative_impact_product(x, plane, sum) / length;
    const double size = sqrt(propagative_impact_product(x, plane, plane));
    const double whole = sqrt(2.0 * x->energy);
    const double a = x->velocity[U];
    const double b = x->velocity[V];
    const double c = propagative_impact_product(x, x->normal, x->normal + x->n);
    const double largest = fmax(fabs(c + cos(2.0 * gamma)), fabs(length - 2.0 * sin(gamma)));
    f->trigonometry = fmax(f->trigonometry, fmax(largest, fabs(along - (a + b) / length) / whole));
    const bool is_feasible = fmin(a, b) >= 0.0;
    if (fabs(along - size * cos(gamma)) > NEAR_WALL * size) {
        f->lemma_4 += is_feasible == (along >= size * cos(gamma)) ? 0 : 1;
        f->printed_half_angle += is_feasible == (along >= size * sin(gamma)) ? 0 : 1;
    }
    if (fabs(along - whole * cos(gamma)) > NEAR_WALL * whole) {
        const bool is_within = along >= whole * cos(gamma);
        f->backward += is_within && !is_feasible ? 1 : 0;
        f->off_plane += is_feasible && !is_within ? 1 : 0;
    }
    // p = a u + b v feasible: the second display of the proof.
    const double C = cos(2.0 * gamma);
    const double S = sin(2.0 * gamma);
    const double product = ab[U] * ab[V];
    const double squares = ab[U] * ab[U] + ab[V] * ab[V];
    if (is_feasible) {
        f->printed_step += product * S * S - 2.0 * squares * C < -NEAR_WALL * squares ? 1 : 0;
        f->corrected_step += product * (1.0 + C * C) - squares * C < -NEAR_WALL * squares ? 1 : 0;
    }
    // (p,v) >= (|p| |u_t| - (p,u_t))/(2 sin^2 gamma) >= 0 within the angle, u_t = u - (u,v) v.
    const double bound = (size * S - (a - c * b)) / (1.0 + c);
    const bool is_reversed = b >= bound - NEAR_WALL * size && bound >= -NEAR_WALL * size;
    f->reverse_step += along >= size * cos(gamma) && !is_reversed ? 1 : 0;
}

/** The backward half of lemma 4 for several contacts: within arcsin min (w_i,r) of r. */
static carom_status try_cone(stream *from, carom_propagative_contacts *contacts, study_results *f,
                             carom_report *report) {
    instant x;
    propagative_impact_draw_cone(from, contacts->coordinate_count, contacts->contact_count, &x);
    CAROM_TRY(propagative_impact_set(&x, contacts, report));
    // r as a covector, and p at some angle from it.
    double r[MOST_COORDINATES] = {0.0};
    for (int k = 0; k < x.n; k++) {
        for (int j = 0; j <= k; j++) {
            r[k] += x.factor[k * x.n + j] * contacts->separator[j];
        }
    }
    const double along = propagative_impact_product(&x, x.momentum, r);
    for (int k = 0; k < x.n; k++) {
        x.momentum[k] -= along * r[k];
    }
    propagative_impact_complete(&x);
    const double size = sqrt(2.0 * x.energy);
    const double angle = propagative_impact_draw(from, 0.0, 1.0) * asin(contacts->separation);
    for (int k = 0; k < x.n; k++) {
        x.momentum[k] = cos(angle) * r[k] + sin(angle) * x.momentum[k] / size;
    }
    propagative_impact_complete(&x);
    for (int i = 0; i < x.m; i++) {
        f->cones += x.velocity[i] < -ROUNDING * contacts->length[i] ? 1 : 0;
    }
    return CAROM_OK;
}

static void try_pair(stream *from, study_results *f) {
    const int n = PAIR + (int)(from->sample % 5);
    const double gamma = propagative_impact_draw(from, LEAST_OPENING, LARGEST_OPENING);
    instant x;
    propagative_impact_draw_pair(from, n, gamma, propagative_impact_draw(from, 0.0, 2.0 * M_PI),
                                 true, &x);
    double ab[PAIR] = {0.0};
    double plane[MOST_COORDINATES] = {0.0};
    project(&x, propagative_impact_product(&x, x.normal, x.normal + n), ab, plane);
    try_plane(&x, plane, f);
    try_angle(&x, gamma, plane, ab, f);
    const double wider = propagative_impact_draw(from, LEAST_WORD_OPENING, LARGEST_OPENING);
    // Feasible from pi to pi + 2 gamma, infeasible everywhere else.
    const double share = propagative_impact_draw(from, 0.0, 1.0);
    const double angle = M_PI + 2.0 * wider + share * (2.0 * M_PI - 2.0 * wider);
    propagative_impact_draw_pair(from, n, wider, angle, true, &x);
    try_words(&x, f);
}

static void write_findings(const propagation *x, const study_results *f) {
    const carom_measure measures[] = {
        {"lemma_2_error", f->projection, "1", "|(p_N,u_i) - (p,u_i)|/|p|"},
        {"lemma_3_error", f->tangential, "1", "p_f against p_T and the end of p_N, over |p|"},
        {"most_minimal_sequences", f->most_minimal, "1",
         "most minimal sequences of one momentum, all words of up to 6 reflections tried"},
        {"off_plane", f->off_plane, "1",
         "feasible momenta beside the plane farther than gamma from r"},
        {"printed_step_violations", f->printed_step, "1",
         "feasible momenta that violate the second display of the proof of lemma 4"},
    };
    carom_record_measures(x->record, measures, COUNT(measures));
    const carom_claim claims[] = {
        {"minimal_sequences_alternate", f->equal_neighbours == 0,
         "lemma 1: no minimal sequence has equal neighbours"},
        {"minimal_sequences_exist", f->without_minimal == 0,
         "theorem 1: every momentum has a minimal sequence"},
        {"minimal_sequences_are_few", f->most_minimal <= PAIR,
         "the outcomes of two contacts are finitely many: two at most"},
        {"lemma_2", f->projection <= ROUNDING, "p is feasible if and only if P_N(p) is"},
        {"lemma_3", f->tangential <= ROUNDING, "reflections leave P_T(p) unchanged"},
        {"bisector_relations", f->trigonometry <= ROUNDING,
         "(u,v) = -cos 2 gamma, |u + v| = 2 sin gamma, (38)"},
        {"lemma_4", f->lemma_4 == 0, "in the plane p is feasible if and only if (20)"},
        {"gamma_is_half_the_angle", f->printed_half_angle == 0,
         "the angle of lemma 4 is half the angle between u and v"},
        {"lemma_4_backward", f->backward == 0, "(20) is sufficient for p outside the plane too"},
        {"lemma_4_forward_fails", f->off_plane > 0,
         "(20) is not necessary for p outside the plane"},
        {"lemma_4_for_cones", f->cones == 0,
         "the backward implication holds for more than two contacts"},
        {"lemma_4_printed_step", f->printed_step == 0,
         "feasibility implies a b sin^2 2g - 2 (a^2 + b^2) cos 2g >= 0"},
        {"lemma_4_corrected_step", f->corrected_step == 0,
         "feasibility implies a b (1 + cos^2 2g) - (a^2 + b^2) cos 2g >= 0"},
        {"lemma_4_reverse_step", f->reverse_step == 0,
         "(p,v) >= (|p| |u_t| - (p,u_t))/(2 sin^2 gamma) >= 0 within the angle"},
    };
    carom_record_claims(x->record, claims, COUNT(claims));
}

carom_status propagative_impact_write_lemmas(const propagation *x) {
    study_results f = {0};
    for (int i = 0; i < x->values->draws; i++) {
        stream from = {x->common->seed, PART, (unsigned long)i, 0};
        try_pair(&from, &f);
    }
    enum { N = 5, KINDS = 6, FEWEST = 3 };
    for (int kind = 0; kind < KINDS; kind++) {
        carom_propagative_contacts *contacts = NULL;
        carom_status status = carom_propagative_contacts_alloc(N, FEWEST + kind, &contacts);
        for (int i = kind; status == CAROM_OK && i < x->values->draws; i += KINDS) {
            stream from = {x->common->seed, CONE_PART, (unsigned long)i, 0};
            status = try_cone(&from, contacts, &f, x->report);
        }
        carom_propagative_contacts_free(contacts);
        CAROM_TRY(status);
    }
    write_findings(x, &f);
    return CAROM_OK;
}
