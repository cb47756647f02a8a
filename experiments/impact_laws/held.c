/** Plastic impacts of several contacts, one contact after the other, each of which is held: nothing
 * separates and no impulse is limited. A momentum then goes from projection to projection, and all
 * orders of a round end at the projection on the intersection, which is the plastic outcome of the
 * propagative model (seghete-2014 (11)). */
#include "results.h"

#include "scene_claims.h"

#include <float.h>

/** Contacts whose orders are tried: 120 of them. */
enum { MOST_HELD = 5 };

/** Rounds allowed, and the speed at which contacts are held, in parts of the largest one before. */
enum { MOST_ROUNDS = 100000 };
static const double HELD_SPEED = 64.0 * DBL_EPSILON;

/** What all orders of a scene are tried for. */
typedef struct holding {
    const carom_impact_problem *problem;
    const law_outcomes *plastic;
    int order[MOST_HELD];
    double farthest; /**< square of the largest distance, twice an energy, J */
} holding;

static double delassus(const carom_impact_problem *p, int i, int k) {
    return p->delassus_matrix[i * p->row_count + k];
}

/** Rounds of single impacts until all contacts are held: impulses [m]. */
static bool hold(const holding *h, double *impulse) {
    const carom_impact_problem *p = h->problem;
    const int m = p->contact_count;
    const double resting = HELD_SPEED * impact_laws_fastest(p);
    double c[MOST_HELD];
    for (int i = 0; i < m; i++) {
        c[i] = p->contact_velocity[i];
        impulse[i] = 0.0;
    }
    for (int round = 0; round < MOST_ROUNDS; round++) {
        double fastest = 0.0;
        for (int k = 0; k < m; k++) {
            fastest = fmax(fastest, fabs(c[k]));
        }
        if (fastest <= resting) {
            return true;
        }
        for (int k = 0; k < m; k++) {
            const int i = h->order[k];
            const double push = -c[i] / delassus(p, i, i);
            impulse[i] += push;
            for (int j = 0; j < m; j++) {
                c[j] += delassus(p, j, i) * push;
            }
        }
    }
    return false;
}

/** The distance of where this order ends from the outcomes of the model. */
static void try_order(holding *h) {
    const carom_impact_problem *p = h->problem;
    const int m = p->contact_count;
    double impulse[MOST_HELD];
    if (!hold(h, impulse)) {
        h->farthest = HUGE_VAL;
        return;
    }
    for (int k = 0; k < h->plastic->count; k++) {
        double square = 0.0;
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < m; j++) {
                const double *expected = h->plastic->impulse + k * p->row_count;
                square +=
                    (impulse[i] - expected[i]) * delassus(p, i, j) * (impulse[j] - expected[j]);
            }
        }
        h->farthest = fmax(h->farthest, square);
    }
}

/** All orders of the contacts from place `begin` on. */
static void try_orders(int begin, holding *h) {
    if (begin == h->problem->contact_count) {
        try_order(h);
        return;
    }
    for (int k = begin; k < h->problem->contact_count; k++) {
        const int first = h->order[begin];
        h->order[begin] = h->order[k];
        h->order[k] = first;
        try_orders(begin + 1, h);
        h->order[k] = h->order[begin];
        h->order[begin] = first;
    }
}

double impact_laws_held_distance(const results *r) {
    double largest = (double)NAN;
    for (int i = 0; i < r->count; i++) {
        const scene_result *s = r->scenes + i;
        const law_outcomes *plastic =
            scene_outcomes(s, SETTING_PLASTIC, CAROM_IMPACT_LAW_PROPAGATIVE);
        const int m = s->smooth->contact_count;
        if (plastic == NULL || m < 2 || m > MOST_HELD) {
            continue;
        }
        holding h = {.problem = s->smooth, .plastic = plastic};
        for (int k = 0; k < m; k++) {
            h.order[k] = k;
        }
        try_orders(0, &h);
        largest = fmax(largest, sqrt(h.farthest / (2.0 * s->smooth->kinetic_energy)));
    }
    return largest;
}
