#!/bin/bash
# What the pages name is there: files and headings that they link to, paths, targets of make, programs
# and their options, in text, listings and the comments of the examples. DOIs have their form; nothing
# is fetched.
# usage: tests/project/links.sh [PROGRAMS]
set -euo pipefail

programs=${1:-build/bin}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
sed -n 's/^\([a-z][a-z-]*\):.*/\1/p' Makefile | sort -u >"$scratch/targets"

# text PAGE: without listings, in one line, of tables of changes what is now. listings PAGE: fenced or indented lines, continued ones joined.
text() {
    awk '/^```/ { inside = !inside; next }
        FILENAME == "CHANGELOG.md" { sub(/^[|][^|]*[|]/, "") }
        !inside && !/^    / { printf "%s ", $0 }' "$1"
}
listings() {
    awk '/^```/ { inside = !inside; next } inside || /^    / { sub(/^    |^> /, ""); sub(/^[$] /, ""); print }' "$1" \
        | sed -e ':a' -e '/\\$/ { N; s/\\\n//; ba; }'
}
# The anchors of a page: its headings in lower case, blanks as hyphens, other marks left out.
anchors() {
    awk '/^```/ { inside = !inside } !inside && sub(/^#+ /, "")' "$1" | tr 'A-Z ' 'a-z-' | sed 's/[^a-z0-9_-]//g'
}
makefile=$(<Makefile)
# exists FOLDER PATH: in the tree, from src/ (headers as included too) or from the folder of the page.
# What is made and may be missing is named in the Makefile.
exists() {
    local path=$2 candidate
    if [[ $path =~ ^build/(mpi/)?bin/([a-z_*]+)$ ]]; then
        compgen -G "experiments/${BASH_REMATCH[2]}.c" || compgen -G "tools/${BASH_REMATCH[2]}.c"
        return
    fi
    for candidate in "$path" "src/${path#carom/}" "src/*/$path" "$1/$path"; do
        compgen -G "$candidate" && return
    done
    [[ $makefile == *"${path%%\**}"* ]]
}
# patterns: of words, each before what it may stand for: NAME and the like for anything
patterns() {
    sed -E 'h; s/NAME|KEY|NN|VERSION|\bfoo\b|\{[^}]*\}?/*/g; s/[.,;:]$//; s|/$||; H; x; s/\n/\t/'
}
# has_option PROGRAM OPTION; --NAME by an option in capitals stands for any
declare -A help
has_option() {
    [[ -n ${help[$1]-} ]] || help[$1]=" $("$programs/$1" --help | tr '\n' ' ')"
    [[ ${help[$1]} =~ [\ ,[]$2[]\ ,] ]]
}
# complaints PAGE
complaints() {
    local page=$1 folder=. target file word path program option
    [[ $page != */* ]] || folder=${page%/*}
    # Links and their anchors.
    while read -r target; do
        [[ $target != http*://* ]] || continue
        file=${target%%#*}
        file=${file:+$folder/$file}
        [[ -e ${file:-$page} ]] || { echo "$page links to $target"; continue; }
        [[ $target != *'#'* ]] || grep -x -- "${target#*#}" <(anchors "${file:-$page}") >/dev/null \
            || echo "$page links to a heading that is not there: $target"
    done < <(text "$page" | grep -oE '\]\([^) ]+\)' | sed 's/^](//; s/)$//')

    # Code in text, and listings.
    { text "$page" | grep -oE '`[^`]+`' | tr -d '`'; listings "$page"; } >"$scratch/code"
    while IFS=$'\t' read -r word path; do
        exists "$folder" "$path" >/dev/null || echo "$page names $word"
    done < <(tr -s " \t\"'(),;|<>=" '\n' <"$scratch/code" | grep -E '^[a-z.][a-zA-Z0-9_.-]*/[a-zA-Z0-9_.*{},/-]*$' \
        | grep -E '\.(c|h|md|sh|csv|gp|tex|txt|py|awk|tsv|cff|7|pdf|html)$|/$|^(build|data|docs|examples|experiments|figures|paper|python|src|templates|tests|tools)/' \
        | grep -v '^share/\|^[a-z]/' | sort -u | patterns)
    while read -r word; do
        echo "$page names make $word"
    done < <(grep -oE '(^|[ ;&])make( [-a-zA-Z0-9=$./]+)+' "$scratch/code" | sed 's/^.*make //' | tr ' ' '\n' \
        | grep -E '^[a-z][a-z-]*$' | sort -u | grep -vxFf "$scratch/targets")
    while read -r program option; do
        [[ -e experiments/$program.c || -e tools/$program.c ]] || continue
        has_option "$program" "$option" || echo "$page names $program $option"
    done < <(sed 's/ -- /\n/g' "$scratch/code" | grep -E '^(build/bin/)?[a-z_]+ .*--[a-z]' | awk '{
        program = $1
        sub(/^build\/bin\//, "", program)
        while (match($0, / --[a-z-]+/)) {
            print program, substr($0, RSTART + 1, RLENGTH - 1)
            $0 = substr($0, RSTART + RLENGTH)
        }
    }' | sort -u)
}

pages=(README.md CONTRIBUTING.md CHANGELOG.md docs/*.md examples/README.md)
for page in "${pages[@]}"; do
    complaints "$page"
done >"$scratch/wrong"
# Examples: the comments are all text.
for example in examples/*.c; do
    sed -n 's|^/\* \(.*\)|`\1|p; s|^ \* ||p' "$example" | grep -oE '\b(docs|data|src|examples|tests)/[a-z_0-9./]+[a-z]' >"$scratch/code" || true
    while read -r word; do
        [[ -e $word ]] || echo "$example names $word"
    done <"$scratch/code"
done >>"$scratch/wrong"
# DOIs.
grep -hoE '(doi\.org/|doi: *)[^ )]+' "${pages[@]}" CITATION.cff paper/references.bib \
    | grep -vE '^(doi\.org/|doi: *)10\.[0-9]{4,9}/[-._;()/:A-Za-z0-9]+$' | sed 's/^/no DOI: /' >>"$scratch/wrong" || true

# Each kind of mistake is seen.
cat >"$scratch/page.md" <<'PAGE'
# A page
See `src/none/`, [this](README.html), [that](#another-page), [a page](#a-page); `tests/none.c`, `make nothing`,
`build/bin/none`, `bouncing_ball --none`, `src/carom.h`, `make figures verify`, `bouncing_ball --step 1`.

    build/bin/bouncing_ball --restitution 0.5 \
        --nothing 3
PAGE
seen=$(complaints "$scratch/page.md" | sed "s|.*/page.md ||" | sort | paste -sd,)
[[ $seen == 'links to README.html,links to a heading that is not there: #another-page,names bouncing_ball --none,names bouncing_ball --nothing,names build/bin/none,names make nothing,names src/none/,names tests/none.c' ]] \
    || echo "mistakes that are seen: $seen" >>"$scratch/wrong"

sed 's/^/links: /' "$scratch/wrong" >&2
[[ ! -s $scratch/wrong ]]
