# The bar under the three schemes of the paper and the travelling wave: gap, velocity of the wall
# end, energy and contact force.
#
# figures: bruls-2014-fig17 bruls-2014-fig18 bruls-2014-fig19
# records: elastic_bar
load 'figures/style.gp'

bar(group, series) = data('elastic_bar', group, 'time '.series)

CURVES = 'REFERENCE NONSMOOTH_GALPHA MOREAU_JEAN SMOOTH_GALPHA'
TITLE_REFERENCE = 'exact'

step = parameter('elastic_bar', 'step')

# The windows of the enlarged views: the impact and the take-off.
IMPACT = '[0.49:0.60]'
TAKE_OFF = '[1.12:1.22]'
CONTACT = '[0.45:1.25]'


do for [format in FORMATS] {
    # Gap: the whole run, the contact, the impact and the take-off.
    eval figure('bruls-2014-fig17', WIDE, 105)
    eval legend(CURVES)
    do for [i=1:4] {
        eval panel(1 + (i - 1)%2, 2, 1 + (i - 1)/2, 2)
        set xlabel time_label
        scale = i == 1 ? 1 : 1e3
        set ylabel g.(i == 1 ? ' / m' : ' / mm')
        if (i == 1) { set xrange [0:2]; set yrange [-0.5:9] }
        if (i == 2) { set xrange @CONTACT; set yrange [-6:20] }
        if (i == 3) { set xrange @IMPACT; set yrange [-6:16] }
        if (i == 4) { set xrange @TAKE_OFF; set xtics 0.02; set yrange [-20:160] }
        plot bar('reference', 'gap[:,0]') using 1:($2*scale) @REFERENCE, \
             bar('smooth_galpha', 'gap[:,0]') using 1:($2*scale) @SMOOTH_GALPHA, \
             bar('moreau_jean', 'gap[:,0]') using 1:($2*scale) @MOREAU_JEAN, \
             bar('nonsmooth_galpha', 'gap[:,0]') using 1:($2*scale) @NONSMOOTH_GALPHA
    }
    eval FINISH

    # Velocity of the wall end and energy, above the whole run, below the impact.
    eval figure('bruls-2014-fig18', WIDE, 105)
    eval legend(CURVES)
    do for [i=1:4] {
        series = i%2 == 1 ? 'gap_rate[:,0]' : 'energy'
        eval panel(1 + (i - 1)%2, 2, 1 + (i - 1)/2, 2)
        set xlabel time_label
        set ylabel (i%2 == 1 ? sub(dot_u, '0').' / (m s^{−1})' : E.' / J')
        if (i <= 2) { set xrange [0:2] } else { set xrange @IMPACT }
        if (i%2 == 1) { set yrange [-16:16] } else { set yrange [i == 2 ? 470 : 488:506] }
        plot bar('reference', series) using 1:2 @REFERENCE, \
             bar('smooth_galpha', series) using 1:2 @SMOOTH_GALPHA, \
             bar('moreau_jean', series) using 1:2 @MOREAU_JEAN, \
             bar('nonsmooth_galpha', series) using 1:2 @NONSMOOTH_GALPHA
    }
    eval FINISH

    # Contact force, lambda of the smooth scheme and Lambda / h of the others: the contact, the
    # impact, the impact without the extremes of the smooth scheme, the take-off.
    eval figure('bruls-2014-fig19', WIDE, 105)
    eval legend(CURVES)
    do for [i=1:4] {
        eval panel(1 + (i - 1)%2, 2, 1 + (i - 1)/2, 2)
        set xlabel time_label
        set ylabel 'contact force / N'
        set yrange [-50:800]
        if (i == 1) { set xrange @CONTACT }
        if (i == 2 || i == 3) { set xrange @IMPACT }
        if (i == 3) { set xrange [0.495:0.545]; set xtics 0.01; set yrange [160:340] }
        if (i == 4) { set xrange @TAKE_OFF; set xtics 0.02; set yrange [-25:350] }
        plot bar('reference', 'contact_force[:,0]') using 1:2 @REFERENCE, \
             bar('smooth_galpha', 'contact_force[:,0]') using 1:2 @SMOOTH_GALPHA, \
             bar('moreau_jean', 'contact_impulse[:,0]') using 1:($2/step) @MOREAU_JEAN, \
             bar('nonsmooth_galpha', 'contact_impulse[:,0]') using 1:($2/step) @NONSMOOTH_GALPHA
    }
    eval FINISH
}
