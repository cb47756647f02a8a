#include <carom/contact/internal.h>

#include <math.h>

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
