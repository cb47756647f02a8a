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
    for model in "${models[@]}"; do reads "${1//\/M/\/$model}" 1 "${1//\/M/$model}"; done
}

# Table A.8 to its ten decimals: model, n, tau, tau', largest force over the static one.
check_table() {
    while read -r model n time constrained force; do
        reads "/$model/motion/column" "$n" "$model: n"
        near "/$model/motion/impact_time" "$time" 6e-11 "$model: tau"
        near "/$model/motion/constrained_time" "$constrained" 6e-11 "$model: tau'"
        near "/$model/motion/largest_force_ratio" "$force" 6e-11 "$model: force"
        reads "/$model/motion/is_realizable" 1 "$model: realizable"
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
reads 'min(root_count) == 24 & max(root_count) == 24 in /subdivision' 1 'eight columns, three rows'
reads 'sum(first_cell_count) == 6 in /subdivision' 1 'beta_1 of both wheels in three rows, nothing else'
near /hopper/motion/period 10.1060647417 6e-11 'period of the hopper'
near /hopper/motion/largest_gap 7.8493515635 6e-11 'gap of the hopper'
near /hopper/motion/impact_velocity -6.3546405967 6e-11 'landing speed'
near /juggler/motion/largest_gap 15.6987031270 6e-11 'gap of the juggler'
# The motion begins at P: at the apex of flights that are even, half way between spokes.
near '/hopper/motion/gap[0]' 7.8493515635 6e-11 'gap of the hopper at P'
near '/pendulum_wheel/motion/gap[0]' 1 1e-14 'gap of the wheel at P'
near '/rocking/motion/position[0,0]' 4.803468996 6e-10 'pendulum of rocking at P'
# Errors of the series are those of the first terms left out, to the next term of relative size 1/n.
near '(alpha_error / alpha_next)[-1] in /series/powers' 1 0.01 'error of the series of alpha'
near '(phase_error / phase_next)[-1] in /series/powers' 1 0.02 "error of the series of o'_1"
for model in reaction_wheel rocking; do
    for name in root phase; do
        close "$(awk -v a="$(value "/series/$model/${name}_error[2]")" \
            -v b="$(value "/series/$model/${name}_next[2]")" 'BEGIN { print a/b }')" 1 1e-4 \
            "first term left out for $model, $name"
    done
done
# Ten steps of 2 l eps = 2 m; ten periods of two steps on the biped's feet.
for model in reaction_wheel pendulum_wheel; do
    near "/$model/simulation/distance" 20 1e-10 "distance of the $model"
    reads "/$model/simulation/exchanges" 10 "steps of the $model"
    near "/$model/simulation/cost_of_transport" 0 1e-13 "cost of the $model"
done
reads /rocking/simulation/exchanges 20 'steps of the biped'
reads /hopper/simulation/cost_of_transport nan 'cost of motion in place'
# Feet of figure 1 on the ground: both of the biped at P', and of the wheel.
near '/drawing/rocking/y[1,2]' 0 1e-15 'foot of the biped'
near '/drawing/pendulum_wheel/y[1,2]' 0 1e-15 'foot of the wheel'
# Its spokes close the circle.
near '/drawing/pendulum_wheel/y[0,-1]' 2 1e-14 'topmost spoke'

run --root 2 --periods 1
check_table <<'TABLE'
hopper 3 5.4625779603 1.7518552707 6.5533555597
reaction_wheel 2 4.9689149276 0.5419219742 2
rocking 3 5.9439458917 0.8716118765 2
TABLE
near /hopper/motion/largest_gap 17.1307873882 6e-11 'gap of the hopper, n = 3'

# Other parameters: alpha_2 of tan y = y over the frequencies, and steps of 2 l eps.
run --hopper-upper-mass 1.7 --hopper-lower-mass 0.6 --hopper-spring-stiffness 2.3 --gravity 9.81 \
    --reaction-wheel-spoke-length 0.8 --reaction-wheel-half-angle 0.3 --periods 3
read -r time constrained < <(awk 'BEGIN { a = 4.493409457909064; pi = atan2(0, -1)
    w = sqrt(2.3*(1/1.7 + 1/0.6)); c = sqrt(2.3/1.7)
    printf "%.17g %.17g\n", a/w, (pi - atan2(a*c/w, 1))/c }')
near '/hopper/roots/time[0]' "$time" 1e-13 'tau of another hopper'
near '/hopper/roots/general_constrained_time[0]' "$constrained" 1e-13 "its tau'"
near /reaction_wheel/simulation/distance 1.44 1e-10 'three steps of another wheel'
# As in the published rows: nothing is lost, the motions return, both solvers agree.
holds '/M/simulation/lost_share - /M/simulation/allowed_loss < 1e-13'
holds '/M/simulation/return_distance[0] < /M/simulation/tolerated_distance'
holds 'max(/M/roots/difference) < 4 / 2^52'
reads 'first_cell_count[0] + first_cell_count[1] + first_cell_count[4] in /subdivision' 0 'first cells'

# Row 1 pulls at the ground: no motion of a mechanism that cannot pull.
run --row 1 --periods 1
holds '/M/motion/is_realizable == 0'
holds '/M/simulation/return_distance[0] > /M/simulation/tolerated_distance'

# Motions of later roots are so unstable that rounding decides what a simulation loses and where it
# ends: the record says so.
run --root 3
reads /rocking/simulation/decided_periods 0 'periods of rocking that show a loss at root 3'
reads /hopper/simulation/decided_periods 10 'periods of hopping that show a loss at root 3'

refuse 2 columns --columns 65
refuse 2 root --root 9
refuse 2 root --columns 2 --root 3
refuse 2 row --row 65
refuse 2 samples --samples 1
refuse 2 periods --periods 65
refuse 2 'drawn-angle' --drawn-angle 1
refuse 2 'reaction-wheel-wheel-inertia = 0.9 kg m2, accepted at least' --reaction-wheel-wheel-inertia 0.9
refuse 2 'half spoke angle' --pendulum-wheel-half-angle 1.6
refuse 2 'half leg angle' --rocking-half-angle 1.6
refuse 2 hopper --hopper-lower-mass 1e-300
refuse 2 drawing --drawn-pendulum-length 1e9
