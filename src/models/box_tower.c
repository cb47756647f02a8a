#include <carom/models/box_tower.h>

#include <math.h>
#include <string.h>

/* Coordinates of a box, and of the two of a contact. */
enum { BOX = 3, PAIR = 6, BAND = PAIR - 1, MOST_BOXES = 10000000 };

typedef struct tower {
    carom_box_tower_params params;
    double *restitution; /* [2N] */
    double *friction;    /* [2N] */
    int *start;          /* [2N+1] of normals and of tangents */
    int *column;         /* [12N - 6] */
} tower;

carom_box_tower_params carom_box_tower_params_default(void) {
    return (carom_box_tower_params){
        .boxes = 10, .mass = 1.0, .width = 1.0, .height = 0.5, .gravity = 9.81, .friction = 0.5};
}

static void mass(const double *q, double *M, void *context) {
    (void)q;
    const tower *self = context;
    const carom_box_tower_params *p = &self->params;
    const carom_layout layout = carom_layout_banded(BOX * p->boxes, BAND);
    const double inertia = p->mass * (p->width * p->width + p->height * p->height) / 12.0;
    double *diagonal = M + BAND;
    memset(M, 0, carom_layout_entry_count(layout) * sizeof *M);
    for (int i = 0; i < layout.size; i++, diagonal += 2 * BAND + 1) {
        *diagonal = i % BOX == 2 ? inertia : p->mass;
    }
}

static void force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    (void)q;
    (void)v;
    const carom_box_tower_params *p = &((const tower *)context)->params;
    const double along = p->mass * p->gravity * sin(p->slope);
    const double down = p->mass * p->gravity * cos(p->slope);
    for (int k = 0; k < p->boxes; k++) {
        f[BOX * k] = along;
        f[BOX * k + 1] = -down;
        f[BOX * k + 2] = 0.0;
    }
}

static double potential_energy(const double *q, void *context) {
    const carom_box_tower_params *p = &((const tower *)context)->params;
    double sum = 0.0;
    for (int k = 0; k < p->boxes; k++) {
        sum += q[BOX * k + 1] * cos(p->slope) - q[BOX * k] * sin(p->slope);
    }
    return p->mass * p->gravity * sum;
}

/* A corner of box `upper` above what is below: the top of the box before, or the ground. */
typedef struct corner {
    bool has_lower;
    double t[2]; /* along that top */
    double n[2]; /* from it */
    double r[2]; /* from the centre of the upper box to the corner */
    double s[2]; /* r turned by a right angle: its derivative with respect to the turn */
    double d[2]; /* from the centre of the lower box to the corner */
    double gap;
} corner;

static double dot(const double a[2], const double b[2]) {
    return a[0] * b[0] + a[1] * b[1];
}

/* The directions of what is below a box and of the box itself, followed upwards. */
typedef struct turns {
    double below[2];
    double own[2];
} turns;

static const turns GROUND = {.own = {1.0, 0.0}};

/* The corners one after the other, from the ground on. */
static corner corner_of(const tower *self, int contact, const double *q, turns *at) {
    const carom_box_tower_params *p = &self->params;
    const int k = contact / 2;
    const double *upper = q + BOX * k;
    const double *lower = k > 0 ? upper - BOX : NULL;
    const double x = contact % 2 == 0 ? -0.5 * p->width : 0.5 * p->width;
    const double y = -0.5 * p->height;
    if (contact % 2 == 0) {
        memcpy(at->below, at->own, sizeof at->below);
        at->own[0] = cos(upper[2]);
        at->own[1] = sin(upper[2]);
    }
    corner c = {.has_lower = k > 0, .t = {at->below[0], at->below[1]}};
    c.n[0] = -c.t[1];
    c.n[1] = c.t[0];
    c.r[0] = x * at->own[0] - y * at->own[1];
    c.r[1] = x * at->own[1] + y * at->own[0];
    c.s[0] = -c.r[1];
    c.s[1] = c.r[0];
    c.d[0] = upper[0] + c.r[0] - (k > 0 ? lower[0] : 0.0);
    c.d[1] = upper[1] + c.r[1] - (k > 0 ? lower[1] : 0.0);
    c.gap = dot(c.n, c.d) - (k > 0 ? 0.5 * p->height : 0.0);
    return c;
}

/** g = n . d - h/2. */
static void constraints(const double *q, double *g, void *context) {
    const tower *self = context;
    turns at = GROUND;
    for (int j = 0; j < 2 * self->params.boxes; j++) {
        g[j] = corner_of(self, j, q, &at).gap;
    }
}

/* Store a row of the lower and the upper box, the lower one only if there is one. */
static void store(const tower *self, int contact, const double row[PAIR], double *rows) {
    const int count = self->start[contact + 1] - self->start[contact];
    memcpy(rows + self->start[contact], row + (PAIR - count), (size_t)count * sizeof *rows);
}

/** (-n, -t.d; n, n.s). */
static void constraint_jacobian(const double *q, double *G, void *context) {
    const tower *self = context;
    turns at = GROUND;
    for (int j = 0; j < 2 * self->params.boxes; j++) {
        const corner c = corner_of(self, j, q, &at);
        const double row[PAIR] = {-c.n[0], -c.n[1], -dot(c.t, c.d), c.n[0], c.n[1], dot(c.n, c.s)};
        store(self, j, row, G);
    }
}

/** (-t, n.d; t, t.s): the points of both boxes that touch. */
static void tangential_jacobian(const double *q, double *H, void *context) {
    const tower *self = context;
    turns at = GROUND;
    for (int j = 0; j < 2 * self->params.boxes; j++) {
        const corner c = corner_of(self, j, q, &at);
        const double row[PAIR] = {-c.t[0], -c.t[1], dot(c.n, c.d), c.t[0], c.t[1], dot(c.t, c.s)};
        store(self, j, row, H);
    }
}

/* Velocity of the upper centre relative to the lower one, and both turns. */
static void relative_velocity(const corner *c, int contact, const double *v, double w[2],
                              double *lower_turn, double *upper_turn) {
    const double *upper = v + BOX * (contact / 2);
    w[0] = upper[0] - (c->has_lower ? upper[-BOX] : 0.0);
    w[1] = upper[1] - (c->has_lower ? upper[1 - BOX] : 0.0);
    *lower_turn = c->has_lower ? upper[2 - BOX] : 0.0;
    *upper_turn = upper[2];
}

/** Of n.w - a t.d + b n.s, a and b the turns: n' = -t, t' = n, d' = s, s' = -r. */
static void constraint_rate_derivative(const double *q, const double *v, double *D, void *context) {
    const tower *self = context;
    turns at = GROUND;
    for (int j = 0; j < 2 * self->params.boxes; j++) {
        const corner c = corner_of(self, j, q, &at);
        double w[2];
        double a;
        double b;
        relative_velocity(&c, j, v, w, &a, &b);
        const double row[PAIR] = {
            a * c.t[0],  a * c.t[1],  -dot(c.t, w) - a * dot(c.n, c.d) - b * dot(c.t, c.s),
            -a * c.t[0], -a * c.t[1], -a * dot(c.t, c.s) - b * dot(c.n, c.r)};
        store(self, j, row, D);
    }
}

/** Of t.w + a n.d + b t.s. */
static void tangential_rate_derivative(const double *q, const double *v, double *D, void *context) {
    const tower *self = context;
    turns at = GROUND;
    for (int j = 0; j < 2 * self->params.boxes; j++) {
        const corner c = corner_of(self, j, q, &at);
        double w[2];
        double a;
        double b;
        relative_velocity(&c, j, v, w, &a, &b);
        const double row[PAIR] = {
            -a * c.n[0], -a * c.n[1], dot(c.n, w) - a * dot(c.t, c.d) + b * dot(c.n, c.s),
            a * c.n[0],  a * c.n[1],  a * dot(c.n, c.s) - b * dot(c.t, c.r)};
        store(self, j, row, D);
    }
}

/** lambda times the second derivatives of g. */
static void constraint_force_derivative(const double *q, const double *lambda, double *D,
                                        void *context) {
    const tower *self = context;
    const carom_layout layout = carom_layout_banded(BOX * self->params.boxes, BAND);
    turns at = GROUND;
    memset(D, 0, carom_layout_entry_count(layout) * sizeof *D);
    for (int j = 0; j < 2 * self->params.boxes; j++) {
        const corner c = corner_of(self, j, q, &at);
        const int upper = BOX * (j / 2);
        const int turn = upper - 1; /* of the lower box */
        D[carom_layout_index(layout, upper + 2, upper + 2)] -= lambda[j] * dot(c.n, c.r);
        if (!c.has_lower) {
            continue;
        }
        D[carom_layout_index(layout, turn, turn)] -= lambda[j] * dot(c.n, c.d);
        const double of_turn[] = {c.t[0], c.t[1], -c.t[0], -c.t[1], -dot(c.t, c.s)};
        const int with[] = {upper - BOX, upper - BOX + 1, upper, upper + 1, upper + 2};
        for (int i = 0; i < 5; i++) {
            D[carom_layout_index(layout, turn, with[i])] += lambda[j] * of_turn[i];
            D[carom_layout_index(layout, with[i], turn)] += lambda[j] * of_turn[i];
        }
    }
}

static carom_status refuse(const carom_box_tower_params *p, carom_report *report) {
    if (p->boxes < 1 || p->boxes > MOST_BOXES) {
        return carom_report_refuse(report, "boxes", p->boxes, -1, "in [1,1e7]");
    }
    const double steepest = nextafter(acos(0.0), 0.0);
    CAROM_TRY(carom_model_require_positive("mass", p->mass, report));
    CAROM_TRY(carom_model_require_positive("width", p->width, report));
    CAROM_TRY(carom_model_require_positive("height", p->height, report));
    CAROM_TRY(carom_model_require_within("gravity", p->gravity, 0.0, (double)INFINITY, report));
    CAROM_TRY(carom_model_require_within("slope", p->slope, -steepest, steepest, report));
    CAROM_TRY(carom_model_require_within("friction", p->friction, 0.0, (double)INFINITY, report));
    return carom_model_require_within("restitution", p->restitution, 0.0, 1.0, report);
}

/* Coefficients, the pattern of a row of 3 or 6 entries, and the state. */
static void fill(tower *self, double *position) {
    const carom_box_tower_params *p = &self->params;
    for (int j = 0; j < 2 * p->boxes; j++) {
        const int first = j < 2 ? 0 : BOX * (j / 2 - 1);
        const int count = j < 2 ? BOX : PAIR;
        self->restitution[j] = p->restitution;
        self->friction[j] = p->friction;
        self->start[j + 1] = self->start[j] + count;
        for (int i = 0; i < count; i++) {
            self->column[self->start[j] + i] = first + i;
        }
    }
    for (int k = 0; k < p->boxes; k++) {
        position[BOX * k + 1] = (k + 0.5) * p->height;
    }
}

carom_status carom_box_tower_alloc(const carom_box_tower_params *params, carom_model **out,
                                   carom_report *report) {
    CAROM_ASSERT(params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(refuse(params, report));
    const size_t contacts = 2 * (size_t)params->boxes;
    const size_t entries = PAIR * contacts;
    carom_model *model = NULL;
    CAROM_TRY(carom_model_alloc(BOX * params->boxes,
                                sizeof(tower) + 2 * contacts * sizeof(double) +
                                    (contacts + 1 + entries) * sizeof(int),
                                &model));
    tower *self = model->parameters;
    self->params = *params;
    self->restitution = (double *)(self + 1);
    self->friction = self->restitution + contacts;
    self->start = (int *)(void *)(self->friction + contacts);
    self->column = self->start + contacts + 1;
    fill(self, model->initial_position);
    carom_mechanism *m = &model->mechanism;
    m->name = "box_tower";
    m->contact_count = (int)contacts;
    m->tangent_count = 1;
    m->layout = carom_layout_banded(BOX * params->boxes, BAND);
    m->position_units = "m, m, rad";
    m->velocity_units = "m s-1, m s-1, rad s-1";
    m->restitution = self->restitution;
    m->friction = self->friction;
    m->constraint_pattern = (carom_mechanism_pattern){self->start, self->column};
    m->tangential_pattern = m->constraint_pattern;
    m->mass = mass;
    m->force = force;
    m->potential_energy = potential_energy;
    m->constraints = constraints;
    m->constraint_jacobian = constraint_jacobian;
    m->constraint_force_derivative = constraint_force_derivative;
    m->constraint_rate_derivative = constraint_rate_derivative;
    m->tangential_jacobian = tangential_jacobian;
    m->tangential_rate_derivative = tangential_rate_derivative;
    *out = model;
    return CAROM_OK;
}
