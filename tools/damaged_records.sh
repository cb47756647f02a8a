#!/bin/bash
# Print the experiments whose record is missing or has another sha256 than its line of the manifest.
# One that was never run, and so has no line, is not damaged.
# usage: tools/damaged_records.sh NAME...
set -euo pipefail

declare -A found
while read -r sum file; do
    found[$file]=$sum
done < <(cd data/results 2>/dev/null && sha256sum "${@/%/.h5}" 2>/dev/null)

for name in "$@"; do
    line=build/runs/$name.tsv
    [[ -e $line ]] || continue
    IFS=$'\t' read -r _ computed _ <"$line" || true
    [[ -n $computed && ${found[$name.h5]-} == "$computed" ]] || echo "$name"
done
