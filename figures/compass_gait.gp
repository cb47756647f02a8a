# A walker puts its leading foot down: its pose with velocities before the impact and after each
# solution of the simultaneous law, and the impact in the planes of contact velocities.
#
# figures: halm-2023-fig04 halm-2023-fig10
# records: compass_gait
load 'figures/style.gp'

NAME = 'compass_gait'
L1 = parameter(NAME, 'leg_length')
ANGLE = abs(parameter(NAME, 'trailing_pitch'))*pi/180
LEADING = parameter(NAME, 'leading_pitch') < 0 ? -1 : 1  # the side of the leading foot
SPREAD = L1*sin(ANGLE)
HEIGHT = L1*cos(ANGLE)
SOLUTIONS = int(number(NAME, '/simultaneous/count'))

# --- poses --------------------------------------------------------------------------------------

# Before the impact, then one picture for each solution: those in which B lifts off first, then
# those in which it slides, then rest.
RESTING = 1e-7
normal_B(i) = number(NAME, sprintf('/simultaneous/normal_velocity[%d,1]', i))
slide_B(i) = number(NAME, sprintf('/simultaneous/tangential_velocity[%d,1]', i))
kind(i) = normal_B(i) > RESTING ? 1 : abs(slide_B(i)) > RESTING ? 2 : 3
array SCENES[SOLUTIONS + 1]
array KINDS[SOLUTIONS + 1]
SCENES[1] = 'before'
KINDS[1] = 0
next = 2
do for [k=1:3] {
    do for [i=0:SOLUTIONS - 1] {
        if (kind(i) == k) {
            SCENES[next] = sprintf('simultaneous_%d', i)
            KINDS[next] = k
            next = next + 1
        }
    }
}
POSES = SOLUTIONS + 1
ROWS = (POSES + 1)/2
array CAPTIONS[4] = ['before the impact', 'B lifts off', 'B slides', 'both feet at rest']
caption(i) = (i == 1 ? '(a) ' : i == 2 ? '(b) ' : '').CAPTIONS[KINDS[i] + 1]

# The arrow of the fastest point before the impact is two fifths of a leg long.
SPEEDS = values(NAME, '/drawing', 'before_leading/dx before_leading/dy').' '.\
    values(NAME, '/drawing', 'before_trailing/dx before_trailing/dy')
FASTEST = (largest = 0.0, sum [i=1:words(SPEEDS)/2] (\
    speed = sqrt(word(SPEEDS, 2*i - 1)**2 + word(SPEEDS, 2*i)**2), \
    largest = speed > largest ? speed : largest, 0), largest)
SCALE = FASTEST > 0 ? 0.4*L1/FASTEST : 0
AT_REST = 1e-6*FASTEST
MASS = 'with points linestyle 26 pointsize 0.8'
ARROW = 'with vectors filled head size '.sprintf('%.9g', 0.05*L1).',20 linestyle 28'
component(d, dx, dy) = abs(dx) + abs(dy) > AT_REST ? SCALE*d : 0
arrows(i, leg) = data(NAME, '/drawing/'.SCENES[i].'_'.leg, 'x y dx dy')
drawing(name) = data(NAME, '/drawing/'.name, 'x y')

pose(i) = panel(1, 1, 1, 1).'; '.\
    margins(0.5*((i - 1) % 2), 0.5*((i - 1) % 2) + 0.5, \
            1 - ((i - 1)/2 + 1.0)/ROWS, 1 - ((i - 1)/2 + 0.16)/ROWS).\
    '; unset border; unset tics; unset grid; set size ratio -1; '.\
    sprintf('set label 1 "%s" at screen %.5f,%.5f center; ', caption(i), \
            0.5*((i - 1) % 2) + 0.25, 1 - ((i - 1)/2 + 0.10)/ROWS).\
    sprintf('set label 2 "A" at first %.9g,%.9g center; ', LEADING*(SPREAD + 0.08*L1), -0.08*L1).\
    sprintf('set label 3 "B" at first %.9g,%.9g center', -LEADING*(SPREAD + 0.08*L1), -0.08*L1)

# --- planes of contact velocities ---------------------------------------------------------------

# A law from before the impact to an outcome: columns normal A, normal B, tangential A, tangential B.
of(group, row) = ' '.(group.'/normal_velocity['.row.'0]').' '.(group.'/normal_velocity['.row.'1]').\
    ' '.(group.'/tangential_velocity['.row.'0]').' '.(group.'/tangential_velocity['.row.'1]')
BEFORE = data(NAME, '/', of('/before', ''))
solution(i) = joined(BEFORE, data(NAME, '/', of('/simultaneous', sprintf('%d,', i))))

# The ranges are those of the sampled paths; tics, few enough for three panels in a row.
limit(plane, end) = number(NAME, '/set/paths/'.plane.'/'.end)
power(width) = 10**floor(log10(width))
nice(width) = power(width)*(width <= 2*power(width) ? 2 : width <= 5*power(width) ? 5 : 10)
axis(letter, low, high) = sprintf('set %srange [%.9g:%.9g]; set %stics %.9g; ', \
    letter, low, high, letter, nice((high - low)/5))
ranges(plane) = axis('x', limit(plane, 'x_min'), limit(plane, 'x_max')).\
    axis('y', limit(plane, 'y_min'), limit(plane, 'y_max'))

do for [format in FORMATS] {
    # Figure 4: the pose before the impact, and the velocities of all solutions.
    eval figure('halm-2023-fig04', WIDE, 34*ROWS)
    do for [i=1:POSES] {
        eval pose(i)
        plot [-1.35*SPREAD:1.35*SPREAD] [-0.45*L1:HEIGHT + 0.16*L1] \
            drawing('floor') using 1:2 @WALL, \
            drawing('leading_leg') using 1:2 @BODY, \
            drawing('trailing_leg') using 1:2 @BODY, \
            drawing('leading_mass') using 1:2 @MASS, \
            drawing('trailing_mass') using 1:2 @MASS, \
            arrows(i, 'leading') \
                using 1:2:(component($3, $3, $4)):(component($4, $3, $4)) @ARROW, \
            arrows(i, 'trailing') \
                using 1:2:(component($3, $3, $4)):(component($4, $3, $4)) @ARROW
    }
    set size noratio
    eval FINISH

    # Figure 10: A; normal velocities of both feet; B.
    eval figure('halm-2023-fig10', WIDE, 66)
    eval legend('SAMPLED_PATHS SAMPLED_ENDS SIMULTANEOUS')
    eval panel(1, 3, 1, 1)
    eval ranges('contact_A')
    set xlabel 'A: normal velocity / (m s^{−1})'
    set ylabel 'A: tangential velocity / (m s^{−1})' offset 0.6,0
    plot within(NAME, 'paths', 'contact_A') using 1:2 @SAMPLED_PATHS, \
         within(NAME, 'points', 'contact_A') using 1:2 @SAMPLED_ENDS, \
         for [i=0:SOLUTIONS - 1] solution(i) using 1:3 @SIMULTANEOUS
    eval panel(2, 3, 1, 1)
    eval ranges('normal_AB')
    set xlabel 'A: normal velocity / (m s^{−1})'
    set ylabel 'B: normal velocity / (m s^{−1})' offset 0.6,0
    plot within(NAME, 'paths', 'normal_AB') using 1:2 @SAMPLED_PATHS, \
         within(NAME, 'points', 'normal_AB') using 1:2 @SAMPLED_ENDS, \
         for [i=0:SOLUTIONS - 1] solution(i) using 1:2 @SIMULTANEOUS
    eval panel(3, 3, 1, 1)
    eval ranges('contact_B')
    set xlabel 'B: normal velocity / (m s^{−1})'
    set ylabel 'B: tangential velocity / (m s^{−1})' offset 0.6,0
    plot within(NAME, 'paths', 'contact_B') using 1:2 @SAMPLED_PATHS, \
         within(NAME, 'points', 'contact_B') using 1:2 @SAMPLED_ENDS, \
         for [i=0:SOLUTIONS - 1] solution(i) using 2:4 @SIMULTANEOUS
    eval FINISH
}
