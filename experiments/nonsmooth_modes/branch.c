/** Branches of motions in the record, and the kinds of their ends. */
#include "results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void nonsmooth_modes_write_ends(const analysis *a) {
    const struct {
        const char *name;
        const char *sentence;
    } ends[] = {
#define DESCRIBE(code, name, sentence) {name, sentence},
        CAROM_BRANCH_END_LIST(DESCRIBE)
#undef DESCRIBE
    };
    char path[PATH_SIZE];
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        carom_record_integer(a->record, nonsmooth_modes_path("/ends", ends[i].name, path), (int)i,
                             "1", ends[i].sentence);
    }
}

/** Write what end a branch has. */
static void write_end(const analysis *a, const char *group, const carom_orbit_branch *branch,
                      int end) {
    const char *which = end == 0 ? "first" : "last";
    char name[32];
    char path[PATH_SIZE];
    (void)snprintf(name, sizeof name, "%s_end", which);
    carom_record_string(a->record, nonsmooth_modes_path(group, name, path),
                        carom_branch_end_name(branch->ends[end]),
                        carom_branch_end_sentence(branch->ends[end]));
    (void)snprintf(name, sizeof name, "%s_end_impact", which);
    carom_record_integer(
        a->record, nonsmooth_modes_path(group, name, path), branch->end_impact[end], "1",
        "impact that vanishes, or flight in which the gap closes, from 1; 0: none");
    (void)snprintf(name, sizeof name, "%s_end_time", which);
    carom_record_scalar(a->record, nonsmooth_modes_path(group, name, path), branch->end_time[end],
                        "s", "instant of the new contact; NaN: none");
}

/** Write the columns of a branch over its points. */
static void write_points(const analysis *a, const char *group, const carom_orbit_branch *branch,
                         const char *point, const char *impact) {
    const struct {
        const char *name;
        const double *values;
        const char *column_axis;
        const char *units;
        const char *long_name;
    } reals[] = {
        {"period", branch->period, NULL, "s", "period T"},
        {"energy", branch->energy, NULL, "J", "energy E; NaN at infinite speed"},
        {"flight_times", branch->flight_times, impact, "s",
         "duration of the flight before an impact"},
        {"impact_lambda", branch->lambda, impact, "J0.5",
         "lambda: speed before the impact over the root of G; NaN at infinite speed"},
        {"impact_direction", branch->direction, impact, "1",
         "lambda over its norm, which stays where the speeds are infinite"},
        {"gap_violation", branch->gap_violation, NULL, "m",
         "largest maximum of -gap in the flights; NaN: none"},
        {"spectral_radius", branch->spectral_radius, NULL, "1",
         "largest modulus of the multipliers; NaN: undefined"},
    };
    const struct {
        const char *name;
        const int *values;
        const char *long_name;
    } integers[] = {
        {"admissible", branch->admissible, "1 if certified"},
        {"gap_sign", branch->gap_sign, "sign of the gap at rest it belongs to; 0: infinite speed"},
        {"branch_point", branch->branch_point,
         "1 if another branch crossed since the point before"},
    };
    char path[PATH_SIZE];
    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++) {
        carom_record_series(a->record, nonsmooth_modes_path(group, reals[i].name, path),
                            reals[i].values, point, reals[i].column_axis, reals[i].units,
                            reals[i].long_name);
    }
    for (size_t i = 0; i < sizeof integers / sizeof integers[0]; i++) {
        carom_record_integer_series(a->record, nonsmooth_modes_path(group, integers[i].name, path),
                                    integers[i].values, point, NULL, "1", integers[i].long_name);
    }
}

void nonsmooth_modes_write_branch(const analysis *a, const char *group,
                                  const carom_orbit_branch *branch) {
    char point[PATH_SIZE];
    char impact[PATH_SIZE];
    char path[PATH_SIZE];
    carom_record_index_axis(a->record, nonsmooth_modes_path(group, "point", point),
                            branch->point_count, "point of the branch");
    carom_record_index_axis(a->record, nonsmooth_modes_path(group, "impact", impact),
                            branch->impact_count, "impact of the period");
    write_points(a, group, branch, point, impact);
    carom_record_scalar(a->record, nonsmooth_modes_path(group, "identity_error", path),
                        branch->identity_error, "1",
                        "largest relative error of E dT = -(g_0/sqrt G) d(sum lambda)");
    carom_record_integer(a->record, nonsmooth_modes_path(group, "start", path), branch->start, "1",
                         "point that the branch was begun from");
    write_end(a, group, branch, 0);
    write_end(a, group, branch, 1);
}

/** Fill the columns [rows] of the picture. */
static void fill_curves(carom_orbit_branch *const *branches, int count, size_t rows,
                        double *columns) {
    const double gap = NAN;
    size_t row = 0;
    for (int i = 0; i < count; i++) {
        const carom_orbit_branch *branch = branches[i];
        for (int p = 0; p <= branch->point_count; p++, row++) {
            const bool is_finite = p < branch->point_count && isfinite(branch->energy[p]);
            columns[row] = is_finite ? branch->period[p] : gap;
            columns[rows + row] = is_finite ? branch->energy[p] : gap;
            columns[2 * rows + row] = is_finite ? branch->spectral_radius[p] : gap;
        }
    }
}

/** Write the columns [rows] of the picture. */
static void record_curves(const analysis *a, size_t rows, const double *columns) {
    static const char axis[] = "/picture/row";
    carom_record_index_axis(a->record, axis, (int)rows, "point of a branch, or a gap");
    carom_record_series(a->record, "/picture/period", columns, axis, NULL, "s",
                        "period T of all branches in turn; NaN between them");
    carom_record_series(a->record, "/picture/energy", columns + rows, axis, NULL, "J",
                        "energy E; NaN between branches");
    carom_record_series(a->record, "/picture/spectral_radius", columns + 2 * rows, axis, NULL, "1",
                        "largest modulus of the multipliers; NaN: undefined");
}

carom_status nonsmooth_modes_write_curves(const analysis *a, carom_orbit_branch *const *branches,
                                          int count) {
    size_t rows = 0;
    double identity_error = 0.0;
    for (int i = 0; i < count; i++) {
        rows += (size_t)branches[i]->point_count + 1;
        identity_error = fmax(identity_error, branches[i]->identity_error);
    }
    if (rows == 0) {
        return CAROM_OK;
    }
    CAROM_AUTO_MEMORY double *columns = malloc(3 * rows * sizeof *columns);
    if (columns == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    fill_curves(branches, count, rows, columns);
    record_curves(a, rows, columns);
    carom_record_scalar(a->record, "/picture/identity_error", identity_error, "1",
                        "largest relative error of E dT = -(g_0/sqrt G) d(sum lambda)");
    return CAROM_OK;
}
