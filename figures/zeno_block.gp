# A block that rocks to rest: poses of its first half cycle, its motion over time and over s with the
# rates of time and impulses, and the integrator of the inclusion beside the exact solution.
#
# figures: halm-2023-fig07 halm-2023-fig08 halm-2023-inclusion
# records: zeno_block
load 'figures/style.gp'

NAME = 'zeno_block'
W = parameter(NAME, 'width')
H = parameter(NAME, 'height')
RATE = parameter(NAME, 'initial_rate')
T_STAR = number(NAME, '/exact/accumulation_time')
S_STAR = number(NAME, '/exact/accumulation_s')
END_S = S_STAR + parameter(NAME, 'rest')/number(NAME, '/exact/resting_share')
END_T = T_STAR + parameter(NAME, 'rest')

# --- poses --------------------------------------------------------------------------------------

POSES = 4
SCENES = 'start apex before_impact after_impact'
array CAPTIONS[POSES] = ['(a) start', '(b) apex', '(c) before the impact', '(d) after the impact']
pose(i) = panel(1, 1, 1, 1).'; '.\
    margins((i - 1.0)/POSES, 1.0*i/POSES, 0.0, 0.88).\
    '; unset border; unset tics; unset grid; set size ratio -1; '.\
    sprintf('set label 1 CAPTIONS[%d] at screen %.5f,0.94 center; ', i, (i - 0.5)/POSES).\
    sprintf('set label 2 "A" at first %.9g,%.9g center; ', -0.64*W, 0.06*H).\
    sprintf('set label 3 "B" at first %.9g,%.9g center', 0.64*W, 0.06*H)
drawing(name, columns_wanted) = data(NAME, '/drawing/'.name, columns_wanted)

# The fastest corner, at a distance of the diagonal from A, has an arrow of a third of the height.
SCALE = H/(3*RATE*sqrt(W*W + H*H))
AT_REST = 1e-6*RATE*H
component(d, dx, dy) = abs(dx) + abs(dy) > AT_REST ? SCALE*d : 0

# --- curves -------------------------------------------------------------------------------------

ANGLE = "with lines linestyle 2"
TURNING = "with lines linestyle 3"
TIME_RATE = "with lines linestyle 1"
FORCE_A = "with lines linestyle 32"
FORCE_B = "with lines linestyle 33"
set style line 32 linecolor rgb '#009e73' linewidth 0.9 dashtype 1
set style line 33 linecolor rgb '#cc79a7' linewidth 0.9 dashtype 1
TITLE_ANGLE = theta.' / rad'
TITLE_TURNING = dot_theta.' / (rad s^{−1})'
TITLE_TIME_RATE = 'd'.t.'/d'.math('𝑠')
TITLE_FORCE_A = 'impulse at A'
TITLE_FORCE_B = 'impulse at B'
s_label = math('𝑠').' / s'

EXACT = "with lines linestyle 1"
STEPPED = "with points linestyle 23"
TITLE_EXACT = 'exact'
TITLE_STEPPED = 'integrator'
IMPACT_TIME_ERROR = "with linespoints linestyle 2"
TIME_ERROR = "with linespoints linestyle 4"
ANGLE_ERROR = "with linespoints linestyle 3"
RATE_ERROR = "with linespoints linestyle 5"
TITLE_RATE_ERROR = 'error of '.dot_theta.' / (rad s^{−1})'
TITLE_TIME_ERROR = 'error of '.t.' / s'
TITLE_ANGLE_ERROR = 'error of '.theta.' / rad'
TITLE_IMPACT_TIME_ERROR = t.' at first impact'
exact(paths) = data(NAME, '/exact', paths)
errors = data(NAME, '/convergence', 'step impact_time_error time_error angle_error rate_error')

do for [format in FORMATS] {
    # Figure 7: the first half cycle.
    eval figure('halm-2023-fig07', WIDE, 58)
    do for [i=1:POSES] {
        eval pose(i)
        scene = word(SCENES, i)
        plot [-1.15*W:1.15*W] [-0.15*H:1.3*H] \
            drawing('floor', 'x y') using 1:2 @WALL, \
            drawing(scene.'/block', 'x y') using 1:2 @BODY, \
            drawing(scene.'/center', 'x y') using 1:2 with points linestyle 26, \
            drawing(scene.'/corners', 'x y dx dy') \
                using 1:2:(component($3, $3, $4)):(component($4, $3, $4)) @VELOCITY
    }
    set size noratio
    eval FINISH

    # Figure 8: over time, over s, and the rates.
    eval figure('halm-2023-fig08', WIDE, 70)
    eval legend('ANGLE TURNING TIME_RATE FORCE_A FORCE_B')
    eval panel(1, 3, 1, 1)
    set xlabel time_label
    plot [0:END_T] [-1.1*RATE:1.1*RATE] \
        exact('time angle') using 1:2 @ANGLE, \
        exact('time rate') using 1:2 @TURNING
    eval panel(2, 3, 1, 1)
    set xlabel s_label
    plot [0:END_S] [-1.1*RATE:1.1*RATE] \
        exact('s angle') using 1:2 @ANGLE, \
        exact('s rate') using 1:2 @TURNING
    eval panel(3, 3, 1, 1)
    set xlabel s_label
    set ylabel 'rate over '.math('𝑠')
    plot [0:END_S] [-0.05:1.05] \
        exact('s normal_rate_A') using 1:2 @FORCE_A, \
        exact('s normal_rate_B') using 1:2 @FORCE_B, \
        exact('s time_rate') using 1:2 @TIME_RATE
    eval FINISH

    # The integrator: its rate of turn near the accumulation, and its errors.
    eval figure('halm-2023-inclusion', WIDE, 72)
    eval legend('EXACT STEPPED RATE_ERROR TIME_ERROR ANGLE_ERROR IMPACT_TIME_ERROR')
    eval pair(1)
    set xlabel s_label
    set ylabel dot_theta.' / (rad s^{−1})'
    plot [0:END_S] [-1.1*RATE:1.1*RATE] \
        exact('s rate') using 1:2 @EXACT, \
        data_every(NAME, '/inclusion', 's rate', 60) using 1:2 @STEPPED
    eval pair(2)
    set logscale xy
    set format x '10^{%T}'
    set format y '10^{%T}'
    set xlabel 'step d'.math('𝑠').' / s'
    set ylabel 'largest error'
    plot errors using 1:5 @RATE_ERROR, \
         errors using 1:3 @TIME_ERROR, \
         errors using 1:4 @ANGLE_ERROR, \
         errors using 1:2 @IMPACT_TIME_ERROR
    eval FINISH
}
