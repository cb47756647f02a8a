# The billiard break: the three balls to scale, the difference that the order of the two impacts
# makes over the angle between the balls, and the same over the mass of the cue ball too.
#
# figures: seghete-2014-fig04 seghete-2014-fig05 seghete-2014-billiard-map
# records: billiards
load 'figures/style.gp'

NAME = 'billiards'

xi = math('𝜉')
theta_label = theta.' / rad'
PI_TICS = "set xtics ('0' 0, ".quoted(math('𝜋').'/6')." pi/6, ".quoted(math('𝜋').'/3')." pi/3, ".\
    quoted(math('𝜋').'/2')." pi/2, ".quoted('2'.math('𝜋').'/3')." 2*pi/3, ".\
    quoted('5'.math('𝜋').'/6')." 5*pi/6, ".quoted(math('𝜋'))." pi)"

# --- figure 4: the balls ------------------------------------------------------------------------

A = 0; B = 1; C = 2
ball(axis, i) = number(NAME, sprintf('/drawing/%s[%d]', axis, i))
left_of(i) = ball('x', i) - ball('radius', i)
right_of(i) = ball('x', i) + ball('radius', i)
top_of(i) = ball('y', i) + ball('radius', i)
bottom_of(i) = ball('y', i) - ball('radius', i)
larger(a, b) = a > b ? a : b
smaller(a, b) = a < b ? a : b

LEFT = smaller(left_of(A), smaller(left_of(B), left_of(C)))
RIGHT = larger(right_of(A), larger(right_of(B), right_of(C)))
TOP = larger(top_of(A), larger(top_of(B), top_of(C)))
BOTTOM = smaller(bottom_of(A), smaller(bottom_of(B), bottom_of(C)))
MARGIN = 2.0      # mm around the balls
BREADTH = 66.0    # mm that they fill, or as high
SCALE = larger(RIGHT - LEFT, TOP - BOTTOM)/BREADTH  # metres to a millimetre
HEIGHT = (TOP - BOTTOM)/SCALE + 2*MARGIN
SIDE = 0.5*(NARROW*SCALE - (RIGHT - LEFT))

RESTING = "fillcolor rgb '#d8d8d8' fillstyle solid border linecolor rgb '#000000'"
MOVING = "fillcolor rgb '#cfe3f2' fillstyle solid border linecolor rgb '#000000'"
circle(i, style) = sprintf('set object circle at %.9g,%.9g size %.9g %s back; ', \
    ball('x', i), ball('y', i), ball('radius', i), style)
centre(i) = sprintf("set label '' at %.9g,%.9g point pointtype 7 pointsize 0.3 front; ", \
    ball('x', i), ball('y', i))
named(i, name, right, up) = sprintf('set label "%s" at %.9g,%.9g center front; ', math(name), \
    ball('x', i) + right*SCALE, ball('y', i) + up*SCALE)
to_centre(i) = sprintf("set arrow from 0,0 to %.9g,%.9g nohead front ".\
    "linewidth 0.8 dashtype (4,3); ", \
    ball('x', i), ball('y', i))
HALF = 0.5*number(NAME, '/drawing/angle')
ARC = 0.42*ball('radius', C)
SPEED = 0.78*ball('radius', C)

# --- the map ------------------------------------------------------------------------------------

RATIOS = int(parameter(NAME, 'map_ratios'))
ANGLES = int(parameter(NAME, 'map_angles'))
LOWEST = log10(parameter(NAME, 'least_ratio'))
HIGHEST = log10(parameter(NAME, 'largest_ratio'))
ORDERS = int(number(NAME, '/map/order[-1]') - number(NAME, '/map/order[0]')) + 1
exponent(i) = LOWEST + (HIGHEST - LOWEST)*i/(RATIOS - 1)
direction(i) = pi*i/(ANGLES - 1)
OF_FIGURE_5 = 3*log10(parameter(NAME, 'radius_c')/parameter(NAME, 'radius_a'))
# Where balls overlap there is no break; gnuplot has no hole in an image, but an area drawn over it.
map = filtered(data(NAME, '/map', 'indeterminacy'), "'{ gsub(/nan/, \"0\"); print }'")
OVERLAP = "with filledcurves y1 fillcolor rgb '#e4e4e4' fillstyle solid noborder"
touching = data(NAME, '/map', 'mass_ratio smallest_angle')
curves = data(NAME, '/map', 'mass_ratio unique_angle')

# --- figure 5 -----------------------------------------------------------------------------------

RUN = "with lines linestyle 2"
CLOSED = "with points linestyle 9"
TITLE_RUN = 'both orders run'
TITLE_CLOSED = 'closed form'
billiard = data(NAME, '/billiard', 'angle indeterminacy')
EVERY = int(parameter(NAME, 'angles')/40) + 1
closed = data_every(NAME, '/billiard', 'angle closed_form', EVERY)
SMALLEST = number(NAME, '/billiard/angle[0]')
BAR = 3.0

do for [format in FORMATS] {
    eval figure('seghete-2014-fig04', NARROW, HEIGHT)
    eval margins(0, 1, 0, 1)
    unset border
    unset tics
    unset grid
    eval circle(A, RESTING).circle(B, RESTING).circle(C, MOVING)
    eval centre(A).centre(B).centre(C).to_centre(A).to_centre(B)
    eval named(A, '𝑎', 0, 4).named(B, '𝑏', 0, -4).named(C, '𝑐', -4, 0)
    set object circle at 0,0 size ARC arc [-HALF*180/pi:HALF*180/pi] nowedge \
        fillstyle empty border linecolor rgb '#404040' linewidth 0.8 front
    set label theta at ARC + 3.0*SCALE,2.4*SCALE center front
    set arrow from 0,0 to SPEED,0 filled head size screen 0.03,18 front \
        linecolor rgb '#c8431b' linewidth 1.4
    set label sub(math('𝒗'), 'c') at SPEED,-2.8*SCALE center front
    plot [LEFT - SIDE:RIGHT + SIDE] [BOTTOM - MARGIN*SCALE:TOP + MARGIN*SCALE] NaN notitle
    eval FINISH
    set grid
}

do for [format in FORMATS] {
    eval figure('seghete-2014-fig05', NARROW, 62)
    eval legend('RUN CLOSED')
    eval PI_TICS
    set xlabel theta_label
    set ylabel xi.' / %'
    plot [SMALLEST:pi] [0:*] billiard using 1:(100*$2) @RUN, closed using 1:(100*$2) @CLOSED
    eval FINISH
}

do for [format in FORMATS] {
    eval figure('seghete-2014-billiard-map', NARROW, 66)
    eval margins(ROOM_LEFT/NARROW, 1 - (BAR + 11.0)/NARROW, ROOM_BELOW/66.0, 1 - ROOM_ABOVE/66.0)
    eval PI_TICS
    set ytics 1
    set format y '10^{%g}'
    set xlabel theta_label
    set ylabel sub(math('𝑚'), 'c').'/'.sub(math('𝑚'), 'a')
    set palette defined (0 '#ffffff', 1 '#cfe3f2', 2 '#7fb2d6', 3 '#2f6fa8', 4 '#0b2f5c')
    set cbrange [0:*]
    set cbtics 0.5 scale 0.5
    set colorbox user origin screen 1 - (BAR + 9.0)/NARROW,ROOM_BELOW/66.0 \
        size screen BAR/NARROW,1 - (ROOM_BELOW + ROOM_ABOVE)/66.0
    set label xi at screen 1 - (0.5*BAR + 9.0)/NARROW,1 - (ROOM_ABOVE - 2.0)/66.0 center
    plot [0:pi] [LOWEST:HIGHEST] \
        map matrix using (direction($1)):(exponent($2)):3 with image, \
        touching using 2:(log10($1)) @OVERLAP, \
        touching using 2:(log10($1)) with lines linestyle 1, \
        for [k=0:ORDERS - 1] curves using (column(2 + k)):(log10($1)) \
            with lines linecolor rgb '#c8431b' linewidth 0.9, \
        OF_FIGURE_5 with lines linestyle 12
    eval FINISH
    unset colorbox
}
