#!/bin/bash
# The sampling programs on systems a billion times as light, a million times as heavy, faster and
# slower: the same statistics, and what did not finish is said.
# usage: tests/project/sampling_units.sh [PROGRAM_FOLDER]
set -uo pipefail

source "$(dirname "$0")/../support.sh"
few=(--samples 256 --quiet)
# scaled FACTOR OPTION VALUE...: the options times the factor
scaled() {
    local factor=$1
    shift
    while (($#)); do
        printf -- '--%s=%s\n' "$1" "$(awk "BEGIN { printf \"%.17g\", $2 * $factor }")"
        shift 2
    done
}
# statistics JOULE: counts and shares, digit by digit, and the energies in that unit
statistics() {
    local group
    # Problems that are sampled beside that of the options.
    [[ $driver != disk_stack ]] || for group in /other_variant/set /combinations/heavy_orthogonal; do
        value "$group/fraction_finished"
        value "$group/mean_kinetic_energy" | awk "{ printf \"%.9f\n\", \$1 / ($1) }"
    done
    value /set/fraction_finished
    value /set/mean_increments
    value /set/energy_rise_count
    value /simultaneous/count
    value /set/mean_kinetic_energy | awk "{ printf \"%.9f\n\", \$1 / ($1) }"
}
# same PROGRAM MASSES SPEEDS: pairs of an option and its value
same() {
    local expected factor
    local -a masses speeds arguments
    driver=$1
    read -ra masses <<<"$2"
    read -ra speeds <<<"$3"
    run "${few[@]}"
    expected=$(statistics 1)
    for factor in '1e-9 1' '1e6 1e-6' '1e-3 1e3'; do
        mapfile -t arguments < <(scaled "${factor% *}" "${masses[@]}" && scaled "${factor#* }" "${speeds[@]}")
        run "${few[@]}" "${arguments[@]}"
        is "$(statistics "${factor% *} * ${factor#* } ^ 2")" "$expected" "${arguments[*]}"
    done
    # Nothing finished is no record.
    cases=$((cases + 1))
    rm -f "$scratch/record.h5"
    "$bin/$driver" "${few[@]}" --impulse-step 1e-6 --output "$scratch/record.h5" 2>"$scratch/stderr"
    is $? 1 'exit of a sampling that does not finish'
    [[ -e $scratch/record.h5 ]] && fail 'a record without a finished sample'
    grep -q 'none of 256 samples finished' "$scratch/stderr" || fail "$(<"$scratch/stderr")"
}

same block_impact 'mass 1' 'initial-velocity 0.4429446918'
same box_wall 'mass 1' 'initial-velocity 1'
same disk_stack 'mass 1' 'initial-velocity -1'
links='trunk-mass 7.9026 trunk-inertia 0.08 thigh-mass 0.7887 thigh-inertia 0.00221'
same ramone "$links shank-mass 0.51 shank-inertia 0.00652" 'trunk-rate 1'
same compass_gait 'leg-mass 1' 'trailing-rate 0.25 leading-rate 0.25'
run "${few[@]}"
grep -Eq '^compass_gait: [0-9]+ of 256 samples did not finish$' "$scratch/stderr" \
    || fail 'it is not said what did not finish'
