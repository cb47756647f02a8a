/** The chain and random structures, on which the theorems are checked. */
#include "results.h"

#include <carom/base/random.h>

#include <math.h>

/** Coordinates of random structures. */
enum { FEWEST = 2, MOST = 8 };

/** Samples of the random numbers of structures begin here, apart from those of other parts. */
enum { FIRST_SAMPLE = 100000 };

/** A number in (-1, 1) of structure `number`. */
static double draw(const oscillator *o, int number, int dimension) {
    const double u = carom_counter_uniform(o->common->seed, FIRST_SAMPLE + (unsigned long)number,
                                           (unsigned long)dimension);
    return 2.0 * u - 1.0;
}

/** A random definite matrix A'A + 1/2, entries of A from the given dimension on. */
static void fill(const oscillator *o, int number, int dimension, int n, double *matrix) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = i == j ? 0.5 : 0.0;
            for (int k = 0; k < n; k++) {
                sum +=
                    draw(o, number, dimension + k * n + i) * draw(o, number, dimension + k * n + j);
            }
            matrix[i * n + j] = sum;
        }
    }
}

carom_status serial_oscillator_make_structure(const oscillator *o, int number,
                                              carom_linear_system **out) {
    if (number == 0) {
        return carom_serial_chain_uniform_alloc(o->values->mass_count, o->values->gap, out,
                                                o->report);
    }
    const int n = FEWEST + number % (MOST - FEWEST + 1);
    carom_linear_system *system = NULL;
    CAROM_TRY(carom_linear_system_alloc(n, &system));
    fill(o, number, 0, n, system->mass);
    fill(o, number, n * n, n, system->stiffness);
    // Every third structure has its contact between two of its coordinates.
    for (int i = 0; i < n; i++) {
        system->contact_normal[i] = draw(o, number, 2 * n * n + i);
        if (number % 3 == 0) {
            system->contact_normal[i] = i == 0 ? 1.0 : (i == 1 ? -1.0 : 0.0);
        }
    }
    system->gap_at_rest = draw(o, number, 2 * n * n + n);
    *out = system;
    return CAROM_OK;
}

double serial_oscillator_draw_time(const oscillator *o, int number, int k, int j,
                                   double mean_flight) {
    // Flights between half the mean and one and a half of it.
    return mean_flight * (1.0 + 0.5 * draw(o, number, FIRST_SAMPLE + 16 * k + j));
}
