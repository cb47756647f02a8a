#!/bin/bash
# The programs of fixed steps, of falls on springs and of the inclusion, with every option in other
# units of mass, length and time, read off their --help: the same motion to rounding, and the same
# truth of every published criterion. Weights far below any absolute tolerance fall; what no number holds ends with a sentence and without a
# record.
# usage: tests/project/similarity.sh [PROGRAM_FOLDER]
# takes long
set -uo pipefail

source "$(dirname "$0")/../support.sh"

# in_lines: each option with its brackets in one line, as --help breaks them where they are long.
in_lines() {
    awk '{ printf "%s%s", /^         / ? "" : newline, /^         / ? substr($0, match($0, /[^ ]/) - 1) : $0; newline = "\n" }
        END { print "" }'
}
# scaled MASS LENGTH TIME: every option that has a unit and a default, in these units.
scaled() {
    "$bin/$driver" --help | in_lines | awk -v mass="$1" -v length_="$2" -v time="$3" '
        /^  --[a-z-]+ NUMBER  \(unit / && / default [-0-9.e+]+\)/ {
            name = $1
            match($0, /unit [^;]*/); units = substr($0, RSTART + 5, RLENGTH - 5)
            match($0, /default [-0-9.e+]+/); value = substr($0, RSTART + 8, RLENGTH - 8)
            size["kg"] = mass; size["m"] = length_; size["s"] = time
            size["1"] = size["rad"] = size["deg"] = 1
            size["N"] = mass * length_ / time / time; size["Pa"] = size["N"] / length_ / length_
            factor = 1
            count = split(units, words, " ")
            for (i = 1; i <= count; i++) {
                power = 1; unit = words[i]
                if (match(unit, /-?[0-9]+$/) && unit != "1") {
                    power = substr(unit, RSTART); unit = substr(unit, 1, RSTART - 1)
                }
                factor *= size[unit] ^ power
            }
            printf "%s %.17g\n", name, value * factor
        }'
}
# criteria: published criteria that the record does not meet, by name; none speaks of metres or
# seconds but those that are said of one metre.
criteria() {
    mkdir -p "$scratch/results"
    cp "$scratch/record.h5" "$scratch/results/$driver.h5"
    build/bin/verify --experiment "$driver" --results "$scratch/results" --only fails --wide \
        | awk '/ (stated|derived) +- / && $1 != "ball-sync" { print $1 }
            { last = $0 } END { if (last !~ /agree/) print "no verdicts" }'
}
# positions SCHEME: one row a step.
positions() {
    value "/$1/position"
}
# alike LENGTH ANGLE_COLUMN SCHEME: as the rows kept, in their largest entry of a column.
alike() {
    [[ -s $scratch/$3 ]] && paste "$scratch/$3" <(positions "$3") | awk -v length_="$1" -v angle="$2" '
        { n = NF / 2; if (NF % 2) bad++
          for (i = 1; i <= n; i++) {
              d = $i - $(n + i) / (i == angle ? 1 : length_); if (d < 0) d = -d
              a = $i < 0 ? -$i : $i; group = i == angle
              if (a > size[group]) size[group] = a
              if (d > error[group]) error[group] = d } }
        END { exit bad || NR == 0 || error[0] > 1e-9 * size[0] || error[1] > 1e-9 * size[1] }'
}

# The smooth scheme meets no law of impacts, and gains energy until rounding decides.
schemes=(nonsmooth_galpha moreau_jean velocity_galpha)
changes=('1e-12 1 1' '1 1e6 1e-6' '1e6 1e-12 1e6')

# compare DRIVER ANGLE_COLUMN ARGUMENT...: the motion in every change of units.
compare() {
    driver=$1
    local angle=$2 change scheme
    shift 2
    run --quiet "$@"
    is "$(criteria)" "" "criteria that fail"
    for scheme in "${schemes[@]}"; do
        positions "$scheme" >"$scratch/$scheme" 2>/dev/null
    done
    for change in "${changes[@]}"; do
        read -r mass length time <<<"$change"
        mapfile -t arguments < <(scaled $change | tr ' ' '\n')
        run --quiet "${arguments[@]}" "$@"
        for scheme in "${schemes[@]}"; do
            alike "$length" "$angle" "$scheme" \
                || fail "$scheme in units of $change: another motion"
        done
        is "$(criteria)" "" "criteria that fail in units of $change"
    done
}
compare bouncing_ball 0
compare bouncing_pendulum 3
compare rocking_block 3
compare elastic_bar 0

# --- falls on springs -------------------------------------------------------------------------------

# Options without a default follow from the others.
driver=compliant_block
outcomes() {
    value /stiffness_sweep/normal_velocity
    value /angle_sweep/normal_velocity
}
run --quiet --ratios 7 --angles 7
outcomes >"$scratch/outcomes"
for change in "${changes[@]}"; do
    read -r mass length time <<<"$change"
    mapfile -t arguments < <(scaled $change | tr ' ' '\n')
    run --quiet "${arguments[@]}" --ratios 7 --angles 7
    paste "$scratch/outcomes" <(outcomes) | awk -v length_="$length" -v time="$time" '
        { for (i = 1; i <= 2; i++) {
              d = $i - $(2 + i) * time / length_; if (d < 0) d = -d
              if (d > error) error = d
              if ($i > size) size = $i } }
        END { exit NR != 14 || error > 1e-8 * size }' \
        || fail "in units of $change: other outcomes"
done

# --- the inclusion ----------------------------------------------------------------------------------

# follows DRIVER SERIES OPTION VALUE: the integrator's, angles in rad or lengths. Towards an
# accumulation each impact magnifies roundings: other units may do no more than what the tenth digit
# of an option has done so far, or that digit of the largest value.
follows() {
    driver=$1
    local change factor
    run --quiet
    is "$(criteria)" "" "criteria that fail"
    value "$2" >"$scratch/outcomes"
    run --quiet "$3" "$(awk -v value="$4" 'BEGIN { printf "%.17g", value * (1 + 1e-10) }')"
    value "$2" | paste "$scratch/outcomes" - >"$scratch/sensitive"
    for change in "${changes[@]}"; do
        read -r mass length time <<<"$change"
        [[ $2 == */angle ]] && factor=1 || factor=$length
        mapfile -t arguments < <(scaled $change | tr ' ' '\n')
        run --quiet "${arguments[@]}"
        paste "$scratch/sensitive" <(value "$2") | awk -v factor="$factor" '
            function distance(a, b) { return a < b ? b - a : a - b }
            { if (NF == 3) count++
              if (distance($1, $2) > moved) moved = distance($1, $2)
              if (distance($1, 0) > size) size = distance($1, 0)
              error[NR] = distance($1, $3 / factor); bound[NR] = moved }
            END {
                for (i = 1; i <= NR; i++) if (!(error[i] <= bound[i] + 1e-10 * size)) beyond++
                exit count < 1000 || count != NR || beyond > 0
            }' \
            || fail "in units of $change: another motion"
        is "$(criteria)" "" "criteria that fail in units of $change"
    done
}
follows zeno_block /inclusion/angle --initial-rate 1
follows falling_ball /inclusion/gap --initial-height 0.666666666666667

# --- weights below any absolute tolerance ---------------------------------------------------------

driver=rocking_block
run --quiet --mass 1e-9 --step 1e-3 --duration 0.19 --scheme nonsmooth-galpha
near '/nonsmooth_galpha/position[180,1]' 0.841078 1e-3 'height of a block of 1 ug'
near '/reference/position[9000,1]' 0.841078 2e-5 'the same of its reference'

# --- a box that brakes for long beside the time in which it falls over -------------------------------

driver=sliding_bodies
run --quiet --gravity 0.00981 --creep-steps 10 --points 2 --halvings 1
for scheme in moreau_jean moreau_jean_midpoint velocity_galpha nonsmooth_galpha variational; do
    near "/braking/$scheme/step[0]" 2.897990 1e-6 "step of $scheme, s"
    near "/braking/$scheme/speed_error[0]" 0 1e-9 "speed at rest of $scheme"
done

# --- steps and lengths at the end of the numbers --------------------------------------------------

driver=bouncing_pendulum
run --quiet --step 1e-5 --duration 0.45 --scheme moreau-jean
run --quiet --length 100 --wall-position 70.71 --inertia 1000 --duration 0.5
# refuses DRIVER ARGUMENT...
refuses() {
    driver=$1
    shift
    cases=$((cases + 1))
    rm -f "$scratch/record.h5"
    "$bin/$driver" --quiet --output "$scratch/record.h5" "$@" 2>"$scratch/stderr" \
        && fail "$* is accepted"
    [[ ! -e $scratch/record.h5 ]] || fail "$* leaves a record"
    is "$(grep -c "^$driver: .* is NaN or infinite" "$scratch/stderr")" 1 "sentence of $*"
}
refuses bouncing_pendulum --scheme moreau-jean --duration 0.2 --inertia 1e308
refuses bouncing_ball --initial-velocity 1e155
