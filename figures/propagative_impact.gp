# Sequences of single impacts: the plane of the two normals with the images of their bisector; the
# largest indeterminacy of three balls by their masses, and of two contacts by their cosine.
#
# figures: seghete-2014-fig03 seghete-2014-indeterminacy-map
# records: propagative_impact
load 'figures/style.gp'

NAME = 'propagative_impact'

# --- symbols ------------------------------------------------------------------------------------

bold_u = math('𝒖')
bold_v = math('𝒗')
bold_p(i) = sub(math('𝒑'), i)
bold_r(i) = sub(math('𝒓'), i)
gamma = math('𝛾')
ratio(a) = sub(math('𝑚'), a).'/'.sub(math('𝑚'), 'B')
wedges = math('𝜋').'/2'.gamma

# --- figure 3: the plane of the normals ---------------------------------------------------------

OPENINGS = int(number(NAME, '/parameters/half_openings_entry[-1]')) + 1
CELL = 38.5     # mm, side of a picture
GAP_X = 5.0
ABOVE = 7.0     # mm, for its letter
SPAN = 1.32     # of the axes, both ways
HEIGHT = OPENINGS*(CELL + ABOVE) + 1.0

# Vectors of the record: u, v, r_0, p_0, p_f.
IS_U = 0; IS_V = 1; IS_R = 2; IS_P = 3; IS_F = 4
opening(row, name) = sprintf('/figure/opening_%d/%s', row, name)
vector(row, axis, i) = number(NAME, opening(row, sprintf('vector_%s[%d]', axis, i)))
image(row, family, axis, i) = \
    number(NAME, opening(row, sprintf('image_%s_%s[%d]', family, axis, i)))
count(row) = int(number(NAME, opening(row, 'count')))
half(row) = number(NAME, opening(row, 'gamma'))

ARROW_U = "linecolor rgb '#0072b2' linewidth 1.3"
ARROW_R = "linecolor rgb '#000000' linewidth 1.3"
ARROW_P = "linecolor rgb '#d55e00' linewidth 1.3"
ARROW_F = "linecolor rgb '#009e73' linewidth 1.3"
HEAD = "filled head size screen 0.007,18"

arrow(x, y, style) = sprintf('set arrow from 0,0 to %.9g,%.9g '.HEAD.' %s front; ', x, y, style)
# Labels of momenta stand a little farther out than those of images.
tip_label(x, y, text, far) = \
    sprintf('set label "%s" at %.9g,%.9g center front; ', text, far*x, far*y)
named(row, i, style, text) = \
    arrow(vector(row, 'x', i), vector(row, 'y', i), style).\
    tip_label(vector(row, 'x', i), vector(row, 'y', i), text, i < IS_P ? 1.16 : 1.24)
imaged(row, family, i, text) = \
    arrow(image(row, family, 'x', i), image(row, family, 'y', i), ARROW_R).\
    tip_label(image(row, family, 'x', i), image(row, family, 'y', i), text, 1.16)
# Where the momenta are feasible for u and v: within gamma of r_0; and of another direction.
degrees(x, y) = atan2(y, x)*180/pi
wedge(row, x, y, colour) = sprintf('set object circle at 0,0 size 1 arc [%.9g:%.9g] '.\
    "fillcolor rgb '%s' fillstyle solid noborder back; ", \
    degrees(x, y) - half(row)*180/pi, degrees(x, y) + half(row)*180/pi, colour)
feasible(row) = wedge(row, 0, 1, '#dcefe6')
# The line orthogonal to a normal.
tangent(row, i) = sprintf('set arrow from %.9g,%.9g to %.9g,%.9g nohead '.\
    "linecolor rgb '#606060' linewidth 0.8 dashtype (2,3) back; ", \
    -1.3*vector(row, 'y', i), 1.3*vector(row, 'x', i), \
    1.3*vector(row, 'y', i), -1.3*vector(row, 'x', i))
plane(row) = feasible(row).tangent(row, IS_U).tangent(row, IS_V)
# The angle gamma between r_0 and the tangent of u.
angle(row) = sprintf('set object circle at 0,0 size 0.45 arc [90:%.9g] nowedge '.\
    "fillstyle empty border linecolor rgb '#404040' linewidth 0.8 front; ", \
    90 + half(row)*180/pi).\
    sprintf('set label "%s" at %.9g,%.9g center front; ', gamma, \
            -0.6*sin(0.5*half(row)), 0.6*cos(0.5*half(row)))
pictures(row) = sprintf('set label "%s = %.4g°" at graph 1,0.03 right front; ', gamma, \
                        half(row)*180/pi)

cell(column, row) = margins((3 + (column - 1)*(CELL + GAP_X))/WIDE, \
    (3 + (column - 1)*(CELL + GAP_X) + CELL)/WIDE, \
    1 - (row + 1)*(CELL + ABOVE)/HEIGHT, 1 - ((row + 1)*(CELL + ABOVE) - CELL)/HEIGHT).\
    '; unset label; unset arrow; unset object; unset border; unset tics; unset grid; unset key; '.\
    'set parametric; '.sprintf('set label "(%s)" at graph 0,1 left offset 0,0.6; ', \
    'abcdefgh'[4*row + column:4*row + column])
CIRCLE = "with lines linecolor rgb '#606060' linewidth 0.8 dashtype (2,3)"

# --- the map ------------------------------------------------------------------------------------

MAP_POINTS = parameter(NAME, 'map_points')
DECADES = log10(parameter(NAME, 'largest_ratio'))
ORDERS = int(number(NAME, '/map/order[-1]') - number(NAME, '/map/order[0]')) + 1
LEAST_ORDER = int(number(NAME, '/map/order[0]'))
map = data(NAME, '/map', 'indeterminacy')
curves = data(NAME, '/map', 'curve_ratio unique_ratio')
exponent(i) = DECADES*(2.0*i/(MAP_POINTS - 1) - 1)

SPECTRUM = data(NAME, '/spectrum', 'wedges indeterminacy split longest longest_minimal paper_bound')
TABLE = data(NAME, '/table', 'wedges indeterminacy split longest longest_minimal')
INDETERMINACY = "with lines linestyle 2"
SPLIT = "with lines linestyle 3"
LONGEST = "with steps linestyle 1"
MINIMAL = "with steps linestyle 4"
PAPER = "with steps linestyle 8"
SAMPLED = "with points linestyle 9"
TITLE_INDETERMINACY = 'largest '.math('𝜉')
TITLE_SPLIT = '|1 − 2'.math('𝑓').'|'
TITLE_LONGEST = math('⌈𝜋').'/2'.math('𝛾⌉')
TITLE_MINIMAL = math('⌈𝜋').'/2'.gamma.' − 1/2'.math('⌉')
TITLE_PAPER = math('⌈𝜋').'/'.math('𝛾⌉').', [(22)]'
TITLE_SAMPLED = 'sequences run'

# A square frame for the map, its bar of colours beside it, and two frames for the curves, in mm.
MAP_SIDE = 50.0
BAR = 3.0
MAP_HEIGHT = MAP_SIDE + ROOM_BELOW + ROOM_ABOVE + 2*ROOM_LEGEND_LINE
frame(left, width) = margins(left/WIDE, (left + width)/WIDE, ROOM_BELOW/MAP_HEIGHT, \
    (ROOM_BELOW + MAP_SIDE)/MAP_HEIGHT)
CURVE_LEFT = ROOM_LEFT + MAP_SIDE + BAR + 23.0
CURVE_WIDTH = 0.5*(WIDE - CURVE_LEFT - ROOM_LEFT - 2*ROOM_RIGHT)

MOST = 8.0  # wedges that are shown

do for [format in FORMATS] {
    eval figure('seghete-2014-fig03', WIDE, HEIGHT)
    do for [row = 0:OPENINGS - 1] {
        LAST = sprintf('%d', count(row))
        eval cell(1, row)
        eval plane(row).angle(row).pictures(row)
        eval named(row, IS_U, ARROW_U, bold_u).named(row, IS_V, ARROW_U, bold_v)
        eval named(row, IS_R, ARROW_R, bold_r('0')).named(row, IS_P, ARROW_P, bold_p('0'))
        plot [0:2*pi] [-SPAN:SPAN] [-SPAN:SPAN] sin(t), cos(t) @CIRCLE
        do for [k = 1:2] {
            eval cell(1 + k, row)
            eval plane(row)
            eval named(row, IS_R, ARROW_R, bold_r('0')).named(row, IS_P, ARROW_P, bold_p('0'))
            do for [i = 1:(k < count(row) ? k : count(row))] {
                eval imaged(row, 'u', i, bold_r(sprintf('%d', i)))
                eval imaged(row, 'v', i, bold_r(sprintf('%d', i)))
            }
            plot [0:2*pi] [-SPAN:SPAN] [-SPAN:SPAN] sin(t), cos(t) @CIRCLE
        }
        # The image that is within gamma of p_0: of the family that the sequence ends with.
        eval cell(4, row)
        NEAR = 'u'
        NEAREST = -2.0
        do for [family in 'u v'] {
            along = vector(row, 'x', IS_P)*image(row, family, 'x', count(row)) + \
                    vector(row, 'y', IS_P)*image(row, family, 'y', count(row))
            if (along > NEAREST) {
                NEAREST = along
                NEAR = family
            }
        }
        eval plane(row).wedge(row, image(row, NEAR, 'x', count(row)), \
                              image(row, NEAR, 'y', count(row)), '#fbe3d2')
        eval named(row, IS_R, ARROW_R, bold_r('0')).named(row, IS_P, ARROW_P, bold_p('0'))
        do for [i = 1:count(row) - 1] {
            eval imaged(row, 'u', i, bold_r(sprintf('%d', i)))
            eval imaged(row, 'v', i, bold_r(sprintf('%d', i)))
        }
        eval imaged(row, NEAR, count(row), bold_r(LAST))
        eval named(row, IS_F, ARROW_F, bold_p('f'))
        plot [0:2*pi] [-SPAN:SPAN] [-SPAN:SPAN] sin(t), cos(t) @CIRCLE
    }
    unset parametric
    eval FINISH
}

do for [format in FORMATS] {
    eval figure('seghete-2014-indeterminacy-map', WIDE, MAP_HEIGHT)
    eval legend('INDETERMINACY SPLIT LONGEST MINIMAL PAPER SAMPLED')
    eval panel(1, 3, 1, 1)
    eval frame(ROOM_LEFT, MAP_SIDE)
    set xlabel ratio('A')
    set ylabel ratio('C')
    set xtics 1
    set ytics 1
    set format x '10^{%g}'
    set format y '10^{%g}'
    set palette defined (0 '#ffffff', 1 '#cfe3f2', 2 '#7fb2d6', 3 '#2f6fa8', 4 '#0b2f5c')
    set cbrange [0:*]
    set cbtics 0.5 scale 0.5
    set label math('𝜉') at screen (ROOM_LEFT + MAP_SIDE + 2.5 + 0.5*BAR)/WIDE, \
        screen (ROOM_BELOW + MAP_SIDE + 2.0)/MAP_HEIGHT center
    set colorbox user origin screen (ROOM_LEFT + MAP_SIDE + 2.5)/WIDE,ROOM_BELOW/MAP_HEIGHT \
        size screen BAR/WIDE,MAP_SIDE/MAP_HEIGHT
    plot [-DECADES:DECADES] [-DECADES:DECADES] \
        map matrix using (exponent($2)):(exponent($1)):3 with image, \
        for [k=0:ORDERS - 1] curves using (log10($1)):(log10(column(2 + k))) \
            with lines linecolor rgb '#c8431b' linewidth 0.9
    unset colorbox
    eval panel(2, 3, 1, 1)
    eval frame(CURVE_LEFT, CURVE_WIDTH)
    set xlabel wedges
    set xtics 1
    set ylabel 'two outcomes'
    plot [1:MOST] [0:2] SPECTRUM using 1:2 @INDETERMINACY, SPECTRUM using 1:3 @SPLIT, \
        TABLE using 1:2 @SAMPLED, TABLE using 1:3 @SAMPLED
    eval panel(3, 3, 1, 1)
    eval frame(CURVE_LEFT + CURVE_WIDTH + ROOM_LEFT + ROOM_RIGHT, CURVE_WIDTH)
    set xlabel wedges
    set xtics 1
    set ylabel 'reflections'
    plot [1:MOST] [0:17] SPECTRUM using 1:6 @PAPER, SPECTRUM using 1:4 @LONGEST, \
        SPECTRUM using 1:5 @MINIMAL, TABLE using 1:4 @SAMPLED, TABLE using 1:5 @SAMPLED
    eval FINISH
}
