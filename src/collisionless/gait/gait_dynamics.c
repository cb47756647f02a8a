#include <carom/collisionless/gait/internal.h>

#include <gsl/gsl_math.h>
#include <stdlib.h>
#include <string.h>

/* Any angle will do for the mechanism, whose feet are massless. */
static const double UNUSED_ANGLE = 1.0;

/* 2 l sin(theta), how far the feet are apart. */
static double foot_distance(const carom_gait_dynamics *dynamics, double theta) {
    return 2.0 * dynamics->biped.lengths[0] * sin(theta);
}

/* m_0 g d, the largest moment of the lifted foot's weight. */
static double foot_moment(const carom_gait_dynamics *dynamics, double theta) {
    return dynamics->biped.masses[0] * dynamics->biped.gravity * foot_distance(dynamics, theta);
}

static carom_status make_model(carom_gait_dynamics *dynamics) {
    const int masses = dynamics->count + 1;
    CAROM_AUTO_MEMORY double *without_feet = malloc((size_t)masses * sizeof *without_feet);
    if (without_feet == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    memcpy(without_feet, dynamics->biped.masses, (size_t)masses * sizeof *without_feet);
    without_feet[0] = 0.0;
    carom_armed_biped_params params = dynamics->biped;
    params.masses = without_feet;
    params.half_step_angle = UNUSED_ANGLE;
    return carom_armed_biped_alloc(&params, &dynamics->model, NULL);
}

static carom_status make_work(carom_gait_dynamics *dynamics) {
    const size_t n = (size_t)dynamics->count;
    CAROM_TRY(carom_factor_alloc(carom_layout_full(dynamics->count), &dynamics->factor));
    dynamics->M = calloc(4 * n * n + 2 * n + (2 * n + 1) * 4 * n, sizeof(double));
    if (dynamics->M == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    dynamics->K = dynamics->M + n * n;
    dynamics->C = dynamics->K + n * n;
    dynamics->D = dynamics->C + n * n;
    dynamics->a = dynamics->D + n * n;
    dynamics->f = dynamics->a + n;
    dynamics->work = dynamics->f + n;
    return CAROM_OK;
}

carom_status carom_gait_dynamics_alloc(const carom_armed_biped_params *biped,
                                       carom_gait_dynamics **out, carom_report *report) {
    *out = NULL;
    CAROM_TRY(carom_armed_biped_check(biped, report));
    CAROM_AUTO(carom_gait_dynamics) dynamics = calloc(1, sizeof *dynamics);
    if (dynamics == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    dynamics->count = carom_armed_biped_coordinate_count(biped);
    dynamics->biped = *biped;
    dynamics->time_unit = sqrt(biped->lengths[0] / biped->gravity);
    dynamics->total_mass = biped->masses[0];
    for (int i = 0; i <= dynamics->count; i++) {
        dynamics->total_mass += biped->masses[i];
    }
    CAROM_TRY(make_model(dynamics));
    CAROM_TRY(make_work(dynamics));
    CAROM_HAND_OVER(dynamics, out);
    return CAROM_OK;
}

void carom_gait_dynamics_free(carom_gait_dynamics *dynamics) {
    if (dynamics == NULL) {
        return;
    }
    carom_model_free(dynamics->model);
    carom_factor_free(dynamics->factor);
    free(dynamics->M);
    free(dynamics);
}

/* M and f of the biped with its feet. */
static void load(carom_gait_dynamics *dynamics, double theta, const double *state) {
    const carom_mechanism *mechanism = &dynamics->model->mechanism;
    const int n = dynamics->count;
    const double *v = state + n;
    mechanism->mass(state, dynamics->M, mechanism->context);
    mechanism->force(0.0, state, v, dynamics->f, mechanism->context);
    const double distance = foot_distance(dynamics, theta);
    dynamics->M[n * n - 1] += dynamics->biped.masses[0] * gsl_pow_2(distance);
    dynamics->f[n - 1] -= foot_moment(dynamics, theta) * cos(state[n - 1] + theta);
}

/* The leg keeps its angle. */
static void hold_leg(int n, double *M, double *f) {
    const int leg = n - 1;
    for (int j = 0; j < n; j++) {
        M[leg * n + j] = 0.0;
        M[j * n + leg] = 0.0;
    }
    M[n * n - 1] = 1.0;
    f[leg] = 0.0;
}

carom_status carom_gait_dynamics_acceleration(carom_gait_dynamics *dynamics, double theta,
                                              bool is_held, const double *state, double *a) {
    load(dynamics, theta, state);
    if (is_held) {
        hold_leg(dynamics->count, dynamics->M, dynamics->f);
    }
    CAROM_TRY(carom_factor_compute(dynamics->factor, dynamics->M));
    memcpy(a, dynamics->f, (size_t)dynamics->count * sizeof *a);
    carom_factor_solve(dynamics->factor, a);
    return CAROM_OK;
}

/* K := d(M a)/dq + K and C of the biped with its feet. */
static void load_derivatives(carom_gait_dynamics *dynamics, double theta, const double *state,
                             const double *a) {
    const carom_mechanism *mechanism = &dynamics->model->mechanism;
    const int n = dynamics->count;
    const double *v = state + n;
    mechanism->mass_derivative(state, a, dynamics->D, mechanism->context);
    mechanism->stiffness(0.0, state, v, dynamics->K, mechanism->context);
    mechanism->damping(0.0, state, v, dynamics->C, mechanism->context);
    for (int i = 0; i < n * n; i++) {
        dynamics->K[i] += dynamics->D[i];
    }
    dynamics->K[n * n - 1] -= foot_moment(dynamics, theta) * sin(state[n - 1] + theta);
}

/* d(f_N - M_NN a_N)/dtheta of the lifted foot. */
static double angle_derivative(const carom_gait_dynamics *dynamics, double theta, double leg,
                               double leg_acceleration) {
    const carom_armed_biped_params *biped = &dynamics->biped;
    const double lever = 2.0 * biped->masses[0] * biped->lengths[0];
    return -lever * (biped->gravity * cos(leg + 2.0 * theta) +
                     2.0 * biped->lengths[0] * sin(2.0 * theta) * leg_acceleration);
}

void carom_gait_dynamics_variation(carom_gait_dynamics *dynamics, double theta, bool is_held,
                                   const double *state, const double *a, int count,
                                   const double *directions, bool with_angle, double *rates) {
    const int n = dynamics->count;
    load_derivatives(dynamics, theta, state, a);
    for (int i = 0; i < count; i++) {
        const double *dq = directions + (size_t)i * 2 * (size_t)n;
        const double *dv = dq + n;
        double *rate = rates + (size_t)i * 2 * (size_t)n;
        double *da = rate + n;
        memcpy(rate, dv, (size_t)n * sizeof *rate);
        for (int j = 0; j < n; j++) {
            const double *K_j = dynamics->K + j * n;
            const double *C_j = dynamics->C + j * n;
            double sum = 0.0;
            for (int l = 0; l < n; l++) {
                sum += K_j[l] * dq[l] + C_j[l] * dv[l];
            }
            da[j] = -sum;
        }
        if (with_angle && i == count - 1) {
            da[n - 1] += angle_derivative(dynamics, theta, state[n - 1], a[n - 1]);
        }
        if (is_held) {
            da[n - 1] = 0.0;
        }
        carom_factor_solve(dynamics->factor, da);
    }
}

/** f_N - M_N. a, the torque that the leg lacks, N m: minus that of the landing foot. */
static double gait_dynamics_leg_torque(carom_gait_dynamics *dynamics, double theta,
                                       const double *state, const double *a) {
    const int n = dynamics->count;
    load(dynamics, theta, state);
    double torque = dynamics->f[n - 1];
    for (int j = 0; j < n; j++) {
        torque -= dynamics->M[(n - 1) * n + j] * a[j];
    }
    return torque;
}

carom_status carom_gait_dynamics_landing_torque(carom_gait_dynamics *dynamics, double theta,
                                                const double *state, double *torque,
                                                double *gradient) {
    const int n = dynamics->count;
    const size_t width = 2 * (size_t)n;
    const int count = carom_gait_direction_count(n);
    double *directions = dynamics->work;
    double *rates = directions + (size_t)count * width;
    double *a = dynamics->a;
    CAROM_TRY(carom_gait_dynamics_acceleration(dynamics, theta, true, state, a));
    memset(directions, 0, (size_t)count * width * sizeof *directions);
    for (size_t i = 0; i < width; i++) {
        directions[i * width + i] = 1.0;
    }
    carom_gait_dynamics_variation(dynamics, theta, true, state, a, count, directions, true, rates);

    /* F_N = M_N. a - f_N, with the accelerations of the others following the state. */
    const carom_armed_biped_params *biped = &dynamics->biped;
    const double unit = dynamics->total_mass * biped->gravity * biped->lengths[0];
    *torque = -gait_dynamics_leg_torque(dynamics, theta, state, a) / unit;
    const double *M_leg = dynamics->M + (size_t)(n - 1) * (size_t)n;
    const double *K_leg = dynamics->K + (size_t)(n - 1) * (size_t)n;
    const double *C_leg = dynamics->C + (size_t)(n - 1) * (size_t)n;
    for (int i = 0; i < count; i++) {
        const double *dq = directions + (size_t)i * width;
        const double *da = rates + (size_t)i * width + n;
        double change = 0.0;
        for (int j = 0; j < n; j++) {
            change += K_leg[j] * dq[j] + C_leg[j] * dq[n + j] + M_leg[j] * da[j];
        }
        gradient[i] = change / unit;
    }
    gradient[count - 1] -= angle_derivative(dynamics, theta, state[n - 1], a[n - 1]) / unit;
    return CAROM_OK;
}

carom_status carom_gait_dynamics_leg_jerk(carom_gait_dynamics *dynamics, double theta,
                                          const double *state, double *jerk, double *inverse_mass) {
    const int n = dynamics->count;
    double *a = dynamics->a;
    double *along = dynamics->work;
    double *rates = along + 2 * n;
    CAROM_TRY(carom_gait_dynamics_acceleration(dynamics, theta, false, state, a));
    memcpy(along, state + n, (size_t)n * sizeof *along);
    memcpy(along + n, a, (size_t)n * sizeof *along);
    carom_gait_dynamics_variation(dynamics, theta, false, state, a, 1, along, false, rates);
    *jerk = rates[2 * n - 1];

    /* The last column of the inverse of M. */
    memset(along, 0, (size_t)n * sizeof *along);
    along[n - 1] = 1.0;
    carom_factor_solve(dynamics->factor, along);
    *inverse_mass = along[n - 1];
    return CAROM_OK;
}

double carom_gait_dynamics_energy(carom_gait_dynamics *dynamics, double theta,
                                  const double *state) {
    const carom_mechanism *mechanism = &dynamics->model->mechanism;
    const int n = dynamics->count;
    const double *v = state + n;
    load(dynamics, theta, state);
    double energy = mechanism->potential_energy(state, mechanism->context) +
                    foot_moment(dynamics, theta) * sin(state[n - 1] + theta);
    for (int j = 0; j < n; j++) {
        for (int l = 0; l < n; l++) {
            energy += 0.5 * v[j] * dynamics->M[j * n + l] * v[l];
        }
    }
    return energy;
}

double carom_gait_dynamics_equilibrium_energy(carom_gait_dynamics *dynamics, double theta) {
    const carom_mechanism *mechanism = &dynamics->model->mechanism;
    const int n = dynamics->count;
    const double foot = dynamics->biped.masses[0];
    double *q = dynamics->a;
    memset(q, 0, (size_t)n * sizeof *q);
    if (dynamics->biped.has_arm) {
        q[0] = M_PI;
    }
    q[n - 1] = atan2(foot * sin(2.0 * theta),
                     dynamics->total_mass - 2.0 * foot + 2.0 * foot * gsl_pow_2(sin(theta)));
    return mechanism->potential_energy(q, mechanism->context) +
           foot_moment(dynamics, theta) * sin(q[n - 1] + theta);
}
