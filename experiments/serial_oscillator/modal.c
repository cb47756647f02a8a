/** The linear modes of the chain. */
#include "results.h"

#include <math.h>
#include <stdlib.h>

carom_status serial_oscillator_write_modal(const oscillator *o) {
    const carom_modal_basis *basis = o->basis;
    const int n = basis->coordinate_count;
    const double pi = acos(-1.0);
    carom_record_index_axis(o->record, "/coordinate", n,
                            "mass of the chain, the last one faces the obstacle");
    carom_record_index_axis(o->record, "/modal/mode", n, "linear mode");
    double *work = malloc(3 * (size_t)n * sizeof *work);
    if (work == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *period = work;
    double *participation = work + n;
    double *energy = work + 2 * n;
    for (int l = 0; l < n; l++) {
        period[l] = 2.0 * pi / basis->frequency[l];
        participation[l] = basis->participation[l] * basis->participation[l];
        energy[l] = serial_oscillator_grazing_energy(o, l);
    }
    const carom_column columns[] = {
        {"frequency", basis->frequency, "rad s-1", "natural frequency omega"},
        {"period", period, "s", "period T_l"},
        {"participation", participation, "1", "participation in the contact, rho_l squared"},
        {"grazing_energy", energy, "J", "energy of the mode that grazes the obstacle"},
    };
    serial_oscillator_write_columns(o, "/modal", "/modal/mode", NULL, columns, COUNT(columns));
    carom_record_series(o->record, "/modal/shape", basis->shape, "/coordinate", "/modal/mode",
                        "kg-0.5", "mass-orthonormal modes");
    free(work);
    carom_record_scalar(o->record, "/modal/root_inverse_mass", basis->root_inverse_mass, "kg-0.5",
                        "root of the inverse mass G of the contact");
    return CAROM_OK;
}
