#!/bin/bash
# The programs of examples/ build against an installed library, in C and in C++, with every compiler
# that is there, and print what the closed forms say.
# alone
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL
make install PREFIX="$scratch" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
export PKG_CONFIG_PATH=$scratch/lib/pkgconfig LD_LIBRARY_PATH=$scratch/lib
cd "$scratch/share/carom/examples"

# The numbers that each prints, in turn, and how far they may be off: half a unit of the last digit,
# or what a step of the scheme makes, as said.
expected() {
    awk -v example="$1" '
        function is(value, tolerance) { printf "%.12g %g\n", value, tolerance }
        function cot(x) { return cos(x) / sin(x) }
        function arccos(x) { return atan2(sqrt(1 - x * x), x) }
        # The gap of the structure by an impulse of 1 (modes of 1 and sqrt(3) rad/s, equal shares).
        function kernel(T) { return (cot(T / 2) + cot(sqrt(3) * T / 2) / sqrt(3)) / 2 }
        function root(from, to, i, middle) {
            for (i = 0; i < 60; i++) {
                middle = (from + to) / 2
                if (kernel(middle) > 0) from = middle
                else to = middle
            }
            return middle
        }
        BEGIN {
            pi = atan2(0, -1)
            if (example == "ball") {
                rest = sqrt(2 * (1.5 - 0.03) / 10) * (1 + 0.7) / (1 - 0.7)
                # Some 24 impacts, each at most a step late: 2 h / (1 - e) of what is left.
                is(rest, 24 * 2 * 1e-4 / (1 - 0.7))
                is(rest, 5e-4)
                is(0.03, 5e-5)
            } else if (example == "structure") {
                is(root(0.1, 2 * pi / sqrt(3) - 0.1), 5e-7)
                is(2 * pi / sqrt(3), 5e-7)
                is(root(2 * pi / sqrt(3) + 0.1, 2 * pi - 0.1), 5e-7)
                is(2 * pi, 5e-7)
                is(5.5, 0)
                speed = -0.01 / kernel(5.5)
                is(speed, 5e-7)
                is(speed^2 / 4 * (1 / sin(5.5 / 2)^2 + 1 / sin(sqrt(3) * 5.5 / 2)^2), 5e-11)
            } else if (example == "planar_tree") {
                # Nothing turns the crate about the corner that stops.
                rate = 3 * 2 * 0.6 / (2 * (0.4^2 + 0.6^2))
                is(rate, 5e-7)
                is(0, 5e-7)
                is(5 * rate * 0.2, 5e-7)
                is(5 * (2 - rate * 0.3), 5e-7)
            } else if (example == "mechanism") {
                # A quarter of the period of a pendulum, by the arithmetic and the geometric mean.
                a = 1
                for (b = cos(0.6); a - b > 1e-14; b = sqrt(b * last)) { last = a; a = (a + b) / 2 }
                is(pi / (2 * a) * sqrt(0.5 / 9.81), 1e-4 + 5e-5) # a step
                # It strikes with 5 rad/s, and turns by 5e-4 rad in a step.
                is(arccos(1 - 0.6^2 * (1 - cos(1.2))), 5e-4 + 5e-5)
            } else if (example == "outcomes") {
                third = 1 / 3
                n = split("1 " (-third) " " 2 * third " " 2 * third " 1 0 0 1 1" \
                    " 0 " third " " third " " third " 0 " third " " third " " third \
                    " 0 " third " " third " " third, values)
                for (i = 1; i <= n; i++) is(values[i], 1e-6)
            }
        }'
}

# Also said, beside the numbers.
declare -A says=(
    [structure]='never passes the stop'
    [outcomes]='anitescu_potra: does not know restitution'
)

compilers=("gcc -std=c11" "g++ -std=c++17 -x c++")
command -v clang >/dev/null && compilers+=("clang -std=c11")
command -v clang++ >/dev/null && compilers+=("clang++ -std=c++17 -x c++")
failed=0
fail() {
    echo "examples: $1" >&2
    failed=1
}

for source in *.c; do
    example=${source%.c}
    expected "$example" >expected
    [[ -s expected ]] || fail "$source: this test does not know what it prints"
    for compiler in "${compilers[@]}"; do
        # shellcheck disable=SC2046,SC2086
        $compiler -O1 -Wall -Wextra -Wpedantic -Werror "$source" -x none \
            $(pkg-config --cflags --libs carom) -lm -o "$example" 2>log \
            || { fail "$source with $compiler: $(head -n 5 log)"; continue; }
        "./$example" >out 2>log || { fail "$source with $compiler: exit $?: $(<log)"; continue; }
        grep -oE -- '-?\b[0-9]+(\.[0-9]+)?(e[-+][0-9]+)?\b' out >found || true
        paste found expected | awk 'NF != 3 || $1 - $2 > $3 || $2 - $1 > $3 {
            printf "number %d: %s, expected %s within %s\n", NR, $1, $2, $3 }' >wrong
        [[ ! -s wrong ]] || fail "$source with $compiler: $(head -n 1 wrong)"
        grep -q -- "${says[$example]:-.}" out || fail "$source with $compiler: not '${says[$example]}'"
    done
done
exit "$failed"
