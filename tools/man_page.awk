# A manual page from what a program says to --help.
# usage: PROGRAM --help | awk -v name=NAME -v version=VERSION -v date=YYYY-MM-DD -f tools/man_page.awk
function escaped(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    gsub(/'/, "\\(aq", text)
    gsub(/`/, "\\(ga", text)
    gsub(/\^/, "\\(ha", text)
    gsub(/~/, "\\(ti", text)
    # Long lists may be broken behind their separators.
    gsub(/[|,]/, "&\\:", text)
    gsub(/,\\: /, ", ", text)
    sub(/,\\:$/, ",", text)
    return text
}
# Text in lines of at most 80 characters; none begins as a request would.
function filled(text,    words, count, i, line, all) {
    count = split(escaped(text), words, " ")
    for (i = 1; i <= count; i++) {
        if (line != "" && length(line) + 1 + length(words[i]) > 80) {
            all = all line "\n"
            line = ""
        }
        line = line (line != "" ? " " : words[i] ~ /^\./ ? "\\&" : "") words[i]
    }
    return all line
}
# Names of options bold, what they take in italics.
function tag(text,    words, count, i, line) {
    count = split(text, words, " ")
    for (i = 1; i <= count; i++) {
        line = line (i > 1 ? " " : "") (words[i] ~ /^-/ ? "\\fB" : "\\fI") escaped(words[i]) "\\fR"
    }
    return line
}
# What an entry was given in brackets follows what it means.
function end_entry() {
    if (range != "") { print filled(range) }
    range = ""
}
function heading(text) { print ".SH " text }

BEGIN {
    printf ".nr HY 0\n.TH %s 1 \"%s\" \"carom %s\" \"carom\"\n.ad l\n", toupper(name), date, version
}
# Lines in one, behind what they go on from.
function joined(text, line) {
    sub(/^ +/, "", line)
    return text (text != "" ? " " : "") line
}
# One or more usages, which go on below their arguments.
/^(Usage:|      ) / && !is_described {
    if (/^        /) { usage[usages] = joined(usage[usages], $0); next }
    sub(/^(Usage:|      ) [^ ]+ ?/, "")
    usage[++usages] = $0
    next
}
!is_described && $0 != "" { text = joined(text, $0); next }
!is_described && text != "" {
    summary = text
    sub(/[;.]( .*)?$/, "", summary)
    heading("NAME")
    print filled(name " - " summary)
    heading("SYNOPSIS")
    for (i = 1; i <= usages; i++) {
        printf ".SY %s\n%s.YS\n", name, usage[i] == "" ? "" : filled(usage[i]) "\n"
    }
    heading("DESCRIPTION")
    print filled(text)
    is_described = 1
}
/^$/ { end_entry(); is_new = is_described; next }
/^[^ ].*:$/ { heading(toupper(substr($0, 1, length($0) - 1))); is_new = 0; next }
/^  [^ ]/ {
    end_entry()
    text = substr($0, 3)
    place = match(text, /  +/)
    print ".TP\n" tag(place ? substr(text, 1, place - 1) : text)
    text = place ? substr(text, place + RLENGTH) : ""
    if (text ~ /^\(/) { range = text } else if (text != "") { print filled(text) }
    is_new = 0
    next
}
# Brackets that go on, in a list without a blank.
range != "" && range !~ /\)$/ {
    sub(/^ +/, range ~ /[|,]$/ ? "" : " ")
    range = range $0
    next
}
is_described {
    if (is_new) { print ".PP" }
    is_new = 0
    sub(/^ +/, "")
    print filled($0)
}
END {
    end_entry()
    heading("SEE ALSO")
    print ".BR carom (7)"
}
