#include <carom/study/internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Classes of modes that get a scalar of their own: all of five contacts (3^5), no more. */
enum { MOST_NAMED_CLASSES = 256 };

double carom_impact_samples_increment_error(const carom_impact_samples *s) {
    double squares = 0.0;
    for (int i = 0; i < s->count; i++) {
        const double deviation = s->increments[i] - s->mean_increments;
        squares += deviation * deviation;
    }
    return s->count > 1 ? sqrt(squares / (s->count - 1.0) / s->count) : (double)NAN;
}

/** A number for each of so many increments; NaN if there are none. */
static double per_increment(long count, const carom_impact_samples *s) {
    return s->increment_count > 0 ? (double)count / (double)s->increment_count : (double)NAN;
}

/** The scalars of /set. */
static void write_scalars(const carom_impact_record *self,
                          const carom_impact_sampling_params *params,
                          const carom_impact_samples *s) {
    const bool enumerates = params->selection >= CAROM_SELECTION_RANDOM;
    carom_record set = carom_record_group(self->record, "set");
    const carom_measure numbers[] = {
        {"count", s->count, "1", "outcomes: one of each sample, or of each branch"},
        {"sample_count", params->samples, "1", "samples"},
        {"impulse_step", params->impulse_step, "N s", "largest cap h of a normal impulse"},
        {"mean_increments", s->mean_increments, "1", "mean number of increments of a sample"},
        {"mean_increments_standard_error", carom_impact_samples_increment_error(s), "1",
         "standard error of the mean number of increments; NaN: fewer than two"},
        {"fraction_finished", s->fraction_finished, "1",
         "share of samples after which no contact is colliding"},
        {"mean_kinetic_energy", s->mean_kinetic_energy, "J",
         "mean kinetic energy of finished samples; NaN: none finished"},
        {"increment_count", (double)s->increment_count, "1", "increments solved in all"},
        {"multivalued_fraction", enumerates ? per_increment(s->multivalued_count, s) : (double)NAN,
         "1", "share of increments with several velocities; NaN: not enumerated"},
        {"energy_rise_count", (double)s->energy_rise_count, "1",
         "increments that raised the kinetic energy"},
        {"unsolved_count", (double)s->unsolved_count, "1", "increments without a solution"},
        {"rescue_count", (double)s->rescue_count, "1",
         "increments that took more than one attempt"},
        {"truncated_count", (double)s->truncated_count, "1",
         "samples with more branches than were followed"},
        {"largest_residual", s->largest_residual, "1",
         "largest residual of the complementarity problems, beside the speeds"},
        {"mean_pivots", per_increment(s->pivot_count, s), "1",
         "mean number of pivots of Lemke's method in an increment; NaN: no increment"},
    };
    carom_record_scalars(&set, numbers, sizeof numbers / sizeof numbers[0]);
}

/** What is known of every sample, or of every branch. */
static carom_status write_series(const carom_impact_record *self,
                                 const carom_impact_sampling_params *params,
                                 const carom_impact_samples *s) {
    carom_record set = carom_record_group(self->record, "set");
    carom_record *record = &set;
    const carom_impact_quantity velocity = {"velocity", "at the end of a sample", "m s-1"};
    const bool has_branches = params->selection == CAROM_SELECTION_ALL;
    const char *axis = has_branches ? "branch" : "sample";
    carom_record_index_axis(record, axis, s->count, has_branches ? "branch of a sample" : "sample");
    if (has_branches) {
        carom_record_integer_series(record, "sample", s->sample, axis, NULL, "1",
                                    "sample of the branch");
    }
    carom_record_series(record, "final_velocity", s->velocity, axis, "/coordinate", "m s-1",
                        "velocity at the end of a sample");
    CAROM_TRY(carom_impact_record_rows(self, &set, axis, s->count, s->contact_velocity, &velocity));
    carom_record_series(record, "kinetic_energy", s->kinetic_energy, axis, NULL, "J",
                        "kinetic energy at the end of a sample");
    carom_record_series(record, "impulse", s->impulse, axis, NULL, "N s",
                        "sum of all normal impulses of a sample");
    carom_record_integer_series(record, "increments", s->increments, axis, NULL, "1",
                                "increments of a sample");
    carom_record_integer_series(record, "finished", s->is_finished, axis, NULL, "1",
                                "1: no contact is colliding at the end of the sample");
    return CAROM_OK;
}

/** How many samples took how many increments. */
static carom_status write_histogram(const carom_impact_record *self,
                                    const carom_impact_sampling_params *params,
                                    const carom_impact_samples *s) {
    int most = params->trajectory_length;
    for (int i = 0; i < s->count; i++) {
        most = s->increments[i] > most ? s->increments[i] : most;
    }
    CAROM_AUTO_MEMORY int *histogram = calloc((size_t)most + 1, sizeof *histogram);
    if (histogram == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < s->count; i++) {
        histogram[s->increments[i]]++;
    }
    carom_record_index_axis(self->record, "set/increment", most + 1,
                            "number of increments of a sample");
    carom_record_integer_series(self->record, "set/increment_histogram", histogram, "set/increment",
                                NULL, "1", "samples with so many increments");
    return CAROM_OK;
}

/** The smallest and the largest speed of each row over finished samples; NaN without any. */
static void find_extents(const carom_impact_samples *s, double *low, double *high) {
    const int r = s->row_count;
    for (int a = 0; a < r; a++) {
        low[a] = NAN;
        high[a] = NAN;
    }
    for (int i = 0; i < s->count; i++) {
        const double *c = s->contact_velocity + (size_t)i * (size_t)r;
        for (int a = 0; a < r && s->is_finished[i] != 0; a++) {
            low[a] = fmin(low[a], c[a]);
            high[a] = fmax(high[a], c[a]);
        }
    }
}

/** The extents of the set. */
static carom_status write_extents(const carom_impact_record *self, const carom_impact_samples *s) {
    const int m = self->problem->contact_count;
    const size_t r = (size_t)s->row_count;
    CAROM_AUTO_MEMORY double *low = malloc(2 * r * sizeof *low);
    if (low == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *high = low + r;
    find_extents(s, low, high);
    const char *tangent = self->problem->tangent_count == 1 ? "/contact" : "/tangent";
    const carom_column normal[] = {
        {"normal_velocity_min", low, "m s-1",
         "smallest normal velocity at the end; NaN: none finished"},
        {"normal_velocity_max", high, "m s-1",
         "largest normal velocity at the end; NaN: none finished"},
    };
    const carom_column tangential[] = {
        {"tangential_velocity_min", low + m, "m s-1",
         "smallest tangential velocity; NaN: none finished"},
        {"tangential_velocity_max", high + m, "m s-1",
         "largest tangential velocity; NaN: none finished"},
    };
    carom_record set = carom_record_group(self->record, "set");
    carom_record_columns(&set, "/contact", NULL, normal, 2);
    carom_record_columns(&set, tangent, NULL, tangential, 2);
    return CAROM_OK;
}

/** A share of finished samples, NaN without any. */
static double share(int part, int total) {
    return total > 0 ? (double)part / total : (double)NAN;
}

/** The letters of all classes, and a scalar for each of them. */
static carom_status write_class_names(const carom_impact_record *self,
                                      const carom_contact_mode_classes *classes, int count,
                                      int total) {
    CAROM_ASSERT(count >= 1);
    const size_t width = (size_t)classes->contact_count + 1;
    CAROM_AUTO_MEMORY char *names = calloc((size_t)count, width);
    if (names == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    carom_record modes = carom_record_group(self->record, "set/modes");
    for (int i = 0; i < count; i++) {
        const char *letters = carom_contact_mode_classes_letters(classes, i);
        memcpy(names + (size_t)i * width, letters, width);
        names[(size_t)(i + 1) * width - 1] = ' ';
        carom_record_scalar(
            &modes, letters, share(classes->finished[i], total), "1",
            "share of finished samples that end in these modes; NaN: none finished");
    }
    names[(size_t)count * width - 1] = '\0';
    carom_record_string(&modes, "names", names,
                        "letters of the classes, a letter for each contact: L lifting, "
                        "S sticking, s sliding");
    return CAROM_OK;
}

/** Shares and numbers of samples in the first `count` classes. */
static void write_class_series(const carom_impact_record *self,
                               const carom_contact_mode_classes *classes, int count, int total) {
    carom_record modes = carom_record_group(self->record, "set/modes");
    double fraction[MOST_NAMED_CLASSES];
    for (int i = 0; i < count; i++) {
        fraction[i] = share(classes->finished[i], total);
    }
    carom_record_index_axis(&modes, "class", count, "class of modes");
    carom_record_series(&modes, "fraction", fraction, "class", NULL, "1",
                        "share of finished samples that end in these modes; NaN: none finished");
    carom_record_integer_series(&modes, "finished_count", classes->finished, "class", NULL, "1",
                                "finished samples that end in these modes");
    carom_record_integer_series(&modes, "count", classes->samples, "class", NULL, "1",
                                "samples, finished or not, that end in these modes");
}

/** The classes of modes in which samples end. */
static carom_status write_modes(const carom_impact_record *self, const carom_impact_samples *s) {
    CAROM_AUTO(carom_contact_mode_classes) classes = NULL;
    CAROM_TRY(carom_contact_mode_classes_count(self->problem, s, &classes));
    const int count = classes->count < MOST_NAMED_CLASSES ? classes->count : MOST_NAMED_CLASSES;
    int total = 0;
    for (int i = 0; i < classes->count; i++) {
        total += classes->finished[i];
    }
    carom_record_integer(self->record, "set/modes/class_count", classes->count, "1",
                         "classes of modes; the most frequent ones are written");
    write_class_series(self, classes, count, total);
    return write_class_names(self, classes, count, total);
}

carom_status carom_impact_record_samples(const carom_impact_record *self,
                                         const carom_impact_sampling_params *params,
                                         const carom_impact_samples *samples) {
    CAROM_ASSERT(samples != NULL && samples->count >= 1);
    CAROM_TRY(write_series(self, params, samples));
    write_scalars(self, params, samples);
    CAROM_TRY(write_histogram(self, params, samples));
    CAROM_TRY(write_extents(self, samples));
    return write_modes(self, samples);
}

/** Write x and y of some points over an axis. */
static void write_points(carom_record *group, int count, const double *x, const double *y,
                         const char *what) {
    const carom_column columns[] = {{"x", x, "m s-1", what}, {"y", y, "m s-1", what}};
    carom_record_index_axis(group, "point", count, what);
    carom_record_columns(group, "point", NULL, columns, 2);
}

/** The limits of a plane. */
#define LIMIT(name) \
    CAROM_FIELD(#name, carom_plane, name, "m s-1", "limit of the rectangle that is drawn")
static const carom_field LIMITS[] = {LIMIT(x_min), LIMIT(x_max), LIMIT(y_min), LIMIT(y_max)};

/** Centres of the cells that paths have crossed, into x and y of all cells. */
static void write_paths(carom_record *record, const carom_plane_raster *raster, double *x,
                        double *y) {
    const carom_plane *plane = carom_plane_raster_plane(raster);
    const int count = carom_plane_raster_count(raster);
    if (count == 0) {
        return;
    }
    carom_record group = carom_record_group(record, "set/paths/%s", plane->name);
    carom_plane_raster_centres(raster, x, y);
    write_points(&group, count, x, y, "cells that paths of samples cross");
    carom_record_rows(&group, NULL, plane, 1, sizeof *plane, LIMITS, 4);
}

/** One end of a finished sample in each cell, with x and y of all cells. */
static carom_status write_ends(carom_record *record, const carom_plane *plane,
                               const carom_impact_samples *s, int *kept, double *x, double *y) {
    const size_t r = (size_t)s->row_count;
    int count = 0;
    CAROM_TRY(carom_plane_raster_thin(plane, s->count, s->row_count, s->contact_velocity,
                                      s->is_finished, kept, &count));
    if (count == 0) {
        return CAROM_OK;
    }
    for (int i = 0; i < count; i++) {
        const double *c = s->contact_velocity + (size_t)kept[i] * r;
        x[i] = c[plane->row_x];
        y[i] = c[plane->row_y];
    }
    carom_record group = carom_record_group(record, "set/points/%s", plane->name);
    write_points(&group, count, x, y, "velocities in which samples end");
    return CAROM_OK;
}

carom_status carom_impact_record_plane(const carom_impact_record *self,
                                       const carom_plane_raster *raster,
                                       const carom_impact_samples *samples) {
    CAROM_ASSERT(self != NULL && raster != NULL && samples != NULL);
    CAROM_AUTO_MEMORY double *x = malloc(2 * CAROM_PLANE_MOST_POINTS * sizeof *x);
    CAROM_AUTO_MEMORY int *kept = malloc(CAROM_PLANE_MOST_POINTS * sizeof *kept);
    if (x == NULL || kept == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    write_paths(self->record, raster, x, x + CAROM_PLANE_MOST_POINTS);
    return write_ends(self->record, carom_plane_raster_plane(raster), samples, kept, x,
                      x + CAROM_PLANE_MOST_POINTS);
}
