# An arch that just stands with its line of thrust, a thinner one that falls; the least thickness over
# the number of voussoirs, by the line of thrust and by motion, and with a joint everywhere.
# figures: masonry-arch-fig01 masonry-arch-fig02
# records: masonry_arch
load 'figures/style.gp'

NAME = 'masonry_arch'
COUNT = int(parameter(NAME, 'voussoirs'))
R = parameter(NAME, 'radius')
stone(group, k) = data(NAME, group, sprintf('x[:,%d] y[:,%d]', k, k))
STONES = 'using ($1/R):($2/R) with lines linewidth 0.5 linecolor rgb "#404040"'
thrust = data(NAME, '/line_of_thrust', 'angle radius')
voussoirs = data(NAME, '/voussoirs', 'voussoir_count thickness stands')
limit(group) = number(NAME, group.'/thickness')
FLAT = 'set size ratio -1; set xlabel "place over the radius"; set ylabel "height over the radius"'

do for [format in FORMATS] {
    eval figure('masonry-arch-fig01', WIDE, 60)
    eval pair(1)
    eval FLAT
    plot [-1.3:1.3] [-0.1:1.2] for [k=0:COUNT-1] stone('/standing', k) @STONES, \
        for [side=-1:1:2] thrust using (side*$2*sin($1)):($2*cos($1)) with linespoints linestyle 2
    eval pair(2)
    eval FLAT
    plot [-1.3:1.3] [-0.1:1.2] for [k=0:COUNT-1] stone('/falling', k) @STONES
    eval FINISH

    eval figure('masonry-arch-fig02', NARROW, 65)
    set xlabel 'voussoirs'
    set ylabel 'least thickness over the radius'
    set key @KEY_INSIDE bottom right
    plot [5:25] [0.088:0.109] \
        voussoirs using 1:2 with lines linestyle 2 title 'line of thrust', \
        voussoirs using 1:3 @PUBLISHED title 'motion', \
        limit('/true_centres') with lines linestyle 1 title 'Milankovitch', \
        limit('/heyman') with lines linestyle 7 title 'Heyman'
    eval FINISH
}
