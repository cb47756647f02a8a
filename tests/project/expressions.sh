#!/bin/bash
# The examples of docs/expressions.md have the values that stand beside them.
# usage: tests/project/expressions.sh [PROGRAM_FOLDER]
set -uo pipefail

columns=${1:-build/bin}/carom_columns
count=0
failures=0
while read -r record rest; do
    expected=${rest##* }
    expression=${rest% *}
    ours=$("$columns" "data/results/$record.h5" "$expression" 2>&1)
    count=$((count + 1))
    awk -v a="$ours" -v b="$expected" 'BEGIN { exit !(a + 0 == a && (a - b) ^ 2 <= 1e-24 * b ^ 2) }' || {
        failures=$((failures + 1))
        echo "expressions: $record: $expression is $ours, not $expected" >&2
    }
done < <(sed -n '/^## Ten examples/,$ { s/^    //p }' docs/expressions.md)
((count == 10)) || echo "expressions: $count examples instead of 10" >&2
((count == 10 && failures == 0))
