#!/bin/bash
# Draw the figures of an experiment from a record of one's own, beside it: my.h5 gives
# my-bruls-2014-fig02.pdf and .svg. A curve that the record does not have is left out; a figure that
# cannot be drawn without it is named, with the reason.
# A record of a sweep needs no EXPERIMENT: what was kept is drawn over its one or two parameters.
# usage: RECORD=my.h5 [EXPERIMENT=bouncing_ball] tools/draw_record.sh
set -euo pipefail

fail() {
    echo "figure: $1" >&2
    exit 1
}
record=${RECORD:-} experiment=${EXPERIMENT:-}
[[ -n $record ]] || fail 'RECORD=my.h5 and EXPERIMENT=NAME are needed'
[[ -r $record ]] || fail "$record cannot be read"
build/bin/carom_columns "$record" >/dev/null || exit 1
header=
[[ -n $experiment ]] || header=$(ncdump -h "$record" | sed '/^group: /,$d')
[[ -n $experiment || $header == *':schema = "sweep '* ]] || fail 'RECORD=my.h5 and EXPERIMENT=NAME are needed'
[[ -z $experiment || -e experiments/$experiment.c || -e data/sweeps/$experiment.txt ]] \
    || fail "there is no experiment $experiment"
command -v gnuplot >/dev/null || fail 'gnuplot is not installed: run `make setup`'

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ln -s "$(realpath "$record")" "$work/${experiment:-sweep}.h5"
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

# keep NAME: move what was drawn beside the record.
keep() {
    mv "$work/$1.pdf" "${record%.h5}-$1.pdf"
    mv "$work/$1.svg" "${record%.h5}-$1.svg"
    echo "  draw    ${record%.h5}-$1.pdf and .svg"
    drawn=$((drawn + 1))
}

# label NAME: of an axis or a quantity, with its unit.
label() {
    local unit
    unit=$(sed -nE "s/^[[:space:]]*(string )?$1:units = \"(.*)\" ;/\2/p" <<<"$header")
    [[ -z $unit || $unit == 1 ]] && echo "${1//_/ }" || echo "${1//_/ } / $unit"
}

# sweep NAME AXIS...: what was kept, by the template for so many parameters.
sweep() {
    local name=$1 kind=map entries=0
    shift
    [[ $name != exit_code && " $* " != *" $name "* ]] || return 0
    [[ ${!#} != "${name}_entry" ]] || { entries=1; set -- "${@:1:$#-1}"; }
    (($# > 1)) || kind=lines
    if (($# > 2 || (entries && $# > 1))) || [[ $1 == point ]]; then
        echo "$name stands over ${*//_/ }: drawn is what stands over one or two parameters" >&2
        return 0
    fi
    gnuplot -e "columns='build/bin/carom_columns'; results='$work'; out='$work'; quantity='$name'; \
        x_axis='$1'; y_axis='${2:-}'; has_entries=$entries; x_label='$(label "$1")'; \
        y_label='$(label "${2:-}")'; z_label='$(label "$name")'" "templates/sweep_$kind.gp" \
        2>"$work/messages" </dev/null || { cat "$work/messages" >&2; fail "$name cannot be drawn"; }
    keep "$name"
}

drawn=0
if [[ -n $header ]]; then
    while read -r name axes; do
        # shellcheck disable=SC2086
        sweep "$name" $axes
    done < <(sed -nE 's/^[[:space:]]*double ([A-Za-z0-9_]+)\((.*)\) ;/\1 \2/p' <<<"$header" | tr -d ,)
    ((drawn > 0)) || fail "nothing was drawn"
    exit 0
fi
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
            keep "$(basename "$file" .pdf)"
        done
        [[ -z $(missing) ]] || echo "          without $(missing)"
    done
done
((drawn > 0)) || fail "nothing was drawn"
