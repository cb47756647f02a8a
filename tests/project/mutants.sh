#!/bin/bash
# Every line of the table of deliberate faults is found exactly once in the sources (`make mutants`
# runs them); a line that is not, is named.
set -euo pipefail

tools/mutants.sh --find

scratch=$(mktemp)
trap 'rm -f "$scratch"' EXIT
printf 'carom_mechanism_kinetic_energy\t0.5 * v[i]\t0.6 * v[i]\tfound\n' >"$scratch"
tools/mutants.sh --find "$scratch"
printf 'carom_mechanism_kinetic_energy\tno such text\tother\tnot there\nno_such_name\ta\tb\tnot there\n' >>"$scratch"
printf 'carom_mechanism_kinetic_energy\tenergy\tpower\tthere twice\nhalf a line\n' >>"$scratch"
if tools/mutants.sh --find "$scratch" >"$scratch.lost"; then
    echo "mutants: lines that are not in the sources are not noticed" >&2
    exit 1
fi
lines=$(cut -d ' ' -f 3 "$scratch.lost" | tr -d '\n')
rm "$scratch.lost"
[[ $lines == 2,3,4,5, ]] || { echo "mutants: named as lost: $lines" >&2; exit 1; }
