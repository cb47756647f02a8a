# The bouncing ball: gap, velocity, energy, impulse and position multiplier.
# figures: bruls-2014-fig02 bruls-2014-fig03 bruls-2014-fig04 bruls-2014-fig05 bruls-2014-fig06 bruls-2014-fig07
# records: bouncing_ball
load 'figures/style.gp'

of(group, paths) = data('bouncing_ball', group, paths)
within(group, paths, low, high) = data_within('bouncing_ball', group, paths, low, high)
gap(group) = of(group, 'time gap[:,0]')
velocity(group) = of(group, 'time velocity[:,0]')
energy(group) = of(group, 'time energy')
impulse(group) = of(group, 'time contact_impulse[:,0]')
nu_of(group) = of(group, 'time contact_position_multiplier[:,0]')

end = parameter('bouncing_ball', 'duration')
E_0 = number('bouncing_ball', '/reference/energy[0]')
accumulation = number('bouncing_ball', '/exact/accumulation_time')
# Where the gap, the impulse or the multiplier of a step is zero there is no point.
positive(value) = value > 0 ? value : NaN

# The instant at which the impacts accumulate, in every enlarged view.
mark_accumulation = sprintf('set arrow 9 from first %.9g, graph 0 to first %.9g, graph 1 nohead '.\
    'linecolor rgb "#7f7f7f" linewidth 0.8 dashtype 3', accumulation, accumulation)

gap_label = 'gap '.g.' / m'
gap_mm_label = 'gap '.g.' / mm'
velocity_label = 'velocity '.dot_y.' / (m s^{−1})'
energy_label = 'energy '.E.' / J'
impulse_label = 'impulse '.Lambda.' / (N s)'

do for [format in FORMATS] {
    # 2: gap under the smooth scheme and under the modified condition
    eval figure('bruls-2014-fig02', WIDE, 60)
    eval legend('SMOOTH_GALPHA MODIFIED_LCP REFERENCE')
    eval panel(1, 3, 1, 1)
    set xlabel time_label
    set ylabel gap_label
    set ytics 4
    plot [0:end] [-0.5:14] gap('reference') @REFERENCE, \
        gap('modified_lcp') @MODIFIED_LCP, gap('smooth_galpha') @SMOOTH_GALPHA
    eval panel(2, 3, 1, 1)
    set xlabel time_label
    set ylabel gap_label
    set ytics 0.2
    plot [0:3.2] [-0.03:0.85] gap('reference') @REFERENCE, \
        gap('modified_lcp') @MODIFIED_LCP, gap('smooth_galpha') @SMOOTH_GALPHA
    eval panel(3, 3, 1, 1)
    eval mark_accumulation
    set xlabel time_label
    set ylabel gap_mm_label
    set xtics 0.4
    set ytics 4
    plot [3.2:4.6] [-0.8:24] within('reference', 'time gap[:,0]', 3.2, 4.6) using 1:($2*1e3) @REFERENCE, \
        within('modified_lcp', 'time gap[:,0]', 3.2, 4.6) using 1:($2*1e3) @MODIFIED_LCP
    eval FINISH

    # 3: velocity under the modified condition
    eval figure('bruls-2014-fig03', WIDE, 60)
    eval legend('MODIFIED_LCP REFERENCE')
    eval pair(1)
    set xlabel time_label
    set ylabel velocity_label
    plot [0:end] [-4.5:4] velocity('reference') @REFERENCE, \
        velocity('modified_lcp') @MODIFIED_LCP
    eval pair(2)
    eval mark_accumulation
    set xlabel time_label
    set ylabel velocity_label
    plot [3.2:4.6] [-0.65:0.65] within('reference', 'time velocity[:,0]', 3.2, 4.6) @REFERENCE, \
        within('modified_lcp', 'time velocity[:,0]', 3.2, 4.6) @MODIFIED_LCP
    eval FINISH

    # 4: gap under both consistent schemes
    eval figure('bruls-2014-fig04', WIDE, 60)
    eval legend('NONSMOOTH_GALPHA MOREAU_JEAN REFERENCE')
    eval panel(1, 3, 1, 1)
    set xlabel time_label
    set ylabel gap_label
    set ytics 0.2
    plot [0:end] [-0.03:0.85] gap('reference') @REFERENCE, gap('moreau_jean') @MOREAU_JEAN, \
        gap('nonsmooth_galpha') @NONSMOOTH_GALPHA
    eval panel(2, 3, 1, 1)
    set xlabel time_label
    set ylabel gap_mm_label
    set xtics 0.01
    plot [1.95:1.985] [-4:26] gap('reference') using 1:($2*1e3) @REFERENCE, \
        of('exact/impacts', 'time') using 1:(0) with points linestyle 1, \
        gap('moreau_jean') using 1:($2*1e3) with linespoints linestyle 3, \
        gap('nonsmooth_galpha') using 1:($2*1e3) with linespoints linestyle 2
    eval panel(3, 3, 1, 1)
    eval mark_accumulation
    set xlabel time_label
    set ylabel gap_mm_label
    set xtics 0.2
    plot [3:3.8] [-2.5:25] within('reference', 'time gap[:,0]', 3, 3.8) using 1:($2*1e3) @REFERENCE, \
        within('moreau_jean', 'time gap[:,0]', 3, 3.8) using 1:($2*1e3) @MOREAU_JEAN, \
        within('nonsmooth_galpha', 'time gap[:,0]', 3, 3.8) using 1:($2*1e3) @NONSMOOTH_GALPHA
    eval FINISH

    # 5: velocity and energy, and the energy of the first flight enlarged
    eval figure('bruls-2014-fig05', WIDE, 60)
    eval legend('NONSMOOTH_GALPHA MOREAU_JEAN REFERENCE')
    eval panel(1, 3, 1, 1)
    set xlabel time_label
    set ylabel velocity_label
    plot [0:end] [-4.5:4] velocity('reference') @REFERENCE, \
        velocity('moreau_jean') @MOREAU_JEAN, velocity('nonsmooth_galpha') @NONSMOOTH_GALPHA
    eval panel(2, 3, 1, 1)
    set xlabel time_label
    set ylabel energy_label
    plot [0:end] [-0.3:8.5] energy('reference') @REFERENCE, \
        energy('moreau_jean') @MOREAU_JEAN, energy('nonsmooth_galpha') @NONSMOOTH_GALPHA
    eval panel(3, 3, 1, 1)
    set xlabel time_label
    set ylabel '('.E.' − '.sub(E, '0').') / mJ'
    set xtics 0.1
    plot [0:0.4] [-5:1] energy('reference') using 1:(($2 - E_0)*1e3) @REFERENCE, \
        energy('moreau_jean') using 1:(($2 - E_0)*1e3) @MOREAU_JEAN, \
        energy('nonsmooth_galpha') using 1:(($2 - E_0)*1e3) @NONSMOOTH_GALPHA
    eval FINISH

    # 6: impulse of the contact in each step
    eval figure('bruls-2014-fig06', WIDE, 60)
    eval legend('NONSMOOTH_GALPHA MOREAU_JEAN REFERENCE')
    eval pair(1)
    set xlabel time_label
    set ylabel impulse_label
    plot [0:end] [-0.3:8] of('exact/impacts', 'time impulse') with impulses linestyle 1, \
        impulse('moreau_jean') @MOREAU_JEAN, impulse('nonsmooth_galpha') @NONSMOOTH_GALPHA
    eval pair(2)
    eval mark_accumulation
    set xlabel time_label
    set ylabel impulse_label
    set logscale y
    plot [3.2:4] [0.005:2] of('exact/impacts', 'time impulse') with points linestyle 1, \
        impulse('moreau_jean') using 1:(positive($2)) with points linestyle 3, \
        impulse('nonsmooth_galpha') using 1:(positive($2)) with points linestyle 2
    eval FINISH

    # 7: position multiplier in each step
    eval figure('bruls-2014-fig07', WIDE, 56)
    eval pair(1)
    set xlabel time_label
    set ylabel nu.' / (10^{−3} N s^2)'
    plot [0:end] [-0.3:8] nu_of('nonsmooth_galpha') using 1:($2*1e3) @NONSMOOTH_GALPHA
    eval pair(2)
    eval mark_accumulation
    set xlabel time_label
    set ylabel nu.' / (10^{−3} N s^2)'
    set logscale y
    plot [3.2:4] [0.005:2] nu_of('nonsmooth_galpha') using 1:(positive($2*1e3)) \
        with points linestyle 2
    eval FINISH
}
