#!/bin/bash
# Every excerpt that the document shows, \excerpt{FILE}{MARKER}, is marked exactly once in that file:
# /*[MARKER]*/ ... /*[end MARKER]*/ in this order. A missing marker would print nothing, silently.
set -euo pipefail

failures=0
fail() {
    echo "excerpts: $1" >&2
    failures=$((failures + 1))
}

# Comments and the definition of the macro itself show nothing.
uses=$(find paper -name '*.tex' -not -path 'paper/generated/*' -exec sed 's/\([^\\]\|^\)%.*/\1/' {} + \
    | grep -o '\\excerpt{[^}#]*}{[^}#]*}' | sort -u || true)
while IFS='{}' read -r _ file _ marker _; do
    [[ -n $file ]] || continue
    [[ -e $file ]] || { fail "$file is shown and does not exist"; continue; }
    [[ $marker =~ ^[A-Za-z0-9]+$ ]] || fail "marker \"$marker\" has more than letters and digits"
    begin=$(grep -nF "/*[$marker]*/" "$file" | cut -d : -f 1 || true)
    end=$(grep -nF "/*[end $marker]*/" "$file" | cut -d : -f 1 || true)
    [[ $begin =~ ^[0-9]+$ ]] || { fail "$file has not exactly one /*[$marker]*/"; continue; }
    [[ $end =~ ^[0-9]+$ ]] || { fail "$file has not exactly one /*[end $marker]*/"; continue; }
    ((end > begin + 1)) || fail "excerpt $marker of $file is empty"
    # A comment of several lines that begins there swallows the end: all of the file is shown.
    first=$(sed -n "$((begin + 1))p" "$file")
    [[ $first != *'/*'* || $first == *'*/'* ]] \
        || fail "excerpt $marker of $file begins with a comment of several lines"
done <<<"$uses"

# A marker stands for one excerpt in the whole library.
while read -r marker; do
    [[ -z $marker ]] || fail "marker $marker is used twice"
done < <(grep -rhoE '/\*\[[A-Za-z0-9]+\]\*/' src experiments tools --include='*.[ch]' | sort | uniq -d)
((failures == 0))
