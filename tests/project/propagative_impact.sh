#!/bin/bash
# Existence and uniqueness of propagative impacts: the record against the reference tables of
# longest sequences, groups, chains and blocks, and against counts and places written down here;
# other openings, cosines and numbers of contacts; and every refusal of its own.
# usage: tests/project/propagative_impact.sh [PROGRAM_FOLDER]
set -uo pipefail

source "$(dirname "$0")/../support.sh"
# below THRESHOLD PATH...: what is zero but for rounding.
below() {
    local path
    for path in "${@:2}"; do
        near "$path" 0 "$1" "$path"
    done
}
# pairs_and_cones: exact counts; every sequence ends, with (p,r) rising.
pairs_and_cones() {
    reads /measures/pair_miscounts 0 'sequences of another length than their count'
    reads /measures/cone_endless 0 'sequences of several contacts without an end'
    reads /measures/cone_falls 0 'reflections that do not raise (p,r)'
    below 1e-10 /measures/pair_indeterminacy_error
}
# map_is_exact: against sequences run, and one outcome on its curves.
map_is_exact() {
    below "$1" /measures/map_error /measures/unique_chain_error
    (($(value /measures/unique_chains) > 0)) || fail 'no chain of a unique outcome'
}
small=(--cases 2000 --cones 500)

run
pairs_and_cones
map_is_exact 1e-12
below 1e-12 /measures/chain_error /measures/group_error
reads 'max(abs(longest - longest_bound)) + max(abs(longest_minimal - minimal_bound)) in /table' 0 \
    'sharp bounds that are met'
reads 'max(abs(split - exact_split)) <= 4 / $directions in /table' 1 'share of two ends'
reads /measures/pair_cases 100000 'impacts of two contacts'
reads /measures/pair_ties 25000 'impacts made to end on a wall'
(($(value /measures/pair_on_wall) >= 25000)) || fail 'impacts that end on a wall'
reads /measures/cone_runs 50000 'sequences of several contacts'

# Longest sequences by the cosine: any order, the shortest one, the paper's bound.
while read -r row longest minimal paper; do
    reads "/table/longest[$row]" "$longest" "longest sequence of row $row"
    reads "/table/longest_minimal[$row]" "$minimal" "longest shortest one of row $row"
    reads "/table/paper_bound[$row]" "$paper" "paper's bound of row $row"
done <<'TABLE'
0 23 22 45
1 7 7 14
2 4 4 8
3 4 3 7
4 3 3 6
5 3 2 5
6 2 2 4
11 2 1 3
TABLE
near '/table/exact_split[11]' 0.665 5e-4 'share of two ends, c = 0.9'
near '/table/exact_split[5]' 0.412 5e-4 'share of two ends, c = -0.2'
# What was met is the closed form, up to the distance of the nearest momentum from the symmetric one.
value /table/indeterminacy /table/exact_indeterminacy | awk '/nan/ { bad++ } { d = $1 - $2
    if (d > 1e-12 || d < -1e-3) bad++ } END { exit !(NR == 12 && bad == 0) }' \
    || fail 'indeterminacy by the cosine'
# c = -1/2, the cradle: one end; c = 1/2: the ends of the symmetric momentum are sqrt(3) |p| apart.
near '/table/indeterminacy[4]' 0 1e-13 'indeterminacy of the cradle'
near '/table/exact_indeterminacy[9]' 1.7320508075688772 1e-9 'indeterminacy, c = 1/2'

# Positive roots, inversions, digits of pi.
while read -r group roots; do
    reads "/groups/$group/longest" "$roots" "reflections of $group"
done <<'TABLE'
A3 6
B3 9
H3 15
D4 12
F4 24
H4 60
I2_7_A1 8
E8 120
TABLE
is "$(value /chains/longest | tr '\n' ' ')" '3 6 10 28 ' 'reflections of 3, 4, 5 and 8 balls'
is "$(value /blocks/reflections | tr '\n' ' ')" '3 31 314 3141 ' 'reflections of wall and blocks'

# Figure 3, 25 deg: images at 50, 100 and 150 deg on either side; p_0 at 165 ends 15 deg from r_0.
reads /figure/opening_0/count 3 'reflections of figure 3'
degree=0.017453292519943295
for i in 1 2 3; do
    sign=$((i % 2 == 0 ? 1 : -1))
    read -r x y < <(awk -v a="$((sign * 50 * i))" -v d="$degree" \
        'BEGIN { printf "%.17g %.17g\n", sin(a*d), cos(a*d) }')
    near "/figure/opening_0/image_u_x[$i]" "$x" 1e-14 "x of image $i"
    near "/figure/opening_0/image_u_y[$i]" "$y" 1e-14 "y of image $i"
done
near '/figure/opening_0/vector_y[4]' "$(awk -v d="$degree" 'BEGIN { print cos(15*d) }')" \
    1e-5 'where p_0 ends'

# The map: c of masses 1/100, 1, 1 is sqrt(1/202), two reflections: xi = 2 sin(2 gamma (w - 2)).
near '/map/indeterminacy[0,60]' "$(awk 'BEGIN { pi = atan2(0, -1); c = -sqrt(1/202)
    t = atan2(sqrt(1 - c*c), -c); printf "%.17g", 2*sin(t*(pi/t - 2)) }')" 1e-12 'a corner of the map'
near '/map/indeterminacy[60,60]' 0 1e-12 'the cradle in the map'
# Rows k = 3, 4: a z = cos^2(pi/k) (1 + a)(1 + z).
value /map/curve_ratio /map/unique_ratio | awk '
    $2 != "nan" { n++; d = $1*$2 - (1 + $1)*(1 + $2)/4; if (d*d > 1e-20*$1*$1*$2*$2) bad++ }
    $3 != "nan" { n++; d = $1*$3 - (1 + $1)*(1 + $3)/2; if (d*d > 1e-20*$1*$1*$3*$3) bad++ }
    END { exit !(n > 500 && bad == 0) }' || fail 'the curves of unique outcomes'

# Another seed, other cosines: bounds by ceilings, shares by the fraction of pi/(2 gamma).
run "${small[@]}" --cosines 0.31,-0.77,-0.9999 --directions 20000 --seed 7
for row in 0 1 2; do
    read -r longest minimal paper split < <(awk -v c="$(value "/table/cosine[$row]")" 'BEGIN {
        pi = atan2(0, -1); w = pi/atan2(sqrt((1 - c)*(1 + c)), -c); f = w - int(w)
        s = 1 - 2*f; print int(w) + 1, int(w + 0.5), int(2*w) + 1, s < 0 ? -s : s }')
    reads "/table/longest[$row]" "$longest" "longest sequence, other row $row"
    reads "/table/longest_minimal[$row]" "$minimal" "shortest one, other row $row"
    reads "/table/paper_bound[$row]" "$paper" "paper's bound, other row $row"
    near "/table/split[$row]" "$split" 2e-4 "share of two ends, other row $row"
done
pairs_and_cones
run "${small[@]}" --half-openings 3 --momentum-angle 180 --contacts 16 --largest-ratio 1e6 \
    --map-points 5
reads /figure/opening_0/count 30 'reflections of 3 deg'
reads /parameters/contacts 16 'most contacts'
pairs_and_cones
# Masses a million million times apart: ten reflections, each 1e6 roundings.
map_is_exact 1e-9

refuse 2 'half-openings' --half-openings 2
refuse 2 'half-openings' --half-openings 25,86
refuse 2 'number of --half-openings' --half-openings 25,30,35
refuse 2 half-openings --half-openings -25
refuse 2 'momentum-angle' --momentum-angle 30
refuse 2 'momentum-angle' --momentum-angle 181
refuse 2 cosine --cosines 0.5,-1
refuse 2 'cosines entry 2' --cosines 0.5,x
refuse 2 directions --directions 15
refuse 2 cases --cases 99
refuse 2 cases --cases 1e5
refuse 2 cones --cones 99
refuse 2 contacts --contacts 2
refuse 2 contacts --contacts 17
refuse 2 'map-points' --map-points 2
refuse 2 ratio --largest-ratio 1
refuse 2 ratio --largest-ratio 2e6
refuse 2 written --output "$scratch/no/such/folder/record.h5"
