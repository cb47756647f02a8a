#include <carom/models/trex/internal.h>

#include <gsl/gsl_math.h>
#include <math.h>

enum { LINKS = CAROM_TREX_LINKS };
/** Bodies: two spheres and five rods. */
enum { BODIES = 7 };

/** A body: mass, moment of inertia about its centre, the link it turns with, and that centre as
 * (x, y) + sum_a lever_a e(alpha_a). */
typedef struct body {
    double mass;
    double spin;
    int link;
    double lever[LINKS];
} body;

/** A solid sphere whose centre is (x, y). */
static body sphere(double density, double radius, int link) {
    const double mass = 4.0 / 3.0 * M_PI * density * gsl_pow_3(radius);
    const body b = {.mass = mass, .spin = 0.4 * mass * gsl_pow_2(radius), .link = link};
    return b;
}

/** A uniform rod along a link that begins at (x, y) + length_before e(alpha_before). */
static body rod(const carom_trex_params *params, double length, int link, double length_before,
                int before) {
    const double mass = params->limb_density * params->limb_section * length;
    body b = {.mass = mass, .spin = mass * gsl_pow_2(length) / 12.0, .link = link};
    b.lever[before] = length_before;
    b.lever[link] = 0.5 * length;
    return b;
}

carom_trex_inertia carom_trex_inertia_of(const carom_trex_params *params) {
    CAROM_ASSERT(params != NULL);
    const double distance = params->anterior_radius + params->posterior_radius;
    const double tail =
        carom_trex_tail_length(params->tail, params->anterior_radius, params->posterior_radius);
    const double upper = params->upper_length;
    const double lower = params->lower_length;
    body bodies[BODIES] = {
        sphere(params->body_density, params->anterior_radius, CAROM_TREX_ANTERIOR),
        sphere(params->body_density, params->posterior_radius, CAROM_TREX_POSTERIOR),
        rod(params, upper, CAROM_TREX_LEFT_UPPER, 0.0, CAROM_TREX_ANTERIOR),
        rod(params, lower, CAROM_TREX_LEFT_LOWER, upper, CAROM_TREX_LEFT_UPPER),
        rod(params, upper, CAROM_TREX_RIGHT_UPPER, 0.0, CAROM_TREX_ANTERIOR),
        rod(params, lower, CAROM_TREX_RIGHT_LOWER, upper, CAROM_TREX_RIGHT_UPPER),
        rod(params, tail, CAROM_TREX_POSTERIOR, distance, CAROM_TREX_ANTERIOR),
    };
    bodies[1].lever[CAROM_TREX_ANTERIOR] = distance;

    carom_trex_inertia inertia = {.mass = 0.0};
    for (int i = 0; i < BODIES; i++) {
        const body *b = &bodies[i];
        inertia.mass += b->mass;
        inertia.spin[b->link] += b->spin;
        for (int a = 0; a < LINKS; a++) {
            inertia.moment[a] += b->mass * b->lever[a];
            for (int c = 0; c < LINKS; c++) {
                inertia.coupling[a][c] += b->mass * b->lever[a] * b->lever[c];
            }
        }
    }
    return inertia;
}

void carom_trex_centre_of_mass(const carom_trex_params *params, const double *q, double *centre) {
    CAROM_ASSERT(params != NULL && q != NULL && centre != NULL);
    const carom_trex_inertia inertia = carom_trex_inertia_of(params);
    double angle[CAROM_TREX_LINKS];
    carom_trex_link_angles(q, angle);
    centre[0] = q[CAROM_TREX_X];
    centre[1] = q[CAROM_TREX_Y];
    for (int a = 0; a < LINKS; a++) {
        const double length = inertia.moment[a] / inertia.mass;
        centre[0] += length * cos(angle[a]);
        centre[1] += length * sin(angle[a]);
    }
}
