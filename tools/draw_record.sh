#!/bin/bash
# Draw the figures of an experiment from a record of one's own, beside it: my.h5 gives
# my-bruls-2014-fig02.pdf and .svg. A curve that the record does not have is left out; a figure that
# cannot be drawn without it is named, with the reason.
# usage: RECORD=my.h5 EXPERIMENT=bouncing_ball tools/draw_record.sh
set -euo pipefail

fail() {
    echo "figure: $1" >&2
    exit 1
}
record=${RECORD:-} experiment=${EXPERIMENT:-}
[[ -n $record && -n $experiment ]] || fail 'RECORD=my.h5 and EXPERIMENT=NAME are needed'
[[ -e experiments/$experiment.c ]] || fail "there is no experiment $experiment"
[[ -r $record ]] || fail "$record cannot be read"
build/bin/carom_columns "$record" >/dev/null || exit 1
command -v gnuplot >/dev/null || fail 'gnuplot is not installed: run `make setup`'

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ln -s "$(realpath "$record")" "$work/$experiment.h5"
announced() {
    sed -n "s/^# $1: *//p" "$2"
}

# part N: a script with the N-th of the figures in its loops over formats alone.
part() {
    awk -v wanted="$1" '
        /^do for \[format in FORMATS\]/ { inside = 1; print; next }
        /^}/ { inside = 0 }
        !inside { print; next }
        count == wanted - 1
        / eval FINISH$/ { has_figure = 1 }
        /^    eval FINISH$/ || (/^    }$/ && has_figure) { count++; has_figure = 0 }
    ' "$2"
}

# missing: what the record did not have, by the complaints of carom_columns.
missing() {
    sed -n 's/^carom_columns: \([^ ]*\) in .*/\1/p' "$work/messages" | sort -u | paste -sd' '
}

drawn=0
for script in figures/*.gp; do
    records=$(announced records "$script")
    [[ ${records:-$(basename "$script" .gp)} == "$experiment" ]] || continue
    for ((n = 1; ; ++n)); do
        part "$n" "$script" >"$work/part.gp"
        grep -q 'eval FINISH$' "$work/part.gp" || break
        rm -f "$work"/*.pdf "$work"/*.svg
        if ! gnuplot -e "columns='build/bin/carom_columns --allow-missing'; results='$work'; out='$work'" \
            "$work/part.gp" 2>"$work/messages" </dev/null; then
            figure=$(sed -n "s/^ *eval figure('\([^']*\)'.*/\1/p" "$work/part.gp")
            echo "${figure:-a figure of $script} needs what $record does not have: $(missing)" >&2
            continue
        fi
        for file in "$work"/*.pdf; do
            name=$(basename "$file" .pdf)
            mv "$file" "${record%.h5}-$name.pdf"
            mv "$work/$name.svg" "${record%.h5}-$name.svg"
            echo "  draw    ${record%.h5}-$name.pdf and .svg"
            drawn=$((drawn + 1))
        done
        [[ -z $(missing) ]] || echo "          without $(missing)"
    done
done
((drawn > 0)) || fail "nothing was drawn"
