#!/bin/bash
# carom beside other programs on the same problems (tests/bench/peers), as far as they are installed.
# usage: CC=gcc CXX=g++ tools/bench_peers.sh FLAGS OBJECT...
set -euo pipefail

flags=$1
shift
sources=tests/bench/peers
build=build/bench/peers
mkdir -p "$build"
objects=() libraries=() defines=()

# Compile a file of Siconos'.
compile_siconos() {
    # shellcheck disable=SC2086
    ${CXX:-g++} -x c++ -std=c++17 -isystem /usr/include/siconos/kernel -isystem /usr/include/siconos/numerics \
        -isystem /usr/include/siconos -Iinclude -c "$sources/$1.cpp" -O2 -o "$build/$1.o" 2>>"$build/siconos.log"
}

: >"$build/siconos.log"
if compile_siconos siconos && compile_siconos siconos_contact; then
    defines+=(-DHAVE_SICONOS)
    objects+=("$build/siconos.o" "$build/siconos_contact.o")
    libraries+=(-lsiconos_kernel -lsiconos_numerics -lstdc++)
else
    echo 'Siconos is not installed (Debian: apt-get install g++ libsiconos-kernel-dev); see build/bench/peers/siconos.log'
fi
if pkg-config --exists ode; then
    defines+=(-DHAVE_ODE)
    # shellcheck disable=SC2046,SC2086
    $CC $flags $(pkg-config --cflags ode) -Iinclude @build/packages.cflags -c "$sources/ode.c" -o "$build/ode.o"
    objects+=("$build/ode.o")
    # shellcheck disable=SC2207
    libraries+=($(pkg-config --libs ode))
else
    echo 'ODE is not installed (Debian: apt-get install libode-dev)'
fi
((${#defines[@]} > 0)) || exit 0

for name in own peers contacts discs; do
    # shellcheck disable=SC2086
    $CC $flags "${defines[@]}" -Iinclude @build/packages.cflags -c "$sources/$name.c" -o "$build/$name.o"
    objects+=("$build/$name.o")
done
# shellcheck disable=SC2086
$CC $flags "${objects[@]}" "$@" build/lib/libcarom.a "${libraries[@]}" @build/packages.libs -o "$build/peers"
OMP_NUM_THREADS=1 "$build/peers"
