#!/bin/bash
# Every announced figure exists in both formats, and its PDF embeds only Latin Modern.
set -euo pipefail

failures=0
fail() {
    echo "figures_fonts: $1" >&2
    failures=$((failures + 1))
}

count=0
for script in figures/*.gp; do
    [[ $script != figures/style.gp ]] || continue
    for figure in $(sed -n 's/^# figures: *//p' "$script"); do
        count=$((count + 1))
        [[ -s figures/$figure.svg ]] || fail "$figure.svg is missing"
        [[ -s figures/$figure.pdf ]] || { fail "$figure.pdf is missing"; continue; }
        fonts=$(pdffonts "figures/$figure.pdf" | sed '1,2d')
        [[ -n $fonts ]] || fail "$figure.pdf embeds no font"
        others=$(awk '{ print $1 }' <<<"$fonts" | sed 's/^[A-Z]*+//' | grep -v '^\(LM\|LatinModern\)' || true)
        [[ -z $others ]] || fail "$figure.pdf embeds $(tr '\n' ' ' <<<"$others")"
    done
done
echo "figures_fonts: $count figures, $failures failures"
((failures == 0 && count > 0))
