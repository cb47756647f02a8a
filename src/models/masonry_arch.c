#include <carom/models/masonry_arch.h>

#include <math.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;

/* Halvings of an interval to the last bit, and thirds of one. */
enum { HALVINGS = 60, THIRDS = 120 };

/* Thicknesses between which the least one is, over the radius. */
static const double THINNEST = 1e-3;
static const double THICKEST = 0.5;

/* --- a joint everywhere ------------------------------------------------------------------------
 */

/* Moment arm of the mass about the middle, over the radius of the middle line: a ring's mass is
 * further out than that by t^2/12. */
static double arm_of(carom_masonry_arch_assumption assumption, double t) {
    return assumption == CAROM_MASONRY_ARCH_TRUE_CENTRES ? 1.0 + t * t / 12.0 : 1.0;
}

/* With weight 1 a radian the part from the crown, where the thrust H is at the extrados, to a joint
 * at the angle b is in balance about the intrados of that joint for this H; with less it is inside
 * of it. */
/*[masonryArchThrust]*/
static double thrust_at(double arm, double t, double b) {
    const double inner = 1.0 - 0.5 * t;
    const double outer = 1.0 + 0.5 * t;
    return (b * inner * sin(b) - arm * (1.0 - cos(b))) / (outer - inner * cos(b));
}

/* With more the thrust leaves the extrados of the springing. */
static double thrust_at_springing(double arm, double t) {
    const double outer = 1.0 + 0.5 * t;
    return (0.5 * PI * outer - arm) / outer;
}
/*[end masonryArchThrust]*/

/* Where the line of thrust touches the intrados: the joint that asks for most. */
static double haunch_of(double arm, double t) {
    double low = 0.0;
    double high = 0.5 * PI;
    for (int k = 0; k < THIRDS; k++) {
        const double third = (high - low) / 3.0;
        if (thrust_at(arm, t, low + third) < thrust_at(arm, t, high - third)) {
            low += third;
        } else {
            high -= third;
        }
    }
    return 0.5 * (low + high);
}

/* Where the thrust at the haunch, whose vertical part is the weight b, has the direction of the
 * intrados: H = b cot b, which falls from 1 to 0. */
static double heyman_haunch_of(double t) {
    const double H = thrust_at_springing(1.0, t);
    double low = 0.0;
    double high = 0.5 * PI;
    for (int k = 0; k < HALVINGS; k++) {
        const double middle = 0.5 * (low + high);
        if (middle / tan(middle) > H) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return 0.5 * (low + high);
}

carom_masonry_arch_limit carom_masonry_arch_limit_of(carom_masonry_arch_assumption assumption) {
    double low = THINNEST;
    double high = THICKEST;
    double b = 0.0;
    for (int k = 0; k < HALVINGS; k++) {
        const double t = 0.5 * (low + high);
        const double arm = arm_of(assumption, t);
        b = assumption == CAROM_MASONRY_ARCH_HEYMAN ? heyman_haunch_of(t) : haunch_of(arm, t);
        if (thrust_at(arm, t, b) > thrust_at_springing(arm, t)) {
            low = t;
        } else {
            high = t;
        }
    }
    return (carom_masonry_arch_limit){
        .thickness = high,
        .thrust = thrust_at_springing(arm_of(assumption, high), high) / (0.5 * PI),
        .haunch_angle = b};
}

/* --- voussoirs ---------------------------------------------------------------------------------
 */

/* Distance of a voussoir's centre of mass from the middle: of a trapezoid with corners at both
 * radii. */
static double centre_of(int n, double t) {
    const double inner = 1.0 - 0.5 * t;
    const double outer = 1.0 + 0.5 * t;
    return cos(0.5 * PI / n) * 2.0 / 3.0 * (pow(outer, 3.0) - pow(inner, 3.0)) /
           (outer * outer - inner * inner);
}

/* The part from the crown to joint k: its weight W, its moment S about the middle, both over the
 * weight of half the arch, and the joint's directions. */
typedef struct part {
    double W;
    double S;
    double sine;
    double cosine;
} part;

/* Sum of sin((i + 1/2) b) for i < k. */
static part part_of(int n, double centre, int k) {
    const double b = PI / n;
    const double half = 0.5 * n;
    return (part){.W = k / half,
                  .S = centre * (1.0 - cos(k * b)) / (2.0 * sin(0.5 * b)) / half,
                  .sine = sin(k * b),
                  .cosine = 2 * k == n ? 0.0 : cos(k * b)};
}

/* The thrust H at the height M/H of the crown is at the radius (M + S)/(W sin + H cos) of a joint:
 * between both radii where M is between bounds that are linear in H. @return the lowest upper bound
 * below the largest lower one, convex in H */
/*[masonryArchVoussoirs]*/
static double gap_of_bounds(int n, double t, double H, double *M) {
    const double centre = centre_of(n, t);
    double lowest = -(double)INFINITY;
    double highest = (double)INFINITY;
    for (int k = 0; 2 * k <= n; k++) {
        const part p = part_of(n, centre, k);
        const double along = p.W * p.sine + H * p.cosine;
        lowest = fmax(lowest, (1.0 - 0.5 * t) * along - p.S);
        highest = fmin(highest, (1.0 + 0.5 * t) * along - p.S);
    }
    *M = 0.5 * (lowest + highest);
    return lowest - highest;
}
/*[end masonryArchVoussoirs]*/

double carom_masonry_arch_thrust(int n, double t, double *radii, double *thrust) {
    CAROM_ASSERT(n >= 4 && n % 2 == 0 && t > 0.0 && t < 2.0);
    double M = 0.0;
    double low = 0.0;
    double high = 2.0;
    for (int k = 0; k < THIRDS; k++) {
        const double third = (high - low) / 3.0;
        if (gap_of_bounds(n, t, low + third, &M) > gap_of_bounds(n, t, high - third, &M)) {
            low += third;
        } else {
            high -= third;
        }
    }
    const double H = 0.5 * (low + high);
    const double gap = gap_of_bounds(n, t, H, &M);
    for (int k = 0; radii != NULL && 2 * k <= n; k++) {
        const part p = part_of(n, centre_of(n, t), k);
        radii[k] = (M + p.S) / (p.W * p.sine + H * p.cosine);
    }
    if (thrust != NULL) {
        *thrust = H;
    }
    return gap;
}

carom_masonry_arch_limit carom_masonry_arch_limit_of_voussoirs(int n) {
    double low = THINNEST;
    double high = THICKEST;
    for (int k = 0; k < HALVINGS; k++) {
        const double t = 0.5 * (low + high);
        if (carom_masonry_arch_thrust(n, t, NULL, NULL) > 0.0) {
            low = t;
        } else {
            high = t;
        }
    }
    carom_masonry_arch_limit limit = {.thickness = high};
    double M = 0.0;
    (void)carom_masonry_arch_thrust(n, high, NULL, &limit.thrust);
    (void)gap_of_bounds(n, high, limit.thrust, &M);
    double least = (double)INFINITY;
    for (int k = 0; 2 * k <= n; k++) {
        const part p = part_of(n, centre_of(n, high), k);
        const double radius = (M + p.S) / (p.W * p.sine + limit.thrust * p.cosine);
        if (radius < least) {
            least = radius;
            limit.haunch_angle = k * PI / n;
        }
    }
    return limit;
}

/* --- bodies ------------------------------------------------------------------------------------
 */

carom_masonry_arch_params carom_masonry_arch_params_default(void) {
    return (carom_masonry_arch_params){.voussoir_count = 16,
                                       .radius = 1.0,
                                       .thickness = 0.12,
                                       .density = 1.0,
                                       .friction = 0.7,
                                       .gravity = 9.81};
}

void carom_masonry_arch_corners(const carom_masonry_arch_params *params, double corners[8]) {
    const double half = 0.5 * PI / params->voussoir_count;
    for (int k = 0; k < 4; k++) {
        const double side = k == 0 || k == 3 ? -1.0 : 1.0;
        const double radius = params->radius * (1.0 + (k < 2 ? -0.5 : 0.5) * params->thickness);
        corners[2 * k] = side * radius * sin(half);
        corners[2 * k + 1] = radius * cos(half);
    }
}

static carom_status check(const carom_masonry_arch_params *params, carom_report *report) {
    const double numbers[] = {params->radius, params->thickness, params->density, params->friction,
                              params->gravity};
    CAROM_TRY(carom_report_require_finite(report, "number of an arch", 5, numbers));
    if (params->voussoir_count < 1) {
        return carom_report_refuse(report, "voussoirs", params->voussoir_count, -1, ">= 1");
    }
    if (!(params->radius > 0.0)) {
        return carom_report_refuse(report, "radius", params->radius, -1, "> 0");
    }
    if (!(params->density > 0.0)) {
        return carom_report_refuse(report, "density", params->density, -1, "> 0");
    }
    return params->thickness > 0.0 && params->thickness < 2.0
               ? CAROM_OK
               : carom_report_refuse(report, "thickness", params->thickness, -1, "in (0,2)");
}

carom_status carom_masonry_arch_alloc(const carom_masonry_arch_params *params, carom_bodies **out,
                                      double *position, carom_report *report) {
    static const double up[] = {0.0, 0.0, 0.0, 1.0};
    CAROM_ASSERT(params != NULL && out != NULL && position != NULL);
    *out = NULL;
    CAROM_TRY(check(params, report));
    const int n = params->voussoir_count;
    double corners[8];
    carom_masonry_arch_corners(params, corners);
    CAROM_AUTO_MEMORY carom_planar_shape *bodies = calloc((size_t)n, sizeof *bodies);
    CAROM_AUTO_MEMORY carom_bodies_shape *shapes = calloc((size_t)n + 1, sizeof *shapes);
    if (bodies == NULL || shapes == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    shapes[n] = (carom_bodies_shape){.body = CAROM_BODIES_GROUND,
                                     .is_half_plane = true,
                                     .point_count = 2,
                                     .points = up,
                                     .friction = params->friction};
    const double t = params->thickness;
    const double area = params->radius * params->radius * t * sin(PI / n);
    for (int k = 0; k < n; k++) {
        shapes[k] = (carom_bodies_shape){
            .body = k, .point_count = 4, .points = corners, .friction = params->friction};
        bodies[k] = carom_bodies_uniform(1, &shapes[k], params->density * area);
    }
    carom_bodies_spec spec = carom_bodies_spec_default();
    spec.name = "masonry_arch";
    spec.body_count = n;
    spec.bodies = bodies;
    spec.shape_count = n + 1;
    spec.shapes = shapes;
    spec.gravity[1] = -params->gravity;
    CAROM_TRY(carom_bodies_alloc(&spec, out, report));
    for (int k = 0; k < n; k++) {
        const double pose[3] = {0.0, 0.0, 0.5 * PI * (1.0 - (2 * k + 1.0) / n)};
        carom_bodies_place(*out, k, pose, position + 3 * (size_t)k);
    }
    return CAROM_OK;
}
