/** The exact motion of the bar, by which its runs are judged: the travelling wave of d'Alembert. */
#include "results.h"

#include <math.h>
#include <stdlib.h>

double elastic_bar_exact_gap(const carom_elastic_bar_params *bar, double t) {
    double displacement = 0.0;
    double velocity = 0.0;
    carom_elastic_bar_exact_state(bar, 0.0, t, &displacement, &velocity);
    return bar->initial_gap + displacement;
}

double elastic_bar_exact_take_off(const carom_elastic_bar_params *bar) {
    return carom_elastic_bar_exact_impact_time(bar) + carom_elastic_bar_exact_contact_duration(bar);
}

void elastic_bar_write_exact(const results *all, carom_record *record) {
    const carom_elastic_bar_params *bar = &all->values->bar;
    const double t_i = carom_elastic_bar_exact_impact_time(bar);
    const double duration = carom_elastic_bar_exact_contact_duration(bar);
    const double force = carom_elastic_bar_exact_contact_force(bar);

    /* c h / dx: the wave passes each element twice within the duration of the contact. */
    const double courant = 2.0 * bar->elements * all->values->schemes.step / duration;
    carom_record_measure(record, "courant_number", courant, "1",
                         "Courant number c h / dx of the default step");
    carom_record_scalar(record, "/exact/contact_duration", duration, "s",
                        "time that the wave takes to the free end and back");
    carom_record_scalar(record, "/exact/contact_force", force, "N",
                        "force on the wall while the contact is closed");
    if (!isfinite(t_i)) {
        return;
    }

    /* One impact, which lasts until take-off. */
    const double t_o = elastic_bar_exact_take_off(bar);
    const double impulse = force * duration;
    const char axis[] = "/exact/impacts/time";
    carom_record_scalar(record, "/exact/take_off_time", t_o, "s",
                        "instant at which the wave is back at the wall");
    carom_record_axis(record, axis, 1, &t_i, "s", "instant of the impact");
    carom_record_series(record, "/exact/impacts/impulse", &impulse, axis, NULL, "N s",
                        "impulse of the whole contact");
}

/** The exact motion at the nodes and times of a run; one block, owned through `position`. */
typedef struct samples {
    double *position; /**< [row][node] m */
    double *velocity; /**< [row][node] m/s */
    double *gap;      /**< [row] m */
    double *gap_rate; /**< [row] m/s */
    double *force;    /**< [row] N */
    double *energy;   /**< [row] J */
} samples;

static carom_status samples_alloc(const carom_trajectory *like, samples *out) {
    const size_t rows = (size_t)like->row_count;
    const size_t nodes = (size_t)like->coordinate_count;
    double *block = calloc(2 * rows * nodes + 4 * rows, sizeof *block);
    if (block == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    out->position = block;
    out->velocity = out->position + rows * nodes;
    out->gap = out->velocity + rows * nodes;
    out->gap_rate = out->gap + rows;
    out->force = out->gap_rate + rows;
    out->energy = out->force + rows;
    return CAROM_OK;
}

/** Fill the samples; the energy is that at the beginning, since the exact bar keeps it. */
static void sample(const carom_elastic_bar_params *bar, const carom_trajectory *like,
                   samples *out) {
    const size_t nodes = (size_t)like->coordinate_count;
    const double t_i = carom_elastic_bar_exact_impact_time(bar);
    const double t_o = elastic_bar_exact_take_off(bar);
    const double closed_force = carom_elastic_bar_exact_contact_force(bar);
    for (size_t row = 0; row < (size_t)like->row_count; row++) {
        const double t = like->time[row];
        for (size_t i = 0; i < nodes; i++) {
            const double x = bar->length * (double)i / bar->elements;
            const size_t k = row * nodes + i;
            carom_elastic_bar_exact_state(bar, x, t, &out->position[k], &out->velocity[k]);
        }
        out->gap[row] = elastic_bar_exact_gap(bar, t);
        out->gap_rate[row] = out->velocity[row * nodes];
        out->force[row] = t >= t_i && t < t_o ? closed_force : 0.0;
        out->energy[row] = like->energy[0];
    }
}

/** Write the samples with the datasets and axes of a run. */
static void write_samples(const samples *exact, const carom_trajectory *like,
                          carom_record *record) {
    const char time[] = "/reference/time";
    const char node[] = "/reference/coordinate";
    const char contact[] = "/reference/contact";
    const struct {
        const char *path, *axis, *units, *long_name;
        const double *values;
    } list[] = {
        {"/reference/position", node, "m", "exact displacement of the nodes", exact->position},
        {"/reference/velocity", node, "m s-1", "exact velocity of the nodes", exact->velocity},
        {"/reference/gap", contact, "m", "exact gap", exact->gap},
        {"/reference/gap_rate", contact, "m s-1", "exact rate of the gap", exact->gap_rate},
        {"/reference/contact_force", contact, "N", "exact contact force", exact->force},
        {"/reference/energy", NULL, "J", "mechanical energy, constant", exact->energy},
    };
    carom_record_axis(record, time, like->row_count, like->time, "s", "time");
    carom_record_index_axis(record, node, like->coordinate_count,
                            "number of the generalized coordinate");
    carom_record_index_axis(record, contact, 1, "number of the contact");
    for (size_t k = 0; k < sizeof list / sizeof list[0]; k++) {
        carom_record_series(record, list[k].path, list[k].values, time, list[k].axis, list[k].units,
                            list[k].long_name);
    }
}

carom_status elastic_bar_write_reference(const results *all, carom_record *record) {
    const carom_trajectory *like = all->runs[0].trajectory;
    samples exact;
    CAROM_TRY(samples_alloc(like, &exact));
    sample(&all->values->bar, like, &exact);
    write_samples(&exact, like, record);
    free(exact.position);
    return CAROM_OK;
}
