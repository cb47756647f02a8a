#!/bin/bash
# The numbers that the sections of the document declare can all be made, in units that LaTeX knows, each
# once, and each number that a text uses is declared. Where LaTeX is installed it takes all of it.
# usage: tests/project/sections.sh [PROGRAM_FOLDER]
set -euo pipefail

bin=${1:-build/bin}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
fail() {
    echo "sections: $1" >&2
    failures=$((failures + 1))
}

sections=(paper/sections/*.tex)
for section in "${sections[@]}"; do
    name=$(basename "$section" .tex)
    "$bin/numbers" --section "$section" --record "data/results/$name.h5" --output "$scratch/$name.tex" \
        2>"$scratch/message" || fail "$(cat "$scratch/message")"
done
count=$(cat "$scratch"/*.tex | grep -c '^\\newcommand' || true)
((count > 0)) || fail "no section declares a number"

# Numbers begin with a capital: what does so in a text is one of them, or the preamble's, or LaTeX's own.
sed -n 's/^\\newcommand{\(\\[A-Za-z]*\)}.*/\1/p' "$scratch"/*.tex | sort >"$scratch/declared"
duplicates=$(uniq -d "$scratch/declared" | tr '\n' ' ')
[[ -z $duplicates ]] || fail "declared in two sections: $duplicates"
latex='\\(Delta|Gamma|Lambda|Omega|Phi|Pi|Psi|Sigma|Theta|Upsilon|Xi|Re|Im|Big[lrg]*|Huge|LARGE|Large|LaTeX|TeX|P|S|H|L|O|I|J|Cref|(End)?(For|If|While)|State|Require|Ensure|Return)'
unknown=$(cat "${sections[@]}" paper/chapters/*.tex | sed 's/\\%//g; s/%.*//' \
    | grep -oE '\\[A-Z][A-Za-z]*' | sort -u | grep -vxE "$latex" \
    | grep -vxF -f "$scratch/declared" \
    | while read -r macro; do grep -qF -e "{$macro}" -e "\\def$macro" paper/*.tex || echo "$macro"; done | tr '\n' ' ')
[[ -z $unknown ]] || fail "used and nowhere declared: $unknown"
# Where LaTeX is installed it reads the whole document, with numbers and tables of these records; in CI
# make paper does.
if [[ ${CI:-} != true ]] && command -v pdflatex >/dev/null; then
    tree=$scratch/tree
    mkdir -p "$tree"
    cp -r paper "$tree/paper"
    mkdir -p "$tree/paper/generated"
    for part in src experiments tests figures data tools build README.md; do
        ln -s "$PWD/$part" "$tree/$part"
    done
    names=$(basename -a -s .tex "${sections[@]}")
    # shellcheck disable=SC2086
    if ! (cd "$tree" && tools/generate_tex.sh $names && cd paper && max_print_line=10000 pdflatex -draftmode \
        -interaction=nonstopmode -halt-on-error -file-line-error carom.tex) >"$scratch/latex" 2>&1; then
        fail "$(grep -E -A 2 '^(!|[^ ]*:[0-9]+:)' "$scratch/latex" || tail -n 5 "$scratch/latex")"
    fi
fi
echo "sections: $count numbers in ${#sections[@]} sections, $failures failures"
((failures == 0))
