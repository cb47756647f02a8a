#!/bin/bash
# The published records were made with what the papers print: each line of data/inputs.csv against
# /parameters of its record, to half a unit of the last printed digit.
# usage: tests/project/inputs.sh [PROGRAM_FOLDER] [RESULTS_FOLDER]
set -euo pipefail

bin=${1:-build/bin}
results=${2:-data/results}
failures=0
fail() {
    failures=$((failures + 1))
    echo "inputs: $1" >&2
}

# compare EXPERIMENT PARAMETER PRINTED
compare() {
    local ours
    ours=$("$bin/carom_columns" "$results/$1.h5" "/parameters/$2") || { fail "$1 has no parameter $2"; return; }
    awk -v ours="$ours" -v printed="$3" 'BEGIN {
        n = split(tolower(printed), part, "e")
        point = index(part[1], ".")
        unit = 10 ^ ((n > 1 ? part[2] : 0) - (point > 0 ? length(part[1]) - point : 0))
        exit !((ours - printed) ^ 2 <= (0.5000001 * unit) ^ 2) }' \
        || fail "$1, $2: $ours, printed is $3"
}

lines=0
while IFS=, read -r experiment parameter published _; do
    lines=$((lines + 1))
    compare "$experiment" "$parameter" "$published"
done < <(tail -n +2 data/inputs.csv)
((lines > 100)) || fail "only $lines lines were compared"
((failures == 0)) || { echo "inputs: $failures failures" >&2; exit 1; }
