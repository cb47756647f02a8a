#!/bin/bash
# Every announced figure exists in both formats, which say the same, and its PDF embeds only Latin
# Modern.
set -euo pipefail

failures=0
fail() {
    echo "figures_fonts: $1" >&2
    failures=$((failures + 1))
}

# Letters and how often; gnuplot leaves out a label that is off the page, and pdftotext what it cuts.
letters() {
    tr -d ' \n\f' | grep -o . | sort | uniq -c
}
of_svg() {
    grep -oE '<(text|tspan[^>]*)>[^<]*</' "$1" | sed 's/^<[^>]*>//; s/<\/$//; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g'
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
        others=$(diff <(pdftotext "figures/$figure.pdf" - | letters) <(of_svg "figures/$figure.svg" | letters) \
            | sed -n 's/^\([<>]\) */\1/p' | paste -sd' ' || true)
        [[ -z $others ]] || fail "letters of $figure, in PDF (<) and SVG (>): $others"
    done
done
echo "figures_fonts: $count figures, $failures failures"
((failures == 0 && count > 0))
