#include <carom/mechanism/planar_tree.h>

carom_planar_shape carom_planar_massless(void) {
    return (carom_planar_shape){0};
}

carom_planar_shape carom_planar_point_mass(double mass, double x, double y) {
    return (carom_planar_shape){.mass = mass, .center = {x, y}};
}

carom_planar_shape carom_planar_rod(double mass, double length) {
    return (carom_planar_shape){
        .mass = mass,
        .inertia = mass * length * length / 12.0,
        .center = {0.0, -0.5 * length},
    };
}

carom_planar_shape carom_planar_box(double mass, double width, double height) {
    return (carom_planar_shape){
        .mass = mass,
        .inertia = mass * (width * width + height * height) / 12.0,
    };
}

carom_planar_shape carom_planar_disc(double mass, double radius) {
    return (carom_planar_shape){.mass = mass, .inertia = 0.5 * mass * radius * radius};
}
