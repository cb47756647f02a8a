#include <carom/study/collisionless_record.h>

#include <carom/collisionless/motion/collisionless_motion.h>

#include <math.h>
#include <stdlib.h>

static const char *const METHODS[] = {"none", "cells", "subdivision", "cells and subdivision"};

carom_collisionless_units carom_collisionless_units_default(void) {
    return (carom_collisionless_units){"m", "m s-1", "m s-2", "N", "kg-1"};
}

/** As carom_collisionless_record_motion; and what its size is fixed by. */
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

carom_status carom_collisionless_record_motion(const carom_collisionless_record *self,
                                               const carom_impact_root *root,
                                               carom_collisionless_motion **motion,
                                               carom_report *report) {
    CAROM_ASSERT(self != NULL && root != NULL && motion != NULL);
    carom_motion_scale scale;
    return compute_motion(self, root, &scale, motion, report);
}

/* --- the list of roots ------------------------------------------------------------------------ */

/** One of the list. */
typedef struct root_row {
    carom_impact_root root;
    carom_collisionless_realizability realizability;
} root_row;

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
    realizability->realizable = carom_motion_bounds_realizability(&bounds);
    realizability->minimum_force_ratio = bounds.minimum_force_ratio;
    realizability->minimum_gap = fabs(motion->scale) * bounds.minimum_gap;
    carom_collisionless_motion_free(motion);
    return CAROM_OK;
}

/** Columns of the list, the last one where some roots are singular. */
static void write_root_rows(const carom_collisionless_record *self, const root_row *rows,
                            const carom_root_list *roots) {
#define COLUMN(name, member, units, long_name) CAROM_FIELD(name, root_row, member, units, long_name)
    const carom_field columns[] = {
        COLUMN("time", root.time, "s", "tau, from symmetry point P to the impact"),
        COLUMN("constrained_time", root.constrained_time, "s",
               "tau', from the impact to symmetry point P'"),
        COLUMN("residual", root.residual, "1", "|Z u| of the impact matrix, |u| = 1"),
        COLUMN("smallest_singular_value", root.smallest_singular_value, "1",
               "smallest singular value of the impact matrix"),
        COLUMN("minimum_force_ratio", realizability.minimum_force_ratio, "1",
               "least repulsive force in the constrained phase, over the size of the static one; "
               "NaN: no motion was found"),
        COLUMN("minimum_gap", realizability.minimum_gap, self->units.position,
               "least gap in the unconstrained phase; NaN: no motion was found"),
        COLUMN("column", root.column, "1",
               "half oscillations of the unconstrained phase, n; 0: cells do not apply"),
        COLUMN("row", root.row, "1",
               "half oscillations of the constrained phase, r; -1: cells do not apply"),
        COLUMN("realizable", realizability.realizable, "1",
               "1: no penetration, no attraction, proved by bounds; 0: one of them found; -1: "
               "undecided"),
        COLUMN("singular", root.is_singular, "1",
               "1: the middle of a piece of a curve on which all conditions hold to rounding: a "
               "multiple root, whose place is known to the length of the piece; 0: a point"),
    };
    const int count = (int)(sizeof columns / sizeof columns[0]);
    carom_record group = carom_record_group(self->record, "/roots");
    carom_record_rows(&group, "root", rows, roots->count, sizeof *rows, columns,
                      roots->singular > 0 ? count : count - 1);
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
    carom_record_scalar(record, "/roots/undecided_share", roots->undecided_share, "1",
                        "share of the box that these parts make up: there may be further roots in "
                        "it; 0: the whole box was searched");
    if (roots->count == 0) {
        carom_record_string(record, "/roots/reason", reason_of(roots), "why there are none");
        return;
    }
}

/** Where undecided parts lie. */
static void write_regions(const carom_collisionless_record *self, const carom_root_list *roots) {
#define REGION(name, member, units, long_name) \
    CAROM_FIELD(name, carom_undecided_region, member, units, long_name)
    static const carom_field columns[] = {
        REGION("least_time", time[0], "s", "least tau of a region"),
        REGION("largest_time", time[1], "s", "largest tau of a region"),
        REGION("least_constrained_time", constrained_time[0], "s", "least tau' of a region"),
        REGION("largest_constrained_time", constrained_time[1], "s", "largest tau' of a region"),
        REGION("parts", parts, "1", "undecided parts in it"),
        REGION("share", share, "1", "share of the box that these make up"),
        REGION("is_searched", is_searched, "1",
               "1: it holds the conditions to 1e-6 or is a cell whose root was not found; 0: the "
               "search ended before"),
    };
    carom_record_index_axis(self->record, "/undecided/region", roots->region_count,
                            "undecided parts that touch, or a part that was not searched");
    carom_record group = carom_record_group(self->record, "/undecided");
    carom_record_rows(&group, "region", roots->regions, roots->region_count, sizeof *roots->regions,
                      columns, (int)(sizeof columns / sizeof columns[0]));
}

carom_status carom_collisionless_record_roots(
    const carom_collisionless_record *self, const carom_root_list *roots,
    const carom_collisionless_realizability *realizabilities, carom_report *report) {
    CAROM_ASSERT(self != NULL && roots != NULL);
    write_root_summary(self, roots);
    if (roots->region_count > 0) {
        write_regions(self, roots);
    }
    if (roots->count == 0) {
        return CAROM_OK;
    }
    carom_record_index_axis(self->record, "/roots/root", roots->count, "root");
    CAROM_AUTO_MEMORY root_row *rows = malloc((size_t)roots->count * sizeof *rows);
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < roots->count; k++) {
        rows[k].root = roots->roots[k];
        if (realizabilities != NULL) {
            rows[k].realizability = realizabilities[k];
        } else {
            CAROM_TRY(carom_collisionless_record_judge(self, &rows[k].root, &rows[k].realizability,
                                                       report));
        }
    }
    write_root_rows(self, rows, roots);
    return CAROM_OK;
}

/* --- one motion ------------------------------------------------------------------------------- */

/** Where one motion is written. */
typedef struct solution {
    const carom_collisionless_record *self;
    carom_record *group;
    carom_motion_scale scale; /**< what fixes its size */
    const carom_collisionless_motion *motion;
} solution;

static void write_modes(const solution *s) {
    const carom_phase_spectra *spectra = s->motion->modes->spectra;
    const carom_column columns[] = {
        {"spectrum", spectra->unconstrained, "s-2", "lambda"},
        {"amplitudes", s->motion->amplitude, s->self->units.position,
         "q, of the modes g(t); NaN where lambda = 0"},
    };
    const carom_column constrained[] = {
        {"constrained_spectrum", spectra->constrained, "s-2", "lambda'"},
        {"constrained_amplitudes", s->motion->constrained_amplitude, s->self->units.acceleration,
         "q', of the modes g'(t'), in the scale of X'; NaN where lambda' = 0"},
    };
    carom_record_index_axis(s->group, "mode", spectra->mode_count, "unconstrained mode");
    carom_record_index_axis(s->group, "constrained_mode", spectra->mode_count - 1,
                            "constrained mode");
    carom_record_columns(s->group, "mode", NULL, columns, 2);
    carom_record_columns(s->group, "constrained_mode", NULL, constrained, 2);
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
    const carom_measure scalars[] = {
        {"impact_time", spectral->time, "s", "tau"},
        {"constrained_time", spectral->constrained_time, "s", "tau'"},
        {"period", period, "s", "period of the extended motion; NaN for mixed parities"},
        {"normalisation", m->modes->normalisation, u->inverse_mass,
         "c, inverse modal mass of mode N"},
        {"static_force", m->static_force, u->force,
         "F_N^0, contact force at static equilibrium; NaN: there is none"},
        {"contact_level", m->contact_level, u->position,
         "x_N^0, of the contact from the unconstrained equilibrium; NaN: there is none"},
        {"energy", m->energy, "J",
         "total energy above the unconstrained equilibrium; NaN: there is none"},
    };
    carom_record_scalars(s->group, scalars, sizeof scalars / sizeof scalars[0]);
    carom_record_string(s->group, "size_given_by", SCALES[s->scale],
                        "what fixes the size of the motion");
    carom_record_integer(s->group, "contact_sign", m->contact_sign, "1",
                         "+1: the obstacle bounds the contact from below; -1: from above");
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

static void history_clear(history *h) {
    free(h->time);
    free(h->phase);
}

static bool history_init(int count, int n, history *h) {
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
    const carom_collisionless_units *u = &s->self->units;
    carom_record *group = s->group;
    const carom_column states[] = {
        {"position", h->position, u->position, "x"},
        {"velocity", h->velocity, u->velocity, "dx/dt"},
        {"acceleration", h->acceleration, u->acceleration, "d2x/dt2"},
    };
    const carom_column contact[] = {
        {"gap", h->gap, u->position, "gap, s (x_N - x_N^0)"},
        {"force", h->force, u->force, "contact force, s F_N: positive if it repels"},
        {"force_ratio", h->force_ratio, "1",
         "contact force over the static one, F_N/F_N^0; NaN: there is none"},
    };
    carom_record_axis(group, "time", h->count, h->time, "s", "time from P to P'");
    carom_record_index_axis(group, "coordinate", s->motion->modes->coordinate_count,
                            "coordinate, the contact last");
    carom_record_string(group, "origin", ORIGINS[origin_of(s->motion)],
                        "what positions are measured from");
    carom_record_columns(group, "time", "coordinate", states, 3);
    carom_record_columns(group, "time", NULL, contact, 3);
    carom_record_integer_series(group, "phase", h->phase, "time", NULL, "1",
                                "0 unconstrained, 1 constrained");
}

/** Sample and write, instants shared between the phases by their durations. */
static carom_status write_trajectory(const solution *s) {
    const carom_spectral_motion *spectral = s->motion->spectral;
    const int count = s->self->samples;
    const double share = spectral->time / (spectral->time + spectral->constrained_time);
    const int open = (int)fmin(fmax(round(share * count), 2.0), (double)count - 2.0);
    CAROM_AUTO_VALUE(history) h = {.count = 0};
    if (!history_init(count, s->motion->modes->coordinate_count, &h)) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    sample(s->motion, open, &h);
    write_history(s, &h);
    return CAROM_OK;
}

carom_status carom_collisionless_record_solution(const carom_collisionless_record *self,
                                                 carom_record *group, const carom_impact_root *root,
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
        carom_record group = carom_record_group(self->record, "/solution_%02d", k);
        const carom_status status =
            carom_collisionless_record_solution(self, &group, &roots->roots[k], report);
        if (status != CAROM_OK) {
            carom_report_set_context(report, group.group + 1);
            return status;
        }
    }
    return CAROM_OK;
}

static const carom_table_column columns[] = {
    {.head = "tau", .expression = "time", .digits = 10},
    {.head = "tau'", .expression = "constrained_time", .digits = 10},
    {.head = "realizable", .expression = "realizable + 1", .words = "undecided|no|yes"},
    {.head = "singular", .expression = "singular", .words = "no|yes"},
    {.head = "least gap", .expression = "minimum_gap"},
    {.head = "least force", .expression = "minimum_force_ratio"},
};

const carom_table carom_collisionless_tables[1] = {
    {.groups = "/roots", CAROM_COLUMNS(columns)},
};
