#!/bin/bash
# Install headers, libraries, carom.pc, programs with their manual pages, the examples, the reader for
# Python and the problem files below DESTDIR/PREFIX.
# usage: VERSION=.. SONAME_VERSION=.. PREFIX=.. DESTDIR=.. PROGRAMS='..' tools/install.sh HEADER...
set -euo pipefail

[[ $PREFIX == /* ]] || PREFIX=$PWD/$PREFIX
root=$DESTDIR$PREFIX
declare -A headers
for header in "$@"; do
    headers[${header%/*}]+=" $header"
done
for folder in "${!headers[@]}"; do
    # shellcheck disable=SC2086
    install -D -m 644 -t "$root/include/carom/${folder#src}" ${headers[$folder]}
done
install -d "$root/lib/pkgconfig" "$root/share/carom/examples"
install -m 644 examples/* "$root/share/carom/examples"
install -D -m 644 -t "$root/share/carom/problems" data/examples/*
install -D -m 644 -t "$root/share/carom/python" python/carom_records.py
read -ra programs <<<"$PROGRAMS"
install -D -m 755 -t "$root/bin" "${programs[@]/#/build/bin/}"
pages=("${programs[@]/#/build/man/}")
install -D -m 644 -t "$root/share/man/man1" "${pages[@]/%/.1}"
install -D -m 644 -t "$root/share/man/man7" build/man/carom.7
install -m 644 build/lib/libcarom.a "$root/lib/libcarom.a"
install -m 755 "build/lib/libcarom.so.$SONAME_VERSION" "$root/lib/libcarom.so.$VERSION"
ln -sf "libcarom.so.$VERSION" "$root/lib/libcarom.so.$SONAME_VERSION"
ln -sf "libcarom.so.$SONAME_VERSION" "$root/lib/libcarom.so"
# A blank or a letter with a meaning in the prefix is escaped for pkg-config.
pc=$(<carom.pc.in)
pc=${pc//@PREFIX@/"$(sed 's|[^A-Za-z0-9/._+-]|\\&|g' <<<"$PREFIX")"}
pc=${pc//@VERSION@/"$VERSION"}
printf '%s\n' "${pc//@HDF5@/"$(tools/find_hdf5.sh)"}" >"$root/lib/pkgconfig/carom.pc"
echo "installed carom $VERSION in $root"
