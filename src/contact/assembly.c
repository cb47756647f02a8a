#include <carom/contact/assembly.h>

#include <math.h>
#include <string.h>

static int root_of(int *parent, int i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static void join(int *parent, int i, int j) {
    const int one = root_of(parent, i);
    const int other = root_of(parent, j);
    parent[one > other ? one : other] = one > other ? other : one;
}

/* Most coordinates of a body: more than these are not joined for their blocks. */
enum { MOST_OF_BODY = 6 };

bool carom_contact_assembly_join(carom_contact_assembly *a) {
    const int n = a->layout.size;
    for (int i = 0; i < n; i++) {
        a->parent[i] = i;
        for (int j = carom_layout_first_column(a->layout, i); j < i; j++) {
            if (fabs(a->mass[carom_layout_index(a->layout, i, j)]) > 0.0 ||
                fabs(a->mass[carom_layout_index(a->layout, j, i)]) > 0.0) {
                join(a->parent, i, j);
            }
        }
    }
    for (int i = 1, run = 1; i < n; i++) {
        run = a->signature[i] > 0 && a->signature[i] == a->signature[i - 1] && run < MOST_OF_BODY
                  ? run + 1
                  : 1;
        if (run > 1) {
            join(a->parent, i - 1, i);
        }
    }
    bool is_same = a->has_pieces;
    for (int i = 0; i < n && is_same; i++) {
        is_same = root_of(a->parent, i) == a->coordinate[a->part_start[a->part[i]]];
    }
    return is_same;
}

/* A number for the blocks that touch a coordinate, in their order. */
void carom_contact_assembly_sign(carom_contact_assembly *a) {
    const int size = 1 + a->tangent_count;
    memset(a->signature, 0, (size_t)a->layout.size * sizeof *a->signature);
    for (int i = 0; i < a->layout.size; i++) {
        a->parent[i] = -1;
    }
    for (int row = 0; row < a->row_count; row++) {
        const int block =
            row < a->joint_count ? row : a->joint_count + (row - a->joint_count) / size;
        for (int k = a->start[row]; k < a->start[row + 1]; k++) {
            const int i = a->column[k];
            if (a->parent[i] != block) {
                a->parent[i] = block;
                a->signature[i] = 1 + (a->signature[i] + (size_t)block) * 0x9e3779b9U;
            }
        }
    }
}

static void number_parts(carom_contact_assembly *a) {
    const int n = a->layout.size;
    a->part_count = 0;
    for (int i = 0; i < n; i++) {
        const int root = root_of(a->parent, i);
        a->part[i] = root == i ? a->part_count++ : a->part[root];
        a->part_start[i + 1] = 0;
    }
    a->part_start[0] = 0;
    for (int i = 0; i < n; i++) {
        a->place[i] = a->part_start[a->part[i] + 1]++;
    }
    for (int k = 0; k < a->part_count; k++) {
        a->part_start[k + 1] += a->part_start[k];
    }
    for (int i = 0; i < n; i++) {
        a->coordinate[a->part_start[a->part[i]] + a->place[i]] = i;
    }
}

/* The pieces of each row in the order in which it meets their parts, then those of each part. */
static void find_pieces(carom_contact_assembly *a) {
    const int size = 1 + a->tangent_count;
    int count = 0;
    size_t responses = 0;
    for (int k = 0; k < a->part_count; k++) {
        a->mark[k] = -1;
        a->part_piece[k + 1] = 0;
    }
    a->part_piece[0] = 0;
    a->piece_entry[0] = 0;
    for (int row = 0; row < a->row_count; row++) {
        const int contact = row < a->joint_count ? -1 : (row - a->joint_count) / size;
        const int block = contact < 0 ? row : a->joint_count + contact;
        const int first = contact < 0 ? row : a->joint_count + contact * size;
        a->row_piece[row] = count;
        for (int k = a->start[row]; k < a->start[row + 1]; k++) {
            const int part = a->part[a->column[k]];
            if (a->mark[part] < a->row_piece[row]) {
                a->mark[part] = count;
                a->piece_part[count] = part;
                a->piece_block[count] = block;
                a->piece_within[count] = row - first;
                a->response_of[count] = responses;
                responses += (size_t)(a->part_start[part + 1] - a->part_start[part]);
                a->part_piece[part + 1]++;
                a->piece_entry[++count] = 0;
            }
            a->piece_entry[a->mark[part] + 1]++;
        }
    }
    a->row_piece[a->row_count] = count;
    a->response_of[count] = responses;
    a->piece_count = count;
    for (int k = 0; k < count; k++) {
        a->piece_entry[k + 1] += a->piece_entry[k];
    }
    for (int k = 0; k < a->part_count; k++) {
        a->part_piece[k + 1] += a->part_piece[k];
        a->mark[k] = a->part_piece[k];
    }
    for (int k = 0; k < count; k++) {
        a->pieces[a->mark[a->piece_part[k]]++] = k;
    }
}

/* The entries by pieces, in the order of their columns. */
static void sort_entries(carom_contact_assembly *a) {
    for (int row = 0; row < a->row_count; row++) {
        for (int piece = a->row_piece[row]; piece < a->row_piece[row + 1]; piece++) {
            a->mark[a->piece_part[piece]] = a->piece_entry[piece];
        }
        for (int k = a->start[row]; k < a->start[row + 1]; k++) {
            const int place = a->mark[a->part[a->column[k]]]++;
            a->entry[place] = k;
            a->entry_place[place] = a->place[a->column[k]];
        }
    }
}

void carom_contact_assembly_divide(carom_contact_assembly *a) {
    number_parts(a);
    find_pieces(a);
    sort_entries(a);
}

/* Blocks that share a part with block `self`, itself among them, by increasing column, into `list`
 * if there is one; their number. */
static int list_blocks(const carom_contact_assembly *a, int self, int *list) {
    const int contact = self - a->joint_count;
    const int first = contact < 0 ? self : a->joint_count + contact * (1 + a->tangent_count);
    const int end = first + (contact < 0 ? 1 : 1 + a->tangent_count);
    const int stamp = list == NULL ? self : ~self;
    int count = 1;
    a->mark[self] = stamp;
    if (list != NULL) {
        list[0] = self;
    }
    for (int own = a->row_piece[first]; own < a->row_piece[end]; own++) {
        const int part = a->piece_part[own];
        for (int k = a->part_piece[part]; k < a->part_piece[part + 1]; k++) {
            const int block = a->piece_block[a->pieces[k]];
            if (a->mark[block] == stamp) {
                continue;
            }
            a->mark[block] = stamp;
            int at = count++;
            for (; list != NULL && at > 0 && list[at - 1] > block; at--) {
                list[at] = list[at - 1];
            }
            if (list != NULL) {
                list[at] = block;
            }
        }
    }
    return count;
}

carom_status carom_contact_assembly_make_blocks(carom_contact_assembly *a, carom_report *report) {
    const carom_contact_rows counts = {.start = a->start,
                                       .joint_count = a->joint_count,
                                       .contact_count = a->contact_count,
                                       .tangent_count = a->tangent_count};
    const int blocks = a->joint_count + a->contact_count;
    size_t stored = 0;
    for (int i = 0; i < blocks; i++) {
        a->mark[i] = -blocks - 1;
    }
    for (int i = 0; i < blocks; i++) {
        stored += (size_t)list_blocks(a, i, NULL);
    }
    const size_t size = 1 + (size_t)a->tangent_count;
    if (a->problem == NULL || stored > a->block_room || stored * size * size > a->entry_room ||
        a->problem->joint_count != a->joint_count ||
        a->problem->contact_count != a->contact_count ||
        a->problem->tangent_count != a->tangent_count) {
        carom_contact_problem_free(a->problem);
        a->problem = NULL;
        a->block_room = stored;
        a->entry_room = stored * size * size;
        CAROM_TRY(
            carom_contact_problem_make(&counts, a->block_room, a->entry_room, &a->problem, report));
    }
    carom_contact_problem *p = a->problem;
    size_t entries = 0;
    for (int i = 0; i < blocks; i++) {
        p->start[i + 1] = p->start[i] + list_blocks(a, i, p->column + p->start[i]);
        for (int k = p->start[i]; k < p->start[i + 1]; k++) {
            p->offset[k] = entries;
            entries += (size_t)carom_contact_block_size(p, i) *
                       (size_t)carom_contact_block_size(p, p->column[k]);
        }
    }
    return CAROM_OK;
}
