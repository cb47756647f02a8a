#include <carom/lcp/lcp.h>
#include <carom/timestepping/inclusion/internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct carom_inclusion_mixture_work {
    int facet_count;    /**< k */
    int tangent_count;  /**< t */
    double *directions; /**< [k][t] */
    carom_lcp_workspace *lemke;
    int contact_count;    /**< contacts within reach */
    int frictional_count; /**< those of them with friction */
    int *contacts;        /**< [m] */
    int *frictional;      /**< [m] index in `contacts` */
    double *offset;       /**< [m] g/tau of those within reach, 0 where closed, m/s */
    double *matrix;       /**< [size][size] W */
    double *constant;     /**< [size] w */
    double *covering;     /**< [size] d */
    double *solution;     /**< [size] z */
};

void carom_inclusion_mixture_work_free(carom_inclusion_mixture_work *mixture_work) {
    if (mixture_work == NULL) {
        return;
    }
    carom_lcp_workspace_free(mixture_work->lemke);
    free(mixture_work->directions);
    free(mixture_work->contacts);
    free(mixture_work->frictional);
    free(mixture_work->offset);
    free(mixture_work->matrix);
    free(mixture_work->constant);
    free(mixture_work->covering);
    free(mixture_work->solution);
    free(mixture_work);
}

carom_status carom_inclusion_mixture_work_alloc(const carom_inclusion_system *system, int facets,
                                                const double *directions,
                                                carom_inclusion_mixture_work **out) {
    *out = NULL;
    CAROM_AUTO(carom_inclusion_mixture_work) mixture_work = calloc(1, sizeof *mixture_work);
    if (mixture_work == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const size_t m = (size_t)system->contact_count;
    const size_t entries = (size_t)facets * (size_t)system->tangent_count;
    mixture_work->tangent_count = system->tangent_count;
    mixture_work->facet_count = system->tangent_count > 0 ? facets : 0;
    const size_t size = 1 + m * (1 + (entries > 0 ? (size_t)facets + 1 : 0));
    mixture_work->directions = calloc(entries + 1, sizeof(double));
    mixture_work->contacts = calloc(m + 1, sizeof(int));
    mixture_work->frictional = calloc(m + 1, sizeof(int));
    mixture_work->offset = calloc(m + 1, sizeof(double));
    mixture_work->matrix = calloc(size * size, sizeof(double));
    mixture_work->constant = calloc(size, sizeof(double));
    mixture_work->covering = calloc(size, sizeof(double));
    mixture_work->solution = calloc(size, sizeof(double));
    const bool has_all = mixture_work->directions != NULL && mixture_work->contacts != NULL &&
                         mixture_work->frictional != NULL && mixture_work->offset != NULL &&
                         mixture_work->matrix != NULL && mixture_work->constant != NULL &&
                         mixture_work->covering != NULL && mixture_work->solution != NULL;
    if (!has_all || carom_lcp_workspace_alloc((int)size, &mixture_work->lemke) != CAROM_OK) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    if (entries > 0) {
        memcpy(mixture_work->directions, directions, entries * sizeof(double));
    }
    CAROM_HAND_OVER(mixture_work, out);
    return CAROM_OK;
}

/** The contacts that can press within tau, and their offsets. */
static void select_contacts(carom_inclusion_mixture_work *mixture_work,
                            const carom_inclusion_system *system, double tau) {
    mixture_work->contact_count = 0;
    mixture_work->frictional_count = 0;
    for (int k = 0; k < system->near_count; k++) {
        const int i = system->near_contacts[k];
        // A contact that closes aims at half the gap that counts as closed, so that rounding leaves
        // it closed.
        const double closed = system->closed[i];
        const bool is_closed = system->gap[i] <= closed;
        const double offset = is_closed ? 0.0 : (system->gap[i] - 0.5 * closed) / tau;
        if (offset > system->reach[i]) {
            continue;
        }
        if (mixture_work->facet_count > 0 && carom_inclusion_system_friction(system, i) > 0.0) {
            mixture_work->frictional[mixture_work->frictional_count++] =
                mixture_work->contact_count;
        }
        mixture_work->offset[mixture_work->contact_count] = offset;
        mixture_work->contacts[mixture_work->contact_count++] = i;
    }
}

/** First row and column of the facets. */
static int facet_start(const carom_inclusion_mixture_work *mixture_work) {
    return 1 + mixture_work->contact_count;
}

/** First row and column of the sliding speeds gamma. */
static int speed_start(const carom_inclusion_mixture_work *mixture_work) {
    return facet_start(mixture_work) + mixture_work->frictional_count * mixture_work->facet_count;
}

/** A row of speeds as a combination of contact rows: row `row` alone if there is no facet. */
typedef struct speed_row {
    int first;             /**< contact row */
    int count;             /**< contact rows from there on */
    const double *factors; /**< [count] */
} speed_row;

static const double ONE = 1.0;

static speed_row normal_speed(int contact) {
    return (speed_row){contact, 1, &ONE};
}

static speed_row facet_speed(const carom_inclusion_mixture_work *mixture_work,
                             const carom_inclusion_system *system, int contact, int facet) {
    const int t = mixture_work->tangent_count;
    return (speed_row){system->contact_count + contact * t, t,
                       mixture_work->directions + facet * t};
}

/** The combination of the entries of a vector [r]. */
static double combine(speed_row row, const double *x) {
    double sum = 0.0;
    for (int a = 0; a < row.count; a++) {
        sum += row.factors[a] * x[row.first + a];
    }
    return sum;
}

/** The change of one speed by a unit impulse along another. */
static double couple(const carom_inclusion_system *system, speed_row row, speed_row column) {
    double sum = 0.0;
    for (int a = 0; a < row.count; a++) {
        const double *C = system->delassus + (row.first + a) * system->row_count;
        sum += row.factors[a] * combine(column, C);
    }
    return sum;
}

/** By what the row of a cone is divided: that of a large coefficient would swamp the others. */
static double cone_scale(const carom_inclusion_system *system, int contact) {
    return fmax(1.0, carom_inclusion_system_friction(system, contact));
}

/**
 * One row of speeds v+ in z. Returns what the impulses of an x within caps and cones enlarged by
 * the covering vector can change there.
 */
static double fill_speed_row(const carom_inclusion_mixture_work *mixture_work,
                             const carom_inclusion_system *system, double ds, speed_row row,
                             double *W, double *constant) {
    const int k = mixture_work->facet_count;
    const double free_change = ds * combine(row, system->acceleration);
    const double impulse = system->reference_force * ds;
    *constant = combine(row, system->speed) + free_change;
    double largest = 0.0;
    for (int j = 0; j < mixture_work->contact_count; j++) {
        // More impulse leaves less time.
        W[1 + j] =
            impulse * couple(system, row, normal_speed(mixture_work->contacts[j])) - free_change;
        largest = fmax(largest, fabs(W[1 + j]));
    }
    double change = largest;
    for (int j = 0; j < mixture_work->frictional_count; j++) {
        const int contact = mixture_work->contacts[mixture_work->frictional[j]];
        largest = 0.0;
        for (int o = 0; o < k; o++) {
            double *entry = W + facet_start(mixture_work) + j * k + o;
            *entry = impulse * couple(system, row, facet_speed(mixture_work, system, contact, o));
            largest = fmax(largest, fabs(*entry));
        }
        change += (cone_scale(system, contact) + carom_inclusion_system_friction(system, contact)) *
                  largest;
    }
    return change > 0.0 ? change : 1.0;
}

/** The cap row 1 - sum x and the rows of normal speeds. */
static void fill_normal_rows(carom_inclusion_mixture_work *mixture_work,
                             const carom_inclusion_system *system, double ds, const double *weight,
                             int size) {
    double *W = mixture_work->matrix;
    mixture_work->constant[0] = 1.0;
    mixture_work->covering[0] = 1.0;
    for (int j = 0; j < mixture_work->contact_count; j++) {
        const int i = mixture_work->contacts[j];
        const int row = 1 + j;
        W[row] = -1.0;
        const double change = fill_speed_row(mixture_work, system, ds, normal_speed(i),
                                             W + row * size, mixture_work->constant + row);
        mixture_work->constant[row] += mixture_work->offset[j];
        mixture_work->covering[row] = 2.0 * change;
        W[row * size] = weight != NULL ? weight[i] : 1.0;
    }
}

/** The rows of facet speeds and of the cones. */
static void fill_friction_rows(carom_inclusion_mixture_work *mixture_work,
                               const carom_inclusion_system *system, double ds, int size) {
    const int k = mixture_work->facet_count;
    double *W = mixture_work->matrix;
    for (int j = 0; j < mixture_work->frictional_count; j++) {
        const int contact = mixture_work->contacts[mixture_work->frictional[j]];
        const int cone = speed_start(mixture_work) + j;
        for (int o = 0; o < k; o++) {
            const int row = facet_start(mixture_work) + j * k + o;
            mixture_work->covering[row] =
                2.0 * fill_speed_row(mixture_work, system, ds,
                                     facet_speed(mixture_work, system, contact, o), W + row * size,
                                     mixture_work->constant + row);
            W[row * size + cone] = 1.0;
            W[cone * size + row] = -1.0 / cone_scale(system, contact);
        }
        W[cone * size + 1 + mixture_work->frictional[j]] =
            carom_inclusion_system_friction(system, contact) / cone_scale(system, contact);
        mixture_work->constant[cone] = 0.0;
        mixture_work->covering[cone] = 1.0;
    }
}

/** Impulses of a solution; dt = ds (1 - sum x), zero where beta is not. */
static void read_share(const carom_inclusion_mixture_work *mixture_work,
                       const carom_inclusion_system *system, double ds, double *L,
                       carom_inclusion_mixture *mixture) {
    const int k = mixture_work->facet_count;
    const double *z = mixture_work->solution;
    const double impulse = system->reference_force * ds;
    double rest = 1.0;
    mixture->is_early = false;
    for (int j = 0; j < mixture_work->contact_count; j++) {
        const int i = mixture_work->contacts[j];
        L[i] = impulse * z[1 + j];
        rest -= z[1 + j];
        if (mixture_work->offset[j] > 0.0 && z[1 + j] > 0.0) {
            mixture->is_early = true;
        }
    }
    for (int j = 0; j < mixture_work->frictional_count; j++) {
        const int contact = mixture_work->contacts[mixture_work->frictional[j]];
        for (int o = 0; o < k; o++) {
            const speed_row facet = facet_speed(mixture_work, system, contact, o);
            for (int a = 0; a < facet.count; a++) {
                L[facet.first + a] +=
                    impulse * facet.factors[a] * z[facet_start(mixture_work) + j * k + o];
            }
        }
    }
    mixture->approach = z[0];
    mixture->dt = z[0] > 0.0 ? 0.0 : ds * fmax(0.0, rest);
}

/** Lemke's method along its proven path; where rounding ends that, along its own. */
static carom_status solve_problem(carom_inclusion_mixture_work *mixture_work, int size,
                                  carom_inclusion_mixture *mixture) {
    enum { PATHS = 2 };
    carom_status status = CAROM_STATUS_RAY;
    for (int path = 0; path < PATHS; path++) {
        const bool has_covering = path == 0;
        carom_lcp_report report;
        status =
            carom_lcp_solve_lemke_covering(size, mixture_work->matrix, mixture_work->constant,
                                           has_covering ? mixture_work->covering : NULL,
                                           mixture_work->solution, mixture_work->lemke, &report);
        mixture->problems++;
        mixture->pivots += report.pivots;
        mixture->residual = report.residual;
        if (status != CAROM_STATUS_RAY && status != CAROM_STATUS_NOT_CONVERGED) {
            break;
        }
    }
    return status;
}

carom_status carom_inclusion_mixture_solve(carom_inclusion_mixture_work *mixture_work,
                                           const carom_inclusion_system *system, double ds,
                                           double tau, const double *weight, double *L,
                                           carom_inclusion_mixture *mixture) {
    memset(L, 0, (size_t)system->row_count * sizeof(double));
    select_contacts(mixture_work, system, tau);
    mixture_work->solution[0] = 0.0;
    mixture->residual = 0.0;
    if (mixture_work->contact_count > 0) {
        const int size = speed_start(mixture_work) + mixture_work->frictional_count;
        memset(mixture_work->matrix, 0, (size_t)size * (size_t)size * sizeof(double));
        fill_normal_rows(mixture_work, system, ds, weight, size);
        fill_friction_rows(mixture_work, system, ds, size);
        CAROM_TRY(solve_problem(mixture_work, size, mixture));
    }
    read_share(mixture_work, system, ds, L, mixture);
    return CAROM_OK;
}
