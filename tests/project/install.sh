#!/bin/bash
# What is installed is enough, in any folder: programs run and have manual pages, and a small program
# of a user builds with pkg-config or CMake, against the shared and the static library, and runs.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL
make install PREFIX="$scratch/prefix" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }

# Any folder will do.
odd="$scratch/a & b|c's \\1 d"
make install PREFIX="$odd" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
for file in include/carom/carom.h lib/libcarom.so share/carom/python/carom_records.py; do
    [[ -e $odd/$file ]] || { echo "install: no $file in $odd" >&2; exit 1; }
done

# Programs run from there, on the problem files that are installed too, and each has a page with every
# option of its --help and nothing that a formatter warns of.
(cd "$scratch" && "$odd/bin/impact_problem" --problem "$odd/share/carom/problems/block.txt" \
    --impulse-step 0.3 --samples 16 --quiet --output block.h5 >log 2>&1 && "$odd/bin/carom_columns" block.h5 >log) \
    || { echo "install: impact_problem and carom_columns of $odd fail:" >&2; cat "$scratch/log" >&2; exit 1; }
version=$(sed -n 's/^VERSION := //p' Makefile)
for program in "$odd"/bin/*; do
    name=$(basename "$program")
    [[ $("$program" --version) == "$name (carom) $version" ]] \
        || { echo "install: $program says \"$("$program" --version)\"" >&2; exit 1; }
    page=$odd/share/man/man1/$name.1
    diff <("$program" --help | sed -n 's/^  \(--[a-z0-9-]*\).*/\1/p') \
        <(sed -n 's/\\-/-/g; s/^\\fB\(--[a-z0-9-]*\).*/\1/p' "$page") >"$scratch/log" \
        || { echo "install: options (<) and page (>) of $program differ:" >&2; cat "$scratch/log" >&2; exit 1; }
done
if command -v groff >/dev/null; then
    for page in "$odd"/share/man/man[17]/*; do
        groff -ww -man -Tutf8 -z "$page" >"$scratch/log" 2>&1 && [[ ! -s $scratch/log ]] \
            || { echo "install: $page:" >&2; cat "$scratch/log" >&2; exit 1; }
    done
fi

# DESTDIR stands before the prefix and is not written into anything.
make install PREFIX=/opt/carom DESTDIR="$scratch/stage" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
[[ -e $scratch/stage/opt/carom/include/carom/carom.h ]]
grep -qx 'prefix=/opt/carom' "$scratch/stage/opt/carom/lib/pkgconfig/carom.pc"

# Of the examples, which tests/project/examples.sh runs: the ball with the shared library in the odd
# folder, and in older and newer C++; the experiment, which needs HDF5, with the static library.
cp "$scratch/prefix/share/carom/examples/"{ball,experiment}.c "$scratch"
export PKG_CONFIG_PATH=$scratch/prefix/lib/pkgconfig
cd "$scratch"
expected='height of the centre 0.0300 m'
PKG_CONFIG_PATH="$odd/lib/pkgconfig" eval "gcc ball.c $(PKG_CONFIG_PATH="$odd/lib/pkgconfig" pkg-config --cflags --libs carom) -o ball-odd"
found=$(LD_LIBRARY_PATH=$odd/lib ./ball-odd) && [[ $found == *"$expected" ]] \
    || { echo "install: the library in $odd gives ${found:-nothing}" >&2; exit 1; }
# shellcheck disable=SC2046
gcc -std=c11 -Wall -Wextra -Werror experiment.c $(pkg-config --cflags carom) \
    "$scratch/prefix/lib/libcarom.a" $(pkg-config --static --libs carom | sed 's/-lcarom//') -o experiment
found=$(./experiment) && [[ $found == *' 2.01928  19.8091' ]] \
    || { echo "install: the static library gives ${found:-nothing}" >&2; exit 1; }
# By the lines of docs/install.md for CMake, where there is one.
if command -v cmake >/dev/null; then
    mkdir cmake && cp prefix/share/carom/examples/planar_tree.c cmake
    sed -n 's/^    \(cmake_minimum_required\|project\|find_package\|pkg_check\|add_exec\|target_link\)/\1/p' \
        "$OLDPWD/docs/install.md" >cmake/CMakeLists.txt
    { cmake -S cmake -B cmake/build && cmake --build cmake/build; } >log 2>&1 \
        || { echo "install: CMake fails:" >&2; cat log >&2; exit 1; }
    cmake/build/planar_tree >log || { echo "install: what CMake built fails:" >&2; cat log >&2; exit 1; }
fi
for compiler in g++ clang++; do
    [[ $compiler == g++ ]] || command -v "$compiler" >/dev/null || continue
    for standard in c++11 c++20; do
        # shellcheck disable=SC2046
        "$compiler" -std=$standard -Wall -Wextra -Wpedantic -Werror -x c++ ball.c -x none \
            $(pkg-config --cflags --libs carom) -o ball-cpp
        found=$(LD_LIBRARY_PATH=$scratch/prefix/lib ./ball-cpp) && [[ $found == *"$expected" ]] \
            || { echo "install: $compiler -std=$standard gives ${found:-nothing}" >&2; exit 1; }
    done
done

# The library exports what the installed headers declare, no less and no more.
echo '#include <carom/carom.h>' >all.c
# shellcheck disable=SC2046
gcc -std=c11 -fsyntax-only -aux-info functions $(pkg-config --cflags carom) all.c
# shellcheck disable=SC2046
{
    sed -n 's|^/\* .* \*/ extern .*[ *]\(carom_[a-z0-9_]*\) (.*|\1|p' functions
    gcc -std=c11 -E -P $(pkg-config --cflags carom) all.c | grep -oE 'extern [^;({]*;' \
        | sed -n 's/.*[ *]\(carom_[a-z0-9_]*\)\(\[.*\]\)*;/\1/p'
} | sort -u >declared
nm -D --defined-only "$scratch/prefix/lib/libcarom.so" | sed -n 's/.* \(carom_[a-z0-9_]*\).*/\1/p' \
    | sort -u >exported
[[ -s declared ]] && diff declared exported >differences \
    || { echo "install: declared (<) and exported (>) differ:" >&2; cat differences >&2; exit 1; }
