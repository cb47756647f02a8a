/** Numbers that the paper prints, or that the claims are about: /measures. */
#include "results.h"

double zeno_block_order(double coarse, double fine) {
    const bool has_errors = coarse > 0.0 && fine > 0.0;
    return has_errors ? log2(coarse / fine) / (RUNS - 1) : (double)NAN;
}

/** (57) with the sign that is printed. */
static double printed_apex(const results *r) {
    const carom_zeno_block *exact = r->exact;
    const double rate = r->values->block.initial_rate;
    const double rise = 0.5 * rate * rate / exact->pendulum_share;
    return asin(rise - sin(exact->corner_angle)) - exact->corner_angle;
}

carom_status zeno_block_printed_bound_holds(const results *r, double rate, bool *holds) {
    carom_zeno_block_params params = r->values->block;
    params.initial_rate = rate;
    carom_zeno_block *slower = NULL;
    CAROM_TRY(carom_zeno_block_alloc(&params, &slower, r->report));
    // The bound with the units mended is L itself.
    *holds = slower->half_cycles[0].impact_time <= slower->first_swing_bound * rate;
    carom_zeno_block_free(slower);
    return CAROM_OK;
}

void zeno_block_write_measures(const results *r) {
    const carom_zeno_block *e = r->exact;
    const carom_zeno_half_cycle *first = &e->half_cycles[0];
    const carom_zeno_state rest = carom_zeno_block_state(e, r->length);
    const double weight = r->values->block.mass * r->values->block.gravity;
    const run_measures *coarse = &r->runs[0];
    const run_measures *fine = &r->runs[RUNS - 1];
    const struct {
        const char *name;
        double value;
        const char *units;
        const char *long_name;
    } rows[] = {
        {"apex_angle", first->apex_angle, "rad", "theta* of the first swing"},
        {"apex_angle_as_printed", printed_apex(r), "rad", "theta* by (57) with its printed sign"},
        {"two_half_cycles", e->transfer * e->transfer, "1", "factor of the rate in a full cycle"},
        {"first_impact_time", first->impact_time, "s", "time of the first impact"},
        {"first_impact_s", first->impact_s, "s", "s where the first impact begins"},
        {"resting_force", rest.normal_rate[0] * e->params.reference_force / rest.time_rate / weight,
         "1", "normal force of a corner at rest over m g"},
        {"slenderness", r->values->block.width / r->values->block.height, "1", "w/h"},
        {"time_per_s", e->accumulation_time / e->accumulation_s, "1", "t*/s*"},
        {"slowest_time", r->slowest_time, "s",
         "least time that passes in an s as long as two first impacts"},
        {"largest_jump", r->largest_jump, "m s-1", "largest jump of q or v where phases change"},
        {"energy_rise", r->energy_rise, "J", "largest rise of energy along s"},
        {"order_of_impact_time",
         zeno_block_order(coarse->impact_time_error, fine->impact_time_error), "1",
         "order of the integrator's time of the first impact; NaN without error"},
        {"order_of_time", zeno_block_order(coarse->time_error, fine->time_error), "1",
         "order of the integrator's t(s); NaN without error"},
        {"order_of_angle", zeno_block_order(coarse->angle_error, fine->angle_error), "1",
         "order of the integrator's theta(s); NaN without error"},
        {"order_of_rate", zeno_block_order(coarse->rate_error, fine->rate_error), "1",
         "order of the integrator's dtheta/dt(s)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        carom_record_measure(r->record, rows[i].name, rows[i].value, rows[i].units,
                             rows[i].long_name);
    }
}
