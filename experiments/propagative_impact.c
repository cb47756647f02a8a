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
 * Here figure 3 is made, chains of balls and the map of three; in propagative_impact/: pairs.c runs
 * random impacts of two contacts and makes the table by their cosine, contacts.c draws impacts and
 * runs those of more contacts.
 */
#include "propagative_impact/propagation.h"

#include <gsl/gsl_math.h>
#include <gsl/gsl_sort.h>
#include <stdlib.h>

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

/** Degrees in rad. */
static double radians(double degrees) {
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

/* --- figure 3 --------------------------------------------------------------------------------- */

/** The images r_0 .. r_n of one family, as long as the shortest sequence for the momentum. */
enum { MOST_IMAGES = 64 };

/** r_i of both families, by the first reflection. */
typedef struct image_row {
    double at[PAIR][PAIR];
} image_row;

static const carom_field IMAGE_FIELDS[] = {
    CAROM_FIELD("image_u_x", image_row, at[U][0], "1", "images r_i, the first reflection across u"),
    CAROM_FIELD("image_u_y", image_row, at[U][1], "1", "images r_i, the first reflection across u"),
    CAROM_FIELD("image_v_x", image_row, at[V][0], "1", "images r_i, the first reflection across v"),
    CAROM_FIELD("image_v_y", image_row, at[V][1], "1", "images r_i, the first reflection across v"),
};

/** A vector in the plane of u and v, r_0 pointing up, u to its right. */
typedef struct vector_row {
    double x;
    double y;
} vector_row;

static const carom_field VECTOR_FIELDS[] = {
    CAROM_FIELD("vector_x", vector_row, x, "1", "u, v, r_0, p_0, p_f in the plane, r_0 upwards"),
    CAROM_FIELD("vector_y", vector_row, y, "1", "u, v, r_0, p_0, p_f in the plane, r_0 upwards"),
};

/** The vectors of a picture, in the order of the record. */
enum { NORMAL_U, NORMAL_V, BISECTOR, BEFORE, AFTER, VECTORS };

/** The picture of one opening. */
typedef struct picture {
    instant plane;
    double gamma;
    int count; /**< its reflections n */
    vector_row vectors[VECTORS];
    image_row images[MOST_IMAGES + 1];
} picture;

/** A direction by its angle from r_0 towards u. */
static vector_row direction(double angle) {
    return (vector_row){sin(angle), cos(angle)};
}

/** The Euclidean plane with u and v, (r_0,u) = (r_0,v) = sin gamma, and p_0. */
static void set_plane(const settings *v, picture *d) {
    d->vectors[NORMAL_U] = direction(M_PI_2 - d->gamma);
    d->vectors[NORMAL_V] = direction(d->gamma - M_PI_2);
    d->vectors[BISECTOR] = direction(0.0);
    d->vectors[BEFORE] = direction(radians(v->momentum_angle));
    const vector_row *w = d->vectors;
    d->plane = (instant){
        .n = PAIR,
        .m = PAIR,
        .factor = {1.0, 0.0, 0.0, 1.0},
        .normal = {w[NORMAL_U].x, w[NORMAL_U].y, w[NORMAL_V].x, w[NORMAL_V].y},
        .momentum = {w[BEFORE].x, w[BEFORE].y},
    };
    propagative_impact_complete(&d->plane);
}

/** r_i = r_0 Gamma(w_1) .. Gamma(w_i), alternating, w_1 = `first`. */
static void set_images(picture *d, int first) {
    double r[PAIR] = {d->vectors[BISECTOR].x, d->vectors[BISECTOR].y};
    for (int i = 0; i <= d->count; i++) {
        d->images[i].at[first][0] = r[0];
        d->images[i].at[first][1] = r[1];
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
        CAROM_TRY(propagative_impact_alternate(contacts, first, d->plane.velocity, d->plane.energy,
                                               impact, report));
        if (impact->step_count < d->count) {
            d->count = impact->step_count;
            double p[PAIR] = {d->plane.momentum[0], d->plane.momentum[1]};
            propagative_impact_add(&d->plane, impact->impulse, p);
            d->vectors[AFTER] = (vector_row){p[0], p[1]};
        }
    }
    return CAROM_OK;
}

/** Vectors, then images, in the plane. */
static void write_picture(const propagation *x, const picture *d, int row) {
    carom_record group = carom_record_group(x->record, "/figure/opening_%d", row);
    carom_record_scalar(&group, "gamma", d->gamma, "rad", "half opening gamma");
    carom_record_integer(&group, "count", d->count, "1",
                         "reflections n of the shortest sequence of p_0");
    carom_record_index_axis(&group, "vector", VECTORS, "u, v, r_0, p_0, p_f");
    carom_record_rows(&group, "vector", d->vectors, VECTORS, sizeof *d->vectors, VECTOR_FIELDS,
                      COUNT(VECTOR_FIELDS));
    carom_record_index_axis(&group, "image", d->count + 1, "i of r_i");
    carom_record_rows(&group, "image", d->images, d->count + 1, sizeof *d->images, IMAGE_FIELDS,
                      COUNT(IMAGE_FIELDS));
}

static carom_status write_drawing(const propagation *x) {
    const carom_real_list *openings = &x->values->half_openings;
    for (int row = 0; row < openings->count; row++) {
        picture d = {.gamma = radians(openings->values[row])};
        set_plane(x->values, &d);
        CAROM_TRY(run_sequence(&d, x->report));
        set_images(&d, U);
        set_images(&d, V);
        write_picture(x, &d, row);
    }
    return CAROM_OK;
}

/* --- balls on a line: equal ones end sorted by velocity; three, by the ratios of their masses - */

enum { MOST_BALLS = 8, MOST_STEPS = 4096, PART = 11 };

/** Gaps of balls that touch, m. */
static const double CLOSED = 1e-9;

/** Touching balls on a line (example 1). */
typedef struct chain {
    carom_impact_problem *problem;
    carom_propagative_contacts *contacts;
    carom_propagative_impact *impact;
} chain;

static void chain_clear(chain *c) {
    carom_propagative_impact_free(c->impact);
    carom_propagative_contacts_free(c->contacts);
    carom_impact_problem_free(c->problem);
}

/** Make one of masses and velocities [balls], kg and m/s. */
static carom_status open_chain(int balls, const double *masses, const double *velocities,
                               chain *out, carom_report *report) {
    CAROM_ASSERT(balls >= 2 && balls <= MOST_BALLS);
    double radii[MOST_BALLS];
    for (int i = 0; i < balls; i++) {
        radii[i] = 0.5;
    }
    const carom_ball_chain_params params = {.balls = balls,
                                            .masses = masses,
                                            .radii = radii,
                                            .velocities = velocities,
                                            .restitution = 1.0};
    CAROM_AUTO(carom_model) model = NULL;
    CAROM_TRY(carom_ball_chain_alloc(&params, &model, report));
    CAROM_TRY(carom_impact_problem_of_mechanism(&model->mechanism, model->initial_position,
                                                model->initial_velocity, CLOSED, NULL,
                                                &out->problem, report));
    CAROM_TRY(carom_propagative_contacts_of_problem(out->problem, &out->contacts, report));
    return carom_propagative_impact_alloc(balls - 1, MOST_STEPS, &out->impact);
}

static const int CHAINS[] = {3, 4, 5, 8};
enum { CHAIN_DRAWS = 50 };

/** Velocities of one chain, by every rule: sorted. */
static carom_status try_chain(const propagation *x, int balls, int draw, double *longest,
                              double *error) {
    double masses[MOST_BALLS];
    double v[MOST_BALLS];
    double sorted[MOST_BALLS];
    stream from = {x->common->seed, PART, (unsigned long)(balls * CHAIN_DRAWS + draw), 0};
    for (int i = 0; i < balls; i++) {
        masses[i] = 1.0;
        // The first draw is the worst: all approach.
        v[i] = draw == 0 ? balls - i : propagative_impact_draw(&from, -1.0, 1.0);
        sorted[i] = v[i];
    }
    gsl_sort(sorted, 1, (size_t)balls);
    CAROM_AUTO_VALUE(chain) c = {NULL, NULL, NULL};
    CAROM_TRY(open_chain(balls, masses, v, &c, x->report));
    for (int rule = 0; rule < PROPAGATIVE_RULES; rule++) {
        CAROM_TRY(propagative_impact_by_rule(c.contacts, rule, (unsigned long)draw,
                                             c.problem->contact_velocity, c.problem->kinetic_energy,
                                             c.impact, x->report));
        for (int i = 0; i < balls; i++) {
            const double left = i > 0 ? c.impact->impulse[i - 1] : 0.0;
            const double right = i + 1 < balls ? c.impact->impulse[i] : 0.0;
            *error = fmax(*error, fabs(v[i] + left - right - sorted[i]));
        }
        *longest = fmax(*longest, c.impact->step_count);
    }
    return CAROM_OK;
}

/** Chains of one number of balls. */
typedef struct chain_row {
    double balls;
    double longest;
} chain_row;

static const carom_field CHAIN_FIELDS[] = {
    CAROM_FIELD("balls", chain_row, balls, "1", "equal balls N"),
    CAROM_FIELD("longest", chain_row, longest, "1", "reflections of the longest sequence"),
};

/** Write /chains: equal balls on a line. */
static carom_status write_chains(const propagation *x) {
    chain_row rows[COUNT(CHAINS)] = {{0.0, 0.0}};
    double error = 0.0;
    for (int k = 0; k < COUNT(CHAINS); k++) {
        rows[k].balls = CHAINS[k];
        for (int draw = 0; draw < CHAIN_DRAWS; draw++) {
            CAROM_TRY(try_chain(x, CHAINS[k], draw, &rows[k].longest, &error));
        }
    }
    carom_record group = carom_record_group(x->record, "/chains");
    carom_record_rows(&group, "balls", rows, COUNT(rows), sizeof *rows, CHAIN_FIELDS,
                      COUNT(CHAIN_FIELDS));
    carom_record_measure(x->record, "chain_error", error, "m s-1",
                         "largest difference of a velocity from the sorted ones");
    return CAROM_OK;
}

/* --- three balls ------------------------------------------------------------------------------ */

/** Exact curves are drawn for k of c = -cos(pi/k), with so many points. */
enum { FEWEST_ORDER = 3, ORDERS = 8, CURVE_POINTS = 801, CHECKED = 13 };

/** Momenta of a check: sigma = 1/2, the worst, is one of them. */
enum { MOMENTA = 15 };

/** A share of a decade, 0 to 1, as a ratio of masses. */
static double ratio_at(const settings *v, double share) {
    return pow(v->largest_ratio, 2.0 * share - 1.0);
}

/** Rows: m_A/m_B, columns: m_C/m_B. */
static carom_status write_plane(const propagation *x) {
    const int count = x->values->map_points;
    const size_t size = (size_t)count * (size_t)count;
    CAROM_AUTO_MEMORY double *axis = calloc((size_t)count + size, sizeof *axis);
    if (axis == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *values = axis + count;
    double largest = 0.0;
    for (int i = 0; i < count; i++) {
        axis[i] = ratio_at(x->values, i / (count - 1.0));
    }
    for (int i = 0; i < count * count; i++) {
        carom_propagative_pair pair;
        const double c = carom_ball_chain_cosine(axis[i / count], 1.0, axis[i % count]);
        CAROM_TRY(propagative_impact_pair(c, &pair, x->report));
        values[i] = carom_propagative_pair_largest_spread(&pair);
        largest = fmax(largest, values[i]);
    }
    carom_record map = carom_record_group(x->record, "/map");
    carom_record_axis(&map, "left_ratio", count, axis, "1", "m_A/m_B");
    carom_record_axis(&map, "right_ratio", count, axis, "1", "m_C/m_B");
    carom_record_series(&map, "indeterminacy", values, "left_ratio", "right_ratio", "1",
                        "largest |p_uv - p_vu|/|p| over all momenta");
    carom_record_measure(x->record, "map_largest", largest, "1",
                         "largest indeterminacy of the map");
    return CAROM_OK;
}

/** m_C/m_B over m_A/m_B for each k. */
typedef struct curve_row {
    double left_ratio;
    double right_ratio[ORDERS];
} curve_row;

static const carom_field CURVE_FIELDS[] = {
    CAROM_FIELD("curve_ratio", curve_row, left_ratio, "1", "m_A/m_B"),
    CAROM_FIELD_ARRAY("unique_ratio", curve_row, right_ratio, "order", "1",
                      "m_C/m_B for which the outcome is unique; NaN: none"),
};

static void write_spectrum(const propagation *x) {
    double orders[ORDERS];
    curve_row rows[CURVE_POINTS];
    for (int k = 0; k < ORDERS; k++) {
        orders[k] = FEWEST_ORDER + k;
    }
    for (int i = 0; i < CURVE_POINTS; i++) {
        rows[i].left_ratio = ratio_at(x->values, i / (CURVE_POINTS - 1.0));
        for (int k = 0; k < ORDERS; k++) {
            const double ratio =
                carom_ball_chain_unique_ratio(rows[i].left_ratio, FEWEST_ORDER + k);
            const bool is_shown = ratio <= x->values->largest_ratio;
            rows[i].right_ratio[k] = is_shown ? ratio : (double)NAN;
        }
    }
    carom_record map = carom_record_group(x->record, "/map");
    carom_record_axis(&map, "order", ORDERS, orders, "1", "k of c = -cos(pi/k)");
    carom_record_rows(&map, "curve_ratio", rows, CURVE_POINTS, sizeof *rows, CURVE_FIELDS,
                      COUNT(CURVE_FIELDS));
}

/** Largest |p_uv - p_vu|/|p| of three balls, by running both orders of some momenta. */
static carom_status sample_chain(chain *c, double *largest, carom_report *report) {
    const carom_propagative_pair pair = carom_propagative_pair_of(c->contacts, U, V);
    const double opening = 2.0 * pair.half_opening;
    const double *length = c->contacts->length;
    *largest = 0.0;
    for (int i = 1; i <= MOMENTA; i++) {
        // Total momentum zero, |p| = 1.
        const double psi = opening * i / (MOMENTA + 1.0);
        const double velocity[PAIR] = {-length[U] * sin(opening - psi), -length[V] * sin(psi)};
        double difference[PAIR] = {0.0};
        for (int first = U; first < PAIR; first++) {
            CAROM_TRY(
                propagative_impact_alternate(c->contacts, first, velocity, 0.5, c->impact, report));
            for (int k = 0; k < PAIR; k++) {
                difference[k] += (first == U ? length[k] : -length[k]) * c->impact->impulse[k];
            }
        }
        const double square = gsl_pow_2(difference[U]) + gsl_pow_2(difference[V]) +
                              2.0 * pair.cosine * difference[U] * difference[V];
        *largest = fmax(*largest, sqrt(fmax(square, 0.0)));
    }
    return CAROM_OK;
}

/** Balls of given masses: what is met against the closed form. */
static carom_status check_chain(const propagation *x, double left, double right, double *largest,
                                double *error) {
    const double masses[] = {left, 1.0, right};
    const double velocities[] = {1.0, 0.0, -1.0};
    CAROM_AUTO_VALUE(chain) c = {NULL, NULL, NULL};
    CAROM_TRY(open_chain(COUNT(masses), masses, velocities, &c, x->report));
    CAROM_TRY(sample_chain(&c, largest, x->report));
    const carom_propagative_pair pair = carom_propagative_pair_of(c.contacts, U, V);
    *error = fmax(*error, fabs(*largest - carom_propagative_pair_largest_spread(&pair)));
    return CAROM_OK;
}

/** The map at some of its points, and unequal balls on its curves, by the model. */
static carom_status check_map(const propagation *x) {
    double error = 0.0;
    double apart = 0.0;
    int unequal = 0;
    for (int i = 0; i < CHECKED; i++) {
        const double left = ratio_at(x->values, i / (CHECKED - 1.0));
        double largest = 0.0;
        for (int j = 0; j < CHECKED; j++) {
            const double right = ratio_at(x->values, j / (CHECKED - 1.0));
            CAROM_TRY(check_chain(x, left, right, &largest, &error));
        }
        for (int k = 0; k < ORDERS; k++) {
            const double right = carom_ball_chain_unique_ratio(left, FEWEST_ORDER + k);
            if (right <= x->values->largest_ratio) {
                CAROM_TRY(check_chain(x, left, right, &largest, &error));
                apart = fmax(apart, largest);
                unequal++;
            }
        }
    }
    const carom_measure measures[] = {
        {"map_error", error, "1", "largest difference of the map from sequences run"},
        {"unique_chains", unequal, "1", "chains of unequal balls with c = -cos(pi/k) run"},
        {"unique_chain_error", apart, "1", "largest |p_uv - p_vu|/|p| of these"},
    };
    carom_record_measures(x->record, measures, COUNT(measures));
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
    CAROM_TRY(propagative_impact_write_groups(&x));
    CAROM_TRY(write_chains(&x));
    CAROM_TRY(write_plane(&x));
    write_spectrum(&x);
    return check_map(&x);
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
