/** What follows from the harmonic gait: its impact, its drawings, and gaits of more links. */
#include "results.h"

#include <carom/base/vector.h>
#include <carom/collisionless/motion/coordinate_matching.h>

#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>

/* --- the impact ------------------------------------------------------------------------------- */

/** Rows of a state; and of all states. */
enum { POSITION, VELOCITY, ACCELERATION, JERK, ROWS };

/** Both sides of the impact, each phase by its own sum, and room for one more. */
typedef struct impact_states {
    double *before;     /**< [ROWS][N] */
    double *after;      /**< [ROWS][N] */
    double *state;      /**< [ROWS][N] */
    double *compliance; /**< m^-1 e_N [N] */
    double *mass;       /**< [N][N] */
} impact_states;

static void impact_states_clear(impact_states *s) {
    free(s->before);
}

/** m^-1 e_N. */
static carom_status fill_compliance(const results *r, impact_states *s) {
    const size_t n = (size_t)r->coordinate_count;
    for (size_t k = 0; k < n * n; k++) {
        s->mass[k] = r->mass[k];
    }
    gsl_matrix_view mass = gsl_matrix_view_array(s->mass, n, n);
    gsl_vector_view side = gsl_vector_view_array(s->compliance, n);
    gsl_vector_set_basis(&side.vector, n - 1);
    const bool is_solved = gsl_linalg_cholesky_decomp1(&mass.matrix) == 0 &&
                           gsl_linalg_cholesky_svx(&mass.matrix, &side.vector) == 0;
    return is_solved ? CAROM_OK
                     : carom_report_fail(r->report, CAROM_STATUS_SINGULAR, "mass", (double)NAN, -1);
}

static carom_status fill_states(const results *r, impact_states *s) {
    const size_t n = (size_t)r->coordinate_count;
    s->before = calloc((3 * ROWS + 1 + n) * n, sizeof *s->before);
    if (s->before == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    s->after = s->before + ROWS * n;
    s->state = s->after + ROWS * n;
    s->compliance = s->state + ROWS * n;
    s->mass = s->compliance + n;
    carom_collisionless_motion_expand(r->gait, CAROM_MOTION_UNCONSTRAINED, r->root.time, s->before);
    carom_collisionless_motion_expand(r->gait, CAROM_MOTION_CONSTRAINED, -r->root.constrained_time,
                                      s->after);
    return fill_compliance(r, s);
}

/** Largest jump of a row over its magnitude. */
static double jump(int n, const impact_states *s, int row) {
    double difference = 0.0;
    for (int a = row * n; a < (row + 1) * n; a++) {
        difference = fmax(difference, fabs(s->after[a] - s->before[a]));
    }
    return difference / carom_vector_largest(n, s->before + row * n);
}

/** The contact's component of a row over the row's magnitude. */
static double contact_part(int n, const impact_states *s, int row) {
    return fabs(s->before[row * n + n - 1]) / carom_vector_largest(n, s->before + row * n);
}

/** The third derivative jumps by m^-1 e_N dF_N/dt, as the force starts with a finite rate: the cusp
 * of the second derivative is in those components alone. Written over theta. */
static void write_cusp(const results *r, const impact_states *s) {
    const int n = r->coordinate_count;
    const double theta = r->biped.half_step_angle;
    const double *before = s->before + JERK * n;
    const double *after = s->after + JERK * n;
    double *jumps = s->state + JERK * n;
    /*[bipedJerkJump]*/
    double force[4];
    carom_spectral_motion_force(r->gait->spectral, -r->root.constrained_time, force);
    const double rate = r->gait->static_force * force[1];
    double error = 0.0;
    for (int a = 0; a < n; a++) {
        jumps[a] = after[a] - before[a];
        error = fmax(error, fabs(jumps[a] - rate * s->compliance[a]));
    }
    /*[end bipedJerkJump]*/
    const double largest = carom_vector_largest(n, jumps);
    for (int a = 0; a < n; a++) {
        jumps[a] /= theta;
        s->state[a] = before[a] / theta;
    }
    const carom_column columns[] = {
        {"jerk", s->state, "s-3", "just before the impact, over theta"},
        {"jerk_jump", jumps, "s-3", "jump of the third derivative over theta"},
        {"compliance", s->compliance, "kg-1 m-2", "m^-1 e_N"},
    };
    carom_record group = carom_record_group(r->record, "/impact");
    carom_record_index_axis(&group, "coordinate", n, "arm, torso links from above, stance leg");
    carom_record_columns(&group, "coordinate", NULL, columns, COUNT(columns));
    carom_record_measure(r->record, "jerk_jump_error", error / largest, "1",
                         "jump of the third derivative against m^-1 e_N dF_N/dt, over "
                         "its largest component");
}

/** Kinetic and potential energy of a state, J. */
static double energy_of(const results *r, const double *state) {
    const int n = r->coordinate_count;
    double sum = 0.0;
    for (int ab = 0; ab < n * n; ab++) {
        const int a = ab / n;
        const int b = ab % n;
        const double kinetic = 0.5 * state[n + a] * r->mass[ab] * state[n + b];
        const double potential = 0.5 * state[a] * r->stiffness[ab] * state[b];
        sum += kinetic + potential;
    }
    return sum;
}

/** Largest change of the energy from P to P'; the rest of the cycle is their mirror image. */
static double energy_spread(const results *r, const impact_states *s, double reference) {
    const int last = r->values->samples - 1;
    double spread = fabs(energy_of(r, s->after) - reference);
    for (int k = 0; k <= last; k++) {
        carom_collisionless_motion_expand(r->gait, CAROM_MOTION_UNCONSTRAINED,
                                          r->root.time * k / last, s->state);
        spread = fmax(spread, fabs(energy_of(r, s->state) - reference));
        carom_collisionless_motion_expand(r->gait, CAROM_MOTION_CONSTRAINED,
                                          -r->root.constrained_time * k / last, s->state);
        spread = fmax(spread, fabs(energy_of(r, s->state) - reference));
    }
    return spread;
}

/** The paper: x and its first two derivatives are continuous, those of x_N vanish; no energy is
 * lost. */
static carom_status write_continuity(const results *r) {
    static const char LONG_NAME[] = "largest jump at the impact over the largest component";
    const int n = r->coordinate_count;
    const double theta = r->biped.half_step_angle;
    CAROM_AUTO_VALUE(impact_states) s = {.before = NULL};
    CAROM_TRY(fill_states(r, &s));
    write_cusp(r, &s);
    const double energy = energy_of(r, s.before);
    const carom_measure measures[] = {
        {"position_jump", jump(n, &s, POSITION), "1", LONG_NAME},
        {"velocity_jump", jump(n, &s, VELOCITY), "1", LONG_NAME},
        {"acceleration_jump", jump(n, &s, ACCELERATION), "1", LONG_NAME},
        {"contact_rates", fmax(contact_part(n, &s, VELOCITY), contact_part(n, &s, ACCELERATION)),
         "1", "velocity and acceleration of x_N at the impact, over the largest component"},
        {"energy_per_theta2", energy / (theta * theta), "J",
         "energy of the gait above equilibrium on one foot, over theta squared"},
        {"energy_spread", energy_spread(r, &s, energy) / fabs(energy), "1",
         "largest change of the energy from P to P', over the energy"},
    };
    carom_record_measures(r->record, measures, COUNT(measures));
    return CAROM_OK;
}

/** Condition number of some rows of the matching conditions; NaN where they are singular. */
static carom_status find_condition(const results *r, carom_coordinate_matching_rows rows,
                                   double *amplitude, double *condition) {
    const carom_status status =
        carom_coordinate_matching_solve(r->modes, r->root.time, r->root.constrained_time,
                                        r->statics.contact_force, rows, amplitude, condition, NULL);
    *condition = isfinite(*condition) ? *condition : (double)NAN;
    return status == CAROM_STATUS_OUT_OF_MEMORY ? status : CAROM_OK;
}

/** The matching conditions in all coordinates, the paper's check of its solution: they lose one
 * rank at the root; and (46), a square part of them. */
static carom_status write_matching(const results *r) {
    const int unknowns = 2 * r->modes->spectra->mode_count;
    CAROM_AUTO_MEMORY double *values = malloc((size_t)unknowns * sizeof *values);
    if (values == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double truncated = 0.0;
    double all = 0.0;
    CAROM_TRY(carom_coordinate_matching_rank(r->modes, r->root.time, r->root.constrained_time,
                                             values, r->report));
    carom_record_index_axis(r->record, "/impact/unknown", unknowns, "amplitudes and static force");
    carom_record_series(r->record, "/impact/singular_values", values, "/impact/unknown", NULL, "1",
                        "singular values of the matching conditions, columns scaled");
    CAROM_TRY(find_condition(r, CAROM_COORDINATE_MATCHING_TRUNCATED, values, &truncated));
    CAROM_TRY(find_condition(r, CAROM_COORDINATE_MATCHING_ALL, values, &all));
    carom_record_measure(r->record, "truncated_condition", truncated, "1",
                         "condition number of (46), columns scaled; NaN: singular");
    carom_record_measure(r->record, "matching_condition", all, "1",
                         "condition number of all rows, columns scaled; NaN: singular");
    return CAROM_OK;
}

carom_status biped_rocking_write_impact(const results *r) {
    CAROM_TRY(write_continuity(r));
    return write_matching(r);
}

/* --- drawings --------------------------------------------------------------------------------- */

/** Half angle between the legs in figure 3, rad: the paper draws them apart by eye. */
static const double SCHEMATIC_ANGLE = 0.34;
/** Displacements of arm, torso links and leg from equilibrium in figure 3, rad, for their marks to
 * be seen. */
static const double SCHEMATIC_ARM = 1.0;
static const double SCHEMATIC_TORSO = 0.25;
static const double SCHEMATIC_LEG = 0.32;
/** Marks of angles are arcs of this part of the link; that between the legs is a smaller one. */
static const double ARC_RADIUS = 0.42;
static const double INNER_ARC_RADIUS = 0.35;
/** The line from which an angle is measured is longer than its arc's radius by this factor. */
static const double REFERENCE_LENGTH = 1.3;

void biped_rocking_write_points(carom_record group, int count, const point *points,
                                const char *meaning) {
    static const carom_field fields[] = {
        CAROM_FIELD("x", point, x, "m", "to the right, from the stance foot"),
        CAROM_FIELD("y", point, y, "m", "upwards from the ground"),
    };
    carom_record_index_axis(&group, "point", count, meaning);
    carom_record_rows(&group, "point", points, count, sizeof *points, fields, COUNT(fields));
}

/** A pose: GROUP/joints (stance foot, hip, .., hand) and GROUP/other_leg (hip, other foot);
 * `points` [N + 2] keeps all of them. */
static void write_pose(const results *r, const char *group, const carom_armed_biped_params *biped,
                       const double *q, point *points) {
    const int count = carom_armed_biped_point_count(biped);
    carom_armed_biped_points(biped, q, &points->x);
    const point leg[] = {points[1], points[count - 1]};
    biped_rocking_write_points(carom_record_group(r->record, "%s/joints", group), count - 1, points,
                               "joint, from the stance foot to the hand");
    biped_rocking_write_points(carom_record_group(r->record, "%s/other_leg", group), 2, leg,
                               "hip, other foot");
}

/** The point at a distance from a joint; the angle is from the upward vertical. */
static point beside(point joint, double distance, double angle) {
    return (point){joint.x + distance * sin(angle), joint.y + distance * cos(angle)};
}

/** The mark of an angle at a joint: an arc, GROUP/angle_NAME, and where it is measured from a line,
 * GROUP/reference_NAME. */
static void write_mark(const results *r, const char *group, const char *name, point joint,
                       double radius, double from, double to, bool has_reference) {
    enum { ARC_POINTS = 33 };
    point arc[ARC_POINTS];
    for (int k = 0; k < ARC_POINTS; k++) {
        arc[k] = beside(joint, radius, from + (to - from) * k / (ARC_POINTS - 1.0));
    }
    const point line[] = {joint, beside(joint, REFERENCE_LENGTH * radius, from)};
    if (has_reference) {
        biped_rocking_write_points(carom_record_group(r->record, "%s/reference_%s", group, name), 2,
                                   line, "end of the line");
    }
    biped_rocking_write_points(carom_record_group(r->record, "%s/angle_%s", group, name),
                               ARC_POINTS, arc, "point of the arc");
}

/** Figure 3: a biped in equilibrium, displaced, and the marks of its angles; scratch q [2N], m and
 * k [N][N]. */
static carom_status write_schematic(const results *r, double *q, double *matrices, point *points) {
    static const char *const NAMES[] = {"leg", "torso", "arm"};
    static const char DISPLACED[] = "/drawing/displaced";
    const int n = r->coordinate_count;
    carom_armed_biped_params biped = r->biped;
    carom_armed_biped_statics statics;
    double *equilibrium = q + n;
    biped.half_step_angle = SCHEMATIC_ANGLE;
    CAROM_TRY(carom_armed_biped_linear(&biped, matrices, matrices + n * n, equilibrium, &statics,
                                       r->report));
    for (int a = 0; a < n; a++) {
        q[a] = equilibrium[a] +
               (a == 0 ? SCHEMATIC_ARM : (a == n - 1 ? SCHEMATIC_LEG : SCHEMATIC_TORSO));
    }
    write_pose(r, "/drawing/equilibrium", &biped, equilibrium, points);
    write_pose(r, DISPLACED, &biped, q, points);
    for (int k = 0; k < COUNT(NAMES); k++) {
        // Link j from below stands on joint j, its angle is coordinate n - 1 - j.
        const int j = k < 2 ? k : n - 1;
        write_mark(r, DISPLACED, NAMES[k], points[j], ARC_RADIUS * biped.lengths[j],
                   equilibrium[n - 1 - j], q[n - 1 - j], true);
    }
    const double leg = M_PI + q[n - 1];
    write_mark(r, DISPLACED, "between", points[1], INNER_ARC_RADIUS * biped.lengths[0], leg,
               leg + 2.0 * biped.half_step_angle, false);
    write_mark(r, "/drawing/equilibrium", "lean", (point){0.0, 0.0}, ARC_RADIUS * biped.lengths[0],
               0.0, equilibrium[n - 1], true);
    return CAROM_OK;
}

/** Figure 6: P, impact and P' of the gait, angles to scale. */
static void write_gait(const results *r, double *q, point *points) {
    const struct {
        const char *group;
        carom_motion_phase phase;
        double time;
    } poses[] = {
        {"/drawing/release", CAROM_MOTION_UNCONSTRAINED, 0.0},
        {"/drawing/impact", CAROM_MOTION_UNCONSTRAINED, r->root.time},
        {"/drawing/stance", CAROM_MOTION_CONSTRAINED, 0.0},
    };
    const carom_motion_state state = {.position = q};
    for (int k = 0; k < COUNT(poses); k++) {
        carom_collisionless_motion_state(r->gait, poses[k].phase, poses[k].time,
                                         CAROM_MOTION_FROM_EQUILIBRIUM, &state);
        for (int a = 0; a < r->coordinate_count; a++) {
            q[a] += r->equilibrium[a];
        }
        write_pose(r, poses[k].group, &r->biped, q, points);
    }
}

carom_status biped_rocking_write_drawing(const results *r) {
    const size_t n = (size_t)r->coordinate_count;
    CAROM_AUTO_MEMORY double *memory = malloc(2 * n * (n + 1) * sizeof *memory);
    CAROM_AUTO_MEMORY point *points = malloc((n + 2) * sizeof *points);
    if (memory == NULL || points == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(write_schematic(r, memory, memory + 2 * n, points));
    write_gait(r, memory, points);
    return CAROM_OK;
}

/* --- bipeds of more links --------------------------------------------------------------------- */

/** Numbers N of coordinates: stance leg, torso links, arm. */
enum { FIRST = 3, LAST = 12, SIZES = LAST - FIRST + 1 };

/** A biped of unit links, in units of theta, and one with as many coordinates without an arm. */
typedef struct chain {
    double coordinates; /**< N */
    double time;
    double constrained_time;
    double residual;
    double arm;               /**< at P from hanging, over theta */
    double energy;            /**< per theta^2 */
    double least_force;       /**< on two feet, over F_N^0 */
    double spectrum[LAST];    /**< lambda, then NaN */
    double constrained[LAST]; /**< lambda', then NaN */
    double armless;           /**< lambda'_(N-1) without an arm */
    double armless_roots;     /**< 0 if it is known that there is none */
    double realizable;        /**< 1, 0, or NaN: undecided */
} chain;

static const carom_field CHAIN_FIELDS[] = {
    CAROM_FIELD("coordinates", chain, coordinates, "1", "N: stance leg, torso links, arm"),
    CAROM_FIELD("impact_time", chain, time, "s", "tau, from P to the landing"),
    CAROM_FIELD("constrained_time", chain, constrained_time, "s", "tau', from the landing to P'"),
    CAROM_FIELD("residual", chain, residual, "1", "of the impact equations"),
    CAROM_FIELD("arm_at_P", chain, arm, "1", "angle of the arm at P from hanging, over theta"),
    CAROM_FIELD("energy", chain, energy, "J", "above the equilibrium on one foot, over theta^2"),
    CAROM_FIELD("minimum_force_ratio", chain, least_force, "1",
                "least force of the contact, over F_N^0"),
    CAROM_FIELD("realizable", chain, realizable, "1", "1: proved by bounds; NaN: undecided"),
    CAROM_FIELD("armless_constrained_eigenvalue", chain, armless, "s-2",
                "largest lambda' of a chain with as many coordinates and no arm"),
    CAROM_FIELD("armless_roots", chain, armless_roots, "1",
                "pairs of impact times of that chain; NaN: not known"),
    CAROM_FIELD_ARRAY("spectrum", chain, spectrum, "mode", "s-2",
                      "lambda, ascending; NaN beyond the last"),
    CAROM_FIELD_ARRAY("constrained_spectrum", chain, constrained, "mode", "s-2",
                      "lambda', ascending; NaN beyond the last"),
};

/** Modes of a biped of unit links with N coordinates. */
static carom_status find_modes(int N, bool has_arm, carom_armed_biped_statics *statics,
                               carom_phase_modes **modes, carom_report *report) {
    double ones[LAST + 1];
    double mass[LAST * LAST];
    double stiffness[LAST * LAST];
    double equilibrium[LAST];
    for (int i = 0; i <= LAST; i++) {
        ones[i] = 1.0;
    }
    const carom_armed_biped_params biped = {
        .torso_count = N - 1 - (has_arm ? 1 : 0),
        .has_arm = has_arm,
        .lengths = ones,
        .masses = ones,
        .gravity = 1.0,
        .half_step_angle = 1.0,
    };
    CAROM_TRY(carom_armed_biped_linear(&biped, mass, stiffness, equilibrium, statics, report));
    return carom_phase_modes_compute(N, mass, stiffness, CAROM_PARITY_EVEN, CAROM_PARITY_ODD, modes,
                                     report);
}

/** With an arm: the gait of the leftmost cell of the bottom row, and whether its feet can follow
 * it. */
static carom_status solve_armed(int N, chain *c, carom_report *report) {
    carom_armed_biped_statics statics;
    carom_impact_root root;
    CAROM_AUTO(carom_phase_modes) modes = NULL;
    CAROM_AUTO(carom_collisionless_motion) motion = NULL;
    CAROM_TRY(find_modes(N, true, &statics, &modes, report));
    CAROM_TRY(carom_impact_roots_cell(modes->spectra, 2, 0, &root, report));
    CAROM_TRY(carom_collisionless_motion_compute(modes, root.time, root.constrained_time,
                                                 CAROM_MOTION_SCALE_CONTACT_LEVEL,
                                                 statics.contact_level, &motion, report));
    const carom_motion_bounds bounds = carom_motion_bounds_compute(motion->spectral);
    const int realizable = carom_motion_bounds_realizability(&bounds);
    double position[LAST];
    const carom_motion_state state = {.position = position};
    carom_collisionless_motion_state(motion, CAROM_MOTION_UNCONSTRAINED, 0.0,
                                     CAROM_MOTION_FROM_EQUILIBRIUM, &state);
    *c = (chain){
        .coordinates = N,
        .time = root.time,
        .constrained_time = root.constrained_time,
        .residual = root.residual,
        .arm = position[0],
        .energy = motion->energy,
        .least_force = bounds.minimum_force_ratio,
        .realizable = realizable < 0 ? (double)NAN : realizable,
    };
    for (int i = 0; i < LAST; i++) {
        c->spectrum[i] = i < N ? modes->spectra->unconstrained[i] : (double)NAN;
        c->constrained[i] = i < N - 1 ? modes->spectra->constrained[i] : (double)NAN;
    }
    return CAROM_OK;
}

/** Without an arm, with as many coordinates: no mode oscillates on two feet. */
static carom_status solve_armless(int N, chain *c, carom_report *report) {
    carom_armed_biped_statics statics;
    CAROM_AUTO(carom_phase_modes) modes = NULL;
    CAROM_AUTO(carom_root_list) roots = NULL;
    CAROM_TRY(find_modes(N, false, &statics, &modes, report));
    const carom_root_search_params box = carom_root_search_params_default();
    CAROM_TRY(carom_impact_roots_find(modes->spectra, &box, &roots, report));
    c->armless = modes->spectra->constrained[N - 2];
    c->armless_roots = roots->method == CAROM_ROOTS_NONE ? roots->count : (double)NAN;
    return CAROM_OK;
}

/** The hanging arm is all that a standing torso needs, however many links it has. */
carom_status biped_rocking_write_chain(const results *r) {
    chain chains[SIZES];
    for (int k = 0; k < SIZES; k++) {
        CAROM_TRY(solve_armed(FIRST + k, &chains[k], r->report));
        CAROM_TRY(solve_armless(FIRST + k, &chains[k], r->report));
    }
    carom_record group = carom_record_group(r->record, "/chain");
    carom_record_index_axis(&group, "mode", LAST, "of the spectra, from 0");
    carom_record_rows(&group, "coordinates", chains, SIZES, sizeof *chains, CHAIN_FIELDS,
                      COUNT(CHAIN_FIELDS));
    return CAROM_OK;
}
