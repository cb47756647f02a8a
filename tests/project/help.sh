#!/bin/bash
# What every program says to --help: lines of at most 80 columns, in which long ones are broken
# between words, or in lists, and nothing else.
# usage: tests/project/help.sh [PROGRAM_FOLDER]
set -euo pipefail

programs=${1:-build/bin}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
status=0
fail() {
    echo "help: $*" >&2
    status=1
}
# columns: the lines that are longer, in letters; awk may count bytes, of which those of a letter that
# are not its first are left out.
columns() {
    LC_ALL=C sed 's/[\x80-\xbf]//g' | LC_ALL=C awk 'length > 80'
}

count=0
for program in "$programs"/*; do
    name=${program##*/}
    "$program" --help >"$scratch/help" || fail "$name --help ends with $?"
    count=$((count + 1))
    [[ $(head -c 7 "$scratch/help") == Usage:* ]] || fail "$name: no usage"
    long=$(columns <"$scratch/help")
    [[ -z $long ]] || fail "$name: more than 80 columns: $long"
    awk '/ $/ { print FILENAME ": a blank at the end: " $0; bad = 1 } END { exit bad }' "$scratch/help" \
        || fail "$name: blanks at the end of lines"
done
sources=(experiments/*.c tools/*.c)
((count >= ${#sources[@]})) || fail "$count programs of ${#sources[@]}"

# Each choice stands in one piece, behind a list that goes on deeper than the text below.
[[ $("$programs/simulate" --help | tr -d '\n' | tr -s ' ') == \
    *'(nonsmooth-galpha|moreau-jean|smooth-galpha|modified-lcp| velocity-galpha; default moreau-jean) how'* ]] \
    || fail 'simulate: the choices of --scheme are not what they are'
exit "$status"
