# A running robot puts its leading foot down: its pose with velocities before the impact, the impact
# in the planes of contact velocities, and how many solutions the simultaneous law has beside that
# pose.
#
# figures: halm-2023-fig13 halm-2023-window
# records: ramone
load 'figures/style.gp'

NAME = 'ramone'
SOLUTIONS = int(number(NAME, '/simultaneous/count'))

# --- pose ---------------------------------------------------------------------------------------

LEG = parameter(NAME, 'thigh_length') + parameter(NAME, 'shank_length')
drawing(name) = data(NAME, '/drawing/'.name, 'x y')
arrows(name) = data(NAME, '/drawing/before_'.name, 'x y dx dy')
LINKS = 'trunk leading_thigh leading_shank trailing_thigh trailing_shank leading_foot trailing_foot'
POINTS = 'trunk leading_knee leading_foot trailing_knee trailing_foot'

# The arrow of the fastest point is a quarter of a leg long; a point at rest has none.
SPEEDS = ''
do for [point in POINTS] {
    SPEEDS = SPEEDS.' '.values(NAME, '/drawing', \
        'before_'.point.'/dx before_'.point.'/dy')
}
FASTEST = (largest = 0.0, sum [i=1:words(SPEEDS)/2] (\
    speed = sqrt(word(SPEEDS, 2*i - 1)**2 + word(SPEEDS, 2*i)**2), \
    largest = speed > largest ? speed : largest, 0), largest)
SCALE = FASTEST > 0 ? 0.25*LEG/FASTEST : 0
AT_REST = 1e-6*FASTEST
component(d, dx, dy) = abs(dx) + abs(dy) > AT_REST ? SCALE*d : 0
MASS = 'with points linestyle 26 pointsize 0.8'
ARROW = 'with vectors filled head size '.sprintf('%.9g', 0.05*LEG).',20 linestyle 28'

# Between hip and floor; A and B stand beside the feet.
foot(name, key) = number(NAME, '/drawing/before_'.name.'_foot/'.key.'[0]')
TOP = number(NAME, '/drawing/trunk/y[0]')
A_X = foot('leading', 'x')
B_X = foot('trailing', 'x')
LOW_X = (A_X < B_X ? A_X : B_X) - 0.35*LEG
HIGH_X = (A_X < B_X ? B_X : A_X) + 0.35*LEG
place(letter, x, index) = sprintf('set label %d "%s" at first %.9g,%.9g center; ', \
    index, letter, x + (x < 0.5*(A_X + B_X) ? -0.15 : 0.15)*LEG, 0.07*LEG)

# --- planes of contact velocities ---------------------------------------------------------------

# A law from before the impact to an outcome: columns normal A, normal B, tangential A, tangential B.
of(group, row) = ' '.(group.'/normal_velocity['.row.'0]').' '.(group.'/normal_velocity['.row.'1]').\
    ' '.(group.'/tangential_velocity['.row.'0]').' '.(group.'/tangential_velocity['.row.'1]')
BEFORE = data(NAME, '/', of('/before', ''))
solution(i) = joined(BEFORE, data(NAME, '/', of('/simultaneous', sprintf('%d,', i))))

# The ranges are those of the sampled paths, those of the trailing foot in mm/s.
limit(plane, end) = number(NAME, '/set/paths/'.plane.'/'.end)
power(width) = 10**floor(log10(width))
nice(width) = power(width)*(width <= 2*power(width) ? 2 : width <= 5*power(width) ? 5 : 10)
axis(letter, low, high) = sprintf('set %srange [%.9g:%.9g]; set %stics %.9g; ', \
    letter, low, high, letter, nice((high - low)/5))
ranges(plane, x_scale, y_scale) = \
    axis('x', x_scale*limit(plane, 'x_min'), x_scale*limit(plane, 'x_max')).\
    axis('y', y_scale*limit(plane, 'y_min'), y_scale*limit(plane, 'y_max'))

# Where samples end; a cell of their paths stands in for that where none does.
ends(plane) = number(NAME, '/set/fraction_finished') > 0 ? within(NAME, 'points', plane) : \
    filtered(within(NAME, 'paths', plane), "'NR == 1'")

# --- poses beside this one ----------------------------------------------------------------------

TRUNK_ANGLE = "with steps linestyle 1"
LEADING_HIP = "with steps linestyle 2"
LEADING_KNEE = "with steps linestyle 3"
TRAILING_HIP = "with steps linestyle 4"
TITLE_TRUNK_ANGLE = 'trunk'
TITLE_LEADING_HIP = 'leading hip'
TITLE_LEADING_KNEE = 'leading knee'
TITLE_TRAILING_HIP = 'trailing hip'
count(angle) = data(NAME, '/window', 'deviation '.angle.'/count')
# Curves one above the other are moved apart by so much.
APART = 0.04

do for [format in FORMATS] {
    # Figure 13: the pose; A; normal velocities of both feet; B.
    eval figure('halm-2023-fig13', WIDE, 122)
    eval legend('SAMPLED_PATHS SAMPLED_ENDS SIMULTANEOUS')
    eval margins(0.1, 0.9, 0.52, 0.93)
    unset border; unset tics; unset grid; set size ratio -1
    set label 1 '(a)' at screen 0.02,0.90
    eval place('A', A_X, 2).place('B', B_X, 3)
    plot [LOW_X:HIGH_X] [-0.3*LEG:TOP + 0.1*LEG] \
        drawing('floor') using 1:2 @WALL, \
        for [link in LINKS] drawing(link) using 1:2 @BODY, \
        drawing('mass_centre') using 1:2 @MASS, \
        for [point in POINTS] arrows(point) \
            using 1:2:(component($3, $3, $4)):(component($4, $3, $4)) @ARROW
    set size noratio
    eval panel(1, 3, 2, 2)
    set label 1 '(b)'
    eval ranges('contact_A', 1, 1e3)
    set xlabel 'A: normal velocity / (m s^{−1})'
    set ylabel 'A: tangential velocity / (mm s^{−1})' offset 0.6,0
    plot within(NAME, 'paths', 'contact_A') using 1:(1e3*$2) @SAMPLED_PATHS, \
         ends('contact_A') using 1:(1e3*$2) @SAMPLED_ENDS, \
         for [i=0:SOLUTIONS - 1] solution(i) using 1:(1e3*$3) @SIMULTANEOUS
    eval panel(2, 3, 2, 2)
    unset label 1
    eval ranges('normal_AB', 1, 1e3)
    set xlabel 'A: normal velocity / (m s^{−1})'
    set ylabel 'B: normal velocity / (mm s^{−1})' offset 0.6,0
    plot within(NAME, 'paths', 'normal_AB') using 1:(1e3*$2) @SAMPLED_PATHS, \
         ends('normal_AB') using 1:(1e3*$2) @SAMPLED_ENDS, \
         for [i=0:SOLUTIONS - 1] solution(i) using 1:(1e3*$2) @SIMULTANEOUS
    eval panel(3, 3, 2, 2)
    unset label 1
    eval ranges('contact_B', 1e3, 1e3)
    set xlabel 'B: normal velocity / (mm s^{−1})'
    set ylabel 'B: tangential velocity / (mm s^{−1})' offset 0.6,0
    plot within(NAME, 'paths', 'contact_B') using (1e3*$1):(1e3*$2) @SAMPLED_PATHS, \
         ends('contact_B') using (1e3*$1):(1e3*$2) @SAMPLED_ENDS, \
         for [i=0:SOLUTIONS - 1] solution(i) using (1e3*$2):(1e3*$4) @SIMULTANEOUS
    eval FINISH

    # How many simultaneous solutions there are with one angle changed.
    eval figure('halm-2023-window', NARROW, 60)
    eval legend('TRUNK_ANGLE LEADING_HIP LEADING_KNEE TRAILING_HIP')
    set xlabel 'deviation of one angle / deg'
    set ylabel 'simultaneous solutions'
    set ytics 1
    plot [-0.1:0.1] [0:4] \
        count('trunk_angle') using 1:2 @TRUNK_ANGLE, \
        count('leading_hip') using 1:($2 + APART) @LEADING_HIP, \
        count('leading_knee') using 1:($2 + 2*APART) @LEADING_KNEE, \
        count('trailing_hip') using 1:($2 + 3*APART) @TRAILING_HIP
    eval FINISH
}
