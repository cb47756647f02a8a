/* carom_mechanism_check_directions on every model: none is refused, whatever its state and units,
 * and every fault planted into one of its derivatives is. */
#include "every_model.h"

#include "../mechanism/planar_random.h"
#include "../units.h"
#include "trex/trex_robots.h"

#include <carom/mechanism/mechanism.h>

#include <string.h>

enum { STATES = 60, LARGEST = UNITS_MAX_COORDINATES, ENTRIES = LARGEST * UNITS_MAX_ROWS };

/** The state itself for k = 0, then random ones beside it, up to its own size or 1. */
static void draw_state(const any_model *any, int k, double *q, double *v) {
    const int n = any->mechanism->coordinate_count;
    gsl_rng *generator = seeded_generator((unsigned long)k);
    for (int j = 0; j < n; j++) {
        const double away = k == 0 ? 0.0 : pow(10.0, uniform(generator, -6.0, 0.0));
        q[j] = any->q[j] + away * uniform(generator, -1.0, 1.0);
        v[j] = any->v[j] + (k == 0 ? 0.0 : uniform(generator, -3.0, 3.0));
    }
    gsl_rng_free(generator);
}

static void assert_accepted(const carom_mechanism *mechanism, const double *q, const double *v,
                            const char *name, int k) {
    carom_report report = carom_report_empty();
    const carom_status status =
        carom_mechanism_check_directions(mechanism, 0.0, q, v, (unsigned long)k, &report);
    ck_assert_msg(status == CAROM_OK, "%s, state %d: %s", name, k, report.sentence);
}

TEST(property, no_model_is_refused_at_any_state) {
    for (int which = 0; which < EVERY_MODEL_COUNT; which++) {
        any_model any = every_model_make(which);
        for (int k = 0; k < STATES; k++) {
            double q[LARGEST];
            double v[LARGEST];
            draw_state(&any, k, q, v);
            assert_accepted(any.mechanism, q, v, EVERY_MODEL[which].name, k);
        }
        every_model_free(&any);
    }
}

TEST(property, no_model_is_refused_in_other_units) {
    for (int which = 0; which < EVERY_MODEL_COUNT; which++) {
        any_model any = every_model_make(which);
        for (int k = 0; k < CHANGE_OF_UNITS_COUNT; k++) {
            other_units other;
            other_units_init(&other, any.mechanism, CHANGES_OF_UNITS[k]);
            for (int state = 0; state < 3; state++) {
                double inner_q[LARGEST];
                double inner_v[LARGEST];
                double q[LARGEST];
                double v[LARGEST];
                draw_state(&any, state, inner_q, inner_v);
                units_position(&other, inner_q, q);
                units_velocity(&other, inner_v, v);
                assert_accepted(&other.mechanism, q, v, EVERY_MODEL[which].name, 100 * k + state);
            }
        }
        every_model_free(&any);
    }
}

TEST(property, no_random_tree_and_no_random_robot_is_refused) {
    for (unsigned long seed = 1; seed <= 200; seed++) {
        gsl_rng *generator = seeded_generator(seed);
        random_parts parts;
        random_parts_make(&parts, generator);
        carom_planar_tree *tree = NULL;
        assert_ok(carom_planar_tree_alloc(&parts.spec, &tree, NULL));
        double q[RANDOM_COORDINATES];
        double v[RANDOM_COORDINATES];
        random_state(tree, generator, q, v);
        assert_accepted(carom_planar_tree_mechanism(tree), q, v, "tree", (int)seed);
        carom_planar_tree_free(tree);
        gsl_rng_free(generator);

        carom_trex_params params = carom_trex_params_default();
        draw_robot_shape(7, seed, &params);
        any_model any = {.model = NULL};
        assert_ok(carom_trex_alloc(&params, &any.model, NULL));
        draw_state(&(any_model){.mechanism = &any.model->mechanism,
                                .q = any.model->initial_position,
                                .v = any.model->initial_velocity},
                   (int)seed, q, v);
        assert_accepted(&any.model->mechanism, q, v, "trex", (int)seed);
        carom_model_free(any.model);
    }
}

/* Faults. */

enum {
    MASS_DERIVATIVE,
    STIFFNESS,
    DAMPING,
    JACOBIAN,
    FORCE_DERIVATIVE,
    RATE_DERIVATIVE,
    TANGENTIAL_RATE_DERIVATIVE,
    MEMBERS
};
static const char *const NAMES[MEMBERS] = {"mass_derivative",
                                           "stiffness",
                                           "damping",
                                           "constraint_jacobian",
                                           "constraint_force_derivative",
                                           "constraint_rate_derivative",
                                           "tangential_rate_derivative"};

typedef enum fault_kind { SIGN, FACTOR, ENTRY, LEFT_OUT, FAULTS } fault_kind;

/** A mechanism with one derivative wrong. Must not move. */
typedef struct faulty {
    carom_mechanism mechanism;
    const carom_mechanism *inner;
    fault_kind fault;
    int entry; /**< in the storage */
} faulty;

static void spoil(const faulty *self, size_t count, double *A) {
    for (size_t i = 0; i < count; i++) {
        A[i] *= self->fault == SIGN ? -1.0 : self->fault == FACTOR ? 1.05 : 1.0;
    }
    if (self->fault == ENTRY) {
        A[self->entry] = 0.0;
    }
}

static size_t count_of(const carom_mechanism *mechanism, int member) {
    const size_t n = (size_t)mechanism->coordinate_count;
    switch (member) {
    case JACOBIAN:
    case RATE_DERIVATIVE:
        return n * (size_t)carom_mechanism_constraint_count(mechanism);
    case TANGENTIAL_RATE_DERIVATIVE:
        return n * (size_t)(mechanism->contact_count * mechanism->tangent_count);
    default:
        return carom_layout_entry_count(mechanism->layout);
    }
}

/* The functions other than derivatives are those of the inner mechanism, with its context. */
static void inner_mass(const double *q, double *M, void *context) {
    const faulty *self = context;
    self->inner->mass(q, M, self->inner->context);
}

static void inner_force(double t, const double *q, const double *v, double *f, void *context) {
    const faulty *self = context;
    self->inner->force(t, q, v, f, self->inner->context);
}

static double inner_potential_energy(const double *q, void *context) {
    const faulty *self = context;
    return self->inner->potential_energy(q, self->inner->context);
}

static void inner_constraints(const double *q, double *g, void *context) {
    const faulty *self = context;
    self->inner->constraints(q, g, self->inner->context);
}

static void inner_tangential_jacobian(const double *q, double *H, void *context) {
    const faulty *self = context;
    carom_mechanism_tangential_jacobian(self->inner, q, H);
}

static void inner_constraint_jacobian(const double *q, double *G, void *context) {
    const faulty *self = context;
    carom_mechanism_constraint_jacobian(self->inner, q, G);
}

static void inner_mass_derivative(const double *q, const double *a, double *D, void *context) {
    const faulty *self = context;
    self->inner->mass_derivative(q, a, D, self->inner->context);
}

static void inner_stiffness(double t, const double *q, const double *v, double *K, void *context) {
    const faulty *self = context;
    self->inner->stiffness(t, q, v, K, self->inner->context);
}

static void inner_damping(double t, const double *q, const double *v, double *C, void *context) {
    const faulty *self = context;
    self->inner->damping(t, q, v, C, self->inner->context);
}

static void inner_force_derivative(const double *q, const double *lambda, double *D,
                                   void *context) {
    const faulty *self = context;
    self->inner->constraint_force_derivative(q, lambda, D, self->inner->context);
}

static void inner_rate_derivative(const double *q, const double *v, double *D, void *context) {
    const faulty *self = context;
    carom_mechanism_constraint_rate_derivative(self->inner, q, v, D);
}

static void inner_tangential_rate_derivative(const double *q, const double *v, double *D,
                                             void *context) {
    const faulty *self = context;
    carom_mechanism_tangential_rate_derivative(self->inner, q, v, D);
}

static void wrong_constraint_jacobian(const double *q, double *G, void *context) {
    const faulty *self = context;
    inner_constraint_jacobian(q, G, context);
    spoil(self, count_of(self->inner, JACOBIAN), G);
}

static void wrong_mass_derivative(const double *q, const double *a, double *D, void *context) {
    const faulty *self = context;
    inner_mass_derivative(q, a, D, context);
    spoil(self, count_of(self->inner, MASS_DERIVATIVE), D);
}

static void wrong_stiffness(double t, const double *q, const double *v, double *K, void *context) {
    const faulty *self = context;
    inner_stiffness(t, q, v, K, context);
    spoil(self, count_of(self->inner, STIFFNESS), K);
}

static void wrong_damping(double t, const double *q, const double *v, double *C, void *context) {
    const faulty *self = context;
    inner_damping(t, q, v, C, context);
    spoil(self, count_of(self->inner, DAMPING), C);
}

static void wrong_force_derivative(const double *q, const double *lambda, double *D,
                                   void *context) {
    const faulty *self = context;
    inner_force_derivative(q, lambda, D, context);
    spoil(self, count_of(self->inner, FORCE_DERIVATIVE), D);
}

static void wrong_rate_derivative(const double *q, const double *v, double *D, void *context) {
    const faulty *self = context;
    inner_rate_derivative(q, v, D, context);
    spoil(self, count_of(self->inner, RATE_DERIVATIVE), D);
}

static void wrong_tangential_rate_derivative(const double *q, const double *v, double *D,
                                             void *context) {
    const faulty *self = context;
    inner_tangential_rate_derivative(q, v, D, context);
    spoil(self, count_of(self->inner, TANGENTIAL_RATE_DERIVATIVE), D);
}

/** Put `member` of a mechanism in place of the inner one's: wrong, or NULL. */
static void faulty_init(faulty *self, const carom_mechanism *inner, int member, fault_kind fault) {
    *self = (faulty){.mechanism = *inner, .inner = inner, .fault = fault};
    self->mechanism.constraint_pattern = (carom_mechanism_pattern){0};
    self->mechanism.tangential_pattern = (carom_mechanism_pattern){0};
    carom_mechanism *m = &self->mechanism;
    m->context = self;
    m->mass = inner_mass;
    m->force = inner_force;
    m->potential_energy = inner_potential_energy;
    m->constraints = inner_constraints;
    m->tangential_jacobian = inner->tangential_jacobian == NULL ? NULL : inner_tangential_jacobian;
    m->constraint_jacobian =
        member == JACOBIAN ? wrong_constraint_jacobian : inner_constraint_jacobian;
#define PUT(FIELD, MEMBER, WRONG, RIGHT)               \
    if (inner->FIELD != NULL && member == (MEMBER)) {  \
        m->FIELD = fault == LEFT_OUT ? NULL : (WRONG); \
    } else if (inner->FIELD != NULL) {                 \
        m->FIELD = RIGHT;                              \
    }
    PUT(mass_derivative, MASS_DERIVATIVE, wrong_mass_derivative, inner_mass_derivative)
    PUT(stiffness, STIFFNESS, wrong_stiffness, inner_stiffness)
    PUT(damping, DAMPING, wrong_damping, inner_damping)
    PUT(constraint_force_derivative, FORCE_DERIVATIVE, wrong_force_derivative,
        inner_force_derivative)
    PUT(constraint_rate_derivative, RATE_DERIVATIVE, wrong_rate_derivative, inner_rate_derivative)
    PUT(tangential_rate_derivative, TANGENTIAL_RATE_DERIVATIVE, wrong_tangential_rate_derivative,
        inner_tangential_rate_derivative)
#undef PUT
}

/** The derivative at a state, its directions all ones; false if the model has none. */
static bool evaluate(const carom_mechanism *m, int member, const double *q, const double *v,
                     double *A) {
    double ones[UNITS_MAX_ROWS];
    for (int i = 0; i < UNITS_MAX_ROWS; i++) {
        ones[i] = 1.0;
    }
    switch (member) {
    case MASS_DERIVATIVE:
        return m->mass_derivative != NULL && (m->mass_derivative(q, ones, A, m->context), true);
    case STIFFNESS:
        return m->stiffness != NULL && (m->stiffness(0.0, q, v, A, m->context), true);
    case DAMPING:
        return m->damping != NULL && (m->damping(0.0, q, v, A, m->context), true);
    case JACOBIAN:
        return m->contact_count > 0 && (carom_mechanism_constraint_jacobian(m, q, A), true);
    case FORCE_DERIVATIVE:
        return m->constraint_force_derivative != NULL &&
               (m->constraint_force_derivative(q, ones, A, m->context), true);
    case RATE_DERIVATIVE:
        return m->constraint_rate_derivative != NULL &&
               (carom_mechanism_constraint_rate_derivative(m, q, ones, A), true);
    default:
        return m->tangential_rate_derivative != NULL &&
               (carom_mechanism_tangential_rate_derivative(m, q, ones, A), true);
    }
}

/** An entry of A above a thousandth of the largest, drawn at random; -1 if all are zero. */
static int draw_entry(const double *A, size_t count, unsigned long seed) {
    double largest = 0.0;
    for (size_t i = 0; i < count; i++) {
        largest = fmax(largest, fabs(A[i]));
    }
    /* Rounding of entries of order one is no derivative. */
    for (unsigned long k = 0; largest > 1e-12; k++) {
        const size_t i = (size_t)(carom_counter_uniform(seed, 3, k) * (double)count);
        if (fabs(A[i]) > 1e-3 * largest) {
            return (int)i;
        }
    }
    return -1;
}

TEST(property, an_angle_with_next_to_no_inertia_passes) {
    const double angles[] = {0.1, 0.0};
    double inertia = 1.0;
    for (int k = 1; k < 30; k++) {
        inertia *= 1e-10;
        for (unsigned long run = 0; run < 20; run++) {
            carom_bouncing_pendulum_params params = carom_bouncing_pendulum_params_default();
            params.inertia = inertia;
            params.initial_angle = angles[run % 2];
            carom_model *model = NULL;
            assert_ok(carom_bouncing_pendulum_alloc(&params, &model, NULL));
            carom_report report = carom_report_empty();
            const carom_status status =
                carom_mechanism_check_directions(&model->mechanism, 0.0, model->initial_position,
                                                 model->initial_velocity, run / 2, &report);
            ck_assert_msg(status == CAROM_OK, "inertia %g, angle %g, seed %lu: %s", inertia,
                          params.initial_angle, run / 2, report.sentence);
            carom_model_free(model);
        }
    }
}

TEST(property, every_fault_of_every_model_is_found_and_named) {
    int planted = 0;
    int found_entries = 0;
    int entries = 0;
    for (int which = 0; which < EVERY_MODEL_COUNT; which++) {
        any_model any = every_model_make(which);
        for (int k = 1; k < 21; k++) {
            double q[LARGEST];
            double v[LARGEST];
            draw_state(&any, k, q, v);
            for (int member = 0; member < MEMBERS; member++) {
                double A[ENTRIES];
                const bool has = evaluate(any.mechanism, member, q, v, A);
                const int entry =
                    has ? draw_entry(A, count_of(any.mechanism, member), (unsigned long)k) : -1;
                for (fault_kind fault = SIGN; fault < FAULTS && entry >= 0; fault++) {
                    if (member == JACOBIAN && fault == LEFT_OUT) {
                        continue;
                    }
                    faulty subject;
                    faulty_init(&subject, any.mechanism, member, fault);
                    subject.entry = entry;
                    carom_report report = carom_report_empty();
                    const carom_status status = carom_mechanism_check_directions(
                        &subject.mechanism, 0.0, q, v, (unsigned long)k, &report);
                    planted++;
                    entries += fault == ENTRY;
                    found_entries += fault == ENTRY && status == CAROM_STATUS_DERIVATIVE_MISMATCH;
                    if (fault == ENTRY) {
                        continue;
                    }
                    ck_assert_msg(status == CAROM_STATUS_DERIVATIVE_MISMATCH,
                                  "%s, state %d: fault %d of %s is not found",
                                  EVERY_MODEL[which].name, k, (int)fault, NAMES[member]);
                    /* A wrong Jacobian is named itself, or by its own derivatives; or because the
                     * mechanism is not the linear one that it says. */
                    ck_assert_msg(member == JACOBIAN || strstr(report.sentence, NAMES[member]),
                                  "%s: %s for %s", EVERY_MODEL[which].name, report.sentence,
                                  NAMES[member]);
                }
            }
        }
        every_model_free(&any);
    }
    ck_assert_int_gt(planted, 1000);
    ck_assert_msg(found_entries == entries, "%d of %d dropped entries are found", found_entries,
                  entries);
}
