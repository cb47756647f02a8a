# The start page of the reference and its topics, from the lists of public headers and of examples: a
# group for each folder of src/, a topic for each header with the comment that stands above it there.
# The first of several sentences after a blank line heads the headers up to the next blank line.
# usage: awk -f tools/reference_pages.awk src/carom.h src/models/models.h examples/README.md
function topic(path) { gsub(/[\/.]/, "_", path); return path }

# The comment at the head of src/carom.h is the beginning of the start page.
FNR == 1 { in_head = NR == 1 }
in_head { line = $0; gsub(/^\/?\*+ ?|^ \* ?| *\*\/$/, "", line); head = head line "\n"; in_head = !/\*\/$/; next }

FILENAME ~ /README/ {
    if (split($0, part, / *[|] */) == 4 && part[2] ~ /^`/) {
        gsub(/`/, "", part[2])
        gsub(/`/, "", part[3])
        examples = examples "<li><b>" part[2] "</b>: " part[3] "\n"
    }
    next
}

/^$/ { is_new = 1 }
/^\/\* /, /\*\/$/ {
    line = $0
    gsub(/^\/\* | *\*\/$|^ \* ?/, "", line)
    comment = comment (comment == "" || line == "" ? "" : " ") line
    next
}
/^#include <carom\// {
    split($0, part, /[<>]/)
    path = substr(part[2], 7)
    if (path != "models/models.h") {
        group = path
        sub(/\/.*/, "", group)
        if (!(group in text)) { order[++groups] = group }
        if (is_new && (end = index(comment, ". "))) {
            text[group] = text[group] (text[group] ? "</ul>" : "") "<p>" substr(comment, 1, end) "</p><ul>\n"
            comment = substr(comment, end + 2)
        } else if (!text[group]) {
            text[group] = "<ul>\n"
        }
        is_new = 0
        text[group] = text[group] "<li>@ref " topic(path) " \"" path "\": " comment "\n"
        topics = topics "/** @defgroup " topic(path) " " path "\n * @ingroup " group "\n * " comment " */\n"
    } else {
        order[++groups] = "models"
        text["models"] = ""
    }
    comment = ""
}
END {
    print "/** @mainpage What to look for where\n" head
    print "<h3>Programs to begin with</h3>"
    print "In examples/ and, installed, in share/carom/examples; docs/tutorial.md leads through them.\n<ul>"
    print examples "</ul>"
    for (i = 1; i <= groups; i++) {
        print "<h3>" order[i] "</h3>\n" text[order[i]] "</ul>"
    }
    print "<h3>How to read a page</h3>"
    print "Behind an argument stand its shape, as [n][m], row-major, and its unit, 1 for none; positions q"
    print "and velocities v of a mechanism have the units that it names. What a function returns names"
    print "statuses (::carom_status) without CAROM_STATUS_, with what each refuses; a report"
    print "(::carom_report), where a function takes one, says it in numbers. A source is the paper and its"
    print "equation, by the keys of paper/references.bib. Structs of parameters are filled by their function"
    print "_default; what a function _alloc, _compute, _run or _find gives is freed by _free.\n*/"
    for (i = 1; i <= groups; i++) { print "/** @defgroup " order[i] " " order[i] " */" }
    printf "%s", topics
}
