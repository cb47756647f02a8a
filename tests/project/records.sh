#!/bin/bash
# Every record opens in what others use: ncdump, h5dump, and h5py and xarray where they are
# installed; it says what it is in its root attributes, and every dataset has units and a name.
set -euo pipefail

failures=0
fail() {
    echo "records: $1" >&2
    failures=$((failures + 1))
}

records=(data/results/*.h5)
[[ -e ${records[0]} ]] || { echo "records: there are none" >&2; exit 1; }
for record in "${records[@]}"; do
    header=$(ncdump -h "$record") || { fail "ncdump cannot open $record"; continue; }
    for attribute in title source schema carom_version source_digest compiler cflags libraries seed; do
        grep -q "^[[:space:]]*\(string \)\?:$attribute = " <<<"$header" || fail "$record has no attribute $attribute"
    done
    grep -Eq ':source_digest = "[0-9a-f]{64}"' <<<"$header" || fail "$record has no sha256 of its sources"
    grep -q '^group: parameters' <<<"$header" || fail "$record has no parameters"

    # Named axes, and units and a long name on every variable (dimensions that h5 invents are called phony).
    ! grep -q phony_dim <<<"$header" || fail "$record has datasets without a dimension scale"
    variables=$(grep -Ec '^[[:space:]]+(double|int|string|char) [A-Za-z_0-9]+(\(.*\))? ;' <<<"$header" || true)
    for attribute in units long_name; do
        named=$(grep -Ec "^[[:space:]]+(string )?[A-Za-z_0-9]+:$attribute = " <<<"$header" || true)
        [[ $attribute == units ]] || ((named == variables)) \
            || fail "$record: $named of $variables datasets have a $attribute"
    done
    # Texts have no unit; every number has one.
    numbers=$(grep -Ec '^[[:space:]]+(double|int) [A-Za-z_0-9]+(\(.*\))? ;' <<<"$header" || true)
    units=$(grep -Ec '^[[:space:]]+(string )?[A-Za-z_0-9]+:units = ' <<<"$header" || true)
    ((units >= numbers)) || fail "$record: $units of $numbers numeric datasets have units"

    # So has every group, besides the root with its title; texts are UTF-8 of variable length.
    groups=$(grep -c '^[[:space:]]*group: ' <<<"$header" || true)
    described=$(grep -Ec '^[[:space:]]+string :long_name = ".' <<<"$header" || true)
    ((described == groups)) || fail "$record: $described of $groups groups have a long_name"
    [[ $(h5dump -a /title "$record") == *'STRSIZE H5T_VARIABLE'* ]] || fail "$record has texts of fixed length"

    h5dump -H "$record" >/dev/null || fail "h5dump cannot open $record"
done

# The manifest has a line with the right sha256 for each.
for record in "${records[@]}"; do
    sum=$(sha256sum "$record" | cut -d ' ' -f 1)
    [[ $(awk -F '\t' -v f="$(basename "$record")" '$1 == f { print $2 }' data/results/MANIFEST.tsv) == "$sum" ]] \
        || fail "MANIFEST.tsv has another sha256 for $record"
done

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
