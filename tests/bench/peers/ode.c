/* Open Dynamics Engine: bodies on the z axis, a contact joint where a gap is closed, springs as
 * forces, its iterative solver (the direct one of 0.16.2 gives up two contacts above each other,
 * with an internal error). */
#include "peers.h"

#include <ode/ode.h>

#include <math.h>
#include <stdlib.h>

typedef struct ode_run {
    const peer_system *system;
    dWorldID world;
    dJointGroupID contacts;
    dBodyID *bodies; /* [n] */
} ode_run;

static double place(const ode_run *run, int i) {
    return (double)dBodyGetPosition(run->bodies[i])[2];
}

static void ode_close(void *simulation) {
    ode_run *run = simulation;
    if (run != NULL) {
        dJointGroupDestroy(run->contacts);
        dWorldDestroy(run->world);
        dCloseODE();
        free(run->bodies);
        free(run);
    }
}

static void *ode_open(const peer_system *system) {
    ode_run *run = calloc(1, sizeof *run);
    if (run == NULL) {
        return NULL;
    }
    run->system = system;
    run->bodies = calloc((size_t)system->n, sizeof(dBodyID));
    dInitODE2(0);
    dAllocateODEDataForThread((unsigned)dAllocateMaskAll);
    run->world = dWorldCreate();
    run->contacts = dJointGroupCreate(0);
    dWorldSetContactSurfaceLayer(run->world, 0);
    for (int i = 0; run->bodies != NULL && i < system->n; i++) {
        dMass mass;
        dMassSetSphereTotal(&mass, (dReal)system->M[i * system->n + i], 1);
        run->bodies[i] = dBodyCreate(run->world);
        dBodySetMass(run->bodies[i], &mass);
        dBodySetPosition(run->bodies[i], 0, 0, (dReal)system->q[i]);
        dBodySetLinearVel(run->bodies[i], 0, 0, (dReal)system->v[i]);
    }
    if (run->bodies == NULL) {
        ode_close(run);
        return NULL;
    }
    return run;
}

static void close_gap(ode_run *run, int a) {
    const peer_system *s = run->system;
    dBodyID up = NULL;
    dBodyID down = NULL;
    double gap = s->g0[a];
    for (int i = 0; i < s->n; i++) {
        const double entry = s->G[a * s->n + i];
        up = entry > 0.0 ? run->bodies[i] : up;
        down = entry < 0.0 ? run->bodies[i] : down;
        gap += fabs(entry) > 0.0 ? entry * place(run, i) : 0.0;
    }
    if (gap > 0.0) {
        return;
    }
    dContact contact = {.surface = {.mode = dContactBounce | dContactApprox1,
                                    .mu = 0,
                                    .bounce = (dReal)s->restitution,
                                    .bounce_vel = 0},
                        .geom = {.normal = {0, 0, 1}, .depth = (dReal)-gap}};
    dJointAttach(dJointCreateContact(run->world, run->contacts, &contact), up, down);
}

static bool ode_advance(void *simulation) {
    ode_run *run = simulation;
    const peer_system *s = run->system;
    for (int i = 0; i < s->n; i++) {
        double force = s->f[i];
        for (int j = i > 0 ? i - 1 : 0; j < s->n && j <= i + 1; j++) {
            force -= s->K[i * s->n + j] * place(run, j);
        }
        dBodyAddForce(run->bodies[i], 0, 0, (dReal)force);
    }
    for (int a = 0; a < s->m; a++) {
        close_gap(run, a);
    }
    const int is_done = dWorldQuickStep(run->world, (dReal)s->step);
    dJointGroupEmpty(run->contacts);
    return is_done != 0;
}

static void ode_read(const void *simulation, int n, double *q) {
    for (int i = 0; i < n; i++) {
        q[i] = place(simulation, i);
    }
}

const peer ode_peer = {
    .name = "ODE", .open = ode_open, .advance = ode_advance, .read = ode_read, .close = ode_close};
