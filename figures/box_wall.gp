# A box slides into a wall: its pose with velocities before the impact and after each law, and the
# impact in the planes of contact velocities.
#
# figures: halm-2023-fig05 halm-2023-fig11
# records: box_wall
load 'figures/style.gp'

NAME = 'box_wall'
W = parameter(NAME, 'side')
TILT = parameter(NAME, 'tilt')*pi/180
SPEED = abs(parameter(NAME, 'initial_velocity'))
REACH = W*(cos(TILT) + sin(TILT))
SOLUTIONS = int(number(NAME, '/simultaneous/count'))
STAGES_B = int(number(NAME, '/sequential/B_first/stage_count'))

# --- poses --------------------------------------------------------------------------------------

# Before, every simultaneous solution, and the stages of the sequence that begins at the wall.
POSES = 1 + SOLUTIONS + STAGES_B
scene(i) = i == 1 ? 'before' : i <= 1 + SOLUTIONS ? sprintf('simultaneous_%d', i - 2) : \
    sprintf('B_first_%d', i - 2 - SOLUTIONS)
caption(i) = i == 1 ? '(a) before the impact' : \
    i == 2 && SOLUTIONS > 0 ? '(b) simultaneous' : i <= 1 + SOLUTIONS ? 'simultaneous' : \
    i == 2 + SOLUTIONS ? '(c) after B' : i == 3 + SOLUTIONS ? 'after B and A' : 'further on'
pose(i) = panel(1, 1, 1, 1).'; '.\
    margins((i - 1.0)/POSES, 1.0*i/POSES, 0.0, 0.88).\
    '; unset border; unset tics; unset grid; set size ratio -1; '.\
    sprintf('set label 1 "%s" at screen %.5f,0.94 center; ', caption(i), (i - 0.5)/POSES).\
    sprintf('set label 2 "A" at first %.9g,%.9g center; ', -W*(sin(TILT) + 0.1), 0.13*W).\
    sprintf('set label 3 "B" at first %.9g,%.9g center', -0.15*W, W*(cos(TILT) - 0.09))
drawing(name, columns_wanted) = data(NAME, '/drawing/'.name, columns_wanted)

# Arrows are so long that the speed before the impact is a third of the side; a point at rest has
# none.
SCALE = SPEED > 0 ? W/(3*SPEED) : 0
AT_REST = 1e-6*SPEED
component(d, dx, dy) = abs(dx) + abs(dy) > AT_REST ? SCALE*d : 0

# --- planes of contact velocities ---------------------------------------------------------------

# A law from before the impact through its stages: columns normal A, normal B, tangential A,
# tangential B.
of(group, row) = ' '.(group.'/normal_velocity['.row.'0]').' '.(group.'/normal_velocity['.row.'1]').\
    ' '.(group.'/tangential_velocity['.row.'0]').' '.(group.'/tangential_velocity['.row.'1]')
BEFORE = data(NAME, '/', of('/before', ''))
SEQUENCE = STAGES_B == 0 ? BEFORE : \
    joined(BEFORE, data(NAME, '/', of('/sequential/B_first', ':,')))
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
    # Figure 5: velocities of points of the box.
    eval figure('halm-2023-fig05', WIDE, 52)
    do for [i=1:POSES] {
        eval pose(i)
        plot [-1.35*REACH:0.35*REACH] [-0.15*REACH:1.25*REACH] \
            drawing('floor', 'x y') using 1:2 @WALL, \
            drawing('wall', 'x y') using 1:2 @WALL, \
            drawing('box', 'x y') using 1:2 @BODY, \
            drawing(scene(i), 'x y dx dy') \
                using 1:2:(component($3, $3, $4)):(component($4, $3, $4)) @VELOCITY
    }
    set size noratio
    eval FINISH

    # Figure 11: A; normal velocities of both corners; B. The sequence that begins at the floor has
    # a first impact without an impulse and is the other one.
    eval figure('halm-2023-fig11', WIDE, 66)
    eval legend('SAMPLED_PATHS SAMPLED_ENDS SIMULTANEOUS FIRST_B')
    eval panel(1, 3, 1, 1)
    eval ranges('contact_A')
    set xlabel 'A: normal velocity / (m s^{−1})'
    set ylabel 'A: tangential velocity / (m s^{−1})' offset 0.6,0
    plot within(NAME, 'paths', 'contact_A') using 1:2 @SAMPLED_PATHS, \
         within(NAME, 'points', 'contact_A') using 1:2 @SAMPLED_ENDS, \
         for [i=0:SOLUTIONS - 1] solution(i) using 1:3 @SIMULTANEOUS, \
         SEQUENCE using 1:3 @FIRST_B
    eval panel(2, 3, 1, 1)
    eval ranges('normal_AB')
    set xlabel 'A: normal velocity / (m s^{−1})'
    set ylabel 'B: normal velocity / (m s^{−1})' offset 0.6,0
    plot within(NAME, 'paths', 'normal_AB') using 1:2 @SAMPLED_PATHS, \
         within(NAME, 'points', 'normal_AB') using 1:2 @SAMPLED_ENDS, \
         for [i=0:SOLUTIONS - 1] solution(i) using 1:2 @SIMULTANEOUS, \
         SEQUENCE using 1:2 @FIRST_B
    eval panel(3, 3, 1, 1)
    eval ranges('contact_B')
    set xlabel 'B: normal velocity / (m s^{−1})'
    set ylabel 'B: tangential velocity / (m s^{−1})' offset 0.6,0
    plot within(NAME, 'paths', 'contact_B') using 1:2 @SAMPLED_PATHS, \
         within(NAME, 'points', 'contact_B') using 1:2 @SAMPLED_ENDS, \
         for [i=0:SOLUTIONS - 1] solution(i) using 2:4 @SIMULTANEOUS, \
         SEQUENCE using 2:4 @FIRST_B
    eval FINISH
}
