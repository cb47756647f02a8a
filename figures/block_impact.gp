# A block that falls flat on two corners: poses with velocities before the impact and after each
# law, the impact in the planes of contact velocities beside the exact set of outcomes, and what
# becomes of samples for other steps and sizes.
#
# figures: halm-2023-fig01 halm-2023-fig09 halm-2023-convergence
# records: block_impact
load 'figures/style.gp'

NAME = 'block_impact'
W = parameter(NAME, 'width')
H = parameter(NAME, 'height')
SPEED = abs(parameter(NAME, 'initial_velocity'))

# --- poses --------------------------------------------------------------------------------------

# Six pictures in a row: what is drawn in each, and what it shows.
POSES = 6
SCENES = 'before simultaneous_0 A_first_0 A_first_1 B_first_0 B_first_1'
array CAPTIONS[POSES] = ['(a) before', '(b) simultaneous', '(c) after A', 'after A and B', \
                         '(d) after B', 'after B and A']
pose(i) = panel(1, 1, 1, 1).'; '.\
    margins((i - 1.0)/POSES, 1.0*i/POSES, 0.0, 0.88).\
    '; unset border; unset tics; unset grid; set size ratio -1; '.\
    sprintf('set label 1 CAPTIONS[%d] at screen %.5f,0.94 center; ', i, (i - 0.5)/POSES).\
    sprintf('set label 2 "A" at first %.9g,%.9g center; ', -0.36*W, 0.05*H).\
    sprintf('set label 3 "B" at first %.9g,%.9g center', 0.36*W, 0.05*H)
drawing(name, columns_wanted) = data(NAME, '/drawing/'.name, columns_wanted)

# Arrows are so long that the speed before the impact is a quarter of the height; a point at rest has
# none.
SCALE = SPEED > 0 ? H/(4*SPEED) : 0
AT_REST = 1e-6*SPEED
component(d, dx, dy) = abs(dx) + abs(dy) > AT_REST ? SCALE*d : 0

# --- planes of contact velocities ---------------------------------------------------------------

# A sequence from before the impact through its stages: columns normal A, normal B, tangential A.
of(group, row) = ' '.(group.'/normal_velocity['.row.'0]').' '.(group.'/normal_velocity['.row.'1]').\
    ' '.(group.'/tangential_velocity['.row.'0]')
BEFORE = data(NAME, '/', of('/before', ''))
from_before(group) = joined(BEFORE, data(NAME, '/', of(group, ':,')))

EXACT = "with lines linestyle 31"
TITLE_EXACT = 'exact set'
set style line 31 linecolor rgb '#7fd3b5' linewidth 5.0 dashtype 1 pt 7 ps 0.4

# --- other steps and sizes ----------------------------------------------------------------------

LARGEST_UNIFORM = "with linespoints linestyle 2"
MEAN_UNIFORM = "with linespoints linestyle 7"
LARGEST_CORNERS = "with linespoints linestyle 3"
MEAN_CORNERS = "with linespoints linestyle 6"
LIMIT = "with lines linestyle 1"
TITLE_LARGEST_UNIFORM = 'uniform caps, largest'
TITLE_MEAN_UNIFORM = 'uniform caps, mean'
TITLE_LARGEST_CORNERS = 'corners, largest'
TITLE_MEAN_CORNERS = 'corners, mean'
TITLE_LIMIT = 'exact set'
reach(kind) = data(NAME, '/convergence', 'impulse_step '.kind.'/largest_rebound '.\
                   kind.'/mean_rebound')
REBOUND = number(NAME, '/exact/largest_rebound')
nets = data(NAME, '/nets', 'size observed bound')

do for [format in FORMATS] {
    # Figure 1: velocities of points of the block.
    eval figure('halm-2023-fig01', WIDE, 50)
    do for [i=1:POSES] {
        eval pose(i)
        plot [-1.05*W:1.05*W] [-0.3*H:1.15*H] \
            drawing('floor', 'x y') using 1:2 @WALL, \
            drawing('block', 'x y') using 1:2 @BODY, \
            drawing(word(SCENES, i), 'x y dx dy') \
                using 1:2:(component($3, $3, $4)):(component($4, $3, $4)) @VELOCITY
    }
    set size noratio
    eval FINISH

    # Figure 9: normal velocities of both corners; normal and tangential velocity of A.
    eval figure('halm-2023-fig09', WIDE, 78)
    eval legend('SAMPLED_PATHS SAMPLED_ENDS EXACT SIMULTANEOUS FIRST_A FIRST_B')
    eval pair(1)
    set xlabel 'A: normal velocity / (m s^{−1})'
    set ylabel 'B: normal velocity / (m s^{−1})'
    plot [-1.1*SPEED:0.35*SPEED] [-1.1*SPEED:0.35*SPEED] \
        within(NAME, 'paths', 'normal_AB') using 1:2 @SAMPLED_PATHS, \
        data(NAME, '/exact/set', 'x y') using 1:2 @EXACT, \
        within(NAME, 'points', 'normal_AB') using 1:2 @SAMPLED_ENDS, \
        from_before('/simultaneous') using 1:2 @SIMULTANEOUS, \
        from_before('/sequential/A_first') using 1:2 @FIRST_A, \
        from_before('/sequential/B_first') using 1:2 @FIRST_B
    eval pair(2)
    set xlabel 'A: normal velocity / (m s^{−1})'
    set ylabel 'A: tangential velocity / (m s^{−1})'
    plot [-1.1*SPEED:0.35*SPEED] [-0.3*SPEED:0.3*SPEED] \
        within(NAME, 'paths', 'contact_A') using 1:2 @SAMPLED_PATHS, \
        data(NAME, '/exact/set', 'x') using 1:(0) @EXACT, \
        within(NAME, 'points', 'contact_A') using 1:2 @SAMPLED_ENDS, \
        from_before('/simultaneous') using 1:3 @SIMULTANEOUS, \
        from_before('/sequential/A_first') using 1:3 @FIRST_A, \
        from_before('/sequential/B_first') using 1:3 @FIRST_B
    eval FINISH

    # Speeds of outcomes for smaller and smaller steps; how often a sample is no net.
    eval figure('halm-2023-convergence', WIDE, 72)
    eval legend('LARGEST_UNIFORM MEAN_UNIFORM LARGEST_CORNERS MEAN_CORNERS LIMIT')
    eval pair(1)
    set logscale xy
    set xlabel 'step '.h.' / (N s)'
    set ylabel 'normal velocity / (m s^{−1})'
    set format x '10^{%T}'
    plot reach('uniform') using 1:2 @LARGEST_UNIFORM, \
         reach('uniform') using 1:3 @MEAN_UNIFORM, \
         reach('corners') using 1:2 @LARGEST_CORNERS, \
         reach('corners') using 1:3 @MEAN_CORNERS, \
         reach('uniform') using 1:(REBOUND) @LIMIT
    eval pair(2)
    set xlabel 'increments drawn'
    set ylabel 'share of samples that are no net'
    set key @KEY_INSIDE
    plot [0:330] [0:1.05] nets using 1:3 title 'bound of Lemma 1' @LIMIT, \
         nets using 1:2 title 'observed' @PUBLISHED
    eval FINISH
}
