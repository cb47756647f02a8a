# The four systems of bruls-2014, drawn to scale from the parameters of their records.
#
# figures: bruls-2014-fig01
# records: bouncing_ball bouncing_pendulum elastic_bar rocking_block
load 'figures/style.gp'

# --- the systems -------------------------------------------------------------------------------

ball_R = parameter('bouncing_ball', 'radius')
ball_y = parameter('bouncing_ball', 'initial_height')

rod_l = parameter('bouncing_pendulum', 'length')
rod_theta = parameter('bouncing_pendulum', 'initial_angle')
wall_x = parameter('bouncing_pendulum', 'wall_position')
wall_theta = -acos(wall_x/rod_l)
wall_y = rod_l*sin(wall_theta)

bar_L = parameter('elastic_bar', 'length')
bar_d = parameter('elastic_bar', 'initial_gap')
bar_elements = parameter('elastic_bar', 'elements')
bar_section = parameter('elastic_bar', 'section')
bar_b = sqrt(bar_section)

block_L = parameter('rocking_block', 'width')
block_l = parameter('rocking_block', 'height')
block_x = parameter('rocking_block', 'initial_x')
block_y = parameter('rocking_block', 'initial_y')
block_theta = parameter('rocking_block', 'initial_angle')

# Point of the block with body coordinates (X, Y), from the mass centre.
corner_x(X, Y) = block_x + X*cos(block_theta) - Y*sin(block_theta)
corner_y(X, Y) = block_y + X*sin(block_theta) + Y*cos(block_theta)

# Its corners: 1 and 2 below as in the paper, 3 and 4 above.
x1 = corner_x(block_L/2, -block_l/2); y1 = corner_y(block_L/2, -block_l/2)
x2 = corner_x(-block_L/2, -block_l/2); y2 = corner_y(-block_L/2, -block_l/2)
x3 = corner_x(block_L/2, block_l/2); y3 = corner_y(block_L/2, block_l/2)
x4 = corner_x(-block_L/2, block_l/2); y4 = corner_y(-block_L/2, block_l/2)

# --- drawing -----------------------------------------------------------------------------------

HEIGHT = 62.0     # mm, of the page
LETTER_Y = 58.0   # mm, of the letters above the bottom of the page
GROUND = "fillcolor rgb '#d8d8d8' fillstyle solid noborder"
BODY = "fillcolor rgb '#d6e6f2' fillstyle solid border linecolor rgb '#0072b2'"
OUTLINE = "linecolor rgb '#000000' linewidth 1.2"
DIMENSION = "linecolor rgb '#404040' linewidth 0.6"
DOT = "point linestyle 1 pointtype 7 pointsize 0.35"
BOTH_ENDS = "heads size screen 0.006,25 filled"
ARC = "nowedge fillstyle empty border linecolor rgb '#404040'"
HINGE = "fillcolor rgb '#ffffff' fillstyle solid border linecolor rgb '#000000'"
ONE_END = "head size screen 0.008,20 filled"

# A cell of the page with its lower left corner at `left`, 0 (mm) that shows the system from
# (x0, y0) on, `scale` metres to a millimetre: the same along both axes.
cell(left, width, letter, x0, y0, scale) = (\
    cell_scale = scale, cell_x0 = x0, cell_y0 = y0, \
    margins(left/WIDE, (left + width)/WIDE, 0, 1).\
    '; unset label; unset arrow; unset object; unset border; unset tics; unset grid; unset key; '.\
    sprintf('set xrange [%.9g:%.9g]; set yrange [%.9g:%.9g]; ', \
            x0, x0 + width*scale, y0, y0 + HEIGHT*scale).\
    sprintf('set label "(%s)" at screen %.5f, screen %.5f left', \
            letter, (left + 1)/WIDE, LETTER_Y/HEIGHT))

# Show what has been set; the curve itself lies outside.
SHOW = "plot cell_y0 - 1 notitle"

# A length `mm` on paper in metres of the system, to keep labels clear of the drawing.
mm(length) = length*cell_scale

# Arrow of the gravitational acceleration, at most 8 mm long.
gravity(x, y) = sprintf(\
    'set arrow from %.9g,%.9g to %.9g,%.9g @ONE_END @OUTLINE; '.\
    'set label sub(math("𝑎"), math("𝑔")) at %.9g,%.9g left', \
    x, y, x, y - mm(8), x + mm(1.2), y - mm(4))

# Bar of the scale: so many metres.
scale_bar(x, y, metres) = sprintf(\
    'set arrow from %.9g,%.9g to %.9g,%.9g heads size screen 0.004,90 @OUTLINE; '.\
    'set label "%g m" at %.9g,%.9g center', \
    x, y, x + metres, y, metres, x + 0.5*metres, y + mm(2.2))

do for [format in FORMATS] {
    eval figure('bruls-2014-fig01', WIDE, HEIGHT)

    # (a) the ball above the floor: height of the centre y, radius R, gap g = y - R
    eval cell(0, 36, 'a', -0.46, -0.26, 0.0275)
    set object rectangle from -0.36,-0.08 to 0.46,0 @GROUND
    set arrow from -0.36,0 to 0.46,0 nohead @OUTLINE
    set object circle at 0,ball_y size ball_R @BODY
    set label '' at 0,ball_y @DOT
    set arrow from 0,ball_y to ball_R*cos(0.9),(ball_y + ball_R*sin(0.9)) @ONE_END @DIMENSION
    set label R at 0.24*ball_R,(ball_y + 0.62*ball_R) right
    set arrow from 0,0 to 0,(ball_y - ball_R) @BOTH_ENDS @DIMENSION
    set label g.' = '.y.' − '.R at mm(1.2),0.5*(ball_y - ball_R) left
    set arrow from -ball_R - mm(2),0 to -ball_R - mm(2),ball_y @BOTH_ENDS @DIMENSION
    set arrow from -ball_R - mm(3),ball_y to 0,ball_y nohead dashtype 3 @DIMENSION
    set label y at -ball_R - mm(3.2),0.5*ball_y right
    eval gravity(ball_R + mm(4), ball_y)
    eval scale_bar(0.02, -0.22, 0.4)
    eval SHOW

    # (b) the pendulum: joint at the origin, mass centre at the end, wall at x_w
    eval cell(36, 50, 'b', -0.35, -1.23, 0.0305)
    set object rectangle from wall_x - 0.3,wall_y - 0.34 to wall_x,wall_y @GROUND
    set arrow from wall_x,wall_y to wall_x,wall_y - 0.34 nohead @OUTLINE
    set arrow from 0,0 to wall_x,wall_y nohead dashtype 2 @OUTLINE
    set label '' at wall_x,wall_y point linestyle 1 pointtype 6 pointsize 0.7
    set arrow from 0,0 to rod_l*cos(rod_theta),rod_l*sin(rod_theta) nohead linecolor rgb '#0072b2' \
        linewidth 2.5
    set object circle at rod_l*cos(rod_theta),rod_l*sin(rod_theta) size 0.045 @BODY
    set object circle at 0,0 size 0.035 @HINGE
    set arrow from -0.14,0 to rod_l*0.75,0 nohead dashtype 3 @DIMENSION
    set object circle at 0,0 size 0.52*rod_l arc [0:rod_theta*180/pi] @ARC
    set label sub(theta, '0') at 0.55*rod_l,0.06*rod_l left
    set label ell at 0.45*rod_l*cos(rod_theta),(0.45*rod_l*sin(rod_theta) + mm(2.4)) center
    set arrow from 0,0 to 0,wall_y - 0.1 nohead dashtype 3 @DIMENSION
    set arrow from 0,wall_y - 0.05 to wall_x,wall_y - 0.05 @BOTH_ENDS @DIMENSION
    set label sub(x, 'w') at 0.25*wall_x,wall_y - 0.05 - mm(2.2) center
    set label sprintf('%.0f°', -wall_theta*180/pi) at 0.34,-0.14 left
    set object circle at 0,0 size 0.3 arc [360 + wall_theta*180/pi:360] @ARC
    eval gravity(rod_l - mm(2), -0.25)
    eval scale_bar(-0.29, -1.11, 0.5)
    eval SHOW

    # (c) the bar before the wall: gap d_0, speed v_0, element boundaries (every tenth)
    eval cell(86, 52, 'c', -bar_d - 0.9, -10.2, 0.328)
    set object rectangle from -bar_d - 0.8,-3 to -bar_d,3 @GROUND
    set arrow from -bar_d,-3 to -bar_d,3 nohead @OUTLINE
    set object rectangle from 0,-0.5*bar_b to bar_L,0.5*bar_b @BODY
    do for [i=1:int(bar_elements/10) - 1] {
        set arrow from 10*i*bar_L/bar_elements,-0.5*bar_b to 10*i*bar_L/bar_elements,0.5*bar_b \
            nohead linecolor rgb '#0072b2' linewidth 0.5
    }
    set arrow from -bar_d,0 to 0,0 @BOTH_ENDS @DIMENSION
    set label sub(math('𝑑'), '0') at -0.5*bar_d,mm(2.2) center
    set arrow from 0.62*bar_L,1.6 to 0.38*bar_L,1.6 @ONE_END @OUTLINE
    set label sub(v, '0') at 0.5*bar_L,1.6 + mm(2.2) center
    set arrow from 0,-1.6 to bar_L,-1.6 @BOTH_ENDS @DIMENSION
    set label L at 0.5*bar_L,-1.6 - mm(2.2) center
    set label sprintf('%.0f elements', bar_elements) at 0.5*bar_L,-1.6 - mm(6.4) center
    eval scale_bar(bar_L - 5, -7.6, 5)
    eval SHOW

    # (d) the block above the floor: corners 1 and 2, width L, height l, angle theta
    eval cell(137, 41, 'd', -0.98, -0.45, 0.0445)
    set object rectangle from -0.85,-0.14 to 0.8,0 @GROUND
    set arrow from -0.85,0 to 0.8,0 nohead @OUTLINE
    set object polygon from x1,y1 to x3,y3 to x4,y4 to x2,y2 to x1,y1 @BODY
    set label '' at block_x,block_y @DOT
    set label '1' at x1 + mm(0.8),y1 - mm(1.4) left
    set label '2' at x2 + mm(0.4),y2 - mm(1.6) right
    above = block_l/2 + mm(2)
    set arrow from corner_x(-block_L/2, above),corner_y(-block_L/2, above) \
        to corner_x(block_L/2, above),corner_y(block_L/2, above) @BOTH_ENDS @DIMENSION
    set label L at corner_x(0, above + mm(2.4)),corner_y(0, above + mm(2.4)) center
    beside = -block_L/2 - mm(2)
    set arrow from corner_x(beside, -block_l/2),corner_y(beside, -block_l/2) \
        to corner_x(beside, block_l/2),corner_y(beside, block_l/2) @BOTH_ENDS @DIMENSION
    set label ell at corner_x(beside - mm(1.6), 0),corner_y(beside - mm(1.6), 0) center
    set arrow from block_x,block_y to block_x,(block_y + 0.42*block_l) nohead dashtype 3 @DIMENSION
    set arrow from block_x,block_y to corner_x(0, 0.42*block_l),corner_y(0, 0.42*block_l) \
        nohead dashtype 3 @DIMENSION
    set object circle at block_x,block_y size 0.3*block_l \
        arc [90:90 + block_theta*180/pi] @ARC
    set label theta at corner_x(-0.03*block_l,0) + 0.04,(block_y + 0.37*block_l) right
    set label '('.x.', '.y.')' at block_x + mm(1),block_y - mm(1.6) left
    eval gravity(block_x + 0.62*block_L, block_y + 0.6*block_l)
    eval scale_bar(0.3, -0.38, 0.5)
    eval SHOW

    eval FINISH
}
