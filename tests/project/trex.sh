#!/bin/bash
# The tailed biped: its record against reference values of a separate program (root, first impacts,
# first rows after them), other options, statements that must not hold with them, and every refusal of
# its own.
# usage: tests/project/trex.sh [PROGRAM_FOLDER]
set -uo pipefail

source "$(dirname "$0")/../support.sh"
# within ACTUAL LOW HIGH WHAT
within() {
    is_number "$1" && awk -v a="$1" -v low="$2" -v high="$3" 'BEGIN { exit !(a >= low && a <= high) }' \
        || fail "$4: $1 outside [$2, $3]"
}

# The root that exact Gauss-Newton steps reach from the hand-picked row, ten decimals.
run
while read -r name expected; do
    close "$(value "/design/after/$name")" "$expected" 2e-9 "$name of the root"
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
is "$(value /design/after/iterations)" 4 'steps of the optimization'
close "$(value /design/after/distance)" 0.25281 5e-6 'distance of the root'
close "$(value /design/nearest/distance)" 0.24781 5e-6 'distance of the nearest root'
close "$(value /design/after/cosine)" 0 1e-13 'cosine of the root'
close "$(value /design/after/foot_gap)" 0 1e-12 'foot of the root'
close "$(value /design/after/centre_of_mass)" 1.850 5e-4 'centre of mass'
close "$(value /design/before/mass)" 1.83150428 5e-11 'mass'

# Table I: cosines, normals, heights with the printed tail, consistency in half units.
close "$(value /table/initial/cosine)" -4.2778133e-4 5e-12 'cosine of the hand-picked row'
close "$(value /table/optimized/cosine)" 6.2950658e-4 5e-12 'cosine of the optimized row'
close "$(value /first_impact/table_initial/foot_normal)" 10.5532371578 6e-11 'normal of the foot'
close "$(value /first_impact/table_initial/tail_normal)" 6.1758992862 6e-11 'normal of the tail'
close "$(value /table/initial/closure)" 0.89 5e-3 'closure of the hand-picked row'
close "$(value /table/optimized/closure)" 0.43 5e-3 'closure of the optimized row'
close "$(value /table/initial/printed_closure)" 2.6 0.05 'closure with the printed tail'
close "$(value /table/optimized/printed_closure)" 2.3 0.05 'closure with the printed tail'
close "$(value /table/initial/printed_tail_gap)" -0.574 5e-4 'printed tail, hand-picked row'
close "$(value /table/optimized/printed_tail_gap)" -0.624 5e-4 'printed tail, optimized row'
close "$(value /table/optimized/paired_left_foot_gap)" -0.246 5e-4 'columns phi_L and gamma_L'

# Straight stances, cosines and xi of the first impact.
close "$(value /stance/initial/right_hip)" 4.4232729039 2e-9 'hip of the initial stance'
close "$(value /stance/initial_ahead/right_hip)" 6.0469334833 2e-9 'hip of the other one'
while read -r name cosine xi; do
    close "$(value "/first_impact/$name/cosine")" "$cosine" 2e-12 "cosine, $name"
    close "$(value "/first_impact/$name/indeterminacy")" "$xi" 2e-12 "xi, $name"
    close "$(value "/first_impact/$name/closed_form")" "$xi" 2e-12 "closed form of xi, $name"
    is "$(value "/first_impact/$name/reflections_foot_first")" 2 "reflections, $name"
    is "$(value "/first_impact/$name/reflections_tail_first")" 2 "reflections, $name"
done <<'TABLE'
optimized 0 0
initial -3.9678621501e-4 2.3264040450e-4
initial_ahead 2.9015345821e-3 1.6986996863e-3
published_residual -2.28e-7 1.2551641e-7
table_initial -4.2778132897e-4 2.3725301255e-4
TABLE
residual=/first_impact/published_residual/indeterminacy
close "$(value "/first_impact/initial/indeterminacy / $residual")" 1.9e3 50 'ratio at the printed cosine'
close "$(value "/first_impact/initial_ahead/indeterminacy / $residual")" 1.4e4 500 'ratio of the other stance'

# The runs: the impact as the fall has it, the first rows after it, magnitudes later.
for gait in optimized initial initial_ahead published_residual; do
    close "$(value "/trex/$gait/impact_time")" 0.18616796642476 1e-13 "impact of $gait"
    is "$(value "/trex/$gait/first_closed")" 2 "contacts of the first impact of $gait"
done
close "$(value /frictionless/published_residual/first_indeterminacy)" 8.77e-8 5e-11 'xi, first row'
close "$(value /half_step/published_residual/first_indeterminacy)" 1.01e-7 5e-10 'xi, half the step'
within "$(value /frictionless/optimized/peak_indeterminacy)" 0 1e-12 'largest xi of the root'
within "$(value /trex/optimized/peak_indeterminacy)" 0 1e-6 'largest xi of the root'
within "$(value /frictionless/published_residual/peak_indeterminacy)" 1e-6 1e-4 'largest xi, printed'
within "$(value /trex/initial/peak_indeterminacy)" 0.02 10 'largest xi of the initial stance'
within "$(value /trex/initial_ahead/peak_indeterminacy)" 0.02 10 'largest xi of the other one'
# xi over the energy is xi |p|/(|p|^2/2).
close "$(value /first_impact/initial/indeterminacy_by_energy \
    /first_impact/initial/indeterminacy /first_impact/initial/momentum \
    | awk '{ printf "%.17g", $1*$3/(2*$2) }')" 1 1e-13 'xi over the energy'
is "$(value /trex/initial/time | wc -l)" 401 'rows'
is "$(value /strip/time | wc -l)" 7 'poses'
# Momentum of the series as of the mechanism: p_y = m_t v_y in the fall, at t = 0.1 s.
close "$(value '/trex/optimized_most/momentum[100,1]' /design/after/mass \
    | awk '{ printf "%.17g", -$1/(98.1*$2) }')" 1 1e-12 'momentum in the fall'
close "$(value /first_impact/initial/momentum /stance/initial/mass \
    | awk '{ printf "%.17g", $1*$1/(2*981*17*$2) }')" 1 1e-13 'momentum of the fall'
close "$(value '/trex/initial/indeterminacy[300]' '/trex/initial/indeterminacy_by_energy[300]' \
    '/trex/initial_most/kinetic_energy[300]' \
    | awk '{ printf "%.17g", $2/$1*sqrt($3/2) }')" 1 1e-12 'xi over the energy of a run'
close "$(value '/trex/optimized_most/energy[0]' '/trex/optimized_most/energy[150]' \
    | awk '{ printf "%.17g", $2/$1 }')" 1 1e-12 'energy in the fall'
# argmin reflects the contact that approaches faster, argmax the other one: 1 is the foot.
for gait in optimized initial initial_ahead; do
    read -r fast slow < <(value "/first_impact/$gait/foot_approach" \
        "/first_impact/$gait/tail_approach" | awk '{ print ($1 < $2 ? "1 2" : "2 1") }')
    is "$(value "/trex/${gait}_most/impacts/first[0]")" "$fast" "argmin of $gait"
    is "$(value "/trex/${gait}_least/impacts/first[0]")" "$slow" "argmax of $gait"
done
# Bodies over the floor, from y and theta; the tail's outline touches the posterior body.
read -r clearance strike < <(value /trex/optimized_most/time '/trex/optimized_most/position[:,1]' \
    '/trex/optimized_most/position[:,2]' | awk -v r="$(value /design/after/anterior_radius)" \
    -v s="$(value /design/after/posterior_radius)" '{ a = $2 - r; b = $2 + (r + s)*sin($3) - s
        c = a < b ? a : b; if (NR == 1 || c < least) least = c; if (c < 0 && !strike) strike = $1
    } END { printf "%.17g %.17g\n", least, strike }')
close "$(value /trex/optimized/least_clearance)" "$clearance" 1e-12 'clearance'
close "$(value /trex/optimized/strike_time)" "$strike" 1e-12 'time of the strike'
is "$(value /stiff/optimized/strike_time)" nan 'strike with stiff springs'
for i in 0 2; do
    close "$(value "/schematic/tail/x[$i]" "/schematic/tail/y[$i]" '/schematic/tail/x[1]' \
        '/schematic/tail/y[1]' '/schematic/joints/x[1]' '/schematic/joints/y[1]' \
        | awk '{ print ($3 - $1)*($1 - $5) + ($4 - $2)*($2 - $6) }')" 0 1e-12 "tangent $i"
done
close "$(value '/schematic/tail/y[0]' '/schematic/tail/y[2]' | awk '{ print ($1 > $2 + 5) }')" 1 0 \
    'two tangents'
# below THRESHOLD PATH...: errors of what is kept, at most so large.
below() {
    local path
    for path in "${@:2}"; do
        value "$path" | awk -v most="$1" '/nan/ { exit 1 } { exit !($1 <= most) }' \
            || fail "$path: $(value "$path") above $1"
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
        is "$(value "sum(/trex/${gait}_$order/impacts/plastic) > 0")" 1 "chatter of $gait"
        is "$(value "count(/trex/${gait}_$order/impacts/closed > 1) > 1")" 1 "double impacts of $gait"
        is "$(value "position[-1,0] < position[0,0] in /trex/${gait}_$order")" 1 "direction of $gait"
    done
    is "$(value "/trex/$gait/distance_most == position[-1,0] - position[0,0] in /trex/${gait}_most")" 1 \
        "distance of $gait"
    is "$(value "/trex/$gait/plastic_most == sum(plastic) in /trex/${gait}_most/impacts")" 1 \
        "impacts that chatter of $gait"
    is "$(value "/trex/$gait/distance_most < /frictionless/$gait/distance_most")" 1 "friction of $gait"
    # Held contacts come off again, and none is below the floor.
    is "$(value "any(prev(held[:,1]) > next(held[:,1])) | any(prev(held[:,2]) > next(held[:,2])) in /trex/${gait}_most")" \
        1 "release of $gait"
    below 2e-9 "-min(/trex/${gait}_most/gap)"
    # x and all angles keep their values until the impact, at row 186.
    below 2e-9 "max(abs(/trex/${gait}_most/position[186,2:8] - /trex/${gait}_most/position[0,2:8]))"
done
is "$(value '/trex/optimized/peak_indeterminacy < 1e-15 & /first_impact/optimized/indeterminacy < 1e-12')" 1 \
    'indeterminacy of the root'
# Table I: both tips on the floor, not with the printed tail or the printed pairing of the columns.
is "$(value '/table/initial/closure <= 1 & /table/optimized/closure <= 1')" 1 'closure'
is "$(value '/table/initial/printed_closure > 1 & /table/optimized/printed_closure > 1')" 1 'printed tail'
close "$(value /table/initial/paired_right_foot_gap)" 24.644 5e-4 'columns phi_R and gamma_R'
# Every contact is open after the impact: argmin (w_i,p+) would have no choice.
for gait in optimized initial; do
    is "$(value "/first_impact/$gait/least_separation > 0")" 1 "separation of $gait"
done

# Momenta against forces, from the series themselves: p_x by friction, p_y by weight and contacts.
value '/trex/initial_most/momentum[:,0]' '/trex/initial_most/momentum[:,1]' \
    '/trex/initial_most/friction_force' '/trex/initial_most/contact_force' | awk \
    -v mass="$(value /stance/initial/mass)" '
    { x = 0; y = -981*mass; for (i = 3; i <= 5; i++) { x += $i; y += $(i + 3) }
      if (NR > 1) { d = $1 - px - 1e-3*x; e = $2 - py - 1e-3*y; if (d*d > 1e-18 || e*e > 1e-18) bad++ }
      px = $1; py = $2; rubs += x != 0 }
    END { exit !(NR == 401 && bad == 0 && rubs > 50) }' || fail 'forces and momenta of a run'
((  $(value /trex/initial_ahead/parted) > 0 )) || fail 'no impact with a choice'
is "$(value /trex/optimized/parted)" 0 'impacts of the optimized runs with a choice'

# One gait in one order: its motion alone, equal to that of the whole experiment.
whole=$(value '/trex/initial_least/position[-1,0]')
run --gait initial --order least
is "$(value '/trex/initial_least/position[-1,0]')" "$whole" 'a run of its own'
value /trex/initial/indeterminacy >/dev/null 2>&1 && fail 'xi of one order'
value /trex/optimized_least/time >/dev/null 2>&1 && fail 'a gait that was not asked for'
run --gait optimized --order both --duration 0.2
is "$(value /trex/optimized/time | wc -l)" 201 'rows of a shorter run'
value /trex/initial_ahead/distance_most >/dev/null 2>&1 && fail 'a gait beside those asked for'

# Scopes: what may not move keeps its digits.
run --optimize configuration --gait optimized --order most
close "$(value /design/after/anterior_radius)" 7 0 'r_1 with the configuration alone'
close "$(value /design/after/lower_length)" 10 0 'l_l with the configuration alone'
close "$(value /design/after/cosine)" 0 1e-13 'cosine with the configuration alone'
run --optimize design --gait optimized --order most
close "$(value /design/after/right_hip)" 5.13 0 'phi with the design alone'
close "$(value /design/after/cosine)" 0 1e-13 'cosine with the design alone'

# Another drop, gravity and step: sqrt(2 H/g). xi of the map depends on neither.
run --drop-height 5 --gravity 162 --step 2e-3 --duration 0.3 --friction 0.3
close "$(value /trex/initial/impact_time)" 0.24845199749997662 1e-12 'impact on the moon'
close "$(value /first_impact/initial/indeterminacy)" 2.3264040450e-4 2e-12 'xi on the moon'
# The printed tail leads to another root with both tips on the floor.
run --tail printed --gait optimized --order most
close "$(value /design/after/tail_gap)" 0 1e-12 'printed tail of a root'
close "$(value /design/before/tail_length)" 15.8627534 5e-8 'printed length of the tail'
# Hips that stand still, a clockwise turn, plastic impacts.
run --hip-rate 0 --gait optimized --order most
run --hip-rate -6 --gait optimized --order most
run --restitution 0 --gait initial --order most
# Inelastic, plastic, and set down rather than dropped.
run --restitution 0.5 --duration 0.25
is "$(value /trex/initial/energy_error)" nan 'energy of elastic impacts that there are not'
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
close "$(value 'max(abs(/trex/initial_most/friction_force))')" 0 0 'friction without friction'
run --hip-rate -6 --duration 0.25 --residual 0
below 1e-12 /first_impact/published_residual/indeterminacy
run --residual 0.001 --gait optimized --order most
close "$(value /first_impact/published_residual/cosine)" 0.001 1e-12 'cosine that is left'

# refuse WORD ARGUMENT...: exit 2, one sentence that holds the word, no file.
refuse() {
    local word=$1 status=0
    shift
    cases=$((cases + 1))
    rm -f "$scratch/record.h5"
    "$bin/trex" --output "$scratch/record.h5" "$@" >"$scratch/stdout" 2>"$scratch/stderr" || status=$?
    is "$status" 2 "exit status of $*"
    is "$(wc -l <"$scratch/stderr")" 1 "lines on stderr of $*"
    grep -q -- "$word" "$scratch/stderr" || fail "$*: no '$word' in $(cat "$scratch/stderr")"
    [[ ! -e $scratch/record.h5 ]] || fail "$* leaves a record"
}
refuse 'posterior-radius' --posterior-radius 7
refuse 'posterior-radius' --anterior-radius 3
refuse posterior-radius --posterior-radius 0
refuse upper-length --upper-length -1
refuse body-density --body-density -1
refuse limb-density --limb-density 0
refuse limb-section --limb-section nan
refuse friction --friction -0.1
refuse 'lie in (-1, 1), got 2' --residual 2
refuse 'lie in (-1, 1), got -1' --residual -1
refuse 'do not reach, = 0.9' --residual 0.9
refuse restitution --restitution 1.1
refuse step --step 0
refuse step --step 1
refuse 'step = 1e-09 s, accepted up to' --step 1e-9
refuse duration --duration -1
refuse duration --duration 0.1
refuse drop-height --drop-height 0
refuse gravity --gravity 0
refuse hip-damping --hip-damping -1
refuse knee-stiffness --knee-stiffness -1
refuse most-hits --most-hits -1
refuse gait --gait best
refuse order --order first
refuse optimize --optimize legs
refuse tail --tail round
refuse pitch --pitch abc

echo "trex: $cases cases, $failures failures"
((failures == 0))
