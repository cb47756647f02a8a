#!/bin/bash
# Pack the last commit and then the document into build/NAME.tar.gz: files in the order of git, of
# one owner, with the time of the commit, so that the same commit gives the same bytes.
# usage: tools/dist.sh NAME DOCUMENT
set -euo pipefail

name=$1 document=$2
output=build/$name.tar.gz
fail() {
    echo "dist: $1" >&2
    exit 1
}
# A repository around the tree is not ours.
[[ -z $(git rev-parse --show-cdup 2>&1) ]] || fail 'this tree is not a git repository'
[[ -z $(git status --porcelain) ]] || fail 'there are changes that are not committed (git status)'
[[ -s $document ]] || fail "there is no $document"

mkdir -p build
git -c tar.umask=0022 archive --format=tar --prefix="$name/$(dirname "$document")/" \
    --add-file="$document" --prefix="$name/" HEAD | gzip -9n >"$output.tmp"
mv "$output.tmp" "$output"
echo "dist: wrote $output"
