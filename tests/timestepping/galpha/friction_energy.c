/* What contacts with friction do to the energy of random small mechanisms, and that the order and
 * the number of equal contacts do nothing. */
#include "random_tree.h"

/* ------------------------------------------------------------ energy */

/* What the contacts of a step did. */
typedef struct contact_work {
    double jump;     /* T(v) - T(v~), J */
    double impulses; /* of the impulses along the mean of the velocities before and after them */
    double returned; /* what Newton's law gives back at most, -sum e Lambda u_n */
    double rubbing;  /* largest Lambda_t u_t of a contact */
    double kinetic;  /* T(v), J */
} contact_work;

static double dot(int n, const double *x, const double *y) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

static contact_work work_of_step(const carom_mechanism *m, const carom_step *step,
                                 const double *rate_before) {
    enum { N = TREE_MAX_COORDINATES };
    double scratch[N * N + N];
    double G[TREE_MAX_ROWS * N];
    double H[TREE_MAX_ROWS * N];
    double mean[N];
    const int n = m->coordinate_count;
    const double kinetic =
        carom_mechanism_kinetic_energy(m, step->position, step->velocity, scratch);
    carom_mechanism_constraint_jacobian(m, step->position, G);
    carom_mechanism_tangential_jacobian(m, step->position, H);
    for (int i = 0; i < n; i++) {
        mean[i] = 0.5 * (step->velocity[i] + step->smooth_velocity[i]);
    }
    contact_work work = {.jump = kinetic - carom_mechanism_kinetic_energy(
                                               m, step->position, step->smooth_velocity, scratch),
                         .rubbing = -INFINITY,
                         .kinetic = kinetic};
    for (int j = 0; j < m->contact_count; j++) {
        const double normal = step->impulse[j];
        const double tangential = step->friction_impulse[j];
        work.impulses += normal * dot(n, G + j * n, mean) + tangential * dot(n, H + j * n, mean);
        work.returned -= m->restitution[j] * normal * rate_before[j];
        work.rubbing = fmax(work.rubbing, tangential * step->sliding_velocity[j]);
    }
    return work;
}

/*
 * M W = G' Lambda + H' Lambda_t is what the contacts do: T(v) - T(v~) = W' M (v + v~)/2 exactly.
 * With Signorini, Newton and Coulomb that is at most what restitution gives back: W' M v - W' M W/2
 * <= -sum e Lambda_n u_n + sum Lambda_t u_t, of which no term of friction is above zero.
 */
TEST(property, friction_never_gives_energy_and_all_of_the_work_is_accounted_for) {
    enum { MECHANISMS = 70, STEPS = 60 };
    gsl_rng *generator = seeded_generator(41);
    int pressed = 0;
    for (int k = 0; k < MECHANISMS * SCHEME_COUNT; k++) {
        random_tree t;
        random_tree_init(&t, generator, 1.0, uniform(generator, 0.0, 1.0));
        carom_stepper_params params =
            scheme_with_step(SCHEMES[k % SCHEME_COUNT], pow(10.0, uniform(generator, -3.0, -2.3)));
        params.tolerance = 1e-12;
        carom_stepper *stepper = started(t.mechanism, &params, t.q, t.v);
        double jumps = 0.0;
        double impulses = 0.0;
        double energy = 0.0;
        for (int i = 0; i < STEPS; i++) {
            double before[TREE_MAX_ROWS];
            memcpy(before, carom_stepper_result(stepper)->constraint_rate, sizeof before);
            carom_report report = carom_report_empty();
            const carom_status status = carom_stepper_advance(stepper, &report);
            ck_assert_msg(status == CAROM_OK, "mechanism %d, %s, step %d: %s, residual %.3g", k,
                          carom_scheme_name(params.scheme), i, carom_status_name(status),
                          report.residual);
            const carom_step *step = carom_stepper_result(stepper);
            const contact_work work = work_of_step(t.mechanism, step, before);
            energy = fmax(energy, work.kinetic);
            const double tolerance = 1e-10 * energy;
            ck_assert_msg(work.rubbing <= tolerance, "mechanism %d, step %d: friction gives %.3g J",
                          k, i, work.rubbing);
            ck_assert_msg(work.jump <= work.returned + tolerance,
                          "mechanism %d, step %d: contacts give %.3g J, restitution %.3g J", k, i,
                          work.jump, work.returned);
            jumps += work.jump;
            impulses += work.impulses;
            pressed += work.impulses < -1e-6 * energy ? 1 : 0;
        }
        assert_close(jumps, impulses, 0.0, 1e-10 * energy);
        carom_stepper_free(stepper);
        carom_planar_tree_free(t.tree);
    }
    ck_assert_int_ge(pressed, MECHANISMS * SCHEME_COUNT); /* one step of each, on the average */
    gsl_rng_free(generator);
}

/** Masses on a spring under constant forces between planes in any direction. */
static void random_body_init(body *b, gsl_rng *generator) {
    const int n = 2 + (int)uniform(generator, 0.0, 3.0);
    const int contacts = 1 + (int)uniform(generator, 0.0, n);
    body_init(b, n, contacts, 1);
    b->stiffness = uniform(generator, 0.0, 100.0);
    for (int i = 0; i < n; i++) {
        b->mass[i] = uniform(generator, 0.5, 3.0);
        b->force[i] = uniform(generator, -10.0, 10.0);
        b->q[i] = uniform(generator, -0.2, 0.2);
        b->v[i] = uniform(generator, -2.0, 2.0);
    }
    for (int j = 0; j < contacts; j++) {
        double *normal = b->G + j * n;
        double *tangent = b->H + j * n;
        double along = 0.0;
        double square = 0.0;
        for (int i = 0; i < n; i++) {
            normal[i] = uniform(generator, -1.0, 1.0);
            tangent[i] = uniform(generator, -1.0, 1.0);
            square += normal[i] * normal[i] / b->mass[i];
            along += tangent[i] * normal[i] / b->mass[i];
        }
        const bool is_open = dot(n, normal, b->q) >= 0.0;
        for (int i = 0; i < n; i++) {
            tangent[i] -= 0.8 * along / square * normal[i]; /* coupled, not jammed */
            normal[i] = is_open ? normal[i] : -normal[i];
        }
        b->friction[j] = uniform(generator, 0.0, 0.8);
        b->restitution[j] = uniform(generator, 0.0, 1.0) < 0.5 ? 0.0 : uniform(generator, 0.0, 1.0);
    }
}

/* By theta = 1/2 the energy of a linear system changes by the impulses times the mean of the
 * velocities before and after the step, and by nothing else. */
TEST(property, the_energy_of_a_motion_changes_by_the_work_of_its_contacts) {
    enum { BODIES = 200, STEPS = 200, N = BODY_COORDINATES };
    gsl_rng *generator = seeded_generator(43);
    for (int k = 0; k < BODIES; k++) {
        body b;
        random_body_init(&b, generator);
        const int n = b.mechanism.coordinate_count;
        carom_stepper_params params = scheme_with_step(CAROM_SCHEME_MOREAU_JEAN, 2e-3);
        params.theta = 0.5;
        params.tolerance = 1e-12;
        carom_stepper *stepper = started(&b.mechanism, &params, b.q, b.v);
        double scratch[N * N + N];
        double before[N];
        memcpy(before, b.v, sizeof before);
        double work = 0.0;
        double turnover = 0.0;
        const double start =
            carom_mechanism_kinetic_energy(&b.mechanism, b.q, b.v, scratch) + body_energy(b.q, &b);
        for (int i = 0; i < STEPS; i++) {
            assert_ok(carom_stepper_advance(stepper, NULL));
            const carom_step *step = carom_stepper_result(stepper);
            double mean[N];
            for (int c = 0; c < n; c++) {
                mean[c] = 0.5 * (before[c] + step->velocity[c]);
            }
            for (int j = 0; j < b.mechanism.contact_count; j++) {
                const double done = step->impulse[j] * dot(n, b.G + j * n, mean) +
                                    step->friction_impulse[j] * dot(n, b.H + j * n, mean);
                work += done;
                turnover += fabs(done);
            }
            memcpy(before, step->velocity, (size_t)n * sizeof *before);
        }
        const carom_step *last = carom_stepper_result(stepper);
        const double end =
            carom_mechanism_kinetic_energy(&b.mechanism, last->position, last->velocity, scratch) +
            body_energy(last->position, &b);
        assert_close(end - start, work, 0.0, 1e-10 * (fabs(start) + fabs(end) + turnover));
        carom_stepper_free(stepper);
    }
    gsl_rng_free(generator);
}

/* ------------------------------------------------------------ order and number of contacts */

enum { COMPARED_STEPS = 60 };

/* The same motion up to what rounding grows to. */
static void check_same_motion(const random_tree *t, const carom_stepper_params *params,
                              const carom_step *expected) {
    carom_stepper *stepper = stepped(t->mechanism, params, t->q, t->v, COMPARED_STEPS);
    const carom_step *step = carom_stepper_result(stepper);
    for (int i = 0; i < t->mechanism->coordinate_count; i++) {
        assert_close(step->position[i], expected->position[i], 0.0, 1e-7);
        assert_close(step->velocity[i], expected->velocity[i], 0.0, 1e-5);
    }
    carom_stepper_free(stepper);
}

TEST(property, order_and_repetition_of_contacts_do_not_matter) {
    gsl_rng *generator = seeded_generator(47);
    for (int k = 0; k < 20 * SCHEME_COUNT; k++) {
        random_tree t;
        random_tree_init(&t, generator, 0.5, uniform(generator, 0.0, 0.8));
        carom_stepper_params params = scheme_with_step(SCHEMES[k % SCHEME_COUNT], 2e-3);
        params.tolerance = 1e-12;
        carom_planar_tree *own = t.tree;
        carom_stepper *stepper = stepped(t.mechanism, &params, t.q, t.v, COMPARED_STEPS);
        const int count = t.spec.contact_count;
        t.tree = NULL;
        /* back to front */
        for (int j = 0; j < count / 2; j++) {
            const carom_planar_contact kept = t.contacts[j];
            t.contacts[j] = t.contacts[count - 1 - j];
            t.contacts[count - 1 - j] = kept;
        }
        random_tree_build(&t);
        check_same_motion(&t, &params, carom_stepper_result(stepper));
        /* every one twice */
        memcpy(t.contacts + count, t.contacts, (size_t)count * sizeof *t.contacts);
        t.spec.contact_count = 2 * count;
        random_tree_build(&t);
        check_same_motion(&t, &params, carom_stepper_result(stepper));
        carom_planar_tree_free(t.tree);
        carom_stepper_free(stepper);
        carom_planar_tree_free(own);
    }
    gsl_rng_free(generator);
}
