#!/bin/bash
# Costs are kept by commit: a second one is added, the same one replaced, and the comparison marks what
# differs by more than its spread. The timings here are made up.
set -euo pipefail

root=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
mkdir build
fail() {
    echo "bench: $1" >&2
    exit 1
}
# measure RATIO: a program with two rows, the first of this ratio, and a count without one
measure() {
    cat >program <<PROGRAM
#!/bin/bash
cat >"\$2" <<'ROWS'
  {"system": "ball", "method": "A, B", "coordinates": 1, "contacts": 1, "impacts": 0, "cost": 3, "unit": "ns/step", "ratio": $1, "spread": 0.1, "rounds": 1, "target": 300},
  {"system": "bar", "method": "A", "coordinates": 9, "contacts": 1, "impacts": 0, "cost": 3, "unit": "ns/step", "ratio": 5, "spread": 0.3, "rounds": 4},
  {"system": "lcp", "method": "wrong", "coordinates": 0, "contacts": 0, "impacts": 0, "cost": 0, "unit": "problems"}
ROWS
PROGRAM
    chmod +x program
    "$root/tools/bench.sh" --measure ./program >/dev/null
}
commits() {
    sed -n 's/^"\([^"]*\)".*/\1/p' build/bench.json | tr '\n' ' '
}

measure 2
sed -i 's/"unknown"/"abcdef123456"/' build/bench.json
measure 1
measure 1.6
[[ $(commits) == "abcdef123456 unknown " ]] || fail "commits are $(commits)"
(($(grep -c '"system"' build/bench.json) == 6)) || fail "rows are lost or doubled"
table=$("$root/tools/bench.sh" --compare abc)
grep -qE '^ball, A, B, 1, 1, 0 +2 +1\.6 +1\.250 +10% \*$' <<<"$table" || fail "a change is not marked: $table"
grep -qE '^bar, A, 9, 1, 0 +5 +5 +1\.000 +30%$' <<<"$table" || fail "no change is marked: $table"
! grep -q wrong <<<"$table" || fail "a count is compared"
cp build/bench.json old.json
measure 4
grep -qE '^ball.* 0\.400 +10% \*$' < <("$root/tools/bench.sh" --compare old.json) || fail "a file is not compared"
! "$root/tools/bench.sh" --compare 999 2>/dev/null || fail "a commit that was not measured is compared"

# What many cores would do, by hand: of 1 s each rank does 1/16 s, so 64 cores 3600 s / (15/16/64 + 1/16) s.
costs() {
    printf '%s\n' name,value,unit,what 'sample,1e6,us,' 'sample_own,62500,us,' 'sample_bytes,90,B,' 'point,1e3,ms,' \
        'checkpoint,1,ns,' 'rank_start,1,s,' 'row,1,ns,' 'row_bytes,1,B,' {strong,weak}_{threads,ranks},1,1,
}
table() { awk -f "$root/tools/scaling_table.awk" "$1" "$root"/src/{study/impacts.h,impact/impact_sampling.c}; }
costs >costs.csv
table costs.csv | grep -qF ' & 64 & \num{47000} & \num{0.2} & \num{0.0042} \\' || fail "an hour of 64 cores is $(table costs.csv)"
grep -v sample_own costs.csv >lacking.csv
! table lacking.csv 2>said || fail 'a table without a cost'
grep -q ' sample_own$' said || fail "not said what is missing: $(<said)"
table "$root/data/costs.csv" >kept || fail 'data/costs.csv has not all costs'
