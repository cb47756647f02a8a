/* What every stepper asks of a mechanism where it starts: its derivatives, and the row of the
 * README's table. */
#include "every_stepper.h"

#include <stdio.h>
#include <string.h>

/* A ball above a floor in space, with what a column of the table asks for and nothing else. */

typedef struct ball {
    carom_mechanism mechanism;
    double restitution;
    double friction;
} ball;

static void ball_mass(const double *q, double *M, void *context) {
    (void)q;
    (void)context;
    const double matrix[9] = {2.3, 0.0, 0.0, 0.0, 2.3, 0.0, 0.0, 0.0, 2.3};
    memcpy(M, matrix, sizeof matrix);
}

/** One that grows with x, as that of a rocket that drinks. */
static void ball_growing_mass(const double *q, double *M, void *context) {
    ball_mass(q, M, context);
    M[8] += 0.4 * q[0] * q[0];
}

static void ball_mass_derivative(const double *q, const double *a, double *D, void *context) {
    (void)context;
    memset(D, 0, 9 * sizeof *D);
    D[6] = 0.8 * q[0] * a[2];
}

static void ball_force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    (void)q;
    (void)v;
    (void)context;
    f[0] = f[1] = 0.0;
    f[2] = -2.3 * 9.81;
}

static double ball_energy(const double *q, void *context) {
    (void)context;
    return 2.3 * 9.81 * q[2];
}

/** The joint x = y where there is one, then the gap. */
static void ball_constraints(const double *q, double *g, void *context) {
    const ball *b = context;
    const int joints = b->mechanism.joint_count;
    g[0] = q[0] - q[1];
    g[joints] = q[2] - 0.1;
}

static void ball_jacobian(const double *q, double *G, void *context) {
    (void)q;
    const ball *b = context;
    const int joints = b->mechanism.joint_count;
    memset(G, 0, (size_t)(3 * (joints + 1)) * sizeof *G);
    G[0] = 1.0;
    G[1] = -1.0;
    memcpy(&G[3 * joints], (const double[3]){0.0, 0.0, 1.0}, 3 * sizeof *G);
}

/** x and y, or x alone. */
static void ball_tangents(const double *q, double *H, void *context) {
    (void)q;
    const ball *b = context;
    const double rows[6] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0};
    memcpy(H, rows, (size_t)(3 * b->mechanism.tangent_count) * sizeof *H);
}

static void ball_init(ball *b) {
    *b = (ball){.restitution = 0.0};
    b->mechanism = (carom_mechanism){.name = "ball",
                                     .coordinate_count = 3,
                                     .contact_count = 1,
                                     .layout = carom_layout_full(3),
                                     .position_units = "m",
                                     .velocity_units = "m s-1",
                                     .restitution = &b->restitution,
                                     .mass = ball_mass,
                                     .force = ball_force,
                                     .potential_energy = ball_energy,
                                     .constraints = ball_constraints,
                                     .constraint_jacobian = ball_jacobian,
                                     .context = b};
}

static const double POSITION[3] = {0.3, 0.3, 0.7};
static const double VELOCITY[3] = {0.2, 0.2, -0.1};

static void ball_with_growing_mass(ball *b) {
    ball_init(b);
    b->mechanism.mass = ball_growing_mass;
    b->mechanism.mass_derivative = ball_mass_derivative;
}

/* What is wrong is refused at the start,
 * and may be let pass. */
TEST(errors, every_stepper_refuses_a_derivative_that_is_missing_unless_told_not_to_look) {
    for (int k = 0; k < EVERY_STEPPER_COUNT; k++) {
        ball b;
        ball_with_growing_mass(&b);
        stepper_start start = {&b.mechanism, POSITION, VELOCITY, .check_derivatives = true};
        carom_report report = carom_report_empty();
        carom_status status = every_stepper_start(k, &start, &report);
        ck_assert_msg(status == CAROM_OK, "%s: %s %s", every_stepper_name(k),
                      carom_status_name(status), report.sentence);
        b.mechanism.mass_derivative = NULL;
        status = every_stepper_start(k, &start, &report);
        ck_assert_msg(status == CAROM_STATUS_DERIVATIVE_MISMATCH, "%s: %s", every_stepper_name(k),
                      carom_status_name(status));
        ck_assert_str_eq(report.sentence, "mechanism 'ball': mass_derivative is missing: the mass "
                                          "matrix changes with the position (row 2)");
        start.check_derivatives = false;
        assert_ok(every_stepper_start(k, &start, NULL));
    }
}

/* The columns of the table: what the ball has besides. */

static void ball_with_joint(ball *b) {
    ball_init(b);
    b->mechanism.joint_count = 1;
}

static void ball_with_restitution(ball *b) {
    ball_init(b);
    b->restitution = 0.5;
}

static void ball_with_friction(ball *b, int tangents) {
    ball_init(b);
    b->friction = 0.5;
    b->mechanism.friction = &b->friction;
    b->mechanism.tangent_count = tangents;
    b->mechanism.tangential_jacobian = ball_tangents;
}

static void ball_in_plane(ball *b) {
    ball_with_friction(b, 1);
}

static void ball_in_space(ball *b) {
    ball_with_friction(b, 2);
}

/** The floor rises. */
static void ball_offset(double t, double *s, void *context) {
    (void)context;
    s[0] = -0.3 * t;
}

static void ball_offset_velocity(double t, double *w, void *context) {
    (void)t;
    (void)context;
    w[0] = -0.3;
}

static void ball_on_lift(ball *b) {
    ball_init(b);
    b->mechanism.constraint_offset = ball_offset;
    b->mechanism.constraint_velocity = ball_offset_velocity;
}

/** Its three velocities are those of a rotation; its gap stays. */
static void constant_gap(const double *q, double *g, void *context) {
    (void)q;
    (void)context;
    g[0] = 0.7;
}

static void constant_gap_jacobian(const double *q, double *G, void *context) {
    (void)q;
    (void)context;
    memset(G, 0, 3 * sizeof *G);
}

static double no_energy(const double *q, void *context) {
    (void)q;
    (void)context;
    return 0.0;
}

static void ball_that_turns(ball *b) {
    static const int rotations[] = {0};
    ball_init(b);
    b->mechanism.rotation_count = 1;
    b->mechanism.rotations = rotations;
    b->mechanism.constraints = constant_gap;
    b->mechanism.constraint_jacobian = constant_gap_jacobian;
    b->mechanism.potential_energy = no_energy;
}

/** Its one contact is found anew for each step, and always there. */
static carom_status same_contact(double t, double h, const double *q, const double *v,
                                 int *previous, carom_report *report, void *context) {
    (void)t;
    (void)h;
    (void)q;
    (void)v;
    (void)report;
    (void)context;
    previous[0] = 0;
    return CAROM_OK;
}

static void ball_with_changing_contact(ball *b) {
    ball_init(b);
    b->mechanism.update_contacts = same_contact;
    b->mechanism.contact_entry_count = 3;
}

static void (*const COLUMNS[])(ball *b) = {
    ball_with_joint,        ball_with_restitution, ball_in_plane,   ball_in_space,
    ball_with_growing_mass, ball_on_lift,          ball_that_turns, ball_with_changing_contact};
enum { COLUMN_COUNT = sizeof COLUMNS / sizeof COLUMNS[0] };

/** Whether a stepper computes a ball with what a column asks for; otherwise it says so by name. */
static bool computes(int stepper, int column) {
    ball b;
    COLUMNS[column](&b);
    static const double unit[] = {1.0, 0.0, 0.0, 0.0};
    const double *position = b.mechanism.rotation_count > 0 ? unit : POSITION;
    const stepper_start start = {&b.mechanism, position, VELOCITY, .check_derivatives = true};
    carom_report report = carom_report_empty();
    const carom_status status = every_stepper_start(stepper, &start, &report);
    char beginning[64];
    (void)snprintf(beginning, sizeof beginning, "%s computes ", every_stepper_name(stepper));
    const bool is_named = strncmp(report.sentence, beginning, strlen(beginning)) == 0;
    ck_assert_msg(status == CAROM_OK || (status == CAROM_STATUS_UNSUPPORTED && is_named),
                  "%s, column %d: %s %s", every_stepper_name(stepper), column,
                  carom_status_name(status), report.sentence);
    return status == CAROM_OK;
}

TEST(errors, the_table_of_the_readme_says_what_each_stepper_refuses) {
    FILE *readme = fopen("README.md", "r");
    ck_assert_msg(readme != NULL, "README.md is read from the folder of the project");
    char line[1024];
    const char *const head = "| method | joints | restitution | friction, plane | friction, space "
                             "| mass that varies | moving supports | rotations in space "
                             "| contacts that come and go |";
    do {
        ck_assert_msg(fgets(line, sizeof line, readme) != NULL, "README.md has no such table");
    } while (strncmp(line, head, strlen(head)) != 0);
    ck_assert_ptr_nonnull(fgets(line, sizeof line, readme));
    /* Every stepper has its row, in the order of the list. */
    for (int k = 0; k < EVERY_STEPPER_COUNT; k++) {
        char expected[1024];
        int length = snprintf(expected, sizeof expected, "| `%s` |", every_stepper_name(k));
        for (int column = 0; column < COLUMN_COUNT; column++) {
            length += snprintf(expected + length, sizeof expected - (size_t)length, " %s |",
                               computes(k, column) ? "yes" : "–");
        }
        ck_assert_ptr_nonnull(fgets(line, sizeof line, readme));
        ck_assert_msg(strncmp(line, expected, strlen(expected)) == 0,
                      "README.md has\n%sinstead of\n%s", line, expected);
    }
    ck_assert_ptr_nonnull(fgets(line, sizeof line, readme));
    ck_assert_str_eq(line, "\n");
    (void)fclose(readme);
}
