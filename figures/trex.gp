# The tailed biped: the robot and its running direction, its coordinates, the stances of table I, the
# indeterminacy of two gaits, and the robot at some instants of a run.
#
# figures: seghete-2014-fig01 seghete-2014-fig06 seghete-2014-fig07 seghete-2014-fig08
# figures: seghete-2014-trex-stances seghete-2014-trex-run seghete-2014-trex-variants
# records: trex
load 'figures/style.gp'

NAME = 'trex'
gamma_ = math('𝛾')
phi_ = math('𝜑')
xi = math('𝜉')

# --- drawings -----------------------------------------------------------------------------------

set style line 61 linecolor rgb '#303030' linewidth 1.1 dashtype 1      pt 7 ps 0.5
set style line 62 linecolor rgb '#0072b2' linewidth 2.2 dashtype 1      pt 7 ps 0.5
set style line 63 linecolor rgb '#9fb8cc' linewidth 2.2 dashtype 1      pt 7 ps 0.5
set style line 64 linecolor rgb '#606060' linewidth 0.7 dashtype (5,4)  pt 7 ps 0.5
set style line 65 linecolor rgb '#c8431b' linewidth 0.9 dashtype 1      pt 7 ps 0.5
set style line 66 linecolor rgb '#808080' linewidth 1.2 dashtype 1      pt 7 ps 0.5
set style line 68 linecolor rgb '#0072b2' linewidth 0.9 dashtype (3,3)  pt 7 ps 0.5
set style line 67 linecolor rgb '#c8431b' linewidth 2.2 dashtype 1      pt 7 ps 0.5
BODY_FILL = "with filledcurves closed fillcolor rgb '#e6e2da' fillstyle solid 1.0 border linecolor rgb '#303030' linewidth 1.1"
TAIL_FILL = "with filledcurves closed fillcolor rgb '#cfc8ba' fillstyle solid 1.0 border linecolor rgb '#303030' linewidth 1.1"
RIGHT_LEG = "with linespoints linestyle 62"
LEFT_LEG = "with linespoints linestyle 63"
REFERENCE_LINE = "with lines linestyle 64"
MARK = "with lines linestyle 65"
FLOOR = "with lines linestyle 66"
BLANK = 'unset border; unset tics; unset grid; set size ratio -1'
GRID = 'set grid linetype 1 linewidth 0.35 linecolor rgb "#d8d8d8"'

drawing(path) = data(NAME, '/'.path, 'x y')
place(path, i, letter) = number(NAME, sprintf('/%s/%s[%d]', path, letter, i))
# Points of /schematic/joints.
HIPS = 0; BODY_JOINT = 1; TAIL_TIP = 2; LEFT_KNEE = 3; LEFT_FOOT = 4; RIGHT_KNEE = 5; RIGHT_FOOT = 6
joint(i, letter) = place('schematic/joints', i, letter)

# A label at (dx, dy) cm from point i of a drawing.
beside(text, path, i, dx, dy) = sprintf("set label '%s' at first %.9g,%.9g center front; ", text, \
    place(path, i, 'x') + dx, place(path, i, 'y') + dy)
# A label beside the middle of the line from joint i to joint k.
along(text, i, k, dx, dy) = sprintf("set label '%s' at first %.9g,%.9g center front; ", text, \
    0.5*(joint(i, 'x') + joint(k, 'x')) + dx, 0.5*(joint(i, 'y') + joint(k, 'y')) + dy)
# The head at the end of an arc.
head(path, line) = sprintf('set arrow from first %.9g,%.9g to first %.9g,%.9g filled head '.\
    'size first 0.9,20 front linestyle %d; ', place(path, -2, 'x'), place(path, -2, 'y'), \
    place(path, -1, 'x'), place(path, -1, 'y'), line)
span(x_1, y_1, x_2, y_2) = sprintf('set arrow from first %.9g,%.9g to first %.9g,%.9g filled '.\
    'heads size first 0.7,20 front linestyle 64; ', x_1, y_1, x_2, y_2)
radius(body, angle) = sprintf('set arrow from first %.9g,%.9g to first %.9g,%.9g filled '.\
    'head size first 0.7,20 front linestyle 64; ', joint(body, 'x'), joint(body, 'y'), \
    joint(body, 'x') + R_(body)*cos(angle), joint(body, 'y') + R_(body)*sin(angle))
R_(body) = number(NAME, body == HIPS ? '/table/optimized/anterior_radius' : \
    '/table/optimized/posterior_radius')

# The left leg behind the body, the right one before it.
ROBOT = "drawing(POSE.'/left_leg') using (DX + $1):2 @LEFT_LEG, ".\
    "drawing(POSE.'/tail') using (DX + $1):2 @TAIL_FILL, ".\
    "drawing(POSE.'/posterior') using (DX + $1):2 @BODY_FILL, ".\
    "drawing(POSE.'/anterior') using (DX + $1):2 @BODY_FILL, ".\
    "drawing(POSE.'/right_leg') using (DX + $1):2 @RIGHT_LEG"
HIDDEN = "with lines linestyle 68"
DX = 0

# --- curves -------------------------------------------------------------------------------------

OPTIMIZED = "with lines linestyle 2"
INITIAL = "with lines linestyle 3"
INITIAL_AHEAD = "with lines linestyle 6"
RESIDUAL = "with lines linestyle 4"
TITLE_OPTIMIZED = 'optimized, root'
TITLE_INITIAL = 'initial, foot at −'.x
TITLE_INITIAL_AHEAD = 'initial, foot at +'.x
TITLE_RESIDUAL = 'optimized, table I'
CURVES = 'OPTIMIZED RESIDUAL INITIAL INITIAL_AHEAD'
curve(group, i, what) = data(NAME, group.'/'.word('optimized published_residual initial '.\
    'initial_ahead', i), 'time '.what)
style(i) = word('2 4 3 6', i) + 0
# Equal momenta have no place on a logarithmic axis: they are drawn at the rounding of a number.
ROUNDING = 2.0**-52
drawn(time, value) = time < IMPACT ? NaN : value > ROUNDING ? value : ROUNDING
LOGARITHMIC = "set logscale y; set format y '10^{%T}'"
xi_label = 'indeterminacy '.xi.' / 1'
energy_label = xi.'_E / (kg^{−1/2} cm^{−1} s)'
IMPACT = number(NAME, '/trex/optimized/impact_time')
POSES = 7
APART = 46  # cm between poses
RUN_GROUP = '/trex/optimized_most'
strip(i, part) = drawing(sprintf('strip/pose_%d/%s', i, part))
DURATION = parameter(NAME, 'duration')

do for [format in FORMATS] {
    # Figure 1: the robot and the direction it runs in.
    POSE = 'schematic'
    eval figure('seghete-2014-fig01', NARROW, 58)
    eval margins(0, 1, 0, 1)
    eval BLANK
    RUN = number(NAME, '/trex/optimized/distance_most') < 0 ? -1 : 1
    set arrow 50 from first (RUN < 0 ? -11 : 18),18 to first (RUN < 0 ? -21 : 28),18 filled head \
        size first 2.2,20 front linestyle 67
    set label 50 'runs' at first (RUN < 0 ? -16 : 23),20.5 center front
    eval head('schematic/angle_torque', 65)
    plot [-26:37] [-3:32] 0 @FLOOR, @ROBOT, drawing('schematic/angle_torque') using 1:2 @MARK
    set size noratio
    eval FINISH
    unset arrow
    unset label

    # Figure 6: coordinates and lengths.
    eval figure('seghete-2014-fig06', WIDE, 92)
    eval margins(0, 1, 0, 1)
    eval BLANK
    do for [k in 'pitch left_hip right_hip left_knee right_knee body_joint'] {
        eval head('schematic/angle_'.k, 65)
    }
    eval beside(theta, 'schematic/angle_pitch', 16, 1.4, 0)
    eval beside(sub(phi_, 'L'), 'schematic/angle_left_hip', 24, -0.9, 1.0)
    eval beside(sub(phi_, 'R'), 'schematic/angle_right_hip', 16, 0.6, -1.4)
    eval beside(sub(gamma_, 'L'), 'schematic/angle_left_knee', 16, -1.0, 1.2)
    eval beside(sub(gamma_, 'R'), 'schematic/angle_right_knee', 16, -0.3, -1.4)
    eval beside(sub(phi_, 'T'), 'schematic/angle_body_joint', 0, 1.9, 0.7)
    eval along(sub(ell, 'u'), HIPS, RIGHT_KNEE, -1.4, 0.6)
    eval along(sub(ell, 'l'), RIGHT_KNEE, RIGHT_FOOT, -1.0, 1.0)
    eval along(sub(L, 'tail'), BODY_JOINT, TAIL_TIP, -2.6, -2.8)
    eval radius(HIPS, 1.3)
    eval radius(BODY_JOINT, 1.1)
    eval beside(sub(math('𝑟'), '1'), 'schematic/joints', HIPS, 2.7, 5.0)
    eval beside(sub(math('𝑟'), '2'), 'schematic/joints', BODY_JOINT, 2.0, 2.1)
    X0 = -16
    eval span(X0, 0, X0, joint(HIPS, 'y'))
    set label y at first X0 - 1.2,0.5*joint(HIPS, 'y') center
    eval span(X0, -1.6, joint(HIPS, 'x'), -1.6)
    set label x at first 0.5*X0,-3.1 center
    plot [-31:45] [-4.5:32] 0 @FLOOR, @ROBOT, \
        drawing('schematic/left_leg') using 1:2 @HIDDEN, \
        drawing('schematic/joints') using 1:2 every ::1::2 @REFERENCE_LINE, \
        for [k in 'pitch left_hip right_hip left_knee right_knee body_joint'] \
            drawing('schematic/reference_'.k) using 1:2 @REFERENCE_LINE, \
        for [k in 'pitch left_hip right_hip left_knee right_knee body_joint'] \
            drawing('schematic/angle_'.k) using 1:2 @MARK, \
        '+' using (X0 + ($0 == 0 ? 0 : joint(HIPS, 'x') - X0)):(joint(HIPS, 'y')) every ::0::1 \
            @REFERENCE_LINE
    set size noratio
    eval FINISH
    unset arrow

    # Figure 7: table I.
    eval figure('seghete-2014-fig07', WIDE, 66)
    do for [k=1:2] {
        POSE = 'drawing/table_'.word('optimized initial', k)
        eval panel(1, 1, 1, 1)
        eval margins(0.5*(k - 1), 0.5*k, 0, 0.94)
        eval BLANK
        set label word('optimized hand-picked', k) at screen 0.5*k - 0.25,0.96 center
        plot [-17:38] [-2:32] 0 @FLOOR, @ROBOT
    }
    set size noratio
    eval FINISH

    # The stances that are dropped.
    eval figure('seghete-2014-trex-stances', WIDE, 48)
    do for [k=1:3] {
        POSE = 'drawing/'.word('optimized initial initial_ahead', k)
        eval panel(1, 1, 1, 1)
        eval margins((k - 1)/3.0, k/3.0, 0, 0.92)
        eval BLANK
        set label (k == 1 ? 'optimized' : k == 2 ? TITLE_INITIAL : TITLE_INITIAL_AHEAD) \
            at screen (k - 0.5)/3.0,0.95 center
        plot [-19:33] [-2:33] 0 @FLOOR, @ROBOT
    }
    set size noratio
    eval FINISH
    eval GRID

    # Figure 8: momenta of the two orders, over |p| as in section VII-A and over the kinetic energy as
    # its caption says.
    eval figure('seghete-2014-fig08', WIDE, 72)
    eval legend(CURVES)
    do for [k=1:2] {
        eval pair(k)
        @LOGARITHMIC
        set xlabel time_label
        set ylabel (k == 1 ? xi_label : energy_label) offset 0.6,0
        plot [IMPACT - 0.02:DURATION] [1e-16:1e1] for [i=1:4] \
            curve('/trex', i, k == 1 ? 'indeterminacy' : 'indeterminacy_by_energy') \
            using 1:(drawn($1, $2)) with lines linestyle style(i)
    }
    eval FINISH

    # The same without friction, with half the step, with stiffer springs.
    eval figure('seghete-2014-trex-variants', WIDE, 66)
    eval legend(CURVES)
    do for [k=1:3] {
        eval panel(k, 3, 1, 1)
        @LOGARITHMIC
        set xtics 0.1
        set xlabel time_label
        set ylabel xi_label offset 0.6,0
        plot [IMPACT - 0.02:DURATION] [1e-16:1e1] for [i=1:4] \
            curve(word('/frictionless /half_step /stiff', k), i, 'indeterminacy') \
            using 1:(drawn($1, $2)) with lines linestyle style(i)
    }
    eval FINISH

    # The optimized gait: some instants, to scale; heights of the tips; energies.
    eval figure('seghete-2014-trex-run', WIDE, 94)
    eval panel(1, 1, 1, 1)
    eval margins(0, 1, 0.5, 0.97)
    eval BLANK
    set label 1 '(a)' at screen 0.02,0.97
    do for [i=0:POSES - 1] {
        set label sprintf('%.3f s', number(NAME, sprintf('/strip/time[%d]', i))) \
            at first i*APART + 4,-8 center
    }
    plot [-20:(POSES - 1)*APART + 32] [-12:42] 0 @FLOOR, \
        for [i=0:POSES - 1] strip(i, 'left_leg') using ($1 + i*APART):2 @LEFT_LEG, \
        for [i=0:POSES - 1] strip(i, 'tail') using ($1 + i*APART):2 @TAIL_FILL, \
        for [i=0:POSES - 1] strip(i, 'posterior') using ($1 + i*APART):2 @BODY_FILL, \
        for [i=0:POSES - 1] strip(i, 'anterior') using ($1 + i*APART):2 @BODY_FILL, \
        for [i=0:POSES - 1] strip(i, 'right_leg') using ($1 + i*APART):2 @RIGHT_LEG
    set size noratio
    eval GRID
    eval panel(1, 2, 2, 2)
    set label 1 '(b)'
    set key @KEY_INSIDE top center
    set xlabel time_label
    set ylabel 'height of the tip / cm'
    plot [0:DURATION] [-0.5:18] \
        data(NAME, RUN_GROUP, 'time gap[:,1]') using 1:2 with lines linestyle 2 title 'right foot', \
        data(NAME, RUN_GROUP, 'time gap[:,2]') using 1:2 with lines linestyle 3 title 'tail'

    eval panel(2, 2, 2, 2)
    set label 1 '(c)'
    set key @KEY_INSIDE top right
    set xlabel time_label
    set ylabel 'energy / J'
    plot [0:DURATION] [0:12] for [i=1:3] \
        data(NAME, RUN_GROUP, 'time '.word('energy kinetic_energy potential_energy', i)) \
        using 1:($2*1e-4) with lines linestyle word('1 2 3', i) + 0 \
        title word('total kinetic potential', i)
    eval FINISH
}
