#include <carom/program/internal.h>

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

/** As carom_option_at, with `index` counted down and the offset added to. */
static const carom_option *find_row(const carom_option_table *options, int *index, size_t *offset) {
    for (int i = 0; i < options->count; i++) {
        const carom_option *row = &options->rows[i];
        if (row->table != NULL) {
            row = find_row(row->table, index, offset);
        } else if ((*index)-- > 0) {
            row = NULL;
        }
        if (row != NULL) {
            *offset += options->rows[i].offset;
            return row;
        }
    }
    return NULL;
}

const carom_option *carom_option_at(const carom_option_table *options, int index, size_t *offset) {
    *offset = 0;
    return find_row(options, &index, offset);
}

static const carom_option recorded_steps[] = {
    CAROM_INTEGER("record-every", carom_common_options, steps.every, "1",
                  "record each so many steps of a run, and its last state", "positive"),
    CAROM_FLAG("record-events", carom_common_options, steps.are_events,
               "record steps in which a contact begins or ends to press, first and last state"),
};

static const carom_option kept_samples[] = {
    CAROM_CHOICE("keep", carom_common_options, keep,
                 "what the record holds of a sampled set: each sample, or what is computed of all",
                 "samples|statistics"),
};

carom_option_table carom_options_of_record(const carom_program *program, int index) {
    const carom_option_table none = {NULL, 0};
    const carom_option_table tables[] = {
        program->has_recorded_steps ? (carom_option_table)CAROM_OPTIONS(recorded_steps) : none,
        program->has_samples ? (carom_option_table)CAROM_OPTIONS(kept_samples) : none,
    };
    CAROM_ASSERT(index >= 0 && index < CAROM_RECORD_OPTION_TABLES);
    return tables[index];
}

/** Row of this name in a table whose settings are there, and the member that it sets. */
static const carom_option *find_named(const carom_option_table *options, void *settings,
                                      const char *name, void **target) {
    const carom_option *option = NULL;
    size_t offset = 0;
    for (int i = 0; (option = carom_option_at(options, i, &offset)) != NULL; i++) {
        if (strcmp(option->name, name) == 0) {
            *target = (char *)settings + offset;
            return option;
        }
    }
    return NULL;
}

const carom_option *carom_option_find(const carom_option_parser *parser, const char *name,
                                      void **target) {
    const carom_program *program = parser->program;
    const carom_option *option = find_named(&program->options, parser->settings, name, target);
    for (int i = 0; option == NULL && i < CAROM_RECORD_OPTION_TABLES; i++) {
        const carom_option_table options = carom_options_of_record(program, i);
        option = find_named(&options, parser->common, name, target);
    }
    return option;
}

/** What is kept, and what was kept before it. */
struct carom_options_memory {
    struct carom_options_memory *previous;
    alignas(max_align_t) char content[];
};

void *carom_options_keep(carom_common_options *common, size_t size) {
    struct carom_options_memory *memory = malloc(sizeof *memory + size);
    if (memory == NULL) {
        return NULL;
    }
    memory->previous = common->kept;
    common->kept = memory;
    return memory->content;
}

void carom_options_clear(carom_common_options *common) {
    while (common->kept != NULL) {
        struct carom_options_memory *previous = common->kept->previous;
        free(common->kept);
        common->kept = previous;
    }
    common->output = NULL;
}
