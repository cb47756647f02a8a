#!/bin/bash
# The general tool of nonsmooth modes on systems of its own: an oscillator with a closed form, chains
# given in two ways, structures whose motion is checked here from its time history; and every refusal.
# usage: tests/project/nonsmooth_modes.sh [PROGRAM_FOLDER]
set -uo pipefail

source "$(dirname "$0")/../support.sh"

# One mass m = 3, one spring k = 7, gap 0.4: x(t) = g cos(w (t - T/2))/cos(w T/2), so that the impact
# speed is g w |tan(w T/2)| and the energy k g^2/(2 cos^2(w T/2)); admissible from T = pi/w to 2 pi/w.
oscillator=(--masses 3 --stiffnesses 7 --gap 0.4)
closed_form() {
    awk -v T="$1" 'BEGIN { pi = atan2(0, -1); w = sqrt(7/3); c = cos(w*T/2); t = sin(w*T/2)/c
        t = t < 0 ? -t : t
        printf "%.17g %.17g %.17g %.17g\n", 0.4*w*t, 7*0.16/(2*c*c), pi/w, 2*pi/w }'
}
for T in 2.3 3.1 4.05; do
    run "${oscillator[@]}" --impacts 1 --flight-times "$T" --impact-speeds 1 --period "$T" --trajectory 9
    read -r speed energy root harmonic < <(closed_form "$T")
    # Solved to 1e-12; the tangent near its pole magnifies rounding less than tenfold here.
    near_relative /solution/pre_impact_speed "$speed" 1e-11 "impact speed at T = $T"
    near_relative /solution/energy "$energy" 1e-11 "energy at T = $T"
    near_relative '/solution/position[4,0]' "$(awk -v e="$energy" 'BEGIN {printf "%.17g", -sqrt(2*e/7)}')" \
        1e-11 "position half a period after the impact at T = $T"
    reads /solution/admissible 1 "admissible at T = $T"
    reads /solution/spectral_radius 1 "spectral radius of one mass at T = $T"
done
run "${oscillator[@]}" --intervals --max-period 4.5
reads /intervals/count 1 'intervals of the oscillator'
near_relative '/intervals/lower[0]' "$root" 1e-12 'lower end of the interval'
near_relative '/intervals/upper[0]' "$harmonic" 1e-12 'upper end of the interval'
reads '/intervals/lower_end[0]' "$(value /ends/infinite_speed)" 'kind of the lower end'
reads '/intervals/upper_end[0]' "$(value /ends/harmonic)" 'kind of the upper end'
run "${oscillator[@]}" --flight-times 3.1 --continue
for end in '[0]' '[-1]'; do
    near_relative "/branch/period$end" \
        "$(awk -v T="$(value "/branch/period$end")" -v a="$root" -v b="$harmonic" \
            'BEGIN { printf "%.17g", T - a < b - T ? a : b }')" 1e-9 "end $end of the branch"
done
close_relative "$(awk -v a="$(value '/branch/period[0]')" -v b="$(value '/branch/period[-1]')" \
    'BEGIN { printf "%.17g", a < b ? b - a : a - b }')" \
    "$(awk -v a="$root" -v b="$harmonic" 'BEGIN { printf "%.17g", b - a }')" 1e-9 'length of the branch'

# Beyond a whole period of the oscillator the mass would pass the obstacle: said, not refused.
run "${oscillator[@]}" --flight-times 7 --period 7
reads /solution/admissible 0 'a penetrating solution'
grep -q 'only potential' "$scratch/stdout" || fail 'a penetrating solution is not announced'

# A chain of three given as a chain and as matrices: the same motions, to rounding (the modes are
# computed from other roundings), whatever the length of the normal of the gap is, if the gap goes
# with it.
printf '# M\n0.6, 0, 0\n0 0.35 0\n0 0 0.8\n' >"$scratch/M.txt"
printf '5.5 -2.25 0\n-2.25 6.25 -4\n0 -4 4 # free end\n' >"$scratch/K.txt"
chain=(--masses 0.6,0.35,0.8 --stiffnesses 3.25,2.25,4)
general=(--mass-file "$scratch/M.txt" --stiffness-file "$scratch/K.txt")
what=(/solutions/impacts /solutions/period /solutions/energy /solutions/spectral_radius)
run "${chain[@]}" --gap 0.3 --impacts 2 --search 400 --max-period 9
value "${what[@]}" >"$scratch/chain"
found=$(value /solutions/count)
((found > 5)) || fail "only $found motions of the chain were found"
for scale in 1 2.5; do
    normal=$(awk -v s="$scale" 'BEGIN { printf "0,0,%.17g", -s }')
    gap=$(awk -v s="$scale" 'BEGIN { printf "%.17g", 0.3*s }')
    run "${general[@]}" --contact-normal "$normal" --gap "$gap" --impacts 2 --search 400 --max-period 9
    value "${what[@]}" >"$scratch/general"
    # A motion on a curve is where its guess led: a guess may lead elsewhere by a rounding, so most
    # must agree, not all.
    paste "$scratch/chain" "$scratch/general" | awk -v n="$found" '
        { d = $2 - $6; e = $3 - $7; same += ($1 == $5 && d*d < 1e-12 && e*e < 1e-10*$3*$3) }
        END { exit !(NR == n && same >= 0.9*n) }' || fail "the chain as matrices, scale $scale, moves otherwise"
done

# A structure that is no chain, its contact between two masses. From the time history alone: the gap
# never closes, the energy w.r.t. M and K is the recorded one at all times, the end is the start with
# the impact undone.
printf '1.2 0.3 0.1\n0.3 0.9 -0.2\n0.1 -0.2 1.5\n' >"$scratch/M.txt"
printf '6 -1.5 0.5\n-1.5 4 -1\n0.5 -1 3.5\n' >"$scratch/K.txt"
# history SOLUTION GAP: periodic, admissible, of constant energy; 201 rows of a motion each.
history() {
    value /solutions/position /solutions/velocity | awk -v g0="$2" -v n="$1" \
        -v E="$(value "/solutions/energy[$1]")" '
        BEGIN { split("1.2 .3 .1 .3 .9 -.2 .1 -.2 1.5", M); split("6 -1.5 .5 -1.5 4 -1 .5 -1 3.5", K) }
        {
            if (NR <= 201*n || NR > 201*(n + 1)) next
            e = 0
            for (i = 1; i <= 3; i++) for (j = 1; j <= 3; j++)
                e += 0.5*(M[3*(i-1)+j]*$(3+i)*$(3+j) + K[3*(i-1)+j]*$i*$j)
            gap = $1 - $2 + g0
            # The first and the last row are impacts, where the gap is zero to rounding.
            if (gap < -1e-9*g0 || (e - E)^2 > (1e-10*E)^2) bad++
            for (i = 1; i <= 6; i++) { if (NR == 201*n + 1) first[i] = $i; last[i] = $i }
        }
        END {
            for (i = 1; i <= 6; i++) if ((first[i] - last[i])^2 > 1e-18) bad++
            exit bad > 0
        }' || fail "motion $1 is not what it says"
}
pair=("${general[@]}" --contact-normal 1,-1,0 --gap 0.7)
run "${pair[@]}" --impacts 2 --search 400 --max-period 8 --trajectory 201 --keep-repeats
found=$(value /solutions/count)
((found > 3)) || fail "only $found motions with a contact between two masses were found"
for ((i = 0; i < found && i < 12; i++)); do
    history "$i" 0.7
done
# One of them again, from a rounded guess: the same period and speeds.
number=$(value /solutions/impacts | awk '$1 == 2 { print NR - 1; exit }')
times=$(value /solutions/flight_times | awk -v n="$number" 'NR == n + 1 { printf("%.4g,%.4g", $1, $2) }')
speeds=$(value /solutions/pre_impact_speed | awk -v n="$number" 'NR == n + 1 { printf("%.4g,%.4g", $1, $2) }')
period=$(value "/solutions/period[$number]")
energy=$(value "/solutions/energy[$number]")
# Beyond its last impact a motion with fewer has NaN; without the option there is none with fewer.
value /solutions/impacts /solutions/flight_times | awk '
    { fewer += $1 == 1; if (($1 == 1) != ($3 == "nan" || $3 == "-nan")) bad++ }
    END { exit !(fewer > 0 && bad == 0) }' || fail 'rows are not filled up with NaN beyond the last impact'
run "${pair[@]}" --impacts 2 --search 400 --max-period 8
value /solutions/impacts | awk '$1 != 2 { exit 1 }' || fail 'a motion of one impact is kept unasked'
grep -q 'repeat motions with fewer than 2 impacts' "$scratch/stdout" || fail 'repetitions are not announced'
run "${pair[@]}" --impacts 2 --flight-times "$times" --impact-speeds "$speeds" --period "$period" --continue
# A root found twice to 1e-12 agrees in all but its worst conditioned digits.
near_relative /solution/energy "$energy" 1e-7 'energy of a motion found again'
near_relative "/branch/energy[$(value /branch/start)]" "$energy" 1e-7 'energy where the branch begins'
near_relative /branch/identity_error 0 1e-5 'E dT = -(g_0/sqrt G) d(sum lambda) along the branch'

# Prestressed: the branch and the intervals exist, and none of their periods is one for the open gap.
run "${pair[@]}" --intervals --max-period 6
value /intervals/lower /intervals/upper >"$scratch/open"
run "${general[@]}" --contact-normal 1,-1,0 --gap=-0.7 --intervals --max-period 6
reads '/intervals/lower_end[0]' "$(value /ends/short_period)" 'the shortest prestressed period'
value /intervals/lower /intervals/upper | cat - "$scratch/open" | sort -g \
    | awk 'NR > 1 && $1 < last - 1e-12 { exit 1 } { last = $2 }' \
    || fail 'intervals of both signs of the gap overlap'

# The bytes do not depend on the number of threads.
threads_agree "${pair[@]}" --impacts 3 --search 200 --max-period 7 --seed 5

# More motions than one group each could share an axis of: tables of the same few datasets.
run "${oscillator[@]}" --impacts 1 --search 9000 --trajectory 3
found=$(value /solutions/count)
((found > 2048)) || fail "only $found motions of one impact"
is "$(value /solutions/position | wc -l)" $((3 * found)) 'rows of the time histories'
is "$(h5ls "$scratch/record.h5/solutions" | wc -l)" 28 'datasets of so many motions'

# Other units of mass, length and time, by powers of two: the same motions in the same digits.
times() {
    awk -v exponent="$1" -v numbers="$2" 'BEGIN {
        n = split(numbers, x, ","); for (i = 1; i <= n; i++) printf "%s%.17g", (i > 1 ? "," : ""), x[i]*2^exponent }'
}
for exponents in '0 0 0' '-40 40 -20' '40 -40 20'; do
    read -r mass length time <<<"$exponents"
    run --masses "$(times "$mass" 0.6,0.35,0.8)" --stiffnesses "$(times $((mass - 2*time)) 3.25,2.25,4)" \
        --gap "$(times "$length" 0.3)" --impacts 2 --search 150 --max-period "$(times "$time" 9)"
    value /solutions/period /solutions/energy /solutions/spectral_radius | awk -v t="$time" \
        -v e=$((mass + 2*length - 2*time)) '{ printf "%.17g %.17g %s\n", $1/2^t, $2/2^e, $3 }'
    echo
done >"$scratch/units"
awk 'BEGIN { RS = "" } { seen[$0]++; rows = NF } END { exit !(length(seen) == 1 && seen[$0] == 3 && rows > 9) }' \
    "$scratch/units" || fail 'other units give other motions'

# Motions too unstable for events are counted, and kept only if asked for; no two are the same here.
five=(--masses 0.2,0.2,0.2,0.2,0.2 --stiffnesses 5,5,5,5,5 --impacts 5 --search 1000 --max-period 7)
run "${five[@]}"
kept=$(value /solutions/count)
unclosed=$(value /solutions/unclosed)
((unclosed > 0)) || fail 'no motion is too unstable'
run "${five[@]}" --keep-unclosed
reads /solutions/count $((kept + unclosed)) 'motions with those too unstable for events'

one=(--masses 1.5,0.7 --stiffnesses 2.5,3.5 --gap 0.6)

# A structure given twice, by halves, or with other sizes.
refuse 2 'together' "${one[@]}" "${general[@]}" --contact-normal 1,0,0 --intervals
refuse 2 'without --stiffnesses' --masses 1,2 --intervals
refuse 2 'without --masses' --stiffnesses 1,2 --intervals
refuse 2 'number of --stiffnesses' --masses 1,2 --stiffnesses 1,2,3 --intervals
refuse 2 'without --contact-normal' "${general[@]}" --intervals
refuse 2 'without --mass-file' --stiffness-file "$scratch/K.txt" --contact-normal 1,0,0 --intervals
refuse 2 'without --stiffness-file' --mass-file "$scratch/M.txt" --contact-normal 1,0,0 --intervals
refuse 2 'masses entry 2 must be positive, got -1' --masses 1,-1 --stiffnesses 1,1 --intervals
refuse 2 'stiffnesses entry 1 must be positive, got 0' --masses 1,1 --stiffnesses 0,1 --intervals
refuse 2 'masses entry 1 must be a number, got "x"' --masses x --stiffnesses 1 --intervals
refuse 2 'elements' --elements 0

# Matrices that are no structure, or no matrices. matrix TEXT: written to bad.txt.
matrix() {
    printf '%b' "$1" >"$scratch/bad.txt"
}
bad_stiffness=(--mass-file "$scratch/M.txt" --stiffness-file "$scratch/bad.txt" --contact-normal 1,-1,0)
matrix '6 -1.5 0.5\n-1.4 4 -1\n0.5 -1 3.5\n'
refuse 2 'symmetric' "${bad_stiffness[@]}" --intervals
matrix '6 -1.5 0.5\n-1.5 -4 -1\n0.5 -1 3.5\n'
refuse 2 'stiffness' "${bad_stiffness[@]}" --intervals
matrix '2 -2 0\n-2 3.5 -1.5\n0 -1.5 1.5\n'
refuse 2 'singular: stiffness' "${bad_stiffness[@]}" --intervals
matrix '6 -1.5 0.5\n-1.5 4 -1 8\n0.5 -1 3.5\n'
refuse 2 'bad.txt: line 2: row 2 has 4 numbers, 3 expected' "${bad_stiffness[@]}" --intervals
matrix '6 -1.5 0.5\n-1.5 4 -1\n'
refuse 2 'bad.txt: 2 rows, 3 expected' "${bad_stiffness[@]}" --intervals
matrix '6 -1.5 0.5\n-1.5 4 one\n0.5 -1 3.5\n'
refuse 2 'bad.txt: line 2: row 2, entry 3, "one" is not a number' "${bad_stiffness[@]}" --intervals
matrix '6 -1.5 0.5\n-1.5 4 inf\n0.5 inf 3.5\n'
refuse 2 'is not finite' "${bad_stiffness[@]}" --intervals
matrix '6 -1.5\n-1.5 4\n'
refuse 2 'rows of --stiffness-file' "${bad_stiffness[@]}" --intervals
matrix ''
refuse 2 'bad.txt: there are no numbers in it' "${bad_stiffness[@]}" --intervals
refuse 2 'no.txt: cannot be read' --mass-file "$scratch/no.txt" --stiffness-file "$scratch/K.txt" \
    --contact-normal 1,0,0 --intervals
bad_mass=(--mass-file "$scratch/bad.txt" --stiffness-file "$scratch/K.txt" --contact-normal 1,-1,0)
matrix '1.2 0.3 0.1\n0.4 0.9 -0.2\n0.1 -0.2 1.5\n'
refuse 2 'symmetric' "${bad_mass[@]}" --intervals
matrix '1.2 0.3 0.1\n0.3 -0.9 -0.2\n0.1 -0.2 1.5\n'
refuse 2 'mass' "${bad_mass[@]}" --intervals
refuse 2 '--contact-normal = 0, accepted not all zeros' "${general[@]}" --contact-normal 0,0,0 --intervals
refuse 2 'number of --contact-normal' "${general[@]}" --contact-normal 1,-1 --intervals
refuse 2 'contact-normal entry 2 must be finite' "${general[@]}" --contact-normal 1,nan,0 --intervals

# What no analysis can begin with.
refuse 2 'impacts must be positive, got 0' "${one[@]}" --impacts 0 --search 10
refuse 2 'impacts must be positive, got -2' "${one[@]}" --impacts -2 --search 10
refuse 2 'number of --flight-times' "${one[@]}" --impacts 3 --flight-times 1,2
refuse 2 'flight-times entry 2 must be positive, got -2' "${one[@]}" --impacts 2 --flight-times 1,-2
refuse 2 'flight-times entry 1 must be positive, got 0' "${one[@]}" --impacts 2 --flight-times 0,2
refuse 2 'number of --impact-speeds' "${one[@]}" --impacts 2 --flight-times 1,2 --impact-speeds 1
refuse 2 'impact-speeds entry 1 must not be negative' "${one[@]}" --impacts 1 --flight-times 1 --impact-speeds=-1
refuse 2 'grazing-impact' "${one[@]}" --impacts 2 --flight-times 1,2 --grazing-impact 3
refuse 2 'grazing-impact' "${one[@]}" --impacts 2 --flight-times 1,2 --grazing-impact 1 --period 3
refuse 2 'period must be positive' "${one[@]}" --impacts 1 --flight-times 1 --period 0
refuse 2 '--impact-speeds without' "${one[@]}" --impact-speeds 1 --intervals
refuse 2 '--period without' "${one[@]}" --period 1 --intervals
refuse 2 '--grazing-impact without' "${one[@]}" --grazing-impact 1 --intervals
refuse 2 '--continue without' "${one[@]}" --continue --intervals
refuse 2 'takes no value' "${one[@]}" --continue=yes --flight-times 1
refuse 2 'gap = 0' "${one[@]}" --gap 0 --intervals
refuse 2 'gap = 0' "${one[@]}" --gap 0
refuse 2 'gap = 0' "${one[@]}" --gap 0 --flight-times 1 --continue
refuse 2 'gap must be finite' "${one[@]}" --gap nan --intervals
refuse 2 'search' "${one[@]}" --search -1
refuse 2 'max-period' "${one[@]}" --intervals --max-period 0
refuse 2 'max-period' "${one[@]}" --intervals --max-period inf
refuse 2 'samples' "${one[@]}" --intervals --samples 0
refuse 2 'trajectory' "${one[@]}" --flight-times 1 --trajectory 1
refuse 2 'samples = 2e+09, accepted from 8' "${one[@]}" --intervals --samples 2000000000
refuse 2 'accepted up to a million harmonics, ' "${one[@]}" --intervals --max-period 2e9
refuse 2 'accepted up to a million harmonics, ' --max-period 2e9
refuse 2 'accepted up to a million harmonics, ' --max-period 1e308
refuse 2 'squared frequency = ' --masses 1,1 --stiffnesses 1e150,1e150 --intervals
refuse 2 'accepted 1 GiB for all motions' "${one[@]}" --flight-times 1 --trajectory 2000000000
refuse 2 'accepted 1 GiB for all motions' "${one[@]}" --search 1000000 --trajectory 1000
refuse 2 'unknown option' "${one[@]}" --step 1

# Far from a harmonic no motion of a single mass grazes at its only impact: the residual is named.
refuse 1 'residual' "${oscillator[@]}" --impacts 1 --flight-times 1 --grazing-impact 1
