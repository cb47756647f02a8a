#!/bin/bash
# Print the experiments whose record is missing or has another sha256 than its line of the manifest.
# One that was never run, and so has no line, is not damaged.
# usage: tools/damaged_records.sh NAME...
set -euo pipefail

for name in "$@"; do
    line=build/runs/$name.tsv
    [[ -e $line ]] || continue
    IFS=$'\t' read -r _ computed _ <"$line" || true
    found=$(sha256sum "data/results/$name.h5" 2>/dev/null || true)
    [[ ${found%% *} == "$computed" && -n $computed ]] || echo "$name"
done
