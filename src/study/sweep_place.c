#include <carom/study/sweep.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/** Environment of the process, for those that it starts. */
extern char **environ;

/** What the cleaner runs: it waits until its input ends, which it does however we end, then ends
 * the programs of its group and removes the folder. */
static char cleaning[] = "trap '' HUP INT QUIT TERM; cat; kill -s TERM 0; "
                         "rm -rf -- \"$0\" || { sleep 1; rm -rf -- \"$0\"; }";

/** Start the cleaner as the leader of a group of its own, which no interrupt from a terminal
 * reaches. 0 or a number of errno. */
static int start_cleaner(carom_sweep_place *place, const int ends[2]) {
    char shell[] = "sh";
    char flag[] = "-c";
    char *arguments[] = {shell, flag, cleaning, place->folder, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const int failure =
        posix_spawn(&place->cleaner, "/bin/sh", &actions, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

/** A pipe that programs do not inherit; 0 or a number of errno. */
static int open_pipe(int ends[2]) {
    if (pipe(ends) != 0) {
        return errno;
    }
    for (int i = 0; i < 2; i++) {
        (void)fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    }
    return 0;
}

/** Name the folder: in $TMPDIR, or hidden beside the output. */
static bool name_folder(const char *output, carom_sweep_place *place) {
    const char *shared = getenv("TMPDIR"); // NOLINT(concurrency-mt-unsafe): before the threads
    const char *slash = strrchr(output, '/');
    const int beside = slash == NULL ? 0 : (int)(slash - output) + 1;
    const int length =
        shared != NULL && shared[0] != '\0'
            ? snprintf(place->folder, sizeof place->folder, "%s/sweep.XXXXXX", shared)
            : snprintf(place->folder, sizeof place->folder, "%.*s.%s.XXXXXX", beside, output,
                       output + beside);
    return length > 0 && (size_t)length < sizeof place->folder;
}

/** The variable by which the program knows who calls; NULL
 * if out of memory. */
static char *name_caller(const char *program) {
    enum { NUMBER_SIZE = 32 };
    const size_t size = sizeof CAROM_POINTS_VARIABLE + NUMBER_SIZE + strlen(program);
    char *text = malloc(size);
    if (text != NULL) {
        snprintf(text, size, CAROM_POINTS_VARIABLE "=%ld %s", (long)getpid(), program);
    }
    return text;
}

/** What a server needs before the rest: its calls of libraries are bound once, not by each point.
 */
static char bound[] = "LD_BIND_NOW=1";

/** The environment without the variables by which mpirun makes a program one of its ranks, and with
 * the caller; NULL if out of memory. */
static char **copy_environment(char *caller) {
    static const char *const dropped[] = {"OMPI_", "PMIX_", "PMI_", CAROM_POINTS_VARIABLE "="};
    size_t count = 0;
    while (environ[count] != NULL) {
        count++;
    }
    char **copy = calloc(count + 3, sizeof *copy);
    size_t kept = 1;
    for (size_t i = 0; i < count && copy != NULL; i++) {
        bool is_kept = true;
        for (size_t k = 0; k < sizeof dropped / sizeof dropped[0]; k++) {
            is_kept = is_kept && strncmp(environ[i], dropped[k], strlen(dropped[k])) != 0;
        }
        if (is_kept) {
            copy[kept++] = environ[i];
        }
    }
    if (copy != NULL) {
        copy[0] = bound;
        copy[kept] = caller;
    }
    return copy;
}

/** Forget the texts. */
static void free_environment(carom_sweep_place *place) {
    free(place->environment);
    free(place->caller);
    place->environment = NULL;
    place->caller = NULL;
}

carom_status carom_sweep_place_open(const char *output, const char *program,
                                    carom_sweep_place *place, carom_report *report) {
    *place = (carom_sweep_place){.alive = -1, .caller = name_caller(program)};
    place->environment = copy_environment(place->caller);
    if (place->environment == NULL || place->caller == NULL) {
        free_environment(place);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    int ends[2] = {-1, -1};
    errno = ENAMETOOLONG;
    int failure = name_folder(output, place) && mkdtemp(place->folder) != NULL ? 0 : errno;
    if (failure == 0) {
        failure = open_pipe(ends);
        failure = failure == 0 ? start_cleaner(place, ends) : failure;
        if (failure != 0) {
            rmdir(place->folder);
            close(ends[1]);
        }
        close(ends[0]);
    }
    if (failure != 0) {
        (void)carom_report_say(report, CAROM_STATUS_IO,
                               "%s cannot be made, for the records of the points: %s",
                               place->folder, strerror(failure));
        place->folder[0] = '\0';
        free_environment(place);
        return CAROM_STATUS_IO;
    }
    place->alive = ends[1];
    return CAROM_OK;
}

void carom_sweep_place_close(carom_sweep_place *place) {
    if (place->folder[0] == '\0') {
        return;
    }
    carom_sweep_servers_end(place);
    close(place->alive);
    while (waitpid(place->cleaner, NULL, 0) < 0 && errno == EINTR) {
    }
    free_environment(place);
    *place = (carom_sweep_place){.alive = -1};
}
