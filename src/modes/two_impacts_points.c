#include <carom/modes/few_impacts.h>

#include <math.h>

/** So near a harmonic, as a part of its period, that its pole decides a sign, if it has one. */
static const double BESIDE = 1e-6;

/** -g_0/(alpha + beta) at a period and the first impact of a point (7.26); NaN where that is
 * infinite, as at all points of a single mass with p odd. */
static double lambda_beside(const carom_modal_basis *basis, double period, double t_1) {
    const double lambda =
        -basis->gap_at_rest / (carom_kernels_evaluate(basis, period, period).gap +
                               carom_kernels_evaluate(basis, period, period - 2.0 * t_1).gap);
    return isfinite(lambda) ? lambda : (double)NAN;
}

int carom_two_impacts_points(const carom_modal_basis *basis, double side,
                             carom_two_impacts_point *points) {
    CAROM_ASSERT(basis != NULL);
    int count = 0;
    for (int i = 0; i < basis->visible_count; i++) {
        const double T = 2.0 * acos(-1.0) / basis->frequency[i];
        for (int q = 1; q * T <= 2.0 * side; q++) {
            for (int p = 1; p < 2 * q; p++) {
                const double t_1 = 0.5 * p * T;
                if (fmax(t_1, q * T - t_1) > side) {
                    continue;
                }
                if (points != NULL) {
                    points[count] = (carom_two_impacts_point){
                        .sigma_1 = t_1,
                        .sigma_2 = (q - 0.5 * p) * T,
                        .mode = i + 1,
                        .half_periods = p,
                        .lambda_below = lambda_beside(basis, q * T * (1.0 - BESIDE), t_1),
                        .lambda_above = lambda_beside(basis, q * T * (1.0 + BESIDE), t_1),
                    };
                }
                count++;
            }
        }
    }
    return count;
}
