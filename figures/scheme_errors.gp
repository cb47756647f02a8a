# Errors of every scheme for the bouncing ball, over restitution and step.
# figures: scheme-errors-fig01
# records: scheme_errors
load 'figures/style.gp'

NAME = 'scheme_errors'
SCHEMES = 'NONSMOOTH_GALPHA MOREAU_JEAN VELOCITY_GALPHA MODIFIED_LCP SMOOTH_GALPHA'
DATA = 'nonsmooth_galpha moreau_jean velocity_galpha modified_lcp smooth_galpha'
e = math('𝑒')
error(i) = cells(NAME, '/restitution', '/step', '/'.word(DATA, i))
STEPS_LOW = 7.5e-4
STEPS_HIGH = 0.134  # half a cell beyond the axis
half(i) = data(NAME, '', '/step /'.word(DATA, i).'[5,:]')

do for [format in FORMATS] {
    eval figure('scheme-errors-fig01', WIDE, 105)
    eval legend(SCHEMES)
    do for [i=1:5] {
        eval map_panel((i - 1)%3 + 1, 3, (i - 1)/3 + 1, 2)
        set logscale y
        set ytics 10
        set format y '10^{%L}'
        set cbrange [-5:0]
        set cbtics ('10^{-5}' -5, '10^{-4}' -4, '10^{-3}' -3, '10^{-2}' -2, '10^{-1}' -1, '1' 0)
        set xlabel 'restitution '.e
        set ylabel 'step '.h.' / s'
        eval 'set label 3 TITLE_'.word(SCHEMES, i).' at graph 0,1 left offset 2.8,0.6'
        plot [-0.05:1.05] [STEPS_LOW:STEPS_HIGH] error(i) using 1:2:3:4:5:6:(log10($7 > 1e-5 ? $7 : 1e-5)) @MAP_CELLS
    }
    eval panel(3, 3, 2, 2)
    set logscale xy
    set format '10^{%L}'
    set xlabel 'step '.h.' / s'
    set ylabel 'mean error / m'
    plot [STEPS_LOW:STEPS_HIGH] [1e-4:3] half(1) using 1:2 with linespoints linestyle 2, half(2) using 1:2 with linespoints linestyle 3, \
         half(3) using 1:2 with linespoints linestyle 6, half(4) using 1:2 with linespoints linestyle 5, \
         half(5) using 1:2 with linespoints linestyle 4, x with lines linestyle 13
    eval FINISH
}
