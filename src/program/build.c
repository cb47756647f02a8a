#include <carom/program/program.h>

/* In a file of its own, so that nothing is folded into its users and an archive leaves it out. */
CAROM_WEAK const carom_build carom_build_of_program = {
    .source_digest = "unknown",
    .compiler = "unknown",
    .cflags = "unknown",
};
