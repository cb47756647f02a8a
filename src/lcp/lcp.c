#include <carom/lcp/lcp.h>
#include <carom/lcp/lemke_internal.h>

#include <math.h>
#include <stddef.h>

double carom_lcp_residual(int n, const double *M, const double *q, const double *z) {
    CAROM_ASSERT(n >= 0 && (n == 0 || (M != NULL && q != NULL && z != NULL)));
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        const double *row = M + (size_t)i * (size_t)n;
        const double w = q[i] + carom_lcp_inner_product(n, row, z);
        // fmin and fmax would lose a NaN.
        if (isnan(w) || isnan(z[i])) {
            return (double)NAN;
        }
        const double residual = fabs(z[i] < w ? z[i] : w);
        largest = residual > largest ? residual : largest;
    }
    return largest;
}
