/**
 * billiards: a ball that hits two others at the same time, and how much the order of the two
 * impacts matters (seghete-2014 section VII-A, figures 4 and 5).
 *
 *     (D phi_a, D phi_b) = cos(theta)/m_c (31),   xi = |p_ab - p_ba|/|p_0|
 *
 * Both orders of the two contacts are followed to their ends. Printed in the paper: equal
 * densities, balls a and b at rest, c on the bisector of theta, the range of theta from where a and
 * b touch, "somewhere close to pi/6", to pi. Inferred from that for r_a = r_b: r_c. Chosen: r_a = 1
 * m, density and speed, which do not matter, and the angle of figure 4.
 */
#include <carom/carom.h>

#include <carom/base/parallel.h>
#include <carom/drawing/models.h>
#include <carom/impact/propagative_pair.h>
#include <carom/study/propagative_record.h>
#include <carom/study/scenes.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_min.h>
#include <math.h>
#include <stdlib.h>

/** Number of entries of an array. */
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/** The balls, by the contacts of a and b with c; contacts and orders that begin with them. */
enum {
    A = CAROM_BILLIARD_BREAK_A,
    B = CAROM_BILLIARD_BREAK_B,
    C = CAROM_BILLIARD_BREAK_C,
    BALLS = CAROM_BILLIARD_BREAK_BALLS,
    VELOCITIES = 2 * BALLS,
    PAIR = 2
};

/** Everything that options set. */
typedef struct settings {
    carom_billiard_break_params cue; /**< its angle is that of figure 4, rad, once checked */
    double angle;                    /**< deg */
    int angles;
    int map_angles;
    int map_ratios;
    double least_ratio;
    double largest_ratio;
} settings;

/* --- one break -------------------------------------------------------------------------------- */

/** What both orders made of a break; one row of figure 5. */
typedef struct outcome {
    double angle;             /**< theta, rad */
    double indeterminacy;     /**< xi */
    double closed_form;       /**< the same without running the orders */
    double reflections[PAIR]; /**< beginning with a, and with b */
} outcome;

static carom_status open_break(const carom_billiard_break_params *cue,
                               carom_impact_problem **problem,
                               carom_propagative_contacts **contacts, carom_report *report) {
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    CAROM_TRY(carom_billiard_break_alloc(cue, &scene, report));
    CAROM_TRY(carom_impact_problem_of_scene(scene, problem, report));
    return carom_propagative_contacts_of_problem(*problem, contacts, report);
}

/*[billiardsOrders]*/
/** Velocities after the order that begins with a contact. */
static carom_status run_order(const carom_impact_problem *problem,
                              const carom_propagative_contacts *contacts, double restitution,
                              int first, carom_propagative_impact *impact, double *velocity,
                              carom_report *report) {
    carom_propagative_params params = carom_propagative_params_default();
    params.rule = CAROM_PROPAGATIVE_CYCLIC;
    params.first = first;
    CAROM_TRY(carom_propagative_impact_run(contacts, &params, restitution,
                                           problem->contact_velocity, problem->kinetic_energy,
                                           impact, report));
    // Normal impulses of both contacts; there is no friction.
    const double impulse[2 * PAIR] = {impact->impulse[A], impact->impulse[B], 0.0, 0.0};
    carom_impact_velocity(problem, impulse, velocity);
    return CAROM_OK;
}
/*[end billiardsOrders]*/

/** xi by the closed form: the spread of the pair over |p_0|. */
static double closed_form(const carom_impact_problem *problem,
                          const carom_propagative_contacts *contacts,
                          const carom_propagative_pair *pair, double restitution) {
    const double a = problem->contact_velocity[A] / contacts->length[A];
    const double b = problem->contact_velocity[B] / contacts->length[B];
    return restitution * carom_propagative_pair_spread(pair, a, b) /
           sqrt(2.0 * problem->kinetic_energy);
}

/** Run both orders; each is forced, since a and b approach equally fast in the symmetric break. */
static carom_status run_orders(const carom_billiard_break_params *cue, outcome *out,
                               double velocity[PAIR][VELOCITIES], carom_report *report) {
    CAROM_AUTO(carom_impact_problem) problem = NULL;
    CAROM_AUTO(carom_propagative_contacts) contacts = NULL;
    CAROM_AUTO(carom_propagative_impact) impact = NULL;
    CAROM_TRY(open_break(cue, &problem, &contacts, report));
    const carom_propagative_pair pair = carom_propagative_pair_of(contacts, A, B);
    CAROM_TRY(carom_propagative_impact_alloc(PAIR, (int)pair.longest + 1, &impact));
    for (int first = A; first < PAIR; first++) {
        CAROM_TRY(
            run_order(problem, contacts, cue->restitution, first, impact, velocity[first], report));
        out->reflections[first] = impact->step_count;
    }
    double difference[VELOCITIES];
    for (int k = 0; k < VELOCITIES; k++) {
        difference[k] = velocity[A][k] - velocity[B][k];
    }
    out->angle = cue->angle;
    out->indeterminacy =
        sqrt(carom_impact_kinetic_energy(problem, difference) / problem->kinetic_energy);
    out->closed_form = closed_form(problem, contacts, &pair, cue->restitution);
    return CAROM_OK;
}

static carom_status run_break(const carom_billiard_break_params *cue, outcome *out,
                              carom_report *report) {
    double velocity[PAIR][VELOCITIES];
    return run_orders(cue, out, velocity, report);
}

/* --- figure 4 --------------------------------------------------------------------------------- */

/** The balls to scale. */
static carom_status write_drawing(carom_record *record, const carom_billiard_break_params *cue,
                                  carom_report *report) {
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    CAROM_TRY(carom_billiard_break_alloc(cue, &scene, report));
    double x[BALLS];
    double y[BALLS];
    for (int i = 0; i < BALLS; i++) {
        x[i] = scene->position[2 * i];
        y[i] = scene->position[2 * i + 1];
    }
    const carom_column columns[] = {
        {"x", x, "m", "centres, c at the origin and moving along x"},
        {"y", y, "m", "centres"},
        {"radius", cue->radii, "m", "radii"},
    };
    carom_record group = carom_record_group(record, "/drawing");
    carom_record_index_axis(&group, "ball", BALLS, "balls a, b, c");
    carom_record_columns(&group, "ball", NULL, columns, COUNT(columns));
    carom_record_scalar(&group, "angle", cue->angle, "rad",
                        "theta between the lines from c to a and b");
    return CAROM_OK;
}

/** The break in motion, by either order: /around_impact. */
static carom_status write_motions(carom_record *record, const carom_billiard_break_params *cue,
                                  carom_report *report) {
    static const char *const NAMES[PAIR] = {"a_first", "b_first"};
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    carom_record around = carom_record_group(record, "/around_impact");
    outcome o;
    double velocity[PAIR][VELOCITIES];
    CAROM_TRY(carom_billiard_break_alloc(cue, &scene, report));
    CAROM_TRY(run_orders(cue, &o, velocity, report));
    for (int first = A; first < PAIR; first++) {
        carom_record group = carom_record_group(&around, "%s", NAMES[first]);
        CAROM_TRY(carom_scene_record_passage(&group, VELOCITIES, scene->position, scene->velocity,
                                             velocity[first]));
    }
    return carom_geometry_record_billiard_break(&around, cue);
}

/** All outcomes of that break. */
static carom_status write_outcomes(carom_record *record, const carom_billiard_break_params *cue,
                                   carom_report *report) {
    static const char *const CONTACTS[] = {"a", "b"};
    CAROM_AUTO(carom_impact_problem) problem = NULL;
    CAROM_AUTO(carom_propagative_contacts) contacts = NULL;
    CAROM_AUTO(carom_propagative_outcomes) outcomes = NULL;
    CAROM_TRY(open_break(cue, &problem, &contacts, report));
    const carom_propagative_tree_params params = carom_propagative_tree_params_default();
    CAROM_TRY(carom_propagative_outcomes_find(contacts, &params, problem->contact_velocity,
                                              problem->kinetic_energy, &outcomes, report));
    carom_propagative_record target = carom_propagative_record_of(record, "", problem, contacts);
    target.target.names = CONTACTS;
    return carom_propagative_record_outcomes(&target, outcomes);
}

/* --- figure 5 --------------------------------------------------------------------------------- */

static const carom_field SWEEP_FIELDS[] = {
    CAROM_FIELD("angle", outcome, angle, "rad", "theta"),
    CAROM_FIELD("indeterminacy", outcome, indeterminacy, "1",
                "xi = |p_ab - p_ba|/|p_0|, both orders run"),
    CAROM_FIELD("closed_form", outcome, closed_form, "1", "xi in closed form"),
    CAROM_FIELD("reflections_ab", outcome, reflections[A], "1", "reflections beginning with a"),
    CAROM_FIELD("reflections_ba", outcome, reflections[B], "1", "reflections beginning with b"),
};

/** What is minimised: sign times xi; infinite for a break that cannot be run. */
typedef struct sought {
    const settings *values;
    double sign;
} sought;

static double evaluate(double angle, void *context) {
    const sought *f = context;
    carom_billiard_break_params cue = f->values->cue;
    cue.angle = angle;
    outcome o;
    return run_break(&cue, &o, NULL) == CAROM_OK ? f->sign * o.indeterminacy : HUGE_VAL;
}

/** The extremum between the neighbours of a row of the sweep, by Brent's method. */
static carom_status refine(const settings *v, const outcome *row, double sign, double *angle,
                           double *value) {
    sought f = {v, sign};
    gsl_function function = {evaluate, &f};
    gsl_min_fminimizer *minimizer = gsl_min_fminimizer_alloc(gsl_min_fminimizer_brent);
    if (minimizer == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    int status = gsl_min_fminimizer_set_with_values(
        minimizer, &function, row[0].angle, sign * row[0].indeterminacy, row[-1].angle,
        sign * row[-1].indeterminacy, row[1].angle, sign * row[1].indeterminacy);
    // The minimum itself can only be told to the root of the rounding of xi.
    for (int step = 0; step < 200 && status == GSL_SUCCESS; step++) {
        status = gsl_min_fminimizer_iterate(minimizer);
    }
    *angle = gsl_min_fminimizer_x_minimum(minimizer);
    *value = sign * gsl_min_fminimizer_f_minimum(minimizer);
    gsl_min_fminimizer_free(minimizer);
    return CAROM_OK;
}

/** The lowest inner minimum and, beyond 90 deg, the highest inner maximum of the sweep; -1: none.
 */
static void find_extrema(const outcome *rows, int count, int *least, int *highest) {
    *least = -1;
    *highest = -1;
    for (int i = 1; i + 1 < count; i++) {
        const double before = rows[i - 1].indeterminacy;
        const double xi = rows[i].indeterminacy;
        const double after = rows[i + 1].indeterminacy;
        if (xi <= before && xi < after && (*least < 0 || xi < rows[*least].indeterminacy)) {
            *least = i;
        }
        if (rows[i].angle > M_PI_2 && xi >= before && xi > after &&
            (*highest < 0 || xi > rows[*highest].indeterminacy)) {
            *highest = i;
        }
    }
}

/** Where xi is least and largest, and what it is at the right angle, if the balls can be there. */
static carom_status write_extrema(carom_record *record, const settings *v, const outcome *rows,
                                  carom_report *report) {
    int least;
    int highest;
    find_extrema(rows, v->angles, &least, &highest);
    double angle[2] = {(double)NAN, (double)NAN};
    double value[2] = {(double)NAN, (double)NAN};
    if (least > 0) {
        CAROM_TRY(refine(v, rows + least, 1.0, &angle[0], &value[0]));
    }
    if (highest > 0) {
        CAROM_TRY(refine(v, rows + highest, -1.0, &angle[1], &value[1]));
    }
    outcome right = {.indeterminacy = (double)NAN};
    carom_billiard_break_params cue = v->cue;
    cue.angle = M_PI_2;
    if (rows[0].angle <= M_PI_2) {
        CAROM_TRY(run_break(&cue, &right, report));
    }
    const carom_measure measures[] = {
        {"inner_minimum_angle", angle[0], "rad", "theta of the inner minimum"},
        {"inner_minimum", value[0], "1", "xi there"},
        {"local_maximum_angle", angle[1] * (180.0 / M_PI), "deg",
         "theta of the maximum beyond 90 deg"},
        {"local_maximum", value[1], "1", "xi there"},
        {"right_angle", right.indeterminacy, "1", "xi at theta = pi/2"},
    };
    carom_record_measures(record, measures, COUNT(measures));
    return CAROM_OK;
}

/** xi from where a and b touch to pi. */
static carom_status write_sweep(carom_record *record, const settings *v, outcome *rows,
                                carom_report *report) {
    const double smallest = carom_billiard_break_smallest_angle(v->cue.radii);
    const int last = v->angles - 1;
    carom_billiard_break_params cue = v->cue;
    for (int i = 0; i <= last; i++) {
        cue.angle = i < last ? smallest + (M_PI - smallest) * i / (double)last : M_PI;
        CAROM_TRY(run_break(&cue, &rows[i], report));
    }
    carom_record group = carom_record_group(record, "/billiard");
    carom_record_rows(&group, "angle", rows, v->angles, sizeof *rows, SWEEP_FIELDS,
                      COUNT(SWEEP_FIELDS));
    return write_extrema(record, v, rows, report);
}

/* --- the map ---------------------------------------------------------------------------------- */

/** Curves c = -cos(pi/k), k = 2, 3, .. */
enum { FEWEST_ORDER = 2, ORDERS = 5 };

/** Of a cosine. */
static const double ROUNDING = 1e-14;

/** xi over angle and mass of the cue ball. */
typedef struct plane {
    const settings *v;
    double *values; /**< [ratio][angle], NaN where a and b overlap; then [ratio][order] */
} plane;

static double map_angle(const settings *v, int i) {
    return i + 1 < v->map_angles ? M_PI * i / (v->map_angles - 1.0) : M_PI;
}

static double map_ratio(const settings *v, int i) {
    const double share = i / (v->map_ratios - 1.0);
    return v->least_ratio * pow(v->largest_ratio / v->least_ratio, share);
}

/** The break with a cue ball of a given mass, m_c/m_a. */
static carom_billiard_break_params with_ratio(const settings *v, double ratio) {
    carom_billiard_break_params cue = v->cue;
    cue.radii[C] = cue.radii[A] * cbrt(ratio);
    return cue;
}

/** One row: all angles of a mass. */
static carom_status compute_row(int item, void *context, carom_report *report) {
    const plane *p = context;
    const settings *v = p->v;
    carom_billiard_break_params cue = with_ratio(v, map_ratio(v, item));
    const double smallest = carom_billiard_break_smallest_angle(cue.radii);
    for (int i = 0; i < v->map_angles; i++) {
        double *value = p->values + item * v->map_angles + i;
        *value = (double)NAN;
        cue.angle = map_angle(v, i);
        if (cue.angle >= smallest) {
            outcome o;
            CAROM_TRY(run_break(&cue, &o, report));
            *value = o.indeterminacy;
        }
    }
    return CAROM_OK;
}

static void write_plane(carom_record *group, const plane *p, double *axis) {
    const settings *v = p->v;
    for (int i = 0; i < v->map_ratios; i++) {
        axis[i] = map_ratio(v, i);
    }
    carom_record_axis(group, "mass_ratio", v->map_ratios, axis, "1", "m_c/m_a");
    for (int i = 0; i < v->map_angles; i++) {
        axis[i] = map_angle(v, i);
    }
    carom_record_axis(group, "angle", v->map_angles, axis, "rad", "theta");
    carom_record_series(group, "indeterminacy", p->values, "mass_ratio", "angle", "1",
                        "xi; NaN where a and b overlap");
    double largest = 0.0;
    for (int i = 0; i < v->map_ratios * v->map_angles; i++) {
        largest = isnan(p->values[i]) ? largest : fmax(largest, p->values[i]);
    }
    carom_record_scalar(group, "largest", largest, "1", "largest xi of the map");
}

/** cos(theta) sqrt(mu_a mu_b) = -cos(pi/k): theta of each mass, and where a and b touch. */
static void write_curves(carom_record *group, const plane *p, double *axis) {
    const settings *v = p->v;
    double orders[ORDERS];
    for (int i = 0; i < v->map_ratios; i++) {
        carom_billiard_break_params cue = with_ratio(v, map_ratio(v, i));
        axis[i] = carom_billiard_break_smallest_angle(cue.radii);
        cue.angle = 0.0;
        const double most = carom_billiard_break_cosine(&cue);
        for (int k = 0; k < ORDERS; k++) {
            orders[k] = FEWEST_ORDER + k;
            const double wanted = k == 0 ? 0.0 : -cos(M_PI / orders[k]) / most;
            // Equal masses and k = 3 meet at 180 deg, up to rounding.
            const double angle = wanted >= -1.0 - ROUNDING ? acos(fmax(wanted, -1.0)) : (double)NAN;
            p->values[i * ORDERS + k] = angle >= axis[i] ? angle : (double)NAN;
        }
    }
    carom_record_series(group, "smallest_angle", axis, "mass_ratio", NULL, "rad",
                        "theta at which a and b touch");
    carom_record_axis(group, "order", ORDERS, orders, "1", "k of c = -cos(pi/k)");
    carom_record_series(group, "unique_angle", p->values, "mass_ratio", "order", "rad",
                        "theta of a unique outcome; NaN: none");
}

/* --- the program ------------------------------------------------------------------------------ */

/** Everything; `values` and `axis` have room for the map, `rows` for the sweep. */
static carom_status compute(carom_record *record, const carom_common_options *common,
                            const settings *v, outcome *rows, double *values, double *axis,
                            carom_report *report) {
    CAROM_TRY(write_drawing(record, &v->cue, report));
    CAROM_TRY(write_motions(record, &v->cue, report));
    CAROM_TRY(write_outcomes(record, &v->cue, report));
    CAROM_TRY(write_sweep(record, v, rows, report));
    plane p = {v, values};
    const size_t row = (size_t)v->map_angles * sizeof *values;
    const carom_parallel_array left[] = {{values, row, (size_t)v->map_ratios * row}};
    CAROM_TRY(carom_parallel_map(common->workers, v->map_ratios, compute_row, &p,
                                 CAROM_PARALLEL_ARRAYS(left), report));
    carom_record group = carom_record_group(record, "/map");
    write_plane(&group, &p, axis);
    write_curves(&group, &p, axis);
    return CAROM_OK;
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const settings *v = context;
    const int longer = v->map_ratios > v->map_angles ? v->map_ratios : v->map_angles;
    const int wide = v->map_angles > ORDERS ? v->map_angles : ORDERS;
    double *axis = malloc((size_t)longer * sizeof *axis);
    double *values = malloc((size_t)v->map_ratios * (size_t)wide * sizeof *values);
    outcome *rows = calloc((size_t)v->angles, sizeof *rows);
    const carom_status status = axis == NULL || values == NULL || rows == NULL
                                    ? CAROM_STATUS_OUT_OF_MEMORY
                                    : compute(record, common, v, rows, values, axis, report);
    free(rows);
    free(values);
    free(axis);
    return status;
}

/** Refuse options that do not fit together; sets the angle of figure 4. */
static carom_status check(void *context, carom_report *report) {
    settings *v = context;
    if (!(v->least_ratio < v->largest_ratio)) {
        return carom_report_bound(report, "least ratio", v->least_ratio,
                                  "below --largest-ratio =", v->largest_ratio);
    }
    const double smallest = carom_billiard_break_smallest_angle(v->cue.radii) * (180.0 / M_PI);
    // Typed degrees meet the angle of contact as far as they are printed.
    if (!(v->angle >= smallest - 1e-9)) {
        return carom_report_bound(report, "angle", v->angle,
                                  "up to 180 deg, and from where a and b touch,", smallest);
    }
    v->cue.angle = fmax(v->angle, smallest) * (M_PI / 180.0);
    // Volumes that overflow or vanish, and contacts that rounding hides.
    CAROM_AUTO(carom_impact_problem) problem = NULL;
    CAROM_AUTO(carom_propagative_contacts) contacts = NULL;
    return open_break(&v->cue, &problem, &contacts, report);
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_REAL("radius-a", settings, cue.radii[CAROM_BILLIARD_BREAK_A], "m",
               "radius r_a of a ball at rest", "positive"),
    CAROM_REAL("radius-b", settings, cue.radii[CAROM_BILLIARD_BREAK_B], "m",
               "radius r_b of the other one", "positive"),
    CAROM_REAL("radius-c", settings, cue.radii[CAROM_BILLIARD_BREAK_C], "m",
               "radius r_c of the cue ball", "positive"),
    CAROM_REAL("density", settings, cue.density, "kg m-3", "density of all balls", "positive"),
    CAROM_REAL("speed", settings, cue.speed, "m s-1",
               "speed of the cue ball along the bisector of theta", "positive"),
    CAROM_REAL("restitution", settings, cue.restitution, "1", "R of (16): 1 elastic, 0 plastic",
               "[0, 1]"),
    CAROM_REAL("angle", settings, angle, "deg",
               "theta of figure 4, from where a and b touch to 180", "(0, 180]"),
    CAROM_INTEGER("angles", settings, angles, "1",
                  "angles of figure 5, from where a and b touch to 180 deg, 3 to 1000000",
                  "[3, 1000000]"),
    CAROM_INTEGER("map-angles", settings, map_angles, "1",
                  "angles of the map, from 0 to 180 deg, 3 to 2001", "[3, 2001]"),
    CAROM_INTEGER("map-ratios", settings, map_ratios, "1",
                  "mass ratios m_c/m_a of the map, 3 to 2001", "[3, 2001]"),
    CAROM_REAL("least-ratio", settings, least_ratio, "1",
               "least mass ratio of the map, 1e-6 or more", "[1e-6, 1e6]"),
    CAROM_REAL("largest-ratio", settings, largest_ratio, "1",
               "largest mass ratio of the map, up to 1e6", "[1e-6, 1e6]"),
};

int main(int argc, char **argv) {
    settings values = {
        .cue = carom_billiard_break_params_default(),
        .angle = 60.0,
        .angles = 2001,
        .map_angles = 181,
        .map_ratios = 101,
        .least_ratio = 1e-2,
        .largest_ratio = 1e3,
    };
    const carom_program program = {
        .name = "billiards",
        .title = "A billiard break and the order of its impacts",
        .source = "seghete-2014",
        .schema = "billiards 1",
        .options = CAROM_OPTIONS(options),
        CAROM_TABLES(carom_propagative_tables),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &values);
}
