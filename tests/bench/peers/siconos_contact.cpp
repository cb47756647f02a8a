/* Siconos' solvers of contact problems: nonsmooth Gauss-Seidel on blocks, and Alart and Curnier's
 * Newton method, each as its driver sets it up. */
#include "peers.h"

#include <CSparseMatrix.h>
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsSparseMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace {

struct Problem {
    FrictionContactProblem data{};
    std::vector<double> q, mu, velocity;
    bool is_newton;
};

NumericsMatrix *sparse_matrix(const carom_contact_problem *p) {
    const int size = 1 + p->tangent_count;
    NumericsMatrix *M = NM_create(NM_SPARSE, p->row_count, p->row_count);
    NM_triplet_alloc(M, p->start[p->block_count] * size * size);
    for (int i = 0; i < p->block_count; i++) {
        for (int k = p->start[i]; k < p->start[i + 1]; k++) {
            for (int e = 0; e < size * size; e++) {
                NM_entry(M, i * size + e / size, p->column[k] * size + e % size,
                         p->entries[p->offset[k] + (size_t)e]);
            }
        }
    }
    return M;
}

void *open(const carom_contact_problem *p, bool is_newton) {
    auto of = std::make_unique<Problem>();
    const int size = 1 + p->tangent_count;
    NumericsMatrix *M = sparse_matrix(p);
    if (!is_newton) {
        SparseBlockStructuredMatrix *blocks = SBM_new();
        if (SBM_from_csparse(size, NM_csc(M), blocks) != 0) {
            return nullptr;
        }
        M = NM_new_SBM(p->row_count, p->row_count, blocks);
    }
    of->is_newton = is_newton;
    of->q.assign(p->free_velocity, p->free_velocity + p->row_count);
    of->mu.assign(p->friction, p->friction + p->contact_count);
    of->velocity.resize((size_t)p->row_count);
    of->data.dimension = size;
    of->data.numberOfContacts = p->contact_count;
    of->data.M = M;
    of->data.q = of->q.data();
    of->data.mu = of->mu.data();
    return of.release();
}

void *open_sweeps(const carom_contact_problem *p) {
    return open(p, false);
}

void *open_newton(const carom_contact_problem *p) {
    return open(p, true);
}

bool solve(void *problem, double tolerance, double *r) {
    Problem *of = static_cast<Problem *>(problem);
    const bool is_plane = of->data.dimension == 2;
    SolverOptions *options = solver_options_create(of->is_newton ? SICONOS_FRICTION_3D_NSN_AC
                                                   : is_plane    ? SICONOS_FRICTION_2D_NSGS
                                                                 : SICONOS_FRICTION_3D_NSGS);
    options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    options->iparam[SICONOS_IPARAM_MAX_ITER] = of->is_newton ? 1000 : 50000;
    std::fill(of->velocity.begin(), of->velocity.end(), 0.0);
    const int status = is_plane ? fc2d_driver(&of->data, r, of->velocity.data(), options)
                                : fc3d_driver(&of->data, r, of->velocity.data(), options);
    solver_options_delete(options);
    return status == 0;
}

// What its matrices hold is left to the end of the program.
void close(void *problem) {
    delete static_cast<Problem *>(problem);
}

bool any(int tangents) {
    return tangents > 0;
}

bool space(int tangents) {
    return tangents == 2;
}

} // namespace

extern "C" {
const contact_peer siconos_sweeps = {"Siconos", "nsgs", any, open_sweeps, solve, close};
const contact_peer siconos_newton = {"Siconos", "nsn_ac", space, open_newton, solve, close};
}
