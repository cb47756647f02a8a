#!/bin/bash
# A program that works for five seconds says so: alone on a terminal on one line, in a file or under make
# in lines of its own that name it; a short one says nothing, nor does one that was asked to be quiet.
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
# wait_for WORDS FILE: until a running program has said so, a minute at most.
wait_for() {
    local tries
    for ((tries = 0; tries < 1200; ++tries)); do
        grep -qaF -- "$1" "$2" 2>/dev/null && return
        sleep 0.05
    done
    fail "it does not say \"$1\" but: $(tr '\r' '\n' <"$2" | tail -n 3)"
}
# says WORDS PROGRAM ARGUMENT...: start a long run on a terminal and end it as soon as it has said so.
says() {
    local words=$1 job
    shift
    rm -f "$scratch/screen"
    setsid script -qfc "exec $bin/$* --output $scratch/record.h5" "$scratch/screen" >/dev/null 2>&1 </dev/null &
    job=$!
    wait_for "$words" "$scratch/screen"
    kill -TERM -- "-$job" 2>/dev/null || true
    wait "$job" 2>/dev/null || true
}

says $'\rbouncing_ball ' bouncing_ball --step 1e-5
long=(critical_region --threads 1 --draws 10000000)
export MAKELEVEL=1
says 'critical_region: at work for ' "${long[@]}"
! grep -qa $'\r\033' "$scratch/screen" || fail "lines are written over each other under make"
unset MAKELEVEL

# In a file: the program, how long, at what, one line each; nothing if quiet.
"$bin/${long[0]}" "${long[@]:1}" --output "$scratch/loud.h5" >/dev/null 2>"$scratch/loud" &
loud=$!
"$bin/${long[0]}" "${long[@]:1}" --quiet --output "$scratch/quiet.h5" >"$scratch/quiet" 2>&1 &
quiet=$!
wait_for 'critical_region: at work for 5 s: signs of c_0, ' "$scratch/loud"
sleep 1
kill -TERM "$loud" "$quiet"
wait "$loud" "$quiet" 2>/dev/null || true
! grep -qv '^critical_region: [ -~]*$' "$scratch/loud" || fail "a line in a file is: $(cat -v "$scratch/loud")"
[[ ! -s $scratch/quiet ]] || fail "it speaks where it was asked to be quiet: $(cat "$scratch/quiet")"
"$bin/bouncing_ball" --output "$scratch/ball.h5" 2>"$scratch/log" >/dev/null
[[ ! -s $scratch/log ]] || fail "a short run speaks: $(cat "$scratch/log")"
