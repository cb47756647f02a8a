#!/bin/bash
# The experiment of two degrees of freedom: its record of the unit models against the specification's
# table (A.8), other parameters against closed forms written here, statements that must not hold with
# other settings, and every refusal of its own.
# usage: tests/project/collisionless_models.sh [PROGRAM_FOLDER]
set -uo pipefail

source "$(dirname "$0")/../support.sh"
models=(hopper juggler reaction_wheel pendulum_wheel rocking)
# holds EXPRESSION: a statement about each of the models, which it calls /M
holds() {
    for model in "${models[@]}"; do is "$(value "${1//\/M/\/$model}")" 1 "${1//\/M/$model}"; done
}

# Table A.8 to its ten decimals: model, n, tau, tau', largest force over the static one.
check_table() {
    while read -r model n time constrained force; do
        is "$(value "/$model/motion/column")" "$n" "$model: n"
        close "$(value "/$model/motion/impact_time")" "$time" 6e-11 "$model: tau"
        close "$(value "/$model/motion/constrained_time")" "$constrained" 6e-11 "$model: tau'"
        close "$(value "/$model/motion/largest_force_ratio")" "$force" 6e-11 "$model: force"
        is "$(value "/$model/motion/is_realizable")" 1 "$model: realizable"
    done
}
run
check_table <<'TABLE'
hopper 2 3.1773202983 1.8757120725 4.3309704709
juggler 2 4.4934094579 2.6526574521 4.3309704709
reaction_wheel 1 2.3199872833 0.4921138220 2
pendulum_wheel 1 1.9887371532 0.8629029622 2
rocking 2 3.3018658083 0.8719938807 2
TABLE
is "$(value 'min(root_count) == 24 & max(root_count) == 24 in /subdivision')" 1 'eight columns, three rows'
is "$(value 'sum(first_cell_count) == 6 in /subdivision')" 1 'beta_1 of both wheels in three rows, nothing else'
close "$(value /hopper/motion/period)" 10.1060647417 6e-11 'period of the hopper'
close "$(value /hopper/motion/largest_gap)" 7.8493515635 6e-11 'gap of the hopper'
close "$(value /hopper/motion/impact_velocity)" -6.3546405967 6e-11 'landing speed'
close "$(value /juggler/motion/largest_gap)" 15.6987031270 6e-11 'gap of the juggler'
# The motion begins at P: at the apex of flights that are even, half way between spokes.
close "$(value '/hopper/motion/gap[0]')" 7.8493515635 6e-11 'gap of the hopper at P'
close "$(value '/pendulum_wheel/motion/gap[0]')" 1 1e-14 'gap of the wheel at P'
close "$(value '/rocking/motion/position[0,0]')" 4.803468996 6e-10 'pendulum of rocking at P'
# Errors of the series are those of the first terms left out, to the next term of relative size 1/n.
close "$(value '(alpha_error / alpha_next)[-1] in /series/powers')" 1 0.01 'error of the series of alpha'
close "$(value '(phase_error / phase_next)[-1] in /series/powers')" 1 0.02 "error of the series of o'_1"
for model in reaction_wheel rocking; do
    for name in root phase; do
        close "$(awk -v a="$(value "/series/$model/${name}_error[2]")" \
            -v b="$(value "/series/$model/${name}_next[2]")" 'BEGIN { print a/b }')" 1 1e-4 \
            "first term left out for $model, $name"
    done
done
# Ten steps of 2 l eps = 2 m; ten periods of two steps on the biped's feet.
for model in reaction_wheel pendulum_wheel; do
    close "$(value "/$model/simulation/distance")" 20 1e-10 "distance of the $model"
    is "$(value "/$model/simulation/exchanges")" 10 "steps of the $model"
    close "$(value "/$model/simulation/cost_of_transport")" 0 1e-13 "cost of the $model"
done
is "$(value /rocking/simulation/exchanges)" 20 'steps of the biped'
is "$(value /hopper/simulation/cost_of_transport)" nan 'cost of motion in place'
# Feet of figure 1 on the ground: both of the biped at P', and of the wheel.
close "$(value '/drawing/rocking/y[1,2]')" 0 1e-15 'foot of the biped'
close "$(value '/drawing/pendulum_wheel/y[1,2]')" 0 1e-15 'foot of the wheel'
# Its spokes close the circle.
close "$(value '/drawing/pendulum_wheel/y[0,-1]')" 2 1e-14 'topmost spoke'

run --root 2 --periods 1
check_table <<'TABLE'
hopper 3 5.4625779603 1.7518552707 6.5533555597
reaction_wheel 2 4.9689149276 0.5419219742 2
rocking 3 5.9439458917 0.8716118765 2
TABLE
close "$(value /hopper/motion/largest_gap)" 17.1307873882 6e-11 'gap of the hopper, n = 3'

# Other parameters: alpha_2 of tan y = y over the frequencies, and steps of 2 l eps.
run --hopper-upper-mass 1.7 --hopper-lower-mass 0.6 --hopper-spring-stiffness 2.3 --gravity 9.81 \
    --reaction-wheel-spoke-length 0.8 --reaction-wheel-half-angle 0.3 --periods 3
read -r time constrained < <(awk 'BEGIN { a = 4.493409457909064; pi = atan2(0, -1)
    w = sqrt(2.3*(1/1.7 + 1/0.6)); c = sqrt(2.3/1.7)
    printf "%.17g %.17g\n", a/w, (pi - atan2(a*c/w, 1))/c }')
close "$(value '/hopper/roots/time[0]')" "$time" 1e-13 'tau of another hopper'
close "$(value '/hopper/roots/general_constrained_time[0]')" "$constrained" 1e-13 "its tau'"
close "$(value /reaction_wheel/simulation/distance)" 1.44 1e-10 'three steps of another wheel'
# As in the published rows: nothing is lost, the motions return, both solvers agree.
holds '/M/simulation/lost_share - /M/simulation/allowed_loss < 1e-13'
holds '/M/simulation/return_distance[0] < /M/simulation/tolerated_distance'
holds 'max(/M/roots/difference) < 4 / 2^52'
is "$(value 'first_cell_count[0] + first_cell_count[1] + first_cell_count[4] in /subdivision')" 0 'first cells'

# Row 1 pulls at the ground: no motion of a mechanism that cannot pull.
run --row 1 --periods 1
holds '/M/motion/is_realizable == 0'
holds '/M/simulation/return_distance[0] > /M/simulation/tolerated_distance'

# Motions of later roots are so unstable that rounding decides what a simulation loses and where it
# ends: the record says so.
run --root 3
is "$(value /rocking/simulation/decided_periods)" 0 'periods of rocking that show a loss at root 3'
is "$(value /hopper/simulation/decided_periods)" 10 'periods of hopping that show a loss at root 3'

# refuse WORD ARGUMENT...: exit 2, one sentence that holds the word, no file.
refuse() {
    local word=$1 status=0
    shift
    cases=$((cases + 1))
    rm -f "$scratch/record.h5"
    "$bin/collisionless_models" --output "$scratch/record.h5" "$@" >"$scratch/stdout" \
        2>"$scratch/stderr" || status=$?
    is "$status" 2 "exit status of $*"
    is "$(wc -l <"$scratch/stderr")" 1 "lines on stderr of $*"
    grep -q -- "$word" "$scratch/stderr" || fail "$*: no '$word' in $(cat "$scratch/stderr")"
    [[ ! -e $scratch/record.h5 ]] || fail "$* leaves a record"
}
refuse columns --columns 65
refuse root --root 9
refuse root --columns 2 --root 3
refuse row --row 65
refuse samples --samples 1
refuse periods --periods 65
refuse 'drawn-angle' --drawn-angle 1
refuse 'reaction-wheel-wheel-inertia = 0.9 kg m2, accepted at least' --reaction-wheel-wheel-inertia 0.9
refuse 'half spoke angle' --pendulum-wheel-half-angle 1.6
refuse 'half leg angle' --rocking-half-angle 1.6
refuse hopper --hopper-lower-mass 1e-300
refuse drawing --drawn-pendulum-length 1e9

echo "collisionless_models: $cases cases, $failures failures"
((failures == 0))
