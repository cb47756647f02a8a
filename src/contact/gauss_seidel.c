#include <carom/contact/internal.h>

#include <math.h>

/* The velocities of a block without its own impulse. */
static void velocity_without(const carom_contact_problem *p, int block, const double *r,
                             double *q) {
    const int rows = carom_contact_block_size(p, block);
    const double *W = p->entries + p->offset[p->diagonal[block]];
    const double *own = r + carom_contact_problem_row(p, block);
    carom_contact_block_velocity(p, block, r, q);
    for (int a = 0; a < rows; a++) {
        for (int c = 0; c < rows; c++) {
            q[a] -= W[a * rows + c] * own[c];
        }
    }
}

double carom_contact_sweep(const carom_contact_problem *p, double relaxation, double *r) {
    double largest = 0.0;
    for (int i = 0; i < p->block_count; i++) {
        const int rows = carom_contact_block_size(p, i);
        const double *W = p->entries + p->offset[p->diagonal[i]];
        double *own = r + carom_contact_problem_row(p, i);
        double q[CAROM_CONTACT_MOST_ROWS];
        double x[CAROM_CONTACT_MOST_ROWS];
        velocity_without(p, i, r, q);
        if (i < p->joint_count) {
            if (!(W[0] > 0.0)) {
                continue;
            }
            x[0] = -q[0] / W[0];
        } else if (!carom_contact_solve_local(p->tangent_count, W,
                                              carom_contact_block_friction(p, i), q, x)) {
            continue;
        }
        double change = 0.0;
        double size = 0.0;
        for (int a = 0; a < rows; a++) {
            change = fmax(change, fabs(x[a] - own[a]));
            size = fmax(size, fmax(fabs(x[a]), fabs(q[a]) / p->inverse_mass[i]));
            own[a] += relaxation * (x[a] - own[a]);
        }
        largest = change > 0.0 ? fmax(largest, change / size) : largest;
    }
    return largest;
}
