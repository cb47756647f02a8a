/** Motions, as all parts ask of them, and the continua next to 4 T_3 with one impact and to 3 T_3
 * with two (section 7, figures 7, 8, 10 and 11). */
#include "results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- motions ---------------------------------------------------------------------------------- */

/** A lambda of this part of the root of twice the energy is a graze, as is a gap of this part of
 * that at rest: solved motions carry 1e-12, located ends 1e-10. */
static const double GRAZE = 1e-9;

carom_status serial_oscillator_may_miss(carom_status status, bool *found) {
    *found = status == CAROM_OK;
    const bool is_fatal = status == CAROM_STATUS_OUT_OF_MEMORY || status == CAROM_STATUS_IO;
    return is_fatal ? status : CAROM_OK;
}

carom_status serial_oscillator_solve(const oscillator *o, int k, const double *flight_times,
                                     double period, carom_orbit **out) {
    *out = NULL;
    CAROM_AUTO(carom_orbit_solver) solver = NULL;
    CAROM_AUTO(carom_orbit) orbit = NULL;
    CAROM_TRY(carom_orbit_solver_alloc(o->basis, k, &solver));
    CAROM_TRY(carom_orbit_alloc(o->basis, k, &orbit));
    carom_orbit_target target = carom_orbit_target_default(o->basis);
    target.period = period;
    bool found = false;
    CAROM_TRY(serial_oscillator_may_miss(
        carom_orbit_solve(solver, flight_times, NULL, &target, NULL, orbit, NULL), &found));
    if (found) {
        CAROM_HAND_OVER(orbit, out);
    }
    return CAROM_OK;
}

carom_status serial_oscillator_follow(oscillator *o, const carom_orbit *orbit,
                                      carom_orbit_branch **out) {
    *out = NULL;
    if (orbit == NULL || !serial_oscillator_is_admissible(o, orbit)) {
        return CAROM_OK;
    }
    bool found = false;
    return serial_oscillator_may_miss(
        carom_orbit_branch_follow(o->basis, orbit, NULL, NULL, NULL, out, NULL), &found);
}

bool serial_oscillator_is_admissible(oscillator *o, const carom_orbit *orbit) {
    return carom_orbit_certify(o->basis, o->motion, orbit, o->state, CAROM_ADMISSIBILITY_TOLERANCE)
        .is_admissible;
}

double serial_oscillator_radius(oscillator *o, const carom_orbit *orbit) {
    const double largest = sqrt(2.0 * orbit->energy);
    for (int j = 0; j < orbit->impact_count; j++) {
        if (!(orbit->lambda[j] > GRAZE * largest)) {
            return NAN;
        }
    }
    const carom_admissibility verdict =
        carom_orbit_certify(o->basis, o->motion, orbit, o->state, CAROM_ADMISSIBILITY_TOLERANCE);
    if (fabs(verdict.largest_gap_violation) < GRAZE * fabs(o->basis->gap_at_rest)) {
        return NAN;
    }
    double radius = NAN;
    const carom_status status =
        carom_stability_multipliers(o->stability, orbit, o->multipliers, &radius);
    return status == CAROM_OK ? radius : (double)NAN;
}

double serial_oscillator_asymmetry(oscillator *o, const carom_orbit *orbit, double axis) {
    return carom_orbit_difference(o->basis, orbit, orbit, -1.0, 2.0 * axis, o->work);
}

carom_status serial_oscillator_write_motion(oscillator *o, carom_record *group,
                                            const carom_orbit *orbit) {
    const carom_measure scalars[] = {
        {"period", orbit->period, "s", "period T"},
        {"energy", orbit->energy, "J", "energy E"},
        {"spectral_radius", serial_oscillator_radius(o, orbit), "1",
         "largest modulus of the multipliers; NaN without impact, or at a graze"},
    };
    carom_record_scalars(group, scalars, COUNT(scalars));
    const int count = o->values->points;
    const size_t n = (size_t)o->basis->coordinate_count;
    CAROM_AUTO_MEMORY double *time = malloc((size_t)count * (1 + 2 * n) * sizeof *time);
    if (time == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *position = time + count;
    double *velocity = position + (size_t)count * n;
    for (int i = 0; i < count; i++) {
        time[i] = i < count - 1 ? orbit->period * i / (count - 1) : orbit->period;
        carom_orbit_periodic_motion(o->basis, orbit, time[i], position + (size_t)i * n,
                                    velocity + (size_t)i * n, o->state);
    }
    carom_record_axis(group, "time", count, time, "s",
                      "time since an impact, up to the same impact a period later");
    const carom_column columns[] = {
        {"position", position, "m", "position"},
        {"velocity", velocity, "m s-1", "velocity; first after, last before an impact"},
    };
    carom_record_columns(group, "time", "/coordinate", columns, COUNT(columns));
    return CAROM_OK;
}

carom_status sheet_init(sheet *s, int rows, int count) {
    const size_t size = (size_t)rows * (size_t)count;
    *s = (sheet){rows, count, malloc(3 * size * sizeof(double)), NULL, NULL};
    if (s->before_last == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    s->last = s->before_last + size;
    s->velocity = s->last + size;
    return CAROM_OK;
}

void sheet_clear(sheet *s) {
    free(s->before_last);
}

void sheet_fill(oscillator *o, sheet *s, int row, const carom_orbit *orbit, double scale,
                const double *instant) {
    const int n = o->basis->coordinate_count;
    for (int i = 0; i < s->count; i++) {
        const int at = row * s->count + i;
        const double time = i < s->count - 1 ? scale * instant[i] : orbit->period;
        carom_orbit_periodic_motion(o->basis, orbit, time, o->position, o->velocity, o->state);
        s->before_last[at] = n > 1 ? o->position[n - 2] : 0.0;
        s->last[at] = o->position[n - 1];
        s->velocity[at] = o->velocity[n - 1];
    }
}

/* --- continua next to a harmonic -------------------------------------------------------------- */

/** The mode of both harmonics, 4 T_3 and 3 T_3; the second is approached at (2 T_3, T_3). */
enum { MODE = 2, SINGLE_MULTIPLE = 4, DOUBLE_MULTIPLE = 3, FIRST_FLIGHT = 2 };

/** A period is that of the harmonic: its error is that of the eigenvalue. */
static const double SAME_PERIOD = 1e-12;

/** Where the branch of two impacts is started: so near the harmonic that the point is a good guess.
 */
static const double START = 1e-2;

/** Impacts of this part of the unit direction are none: rounding at the harmonic. */
static const double NO_IMPACT = 1e-10;

/** Grid of the surfaces: periods and phases. */
enum { SURFACE_PERIODS = 61, SURFACE_PHASES = 201 };

/** Sections of the search for the least energy: its error is the root of rounding. */
enum { GOLDEN_SECTIONS = 60 };

/** Motions with k impacts up to a harmonic. */
typedef struct continuum {
    const char *path;
    int impacts;                      /**< k */
    double harmonic;                  /**< s */
    const carom_orbit_branch *branch; /**< of two impacts */
} continuum;

/** The motion of a period, from the nearest point of the branch; NULL if there is none. */
static carom_status make_motion(const oscillator *o, const continuum *c, double period,
                                carom_orbit **out) {
    const double T = c->harmonic;
    const double mode_period = T / DOUBLE_MULTIPLE;
    if (fabs(period - T) < SAME_PERIOD * T) {
        const double dot[2] = {FIRST_FLIGHT * mode_period, T - FIRST_FLIGHT * mode_period};
        return serial_oscillator_solve(o, c->impacts, c->impacts == 1 ? &T : dot, T, out);
    }
    if (c->impacts == 1) {
        *out = NULL;
        CAROM_AUTO(carom_orbit) orbit = NULL;
        CAROM_TRY(carom_orbit_alloc(o->basis, 1, &orbit));
        bool found = false;
        CAROM_TRY(
            serial_oscillator_may_miss(carom_single_impact_orbit(o->basis, period, orbit), &found));
        if (found) {
            CAROM_HAND_OVER(orbit, out);
        }
        return CAROM_OK;
    }
    int nearest = 0;
    for (int i = 1; i < c->branch->point_count; i++) {
        if (fabs(c->branch->period[i] - period) < fabs(c->branch->period[nearest] - period)) {
            nearest = i;
        }
    }
    return serial_oscillator_solve(o, 2, c->branch->flight_times + 2 * (size_t)nearest, period,
                                   out);
}

/** Write motion NUMBER of a continuum. */
static carom_status write_case(oscillator *o, const continuum *c, int number,
                               const carom_orbit *orbit) {
    carom_record group = carom_record_group(o->record, "%s/case_%d", c->path, number);
    const carom_measure speeds[] = {
        {"lambda", orbit->lambda[0], "J0.5", "lambda of every impact"},
        {"speed", o->basis->root_inverse_mass * orbit->lambda[0], "m s-1",
         "speed before every impact"},
    };
    carom_record_scalars(&group, speeds, COUNT(speeds));
    if (orbit->impact_count == 2) {
        const double *sigma = orbit->flight_times;
        const double T = orbit->period;
        carom_record_series(&group, "sigma", sigma, "/double/impact", NULL, "s",
                            "duration of the flight before the impact");
        const carom_measure scalars[] = {
            {"axis_1", 0.5 * sigma[0], "s", "axis of symmetry t_1/2"},
            {"axis_2", 0.5 * (sigma[0] + T), "s", "axis of symmetry (t_1 + T)/2"},
            {"alpha", carom_kernels_evaluate(o->basis, T, T).gap, "m J-0.5",
             "diagonal of Sigma; infinite at a harmonic, NaN there"},
            {"beta", carom_kernels_evaluate(o->basis, T, sigma[1] - sigma[0]).gap, "m J-0.5",
             "the other entry of Sigma; infinite at a harmonic, NaN there"},
        };
        const bool is_harmonic = !isfinite(scalars[2].value) || !isfinite(scalars[3].value);
        carom_record_scalars(&group, scalars, is_harmonic ? 2 : COUNT(scalars));
    }
    return serial_oscillator_write_motion(o, &group, orbit);
}

/** Write the surface in (x_{n-1}, x_n, x_n') over period and phase, from a period to the harmonic.
 */
static carom_status write_surface(oscillator *o, const continuum *c, double first) {
    double period[SURFACE_PERIODS];
    double phase[SURFACE_PHASES];
    CAROM_AUTO_VALUE(sheet) s = {0};
    CAROM_TRY(sheet_init(&s, SURFACE_PERIODS, SURFACE_PHASES));
    for (int i = 0; i < SURFACE_PHASES; i++) {
        phase[i] = (double)i / (SURFACE_PHASES - 1);
    }
    for (int row = 0; row < SURFACE_PERIODS; row++) {
        const double part = (double)row / (SURFACE_PERIODS - 1);
        period[row] = (1.0 - part) * first + part * c->harmonic;
        CAROM_AUTO(carom_orbit) orbit = NULL;
        CAROM_TRY(make_motion(o, c, period[row], &orbit));
        if (orbit == NULL) {
            return CAROM_OK;
        }
        sheet_fill(o, &s, row, orbit, orbit->period, phase);
    }
    carom_record group = carom_record_group(o->record, "%s/surface", c->path);
    carom_record_axis(&group, "period", SURFACE_PERIODS, period, "s", "period T");
    carom_record_axis(&group, "phase", SURFACE_PHASES, phase, "1", "time over period");
    const carom_column columns[] = {
        {"before_last", s.before_last, "m", "position of the mass before the last"},
        {"last", s.last, "m", "position of the last mass"},
        {"last_velocity", s.velocity, "m s-1", "velocity of the last mass"},
    };
    carom_record_columns(&group, "period", "phase", columns, COUNT(columns));
    return CAROM_OK;
}

/* --- one impact, next to 4 T_3 (figures 7 and 8) ---------------------------------------------- */

/** The interval that ends at the harmonic; NULL if there is none. */
static const carom_period_interval *find_interval(const oscillator *o, double harmonic) {
    for (int i = 0; i < o->intervals->count; i++) {
        const carom_period_interval *one = &o->intervals->intervals[i];
        if (one->upper_end == CAROM_BRANCH_END_HARMONIC &&
            fabs(one->upper - harmonic) < SAME_PERIOD * harmonic) {
            return one;
        }
    }
    return NULL;
}

/** The six motions that exist: the grazing end, four given periods, the linear mode; and the
 * largest error of a period by events. */
static carom_status write_single_cases(oscillator *o, const continuum *c,
                                       const carom_period_interval *interval) {
    const carom_real_list *periods = &o->values->single_periods;
    double closure = NAN;
    for (int number = 1; number <= CASE_COUNT; number++) {
        const bool is_given = number > 1 && number < CASE_COUNT;
        const double T = number == 1 ? interval->lower
                         : is_given  ? periods->values[number - 2]
                                     : c->harmonic;
        if ((number == 1 && interval->lower_end != CAROM_BRANCH_END_NEW_CONTACT) ||
            (is_given && !(T > interval->lower && T < interval->upper))) {
            continue;
        }
        CAROM_AUTO(carom_orbit) orbit = NULL;
        CAROM_TRY(make_motion(o, c, T, &orbit));
        if (orbit == NULL) {
            continue;
        }
        // The first and the last graze: whether that is an impact is for rounding to say.
        closure = is_given ? fmax(closure,
                                  carom_orbit_closure_error(o->basis, o->motion, orbit, o->state))
                           : closure;
        CAROM_TRY(write_case(o, c, number, orbit));
    }
    carom_record_scalar(o->record, "/single/closure", closure, "1",
                        "largest error of a period by events, motions 2 to 5; NaN: none");
    return CAROM_OK;
}

/** Error of E dT = -(g_0/sqrt G) d lambda along the branch from the middle of the interval. */
static carom_status write_identity(oscillator *o, const continuum *c,
                                   const carom_period_interval *interval) {
    CAROM_AUTO(carom_orbit) orbit = NULL;
    CAROM_AUTO(carom_orbit_branch) branch = NULL;
    CAROM_TRY(make_motion(o, c, 0.5 * (interval->lower + interval->upper), &orbit));
    CAROM_TRY(serial_oscillator_follow(o, orbit, &branch));
    if (branch != NULL) {
        carom_record_scalar(o->record, "/single/identity_error", branch->identity_error, "1",
                            "largest error of E dT = -(g_0/sqrt G) d lambda");
    }
    return CAROM_OK;
}

/** Energy of the motion of a period; infinite without one. */
static double energy_at(const oscillator *o, carom_orbit *orbit, double period) {
    const carom_status status = carom_single_impact_orbit(o->basis, period, orbit);
    return status == CAROM_OK ? orbit->energy : (double)INFINITY;
}

/** The least energy of the continuum, by golden sections. */
static carom_status write_least_energy(const oscillator *o, const carom_period_interval *interval) {
    CAROM_AUTO(carom_orbit) orbit = NULL;
    CAROM_TRY(carom_orbit_alloc(o->basis, 1, &orbit));
    const double golden = 0.5 * (sqrt(5.0) - 1.0);
    double low = interval->lower;
    double high = interval->upper;
    for (int i = 0; i < GOLDEN_SECTIONS; i++) {
        const double left = high - golden * (high - low);
        const double right = low + golden * (high - low);
        if (energy_at(o, orbit, left) < energy_at(o, orbit, right)) {
            high = right;
        } else {
            low = left;
        }
    }
    const double T = 0.5 * (low + high);
    const double least = energy_at(o, orbit, T);
    const carom_measure numbers[] = {
        {"/single/least_energy", isfinite(least) ? least : (double)NAN, "J",
         "least energy of the continuum; NaN: none"},
        {"/single/least_energy_period", T, "s", "period of the least energy"},
    };
    carom_record_scalars(o->record, numbers, COUNT(numbers));
    return CAROM_OK;
}

carom_status serial_oscillator_write_single(oscillator *o) {
    if (o->basis->visible_count <= MODE) {
        return CAROM_OK;
    }
    const continuum c = {"/single", 1,
                         SINGLE_MULTIPLE * 2.0 * acos(-1.0) / o->basis->frequency[MODE], NULL};
    const carom_period_interval *interval = find_interval(o, c.harmonic);
    if (interval == NULL) {
        return CAROM_OK;
    }
    const carom_measure ends[] = {
        {"/single/lower", interval->lower, "s", "shortest period"},
        {"/single/upper", interval->upper, "s", "longest period: the harmonic 4 T_3"},
        {"/single/grazing_fraction", interval->lower_grazing_time / interval->lower, "1",
         "instant of the new contact at the shortest period, over the period; NaN: none"},
    };
    carom_record_scalars(o->record, ends, COUNT(ends));
    CAROM_TRY(write_single_cases(o, &c, interval));
    CAROM_TRY(write_identity(o, &c, interval));
    CAROM_TRY(write_least_energy(o, interval));
    return interval->lower_end == CAROM_BRANCH_END_NEW_CONTACT
               ? write_surface(o, &c, interval->lower)
               : CAROM_OK;
}

/* --- two impacts, next to 3 T_3 (figures 10 and 11) ------------------------------------------- */

/** A point of the branch. */
typedef struct branch_row {
    double period;
    double sigma_1;
    double sigma_2;
} branch_row;

static const carom_field BRANCH_FIELDS[] = {
    CAROM_FIELD("period", branch_row, period, "s", "period T"),
    CAROM_FIELD("sigma_1", branch_row, sigma_1, "s", "first flight"),
    CAROM_FIELD("sigma_2", branch_row, sigma_2, "s", "second flight"),
};

/** Write the branch and the largest relative difference of its two speeds. */
static carom_status write_branch(const oscillator *o, const carom_orbit_branch *branch) {
    const int count = branch->point_count;
    CAROM_AUTO_MEMORY branch_row *rows = malloc((size_t)count * sizeof *rows);
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double difference = 0.0;
    for (int i = 0; i < count; i++) {
        const double *sigma = branch->flight_times + 2 * (size_t)i;
        rows[i] = (branch_row){branch->period[i], sigma[0], sigma[1]};
        const double *lambda = branch->gap_sign[i] == 0 ? branch->direction : branch->lambda;
        const double one = lambda[2 * i];
        const double other = lambda[2 * i + 1];
        const double size = fmax(fabs(one), fabs(other));
        if (size > NO_IMPACT) {
            difference = fmax(difference, fabs(one - other) / size);
        }
    }
    carom_record group = carom_record_group(o->record, "/double/branch");
    carom_record_index_axis(&group, "point", count, "point of the branch");
    carom_record_rows(&group, "point", rows, count, sizeof *rows, BRANCH_FIELDS,
                      COUNT(BRANCH_FIELDS));
    const carom_measure errors[] = {
        {"speed_difference", difference, "1", "largest difference of the two speeds"},
        {"identity_error", branch->identity_error, "1",
         "largest error of E dT = -(g_0/sqrt G) d(sum lambda)"},
    };
    carom_record_scalars(&group, errors, COUNT(errors));
    return CAROM_OK;
}

/** The six motions: five given periods, the linear mode; and the surface from the first to the
 * last. */
static carom_status write_double_cases(oscillator *o, const continuum *c) {
    const double one = c->branch->period[0];
    const double other = c->branch->period[c->branch->point_count - 1];
    const carom_real_list *periods = &o->values->double_periods;
    double axes_error = NAN;
    double first = NAN;
    for (int i = 0; i <= periods->count; i++) {
        const double T = i < periods->count ? periods->values[i] : c->harmonic;
        if (i < periods->count && !(T > fmin(one, other) && T < fmax(one, other))) {
            continue;
        }
        CAROM_AUTO(carom_orbit) orbit = NULL;
        CAROM_TRY(make_motion(o, c, T, &orbit));
        if (orbit == NULL) {
            continue;
        }
        CAROM_TRY(write_case(o, c, i + 1, orbit));
        first = i == 0 ? orbit->period : first;
        if (i < periods->count) {
            const double t_1 = orbit->flight_times[0];
            const double axis_2 = 0.5 * (t_1 + orbit->period);
            axes_error = fmax(axes_error, serial_oscillator_asymmetry(o, orbit, 0.5 * t_1));
            axes_error = fmax(axes_error, serial_oscillator_asymmetry(o, orbit, axis_2));
        }
    }
    carom_record_scalar(o->record, "/double/asymmetry", axes_error, "1",
                        "largest asymmetry about t_1/2 and (t_1 + T)/2, motions 1 to 5; NaN: none");
    return isfinite(first) ? write_surface(o, c, first) : CAROM_OK;
}

carom_status serial_oscillator_write_double(oscillator *o) {
    if (o->basis->visible_count <= MODE) {
        return CAROM_OK;
    }
    continuum c = {"/double", 2, DOUBLE_MULTIPLE * 2.0 * acos(-1.0) / o->basis->frequency[MODE],
                   NULL};
    // Beside the harmonic: on its left for a positive gap, on its right else.
    const double side = o->values->gap > 0.0 ? -1.0 : 1.0;
    const double T = c.harmonic * (1.0 + side * START);
    const double t_1 = FIRST_FLIGHT * T / DOUBLE_MULTIPLE;
    CAROM_AUTO(carom_orbit) orbit = NULL;
    CAROM_AUTO(carom_orbit_branch) branch = NULL;
    CAROM_TRY(serial_oscillator_solve(o, 2, (const double[]){t_1, T - t_1}, T, &orbit));
    CAROM_TRY(serial_oscillator_follow(o, orbit, &branch));
    if (branch == NULL) {
        return CAROM_OK;
    }
    c.branch = branch;
    CAROM_TRY(write_branch(o, branch));
    return write_double_cases(o, &c);
}
