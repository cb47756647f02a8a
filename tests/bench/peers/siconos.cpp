/* Siconos: Moreau and Jean's scheme with theta 1/2, one-step problems by its Lemke method. */
#include "peers.h"

#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SiconosKernel.hpp>
#include <SolverOptions.h>
#include <lcp_cst.h>

#include <memory>
#include <vector>

namespace {

struct Run {
    std::shared_ptr<LagrangianLinearTIDS> body;
    std::shared_ptr<TimeStepping> simulation;
    std::shared_ptr<NonSmoothDynamicalSystem> system;
};

void *open(const peer_system *s) {
    try {
        auto run = std::make_unique<Run>();
        const unsigned n = (unsigned)s->n;
        auto M = std::make_shared<SimpleMatrix>(n, n);
        auto K = std::make_shared<SimpleMatrix>(n, n);
        auto q = std::make_shared<SiconosVector>(n);
        auto v = std::make_shared<SiconosVector>(n);
        auto f = std::make_shared<SiconosVector>(n);
        for (unsigned i = 0; i < n; i++) {
            q->setValue(i, s->q[i]);
            v->setValue(i, s->v[i]);
            f->setValue(i, s->f[i]);
            for (unsigned j = 0; j < n; j++) {
                M->setValue(i, j, s->M[i * n + j]);
                K->setValue(i, j, s->K[i * n + j]);
            }
        }
        auto C = std::make_shared<SimpleMatrix>(n, n);
        run->body = std::make_shared<LagrangianLinearTIDS>(q, v, M, K, C);
        run->body->setFExtPtr(f);
        run->system = std::make_shared<NonSmoothDynamicalSystem>(0.0, s->end);
        run->system->insertDynamicalSystem(run->body);
        for (int a = 0; a < s->m; a++) {
            auto H = std::make_shared<SimpleMatrix>(1, n);
            auto b = std::make_shared<SiconosVector>(1);
            b->setValue(0, s->g0[a]);
            for (unsigned i = 0; i < n; i++) {
                H->setValue(0, i, s->G[(unsigned)a * n + i]);
            }
            auto law = std::make_shared<NewtonImpactNSL>(s->restitution);
            auto relation = std::make_shared<LagrangianLinearTIR>(H, b);
            run->system->link(std::make_shared<Interaction>(law, relation), run->body);
        }
        run->simulation = std::make_shared<TimeStepping>(
            run->system, std::make_shared<TimeDiscretisation>(0.0, s->step),
            std::make_shared<MoreauJeanOSI>(0.5), std::make_shared<LCP>(SICONOS_LCP_LEMKE));
        return run.release();
    } catch (...) {
        return nullptr;
    }
}

bool advance(void *simulation) {
    try {
        Run *run = static_cast<Run *>(simulation);
        run->simulation->computeOneStep();
        run->simulation->nextStep();
        return true;
    } catch (...) {
        return false;
    }
}

void read(const void *simulation, int n, double *q) {
    const auto &position = *static_cast<const Run *>(simulation)->body->q();
    for (int i = 0; i < n; i++) {
        q[i] = position(i);
    }
}

void close(void *simulation) {
    delete static_cast<Run *>(simulation);
}

bool solve(int n, const double *M, const double *q, double *z) {
    std::vector<double> columns((size_t)n * n), constant(q, q + n), w(n);
    for (int i = 0; i < n; i++) {
        z[i] = 0.0;
        for (int j = 0; j < n; j++) {
            columns[(size_t)j * n + i] = M[(size_t)i * n + j];
        }
    }
    NumericsMatrix *matrix = NM_create_from_data(NM_DENSE, n, n, columns.data());
    LinearComplementarityProblem problem = {n, matrix, constant.data()};
    SolverOptions *options = solver_options_create(SICONOS_LCP_LEMKE);
    const bool is_solved = linearComplementarity_driver(&problem, z, w.data(), options) == 0;
    solver_options_delete(options);
    matrix->matrix0 = nullptr;
    NM_clear(matrix);
    free(matrix);
    return is_solved;
}

} // namespace

extern "C" const peer siconos_peer = {"Siconos", open, advance, read, close, solve};
