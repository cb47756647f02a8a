#!/bin/bash
# Make does what is needed and nothing else. In a copy of the built tree: a second `make figures`
# touches no file; a comment re-runs no experiment; a damaged record comes back with the same bytes;
# a change in a driver or a source re-runs exactly the experiments made from it.
# takes long
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# Some experiments with their figures stand for all.
source tests/copied_tree.sh
copy_tree "$scratch/tree" bouncing_ball elastic_bar impact_laws falling_ball zeno_block scheme_errors
# A repository around the tree is none of its business.
git -C "$scratch" init -q
git -C "$scratch" -c user.name=x -c user.email=x commit -q --allow-empty -m x
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
for file in src/base/status.c src/record/internal.h "experiments/$driver.c"; do
    printf '\n/* A comment that changes no digest. */\n' >>"$file"
done
sed -i '1s|^|/* Another, above everything. */\n|' src/record/internal.h
make -j2 figures >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; fail "make figures failed after a comment"; }
[[ $(runs) == "$before" ]] || fail "a comment re-ran an experiment"
! grep -q '^  draw' "$scratch/log" || fail "a comment re-drew a figure"

# A record of which one bit was flipped, the end or all is missing, or that cannot be read comes back
# with the bytes that were computed, in whatever state its time stamps are, and nothing else is run.
record=data/results/$driver.h5
sum=$(sha256sum <"$record")
flip_bit() {
    local byte
    byte=$(od -An -tu1 -j 70000 -N 1 "$record")
    printf "\\x$(printf %x $((byte ^ 4)))" | dd of="$record" bs=1 seek=70000 conv=notrunc status=none
}
mend() {
    local others
    others=$(runs | grep -v "$driver")
    make -j2 "$1" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; fail "make $1 failed after: $2"; }
    [[ $(sha256sum <"$record") == "$sum" ]] || fail "the record made again has other bytes after: $2"
    grep -qx "$driver.h5 is not what was computed: made again" "$scratch/log" || fail "make $1 does not say: $2"
    [[ $(runs | grep -v "$driver") == "$others" ]] || fail "another experiment was run after: $2"
}
flip_bit; touch -d '2 days ago' "$record"; mend data "one bit was flipped"
flip_bit; mend figures "one bit was flipped"
grep -q '^  draw' "$scratch/log" || fail "the figures of a damaged record were not drawn again"
truncate -s 5000 "$record"; mend data "it was truncated"
: >"$record"; mend data "it was emptied"
rm "$record"; mend figures "it was deleted"
output=$(make figures)
[[ $output != *"  "* && $output != *again* ]] || fail "after the repair make figures did something: $output"

# Code in one driver, and in a source that only two other experiments use.
before=$(runs)
for file in "experiments/$driver.c" src/models/elastic_bar.c; do
    function=carom_stale_$(basename "$file" .c)
    printf '\nint %s(void);\nint %s(void) {\n    return 0;\n}\n' "$function" "$function" >>"$file"
done
make -j2 data >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; fail "make data failed after a change"; }
total=$(find build/runs -name '*.tsv' | wc -l)
grep -qx "  $total of $total records" "$scratch/log" || fail "make data does not say how far it is"
[[ $(cut -f 3 build/runs/$driver.tsv) == unknown ]] || fail "the commit of a repository around the tree was recorded"
changed=$({ diff <(echo "$before") <(runs) || true; } | sed -n 's/^> \([a-z_0-9]*\)\.tsv .*/\1/p' | tr '\n' ' ')
[[ $changed == "bouncing_ball elastic_bar impact_laws scheme_errors " ]] \
    || fail "changes in bouncing_ball and elastic_bar re-ran: ${changed:-nothing}"
