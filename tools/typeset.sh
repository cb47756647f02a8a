#!/bin/bash
# Typeset paper/carom.tex in build/paper/ and move the result to paper/carom.pdf. A reference or
# citation without its target is a failure; a line more than 10 pt too wide is reported.
# usage: tools/typeset.sh
set -euo pipefail

command -v latexmk >/dev/null \
    || { echo 'paper: latexmk is not installed: run `make setup-paper`' >&2; exit 1; }
output=build/paper
log=$output/carom.log
# TeX does not make the folders of \include'd files.
mkdir -p "$output"/{generated,sections,chapters}

(cd paper && max_print_line=10000 latexmk -pdf -outdir=../build/paper -interaction=nonstopmode \
    -halt-on-error -file-line-error carom.tex) >"$output/terminal.log" 2>&1 || {
    grep -E -A 4 '^(!|[^ ]*:[0-9]+:)' "$log" | head -n 40 >&2 || tail -n 40 "$output/terminal.log" >&2
    echo "paper: LaTeX failed; see $log" >&2
    # latexmk remembers the failure and would not try again
    rm -f "$output/carom.fdb_latexmk"
    exit 1
}

if grep -E "(LaTeX|Package [a-z]+) Warning: .*(Reference|Citation|[Uu]ndefined|multiply defined)" "$log" >&2; then
    echo "paper: undefined or doubled references" >&2
    exit 1
fi
awk '/^Overfull \\hbox/ { width = $3; sub(/^\(/, "", width); if (width + 0 > 10) print "paper: " $0 }' "$log"
cp "$output/carom.pdf" paper/carom.pdf.tmp
mv paper/carom.pdf.tmp paper/carom.pdf
echo "paper: wrote paper/carom.pdf"
