#include <carom/contact/internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

void carom_contact_kept_free(carom_contact_kept *kept) {
    if (kept != NULL) {
        free(kept->ints);
        free(kept->doubles);
        free(kept);
    }
}

static int count_mass_entries(const carom_contact_bodies *b) {
    int count = 0;
    for (int i = 0; i < b->layout.size; i++) {
        for (int j = carom_layout_first_column(b->layout, i);
             j < carom_layout_end_column(b->layout, i); j++) {
            count += fabs(b->mass[carom_layout_index(b->layout, i, j)]) > 0.0 ? 1 : 0;
        }
    }
    return count;
}

static carom_status make_kept(int rows, int entries, int coordinates, int mass_entries,
                              carom_contact_kept **out) {
    CAROM_AUTO(carom_contact_kept) m = calloc(1, sizeof *m);
    if (m == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const size_t ints = (size_t)rows + (size_t)entries + (size_t)coordinates + (size_t)mass_entries;
    m->ints = malloc((ints + 2) * sizeof *m->ints);
    m->doubles = malloc(((size_t)entries + (size_t)mass_entries + 1) * sizeof *m->doubles);
    if (m->ints == NULL || m->doubles == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    m->coordinate_count = coordinates;
    m->row_start = m->ints;
    m->row_column = m->row_start + rows + 1;
    m->mass_start = m->row_column + entries;
    m->mass_column = m->mass_start + coordinates + 1;
    m->row_value = m->doubles;
    m->mass_value = m->row_value + entries;
    CAROM_HAND_OVER(m, out);
    return CAROM_OK;
}

carom_status carom_contact_kept_keep(carom_contact_problem *problem,
                                     const carom_contact_bodies *bodies) {
    const int n = bodies->layout.size;
    const int rows = problem->row_count;
    const int entries = bodies->row_start[rows];
    carom_contact_kept_free(problem->kept);
    problem->kept = NULL;
    if (bodies->is_tangent || bodies->rate_value != NULL || rows <= n) {
        return CAROM_OK;
    }
    CAROM_TRY(make_kept(rows, entries, n, count_mass_entries(bodies), &problem->kept));
    carom_contact_kept *m = problem->kept;
    memcpy(m->row_start, bodies->row_start, ((size_t)rows + 1) * sizeof *m->row_start);
    memcpy(m->row_column, bodies->row_column, (size_t)entries * sizeof *m->row_column);
    memcpy(m->row_value, bodies->row_value, (size_t)entries * sizeof *m->row_value);
    int count = 0;
    for (int i = 0; i < n; i++) {
        m->mass_start[i] = count;
        for (int j = carom_layout_first_column(bodies->layout, i);
             j < carom_layout_end_column(bodies->layout, i); j++) {
            const double entry = bodies->mass[carom_layout_index(bodies->layout, i, j)];
            if (fabs(entry) > 0.0) {
                m->mass_column[count] = j;
                m->mass_value[count++] = entry;
            }
        }
    }
    m->mass_start[n] = count;
    return CAROM_OK;
}
