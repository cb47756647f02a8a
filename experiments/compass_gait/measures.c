/** Numbers drawn from the impact and the sampled set: /measures. */
#include "results.h"

#include <carom/study/contact_mode_classes.h>
#include <carom/study/impact_claims.h>

#include <gsl/gsl_math.h>

/** LCPs per sample that table 3 prints. */
static const double PUBLISHED_INCREMENTS = 2.27;

/** Barycentric coordinates beyond this are away from an edge of the triangle; those of points on an
 * edge are rounded to some 1e-15. */
static const double OFF_EDGE = 1e-6;

/** What is counted beside the triangle. */
typedef struct comparison {
    const carom_impact_problem *problem;
    const double *corners[3]; /**< speeds [ROWS] of the solutions */
    double area;              /**< twice that of the triangle, with its sign */
    double threshold;         /**< least barycentric coordinate of a point that is counted */
} comparison;

/** Cross product of two differences of B's speeds: (p - a) x (q - a). */
static double cross(const double *a, const double *p, const double *q) {
    return (p[NORMAL_B] - a[NORMAL_B]) * (q[TANGENTIAL_B] - a[TANGENTIAL_B]) -
           (p[TANGENTIAL_B] - a[TANGENTIAL_B]) * (q[NORMAL_B] - a[NORMAL_B]);
}

static bool is_sticking(const double *c, void *context) {
    const comparison *with = context;
    return carom_contact_mode_is_at_rest(with->problem, c, NORMAL_A) &&
           carom_contact_mode_is_at_rest(with->problem, c, TANGENTIAL_A);
}

/** Whether A sticks and all barycentric coordinates reach the threshold. */
static bool is_within(const double *c, void *context) {
    const comparison *with = context;
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        const double *a = with->corners[(i + 1) % 3];
        const double *b = with->corners[(i + 2) % 3];
        least = fmin(least, cross(a, b, c) / with->area);
    }
    return is_sticking(c, context) && least >= with->threshold;
}

compass_gait_hull compass_gait_compare_hull(const results *r) {
    compass_gait_hull hull = {.is_known = false};
    comparison with = {.problem = r->study->target.problem,
                       .corners = {compass_gait_solution(r, "SL", NULL),
                                   compass_gait_solution(r, "Ss", NULL),
                                   compass_gait_solution(r, "SS", NULL)}};
    hull.sticking = carom_impact_samples_count(r->study_results.samples, is_sticking, &with);
    if (with.corners[0] == NULL || with.corners[1] == NULL || with.corners[2] == NULL) {
        return hull;
    }
    with.area = cross(with.corners[0], with.corners[1], with.corners[2]);
    hull.is_known = fabs(with.area) > 0.0;
    if (hull.is_known) {
        with.threshold = -OFF_EDGE;
        hull.inside = carom_impact_samples_count(r->study_results.samples, is_within, &with);
        with.threshold = OFF_EDGE;
        hull.interior = carom_impact_samples_count(r->study_results.samples, is_within, &with);
    }
    return hull;
}

double compass_gait_rest_friction(const results *r) {
    int index = 0;
    if (compass_gait_solution(r, "SS", &index) == NULL) {
        return NAN;
    }
    const double *L = r->study_results.simultaneous->impulse + index * ROWS;
    double least = 0.0;
    for (int i = 0; i < FEET; i++) {
        least = L[i] > 0.0 ? fmax(least, fabs(L[FEET + i]) / L[i]) : least;
    }
    return least;
}

/** Fewest increments of a finished sample in a class of modes; 0 without any. */
static int fewest_increments(const results *r, const char *modes) {
    const carom_impact_samples *samples = r->study_results.samples;
    int least = 0;
    for (int i = 0; i < samples->count; i++) {
        const double *c = samples->contact_velocity + (size_t)i * ROWS;
        const bool is_fewer = least == 0 || samples->increments[i] < least;
        if (samples->is_finished[i] != 0 && is_fewer && compass_gait_is_in(r, c, modes)) {
            least = samples->increments[i];
        }
    }
    return least;
}

/** The rate at which a unit of normal impulse opens its contact while it slides against the cone:
 * c_nn - mu |c_nt|, negative in the Painleve regime. */
static double sliding_rate(const results *r, int i) {
    const carom_impact_problem *problem = r->study->target.problem;
    const double *row = problem->delassus_matrix + i * ROWS;
    return row[i] - problem->friction[i] * fabs(row[FEET + i]);
}

/** Numbers about the impact itself. */
static void write_impact(const results *r) {
    carom_record *record = r->study->target.record;
    const double opening = (r->gait->trailing_pitch - r->gait->leading_pitch) * (180.0 / M_PI);
    carom_record_measure(record, "leg_opening", fabs(opening), "deg", "angle between the legs");
    carom_record_measure(record, "mass_to_foot", r->gait->leg_length - r->gait->mass_offset, "m",
                         "distance of the mass of a leg from its foot");
    carom_record_measure(record, "sliding_rate_A", sliding_rate(r, 0), "kg-1",
                         "opening of A by its own impulse while it slides");
    carom_record_measure(record, "sliding_rate_B", sliding_rate(r, 1), "kg-1",
                         "opening of B by its own impulse while it slides");
    const double rest = compass_gait_rest_friction(r);
    if (!isnan(rest)) {
        carom_record_measure(record, "rest_friction", rest, "1",
                             "least friction with which both feet come to rest");
    }
}

/** Shares of the sampled set. */
static void write_set(const results *r) {
    carom_record *record = r->study->target.record;
    const carom_impact_samples *samples = r->study_results.samples;
    const double finished = samples->fraction_finished * samples->count;
    carom_record_measure(record, "least_increments_lifting_A", fewest_increments(r, "LS"), "1",
                         "fewest increments after which A lifts off and B sticks; 0: no "
                         "sample does");
    carom_record_measure(record, "least_increments_sliding_A", fewest_increments(r, "sS"), "1",
                         "fewest increments after which A slides and B sticks; 0: no "
                         "sample does");
    const compass_gait_hull hull = compass_gait_compare_hull(r);
    carom_record_measure(record, "share_A_sticking",
                         finished > 0.0 ? hull.sticking / finished : (double)NAN, "1",
                         "share of finished samples that end with A sticking; NaN: none finished");
    if (!hull.is_known || hull.sticking == 0) {
        return;
    }
    carom_record_measure(record, "share_in_triangle", (double)hull.inside / hull.sticking, "1",
                         "of these, with B in the triangle of simultaneous solutions");
    carom_record_measure(record, "share_off_edges", (double)hull.interior / hull.sticking, "1",
                         "of these, with B in the interior of that triangle");
}

void compass_gait_write_measures(const results *r) {
    carom_record *record = r->study->target.record;
    const carom_impact_samples *samples = r->study_results.samples;
    carom_record_measure(record, "increments_minus_published",
                         samples->mean_increments - PUBLISHED_INCREMENTS, "1",
                         "mean increments of a sample less those of table 3");
    carom_record_measure(record, "most_increments", carom_impact_samples_most_increments(samples),
                         "1", "increments of the longest sample");
    write_impact(r);
    write_set(r);
}
