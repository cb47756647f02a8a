#include <carom/study/collisionless_record.h>

#include <carom/collisionless/motion/collisionless_motion.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/** Longest path inside a record that is made here. */
enum { PATH_SIZE = 2 * CAROM_COLLISIONLESS_GROUP_SIZE };

static const char *const METHODS[] = {"none", "cells", "subdivision", "cells and subdivision"};

carom_collisionless_units carom_collisionless_units_default(void) {
    return (carom_collisionless_units){"m", "m s-1", "m s-2", "N", "kg-1"};
}

/** Path of a dataset in a group. */
static const char *join(const char *group, const char *name, char path[PATH_SIZE]) {
    snprintf(path, PATH_SIZE, "%s/%s", group, name);
    return path;
}

/** The motion of a root in the size asked for, or of amplitude 1 if it has none of that kind. */
static carom_status compute_motion(const carom_collisionless_record *self,
                                   const carom_impact_root *root, carom_motion_scale *scale,
                                   carom_collisionless_motion **motion, carom_report *report) {
    *scale = self->scale;
    carom_report first = carom_report_empty();
    const carom_status status = carom_collisionless_motion_compute(
        self->modes, root->time, root->constrained_time, self->scale, self->size, motion, &first);
    if (status != CAROM_STATUS_SINGULAR) {
        if (status != CAROM_OK && report != NULL) {
            *report = first;
        }
        return status;
    }
    *scale = CAROM_MOTION_SCALE_AMPLITUDE;
    return carom_collisionless_motion_compute(self->modes, root->time, root->constrained_time,
                                              CAROM_MOTION_SCALE_AMPLITUDE, 1.0, motion, report);
}

/* --- the list of roots ------------------------------------------------------------------------ */

/** Columns of the list, one entry a root. */
typedef struct root_columns {
    double *time;
    double *constrained_time;
    double *residual;
    double *smallest_singular_value;
    double *minimum_force_ratio;
    double *minimum_gap;
    int *column;
    int *row;
    int *realizable;
    int *singular;
} root_columns;

static void root_columns_free(root_columns *c) {
    free(c->time);
    free(c->column);
}

/** Room for so many roots, in one piece of each type. */
static bool root_columns_alloc(int count, root_columns *c) {
    const size_t n = (size_t)count;
    double *reals = malloc(6 * n * sizeof *reals);
    int *integers = malloc(4 * n * sizeof *integers);
    *c = (root_columns){.time = reals, .column = integers};
    if (reals == NULL || integers == NULL) {
        return false;
    }
    c->constrained_time = reals + n;
    c->residual = reals + 2 * n;
    c->smallest_singular_value = reals + 3 * n;
    c->minimum_force_ratio = reals + 4 * n;
    c->minimum_gap = reals + 5 * n;
    c->row = integers + n;
    c->realizable = integers + 2 * n;
    c->singular = integers + 3 * n;
    return true;
}

/** What bounds say of a motion: 1 realizable, 0 not, -1 undecided. */
static int realizability_of(const carom_motion_bounds *bounds) {
    if (bounds->is_realizable) {
        return 1;
    }
    return bounds->is_gap_decided && bounds->is_force_decided ? 0 : -1;
}

carom_status carom_collisionless_record_judge(const carom_collisionless_record *self,
                                              const carom_impact_root *root,
                                              carom_collisionless_realizability *realizability,
                                              carom_report *report) {
    CAROM_ASSERT(self != NULL && root != NULL && realizability != NULL);
    *realizability = (carom_collisionless_realizability){-1, (double)NAN, (double)NAN};
    carom_motion_scale scale;
    carom_collisionless_motion *motion = NULL;
    CAROM_TRY(compute_motion(self, root, &scale, &motion, report));
    const carom_motion_bounds bounds = carom_motion_bounds_compute(motion->spectral);
    realizability->realizable = realizability_of(&bounds);
    realizability->minimum_force_ratio = bounds.minimum_force_ratio;
    realizability->minimum_gap = fabs(motion->scale) * bounds.minimum_gap;
    carom_collisionless_motion_free(motion);
    return CAROM_OK;
}

static void write_root_columns(const carom_collisionless_record *self, const root_columns *c) {
    const char *position = self->units.position;
    const struct {
        const char *path;
        const double *values;
        const char *units;
        const char *long_name;
    } reals[] = {
        {"/roots/time", c->time, "s", "tau, from symmetry point P to the impact"},
        {"/roots/constrained_time", c->constrained_time, "s",
         "tau', from the impact to symmetry point P'"},
        {"/roots/residual", c->residual, "1", "|Z u| of the impact matrix, |u| = 1"},
        {"/roots/smallest_singular_value", c->smallest_singular_value, "1",
         "smallest singular value of the impact matrix"},
        {"/roots/minimum_force_ratio", c->minimum_force_ratio, "1",
         "least repulsive force in the constrained phase, over the size of the static one; NaN: "
         "no motion was found"},
        {"/roots/minimum_gap", c->minimum_gap, position,
         "least gap in the unconstrained phase; NaN: no motion was found"},
    };
    for (size_t k = 0; k < sizeof reals / sizeof reals[0]; k++) {
        carom_record_series(self->record, reals[k].path, reals[k].values, "/roots/root", NULL,
                            reals[k].units, reals[k].long_name);
    }
    carom_record_integer_series(
        self->record, "/roots/column", c->column, "/roots/root", NULL, "1",
        "half oscillations of the unconstrained phase, n; 0: cells do not apply");
    carom_record_integer_series(
        self->record, "/roots/row", c->row, "/roots/root", NULL, "1",
        "half oscillations of the constrained phase, r; -1: cells do not apply");
    carom_record_integer_series(self->record, "/roots/realizable", c->realizable, "/roots/root",
                                NULL, "1",
                                "1: no penetration, no attraction, proved by bounds; 0: one "
                                "of them found; -1: undecided");
}

/** Why a list is empty. */
static const char *reason_of(const carom_root_list *roots) {
    if (roots->method == CAROM_ROOTS_NONE) {
        return "the constrained phase has no oscillating mode: there is no collisionless motion";
    }
    return roots->is_complete ? "no root lies in the box of impact times"
                              : "no root was found; parts of the box are undecided";
}

static void write_root_summary(const carom_collisionless_record *self,
                               const carom_root_list *roots) {
    carom_record *record = self->record;
    carom_record_integer(record, "/roots/count", roots->count, "1", "roots in the box");
    carom_record_string(record, "/roots/method", METHODS[roots->method],
                        "how completeness is known");
    carom_record_integer(record, "/roots/is_complete", roots->is_complete ? 1 : 0, "1",
                         "1: every root of the box is listed");
    carom_record_integer(record, "/roots/boxes", roots->boxes, "1",
                         "parts examined by the subdivision");
    carom_record_integer(record, "/roots/undecided", roots->undecided, "1",
                         "parts neither excluded nor closed");
    if (roots->count == 0) {
        carom_record_string(record, "/roots/reason", reason_of(roots), "why there are none");
        return;
    }
}

carom_status carom_collisionless_record_roots(
    const carom_collisionless_record *self, const carom_root_list *roots,
    const carom_collisionless_realizability *realizabilities, carom_report *report) {
    CAROM_ASSERT(self != NULL && roots != NULL);
    write_root_summary(self, roots);
    if (roots->count == 0) {
        return CAROM_OK;
    }
    carom_record_index_axis(self->record, "/roots/root", roots->count, "root");
    root_columns c = {.time = NULL};
    carom_status status =
        root_columns_alloc(roots->count, &c) ? CAROM_OK : CAROM_STATUS_OUT_OF_MEMORY;
    for (int k = 0; k < roots->count && status == CAROM_OK; k++) {
        const carom_impact_root *root = &roots->roots[k];
        c.time[k] = root->time;
        c.constrained_time[k] = root->constrained_time;
        c.residual[k] = root->residual;
        c.smallest_singular_value[k] = root->smallest_singular_value;
        c.column[k] = root->column;
        c.row[k] = root->row;
        c.singular[k] = root->is_singular ? 1 : 0;
        carom_collisionless_realizability realizability;
        if (realizabilities != NULL) {
            realizability = realizabilities[k];
        } else {
            status = carom_collisionless_record_judge(self, root, &realizability, report);
        }
        c.realizable[k] = realizability.realizable;
        c.minimum_force_ratio[k] = realizability.minimum_force_ratio;
        c.minimum_gap[k] = realizability.minimum_gap;
    }
    if (status == CAROM_OK) {
        write_root_columns(self, &c);
    }
    if (status == CAROM_OK && roots->singular > 0) {
        carom_record_integer_series(
            self->record, "/roots/singular", c.singular, "/roots/root", NULL, "1",
            "1: the middle of a piece of a curve on which all conditions hold to rounding: a "
            "multiple root, whose place is known to the length of the piece; 0: a point");
    }
    root_columns_free(&c);
    return status;
}

/* --- one motion ------------------------------------------------------------------------------- */

/** Where one motion is written. */
typedef struct solution {
    const carom_collisionless_record *self;
    const char *group;
    carom_motion_scale scale; /**< what fixes its size */
    const carom_collisionless_motion *motion;
} solution;

static void write_modes(const solution *s) {
    carom_record *record = s->self->record;
    const carom_phase_spectra *spectra = s->motion->modes->spectra;
    char path[PATH_SIZE];
    char axis[PATH_SIZE];
    char constrained_axis[PATH_SIZE];
    join(s->group, "mode", axis);
    join(s->group, "constrained_mode", constrained_axis);
    carom_record_index_axis(record, axis, spectra->mode_count, "unconstrained mode");
    carom_record_index_axis(record, constrained_axis, spectra->mode_count - 1, "constrained mode");
    carom_record_series(record, join(s->group, "spectrum", path), spectra->unconstrained, axis,
                        NULL, "s-2", "lambda");
    carom_record_series(record, join(s->group, "constrained_spectrum", path), spectra->constrained,
                        constrained_axis, NULL, "s-2", "lambda'");
    carom_record_series(record, join(s->group, "amplitudes", path), s->motion->amplitude, axis,
                        NULL, s->self->units.position,
                        "q, of the modes g(t); NaN where lambda = 0");
    carom_record_series(record, join(s->group, "constrained_amplitudes", path),
                        s->motion->constrained_amplitude, constrained_axis, NULL,
                        s->self->units.acceleration,
                        "q', of the modes g'(t'), in the scale of X'; NaN where lambda' = 0");
}

static carom_status write_scalars(const solution *s) {
    static const char *const SCALES[] = {"static force", "contact level", "amplitude"};
    const carom_collisionless_motion *m = s->motion;
    const carom_spectral_motion *spectral = m->spectral;
    const carom_collisionless_units *u = &s->self->units;
    double period = (double)NAN;
    if (carom_phase_spectra_has_uniform_parity(spectral->spectra)) {
        CAROM_TRY(carom_symmetry_extension_period(spectral->spectra, spectral->time,
                                                  spectral->constrained_time, &period, NULL));
    }
    const struct {
        const char *name;
        double value;
        const char *units;
        const char *long_name;
    } scalars[] = {
        {"impact_time", spectral->time, "s", "tau"},
        {"constrained_time", spectral->constrained_time, "s", "tau'"},
        {"period", period, "s", "period of the unfolded motion; NaN for mixed parities"},
        {"normalisation", m->modes->normalisation, u->inverse_mass,
         "c, inverse modal mass of mode N"},
        {"static_force", m->static_force, u->force,
         "F_N^0, contact force at static equilibrium; NaN: there is none"},
        {"contact_level", m->contact_level, u->position,
         "x_N^0, of the contact from the unconstrained equilibrium; NaN: there is none"},
        {"energy", m->energy, "J",
         "total energy above the unconstrained equilibrium; NaN: there is none"},
    };
    char path[PATH_SIZE];
    for (size_t k = 0; k < sizeof scalars / sizeof scalars[0]; k++) {
        carom_record_scalar(s->self->record, join(s->group, scalars[k].name, path),
                            scalars[k].value, scalars[k].units, scalars[k].long_name);
    }
    carom_record_string(s->self->record, join(s->group, "size_given_by", path), SCALES[s->scale],
                        "what fixes the size of the motion");
    carom_record_integer(s->self->record, join(s->group, "contact_sign", path), m->contact_sign,
                         "1", "+1: the obstacle bounds the contact from below; -1: from above");
    return CAROM_OK;
}

/** The history of a motion from P to P'. */
typedef struct history {
    int count;
    double *time;
    double *position; /**< [count][n], as velocity and acceleration */
    double *velocity;
    double *acceleration;
    double *gap;
    double *force;
    double *force_ratio;
    int *phase;
} history;

static void history_free(history *h) {
    free(h->time);
    free(h->phase);
}

static bool history_alloc(int count, int n, history *h) {
    const size_t instants = (size_t)count;
    const size_t states = instants * (size_t)n;
    double *reals = malloc((4 * instants + 3 * states) * sizeof *reals);
    int *phase = malloc(instants * sizeof *phase);
    *h = (history){.count = count, .time = reals, .phase = phase};
    if (reals == NULL || phase == NULL) {
        return false;
    }
    h->gap = reals + instants;
    h->force = reals + 2 * instants;
    h->force_ratio = reals + 3 * instants;
    h->position = reals + 4 * instants;
    h->velocity = h->position + states;
    h->acceleration = h->velocity + states;
    return true;
}

/** What positions can be measured from: there is one equilibrium at least, as no eigenvalue is
 * shared by both phases. */
static carom_motion_origin origin_of(const carom_collisionless_motion *motion) {
    return isnan(motion->impact_position[0]) ? CAROM_MOTION_FROM_CONSTRAINED_EQUILIBRIUM
                                             : CAROM_MOTION_FROM_EQUILIBRIUM;
}

/** Sample from P to P': `open` instants before the impact, then the impact and what follows. */
static void sample(const carom_collisionless_motion *motion, int open, history *h) {
    const int n = motion->modes->coordinate_count;
    const carom_spectral_motion *spectral = motion->spectral;
    const double tau = spectral->time;
    const double constrained_tau = spectral->constrained_time;
    const carom_motion_origin origin = origin_of(motion);
    for (int k = 0; k < h->count; k++) {
        const bool is_open = k < open;
        const double share = (double)(k - open) / (double)(h->count - 1 - open);
        const double t = is_open ? tau * (double)k / (double)open : (share - 1.0) * constrained_tau;
        const carom_motion_state state = {
            .position = h->position + k * n,
            .velocity = h->velocity + k * n,
            .acceleration = h->acceleration + k * n,
            .jerk = NULL,
        };
        const carom_motion_phase phase =
            is_open ? CAROM_MOTION_UNCONSTRAINED : CAROM_MOTION_CONSTRAINED;
        carom_collisionless_motion_state(motion, phase, t, origin, &state);
        double gap[4] = {0.0, 0.0, 0.0, 0.0};
        double force[4] = {0.0, 0.0, 0.0, 0.0};
        if (is_open) {
            carom_spectral_motion_gap(spectral, t, gap);
        } else {
            carom_spectral_motion_force(spectral, t, force);
        }
        h->time[k] = is_open ? t : tau + constrained_tau + t;
        h->gap[k] = motion->contact_sign * motion->scale * gap[0];
        h->force[k] =
            is_open ? 0.0 : motion->contact_sign * carom_collisionless_motion_force(motion, t);
        h->force_ratio[k] = force[0];
        h->phase[k] = is_open ? 0 : 1;
    }
}

static void write_history(const solution *s, const history *h) {
    static const char *const ORIGINS[] = {"static equilibrium without contact",
                                          "static equilibrium with the contact closed"};
    carom_record *record = s->self->record;
    const carom_collisionless_units *u = &s->self->units;
    char path[PATH_SIZE];
    char time[PATH_SIZE];
    char coordinate[PATH_SIZE];
    join(s->group, "time", time);
    join(s->group, "coordinate", coordinate);
    carom_record_axis(record, time, h->count, h->time, "s", "time from P to P'");
    carom_record_index_axis(record, coordinate, s->motion->modes->coordinate_count,
                            "coordinate, the contact last");
    carom_record_string(record, join(s->group, "origin", path), ORIGINS[origin_of(s->motion)],
                        "what positions are measured from");
    const struct {
        const char *name;
        const double *values;
        const char *axis;
        const char *units;
        const char *long_name;
    } series[] = {
        {"position", h->position, coordinate, u->position, "x"},
        {"velocity", h->velocity, coordinate, u->velocity, "dx/dt"},
        {"acceleration", h->acceleration, coordinate, u->acceleration, "d2x/dt2"},
        {"gap", h->gap, NULL, u->position, "gap, s (x_N - x_N^0)"},
        {"force", h->force, NULL, u->force, "contact force, s F_N: positive if it repels"},
        {"force_ratio", h->force_ratio, NULL, "1",
         "contact force over the static one, F_N/F_N^0; NaN: there is none"},
    };
    for (size_t k = 0; k < sizeof series / sizeof series[0]; k++) {
        carom_record_series(record, join(s->group, series[k].name, path), series[k].values, time,
                            series[k].axis, series[k].units, series[k].long_name);
    }
    carom_record_integer_series(record, join(s->group, "phase", path), h->phase, time, NULL, "1",
                                "0 unconstrained, 1 constrained");
}

/** Sample and write, instants shared between the phases by their durations. */
static carom_status write_trajectory(const solution *s) {
    const carom_spectral_motion *spectral = s->motion->spectral;
    const int count = s->self->samples;
    const double share = spectral->time / (spectral->time + spectral->constrained_time);
    const int open = (int)fmin(fmax(round(share * count), 2.0), (double)count - 2.0);
    history h = {.count = 0};
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    if (history_alloc(count, s->motion->modes->coordinate_count, &h)) {
        sample(s->motion, open, &h);
        write_history(s, &h);
        status = CAROM_OK;
    }
    history_free(&h);
    return status;
}

carom_status carom_collisionless_record_solution(const carom_collisionless_record *self,
                                                 const char *group, const carom_impact_root *root,
                                                 carom_report *report) {
    CAROM_ASSERT(self != NULL && group != NULL && root != NULL);
    CAROM_ASSERT(self->samples >= 4);
    carom_motion_scale scale;
    CAROM_AUTO(carom_collisionless_motion) motion = NULL;
    CAROM_TRY(compute_motion(self, root, &scale, &motion, report));
    const solution s = {.self = self, .group = group, .scale = scale, .motion = motion};
    write_modes(&s);
    CAROM_TRY(write_scalars(&s));
    return write_trajectory(&s);
}

carom_status carom_collisionless_record_write(const carom_collisionless_record *self,
                                              const carom_root_list *roots, carom_report *report) {
    CAROM_ASSERT(self != NULL && roots != NULL);
    CAROM_TRY(carom_collisionless_record_roots(self, roots, NULL, report));
    for (int k = 0; k < roots->count; k++) {
        char group[CAROM_COLLISIONLESS_GROUP_SIZE];
        snprintf(group, sizeof group, "/solution_%02d", k);
        const carom_status status =
            carom_collisionless_record_solution(self, group, &roots->roots[k], report);
        if (status != CAROM_OK) {
            carom_report_set_context(report, group + 1);
            return status;
        }
    }
    return CAROM_OK;
}
