# Bodies with friction against closed forms: a sphere that comes to roll, an impact with spin, boxes
# on a slope, blocks that rock; errors over steps and over iterations.
# figures: sliding-bodies-fig01 sliding-bodies-fig02
# records: sliding_bodies
load 'figures/style.gp'

NAME = 'sliding_bodies'
set style line 31 linecolor rgb '#0072b2' pointtype 4 pointsize 0.3
set style line 32 linecolor rgb '#e69f00' pointtype 2 pointsize 0.3
set style line 33 linecolor rgb '#c8431b' pointtype 9 pointsize 0.4
SCHEME(k) = sprintf('after[:,%d]', k)
POINTS(k) = 'with points linestyle '.word('3 7 6 2 8', k + 1)
M_MOREAU_JEAN = 'with linespoints linestyle 3'
M_MIDPOINT = 'with linespoints linestyle 7'
M_VELOCITY = 'with linespoints linestyle 6'
M_NONSMOOTH = 'with linespoints linestyle 2'
M_VARIATIONAL = 'with linespoints linestyle 8'
TITLE_M_MOREAU_JEAN = TITLE_MOREAU_JEAN
TITLE_M_MIDPOINT = theta.' = 1/2'
TITLE_M_VELOCITY = TITLE_VELOCITY_GALPHA
TITLE_M_NONSMOOTH = TITLE_NONSMOOTH_GALPHA
TITLE_M_VARIATIONAL = 'variational'
WORD = 'set object rectangle center %s size 0.34,0.2 front fillcolor rgb "#ffffff" fillstyle solid noborder; set label "%s" at %s center front'
word_at(text, place) = sprintf(WORD, place, text, place)
LEGEND = 'M_MOREAU_JEAN M_MIDPOINT M_VELOCITY M_NONSMOOTH M_VARIATIONAL'
GROUPS = 'moreau_jean moreau_jean_midpoint velocity_galpha nonsmooth_galpha variational'
STYLES = '3 7 6 2 8'
MOTIONS = 'rolling thrown braking'
state(k) = data(NAME, '/tipping', sprintf('friction slenderness found[:,0] exact'))
only(value, which) = value == which ? 1 : NaN

do for [format in FORMATS] {
    eval figure('sliding-bodies-fig01', WIDE, 120)
    eval panel(1, 2, 1, 2)
    set xlabel time_label
    set ylabel 'speed / m s^{−1}'
    set key @KEY_INSIDE top right
    plot [] [0:2.6] data(NAME, '/rolling/exact', 'time speed') using 1:2 with lines linestyle 2 title 'centre', \
         data(NAME, '/rolling/exact', 'time rim_speed') using 1:2 with lines linestyle 3 title 'rim', \
         data(NAME, '/rolling/exact', 'time sliding') using 1:2 with lines linestyle 4 title 'lowest point'
    eval panel(2, 2, 1, 2)
    set xlabel 'sliding before over normal speed'
    set ylabel 'sliding after over normal speed'
    set key @KEY_INSIDE top left
    plot data(NAME, '/oblique_impact', 'before exact') using 1:2 with lines linestyle 1 title 'closed form', \
         data(NAME, '/oblique_impact', 'before after[:,0]') using 1:2 with points linestyle 3 title TITLE_M_MOREAU_JEAN, \
         data(NAME, '/oblique_impact', 'before after[:,4]') using 1:2 with points linestyle 8 title TITLE_M_VARIATIONAL
    eval panel(1, 2, 2, 2)
    set xlabel mu.' / tan '.math('𝑎')
    set ylabel 'width over height / tan '.math('𝑎')
    set xrange [0:2]
    set yrange [0:2]
    set arrow from 0,0 to 1,1 nohead linestyle 1
    set arrow from 1,1 to 2,1 nohead linestyle 1
    set arrow from 1,1 to 1,2 nohead linestyle 1
    eval word_at('slides', '0.35,1.45')
    eval word_at('rests', '1.5,1.5')
    eval word_at('tips', '1.3,0.5')
    plot state(0) using 1:($2*only($3, 1)) with points linestyle 31, \
         state(0) using 1:($2*only($3, 0)) with points linestyle 32, \
         state(0) using 1:($2*only($3, 2)) with points linestyle 33
    eval panel(2, 2, 2, 2)
    set xlabel 'width over height'
    set ylabel 'rate after over before'
    set key @KEY_INSIDE top right
    plot data(NAME, '/rocking_on', 'slenderness exact') using 1:2 with lines linestyle 1 title '1 − 3/2 sin^2'.alpha, \
         data(NAME, '/rocking_on', 'slenderness ratio[:,3]') using 1:2 with points linestyle 2 title TITLE_M_NONSMOOTH, \
         data(NAME, '/rocking_on', 'slenderness ratio[:,4]') using 1:2 with points linestyle 8 title TITLE_M_VARIATIONAL
    eval FINISH

    eval figure('sliding-bodies-fig02', WIDE, 110)
    eval legend(LEGEND)
    do for [m=1:3] {
        do for [row=1:2] {
            eval panel(m, 3, row, 2)
            set logscale xy
            set format '10^{%L}'
            set yrange [1e-9:1e-1]
            set xlabel row == 1 ? 'step '.h.' / s' : 'evaluations'
            set ylabel m == 1 ? 'error of the place' : ''
            plot for [k=1:5] data(NAME, '/'.word(MOTIONS, m).'/'.word(GROUPS, k), 'step steps iterations error') \
                using (row == 1 ? $1 : $2 + $3):4 with linespoints linestyle int(word(STYLES, k))
        }
    }
    eval FINISH
}
