# The sketches of thorin-2017: the gap at rest, the way from impact times to motions, the reflection
# at an impact, and the serial oscillator.
#
# figures: thorin-2017-fig01 thorin-2017-fig02 thorin-2017-fig03 thorin-2017-fig05
# records: serial_oscillator
load 'figures/style.gp'

RECORD = 'serial_oscillator'
number_of(path) = number(RECORD, path)
columns_of(group, paths) = data(RECORD, group, paths)

# --- drawing -----------------------------------------------------------------------------------

GROUND = "fillcolor rgb '#d8d8d8' fillstyle solid noborder"
BODY = "fillcolor rgb '#d6e6f2' fillstyle solid border linecolor rgb '#0072b2'"
LAST_BODY = "fillcolor rgb '#f4cfc2' fillstyle solid border linecolor rgb '#c8431b'"
GHOST = "fillstyle empty border linecolor rgb '#7f7f7f'"
OUTLINE = "linecolor rgb '#000000' linewidth 1.2"
SPRING = "linecolor rgb '#000000' linewidth 0.8"
DIMENSION = "linecolor rgb '#404040' linewidth 0.6"
BOTH_ENDS = "heads size screen 0.006,25 filled"
ONE_END = "head size screen 0.008,20 filled"

# A cell of the page with its lower left corner at (left, bottom) mm; its coordinates are mm.
cell(left, bottom, width, height) = (\
    margins(1.0*left/page_width, 1.0*(left + width)/page_width, 1.0*bottom/page_height, \
            1.0*(bottom + height)/page_height).\
    '; unset label; unset arrow; unset object; unset border; unset tics; unset grid; unset key; '.\
    "set xlabel ''; set ylabel ''; ".\
    sprintf('set xrange [0:%.9g]; set yrange [0:%.9g]', width, height))
lettered(index, x, y) = sprintf('set label "(%s)" at %.9g,%.9g left', 'abc'[index:index], x, y)

# Show what has been set; the curve itself lies outside.
SHOW = "plot -1 notitle"

# A line of n + 1 points (x(i), y(i)) as a list of arrows without heads.
segment(x1, y1, x2, y2, look) = \
    sprintf('set arrow from %.9g,%.9g to %.9g,%.9g nohead %s; ', x1, y1, x2, y2, look)

# A spring from x1 to x2 at the height y: a straight lead, a zigzag of 2*COILS strokes, a lead.
COILS = 5
spring(x1, x2, y, half) = (\
    lead = 0.14*(x2 - x1), stroke = (x2 - x1 - 2*lead)/(2*COILS), \
    spring_list = segment(x1, y, x1 + lead, y, SPRING), \
    sum [i=1:2*COILS] (\
        spring_list = spring_list.segment(\
            x1 + lead + (i - 1)*stroke, y + (i == 1 ? 0 : i%2 == 0 ? half : -half), \
            x1 + lead + i*stroke, y + (i == 2*COILS ? 0 : i%2 == 1 ? half : -half), SPRING), 0), \
    spring_list.segment(x2 - lead, y, x2, y, SPRING))

block(x, y, width, height, look) = sprintf(\
    'set object rectangle from %.9g,%.9g to %.9g,%.9g ', x, y - 0.5*height, x + width, \
    y + 0.5*height).look
wall(x1, x2, low, high, face) = sprintf(\
    'set object rectangle from %.9g,%.9g to %.9g,%.9g ', x1, low, x2, high).GROUND.\
    '; '.segment(face, low, face, high, OUTLINE)

# --- symbols -----------------------------------------------------------------------------------

g_0 = sub(g, '0')
T = math('𝑇')
S_set = math('𝒮')
bold_lambda = math('𝝀')
bold_Pi = math('𝚷')
bold_Sigma = math('𝚺')
bold_j = math('𝐣')
bold_r = math('𝐫')
hyperplane = bold_r.'^{'.math('⟂').'}'
bold_z = math('𝐳')
bold_s = math('𝑠')
z(i, l) = sub(math('𝑧'), sprintf('%d,', i).math(l))

# --- figure 3: two velocities and one position -------------------------------------------------

# Participations of two modes, made a unit vector of their velocity plane.
rho_a = number_of('/modal/participation[0]')
rho_b = number_of('/modal/participation[2]')
angle = atan2(sqrt(rho_b), sqrt(rho_a))
r_a = cos(angle)
r_b = sin(angle)

# Picture of the point with position p of the first mode and velocities a, b of both.
UNIT = 17.0  # mm
px(p, a, b) = 36 + UNIT*(0.98*p - 0.62*b)
py(p, a, b) = 28 + UNIT*(0.10*p + a - 0.36*b)
line3(p1, a1, b1, p2, a2, b2, look) = \
    segment(px(p1, a1, b1), py(p1, a1, b1), px(p2, a2, b2), py(p2, a2, b2), look)
arrow3(p1, a1, b1, p2, a2, b2, look) = sprintf(\
    'set arrow from %.9g,%.9g to %.9g,%.9g %s; ', px(p1, a1, b1), py(p1, a1, b1), \
    px(p2, a2, b2), py(p2, a2, b2), look)
corner3(p, a, b) = sprintf('%.9g,%.9g', px(p, a, b), py(p, a, b))

do for [format in FORMATS] {
    # Gap at rest: positive, zero, negative; the last rest position cannot be taken.
    eval figure('thorin-2017-fig01', WIDE, 40)
    do for [i=1:3] {
        gap = i == 1 ? 8 : i == 2 ? 0 : -6
        rest = 36
        eval cell((i - 1)*WIDE/3, 0, WIDE/3, 40)
        eval lettered(i, 2, 37.5)
        eval wall(6, 9, 9, 29, 9)
        eval wall(rest + gap, rest + gap + 6, 9, 29, rest + gap)
        eval spring(9, rest - 9, 19, 2.4)
        if (i < 3) {
            eval block(rest - 9, 19, 9, 9, LAST_BODY)
        } else {
            eval block(rest - 9, 19, 9, 9, GHOST)
        }
        set arrow from rest,6 to rest,29 nohead dashtype 3 @DIMENSION
        set label '0' at rest,4 center
        if (i != 2) {
            set arrow from rest,26.5 to rest + gap,26.5 @ONE_END @DIMENSION
            set label g_0 at rest + 0.5*gap,29.5 center
        }
        set label g_0.(i == 1 ? ' > 0' : i == 2 ? ' = 0' : ' < 0') at 9,37.5 left
        eval SHOW
    }
    eval FINISH

    # From a point of the set of impact times to a motion: the branch of two impacts as an example.
    eval figure('thorin-2017-fig02', WIDE, 62)
    eval cell(0, 0, WIDE, 62)
    set object rectangle from 66,16 to 108,46 fillcolor rgb '#f4f4f4' fillstyle solid \
        border linecolor rgb '#404040'
    set label bold_Pi.'('.bold_s.') '.bold_lambda.' = 0' at 87,40 center
    set label bold_Sigma.'('.bold_s.') '.bold_lambda.' = −'.g_0.' '.bold_j at 87,34 center
    set label math('⟹') at 87,28 center
    set label bold_lambda.' = −'.g_0.' '.bold_Sigma.'^{−1}('.bold_s.') '.bold_j at 87,22 center
    set arrow from 56,31 to 65.5,31 @ONE_END @OUTLINE
    set arrow from 108.5,31 to 115.5,31 @ONE_END @OUTLINE
    set label 'impact times' at 31,57.5 center
    set label 'speeds of impact' at 87,57.5 center
    set label 'phase space' at 147,57.5 center
    eval SHOW
    eval cell(12, 12, 42, 40)
    set border 3 linewidth 0.6
    set xlabel sub(t, '1') offset 0,0.4
    set ylabel sub(t, '2').' = '.T offset 0.6,0
    set label S_set at 1.60,2.75 center textcolor rgb '#c8431b'
    set label bold_s at number_of('/double/case_3/sigma[0]'),number_of('/double/case_3/period') \
        right offset -0.8,0.5
    plot [1.5:1.95] [2.6:2.92] columns_of('/double/branch', 'sigma_1 period') \
            using 1:2 with lines linestyle 14, \
        columns_of('/double/case_3', 'sigma[0] period') using 1:2 \
            with points linestyle 1 pointtype 7 pointsize 0.5
    eval cell(124, 12, 48, 40)
    set border 3 linewidth 0.6
    set xlabel sub(x, math('𝑛')) offset 0,0.4
    set ylabel sub(dot_x, math('𝑛')) offset 0.6,0
    plot [-4.6:1.2] [-16:16] \
        for [k in '2 4 5'] columns_of('/double/case_'.k, 'position[:,-1] velocity[:,-1]') \
            using 1:2 with lines linestyle 18, \
        columns_of('/double/case_3', 'position[:,-1] velocity[:,-1]') using 1:2 \
            with lines linestyle 14
    eval FINISH

    # The impact in modal coordinates: the hyperplane that it leaves alone contains the position
    # axis of each modal plane, in which a flight is a rotation; on the right along that axis.
    eval figure('thorin-2017-fig03', WIDE, 62)
    eval cell(0, 0, 100, 62)
    eval lettered(1, 2, 58.5)
    # the hyperplane r = 0 and the modal plane b = 0
    eval 'set object polygon from '.corner3(-1.5, -1.2*r_b, 1.2*r_a).' to '.\
        corner3(1.5, -1.2*r_b, 1.2*r_a).' to '.corner3(1.5, 1.2*r_b, -1.2*r_a).' to '.\
        corner3(-1.5, 1.2*r_b, -1.2*r_a).' to '.corner3(-1.5, -1.2*r_b, 1.2*r_a).\
        ' fillcolor rgb "#fbe5cc" fillstyle solid border linecolor rgb "#e69f00"'
    eval 'set object polygon from '.corner3(-1.5, -1.3, 0).' to '.corner3(1.5, -1.3, 0).' to '.\
        corner3(1.5, 1.3, 0).' to '.corner3(-1.5, 1.3, 0).' to '.corner3(-1.5, -1.3, 0).\
        ' fillcolor rgb "#d6e6f2" fillstyle transparent solid 0.6 border linecolor rgb "#0072b2"'
    eval arrow3(-1.7, 0, 0, 1.9, 0, 0, ONE_END.' '.OUTLINE)
    eval arrow3(0, -1.45, 0, 0, 1.65, 0, ONE_END.' '.DIMENSION)
    eval arrow3(0, 0, -1.2, 0, 0, 1.6, ONE_END.' '.DIMENSION)
    do for [i=0:29] {
        eval line3(cos(0.2 + i*0.05), -sin(0.2 + i*0.05), 0, \
                   cos(0.25 + i*0.05), -sin(0.25 + i*0.05), 0, 'linestyle 2')
    }
    eval arrow3(cos(1.65), -sin(1.65), 0, cos(1.75), -sin(1.75), 0, ONE_END.' linestyle 2')
    eval arrow3(0, 0, 0, 0, r_a, r_b, ONE_END.' linestyle 14')
    eval 'set label bold_r at '.corner3(0, r_a, r_b).' right offset -0.6,0.3'
    eval "set label z(1, '𝑙') at ".corner3(1.95, 0, 0).' left'
    eval "set label z(2, '𝑙') at ".corner3(0, 1.6, 0).' left offset 0.6,0'
    eval "set label z(2, '𝑚') at ".corner3(0, 0, 1.6).' right offset -0.6,0'
    eval "set label math('𝐒').'('.t.')' at ".corner3(0.95, -0.95, 0).' center'
    eval 'set label hyperplane at '.corner3(1.5, 1.2*r_b, -1.2*r_a).' left offset 0.4,-0.2'
    eval SHOW
    eval cell(104, 0, 70, 62)
    eval lettered(2, 2, 58.5)
    x0 = 34
    y0 = 28
    v_b = 0.35
    v_a = 1.25
    along = v_a*r_a + v_b*r_b
    w_a = v_a - 2*along*r_a
    w_b = v_b - 2*along*r_b
    set arrow from x0 - 26,y0 to x0 + 26,y0 @ONE_END @DIMENSION
    set arrow from x0,y0 - 25 to x0,y0 + 27 @ONE_END @DIMENSION
    set label z(2, '𝑚') at x0 + 27,y0 left
    set label z(2, '𝑙') at x0 + 2,y0 + 27 left
    set arrow from x0 + 24*r_a,y0 - 24*r_b to x0 - 24*r_a,y0 + 24*r_b nohead linestyle 16
    set label hyperplane at x0 - 24*r_a,y0 + 24*r_b right offset -0.5,0.3
    set arrow from x0,y0 to x0 + UNIT*r_b,y0 + UNIT*r_a @ONE_END linestyle 14
    set label bold_r at x0 + UNIT*r_b,y0 + UNIT*r_a left offset 0.5,0.2
    set arrow from x0,y0 to x0 + UNIT*v_b,y0 + UNIT*v_a @ONE_END @OUTLINE
    set arrow from x0,y0 to x0 + UNIT*w_b,y0 + UNIT*w_a @ONE_END @OUTLINE
    set arrow from x0 + UNIT*v_b,y0 + UNIT*v_a to x0 + UNIT*w_b,y0 + UNIT*w_a \
        nohead dashtype 3 @DIMENSION
    set label sub(bold_z, '2').'^{−}' at x0 + UNIT*v_b,y0 + UNIT*v_a left offset 0.5,0.3
    set label sub(bold_z, '2').'^{+}' at x0 + UNIT*w_b,y0 + UNIT*w_a right offset -0.5,-0.3
    eval SHOW
    eval FINISH

    # The chain at rest and in a motion with one impact per period, to one scale.
    eval figure('thorin-2017-fig05', WIDE, 74)
    masses = int(parameter(RECORD, 'mass_count'))
    gap = parameter(RECORD, 'gap')
    METRE = 8.5          # mm
    SPACING = 25.0       # mm, of the masses at rest
    SIDE = 9.0           # mm
    FIRST_FACE = 10.0    # mm, face of the wall
    SAMPLE = 150         # of the motion
    face(i) = FIRST_FACE + i*SPACING - SIDE
    do for [row=1:2] {
        y0 = 17
        eval cell(0, row == 1 ? 38 : 2, WIDE, 36)
        eval lettered(row, 2, 33)
        eval wall(FIRST_FACE - 3, FIRST_FACE, y0 - 10, y0 + 10, FIRST_FACE)
        end = FIRST_FACE + masses*SPACING
        eval wall(end + gap*METRE, end + gap*METRE + 6, y0 - 10, y0 + 10, end + gap*METRE)
        behind = FIRST_FACE
        do for [i=1:masses] {
            moved = row == 1 ? 0 : \
                METRE*number_of(sprintf('/single/case_4/position[%d,%d]', SAMPLE, i - 1))
            eval spring(behind, face(i) + moved, y0, 2.2)
            eval block(face(i) + moved, y0, SIDE, SIDE, i == masses ? LAST_BODY : BODY)
            index = i == masses ? math('𝑛') : i == masses - 1 ? math('𝑛−1') : sprintf('%d', i)
            set label sub(math('𝑚'), index) at face(i) + moved + 0.5*SIDE,y0 center
            if (row == 1) {
                set label sub(math('𝑘'), index) at 0.5*(behind + face(i)),y0 + 5.5 center
            } else {
                middle = face(i) + 0.5*SIDE
                set arrow from middle,y0 - 11 to middle,y0 - 4.5 nohead dashtype 3 @DIMENSION
                set arrow from middle,y0 - 10 to middle + moved,y0 - 10 @ONE_END @DIMENSION
                set arrow from middle + moved,y0 - 11 to middle + moved,y0 - 4.5 nohead \
                    dashtype 3 @DIMENSION
                set label sub(x, index) at middle + 0.5*moved,y0 - 13.2 center
            }
            behind = face(i) + moved + SIDE
        }
        if (row == 1) {
            set arrow from end,y0 - 8 to end + gap*METRE,y0 - 8 @BOTH_ENDS @DIMENSION
            set arrow from end,y0 - 9.5 to end,y0 - 4.5 nohead dashtype 3 @DIMENSION
            set label math('𝑑') at end + 0.5*gap*METRE,y0 - 11 center
        }
        eval SHOW
    }
    eval FINISH
}
