#!/bin/bash
# Every record opens in what others use: ncdump, h5dump, and h5py and xarray where they are
# installed; it says what it is in its root attributes, and every dataset has units and a name.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
fail() {
    echo "records: $1" >&2
    failures=$((failures + 1))
}

# What is wrong, a line each, by a record's header as ncdump prints it and its layout by h5dump.
# shellcheck disable=SC2016
judge='
FNR == NR && match($0, /^[[:space:]]*(string )?:[a-z_]+ = /) {
    attribute = substr($0, RSTART, RLENGTH - 3)
    sub(/.*:/, "", attribute)
    has[attribute] = 1
    if (attribute == "source_digest" && split($0, part, "\"") == 3)
        is_sha256 = length(part[2]) == 64 && part[2] !~ /[^0-9a-f]/
}
FNR == NR {
    is_phony += /phony_dim/
    has_parameters += /^group: parameters/
    variables += /^[[:space:]]+(double|int|string|char) [A-Za-z_0-9]+(\(.*\))? ;/
    numbers += /^[[:space:]]+(double|int) [A-Za-z_0-9]+(\(.*\))? ;/
    named += /^[[:space:]]+(string )?[A-Za-z_0-9]+:long_name = /
    units += /^[[:space:]]+(string )?[A-Za-z_0-9]+:units = /
    groups += /^[[:space:]]*group: /
    described += /^[[:space:]]+string :long_name = "./
    next
}
/ATTRIBUTE "/ { is_title = /"title"/ }
is_title && /STRSIZE/ { is_variable = /H5T_VARIABLE/; exit }
END {
    count = split("title source schema carom_version source_digest compiler cflags libraries seed", wanted, " ")
    for (i = 1; i <= count; i++) if (!(wanted[i] in has)) print "has no attribute " wanted[i]
    if (!is_sha256) print "has no sha256 of its sources"
    if (!has_parameters) print "has no parameters"
    # Dimensions that h5 invents are called phony.
    if (is_phony) print "has datasets without a dimension scale"
    if (named != variables) print named " of " variables " datasets have a long_name"
    # Texts have no unit; every number has one.
    if (units < numbers) print units " of " numbers " numeric datasets have units"
    # So has every group, besides the root with its title; texts are UTF-8 of variable length.
    if (described != groups) print described " of " groups " groups have a long_name"
    if (!is_variable) print "has texts of fixed length"
}'

records=(data/results/*.h5)
[[ -e ${records[0]} ]] || { echo "records: there are none" >&2; exit 1; }
for record in "${records[@]}"; do
    ncdump -h "$record" >"$scratch/header" || { fail "ncdump cannot open $record"; continue; }
    h5dump -H "$record" >"$scratch/layout" || { fail "h5dump cannot open $record"; continue; }
    while read -r wrong; do
        fail "$record: $wrong"
    done < <(awk "$judge" "$scratch/header" "$scratch/layout" || echo 'cannot be judged')
done

# The manifest has a line with the right sha256 for each.
while read -r record; do
    fail "MANIFEST.tsv has another sha256 for $record"
done < <(sha256sum "${records[@]}" | awk -F '\t' '
    FNR == NR { sum[$1] = $2; next }
    { path = substr($0, 67); name = path; sub(/.*\//, "", name); if (sum[name] != substr($0, 1, 64)) print path }' \
    data/results/MANIFEST.tsv - || echo all)

if python3 -c 'import h5py' 2>/dev/null; then
    python3 - "${records[@]}" <<'END' || fail "h5py cannot read a record"
import sys, h5py
for path in sys.argv[1:]:
    with h5py.File(path) as record:
        record.visititems(lambda name, item: item[()] if isinstance(item, h5py.Dataset) else None)
END
fi
echo "records: ${#records[@]} records, $failures failures"
((failures == 0))
