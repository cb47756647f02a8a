/**
 * contact_problem: joints and contacts with friction at an instant, by every solver.
 *
 *     u = W r + q,   0 <= u_n _|_ r_n >= 0,   |r_t| <= mu r_n against the sliding
 *
 * A file in the layout of the Frictional Contact Library (FCLIB, INRIA RT-0444) gives W, q and mu,
 * or M, H, f, w and mu; without one a pile of discs rests on the ground under gravity, more
 * contacts than hold it up. The chosen solver's answer with its certificate, and how plain sweeps
 * come to one from no impulse, and Newton's iterations from where some sweeps end. The record holds
 * problem and solution in the same layout. Chosen: the pile; no paper has it.
 */
#include <carom/carom.h>

#include <math.h>
#include <stdlib.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/** Everything that options set. */
typedef struct settings {
    const char *path; /**< of the file; NULL: the pile */
    carom_disc_pile_params pile;
    int solver; /**< carom_contact_method */
    double tolerance;
    int sweeps;     /**< of the comparison */
    int before;     /**< sweeps before Newton's iterations in it */
    int iterations; /**< of the comparison */
    bool is_pile;   /**< no file was given */
    carom_contact_problem *problem;
} settings;

/* --- options ---------------------------------------------------------------------------------- */

static const carom_option OPTION_ROWS[] = {
    CAROM_TEXT("problem", settings, path,
               "file in the layout of FCLIB; without it a pile of discs"),
    CAROM_INTEGER("rows", settings, pile.rows, "1", "rows of the pile", "[1, 500]"),
    CAROM_REAL("mass", settings, pile.mass, "kg", "mass of a disc of the lowest row", "positive"),
    CAROM_REAL("mass-ratio", settings, pile.mass_ratio, "1",
               "mass of a disc at the top to that of one below", "positive"),
    CAROM_REAL("radius", settings, pile.radius, "m", "radius of a disc", "positive"),
    CAROM_REAL("friction", settings, pile.friction, "1", "friction of the pile", "not negative"),
    CAROM_REAL("gravity", settings, pile.gravity, "m s-2", "gravity", "positive"),
    CAROM_REAL("step", settings, pile.step, "s", "time over which gravity acts", "positive"),
    CAROM_CHOICE("solver", settings, solver, "how it is solved",
                 "automatic|gauss-seidel|newton|pivoting"),
    CAROM_REAL("tolerance", settings, tolerance, "1", "residual of a solution", "(0, 1)"),
    CAROM_INTEGER("sweeps", settings, sweeps, "1", "plain sweeps of Gauss-Seidel that are recorded",
                  "[1, 100000]"),
    CAROM_INTEGER("sweeps-before", settings, before, "1",
                  "sweeps before the iterations of Newton's that are recorded", "[0, 100000]"),
    CAROM_INTEGER("iterations", settings, iterations, "1",
                  "iterations of Newton's that are recorded", "[1, 1000]"),
};

static carom_status check(void *context, carom_report *report) {
    settings *v = context;
    v->is_pile = v->path == NULL;
    if (v->is_pile) {
        return carom_disc_pile_problem(&v->pile, &v->problem, report);
    }
    CAROM_TRY(carom_contact_file_read(v->path, &v->problem, report));
    // The record tells the problem, not where it was found.
    v->path = NULL;
    return CAROM_OK;
}

/* --- the solution ----------------------------------------------------------------------------- */

/** One contact of the solution. */
typedef struct contact_row {
    int contact;
    int mode; /**< carom_contact_state */
    double normal_impulse;
    double friction_impulse;
    double normal_velocity;
    double sliding_speed;
} contact_row;

static const carom_field CONTACT_FIELDS[] = {
    CAROM_FIELD("contact", contact_row, contact, "1", "contact"),
    CAROM_FIELD("mode", contact_row, mode, "1", "0: no impulse, 1: it sticks, 2: it slides"),
    CAROM_FIELD("normal_impulse", contact_row, normal_impulse, "N s", "normal impulse"),
    CAROM_FIELD("friction_impulse", contact_row, friction_impulse, "N s", "size of the tangential"),
    CAROM_FIELD("normal_velocity", contact_row, normal_velocity, "m s-1", "normal velocity after"),
    CAROM_FIELD("sliding_speed", contact_row, sliding_speed, "m s-1", "tangential speed after"),
};

static double length_of(int count, const double *x) {
    double length = 0.0;
    for (int a = 0; a < count; a++) {
        length = hypot(length, x[a]);
    }
    return length;
}

/** The contacts of a solution, one after the other. */
static carom_status fill_contacts(const carom_contact_problem *p, const double *r, const double *u,
                                  double tolerance, contact_row *rows) {
    CAROM_AUTO_MEMORY carom_contact_state *states =
        calloc((size_t)p->contact_count + 1, sizeof *states);
    if (states == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    carom_contact_classify(p, r, u, tolerance, states);
    for (int i = 0; i < p->contact_count; i++) {
        const int row = carom_contact_problem_row(p, p->joint_count + i);
        rows[i] = (contact_row){.contact = i,
                                .mode = (int)states[i],
                                .normal_impulse = r[row],
                                .friction_impulse = length_of(p->tangent_count, r + row + 1),
                                .normal_velocity = u[row],
                                .sliding_speed = length_of(p->tangent_count, u + row + 1)};
    }
    return CAROM_OK;
}

/** The measures of the certificate, and how many contacts do what. */
static void write_measures(carom_record *record, const carom_contact_problem *p,
                           const contact_row *rows, const carom_contact_report *result,
                           double energy) {
    int count[3] = {0};
    for (int i = 0; i < p->contact_count; i++) {
        count[rows[i].mode]++;
    }
    const carom_contact_certificate *c = &result->certificate;
    const carom_measure measures[] = {
        {"residual", c->residual, "1", "largest residual of the natural map"},
        {"penetration", c->penetration, "1", "largest closing speed, beside the impulses"},
        {"cone", c->cone, "1", "largest excess over the cone, beside the impulses"},
        {"complementarity", c->complementarity, "1", "root of the largest r_n u_n, beside them"},
        {"energy", energy, "J", "energy that the impulses take, r'(u + q)/2"},
        {"open", count[0], "1", "contacts without impulse"},
        {"sticking", count[1], "1", "contacts that stick"},
        {"sliding", count[2], "1", "contacts that slide"},
        {"sweeps", result->sweeps, "1", "sweeps of Gauss-Seidel"},
        {"newton_iterations", result->newton_iterations, "1", "iterations of Newton's method"},
        {"pivots", result->pivots, "1", "pivots of Lemke's method"},
    };
    carom_record_measures(record, measures, COUNT(measures));
}

static carom_status solve(const settings *v, carom_contact_solver *solver, double *r, double *u,
                          carom_record *record, carom_report *report) {
    const carom_contact_problem *p = v->problem;
    carom_contact_params params = carom_contact_params_default();
    carom_contact_report result;
    params.method = (carom_contact_method)v->solver;
    params.tolerance = v->tolerance;
    CAROM_TRY(carom_contact_solve(solver, p, &params, r, u, &result, report));
    CAROM_AUTO_MEMORY contact_row *rows = calloc((size_t)p->contact_count + 1, sizeof *rows);
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(fill_contacts(p, r, u, v->tolerance, rows));
    carom_record_integer(
        record, "solver", (int)result.method, "1",
        "1: Gauss-Seidel, 2: Newton's method, 3: Lemke's method; 0: nothing to do");
    write_measures(record, p, rows, &result, carom_contact_energy(p, r, u));
    carom_record group = carom_record_group(record, "/contacts");
    carom_record_rows(&group, "contact", rows, p->contact_count, sizeof *rows, CONTACT_FIELDS,
                      COUNT(CONTACT_FIELDS));
    carom_contact_file_write_solution(record, p, r, u);
    return CAROM_OK;
}

/* --- how the solvers come there --------------------------------------------------------------- */

/** State after so many sweeps or iterations. */
typedef struct progress_row {
    int step;
    double residual;
} progress_row;

static const carom_field PROGRESS_FIELDS[] = {
    CAROM_FIELD("step", progress_row, step, "1", "sweeps or iterations so far"),
    CAROM_FIELD("residual", progress_row, residual, "1", "largest residual of the natural map"),
};

/** One sweep, which has none before it to go on along, or one iteration after the other from
 * impulses r until solved: /NAME. */
static carom_status follow(const settings *v, carom_contact_solver *solver,
                           carom_contact_method method, const char *name, int most, double *r,
                           carom_record *record) {
    const carom_contact_problem *p = v->problem;
    CAROM_AUTO_MEMORY progress_row *rows = calloc((size_t)most + 1, sizeof *rows);
    const carom_contact_params params = {
        .method = method, .tolerance = v->tolerance, .most_sweeps = 1, .most_newton_iterations = 1};
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    int count = 0;
    for (bool is_solved = false; count < most && !is_solved; count++) {
        carom_contact_report result;
        const carom_status status = carom_contact_solve(solver, p, &params, r, NULL, &result, NULL);
        if (status != CAROM_OK && status != CAROM_STATUS_NOT_CONVERGED) {
            return status;
        }
        is_solved = status == CAROM_OK;
        rows[count] = (progress_row){.step = count + 1, .residual = result.certificate.residual};
    }
    carom_record group = carom_record_group(record, "/%s", name);
    carom_record_rows(&group, "step", rows, count, sizeof *rows, PROGRESS_FIELDS,
                      COUNT(PROGRESS_FIELDS));
    return CAROM_OK;
}

/** Plain sweeps from no impulse; Newton's iterations from where some of the solver's sweeps end. */
static carom_status compare(const settings *v, carom_contact_solver *solver, carom_record *record) {
    const int rows = v->problem->row_count;
    CAROM_AUTO_MEMORY double *r = calloc(2 * (size_t)rows + 1, sizeof *r);
    if (r == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *near = r + rows;
    CAROM_TRY(follow(v, solver, CAROM_CONTACT_GAUSS_SEIDEL, "gauss_seidel", v->sweeps, r, record));
    const carom_contact_params before = {
        .method = CAROM_CONTACT_GAUSS_SEIDEL, .tolerance = v->tolerance, .most_sweeps = v->before};
    const carom_status status =
        carom_contact_solve(solver, v->problem, &before, near, NULL, NULL, NULL);
    if (status != CAROM_OK && status != CAROM_STATUS_NOT_CONVERGED) {
        return status;
    }
    return follow(v, solver, CAROM_CONTACT_NEWTON, "newton", v->iterations, near, record);
}

/* --- the pile --------------------------------------------------------------------------------- */

static const carom_field PILE_FIELDS[] = {
    CAROM_FIELD("x", carom_disc_pile_contact, position[0], "m", "place of the contact"),
    CAROM_FIELD("y", carom_disc_pile_contact, position[1], "m", "height of the contact"),
    CAROM_FIELD("normal_x", carom_disc_pile_contact, normal[0], "1", "its normal"),
    CAROM_FIELD("normal_y", carom_disc_pile_contact, normal[1], "1", "its normal"),
    CAROM_FIELD("lower", carom_disc_pile_contact, lower, "1", "disc below; -1: the ground"),
    CAROM_FIELD("upper", carom_disc_pile_contact, upper, "1", "disc above"),
};

/** Where the contacts are and the centres of the discs: /pile; the impulse of the ground. */
static carom_status write_pile(const settings *v, const double *r, carom_record *record) {
    const int contacts = carom_disc_pile_contact_count(&v->pile);
    const int discs = carom_disc_pile_disc_count(&v->pile);
    CAROM_AUTO_MEMORY carom_disc_pile_contact *list = malloc((size_t)contacts * sizeof *list);
    CAROM_AUTO_MEMORY double *centres = malloc(2 * (size_t)discs * sizeof *centres);
    if (list == NULL || centres == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double ground = 0.0;
    carom_record group = carom_record_group(record, "/pile");
    carom_disc_pile_contacts(&v->pile, list);
    for (int d = 0; d < discs; d++) {
        double centre[2];
        carom_disc_pile_centre(&v->pile, d, centre);
        centres[d] = centre[0];
        centres[discs + d] = centre[1];
    }
    for (int i = 0; i < v->pile.rows; i++) {
        ground += r[2 * i];
    }
    carom_record_index_axis(&group, "contact", contacts, "contact");
    carom_record_rows(&group, "contact", list, contacts, sizeof *list, PILE_FIELDS,
                      COUNT(PILE_FIELDS));
    carom_record_index_axis(&group, "disc", discs, "disc");
    carom_record_series(&group, "centre_x", centres, "disc", NULL, "m", "centre of the disc");
    carom_record_series(&group, "centre_y", centres + discs, "disc", NULL, "m", "its height");
    carom_record_measure(record, "ground_impulse", ground, "N s", "sum of the ground's normal");
    return CAROM_OK;
}

static carom_status run(carom_record *record, const carom_common_options *common, void *context,
                        carom_report *report) {
    const settings *v = context;
    const carom_contact_problem *p = v->problem;
    (void)common;
    CAROM_AUTO(carom_contact_solver) solver = NULL;
    CAROM_AUTO_MEMORY double *r = calloc(2 * (size_t)p->row_count + 1, sizeof *r);
    if (r == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_contact_solver_alloc(&solver));
    CAROM_TRY(solve(v, solver, r, r + p->row_count, record, report));
    CAROM_TRY(compare(v, solver, record));
    if (v->is_pile) {
        CAROM_TRY(write_pile(v, r, record));
    }
    return p->tangent_count == 0 ? CAROM_OK : carom_contact_file_write(record, p, report);
}

static const carom_table_column CONTACT_COLUMNS[] = {
    {.head = "solved by", .expression = "/solver", .words = "-|sweeps|Newton|pivots"},
    {.head = "residual", .expression = "/measures/residual", .digits = 2},
    {.head = "open", .expression = "/measures/open"},
    {.head = "stick", .expression = "/measures/sticking"},
    {.head = "slide", .expression = "/measures/sliding"},
    {.head = "sweeps", .expression = "/measures/sweeps"},
    {.head = "iterations", .expression = "/measures/newton_iterations"},
    {.head = "pivots", .expression = "/measures/pivots"},
};
static const carom_table TABLES[] = {{.groups = "/", CAROM_COLUMNS(CONTACT_COLUMNS)}};

int main(int argc, char **argv) {
    settings values = {.pile = carom_disc_pile_params_default(),
                       .tolerance = carom_contact_params_default().tolerance,
                       .sweeps = 1000,
                       .before = 50,
                       .iterations = 50};
    values.pile.rows = 8;
    values.pile.friction = 0.6;
    const carom_program program = {
        .name = "contact_problem",
        .title = "Joints and contacts with friction at an instant, by every solver",
        .source = "own",
        .schema = "contact_problem 1",
        .options = CAROM_OPTIONS(OPTION_ROWS),
        .operand = "problem",
        CAROM_TABLES(TABLES),
    };
    const int exit_status = carom_experiment_main(&program, argc, argv, check, run, &values);
    carom_contact_problem_free(values.problem);
    return exit_status;
}
