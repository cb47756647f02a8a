#include <carom/contact/internal.h>

#include <math.h>

static double length_of(int count, const double *x) {
    double length = 0.0;
    for (int a = 0; a < count; a++) {
        length = hypot(length, x[a]);
    }
    return length;
}

void carom_contact_classify(const carom_contact_problem *problem, const double *r, const double *u,
                            double tolerance, carom_contact_state *states) {
    const carom_contact_problem *p = problem;
    for (int i = 0; i < p->contact_count; i++) {
        const int row = carom_contact_problem_row(p, p->joint_count + i);
        const double w = p->inverse_mass[p->joint_count + i];
        const double size = carom_contact_impulse_scale(p, p->joint_count + i, r);
        const double speed = length_of(p->tangent_count, u + row + 1);
        states[i] = CAROM_CONTACT_OPEN;
        if (r[row] > tolerance * size) {
            states[i] = speed > tolerance * w * size ? CAROM_CONTACT_SLIDES : CAROM_CONTACT_STICKS;
        }
    }
}

double carom_contact_energy(const carom_contact_problem *problem, const double *r,
                            const double *u) {
    double energy = 0.0;
    for (int i = 0; i < problem->row_count; i++) {
        energy += 0.5 * r[i] * (u[i] + problem->free_velocity[i]);
    }
    return energy;
}
