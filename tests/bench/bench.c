/*
 * Costs: of a time step, without recording, against the number of coordinates and contacts; of the
 * points, equations, solutions and arcs of nonsmooth modes against the numbers of coordinates and
 * of impacts; of complementarity problems and sampled frictional impacts. Each figure is the median
 * over several batches.
 *
 *     bench [--json FILE]
 */
#include "bench.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Batches of a row; of operations that take this long, fewer. */
enum { BATCHES = 7, LONG_BATCHES = 3 };
static const double LONG_TIME = 1.0; /* s */

/* Operations per batch are chosen so that a batch takes about this long, s. */
static const double BATCH_TIME = 0.04;

double bench_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Operations that fill a batch, at most `most`. */
static long choose_count(bench_batch batch, long most, void *context) {
    long count = 1;
    while (count < most) {
        const double elapsed = batch(count, context);
        if (elapsed < 0.0 || elapsed > 0.5 * BATCH_TIME) {
            break;
        }
        count *= 2;
    }
    return count < most ? count : most;
}

int bench_measure(bench_table *table, bench_row row, bench_batch batch, long most, void *context) {
    const long count = choose_count(batch, most, context);
    double cost[BATCHES];
    int batches = BATCHES;
    for (int b = 0; b < batches; b++) {
        const double elapsed = batch(count, context);
        if (elapsed < 0.0 || table->count == BENCH_MAX_ROWS) {
            fprintf(stderr, "bench: %s, %s: failed\n", row.system, row.method);
            return 1;
        }
        const double each = elapsed / (double)count;
        cost[b] = row.unit.is_rate ? row.unit.factor / each : row.unit.factor * each;
        batches = elapsed > LONG_TIME ? LONG_BATCHES : batches;
    }
    gsl_sort(cost, 1, (size_t)batches);
    row.cost = cost[batches / 2];
    row.spread = (cost[batches - 1] - cost[0]) / row.cost;
    table->rows[table->count++] = row;
    return 0;
}

static void print_table(const bench_table *table) {
    printf("work: n for a time step, n k^2 for the equations of k impacts\n");
    printf("%-16s %-36s %11s %8s %7s %11s %-17s %9s %7s %8s\n", "system", "method", "coordinates",
           "contacts", "impacts", "cost", "unit", "cost/work", "spread", "target");
    for (int i = 0; i < table->count; i++) {
        const bench_row *r = &table->rows[i];
        printf("%-16s %-36s %11d %8d ", r->system, r->method, r->coordinates, r->contacts);
        if (r->impacts > 0) {
            printf("%7d", r->impacts);
        } else {
            printf("%7s", "-");
        }
        printf(" %11.*f %-17s ", r->cost < 100.0 ? 3 : 1, r->cost, r->unit.name);
        if (isfinite(r->work)) {
            printf("%9.4f", r->cost / r->work);
        } else {
            printf("%9s", "-");
        }
        printf(" %6.0f%%", 100.0 * r->spread);
        if (isfinite(r->target)) {
            printf(" %c%7g", r->unit.is_rate ? '>' : '<', r->target);
        }
        printf("\n");
    }
}

static int write_json(const bench_table *table, const char *path) {
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        fprintf(stderr, "bench: cannot write %s\n", path);
        return 1;
    }
    fprintf(file, "[\n");
    for (int i = 0; i < table->count; i++) {
        const bench_row *r = &table->rows[i];
        fprintf(file,
                "  {\"system\": \"%s\", \"method\": \"%s\", \"coordinates\": %d, \"contacts\": %d, "
                "\"impacts\": %d, \"cost\": %.6g, \"unit\": \"%s\", \"spread\": %.3g",
                r->system, r->method, r->coordinates, r->contacts, r->impacts, r->cost,
                r->unit.name, r->spread);
        if (isfinite(r->target)) {
            fprintf(file, ", \"target\": %g", r->target);
        }
        fprintf(file, "}%s\n", i + 1 < table->count ? "," : "");
    }
    fprintf(file, "]\n");
    return fclose(file) == 0 ? 0 : 1;
}

int main(int argc, char **argv) {
    const char *json = NULL;
    if (argc == 3 && strcmp(argv[1], "--json") == 0) {
        json = argv[2];
    } else if (argc != 1) {
        fprintf(stderr, "usage: bench [--json FILE]\n");
        return 2;
    }
    gsl_set_error_handler_off();
    static bench_table table;
    const int failures = bench_timestepping(&table) + bench_modes(&table) + bench_lcp(&table) +
                         bench_impact(&table) + bench_collisionless(&table) +
                         bench_propagative(&table) + bench_impact_laws(&table);
    print_table(&table);
    if (json != NULL && write_json(&table, json) != 0) {
        return 1;
    }
    return failures == 0 ? 0 : 1;
}
