/** The impacts of bruls-2014 and thorin-2017: but for the rocking block, one contact each, without
 * friction. */
#include "results.h"

#include "scenes.h"

#include <stdlib.h>

/** Shortest time between impacts of a corner that the event-driven solution resolves, s; the first
 * impact does not depend on it. */
static const double RESOLUTION = 1e-3;

/** The ball at its first impact (section 10.1). */
carom_status impact_laws_make_ball(carom_impact_problem **out, carom_report *report) {
    const carom_bouncing_ball_params params = carom_bouncing_ball_params_default();
    carom_model *ball = NULL;
    CAROM_TRY(carom_bouncing_ball_alloc(&params, &ball, report));
    const double v = -carom_bouncing_ball_exact_impact(&params, 0).speed;
    const carom_status status = impact_laws_problem_at(&ball->mechanism, &params.radius, &v,
                                                       CAROM_IMPACT_CLOSED, out, report);
    carom_model_free(ball);
    return status;
}

/** The pendulum at its first impact (section 10.2): impact laws know no joints, so that it is
 * reduced to its angle, x = l cos(theta) and M = J + m l^2. */
carom_status impact_laws_make_pendulum(carom_impact_problem **out, carom_report *report) {
    const carom_bouncing_pendulum_params p = carom_bouncing_pendulum_params_default();
    carom_bouncing_pendulum_impact impact;
    CAROM_TRY(carom_bouncing_pendulum_exact_impacts(&p, 1, &impact, report));
    const double angle = -acos(p.wall_position / p.length);
    const double M = p.inertia + p.mass * p.length * p.length;
    const double normal = -p.length * sin(angle);
    const double tangent = 0.0;
    const double frictionless = 0.0;
    return carom_impact_problem_alloc(1, 1, 1, &M, &normal, &tangent, &frictionless, &impact.rate,
                                      out, report);
}

/** The bar as it reaches the wall, undeformed (section 10.3). */
carom_status impact_laws_make_bar(carom_impact_problem **out, carom_report *report) {
    const carom_elastic_bar_params params = carom_elastic_bar_params_default();
    carom_model *bar = NULL;
    CAROM_TRY(carom_elastic_bar_alloc(&params, &bar, report));
    for (int i = 0; i < bar->mechanism.coordinate_count; i++) {
        bar->initial_position[i] = -params.initial_gap;
    }
    const carom_status status =
        impact_laws_problem_at(&bar->mechanism, bar->initial_position, bar->initial_velocity,
                               CAROM_IMPACT_CLOSED, out, report);
    carom_model_free(bar);
    return status;
}

/** The falling block at the first impact of a corner (section 10.4). */
carom_status impact_laws_make_corner(carom_impact_problem **out, carom_report *report) {
    const carom_rocking_block_params params = carom_rocking_block_params_default();
    carom_rocking_block_impact impact;
    int count = 0;
    CAROM_TRY(carom_rocking_block_exact_impacts(&params, RESOLUTION, 1, &impact, &count, report));
    carom_model *block = NULL;
    CAROM_TRY(carom_rocking_block_alloc(&params, &block, report));
    double q[3];
    double v[3];
    carom_rocking_block_exact_state(&params, 0, NULL, impact.time, q, v);
    const carom_status status =
        impact_laws_problem_at(&block->mechanism, q, v, CAROM_IMPACT_CLOSED, out, report);
    carom_model_free(block);
    return status;
}

/** The same block at the end of a swing about one corner, with 1 rad/s (the rate is ours): without
 * friction. */
carom_status impact_laws_make_rocking_swing(carom_impact_problem **out, carom_report *report) {
    const carom_rocking_block_params block = carom_rocking_block_params_default();
    return impact_laws_make_swing(block.width, block.height, 0.0, 1.0, out, report);
}

/** A structure whose end reaches the obstacle, velocities growing along it to 1 m/s (ours: of the
 * velocities an impact law sees but that of the end). Frees the structure. */
static carom_status strike(carom_linear_system *system, carom_impact_problem **out,
                           carom_report *report) {
    const int n = system->coordinate_count;
    double *v = calloc((size_t)n, sizeof *v);
    carom_status status = v == NULL ? CAROM_STATUS_OUT_OF_MEMORY : CAROM_OK;
    for (int i = 0; i < n && v != NULL; i++) {
        v[i] = (i + 1.0) / n;
    }
    if (status == CAROM_OK) {
        status = impact_laws_problem_of_structure(system, v, out, report);
    }
    free(v);
    carom_linear_system_free(system);
    return status;
}

/** The chain of section 7.1. */
carom_status impact_laws_make_chain(carom_impact_problem **out, carom_report *report) {
    carom_linear_system *chain = NULL;
    CAROM_TRY(carom_serial_chain_uniform_alloc(5, 1.0, &chain, report));
    return strike(chain, out, report);
}

/** The bar of ten elements. */
carom_status impact_laws_make_clamped_bar(carom_impact_problem **out, carom_report *report) {
    const carom_clamped_bar_params params = carom_clamped_bar_params_default();
    carom_linear_system *bar = NULL;
    CAROM_TRY(carom_clamped_bar_alloc(&params, &bar, report));
    return strike(bar, out, report);
}
