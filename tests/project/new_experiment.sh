#!/bin/bash
# `make new-experiment NAME=foo` writes an experiment that passes `make figures verify` at once.
# Made in a copy of the built tree, beside one other.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
source tests/copied_tree.sh
copy_tree "$scratch/tree" falling_ball
cd "$scratch/tree"
unset MAKEFLAGS MFLAGS MAKELEVEL

fail() {
    echo "new_experiment: $1" >&2
    exit 1
}

# Names that are none, and one that exists.
for name in '' Foo 1st foo-bar foo__bar _foo 'foo bar' ../foo foo_; do
    if tools/new_experiment.sh "$name" >/dev/null 2>&1; then
        fail "the name \"$name\" was accepted"
    fi
done

# Nor is a name read by make or by a shell.
for name in "x';touch X;'" '$(touch X)' '`touch X`' '$(shell touch X)' '$$(touch X)' 'x;touch X' \
    $'x\ntouch X' 'x" ; touch X ; "' '$(error X)'; do
    message=$(make new-experiment NAME="$name" 2>&1) && fail "the name \"$name\" was accepted"
    [[ $message == *"is not a lower-case name such as"* ]] || fail "the name \"$name\" is refused with: $message"
    [[ ! -e X ]] || fail "the name \"$name\" was executed"
done

name=spring_2_wall
make new-experiment NAME=$name >/dev/null
if make new-experiment NAME=$name >/dev/null 2>&1; then
    fail "an existing experiment was overwritten"
fi
make -j2 figures verify >log 2>&1 || { tail -n 40 log >&2; fail "it does not pass make figures verify"; }
[[ -s data/results/$name.h5 && -s figures/spring-2-wall-fig01.pdf && -s figures/spring-2-wall-fig01.svg ]] \
    || fail "record or figure is missing"
grep -qE "^ +$name +2 +2 +0 +0 +0 +0\$" log || fail "its two published items are not in the summary"
tests/project/excerpts.sh || fail "its excerpt is not marked"
[[ $(tools/order_sections.sh $name) == *"sections/$name.tex"* ]] || fail "its section has no place in the document"

# Its mechanism refuses what is not physical, like every other driver.
if build/bin/$name --mass -1 --output "$scratch/x.h5" 2>/dev/null || [[ -e $scratch/x.h5 ]]; then
    fail "a negative mass was accepted"
fi
