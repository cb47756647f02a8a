#include <carom/impact/contact_modes.h>

#include <math.h>
#include <stddef.h>

static const double TWO_PI = 6.283185307179586476925286766559;

carom_status carom_friction_facets(int facets, double *directions) {
    CAROM_ASSERT(directions != NULL);
    if (facets < CAROM_FRICTION_FEWEST_FACETS || facets % 2 != 0) {
        return CAROM_STATUS_OUT_OF_RANGE;
    }
    // A quarter of the corners, or half of them, by angle ...
    const int given = facets % 4 == 0 ? facets / 4 : facets / 2;
    for (int j = 0; j < given; j++) {
        const double angle = TWO_PI * j / facets;
        directions[2 * j] = cos(angle);
        directions[2 * j + 1] = sin(angle);
    }
    // ... and the others by exact turns: a right angle, or a half turn.
    for (int j = given; j < facets; j++) {
        const double *d = directions + 2 * (j - given);
        directions[2 * j] = facets % 4 == 0 ? -d[1] : -d[0];
        directions[2 * j + 1] = facets % 4 == 0 ? d[0] : -d[1];
    }
    return CAROM_OK;
}
