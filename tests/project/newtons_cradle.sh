#!/bin/bash
# Newton's cradle on chains of one's own: outcomes against sorted velocities and energy balances
# computed here, the same outcome by all schemes and orders, and every refusal.
# usage: tests/project/newtons_cradle.sh [PROGRAM_FOLDER]
set -uo pipefail

source "$(dirname "$0")/../support.sh"
# quick ARGUMENT...: without the bands of figure 2b.
quick() {
    run --speeds 0 "$@"
}
# agree PATH EXPECTED WHAT: numbers of the record, with * for their index, to 1e-11 of one.
agree() {
    local k numbers
    read -ra numbers <<<"$2"
    for ((k = 0; k < ${#numbers[@]}; k++)); do
        near "${1/\*/$k}" "${numbers[k]}" 1e-11 "$3"
    done
    reads "rows(${1/\*/:})" "${#numbers[@]}" "$3"
}
# ends SCHEME EXPECTED WHAT: velocities of the last row.
ends() {
    agree "/cradle/$1/velocity[-1,*]" "${@:2}"
}

# --- equal balls: velocities are sorted -----------------------------------------------------------

quick
agree '/outcome_00/velocity[*]' '0 0 1' 'three balls'
agree '/outcome_00/sequence[*]' '0 1' 'sequence of a struck pair'
ends propagative '0 0 1' 'exact flights'
ends variational '0 0 1' 'time stepping'
reads /is_unique 1 'one outcome'

quick --velocities 3,1,-2
agree '/outcome_00/velocity[*]' '-2 1 3' 'reversed velocities'
agree '/outcome_00/momentum[*]' '-2 1 3' 'reversed momenta'
reads /count 1 'outcomes of both orders'
reads /sequence_count 2 'sequences of both orders'
reads /outcome_00/length 3 'length of both orders'
for order in most least index first-left first-right random; do
    quick --velocities 3,1,-2 --order "$order" --seed 3
    agree '/outcome_00/velocity[*]' '-2 1 3' "order $order"
    ends propagative '-2 1 3' "exact flights in order $order"
    ends variational '-2 1 3' "time stepping in order $order"
done
quick --velocities 3,1,-2 --order first-left
agree '/outcome_00/sequence[*]' '0 1 0' 'first the left contact'
quick --velocities 3,1,-2 --order first-right
agree '/outcome_00/sequence[*]' '1 0 1' 'first the right contact'

# Any number of balls; with a step that holds all impacts.
quick --balls 6 --velocities 2,0.5,1,-1,0,-3 --gap 0 --duration 3 --step 1
ends propagative '-3 -1 0 0.5 1 2' 'six balls in exact flights'
ends variational '-3 -1 0 0.5 1 2' 'six balls in steps of a second'
quick --balls 2 --masses 1,3
agree '/outcome_00/velocity[*]' '-0.5 0.5' 'two balls'
quick --balls 100 --duration 0.1
near '/outcome_00/velocity[99]' 1 1e-11 'a hundred balls'
near '/cradle/variational/velocity[-1,99]' 1 1e-11 'a hundred balls in time stepping'
reads /outcome_00/length 99 'reflections of a hundred balls'

# --- unequal balls: several outcomes, all with the energy and momentum before -------------------------

quick --masses 1,2,3 --velocities 3,1,-2
reads '/count > 1' 1 'outcomes of unequal masses'
count=$(value /count)
for ((k = 0; k < count; k++)); do
    printf -v outcome '/outcome_%02d' "$k"
    near "velocity[0] + 2 * velocity[1] + 3 * velocity[2] in $outcome" -1 1e-11 "momentum of outcome $k"
    near "velocity[0]^2 + 2 * velocity[1]^2 + 3 * velocity[2]^2 in $outcome" 23 1e-10 "energy of outcome $k"
    reads "min(diff(velocity)) >= -1e-12 in $outcome" 1 "balls of outcome $k pass each other"
done

# More outcomes than HDF5 would list: the first are written, and it is said.
run --balls 6 --masses 0.31,1.93,0.62,1.12,0.41,1.37 --velocities 3,2,1,0,-1,-2
reads /count 2064 'outcomes of six balls'
is "$(h5ls "$scratch/record.h5" | grep -c '^outcome_')" 1024 'outcomes that are written'
grep -qx 'newtons_cradle: the first 1024 of 2064 outcomes are written' "$scratch/stdout" \
    || fail 'it is not said how many outcomes are written'

# --- restitution: (1 - R^2) of what a plastic impact loses -----------------------------------------------

quick --restitution 0.7
agree '/outcome_00/velocity[*]' '0.1 0.1 0.8' 'velocities for R = 0.7'
ends variational '0.1 0.1 0.8' 'time stepping for R = 0.7'
near '/cradle/propagative/energy[-1]' 0.33 1e-11 'energy for R = 0.7'
thirds='0.33333333333333333 0.33333333333333333 0.33333333333333333'
quick --restitution 0
ends propagative "$thirds" 'plastic'
ends variational "$thirds" 'plastic steps'

# --- the baseline: (1 - 2 s)/3, (1 + s)/3, found 0.8 of a step late -----------------------------------------

quick --solver exact --scheme baseline
ends baseline '-0.44 0.72 0.72' \
    'baseline'
absent /cradle/propagative/time
quick --solver exact --error-reduction 0
ends baseline '-0.33333333333333333 0.66666666666666667 0.66666666666666667' 'no error reduction'
quick --solver exact --speculative --restitution 0
ends baseline "$thirds" 'speculative'

# Bands: limits.
run --speeds 60 --stepped-speeds 3
for k in 0 1 2; do
    reads "min(baseline) >= propagative - 1e-5 & max(baseline) <= 2 / 3 * ((restitution + 0.2)^2 - 1) + 1e-5 in /scatter/coefficient_0$k" \
        1 "limits of band $k"
done
# follows THRESHOLD: the baseline changes the energy by E_p ((e + erp f)^2 - 1) for each coefficient.
follows() {
    local k
    for k in "${@:2}"; do
        reads "max(abs(baseline - /plastic_share * ((restitution + \$error_reduction * penetration)^2 - 1))) < $1 in /scatter/coefficient_0$k" \
            1 "closed form of band $k"
    done
}
# Ten sweeps of two equal contacts leave s (1 + s)/3 4^-9 of it, s = e + erp f.
follows 3.9e-6 0 1 2
# Ten steps by Newton's method to 1e-14.
near /measures/stepped_velocity_error 0 1e-12 'time stepping at all frequencies'
near /measures/stepped_energy_error 0 1e-12 'energy of time stepping'

# The lines lose (1 - R^2) E_p, whichever coefficients there are.
lines() {
    local k
    for k; do
        near "propagative + (1 - restitution^2) * /plastic_share in /scatter/coefficient_0$k" 0 1e-14 "line $k"
    done
}
# bound: E_p erp (2 + erp), 120 speeds come to within 10/120 of it but once in e^10.
reaches_bound() {
    reads 'largest > (1 - 10 / $speeds) * /plastic_share * $error_reduction * (2 + $error_reduction) in /scatter/coefficient_00' 1 "gains of $1 near their bound"
}
run --speeds 120 --stepped-speeds 3
lines 0 1 2
follows 3.9e-6 0 1 2
reaches_bound 'three balls'
reads 'min(/scatter/coefficient_00/distance) > 2/3 - 4^(1 - $sweeps)' 1 'the baseline is elsewhere'
reads '/measures/frequency_spread < 10 / $speeds' 1 'the step does not matter'
run --speeds 120 --stepped-speeds 3 --coefficients 0.7,0
lines 0 1
follows 3.9e-6 0 1
run --speeds 120 --stepped-speeds 3 --frequencies 60
reads /measures/frequency_spread 0 'one frequency has no spread'
# Ten sweeps do not solve the contacts of five balls; the exact solution does.
run --balls 5 --speeds 120 --stepped-speeds 3 --solver exact
# Places of half a metre, rounded, over the way of a step, 0.1 m/s at 6 kHz.
follows 1e-11 0 1 2
reaches_bound 'five balls'
run --speeds 120 --stepped-speeds 3 --sweeps 2
reads 'max(abs(baseline - /plastic_share * ((1 + $error_reduction * penetration)^2 - 1))) > 0.01 in /scatter/coefficient_00' 1 'two sweeps leave something'
run --speeds 120 --stepped-speeds 3 --frequencies 60,60 --coefficients 1 --error-reduction 0
near /scatter/coefficient_00/largest 0 3.9e-6 'no error reduction, no gain'
run --speeds 1 --stepped-speeds 1
lines 0 1 2

# --- refusals ---------------------------------------------------------------------------------------------

refuse 2 '--balls must lie in [2, 500], got 1' --balls 1
refuse 2 '--balls must lie in [2, 500], got 501' --balls 501
refuse 2 'number of --masses' --masses 1,2
refuse 2 'number of --velocities' --balls 4 --velocities 1,0,0
refuse 2 'masses entry 2 must be positive' --masses 1,0,1
refuse 2 'masses entry 3 must be positive' --masses 1,1,-1
refuse 2 'masses entry 1 must be finite' --masses nan,1,1
refuse 2 'restitution must lie in [0, 1]' --restitution 1.01
refuse 2 'restitution must lie in [0, 1]' --restitution=-0.1
refuse 2 'coefficients entry 2 must lie' --coefficients 1,1.5
refuse 2 'frequencies entry 1 must be positive' --frequencies 0
refuse 2 'number of --coefficients' --coefficients 0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1
refuse 2 'gap must not be negative' --gap=-0.01
refuse 2 'radius must be positive' --radius 0
refuse 2 '--radius = 1e+308 m, accepted for the way of the shortest step at most' --radius 1e308
refuse 2 'with --slowest = 1e-100 m s-1, by default 0.1 m s-1: ' --slowest 1e-100
refuse 2 'no ball closes' --velocities 0,0,1
refuse 2 'order must be one of' --order middle
refuse 2 'scheme must be one of' --scheme bullet
refuse 2 'step must be positive' --step 0
refuse 2 '--step = 1e-09 s, accepted at least' --step 1e-9
refuse 2 '--step = 10 s, accepted at most 0.4 s' --step 10
refuse 2 'error-reduction must lie' --error-reduction 1.5
refuse 2 'sweeps must be positive' --sweeps 0
refuse 2 '--slowest = 2 m s-1, accepted up to --fastest = 1 m s-1' --slowest 2 --fastest 1
refuse 2 'slowest must lie in [1e-140, 1e140] m s-1' --slowest 1e-200
refuse 2 'fastest must lie in [1e-140, 1e140] m s-1' --fastest 1e155
refuse 2 'chain-balls must lie' --chain-balls 1
refuse 2 'speeds' --speeds=-1
refuse 2 'kinetic energy' --velocities 1e200,0,0
refuse 2 'unknown option' --colour red
refuse 2 'cannot be written' --output "$scratch/nowhere/record.h5"

[[ $("$bin/$driver" --help) == *'--velocities NUMBER,...'* ]] || fail '--help is short'
