#!/bin/bash
# A program that works for five seconds says so on a terminal: alone on one line, under make in lines of
# its own that name it; and nothing where there is no terminal.
# usage: tests/project/terminal.sh [PROGRAM_FOLDER]
set -euo pipefail

bin=$(realpath "${1:-build/bin}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL

fail() {
    echo "terminal: $1" >&2
    exit 1
}
# says WORDS: start a long run on a terminal and end it as soon as it has said so.
says() {
    local tries job
    rm -f "$scratch/screen"
    setsid script -qfc "exec $bin/bouncing_ball --step 1e-6 --output $scratch/ball.h5" "$scratch/screen" \
        >/dev/null 2>&1 </dev/null &
    job=$!
    for ((tries = 0; tries < 1200; ++tries)); do
        grep -qaF -- "$1" "$scratch/screen" 2>/dev/null && break
        sleep 0.05
    done
    kill -TERM -- "-$job" 2>/dev/null || true
    wait "$job" 2>/dev/null || true
    ((tries < 1200)) || fail "it does not say \"$1\" but: $(tr '\r' '\n' <"$scratch/screen" | tail -n 3)"
}

says $'\rbouncing_ball '
export MAKELEVEL=1
says 'bouncing_ball: at work for '
! grep -qa $'\rbouncing_ball ' "$scratch/screen" || fail "lines are written over each other under make"
unset MAKELEVEL
"$bin/bouncing_ball" --quiet --output "$scratch/ball.h5" >"$scratch/log" 2>&1
[[ ! -s $scratch/log ]] || fail "it speaks where it was asked to be quiet: $(cat "$scratch/log")"
