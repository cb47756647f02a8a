#include <carom/record/internal.h>
#include <carom/study/internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Classes of modes that get a scalar of their own: all of five contacts (3^5), no more. */
enum { MOST_NAMED_CLASSES = 256 };

struct carom_sample_set {
    const carom_impact_record *self;
    const carom_impact_sampling_params *params;
    int total;
    bool is_recorded;
    bool is_finished; /**< no part follows */
    carom_recorder recorder;
    carom_impact_samples sums; /**< without arrays */
    double energy_sum;         /**< of finished outcomes, J */
    double finished_sum;
    double increment_sum;
    int *increments; /**< [total] owned */
    double *low;     /**< [r] over finished outcomes, owned; NaN without any */
    double *high;    /**< [r] */
    carom_contact_mode_tally *modes;
    carom_sample_quantiles *quantiles; /**< NULL where the samples are recorded */
};

double carom_impact_increment_error(int count, const int *increments, double mean) {
    double squares = 0.0;
    for (int i = 0; i < count; i++) {
        const double deviation = increments[i] - mean;
        squares += deviation * deviation;
    }
    return count > 1 ? sqrt(squares / (count - 1.0) / count) : (double)NAN;
}

/** A number for each of so many increments; NaN if there are none. */
static double per_increment(long count, const carom_impact_samples *s) {
    return s->increment_count > 0 ? (double)count / (double)s->increment_count : (double)NAN;
}

/** The scalars of /set. */
static void write_scalars(const carom_sample_set *all) {
    const carom_impact_sampling_params *params = all->params;
    const carom_impact_samples *s = &all->sums;
    const bool enumerates = params->selection >= CAROM_SELECTION_RANDOM;
    carom_record set = carom_record_group(all->self->record, "set");
    const carom_measure numbers[] = {
        {"count", s->count, "1", "outcomes: one of each sample, or of each branch"},
        {"sample_count", params->samples, "1", "samples"},
        {"impulse_step", params->impulse_step, "N s", "largest cap h of a normal impulse"},
        {"mean_increments", s->mean_increments, "1", "mean number of increments of a sample"},
        {"mean_increments_standard_error",
         carom_impact_increment_error(s->count, all->increments, s->mean_increments), "1",
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

/** Numbers of each sample, or of each branch, that come next. */
static void write_columns(const carom_sample_set *all, const carom_record_block *block,
                          const carom_impact_samples *s) {
    const bool has_branches = all->params->selection == CAROM_SELECTION_ALL;
    carom_record set = carom_record_group(all->self->record, "set");
    const struct {
        const char *path;
        const void *values;
        bool is_integer;
        const char *units;
        const char *long_name;
    } columns[] = {
        {"kinetic_energy", s->kinetic_energy, false, "J", "kinetic energy at the end of a sample"},
        {"impulse", s->impulse, false, "N s", "sum of all normal impulses of a sample"},
        {"increments", s->increments, true, "1", "increments of a sample"},
        {"finished", s->is_finished, true, "1",
         "1: no contact is colliding at the end of the sample"},
    };
    const carom_record_axes axes = {has_branches ? "branch" : "sample", NULL};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        carom_record_block_series(&set, columns[i].path, block, columns[i].values,
                                  columns[i].is_integer, &axes, columns[i].units,
                                  columns[i].long_name);
    }
}

/** What is known of the samples, or branches, that come next. */
static carom_status write_series(const carom_sample_set *all, const carom_record_block *block,
                                 const carom_impact_samples *s) {
    carom_record set = carom_record_group(all->self->record, "set");
    const carom_impact_quantity velocity = {"velocity", "at the end of a sample", "m s-1"};
    const bool has_branches = all->params->selection == CAROM_SELECTION_ALL;
    const char *axis = has_branches ? "branch" : "sample";
    const carom_record_axes axes = {axis, NULL};
    const carom_record_axes coordinates = {axis, "/coordinate"};
    carom_record_block_index_axis(&set, axis, block,
                                  has_branches ? "branch of a sample" : "sample");
    if (has_branches) {
        carom_record_block_series(&set, "sample", block, s->sample, true, &axes, "1",
                                  "sample of the branch");
    }
    carom_record_block_series(&set, "final_velocity", block, s->velocity, false, &coordinates,
                              "m s-1", "velocity at the end of a sample");
    CAROM_TRY(
        carom_impact_record_block(all->self, &set, axis, block, s->contact_velocity, &velocity));
    write_columns(all, block, s);
    return CAROM_OK;
}

/** How many samples took how many increments. */
static carom_status write_histogram(const carom_sample_set *all) {
    int most = all->params->trajectory_length;
    for (int i = 0; i < all->sums.count; i++) {
        most = all->increments[i] > most ? all->increments[i] : most;
    }
    CAROM_AUTO_MEMORY int *histogram = calloc((size_t)most + 1, sizeof *histogram);
    if (histogram == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < all->sums.count; i++) {
        histogram[all->increments[i]]++;
    }
    carom_record *record = all->self->record;
    carom_record_index_axis(record, "set/increment", most + 1, "number of increments of a sample");
    carom_record_integer_series(record, "set/increment_histogram", histogram, "set/increment", NULL,
                                "1", "samples with so many increments");
    return CAROM_OK;
}

/** Widen the smallest and the largest speed of each row by finished samples. */
static void add_extents(carom_sample_set *all, const carom_impact_samples *s) {
    const int r = s->row_count;
    for (int i = 0; i < s->count; i++) {
        const double *c = s->contact_velocity + (size_t)i * (size_t)r;
        for (int a = 0; a < r && s->is_finished[i] != 0; a++) {
            all->low[a] = fmin(all->low[a], c[a]);
            all->high[a] = fmax(all->high[a], c[a]);
        }
    }
}

/** Add counts and sums, the latter in the order of the outcomes. */
static void add_sums(carom_sample_set *all, const carom_impact_samples *s) {
    carom_impact_samples *sums = &all->sums;
    sums->increment_count += s->increment_count;
    sums->multivalued_count += s->multivalued_count;
    sums->energy_rise_count += s->energy_rise_count;
    sums->unsolved_count += s->unsolved_count;
    sums->rescue_count += s->rescue_count;
    sums->pivot_count += s->pivot_count;
    sums->truncated_count += s->truncated_count;
    sums->largest_residual = fmax(sums->largest_residual, s->largest_residual);
    for (int i = 0; i < s->count; i++) {
        all->increment_sum += s->increments[i];
        all->finished_sum += s->is_finished[i];
        all->energy_sum += s->is_finished[i] ? s->kinetic_energy[i] : 0.0;
    }
    memcpy(all->increments + sums->count, s->increments, (size_t)s->count * sizeof(int));
    sums->count += s->count;
    sums->mean_increments = all->increment_sum / sums->count;
    sums->fraction_finished = all->finished_sum / sums->count;
    sums->mean_kinetic_energy =
        all->finished_sum > 0.0 ? all->energy_sum / all->finished_sum : (double)NAN;
}

/** The extents of the set. */
static void write_extents(const carom_sample_set *all) {
    const carom_impact_record *self = all->self;
    const int m = self->problem->contact_count;
    const double *low = all->low;
    const double *high = all->high;
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
static carom_status write_modes(const carom_sample_set *all) {
    const carom_impact_record *self = all->self;
    CAROM_AUTO(carom_contact_mode_classes) classes = NULL;
    CAROM_TRY(carom_contact_mode_tally_finish(all->modes, &classes));
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

carom_status carom_sample_set_alloc(const carom_impact_record *self,
                                    const carom_impact_sampling_params *params, int total,
                                    bool is_recorded, carom_sample_set **out) {
    CAROM_ASSERT(self != NULL && params != NULL && total >= 1 && out != NULL);
    *out = NULL;
    const size_t r = (size_t)self->problem->row_count;
    CAROM_AUTO(carom_sample_set) set = calloc(1, sizeof *set);
    if (set == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    set->self = self;
    set->params = params;
    set->total = total;
    set->is_recorded = is_recorded;
    set->increments = malloc((size_t)total * sizeof *set->increments);
    set->low = malloc(2 * r * sizeof *set->low);
    if (set->increments == NULL || set->low == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    set->high = set->low + r;
    for (size_t i = 0; i < 2 * r; i++) {
        set->low[i] = (double)NAN;
    }
    CAROM_TRY(carom_contact_mode_tally_alloc(self->problem, &set->modes));
    if (!is_recorded) {
        CAROM_TRY(carom_sample_quantiles_alloc(self->problem, &set->quantiles));
    }
    if (is_recorded) {
        carom_record group = carom_record_group(self->record, "set");
        set->recorder = carom_recorder_begin(
            &group, params->selection == CAROM_SELECTION_ALL ? "branch" : "sample", total);
    }
    CAROM_HAND_OVER(set, out);
    return CAROM_OK;
}

carom_status carom_sample_set_add(carom_sample_set *set, const carom_impact_samples *samples) {
    CAROM_ASSERT(set != NULL && samples != NULL);
    CAROM_ASSERT(samples->count <= set->total - set->sums.count);
    add_sums(set, samples);
    add_extents(set, samples);
    CAROM_TRY(carom_contact_mode_tally_add(set->modes, samples));
    if (!set->is_recorded) {
        carom_sample_quantiles_add(set->quantiles, samples);
        return CAROM_OK;
    }
    if (samples->count == 0) {
        return CAROM_OK;
    }
    const carom_record_block block = carom_recorder_next(&set->recorder, samples->count);
    return block.count > 0 ? write_series(set, &block, samples) : CAROM_OK;
}

const carom_impact_samples *carom_sample_set_sums(const carom_sample_set *set) {
    CAROM_ASSERT(set != NULL);
    return &set->sums;
}

carom_status carom_sample_set_finish(carom_sample_set *set) {
    CAROM_ASSERT(set != NULL);
    set->is_finished = true;
    if (set->is_recorded) {
        carom_recorder_end(&set->recorder);
    }
    write_scalars(set);
    CAROM_TRY(write_histogram(set));
    write_extents(set);
    CAROM_TRY(write_modes(set));
    return set->is_recorded ? CAROM_OK
                            : carom_sample_quantiles_write(set->quantiles, set->self->record);
}

void carom_sample_set_free(carom_sample_set *set) {
    if (set != NULL) {
        if (set->is_recorded && !set->is_finished) {
            carom_recorder_end(&set->recorder);
        }
        free(set->increments);
        free(set->low);
        carom_contact_mode_tally_free(set->modes);
        carom_sample_quantiles_free(set->quantiles);
        free(set);
    }
}

carom_status carom_impact_record_samples(const carom_impact_record *self,
                                         const carom_impact_sampling_params *params,
                                         const carom_impact_samples *samples) {
    CAROM_ASSERT(samples != NULL && samples->count >= 1);
    CAROM_AUTO(carom_sample_set) set = NULL;
    CAROM_TRY(carom_sample_set_alloc(self, params, samples->count, true, &set));
    CAROM_TRY(carom_sample_set_add(set, samples));
    return carom_sample_set_finish(set);
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

bool carom_impact_record_has_planes(const carom_impact_record *self) {
    static const char *const names[] = {"x", "y", "point", "x_min", "x_max", "y_min", "y_max"};
    bool is_wanted = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        is_wanted = is_wanted || carom_record_is_wanted(self->record->file, names[i]);
    }
    return is_wanted;
}

carom_status carom_impact_record_plane(const carom_impact_record *self,
                                       const carom_plane_raster *raster,
                                       const carom_plane_ends *ends) {
    CAROM_ASSERT(self != NULL && raster != NULL && ends != NULL);
    CAROM_AUTO_MEMORY double *x = malloc(2 * CAROM_PLANE_MOST_POINTS * sizeof *x);
    if (x == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    write_paths(self->record, raster, x, x + CAROM_PLANE_MOST_POINTS);
    if (ends->count > 0) {
        carom_record group = carom_record_group(self->record, "set/points/%s",
                                                carom_plane_raster_plane(raster)->name);
        write_points(&group, ends->count, ends->x, ends->y, "velocities in which samples end");
    }
    return CAROM_OK;
}
