#include <carom/models/disc_pile.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* x, y and the angle of each disc; entries of a normal and of a tangent in the coordinates of a
 * disc. */
enum { COORDINATES = 3, NORMAL_ENTRIES = 2, TANGENT_ENTRIES = 3, MOST_ROWS = 500 };

carom_disc_pile_params carom_disc_pile_params_default(void) {
    return (carom_disc_pile_params){.rows = 16,
                                    .mass = 1.0,
                                    .mass_ratio = 1.0,
                                    .radius = 0.1,
                                    .friction = 0.3,
                                    .gravity = 9.81,
                                    .step = 1e-3};
}

int carom_disc_pile_disc_count(const carom_disc_pile_params *params) {
    return params->rows * (params->rows + 1) / 2;
}

int carom_disc_pile_contact_count(const carom_disc_pile_params *params) {
    const int n = params->rows;
    return n + n * (n - 1) / 2 + n * (n - 1);
}

/* Row of a disc, and its place within. */
static int row_of(const carom_disc_pile_params *params, int disc, int *place) {
    int row = 0;
    *place = disc;
    while (*place >= params->rows - row) {
        *place -= params->rows - row;
        row++;
    }
    return row;
}

void carom_disc_pile_centre(const carom_disc_pile_params *params, int disc, double centre[2]) {
    int place = 0;
    const int row = row_of(params, disc, &place);
    centre[0] = params->radius * (2.0 * place + row);
    centre[1] = params->radius * (1.0 + sqrt(3.0) * row);
}

static carom_disc_pile_contact contact_of(const carom_disc_pile_params *params, int lower,
                                          int upper) {
    carom_disc_pile_contact c = {.lower = lower, .upper = upper, .normal = {0.0, 1.0}};
    double to[2];
    carom_disc_pile_centre(params, upper, to);
    if (lower >= 0) {
        double from[2];
        carom_disc_pile_centre(params, lower, from);
        const double distance = hypot(to[0] - from[0], to[1] - from[1]);
        for (int k = 0; k < 2; k++) {
            c.normal[k] = (to[k] - from[k]) / distance;
        }
    }
    for (int k = 0; k < 2; k++) {
        c.position[k] = to[k] - params->radius * c.normal[k];
    }
    return c;
}

void carom_disc_pile_contacts(const carom_disc_pile_params *params,
                              carom_disc_pile_contact *contacts) {
    int count = 0;
    int first = 0;
    for (int j = 0; j < params->rows; j++) {
        contacts[count++] = contact_of(params, -1, j);
    }
    for (int row = 0; row < params->rows; row++) {
        const int discs = params->rows - row;
        for (int j = 0; j + 1 < discs; j++) {
            contacts[count++] = contact_of(params, first + j, first + j + 1);
        }
        for (int j = 0; j + 1 < discs; j++) {
            contacts[count++] = contact_of(params, first + j, first + discs + j);
            contacts[count++] = contact_of(params, first + j + 1, first + discs + j);
        }
        first += discs;
    }
}

static carom_status check(const carom_disc_pile_params *p, carom_report *report) {
    const struct {
        const char *name;
        double value;
    } positive[] = {{"mass", p->mass},
                    {"mass_ratio", p->mass_ratio},
                    {"radius", p->radius},
                    {"gravity", p->gravity},
                    {"step", p->step}};
    if (p->rows < 1 || p->rows > MOST_ROWS) {
        return carom_report_refuse(report, "rows", p->rows, -1, "in [1,500]");
    }
    for (size_t k = 0; k < sizeof positive / sizeof positive[0]; k++) {
        if (!isfinite(positive[k].value)) {
            return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, positive[k].name,
                                     positive[k].value, -1);
        }
        if (!(positive[k].value > 0.0)) {
            return carom_report_refuse(report, positive[k].name, positive[k].value, -1, "> 0");
        }
    }
    return CAROM_OK;
}

/* Masses, and velocities after gravity has acted. */
static void fill_discs(const carom_disc_pile_params *p, double *mass, double *velocity) {
    for (int d = 0; d < carom_disc_pile_disc_count(p); d++) {
        int place = 0;
        const int row = row_of(p, d, &place);
        const double share = p->rows > 1 ? (double)row / (p->rows - 1) : 0.0;
        const double m = p->mass * pow(p->mass_ratio, share);
        mass[COORDINATES * d] = m;
        mass[COORDINATES * d + 1] = m;
        mass[COORDINATES * d + 2] = 0.5 * m * p->radius * p->radius;
        velocity[COORDINATES * d] = 0.0;
        velocity[COORDINATES * d + 1] = -p->gravity * p->step;
        velocity[COORDINATES * d + 2] = 0.0;
    }
}

/* u_n = n . (v_b - v_a), u_t = t . (v_b - v_a) - r (w_a + w_b), t = (-n_y, n_x). */
static void fill_rows(const carom_disc_pile_params *p, const carom_disc_pile_contact *contacts,
                      int *start, int *column, double *value) {
    int used = 0;
    for (int i = 0; i < carom_disc_pile_contact_count(p); i++) {
        const carom_disc_pile_contact *c = &contacts[i];
        const double t[2] = {-c->normal[1], c->normal[0]};
        const double *const direction[2] = {c->normal, t};
        for (int row = 0; row < 2; row++) {
            start[2 * i + row] = used;
            for (int side = c->lower < 0 ? 1 : 0; side < 2; side++) {
                const int first = COORDINATES * (side == 0 ? c->lower : c->upper);
                for (int k = 0; k < 2; k++) {
                    column[used] = first + k;
                    value[used++] = side == 0 ? -direction[row][k] : direction[row][k];
                }
                if (row == 1) {
                    column[used] = first + 2;
                    value[used++] = -p->radius;
                }
            }
        }
    }
    start[2 * carom_disc_pile_contact_count(p)] = used;
}

carom_status carom_disc_pile_problem(const carom_disc_pile_params *params,
                                     carom_contact_problem **out, carom_report *report) {
    CAROM_ASSERT(params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(check(params, report));
    const size_t n = (size_t)COORDINATES * (size_t)carom_disc_pile_disc_count(params);
    const size_t contacts = (size_t)carom_disc_pile_contact_count(params);
    const size_t entries = contacts * 2 * (NORMAL_ENTRIES + TANGENT_ENTRIES);
    CAROM_AUTO_MEMORY carom_disc_pile_contact *list = malloc(contacts * sizeof *list);
    CAROM_AUTO_MEMORY int *start = malloc((2 * contacts + 1 + entries) * sizeof *start);
    CAROM_AUTO_MEMORY double *mass = malloc((2 * n + contacts + entries) * sizeof *mass);
    if (list == NULL || start == NULL || mass == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    int *column = start + 2 * contacts + 1;
    double *velocity = mass + n;
    double *friction = velocity + n;
    double *value = friction + contacts;
    carom_disc_pile_contacts(params, list);
    fill_discs(params, mass, velocity);
    fill_rows(params, list, start, column, value);
    for (size_t i = 0; i < contacts; i++) {
        friction[i] = params->friction;
    }
    const carom_contact_bodies bodies = {.layout = carom_layout_banded((int)n, 0),
                                         .mass = mass,
                                         .contact_count = (int)contacts,
                                         .tangent_count = 1,
                                         .row_start = start,
                                         .row_column = column,
                                         .row_value = value,
                                         .free_velocity = velocity,
                                         .friction = friction};
    return carom_contact_problem_of_bodies(&bodies, out, report);
}

/* ---------------------------------------------------------------------------------- the mechanism
 */

/* One of the two Jacobians, constant. */
typedef struct sparse_rows {
    int count;
    int *start;    /* [count+1] */
    int *column;   /* [entries] */
    double *value; /* [entries] */
} sparse_rows;

typedef struct pile {
    carom_disc_pile_params params;
    sparse_rows normals;
    sparse_rows tangents;
    double *mass;        /* [n] */
    double *restitution; /* [contacts] */
    double *friction;    /* [contacts] */
} pile;

static void pile_mass(const double *q, double *M, void *context) {
    (void)q;
    const pile *self = context;
    memcpy(M, self->mass,
           (size_t)(COORDINATES * carom_disc_pile_disc_count(&self->params)) * sizeof *M);
}

static void pile_force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    (void)q;
    (void)v;
    const pile *self = context;
    for (int d = 0; d < carom_disc_pile_disc_count(&self->params); d++) {
        f[COORDINATES * d] = 0.0;
        f[COORDINATES * d + 1] = -self->mass[COORDINATES * d + 1] * self->params.gravity;
        f[COORDINATES * d + 2] = 0.0;
    }
}

static double pile_energy(const double *q, void *context) {
    const pile *self = context;
    double sum = 0.0;
    for (int d = 0; d < carom_disc_pile_disc_count(&self->params); d++) {
        sum += self->mass[COORDINATES * d + 1] * q[COORDINATES * d + 1];
    }
    return self->params.gravity * sum;
}

static void pile_gaps(const double *q, double *g, void *context) {
    const sparse_rows *rows = &((const pile *)context)->normals;
    for (int j = 0; j < rows->count; j++) {
        g[j] = 0.0;
        for (int k = rows->start[j]; k < rows->start[j + 1]; k++) {
            g[j] += rows->value[k] * q[rows->column[k]];
        }
    }
}

static void copy_rows(const sparse_rows *rows, double *A) {
    memcpy(A, rows->value, (size_t)rows->start[rows->count] * sizeof *A);
}

static void pile_normals(const double *q, double *G, void *context) {
    (void)q;
    copy_rows(&((const pile *)context)->normals, G);
}

static void pile_tangents(const double *q, double *H, void *context) {
    (void)q;
    copy_rows(&((const pile *)context)->tangents, H);
}

/* Every other row, from the first or the second on. */
static void take_rows(int first, const int *start, const int *column, const double *value,
                      sparse_rows *rows) {
    for (int j = 0; j < rows->count; j++) {
        const int begin = start[2 * j + first];
        const int count = start[2 * j + first + 1] - begin;
        memcpy(rows->column + rows->start[j], column + begin, (size_t)count * sizeof *column);
        memcpy(rows->value + rows->start[j], value + begin, (size_t)count * sizeof *value);
        rows->start[j + 1] = rows->start[j] + count;
    }
}

/* Lay the arrays out behind the struct: numbers, then indices. */
static void lay_out(pile *self, size_t n, size_t contacts) {
    sparse_rows *const rows[] = {&self->normals, &self->tangents};
    const size_t entries[] = {2 * NORMAL_ENTRIES * contacts, 2 * TANGENT_ENTRIES * contacts};
    self->mass = (double *)(self + 1);
    self->restitution = self->mass + n;
    self->friction = self->restitution + contacts;
    double *numbers = self->friction + contacts;
    int *indices = (int *)(void *)(numbers + entries[0] + entries[1]);
    for (int k = 0; k < 2; k++) {
        rows[k]->count = (int)contacts;
        rows[k]->value = numbers;
        numbers += entries[k];
        rows[k]->start = indices;
        rows[k]->column = indices + contacts + 1;
        indices = rows[k]->column + entries[k];
    }
}

carom_status carom_disc_pile_alloc(const carom_disc_pile_params *params, carom_model **out,
                                   carom_report *report) {
    CAROM_ASSERT(params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(check(params, report));
    CAROM_TRY(
        carom_model_require_within("friction", params->friction, 0.0, (double)INFINITY, report));
    const size_t n = (size_t)COORDINATES * (size_t)carom_disc_pile_disc_count(params);
    const size_t contacts = (size_t)carom_disc_pile_contact_count(params);
    const size_t entries = contacts * 2 * (NORMAL_ENTRIES + TANGENT_ENTRIES);
    CAROM_AUTO_MEMORY carom_disc_pile_contact *list = malloc(contacts * sizeof *list);
    CAROM_AUTO_MEMORY int *start = malloc((2 * contacts + 1 + entries) * sizeof *start);
    CAROM_AUTO_MEMORY double *value = malloc((entries + n) * sizeof *value);
    CAROM_AUTO(carom_model) model = NULL;
    if (list == NULL || start == NULL || value == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    int *column = start + 2 * contacts + 1;
    CAROM_TRY(carom_model_alloc((int)n,
                                sizeof(pile) + (n + 2 * contacts + entries) * sizeof(double) +
                                    (2 * (contacts + 1) + entries) * sizeof(int),
                                &model));
    pile *self = model->parameters;
    self->params = *params;
    lay_out(self, n, contacts);
    carom_disc_pile_contacts(params, list);
    fill_discs(params, self->mass, value + entries);
    fill_rows(params, list, start, column, value);
    take_rows(0, start, column, value, &self->normals);
    take_rows(1, start, column, value, &self->tangents);
    for (size_t j = 0; j < contacts; j++) {
        self->friction[j] = params->friction;
    }
    carom_mechanism *m = &model->mechanism;
    m->name = "disc_pile";
    m->contact_count = (int)contacts;
    m->tangent_count = 1;
    m->layout = carom_layout_banded((int)n, 0);
    m->is_linear = true;
    m->position_units = "m, m, rad";
    m->velocity_units = "m s-1, m s-1, rad s-1";
    m->restitution = self->restitution;
    m->friction = self->friction;
    m->constraint_pattern = (carom_mechanism_pattern){self->normals.start, self->normals.column};
    m->tangential_pattern = (carom_mechanism_pattern){self->tangents.start, self->tangents.column};
    m->mass = pile_mass;
    m->force = pile_force;
    m->potential_energy = pile_energy;
    m->constraints = pile_gaps;
    m->constraint_jacobian = pile_normals;
    m->tangential_jacobian = pile_tangents;
    CAROM_HAND_OVER(model, out);
    return CAROM_OK;
}
