#!/bin/bash
# A driver that is killed at any moment leaves the old record or the complete new one, and the next
# run is not disturbed by what it left.
# usage: tests/project/kill.sh [PROGRAM_FOLDER]
set -euo pipefail

bin=${1:-build/bin}
scratch=$(mktemp -d)
complete=$(mktemp -d)
trap 'rm -rf "$scratch" "$complete"' EXIT
record=$scratch/record.h5
kills=40

# Long enough to be hit while computing and while writing.
ball=("$bin/bouncing_ball" --quiet --threads 1 --step 5e-4)
run() {
    "${ball[@]}" --restitution "$1" --output "$2"
}
# is RECORD COMPLETE: the same bytes
is() {
    cmp -s "$1" "$complete/$2.h5"
}

# The two complete records, and how long a run takes.
run 0.5 "$complete/old.h5"
started=$EPOCHREALTIME
run 0.7 "$complete/new.h5"
microseconds=$((${EPOCHREALTIME/./} - ${started/./}))
! is "$complete/old.h5" new || { echo "kill: the two records are the same" >&2; exit 1; }

# Delays are spread evenly over the run and a little beyond, each moved by a random part.
RANDOM=20140725
replaced=0
interrupted=0
for ((i = 0; i < kills; ++i)); do
    # Every other time there is an old record to lose.
    if ((i % 2)); then cp "$complete/old.h5" "$record"; else rm -f "$record"; fi
    delay=$((microseconds * (i * 1000 + RANDOM % 1000) / (kills * 900)))
    "${ball[@]}" --restitution 0.7 --output "$record" &
    pid=$!
    printf -v pause '%d.%06d' $((delay / 1000000)) $((delay % 1000000))
    sleep "$pause"
    kill -9 "$pid" 2>/dev/null || true
    if wait "$pid" 2>/dev/null; then :; else interrupted=$((interrupted + 1)); fi
    if [[ ! -e $record ]]; then
        ((i % 2 == 0)) || { echo "kill: after $delay us the old record is gone" >&2; exit 1; }
    elif is "$record" new; then
        replaced=$((replaced + 1))
    elif ((i % 2 == 0)) || ! is "$record" old; then
        echo "kill: after $delay us the record is neither the old nor the new one" >&2
        exit 1
    fi
done
echo "kill: $kills kills, $interrupted while running, $replaced after the record was complete"
((interrupted >= kills / 4)) || { echo "kill: too few runs were interrupted" >&2; exit 1; }

# One undisturbed run puts everything right.
run 0.7 "$record"
is "$record" new || { echo "kill: the next run failed" >&2; exit 1; }
[[ $(ls "$scratch") == record.h5 ]] || { echo "kill: left behind: $(ls "$scratch")" >&2; exit 1; }
