/** What options set, and what they may not. */
#include "results.h"

#include <gsl/gsl_math.h>

/** 25 deg, and 30 deg where the images of both orders meet: Newton's cradle. */
static const double HALF_OPENINGS[] = {25.0, 30.0};
/** All lengths of sequences up to 4, three openings of unique outcomes, and one small one. */
static const double COSINES[] = {-0.99, -0.9, -M_SQRT1_2, -0.6, -0.5, -0.2,
                                 0.0,   0.2,  0.4,        0.5,  0.7,  0.9};

/** Rows of panels of figure 3, and the openings that they can show, deg. */
enum { MOST_OPENINGS = 2 };
static const double LEAST_DRAWN = 3.0;
static const double LARGEST_DRAWN = 85.0;
/** Cosines are those of openings above 0.4 deg, sequences up to some 200 reflections. */
static const double LARGEST_COSINE = 0.9999;
/** Up to some two thousand reflections. */
static const double LARGEST_RATIO = 1e6;

settings propagative_impact_defaults(void) {
    return (settings){
        .half_openings = {COUNT(HALF_OPENINGS), HALF_OPENINGS},
        .momentum_angle = 165.0,
        .cosines = {COUNT(COSINES), COSINES},
        .directions = 4000,
        .draws = 2000,
        .cases = 100000,
        .cones = 10000,
        .contacts = 10,
        .map_points = 121,
        .largest_ratio = 100.0,
    };
}

double propagative_impact_radians(double degrees) {
    return degrees * (M_PI / 180.0);
}

static carom_status refuse(carom_report *report, const char *quantity, double value, int index) {
    return carom_report_fail(report, CAROM_STATUS_OUT_OF_RANGE, quantity, value, index);
}

/** The openings and the momentum of figure 3: infeasible for each of them. */
static carom_status check_drawing(const settings *v, carom_report *report) {
    if (v->half_openings.count < 1 || v->half_openings.count > MOST_OPENINGS) {
        return refuse(report, "number of half openings", v->half_openings.count, -1);
    }
    for (int i = 0; i < v->half_openings.count; i++) {
        const double gamma = v->half_openings.values[i];
        if (!(gamma >= LEAST_DRAWN && gamma <= LARGEST_DRAWN)) {
            return refuse(report, "half opening in degrees", gamma, i);
        }
        if (!(v->momentum_angle > gamma && v->momentum_angle <= 180.0)) {
            return refuse(report, "momentum angle in degrees, between the half opening and 180",
                          v->momentum_angle, -1);
        }
    }
    return CAROM_OK;
}

static carom_status check_count(int value, int least, int most, const char *quantity,
                                carom_report *report) {
    return value >= least && value <= most ? CAROM_OK : refuse(report, quantity, value, -1);
}

carom_status propagative_impact_check(const settings *v, carom_report *report) {
    CAROM_TRY(check_drawing(v, report));
    if (v->cosines.count < 1) {
        return refuse(report, "number of cosines", 0.0, -1);
    }
    for (int i = 0; i < v->cosines.count; i++) {
        if (!(fabs(v->cosines.values[i]) <= LARGEST_COSINE)) {
            return refuse(report, "cosine", v->cosines.values[i], i);
        }
    }
    CAROM_TRY(check_count(v->directions, 16, 1000000, "directions", report));
    CAROM_TRY(check_count(v->draws, 500, 1000000, "draws", report));
    CAROM_TRY(check_count(v->cases, 100, 100000000, "cases", report));
    CAROM_TRY(check_count(v->cones, 100, 10000000, "cones", report));
    CAROM_TRY(check_count(v->contacts, 3, MOST_CONTACTS, "contacts", report));
    CAROM_TRY(check_count(v->map_points, 3, 2001, "map points", report));
    if (!(v->largest_ratio > 1.0 && v->largest_ratio <= LARGEST_RATIO)) {
        return refuse(report, "largest ratio of masses", v->largest_ratio, -1);
    }
    return CAROM_OK;
}
