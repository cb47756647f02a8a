#!/bin/bash
# Figures of a record of one's own: curves that it does not have are left out, what is missing is
# named; where nothing may be missing, as in the published figures, it is still a failure.
# usage: tests/project/figure_record.sh [PROGRAM_FOLDER]
set -euo pipefail

bin=${1:-build/bin}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
    echo "figure_record: $1" >&2
    exit 1
}
# drawn EXPERIMENT FIGURES ARGUMENT...: a record with these options gives these figures and no others.
drawn() {
    local experiment=$1 figures=$2 figure
    shift 2
    rm -f "$scratch"/*
    "$bin/$experiment" --quiet --output "$scratch/my.h5" "$@"
    RECORD=$scratch/my.h5 EXPERIMENT=$experiment tools/draw_record.sh >"$scratch/said" 2>&1 \
        || fail "$experiment $*: $(cat "$scratch/said")"
    for figure in $figures; do
        [[ -s $scratch/my-$figure.pdf && -s $scratch/my-$figure.svg ]] \
            || fail "$experiment $*: no $figure: $(cat "$scratch/said")"
    done
    [[ $(find "$scratch" -name '*.svg' | wc -l) == $(wc -w <<<"$figures") ]] \
        || fail "$experiment $*: other figures than $figures"
}
# said WORDS: of the last record.
said() {
    grep -qF -- "$1" "$scratch/said" || fail "it does not say \"$1\" but: $(cat "$scratch/said")"
}

drawn rocking_block 'bruls-2014-fig20 bruls-2014-fig21 bruls-2014-fig22 bruls-2014-fig23 bruls-2014-fig24' \
    --scheme nonsmooth-galpha --duration 0.2
said 'without /moreau_jean/time'
drawn elastic_bar 'bruls-2014-fig17 bruls-2014-fig18 bruls-2014-fig19' --scheme moreau-jean --elements 20
said 'without /nonsmooth_galpha/time'
drawn bouncing_ball 'bruls-2014-fig02 bruls-2014-fig03 bruls-2014-fig04 bruls-2014-fig05 bruls-2014-fig06
    bruls-2014-fig07' --scheme moreau-jean --duration 0.5
drawn impact_problem halm-2023-problem --problem data/examples/block.txt --samples 256
said '/set/paths/contact_end/x'
# What a sweep kept, over one parameter and over two.
ball=("$(realpath "$bin")/bouncing_ball" --scheme moreau-jean --duration 0.5)
for over in 'step=1e-3:1e-2:x10/2' 'restitution=0:1:0.5'; do
    overs+=(--over "$over")
    rm -f "$scratch"/*
    "$bin/sweep" --quiet --output "$scratch/my.h5" "${overs[@]}" --keep 'end=/moreau_jean/gap[-1,0]' \
        --keep 'gap=/moreau_jean/gap[-3:,0]' -- "${ball[@]}"
    RECORD=$scratch/my.h5 tools/draw_record.sh >"$scratch/said" 2>&1 || fail "a sweep over $over: $(cat "$scratch/said")"
    [[ -s $scratch/my-end.pdf && -s $scratch/my-end.svg ]] || fail "a sweep over $over draws no end"
done
[[ ! -e $scratch/my-gap.pdf ]] || fail 'a series over two parameters is drawn'
said 'gap stands over step restitution: drawn is what stands over one or two parameters'
drawn nonsmooth_modes thorin-2017-energies --masses 1,2,1 --stiffnesses 5,5,5 --impacts 2 --search 500
said 'without /branch/period'
drawn newtons_cradle 'seghete-2014-fig02 seghete-2014-cradle' --balls 4
drawn collisionless collisionless-roots --spectrum 1,4,9 --constrained-spectrum 2,6
said '/simulation/solution'

# What is drawn of the published records is read without that leave.
"$bin/carom_columns" "$scratch/my.h5" /roots/time /absent >/dev/null 2>&1 && fail 'a missing data set is no failure'
[[ $("$bin/carom_columns" --allow-missing "$scratch/my.h5" /roots/time /absent 2>/dev/null) == $'nan\tnan' ]] \
    || fail 'a missing data set is not a row of NaN'
! grep -q allow-missing tools/render_figures.sh || fail 'published figures allow what is missing'
! RECORD=$scratch/my.h5 EXPERIMENT=nothing tools/draw_record.sh 2>"$scratch/said" || fail 'an experiment that is none'
said 'there is no experiment nothing'
