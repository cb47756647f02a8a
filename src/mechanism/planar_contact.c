#include <carom/mechanism/planar_internal.h>

#include <math.h>

carom_planar_wall carom_planar_floor(double height) {
    return (carom_planar_wall){.point = {0.0, height}, .normal = {0.0, 1.0}};
}

carom_planar_contact carom_planar_corner_on_wall(int body, double x, double y,
                                                 carom_planar_wall wall, double friction) {
    return (carom_planar_contact){
        .kind = CAROM_PLANAR_CORNER_WALL,
        .body = body,
        .point = {x, y},
        .wall = wall,
        .other_body = -1,
        .friction = friction,
    };
}

carom_planar_contact carom_planar_disc_on_wall(int body, double x, double y, double radius,
                                               carom_planar_wall wall, double friction) {
    carom_planar_contact contact = carom_planar_corner_on_wall(body, x, y, wall, friction);
    contact.kind = CAROM_PLANAR_DISC_WALL;
    contact.radius = radius;
    return contact;
}

carom_planar_contact carom_planar_disc_on_disc(int body, double radius, int other_body,
                                               double other_radius, double friction) {
    return (carom_planar_contact){
        .kind = CAROM_PLANAR_DISC_DISC,
        .body = body,
        .radius = radius,
        .other_body = other_body,
        .other_radius = other_radius,
        .friction = friction,
    };
}

/** Refuse a number that is not finite or outside [low, high]. */
static carom_status require_within(const char *quantity, double value, double low, double high,
                                   const char *accepted, int index, carom_report *report) {
    if (!isfinite(value)) {
        return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, quantity, value, index);
    }
    if (value < low || value > high) {
        return carom_report_refuse(report, quantity, value, index, accepted);
    }
    return CAROM_OK;
}

/** A radius is finite and above zero. */
static carom_status require_radius(double radius, int index, carom_report *report) {
    CAROM_TRY(require_within("radius", radius, 0.0, INFINITY, "> 0", index, report));
    return radius > 0.0 ? CAROM_OK : carom_report_refuse(report, "radius", radius, index, "> 0");
}

/** Both components of a point are finite. */
static carom_status require_point(const char *quantity, const double *point, int index,
                                  carom_report *report) {
    CAROM_TRY(require_within(quantity, point[0], -INFINITY, INFINITY, "finite", index, report));
    return require_within(quantity, point[1], -INFINITY, INFINITY, "finite", index, report);
}

/** A wall normal of unit length; scaled first, so that no length over- or underflows. */
static carom_status prepare_wall(carom_planar_wall *wall, int index, carom_report *report) {
    CAROM_TRY(require_point("wall point", wall->point, index, report));
    CAROM_TRY(require_point("wall normal", wall->normal, index, report));
    const double largest = fmax(fabs(wall->normal[0]), fabs(wall->normal[1]));
    if (!(largest > 0.0)) {
        return carom_report_refuse(report, "wall normal", largest, index, "not (0,0)");
    }
    const double x = wall->normal[0] / largest;
    const double y = wall->normal[1] / largest;
    const double length = hypot(x, y);
    wall->normal[0] = x / length;
    wall->normal[1] = y / length;
    return CAROM_OK;
}

carom_status carom_planar_contact_prepare(carom_planar_contact *contact, int body_count, int index,
                                          carom_report *report) {
    /* of the walls' contacts the body moves; of two discs one may be part of the ground */
    const bool has_wall = contact->kind != CAROM_PLANAR_DISC_DISC;
    const int first = has_wall ? 0 : -1;
    const int last = body_count - 1;
    CAROM_TRY(require_within("contact kind", (double)contact->kind, CAROM_PLANAR_CORNER_WALL,
                             CAROM_PLANAR_DISC_DISC, "a carom_planar_contact_kind", index, report));
    CAROM_TRY(require_within("contact body", contact->body, first, last, "a body of the tree",
                             index, report));
    CAROM_TRY(require_point("contact point", contact->point, index, report));
    CAROM_TRY(require_within("friction", contact->friction, 0.0, INFINITY, ">= 0", index, report));
    CAROM_TRY(
        require_within("restitution", contact->restitution, 0.0, 1.0, "in [0,1]", index, report));
    if (contact->kind != CAROM_PLANAR_CORNER_WALL) {
        CAROM_TRY(require_radius(contact->radius, index, report));
    }
    if (has_wall) {
        return prepare_wall(&contact->wall, index, report);
    }
    CAROM_TRY(require_within("other body", contact->other_body, -1.0, last,
                             "a body of the tree, or -1", index, report));
    CAROM_TRY(require_point("other contact point", contact->other_point, index, report));
    CAROM_TRY(require_radius(contact->other_radius, index, report));
    return contact->body != contact->other_body
               ? CAROM_OK
               : carom_report_refuse(report, "other body", (double)contact->other_body, index,
                                     "another body");
}
