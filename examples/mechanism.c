/* A mechanism of one's own, by functions: a pendulum, let go from the side, strikes a wall at its
 * lowest point. Checks the derivatives, follows it in time by the scheme of Moreau and Jean, and
 * prints when it strikes and how far it swings back. */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>

typedef struct pendulum {
    double inertia, moment, restitution; /* m l^2 in kg m2, m g l in N m, 1 */
} pendulum;

static void mass(const double *q, double *M, void *context) {
    (void)q;
    M[0] = ((const pendulum *)context)->inertia;
}
static void force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t, (void)v;
    f[0] = -((const pendulum *)context)->moment * sin(q[0]);
}
static void stiffness(double t, const double *q, const double *v, double *K, void *context) {
    (void)t, (void)v;
    K[0] = ((const pendulum *)context)->moment * cos(q[0]); /* -df/dq */
}
static double potential_energy(const double *q, void *context) {
    return -((const pendulum *)context)->moment * cos(q[0]);
}
static void gap(const double *q, double *g, void *context) {
    (void)context;
    g[0] = q[0]; /* rad: the wall is at the angle 0 */
}
static void gap_jacobian(const double *q, double *G, void *context) {
    (void)q, (void)context;
    G[0] = 1;
}

static carom_status swing(carom_report *why) {
    pendulum arm = {2 * 0.5 * 0.5, 2 * 9.81 * 0.5, 0.6}; /* 2 kg, 0.5 m */
    CAROM_AUTO(carom_model) model = NULL; /* one coordinate, room for its state, all else zero */
    CAROM_AUTO(carom_trajectory) motion = NULL;
    CAROM_TRY(carom_model_alloc(1, 0, &model));
    model->initial_position[0] = 1.2; /* rad */
    carom_mechanism *m = &model->mechanism;
    m->name = "pendulum", m->position_units = "rad", m->velocity_units = "rad s-1";
    m->contact_count = 1, m->restitution = &arm.restitution, m->context = &arm;
    m->mass = mass, m->force = force, m->stiffness = stiffness;
    m->potential_energy = potential_energy;
    m->constraints = gap, m->constraint_jacobian = gap_jacobian;

    CAROM_TRY(carom_mechanism_check(m, 0, model->initial_position, model->initial_velocity, 1e-6, 1,
                                    NULL)); /* every derivative against differences */
    carom_stepper_params scheme = carom_stepper_params_default(CAROM_SCHEME_MOREAU_JEAN);
    scheme.step = 1e-4; /* s */
    CAROM_TRY(carom_trajectory_run(m, &scheme, model->initial_position, model->initial_velocity,
                                   1.0, NULL, NULL, &motion, why));
    int impact = 0; /* the row that it is in */
    if (carom_trajectory_impacts(motion, 0, 1, &impact) == 0) {
        return carom_report_say(why, CAROM_STATUS_NOT_FOUND, "no impact");
    }
    const carom_series after =
        carom_series_window(motion, motion->position, 1, 0, motion->time[impact], 1.0);
    printf("impact after %.4f s, then up to %.4f rad\n", motion->time[impact],
           carom_series_maximum(after));
    return CAROM_OK;
}

int main(void) {
    carom_report why = carom_report_empty();
    const carom_status status = swing(&why);
    if (status != CAROM_OK) {
        carom_report_print(stderr, status, &why);
    }
    return status != CAROM_OK;
}
