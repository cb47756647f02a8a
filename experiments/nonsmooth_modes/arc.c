/** Arcs of motions in the record, and the kinds of their ends. */
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

/** Write what end an arc has. */
static void write_end(const analysis *a, const char *group, const carom_orbit_branch *arc,
                      int end) {
    const char *which = end == 0 ? "first" : "last";
    char name[32];
    char path[PATH_SIZE];
    (void)snprintf(name, sizeof name, "%s_end", which);
    carom_record_string(a->record, nonsmooth_modes_path(group, name, path),
                        carom_branch_end_name(arc->ends[end]),
                        carom_branch_end_sentence(arc->ends[end]));
    (void)snprintf(name, sizeof name, "%s_end_impact", which);
    carom_record_integer(
        a->record, nonsmooth_modes_path(group, name, path), arc->end_impact[end], "1",
        "impact that vanishes, or flight in which the gap closes, from 1; 0: none");
    (void)snprintf(name, sizeof name, "%s_end_time", which);
    carom_record_scalar(a->record, nonsmooth_modes_path(group, name, path), arc->end_time[end], "s",
                        "instant of the new contact; NaN: none");
}

/** Write the columns of an arc over its points. */
static void write_points(const analysis *a, const char *group, const carom_orbit_branch *arc,
                         const char *point, const char *impact) {
    const struct {
        const char *name;
        const double *values;
        const char *column_axis;
        const char *units;
        const char *long_name;
    } reals[] = {
        {"period", arc->period, NULL, "s", "period T"},
        {"energy", arc->energy, NULL, "J", "energy E; NaN at infinite speed"},
        {"flight_times", arc->flight_times, impact, "s", "duration of the flight before an impact"},
        {"impact_lambda", arc->lambda, impact, "J0.5",
         "lambda: speed before the impact over the root of G; NaN at infinite speed"},
        {"impact_direction", arc->direction, impact, "1",
         "lambda over its norm, which stays where the speeds are infinite"},
        {"gap_violation", arc->gap_violation, NULL, "m",
         "largest maximum of -gap in the flights; NaN: none"},
        {"spectral_radius", arc->spectral_radius, NULL, "1",
         "largest modulus of the multipliers; NaN: undefined"},
    };
    const struct {
        const char *name;
        const int *values;
        const char *long_name;
    } integers[] = {
        {"admissible", arc->admissible, "1 if certified"},
        {"gap_sign", arc->gap_sign, "sign of the gap at rest it belongs to; 0: infinite speed"},
        {"branch_point", arc->branch_point, "1 if another branch crossed since the point before"},
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

void nonsmooth_modes_write_arc(const analysis *a, const char *group,
                               const carom_orbit_branch *arc) {
    char point[PATH_SIZE];
    char impact[PATH_SIZE];
    char path[PATH_SIZE];
    carom_record_index_axis(a->record, nonsmooth_modes_path(group, "point", point),
                            arc->point_count, "point of the arc");
    carom_record_index_axis(a->record, nonsmooth_modes_path(group, "impact", impact),
                            arc->impact_count, "impact of the period");
    write_points(a, group, arc, point, impact);
    carom_record_scalar(a->record, nonsmooth_modes_path(group, "identity_error", path),
                        arc->identity_error, "1",
                        "largest relative error of E dT = -(g_0/sqrt G) d(sum lambda)");
    carom_record_integer(a->record, nonsmooth_modes_path(group, "start", path), arc->start, "1",
                         "point that the arc was begun from");
    write_end(a, group, arc, 0);
    write_end(a, group, arc, 1);
}

/** Fill the columns [rows] of the picture. */
static void fill_curves(carom_orbit_branch *const *arcs, int count, size_t rows, double *columns) {
    const double gap = NAN;
    size_t row = 0;
    for (int i = 0; i < count; i++) {
        const carom_orbit_branch *arc = arcs[i];
        for (int p = 0; p <= arc->point_count; p++, row++) {
            const bool is_finite = p < arc->point_count && isfinite(arc->energy[p]);
            columns[row] = is_finite ? arc->period[p] : gap;
            columns[rows + row] = is_finite ? arc->energy[p] : gap;
            columns[2 * rows + row] = is_finite ? arc->spectral_radius[p] : gap;
        }
    }
}

/** Write the columns [rows] of the picture. */
static void record_curves(const analysis *a, size_t rows, const double *columns) {
    static const char axis[] = "/picture/row";
    carom_record_index_axis(a->record, axis, (int)rows, "point of an arc, or a gap");
    carom_record_series(a->record, "/picture/period", columns, axis, NULL, "s",
                        "period T of all arcs in turn; NaN between them");
    carom_record_series(a->record, "/picture/energy", columns + rows, axis, NULL, "J",
                        "energy E; NaN between arcs");
    carom_record_series(a->record, "/picture/spectral_radius", columns + 2 * rows, axis, NULL, "1",
                        "largest modulus of the multipliers; NaN: undefined");
}

carom_status nonsmooth_modes_write_curves(const analysis *a, carom_orbit_branch *const *arcs,
                                          int count) {
    size_t rows = 0;
    for (int i = 0; i < count; i++) {
        rows += (size_t)arcs[i]->point_count + 1;
    }
    if (rows == 0) {
        return CAROM_OK;
    }
    double *columns = malloc(3 * rows * sizeof *columns);
    if (columns == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    fill_curves(arcs, count, rows, columns);
    record_curves(a, rows, columns);
    free(columns);
    return CAROM_OK;
}
