/** The plane of figure 3: normals, the bisector and its images, a momentum and where it ends. */
#include "results.h"

#include <gsl/gsl_math.h>
#include <stdio.h>
#include <stdlib.h>

/** The images r_0 .. r_n of one family, as long as the shortest sequence for the momentum. */
enum { MOST_IMAGES = 64, PATH_SIZE = 64 };

/** Rounding of angles after some tens of reflections, rad. */
static const double ROUNDING = 1e-13;

/** The picture of one opening, r_0 pointing up, u to its right. */
typedef struct picture {
    instant plane;
    double gamma;
    double bisector[PAIR];
    int first;          /**< contact reflected first in the shortest sequence of p_0 */
    int count;          /**< its reflections n */
    double final[PAIR]; /**< p_f */
    double image[PAIR][(MOST_IMAGES + 1) * PAIR]; /**< [first reflection across][i][2] r_i */
} picture;

static double angle_between(const double *a, const double *b) {
    return atan2(fabs(a[0] * b[1] - a[1] * b[0]), a[0] * b[0] + a[1] * b[1]);
}

/** A direction by its angle from r_0 towards u. */
static void direction(double angle, double *w) {
    w[0] = sin(angle);
    w[1] = cos(angle);
}

/** The Euclidean plane with u and v, (r_0,u) = (r_0,v) = sin gamma, and p_0. */
static void set_plane(const settings *v, picture *d) {
    d->plane = (instant){.n = PAIR, .m = PAIR, .factor = {1.0, 0.0, 0.0, 1.0}};
    direction(M_PI_2 - d->gamma, d->plane.normal + U * PAIR);
    direction(d->gamma - M_PI_2, d->plane.normal + V * PAIR);
    direction(propagative_impact_radians(v->momentum_angle), d->plane.momentum);
    direction(0.0, d->bisector);
    propagative_impact_complete(&d->plane);
}

/** r_i = r_0 Gamma(w_1) .. Gamma(w_i), alternating, w_1 = `first`. */
static void set_images(picture *d, int first) {
    double r[PAIR] = {d->bisector[0], d->bisector[1]};
    for (int i = 0; i <= d->count; i++) {
        d->image[first][i * PAIR] = r[0];
        d->image[first][i * PAIR + 1] = r[1];
        (void)propagative_impact_reflect(&d->plane, (first + i) % PAIR, r);
    }
}

/** The shortest sequence of p_0, by the library. */
static carom_status run_sequence(picture *d, carom_report *report) {
    carom_propagative_contacts *contacts = NULL;
    carom_propagative_impact *impact = NULL;
    carom_status status = carom_propagative_contacts_alloc(PAIR, PAIR, &contacts);
    if (status == CAROM_OK) {
        status = propagative_impact_set(&d->plane, contacts, report);
    }
    if (status == CAROM_OK) {
        status = carom_propagative_impact_alloc(PAIR, MOST_IMAGES, &impact);
    }
    d->count = MOST_IMAGES + 1;
    for (int first = U; status == CAROM_OK && first < PAIR; first++) {
        carom_propagative_params params = carom_propagative_params_default();
        params.rule = CAROM_PROPAGATIVE_CYCLIC;
        params.first = first;
        status = carom_propagative_impact_run(contacts, &params, 1.0, d->plane.velocity,
                                              d->plane.energy, impact, report);
        if (status == CAROM_OK && impact->step_count < d->count) {
            d->count = impact->step_count;
            d->first = impact->sequence[0];
            d->final[0] = d->plane.momentum[0];
            d->final[1] = d->plane.momentum[1];
            propagative_impact_add(&d->plane, impact->impulse, d->final);
        }
    }
    carom_propagative_impact_free(impact);
    carom_propagative_contacts_free(contacts);
    return status;
}

static void write_points(const propagation *x, const char *group, const char *name,
                         const double *points, int count, const char *axis, const char *text) {
    double values[2][MOST_IMAGES + 1];
    for (int i = 0; i < count; i++) {
        values[0][i] = points[i * PAIR];
        values[1][i] = points[i * PAIR + 1];
    }
    for (int k = 0; k < 2; k++) {
        char path[2 * PATH_SIZE];
        (void)snprintf(path, sizeof path, "%s/%s_%c", group, name, "xy"[k]);
        carom_record_series(x->record, path, values[k], axis, NULL, "1", text);
    }
}

/** Vectors, then images, in the plane. */
static void write_picture(const propagation *x, const picture *d, int row) {
    char group[PATH_SIZE];
    char path[2 * PATH_SIZE];
    (void)snprintf(group, sizeof group, "/figure/opening_%d", row);
    (void)snprintf(path, sizeof path, "%s/gamma", group);
    carom_record_scalar(x->record, path, d->gamma, "rad", "half opening gamma");
    (void)snprintf(path, sizeof path, "%s/count", group);
    carom_record_integer(x->record, path, d->count, "1",
                         "reflections n of the shortest sequence of p_0");
    (void)snprintf(path, sizeof path, "%s/first", group);
    carom_record_integer(x->record, path, d->first, "1", "contact it begins with: 0 is u, 1 is v");
    const double vectors[] = {
        d->plane.normal[0],   d->plane.normal[1],   // u
        d->plane.normal[2],   d->plane.normal[3],   // v
        d->bisector[0],       d->bisector[1],       // r_0
        d->plane.momentum[0], d->plane.momentum[1], // p_0
        d->final[0],          d->final[1],          // p_f
    };
    const int vector_count = COUNT(vectors) / PAIR;
    (void)snprintf(path, sizeof path, "%s/vector", group);
    carom_record_index_axis(x->record, path, vector_count, "u, v, r_0, p_0, p_f");
    write_points(x, group, "vector", vectors, vector_count, path,
                 "u, v, r_0, p_0, p_f in the plane, r_0 upwards");
    (void)snprintf(path, sizeof path, "%s/image", group);
    carom_record_index_axis(x->record, path, d->count + 1, "i of r_i");
    write_points(x, group, "image_u", d->image[U], d->count + 1, path,
                 "images r_i, the first reflection across u");
    write_points(x, group, "image_v", d->image[V], d->count + 1, path,
                 "images r_i, the first reflection across v");
}

/** The caption of figure 3, for one picture. */
typedef struct caption {
    bool steps_by_opening; /**< r_i is 2 i gamma away from r_0 */
    bool is_reached;       /**< an image after n reflections is within gamma of p_0 */
    bool is_feasible;      /**< p_f is within gamma of r_0 */
    bool mirrors;          /**< the two families are mirror images */
} caption;

static caption read_caption(const picture *d) {
    caption c = {true, false, false, true};
    for (int i = 0; i <= d->count; i++) {
        const double *a = d->image[U] + i * PAIR;
        const double *b = d->image[V] + i * PAIR;
        // The reflections take r_0 from one side to the other, 2 gamma farther each time.
        double expected[PAIR];
        direction((i % 2 == 0 ? 2.0 : -2.0) * i * d->gamma, expected);
        const double away = hypot(a[0] - expected[0], a[1] - expected[1]);
        c.steps_by_opening = c.steps_by_opening && away <= ROUNDING;
        c.mirrors = c.mirrors && hypot(a[0] + b[0], a[1] - b[1]) <= ROUNDING;
    }
    for (int family = U; family < PAIR; family++) {
        const double away = angle_between(d->image[family] + d->count * PAIR, d->plane.momentum);
        c.is_reached = c.is_reached || away <= d->gamma + ROUNDING;
    }
    c.is_feasible = angle_between(d->final, d->bisector) <= d->gamma + ROUNDING;
    return c;
}

static void write_claims(const propagation *x, caption c) {
    const carom_claim claims[] = {
        {"image_steps_are_openings", c.steps_by_opening,
         "the angle of the image from r_0 grows by 2 gamma with each reflection (figure 3c)"},
        {"images_are_mirrored", c.mirrors,
         "the two families of images are mirror images about r_0 (figure 3b)"},
        {"image_reaches_momentum", c.is_reached,
         "after n reflections r_n is within gamma of p_0 (figure 3d)"},
        {"final_momentum_in_cone", c.is_feasible,
         "p_f is within gamma of r_0 and feasible (figure 3)"},
    };
    carom_record_claims(x->record, claims, COUNT(claims));
}

carom_status propagative_impact_write_drawing(const propagation *x) {
    const carom_real_list *openings = &x->values->half_openings;
    caption all = {true, true, true, true};
    for (int row = 0; row < openings->count; row++) {
        picture d = {.gamma = propagative_impact_radians(openings->values[row])};
        set_plane(x->values, &d);
        CAROM_TRY(run_sequence(&d, x->report));
        set_images(&d, U);
        set_images(&d, V);
        write_picture(x, &d, row);
        const caption c = read_caption(&d);
        all.steps_by_opening = all.steps_by_opening && c.steps_by_opening;
        all.is_reached = all.is_reached && c.is_reached;
        all.is_feasible = all.is_feasible && c.is_feasible;
        all.mirrors = all.mirrors && c.mirrors;
    }
    write_claims(x, all);
    return CAROM_OK;
}
