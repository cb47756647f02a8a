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

void carom_inclusion_mixture_work_free(carom_inclusion_mixture_work *sharing) {
    if (sharing == NULL) {
        return;
    }
    carom_lcp_workspace_free(sharing->lemke);
    free(sharing->directions);
    free(sharing->contacts);
    free(sharing->frictional);
    free(sharing->offset);
    free(sharing->matrix);
    free(sharing->constant);
    free(sharing->covering);
    free(sharing->solution);
    free(sharing);
}

carom_status carom_inclusion_mixture_work_alloc(const carom_inclusion_system *system, int facets,
                                                const double *directions,
                                                carom_inclusion_mixture_work **out) {
    *out = NULL;
    carom_inclusion_mixture_work *sharing = calloc(1, sizeof *sharing);
    if (sharing == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const size_t m = (size_t)system->contact_count;
    const size_t entries = (size_t)facets * (size_t)system->tangent_count;
    sharing->tangent_count = system->tangent_count;
    sharing->facet_count = system->tangent_count > 0 ? facets : 0;
    const size_t size = 1 + m * (1 + (entries > 0 ? (size_t)facets + 1 : 0));
    sharing->directions = calloc(entries + 1, sizeof(double));
    sharing->contacts = calloc(m + 1, sizeof(int));
    sharing->frictional = calloc(m + 1, sizeof(int));
    sharing->offset = calloc(m + 1, sizeof(double));
    sharing->matrix = calloc(size * size, sizeof(double));
    sharing->constant = calloc(size, sizeof(double));
    sharing->covering = calloc(size, sizeof(double));
    sharing->solution = calloc(size, sizeof(double));
    const bool has_all = sharing->directions != NULL && sharing->contacts != NULL &&
                         sharing->frictional != NULL && sharing->offset != NULL &&
                         sharing->matrix != NULL && sharing->constant != NULL &&
                         sharing->covering != NULL && sharing->solution != NULL;
    if (!has_all || carom_lcp_workspace_alloc((int)size, &sharing->lemke) != CAROM_OK) {
        carom_inclusion_mixture_work_free(sharing);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    if (entries > 0) {
        memcpy(sharing->directions, directions, entries * sizeof(double));
    }
    *out = sharing;
    return CAROM_OK;
}

/** The contacts that can press within tau, and their offsets. */
static void select_contacts(carom_inclusion_mixture_work *sharing,
                            const carom_inclusion_system *system, double tau) {
    sharing->contact_count = 0;
    sharing->frictional_count = 0;
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
        if (sharing->facet_count > 0 && system->friction[i] > 0.0) {
            sharing->frictional[sharing->frictional_count++] = sharing->contact_count;
        }
        sharing->offset[sharing->contact_count] = offset;
        sharing->contacts[sharing->contact_count++] = i;
    }
}

/** First row and column of the facets. */
static int facet_start(const carom_inclusion_mixture_work *sharing) {
    return 1 + sharing->contact_count;
}

/** First row and column of the sliding speeds gamma. */
static int speed_start(const carom_inclusion_mixture_work *sharing) {
    return facet_start(sharing) + sharing->frictional_count * sharing->facet_count;
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

static speed_row facet_speed(const carom_inclusion_mixture_work *sharing,
                             const carom_inclusion_system *system, int contact, int facet) {
    const int t = sharing->tangent_count;
    return (speed_row){system->contact_count + contact * t, t, sharing->directions + facet * t};
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
    return fmax(1.0, system->friction[contact]);
}

/**
 * One row of speeds v+ in z. Returns what the impulses of an x within caps and cones enlarged by
 * the covering vector can change there.
 */
static double fill_speed_row(const carom_inclusion_mixture_work *sharing,
                             const carom_inclusion_system *system, double ds, speed_row row,
                             double *W, double *constant) {
    const int k = sharing->facet_count;
    const double free_change = ds * combine(row, system->acceleration);
    const double impulse = system->reference_force * ds;
    *constant = combine(row, system->speed) + free_change;
    double largest = 0.0;
    for (int j = 0; j < sharing->contact_count; j++) {
        // More impulse leaves less time.
        W[1 + j] = impulse * couple(system, row, normal_speed(sharing->contacts[j])) - free_change;
        largest = fmax(largest, fabs(W[1 + j]));
    }
    double change = largest;
    for (int j = 0; j < sharing->frictional_count; j++) {
        const int contact = sharing->contacts[sharing->frictional[j]];
        largest = 0.0;
        for (int o = 0; o < k; o++) {
            double *entry = W + facet_start(sharing) + j * k + o;
            *entry = impulse * couple(system, row, facet_speed(sharing, system, contact, o));
            largest = fmax(largest, fabs(*entry));
        }
        change += (cone_scale(system, contact) + system->friction[contact]) * largest;
    }
    return change > 0.0 ? change : 1.0;
}

/** The cap row 1 - sum x and the rows of normal speeds. */
static void fill_normal_rows(carom_inclusion_mixture_work *sharing,
                             const carom_inclusion_system *system, double ds, const double *weight,
                             int size) {
    double *W = sharing->matrix;
    sharing->constant[0] = 1.0;
    sharing->covering[0] = 1.0;
    for (int j = 0; j < sharing->contact_count; j++) {
        const int i = sharing->contacts[j];
        const int row = 1 + j;
        W[row] = -1.0;
        const double change = fill_speed_row(sharing, system, ds, normal_speed(i), W + row * size,
                                             sharing->constant + row);
        sharing->constant[row] += sharing->offset[j];
        sharing->covering[row] = 2.0 * change;
        W[row * size] = weight != NULL ? weight[i] : 1.0;
    }
}

/** The rows of facet speeds and of the cones. */
static void fill_friction_rows(carom_inclusion_mixture_work *sharing,
                               const carom_inclusion_system *system, double ds, int size) {
    const int k = sharing->facet_count;
    double *W = sharing->matrix;
    for (int j = 0; j < sharing->frictional_count; j++) {
        const int contact = sharing->contacts[sharing->frictional[j]];
        const int cone = speed_start(sharing) + j;
        for (int o = 0; o < k; o++) {
            const int row = facet_start(sharing) + j * k + o;
            sharing->covering[row] =
                2.0 * fill_speed_row(sharing, system, ds, facet_speed(sharing, system, contact, o),
                                     W + row * size, sharing->constant + row);
            W[row * size + cone] = 1.0;
            W[cone * size + row] = -1.0 / cone_scale(system, contact);
        }
        W[cone * size + 1 + sharing->frictional[j]] =
            system->friction[contact] / cone_scale(system, contact);
        sharing->constant[cone] = 0.0;
        sharing->covering[cone] = 1.0;
    }
}

/** Impulses of a solution; dt = ds (1 - sum x), zero where beta is not. */
static void read_share(const carom_inclusion_mixture_work *sharing,
                       const carom_inclusion_system *system, double ds, double *L,
                       carom_inclusion_mixture *share) {
    const int k = sharing->facet_count;
    const double *z = sharing->solution;
    const double impulse = system->reference_force * ds;
    double rest = 1.0;
    share->is_early = false;
    for (int j = 0; j < sharing->contact_count; j++) {
        const int i = sharing->contacts[j];
        L[i] = impulse * z[1 + j];
        rest -= z[1 + j];
        if (sharing->offset[j] > 0.0 && z[1 + j] > 0.0) {
            share->is_early = true;
        }
    }
    for (int j = 0; j < sharing->frictional_count; j++) {
        const int contact = sharing->contacts[sharing->frictional[j]];
        for (int o = 0; o < k; o++) {
            const speed_row facet = facet_speed(sharing, system, contact, o);
            for (int a = 0; a < facet.count; a++) {
                L[facet.first + a] +=
                    impulse * facet.factors[a] * z[facet_start(sharing) + j * k + o];
            }
        }
    }
    share->approach = z[0];
    share->dt = z[0] > 0.0 ? 0.0 : ds * fmax(0.0, rest);
}

/** Lemke's method along its proven path; where rounding ends that, along its own. */
static carom_status solve_problem(carom_inclusion_mixture_work *sharing, int size,
                                  carom_inclusion_mixture *share) {
    enum { PATHS = 2 };
    carom_status status = CAROM_STATUS_RAY;
    for (int path = 0; path < PATHS; path++) {
        const bool has_covering = path == 0;
        carom_lcp_report report;
        status = carom_lcp_solve_lemke_covering(size, sharing->matrix, sharing->constant,
                                                has_covering ? sharing->covering : NULL,
                                                sharing->solution, sharing->lemke, &report);
        share->problems++;
        share->pivots += report.pivots;
        share->residual = report.residual;
        if (status != CAROM_STATUS_RAY && status != CAROM_STATUS_NOT_CONVERGED) {
            break;
        }
    }
    return status;
}

carom_status carom_inclusion_mixture_solve(carom_inclusion_mixture_work *sharing,
                                           const carom_inclusion_system *system, double ds,
                                           double tau, const double *weight, double *L,
                                           carom_inclusion_mixture *share) {
    memset(L, 0, (size_t)system->row_count * sizeof(double));
    select_contacts(sharing, system, tau);
    sharing->solution[0] = 0.0;
    share->residual = 0.0;
    if (sharing->contact_count > 0) {
        const int size = speed_start(sharing) + sharing->frictional_count;
        memset(sharing->matrix, 0, (size_t)size * (size_t)size * sizeof(double));
        fill_normal_rows(sharing, system, ds, weight, size);
        fill_friction_rows(sharing, system, ds, size);
        CAROM_TRY(solve_problem(sharing, size, share));
    }
    read_share(sharing, system, ds, L, share);
    return CAROM_OK;
}
