#!/bin/bash
# The arches of voussoirs as a linear programme of all forces in all joints, with friction, solved by
# GLPK, against the limits of their lines of thrust; and how the program's options act.
# usage: tests/project/masonry_arch.sh [PROGRAM_FOLDER]
set -uo pipefail

source "$(dirname "$0")/../support.sh"
command -v glpsol >/dev/null || { echo 'masonry_arch: glpsol is not installed: run `make setup`' >&2; exit 1; }

# programme N T MU: is there a balance of N voussoirs of thickness T over the radius? Each joint has a normal
# force at either corner and friction with it; a voussoir weighs 1.
programme() {
    awk -v n="$1" -v t="$2" -v mu="$3" 'BEGIN {
        pi = atan2(0, -1); b = pi/n
        r[0] = 1 - t/2; r[1] = 1 + t/2
        weight = 1
        centre = cos(b/2)*2/3*(r[1]^3 - r[0]^3)/(r[1]^2 - r[0]^2)
        print "Minimize\n any: n0_0\nSubject To"
        for (i = 0; i < n; i++) {
            x = ""; y = ""; m = ""
            for (s = 1; s >= -1; s -= 2) {
                j = s > 0 ? i : i + 1; a = pi - j*b
                for (c = 0; c < 2; c++) {
                    px = r[c]*cos(a); py = r[c]*sin(a)
                    nx = s*sin(a); ny = -s*cos(a); tx = s*cos(a); ty = s*sin(a)
                    x = x sprintf(" %+.17g n%d_%d %+.17g t%d_%d", nx, j, c, tx, j, c)
                    y = y sprintf(" %+.17g n%d_%d %+.17g t%d_%d", ny, j, c, ty, j, c)
                    m = m sprintf(" %+.17g n%d_%d %+.17g t%d_%d", px*ny - py*nx, j, c, px*ty - py*tx, j, c)
                }
            }
            printf " x%d:%s = 0\n y%d:%s = %.17g\n m%d:%s = %.17g\n", i, x, i, y, weight, i, m, \
                weight*centre*cos(pi - (i + 0.5)*b)
        }
        for (j = 0; j <= n; j++) for (c = 0; c < 2; c++)
            printf " u%d_%d: t%d_%d - %.17g n%d_%d <= 0\n l%d_%d: t%d_%d + %.17g n%d_%d >= 0\n", \
                j, c, j, c, mu, j, c, j, c, j, c, mu, j, c
        print "Bounds"
        for (j = 0; j <= n; j++) for (c = 0; c < 2; c++) printf " t%d_%d free\n", j, c
        print "End" }' >"$scratch/arch.lp"
    glpsol --exact --lp "$scratch/arch.lp" --output "$scratch/arch.out" >"$scratch/glpsol" 2>&1 \
        || { fail "glpsol: $(tail -n 1 "$scratch/glpsol")"; return 1; }
    grep -q '^Status: *OPTIMAL' "$scratch/arch.out"
}

# In rational numbers, to which GLPK takes coefficients within 1e-9 of them.
run --most-voussoirs 16 --relative-width 0.1 --step 0.02 --duration 0.02 --falling-time 0.02
part=1e-8
value /voussoirs/voussoir_count /voussoirs/thickness >"$scratch/limits"
(($(wc -l <"$scratch/limits") == 6)) || fail "$(wc -l <"$scratch/limits") arches instead of 6"
while read -r n thickness; do
    scaled() { awk -v t="$thickness" -v by="$1" 'BEGIN { printf "%.17g", t*(1 + by) }'; }
    programme "$n" "$(scaled $part)" 0.7 || fail "by GLPK $n voussoirs fall above their limit $thickness"
    programme "$n" "$(scaled -$part)" 0.7 && fail "by GLPK $n voussoirs stand below their limit $thickness"
done <"$scratch/limits"
# Without enough friction the springings slide, however thick the arch: the thrust is some 0.4 of the weight.
programme 12 0.15 0.45 || fail 'by GLPK an arch slides with friction 0.45'
programme 12 0.15 0.2 && fail 'by GLPK an arch stands with friction 0.2'

# An arch of a millimetre, or under other gravity, is one of a metre: what is not given follows its size. Between
# thicknesses that all halve the same interval no rounding decides.
for size in '' '--radius 1e-3' '--radius 40 --gravity 1.62'; do
    cases=$((cases + 1))
    read -ra words <<<"$size"
    "$bin/$driver" --most-voussoirs 6 --relative-width 1e-3 --quiet --output "$scratch/size.h5" "${words[@]}" \
        && "$bin/carom_columns" "$scratch/size.h5" /voussoirs/falls /voussoirs/stands >"$scratch/limits" || fail "$size"
    [[ -z $size ]] && cp "$scratch/limits" "$scratch/metre"
    cmp -s "$scratch/limits" "$scratch/metre" || fail "$size: $(<"$scratch/limits")"
done

refuse 2 'voussoirs' --voussoirs 7
refuse 2 'step' --step 2
