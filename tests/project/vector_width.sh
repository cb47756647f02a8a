#!/bin/bash
# The functions that are compiled for several processors (CAROM_VECTOR_WIDE) give the same bytes,
# however wide the registers: each source that has some is compiled for one width at a time, and
# the records of a few programs are compared with those of the library. Contraction of products and
# sums, which would change digits, must show.
# takes long
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
programs=(disk_stack ramone nonsmooth_modes)
declare -A options=([disk_stack]='--samples 300' [ramone]='--samples 2000'
    [nonsmooth_modes]='--elements 4 --max-period 5')

# run FOLDER PROGRAM RECORD
run() {
    local own
    read -ra own <<<"${options[$2]}"
    "$1/$2" --quiet "${own[@]}" --output "$3" &>"${3%.h5}.txt"
}

# records NAME OPTION...: records of the programs with these sources compiled so -> $scratch/NAME
records() {
    local folder=$scratch/$1 source program parts
    shift
    mkdir -p "$folder"
    for source in "${sources[@]}"; do
        "${CC:-gcc}" "${flags[@]}" "$@" -DCAROM_VECTOR_WIDE= -Iinclude @build/packages.cflags \
            -c "$source" -o "$folder/${source//\//_}.o"
    done
    for program in "${programs[@]}"; do
        mapfile -t parts < <(find build/obj/experiments -path "*/$program/*.o")
        "${CC:-gcc}" "${flags[@]}" "build/obj/experiments/$program.o" "build/digest/$program.o" \
            "${parts[@]}" "$folder"/*.o build/lib/libcarom.a @build/packages.libs \
            -o "$folder/$program"
        run "$folder" "$program" "$folder/$program.h5"
    done
}

for program in "${programs[@]}"; do
    run build/bin "$program" "$scratch/$program.h5"
done
widths=(x86-64)
grep -qw avx2 /proc/cpuinfo && widths+=(x86-64-v3)
grep -qw avx512vl /proc/cpuinfo && widths+=('x86-64-v4 -mprefer-vector-width=512')
for width in "${widths[@]}"; do
    read -ra processor <<<"-march=$width"
    records "${width// /}" "${processor[@]}"
    for program in "${programs[@]}"; do
        cmp "$scratch/$program.h5" "$scratch/${width// /}/$program.h5" >&2 \
            || fail "$program writes different bytes compiled for $width"
    done
done

grep -qw fma /proc/cpuinfo || exit 0
# Sums in twice the precision, those of vibration modes, do not even mind that.
records contracted -march=x86-64-v3 -ffp-contract=fast
for program in disk_stack ramone; do
    ! cmp -s "$scratch/$program.h5" "$scratch/contracted/$program.h5" || fail \
        "contraction does not show in $program: the comparison sees nothing"
done
