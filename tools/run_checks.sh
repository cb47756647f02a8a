#!/bin/bash
# Run Check suites (side by side), then project scripts (two at a time, each given the folder of the
# programs to test; first those with a line `# takes long` in their head, so that the others fill what
# these leave). None may change what is in the tree. All are run whatever fails; the log of a failure
# is shown. The last line is `N passed, N failed`; exit 1 if anything failed or nothing ran.
# usage: [WRAPPER='valgrind ...'] tools/run_checks.sh DIRECTORY SUITE... -- SCRIPT...
set -euo pipefail

directory=$1
shift
suites=()
while [[ $1 != -- ]]; do
    suites+=("$1")
    shift
done
shift
scripts=("$@")
logs=$directory/check
rm -rf "$logs"
mkdir -p "$logs"

# The scripts call make themselves: not as part of this one.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
passed=0
failed=0

# The log of a failure, indented; a very long one is cut.
shown=80
show() {
    head -n "$shown" "$1" | sed 's/^/    /'
    (($(wc -l <"$1") <= shown)) || echo "    ... the rest is in $1"
}
# log_of SUITE-OR-SCRIPT: as $log
log_of() {
    local path=${1#build/}
    log=$logs/${path//\//-}
}
# status_of LOG: as $status
status_of() {
    status=lost
    [[ ! -e $1.status ]] || status=$(<"$1.status")
}

# Seconds passed, and of processor time, of all that a command started.
export TIMEFORMAT='%1R %1U %1S'

# Suites, each followed by its log: its output and exit status. Tests share a process; which of them
# crashed is said when each has its own.
run_suites() {
    local status
    while (($# > 0)); do
        status=0
        # shellcheck disable=SC2086
        { time ${WRAPPER:-} "$1" >"$2.log" 2>&1 || status=$?; } 2>"$2.cost"
        ((status < 128)) || CK_FORK=yes "$1" >>"$2.log" 2>&1
        echo "$status" >"$2.status"
        shift 2
    done
}
export -f run_suites
for suite in "${suites[@]}"; do
    log_of "$suite"
    printf '%s\0%s\0' "$suite" "$log"
done | xargs -0 -r -n 8 -P "${CHECK_JOBS:-$(nproc)}" bash -c 'run_suites "$@"' run_suites

# What each suite says of itself: "100%: Checks: 12, Failures: 0, Errors: 0".
for suite in "${suites[@]}"; do
    log_of "$suite"
    status_of "$log"
    line='' checks=0 failures=0 errors=0 wants=() said=()
    [[ ! -e $log.log ]] || mapfile -t said <"$log.log"
    for text in "${said[@]}"; do
        if [[ $text =~ ^[0-9]+%:\ Checks:\ ([0-9]+),\ Failures:\ ([0-9]+),\ Errors:\ ([0-9]+) ]]; then
            line=$text checks=${BASH_REMATCH[1]} failures=${BASH_REMATCH[2]} errors=${BASH_REMATCH[3]}
        elif [[ $text =~ ^left\ out,\ needs\ ([^:]*) ]]; then
            # Tests that cannot run here have said what they need (tests/support.h).
            wants+=("${BASH_REMATCH[1]}")
        fi
    done
    bad=$((failures + errors))
    left=${#wants[@]}
    # A crash, a sanitizer's or valgrind's complaint, or a suite without a test is a failure too.
    if ((bad == 0)) && [[ $status != 0 || -z $line || $checks == 0 && $left == 0 ]]; then
        bad=1
        line="no verdict (exit $status, $checks checks)"
    elif ((left > 0)); then
        line+="; left out: $left, for want of"
        line+=" $(printf '%s\n' "${wants[@]}" | sort -u | paste -s -d ,)"
    fi
    printf '%-40s %s\n' "${suite#build/}" "$line"
    ((bad == 0)) || show "$log.log"
    failed=$((failed + bad))
    passed=$((passed + (checks > bad ? checks - bad : 0)))
done

# One script, its output, verdict and cost into files beside its log.
run_script() {
    local status=0
    { time bash "$1" "$3" >"$2.log" 2>&1 </dev/null || status=$?; } 2>"$2.cost"
    echo "$status" >"$2.status"
    if ((status == 0)); then printf '%-40s passed in %s s\n' "$1" "$(cut -d ' ' -f 1 "$2.cost")"; fi
}
export -f run_script
long=()
short=()
for script in "${scripts[@]}"; do
    if grep -qx '# takes long' "$script"; then long+=("$script"); else short+=("$script"); fi
done
for script in "${long[@]}" "${short[@]}"; do
    log_of "$script"
    printf '%s\0%s\0%s\0' "$script" "$log" "$directory/bin"
done | xargs -0 -r -n 3 -P 2 bash -c 'run_script "$0" "$1" "$2"'
for script in "${scripts[@]}"; do
    log_of "$script"
    status_of "$log"
    if [[ $status == 0 ]]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf '%-40s FAILED\n' "$script"
        show "$log.log"
    fi
done

# Where the processor's time goes: of all, and of the most costly.
awk '{ cost = $2 + $3; all += cost; name = FILENAME; sub(/.*\//, "", name); sub(/(\.sh)?\.cost$/, "", name)
    printf "%.0f %s\n", cost, name } END { printf "%.0f in all\n", all }' "$logs"/*.cost 2>/dev/null \
    | sort -rn | head -n 9 | awk '{ line = line (NR > 1 ? ", " : "seconds of the processor: ") $0 } END { print line }' || true
echo "$passed passed, $failed failed"
((failed == 0 && passed > 0))
