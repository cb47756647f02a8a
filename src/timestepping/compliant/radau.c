#include <carom/timestepping/compliant/internal.h>

enum { S = CAROM_RADAU_STAGES };

const double carom_radau_nodes[S] = {
    0.02931642715978489197,
    0.14807859966848429184,
    0.33698469028115429909,
    0.55867151877155013208,
    0.76923386203005450091,
    0.92694567131974111485,
    1.0,
};

/* P_k(2 x - 1), k = 0 ... s. */
static void legendre(double x, double *P) {
    const double z = 2.0 * x - 1.0;
    P[0] = 1.0;
    P[1] = z;
    for (int k = 1; k < S; k++) {
        P[k + 1] = ((2 * k + 1) * z * P[k] - k * P[k - 1]) / (k + 1);
    }
}

void carom_radau_weights(const carom_radau *radau, double x, double *weights) {
    double P[S + 1];
    legendre(x, P);
    /* the integral of P_k from 0 to x is (P_(k+1) - P_(k-1))/(4 k + 2) */
    for (int j = 0; j < S; j++) {
        weights[j] = radau->legendre[0][j] * x;
        for (int k = 1; k < S; k++) {
            weights[j] += radau->legendre[k][j] * (P[k + 1] - P[k - 1]) / (4 * k + 2);
        }
    }
}

void carom_radau_init(carom_radau *radau) {
    for (int j = 0; j < S; j++) {
        double P[S + 1];
        legendre(carom_radau_nodes[j], P);
        /* weight of Radau's quadrature, which is exact for the products P_k l_j */
        const double b = carom_radau_nodes[j] / (S * S * P[S - 1] * P[S - 1]);
        radau->at_start[j] = 0.0;
        for (int k = 0; k < S; k++) {
            radau->legendre[k][j] = (2 * k + 1) * b * P[k];
            radau->at_start[j] += (k % 2 == 0 ? 1.0 : -1.0) * radau->legendre[k][j];
        }
    }
    for (int i = 0; i < S; i++) {
        carom_radau_weights(radau, carom_radau_nodes[i], radau->A[i]);
    }
    for (int i = 0; i < S; i++) {
        for (int j = 0; j < S; j++) {
            radau->AA[i][j] = 0.0;
            for (int k = 0; k < S; k++) {
                radau->AA[i][j] += radau->A[i][k] * radau->A[k][j];
            }
        }
    }
}
