#include <carom/contact/internal.h>

#include <math.h>

/* Of the inverse masses: what W may lack of symmetry by rounding. */
static const double ASYMMETRY = 1e-12;

/*
 * A row that no impulse in the cones can help: of a normal u_i <= q_i + sum_j (W_n + mu |W_t|)_ij
 * r_j < 0 where no term is positive, of a joint u_i = q_i where W_i is zero.
 */
static bool is_hopeless(const carom_contact_problem *p, int block) {
    const bool is_joint = block < p->joint_count;
    const double q = p->free_velocity[carom_contact_block_row(p, block)];
    if (!(is_joint ? fabs(q) > 0.0 : q < 0.0)) {
        return false;
    }
    for (int k = p->start[block]; k < p->start[block + 1]; k++) {
        const double *W = p->entries + p->offset[k];
        const int columns = carom_contact_block_size(p, p->column[k]);
        double tangential = 0.0;
        for (int a = 1; a < columns; a++) {
            tangential += W[a] * W[a];
        }
        tangential = sqrt(tangential);
        if (is_joint || p->column[k] < p->joint_count
                ? fabs(W[0]) + tangential > 0.0
                : W[0] + carom_contact_block_friction(p, p->column[k]) * tangential > 0.0) {
            return false;
        }
    }
    return true;
}

carom_status carom_contact_refuse_hopeless(const carom_contact_problem *p, carom_report *report) {
    for (int i = 0; i < p->block_count; i++) {
        const double q = fabs(p->free_velocity[carom_contact_block_row(p, i)]);
        if (is_hopeless(p, i)) {
            return i < p->joint_count
                       ? carom_report_say(report, CAROM_STATUS_RAY,
                                          "the contact problem has no solution: no impulse stops "
                                          "joint %d, which moves at %g m/s",
                                          i, q)
                       : carom_report_say(report, CAROM_STATUS_RAY,
                                          "the contact problem has no solution: no impulse opens "
                                          "contact %d, which closes at %g m/s",
                                          i - p->joint_count, q);
        }
    }
    return CAROM_OK;
}

/* The stored block (j, i) of the stored block k = (i, j); -1 without one. */
static int mirror_of(const carom_contact_problem *p, int i, int k) {
    int low = p->start[p->column[k]];
    int high = p->start[p->column[k] + 1] - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (p->column[middle] < i) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low <= high && p->column[low] == i ? low : -1;
}

bool carom_contact_is_symmetric(const carom_contact_problem *p) {
    for (int i = 0; i < p->block_count; i++) {
        const int size = carom_contact_block_size(p, i);
        for (int k = p->start[i]; k < p->start[i + 1]; k++) {
            const int j = p->column[k];
            const int columns = carom_contact_block_size(p, j);
            const int mirror = mirror_of(p, i, k);
            const double most = ASYMMETRY * sqrt(p->inverse_mass[i] * p->inverse_mass[j]);
            for (int a = 0; a < size * columns; a++) {
                const double other = mirror < 0
                                         ? 0.0
                                         : p->entries[p->offset[mirror] +
                                                      (size_t)(a % columns * size + a / columns)];
                if (!(fabs(p->entries[p->offset[k] + (size_t)a] - other) <= most)) {
                    return false;
                }
            }
        }
    }
    return true;
}
