# A ball that falls and stays: the ball, the field of the inclusion and its trajectory; and the rod
# that is stopped by an impact without collision.
#
# figures: halm-2023-fig06 halm-2023-painleve
# records: falling_ball
load 'figures/style.gp'

NAME = 'falling_ball'
R = parameter(NAME, 'radius')
Z = parameter(NAME, 'initial_height')
GAP = number(NAME, '/portrait/gap_limit')
SPEED = number(NAME, '/portrait/velocity_limit')
LENGTH = parameter(NAME, 'rod_length')
drawing(name, columns_wanted) = data(NAME, '/drawing/'.name, columns_wanted)
rod(name, columns_wanted) = data(NAME, '/rod/'.name, columns_wanted)

# A picture to scale in the left part of the page.
left_picture(i) = panel(1, 1, 1, 1).'; '.margins(0.02, 0.40, 0.02, 0.84).\
    '; unset border; unset tics; unset grid; set size ratio -1; '.\
    'set label 1 "(a)" at screen 0.02,0.855 left'
right_panel(i) = panel(1, 1, 1, 1).'; '.margins(0.53, 0.97, 0.17, 0.82).\
    '; set label 1 "(b)" at graph 0,1 left offset 0,0.6'

FLOWING = "with vectors filled head size graph 0.012,25 linestyle 34"
STRIKING = "with vectors filled head size graph 0.012,25 linestyle 35"
EXACT = "with lines linestyle 36"
STEPPED = "with points linestyle 37"
ROUTH = "with linespoints linestyle 36"
set style line 34 linecolor rgb '#0072b2' linewidth 0.8 dashtype 1 pt 7 ps 0.4
set style line 35 linecolor rgb '#c8431b' linewidth 0.8 dashtype 1 pt 7 ps 0.4
set style line 36 linecolor rgb '#000000' linewidth 1.6 dashtype 1 pt 7 ps 0.5
set style line 37 linecolor rgb '#e69f00' linewidth 1.0 dashtype 1 pt 6 ps 0.4
TITLE_FLOWING = 'flight'
TITLE_STRIKING = 'impact'
TITLE_EXACT = 'exact'
TITLE_STEPPED = 'integrator'
TITLE_ROUTH = 'Routh’s path'

# Arrows show directions: of one length in the picture, about two thirds of their distance.
ARROW = 0.085
far(dx, dy) = sqrt((dx/GAP)**2 + (dy/SPEED)**2)
along(d, dx, dy) = far(dx, dy) > 0 ? ARROW*d/far(dx, dy) : 0
field = data(NAME, '/portrait', 'gap velocity gap_rate velocity_rate region')
in_region(i, region, value) = i == region ? value : NaN

do for [format in FORMATS] {
    # Figure 6: the ball, and the phase portrait with its regions and a trajectory.
    eval figure('halm-2023-fig06', WIDE, 78)
    eval legend('FLOWING STRIKING EXACT STEPPED')
    eval left_picture(1)
    set arrow 1 from first 0,0 to first 0,Z heads size graph 0.02,20 linestyle 13
    set label 2 math('𝑧') at first 0.12*R,0.5*Z left
    plot [-2*R:2*R] [-0.3*R:2.4*R + Z] \
        drawing('ground', 'x y') using 1:2 @WALL, \
        drawing('ball', 'x y') using 1:2 @BODY, \
        drawing('center', 'x y') using 1:2 with points linestyle 26, \
        drawing('center', 'x y dx dy') using 1:2:3:4 @VELOCITY
    set size noratio
    eval right_panel(2)
    set xlabel math('𝑧').' / m'
    set ylabel 'd'.math('𝑧').'/d'.t.' / (m s^{−1})'
    set object 1 rectangle from graph 0,0 to first 0,first 0 behind fillcolor rgb '#fbe7df' \
        fillstyle solid noborder
    set object 2 rectangle from first 0,graph 0 to graph 1,graph 1 behind \
        fillcolor rgb '#e6f1f8' fillstyle solid noborder
    set object 3 rectangle from graph 0,first 0 to first 0,graph 1 behind \
        fillcolor rgb '#eef3e4' fillstyle solid noborder
    set arrow 1 from first 0,0 to graph 0,first 0 nohead back linestyle 27
    set arrow 2 from first 0,0 to first 0,graph 0 nohead back linestyle 27
    plot [-GAP:GAP] [-SPEED:SPEED] \
        field using ($1 - 0.5*along($3, $3, $4)):($2 - 0.5*along($4, $3, $4)):\
            (in_region($5, 0, along($3, $3, $4))):(along($4, $3, $4)) @FLOWING, \
        field using ($1 - 0.5*along($3, $3, $4)):($2 - 0.5*along($4, $3, $4)):\
            (in_region($5, 1, along($3, $3, $4))):(along($4, $3, $4)) @STRIKING, \
        data(NAME, '/exact', 'gap velocity') using 1:2 @EXACT, \
        data_every(NAME, '/inclusion', 'gap velocity', 100) using 1:2 @STEPPED
    eval FINISH

    # The rod, and what its end does during the impact without collision.
    eval figure('halm-2023-painleve', WIDE, 68)
    eval legend('ROUTH STEPPED')
    eval left_picture(1)
    plot [-0.55*LENGTH:1.05*LENGTH] [-0.12*LENGTH:1.05*LENGTH] \
        rod('drawing/ground', 'x y') using 1:2 @WALL, \
        rod('drawing/rod', 'x y') using 1:2 @BODY, \
        rod('drawing/end', 'x y dx dy') using 1:2:3:4 @VELOCITY
    set size noratio
    eval right_panel(2)
    set xlabel 'sliding velocity / (m s^{−1})'
    set ylabel 'normal velocity / (m s^{−1})'
    set offsets graph 0.05, graph 0.05, graph 0.05, graph 0.05
    plot rod('routh', 'tangential_velocity normal_velocity') using 1:2 @ROUTH, \
         data_every(NAME, '/rod/inclusion', 'tangential_velocity normal_velocity', 6) \
             using 1:2 @STEPPED
    unset offsets
    eval FINISH
}
