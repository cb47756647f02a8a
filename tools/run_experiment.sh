#!/bin/bash
# Run an experiment, by its program or by a sweep, and write its line of the manifest:
# file, sha256, commit, host, time (UTC), seconds, peak memory in kB ("-" if it cannot be measured).
# usage: tools/run_experiment.sh RECORD LINE_FILE PROGRAM [ARGUMENT]...
set -euo pipefail

record=$1 line=$2
shift 2
name=$(basename "$1")
# Of what a program says when it has run, make shows the line, not the table.
run() {
    "$@" --output "$record" | sed -n "/^$name: /p"
}
cost=$line.cost
trap 'rm -f "$cost" "$line.tmp"' EXIT

if [[ -x /usr/bin/time ]]; then
    run /usr/bin/time -q -f '%e %M' -o "$cost" "$@"
    read -r seconds peak <"$cost"
else
    started=$EPOCHREALTIME
    run "$@"
    seconds=$(awk -v a="$started" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.2f", b - a }')
    peak=-
fi

# The commit of this tree, not of a repository around it.
commit=unknown
[[ -n $(git rev-parse --show-cdup 2>&1) ]] || commit=$(git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)
if [[ $commit != unknown && -n $(git status --porcelain --untracked-files=no 2>/dev/null) ]]; then
    commit+=-dirty
fi
printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$(basename "$record")" \
    "$(sha256sum "$record" | cut -d ' ' -f 1)" "$commit" "$(uname -n)" \
    "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$seconds" "$peak" >"$line.tmp"
mv "$line.tmp" "$line"
