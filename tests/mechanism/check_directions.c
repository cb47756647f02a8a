/* carom_mechanism_check_directions: what deviates at every step is refused by name and row; kinks,
 * jumps, stiffness, rounding and any units are not. */
#include <carom/mechanism/mechanism.h>

#include "../support.h"
#include "../units.h"
#include "example.h"

static const unsigned long SEEDS = 30;
static const double TIME = 0.37;
static const double POSITION[CHAIN_SIZE] = {0.31, -0.72, 1.14, 0.55, -0.28, 0.93};
static const double VELOCITY[CHAIN_SIZE] = {-1.21, 0.48, 0.83, -0.66, 0.27, 1.35};

static void assert_sentence(const carom_mechanism *mechanism, const double *q, const double *v,
                            const char *sentence, int row) {
    carom_report report = carom_report_empty();
    assert_status(carom_mechanism_check_directions(mechanism, TIME, q, v, 1, &report),
                  DERIVATIVE_MISMATCH);
    ck_assert_str_eq(report.sentence, sentence);
    ck_assert_int_eq(report.index, row);
    assert_status(carom_mechanism_check_directions(mechanism, TIME, q, v, 1, NULL),
                  DERIVATIVE_MISMATCH);
}

TEST(unit, a_derivative_left_out_is_named_with_its_row) {
    example subject;
    curved_make(&subject);
    subject.mechanism.mass_derivative = NULL;
    assert_sentence(&subject.mechanism, POSITION, VELOCITY,
                    "mechanism 'curved': mass_derivative is missing: the mass matrix changes with "
                    "the position (row 0)",
                    0);
    curved_make(&subject);
    subject.mechanism.damping = NULL;
    assert_sentence(&subject.mechanism, POSITION, VELOCITY,
                    "mechanism 'curved': damping is missing: the force changes with the velocity "
                    "(row 0)",
                    0);
    curved_make(&subject);
    subject.mechanism.constraint_velocity = NULL;
    assert_sentence(&subject.mechanism, POSITION, VELOCITY,
                    "mechanism 'curved': constraint_velocity is missing: the constraint offset "
                    "changes with the time (row 0)",
                    0);
}

TEST(unit, an_error_in_an_entry_is_named_with_its_row) {
    static const char *const members[] = {"mass_derivative",
                                          "stiffness",
                                          "damping",
                                          "constraint_jacobian",
                                          "constraint_force_derivative",
                                          "constraint_rate_derivative",
                                          "tangential_rate_derivative",
                                          "constraint_velocity"};
    static const int rows[] = {3, 3, 3, 2, 3, 2, 2, 2};
    static const int columns[] = {3, 3, 3, 3, 3, 3, 3, 1};
    for (int k = 0; k < 8; k++) {
        for (int entry = 0; entry < rows[k] * columns[k]; entry++) {
            example subject;
            curved_make(&subject);
            subject.wrong_member = members[k];
            subject.wrong_row = entry / columns[k];
            subject.wrong_column = entry % columns[k];
            subject.wrong_by = 2.385e-3;
            carom_report report = carom_report_empty();
            assert_status(carom_mechanism_check_directions(&subject.mechanism, TIME, POSITION,
                                                           VELOCITY, 7, &report),
                          DERIVATIVE_MISMATCH);
            ck_assert_int_eq(report.index, subject.wrong_row);
            char named[64];
            (void)snprintf(named, sizeof named, "mechanism 'curved': %s is not how ", members[k]);
            ck_assert_msg(strncmp(report.sentence, named, strlen(named)) == 0, "%s",
                          report.sentence);
        }
    }
}

TEST(unit, what_leaves_the_band_and_what_is_not_linear_is_named) {
    example subject;
    chain_make(&subject);
    subject.mechanism.damping = NULL;
    assert_sentence(&subject.mechanism, POSITION, VELOCITY,
                    "mechanism 'chain': damping is missing: the force changes with the velocity "
                    "(row 0)",
                    0);
    chain_make(&subject);
    subject.wrong_member = "band";
    subject.wrong_row = 1;
    subject.wrong_column = 5;
    subject.wrong_by = 0.02;
    carom_report report = carom_report_empty();
    assert_status(
        carom_mechanism_check_directions(&subject.mechanism, TIME, POSITION, VELOCITY, 1, &report),
        DERIVATIVE_MISMATCH);
    ck_assert_int_eq(report.index, 1);
    chain_make(&subject);
    subject.wrong_member = "mass";
    subject.wrong_row = 3;
    subject.wrong_column = 2;
    subject.wrong_by = 1e-3;
    assert_sentence(&subject.mechanism, POSITION, VELOCITY,
                    "mechanism 'chain' is not linear as it says: mass is not constant (row 3)", 3);
}

TEST(property, correct_derivatives_pass_in_any_units_and_wrong_ones_do_not) {
    for (int k = 0; k < CHANGE_OF_UNITS_COUNT; k++) {
        for (int which = 0; which < 2; which++) {
            example subject;
            which == 0 ? curved_make(&subject) : chain_make(&subject);
            other_units other;
            other_units_init(&other, &subject.mechanism, CHANGES_OF_UNITS[k]);
            double q[CHAIN_SIZE];
            double v[CHAIN_SIZE];
            units_position(&other, POSITION, q);
            units_velocity(&other, VELOCITY, v);
            const double t = TIME * other.units.time;
            for (unsigned long seed = 1; seed <= SEEDS; seed++) {
                carom_report report = carom_report_empty();
                const carom_status status =
                    carom_mechanism_check_directions(&other.mechanism, t, q, v, seed, &report);
                ck_assert_msg(status == CAROM_OK, "units %d, seed %lu: %s", k, seed,
                              report.sentence);
                /* The full check agrees. */
                assert_ok(carom_mechanism_check(&other.mechanism, t, q, v, 1e-7, seed, NULL));
            }
            other.mechanism.stiffness = NULL;
            assert_status(carom_mechanism_check_directions(&other.mechanism, t, q, v, 1, NULL),
                          DERIVATIVE_MISMATCH);
            assert_status(carom_mechanism_check(&other.mechanism, t, q, v, 1e-7, 1, NULL),
                          DERIVATIVE_MISMATCH);
        }
    }
}

/* Points with one law of force each, f_i = -law(x_i) of position or velocity, weights, and a mass
 * that may depend on the position. */

typedef struct points {
    carom_mechanism mechanism;
    double (*law)(double x, double width);
    double (*slope)(double x, double width);
    bool is_of_velocity;
    double width;
    double weight;
} points;

static void points_mass(const double *q, double *M, void *context) {
    const points *p = context;
    (void)q;
    for (int i = 0; i < p->mechanism.coordinate_count; i++) {
        M[i] = 2.3;
    }
}

static void points_force(double t, const double *q, const double *v, double *f, void *context) {
    const points *p = context;
    (void)t;
    for (int i = 0; i < p->mechanism.coordinate_count; i++) {
        f[i] = -p->weight - p->law(p->is_of_velocity ? v[i] : q[i], p->width);
    }
}

static void points_slope(double t, const double *q, const double *v, double *D, void *context) {
    const points *p = context;
    (void)t;
    for (int i = 0; i < p->mechanism.coordinate_count; i++) {
        D[i] = p->slope(p->is_of_velocity ? v[i] : q[i], p->width);
    }
}

static double points_energy(const double *q, void *context) {
    (void)q;
    (void)context;
    return 0.0;
}

static double stairs(double x, double width) {
    return 40.0 * width * floor(x / width);
}

enum { POINTS = 50, FEW = 5 };

static points points_of(double (*law)(double, double), double (*slope)(double, double),
                        bool is_of_velocity, double width) {
    points p = {.law = law, .slope = slope, .is_of_velocity = is_of_velocity, .width = width};
    /* Beside which small stairs would be rounding. */
    p.weight = law == stairs ? 0.0 : 22.6;
    p.mechanism = (carom_mechanism){.name = "points",
                                    .coordinate_count = POINTS,
                                    .layout = carom_layout_banded(POINTS, 0),
                                    .position_units = "m",
                                    .velocity_units = "m s-1",
                                    .mass = points_mass,
                                    .force = points_force,
                                    .potential_energy = points_energy};
    if (slope != NULL && is_of_velocity) {
        p.mechanism.damping = points_slope;
    } else if (slope != NULL) {
        p.mechanism.stiffness = points_slope;
    }
    return p;
}

/* A spring that just touches, Hertz's contact, friction smoothed and dry, a ripple, stairs, and a
 * constant that rounds. */
static double one_sided(double x, double width) {
    return x < 0.0 ? 1.7e3 / width * x : 0.0;
}
static double one_sided_slope(double x, double width) {
    return x < 0.0 ? 1.7e3 / width : 0.0;
}
static double hertz(double x, double width) {
    return x < 0.0 ? -pow(-x / width, 1.5) : 0.0;
}
static double hertz_slope(double x, double width) {
    return x < 0.0 ? 1.5 / width * sqrt(-x / width) : 0.0;
}
static double smoothed(double x, double width) {
    return 3.1 * tanh(x / width);
}
static double smoothed_slope(double x, double width) {
    const double c = cosh(x / width);
    return 3.1 / width / c / c;
}
static double dry(double x, double width) {
    (void)width;
    return x > 0.0 ? 3.1 : x < 0.0 ? -3.1 : 0.0;
}
static double ripple(double x, double width) {
    return 40.0 * x + sin(x / width);
}
static double ripple_slope(double x, double width) {
    return 40.0 + cos(x / width) / width;
}
static double rounded(double x, double width) {
    return 5e3 * (sin(x / width) * sin(x / width) + cos(x / width) * cos(x / width)) - 5e3;
}

TEST(property, kinks_jumps_stiffness_and_rounding_are_no_mismatch) {
    const struct {
        const char *name;
        double (*law)(double, double);
        double (*slope)(double, double);
        bool is_of_velocity;
    } laws[] = {
        {"one-sided", one_sided, one_sided_slope, false},
        {"Hertz", hertz, hertz_slope, false},
        {"smoothed friction", smoothed, smoothed_slope, true},
        {"dry friction", dry, NULL, true},
        {"ripple", ripple, ripple_slope, false},
        {"stairs", stairs, NULL, false},
        {"rounding", rounded, NULL, false},
    };
    const double widths[] = {1e-12, 1e-6, 1e-3, 1.0, 1e6, 1e12};
    /* States in widths: at the kink, a rounding beside it, near, away, all of them. */
    const double places[] = {0.0, 1e-16, 1e-3, 1.3, 1e6};
    for (size_t k = 0; k < sizeof laws / sizeof laws[0]; k++) {
        for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
            for (unsigned long seed = 1; seed <= SEEDS; seed++) {
                const points p =
                    points_of(laws[k].law, laws[k].slope, laws[k].is_of_velocity, widths[w]);
                double q[POINTS];
                double v[POINTS];
                gsl_rng *generator = seeded_generator(seed);
                for (int i = 0; i < POINTS; i++) {
                    const double place = places[seed % 6 < 5 ? seed % 6 : (size_t)i % 5];
                    q[i] = widths[w] * place * uniform(generator, -1.0, 1.0);
                    v[i] = widths[w] * place * uniform(generator, -1.0, 1.0);
                }
                gsl_rng_free(generator);
                points moved = p;
                moved.mechanism.context = &moved;
                carom_report report = carom_report_empty();
                const carom_status status =
                    carom_mechanism_check_directions(&moved.mechanism, TIME, q, v, seed, &report);
                ck_assert_msg(status == CAROM_OK, "%s of width %g, seed %lu: %s", laws[k].name,
                              widths[w], seed, report.sentence);
            }
        }
    }
}

/* Of a width nothing is said by a state at rest at the origin. */
static double stretched(double x, double width) {
    return (width + x) - width;
}
static double stretched_slope(double x, double width) {
    (void)x;
    (void)width;
    return 1.0;
}
static double turned(double x, double width) {
    return sin(x / width + 1.0) - sin(1.0);
}
static double turned_slope(double x, double width) {
    return cos(x / width + 1.0) / width;
}
static double raised(double x, double width) {
    return 1.0 - cos(x / width);
}
static double raised_slope(double x, double width) {
    return sin(x / width) / width;
}
static double sideways(double x, double width) {
    return x * (1.0 - width / hypot(x, width));
}
static double sideways_slope(double x, double width) {
    return 1.0 - width / hypot(x, width) + x * x * width / pow(hypot(x, width), 3.0);
}

static double mixed(double x, double width) {
    return stretched(x, width) + x;
}
static double mixed_slope(double x, double width) {
    return stretched_slope(x, width) + 1.0;
}
static double stepped(double x, double width) {
    return 1e-6 * width * floor(x / (1e-6 * width));
}

TEST(property, lengths_beside_which_a_state_is_nothing_are_no_mismatch) {
    const struct {
        const char *name;
        double (*law)(double, double);
        double (*slope)(double, double);
    } laws[] = {
        {"stretched", stretched, stretched_slope},
        {"turned", turned, turned_slope},
        {"raised", raised, raised_slope},
        {"sideways", sideways, sideways_slope},
        {"mixed", mixed, mixed_slope},
        {"stepped", stepped, stretched_slope},
    };
    const double widths[] = {1e-6, 1.0, 3.0, 1e6};
    const double places[] = {0.0, 1e-20, 1e-17, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12};
    for (size_t k = 0; k < sizeof laws / sizeof laws[0]; k++) {
        for (unsigned long run = 0; run < 4 * 8 * SEEDS / 3; run++) {
            const double width = widths[run % 4];
            const double place = places[run / 4 % 8];
            points p = points_of(laws[k].law, laws[k].slope, false, width);
            p.weight = run / 32 % 2 == 0 ? p.weight : 0.0;
            p.mechanism.coordinate_count = FEW;
            p.mechanism.layout = carom_layout_banded(FEW, 0);
            p.mechanism.context = &p;
            double q[FEW];
            const double v[FEW] = {0.0};
            for (int i = 0; i < FEW; i++) {
                q[i] = width * place * cos(1.7 * i);
            }
            carom_report report = carom_report_empty();
            const carom_status status =
                carom_mechanism_check_directions(&p.mechanism, TIME, q, v, run, &report);
            ck_assert_msg(status == CAROM_OK, "%s, width %g, place %g, seed %lu: %s", laws[k].name,
                          width, place, run, report.sentence);
        }
    }
}

static double tripled_slope(double x, double width) {
    return 3.0 * smoothed_slope(x, width);
}

TEST(property, a_wrong_slope_is_found_where_the_state_has_a_size_and_where_it_has_none) {
    const double widths[] = {1e-9, 1e-3, 1.0, 1e6};
    for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
        for (int is_of_velocity = 0; is_of_velocity < 2; is_of_velocity++) {
            points p = points_of(smoothed, tripled_slope, is_of_velocity == 1, widths[w]);
            p.mechanism.context = &p;
            double q[POINTS] = {0.0};
            double v[POINTS] = {0.0};
            assert_status(carom_mechanism_check_directions(&p.mechanism, TIME, q, v, 1, NULL),
                          DERIVATIVE_MISMATCH);
            for (int i = 0; i < POINTS; i++) {
                q[i] = widths[w] * cos(1.7 * i);
                v[i] = widths[w] * sin(1.7 * i);
            }
            assert_status(carom_mechanism_check_directions(&p.mechanism, TIME, q, v, 1, NULL),
                          DERIVATIVE_MISMATCH);
        }
    }
}

/** A cart with a pendulum that hangs straight down: dM/dq vanishes at theta = 0. */
static void cart_mass(const double *q, double *M, void *context) {
    (void)context;
    const double coupling = 0.7 * 0.4 * cos(q[1]);
    const double matrix[4] = {2.1, coupling, coupling, 0.7 * 0.4 * 0.4};
    memcpy(M, matrix, sizeof matrix);
}

static void cart_force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    (void)context;
    f[0] = 0.7 * 0.4 * sin(q[1]) * v[1] * v[1];
    f[1] = -0.7 * 9.81 * 0.4 * sin(q[1]);
}

static void cart_stiffness(double t, const double *q, const double *v, double *K, void *context) {
    (void)t;
    (void)context;
    const double matrix[4] = {0.0, -0.7 * 0.4 * cos(q[1]) * v[1] * v[1], 0.0,
                              0.7 * 9.81 * 0.4 * cos(q[1])};
    memcpy(K, matrix, sizeof matrix);
}

static void cart_damping(double t, const double *q, const double *v, double *C, void *context) {
    (void)t;
    (void)context;
    const double matrix[4] = {0.0, -2.0 * 0.7 * 0.4 * sin(q[1]) * v[1], 0.0, 0.0};
    memcpy(C, matrix, sizeof matrix);
}

TEST(property, a_derivative_that_vanishes_at_a_symmetric_state_is_asked_for_all_the_same) {
    const carom_mechanism cart = {.name = "cart",
                                  .coordinate_count = 2,
                                  .layout = carom_layout_full(2),
                                  .position_units = "m, rad",
                                  .velocity_units = "m s-1, rad s-1",
                                  .mass = cart_mass,
                                  .force = cart_force,
                                  .stiffness = cart_stiffness,
                                  .damping = cart_damping,
                                  .potential_energy = points_energy};
    const double q[2] = {0.3, 0.0};
    const double v[2] = {0.0, 0.0};
    carom_report report = carom_report_empty();
    for (unsigned long seed = 1; seed <= SEEDS; seed++) {
        assert_status(carom_mechanism_check_directions(&cart, TIME, q, v, seed, &report),
                      DERIVATIVE_MISMATCH);
        ck_assert_msg(strstr(report.sentence, "mass_derivative is missing") != NULL, "%s",
                      report.sentence);
    }
}

/* A load, beside which small steps of a force show nothing. */
static void chain_loaded_force(double t, const double *q, const double *v, double *f,
                               void *context) {
    const example *self = context;
    chain_force(t, q, v, f, context);
    for (int i = 0; i < CHAIN_SIZE; i++) {
        f[i] -= self->unit;
    }
}

/* Of a linear mechanism the farthest step alone tells, from a state without a size. */
TEST(property, a_linear_mechanism_without_a_size_is_judged_under_any_load) {
    static const double loads[] = {1e-9, 9.81, 1e9};
    const double zeros[CHAIN_SIZE] = {0.0};
    for (int k = 0; k < 3; k++) {
        example subject;
        chain_make(&subject);
        subject.unit = loads[k];
        subject.mechanism.force = chain_loaded_force;
        subject.mechanism.contact_count = 0; /* a gap would be a length */
        subject.mechanism.tangent_count = 0;
        subject.mechanism.constraints = NULL;
        subject.mechanism.constraint_jacobian = NULL;
        subject.mechanism.tangential_jacobian = NULL;
        const carom_mechanism whole = subject.mechanism;
        assert_ok(carom_mechanism_check_directions(&whole, TIME, zeros, zeros, 1, NULL));
        subject.mechanism.stiffness = NULL;
        assert_status(
            carom_mechanism_check_directions(&subject.mechanism, TIME, zeros, zeros, 1, NULL),
            DERIVATIVE_MISMATCH);
        subject.mechanism = whole;
        subject.mechanism.damping = NULL;
        assert_status(
            carom_mechanism_check_directions(&subject.mechanism, TIME, zeros, zeros, 1, NULL),
            DERIVATIVE_MISMATCH);
        subject.mechanism = whole;
        subject.wrong_member = "band";
        subject.wrong_row = 1;
        subject.wrong_column = 5;
        subject.wrong_by = 0.02;
        assert_status(
            carom_mechanism_check_directions(&subject.mechanism, TIME, zeros, zeros, 1, NULL),
            DERIVATIVE_MISMATCH);
    }
}

enum { MANY = 50000 };

TEST(property, one_wrong_entry_among_many_coordinates_is_found) {
    points p = points_of(smoothed, smoothed_slope, false, 1.0);
    p.mechanism.coordinate_count = MANY;
    p.mechanism.layout = carom_layout_banded(MANY, 0);
    p.mechanism.context = &p;
    double *q = calloc(2 * (size_t)MANY, sizeof *q);
    ck_assert_ptr_nonnull(q);
    double *v = q + MANY;
    for (int i = 0; i < MANY; i++) {
        q[i] = cos(1.7 * i);
    }
    assert_ok(carom_mechanism_check_directions(&p.mechanism, TIME, q, v, 1, NULL));
    p.mechanism.stiffness = NULL;
    assert_status(carom_mechanism_check_directions(&p.mechanism, TIME, q, v, 1, NULL),
                  DERIVATIVE_MISMATCH);
    free(q);
}
