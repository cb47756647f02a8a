#include <carom/study/propagative_record.h>

#include <carom/study/internal.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Memory for the outcome that is being written. */
typedef struct outcome {
    double *impulse;          /* [r] tangential ones are zero, N s */
    double *contact_velocity; /* [r] after it, m/s */
    double *velocity;         /* [n] */
    double *momentum;         /* [n] */
    double *plastic;          /* [m] impulses of the plastic impact of all contacts, N s */
    double *step_impulse;     /* [longest sequence] */
    char *text;               /* names of the contacts of a sequence */
    size_t text_size;
    double storage[];
} outcome;

carom_propagative_record carom_propagative_record_of(carom_record *record, const char *group,
                                                     const carom_impact_problem *problem,
                                                     const carom_propagative_contacts *contacts) {
    return (carom_propagative_record){.target = {record, problem, NULL},
                                      .group = carom_record_group(record, "%s", group),
                                      .contacts = contacts};
}

static void outcome_free(outcome *o) {
    if (o != NULL) {
        free(o->text);
    }
    free(o);
}
CAROM_AUTO_TYPE(outcome)

static carom_status outcome_alloc(const carom_impact_problem *problem, int longest, outcome **out) {
    const size_t n = (size_t)problem->coordinate_count;
    const size_t r = (size_t)problem->row_count;
    const size_t m = (size_t)problem->contact_count;
    const size_t steps = (size_t)longest;
    *out = NULL;
    CAROM_AUTO(outcome) o = calloc(1, sizeof *o + (2 * r + 2 * n + m + steps) * sizeof(double));
    if (o == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    o->impulse = o->storage;
    o->contact_velocity = o->impulse + r;
    o->velocity = o->contact_velocity + r;
    o->momentum = o->velocity + n;
    o->plastic = o->momentum + n;
    o->step_impulse = o->plastic + m;
    o->text_size = (steps + 1) * CAROM_IMPACT_NAME_SIZE;
    o->text = malloc(o->text_size);
    if (o->text == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_HAND_OVER(o, out);
    return CAROM_OK;
}

void carom_propagative_record_momentum(const carom_impact_problem *problem, const double *v,
                                       double *p) {
    const int n = problem->coordinate_count;
    for (int j = 0; j < n; j++) {
        p[j] = 0.0;
        for (int i = 0; i < n; i++) {
            p[j] += v[i] * problem->mass[i * n + j];
        }
    }
}

/** The state after the impulses of `o`, but for the sequence. */
static void write_state(const carom_propagative_record *self, carom_record *group, outcome *o) {
    const carom_impact_problem *problem = self->target.problem;
    carom_impact_add_impulse(problem, o->impulse, problem->contact_velocity, o->contact_velocity);
    carom_impact_velocity(problem, o->impulse, o->velocity);
    carom_propagative_record_momentum(problem, o->velocity, o->momentum);
    carom_record all = self->group;
    const carom_record contact = carom_record_group(&all, "contact");
    const carom_record coordinate = carom_record_group(&all, "coordinate");
    const carom_column over_coordinates[] = {
        {"velocity", o->velocity, "m s-1", "velocity v+ after the impact"},
        {"momentum", o->momentum, "kg m s-1", "momentum p+ after the impact"},
    };
    const carom_column over_contacts[] = {
        {"normal_velocity", o->contact_velocity, "m s-1", "normal velocity after the impact"},
        {"impulse", o->impulse, "N s", "total normal impulse"},
    };
    carom_record_columns(group, coordinate.group, NULL, over_coordinates, 2);
    carom_record_columns(group, contact.group, NULL, over_contacts, 2);
    carom_record_scalar(group, "kinetic_energy", carom_impact_kinetic_energy(problem, o->velocity),
                        "J", "kinetic energy after the impact");
    carom_record_scalar(group, "energy_change",
                        carom_impact_energy_change(problem, o->impulse, problem->contact_velocity,
                                                   o->contact_velocity),
                        "J", "change of kinetic energy by the impulses");
}

/** The contacts of a sequence in order, by numbers and by names, and their impulses. */
static void write_sequence(const carom_propagative_record *self, carom_record *group, int length,
                           const int *sequence, const double *step_impulse, outcome *o) {
    carom_record_integer(group, "length", length, "1", "reflections of the sequence");
    if (length == 0) {
        return;
    }
    carom_impact_record_names(&self->target, length, sequence, " ", o->text_size, o->text);
    carom_record_index_axis(group, "step", length, "reflection of the sequence");
    carom_record_integer_series(group, "sequence", sequence, "step", NULL, "1",
                                "contact reflected");
    carom_record_series(group, "step_impulse", step_impulse, "step", NULL, "N s",
                        "impulse of the elastic reflection");
    carom_record_string(group, "names", o->text, "names of the contacts reflected, in order");
}

/** The impulses of a sequence: of every step, and in total. */
static void sum_impulses(const carom_propagative_record *self, int length, const int *sequence,
                         outcome *o) {
    const carom_impact_problem *problem = self->target.problem;
    double *c = o->contact_velocity;
    memcpy(c, problem->contact_velocity, (size_t)problem->contact_count * sizeof(double));
    memset(o->impulse, 0, (size_t)problem->row_count * sizeof(double));
    for (int k = 0; k < length; k++) {
        const int i = sequence[k];
        o->step_impulse[k] = carom_propagative_reflect(self->contacts, i, c);
        o->impulse[i] += o->step_impulse[k];
    }
    // (17)
    const double R = problem->restitution[0];
    for (int i = 0; R < 1.0 && i < problem->contact_count; i++) {
        o->impulse[i] = R * o->impulse[i] + (1.0 - R) * o->plastic[i];
    }
}

static int length_of(const carom_propagative_outcomes *outcomes, int sequence) {
    return outcomes->begin[sequence + 1] - outcomes->begin[sequence];
}

/** Minimal sequences that lead to an outcome, of those listed, and whether its shortest one is. */
static int count_minimal(const carom_propagative_outcomes *outcomes, int number,
                         carom_propagative_minimality *of_shortest) {
    const int length = outcomes->shortest_begin[number + 1] - outcomes->shortest_begin[number];
    int count = 0;
    *of_shortest = CAROM_PROPAGATIVE_MINIMALITY_UNKNOWN;
    for (int k = outcomes->sequence_count - 1; k >= 0; k--) {
        if (outcomes->outcome[k] == number) {
            count += outcomes->minimality[k] == CAROM_PROPAGATIVE_MINIMAL ? 1 : 0;
            *of_shortest =
                length_of(outcomes, k) == length ? outcomes->minimality[k] : *of_shortest;
        }
    }
    return count;
}

/** One outcome and its shortest sequence. */
static void write_outcome(const carom_propagative_record *self,
                          const carom_propagative_outcomes *outcomes, int number, outcome *o) {
    carom_propagative_minimality minimality;
    const int minimal_count = count_minimal(outcomes, number, &minimality);
    const int length = outcomes->shortest_begin[number + 1] - outcomes->shortest_begin[number];
    const int *sequence = outcomes->shortest + outcomes->shortest_begin[number];
    carom_record all = self->group;
    carom_record group = carom_record_group(&all, "outcome_%02d", number);
    sum_impulses(self, length, sequence, o);
    write_state(self, &group, o);
    write_sequence(self, &group, length, sequence, o->step_impulse, o);
    carom_record_scalar(&group, "sequence_count", outcomes->sequences[number], "1",
                        "sequences that lead here");
    carom_record_integer(&group, "longest", outcomes->longest[number], "1",
                         "reflections of the longest sequence that leads here");
    carom_record_integer(&group, "minimality", (int)minimality, "1",
                         "1: no proper part of the sequence is feasible; 0: one is; 2: not tested");
    carom_record_integer(&group, "minimal_count", minimal_count, "1",
                         "minimal sequences that lead here, of those listed and tested");
}

/** A sequence of the list. */
typedef struct sequence_row {
    int length;
    int begin;
    int outcome;
    carom_propagative_minimality minimality;
} sequence_row;

#define COLUMN(name, long_name) CAROM_FIELD(#name, sequence_row, name, "1", long_name)
static const carom_field SEQUENCE_COLUMNS[] = {
    COLUMN(length, "reflections of the sequence"),
    COLUMN(begin, "step at which the sequence begins"),
    COLUMN(outcome, "outcome that the sequence leads to"),
    COLUMN(minimality, "1: minimal; 0: not; 2: not tested"),
};

/** All sequences by lexical order, their contacts one after the other. */
static carom_status write_sequences(const carom_propagative_record *self,
                                    const carom_propagative_outcomes *outcomes) {
    const int count = outcomes->sequence_count;
    CAROM_AUTO_MEMORY sequence_row *rows = malloc((size_t)count * sizeof *rows);
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < count; k++) {
        rows[k] = (sequence_row){length_of(outcomes, k), outcomes->begin[k], outcomes->outcome[k],
                                 outcomes->minimality[k]};
    }
    carom_record all = self->group;
    carom_record to = carom_record_group(&all, "sequences");
    carom_record_index_axis(&to, "sequence", count, "sequence of reflections");
    carom_record_rows(&to, "sequence", rows, count, sizeof *rows, SEQUENCE_COLUMNS,
                      sizeof SEQUENCE_COLUMNS / sizeof SEQUENCE_COLUMNS[0]);
    const int steps = outcomes->begin[count];
    if (steps > 0) {
        carom_record_index_axis(&to, "step", steps, "reflection, of one sequence after the other");
        carom_record_integer_series(&to, "contact", outcomes->contact, "step", NULL, "1",
                                    "contact reflected");
    }
    return CAROM_OK;
}

/** The counts of all outcomes together. */
static void write_counts(const carom_propagative_record *self,
                         const carom_propagative_outcomes *outcomes) {
    carom_record to = self->group;
    carom_record_integer(&to, "count", outcomes->count, "1", "outcomes of different momentum");
    carom_record_integer(&to, "is_unique", outcomes->count == 1 ? 1 : 0, "1",
                         "1: all sequences end alike");
    carom_record_integer(&to, "momentum_count", outcomes->momentum_count, "1",
                         "momenta before, between and after");
    carom_record_scalar(&to, "sequence_count", outcomes->sequence_total, "1",
                        "sequences of reflections");
    carom_record_scalar(&to, "indeterminacy", outcomes->indeterminacy, "1",
                        "largest distance of two elastic outcomes / length of p before");
}

static void write_restitution(const carom_propagative_record *self, double plastic_loss) {
    carom_record to = self->group;
    carom_record_scalar(&to, "restitution", self->target.problem->restitution[0], "1",
                        "coefficient of restitution R");
    carom_record_scalar(&to, "plastic_loss", plastic_loss, "J",
                        "kinetic energy that the plastic impact of all contacts loses; NaN: R = 1, "
                        "where it is not computed");
}

/** The plastic impact of all contacts into o->plastic, and what it loses, E_p of (16). */
static carom_status find_plastic(const carom_propagative_record *self, outcome *o, double *loss) {
    const carom_impact_problem *problem = self->target.problem;
    CAROM_AUTO(carom_propagative_impact) work = NULL;
    CAROM_TRY(carom_propagative_impact_alloc(problem->contact_count, 1, &work));
    const carom_status status = carom_propagative_plastic(
        self->contacts, CAROM_PROPAGATIVE_HELD, problem->contact_velocity, o->plastic, work);
    memset(o->impulse, 0, (size_t)problem->row_count * sizeof(double));
    memcpy(o->impulse, o->plastic, (size_t)problem->contact_count * sizeof(double));
    carom_impact_add_impulse(problem, o->impulse, problem->contact_velocity, o->contact_velocity);
    *loss = -carom_impact_energy_change(problem, o->impulse, problem->contact_velocity,
                                        o->contact_velocity);
    return status;
}

/** All outcomes with memory for them. */
static carom_status write_all(const carom_propagative_record *self,
                              const carom_propagative_outcomes *outcomes, outcome *o) {
    double plastic_loss = 0.0;
    CAROM_TRY(find_plastic(self, o, &plastic_loss));
    write_restitution(self, plastic_loss);
    for (int k = 0; k < outcomes->count && k < CAROM_PROPAGATIVE_MOST_WRITTEN; k++) {
        write_outcome(self, outcomes, k, o);
    }
    return CAROM_OK;
}

/** The same outcomes as one, the plastic impact, with numbers for it. */
typedef struct plastic_outcome {
    carom_propagative_outcomes outcomes;
    int shortest_begin[2];
    int longest;
    int *outcome; /* [sequence] zeros, owned */
} plastic_outcome;

/** Without restitution all sequences end alike: the shortest of all stands for them. */
static carom_status join_outcomes(const carom_propagative_outcomes *all, plastic_outcome *out) {
    int least = 0;
    out->longest = 0;
    for (int k = 0; k < all->count; k++) {
        const int length = all->shortest_begin[k + 1] - all->shortest_begin[k];
        const bool is_shorter =
            length < all->shortest_begin[least + 1] - all->shortest_begin[least];
        least = is_shorter ? k : least;
        out->longest = all->longest[k] > out->longest ? all->longest[k] : out->longest;
    }
    out->outcome = calloc((size_t)all->sequence_count, sizeof *out->outcome);
    if (out->outcome == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    out->outcomes = *all;
    out->outcomes.count = 1;
    out->outcomes.sequences = &out->outcomes.sequence_total;
    out->outcomes.longest = &out->longest;
    out->outcomes.shortest_begin = out->shortest_begin;
    out->outcomes.outcome = out->outcome;
    out->shortest_begin[0] = all->shortest_begin[least];
    out->shortest_begin[1] = all->shortest_begin[least + 1];
    return CAROM_OK;
}

/** All of them with memory for the longest sequence that is written. */
static carom_status record_outcomes(const carom_propagative_record *self,
                                    const carom_propagative_outcomes *outcomes) {
    int longest = 0;
    for (int k = 0; k < outcomes->count; k++) {
        const int length = outcomes->shortest_begin[k + 1] - outcomes->shortest_begin[k];
        longest = length > longest ? length : longest;
    }
    CAROM_TRY(carom_propagative_record_contacts(self));
    write_counts(self, outcomes);
    CAROM_TRY(write_sequences(self, outcomes));
    CAROM_AUTO(outcome) o = NULL;
    CAROM_TRY(outcome_alloc(self->target.problem, longest, &o));
    return write_all(self, outcomes, o);
}

carom_status carom_propagative_record_outcomes(const carom_propagative_record *self,
                                               const carom_propagative_outcomes *outcomes) {
    CAROM_ASSERT(self != NULL && outcomes != NULL);
    CAROM_ASSERT(outcomes->contact_count == self->target.problem->contact_count);
    if (self->target.problem->restitution[0] > 0.0) {
        return record_outcomes(self, outcomes);
    }
    plastic_outcome plastic;
    CAROM_TRY(join_outcomes(outcomes, &plastic));
    const carom_status status = record_outcomes(self, &plastic.outcomes);
    free(plastic.outcome);
    return status;
}

carom_status carom_propagative_record_impact(const carom_propagative_record *self,
                                             const carom_propagative_impact *impact) {
    const carom_impact_problem *problem = self->target.problem;
    CAROM_ASSERT(impact->contact_count == problem->contact_count);
    CAROM_TRY(carom_propagative_record_contacts(self));
    write_restitution(self, impact->plastic_loss);
    carom_record to = self->group;
    carom_record_scalar(&to, "residual", impact->residual, "1",
                        "fastest approach left / length of p before");
    carom_record_scalar(&to, "energy_error", impact->energy_error, "1",
                        "change of energy by the elastic sequence / energy before");
    CAROM_AUTO(outcome) o = NULL;
    CAROM_TRY(outcome_alloc(problem, impact->step_count, &o));
    memcpy(o->impulse, impact->impulse, (size_t)problem->contact_count * sizeof(double));
    carom_record group = carom_record_group(&to, "outcome_00");
    write_state(self, &group, o);
    write_sequence(self, &group, impact->step_count, impact->sequence, impact->step_impulse, o);
    return CAROM_OK;
}

static const carom_table_column columns[] = {
    {.head = "impacts", .expression = "length"},
    {.head = "orders", .expression = "sequence_count"},
    {.head = "energy", .expression = "kinetic_energy"},
    {.head = "v[]", .expression = "velocity"},
};

const carom_table carom_propagative_tables[1] = {
    {.groups = "/outcome_*", .group_head = "outcome", CAROM_COLUMNS(columns)},
};
