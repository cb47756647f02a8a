#!/bin/bash
# What tools/run_checks.sh says of suites: one of which no test can run here says what they need and
# is no failure; one that holds no test, or ends before its verdict, is one.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# suite NAME: of the tests on standard input
suite() {
    {
        echo "#include \"$PWD/tests/support.h\""
        cat
    } >"$scratch/$1.c"
    # shellcheck disable=SC2046
    ${CC:-gcc} -std=c11 -D_POSIX_C_SOURCE=200809L -Iinclude $(cat build/packages.cflags) "$scratch/$1.c" \
        build/lib/libcarom.a -fopenmp $(cat build/check.libs build/library.libs) -o "$scratch/$1"
}
# says NAME EXIT LINE: what is said of the suite beside one that passes, and how that ends
says() {
    local status=0
    tools/run_checks.sh "$scratch/made" "$scratch/$1" "$scratch/runs" -- >"$scratch/said" || status=$?
    if ((status != $2)) || ! grep -F "/$1 " "$scratch/said" | grep -c -F " $3" >/dev/null; then
        echo "run_checks: exit $status; of $1 was not said: $3" >&2
        cat "$scratch/said" >&2
        exit 1
    fi
}

suite runs <<<'TEST(unit, one_is_one) { ck_assert_int_eq(1, 1); }'
suite empty <<<''
suite unable <<'C'
REGISTERED_TEST(false, "another machine", unit, no_test_for_this_one, 1) { ck_abort(); }
REGISTERED_TEST(false, "another machine", errors, nor_is_this, 1) { ck_abort(); }
C
suite partly <<'C'
REGISTERED_TEST(false, "another machine", unit, no_test_for_this_one, 1) { ck_abort(); }
TEST(unit, two_is_one) { ck_assert_int_eq(2, 1); }
C
suite silent <<'C'
REGISTERED_TEST(false, "another machine", unit, no_test_for_this_one, 1) { ck_abort(); }
__attribute__((constructor)) static void leave(void) { exit(0); }
C
suite crashes <<'C'
TEST(unit, one_is_one) { ck_assert_int_eq(1, 1); }
TEST(errors, it_ends) { raise(SIGSEGV); }
TEST(errors, two_is_two) { ck_assert_int_eq(2, 2); }
C

says unable 0 '100%: Checks: 0, Failures: 0, Errors: 0; left out: 2, for want of another machine'
says empty 1 'no verdict (exit 0, 0 checks)'
says partly 1 '0%: Checks: 1, Failures: 1, Errors: 0; left out: 1, for want of another machine'
says silent 1 'no verdict (exit 0, 0 checks)'
says crashes 1 '66%: Checks: 3, Failures: 0, Errors: 1'
grep -q 'it_ends.*Segmentation fault' "$scratch/said" || { echo 'run_checks: which test crashed is not said' >&2; exit 1; }
