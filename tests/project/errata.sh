#!/bin/bash
# data/errata.csv is well formed, and what it gives as evidence exists: a test by its name, a published
# row by its id, a data set by its path. "text" is what the paper's own text shows.
# usage: tests/project/errata.sh [PROGRAM_FOLDER]
set -euo pipefail

bin=${1:-build/bin}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
fail() {
    echo "errata: $1" >&2
    failures=$((failures + 1))
}

"$bin/errata" --errata data/errata.csv >"$scratch/items"
[[ -s $scratch/items ]] || fail "there are no items"
cut -d, -f1 data/published/*.csv >"$scratch/ids"
while IFS=$'\t' read -r paper place evidence; do
    case $evidence in
    text) ;;
    tests/*:*)
        grep -qsE "TEST.*[ (]${evidence##*:}(,|\))" "${evidence%%:*}" || fail "$paper $place: no test $evidence" ;;
    *:/*)
        "$bin/carom_columns" "data/results/${evidence%%:*}.h5" "${evidence#*:}" >/dev/null 2>&1 \
            || fail "$paper $place: no data set $evidence" ;;
    *) grep -qxF -- "$evidence" "$scratch/ids" || fail "$paper $place: no published row $evidence" ;;
    esac
    grep -qE "^@[a-z]+\{$paper," paper/references.bib || fail "$paper is no paper of references.bib"
done <"$scratch/items"

# What is malformed is refused, by its line.
head='paper,place,printed,corrected,why,evidence'
refuses() {
    printf '%s\n' "${@:2}" >"$scratch/bad.csv"
    ! "$bin/errata" --errata "$scratch/bad.csv" >/dev/null 2>"$scratch/message" || fail "accepted: ${*:2}"
    grep -qF -- "$1" "$scratch/message" || fail "it says: $(cat "$scratch/message")"
}
refuses 'the first line' "$head"
refuses 'the first line' 'paper,place' 'a,b'
refuses ':3: it has not six fields' "$head" 'a,(1),x,y,z,text' 'a,(2),x,y,z'
refuses ':2: a field is empty' "$head" 'a,(1),x,,z,text'
refuses ':2: a formula has no end' "$head" 'a,(1),$x,y,z,text'
refuses ':3: the same misprint' "$head" 'a,(1),x,y,z,text' 'a,(1),x,u,v,text'
refuses ':4: its paper' "$head" 'a,(1),x,y,z,text' 'b,(1),x,y,z,text' 'a,(2),x,y,z,text'
refuses ':2:' "$head" 'a,(1),"x,y,z,text'
echo "errata: $(wc -l <"$scratch/items") items, $failures failures"
((failures == 0))
