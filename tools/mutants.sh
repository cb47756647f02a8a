#!/bin/bash
# Deliberate faults: each line of the table (tools/mutants.awk says how a fault is found) is put into
# a copy of the tree alone, compiled, and must be noticed: by a suite of its folder, by one of another
# folder that links the source, or by a published row of a record that it changes. The first notice
# ends a fault; one that nothing notices has survived.
#
# Results are kept in build/mutants/results.tsv. A fault runs again when its source or its line
# changes, a survivor also when any source or test does. The last lines are build/mutants/report.txt.
# usage: [MUTANT_JOBS=n] [ONLY=pattern] [MUTANTS=n] [ROWS=0|1] tools/mutants.sh
#        tools/mutants.sh --find [TABLE]     only name the lines that are not found exactly once
#   ONLY     faults whose line or source matches the extended regular expression
#   MUTANTS  at most so many
#   ROWS     1: try the published rows on what a suite noticed too; 0: on nothing
set -euo pipefail

table=${2:-tests/mutants.tsv}
find_faults() {
    awk -f tools/mutants.awk "$table" $(find src -name '*.c' | sort)
}
lost() {
    awk -F '\t' '$2 != 1 { printf "lost: line %s, %s: found %d times (%s)\n", $1, $4, $2, $5 }' "$1"
}
if [[ ${1:-} == --find ]]; then
    found=$(find_faults)
    ! lost - <<<"$found" | grep . && [[ -n $found ]]
    exit
fi

top=$PWD/build/mutants
tree=$top/tree
results=$top/results.tsv
export top tree results ROWS=${ROWS:-} MUTANT_JOBS=${MUTANT_JOBS:-$(nproc)}
# A suite runs in one process; a fault that hangs or swallows memory ends.
export CK_FORK=no OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES

# limited SECONDS COMMAND...: several times what it takes without a fault, and 4 GB
limited() {
    local seconds=$1
    shift
    (ulimit -v 4194304 && exec timeout -k 5 "$(awk -v s="$seconds" 'BEGIN { print int(20 + 8 * s) }')" "$@") \
        >/dev/null 2>&1 </dev/null
}

# What a program links of the library, and how long a suite takes ("fails": one that does not pass).
# describe PROGRAM OBJECT...
describe() {
    local about=$top/about/${1//\//-} program=$1 started seconds=0
    shift
    [[ $about -nt $tree/$program ]] && return
    cd "$tree"
    if [[ $program == build/tests/* ]]; then
        started=$EPOCHREALTIME
        limited 60 "$program" || seconds=fails
        [[ $seconds == fails ]] || seconds=$(awk -v a="$started" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }')
    fi
    link "$about.probe" -Wl,-Map="$about.map" "$@"
    printf '%s\t%s\t %s\n' "$program" "$seconds" \
        "$(sed -n 's|^build/lib/libcarom.a(\([^).]*\)\.o).*|\1|p' "$about.map" | sort -u | tr '\n' ' ')" >"$about.tmp"
    rm "$about.probe" "$about.map"
    mv "$about.tmp" "$about"
}

# link OUTPUT OBJECT...: an object before the library stands for the member of its name
link() {
    local output=$1
    shift
    # shellcheck disable=SC2046
    gcc $(sed 's/-W[^ ]*//g' build/flags) $(nm "${@:$#}" | sed -n 's/^.* T __wrap_/-Wl,--wrap=/p') \
        "${@}" build/lib/libcarom.a @build/check.libs @build/library.libs -o "$output"
}

# objects_of EXPERIMENT
objects_of() {
    (cd "$tree" && ls build/digest/"$1".o build/obj/experiments/"$1"/*.o build/obj/experiments/"$1".o 2>/dev/null)
}

# The experiments that link a source, the short ones first, their sound records made when they are
# first asked for: records_of MEMBER
records_of() {
    local program names
    flock 9
    if [[ ! -e $top/programs-ready ]]; then
        make -C "$tree" -j"$MUTANT_JOBS" all >"$top/make.log" 2>&1
        for program in "$tree"/experiments/*.c; do
            program=$(basename "$program" .c)
            # shellcheck disable=SC2046
            (describe "build/bin/$program" $(objects_of "$program"))
        done
        touch "$top/programs-ready"
    fi
    names=$(awk -F '\t' -v m=" $1 " 'index($3, m) { sub(".*/", "", $1); print $1 }' "$top"/about/build-bin-*)
    [[ -n $names ]] || return 0
    # shellcheck disable=SC2086
    make -C "$tree" -j"$MUTANT_JOBS" $(printf 'data/results/%s.h5 ' $names) >"$top/data.log" 2>&1 \
        || { echo "mutants: records cannot be made, see $top/data.log" >&2; return 1; }
    for program in $names; do
        printf '%s\t%s\n' "$program" "$(cut -f 6 "$tree/build/runs/$program.tsv")"
    done | sort -k 2g
} 9>"$top/records.lock"

# in_records MEMBER OBJECT: rerun what links the member; sets changed, silent, and by at a failing row
in_records() {
    local member=$1 object=$2 name seconds bad names
    names=$(records_of "$member")
    while IFS=$'\t' read -r name seconds; do
        [[ -n $name ]] || continue
        # shellcheck disable=SC2046
        link "$work/program" "$object" $(objects_of "$name")
        rm -rf "$work/results" "$work/published"
        mkdir "$work/results" "$work/published"
        if limited "$seconds" "$work/program" --quiet --output "$work/results/$name.h5"; then
            cmp -s "$work/results/$name.h5" "data/results/$name.h5" && continue
            changed+="$name "
            cp "data/published/$name.csv" "$work/published/"
            if bad=$(build/bin/verify --wide --published "$work/published" --results "$work/results" 2>&1); then
                silent+="$name "
                continue
            fi
            bad=$(awk '/  fails( |$)/ { print $1; exit }' <<<"$bad")
            by=${by:-row ${bad:-?} of $name}
        else
            changed+="$name "
            by=${by:-$name (exit $?)}
        fi
        [[ $ROWS == 1 ]] || return 0
    done <<<"$names"
}

# One fault, from its line number and key to its line in the results.
try() {
    local line=$1 key=$2 file=$3 state=$4 verdict=survived by='' changed='' silent='' member subject
    local suite seconds object status started=$SECONDS
    member=$(basename "$file" .c)
    subject=$(cut -d / -f 2 <<<"$file")
    work=$top/faults/$line
    rm -rf "$work"
    mkdir -p "$work/$(dirname "$file")"
    cd "$tree"
    awk -v line="$line" -f tools/mutants.awk tests/mutants.tsv "$file" >"$work/$file"
    compile() {
        (cd "$1" && gcc $(cat "$tree/build/flags") -w -I"$tree/include" -iquote "$tree/$(dirname "$file")" \
            $(cat "$tree/build/packages.cflags") -c "$file" -o "$2")
    }
    object=$work/fault.o
    compile "$tree" "$work/sound.o"
    if ! compile "$work" "$object" 2>"$work/errors"; then
        verdict=broken by=$(grep -m 1 error "$work/errors" | tr '\t' ' ')
    elif cmp -s "$object" "$work/sound.o"; then
        verdict=equivalent by='the object is the same'
    else
        while IFS=$'\t' read -r suite seconds; do
            link "$work/suite" "$object" "build/obj/${suite#build/}.o"
            status=0
            limited "$seconds" "$work/suite" || status=$?
            ((status == 0)) && continue
            by=${suite#build/}
            verdict=killed
            ((status != 124 && status != 137)) || verdict=timeout
            break
        done < <(awk -F '\t' -v m=" $member " -v own="build/tests/$subject/" -v same="/$member" '
            index($3, m) && $2 != "fails" {
                far = index($1, own) != 1
                print far "\t" (far || $1 !~ same "$") "\t" $2 "\t" $1 }' "$top"/about/build-tests-* \
            | sort -k 1,1n -k 2,2n -k 3,3g | awk -F '\t' '{ print $4 "\t" $3 }')
        if [[ $ROWS == 1 || $verdict == survived && $ROWS != 0 ]]; then
            in_records "$member" "$object"
            [[ $verdict != survived || -z $by ]] || verdict=rows
            changed=${changed:-none}
        fi
    fi
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%d\n' "$key" "$state" "$verdict" "${by:--}" "${changed:--}" \
        "${silent:--}" $((SECONDS - started)) >>"$results"
    printf '  %-10s %s: %s (%s)\n' "$verdict" "$(sed -n "${line}p" tests/mutants.tsv | cut -f 1,4 | sed 's/\t/, /')" "$file" "${by:--}"
    rm -rf "$work"
}
export -f limited describe link objects_of records_of in_records try

# The copy of the tree, its suites, and what each links.
mkdir -p "$tree/data" "$top/about" "$top/faults"
exec 8>"$top/lock"
flock -n 8 || { echo "mutants: another run works in build/mutants" >&2; exit 1; }
for part in Makefile README.md include src tests experiments tools data/published data/examples; do
    rm -rf "${tree:?}/$part"
    cp -a "$part" "$tree/$part"
done
rm -f "$top/programs-ready"
touch "$results"
make -C "$tree" -j"$MUTANT_JOBS" tests >"$top/make.log" 2>&1 \
    || { tail "$top/make.log" >&2; echo "mutants: the suites cannot be made" >&2; exit 1; }
cd "$tree"
for suite in tests/*/*.c tests/*/*/*.c; do
    [[ -e build/${suite%.c} ]] && printf '%s\0%s\0' "build/${suite%.c}" "build/obj/${suite%.c}.o"
done | xargs -0 -r -n 2 -P "$MUTANT_JOBS" bash -c 'set -euo pipefail; describe "$@"' mutants 8>&-
awk -F '\t' '$2 == "fails" { print "left out, fails without a fault: " $1 }' "$top"/about/build-tests-*

# Each fault has a key, its line with the text of its source; what is known already is not run again.
find_faults >"$top/found.tsv"
state=$(find src tests -name '*.[ch]' | sort | xargs cat | sha256sum | cut -c 1-16)
while IFS=$'\t' read -r line places file _; do
    ((places == 1)) || continue
    printf '%s\t%s\t%s\t%s\n' "$line" \
        "$({ sed -n "${line}p" tests/mutants.tsv; cat "$file"; } | sha256sum | cut -c 1-16)" "$file" "$state"
done <"$top/found.tsv" >"$top/keys.tsv"
pending() {
    awk -F '\t' -v rows="$ROWS" '
        FILENAME == ARGV[1] { state[$1] = $2; verdict[$1] = $3; records[$1] = $5; next }
        !($2 in verdict) || verdict[$2] == "survived" && (state[$2] != $4 || rows != "0" && records[$2] == "-") ||
            rows == "1" && records[$2] == "-" && verdict[$2] ~ /killed|timeout/' "$results" "$top/keys.tsv"
}
export -f find_faults
pending | while IFS=$'\t' read -r line rest; do
    printf '%s\t%s\t%s\n' "$line" "$rest" "$(sed -n "${line}p" tests/mutants.tsv)"
done | { grep -E "${ONLY:-.}" || true; } | head -n "${MUTANTS:-1000000}" | cut -f 1-4 | tr '\t\n' '\0\0' \
    | xargs -0 -r -n 4 -P "$MUTANT_JOBS" bash -c 'set -euo pipefail; try "$@"' mutants 8>&- || true

# What came out: survivors, records that changed while every row agreed, lines to repair, counts.
{
    lost "$top/found.tsv"
    awk -F '\t' '
        FILENAME == ARGV[1] { verdict[$1] = $3; by[$1] = $4; records[$1] = $5; silent[$1] = $6; next }
        FILENAME == ARGV[2] { key[$1] = $2; next }
        $2 == 1 {
            k = key[$1]
            v = k in verdict ? verdict[k] : "not run"
            subject = $3
            sub(/^src\//, "", subject)
            sub(/\/.*/, "", subject)
            subjects[subject]
            total[subject, v]++
            sum[v]++
            about = $4 ": " $5 " (" $3 ", line " $1 ")"
            if (v ~ /survived|broken|equivalent/) print v ": " about (v == "broken" ? ": " by[k] : "")
            if (records[k] ~ /[a-z]/ && records[k] != "none")
                quiet = quiet "  " about "\n    changed: " records[k] "\n    silent:  " silent[k] "\n"
        }
        END {
            if (quiet != "") printf "records that changed, and those of them no row of which failed:\n%s", quiet
            n = split("killed timeout rows survived equivalent broken,not run", heads, /[ ,]/)
            heads[7] = "not run"
            printf "%-16s", "subject"
            for (i = 1; i <= 7; i++) printf " %10s", heads[i]
            printf "\n"
            for (s in subjects) {
                printf "%-16s", s
                for (i = 1; i <= 7; i++) printf " %10d", total[s, heads[i]]
                printf "\n"
            }
            printf "%-16s", "all"
            for (i = 1; i <= 7; i++) printf " %10d", sum[heads[i]]
            printf "\n"
        }' "$results" "$top/keys.tsv" "$top/found.tsv"
} >"$top/report.txt"
cat "$top/report.txt"
! grep -qE '^(lost|survived|broken|equivalent): ' "$top/report.txt"
