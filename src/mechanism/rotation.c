#include <carom/mechanism/rotation.h>

#include <carom/mechanism/check_internal.h>
#include <carom/mechanism/mechanism.h>

#include <math.h>

/* ---------------------------------------------------------------------------------- quaternions */

/*[rotationAdvance]*/
void carom_rotation_advance(const double *p, const double *a, double *next) {
    /* exp(a) = (cos(|a|/2), sin(|a|/2) a/|a|) */
    const double angle = hypot(hypot(a[0], a[1]), a[2]);
    const double sine = angle > 0.0 ? sin(0.5 * angle) / angle : 0.5;
    const double e[4] = {cos(0.5 * angle), sine * a[0], sine * a[1], sine * a[2]};
    const double product[4] = {
        p[0] * e[0] - p[1] * e[1] - p[2] * e[2] - p[3] * e[3],
        p[0] * e[1] + p[1] * e[0] + p[2] * e[3] - p[3] * e[2],
        p[0] * e[2] - p[1] * e[3] + p[2] * e[0] + p[3] * e[1],
        p[0] * e[3] + p[1] * e[2] - p[2] * e[1] + p[3] * e[0],
    };
    const double length = hypot(hypot(product[0], product[1]), hypot(product[2], product[3]));
    for (int i = 0; i < 4; i++) {
        next[i] = product[i] / length;
    }
}
/*[end rotationAdvance]*/

void carom_rotation_matrix(const double *p, double *R) {
    const double w = p[0];
    const double x = p[1];
    const double y = p[2];
    const double z = p[3];
    R[0] = 1.0 - 2.0 * (y * y + z * z);
    R[1] = 2.0 * (x * y - w * z);
    R[2] = 2.0 * (x * z + w * y);
    R[3] = 2.0 * (x * y + w * z);
    R[4] = 1.0 - 2.0 * (x * x + z * z);
    R[5] = 2.0 * (y * z - w * x);
    R[6] = 2.0 * (x * z - w * y);
    R[7] = 2.0 * (y * z + w * x);
    R[8] = 1.0 - 2.0 * (x * x + y * y);
}

/* ----------------------------------------------------------------- the positions of a mechanism */

/* Length of a typed quaternion: one up to nine digits. */
static const double TYPED_DIGITS = 1e-9;

int carom_mechanism_position_count(const carom_mechanism *mechanism) {
    return mechanism->coordinate_count + mechanism->rotation_count;
}

void carom_mechanism_advance(const carom_mechanism *mechanism, const double *q,
                             const double *displacement, double *next) {
    int place = 0; /* in q of the velocity i */
    for (int i = 0, r = 0; i < mechanism->coordinate_count;) {
        if (r < mechanism->rotation_count && mechanism->rotations[r] == i) {
            carom_rotation_advance(q + place, displacement + i, next + place);
            i += 3;
            place += 4;
            r++;
        } else {
            next[place] = q[place] + displacement[i];
            i++;
            place++;
        }
    }
}

void carom_mechanism_position_sizes(const carom_mechanism *mechanism, const double *q,
                                    double *sizes) {
    int place = 0;
    for (int i = 0, r = 0; i < mechanism->coordinate_count; i++, place++) {
        if (r < mechanism->rotation_count && mechanism->rotations[r] == i) {
            sizes[i] = sizes[i + 1] = sizes[i + 2] = 1.0;
            i += 2;
            place += 3;
            r++;
        } else {
            sizes[i] = fabs(q[place]);
        }
    }
}

carom_status carom_mechanism_check_rotations(const carom_mechanism *mechanism,
                                             carom_report *report) {
    int free = 0; /* first velocity that is not yet one of a rotation */
    for (int r = 0; r < mechanism->rotation_count; r++) {
        const int first = mechanism->rotations != NULL ? mechanism->rotations[r] : -1;
        if (first < free || first > mechanism->coordinate_count - 3) {
            return carom_report_refuse(report, "rotation", (double)first, r,
                                       "three velocities of its own, in increasing order");
        }
        free = first + 3;
    }
    return CAROM_OK;
}

carom_status carom_mechanism_check_position(const carom_mechanism *mechanism, const double *q,
                                            carom_report *report) {
    for (int r = 0; r < mechanism->rotation_count; r++) {
        const double *p = q + mechanism->rotations[r] + r;
        const double length = hypot(hypot(p[0], p[1]), hypot(p[2], p[3]));
        if (!(fabs(length - 1.0) <= TYPED_DIGITS)) {
            return carom_report_refuse(report, "length of a quaternion", length, r, "1");
        }
    }
    return CAROM_OK;
}
