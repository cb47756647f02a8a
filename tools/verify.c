/** Every published item against our records: a table, a verdict, and the tables of the document. */
#include "tool.h"

#include "verify_latex.h"
#include "verify_table.h"

#include <carom/record/text.h>
#include <dirent.h>

static const char name[] = "verify";

static const char usage[] =
    "Usage: verify [OPTION]...\n"
    "\n"
    "Compare every item of published/NAME.csv with the record results/NAME.h5. An item comes out\n"
    "as its row announces: it agrees, differs, agrees under a condition, or is open "
    "(inconclusive,\n"
    "or not reproducible), or it fails. Without a choice prints a summary by paper and\n"
    "experiment, and what fails; with one, the chosen items. The last line counts all that is\n"
    "chosen. Ends with 1 if an item fails or there is none.\n"
    "\n"
    "  --paper KEY        items of one paper, as bruls-2014\n"
    "  --experiment NAME  items of one experiment, as bouncing_ball\n"
    "  --only VERDICTS    of agrees,differs,conditioned,inconclusive,not reproducible,fails\n"
    "  --kind KINDS       of printed,stated,derived\n"
    "  --wide             one line an item, without regard to the width of the terminal\n"
    "  --published DIR    published items (data/published)\n"
    "  --results DIR      records (data/results)\n"
    "  --latex DIR        also write verify-NAME.tex, verify-PAPER.tex, verify-tables.tex and\n"
    "                     verify-totals.tex, of all items, replaced only if they change\n";

/* Command line, borrowed. */
typedef struct request {
    const char *published;
    const char *results;
    const char *latex;      /* NULL: none */
    const char *experiment; /* NULL: all */
    verify_choice choice;
    bool is_wide;
} request;

/* All published files, in the order of their names. */
typedef struct collection {
    int count;
    int malformed_count;
    char **names;              /* [count] without folder and suffix */
    carom_verification *files; /* [count] */
} collection;

static const char suffix[] = ".csv";

/* Whether a folder entry is a published file, of that experiment (NULL: any). */
static bool is_published(const char *entry, const char *experiment) {
    const size_t length = strlen(entry);
    const size_t stem = length - strlen(suffix);
    return entry[0] != '.' && length >= sizeof suffix && strcmp(entry + stem, suffix) == 0 &&
           (experiment == NULL ||
            (strlen(experiment) == stem && strncmp(entry, experiment, stem) == 0));
}

/* Add a name, without its suffix, to the list. */
static bool add_name(collection *all, const char *entry) {
    char **names = realloc(all->names, ((size_t)all->count + 1) * sizeof *names);
    if (names == NULL) {
        return false;
    }
    all->names = names;
    const size_t length = strlen(entry) - strlen(suffix);
    char *copy = malloc(length + 1);
    if (copy == NULL) {
        return false;
    }
    memcpy(copy, entry, length);
    copy[length] = '\0';
    names[all->count++] = copy;
    return true;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names of the published files that are chosen, sorted so that the table does not depend on the
 * disk. */
static bool find_files(const char *folder, const char *experiment, collection *all) {
    DIR *directory = opendir(folder);
    if (directory == NULL) {
        tool_fail(name, "%s: the folder cannot be read", folder);
        return false;
    }
    bool is_complete = true;
    const struct dirent *entry = NULL;
    while (is_complete && (entry = readdir(directory)) != NULL) {
        is_complete = !is_published(entry->d_name, experiment) || add_name(all, entry->d_name);
    }
    closedir(directory);
    if (is_complete && all->count > 0) {
        qsort(all->names, (size_t)all->count, sizeof *all->names, compare_names);
        all->files = calloc((size_t)all->count, sizeof *all->files);
        is_complete = all->files != NULL;
    }
    if (!is_complete) {
        tool_fail(name, "out of memory");
    }
    return is_complete;
}

/* Read and compare one file; a malformed one is named with its line and counts as a failure. */
static void check_file(const char *folder, const char *stem, carom_record_set *records,
                       carom_verification *out, int *malformed_count) {
    carom_text_buffer path = {0};
    carom_text_buffer text = {0};
    carom_report report = carom_report_empty();
    carom_text_buffer_print(&path, "%s/%s%s", folder, stem, suffix);
    carom_status status = path.failure;
    if (status == CAROM_OK) {
        status = carom_text_buffer_load(&text, path.text, CAROM_TEXT_FILE_MOST_BYTES);
    }
    if (status == CAROM_OK) {
        status = carom_verification_run(stem, text.text, text.length, records, out, &report);
    }
    if (status == CAROM_STATUS_BAD_FORMAT) {
        tool_fail(name, "%s:%d: %s", path.text, report.index, report.quantity);
    } else if (status != CAROM_OK) {
        tool_fail(name, "%s%s: %s", stem, suffix, carom_status_sentence(status));
    }
    *malformed_count += status == CAROM_OK ? 0 : 1;
    carom_text_buffer_clear(&text);
    carom_text_buffer_clear(&path);
}

/* Compare everything. */
static bool check_files(const request *asked, collection *all) {
    carom_record_set *records = NULL;
    const carom_status status = carom_record_set_alloc(asked->results, &records);
    if (status != CAROM_OK) {
        tool_fail(name, "%s", carom_status_sentence(status));
        return false;
    }
    for (int i = 0; i < all->count; ++i) {
        check_file(asked->published, all->names[i], records, &all->files[i], &all->malformed_count);
    }
    carom_record_set_free(records);
    carom_verification_fail_duplicates(all->files, all->count);
    return true;
}

/* Write one generated file of the document. */
static bool save_latex(const carom_text_buffer *text, const char *folder, const char *stem) {
    carom_text_buffer path = {0};
    carom_text_buffer_print(&path, "%s/verify-%s.tex", folder, stem);
    carom_status status = path.failure;
    if (status == CAROM_OK) {
        status = carom_text_buffer_save(text, path.text, NULL);
    }
    if (status != CAROM_OK) {
        tool_fail(name, "%s/verify-%s.tex: %s", folder, stem, carom_status_sentence(status));
    }
    carom_text_buffer_clear(&path);
    return status == CAROM_OK;
}

/* One table a file, the list of them, a summary a paper, and the totals. */
static bool write_latex(const char *folder, const collection *all, const verify_counts *totals) {
    bool is_written = true;
    carom_text_buffer list = {0};
    for (int i = 0; i < all->count && is_written; ++i) {
        if (all->files[i].items == NULL) {
            continue; /* malformed, reported before */
        }
        carom_text_buffer text = {0};
        verify_latex_table(&text, all->names[i], &all->files[i]);
        is_written = save_latex(&text, folder, all->names[i]);
        carom_text_buffer_clear(&text);
        carom_text_buffer_print(&list, "\\verificationtable{%s}\n", all->names[i]);
    }
    const char *paper = verify_next_paper(all->files, all->count, NULL);
    for (; paper != NULL && is_written; paper = verify_next_paper(all->files, all->count, paper)) {
        carom_text_buffer text = {0};
        verify_latex_paper(&text, paper, all->names, all->files, all->count);
        is_written = save_latex(&text, folder, paper);
        carom_text_buffer_clear(&text);
    }
    carom_text_buffer text = {0};
    verify_latex_totals(&text, totals);
    is_written =
        is_written && save_latex(&list, folder, "tables") && save_latex(&text, folder, "totals");
    carom_text_buffer_clear(&text);
    carom_text_buffer_clear(&list);
    return is_written;
}

/* What was asked for: everything in short with what fails, or the chosen items. */
static bool print(const request *asked, const collection *all) {
    const verify_choice *choice = &asked->choice;
    if (asked->is_wide) {
        return verify_print_wide(choice, all->files, all->count);
    }
    if (asked->experiment == NULL && choice->paper == NULL && choice->only == NULL &&
        choice->kind == NULL) {
        const verify_choice failures = {.only = carom_verdict_name(CAROM_VERDICT_FAILS)};
        verify_print_summary(choice, all->names, all->files, all->count);
        verify_print_items(&failures, all->files, all->count);
        return true;
    }
    verify_print_items(choice, all->files, all->count);
    return true;
}

static const char *verdict_name(int i) {
    return carom_verdict_name((carom_verdict)i);
}

static const char *kind_name(int i) {
    return carom_published_kind_name((carom_published_kind)i);
}

/* Whether every word of a list with commas is one of the names. */
static bool is_list_of(const char *list, const char *(*name_of)(int), int count) {
    for (const char *next = list; next != NULL;) {
        const size_t length = strcspn(next, ",");
        bool is_known = false;
        for (int i = 0; i < count; ++i) {
            is_known = is_known ||
                       (strlen(name_of(i)) == length && strncmp(next, name_of(i), length) == 0);
        }
        if (!is_known) {
            return false;
        }
        next = next[length] == ',' ? next + length + 1 : NULL;
    }
    return true;
}

/* Find, compare, print; the exit status. */
static int run(const request *asked, collection *all) {
    if (!find_files(asked->published, asked->experiment, all) || !check_files(asked, all)) {
        return EXIT_FAILURE;
    }
    verify_counts totals = {{{0}}};
    for (int i = 0; i < all->count; ++i) {
        verify_count(&asked->choice, &all->files[i], NULL, &totals);
    }
    if (!print(asked, all)) {
        return tool_fail(name, "out of memory");
    }
    const int failed = verify_sum(&totals, CAROM_VERDICT_FAILS) + all->malformed_count;
    printf("%d agree, %d differ, %d conditioned, %d open, %d fail\n",
           verify_sum(&totals, CAROM_VERDICT_AGREES), verify_sum(&totals, CAROM_VERDICT_DIFFERS),
           verify_sum(&totals, CAROM_VERDICT_CONDITIONED), verify_open(&totals), failed);
    if (asked->latex != NULL && !write_latex(asked->latex, all, &totals)) {
        return EXIT_FAILURE;
    }
    if (verify_total(&totals) + failed == 0 && asked->choice.only == NULL) {
        return tool_fail(name, "%s: there is nothing to verify", asked->published);
    }
    return tool_finish(name, failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
}

static void clear(collection *all) {
    for (int i = 0; i < all->count; ++i) {
        free(all->names[i]);
        if (all->files != NULL) {
            carom_verification_clear(&all->files[i]);
        }
    }
    free(all->names);
    free(all->files);
}

int main(int argc, char **argv) {
    if (tool_answered(argc, argv, name, usage)) {
        return tool_finish(name, EXIT_SUCCESS);
    }
    request asked = {.published = "data/published", .results = "data/results"};
    const struct {
        const char *option;
        const char **target;
    } options[] = {{"--published", &asked.published}, {"--results", &asked.results},
                   {"--latex", &asked.latex},         {"--experiment", &asked.experiment},
                   {"--paper", &asked.choice.paper},  {"--only", &asked.choice.only},
                   {"--kind", &asked.choice.kind}};
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "--wide") == 0) {
            asked.is_wide = true;
            continue;
        }
        const char **target = NULL;
        for (size_t k = 0; k < sizeof options / sizeof options[0]; ++k) {
            target = strcmp(argv[i], options[k].option) == 0 ? options[k].target : target;
        }
        if (target == NULL || i + 1 == argc) {
            return tool_fail(name, "%s is unknown or lacks its value (see --help)", argv[i]);
        }
        *target = argv[++i];
    }
    if (asked.choice.only != NULL &&
        !is_list_of(asked.choice.only, verdict_name, CAROM_VERDICT_COUNT)) {
        return tool_fail(name,
                         "--only %s: of agrees, differs, conditioned, inconclusive, not "
                         "reproducible, fails, with commas",
                         asked.choice.only);
    }
    if (asked.choice.kind != NULL &&
        !is_list_of(asked.choice.kind, kind_name, CAROM_PUBLISHED_KIND_COUNT)) {
        return tool_fail(name, "--kind %s: of printed, stated, derived, with commas",
                         asked.choice.kind);
    }
    const bool is_chosen = asked.experiment != NULL || asked.choice.paper != NULL ||
                           asked.choice.only != NULL || asked.choice.kind != NULL;
    if (asked.latex != NULL && is_chosen) {
        return tool_fail(name, "--latex writes all items: it goes with no choice of some");
    }
    collection all = {0, 0, NULL, NULL};
    const int code = run(&asked, &all);
    clear(&all);
    return code;
}
