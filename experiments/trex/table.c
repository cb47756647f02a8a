/** Table I: both rows, how near to the floor their tips are, and what the table says: /table. */
#include "results.h"

#include <carom/models/trex/internal.h>

#include <gsl/gsl_math.h>
#include <stdio.h>

/** Half a unit of the last digit of the table's entries, cm and rad. */
static const double HALF_UNIT = 0.005;

/** A tip so high is in the air, cm: rounding of the table moves a tip by some tenths. */
static const double IN_THE_AIR = 1.0;

/** Ratios of the radii for which the tail is compared, from just above 1 to a ball's. */
enum { RATIOS = 64 };
static const double LARGEST_RATIO = 4.0;

/** A row of the table. */
typedef struct table_row {
    const char *group;
    carom_trex_params robot;
    carom_trex_rounding rounding;
    double printed_closure; /**< closure with the printed length of the tail, half units */
    double printed_tail;    /**< height of the tail tip with it, cm */
    double paired_foot[2];  /**< heights of the feet of the legs as the table pairs them, cm */
} table_row;

/** The robot of a row with the printed length of the tail. */
static carom_trex_params with_printed_tail(const table_row *row) {
    carom_trex_params printed = row->robot;
    printed.tail = CAROM_TREX_TAIL_PRINTED;
    return printed;
}

/** What rounding explains. */
static carom_status find_closures(table_row *row, carom_report *report) {
    const carom_trex_params printed = with_printed_tail(row);
    carom_trex_rounding rounding;
    CAROM_TRY(carom_trex_rounding_of(&row->robot, NULL, HALF_UNIT, &row->rounding, report));
    CAROM_TRY(carom_trex_rounding_of(&printed, NULL, HALF_UNIT, &rounding, report));
    row->printed_closure = rounding.closure;
    return CAROM_OK;
}

/** Heights with the tail and with the legs as they are printed: the columns phi_L and gamma_L
 * belong to one leg there, to two of ours. */
static void find_printed_heights(table_row *row) {
    double at[CAROM_TREX_POINTS][2];
    const carom_trex_params printed = with_printed_tail(row);
    carom_trex_points(&printed, printed.stance, &at[0][0]);
    row->printed_tail = at[CAROM_TREX_POINT_TAIL_TIP][1];

    double q[COORDINATES];
    for (int j = 0; j < COORDINATES; j++) {
        q[j] = row->robot.stance[j];
    }
    q[CAROM_TREX_LEFT_HIP] = row->robot.stance[CAROM_TREX_RIGHT_HIP];
    q[CAROM_TREX_RIGHT_HIP] = row->robot.stance[CAROM_TREX_LEFT_HIP];
    carom_trex_points(&row->robot, q, &at[0][0]);
    row->paired_foot[0] = at[CAROM_TREX_POINT_LEFT_FOOT][1];
    row->paired_foot[1] = at[CAROM_TREX_POINT_RIGHT_FOOT][1];
}

static carom_status write_row(const results *r, const table_row *row) {
    const struct {
        const char *name;
        double value;
        const char *units;
        const char *long_name;
    } items[] = {
        {"closure", row->rounding.closure, "1",
         "least change of the entries that puts both tips on the floor, in half units of the last "
         "digit"},
        {"printed_closure", row->printed_closure, "1",
         "the same with the printed formula of the tail's length"},
        {"cosine_spread", row->rounding.cosine_spread, "1",
         "what rounding of the entries may move the cosine by"},
        {"printed_tail_gap", row->printed_tail, "cm",
         "height of the tail tip with the printed formula of its length"},
        {"paired_left_foot_gap", row->paired_foot[0], "cm",
         "height of the foot of the columns phi_L and gamma_L"},
        {"paired_right_foot_gap", row->paired_foot[1], "cm",
         "height of the foot of the columns phi_R and gamma_R"},
    };
    CAROM_TRY(trex_write_robot(r, row->group, &row->robot));
    for (size_t i = 0; i < sizeof items / sizeof items[0]; i++) {
        char path[PATH_SIZE];
        snprintf(path, sizeof path, "%s/%s", row->group, items[i].name);
        carom_record_scalar(r->record, path, items[i].value, items[i].units, items[i].long_name);
    }
    return CAROM_OK;
}

/** What the optimization of the paper moved most. */
static void write_changes(const results *r, const table_row rows[2]) {
    double initial[VARIABLES];
    double optimized[VARIABLES];
    carom_trex_design_get(&rows[0].robot, initial);
    carom_trex_design_get(&rows[1].robot, optimized);
    int largest = CAROM_TREX_DESIGN_PITCH;
    for (int j = CAROM_TREX_DESIGN_PITCH; j <= CAROM_TREX_DESIGN_BODY_JOINT; j++) {
        const bool is_larger =
            fabs(optimized[j] - initial[j]) > fabs(optimized[largest] - initial[largest]);
        largest = is_larger ? j : largest;
    }
    carom_record_measure(r->record, "table_largest_angle_change",
                         fabs(optimized[largest] - initial[largest]), "rad",
                         "largest change of an angle between the rows of table I");
    carom_record_measure(r->record, "table_height_change",
                         optimized[CAROM_TREX_DESIGN_HEIGHT] - initial[CAROM_TREX_DESIGN_HEIGHT],
                         "cm", "change of y between the rows of table I");
    // Our left hip is the column that is printed as phi_R.
    carom_record_claim(r->record, "largest_change_is_printed_phi_R",
                       largest == CAROM_TREX_DESIGN_LEFT_HIP,
                       "of the angles of table I the column phi_R changes most");
}

/** Whether a longer ratio of the radii makes a shorter tail, in radii of the posterior body. */
static bool tail_shortens(carom_trex_tail tail) {
    double before = HUGE_VAL;
    bool shortens = true;
    for (int i = 1; i <= RATIOS; i++) {
        const double ratio = 1.0 + (LARGEST_RATIO - 1.0) * i / RATIOS;
        const double length = carom_trex_tail_length(tail, ratio, 1.0);
        shortens = shortens && length < before;
        before = length;
    }
    return shortens;
}

static void write_statements(const results *r, const table_row rows[2]) {
    carom_record *record = r->record;
    const double *q = rows[0].robot.stance;
    carom_record_claim(record, "table_contacts_close",
                       rows[0].rounding.closure <= 1.0 && rows[1].rounding.closure <= 1.0,
                       "right foot and tail tip of both rows of table I are on the floor "
                       "as far as its digits tell, with our reading of the columns");
    carom_record_claim(
        record, "printed_tail_reaches_floor",
        rows[0].printed_closure <= 1.0 && rows[1].printed_closure <= 1.0,
        "with the printed length of the tail its tip is on the floor in both rows of table I");
    carom_record_claim(record, "right_foot_stands_as_printed",
                       fabs(rows[0].paired_foot[1]) <= IN_THE_AIR &&
                           fabs(rows[1].paired_foot[1]) <= IN_THE_AIR,
                       "the foot of the columns phi_R and gamma_R of table I is near the floor");
    carom_record_claim(record, "hips_in_antiphase",
                       fabs(q[CAROM_TREX_RIGHT_HIP] - q[CAROM_TREX_LEFT_HIP] - M_PI) <=
                           2.0 * HALF_UNIT,
                       "the hips of the hand-picked row of table I are 180 degrees apart");
    carom_record_claim(record, "tail_shortens_with_ratio",
                       tail_shortens(CAROM_TREX_TAIL_PRINTED) &&
                           tail_shortens(CAROM_TREX_TAIL_CONE),
                       "the larger the ratio of the radii, the shorter the tail");
}

carom_status trex_write_table(const results *r) {
    table_row rows[] = {{.group = "/table/initial", .robot = carom_trex_params_hand_picked()},
                        {.group = "/table/optimized", .robot = carom_trex_params_default()}};
    for (int i = 0; i < 2; i++) {
        CAROM_TRY(find_closures(&rows[i], r->report));
        find_printed_heights(&rows[i]);
        CAROM_TRY(write_row(r, &rows[i]));
    }
    write_changes(r, rows);
    write_statements(r, rows);
    return CAROM_OK;
}
