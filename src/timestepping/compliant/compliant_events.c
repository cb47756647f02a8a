#include <carom/timestepping/compliant/internal.h>

#include <carom/base/scales.h>

#include <float.h>
#include <math.h>

/* Speeds within this multiple of epsilon, or of that at which sticking began, are sticking where
 * no crossing can be seen: where the speed began beyond the limit. */
static const double STICKING_BAND = 2.0;

/* Sticking ends this fraction above epsilon and sliding below it, four roundings of r at least. A
 * contact that is just about to slide stays at epsilon for long, where rounding would exchange the
 * laws for ever. The force is the same to this fraction. */
static const double FRICTION_HYSTERESIS = 1e-3;
static const double HYSTERESIS_ROUNDINGS = 4.0;

enum { EVENTS_OF_CONTACT = 3 };

/* Value of an event function that means nothing in the present mode. */
static const double IMPOSSIBLE = -1.0;

int carom_compliant_event_count(const carom_compliant_system *s) {
    return EVENTS_OF_CONTACT * s->m + 1;
}

static bool has_friction(const carom_compliant_system *s, int i) {
    return s->t > 0 && s->mode[i] == CAROM_COMPLIANT_PRESSING && s->mechanism->friction[i] > 0.0;
}

static double sliding_speed(const carom_compliant_system *s, int i) {
    double square = 0.0;
    for (int k = 0; k < s->t; k++) {
        square += s->sliding[i * s->t + k] * s->sliding[i * s->t + k];
    }
    return sqrt(square);
}

/* Speed along the direction of sliding, over epsilon. */
static double relative_slip(const carom_compliant_system *s, int i) {
    double speed = 0.0;
    for (int k = 0; k < s->t; k++) {
        speed += s->slip_direction[i * s->t + k] * s->sliding[i * s->t + k];
    }
    return speed / s->params->regularisation_speed;
}

/* In parts of epsilon; r is a sum of the size of its terms. */
static double hysteresis_of(const carom_compliant_system *s, int i, const double *y) {
    double terms = 0.0;
    for (int k = i * s->t; k < (i + 1) * s->t; k++) {
        carom_scale_add_product(1, s->n, &s->tangential_rows[k * s->n], y + s->n, &terms);
    }
    return fmin(0.5, fmax(FRICTION_HYSTERESIS, HYSTERESIS_ROUNDINGS * DBL_EPSILON * terms /
                                                   s->params->regularisation_speed));
}

/* Stick up to a sliding speed, slide in the present direction beyond it. */
static void choose_friction(carom_compliant_system *s, int i, const double *y,
                            double sticking_speed) {
    const double speed = sliding_speed(s, i);
    s->is_sliding[i] = s->t > 0 && speed > sticking_speed;
    s->sticking_speed[i] = fmax(speed, s->params->regularisation_speed);
    s->hysteresis[i] = hysteresis_of(s, i, y);
    for (int k = 0; k < s->t && s->is_sliding[i]; k++) {
        s->slip_direction[i * s->t + k] = s->sliding[i * s->t + k] / speed;
    }
}

/* A contact that slides no longer as it began: in the plane it sticks now, however far the crossing
 * was overrun (the resolution of time leaves more than epsilon after a long slide; sticking
 * friction takes that away); in space its direction may only have turned. */
static void end_slip(carom_compliant_system *s, int i, const double *y) {
    const double band = STICKING_BAND * s->params->regularisation_speed;
    choose_friction(s, i, y, s->t == 1 ? (double)INFINITY : band);
}

static void press(carom_compliant_system *s, int i, double t, const double *y) {
    s->mode[i] = CAROM_COMPLIANT_PRESSING;
    choose_friction(s, i, y, s->params->regularisation_speed);
    if (!isnan(s->start_time[i])) {
        return;
    }
    s->start_time[i] = t;
    if (s->first_contact < 0) {
        s->first_contact = i;
    } else if (s->second_contact < 0) {
        s->second_contact = i;
        s->impulse_before_second = y[2 * s->n + s->first_contact];
    }
}

/* A contact without force: it may still be below the surface. */
static void release(carom_compliant_system *s, int i) {
    s->mode[i] = s->gap[i] < 0.0 ? CAROM_COMPLIANT_UNLOADED : CAROM_COMPLIANT_OPEN;
    s->is_sliding[i] = false;
}

void carom_compliant_start(carom_compliant_system *s, double t, const double *y) {
    carom_compliant_kinematics(s, y);
    for (int i = 0; i < s->m; i++) {
        const bool touches = s->gap[i] <= s->touching[i];
        if (touches && s->normal_law[i] >= -s->params->stiffness[i] * s->touching[i]) {
            press(s, i, t, y);
        } else {
            release(s, i);
        }
    }
}

/* Smallest of closing speed and impulse above what lets a run stop, over watched contacts. */
static double stop_value(const carom_compliant_system *s, const double *y) {
    const carom_compliant_params *params = s->params;
    double least = INFINITY;
    for (int i = 0; i < s->m; i++) {
        if (s->gap[i] <= params->watched_gap) {
            least = fmin(least, s->gap_rate[i] + params->stop_speed);
            if (params->least_impulse > 0.0) {
                least = fmin(least, y[2 * s->n + i] - params->least_impulse);
            }
        }
    }
    return isinf(least) ? IMPOSSIBLE : least;
}

bool carom_compliant_may_stop(carom_compliant_system *s, const double *y) {
    carom_compliant_kinematics(s, y);
    return s->params->stops_when_separating && stop_value(s, y) >= 0.0;
}

/* How far the gap is beyond what the mode allows. */
static double gap_excess(const carom_compliant_system *s, int i) {
    switch (s->mode[i]) {
    case CAROM_COMPLIANT_OPEN:
        return -s->gap[i];
    case CAROM_COMPLIANT_UNLOADED:
        return s->gap[i];
    case CAROM_COMPLIANT_PRESSING:
        break;
    }
    return IMPOSSIBLE;
}

/* Likewise the normal law, by which a contact is unloaded; it presses again where that exceeds the
 * force of what counts as touch: near the path on which the damper alone lets the spring recover,
 * the law stays at zero for long and its rounding would exchange the two for ever. */
static double law_excess(const carom_compliant_system *s, int i) {
    switch (s->mode[i]) {
    case CAROM_COMPLIANT_PRESSING:
        return -s->normal_law[i];
    case CAROM_COMPLIANT_UNLOADED:
        return s->normal_law[i] - s->params->stiffness[i] * s->touching[i];
    case CAROM_COMPLIANT_OPEN:
        break;
    }
    return IMPOSSIBLE;
}

/* Likewise the sliding speed. */
static double friction_excess(const carom_compliant_system *s, int i) {
    if (!has_friction(s, i)) {
        return IMPOSSIBLE;
    }
    return s->is_sliding[i] ? 1.0 - s->hysteresis[i] - relative_slip(s, i)
                            : sliding_speed(s, i) / s->sticking_speed[i] - 1.0 - s->hysteresis[i];
}

void carom_compliant_event_values(carom_compliant_system *s, const double *y, double *g) {
    carom_compliant_kinematics(s, y);
    for (int i = 0; i < s->m; i++) {
        double *of_contact = &g[EVENTS_OF_CONTACT * i];
        of_contact[0] = gap_excess(s, i);
        of_contact[1] = law_excess(s, i);
        of_contact[2] = friction_excess(s, i);
    }
    g[EVENTS_OF_CONTACT * s->m] = s->params->stops_when_separating ? stop_value(s, y) : IMPOSSIBLE;
}

bool carom_compliant_find_events(const carom_compliant_system *s, const double *before,
                                 const double *after, bool *found) {
    bool is_any = false;
    for (int e = 0; e < carom_compliant_event_count(s); e++) {
        const int i = e / EVENTS_OF_CONTACT;
        double margin = 0.0;
        if (before[e] >= 0.0 && i < s->m) {
            const double friction =
                s->is_sliding[i] ? 1.0 - 1.0 / STICKING_BAND : STICKING_BAND - 1.0;
            const double margins[EVENTS_OF_CONTACT] = {
                s->touching[i], s->params->stiffness[i] * s->touching[i], friction};
            margin = margins[e % EVENTS_OF_CONTACT];
        }
        found[e] = before[e] < 0.0 ? after[e] >= 0.0 : after[e] > margin;
        is_any = is_any || found[e];
    }
    return is_any;
}

/* What the gap and the normal law of a contact crossing zero mean in its present mode. */
static void change_normal_law(carom_compliant_system *s, int i, double t, const double *y,
                              bool gap_crossed, bool law_crossed) {
    switch (s->mode[i]) {
    case CAROM_COMPLIANT_OPEN:
        if (gap_crossed) {
            press(s, i, t, y);
        }
        break;
    case CAROM_COMPLIANT_PRESSING:
        if (law_crossed) {
            release(s, i);
        }
        break;
    case CAROM_COMPLIANT_UNLOADED:
        if (gap_crossed) {
            s->mode[i] = CAROM_COMPLIANT_OPEN;
        } else if (law_crossed) {
            press(s, i, t, y);
        }
        break;
    }
}

void carom_compliant_apply_events(carom_compliant_system *s, double t, const double *y,
                                  const bool *found) {
    carom_compliant_kinematics(s, y);
    for (int i = 0; i < s->m; i++) {
        const bool *of_contact = &found[EVENTS_OF_CONTACT * i];
        const carom_compliant_contact_mode before = s->mode[i];
        change_normal_law(s, i, t, y, of_contact[0], of_contact[1]);
        if (!of_contact[2] || s->mode[i] != before) {
            continue;
        }
        if (s->is_sliding[i]) {
            end_slip(s, i, y);
        } else {
            choose_friction(s, i, y, 0.0);
        }
    }
}
