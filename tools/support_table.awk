# The README's table of what each method computes, which a test walks, as LaTeX.
# usage: awk -f tools/support_table.awk README.md
BEGIN { FS = " *[|] *" }
/^[|] method [|]/ {
    columns = NF - 2 # the last one, in words, is for the README
    printf "\\begin{tabular}{@{}l*{%d}{>{\\centering\\arraybackslash}p{14mm}}@{}}\n\\toprule\n", columns - 2
    for (i = 2; i <= columns; i++) { printf "%s%s", $i, i < columns ? " & " : " \\\\\n\\midrule\n" }
    is_inside = 1
    next
}
is_inside && /^[|]---/ { next }
is_inside && /^[|] `/ {
    gsub(/`/, "", $2)
    printf "\\code{%s}", $2
    for (i = 3; i <= columns; i++) { printf " & %s", $i == "yes" ? "yes" : "--" }
    printf " \\\\\n"
    next
}
is_inside { print "\\bottomrule\n\\end{tabular}"; is_complete = 1; exit }
END { exit !is_complete }
