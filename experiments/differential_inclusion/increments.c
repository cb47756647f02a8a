/** The rod's impact in finitely many increments: what becomes of it for h -> 0. */
#include <carom/impact/impulse_increment.h>

#include "results.h"

#include <stdlib.h>

/** Steps of a decade. */
enum { LEVELS_PER_DECADE = 4, MOST_LEVELS = 6 * LEVELS_PER_DECADE + 1 };

/** Increments of the path that is drawn: so few that their corner is seen. */
enum { DRAWN_INCREMENTS = 4, DRAWN_POINTS = 4 * DRAWN_INCREMENTS };

/** Increments allowed for each one expected: a path that is not that of the inclusion may be
 * longer, but not by much. */
enum { ROOM = 3 };

/** Rounding of speeds of order one, beside an error that vanishes. */
static const double ROUNDING = 1e-12;

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
    write_columns(r, "/increments/drawn", "point", used + 1, columns, 2);
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

/** Order of convergence: slope of log error over log n by least squares, of errors that are not
 * rounding; NaN with fewer than two. */
static double order_of(int count, const double *n, const double *errors) {
    double sums[5] = {0.0};
    for (int i = 0; i < count; i++) {
        if (errors[i] > ROUNDING) {
            const double x = log(n[i]);
            const double y = log(errors[i]);
            sums[0] += 1.0;
            sums[1] += x;
            sums[2] += y;
            sums[3] += x * x;
            sums[4] += x * y;
        }
    }
    const double spread = sums[0] * sums[3] - sums[1] * sums[1];
    return spread > 0.0 ? -(sums[0] * sums[4] - sums[1] * sums[2]) / spread : (double)NAN;
}

/** All numbers of increments. */
static carom_status write_levels(const results *r, const stepping *self,
                                 const carom_routh_contact *contact, const carom_routh_path *path) {
    const double *before = self->increment->problem->contact_velocity;
    const double exact = path->tangential_speed[path->point_count - 1];
    const double most = error_of_corner(contact, path);
    double n[MOST_LEVELS];
    double speed[MOST_LEVELS];
    double error[MOST_LEVELS];
    double taken[MOST_LEVELS];
    const int count = LEVELS_PER_DECADE * r->values->decades + 1;
    bool is_bounded = true;
    for (int k = 0; k < count; k++) {
        double c[] = {before[0], before[1]};
        int used = 0;
        n[k] = round(pow(10.0, (double)k / LEVELS_PER_DECADE));
        const double cap = self->longest / n[k];
        CAROM_TRY(run(r, self, cap, ROOM * ((int)n[k] + 1), c, NULL, NULL, &used));
        speed[k] = c[1];
        error[k] = fabs(c[1] - exact);
        taken[k] = used;
        is_bounded = is_bounded && error[k] <= most * cap + ROUNDING;
    }
    carom_record_axis(r->record, "/increments/count", count, n, "1",
                      "number n of increments with the cap s/n");
    const carom_column columns[] = {
        {"tangential_velocity", speed, "m s-1", "tangential velocity after the impact"},
        {"error", error, "m s-1", "its deviation from Routh's"},
        {"taken", taken, "1", "increments taken, the last one partial"}};
    for (int k = 0; k < 3; k++) {
        const char *const paths[] = {"/increments/tangential_velocity", "/increments/error",
                                     "/increments/taken"};
        carom_record_series(r->record, paths[k], columns[k].values, "/increments/count", NULL,
                            columns[k].units, columns[k].long_name);
    }
    carom_record_measure(r->record, "increment_order", order_of(count, n, error), "1",
                         "order of convergence of the increments, least squares; "
                         "NaN without error");
    carom_record_claim(r->record, "increments_converge_to_routh", is_bounded,
                       "increments differ from Routh's impact by O(h)");
    return CAROM_OK;
}

/** One increment without a cap: Anitescu and Potra's law. */
static carom_status write_large(const results *r, const carom_impact_problem *problem) {
    carom_impact_outcomes *outcomes = NULL;
    CAROM_TRY(carom_impact_outcomes_alloc(problem, &outcomes));
    carom_status status = carom_anitescu_potra_all(problem, outcomes, r->report);
    if (status == CAROM_OK && outcomes->count == 1) {
        carom_record_measure(r->record, "large_increment_tangential_velocity",
                             outcomes->contact_velocity[1], "m s-1",
                             "tangential velocity after one increment without cap");
    }
    carom_impact_outcomes_free(outcomes);
    return status;
}

carom_status write_increments(const results *r) {
    const settings *s = r->values;
    carom_impact_problem *problem = NULL;
    stepping self = {.increment = NULL};
    carom_routh_path path;
    CAROM_TRY(rod_alloc(r, s->friction, -s->closing_speed, s->tangential_velocity, &problem));
    const carom_routh_contact contact = carom_routh_contact_of_problem(problem, 0);
    carom_status status = carom_routh_resolve_planar(&contact, -s->closing_speed,
                                                     s->tangential_velocity, &path, r->report);
    if (status == CAROM_OK) {
        self.longest = path.normal_impulse[path.point_count - 1];
        status = carom_impulse_increment_alloc(problem, 2, &self.increment, r->report);
    }
    if (status == CAROM_OK) {
        status = carom_increment_work_alloc(self.increment, &self.work);
    }
    status = status == CAROM_OK ? write_drawn(r, &self) : status;
    status = status == CAROM_OK ? write_levels(r, &self, &contact, &path) : status;
    status = status == CAROM_OK ? write_large(r, problem) : status;
    carom_increment_work_free(self.work);
    carom_impulse_increment_free(self.increment);
    carom_impact_problem_free(problem);
    return status;
}
