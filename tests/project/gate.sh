#!/bin/bash
# The gate between two trees sees what was changed, renamed, taken away and added, and nothing else.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
fail() {
    echo "gate: $1" >&2
    failures=$((failures + 1))
}
# compare STATUS EXPECTED-LINE...: of the two trees
compare() {
    local status=0
    tools/gate.sh "$scratch/old" "$scratch/new" >"$scratch/report" 2>&1 || status=$?
    [[ $status == "$1" ]] || fail "exit $status instead of $1: $(tail -n 3 "$scratch/report")"
    local line
    for line in "${@:2}"; do
        grep -qxF -- "$line" "$scratch/report" || fail "not said: $line"
    done
}

mkdir -p "$scratch"/{old,new}/{data/results,figures}
build/bin/falling_ball --output "$scratch/old/data/results/ball.h5" >/dev/null
cp "$scratch/old/data/results/ball.h5" "$scratch/new/data/results/ball.h5"
echo '<svg>a</svg>' >"$scratch/old/figures/a.svg"
cp "$scratch/old/figures/a.svg" "$scratch/new/figures/a.svg"
count=$(tools/gate.sh "$scratch/old" | wc -l)
((count > 50)) || fail "only $count data sets and figures in the list"
compare 0 "$count equal, 0 renamed, 0 changed, 0 gone, 0 new"

# One byte of one data set.
address=$(h5ls -a -v "$scratch/new/data/results/ball.h5/parameters/mass" | sed -n 's/.*Address: *//p')
printf 'x' | dd of="$scratch/new/data/results/ball.h5" bs=1 seek="$address" conv=notrunc status=none
compare 1 "changed  ball.h5:/parameters/mass" \
    "$((count - 1)) equal, 0 renamed, 1 changed, 0 gone, 0 new"
cp "$scratch/old/data/results/ball.h5" "$scratch/new/data/results/ball.h5"

# Another name for the same bytes, a picture more, a picture less.
mv "$scratch/new/figures/a.svg" "$scratch/new/figures/b.svg"
compare 0 "renamed  a.svg -> b.svg" "$((count - 1)) equal, 1 renamed, 0 changed, 0 gone, 0 new"
echo '<svg>c</svg>' >"$scratch/new/figures/c.svg"
compare 0 "new      c.svg"
rm "$scratch/new/figures/b.svg"
compare 1 "gone     a.svg"

# What cannot be compared is said, with nothing in between.
compare_nothing() {
    local status=0
    tools/gate.sh "$@" >"$scratch/report" 2>&1 || status=$?
    [[ $status == 2 ]] || fail "exit $status of a comparison that cannot be made: $*"
}
compare_nothing "$scratch/old" "$scratch/nowhere"
head -c 3000 "$scratch/old/data/results/ball.h5" >"$scratch/new/data/results/ball.h5"
compare_nothing "$scratch/old" "$scratch/new"

((failures == 0))
