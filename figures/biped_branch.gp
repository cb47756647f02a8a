# The exact biped: gaits along the branch over the half angle of the step, with the biped drawn at P
# and at the landing; and the gait simulated without any correction.
#
# figures: biped-rocking-branch biped-rocking-free
# records: biped_rocking
load 'figures/style.gp'

NAME = 'biped_rocking'
branch(paths) = data(NAME, '/nonlinear', paths)
of_branch(name) = number(NAME, '/nonlinear/'.name)
case(i) = sprintf('/nonlinear/case_%d', i)
of_case(i, name) = number(NAME, case(i).'/'.name)

# Terms at theta = 0.
tau_0 = of_branch('harmonic_impact_time')
tau_1 = of_branch('impact_time_slope')
tau_prime_0 = of_branch('harmonic_constrained_time')
tau_prime_1 = of_branch('constrained_time_slope')
energy_0 = of_branch('harmonic_energy')
arm_0 = of_branch('harmonic_arm_at_P')
LARGEST = number(NAME, 'max(/nonlinear/amplitude)')
CASES = int(of_branch('case_count'))

tau = math('𝜏')
tau_prime = math('𝜏′')
theta_label = theta.' / rad'

EXACT = 'with lines linestyle 2'
HARMONIC_GAIT = 'with lines linestyle 8'
SMALL_ANGLES = 'with lines linestyle 4'
TITLE_EXACT = 'exact biped'
TITLE_HARMONIC_GAIT = 'harmonic'
TITLE_SMALL_ANGLES = 'with the term in '.sup(theta, '2')

# --- the biped ----------------------------------------------------------------------------------

# One line: free foot, hip, stance foot, hip, tops of the torso links, hand.
POINTS = words(values(NAME, case(1).'/pose_P', 'x'))
pose(i, name) = data(NAME, case(i).'/'.name, 'x y')
SPACE = 1.32      # m between two bipeds
PAIR = 2.55       # m between two amplitudes
at(i, k) = PAIR*(i - 1) + SPACE*(k - 1)
JOINTS = "with points pointtype 7 pointsize 0.35 linecolor rgb '#000000'"
BODY = "with lines linecolor rgb '#000000' linewidth 1.4"
ARM = "with lines linecolor rgb '#0072b2' linewidth 1.4"
SHADOW = "with lines linecolor rgb '#b8b8b8' linewidth 1.0"

# --- the simulated gait -------------------------------------------------------------------------

half_period = number(NAME, '/simulation/exact/half_period')
FREE_END = number(NAME, '/simulation/free/fall_time')
SYMMETRY_POINTS = 'do for [k=1:int(FREE_END/half_period)] { '.\
    'eval upright(k*half_period, 12); '.\
    'set label "P" at first k*half_period,graph 1 center offset 0,0.5 }'

do for [format in FORMATS] {
    eval figure('biped-rocking-branch', WIDE, 164)
    eval legend('EXACT HARMONIC_GAIT SMALL_ANGLES')
    eval panel(1, 3, 1, 3)
    set xrange [0:1.03*LARGEST]
    set xlabel theta_label
    set ylabel tau.' / s'
    plot [] [0:*] branch('amplitude impact_time') using 1:2 @EXACT, \
        tau_0 @HARMONIC_GAIT, tau_0 + tau_1*x**2 @SMALL_ANGLES
    eval panel(2, 3, 1, 3)
    set xrange [0:1.03*LARGEST]
    set xlabel theta_label
    set ylabel tau_prime.' / s'
    plot [] [0:1] branch('amplitude constrained_time') using 1:2 @EXACT, \
        tau_prime_0 @HARMONIC_GAIT, tau_prime_0 + tau_prime_1*x**2 @SMALL_ANGLES
    eval panel(3, 3, 1, 3)
    set xrange [0:1.03*LARGEST]
    set xlabel theta_label
    set ylabel E.'/'.sup(theta, '2').' / J'
    plot [] [0:*] branch('amplitude energy') using 1:($2/$1**2) @EXACT, energy_0 @HARMONIC_GAIT
    eval panel(1, 3, 2, 3)
    set xrange [0:1.03*LARGEST]
    set xlabel theta_label
    set ylabel 'arm at P / rad'
    set arrow from graph 0,first pi to graph 1,first pi nohead linestyle 13
    set label 'inverted' at graph 0.04,first pi left offset 0,0.6
    plot [] [0:3.8] branch('amplitude arm_at_P') using 1:2 @EXACT, arm_0*x @HARMONIC_GAIT
    eval panel(2, 3, 2, 3)
    set xrange [0:1.03*LARGEST]
    set xlabel theta_label
    set ylabel 'vertical force / weight'
    set label 'one foot, least' at graph 0.04,first 0.78 left
    set label 'each of two feet, largest' at graph 0.04,first 0.4 left
    plot [] [0:1.2] branch('amplitude min_single_support') using 1:2 @EXACT, \
        branch('amplitude max_landing_force') using 1:2 @EXACT, \
        1 @HARMONIC_GAIT, 0.5 @HARMONIC_GAIT
    eval panel(3, 3, 2, 3)
    set xrange [0:1.03*LARGEST]
    set xlabel theta_label
    set ylabel 'friction demand'
    plot [] [0:*] branch('amplitude friction_demand') using 1:2 @EXACT, x @HARMONIC_GAIT

    # The biped to scale: at P and at the landing.
    eval margins(0.01, 0.99, 0.01, 0.345).'; unset label; unset arrow; unset border; unset tics'
    unset xlabel; unset ylabel; unset grid
    set label '(g)' at screen 0.0126,0.335 left
    do for [i=1:CASES] {
        set label 'P' at first at(i, 1),first -0.17 center
        set label 'landing' at first at(i, 2),first -0.17 center
        set label sprintf('%s = %g', theta, of_case(i, 'amplitude')) \
            at first at(i, 1.5),first -0.4 center
    }
    set arrow from first -0.7,first 0 to first at(CASES, 2) + 0.6,first 0 nohead \
        linecolor rgb '#404040' linewidth 0.6
    set size ratio -1
    plot [-0.7:at(CASES, 2) + 0.6] [-0.5:2.85] \
        for [i=1:CASES] pose(i, 'harmonic_pose_P') using (at(i, 1) + $1):2 @SHADOW, \
        for [i=1:CASES] pose(i, 'harmonic_pose_landing') using (at(i, 2) + $1):2 @SHADOW, \
        for [i=1:CASES] pose(i, 'pose_P') every ::POINTS - 2 using (at(i, 1) + $1):2 @ARM, \
        for [i=1:CASES] pose(i, 'pose_landing') every ::POINTS - 2 using (at(i, 2) + $1):2 @ARM, \
        for [i=1:CASES] pose(i, 'pose_P') every ::0::POINTS - 2 using (at(i, 1) + $1):2 @BODY, \
        for [i=1:CASES] pose(i, 'pose_landing') every ::0::POINTS - 2 \
            using (at(i, 2) + $1):2 @BODY, \
        for [i=1:CASES] pose(i, 'pose_P') using (at(i, 1) + $1):2 @JOINTS, \
        for [i=1:CASES] pose(i, 'pose_landing') using (at(i, 2) + $1):2 @JOINTS
    set size noratio
    set grid
    eval FINISH

    eval figure('biped-rocking-free', WIDE, 60)
    eval pair(1)
    @SYMMETRY_POINTS
    set xlabel time_label
    set ylabel 'deviation / rad' offset 0.8,0
    set logscale y
    set format y '10^{%L}'
    plot data(NAME, '/simulation/free', 'time deviation') \
        using 1:($2 > 0 ? $2 : NaN) with lines linestyle 2
    eval pair(2)
    @SYMMETRY_POINTS
    set xlabel time_label
    set ylabel 'change of energy / J'
    plot data(NAME, '/simulation/free', 'time energy_change') using 1:2 with lines linestyle 2
    eval FINISH
}
