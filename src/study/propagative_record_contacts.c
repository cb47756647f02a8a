/* The contacts of the propagative model, before any sequence: state, names and pairs. */
#include <carom/impact/propagative_pair.h>
#include <carom/study/propagative_record.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Longest path inside a record that is made here. */
enum { PATH_SIZE = 160 };

/** Columns of the table of pairs. */
enum {
    COSINE,
    HALF_OPENING,
    WEDGE_COUNT,
    PAPER_BOUND,
    LONGEST,
    LONGEST_MINIMAL,
    ORDER,
    REFLECTIONS_FIRST,
    REFLECTIONS_SECOND,
    COLUMNS
};

static const struct {
    const char *name;
    const char *units;
    const char *long_name;
} columns[COLUMNS] = {
    [COSINE] = {"cosine", "1", "cosine of the normals in the kinetic metric"},
    [HALF_OPENING] = {"half_opening", "rad", "half opening gamma of the feasible wedge"},
    [WEDGE_COUNT] = {"wedge_count", "1", "wedges in a half plane, pi/(2 gamma)"},
    [PAPER_BOUND] = {"paper_bound", "1", "the paper's bound of the reflections, ceil(pi/gamma)"},
    [LONGEST] = {"longest", "1", "most reflections of the two contacts, ceil(pi/(2 gamma))"},
    [LONGEST_MINIMAL] = {"longest_minimal", "1",
                         "most reflections of a minimal sequence, ceil(pi/(2 gamma) - 1/2)"},
    [ORDER] = {"order", "1", "k of the cosine -cos(pi/k), whose outcome is unique; 0: none"},
    [REFLECTIONS_FIRST] = {"reflections_first", "1", "of the two alone, the first contact first"},
    [REFLECTIONS_SECOND] = {"reflections_second", "1",
                            "of the two alone, the second contact first"},
};

/** Path of a dataset in a group. */
static const char *join(const char *group, const char *name, char path[PATH_SIZE]) {
    snprintf(path, PATH_SIZE, "%s/%s", group, name);
    return path;
}

/** Write a series over one of the axes of the group. */
static void write_series(const carom_propagative_record *self, const char *name,
                         const double *values, const char *axis_name, const char *units,
                         const char *long_name) {
    char path[PATH_SIZE];
    char axis[PATH_SIZE];
    carom_record_series(self->target.record, join(self->group, name, path), values,
                        join(self->group, axis_name, axis), NULL, units, long_name);
}

/** The names of all contacts in one text of `size` letters. */
static void list_names(const carom_impact_record *target, char *text, size_t size) {
    size_t used = 0;
    for (int i = 0; i < target->problem->contact_count; i++) {
        char name[CAROM_IMPACT_NAME_SIZE];
        carom_impact_record_name(target, i, name);
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? " " : "", name);
    }
}

/** Velocity, momentum and energy before, and what contacts are called. */
static void write_before(const carom_propagative_record *self, double *momentum, char *text,
                         size_t text_size) {
    const carom_impact_problem *problem = self->target.problem;
    carom_record *record = self->target.record;
    const int n = problem->coordinate_count;
    for (int j = 0; j < n; j++) {
        momentum[j] = 0.0;
        for (int i = 0; i < n; i++) {
            momentum[j] += problem->velocity[i] * problem->mass[i * n + j];
        }
    }
    list_names(&self->target, text, text_size);
    char path[PATH_SIZE];
    write_series(self, "before/velocity", problem->velocity, "coordinate", "m s-1",
                 "velocity v- before the impact");
    write_series(self, "before/momentum", momentum, "coordinate", "kg m s-1",
                 "momentum p- before the impact");
    write_series(self, "before/normal_velocity", problem->contact_velocity, "contact", "m s-1",
                 "normal velocity before the impact");
    carom_record_scalar(record, join(self->group, "before/kinetic_energy", path),
                        problem->kinetic_energy, "J", "kinetic energy before the impact");
    carom_record_string(record, join(self->group, "before/names", path), text,
                        "names of the contacts");
}

/** The numbers of one pair, into row k of every column of `count`. */
static void fill_pair(const carom_propagative_record *self, int i, int j, int k, int count,
                      double *table) {
    const carom_propagative_contacts *contacts = self->contacts;
    const double *c = self->target.problem->contact_velocity;
    const carom_propagative_pair pair = carom_propagative_pair_of(contacts, i, j);
    const carom_propagative_counts reflections =
        carom_propagative_pair_count(&pair, c[i] / contacts->length[i], c[j] / contacts->length[j]);
    const double row[COLUMNS] = {
        [COSINE] = pair.cosine,
        [HALF_OPENING] = pair.half_opening,
        [WEDGE_COUNT] = pair.wedge_count,
        [PAPER_BOUND] = pair.paper_bound,
        [LONGEST] = pair.longest,
        [LONGEST_MINIMAL] = pair.longest_minimal,
        [ORDER] = carom_propagative_pair_order(&pair),
        [REFLECTIONS_FIRST] = reflections.first_u,
        [REFLECTIONS_SECOND] = reflections.first_v,
    };
    for (int column = 0; column < COLUMNS; column++) {
        table[column * count + k] = row[column];
    }
}

/** Write the table of pairs with the contacts of each. */
static void write_table(const carom_propagative_record *self, int count, const double *table,
                        const int *first, const int *second) {
    carom_record *record = self->target.record;
    char axis[PATH_SIZE];
    char path[PATH_SIZE];
    carom_record_index_axis(record, join(self->group, "pairs/pair", axis), count,
                            "pair of contacts");
    carom_record_integer_series(record, join(self->group, "pairs/first", path), first, axis, NULL,
                                "1", "first contact of the pair");
    carom_record_integer_series(record, join(self->group, "pairs/second", path), second, axis, NULL,
                                "1", "second contact of the pair");
    for (int column = 0; column < COLUMNS; column++) {
        char name[PATH_SIZE];
        join("pairs", columns[column].name, name);
        write_series(self, name, table + column * count, "pairs/pair", columns[column].units,
                     columns[column].long_name);
    }
}

/** Bounds and exact numbers of reflections of every two contacts. */
static carom_status write_pairs(const carom_propagative_record *self) {
    const int m = self->contacts->contact_count;
    const int count = m * (m - 1) / 2;
    double *table = malloc((size_t)count * COLUMNS * sizeof *table);
    int *contact = malloc(2 * (size_t)count * sizeof *contact);
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    if (table != NULL && contact != NULL) {
        int k = 0;
        for (int i = 0; i < m; i++) {
            for (int j = i + 1; j < m; j++) {
                contact[k] = i;
                contact[count + k] = j;
                fill_pair(self, i, j, k, count, table);
                k++;
            }
        }
        write_table(self, count, table, contact, contact + count);
        status = CAROM_OK;
    }
    free(table);
    free(contact);
    return status;
}

carom_status carom_propagative_record_contacts(const carom_propagative_record *self) {
    const carom_impact_problem *problem = self->target.problem;
    const carom_propagative_contacts *contacts = self->contacts;
    carom_record *record = self->target.record;
    const int m = problem->contact_count;
    CAROM_ASSERT(contacts->contact_count == m &&
                 contacts->coordinate_count == problem->coordinate_count);
    char path[PATH_SIZE];
    carom_record_index_axis(record, join(self->group, "contact", path), m, "contact");
    carom_record_index_axis(record, join(self->group, "coordinate", path),
                            problem->coordinate_count, "coordinate of the velocity");
    const size_t text_size = (size_t)m * CAROM_IMPACT_NAME_SIZE + 1;
    double *momentum = calloc((size_t)problem->coordinate_count, sizeof *momentum);
    char *text = malloc(text_size);
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    if (momentum != NULL && text != NULL) {
        write_before(self, momentum, text, text_size);
        status = CAROM_OK;
    }
    free(momentum);
    free(text);
    CAROM_TRY(status);
    write_series(self, "normal_length", contacts->length, "contact", "kg-1/2",
                 "length of the normal in the kinetic metric");
    carom_record_scalar(record, join(self->group, "separation", path), contacts->separation, "1",
                        "cosine to a direction that separates all contacts, at least");
    carom_record_integer(record, join(self->group, "is_unique_always", path),
                         carom_propagative_contacts_are_unique(contacts, NULL, NULL) ? 1 : 0, "1",
                         "1: by their cosines all momenta have one outcome");
    return m > 1 ? write_pairs(self) : CAROM_OK;
}
