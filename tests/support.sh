# What the scripts of tests/project/ share that run one driver on many inputs and read its record. The
# driver has the name of the script; the first argument is the folder of programs. To be sourced.

driver=$(basename "$0" .sh)
bin=${1:-build/bin}
columns=$bin/carom_columns
[[ -x $columns ]] || columns=build/bin/carom_columns
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
cases=0
fail() {
    failures=$((failures + 1))
    echo "$driver: $*" >&2
}

# run ARGUMENT...: into record.h5; fails unless the exit status is 0.
run() {
    cases=$((cases + 1))
    rm -f "$scratch/record.h5"
    "$bin/$driver" --output "$scratch/record.h5" "$@" >"$scratch/stdout" 2>"$scratch/stderr" \
        || fail "exit $? of $*: $(cat "$scratch/stderr")"
}
# value ARGUMENT...: of the columns reader.
value() {
    "$columns" "$scratch/record.h5" "$@"
}
# is ACTUAL EXPECTED WHAT
is() {
    [[ $1 == "$2" ]] || fail "$3: $1 instead of $2"
}
# is_number TEXT: one finite number. Not every awk has a NaN that compares false.
is_number() {
    [[ $1 =~ ^[-+]?[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)?$ ]]
}
# close ACTUAL EXPECTED TOLERANCE WHAT: absolute.
close() {
    is_number "$1" && awk -v a="$1" -v b="$2" -v tolerance="$3" 'BEGIN {
        d = a - b; exit !((d < 0 ? -d : d) <= tolerance) }' || fail "$4: $1 instead of $2"
}
# close_relative ACTUAL EXPECTED TOLERANCE WHAT: of EXPECTED, or of 1e-3 where it is smaller.
close_relative() {
    is_number "$1" && awk -v a="$1" -v b="$2" -v tolerance="$3" 'BEGIN {
        d = a - b; s = b < 0 ? -b : b; if (s < 1e-3) s = 1e-3
        exit !((d < 0 ? -d : d) <= tolerance * s) }' || fail "$4: $1 instead of $2"
}
# near PATH EXPECTED TOLERANCE: the number of the record there, absolute.
near() {
    close "$(value "$1")" "$2" "$3" "$1"
}
