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

lines=0
for experiment in $(tail -n +2 data/inputs.csv | cut -d , -f 1 | sort -u); do
    mapfile -t parameters < <(awk -F , -v name="$experiment" '$1 == name { print $2 }' data/inputs.csv)
    mapfile -t printed < <(awk -F , -v name="$experiment" '$1 == name { print $3 }' data/inputs.csv)
    lines=$((lines + ${#parameters[@]}))
    ours=$("$bin/carom_columns" "$results/$experiment.h5" "${parameters[@]/#//parameters/}" | tr '\t' '\n') \
        || { fail "$experiment has not all its parameters"; continue; }
    while IFS= read -r complaint; do
        fail "$experiment, $complaint"
    done < <(paste <(printf '%s\n' "${parameters[@]}") <(printf '%s\n' "${printed[@]}") <(echo "$ours") | awk '{
        n = split(tolower($2), part, "e")
        point = index(part[1], ".")
        unit = 10 ^ ((n > 1 ? part[2] : 0) - (point > 0 ? length(part[1]) - point : 0))
        if (NF != 3 || !(($3 - $2) ^ 2 <= (0.5000001 * unit) ^ 2)) print $1 ": " $3 ", printed is " $2 }')
done
((lines > 100)) || fail "only $lines lines were compared"
((failures == 0)) || { echo "inputs: $failures failures" >&2; exit 1; }
