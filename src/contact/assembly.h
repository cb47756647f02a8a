/** A problem of bodies being assembled: what meets where, and the numbers. */
#ifndef CAROM_CONTACT_ASSEMBLY_H
#define CAROM_CONTACT_ASSEMBLY_H

#include <carom/base/linear_algebra.h>
#include <carom/contact/internal.h>

/**
 * Coordinates that M couples, and neighbours that the same blocks touch as those of a body, form a
 * part, and the entries of a row in one part a piece, with its
 * response M^-1 J' in all coordinates of the part. Then W_rs = sum over the parts of (piece of r) .
 * (response of s): rows meet where they have pieces of one part.
 */
struct carom_contact_assembly {
    carom_contact_problem *problem;
    size_t block_room;
    size_t entry_room;

    /* of the last call, to be compared with the next */
    bool has_rows;    /**< start, column */
    bool has_pieces;  /**< parts, pieces, blocks of W */
    bool has_factors; /**< of the mass kept */
    bool has_matrix;  /**< W of the values kept */
    carom_layout layout;
    int row_count;
    int joint_count;
    int contact_count;
    int tangent_count;
    bool is_tangent;
    double *mass;     /**< [layout] */
    double *diagonal; /**< [n] of M */
    double *values;   /**< [entries] J, then J of the velocities */
    int *start;       /**< [rows+1] */
    int *column;      /**< [entries] */

    int part_count;
    int *part;              /**< [n] of a coordinate, numbered by their first coordinates */
    int *place;             /**< [n] of a coordinate within its part */
    int *part_start;        /**< [parts+1] into `coordinate` */
    int *coordinate;        /**< [n] by parts, increasing within one */
    int *parent;            /**< [n] of a coordinate in the tree of its part */
    int *is_diagonal;       /**< [n] of a part: M couples none of its coordinates */
    carom_factor **factors; /**< [parts] of the others; NULL where none was needed */
    size_t *signature;      /**< [n] of the blocks that touch a coordinate; 0: none */

    int piece_count;
    int *row_piece;      /**< [rows+1] first piece of a row */
    int *piece_part;     /**< [pieces] */
    int *piece_block;    /**< [pieces] block of its row */
    int *piece_within;   /**< [pieces] place of its row in the block */
    int *piece_entry;    /**< [pieces+1] into `entry` */
    int *entry;          /**< [entries] of J, by pieces */
    int *entry_place;    /**< [entries] of its coordinate within the part */
    int *part_piece;     /**< [parts+1] into `pieces` */
    int *pieces;         /**< [pieces] by parts */
    int *mark;           /**< [max(n, blocks)] scratch */
    size_t *response_of; /**< [pieces+1] into `response` */
    double *response;    /**< [pieces][size of the part] */

    size_t int_room;
    size_t size_room;
    size_t double_room;
    size_t response_room;
    int factor_room;
    int *ints;
    double *doubles;
};

/** Find the signatures of the rows. */
void carom_contact_assembly_sign(carom_contact_assembly *assembly);

/** Join the coordinates of each entry of the mass kept, and those of a body. @return whether the
 * parts are those of before */
bool carom_contact_assembly_join(carom_contact_assembly *assembly);

/** Number the parts joined, and the pieces of the rows on them. */
void carom_contact_assembly_divide(carom_contact_assembly *assembly);

/** A problem with the blocks of W, in the memory of the last one if it has the room. @return
 * CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_contact_assembly_make_blocks(carom_contact_assembly *assembly,
                                                                 carom_report *report);

#endif
