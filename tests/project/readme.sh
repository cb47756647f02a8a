#!/bin/bash
# What the README shows is so: its pictures are those that `make gallery` draws of today's records, its
# table has every program with its title, and its lines of `make verify` are printed.
# usage: tests/project/readme.sh [PROGRAMS]
set -euo pipefail

programs=${1:-build/bin}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
fail() {
    echo "readme: $1" >&2
    failures=$((failures + 1))
}

# Pictures: all are shown, small, and not stale.
diff <(grep -o 'docs/gallery/[a-z0-9-]*\.png' README.md | sort) <(printf '%s\n' docs/gallery/*.png) >"$scratch/log" \
    || fail "pictures that are shown (<) or there (>): $(grep '^[<>]' "$scratch/log" | paste -sd' ')"
bytes=$(cat docs/gallery/* | wc -c)
((bytes <= 1500000)) || fail "docs/gallery has $bytes bytes, more than 1.5 MB"
mkdir "$scratch/gallery"
tools/gallery.sh "$scratch/gallery"
# Other programs draw other pixels of the same figure.
if cmp -s docs/gallery/drawn-with.txt "$scratch/gallery/drawn-with.txt"; then
    for picture in docs/gallery/*.png; do
        cmp -s "$picture" "$scratch/gallery/$(basename "$picture")" \
            || fail "$picture is not what the records give: make gallery"
    done
else
    echo "readme: pictures not compared, drawn with $(paste -sd, docs/gallery/drawn-with.txt)," \
        "here is $(paste -sd, "$scratch/gallery/drawn-with.txt")"
fi

for experiment in experiments/*.c; do
    name=$(basename "$experiment" .c)
    title=$("$programs/$name" --help | sed '1d; /^$/,$d' | paste -sd ' ' | sed 's/ ([^()]*)$//')
    grep -qF "| \`$name\` | $title |" README.md || fail "the table of programs does not say: $name, $title"
done

sed -nE 's/^    ([a-z]+-[0-9]{4} +[0-9].*)/\1/p' README.md >"$scratch/shown"
[[ -s $scratch/shown ]] || fail 'there is no line of make verify'
[[ -s build/verify.txt ]] || fail 'make verify was not run'
while read -r line; do
    fail "make verify does not print: $line (make gallery)"
done < <(grep -vxFf build/verify.txt "$scratch/shown" || true)
echo "readme: $bytes bytes of pictures, $failures failures"
((failures == 0))
