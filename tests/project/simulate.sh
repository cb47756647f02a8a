#!/bin/bash
# Every scene of data/examples runs and has the same bytes again; bad input ends in one sentence with
# exit 2 and no record, a motion that fails with exit 1.
# usage: tests/project/simulate.sh [PROGRAM_FOLDER]
set -euo pipefail

bin=$(realpath "${1:-build/bin}")
examples=$(realpath data/examples)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
failures=0
fail() {
    echo "simulate: $1" >&2
    failures=$((failures + 1))
}

for scene in "$examples"/*.scene; do
    name=$(basename "$scene" .scene)
    duration=0.3
    [[ $name == heap ]] && duration=0.08 # a thousand bodies
    for threads in 1 2; do
        "$bin/simulate" "$scene" --duration "$duration" --threads "$threads" --output "$name.h5" --quiet 2>log \
            || fail "$name: $(<log)"
        [[ -e $name.h5 ]] || continue
        mv "$name.h5" "$name-$threads.h5"
    done
    cmp "$name-1.h5" "$name-2.h5" || fail "$name depends on threads"
done

# The same scene elsewhere has the same record.
cp "$examples/tower.scene" elsewhere.scene
"$bin/simulate" elsewhere.scene --duration 0.3 --output elsewhere.h5 --quiet
cmp tower-1.h5 elsewhere.h5 || fail 'a record depends on where its scene is'

# In space the record does not know from where it is drawn, the picture does.
printf 'space\nrun duration 0.1\nbody a mass 1 rate 1 2 3\n box 1 2 3\nbody b mass 1 at 3 0 0\n sphere 1\n' >free.scene
"$bin/simulate" free.scene --output free.h5 --plot free.svg --animate moves.svg --quiet
"$bin/simulate" free.scene --output again.h5 --plot front.svg --view 0,-1,0 --quiet
cmp free.h5 again.h5 || fail 'a record depends on the view'
"$bin/animate" free.h5 --plot --view 0,-1,0 --output again.svg >log
cmp front.svg again.svg || fail 'simulate and animate draw otherwise'
! cmp -s front.svg free.svg || fail 'a view changes nothing'
grep -q '<animate attributeName="d"' moves.svg || fail 'a box does not move'

# $1: exit status; $2: what the sentence says; then arguments
expect() {
    local status=0
    "$bin/simulate" "${@:3}" --output out.h5 --quiet >out 2>&1 || status=$?
    [[ $status == "$1" ]] || fail "${*:3}: exit $status instead of $1: $(<out)"
    grep -qF -- "$2" out || fail "${*:3}: says $(<out)"
    [[ $(wc -l <out) == 1 ]] || fail "${*:3}: $(wc -l <out) lines"
    [[ ! -e out.h5 ]] || fail "${*:3}: leaves a record"
}
printf 'body a mass 1\n disc 1\nbody b mass 1 at 1.5 0\n disc 1\n' >overlap.scene
printf 'body a mas 1\n' >word.scene
printf 'body a mass 1 velocity 1 0\n disc 1\nrevolute ground a at 0 0\n' >rate.scene
expect 2 'a scene is missing'
expect 2 'nowhere.scene: cannot be read' nowhere.scene
expect 2 'word.scene: line 1: body: "mas" is none of its words' word.scene
expect 2 'a and b overlap by 0.5 m at the start' overlap.scene
expect 2 'there is no parameter "n"' overlap.scene --parameters n=1
printf 'space\nbody a mass 1\n box 1 1 1\nbody b mass 1 at 0 0 1\n box 1 1 1\n' >boxes.scene
expect 2 'the box of a and the box of b come near each other' boxes.scene
expect 2 'view: "1,2" is no direction X,Y,Z' "$examples/tower.scene" --view 1,2
expect 2 'simulate: revolute of the ground and a: at the start their speeds differ from it by 1 m/s' rate.scene
printf 'body a mass 1 rate -3\n disc 1\nprismatic ground a at 0 0 axis 0\n' >turn.scene
expect 2 'simulate: prismatic of the ground and a: at the start their speeds differ from it by 3 rad/s' turn.scene --step 1e-5
expect 2 'without friction' "$examples/tower.scene" --scheme smooth-galpha
expect 2 'simulate: nonsmooth_galpha has no predicted rows' "$examples/tower.scene" --scheme nonsmooth-galpha --rows predicted
# Rows of the scheme, if none are asked for, are recorded as what they are.
for case in moreau-jean:predicted velocity-galpha:predicted nonsmooth-galpha:solved; do
    "$bin/simulate" "$examples/tower.scene" --scheme "${case%:*}" --duration 0.02 --output rows.h5 --quiet >/dev/null
    "$bin/simulate" "$examples/tower.scene" --scheme "${case%:*}" --rows "${case#*:}" --duration 0.02 --output same.h5 \
        --quiet >/dev/null
    cmp rows.h5 same.h5 || fail "$case is not what is taken by itself"
done
"$bin/simulate" "$examples/tower.scene" --rows solved --duration 0.3 --output solved.h5 --quiet >/dev/null
! cmp -s solved.h5 tower-1.h5 || fail 'rows change nothing'
# What the file or the scheme is to blame for is not put on a number that was given too.
expect 2 'simulate: word.scene: line 1' word.scene --step 1e-9
expect 2 'simulate: a and b overlap' overlap.scene --step 1e-5 --duration 2
expect 2 'simulate: smooth_galpha computes' "$examples/tower.scene" --scheme smooth-galpha --step 1e-5
expect 2 'step' "$examples/tower.scene" --step 3 --duration 2

# Where no contact is possible it says so, and nothing where one is, or where it is to be quiet.
printf 'body a mass 1\n disc 1\n' >alone.scene
"$bin/simulate" alone.scene --duration 0.1 --output alone.h5 2>out >/dev/null || fail "alone: $(<out)"
grep -qxF 'simulate: no contact is possible: no two shapes may touch, and no joint has stops or friction' out \
    || fail "without contacts it says $(<out)"
"$bin/simulate" alone.scene --duration 0.1 --output alone.h5 --quiet 2>out >/dev/null || fail "alone: $(<out)"
[[ ! -s out ]] || fail "quiet, it says $(<out)"
"$bin/simulate" "$examples/tower.scene" --duration 0.1 --output tower.h5 2>out >/dev/null || fail "tower: $(<out)"
[[ ! -s out ]] || fail "of a tower it says $(<out)"

# What stands stays for 1e5 steps: a tower, and discs upon discs. 1e-12 m are 1e4 roundings of a metre.
cat >rest.scene <<'END'
run duration 100 step 1e-3
material m friction 0.6
ground
  half-plane at 0 0 normal 0 1 material m
body box mass 1 at -3 0.25 repeat 1 4 0 0.5
  box 1 0.5 material m
body a mass 1 at 0 0.5 repeat 2 1 1 0
  disc 0.5 material m
body b mass 1 at 0.5 1.3660254037844386
  disc 0.5 material m
END
"$bin/simulate" rest.scene --output rest.h5 --quiet >/dev/null || fail 'what stands ends'
for part in x y angle; do
    moved="max(abs(/moreau_jean/body_${part}[-1,:] - /moreau_jean/body_${part}[0,:]))"
    [[ $("$bin/carom_columns" rest.h5 "$moved < 1e-12" '/measures/steps == 1e5') == $'1\t1' ]] \
        || fail "after 1e5 steps $part is elsewhere by $("$bin/carom_columns" rest.h5 "$moved")"
done

((failures == 0)) || exit 1
