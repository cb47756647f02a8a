#!/bin/bash
# The installed library is enough: a small program of a user builds with pkg-config, against the
# shared and the static library, and runs.
# alone
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL
make install PREFIX="$scratch/prefix" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }

# Any folder will do.
odd="$scratch/a & b|c's \\1 d"
make install PREFIX="$odd" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
[[ -e $odd/include/carom/carom.h && -e $odd/lib/libcarom.so ]] || { echo "install: nothing in $odd" >&2; exit 1; }

# DESTDIR stands before the prefix and is not written into anything.
make install PREFIX=/opt/carom DESTDIR="$scratch/stage" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; exit 1; }
[[ -e $scratch/stage/opt/carom/include/carom/carom.h ]]
grep -qx 'prefix=/opt/carom' "$scratch/stage/opt/carom/lib/pkgconfig/carom.pc"

cat >"$scratch/drop.c" <<'END'
#include <carom/carom.h>
#include <stdio.h>

int main(void) {
    const carom_bouncing_ball_params ball = carom_bouncing_ball_params_default();
    const carom_stepper_params scheme = carom_stepper_params_default(CAROM_SCHEME_NONSMOOTH_GALPHA);
    carom_model *model = NULL;
    carom_trajectory *motion = NULL;
    carom_status status = carom_bouncing_ball_alloc(&ball, &model, NULL);
    if (status == CAROM_OK) {
        status = carom_trajectory_run(&model->mechanism, &scheme, model->initial_position,
                                      model->initial_velocity, 4.0, NULL, NULL, &motion, NULL);
    }
    printf("%s: %.6f\n", carom_status_sentence(status), status ? 0.0 : motion->position[motion->row_count - 1]);
    carom_trajectory_free(motion);
    carom_model_free(model);
    /* The part that needs HDF5 is linked too. */
    carom_reader *reader = NULL;
    return status != CAROM_OK || carom_reader_open("no-such-record.h5", &reader) != CAROM_STATUS_IO;
}
END
export PKG_CONFIG_PATH=$scratch/prefix/lib/pkgconfig
cd "$scratch"
# The ball has come to rest on the floor: its centre is one radius above it.
expected='success: 0.200000'
# shellcheck disable=SC2046
gcc -std=c11 -Wall -Wextra -Werror drop.c $(pkg-config --cflags --libs carom) -o drop-shared
PKG_CONFIG_PATH="$odd/lib/pkgconfig" eval "gcc drop.c $(PKG_CONFIG_PATH="$odd/lib/pkgconfig" pkg-config --cflags --libs carom) -o drop-odd"
found=$(LD_LIBRARY_PATH=$odd/lib ./drop-odd) && [[ $found == "$expected" ]] \
    || { echo "install: the library in $odd gives ${found:-nothing}" >&2; exit 1; }
found=$(LD_LIBRARY_PATH=$scratch/prefix/lib ./drop-shared) && [[ $found == "$expected" ]] \
    || { echo "install: the shared library gives ${found:-nothing}" >&2; exit 1; }
# shellcheck disable=SC2046
gcc -std=c11 -Wall -Wextra -Werror drop.c $(pkg-config --cflags carom) \
    "$scratch/prefix/lib/libcarom.a" $(pkg-config --static --libs carom | sed 's/-lcarom//') -o drop-static
found=$(./drop-static) && [[ $found == "$expected" ]] \
    || { echo "install: the static library gives ${found:-nothing}" >&2; exit 1; }

# C++ programs link, in every compiler that is there. The exact ball is at rest on the floor as well.
cat >"$scratch/drop.cpp" <<'CPP'
#include <carom/carom.h>
#include <cstdio>

int main() {
    carom_bouncing_ball_params ball = carom_bouncing_ball_params_default();
    carom_model *model = nullptr;
    const carom_status status = carom_bouncing_ball_alloc(&ball, &model, nullptr);
    CAROM_ASSERT(model != nullptr);
    double position = 0.0, velocity = 0.0;
    carom_bouncing_ball_exact_state(&ball, 4.0, &position, &velocity);
    std::printf("%s: %.6f\n", carom_status_sentence(status), position);
    carom_model_free(model);
}
CPP
for compiler in g++ clang++; do
    [[ $compiler == g++ ]] || command -v "$compiler" >/dev/null || continue
    for standard in c++11 c++20; do
        # shellcheck disable=SC2046
        "$compiler" -std=$standard -Wall -Wextra -Wpedantic -Werror drop.cpp \
            $(pkg-config --cflags --libs carom) -o drop-cpp
        found=$(LD_LIBRARY_PATH=$scratch/prefix/lib ./drop-cpp) && [[ $found == "$expected" ]] \
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
