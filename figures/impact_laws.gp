# Every impact law on every impact: how far elastic answers are from each other, what inelastic ones
# leave of the kinetic energy, and how many there are.
#
# figures: impact-laws
# records: impact_laws
load 'figures/style.gp'

NAME = 'impact_laws'

# Scenes by their place in the table of the experiment.
SCENES = 'bouncing_ball bouncing_pendulum elastic_bar rocking_corner rocking_swing '.\
    'serial_chain clamped_bar '.\
    'falling_disk falling_rod tilted_block flat_block wide_block zeno_block leaning_box '.\
    'compass_gait ramone disk_stack armed_biped cradle cradle_unequal break_45 break_60 break_90 '.\
    'break_120 trex_table_1 trex_unoptimized trex_root trex_initial'
array LABELS[words(SCENES)] = ['ball on the floor', 'pendulum, wall', 'elastic bar, wall', \
    'block, first corner', 'block, other corner', 'chain of masses', 'clamped bar', \
    'ball that stays', 'end of a rod', 'block, one corner', 'high block, flat', \
    'wide block, flat', 'rocking block', 'box and wall', 'compass gait', 'RAMone', \
    'stack of discs', 'biped with an arm', 'cradle', 'unequal balls', 'break, 45°', 'break, 60°', \
    'break, 90°', 'break, 120°', 'TREX, table I', 'TREX, before', 'TREX, root', \
    'TREX, straight']
PLACES = values(NAME, '/overview', 'place')
COUNT = words(PLACES)
row(i) = COUNT - 1 - i
TICS = ''
EMPTY = ''
do for [i=1:COUNT] {
    TICS = TICS.sprintf('%s"%s" %d', i > 1 ? ', ' : '', LABELS[int(word(PLACES, i)) + 1], \
        row(i - 1))
    EMPTY = EMPTY.sprintf('%s"" %d', i > 1 ? ', ' : '', row(i - 1))
}

# Laws, by their place on the axis: colours and markers, and where in its row each one stands.
set style line 31 linecolor rgb '#000000' linewidth 1.0 dashtype 1 pt 5  ps 0.32
set style line 32 linecolor rgb '#0072b2' linewidth 1.0 dashtype 1 pt 7  ps 0.36
set style line 33 linecolor rgb '#009e73' linewidth 1.0 dashtype 1 pt 9  ps 0.42
set style line 34 linecolor rgb '#d55e00' linewidth 1.0 dashtype 1 pt 13 ps 0.46
set style line 35 linecolor rgb '#8c8c8c' linewidth 1.8 dashtype 1 pt 5  ps 0.28
set style line 36 linecolor rgb '#cc79a7' linewidth 1.0 dashtype 1 pt 11 ps 0.42
LAW_0 = "with points linestyle 31"
LAW_1 = "with points linestyle 32"
LAW_2 = "with points linestyle 33"
LAW_3 = "with points linestyle 34"
LAW_4 = "with points linestyle 35"
LAW_5 = "with points linestyle 36"
TITLE_LAW_0 = 'Newton–Moreau'
TITLE_LAW_1 = 'Anitescu–Potra'
TITLE_LAW_2 = 'one after the other'
TITLE_LAW_3 = 'reflections'
TITLE_LAW_4 = 'sampled set'
TITLE_LAW_5 = 'compliant'
LAWS = 6
place(law) = 0.13*(0.5*(LAWS - 1) - int(law))

# Those that have answers: Newton and Moreau's elastic one is what others are compared with.
ELASTIC = '3 5'
PLASTIC = '0 1 2 3 4 5'
FRICTION = '0 1 2 4 5'

# Scene, least and most of a quantity by a law; and the least above the most.
span(setting, law, least, most) = data(NAME, '/overview/'.setting, \
    sprintf('/scene %s[:,%d] %s[:,%d]', least, int(law), most, int(law)))
ends(setting, law, least, most) = \
    joined(span(setting, law, least, least), span(setting, law, most, most))
RANGE = 'with vectors nohead linestyle 31 + int(k)'
END = 'with points linestyle 31 + int(k)'
# Numbers of outcomes with the friction of the scene, and without in scenes that have none.
rough(law) = data(NAME, '/overview/friction', sprintf('/scene count[:,%d]', int(law)))
smooth(law) = data(NAME, '/overview', sprintf('/scene plastic/count[:,%d] friction/kind[:,0]', \
    int(law)))

LEFT = 27.0
GAP = 3.5
SHARE = (WIDE - LEFT - ROOM_RIGHT - 3*GAP)/4
column_at(i) = margins((LEFT + (i - 1)*(SHARE + GAP))/WIDE, \
    (LEFT + (i - 1)*(SHARE + GAP) + SHARE)/WIDE, ROOM_BELOW/page_height, \
    1 - (room_key + ROOM_ABOVE)/page_height)
rows(i) = panel(i, 4, 1, 1).'; '.column_at(i).'; '.\
    sprintf('set yrange [-0.6:%.9g]; set border 1; ', COUNT - 0.4).\
    (i == 1 ? 'set ytics ('.TICS.') scale 0 font ",8"' : \
     'set ytics ('.EMPTY.') scale 0')

# Distances below this are agreement: they stand on the left edge.
AGREEMENT = 1e-5
shown(d) = d < AGREEMENT ? AGREEMENT : d

do for [format in FORMATS] {
    eval figure('impact-laws', WIDE, 158)
    eval legend('LAW_0 LAW_1 LAW_2 LAW_3 LAW_4 LAW_5')

    eval rows(1)
    set logscale x
    set xtics 100
    set format x '10^{%T}'
    set xlabel 'distance, elastic'
    plot [AGREEMENT/1.6:3] \
        for [k in ELASTIC] span('elastic', k, 'nearest', 'farthest') \
            using (shown($2)):(row($1) + place(k)):(shown($3) - shown($2)):(0) @RANGE, \
        for [k in ELASTIC] ends('elastic', k, 'nearest', 'farthest') \
            using (shown($2)):(row($1) + place(k)) @END

    eval rows(2)
    set xtics 0.25
    set xlabel 'energy kept, smooth'
    plot [-0.04:1.04] \
        for [k in PLASTIC] span('plastic', k, 'least_energy', 'most_energy') \
            using 2:(row($1) + place(k)):($3 - $2):(0) @RANGE, \
        for [k in PLASTIC] ends('plastic', k, 'least_energy', 'most_energy') \
            using 2:(row($1) + place(k)) @END

    eval rows(3)
    set xtics 0.25
    set xlabel 'energy kept, rough'
    plot [-0.04:1.04] \
        for [k in FRICTION] span('friction', k, 'least_energy', 'most_energy') \
            using 2:(row($1) + place(k)):($3 - $2):(0) @RANGE, \
        for [k in FRICTION] ends('friction', k, 'least_energy', 'most_energy') \
            using 2:(row($1) + place(k)) @END

    eval rows(4)
    set logscale x
    set xlabel 'number of outcomes'
    plot [0.7:1500] \
        for [k in FRICTION] rough(k) using 2:(row($1) + place(k)) @END, \
        for [k in PLASTIC] smooth(k) \
            using ($3 > 0 ? 1/0 : $2):(row($1) + place(k)) @END
    eval FINISH
}
