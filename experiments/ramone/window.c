/** How narrow the poses with several simultaneous solutions are: /window. */
#include "results.h"

#include <gsl/gsl_math.h>
#include <stdio.h>

/** Longest path inside the record that is made here. */
enum { PATH_SIZE = 64 };

/** Deviations of an angle that are looked at, and the largest of them: beyond the edges of the
 * window around the published pose, in steps of 0.0025 deg. */
enum { SCAN_POINTS = 81 };
static const double SCAN_REACH = 0.1;

/** The search for an edge begins so close to the pose, doubles its steps up to a right angle, and
 * halves the interval to a millionth of the first step. */
static const double FIRST_STEP = 1e-3;
static const double LAST_STEP = 90.0;
static const double EDGE_WIDTH = 1e-9;

/** The angles that are varied. */
enum { ANGLES = 4 };

typedef struct angle {
    const char *name;
    int index;    /**< 0 .. ANGLES-1 */
    double value; /**< of the options, deg */
} angle;

static void list_angles(const settings *values, angle *angles) {
    angles[0] = (angle){"trunk_angle", 0, values->trunk_angle};
    angles[1] = (angle){"leading_hip", 1, values->leading_hip};
    angles[2] = (angle){"leading_knee", 2, values->leading_knee};
    angles[3] = (angle){"trailing_hip", 3, values->trailing_hip};
}

/** Where an angle is in the parameters. */
static double *angle_of(carom_ramone_params *robot, int index) {
    double *const places[ANGLES] = {&robot->trunk_angle, &robot->leading_hip, &robot->leading_knee,
                                    &robot->trailing_hip};
    return places[index];
}

/** Count the solutions of an impact. */
static carom_status count_solutions(const carom_impact_scene *scene, double *count,
                                    carom_report *report) {
    CAROM_AUTO(carom_impact_problem) problem = NULL;
    CAROM_AUTO(carom_impact_result) result = NULL;
    CAROM_TRY(carom_impact_problem_of_scene(scene, &problem, report));
    CAROM_TRY(
        carom_impact_law_run(&carom_impact_law_anitescu_potra, problem, NULL, &result, report));
    *count = result->count;
    return CAROM_OK;
}

/** Number of solutions with one angle changed by a deviation in degrees, the trailing knee and the
 * velocity of the trunk following; NaN where no such pose exists. */
/*[ramoneBeside]*/
static carom_status count_beside(const results *r, const angle *a, double deviation,
                                 double *count) {
    carom_ramone_params robot = *r->robot;
    *angle_of(&robot, a->index) = (a->value + deviation) * (M_PI / 180.0);
    carom_impact_scene *scene = NULL;
    carom_report refusal = carom_report_empty();
    *count = NAN;
    carom_status status = carom_ramone_alloc(&robot, &scene, &refusal);
    if (status == CAROM_STATUS_OUT_OF_RANGE) {
        return CAROM_OK;
    }
    if (status == CAROM_OK) {
        status = count_solutions(scene, count, r->report);
    }
    carom_impact_scene_free(scene);
    return status;
}
/*[end ramoneBeside]*/

/** The deviation on one side (+1, -1) up to which there are several solutions; NaN if there still
 * are at the last step. The pose itself has several. */
static carom_status find_edge(const results *r, const angle *a, int side, double *edge) {
    double inner = 0.0;
    double outer = FIRST_STEP;
    double count = NAN;
    CAROM_TRY(count_beside(r, a, side * outer, &count));
    while (count > 1.0 && outer < LAST_STEP) {
        inner = outer;
        outer *= 2.0;
        CAROM_TRY(count_beside(r, a, side * outer, &count));
    }
    if (count > 1.0) {
        *edge = (double)NAN;
        return CAROM_OK;
    }
    while (outer - inner > EDGE_WIDTH * fmax(outer, 1.0)) {
        const double middle = 0.5 * (inner + outer);
        CAROM_TRY(count_beside(r, a, side * middle, &count));
        if (count > 1.0) {
            inner = middle;
        } else {
            outer = middle;
        }
    }
    *edge = side * inner;
    return CAROM_OK;
}

/** The edges of the window of one angle. */
static carom_status write_edges(const results *r, const angle *a) {
    carom_record *record = r->study->target.record;
    double edges[] = {NAN, NAN};
    char path[PATH_SIZE];
    if (r->study_results.simultaneous->count > 1) {
        CAROM_TRY(find_edge(r, a, -1, &edges[0]));
        CAROM_TRY(find_edge(r, a, 1, &edges[1]));
    }
    snprintf(path, sizeof path, "/window/%s/lower", a->name);
    carom_record_scalar(
        record, path, a->value + edges[0], "deg",
        "least angle with several solutions; NaN: none here, or no end of them within 90 deg");
    snprintf(path, sizeof path, "/window/%s/upper", a->name);
    carom_record_scalar(
        record, path, a->value + edges[1], "deg",
        "largest angle with several solutions; NaN: none here, or no end of them within 90 deg");
    snprintf(path, sizeof path, "/window/%s/width", a->name);
    carom_record_scalar(
        record, path, edges[1] - edges[0], "deg",
        "width of the window of several solutions; NaN: none here, or an end is missing");
    return CAROM_OK;
}

static carom_status write_scan(const results *r, const angle *a) {
    double counts[SCAN_POINTS];
    char path[PATH_SIZE];
    for (int i = 0; i < SCAN_POINTS; i++) {
        const double deviation = SCAN_REACH * (2.0 * i / (SCAN_POINTS - 1) - 1.0);
        CAROM_TRY(count_beside(r, a, deviation, &counts[i]));
    }
    snprintf(path, sizeof path, "/window/%s/count", a->name);
    carom_record_series(r->study->target.record, path, counts, "/window/deviation", NULL, "1",
                        "simultaneous solutions; NaN: no such pose");
    return CAROM_OK;
}

carom_status ramone_write_window(const results *r) {
    angle angles[ANGLES];
    double deviations[SCAN_POINTS];
    for (int i = 0; i < SCAN_POINTS; i++) {
        deviations[i] = SCAN_REACH * (2.0 * i / (SCAN_POINTS - 1) - 1.0);
    }
    carom_record_axis(r->study->target.record, "/window/deviation", SCAN_POINTS, deviations, "deg",
                      "deviation of one angle from that of the pose");
    list_angles(r->values, angles);
    for (int i = 0; i < ANGLES; i++) {
        CAROM_TRY(write_scan(r, &angles[i]));
        CAROM_TRY(write_edges(r, &angles[i]));
    }
    return CAROM_OK;
}
