#include <carom/modes/modal_basis.h>

#include <carom/modes/few_impacts_internal.h>
#include <carom/modes/internal.h>

#include <math.h>

static const double TWO_PI = 6.283185307179586476925286766559;

/*[nonsmoothKernels]*/
carom_kernels carom_kernels_evaluate(const carom_modal_basis *basis, double period,
                                     double argument) {
    carom_kernels kernels = {0};
    for (int l = 0; l < basis->visible_count; l++) {
        const double w = basis->frequency[l];
        const double rho = basis->participation[l];
        const carom_half_angle S = carom_half_angle_of_period(w, period);
        const carom_half_angle s = carom_half_angle_of(w, argument);
        // the share of mode l: rho^2 sin(w s/2) / sin(w T/2) and rho^2 cos(w s/2) / sin(w T/2)
        const double sine = rho * rho * s.sine / S.sine;
        const double cosine = rho * rho * s.cosine / S.sine;
        const double cotangent = S.cosine / S.sine;
        kernels.velocity += sine;
        kernels.velocity_by_argument += 0.5 * w * cosine;
        kernels.velocity_by_period -= 0.5 * w * sine * cotangent;
        kernels.gap += cosine / w;
        kernels.gap_by_period -= 0.5 * cosine * cotangent;
    }
    kernels.gap *= basis->root_inverse_mass;
    kernels.gap_by_period *= basis->root_inverse_mass;
    kernels.gap_by_argument = -0.5 * basis->root_inverse_mass * kernels.velocity;
    return kernels;
}
/*[end nonsmoothKernels]*/

void carom_kernels_shape(const carom_modal_basis *basis, double period, double argument,
                         double *displacement, double *velocity) {
    const int n = basis->coordinate_count;
    for (int p = 0; p < n; p++) {
        displacement[p] = 0.0;
        velocity[p] = 0.0;
    }
    for (int l = 0; l < basis->visible_count; l++) {
        const double w = basis->frequency[l];
        const double rho = basis->participation[l];
        const carom_half_angle S = carom_half_angle_of_period(w, period);
        const carom_half_angle s = carom_half_angle_of(w, argument);
        const double phi = -rho * s.cosine / (w * S.sine);
        const double psi = rho * s.sine / S.sine;
        for (int p = 0; p < n; p++) {
            const double B = basis->shape[p * n + l];
            displacement[p] += B * phi;
            velocity[p] += B * psi;
        }
    }
}

/** The multiple p of a mode's period. */
static carom_harmonic harmonic_of(const carom_modal_basis *basis, int mode, double multiple) {
    const carom_harmonic harmonic = {
        .period = multiple * (TWO_PI / basis->frequency[mode]),
        .mode = mode,
        .multiple = (int)multiple,
    };
    return harmonic;
}

carom_harmonic carom_harmonic_above(const carom_modal_basis *basis, double period) {
    // what exceeds the period by no more than rounding is the period itself
    const double least = period + CAROM_HALF_ANGLE_ROUNDING * fabs(period);
    carom_harmonic first = {.period = INFINITY, .mode = -1, .multiple = 0};
    for (int l = 0; l < basis->visible_count; l++) {
        const double quotient = period * basis->frequency[l] / TWO_PI;
        // the multiple below the period or, if the quotient was rounded up, the one above it
        // already
        double multiple = fmax(1.0, floor(quotient));
        while (harmonic_of(basis, l, multiple).period <= least) {
            multiple += 1.0;
        }
        const carom_harmonic harmonic = harmonic_of(basis, l, multiple);
        if (harmonic.period < first.period * (1.0 - CAROM_HALF_ANGLE_ROUNDING)) {
            first = harmonic;
        }
    }
    return first;
}

carom_harmonic carom_harmonic_nearest(const carom_modal_basis *basis, double period) {
    carom_harmonic nearest = {.period = INFINITY, .mode = -1, .multiple = 0};
    for (int l = 0; l < basis->visible_count; l++) {
        const double quotient = period * basis->frequency[l] / TWO_PI;
        const carom_harmonic harmonic = harmonic_of(basis, l, fmax(1.0, round(quotient)));
        const double distance = fabs(harmonic.period - period);
        if (distance + CAROM_HALF_ANGLE_ROUNDING * fabs(period) < fabs(nearest.period - period)) {
            nearest = harmonic;
        }
    }
    return nearest;
}
