#!/bin/bash
# Print the experiments whose record is missing or has another sha256 than its line of the manifest.
# One that was never run, and so has no line, is not damaged; one that is to be run again need not be
# looked at.
# usage: tools/damaged_records.sh NAME...
set -euo pipefail

names=()
for name in "$@"; do
    line=build/runs/$name.tsv
    [[ ! -e $line || build/digest/$name.c -nt $line ]] || names+=("$name")
done
((${#names[@]} > 0)) || exit 0

# Some at a time on each core.
declare -A found
while read -r sum file; do
    found[$file]=$sum
done < <(cd data/results 2>/dev/null && printf '%s.h5\0' "${names[@]}" | xargs -0 -n 4 -P "$(nproc)" sha256sum 2>/dev/null)

for name in "${names[@]}"; do
    IFS=$'\t' read -r _ computed _ <"build/runs/$name.tsv" || true
    [[ -n $computed && ${found[$name.h5]-} == "$computed" ]] || echo "$name"
done
