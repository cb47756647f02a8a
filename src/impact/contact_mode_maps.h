/** The linear maps of every combination of contact modes, computed once: inside their enumeration.
 */
#ifndef CAROM_IMPACT_CONTACT_MODE_MAPS_H
#define CAROM_IMPACT_CONTACT_MODE_MAPS_H

#include <carom/impact/contact_modes.h>

#include <stdbool.h>
#include <stddef.h>

/** Most inequalities of a contact: partial and sticking. */
enum { CAROM_MODE_TESTS_PER_CONTACT = 4 };

/** Numbers of a mode combination and where its matrices begin in the arena. */
typedef struct carom_mode_combination {
    int equation_count; /**< k speeds that vanish */
    int null_count;     /**< d directions left open */
    int test_count;     /**< s inequalities */
    size_t first; /**< tests [s][r+m], impulse [r][r+m]; if d > 0: equations [k][r+m], null_tests
                     [s][d], null_impulse [r][d] */
} carom_mode_combination;

struct carom_contact_modes {
    int contact_count;
    int row_count;
    int mode_count;                       /**< of a contact: 4 or 7 */
    int combination_count;                /**< mode_count^m */
    double *delassus_matrix;              /**< [r][r] */
    double *friction;                     /**< [m] */
    carom_mode_combination *combinations; /**< [combination_count] */
    double *arena;
    size_t arena_count;
    size_t arena_capacity;
};

/** Whether the modes know caps. */
bool carom_contact_modes_are_capped(const carom_contact_modes *modes);

#endif
