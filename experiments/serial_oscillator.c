/**
 * serial_oscillator: nonsmooth modes of a chain of masses and springs whose free end strikes a
 * rigid obstacle elastically (thorin-2017 sections 6 to 8, figures 4 to 16).
 *
 *     M u'' + K u = 0,   x_n <= d,   x_n'+ = -x_n'- where x_n = d   (7.1)-(7.3)
 *
 * Printed in the paper: n = 5, m_i = 1/n, k_i = n, d = 1; the harmonics 4 T_3 (figures 7, 8) and
 * 3 T_3 (figures 9 to 11); the pattern c, b, a, b, c, d, d (figures 4, 15); 1000 periods (figure
 * 16). Inferred: SI units. Chosen, because the paper is silent: all periods and flight times.
 * Figure 6 ends beyond T_1. Figure 7 begins at the grazing end of the only admissible interval at
 * 4 T_3; figure 10 follows the branch that tends to the linear mode at (2 T_3, T_3). Figure 12
 * shows the family at the end of figure 7, figure 13 the only bridge below 8.4 s whose members are
 * all admissible. Figure 15 shows one of several continua of the printed pattern, figure 16 three
 * neutrally stable motions and perturbations of 1e-3.
 *
 * In serial_oscillator/: motion.c what all ask of motions; one_impact.c, two_impacts.c; families.c
 * constant periods; seven.c; stability.c. The theorems are sampled in tests/modes, what the paper
 * says of the figures is asked of the record in data/published/serial_oscillator.csv.
 */
#include "serial_oscillator/results.h"

#include <math.h>

/** Least part of a mode's period that keeps enough digits beside it. */
static const double LEAST_PART = 1e-9;

/** Most harmonics: a run then takes minutes. */
enum { MOST_HARMONICS = 2000 };

/** The paper's numbers, and those chosen where it is silent. */
static settings defaults(void) {
    static const double single_periods[] = {3.76, 3.78, 3.80, 3.82};
    static const double double_periods[] = {2.70, 2.76, 2.80, 2.84, 2.86};
    static const double family_times[] = {0.292658294206, 3.455386166713};
    static const double seven_times[SEVEN] = {1.8456565734, 1.1808735229, 1.6337220945,
                                              1.1808735229, 1.8456565734, 1.3884604230,
                                              1.3884604230};
    static const double one[] = {4.30};
    static const double two[] = {0.330508890769, 3.594491109231};
    static const double three[] = {0.210218004117, 0.210218004117, 3.480563991765};
    return (settings){
        .mass_count = 5,
        .gap = 1.0,
        .max_period = 8.4,
        .points = 401,
        .perturbation = 1e-3,
        .periods = 1000,
        .single_periods = {COUNT(single_periods), single_periods},
        .double_periods = {COUNT(double_periods), double_periods},
        .family_times = {COUNT(family_times), family_times},
        .seven_times = {SEVEN, seven_times},
        .neutral_times = {{COUNT(one), one}, {COUNT(two), two}, {COUNT(three), three}},
    };
}

/** Refuse a list of another length. */
static carom_status check_list(const carom_real_list *list, int count, const char *name,
                               carom_report *report) {
    return list->count == count ? CAROM_OK
                                : carom_report_bound(report, name, list->count, "exactly", count);
}

/** Refuse options that do not fit together. */
static carom_status check(void *context, carom_report *report) {
    const settings *v = context;
    if (fpclassify(v->gap) == FP_ZERO) {
        return carom_report_refuse(report, "gap", v->gap, -1, "not 0");
    }
    // No mode is faster than 2 (k/m)^1/2 = 2 n.
    const double harmonic = acos(-1.0) / ((double)v->mass_count * v->mass_count);
    if (!(v->max_period >= LEAST_PART * harmonic)) {
        return carom_report_bound(report, "max period", v->max_period,
                                  "at least 1e-9 of the shortest period,", LEAST_PART * harmonic);
    }
    if (!(v->max_period <= MOST_HARMONICS * harmonic)) {
        return carom_report_bound(report, "max period", v->max_period, "up to 2000 harmonics,",
                                  MOST_HARMONICS * harmonic);
    }
    CAROM_TRY(check_list(&v->single_periods, CASE_COUNT - 2, "number of --single-periods", report));
    CAROM_TRY(check_list(&v->double_periods, CASE_COUNT - 1, "number of --double-periods", report));
    CAROM_TRY(check_list(&v->family_times, 2, "number of --family-times", report));
    CAROM_TRY(check_list(&v->seven_times, SEVEN, "number of --seven-times", report));
    CAROM_TRY(check_list(&v->neutral_times[0], 1, "number of --neutral-times-1", report));
    CAROM_TRY(check_list(&v->neutral_times[1], 2, "number of --neutral-times-2", report));
    return check_list(&v->neutral_times[2], 3, "number of --neutral-times-3", report);
}

/** Write /coordinate and /modal. */
static carom_status write_modal(oscillator *o) {
    const carom_modal_basis *basis = o->basis;
    const int n = basis->coordinate_count;
    double period[MOST_MASSES];
    double participation[MOST_MASSES];
    double energy[MOST_MASSES];
    for (int l = 0; l < n; l++) {
        const double rho = basis->participation[l];
        const double amplitude =
            basis->frequency[l] * basis->gap_at_rest / (basis->root_inverse_mass * rho);
        period[l] = 2.0 * acos(-1.0) / basis->frequency[l];
        participation[l] = rho * rho;
        energy[l] = 0.5 * amplitude * amplitude;
    }
    carom_record_index_axis(o->record, "/coordinate", n,
                            "mass of the chain, the last one faces the obstacle");
    carom_record group = carom_record_group(o->record, "/modal");
    carom_record_index_axis(&group, "mode", n, "linear mode");
    const carom_column columns[] = {
        {"frequency", basis->frequency, "rad s-1", "natural frequency omega"},
        {"period", period, "s", "period T_l"},
        {"participation", participation, "1", "participation in the contact, rho_l squared"},
        {"grazing_energy", energy, "J", "energy of the mode that grazes the obstacle"},
    };
    carom_record_columns(&group, "mode", NULL, columns, COUNT(columns));
    carom_record_series(&group, "shape", basis->shape, "/coordinate", "mode", "kg-0.5",
                        "mass-orthonormal modes");
    carom_record_scalar(&group, "root_inverse_mass", basis->root_inverse_mass, "kg-0.5",
                        "root of the inverse mass G of the contact");
    return CAROM_OK;
}

/** All parts in their order; what the later ones read comes first. */
static carom_status compute(oscillator *o) {
    static carom_status (*const parts[])(oscillator *) = {
        write_modal,
        serial_oscillator_write_phi,
        serial_oscillator_write_single,
        serial_oscillator_write_double,
        serial_oscillator_write_families,
        serial_oscillator_write_seven,
        serial_oscillator_write_stability,
    };
    CAROM_AUTO(carom_period_intervals) intervals = NULL;
    CAROM_TRY(serial_oscillator_write_intervals(o, &intervals));
    o->intervals = intervals;
    carom_status status = CAROM_OK;
    carom_progress *progress =
        carom_progress_start("parts", COUNT(parts), "parts", o->common->is_quiet);
    for (int i = 0; i < COUNT(parts) && status == CAROM_OK; i++) {
        status = parts[i](o);
        carom_progress_add(progress, 1);
    }
    carom_progress_finish(progress);
    return status;
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const settings *values = context;
    CAROM_AUTO(carom_linear_system) system = NULL;
    CAROM_AUTO(carom_modal_basis) basis = NULL;
    CAROM_AUTO(carom_contact_motion) motion = NULL;
    CAROM_AUTO(carom_stability) stability = NULL;
    CAROM_TRY(carom_serial_chain_uniform_alloc(values->mass_count, values->gap, &system, report));
    CAROM_TRY(carom_modal_basis_compute(system, &basis, report));
    CAROM_TRY(carom_contact_motion_alloc(basis, &motion));
    CAROM_TRY(carom_stability_alloc(basis, &stability));
    oscillator o = {
        .values = values,
        .common = common,
        .record = record,
        .report = report,
        .basis = basis,
        .motion = motion,
        .stability = stability,
    };
    return compute(&o);
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_INTEGER("mass-count", settings, mass_count, "1", "masses n of the chain", "[1, 100]"),
    CAROM_REAL("gap", settings, gap, "m", "gap at rest d; negative: prestressed", "any"),
    CAROM_REAL("max-period", settings, max_period, "s", "longest period of intervals and families",
               "positive"),
    CAROM_INTEGER("points", settings, points, "1", "points of a curve", "[11, 100000]"),
    CAROM_REAL("perturbation", settings, perturbation, "1",
               "size of the perturbations of figure 16 over the state", "[1e-9, 1]"),
    CAROM_INTEGER("periods", settings, periods, "1", "periods of figure 16", "[1, 1000000]"),
    CAROM_REAL_LIST("single-periods", settings, single_periods, "s",
                    "periods of motions 2 to 5 of figure 7", "positive"),
    CAROM_REAL_LIST("double-periods", settings, double_periods, "s",
                    "periods of motions 1 to 5 of figure 10", "positive"),
    CAROM_REAL_LIST("family-times", settings, family_times, "s",
                    "flight times near the family of figure 12", "positive"),
    CAROM_REAL_LIST("seven-times", settings, seven_times, "s",
                    "flight times near a motion of figure 15", "positive"),
    CAROM_REAL_LIST("neutral-times-1", settings, neutral_times[0], "s",
                    "period of the first motion of figure 16", "positive"),
    CAROM_REAL_LIST("neutral-times-2", settings, neutral_times[1], "s",
                    "flight times of the second motion", "positive"),
    CAROM_REAL_LIST("neutral-times-3", settings, neutral_times[2], "s",
                    "flight times of the third motion", "positive"),
};

static const carom_table_column columns[] = {
    {.head = "period", .expression = "period"},
    {.head = "energy", .expression = "energy"},
    {.head = "largest multiplier", .expression = "spectral_radius"},
    {.head = "impact speed", .expression = "speed"},
};

static const carom_table tables[] = {
    {.groups = "/single/case_* /double/case_* /seven/case_*",
     .group_head = "motion",
     CAROM_COLUMNS(columns)},
};

int main(int argc, char **argv) {
    settings v = defaults();
    const carom_program program = {
        .name = "serial_oscillator",
        .title = "Nonsmooth modes of a chain that strikes an obstacle",
        .source = "thorin-2017",
        .schema = "serial_oscillator 1",
        .options = CAROM_OPTIONS(options),
        CAROM_TABLES(tables),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &v);
}
