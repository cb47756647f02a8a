/** Lemma 6 and theorem 1: the images of the bisector under alternating reflections. */
#include "results.h"

#include <gsl/gsl_math.h>

static const double ROUNDING = 1e-12;

/** Reflections of a family, and openings, rad. */
enum { REFLECTIONS = 24 };
static const double LEAST_OPENING = 0.05;
static const double LARGEST_OPENING = 1.5;

enum { PART = 4, N = 4 };

/** Largest differences of the formulas from reflected covectors, over families and k. */
typedef struct study_results {
    double angle;           /**< (39c): (r_k,r_0) - cos 2k gamma */
    double last;            /**< (39): (r_k,w) + sin (2k-1) gamma, w reflected last */
    double other;           /**< (39): (r_k,w) - sin (2k+1) gamma, w the other one */
    double printed_index;   /**< (r_0 times the factors 0 to k, r_0) - cos 2k gamma */
    double induction;       /**< step to k + 1 by the printed formulas, the last one being v */
    double printed_assumed; /**< the same with the last one u, as the proof assumes */
    double wall;            /**< sqrt((1 - (u,v))/2) - cos gamma */
    int missed;             /**< momenta of the plane without an image within gamma, (22) */
    int missed_unscaled;    /**< the same with (p,r_i) >= cos gamma as printed */
    int feasible_start;     /**< r_0 that are feasible: no sequence but the empty one is minimal */
} study_results;

/** r_0 and what the reflections make of it. */
typedef struct family {
    instant pair;
    double gamma;
    double start[MOST_COORDINATES];
    double image[REFLECTIONS + 1][MOST_COORDINATES];
} family;

static double with_normal(const family *g, int k, int i) {
    return propagative_impact_product(&g->pair, g->image[k], g->pair.normal + i * N);
}

static void make_family(stream *from, family *g) {
    g->gamma = propagative_impact_draw(from, LEAST_OPENING, LARGEST_OPENING);
    const double angle = propagative_impact_draw(from, 0.0, 2.0 * M_PI);
    propagative_impact_draw_pair(from, N, g->gamma, angle, true, &g->pair);
    for (int k = 0; k < N; k++) {
        g->start[k] = g->pair.normal[k] + g->pair.normal[N + k];
    }
    const double length = sqrt(propagative_impact_product(&g->pair, g->start, g->start));
    for (int k = 0; k < N; k++) {
        g->start[k] /= length;
    }
}

/** r_k = r_{k-1} Gamma(w_k), w_1 = `first`, alternating. */
static void make_images(int first, family *g) {
    for (int i = 0; i <= REFLECTIONS; i++) {
        for (int k = 0; k < N; k++) {
            g->image[i][k] = i == 0 ? g->start[k] : g->image[i - 1][k];
        }
        if (i > 0) {
            (void)propagative_impact_reflect(&g->pair, (first + i - 1) % PAIR, g->image[i]);
        }
    }
}

/** Lemma 6 with its proof, contact `first` in the place of u. */
static void try_formulas(const family *g, int first, study_results *f) {
    const double gamma = g->gamma;
    for (int k = 1; k < REFLECTIONS; k++) {
        const int last = (first + k - 1) % PAIR;
        const double along = propagative_impact_product(&g->pair, g->image[k], g->start);
        const double further = propagative_impact_product(&g->pair, g->image[k + 1], g->start);
        f->angle = fmax(f->angle, fabs(along - cos(2.0 * k * gamma)));
        f->printed_index = fmax(f->printed_index, fabs(further - cos(2.0 * k * gamma)));
        f->last = fmax(f->last, fabs(with_normal(g, k, last) + sin((2.0 * k - 1.0) * gamma)));
        f->other = fmax(f->other, fabs(with_normal(g, k, 1 - last) - sin((2.0 * k + 1.0) * gamma)));
        // The displays for k + 1, of the contact `first` as u.
        const double u = fabs(with_normal(g, k + 1, first) + sin((2.0 * k + 1.0) * gamma));
        const double v = fabs(with_normal(g, k + 1, 1 - first) - sin((2.0 * k + 3.0) * gamma));
        if (last == first) {
            f->printed_assumed = fmax(f->printed_assumed, fmax(u, v));
        } else {
            f->induction = fmax(f->induction, fmax(u, v));
        }
    }
}

/** Largest (p,r_i) of r_0 and its images by up to `most` reflections, contact `first` first. */
static double follow(const family *g, int first, int most, const double *p) {
    double image[MOST_COORDINATES] = {0.0};
    for (int k = 0; k < N; k++) {
        image[k] = g->start[k];
    }
    double nearest = propagative_impact_product(&g->pair, p, image);
    for (int i = 0; i < most; i++) {
        (void)propagative_impact_reflect(&g->pair, (first + i) % PAIR, image);
        nearest = fmax(nearest, propagative_impact_product(&g->pair, p, image));
    }
    return nearest;
}

/** The images of (22), ceil(pi/gamma) reflections of either family, around a momentum of their
 * plane. */
static void try_cover(stream *from, const family *g, study_results *f) {
    const double *u = g->pair.normal;
    const double *v = u + N;
    const int most = (int)ceil(M_PI / g->gamma);
    const double at = propagative_impact_draw(from, -M_PI, M_PI);
    const double size = propagative_impact_draw(from, 0.2, 1.0);
    // u - v is at right angles to r_0, as both normals are of length one.
    double across[MOST_COORDINATES] = {0.0};
    for (int k = 0; k < N; k++) {
        across[k] = u[k] - v[k];
    }
    const double length = sqrt(propagative_impact_product(&g->pair, across, across));
    double p[MOST_COORDINATES] = {0.0};
    for (int k = 0; k < N; k++) {
        p[k] = size * (cos(at) * g->start[k] + sin(at) * across[k] / length);
    }
    const double nearest = fmax(follow(g, U, most, p), follow(g, V, most, p));
    f->missed += nearest < size * (cos(g->gamma) - ROUNDING) ? 1 : 0;
    f->missed_unscaled += nearest < cos(g->gamma) ? 1 : 0;
}

static void write_findings(const propagation *x, const study_results *f) {
    const double worst = fmax(f->last, f->other);
    const carom_measure measures[] = {
        {"lemma_6_error", f->angle, "1", "|(r_k,r_0) - cos 2k gamma|, up to 24 reflections"},
        {"images_error", worst, "1", "of (39a) and (39b)"},
        {"printed_index_error", f->printed_index, "1",
         "of lemma 6 with the factors 0 to i as printed"},
    };
    carom_record_measures(x->record, measures, COUNT(measures));
    const carom_claim claims[] = {
        {"lemma_6", f->angle <= ROUNDING, "(r_i,r_0) = cos 2i gamma after i reflections"},
        {"images_of_bisector", worst <= ROUNDING, "(39a) and (39b)"},
        {"lemma_6_printed_factors", f->printed_index <= ROUNDING,
         "lemma 6 with the product from 0 to i"},
        {"lemma_6_for_minimal_sequences", f->feasible_start == 0,
         "lemma 6 speaks of minimal sequences: r_0 is infeasible"},
        {"lemma_6_induction", f->induction <= ROUNDING,
         "the step to k + 1, the last reflection being across v"},
        {"lemma_6_printed_induction", f->printed_assumed <= ROUNDING,
         "the step to k + 1 under the assumption w_{k-1} = u"},
        {"wall_of_cone", f->wall <= ROUNDING, "cos gamma = sqrt((1 - (u,v))/2)"},
        {"images_cover_circle", f->missed == 0,
         "one of the images of (22) is within gamma of any momentum of the plane"},
        {"printed_unscaled_bound", f->missed_unscaled == 0,
         "(p,r_i) >= cos gamma for some i, whatever the length of p"},
    };
    carom_record_claims(x->record, claims, COUNT(claims));
}

void propagative_impact_write_images(const propagation *x) {
    study_results f = {0};
    for (int i = 0; i < x->values->draws; i++) {
        stream from = {x->common->seed, PART, (unsigned long)i, 0};
        family g;
        make_family(&from, &g);
        const double c = propagative_impact_product(&g.pair, g.pair.normal, g.pair.normal + N);
        f.wall = fmax(f.wall, fabs(sqrt(0.5 * (1.0 - c)) - cos(g.gamma)));
        for (int first = U; first < PAIR; first++) {
            make_images(first, &g);
            try_formulas(&g, first, &f);
        }
        f.feasible_start += fmin(with_normal(&g, 0, U), with_normal(&g, 0, V)) >= 0.0 ? 1 : 0;
        try_cover(&from, &g, &f);
    }
    write_findings(x, &f);
}
