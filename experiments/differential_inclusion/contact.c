/** One planar contact: Routh's impact of figure 3, slip reversal, impact without collision, and
 * what becomes of increments for h -> 0. */
#include "differential_inclusion.h"

#include <carom/impact/impact_inclusion.h>
#include <carom/impact/impulse_increment.h>

/* --- Routh's paths ---------------------------------------------------------------------------- */

/** The rod as an impact problem in (x, y, angle): its lower end touches; with given friction and
 * speeds of that end. */
static carom_status rod_alloc(const results *r, double friction, double v_n, double v_t,
                              carom_impact_problem **out) {
    const settings *s = r->values;
    const double angle = s->lean * DEGREE;
    const double half = 0.5 * s->length;
    const double inertia = s->mass * half * half / 3.0;
    const double M[] = {s->mass, 0.0, 0.0, 0.0, s->mass, 0.0, 0.0, 0.0, inertia};
    // The end that touches is at -half (cos, sin) from the centre of mass; the rod does not turn.
    const double J_n[] = {0.0, 1.0, -half * cos(angle)};
    const double J_t[] = {1.0, 0.0, half * sin(angle)};
    const double v[] = {v_t, v_n, 0.0};
    return carom_impact_problem_alloc(3, 1, 1, M, J_n, J_t, &friction, v, out, r->report);
}

/** Write a path of Routh's impact over its corners. */
static void write_path(const results *r, const char *group, const carom_routh_path *path) {
    const carom_column columns[] = {
        {"impulse", path->normal_impulse, "N s", "normal impulse s"},
        {"normal_velocity", path->normal_speed, "m s-1", "normal velocity of the contact"},
        {"tangential_velocity", path->tangential_speed, "m s-1", "tangential velocity"},
    };
    differential_inclusion_columns(r, group, "corner", path->point_count, columns, COUNT(columns));
}

/** Angles of the extreme rays of figure 3 from the normal axis, and the start of its path: from the
 * authors' programs. */
static const double SLIDING_RAY = 80.0;
static const double OPPOSITE_RAY = 25.0;

/** Length of the opposite ray for a sliding ray of one: mu > 0 needs less than cos 80/cos 25. */
static const double OPPOSITE_LENGTH = 0.1;

/**
 * The contact whose rays C (1, -mu) and C (1, mu) lie at the angles of figure 3; the symmetry of C
 * gives mu.
 */
static carom_routh_contact contact_of_rays(void) {
    const double minus_n = cos(SLIDING_RAY * DEGREE);
    const double minus_t = -sin(SLIDING_RAY * DEGREE);
    const double plus_n = OPPOSITE_LENGTH * cos(OPPOSITE_RAY * DEGREE);
    const double plus_t = OPPOSITE_LENGTH * sin(OPPOSITE_RAY * DEGREE);
    const double mu = (plus_n - minus_n) / (plus_t + minus_t);
    return (carom_routh_contact){.c_nn = 0.5 * (plus_n + minus_n),
                                 .c_nt = 0.5 * (plus_t + minus_t),
                                 .c_tt = 0.5 * (plus_t - minus_t) / mu,
                                 .mu = mu};
}

/** The cone of velocity rates as arrows of length one. */
static void write_rays(const results *r, const char *group, const carom_routh_contact *contact) {
    double normal[2];
    double tangential[2];
    for (int k = 0; k < 2; k++) {
        const double l = k == 0 ? -contact->mu : contact->mu;
        const double n = contact->c_nn + contact->c_nt * l;
        const double t = contact->c_nt + contact->c_tt * l;
        normal[k] = n / hypot(n, t);
        tangential[k] = t / hypot(n, t);
    }
    const carom_column columns[] = {{"normal", normal, "1", "normal entry of the ray"},
                                    {"tangential", tangential, "1", "tangential entry of the ray"}};
    differential_inclusion_columns(r, group, "ray", 2, columns, 2);
}

/** The path of figure 3 from (v_t, v_n) = 2 (sin 80, cos 80) beyond its corner (0, -1). */
static carom_status write_figure_3(const results *r) {
    const carom_routh_contact contact = contact_of_rays();
    const double v_t = 2.0 * sin(SLIDING_RAY * DEGREE);
    const double v_n = -1.0 - 2.0 * cos(SLIDING_RAY * DEGREE);
    carom_routh_path path;
    CAROM_TRY(carom_routh_resolve_planar(&contact, v_n, v_t, &path, r->report));
    write_path(r, "/figure_3", &path);
    write_rays(r, "/figure_3/rays", &contact);
    carom_record_scalar(r->record, "/figure_3/friction", contact.mu, "1",
                        "friction of the contact with these rays");
    return CAROM_OK;
}

/** How far the general solver of the planar inclusion is from the path at its end, m/s. */
static carom_status compare(const results *r, const carom_impact_problem *problem,
                            const carom_routh_path *path, double *deviation) {
    const carom_planar_inclusion_params params = carom_planar_inclusion_params_default();
    CAROM_AUTO(carom_planar_inclusion_path) other = NULL;
    CAROM_TRY(carom_planar_inclusion_run(problem, &params, &other, r->report));
    const int last = path->point_count - 1;
    const double *end = other->speed + (size_t)other->segment_count * (size_t)other->row_count;
    *deviation =
        fmax(hypot(end[0] - path->normal_speed[last], end[1] - path->tangential_speed[last]),
             fabs(other->s[other->segment_count] - path->normal_impulse[last]));
    return CAROM_OK;
}

/** The rod that strikes, and its bound of lemma 2. */
static carom_status write_reversal(const results *r, const carom_impact_problem *problem,
                                   const carom_routh_contact *contact,
                                   const carom_routh_path *path) {
    double deviation = 0.0;
    const double *c = problem->contact_velocity;
    write_path(r, "/reversal", path);
    CAROM_TRY(compare(r, problem, path, &deviation));
    carom_record_scalar(r->record, "/reversal/deviation", deviation, "m s-1",
                        "difference between the inclusion and the closed form");
    const double bound = carom_routh_impulse_bound(contact, c[0], c[1]);
    if (isfinite(bound)) {
        carom_record_scalar(r->record, "/reversal/impulse_bound", bound, "N s",
                            "bound of the normal impulse by lemma 2");
    }
    return CAROM_OK;
}

/** The rod that only slides: friction may jam it. */
static carom_status write_jam(const results *r) {
    const settings *s = r->values;
    CAROM_AUTO(carom_impact_problem) problem = NULL;
    carom_routh_path path;
    CAROM_TRY(rod_alloc(r, s->jam_friction, 0.0, s->jam_velocity, &problem));
    const carom_routh_contact contact = carom_routh_contact_of_problem(problem, 0);
    CAROM_TRY(carom_routh_resolve_planar(&contact, 0.0, s->jam_velocity, &path, r->report));
    write_path(r, "/jam", &path);
    return CAROM_OK;
}

/* --- the rod's impact in finitely many increments ----------------------------------------------
 */

/** Steps of a decade. */
enum { LEVELS_PER_DECADE = 4, MOST_LEVELS = 6 * LEVELS_PER_DECADE + 1 };

/** Increments of the path that is drawn: so few that their corner is seen. */
enum { DRAWN_INCREMENTS = 4, DRAWN_POINTS = 4 * DRAWN_INCREMENTS };

/** Increments allowed for each one expected: a path that is not that of the inclusion may be
 * longer, but not by much. */
enum { ROOM = 3 };

/** An impact in increments. */
typedef struct stepping {
    carom_impulse_increment *increment;
    carom_increment_work *work;
    double longest; /**< s of the exact path, N s */
} stepping;

/**
 * Increments with the cap s/n until the contact is not colliding; the last one is partial.
 *
 * Speeds [limit+1] from the start on are kept in `normal` and `tangential` unless they are NULL,
 * the number of increments in `used`.
 */
static carom_status run(const results *r, const stepping *self, double cap, int limit, double *c,
                        double *normal, double *tangential, int *used) {
    const carom_impact_problem *p = self->increment->problem;
    double L[2];
    /*[inclusionIncrements]*/
    for (*used = 0; carom_impact_is_colliding(p, c) && *used < limit; ++*used) {
        if (normal != NULL) {
            normal[*used] = c[0];
            tangential[*used] = c[1];
        }
        CAROM_TRY(
            carom_impulse_increment_solve(self->increment, c, &cap, NULL, L, self->work, NULL));
        carom_impact_add_impulse(p, L, c, c);
    }
    /*[end inclusionIncrements]*/
    if (normal != NULL) {
        normal[*used] = c[0];
        tangential[*used] = c[1];
    }
    return *used < limit || !carom_impact_is_colliding(p, c)
               ? CAROM_OK
               : carom_report_fail(r->report, CAROM_STATUS_NOT_CONVERGED, "increments", *used, -1);
}

/** The path of few increments. */
static carom_status write_drawn(const results *r, const stepping *self) {
    double normal[DRAWN_POINTS + 1];
    double tangential[DRAWN_POINTS + 1];
    const double *before = self->increment->problem->contact_velocity;
    double c[] = {before[0], before[1]};
    int used = 0;
    CAROM_TRY(
        run(r, self, self->longest / DRAWN_INCREMENTS, DRAWN_POINTS, c, normal, tangential, &used));
    const carom_column columns[] = {
        {"normal_velocity", normal, "m s-1", "normal velocity"},
        {"tangential_velocity", tangential, "m s-1", "tangential velocity"}};
    differential_inclusion_columns(r, "/increments/drawn", "point", used + 1, columns, 2);
    return CAROM_OK;
}

/** What an increment in which sliding ends can change in the final tangential velocity: an impulse
 * of up to 2 mu cap in friction, and what that does to the rest of the impact. */
static double error_of_corner(const carom_routh_contact *contact, const carom_routh_path *path) {
    const int last = path->point_count - 1;
    if (last < 1) {
        return 0.0;
    }
    const double rise = path->normal_speed[last] - path->normal_speed[last - 1];
    const double drift = path->tangential_speed[last] - path->tangential_speed[last - 1];
    return 2.0 * contact->mu * (contact->c_tt + fabs(contact->c_nt * drift / rise));
}

/** An impact in n increments with the cap s/n. */
typedef struct level {
    double count;
    double tangential_velocity;
    double error;
    double error_bound;
} level;

static const carom_field LEVEL_FIELDS[] = {
    CAROM_FIELD("count", level, count, "1", "number n of increments with the cap s/n"),
    CAROM_FIELD("tangential_velocity", level, tangential_velocity, "m s-1",
                "tangential velocity after the impact"),
    CAROM_FIELD("error", level, error, "m s-1", "its deviation from Routh's"),
    CAROM_FIELD("error_bound", level, error_bound, "m s-1",
                "what the one increment in which sliding ends may change"),
};

/** All numbers of increments. */
static carom_status write_levels(const results *r, const stepping *self,
                                 const carom_routh_contact *contact, const carom_routh_path *path) {
    const double *before = self->increment->problem->contact_velocity;
    level levels[MOST_LEVELS];
    const int count = LEVELS_PER_DECADE * r->values->decades + 1;
    for (int k = 0; k < count; k++) {
        double c[] = {before[0], before[1]};
        int used = 0;
        const double n = round(pow(10.0, (double)k / LEVELS_PER_DECADE));
        const double cap = self->longest / n;
        CAROM_TRY(run(r, self, cap, ROOM * ((int)n + 1), c, NULL, NULL, &used));
        levels[k] = (level){
            .count = n,
            .tangential_velocity = c[1],
            .error = fabs(c[1] - path->tangential_speed[path->point_count - 1]),
            .error_bound = error_of_corner(contact, path) * cap,
        };
    }
    carom_record group = carom_record_group(r->record, "/increments");
    carom_record_rows(&group, "count", levels, count, sizeof *levels, LEVEL_FIELDS,
                      COUNT(LEVEL_FIELDS));
    return CAROM_OK;
}

/** One increment without a cap: Anitescu and Potra's law. */
static carom_status write_large(const results *r, const carom_impact_problem *problem) {
    CAROM_AUTO(carom_impact_outcomes) outcomes = NULL;
    CAROM_TRY(carom_impact_outcomes_alloc(problem, &outcomes));
    CAROM_TRY(carom_anitescu_potra_all(problem, outcomes, r->report));
    if (outcomes->count == 1) {
        carom_record_scalar(r->record, "/increments/without_cap", outcomes->contact_velocity[1],
                            "m s-1", "tangential velocity after one increment without cap");
    }
    return CAROM_OK;
}

/** The rod's impact in increments: /increments. */
static carom_status write_increments(const results *r, const carom_impact_problem *problem,
                                     const carom_routh_contact *contact,
                                     const carom_routh_path *path) {
    CAROM_AUTO(carom_impulse_increment) increment = NULL;
    CAROM_AUTO(carom_increment_work) work = NULL;
    CAROM_TRY(carom_impulse_increment_alloc(problem, 2, &increment, r->report));
    CAROM_TRY(carom_increment_work_alloc(increment, &work));
    const stepping self = {increment, work, path->normal_impulse[path->point_count - 1]};
    CAROM_TRY(write_drawn(r, &self));
    CAROM_TRY(write_levels(r, &self, contact, path));
    return write_large(r, problem);
}

carom_status differential_inclusion_write_contact(const results *r) {
    const settings *s = r->values;
    CAROM_AUTO(carom_impact_problem) problem = NULL;
    carom_routh_path path;
    CAROM_TRY(write_figure_3(r));
    CAROM_TRY(rod_alloc(r, s->friction, -s->closing_speed, s->tangential_velocity, &problem));
    const carom_routh_contact contact = carom_routh_contact_of_problem(problem, 0);
    const double *c = problem->contact_velocity;
    CAROM_TRY(carom_routh_resolve_planar(&contact, c[0], c[1], &path, r->report));
    CAROM_TRY(write_reversal(r, problem, &contact, &path));
    CAROM_TRY(write_jam(r));
    return write_increments(r, problem, &contact, &path);
}
