#!/bin/bash
# `tools/dist.sh` packs the same bytes each time, and what it packs needs no git: it knows the date of
# the commit, compiles, and gives the record and the figures that this tree has, byte by byte.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset MAKEFLAGS MFLAGS MAKELEVEL SOURCE_DATE_EPOCH
tree=$PWD
name=carom-$(sed -n 's/^VERSION := //p' Makefile)
fail() {
    echo "dist: $1" >&2
    exit 1
}
build_date() {
    make --eval='build-date: ; @echo $(SOURCE_DATE_EPOCH)' build-date
}

# The tree as it is now, as a commit of an older day, with a document.
mkdir "$scratch/commit"
tar -c --exclude=./{build,data/results,.git} --exclude='./figures/*.'{pdf,svg} . | tar -x -C "$scratch/commit"
cd "$scratch/commit"
git init -q
git add -A
GIT_AUTHOR_DATE='2026-01-02T03:04:05Z' GIT_COMMITTER_DATE='2026-01-02T03:04:05Z' \
    git -c user.name=x -c user.email=x commit -q -m x
git clean -fdXq
echo document >paper/carom.pdf
pack() {
    tools/dist.sh "$name" paper/carom.pdf >"$scratch/log" 2>&1
}
pack || fail "$(<"$scratch/log")"
mv "build/$name.tar.gz" "$scratch/first.tar.gz"
touch README.md paper/carom.pdf
(umask 077 && pack) || fail "$(<"$scratch/log")"
cmp "build/$name.tar.gz" "$scratch/first.tar.gz" || fail 'twice is not the same bytes'
committed=$(build_date)

# What is not committed is not packed in silence.
echo >>README.md
! pack || fail 'a tree with changes was packed'
grep -qx 'dist: there are changes .*' "$scratch/log" || fail "changes: $(<"$scratch/log")"
git checkout -q README.md

# Unpacked, it is what is in the tree and the document, of one owner.
tar -xzf "$scratch/first.tar.gz" -C "$scratch"
cd "$scratch/$name"
diff -r --exclude=.git --exclude=build --exclude=RELEASE "$scratch/commit" . || fail 'files differ'
[[ $(tar -tvzf "$scratch/first.tar.gz" | awk '{ print $2, $4, $5 }' | sort -u) == 'root/root 2026-01-02 03:04' ]] \
    || fail "owners or times differ: $(tar -tvzf "$scratch/first.tar.gz" | awk '{ print $2, $4, $5 }' | sort | uniq -c)"
[[ $(build_date) == "$committed" ]] || fail "its date is $(build_date), that of the commit $committed"
[[ -s RELEASE && $(<RELEASE) == +([0-9]) ]] || fail "RELEASE holds $(<RELEASE)"
! tools/dist.sh "$name" paper/carom.pdf 2>"$scratch/log" || fail 'packed without git'

# With this tree's objects but the driver's: its digest, its record and its figures are the same.
mkdir -p build/obj
(cd "$tree" && tar -c --exclude=build/obj/tests build/obj build/lib build/packages.cflags build/*.libs build/flags) | tar -x
rm -r build/obj/experiments
make -j2 figures/bruls-2014-fig02.pdf >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2; fail 'it does not build'; }
for file in build/digest/bouncing_ball.c data/results/bouncing_ball.h5 figures/bruls-2014-fig02.{pdf,svg}; do
    cmp "$file" "$tree/$file" || fail "$file is not this tree's"
done
[[ $(ls build/obj/experiments/*.o) == build/obj/experiments/bouncing_ball.o ]] || fail 'other programs were compiled'
