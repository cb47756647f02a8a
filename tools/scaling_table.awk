# What one, 64 and 4096 cores would do in an hour, from the costs in data/costs.csv: N units of work
# take (t - b) N / P on P cores and b N on each of them. As LaTeX.
# usage: awk -f tools/scaling_table.awk data/costs.csv src/study/impacts.h src/impact/impact_sampling.c
BEGIN { FS = ","; hour = 3600; n = split("1 64 4096", cores, " ") }
FILENAME ~ /\.csv$/ { if (FNR > 1) cost[$1] = $2; next }
# How samples are cut into maps, and these into items.
match($0, /CAROM_IMPACT_PART_SAMPLES = 1 << [0-9]+/) { part = 2 ^ substr($0, RSTART + 32, RLENGTH - 32) }
match($0, /enum [{] BLOCK = [0-9]+/) { block = substr($0, RSTART + 15, RLENGTH - 15) }
# rounded(X, DIGITS): without a power of ten where it is no large number
function rounded(x, digits,    text) {
    text = sprintf("%.*g", digits, x)
    return text + 0 >= 1 && text + 0 < 1e5 ? text + 0 "" : text
}
function number(x, digits) { return "\\num{" rounded(x, digits) "}" }
function macro(name, x) { printf "\\newcommand{\\%s}{%s}\n", name, x }
# row(WHAT, t, b, bytes, items): seconds of a unit, of which each rank does b for itself; bytes of a
# unit; items of a map, 0 for enough
function row(what, t, b, bytes, items,    i, done, own, busy) {
    for (i = 1; i <= n; i++) {
        own = cores[i] > 1 ? b : 0
        busy = items > 0 && items < cores[i] ? items : cores[i]
        done = hour / ((t - own) / busy + own)
        printf "%s & %d & %s & %s & %s \\\\\n", i == 1 ? what : "", cores[i], number(done, 2), \
            number(done * t / hour / cores[i], 2), (bytes > 0 ? number(1e-9 * bytes * done, 2) : "--")
    }
}
END {
    needed = "sample sample_own sample_bytes checkpoint point rank_start row row_bytes"
    needed = needed " strong_threads weak_threads strong_ranks weak_ranks"
    for (k = split(needed, names, " "); k > 0; k--) {
        if (!(names[k] in cost)) lacking = lacking " " names[k]
    }
    t = 1e-6 * cost["sample"]; b = 1e-6 * cost["sample_own"]
    p = 1e-3 * cost["point"] # what it keeps is gathered like a sample
    if (lacking != "" || !(t > b && b > 0 && p > b && part > 0 && block > 0)) {
        print "scaling_table: costs that are missing or cannot be, or the sizes of parts:" lacking >"/dev/stderr"
        exit 1
    }
    macro("ScalingSample", rounded(cost["sample"], 2))
    macro("ScalingSampleOwn", rounded(cost["sample_own"], 2))
    macro("ScalingSampleHalf", rounded(t / b + 1, 2))
    macro("ScalingSampleBytes", rounded(cost["sample_bytes"], 3))
    macro("ScalingPoint", rounded(cost["point"], 2))
    macro("ScalingPointHalf", rounded(p / b + 1, 1))
    macro("ScalingPointRate", rounded(4096 / p, 2))
    macro("ScalingStart", rounded(cost["rank_start"], 2))
    macro("ScalingCheckpoint", rounded(cost["checkpoint"], 2))
    macro("ScalingRow", rounded(cost["row"], 2))
    macro("ScalingRowBytes", rounded(cost["row_bytes"], 3))
    macro("ScalingStrongThreads", rounded(cost["strong_threads"], 3))
    macro("ScalingWeakThreads", rounded(cost["weak_threads"], 3))
    macro("ScalingStrongRanks", rounded(cost["strong_ranks"], 3))
    macro("ScalingWeakRanks", rounded(cost["weak_ranks"], 3))
    macro("ScalingPart", rounded(part, 6))
    macro("ScalingItem", rounded(block, 4))
    macro("ScalingItems", rounded(part / block, 4))
    macro("ScalingSingle", rounded(part / block / 64, 4)) # src/program/ranks.c: blocks of a rank
    print "\\newcommand{\\ScalingTable}{%"
    print "\\begin{tabular}{@{}lrrrr@{}}\n\\toprule\nwork & cores & in an hour & efficiency & record / GB \\\\\n\\midrule"
    row("samples of a block", t, b, cost["sample_bytes"], part / block)
    row("samples that cost a hundred times that", 100 * t, b, cost["sample_bytes"], part / block)
    row("points of a sweep", p, b, 0, 0)
    print "\\bottomrule\n\\end{tabular}}"
}
