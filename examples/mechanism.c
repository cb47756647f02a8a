/* A mechanism of one's own, by functions: a pendulum, l q'' = -g sin q, let go from the side,
 * strikes a wall at its lowest point. Follows it in time by the scheme of Moreau and Jean, which
 * checks the derivatives where it starts, and prints how far the pendulum swings back. */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>

static void mass(const double *q, double *M, void *context) {
    (void)q;
    M[0] = *(const double *)context; /* the length l in m: all is over mass and length */
}
static void force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t, (void)v, (void)context;
    f[0] = -9.81 * sin(q[0]);
}
static void stiffness(double t, const double *q, const double *v, double *K, void *context) {
    (void)t, (void)v, (void)context;
    K[0] = 9.81 * cos(q[0]); /* -df/dq */
}
static double potential_energy(const double *q, void *context) {
    (void)context;
    return -9.81 * cos(q[0]);
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
    double length = 0.5, restitution = 0.6; /* m, 1 */
    CAROM_AUTO(carom_model) model = NULL;   /* one coordinate, room for its state, all else zero */
    CAROM_AUTO(carom_trajectory) motion = NULL;
    CAROM_TRY(carom_model_alloc(1, 0, &model));
    model->initial_position[0] = 1.2; /* rad */
    carom_mechanism *m = &model->mechanism;
    m->name = "pendulum", m->position_units = "rad", m->velocity_units = "rad s-1";
    m->contact_count = 1, m->restitution = &restitution, m->context = &length;
    m->mass = mass, m->force = force, m->potential_energy = potential_energy;
    m->stiffness = stiffness, m->constraints = gap, m->constraint_jacobian = gap_jacobian;

    carom_stepper_params scheme = carom_stepper_params_default(CAROM_SCHEME_MOREAU_JEAN);
    scheme.step = 1e-4; /* s */
    CAROM_TRY(carom_trajectory_run(m, &scheme, model->initial_position, model->initial_velocity,
                                   1.0, NULL, NULL, &motion, why));
    /* It strikes after 0.39 s and turns within a second. */
    printf("swings back to %.4f rad\n",
           carom_series_maximum(carom_series_window(motion, motion->position, 1, 0, 0.45, 1.0)));
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
