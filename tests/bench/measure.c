/* One timing beside a control of fixed work (bench.h). */
#include "bench.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdio.h>
#include <time.h>

/* Batches of a round; of operations that take this long, fewer. */
enum { BATCHES = 7, LONG_BATCHES = 3 };
static const double LONG_TIME = 1.0; /* s */

/* Rounds are repeated until their ratios spread less than BENCH_WIDE_SPREAD, at most so often. */
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
    for (int r = 0; r < most_rounds && row.spread > BENCH_WIDE_SPREAD; r++) {
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
