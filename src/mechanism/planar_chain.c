#include <carom/mechanism/planar_internal.h>

#include <math.h>

int carom_planar_joint_coordinate_count(carom_planar_joint type) {
    switch (type) {
    case CAROM_PLANAR_FLOATING:
        return 3;
    case CAROM_PLANAR_TRANSLATING:
        return 2;
    case CAROM_PLANAR_REVOLUTE:
    case CAROM_PLANAR_PRISMATIC:
        return 1;
    case CAROM_PLANAR_FIXED:
        break;
    }
    return 0;
}

bool carom_planar_joint_is_angle(carom_planar_joint type, int k) {
    return type == CAROM_PLANAR_REVOLUTE || (type == CAROM_PLANAR_FLOATING && k == 2);
}

/** A body frame in the world while a chain is followed from the ground. */
typedef struct frame {
    double origin[2];
    double angle;
    double cosine;
    double sine;
} frame;

/** x += R(frame) (a, b). */
static void add_turned(const frame *at, double a, double b, double *x) {
    x[0] += at->cosine * a - at->sine * b;
    x[1] += at->sine * a + at->cosine * b;
}

/** Append a coordinate: a displacement along (a, b) of the parent frame. */
static void append_displacement(const frame *parent, int coordinate, double a, double b,
                                carom_planar_chain *chain) {
    const int k = chain->count++;
    chain->coordinate[k] = coordinate;
    chain->is_angle[k] = false;
    chain->derivative[k][0] = 0.0;
    chain->derivative[k][1] = 0.0;
    add_turned(parent, a, b, chain->derivative[k]);
}

/** Append an angle; its pivot stands for the derivative until P is known. */
static void append_angle(const frame *at, int coordinate, carom_planar_chain *chain) {
    const int k = chain->count++;
    chain->coordinate[k] = coordinate;
    chain->is_angle[k] = true;
    chain->derivative[k][0] = at->origin[0];
    chain->derivative[k][1] = at->origin[1];
}

/** From the frame of the parent to that of the body. */
static void descend(const carom_planar_body *body, int first, const double *q, frame *at,
                    carom_planar_chain *chain) {
    const frame parent = *at;
    double x = body->joint_point[0];
    double y = body->joint_point[1];
    double turn = body->joint_angle;

    /* displacements */
    if (body->type == CAROM_PLANAR_FLOATING || body->type == CAROM_PLANAR_TRANSLATING) {
        x += q[first];
        y += q[first + 1];
        append_displacement(&parent, first, 1.0, 0.0, chain);
        append_displacement(&parent, first + 1, 0.0, 1.0, chain);
    } else if (body->type == CAROM_PLANAR_PRISMATIC) {
        const double axis[2] = {cos(body->axis_angle), sin(body->axis_angle)};
        x += q[first] * axis[0];
        y += q[first] * axis[1];
        append_displacement(&parent, first, axis[0], axis[1], chain);
    }
    add_turned(&parent, x, y, at->origin);

    /* angles */
    for (int k = 0; k < carom_planar_joint_coordinate_count(body->type); k++) {
        if (carom_planar_joint_is_angle(body->type, k)) {
            turn += q[first + k];
            append_angle(at, first + k, chain);
        }
    }
    at->angle += turn;
    at->cosine = cos(at->angle);
    at->sine = sin(at->angle);
}

void carom_planar_chain_at(const carom_planar_tree *tree, const double *q, int body,
                           const double *local, carom_planar_chain *chain) {
    /* the way from the body to the ground, to be walked backwards */
    int way[CAROM_PLANAR_LARGEST_DEPTH];
    int depth = 0;
    for (int i = body; i >= 0; i = tree->bodies[i].parent) {
        way[depth++] = i;
    }

    frame at = {.cosine = 1.0};
    chain->count = 0;
    while (depth > 0) {
        const int i = way[--depth];
        descend(&tree->bodies[i], tree->first_coordinate[i], q, &at, chain);
    }
    chain->angle = at.angle;
    chain->place[0] = at.origin[0];
    chain->place[1] = at.origin[1];
    add_turned(&at, local[0], local[1], chain->place);

    /* an angle moves P across its distance from the pivot */
    for (int k = 0; k < chain->count; k++) {
        if (chain->is_angle[k]) {
            double *d = chain->derivative[k];
            const double across = chain->place[0] - d[0];
            d[0] = -(chain->place[1] - d[1]);
            d[1] = across;
        }
    }
}

void carom_planar_chain_gather(const carom_planar_chain *chain, const double *v, double *w) {
    for (int k = 0; k < chain->count; k++) {
        w[k] = v[chain->coordinate[k]];
    }
}

void carom_planar_chain_combine(const carom_planar_chain *chain, const double *w, double *sum) {
    sum[0] = 0.0;
    sum[1] = 0.0;
    for (int k = 0; k < chain->count; k++) {
        sum[0] += chain->derivative[k][0] * w[k];
        sum[1] += chain->derivative[k][1] * w[k];
    }
}

void carom_planar_chain_differentiate(const carom_planar_chain *chain, const double *w,
                                      double (*E)[2]) {
    /* if q_j is an angle it turns every d_k, k >= j */
    double beyond[2] = {0.0, 0.0};
    for (int j = chain->count - 1; j >= 0; j--) {
        const double *d = chain->derivative[j];
        beyond[0] += d[0] * w[j];
        beyond[1] += d[1] * w[j];
        E[j][0] = chain->is_angle[j] ? -beyond[1] : 0.0;
        E[j][1] = chain->is_angle[j] ? beyond[0] : 0.0;
    }

    /* any q_j changes the d_k of the angles k < j */
    double turn = 0.0;
    for (int j = 0; j < chain->count; j++) {
        const double *d = chain->derivative[j];
        E[j][0] -= d[1] * turn;
        E[j][1] += d[0] * turn;
        turn += chain->is_angle[j] ? w[j] : 0.0;
    }
}

void carom_planar_chain_add_second(const carom_planar_chain *chain, const double *F, int n,
                                   double *D) {
    for (int l = 0; l < chain->count; l++) {
        const double *d = chain->derivative[l];
        const double across = F[1] * d[0] - F[0] * d[1];
        const size_t column = (size_t)chain->coordinate[l];
        for (int k = 0; k <= l; k++) {
            const size_t row = (size_t)chain->coordinate[k];
            if (!chain->is_angle[k]) {
                continue;
            }
            D[row * (size_t)n + column] += across;
            if (k < l) {
                D[column * (size_t)n + row] += across;
            }
        }
    }
}

void carom_planar_chain_add_product(const carom_planar_chain *chain, double factor, double (*E)[2],
                                    int n, double *D) {
    for (int k = 0; k < chain->count; k++) {
        double *row = D + (size_t)chain->coordinate[k] * (size_t)n;
        for (int l = 0; l < chain->count; l++) {
            row[chain->coordinate[l]] += factor * carom_planar_dot(chain->derivative[k], E[l]);
        }
    }
}
