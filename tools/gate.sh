#!/bin/bash
# Do two trees hold the same numbers and pictures? Takes a sha256 of every data set of every record
# (with its type, shape and unit) and of every figure as SVG; says what differs, and what is only
# in one of the trees. A data set or figure whose bytes are found under one other name is renamed.
# usage: tools/gate.sh TREE              print the list: sha256, tab, FILE:/path or FILE
#        tools/gate.sh OLD NEW           compare; each is a tree, or a file with a list
# `make gate OLD=... ` compares with this tree. Texts (descriptions, titles, digests) are not looked at.
# Exit status: 0 all equal, or only new things; 1 something changed or is gone; 2 a list cannot be made.
set -euo pipefail

parts=$(dirname "$0")/../build/bin/record_parts
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

refuse() {
    echo "gate: $1" >&2
    exit 2
}

# list_of TREE_OR_FILE: its list, sorted by name
list_of() {
    if [[ -f $1 ]]; then
        sort -t $'\t' -k 2 "$1"
        return
    fi
    local record figure
    compgen -G "$1/data/results/*.h5" >/dev/null || refuse "there are no records in $1/data/results"
    [[ -x $parts ]] || refuse "build/bin/record_parts is missing: run make"
    {
        for record in "$1"/data/results/*.h5; do
            mkdir "$scratch/parts"
            "$parts" "$record" "$scratch/parts" >"$scratch/paths" || exit 2
            (cd "$scratch/parts" && seq 0 $(($(wc -l <"$scratch/paths") - 1)) | xargs sha256sum) \
                | cut -d ' ' -f 1 | paste - <(sed "s|^|${record##*/}:|" "$scratch/paths")
            rm -r "$scratch/parts"
        done
        for figure in "$1"/figures/*.svg; do
            [[ ! -e $figure ]] \
                || printf '%s\t%s\n' "$(sha256sum <"$figure" | cut -d ' ' -f 1)" "${figure##*/}"
        done
    } | sort -t $'\t' -k 2
}

case $# in
1)
    list_of "$1"
    ;;
2)
    list_of "$1" >"$scratch/old"
    list_of "$2" >"$scratch/new"
    awk -F '\t' '
        NR == FNR { old[$2] = $1; next }
        $2 in old { if (old[$2] == $1) ++same; else { print "changed  " $2; ++changed } delete old[$2]; next }
        { is_new[$2] = $1; ++count[$1]; name[$1] = $2 }
        END {
            for (path in old) ++lost[old[path]]
            for (path in old) {
                sum = old[path]
                if (count[sum] == 1 && lost[sum] == 1) {
                    print "renamed  " path " -> " name[sum]; ++renamed; delete is_new[name[sum]]
                } else {
                    print "gone     " path; ++gone
                }
            }
            for (path in is_new) { print "new      " path; ++added }
            printf "%d equal, %d renamed, %d changed, %d gone, %d new\n", same, renamed, changed, gone, added
            exit changed + gone > 0
        }' "$scratch/old" "$scratch/new" >"$scratch/report" && status=0 || status=$?
    sed '$d' "$scratch/report" | sort
    tail -n 1 "$scratch/report"
    exit "$status"
    ;;
*)
    refuse "usage: tools/gate.sh OLD NEW, or tools/gate.sh TREE"
    ;;
esac
