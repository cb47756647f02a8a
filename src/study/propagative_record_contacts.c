/* The contacts of the propagative model, before any sequence: state, names and pairs. */
#include <carom/impact/propagative_pair.h>
#include <carom/study/internal.h>
#include <carom/study/propagative_record.h>

#include <stdlib.h>
#include <string.h>

/** Two contacts, and what they do alone. */
typedef struct pair_row {
    int first;
    int second;
    carom_propagative_pair pair;
    double order;
    carom_propagative_counts reflections;
} pair_row;

#define COLUMN(name, member, units, long_name) CAROM_FIELD(name, pair_row, member, units, long_name)
static const carom_field PAIR_COLUMNS[] = {
    COLUMN("first", first, "1", "first contact of the pair"),
    COLUMN("second", second, "1", "second contact of the pair"),
    COLUMN("cosine", pair.cosine, "1", "cosine of the normals in the kinetic metric"),
    COLUMN("half_opening", pair.half_opening, "rad", "half opening gamma of the feasible wedge"),
    COLUMN("wedge_count", pair.wedge_count, "1", "wedges in a half plane, pi/(2 gamma)"),
    COLUMN("paper_bound", pair.paper_bound, "1",
           "the paper's bound of the reflections, ceil(pi/gamma)"),
    COLUMN("longest", pair.longest, "1",
           "most reflections of the two contacts, ceil(pi/(2 gamma))"),
    COLUMN("longest_minimal", pair.longest_minimal, "1",
           "most reflections of a minimal sequence, ceil(pi/(2 gamma) - 1/2)"),
    COLUMN("order", order, "1", "k of the cosine -cos(pi/k), whose outcome is unique; 0: none"),
    COLUMN("reflections_first", reflections.first_u, "1",
           "of the two alone, the first contact first"),
    COLUMN("reflections_second", reflections.first_v, "1",
           "of the two alone, the second contact first"),
};

/** Velocity, momentum and energy before, and what contacts are called. */
static void write_before(const carom_propagative_record *self, carom_record *group,
                         double *momentum, char *text, size_t text_size) {
    const carom_impact_problem *problem = self->target.problem;
    carom_propagative_record_momentum(problem, problem->velocity, momentum);
    carom_impact_record_names(&self->target, problem->contact_count, NULL, " ", text_size, text);
    const carom_column over_coordinates[] = {
        {"before/velocity", problem->velocity, "m s-1", "velocity v- before the impact"},
        {"before/momentum", momentum, "kg m s-1", "momentum p- before the impact"},
    };
    carom_record_columns(group, "coordinate", NULL, over_coordinates, 2);
    carom_record_series(group, "before/normal_velocity", problem->contact_velocity, "contact", NULL,
                        "m s-1", "normal velocity before the impact");
    carom_record_scalar(group, "before/kinetic_energy", problem->kinetic_energy, "J",
                        "kinetic energy before the impact");
    carom_record_string(group, "before/names", text, "names of the contacts");
}

/** The numbers of one pair. */
static pair_row pair_of(const carom_propagative_record *self, int i, int j) {
    const carom_propagative_contacts *contacts = self->contacts;
    const double *c = self->target.problem->contact_velocity;
    pair_row row = {.first = i, .second = j, .pair = carom_propagative_pair_of(contacts, i, j)};
    row.order = carom_propagative_pair_order(&row.pair);
    row.reflections = carom_propagative_pair_count(&row.pair, c[i] / contacts->length[i],
                                                   c[j] / contacts->length[j]);
    return row;
}

/** Bounds and exact numbers of reflections of every two contacts. */
static carom_status write_pairs(const carom_propagative_record *self, carom_record *group) {
    const int m = self->contacts->contact_count;
    const int count = m * (m - 1) / 2;
    CAROM_AUTO_MEMORY pair_row *rows = malloc((size_t)count * sizeof *rows);
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    int k = 0;
    for (int i = 0; i < m; i++) {
        for (int j = i + 1; j < m; j++) {
            rows[k++] = pair_of(self, i, j);
        }
    }
    carom_record pairs = carom_record_group(group, "pairs");
    carom_record_index_axis(&pairs, "pair", count, "pair of contacts");
    carom_record_rows(&pairs, "pair", rows, count, sizeof *rows, PAIR_COLUMNS,
                      sizeof PAIR_COLUMNS / sizeof PAIR_COLUMNS[0]);
    return CAROM_OK;
}

carom_status carom_propagative_record_contacts(const carom_propagative_record *self) {
    const carom_impact_problem *problem = self->target.problem;
    const carom_propagative_contacts *contacts = self->contacts;
    const int m = problem->contact_count;
    CAROM_ASSERT(contacts->contact_count == m &&
                 contacts->coordinate_count == problem->coordinate_count);
    carom_record group = self->group;
    carom_record_index_axis(&group, "contact", m, "contact");
    carom_record_index_axis(&group, "coordinate", problem->coordinate_count,
                            "coordinate of the velocity");
    const size_t text_size = (size_t)m * CAROM_IMPACT_NAME_SIZE + 1;
    CAROM_AUTO_MEMORY double *momentum =
        calloc((size_t)problem->coordinate_count, sizeof *momentum);
    CAROM_AUTO_MEMORY char *text = malloc(text_size);
    if (momentum == NULL || text == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    write_before(self, &group, momentum, text, text_size);
    carom_record_series(&group, "normal_length", contacts->length, "contact", NULL, "kg-1/2",
                        "length of the normal in the kinetic metric");
    carom_record_scalar(&group, "separation", contacts->separation, "1",
                        "cosine to a direction that separates all contacts, at least");
    carom_record_integer(&group, "is_unique_always",
                         carom_propagative_contacts_are_unique(contacts, NULL, NULL) ? 1 : 0, "1",
                         "1: by their cosines all momenta have one outcome");
    return m > 1 ? write_pairs(self, &group) : CAROM_OK;
}
