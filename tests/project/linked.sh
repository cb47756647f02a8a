#!/bin/bash
# What the library and the programs load and contain: of BLAS the reference that comes with GSL, and of
# LAPACK, with its own BLAS, the reference inside them under local names alone. Others choose their
# kernels by the processor and share work between threads, which changes digits.
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

# Names of Fortran, with an underscore at the end: the letter before them is small where they are local.
for file in build/lib/libcarom.a build/lib/libcarom.so build/bin/nonsmooth_modes; do
    nm "$file" | awk -v file="$file" '
        $NF !~ /^[a-z][a-z0-9]*_$/ { next }
        $(NF - 1) ~ /[a-z]/ { is_local[$NF] = 1; next }
        { print "linked: " $NF " of " file " is not its own"; status = 1 }
        END {
            n = split("dsyevd_ dgehd2_ dlahqr_ dgemm_", needed, " ")
            for (i = 1; i <= n; i++)
                if (!is_local[needed[i]]) { print "linked: " file " has no " needed[i]; status = 1 }
            exit status
        }' >&2
done
