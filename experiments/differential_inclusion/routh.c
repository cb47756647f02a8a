/** Routh's impact of one planar contact: figure 3, slip reversal, impact without collision. */
#include "results.h"

#include <carom/impact/impact_inclusion.h>
#include <stdio.h>

/** Velocities that two exact methods give agree up to this: rounding of speeds of order one. */
static const double ROUNDING = 1e-12;

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
    char path[PATH_SIZE];
    double normal[2];
    double tangential[2];
    double angle[2];
    for (int k = 0; k < 2; k++) {
        const double l = k == 0 ? -contact->mu : contact->mu;
        const double n = contact->c_nn + contact->c_nt * l;
        const double t = contact->c_nt + contact->c_tt * l;
        normal[k] = n / hypot(n, t);
        tangential[k] = t / hypot(n, t);
        angle[k] = atan2(-t, n) / DEGREE;
    }
    const carom_column columns[] = {
        {"normal", normal, "1", "normal entry of the ray"},
        {"tangential", tangential, "1", "tangential entry of the ray"},
        {"angle", angle, "deg", "of the ray from the normal axis, against the tangent"}};
    snprintf(path, sizeof path, "%s/rays", group);
    write_columns(r, path, "ray", 2, columns, 3);
}

/** The path of figure 3 from (v_t, v_n) = 2 (sin 80, cos 80) beyond its corner (0, -1). */
static carom_status write_figure_3(const results *r) {
    const carom_routh_contact contact = contact_of_rays();
    const double v_t = 2.0 * sin(SLIDING_RAY * DEGREE);
    const double v_n = -1.0 - 2.0 * cos(SLIDING_RAY * DEGREE);
    carom_routh_path path;
    CAROM_TRY(carom_routh_resolve_planar(&contact, v_n, v_t, &path, r->report));
    write_path(r, "/figure_3", &path);
    write_rays(r, "/figure_3", &contact);
    carom_record_measure(r->record, "figure_3_friction", contact.mu, "1",
                         "friction of the contact with these rays");
    carom_record_claim(r->record, "figure_3_slides_then_sticks",
                       path.point_count == 3 && path.is_sticking &&
                           fabs(path.tangential_speed[1]) <= ROUNDING &&
                           path.normal_speed[1] < 0.0 && fabs(path.normal_speed[2]) <= ROUNDING,
                       "the path slides to J_t v = 0, sticks, and ends at J_n v = 0");
    return CAROM_OK;
}

/** The same impact as a solution of the inclusion: deviation of the velocities at its end. */
static carom_status compare(const results *r, const carom_impact_problem *problem, bool is_pressed,
                            const carom_routh_path *path, double *deviation) {
    carom_planar_inclusion_params params = carom_planar_inclusion_params_default();
    params.starts_pressed = is_pressed;
    carom_planar_inclusion_path *other = NULL;
    CAROM_TRY(carom_planar_inclusion_run(problem, &params, &other, r->report));
    const int last = path->point_count - 1;
    const double *end = other->speed + (size_t)other->segment_count * (size_t)other->row_count;
    *deviation =
        fmax(hypot(end[0] - path->normal_speed[last], end[1] - path->tangential_speed[last]),
             fabs(other->s[other->segment_count] - path->normal_impulse[last]));
    carom_planar_inclusion_path_free(other);
    return CAROM_OK;
}

/** The rod that strikes, and its bound of lemma 2. */
static carom_status write_reversal(const results *r, const carom_impact_problem *problem,
                                   const carom_routh_contact *contact) {
    carom_routh_path path;
    double deviation = 0.0;
    const double *c = problem->contact_velocity;
    CAROM_TRY(carom_routh_resolve_planar(contact, c[0], c[1], &path, r->report));
    write_path(r, "/reversal", &path);
    write_rays(r, "/reversal", contact);
    CAROM_TRY(compare(r, problem, false, &path, &deviation));
    const int last = path.point_count - 1;
    const double bound = carom_routh_impulse_bound(contact, c[0], c[1]);
    carom_record_measure(r->record, "reversal_tangential_velocity", path.tangential_speed[last],
                         "m s-1", "tangential velocity of the rod's end after its impact");
    carom_record_measure(r->record, "reversal_impulse", path.normal_impulse[last], "N s",
                         "normal impulse of the rod's impact");
    carom_record_measure(r->record, "reversal_deviation", deviation, "m s-1",
                         "difference between the inclusion and the closed form");
    carom_record_claim(r->record, "slip_reverses",
                       path.is_reversing &&
                           path.tangential_speed[0] * path.tangential_speed[last] < 0.0,
                       "the direction of slip reverses during the impact");
    if (isfinite(bound)) {
        carom_record_measure(r->record, "lemma_2_bound", bound, "N s",
                             "bound of the normal impulse by lemma 2");
    }
    carom_record_claim(r->record, "impact_ends_within_lemma_2", path.normal_impulse[last] <= bound,
                       "the impact ends within the bound of lemma 2");
    return CAROM_OK;
}

/** The rod that only slides: friction may jam it. */
static carom_status write_jam(const results *r) {
    const settings *s = r->values;
    carom_impact_problem *problem = NULL;
    carom_routh_path path;
    double deviation = 0.0;
    CAROM_TRY(rod_alloc(r, s->jam_friction, 0.0, s->jam_velocity, &problem));
    const carom_routh_contact contact = carom_routh_contact_of_problem(problem, 0);
    carom_status status =
        carom_routh_resolve_planar(&contact, 0.0, s->jam_velocity, &path, r->report);
    if (status == CAROM_OK) {
        status = compare(r, problem, true, &path, &deviation);
    }
    carom_impact_problem_free(problem);
    CAROM_TRY(status);
    write_path(r, "/jam", &path);
    write_rays(r, "/jam", &contact);
    const int last = path.point_count - 1;
    carom_record_measure(r->record, "jam_impulse", path.normal_impulse[last], "N s",
                         "normal impulse of the rod that does not strike");
    carom_record_measure(r->record, "jam_deviation", deviation, "m s-1",
                         "difference between the inclusion and the closed form");
    carom_record_claim(r->record, "impact_without_collision",
                       path.is_without_collision && path.is_sticking &&
                           path.normal_impulse[last] > 0.0 && deviation <= ROUNDING,
                       "a sliding rod gets a finite impulse without a collision, and sticks");
    return CAROM_OK;
}

carom_status write_routh(const results *r) {
    const settings *s = r->values;
    carom_impact_problem *problem = NULL;
    CAROM_TRY(write_figure_3(r));
    CAROM_TRY(rod_alloc(r, s->friction, -s->closing_speed, s->tangential_velocity, &problem));
    const carom_routh_contact contact = carom_routh_contact_of_problem(problem, 0);
    const carom_status status = write_reversal(r, problem, &contact);
    carom_impact_problem_free(problem);
    CAROM_TRY(status);
    return write_jam(r);
}
