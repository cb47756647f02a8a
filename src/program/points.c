#include <carom/program/memory.h>
#include <carom/program/points.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ------------------------------------------------------------------------------------ a process */

/** Seconds of a clock that goes on. */
static double read_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/** Wait for the end of a process for so many seconds at most. Whether it has ended. */
static bool wait_until(pid_t process, double limit, int *ended) {
    // It is looked for after a tenth of the time that has passed: that much later it is noticed.
    const double shortest = 1e-4;
    const double longest = 0.05;
    const double start = read_clock();
    while (waitpid(process, ended, WNOHANG) == 0) {
        const double passed = read_clock() - start;
        if (passed >= limit) {
            return false;
        }
        const double pause = fmin(fmax(0.1 * passed, shortest), fmin(longest, limit - passed));
        const struct timespec span = {0, (long)(1e9 * pause)};
        nanosleep(&span, NULL);
    }
    return true;
}

carom_point_end carom_point_await(pid_t process, double limit) {
    int ended = 0;
    const bool is_late = limit > 0.0 && !wait_until(process, limit, &ended);
    if (is_late) {
        (void)kill(process, SIGKILL);
    }
    if (is_late || !(limit > 0.0)) {
        while (waitpid(process, &ended, 0) < 0 && errno == EINTR) {
        }
    }
    return (carom_point_end){
        .exit_code =
            WIFSIGNALED(ended) ? CAROM_POINT_ENDED_BY_SIGNAL + WTERMSIG(ended) : WEXITSTATUS(ended),
        .is_late = is_late,
    };
}

/* ---------------------------------------------------------------------------------------- bytes */

bool carom_point_write(int to, const void *bytes, size_t size) {
    const char *from = bytes;
    while (size > 0) {
        const ssize_t written = send(to, from, size, MSG_NOSIGNAL);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        from += written;
        size -= (size_t)written;
    }
    return true;
}

bool carom_point_read(int from, void *bytes, size_t size) {
    char *to = bytes;
    while (size > 0) {
        const ssize_t got = read(from, to, size);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return false;
        }
        to += got;
        size -= (size_t)got;
    }
    return true;
}

/* ----------------------------------------------------------------------------------- the server */

bool carom_points_are_asked(const char *name) {
    const char *asked = getenv(CAROM_POINTS_VARIABLE); // NOLINT(concurrency-mt-unsafe): no threads
    if (asked == NULL || name == NULL) {
        return false;
    }
    char *end = NULL;
    const long sweep = strtol(asked, &end, 10);
    return sweep == (long)getppid() && *end == ' ' && strcmp(end + 1, name) == 0;
}

/** Put /dev/null, or a new file, in the place of an open one. */
static bool redirect(const char *path, int flags, int place) {
    const int file = open(path, flags, 0600);
    const bool is_there = file >= 0 && dup2(file, place) == place;
    if (file >= 0 && file != place) {
        close(file);
    }
    return is_there;
}

/** The next request and its texts, to be freed; NULL at the end. */
static char *receive(carom_point_request *request) {
    if (!carom_point_read(STDIN_FILENO, request, sizeof *request)) {
        return NULL;
    }
    char *texts = malloc(request->size + 1);
    if (texts != NULL && !carom_point_read(STDIN_FILENO, texts, request->size)) {
        free(texts);
        return NULL;
    }
    return texts;
}

/** Become the program of a point. @return what is wanted of its record */
static const char *become(const carom_point_request *request, char *texts, int *argc,
                          char ***argv) {
    char **arguments = calloc((size_t)request->count + 1, sizeof *arguments);
    if (arguments == NULL) {
        _exit(EXIT_FAILURE);
    }
    (void)carom_memory_begin_afresh();
    for (int i = 0; i < request->count; i++) {
        arguments[i] = texts;
        texts += strlen(texts) + 1;
    }
    if (!redirect("/dev/null", O_RDONLY, STDIN_FILENO) ||
        !redirect(texts, O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO)) {
        _exit(EXIT_FAILURE);
    }
    *argc = request->count;
    *argv = arguments;
    return texts + strlen(texts) + 1;
}

const char *carom_points_serve(int *argc, char ***argv) {
    if (*argc != 2 || strcmp((*argv)[1], CAROM_POINTS_OPTION) != 0 ||
        !carom_points_are_asked((*argv)[0])) {
        return NULL;
    }
    carom_point_request request;
    char *texts = NULL;
    while ((texts = receive(&request)) != NULL) {
        const pid_t process = fork();
        if (process == 0) {
            return become(&request, texts, argc, argv);
        }
        free(texts);
        if (process < 0) {
            break;
        }
        const carom_point_end end = carom_point_await(process, request.limit);
        if (!carom_point_write(STDIN_FILENO, &end, sizeof end)) {
            break;
        }
    }
    _exit(EXIT_SUCCESS);
}

void carom_points_end(int exit_status) {
    const bool is_said = fflush(NULL) == 0;
    _exit(is_said || exit_status != EXIT_SUCCESS ? exit_status : EXIT_FAILURE);
}
