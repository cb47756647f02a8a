#!/bin/bash
# Draw all figures of one gnuplot script, as PDF and SVG, and move them into figures/ only when the
# script said nothing on stderr (gnuplot exits 0 with a curve missing) and drew what it announced.
# usage: tools/render_figures.sh figures/NAME.gp FIGURE...
set -euo pipefail

script=$1
shift
name=$(basename "$script" .gp)
work=build/figures/$name
rm -rf "$work"
mkdir -p "$work"

fail() {
    echo "$script: $1" >&2
    exit 1
}

command -v gnuplot >/dev/null || fail 'gnuplot is not installed: run `make setup`'
status=0
# Interrupted, gnuplot would ask the terminal what to do, or wait for ever on a lock that it holds. So
# it gets no terminal and, in a group of its own, no interrupt: it is ended, and what it drew is gone.
set -m
gnuplot -e "columns='build/bin/carom_columns'; results='data/results'; out='$work'" "$script" \
    2>"$work/messages" </dev/null &
job=$!
set +m
end_drawing() {
    kill -KILL -- "-$job" 2>/dev/null || true
    wait "$job" 2>/dev/null || true
    rm -rf "$work"
    exit 130
}
trap end_drawing INT TERM HUP
wait "$job" || status=$?
trap - INT TERM HUP
if ((status != 0)) || [[ -s $work/messages ]]; then
    cat "$work/messages" >&2
    fail "gnuplot reported the above (exit $status)"
fi

for figure in "$@"; do
    for file in "$work/$figure.pdf" "$work/$figure.svg"; do
        [[ -s $file ]] || fail "does not draw $(basename "$file") that it announces"
    done
    # cairo writes the time of day: replace it, at the same length, by a fixed date.
    LC_ALL=C sed -i 's/\(CreationDate (D:\)[0-9]\{14\}/\119700101000000/' "$work/$figure.pdf"
done
for file in "$work"/*.pdf; do
    [[ " $* " == *" $(basename "$file" .pdf) "* ]] \
        || fail "draws $(basename "$file") that it does not announce"
done
for figure in "$@"; do
    mv "$work/$figure.pdf" "$work/$figure.svg" figures/
done
rm -rf "$work"
