/* The outcomes of one impact by several laws: Newton's cradle, a ball with 1 m/s against two that
 * touch and rest. Prints for each law the velocities of the three balls, first as elastic balls,
 * then as plastic ones; a law that does not know restitution says so. */
#include <carom/carom.h>
#include <stdio.h>

static carom_status strike(double e, carom_report *why) {
    const double mass[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};        /* kg */
    const double normal[] = {-1, 1, 0, 0, -1, 1};             /* a row for each contact */
    const double tangential[] = {0, 0, 0, 0, 0, 0};           /* all happens on a line */
    const double friction[] = {0, 0}, velocity[] = {1, 0, 0}; /* 1, m/s */
    const double restitution[] = {e, e};
    const char *names[] = {"newton_moreau", "propagative", "anitescu_potra"};

    CAROM_AUTO(carom_impact_problem) problem = NULL;
    CAROM_TRY(carom_impact_problem_alloc(3, 2, 1, mass, normal, tangential, friction, velocity,
                                         &problem, why));
    CAROM_TRY(carom_impact_problem_set_restitution(problem, restitution, why));
    for (int k = 0; k < 3; k++) {
        const carom_impact_law *law = carom_impact_law_find(names[k]);
        const char *lack = carom_impact_law_lacks(law, problem);
        if (lack != NULL) {
            printf("e = %g, %s: does not know %s\n", e, law->name, lack);
            continue;
        }
        CAROM_AUTO(carom_impact_result) result = NULL;
        CAROM_TRY(carom_impact_law_run(law, problem, NULL, &result, why));
        for (int i = 0; i < result->count; i++) {
            const double *v = result->velocity + 3 * i;
            printf("e = %g, %s: %.6f, %.6f, %.6f m/s\n", e, law->name, v[0], v[1], v[2]);
        }
    }
    return CAROM_OK;
}

int main(void) {
    carom_report why = carom_report_empty();
    carom_status status = strike(1, &why);
    if (status == CAROM_OK) {
        status = strike(0, &why);
    }
    if (status != CAROM_OK) {
        carom_report_print(stderr, status, &why);
    }
    return status != CAROM_OK;
}
