# Height of the sleeve, and angles of sleeve and bird, over some strokes.
# figures: woodpecker-fig01
# records: woodpecker
load 'figures/style.gp'

NAME = 'woodpecker'
motion(what) = data_within(NAME, '/motion', 'time '.what, 0, 0.6)
beak(what) = filtered(data(NAME, '/events', 'time contact '.what), "'$2 == 0 && $1 < 0.6'")

do for [format in FORMATS] {
    eval figure('woodpecker-fig01', WIDE, 60)
    eval pair(1)
    set xlabel time_label
    set ylabel 'height of the sleeve / mm'
    plot [0:0.6] motion('position[:,0]') using 1:($2*1e3) with lines linestyle 2 notitle, \
        beak('y') using 1:($3*1e3) @PUBLISHED notitle
    eval pair(2)
    set xlabel time_label
    set ylabel 'angle / rad'
    set key @KEY_INSIDE bottom right
    plot [0:0.6] [-0.9:0.2] motion('position[:,2]') using 1:2 with lines linestyle 2 title 'bird', \
        motion('position[:,1]') using 1:2 with lines linestyle 7 title 'sleeve', \
        beak('bird_angle') using 1:3 @PUBLISHED notitle
    eval FINISH
}
