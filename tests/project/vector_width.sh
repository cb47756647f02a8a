#!/bin/bash
# The functions that are compiled for several processors (CAROM_VECTOR_WIDE) give the same bytes,
# however wide the registers: each source that has some is compiled for one width at a time, and
# the records of a few programs are compared with those of the library. Contraction of products and
# sums, which would change digits, must show.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "vector_width: $1" >&2
    exit 1
}

mapfile -t sources < <(grep -l '^CAROM_VECTOR_WIDE' -r src --include='*.c' | sort)
((${#sources[@]} > 0)) || fail "no source has CAROM_VECTOR_WIDE"
read -ra flags <build/flags
programs=(disk_stack ramone)
declare -A samples=([disk_stack]=300 [ramone]=2000)

# records NAME OPTION...: records of the programs with these sources compiled so -> $scratch/NAME
records() {
    local folder=$scratch/$1 source program
    shift
    mkdir -p "$folder"
    for source in "${sources[@]}"; do
        "${CC:-gcc}" "${flags[@]}" "$@" -DCAROM_VECTOR_WIDE= -Iinclude @build/packages.cflags \
            -c "$source" -o "$folder/${source//\//_}.o"
    done
    for program in "${programs[@]}"; do
        "${CC:-gcc}" "${flags[@]}" "build/obj/experiments/$program.o" "build/digest/$program.o" \
            "$folder"/*.o build/lib/libcarom.a @build/packages.libs -o "$folder/$program"
        "$folder/$program" --quiet --samples "${samples[$program]}" \
            --output "$folder/$program.h5" &>"$folder/$program.txt"
    done
}

for program in "${programs[@]}"; do
    "build/bin/$program" --quiet --samples "${samples[$program]}" --output "$scratch/$program.h5" \
        &>"$scratch/$program.txt"
done
widths=(default)
grep -qw avx2 /proc/cpuinfo && widths+=(-mavx2)
grep -qw avx512f /proc/cpuinfo && widths+=("-mavx512f -mprefer-vector-width=512")
for width in "${widths[@]}"; do
    read -ra options <<<"${width#default}"
    records "width${width// /}" "${options[@]}"
    for program in "${programs[@]}"; do
        cmp "$scratch/$program.h5" "$scratch/width${width// /}/$program.h5" >&2 \
            || fail "$program writes different bytes compiled with ${width}"
    done
done

grep -qw fma /proc/cpuinfo || exit 0
records contracted -mfma -ffp-contract=fast
for program in "${programs[@]}"; do
    ! cmp -s "$scratch/$program.h5" "$scratch/contracted/$program.h5" || fail \
        "contraction does not show in $program: the comparison sees nothing"
done
