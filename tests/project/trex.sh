#!/bin/bash
# The tailed biped: its record against reference values of a separate program (root, first impacts,
# first rows after them), other options, statements that must not hold with them, and every refusal of
# its own.
# usage: tests/project/trex.sh [PROGRAM_FOLDER]
set -uo pipefail

source "$(dirname "$0")/../support.sh"
# The root that exact Gauss-Newton steps reach from the hand-picked row, ten decimals.
run
while read -r name expected; do
    near "/design/after/$name" "$expected" 2e-9 "$name of the root"
done <<'TABLE'
height 12.3792712192
pitch 5.7604710940
left_hip 1.9919160627
left_knee 5.2406961059
right_hip 5.0062751636
right_knee 5.4185293811
body_joint 0.0736648933
anterior_radius 6.9555857243
posterior_radius 4.0940741014
upper_length 7.9982332467
lower_length 9.9904062117
TABLE
reads /design/after/iterations 4 'steps of the optimization'
near /design/after/distance 0.25281 5e-6 'distance of the root'
near /design/nearest/distance 0.24781 5e-6 'distance of the nearest root'
near /design/after/cosine 0 1e-13 'cosine of the root'
near /design/after/foot_gap 0 1e-12 'foot of the root'
near /design/after/centre_of_mass 1.850 5e-4 'centre of mass'
near /design/before/mass 1.83150428 5e-11 'mass'

# Table I: cosines, normals, heights with the printed tail, consistency in half units.
near /table/initial/cosine -4.2778133e-4 5e-12 'cosine of the hand-picked row'
near /table/optimized/cosine 6.2950658e-4 5e-12 'cosine of the optimized row'
near /first_impact/table_initial/foot_normal 10.5532371578 6e-11 'normal of the foot'
near /first_impact/table_initial/tail_normal 6.1758992862 6e-11 'normal of the tail'
near /table/initial/closure 0.89 5e-3 'closure of the hand-picked row'
near /table/optimized/closure 0.43 5e-3 'closure of the optimized row'
near /table/initial/printed_closure 2.6 0.05 'closure with the printed tail'
near /table/optimized/printed_closure 2.3 0.05 'closure with the printed tail'
near /table/initial/printed_tail_gap -0.574 5e-4 'printed tail, hand-picked row'
near /table/optimized/printed_tail_gap -0.624 5e-4 'printed tail, optimized row'
near /table/optimized/paired_left_foot_gap -0.246 5e-4 'columns phi_L and gamma_L'

# Straight stances, cosines and xi of the first impact.
near /stance/initial/right_hip 4.4232729039 2e-9 'hip of the initial stance'
near /stance/initial_ahead/right_hip 6.0469334833 2e-9 'hip of the other one'
while read -r name cosine xi; do
    near "/first_impact/$name/cosine" "$cosine" 2e-12 "cosine, $name"
    near "/first_impact/$name/indeterminacy" "$xi" 2e-12 "xi, $name"
    near "/first_impact/$name/closed_form" "$xi" 2e-12 "closed form of xi, $name"
    reads "/first_impact/$name/reflections_foot_first" 2 "reflections, $name"
    reads "/first_impact/$name/reflections_tail_first" 2 "reflections, $name"
done <<'TABLE'
optimized 0 0
initial -3.9678621501e-4 2.3264040450e-4
initial_ahead 2.9015345821e-3 1.6986996863e-3
published_residual -2.28e-7 1.2551641e-7
table_initial -4.2778132897e-4 2.3725301255e-4
TABLE
residual=/first_impact/published_residual/indeterminacy
near "/first_impact/initial/indeterminacy / $residual" 1.9e3 50 'ratio at the printed cosine'
near "/first_impact/initial_ahead/indeterminacy / $residual" 1.4e4 500 'ratio of the other stance'

# The runs: the impact as the fall has it, the first rows after it, magnitudes later.
for gait in optimized initial initial_ahead published_residual; do
    near "/trex/$gait/impact_time" 0.18616796642476 1e-13 "impact of $gait"
    reads "/trex/$gait/first_closed" 2 "contacts of the first impact of $gait"
done
near /frictionless/published_residual/first_indeterminacy 8.77e-8 5e-11 'xi, first row'
near /half_step/published_residual/first_indeterminacy 1.01e-7 5e-10 'xi, half the step'
reads '/frictionless/optimized/peak_indeterminacy >= 0 & /frictionless/optimized/peak_indeterminacy <= 1e-12' 1 'largest xi of the root'
reads '/trex/optimized/peak_indeterminacy >= 0 & /trex/optimized/peak_indeterminacy <= 1e-6' 1 'largest xi of the root'
reads '/frictionless/published_residual/peak_indeterminacy >= 1e-6 & /frictionless/published_residual/peak_indeterminacy <= 1e-4' 1 'largest xi, printed'
reads '/trex/initial/peak_indeterminacy >= 0.02 & /trex/initial/peak_indeterminacy <= 10' 1 'largest xi of the initial stance'
reads '/trex/initial_ahead/peak_indeterminacy >= 0.02 & /trex/initial_ahead/peak_indeterminacy <= 10' 1 'largest xi of the other one'
# xi over the energy is xi |p|/(|p|^2/2).
near 'indeterminacy_by_energy * momentum / (2 * indeterminacy) in /first_impact/initial' 1 1e-13 'xi over the energy'
reads 'rows(/trex/initial/time)' 401 'rows'
reads 'rows(/strip/time)' 7 'poses'
# Momentum of the series as of the mechanism: p_y = m_t v_y in the fall, at t = 0.1 s.
near '-/trex/optimized_most/momentum[100,1] / (98.1 * /design/after/mass)' 1 1e-12 'momentum in the fall'
near '/first_impact/initial/momentum^2 / (2 * 981 * 17 * /stance/initial/mass)' 1 1e-13 'momentum of the fall'
near '/trex/initial/indeterminacy_by_energy[300] / /trex/initial/indeterminacy[300] * sqrt(/trex/initial_most/kinetic_energy[300] / 2)' \
    1 1e-12 'xi over the energy of a run'
near 'energy[150] / energy[0] in /trex/optimized_most' 1 1e-12 'energy in the fall'
# argmin reflects the contact that approaches faster, argmax the other one: 1 is the foot.
for gait in optimized initial initial_ahead; do
    foot_is_faster="(/first_impact/$gait/foot_approach < /first_impact/$gait/tail_approach)"
    reads "/trex/${gait}_most/impacts/first[0] == 2 - $foot_is_faster" 1 "argmin of $gait"
    reads "/trex/${gait}_least/impacts/first[0] == 1 + $foot_is_faster" 1 "argmax of $gait"
done
# Bodies over the floor, from y and theta; the tail's outline touches the posterior body.
read -r clearance strike < <(value /trex/optimized_most/time '/trex/optimized_most/position[:,1]' \
    '/trex/optimized_most/position[:,2]' | awk -v r="$(value /design/after/anterior_radius)" \
    -v s="$(value /design/after/posterior_radius)" '{ a = $2 - r; b = $2 + (r + s)*sin($3) - s
        c = a < b ? a : b; if (NR == 1 || c < least) least = c; if (c < 0 && !strike) strike = $1
    } END { printf "%.17g %.17g\n", least, strike }')
near /trex/optimized/least_clearance "$clearance" 1e-12 'clearance'
near /trex/optimized/strike_time "$strike" 1e-12 'time of the strike'
reads /stiff/optimized/strike_time nan 'strike with stiff springs'
t=/schematic/tail j=/schematic/joints
for i in 0 2; do
    near "($t/x[1] - $t/x[$i]) * ($t/x[$i] - $j/x[1]) + ($t/y[1] - $t/y[$i]) * ($t/y[$i] - $j/y[1])" \
        0 1e-12 "tangent $i"
done
reads 'y[0] > y[2] + 5 in /schematic/tail' 1 'two tangents'
# below THRESHOLD EXPRESSION...: errors of what is kept, at most so large.
below() {
    local error
    for error in "${@:2}"; do
        reads "$error <= $1" 1
    done
}
# kept GROUP/GAIT: the forces account for the momentum. (That friction is in its cone and against the
# sliding: tests/timestepping/variational/variational_difference.c.)
kept() {
    below 1e-12 "$1/balance_error"
    # Steps are solved to 1e-14 of their terms, springs and hips a hundred times the momenta.
    below 1e-11 "$1/flight_error"
}
for gait in optimized initial initial_ahead published_residual; do
    kept "/trex/$gait"
    below 1e-12 "/trex/$gait/energy_error"
    # Of legs 18 cm long.
    below 2e-9 "/trex/$gait/held_gap"
    for order in most least; do
        reads "sum(/trex/${gait}_$order/impacts/plastic) > 0" 1 "chatter of $gait"
        reads "count(/trex/${gait}_$order/impacts/closed > 1) > 1" 1 "double impacts of $gait"
        reads "position[-1,0] < position[0,0] in /trex/${gait}_$order" 1 "direction of $gait"
    done
    reads "/trex/$gait/distance_most == position[-1,0] - position[0,0] in /trex/${gait}_most" 1 \
        "distance of $gait"
    reads "/trex/$gait/plastic_most == sum(plastic) in /trex/${gait}_most/impacts" 1 \
        "impacts that chatter of $gait"
    reads "/trex/$gait/distance_most < /frictionless/$gait/distance_most" 1 "friction of $gait"
    # Held contacts come off again, and none is below the floor.
    reads "any(prev(held[:,1]) > next(held[:,1])) | any(prev(held[:,2]) > next(held[:,2])) in /trex/${gait}_most" \
        1 "release of $gait"
    below 2e-9 "-min(/trex/${gait}_most/gap)"
    # x and all angles keep their values until the impact, at row 186.
    below 2e-9 "max(abs(/trex/${gait}_most/position[186,2:8] - /trex/${gait}_most/position[0,2:8]))"
done
reads '/trex/optimized/peak_indeterminacy < 1e-15 & /first_impact/optimized/indeterminacy < 1e-12' 1 \
    'indeterminacy of the root'
# Table I: both tips on the floor, not with the printed tail or the printed pairing of the columns.
reads '/table/initial/closure <= 1 & /table/optimized/closure <= 1' 1 'closure'
reads '/table/initial/printed_closure > 1 & /table/optimized/printed_closure > 1' 1 'printed tail'
near /table/initial/paired_right_foot_gap 24.644 5e-4 'columns phi_R and gamma_R'
# Every contact is open after the impact: argmin (w_i,p+) would have no choice.
for gait in optimized initial; do
    reads "/first_impact/$gait/least_separation > 0" 1 "separation of $gait"
done

# Momenta against forces, from the series themselves: p_x by friction, p_y by weight and contacts.
value '/trex/initial_most/momentum[:,0]' '/trex/initial_most/momentum[:,1]' \
    '/trex/initial_most/friction_force' '/trex/initial_most/contact_force' | awk \
    -v mass="$(value /stance/initial/mass)" '
    { x = 0; y = -981*mass; for (i = 3; i <= 5; i++) { x += $i; y += $(i + 3) }
      if (NR > 1) { d = $1 - px - 1e-3*x; e = $2 - py - 1e-3*y; if (d*d > 1e-18 || e*e > 1e-18) bad++ }
      px = $1; py = $2; rubs += x != 0 }
    END { exit !(NR == 401 && bad == 0 && rubs > 50) }' || fail 'forces and momenta of a run'
reads '/trex/initial_ahead/parted > 0' 1 'impacts with a choice'
reads /trex/optimized/parted 0 'impacts of the optimized runs with a choice'

# One gait in one order: its motion alone, equal to that of the whole experiment.
whole=$(value '/trex/initial_least/position[-1,0]')
run --gait initial --order least
reads '/trex/initial_least/position[-1,0]' "$whole" 'a run of its own'
absent /trex/initial/indeterminacy /trex/optimized_least/time
run --gait optimized --order both --duration 0.2
reads 'rows(/trex/optimized/time)' 201 'rows of a shorter run'
absent /trex/initial_ahead/distance_most

# Scopes: what may not move keeps its digits.
run --optimize configuration --gait optimized --order most
near /design/after/anterior_radius 7 0 'r_1 with the configuration alone'
near /design/after/lower_length 10 0 'l_l with the configuration alone'
near /design/after/cosine 0 1e-13 'cosine with the configuration alone'
run --optimize design --gait optimized --order most
near /design/after/right_hip 5.13 0 'phi with the design alone'
near /design/after/cosine 0 1e-13 'cosine with the design alone'

# Another drop, gravity and step: sqrt(2 H/g). xi of the map depends on neither.
run --drop-height 5 --gravity 162 --step 2e-3 --duration 0.3 --friction 0.3
near /trex/initial/impact_time 0.24845199749997662 1e-12 'impact on the moon'
near /first_impact/initial/indeterminacy 2.3264040450e-4 2e-12 'xi on the moon'
# The printed tail leads to another root with both tips on the floor.
run --tail printed --gait optimized --order most
near /design/after/tail_gap 0 1e-12 'printed tail of a root'
near /design/before/tail_length 15.8627534 5e-8 'printed length of the tail'
# Hips that stand still, a clockwise turn, plastic impacts.
run --hip-rate 0 --gait optimized --order most
run --hip-rate -6 --gait optimized --order most
run --restitution 0 --gait initial --order most
# Inelastic, plastic, and set down rather than dropped.
run --restitution 0.5 --duration 0.25
reads /trex/initial/energy_error nan 'energy of elastic impacts that there are not'
below 1e-12 /trex/initial/balance_error
run --restitution 0 --duration 0.25
below 1e-12 /trex/initial/first_indeterminacy
run --most-hits 0 --duration 0.25
below 1e-12 /trex/initial/first_indeterminacy
# A fall of nothing: the energy that impacts keep is mostly that of height.
run --drop-height 0.001 --duration 0.1
below 1e-12 /trex/initial/energy_error
# Where contacts pull before they open, too, the forces are those that change the momentum.
for odd in '--friction 5' '--hip-rate 100' '--step 0.02'; do
    # shellcheck disable=SC2086
    run $odd
    for gait in optimized initial initial_ahead; do
        kept "/trex/$gait"
    done
done
run --friction 0 --duration 0.25
near 'max(abs(/trex/initial_most/friction_force))' 0 0 'friction without friction'
run --hip-rate -6 --duration 0.25 --residual 0
below 1e-12 /first_impact/published_residual/indeterminacy
run --residual 0.001 --gait optimized --order most
near /first_impact/published_residual/cosine 0.001 1e-12 'cosine that is left'

refuse 2 'posterior-radius' --posterior-radius 7
refuse 2 'posterior-radius' --anterior-radius 3
refuse 2 posterior-radius --posterior-radius 0
refuse 2 upper-length --upper-length -1
refuse 2 body-density --body-density -1
refuse 2 limb-density --limb-density 0
refuse 2 limb-section --limb-section nan
refuse 2 friction --friction -0.1
refuse 2 'lie in (-1, 1), got 2' --residual 2
refuse 2 'lie in (-1, 1), got -1' --residual -1
refuse 2 'do not reach, = 0.9' --residual 0.9
refuse 2 restitution --restitution 1.1
refuse 2 step --step 0
refuse 2 step --step 1
refuse 2 'step = 1e-09 s, accepted up to' --step 1e-9
refuse 2 duration --duration -1
refuse 2 duration --duration 0.1
refuse 2 drop-height --drop-height 0
refuse 2 gravity --gravity 0
refuse 2 hip-damping --hip-damping -1
refuse 2 knee-stiffness --knee-stiffness -1
refuse 2 most-hits --most-hits -1
refuse 2 gait --gait best
refuse 2 order --order first
refuse 2 optimize --optimize legs
refuse 2 tail --tail round
refuse 2 pitch --pitch abc
