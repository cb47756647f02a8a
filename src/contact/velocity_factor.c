#include <carom/contact/internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Coordinates of a node: those of a body in the plane, half of those of one in space. */
enum { NODE = 3, NODE_ENTRIES = NODE * NODE };

/* ------------------------------------------------------------------------------------- the order
 */

/*
 * (A + F) x = y with A = K M^-1 K' and blocks F on the diagonal: with v = M^-1 K' x it is
 * (M + K' F^-1 K) v = K' F^-1 y, x = F^-1 (y - K v). The coordinates are taken three by three, the
 * nodes; a block of rows touches some of them, and couples these.
 */
struct carom_contact_velocity_factor {
    carom_contact_problem pattern; /* of the matrix, with the nodes as its blocks */
    int size;                      /* b: rows of a block */
    int block_count;
    int *touch_start; /* [blocks+1] into `node` */
    int *node;        /* [touches] increasing in a block */
    int *pair;        /* [pairs] stored block of each two touches of a block */
    double *K;        /* [touches][b][3] */
    double *inverse;  /* [blocks][b][b] F^-1 */
    double *N;        /* [stored][3][3] */
    double *mass;     /* [stored][3][3] */
    double *v;        /* [nodes][3] */
    int *ints;
    int *kept; /* [rows+1 + entries + n+1 + mass entries] the pattern that was ordered */
    size_t kept_count;
    double *doubles;
    carom_contact_factor *factor;
};

carom_status carom_contact_velocity_factor_alloc(carom_contact_velocity_factor **out) {
    *out = NULL;
    CAROM_AUTO(carom_contact_velocity_factor) f = calloc(1, sizeof *f);
    if (f == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_contact_factor_alloc(&f->factor));
    CAROM_HAND_OVER(f, out);
    return CAROM_OK;
}

static void forget(carom_contact_velocity_factor *f) {
    free(f->ints);
    free(f->doubles);
    free(f->kept);
    free(f->pattern.column);
    f->pattern.column = NULL;
    f->ints = NULL;
    f->doubles = NULL;
    f->kept = NULL;
    f->kept_count = 0;
}

void carom_contact_velocity_factor_free(carom_contact_velocity_factor *factor) {
    if (factor != NULL) {
        forget(factor);
        carom_contact_factor_free(factor->factor);
        free(factor);
    }
}

static size_t pattern_count(const carom_contact_problem *p) {
    const carom_contact_kept *m = p->kept;
    return (size_t)p->row_count + (size_t)m->row_start[p->row_count] + (size_t)m->coordinate_count +
           (size_t)m->mass_start[m->coordinate_count] + 2;
}

static bool is_ordered(const carom_contact_velocity_factor *f, const carom_contact_problem *p) {
    return f->kept != NULL && f->size == 1 + p->tangent_count && f->block_count == p->block_count &&
           f->pattern.block_count == (p->kept->coordinate_count + NODE - 1) / NODE &&
           f->kept_count == pattern_count(p) &&
           memcmp(f->kept, p->kept->ints, f->kept_count * sizeof *f->kept) == 0;
}

/* Add a node to a list that increases, if it is not there. */
static void insert(int node, int *count, int *list) {
    int at = *count;
    while (at > 0 && list[at - 1] > node) {
        at--;
    }
    if (at > 0 && list[at - 1] == node) {
        return;
    }
    memmove(list + at + 1, list + at, (size_t)(*count - at) * sizeof *list);
    list[at] = node;
    ++*count;
}

/* The nodes that each block touches. */
static void find_touches(carom_contact_velocity_factor *f, const carom_contact_problem *p) {
    const carom_contact_kept *m = p->kept;
    int used = 0;
    for (int i = 0; i < p->block_count; i++) {
        const int row = carom_contact_block_row(p, i);
        int count = 0;
        for (int k = m->row_start[row]; k < m->row_start[row + carom_contact_block_size(p, i)];
             k++) {
            insert(m->row_column[k] / NODE, &count, f->node + used);
        }
        f->touch_start[i] = used;
        used += count;
    }
    f->touch_start[p->block_count] = used;
}

/* Stored block (i, j). */
static int find_stored(const carom_contact_problem *pattern, int i, int j) {
    int low = pattern->start[i];
    int high = pattern->start[i + 1] - 1;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (pattern->column[middle] < j) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Blocks by the nodes that they touch: `first` [nodes+1] into `touching` [touches]. */
static void find_touching(const carom_contact_velocity_factor *f, int *first, int *touching) {
    const int nodes = f->pattern.block_count;
    const int touches = f->touch_start[f->block_count];
    memset(first, 0, ((size_t)nodes + 1) * sizeof *first);
    for (int t = 0; t < touches; t++) {
        first[f->node[t] + 1]++;
    }
    for (int i = 0; i < nodes; i++) {
        first[i + 1] += first[i];
    }
    for (int block = f->block_count - 1; block >= 0; block--) {
        for (int t = f->touch_start[block]; t < f->touch_start[block + 1]; t++) {
            touching[--first[f->node[t] + 1]] = block;
        }
    }
    // The ends have become the beginnings, one place on.
    for (int i = 0; i < nodes; i++) {
        first[i] = first[i + 1];
    }
    first[nodes] = touches;
}

/* Nodes that M or a block couples with each, in `column` once it has room. @return their number */
static int couple(carom_contact_velocity_factor *f, const carom_contact_kept *m, const int *first,
                  const int *touching, int *list) {
    carom_contact_problem *N = &f->pattern;
    int used = 0;
    for (int i = 0; i < N->block_count; i++) {
        int count = 0;
        insert(i, &count, list);
        for (int c = NODE * i; c < NODE * (i + 1) && c < m->coordinate_count; c++) {
            for (int k = m->mass_start[c]; k < m->mass_start[c + 1]; k++) {
                insert(m->mass_column[k] / NODE, &count, list);
            }
        }
        for (int k = first[i]; k < first[i + 1]; k++) {
            for (int t = f->touch_start[touching[k]]; t < f->touch_start[touching[k] + 1]; t++) {
                insert(f->node[t], &count, list);
            }
        }
        if (N->column != NULL) {
            memcpy(N->column + used, list, (size_t)count * sizeof *list);
        }
        N->start[i] = used;
        used += count;
    }
    N->start[N->block_count] = used;
    return used;
}

/* Stored blocks of each two nodes that a block touches. */
static void find_pairs(carom_contact_velocity_factor *f) {
    int count = 0;
    for (int i = 0; i < f->block_count; i++) {
        for (int s = f->touch_start[i]; s < f->touch_start[i + 1]; s++) {
            for (int t = f->touch_start[i]; t < f->touch_start[i + 1]; t++) {
                f->pair[count++] = find_stored(&f->pattern, f->node[s], f->node[t]);
            }
        }
    }
}

static carom_status make_room(carom_contact_velocity_factor *f, const carom_contact_problem *p) {
    const size_t blocks = (size_t)p->block_count;
    const size_t nodes = (size_t)f->pattern.block_count;
    const size_t entries = (size_t)p->kept->row_start[p->row_count];
    size_t pairs = 0;
    for (int i = 0; i < p->block_count; i++) {
        const int row = carom_contact_block_row(p, i);
        const size_t most = (size_t)(p->kept->row_start[row + carom_contact_block_size(p, i)] -
                                     p->kept->row_start[row]);
        pairs += most * most;
    }
    f->kept_count = pattern_count(p);
    f->kept = malloc(f->kept_count * sizeof *f->kept);
    f->ints = malloc((blocks + 1 + entries + pairs + 2 * nodes + 2) * sizeof *f->ints);
    if (f->kept == NULL || f->ints == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    memcpy(f->kept, p->kept->ints, f->kept_count * sizeof *f->kept);
    f->touch_start = f->ints;
    f->node = f->touch_start + blocks + 1;
    f->pair = f->node + entries;
    f->pattern.start = f->pair + pairs;
    f->pattern.diagonal = f->pattern.start + nodes + 1;
    return CAROM_OK;
}

/* The pattern of the matrix, and room for its numbers. */
static carom_status find_pattern(carom_contact_velocity_factor *f, const carom_contact_problem *p) {
    const size_t nodes = (size_t)f->pattern.block_count;
    const size_t b = (size_t)f->size;
    find_touches(f, p);
    const size_t touches = (size_t)f->touch_start[f->block_count];
    CAROM_AUTO_MEMORY int *first = malloc((2 * nodes + 1 + touches) * sizeof *first);
    if (first == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    int *touching = first + nodes + 1;
    int *list = touching + touches;
    find_touching(f, first, touching);
    const size_t stored = (size_t)couple(f, p->kept, first, touching, list);
    f->pattern.column = malloc((stored + 1) * sizeof *f->pattern.column);
    f->doubles = malloc((touches * b * NODE + (size_t)f->block_count * b * b +
                         2 * stored * NODE_ENTRIES + nodes * NODE) *
                        sizeof *f->doubles);
    if (f->pattern.column == NULL || f->doubles == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    (void)couple(f, p->kept, first, touching, list);
    for (int i = 0; i < f->pattern.block_count; i++) {
        f->pattern.diagonal[i] = find_stored(&f->pattern, i, i);
    }
    find_pairs(f);
    f->K = f->doubles;
    f->inverse = f->K + touches * b * NODE;
    f->N = f->inverse + (size_t)f->block_count * b * b;
    f->mass = f->N + stored * NODE_ENTRIES;
    f->v = f->mass + stored * NODE_ENTRIES;
    return CAROM_OK;
}

static carom_status order(carom_contact_velocity_factor *f, const carom_contact_problem *p) {
    if (is_ordered(f, p)) {
        return CAROM_OK;
    }
    forget(f);
    f->size = 1 + p->tangent_count;
    f->block_count = p->block_count;
    f->pattern.tangent_count = NODE - 1;
    f->pattern.block_count = (p->kept->coordinate_count + NODE - 1) / NODE;
    carom_status status = make_room(f, p);
    if (status == CAROM_OK) {
        status = find_pattern(f, p);
    }
    if (status == CAROM_OK) {
        status = carom_contact_factor_order(f->factor, &f->pattern);
    }
    if (status != CAROM_OK) {
        forget(f);
    }
    return status;
}

/* ----------------------------------------------------------------------------------- the numbers
 */

/* M by the stored blocks, with ones where the last node has no coordinate. */
static void fill_mass(carom_contact_velocity_factor *f, const carom_contact_kept *m) {
    const carom_contact_problem *N = &f->pattern;
    memset(f->mass, 0, (size_t)N->start[N->block_count] * NODE_ENTRIES * sizeof *f->mass);
    for (int c = 0; c < NODE * N->block_count; c++) {
        if (c >= m->coordinate_count) {
            f->mass[N->diagonal[c / NODE] * NODE_ENTRIES + c % NODE * (NODE + 1)] = 1.0;
            continue;
        }
        for (int k = m->mass_start[c]; k < m->mass_start[c + 1]; k++) {
            const int j = m->mass_column[k];
            f->mass[find_stored(N, c / NODE, j / NODE) * NODE_ENTRIES + c % NODE * NODE +
                    j % NODE] = m->mass_value[k];
        }
    }
}

carom_status carom_contact_velocity_factor_set(carom_contact_velocity_factor *factor,
                                               const carom_contact_problem *problem,
                                               const double *unit) {
    carom_contact_velocity_factor *f = factor;
    const carom_contact_kept *m = problem->kept;
    CAROM_TRY(order(f, problem));
    fill_mass(f, m);
    const int b = f->size;
    memset(f->K, 0, (size_t)(f->touch_start[f->block_count] * b * NODE) * sizeof *f->K);
    for (int i = 0; i < problem->block_count; i++) {
        const int row = carom_contact_block_row(problem, i);
        for (int a = 0; a < carom_contact_block_size(problem, i); a++) {
            int t = f->touch_start[i];
            for (int k = m->row_start[row + a]; k < m->row_start[row + a + 1]; k++) {
                const int node = m->row_column[k] / NODE;
                while (f->node[t] != node) {
                    t++;
                }
                f->K[(t * b + a) * NODE + m->row_column[k] % NODE] =
                    unit[i * b + a] * m->row_value[k];
            }
        }
        const int cone = carom_contact_cone_size(problem, i);
        for (int t = f->touch_start[i]; t < f->touch_start[i + 1] && cone == 2; t++) {
            for (int c = 0; c < NODE; c++) {
                double *K = f->K + t * b * NODE + c;
                double column[2] = {K[0], K[NODE]};
                carom_contact_cone_turn(cone, column);
                K[0] = column[0];
                K[NODE] = column[1];
            }
        }
    }
    return CAROM_OK;
}

/*[velocityFactor]*/
/* M + K' F^-1 K. */
static inline void add_blocks(carom_contact_velocity_factor *f, int b) {
    int pair = 0;
    for (int i = 0; i < f->block_count; i++) {
        const double *inverse = f->inverse + i * b * b;
        for (int s = f->touch_start[i]; s < f->touch_start[i + 1]; s++) {
            double left[NODE * CAROM_CONTACT_MOST_ROWS] = {0.0};
            for (int c = 0; c < NODE; c++) {
                for (int a = 0; a < b; a++) {
                    for (int k = 0; k < b; k++) {
                        left[c * b + a] += f->K[(s * b + k) * NODE + c] * inverse[k * b + a];
                    }
                }
            }
            for (int t = f->touch_start[i]; t < f->touch_start[i + 1]; t++) {
                double *N = f->N + f->pair[pair++] * NODE_ENTRIES;
                for (int c = 0; c < NODE; c++) {
                    for (int d = 0; d < NODE; d++) {
                        for (int a = 0; a < b; a++) {
                            N[c * NODE + d] += left[c * b + a] * f->K[(t * b + a) * NODE + d];
                        }
                    }
                }
            }
        }
    }
}
/*[end velocityFactor]*/

/* Factors of M + K' F^-1 K. */
static bool compute(carom_contact_velocity_factor *f) {
    memcpy(f->N, f->mass,
           (size_t)f->pattern.start[f->pattern.block_count] * NODE_ENTRIES * sizeof *f->N);
    if (f->size == 1) {
        add_blocks(f, 1);
    } else if (f->size == 2) {
        add_blocks(f, 2);
    } else {
        add_blocks(f, 3);
    }
    return carom_contact_factor_compute(f->factor, &f->pattern, f->N);
}

bool carom_contact_velocity_factor_compute(carom_contact_velocity_factor *factor, const double *F) {
    carom_contact_velocity_factor *f = factor;
    const int b = f->size;
    bool is_regular = true;
    for (int i = 0; i < f->block_count; i++) {
        double A[CAROM_CONTACT_MOST_ROWS * CAROM_CONTACT_MOST_ROWS];
        memcpy(A, F + i * b * b, (size_t)(b * b) * sizeof *A);
        is_regular = carom_contact_block_invert(b, A, f->inverse + i * b * b) && is_regular;
    }
    return compute(f) && is_regular;
}

bool carom_contact_velocity_factor_compute_by(carom_contact_velocity_factor *factor,
                                              const double *inverse) {
    memcpy(factor->inverse, inverse,
           (size_t)(factor->block_count * factor->size * factor->size) * sizeof *inverse);
    return compute(factor);
}

double carom_contact_velocity_factor_sign(const carom_contact_velocity_factor *factor) {
    return carom_contact_factor_sign(factor->factor);
}

/* y = F^-1 x of a block. */
static void divide(int b, const double *inverse, const double *x, double *y) {
    for (int a = 0; a < b; a++) {
        y[a] = 0.0;
        for (int c = 0; c < b; c++) {
            y[a] += inverse[a * b + c] * x[c];
        }
    }
}

/* v += K' x of a block. */
static void gather(carom_contact_velocity_factor *f, int block, const double *x) {
    for (int t = f->touch_start[block]; t < f->touch_start[block + 1]; t++) {
        for (int a = 0; a < f->size; a++) {
            for (int c = 0; c < NODE; c++) {
                f->v[f->node[t] * NODE + c] += f->K[(t * f->size + a) * NODE + c] * x[a];
            }
        }
    }
}

/* x -= K v of a block. */
static void take_off(const carom_contact_velocity_factor *f, int block, double *x) {
    for (int t = f->touch_start[block]; t < f->touch_start[block + 1]; t++) {
        for (int a = 0; a < f->size; a++) {
            for (int c = 0; c < NODE; c++) {
                x[a] -= f->K[(t * f->size + a) * NODE + c] * f->v[f->node[t] * NODE + c];
            }
        }
    }
}

void carom_contact_velocity_factor_solve(carom_contact_velocity_factor *factor, double *x) {
    carom_contact_velocity_factor *f = factor;
    const int b = f->size;
    memset(f->v, 0, (size_t)f->pattern.block_count * NODE * sizeof *f->v);
    for (int i = 0; i < f->block_count; i++) {
        double own[CAROM_CONTACT_MOST_ROWS];
        divide(b, f->inverse + i * b * b, x + i * b, own);
        gather(f, i, own);
    }
    carom_contact_factor_solve(f->factor, f->v);
    for (int i = 0; i < f->block_count; i++) {
        double own[CAROM_CONTACT_MOST_ROWS];
        memcpy(own, x + i * b, (size_t)b * sizeof *own);
        take_off(f, i, own);
        divide(b, f->inverse + i * b * b, own, x + i * b);
    }
}

void carom_contact_velocity_factor_move(carom_contact_velocity_factor *factor, const double *x,
                                        double *y) {
    carom_contact_velocity_factor *f = factor;
    const int b = f->size;
    memset(f->v, 0, (size_t)f->pattern.block_count * NODE * sizeof *f->v);
    for (int i = 0; i < f->block_count; i++) {
        gather(f, i, x + i * b);
    }
    carom_contact_factor_solve(f->factor, f->v);
    for (int i = 0; i < f->block_count; i++) {
        double own[CAROM_CONTACT_MOST_ROWS] = {0.0};
        take_off(f, i, own);
        for (int a = 0; a < b; a++) {
            y[i * b + a] = -own[a];
        }
    }
}
