#!/bin/bash
# Formatting, static analysis and docstrings; any finding fails.
# usage: tools/lint.sh SOURCE...
set -euo pipefail

for command in clang-format clang-tidy clang cppcheck; do
    command -v "$command" >/dev/null \
        || { echo "lint: $command is not installed: run \`make setup-lint\`" >&2; exit 1; }
done
flags=(-std=c11 -D_POSIX_C_SOURCE=200809L -Iinclude)
read -r -a packages <build/packages.cflags
mapfile -t headers < <(find src experiments tests tools -name '*.h' | sort)
status=0

echo "lint: clang-format"
clang-format --dry-run --Werror "$@" "${headers[@]}" || status=1
echo "lint: docstrings"
for source in "$@" "${headers[@]}"; do
    clang -x c -fsyntax-only -Wdocumentation -Wno-unknown-pragmas -Werror "${flags[@]}" \
        "${packages[@]}" -I. "$source" || status=1
done
echo "lint: clang-tidy"
printf '%s\0' "$@" | xargs -0 -n 1 -P "$(nproc)" sh -c \
    'sources=$(printf "%s " "$@"); clang-tidy --quiet $sources -- '"${flags[*]} ${packages[*]}" lint || status=1
echo "lint: cppcheck"
# Leaks are found by AddressSanitizer and valgrind: cppcheck does not know the cleanup attribute
# (CAROM_AUTO); and tests give NULL on purpose where it ends the program with the function's name.
cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr --enable=warning,performance,portability \
    --suppress=missingIncludeSystem --suppress=memleak --suppress=ctunullpointer -Iinclude "$@" || status=1
exit "$status"
