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
# row PATH...: of one line, blanks between.
row() {
    value "$@" | tr '\n\t' '  '
}
# agree ACTUAL EXPECTED WHAT: lists of numbers, to 1e-11 of one.
agree() {
    paste -d ' ' <(tr -s ' ' '\n' <<<"$1") <(tr -s ' ' '\n' <<<"$2") | awk '
        NF == 1 { bad++ } NF == 2 { d = $1 - $2; if (!(d < 1e-11 && d > -1e-11)) bad++; n++ }
        END { exit bad > 0 || n == 0 }' || fail "$3: $1 instead of $2"
}
# ends SCHEME: velocities of the last row.
ends() {
    value "/cradle/$1/velocity" | tail -n 1 | tr '\t' ' '
}

# --- equal balls: velocities are sorted -----------------------------------------------------------

quick
agree "$(row /outcome_00/velocity)" '0 0 1' 'three balls'
is "$(row /outcome_00/sequence)" '0 1 ' 'sequence of a struck pair'
agree "$(ends propagative)" '0 0 1' 'exact flights'
agree "$(ends variational)" '0 0 1' 'time stepping'
is "$(value /is_unique)" 1 'one outcome'

quick --velocities 3,1,-2
agree "$(row /outcome_00/velocity)" '-2 1 3' 'reversed velocities'
agree "$(row /outcome_00/momentum)" '-2 1 3' 'reversed momenta'
is "$(value /count)" 1 'outcomes of both orders'
is "$(value /sequence_count)" 2 'sequences of both orders'
is "$(value /outcome_00/length)" 3 'length of both orders'
for order in most least index first-left first-right random; do
    quick --velocities 3,1,-2 --order "$order" --seed 3
    agree "$(row /outcome_00/velocity)" '-2 1 3' "order $order"
    agree "$(ends propagative)" '-2 1 3' "exact flights in order $order"
    agree "$(ends variational)" '-2 1 3' "time stepping in order $order"
done
quick --velocities 3,1,-2 --order first-left
is "$(row /outcome_00/sequence)" '0 1 0 ' 'first the left contact'
quick --velocities 3,1,-2 --order first-right
is "$(row /outcome_00/sequence)" '1 0 1 ' 'first the right contact'

# Any number of balls; with a step that holds all impacts.
quick --balls 6 --velocities 2,0.5,1,-1,0,-3 --gap 0 --duration 3 --step 1
agree "$(ends propagative)" '-3 -1 0 0.5 1 2' 'six balls in exact flights'
agree "$(ends variational)" '-3 -1 0 0.5 1 2' 'six balls in steps of a second'
quick --balls 2 --masses 1,3
agree "$(row /outcome_00/velocity)" '-0.5 0.5' 'two balls'
quick --balls 100 --duration 0.1
agree "$(value /outcome_00/velocity | tail -n 1)" 1 'a hundred balls'
agree "$(ends variational | tr ' ' '\n' | tail -n 1)" 1 'a hundred balls in time stepping'
is "$(value /outcome_00/length)" 99 'reflections of a hundred balls'

# --- unequal balls: several outcomes, all with the energy and momentum before -------------------------

quick --masses 1,2,3 --velocities 3,1,-2
((  $(value /count) > 1 )) || fail 'unequal masses have one outcome'
for ((k = 0; k < $(value /count); k++)); do
    value "$(printf '/outcome_%02d/velocity' "$k")" | paste -s -d ' ' | awk '
        { p = $1 + 2*$2 + 3*$3 + 1; e = $1*$1 + 2*$2*$2 + 3*$3*$3 - 23
          exit !(p*p < 1e-22 && e*e < 1e-20 && $1 <= $2 + 1e-12 && $2 <= $3 + 1e-12) }' \
        || fail "outcome $k of unequal masses"
done

# More outcomes than HDF5 would list: the first are written, and it is said.
run --balls 6 --masses 0.31,1.93,0.62,1.12,0.41,1.37 --velocities 3,2,1,0,-1,-2
is "$(value /count)" 2064 'outcomes of six balls'
is "$(h5ls "$scratch/record.h5" | grep -c '^outcome_')" 1024 'outcomes that are written'
grep -qx 'newtons_cradle: the first 1024 of 2064 outcomes are written' "$scratch/stdout" \
    || fail 'it is not said how many outcomes are written'

# --- restitution: (1 - R^2) of what a plastic impact loses -----------------------------------------------

quick --restitution 0.7
agree "$(row /outcome_00/velocity)" '0.1 0.1 0.8' 'velocities for R = 0.7'
agree "$(ends variational)" '0.1 0.1 0.8' 'time stepping for R = 0.7'
agree "$(value '/cradle/propagative/energy[-1]')" 0.33 'energy for R = 0.7'
quick --restitution 0
agree "$(ends propagative)" "$(awk 'BEGIN { printf "%.17g %.17g %.17g", 1/3, 1/3, 1/3 }')" 'plastic'
agree "$(ends variational)" "$(awk 'BEGIN { printf "%.17g %.17g %.17g", 1/3, 1/3, 1/3 }')" 'plastic steps'

# --- the baseline: (1 - 2 s)/3, (1 + s)/3, found 0.8 of a step late -----------------------------------------

quick --solver exact --scheme baseline
agree "$(ends baseline)" "$(awk 'BEGIN { s = 1.16; printf "%.17g %.17g %.17g", (1-2*s)/3, (1+s)/3, (1+s)/3 }')" \
    'baseline'
value /cradle/propagative/time >/dev/null 2>&1 && fail 'exact flights were not asked for'
quick --solver exact --error-reduction 0
agree "$(ends baseline)" "$(awk 'BEGIN { printf "%.17g %.17g %.17g", -1/3, 2/3, 2/3 }')" 'no error reduction'
quick --solver exact --speculative --restitution 0
agree "$(ends baseline)" "$(awk 'BEGIN { printf "%.17g %.17g %.17g", 1/3, 1/3, 1/3 }')" 'speculative'

# Bands: limits, and the same bytes for any number of threads.
run --speeds 60 --stepped-speeds 3 --threads 1
for k in 0 1 2; do
    value /scatter/coefficient_0$k/baseline | awk -v low="$(value /scatter/coefficient_0$k/propagative)" -v \
        e="$(value /scatter/coefficient_0$k/restitution)" '
        { for (i = 1; i <= NF; i++) if ($i < low - 1e-5 || $i > 2/3*((e + 0.2)^2 - 1) + 1e-5) exit 1 }' \
        || fail "band $k leaves its limits"
done
# follows THRESHOLD: the baseline changes the energy by E_p ((e + erp f)^2 - 1) for each coefficient.
follows() {
    local k
    for k in "${@:2}"; do
        is "$(value "max(abs(baseline - /plastic_share * ((restitution + \$error_reduction * penetration)^2 \
            - 1))) < $1 in /scatter/coefficient_0$k")" 1 "closed form of band $k"
    done
}
# Ten sweeps of two equal contacts leave s (1 + s)/3 4^-9 of it, s = e + erp f.
follows 3.9e-6 0 1 2
# Ten steps by Newton's method to 1e-14.
close "$(value /measures/stepped_velocity_error)" 0 1e-12 'time stepping at all frequencies'
close "$(value /measures/stepped_energy_error)" 0 1e-12 'energy of time stepping'
cp "$scratch/record.h5" "$scratch/one.h5"
run --speeds 60 --stepped-speeds 3 --threads 3
cmp -s "$scratch/record.h5" "$scratch/one.h5" || fail 'threads change the record'

# The lines lose (1 - R^2) E_p, whichever coefficients there are.
lines() {
    local k
    for k; do
        close "$(value "/scatter/coefficient_0$k/propagative + (1 - /scatter/coefficient_0$k/restitution^2) \
            * /plastic_share")" 0 1e-14 "line $k"
    done
}
# bound: E_p erp (2 + erp), 120 speeds come to within 10/120 of it but once in e^10.
reaches_bound() {
    is "$(value 'largest > (1 - 10 / $speeds) * /plastic_share * $error_reduction * (2 + $error_reduction) in /scatter/coefficient_00')" 1 "gains of $1 near their bound"
}
run --speeds 120 --stepped-speeds 3
lines 0 1 2
follows 3.9e-6 0 1 2
reaches_bound 'three balls'
is "$(value 'min(/scatter/coefficient_00/distance) > 2/3 - 4^(1 - $sweeps)')" 1 'the baseline is elsewhere'
is "$(value '/measures/frequency_spread < 10 / $speeds')" 1 'the step does not matter'
run --speeds 120 --stepped-speeds 3 --coefficients 0.7,0
lines 0 1
follows 3.9e-6 0 1
run --speeds 120 --stepped-speeds 3 --frequencies 60
is "$(value /measures/frequency_spread)" 0 'one frequency has no spread'
# Ten sweeps do not solve the contacts of five balls; the exact solution does.
run --balls 5 --speeds 120 --stepped-speeds 3 --solver exact
# Places of half a metre, rounded, over the way of a step, 0.1 m/s at 6 kHz.
follows 1e-11 0 1 2
reaches_bound 'five balls'
run --speeds 120 --stepped-speeds 3 --sweeps 2
is "$(value 'max(abs(baseline - /plastic_share * ((1 + $error_reduction * penetration)^2 - 1))) > 0.01 in /scatter/coefficient_00')" 1 'two sweeps leave something'
run --speeds 120 --stepped-speeds 3 --frequencies 60,60 --coefficients 1 --error-reduction 0
close "$(value /scatter/coefficient_00/largest)" 0 3.9e-6 'no error reduction, no gain'
run --speeds 1 --stepped-speeds 1
lines 0 1 2

# --- refusals ---------------------------------------------------------------------------------------------

# expect STATUS TEXT ARGUMENT...
expect() {
    local status=$1 text=$2 got
    shift 2
    cases=$((cases + 1))
    rm -f "$scratch/refused.h5"
    "$bin/$driver" --output "$scratch/refused.h5" "$@" >/dev/null 2>"$scratch/stderr"
    got=$?
    ((got == status)) || fail "exit $got instead of $status of $*"
    grep -qF -- "$text" "$scratch/stderr" || fail "$*: $(cat "$scratch/stderr")"
    (($(wc -l <"$scratch/stderr") == 1)) || fail "not one sentence for $*"
    [[ ! -e $scratch/refused.h5 ]] || fail "a record of $*"
}
expect 2 '--balls must lie in [2, 500], got 1' --balls 1
expect 2 '--balls must lie in [2, 500], got 501' --balls 501
expect 2 'number of --masses' --masses 1,2
expect 2 'number of --velocities' --balls 4 --velocities 1,0,0
expect 2 'masses entry 2 must be positive' --masses 1,0,1
expect 2 'masses entry 3 must be positive' --masses 1,1,-1
expect 2 'masses entry 1 must be finite' --masses nan,1,1
expect 2 'restitution must lie in [0, 1]' --restitution 1.01
expect 2 'restitution must lie in [0, 1]' --restitution=-0.1
expect 2 'coefficients entry 2 must lie' --coefficients 1,1.5
expect 2 'frequencies entry 1 must be positive' --frequencies 0
expect 2 'number of --coefficients' --coefficients 0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1
expect 2 'gap must not be negative' --gap=-0.01
expect 2 'radius must be positive' --radius 0
expect 2 '--radius = 1e+308 m, accepted for the way of the shortest step at most' --radius 1e308
expect 2 'with --slowest = 1e-100 m s-1, by default 0.1 m s-1: ' --slowest 1e-100
expect 2 'no ball closes' --velocities 0,0,1
expect 2 'order must be one of' --order middle
expect 2 'scheme must be one of' --scheme bullet
expect 2 'step must be positive' --step 0
expect 2 '--step = 1e-09 s, accepted at least' --step 1e-9
expect 2 '--step = 10 s, accepted at most 0.4 s' --step 10
expect 2 'error-reduction must lie' --error-reduction 1.5
expect 2 'sweeps must be positive' --sweeps 0
expect 2 '--slowest = 2 m s-1, accepted up to --fastest = 1 m s-1' --slowest 2 --fastest 1
expect 2 'slowest must lie in [1e-140, 1e140] m s-1' --slowest 1e-200
expect 2 'fastest must lie in [1e-140, 1e140] m s-1' --fastest 1e155
expect 2 'chain-balls must lie' --chain-balls 1
expect 2 'speeds' --speeds=-1
expect 2 'kinetic energy' --velocities 1e200,0,0
expect 2 'unknown option' --colour red
expect 2 'cannot be written' --output "$scratch/nowhere/record.h5"

[[ $("$bin/$driver" --help) == *'--velocities NUMBER,...'* ]] || fail '--help is short'

echo "$driver: $cases cases, $failures failures"
((failures == 0))
