#include <carom/program/ranks.h>

/** One process. */
static bool open_alone(void **self, int *rank, int *rank_count) {
    *self = NULL;
    *rank = 0;
    *rank_count = 1;
    return true;
}

/* In a file of its own, so that nothing is folded into its users and an archive leaves it out. With
 * one rank nothing but `open` is called. */
CAROM_WEAK const carom_transport carom_transport_of_program = {.open = open_alone};
