/** Random spectra: the sign of c_0, complete searches for roots, and which cells are motions. */
#include "results.h"

#include <carom/base/parallel.h>

#include <math.h>
#include <stdlib.h>

/** The first column whose cells hold roots. */
static int first_column(const carom_phase_spectra *spectra) {
    return spectra->unconstrained_parity[spectra->mode_count - 1] == CAROM_PARITY_EVEN ? 2 : 1;
}

/* --- many of them ----------------------------------------------------------------------------- */

typedef struct survey survey;

/** What is found of a spectrum goes to item `sample` of the survey's array. */
typedef carom_status (*survey_function)(const carom_phase_spectra *spectra, const survey *s,
                                        int sample, carom_report *report);

/** A statement about random spectra of fewest to most modes in turn. */
struct survey {
    carom_random_spectra from;
    int fewest;
    int most;
    survey_function examine;
    void *found; /**< [count], of the statement's own type */
    size_t size; /**< of it, bytes */
    carom_progress *progress;
};

static int modes_of(const survey *s, int sample) {
    return s->fewest + sample % (s->most - s->fewest + 1);
}

static carom_status examine_one(int item, void *context, carom_report *report) {
    const survey *s = context;
    CAROM_AUTO(carom_phase_spectra) spectra = NULL;
    CAROM_TRY(carom_random_spectra_draw(&s->from, item, modes_of(s, item), &spectra, report));
    const carom_status status = s->examine(spectra, s, item, report);
    carom_progress_add(s->progress, 1);
    return status;
}

/** Examine so many spectra, on all threads. */
static carom_status run(const critical *c, survey *s, const char *what, int count) {
    s->from.seed = c->common->seed;
    s->progress = carom_progress_start(what, count, "spectra", c->common->is_quiet);
    const carom_parallel_array found[] = {{s->found, s->size, (size_t)count * s->size}};
    const carom_status status = carom_parallel_map(c->common->workers, count, examine_one, s,
                                                   CAROM_PARALLEL_ARRAYS(found), c->report);
    carom_progress_finish(s->progress);
    return status;
}

/* --- the sign of c_0 -------------------------------------------------------------------------- */

/** The paper samples N > 2 and does not say up to where. */
enum { FEWEST_SLOPES = 3, MOST_SLOPES = 8, KINDS_OF_N = MOST_SLOPES - FEWEST_SLOPES + 1 };

/** A draw. */
typedef struct draw {
    double slope;      /**< c_0 at a random tau; NaN if spectra all but touch */
    double limit;      /**< c_0 for large tau, (62) */
    double difference; /**< relative, of (62) from the closed form */
    double offset;     /**< of o_N by the printed sign of (61), rad */
} draw;

/** c_0 of one spectrum at a finite time, uniform in its logarithm, and at an infinite one. */
static carom_status find_slope(const carom_phase_spectra *spectra, const survey *s, int sample,
                               carom_report *report) {
    // c_0 has no sign to change at either end; of the columns one that exists for both parities:
    // every other one is as far off.
    enum { COLUMN = 2 };
    const double shortest = 0.02;
    const double longest = 50.0;
    const double time =
        shortest * pow(longest / shortest, carom_random_spectra_uniform(&s->from, sample, 0));
    draw *d = (draw *)s->found + sample;
    CAROM_AUTO(carom_critical_region) region = NULL;
    carom_critical_matrices matrices;
    carom_critical_root corrected;
    carom_critical_root printed;
    d->slope = (double)NAN;
    CAROM_TRY(carom_critical_region_alloc(spectra, &region, report));
    const carom_status status = carom_critical_region_matrices(region, time, &matrices);
    if (status == CAROM_STATUS_SINGULAR) {
        return CAROM_OK;
    }
    CAROM_TRY(status);
    d->slope = carom_critical_matrices_slope(&matrices);
    CAROM_TRY(carom_critical_region_matrices(region, HUGE_VAL, &matrices));
    d->limit = carom_critical_matrices_slope(&matrices);
    d->difference = fabs(d->limit * carom_asymptotic_roots_inverse_slope(spectra) - 1.0);
    CAROM_TRY(carom_critical_region_asymptote(region, COLUMN, 0, false, &corrected));
    CAROM_TRY(carom_critical_region_asymptote(region, COLUMN, 0, true, &printed));
    d->offset = fabs(printed.phase - corrected.phase);
    return CAROM_OK;
}

/** All draws of an N; least and largest begin with NaN, which fmin and fmax pass over. */
typedef struct slope_row {
    double modes;
    int draws;
    int visible;
    double least;
    double least_limit;
    double largest_limit;
    double difference;
    double mean_offset;
} slope_row;

static const carom_field SLOPE_FIELDS[] = {
    CAROM_FIELD("modes", slope_row, modes, "1", "N"),
    CAROM_FIELD("draws", slope_row, draws, "1",
                "random spectra with a c_0: those that all but touch have none"),
    CAROM_FIELD("visible", slope_row, visible, "1",
                "of which the printed sign of (61) moves o_N visibly"),
    CAROM_FIELD("least", slope_row, least, "s-1",
                "least c_0 at random times; NaN: no draw has one"),
    CAROM_FIELD("least_limit", slope_row, least_limit, "s-1",
                "least c_0 for large times; NaN: no draw"),
    CAROM_FIELD("largest_limit", slope_row, largest_limit, "s-1",
                "largest c_0 for large times; NaN: no draw"),
    CAROM_FIELD("difference", slope_row, difference, "1",
                "largest relative difference of (62) from our closed form; NaN: no draw"),
    CAROM_FIELD("mean_offset", slope_row, mean_offset, "rad",
                "mean offset of o_N by the printed sign of (61); NaN: no draw"),
};

static void add_draw(slope_row *row, const draw *d) {
    const double visible = 0.02; // offset that figure 2 would show, rad
    if (isnan(d->slope)) {
        return;
    }
    row->draws++;
    row->least = fmin(row->least, d->slope);
    row->least_limit = fmin(row->least_limit, d->limit);
    row->largest_limit = fmax(row->largest_limit, d->limit);
    row->difference = fmax(row->difference, d->difference);
    row->mean_offset += d->offset;
    row->visible += d->offset > visible ? 1 : 0;
}

/** Neither c_0 nor o_N of the limit depends on lambda'_{N-1}. */
static carom_status write_slopes(const critical *c) {
    const int count = c->values->draws;
    CAROM_AUTO_MEMORY draw *draws = malloc((size_t)count * sizeof *draws);
    survey s = {
        .from = {.stream = 1,
                 .kind = CAROM_SPECTRA_CRITICAL,
                 .is_mixed = true,
                 .critical_eigenvalue = 0.01},
        .fewest = FEWEST_SLOPES,
        .most = MOST_SLOPES,
        .examine = find_slope,
        .found = draws,
        .size = sizeof *draws,
    };
    if (draws == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(run(c, &s, "signs of c_0", count));
    slope_row rows[KINDS_OF_N];
    for (int g = 0; g < KINDS_OF_N; g++) {
        const double none = (double)NAN;
        rows[g] = (slope_row){.modes = FEWEST_SLOPES + g,
                              .least = none,
                              .least_limit = none,
                              .largest_limit = none,
                              .difference = none};
    }
    for (int i = 0; i < count; i++) {
        add_draw(&rows[modes_of(&s, i) - FEWEST_SLOPES], &draws[i]);
    }
    for (int g = 0; g < KINDS_OF_N; g++) {
        rows[g].mean_offset /= rows[g].draws;
    }
    carom_record group = carom_record_group(c->record, "/slopes");
    carom_record_rows(&group, "modes", rows, KINDS_OF_N, sizeof *rows, SLOPE_FIELDS,
                      COUNT(SLOPE_FIELDS));
    return CAROM_OK;
}

/* --- complete searches ------------------------------------------------------------------------ */

/** Of a spectrum with one oscillating mode in each phase: 2 x 2 cells. */
enum { COLUMNS = 2, ROWS = 2, CELLS = COLUMNS * ROWS };

/** What is found in one box, or in all of a kind. */
typedef struct search {
    int spectra;
    int cells;
    int roots;
    int with_roots; /**< spectra */
    double boxes;
    int undecided;
    int single_cells;  /**< cells with exactly one root */
    double difference; /**< largest of the roots by cells, rad */
    double time;       /**< largest impact time of a box, s */
} search;

static const carom_field SEARCH_FIELDS[] = {
    CAROM_FIELD("spectra", search, spectra, "1", "random spectra"),
    CAROM_FIELD("cells", search, cells, "1", "their cells that were searched"),
    CAROM_FIELD("roots", search, roots, "1", "their roots in the boxes"),
    CAROM_FIELD("with_roots", search, with_roots, "1", "spectra that have a root in their box"),
    CAROM_FIELD("boxes", search, boxes, "1", "parts of the boxes that were examined"),
    CAROM_FIELD("undecided", search, undecided, "1", "parts that were not decided"),
    CAROM_FIELD("single_cells", search, single_cells, "1", "cells that hold exactly one root"),
    CAROM_FIELD("difference", search, difference, "rad",
                "largest distance of such a root from that of the list by cells"),
    CAROM_FIELD("time", search, time, "s", "largest impact time of any box"),
};

/** Whether spectra have one oscillating mode in each phase. */
static bool has_cells(carom_random_spectra_kind kind) {
    return kind == CAROM_SPECTRA_SINGLE || kind == CAROM_SPECTRA_CRITICAL;
}

/** A box of impact times: at zero lies the trivial solution. */
static carom_status box_of(const carom_phase_spectra *spectra, carom_random_spectra_kind kind,
                           carom_root_search_params *box) {
    const double least_phase = 1e-3;
    *box = carom_root_search_params_default();
    box->max_boxes = 1000000; // some thousands are usual
    box->min_time = 0.05;
    box->min_constrained_time = box->min_time;
    box->max_time =
        kind == CAROM_SPECTRA_NONE ? 10.0 : 4.0; // where no root can be, and where many are
    box->max_constrained_time = box->max_time;
    if (!has_cells(kind)) {
        return CAROM_OK;
    }
    double lower[4];
    double upper[4];
    const int column = first_column(spectra);
    CAROM_TRY(carom_asymptotic_roots_cell(spectra, column, 0, lower));
    CAROM_TRY(carom_asymptotic_roots_cell(spectra, column + COLUMNS - 1, ROWS - 1, upper));
    const double omega = carom_phase_spectra_frequency(spectra);
    const double constrained_omega = carom_phase_spectra_constrained_frequency(spectra);
    box->min_time = lower[0] / omega;
    box->max_time = upper[1] / omega;
    box->min_constrained_time = fmax(lower[2], least_phase) / constrained_omega;
    box->max_constrained_time = upper[3] / constrained_omega;
    return CAROM_OK;
}

/*[criticalCells]*/
/** Count the roots of every cell, and compare the only one with that of the list by cells. */
static carom_status count_cells(const carom_phase_spectra *spectra, const carom_root_list *list,
                                search *s, carom_report *report) {
    const double omega = carom_phase_spectra_frequency(spectra);
    const double constrained_omega = carom_phase_spectra_constrained_frequency(spectra);
    for (int k = 0; k < CELLS; k++) {
        const int column = first_column(spectra) + k % COLUMNS;
        const int row = k / COLUMNS;
        double cell[4];
        carom_impact_root root;
        CAROM_TRY(carom_asymptotic_roots_cell(spectra, column, row, cell));
        CAROM_TRY(carom_impact_roots_cell(spectra, column, row, &root, report));
        int roots = 0;
        double difference = 0.0;
        for (int i = 0; i < list->count; i++) {
            const carom_impact_root *found = &list->roots[i];
            const double phase = omega * found->time;
            const double constrained = constrained_omega * found->constrained_time;
            if (phase > cell[0] && phase < cell[1] && constrained > cell[2] &&
                constrained < cell[3]) {
                roots++;
                difference =
                    hypot(omega * (found->time - root.time),
                          constrained_omega * (found->constrained_time - root.constrained_time));
            }
        }
        s->single_cells += roots == 1 ? 1 : 0;
        s->difference = fmax(s->difference, difference);
    }
    return CAROM_OK;
}
/*[end criticalCells]*/

/** Search one box by subdivision; where many roots are expected, larger ones until there is one. */
static carom_status search_box(const carom_phase_spectra *spectra, const survey *all, int sample,
                               carom_report *report) {
    enum { DOUBLINGS = 3 };
    const carom_random_spectra_kind kind = all->from.kind;
    search *s = (search *)all->found + sample;
    *s = (search){.spectra = 1, .cells = has_cells(kind) ? CELLS : 0};
    carom_root_search_params box;
    CAROM_TRY(box_of(spectra, kind, &box));
    box.use_subdivision = true;
    for (int k = 0; k <= DOUBLINGS; k++) {
        CAROM_AUTO(carom_root_list) list = NULL;
        CAROM_TRY(carom_impact_roots_find(spectra, &box, &list, report));
        s->boxes += list->boxes;
        s->undecided += list->undecided;
        s->roots = list->count;
        s->with_roots = list->count > 0 ? 1 : 0;
        s->time = box.max_time;
        if (kind != CAROM_SPECTRA_SEVERAL || list->count > 0) {
            return has_cells(kind) ? count_cells(spectra, list, s, report) : CAROM_OK;
        }
        box.max_time *= 2.0;
        box.max_constrained_time *= 2.0;
    }
    return CAROM_OK;
}

/** The sums of all boxes, in the place of the first. */
static void add_up(search *found, int count) {
    for (int i = 1; i < count; i++) {
        found->spectra += found[i].spectra;
        found->cells += found[i].cells;
        found->roots += found[i].roots;
        found->with_roots += found[i].with_roots;
        found->boxes += found[i].boxes;
        found->undecided += found[i].undecided;
        found->single_cells += found[i].single_cells;
        found->difference = fmax(found->difference, found[i].difference);
        found->time = fmax(found->time, found[i].time);
    }
}

/** Near-critical spectra, at the lambda'_{N-1} of figure 2, and those with several oscillating
 * modes are fewer. */
static carom_status write_searches(const critical *c) {
    enum { FEWER = 3, FEWEST = 2, MOST = 6, SEVERAL = 3 };
    const int count = c->values->searches;
    const int fewer = (count + FEWER - 1) / FEWER;
    const struct {
        const char *name;
        carom_random_spectra_kind kind;
        unsigned long stream;
        int count;
        int fewest;
        int most;
    } kinds[] = {
        {"none", CAROM_SPECTRA_NONE, 2, count, FEWEST, MOST},
        {"single", CAROM_SPECTRA_SINGLE, 3, count, FEWEST, MOST},
        {"near", CAROM_SPECTRA_CRITICAL, 4, fewer, FEWEST, MOST},
        {"several", CAROM_SPECTRA_SEVERAL, 5, fewer, SEVERAL, SEVERAL},
    };
    CAROM_AUTO_MEMORY search *found = malloc((size_t)count * sizeof *found);
    if (found == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < COUNT(kinds); k++) {
        survey s = {
            .from = {.stream = kinds[k].stream,
                     .kind = kinds[k].kind,
                     .is_mixed = true,
                     .critical_eigenvalue = 0.01},
            .fewest = kinds[k].fewest,
            .most = kinds[k].most,
            .examine = search_box,
            .found = found,
            .size = sizeof *found,
        };
        CAROM_TRY(run(c, &s, "searches", kinds[k].count));
        add_up(found, kinds[k].count);
        carom_record group = carom_record_group(c->record, "/searches/%s", kinds[k].name);
        carom_record_rows(&group, NULL, found, 1, sizeof *found, SEARCH_FIELDS,
                          COUNT(SEARCH_FIELDS));
    }
    return CAROM_OK;
}

/* --- which cells are motions ------------------------------------------------------------------ */

/** What bounds of gap and force say about the cells of one spectrum, or of all. */
typedef struct motions {
    int bottom_cells;
    int higher_cells;
    int bottom;    /**< motions in the bottom row */
    int higher;    /**< motions in the rows above it */
    int undecided; /**< cells */
} motions;

static const carom_field MOTION_FIELDS[] = {
    CAROM_FIELD("bottom_cells", motions, bottom_cells, "1", "cells of the bottom row, judged"),
    CAROM_FIELD("higher_cells", motions, higher_cells, "1", "cells of the two rows above it"),
    CAROM_FIELD("bottom", motions, bottom, "1", "motions in the bottom row"),
    CAROM_FIELD("higher", motions, higher, "1", "motions in the rows above it"),
    CAROM_FIELD("undecided", motions, undecided, "1", "cells that are not decided"),
};

/** Judge two columns of the bottom row and of the two above it. */
static carom_status judge(const carom_phase_spectra *spectra, const survey *s, int sample,
                          carom_report *report) {
    enum { JUDGED = 6 };
    motions *m = (motions *)s->found + sample;
    *m = (motions){.bottom = 0};
    for (int k = 0; k < JUDGED; k++) {
        const int row = k / COLUMNS;
        carom_impact_root root;
        CAROM_AUTO(carom_spectral_motion) motion = NULL;
        CAROM_TRY(carom_impact_roots_cell(spectra, first_column(spectra) + k % COLUMNS, row, &root,
                                          report));
        CAROM_TRY(carom_spectral_motion_compute(spectra, root.time, root.constrained_time, &motion,
                                                report));
        const carom_motion_bounds bounds = carom_motion_bounds_compute(motion);
        m->bottom_cells += row == 0 ? 1 : 0;
        m->higher_cells += row > 0 ? 1 : 0;
        m->bottom += bounds.is_realizable && row == 0 ? 1 : 0;
        m->higher += bounds.is_realizable && row > 0 ? 1 : 0;
        m->undecided += !bounds.is_gap_decided || !bounds.is_force_decided ? 1 : 0;
    }
    return CAROM_OK;
}

/** With one parity in each phase, and with parities mode by mode. */
static carom_status write_motions(const critical *c) {
    const int count = c->values->motions;
    CAROM_AUTO_MEMORY motions *found = malloc((size_t)count * sizeof *found);
    if (found == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int is_mixed = 0; is_mixed < 2; is_mixed++) {
        survey s = {
            .from = {.stream = is_mixed ? 7 : 6,
                     .kind = CAROM_SPECTRA_SINGLE,
                     .is_mixed = is_mixed == 1},
            .fewest = 2,
            .most = 7,
            .examine = judge,
            .found = found,
            .size = sizeof *found,
        };
        CAROM_TRY(run(c, &s, "motions", count));
        for (int i = 1; i < count; i++) {
            found->bottom_cells += found[i].bottom_cells;
            found->higher_cells += found[i].higher_cells;
            found->bottom += found[i].bottom;
            found->higher += found[i].higher;
            found->undecided += found[i].undecided;
        }
        carom_record group =
            carom_record_group(c->record, "/motions/%s", is_mixed ? "mixed" : "uniform");
        carom_record_rows(&group, NULL, found, 1, sizeof *found, MOTION_FIELDS,
                          COUNT(MOTION_FIELDS));
    }
    return CAROM_OK;
}

carom_status critical_region_write_random(const critical *c) {
    CAROM_TRY(write_slopes(c));
    CAROM_TRY(write_searches(c));
    return write_motions(c);
}
