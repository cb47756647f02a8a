# Motions without collisions with two degrees of freedom: the four systems of pankov-2024, drawn to
# scale in their configurations at the two points of symmetry; gap and contact force over a period;
# errors of the series for many oscillations.
#
# figures: pankov-2024-fig01 pankov-2024-two-modes pankov-2024-series
# records: collisionless_models
load 'figures/style.gp'

NAME = 'collisionless_models'

# --- figure 1: the systems ----------------------------------------------------------------------

HEIGHT = 88.0  # mm, of the page
ROCKER_HEIGHT = 40.0  # mm, of the cell below the wheel
GROUND = "fillcolor rgb '#d8d8d8' fillstyle solid noborder"
MOVING = "fillcolor rgb '#7fb2d6' fillstyle solid border linecolor rgb '#000000'"
FIXED_PART = "fillcolor rgb '#ffffff' fillstyle solid border linecolor rgb '#000000'"
OUTLINE = "linecolor rgb '#000000' linewidth 1.2"
SPRING = "with lines linecolor rgb '#000000' linewidth 1.0"
LINK = "linecolor rgb '#202020' linewidth 1.2"
DIMENSION = "linecolor rgb '#404040' linewidth 0.6"
DOT = "point pointtype 7 pointsize 0.22 linecolor rgb '#202020'"
ARROW = "filled head size screen 0.010,20 linecolor rgb '#c8431b' linewidth 1.2"
BOTH_ENDS = "heads size screen 0.005,25 filled"

# Points of a picture: configuration c (0: P, 1: P'), point i.
point(model, axis, c, i) = number(NAME, sprintf('/drawing/%s/%s[%d,%d]', model, axis, c, i))

# A cell of the page, in mm from its lower left corner, that shows a system from (x0, y0) on,
# `scale` metres to a millimetre along both axes.
cell(left, bottom, width, height, letter, x0, y0, scale) = (\
    cell_scale = scale, cell_y0 = y0, \
    margins(left/WIDE, (left + width)/WIDE, bottom/HEIGHT, (bottom + height)/HEIGHT).\
    '; unset label; unset arrow; unset object; unset border; unset tics; unset grid; unset key; '.\
    sprintf('set xrange [%.9g:%.9g]; set yrange [%.9g:%.9g]; ', \
            x0, x0 + width*scale, y0, y0 + height*scale).\
    sprintf('set label "(%s)" at screen %.5f, screen %.5f left', \
            letter, (left + 1)/WIDE, (bottom + height - 3)/HEIGHT))

# A length `mm` on paper in metres of the system.
mm(length) = length*cell_scale

ground(x1, x2) = sprintf(\
    'set object rectangle from %.9g,%.9g to %.9g,0 @GROUND back; '.\
    'set arrow from %.9g,0 to %.9g,0 nohead back @OUTLINE', x1, -mm(2.2), x2, x1, x2)
configuration(x, name) = \
    sprintf('set label "%s" at %.9g,%.9g center', math(name), x, -mm(4.8))
disc(x, y) = sprintf('set object circle at %.9g,%.9g size %.9g @MOVING front', x, y, mm(1.7))
square(x, y, style) = sprintf('set object rectangle center %.9g,%.9g size %.9g,%.9g @%s front', \
    x, y, mm(3.0), mm(3.0), style)
link(x1, y1, x2, y2) = \
    sprintf('set arrow from %.9g,%.9g to %.9g,%.9g nohead @LINK', x1, y1, x2, y2)
scale_bar(x, y, metres) = sprintf(\
    'set arrow from %.9g,%.9g to %.9g,%.9g heads size screen 0.004,90 @OUTLINE; '.\
    'set label "%g m" at %.9g,%.9g center', \
    x, y, x + metres, y, metres, x + 0.5*metres, y + mm(2.4))

# A spring of TURNS turns from (x, y1) up to (x, y2), as the words x y x y ..
TURNS = 9
spring_x(x, i) = i < 2 || i > 2*TURNS ? x : x + (i % 2 == 0 ? 1 : -1)*mm(1.6)
spring_part(i) = i == 0 ? 0.0 : i == 2*TURNS + 2 ? 1.0 : 0.06 + 0.88*(i - 1.0)/(2*TURNS)
spring(x, y1, y2) = (spring_list = '', sum [i=0:2*TURNS + 2] (spring_list = spring_list.\
    sprintf('%.9g %.9g\n', spring_x(x, i), y1 + (y2 - y1)*spring_part(i)), 0), spring_list)
drawn(list) = kept("printf '".list."'")

# Velocities: the fastest point of a picture has an arrow of a third of a metre.
fastest(model, points) = (largest = 0.0, sum [c=0:1] sum [i=0:points - 1] (\
    speed = sqrt(point(model, 'u', c, i)**2 + point(model, 'v', c, i)**2), \
    largest = speed > largest ? speed : largest, 0), largest)
velocity(model, c, i, x) = (\
    arrow_x = x + point(model, 'x', c, i), arrow_y = point(model, 'y', c, i), \
    arrow_u = 0.33*point(model, 'u', c, i)/arrow_unit, \
    arrow_v = 0.33*point(model, 'v', c, i)/arrow_unit, \
    abs(arrow_u) + abs(arrow_v) < 1e-6 ? '' : \
    sprintf('set arrow from %.9g,%.9g to %.9g,%.9g @ARROW front', \
            arrow_x, arrow_y, arrow_x + arrow_u, arrow_y + arrow_v))

# Points of the wheel and of the biped, as in the record.
FOOT = 0; HUB = 1; NEXT = 2; LAST = 3; BOB = 4; FURTHER = 5
LAST_POINT = int(number(NAME, '/drawing/pendulum_wheel/point[-1]'))
OTHER = 2; ROCKER_BOB = 3

linked(model, c, x, i, j) = link(x + point(model, 'x', c, i), point(model, 'y', c, i), \
                                 x + point(model, 'x', c, j), point(model, 'y', c, j))
wheel(c, x) = linked('pendulum_wheel', c, x, HUB, FOOT).'; '.\
    linked('pendulum_wheel', c, x, HUB, NEXT).'; '.linked('pendulum_wheel', c, x, HUB, LAST).'; '.\
    linked('pendulum_wheel', c, x, HUB, BOB).'; '.\
    square(x + point('pendulum_wheel', 'x', c, HUB), point('pendulum_wheel', 'y', c, HUB), \
           'FIXED_PART').'; '.\
    disc(x + point('pendulum_wheel', 'x', c, BOB), point('pendulum_wheel', 'y', c, BOB))
rocker(c, x) = linked('rocking', c, x, HUB, FOOT).'; '.linked('rocking', c, x, HUB, OTHER).'; '.\
    linked('rocking', c, x, HUB, ROCKER_BOB).'; '.\
    square(x + point('rocking', 'x', c, HUB), point('rocking', 'y', c, HUB), 'FIXED_PART').'; '.\
    square(x + point('rocking', 'x', c, FOOT), point('rocking', 'y', c, FOOT) + mm(1.5), \
           'FIXED_PART').'; '.\
    square(x + point('rocking', 'x', c, OTHER), point('rocking', 'y', c, OTHER) + mm(1.5), \
           'FIXED_PART').'; '.\
    disc(x + point('rocking', 'x', c, ROCKER_BOB), point('rocking', 'y', c, ROCKER_BOB))

# The largest height of both jumpers fills the page; wheel and biped, their cells.
TOP = point('juggler', 'y', 0, 2) > point('hopper', 'y', 0, 1) ? \
    point('juggler', 'y', 0, 2) : point('hopper', 'y', 0, 1)
JUMP_SCALE = TOP/(HEIGHT - 17)
LENGTH = parameter(NAME, 'pendulum_wheel_spoke_length')
RIM_SCALE = LENGTH/19.0
LEG = parameter(NAME, 'rocking_leg_length')
LEG_SCALE = LEG/(ROCKER_HEIGHT - 13)

# --- a period -----------------------------------------------------------------------------------

LEGEND_SLOT = 31.0  # mm: five entries in a line
MODELS = 'hopper juggler reaction_wheel pendulum_wheel rocking'
set style line 31 linecolor rgb '#9cc9e8' linewidth 3.5 dashtype 1
HOPPER = "with lines linestyle 31"
JUGGLER = "with lines linestyle 3"
REACTION_WHEEL = "with lines linestyle 4"
PENDULUM_WHEEL = "with lines linestyle 5"
ROCKER = "with lines linestyle 1"
array STYLES[5] = [31, 3, 4, 5, 1]
TITLE_HOPPER = 'hopper'
TITLE_JUGGLER = 'juggler'
TITLE_REACTION_WHEEL = 'reaction wheel'
TITLE_PENDULUM_WHEEL = 'pendulum wheel'
TITLE_ROCKER = 'rocking'
# Asked once: what stands in a plot is asked for every point.
array PERIODS[words(MODELS)]
array LARGEST_GAPS[words(MODELS)]
do for [i=1:words(MODELS)] {
    PERIODS[i] = number(NAME, '/'.word(MODELS, i).'/motion/period')
    LARGEST_GAPS[i] = number(NAME, '/'.word(MODELS, i).'/motion/largest_gap')
}
motion(model) = data(NAME, '/'.model.'/motion', 'time gap force_ratio')

# --- series -------------------------------------------------------------------------------------

RESOLVED = 1e-14  # rad, errors below are rounding
powers = data(NAME, '/series/powers', 'n alpha_error alpha_next phase_error phase_next')
exponentials(model) = \
    data(NAME, '/series/'.model, 'n root_error root_next phase_error phase_next')
shown(error) = error > RESOLVED ? error : NaN
NEXT_TERM = "with lines linestyle 1"
ALPHA = "with points linestyle 2"
HOP_PHASE = "with points linestyle 3"
BETA = "with points linestyle 2"
WHEEL_PHASE = "with points linestyle 3"
GAMMA = "with points linestyle 4"
ROCKING_PHASE = "with points linestyle 5"
TITLE_NEXT_TERM = 'first term left out'
beta = math('𝛽')
gamma = math('𝛾')
phase_symbol = math('𝑜′_1')

do for [format in FORMATS] {
    eval figure('pankov-2024-fig01', WIDE, HEIGHT)

    # (a) the hopper: P' left, P right
    eval cell(0, 0, 34, HEIGHT, 'a', 0, -9*JUMP_SCALE, JUMP_SCALE)
    eval ground(mm(6), mm(32))
    array AT[2] = [mm(24), mm(12)]
    do for [c=0:1] {
        eval disc(AT[c + 1], point('hopper', 'y', c, 0) + mm(1.7))
        eval disc(AT[c + 1], point('hopper', 'y', c, 1) + mm(1.7))
        eval configuration(AT[c + 1], c == 0 ? '𝑃' : '𝑃′')
    }
    set label sub(math('𝑚'), 'u') at AT[1] + mm(3),point('hopper', 'y', 0, 1) + mm(1.7) left
    set label sub(math('𝑚'), 'l') at AT[1] + mm(3),point('hopper', 'y', 0, 0) + mm(1.7) left
    eval scale_bar(mm(2.5), 0.82*TOP, 5)
    plot drawn(spring(AT[1], point('hopper', 'y', 0, 0) + mm(3.4), point('hopper', 'y', 0, 1))) \
             using 1:2 @SPRING, \
         drawn(spring(AT[2], point('hopper', 'y', 1, 0) + mm(3.4), point('hopper', 'y', 1, 1))) \
             using 1:2 @SPRING

    # (b) the juggler: P' left, P right
    eval cell(34, 0, 34, HEIGHT, 'b', 0, -9*JUMP_SCALE, JUMP_SCALE)
    eval ground(mm(5), mm(31))
    array AT[2] = [mm(23), mm(11)]
    do for [c=0:1] {
        set object rectangle \
            from AT[c + 1] - mm(2.6),point('juggler', 'y', c, 1) - mm(1.8) \
            to AT[c + 1] + mm(2.6),point('juggler', 'y', c, 1) @MOVING front
        eval disc(AT[c + 1], point('juggler', 'y', c, 2) + mm(1.7))
        eval configuration(AT[c + 1], c == 0 ? '𝑃' : '𝑃′')
    }
    set label sub(math('𝑚'), '1') at AT[1] + mm(3.4),point('juggler', 'y', 0, 1) - mm(0.9) left
    set label sub(math('𝑚'), '2') at AT[1] + mm(3),point('juggler', 'y', 0, 2) + mm(1.7) left
    plot drawn(spring(AT[1], 0, point('juggler', 'y', 0, 1) - mm(1.8))) using 1:2 @SPRING, \
         drawn(spring(AT[2], 0, point('juggler', 'y', 1, 1) - mm(1.8))) using 1:2 @SPRING

    # (c) the rimless wheel with a pendulum: P left, P' right, velocities as arrows
    eval cell(70, ROCKER_HEIGHT, WIDE - 70, HEIGHT - ROCKER_HEIGHT, 'c', 0, -7*RIM_SCALE, RIM_SCALE)
    eval ground(mm(4), mm(106))
    array AT[2] = [mm(27), mm(79)]
    arrow_unit = fastest('pendulum_wheel', BOB + 1)
    do for [c=0:1] {
        eval wheel(c, AT[c + 1])
        do for [i=FURTHER:LAST_POINT] {
            set label '' at AT[c + 1] + point('pendulum_wheel', 'x', c, i), \
                point('pendulum_wheel', 'y', c, i) @DOT front
        }
        eval configuration(AT[c + 1] + point('pendulum_wheel', 'x', c, HUB), \
                           c == 0 ? '𝑃' : '𝑃′')
        do for [i in sprintf('%d %d', HUB, BOB)] {
            eval velocity('pendulum_wheel', c, int(i), AT[c + 1])
        }
    }
    set label math('𝑀') at AT[1] - mm(2.6),point('pendulum_wheel', 'y', 0, HUB) right
    set label sub(math('𝑚'), 'p') at AT[1] + mm(6.5),point('pendulum_wheel', 'y', 0, BOB) left
    eval scale_bar(mm(48), 1.62*LENGTH, 0.5)
    plot cell_y0 - 1

    # (d) the biped that rocks: P left, P' right
    eval cell(70, 0, WIDE - 70, ROCKER_HEIGHT, 'd', 0, -7*LEG_SCALE, LEG_SCALE)
    eval ground(mm(4), mm(106))
    array AT[2] = [mm(27), mm(84)]
    arrow_unit = fastest('rocking', ROCKER_BOB + 1)
    do for [c=0:1] {
        eval rocker(c, AT[c + 1])
        eval configuration(AT[c + 1] + (c == 0 ? 0 : point('rocking', 'x', c, HUB)), \
                           c == 0 ? '𝑃' : '𝑃′')
        eval velocity('rocking', c, ROCKER_BOB, AT[c + 1])
    }
    set label sub(math('𝑚'), '2') at AT[1] + point('rocking', 'x', 0, HUB) + mm(2.4), \
        point('rocking', 'y', 0, HUB) left
    set label sub(math('𝑚'), '1') at AT[1] + point('rocking', 'x', 0, ROCKER_BOB) - mm(2.4), \
        point('rocking', 'y', 0, ROCKER_BOB) right
    set label sub(math('𝑚'), '0') at AT[1] + mm(2.4),mm(2.4) left
    eval scale_bar(mm(52), 0.86*LEG, 0.25)
    plot cell_y0 - 1
    eval FINISH

    # Gap and contact force over a period.
    eval figure('pankov-2024-two-modes', WIDE, 66)
    eval legend('HOPPER JUGGLER REACTION_WHEEL PENDULUM_WHEEL ROCKER')
    eval pair(1)
    set xlabel 'time '.t.' / period'
    set ylabel 'gap / largest gap'
    plot [0:1] [-0.05:1.05] for [i=1:words(MODELS)] motion(word(MODELS, i)) \
        using ($1/PERIODS[i]):($2/LARGEST_GAPS[i]) with lines \
        linestyle STYLES[i]
    eval pair(2)
    set ytics 1
    set xlabel 'time '.t.' / period'
    set ylabel sub(math('𝐹'), math('2')).' / '.sub(math('𝐹'), math('2')).'^{0}'
    plot [0:1] for [i=1:words(MODELS)] motion(word(MODELS, i)) \
        using ($1/PERIODS[i]):3 with lines linestyle STYLES[i]
    eval FINISH

    # Errors of the series.
    eval figure('pankov-2024-series', WIDE, 66)
    eval pair(1)
    set logscale xy
    set xtics 2
    set format y '10^{%T}'
    set xlabel math('𝑛')
    set ylabel 'error / rad' offset 0.6,0
    set key @KEY_INSIDE bottom left
    plot [1.6:640] powers using 1:3 @NEXT_TERM title TITLE_NEXT_TERM, \
         powers using 1:5 @NEXT_TERM notitle, \
         powers using 1:2 @ALPHA title sub(alpha, math('𝑛')), \
         powers using 1:(shown($4)) @HOP_PHASE title phase_symbol.' of the hopper'
    eval pair(2)
    set logscale y
    set format y '10^{%T}'
    set xlabel math('𝑛')
    set ylabel 'error / rad' offset 0.6,0
    set key @KEY_INSIDE top right
    plot [0:15] [1e-15:1] exponentials('reaction_wheel') using 1:3 @NEXT_TERM \
             title TITLE_NEXT_TERM, \
         exponentials('reaction_wheel') using 1:5 @NEXT_TERM notitle, \
         exponentials('rocking') using 1:3 @NEXT_TERM notitle, \
         exponentials('rocking') using 1:5 @NEXT_TERM notitle, \
         exponentials('reaction_wheel') using 1:(shown($2)) @BETA \
             title sub(beta, math('𝑛')).', reaction wheel', \
         exponentials('reaction_wheel') using 1:(shown($4)) @WHEEL_PHASE \
             title phase_symbol.', reaction wheel', \
         exponentials('rocking') using 1:(shown($2)) @GAMMA \
             title sub(gamma, math('𝑛')).', rocking', \
         exponentials('rocking') using 1:(shown($4)) @ROCKING_PHASE \
             title phase_symbol.', rocking'
    eval FINISH
}
