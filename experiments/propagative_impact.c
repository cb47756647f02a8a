/**
 * propagative_impact: simultaneous impacts as sequences of single ones (seghete-2014 sections II to
 * V, figure 3): when they end, and when their order does not matter.
 *
 *     p+ = p- Gamma(w_1) .. Gamma(w_n) (14),   Gamma(u) = I - 2 M^-1 u'u/(u M^-1 u') (7),
 *
 * with w_i across a contact that approaches, until none does. The paper prints no numbers: the half
 * openings of figure 3, its momentum, and how impacts are drawn are ours. The lemmas are tests
 * (tests/impact/propagative_lemmas.c).
 *
 * Here figure 3 is made; in propagative_impact/: pairs.c runs random impacts of two contacts and
 * makes the table by their cosine, cones.c those of more, balls.c chains and the map of three
 * balls; impacts.c is shared.
 */
#include "propagative_impact/propagation.h"

#include <gsl/gsl_math.h>

/** 25 deg, and 30 deg where the images of both orders meet: Newton's cradle. */
static const double HALF_OPENINGS[] = {25.0, 30.0};
/** All lengths of sequences up to 4, three openings of unique outcomes, and one small one. */
static const double COSINES[] = {-0.99, -0.9, -M_SQRT1_2, -0.6, -0.5, -0.2,
                                 0.0,   0.2,  0.4,        0.5,  0.7,  0.9};

/** Rows of panels of figure 3. */
enum { MOST_OPENINGS = 2 };

static settings defaults(void) {
    return (settings){
        .half_openings = {COUNT(HALF_OPENINGS), HALF_OPENINGS},
        .momentum_angle = 165.0,
        .cosines = {COUNT(COSINES), COSINES},
        .directions = 4000,
        .cases = 100000,
        .cones = 10000,
        .contacts = 10,
        .map_points = 121,
        .largest_ratio = 100.0,
    };
}

double propagative_impact_radians(double degrees) {
    return degrees * (M_PI / 180.0);
}

/** The openings and the momentum of figure 3: infeasible for each of them. */
static carom_status check(void *context, carom_report *report) {
    const settings *v = context;
    if (v->half_openings.count > MOST_OPENINGS) {
        return carom_report_bound(report, "number of --half-openings", v->half_openings.count,
                                  "at most", MOST_OPENINGS);
    }
    for (int i = 0; i < v->half_openings.count; i++) {
        if (!(v->momentum_angle > v->half_openings.values[i])) {
            return carom_report_bound(report, "momentum angle", v->momentum_angle,
                                      "above the half opening,", v->half_openings.values[i]);
        }
    }
    return CAROM_OK;
}

/* --- figure 3 ----------------------------------------------------------------------------------
 */

/** The images r_0 .. r_n of one family, as long as the shortest sequence for the momentum. */
enum { MOST_IMAGES = 64 };

/** The picture of one opening, r_0 pointing up, u to its right. */
typedef struct picture {
    instant plane;
    double gamma;
    double bisector[PAIR];
    int count;                                    /**< its reflections n */
    double final[PAIR];                           /**< p_f */
    double image[PAIR][(MOST_IMAGES + 1) * PAIR]; /**< [first reflection across][i][2] r_i */
} picture;

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
    CAROM_AUTO(carom_propagative_contacts) contacts = NULL;
    CAROM_AUTO(carom_propagative_impact) impact = NULL;
    CAROM_TRY(carom_propagative_contacts_alloc(PAIR, PAIR, &contacts));
    CAROM_TRY(propagative_impact_set(&d->plane, contacts, report));
    CAROM_TRY(carom_propagative_impact_alloc(PAIR, MOST_IMAGES, &impact));
    d->count = MOST_IMAGES + 1;
    for (int first = U; first < PAIR; first++) {
        carom_propagative_params params = carom_propagative_params_default();
        params.rule = CAROM_PROPAGATIVE_CYCLIC;
        params.first = first;
        CAROM_TRY(carom_propagative_impact_run(contacts, &params, 1.0, d->plane.velocity,
                                               d->plane.energy, impact, report));
        if (impact->step_count < d->count) {
            d->count = impact->step_count;
            d->final[0] = d->plane.momentum[0];
            d->final[1] = d->plane.momentum[1];
            propagative_impact_add(&d->plane, impact->impulse, d->final);
        }
    }
    return CAROM_OK;
}

/** Two columns, of points [count][2]. */
static void write_points(carom_record *group, const char *x_name, const char *y_name,
                         const double *points, int count, const char *axis, const char *text) {
    double x[MOST_IMAGES + 1];
    double y[MOST_IMAGES + 1];
    for (int i = 0; i < count; i++) {
        x[i] = points[i * PAIR];
        y[i] = points[i * PAIR + 1];
    }
    carom_record_series(group, x_name, x, axis, NULL, "1", text);
    carom_record_series(group, y_name, y, axis, NULL, "1", text);
}

/** Vectors, then images, in the plane. */
static void write_picture(const propagation *x, const picture *d, int row) {
    carom_record group = carom_record_group(x->record, "/figure/opening_%d", row);
    carom_record_scalar(&group, "gamma", d->gamma, "rad", "half opening gamma");
    carom_record_integer(&group, "count", d->count, "1",
                         "reflections n of the shortest sequence of p_0");
    const double vectors[] = {
        d->plane.normal[0],   d->plane.normal[1],   // u
        d->plane.normal[2],   d->plane.normal[3],   // v
        d->bisector[0],       d->bisector[1],       // r_0
        d->plane.momentum[0], d->plane.momentum[1], // p_0
        d->final[0],          d->final[1],          // p_f
    };
    const int vector_count = COUNT(vectors) / PAIR;
    carom_record_index_axis(&group, "vector", vector_count, "u, v, r_0, p_0, p_f");
    write_points(&group, "vector_x", "vector_y", vectors, vector_count, "vector",
                 "u, v, r_0, p_0, p_f in the plane, r_0 upwards");
    carom_record_index_axis(&group, "image", d->count + 1, "i of r_i");
    write_points(&group, "image_u_x", "image_u_y", d->image[U], d->count + 1, "image",
                 "images r_i, the first reflection across u");
    write_points(&group, "image_v_x", "image_v_y", d->image[V], d->count + 1, "image",
                 "images r_i, the first reflection across v");
}

static carom_status write_drawing(const propagation *x) {
    const carom_real_list *openings = &x->values->half_openings;
    for (int row = 0; row < openings->count; row++) {
        picture d = {.gamma = propagative_impact_radians(openings->values[row])};
        set_plane(x->values, &d);
        CAROM_TRY(run_sequence(&d, x->report));
        set_images(&d, U);
        set_images(&d, V);
        write_picture(x, &d, row);
    }
    return CAROM_OK;
}

/* --- the program -------------------------------------------------------------------------------
 */

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const propagation x = {.values = context, .common = common, .record = record, .report = report};
    CAROM_TRY(write_drawing(&x));
    CAROM_TRY(propagative_impact_write_pairs(&x));
    CAROM_TRY(propagative_impact_write_table(&x));
    CAROM_TRY(propagative_impact_write_cones(&x));
    CAROM_TRY(propagative_impact_write_chains(&x));
    CAROM_TRY(propagative_impact_write_groups(&x));
    return propagative_impact_write_map(&x);
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_REAL_LIST("half-openings", settings, half_openings, "deg",
                    "half openings gamma of figure 3, one or two, 3 to 85", "[3, 85]"),
    CAROM_REAL("momentum-angle", settings, momentum_angle, "deg",
               "of the momentum of figure 3 from the bisector towards u, up to 180, not feasible",
               "(0, 180]"),
    CAROM_REAL_LIST(
        "cosines", settings, cosines, "1",
        "cosines c of two unit normals, -0.9999 to 0.9999, whose longest sequences are recorded",
        "[-0.9999, 0.9999]"),
    CAROM_INTEGER("directions", settings, directions, "1",
                  "momenta for each of them, 16 to 1000000", "[16, 1000000]"),
    CAROM_INTEGER("cases", settings, cases, "1", "random impacts of two contacts, 100 to 100000000",
                  "[100, 100000000]"),
    CAROM_INTEGER("cones", settings, cones, "1",
                  "random impacts of 3 contacts or more, 100 to 10000000", "[100, 10000000]"),
    CAROM_INTEGER("contacts", settings, contacts, "1", "and of at most so many, 3 to 16",
                  "[3, 16]"),
    CAROM_INTEGER("map-points", settings, map_points, "1",
                  "mass ratios along each side of the map, 3 to 2001", "[3, 2001]"),
    CAROM_REAL("largest-ratio", settings, largest_ratio, "1",
               "largest ratio of masses in the map, above 1, up to 1e6", "(1, 1e6]"),
};

static const carom_table_column columns[] = {
    {.head = "half opening", .expression = "half_opening"},
    {.head = "indeterminacy", .expression = "indeterminacy"},
    {.head = "exact", .expression = "exact_indeterminacy"},
    {.head = "longest sequence", .expression = "longest"},
    {.head = "bound", .expression = "longest_bound"},
    {.head = "of the paper", .expression = "paper_bound"},
};

static const carom_table tables[] = {
    {.groups = "/table", CAROM_COLUMNS(columns)},
};

int main(int argc, char **argv) {
    settings v = defaults();
    const carom_program program = {
        .name = "propagative_impact",
        .title = "Simultaneous impacts as sequences of single ones",
        .source = "seghete-2014",
        .schema = "propagative_impact 1",
        .options = CAROM_OPTIONS(options),
        CAROM_TABLES(tables),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &v);
}
