#!/bin/bash
# Costs by commit. build/bench.json holds one list of rows for each commit that was measured, the last
# one last; a tree with changes is a commit of its own, "...-dirty".
# usage: tools/bench.sh --measure PROGRAM    run the benchmarks and add their rows
#        tools/bench.sh --compare OLD [NEW]  ratios old / new of the rows of two commits, or of the last
#                                            ones of two such files; NEW is what was measured last
set -euo pipefail

all=build/bench.json

# block FILE [COMMIT]: the rows of a commit (its beginning is enough), of the last one without, a line
# each, tab-separated: what is measured, time by the control's, spread; first the commit itself
block() {
    awk -v wanted="${2:-}" '
        function value(key,    text) {
            text = $0
            if (!sub(".*\"" key "\": \"?", "", text)) return ""
            sub(/[",}].*/, "", text)
            return text
        }
        /^"/ {
            split($0, parts, "\"")
            is_wanted = index(parts[2], wanted) == 1
            if (is_wanted) rows = parts[2] "\n"
        }
        /^  \{/ && is_wanted && value("ratio") != "" {
            text = $0
            method = sub(/.*"method": "/, "", text) && sub(/", "coordinates.*/, "", text) ? text : "?"
            rows = rows value("system") ", " method ", " value("coordinates") ", " value("contacts") \
                ", " value("impacts") "\t" value("ratio") "\t" value("spread") "\n"
        }
        END { printf "%s", rows }' "$1"
}

case ${1:-} in
--measure)
    commit=$(git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)
    if [[ $commit != unknown && -n $(git status --porcelain --untracked-files=no 2>/dev/null) ]]; then
        commit+=-dirty
        echo "the tree has changes: measured as $commit"
    fi
    part=build/bench.part
    trap 'rm -f "$part" "$all.tmp"' EXIT
    "$2" --json "$part"
    {
        echo '{'
        # The others, each from its line to the one that closes it.
        [[ ! -e $all ]] || awk -v own="\"$commit\":" '
            /^"/ { is_other = index($0, own) != 1 }
            /^["" ]/ && is_other
            /^\]/ { if (is_other) print "]},"; is_other = 0 }' "$all"
        printf '"%s": {"date": "%s", "host": "%s", "rows": [\n' "$commit" \
            "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$(uname -n)"
        cat "$part"
        printf ']}\n}\n'
    } >"$all.tmp"
    mv "$all.tmp" "$all"
    ;;
--compare)
    find_block() { # COMMIT_OR_FILE
        local rows
        if [[ -f $1 ]]; then rows=$(block "$1"); else rows=$(block "$all" "$1"); fi
        [[ -n $rows ]] || { echo "bench: $all has no rows of $1; it has:" >&2
            sed -n 's/^"\([^"]*\)".*/  \1/p' "$all" >&2; exit 1; }
        echo "$rows"
    }
    [[ -n ${2:-} && -f $all ]] || { echo "usage: make bench-compare OLD=commit-or-file (after make bench)" >&2; exit 2; }
    old=$(find_block "$2")
    new=$(find_block "${3:-$all}")
    awk -F '\t' '
        FNR == NR { if (FNR == 1) first = $0; else { old[$1] = $2; spread[$1] = $3 } next }
        FNR == 1 {
            printf "old: %s, new: %s; times by the control of each run; * beyond the spread of both\n", first, $0
            printf "%-70s %11s %11s %8s %7s\n", "system, method, coordinates, contacts, impacts", "old", "new", "old/new", "spread"
            next
        }
        !($1 in old) { printf "%-70s %11s %11.4g\n", $1, "-", $2; next }
        {
            wide = spread[$1] > $3 ? spread[$1] : $3
            factor = old[$1] / $2
            away = factor > 1 ? factor - 1 : 1 / factor - 1
            marked += away > wide
            sum += log(factor)
            n++
            printf "%-70s %11.4g %11.4g %8.3f %6.0f%%%s\n", $1, old[$1], $2, factor, 100 * wide, (away > wide ? " *" : "")
            delete old[$1]
        }
        END {
            for (row in old) printf "%-70s %11.4g %11s\n", row, old[row], "-"
            if (n) printf "%d rows, %d beyond the spread, geometric mean of old/new %.3f\n", n, marked, exp(sum / n)
        }' <(echo "$old") <(echo "$new")
    ;;
*)
    sed -n 's/^# //p' "$0" | sed -n '/^usage/,$p' >&2
    exit 2
    ;;
esac
