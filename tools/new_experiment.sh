#!/bin/bash
# Write the files of a small working experiment: driver, figure, published rows, section.
# usage: tools/new_experiment.sh NAME        (lower_snake_case)
set -euo pipefail

name=${1:-}
if [[ -z $name ]]; then
    echo 'new-experiment: give a name: make new-experiment NAME=foo' >&2
    exit 2
fi
if [[ ! $name =~ ^[a-z][a-z0-9]*(_[a-z0-9]+)*$ ]] || ((${#name} > 40)); then
    echo "new-experiment: \"$name\" is not a lower-case name such as two_ball_chain" >&2
    exit 2
fi

declare -A targets=(
    [experiment.c]=experiments/$name.c
    [figure.gp]=figures/$name.gp
    [published.csv]=data/published/$name.csv
    [section.tex]=paper/sections/$name.tex
)
for target in "${targets[@]}" "tools/$name.c"; do
    if [[ -e $target ]]; then
        echo "new-experiment: $target exists already" >&2
        exit 2
    fi
done

# TeX macros are letters only: TwoBallChain, with digits spelled out; markers begin in lower case.
words=(zero one two three four five six seven eight nine)
spelled=$name
for digit in {0..9}; do
    spelled=${spelled//$digit/_${words[digit]}_}
done
macro=$(sed -E 's/(^|_+)([a-z]?)/\U\2/g' <<<"$spelled")
marker=${macro,}
figure=${name//_/-}

for template in "${!targets[@]}"; do
    target=${targets[$template]}
    mkdir -p "$(dirname "$target")"
    sed -e "s/@NAME@/$name/g" -e "s/@MACRO@/$macro/g" -e "s/@MARKER@/$marker/g" \
        -e "s/@FIGURE@/$figure/g" "templates/$template" >"$target"
    echo "new-experiment: wrote $target"
done
echo "new-experiment: now run make figures verify"
