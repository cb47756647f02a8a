#!/bin/bash
# The same inputs give the same bytes: run after run, and for any number of threads.
# usage: tests/project/determinism.sh [PROGRAM_FOLDER]
# takes long
set -euo pipefail

bin=${1:-build/bin}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

mkdir "$scratch/elsewhere"
failures=0
for driver in bouncing_ball bouncing_pendulum elastic_bar rocking_block serial_oscillator \
    nonsmooth_modes block_impact compass_gait box_wall ramone disk_stack zeno_block falling_ball \
    compliant_block differential_inclusion impact_problem collisionless collisionless_models \
    critical_region biped_rocking newtons_cradle propagative_impact billiards trex impact_laws; do
    case $driver in
        elastic_bar) options=(--duration 0.002) ;;
        serial_oscillator) options=(--max-period 3 --points 51 --periods 20) ;;
        nonsmooth_modes) options=(--elements 4 --max-period 5) ;;
        block_impact) options=(--samples 256) ;;
        compass_gait) options=(--samples 4000) ;;
        box_wall) options=(--samples 8000) ;;
        ramone) options=(--samples 200) ;;
        disk_stack) options=(--samples 100) ;;
        zeno_block) options=(--step 2e-3) ;;
        falling_ball | differential_inclusion | impact_problem) options=() ;;
        collisionless | collisionless_models) options=() ;;
        critical_region) options=(--draws 200 --searches 20 --motions 20) ;;
        biped_rocking) options=(--nonlinear --amplitude 0.02) ;;
        newtons_cradle) options=(--speeds 40) ;;
        propagative_impact) options=(--cases 2000 --cones 500 --directions 200 --map-points 21) ;;
        billiards) options=(--angles 101 --map-angles 31 --map-ratios 21) ;;
        trex) options=(--duration 0.25) ;;
        impact_laws) options=(--samples 64) ;;
        compliant_block) options=(--ratios 5 --angles 5) ;;
        *) options=(--duration 0.5) ;;
    esac
    # The folder and the time of day are no part of a record either.
    for run in 1 elsewhere/2 4; do
        "$bin/$driver" --quiet --threads "${run#*/}" "${options[@]}" --output "$scratch/$run.$driver"
        [[ $run == 1 ]] || cmp "$scratch/1.$driver" "$scratch/$run.$driver" || failures=$((failures + 1))
    done
done
((failures == 0))
