#include <carom/collisionless/curves/determinant.h>

#include <carom/base/base.h>

#include <math.h>
#include <stdlib.h>

/** Parts of a cell along a side. */
enum { PARTS = 8 };

/** Newton's method doubles its digits: more steps come from a start where curves hardly cross. */
enum { NEWTON_ITERATIONS = 30 };

/** An iteration is given up this many diagonals of a cell away: what is there has its own cell. */
static const double LONGEST_WAY = 6.0;

/** Differences are taken over this part of the phase, or of a radian: the cube root of a rounding,
 * which leaves the derivatives ten digits. */
static const double DIFFERENCE_STEP = 6e-6;

/** A step of this length is rounding, in parts of the phases. */
static const double LAST_STEP = 1e-15;

/** A converged iteration ends with a step below this, rad: neighbouring zeros of N = 20 are known
 * that well; an iteration that wanders, or that halves its way to zero phases, does not. */
static const double ACCEPTED_STEP = 1e-8;

/** Crossings closer than this are one, rad. */
static const double SEPARATION = 1e-6;

/** Rank is lost if the smallest singular value is below this part of the next one: true crossings
 * have roundings, spurious ones some hundredths. */
static const double RANK_TOLERANCE = 1e-7;

/** The state of a search. */
typedef struct crossing_search {
    carom_reduced_matrix *reduced;
    carom_impact_matrix *matrix;
    carom_impact_phase_window window;
    carom_determinant_grid patch; /**< of one cell */
    carom_determinant_crossings *found;
    int capacity;
} crossing_search;

static void crossing_search_clear(crossing_search *search) {
    carom_determinant_grid_clear(&search->patch);
    carom_impact_matrix_free(search->matrix);
    carom_reduced_matrix_free(search->reduced);
}

/** Both determinants at a point of the plane of phases. */
static void evaluate(const crossing_search *search, const double *phases, double *determinants) {
    carom_reduced_matrix_determinants(
        search->reduced, carom_reduced_matrix_time(search->reduced, phases[0]),
        carom_reduced_matrix_constrained_time(search->reduced, phases[1]), determinants);
}

/** Newton's step at a point, by central differences; false where the derivatives are singular. */
static bool newton_step(const crossing_search *search, const double *phases, double *step) {
    double f[2];
    evaluate(search, phases, f);
    double derivative[2][2];
    for (int k = 0; k < 2; k++) {
        const double h = DIFFERENCE_STEP * fmin(1.0, phases[k]);
        double moved[2] = {phases[0], phases[1]};
        double above[2];
        double below[2];
        moved[k] = phases[k] + h;
        evaluate(search, moved, above);
        moved[k] = phases[k] - h;
        evaluate(search, moved, below);
        for (int i = 0; i < 2; i++) {
            derivative[i][k] = (above[i] - below[i]) / (2.0 * h);
        }
    }
    const double determinant =
        derivative[0][0] * derivative[1][1] - derivative[0][1] * derivative[1][0];
    step[0] = (derivative[0][1] * f[1] - derivative[1][1] * f[0]) / determinant;
    step[1] = (derivative[1][0] * f[0] - derivative[0][0] * f[1]) / determinant;
    return isfinite(step[0]) && isfinite(step[1]);
}

/** Whether a point lies in the window grown by a margin, rad. */
static bool is_inside(const carom_impact_phase_window *window, const double *phases,
                      double margin) {
    return phases[0] >= window->min_phase - margin && phases[0] <= window->max_phase + margin &&
           phases[1] >= window->min_constrained_phase - margin &&
           phases[1] <= window->max_constrained_phase + margin && phases[0] > 0.0 &&
           phases[1] > 0.0;
}

/** Newton's method from a guess, with steps no longer than a diagonal of the cell; true if it ends
 * at a crossing. */
static bool polish(const crossing_search *search, double diagonal, double *phases,
                   double *residual) {
    const double start[2] = {phases[0], phases[1]};
    double best[2] = {phases[0], phases[1]};
    *residual = HUGE_VAL;
    for (int k = 0; k < NEWTON_ITERATIONS; k++) {
        double step[2];
        const double way = hypot(phases[0] - start[0], phases[1] - start[1]);
        if (way > LONGEST_WAY * diagonal || !is_inside(&search->window, phases, diagonal) ||
            !newton_step(search, phases, step)) {
            break;
        }
        const double length = hypot(step[0], step[1]);
        if (length < *residual) {
            *residual = length;
            best[0] = phases[0];
            best[1] = phases[1];
        } else if (*residual < ACCEPTED_STEP) {
            // steps no longer shorten: they are rounding
            break;
        }
        if (length <= LAST_STEP * hypot(phases[0], phases[1])) {
            break;
        }
        const double damping = fmin(1.0, diagonal / length);
        phases[0] += damping * step[0];
        phases[1] += damping * step[1];
    }
    phases[0] = best[0];
    phases[1] = best[1];
    return *residual < ACCEPTED_STEP && is_inside(&search->window, phases, *residual);
}

static bool is_known(const carom_determinant_crossings *found, const double *phases) {
    for (int i = 0; i < found->count; i++) {
        const carom_determinant_crossing *other = &found->crossings[i];
        if (hypot(other->phase - phases[0], other->constrained_phase - phases[1]) < SEPARATION) {
            return true;
        }
    }
    return false;
}

/** Add a crossing with its rank, unless it is known. */
static carom_status add(crossing_search *search, const double *phases, double residual) {
    carom_determinant_crossings *found = search->found;
    if (is_known(found, phases)) {
        return CAROM_OK;
    }
    if (found->count == search->capacity) {
        const int capacity = 2 * search->capacity + 16;
        carom_determinant_crossing *larger =
            realloc(found->crossings, (size_t)capacity * sizeof *larger);
        if (larger == NULL) {
            return CAROM_STATUS_OUT_OF_MEMORY;
        }
        found->crossings = larger;
        search->capacity = capacity;
    }
    carom_determinant_crossing crossing = {
        .phase = phases[0],
        .constrained_phase = phases[1],
        .time = carom_reduced_matrix_time(search->reduced, phases[0]),
        .constrained_time = carom_reduced_matrix_constrained_time(search->reduced, phases[1]),
        .residual = residual,
    };
    CAROM_TRY(carom_impact_matrix_rank(search->matrix, crossing.time, crossing.constrained_time,
                                       &crossing.rank, NULL));
    crossing.is_spurious = !(crossing.rank.smallest <= RANK_TOLERANCE * crossing.rank.second);
    found->true_count += crossing.is_spurious ? 0 : 1;
    found->crossings[found->count++] = crossing;
    return CAROM_OK;
}

/** Whether both families may pass through a cell. */
static bool may_cross(const carom_determinant_grid *grid, int row, int column) {
    return carom_determinant_grid_may_vanish(grid, CAROM_DETERMINANT_WITHOUT_MODE, row, column) &&
           carom_determinant_grid_may_vanish(grid, CAROM_DETERMINANT_WITHOUT_FORCE, row, column);
}

/** Look for crossings in the parts of a cell of the grid. */
static carom_status search_cell(crossing_search *search, const carom_determinant_grid *grid,
                                int row, int column) {
    const carom_impact_phase_window cell = {
        .min_phase = carom_determinant_grid_phase(grid, column),
        .max_phase = carom_determinant_grid_phase(grid, column + 1),
        .min_constrained_phase = carom_determinant_grid_constrained_phase(grid, row),
        .max_constrained_phase = carom_determinant_grid_constrained_phase(grid, row + 1),
        .columns = PARTS,
        .rows = PARTS,
    };
    const double diagonal = hypot(cell.max_phase - cell.min_phase,
                                  cell.max_constrained_phase - cell.min_constrained_phase);
    carom_determinant_grid *patch = &search->patch;
    carom_determinant_grid_compute(patch, search->reduced, &cell);
    for (int j = 0; j < PARTS; j++) {
        for (int i = 0; i < PARTS; i++) {
            if (!may_cross(patch, j, i)) {
                continue;
            }
            double phases[2] = {0.5 * (carom_determinant_grid_phase(patch, i) +
                                       carom_determinant_grid_phase(patch, i + 1)),
                                0.5 * (carom_determinant_grid_constrained_phase(patch, j) +
                                       carom_determinant_grid_constrained_phase(patch, j + 1))};
            double residual = HUGE_VAL;
            if (polish(search, diagonal, phases, &residual)) {
                CAROM_TRY(add(search, phases, residual));
            }
        }
    }
    return CAROM_OK;
}

/** Search all cells that both families may enter. */
static carom_status search_cells(crossing_search *search, const carom_determinant_grid *grid) {
    for (int row = 0; row < grid->window.rows; row++) {
        for (int column = 0; column < grid->window.columns; column++) {
            if (may_cross(grid, row, column)) {
                CAROM_TRY(search_cell(search, grid, row, column));
            }
        }
    }
    return CAROM_OK;
}

/** Order by o_N, then o'_{N-1}. */
static int compare(const void *left, const void *right) {
    const carom_determinant_crossing *a = left;
    const carom_determinant_crossing *b = right;
    const int by_phase = (a->phase > b->phase) - (a->phase < b->phase);
    return by_phase != 0 ? by_phase
                         : (a->constrained_phase > b->constrained_phase) -
                               (a->constrained_phase < b->constrained_phase);
}

/** Everything but the memory of the result. */
static carom_status find(const carom_phase_spectra *spectra,
                         const carom_impact_phase_window *window,
                         carom_determinant_crossings *found, carom_report *report) {
    CAROM_AUTO_VALUE(crossing_search) search = {.window = *window, .found = found};
    CAROM_AUTO_VALUE(carom_determinant_grid) grid = {.values = NULL};
    CAROM_TRY(carom_reduced_matrix_alloc(spectra, &search.reduced, report));
    CAROM_TRY(carom_impact_matrix_alloc(spectra, &search.matrix, report));
    CAROM_TRY(carom_determinant_grid_init(search.reduced, PARTS, PARTS, &search.patch));
    CAROM_TRY(carom_determinant_grid_init(search.reduced, window->columns, window->rows, &grid));
    carom_determinant_grid_compute(&grid, search.reduced, window);
    return search_cells(&search, &grid);
}

carom_status carom_determinant_crossings_find(const carom_phase_spectra *spectra,
                                              const carom_impact_phase_window *window,
                                              carom_determinant_crossings **out,
                                              carom_report *report) {
    CAROM_ASSERT(spectra != NULL && window != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(carom_impact_phase_window_check(window, report));
    CAROM_AUTO(carom_determinant_crossings) found = calloc(1, sizeof *found);
    if (found == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(find(spectra, window, found, report));
    if (found->count > 0) {
        qsort(found->crossings, (size_t)found->count, sizeof *found->crossings, compare);
    }
    CAROM_HAND_OVER(found, out);
    return CAROM_OK;
}

void carom_determinant_crossings_free(carom_determinant_crossings *crossings) {
    if (crossings == NULL) {
        return;
    }
    free(crossings->crossings);
    free(crossings);
}
