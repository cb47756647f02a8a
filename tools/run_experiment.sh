#!/bin/bash
# Run an experiment, by its program or by a sweep, write its line of the manifest:
# file, sha256, commit, host, time (UTC), seconds, peak memory in kB ("-" if it cannot be measured),
# and say how many records there are. What the program said stays beside the line, as NAME.said.
# Small experiments take no longer than a few processes do: there are few here.
# usage: COMMIT=... RUNS='NAME...' tools/run_experiment.sh RECORD LINE_FILE PROGRAM [ARGUMENT]...
set -euo pipefail

record=$1 line=$2
shift 2
said=${line%.tsv}.said
started=${EPOCHREALTIME/./}

# In large pages, where the C library knows them: fewer faults, and less to look up.
export GLIBC_TUNABLES=${GLIBC_TUNABLES:-glibc.malloc.hugetlb=1}

# The program, then its cost in a line of its own.
# shellcheck disable=SC2094
if [[ -x /usr/bin/time ]]; then
    /usr/bin/time -q -a -f '%e %M' -o "$said" "$@" --output "$record" >"$said"
else
    "$@" --output "$record" >"$said"
    hundredths=$(((${EPOCHREALTIME/./} - started) / 10000))
    printf '%d.%02d -\n' $((hundredths / 100)) $((hundredths % 100)) >>"$said"
fi
mapfile -t lines <"$said"
read -r seconds peak <<<"${lines[-1]}"

# Of what a program says when it has run, make shows the line, not the table.
for text in "${lines[@]}"; do
    [[ $text != "${1##*/}: "* ]] || echo "$text"
done

read -r sum _ < <(sha256sum "$record")
TZ=UTC0 printf -v now '%(%Y-%m-%dT%H:%M:%SZ)T' -1
# Written at once: a line that is cut is not that of its record (tools/damaged_records.sh).
printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "${record##*/}" "$sum" "$COMMIT" "$HOSTNAME" "$now" "$seconds" "$peak" >"$line"

current=0
read -r -a names <<<"$RUNS"
for name in "${names[@]}"; do
    [[ ! -e build/runs/$name.tsv || build/digest/$name.c -nt build/runs/$name.tsv ]] || current=$((current + 1))
done
echo "  $current of ${#names[@]} records"
