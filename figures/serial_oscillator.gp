# Nonsmooth modes of the serial oscillator: motions with one, two and seven impacts per period, the
# surfaces they make in phase space, families of constant period, and motions that are neutrally
# stable, after a thousand periods.
#
# figures: thorin-2017-fig04 thorin-2017-fig06 thorin-2017-fig07 thorin-2017-fig08
# figures: thorin-2017-fig09 thorin-2017-fig10 thorin-2017-fig11 thorin-2017-fig12
# figures: thorin-2017-fig13 thorin-2017-fig14 thorin-2017-fig15 thorin-2017-fig16
# records: serial_oscillator
load 'figures/style.gp'

# --- the record --------------------------------------------------------------------------------

RECORD = 'serial_oscillator'
columns_of(group, paths) = data(RECORD, group, paths)
number_of(path) = number(RECORD, path)
case(figure, i) = sprintf('/%s/case_%d', figure, i)
history(group) = columns_of(group, 'time position[:,-1]')
member(group, i) = columns_of(group, sprintf('time position[%d,:]', i))

contact = parameter(RECORD, 'gap')
orbit_every(group, n) = data_every(RECORD, group, 'position[:,-2] position[:,-1] velocity[:,-1]', n)
bridge_orbit(i) = columns_of('/bridge', \
    sprintf('position_before[%d,:] position[%d,:] velocity[%d,:]', i, i, i))

# Phase of the first of two impacts, and how near to it the surfaces look for it.
impact_phase(group) = number_of(group.'/sigma[0]')/number_of(group.'/period')
PHASE_MARGIN = 0.015

dots = columns_of('/double/dots', 'sigma_1 sigma_2 mode')
zeros = columns_of('/double/curves', 'sigma_1 sigma_2')  # below the diagonal
SQUARE = 4.5  # s, side of the square of flight times
MODES = 5
MODE_COLOURS = '#000000 #0072b2 #d55e00 #009e73 #cc79a7'
beside(group, away) = sprintf('first %.9g,first %.9g', \
    number_of(group.'/sigma[0]') + away, number_of(group.'/sigma[1]') + away)
PHASE_SPACE = 'before_last last last_velocity'
PHASES = 2    # every second phase of a surface is drawn
FLIGHT = 60   # quadrangles along a flight

# Members of the families of constant period: lambda_1 = 0, lambda_1 = lambda_2, lambda_2 = 0.
FIRST = 0
MIDDLE = 5
LAST = 10

# --- symbols and curves ------------------------------------------------------------------------

T = math('𝑇')
d = math('𝑑')
sigma_1 = sub(math('𝜎'), '1')
sigma_2 = sub(math('𝜎'), '2')
x_n = sub(x, math('𝑛'))
x_before = sub(x, math('𝑛−1'))
dot_x_n = sub(dot_x, math('𝑛'))
phi_n = sub(math('𝜙'), math('𝑛,𝑇'))
period_label(group, form) = sprintf('%s = '.form.' s', T, number_of(group.'/period'))

MOTION = "with lines linestyle 2"
LINEAR_MODE = "with lines linestyle 15"
PHI = "with lines linestyle 1"
ZERO_SET = "with lines linestyle 1"
SINGLE_HARMONIC = "with lines linestyle 15"
ADMISSIBLE = "with lines linestyle 14"
NUMBERED = "with lines linestyle 14"
TRACE = "with lines linestyle 16"
FIRST_GRAZES = "with lines linestyle 2"
SECOND_GRAZES = "with lines linestyle 3"
EITHER_GRAZES = "with lines linestyle 14"
EQUAL_IMPACTS = "with lines linestyle 17"
SINGLE_IMPACT = "with lines linestyle 17"
BETWEEN = "with lines linestyle 18"
GRAZE = "with points linestyle 9"
FIXED = "with points linestyle 9"
EXACT = "with lines linestyle 1"
PERTURBED = "with lines linestyle 19"

TITLE_MOTION = x_n
TITLE_LINEAR_MODE = 'grazing linear mode'
TITLE_PHI = phi_n.'('.T.')'
TITLE_ZERO_SET = 'potential solutions'
TITLE_SINGLE_HARMONIC = sigma_1.' + '.sigma_2.' = 3'.sub(T, '3')
TITLE_ADMISSIBLE = 'admissible branch'
TITLE_NUMBERED = 'numbered motions'
TITLE_TRACE = x_n.' = '.d
TITLE_FIRST_GRAZES = sub(lambda, '1').' = 0'
TITLE_SECOND_GRAZES = sub(lambda, '2').' = 0'
TITLE_EITHER_GRAZES = sub(lambda, '1').' = 0 or '.sub(lambda, '2').' = 0'
TITLE_EQUAL_IMPACTS = sub(lambda, '1').' = '.sub(lambda, '2')
TITLE_SINGLE_IMPACT = 'one impact in '.math('𝑇_0').'/2'
TITLE_BETWEEN = 'between'
TITLE_GRAZE = 'grazing contact'
TITLE_FIXED = 'common point'
TITLE_EXACT = 'nonsmooth mode'
TITLE_PERTURBED = 'perturbed'

HISTORY_LABELS = "set xlabel time_label; set ylabel x_n.' / m'"
PHASE_SPACE_LABELS = "eval 'set label x_before.\" / m\" at '.space_x; ".\
    "eval 'set label x_n.\" / m\" at '.space_y; ".\
    "eval 'set label dot_x_n.\" / (m s^{−1})\" at '.space_z"

# --- parts of the figures ----------------------------------------------------------------------

# Number and period of a motion above the frame of its panel.
heading(figure, i) = ringed(i, 'graph 0.4,graph 1.075').\
    '; set label period_label(case("'.figure.'", '.sprintf('%d', i).'), '.\
    (figure eq 'seven' ? '"%.5g"' : '"%.4g"').') '.\
    'at graph 1,1 right offset 0,0.6'

# A ring beside a motion in phase space: beside its sample i, moved by the length `away` along x_n.
ring_in_space(figure, k, i, away) = ringed(k, sprintf('first %.9g,first %.9g,first %.9g', \
    number_of(sprintf('%s/position[%d,-2]', case(figure, k), i)), \
    number_of(sprintf('%s/position[%d,-1]', case(figure, k), i)) + away, \
    number_of(sprintf('%s/velocity[%d,-1]', case(figure, k), i))))

# Flights of the motions with seven impacts, and their letters.
flight(group, i) = number_of(sprintf('%s/flight_times[%d]', group, i - 1))
impact_time(group, i) = i == 0 ? 0 : (sum [j=1:i] flight(group, j))
flight_letter(i) = math(word('𝑐 𝑏 𝑎 𝑏 𝑐 𝑑 𝑑', i))

# A duration as a dimension at the height y, with its letter above.
dimension(from, to, y, symbol) = sprintf(\
    'set arrow from %.9g,%.9g to %.9g,%.9g heads size screen 0.004,25 filled '.\
    'linewidth 0.6 linecolor rgb "#404040"; set label "%s" at %.9g,%.9g center offset 0,0.5', \
    from, y, to, y, symbol, 0.65*from + 0.35*to, y)

# An arrow along the time axis.
run(from, to, y) = sprintf('set arrow from %.9g,%.9g to %.9g,%.9g '.\
    'head size screen 0.010,20 filled linewidth 1.2 linecolor rgb "#c8431b"', from, y, to, y)

do for [format in FORMATS] {
    # Motion with seven impacts per period and the flight times c, b, a, b, c, d, d: one and a half
    # periods, to show both sides of both axes of symmetry.
    group = case('seven', 3)
    period = number_of(group.'/period')
    eval figure('thorin-2017-fig04', WIDE, 64)
    eval legend('MOTION IMPACT_TIME SYMMETRY_AXIS')
    @HISTORY_LABELS
    do for [i=0:7] {
        eval upright(impact_time(group, i), 11)
        if (i > 0) {
            eval dimension(impact_time(group, i - 1), impact_time(group, i), -2.3, flight_letter(i))
        }
    }
    do for [i=1:2] {
        eval upright(period + impact_time(group, i), 11)
        eval dimension(period + impact_time(group, i - 1), period + impact_time(group, i), -2.3, \
                       flight_letter(i))
        eval upright(number_of(sprintf('/seven/axis_%d', i)), 12)
    }
    eval upright(period + number_of('/seven/axis_1'), 12)
    plot [0:1.5*period] [-2.5:1.2] for [copy=0:1] \
        history(group) using ($1 + copy*period):2 @MOTION
    eval FINISH

    # phi_n,T(T), which rises between the harmonics and falls only where it passes one; the halves
    # of either sign, and the periods of the motions of figure 7.
    eval figure('thorin-2017-fig06', WIDE, 84)
    eval legend('PHI ADMISSIBLE HARMONIC')
    LONGEST = 4.45  # s, just beyond T_1
    ROOM_ABOVE_USUAL = ROOM_ABOVE
    ROOM_ABOVE = 14
    eval panel(1, 1, 1, 1)
    ROOM_ABOVE = ROOM_ABOVE_USUAL
    set xlabel 'period '.T.' / s'
    set ylabel phi_n.'('.T.') / (m J^{−1/2})'
    set object rectangle from graph 0,first 0 to graph 1,graph 1 behind \
        fillcolor rgb '#fbe5cc' fillstyle solid noborder
    set object rectangle from graph 0,graph 0 to graph 1,first 0 behind \
        fillcolor rgb '#e6e6e6' fillstyle solid noborder
    set label lambda.' > 0 for'."\n".d.' > 0' at graph 0.012,0.93 front
    set label lambda.' < 0 for'."\n".d.' > 0' at graph 0.012,0.16 front
    harmonics = values(RECORD, '/phi/harmonics', 'period mode multiple')
    do for [i=1:words(harmonics)/3] {
        p = real(word(harmonics, 3*i - 2))
        mode = int(word(harmonics, 3*i - 1))
        multiple = int(word(harmonics, 3*i))
        if (p < LONGEST) {
            eval upright(p, 13)
            set label (multiple > 1 ? sprintf('%d', multiple) : '').sub(T, sprintf('%d', mode)) \
                at first p,graph 1 center offset 0,0.55 + 0.85*(mode == 4 ? 0 : mode%3 == 2 ? 1 : 2)
        }
    }
    first_period = number_of('/single/case_1/period')
    last_period = number_of('/single/case_6/period')
    eval ringed(1, sprintf('first %.9g,graph 0.06', first_period))
    eval ringed(6, sprintf('first %.9g,graph 0.06', last_period))
    eval upright(first_period, 14)
    eval upright(last_period, 14)
    @NAN_ENDS_LINE
    phi = columns_of('/phi', 'period value')
    before = 1e30
    fell = 0
    T_before = 0
    # At a pole, between two samples, the curve leaves the frame and comes back from below.
    plot [0:LONGEST] [-1.5:1.5] 0 with lines linestyle 1 linewidth 0.5, \
        phi using 1:(now = $2 < before ? NaN : $2, before = $2 == $2 ? $2 : before, now) @PHI, \
        phi using (at = $2 < before ? T_before : NaN, T_before = $2 == $2 ? $1 : T_before, at):\
            (now = before, before = $2 == $2 ? $2 : before, now):(0):(1e3) \
            with vectors nohead linestyle 1, \
        phi using (at = fell ? $1 : NaN, fell = $2 < before, at):\
            (before = $2 == $2 ? $2 : before, $2):(0):(-1e3) with vectors nohead linestyle 1, \
        phi using 1:($1 >= first_period && $1 <= last_period ? $2 : NaN) @ADMISSIBLE
    @NAN_IS_MISSING
    eval FINISH

    # The continuum with one impact per period next to 4 T_3, from its end to the linear mode.
    eval figure('thorin-2017-fig07', WIDE, 100)
    eval legend('MOTION LINEAR_MODE IMPACT_TIME SYMMETRY_AXIS')
    do for [i=1:6] {
        group = case('single', i)
        period = number_of(group.'/period')
        eval panel(1 + (i - 1)%3, 3, 1 + (i - 1)/3, 2)
        eval heading('single', i)
        @HISTORY_LABELS
        eval upright(0, 11)
        eval upright(period, 11)
        eval upright(0.5*period, 12)
        plot [0:4] [-2.4:1.2] history(group) using 1:2 with lines linestyle (i == 6 ? 15 : 2)
    }
    eval FINISH

    # Its surface in phase space, from the linear mode to motions 5, 3, 2 and 1.
    eval figure('thorin-2017-fig08', WIDE, 150)
    eval legend('NUMBERED LINEAR_MODE TRACE')
    high = number_of(case('single', 6).'/period')
    do for [i=1:4] {
        number = int(word('5 3 2 1', i))
        drawn = '5 3 2 1'[1:2*i - 1]
        low = number_of(case('single', number).'/period')
        eval space_panel(1 + (i - 1)%2, 2, 1 + (i - 1)/2, 2)
        if (i == 1) { eval space(-1, 1, -1, 1.2, -7, 7, 68, 120) }
        if (i == 2) { eval space(-1.5, 1, -1.5, 1.2, -7, 7, 68, 120) }
        if (i == 3) { eval space(-2, 1.5, -1.5, 1.2, -7, 7, 68, 120) }
        if (i == 4) { eval space(-3, 2.5, -2.5, 1.2, -10, 10, 68, 120) }
        @PHASE_SPACE_LABELS
        step = i < 3 ? 0.5 : 1
        set xtics step
        set ytics step
        eval ring_in_space('single', number, 0, 0)
        eval ring_in_space('single', 6, 50, 0)
        manifold = hemmed(orbit_every(case('single', number), 2*PHASES), \
                          surface_within(RECORD, '/single/surface', PHASE_SPACE, PHASES, \
                                         'period', low, high))
        splot manifold with pm3d fillcolor rgb SURFACE_COLOUR, \
            ribbon(rim(manifold, 1)) with pm3d fillcolor rgb YELLOW, \
            ribbon(rim(manifold, 0)) with pm3d fillcolor rgb YELLOW, \
            for [k in drawn] ribbon(closed(orbit_every(case('single', int(k)), 2))) \
                with pm3d fillcolor rgb RED, \
            ribbon(orbit_every(case('single', 6), 2)) with pm3d fillcolor rgb GREEN
    }
    eval FINISH

    # Flight times of two impacts: where motions exist, the harmonics, and the admissible branch that
    # leaves 3 T_3; enlarged on the right.
    eval figure('thorin-2017-fig09', WIDE, 96)
    eval legend('ZERO_SET HARMONIC SINGLE_HARMONIC ADMISSIBLE')
    harmonic = number_of(case('double', 6).'/period')
    @NAN_ENDS_LINE
    do for [i=1:2] {
        eval pair(i)
        set xlabel sigma_1.' / s'
        set ylabel sigma_2.' / s'
        if (i == 1) {
            set xrange [0:SQUARE]; set yrange [0:SQUARE]
            set xtics 0.5; set ytics 0.5
        } else {
            set xrange [1.6:2.0]; set yrange [0.8:1.2]
            set xtics 0.1; set ytics 0.1
        }
        do for [k=1:6] {
            if (i == 2 || k == 1 || k == 6) {
                eval ringed(k, beside(case('double', k), i == 1 ? 0.11 : 0.011))
            }
        }
        T_before = 0
        plot dots using (T_now = $1 + $2, is_new = abs(T_now - T_before) > 1e-9, T_before = T_now, \
                         is_new ? (T_now > SQUARE ? T_now - SQUARE : 0) : NaN):\
                        (T_now > SQUARE ? SQUARE : T_now):\
                        (0.5*T_now - (T_now > SQUARE ? T_now - SQUARE : 0)):\
                        (0.5*T_now - (T_now > SQUARE ? SQUARE : T_now)) \
                 with vectors nohead linestyle 13, \
             x with lines linestyle 1 linewidth 0.7, \
             zeros using 1:2 @ZERO_SET linewidth 0.7, \
             zeros using 2:1 @ZERO_SET linewidth 0.7, \
             harmonic - x with lines linestyle 15, \
             columns_of('/double/branch', 'sigma_1 sigma_2') using 1:2 @ADMISSIBLE linewidth 2.5, \
             for [mode=1:MODES] dots using ($3 == mode && $2 > $1 ? $1 : NaN):2 \
                 with points pointtype 7 pointsize 0.3 linecolor rgb word(MODE_COLOURS, mode), \
             for [k=1:6] columns_of(case('double', k), 'sigma[0] sigma[1]') using 1:2 \
                 with points linestyle 14
    }
    @NAN_IS_MISSING
    eval FINISH
    eval GRID

    # The continuum with two impacts per period next to 3 T_3.
    eval figure('thorin-2017-fig10', WIDE, 100)
    eval legend('MOTION LINEAR_MODE IMPACT_TIME SYMMETRY_AXIS')
    do for [i=1:6] {
        group = case('double', i)
        eval panel(1 + (i - 1)%3, 3, 1 + (i - 1)/3, 2)
        eval heading('double', i)
        @HISTORY_LABELS
        eval upright(number_of(group.'/sigma[0]'), 11)
        eval upright(number_of(group.'/period'), 11)
        eval upright(number_of(group.'/axis_1'), 12)
        eval upright(number_of(group.'/axis_2'), 12)
        low = word('-14 -5 -3.2 -3.2 -1.8 -1.8', i)
        set xtics 0.5
        plot [0:3] [low:-0.15*low + 0.85] \
            history(group) using 1:2 with lines linestyle (i == 6 ? 15 : 2)
    }
    eval FINISH

    # Its surface in phase space: all of it, and the part from the linear mode to motion 3.
    eval figure('thorin-2017-fig11', WIDE, 88)
    eval legend('NUMBERED LINEAR_MODE TRACE')
    phase_low = impact_phase(case('double', 1)) - PHASE_MARGIN
    phase_high = impact_phase(case('double', 6)) + PHASE_MARGIN
    do for [i=1:2] {
        eval space_panel(i, 2, 1, 1)
        number = i == 1 ? 1 : 3
        drawn = i == 1 ? '1 2 3 5' : '3 4 5'
        low = number_of(case('double', number).'/period')
        if (i == 1) { eval space(-12, 1, -12, 1.5, -36, 36, 68, 120) }
        if (i == 2) { eval space(-3, 1, -3, 1.2, -12, 12, 68, 120) }
        @PHASE_SPACE_LABELS
        eval ring_in_space('double', 6, 67, 0)
        eval ring_in_space('double', number, 0, 0)
        step = i == 1 ? 4 : 1
        set xtics step
        set ytics step
        rows = data_where(RECORD, '/double/surface', PHASE_SPACE, 'period', low, high)
        first_flight = flight_surface(rows, 1, contact, phase_low, phase_high, FLIGHT)
        second_flight = flight_surface(rows, 2, contact, phase_low, phase_high, FLIGHT)
        splot for [k=1:2] (k == 1 ? first_flight : second_flight) \
                with pm3d fillcolor rgb SURFACE_COLOUR, \
            for [k=0:3] ribbon(rim(k < 2 ? first_flight : second_flight, k%2)) \
                with pm3d fillcolor rgb YELLOW, \
            for [k in drawn] ribbon(closed(orbit_every(case('double', int(k)), 2))) \
                with pm3d fillcolor rgb RED, \
            ribbon(orbit_every(case('double', 6), 2)) with pm3d fillcolor rgb GREEN
    }
    eval FINISH
    eval GRID

    # Motions with the same two impact times; the first and the last have one impact and two
    # grazing contacts.
    eval figure('thorin-2017-fig12', WIDE, 76)
    eval legend('FIRST_GRAZES BETWEEN EQUAL_IMPACTS SECOND_GRAZES IMPACT_TIME SYMMETRY_AXIS FIXED')
    @HISTORY_LABELS
    period = number_of('/family/period')
    eval upright(number_of('/family/sigma[0]'), 11)
    eval upright(period, 11)
    eval upright(0.5*number_of('/family/sigma[0]'), 12)
    eval upright(0.5*(number_of('/family/sigma[0]') + period), 12)
    plot [0:4] [-2.3:1.2] \
        for [i=FIRST + 1:LAST - 1] member('/family', i) using 1:2 @BETWEEN, \
        member('/family', FIRST) using 1:2 @FIRST_GRAZES, \
        member('/family', LAST) using 1:2 @SECOND_GRAZES, \
        member('/family', MIDDLE) using 1:2 @EQUAL_IMPACTS, \
        columns_of('/family', 'fixed_time fixed_point') using 1:2 @FIXED
    eval FINISH

    # The same with impacts half a period apart: the middle one has one impact in half the period.
    eval figure('thorin-2017-fig13', WIDE, 72)
    eval legend('FIRST_GRAZES BETWEEN SINGLE_IMPACT SECOND_GRAZES IMPACT_TIME SYMMETRY_AXIS')
    @HISTORY_LABELS
    period = number_of('/bridge/period')
    eval upright(period, 11)
    eval upright(0.5*period, 12)
    plot [0:3] [-2.2:1.2] \
        for [i=FIRST + 1:LAST - 1] member('/bridge', i) using 1:2 @BETWEEN, \
        member('/bridge', FIRST) using 1:2 @FIRST_GRAZES, \
        member('/bridge', LAST) using 1:2 @SECOND_GRAZES, \
        member('/bridge', MIDDLE) using 1:2 @SINGLE_IMPACT
    eval FINISH

    # Their surface in phase space, the second half of the period transparent.
    eval figure('thorin-2017-fig14', WIDE, 92)
    eval legend('SINGLE_IMPACT EITHER_GRAZES TRACE')
    rows = columns_of('/bridge', 'position_before position velocity')
    first_flight = flight_surface(rows, 1, contact, 0.5 - PHASE_MARGIN, 0.5 + PHASE_MARGIN, FLIGHT)
    second_flight = flight_surface(rows, 2, contact, 0.5 - PHASE_MARGIN, 0.5 + PHASE_MARGIN, FLIGHT)
    do for [i=1:2] {
        eval space_panel(i, 2, 1, 1)
        eval space(-1.5, 1, -2, 1.2, -10, 10, 68, i == 1 ? 120 : 40)
        set pm3d interpolate 2,2
        @PHASE_SPACE_LABELS
        set xtics 0.5
        set ytics 0.5
        splot first_flight with pm3d fillcolor rgb SURFACE_COLOUR, \
            second_flight with pm3d fillcolor rgb TRANSPARENT_COLOUR, \
            for [k=0:3] ribbon(rim(k < 2 ? first_flight : second_flight, k%2)) \
                with pm3d fillcolor rgb YELLOW, \
            ribbon(closed(bridge_orbit(FIRST))) with pm3d fillcolor rgb RED, \
            ribbon(closed(bridge_orbit(MIDDLE))) with pm3d fillcolor rgb PURPLE
    }
    eval FINISH
    eval GRID

    # Four motions of a continuum with seven impacts per period; arrows run along the parts of the
    # first and the last that are the same motion, passed in opposite directions.
    eval figure('thorin-2017-fig15', WIDE, 112)
    eval legend('MOTION IMPACT_TIME SYMMETRY_AXIS GRAZE')
    do for [i=1:4] {
        group = case('seven', i)
        period = number_of(group.'/period')
        eval panel(1 + (i - 1)%2, 2, 1 + (i - 1)/2, 2)
        eval heading('seven', i)
        @HISTORY_LABELS
        do for [k=0:7] { eval upright(impact_time(group, k), 11) }
        if (i == 3) {
            do for [k=1:7] {
                eval dimension(impact_time(group, k - 1), impact_time(group, k), -2.3, \
                               flight_letter(k))
            }
            do for [k=1:2] { eval upright(number_of(sprintf('/seven/axis_%d', k)), 12) }
        }
        turn = impact_time(group, 5)
        if (i == 1) { eval run(0, turn, -2.2); eval run(turn, period, -2.2) }
        if (i == 4) { eval run(turn, 0, -2.2); eval run(period, turn, -2.2) }
        if (i == 1) { grazes = sprintf('%.9g', turn) }
        if (i == 4) { grazes = sprintf('0 %.9g', period) }
        if (i == 1 || i == 4) {
            do for [time in grazes] {
                eval sprintf('set label "" at %s,%.9g front point linestyle 9', time, contact)
            }
        }
        plot [0:11] [-2.5:1.2] history(group) using 1:2 @MOTION
    }
    eval FINISH

    # Motions with one, two and three impacts per period and the same after a perturbation, two
    # periods each, after a thousand.
    eval figure('thorin-2017-fig16', WIDE, 132)
    eval legend('EXACT PERTURBED')
    do for [i=1:3] {
        group = '/stability/'.word('one two three', i).'/last'
        eval panel(1, 1, i, 3)
        eval sprintf('set label 1 "(%s)" at graph 0,1 left offset 0,0.6', 'abc'[i:i])
        set label (i == 1 ? '1 impact' : sprintf('%d impacts', i)).' per period' \
            at graph 1,1 right offset 0,0.6
        @HISTORY_LABELS
        set xlabel sprintf('time after %d periods ', int(parameter(RECORD, 'periods')) - 1).t.' / s'
        set autoscale xfix
        plot [*:*] [word('-1.2 -1.8 -2', i):1.2] \
            columns_of(group, 'time exact') using 1:2 @EXACT, \
            columns_of(group, 'time perturbed') using 1:2 @PERTURBED
    }
    eval FINISH
}
