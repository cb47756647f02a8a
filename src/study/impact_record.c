#include <carom/record/internal.h>
#include <carom/study/internal.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Longest name or description that is made here. */
enum { TEXT_SIZE = 160 };

void carom_impact_record_name(const carom_impact_record *self, int i,
                              char name[CAROM_IMPACT_NAME_SIZE]) {
    if (self->names != NULL) {
        snprintf(name, CAROM_IMPACT_NAME_SIZE, "%s", self->names[i]);
    } else if (i < 26) {
        snprintf(name, CAROM_IMPACT_NAME_SIZE, "%c", 'A' + i);
    } else {
        snprintf(name, CAROM_IMPACT_NAME_SIZE, "%c%d", 'A' + i % 26, i / 26);
    }
}

/** The axis of tangential rows. */
static const char *tangent_axis(const carom_impact_record *self) {
    return self->problem->tangent_count == 1 ? "/contact" : "/tangent";
}

void carom_impact_record_names(const carom_impact_record *self, int count, const int *contacts,
                               const char *separator, size_t size, char *text) {
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < count && used < size; i++) {
        char name[CAROM_IMPACT_NAME_SIZE];
        carom_impact_record_name(self, contacts != NULL ? contacts[i] : i, name);
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? separator : "", name);
    }
}

/** The names of all contacts. */
static carom_status write_names(const carom_impact_record *self) {
    const int m = self->problem->contact_count;
    const size_t size = (size_t)m * CAROM_IMPACT_NAME_SIZE + 1;
    CAROM_AUTO_MEMORY char *text = malloc(size);
    if (text == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    carom_impact_record_names(self, m, NULL, " ", size, text);
    carom_record_string(self->record, "/before/names", text, "names of the contacts");
    return CAROM_OK;
}

carom_status carom_impact_record_before(const carom_impact_record *self) {
    CAROM_ASSERT(self != NULL);
    const carom_impact_problem *p = self->problem;
    carom_record *record = self->record;
    const int m = p->contact_count;
    carom_record_index_axis(record, "/contact", m, "contact");
    carom_record_index_axis(record, "/coordinate", p->coordinate_count,
                            "coordinate of the velocity");
    if (p->tangent_count != 1) {
        carom_record_index_axis(record, "/tangent", m * p->tangent_count,
                                "tangent, two of each contact");
    }
    CAROM_TRY(write_names(self));
    carom_record_series(record, "/before/velocity", p->velocity, "/coordinate", NULL, "m s-1",
                        "velocity v- before the impact");
    carom_record_series(record, "/before/normal_velocity", p->contact_velocity, "/contact", NULL,
                        "m s-1", "normal velocity before the impact");
    carom_record_series(record, "/before/tangential_velocity", p->contact_velocity + m,
                        tangent_axis(self), NULL, "m s-1", "tangential velocity before the impact");
    carom_record_integer(record, "/before/is_colliding",
                         carom_impact_is_colliding(p, p->contact_velocity) ? 1 : 0, "1",
                         "1: some contact closes; 0: nothing happens");
    carom_record_scalar(record, "/before/kinetic_energy", p->kinetic_energy, "J",
                        "kinetic energy before the impact");
    return CAROM_OK;
}

void carom_impact_record_problem(const carom_impact_record *self) {
    CAROM_ASSERT(self != NULL);
    const carom_impact_problem *p = self->problem;
    carom_record *record = self->record;
    const size_t normal = (size_t)p->contact_count * (size_t)p->coordinate_count;
    carom_record_index_axis(record, "/problem/row", p->coordinate_count, "row of the mass matrix");
    carom_record_series(record, "/problem/mass", p->mass, "/problem/row", "/coordinate", "kg",
                        "mass matrix M");
    carom_record_series(record, "/problem/normal", p->contact_jacobian, "/contact", "/coordinate",
                        "1", "normal Jacobian J_n");
    carom_record_series(record, "/problem/tangential", p->contact_jacobian + normal,
                        tangent_axis(self), "/coordinate", "1", "tangential Jacobian J_t");
    carom_record_series(record, "/problem/friction", p->friction, "/contact", NULL, "1",
                        "coefficients of friction mu");
}

/** The first m of each r numbers, then the other r - m, each apart. */
static void split(int count, int m, int r, const double *rows, double *normal, double *tangential) {
    for (int i = 0; i < count; i++) {
        const double *row = rows + (size_t)i * (size_t)r;
        memcpy(normal + (size_t)i * (size_t)m, row, (size_t)m * sizeof *row);
        memcpy(tangential + (size_t)i * (size_t)(r - m), row + m, (size_t)(r - m) * sizeof *row);
    }
}

carom_status carom_impact_record_block(const carom_impact_record *self, carom_record *group,
                                       const char *axis, const carom_record_block *block,
                                       const double *rows, const carom_impact_quantity *quantity) {
    CAROM_ASSERT(self != NULL && group != NULL && axis != NULL && rows != NULL && quantity != NULL);
    const int m = self->problem->contact_count;
    const int r = self->problem->row_count;
    CAROM_AUTO_MEMORY double *apart = malloc((size_t)block->count * (size_t)r * sizeof *apart);
    if (apart == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *tangential = apart + (size_t)block->count * (size_t)m;
    split(block->count, m, r, rows, apart, tangential);
    char name[TEXT_SIZE];
    char long_name[TEXT_SIZE];
    snprintf(name, sizeof name, "normal_%s", quantity->name);
    snprintf(long_name, sizeof long_name, "normal %s %s", quantity->name, quantity->when);
    const carom_record_axes normal_axes = {axis, "/contact"};
    const carom_record_axes tangential_axes = {axis, tangent_axis(self)};
    carom_record_block_series(group, name, block, apart, false, &normal_axes, quantity->units,
                              long_name);
    snprintf(name, sizeof name, "tangential_%s", quantity->name);
    snprintf(long_name, sizeof long_name, "tangential %s %s", quantity->name, quantity->when);
    carom_record_block_series(group, name, block, tangential, false, &tangential_axes,
                              quantity->units, long_name);
    return CAROM_OK;
}

carom_status carom_impact_record_rows(const carom_impact_record *self, carom_record *group,
                                      const char *axis, int count, const double *rows,
                                      const carom_impact_quantity *quantity) {
    const carom_record_block all = {.count = count, .total = count};
    return carom_impact_record_block(self, group, axis, &all, rows, quantity);
}

carom_status carom_impact_record_outcomes(const carom_impact_record *self, carom_record *group,
                                          const carom_impact_outcomes *outcomes) {
    CAROM_ASSERT(self != NULL && group != NULL && outcomes != NULL);
    const carom_impact_quantity velocity = {"velocity", "after the impact", "m s-1"};
    const carom_impact_quantity impulse = {"impulse", "that leads there, one of several perhaps",
                                           "N s"};
    carom_record_integer(group, "count", outcomes->count, "1", "solutions of different velocity");
    if (outcomes->count == 0) {
        return CAROM_OK;
    }
    carom_record_index_axis(group, "solution", outcomes->count, "solution of different velocity");
    carom_record_series(group, "velocity", outcomes->velocity, "solution", "/coordinate", "m s-1",
                        "velocity v+ after the impact");
    CAROM_TRY(carom_impact_record_rows(self, group, "solution", outcomes->count,
                                       outcomes->contact_velocity, &velocity));
    CAROM_TRY(carom_impact_record_rows(self, group, "solution", outcomes->count, outcomes->impulse,
                                       &impulse));
    carom_record_series(group, "kinetic_energy", outcomes->kinetic_energy, "solution", NULL, "J",
                        "kinetic energy after the impact");
    carom_record_series(group, "residual", outcomes->residual, "solution", NULL, "1",
                        "largest violation of the law, m/s or N s");
    carom_record_integer_series(group, "multiplicity", outcomes->multiplicity, "solution", NULL,
                                "1", "solutions with this velocity");
    return CAROM_OK;
}

/** What is known of every stage. */
static carom_status write_stages(const carom_impact_record *self, carom_record *group,
                                 const carom_sequential_impact *sequence) {
    const int count = sequence->stage_count;
    const carom_impact_quantity velocity = {"velocity", "after the stage", "m s-1"};
    const carom_impact_quantity impulse = {"impulse", "since the velocity before", "N s"};
    carom_record_index_axis(group, "stage", count, "impact of one contact");
    carom_record_integer_series(group, "contact", sequence->contact, "stage", NULL, "1",
                                "contact that is resolved");
    carom_record_series(group, "velocity", sequence->velocity, "stage", "/coordinate", "m s-1",
                        "velocity after the stage");
    CAROM_TRY(carom_impact_record_rows(self, group, "stage", count, sequence->contact_velocity,
                                       &velocity));
    CAROM_TRY(carom_impact_record_rows(self, group, "stage", count, sequence->impulse, &impulse));
    carom_record_series(group, "kinetic_energy", sequence->kinetic_energy, "stage", NULL, "J",
                        "kinetic energy after the stage");
    return CAROM_OK;
}

carom_status carom_impact_record_sequence(const carom_impact_record *self, carom_record *group,
                                          const carom_sequential_impact *sequence) {
    CAROM_ASSERT(self != NULL && group != NULL && sequence != NULL);
    carom_record_integer(group, "stage_count", sequence->stage_count, "1",
                         "impacts of one contact each");
    carom_record_integer(group, "finished", sequence->is_finished ? 1 : 0, "1",
                         "1: no contact is colliding after the last stage");
    carom_record_scalar(group, "residual", sequence->residual, "1",
                        "largest violation of the law in a stage, m/s or N s");
    return sequence->stage_count > 0 ? write_stages(self, group, sequence) : CAROM_OK;
}

/** The numbers of the bounds, but for what tells how r was found. */
#define BOUND(name, units, long_name) \
    CAROM_FIELD(#name, carom_impact_bounds, name, units, long_name)
#define UNKNOWN "; NaN: unknown to the digits in these units"
static const carom_field BOUNDS[] = {
    BOUND(r_norm, "kg", "length of the shortest r of Lemma 6" UNKNOWN),
    BOUND(sigma, "kg", "smallest eigenvalue of the mass matrix" UNKNOWN),
    BOUND(velocity_norm, "kg1/2 m s-1", "length of v- in the mass matrix"),
    BOUND(c_p, "N s", "expected smallest cap h/(m + 1)"),
    BOUND(c_z, "kg1/2", "2 |r|/sqrt(sigma)" UNKNOWN),
    BOUND(kinetic_r, "kg1/2", "length of the shortest r in M^-1"),
    BOUND(theorem_8_c, "1", "c of Theorem 8" UNKNOWN),
    BOUND(theorem_8_count, "1", "increments after which the bound of Theorem 8 falls" UNKNOWN),
    BOUND(unit_free_count, "1", "the same in the metric of the mass matrix, whatever the units"),
    BOUND(theorem_8_length, "1", "increments in which the bound falls by e"),
    BOUND(response_norm, "kg-1", "largest singular value of M^-1 times the contact Jacobian"),
    BOUND(psi, "1", "psi of Algorithm 2"),
    BOUND(normal_norm, "1", "largest singular value of the normal Jacobian"),
};

void carom_impact_record_bounds(const carom_impact_record *self,
                                const carom_impact_bounds *bounds) {
    CAROM_ASSERT(self != NULL);
    carom_record to = carom_record_group(self->record, "/bounds");
    carom_record_integer(&to, "is_available", bounds != NULL ? 1 : 0, "1",
                         "0: the friction cone is not pointed, a jammed configuration");
    if (bounds != NULL) {
        carom_record_rows(&to, NULL, bounds, 1, sizeof *bounds, BOUNDS,
                          sizeof BOUNDS / sizeof BOUNDS[0]);
    }
}
