#!/bin/bash
# Every public function that returns a status and takes pointers ends, given NULL for all of them, in
# an assertion that names a public function: never in a crash, a hang or a status. The functions are
# those that the public headers declare.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# What may be NULL altogether: a sentence or a report to fill.
accepts_nothing='carom_(report_.*|model_require_.*)'

echo '#include <carom/carom.h>' >"$scratch/all.c"
gcc -std=c11 -fsyntax-only -aux-info "$scratch/prototypes" -Iinclude @build/packages.cflags "$scratch/all.c"
sed -n 's|^/\* .* \*/ extern carom_status \(carom_[a-z0-9_]*\) (\(.*\));.*|\1 \2|p' "$scratch/prototypes" \
    | sort -u | grep '\*' | grep -vE "^$accepts_nothing " >"$scratch/functions"

# A call for each: NULL for a pointer, zeros for what is passed by value.
{
    printf '%s\n' '#define _POSIX_C_SOURCE 200809L' '#include <carom/carom.h>' '#include <stdio.h>' \
        '#include <string.h>' '#include <sys/resource.h>' '#include <sys/wait.h>' '#include <unistd.h>'
    while read -r name parameters; do
        awk -v name="$name" -v parameters="$parameters" 'BEGIN {
            # Commas of the parameters themselves, not those of the functions among them.
            depth = 0; list = ""; one = ""; n = 0
            for (i = 1; i <= length(parameters) + 1; i++) {
                c = substr(parameters, i, 1)
                depth += (c == "(") - (c == ")")
                if ((c == "," && depth == 0) || i > length(parameters)) {
                    gsub(/^ +| +$/, "", one)
                    value = one ~ /\*/ ? "NULL" : one ~ /^(const )?(struct )?carom_[a-z_]+$/ ? "(" one "){0}" : "0"
                    list = list (n++ ? ", " : "") value; one = ""
                } else one = one c
            }
            printf "static carom_status call_%s(void) { return %s(%s); }\n", name, name, list
        }'
    done <"$scratch/functions"
    printf 'static const struct { const char *name; carom_status (*call)(void); } CALLS[] = {\n'
    while read -r name _; do
        printf '    {"%s", call_%s},\n' "$name" "$name"
    done <"$scratch/functions"
    cat <<'C'
};

/* What a call in a process of its own writes to stderr; its exit status. */
static int outcome(carom_status (*call)(void), char *text, size_t size) {
    int ends[2];
    if (pipe(ends) != 0) {
        return -1;
    }
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit no_core = {0, 0};
        (void)setrlimit(RLIMIT_CORE, &no_core);
        (void)dup2(ends[1], STDERR_FILENO);
        (void)alarm(10);
        (void)call();
        _exit(0);
    }
    (void)close(ends[1]);
    size_t length = 0;
    for (ssize_t got; (got = read(ends[0], text + length, size - 1 - length)) > 0;) {
        length += (size_t)got;
    }
    text[length] = '\0';
    (void)close(ends[0]);
    int status = 0;
    (void)waitpid(child, &status, 0);
    return status;
}

int main(void) {
    int failures = 0;
    for (size_t k = 0; k < sizeof CALLS / sizeof CALLS[0]; k++) {
        char text[4096];
        const int status = outcome(CALLS[k].call, text, sizeof text);
        /* Another public function may have been asked first. */
        if (!WIFSIGNALED(status) || WTERMSIG(status) != 6 || strncmp(text, "carom: carom_", 13) != 0) {
            fprintf(stderr, "null_arguments: %s(NULL, ..) %s %d, %s", CALLS[k].name,
                    WIFSIGNALED(status) ? "ends by signal" : "returns, exit", WIFSIGNALED(status) ? WTERMSIG(status) : 0,
                    text[0] != '\0' ? text : "no word\n");
            failures++;
        }
    }
    return failures > 0 || sizeof CALLS / sizeof CALLS[0] < 100;
}
C
} >"$scratch/calls.c"
gcc -std=c11 -Iinclude @build/packages.cflags "$scratch/calls.c" build/lib/libcarom.a -fopenmp @build/packages.libs \
    -o "$scratch/calls"
"$scratch/calls"
