#include <carom/timestepping/variational/step_internal.h>
#include <carom/timestepping/variational/stepper_internal.h>

#include <float.h>
#include <math.h>
#include <string.h>

/** A contact rests if its speed is below so many tolerances of the law of impact: what that law
 * leaves is at most one. */
static const double REST = 4.0;

/** Roundings of each term of a gap. */
static const double ROUNDINGS_OF_GAP = 8.0;

/** What is left of a step below this part of it is rounding. */
static const double NO_LENGTH = 1e-13;

double carom_variational_potential_energy(const carom_variational_stepper *stepper) {
    return stepper->mechanism->potential_energy(stepper->next->position,
                                                stepper->mechanism->context);
}

carom_status carom_variational_set_tolerances(carom_variational_stepper *stepper, double t,
                                              const double *q, const double *v,
                                              carom_report *report) {
    const carom_mechanism *mechanism = stepper->mechanism;
    const double h = stepper->params.step;
    const int n = mechanism->coordinate_count;
    const int b = mechanism->joint_count;
    const int c = carom_mechanism_constraint_count(mechanism);
    double *normals = stepper->search.normals;
    double *a = stepper->acceleration;
    if (c == 0) {
        return CAROM_OK;
    }
    carom_mechanism_constraint_jacobian(mechanism, q, normals);
    mechanism->force(t, q, v, a, mechanism->context);
    const carom_status status = carom_variational_velocity(stepper->step, q, a, a);
    if (status != CAROM_OK) {
        return carom_report_fail(report, status, "acceleration", (double)NAN, -1);
    }
    // Coordinates are as large as at the beginning, and what they move within the step.
    stepper->distance = 0.0;
    for (int i = 0; i < c; i++) {
        const double *normal = normals + i * n;
        double size = 0.0;
        double distance = 0.0;
        for (int j = 0; j < n; j++) {
            size += fabs(normal[j]) * (fabs(q[j]) + h * fabs(v[j]));
            distance += fabs(normal[j]) * h * (fabs(v[j]) + h * fabs(a[j]));
        }
        stepper->rounding[i] = ROUNDINGS_OF_GAP * DBL_EPSILON * size;
        stepper->distance = fmax(stepper->distance, distance);
    }
    for (int i = b; i < c; i++) {
        const double tolerance = stepper->params.gap_tolerance * stepper->distance;
        stepper->gap_tolerance[i - b] = fmax(tolerance, stepper->rounding[i]);
    }
    return CAROM_OK;
}

/* ----------------------------------------------------------------------------------- an impact */

/** What counts as zero of the speeds (w_i,p). */
static double rest_speed(const carom_variational_stepper *stepper) {
    return REST * stepper->params.impact_tolerance * stepper->contacts.norm;
}

/** Slower than this a contact moves less than the gap tolerance within a step: it counts as at
 * rest, however small the momentum is that its speed is compared with. */
static double slow_speed(const carom_variational_stepper *stepper, int i) {
    const double length = stepper->contacts.length[i];
    const double rate = stepper->gap_tolerance[i] / stepper->params.step;
    return fmax(rest_speed(stepper), length > 0.0 ? rate / length : 0.0);
}

/** R of the contacts that approach, of the first if they have several. */
static double find_restitution(const carom_variational_stepper *stepper) {
    const carom_variational_collision *collision = &stepper->collision;
    int chosen = collision->closed[0];
    for (int k = collision->closed_count - 1; k >= 0; k--) {
        const int i = collision->closed[k];
        chosen = stepper->contacts.speed[i] < -rest_speed(stepper) ? i : chosen;
    }
    return stepper->mechanism->restitution[chosen];
}

/** The contacts that take part: held, touching or closing, not those that joints keep. One that hit
 * too often within the step makes the impact plastic; one that has hit more than twice as often is
 * held by it.
 */
static void gather_closed(carom_variational_stepper *stepper) {
    const carom_variational_state *state = stepper->next;
    const carom_variational_contacts *contacts = &stepper->contacts;
    const carom_variational_params *params = &stepper->params;
    carom_variational_collision *collision = &stepper->collision;
    const double rest = rest_speed(stepper);
    int most_hits = 0;
    collision->closed_count = 0;
    for (int i = 0; i < state->contact_count; i++) {
        const double nearest =
            fmax(params->simultaneity * stepper->distance, stepper->gap_tolerance[i]);
        const bool is_fixed = contacts->joint_rank > 0 && !(contacts->length[i] > 0.0);
        if (is_fixed || (!state->is_held[i] && state->gap[i] > nearest)) {
            stepper->is_struck[i] = stepper->is_struck[i] && !is_fixed;
            continue;
        }
        collision->closed[collision->closed_count++] = i;
        const bool is_hit = stepper->is_struck[i] || stepper->contacts.speed[i] < -rest;
        if (!state->is_held[i] && is_hit) {
            stepper->hits[i]++;
            most_hits = most_hits > stepper->hits[i] ? most_hits : stepper->hits[i];
        }
        stepper->is_struck[i] = false;
    }
    collision->is_chatter = most_hits > params->most_hits;
    const bool is_inelastic = collision->is_chatter || collision->closed_count == 0;
    collision->restitution = is_inelastic ? 0.0 : find_restitution(stepper);
    collision->is_plastic = !(collision->restitution > 0.0);
    const bool is_endless = most_hits / 2 > params->most_hits;
    collision->plastic_law = is_endless ? CAROM_PROPAGATIVE_HELD : params->plastic_law;
}

/** Whether the impact pushes a contact with friction, or contacts of different R: the propagative
 * law has neither. Of contacts that jam it says nothing, and all of them count as pushed. */
static bool is_beyond_reflections(const carom_variational_stepper *stepper, bool is_jammed) {
    const carom_mechanism *mechanism = stepper->mechanism;
    const carom_variational_collision *collision = &stepper->collision;
    const double *friction = stepper->params.impacts_without_friction ? NULL : mechanism->friction;
    const double *R = mechanism->restitution;
    int first = -1;
    for (int k = 0; k < collision->closed_count; k++) {
        const int i = collision->closed[k];
        const double push = fabs(collision->impulse[k]) * stepper->contacts.length[i];
        if (!is_jammed && !(push > rest_speed(stepper))) {
            continue;
        }
        first = first < 0 ? i : first;
        const bool differs = !collision->is_chatter && fabs(R[i] - R[first]) > 0.0;
        if (differs || (friction != NULL && friction[i] > 0.0)) {
            return true;
        }
    }
    return false;
}

/** Which contacts are held after an impact. Elastic: of the held ones, those it left at rest.
 * Plastic: all that take part, but those that the law lets open. */
static void set_held(carom_variational_stepper *stepper, double rest) {
    carom_variational_state *state = stepper->next;
    const carom_variational_collision *collision = &stepper->collision;
    for (int k = 0; k < collision->closed_count; k++) {
        const int i = collision->closed[k];
        const double speed = fabs(stepper->contacts.speed[i]);
        const bool is_glued =
            collision->plastic_law == CAROM_PROPAGATIVE_HELD && !collision->is_simultaneous;
        state->is_held[i] = collision->is_plastic
                                ? is_glued || speed <= fmax(rest, slow_speed(stepper, i))
                                : state->is_held[i] && speed <= rest;
    }
}

/** Write down impulses, sequence and losses. */
static carom_status note_impact(carom_variational_stepper *stepper,
                                carom_variational_impact *impact) {
    carom_variational_state *state = stepper->next;
    const carom_variational_collision *collision = &stepper->collision;
    impact->closed_count = collision->closed_count;
    impact->reflection_count = collision->reflection_count;
    impact->first_closed = state->closed.count;
    impact->first_reflection = state->reflection.count;
    for (int k = 0; k < collision->closed_count; k++) {
        const int i = collision->closed[k];
        state->contact_impulse[i] += collision->impulse[k];
        const int t = stepper->friction.tangent_count;
        for (int a = 0; a < t && collision->is_simultaneous; a++) {
            state->friction_impulse[i * t + a] += stepper->friction.impulse[k * (1 + t) + 1 + a];
        }
        CAROM_TRY(carom_variational_list_append(&state->closed, i));
    }
    for (int k = 0; k < collision->reflection_count; k++) {
        const int i = collision->closed[collision->reflection[k]];
        CAROM_TRY(carom_variational_list_append(&state->reflection, i));
    }
    return carom_variational_state_append_impact(state, impact);
}

/*[variationalImpact]*/
static carom_status collide(carom_variational_stepper *stepper, carom_report *report) {
    carom_variational_state *state = stepper->next;
    carom_variational_contacts *contacts = &stepper->contacts;
    // S: all contacts closed at q*, in the metric M(q*).
    gather_closed(stepper);
    if (stepper->collision.closed_count == 0) {
        return CAROM_OK; // joints keep them
    }
    const double rest = rest_speed(stepper);
    const double V = carom_variational_potential_energy(stepper);
    carom_variational_impact impact = {
        .time = stepper->present->time + stepper->elapsed,
        .is_plastic = stepper->collision.is_plastic,
        .energy_before = 0.5 * contacts->norm * contacts->norm + V,
    };
    // p+ = p- prod Gamma(w_i), or the projection of p- where contacts chatter.
    const carom_status reflected = carom_variational_collision_run(
        &stepper->collision, contacts, state->momentum, stepper->impact_turn++, report);
    // Where there is friction, or more than one R, by Newton and Coulomb in place of that.
    const bool is_jammed = reflected == CAROM_STATUS_CONFLICT;
    stepper->collision.is_simultaneous =
        (reflected == CAROM_OK || is_jammed) && is_beyond_reflections(stepper, is_jammed);
    if (!stepper->collision.is_simultaneous) {
        CAROM_TRY(reflected);
    }
    if (stepper->collision.is_simultaneous) {
        const bool has_friction =
            stepper->mechanism->friction != NULL && !stepper->params.impacts_without_friction;
        CAROM_TRY(carom_variational_friction_run(&stepper->friction, &stepper->collision, contacts,
                                                 state->position, state->momentum, has_friction,
                                                 impact.time, report));
    }
    memcpy(state->momentum, stepper->collision.momentum,
           (size_t)state->coordinate_count * sizeof(double));
    const double norm = contacts->norm;
    carom_variational_contacts_set_momentum(contacts, state->momentum);
    carom_variational_contacts_velocity(contacts, state->velocity);
    impact.energy_after = 0.5 * contacts->norm * contacts->norm + V;
    state->impact_loss += 0.5 * (norm - contacts->norm) * (norm + contacts->norm);
    // U: contacts that stay closed.
    set_held(stepper, rest);
    return note_impact(stepper, &impact);
}
/*[end variationalImpact]*/

/* ------------------------------------------------------------------------------------- a flight */

/** Look at the contacts that touch at the place reached: *is_impact if one of them has just closed
 * or approaches. Those at rest are asked to be held, as the held ones are. */
static carom_status meet_contacts(carom_variational_stepper *stepper, bool *is_impact,
                                  carom_report *report) {
    const carom_variational_state *state = stepper->next;
    bool is_metric_set = false;
    *is_impact = false;
    for (int i = 0; i < state->contact_count; i++) {
        stepper->is_asked[i] = state->is_held[i];
        stepper->gap_rate[i] = (double)NAN;
        if (state->is_held[i] ||
            !(state->gap[i] <= stepper->gap_tolerance[i] || stepper->is_struck[i])) {
            continue;
        }
        if (!is_metric_set) {
            CAROM_TRY(carom_variational_contacts_set(&stepper->contacts, state->position,
                                                     state->momentum, report));
            is_metric_set = true;
        }
        const double speed = stepper->contacts.speed[i];
        const double rest = rest_speed(stepper);
        stepper->gap_rate[i] = stepper->contacts.length[i] * speed;
        stepper->is_asked[i] = stepper->is_settled[i] || fabs(speed) <= slow_speed(stepper, i);
        const bool is_approaching = speed < -rest && !stepper->is_asked[i];
        *is_impact = *is_impact || stepper->is_struck[i] || is_approaching;
    }
    return CAROM_OK;
}

/** Go to the end of the flight found. A contact that was asked for at rest is held from now on if
 * something presses it. */
static void follow(carom_variational_stepper *stepper) {
    carom_variational_state *state = stepper->next;
    const carom_variational_step *step = stepper->step;
    const carom_variational_contacts *contacts = &stepper->contacts;
    for (int i = 0; i < state->contact_count; i++) {
        stepper->is_settled[i] = false;
        if (stepper->is_asked[i] && !state->is_held[i]) {
            const double push = step->normal_impulse[i] * contacts->length[i];
            state->is_held[i] = step->is_held[i] && push > rest_speed(stepper);
        } else {
            state->is_held[i] = step->is_held[i];
        }
    }
    carom_variational_state_follow(state, step);
    stepper->elapsed += stepper->search.length;
}

/** A flight to the end of the step, which is then reached, or to the first contact that closes. */
static carom_status fly(carom_variational_stepper *stepper, double rest, bool *is_over,
                        carom_report *report) {
    carom_variational_state *state = stepper->next;
    const carom_variational_flight flight = {
        .time = stepper->present->time + stepper->elapsed,
        .position = state->position,
        .momentum = state->momentum,
        .gap = state->gap,
        .gap_rate = stepper->gap_rate,
        .tolerance = stepper->gap_tolerance,
        .rounding = stepper->rounding + stepper->mechanism->joint_count,
        .is_asked = stepper->is_asked,
        .length = rest,
    };
    carom_variational_event_search *search = &stepper->search;
    CAROM_TRY(carom_variational_event_search_run(search, &flight, report));
    state->iterations += search->iterations;
    if (!(search->length > 0.0)) {
        // It opens, but rounding hides how far before it closes again.
        stepper->is_settled[search->contact] = true;
        return CAROM_OK;
    }
    follow(stepper);
    if (search->contact >= 0) {
        stepper->is_struck[search->contact] = true;
    }
    *is_over = search->contact < 0 && !(search->length < rest);
    return CAROM_OK;
}

/* ------------------------------------------------------------------------------------- the step */

/** An event that may not be one too many. */
static carom_status count_event(carom_variational_stepper *stepper, carom_report *report) {
    if (stepper->events == stepper->params.most_events) {
        return carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, "events within a step",
                                 stepper->events, -1);
    }
    stepper->events++;
    return CAROM_OK;
}

/*[variationalAdvance]*/
carom_status carom_variational_take_step(carom_variational_stepper *stepper, carom_report *report) {
    for (;;) {
        // Contacts that close or approach collide, all that are closed at once.
        bool is_impact = false;
        CAROM_TRY(meet_contacts(stepper, &is_impact, report));
        if (is_impact) {
            CAROM_TRY(count_event(stepper, report));
            CAROM_TRY(collide(stepper, report));
            continue;
        }
        // Then the flight goes on, to the next impact or to the end.
        const double rest = stepper->params.step - stepper->elapsed;
        if (!(rest > NO_LENGTH * stepper->params.step)) {
            return CAROM_OK;
        }
        bool is_over = false;
        CAROM_TRY(fly(stepper, rest, &is_over, report));
        if (is_over) {
            return CAROM_OK;
        }
        // Flights that end without an impact could go on for ever, too.
        if (stepper->search.contact < 0 || !(stepper->search.length > 0.0)) {
            CAROM_TRY(count_event(stepper, report));
        }
    }
}
/*[end variationalAdvance]*/
