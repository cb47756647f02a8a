#!/bin/bash
# A program with --checkpoint that is killed at any moment goes on from what it kept, with any number
# of threads, and ends with the same bytes; another command is refused; a full disk spoils nothing.
# usage: tests/project/checkpoint.sh [PROGRAM_FOLDER]
# takes long
set -euo pipefail

bin=${1:-build/bin}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
kept=$scratch/kept
kills=20

fail() {
    echo "checkpoint: $*" >&2
    exit 1
}

# --- twenty kills -------------------------------------------------------------------------------
# Of programs with several maps: samples with pictures of their paths, a search, rows of a map.
killed=0
resumed=0
kill_often() {
    local name=$1 started microseconds pid delay threads
    shift
    "$bin/$name" --quiet "$@" --output "$scratch/whole.h5"
    started=$EPOCHREALTIME
    "$bin/$name" --quiet "$@" --checkpoint "$kept" --output "$scratch/record.h5"
    microseconds=$((${EPOCHREALTIME/./} - ${started/./}))
    cmp -s "$scratch/whole.h5" "$scratch/record.h5" || fail "$name: a checkpoint changes the record"
    rm "$scratch/record.h5"
    for ((i = 0; i < kills; i++)); do
        [[ ! -s $kept ]] || resumed=$((resumed + 1))
        # Mostly one thread: another script runs beside this one.
        threads=$((i % 3 == 0 ? 1 + i / 3 % 3 : 1))
        "$bin/$name" --quiet "$@" --threads "$threads" --checkpoint "$kept" \
            --output "$scratch/record.h5" &
        pid=$!
        delay=$((microseconds * (200 + RANDOM % 700) / 1000))
        printf -v delay '%d.%06d' $((delay / 1000000)) $((delay % 1000000))
        sleep "$delay"
        kill -9 "$pid" 2>/dev/null || true
        if wait "$pid" 2>/dev/null; then
            cmp -s "$scratch/whole.h5" "$scratch/record.h5" || fail "$name: other bytes"
            [[ ! -e $kept ]] || fail "$name: the checkpoint of what is done is still there"
        else
            killed=$((killed + 1))
        fi
    done
    "$bin/$name" --quiet "$@" --checkpoint "$kept" --output "$scratch/record.h5"
    cmp -s "$scratch/whole.h5" "$scratch/record.h5" || fail "$name: other bytes at the end"
    rm "$scratch/record.h5"
}
RANDOM=20260714
kill_often block_impact --samples 4096
kills=5
kill_often nonsmooth_modes --elements 4 --max-period 5 --impacts 3 --search 3000
kills=3
kill_often newtons_cradle --speeds 200
# Of runs in steps: all schemes, more steps than stay in memory, friction and sums over all rows, rows of
# events, runs that stay in memory, contacts that come and go.
kill_often bouncing_ball --step 5e-4
kills=2
kill_often bouncing_ball --scheme moreau-jean --duration 1.1 --step 4e-6 --record-every 1000
kill_often rocking_block --duration 0.5
kill_often elastic_bar --elements 59 --record-events
kill_often bouncing_pendulum --duration 1
kill_often simulate data/examples/dominoes.scene --duration 0.3
((killed >= 10 && resumed >= 6)) || fail "$killed kills, $resumed runs that went on: too few"

# --- what is kept, and refusals -----------------------------------------------------------------
command=(block_impact --quiet --samples 8192 --threads 1 --checkpoint "$kept")
until [[ -s $kept && $(stat -c %s "$kept") -gt 100000 ]]; do
    "$bin/${command[0]}" "${command[@]:1}" --output "$scratch/record.h5" 2>"$scratch/said" &
    pid=$!
    for ((i = 0; i < 400; i++)); do
        [[ ! -s $kept || $(stat -c %s "$kept") -le 100000 ]] || break
        sleep 0.02
    done
    kill -TERM "$pid" 2>/dev/null || fail 'the run ended before it kept anything'
    wait "$pid" 2>/dev/null || true
done
grep -qx "block_impact: ended; the same command goes on from $kept" "$scratch/said" ||
    fail "an interrupted run does not say where its work is: $(<"$scratch/said")"
[[ ! -e $scratch/record.h5 ]] || fail 'an interrupted run left a record'
cp "$kept" "$scratch/copy"

# refused PATTERN ARGUMENT...: exit 2 with one line
refused() {
    local status=0
    "$bin/block_impact" --quiet "${@:2}" --checkpoint "$kept" --output "$scratch/record.h5" \
        2>"$scratch/said" || status=$?
    ((status == 2)) || fail "exit $status, expected a refusal: $1"
    grep -qE "^block_impact: .*$1" "$scratch/said" || fail "not said: $1: $(<"$scratch/said")"
    [[ $(wc -l <"$scratch/said") == 1 ]] || fail "more than a sentence: $(<"$scratch/said")"
    cmp -s "$kept" "$scratch/copy" || fail 'a refusal changed the checkpoint'
}
refused 'is of another run: it has "--samples 8192", this one "--samples 8191"' --samples 8191
refused '"--seed 1", this one "--seed 2"' --samples 8192 --seed 2
refused '"--friction 1", this one "--friction 1.0000000000000002"' --samples 8192 \
    --friction 1.0000000000000002

# What would be removed with the record.
unwilling() {
    local status=0
    "${@:2}" >/dev/null 2>"$scratch/said" || status=$?
    ((status == 2)) && grep -qF -- "$1" "$scratch/said" || fail "exit $status, not said: $1: $(<"$scratch/said")"
}
unwilling '--checkpoint 2.h5 would be removed with the record, --output ./2.h5: another name is needed' \
    "$bin/block_impact" --checkpoint 2.h5 --output ./2.h5

# A scene is a file that may change.
"$bin/simulate" data/examples/pile.scene --quiet --checkpoint "$scratch/scene" \
    --output "$scratch/none.h5" &
pid=$!
until [[ -s $scratch/scene ]]; do sleep 0.02; done
kill -9 "$pid"
wait "$pid" 2>/dev/null || true
rm -f "$scratch"/none*
unwilling "$scratch/scene is of another run: it has \"--scene data/examples/pile.scene with the bytes " \
    "$bin/simulate" data/examples/dominoes.scene --checkpoint "$scratch/scene" --output "$scratch/none.h5"
rm "$scratch/scene"
[[ -z $(compgen -G "$scratch/none*") ]] || fail 'a refusal leaves a record'

# A full disk: what was kept serves, and the run goes on.
"$bin/block_impact" --quiet --samples 8192 --output "$scratch/whole.h5"
status=0
(ulimit -f 300 && "$bin/${command[0]}" "${command[@]:1}" --output "$scratch/record.h5") \
    2>"$scratch/said" || status=$?
((status == 1)) || fail "exit $status on a full disk: $(<"$scratch/said")"
grep -q 'the checkpoint cannot be written: File too large' "$scratch/said" ||
    fail "a full disk is not told: $(<"$scratch/said")"
[[ $(stat -c %s "$kept") -ge $(stat -c %s "$scratch/copy") ]] || fail 'a full disk cost what was kept'
"$bin/${command[0]}" "${command[@]:1}" --output "$scratch/record.h5"
cmp -s "$scratch/whole.h5" "$scratch/record.h5" || fail 'other bytes after a full disk'
[[ ! -e $kept ]] || fail 'the checkpoint of what is done is still there'
[[ $(ls "$scratch") == $'copy\nrecord.h5\nsaid\nwhole.h5' ]] || fail "left behind: $(ls -A "$scratch")"
echo "checkpoint: $killed kills, $resumed runs went on"
