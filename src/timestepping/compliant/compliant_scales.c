#include <carom/timestepping/compliant/internal.h>

#include <carom/base/scales.h>

#include <float.h>
#include <math.h>
#include <string.h>

/* What the parameters are where they are left open: parts of the speed that the energy gives a
 * contact, and contact times for each unit of damping. Halm's block has 1e-10 m/s and 1e-9 m/s at
 * speeds of half a metre a second, and 0.1 s beside 0.4 ms. A coefficient of friction beyond the
 * large one multiplies epsilon: what sticks creeps with epsilon over the coefficient. */
static const double REGULARISATION = 2e-10;
static const double LARGE_FRICTION = 100.0;
static const double STOP = 2e-9;
static const double SPAN = 100.0;

/* Gaps are touch up to this part of the compression, and this many of their roundings. */
static const double TOUCH = 1e-9;
static const double TOUCH_ROUNDINGS = 4.0;

/* A sliding speed is known to this many roundings of the largest one, and the friction of what
 * sticks to the coefficient times that over epsilon. */
static const double SLIDING_ROUNDINGS = 16.0;

/* Part of the compressions that the rounding of a gap may be. */
static const double LARGEST_ROUNDING = 0.1;

/* Instants of the time span at which the force is seen. */
enum { INSTANTS = 9 };

/* w = J M^-1 J' of one row. */
static double compliance_of(carom_compliant_system *s, const double *row) {
    double sum = 0.0;
    memcpy(s->column, row, (size_t)s->n * sizeof *row);
    carom_factor_solve(s->factor, s->column);
    for (int j = 0; j < s->n; j++) {
        sum += row[j] * s->column[j];
    }
    return sum;
}

/* Diagonal of M^-1, compliances of all rows, and the longest contact time. */
static carom_status take_masses(carom_compliant_system *s, carom_report *report) {
    for (int j = 0; j < s->n; j++) {
        memset(s->column, 0, (size_t)s->n * sizeof *s->column);
        s->column[j] = 1.0;
        carom_factor_solve(s->factor, s->column);
        s->inverse_mass[j] = s->column[j];
        if (!(s->inverse_mass[j] > 0.0)) {
            return carom_report_fail(report, CAROM_STATUS_SINGULAR, "mass", (double)NAN, j);
        }
    }
    s->contact_time = 0.0;
    for (int i = 0; i < s->m; i++) {
        s->compliance[i] = fmax(0.0, compliance_of(s, &s->normal_rows[i * s->n]));
        if (s->compliance[i] > 0.0) {
            const double time = 1.0 / sqrt(s->compliance[i]) / sqrt(s->params->stiffness[i]);
            s->contact_time = fmax(s->contact_time, time);
        }
    }
    for (int i = 0; i < s->m * s->t; i++) {
        s->compliance[s->m + i] = fmax(0.0, compliance_of(s, &s->tangential_rows[i * s->n]));
    }
    return CAROM_OK;
}

/* What the parameters leave to the masses and springs: time span and dampers. */
static carom_status take_times(carom_compliant_system *s, carom_report *report) {
    carom_compliant_params *params = &s->resolved;
    if (isnan(params->time_span)) {
        params->time_span = SPAN * (1.0 + params->damping_ratio) * s->contact_time;
    }
    if (!(params->time_span > 0.0)) {
        return carom_report_refuse(report, "time span", params->time_span, -1, "> 0");
    }
    for (int i = 0; i < s->m; i++) {
        const double inertia = s->compliance[i] > 0.0 ? 1.0 / s->compliance[i] : 0.0;
        const double mass = isnan(params->reference_mass) ? inertia : params->reference_mass;
        const double argument = params->damping == CAROM_COMPLIANT_DAMPING_PRINTED
                                    ? params->stiffness[i] / mass
                                    : params->stiffness[i] * mass;
        s->damping[i] = 2.0 * params->damping_ratio * sqrt(argument);
    }
    return CAROM_OK;
}

/* f' M^-1 f t^2/2: the energy that a force brings about from rest within a time. */
static double energy_of_force(carom_compliant_system *s, double t, const double *v) {
    const carom_mechanism *at = s->mechanism;
    double sum = 0.0;
    at->force(t, s->initial_position, v, s->acceleration, at->context);
    memcpy(s->column, s->acceleration, (size_t)s->n * sizeof *s->column);
    carom_factor_solve(s->factor, s->column);
    for (int j = 0; j < s->n; j++) {
        sum += s->contact_time * s->column[j] * s->contact_time * s->acceleration[j];
    }
    return 0.5 * sum;
}

/* Kinetic energy, that of the springs, and that of the largest force. */
static double initial_energy(carom_compliant_system *s, const double *v) {
    double energy = carom_mechanism_kinetic_energy(s->mechanism, s->initial_position, v, s->work);
    for (int i = 0; i < s->m; i++) {
        const double depth = fmax(0.0, -s->gap[i]);
        energy += 0.5 * s->params->stiffness[i] * depth * depth;
    }
    double of_force = 0.0;
    for (int k = 0; k < INSTANTS; k++) {
        const double t = s->params->time_span * k / (INSTANTS - 1);
        const double value = energy_of_force(s, t, v);
        of_force = value > of_force || isnan(value) ? value : of_force;
    }
    return energy + of_force;
}

/* sqrt(2 E/k), m. */
static double compression(const carom_compliant_system *s, int i) {
    return carom_scale_speed(s->energy, 1.0 / s->params->stiffness[i]);
}

/* What the energy decides: speeds that are small, gaps that are touch. */
static carom_status take_speeds(carom_compliant_system *s, carom_report *report) {
    carom_compliant_params *params = &s->resolved;
    double speed = 0.0;
    double sliding = 0.0;
    double friction = 1.0;
    for (int i = 0; i < s->m; i++) {
        speed = fmax(speed, carom_scale_speed(s->energy, s->compliance[i]));
        double rounding = 0.0;
        carom_scale_add_product(1, s->n, &s->normal_rows[i * s->n], s->position, &rounding);
        s->touching[i] = fmax(TOUCH * compression(s, i), TOUCH_ROUNDINGS * DBL_EPSILON * rounding);
        for (int k = i * s->t; k < (i + 1) * s->t && s->mechanism->friction[i] > 0.0; k++) {
            sliding = fmax(sliding, carom_scale_speed(s->energy, s->compliance[s->m + k]));
            friction = fmax(friction, s->mechanism->friction[i]);
        }
    }
    if (isnan(params->stop_speed)) {
        params->stop_speed = STOP * speed;
    }
    if (isnan(params->regularisation_speed)) {
        params->regularisation_speed =
            REGULARISATION * fmax(speed, sliding) * fmax(1.0, friction / LARGE_FRICTION);
    }
    const double rounding = SLIDING_ROUNDINGS * DBL_EPSILON * sliding * friction;
    if (sliding > 0.0 && !(params->regularisation_speed > rounding)) {
        return carom_report_refuse(report, "regularisation speed", params->regularisation_speed, -1,
                                   "above friction times the rounding of sliding speeds");
    }
    return CAROM_OK;
}

carom_status carom_compliant_take_scales(carom_compliant_system *s, const double *v,
                                         carom_report *report) {
    CAROM_TRY(take_masses(s, report));
    CAROM_TRY(take_times(s, report));
    s->energy = initial_energy(s, v);
    if (!isfinite(s->energy)) {
        return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "energy", s->energy, -1);
    }
    return take_speeds(s, report);
}

/* What stiffness makes of the rounding of gaps: a gap out by d is a speed out by d over the contact
 * time, this part of the speed that the energy can bring about. */
static double rounding_part(carom_compliant_system *s, const double *y) {
    double largest = 0.0;
    for (int i = 0; i < s->m; i++) {
        if (s->mode[i] == CAROM_COMPLIANT_PRESSING) {
            double terms = 0.0;
            const double *row = &s->normal_rows[i * s->n];
            carom_scale_add_product(1, s->n, row, s->initial_position, &terms);
            carom_scale_add_product(1, s->n, row, y, &terms);
            const double part = terms / compression(s, i);
            if (part > largest) {
                largest = part;
                s->stiffest_contact = i;
            }
        }
    }
    const double excess = DBL_EPSILON * largest / LARGEST_ROUNDING;
    s->largest_stiffness = s->params->stiffness[s->stiffest_contact] / excess / excess;
    return DBL_EPSILON * fmax(1.0, largest);
}

carom_status carom_compliant_weigh(carom_compliant_system *s, const double *y, double *weight) {
    const double relative = fmax(s->params->relative_tolerance, DBL_EPSILON);
    const double kinetic =
        carom_mechanism_kinetic_energy(s->mechanism, s->position, y + s->n, s->work);
    s->energy = fmax(s->energy, kinetic);
    const double rounding = rounding_part(s, y);
    if (rounding > LARGEST_ROUNDING) {
        return CAROM_STATUS_OUT_OF_RANGE;
    }
    const double absolute = fmax(s->params->absolute_tolerance, rounding);
    for (int j = 0; j < s->n; j++) {
        const double speed = carom_scale_speed(s->energy, s->inverse_mass[j]);
        weight[j] = absolute * speed * s->contact_time;
        weight[s->n + j] = absolute * speed;
    }
    for (int i = 0; i < s->m * (1 + s->t); i++) {
        const bool is_mobile = s->compliance[i] > 0.0;
        weight[2 * s->n + i] =
            is_mobile ? absolute * carom_scale_impulse(s->energy, s->compliance[i]) : 0.0;
    }
    for (int k = 0; k < s->size; k++) {
        weight[k] += relative * fabs(y[k]);
    }
    return CAROM_OK;
}
