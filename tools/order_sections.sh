#!/bin/bash
# Print the order of the document: for each paper, and for contacts, its chapter, then its experiments. A section says
# where it belongs in two comment lines, `% paper: KEY` and `% order: N`. Papers in the order below,
# then all others by name, and what compares them at the end.
# usage: tools/order_sections.sh SECTION...
set -euo pipefail

papers=(bruls-2014 thorin-2017 halm-2023 pankov-2024 seghete-2014 contact scenes)
closing=comparison

paper_rank() {
    local i
    for i in "${!papers[@]}"; do
        [[ ${papers[i]} == "$1" ]] && { echo "$i"; return; }
    done
    [[ $1 == "$closing" ]] && echo $((${#papers[@]} + 1)) || echo "${#papers[@]}"
}

# One line a section: rank of its paper, paper, place, name.
table() {
    local name file paper order
    for name in "$@"; do
        file=paper/sections/$name.tex
        paper=$(sed -n 's/^% paper: *\([^ ]*\).*/\1/p' "$file" | head -n 1)
        order=$(sed -n 's/^% order: *\([0-9]*\).*/\1/p' "$file" | head -n 1)
        [[ -n $paper && -n $order ]] \
            || { echo "$file: needs the lines '% paper: KEY' and '% order: N'" >&2; return 1; }
        printf '%s\t%s\t%s\t%s\n' "$(paper_rank "$paper")" "$paper" "$order" "$name"
    done
}

rows=$(table "$@")
# A chapter without an experiment yet still belongs to the document.
chapters=$(for key in "${papers[@]}" "$closing"; do
    [[ -e paper/chapters/$key.tex ]] && printf '%s\t%s\t-1\t\n' "$(paper_rank "$key")" "$key"
done; true)

# Experiments of no paper, or of one without a chapter, share a chapter.
# A chapter of a paper ends with the summary of what was compared.
current=
further=
summary() { [[ -z $current || ! -e paper/generated/verify-$current.tex ]] || printf '\\verificationsummary{%s}\n' "$current"; }
printf '%s\n' "$rows" "$chapters" | sed '/^$/d' | sort -t $'\t' -k1,1n -k2,2 -k3,3n -k4,4 \
    | { while IFS=$'\t' read -r _ paper _ name; do
    if [[ $paper != "$current" ]]; then
        summary
        current=$paper
        if [[ -e paper/chapters/$paper.tex ]]; then
            printf '\\input{chapters/%s}\n' "$paper"
        elif [[ -z $further ]]; then
            further=yes
            printf '\\chapter{Further experiments}\n'
        fi
    fi
    [[ -z $name ]] || printf '\\input{generated/%s.tex}\\input{sections/%s.tex}\n' "$name" "$name"
done; summary; }
