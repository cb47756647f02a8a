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
new=$code/$$
mkdir -p "$new"
trap 'rm -rf "$probe" "$map" "$sums" "$output.tmp" "$new"' EXIT

# The linker's map names the archive members that it takes, LIBRARY(member.o); what they need of other
# libraries is left open.
$CC -r -nostdlib "$@" "$library" -Wl,-Map="$map" -o "$probe"
mapfile -t members < <(sed -n "s|^$library(\([^).]*\)\.o).*|\1|p" "$map" | sort -u)
if ((${#members[@]} == 0)) && [[ $(nm -u "$@") == *' carom_'* ]]; then
    echo "source_digest: cannot read from the linker's map what $name uses of $library" >&2
    exit 1
fi

# Their dependency files name sources and headers; those of the system are absolute or left out. Objects
# of sources that have moved away may still lie about.
declare -A found
for file in src/*/*.c src/*/*/*.c; do
    member=${file##*/}
    found[${member%.c}]+="${found[${member%.c}]:+ }$file"
done
depfiles=("${@/%.o/.d}")
for member in "${members[@]}"; do
    file=${found[$member]-}
    [[ -n $file && $file != *' '* ]] || { echo "source_digest: $member.c is not unique below src/" >&2; exit 1; }
    depfiles+=("$objects/${file%.c}.d")
done
sources=$(awk '{ for (i = 1; i <= NF; i++) if ($i !~ /^\/|:$|^\\$/ && !seen[$i]++) print $i }' "${depfiles[@]}" | sort)

# The code of files without comments is kept by the sha256 of their text. What is missing is made in one
# run of the preprocessor, which passes on the line put before each file.
# shellcheck disable=SC2086
sha256sum $sources >"$sums"
awk -v code="$code/" '
    (getline line <(code $1)) >= 0 { close(code $1); next }
    { print "code_of \"" $1 "\""; while ((getline line <$2) > 0) print line; close($2) }' "$sums" >"$probe"
if [[ -s $probe ]]; then
    $CC -x c -fpreprocessed -dD -E -P -w "$probe" | awk -v new="$new/" '
        { gsub(/^[[:space:]]+|[[:space:]]+$/, "") }
        $1 == "code_of" { close(path); path = new substr($2, 2, 64); printf "" >path; next }
        length { print >path }'
    mv "$new"/* "$code"
fi
compiler=$($CC --version)
compiler=${compiler%%$'\n'*}
read -r digest _ < <(awk -v code="$code/" -v compiler="$compiler" -v flags="$flags" '
    {
        print "== " $2
        path = code $1
        while ((getline line <path) > 0) print line
        close(path)
    }
    END { print "== compiler " compiler; print "== flags " flags }' "$sums" | sha256sum)
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
