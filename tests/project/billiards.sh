#!/bin/bash
# The billiard break: figure 5 against a reference table and closed forms written here, unequal
# balls against both orders of reflections written here, symmetries, and every refusal of its own.
# usage: tests/project/billiards.sh [PROGRAM_FOLDER]
set -uo pipefail

source "$(dirname "$0")/../support.sh"
# below PATH THRESHOLD: what is zero but for rounding.
below() {
    near "$1" 0 "$2" "$1"
}
small=(--angles 5 --map-angles 3 --map-ratios 3)

# Figure 5: xi by the closed form of two reflections, at all angles; two reflections but at the end.
run
below /measures/right_angle 1e-15
below /measures/inner_minimum 1e-15
value /billiard/angle /billiard/indeterminacy /billiard/closed_form /billiard/reflections_ab \
    /billiard/reflections_ba | awk '
    BEGIN { pi = atan2(0, -1); r = 1/sin(pi/12) - 1; mu = 1/(1 + r*r*r) }
    /nan/ { bad++ }
    { c = cos($1); c = c < 0 ? -c : c
      xi = 4*sqrt(2)*mu^1.5*c*cos($1/2)*sqrt(1 - mu*cos($1))
      if ((xi - $2)^2 > 1e-28 || (xi - $3)^2 > 1e-28) bad++
      last = $1; if ($4 != 2 || $5 != 2) odd++ }
    END { exit !(NR == 2001 && bad == 0 && odd == 1 && last > pi - 1e-15) }' \
    || fail 'the curve of figure 5'
near '/billiard/angle[0]' 0.52359877559829882 1e-15 'angle at which a and b touch'
near /measures/inner_minimum_angle 1.5707963267948966 1e-8 'the inner minimum'
# A maximum is flat: its place is known to the root of its rounding.
near /measures/local_maximum_angle 132.03607643 1e-5 'place of the local maximum'
near /measures/local_maximum 0.0128799265 6e-11 'local maximum'
reads 'count(indeterminacy >= indeterminacy[0]) in /billiard' 1 'the largest xi is the first'
# Figure 4 at 60 degrees: a above, b below, both r_a + r_c from c.
near '/drawing/x[0]' 3.3460652150 1e-9 'place of a'
near '/drawing/y[0]' 1.9318516526 1e-9 'height of a'
near '/drawing/y[1]' -1.9318516526 1e-9 'height of b'

# The reference table, all outcomes by the tree of sequences.
while read -r angle xi count; do
    run "${small[@]}" --angle "$angle"
    near /indeterminacy "$xi" 6e-11 "xi at $angle degrees"
    reads /count "$count" "outcomes at $angle degrees"
done <<'TABLE'
30 0.0383609137 2
45 0.0300587606 2
60 0.0200103442 2
75 0.0095365098 2
90 0 1
105 0.0073953866 2
120 0.0117913594 2
132.0361 0.0128799265 2
150 0.0106490008 2
170 0.0040873756 2
180 0 1
TABLE
run "${small[@]}" --angle 30
near '/pairs/half_opening[0]' "$(awk 'BEGIN { pi = atan2(0, -1)
    r = 1/sin(pi/12) - 1; c = cos(pi/6)/(1 + r*r*r)
    printf "%.17g", atan2(sqrt(1 - c*c), -c)/2 }')" 1e-14 'gamma where a and b touch'
# The outcomes of 60 degrees are mirror images: v_x of a and b change places.
run "${small[@]}"
near '/outcome_00/velocity[0]' "$(value '/outcome_01/velocity[2]')" 1e-14 'mirror image'
near '/outcome_00/velocity[1]' "$(awk -v v="$(value '/outcome_01/velocity[3]')" \
    'BEGIN { printf "%.17g", -v }')" 1e-14 'mirror image across'
near '/outcome_00/kinetic_energy' "$(value /before/kinetic_energy)" 1e-12 'energy'

# orders RADIUS_A RADIUS_B RADIUS_C: both orders of every angle, written down here in unit normals.
orders() {
    value /billiard/angle /billiard/indeterminacy /billiard/reflections_ab /billiard/reflections_ba \
        /billiard/closed_form | awk -v ra="$1" -v rb="$2" -v rc="$3" -v R="$4" '
    function follow(first,   i, s, n, lambda) {
        s[0] = a; s[1] = b; end[0] = 0; end[1] = 0; n = 0; i = first
        while (s[i] < -1e-12*sqrt(mc)) {
            lambda = -2*s[i]; end[i] += lambda; s[1 - i] += lambda*c; s[i] = -s[i]; i = 1 - i; n++ }
        return n }
    { ma = ra^3; mb = rb^3; mc = rc^3
      c = cos($1)*sqrt(ma/(ma + mc)*mb/(mb + mc))
      a = -cos($1/2)/sqrt(1/ma + 1/mc); b = -cos($1/2)/sqrt(1/mb + 1/mc)
      n = follow(0); x = end[0]; y = end[1]; m = follow(1); x -= end[0]; y -= end[1]
      xi = R*sqrt((x*x + y*y + 2*c*x*y)/mc)
      if (/nan/ || (xi - $2)^2 > 1e-20 || (xi - $5)^2 > 1e-20 || n != $3 || m != $4) bad++
      different += n != m; several += n > 2 }
    END { print NR, bad + 0, different + 0, several + 0 }'
}
run "${small[@]}" --angles 301 --radius-a 0.7 --radius-b 1.9 --radius-c 0.6 --angle 150
read -r rows bad different several < <(orders 0.7 1.9 0.6 1)
is "$rows $bad" '301 0' 'unequal balls'
((different > 10 && several > 10)) || fail "orders of different length: $different, long: $several"
run "${small[@]}" --angles 301 --radius-a 1.3 --radius-b 0.4 --radius-c 0.9
read -r rows bad different several < <(orders 1.3 0.4 0.9 1)
is "$rows $bad" '301 0' 'other unequal balls'
near '/billiard/angle[0]' "$(awk 'BEGIN { s = sqrt(1.3*0.4/(2.2*1.3))
    printf "%.17g", 2*atan2(s, sqrt(1 - s*s)) }')" 1e-14 'angle at which unequal balls touch'
# Inelastic: R times as much; speed and density do not matter.
run "${small[@]}" --angles 301 --radius-a 0.7 --radius-b 1.9 --radius-c 0.6 --angle 150 \
    --restitution 0.4 --speed 7 --density 2385
read -r rows bad different several < <(orders 0.7 1.9 0.6 0.4)
is "$rows $bad" '301 0' 'inelastic balls'
run "${small[@]}" --restitution 0
reads 'max(/billiard/indeterminacy)' 0 'xi of plastic balls'

# Balls that cannot be at a right angle have no xi there. Restitution only scales it. Many
# reflections, between masses a million times apart, round more than two; a grazing impact has none.
run "${small[@]}" --radius-c 0.2 --angle 150
value /measures/right_angle >/dev/null 2>&1 && fail 'a right angle that cannot be'
reads 'reflections_ab[-1] + reflections_ba[-1] in /billiard' 0 'reflections at 180 degrees'
reads 'indeterminacy[-2] > indeterminacy[-1] in /billiard' 1 'xi beside 180 degrees'
run "${small[@]}" --restitution 0.5
below /measures/right_angle 1e-15
reads 'indeterminacy[-2] > indeterminacy[-1] in /billiard' 1 'xi beside 180 degrees, inelastic'
run "${small[@]}" --radius-c 0.01 --angle 179
most=$(value 'max(/billiard/reflections_ab)')
((most > 40)) || fail "reflections of a light cue ball: $most"
near '/outcome_00/kinetic_energy / /before/kinetic_energy' 1 "${most}e-13" \
    "energy after $most reflections"
near 'max(abs(indeterminacy - closed_form)) in /billiard' 0 "${most}e-13" \
    "xi of $most reflections"
run "${small[@]}" --radius-c 100 --angle 180
below /measures/right_angle 1e-15
reads /count 1 'outcomes of a grazing impact'

# The map: a row is figure 5 of another cue ball; where a and b overlap there is none.
run --angles 7 --map-angles 7 --map-ratios 3 --least-ratio 0.125 --largest-ratio 8
reads '/map/indeterminacy[1,1]' nan 'equal balls at 30 degrees'
near '/map/indeterminacy[1,4]' "$(awk 'BEGIN { pi = atan2(0, -1); t = 2*pi/3
    printf "%.17g", 4*sqrt(2)*0.5^1.5*0.5*cos(t/2)*sqrt(1 + 0.25) }')" 1e-13 'equal balls, 120 degrees'
reads '/map/indeterminacy[2,6]' 0 'a grazing impact in the map'
near '/map/unique_angle[1,1]' 3.1415926535897931 1e-7 'equal balls and k = 3: 180 degrees'
near '/map/unique_angle[0,1]' "$(awk 'BEGIN { c = -0.5*1.125
    printf "%.17g", atan2(sqrt(1 - c*c), c) }')" 1e-13 'light cue ball and k = 3'
reads '/map/unique_angle[2,1]' nan 'heavy cue ball and k = 3'
near '/map/smallest_angle[1]' 1.0471975511965976 1e-14 'equal balls touch at 60 degrees'

refuse 2 'from where a and b touch' --angle 29.9
refuse 2 'from where a and b touch' --radius-c 0.99
refuse 2 angle --angle 180.1
refuse 2 angle --angle nan
refuse 2 radius-a --radius-a 0
refuse 2 radius-b --radius-b -1
refuse 2 radius-c --radius-c -2.8
refuse 2 density --density 0
refuse 2 speed --speed 0
refuse 2 speed --speed -1
refuse 2 restitution --restitution 1.01
refuse 2 angles --angles 2
refuse 2 angles --angles 2.5
refuse 2 'map-angles' --map-angles 2
refuse 2 'map-ratios' --map-ratios 2002
refuse 2 ratio --least-ratio 1e-7
refuse 2 ratio --largest-ratio 1e7
refuse 2 ratio --least-ratio 10 --largest-ratio 10
refuse 2 mass --radius-a 1e200 --radius-b 1e200 --radius-c 1e200 --angle 170
refuse 2 written --output "$scratch/no/such/folder/record.h5"
