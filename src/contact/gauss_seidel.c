#include <carom/contact/internal.h>

#include <string.h>

/* The solution of a block with the others held. @return whether there is one */
static bool solve_block(const carom_contact_problem *p, int block, const double *q, double *x) {
    const double *W = p->entries + p->offset[p->diagonal[block]];
    if (block < p->joint_count) {
        *x = -*q / *W;
        return *W > 0.0;
    }
    return carom_contact_solve_local(p->tangent_count, W, carom_contact_block_friction(p, block), q,
                                     x);
}

static void sweep_blocks(const carom_contact_problem *p, double *r) {
    for (int i = 0; i < p->block_count; i++) {
        double *own = r + carom_contact_block_row(p, i);
        double q[CAROM_CONTACT_MOST_ROWS];
        double x[CAROM_CONTACT_MOST_ROWS];
        carom_contact_block_velocity(p, i, p->diagonal[i], r, q);
        if (solve_block(p, i, q, x)) {
            memcpy(own, x, (size_t)carom_contact_block_size(p, i) * sizeof *own);
        }
    }
}

/*[conjugateSweep]*/
void carom_contact_sweep(const carom_contact_problem *p, carom_contact_sweeps *s, double *r) {
    memcpy(s->before, r, (size_t)p->row_count * sizeof *r);
    sweep_blocks(p, r);
    // Fletcher and Reeves, the change of a sweep in place of a gradient; where it grows, from anew.
    double change = 0.0;
    for (int i = 0; i < p->block_count; i++) {
        const int row = carom_contact_block_row(p, i);
        for (int a = row; a < row + carom_contact_block_size(p, i); a++) {
            s->before[a] = r[a] - s->before[a];
            change += p->inverse_mass[i] * s->before[a] * s->before[a];
        }
    }
    const bool goes_on = change < s->change;
    const double beta = goes_on ? change / s->change : 0.0;
    for (int a = 0; a < p->row_count; a++) {
        r[a] += beta * s->direction[a];
        s->direction[a] = goes_on ? beta * s->direction[a] + s->before[a] : 0.0;
    }
    s->change = change;
}
/*[end conjugateSweep]*/
