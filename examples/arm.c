/* An arm of two links pushes a crate over a rough floor: a planar tree among free bodies, one
 * mechanism with the contacts of all. Both joints are driven so that the hand moves along a line;
 * it slows down until friction brakes the crate less than that, and the crate slides on alone.
 * Prints where the crate comes to rest. */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>

/* kg, m, rad, s */
static const double LINK = 0.8, HAND = 0.05, HEIGHT = 0.3, BENT = 1.4, RATE = 1.5;

/* The angle of a body beside another one is angle + rate t. */
static carom_bodies_joint drive(int first, int second, double angle, double rate) {
    static carom_bodies_joint joint; /* all else zero */
    joint.kind = CAROM_BODIES_DRIVEN, joint.first = first, joint.second = second;
    joint.coordinate = 2, joint.motion.offset = angle, joint.motion.speed = rate;
    return joint;
}

static carom_status push(carom_report *why) {
    const carom_planar_shape rod = {2, 0.1, {0.4, 0}}; /* mass, inertia, centre: along x */
    const carom_planar_body links[] = {carom_planar_revolute(-1, 0, HEIGHT, rod),
                                       carom_planar_revolute(0, LINK, 0, rod)};
    carom_planar_tree_spec arm = carom_planar_tree_spec_default();
    arm.body_count = 2, arm.bodies = links;
    CAROM_AUTO(carom_planar_tree) tree = NULL;
    CAROM_TRY(carom_planar_tree_alloc(&arm, &tree, why));

    /* The crate is body 0, the links are bodies 1 and 2. */
    const carom_planar_shape crate = carom_planar_box(5, 0.4, 0.6);
    const double box[] = {-0.2, -0.3, 0.2, -0.3, 0.2, 0.3, -0.2, 0.3}, hand[] = {LINK, 0};
    const double ground[] = {0, 0, 0, 1}; /* a point, the normal */
    const carom_bodies_shape shapes[] = { /* body, half plane, points, radius, friction, ... */
                                         {0, false, 4, box, 0, 0.3, 0, 0},
                                         {2, false, 1, hand, HAND, 0, 0, 0},
                                         {CAROM_BODIES_GROUND, true, 2, ground, 0, 0.3, 0, 0}};
    /* Upper arm and forearm turn so that the hand stays at the height of the shoulder. */
    const carom_bodies_joint drives[] = {drive(CAROM_BODIES_GROUND, 1, BENT, -RATE),
                                         drive(1, 2, -2 * BENT, 2 * RATE)};
    carom_bodies_spec spec = carom_bodies_spec_default();
    spec.body_count = 1, spec.bodies = &crate, spec.shape_count = 3, spec.shapes = shapes;
    spec.joint_count = 2, spec.joints = drives, spec.tree = tree;
    CAROM_AUTO(carom_bodies) bodies = NULL;
    CAROM_TRY(carom_bodies_alloc(&spec, &bodies, why));

    /* x, y, angle of the crate, which the hand touches, and both angles of the arm */
    const double q[] = {2 * LINK * cos(BENT) + HAND + 0.2, 0.3, 0, BENT, -2 * BENT};
    const double v[] = {0, 0, 0, -RATE, 2 * RATE};
    carom_stepper_params params = carom_stepper_params_default(CAROM_SCHEME_MOREAU_JEAN);
    params.step = 1e-4;
    CAROM_AUTO(carom_stepper) stepper = NULL;
    CAROM_TRY(carom_stepper_alloc(carom_bodies_mechanism(bodies), &params, &stepper, why));
    CAROM_TRY(carom_stepper_start(stepper, 0, q, v, why));
    while (carom_stepper_result(stepper)->time < 1.2) {
        CAROM_TRY(carom_stepper_advance(stepper, why));
    }
    printf("the crate is at rest at %.3f m\n", carom_stepper_result(stepper)->position[0]);
    return CAROM_OK;
}

int main(void) {
    carom_report why = carom_report_empty();
    const carom_status status = push(&why);
    if (status != CAROM_OK) {
        carom_report_print(stderr, status, &why);
    }
    return status != CAROM_OK;
}
