/** Claims of section 5.4.5 about the sampled outcomes, counted. */
#include "results.h"

#include <carom/study/contact_mode_classes.h>

#include <stdio.h>

/** Longest path inside the record that is made here. */
enum { PATH_SIZE = 96 };

static bool is_open(const char *letters, int i) {
    return letters[i] == 'L';
}

static bool slides(const char *letters, int i) {
    return letters[i] == 's';
}

/** The top disc rests on one lower disc alone: add what the other one does. near and away are
 * the contacts of these two discs with the floor. The other one rolls if it sticks to the floor and
 * moves away from this one. */
/*[diskStackSides]*/
static void add_one_sided(const double *c, const char *modes, int away, int near,
                          sample_counts *out) {
    out->one_sided++;
    bool is_sliding = false;
    for (int i = 0; i < PUBLISHED_CONTACTS; i++) {
        is_sliding = is_sliding || slides(modes, i);
    }
    out->sliding += is_sliding ? 1 : 0;
    // C lies above A, D above B.
    out->near_sliding += slides(modes, near) || slides(modes, near == A ? C : D) ? 1 : 0;
    out->rolling_away += !is_open(modes, away) && !slides(modes, away) && is_open(modes, E) ? 1 : 0;
    out->same_lifting += is_open(modes, near) ? 1 : 0;
    if (is_open(modes, away)) {
        out->lifting++;
        out->lifting_speed = fmax(out->lifting_speed, c[away]);
    }
}
/*[end diskStackSides]*/

/** Add one finished sample. */
static void add(const carom_impact_problem *problem, const double *c, sample_counts *out) {
    char modes[PUBLISHED_CONTACTS + 1];
    carom_contact_mode_letters(problem, c, modes);
    bool is_apart = false;
    for (int i = 0; i < PUBLISHED_CONTACTS; i++) {
        out->lifts[i] += is_open(modes, i) ? 1 : 0;
        out->slides[i] += slides(modes, i) ? 1 : 0;
        out->sticks[i] += !is_open(modes, i) && !slides(modes, i) ? 1 : 0;
        is_apart = is_apart || is_open(modes, i);
    }
    out->finished++;
    out->apart += is_apart ? 1 : 0;
    if (is_open(modes, A) && is_open(modes, B)) {
        out->ground_free++;
        out->ground_free_speed = fmax(out->ground_free_speed, fmin(c[A], c[B]));
    }
    if (is_open(modes, C) && is_open(modes, D)) {
        out->top_free++;
        out->top_free_speed = fmax(out->top_free_speed, fmin(c[C], c[D]));
    } else if (is_open(modes, C)) {
        add_one_sided(c, modes, A, B, out);
    } else if (is_open(modes, D)) {
        add_one_sided(c, modes, B, A, out);
    }
}

sample_counts disk_stack_count_samples(const carom_impact_problem *problem,
                                       const carom_impact_samples *samples) {
    sample_counts counts = {.finished = 0};
    for (int i = 0; i < samples->count; i++) {
        if (samples->is_finished[i] != 0) {
            const size_t at = (size_t)i * (size_t)samples->row_count;
            add(problem, samples->contact_velocity + at, &counts);
        }
    }
    return counts;
}

/** The counts as GROUP/measures. */
static void write_counts(carom_record *record, const char *group, const sample_counts *s) {
    const double finished = s->finished;
    const struct {
        const char *name;
        double value;
        const char *units;
        const char *long_name;
    } rows[] = {
        {"outcomes", finished, "1", "finished samples"},
        {"share_apart", s->apart / finished, "1", "of them: some contact opens"},
        {"top_free", s->top_free, "1", "of them: the top disc leaves both lower discs"},
        {"share_top_free", s->top_free / finished, "1", "share of these"},
        {"top_free_speed", s->top_free_speed, "m s-1",
         "largest speed of the slower one of both contacts"},
        {"ground_free", s->ground_free, "1", "both lower discs leave the floor"},
        {"ground_free_speed", s->ground_free_speed, "m s-1",
         "largest speed of the slower one of both"},
        {"share_one_sided", s->one_sided / finished, "1",
         "the top disc keeps contact with one lower disc alone"},
        {"share_rolling_away", s->rolling_away / finished, "1", "the other one rolls on the floor"},
        {"share_lifting", s->lifting / finished, "1", "the other one leaves the floor"},
        {"lifting_speed", s->lifting_speed, "m s-1", "largest speed at which it does"},
        {"same_lifting", s->same_lifting, "1", "the one in contact leaves the floor"},
        {"share_sliding", s->sliding / finished, "1", "some contact that is maintained slides"},
        {"share_near_sliding", s->near_sliding / finished, "1",
         "one of those below the top disc and below the disc that carries it slides"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char path[PATH_SIZE];
        snprintf(path, sizeof path, "%s/measures/%s", group, rows[i].name);
        carom_record_scalar(record, path, rows[i].value, rows[i].units, rows[i].long_name);
    }
}

/** Whether rolling, sliding and lifting occur at a contact. */
static bool has_all_states(const sample_counts *s, int i) {
    return s->lifts[i] > 0 && s->slides[i] > 0 && s->sticks[i] > 0;
}

/** Whether the only outcome of the simultaneous law is rest: no speed of a body is left either. */
static bool is_rest_alone(const carom_impact_problem *problem,
                          const carom_impact_outcomes *outcomes) {
    const double rest = CAROM_CONTACT_MODE_RESTING_PART * CAROM_CONTACT_MODE_RESTING_PART;
    return outcomes->count == 1 && outcomes->kinetic_energy[0] <= rest * problem->kinetic_energy;
}

void disk_stack_write_counts(const carom_impact_record *target, const char *group,
                             const carom_impact_outcomes *simultaneous,
                             const carom_impact_samples *samples) {
    carom_record *record = target->record;
    const sample_counts s = disk_stack_count_samples(target->problem, samples);
    const struct {
        const char *name;
        bool holds;
        const char *statement;
    } rows[] = {
        {"simultaneous_is_rest_alone", is_rest_alone(target->problem, simultaneous),
         "the only prediction of the simultaneous law is rest"},
        {"tower_falls_apart", s.apart > 0, "there are outcomes in which the tower falls apart"},
        {"top_keeps_contact", s.top_free == 0,
         "the top disc always keeps contact with one of the lower discs"},
        {"one_stays_on_ground", s.ground_free == 0,
         "one of the lower discs always stays on the floor"},
        {"one_sided_contact", s.one_sided > 0,
         "the top disc can keep contact with one of the lower discs alone"},
        {"other_rolls_away", s.rolling_away > 0, "the other lower disc may then roll away"},
        {"other_lifts_off", s.lifting > 0, "the other lower disc may even leave the floor"},
        {"contacts_slide", s.sliding > 0, "contacts that are maintained may slide"},
        {"near_contacts_slide", s.near_sliding > 0,
         "those below the top disc and below the disc that carries it may slide"},
        {"states_at_A", has_all_states(&s, A), "rolling, sliding and lifting occur at A"},
        {"states_at_C", has_all_states(&s, C), "rolling, sliding and lifting occur at C"},
        {"states_at_E", has_all_states(&s, E), "rolling, sliding and lifting occur at E"},
    };
    if (s.finished == 0) {
        return;
    }
    write_counts(record, group, &s);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char path[PATH_SIZE];
        snprintf(path, sizeof path, "%s/claims/%s", group, rows[i].name);
        carom_record_integer(record, path, rows[i].holds ? 1 : 0, "1", rows[i].statement);
    }
}
