#include <carom/study/walker_impact.h>

#include <carom/study/impacts.h>

#include <math.h>
#include <string.h>

enum {
    NORMAL_A = CAROM_WALKER_NORMAL_A,
    NORMAL_B = CAROM_WALKER_NORMAL_B,
    TANGENTIAL_A = CAROM_WALKER_TANGENTIAL_A,
    TANGENTIAL_B = CAROM_WALKER_TANGENTIAL_B,
    ROWS = CAROM_WALKER_ROWS,
    FEET = 2
};

bool carom_walker_sticks(const carom_impact_problem *problem, const double *c) {
    return carom_contact_mode_is_at_rest(problem, c, NORMAL_A) &&
           carom_contact_mode_is_at_rest(problem, c, TANGENTIAL_A);
}

int carom_walker_find(const carom_impact_problem *problem, const carom_impact_outcomes *outcomes,
                      const char *modes) {
    for (int i = 0; i < outcomes->count; i++) {
        char letters[FEET + 1];
        carom_contact_mode_letters(problem, outcomes->contact_velocity + i * ROWS, letters);
        if (strcmp(letters, modes) == 0) {
            return i;
        }
    }
    return -1;
}

double carom_walker_rest_friction(const carom_impact_problem *problem,
                                  const carom_impact_outcomes *outcomes) {
    const int index = carom_walker_find(problem, outcomes, "SS");
    if (index < 0) {
        return NAN;
    }
    const double *L = outcomes->impulse + index * ROWS;
    double least = 0.0;
    for (int i = 0; i < FEET; i++) {
        least = L[i] > 0.0 ? fmax(least, fabs(L[FEET + i]) / L[i]) : least;
    }
    return least;
}

/** Cross product of two differences of B's speeds: (p - a) x (q - a). */
static double cross(const double *a, const double *p, const double *q) {
    return (p[NORMAL_B] - a[NORMAL_B]) * (q[TANGENTIAL_B] - a[TANGENTIAL_B]) -
           (p[TANGENTIAL_B] - a[TANGENTIAL_B]) * (q[NORMAL_B] - a[NORMAL_B]);
}

/** Distance of B's speeds at c from the segment a b. */
static double distance_of_segment(const double *a, const double *b, const double *c) {
    const double along[] = {b[NORMAL_B] - a[NORMAL_B], b[TANGENTIAL_B] - a[TANGENTIAL_B]};
    const double from[] = {c[NORMAL_B] - a[NORMAL_B], c[TANGENTIAL_B] - a[TANGENTIAL_B]};
    const double square = along[0] * along[0] + along[1] * along[1];
    const double part = (along[0] * from[0] + along[1] * from[1]) / square;
    const double at = fmin(fmax(part, 0.0), 1.0);
    return hypot(from[0] - at * along[0], from[1] - at * along[1]);
}

/** Add a finished sample by its barycentric coordinates. */
static void add(const double *const corners[3], double area, double edge, bool sticks,
                const double *c, carom_walker_triangle *out) {
    double least = INFINITY;
    double distance = INFINITY;
    for (int k = 0; k < 3; k++) {
        const double *a = corners[(k + 1) % 3];
        const double *b = corners[(k + 2) % 3];
        least = fmin(least, cross(a, b, c) / area);
        distance = fmin(distance, distance_of_segment(a, b, c));
    }
    out->inside += sticks && least >= -edge;
    out->interior += sticks && least >= edge;
    out->farthest = fmax(out->farthest, least >= 0.0 ? 0.0 : distance);
}

void carom_walker_compare(const carom_impact_problem *problem,
                          const carom_impact_outcomes *outcomes,
                          const carom_impact_samples *samples, double edge,
                          carom_walker_triangle *triangle) {
    static const char *const MODES[] = {"SL", "Ss", "SS"};
    static const double nowhere[ROWS];
    const double *corners[3];
    bool has_corners = true;
    for (int k = 0; k < 3; k++) {
        const int index = carom_walker_find(problem, outcomes, MODES[k]);
        corners[k] = index < 0 ? nowhere : outcomes->contact_velocity + index * ROWS;
        has_corners = has_corners && index >= 0;
    }
    const double area = has_corners ? cross(corners[0], corners[1], corners[2]) : 0.0;
    triangle->is_known = fabs(area) > 0.0;
    for (int i = 0; i < samples->count; i++) {
        const double *c = samples->contact_velocity + (size_t)i * ROWS;
        if (samples->is_finished[i] == 0) {
            continue;
        }
        const bool sticks = carom_walker_sticks(problem, c);
        triangle->finished++;
        triangle->sticking += sticks;
        if (triangle->is_known) {
            add(corners, area, edge, sticks, c, triangle);
        }
    }
}
