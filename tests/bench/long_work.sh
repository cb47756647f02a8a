#!/bin/bash
# Costs of long work: what threads and ranks gain beside processes that share nothing, what is not
# shared, a checkpoint, bytes of a sample, a recorded row, a point of a sweep. Processor time where one
# works at a time, the clock beside a control where two do.
# usage: tests/bench/long_work.sh TABLE    writes name,value,unit,what it is
#        CAROM_BENCH_ROUNDS=5: rounds; CAROM_BENCH_SAMPLES=65536: samples of a run, 4 and 8 times as
#        many of a long one
set -euo pipefail

table=$1
rounds=${CAROM_BENCH_ROUNDS:-5}
samples=${CAROM_BENCH_SAMPLES:-65536}
many=$((8 * samples))
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export OMP_WAIT_POLICY=passive OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_mpi_yield_when_idle=1
TIMEFORMAT='%R %U %S'

# times COMMAND...: its seconds by the clock and of the processor, of all its processes
times() {
    local clock user system
    { time "$@" >"$scratch/said" 2>&1 || { cat "$scratch/said" >&2; return 1; }; } 2>"$scratch/time"
    read -r clock user system <"$scratch/time"
    awk -v c="$clock" -v u="$user" -v s="$system" 'BEGIN { print c, u + s }'
}
clock() { times "$@" | cut -d ' ' -f 1; }
processor() { times "$@" | cut -d ' ' -f 2; }
# sample SAMPLES FILE ARGUMENT...: a block's, one part of the program, on one thread unless said
sample() {
    build/bin/block_impact --quiet --only set --threads 1 --samples "$1" --output "$scratch/$2.h5" "${@:3}"
}
# ranks SAMPLES [LAUNCHER...]: the same on two ranks
ranks() {
    "${@:2}" mpirun -n 2 build/mpi/bin/block_impact --quiet --only set --threads 1 --samples "$1" \
        --output "$scratch/ranks.h5"
}
# Two processes with half of the samples each: the control.
both() {
    sample $(($1 / 2)) first &
    sample $(($1 / 2)) second
    wait $!
}
# point COUNT: a sweep of a short run over so many values
point() {
    build/bin/sweep --quiet --threads 1 --output "$scratch/sweep.h5" \
        --over "restitution=0:1:$(awk -v n="$1" 'BEGIN { printf "%.17g", 1 / (n - 1) }')" \
        --keep 'end=/moreau_jean/gap[-1,0]' -- build/bin/bouncing_ball --scheme moreau-jean --duration 0.5
}
# row ARGUMENT...: a run of 500001 rows of one scheme
row() {
    build/bin/bouncing_ball --quiet --threads 1 --scheme moreau-jean --step 1e-5 --output "$scratch/row.h5" "$@"
}

# Each round in turn, so that what else the machine does meets all alike.
put() { echo "$2" >>"$scratch/of-$1"; }
for ((round = 0; round < rounds; round++)); do
    for count in "$samples" "$many"; do
        put "sample-$count" "$(processor sample "$count" one)"
        put "computed-$count" "$(processor sample "$count" none --keep statistics)"
        # On one core a rank that waits leaves it to the other.
        put "ranks-$count" "$(processor ranks "$count" taskset -c 0)"
    done
    put sample_bytes "$(($(stat -c %s "$scratch/one.h5") - $(stat -c %s "$scratch/none.h5")))"
    put checkpoint "$(processor sample "$many" kept --checkpoint "$scratch/kept")"
    start=$(clock ranks 1)
    put start "$start"
    for scaling in strong weak; do
        [[ $scaling == strong ]] && size=$((4 * samples)) || size=$many
        put "$scaling-control" "$(clock both "$size")"
        put "$scaling-threads" "$(clock sample "$size" two --threads 2)"
        put "$scaling-ranks" "$(awk -v t="$(clock ranks "$size")" -v s="$start" 'BEGIN { print t - s }')"
    done
    for count in 6 26; do
        put "point-$count" "$(processor point "$count")"
    done
    put rows_all "$(processor row)"
    put row_bytes "$(stat -c %s "$scratch/row.h5")"
    put rows_count "$(build/bin/carom_columns "$scratch/row.h5" 'rows(/moreau_jean/time) + rows(/reference/time)')"
    put rows_few "$(processor row --record-every 1000)"
    put few_bytes "$(stat -c %s "$scratch/row.h5")"
done

# The rows, from medians; an efficiency is a median of quotients of one round.
median() {
    sort -g "$scratch/of-$1" | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}
quotient() {
    paste "$scratch/of-$1" "$scratch/of-$2" | awk '{ print $1 / $2 }' >"$scratch/of-quotient"
    median quotient
}
# slope NAME FEW MANY: of its least values, by one more; what else the machine does only adds to these
least() { sort -g "$scratch/of-$1" | head -n 1; }
slope() {
    awk -v a="$(least "$1-$2")" -v b="$(least "$1-$3")" -v few="$2" -v many="$3" \
        'BEGIN { printf "%.4g\n", (b - a) / (many - few) }'
}
calculate() { awk "BEGIN { printf \"%.4g\", $1 }"; }
{
    echo name,value,unit,what
    one=$(slope sample "$samples" "$many")
    echo "sample,$(calculate "1e6 * $one"),us,a sample of a block on one core: computed and recorded"
    echo "sample_fixed,$(calculate "$(least "sample-$samples") - $samples * $one"),s,beside its samples"
    echo "sample_bytes,$(calculate "$(median sample_bytes) / $many"),B,a sample in the record"
    # Too little to be told from one round: what all rounds but one stay below.
    most=$(paste "$scratch/of-checkpoint" "$scratch/of-sample-$many" | awk '{ d = $1 - $2; print (d > 0 ? d : 0) }' \
        | sort -g | tail -n 2 | head -n 1)
    echo "checkpoint,$(calculate "1e9 * $most / $many"),ns,a sample into a checkpoint at most"
    for scaling in strong weak; do
        echo "${scaling}_threads,$(calculate "$(quotient "$scaling-control" "$scaling-threads")"),1,two threads beside two processes"
        echo "${scaling}_ranks,$(calculate "$(quotient "$scaling-control" "$scaling-ranks")"),1,two ranks beside two processes but for their start"
    done
    # What two ranks do on one core beyond what one does without a record.
    own=$(calculate "$(slope ranks "$samples" "$many") - $(slope computed "$samples" "$many")")
    echo "sample_own,$(calculate "1e6 * $own"),us,a sample beyond its map: taken over by each rank and recorded by one"
    echo "rank_start,$(calculate "$(median start)"),s,two ranks of one sample"
    echo "point,$(calculate "1e3 * $(slope point 6 26)"),ms,a point of a sweep on one core: a short run by a fork of its program"
    rows=$(median rows_count)
    echo "row,$(calculate "1e9 * ($(least rows_all) - $(least rows_few)) / $rows"),ns,a recorded row beside one that is computed only"
    echo "row_bytes,$(calculate "($(median row_bytes) - $(median few_bytes)) / $rows"),B,a recorded row"
} >"$table.tmp"
mv "$table.tmp" "$table"
column -t -s , "$table" | cut -c 1-110
