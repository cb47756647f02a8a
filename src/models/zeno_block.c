#include <carom/models/zeno_block.h>

#include <carom/models/internal.h>
#include <carom/models/model.h>
#include <carom/models/rigid_block.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>

carom_zeno_block_params carom_zeno_block_params_default(void) {
    const carom_zeno_block_params params = {
        .width = 1.0,
        .height = 2.0,
        .mass = 1.0,
        .friction = 1.0,
        .initial_rate = 1.0,
        .gravity = 9.81,
        .reference_force = NAN,
    };
    return params;
}

double carom_zeno_block_reference_force(const carom_zeno_block_params *params) {
    CAROM_ASSERT(params != NULL);
    const double published_weight = 9.81;
    return isnan(params->reference_force) ? params->mass * params->gravity / published_weight
                                          : params->reference_force;
}

static carom_status check(const carom_zeno_block_params *params, carom_report *report) {
    CAROM_TRY(carom_model_require_positive("width", params->width, report));
    CAROM_TRY(carom_model_require_positive("height", params->height, report));
    CAROM_TRY(carom_model_require_positive("mass", params->mass, report));
    CAROM_TRY(carom_model_require_within("friction", params->friction, 0.0, INFINITY, report));
    CAROM_TRY(carom_model_require_positive("initial rate", params->initial_rate, report));
    CAROM_TRY(carom_model_require_positive("gravity", params->gravity, report));
    return carom_model_require_positive("reference force", carom_zeno_block_reference_force(params),
                                        report);
}

carom_status carom_zeno_block_scene(const carom_zeno_block_params *params, carom_impact_scene **out,
                                    carom_report *report) {
    CAROM_ASSERT(params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(check(params, report));
    carom_rigid_block_params flat = carom_rigid_block_params_default();
    flat.width = params->width;
    flat.height = params->height;
    flat.mass = params->mass;
    flat.friction = params->friction;
    flat.gravity = params->gravity;
    flat.initial_speed = 0.0;
    CAROM_TRY(carom_rigid_block_alloc(&flat, out, report));
    (*out)->velocity[0] = -0.5 * params->height * params->initial_rate;
    (*out)->velocity[1] = 0.5 * params->width * params->initial_rate;
    (*out)->velocity[2] = params->initial_rate;
    return CAROM_OK;
}

/** Constants of the block, and refusals that need no swing. */
static carom_status set_up(const carom_zeno_block_params *params, carom_zeno_block *block,
                           carom_report *report) {
    const double w = params->width;
    const double h = params->height;
    const double size = w * w + h * h;
    block->params = *params;
    block->params.reference_force = carom_zeno_block_reference_force(params);
    block->half_diagonal = 0.5 * sqrt(size);
    block->corner_angle = atan2(h, w);
    /* I + m r^2 = m (w^2 + h^2)/3. */
    block->pendulum_share = 3.0 * params->gravity * block->half_diagonal / size;
    block->transfer = 1.0 - 1.5 * w * w / size;
    block->resting_share =
        1.0 / (1.0 + params->mass / block->params.reference_force * params->gravity);
    if (!(block->transfer > 0.0 && block->transfer < 1.0)) {
        return carom_report_bound(report, "width", w, "not negligible beside the height, below",
                                  sqrt(2.0) * h);
    }
    return CAROM_OK;
}

/** Half cycles are as short as rounding allows when all that follow, 2 rate/(k cos a (1 - e)) as of
 * small ones, do not change t*. */
static double remaining_time(const carom_zeno_block *block, double rate) {
    const double fall = block->pendulum_share * cos(block->corner_angle);
    return 2.0 * rate / (fall * (1.0 - block->transfer));
}

/** Enough half cycles: their times fall at most as fast as the rates, whose sum is 1/(1 - e). */
static int count_half_cycles(const carom_zeno_block *block) {
    const double needed = log(DBL_EPSILON * (1.0 - block->transfer)) / log(block->transfer);
    return needed < CAROM_ZENO_BLOCK_MOST_HALF_CYCLES ? (int)ceil(needed) : -1;
}

/** A half cycle from its rate and start. */
static carom_zeno_half_cycle half_cycle_of(const carom_zeno_block *block,
                                           const carom_zeno_swing *swing, double start_time) {
    const double w = block->params.width;
    /* Over kappa, as s counts impulses. */
    const double m = block->params.mass / block->params.reference_force;
    const double weight = m * block->params.gravity;
    const double lost = block->params.initial_rate - swing->rate;
    const double duration = 2.0 * swing->half_time;
    carom_zeno_half_cycle cycle = {
        .rate = swing->rate,
        .start_time = start_time,
        /* The impulses of the half cycles before, summed in closed form. */
        .start_s = (1.0 + weight) * start_time - 0.5 * m * w * lost,
        .apex_angle = swing->apex_angle,
        .impact_time = start_time + duration,
        .impulse = 0.5 * block->params.mass * w * swing->rate * (1.0 + block->transfer),
        .impact_length = 0.5 * m * w * swing->rate * (1.0 + block->transfer),
    };
    cycle.impact_s = cycle.start_s + (1.0 + weight) * duration - m * w * swing->rate;
    return cycle;
}

/** What the first swing says of the whole: its forces are the extreme ones, and the bounds. */
static carom_status judge_first_swing(carom_zeno_block *block, carom_report *report) {
    const carom_zeno_swing swing = carom_zeno_swing_of(block, block->params.initial_rate);
    if (!(swing.apex_cosine > 0.0)) {
        return carom_report_bound(
            report, "initial rate", block->params.initial_rate, "below",
            sqrt(2.0 * block->pendulum_share * (1.0 - sin(block->corner_angle))));
    }
    carom_zeno_swing_normal_range(block, &swing, &block->smallest_force, &block->largest_force);
    block->friction_ratio = carom_zeno_swing_friction(block, &swing);

    const carom_zeno_half_cycle cycle = half_cycle_of(block, &swing, 0.0);
    const double lost = 1.0 - block->transfer;
    block->first_swing_bound = 2.0 * swing.rate / (block->pendulum_share * swing.apex_cosine);
    block->time_bound = cycle.impact_time / lost;
    block->s_bound = (cycle.impact_s + cycle.impact_length) / lost;
    return CAROM_OK;
}

/** All half cycles, their accumulation and the friction that they need. */
static carom_status follow(carom_zeno_block *block, carom_report *report) {
    /* The impact sticks if (h/w) (1 - e)/(1 + e) = |c_nt|/c_tt <= mu. */
    const double e = block->transfer;
    block->stick_friction = (block->params.height / block->params.width) * (1.0 - e) / (1.0 + e);
    double time = 0.0;
    double rate = block->params.initial_rate;
    for (int i = 0; i < block->half_cycle_count; i++) {
        const carom_zeno_swing swing = carom_zeno_swing_of(block, rate);
        block->half_cycles[i] = half_cycle_of(block, &swing, time);
        block->stick_friction =
            fmax(block->stick_friction, carom_zeno_swing_friction(block, &swing));
        time = block->half_cycles[i].impact_time;
        rate *= e;
    }
    if (block->params.friction < block->stick_friction) {
        return carom_report_bound(report, "friction", block->params.friction, "at least",
                                  block->stick_friction);
    }

    const double m = block->params.mass / block->params.reference_force;
    const double weight = m * block->params.gravity;
    block->accumulation_time = time + remaining_time(block, rate);
    block->accumulation_s = (1.0 + weight) * block->accumulation_time -
                            0.5 * m * block->params.width * block->params.initial_rate;
    const carom_zeno_half_cycle *first = &block->half_cycles[0];
    const bool is_told = first->apex_angle > 0.0 && first->impact_s > 0.0 && first->impulse > 0.0 &&
                         first->impact_length > 0.0 && isfinite(block->accumulation_s) &&
                         isfinite(block->s_bound);
    return is_told ? CAROM_OK
                   : carom_report_say(report, CAROM_STATUS_OUT_OF_RANGE,
                                      "with initial rate %.6g rad/s the square of the rate or the "
                                      "impulses leave the range of numbers",
                                      block->params.initial_rate);
}

static carom_status solve(const carom_zeno_block_params *params, carom_zeno_block *block,
                          carom_report *report) {
    CAROM_TRY(set_up(params, block, report));
    CAROM_TRY(judge_first_swing(block, report));
    block->half_cycle_count = count_half_cycles(block);
    if (block->half_cycle_count < 0) {
        return carom_report_refuse(report, "width", params->width, -1,
                                   "so large that 100000 half cycles bring it to rest");
    }
    block->half_cycles = calloc((size_t)block->half_cycle_count, sizeof(*block->half_cycles));
    if (block->half_cycles == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    return follow(block, report);
}

carom_status carom_zeno_block_alloc(const carom_zeno_block_params *params, carom_zeno_block **out,
                                    carom_report *report) {
    CAROM_ASSERT(params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(check(params, report));
    CAROM_AUTO(carom_zeno_block) block = calloc(1, sizeof(*block));
    if (block == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(solve(params, block, report));
    CAROM_HAND_OVER(block, out);
    return CAROM_OK;
}

void carom_zeno_block_free(carom_zeno_block *block) {
    if (block == NULL) {
        return;
    }
    free(block->half_cycles);
    free(block);
}
