/** Silence of HDF5 inside one call: its automatic error printing is off between begin and end. */
#ifndef CAROM_RECORD_HDF5_GUARD_H
#define CAROM_RECORD_HDF5_GUARD_H

#include <hdf5.h>

/** The error printer found at the beginning, to be put back at the end. */
typedef struct carom_hdf5_guard {
    H5E_auto2_t function; /**< printer of the caller, NULL if none */
    void *data;           /**< its argument */
} carom_hdf5_guard;

/** Switch the printer off and remember it. */
static inline carom_hdf5_guard carom_hdf5_guard_begin(void) {
    carom_hdf5_guard guard = {NULL, NULL};
    H5Eget_auto2(H5E_DEFAULT, &guard.function, &guard.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return guard;
}

/** Put the printer back. */
static inline void carom_hdf5_guard_end(carom_hdf5_guard guard) {
    H5Eset_auto2(H5E_DEFAULT, guard.function, guard.data);
}

#endif
