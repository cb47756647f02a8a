/** Figure 5: the indeterminacy over the angle, and where it is least and largest. */
#include "results.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_min.h>
#include <stdlib.h>

/** xi at a zero, and energy and momentum after a reflection. */
static const double ROUNDING = 1e-12;

/** The columns of figure 5, [angles] each. */
enum { ANGLE, XI, CLOSED, PERCENT, ENERGY, COSINE, OPENING, FIRST_A, FIRST_B, COLUMNS };

/** The sweep, and an extremum that is sought. */
typedef struct sweep {
    const billiards *x;
    int count;
    double *columns; /**< [COLUMNS][count] */
    double energy_error;
    double momentum_error;
} sweep;

static double *column(const sweep *s, int which) {
    return s->columns + which * s->count;
}

/** Angle i, both ends being those of the admitted range. */
static double angle_of(const sweep *s, int i) {
    const double smallest = carom_billiard_break_smallest_angle(s->x->values->cue.radii);
    return i + 1 < s->count ? smallest + (M_PI - smallest) * i / (s->count - 1.0) : M_PI;
}

static carom_status fill(sweep *s) {
    for (int i = 0; i < s->count; i++) {
        carom_billiard_break_params cue = s->x->values->cue;
        cue.angle = angle_of(s, i);
        outcome o;
        CAROM_TRY(billiards_run(&cue, &o, s->x->report));
        column(s, ANGLE)[i] = cue.angle;
        column(s, XI)[i] = o.indeterminacy;
        column(s, CLOSED)[i] = o.closed_form;
        column(s, PERCENT)[i] = 100.0 * o.indeterminacy;
        column(s, ENERGY)[i] = o.energy_ratio;
        column(s, COSINE)[i] = o.cosine;
        column(s, OPENING)[i] = o.half_opening;
        column(s, FIRST_A)[i] = o.reflections[A];
        column(s, FIRST_B)[i] = o.reflections[B];
        s->energy_error = fmax(s->energy_error, o.energy_error);
        s->momentum_error = fmax(s->momentum_error, o.momentum_error);
    }
    return CAROM_OK;
}

static void write_columns(const sweep *s) {
    carom_record *record = s->x->record;
    carom_record_axis(record, "/billiard/angle", s->count, column(s, ANGLE), "rad", "theta");
    const struct {
        const char *path;
        int which;
        const char *units;
        const char *text;
    } rows[] = {
        {"/billiard/indeterminacy", XI, "1", "xi = |p_ab - p_ba|/|p_0|, both orders run"},
        {"/billiard/closed_form", CLOSED, "1", "xi in closed form"},
        {"/billiard/percentage", PERCENT, "percent", "100 xi"},
        {"/billiard/energy_ratio", ENERGY, "1", "|p_ab - p_ba|^2/|p_0|^2 = xi^2"},
        {"/billiard/cosine", COSINE, "1", "c of the unit normals"},
        {"/billiard/half_opening", OPENING, "rad", "gamma"},
        {"/billiard/reflections_ab", FIRST_A, "1", "reflections beginning with a"},
        {"/billiard/reflections_ba", FIRST_B, "1", "reflections beginning with b"},
    };
    for (int i = 0; i < COUNT(rows); i++) {
        carom_record_series(record, rows[i].path, column(s, rows[i].which), "/billiard/angle", NULL,
                            rows[i].units, rows[i].text);
    }
}

/** What is minimised: sign times xi; infinite for a break that cannot be run. */
typedef struct sought {
    const billiards *x;
    double sign;
} sought;

static double evaluate(double angle, void *context) {
    const sought *f = context;
    carom_billiard_break_params cue = f->x->values->cue;
    cue.angle = angle;
    outcome o;
    return billiards_run(&cue, &o, NULL) == CAROM_OK ? f->sign * o.indeterminacy : HUGE_VAL;
}

/** The extremum between the neighbours of angle i of the sweep, NaN for an end. */
static carom_status refine(const sweep *s, int i, double sign, double *angle, double *value) {
    *angle = (double)NAN;
    *value = (double)NAN;
    if (i <= 0 || i + 1 >= s->count) {
        return CAROM_OK;
    }
    sought f = {s->x, sign};
    gsl_function function = {evaluate, &f};
    gsl_min_fminimizer *minimizer = gsl_min_fminimizer_alloc(gsl_min_fminimizer_brent);
    if (minimizer == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const double *theta = column(s, ANGLE);
    const double *xi = column(s, XI);
    int status = gsl_min_fminimizer_set_with_values(minimizer, &function, theta[i], sign * xi[i],
                                                    theta[i - 1], sign * xi[i - 1], theta[i + 1],
                                                    sign * xi[i + 1]);
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
static void find_extrema(const sweep *s, int *least, int *highest) {
    const double *xi = column(s, XI);
    *least = -1;
    *highest = -1;
    for (int i = 1; i + 1 < s->count; i++) {
        if (xi[i] <= xi[i - 1] && xi[i] < xi[i + 1] && (*least < 0 || xi[i] < xi[*least])) {
            *least = i;
        }
        if (column(s, ANGLE)[i] > M_PI_2 && xi[i] >= xi[i - 1] && xi[i] > xi[i + 1] &&
            (*highest < 0 || xi[i] > xi[*highest])) {
            *highest = i;
        }
    }
}

static void write_measure(const billiards *x, const char *name, double value, const char *units,
                          const char *text) {
    if (!isnan(value)) {
        carom_record_measure(x->record, name, value, units, text);
    }
}

static carom_status write_extrema(const sweep *s) {
    const billiards *x = s->x;
    int least = -1;
    int highest = -1;
    find_extrema(s, &least, &highest);
    double angle[2];
    double value[2];
    CAROM_TRY(refine(s, least, 1.0, &angle[0], &value[0]));
    CAROM_TRY(refine(s, highest, -1.0, &angle[1], &value[1]));
    double largest = 0.0;
    double error = 0.0;
    double most = 0.0;
    int at = 0;
    for (int i = 0; i < s->count; i++) {
        at = column(s, XI)[i] > largest ? i : at;
        largest = fmax(largest, column(s, XI)[i]);
        error = fmax(error, fabs(column(s, XI)[i] - column(s, CLOSED)[i]));
        most = fmax(most, fmax(column(s, FIRST_A)[i], column(s, FIRST_B)[i]));
    }
    const double *theta = column(s, ANGLE);
    write_measure(x, "smallest_angle", theta[0], "rad", "theta at which a and b touch");
    write_measure(x, "inner_minimum_angle", angle[0], "rad", "theta of the inner minimum");
    write_measure(x, "inner_minimum", value[0], "1", "xi there");
    write_measure(x, "local_maximum_angle", billiards_degrees(angle[1]), "deg",
                  "theta of the maximum beyond 90 deg");
    write_measure(x, "local_maximum", value[1], "1", "xi there");
    write_measure(x, "largest_angle", billiards_degrees(theta[at]), "deg",
                  "theta of the largest xi of the sweep");
    write_measure(x, "largest", largest, "1", "xi there");
    write_measure(x, "grazing", column(s, XI)[s->count - 1], "1", "xi at theta = pi");
    write_measure(x, "closed_form_error", error, "1",
                  "largest difference of xi from its closed form");
    write_measure(x, "most_reflections", most, "1", "of either order");
    write_measure(x, "energy_error", s->energy_error, "1",
                  "largest |change of energy| of an elastic order / energy");
    write_measure(x, "momentum_error", s->momentum_error, "1",
                  "largest change of total momentum / |m_c v_c|");
    return CAROM_OK;
}

/** What the order of the impacts changes, unless R = 0, where it changes nothing. */
static carom_status write_uniqueness(const sweep *s, double largest) {
    const double *xi = column(s, XI);
    const int last = s->count - 1;
    const bool is_grazing =
        column(s, FIRST_A)[last] < 1.0 && column(s, FIRST_B)[last] < 1.0 && xi[last] <= ROUNDING;
    carom_billiard_break_params cue = s->x->values->cue;
    if (!(largest > ROUNDING)) {
        return CAROM_OK;
    }
    if (carom_billiard_break_smallest_angle(cue.radii) < M_PI_2 + 1e-12) {
        cue.angle = M_PI_2;
        outcome o;
        CAROM_TRY(billiards_run(&cue, &o, s->x->report));
        carom_record_claim(s->x->record, "right_angle_is_unique", o.indeterminacy <= ROUNDING,
                           "no indeterminacy at theta = pi/2");
    }
    carom_record_claim(s->x->record, "grazing_is_unique", xi[last - 1] > ROUNDING && is_grazing,
                       "a minimum at theta = pi, where the cue ball grazes both");
    // Not a percentage of energies: that would be the square.
    double apart = 0.0;
    for (int i = 0; i < s->count; i++) {
        apart = fmax(apart, fabs(xi[i] - column(s, ENERGY)[i]));
    }
    carom_record_claim(s->x->record, "indeterminacy_is_share_of_energy", apart <= ROUNDING,
                       "xi is a percentage of the total energy");
    return CAROM_OK;
}

static carom_status write_claims(const sweep *s) {
    double largest = 0.0;
    double most = 1.0;
    for (int i = 0; i < s->count; i++) {
        largest = fmax(largest, column(s, XI)[i]);
        most = fmax(most, fmax(column(s, FIRST_A)[i], column(s, FIRST_B)[i]));
    }
    CAROM_TRY(write_uniqueness(s, largest));
    // Every reflection rounds.
    const double rounding = most * ROUNDING;
    if (!(s->x->values->cue.restitution < 1.0)) {
        carom_record_claim(s->x->record, "orders_keep_energy_and_momentum",
                           s->energy_error <= rounding && s->momentum_error <= rounding,
                           "both orders keep energy and total momentum");
    }
    return CAROM_OK;
}

carom_status billiards_write_sweep(const billiards *x) {
    const int count = x->values->angles;
    sweep s = {.x = x,
               .count = count,
               .columns = malloc((size_t)COLUMNS * (size_t)count * sizeof(double))};
    if (s.columns == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    carom_status status = fill(&s);
    if (status == CAROM_OK) {
        write_columns(&s);

        status = write_extrema(&s);
    }
    if (status == CAROM_OK) {
        status = write_claims(&s);
    }
    free(s.columns);
    return status;
}
