#!/bin/bash
# Runs of many steps reach the disk block by block, sampled sets part by part: the memory that they
# take is bounded, however many steps or samples there are, and what is recorded does not depend on
# it.
# usage: tests/project/memory.sh [PROGRAM_FOLDER]
set -euo pipefail

bin=${1:-build/bin}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# 48 MB of rows, the program and its libraries: 100 MB for any number of steps.
most_kB=100000
# bounded WHAT COMMAND...: the command's largest resident memory is at most that
bounded() {
    local what=$1 peak
    shift
    /usr/bin/time -o "$scratch/peak" -f %M "$@"
    peak=$(tail -n 1 "$scratch/peak")
    echo "memory: $what: $peak kB"
    ((peak <= most_kB)) || { echo "memory: $what takes $peak kB, more than $most_kB kB" >&2; exit 1; }
}

# A record of 218 MB, of ten runs of 250001 rows.
bounded "all steps of ten runs" "$bin/bouncing_ball" --quiet --threads 2 --step 2e-5 --output "$scratch/all.h5"
(($(stat -c %s "$scratch/all.h5") > 2 * most_kB * 1000)) || { echo "memory: the record is too small to tell" >&2; exit 1; }

# Each thousandth step of these, and the events.
bounded "each 1000-th step" "$bin/bouncing_ball" --quiet --threads 2 --step 2e-5 --record-every 1000 --output "$scratch/some.h5"
bounded "the events" "$bin/bouncing_ball" --quiet --threads 2 --step 2e-5 --record-events --output "$scratch/events.h5"
for record in some events; do
    (($(stat -c %s "$scratch/$record.h5") < 3000000)) || { echo "memory: $record.h5 is not small" >&2; exit 1; }
done

# They are rows of the whole run.
# same PATH_IN_SOME PATH_IN_ALL: the same number, to the last digit
same() {
    local some all
    some=$("$bin/carom_columns" "$scratch/some.h5" "$1")
    all=$("$bin/carom_columns" "$scratch/all.h5" "$2")
    [[ -n $some && $some == "$all" ]] || { echo "memory: $1 is $some, not $all" >&2; exit 1; }
}
same '/moreau_jean/gap[3,0]' '/moreau_jean/gap[3000,0]'
same '/moreau_jean/gap[-1,0]' '/moreau_jean/gap[-1,0]'
same '/reference/energy[200]' '/reference/energy[200000]'

# kept STATISTICS SAMPLES EXPRESSION...: both records have the same numbers
kept() {
    local statistics=$1 samples=$2 expression kept computed
    shift 2
    for expression in "$@"; do
        kept=$("$bin/carom_columns" "$samples" "$expression")
        computed=$("$bin/carom_columns" "$statistics" "$expression")
        [[ -n $kept && $kept == "$computed" ]] || { echo "memory: $expression is $computed, not $kept" >&2; exit 1; }
    done
    (($(stat -c %s "$statistics") < 1000000)) || { echo "memory: samples were kept" >&2; exit 1; }
}

# What parts of a set have freed, the next ones take: no page is asked for more than twice.
/usr/bin/time -o "$scratch/faults" -f '%R %M' "$bin/compass_gait" --quiet --threads 2 --samples 1000000 \
    --output "$scratch/gait.h5" 2>/dev/null
read -r faults peak < <(tail -n 1 "$scratch/faults")
echo "memory: parts: $faults pages of $(getconf PAGESIZE) bytes, $peak kB"
((faults * $(getconf PAGESIZE) <= 2 * peak * 1024)) || { echo "memory: freed memory is asked for again" >&2; exit 1; }

# A set of 300000 samples, 25 MB of record, and without them.
bounded "samples" "$bin/block_impact" --quiet --only set --threads 2 --samples 300000 --output "$scratch/set.h5" 2>/dev/null
bounded "statistics of samples" "$bin/block_impact" --quiet --only set --threads 2 --samples 300000 --keep statistics \
    --output "$scratch/statistics.h5" 2>/dev/null
kept "$scratch/statistics.h5" "$scratch/set.h5" /set/mean_kinetic_energy \
    /set/mean_increments_standard_error /set/modes/SL /coverage/radius /measures/coverage

# Of any problem, and what another driver looks for in the samples: 140 MB and more if all were kept.
bounded "samples of a rod" "$bin/impact_problem" --quiet --law sampling --threads 2 --samples 1000000 --output "$scratch/rod.h5"
bounded "statistics of these" "$bin/impact_problem" --quiet --law sampling --threads 2 --samples 1000000 --keep statistics \
    --output "$scratch/rod_statistics.h5"
kept "$scratch/rod_statistics.h5" "$scratch/rod.h5" /set/mean_kinetic_energy /set/modes/L /coverage/radius
bounded "samples of a box" "$bin/box_wall" --quiet --threads 2 --samples 700000 --output "$scratch/box.h5" 2>/dev/null
bounded "statistics of these" "$bin/box_wall" --quiet --threads 2 --samples 700000 --keep statistics \
    --output "$scratch/box_statistics.h5" 2>/dev/null
kept "$scratch/box_statistics.h5" "$scratch/box.h5" /set/mean_kinetic_energy /set/modes/SL \
    /measures/combinations_distance
