/*
 * Costs: of a time step, without recording, against the number of coordinates and contacts; of the
 * points, equations, solutions and branches of nonsmooth modes against the numbers of coordinates
 * and of impacts; of complementarity problems and sampled frictional impacts. Each figure is the
 * median over several batches, and so is its ratio to a control of fixed work that runs before and
 * after each. Where the number of contacts grows tenfold, the exponent of the cost stands below.
 *
 *     bench [--json FILE] [--only SUBJECT]
 */
#include "bench.h"

#include <gsl/gsl_errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void print_table(const bench_table *table) {
    printf(
        "work: n for a time step, n k^2 for the equations of k impacts\n"
        "ratio: time of one operation by that of 1000 multiply-adds beside it, and its spread\n");
    printf("%-18s %-36s %11s %8s %7s %11s %-9s %9s %11s %7s %8s\n", "system", "method",
           "coordinates", "contacts", "impacts", "cost", "unit", "cost/work", "ratio", "spread",
           "target");
    for (int i = 0; i < table->count; i++) {
        const bench_row *r = &table->rows[i];
        printf("%-18s %-36s %11d %8d ", r->system, r->method, r->coordinates, r->contacts);
        if (r->impacts > 0) {
            printf("%7d", r->impacts);
        } else {
            printf("%7s", "-");
        }
        printf(" %11.*f %-9s ", r->cost < 100.0 ? 3 : 1, r->cost, r->unit.name);
        if (isfinite(r->work)) {
            printf("%9.4f", r->cost / r->work);
        } else {
            printf("%9s", "-");
        }
        if (r->rounds > 0) {
            printf(" %11.4g %5.0f%%%c", r->ratio, 100.0 * r->spread,
                   r->spread > BENCH_WIDE_SPREAD ? '!' : ' ');
        } else {
            printf(" %11s %7s", "-", "-");
        }
        if (isfinite(r->target)) {
            printf(" %c%7g", r->unit.is_rate ? '>' : '<', r->target);
        }
        printf("\n");
    }
}

static bool are_alike(const bench_row *a, const bench_row *b) {
    return strcmp(a->system, b->system) == 0 && strcmp(a->method, b->method) == 0 &&
           !a->unit.is_rate && !a->unit.is_ratio;
}

/* Of what was measured with ten times as many contacts and more: the exponent of the ratio between
 * the first row and the last. */
static void print_exponents(const bench_table *table) {
    for (int i = 0, end = 0; i < table->count; i = end) {
        const bench_row *first = &table->rows[i];
        for (end = i + 1; end < table->count && are_alike(first, &table->rows[end]);) {
            end++;
        }
        const bench_row *last = &table->rows[end - 1];
        const double more = (double)last->contacts / fmax(1.0, first->contacts);
        if (more >= 10.0 && first->ratio > 0.0 && last->ratio > 0.0) {
            printf("%s, %s: %d to %d contacts, exponent %.2f\n", first->system, first->method,
                   first->contacts, last->contacts, log(last->ratio / first->ratio) / log(more));
        }
    }
}

static int write_json(const bench_table *table, const char *path) {
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        fprintf(stderr, "bench: cannot write %s\n", path);
        return 1;
    }
    for (int i = 0; i < table->count; i++) {
        const bench_row *r = &table->rows[i];
        fprintf(file,
                "  {\"system\": \"%s\", \"method\": \"%s\", \"coordinates\": %d, \"contacts\": %d, "
                "\"impacts\": %d, \"cost\": %.6g, \"unit\": \"%s\"",
                r->system, r->method, r->coordinates, r->contacts, r->impacts, r->cost,
                r->unit.name);
        if (r->rounds > 0) {
            fprintf(file, ", \"ratio\": %.6g, \"spread\": %.3g, \"rounds\": %d", r->ratio,
                    r->spread, r->rounds);
        }
        if (isfinite(r->target)) {
            fprintf(file, ", \"target\": %g", r->target);
        }
        fprintf(file, "}%s\n", i + 1 < table->count ? "," : "");
    }
    return fclose(file) == 0 ? 0 : 1;
}

/* What is measured, in the order of the table. */
static const struct {
    const char *name;
    int (*measure)(bench_table *table);
} subjects[] = {
    {"timestepping", bench_timestepping},
    {"steps", bench_steps},
    {"modes", bench_modes},
    {"lcp", bench_lcp},
    {"contact", bench_contact},
    {"impact", bench_impact},
    {"collisionless", bench_collisionless},
    {"propagative", bench_propagative},
    {"impact_laws", bench_impact_laws},
};

int main(int argc, char **argv) {
    const char *json = NULL;
    const char *only = NULL;
    for (int i = 1; i < argc; i += 2) {
        const char **value = strcmp(argv[i], "--json") == 0   ? &json
                             : strcmp(argv[i], "--only") == 0 ? &only
                                                              : NULL;
        if (value == NULL || i + 1 == argc) {
            fprintf(stderr, "usage: bench [--json FILE] [--only SUBJECT]\n");
            return 2;
        }
        *value = argv[i + 1];
    }
    gsl_set_error_handler_off();
    static bench_table table;
    int failures = 0;
    for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
        if (only == NULL || strcmp(only, subjects[i].name) == 0) {
            failures += subjects[i].measure(&table);
        }
    }
    if (table.count == 0) {
        fprintf(stderr, "bench: nothing was measured\n");
        return 2;
    }
    print_table(&table);
    print_exponents(&table);
    if (json != NULL && write_json(&table, json) != 0) {
        return 1;
    }
    return failures == 0 ? 0 : 1;
}
