/** Which cells of random spectra are motions: gap open, force repulsive, proved by bounds. */
#include "results.h"

#include <carom/base/parallel.h>

#include <math.h>
#include <stdlib.h>

/** Modes of the spectra: N = 2 to 7 in turn. */
enum { FEWEST = 2, MOST = 7 };
/** Columns and rows that are judged. */
enum { COLUMNS = 2, ROWS = 3 };

/** What the bounds say about the cells of one spectrum. */
typedef struct verdicts {
    int bottom;    /**< motions in the bottom row */
    int higher;    /**< motions in the rows above it */
    int undecided; /**< cells */
} verdicts;

typedef struct survey {
    recipe from;
    verdicts *found;
    carom_progress *progress;
} survey;

/** Judge one cell. */
static carom_status judge(const carom_phase_spectra *spectra, int column, int row, verdicts *v,
                          carom_report *report) {
    carom_impact_root root;
    carom_spectral_motion *motion = NULL;
    CAROM_TRY(carom_impact_roots_cell(spectra, column, row, &root, report));
    CAROM_TRY(
        carom_spectral_motion_compute(spectra, root.time, root.constrained_time, &motion, report));
    const carom_motion_bounds bounds = carom_motion_bounds_compute(motion);
    carom_spectral_motion_free(motion);
    v->bottom += bounds.is_realizable && row == 0 ? 1 : 0;
    v->higher += bounds.is_realizable && row > 0 ? 1 : 0;
    v->undecided += !bounds.is_gap_decided || !bounds.is_force_decided ? 1 : 0;
    return CAROM_OK;
}

static carom_status judge_one(int item, void *context, carom_report *report) {
    const survey *s = context;
    verdicts *v = &s->found[item];
    *v = (verdicts){.bottom = 0};
    carom_phase_spectra *spectra = NULL;
    const int N = FEWEST + item % (MOST - FEWEST + 1);
    CAROM_TRY(critical_region_draw(&s->from, item, N, &spectra, report));
    const int first = spectra->unconstrained_parity[N - 1] == CAROM_PARITY_EVEN ? 2 : 1;
    carom_status status = CAROM_OK;
    for (int k = 0; k < COLUMNS * ROWS && status == CAROM_OK; k++) {
        status = judge(spectra, first + k % COLUMNS, k / COLUMNS, v, report);
    }
    carom_phase_spectra_free(spectra);
    carom_progress_add(s->progress, 1);
    return status;
}

static carom_status run(const critical *c, bool is_mixed, unsigned long stream, verdicts *sum) {
    const int count = c->values->motions;
    survey s = {
        .from = {.seed = c->common->seed,
                 .stream = stream,
                 .kind = DRAWN_SINGLE,
                 .is_mixed = is_mixed},
        .found = malloc((size_t)count * sizeof *s.found),
    };
    *sum = (verdicts){.bottom = 0};
    if (s.found == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    s.progress = carom_progress_start("motions", count, "spectra", c->common->is_quiet);
    const carom_status status =
        carom_parallel_map(count, c->common->threads, judge_one, &s, c->report);
    carom_progress_finish(s.progress);
    for (int i = 0; i < count && status == CAROM_OK; i++) {
        sum->bottom += s.found[i].bottom;
        sum->higher += s.found[i].higher;
        sum->undecided += s.found[i].undecided;
    }
    free(s.found);
    return status;
}

carom_status critical_region_write_realizability(const critical *c) {
    verdicts uniform;
    verdicts mixed;
    CAROM_TRY(run(c, false, 6, &uniform));
    CAROM_TRY(run(c, true, 7, &mixed));
    const int bottom = COLUMNS * c->values->motions;
    const int higher = (ROWS - 1) * bottom;
    const carom_measure measures[] = {
        {"motions_bottom_cells", bottom, "1", "cells of the bottom row that are judged"},
        {"motions_higher_cells", higher, "1", "cells of the two rows above it"},
        {"motions_uniform_bottom", uniform.bottom, "1",
         "motions in the bottom row, one parity in each phase"},
        {"motions_uniform_higher", uniform.higher, "1", "motions in the rows above it"},
        {"motions_uniform_undecided", uniform.undecided, "1", "cells that are not decided"},
        {"motions_mixed_bottom", mixed.bottom, "1",
         "motions in the bottom row, parities mode by mode"},
        {"motions_mixed_higher", mixed.higher, "1", "motions in the rows above it"},
        {"motions_mixed_undecided", mixed.undecided, "1", "cells that are not decided"},
    };
    carom_record_measures(c->record, measures, COUNT(measures));
    return CAROM_OK;
}
