/* A simultaneous impact as a sequence of single elastic ones: three balls in a row, the outer two
 * meeting the heavy middle one at once. Follows every order of the single impacts and prints, for
 * each outcome, the contacts that reflect in turn and the velocities of the balls. */
#include <carom/carom.h>
#include <stdio.h>

static carom_status collide(carom_report *why) {
    const double masses[] = {1, 3, 1}, radii[] = {0.1, 0.1, 0.1}; /* kg, m */
    const double velocities[] = {1, 0, -1};                       /* m/s */
    carom_ball_chain_params balls = carom_ball_chain_params_default();
    balls.balls = 3;
    balls.masses = masses;
    balls.radii = radii;
    balls.velocities = velocities;
    const carom_propagative_tree_params all = carom_propagative_tree_params_default();

    CAROM_AUTO(carom_model) model = NULL;
    CAROM_AUTO(carom_impact_problem) problem = NULL;
    CAROM_AUTO(carom_propagative_contacts) contacts = NULL;
    CAROM_AUTO(carom_propagative_outcomes) tree = NULL;
    CAROM_TRY(carom_ball_chain_alloc(&balls, &model, why));
    CAROM_TRY(carom_impact_problem_of_mechanism(&model->mechanism, model->initial_position,
                                                model->initial_velocity, CAROM_IMPACT_CLOSED, NULL,
                                                &problem, why));
    CAROM_TRY(carom_propagative_contacts_of_problem(problem, &contacts, why));
    CAROM_TRY(carom_propagative_outcomes_find(contacts, &all, problem->contact_velocity,
                                              problem->kinetic_energy, &tree, why));
    printf("%d outcomes by %d orders, indeterminacy %.6f\n", tree->count, tree->sequence_count,
           tree->indeterminacy);
    for (int i = 0; i < tree->count; i++) {
        for (int k = tree->shortest_begin[i]; k < tree->shortest_begin[i + 1]; k++) {
            printf("%s", tree->shortest[k] == 0 ? "left " : "right ");
        }
        const double *L = tree->impulse + 2 * i; /* N s, of the left and the right contact */
        printf("leads to %.6f, %.6f, %.6f m/s\n", velocities[0] - L[0] / masses[0],
               velocities[1] + (L[0] - L[1]) / masses[1], velocities[2] + L[1] / masses[2]);
    }
    return CAROM_OK;
}

int main(void) {
    carom_report why = carom_report_empty();
    const carom_status status = collide(&why);
    if (status != CAROM_OK) {
        carom_report_print(stderr, status, &why);
    }
    return status != CAROM_OK;
}
