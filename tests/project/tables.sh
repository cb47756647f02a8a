#!/bin/bash
# Every program ends with its table, at most 80 columns wide, whose columns are what its record has: a
# data set that got another name leaves a column out, which nobody would see.
# usage: tests/project/tables.sh [PROGRAM_FOLDER]
set -uo pipefail

bin=$(realpath "${1:-build/bin}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
fail() {
    echo "tables: $1" >&2
    failures=$((failures + 1))
}
# ends PROGRAM HEADS ARGUMENT...: the heads stand in this order in one line.
ends() {
    local program=$1 heads=$2
    shift 2
    (cd "$scratch" && "$bin/$program" --output r.h5 "$@" >said 2>err) || fail "$program: $(cat "$scratch/err")"
    grep -Eq "^ *${heads// ; / +}( |\$)" "$scratch/said" || fail "$program: no line of $heads in $(cat "$scratch/said")"
    ! grep -q ': column ' "$scratch/err" || fail "$program: $(cat "$scratch/err")"
    awk '!/^[a-z_]*:|^\.\.\./ && length > 80 { exit 1 }' "$scratch/said" || fail "$program: more than 80 columns"
}

schemes='run ; steps ; least gap ; energy lost ; iterations'
sets='samples ; outcomes ; finished'
ends bouncing_ball "$schemes" --duration 0.5
ends bouncing_pendulum "$schemes" --duration 0.2 --scheme moreau-jean
ends rocking_block "$schemes" --duration 0.2
ends elastic_bar "$schemes" --elements 20
for program in block_impact box_wall compass_gait ramone disk_stack impact_problem; do
    ends "$program" "$sets" --samples 64
    grep -Eq '^law +energy +v_n\[0\]' "$scratch/said" || fail "$program: no outcomes by law"
    grep -Eq '^path +stages +energy +v_n\[0\]' "$scratch/said" || fail "$program: no outcomes of paths"
    grep -Eq '^ *contact modes +samples +share' "$scratch/said" || fail "$program: no contact modes"
done
ends newtons_cradle 'outcome ; impacts ; orders ; energy ; v\[0\] ; v\[1\] ; v\[2\]' --speeds 40
ends billiards 'outcome ; impacts ; orders ; energy ; v\[0\] ; v\[1\]' --angles 101 --map-angles 31 --map-ratios 21
ends collisionless "tau ; tau' ; realizable ; least gap ; least force"
ends critical_region "tau ; tau' ; realizable ; least gap ; least force" --draws 200 --searches 20 --motions 20
ends biped_rocking "tau ; tau' ; realizable ; least gap ; least force"
ends collisionless_models "roots ; tau ; tau' ; least gap ; largest force"
ends nonsmooth_modes 'period ; impacts ; energy ; largest multiplier ; admissible ; guesses' \
    --elements 3 --impacts 2 --search 40 --intervals
grep -Eq '^ *least period +largest period +lower end +upper end' "$scratch/said" || fail 'no intervals'
ends serial_oscillator 'motion ; period ; energy ; largest multiplier ; impact speed' \
    --max-period 3 --points 51 --periods 20
ends compliant_block 'sweep ; impacts ; least energy ; largest energy ; longest ; most steps' --ratios 5 --angles 5
ends falling_ball 'step ; gap error ; velocity error ; time error'
ends zeno_block 'step ; angle error ; rate error ; impact time error ; time error' --step 2e-3
ends differential_inclusion 'facets ; mean error ; largest error ; with coarse increments'
ends propagative_impact 'half opening ; indeterminacy ; exact ; longest sequence ; bound ; of the paper' \
    --cases 2000 --cones 500 --directions 200 --map-points 21
ends trex 'pose ; cosine ; half opening ; indeterminacy' --duration 0.25
ends impact_laws 'scene ; Newton ; Anitescu ; sequential ; propagative' --samples 64

(cd "$scratch" && "$bin/zeno_block" --quiet --step 2e-3 --output q.h5 >said 2>&1)
[[ ! -s $scratch/said ]] || fail "it speaks where it was asked to be quiet: $(cat "$scratch/said")"
((failures == 0))
