# The rocking block: height, gaps, their rates, energy, and the multiplier of corner 1. The block is
# at rest well before the end of the runs; the plots end soon after that.
#
# figures: bruls-2014-fig20 bruls-2014-fig21 bruls-2014-fig22 bruls-2014-fig23 bruls-2014-fig24
# records: rocking_block
load 'figures/style.gp'

METHODS = 'REFERENCE NONSMOOTH_GALPHA MOREAU_JEAN'
END = 1.0  # s

height(method) = data_within('rocking_block', method, 'time position[:,1]', 0, END)
gaps(method) = data_within('rocking_block', method, 'time gap', 0, END)
rates(method) = data_within('rocking_block', method, 'time gap_rate', 0, END)
energy(method) = data_within('rocking_block', method, 'time energy', 0, END)
multiplier(method) = data_within('rocking_block', method, 'time contact_impulse[:,0]', 0, END)

do for [format in FORMATS] {
    # Height of the mass centre.
    eval figure('bruls-2014-fig20', NARROW, 62)
    eval legend(METHODS)
    set xlabel time_label
    set ylabel y.' / m'
    plot [0:END] [0.7:1.02] height('reference') using 1:2 @REFERENCE, \
                            height('nonsmooth_galpha') using 1:2 @NONSMOOTH_GALPHA, \
                            height('moreau_jean') using 1:2 @MOREAU_JEAN
    eval FINISH

    # Both gaps, and what passes the floor.
    eval figure('bruls-2014-fig21', WIDE, 108)
    eval legend(METHODS)
    do for [corner=1:2] {
        eval panel(1, 2, corner, 2)
        set xlabel time_label
        set ylabel sup(g, corner).' / m'
        plot [0:END] [-0.03:0.4] gaps('reference') using 1:corner+1 @REFERENCE, \
                                 gaps('nonsmooth_galpha') using 1:corner+1 @NONSMOOTH_GALPHA, \
                                 gaps('moreau_jean') using 1:corner+1 @MOREAU_JEAN
        eval panel(2, 2, corner, 2)
        set xlabel time_label
        set ylabel sup(g, corner).' / mm'
        plot [0.6:0.8] [-3:12] gaps('reference') using 1:(column(corner+1)*1e3) @REFERENCE, \
            gaps('nonsmooth_galpha') using 1:(column(corner+1)*1e3) @NONSMOOTH_GALPHA, \
            gaps('moreau_jean') using 1:(column(corner+1)*1e3) @MOREAU_JEAN
    }
    eval FINISH

    # Their rates.
    eval figure('bruls-2014-fig22', WIDE, 64)
    eval legend(METHODS)
    do for [corner=1:2] {
        eval pair(corner)
        set xlabel time_label
        set ylabel sup(dot_g, corner).' / (m s^{−1})'
        plot [0:END] [-2.5:2.5] rates('reference') using 1:corner+1 @REFERENCE, \
                                rates('nonsmooth_galpha') using 1:corner+1 @NONSMOOTH_GALPHA, \
                                rates('moreau_jean') using 1:corner+1 @MOREAU_JEAN
    }
    eval FINISH

    # Energy, and the first flight enlarged.
    eval figure('bruls-2014-fig23', WIDE, 64)
    eval legend(METHODS)
    eval pair(1)
    set xlabel time_label
    set ylabel E.' / J'
    plot [0:END] [7.2:10] energy('reference') using 1:2 @REFERENCE, \
                          energy('nonsmooth_galpha') using 1:2 @NONSMOOTH_GALPHA, \
                          energy('moreau_jean') using 1:2 @MOREAU_JEAN
    eval pair(2)
    set xlabel time_label
    set ylabel E.' / J'
    plot [0:0.18] [9.798:9.812] energy('reference') using 1:2 @REFERENCE, \
                                energy('nonsmooth_galpha') using 1:2 @NONSMOOTH_GALPHA, \
                                energy('moreau_jean') using 1:2 @MOREAU_JEAN
    eval FINISH

    # Multiplier of corner 1, an impulse in each step; its level at rest enlarged.
    eval figure('bruls-2014-fig24', WIDE, 64)
    eval legend(METHODS)
    eval pair(1)
    set xlabel time_label
    set ylabel sup(Lambda, '1').' / (N s)'
    plot [0:END] [0:2] multiplier('reference') using 1:2 with impulses linestyle 1, \
                       multiplier('nonsmooth_galpha') using 1:2 with linespoints linestyle 2, \
                       multiplier('moreau_jean') using 1:2 with linespoints linestyle 3
    eval pair(2)
    set xlabel time_label
    set ylabel sup(Lambda, '1').' / (N s)'
    plot [0.6:END] [0:0.5] multiplier('reference') using 1:2 with impulses linestyle 1, \
                           multiplier('nonsmooth_galpha') using 1:2 with linespoints linestyle 2, \
                           multiplier('moreau_jean') using 1:2 with linespoints linestyle 3
    eval FINISH
}
