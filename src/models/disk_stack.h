/** A pyramid of equal discs hit from above (halm-2023 section 5.4.5), and the two problems that its
 * text and its programs pose. */
#ifndef CAROM_MODELS_DISK_STACK_H
#define CAROM_MODELS_DISK_STACK_H

#include <carom/models/model.h>

CAROM_BEGIN_DECLARATIONS

/** Which of the two problems. */
typedef enum carom_disk_stack_variant {
    CAROM_DISK_STACK_PRINTED, /**< as table 8 says: mass as given, tangents orthogonal to normals */
    CAROM_DISK_STACK_CODE     /**< as the authors' programs did: a disc is as many times heavier as
                                 there are contacts, tangents as of carom_disk_stack_code_tangents */
} carom_disk_stack_variant;

/** The pyramid and the speed of its top disc. */
typedef struct carom_disk_stack_params {
    carom_disk_stack_variant variant; /**< printed or code */
    int levels;                       /**< rows L of the pyramid, the lowest with L discs */
    double radius;                    /**< R, m */
    double mass;                      /**< of a disc, kg; of the variant `code` for each contact */
    double friction;                  /**< mu at all contacts, 1 */
    double initial_velocity;          /**< v0 of the top disc, upward, m/s */
    double gravity;                   /**< g, m/s2: no part in an impact */
} carom_disk_stack_params;

/** Most levels: 820 discs, 2460 coordinates, a mass matrix of 48 MB. */
enum { CAROM_DISK_STACK_MOST_LEVELS = 40 };

/** Printed, 2 levels, 1 m, 1 kg, sqrt 3, -1 m/s, 9.81 m/s2 (table 8). */
carom_disk_stack_params carom_disk_stack_params_default(void);

/** L (L + 1)/2. */
int carom_disk_stack_disk_count(int levels);

/** L on the floor, L (L - 1) between rows, L (L - 1)/2 between neighbours of a row. */
int carom_disk_stack_contact_count(int levels);

/**
 * The pyramid at rest but for the top disc, which falls: q = (x, y, theta) of disc 0, of disc 1,
 * ..., from the top row down and from left to right; the lowest row starts at (0, R) and stands on
 * the floor y = 0; the moment of inertia of a disc is m R^2/2.
 *
 * Contacts, all closed: discs of the lowest row on the floor, from left to right; then each disc
 * from the top, except those of the lowest row, on its lower left and its lower right one; then
 * the neighbours in each row from the top, from left to right. Two levels: A, B on the floor; C, D
 * below the top disc; E between the lower two. The normal points from the disc named first to the
 * second, from the floor up; the tangent is (n_y, -n_x).
 *
 * @param[in]  params the pyramid
 * @param[out] out    belongs to the caller, to be freed by carom_impact_scene_free
 * @param[out] report the parameter and its value; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: an unknown variant, levels outside [2,
 * CAROM_DISK_STACK_MOST_LEVELS], radius or mass not positive, friction negative;
 * NOT_FINITE; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_disk_stack_alloc(const carom_disk_stack_params *params,
                                                     carom_impact_scene **out,
                                                     carom_report *report);

/**
 * Turn the tangential rows of the printed problem into those of the authors' programs, where the
 * "tangent" of a normal (n_x, n_y) is t' = (n_y, n_x): not orthogonal to n between rows. With t =
 * (n_y, -n_x) it is t' = 2 n_x n_y n + (n_y^2 - n_x^2) t, and so are the rows.
 *
 * @param[in]     scene           from carom_disk_stack_alloc; the normals are those at its position
 * @param[in]     normal_rows     [m][n] J_n at this position
 * @param[in,out] tangential_rows [m][n] J_t, in place; may not overlap normal_rows
 */
void carom_disk_stack_code_tangents(const carom_impact_scene *scene, const double *normal_rows,
                                    double *tangential_rows);

CAROM_END_DECLARATIONS

#endif
