/**
 * masonry_arch: how thin a semicircular arch of voussoirs may be before it falls.
 *
 * The least thickness over the radius of the middle line: by three assumptions of the literature,
 * each one equation (heyman-1969; cocchetti-2011; milankovitch-1907), for arches of a few voussoirs
 * by their line of thrust, and for the same arches by motion, as bodies in contact of which each
 * thickness either stands or falls. Radius, gravity and density cancel: they are our own, and so is
 * the friction, with which no joint slides.
 */
#include <carom/carom.h>
#include <carom/drawing/geometry_record.h>
#include <carom/models/masonry_arch.h>
#include <carom/program/memory.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** The options of the command line. */
typedef struct settings {
    int voussoirs;         /**< of the arch that is drawn */
    int most_voussoirs;    /**< of those whose limit is looked for by motion */
    double radius;         /**< m */
    double gravity;        /**< m/s2 */
    double friction;       /**< 1 */
    double step;           /**< s */
    double duration;       /**< in which an arch falls or stands, s */
    double falling_part;   /**< thickness of the arch that is drawn falling, over its limit */
    double falling_time;   /**< for which it falls, s */
    double relative_width; /**< of the interval that holds the limit by motion */
} settings;

/* An arch falls when its crown has sunk by this part of the radius: a standing one moves by what is
 * left of the steps' residuals, 1e-12 of it in each at most. */
static const double FALLEN = 1e-6;

/* Thicknesses between which the limit by motion is looked for, over that by the line of thrust. */
static const double THINNER = 0.9;
static const double THICKER = 1.13;

/* --- motion ------------------------------------------------------------------------------------
 */

static carom_masonry_arch_params arch_of(const settings *values, int voussoirs, double thickness) {
    carom_masonry_arch_params arch = carom_masonry_arch_params_default();
    arch.voussoir_count = voussoirs;
    arch.thickness = thickness;
    arch.radius = values->radius;
    arch.gravity = values->gravity;
    arch.friction = values->friction;
    return arch;
}

/** How an arch moves: called after each step. @return whether to go on */
typedef bool (*watch)(const carom_step *step, void *context);

/*[masonryArchMotion]*/
static carom_status move(const settings *values, const carom_masonry_arch_params *arch,
                         double duration, watch see, void *context, carom_report *report) {
    CAROM_AUTO(carom_bodies) bodies = NULL;
    CAROM_AUTO(carom_stepper) stepper = NULL;
    CAROM_AUTO_MEMORY double *q = calloc(6 * (size_t)arch->voussoir_count, sizeof *q);
    if (q == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    carom_stepper_params params = carom_stepper_params_default(CAROM_SCHEME_MOREAU_JEAN);
    params.step = values->step;
    params.theta = 0.5;
    CAROM_TRY(carom_masonry_arch_alloc(arch, &bodies, q, report));
    CAROM_TRY(carom_stepper_alloc(carom_bodies_mechanism(bodies), &params, &stepper, report));
    CAROM_TRY(carom_stepper_start(stepper, 0.0, q, q + 3 * arch->voussoir_count, report));
    const long steps = lround(ceil(duration / values->step));
    bool goes_on = see(carom_stepper_result(stepper), context);
    for (long k = 0; k < steps && goes_on; k++) {
        CAROM_TRY(carom_stepper_advance(stepper, report));
        goes_on = see(carom_stepper_result(stepper), context);
    }
    return CAROM_OK;
}
/*[end masonryArchMotion]*/

/** Whether the crown has sunk. */
typedef struct fall {
    int crown;    /* coordinate of its voussoir's height */
    double start; /* NaN: not known yet */
    double most;  /* that it may sink, m */
    bool has_fallen;
} fall;

static bool see_fall(const carom_step *step, void *context) {
    fall *f = context;
    f->start = isnan(f->start) ? step->position[f->crown] : f->start;
    f->has_fallen = f->start - step->position[f->crown] > f->most;
    return !f->has_fallen;
}

static int crown_of(int voussoirs) {
    return 3 * (voussoirs / 2) + 1;
}

/** Whether an arch falls in the time that it has. */
static carom_status try_thickness(const settings *values, int voussoirs, double thickness,
                                  bool *falls, carom_report *report) {
    const carom_masonry_arch_params arch = arch_of(values, voussoirs, thickness);
    fall f = {.crown = crown_of(voussoirs), .start = (double)NAN, .most = FALLEN * values->radius};
    CAROM_TRY(move(values, &arch, values->duration, see_fall, &f, report));
    *falls = f.has_fallen;
    return CAROM_OK;
}

/** The limit by motion: an interval of thicknesses, of which the lower one falls. */
static carom_status find_limit(const settings *values, int voussoirs, double expected,
                               double *falls, double *stands, carom_report *report) {
    *falls = THINNER * expected;
    *stands = THICKER * expected;
    // Next to what the line of thrust says two motions show what most others would.
    double seen_to_fall = *falls;
    double seen_to_stand = *stands;
    bool has_fallen;
    for (int side = -1; side <= 1; side += 2) {
        const double near = expected * (1.0 + side * values->relative_width);
        CAROM_TRY(try_thickness(values, voussoirs, near, &has_fallen, report));
        *(has_fallen ? &seen_to_fall : &seen_to_stand) = near;
    }
    while (*stands - *falls > values->relative_width * expected) {
        const double middle = 0.5 * (*falls + *stands);
        has_fallen = middle <= seen_to_fall;
        if (!has_fallen && middle < seen_to_stand) {
            CAROM_TRY(try_thickness(values, voussoirs, middle, &has_fallen, report));
        }
        *(has_fallen ? falls : stands) = middle;
    }
    return CAROM_OK;
}

/* --- what is written ---------------------------------------------------------------------------
 */

static void write_assumptions(carom_record *record) {
    static const char *const groups[] = {"/heyman", "/middle_line", "/true_centres"};
    static const char *const names[] = {
        "mass on the middle line, thrust along the intrados at the haunch",
        "mass on the middle line, line of thrust", "true centres of mass, line of thrust"};
    for (int k = 0; k < CAROM_MASONRY_ARCH_ASSUMPTIONS; k++) {
        const carom_masonry_arch_limit limit =
            carom_masonry_arch_limit_of((carom_masonry_arch_assumption)k);
        const carom_measure numbers[] = {
            {"thickness", limit.thickness, "1", "least thickness over the radius"},
            {"thrust", limit.thrust, "1", "horizontal thrust over the weight of half the arch"},
            {"haunch_angle", limit.haunch_angle, "rad", "of the haunch from the crown"},
        };
        carom_record group = carom_record_group(record, "%s", groups[k]);
        carom_record_scalars(&group, numbers, 3);
        carom_record_attribute(&group, ".", "long_name", names[k]);
    }
}

/** An arch of so many voussoirs. */
typedef struct arch_row {
    int count;
    double thickness;
    double thrust;
    double haunch_angle;
    double falls;
    double stands;
} arch_row;

static const carom_field ARCH_FIELDS[] = {
    CAROM_FIELD("voussoir_count", arch_row, count, "1", "voussoirs"),
    CAROM_FIELD("thickness", arch_row, thickness, "1", "least, by the line of thrust"),
    CAROM_FIELD("thrust", arch_row, thrust, "1", "over the weight of half the arch"),
    CAROM_FIELD("haunch_angle", arch_row, haunch_angle, "rad", "of the haunch from the crown"),
    CAROM_FIELD("falls", arch_row, falls, "1", "largest thickness that was seen to fall"),
    CAROM_FIELD("stands", arch_row, stands, "1", "least thickness that was seen to stand"),
};

/** Arches of 6, 8, ... voussoirs. */
static carom_status write_voussoirs(const settings *values, const carom_common_options *common,
                                    carom_record *record, carom_report *report) {
    const int count = values->most_voussoirs / 2 - 2;
    CAROM_AUTO_MEMORY arch_row *rows = calloc((size_t)count, sizeof *rows);
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    carom_progress *progress = carom_progress_start("arches", count, "arches", common->is_quiet);
    carom_status status = CAROM_OK;
    for (int k = 0; k < count && status == CAROM_OK; k++) {
        const int n = 6 + 2 * k;
        const carom_masonry_arch_limit limit = carom_masonry_arch_limit_of_voussoirs(n);
        rows[k] = (arch_row){.count = n,
                             .thickness = limit.thickness,
                             .thrust = limit.thrust,
                             .haunch_angle = limit.haunch_angle};
        status = find_limit(values, n, limit.thickness, &rows[k].falls, &rows[k].stands, report);
        carom_progress_reach(progress, k + 1);
    }
    carom_progress_finish(progress);
    CAROM_TRY(status);
    carom_record group = carom_record_group(record, "/voussoirs");
    carom_record_attribute(&group, ".", "long_name", "arches of so many voussoirs, by motion");
    carom_record_rows(&group, "voussoir_count", rows, count, sizeof *rows, ARCH_FIELDS,
                      (int)(sizeof ARCH_FIELDS / sizeof *ARCH_FIELDS));
    return CAROM_OK;
}

/** The line of thrust of the arch that is drawn, at its limit. */
static carom_status write_thrust(const settings *values, carom_record *record) {
    const int n = values->voussoirs;
    const int joints = n / 2 + 1;
    const double thickness = carom_masonry_arch_limit_of_voussoirs(n).thickness;
    CAROM_AUTO_MEMORY double *numbers = calloc(2 * (size_t)joints, sizeof *numbers);
    if (numbers == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *angles = numbers + joints;
    (void)carom_masonry_arch_thrust(n, thickness, numbers, NULL);
    for (int k = 0; k < joints; k++) {
        angles[k] = k * acos(-1.0) / n;
    }
    carom_record group = carom_record_group(record, "/line_of_thrust");
    carom_record_attribute(&group, ".", "long_name", "of the arch that is drawn, at its limit");
    carom_record_axis(&group, "angle", joints, angles, "rad", "of the joint from the crown");
    carom_record_series(&group, "radius", numbers, "angle", NULL, "1",
                        "of the thrust at the joint, over that of the middle line");
    carom_record_scalar(&group, "thickness", thickness, "1", "of the arch, over its radius");
    return CAROM_OK;
}

/** Corners of the voussoirs where they are after a while. */
typedef struct picture {
    int count;
    const double *corners; /* [4][2] about the middle of the arch */
    const double *center;  /* [2] of mass, likewise */
    double *x;             /* [5][count] */
    double *y;
} picture;

static bool see_picture(const carom_step *step, void *context) {
    const picture *p = context;
    for (int k = 0; k < p->count; k++) {
        const double *q = step->position + 3 * (size_t)k;
        for (int i = 0; i < 5; i++) {
            const double *corner = p->corners + 2 * (size_t)(i % 4);
            const double way[2] = {corner[0] - p->center[0], corner[1] - p->center[1]};
            p->x[p->count * i + k] = q[0] + cos(q[2]) * way[0] - sin(q[2]) * way[1];
            p->y[p->count * i + k] = q[1] + sin(q[2]) * way[0] + cos(q[2]) * way[1];
        }
    }
    return true;
}

/** The arch that is drawn, of some part of its least thickness, after some time. */
static carom_status write_picture(const settings *values, const char *name, double part,
                                  double time, carom_record *record, carom_report *report) {
    const int n = values->voussoirs;
    const double limit = carom_masonry_arch_limit_of_voussoirs(n).thickness;
    const carom_masonry_arch_params arch = arch_of(values, n, part * limit);
    double corners[8];
    carom_masonry_arch_corners(&arch, corners);
    const carom_bodies_shape shape = {.body = 0, .point_count = 4, .points = corners};
    const carom_planar_shape body = carom_bodies_uniform(1, &shape, 1.0);
    CAROM_AUTO_MEMORY double *numbers = calloc(10 * (size_t)n, sizeof *numbers);
    if (numbers == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    picture seen = {n, corners, body.center, numbers, numbers + 5 * (size_t)n};
    CAROM_TRY(move(values, &arch, time, see_picture, &seen, report));
    carom_record group = carom_record_group(record, "%s", name);
    carom_record_attribute(&group, ".", "long_name", "corners of the voussoirs at an instant");
    carom_record_index_axis(&group, "corner", 5, "corner of a voussoir, the first one again");
    carom_record_index_axis(&group, "voussoir", n, "voussoir from the left");
    carom_record_series(&group, "x", seen.x, "corner", "voussoir", "m", "place");
    carom_record_series(&group, "y", seen.y, "corner", "voussoir", "m", "place");
    return CAROM_OK;
}

/** Poses of all steps. */
typedef struct poses {
    int count; /* of voussoirs */
    int steps; /* seen */
    double *time;
    double *places; /* [steps][count][3] */
} poses;

static bool see_poses(const carom_step *step, void *context) {
    poses *p = context;
    const size_t numbers = 3 * (size_t)p->count;
    p->time[p->steps] = step->time;
    memcpy(p->places + (size_t)p->steps * numbers, step->position, numbers * sizeof *p->places);
    p->steps++;
    return true;
}

/** The voussoirs, whose poses are those of their centres of mass, and the ground: /geometry. */
static carom_status write_outlines(const carom_masonry_arch_params *arch, carom_record *record) {
    static const double ground[4] = {0.0, 0.0, 0.0, 1.0};
    const int n = arch->voussoir_count;
    double corners[10];
    carom_masonry_arch_corners(arch, corners);
    const carom_bodies_shape shape = {.body = 0, .point_count = 4, .points = corners};
    const carom_planar_shape body = carom_bodies_uniform(1, &shape, 1.0);
    for (int i = 0; i < 10; i++) {
        corners[i] = i < 8 ? corners[i] - body.center[i % 2] : corners[i - 8];
    }
    CAROM_AUTO_MEMORY carom_outline *outlines = malloc(((size_t)n + 1) * sizeof *outlines);
    if (outlines == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < n; k++) {
        outlines[k] = (carom_outline){k, CAROM_OUTLINE_CLOSED, 5, corners, 0.0};
    }
    outlines[n] = (carom_outline){-1, CAROM_OUTLINE_HALF_PLANE, 2, ground, 0.0};
    carom_record group = carom_record_group(record, "/geometry");
    return carom_geometry_record_outlines(&group, n, NULL, n + 1, outlines);
}

/** The same fall, to be looked at: /fall. */
static carom_status write_fall(const settings *values, carom_record *record, carom_report *report) {
    const int n = values->voussoirs;
    const double limit = carom_masonry_arch_limit_of_voussoirs(n).thickness;
    const carom_masonry_arch_params arch = arch_of(values, n, values->falling_part * limit);
    const size_t rows = (size_t)lround(ceil(values->falling_time / values->step)) + 1;
    CAROM_AUTO_MEMORY double *numbers = malloc((3 * (size_t)n + 1) * rows * sizeof *numbers);
    if (numbers == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    poses seen = {n, 0, numbers, numbers + rows};
    CAROM_TRY(move(values, &arch, values->falling_time, see_poses, &seen, report));
    carom_record group = carom_record_group(record, "/fall");
    carom_record_attribute(&group, ".", "long_name", "the arch that is drawn falling, in motion");
    carom_record_axis(&group, "time", seen.steps, seen.time, "s", "time");
    CAROM_TRY(carom_geometry_record_poses(&group, "time", seen.steps, n, seen.places));
    return write_outlines(&arch, record);
}

/* --- the program -------------------------------------------------------------------------------
 */

/** What is not given: numbers for a metre at 9.81 m/s2, in proportion to sqrt(R/g), in which an
 * arch of any size does the same. */
static void fill_in(settings *values) {
    const double scale = sqrt(values->radius * (9.81 / values->gravity));
    values->step = isnan(values->step) ? 2e-3 * scale : values->step;
    values->duration = isnan(values->duration) ? scale : values->duration;
    values->falling_time = isnan(values->falling_time) ? 0.55 * scale : values->falling_time;
}

static carom_status check(void *context, carom_report *report) {
    settings *values = context;
    fill_in(values);
    if (values->voussoirs % 2 != 0) {
        return carom_report_refuse(report, "voussoirs", values->voussoirs, -1, "even");
    }
    const double longest = fmin(values->duration, values->falling_time);
    if (!(values->step <= longest)) {
        return carom_report_bound(report, "step", values->step, "at most the duration", longest);
    }
    return carom_memory_check(values->falling_time / values->step,
                              (3.0 * values->voussoirs + 1.0) * sizeof(double),
                              "time steps of the fall", report);
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const settings *values = context;
    write_assumptions(record);
    CAROM_TRY(write_thrust(values, record));
    CAROM_TRY(write_picture(values, "/standing", 1.0, 0.0, record, report));
    CAROM_TRY(write_picture(values, "/falling", values->falling_part, values->falling_time, record,
                            report));
    CAROM_TRY(write_fall(values, record, report));
    return write_voussoirs(values, common, record, report);
}

static const carom_table_column COLUMNS[] = {
    {.head = "thickness", .expression = "thickness", .digits = 6},
    {.head = "thrust", .expression = "thrust", .digits = 4},
    {.head = "haunch", .expression = "haunch_angle", .digits = 4},
};
static const carom_table TABLES[] = {
    {.groups = "/heyman /middle_line /true_centres",
     .group_head = "assumption",
     CAROM_COLUMNS(COLUMNS)},
};

static const carom_option OPTION_ROWS[] = {
    CAROM_INTEGER("voussoirs", settings, voussoirs, "1", "of the arch that is drawn, even",
                  "[4, 1000]"),
    CAROM_INTEGER("most-voussoirs", settings, most_voussoirs, "1",
                  "arches of 6, 8, ... to so many are moved", "[6, 1000]"),
    CAROM_REAL("radius", settings, radius, "m", "of the middle line", "positive"),
    CAROM_REAL("gravity", settings, gravity, "m s-2", "acceleration", "positive"),
    CAROM_REAL("friction", settings, friction, "1", "coefficient of the joints", "not negative"),
    CAROM_REAL("step", settings, step, "s",
               "step of Moreau and Jean's scheme, else 2 ms for a metre "
               "at 9.81 m/s2, in proportion to sqrt(R/g)",
               "positive"),
    CAROM_REAL("duration", settings, duration, "s",
               "in which an arch falls or stands, else 1 s, likewise", "positive"),
    CAROM_REAL("falling-part", settings, falling_part, "1",
               "thickness of the arch that is drawn falling, over its limit", "(0, 1]"),
    CAROM_REAL("falling-time", settings, falling_time, "s",
               "for which it falls, else 0.55 s, likewise", "positive"),
    CAROM_REAL("relative-width", settings, relative_width, "1",
               "of the interval that holds a limit by motion", "[1e-9, 0.1]"),
};

int main(int argc, char **argv) {
    settings values = {
        .voussoirs = 16,
        .most_voussoirs = 24,
        .radius = 1.0,
        .gravity = 9.81,
        .friction = 0.7,
        .step = NAN,
        .duration = NAN,
        .falling_part = 0.97,
        .falling_time = NAN,
        .relative_width = 1e-5,
    };
    const carom_program program = {
        .name = "masonry_arch",
        .title = "How thin an arch of voussoirs may be",
        .source = "own",
        .schema = "masonry_arch 1",
        .options = CAROM_OPTIONS(OPTION_ROWS),
        CAROM_TABLES(TABLES),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &values);
}
