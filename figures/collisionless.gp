# Roots of the hanging chain in the plane of both impact times, and the curves of the two
# determinants, which also cross elsewhere; gap and contact force of a realizable motion, beside the
# same motion followed by events.
#
# figures: collisionless-roots
# records: collisionless
load 'figures/style.gp'

NAME = 'collisionless'

WITHOUT_MODE = "with lines linestyle 7"
WITHOUT_FORCE = "with lines linestyle 6"
ROOT = "with points linestyle 41"
REALIZABLE = "with points linestyle 42"
GAP = "with lines linestyle 2"
FORCE = "with lines linestyle 3"
FOLLOWED = "with points linestyle 43"
SPURIOUS = "with points linestyle 44"
set style line 41 linecolor rgb '#000000' linewidth 1.0 dashtype 1 pt 6 ps 0.5
set style line 42 linecolor rgb '#000000' linewidth 1.0 dashtype 1 pt 7 ps 0.55
set style line 43 linecolor rgb '#000000' linewidth 0.8 dashtype 1 pt 6 ps 0.25
set style line 44 linecolor rgb '#000000' linewidth 1.0 dashtype 1 pt 2 ps 0.5
TITLE_WITHOUT_MODE = 'det '.sub(math('𝐵'), '('.math('𝑁').')').' = 0'
TITLE_WITHOUT_FORCE = 'det '.sub(math('𝐵'), '('.math('𝑁').'+1)').' = 0'
TITLE_ROOT = 'root'
TITLE_REALIZABLE = 'realizable root'
TITLE_GAP = 'gap / m'
TITLE_FORCE = 'contact force / N'
TITLE_SPURIOUS = 'crossing, no root'
TITLE_FOLLOWED = 'followed by events'

tau = math('𝜏')
tau_constrained = math('𝜏′')
LARGEST_TIME = parameter(NAME, 'max_time')
LARGEST_CONSTRAINED_TIME = parameter(NAME, 'max_constrained_time')

# The curves of a family end in rows of NaN.
curves(family) = data(NAME, '/curves/'.family, 'time constrained_time')
roots(verdict) = data_where(NAME, '/roots', 'time constrained_time', 'realizable', verdict, verdict)

crossings(spurious) = data_where(NAME, '/crossings', 'time constrained_time', 'spurious', \
                                 spurious, spurious)

# The motion that was followed, from P to P' and back by its symmetry.
SOLUTION = sprintf('/solution_%02d', number(NAME, '/simulation/solution'))
HALF = number(NAME, SOLUTION.'/impact_time') + number(NAME, SOLUTION.'/constrained_time')
IMPACT = number(NAME, SOLUTION.'/impact_time')
HISTORY = data(NAME, SOLUTION, 'time gap force phase')
SEEN = data(NAME, '/simulation', 'time gap force')

# The gap while the contact is open, the force while it is closed.
open(phase, value) = phase < 0.5 ? value : NaN
closed_only(phase, value) = phase > 0.5 ? value : NaN

do for [format in FORMATS] {
    eval figure('collisionless-roots', WIDE, 74)
    eval legend('WITHOUT_MODE WITHOUT_FORCE ROOT REALIZABLE SPURIOUS GAP FORCE FOLLOWED')
    eval pair(1)
    set xlabel tau.' / s'
    set ylabel tau_constrained.' / s'
    eval NAN_ENDS_LINE
    plot [0:LARGEST_TIME] [0:LARGEST_CONSTRAINED_TIME] \
        curves('without_mode') using 1:2 @WITHOUT_MODE, \
        curves('without_force') using 1:2 @WITHOUT_FORCE, \
        roots(0) using 1:2 @ROOT, \
        roots(1) using 1:2 @REALIZABLE, \
        crossings(1) using 1:2 @SPURIOUS
    eval NAN_IS_MISSING
    if (has(NAME, '/simulation/solution')) {
        eval pair(2)
        set xlabel time_label
        eval upright(IMPACT, 11)
        eval upright(2*HALF - IMPACT, 11)
        set ylabel 'gap / m, force / N'
        plot [0:2*HALF] [0:*] \
            HISTORY using 1:(open($4, $2)) @GAP, \
            HISTORY using (2*HALF - $1):(open($4, $2)) @GAP, \
            HISTORY using 1:(closed_only($4, $3)) @FORCE, \
            HISTORY using (2*HALF - $1):(closed_only($4, $3)) @FORCE, \
            SEEN using 1:($2 > $3 ? $2 : $3) @FOLLOWED
    }
    eval FINISH
}
