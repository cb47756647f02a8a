#include <carom/timestepping/variational_friction.h>

#include <carom/base/minimum_norm.h>
#include <carom/lcp/lemke.h>

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Impulses nearer to a bound than this part of it are first taken to be at the bound. */
static const double AT_BOUND = 1e-7;

/* A row at its bound may slide backwards by this part of the sizes of its sum: rounding. */
static const double BACKWARD_SLIDING = 1e-14;

/** Memory for k rows. */
typedef struct box_memory {
    double *matrix; /* [2k][2k] */
    double *offset; /* [2k] */
    double *answer; /* [2k] */
    carom_lcp_workspace *lemke;
    carom_minimum_norm *inner; /* of the rows that stick */
} box_memory;

static void box_free(box_memory *memory) {
    free(memory->matrix);
    free(memory->offset);
    free(memory->answer);
    carom_lcp_workspace_free(memory->lemke);
    carom_minimum_norm_free(memory->inner);
}

static carom_status box_alloc(int k, box_memory *memory) {
    const size_t size = 2 * (size_t)k;
    *memory = (box_memory){
        .matrix = calloc(size * size, sizeof(double)),
        .offset = calloc(size, sizeof(double)),
        .answer = calloc(size, sizeof(double)),
    };
    if (memory->matrix == NULL || memory->offset == NULL || memory->answer == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_lcp_workspace_alloc(2 * k, &memory->lemke));
    return carom_minimum_norm_alloc(k, &memory->inner);
}

static carom_status refuse(int k, const double *W, const double *v, const double *b,
                           carom_report *report) {
    for (int i = 0; i < k; i++) {
        for (int j = 0; j < k; j++) {
            if (!isfinite(W[i * k + j])) {
                return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "delassus matrix",
                                         W[i * k + j], i);
            }
        }
        if (W[i * k + i] < 0.0) {
            return carom_report_fail(report, CAROM_STATUS_OUT_OF_RANGE, "delassus matrix",
                                     W[i * k + i], i);
        }
        if (!isfinite(v[i])) {
            return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "sliding speed", v[i], i);
        }
        if (!isfinite(b[i])) {
            return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "bound", b[i], i);
        }
        if (b[i] < 0.0) {
            return carom_report_fail(report, CAROM_STATUS_OUT_OF_RANGE, "bound", b[i], i);
        }
    }
    return CAROM_OK;
}

/**
 * The optimality conditions as a linear complementarity problem: with f = x - b and y the speed at
 * the upper bound, 0 <= x _|_ W x + v - W b + y >= 0 and 0 <= y _|_ 2 b - x >= 0.
 */
static void pose(int k, const double *W, const double *v, const double *b, box_memory *memory) {
    const int size = 2 * k;
    for (int i = 0; i < k; i++) {
        memory->offset[i] = v[i];
        for (int j = 0; j < k; j++) {
            memory->matrix[i * size + j] = W[i * k + j];
            memory->offset[i] -= W[i * k + j] * b[j];
        }
        memory->matrix[i * size + k + i] = 1.0;
        memory->matrix[(k + i) * size + i] = -1.0;
        memory->offset[k + i] = 2.0 * b[i];
    }
}

/** f of the answer, exactly at the bounds that it reaches. */
static void read_bounds(int k, const double *b, const box_memory *memory, double *f) {
    for (int i = 0; i < k; i++) {
        f[i] = fmax(-b[i], fmin(b[i], memory->answer[i] - b[i]));
        if (fabs(f[i]) >= (1.0 - AT_BOUND) * b[i]) {
            f[i] = copysign(b[i], f[i]);
        }
    }
}

static bool is_inner(double f, double bound) {
    return fabs(f) < bound;
}

/** Rows inside their bounds stick: W_II f_I = -(v + W f_bounds)_I to full precision, [k]. */
static carom_status solve_inner(int k, const double *W, const double *v, const double *b,
                                box_memory *memory, const double *f) {
    double *inner = memory->matrix;
    double *right = memory->offset;
    for (int i = 0; i < k; i++) {
        const bool sticks = is_inner(f[i], b[i]);
        right[i] = sticks ? -v[i] : f[i];
        for (int j = 0; j < k; j++) {
            const bool is_block = sticks && is_inner(f[j], b[j]);
            inner[i * k + j] = is_block ? W[i * k + j] : (!sticks && i == j ? 1.0 : 0.0);
            right[i] -= sticks && !is_block ? W[i * k + j] * f[j] : 0.0;
        }
    }
    CAROM_TRY(carom_minimum_norm_compute(memory->inner, inner));
    return carom_minimum_norm_solve(memory->inner, right);
}

/** Does a row at its bound slide backwards, f u > 0 beyond rounding? */
static bool slides_backwards(int k, const double *W, double v, const double *f, int i) {
    double speed = v;
    double size = fabs(v);
    for (int j = 0; j < k; j++) {
        speed += W[i * k + j] * f[j];
        size += fabs(W[i * k + j] * f[j]);
    }
    return (f[i] > 0.0 ? speed : -speed) > BACKWARD_SLIDING * size;
}

/** Take f_I over. @return true if no row had to change between sticking and sliding */
static bool take_inner(int k, const double *W, const double *v, const double *b,
                       const box_memory *memory, double *f) {
    bool is_settled = true;
    for (int i = 0; i < k; i++) {
        if (!is_inner(f[i], b[i])) {
            continue;
        }
        const double value = memory->offset[i];
        is_settled = is_settled && fabs(value) <= b[i];
        f[i] = fmax(-b[i], fmin(b[i], value));
    }
    for (int i = 0; i < k; i++) {
        if (!is_inner(f[i], b[i]) && b[i] > 0.0 && slides_backwards(k, W, v[i], f, i)) {
            f[i] = 0.0;
            is_settled = false;
        }
    }
    return is_settled;
}

/** Full precision: sticking rows anew until sticking and sliding settle; if they do not, the answer
 * stays as it is. */
static carom_status polish(int k, const double *W, const double *v, const double *b,
                           box_memory *memory, double *f) {
    for (int round = 0; round < 2 * k; round++) {
        CAROM_TRY(solve_inner(k, W, v, b, memory, f));
        if (take_inner(k, W, v, b, memory, f)) {
            return CAROM_OK;
        }
    }
    read_bounds(k, b, memory, f);
    return CAROM_OK;
}

static carom_status minimize(int k, const double *W, const double *v, const double *b,
                             box_memory *memory, double *f) {
    pose(k, W, v, b, memory);
    CAROM_TRY(carom_lcp_solve_lemke(2 * k, memory->matrix, memory->offset, memory->answer,
                                    memory->lemke, NULL));
    read_bounds(k, b, memory, f);
    return polish(k, W, v, b, memory, f);
}

carom_status carom_variational_friction_box(int k, const double *W, const double *v,
                                            const double *b, double *f, carom_report *report) {
    CAROM_ASSERT(k >= 1 && W != NULL && v != NULL && b != NULL && f != NULL);
    carom_status status = refuse(k, W, v, b, report);
    if (status == CAROM_OK) {
        box_memory memory;
        status = box_alloc(k, &memory);
        status = status == CAROM_OK ? minimize(k, W, v, b, &memory, f) : status;
        box_free(&memory);
        if (status != CAROM_OK) {
            /* a ray would mean that W is not semidefinite: nothing was found either */
            status = status == CAROM_STATUS_RAY ? CAROM_STATUS_NOT_CONVERGED : status;
            status = carom_report_fail(report, status, "friction impulse", (double)NAN, -1);
        }
    }
    for (int i = 0; i < k && status != CAROM_OK; i++) {
        f[i] = (double)NAN;
    }
    return status;
}

double carom_variational_friction_objective(int k, const double *W, const double *v,
                                            const double *f) {
    double sum = 0.0;
    for (int i = 0; i < k; i++) {
        double half = v[i];
        for (int j = 0; j < k; j++) {
            half += 0.5 * W[i * k + j] * f[j];
        }
        sum += f[i] * half;
    }
    return sum;
}
