#!/bin/bash
# The Containerfile runs the two commands of the README's quick start, and continuous integration the
# second of them.
set -euo pipefail

fail() {
    echo "container: $1" >&2
    exit 1
}
readme=$(sed -nE 's/^ *([$] )?(make setup (figures|check))( *#.*)?$/\2/p' README.md)
[[ $readme == $'make setup figures\nmake setup check' ]] || fail "the README's two commands are: $readme"
[[ $(sed -n 's/^RUN \(make .*\)/\1/p' Containerfile) == "$readme" ]] \
    || fail "Containerfile (<) and README (>): $(diff <(sed -n 's/^RUN //p' Containerfile) - <<<"$readme")"
[[ $(grep -c '^step make "$jobs" setup check$' .ci/run) == 1 ]] || fail '.ci/run does not run make setup check'
