# Where a sliding rod stops at once, over its angle and the friction, and where no force is a solution; how many
# solutions there are for a rod that turns, over its angle and rate.
# figures: painleve-rod-fig01
# records: painleve_rod
load 'figures/style.gp'

NAME = 'painleve_rod'
LARGEST = parameter(NAME, 'largest_friction')
MU = parameter(NAME, 'turning_friction')
stops = filtered(data(NAME, '/map', 'angle friction sliding'), "'$3 < 0.5'")
three = filtered(data(NAME, '/turning', 'angle rate solutions'), "'$3 == 3'")
limit = data(NAME, '/map', 'angle limit')
set style line 31 linecolor rgb '#56b4e9' pointtype 5 pointsize 0.34

do for [format in FORMATS] {
    eval figure('painleve-rod-fig01', WIDE, 60)
    eval pair(1)
    set xlabel 'angle of the rod / rad'
    set ylabel 'friction'
    set key @KEY_INSIDE bottom right
    plot [0:0.5*pi] [0:LARGEST] \
        stops using 1:2 with points linestyle 31 title 'stops at once', \
        limit with lines linestyle 1 title 'no force beyond'
    eval pair(2)
    set xlabel 'angle of the rod / rad'
    set ylabel 'rate / ({/:Italic g}/{/:Italic l})^{1/2}'
    set key @KEY_INSIDE bottom right
    plot [0:0.5*pi] [0:2] \
        three using 1:2 with points linestyle 31 title 'three solutions', \
        1/sqrt(sin(x)) with lines linestyle 1 title 'end leaves the floor beyond'
    eval FINISH
}
