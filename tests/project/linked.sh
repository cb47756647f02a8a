#!/bin/bash
# What the library and the programs load: of BLAS and LAPACK the reference that comes with GSL alone.
# Others choose their kernels by the processor and share work between threads, which changes digits.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

for file in build/lib/libcarom.so build/bin/*; do
    [[ $file == *.tmp ]] && continue
    ldd "$file" | awk -v file="$file" '{ print file, $1 }'
done >"$scratch/loaded"
awk '{
    if ($2 ~ /^libgslcblas\.so/) { has_reference[$1] = 1; next }
    if (tolower($2) ~ /blas|lapack|atlas|mkl|blis/) { print "linked: " $1 " loads " $2; status = 1 }
}
END {
    library = "build/lib/libcarom.so"
    if (!has_reference[library]) { print "linked: " library " loads no libgslcblas"; status = 1 }
    exit status
}' "$scratch/loaded" >&2
