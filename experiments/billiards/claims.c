/** The paper's gaps, normals and (31), for the break of figure 4 and for random ones. */
#include "results.h"

#include <carom/base/random.h>

#include <gsl/gsl_math.h>

static const double ROUNDING = 1e-12;
/** Step of the differences of gaps, of the radii, and the error of these differences. */
static const double STEP = 1e-6;
static const double DIFFERENCE = 1e-8;

/** A cosine above this part of the largest for these balls is not rounding. */
static const double NOT_ORTHOGONAL = 0.5;

/** Where the flight of the cue ball begins, in reaches of the farther contact. */
static const double FLIGHT = 3.0;

enum { DRAWS = 500, COORDINATES = 2 * BALLS };

/** What the breaks found, errors in parts of the largest of each. */
typedef struct measures {
    double gradient; /**< our normals against differences of the printed gaps */
    double printed_gradient;
    double gap;         /**< of both contacts when the flight meets the first, over the radii */
    double approach;    /**< (D phi) q' of both contacts: the largest, over the speed */
    double product;     /**< the display before (31) against D phi_a M^-1 D phi_b' */
    double middle;      /**< (31), middle, as printed */
    double corrected;   /**< its negative */
    double end;         /**< cos(theta)/m_c */
    double right_angle; /**< |c| at theta = pi/2 */
    double other_angle; /**< least c/(cos(theta) sqrt(mu_a mu_b)) elsewhere */
    double spread;      /**< of (31) at one theta: largest over least of all breaks */
    double speed;       /**< change of xi by another speed and density */
    double largest;     /**< xi of all breaks */
} measures;

/** phi_i of the printed gaps, at q [6]. */
static double gap(const carom_billiard_break_params *cue, const double *q, int i) {
    const double distance = hypot(q[2 * i] - q[2 * C], q[2 * i + 1] - q[2 * C + 1]);
    return distance - (cue->radii[i] + cue->radii[C]);
}

/** Time after its start at which the cue ball, at q [6] with velocity v [2], first meets a ball at
 * rest; its closest approach if it misses it. */
static double meeting(const carom_billiard_break_params *cue, const double *q, const double *v,
                      int i) {
    const double reach = cue->radii[i] + cue->radii[C];
    const double x = q[2 * i] - q[2 * C];
    const double y = q[2 * i + 1] - q[2 * C + 1];
    const double speed = hypot(v[0], v[1]);
    const double along = (x * v[0] + y * v[1]) / speed;
    const double across = (x * v[1] - y * v[0]) / speed;
    return (along - sqrt(fmax(0.0, reach * reach - across * across))) / speed;
}

/** Both gaps at the instant at which the cue ball, coming from afar, meets the first of the balls.
 */
static void try_flight(const carom_billiard_break_params *cue, const carom_impact_scene *scene,
                       const carom_impact_problem *problem, measures *f) {
    const double *v = problem->velocity + 2 * C;
    const double reach = fmax(cue->radii[A], cue->radii[B]) + cue->radii[C];
    const double duration = FLIGHT * reach / hypot(v[0], v[1]);
    double q[COORDINATES];
    for (int k = 0; k < COORDINATES; k++) {
        q[k] = scene->position[k];
    }
    q[2 * C] -= duration * v[0];
    q[2 * C + 1] -= duration * v[1];
    const double wait = fmin(meeting(cue, q, v, A), meeting(cue, q, v, B));
    q[2 * C] += wait * v[0];
    q[2 * C + 1] += wait * v[1];
    for (int i = A; i <= B; i++) {
        f->gap = fmax(f->gap, fabs(gap(cue, q, i)) / (cue->radii[i] + cue->radii[C]));
    }
}

/** Normals by differences of the gaps, ours, and the printed ones, whose entries at a are
 * (x_c - x_a)/(r_a + r_c) and so on. */
static void try_normals(const carom_billiard_break_params *cue, const carom_impact_scene *scene,
                        const carom_impact_problem *problem, measures *f) {
    for (int i = A; i <= B; i++) {
        const double reach = cue->radii[i] + cue->radii[C];
        double q[COORDINATES];
        for (int k = 0; k < COORDINATES; k++) {
            q[k] = scene->position[k];
        }
        for (int k = 0; k < COORDINATES; k++) {
            const double ours = problem->contact_jacobian[i * COORDINATES + k];
            const int ball = k / 2;
            const double away = (q[2 * C + k % 2] - q[2 * i + k % 2]) / reach;
            const double printed = ball == i ? away : ball == C ? -away : 0.0;
            const double at = q[k];
            q[k] = at + STEP * reach;
            const double forward = gap(cue, q, i);
            q[k] = at - STEP * reach;
            const double slope = (forward - gap(cue, q, i)) / (2.0 * STEP * reach);
            q[k] = at;
            f->gradient = fmax(f->gradient, fabs(ours - slope));
            f->printed_gradient = fmax(f->printed_gradient, fabs(printed - slope));
        }
        f->approach = fmax(f->approach, problem->contact_velocity[i] / cue->speed);
    }
}

/** (31) and what leads to it. */
static void try_products(const carom_billiard_break_params *cue, const carom_impact_scene *scene,
                         const outcome *o, measures *f) {
    const double *q = scene->position;
    const double m_c = carom_billiard_break_mass(cue, C);
    const double a = cue->radii[A] + cue->radii[C];
    const double b = cue->radii[B] + cue->radii[C];
    const double inner = (q[2 * A] - q[2 * C]) * (q[2 * B] - q[2 * C]) +
                         (q[2 * A + 1] - q[2 * C + 1]) * (q[2 * B + 1] - q[2 * C + 1]);
    const double apart = gsl_pow_2(q[2 * A] - q[2 * B]) + gsl_pow_2(q[2 * A + 1] - q[2 * B + 1]);
    const double middle = (apart - a * a - b * b) / (2.0 * m_c * a * b);
    f->product = fmax(f->product, m_c * fabs(inner / (m_c * a * b) - o->product));
    f->middle = fmax(f->middle, m_c * fabs(middle - o->product));
    f->corrected = fmax(f->corrected, m_c * fabs(-middle - o->product));
    f->end = fmax(f->end, fabs(cos(cue->angle) - m_c * o->product));
}

/** Everything but (31) at a fixed angle, for one break. */
static carom_status try_break(const billiards *x, const carom_billiard_break_params *cue,
                              measures *f) {
    outcome o;
    CAROM_TRY(billiards_run(cue, &o, x->report));
    carom_impact_scene *scene = NULL;
    CAROM_TRY(carom_billiard_break_alloc(cue, &scene, x->report));
    carom_impact_problem *problem = NULL;
    const carom_status status = carom_impact_problem_of_scene(scene, &problem, x->report);
    if (status == CAROM_OK) {
        try_flight(cue, scene, problem, f);
        try_normals(cue, scene, problem, f);
        try_products(cue, scene, &o, f);
    }
    carom_impact_problem_free(problem);
    carom_impact_scene_free(scene);
    CAROM_TRY(status);
    const double m_c = carom_billiard_break_mass(cue, C);
    const double m_a = carom_billiard_break_mass(cue, A);
    const double m_b = carom_billiard_break_mass(cue, B);
    const double size = sqrt(m_a / (m_a + m_c) * (m_b / (m_b + m_c)));
    if (fabs(cos(cue->angle)) > 0.01) {
        f->other_angle = fmin(f->other_angle, o.cosine / (cos(cue->angle) * size));
    }
    carom_billiard_break_params other = *cue;
    other.density *= 7.0;
    other.speed *= 3.0;
    outcome scaled;
    CAROM_TRY(billiards_run(&other, &scaled, x->report));
    f->largest = fmax(f->largest, o.indeterminacy);
    f->speed = fmax(f->speed, fabs(scaled.indeterminacy - o.indeterminacy));
    return CAROM_OK;
}

/** The same balls at theta = pi/2, and (31) at another angle that all of them reach. */
static carom_status try_angles(const billiards *x, const carom_billiard_break_params *cue,
                               double *least, double *largest, measures *f) {
    carom_billiard_break_params other = *cue;
    outcome o;
    if (carom_billiard_break_smallest_angle(cue->radii) < M_PI_2) {
        other.angle = M_PI_2;
        CAROM_TRY(billiards_run(&other, &o, x->report));
        f->right_angle = fmax(f->right_angle, fabs(o.cosine));
    }
    other.angle = M_PI;
    CAROM_TRY(billiards_run(&other, &o, x->report));
    *least = fmin(*least, fabs(o.product));
    *largest = fmax(*largest, fabs(o.product));
    return CAROM_OK;
}

/** Break 0 is that of figure 4, the others are random. */
static carom_billiard_break_params draw(const billiards *x, int i) {
    carom_billiard_break_params cue = x->values->cue;
    if (i > 0) {
        const unsigned long seed = x->common->seed;
        for (int k = 0; k < BALLS; k++) {
            cue.radii[k] =
                0.3 + 2.7 * carom_counter_uniform(seed, (unsigned long)i, (unsigned long)k);
        }
        const double smallest = carom_billiard_break_smallest_angle(cue.radii);
        const double share = carom_counter_uniform(seed, (unsigned long)i, BALLS);
        cue.angle = smallest + (M_PI - smallest) * share;
    }
    return cue;
}

static void write_measures(const billiards *x, const measures *f) {
    const struct {
        const char *name;
        bool holds;
        const char *text;
    } claims[] = {
        {"contacts_are_simultaneous", f->gap <= ROUNDING && f->approach <= ROUNDING,
         "when the cue ball, coming from afar, meets one ball, both gaps are closed, and it "
         "separates "
         "from neither"},
        {"normals_are_gradients", f->gradient <= DIFFERENCE,
         "our normals are the derivatives of the printed gaps"},
        {"printed_normals_are_gradients", f->printed_gradient <= DIFFERENCE,
         "the printed D phi_a and D phi_b are the derivatives of the printed gaps"},
        {"product_of_normals", f->product <= ROUNDING,
         "the inner product of the normals by coordinates, before (31)"},
        {"printed_middle_term", f->middle <= ROUNDING, "(31), the middle term as printed"},
        {"corrected_middle_term", f->corrected <= ROUNDING, "(31), its negative"},
        {"product_is_cosine", f->end <= ROUNDING, "(31): cos(theta)/m_c"},
        {"orthogonal_at_right_angle", f->right_angle <= ROUNDING && f->other_angle > NOT_ORTHOGONAL,
         "the normals are orthogonal for theta = pi/2 and no other angle, whatever the radii"},
        {"product_ignores_masses", f->spread <= 1.0 + ROUNDING,
         "(31) depends neither on the masses nor on the radii"},
    };
    for (int i = 0; i < COUNT(claims); i++) {
        carom_record_claim(x->record, claims[i].name, claims[i].holds, claims[i].text);
    }
    // With R = 0 there is no xi.
    if (f->largest > ROUNDING) {
        carom_record_claim(x->record, "speed_and_density_do_not_matter", f->speed <= ROUNDING,
                           "xi depends neither on the speed nor on the density");
    }
}

carom_status billiards_write_claims(const billiards *x) {
    measures f = {.other_angle = HUGE_VAL, .approach = -HUGE_VAL};
    double least = HUGE_VAL;
    double largest = 0.0;
    for (int i = 0; i < DRAWS; i++) {
        const carom_billiard_break_params cue = draw(x, i);
        CAROM_TRY(try_break(x, &cue, &f));
        CAROM_TRY(try_angles(x, &cue, &least, &largest, &f));
    }
    f.spread = largest / least;
    write_measures(x, &f);
    return CAROM_OK;
}
