#include <carom/contact/internal.h>

#include <carom/base/linear_algebra.h>
#include <carom/lcp/active_set.h>
#include <carom/lcp/lcp.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Without friction z = r_n. In the plane, with r_t = z_+ - z_- and gamma the sliding speed,
 *
 *     0 <= z_n _|_ u_n,   0 <= z_+- _|_ +-u_t + gamma,   0 <= gamma _|_ mu z_n - z_+ - z_- ,
 *
 * four unknowns a contact. Joints are eliminated.
 */
enum { NORMAL, FORTH, BACK, SPEED, UNKNOWNS };

/* Their full matrix then takes 0.5 GB. */
enum { MOST_UNKNOWNS = 8192 };

/* Of the terms of a row: what Lemke's method and the bases leave of it at worst. */
static const double BASES_TOLERANCE = 1e-10;

struct carom_contact_pivoting {
    const carom_contact_problem *problem;
    int unknowns;          /* of a contact: 1 or 4 */
    int size;              /* n_c times that */
    int contact_rows;      /* rows of contacts */
    double *joint_part;    /* [rows of contacts + 1][n_b]: impulses of joints by one of contacts */
    double *matrix;        /* [size][size] */
    double *constant;      /* [size] */
    double *z;             /* [size] */
    double *delassus;      /* [rows][rows]; `matrix` itself where that is W */
    double *free_velocity; /* [rows] q */
    double *memory;        /* owns the arrays above */
    size_t capacity;
    carom_lcp_workspace *lemke;
    int lemke_capacity;
};

typedef carom_contact_pivoting pivoting;

carom_status carom_contact_pivoting_alloc(carom_contact_pivoting **out) {
    *out = calloc(1, sizeof **out);
    return *out == NULL ? CAROM_STATUS_OUT_OF_MEMORY : CAROM_OK;
}

static void pivoting_clear(pivoting *work) {
    free(work->memory);
    carom_lcp_workspace_free(work->lemke);
}

void carom_contact_pivoting_free(carom_contact_pivoting *work) {
    if (work != NULL) {
        pivoting_clear(work);
        free(work);
    }
}

/* Beside the inverse masses, 0.1 of a velocity at 1e9 times the impulses that stop it. */
static const double INDEFINITENESS = 1e-10;

/* W as a full matrix. */
static void fill_delassus(const carom_contact_problem *p, double *W) {
    memset(W, 0, (size_t)p->row_count * (size_t)p->row_count * sizeof *W);
    for (int i = 0; i < p->block_count; i++) {
        for (int k = p->start[i]; k < p->start[i + 1]; k++) {
            const int columns = carom_contact_block_size(p, p->column[k]);
            for (int a = 0; a < carom_contact_block_size(p, i); a++) {
                for (int c = 0; c < columns; c++) {
                    W[(carom_contact_block_row(p, i) + a) * p->row_count +
                      carom_contact_block_row(p, p->column[k]) + c] =
                        p->entries[p->offset[k] + (size_t)(a * columns + c)];
                }
            }
        }
    }
}

/* Cholesky's method on W beside the inverse masses, shifted. */
bool carom_contact_is_semidefinite(const carom_contact_problem *p) {
    const size_t rows = (size_t)p->row_count;
    CAROM_AUTO_MEMORY double *W = malloc((rows * rows + rows + 1) * sizeof *W);
    if (W == NULL || rows == 0 || !carom_contact_is_symmetric(p)) {
        return false;
    }
    double *scale = W + rows * rows;
    for (int i = 0; i < p->block_count; i++) {
        const int row = carom_contact_block_row(p, i);
        if (!(p->inverse_mass[i] > 0.0)) {
            return false;
        }
        for (int a = 0; a < carom_contact_block_size(p, i); a++) {
            scale[row + a] = 1.0 / sqrt(p->inverse_mass[i]);
        }
    }
    fill_delassus(p, W);
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j <= i; j++) {
            W[i * rows + j] = W[i * rows + j] * scale[i] * scale[j];
        }
        W[i * rows + i] += INDEFINITENESS;
    }
    return carom_cholesky_compute(p->row_count, W) == CAROM_OK;
}

/* r_b = -W_bb^-1 (q_b + W_bc r_c), column by column; then W and q of the contacts alone. */
static carom_status eliminate_joints(pivoting *work) {
    const carom_contact_problem *p = work->problem;
    const int nb = p->joint_count;
    const int rows = p->row_count;
    double *W = work->delassus;
    double *q = work->free_velocity;
    if (nb == 0) {
        return CAROM_OK;
    }
    CAROM_AUTO(carom_factor) factor = NULL;
    CAROM_AUTO_MEMORY double *A = malloc((size_t)nb * (size_t)nb * sizeof *A);
    if (A == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < nb; i++) {
        memcpy(A + (size_t)i * (size_t)nb, W + i * rows, (size_t)nb * sizeof *A);
    }
    CAROM_TRY(carom_factor_alloc(carom_layout_full(nb), &factor));
    CAROM_TRY(carom_factor_compute(factor, A));
    for (int j = nb; j <= rows; j++) {
        double *x = work->joint_part + (j - nb) * nb;
        for (int i = 0; i < nb; i++) {
            x[i] = j < rows ? -W[i * rows + j] : -q[i];
        }
        carom_factor_solve(factor, x);
    }
    for (int i = nb; i < rows; i++) {
        for (int j = nb; j <= rows; j++) {
            const double *x = work->joint_part + (j - nb) * nb;
            double *entry = j < rows ? W + i * rows + j : q + i;
            double terms = fabs(*entry);
            for (int b = 0; b < nb; b++) {
                *entry += W[i * rows + b] * x[b];
                terms += fabs(W[i * rows + b] * x[b]);
            }
            // What joints hold already is not to be decided by rounding.
            *entry = fabs(*entry) > 16.0 * nb * DBL_EPSILON * terms ? *entry : 0.0;
        }
    }
    return CAROM_OK;
}

/* Contact-space row and sign of an unknown. */
static int row_of(const pivoting *work, int contact, int unknown) {
    return work->problem->joint_count + contact * (1 + work->problem->tangent_count) +
           (unknown == NORMAL ? 0 : 1);
}

static double sign_of(int unknown) {
    return unknown == BACK ? -1.0 : 1.0;
}

static void fill_complementarity(pivoting *work) {
    const carom_contact_problem *p = work->problem;
    const int forces = work->unknowns == 1 ? 1 : SPEED;
    const double *q = work->free_velocity;
    if (work->matrix == work->delassus) {
        memcpy(work->constant, q, (size_t)work->size * sizeof *q);
        return;
    }
    memset(work->matrix, 0, (size_t)work->size * (size_t)work->size * sizeof *work->matrix);
    for (int i = 0; i < p->contact_count; i++) {
        for (int a = 0; a < forces; a++) {
            const int row = i * work->unknowns + a;
            const int u = row_of(work, i, a);
            double *to = work->matrix + row * work->size;
            work->constant[row] = sign_of(a) * q[u];
            for (int j = 0; j < p->contact_count; j++) {
                for (int b = 0; b < forces; b++) {
                    to[j * work->unknowns + b] =
                        sign_of(a) * sign_of(b) *
                        work->delassus[u * p->row_count + row_of(work, j, b)];
                }
            }
            if (a != NORMAL) {
                to[i * work->unknowns + SPEED] = 1.0;
            }
        }
        if (work->unknowns == UNKNOWNS) {
            double *to = work->matrix + (i * UNKNOWNS + SPEED) * work->size + i * UNKNOWNS;
            work->constant[i * UNKNOWNS + SPEED] = 0.0;
            to[NORMAL] = p->friction[i];
            to[FORTH] = -1.0;
            to[BACK] = -1.0;
        }
    }
}

static void impulses_of(const pivoting *work, const double *z, double *r) {
    const carom_contact_problem *p = work->problem;
    const int nb = p->joint_count;
    for (int i = 0; i < p->contact_count; i++) {
        const double *own = z + i * work->unknowns;
        double *to = r + carom_contact_block_row(p, nb + i);
        to[0] = own[NORMAL];
        for (int a = 1; a <= p->tangent_count; a++) {
            to[a] = work->unknowns == UNKNOWNS ? own[FORTH] - own[BACK] : 0.0;
        }
    }
    for (int b = 0; b < nb; b++) {
        r[b] = work->joint_part[(p->row_count - nb) * nb + b];
        for (int j = nb; j < p->row_count; j++) {
            r[b] += work->joint_part[(j - nb) * nb + b] * r[j];
        }
    }
}

/* Room for the arrays of the sizes that are set. */
static carom_status grow(pivoting *work) {
    const carom_contact_problem *p = work->problem;
    const bool is_plain = p->joint_count == 0 && p->tangent_count == 0;
    const size_t size = (size_t)work->size;
    const size_t rows = (size_t)p->row_count;
    const size_t joints = (size_t)(work->contact_rows + 1) * (size_t)p->joint_count;
    const size_t full = is_plain ? 0 : rows * rows;
    const size_t doubles = size * size + 2 * size + full + rows + joints + 1;
    if (doubles > work->capacity) {
        free(work->memory);
        work->memory = malloc(doubles * sizeof *work->memory);
        work->capacity = work->memory == NULL ? 0 : doubles;
    }
    if (work->memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    work->matrix = work->memory;
    work->constant = work->matrix + size * size;
    work->z = work->constant + size;
    work->free_velocity = work->z + size;
    work->joint_part = work->free_velocity + rows;
    work->delassus = is_plain ? work->matrix : work->joint_part + joints;
    return CAROM_OK;
}

static carom_status prepare(pivoting *work, const carom_contact_problem *p, bool has_friction,
                            carom_report *report) {
    double friction = 0.0;
    for (int i = 0; i < p->contact_count && has_friction; i++) {
        friction = fmax(friction, p->friction[i]);
    }
    if (friction > 0.0 && p->tangent_count == 2) {
        return carom_report_say(report, CAROM_STATUS_UNSUPPORTED,
                                "pivoting computes contacts without friction or in the plane; "
                                "these are in space with friction %g",
                                friction);
    }
    const int unknowns = friction > 0.0 ? UNKNOWNS : 1;
    if (p->contact_count > MOST_UNKNOWNS / unknowns || p->row_count > MOST_UNKNOWNS) {
        return carom_report_say(report, CAROM_STATUS_UNSUPPORTED,
                                "pivoting computes at most %d unknowns, of a contact with friction "
                                "%d; these are %d contacts",
                                MOST_UNKNOWNS, UNKNOWNS, p->contact_count);
    }
    work->problem = p;
    work->unknowns = unknowns;
    work->size = p->contact_count * work->unknowns;
    work->contact_rows = p->row_count - p->joint_count;
    CAROM_TRY(grow(work));
    memcpy(work->free_velocity, p->free_velocity, (size_t)p->row_count * sizeof(double));
    fill_delassus(p, work->delassus);
    CAROM_TRY(eliminate_joints(work));
    fill_complementarity(work);
    return CAROM_OK;
}

carom_status carom_contact_pivot(carom_contact_pivoting *work, const carom_contact_problem *problem,
                                 bool has_friction, double *r, int *pivots, carom_report *report) {
    carom_lcp_report spent = {0};
    CAROM_TRY(prepare(work, problem, has_friction, report));
    if (work->lemke == NULL || work->size > work->lemke_capacity) {
        carom_lcp_workspace_free(work->lemke);
        work->lemke = NULL;
        CAROM_TRY(carom_lcp_workspace_alloc(work->size, &work->lemke));
        work->lemke_capacity = work->size;
    }
    const carom_status status = carom_lcp_solve_lemke(work->size, work->matrix, work->constant,
                                                      work->z, work->lemke, &spent);
    *pivots += spent.pivots;
    if (status == CAROM_OK) {
        impulses_of(work, work->z, r);
    }
    return status;
}

/* Solutions found so far, so that each is told once. */
typedef struct collection {
    const pivoting *work;
    carom_contact_found found;
    void *context;
    double *known; /* [count][rows], grown */
    double *r;     /* [rows] */
    double *u;     /* [rows] */
    int count;
    int capacity;
    carom_status status;
} collection;

static void collection_clear(collection *c) {
    free(c->known);
    free(c->r);
}

/* Two answers are one if they differ by rounding of what acts in the block. */
static bool is_known(const collection *c) {
    const carom_contact_problem *p = c->work->problem;
    for (int k = 0; k < c->count; k++) {
        const double *other = c->known + (size_t)k * (size_t)p->row_count;
        bool is_same = true;
        for (int i = 0; i < p->block_count && is_same; i++) {
            const int row = carom_contact_block_row(p, i);
            const double scale = carom_contact_impulse_scale(p, i, c->r);
            for (int a = row; a < row + carom_contact_block_size(p, i); a++) {
                is_same = is_same && fabs(c->r[a] - other[a]) <= 10.0 * BASES_TOLERANCE * scale;
            }
        }
        if (is_same) {
            return true;
        }
    }
    return false;
}

static bool keep(const carom_lcp_basis *basis, void *context) {
    collection *c = context;
    const carom_contact_problem *p = c->work->problem;
    carom_contact_certificate certificate;
    impulses_of(c->work, basis->z, c->r);
    carom_contact_certify(p, c->r, c->u, &certificate);
    if (!(certificate.residual <= 10.0 * BASES_TOLERANCE) || is_known(c)) {
        return true;
    }
    if (c->count == c->capacity) {
        const int capacity = 2 * c->capacity + 8;
        double *known = realloc(c->known, (size_t)capacity * (size_t)p->row_count * sizeof *known);
        if (known == NULL) {
            c->status = CAROM_STATUS_OUT_OF_MEMORY;
            return false;
        }
        c->known = known;
        c->capacity = capacity;
    }
    memcpy(c->known + (size_t)c->count++ * (size_t)p->row_count, c->r,
           (size_t)p->row_count * sizeof *c->r);
    return c->found(c->r, c->u, c->context);
}

carom_status carom_contact_solve_all(const carom_contact_problem *problem,
                                     carom_contact_found found, void *context, int *count,
                                     carom_report *report) {
    CAROM_ASSERT(problem != NULL && found != NULL);
    CAROM_AUTO_VALUE(pivoting) work = {0};
    CAROM_AUTO_VALUE(collection) c = {.work = &work, .found = found, .context = context};
    CAROM_AUTO(carom_lcp_bases_workspace) bases = NULL;
    if (count != NULL) {
        *count = 0;
    }
    CAROM_TRY(prepare(&work, problem, true, report));
    if (work.size > CAROM_LCP_BASES_MOST) {
        const int most = CAROM_LCP_BASES_MOST / work.unknowns;
        return carom_report_bound(report, "contact_count", problem->contact_count, "at most", most);
    }
    c.r = calloc(2 * (size_t)problem->row_count + 1, sizeof *c.r);
    if (c.r == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    c.u = c.r + problem->row_count;
    CAROM_TRY(carom_lcp_bases_workspace_alloc(work.size, &bases));
    CAROM_TRY(carom_lcp_enumerate_bases(work.size, work.matrix, work.constant, BASES_TOLERANCE,
                                        keep, &c, bases, NULL));
    CAROM_TRY(c.status);
    if (count != NULL) {
        *count = c.count;
    }
    return CAROM_OK;
}
