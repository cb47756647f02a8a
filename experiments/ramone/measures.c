/** Numbers drawn from the impact and the sampled set: /measures. */
#include "results.h"

#include <carom/study/contact_mode_classes.h>
#include <carom/study/impact_claims.h>
#include <carom/study/impact_options.h>
#include <carom/study/plane_raster.h>

#include <gsl/gsl_math.h>
#include <stdlib.h>

/** LCPs per sample that table 3 prints. */
static const double PUBLISHED_INCREMENTS = 3.20;

/** Samples whose paths are followed at most: enough to meet events of one in ten thousand. */
enum { MOST_FOLLOWED = 1 << 18 };

/** Barycentric coordinates of points on an edge of the triangle, which is 1e-2 m/s long, are
 * uncertain by the speed that counts as zero over that. */
static const double OFF_EDGE = 1e-4;

/** Margin of a plane around the paths that are followed, as a part of their extent; and of the
 * speed scale, where they have none. */
static const double MARGIN = 0.05;
static const double EMPTY_MARGIN = 1e-3;

/** What one path adds. */
typedef struct trace {
    double low[ROWS];  /**< smallest speeds, m/s */
    double high[ROWS]; /**< largest speeds, m/s */
    double slip;       /**< largest tangential speed of A after the start, m/s */
} trace;

/** Follow a path; each sample has its own trace, so that threads do not meet. */
static void follow(int sample, int point_count, const double *path, void *context) {
    trace *of = (trace *)context + sample;
    for (int k = 0; k < point_count; k++) {
        const double *c = path + k * ROWS;
        for (int i = 0; i < ROWS; i++) {
            of->low[i] = fmin(of->low[i], c[i]);
            of->high[i] = fmax(of->high[i], c[i]);
        }
        of->slip = k > 0 ? fmax(of->slip, fabs(c[TANGENTIAL_A])) : of->slip;
    }
}

/** Limits of a row. */
static void set_row(const carom_impact_problem *problem, const trace *all, int row, double *low,
                    double *high) {
    const double extent = all->high[row] - all->low[row];
    const double margin = extent > carom_contact_mode_resting_speed(problem, row)
                              ? MARGIN * extent
                              : EMPTY_MARGIN * problem->speed_scale[row];
    *low = all->low[row] - margin;
    *high = all->high[row] + margin;
}

/** Limits of planes around all traces. */
static void set_limits(const carom_impact_problem *problem, int count, const trace *traces,
                       int plane_count, carom_plane *planes) {
    trace all = traces[0];
    for (int i = 0; i < count * ROWS; i++) {
        all.low[i % ROWS] = fmin(all.low[i % ROWS], traces[i / ROWS].low[i % ROWS]);
        all.high[i % ROWS] = fmax(all.high[i % ROWS], traces[i / ROWS].high[i % ROWS]);
    }
    for (int i = 0; i < plane_count; i++) {
        set_row(problem, &all, planes[i].row_x, &planes[i].x_min, &planes[i].x_max);
        set_row(problem, &all, planes[i].row_y, &planes[i].y_min, &planes[i].y_max);
    }
}

carom_status ramone_follow(results *r, int plane_count, carom_plane *planes) {
    carom_impact_sampling_params params =
        carom_impact_options_params(r->study->options, r->study->common);
    params.samples = params.samples < MOST_FOLLOWED ? params.samples : MOST_FOLLOWED;
    trace *traces = calloc((size_t)params.samples, sizeof *traces);
    if (traces == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    params.observer = follow;
    params.observer_context = traces;
    carom_impact_samples *samples = NULL;
    const carom_status status =
        carom_impact_sample(r->study->target.problem, &params, &samples, r->report);
    const double rest = carom_contact_mode_resting_speed(r->study->target.problem, TANGENTIAL_A);
    r->leading = (sticking){.samples = params.samples};
    for (int i = 0; i < params.samples; i++) {
        r->leading.slipped += traces[i].slip > rest ? 1 : 0;
        r->leading.largest = fmax(r->leading.largest, traces[i].slip);
    }
    set_limits(r->study->target.problem, params.samples, traces, plane_count, planes);
    carom_impact_samples_free(samples);
    free(traces);
    return status;
}

/** Cross product of two differences of B's speeds: (p - a) x (q - a). */
static double cross(const double *a, const double *p, const double *q) {
    CAROM_ASSERT(a != NULL && p != NULL && q != NULL);
    return (p[NORMAL_B] - a[NORMAL_B]) * (q[TANGENTIAL_B] - a[TANGENTIAL_B]) -
           (p[TANGENTIAL_B] - a[TANGENTIAL_B]) * (q[NORMAL_B] - a[NORMAL_B]);
}

/** Distance of B's speeds at c from the segment a b. */
static double distance_of_segment(const double *a, const double *b, const double *c) {
    const double along[] = {b[NORMAL_B] - a[NORMAL_B], b[TANGENTIAL_B] - a[TANGENTIAL_B]};
    const double from[] = {c[NORMAL_B] - a[NORMAL_B], c[TANGENTIAL_B] - a[TANGENTIAL_B]};
    const double square = along[0] * along[0] + along[1] * along[1];
    const double part = (along[0] * from[0] + along[1] * from[1]) / square;
    const double at = fmin(fmax(part, 0.0), 1.0);
    return hypot(from[0] - at * along[0], from[1] - at * along[1]);
}

ramone_hull ramone_compare_hull(const results *r) {
    const carom_impact_samples *samples = r->study_results.samples;
    const double *corners[] = {ramone_solution(r, "SL", NULL), ramone_solution(r, "Ss", NULL),
                               ramone_solution(r, "SS", NULL)};
    const bool has_corners = corners[0] != NULL && corners[1] != NULL && corners[2] != NULL;
    const double area = has_corners ? cross(corners[0], corners[1], corners[2]) : 0.0;
    ramone_hull hull = {.is_known = fabs(area) > 0.0};
    for (int i = 0; i < samples->count; i++) {
        const double *c = samples->contact_velocity + (size_t)i * ROWS;
        if (samples->is_finished[i] == 0) {
            continue;
        }
        hull.finished++;
        hull.sticking += ramone_a_sticks(r, c) ? 1 : 0;
        double least = INFINITY;
        double distance = INFINITY;
        for (int k = 0; k < 3 && hull.is_known; k++) {
            const double *a = corners[(k + 1) % 3];
            const double *b = corners[(k + 2) % 3];
            least = fmin(least, cross(a, b, c) / area);
            distance = fmin(distance, distance_of_segment(a, b, c));
        }
        if (hull.is_known) {
            hull.inside += ramone_a_sticks(r, c) && least >= -OFF_EDGE ? 1 : 0;
            hull.farthest = fmax(hull.farthest, least >= 0.0 ? 0.0 : distance);
        }
    }
    return hull;
}

/** Friction from which on a unit of normal impulse with sliding friction against it closes the
 * contact: c_nn < mu |c_nt|, the Painleve regime. */
static double painleve_friction(const results *r, int i) {
    const double *row = r->study->target.problem->delassus_matrix + i * ROWS;
    return fabs(row[FEET + i]) > 0.0 ? row[i] / fabs(row[FEET + i]) : (double)NAN;
}

/** Friction below which the feet cannot both come to rest: the largest ratio of impulses at rest,
 * which do not depend on friction. NaN without that solution. */
static double rest_friction(const results *r) {
    int index = 0;
    if (ramone_solution(r, "SS", &index) == NULL) {
        return NAN;
    }
    const double *L = r->study_results.simultaneous->impulse + index * ROWS;
    double least = 0.0;
    for (int i = 0; i < FEET; i++) {
        least = L[i] > 0.0 ? fmax(least, fabs(L[FEET + i]) / L[i]) : least;
    }
    return least;
}

/** Numbers about the impact itself. */
static void write_impact(const results *r) {
    const double *q = r->scene->position;
    const double *v = r->scene->velocity;
    const double *lifting = ramone_solution(r, "SL", NULL);
    const struct {
        const char *name;
        double value;
        const char *units;
        const char *long_name;
    } rows[] = {
        {"trailing_knee", q[BETA_TR] * (180.0 / M_PI), "deg",
         "angle of the trailing knee with both feet on the floor"},
        {"trunk_velocity_x", v[TRUNK_X], "m s-1", "of the trunk, the trailing foot being at rest"},
        {"trunk_velocity_y", v[TRUNK_Y], "m s-1", "of the trunk, the trailing foot being at rest"},
        {"closing_speed", -r->study->target.problem->contact_velocity[NORMAL_A], "m s-1",
         "of the leading foot before the impact"},
        {"lifting_speed", lifting != NULL ? lifting[NORMAL_B] : (double)NAN, "m s-1",
         "of the trailing foot in the simultaneous solution in which it lifts off; NaN: in none"},
        {"painleve_friction_A", painleve_friction(r, 0), "1",
         "friction from which on an impulse against sliding closes A; NaN: none does"},
        {"painleve_friction_B", painleve_friction(r, 1), "1",
         "friction from which on an impulse against sliding closes B; NaN: none does"},
        {"rest_friction", rest_friction(r), "1",
         "least friction with which both feet come to rest; NaN: in no solution"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        carom_record_measure(r->study->target.record, rows[i].name, rows[i].value, rows[i].units,
                             rows[i].long_name);
    }
}

/** How far A slides. */
static void write_sticking(const results *r) {
    carom_record *record = r->study->target.record;
    carom_record_measure(record, "followed_samples", r->leading.samples, "1",
                         "samples whose paths were followed");
    carom_record_measure(record, "share_A_slipping",
                         (double)r->leading.slipped / r->leading.samples, "1",
                         "share of these with A sliding anywhere on the path");
    carom_record_measure(record, "largest_slip_A", r->leading.largest, "m s-1",
                         "largest tangential speed of A anywhere on these paths");
}

void ramone_write_measures(const results *r) {
    carom_record *record = r->study->target.record;
    const carom_impact_samples *samples = r->study_results.samples;
    carom_record_measure(record, "increments_minus_published",
                         samples->mean_increments - PUBLISHED_INCREMENTS, "1",
                         "mean increments of a sample less those of table 3");
    carom_record_measure(record, "most_increments", carom_impact_samples_most_increments(samples),
                         "1", "increments of the longest sample");
    write_impact(r);
    write_sticking(r);
    const ramone_hull hull = ramone_compare_hull(r);
    if (!hull.is_known || hull.finished == 0) {
        return;
    }
    carom_record_measure(record, "share_A_sticking", (double)hull.sticking / hull.finished, "1",
                         "share of finished samples that end with A sticking");
    carom_record_measure(record, "share_in_triangle", (double)hull.inside / hull.finished, "1",
                         "share of finished samples that end with A sticking and B in "
                         "the triangle of simultaneous solutions");
    carom_record_measure(record, "triangle_distance", hull.farthest, "m s-1",
                         "largest distance of B's speeds from that triangle");
}
