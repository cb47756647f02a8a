#include <carom/contact/piecewise.h>

#include <carom/base/random.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef carom_contact_piecewise path;

enum {
    LEFT = CAROM_PIECEWISE_LEFT,
    RIGHT = CAROM_PIECEWISE_RIGHT,
    OPENING = CAROM_PIECEWISE_OPENING,
    SLIDING = CAROM_PIECEWISE_SLIDING,
    VARIABLES = CAROM_PIECEWISE_VARIABLES,
};

/* The pieces and their variables, on the rows of the normal and of the tangent. */
enum { OPEN, FORTH, BACK, STUCK };
static const int KINDS[][2] = {
    {OPENING, SLIDING}, {LEFT, SLIDING}, {RIGHT, SLIDING}, {LEFT, RIGHT}};

/* Of the largest number to begin with: how far from walls is begun near impulses, and how far
 * beyond one values may go, so that of walls reached at once the one that is crossed best is. */
static const double DISTANCE = 1e-8;
static const double BEYOND = 1e-15;
/* Of the largest rate of a direction: less is none, and after a pivot of less all is factored. */
static const double LEAST_RATE = 1e-9;
static const double LEAST_PIVOT = 1e-6;
/* Of the largest number to begin with, a t of less is none. */
static const double LEAST_END = 1e-13;

carom_status carom_contact_piecewise_alloc(carom_contact_piecewise **out) {
    *out = calloc(1, sizeof **out);
    return *out == NULL ? CAROM_STATUS_OUT_OF_MEMORY : CAROM_OK;
}

void carom_contact_piecewise_free(carom_contact_piecewise *work) {
    if (work != NULL) {
        carom_piecewise_basis_clear(&work->basis);
        free(work->doubles);
        free(work->piece);
        free(work);
    }
}

carom_status carom_piecewise_set(path *work, const carom_contact_problem *p) {
    CAROM_TRY(carom_piecewise_basis_set(&work->basis, p));
    const size_t rows = (size_t)p->row_count;
    const size_t contacts = (size_t)p->contact_count;
    const size_t doubles = 5 * rows + (size_t)work->basis.last + 1;
    if (doubles > work->double_capacity || contacts >= work->piece_capacity) {
        free(work->doubles);
        free(work->piece);
        work->doubles = malloc(doubles * sizeof *work->doubles);
        work->piece = malloc((contacts + 1) * sizeof *work->piece);
        const bool is_there = work->doubles != NULL && work->piece != NULL;
        work->double_capacity = is_there ? doubles : 0;
        work->piece_capacity = is_there ? contacts + 1 : 0;
        if (!is_there) {
            return CAROM_STATUS_OUT_OF_MEMORY;
        }
    }
    work->constant = work->doubles;
    work->impulse = work->constant + rows;
    work->velocity = work->impulse + rows;
    work->direction = work->velocity + rows;
    work->best = work->direction + rows;
    work->value = work->best + rows;
    work->pivots = 0;
    return CAROM_OK;
}

static bool has_edges(const carom_contact_problem *p, int contact) {
    return p->tangent_count > 0 && p->friction[contact] > 0.0;
}

/* x [rows] in units of the problem becomes one in those of energy: impulses times the units, or
 * velocities by them. */
static void scale_impulses(const path *work, double *x) {
    const carom_contact_problem *p = work->basis.problem;
    for (int i = 0; i < p->block_count; i++) {
        const int row = carom_contact_block_row(p, i);
        for (int a = row; a < row + carom_contact_block_size(p, i); a++) {
            x[a] *= work->basis.unit[i];
        }
    }
}

static void scale_velocities(const path *work, double *x) {
    const carom_contact_problem *p = work->basis.problem;
    for (int i = 0; i < p->block_count; i++) {
        const int row = carom_contact_block_row(p, i);
        for (int a = row; a < row + carom_contact_block_size(p, i); a++) {
            x[a] *= work->basis.unit_mass / work->basis.unit[i];
        }
    }
}

/* Impulses of the values, in units of energy. */
static void collect_impulses(const path *work, double *r) {
    const carom_contact_problem *p = work->basis.problem;
    for (int j = 0; j < p->joint_count; j++) {
        r[j] = work->value[VARIABLES * p->contact_count + j];
    }
    for (int i = 0; i < p->contact_count; i++) {
        const int piece = work->piece[i];
        const double *own = work->value + VARIABLES * i;
        const double a = piece == FORTH || piece == STUCK ? fmax(own[LEFT], 0.0) : 0.0;
        const double b = piece == BACK || piece == STUCK ? fmax(own[RIGHT], 0.0) : 0.0;
        const int row = carom_contact_block_row(p, p->joint_count + i);
        r[row] = a + b;
        if (p->tangent_count > 0) {
            r[row + 1] = p->friction[i] * (b - a);
        }
    }
}

void carom_piecewise_impulses(const path *work, double *r) {
    const carom_contact_problem *p = work->basis.problem;
    collect_impulses(work, r);
    for (int i = 0; i < p->block_count; i++) {
        const int row = carom_contact_block_row(p, i);
        for (int a = row; a < row + carom_contact_block_size(p, i); a++) {
            r[a] /= work->basis.unit[i];
        }
    }
}

/* A contact of the impulse and the velocity, off its walls by d. */
static void begin_contact(path *work, int contact, carom_piecewise_start start, const double *d) {
    const carom_contact_problem *p = work->basis.problem;
    const int row = carom_contact_block_row(p, p->joint_count + contact);
    const double *r = work->impulse + row;
    const double *u = work->velocity + row;
    const bool is_rough = has_edges(p, contact);
    const double mu = is_rough ? p->friction[contact] : 0.0;
    const double normal = r[0] - u[0];
    const double slip = is_rough ? r[1] - u[1] : 0.0;
    double *own = work->value + VARIABLES * contact;
    int *piece = work->piece + contact;
    own[SLIDING] = p->tangent_count > 0 ? u[1] + d[1] : 0.0;
    if (start == CAROM_PIECEWISE_FROM_OPEN || !(normal > 0.0)) {
        *piece = OPEN;
        own[OPENING] = fmax(start == CAROM_PIECEWISE_FROM_OPEN ? u[0] : -normal, 0.0) + d[0];
    } else if (!is_rough) {
        *piece = FORTH;
        own[LEFT] = normal + d[0];
    } else if (fabs(slip) <= mu * normal) {
        *piece = STUCK;
        own[LEFT] = 0.5 * (normal - slip / mu) + d[0];
        own[RIGHT] = 0.5 * (normal + slip / mu) + d[1];
    } else if (start == CAROM_PIECEWISE_FROM_STUCK) {
        *piece = STUCK;
        own[slip > 0.0 ? RIGHT : LEFT] = normal + d[0];
        own[slip > 0.0 ? LEFT : RIGHT] = d[1];
    } else {
        *piece = slip > 0.0 ? BACK : FORTH;
        own[slip > 0.0 ? RIGHT : LEFT] = normal + d[0];
        own[SLIDING] = slip > 0.0 ? mu * normal - slip - d[1] : -mu * normal - slip + d[1];
    }
}

void carom_piecewise_begin(path *work, carom_piecewise_start start, int draw, const double *r) {
    const carom_contact_problem *p = work->basis.problem;
    const bool is_open = start == CAROM_PIECEWISE_FROM_OPEN;
    memset(work->value, 0, ((size_t)work->basis.last + 1) * sizeof *work->value);
    memcpy(work->impulse, r, (size_t)p->row_count * sizeof *r);
    carom_contact_problem_velocity(p, r, work->velocity);
    memcpy(work->constant, p->free_velocity, (size_t)p->row_count * sizeof *r);
    scale_impulses(work, work->impulse);
    scale_velocities(work, work->velocity);
    scale_velocities(work, work->constant);
    work->scale = 0.0;
    for (int a = 0; a < p->row_count; a++) {
        work->scale = fmax(work->scale, fmax(fabs(work->impulse[a]), fabs(work->constant[a])));
    }
    for (int j = 0; j < p->joint_count; j++) {
        work->value[VARIABLES * p->contact_count + j] = work->impulse[j];
    }
    for (int i = 0; i < p->contact_count; i++) {
        double d[2];
        for (int a = 0; a < 2; a++) {
            const double part = 0.5 + carom_counter_uniform((unsigned long)draw, (unsigned long)i,
                                                            (unsigned long)a);
            d[a] = work->scale * part * (is_open && a == 0 ? 1.0 : DISTANCE);
        }
        begin_contact(work, i, start, d);
    }
}

/* Factors of the pieces; where a variable is to come, t is in its place. */
static carom_status factor(path *work, int coming) {
    const carom_contact_problem *p = work->basis.problem;
    int *member = work->basis.member;
    for (int j = 0; j < p->joint_count; j++) {
        member[j] = VARIABLES * p->contact_count + j;
    }
    const int tangents = p->tangent_count > 0 ? 1 : 0;
    for (int i = 0; i < p->contact_count; i++) {
        const int row = carom_contact_block_row(p, p->joint_count + i);
        for (int a = 0; a <= tangents; a++) {
            const int variable = VARIABLES * i + KINDS[work->piece[i]][a];
            member[row + a] = variable == coming ? work->basis.last : variable;
        }
    }
    return carom_piecewise_basis_factor(&work->basis);
}

/* The values of the members. */
static void find_values(path *work) {
    const int rows = work->basis.problem->row_count;
    for (int a = 0; a < rows; a++) {
        work->direction[a] = -work->constant[a];
    }
    carom_piecewise_basis_solve(&work->basis, work->direction);
    for (int a = 0; a < rows; a++) {
        work->value[work->basis.member[a]] = work->direction[a];
    }
}

carom_status carom_piecewise_aim(path *work) {
    const carom_contact_problem *p = work->basis.problem;
    double *v = work->basis.path;
    memcpy(work->constant, p->free_velocity, (size_t)p->row_count * sizeof *v);
    scale_velocities(work, work->constant);
    carom_piecewise_impulses(work, work->impulse);
    carom_contact_problem_velocity(p, work->impulse, v);
    scale_velocities(work, v);
    collect_impulses(work, work->impulse);
    for (int a = 0; a < p->row_count; a++) {
        work->constant[a] -= work->basis.compliance * work->impulse[a];
    }
    const int tangents = p->tangent_count > 0 ? 1 : 0;
    for (int i = 0; i < p->contact_count; i++) {
        const int row = carom_contact_block_row(p, p->joint_count + i);
        for (int a = 0; a <= tangents; a++) {
            const int kind = KINDS[work->piece[i]][a];
            v[row + a] -= kind >= OPENING ? work->value[VARIABLES * i + kind] : 0.0;
        }
    }
    // t is a number like the others, and so is its column.
    double *t = work->value + work->basis.last;
    *t = 0.0;
    for (int a = 0; a < p->row_count; a++) {
        *t = fmax(*t, fabs(v[a]));
    }
    for (int a = 0; a<p->row_count && * t> 0.0; a++) {
        v[a] /= *t;
    }
    return factor(work, -1);
}

/* 1: of at least zero, -1: of at most zero, 0: free. */
static int sense_of(const path *work, int variable) {
    const int contacts = work->basis.problem->contact_count;
    const int contact = variable / VARIABLES;
    if (variable == work->basis.last) {
        return 1;
    }
    if (variable >= VARIABLES * contacts) {
        return 0;
    }
    if (variable % VARIABLES != SLIDING) {
        return 1;
    }
    const int piece = work->piece[contact];
    return piece == OPEN || !has_edges(work->basis.problem, contact) ? 0 : piece == FORTH ? 1 : -1;
}

/* Over the wall where a variable is zero. @return the variable that comes */
static int cross(path *work, int variable) {
    const int contact = variable / VARIABLES;
    const int first = VARIABLES * contact;
    int *piece = work->piece + contact;
    switch (variable % VARIABLES) {
    case OPENING:
        *piece = has_edges(work->basis.problem, contact) && work->value[first + SLIDING] < 0.0
                     ? BACK
                     : FORTH;
        return first + (*piece == BACK ? RIGHT : LEFT);
    case SLIDING: {
        const int coming = *piece == FORTH ? RIGHT : LEFT;
        *piece = STUCK;
        return first + coming;
    }
    default: {
        const bool is_left = variable % VARIABLES == LEFT;
        const bool was_stuck = *piece == STUCK;
        *piece = !was_stuck ? OPEN : is_left ? BACK : FORTH;
        return first + (was_stuck ? SLIDING : OPENING);
    }
    }
}

/*
 * The wall that is reached first by values less `length` times sense times direction: of those that
 * values may reach a little beyond the first, the one that is reached fastest (Harris 1973), t
 * before all. @return its place, -1 without one
 */
static int find_wall(const path *work, int sense, double largest, double *length) {
    const int rows = work->basis.problem->row_count;
    const double beyond = BEYOND * work->scale;
    double most = *length;
    int wall = -1;
    double fastest = LEAST_RATE * largest;
    for (int pass = 0; pass < 2; pass++) {
        for (int a = 0; a < rows; a++) {
            const int variable = work->basis.member[a];
            const int own = sense_of(work, variable);
            const double rate = sense * own * work->direction[a];
            if (!(rate > LEAST_RATE * largest)) {
                continue;
            }
            const bool is_end = variable == work->basis.last;
            const double value = own * work->value[variable];
            if (pass == 0) {
                most = fmax(fmin(most, (value + (is_end ? 0.0 : beyond)) / rate), 0.0);
            } else if (value / rate <= most && (is_end || rate > fastest)) {
                wall = a;
                fastest = is_end ? (double)INFINITY : rate;
                *length = fmax(value / rate, 0.0);
            }
        }
    }
    return wall;
}

/* The values move with the one that comes, or that t falls by, up to the wall. */
static void move(path *work, int coming, int sense, double length) {
    for (int a = 0; a < work->basis.problem->row_count; a++) {
        work->value[work->basis.member[a]] -= length * sense * work->direction[a];
    }
    work->value[coming] += length * sense;
}

static double largest_rate(const path *work) {
    double largest = 0.0;
    for (int a = 0; a < work->basis.problem->row_count; a++) {
        largest = fmax(largest, fabs(work->direction[a]));
    }
    return largest;
}

carom_status carom_piecewise_follow(path *work, int most) {
    carom_piecewise_basis *basis = &work->basis;
    int coming = basis->last;
    int sense = -1;
    for (int count = 0; count < most; count++) {
        carom_piecewise_basis_direction(basis, coming, work->direction);
        const double largest = largest_rate(work);
        double length = coming == basis->last ? work->value[coming] : (double)INFINITY;
        const int wall = find_wall(work, sense, largest, &length);
        if (!isfinite(length)) {
            // Where impulses that hold each other have no end, t has none but for rounding.
            const bool is_end = work->value[basis->last] <= LEAST_END * work->scale;
            return is_end ? CAROM_OK : isfinite(largest) ? CAROM_STATUS_RAY : CAROM_STATUS_SINGULAR;
        }
        move(work, coming, sense, length);
        work->pivots++;
        const int gone = wall < 0 ? basis->last : basis->member[wall];
        if (wall >= 0) {
            carom_piecewise_basis_exchange(basis, wall, coming, work->direction);
        }
        if (gone == basis->last) {
            find_values(work);
            return CAROM_OK;
        }
        work->value[gone] = 0.0;
        const double pivot = fabs(work->direction[wall]);
        coming = cross(work, gone);
        work->value[coming] = 0.0;
        const int next_sense = sense_of(work, coming);
        sense = next_sense == 0 ? 1 : next_sense;
        if (basis->exchange_count == CAROM_PIECEWISE_MOST_EXCHANGES ||
            pivot < LEAST_PIVOT * largest) {
            CAROM_TRY(factor(work, coming));
            find_values(work);
        }
    }
    return CAROM_STATUS_NOT_CONVERGED;
}
