# A pile of discs with the impulses between them, and how two solvers come to them.
# figures: contact-problem-fig01
# records: contact_problem
load 'figures/style.gp'

NAME = 'contact_problem'
RADIUS = parameter(NAME, 'radius')
ROWS = parameter(NAME, 'rows')
BEFORE = parameter(NAME, 'sweeps_before')
MOST = number(NAME, 'max(/contacts/normal_impulse)')
CLASSES = 8  # of widths
set style line 31 linecolor rgb '#d8d8d8' linewidth 0.6
FORCES = data(NAME, '/pile', 'x y normal_x normal_y lower /contacts/normal_impulse')
do for [k=1:CLASSES] {
    set style arrow k nohead linecolor rgb '#d55e00' linewidth 0.7*k
}
class(impulse) = impulse > 0 ? ceil(CLASSES*impulse/MOST) : NaN
start(place, normal, lower) = place - (lower < 0 ? 0 : normal*RADIUS)
along(normal, lower) = (lower < 0 ? 1 : 2)*normal*RADIUS
SWEEPS = 'with lines linestyle 2'
TITLE_SWEEPS = 'Gauss-Seidel'
ITERATIONS = 'with linespoints linestyle 3'
TITLE_ITERATIONS = sprintf('Newton after %.0f', BEFORE)

do for [format in FORMATS] {
    eval figure('contact-problem-fig01', WIDE, 70)
    eval pair(1)
    unset border; unset tics; unset grid
    set size ratio -1
    set xrange [-1.2*RADIUS:(2*ROWS - 0.8)*RADIUS]
    set yrange [-0.2*RADIUS:(2 + sqrt(3)*(ROWS - 1) + 0.2)*RADIUS]
    plot data(NAME, '/pile', 'centre_x centre_y') using 1:2:(RADIUS) with circles linestyle 31, \
         0 with lines linestyle 1, \
         FORCES using (start($1, $3, $5)):(start($2, $4, $5)):(along($3, $5)):(along($4, $5)):\
             (class($6)) with vectors arrowstyle variable
    set grid
    eval pair(2)
    set logscale xy
    set yrange [1e-14:1]
    set format y '10^{%L}'
    set xlabel 'sweeps, iterations'
    set ylabel 'residual'
    set key @KEY_INSIDE center left
    plot data(NAME, '/gauss_seidel', 'step residual') using 1:2 @SWEEPS title TITLE_SWEEPS, \
         data(NAME, '/newton', 'step residual') using ($1 + BEFORE):2 @ITERATIONS title TITLE_ITERATIONS
    eval FINISH
}
