#include <carom/models/thrown_sphere.h>

#include <float.h>
#include <math.h>
#include <string.h>

/** I = PART m R^2. */
static const double PART = 0.4;

/** Coordinates of the centre, and of the spin, in a mechanism of either kind. */
enum { SPACE = 6, PLANE = 3 };

carom_thrown_sphere_params carom_thrown_sphere_params_default(void) {
    const carom_thrown_sphere_params params = {.mass = 1.0,
                                               .radius = 0.1,
                                               .friction = 0.2,
                                               .restitution = 0.0,
                                               .gravity = 9.81,
                                               .height = 0.0,
                                               .velocity = {1.0, 0.0, 0.0},
                                               .spin = {0.0, 0.0, 0.0},
                                               .is_planar = false};
    return params;
}

/* --- the mechanism ---------------------------------------------------------------------------- */

static int coordinates_of(const carom_thrown_sphere_params *sphere) {
    return sphere->is_planar ? PLANE : SPACE;
}

/** The place of z. */
static int height_of(const carom_thrown_sphere_params *sphere) {
    return sphere->is_planar ? 1 : 2;
}

/** M = diag(m, ..., I, ...). */
static void mass(const double *q, double *M, void *context) {
    (void)q;
    const carom_thrown_sphere_params *sphere = context;
    const int n = coordinates_of(sphere);
    memset(M, 0, (size_t)(n * n) * sizeof *M);
    for (int i = 0; i < n; i++) {
        M[i * n + i] = i <= height_of(sphere)
                           ? sphere->mass
                           : PART * sphere->mass * sphere->radius * sphere->radius;
    }
}

/** The weight. */
static void force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    (void)q;
    (void)v;
    const carom_thrown_sphere_params *sphere = context;
    memset(f, 0, (size_t)coordinates_of(sphere) * sizeof *f);
    f[height_of(sphere)] = -sphere->mass * sphere->gravity;
}

/** V = m g z, zero on the plane. */
static double potential_energy(const double *q, void *context) {
    const carom_thrown_sphere_params *sphere = context;
    return sphere->mass * sphere->gravity * q[height_of(sphere)];
}

/** g = z. */
static void constraints(const double *q, double *g, void *context) {
    g[0] = q[height_of(context)];
}

/** G = (0, ..., 1, ...). */
static void constraint_jacobian(const double *q, double *G, void *context) {
    (void)q;
    const carom_thrown_sphere_params *sphere = context;
    memset(G, 0, (size_t)coordinates_of(sphere) * sizeof *G);
    G[height_of(sphere)] = 1.0;
}

/** H v = (x' - R w_y, y' + R w_x). */
static void tangential_jacobian(const double *q, double *H, void *context) {
    (void)q;
    const carom_thrown_sphere_params *sphere = context;
    const int n = coordinates_of(sphere);
    memset(H, 0, (size_t)(n * (sphere->is_planar ? 1 : 2)) * sizeof *H);
    H[0] = 1.0;
    if (sphere->is_planar) {
        H[2] = -sphere->radius;
        return;
    }
    H[4] = -sphere->radius;
    H[SPACE + 1] = 1.0;
    H[SPACE + 3] = sphere->radius;
}

/** Refuse parameters that do not describe a sphere above a plane. */
static carom_status check(const carom_thrown_sphere_params *params, carom_report *report) {
    CAROM_TRY(carom_model_require_positive("mass", params->mass, report));
    CAROM_TRY(carom_model_require_positive("radius", params->radius, report));
    CAROM_TRY(carom_model_require_positive("gravity", params->gravity, report));
    CAROM_TRY(carom_model_require_within("friction", params->friction, 0.0, INFINITY, report));
    CAROM_TRY(carom_model_require_within("restitution", params->restitution, 0.0, 1.0, report));
    CAROM_TRY(carom_model_require_finite("height", params->height, report));
    for (int i = 0; i < 3; i++) {
        const bool leaves_velocity = params->is_planar && i == 1;
        const bool leaves_spin = params->is_planar && i != 1;
        const double most = INFINITY;
        CAROM_TRY(carom_model_require_within("velocity", params->velocity[i],
                                             leaves_velocity ? 0.0 : -most,
                                             leaves_velocity ? 0.0 : most, report));
        CAROM_TRY(carom_model_require_within("spin", params->spin[i], leaves_spin ? 0.0 : -most,
                                             leaves_spin ? 0.0 : most, report));
    }
    return params->height < 0.0
               ? carom_report_fail(report, CAROM_STATUS_PENETRATION, "height", params->height, 0)
               : CAROM_OK;
}

/** The initial state in the coordinates of the mechanism. */
static void set_start(const carom_thrown_sphere_params *sphere, carom_model *model) {
    const int z = height_of(sphere);
    model->initial_position[z] = sphere->height;
    model->initial_velocity[0] = sphere->velocity[0];
    model->initial_velocity[z] = sphere->velocity[2];
    if (sphere->is_planar) {
        model->initial_velocity[2] = sphere->spin[1];
        return;
    }
    model->initial_velocity[1] = sphere->velocity[1];
    memcpy(model->initial_velocity + 3, sphere->spin, sizeof sphere->spin);
}

carom_status carom_thrown_sphere_alloc(const carom_thrown_sphere_params *params, carom_model **out,
                                       carom_report *report) {
    CAROM_ASSERT(params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(check(params, report));
    carom_model *model = NULL;
    CAROM_TRY(carom_model_alloc(coordinates_of(params), sizeof *params, &model));
    carom_thrown_sphere_params *sphere = model->parameters;
    *sphere = *params;
    set_start(sphere, model);
    carom_mechanism *mechanism = &model->mechanism;
    mechanism->name = "thrown_sphere";
    mechanism->contact_count = 1;
    mechanism->tangent_count = sphere->is_planar ? 1 : 2;
    mechanism->is_linear = true;
    mechanism->position_units = "m";
    mechanism->velocity_units = "m s-1";
    mechanism->restitution = &sphere->restitution;
    mechanism->friction = &sphere->friction;
    mechanism->mass = mass;
    mechanism->force = force;
    mechanism->potential_energy = potential_energy;
    mechanism->constraints = constraints;
    mechanism->constraint_jacobian = constraint_jacobian;
    mechanism->tangential_jacobian = tangential_jacobian;
    *out = model;
    return CAROM_OK;
}

/* --- the exact motion ------------------------------------------------------------------------- */

/** The velocity u of the lowest point, and its size. */
static double slide(const carom_thrown_sphere_params *p, carom_thrown_sphere_state *s) {
    s->sliding[0] = s->velocity[0] - p->radius * s->spin[1];
    s->sliding[1] = s->velocity[1] + p->radius * s->spin[0];
    return hypot(s->sliding[0], s->sliding[1]);
}

/** An impulse of `length` m against u takes 7/2 of it off the sliding. @return what is left of |u|
 */
static double rub(const carom_thrown_sphere_params *p, double length,
                  carom_thrown_sphere_state *s) {
    const double size = slide(p, s);
    const double most = PART / (1.0 + PART) * size;
    const double taken = fmin(length, most);
    for (int a = 0; a < 2 && size > 0.0; a++) {
        s->velocity[a] -= taken * s->sliding[a] / size;
    }
    if (size > 0.0) {
        s->spin[0] -= taken * s->sliding[1] / (size * PART * p->radius);
        s->spin[1] += taken * s->sliding[0] / (size * PART * p->radius);
    }
    const double left = length < most ? slide(p, s) : 0.0;
    s->sliding[0] = left > 0.0 ? s->sliding[0] : 0.0;
    s->sliding[1] = left > 0.0 ? s->sliding[1] : 0.0;
    return left;
}

/** Flights and impacts up to t, or to where flights end. @return the time */
static double bounce(const carom_thrown_sphere_params *p, double t, carom_thrown_sphere_state *s) {
    double time = 0.0;
    for (;;) {
        const double speed = s->velocity[2];
        const double landing = sqrt(speed * speed + 2.0 * p->gravity * s->position[2]);
        const double flight = (speed + landing) / p->gravity;
        // It rests where flights are lost in the rounding of the time.
        const bool rests = !(landing > 0.0) || flight < DBL_EPSILON * time;
        const double dt = rests ? 0.0 : fmin(flight, t - time);
        for (int a = 0; a < 2; a++) {
            s->position[a] += dt * s->velocity[a];
        }
        s->position[2] += dt * (speed - 0.5 * p->gravity * dt);
        s->velocity[2] -= p->gravity * dt;
        if (!rests && flight > t - time) {
            return t;
        }
        time += dt;
        s->position[2] = 0.0;
        if (rests) {
            s->velocity[2] = 0.0;
            return time;
        }
        s->velocity[2] = p->restitution * landing;
        s->impacts++;
        if (!(rub(p, p->friction * (1.0 + p->restitution) * landing, s) > 0.0) &&
            isnan(s->rolls_since)) {
            s->rolls_since = time;
        }
    }
}

/*[thrownSphereSlides]*/
/** On the plane, from `landed` to t: it slides until it rolls. */
static void run_out(const carom_thrown_sphere_params *p, double landed, double t,
                    carom_thrown_sphere_state *s) {
    const double size = slide(p, s);
    const double rate = p->friction * p->gravity;
    const double whole = size > 0.0 ? PART / (1.0 + PART) * size / rate : 0.0;
    const bool rolls = whole <= t - landed;
    const double sliding_time = rolls ? whole : t - landed;
    for (int a = 0; a < 2; a++) {
        const double way = size > 0.0 ? s->sliding[a] / size : 0.0;
        s->position[a] += sliding_time * (s->velocity[a] - 0.5 * rate * sliding_time * way);
    }
    (void)rub(p, rolls ? size : rate * sliding_time, s);
    for (int a = 0; a < 2; a++) {
        s->position[a] += (t - landed - sliding_time) * s->velocity[a];
    }
    if (rolls && isnan(s->rolls_since)) {
        s->rolls_since = landed + sliding_time;
    }
}
/*[end thrownSphereSlides]*/

void carom_thrown_sphere_exact(const carom_thrown_sphere_params *params, double t,
                               carom_thrown_sphere_state *state) {
    const carom_thrown_sphere_params *p = params;
    const double unknown = isfinite(t) && t >= 0.0 ? 0.0 : (double)NAN;
    *state = (carom_thrown_sphere_state){.position = {unknown, unknown, p->height + unknown},
                                         .sliding = {unknown, unknown},
                                         .rolls_since = (double)NAN};
    for (int a = 0; a < 3; a++) {
        state->velocity[a] = p->velocity[a] + unknown;
        state->spin[a] = p->spin[a] + unknown;
    }
    if (isnan(unknown)) {
        return;
    }
    const double landed = bounce(p, t, state);
    (void)slide(p, state);
    if (!(state->position[2] > 0.0 || fabs(state->velocity[2]) > 0.0)) {
        run_out(p, landed, t, state);
    }
}

double carom_thrown_sphere_sliding_time(const carom_thrown_sphere_params *params) {
    carom_thrown_sphere_state start = {.position = {0.0, 0.0, 0.0}};
    memcpy(start.velocity, params->velocity, sizeof start.velocity);
    memcpy(start.spin, params->spin, sizeof start.spin);
    const double size = slide(params, &start);
    return size > 0.0 ? PART / (1.0 + PART) * size / (params->friction * params->gravity) : 0.0;
}
