#!/bin/bash
# Scenes and records are drawn as XML without script, from the record alone, with the same bytes
# again; what cannot be drawn is refused in one sentence with exit 2, and nothing is written.
# usage: tests/project/animate.sh [PROGRAM_FOLDER]
set -euo pipefail

bin=$(realpath "${1:-build/bin}")
examples=$(realpath data/examples)
docs=$(realpath docs)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
failures=0
fail() {
    echo "animate: $1" >&2
    failures=$((failures + 1))
}

for scene in "$examples"/*.scene; do
    name=$(basename "$scene" .scene)
    duration=0.2
    [[ $name == heap ]] && duration=0.08 # a thousand bodies
    "$bin/simulate" "$scene" --duration "$duration" --output "$name.h5" --plot "$name-plot.svg" \
        --animate "$name.svg" --slow-impacts 5 --quiet || fail "$name is not drawn"
    "$bin/animate" "$name.h5" --slow-impacts 5 --output again.svg >/dev/null || fail "$name again"
    cmp "$name.svg" again.svg || fail "$name: simulate and animate draw other bytes"
    "$bin/animate" --plot --output again.svg "$name.h5" >/dev/null || fail "$name again"
    cmp "$name-plot.svg" again.svg || fail "$name: other bytes of the plot"
    for svg in "$name.svg" "$name-plot.svg"; do
        xmllint --noout "$svg" || fail "$svg is not XML"
        ! grep -qiE '<script|javascript:|[^a-z]on[a-z]+=' "$svg" || fail "$svg has script"
        ! grep -qE 'nan|inf' "$svg" || fail "$svg has a number that is none"
    done
    grep -q repeatCount=.indefinite "$name.svg" || fail "$name.svg does not move"
done

# The page of scenes shows each of them, and no other (make scenes).
(cd "$docs/.." && tools/scene_page.sh) | cmp - "$docs/scenes.md" || fail 'docs/scenes.md is not that of make scenes'
diff <(basename -s .svg "$docs"/scenes/*.svg | sort) <(basename -s .scene "$examples"/*.scene | sort) >out \
    || fail "docs/scenes and data/examples: $(<out)"
for svg in "$docs"/scenes/*.svg; do
    xmllint --noout "$svg" || fail "$svg is not XML"
    bodies=$(grep -c 'id="start-' "$svg" || true) # none in space
    most=$((100000 + 1200 * bodies)) # a body twice and its way
    (($(wc -c <"$svg") <= most)) || fail "$svg has $(wc -c <"$svg") bytes, more than $most"
done

# Where the motion is drawn is not part of it.
"$bin/simulate" "$examples/tower.scene" --duration 0.2 --output plain.h5 --quiet
cmp tower.h5 plain.h5 || fail 'a record depends on whether it is drawn'

# Records of experiments, by the coordinates of their motions: the groups that can be drawn.
# $1: group of a motion; then the program with its options
draws() {
    "$bin/$2" "${@:3}" --quiet --output motion.h5 2>/dev/null || fail "$2 does not run"
    "$bin/animate" motion.h5 --group "$1" --output motion.svg >out 2>&1 || fail "$2: $(<out)"
    xmllint --noout motion.svg && grep -q animateTransform motion.svg || fail "$2: nothing moves"
}
draws /moreau_jean bouncing_ball --duration 1 --step 0.01
draws /moreau_jean bouncing_pendulum --duration 1 --step 0.01
draws /moreau_jean rocking_block --duration 0.5 --step 0.01
draws /moreau_jean elastic_bar --duration 1 --step 0.01 --elements 20
draws /cradle/propagative newtons_cradle
draws /solution nonsmooth_modes --masses 1,2,1 --stiffnesses 5,5,5 --gap 1 --flight-times 4 --trajectory 50

draws /inclusion falling_ball
draws /motion vibrating_table --only map --points 3
draws /thrown/motion sliding_bodies --halvings 1 --points 2 --creep-steps 10
draws /around_impact/b_first billiards --angles 3 --map-angles 3 --map-ratios 3
draws /around_impact/stiffer_a compliant_block --ratios 3 --angles 3
draws /around_impact/jam differential_inclusion --paths 2 --directions 2 --largest-facets 4 --decades 1
draws /solution_00 collisionless --max-solutions 1
draws /rocking/drawn collisionless_models
draws /motion painleve_rod --angles 2 --frictions 2
draws /motion woodpecker --duration 0.3 --step 1e-4
draws /fall masonry_arch --most-voussoirs 6 --relative-width 0.1
grep -q '<polyline class="spring"' motion.svg && fail 'an arch has springs'

# A spoke of the wheel, 1 m long, stands at all times, that next to the vertical; and it does not skid.
"$bin/collisionless_models" --quiet --output motion.h5
wheel=/pendulum_wheel/drawn
turned="$wheel/body_angle[:,0]"
steps="round($turned / (2 * \$drawn_angle))"
for part in "$wheel/body_y[:,0] - cos($turned - 2 * \$drawn_angle * $steps)" \
    "$wheel/body_x[:,0] + 2 * sin(\$drawn_angle) * $steps + sin($turned - 2 * \$drawn_angle * $steps)"; do
    far=$("$bin/carom_columns" motion.h5 "max(abs($part)) < 1e-14" 2>&1) && [[ $far == 1 ]] || fail "$part: $far"
done

# An impact is met by the velocity before it and left by that of a solution, to rounding of places.
draws /around_impact/simultaneous_0 box_wall --samples 16 --initial-velocity 1.3
group=/around_impact/simultaneous_0
for part in "$group/position[1,:] - $group/position[0,:] - 0.1 * /before/velocity" \
    "$group/position[2,:] - $group/position[1,:] - 0.1 * /simultaneous/velocity[0,:]"; do
    far=$("$bin/carom_columns" motion.h5 "max(abs($part)) < 1e-15" 2>&1) && [[ $far == 1 ]] || fail "$part: $far"
done

# The name of the record is that of the picture, where the program is run.
mkdir elsewhere
(cd elsewhere && "$bin/animate" ../tower.h5 >out) || fail 'no default output'
[[ $(<elsewhere/out) == 'animate: wrote tower.svg' && -s elsewhere/tower.svg ]] || fail 'default output'

# $1: exit status; $2: what the sentence says; then arguments
expect() {
    local status=0
    rm -f bad.svg
    "$bin/animate" "${@:3}" --output bad.svg >out 2>&1 || status=$?
    [[ $status == "$1" ]] || fail "${*:3}: exit $status instead of $1: $(<out)"
    grep -qF -- "$2" out || fail "${*:3}: says $(<out)"
    [[ $(wc -l <out) == 1 ]] || fail "${*:3}: $(wc -l <out) lines"
    [[ ! -e bad.svg ]] || fail "${*:3}: leaves a picture"
}
"$bin/contact_problem" --rows 2 --quiet --output none.h5 2>/dev/null || fail 'no record without geometry'
expect 2 'a record is missing'
expect 1 'nowhere.h5 cannot be read' nowhere.h5
expect 2 'is not an HDF5 file' tower.svg
expect 2 'none.h5: has no geometry, only /' none.h5
expect 2 ', ...; to be drawn it needs' none.h5
expect 2 'has no poses in /walk; there are some in /moreau_jean' tower.h5 --group /walk
expect 2 'unknown option --groups' tower.h5 --groups /walk
expect 2 'one record at a time' tower.h5 plain.h5
expect 2 'play duration' tower.h5 --play-duration 0
expect 2 'slow impacts' tower.h5 --slow-impacts 0.5
expect 2 'accuracy' tower.h5 --accuracy 0
expect 2 '--accuracy takes a number' tower.h5 --accuracy fine
status=0
"$bin/animate" tower.h5 --output nowhere/a.svg >out 2>&1 || status=$?
[[ $status == 1 ]] && grep -q 'nowhere/a.svg cannot be written' out || fail "nowhere: $(<out)"

((failures == 0)) || exit 1
