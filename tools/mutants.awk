# Find deliberate faults in the sources, or write one. A fault is a line of the table: the name of a
# definition (function, constant, enum), a fragment of its text, what replaces it, the kind of fault.
# Definitions are found in all sources given and compared without regard to line breaks, so that code
# may move and be wrapped anew; the fragment must be there exactly once.
# usage: awk -f mutants.awk TABLE SOURCE...             a line a fault: line, places, source, name, reason
#        awk -v line=N -f mutants.awk TABLE SOURCE      the source with the fault of that line

BEGIN { FS = "\t" }

function squeeze(text) {
    gsub(/[ \t]+/, " ", text)
    sub(/^ /, "", text)
    sub(/ $/, "", text)
    return text
}

# How often the fragment is in the text; `at` is set to the last place.
function count(text, fragment,    n, from, here) {
    n = 0
    from = 1
    while ((here = index(substr(text, from), fragment)) > 0) {
        at = from + here - 1
        from = at + 1
        n++
    }
    return n
}

# The table, blank lines and comments left out.
FILENAME == ARGV[1] {
    if ($0 !~ /^#/ && NF > 0) {
        order[++faults] = FNR
        name_of[FNR] = $1
        fragment_of[FNR] = squeeze($2)
        replacement_of[FNR] = squeeze($3)
        reason_of[FNR] = $4
        is_complete[FNR] = NF == 4 && $1 != "" && fragment_of[FNR] != "" && $2 != $3
        wanted[$1] = wanted[$1] " " FNR
    }
    next
}

# A definition begins in the first column and ends with a brace there, or with a semicolon; a
# directive is one of its own.
FNR == 1 { state = "outside"; kept = 0 }
state == "outside" {
    if ($0 !~ /^[A-Za-z_#]/) {
        if (line) print
        next
    }
    state = "head"
    chunk = ""
    raw = ""
}
{
    raw = raw $0 "\n"
    # Directives and comments to the end of a line keep their lines.
    alone = $0 ~ /^[ \t]*#/ || $0 ~ /\/\//
    chunk = chunk (chunk == "" ? "" : alone || kept ? "\n" : " ") squeeze($0)
    kept = alone
    text = $0
    sub(/[ \t]*\/\*.*$/, "", text)
    if (state == "head" && text ~ /{$/) state = "body"
    if (raw ~ /^#/ ? $0 !~ /\\$/ : state == "body" ? $0 ~ /^}/ : text ~ /;$/) {
        finish()
        state = "outside"
        kept = 0
    }
}

# The name stands before the first parenthesis or equals sign; after #define.
function finish(    name, lines, n, i, fault, places) {
    name = chunk
    if (sub(/^# *define +/, "", name)) {
        match(name, /^[A-Za-z_0-9]+/)
        name = substr(name, 1, RLENGTH)
    } else if (match(name, /[A-Za-z_][A-Za-z_0-9]*(\[[^]]*\])* ?[=(]/)) {
        name = substr(name, RSTART, RLENGTH)
        sub(/[^A-Za-z_0-9].*/, "", name)
    } else {
        name = ""
    }
    n = split(wanted[name], lines, " ")
    for (i = 1; i <= n; i++) {
        fault = lines[i]
        places = count(chunk, fragment_of[fault])
        if (places > 0) {
            found[fault] += places
            where[fault] = FILENAME
            if (fault == line) {
                raw = substr(chunk, 1, at - 1) replacement_of[fault] \
                    substr(chunk, at + length(fragment_of[fault])) "\n"
            }
        }
    }
    if (line) printf "%s", raw
}

END {
    for (i = 1; !line && i <= faults; i++) {
        fault = order[i]
        printf "%d\t%d\t%s\t%s\t%s\n", fault, is_complete[fault] ? found[fault] : 0,
            where[fault] == "" ? "-" : where[fault], name_of[fault], reason_of[fault]
    }
}
