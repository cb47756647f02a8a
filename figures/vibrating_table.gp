# Phases of the impacts over the acceleration of the table: the map, the scheme, the doublings found
# by Newton's method; and the error of the scheme over its step.
# figures: vibrating-table-fig01 vibrating-table-fig02
# records: vibrating_table
load 'figures/style.gp'

NAME = 'vibrating_table'
set style line 31 linecolor rgb '#7f7f7f' pointtype 7 pointsize 0.1
set style line 32 linecolor rgb '#0072b2' pointtype 7 pointsize 0.15
MAP = 'with points linestyle 31'
SCHEME = 'with points linestyle 32'
gamma = math('𝛤')
COUNT = int(number(NAME, 'rows(/flips/acceleration)'))
flip(i) = number(NAME, sprintf('/flips/acceleration[%d]', i - 1))

do for [format in FORMATS] {
    eval figure('vibrating-table-fig01', WIDE, 80)
    eval pair(1)
    set xlabel 'acceleration of the table over gravity '.gamma
    set ylabel 'phase of the impacts / rad'
    do for [i=1:COUNT] { eval upright(flip(i), 12) }
    plot [1.06:1.76] [0:2] spread(data(NAME, '/map', 'acceleration phase')) using 1:2 @MAP, \
         spread(data(NAME, '/nonsmooth_galpha', 'acceleration phase')) using 1:2 @SCHEME
    eval pair(2)
    set xlabel 'acceleration of the table over gravity '.gamma
    set ylabel 'phase of the impacts / rad'
    do for [i=2:COUNT] { eval upright(flip(i), 12) }
    plot [1.65:1.76] [0:2] spread(data(NAME, '/map', 'acceleration phase')) using 1:2 @MAP, \
         spread(data(NAME, '/nonsmooth_galpha', 'acceleration phase')) using 1:2 @SCHEME
    eval FINISH

    eval figure('vibrating-table-fig02', NARROW, 60)
    set logscale xy
    set format '10^{%L}'
    set xlabel 'step '.h.' / s'
    set ylabel 'mean error of the phase / rad'
    plot data(NAME, '/convergence', 'step phase_error') using 1:2 with linespoints linestyle 2
    eval FINISH
}
