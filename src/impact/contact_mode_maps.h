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

/**
 * Everything is in the kinetic metric: speeds divided, impulses multiplied by the scale of their
 * row. Both then have the unit of a root of energy, and no unit of mass, length or time decides
 * what is small.
 */
struct carom_contact_modes {
    int contact_count;
    int row_count;
    int mode_count;                       /**< of a contact: 4 or 7 */
    int combination_count;                /**< mode_count^m */
    double *scale;                        /**< [r] powers of two next to the roots of the inverse
                                               masses of the rows */
    double *delassus_matrix;              /**< [r][r] C_ab / (scale_a scale_b), 1 */
    double *friction;                     /**< [m] mu_i scale_(m+i) / scale_i, 1 */
    carom_mode_combination *combinations; /**< [combination_count] */
    double *arena;
    size_t arena_count;
    size_t arena_capacity;
};

/** Whether the modes know caps. */
bool carom_contact_modes_are_capped(const carom_contact_modes *modes);

#endif
