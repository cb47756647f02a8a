#include <carom/collisionless/motion/internal.h>

#include <carom/base/roots.h>

#include <float.h>
#include <math.h>

/** Iterations for one root; Brent's method takes about ten, its bisections alone fewer than 60. */
static const int MAX_ITERATIONS = 200;

/** Width of the last bracket relative to the offset, in roundings: less cannot be told apart. */
static const double BRACKET_ROUNDINGS = 4.0;

/** The equation about one of its poles. */
typedef struct secular_equation {
    int N;
    const double *lambda;
    const double *weight;
    int pole;
} secular_equation;

/** offset times the sum: -w_p + offset sum_(i != p) w_i/(lambda_i - lambda_p - offset). */
static double scaled_sum(double offset, void *context) {
    const secular_equation *equation = context;
    const double origin = equation->lambda[equation->pole];
    double rest = 0.0;
    for (int i = 0; i < equation->N; i++) {
        if (i != equation->pole) {
            rest += equation->weight[i] / (equation->lambda[i] - origin - offset);
        }
    }
    return offset * rest - equation->weight[equation->pole];
}

/** The offset in [low, high], whose ends are 0 and the middle between two poles. */
static carom_status find_offset(secular_equation *equation, double low, double high,
                                carom_bracket *bracket, double *offset) {
    gsl_function sum = {.function = scaled_sum, .params = equation};
    CAROM_TRY(carom_bracket_start(bracket, &sum, low, high));
    for (int k = 0; k < MAX_ITERATIONS; k++) {
        CAROM_TRY(carom_bracket_narrow(bracket));
        *offset = bracket->root;
        const double width = bracket->high - bracket->low;
        if (width <= BRACKET_ROUNDINGS * DBL_EPSILON * fabs(*offset)) {
            return CAROM_OK;
        }
    }
    return CAROM_STATUS_NOT_CONVERGED;
}

/** The root between poles j and j + 1. */
static carom_status find_root(secular_equation *equation, int j, carom_bracket *bracket,
                              carom_secular_root *root) {
    const double half = 0.5 * (equation->lambda[j + 1] - equation->lambda[j]);

    /* Where the sum is not negative in the middle, it has been zero before. */
    equation->pole = j;
    root->pole = j;
    if (scaled_sum(half, equation) >= 0.0) {
        return find_offset(equation, 0.0, half, bracket, &root->offset);
    }
    equation->pole = j + 1;
    root->pole = j + 1;
    if (scaled_sum(-half, equation) <= 0.0) {
        // Zero in the middle, but for the rounding of one of the two sums.
        root->offset = -half;
        return CAROM_OK;
    }
    return find_offset(equation, -half, 0.0, bracket, &root->offset);
}

carom_status carom_secular_equation_solve(int N, const double *lambda, const double *weight,
                                          carom_secular_root *roots) {
    CAROM_ASSERT(N >= 2 && lambda != NULL && weight != NULL && roots != NULL);
    CAROM_AUTO_VALUE(carom_bracket) bracket = {.solver = NULL};
    carom_status status = carom_bracket_init(&bracket);
    secular_equation equation = {.N = N, .lambda = lambda, .weight = weight};
    for (int j = 0; j + 1 < N && status == CAROM_OK; j++) {
        status = find_root(&equation, j, &bracket, roots + j);
    }
    for (int j = 0; j + 1 < N && status != CAROM_OK; j++) {
        roots[j] = (carom_secular_root){.pole = -1, .offset = (double)NAN};
    }
    return status;
}
