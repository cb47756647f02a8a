# The pendulum against the wall: motion, multipliers of the contact and of the joints.
#
# figures: bruls-2014-fig08 bruls-2014-fig09 bruls-2014-fig10 bruls-2014-fig11 bruls-2014-fig12
# figures: bruls-2014-fig13 bruls-2014-fig14 bruls-2014-fig15 bruls-2014-fig16
# records: bouncing_pendulum
load 'figures/style.gp'

NAME = 'bouncing_pendulum'
NS = 'nonsmooth_galpha'
MJ = 'moreau_jean'
END = parameter(NAME, 'duration')

# The reference has ten times as many rows: smooth curves show no difference with every tenth, in
# windows and for impulses all rows are drawn.
THIN = 10
curve(group, paths) = data(NAME, group, 'time '.paths)
reference(paths) = data_every(NAME, 'reference', 'time '.paths, THIN)
all_rows(group, paths, low, high) = data_within(NAME, group, 'time '.paths, low, high)

# Windows of the enlarged views, s and the unit of the axis.
ACCUMULATION = '[4.6:5.2]'
# The first impact at which Moreau-Jean penetrates is the second.
SECOND_IMPACT = '[1.272:1.292]'
OSCILLATION = '[0.45:0.55]'

gap_label(unit) = sup(g, '3').' / '.unit

do for [format in FORMATS] {
    # Figure 8: the gap, at the second impact and at the accumulation.
    eval figure('bruls-2014-fig08', WIDE, 62)
    eval legend('REFERENCE NONSMOOTH_GALPHA MOREAU_JEAN')
    eval panel(1, 3, 1, 1)
    set xlabel time_label
    set ylabel gap_label('m')
    set ytics 0.1
    plot [0:END] [-0.02:0.32] reference('gap[:,0]') @REFERENCE, \
                 curve(NS, 'gap[:,0]') @NONSMOOTH_GALPHA, curve(MJ, 'gap[:,0]') @MOREAU_JEAN
    eval panel(2, 3, 1, 1)
    set xlabel time_label
    set ylabel gap_label('mm')
    set xtics 0.005
    plot @SECOND_IMPACT [-3:25] all_rows('reference', 'gap[:,0]', 1.26, 1.3) using 1:($2*1e3) @REFERENCE, \
                         all_rows(NS, 'gap[:,0]', 1.26, 1.3) using 1:($2*1e3) @NONSMOOTH_GALPHA, \
                         all_rows(MJ, 'gap[:,0]', 1.26, 1.3) using 1:($2*1e3) @MOREAU_JEAN
    eval panel(3, 3, 1, 1)
    set xlabel time_label
    set ylabel gap_label('mm')
    set xtics 0.2
    plot @ACCUMULATION [-1:4] \
        all_rows('reference', 'gap[:,0]', 4.5, 5.3) using 1:($2*1e3) @REFERENCE, \
        all_rows(NS, 'gap[:,0]', 4.5, 5.3) using 1:($2*1e3) @NONSMOOTH_GALPHA, \
        all_rows(MJ, 'gap[:,0]', 4.5, 5.3) using 1:($2*1e3) @MOREAU_JEAN
    eval FINISH

    # Figure 9: both components of the velocity that jump, and the energy.
    eval figure('bruls-2014-fig09', WIDE, 108)
    eval legend('REFERENCE NONSMOOTH_GALPHA MOREAU_JEAN')
    eval panel(1, 2, 1, 2)
    set xlabel time_label
    set ylabel dot_x.' / (m s^{−1})'
    plot [0:END] reference('velocity[:,0]') @REFERENCE, \
                 curve(NS, 'velocity[:,0]') @NONSMOOTH_GALPHA, \
                 curve(MJ, 'velocity[:,0]') @MOREAU_JEAN
    eval panel(2, 2, 1, 2)
    set xlabel time_label
    set ylabel dot_theta.' / (rad s^{−1})'
    plot [0:END] reference('velocity[:,2]') @REFERENCE, \
                 curve(NS, 'velocity[:,2]') @NONSMOOTH_GALPHA, \
                 curve(MJ, 'velocity[:,2]') @MOREAU_JEAN
    eval panel(1, 2, 2, 2)
    set xlabel time_label
    set ylabel dot_x.' / (m s^{−1})'
    set ytics 0.1
    plot @ACCUMULATION [-0.13:0.13] all_rows('reference', 'velocity[:,0]', 4.5, 5.3) @REFERENCE, \
                                    all_rows(NS, 'velocity[:,0]', 4.5, 5.3) @NONSMOOTH_GALPHA, \
                                    all_rows(MJ, 'velocity[:,0]', 4.5, 5.3) @MOREAU_JEAN
    eval panel(2, 2, 2, 2)
    set xlabel time_label
    set ylabel E.' / J'
    plot [0:END] [-8:4] reference('energy') @REFERENCE, curve(NS, 'energy') @NONSMOOTH_GALPHA, \
                        curve(MJ, 'energy') @MOREAU_JEAN
    eval FINISH

    # Figure 10: impulse of the contact, and its level in the closed phase.
    eval figure('bruls-2014-fig10', WIDE, 62)
    eval legend('REFERENCE NONSMOOTH_GALPHA MOREAU_JEAN')
    eval pair(1)
    set xlabel time_label
    set ylabel sup(Lambda, '3').' / (N s)'
    plot [0:END] [-0.5:13] curve('reference', 'contact_impulse[:,0]') @REFERENCE, \
                           curve(NS, 'contact_impulse[:,0]') @NONSMOOTH_GALPHA, \
                           curve(MJ, 'contact_impulse[:,0]') @MOREAU_JEAN
    eval pair(2)
    set xlabel time_label
    set ylabel sup(Lambda, '3').' / (10^{−3} N s)'
    plot @ACCUMULATION [-1:25] \
        all_rows('reference', 'contact_impulse[:,0]', 4.5, 5.3) using 1:($2*1e3) @REFERENCE, \
        all_rows(NS, 'contact_impulse[:,0]', 4.5, 5.3) using 1:($2*1e3) @NONSMOOTH_GALPHA, \
        all_rows(MJ, 'contact_impulse[:,0]', 4.5, 5.3) using 1:($2*1e3) @MOREAU_JEAN
    eval FINISH

    # Figures 11 and 16: position multipliers of the contact and of the first joint; the reference
    # on top, since its peaks are the smaller ones.
    nu_number = '3 1'
    nu_array = 'contact_position_multiplier[:,0] joint_position_multiplier[:,0]'
    do for [i=1:2] {
        eval figure(word('bruls-2014-fig11 bruls-2014-fig16', i), WIDE, 62)
        eval legend('REFERENCE NONSMOOTH_GALPHA')
        eval pair(1)
        set xlabel time_label
        set ylabel sup(nu, word(nu_number, i)).' / (10^{−3} N s^2)'
        if (i == 1) { set yrange [-0.3:6.5] } else { set yrange [-3.6:0.2] }
        plot [0:END] curve(NS, word(nu_array, i)) using 1:($2*1e3) @NONSMOOTH_GALPHA, \
                     curve('reference', word(nu_array, i)) using 1:($2*1e3) @REFERENCE
        eval pair(2)
        set xlabel time_label
        set ylabel sup(nu, word(nu_number, i)).' / (10^{−6} N s^2)'
        if (i == 1) { set yrange [-0.5:12] } else { set yrange [-6.5:0.3] }
        plot @ACCUMULATION \
            all_rows(NS, word(nu_array, i), 4.5, 5.3) using 1:($2*1e6) @NONSMOOTH_GALPHA, \
            all_rows('reference', word(nu_array, i), 4.5, 5.3) using 1:($2*1e6) @REFERENCE
        eval FINISH
    }

    # Figure 12: drift of the first joint.
    eval figure('bruls-2014-fig12', NARROW, 60)
    eval legend('NONSMOOTH_GALPHA MOREAU_JEAN')
    set xlabel time_label
    set ylabel sup(g, '1').' / mm'
    plot [0:END] [-0.52:0.06] \
        curve(NS, 'joint_residual[:,0]') using 1:($2*1e3) @NONSMOOTH_GALPHA, \
        curve(MJ, 'joint_residual[:,0]') using 1:($2*1e3) @MOREAU_JEAN
    eval FINISH

    # Figure 13: multipliers of the first joint, nonsmooth scheme left, Moreau-Jean right.
    eval figure('bruls-2014-fig13', WIDE, 150)
    eval legend('NONSMOOTH_GALPHA MOREAU_JEAN')
    eval BY_COLUMN
    eval panel(1, 2, 1, 3)
    set xlabel time_label
    set ylabel sup(Lambda, '1').' / (N s)'
    plot [0:END] [-7:0.5] curve(NS, 'joint_impulse[:,0]') @NONSMOOTH_GALPHA
    eval panel(1, 2, 2, 3)
    set xlabel time_label
    set ylabel sup(tilde_lambda, '1').' / N'
    plot [0:END] [-31:16] curve(NS, 'joint_force[:,0]') @NONSMOOTH_GALPHA
    eval panel(1, 2, 3, 3)
    set xlabel time_label
    set ylabel sup(tilde_lambda, '1').' / N'
    plot @OSCILLATION [-31:16] curve(NS, 'joint_force[:,0]') @NONSMOOTH_GALPHA
    eval panel(2, 2, 1, 3)
    set xlabel time_label
    set ylabel sup(Lambda, '1').' / (N s)'
    plot [0:END] [-7:0.5] curve(MJ, 'joint_impulse[:,0]') @MOREAU_JEAN
    eval panel(2, 2, 2, 3)
    set xlabel time_label
    set ylabel sup(Lambda, '1').' / (10^{−3} N s)'
    plot [0:END] [-31:16] curve(MJ, 'joint_impulse[:,0]') using 1:($2*1e3) @MOREAU_JEAN
    eval panel(2, 2, 3, 3)
    set xlabel time_label
    set ylabel sup(Lambda, '1').' / (10^{−3} N s)'
    plot @OSCILLATION [-31:16] curve(MJ, 'joint_impulse[:,0]') using 1:($2*1e3) @MOREAU_JEAN
    eval FINISH

    # Figure 14: the smooth force of the first joint for three spectral radii, and the exact one.
    reference_title = TITLE_REFERENCE
    TITLE_REFERENCE = 'exact'
    GROUPS = NS.' '.NS.'_radius_04 '.NS.'_radius_00'
    RADII = '/parameters '.NS.'_radius_04 '.NS.'_radius_00'
    eval figure('bruls-2014-fig14', WIDE, 62)
    eval legend('NONSMOOTH_GALPHA REFERENCE')
    do for [i=1:3] {
        eval panel(i, 3, 1, 1)
        radius = number(NAME, below(word(RADII, i), 'spectral_radius'))
        set label 2 rho_inf.sprintf(' = %g', radius) at graph 0.95, 0.92 right
        set xlabel time_label
        set ylabel sup(tilde_lambda, '1').' / N'
        set xtics 0.02
        plot [0.48:0.52] [-31:10] \
            all_rows(word(GROUPS, i), 'joint_force[:,0]', 0.47, 0.53) @NONSMOOTH_GALPHA, \
            all_rows('exact', 'joint_force[:,0]', 0.47, 0.53) @REFERENCE
    }
    TITLE_REFERENCE = reference_title
    eval FINISH

    # Figure 15: reaction of the first joint, in the first flight and at rest.
    h_own = parameter(NAME, 'step')
    eval figure('bruls-2014-fig15', WIDE, 62)
    eval legend('NONSMOOTH_GALPHA MOREAU_JEAN')
    eval pair(1)
    set xlabel time_label
    set ylabel sup(Lambda, '1').'/'.h.' + '.sup(tilde_lambda, '1').' / N'
    plot [0:END] [-31:16] \
        curve(NS, 'joint_impulse[:,0] joint_force[:,0]') using 1:($2/h_own + $3) @NONSMOOTH_GALPHA, \
        curve(MJ, 'joint_impulse[:,0] joint_force[:,0]') using 1:($2/h_own + $3) @MOREAU_JEAN
    eval pair(2)
    set xlabel time_label
    set ylabel sup(Lambda, '1').'/'.h.' + '.sup(tilde_lambda, '1').' / N'
    plot [0.45:1.25] [-31:16] \
        curve(NS, 'joint_impulse[:,0] joint_force[:,0]') using 1:($2/h_own + $3) @NONSMOOTH_GALPHA, \
        curve(MJ, 'joint_impulse[:,0] joint_force[:,0]') using 1:($2/h_own + $3) @MOREAU_JEAN
    eval FINISH
}
