#include <carom/timestepping/galpha/internal.h>

#include <carom/base/linear_algebra.h>
#include <carom/base/scales.h>
#include <carom/contact/contact.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Roundings of a sum that no iteration goes below: of its terms, and of the iterate itself. */
static const double ROUNDING = 16.0 * DBL_EPSILON;

carom_status carom_step_scales_init(carom_step_scales *scales, int n, int row_count) {
    const size_t rows = (size_t)n;
    const size_t constraints = (size_t)row_count;
    *scales = (carom_step_scales){0};
    scales->memory = calloc(5 * rows + 3 * constraints, sizeof(double));
    scales->first = calloc(2 * constraints + 1, sizeof(int));
    if (scales->memory == NULL || scales->first == NULL) {
        carom_step_scales_clear(scales);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    scales->end = scales->first + constraints;
    scales->momentum = scales->memory;
    scales->tangent = scales->momentum + rows;
    scales->change = scales->tangent + rows;
    scales->size = scales->change + rows;
    scales->last_size = scales->size + rows;
    scales->rate = scales->last_size + rows;
    scales->gap = scales->rate + constraints;
    scales->constraint = scales->gap + constraints;
    return CAROM_OK;
}

void carom_step_scales_clear(carom_step_scales *scales) {
    free(scales->memory);
    free(scales->first);
    *scales = (carom_step_scales){0};
}

void carom_step_scales_start(carom_step_context *step) {
    carom_step_scales *s = &step->scales;
    s->largest_change = 0.0;
    for (int j = 0; j < step->evaluation.row_count; j++) {
        const carom_evaluation_entries row = carom_evaluation_entries_of(&step->evaluation, j);
        s->first[j] = row.first;
        s->end[j] = row.end;
        while (step->mechanism->is_linear && s->end[j] > s->first[j] &&
               !(fabs(row.value[s->end[j] - 1]) > 0.0)) {
            s->end[j]--;
        }
        while (step->mechanism->is_linear && s->first[j] < s->end[j] &&
               !(fabs(row.value[s->first[j]]) > 0.0)) {
            s->first[j]++;
        }
    }
}

static double mass_of(const carom_step_context *step, int i) {
    return carom_layout_row(step->mechanism->layout, step->evaluation.mass, i)[i];
}

void carom_step_scales_size_last(carom_step_context *step) {
    const carom_evaluation *at = &step->evaluation;
    const carom_step_state *x = step->last;
    double *size = step->scales.last_size;
    carom_mechanism_position_sizes(step->mechanism, x->position, size);
    if (at->row_start == NULL) {
        return;
    }
    const double h = step->params.step;
    double *reaction = step->scales.change;
    memset(reaction, 0, (size_t)step->n * sizeof *reaction);
    for (int j = 0; j < at->row_count; j++) {
        step->scales.constraint[j] = h * x->impulse[j] + x->position_multiplier[j];
    }
    carom_evaluation_add_transposed_sizes(at, step->scales.constraint, reaction);
    for (int i = 0; i < step->n; i++) {
        const double mass = mass_of(step, i);
        size[i] += mass > 0.0 ? reaction[i] / mass : 0.0;
    }
}

double carom_step_gap_size(const carom_step_context *step, int j) {
    const carom_step_state *x = step->last;
    const carom_evaluation_entries row = carom_evaluation_entries_of(&step->evaluation, j);
    const double h = step->params.step;
    double size = fabs(step->evaluation.offset[j]) + h * fabs(step->evaluation.supports[j]);
    for (int k = step->scales.first[j]; k < step->scales.end[j]; k++) {
        const int i = row.column != NULL ? row.column[k] : k;
        const double speed =
            fabs(x->velocity[i]) + fabs(x->velocity_jump[i]) + h * fabs(x->smooth_acceleration[i]);
        size += fabs(row.value[k]) * (step->scales.last_size[i] + h * speed);
    }
    return size;
}

bool carom_step_is_closed(const carom_step_context *step, int j, double gap) {
    return gap <= 0.0 || gap <= step->params.tie_tolerance * carom_step_gap_size(step, j) ||
           gap <= carom_evaluation_time_rounding(&step->evaluation, j, step->time);
}

void carom_step_scales_begin(carom_step_context *step) {
    memset(step->scales.tangent, 0, (size_t)step->n * sizeof *step->scales.tangent);
}

void carom_step_scales_keep_tangents(carom_step_context *step) {
    const carom_evaluation *at = &step->evaluation;
    const carom_layout layout = step->mechanism->layout;
    const double h = step->params.step;
    double *tangent = step->scales.tangent;
    memset(tangent, 0, (size_t)step->n * sizeof *tangent);
    carom_mechanism_position_sizes(step->mechanism, step->next->position, step->scales.size);
    carom_scale_add_layout(layout, h, at->stiffness, step->scales.size, tangent);
    if (step->mechanism->damping != NULL) {
        carom_scale_add_layout(layout, h, at->damping, step->next->velocity, tangent);
    }
}

/* delta [n], what the step does to the speeds, with the roundings of the speeds themselves. */
static void compute_change(carom_step_context *step, double roundings) {
    const carom_step_state *x = step->next;
    const double h = step->params.step;
    for (int i = 0; i < step->n; i++) {
        step->scales.change[i] = h * fabs(x->smooth_acceleration[i]) + fabs(x->velocity_jump[i]) +
                                 fabs(x->position_correction[i]) / h +
                                 roundings * (fabs(x->velocity[i]) + fabs(step->last->velocity[i]));
    }
}

/* Of the step's tolerance, what a contact problem that counts as solved leaves: its certificate
 * counts an impulse by itself, and once more in its velocity. */
static double solved_part(const carom_step_context *step) {
    return 2.0 * carom_contact_params_default().tolerance / step->params.tolerance;
}

/* What a contact with friction does and has done to it: its speeds, before an impact too, and what
 * the step changes of them, along whichever of its rows is largest; 0 without friction. */
static double contact_speed(const carom_step_context *step, int j) {
    const carom_evaluation *at = &step->evaluation;
    const int t = at->tangent_count;
    const int first = step->m + (j - step->joint_count) * t;
    double speed = fmax(fabs(at->rate[j]), fabs(carom_step_restituted(step, j)));
    for (int a = -1; a < t; a++) {
        const carom_evaluation_entries row = carom_evaluation_entries_of(at, a < 0 ? j : first + a);
        double change = a < 0 ? 0.0 : fabs(at->rate[first + a]);
        for (int k = row.first; k < row.end; k++) {
            change +=
                fabs(row.value[k]) * step->scales.change[row.column != NULL ? row.column[k] : k];
        }
        speed = fmax(speed, change);
    }
    return speed;
}

/* A contact problem is solved beside all that acts in a contact, the impulse that would stop it
 * too: by J_n and the masses of the coordinates alone, of contacts that press. */
static void add_stopping_impulses(carom_step_context *step) {
    const int t = step->evaluation.tangent_count;
    for (int j = step->joint_count; j < step->m && t > 0; j++) {
        const double speed = step->next->impulse[j] > 0.0 ? contact_speed(step, j) : 0.0;
        const carom_evaluation_entries row = carom_evaluation_entries_of(&step->evaluation, j);
        double inverse_mass = 0.0;
        for (int k = row.first; k < row.end && speed > 0.0; k++) {
            const double mass = mass_of(step, row.column != NULL ? row.column[k] : k);
            inverse_mass += mass > 0.0 ? row.value[k] * row.value[k] / mass : 0.0;
        }
        const double impulse = inverse_mass > 0.0 ? solved_part(step) * speed / inverse_mass : 0.0;
        step->scales.constraint[j] += impulse;
        for (int a = 0; a < t; a++) {
            step->scales.constraint[step->m + (j - step->joint_count) * t + a] += impulse;
        }
    }
}

/* P, the momenta. */
static void compute_momentum(carom_step_context *step, double roundings) {
    carom_step_scales *s = &step->scales;
    const carom_evaluation *at = &step->evaluation;
    const carom_step_state *x = step->next;
    const double h = step->params.step;
    double norm = 0.0;
    double *root = s->size; /* of M_ii */
    for (int i = 0; i < step->n; i++) {
        s->momentum[i] = h * fabs(at->force[i]) + roundings * s->tangent[i];
        root[i] = sqrt(mass_of(step, i));
        norm = fmax(norm, root[i] * s->change[i]);
    }
    for (int j = 0; j < step->evaluation.row_count; j++) {
        s->constraint[j] =
            h * fabs(x->force[j]) + fabs(x->impulse[j]) + fabs(x->position_multiplier[j]) / h;
    }
    add_stopping_impulses(step);
    carom_scale_add_layout(step->mechanism->layout, 1.0, at->mass, s->change, s->momentum);
    carom_evaluation_add_transposed_sizes(at, s->constraint, s->momentum);
    /* a solve spreads the rounding of the largest change, in the metric of the mass */
    for (int i = 0; i < step->n; i++) {
        s->momentum[i] += roundings * root[i] * norm;
    }
}

/* Speeds that reactions leave: a row asks no more of these than a contact problem that counts as
 * solved. */
static void add_reactions(carom_step_context *step) {
    const double solved = solved_part(step);
    carom_evaluation *at = &step->evaluation;
    double *reaction = at->coordinate;
    memset(reaction, 0, (size_t)step->n * sizeof *reaction);
    carom_evaluation_add_transposed_sizes(at, step->scales.constraint, reaction);
    for (int i = 0; i < step->n; i++) {
        const double mass = mass_of(step, i);
        step->scales.change[i] += mass > 0.0 ? solved * reaction[i] / mass : 0.0;
    }
}

void carom_step_scales_compute(carom_step_context *step) {
    carom_step_scales *s = &step->scales;
    const carom_evaluation *at = &step->evaluation;
    const double h = step->params.step;
    const double roundings = ROUNDING / step->params.tolerance;
    compute_change(step, roundings);
    compute_momentum(step, roundings);
    for (int i = 0; i < step->n; i++) {
        const double mass = mass_of(step, i);
        s->change[i] += mass > 0.0 ? roundings * h * fabs(at->force[i]) / mass : 0.0;
    }
    if (at->row_start != NULL || at->tangent_count > 0) {
        add_reactions(step);
    }
    memset(s->rate, 0, (size_t)at->row_count * sizeof *s->rate);
    carom_evaluation_add_sizes(at, at->row_count, s->change, s->rate);
    for (int j = 0; j < at->row_count; j++) {
        s->rate[j] += roundings * fabs(at->supports[j]);
    }
    double largest = 0.0; /* a solve spreads its rounding */
    for (int j = 0; j < step->evaluation.row_count; j++) {
        largest = fmax(largest, s->rate[j]);
    }
    for (int j = 0; j < step->evaluation.row_count; j++) {
        s->rate[j] += roundings * largest;
    }
    for (int j = step->joint_count; j < step->m && at->tangent_count > 0; j++) {
        s->rate[j] += solved_part(step) * contact_speed(step, j);
    }
}

void carom_step_scales_compute_gaps(carom_step_context *step) {
    carom_step_scales *s = &step->scales;
    const carom_evaluation *at = &step->evaluation;
    const double h = step->params.step;
    const double roundings = ROUNDING / step->params.tolerance;
    memcpy(s->gap, s->rate, (size_t)at->row_count * sizeof *s->gap);
    carom_mechanism_position_sizes(step->mechanism, step->next->position, s->size);
    for (int i = 0; i < step->n; i++) {
        s->change[i] = roundings * s->size[i] / h;
    }
    const double *sizes = step->mechanism->constraint_sizes;
    for (int j = 0; j < at->m; j++) {
        const double size = fabs(at->offset[j]) + (sizes != NULL ? sizes[j] : 0.0);
        s->gap[j] += roundings * size / h;
    }
    carom_evaluation_add_sizes(at, at->row_count, s->change, s->gap);
}

double carom_step_scales_of(const carom_step_context *step, int j, const double *constraint,
                            bool is_imposed) {
    return is_imposed ? constraint[j] : step->activation[j] * constraint[j];
}
