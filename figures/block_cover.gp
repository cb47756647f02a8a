# How well samples cover the outcomes of a falling block, its largest rebound and slip, over shape and
# friction; above the line no corner slides.
# figures: block-cover-fig01
# records: block_cover
load 'figures/style.gp'

NAME = 'block_cover'
PATHS = '/cover /rebound /slip'
LABELS = 'cover rebound slip'
sticks(h) = 3*h/(1 + 4*h**2)
speed = number(NAME, '/speed[0,0]')

do for [format in FORMATS] {
    eval figure('block-cover-fig01', WIDE, 58)
    do for [i=1:3] {
        eval map_panel(i, 3, 1, 1)
        set xlabel 'height over width'
        set ylabel 'friction '.mu
        eval colour_label(word(LABELS, i).' / '.sub(v, '0'))
        plot [0.125:2.875] [0:1.1] cells(NAME, '/height', '/friction', word(PATHS, i)) \
                 using 1:2:3:4:5:6:($7/speed) @MAP_CELLS, \
             sticks(x) with lines linecolor rgb '#c8431b' linewidth 1.2
    }
    eval FINISH
}
