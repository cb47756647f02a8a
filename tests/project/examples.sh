#!/bin/bash
# The programs of examples/ build against an installed library, in C and in C++, with every compiler
# that is there, and print what the closed forms say.
set -euo pipefail

readme=$PWD/README.md
# The linker of the build, in half the time of the usual one, by which the tutorial links them.
read -r linker _ <build/packages.libs
[[ $linker == -fuse-ld=* ]] || linker=
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
            } else if (example == "arm") {
                # The hand slows down by 2 L W^2 cos, friction brakes by mu g; drives are late by a step.
                cosine = 0.3 * 9.81 / (2 * 0.8 * 1.5^2)
                speed = 2 * 0.8 * 1.5 * sqrt(1 - cosine^2)
                is(2 * 0.8 * cosine + 0.05 + 0.2 + speed^2 / (2 * 0.3 * 9.81), 5e-4 + 1e-4 * speed)
            } else if (example == "mechanism") {
                # It strikes with 5 rad/s, and turns by 5e-4 rad in a step.
                is(arccos(1 - 0.6^2 * (1 - cos(1.2))), 5e-4 + 5e-5)
            } else if (example == "outcomes") {
                third = 1 / 3
                n = split("1 " (-third) " " 2 * third " " 2 * third " 1 0 0 1 1" \
                    " 0 " third " " third " " third " 0 " third " " third " " third \
                    " 0 " third " " third " " third, values)
                for (i = 1; i <= n; i++) is(values[i], 1e-6)
            } else if (example == "reflections") {
                # Each single impact turns round the speeds against the centre of mass of its pair.
                n = split("2 2 " sqrt((2 * 0.75^2 + 3 * 0.5^2) / 2) \
                    " -0.5 -0.25 1.25 -1.25 0.25 0.5", values)
                for (i = 1; i <= n; i++) is(values[i], i <= 2 ? 0 : 1e-6)
            } else if (example == "gait") {
                # Of flight tan y = y, y = sqrt(2) tau; then of stance tan(tau2) = -y / sqrt(2).
                is(4, 0)
                for (row = 1; row < 3; row++)
                    for (column = 1; column < 3; column++) {
                        y = (column + 0.5) * pi
                        for (i = 0; i < 60; i++) y = column * pi + atan2(y, 1)
                        is(sqrt(2) * y, 5e-7)
                        is(2 * (row * pi - atan2(y, sqrt(2))), 5e-7)
                    }
            } else if (example == "sweep") {
                is(8, 0)
            } else if (example == "read_record") {
                # The scheme strikes up to a step late, h (1 + e) speeds of impact higher or lower.
                for (i = 2; i < 10; i++) {
                    is(i / 10, 1e-12)
                    is((i / 10)^2 * 0.801, (1 + i / 10) * 1e-4 * 4.003 + 5e-5)
                }
                is(0.2^2 * 0.801, 1.2 * 1e-4 * 4.003 + 5e-5)
                is(0.801, 1.9 * 1e-4 * 4.003 / 0.9^2 + 5e-4)
            } else if (example == "experiment") {
                is(sqrt(2 * 20 / 9.81), 5e-6)
                is(sqrt(2 * 20 * 9.81), 5e-5)
            }
        }'
}

# Also said, beside the numbers.
declare -A says=(
    [gait]='no others'
    [read_record]='First rebounds of a ball'
    [structure]='never passes the stop'
    [outcomes]='anitescu_potra: does not know restitution'
)

compilers=("gcc -std=c11" "g++ -std=c++17 -x c++")
command -v clang >/dev/null && compilers+=("clang -std=c11")
command -v clang++ >/dev/null && compilers+=("clang++ -std=c++17 -x c++")
read -r -a library <<<"$(pkg-config --cflags --libs carom)"
# read_record reads what sweep writes.
sources=$(printf '%s\n' *.c | grep -vx read_record.c)' read_record.c'

# Everything with one compiler, in a folder of its own: prints what is wrong.
try() {
    local compiler=$1 examples=$PWD source example member use found status=0 parallel=-fopenmp
    cd "$(mktemp -d -p "$scratch")"
    # A compiler without OpenMP runs the sweep one by one.
    ${compiler%% *} -fopenmp -x c - -o empty <<<'int main(void) { return 0; }' 2>log \
        || parallel=-Wno-unknown-pragmas
    for source in $sources; do
        example=${source%.c}
        expected "$example" >expected
        [[ -s expected ]] || echo "this test does not know what $source prints"
        $compiler -O1 -Wall -Wextra -Wpedantic -Werror $parallel $linker "$examples/$source" -x none \
            "${library[@]}" -lm -o "$example" 2>log \
            || { echo "$source: $(head -n 5 log)"; continue; }
        "./$example" >out 2>log || { echo "$source: exit $?, $(<log)"; continue; }
        grep -oP '(?<![^ ])-?[0-9]+(\.[0-9]+)?(e[-+][0-9]+)?\b' out >found || true
        paste found expected | awk -v source="$source" 'NF != 3 || $1 - $2 > $3 || $2 - $1 > $3 {
            printf "%s: number %d is %s, expected %s within %s\n", source, NR, $1, $2, $3 }'
        grep -q -- "${says[$example]:-.}" out || echo "$source: not '${says[$example]}'"
    done

    # A failure is a sentence and exit 1.
    ./read_record none.h5 >out 2>&1 || status=$?
    [[ $status == 1 ]] && grep -qx 'none.h5: .*' out || echo "read_record none.h5: exit $status, $(<out)"
    mv sweep.h5 kept && mkdir sweep.h5 && status=0
    ./sweep >out 2>&1 || status=$?
    [[ $status == 1 ]] && grep -q 'cannot be read or written' out || echo "sweep: exit $status, $(<out)"

    # The program refuses what is out of range, in a sentence, with exit 2.
    status=0
    ./experiment --height -1 >out 2>&1 || status=$?
    [[ $status == 2 ]] && grep -q height out || echo "experiment --height -1: exit $status, $(<out)"

    # A member of a type that an option or a field cannot have is refused by the compiler.
    while IFS='|' read -r status member use; do
        printf '#include <carom/carom.h>\ntypedef struct row { %s it[2]; } row;\nconst %s;\n' \
            "$member" "$use" >member.c
        found=taken
        $compiler -fsyntax-only member.c "${library[@]}" 2>log || found=refused
        [[ $found == "$status" ]] || echo "$use of $member is $found: $(head -n 3 log)"
    done <<'END'
taken|double|carom_option O = CAROM_REAL("it", row, it[1], "1", "a number", "any")
refused|int|carom_option O = CAROM_REAL("it", row, it[1], "1", "a number", "any")
taken|int|carom_field F = CAROM_FIELD("it", row, it[1], "1", "a number")
refused|float|carom_field F = CAROM_FIELD("it", row, it[1], "1", "a number")
END
}

for i in "${!compilers[@]}"; do
    try "${compilers[i]}" >"$scratch/wrong-$i" 2>&1 &
    jobs[i]=$!
done
failed=0
# What the README shows of an example stands there.
sed -n '/^```c$/,/^```$/ { /^```/ !p; }' "$readme" >shown
: >missing
if [[ ! -s shown ]] || grep -vxFf planar_tree.c shown >missing; then
    echo "examples: the README does not show planar_tree.c as it is: $(head -n 1 missing)" >&2
    failed=1
fi
for i in "${!compilers[@]}"; do
    wait "${jobs[i]}" || echo "exit $?" >>"$scratch/wrong-$i"
    [[ ! -s $scratch/wrong-$i ]] && continue
    sed "s/^/examples: ${compilers[i]}: /" "$scratch/wrong-$i" >&2
    failed=1
done
exit "$failed"
