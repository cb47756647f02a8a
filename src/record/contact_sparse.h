/** Internal: sparse matrices of contact files. */
#ifndef CAROM_RECORD_CONTACT_SPARSE_H
#define CAROM_RECORD_CONTACT_SPARSE_H

#include <carom/base/base.h>

// Real matrices alone; the complex ones would need <complex.h>.
#define NCOMPLEX
#include <suitesparse/cs.h>

/** nz of a matrix that is no list of triplets. */
enum { CAROM_COMPRESSED_COLUMNS = -1, CAROM_COMPRESSED_ROWS = -2 };

/** A matrix of CXSparse that leaves its scope. */
typedef cs carom_sparse;

/** Free; NULL is accepted. */
static inline void carom_sparse_free(carom_sparse *matrix) {
    cs_spfree(matrix);
}
CAROM_AUTO_TYPE(carom_sparse)

#endif
