#!/bin/bash
# The tree keeps its rules: includes point only towards base/, file names in src/ are unique, public
# headers need only public headers, programs have distinct names, made files are not committed.
set -euo pipefail

shopt -s nullglob
failures=0
fail() {
    echo "structure: $1" >&2
    failures=$((failures + 1))
}

# Downward only, in this order.
order=(base lcp mechanism mechanism/bodies contact timestepping/compliant models models/trex impact timestepping
    timestepping/galpha timestepping/engine timestepping/variational timestepping/inclusion
    timestepping/plastic modes collisionless/motion collisionless/roots collisionless/curves
    collisionless/gait record drawing program study)
declare -A rank
for i in "${!order[@]}"; do
    rank[${order[i]}]=$i
done
# FILE INCLUDED-FOLDER, for each line that includes one of ours; models.h is read by users alone.
files=0
last=
while IFS=: read -r file included; do
    subject=${file#src/}
    subject=${subject%/*}
    own=${rank[$subject]:--1}
    if [[ $file != "$last" ]]; then
        files=$((files + 1))
        ((own >= 0)) || fail "$file: src/$subject is not a room of the library"
    fi
    last=$file
    ((${rank[${included:-$subject}]:--1} <= own)) || fail "$file includes upwards, from $included"
done < <(awk 'FNR == 1 { print FILENAME ":" }
    FILENAME != "src/models/models.h" && sub(/^#include <carom\//, "") && sub(/\/[a-z0-9_]*\.h>.*/, "") {
        print FILENAME ":" $0 }' src/*/*.[ch] src/*/*/*.[ch])
((files > 400)) || fail "only $files sources and headers were looked at"

# The digest finds sources by the names of archive members.
for name in $(basename -a src/*/*.c src/*/*/*.c | sort | uniq -d); do
    fail "$name exists more than once below src/"
done
for name in $(basename -a -s .c experiments/*.c tools/*.c | sort | uniq -d); do
    fail "$name is an experiment and a tool"
done

# The public headers are closed: whatever they include is listed in an umbrella header too.
listed=$(sed -n 's/^#include <carom\/\(.*\)>/\1/p' src/carom.h src/models/models.h | sort)
for header in $listed; do
    [[ -e src/$header ]] || fail "carom.h or models.h lists $header, which does not exist"
done
while IFS=: read -r header needed; do
    fail "public ${header#src/} includes internal $needed"
done < <(cd src && grep -o '^#include <carom/[^>]*>' $listed | sed 's/#include <carom\///; s/>$//' \
    | awk -F : -v listed="$listed" 'BEGIN { n = split(listed, names, "\n"); for (i = 1; i <= n; i++) is[names[i]] }
        !($2 in is)')

# One version everywhere, and one day of it.
version=$(sed -n 's/^VERSION := //p' Makefile)
day=$(sed -nE 's/^date-released: ([0-9]{4}-[0-9]{2}-[0-9]{2})$/\1/p' CITATION.cff)
grep -qx "#define CAROM_VERSION \"$version\"" src/base/base.h && grep -qx "version: $version" CITATION.cff \
    || fail "Makefile, base.h and CITATION.cff differ in the version"
[[ -n $day && $(grep '^## ' CHANGELOG.md | grep -m 1 -vx '## Unreleased') == "## $version ($day)" ]] \
    || fail "CHANGELOG.md does not begin with the version and the day of CITATION.cff"
[[ $version == "$(sed -n 's/^SONAME_VERSION := //p' Makefile)".* ]] || fail "SONAME_VERSION is not of version $version"

# Whose results are reproduced is cited.
papers=$(cut -d, -f2 data/published/*.csv | grep -E '^[a-z]+-[0-9]{4}$' | sort -u | wc -l)
(($(grep -c '^  - type: article$' CITATION.cff) == papers)) || fail "CITATION.cff does not cite the $papers papers"

# An experiment is whole: driver, figure, published items, section.
for driver in experiments/*.c; do
    name=$(basename "$driver" .c)
    for part in figures/$name.gp data/published/$name.csv paper/sections/$name.tex; do
        [[ -e $part ]] || fail "experiment $name has no $part"
    done
done

# So is one by a sweep, whose program is an experiment.
for recipe in data/sweeps/*.txt; do
    name=$(basename "$recipe" .txt)
    for part in figures/$name.gp data/published/$name.csv paper/sections/$name.tex; do
        [[ -e $part ]] || fail "sweep $name has no $part"
    done
    program=$(sed -n 's|^command = build/bin/||p' "$recipe")
    [[ -e experiments/$program.c && ! -e experiments/$name.c ]] || fail "$recipe sweeps $program"
done

# No figure is announced twice.
for figure in $(sed -n 's/^# figures: *//p' figures/*.gp | grep -v KEY | tr ' ' '\n' | sort | uniq -d); do
    [[ -z $figure ]] || fail "figure $figure is drawn by two scripts"
done

# Nothing made is committed.
if git rev-parse --git-dir >/dev/null 2>&1; then
    for file in $(git ls-files build data/results paper/generated paper/carom.pdf 'figures/*.pdf' 'figures/*.svg'); do
        fail "$file is made and must not be committed"
    done
fi

((failures == 0))
