/** Boxes of impact times of random spectra, searched completely and without a guess. */
#include "results.h"

#include <carom/base/parallel.h>

#include <math.h>
#include <stdlib.h>

/** Modes of the spectra: N = 2 to 6 in turn. */
enum { FEWEST = 2, MOST = 6 };
/** Several oscillating modes: N = 3. */
enum { MODES_OF_SEVERAL = 3 };
/** Near-critical spectra, and those with several oscillating modes, are so many times fewer. */
enum { FEWER = 3 };
/** Of a spectrum with one oscillating mode in each phase: 2 x 2 cells. */
enum { COLUMNS = 2, ROWS = 2, CELLS = COLUMNS * ROWS };
/** Parts of a box; some thousands are usual. */
enum { MOST_BOXES = 1000000 };

/** Least impact times and phases that are searched: at zero lies the trivial solution. */
static const double LEAST_TIME = 0.05;
static const double LEAST_PHASE = 1e-3;
/** Largest times where no root can be, and where many are: doubled, so often at most, until there
 * is one. */
static const double LONGEST_TIME = 10.0;
static const double LONG_TIME = 4.0;
enum { DOUBLINGS = 3 };
/** lambda'_{N-1} of near-critical spectra, 1/s2: that of figure 2. */
static const double NEAR_CRITICAL = 0.01;
/** What is found in one box. */
typedef struct search {
    int roots;
    int boxes;
    int undecided;
    int single_cells;  /**< cells with exactly one root */
    double difference; /**< of the roots by cells, rad */
    double time;       /**< largest impact time of the box, s */
} search;

/** All searches of one kind of spectra. */
typedef struct survey {
    recipe from;
    search *found;
    carom_progress *progress;
} survey;

/** Whether a root lies in a cell [4] of impact phases. */
static bool is_in(const carom_phase_spectra *spectra, const carom_impact_root *root,
                  const double *cell) {
    const double phase = critical_region_frequency(spectra) * root->time;
    const double constrained =
        critical_region_constrained_frequency(spectra) * root->constrained_time;
    return phase > cell[0] && phase < cell[1] && constrained > cell[2] && constrained < cell[3];
}

/** Distance of two roots in the plane of impact phases. */
static double distance(const carom_phase_spectra *spectra, const carom_impact_root *a,
                       const carom_impact_root *b) {
    return hypot(critical_region_frequency(spectra) * (a->time - b->time),
                 critical_region_constrained_frequency(spectra) *
                     (a->constrained_time - b->constrained_time));
}

/** The first column whose cells hold roots. */
static int first_column(const carom_phase_spectra *spectra) {
    const int N = spectra->mode_count;
    return spectra->unconstrained_parity[N - 1] == CAROM_PARITY_EVEN ? 2 : 1;
}

/** Whether spectra have one oscillating mode in each phase. */
static bool has_cells(drawn_kind kind) {
    return kind == DRAWN_SINGLE || kind == DRAWN_CRITICAL;
}

/** A box of impact times. */
static carom_status box_of(const carom_phase_spectra *spectra, drawn_kind kind,
                           carom_root_search_params *box) {
    *box = carom_root_search_params_default();
    box->max_boxes = MOST_BOXES;
    box->min_time = LEAST_TIME;
    box->min_constrained_time = LEAST_TIME;
    box->max_time = kind == DRAWN_NONE ? LONGEST_TIME : LONG_TIME;
    box->max_constrained_time = box->max_time;
    if (!has_cells(kind)) {
        return CAROM_OK;
    }
    double lower[4];
    double upper[4];
    const int column = first_column(spectra);
    CAROM_TRY(carom_asymptotic_roots_cell(spectra, column, 0, lower));
    CAROM_TRY(carom_asymptotic_roots_cell(spectra, column + COLUMNS - 1, ROWS - 1, upper));
    const double omega = critical_region_frequency(spectra);
    const double constrained_omega = critical_region_constrained_frequency(spectra);
    box->min_time = lower[0] / omega;
    box->max_time = upper[1] / omega;
    box->min_constrained_time = fmax(lower[2], LEAST_PHASE) / constrained_omega;
    box->max_constrained_time = upper[3] / constrained_omega;
    return CAROM_OK;
}

/*[criticalCells]*/
/** Count the roots of every cell, and compare the only one with that of the list by cells. */
static carom_status count_cells(const carom_phase_spectra *spectra, const carom_root_list *list,
                                search *s, carom_report *report) {
    const int first = first_column(spectra);
    for (int k = 0; k < CELLS; k++) {
        const int column = first + k % COLUMNS;
        const int row = k / COLUMNS;
        double cell[4];
        carom_impact_root root;
        CAROM_TRY(carom_asymptotic_roots_cell(spectra, column, row, cell));
        CAROM_TRY(carom_impact_roots_cell(spectra, column, row, &root, report));
        int roots = 0;
        double difference = 0.0;
        for (int i = 0; i < list->count; i++) {
            const carom_impact_root *found = &list->roots[i];
            if (is_in(spectra, found, cell)) {
                roots++;
                difference = distance(spectra, found, &root);
            }
        }
        s->single_cells += roots == 1 ? 1 : 0;
        s->difference = fmax(s->difference, difference);
    }
    return CAROM_OK;
}
/*[end criticalCells]*/

/** Search one box by subdivision; where many roots are expected, larger ones until there is one. */
static carom_status search_box(const carom_phase_spectra *spectra, drawn_kind kind, search *s,
                               carom_report *report) {
    carom_root_search_params box;
    carom_root_list *list = NULL;
    CAROM_TRY(box_of(spectra, kind, &box));
    box.use_subdivision = true;
    CAROM_TRY(carom_impact_roots_find(spectra, &box, &list, report));
    s->boxes = list->boxes;
    s->undecided = list->undecided;
    for (int k = 0; k < DOUBLINGS && kind == DRAWN_SEVERAL && list->count == 0; k++) {
        carom_root_list_free(list);
        box.max_time *= 2.0;
        box.max_constrained_time *= 2.0;
        CAROM_TRY(carom_impact_roots_find(spectra, &box, &list, report));
        s->boxes += list->boxes;
        s->undecided += list->undecided;
    }
    s->roots = list->count;
    s->time = box.max_time;
    const carom_status status = has_cells(kind) ? count_cells(spectra, list, s, report) : CAROM_OK;
    carom_root_list_free(list);
    return status;
}

static carom_status search_one(int item, void *context, carom_report *report) {
    const survey *v = context;
    const bool is_several = v->from.kind == DRAWN_SEVERAL;
    const int modes = is_several ? (int)MODES_OF_SEVERAL : FEWEST + item % (MOST - FEWEST + 1);
    v->found[item] = (search){.roots = 0};
    carom_phase_spectra *spectra = NULL;
    CAROM_TRY(critical_region_draw(&v->from, item, modes, &spectra, report));
    const carom_status status = search_box(spectra, v->from.kind, &v->found[item], report);
    carom_phase_spectra_free(spectra);
    carom_progress_add(v->progress, 1);
    return status;
}

/** Sums over all boxes of a kind. */
typedef struct total {
    int spectra;
    int roots;
    int with_roots; /**< spectra */
    double boxes;
    int undecided;
    int single_cells;
    double difference;
    double time; /**< largest of any box, s */
} total;

static carom_status run(const critical *c, drawn_kind kind, unsigned long stream, int count,
                        total *sum) {
    survey v = {
        .from = {.seed = c->common->seed,
                 .stream = stream,
                 .kind = kind,
                 .is_mixed = true,
                 .critical_eigenvalue = NEAR_CRITICAL},
        .found = malloc((size_t)count * sizeof *v.found),
    };
    *sum = (total){.spectra = count};
    if (v.found == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    v.progress = carom_progress_start("searches", count, "spectra", c->common->is_quiet);
    const carom_status status =
        carom_parallel_map(count, c->common->threads, search_one, &v, c->report);
    carom_progress_finish(v.progress);
    for (int i = 0; i < count && status == CAROM_OK; i++) {
        const search *s = &v.found[i];
        sum->roots += s->roots;
        sum->with_roots += s->roots > 0 ? 1 : 0;
        sum->boxes += s->boxes;
        sum->undecided += s->undecided;
        sum->single_cells += s->single_cells;
        sum->difference = fmax(sum->difference, s->difference);
        sum->time = fmax(sum->time, s->time);
    }
    free(v.found);
    return status;
}

/** Numbers of all searches. */
static void write_totals(const critical *c, const total *none, const total *cells,
                         const total *near, const total *several) {
    const carom_measure measures[] = {
        {"search_none_spectra", none->spectra, "1",
         "random spectra without an oscillating constrained mode"},
        {"search_none_roots", none->roots, "1", "their roots in a box of 10 s by 10 s"},
        {"search_none_boxes", none->boxes, "1", "parts of the boxes that were examined"},
        {"search_none_undecided", none->undecided, "1", "parts that were not decided"},
        {"search_cells", CELLS * cells->spectra, "1",
         "cells of random spectra with one oscillating mode in each phase"},
        {"search_single_cells", cells->single_cells, "1", "of which hold exactly one root"},
        {"search_cells_undecided", cells->undecided, "1", "parts that were not decided"},
        {"search_cells_difference", cells->difference, "rad",
         "largest distance of such a root from that of the list by cells"},
        {"search_near_cells", CELLS * near->spectra, "1", "cells of random near-critical spectra"},
        {"search_near_single_cells", near->single_cells, "1", "of which hold exactly one root"},
        {"search_near_undecided", near->undecided, "1", "parts that were not decided"},
        {"search_several_spectra", several->spectra, "1",
         "random spectra of N = 3 with two oscillating modes in each phase"},
        {"search_several_with_roots", several->with_roots, "1", "of which have a root in the box"},
        {"search_several_time", several->time, "s", "side of the largest box that was needed"},
        {"search_several_undecided", several->undecided, "1", "parts that were not decided"},
    };
    carom_record_measures(c->record, measures, COUNT(measures));
}

carom_status critical_region_write_searches(const critical *c) {
    const int count = c->values->searches;
    const int fewer = (count + FEWER - 1) / FEWER;
    total none;
    total cells;
    total near;
    total several;
    CAROM_TRY(run(c, DRAWN_NONE, 2, count, &none));
    CAROM_TRY(run(c, DRAWN_SINGLE, 3, count, &cells));
    CAROM_TRY(run(c, DRAWN_CRITICAL, 4, fewer, &near));
    CAROM_TRY(run(c, DRAWN_SEVERAL, 5, fewer, &several));
    write_totals(c, &none, &cells, &near, &several);
    return CAROM_OK;
}
