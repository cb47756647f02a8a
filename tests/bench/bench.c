/*
 * Costs: of a time step, without recording, against the number of coordinates and contacts; of the
 * points, equations, solutions and arcs of nonsmooth modes against the numbers of coordinates and
 * of impacts; of complementarity problems and sampled frictional impacts. Each figure is the median
 * over several batches, and so is its ratio to a control of fixed work that runs before and after
 * each.
 *
 *     bench [--json FILE] [--only SUBJECT]
 */
#include "bench.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Batches of a round; of operations that take this long, fewer. */
enum { BATCHES = 7, LONG_BATCHES = 3 };
static const double LONG_TIME = 1.0; /* s */

/* Rounds are repeated until their ratios spread less than this, at most so often. */
static const double WIDE_SPREAD = 0.2;
enum { MOST_ROUNDS = 4, MOST_LONG_ROUNDS = 2 };

/* Operations per batch are chosen so that a batch takes about this long, s. */
static const double BATCH_TIME = 0.04;

/* The control: products of a matrix with a vector that changes a little each time, repeated for at
 * least this part of a batch. */
enum { CONTROL_SIZE = 64, CONTROL_PRODUCTS = 64 };
static const double CONTROL_SHARE = 0.1;

static double read_clock(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double bench_seconds(void) {
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

double bench_wall_seconds(void) {
    return read_clock(CLOCK_MONOTONIC);
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

/* A row of the product, summed in order as the library sums. */
static double control_row(const double *row, const double *x) {
    double sum = 0.0;
    for (int j = 0; j < CONTROL_SIZE; j++) {
        sum += row[j] * x[j];
    }
    return sum;
}

/* Time of 1000 multiply-adds, s, from whole sets of products that take at least so many seconds. */
static double time_control(double seconds) {
    static double A[CONTROL_SIZE * CONTROL_SIZE];
    double x[CONTROL_SIZE];
    for (int i = 0; i < CONTROL_SIZE; i++) {
        x[i] = 1.0;
        for (int j = 0; j < CONTROL_SIZE; j++) {
            A[i * CONTROL_SIZE + j] = 1.0 / (double)(1 + i + j);
        }
    }
    const double thousands = 1e-3 * CONTROL_PRODUCTS * CONTROL_SIZE * CONTROL_SIZE;
    const double begin = bench_seconds();
    double elapsed = 0.0;
    long sets = 0;
    do {
        for (int k = 0; k < CONTROL_PRODUCTS; k++) {
            const int row = k % CONTROL_SIZE;
            double largest = 0.0;
            for (int i = 0; i < CONTROL_SIZE; i++) {
                largest = fmax(largest, control_row(A + i * CONTROL_SIZE, x));
            }
            x[row] = 1.0 / (1.0 + largest); /* what the next product starts from */
        }
        sets++;
        elapsed = bench_seconds() - begin;
    } while (elapsed < seconds);
    return elapsed / ((double)sets * thousands);
}

static double spread_of(const double *sorted, int count) {
    return (sorted[count - 1] - sorted[0]) / sorted[count / 2];
}

/* One round of batches into cost, ratio and spread of the row. @return whether they are long; -1
 * after a failure */
static int measure_round(bench_row *row, bench_batch batch, long count, void *context) {
    double cost[BATCHES];
    double ratio[BATCHES];
    int batches = BATCHES;
    double before = time_control(CONTROL_SHARE * BATCH_TIME);
    for (int b = 0; b < batches; b++) {
        const double elapsed = batch(count, context);
        if (elapsed < 0.0) {
            return -1;
        }
        const double after = time_control(CONTROL_SHARE * elapsed);
        const double each = elapsed / (double)count;
        cost[b] = row->unit.is_rate ? row->unit.factor / each : row->unit.factor * each;
        ratio[b] = row->unit.is_ratio ? each : each / (0.5 * (before + after));
        before = after;
        batches = elapsed > LONG_TIME ? LONG_BATCHES : batches;
    }
    gsl_sort(cost, 1, (size_t)batches);
    gsl_sort(ratio, 1, (size_t)batches);
    row->cost = cost[batches / 2];
    row->ratio = ratio[batches / 2];
    row->spread = spread_of(ratio, batches);
    return batches < BATCHES ? 1 : 0;
}

int bench_measure(bench_table *table, bench_row row, bench_batch batch, long most, void *context) {
    const long count = choose_count(batch, most, context);
    row.spread = HUGE_VAL;
    int most_rounds = MOST_ROUNDS;
    for (int r = 0; r < most_rounds && row.spread > WIDE_SPREAD; r++) {
        bench_row round = row;
        const int is_long = measure_round(&round, batch, count, context);
        if (is_long < 0 || table->count == BENCH_MAX_ROWS) {
            fprintf(stderr, "bench: %s, %s: failed\n", row.system, row.method);
            return 1;
        }
        row = round.spread < row.spread ? round : row;
        row.rounds = r + 1;
        most_rounds = is_long ? MOST_LONG_ROUNDS : most_rounds;
    }
    table->rows[table->count++] = row;
    return 0;
}

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
                   r->spread > WIDE_SPREAD ? '!' : ' ');
        } else {
            printf(" %11s %7s", "-", "-");
        }
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
    {"modes", bench_modes},
    {"lcp", bench_lcp},
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
    if (json != NULL && write_json(&table, json) != 0) {
        return 1;
    }
    return failures == 0 ? 0 : 1;
}
