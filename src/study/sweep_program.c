#include <carom/program/points.h>
#include <carom/record/text.h>
#include <carom/study/sweep.h>

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** Bytes of an answer to --help, and of what a program complains of, that are looked at. */
#define MOST_BYTES ((size_t)1 << 20)

/** Room for the path of a file of a point. */
enum { PATH_SIZE = CAROM_SWEEP_TEXT_SIZE + 32 };

/* --------------------------------------------------------------------------------- its arguments
 */

void carom_sweep_file(const char *folder, int point, const char *suffix, size_t size, char *path) {
    snprintf(path, size, "%s/%06d%s", folder, point, suffix);
}

/** The arguments of a program at a point, as texts that follow each other, each with its zero. */
static carom_status write_arguments(const carom_sweep_program *program,
                                    const carom_sweep_points *points, int point, const char *folder,
                                    carom_text_buffer *texts) {
    char path[PATH_SIZE];
    for (int i = 0; i < program->command->count; i++) {
        const char *word = program->command->values[i];
        carom_text_buffer_add(texts, word, strlen(word) + 1);
    }
    for (int a = 0; a < points->axis_count; a++) {
        carom_text_buffer_print(texts, "--%s=%s", points->axes[a].option,
                                points->axes[a].words[carom_sweep_points_entry(points, a, point)]);
        carom_text_buffer_add(texts, "", 1);
    }
    if (program->has_threads) {
        carom_text_buffer_add(texts, "--threads=1", sizeof "--threads=1");
    }
    if (program->has_quiet) {
        carom_text_buffer_add(texts, "--quiet", sizeof "--quiet");
    }
    carom_sweep_file(folder, point, ".h5", sizeof path, path);
    carom_text_buffer_print(texts, "--output=%s", path);
    carom_text_buffer_add(texts, "", 1);
    return texts->failure;
}

/** Pointers to the texts that follow each other, and how many there are; to be freed. NULL: out of
 * memory. */
static char **point_at(const carom_text_buffer *texts, int *count) {
    *count = 0;
    for (size_t at = 0; at < texts->length; at++) {
        *count += texts->text[at] == '\0' ? 1 : 0;
    }
    char **arguments = calloc((size_t)*count + 1, sizeof *arguments);
    char *text = texts->text;
    for (int i = 0; arguments != NULL && i < *count; i++) {
        arguments[i] = text;
        text += strlen(text) + 1;
    }
    return arguments;
}

/* --------------------------------------------------------------------------------- one process */

/** How a point ended, which may have had a limit. */
static void note_end(carom_point_end ended, double limit, carom_sweep_end *end) {
    end->exit_code = ended.exit_code;
    if (ended.is_late && ended.exit_code != 0) {
        snprintf(end->sentence, sizeof end->sentence, "had not ended after %g s", limit);
    }
}

/** Run a program in the group of the cleaner, its output and complaints into files. @return 0 or a
 * number of errno: it was not started */
static int run(char **arguments, const carom_sweep_place *place, double limit, const char *output,
               const char *complaints, carom_sweep_end *end) {
    CAROM_ASSERT(arguments[0] != NULL);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, place->cleaner);
    const int flags = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, flags, 0600);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, complaints, flags, 0600);
    pid_t process = 0;
    const int failure = posix_spawnp(&process, arguments[0], &actions, &attributes, arguments,
                                     place->environment + 1);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0) {
        return failure;
    }
    note_end(carom_point_await(process, limit), limit, end);
    return 0;
}

/** Have a server run a program, whose complaints go into a file. @return false if there is no
 * server
 */
static bool run_served(const carom_sweep_program *program, carom_text_buffer *texts, int count,
                       carom_sweep_place *place, const char *complaints, carom_sweep_end *end) {
    // That it can be made is seen here: there it would be the end of the point.
    const int file = open(complaints, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    carom_point_end ended;
    carom_text_buffer_add(texts, complaints, strlen(complaints) + 1);
    carom_text_buffer_add(texts, program->wanted, strlen(program->wanted) + 1);
    if (file < 0 || close(file) != 0 || texts->failure != CAROM_OK ||
        !carom_sweep_server_run(texts, count, program->limit, place, &ended)) {
        return false;
    }
    note_end(ended, program->limit, end);
    return true;
}

/** Say that a program cannot be run. */
static carom_status refuse(const carom_sweep_program *program, int failure, carom_report *report) {
    return carom_report_say(report, CAROM_STATUS_UNSUPPORTED, "-- %s cannot be run: %s",
                            program->command->values[0], strerror(failure));
}

/* ------------------------------------------------------------------------------------- complaints
 */

/** Put a word in place of every occurrence of a text. */
static void replace(char *line, const char *text, const char *word) {
    const size_t length = strlen(text);
    for (char *found = strstr(line, text); found != NULL; found = strstr(found, text)) {
        memmove(found + strlen(word), found + length, strlen(found + length) + 1);
        for (size_t i = 0; word[i] != '\0'; i++) {
            found[i] = word[i];
        }
    }
}

/** The last line of a text that is not blank, on one line of printable UTF-8 that fits. */
static void keep_last_line(char *text, const char *record, char *sentence) {
    size_t end = strlen(text);
    while (end > 0 && isspace((unsigned char)text[end - 1])) {
        text[--end] = '\0';
    }
    char *line = strrchr(text, '\n');
    line = line == NULL ? text : line + 1;
    replace(line, record, "record");
    for (char *letter = line; *letter != '\0'; letter++) {
        *letter = (unsigned char)*letter < ' ' || *letter == 127 ? ' ' : *letter;
    }
    // Cut between letters.
    size_t length = strlen(line);
    if (length >= CAROM_SWEEP_SENTENCE_SIZE) {
        length = CAROM_SWEEP_SENTENCE_SIZE - 1;
        while (length > 0 && ((unsigned char)line[length] & 0xC0) == 0x80) {
            length--;
        }
    }
    line[length] = '\0';
    snprintf(sentence, CAROM_SWEEP_SENTENCE_SIZE, "%s",
             carom_text_is_utf8(line) ? line : "its complaint is not UTF-8");
}

/** What a program said of a point. */
static void read_complaint(const char *folder, int point, carom_sweep_end *end) {
    char path[PATH_SIZE];
    char record[PATH_SIZE];
    carom_text_buffer text = {0};
    carom_sweep_file(folder, point, ".txt", sizeof path, path);
    carom_sweep_file(folder, point, ".h5", sizeof record, record);
    if (end->exit_code != 0 && end->sentence[0] == '\0' &&
        carom_text_buffer_load(&text, path, MOST_BYTES) == CAROM_OK && text.length > 0) {
        keep_last_line(text.text, record, end->sentence);
    }
    carom_text_buffer_clear(&text);
    if (end->exit_code > CAROM_POINT_ENDED_BY_SIGNAL && end->sentence[0] == '\0') {
        snprintf(end->sentence, sizeof end->sentence, "ended by signal %d",
                 end->exit_code - CAROM_POINT_ENDED_BY_SIGNAL);
    } else if (end->exit_code != 0 && end->sentence[0] == '\0') {
        snprintf(end->sentence, sizeof end->sentence, "ended without a word");
    }
}

/** Whether a program ended because there was no room on the disk, by what it said: that is of the
 * machine, not of the point. */
static bool is_without_room(const carom_sweep_end *end) {
    static const int reasons[] = {ENOSPC, EDQUOT};
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0] && end->exit_code != 0; i++) {
        if (strstr(end->sentence, strerror(reasons[i])) != NULL) { // NOLINT: our texts are static
            return true;
        }
    }
    return false;
}

carom_status carom_sweep_program_run(const carom_sweep_program *program,
                                     const carom_sweep_points *points, int point,
                                     carom_sweep_place *place, carom_sweep_end *end,
                                     carom_report *report) {
    *end = (carom_sweep_end){.exit_code = 0};
    carom_text_buffer texts = {0};
    char complaints[PATH_SIZE];
    carom_sweep_file(place->folder, point, ".txt", sizeof complaints, complaints);
    carom_status status = write_arguments(program, points, point, place->folder, &texts);
    int count = 0;
    CAROM_AUTO_MEMORY char **arguments = status == CAROM_OK ? point_at(&texts, &count) : NULL;
    if (arguments == NULL) {
        status = CAROM_STATUS_OUT_OF_MEMORY;
    } else {
        const bool is_served = program->is_server && program->wanted != NULL &&
                               run_served(program, &texts, count, place, complaints, end);
        const int failure =
            is_served ? 0 : run(arguments, place, program->limit, "/dev/null", complaints, end);
        status = failure == 0 ? CAROM_OK : refuse(program, failure, report);
        read_complaint(place->folder, point, end);
        unlink(complaints);
    }
    carom_text_buffer_clear(&texts);
    if (status == CAROM_OK && is_without_room(end)) {
        char name[CAROM_SWEEP_TEXT_SIZE];
        carom_sweep_points_name(points, point, sizeof name, name);
        status = carom_report_say(report, CAROM_STATUS_IO, "at %.100s: %.80s", name, end->sentence);
    }
    return status;
}

void carom_sweep_program_ended(const char *folder, int point, carom_sweep_end *end) {
    char path[PATH_SIZE];
    carom_text_buffer text = {0};
    *end = (carom_sweep_end){.exit_code = 1};
    carom_sweep_file(folder, point, ".exit", sizeof path, path);
    if (carom_text_buffer_load(&text, path, MOST_BYTES) == CAROM_OK && text.length > 0) {
        end->exit_code = (int)strtol(text.text, NULL, 10);
        read_complaint(folder, point, end);
    } else {
        snprintf(end->sentence, sizeof end->sentence, "has not been run");
    }
    carom_text_buffer_clear(&text);
}

/* ----------------------------------------------------------------------------------- its options
 */

/** Whether an answer lists an option. */
static bool lists(const char *answer, const char *option) {
    const size_t length = strlen(option);
    for (const char *found = strstr(answer, option); found != NULL;
         found = strstr(found + 1, option)) {
        const char before = found == answer ? ' ' : found[-1];
        const char after = found[length];
        if (!isalnum((unsigned char)before) && before != '-' && !isalnum((unsigned char)after) &&
            after != '-' && after != '_') {
            return true;
        }
    }
    return false;
}

/** Look into an answer for what the program knows. */
static carom_status look(carom_sweep_program *program, const carom_sweep_points *points,
                         const char *answer, carom_report *report) {
    program->has_threads = lists(answer, "--threads");
    program->has_quiet = lists(answer, "--quiet");
    program->is_server = lists(answer, CAROM_POINTS_OPTION);
    for (int a = 0; a < points->axis_count; a++) {
        char option[CAROM_SWEEP_NAME_SIZE + 2];
        snprintf(option, sizeof option, "--%s", points->axes[a].option);
        if (!lists(answer, option)) {
            return carom_report_say(report, CAROM_STATUS_UNSUPPORTED,
                                    "%s has no option %s, by its --help",
                                    program->command->values[0], option);
        }
    }
    if (!lists(answer, "--output")) {
        return carom_report_say(report, CAROM_STATUS_UNSUPPORTED,
                                "%s has no option --output, by its --help, which names the record",
                                program->command->values[0]);
    }
    return CAROM_OK;
}

carom_status carom_sweep_program_ask(carom_sweep_program *program, const carom_sweep_points *points,
                                     const carom_sweep_place *place, carom_report *report) {
    char path[PATH_SIZE];
    char help[] = "--help";
    snprintf(path, sizeof path, "%s/help", place->folder);
    const int count = program->command->count;
    CAROM_AUTO_MEMORY char **arguments = calloc((size_t)count + 2, sizeof *arguments);
    if (arguments == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < count; i++) {
        arguments[i] = (char *)program->command->values[i]; // NOLINT: as posix_spawn wants it
    }
    arguments[count] = help;
    carom_sweep_end end = {.exit_code = 0};
    const int failure = run(arguments, place, program->limit, path, "/dev/null", &end);
    if (failure != 0) {
        return refuse(program, failure, report);
    }
    carom_text_buffer text = {0};
    carom_status status = CAROM_OK;
    if (end.exit_code == 0 && carom_text_buffer_load(&text, path, MOST_BYTES) == CAROM_OK &&
        text.length > 0) {
        status = look(program, points, text.text, report);
    }
    carom_text_buffer_clear(&text);
    return status;
}

/* -------------------------------------------------------------------------------------- commands
 */

/** Print a word as a shell reads it. */
static void print_word(const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_@%+=:,./-";
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        fputs(word, stdout);
        return;
    }
    putchar('\'');
    for (; *word != '\0'; word++) {
        if (*word == '\'') {
            fputs("'\\''", stdout);
        } else {
            putchar(*word);
        }
    }
    putchar('\'');
}

/** Print a sign and the name of a file of a point. */
static void print_file(const char *sign, const char *folder, int point, const char *suffix) {
    char path[PATH_SIZE];
    carom_sweep_file(folder, point, suffix, sizeof path, path);
    fputs(sign, stdout);
    print_word(path);
}

carom_status carom_sweep_program_print(const carom_sweep_program *program,
                                       const carom_sweep_points *points, const char *folder) {
    carom_text_buffer texts = {0};
    carom_status status = CAROM_OK;
    for (int point = 0; point < points->count && status == CAROM_OK; point++) {
        carom_text_buffer_clear(&texts);
        status = write_arguments(program, points, point, folder, &texts);
        // In a shell of its own, so that what a shell says of a crash stays out of the complaints.
        putchar('(');
        for (size_t at = 0; status == CAROM_OK && at < texts.length;
             at += strlen(texts.text + at) + 1) {
            fputs(at > 0 ? " " : "", stdout);
            print_word(texts.text + at);
        }
        print_file(" 2>", folder, point, ".txt");
        print_file("); echo $? >", folder, point, ".exit");
        putchar('\n');
    }
    carom_text_buffer_clear(&texts);
    return status;
}
