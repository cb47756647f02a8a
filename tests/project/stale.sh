#!/bin/bash
# Make does what is needed and nothing else. In a copy of the built tree: a second `make figures`
# touches no file; a comment re-runs no experiment; a deleted record comes back with the same bytes;
# a change in a driver or a source re-runs exactly the experiments made from it.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# Copied without the other variants, with time stamps, so that nothing needs to be built again.
mkdir "$scratch/tree"
tar -c --exclude=./build/sanitize --exclude=./build/coverage --exclude=./.git --exclude=./build/paper . \
    | tar -x -C "$scratch/tree"
cd "$scratch/tree"
unset MAKEFLAGS MFLAGS MAKELEVEL

fail() {
    echo "stale: $1" >&2
    exit 1
}
state() {
    find build data figures paper -type f -printf '%p %T@ %s\n' | sort
}
runs() {
    (cd build/runs && stat -c '%n %y' -- *.tsv)
}
driver=bouncing_ball

# The tree may be older than the copy's sources only by what make figures does now.
make -j2 figures >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; fail "make figures failed"; }
before=$(state)
output=$(make figures)
[[ $(state) == "$before" ]] || {
    diff <(echo "$before") <(state) >&2 || true
    fail "a second make figures changed files"
}
[[ $output != *"  "* ]] || fail "a second make figures did something: $output"

# A comment in the library and in a driver.
before=$(runs)
for file in src/base/status.c src/record/record.h "experiments/$driver.c"; do
    printf '\n/* A comment that changes no digest. */\n' >>"$file"
done
sed -i '1s|^|/* Another, above everything. */\n|' src/record/record.h
make -j2 figures >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; fail "make figures failed after a comment"; }
[[ $(runs) == "$before" ]] || fail "a comment re-ran an experiment"
! grep -q '^  draw' "$scratch/log" || fail "a comment re-drew a figure"

# A record deleted by hand.
sum=$(sha256sum <"data/results/$driver.h5")
rm "data/results/$driver.h5"
make -j2 data >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; fail "a deleted record was not made again"; }
[[ $(sha256sum <"data/results/$driver.h5") == "$sum" ]] || fail "a record made again has other bytes"

# Code in one driver, and in a source that only two other experiments use.
before=$(runs)
for file in "experiments/$driver.c" src/models/elastic_bar.c; do
    function=carom_stale_$(basename "$file" .c)
    printf '\nint %s(void);\nint %s(void) {\n    return 0;\n}\n' "$function" "$function" >>"$file"
done
make -j2 data >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; fail "make data failed after a change"; }
changed=$({ diff <(echo "$before") <(runs) || true; } | sed -n 's/^> \([a-z_0-9]*\)\.tsv .*/\1/p' | tr '\n' ' ')
[[ $changed == "bouncing_ball elastic_bar impact_laws " ]] \
    || fail "changes in bouncing_ball and elastic_bar re-ran: ${changed:-nothing}"
