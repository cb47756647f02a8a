#include <carom/study/internal.h>

#include <math.h>
#include <stdlib.h>

/** Cells between zero and the largest value that the energy before the impact allows: a quantile is
 * known to half of one. Cells of speeds lie on both sides of zero, which is the centre of one. */
enum { CELLS = 512, SPAN = 2 * CELLS + 1 };

/** Shares of samples that lie below. */
static const double SHARES[] = {0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};
enum { SHARE_COUNT = sizeof SHARES / sizeof SHARES[0] };

struct carom_sample_quantiles {
    const carom_impact_problem *problem;
    int finished;
    int *cells; /**< [1 + r][SPAN] samples: of the kinetic energy, then of each speed; owned */
};

carom_status carom_sample_quantiles_alloc(const carom_impact_problem *problem,
                                          carom_sample_quantiles **out) {
    CAROM_ASSERT(problem != NULL && out != NULL);
    *out = NULL;
    CAROM_AUTO(carom_sample_quantiles) all = calloc(1, sizeof *all);
    if (all == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    all->problem = problem;
    all->cells = calloc((1 + (size_t)problem->row_count) * SPAN, sizeof *all->cells);
    if (all->cells == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_HAND_OVER(all, out);
    return CAROM_OK;
}

void carom_sample_quantiles_free(carom_sample_quantiles *all) {
    if (all != NULL) {
        free(all->cells);
        free(all);
    }
}

/** Count a value; rounding beyond the largest one belongs to the last cell. */
static void count(int *cells, double value, double largest) {
    const double place = largest > 0.0 ? value / largest : 0.0;
    cells[CELLS + (int)lround(CELLS * fmax(-1.0, fmin(place, 1.0)))]++;
}

void carom_sample_quantiles_add(carom_sample_quantiles *all, const carom_impact_samples *samples) {
    CAROM_ASSERT(all != NULL && samples != NULL);
    const carom_impact_problem *problem = all->problem;
    const int r = problem->row_count;
    for (int i = 0; i < samples->count; i++) {
        if (samples->is_finished[i] == 0) {
            continue;
        }
        const double *c = samples->contact_velocity + (size_t)i * (size_t)r;
        all->finished++;
        count(all->cells, samples->kinetic_energy[i], problem->kinetic_energy);
        for (int a = 0; a < r; a++) {
            count(all->cells + (size_t)(1 + a) * SPAN, c[a], problem->speed_scale[a]);
        }
    }
}

/** Centre of the cell below or in which this share of the samples lies. */
static double find_quantile(const int *cells, int total, double share, double largest) {
    double below = cells[0];
    int cell = 0;
    while (cell < SPAN - 1 && below < share * total) {
        cell++;
        below += cells[cell];
    }
    return (double)(cell - CELLS) / CELLS * largest;
}

/** Those of `columns` quantities that follow each other, over shares and an axis of theirs. */
static carom_status write(const carom_sample_quantiles *all, carom_record *group, const char *name,
                          int first, int columns, const char *axis, const carom_measure *meaning) {
    CAROM_AUTO_MEMORY double *values = malloc(SHARE_COUNT * (size_t)columns * sizeof *values);
    if (values == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < SHARE_COUNT; k++) {
        for (int a = 0; a < columns; a++) {
            const int quantity = first + a;
            const double largest = quantity == 0 ? all->problem->kinetic_energy
                                                 : all->problem->speed_scale[quantity - 1];
            values[k * columns + a] = all->finished > 0
                                          ? find_quantile(all->cells + (size_t)quantity * SPAN,
                                                          all->finished, SHARES[k], largest)
                                          : (double)NAN;
        }
    }
    carom_record_series(group, name, values, "share", axis, meaning->units, meaning->long_name);
    return CAROM_OK;
}

carom_status carom_sample_quantiles_write(const carom_sample_quantiles *all, carom_record *record) {
    CAROM_ASSERT(all != NULL && record != NULL);
    const int m = all->problem->contact_count;
    const int tangents = all->problem->row_count - m;
    const char *tangent = all->problem->tangent_count == 1 ? "/contact" : "/tangent";
    carom_record group = carom_record_group(record, "set/quantiles");
    carom_record_axis(&group, "share", SHARE_COUNT, SHARES, "1",
                      "share of finished samples that lie below");
    const carom_measure energy = {
        .units = "J",
        .long_name = "quantiles of the kinetic energy at the end, to a thousandth of that before"};
    const carom_measure normal = {
        .units = "m s-1",
        .long_name = "quantiles of the normal velocity at the end, to a thousandth of the largest "
                     "speed that the energy before allows"};
    const carom_measure tangential = {
        .units = "m s-1", .long_name = "quantiles of the tangential velocity, to as much"};
    CAROM_TRY(write(all, &group, "kinetic_energy", 0, 1, NULL, &energy));
    CAROM_TRY(write(all, &group, "normal_velocity", 1, m, "/contact", &normal));
    return write(all, &group, "tangential_velocity", 1 + m, tangents, tangent, &tangential);
}
