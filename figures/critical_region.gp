# The edge of existence of collisionless motion: the plane of impact phases of a near-critical
# spectrum with the crosses of the paper's asymptote, and the way to the limit.
#
# figures: pankov-2024-fig02 pankov-2024-critical-limit
# records: critical_region
load 'figures/style.gp'

NAME = 'critical_region'
ROOM_ABOVE = 6.0  # indices in the legend reach lower than its letters

# --- symbols ------------------------------------------------------------------------------------

o_N = sub(math('𝑜'), math('𝑁'))
o_prime = math('𝑜′').'_{'.math('𝑁−1').'}'
w_N = sub(math('𝑤'), math('𝑁'))
lambda_prime = lambda.math('′').'_{'.math('𝑁−1').'}'
tau = math('𝜏')
B_N = 'det '.math('𝐵').'_{('.math('𝑁').')} = 0'
B_force = 'det '.math('𝐵').'_{('.math('𝑁+1').')} = 0'

# --- figure 2 -----------------------------------------------------------------------------------

MAX_PHASE = parameter(NAME, 'max_phase')
MAX_CONSTRAINED = parameter(NAME, 'max_constrained_phase')

WITHOUT_MODE = "with lines linestyle 2"
WITHOUT_FORCE = "with lines linestyle 33"
MOTIONS = "with points linestyle 34"
OTHER_ROOTS = "with points linestyle 35"
CROSSES = "with points linestyle 36"
PRINTED = "with points linestyle 37"
set style line 33 linecolor rgb '#d55e00' linewidth 1.3 dashtype (9,3)     pt 8  ps 0.4
set style line 34 linecolor rgb '#000000' linewidth 0.8 dashtype 1         pt 7  ps 0.42
set style line 35 linecolor rgb '#000000' linewidth 0.8 dashtype 1         pt 6  ps 0.42
set style line 36 linecolor rgb '#000000' linewidth 1.0 dashtype 1         pt 2  ps 1.0
set style line 37 linecolor rgb '#7b3294' linewidth 0.9 dashtype 1         pt 4  ps 0.45
TITLE_WITHOUT_MODE = B_N
TITLE_WITHOUT_FORCE = B_force
TITLE_MOTIONS = 'motion'
TITLE_OTHER_ROOTS = 'root, attractive force'
TITLE_CROSSES = '[(63)], [(61)] corrected'
TITLE_PRINTED = '[(63)], [(61)] as printed'

family(which) = data(NAME, '/curves/'.which, 'phase constrained_phase')
roots = data(NAME, '/roots', 'phase constrained_phase realizable')
corrected = data(NAME, '/crosses', 'corrected_phase corrected_constrained_phase')
printed = data(NAME, '/crosses', 'printed_phase printed_constrained_phase')
only(wanted, is, value) = is == wanted ? value : NaN

# The enlarged part: around the first root and its two crosses, on the scale of their distance.
AT_X = number(NAME, '/crosses/root_phase[0]')
AT_Y = number(NAME, '/crosses/root_constrained_phase[0]')
AWAY = abs(number(NAME, '/crosses/printed_phase[0]') - AT_X)

TIC = 10**floor(log10(AWAY))
FLAT = 0.2  # height over width: the curves cross at a small angle

# Frames of the two panels in mm; the left one has the same scale along both axes.
LARGE_WIDTH = 101.0
LARGE_HEIGHT = LARGE_WIDTH*MAX_CONSTRAINED/MAX_PHASE
SMALL_WIDTH = 40.0
PAGE = LARGE_HEIGHT + ROOM_ABOVE + ROOM_BELOW + 2*ROOM_LEGEND_LINE
frame(left, below, width, height) = margins(left/page_width, (left + width)/page_width, \
    below/page_height, (below + height)/page_height)

# --- the limit ----------------------------------------------------------------------------------

GIVEN = "with lines linestyle 38"
DEMANDED = "with lines linestyle 2"
DEMANDED_PRINTED = "with lines linestyle 39"
TIME = "with lines linestyle 5"
CONSTRAINED_TIME = "with lines linestyle 33"
PHASE_GAP = "with lines linestyle 1"
RATIO_GAP = "with lines linestyle 4"
set style line 38 linecolor rgb '#7f7f7f' linewidth 1.1 dashtype 1         pt 6  ps 0.4
set style line 39 linecolor rgb '#7b3294' linewidth 1.3 dashtype (6,3)     pt 4  ps 0.45
TITLE_GIVEN = w_N.' of mode '.math('𝑁')
TITLE_DEMANDED = 'demanded by [(40)]'
TITLE_DEMANDED_PRINTED = '[(40)] as printed'
TITLE_TIME = tau
TITLE_CONSTRAINED_TIME = tau.math('′')
TITLE_PHASE_GAP = math('𝜋').'/2 − '.o_prime.' / rad'
TITLE_RATIO_GAP = '|'.math('𝑤′').'_{'.math('𝑁−1').'} − '.sub(math('𝑐'), '0').'| / s^{−1}'

SWEEP_FROM = parameter(NAME, 'sweep_from')
SWEEP_TO = parameter(NAME, 'sweep_to')
LIMIT_W = number(NAME, '/measures/limit_w')
demand = data(NAME, '/limit', 'phase given_w demanded_w printed_w')
sweep = data(NAME, '/sweep', 'eigenvalue time constrained_time phase_gap w_gap')
critical = data(NAME, '/crosses', 'critical_phase')
shown(w) = abs(w) < 4*abs(LIMIT_W) ? w : NaN  # poles end a branch

do for [format in FORMATS] {
    eval figure('pankov-2024-fig02', WIDE, PAGE)
    eval legend('WITHOUT_MODE WITHOUT_FORCE MOTIONS OTHER_ROOTS CROSSES PRINTED')
    eval NAN_ENDS_LINE
    eval pair(1)
    eval frame(ROOM_LEFT, ROOM_BELOW, LARGE_WIDTH, LARGE_HEIGHT)
    set xlabel o_N.' / rad'
    set ylabel o_prime.' / rad'
    plot [0:MAX_PHASE] [0:MAX_CONSTRAINED] \
        family('without_mode') using 1:2 @WITHOUT_MODE, \
        family('without_force') using 1:2 @WITHOUT_FORCE, \
        printed using 1:2 @PRINTED, \
        corrected using 1:2 @CROSSES, \
        roots using 1:(only(0, $3, $2)) @OTHER_ROOTS, \
        roots using 1:(only(1, $3, $2)) @MOTIONS
    eval pair(2)
    eval frame(WIDE - ROOM_RIGHT - SMALL_WIDTH, ROOM_BELOW, SMALL_WIDTH, LARGE_HEIGHT)
    set xtics 5*TIC
    set ytics 0.5*TIC
    set xlabel o_N.' / rad'
    set ylabel o_prime.' / rad'
    plot [AT_X - 0.5*AWAY:AT_X + 1.5*AWAY] [AT_Y - FLAT*AWAY:AT_Y + FLAT*AWAY] \
        family('without_mode') using 1:2 @WITHOUT_MODE, \
        family('without_force') using 1:2 @WITHOUT_FORCE, \
        printed using 1:2 @PRINTED, \
        corrected using 1:2 @CROSSES, \
        roots using 1:(only(1, $3, $2)) @MOTIONS
    eval FINISH
    eval NAN_IS_MISSING
}

do for [format in FORMATS] {
    eval figure('pankov-2024-critical-limit', WIDE, 66)
    eval legend('GIVEN DEMANDED DEMANDED_PRINTED TIME CONSTRAINED_TIME PHASE_GAP RATIO_GAP')
    eval NAN_ENDS_LINE
    eval panel(1, 3, 1, 1)
    set xlabel o_N.' / rad'
    set ylabel w_N.' / s^{−1}'
    plot [0:MAX_PHASE] [2.5*LIMIT_W:-0.5*LIMIT_W] \
        demand using 1:(shown($2)) @GIVEN, \
        demand using 1:3 @DEMANDED, \
        demand using 1:4 @DEMANDED_PRINTED, \
        critical using 1:(LIMIT_W) @MOTIONS
    eval NAN_IS_MISSING
    eval panel(2, 3, 1, 1)
    set logscale xy
    set format x '10^{%T}'
    set format y '10^{%T}'
    set xtics 100
    set xlabel lambda_prime.' / s^{−2}'
    set ylabel 'impact time / s'
    plot [SWEEP_TO:SWEEP_FROM] sweep using 1:2 @TIME, sweep using 1:3 @CONSTRAINED_TIME
    eval panel(3, 3, 1, 1)
    set logscale xy
    set format x '10^{%T}'
    set format y '10^{%T}'
    set xtics 100
    set xlabel lambda_prime.' / s^{−2}'
    set ylabel 'distance from the limit'
    plot [SWEEP_TO:SWEEP_FROM] sweep using 1:4 @PHASE_GAP, sweep using 1:5 @RATIO_GAP
    eval FINISH
}
