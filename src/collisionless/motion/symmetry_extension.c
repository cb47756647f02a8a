#include <carom/collisionless/motion/collisionless_motion.h>

#include <carom/collisionless/motion/internal.h>

#include <math.h>
#include <stddef.h>

/** Steps after which the time within a step has lost half its digits. */
static const double MAX_STEPS = 1e9;

/** Parities that all modes of a phase share. */
typedef struct phase_parities {
    carom_parity unconstrained;
    carom_parity constrained;
} phase_parities;

static carom_status check(const carom_phase_spectra *spectra, double time, double constrained_time,
                          phase_parities *parities, carom_report *report) {
    CAROM_TRY(carom_phase_times_check(time, constrained_time, report));
    parities->unconstrained = spectra->unconstrained_parity[0];
    parities->constrained = spectra->constrained_parity[0];
    for (int i = 1; i < spectra->mode_count; i++) {
        if (spectra->unconstrained_parity[i] != parities->unconstrained) {
            return carom_report_fail(report, CAROM_STATUS_CONFLICT, "parity", (double)NAN, i);
        }
    }
    for (int j = 1; j < spectra->mode_count - 1; j++) {
        if (spectra->constrained_parity[j] != parities->constrained) {
            return carom_report_fail(report, CAROM_STATUS_CONFLICT, "constrained parity",
                                     (double)NAN, j);
        }
    }
    return CAROM_OK;
}

carom_status carom_symmetry_extension_period(const carom_phase_spectra *spectra, double time,
                                             double constrained_time, double *period,
                                             carom_report *report) {
    CAROM_ASSERT(spectra != NULL && period != NULL);
    *period = (double)NAN;
    phase_parities parities;
    CAROM_TRY(check(spectra, time, constrained_time, &parities, report));
    *period =
        (parities.unconstrained == parities.constrained ? 2.0 : 4.0) * (time + constrained_time);
    return CAROM_OK;
}

carom_status carom_symmetry_extension_place(const carom_phase_spectra *spectra, double time,
                                            double constrained_time, double elapsed,
                                            carom_motion_place *place, carom_report *report) {
    CAROM_ASSERT(spectra != NULL && place != NULL);
    *place = (carom_motion_place){.local_time = (double)NAN};
    phase_parities parities;
    CAROM_TRY(check(spectra, time, constrained_time, &parities, report));
    if (!isfinite(elapsed)) {
        return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "elapsed time", elapsed, -1);
    }
    const double duration = 2.0 * (time + constrained_time);
    const double steps = floor(elapsed / duration);
    if (!(fabs(steps) < MAX_STEPS)) {
        return carom_report_refuse(report, "elapsed time", elapsed, -1, "up to 1e9 periods");
    }

    /* P .. impact .. P' .. release, all in one copy; then on to the P of the next one. */
    place->step = (long)steps;
    const double rest = elapsed - steps * duration;
    if (rest <= time) {
        place->phase = CAROM_MOTION_UNCONSTRAINED;
        place->local_time = rest;
    } else if (rest < time + 2.0 * constrained_time) {
        place->phase = CAROM_MOTION_CONSTRAINED;
        place->local_time = rest - (time + constrained_time);
    } else {
        place->phase = CAROM_MOTION_UNCONSTRAINED;
        place->local_time = rest - duration;
        place->step++;
    }
    place->is_mirrored = parities.unconstrained != parities.constrained && place->step % 2 != 0;
    return CAROM_OK;
}

/** Coordinate i of the constrained equilibrium from an origin. */
static double constrained_equilibrium_from(const carom_collisionless_motion *motion, int i,
                                           carom_motion_origin origin) {
    switch (origin) {
    case CAROM_MOTION_FROM_EQUILIBRIUM:
        return motion->static_position[i];
    case CAROM_MOTION_FROM_IMPACT:
        return -motion->constrained_impact_position[i];
    default:
        return 0.0;
    }
}

/** Coordinate i of the unconstrained equilibrium from an origin. */
static double equilibrium_from(const carom_collisionless_motion *motion, int i,
                               carom_motion_origin origin) {
    switch (origin) {
    case CAROM_MOTION_FROM_CONSTRAINED_EQUILIBRIUM:
        return -motion->static_position[i];
    case CAROM_MOTION_FROM_IMPACT:
        return -motion->impact_position[i];
    default:
        return 0.0;
    }
}

/** From the coordinates of a copy into those of copy 0. */
static void carry_position(const carom_collisionless_motion *motion,
                           const carom_motion_place *place, carom_motion_origin origin,
                           double *position) {
    const bool is_odd = motion->spectral->spectra->unconstrained_parity[0] == CAROM_PARITY_ODD;
    const bool is_constrained_odd =
        motion->spectral->spectra->constrained_parity[0] == CAROM_PARITY_ODD;
    for (int i = 0; i < motion->modes->coordinate_count; i++) {
        if (is_odd && is_constrained_odd) {
            position[i] += 2.0 * (double)place->step * motion->static_position[i];
        } else if (place->is_mirrored && is_constrained_odd) {
            position[i] = 2.0 * constrained_equilibrium_from(motion, i, origin) - position[i];
        } else if (place->is_mirrored) {
            position[i] = 2.0 * equilibrium_from(motion, i, origin) - position[i];
        }
    }
}

static void fill(int n, double *values, double factor, bool is_kept) {
    for (int i = 0; values != NULL && i < n; i++) {
        values[i] = is_kept ? factor * values[i] : (double)NAN;
    }
}

carom_status carom_symmetry_extension_state(const carom_collisionless_motion *motion,
                                            double elapsed, carom_motion_origin origin,
                                            carom_motion_place *place,
                                            const carom_motion_state *state, carom_report *report) {
    CAROM_ASSERT(motion != NULL && state != NULL);
    const int n = motion->modes->coordinate_count;
    const carom_spectral_motion *spectral = motion->spectral;
    carom_motion_place here;
    const carom_status status = carom_symmetry_extension_place(
        spectral->spectra, spectral->time, spectral->constrained_time, elapsed, &here, report);
    if (status == CAROM_OK) {
        carom_collisionless_motion_state(motion, here.phase, here.local_time, origin, state);
    }
    const double sign = here.is_mirrored ? -1.0 : 1.0;
    fill(n, state->position, 1.0, status == CAROM_OK);
    fill(n, state->velocity, sign, status == CAROM_OK);
    fill(n, state->acceleration, sign, status == CAROM_OK);
    fill(n, state->jerk, sign, status == CAROM_OK);
    if (status == CAROM_OK && state->position != NULL) {
        carry_position(motion, &here, origin, state->position);
    }
    if (place != NULL) {
        *place = here;
    }
    return status;
}
