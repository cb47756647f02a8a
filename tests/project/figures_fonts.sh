#!/bin/bash
# Every announced figure exists in both formats, which say the same, and its PDF embeds only Latin
# Modern.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mapfile -t figures < <(sed -n 's/^# figures: *//p' figures/*.gp | tr -s ' ' '\n')
for figure in "${figures[@]}"; do
    [[ ! -s figures/$figure.pdf ]] || {
        pdffonts "figures/$figure.pdf"
        # gnuplot leaves out a label that is off the page, and pdftotext what it cuts.
        echo '== text'
        pdftotext "figures/$figure.pdf" -
    } >"$scratch/$figure"
done

# All in one process; letters are counted as they are in UTF-8, whatever awk takes for one.
LC_ALL=C awk -v scratch="$scratch" '
function fail(text) { print "figures_fonts: " text >"/dev/stderr"; failures++ }
# letters TEXT WEIGHT: the letters of a line, and how often
function letters(text, weight,   i, byte, letter) {
    gsub(/[ \n\f]/, "", text)
    for (i = 1; i <= length(text); i++) {
        byte = substr(text, i, 1)
        if (letter != "" && byte !~ /[\200-\277]/) { surplus[letter] += weight; letter = "" }
        letter = letter byte
    }
    if (letter != "") surplus[letter] += weight
}
function of_pdf(path,   line, count, is_text, others) {
    while ((getline line <path) > 0) {
        count++
        if (line == "== text") { is_text = 1; if (count < 4) fail(figure ".pdf embeds no font") }
        else if (is_text) letters(line, 1)
        else if (count > 2) {
            sub(/ .*/, "", line); sub(/^[A-Z]*\+/, "", line)
            if (line !~ /^(LM|LatinModern)/) others = others " " line
        }
    }
    close(path)
    if (!is_text) fail(figure ".pdf is missing")
    if (others != "") fail(figure ".pdf embeds" others)
    return is_text
}
function of_svg(path,   line, count, label) {
    while ((getline line <path) > 0) {
        count++
        while (match(line, /<(text|tspan[^>]*)>[^<]*<\//)) {
            label = substr(line, RSTART, RLENGTH - 2)
            line = substr(line, RSTART + RLENGTH)
            sub(/^<[^>]*>/, "", label)
            gsub(/&lt;/, "<", label); gsub(/&gt;/, ">", label); gsub(/&amp;/, "\\&", label)
            letters(label, -1)
        }
    }
    close(path)
    if (!count) fail(figure ".svg is missing")
}
BEGIN {
    for (i = 1; i < ARGC; i++) {
        figure = ARGV[i]
        split("", surplus)
        if (!of_pdf(scratch "/" figure)) continue
        of_svg("figures/" figure ".svg")
        others = ""
        for (letter in surplus) if (surplus[letter]) others = others sprintf(" %s (%+d)", letter, surplus[letter])
        if (others != "") fail("letters of " figure ", more often in the PDF (+) or in the SVG (-):" others)
    }
    printf "figures_fonts: %d figures, %d failures\n", ARGC - 1, failures
    exit failures > 0 || ARGC < 2
}' "${figures[@]}"
