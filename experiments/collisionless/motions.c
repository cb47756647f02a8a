/** The roots and the motions that belong to them, in the record and on the terminal. */
#include "results.h"

#include <stdio.h>

/** Undecided regions shown on the terminal. */
enum { MOST_REGIONS = 8 };

carom_status collisionless_write_motions(const analysis *a) {
    CAROM_TRY(
        carom_collisionless_record_roots(&a->writer, a->roots, a->realizabilities, a->report));
    const int wanted = a->values->max_solutions;
    const int count = a->roots->count < wanted ? a->roots->count : wanted;
    carom_progress *progress =
        carom_progress_start("motions", count, "motions", a->common->is_quiet);
    carom_status status = CAROM_OK;
    for (int i = 0; i < count && status == CAROM_OK; i++) {
        carom_record group = carom_record_group(a->writer.record, "/solution_%02d", i);
        status =
            carom_collisionless_record_solution(&a->writer, &group, &a->roots->roots[i], a->report);
        if (status != CAROM_OK) {
            carom_report_set_context(a->report, group.group + 1);
        }
        carom_progress_add(progress, 1);
    }
    carom_progress_finish(progress);
    return status;
}

/** Why there is nothing to show. */
static const char *reason_of(const carom_root_list *roots) {
    if (roots->method == CAROM_ROOTS_NONE) {
        return "no mode oscillates in contact, so that there is no collisionless motion";
    }
    return roots->is_complete ? "there is no root in the box of impact times"
                              : "no root was found in the box of impact times";
}

/** The undecided part of the box: how much, and where. */
static void print_undecided(const analysis *a) {
    const carom_root_list *roots = a->roots;
    if (roots->boxes >= a->values->max_boxes) {
        printf("collisionless: --max-boxes %d were not enough\n", a->values->max_boxes);
    }
    printf("collisionless: %d parts of the box, %.2g of it, are undecided, there may be further "
           "roots:\n",
           roots->undecided, roots->undecided_share);
    for (int k = 0; k < roots->region_count && k < MOST_REGIONS; k++) {
        const carom_undecided_region *r = &roots->regions[k];
        printf("  tau from %.6g to %.6g s, tau' from %.6g to %.6g s: ", r->time[0], r->time[1],
               r->constrained_time[0], r->constrained_time[1]);
        if (!r->is_searched) {
            puts("not searched");
        } else if (a->roots->method == CAROM_ROOTS_SUBDIVISION) {
            puts("the conditions hold to 1e-6, singular roots or nearly so");
        } else {
            puts("its root was not found");
        }
    }
    if (roots->region_count > MOST_REGIONS) {
        printf("  and %d further regions, which are in the record\n",
               roots->region_count - MOST_REGIONS);
    }
}

void collisionless_print(const analysis *a) {
    const carom_root_list *roots = a->roots;
    if (roots->count == 0) {
        printf("collisionless: %s\n", reason_of(roots));
    }
    if (roots->count > a->values->max_solutions) {
        printf("collisionless: motions were written for the first %d of %d roots\n",
               a->values->max_solutions, roots->count);
    }
    if (roots->singular > 0) {
        printf("collisionless: singular roots: %d, each to rounding a piece of a curve of which "
               "the middle is listed\n",
               roots->singular);
    }
    if (roots->undecided > 0) {
        print_undecided(a);
    }
}
