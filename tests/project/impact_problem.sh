#!/bin/bash
# The general tool for impacts, on problems with closed forms and on those of halm-2023, by every
# law; what it says of velocities that separate and of jammed configurations; and every refusal.
# usage: tests/project/impact_problem.sh [PROGRAM_FOLDER]
set -uo pipefail

source "$(dirname "$0")/../support.sh"
examples=$(dirname "$0")/../../data/examples
# problem NAME MASS NORMAL TANGENTIAL FRICTION VELOCITY: a file; \n between rows
problem() {
    printf 'mass\n%b\nnormal\n%b\ntangential\n%b\nfriction\n%b\nvelocity\n%b\n' "${@:2}" \
        >"$scratch/$1.txt"
}

# --- closed forms ---------------------------------------------------------------------------------
# The example, a rod: Routh's impact reverses the slip; Anitescu and Potra's, in one step, differs.
# Values: our specification of the paper, 4.4, as printed there.
run
near '/routh/end/tangential_velocity[0,0]' -0.268879 5e-7
near '/routh/end/normal_impulse[0,0]' 0.480029 5e-7
near '/routh/end/normal_velocity[0,0]' 0 1e-14
near '/simultaneous/tangential_velocity[0,0]' -0.120855 5e-7
near '/inclusion/equal/tangential_velocity[-1,0]' -0.268879 5e-7
near '/inclusion/equal/impulse[-1]' 0.480029 5e-7
near /set/fraction_finished 1 0
reads /set/unsolved_count 0 'unsolved increments of the rod'

reads /set/energy_rise_count 0 'increments of the rod that raise energy'
reads '/problem/friction[0]' 0.25 'friction of the rod'
cp "$scratch/record.h5" "$scratch/rod.h5"

# The example as a file, wherever it lies: the same record.
run --problem "$examples/rod.txt"
cmp -s "$scratch/record.h5" "$scratch/rod.h5" || fail 'rod.txt is not the example'
sed 's/#.*//; s/$/\r/; s/^0 1 0\r$/0,1, 0\r/' "$examples/rod.txt" >"$scratch/a name with blanks"
run --problem "$scratch/a name with blanks"
cmp -s "$scratch/record.h5" "$scratch/rod.h5" || fail 'the record depends on how the file is written'

# Small increments lead to Routh's impact: the error is that of the step in which the slip reverses.
for h in 0.05 0.005 0.0005; do
    run --law sampling --samples 1 --impulse-step "$h" --trajectory-length 5000
    near '/set/tangential_velocity[0,0]' -0.268879 "$(awk "BEGIN { print 0.5*$h }")"
done

# The block of the paper, table 4: closed forms of our specification, 3.1.
block=(--problem "$examples/block.txt" --impulse-step 0.3 --trajectory-length 10)
v0=0.44294469180700204
run "${block[@]}" --samples 4096
near /simultaneous/count 1 0
near '/simultaneous/kinetic_energy[0]' 0 1e-15
near '/sequential/left_first/normal_velocity[1,0]' "$(awk "BEGIN { printf \"%.17g\", 0.21*$v0 }")" 1e-13
near '/sequential/right_first/normal_velocity[1,1]' "$(awk "BEGIN { printf \"%.17g\", 0.21*$v0 }")" 1e-13
near /bounds/theorem_8_count 64 0
near /bounds/unit_free_count 18 0
near /bounds/psi 22.73656 5e-6
value /set/normal_velocity | awk -v top="$(awk "BEGIN { print 0.21*$v0 }")" '
    { low = $1 < $2 ? $1 : $2; high = $1 < $2 ? $2 : $1
      if ((low < 0 ? -low : low) > 1e-8 || high > top + 1e-6) bad++ }
    END { exit !(NR == 4096 && bad == 0) }' || fail 'the set of the block is not its two segments'
# The inclusion has the same set, and its length is v0 + a/2 for the rise a (m = 1 kg).
value /inclusion/random/normal_velocity /inclusion/random/impulse | awk -v v0="$v0" '
    { a = $1 + $2; d = $3 - v0 - a/2; if (d*d > 1e-22) bad++; if (a > 0.01) far++ }
    END { exit !(NR == 256 && bad == 0 && far > 50) }' || fail 'lengths of the inclusion of the block'
near /set/modes/SS 0.33 0.04 'share of samples of the block that come to rest'

# Box and wall, leaning by 10 degrees (3.4): rest, and the sequence that begins at the wall.
awk 'BEGIN { d = atan2(0, -1)/18; c = cos(d); s = sin(d)
    ax = 0.5*c - 0.5*s; ay = -0.5*s - 0.5*c; bx = 0.5*c + 0.5*s; by = -0.5*s + 0.5*c
    printf "mass\n1 0 0\n0 1 0\n0 0 %.17g\nnormal\n0 1 %.17g\n-1 0 %.17g\n", 1/6, ax, by
    printf "tangential\n1 0 %.17g\n0 -1 %.17g\nfriction\n1\nvelocity\n1 0 0\n", -ay, -bx }' \
    >"$scratch/box.txt"
run --problem "$scratch/box.txt" --impulse-step 2 --trajectory-length 5
near /simultaneous/count 1 0
near '/simultaneous/kinetic_energy[0]' 0 1e-14
near '/sequential/B_first/normal_velocity[0,0]' -0.10564229 5e-9
near '/sequential/B_first/tangential_velocity[1,0]' 0.30576481 5e-9
near '/sequential/B_first/normal_velocity[1,1]' 0.10564229 5e-9
near '/sequential/B_first/kinetic_energy[1]' 0.03093145 5e-9
near /bounds/theorem_8_c 24 0

# Compass gait (3.3): three solutions, of which Lemke's method finds one; all selections run.
awk 'BEGIN { pi = atan2(0, -1); a = -78*pi/180; b = -a; w = 0.25
    ca = cos(a); sa = sin(a); cb = cos(b); sb = sin(b)
    printf "mass\n2 0 %.17g %.17g\n0 2 %.17g %.17g\n", ca/2, cb/2, sa/2, sb/2
    printf "%.17g %.17g 0.25 0\n%.17g %.17g 0 0.25\n", ca/2, sa/2, cb/2, sb/2
    printf "normal\n0 1 %.17g 0\n0 1 0 %.17g\ntangential\n1 0 %.17g 0\n1 0 0 %.17g\n", sa, sb, ca, cb
    printf "friction\n5 5\nvelocity\n%.17g %.17g %.17g %.17g\n", -cb*w, -sb*w, w, w }' \
    >"$scratch/compass.txt"
compass=(--problem "$scratch/compass.txt" --impulse-step 0.25 --trajectory-length 5)
run "${compass[@]}" --law anitescu-potra-all
near /simultaneous/count 3 0
value /simultaneous/normal_velocity /simultaneous/tangential_velocity /simultaneous/kinetic_energy \
    | sort -g -k5 | awk '
    function off(x, y) { return x - y > 1e-8 || y - x > 1e-8 }
    NR == 1 { bad += off($2, 0) + off($4, 0) + off($5, 0) }
    NR == 2 { bad += off($2, 0) + off($4, 0.12849043) + off($5, 0.02799807) }
    NR == 3 { bad += off($2, 0.09955518) + off($4, 0.19801960) + off($5, 0.04538818) }
    { bad += off($1, 0) + off($3, 0) }
    END { exit !(NR == 3 && bad == 0) }' || fail 'the three outcomes of the compass gait'
run "${compass[@]}" --law anitescu-potra
near /simultaneous/count 1 0
for selection in lemke lemke-scaled lemke-random-cover random first all; do
    run "${compass[@]}" --law sampling --samples 300 --selection "$selection"
    reads /set/unsolved_count 0 "unsolved increments with --selection $selection"
    reads /set/energy_rise_count 0 "rising energy with --selection $selection"
done
reads '/set/count > 400' 1 'branches of the compass gait'
reads /set/sample_count 300 'samples of the branches'
for sampling in uniform sobol simplex corners; do
    run "${compass[@]}" --law sampling --samples 300 --sampling "$sampling" --final-step 1e-6
    reads /set/unsolved_count 0 "unsolved increments with --sampling $sampling"
done

# A ball in space that slides through the whole impact: nothing couples, so that friction takes
# mu |v_n| (c_tt/c_nn) off its slip, along it: c_tt/c_nn = 7/2 for a solid ball.
run --problem "$examples/ball.txt" --law routh
read -r x y < <(awk 'BEGIN { x = 0.5; y = 0.1; g = sqrt(x*x + y*y); f = 1 - 0.3*2*3.5/g
    f = f < 0 ? 0 : f; printf "%.17g %.17g\n", x*f, y*f }')
near '/routh/A/tangential_velocity[0,0]' "$x" 1e-12
near '/routh/A/tangential_velocity[0,1]' "$y" 1e-12
sed 's/^0.3/0.05/' "$examples/ball.txt" >"$scratch/slide.txt"
run --problem "$scratch/slide.txt"
read -r x y < <(awk 'BEGIN { x = 0.5; y = 0.1; f = 1 - 0.05*2*3.5/sqrt(x*x + y*y)
    printf "%.17g %.17g\n", x*f, y*f }')
near '/routh/A/tangential_velocity[0,0]' "$x" 1e-12
near '/routh/A/tangential_velocity[0,1]' "$y" 1e-12
# Polyhedral cones err by the angle between facets: quadratically less with more of them.
run --problem "$scratch/slide.txt" --law anitescu-potra --facets 64
near '/simultaneous/tangential_velocity[0,0]' "$x" 0.02
absent /inclusion/equal/impulse

# --- restitution ----------------------------------------------------------------------------------
# Newton's cradle: three equal balls in a row, the first one comes with 1 m/s. Reflections pass its
# velocity on, Newton and Moreau's law throws both others and it back; R = 0.7 loses 34 %.
problem cradle '2 0 0\n0 2 0\n0 0 2' '-1 1 0\n0 -1 1' '0 0 0\n0 0 0' 0 '1 0 0'
cradle=(--problem "$scratch/cradle.txt")
run "${cradle[@]}" --samples 50
near /propagative/count 1 0
near '/propagative/outcome_00/velocity[0]' 0 1e-15
near '/propagative/outcome_00/velocity[2]' 1 1e-15
near '/propagative/outcome_00/momentum[2]' 2 1e-15
for i in 0 1; do
    reads "/propagative/outcome_00/sequence[$i]" "$i" 'sequence of the cradle'
done
reads 'rows(/propagative/outcome_00/sequence)' 2 'sequence of the cradle'
near '/propagative/pairs/cosine[0]' -0.5 1e-15
near /propagative/is_unique_always 1 0
near '/newton_moreau/velocity[0,0]' -0.33333333333333333 1e-15
near '/newton_moreau/velocity[0,1]' 0.66666666666666667 1e-15
near '/newton_moreau/velocity[0,2]' 0.66666666666666667 1e-15
near /newton_moreau/gains_energy 0 0
near '/simultaneous/velocity[0,0]' 0.33333333333333333 1e-15
run "${cradle[@]}" --law newton-moreau --restitution 0
near '/newton_moreau/velocity[0,0]' 0.33333333333333333 1e-15
for rule in most least index cyclic random all; do
    run "${cradle[@]}" --law propagative --rule "$rule" --restitution 0.7 --first 1
    near '/propagative/outcome_00/velocity[0]' 0.1 1e-15
    near '/propagative/outcome_00/velocity[2]' 0.8 1e-15
    near /propagative/outcome_00/energy_change -0.34 1e-15
    absent /newton_moreau/count
done
# The rules begin where they say: balls that approach with 1 and 2 m/s.
sed 's/^1 0 0$/3 2 0/' "$scratch/cradle.txt" >"$scratch/both.txt"
for case in 'most 1' 'least 0' 'index 0' 'cyclic 1'; do
    run --problem "$scratch/both.txt" --law propagative --rule "${case% *}" --first 1
    reads '/propagative/outcome_00/sequence[0]' "${case#* }" "first contact by the rule ${case% *}"
    reads /propagative/outcome_00/length 3 "reflections by the rule ${case% *}"
done
first=()
for seed in 1 2 3 4 5 6 7 8; do
    run --problem "$scratch/both.txt" --law propagative --rule random --seed "$seed"
    first[$(value '/propagative/outcome_00/sequence[0]')]=met
done
is "${!first[*]}" '0 1' 'first contacts by the random rule and eight seeds'
# The block falls flat, each corner first: u, v = (0, 1, -+1/2) and I = 5/12, so that (u,v) = 1 - 3/5,
# |u|^2 = 1 + 3/5, c = 1/4; xi = 4 |c| a sqrt(2 - 2 c)/|p| with a = v0/sqrt(1.6) and |p| = v0.
run --problem "$examples/block.txt" --law propagative
near /propagative/count 2 0
near /propagative/is_unique 0 0
near '/propagative/pairs/cosine[0]' 0.25 1e-15
near /propagative/indeterminacy 0.96824583655185422 1e-14
near /propagative/outcome_00/kinetic_energy "$(awk "BEGIN { printf \"%.17g\", 0.5*$v0*$v0 }")" 1e-15
is "$(value /propagative/outcome_0{0,1}/sequence)" $'0\t1\n1\t0' 'sequences of the block'
# A contact given twice, with a normal three times as long: its outcome is that of one.
problem twice '1 0\n0 1' '0 1\n0 3' '1 0\n1 0' 0 '0.5 -1'
run --problem "$scratch/twice.txt" --samples 50
near /propagative/count 1 0
near /propagative/sequence_count 2 0
near '/propagative/outcome_00/velocity[1]' 1 1e-15
near '/newton_moreau/velocity[0,1]' 1 1e-14
run --problem "$scratch/twice.txt" --law propagative --restitution 0.25
near '/propagative/outcome_00/velocity[1]' 0.25 1e-15
# Contacts that cannot separate: the other laws go on.
run --problem "$examples/wedge.txt" --trajectory-length 30 --samples 50
grep -q 'propagative: .*contacts that cannot be separated at once' "$scratch/stdout" \
    || fail 'contacts that cannot separate are not announced'
grep -aq 'contacts that cannot be separated at once' "$scratch/record.h5" \
    || fail 'the record does not say why the propagative law fails'
absent /propagative/count
near '/newton_moreau/velocity[0,0]' 0.5 1e-14
# Friction and restitution add energy, and that is said: C = [1 1/2; 1/2 1], c- = -(1, 1/2).
problem paradox '1.3333333333333333 -0.66666666666666663\n-0.66666666666666663 1.3333333333333333' \
    '1 0' '0 1' 0.3 '-1 -0.5'
run --problem "$scratch/paradox.txt" --law newton-moreau
grep -q 'newton_moreau: the kinetic energy rises' "$scratch/stdout" || fail 'a gain of energy is not announced'
near /newton_moreau/gains_energy 1 0
near '/newton_moreau/kinetic_energy[0]' 0.66666666666666667 1e-14
run --problem "$scratch/paradox.txt" --law newton-moreau --quiet
is "$(cat "$scratch/stdout")" '' 'what --quiet prints of a gain of energy'
# In space, and with more sequences than are listed.
run --problem "$examples/ball.txt" --law newton-moreau --restitution 0.5
near '/newton_moreau/normal_velocity[0,0]' 1 1e-14
run --problem "$examples/ball.txt" --law propagative
near '/propagative/outcome_00/velocity[2]' 2 1e-15
near '/propagative/outcome_00/velocity[0]' 1.5 0
awk 'BEGIN { n = 9; for (s = 0; s < 2; s++) { print s ? "normal" : "mass"
    for (i = 0; i < n; i++) { for (j = 0; j < n; j++) printf "%d ", i == j; print "" } }
    print "tangential"; for (i = 0; i < n; i++) { for (j = 0; j < n; j++) printf "0 "; print "" }
    print "friction\n0\nvelocity"; for (i = 0; i < n; i++) printf "-1 "; print "" }' >"$scratch/nine.txt"
run --problem "$scratch/nine.txt" --law propagative --rule index
reads /propagative/outcome_00/length 9 'reflections of nine orthogonal contacts'
# All subsets of the contacts, and their 9! orders, of which the first are listed.
run --problem "$scratch/nine.txt" --law propagative --momenta 512
reads /propagative/momentum_count 512 'momenta of nine orthogonal contacts'
reads /propagative/sequence_count 362880 'sequences of nine orthogonal contacts'
reads 'rows(/propagative/sequences/length)' 4096 'sequences that are listed'
grep -q 'the first 4096 of 362880 sequences are listed' "$scratch/stdout" \
    || fail 'it is not said that sequences are left out'
# Without restitution both orders of the block end in the one plastic impact.
run --problem "$examples/block.txt" --law propagative --restitution 0
near /propagative/count 1 0
near /propagative/is_unique 1 0
near /propagative/sequence_count 2 0
near '/propagative/outcome_00/normal_velocity[0]' 0 1e-15
near '/propagative/outcome_00/normal_velocity[1]' 0 1e-15
absent /propagative/outcome_01/length

# Contacts without friction need no tangents: of three equal balls the last one leaves, or, without
# restitution, all three go on together.
printf 'mass\n1 0 0\n0 1 0\n0 0 1\nnormal\n-1 1 0\n0 -1 1\nvelocity\n1 0 0\n' >"$scratch/bare.txt"
run --problem "$scratch/bare.txt"
near '/propagative/outcome_00/velocity[2]' 1 1e-15
near '/simultaneous/velocity[0,0]' 0.3333333333333333 1e-15
near '/simultaneous/velocity[0,2]' 0.3333333333333333 1e-15
near '/routh/A/normal_velocity[0,0]' 0 1e-15

# --- orders, names, groups, planes ----------------------------------------------------------------
problem three '1 0 0\n0 1 0\n0 0 0.3' '0 1 -0.5\n0 1 0.1\n0 1 0.6' '1 0 1\n1 0 1\n1 0 1' 0.8 '0.1 -1 0.2'
run --problem "$scratch/three.txt" --law sequential --orders all
for order in A_B_C A_C_B B_A_C B_C_A C_A_B C_B_A; do
    has "/sequential/$order/finished"
done
run --problem "$scratch/three.txt" --law sequential
for order in A B C; do
    has "/sequential/${order}_first/finished"
done
run --problem "$scratch/three.txt" --samples 500
for plane in normal_A_B contact_A contact_B contact_C; do
    reads "rows(/set/paths/$plane/x) > 10" 1 "paths in the plane $plane"
    reads "rows(/set/points/$plane/x) > 0" 1 "points in the plane $plane"
done
near 'sum(/set/modes/fraction)' 1 5e-10 'all modes'
reads 'sum(/set/increment_histogram)' 500 'the histogram'

# Each law alone writes its group, and no other.
for law in routh anitescu-potra anitescu-potra-all sequential sampling inclusion bounds \
    propagative newton-moreau compliant; do
    run "${block[@]}" --law "$law" --samples 50 --paths 5
    for probe in routh:/routh/left/count simultaneous:/simultaneous/count \
        sequential:/sequential/left_first/finished sampling:/set/count \
        inclusion:/inclusion/random/impulse bounds:/bounds/psi \
        propagative:/propagative/count newton-moreau:/newton_moreau/count \
        compliant:/compliant/count; do
        case "$law:${probe%%:*}" in
            routh:routh | sequential:sequential | sampling:sampling | inclusion:inclusion \
                | anitescu-potra*:simultaneous | bounds:bounds | sampling:bounds \
                | propagative:propagative | newton-moreau:newton-moreau | compliant:compliant)
                has "${probe#*:}"
                ;;
            *) absent "${probe#*:}" ;;
        esac
    done
done

# Springs and dashpots give back the part of the speed that restitution says.
problem drop '2 0\n0 2' '0 1' '1 0' 0 '0.3 -1'
run --problem "$scratch/drop.txt" --law compliant --restitution 0.37
near '/compliant/normal_velocity[0,0]' 0.37 1e-7

# --- what is said ---------------------------------------------------------------------------------
# A velocity that separates stays as it is, by every law, and that is said.
sed 's/^0.3 -1 0$/0.3 0.25 0/' "$examples/rod.txt" >"$scratch/apart.txt"
run --problem "$scratch/apart.txt"
grep -q 'no contact is colliding: the velocity stays' "$scratch/stdout" || fail 'a separating velocity is not announced'
reads /before/is_colliding 0 'a separating velocity is colliding'
reads /set/mean_increments 0 'increments of a separating velocity'
reads '/set/final_velocity[0,1]' 0.25 'a separating velocity after the impact'
reads '/simultaneous/velocity[0,0] == /before/velocity[0]' 1 'by Anitescu and Potra'
reads '/routh/end/velocity[0,0] == /before/velocity[0]' 1 'by Routh'
reads /sequential/end_first/stage_count 0 'stages of a separating velocity'
reads /propagative/outcome_00/length 0 'reflections of a separating velocity'
reads '/newton_moreau/velocity[0,0] == /before/velocity[0]' 1 'by Newton and Moreau'
run --problem "$scratch/apart.txt" --quiet
is "$(cat "$scratch/stdout")" '' 'what --quiet prints'

# A jammed configuration: samples end after N increments, there are no bounds, and that is said.
run --problem "$examples/wedge.txt" --trajectory-length 30
grep -q 'jammed' "$scratch/stdout" || fail 'a jammed configuration is not announced'
reads /bounds/is_available 0 'bounds of a jammed configuration'
absent /bounds/psi
value /set/increments | awk '$1 > 30 { exit 1 }' || fail 'a jammed sample goes on'
run --problem "$examples/wedge.txt" --law sampling --trajectory-length 30
reads /bounds/is_available 0 'bounds of a jammed configuration, sampled alone'

# A contact that no impulse moves: Routh's law has no outcome and says so, the others go on.
problem stiff '1 0\n0 1' '0 0\n0 1' '1 0\n1 0' 0.8 '1 -1'
run --problem "$scratch/stiff.txt" --samples 50
grep -q 'routh: a value is outside its admissible range' "$scratch/stdout" || fail 'a law that fails does not say so'
grep -aq 'range: response of a contact' "$scratch/record.h5" || fail 'the record does not say why Routh fails'
near '/simultaneous/normal_velocity[0,1]' 0 1e-14

# The bytes do not depend on the number of threads.
threads_agree "${compass[@]}" --samples 1000 --selection random --seed 5

# --- refusals -------------------------------------------------------------------------------------
# malformed WORD MASS NORMAL TANGENTIAL FRICTION VELOCITY: such a file, with its name in the sentence.
malformed() {
    problem bad "${@:2}"
    refuse 2 "bad.txt: a text is malformed: $1" --problem "$scratch/bad.txt"
}
M='2 0\n0 3'
N='0 1'
T='1 0'
V='0.5 -1'
malformed 'line 3: row 2 of mass has 3 numbers, 2 expected' '2 0\n0 3 1' "$N" "$T" 0.5 "$V"
malformed 'line 1: mass has 1 row of 2 numbers, 2 rows expected' '2 0' "$N" "$T" 0.5 "$V"
malformed 'line 5: rows of normal have 3 numbers, 2 expected as in mass' "$M" '0 1 0' "$T" 0.5 "$V"
malformed 'line 6: tangential has 3 rows, 1 (plane) or 2 (space) expected' "$M" "$N" '1 0\n0 1\n1 1' 0.5 "$V"
malformed 'line 8: friction has 2 numbers, 1 expected' "$M" "$N" "$T" '0.5 0.5' "$V"
malformed 'line 10: velocity has 3 numbers, 2 expected' "$M" "$N" "$T" 0.5 '1 2 3'
malformed 'line 3: mass is not symmetric: row 2, entry 1 is 0.5, row 1, entry 2 is 0' '2 0\n0.5 3' "$N" "$T" 0.5 "$V"
malformed 'line 3: mass is not positive definite: pivot -3 in row 2' '2 0\n0 -3' "$N" "$T" 0.5 "$V"
malformed 'line 3: mass is not positive definite' '1 1\n1 1' "$N" "$T" 0.5 "$V"
malformed 'the numbers are too large or too small: largest entry of the Delassus matrix = 1e+300, accepted where squares' '1e-300 0\n0 1e-300' "$N" "$T" 0.5 "$V"
malformed 'the numbers are too large or too small: kinetic energy = 0, accepted 0 at rest, or' "$M" "$N" "$T" 0.5 '1e-200 -1e-200'
malformed 'line 9: friction, entry 1, -0.5 is negative' "$M" "$N" "$T" -0.5 "$V"
malformed 'line 11: velocity, entry 2, "nan" is not finite' "$M" "$N" "$T" 0.5 '1 nan'
malformed 'line 2: row 1 of mass, entry 1, "inf" is not finite' 'inf 0\n0 3' "$N" "$T" 0.5 "$V"
malformed 'line 11: velocity, entry 2, "1e999" is not finite' "$M" "$N" "$T" 0.5 '1 1e999'
malformed 'line 11: velocity, entry 1, "1;5" is not' "$M" "$N" "$T" 0.5 '1;5'
malformed 'line 4: section normal is empty: no contacts' "$M" '' "$T" 0.5 "$V"
malformed 'line 12: second section mass, the first is in line 1' "$M" "$N" "$T" 0.5 "$V\nmass\n$M"
malformed 'line 12: "weight" is no section' "$M" "$N" "$T" 0.5 "$V\nweight\n$M"
malformed 'line 13: names, entry 1, "a/b" is no name' "$M" "$N" "$T" 0.5 "$V\nnames\na/b"
printf 'normal\n0 1\ntangential\n1 0\nfriction\n1\nvelocity\n0 -1\n' >"$scratch/bad.txt"
refuse 2 'there is no section mass' --problem "$scratch/bad.txt"
printf '' >"$scratch/bad.txt"
refuse 2 'bad.txt: a text is malformed: is empty' --problem "$scratch/bad.txt"
head -c 5000 "$bin/impact_problem" >"$scratch/bad.txt"
refuse 2 'is not a text file' --problem "$scratch/bad.txt"
refuse 2 'cannot be read' --problem "$scratch/no such file.txt"
refuse 2 'cannot be read' --problem "$scratch"

# What options must not say.
refuse 2 '--law must be one of' --law newton
refuse 2 '--orders must be one of' --orders any
refuse 2 '--selection must be one of' --selection best
refuse 2 '--sampling must be one of' --sampling halton
refuse 2 'samples must lie in [1, 134217728], got 0' --samples 0
refuse 2 'samples must lie in [1, 134217728], got 1000000000' --samples 1000000000
refuse 2 'trajectory-length must lie in [1, 100000]' --trajectory-length 1000000
refuse 2 'trajectory-length must lie in [1, 100000]' --trajectory-length 0
refuse 2 'impulse-step must be positive' --impulse-step 0
refuse 2 'final-step must not be negative' --final-step=-1
refuse 2 'branches must be positive' --branches 0
refuse 2 'paths must not be negative' --paths -1
refuse 2 'for --sampling sobol = 200' --sampling sobol --trajectory-length 200
refuse 2 'facets = 7, accepted even, >= 4' --problem "$examples/ball.txt" --facets 7
refuse 2 'facets = 2, accepted even, >= 4' --problem "$examples/ball.txt" --facets 2
refuse 2 '(--facets + 3) times the contacts' --problem "$examples/ball.txt" --facets 100000
refuse 2 'these are in space' --problem "$examples/ball.txt" --selection random
refuse 2 'these are 1 in space' --problem "$examples/ball.txt" --law inclusion
refuse 2 'these are 1 in space' --problem "$examples/ball.txt" --law anitescu-potra-all
refuse 2 'unknown option' --mass 1
refuse 2 'response of a contact' --problem "$scratch/stiff.txt" --law routh
refuse 2 'contacts that cannot be separated at once' --problem "$examples/wedge.txt" --law propagative
refuse 2 'length of a normal[0] = 0' --problem "$scratch/stiff.txt" --law propagative
refuse 1 'number of momenta = 511' --problem "$scratch/nine.txt" --law propagative --momenta 511
refuse 2 '--first = 2, accepted' "${cradle[@]}" --first 2
refuse 2 'first must not be negative' --first -1
refuse 2 'restitution must lie in [0, 1]' --restitution 1.5
refuse 2 'routh computes impacts without restitution; contact 0 has 0.5' --law routh --restitution 0.5
refuse 2 'sampling computes impacts without restitution' --law sampling --restitution 1
refuse 2 'restitution' --restitution nan
refuse 2 '--rule must be one of' --rule fastest
refuse 1 'jammed' --problem "$examples/wedge.txt" --law bounds
