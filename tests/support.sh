# What the scripts of tests/project/ share that run one driver on many inputs and read its record. The
# driver has the name of the script; the first argument is the folder of programs. To be sourced: the
# script's end tells how many cases failed. A process costs more than most of what is looked at here:
# all numbers of a record are read at once, when the next one is made, and compared at the end.

script=${0##*/}
script=${script%.sh}
driver=$script
bin=${1:-build/bin}
columns=$bin/carom_columns
[[ -x $columns ]] || columns=build/bin/carom_columns
scratch=$(mktemp -d)
mkdir "$scratch/out"
trap finish EXIT
cases=0
asked=() wanted=()
# Kept in files, so that those of a subshell count too: failures, and numbers to compare.
: >"$scratch/failures"
: >"$scratch/compared"
fail() {
    echo "$script: $*" >&2
    echo >>"$scratch/failures"
}

# run ARGUMENT...: into record.h5; fails unless the exit status is 0.
run() {
    settle
    cases=$((cases + 1))
    : >"$scratch/record.h5"
    listed=
    "$bin/$driver" --output "$scratch/record.h5" "$@" >"$scratch/stdout" 2>"$scratch/stderr" \
        || fail "exit $? of $*: $(<"$scratch/stderr")"
}
# refuse STATUS WORD ARGUMENT...: it ends so, with one sentence of its own that holds the word, and
# leaves nothing.
refuse() {
    local expected=$1 word=$2 status=0 said left
    shift 2
    cases=$((cases + 1))
    "$bin/$driver" --quiet --output "$scratch/out/record.h5" "$@" >"$scratch/stdout" 2>"$scratch/refusal" \
        || status=$?
    mapfile said <"$scratch/refusal"
    shopt -s nullglob dotglob
    left=("$scratch"/out/*)
    shopt -u nullglob dotglob
    if ((status != expected || ${#said[@]} != 1 || ${#left[@]} > 0)) || [[ -s $scratch/stdout ]] \
        || [[ ${said[0]} != "$driver: "*"$word"*$'\n' ]]; then
        fail "exit $status, expected $expected and \"$word\": $*: ${said[*]} ${left[*]##*/}"
        rm -rf "${left[@]}"
    fi
}
# value ARGUMENT...: of the columns reader.
value() {
    "$columns" "$scratch/record.h5" "$@"
}
# text PATH: a string of the record
text() {
    [[ $(h5dump -d "$1" "$scratch/record.h5" 2>/dev/null) =~ '(0): "'([^$'\n']*)'"' ]] && echo "${BASH_REMATCH[1]}"
}
# has PATH...: the record has such data sets.
has() {
    local path
    list_record
    for path; do [[ $listed == *$'\n'"$path"[$' \n']* ]] || fail "$path is not in the record"; done
}
# absent PATH...: it has none of them.
absent() {
    local path
    list_record
    for path; do [[ $listed != *$'\n'"$path"[$' \n']* ]] || fail "$path is in the record"; done
}
list_record() {
    [[ -n $listed ]] || listed=$'\n'$("$columns" "$scratch/record.h5")$'\n'
    [[ $listed == *$'\n/'* ]] || fail 'the record cannot be listed'
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
    if is_number "$1" && is_number "$2"; then
        echo "$1 $2 $3 ${4//$'\n'/ }" >>"$scratch/compared"
    else
        fail "$4: $1 instead of $2"
    fi
}
# close_relative ACTUAL EXPECTED TOLERANCE WHAT: of EXPECTED, or of 1e-3 where it is smaller.
close_relative() {
    close "$1" "$2" "*$3" "$4"
}
# near PATH EXPECTED TOLERANCE [WHAT]: the number of the record there, absolute.
near() {
    ((BASH_SUBSHELL == 0)) || fail "asked of a record in a subshell: $1"
    asked+=("$1")
    wanted+=(close "$2" "$3" "${4:-$1}")
}
# near_relative PATH EXPECTED TOLERANCE [WHAT]
near_relative() {
    near "$1" "$2" "*$3" "${4:-$1}"
}
# reads PATH EXPECTED [WHAT]: the number there in all digits, or 1 for what is true.
reads() {
    ((BASH_SUBSHELL == 0)) || fail "asked of a record in a subshell: $1"
    asked+=("$1")
    wanted+=(is "$2" '' "${3:-$1}")
}
# Read what was asked of the record.
settle() {
    local i numbers=()
    ((${#asked[@]} > 0)) || return 0
    IFS=$'\t' read -ra numbers < <(value "${asked[@]}" 2>/dev/null) || true
    # Where one of them is missing or no single number, one by one.
    if ((${#numbers[@]} != ${#asked[@]})); then
        for ((i = 0; i < ${#asked[@]}; i++)); do numbers[i]=$(value "${asked[i]}"); done
    fi
    for ((i = 0; i < ${#asked[@]}; i++)); do
        set -- "${wanted[@]:4*i:4}"
        if [[ $1 == is ]]; then is "${numbers[i]}" "$2" "$4"; else close "${numbers[i]}" "$2" "$3" "$4"; fi
    done
    asked=() wanted=()
}
# threads_agree ARGUMENT...: the bytes do not depend on the number of threads.
threads_agree() {
    local threads
    run "$@" --threads 1 --output "$scratch/one_thread.h5"
    for threads in 2 4; do
        run "$@" --threads "$threads"
        cmp -s "$scratch/one_thread.h5" "$scratch/record.h5" || fail "other bytes with $threads threads: $*"
    done
}
# At the end of the script, however it comes: the numbers are compared.
finish() {
    local status=$? failed=()
    settle
    awk -v script="$script" '
        { d = $1 - $2; tolerance = $3 }
        sub(/^\*/, "", $3) { s = $2 < 0 ? -$2 : $2; tolerance = $3 * (s < 1e-3 ? 1e-3 : s) }
        !((d < 0 ? -d : d) <= tolerance) {
            bad = 1
            found = $1 " instead of " $2; $1 = $2 = $3 = ""; sub(/^ */, "")
            print script ": " $0 ": " found >"/dev/stderr"
        }
        END { exit bad }' "$scratch/compared" || fail 'numbers differ'
    mapfile failed <"$scratch/failures"
    rm -rf "$scratch"
    echo "$script: $cases cases, ${#failed[@]} failures"
    ((status == 0 && ${#failed[@]} == 0)) || exit 1
}
