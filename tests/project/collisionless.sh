#!/bin/bash
# The general tool of collisionless motions on systems of its own: two modes against the closed form
# (18), solved here; verdicts and equations of motion from the time histories; the same system given
# in several ways; and every refusal.
# usage: tests/project/collisionless.sh [PROGRAM_FOLDER]
set -uo pipefail

source "$(dirname "$0")/../support.sh"
# roots: time and constrained time of every root
roots() {
    value /roots/time /roots/constrained_time
}
# same_roots FILE WHAT: as those of a file, in any order, but for a digit in the eighth place.
same_roots() {
    roots | awk '
        function near(x, y) { return (x - y)^2 < 4e-16 }
        NR == FNR { time[NR] = $1; constrained[NR] = $2; n = NR; next }
        { for (k = 1; k <= n; k++)
              if (!met[k] && near($1, time[k]) && near($2, constrained[k])) { met[k] = 1; found++; next }
          bad++ }
        END { exit bad > 0 || found != n }' "$1" - || fail "$2: other roots"
}

# --- two modes ------------------------------------------------------------------------------------

# closed_form M11 M12 M22 K11 K12 K22 SIGMA SIGMA_CONSTRAINED T T_CONSTRAINED: all roots of (18),
# w_1(tau) = w_2(tau) = -w'_1(tau'), w = sigma tan^sigma(omega t) omega. Multiplied by what is below
# the line, the first is smooth; its zeros are bracketed on a fine grid.
closed_form() {
    awk -v M11="$1" -v M12="$2" -v M22="$3" -v K11="$4" -v K12="$5" -v K22="$6" \
        -v sigma="$7" -v sigma_c="$8" -v T="$9" -v Tc="${10}" '
    function cosine(l, t) { return l > 0 ? cos(sqrt(l)*t) : (exp(sqrt(-l)*t) + exp(-sqrt(-l)*t))/2 }
    function sine(l, t) { return l > 0 ? sin(sqrt(l)*t)/sqrt(l) \
                                       : (exp(sqrt(-l)*t) - exp(-sqrt(-l)*t))/(2*sqrt(-l)) }
    # w = above/below: -C/S (even), lambda S/C (odd).
    function above(l, t) { return sigma < 0 ? -cosine(l, t) : l*sine(l, t) }
    function below(l, t) { return sigma < 0 ? sine(l, t) : cosine(l, t) }
    function f(t) { return above(l1, t)*below(l2, t) - above(l2, t)*below(l1, t) }
    BEGIN {
        pi = atan2(0, -1)
        a = M11*M22 - M12^2; b = -(M11*K22 + M22*K11 - 2*M12*K12); c = K11*K22 - K12^2
        l1 = (-b - sqrt(b*b - 4*a*c))/(2*a); l2 = (-b + sqrt(b*b - 4*a*c))/(2*a); w_c = sqrt(K11/M11)
        steps = 20000
        for (i = 1; i < steps; i++) {
            low = 0.05 + (T - 0.05)*i/steps; high = low + (T - 0.05)/steps
            if (f(low)*f(high) > 0) continue
            for (k = 0; k < 60; k++) { mid = (low + high)/2; if (f(low)*f(mid) > 0) low = mid; else high = mid }
            w = above(l2, low)/below(l2, low)
            # -w_c cot(w_c tau) = -w (even), w_c tan(w_c tau) = -w (odd)
            phase = sigma_c < 0 ? atan2(w_c, w) : atan2(-w, w_c)
            for (r = 0; r < 40; r++) {
                t = (phase + r*pi)/w_c
                if (t > 0.05 && t < Tc) printf "%.17g %.17g\n", low, t
            }
        }
    }'
}
# history SIGMA SIGMA_CONSTRAINED MATRICES...: gap and force of every motion decide as the tool does
# (an odd phase has a second half of its own), the equations of motion hold with the matrices.
history() {
    local count i group numbers=() series=()
    count=$(value /roots/count)
    for ((i = 0; i < count; i++)); do
        printf -v group '/solution_%02d' "$i"
        numbers+=("/roots/realizable[$i]" "$group/contact_sign" "$group/contact_level" "$group/static_force")
        series+=("$group/position" "$group/acceleration" "$group/gap" "$group/force")
    done
    { value "${numbers[@]}" && value "${series[@]}"; } | awk -v sigma="$1" -v sigma_c="$2" -v matrices="${*:3}" -v count="$count" '
        BEGIN { split(matrices, A, " ") }
        function check(number) { if (number < -1e-9*sqrt(size)) negative[i] = 1 }
        NR == 1 {
            for (i = 0; i < count; i++) {
                verdict[i] = $(4*i + 1); s[i] = $(4*i + 2); level[i] = $(4*i + 3); force[i] = $(4*i + 4) }
            next
        }
        NF != 6*count { bad++ }
        {
            for (i = 0; i < count; i++) {
                x = $(6*i + 1); y = $(6*i + 2); a = $(6*i + 3); b = $(6*i + 4); gap = $(6*i + 5); F = $(6*i + 6)
                r1 = A[1]*a + A[2]*b + A[4]*x + A[5]*y
                r2 = A[2]*a + A[3]*b + A[5]*x + A[6]*y - s[i]*F
                size = 1 + x*x + y*y + a*a + b*b
                if (r1*r1 + r2*r2 > 1e-16*size) bad++
                # Zero at the impact to rounding. x_N(-t) = -x_N(t), F_N(-t) - F_N^0 likewise.
                check(gap); check(F)
                if (sigma > 0 && gap != 0) check(-gap - 2*s[i]*level[i])
                if (sigma_c > 0 && F != 0) check(2*s[i]*force[i] - F)
            }
        }
        END {
            for (i = 0; i < count; i++) if ((i in negative) == (verdict[i] == 1)) bad++
            exit bad > 0 || NR != 802
        }' || fail "motions of the system $* are not what they say"
}
parity() {
    (($1 < 0)) && echo even || echo odd
}
# Two oscillating modes, and one that is hyperbolic, with every pair of parities.
for matrices in '1.3 0.2 0.7 2.1 -0.8 1.5' '1.1 -0.4 0.9 1.7 0.35 -0.8'; do
    read -r m11 m12 m22 k11 k12 k22 <<<"$matrices"
    printf '%s %s\n%s %s\n' "$m11" "$m12" "$m12" "$m22" >"$scratch/M.txt"
    printf '%s, %s\n%s, %s # held: the last\n' "$k11" "$k12" "$k12" "$k22" >"$scratch/K.txt"
    for sigma in -1 1; do
        for sigma_c in -1 1; do
            run --mass-file "$scratch/M.txt" --stiffness-file "$scratch/K.txt" \
                --parity "$(parity $sigma)" --constrained-parity "$(parity $sigma_c)" \
                --min-time 0.05 --max-time 7 --max-constrained-time 9 --samples 801
            closed_form $matrices $sigma $sigma_c 7 9 >"$scratch/expected"
            reads /roots/is_complete 1 'completeness'
            same_roots "$scratch/expected" "(18) for $matrices, parities $sigma $sigma_c"
            history $sigma $sigma_c $matrices
        done
    done
done
reads '/roots/count > 5' 1 'roots of two modes'

# --- the same system in several ways ----------------------------------------------------------------

# A chain of three above the floor, its end first in the files.
printf '0.8 0 0\n0 0.35 0\n0 0 0.6\n' >"$scratch/M.txt"
printf '4 -4 0\n-4 6.25 -2.25\n0 -2.25 5.5\n' >"$scratch/K.txt"
general=(--mass-file "$scratch/M.txt" --stiffness-file "$scratch/K.txt")
box=(--min-time 0.1 --max-time 5)
run "${general[@]}" --contact-coordinate 1 "${box[@]}"
roots >"$scratch/roots"
is "$(value /system/coordinate | tr '\n' ' ')" '2 3 1 ' 'order of the coordinates'
near_relative '/system/mass[2,2]' 0.8 1e-15 'mass at the contact'
near_relative '/system/stiffness[2,0]' -4 1e-15 'spring at the contact'
force=$(value '/solution_00/force[-1]')
gap=$(value '/solution_00/gap[0]')
spectrum=$(value /system/spectrum | paste -s -d ,)
constrained=$(value /system/constrained_spectrum | paste -s -d ,)
compliance=$(value /system/compliance)
inverse=$(awk 'BEGIN { printf "%.17g", 1/0.8 }')
reads '/roots/count > 8' 1 'roots of a chain of three'

printf '0.6 0 0\n0 0.35 0\n0 0 0.8\n' >"$scratch/M.txt"
printf '5.5 -2.25 0\n-2.25 6.25 -4\n0 -4 4\n' >"$scratch/K.txt"
run "${general[@]}" "${box[@]}"
same_roots "$scratch/roots" 'the contact coordinate last'
run "${general[@]}" "${box[@]}" --parity even,even,even --constrained-parity 'odd, odd'
same_roots "$scratch/roots" 'parities mode by mode'
run "${general[@]}" --min-time 0.1 --max-time 5 --min-constrained-time 0.1 --max-constrained-time 5
same_roots "$scratch/roots" 'both boxes given'
# From its spectra, in other coordinates: the same gap and force, if (m^-1)_NN is the same.
run --spectrum="$spectrum" --constrained-spectrum="$constrained" --inverse-mass "$inverse" "${box[@]}"
same_roots "$scratch/roots" 'the system from its spectra'
near_relative '/solution_00/force[-1]' "$force" 1e-9 'force of the system from its spectra'
near_relative '/solution_00/gap[0]' "$gap" 1e-9 'gap of the system from its spectra'
near_relative /system/compliance "$compliance" 1e-12 'compliance of the system from its spectra'
# Sizes: F_N^0 by default 1; x_N^0 = (k^-1)_NN F_N^0.
run "${general[@]}" "${box[@]}" --static-force=-3
near_relative /solution_00/static_force -3 1e-12 'a static force'
near_relative /solution_00/contact_level "$(awk -v c="$compliance" 'BEGIN { printf "%.17g", -3*c }')" \
    1e-9 'level of a static force'
near_relative '/solution_00/gap[0]' "$(awk -v g="$gap" 'BEGIN { printf "%.17g", 3*g }')" 1e-9 'gap of a static force'
run "${general[@]}" "${box[@]}" --contact-level "$(awk -v c="$compliance" 'BEGIN { printf "%.17g", 2*c }')"
near_relative '/solution_00/force[-1]' "$(awk -v f="$force" 'BEGIN { printf "%.17g", 2*f }')" 1e-9 'force of a level'

# Cells and subdivision find the same: one oscillating mode in each phase, given as an unordered
# command line.
standing=(--spectrum=-3.1,-1.7,-0.8,1.3 --constrained-spectrum=-2.4,-1.2,0.2)
run "${standing[@]}" --max-time 9
is "$(text /roots/method)" cells 'method'
roots >"$scratch/roots"
run --subdivision --max-time 9 "${standing[@]}"
is "$(text /roots/method)" subdivision 'method'
same_roots "$scratch/roots" 'subdivision instead of cells'
# Of uniform parities exactly the bottom row is realizable, whatever the way.
reads 'all((constrained_time * sqrt(0.2) < pi / 2) == realizable) in /roots' 1 'exactly the bottom row is realizable'
# Mode by mode.
run "${standing[@]}" --max-time 9 --parity odd,even,odd,even --constrained-parity even,odd,odd
is "$(value /system/parity | tr '\n' ' ')" '1 -1 1 -1 ' 'parities'
is "$(text /roots/method)" 'cells and subdivision' 'method of mixed parities'
reads /solution_00/period nan 'period of mixed parities'

# Commensurate frequencies: five threefold roots, where all even modes rest at once; two simple ones.
multiple=(--spectrum 1,4,9 --constrained-spectrum 2,6)
run "${multiple[@]}"
is "$(value /roots/singular | tr '\n' ' ')" '0 1 1 1 1 1 0 ' 'which roots are singular'
reads /roots/undecided 0 'parts undecided around singular roots'
reads /roots/undecided_share 0 'share undecided around singular roots'
reads /roots/is_complete 0 'completeness with singular roots'
is "$(grep -Ec '^ *[0-9.]+ +[0-9.]+ +(undecided|no|yes) +yes ' "$scratch/stdout")" 5 'singular roots printed'

# A search that runs out of parts: the first half of the box and more is still to come.
run "${multiple[@]}" --max-boxes 4
reads /roots/undecided_share 1 'share undecided after four parts'
near 'sum(/undecided/share)' 1 5e-7 'shares of the regions'
grep -Eq '^collisionless: [0-9]+ parts of the box, 1 of it, are undecided' "$scratch/stdout" ||
    fail 'the share that is undecided is not printed'
grep -Eq "^  tau from .* s, tau' from .* s: not searched$" "$scratch/stdout" ||
    fail 'the regions that were not searched are not printed'
# A line of nearly singular roots is one region.
run --spectrum 1,9,25 --constrained-spectrum 2,16
reads 'rows(/undecided/region)' 1 'regions of a line'
grep -q 'the conditions hold to 1e-6, singular roots or nearly so$' "$scratch/stdout" ||
    fail 'the line of singular roots is not told'

# Modes that do not move the contact are left out: a third mass on its own.
printf '1 0 0\n0 1 0\n0 0 1\n' >"$scratch/M.txt"
printf '2 0 -1\n0 5 0\n-1 0 1\n' >"$scratch/K.txt"
run "${general[@]}" --constrained-parity even
reads /system/decoupled 1 'decoupled modes'
near_relative '/roots/time[0]' 2.9773315704 1e-10 'tau with a mass on its own'
reads '/solution_00/position[7,1]' 0 'the mass on its own rests'

# --- the default, curves, followed motions ----------------------------------------------------------

# The hanging chain.
run
near_relative '/roots/time[0]' 2.9773315704 1e-10 'tau of the hanging chain'
near_relative '/roots/constrained_time[0]' 1.0258420358 1e-10 "tau' of the hanging chain"
near_relative '/solution_00/force[-1]' 3.6754 1.4e-5 'largest force of the hanging chain'
near_relative /solution_00/contact_level -1 1e-12 'level of the floor'
near_relative '/simulation/gap[0] / /solution_00/gap[0]' 1 1e-9 'height in the followed motion'
grep -Eq '^ *2\.97733157 +1\.025842036 +yes ' "$scratch/stdout" || fail 'the root is not printed'
# (18) holds on all curves of one family, and the other has none of it: w_2 = -w'_1, w_1 = -w'_1.
value /curves/without_mode/time /curves/without_mode/constrained_time | awk '
    $1 == $1 + 0 && $1 > 0.3 { points++; w = sqrt((3 - sqrt(5))/2); c = sqrt(2)
        e = w*cos(w*$1)*sin(c*$2) + c*cos(c*$2)*sin(w*$1); if (e*e > 1e-16) bad++ }
    END { exit !(points > 100) || bad > 0 }' || fail 'the curves without mode N are not those of (18)'
# Closed form of the crossings that are no roots: the slow mode and the constrained one turn at once.
value /crossings/time /crossings/constrained_time /crossings/spurious | awk '
    $3 { n++; w = sqrt((3 - sqrt(5))/2); d = sin(w*$1); e = sin(sqrt(2)*$2); if (d*d + e*e > 1e-18) bad++ }
    END { exit n != 3 || bad > 0 }' || fail 'the crossings without a root lie elsewhere'

# followed ARGUMENT...: the motion is followed by events, loses nothing, returns.
followed() {
    run "$@"
    reads 'energy_lost >= 0 & energy_lost < 1e-12 & return_distance < 1e-8 in /simulation' 1 "followed motion of $*"
}
printf '1 0\n0 1\n' >"$scratch/M.txt"
printf '1 -1\n-1 1\n' >"$scratch/K.txt"
followed "${general[@]}" --constrained-parity even # hopping, without an equilibrium in flight
followed "${general[@]}" --parity odd --constrained-parity even # between two walls
is "$(text /solution_00/size_given_by)" amplitude 'size without a static force'
printf '1 0\n0 2\n' >"$scratch/M.txt"
printf '1 -1\n-1 0\n' >"$scratch/K.txt"
followed "${general[@]}" --parity odd --constrained-parity odd # a wheel on its spokes
followed --spectrum=-0.8,1.3 --constrained-spectrum=0.4 # rocking on two feet
followed --spectrum=-2,-0.5,1.1,3.1 --constrained-spectrum=-1.3,0.35,1.7

# --- layout, empty boxes ----------------------------------------------------------------------------

run "${standing[@]}" --max-time 9 --max-solutions 2 --samples 11
has /roots/{time,constrained_time,realizable,minimum_force_ratio,minimum_gap,residual,smallest_singular_value} \
    /solution_01/{amplitudes,constrained_amplitudes,spectrum,constrained_spectrum,normalisation,static_force} \
    /solution_01/{time,position,velocity,acceleration,force_ratio,phase} /system/{mass,stiffness}
absent /solution_02/time
grep -q 'written for the first 2 of' "$scratch/stdout" || fail 'motions left out are not announced'
reads 'rows(/solution_01/time)' 11 'instants'

# nothing WORD ARGUMENT...: no root, no failure, a line that says so and a record with the reason.
nothing() {
    local word=$1
    shift
    run "$@"
    reads /roots/count 0 "roots of $*"
    grep -qF "$word" "$scratch/stdout" || fail "no root, and stdout does not say \"$word\": $*"
    [[ -n $(text /roots/reason) ]] || fail "no root, and the record has no reason: $*"
}
nothing 'no mode oscillates in contact' --spectrum=-3,-1,2 --constrained-spectrum=-2,-0.1
nothing 'no mode oscillates in contact' --spectrum=-3,-1,2 --constrained-spectrum=-2,0 --constrained-parity even
nothing 'no root in the box' "${standing[@]}" --max-time 0.9
nothing 'no root in the box' "${standing[@]}" --max-time 0.9 --subdivision --curves

# --- refusals -----------------------------------------------------------------------------------------

# Another unit of time, 2^20 s: the same roots, and the same motion followed by events, digit by digit.
printf '1 0\n0 1\n' >"$scratch/M.txt"
for exponent in 0 20 -20; do
    awk -v e="$exponent" '{ printf "%.17g %.17g\n", $1*4^e, $2*4^e }' >"$scratch/K.txt" <<<$'2 -1\n-1 1'
    least=$(awk -v e="$exponent" 'BEGIN { printf "%.17g", 0.125/2^e }')
    most=$(awk -v e="$exponent" 'BEGIN { printf "%.17g", 8/2^e }')
    run --mass-file "$scratch/M.txt" --stiffness-file "$scratch/K.txt" --parity even \
        --constrained-parity even --min-time "$least" --max-time "$most" --contact-level=-1
    value /roots/time /roots/constrained_time | awk -v e="$exponent" '{ printf "%.17g %.17g\n", $1*2^e, $2*2^e }'
    value /roots/realizable /roots/minimum_gap
    value /simulation/return_distance
    echo
done >"$scratch/units"
awk 'BEGIN { RS = "" } { seen[$0]++; rows = NF } END { exit !(length(seen) == 1 && seen[$0] == 3 && rows > 9) }' \
    "$scratch/units" || fail 'another unit of time gives other motions'

# A box beyond what the document's statements can be decided on: the roots all the same.
run --max-time 60 --max-constrained-time 41 --max-boxes 2000 --max-solutions 3
reads '/roots/count > 3' 1 'roots in a large box'
reads /roots/is_complete 0 'completeness of a search that was ended'
grep -qx 'collisionless: --max-boxes 2000 were not enough' "$scratch/stdout" || fail 'it is not said why it ended'
grep -q 'their crossings are not looked for' "$scratch/stderr" || fail 'left out crossings are not announced'

two=(--spectrum 1,3 --constrained-spectrum 2)

# A system given twice, by halves, or with other sizes.
refuse 2 'together' "${general[@]}" "${two[@]}"
refuse 2 'without --mass-file' --stiffness-file "$scratch/K.txt"
refuse 2 'without --stiffness-file' --mass-file "$scratch/M.txt"
refuse 2 'without --spectrum' --constrained-spectrum 1
refuse 2 'without --constrained-spectrum' --spectrum 1,2
refuse 2 '= 2, accepted one less than that of --spectrum, 1' --spectrum 1,3 --constrained-spectrum 2,4
refuse 2 'contact-coordinate is 3, more than the 2 rows' "${general[@]}" --contact-coordinate 3
refuse 2 'contact-coordinate must not be negative' "${general[@]}" --contact-coordinate -1
refuse 2 'contact-coordinate without' "${two[@]}" --contact-coordinate 1
refuse 2 'inverse-mass without' "${general[@]}" --inverse-mass 2
refuse 2 'inverse-mass must be positive' "${two[@]}" --inverse-mass 0

# Matrices that are no system. matrix TEXT: written to bad.txt.
matrix() {
    printf '%b' "$1" >"$scratch/bad.txt"
}
bad_mass=(--mass-file "$scratch/bad.txt" --stiffness-file "$scratch/K.txt")
bad_stiffness=(--mass-file "$scratch/M.txt" --stiffness-file "$scratch/bad.txt")
matrix '1 0.3\n0.2 1\n'
refuse 2 'symmetric is not: mass' "${bad_mass[@]}"
refuse 2 'symmetric is not: stiffness' "${bad_stiffness[@]}"
matrix '1 2\n2 1\n'
refuse 2 'mass, not positive definite' "${bad_mass[@]}"
matrix '1 0 0\n0 1 0\n0 0 1\n'
refuse 2 'the rows of --stiffness-file are 3, those of --mass-file 2' "${bad_stiffness[@]}"
matrix '1 0\n0 one\n'
refuse 2 'line 2' "${bad_mass[@]}"
matrix '1 0\n0\n'
refuse 2 'line 2: row 2 has 1 number' "${bad_mass[@]}"
matrix '1\n'
refuse 2 'coordinates = 1' --mass-file "$scratch/bad.txt" --stiffness-file "$scratch/bad.txt"
matrix '1 0\n0 2\n'
refuse 2 'modes coupled to the contact = 1' --mass-file "$scratch/M.txt" --stiffness-file "$scratch/bad.txt"
refuse 2 'no.txt' --mass-file "$scratch/no.txt" --stiffness-file "$scratch/K.txt"

# Spectra that do not interlace: the pair is named.
refuse 2 "lambda_1 = 1 is not below lambda'_1 = 0.5" --spectrum 1,3 --constrained-spectrum 0.5
refuse 2 "lambda'_1 = 4 is not below lambda_2 = 3" --spectrum 1,3 --constrained-spectrum 4
refuse 2 "lambda'_1 = 3 is not below lambda_2 = 3" --spectrum 1,3 --constrained-spectrum 3
refuse 2 "lambda_2 = 0 is not below lambda'_2 = -0.5" --spectrum=-2,0,3 --constrained-spectrum=-1,-0.5
refuse 2 'not interlace' --spectrum 3,1 --constrained-spectrum 2
refuse 2 'spectrum entry 2 must be finite' --spectrum 1,nan --constrained-spectrum 2
refuse 2 'spectrum entry 2' --spectrum 1,x --constrained-spectrum 2

# Parities.
refuse 2 '--parity: word 1 is "straight", even or odd accepted' "${two[@]}" --parity straight
refuse 2 'word 2 is "strange"' "${two[@]}" --parity even,strange
refuse 2 'word 1 is ""' "${two[@]}" --parity ,odd
refuse 2 'needs a value' "${two[@]}" --parity ''
refuse 2 '--parity: the number of words is 3' "${two[@]}" --parity even,odd,even
refuse 2 '--constrained-parity: the number of words is 2' "${two[@]}" --constrained-parity even,odd
refuse 2 '--constrained-parity: word 1 is "Even"' "${two[@]}" --constrained-parity Even

# Boxes, sizes, numbers.
refuse 2 '--min-time = 3 s, accepted below --max-time = 2 s' "${two[@]}" --min-time 3 --max-time 2
refuse 2 '--min-time = 2 s, accepted below' "${two[@]}" --min-time 2 --max-time 2
refuse 2 '--min-constrained-time = 5 s, accepted below --max-constrained-time = 4 s' "${two[@]}" --min-constrained-time 5 --max-constrained-time 4
refuse 2 'min-time must be positive' "${two[@]}" --min-time 0
refuse 2 'max-time must be finite' "${two[@]}" --max-time inf
refuse 2 'max-time must be positive' "${two[@]}" --max-time=-1
refuse 2 'together with --contact-level' "${two[@]}" --static-force 1 --contact-level 1
refuse 2 '--static-force = 0 N, accepted not 0' "${two[@]}" --static-force 0
refuse 2 '--contact-level = 0 m, accepted not 0' "${two[@]}" --contact-level 0
free=(--spectrum 0,3 --constrained-spectrum 2)
refuse 2 '--contact-level of a singular stiffness' "${free[@]}" --contact-level 1
refuse 2 '--static-force of a free mode' "${free[@]}" --static-force 1 --parity odd
refuse 2 '--static-force of a free mode' --spectrum=-1,1,3 --constrained-spectrum 0,2 \
    --static-force 1 --constrained-parity even
refuse 2 'samples must lie in [4, 100000], got 3' "${two[@]}" --samples 3
refuse 2 'samples must lie in [4, 100000], got 2000000000' "${two[@]}" --samples 2000000000
refuse 2 'max-boxes must be positive' "${two[@]}" --max-boxes 0
refuse 2 'max-solutions must not be negative' "${two[@]}" --max-solutions -1
refuse 2 '--max-time = 1e+09' --spectrum=-1,3 --constrained-spectrum 2 --max-time 1e9
refuse 2 'cells of the box of impact times = ' --spectrum=-1,3 --constrained-spectrum 2 --max-time 1e5
for value in 1e9 8e307 1e308; do
    refuse 2 'at most 1e8 rad' --max-time "$value"
    refuse 2 'at most 1e8 rad' --max-constrained-time "$value"
done
for value in 1e155 1e308; do
    refuse 2 'size of the motion' --static-force "$value"
    refuse 2 'size of the motion' --contact-level "$value"
done
refuse 2 'unknown option' "${two[@]}" --step 1
refuse 2 'takes no value' "${two[@]}" --subdivision=yes
refuse 2 'cannot be written' "${two[@]}" --output "$scratch/nowhere/record.h5"

[[ $("$bin/collisionless" --help) == *'--constrained-spectrum NUMBER'* ]] || fail '--help is short'
