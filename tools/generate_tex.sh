#!/bin/bash
# Write paper/generated/: the numbers of each section, the verification tables, the errata, the table of
# what each method computes, what many cores would do, the order of the sections. Files whose bytes do not change are left alone.
# usage: tools/generate_tex.sh SECTION...
set -euo pipefail

generated=paper/generated
for name in "$@"; do
    build/bin/numbers --section "paper/sections/$name.tex" --record "data/results/$name.h5" \
        --output "$generated/$name.tex"
done

# As `make verify` left them.
cp -u build/verification/*.tex "$generated"
build/bin/errata --errata data/errata.csv --latex "$generated/errata.tex"

keep_if_same() {
    if cmp -s "$1.tmp" "$1"; then
        rm "$1.tmp"
    else
        mv "$1.tmp" "$1"
    fi
}
awk -f tools/support_table.awk README.md >"$generated/support.tex.tmp"
keep_if_same "$generated/support.tex"
awk -f tools/scaling_table.awk data/costs.csv src/study/impacts.h src/impact/impact_sampling.c \
    >"$generated/scaling.tex.tmp"
keep_if_same "$generated/scaling.tex"
tools/order_sections.sh "$@" >"$generated/sections.tex.tmp"
keep_if_same "$generated/sections.tex"
