/** What options set, and what they may not. */
#include "results.h"

#include <gsl/gsl_math.h>

/** 25 deg, and 30 deg where the images of both orders meet: Newton's cradle. */
static const double HALF_OPENINGS[] = {25.0, 30.0};
/** All lengths of sequences up to 4, three openings of unique outcomes, and one small one. */
static const double COSINES[] = {-0.99, -0.9, -M_SQRT1_2, -0.6, -0.5, -0.2,
                                 0.0,   0.2,  0.4,        0.5,  0.7,  0.9};

/** Rows of panels of figure 3. */
enum { MOST_OPENINGS = 2 };

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

/** The openings and the momentum of figure 3: infeasible for each of them. */
carom_status propagative_impact_check(const settings *v, carom_report *report) {
    if (v->half_openings.count > MOST_OPENINGS) {
        return carom_report_bound(report, "number of --half-openings", v->half_openings.count,
                                  "at most", MOST_OPENINGS);
    }
    for (int i = 0; i < v->half_openings.count; i++) {
        if (!(v->momentum_angle > v->half_openings.values[i])) {
            return carom_report_bound(report, "momentum angle", v->momentum_angle,
                                      "above the half opening,", v->half_openings.values[i]);
        }
    }
    return CAROM_OK;
}
