# docs/carom.7 with version, date and, in place of its line PROGRAMS, what each page says at NAME.
# usage: awk -v version=VERSION -v date=YYYY-MM-DD -f tools/man_list.awk docs/carom.7 PAGE.1...
NR == FNR { overview[++lines] = $0; next }
/^\.SH / { is_name = $2 == "NAME"; next }
is_name && match($0, / \\- /) {
    programs = programs ".TP\n.BR " substr($0, 1, RSTART - 1) " (1)\n" substr($0, RSTART + RLENGTH) "\n"
    next
}
is_name { programs = programs $0 "\n" }
END {
    for (i = 1; i <= lines; i++) {
        sub(/"DATE" "carom VERSION"/, "\"" date "\" \"carom " version "\"", overview[i])
        if (overview[i] ~ /PROGRAMS$/ && overview[i] !~ /^\.SH/) {
            printf "%s", programs
        } else {
            print overview[i]
        }
    }
}
