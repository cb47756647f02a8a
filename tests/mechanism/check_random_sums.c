/* carom_mechanism_check_directions on random mechanisms, each row of the force a sum of terms that
 * are smooth, kinked, or round beside a length of their own, in random units, at states from zero
 * to a thousand lengths: right derivatives pass, and a fault of a term that matters is found. */
#include <carom/mechanism/mechanism.h>

#include "../support.h"

#include <string.h>

enum { SIZE = 4, LARGEST_SUM = 24, MECHANISMS = 300 };

/* f(x, y) with its slopes, a: a number of order one. */

typedef struct slopes {
    double f;
    double x;
    double y;
} slopes;

static slopes line(double x, double y, double a) {
    (void)y;
    (void)a;
    return (slopes){x, 1.0, 0.0};
}
static slopes square(double x, double y, double a) {
    (void)y;
    (void)a;
    return (slopes){x * x, 2.0 * x, 0.0};
}
static slopes cube(double x, double y, double a) {
    (void)y;
    (void)a;
    return (slopes){x * x * x, 3.0 * x * x, 0.0};
}
static slopes product(double x, double y, double a) {
    (void)a;
    return (slopes){x * y, y, x};
}
static slopes wave(double x, double y, double a) {
    (void)y;
    return (slopes){sin(x + a) - sin(a), cos(x + a), 0.0};
}
static slopes shear(double x, double y, double a) {
    (void)a;
    return (slopes){sin(y - x), -cos(y - x), cos(y - x)};
}
static slopes offset(double x, double y, double a) {
    (void)y;
    return (slopes){(a + x) - a, 1.0, 0.0};
}
static slopes raised(double x, double y, double a) {
    (void)y;
    (void)a;
    return (slopes){1.0 - cos(x), sin(x), 0.0};
}
static slopes kink(double x, double y, double a) {
    (void)y;
    (void)a;
    return (slopes){fabs(x), x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : 0.0, 0.0};
}
static slopes one_sided(double x, double y, double a) {
    (void)y;
    return (slopes){fmax(0.0, x - 0.3 * a), x > 0.3 * a ? 1.0 : 0.0, 0.0};
}
static slopes friction(double x, double y, double a) {
    (void)y;
    const double c = cosh(x / a);
    return (slopes){tanh(x / a), 1.0 / (a * c * c), 0.0};
}
static slopes transverse(double x, double y, double a) {
    (void)y;
    const double h = hypot(x, a);
    return (slopes){x * (1.0 - a / h), 1.0 - a / h + x * x * a / (h * h * h), 0.0};
}

static slopes (*const LAWS[])(double, double, double) = {
    line, square, cube, product, wave, shear, offset, raised, kink, one_sided, friction, transverse,
};
enum { LAW_COUNT = sizeof LAWS / sizeof LAWS[0] };

/** One term: factor * law of the coordinates (i, j), or of their velocities. */
typedef struct term {
    int law;
    int row;
    int i;
    int j;
    bool is_of_velocity;
    double factor;
    double length;
    double a;
    double fault; /**< what its slopes are multiplied by */
} term;

typedef struct sum {
    carom_mechanism mechanism;
    double mass;
    double length;
    double speed;
    double force;
    int count;
    term terms[LARGEST_SUM];
} sum;

static slopes value_of(const sum *self, const term *t, const double *q, const double *v) {
    const double *x = t->is_of_velocity ? v : q;
    const double unit = (t->is_of_velocity ? self->speed : self->length) * t->length;
    const slopes s = LAWS[t->law](x[t->i] / unit, x[t->j] / unit, t->a);
    const double c = t->factor * self->force;
    return (slopes){c * s.f, c * s.x / unit, c * s.y / unit};
}

static void sum_mass(const double *q, double *M, void *context) {
    const sum *self = context;
    (void)q;
    for (int i = 0; i < SIZE * SIZE; i++) {
        M[i] = i % (SIZE + 1) == 0 ? self->mass * (1.3 + 0.05 * i) : 0.0;
    }
}

static void sum_force(double t, const double *q, const double *v, double *f, void *context) {
    const sum *self = context;
    (void)t;
    memset(f, 0, SIZE * sizeof(double));
    for (int k = 0; k < self->count; k++) {
        f[self->terms[k].row] -= value_of(self, &self->terms[k], q, v).f;
    }
}

static void add_slopes(const sum *self, bool is_of_velocity, const double *q, const double *v,
                       double *K) {
    memset(K, 0, SIZE * SIZE * sizeof(double));
    for (int k = 0; k < self->count; k++) {
        const term *t = &self->terms[k];
        if (t->is_of_velocity == is_of_velocity) {
            const slopes s = value_of(self, t, q, v);
            K[t->row * SIZE + t->i] += t->fault * s.x;
            K[t->row * SIZE + t->j] += t->fault * s.y;
        }
    }
}

static void sum_stiffness(double t, const double *q, const double *v, double *K, void *context) {
    (void)t;
    add_slopes(context, false, q, v, K);
}

static void sum_damping(double t, const double *q, const double *v, double *C, void *context) {
    (void)t;
    add_slopes(context, true, q, v, C);
}

static double sum_energy(const double *q, void *context) {
    (void)q;
    (void)context;
    return 0.0;
}

static double decades(gsl_rng *generator, double low, double high) {
    return pow(10.0, uniform(generator, low, high));
}

static int draw(gsl_rng *generator, int count) {
    return (int)gsl_rng_uniform_int(generator, (unsigned long)count);
}

/** A sum whose mechanism points to it. */
static void sum_draw(gsl_rng *generator, sum *self) {
    const double time = decades(generator, -12.0, 12.0);
    *self = (sum){.mass = decades(generator, -12.0, 12.0),
                  .length = decades(generator, -12.0, 12.0),
                  .count = 3 + draw(generator, LARGEST_SUM - 3)};
    self->speed = self->length / time;
    self->force = self->mass * self->speed / time;
    for (int k = 0; k < self->count; k++) {
        const int i = draw(generator, SIZE);
        self->terms[k] =
            (term){.law = draw(generator, LAW_COUNT),
                   .row = draw(generator, SIZE),
                   .i = i,
                   .j = (i + 1 + draw(generator, SIZE - 1)) % SIZE,
                   .is_of_velocity = draw(generator, 3) == 0,
                   .factor = decades(generator, -1.0, 1.0) * (draw(generator, 2) == 0 ? 1.0 : -1.0),
                   .length = decades(generator, -1.0, 1.0),
                   .a = uniform(generator, 0.4, 1.3),
                   .fault = 1.0};
    }
    self->mechanism = (carom_mechanism){.name = "sum",
                                        .coordinate_count = SIZE,
                                        .layout = carom_layout_full(SIZE),
                                        .position_units = "m",
                                        .velocity_units = "m s-1",
                                        .mass = sum_mass,
                                        .force = sum_force,
                                        .stiffness = sum_stiffness,
                                        .damping = sum_damping,
                                        .potential_energy = sum_energy,
                                        .context = self};
}

/** A state of some lengths; at rest, or with a velocity of as many, or of one. */
static void state_draw(gsl_rng *generator, const sum *self, double place, double *q, double *v) {
    const double speeds[] = {0.0, place, 1.0};
    const double speed = speeds[draw(generator, 3)];
    for (int i = 0; i < SIZE; i++) {
        q[i] = self->length * place * uniform(generator, -1.0, 1.0);
        v[i] = self->speed * speed * uniform(generator, -1.0, 1.0);
    }
}

static bool is_refused(const sum *self, const double *q, const double *v, unsigned long seed) {
    return carom_mechanism_check_directions(&self->mechanism, 0.37, q, v, seed, NULL) != CAROM_OK;
}

/** Whether a term is a tenth of the slopes of its row, and they no thousandth of what they are. */
static bool matters(const sum *self, const term *t, const double *q, const double *v) {
    double all = 0.0;
    double usual = 0.0;
    for (int k = 0; k < self->count; k++) {
        const term *other = &self->terms[k];
        if (other->row == t->row && other->is_of_velocity == t->is_of_velocity) {
            const slopes s = value_of(self, other, q, v);
            const double unit = other->is_of_velocity ? self->speed : self->length;
            all += (fabs(s.x) + fabs(s.y)) * unit;
            usual += fabs(other->factor) * self->force / other->length;
        }
    }
    const slopes s = value_of(self, t, q, v);
    const double own = (fabs(s.x) + fabs(s.y)) * (t->is_of_velocity ? self->speed : self->length);
    return own > 0.1 * all && all > 1e-3 * usual;
}

static const double PLACES[] = {0.0,   1e-17, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12,
                                1e-10, 1e-7,  1e-4,  1e-2,  1.0,   10.0,  1e3};
enum { PLACE_COUNT = sizeof PLACES / sizeof PLACES[0] };

/* What rounds inside a function can meet by chance what a wrong derivative does, at one in some
 * thousand states beside which lengths are everything. */
TEST(property, right_derivatives_of_random_sums_pass) {
    int refused = 0;
    for (unsigned long run = 1; run <= MECHANISMS; run++) {
        gsl_rng *generator = seeded_generator(run);
        sum subject;
        sum_draw(generator, &subject);
        for (int k = 0; k < PLACE_COUNT; k++) {
            double q[SIZE];
            double v[SIZE];
            state_draw(generator, &subject, PLACES[k], q, v);
            const bool is_alarm = is_refused(&subject, q, v, run);
            refused += is_alarm;
            ck_assert_msg(!is_alarm || PLACES[k] < 1e-5, "run %lu, place %g", run, PLACES[k]);
        }
        gsl_rng_free(generator);
    }
    ck_assert_int_le(refused, MECHANISMS * PLACE_COUNT / 1000);
}

/* Powers of two: the same bits, and so the same steps and verdicts, also where a state is so little
 * beside the lengths inside a function that no step reaches them. Nothing at rest, whose steps are
 * guessed. */
TEST(property, verdicts_on_random_sums_are_the_same_in_other_units) {
    int refused = 0;
    for (unsigned long run = 1; run <= MECHANISMS; run++) {
        gsl_rng *generator = seeded_generator(run);
        sum subject;
        sum_draw(generator, &subject);
        double q[SIZE];
        double v[SIZE];
        const double place = run % 4 == 0 ? 1e-32 : PLACES[1 + run % (PLACE_COUNT - 1)];
        state_draw(generator, &subject, place, q, v);
        v[0] = 0.7 * subject.speed * place;
        subject.terms[0].fault = 1.05;
        const bool is_found = is_refused(&subject, q, v, run);
        refused += is_found;
        for (int exponent = -80; exponent <= 80; exponent += 20) {
            sum other = subject;
            double other_q[SIZE];
            double other_v[SIZE];
            other.mechanism.context = &other;
            other.length = ldexp(subject.length, exponent);
            other.speed = ldexp(subject.speed, exponent);
            other.force = ldexp(subject.force, exponent);
            for (int i = 0; i < SIZE; i++) {
                other_q[i] = ldexp(q[i], exponent);
                other_v[i] = ldexp(v[i], exponent);
            }
            ck_assert_msg(is_refused(&other, other_q, other_v, run) == is_found, "run %lu, 2^%d",
                          run, exponent);
        }
        gsl_rng_free(generator);
    }
    ck_assert_int_gt(refused, MECHANISMS / 5);
}

TEST(property, faults_of_random_sums_are_found_where_the_state_has_their_size) {
    const double faults[] = {1.05, 1.02, 0.0, -1.0};
    int planted = 0;
    int found = 0;
    for (unsigned long run = 1; run <= MECHANISMS; run++) {
        gsl_rng *generator = seeded_generator(run);
        sum subject;
        sum_draw(generator, &subject);
        for (int k = 0; k < PLACE_COUNT; k++) {
            double q[SIZE];
            double v[SIZE];
            state_draw(generator, &subject, PLACES[k], q, v);
            term *wrong = &subject.terms[draw(generator, subject.count)];
            if (PLACES[k] < 1e-5 || PLACES[k] > 100.0 || !matters(&subject, wrong, q, v)) {
                continue;
            }
            wrong->fault = faults[draw(generator, 4)];
            planted++;
            found += is_refused(&subject, q, v, run);
            wrong->fault = 1.0;
        }
        gsl_rng_free(generator);
    }
    ck_assert_int_gt(planted, MECHANISMS);
    ck_assert_msg(100 * (planted - found) <= planted, "%d of %d are found", found, planted);
}
