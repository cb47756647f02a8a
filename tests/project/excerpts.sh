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
while IFS= read -r complaint; do
    fail "$complaint"
done < <(sed 's/^\\excerpt{\(.*\)}{\(.*\)}$/\1 \2/' <<<"$uses" | awk '
    function check(file, marker,    line, begin, end, first) {
        if (marker !~ /^[A-Za-z0-9]+$/) print "marker \"" marker "\" has more than letters and digits"
        begin = lines[file, "/*[" marker "]*/"]
        end = lines[file, "/*[end " marker "]*/"]
        if (begin !~ /^[0-9]+$/) print file " has not exactly one /*[" marker "]*/"
        else if (end !~ /^[0-9]+$/) print file " has not exactly one /*[end " marker "]*/"
        else if (end + 0 <= begin + 1) print "excerpt " marker " of " file " is empty"
        # A comment of several lines that begins there swallows the end: all of the file is shown.
        else if (index(after[file, begin], "/*") && !index(after[file, begin], "*/"))
            print "excerpt " marker " of " file " begins with a comment of several lines"
    }
    # Lines of the markers, twice of one that is there twice, and what stands below each.
    function read(file,    number, line, mark, found) {
        while ((found = (getline line < file)) > 0) {
            number++
            if (mark) after[file, number - 1] = line
            mark = match(line, /\/\*\[[^]]*\]\*\//)
            if (mark) {
                mark = substr(line, RSTART, RLENGTH)
                lines[file, mark] = lines[file, mark] (lines[file, mark] ? " " : "") number
            }
        }
        close(file)
        is_there[file] = found == 0
    }
    NF > 0 {
        if (!($1 in is_there)) read($1)
        if (!is_there[$1]) print $1 " is shown and does not exist"
        else check($1, $2)
    }')

# A marker stands for one excerpt in the whole library.
while read -r marker; do
    [[ -z $marker ]] || fail "marker $marker is used twice"
done < <(grep -rhoE '/\*\[[A-Za-z0-9]+\]\*/' src experiments tools --include='*.[ch]' | sort | uniq -d)
((failures == 0))
