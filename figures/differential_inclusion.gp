# What set-valued laws rest on: the direction Unit and its flow; Routh's path that slides and sticks;
# a rod whose slip reverses and one that jams, with increments beside the exact paths; and friction
# cones with facets.
#
# figures: halm-2023-fig02 halm-2023-fig03 halm-2023-routh halm-2023-facets
# records: differential_inclusion
load 'figures/style.gp'

NAME = 'differential_inclusion'

# --- figure 2 -----------------------------------------------------------------------------------

UNIT = "with lines linestyle 2"
FIRST = "with lines linestyle 2"
SECOND = "with lines linestyle 3"
FLOW = "with vectors filled head size graph 0.02,20 linestyle 33"
set style line 33 linecolor rgb '#e6b04d' linewidth 0.9 dashtype 1 pt 7 ps 0.4
REACH = 1.0
ARROW = 0.11  # of one, shorter than a cell of the field
solution(i) = data(NAME, sprintf('/unit/path_%d', i), 'x y')

# --- paths of one contact -------------------------------------------------------------------------

PATH = "with linespoints linestyle 34"
STEPS = "with linespoints linestyle 35"
RAY = "with vectors filled head size graph 0.03,20 linestyle 28"
TITLE_PATH = 'exact path'
TITLE_STEPS = 'in increments'
TITLE_RAY = 'rays of the cone'
set style line 34 linecolor rgb '#0072b2' linewidth 1.5 dashtype 1 pt 7 ps 0.4
set style line 35 linecolor rgb '#202020' linewidth 0.8 dashtype (3,3) pt 6 ps 0.4
set style line 36 linecolor rgb '#7f7f7f' linewidth 0.8 dashtype 1 pt 6 ps 0.4
path(group) = data(NAME, group, 'tangential_velocity normal_velocity')
rays(group) = data(NAME, group.'/rays', 'tangential normal')

# --- numbers of increments and facets -------------------------------------------------------------

ERROR = "with points linestyle 9"
FIRST_ORDER = "with lines linestyle 8"
EXACT = "with lines linestyle 1"
FACETS_4 = "with lines linestyle 3"
FACETS_8 = "with lines linestyle 4"
FACETS_16 = "with lines linestyle 2"
TITLE_EXACT = 'round cone'
TITLE_FACETS_4 = '4 facets'
TITLE_FACETS_8 = '8 facets'
TITLE_FACETS_16 = '16 facets'
increments = data(NAME, '/increments', 'count error')
IMPULSE = number(NAME, '/reversal/impulse[-1]')
facet_path(k) = data(NAME, sprintf('/facets/path_%d', k), 'x y')
facets = data(NAME, '/facets', 'count largest mean')

do for [format in FORMATS] {
    # Figure 2: the graph of Unit, and the flow of v' in -Unit(v).
    eval figure('halm-2023-fig02', WIDE, 74)
    eval pair(1)
    set xlabel v
    set ylabel 'Unit('.v.')'
    plot [-1.1:1.1] [-1.4:1.4] data(NAME, '/unit/graph', 'v unit') using 1:2 @UNIT
    eval pair(2)
    set size ratio -1
    set xlabel sub(v, '1')
    set ylabel sub(v, '2')
    plot [-REACH:REACH] [-REACH:REACH] \
        data(NAME, '/unit/field', 'x y dx dy') \
            using ($1 - 0.5*ARROW*$3):($2 - 0.5*ARROW*$4):(ARROW*$3):(ARROW*$4) @FLOW, \
        solution(1) using 1:2 @FIRST, solution(2) using 1:2 @SECOND
    set size noratio
    eval FINISH

    # Figure 3: slide, then stick; the rays are drawn where the contact begins to stick.
    eval figure('halm-2023-fig03', NARROW, 66)
    eval legend('PATH RAY')
    set xlabel 'tangential velocity / (m s^{−1})'
    set ylabel 'normal velocity / (m s^{−1})'
    plot [-0.9:2.2] [-1.6:0.2] 0 with lines linestyle 36, \
        rays('/figure_3') using (0):(-1):(0.75*$1):(0.75*$2) @RAY, \
        path('/figure_3') using 1:2 @PATH
    eval FINISH

    # The rod: its slip reverses; it jams; increments.
    eval figure('halm-2023-routh', WIDE, 64)
    eval legend('PATH STEPS')
    eval panel(1, 3, 1, 1)
    set xlabel 'tangential velocity / (m s^{−1})'
    set ylabel 'normal velocity / (m s^{−1})'
    set xtics 0.2
    set offsets graph 0.06, graph 0.06, graph 0.06, graph 0.06
    plot path('/increments/drawn') using 1:2 @STEPS, path('/reversal') using 1:2 @PATH
    eval panel(2, 3, 1, 1)
    set xlabel 'tangential velocity / (m s^{−1})'
    set ylabel 'normal velocity / (m s^{−1})'
    set xtics 0.1
    plot path('/jam') using 1:2 @PATH
    unset offsets
    eval panel(3, 3, 1, 1)
    set logscale xy
    set xlabel 'increments'
    set ylabel 'error / (m s^{−1})' offset -0.6,0
    set format '10^{%T}'
    set key @KEY_INSIDE top right
    plot increments using 1:(IMPULSE/$1) title 'step '.h.' / (N s)' @FIRST_ORDER, \
         increments using 1:2 title 'error' @ERROR
    eval FINISH

    # A corner in space: sliding velocities during an impact, and errors of the cones with facets.
    eval figure('halm-2023-facets', WIDE, 70)
    eval legend('EXACT FACETS_4 FACETS_8 FACETS_16')
    eval pair(1)
    set xlabel 'tangential velocity 1 / (m s^{−1})'
    set ylabel 'tangential velocity 2 / (m s^{−1})'
    plot facet_path(4) using 1:2 @FACETS_4, facet_path(8) using 1:2 @FACETS_8, \
         facet_path(16) using 1:2 @FACETS_16, data(NAME, '/facets/exact', 'x y') using 1:2 @EXACT
    eval pair(2)
    set logscale xy
    set xlabel 'facets'
    set ylabel 'error / (m s^{−1})'
    set xtics 2
    set format y '10^{%T}'
    set key @KEY_INSIDE bottom left
    plot [3.4:75] facets using 1:2 title 'largest of all directions' with linespoints linestyle 2, \
         facets using 1:3 title 'mean' with linespoints linestyle 3
    eval FINISH
}
