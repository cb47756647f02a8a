#include <carom/collisionless/gait/gait.h>

#include <math.h>

/** Speed of the mass centre. */
static double mass_centre_speed(const carom_armed_biped_params *biped, const double *q,
                                const double *v) {
    const int N = carom_armed_biped_coordinate_count(biped);
    const int leg = N - 1;

    /* The masses that each link carries move with its end relative to its beginning. */
    double carried = 0.0;
    double x = 0.0;
    double y = 0.0;
    for (int j = 0; j < N; j++) {
        carried += biped->masses[N - j];
        x += carried * biped->lengths[leg - j] * cos(q[j]) * v[j];
        y -= carried * biped->lengths[leg - j] * sin(q[j]) * v[j];
    }

    /* The free foot turns about the stance foot, which is at rest. */
    const double distance = 2.0 * biped->lengths[0] * sin(biped->half_step_angle);
    const double lift = q[leg] + biped->half_step_angle;
    x += biped->masses[0] * distance * sin(lift) * v[leg];
    y += biped->masses[0] * distance * cos(lift) * v[leg];
    return hypot(x, y) / (carried + 2.0 * biped->masses[0]);
}

/** Simpson's rule over one phase. */
static double phase_path(const carom_armed_biped_params *biped, const carom_gait_trajectory *t,
                         int first, int last) {
    if ((last - first) % 2 != 0) {
        return (double)NAN;
    }
    const size_t N = (size_t)t->coordinate_count;
    double sum = 0.0;
    for (int i = first; i <= last; i++) {
        const size_t at = (size_t)i * N;
        const double weight = i == first || i == last ? 1.0 : ((i - first) % 2 == 1 ? 4.0 : 2.0);
        sum += weight * mass_centre_speed(biped, t->position + at, t->velocity + at);
    }
    const double step = (t->time[last] - t->time[first]) / (last - first);
    return sum * step / 3.0;
}

double carom_gait_trajectory_path(const carom_armed_biped_params *biped,
                                  const carom_gait_trajectory *trajectory) {
    CAROM_ASSERT(biped != NULL && trajectory != NULL);
    return phase_path(biped, trajectory, 0, trajectory->landing) +
           phase_path(biped, trajectory, trajectory->landing, trajectory->count - 1);
}
