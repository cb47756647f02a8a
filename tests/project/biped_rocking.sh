#!/bin/bash
# The exact biped as the program writes it: published gaits of the branch (reference table A.6), one
# gait, and what is said of amplitudes that no gait has.
# usage: tests/project/biped_rocking.sh [PROGRAM_FOLDER]
set -uo pipefail

source "$(dirname "$0")/../support.sh"

# theta, tau, tau', arm at P, largest force on the landing foot, least force on one foot.
while read -r theta time constrained arm landing single; do
    run --nonlinear --amplitude "$theta"
    near /nonlinear/impact_time "$time" 1e-10 "tau at $theta"
    near /nonlinear/constrained_time "$constrained" 1e-10 "tau' at $theta"
    near /nonlinear/case_1/arm_at_P "$arm" 5e-9 "arm at $theta"
    near /nonlinear/arm_at_P "$arm" 5e-9 "arm of the branch at $theta"
    near /nonlinear/case_1/harmonic_energy \
        "$(awk -v theta="$theta" 'BEGIN { printf "%.17g", 52.481137629*theta^2 }')" 1e-11 \
        "harmonic energy at $theta"
    near /nonlinear/case_1/max_landing_force "$landing" 5e-5 "landing force at $theta"
    near /nonlinear/case_1/min_single_support "$single" 5e-5 "force on one foot at $theta"
done <<'TABLE'
0.01 3.0894719039 0.7759122616 0.11066407 0.5016 0.9968
0.05 3.4195276577 0.6875785539 0.63247068 0.5510 0.9186
0.1 6.4123521149 0.1931621307 2.42912269 1.0005 0.7664
TABLE

# Everything: coefficients of reference table A.6, four digits; all points realizable.
run
near /nonlinear/impact_time_slope 98.93 5e-3 'slope of tau'
near /nonlinear/constrained_time_slope -18.905 5e-4 "slope of tau'"
reads 'min(/nonlinear/realizable)' 1 'the branch'
for gait in exact harmonic; do
    reads "rows(deviation) == half_cycles & sum(energy_lost) + sum(abs(correction)) < 5e-14 * half_cycles * excess_energy in /simulation/$gait" \
        1 "the simulated $gait gait"
done
near 'max(/simulation/harmonic/deviation)' 0 1e-6 'the harmonic gait repeats'
reads 'min(realizable) == 1 & rows(realizable) == 10 in /chain' 1 'chains with an arm'
reads 'max(armless_roots) == 0 & max(armless_constrained_eigenvalue) < 0 in /chain' 1 'chains without'
# Each half cycle sets one foot down, whether or not rounding lifts it again for some 1e-4 s.
near 'sum(/simulation/exact/landings)' 200 0 'landings of the exact gait'
near 'sum(/simulation/harmonic/landings)' 20 0 'landings of the harmonic gait'
near /simulation/amplitude 0.05 0 'simulated amplitude'
near /simulation/weight 5 1e-15 'weight'

# Two unit links upside down, the second on a hip that is held: lambda' = -2 -+ sqrt 2.
near '/chain/armless_constrained_eigenvalue[0]' -0.5857864376269049 1e-13 'no arm'
near '/chain/constrained_spectrum[0,1]' 1.4142135623730951 1e-13 'with an arm'

# Only as far as asked; no gait beyond the end of the family.
run --nonlinear --max-amplitude 0.03
near 'max(/nonlinear/amplitude)' 0.03 1e-15 'largest amplitude'
near /nonlinear/case_count 1 0 'gaits up to 0.03'
"$bin/biped_rocking" --output "$scratch/none.h5" --nonlinear --amplitude 0.3 >/dev/null \
    2>"$scratch/stderr" && fail 'a gait at 0.3'
grep -q 'followed up to = 0.109' "$scratch/stderr" || fail "no gait: $(cat "$scratch/stderr")"
[[ ! -e $scratch/none.h5 ]] || fail 'a record without a gait'

# A biped of its own: the harmonic gait, its roots and its checks; neither branch nor simulations. The
# same in other units of time: gravity 9.81 2^80.
own=(--lengths=0.824,0.541,1.137,0.743 --masses=1.587,0.543,1.028,0.851,0.507 --column=3 --row=1)
run "${own[@]}" --gravity 9.81
for absent in /nonlinear /chain /simulation; do
    h5ls "$scratch/record.h5$absent" >/dev/null 2>&1 && fail "$absent of a biped that is not the paper's"
done
time=$(value /unit/impact_time)
values=$(value 'rows(/roots/residual)')
run "${own[@]}" --gravity 1.1859562290419513e+25
near_relative '/unit/impact_time * 2^40' "$time" 1e-9 'another unit of time'
reads 'rows(/roots/residual)' "$values" 'roots in another unit of time'
# Numbers that leave their range are refused, and nothing hangs.
for gravity in 1e-308 1e-200 1e155 1e308; do
    timeout 60 "$bin/biped_rocking" --output "$scratch/none.h5" --gravity $gravity >/dev/null 2>"$scratch/stderr"
    status=$?
    ((status == 1 || status == 2)) || fail "gravity $gravity: exit $status"
    [[ $(wc -l <"$scratch/stderr") == 1 && ! -e $scratch/none.h5 ]] || fail "gravity $gravity is not refused in one sentence"
done
