# Newton's cradle: the balls, energy changes by the implicit baseline and by the propagative law, and
# the motions of three and of ten balls by both.
#
# figures: seghete-2014-fig02 seghete-2014-cradle
# records: newtons_cradle
load 'figures/style.gp'

NAME = 'newtons_cradle'
R_BALL = parameter(NAME, 'radius')
BALLS = parameter(NAME, 'balls')
CHAIN = parameter(NAME, 'chain_balls')
DURATION = parameter(NAME, 'duration')
SLOWEST = parameter(NAME, 'slowest')
FASTEST = parameter(NAME, 'fastest')
COEFFICIENTS = words(values(NAME, '/parameters', 'coefficients'))
FREQUENCIES = words(values(NAME, '/parameters', 'frequencies'))

# --- the balls ----------------------------------------------------------------------------------

set style line 41 linecolor rgb '#202020' linewidth 1.0 dashtype 1         pt 7  ps 0.4
set style line 42 linecolor rgb '#7f7f7f' linewidth 0.8 dashtype (4,3)     pt 7  ps 0.4
LAST = number(NAME, '/drawing/x[-1]')
name_of(i) = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[int(i) + 1:int(i) + 1]
center_of(i) = sub(math('𝑥'), name_of(i))
balls(paths) = data(NAME, '/drawing', paths)

# --- bands: samples of each frequency, lines of the law -------------------------------------------

set style line 43 linecolor rgb '#0072b2' linewidth 0.6 dashtype 1         pt 6  ps 0.22
set style line 44 linecolor rgb '#d55e00' linewidth 0.6 dashtype 1         pt 2  ps 0.22
set style line 45 linecolor rgb '#009e73' linewidth 0.6 dashtype 1         pt 1  ps 0.22
set style line 46 linecolor rgb '#000000' linewidth 1.5 dashtype (3,3)     pt 6  ps 0.4
SLOW = "with points linestyle 43"
MIDDLE = "with points linestyle 44"
FAST = "with points linestyle 45"
LAW = "with lines linestyle 46"
frequency_title(i) = 'baseline, '.sprintf('%g Hz', number(NAME, sprintf('/scatter/frequency[%d]', i)))
TITLE_SLOW = frequency_title(0)
TITLE_MIDDLE = frequency_title(1)
TITLE_FAST = frequency_title(2)
TITLE_LAW = 'propagative law'
band(k) = sprintf('/scatter/coefficient_%02d', k)
points(k, i) = data(NAME, band(k), sprintf('/scatter/speed baseline[:,%d]', i))
# Read once: a function in a plot is asked at every sample.
array LEVEL[COEFFICIENTS]
do for [k=0:COEFFICIENTS - 1] { LEVEL[k + 1] = 100*number(NAME, band(k).'/propagative') }
# Coefficients stand above their bands, at the right.
top(k) = 100*number(NAME, band(k).'/largest')
coefficient_label(k) = sprintf('set label %d "%s = %g" at graph 0.985, first %.9g right offset 0,0.55', \
    10 + k, R, number(NAME, band(k).'/restitution'), top(k))

# --- motions --------------------------------------------------------------------------------------

BALL_1 = "with lines linestyle 2"
BALL_2 = "with lines linestyle 3"
BALL_3 = "with lines linestyle 4"
STEPS = "with points linestyle 47"
TITLE_BALL_1 = name_of(0)
TITLE_BALL_2 = name_of(1)
TITLE_BALL_3 = name_of(2)
TITLE_STEPS = 'baseline, each step'
velocity(scheme, i) = data(NAME, '/cradle/'.scheme, sprintf('time velocity[:,%d]', i))
set style line 47 linecolor rgb '#000000' linewidth 0.7 dashtype 1         pt 6  ps 0.45
set style line 48 linecolor rgb '#000000' linewidth 1.4 dashtype 1         pt 7  ps 0.5
set style line 49 linecolor rgb '#0072b2' linewidth 1.1 dashtype (3,3)     pt 6  ps 0.5
set style line 50 linecolor rgb '#d55e00' linewidth 1.1 dashtype (12,4)    pt 8  ps 0.5
CHAIN_LAW = "with linespoints linestyle 48"
CHAIN_EXACT = "with linespoints linestyle 49"
CHAIN_SWEEPS = "with linespoints linestyle 50"
TITLE_CHAIN_LAW = 'propagative law'
TITLE_CHAIN_EXACT = 'baseline, exact'
TITLE_CHAIN_SWEEPS = sprintf('baseline, %g sweeps', parameter(NAME, 'sweeps'))
chain(method, k) = data(NAME, '/chain', sprintf('ball %s[%d,:]', method, k))

do for [format in FORMATS] {
    # Figure 2: (a) the balls, (b) energy change over the speed.
    eval figure('seghete-2014-fig02', WIDE, 80)
    eval legend('SLOW MIDDLE FAST LAW')
    eval panel(1, 3, 1, 1)
    eval margins(0.02, 0.30, 0.30, 0.72)
    unset border; unset tics; unset grid
    set size ratio -1
    set label 1 '(a)' at screen 0.02,0.90 left
    plot [-1.6*R_BALL:LAST + 1.6*R_BALL] [-2.2*R_BALL:2.6*R_BALL] \
        0 linestyle 42, \
        balls('x radius') using 1:(0):2 with circles fillcolor rgb '#ffffff' fillstyle solid 1.0 \
            border linecolor rgb '#303030', \
        balls('x radius /ball') using 1:(0):(center_of($3)) with labels center, \
        balls('x velocity') using 1:($2 == 0 ? NaN : 1.6*R_BALL):(2.0*R_BALL*sgn($2)):(0) @VELOCITY
    set size noratio
    eval panel(1, 1, 1, 1)
    eval margins(0.41, 1 - ROOM_RIGHT/page_width, bottom_edge(1, 1), top_edge(1, 1))
    set grid
    set label 1 '(b)' at graph 0,1 left offset 0,0.6
    set logscale x
    set xlabel 'initial speed '.v.' / (m s^{−1})'
    set ylabel 'Δ'.E.'/'.sub(E, '0').' / %'
    do for [k=0:COEFFICIENTS - 1] { eval coefficient_label(k) }
    plot [SLOWEST:FASTEST] [-75:40] \
        for [k=0:COEFFICIENTS - 1] points(k, 0) using 1:(100*$2) @SLOW, \
        for [k=0:COEFFICIENTS - 1] points(k, 1) using 1:(100*$2) @MIDDLE, \
        for [k=0:COEFFICIENTS - 1] points(k, 2) using 1:(100*$2) @FAST, \
        for [k=0:COEFFICIENTS - 1] LEVEL[k + 1] @LAW
    eval FINISH

    # Velocities over time, and at the end of a longer chain.
    eval figure('seghete-2014-cradle', WIDE, 72)
    eval legend('BALL_1 BALL_2 BALL_3 STEPS CHAIN_LAW CHAIN_EXACT CHAIN_SWEEPS')
    eval pair(1)
    set xlabel time_label
    set ylabel v.' / (m s^{−1})'
    plot [0:DURATION] [-0.75:1.1] \
        velocity('propagative', 0) using 1:2 @BALL_1, \
        velocity('propagative', 1) using 1:2 @BALL_2, \
        velocity('propagative', 2) using 1:2 @BALL_3, \
        for [i=0:2] velocity('baseline', i) using 1:2 with points linestyle 47
    eval pair(2)
    set xlabel 'ball'
    set ylabel v.' / (m s^{−1})'
    set xtics 1
    plot [0.5:CHAIN + 0.5] [-0.95:1.1] \
        chain('propagative', 0) using ($1 + 1):2 @CHAIN_LAW, \
        chain('baseline_exact', 0) using ($1 + 1):2 @CHAIN_EXACT, \
        chain('baseline_sweeps', 0) using ($1 + 1):2 @CHAIN_SWEEPS
    eval FINISH
}
