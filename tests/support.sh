# What the scripts of tests/project/ share that run one driver on many inputs and read its record. The
# driver has the name of the script; the first argument is the folder of programs. To be sourced.

driver=$(basename "$0" .sh)
bin=${1:-build/bin}
columns=$bin/columns
[[ -x $columns ]] || columns=build/bin/columns
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
