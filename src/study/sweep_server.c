/*
 * Servers: the program that is swept, loaded once for each of our threads, which forks for every
 * point.
 */
#include <carom/program/points.h>
#include <carom/study/sweep.h>

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/** A server: idle in the list of the place, or at work for the thread that took it. */
struct carom_sweep_server {
    pid_t process;
    int socket;
    carom_sweep_server *next;
};

/** Start the program with a socket as its stdin. 0 or a number of errno. */
static int start(const char *name, const carom_sweep_place *place, int theirs, pid_t *process) {
    char option[] = CAROM_POINTS_OPTION;
    char *arguments[] = {(char *)name, option, NULL}; // NOLINT: as posix_spawn wants it
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, place->cleaner);
    posix_spawn_file_actions_adddup2(&actions, theirs, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const int failure =
        posix_spawnp(process, name, &actions, &attributes, arguments, place->environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

/** A new server; NULL if it cannot be had. */
static carom_sweep_server *server_alloc(const char *name, const carom_sweep_place *place) {
    int ends[2];
    carom_sweep_server *server = calloc(1, sizeof *server);
    if (server == NULL || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
        free(server);
        return NULL;
    }
    for (int i = 0; i < 2; i++) {
        (void)fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    }
    const int failure = start(name, place, ends[1], &server->process);
    close(ends[1]);
    server->socket = ends[0];
    if (failure != 0) {
        close(ends[0]);
        free(server);
        return NULL;
    }
    return server;
}

/** End a server that is in no list. */
static void server_free(carom_sweep_server *server) {
    close(server->socket);
    while (waitpid(server->process, NULL, 0) < 0 && errno == EINTR) {
    }
    free(server);
}

/** Take an idle server, or start one. */
static carom_sweep_server *take(const char *name, carom_sweep_place *place) {
    carom_sweep_server *server;
#ifdef _OPENMP
#pragma omp critical(carom_sweep_servers)
#endif
    {
        server = place->idle;
        if (server != NULL) {
            place->idle = server->next;
        } else {
            server = server_alloc(name, place);
        }
    }
    return server;
}

/** Give a server back. */
static void give(carom_sweep_server *server, carom_sweep_place *place) {
#ifdef _OPENMP
#pragma omp critical(carom_sweep_servers)
#endif
    {
        server->next = place->idle;
        place->idle = server;
    }
}

bool carom_sweep_server_run(const carom_text_buffer *texts, int count, double limit,
                            carom_sweep_place *place, carom_point_end *end) {
    carom_sweep_server *server = take(texts->text, place);
    if (server == NULL) {
        return false;
    }
    carom_point_request request;
    memset(&request, 0, sizeof request); // what lies between the members is written too
    request.limit = limit;
    request.count = count;
    request.size = texts->length;
    if (!carom_point_write(server->socket, &request, sizeof request) ||
        !carom_point_write(server->socket, texts->text, texts->length) ||
        !carom_point_read(server->socket, end, sizeof *end)) {
        // One that was killed takes its point with it; one that could not fork has not begun.
        close(server->socket);
        *end = carom_point_await(server->process, 0.0);
        free(server);
        return end->exit_code != 0;
    }
    give(server, place);
    return true;
}

void carom_sweep_servers_end(carom_sweep_place *place) {
    while (place->idle != NULL) {
        carom_sweep_server *server = place->idle;
        place->idle = server->next;
        server_free(server);
    }
}
