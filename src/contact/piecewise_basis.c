#include <carom/contact/piecewise.h>

// Real matrices alone; the complex ones would need <complex.h>.
#define NCOMPLEX
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/cs.h>

typedef carom_piecewise_basis basis;

/* Of the largest of its column a diagonal entry is taken: the order that spares fill is kept. */
static const double PIVOT_THRESHOLD = 0.05;
/* Entries of the factors for one of the matrix, which CXSparse takes as a first guess. */
enum { FILL = 6 };

void carom_piecewise_basis_clear(basis *b) {
    cs_nfree(b->factors);
    free(b->ints);
    free(b->doubles);
    free(b->order);
    free(b->entry_row);
    free(b->entry);
    *b = (basis){0};
}

/* Room for as many numbers. */
static carom_status grow(basis *b, const carom_contact_problem *p) {
    const size_t rows = (size_t)p->row_count;
    const size_t blocks = (size_t)p->block_count;
    const size_t stored = (size_t)p->start[p->block_count];
    const size_t ints = 4 * rows + blocks + 2 * stored + CAROM_PIECEWISE_MOST_EXCHANGES + 2;
    const size_t doubles = (CAROM_PIECEWISE_MOST_EXCHANGES + 2) * rows + blocks + 1;
    if (ints > b->int_capacity || b->ints == NULL) {
        free(b->ints);
        b->ints = malloc(ints * sizeof *b->ints);
        b->int_capacity = b->ints == NULL ? 0 : ints;
    }
    if (doubles > b->double_capacity || b->doubles == NULL) {
        free(b->doubles);
        b->doubles = malloc(doubles * sizeof *b->doubles);
        b->double_capacity = b->doubles == NULL ? 0 : doubles;
    }
    if (b->ints == NULL || b->doubles == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    b->member = b->ints;
    b->place = b->member + rows;
    b->mark = b->place + rows;
    b->column_start = b->mark + rows;
    b->row_start = b->column_start + rows + 1;
    b->row = b->row_start + blocks + 1;
    b->stored = b->row + stored;
    b->exchanged = b->stored + stored;
    b->path = b->doubles;
    b->work = b->path + rows;
    b->unit = b->work + rows;
    b->exchange = b->unit + blocks;
    return CAROM_OK;
}

/* The stored blocks by columns; the pattern need not be symmetric. */
static void list_columns(basis *b) {
    const carom_contact_problem *p = b->problem;
    const int blocks = p->block_count;
    memset(b->row_start, 0, ((size_t)blocks + 1) * sizeof *b->row_start);
    for (int k = 0; k < p->start[blocks]; k++) {
        b->row_start[p->column[k] + 1]++;
    }
    for (int j = 0; j < blocks; j++) {
        b->row_start[j + 1] += b->row_start[j];
    }
    for (int i = 0; i < blocks; i++) {
        for (int k = p->start[i]; k < p->start[i + 1]; k++) {
            const int at = b->row_start[p->column[k]]++;
            b->row[at] = i;
            b->stored[at] = k;
        }
    }
    memmove(b->row_start + 1, b->row_start, (size_t)blocks * sizeof *b->row_start);
    b->row_start[0] = 0;
}

carom_status carom_piecewise_basis_set(basis *b, const carom_contact_problem *p) {
    CAROM_TRY(grow(b, p));
    b->problem = p;
    b->last = CAROM_PIECEWISE_VARIABLES * p->contact_count + p->joint_count;
    b->exchange_count = 0;
    double largest = 0.0;
    for (int i = 0; i < p->block_count; i++) {
        largest = fmax(largest, p->inverse_mass[i]);
    }
    b->unit_mass = 1.0 / largest;
    for (int i = 0; i < p->block_count; i++) {
        b->unit[i] = sqrt(p->inverse_mass[i] / largest);
    }
    list_columns(b);
    const int blocks = p->block_count;
    cs pattern = {.nzmax = p->start[blocks],
                  .m = blocks,
                  .n = blocks,
                  .p = b->row_start,
                  .i = b->row,
                  .nz = -1};
    free(b->order);
    b->order = cs_amd(1, &pattern);
    return b->order == NULL && blocks > 0 ? CAROM_STATUS_OUT_OF_MEMORY : CAROM_OK;
}

static bool is_velocity(const basis *b, int variable) {
    return variable < CAROM_PIECEWISE_VARIABLES * b->problem->contact_count &&
           variable % CAROM_PIECEWISE_VARIABLES >= CAROM_PIECEWISE_OPENING;
}

/* The column of a velocity, of t, or of an impulse, which is one of W. @return its entries */
static int fill_column(const basis *b, int variable, int *rows, double *values) {
    const carom_contact_problem *p = b->problem;
    const int kind = variable % CAROM_PIECEWISE_VARIABLES;
    const int joint = variable - CAROM_PIECEWISE_VARIABLES * p->contact_count;
    const int j = joint < 0 ? p->joint_count + variable / CAROM_PIECEWISE_VARIABLES : joint;
    int count = 0;
    if (variable == b->last) {
        for (int i = 0; i < p->row_count; i++) {
            rows[i] = i;
            values[i] = -b->path[i];
        }
        return p->row_count;
    }
    if (is_velocity(b, variable)) {
        rows[0] = carom_contact_block_row(p, j) + (kind == CAROM_PIECEWISE_SLIDING ? 1 : 0);
        values[0] = -1.0;
        return 1;
    }
    const int size = carom_contact_block_size(p, j);
    double edge[CAROM_CONTACT_MOST_ROWS] = {1.0};
    if (size > 1) {
        const double mu = carom_contact_block_friction(p, j);
        edge[1] = kind == CAROM_PIECEWISE_LEFT ? -mu : mu;
    }
    for (int k = b->row_start[j]; k < b->row_start[j + 1]; k++) {
        const int i = b->row[k];
        const double *W = p->entries + p->offset[b->stored[k]];
        const double units = b->unit_mass / (b->unit[i] * b->unit[j]);
        for (int a = 0; a < carom_contact_block_size(p, i); a++) {
            double value = 0.0;
            for (int c = 0; c < size; c++) {
                value += W[a * size + c] * edge[c];
            }
            rows[count] = carom_contact_block_row(p, i) + a;
            values[count++] = value * units + (i == j ? b->compliance * edge[a] : 0.0);
        }
    }
    return count;
}

/* Velocities first, each with one entry, then impulses in the order of the blocks, t last. */
static void order_columns(basis *b) {
    const carom_contact_problem *p = b->problem;
    int count = 0;
    for (int pass = 0; pass < 3; pass++) {
        for (int k = 0; k < p->block_count; k++) {
            const int row = carom_contact_block_row(p, b->order[k]);
            for (int a = row; a < row + carom_contact_block_size(p, b->order[k]); a++) {
                const int variable = b->member[a];
                const int kind = variable == b->last ? 2 : is_velocity(b, variable) ? 0 : 1;
                if (kind == pass) {
                    b->place[count++] = a;
                }
            }
        }
    }
}

/* The matrix by its columns. */
static carom_status fill_matrix(basis *b) {
    const size_t rows = (size_t)b->problem->row_count;
    size_t count = 0;
    for (size_t j = 0; j < rows; j++) {
        b->column_start[j] = (int)count;
        if (count + rows > b->entry_capacity) {
            const size_t capacity = 2 * (count + rows);
            int *entry_row = realloc(b->entry_row, capacity * sizeof *entry_row);
            b->entry_row = entry_row == NULL ? b->entry_row : entry_row;
            double *entry = realloc(b->entry, capacity * sizeof *entry);
            b->entry = entry == NULL ? b->entry : entry;
            if (entry_row == NULL || entry == NULL) {
                return CAROM_STATUS_OUT_OF_MEMORY;
            }
            b->entry_capacity = capacity;
        }
        count += (size_t)fill_column(b, b->member[j], b->entry_row + count, b->entry + count);
    }
    b->column_start[rows] = (int)count;
    return CAROM_OK;
}

carom_status carom_piecewise_basis_factor(basis *b) {
    const int rows = b->problem->row_count;
    cs_nfree(b->factors);
    b->factors = NULL;
    b->exchange_count = 0;
    order_columns(b);
    CAROM_TRY(fill_matrix(b));
    const int count = b->column_start[rows];
    const cs matrix = {.nzmax = count,
                       .m = rows,
                       .n = rows,
                       .p = b->column_start,
                       .i = b->entry_row,
                       .x = b->entry,
                       .nz = -1};
    const css symbolic = {.q = b->place, .lnz = FILL * count + rows, .unz = FILL * count + rows};
    b->factors = cs_lu(&matrix, &symbolic, PIVOT_THRESHOLD);
    return b->factors == NULL ? CAROM_STATUS_SINGULAR : CAROM_OK;
}

/* Of a permutation: each cycle of even length changes the sign. */
static int sign_of(const basis *b, const int *permutation) {
    const int rows = b->problem->row_count;
    int sign = 1;
    memset(b->mark, 0, (size_t)rows * sizeof *b->mark);
    for (int i = 0; i < rows; i++) {
        int length = 0;
        for (int k = i; b->mark[k] == 0; k = permutation[k]) {
            b->mark[k] = 1;
            length++;
        }
        sign = length > 0 && length % 2 == 0 ? -sign : sign;
    }
    return sign;
}

int carom_piecewise_basis_sign(const basis *b) {
    const csn *factors = b->factors;
    const cs *U = factors->U;
    int sign = sign_of(b, factors->pinv) * sign_of(b, b->place);
    for (int j = 0; j < b->problem->row_count; j++) {
        // The diagonal entry is the last of its column; columns of velocities are those of -1.
        sign = U->x[U->p[j + 1] - 1] < 0.0 ? -sign : sign;
        sign = is_velocity(b, b->member[j]) ? -sign : sign;
    }
    return sign;
}

void carom_piecewise_basis_solve(basis *b, double *x) {
    const int rows = b->problem->row_count;
    const csn *factors = b->factors;
    cs_ipvec(factors->pinv, x, b->work, rows);
    cs_lsolve(factors->L, b->work);
    cs_usolve(factors->U, b->work);
    cs_ipvec(b->place, b->work, x, rows);
    for (int k = 0; k < b->exchange_count; k++) {
        const double *direction = b->exchange + (size_t)k * (size_t)rows;
        const int place = b->exchanged[k];
        const double part = x[place] / direction[place];
        if (fabs(part) > 0.0) {
            for (int i = 0; i < rows; i++) {
                x[i] -= part * direction[i];
            }
        }
        x[place] = part;
    }
}

void carom_piecewise_basis_direction(basis *b, int variable, double *x) {
    memset(x, 0, (size_t)b->problem->row_count * sizeof *x);
    // A column fits behind those of the matrix, which is not needed once it is factored.
    const int count = fill_column(b, variable, b->entry_row, b->entry);
    for (int k = 0; k < count; k++) {
        x[b->entry_row[k]] = b->entry[k];
    }
    carom_piecewise_basis_solve(b, x);
}

void carom_piecewise_basis_exchange(basis *b, int place, int variable, const double *direction) {
    const size_t rows = (size_t)b->problem->row_count;
    memcpy(b->exchange + (size_t)b->exchange_count * rows, direction, rows * sizeof *direction);
    b->exchanged[b->exchange_count++] = place;
    b->member[place] = variable;
}
