/* Two masses in a chain of three springs, the second before an elastic stop: its periodic motions
 * with one impact per period. Prints the periods that are possible, and for one of them the speed
 * of the impact, the energy, and whether the mass passes the stop meanwhile. */
#include <carom/carom.h>
#include <stdio.h>

static carom_status vibrate(carom_report *why) {
    double mass[] = {1, 0, 0, 1};        /* kg */
    double stiffness[] = {2, -1, -1, 2}; /* N/m */
    double normal[] = {0, -1};           /* gap = normal' u + gap at rest */
    carom_linear_system structure = {2, mass, stiffness, normal, 0.01}; /* m */

    CAROM_AUTO(carom_modal_basis) modes = NULL;
    CAROM_AUTO(carom_period_intervals) periods = NULL;
    CAROM_AUTO(carom_orbit_solver) solver = NULL;
    CAROM_AUTO(carom_orbit) orbit = NULL;
    CAROM_AUTO(carom_contact_motion) contact = NULL;
    CAROM_TRY(carom_modal_basis_compute(&structure, &modes, why));
    CAROM_TRY(carom_single_impact_intervals(modes, 6.5, 64, NULL, NULL, &periods, why));
    for (int i = 0; i < periods->count; i++) {
        printf("periods from %.6f s to %.6f s\n", periods->intervals[i].lower,
               periods->intervals[i].upper);
    }

    /* With k impacts per period a guess has k flight times; here k = 1, at a given period. */
    const double guess = 5; /* s */
    carom_orbit_target target = carom_orbit_target_default(modes);
    target.period = 5.5;
    CAROM_TRY(carom_orbit_solver_alloc(modes, 1, &solver));
    CAROM_TRY(carom_orbit_alloc(modes, 1, &orbit));
    CAROM_TRY(carom_orbit_solve(solver, &guess, NULL, &target, NULL, orbit, why));

    double state[4]; /* work memory, two for each mode */
    CAROM_TRY(carom_contact_motion_alloc(modes, &contact));
    const carom_admissibility found =
        carom_orbit_certify(modes, contact, orbit, state, CAROM_ADMISSIBILITY_TOLERANCE);
    printf("period %.1f s: impact at %.6f m/s, energy %.6e J, %s\n", orbit->period,
           modes->root_inverse_mass * orbit->lambda[0], orbit->energy,
           found.is_admissible ? "never passes the stop" : "passes the stop");
    return CAROM_OK;
}

int main(void) {
    carom_report why = carom_report_empty();
    const carom_status status = vibrate(&why);
    if (status != CAROM_OK) {
        carom_report_print(stderr, status, &why);
    }
    return status != CAROM_OK;
}
