/** Internal: gaps, Jacobians and their derivatives of the contacts of a planar tree. */
#ifndef CAROM_MECHANISM_PLANAR_CONTACT_ROWS_H
#define CAROM_MECHANISM_PLANAR_CONTACT_ROWS_H

#include <carom/mechanism/planar_tree.h>

/** Set g, G, H and their derivatives; the context of the mechanism is its carom_planar_tree. */
void carom_planar_contact_rows_install(carom_mechanism *mechanism);

/**
 * Refuse what is no contact, and bring the wall normal to unit length.
 *
 * @param[in,out] contact    the contact
 * @param[in]     body_count bodies of the tree
 * @param[in]     index      of the contact, for the report
 * @param[out]    report     may be NULL
 * @return CAROM_OK; OUT_OF_RANGE; NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_planar_contact_prepare(carom_planar_contact *contact,
                                                           int body_count, int index,
                                                           carom_report *report);

#endif
