#!/bin/bash
# Every driver refuses bad input: exit 2 (a numerical failure: exit 1), exactly one line on stderr
# that begins with its name, and no file left behind.
# usage: tests/project/bad_input.sh [PROGRAM_FOLDER]
set -uo pipefail

bin=${1:-build/bin}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/out"
shopt -s nullglob dotglob
failures=0
cases=0

# expect STATUS WORD PROGRAM ARGUMENT...: WORD must occur in the sentence.
expect() {
    local expected=$1 word=$2 program=$3 status=0 said left
    shift 3
    cases=$((cases + 1))
    "$bin/$program" --quiet --output "$scratch/out/record.h5" "$@" \
        >"$scratch/stdout" 2>"$scratch/stderr" || status=$?
    mapfile said <"$scratch/stderr"
    left=("$scratch"/out/*)
    if ((status != expected)); then
        report "exit $status instead of $expected" "$program" "$@"
    elif ((${#said[@]} != 1)) || [[ ${said[0]} != *$'\n' ]]; then
        report "${#said[@]} lines on stderr" "$program" "$@"
    elif [[ ${said[0]} != "$program: "* || ${said[0],,} != *"${word,,}"* ]]; then
        report "sentence does not begin with the program or name \"$word\"" "$program" "$@"
    elif ((${#left[@]} > 0)); then
        report "left ${left[*]}" "$program" "$@"
        rm -rf "${left[@]}"
    fi
}
report() {
    failures=$((failures + 1))
    echo "bad_input: ${*:2}: $1" >&2
    sed 's/^/    /' "$scratch/stderr" >&2
}

# What every driver refuses.
drivers=(bouncing_ball bouncing_pendulum elastic_bar rocking_block)
declare -A mass=([bouncing_ball]=mass [bouncing_pendulum]=mass [elastic_bar]=density [rocking_block]=mass)
for driver in "${drivers[@]}"; do
    expect 2 no-such-option "$driver" --no-such-option 1
    expect 2 surplus "$driver" surplus
    expect 2 step "$driver" --step
    expect 2 step "$driver" --step abc
    expect 2 step "$driver" --step 1e-3x
    expect 2 step "$driver" --step ''
    expect 2 step "$driver" --step nan
    expect 2 step "$driver" --step inf
    expect 2 step "$driver" --step 1e999
    expect 2 step "$driver" --step 0
    expect 2 step "$driver" --step -1e-3
    expect 2 '--step = 2 s, accepted up to --duration = 1 s' "$driver" --step 2 --duration 1
    expect 2 'time steps' "$driver" --duration 1e8
    expect 2 duration "$driver" --duration -1
    expect 2 duration "$driver" --duration nan
    expect 2 "${mass[$driver]}" "$driver" "--${mass[$driver]}" -1
    expect 2 "${mass[$driver]}" "$driver" "--${mass[$driver]}=0"
    expect 2 "${mass[$driver]}" "$driver" "--${mass[$driver]}" nan
    expect 2 restitution "$driver" --restitution 1.01
    expect 2 restitution "$driver" --restitution -0.01
    expect 2 restitution "$driver" --restitution nan
    expect 2 spectral-radius "$driver" --spectral-radius 1.01
    expect 2 spectral-radius "$driver" --spectral-radius -0.01
    expect 2 theta "$driver" --theta 0.49
    expect 2 theta "$driver" --theta 1.01
    expect 2 tolerance "$driver" --tolerance 0
    expect 2 scheme "$driver" --scheme runge-kutta
    expect 2 predictor "$driver" --predictor next
    expect 2 newton "$driver" --newton nested
    expect 2 threads "$driver" --threads -1
    expect 2 threads "$driver" --threads 1.5
    expect 2 seed "$driver" --seed -1
    expect 2 "" "$driver" --output "$scratch/no/such/folder/record.h5"
    expect 2 "" "$driver" --output "$scratch"
    expect 2 'missing.txt: cannot be read: No such file' "$driver" --set "$scratch/missing.txt"
    printf 'step = 1e-3\nno_such_name = 1\n' >"$scratch/set.txt"
    expect 2 no_such_name "$driver" --set "$scratch/set.txt"
    printf 'step 1e-3\n' >"$scratch/set.txt"
    expect 2 set.txt "$driver" --set "$scratch/set.txt"
    printf 'step = -1\n' >"$scratch/set.txt"
    expect 2 step "$driver" --set "$scratch/set.txt"
done

# Counts that no memory holds.
expect 2 '2e+09 elements' elastic_bar --elements 2000000000
expect 2 'entries of the matrices' nonsmooth_modes --elements 2000000
expect 2 '2.15e+09 paths' impact_problem --law inclusion --paths 2147483647

# What each driver refuses of its own: sizes, and an initial penetration with its value.
expect 2 radius bouncing_ball --radius -0.2
expect 2 gravity bouncing_ball --gravity nan
expect 2 '-0.1 m, accepted >= 0' bouncing_ball --radius 0.2 --initial-height 0.1
expect 2 inertia bouncing_pendulum --inertia -1
expect 2 length bouncing_pendulum --length 0
expect 2 penetrat bouncing_pendulum --wall-position 2
expect 2 young-modulus elastic_bar --young-modulus -1
expect 2 length elastic_bar --length 0
expect 2 section elastic_bar --section -1
expect 2 elements elastic_bar --elements 0
expect 2 elements elastic_bar --elements -3
expect 2 elements elastic_bar --elements 2.5
expect 2 mass-matrix elastic_bar --mass-matrix diagonal
expect 2 -0.01 elastic_bar --initial-gap -0.01
expect 2 'exclude each other' bouncing_ball --record-every 2 --record-events
expect 2 '--dump-problems and --checkpoint exclude each other' bouncing_ball --dump-problems problems --checkpoint kept
expect 2 '--record-every must be positive' rocking_block --record-every 0
expect 2 'unknown option --record-events' contact_problem --record-events
expect 2 '--keep must be one of samples|statistics' block_impact --keep all
expect 2 'unknown option --keep' bouncing_ball --keep statistics
expect 2 width rocking_block --width 0
expect 2 height rocking_block --height -1
expect 2 penetrat rocking_block --initial-y 0
expect 2 no-such-option serial_oscillator --no-such-option 1
expect 2 mass-count serial_oscillator --mass-count 0
expect 2 mass-count serial_oscillator --mass-count 2.5
expect 2 gap serial_oscillator --gap nan
expect 2 '--gap = 0 m, accepted not 0' serial_oscillator --gap 0
expect 2 max-period serial_oscillator --max-period -8
expect 2 points serial_oscillator --points 3
expect 2 periods serial_oscillator --periods 0
expect 2 perturbation serial_oscillator --perturbation 0
expect 2 'single-periods entry 2' serial_oscillator --single-periods 3.76,-3.78,3.8,3.82
expect 2 'family-times entry 2' serial_oscillator --family-times 0.29,x
expect 2 'seven-times entry 3 is empty' serial_oscillator --seven-times 1.8,1.2,,1.2,1.8,1.4,1.4
expect 2 neutral-times-2 serial_oscillator --neutral-times-2 0.33

expect 2 width block_impact --width 0
expect 2 friction block_impact --friction -1
expect 2 step block_impact --impulse-step 0
expect 2 Sobol block_impact --sampling sobol --trajectory-length 65
expect 2 'accepted where squares' block_impact --mass 1e300
expect 2 selection block_impact --selection best
expect 2 samples block_impact --samples 0
expect 2 'leading pitch -70 deg, -78 expected' compass_gait --leading-pitch -70
expect 2 pitch compass_gait --trailing-pitch 95
expect 2 offset compass_gait --mass-offset 2
expect 2 leg-mass compass_gait --leg-mass 0
expect 2 tilt box_wall --tilt 50
expect 2 tilt box_wall --tilt 0
expect 2 mass box_wall --mass -1
expect 2 '--trailing-hip = 40 deg, accepted with' ramone --trailing-hip 40 --leading-hip -30
expect 2 thigh-mass ramone --thigh-mass nan
expect 2 levels disk_stack --levels 1
expect 2 levels disk_stack --levels 41
expect 2 variant disk_stack --variant other
expect 2 contacts disk_stack --levels 3 --selection random
expect 2 friction box_wall --friction 1e12
expect 2 '--initial-rate = 5 rad s-1, accepted below 1.17877 rad s-1' zeno_block --initial-rate 5
expect 2 '--initial-rate = 1 rad s-1, accepted below' zeno_block --gravity 1e-6
expect 2 'must be positive, got 0' zeno_block --reference-force 0
expect 2 'must be positive, got -1' falling_ball --reference-force -1
expect 2 'must be finite, got nan' falling_ball --reference-force nan
expect 2 '--step = 0.0005 s, accepted at least' zeno_block --reference-force 1e-12
expect 2 '--step = 0.001 s, accepted at least' falling_ball --reference-force 1e-12
expect 2 friction zeno_block --friction 0.1
expect 2 width zeno_block --width 3
expect 2 step zeno_block --step 1e-12
expect 2 angle falling_ball --rod-angle 90
expect 2 initial-height falling_ball --initial-height -1
expect 2 '--lowest = 2, accepted at most 1' vibrating_table --lowest 2 --highest 1
expect 2 '--acceleration = 0.5, accepted at least 1.0472' vibrating_table --acceleration 0.5
expect 2 '--highest must lie in (0, 1e8], got 1e150' vibrating_table --highest 1e150
expect 2 step falling_ball --step 1e-9
expect 2 '--radius = 1e+17 m, accepted for the height of the fall at most 4.0032e+09 m' falling_ball --radius 1e17
expect 2 stiffness compliant_block --stiffness 0
expect 2 tilt compliant_block --largest-angle 30
expect 2 exponent compliant_block --largest-exponent 400
expect 2 '--ratios must lie in [1, 100000]' compliant_block --ratios 100001
expect 2 lean differential_inclusion --lean 180
expect 2 decades differential_inclusion --decades 7
expect 2 facets differential_inclusion --largest-facets 129
expect 2 paths differential_inclusion --paths 0
expect 2 'spectrum[1] = -3.5' critical_region --constrained-spectrum=-2.4,-3.5,0.01
expect 2 'number of --constrained-spectrum is 1, one less' critical_region --spectrum=-3,-1,2 --constrained-spectrum=-2
expect 2 critical-eigenvalue critical_region --critical-eigenvalue -1
expect 2 'grid-columns must lie in [2, 8192]' critical_region --grid-columns 1
expect 2 draws critical_region --draws 0
expect 2 'number of --masses' biped_rocking --masses 1,1,1
expect 2 'number of --lengths' biped_rocking --lengths 1,1
expect 2 'lengths entry 2' biped_rocking --lengths 1,-1,1
expect 2 'mass[1] = 0' biped_rocking --masses 1,0,1,1
expect 2 'with --masses entry 4 = 0 kg, by default 1 kg: ' biped_rocking --samples 8 --masses 1,1,1,0
expect 2 amplitude biped_rocking --amplitude 0
expect 2 '--amplitude must lie in (0, 1.57] rad, got 1.6' biped_rocking --amplitude 1.6
expect 2 column biped_rocking --column 1
expect 2 samples biped_rocking --samples 3
expect 2 'accepted at most 400' biped_rocking --max-phase 1e4
expect 2 '--column = 1e+06, accepted at most 112' biped_rocking --column 1000000
expect 2 '--row = 2.14748e+09, accepted at most 219' biped_rocking --row 2147483647
expect 2 '--max-amplitude must lie in [1e-9, 1.57] rad, got 1e-150' biped_rocking --max-amplitude 1e-150
expect 2 '--amplitude of an exact gait = 1e-12, accepted at least 1e-09' biped_rocking --nonlinear --amplitude 1e-12
expect 2 'size of the motion = -1.66667e-150' biped_rocking --amplitude 1e-150
expect 1 'amplitude that the family' biped_rocking --nonlinear --amplitude 0.2

# Contact problems: a tolerance that everything meets, a pile too large, a folder for a file.
expect 2 '--tolerance must lie in (0, 1)' contact_problem --tolerance 1e300
expect 2 rows contact_problem --rows 501
expect 2 'cannot be read' contact_problem "$scratch"
expect 2 'unknown option --dump-problems' contact_problem --dump-problems "$scratch"
expect 2 'unknown option --dump-problems' trex --dump-problems "$scratch"
expect 2 'No such file or directory' bouncing_ball --dump-problems "$scratch/none/below"
expect 2 'unexpected argument "b.h5"' contact_problem a.h5 b.h5

# Impacts by reflections: chains of balls, breaks, the robot, all laws.
expect 2 'number of --masses' newtons_cradle --balls 4 --masses 1,1,1
expect 2 'masses entry 2' newtons_cradle --masses 1,0,1
expect 2 'masses entry 1' newtons_cradle --masses=-1,1,1
expect 2 'number of --velocities' newtons_cradle --velocities 1,0
expect 2 restitution newtons_cradle --restitution 1.01
expect 2 gap newtons_cradle --gap -0.01
expect 2 balls newtons_cradle --balls 1
expect 2 '--angle = 20 deg, accepted up to 180 deg, and from' billiards --angle 20
expect 2 angle billiards --angle 180.1
expect 2 radius-a billiards --radius-a 0
expect 2 restitution billiards --restitution -0.1
expect 2 '--posterior-radius = 7.5 cm' trex --posterior-radius 7.5
expect 2 body-density trex --body-density -1
expect 2 friction trex --friction -0.1
expect 2 step trex --step 0
expect 2 duration trex --duration 0.1
expect 2 restitution trex --restitution nan
expect 2 cases propagative_impact --cases 10
expect 2 contacts propagative_impact --contacts 2
expect 2 half-openings propagative_impact --half-openings 0
expect 2 scene impact_laws --scene nowhere
expect 2 samples impact_laws --samples 0
expect 2 stiffness-ratio impact_laws --stiffness-ratio nan

# What no double holds in full, what leaves the range of numbers on the way: the option, its value
# and its unit are named.
expect 2 '--mass must be at least 2.2250738585072014e-308 kg, got 5e-324' bouncing_pendulum --mass 5e-324
expect 2 'must be at least 2.2250738585072014e-308 m s-2, got 5e-324' falling_ball --gravity 5e-324
expect 2 'with --gravity = 1e-306 m s-2, by default 1 m s-2: ' falling_ball --gravity 1e-306
expect 2 '--duration must be finite, got 1.8e308' bouncing_pendulum --duration 1.8e308
expect 2 'time steps of all runs with --duration = 1.7e+308 s and --step = 0.001 s are too many' \
    bouncing_pendulum --duration 1.7e308
expect 2 'must be at least 2.2250738585072014e-308 N m-1, got 5e-324' compliant_block --stiffness 5e-324
expect 2 '--stiffness = 1e-306 N m-1, accepted where' compliant_block --stiffness 1e-306
expect 1 'stiffness[1] = 1e+155 N m-1, accepted at most ' compliant_block --stiffness 1e150
expect 2 'must be at least 2.2250738585072014e-308 N m-1, got 5e-324' \
    collisionless_models --juggler-spring-stiffness 5e-324
expect 2 'must be at least 2.2250738585072014e-308 rad, got 5e-324' \
    collisionless_models --pendulum-wheel-half-angle 5e-324
expect 2 'with --pendulum-wheel-half-angle = 1e-306 rad, by default 1 rad: ' \
    collisionless_models --pendulum-wheel-half-angle 1e-306
expect 2 'with --gravity = 1e-300 m s-2, by default 1 m s-2: hopper: ' collisionless_models --gravity 1e-300
expect 2 'constrained spectrum[0] = 0, accepted > 0' \
    collisionless_models --reaction-wheel-reaction-inertia 1e150
expect 2 '--problem even cannot be read: No such file or directory; accepted is a file with sections' \
    impact_problem --problem even

# What overflows on the way is a failure, not a record.
expect 1 'infinite' bouncing_ball --initial-velocity 1e155
expect 1 'infinite' bouncing_pendulum --scheme moreau-jean --duration 0.2 --inertia 1e308
# A file that never ends is given up.
expect 2 '/dev/zero: is too large for a matrix: more than 268435456 bytes' collisionless \
    --mass-file /dev/zero --stiffness-file /dev/zero

# What cannot be written is told before anything is computed; after it the exit is 1.
mkdir "$scratch/folder"
for source in experiments/*.c tools/simulate.c tools/sweep.c; do
    driver=$(basename "$source" .c)
    case $driver in
        simulate) input=(data/examples/dominoes.scene) ;;
        sweep) input=(--over restitution=0.5,0.6 --keep /parameters/mass -- "$bin/bouncing_ball") ;;
        *) input=() ;;
    esac
    expect 2 'nowhere/x.h5 cannot be written: No such file' "$driver" --output "$scratch/nowhere/x.h5" "${input[@]}"
    expect 2 'folder cannot be written: Is a directory' "$driver" --output "$scratch/folder" "${input[@]}"
    expect 2 'nowhere/kept cannot be written: No such file' "$driver" --checkpoint "$scratch/nowhere/kept" "${input[@]}"
    if [[ $("$bin/$driver" --help) == *--dump-problems* ]]; then
        expect 2 'nowhere/problems cannot be made: No such file' "$driver" \
            --dump-problems "$scratch/nowhere/problems" "${input[@]}"
    fi
done
for drawing in plot animate; do
    expect 2 'nowhere/x.svg cannot be written: No such file' simulate data/examples/dominoes.scene "--$drawing" "$scratch/nowhere/x.svg"
    expect 2 'folder cannot be written: Is a directory' simulate data/examples/dominoes.scene "--$drawing" "$scratch/folder"
done
left=("$scratch"/folder/*)
((${#left[@]} == 0)) || report "left ${left[*]}" 'what could not be written'

# A Newton iteration that finds no step names time, step and residual.
for word in ' t = ' ' h = ' residual; do
    expect 1 "$word" bouncing_pendulum --scheme nonsmooth-galpha --initial-rate 1e5
    expect 1 "$word" elastic_bar --scheme modified-lcp
done

# A step with friction that has no solution names its contact besides.
for word in ' t = ' 'contact[1]' residual; do
    expect 1 "$word" rocking_block --friction 0.8 --scheme velocity-galpha --initial-rate 1e7
done

echo "bad_input: $cases cases, $failures failures"
((failures == 0))
