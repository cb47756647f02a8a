# The block on two stiff, damped corners: where it ends for different ratios of the stiffnesses and
# for different angles, over the sampled and the exact set of rigid outcomes; and the same speeds
# over both parameters.
#
# figures: halm-2023-fig12 halm-2023-compliant
# records: compliant_block block_impact
load 'figures/style.gp'

NAME = 'compliant_block'
REBOUND = number(NAME, '/exact/largest_rebound')
EXPONENT = parameter(NAME, 'largest_exponent')
ANGLE = parameter(NAME, 'largest_angle')

RIGID = "with lines linestyle 31"
TITLE_RIGID = 'rigid, exact set'
TITLE_SAMPLED_ENDS = 'rigid, sampled'
OUTCOMES = "with points linestyle 32"
TITLE_OUTCOMES = 'compliant'
set style line 31 linecolor rgb '#bfe6d6' linewidth 6.0 dashtype 1 pt 7 ps 0.4
set style line 32 linecolor rgb '#000000' linewidth 0.8 dashtype 1 pt 6 ps 0.55

# Columns parameter, normal A, normal B.
stiffness = data(NAME, '/stiffness_sweep', 'exponent normal_velocity[:,0] normal_velocity[:,1]')
angle = data(NAME, '/angle_sweep', 'angle normal_velocity[:,0] normal_velocity[:,1]')
exact = data(NAME, '/exact/set', 'x y')

set palette defined (0 "#0072b2", 1 "#56b4e9", 2 "#303030", 3 "#e69f00", 4 "#d55e00")
scale(largest) = sprintf('set cbrange [%.9g:%.9g]; set cbtics (%.9g, 0, %.9g) scale 0.5; ', \
                         -largest, largest, -largest, largest).\
    'set colorbox horizontal user origin graph 0.42,0.8 size graph 0.5,0.04'

CORNER_A = "with linespoints linestyle 2"
CORNER_B = "with linespoints linestyle 3"
LIMIT = "with lines linestyle 1"
TITLE_CORNER_A = 'corner A'
TITLE_CORNER_B = 'corner B'
TITLE_LIMIT = 'largest rigid outcome'

do for [format in FORMATS] {
    # Figure 12: outcomes in the plane of both normal velocities.
    eval figure('halm-2023-fig12', WIDE, 78)
    eval legend('RIGID SAMPLED_ENDS OUTCOMES')
    do for [i=1:2] {
        eval pair(i)
        eval scale(i == 1 ? EXPONENT : ANGLE)
        set xlabel 'A: normal velocity / (m s^{−1})'
        set ylabel 'B: normal velocity / (m s^{−1})'
        set cblabel (i == 1 ? 'log_{10}('.sub(math('𝑘'), 'A').'/'.sub(math('𝑘'), 'B').')' \
                            : sub(theta, '0').' / deg') offset 0,0.6
        plot [-0.08*REBOUND:1.12*REBOUND] [-0.08*REBOUND:1.12*REBOUND] \
            exact using 1:2 @RIGID, \
            within('block_impact', 'points', 'normal_AB') using 1:2 @SAMPLED_ENDS, \
            (i == 1 ? stiffness : angle) using 2:3:1 with points pt 6 ps 0.55 lw 1.2 lc palette z
    }
    unset colorbox
    eval FINISH

    # The same over the parameters.
    eval figure('halm-2023-compliant', WIDE, 66)
    eval legend('CORNER_A CORNER_B LIMIT')
    do for [i=1:2] {
        eval pair(i)
        set xlabel (i == 1 ? 'log_{10}('.sub(math('𝑘'), 'A').'/'.sub(math('𝑘'), 'B').')' \
                           : sub(theta, '0').' / deg')
        set ylabel 'normal velocity / (m s^{−1})'
        LARGEST = i == 1 ? EXPONENT : ANGLE
        plot [-LARGEST:LARGEST] [-0.05*REBOUND:1.12*REBOUND] \
            (i == 1 ? stiffness : angle) using 1:2 @CORNER_A, \
            (i == 1 ? stiffness : angle) using 1:3 @CORNER_B, \
            (i == 1 ? stiffness : angle) using 1:(REBOUND) @LIMIT
    }
    eval FINISH
}
