#!/bin/bash
# Write build/digest/NAME.c, the identity of a program: sha256 over the sources that are linked into
# it (its own and those the linker takes from the library, with the project headers they include),
# comments and blank lines stripped, and over compiler version and flags. An unchanged file is left
# alone.
# usage: CC=gcc tools/source_digest.sh NAME LIBRARY FLAGS OBJECT...
set -euo pipefail
shopt -s nullglob

name=$1 library=$2 flags=$3
shift 3
objects=${library%/lib/*}/obj
code=build/digest/code
probe=build/digest/$name.probe
map=build/digest/$name.map
sums=build/digest/$name.sums
output=build/digest/$name.c
mkdir -p "$code"
trap 'rm -f "$probe" "$map" "$sums" "$output.tmp"' EXIT

# The linker's map names the archive members that it takes, LIBRARY(member.o); what they need of other
# libraries is left open.
$CC -r -nostdlib "$@" "$library" -Wl,-Map="$map" -o "$probe"
members=$(sed -n "s|^$library(\([^).]*\)\.o).*|\1|p" "$map" | sort -u)
if [[ -z $members && $(nm -u "$@") == *' carom_'* ]]; then
    echo "source_digest: cannot read from the linker's map what $name uses of $library" >&2
    exit 1
fi

# Their dependency files name sources and headers; those of the system are absolute or left out.
depfiles=("${@/%.o/.d}")
for member in $members; do
    # Objects of sources that have moved away may still lie about.
    found=(src/*/"$member.c" src/*/*/"$member.c")
    ((${#found[@]} == 1)) && [[ -e ${found[0]} ]] \
        || { echo "source_digest: $member.c is not unique below src/" >&2; exit 1; }
    depfiles+=("$objects/${found[0]%.c}.d")
done
sources=$(sed -e ':a' -e '/\\$/{N;s/\\\n//;ba' -e '}' "${depfiles[@]}" | sed -n 's/^[^:]*\.o://p' \
    | tr -s ' ' '\n' | sed '/^$/d; /^\//d' | sort -u)

# The code of a file without comments, kept by the sha256 of its text.
strip_comments() {
    $CC -x c -fpreprocessed -dD -E -P -w "$1" | sed 's/^[[:space:]]*//; s/[[:space:]]*$//; /^$/d'
}
listing() {
    local sum file
    # shellcheck disable=SC2086
    sha256sum $sources >"$sums"
    while read -r sum file; do
        if [[ ! -e $code/$sum ]]; then
            strip_comments "$file" >"$code/$sum.$BASHPID"
            mv "$code/$sum.$BASHPID" "$code/$sum"
        fi
    done <"$sums"
    awk -v code="$code/" '{
        print "== " $2
        path = code $1
        while ((getline line < path) > 0) print line
        close(path)
    }' "$sums"
    printf '%s\n' "== compiler $compiler" "== flags $flags"
}

compiler=$($CC --version | head -n 1)
digest=$(listing | sha256sum | cut -d ' ' -f 1)
cat >"$output.tmp" <<END
/** Generated: what this program was made from. */
#include <carom/program/program.h>

const carom_build carom_build_of_program = {
    .source_digest = "$digest",
    .compiler = "$compiler",
    .cflags = "$flags",
};
END
cmp -s "$output.tmp" "$output" || mv "$output.tmp" "$output"
