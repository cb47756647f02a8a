#!/bin/bash
# Ctrl-C while a figure is drawn or a record computed ends it at once, without a partial file: what was
# there before is there afterwards.
# usage: tests/project/interrupt.sh [PROGRAM_FOLDER]
set -euo pipefail

bin=$(realpath "${1:-build/bin}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL

fail() {
    echo "interrupt: $1" >&2
    exit 1
}
# An input on which one can wait for ever, as on a terminal.
mkfifo "$scratch/terminal"
exec 3<>"$scratch/terminal"

# interrupt FILE COMMAND...: run it, send Ctrl-C to all its
# processes once FILE is there, and wait for its end.
interrupt() {
    local file=$1 job status=0 tries
    shift
    set -m
    env --default-signal=INT "$@" >"$scratch/log" 2>&1 <&3 &
    job=$!
    set +m
    for ((tries = 0; tries < 3000; ++tries)); do
        compgen -G "$file" >/dev/null && break
        sleep 0.01
    done
    compgen -G "$file" >/dev/null || { cat "$scratch/log" >&2; fail "$1 did not begin: no $file"; }
    kill -INT -- "-$job"
    for ((tries = 0; tries < 6000; ++tries)); do
        kill -0 "$job" 2>/dev/null || break
        sleep 0.01
    done
    kill -KILL -- "-$job" 2>/dev/null || true
    wait "$job" 2>/dev/null || status=$?
    ((tries < 6000)) || fail "$1 did not end when it was interrupted"
    ((status != 0)) || fail "$1 was interrupted and answered 0"
}

# A figure that takes a while, of which the first page is finished when the interrupt comes.
mkdir -p "$scratch/tree/figures" "$scratch/tree/build/figures"
cp tools/render_figures.sh "$scratch/tree"
cd "$scratch/tree"
cat >figures/slow.gp <<'END'
# figures: slow-fig01
do for [format in 'pdf svg'] {
    set terminal dumb
    set output out.'/slow-fig01.'.format
    plot x
    unset output
}
do for [i=1:100000] { set output out.'/slow-fig01.pdf'; plot x }
END
echo old >figures/slow-fig01.pdf
interrupt 'build/figures/slow/slow-fig01.svg' ./render_figures.sh figures/slow.gp slow-fig01
[[ $(cat figures/slow-fig01.pdf) == old ]] || fail "a partial figure replaced the old one"
[[ ! -e figures/slow-fig01.svg && ! -e build/figures/slow ]] || fail "a partial figure was left"

# A record.
mkdir "$scratch/records"
interrupt "$scratch/records/.ball.h5.*.tmp" "$bin/bouncing_ball" --step 1e-6 --output "$scratch/records/ball.h5"
[[ -z $(ls -A "$scratch/records") ]] || fail "an interrupted run left $(ls -A "$scratch/records")"
