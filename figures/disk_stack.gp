# A disc falls onto two others: the stack before the impact, and the impact in the planes of contact
# velocities, as the paper poses the problem and as the authors' programs solved it.
#
# figures: halm-2023-fig14 halm-2023-disks-other
# records: disk_stack
load 'figures/style.gp'

NAME = 'disk_stack'
R1 = parameter(NAME, 'radius')
LEVELS = parameter(NAME, 'levels')
DISKS = int(number(NAME, '/drawing/disk_count'))
SPEED = abs(parameter(NAME, 'initial_velocity'))

# --- stack --------------------------------------------------------------------------------------

drawing(name) = data(NAME, '/drawing/'.name, 'x y')
SCALE = SPEED > 0 ? 0.6*R1/SPEED : 0
HIGH = R1*(2 + sqrt(3)*(LEVELS - 1))
WIDTH = 2*R1*LEVELS
ARROW = 'with vectors filled head size '.sprintf('%.9g', 0.12*R1).',20 linestyle 28'

# Names of the contacts of the published stack, beside them.
name_at(index, letter, x, y) = sprintf('set label %d "%s" at first %.9g,%.9g center; ', \
    index, letter, x*R1, y*R1)
NAMES = LEVELS != 2 ? '' : name_at(2, 'A', 0, 0.22).name_at(3, 'B', 2, 0.22).\
    name_at(4, 'C', 0.06, 2.14).name_at(5, 'D', 1.94, 2.14).name_at(6, 'E', 0.78, 1.0)

# --- planes of contact velocities ---------------------------------------------------------------

# Cells of a plane of one variant: GROUP '' is that of the options, '/other_variant' the other one.
cells(group, kind, plane) = data(NAME, group.'/set/'.kind.'/'.plane, 'x y')
# Where samples end; a cell of their paths stands in for that where none does.
ends(group, plane) = number(NAME, group.'/set/fraction_finished') > 0 ? \
    cells(group, 'points', plane) : filtered(cells(group, 'paths', plane), "'NR == 1'")
M = LEVELS + 3*LEVELS*(LEVELS - 1)/2

# The only simultaneous outcome, from before the impact: contacts i and j, NORMAL or TANGENTIAL.
entry(group, what, row, i) = ' '.group.'/'.what.'_velocity['.row.sprintf('%d]', i)
law(group, x, i, y, j) = joined(\
    data(NAME, '/', entry(group.'/before', x, '', i).entry(group.'/before', y, '', j)), \
    data(NAME, '/', entry(group.'/simultaneous', x, '0,', i).entry(group.'/simultaneous', y, '0,', j)))

# The ranges are those of the sampled paths and their mirror images; tics, few enough for three
# panels in a row.
limit(group, plane, end) = number(NAME, group.'/set/paths/'.plane.'/'.end)
least(a, b) = a < b ? a : b
power(width) = 10**floor(log10(width))
nice(width) = power(width)*(width <= 2*power(width) ? 2 : width <= 5*power(width) ? 5 : 10)
axis(letter, low, high) = sprintf('set %srange [%.9g:%.9g]; set %stics %.9g; ', \
    letter, low, high, letter, nice((high - low)/5))
low(group, plane) = least(limit(group, plane, 'x_min'), limit(group, plane, 'y_min'))
high(group, plane) = -least(-limit(group, plane, 'x_max'), -limit(group, plane, 'y_max'))
square(group, plane) = axis('x', low(group, plane), high(group, plane)).\
    axis('y', low(group, plane), high(group, plane))
mirrored(group, left, right) = \
    axis('x', least(limit(group, left, 'x_min'), limit(group, right, 'x_min')), \
         -least(-limit(group, left, 'x_max'), -limit(group, right, 'x_max'))).\
    axis('y', least(limit(group, left, 'y_min'), -limit(group, right, 'y_max')), \
         -least(-limit(group, left, 'y_max'), limit(group, right, 'y_min')))

# Both sides of a plane are drawn: the mirror image of a sample is one as well. It exchanges left
# and right, and turns tangential velocities round.
do for [format in FORMATS] {
    do for [figure_name in 'halm-2023-fig14 halm-2023-disks-other'] {
        GROUP = figure_name eq 'halm-2023-fig14' ? '' : '/other_variant'
        eval figure(figure_name, WIDE, 128)
        eval legend('SAMPLED_PATHS SAMPLED_ENDS SIMULTANEOUS')

        # (a) the stack before the impact
        eval panel(1, 3, 1, 2)
        eval margins(0.01, 0.32, bottom_edge(1, 2), top_edge(1, 2))
        unset border; unset tics; unset grid; set size ratio -1
        set xlabel; set ylabel
        eval NAMES
        plot [-1.6*R1:WIDTH - 0.4*R1] [-0.1*R1:HIGH + 0.1*R1] \
            drawing('floor') using 1:2 @WALL, \
            for [i=0:DISKS - 1] drawing(sprintf('disk_%d', i)) using 1:2 @BODY, \
            data(NAME, '/drawing/before', 'x y dx dy') using 1:2:(SCALE*$3):(SCALE*$4) @ARROW
        set size noratio

        # (b) normal velocities of the left and the right side
        eval panel(2, 3, 1, 2)
        set label 1 '(b)'
        eval square(GROUP, 'floor_normals')
        set xlabel 'A: normal velocity / (m s^{−1})'
        set ylabel 'B: normal velocity / (m s^{−1})' offset 0.6,0
        plot cells(GROUP, 'paths', 'floor_normals') using 1:2 @SAMPLED_PATHS, \
             cells(GROUP, 'paths', 'floor_normals') using 2:1 @SAMPLED_PATHS, \
             ends(GROUP, 'floor_normals') using 1:2 @SAMPLED_ENDS, \
             ends(GROUP, 'floor_normals') using 2:1 @SAMPLED_ENDS, \
             law(GROUP, 'normal', 0, 'normal', LEVELS - 1) using 1:2 @SIMULTANEOUS
        eval panel(3, 3, 1, 2)
        unset label 1
        eval square(GROUP, 'top_normals')
        set xlabel 'C: normal velocity / (m s^{−1})'
        set ylabel 'D: normal velocity / (m s^{−1})' offset 0.6,0
        plot cells(GROUP, 'paths', 'top_normals') using 1:2 @SAMPLED_PATHS, \
             cells(GROUP, 'paths', 'top_normals') using 2:1 @SAMPLED_PATHS, \
             ends(GROUP, 'top_normals') using 1:2 @SAMPLED_ENDS, \
             ends(GROUP, 'top_normals') using 2:1 @SAMPLED_ENDS, \
             law(GROUP, 'normal', LEVELS, 'normal', LEVELS + 1) using 1:2 @SIMULTANEOUS

        # (c) normal and tangential velocities at the floor, below the top disc, at the side
        eval panel(1, 3, 2, 2)
        set label 1 '(c)'
        eval mirrored(GROUP, 'floor_left', 'floor_right')
        set xlabel 'A: normal velocity / (m s^{−1})'
        set ylabel 'A: tangential velocity / (m s^{−1})' offset 0.6,0
        plot cells(GROUP, 'paths', 'floor_left') using 1:2 @SAMPLED_PATHS, \
             cells(GROUP, 'paths', 'floor_right') using 1:(-$2) @SAMPLED_PATHS, \
             ends(GROUP, 'floor_left') using 1:2 @SAMPLED_ENDS, \
             ends(GROUP, 'floor_right') using 1:(-$2) @SAMPLED_ENDS, \
             law(GROUP, 'normal', 0, 'tangential', 0) using 1:2 @SIMULTANEOUS
        eval panel(2, 3, 2, 2)
        unset label 1
        eval mirrored(GROUP, 'top_left', 'top_right')
        set xlabel 'C: normal velocity / (m s^{−1})'
        set ylabel 'C: tangential velocity / (m s^{−1})' offset 0.6,0
        plot cells(GROUP, 'paths', 'top_left') using 1:2 @SAMPLED_PATHS, \
             cells(GROUP, 'paths', 'top_right') using 1:(-$2) @SAMPLED_PATHS, \
             ends(GROUP, 'top_left') using 1:2 @SAMPLED_ENDS, \
             ends(GROUP, 'top_right') using 1:(-$2) @SAMPLED_ENDS, \
             law(GROUP, 'normal', LEVELS, 'tangential', LEVELS) using 1:2 @SIMULTANEOUS
        eval panel(3, 3, 2, 2)
        unset label 1
        eval mirrored(GROUP, 'side', 'side')
        set xlabel 'E: normal velocity / (m s^{−1})'
        set ylabel 'E: tangential velocity / (m s^{−1})' offset 0.6,0
        plot cells(GROUP, 'paths', 'side') using 1:2 @SAMPLED_PATHS, \
             cells(GROUP, 'paths', 'side') using 1:(-$2) @SAMPLED_PATHS, \
             ends(GROUP, 'side') using 1:2 @SAMPLED_ENDS, \
             ends(GROUP, 'side') using 1:(-$2) @SAMPLED_ENDS, \
             law(GROUP, 'normal', M - LEVELS*(LEVELS - 1)/2, \
                 'tangential', M - LEVELS*(LEVELS - 1)/2) using 1:2 @SIMULTANEOUS
        eval FINISH
    }
}
