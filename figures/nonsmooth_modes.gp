# Motions of the bar with one, two and three impacts per period: energy against frequency, all of
# them and those of the lowest frequencies. Branches of one impact are lines; the random search found
# the points.
#
# figures: thorin-2017-energies
# records: nonsmooth_modes
load 'figures/style.gp'

ONE_IMPACT = "with lines linestyle 1"
TWO_IMPACTS = "with points linestyle 3"
THREE_IMPACTS = "with points linestyle 2"
NEUTRAL = "with points linestyle 4"
k = math('𝑘')
TITLE_ONE_IMPACT = k.' = 1'
TITLE_TWO_IMPACTS = k.' = 2'
TITLE_THREE_IMPACTS = k.' = 3'
TITLE_NEUTRAL = k.' = 1, neutrally stable'

# A multiplier within 1e-7 of the unit circle counts as on it.
NEUTRAL_RADIUS = 1 + 1e-7
selected(group, column, low, high) = \
    data_where('nonsmooth_modes', group, 'period energy spectral_radius', column, low, high)
# A record of one's own structure has no such picture, but the branch that was followed, if any.
IS_OWN = strstrt(columns, '--allow-missing') && !has('nonsmooth_modes', '/picture/period[0]')
ONE = IS_OWN ? '/branch' : '/picture'
BRANCHES = data('nonsmooth_modes', ONE, 'period energy')
NEUTRAL_POINTS = selected(ONE, 'spectral_radius', 0, NEUTRAL_RADIUS)
found(impacts) = selected('/solutions', 'impacts', impacts, impacts)

# A row of NaN ends a branch: a gap in the line, not a missing point to be bridged.
unset datafile
set datafile separator "\t"

do for [format in FORMATS] {
    eval figure('thorin-2017-energies', WIDE, 78)
    eval legend('ONE_IMPACT TWO_IMPACTS THREE_IMPACTS NEUTRAL')
    do for [i=1:IS_OWN ? 1 : 2] {
        eval panel(i, IS_OWN ? 1 : 2, 1, 1)
        set logscale y
        if (IS_OWN) { set format y '10^{%T}' }
        if (i == 1 && !IS_OWN) {
            set logscale x
            set xrange [0.22:6]
            set yrange [0.4:1000]
            set xtics (0.25, 0.5, 1, 2, 4)
        }
        if (i == 2) {
            set logscale x
            set xrange [0.245:0.36]
            set yrange [0.4:30]
            set xtics (0.25, 0.27, 0.29, 0.31, 0.33, 0.35)
        }
        set xlabel 'frequency 1/'.math('𝑇').' / Hz' offset 0,1.1
        set ylabel E.' / J'
        plot BRANCHES using (1/$1):2 @ONE_IMPACT, \
             found(2) using (1/$1):2 @TWO_IMPACTS, \
             found(3) using (1/$1):2 @THREE_IMPACTS, \
             NEUTRAL_POINTS using (1/$1):2 @NEUTRAL
    }
    eval FINISH
}
