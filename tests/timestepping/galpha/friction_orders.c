/* Orders of convergence with friction, against closed forms: second order of motions without
 * events, first order with them. */
#include "friction_bodies.h"

/** A body whose first coordinate moves in closed form. */
typedef struct exact_motion {
    body b;
    double (*position)(double t, const body *b);
    double smooth;   /**< until here no friction jumps, s */
    double duration; /**< past such events, s */
} exact_motion;

/* Mean distance from the exact motion up to a time. */
static double distance_of(const exact_motion *motion, carom_scheme scheme, double theta, double h,
                          double to) {
    body b = motion->b;
    b.mechanism.context = &b;
    b.mechanism.friction = b.friction;
    b.mechanism.restitution = b.restitution;
    carom_stepper_params params = scheme_with_step(scheme, h);
    params.theta = theta;
    carom_stepper *stepper = started(&b.mechanism, &params, b.q, b.v);
    const int steps = (int)lround(to / h);
    double sum = 0.0;
    for (int k = 1; k <= steps; k++) {
        assert_ok(carom_stepper_advance(stepper, NULL));
        sum += fabs(carom_stepper_result(stepper)->position[0] - motion->position(k * h, &b));
    }
    carom_stepper_free(stepper);
    return sum / steps;
}

static void check_orders(const exact_motion *motion) {
    enum { COUNT = 4 };
    static const struct {
        carom_scheme scheme;
        double theta;
        double order; /* without events */
    } cases[] = {{CAROM_SCHEME_MOREAU_JEAN, NAN, 1.0},
                 {CAROM_SCHEME_MOREAU_JEAN, 0.5, 2.0},
                 {CAROM_SCHEME_VELOCITY_GALPHA, NAN, 2.0},
                 {CAROM_SCHEME_NONSMOOTH_GALPHA, NAN, 2.0}};
    for (int k = 0; k < 4; k++) {
        double h[COUNT];
        double smooth[COUNT];
        double whole[COUNT];
        for (int i = 0; i < COUNT; i++) {
            h[i] = motion->duration / (double)(173 << i); /* no event falls on the grid */
            smooth[i] = distance_of(motion, cases[k].scheme, cases[k].theta, h[i], motion->smooth);
            whole[i] = distance_of(motion, cases[k].scheme, cases[k].theta, h[i], motion->duration);
        }
        const double orders[2] = {fitted_slope(COUNT, h, smooth), fitted_slope(COUNT, h, whole)};
        ck_assert_msg(fabs(orders[0] - cases[k].order) < 0.2 && orders[1] > 0.85,
                      "%s, theta %g: order %.3f, with events %.3f, %.3g .. %.3g",
                      carom_scheme_name(cases[k].scheme), cases[k].theta, orders[0], orders[1],
                      whole[0], whole[COUNT - 1]);
    }
}

/* ------------------------------------------------------------ a box that brakes */

static const double MU = 0.23;
static const double DRAG = 1.9; /* kg/s */

static void dragged_force(double t, const double *q, const double *v, double *f, void *context) {
    body_force(t, q, v, f, context);
    f[0] -= DRAG * v[0];
}

static void dragged_damping(double t, const double *q, const double *v, double *C, void *context) {
    const body *b = context;
    const int n = b->mechanism.coordinate_count;
    (void)t;
    (void)q;
    (void)v;
    memset(C, 0, (size_t)(n * n) * sizeof *C);
    C[0] = DRAG;
}

/* m v' = -mu m g - c v:  v = (v0 + w) e^(-ct/m) - w, w = mu m g/c, until it stops. */
static double braking_box(double t, const body *b) {
    const double rate = DRAG / b->mass[0];
    const double w = MU * GRAVITY / rate;
    const double moving = fmin(t, log1p(b->v[0] / w) / rate);
    return -(b->v[0] + w) / rate * expm1(-rate * moving) - w * moving;
}

TEST(property, a_braking_box_converges_to_second_order_and_with_its_stop_to_the_first) {
    exact_motion motion = {.position = braking_box, .smooth = 0.8, .duration = 1.6};
    body *b = &motion.b;
    point_init(b, MASS, MU);
    b->mechanism.force = dragged_force;
    b->mechanism.damping = dragged_damping;
    tilt(b, 0.0, 0.0);
    b->v[0] = 3.1;
    ck_assert(braking_box(1.0, b) - braking_box(0.8, b) > 0.0); /* it stops at 1.07 s */
    check_orders(&motion);
}

/* ------------------------------------------------------------ a box on a belt */

static const double BELT = 0.7;    /* m/s */
static const double SPRING = 61.0; /* N/m */

static void belt_velocity(double t, double *w, void *context) {
    (void)t;
    (void)context;
    w[0] = 0.0;
    w[1] = -BELT;
}

/* It rides along until the spring pulls with mu m g at x_s, then swings about x_s, never faster
 * than the belt: x = x_s + (V/omega) sin omega (t - x_s/V). */
static double box_on_belt(double t, const body *b) {
    const double held = MU * b->mass[0] * GRAVITY / SPRING;
    const double omega = sqrt(SPRING / b->mass[0]);
    const double slips = (held - b->q[0]) / BELT;
    return t < slips ? b->q[0] + BELT * t : held + BELT / omega * sin(omega * (t - slips));
}

TEST(property, a_box_on_a_belt_sticks_slips_and_swings) {
    exact_motion motion = {.position = box_on_belt, .smooth = 0.9, .duration = 1.5};
    body *b = &motion.b;
    point_init(b, MASS, MU);
    b->stiffness = SPRING;
    b->mechanism.constraint_velocity = belt_velocity;
    tilt(b, 0.0, 0.0);
    b->q[0] = MU * MASS * GRAVITY / SPRING; /* it slips at once */
    b->v[0] = BELT;
    check_orders(&motion);
    b->q[0] -= 0.2 * BELT; /* it slips after 0.2 s, as smoothly: friction does not jump */
    check_orders(&motion);
}

/* ------------------------------------------------------------ a disc that comes to roll */

static const double RADIUS = 0.37;

/* A disc on a spring, thrown without spin: x'' = -k x/m - mu g until x' = -R turn' = (2 mu g) t,
 * then (3/2) m x'' = -k x, as long as that takes less friction than there is. */
static double rolling_disc(double t, const body *b) {
    const double omega = sqrt(SPRING / b->mass[0]);
    const double center = -MU * GRAVITY / (omega * omega);
    double low = 0.0;
    double high = 0.5 * acos(-1.0) / omega;
    for (int i = 0; i < 60; i++) { /* when x' = 2 mu g t */
        const double middle = 0.5 * (low + high);
        const double speed = b->v[0] * cos(omega * middle) + omega * center * sin(omega * middle);
        *(speed > 2.0 * MU * GRAVITY * middle ? &low : &high) = middle;
    }
    const double slides = fmin(t, low);
    const double x = center - center * cos(omega * slides) + b->v[0] / omega * sin(omega * slides);
    const double speed = b->v[0] * cos(omega * slides) + omega * center * sin(omega * slides);
    const double rolling = omega * sqrt(2.0 / 3.0);
    const double rolls = t - slides;
    return x * cos(rolling * rolls) + speed / rolling * sin(rolling * rolls);
}

TEST(property, a_disc_on_a_spring_slides_and_rolls) {
    exact_motion motion = {.position = rolling_disc, .smooth = 0.05, .duration = 0.15};
    body *b = &motion.b;
    disc_init(b, MASS, RADIUS, MU);
    b->stiffness = SPRING;
    tilt(b, 0.0, 0.0);
    b->v[0] = 0.6;
    check_orders(&motion);
}
