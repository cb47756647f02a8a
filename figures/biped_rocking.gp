# The biped with an armed standing torso: its geometry, the plane of its impact phases, the gait
# over time, and the gait at its symmetry points and at the impact.
#
# figures: pankov-2024-fig03 pankov-2024-fig04 pankov-2024-fig05 pankov-2024-fig06
# records: biped_rocking
load 'figures/style.gp'

NAME = 'biped_rocking'
LEG = number(NAME, '/parameters/lengths[0]')
x_(i) = sub(x, sprintf('%d', i))
ddot_x = math('𝑥̈')

# --- drawings -----------------------------------------------------------------------------------

# Legs and torso; the arm, which hangs before the torso in equilibrium, thinner and over it.
set style line 41 linecolor rgb '#303030' linewidth 2.4 dashtype 1      pt 7 ps 0.85
set style line 42 linecolor rgb '#e69f00' linewidth 1.5 dashtype 1      pt 7 ps 0.50
set style line 43 linecolor rgb '#606060' linewidth 0.7 dashtype (5,4)  pt 7 ps 0.75
set style line 44 linecolor rgb '#0072b2' linewidth 0.9 dashtype 1      pt 7 ps 0.75
set style line 45 linecolor rgb '#808080' linewidth 1.2 dashtype 1      pt 7 ps 0.75
LINK = "with linespoints linestyle 41"
ARM = "with lines linestyle 42"
HAND = "with points linestyle 42"
REFERENCE_LINE = "with lines linestyle 43"
MARK = "with lines linestyle 44"
GROUND_LINE = "with lines linestyle 45"
BLANK = 'unset border; unset tics; unset grid; set size ratio -1'
GRID = 'set grid linetype 1 linewidth 0.35 linecolor rgb "#d8d8d8"'

TOP = words(values(NAME, '/drawing/displaced/joints', 'x')) - 2  # joint that the arm hangs from
body(pose) = data(NAME, '/drawing/'.pose.'/joints', 'point x y')
drawing(path) = data(NAME, '/drawing/'.path, 'x y')
place(path, i, letter) = number(NAME, sprintf('/drawing/%s/%s[%d]', path, letter, i))

# A label beside point i of a drawing, in units of the leg.
beside(text, path, i, dx, dy) = sprintf("set label '%s' at first %.9g,%.9g center; ", text, \
    place(path, i, 'x') + dx*LEG, place(path, i, 'y') + dy*LEG)
# The point of an arrow at the end of an arc, which it follows from point i on.
arrow(path, i, shift) = sprintf("set arrow from first %.9g,%.9g to first %.9g,%.9g filled head "\
    ."size first %.9g,20 front linestyle 44; ", place(path, i, 'x') + shift, \
    place(path, i, 'y'), place(path, -1, 'x') + shift, place(path, -1, 'y'), 0.06*LEG)
mass(i) = sprintf('m_{%d}', i)
link(text, i, dx, dy) = sprintf("set label '%s' at first %.9g,%.9g center; ", text, \
    0.5*(place('equilibrium/joints', i, 'x') + place('equilibrium/joints', i + 1, 'x')) \
    + SHIFT + dx*LEG, \
    0.5*(place('equilibrium/joints', i, 'y') + place('equilibrium/joints', i + 1, 'y')) + dy*LEG)

# --- curves -------------------------------------------------------------------------------------

WITHOUT_FORCE = "with lines linestyle 3"
WITHOUT_MODE = "with lines linestyle 2"
REALIZABLE = "with points linestyle 46"
UNREALIZABLE = "with points linestyle 47"
CHOSEN = "with points linestyle 48"
set style line 46 linecolor rgb '#000000' linewidth 1.0 pt 7 ps 0.55
set style line 47 linecolor rgb '#000000' linewidth 1.0 pt 6 ps 0.55
set style line 48 linecolor rgb '#d81b1b' linewidth 1.6 pt 6 ps 1.3
TITLE_WITHOUT_FORCE = 'det '.math('𝐵').'_{('.math('𝑁').'+1)} = 0'
TITLE_WITHOUT_MODE = 'det '.math('𝐵').'_{('.math('𝑁').')} = 0'
TITLE_REALIZABLE = 'realizable'
TITLE_UNREALIZABLE = 'not realizable'
TITLE_CHOSEN = 'the gait'

# Components by colour and width, derivatives by dash.
COLOURS = '#d32f2f #008a5e #0b4fa8'
WIDTHS = '1.2 1.7 2.3'
do for [d=0:2] {
    do for [i=1:3] {
        eval sprintf("set style line %d linecolor rgb '%s' linewidth %s dashtype %s", \
            50 + 3*d + i, word(COLOURS, i), word(WIDTHS, i), word('1 (9,4) (2,3)', d + 1))
        eval sprintf("CURVE_%d = 'with lines linestyle %d'", 3*d + i, 50 + 3*d + i)
    }
}
do for [i=1:3] {
    eval sprintf("TITLE_CURVE_%d = x_(%d)", i, i)
    eval sprintf("TITLE_CURVE_%d = sub(dot_x, '%d')", 3 + i, i)
    eval sprintf("TITLE_CURVE_%d = sub(ddot_x, '%d')", 6 + i, i)
}
CURVES = 'CURVE_1 CURVE_2 CURVE_3 CURVE_4 CURVE_5 CURVE_6 CURVE_7 CURVE_8 CURVE_9'
gait(quantity, i) = data(NAME, '/unit', sprintf('time %s[:,%d]', quantity, i - 1))

WIDE_SLOT = LEGEND_SLOT

do for [format in FORMATS] {
    # Figure 3: displaced, with masses and angles; and in equilibrium.
    eval figure('pankov-2024-fig03', NARROW, 70)
    eval margins(0, 1, 0, 1)
    eval BLANK
    SHIFT = 1.75*LEG
    eval beside(mass(0), 'displaced/joints', 0, 0.0, -0.15)
    eval beside(mass(0), 'displaced/other_leg', 1, -0.06, -0.15)
    eval beside(mass(3), 'displaced/joints', 1, 0.16, -0.02)
    eval beside(mass(2), 'displaced/joints', TOP, 0.15, 0.05)
    eval beside(mass(1), 'displaced/joints', TOP + 1, -0.04, -0.14)
    eval beside(x_(1), 'displaced/angle_arm', 25, -0.03, -0.09)
    eval beside(x_(2), 'displaced/angle_torso', 0, -0.08, 0.0)
    eval beside(x_(3), 'displaced/angle_leg', 0, -0.08, 0.0)
    eval beside('2'.theta, 'displaced/angle_between', 20, -0.10, -0.06)
    eval arrow('displaced/angle_arm', -6, 0.0)
    do for [k in 'leg torso'] { eval arrow('displaced/angle_'.k, 0, 0.0) }
    eval arrow('equilibrium/angle_lean', 0, SHIFT)
    eval link(ell, 0, 0.10, -0.04)
    eval link(ell, 1, 0.10, 0.0)
    eval beside(math('𝜉'), 'equilibrium/angle_lean', 0, SHIFT/LEG - 0.06, 0.0)
    plot [-0.8*LEG:2.45*LEG] [-0.3*LEG:2.25*LEG] \
        0 @GROUND_LINE, \
        for [k in 'leg torso arm'] drawing('displaced/reference_'.k) using 1:2 @REFERENCE_LINE, \
        for [k in 'leg torso arm between'] drawing('displaced/angle_'.k) using 1:2 @MARK, \
        drawing('equilibrium/reference_lean') using ($1 + SHIFT):2 @REFERENCE_LINE, \
        drawing('equilibrium/angle_lean') using ($1 + SHIFT):2 @MARK, \
        for [pose in 'displaced equilibrium'] \
            body(pose) using ($1 <= TOP ? $2 + (pose eq 'equilibrium')*SHIFT : NaN):3 \
            @LINK, \
        for [pose in 'displaced equilibrium'] \
            drawing(pose.'/other_leg') using ($1 + (pose eq 'equilibrium')*SHIFT):2 \
            @LINK, \
        for [pose in 'displaced equilibrium'] \
            body(pose) using ($1 >= TOP ? $2 + (pose eq 'equilibrium')*SHIFT : NaN):3 @ARM, \
        for [pose in 'displaced equilibrium'] \
            body(pose) using ($1 > TOP ? $2 + (pose eq 'equilibrium')*SHIFT : NaN):3 @HAND
    set size noratio
    eval FINISH
    eval GRID

    # Figure 4: where one of the two determinants vanishes; roots where both do.
    @NAN_ENDS_LINE
    eval figure('pankov-2024-fig04', NARROW, 72)
    eval legend('WITHOUT_FORCE WITHOUT_MODE REALIZABLE UNREALIZABLE CHOSEN')
    set xlabel 'impact phase '.sub(math('𝑜'), '3').' / rad'
    set ylabel 'impact phase '.math('𝑜').'@^{'.math('′').'}_{2} / rad'
    plot [0:parameter(NAME, 'max_phase')] [0:parameter(NAME, 'max_constrained_phase')] \
        data(NAME, '/curves/without_force', 'phase constrained_phase') using 1:2 @WITHOUT_FORCE, \
        data(NAME, '/curves/without_mode', 'phase constrained_phase') using 1:2 @WITHOUT_MODE, \
        data(NAME, '/roots', 'phase constrained_phase realizable') \
            using ($3 == 1 ? $1 : NaN):2 @REALIZABLE, \
        data(NAME, '/roots', 'phase constrained_phase realizable') \
            using ($3 == 0 ? $1 : NaN):2 @UNREALIZABLE, \
        data(NAME, '/measures', 'gait_phase gait_constrained_phase') using 1:2 @CHOSEN
    eval FINISH
    @NAN_IS_MISSING

    # Figure 5: the gait from P to P'.
    eval figure('pankov-2024-fig05', WIDE, 92)
    LEGEND_SLOT = 17.0
    eval legend(CURVES)
    set xlabel time_label
    set ylabel x.' / '.theta.',  '.dot_x.' / ('.theta.' s^{−1}),  '.\
        ddot_x.' / ('.theta.' s^{−2})'
    eval upright(number(NAME, '/unit/impact_time'), 11)
    set autoscale xfix
    plot for [d=0:2] for [i=1:3] gait(word('position velocity acceleration', d + 1), i) \
        using 1:2 with lines linestyle 50 + 3*d + i
    LEGEND_SLOT = WIDE_SLOT
    eval FINISH

    # Figure 6: P, impact, P'.
    eval figure('pankov-2024-fig06', NARROW, 52)
    do for [k=1:3] {
        pose = word('release impact stance', k)
        eval panel(1, 1, 1, 1)
        eval margins((k - 1)/3.0, k/3.0, 0.0, 0.92)
        eval BLANK
        set label (k == 1 ? math('𝑃') : k == 2 ? 'impact' : math('𝑃′')) \
            at screen (k - 0.5)/3.0,0.95 center
        plot [-0.75*LEG:0.75*LEG] [-0.12*LEG:2.1*LEG] \
            0 @GROUND_LINE, \
            body(pose) using ($1 <= TOP ? $2 : NaN):3 @LINK, \
            drawing(pose.'/other_leg') using 1:2 @LINK, \
            body(pose) using ($1 >= TOP ? $2 : NaN):3 @ARM, \
            body(pose) using ($1 > TOP ? $2 : NaN):3 @HAND
    }
    set size noratio
    eval FINISH
    eval GRID
}
