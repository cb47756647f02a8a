/** The models, their impact times by two ways, the motion of one root over a period, and pictures
 * of figure 1: places, and velocities, of masses and feet at P and P'. */
#include "gaits.h"

#include <carom/drawing/models.h>

#include <gsl/gsl_math.h>

#include <stdlib.h>

const motion_kind COLLISIONLESS_HOP = {CAROM_TWO_MODES_ALPHA, 2, carom_two_modes_hop};
const motion_kind COLLISIONLESS_ROLL = {CAROM_TWO_MODES_BETA, 1, carom_two_modes_wheel};
const motion_kind COLLISIONLESS_ROCK = {CAROM_TWO_MODES_GAMMA, 2, carom_two_modes_rock};

/* --- the models ------------------------------------------------------------------------------- */

/** Build model i, in the common gravity. */
static carom_status build(const gaits *all, int i, carom_two_mode_model *model) {
    settings values = *all->values;
    switch (i) {
    case HOPPER:
        values.hopper.gravity = values.gravity;
        return carom_hopper_model(&values.hopper, model, all->report);
    case JUGGLER:
        values.juggler.gravity = values.gravity;
        return carom_juggler_model(&values.juggler, model, all->report);
    case REACTION_WHEEL:
        values.reaction_wheel.gravity = values.gravity;
        return carom_reaction_wheel_model(&values.reaction_wheel, model, all->report);
    case PENDULUM_WHEEL:
        values.pendulum_wheel.gravity = values.gravity;
        return carom_pendulum_wheel_model(&values.pendulum_wheel, model, all->report);
    default:
        values.rocker.gravity = values.gravity;
        return carom_coronal_rocker_model(&values.rocker, model, all->report);
    }
}

static carom_parity parity_of(bool is_odd) {
    return is_odd ? CAROM_PARITY_ODD : CAROM_PARITY_EVEN;
}

static carom_status prepare(const gaits *all, int i, gait *g) {
    CAROM_TRY(build(all, i, &g->model));
    carom_two_mode_model_spectrum(&g->model, g->spectrum, &g->constrained);
    return carom_phase_modes_compute(COORDINATES, &g->model.mass[0][0], &g->model.stiffness[0][0],
                                     parity_of(g->model.is_unconstrained_odd),
                                     parity_of(g->model.is_constrained_odd), &g->modes,
                                     all->report);
}

carom_status collisionless_models_prepare(gaits *all) {
    static const gait blank[MODELS] = {
        {.name = "hopper", .kind = &COLLISIONLESS_HOP},
        {.name = "juggler", .kind = &COLLISIONLESS_HOP},
        {.name = "reaction_wheel", .kind = &COLLISIONLESS_ROLL},
        {.name = "pendulum_wheel", .kind = &COLLISIONLESS_ROLL},
        {.name = "rocking", .kind = &COLLISIONLESS_ROCK},
    };
    for (int i = 0; i < MODELS; i++) {
        gait *g = &all->models[i];
        *g = blank[i];
        const carom_status status = prepare(all, i, g);
        if (status != CAROM_OK) {
            carom_report_set_context(all->report, g->name);
            return status;
        }
    }
    return CAROM_OK;
}

void collisionless_models_clear(gaits *all) {
    for (int i = 0; i < MODELS; i++) {
        carom_collisionless_motion_free(all->models[i].motion);
        carom_phase_modes_free(all->models[i].modes);
    }
}

/* --- impact times ----------------------------------------------------------------------------- */

/** A column: the impact by the closed form and by the general solver, and what bounds say of it. */
typedef struct column {
    double n;
    carom_two_modes_impact closed;
    carom_impact_root general;
    double difference;    /**< larger relative one of the two pairs of times */
    double least_gap;     /**< in row 0 */
    double force_ratio;   /**< largest in row 0 */
    int realizable[ROWS]; /**< 1, 0, or -1 where bounds do not decide */
} column;

static const carom_field COLUMN_FIELDS[] = {
    CAROM_FIELD("column", column, n, "1", "n of the root"),
    CAROM_FIELD("slow_phase", column, closed.slow_phase, "rad", "o_1 = nu_1 tau"),
    CAROM_FIELD("fast_phase", column, closed.fast_phase, "rad",
                "o_2 = omega_2 tau by the closed form"),
    CAROM_FIELD("constrained_phase", column, closed.constrained_phase, "rad",
                "o'_1 = omega'_1 tau' likewise"),
    CAROM_FIELD("time", column, closed.time, "s", "tau by the closed form"),
    CAROM_FIELD("constrained_time", column, closed.constrained_time, "s",
                "tau' by the closed form"),
    CAROM_FIELD("general_time", column, general.time, "s", "tau by the general solver"),
    CAROM_FIELD("general_constrained_time", column, general.constrained_time, "s",
                "tau' by the general solver"),
    CAROM_FIELD("difference", column, difference, "1",
                "larger relative distance of the two pairs of times"),
    CAROM_FIELD("least_gap", column, least_gap, "1", "least gap in row 0, per unit of c F_N^0, s2"),
    CAROM_FIELD("largest_force_ratio", column, force_ratio, "1",
                "largest contact force in row 0 over the size of the static one"),
    CAROM_FIELD_ARRAY("realizable", column, realizable, "row", "1",
                      "1: neither penetration nor attraction, by bounds; 0: one of them; -1: "
                      "undecided"),
};

/** Rows 0, 1, 2 of a column: whether they are realizable, and the extremes of row 0. */
static carom_status judge(const gait *g, int n, column *c, carom_report *report) {
    for (int row = 0; row < ROWS; row++) {
        carom_impact_root root;
        carom_spectral_motion *motion = NULL;
        CAROM_TRY(carom_impact_roots_cell(g->modes->spectra, n, row, &root, report));
        CAROM_TRY(carom_spectral_motion_compute(g->modes->spectra, root.time, root.constrained_time,
                                                &motion, report));
        const carom_motion_bounds bounds = carom_motion_bounds_compute(motion);
        carom_spectral_motion_free(motion);
        c->realizable[row] = carom_motion_bounds_realizability(&bounds);
        if (row == 0) {
            c->least_gap = bounds.minimum_gap;
            c->force_ratio = bounds.maximum_force_ratio;
        }
    }
    return CAROM_OK;
}

static carom_status solve_column(const gaits *all, const gait *g, int n, column *c) {
    const int row = all->values->row;
    c->n = n;
    CAROM_TRY(g->kind->solve(g->spectrum, g->constrained, n, row, &c->closed, all->report));
    CAROM_TRY(carom_impact_roots_cell(g->modes->spectra, n, row, &c->general, all->report));
    c->difference = fmax(fabs(c->general.time / c->closed.time - 1.0),
                         fabs(c->general.constrained_time / c->closed.constrained_time - 1.0));
    return judge(g, n, c, all->report);
}

carom_status collisionless_models_write_roots(gaits *all, const gait *g) {
    column columns[MOST_COLUMNS];
    for (int k = 0; k < all->values->columns; k++) {
        CAROM_TRY(solve_column(all, g, g->kind->first_column + k, &columns[k]));
    }
    carom_record model = carom_record_group(all->record, "/%s", g->name);
    carom_record_scalar(&model, "first_eigenvalue", g->spectrum[0], "s-2", "lambda_1");
    carom_record_scalar(&model, "second_eigenvalue", g->spectrum[1], "s-2", "lambda_2");
    carom_record_scalar(&model, "constrained_eigenvalue", g->constrained, "s-2", "lambda'_1");
    carom_record_scalar(&model, "growth_over_frequency", sqrt(-g->spectrum[0] / g->spectrum[1]),
                        "1", "rho = nu_1/omega_2");
    carom_record roots = carom_record_group(&model, "roots");
    carom_record_index_axis(&roots, "row", ROWS,
                            "r, whole half oscillations of the constrained mode");
    carom_record_rows(&roots, "column", columns, all->values->columns, sizeof *columns,
                      COLUMN_FIELDS, COUNT(COLUMN_FIELDS));
    return CAROM_OK;
}

/* --- the motion of one root ------------------------------------------------------------------- */

/** The motion of column n and a row, of the size that the model's static force gives it. */
static carom_status find_motion(gait *g, int n, int row, carom_report *report) {
    carom_impact_root root;
    CAROM_TRY(carom_impact_roots_cell(g->modes->spectra, n, row, &root, report));
    CAROM_TRY(carom_collisionless_motion_compute(g->modes, root.time, root.constrained_time,
                                                 CAROM_MOTION_SCALE_STATIC_FORCE,
                                                 g->model.contact_force, &g->motion, report));
    return carom_symmetry_extension_period(g->modes->spectra, root.time, root.constrained_time,
                                           &g->period, report);
}

static double kinetic_energy(const carom_two_mode_model *model, const double *v) {
    double energy = 0.0;
    for (int i = 0; i < COORDINATES; i++) {
        for (int j = 0; j < COORDINATES; j++) {
            energy += 0.5 * v[i] * model->mass[i][j] * v[j];
        }
    }
    return energy;
}

/** Instants of each phase at which its size is noted. */
enum { SIZE_INSTANTS = 64 };

/** Largest excursions and rates between P and P': the scale of distances between states. */
static void measure_size(gait *g) {
    const carom_spectral_motion *spectral = g->motion->spectral;
    for (int k = 0; k <= 2 * SIZE_INSTANTS; k++) {
        const bool is_open = k < SIZE_INSTANTS;
        const double share = (double)(k % SIZE_INSTANTS) / SIZE_INSTANTS;
        const double t =
            is_open ? share * spectral->time : (share - 1.0) * spectral->constrained_time;
        double x[COORDINATES] = {0.0};
        double v[COORDINATES] = {0.0};
        const carom_motion_state state = {.position = x, .velocity = v};
        carom_collisionless_motion_state(
            g->motion, is_open ? CAROM_MOTION_UNCONSTRAINED : CAROM_MOTION_CONSTRAINED,
            k == 2 * SIZE_INSTANTS ? 0.0 : t, CAROM_MOTION_FROM_CONSTRAINED_EQUILIBRIUM, &state);
        for (int i = 0; i < COORDINATES; i++) {
            g->largest[i] = fmax(g->largest[i], fabs(x[i]));
            g->fastest[i] = fmax(g->fastest[i], fabs(v[i]));
        }
        g->largest_kinetic_energy = fmax(g->largest_kinetic_energy, kinetic_energy(&g->model, v));
    }
}

/** An instant of the period. */
typedef struct instant {
    double time;
    double position[COORDINATES];
    double velocity[COORDINATES];
    double gap;
    double force_ratio;
    double phase;
} instant;

/** The states, in the unit of a model's coordinates; the contact, likewise. */
static void write_instants(const gaits *all, const gait *g, carom_record *group,
                           const instant *rows) {
    const char *velocity = g->model.units[0] == 'r' ? "rad s-1" : "m s-1";
    const carom_field fields[] = {
        CAROM_FIELD("time", instant, time, "s", "time from P"),
        // cppcheck-suppress nullPointer
        CAROM_FIELD_ARRAY("position", instant, position, "coordinate", g->model.units,
                          "x less its value at rest in contact; over all steps in the coordinates "
                          "of the first"),
        // cppcheck-suppress nullPointer
        CAROM_FIELD_ARRAY("velocity", instant, velocity, "coordinate", velocity, "x'"),
        CAROM_FIELD("gap", instant, gap, g->model.units,
                    "gap of the contact, 0 while it is closed"),
        CAROM_FIELD("force_ratio", instant, force_ratio, "1", "contact force over the static one"),
        CAROM_FIELD("phase", instant, phase, "1", "0: unconstrained, 1: constrained"),
    };
    carom_record_index_axis(group, "coordinate", COORDINATES, "x_1 and x_2, the contact's");
    carom_record_rows(group, "time", rows, all->values->samples, sizeof *rows, fields,
                      COUNT(fields));
}

carom_status collisionless_models_state(const gait *g, double time, double *x,
                                        carom_report *report) {
    double v[COORDINATES];
    carom_motion_place place;
    const carom_motion_state state = {.position = x, .velocity = v};
    return carom_symmetry_extension_state(
        g->motion, time, CAROM_MOTION_FROM_CONSTRAINED_EQUILIBRIUM, &place, &state, report);
}

/** The state at an instant, and gap and force of the contact that acts or is next to act, by its
 * own copy of the motion. */
static carom_status sample(const gait *g, double time, instant *row, carom_report *report) {
    carom_motion_place place;
    const carom_motion_state state = {.position = row->position, .velocity = row->velocity};
    CAROM_TRY(carom_symmetry_extension_state(
        g->motion, time, CAROM_MOTION_FROM_CONSTRAINED_EQUILIBRIUM, &place, &state, report));
    double gap[4] = {0.0, 0.0, 0.0, 0.0};
    double force[4] = {0.0, 0.0, 0.0, 0.0};
    if (place.phase == CAROM_MOTION_UNCONSTRAINED) {
        carom_spectral_motion_gap(g->motion->spectral, place.local_time, gap);
    } else {
        carom_spectral_motion_force(g->motion->spectral, place.local_time, force);
    }
    row->time = time;
    row->gap = g->model.gap_sign * g->motion->scale * gap[0];
    row->force_ratio = force[0];
    row->phase = place.phase == CAROM_MOTION_CONSTRAINED ? 1.0 : 0.0;
    return CAROM_OK;
}

static carom_status write_samples(const gaits *all, const gait *g, carom_record *group) {
    const int count = all->values->samples;
    CAROM_AUTO_MEMORY instant *rows = calloc((size_t)count, sizeof *rows);
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < count; k++) {
        const double time = g->period * (double)k / (double)(count - 1);
        CAROM_TRY(sample(g, time, &rows[k], all->report));
    }
    write_instants(all, g, group, rows);
    return CAROM_OK;
}

static void write_summary(const gait *g, int n, carom_record *group) {
    const carom_collisionless_motion *m = g->motion;
    const carom_motion_bounds bounds = carom_motion_bounds_compute(m->spectral);
    double x[COORDINATES] = {0.0};
    double v[COORDINATES] = {0.0};
    const carom_motion_state impact = {.position = x, .velocity = v};
    carom_collisionless_motion_state(m, CAROM_MOTION_UNCONSTRAINED, m->spectral->time,
                                     CAROM_MOTION_FROM_CONSTRAINED_EQUILIBRIUM, &impact);
    const bool is_angle = g->model.units[0] == 'r';
    const carom_measure rows[] = {
        {"column", n, "1", "n of the root that is followed"},
        {"impact_time", m->spectral->time, "s", "tau"},
        {"constrained_time", m->spectral->constrained_time, "s", "tau'"},
        {"period", g->period, "s", "period; of a wheel, a step"},
        {"static_force", m->static_force, is_angle ? "N m" : "N", "F_N^0"},
        {"largest_gap", fabs(m->scale) * bounds.maximum_gap, g->model.units, "largest gap"},
        {"is_realizable", bounds.is_realizable ? 1.0 : 0.0, "1",
         "1: no penetration, no attraction, proved by bounds"},
        {"largest_force_ratio", bounds.maximum_force_ratio, "1",
         "largest repulsive force over the size of the static one"},
        {"impact_velocity", v[0], is_angle ? "rad s-1" : "m s-1",
         "x_1' at the impact; x_2' vanishes"},
        {"kinetic_energy", g->largest_kinetic_energy, "J", "largest kinetic energy of the samples"},
    };
    carom_record_scalars(group, rows, COUNT(rows));
}

carom_status collisionless_models_write_motion(gaits *all, gait *g) {
    const int n = g->kind->first_column + all->values->root - 1;
    carom_record group = carom_record_group(all->record, "/%s/motion", g->name);
    CAROM_TRY(find_motion(g, n, all->values->row, all->report));
    measure_size(g);
    CAROM_TRY(write_samples(all, g, &group));
    write_summary(g, n, &group);
    double rest[COORDINATES];
    collisionless_models_rest(&g->model, rest);
    if (g == &all->models[HOPPER]) {
        return carom_geometry_record_hopper(&group, &all->values->hopper, rest);
    }
    return g == &all->models[JUGGLER]
               ? carom_geometry_record_juggler(&group, &all->values->juggler, rest)
               : CAROM_OK;
}

/* --- drawings --------------------------------------------------------------------------------- */

/** Configurations P and P'; feet of a wheel beside the three spokes that are drawn. */
enum { CONFIGURATIONS = 2, MOST_FURTHER_FEET = 64 };

/** Points of a picture at most. */
enum { MOST_POINTS = CAROM_PENDULUM_WHEEL_POINT_COUNT + MOST_FURTHER_FEET };

/** A picture of a model. */
typedef struct picture {
    const char *name; /**< its group in /drawing */
    int point_count;
    /** Points [point][2] in m of configuration x [2]. */
    void (*place)(const settings *values, const double *x, double *points);
} picture;

static void place_hopper(const settings *values, const double *x, double *points) {
    carom_hopper_points(&values->hopper, x, points);
}

static void place_juggler(const settings *values, const double *x, double *points) {
    carom_juggler_points(&values->juggler, x, points);
}

/** As many as close the wheel. */
static int further_feet(const settings *values) {
    const double spokes = round(M_PI / values->drawn_angle);
    return (int)fmin(fmax(spokes - 3.0, 0.0), MOST_FURTHER_FEET);
}

/** The wheel, and the feet of further spokes: ahead of the next one, and behind the last. */
static void place_wheel(const settings *values, const double *x, double *points) {
    const carom_pendulum_wheel_params *wheel = &values->pendulum_wheel;
    carom_pendulum_wheel_points(wheel, x, points);
    const double *hub = points + 2;
    for (int k = 0; k < further_feet(values); k++) {
        const double side = k % 2 == 0 ? -1.0 : 1.0;
        const int steps = 2 + k / 2;
        const double angle = x[1] + side * 2.0 * steps * wheel->half_spoke_angle;
        double *foot = points + 2 * (CAROM_PENDULUM_WHEEL_POINT_COUNT + k);
        foot[0] = hub[0] - wheel->spoke_length * sin(angle);
        foot[1] = hub[1] - wheel->spoke_length * cos(angle);
    }
}

static void place_rocker(const settings *values, const double *x, double *points) {
    carom_coronal_rocker_points(&values->rocker, x, points);
}

void collisionless_models_rest(const carom_two_mode_model *model, double *x) {
    const double contact = model->contact_coordinate;
    x[0] = (model->load[0] - model->stiffness[0][1] * contact) / model->stiffness[0][0];
    x[1] = contact;
}

/** x and x' of a motion at P or P', positions as in the mechanism. */
static void state_of(const gait *g, int configuration, double *x, double *v) {
    double rest[COORDINATES];
    const carom_motion_state state = {.position = x, .velocity = v};
    carom_collisionless_motion_state(
        g->motion, configuration == 0 ? CAROM_MOTION_UNCONSTRAINED : CAROM_MOTION_CONSTRAINED, 0.0,
        CAROM_MOTION_FROM_CONSTRAINED_EQUILIBRIUM, &state);
    collisionless_models_rest(&g->model, rest);
    x[0] += rest[0];
    x[1] += rest[1];
}

/** Step of the differences that velocities are taken from, in sqrt(l/g) of the wheel. */
static const double DIFFERENCE = 1e-6;

/** Place and velocity of every point in one configuration: columns [4] of x, y, u, v. */
static void draw_configuration(const settings *values, const picture *p, const gait *g, int c,
                               double columns[4][CONFIGURATIONS * MOST_POINTS]) {
    double x[COORDINATES] = {0.0};
    double v[COORDINATES] = {0.0};
    double points[3][2 * MOST_POINTS] = {{0.0}};
    const double step = DIFFERENCE * sqrt(values->pendulum_wheel.spoke_length / values->gravity);
    state_of(g, c, x, v);
    for (int side = -1; side <= 1; side++) {
        const double moved[COORDINATES] = {x[0] + side * step * v[0], x[1] + side * step * v[1]};
        p->place(values, moved, points[side + 1]);
    }
    for (int i = 0; i < p->point_count; i++) {
        for (int axis = 0; axis < 2; axis++) {
            const int entry = 2 * i + axis;
            columns[axis][c * p->point_count + i] = points[1][entry];
            columns[2 + axis][c * p->point_count + i] =
                (points[2][entry] - points[0][entry]) / (2.0 * step);
        }
    }
}

/** Write a picture: x, y, and velocities u, v, (configuration x point). */
static void draw(const gaits *all, const settings *values, const picture *p, const gait *g) {
    double columns[4][CONFIGURATIONS * MOST_POINTS];
    for (int c = 0; c < CONFIGURATIONS; c++) {
        draw_configuration(values, p, g, c, columns);
    }
    carom_record group = carom_record_group(all->record, "/drawing/%s", p->name);
    carom_record_index_axis(&group, "configuration", CONFIGURATIONS, "0: P, 1: P'");
    carom_record_index_axis(&group, "point", p->point_count, "masses, joints and feet");
    const carom_column rows[] = {
        {"x", columns[0], "m", "place along the ground"},
        {"y", columns[1], "m", "height above the ground"},
        {"u", columns[2], "m s-1", "velocity along the ground"},
        {"v", columns[3], "m s-1", "velocity upwards"},
    };
    carom_record_columns(&group, "configuration", "point", rows, COUNT(rows));
}

/** The first motions of the wheel and of rocking in the size and with the pendulum of the drawing.
 */
static carom_status draw_angles(gaits *all) {
    settings values = *all->values;
    values.reaction_wheel.half_spoke_angle = values.drawn_angle;
    values.pendulum_wheel.half_spoke_angle = values.drawn_angle;
    values.pendulum_wheel.pendulum_length = values.drawn_pendulum;
    values.rocker.half_leg_angle = values.drawn_angle;
    values.rocker.pendulum_length = values.drawn_pendulum;
    const picture wheel = {"pendulum_wheel",
                           CAROM_PENDULUM_WHEEL_POINT_COUNT + further_feet(&values), place_wheel};
    const picture rocker = {"rocking", CAROM_CORONAL_ROCKER_POINT_COUNT, place_rocker};
    gaits drawn = {.values = &values, .report = all->report};
    carom_status status = collisionless_models_prepare(&drawn);
    for (int i = REACTION_WHEEL; i <= ROCKER && status == CAROM_OK; i++) {
        gait *g = &drawn.models[i];
        status = find_motion(g, g->kind->first_column, 0, all->report);
        if (status == CAROM_OK && i != REACTION_WHEEL) {
            draw(all, &values, i == ROCKER ? &rocker : &wheel, g);
        }
        status = status == CAROM_OK ? collisionless_models_write_steps(all, &values, g) : status;
    }
    if (status != CAROM_OK) {
        carom_report_set_context(all->report, "drawing");
    }
    collisionless_models_clear(&drawn);
    return status;
}

carom_status collisionless_models_draw(gaits *all) {
    const picture hopper = {"hopper", CAROM_HOPPER_POINT_COUNT, place_hopper};
    const picture juggler = {"juggler", CAROM_JUGGLER_POINT_COUNT, place_juggler};
    draw(all, all->values, &hopper, &all->models[HOPPER]);
    draw(all, all->values, &juggler, &all->models[JUGGLER]);
    return draw_angles(all);
}
