/* A crate slides over a floor and stubs its leading corner against a step: a planar tree of one
 * body with three contacts, its impact by the law of Anitescu and Potra, plastic. Prints how fast
 * the crate tips over the step, and the impulse of each contact. */
#include <carom/carom.h>
#include <stdio.h>

static carom_status stumble(carom_report *why) {
    carom_planar_body crate = carom_planar_floating(carom_planar_box(5, 0.4, 0.6)); /* kg, m, m */
    carom_planar_wall floor = carom_planar_floor(0), step = {{0.2, 0}, {-1, 0}}; /* point, normal */
    carom_planar_contact corners[] = {carom_planar_corner_on_wall(0, -0.2, -0.3, floor, 0),
                                      carom_planar_corner_on_wall(0, 0.2, -0.3, floor, 0),
                                      carom_planar_corner_on_wall(0, 0.2, -0.3, step, 0)};
    carom_planar_tree_spec spec = carom_planar_tree_spec_default();
    spec.body_count = 1, spec.bodies = &crate, spec.contact_count = 3, spec.contacts = corners;
    const double q[] = {0, 0.3, 0}, v[] = {2, 0, 0}; /* x, y, theta and their rates: m, rad, s */

    CAROM_AUTO(carom_planar_tree) tree = NULL; /* freed where the function ends */
    CAROM_AUTO(carom_impact_problem) problem = NULL;
    CAROM_AUTO(carom_impact_result) result = NULL;
    CAROM_TRY(carom_planar_tree_alloc(&spec, &tree, why));
    CAROM_TRY(carom_impact_problem_of_mechanism(carom_planar_tree_mechanism(tree), q, v,
                                                CAROM_IMPACT_CLOSED, NULL, &problem, why));
    CAROM_TRY(carom_impact_law_run(&carom_impact_law_anitescu_potra, problem, NULL, &result, why));
    for (int i = 0; i < result->count; i++) {
        const double *after = result->velocity + 3 * i, *impulse = result->impulse + 6 * i;
        printf("tips with %.6f rad/s, impulses %.6f, %.6f, %.6f N s\n", -after[2], impulse[0],
               impulse[1], impulse[2]);
    }
    return CAROM_OK;
}

int main(void) {
    carom_report why = carom_report_empty();
    const carom_status status = stumble(&why);
    if (status != CAROM_OK) {
        carom_report_print(stderr, status, &why);
    }
    return status != CAROM_OK;
}
