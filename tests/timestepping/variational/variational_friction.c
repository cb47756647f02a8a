/* carom/timestepping/variational/variational.h: impacts that the propagative law has not, with
 * friction or several coefficients of restitution, against closed forms. */
#include "variational_stepping.h"

#include <carom/mechanism/planar_tree.h>

/* A disc of 1 kg that meets the floor after 0.1 s, unless otherwise said with v = (2, -3). */
static carom_planar_tree *disc_on_floor(double friction, double restitution) {
    carom_planar_body disc = carom_planar_floating(carom_planar_disc(1.0, 0.2));
    carom_planar_contact rim =
        carom_planar_disc_on_wall(0, 0.0, 0.0, 0.2, carom_planar_floor(0.0), friction);
    carom_planar_tree_spec spec = carom_planar_tree_spec_default();
    carom_planar_tree *tree = NULL;
    spec.name = "disc";
    spec.gravity[1] = 0.0;
    spec.body_count = 1;
    spec.bodies = &disc;
    spec.contact_count = 1;
    spec.contacts = &rim;
    rim.restitution = restitution;
    assert_ok(carom_planar_tree_alloc(&spec, &tree, NULL));
    return tree;
}

/*
 * Oblique impact with spin. The contact slides at s = v_x + r w; m (1 + e) v_n is the normal
 * impulse p, and what stops the sliding m s / 3. It rolls if that is at most mu p, or else slides
 * on with s - 3 mu p/m.
 */
LOOP_TEST(property, a_disc_leaves_the_floor_as_coulomb_says, 6) {
    const double friction[6] = {0.3, 0.3, 0.05, 0.05, 0.3, 0.0};
    const double restitution[6] = {1.0, 0.35, 0.8, 0.0, 0.6, 0.5};
    const double spin[6] = {0.0, 4.0, 0.0, -30.0, -10.0, 7.0};
    const double r = 0.2;
    const double q[3] = {0.0, 0.5, 0.0};
    const double v[3] = {2.0, -3.0, spin[_i]};
    carom_planar_tree *tree = disc_on_floor(friction[_i], restitution[_i]);
    carom_variational_params params = params_of_step(0.25);
    params.impacts_without_friction = false;
    carom_variational_stepper *stepper =
        start(carom_planar_tree_mechanism(tree), &params, 0.0, q, v, NULL);
    const carom_variational_result *now = advance(stepper);
    const double sliding = v[0] + r * v[2];
    const double normal = (1.0 + restitution[_i]) * 3.0;
    const double most = friction[_i] * normal;
    const double stop = sliding / 3.0;
    const double tangential = fabs(stop) <= most ? -stop : (sliding > 0.0 ? -most : most);
    assert_close(now->velocity[0], v[0] + tangential, 1e-14, 0.0);
    assert_close(now->velocity[1], restitution[_i] * 3.0, 1e-14, 1e-14);
    assert_close(now->velocity[2], v[2] + 2.0 * tangential / r, 1e-13, 0.0);
    assert_close(now->contact_impulse[0], normal, 1e-14, 0.0);
    assert_close(fabs(now->friction_impulse[0]), fabs(tangential), 1e-14, 1e-15);
    // Newton's law with friction of one round contact takes energy.
    ck_assert(now->impact_loss >= -1e-14);
    carom_variational_stepper_free(stepper);
    carom_planar_tree_free(tree);
}

/* Two balls above one floor with 0.7 and 0.4: each has its own, also where both are hit at once. */
TEST(property, simultaneous_impacts_keep_their_coefficients_of_restitution) {
    pile p;
    pile_init(&p, 2, 2);
    p.N[0] = 1.0;
    p.N[3] = 1.0;
    p.restitution[0] = 0.7;
    p.restitution[1] = 0.4;
    const carom_variational_params params = params_of_step(0.1);
    const double v[2] = {-1.0, -1.0};
    const double apart[2] = {0.05, 0.025};
    carom_variational_stepper *stepper = start(&p.mechanism, &params, 0.0, apart, v, NULL);
    const carom_variational_result *now = advance(stepper);
    ck_assert_int_eq(now->impact_count, 2);
    assert_close(now->velocity[0], 0.7, 1e-15, 0.0);
    assert_close(now->velocity[1], 0.4, 1e-15, 0.0);
    /* at rest beside the one that hits: not pushed */
    const double beside[2] = {0.05, 0.0};
    const double still[2] = {-1.0, 0.0};
    const bool held[2] = {false, true};
    assert_ok(carom_variational_stepper_start(stepper, 0.0, beside, still, held, NULL));
    now = advance(stepper);
    ck_assert_int_eq(now->impacts[0].closed_count, 2);
    assert_close(now->velocity[0], 0.7, 1e-15, 0.0);
    ck_assert(now->is_held[1]);
    const double together[2] = {0.05, 0.05};
    assert_ok(carom_variational_stepper_start(stepper, 0.0, together, v, NULL, NULL));
    now = advance(stepper);
    ck_assert_int_eq(now->impacts[0].closed_count, 2);
    assert_close(now->velocity[0], 0.7, 1e-14, 0.0);
    assert_close(now->velocity[1], 0.4, 1e-14, 0.0);
    carom_variational_stepper_free(stepper);
}

/* What a listener heard. */
typedef struct heard {
    carom_contact_solver *solver;
    int count;
    double time[4];
    double impulse[4]; /* of the first contact, by the problem's own solution */
} heard;

static carom_status hear(double time, const carom_contact_problem *problem, void *context,
                         carom_report *report) {
    heard *h = context;
    double r[8] = {0.0};
    ck_assert_int_le(problem->row_count, 8);
    ck_assert_int_lt(h->count, 4);
    CAROM_TRY(carom_contact_solve(h->solver, problem, NULL, r, NULL, NULL, report));
    h->time[h->count] = time;
    h->impulse[h->count++] = r[0];
    return h->count < 4 ? CAROM_OK : CAROM_STATUS_IO;
}

/* An impact of two contacts with their own restitution is told at its instant, with the impulses
 * (1 + e) m v; a single one without friction is a reflection, and is not. */
TEST(property, impacts_are_told_at_their_instants) {
    pile p;
    pile_init(&p, 2, 2);
    p.N[0] = 1.0;
    p.N[3] = 1.0;
    p.restitution[0] = 0.7;
    p.restitution[1] = 0.4;
    heard h = {.count = 0};
    assert_ok(carom_contact_solver_alloc(&h.solver));
    carom_variational_params params = params_of_step(0.1);
    params.contacts = (carom_contact_listener){.tell = hear, .context = &h};
    const double v[2] = {-1.0, -1.0};
    const double apart[2] = {0.05, 0.025};
    carom_variational_stepper *stepper = start(&p.mechanism, &params, 0.0, apart, v, NULL);
    (void)advance(stepper);
    ck_assert_int_eq(h.count, 0);
    const double together[2] = {0.05, 0.05};
    assert_ok(carom_variational_stepper_start(stepper, 0.0, together, v, NULL, NULL));
    const carom_variational_result *now = advance(stepper);
    ck_assert_int_eq(h.count, 1);
    assert_close(h.time[0], 0.05, 1e-14, 0.0);
    assert_close(h.impulse[0], 1.7, 1e-14, 0.0);
    assert_close(h.impulse[0], now->contact_impulse[0], 1e-14, 0.0);
    h.count = 3;
    assert_ok(carom_variational_stepper_start(stepper, 0.0, together, v, NULL, NULL));
    ck_assert_int_eq(carom_variational_stepper_advance(stepper, NULL), CAROM_STATUS_IO);
    carom_variational_stepper_free(stepper);
    carom_contact_solver_free(h.solver);
}
