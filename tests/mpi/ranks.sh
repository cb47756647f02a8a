#!/bin/bash
# Programs of `make MPI=1`: the bytes of a record do not depend on ranks, threads, or how often the
# run was killed and went on from its checkpoint; a rank that dies ends the run and leaves the
# checkpoint; a program built without MPI refuses several ranks.
# usage: tests/mpi/ranks.sh [PROGRAM_FOLDER [FOLDER_WITHOUT_MPI]]
set -euo pipefail

bin=${1:-build/mpi/bin}
plain=${2:-build/bin}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# Containers are root, and have fewer cores than there are ranks here.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_WAIT_POLICY=passive
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none

checks=0
fail() {
    echo "ranks: $*" >&2
    exit 1
}
# on RANKS PROGRAM ARGUMENT...: runs it on so many
on() {
    mpirun -n "$1" "$bin/$2" --quiet "${@:3}"
}
same() {
    cmp -s "$1" "$2" || fail "$3: other bytes"
    checks=$((checks + 1))
}
options_of() {
    case $1 in
        block_impact) echo --samples 512 ;;
        compass_gait) echo --samples 1000 ;;
        box_wall) echo --samples 2000 ;;
        ramone) echo --samples 200 ;;
        disk_stack) echo --samples 100 ;;
        impact_problem) echo --samples 500 --law sampling ;;
        nonsmooth_modes) echo --elements 4 --max-period 5 --impacts 2 --search 200 ;;
        critical_region) echo --draws 200 --searches 20 --motions 20 ;;
        billiards) echo --angles 51 --map-angles 31 --map-ratios 21 ;;
        newtons_cradle) echo --speeds 40 --stepped-speeds 10 ;;
        impact_laws) echo --samples 64 ;;
        trex) echo --duration 0.2 ;;
        bouncing_ball) echo --duration 1 ;;
    esac
}

# --- the same bytes -----------------------------------------------------------------------------
# Every program once on several ranks; one on all of 1 to 4 ranks with 1 and 2 threads.
for program in block_impact compass_gait ramone disk_stack impact_problem nonsmooth_modes \
    critical_region billiards newtons_cradle impact_laws trex bouncing_ball; do
    read -ra options < <(options_of "$program")
    "$plain/$program" --quiet "${options[@]}" --output "$scratch/plain.h5"
    on 3 "$program" --threads 1 "${options[@]}" --output "$scratch/ranks.h5"
    same "$scratch/plain.h5" "$scratch/ranks.h5" "$program on 3 ranks"
done
# Runs of several blocks, which each rank computes for itself.
long=(--scheme moreau-jean --step 1e-5 --record-every 100)
"$plain/bouncing_ball" --quiet "${long[@]}" --output "$scratch/plain.h5"
on 2 bouncing_ball --threads 1 "${long[@]}" --output "$scratch/ranks.h5"
same "$scratch/plain.h5" "$scratch/ranks.h5" 'long runs on 2 ranks'
read -ra options < <(options_of box_wall)
"$plain/box_wall" --quiet "${options[@]}" --output "$scratch/plain.h5"
for ranks in 1 2 3 4; do
    for threads in 1 2; do
        on "$ranks" box_wall --threads "$threads" "${options[@]}" --output "$scratch/ranks.h5"
        same "$scratch/plain.h5" "$scratch/ranks.h5" "box_wall on $ranks x $threads"
        rm "$scratch/ranks.h5"
    done
done

# Points of a sweep are programs of their own, which are no ranks; some fail.
# shellcheck disable=SC2016
points=(--over restitution=0.2:0.8:0.2 --over scheme=moreau-jean,none --keep 'error=mean(abs(/moreau_jean/gap[:,0] - /reference/gap[:,0]))'
    -- "$plain/bouncing_ball" --duration 0.6)
"$plain/sweep" --quiet --output "$scratch/plain.h5" "${points[@]}"
on 3 sweep --output "$scratch/ranks.h5" "${points[@]}"
same "$scratch/plain.h5" "$scratch/ranks.h5" 'a sweep on 3 ranks'

# --- ranks that are killed ----------------------------------------------------------------------
# Twenty times at any moment of a run, which then goes on with another number of ranks.
run=(block_impact --threads 1 --samples 3072)
"$plain/block_impact" --quiet --samples 3072 --output "$scratch/plain.h5"
started=$EPOCHREALTIME
on 2 "${run[@]}" --output "$scratch/ranks.h5"
milliseconds=$(((${EPOCHREALTIME/./} - ${started/./}) / 1000))
same "$scratch/plain.h5" "$scratch/ranks.h5" 'before the kills'
RANDOM=20231018
kills=0
resumed=0
for ((i = 0; i < 20; i++)); do
    [[ ! -s $scratch/kept ]] || resumed=$((resumed + 1))
    mpirun -n $((2 + i % 3)) "$bin/${run[0]}" --quiet "${run[@]:1}" --checkpoint "$scratch/kept" \
        --output "$scratch/ranks.h5" 2>"$scratch/said" &
    mpirun=$!
    delay=$((milliseconds * (300 + RANDOM % 700) / 1000))
    printf -v delay '%d.%03d' $((delay / 1000)) $((delay % 1000))
    sleep "$delay"
    # One rank, which is a process of mpirun.
    mapfile -t ranks < <(pgrep -P "$mpirun")
    if ((${#ranks[@]} > 0)); then
        kill -9 "${ranks[RANDOM % ${#ranks[@]}]}" 2>/dev/null || true
    fi
    if wait "$mpirun" 2>/dev/null; then
        same "$scratch/plain.h5" "$scratch/ranks.h5" "ended after $kills kills"
        compgen -G "$scratch/kept*" >/dev/null && fail 'the checkpoint of what is done is still there'
    else
        kills=$((kills + 1))
        grep -q 'exited on signal 9' "$scratch/said" ||
            fail "a dead rank is not told: $(<"$scratch/said")"
    fi
done
((kills >= 2 && resumed >= 1)) || fail "$kills kills, $resumed runs that went on: too few"
on 2 "${run[@]}" --checkpoint "$scratch/kept" --output "$scratch/ranks.h5"
same "$scratch/plain.h5" "$scratch/ranks.h5" "after $kills kills"

# --- refusals -----------------------------------------------------------------------------------
# refused PATTERN COMMAND...: on two ranks, exit 2, with one sentence of one rank
refused() {
    local status=0
    "${@:2}" >"$scratch/out" 2>&1 || status=$?
    ((status == 2)) || fail "exit $status of ${*:2}"
    [[ $(grep -cE "$1" "$scratch/out") == 1 ]] || fail "not said once: $1: $(<"$scratch/out")"
    [[ $(grep -cE '^(rank [0-9]+: )?[a-z_]+: ' "$scratch/out") == 1 ]] || fail "more is said: $(<"$scratch/out")"
    checks=$((checks + 1))
}
refused 'started as 2 ranks, but built for one: make MPI=1' mpirun -n 2 "$plain/block_impact"
refused 'must lie in|must be positive' on 2 block_impact --samples -1
refused 'unknown option' on 3 block_impact --sample 1
refused '^impact_problem: --problem /nowhere cannot be read' on 3 impact_problem --problem /nowhere
refused '^contact_problem: /nowhere cannot be read' on 3 contact_problem --problem /nowhere
refused '^sweep: --points /nowhere cannot be read' on 3 sweep --points /nowhere --keep /x -- "$plain/bouncing_ball"
refused '^nonsmooth_modes: --mass-file /nowhere: cannot be read' on 3 nonsmooth_modes --mass-file /nowhere
refused '^block_impact: --set /nowhere: cannot be read' on 3 block_impact --set /nowhere
refused '^block_impact: /nowhere/kept cannot be written' on 3 block_impact --checkpoint /nowhere/kept
# One rank alone says what it alone has met, and all end.
refused '^rank 1: impact_problem: --problem /nowhere cannot be read' mpirun \
    -n 1 "$bin/impact_problem" --quiet : -n 2 "$bin/impact_problem" --quiet --problem /nowhere
echo 'no problem' >"$scratch/bad"
refused "^rank 1: impact_problem: $scratch/bad: a text is malformed" mpirun \
    -n 1 "$bin/impact_problem" --quiet : -n 2 "$bin/impact_problem" --quiet --problem "$scratch/bad"
refused '^block_impact: refused on another rank' mpirun \
    -n 1 "$bin/block_impact" --quiet : -n 1 "$bin/block_impact" --quiet --samples -1
refused 'cannot be written' on 2 block_impact --output /nowhere/at/all.h5
status=0
timeout -s KILL 1 "$bin/block_impact" --quiet --samples 262144 --output "$scratch/killed.h5" \
    --checkpoint "$scratch/kept" || status=$?
((status == 137)) || fail "not killed: $status"
if [[ -s $scratch/kept ]]; then
    refused '"--samples 262144", this one "--samples 512"' \
        on 2 block_impact --samples 512 --checkpoint "$scratch/kept"
fi

echo "ranks: $checks checks, $kills kills, $resumed runs went on"
