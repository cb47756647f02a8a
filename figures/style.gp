# The look of every figure, and the few words a figure script is written in. See the example below.
#
# The Makefile sets three variables on gnuplot's command line:
#
#   columns   the reader that prints datasets of a record as columns of numbers
#   results   the folder of the records
#   out       the folder the figures go to
#
# For a record of one's own `columns` is told to allow what is missing (tools/draw_record.sh): a curve
# of NaN, which is not drawn, and a number that is NaN. In the published figures nothing may be missing.
#
# A script says in its head which figures it makes and from which records, loads this file, and
# draws every figure once per format. It contains neither paths nor results:
#
#   # figures: two-masses-fig01
#   # records: two_masses
#   load 'figures/style.gp'
#
#   gap(method) = data('two_masses', method, 'time gap[:,0]')
#
#   do for [format in FORMATS] {
#       eval figure('two-masses-fig01', WIDE, 60)    # name, width and height in mm
#       eval legend('NONSMOOTH_GALPHA MOREAU_JEAN')  # one line for the whole page
#       eval pair(1)                                 # left panel of a curve and its zoom
#       set xlabel time_label
#       set ylabel g.' / mm'
#       plot [0:5] gap('nonsmooth_galpha') using 1:($2*1e3) @NONSMOOTH_GALPHA, \
#                  gap('moreau_jean') using 1:($2*1e3) @MOREAU_JEAN
#       eval pair(2)                                 # the same, enlarged
#       set xlabel time_label
#       set ylabel g.' / mm'
#       plot [3.2:3.8] [-0.1:0.5] gap('nonsmooth_galpha') using 1:($2*1e3) @NONSMOOTH_GALPHA, \
#                                 gap('moreau_jean') using 1:($2*1e3) @MOREAU_JEAN
#       eval FINISH
#   }
#
# Pages    figure(NAME, WIDTH, HEIGHT) opens a page with a single frame; width is NARROW (86 mm, one
#          column) or WIDE (178 mm). FINISH closes it. Heights: about 60 mm for a row of panels,
#          45 mm for each further row.
# Legend   legend(CURVES), directly after figure(): the names of curve macros, separated by spaces;
#          their titles are TITLE_<macro>, which a script may set for the variants
#          (TITLE_VARIANT_1 = rho_inf.' = 0.4'). Curves have no other key; where a panel needs its
#          own, `set key @KEY_INSIDE` (append `bottom left` or the like) and give titles.
# Panels   panel(COLUMN, COLUMNS, ROW, ROWS) starts panel (COLUMN, ROW), counted from 1 and from the
#          top left, of a grid with aligned frames; it forgets labels, arrows, ranges, tics and
#          axis labels of the panel before. pair(i) is panel(i, 2, 1, 1). Each of several panels
#          gets its letter (a), (b), ... above its frame, line by line; after `eval BY_COLUMN`, down
#          the columns.
# Data     data(RECORD, GROUP, PATHS): columns of datasets of one group, in the given order;
#          data_within(RECORD, GROUP, PATHS, LOW, HIGH): only the rows with LOW <= time <= HIGH;
#          data_every(RECORD, GROUP, PATHS, N): every N-th row (never for impulses: it drops them);
#          of such data filtered(DATA, AWK_PROGRAM) is what awk makes, joined(DATA, DATA) one after
#          the other, spread(DATA) a row (first column, k-th column) for each number behind the first;
#          has(RECORD, PATH): whether the record has a number, for panels that are nothing without it;
#          parameter(RECORD, NAME): the number /parameters/NAME; number(RECORD, PATH): any number.
# Curves   one macro for each method, the same in every figure: @REFERENCE @NONSMOOTH_GALPHA
#          @MOREAU_JEAN @SMOOTH_GALPHA @MODIFIED_LCP @VELOCITY_GALPHA, and @VARIANT_1, @VARIANT_2
#          for values of a parameter. They differ in colour, dash and marker (`with linespoints`
#          ls N shows the markers of style N). @PUBLISHED: published values, open markers.
#          For samples of single steps, where a line between them would lie, write
#          `with points ls N` or `with impulses ls N`: REFERENCE 1, NONSMOOTH_GALPHA 2,
#          MOREAU_JEAN 3, SMOOTH_GALPHA 4, MODIFIED_LCP 5, VELOCITY_GALPHA 6, VARIANT 7 and 8.
# Symbols  variables with the letters of the formulas (t g q x y E theta lambda Lambda nu, ...; the
#          list is below): 'time '.t.' / s'. sup(SYMBOL, '3') and sub(SYMBOL, 'n') attach indices;
#          math('𝑎') sets any other letter, greek('α') one in running text. Never a bare Greek
#          letter in a label: Latin Modern Roman has none.
# Labels   symbol / unit. Scale the values so that the tics are plain numbers:
#          `using 1:($2*1e3)` with / mm, or with / 10^{−3} N s.

set encoding utf8
set minussign
nan = NaN  # as numbers print that are missing

# --- pages -------------------------------------------------------------------------------------

FORMATS = 'pdf svg'
NARROW = 86.0  # mm
WIDE = 178.0   # mm

# 9 pt letters in both formats; a CSS pixel is 1/96 inch = 0.75 pt. The page is white in both.
pdf_terminal(width, height) = sprintf(\
    'set terminal pdfcairo noenhanced enhanced color size %.2fcm,%.2fcm '.\
    'font "Latin Modern Roman,9" fontscale 0.75 linewidth 1', width/10, height/10)
svg_terminal(width, height) = sprintf(\
    'set terminal svg enhanced size %.0f,%.0f background "white" linewidth 1.33 '.\
    'font "Latin Modern Roman, CMU Serif, STIX Two Text, Georgia, Times New Roman, serif,12"', \
    width*96/25.4, height*96/25.4)

figure(name, width, height) = (\
    page_width = width, page_height = height, room_key = 0, by_column = 0, \
    (format eq 'pdf' ? pdf_terminal(width, height) : svg_terminal(width, height)).\
    sprintf('; set output "%s/%s.%s"; set multiplot; ', out, name, format).panel(1, 1, 1, 1))
FINISH = 'unset multiplot; set output'
BY_COLUMN = 'by_column = 1'

# --- panels ------------------------------------------------------------------------------------

# Room around a frame in mm: left for tics and label, right for half a tic number, below for tics
# and label, above for the letter; once on a page, at the top, for each line of the legend.
ROOM_LEFT = 15.5
ROOM_RIGHT = 3.5
ROOM_BELOW = 11.5
ROOM_ABOVE = 5.0
ROOM_LEGEND_LINE = 4.2
# In SVG gnuplot takes letters for wider than they are, and leaves out a label that is off the page.
in_pdf_or_svg(a, b) = format eq 'svg' ? b : a

left_edge(column, of) = ((column - 1)*page_width/of + ROOM_LEFT + in_pdf_or_svg(0, 4.5))/page_width
right_edge(column, of) = (column*page_width/of - ROOM_RIGHT)/page_width
top_edge(row, of) = 1 - (room_key + (row - 1)*(page_height - room_key)/of + ROOM_ABOVE)/page_height
bottom_edge(row, of) = 1 - (room_key + row*(page_height - room_key)/of - ROOM_BELOW)/page_height

letter(column, column_count, row, row_count) = 'abcdefghijklmnop'[\
    (by_column ? (column - 1)*row_count + row : (row - 1)*column_count + column):\
    (by_column ? (column - 1)*row_count + row : (row - 1)*column_count + column)]

margins(left, right, bottom, top) = sprintf(\
    'set lmargin at screen %.5f; set rmargin at screen %.5f; '.\
    'set bmargin at screen %.5f; set tmargin at screen %.5f', left, right, bottom, top)

panel(column, column_count, row, row_count) = \
    margins(left_edge(column, column_count), right_edge(column, column_count), \
            bottom_edge(row, row_count), top_edge(row, row_count)).\
    '; unset label; unset arrow; unset object; unset logscale; set autoscale; set size noratio; '.\
    AXES.in_pdf_or_svg(PDF_LABELS, SVG_LABELS).'; set key right top; set key off'.\
    (column_count*row_count == 1 ? '' : \
     sprintf('; set label 1 "(%s)" at graph 0,1 left offset 0,0.6', \
             letter(column, column_count, row, row_count)))
pair(i) = panel(i, 2, 1, 1)

# The legend is an empty plot the size of the page; entry i has a sample and a title in slot i.
LEGEND_SLOT = 33.5    # mm, least width of an entry
LEGEND_SAMPLE = 6.5   # mm, length of the sample
LEGEND_SPACE = 1.5    # mm, between sample and title

legend_columns(width) = int((width - ROOM_LEFT - ROOM_RIGHT)/LEGEND_SLOT)
legend_lines(count) = int((count + legend_columns(page_width) - 1)/legend_columns(page_width))
legend_x(i) = ROOM_LEFT + ((i - 1) % legend_columns(page_width))*\
    (page_width - ROOM_LEFT - ROOM_RIGHT)/legend_columns(page_width)
legend_y(i) = page_height - 2.8 - ROOM_LEGEND_LINE*((i - 1)/legend_columns(page_width))

at_page(x, y) = sprintf('screen %.5f, screen %.5f', x/page_width, y/page_height)
legend_sample(curve, x, y) = word(value(curve), 2) eq 'points' ? \
    'set label "" at '.at_page(x + 0.5*LEGEND_SAMPLE, y).' point '.linestyle_of(curve) : \
    'set arrow from '.at_page(x, y).' to '.at_page(x + LEGEND_SAMPLE, y).\
    ' nohead '.linestyle_of(curve)
linestyle_of(curve) = 'linestyle '.word(value(curve), words(value(curve)))
legend_entry(curve, i) = legend_sample(curve, legend_x(i), legend_y(i)).\
    sprintf('; set label TITLE_%s at ', curve).\
    at_page(legend_x(i) + LEGEND_SAMPLE + LEGEND_SPACE, legend_y(i)).' left; '
legend(curves) = (\
    entry_list = '', \
    sum [i=1:words(curves)] (\
        entry_list = entry_list.legend_entry(word(curves, i), i), 0), \
    room_key = ROOM_LEGEND_LINE*legend_lines(words(curves)), \
    margins(0, 1, 0, 1).'; unset border; unset tics; unset label; '.entry_list.\
    'plot [0:1] [0:1] 2 notitle; '.panel(1, 1, 1, 1))

# --- axes, grid and key ------------------------------------------------------------------------

AXES = "set border 3 back linewidth 0.6 linecolor rgb '#404040'; ".\
    "set xtics autofreq nomirror out scale 0.6,0.3 offset 0,0.4 textcolor rgb '#000000'; ".\
    "set ytics autofreq nomirror out scale 0.6,0.3 textcolor rgb '#000000'; ".\
    "set format '%g'; "
PDF_LABELS = "set xlabel '' offset 0,0.9; set ylabel '' offset -0.3,0"
SVG_LABELS = "set xlabel '' offset 0,1.1; set ylabel '' offset 0.5,0"
set grid linetype 1 linewidth 0.35 linecolor rgb '#d8d8d8'
set style data lines
set datafile missing NaN
set samples 401
unset title

KEY_INSIDE = "on inside vertical Left reverse samplen 2 width 0 height 0.2 nobox opaque"

# --- symbols -----------------------------------------------------------------------------------

# Letters come from the mathematical alphabet of Latin Modern Math: Latin and lower-case Greek
# letters italic, upper-case Greek upright, as in the formulas of the document.
math(letters) = '{/LatinModernMath '.letters.'}'
greek(letters) = math(letters)
sup(symbol, index) = symbol.'^{'.index.'}'
sub(symbol, index) = symbol.'_{'.index.'}'

t = math('𝑡')
h = math('ℎ')
q = math('𝑞')
v = math('𝑣')
g = math('𝑔')
x = math('𝑥')
y = math('𝑦')
u = math('𝑢')
E = math('𝐸')
R = math('𝑅')
L = math('𝐿')
ell = math('𝑙')
theta = math('𝜃')
lambda = math('𝜆')
nu = math('𝜈')
mu = math('𝜇')
rho = math('𝜌')
alpha = math('𝛼')
Lambda = math('Λ')
dot_q = math('𝑞̇')
dot_g = math('𝑔̇')
dot_x = math('𝑥̇')
dot_y = math('𝑦̇')
dot_u = math('𝑢̇')
# Combining accents sit too low on tall letters: raise the accent, without width, instead.
dot_theta = '@^{ ˙}'.theta
tilde_lambda = '@^{˜}'.lambda
rho_inf = math('𝜌_∞')

time_label = 'time '.t.' / s'

# --- line styles -------------------------------------------------------------------------------

# Colours that stay apart for the common kinds of colour blindness and in grey; each with its own
# dash and its own open marker.
set style line 1 linecolor rgb '#000000' linewidth 1.0 dashtype 1          pt 6  ps 0.4
set style line 2 linecolor rgb '#0072b2' linewidth 1.3 dashtype 1          pt 4  ps 0.4
set style line 3 linecolor rgb '#d55e00' linewidth 1.3 dashtype (12,4)     pt 8  ps 0.4
set style line 4 linecolor rgb '#009e73' linewidth 1.1 dashtype (3,3)      pt 12 ps 0.4
set style line 5 linecolor rgb '#cc79a7' linewidth 1.3 dashtype (12,3,3,3) pt 10 ps 0.4
set style line 6 linecolor rgb '#e69f00' linewidth 1.3 dashtype (18,4,6,4) pt 14 ps 0.4
set style line 7 linecolor rgb '#56b4e9' linewidth 1.3 dashtype (6,3)      pt 1  ps 0.4
set style line 8 linecolor rgb '#7f7f7f' linewidth 1.3 dashtype (3,2,3,8)  pt 2  ps 0.4
set style line 9 linecolor rgb '#000000' linewidth 1.0 dashtype 1          pt 6  ps 0.6

REFERENCE = "with lines linestyle 1"
NONSMOOTH_GALPHA = "with lines linestyle 2"
MOREAU_JEAN = "with lines linestyle 3"
SMOOTH_GALPHA = "with lines linestyle 4"
MODIFIED_LCP = "with lines linestyle 5"
VELOCITY_GALPHA = "with lines linestyle 6"
VARIANT_1 = "with lines linestyle 7"
VARIANT_2 = "with lines linestyle 8"
PUBLISHED = "with points linestyle 9"

TITLE_REFERENCE = 'reference'
TITLE_NONSMOOTH_GALPHA = 'nonsmooth '.alpha
TITLE_MOREAU_JEAN = 'Moreau–Jean'
TITLE_SMOOTH_GALPHA = 'smooth '.alpha.', index 3'
TITLE_MODIFIED_LCP = 'modified LCP'
TITLE_VELOCITY_GALPHA = 'velocity-level '.alpha
TITLE_PUBLISHED = 'published'

# --- data --------------------------------------------------------------------------------------

quoted(text) = " '".text."'"
record(name) = quoted(results.'/'.name.'.h5')

# Every path of a list below a group, quoted for the shell; a path starting with / stays as it is.
below(group, path) = path[1:1] eq '/' ? path : (group[1:1] eq '/' ? '' : '/').group.'/'.path
paths_below(group, paths) = (\
    path_list = '', \
    sum [i=1:words(paths)] (path_list = path_list.quoted(below(group, word(paths, i))), 0), \
    path_list)

# Made once, as what a command prints, in the folder of the figures: each is drawn in two formats.
COMMANDS = "\n"
kept_as(command) = sprintf('%s/%d.data', out, strstrt(COMMANDS, "\n".command."\n"))
keep(command) = strstrt(COMMANDS, "\n".command."\n") ? '' : \
    (COMMANDS = COMMANDS.command."\n", system(command.' >'.quoted(kept_as(command))))
kept(command) = (keep(command), kept_as(command))
filtered(file, program) = kept('LC_ALL=C awk '.program.quoted(file))
joined(file, other) = kept('cat'.quoted(file).quoted(other))
spread(file) = filtered(file, "'{ for (k = 2; k <= NF; k++) if ($k == $k + 0) print $1, $k }'")

data(name, group, paths) = kept(columns.record(name).paths_below(group, paths))
data_where(name, group, paths, axis, low, high) = kept(columns.' --where'.\
    quoted(below(group, axis)).sprintf(' %.17g %.17g', low, high).\
    record(name).paths_below(group, paths))
data_within(name, group, paths, low, high) = data_where(name, group, paths, 'time', low, high)
data_every(name, group, paths, n) = kept(columns.sprintf(' --every %d', n).\
    record(name).paths_below(group, paths))

# Asked for once: a function in a plot is evaluated for every point, and all of it in each format.
NUMBERS = "\n"
after(key) = strstrt(NUMBERS, "\n".key."\t") + strlen(key) + 2
ask(key) = strstrt(NUMBERS, "\n".key."\t") ? '' : (NUMBERS = NUMBERS.key."\t".system(columns.key)."\n")
asked(key) = (ask(key), real(word(NUMBERS[after(key):*], 1)))
number(name, path) = asked(record(name).quoted(path))
has(name, path) = number(name, path) == number(name, path)
parameter(name, key) = number(name, '/parameters/'.key)

# --- more data ---------------------------------------------------------------------------------

# data_where(RECORD, GROUP, PATHS, AXIS, LOW, HIGH): only the rows with LOW <= AXIS <= HIGH;
# values(RECORD, GROUP, PATHS): all entries, row by row, as the words of a text.
values(name, group, paths) = system(columns.record(name).paths_below(group, paths))

# A row of NaN ends a line, or is a missing point that the line passes over (as usual).
NAN_ENDS_LINE = "unset datafile; set datafile separator '\t'"
NAN_IS_MISSING = "unset datafile; set datafile missing NaN"

# --- motions with impacts ----------------------------------------------------------------------

# Times of impact, axes of symmetry, harmonics, and motions that a figure singles out.
set style line 11 linecolor rgb '#8c8c8c' linewidth 0.7 dashtype 1         pt 6  ps 0.4
set style line 12 linecolor rgb '#000000' linewidth 0.8 dashtype (7,5)     pt 6  ps 0.4
set style line 13 linecolor rgb '#7f7f7f' linewidth 0.6 dashtype (4,3)     pt 6  ps 0.4
set style line 14 linecolor rgb '#c8431b' linewidth 1.5 dashtype 1         pt 7  ps 0.4
set style line 15 linecolor rgb '#009e73' linewidth 1.5 dashtype 1         pt 7  ps 0.4
set style line 16 linecolor rgb '#e69f00' linewidth 1.5 dashtype 1         pt 7  ps 0.4
set style line 17 linecolor rgb '#7b3294' linewidth 2.0 dashtype 1         pt 7  ps 0.4
set style line 18 linecolor rgb '#b0b0b0' linewidth 0.8 dashtype 1         pt 7  ps 0.4
set style line 19 linecolor rgb '#c8431b' linewidth 1.5 dashtype (4,3)     pt 7  ps 0.4

IMPACT_TIME = "with lines linestyle 11"
SYMMETRY_AXIS = "with lines linestyle 12"
HARMONIC = "with lines linestyle 13"
TITLE_IMPACT_TIME = 'impact'
TITLE_SYMMETRY_AXIS = 'axis of symmetry'
TITLE_HARMONIC = 'harmonic '.math('𝑝𝑇_𝑖')

# A vertical line through the frame at the time t, of linestyle n.
upright(t, n) = sprintf('set arrow from first %.9g, graph 0 to first %.9g, graph 1 '.\
    'nohead back linestyle %d', t, t, n)

# The number of a motion in a ring at a place ("graph 0.5,0.5") of the page.
ringed(i, place) = sprintf('set label "" at %s front point pointtype 7 pointsize 1.15 '.\
    'linecolor rgb "#ffffff"; set label "" at %s front point pointtype 6 pointsize 1.15 '.\
    'linewidth 0.7 linecolor rgb "#000000"; '.\
    'set label "{/=7.5 %d}" at %s front center offset 0,0.12', place, place, i, place)

# --- surfaces ----------------------------------------------------------------------------------

# Surfaces and the curves on them, hidden where the surface hides them: gnuplot sorts quadrangles by
# depth, but not lines. A curve is therefore drawn as a ribbon of quadrangles that faces the reader.
#
#   space_panel(COLUMN, COLUMNS, ROW, ROWS)  panel() with room for a cube that is turned;
#   space(X1, X2, Y1, Y2, Z1, Z2, RX, RZ)  its ranges, view and look; space_x, space_y, space_z are
#                                     then the places of the labels of its axes;
#   surface_within(RECORD, GROUP, PATHS, N, AXIS, LOW, HIGH)  matrices x, y, z of the same shape:
#                                     their rows with LOW <= AXIS <= HIGH, of these every N-th
#                                     column and the last;
#   flight_surface(DATA, I, CONTACT, LOW, HIGH, N)  flight I (1 or 2) of the rows of data(...), with
#                                     N quadrangles along it;
#   hemmed(CURVE, SURFACE)            a surface with one more row before its first, a curve of as
#                                     many points;
#   rim(SURFACE, IS_FIRST)            the first or last points of its rows, as a curve;
#   closed(CURVE)                     a curve that returns to its first point;
#   ribbon(CURVE)                     data of x, y, z as such a ribbon.
#
# All are drawn `with pm3d fillcolor rgb COLOUR`, in one splot for each panel.
SURFACE_COLOUR = '#c9dff0'
RED = '#d9481c'
GREEN = '#00a878'
YELLOW = '#f2b01e'
PURPLE = '#8e44ad'
TRANSPARENT_COLOUR = '#b0f4c08a'

# A turned cube is wider and higher than the frame that gnuplot is told: this part of the panel.
SPACE_WIDTH = 0.56
SPACE_HEIGHT = 0.60
SPACE_X = 0.52
SPACE_Y = 0.585
space_margins(left, right, bottom, top) = margins(\
    left + (SPACE_X - 0.5*SPACE_WIDTH)*(right - left), \
    left + (SPACE_X + 0.5*SPACE_WIDTH)*(right - left), \
    bottom + (SPACE_Y - 0.5*SPACE_HEIGHT)*(top - bottom), \
    bottom + (SPACE_Y + 0.5*SPACE_HEIGHT)*(top - bottom))
space_panel(column, column_count, row, row_count) = \
    panel(column, column_count, row, row_count).'; '.\
    space_margins((column - 1.0)/column_count, 1.0*column/column_count, \
                  bottom_edge(row, row_count) - ROOM_BELOW/page_height, \
                  top_edge(row, row_count)).\
    (column_count*row_count == 1 ? '' : \
     sprintf('; set label 1 "(%s)" at screen %.5f,%.5f left offset 0,0.6', \
             letter(column, column_count, row, row_count), \
             left_edge(column, column_count), top_edge(row, row_count)))

space(x1, x2, y1, y2, z1, z2, rx, rz) = (\
    turn_x = cos(rz*pi/180), turn_y = sin(rz*pi/180), \
    space_x = sprintf('first %.9g,%.9g,%.9g ', 0.5*(x1 + x2), turn_x < 0 ? y2 : y1, z1).\
        (turn_x*turn_y > 0 ? 'right offset -1.8,-1.5' : 'left offset 1.8,-1.5'), \
    space_y = sprintf('first %.9g,%.9g,%.9g ', turn_y > 0 ? x2 : x1, 0.5*(y1 + y2), z1).\
        (turn_x*turn_y < 0 ? 'right offset -1.8,-1.5' : 'left offset 1.8,-1.5'), \
    space_z = sprintf('first %.9g,%.9g,%.9g left offset -4,1.5', turn_x > 0 ? x1 : x2, \
                      turn_y > 0 ? y1 : y2, z2), \
    space_list = sprintf('%.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g', \
                         x1, x2, y1, y2, z1, z2, rx, rz), \
    sprintf('set xrange [%.9g:%.9g]; set yrange [%.9g:%.9g]; set zrange [%.9g:%.9g]; ', \
            x1, x2, y1, y2, z1, z2).\
    sprintf('set view %.9g,%.9g,1,1; ', rx, rz).\
    'set xyplane 0; set border 127+256+512 back linewidth 0.5; unset grid; unset colorbox; '.\
    'set pm3d depthorder interpolate 1,1 '.\
    (format eq 'pdf' ? 'border retrace linewidth 0.25; ' : 'noborder; ').\
    'set xtics offset 0,0; set ztics autofreq nomirror out scale 0.6,0.3 '.\
    'textcolor rgb "#000000"; '.\
    'set pm3d lighting primary 0.4 specular 0.1; set palette defined (0 "#000000", 1 "#ffffff")')

# Rows of three matrices side by side as scans of points, gnuplot's form of a surface.
SURFACE_ROWS = '-v step=%d ''{ m = NF/3; '.\
    'for (j = 1; j <= m; j = (j < m && j + step > m) ? m : j + step) '.\
    'print $j, $(m + j), $(2*m + j); print "" }'''
surface_within(name, group, paths, n, axis, low, high) = \
    filtered(data_where(name, group, paths, axis, low, high), sprintf(SURFACE_ROWS, n))

# One flight of such rows, continued to the impact that lies between two of its samples: where the
# velocity z turns from positive to negative nearest to y = contact, within the window of phases.
SURFACE_FLIGHT = '-v which=%d -v contact=%.9g -v low=%.9g -v high=%.9g '.\
    '-v count=%d '' \
function at(s, k, f) { \
    k = int(s); if (k < first) k = first; if (k > last - 1) k = last - 1; f = s - k; \
    print $k + f*($(k + 1) - $k), $(m + k) + f*($(m + k + 1) - $(m + k)), \
          $(2*m + k) + f*($(2*m + k + 1) - $(2*m + k)) } \
function reach(k, l, r) { r = $(m + k) - $(m + l); r = r > 0 ? (contact - $(m + k))/r : 0; \
    return r < 0 ? 0 : r > 1 ? 1 : r } \
{ m = NF/3; j = 0; for (k = 2; k < m; k++) if (k > low*m && k < high*m && $(2*m + k) >= 0 && \
      $(2*m + k + 1) < 0 && (j == 0 || $(m + k) + $(m + k + 1) > $(m + j) + $(m + j + 1))) j = k; \
  if (which == 1) { first = 1; last = j; from = 1; to = j + reach(j, j - 1) } \
  else { first = j + 1; last = m; from = j + 1 - reach(j + 1, j + 2); to = m } \
  if (j > 0) { for (i = 0; i <= count; i++) at(from + (to - from)*i/count); print "" } }'''
flight_surface(rows, which, contact, low, high, count) = \
    filtered(rows, sprintf(SURFACE_FLIGHT, which, contact, low, high, count))

# A surface with one more scan before its first: a curve with as many points.
hemmed(curve, surface) = kept('{ cat'.quoted(curve).'; echo; cat'.quoted(surface).'; }')

# A curve with its first point once more at the end.
closed(curve) = filtered(curve, "'NR == 1 { first = $0 } { print } END { print first }'")

# The rim of a surface: the first (1) or last (0) point of every scan.
RIM = '-v is_first=%d '' \
NF == 0 { if (!is_first) print before; fresh = 1; next } \
NR == 1 || fresh { if (is_first) print; fresh = 0 } { before = $0 }'''
rim(surface, is_first) = filtered(surface, sprintf(RIM, is_first))

# Surfaces go without the grid; this sets it again.
GRID = "set grid linetype 1 linewidth 0.35 linecolor rgb '#d8d8d8'"

# Half the width of a ribbon and its distance in front of its curve, as parts of half the cube.
RIBBON_WIDTH = 0.007
RIBBON_LIFT = 0.08
RIBBON = '-v half=%.9g -v lift=%.9g -v space="%s" '' \
BEGIN { split(space, s, " "); d = atan2(0, -1)/180; \
    cx = cos(s[7]*d); sx = sin(s[7]*d); cz = cos(s[8]*d); sz = sin(s[8]*d); \
    hx = (s[2] - s[1])/2; hy = (s[4] - s[3])/2; hz = (s[6] - s[5])/2 } \
$1 + 0 == $1 { n++; x[n] = $1/hx; y[n] = $2/hy; z[n] = $3/hz } \
END { for (side = -1; side <= 1; side += 2) { \
    for (i = 1; i <= n; i++) { a = i > 1 ? i - 1 : i; b = i < n ? i + 1 : i; \
        u = (x[b] - x[a])*cz + (y[b] - y[a])*sz; \
        v = (z[b] - z[a])*sx + ((y[b] - y[a])*cz - (x[b] - x[a])*sz)*cx; \
        r = sqrt(u*u + v*v); if (r > 0) { p = -half*side*v/r; q = half*side*u/r } \
        print hx*(x[i] + p*cz - q*sz*cx + lift*sz*sx), \
              hy*(y[i] + p*sz + q*cz*cx - lift*cz*sx), hz*(z[i] + q*sx + lift*cx) } \
    print "" } }'''
ribbon(curve) = filtered(curve, sprintf(RIBBON, RIBBON_WIDTH, RIBBON_LIFT, space_list))

# --- impacts in the space of contact velocities ---------------------------------------------------

# What velocities do during an impact: paths of sampled increments, the velocities they end in,
# solutions of the simultaneous model, and impacts one after the other.
#
# within(RECORD, KIND, PLANE): the cells of a plane that paths cross (KIND paths) or end in (points).
set style line 21 linecolor rgb '#c9d3dc' linewidth 1.0 dashtype 1         pt 5  ps 0.22
set style line 22 linecolor rgb '#3b4a57' linewidth 1.0 dashtype 1         pt 5  ps 0.22
set style line 23 linecolor rgb '#0072b2' linewidth 1.5 dashtype 1         pt 7  ps 0.45
set style line 24 linecolor rgb '#c8431b' linewidth 1.5 dashtype (12,4)    pt 9  ps 0.5
set style line 25 linecolor rgb '#e69f00' linewidth 1.5 dashtype (3,3)     pt 11 ps 0.5

SAMPLED_PATHS = "with points linestyle 21"
SAMPLED_ENDS = "with points linestyle 22"
SIMULTANEOUS = "with linespoints linestyle 23"
FIRST_A = "with linespoints linestyle 24"
FIRST_B = "with linespoints linestyle 25"
TITLE_SAMPLED_PATHS = 'sampled increments'
TITLE_SAMPLED_ENDS = 'sampled outcomes'
TITLE_SIMULTANEOUS = 'simultaneous'
TITLE_FIRST_A = 'A first'
TITLE_FIRST_B = 'B first'

within(name, kind, plane) = data(name, '/set/'.kind.'/'.plane, 'x y')

# A body drawn to scale: its outline, walls, and velocities as arrows.
set style line 26 linecolor rgb '#202020' linewidth 1.2 dashtype 1         pt 7  ps 0.4
set style line 27 linecolor rgb '#7f7f7f' linewidth 1.6 dashtype 1         pt 7  ps 0.4
set style line 28 linecolor rgb '#c8431b' linewidth 1.4 dashtype 1         pt 7  ps 0.4
BODY = "with lines linestyle 26"
WALL = "with lines linestyle 27"
VELOCITY = "with vectors filled head size graph 0.03,20 linestyle 28"

# --- maps over two parameters --------------------------------------------------------------------

# A matrix over its axes as cells, each as wide as half way to its neighbours, for axes with even steps
# or even factors (set logscale for these):
#
#   map_panel(COLUMN, COLUMNS, ROW, ROWS)  panel() with room for a colour bar at its right, the title
#                                     of which is colour_label('...') above it;
#   cells(RECORD, X, Y, Z)            z of the matrix Z[x,y] over the axes X and Y, drawn
#                                     `using @CELLS` and `@MAP_CELLS`; NaN is left blank;
#   has_factors(RECORD, X)            whether the axis has even factors rather than steps.
MAP_PALETTE = "set palette defined (0 '#ffffff', 1 '#cfe3f2', 2 '#7fb2d6', 3 '#2f6fa8', 4 '#0b2f5c')"
BAR_WIDTH = 2.5   # mm
BAR_ROOM = 13.0   # mm, with its tics
map_panel(column, column_count, row, row_count) = \
    panel(column, column_count, row, row_count).'; '.\
    margins(left_edge(column, column_count), right_edge(column, column_count) - BAR_ROOM/page_width, \
            bottom_edge(row, row_count), top_edge(row, row_count)).'; '.MAP_PALETTE.\
    sprintf('; set cbtics autofreq scale 0.4 offset -0.6,0; set cbrange [*:*]; '.\
            'set colorbox user origin screen %.5f,%.5f size screen %.5f,%.5f', \
            right_edge(column, column_count) - (BAR_ROOM - 2.0)/page_width, \
            bottom_edge(row, row_count), BAR_WIDTH/page_width, \
            top_edge(row, row_count) - bottom_edge(row, row_count))
colour_label(text) = sprintf('set label 2 "%s" at graph 1,1 right offset 7,0.7', text)

EVEN = 'function even(n, a,   i, s, f) { s = f = 1; for (i = 3; i <= n; i++) { '.\
    'if (!close_to((a[i] - a[i - 1])/(a[2] - a[1]))) s = 0; '.\
    'if (a[1]*a[n] <= 0 || !close_to(a[i]/a[i - 1]*a[1]/a[2])) f = 0 } return f && !s } '.\
    'function close_to(r) { return r > 0.999999 && r < 1.000001 } '
has_factors(name, x) = int(system(columns.record(name).quoted(x).\
    ' | LC_ALL=C awk '''.EVEN.'{ a[NR] = $1 } END { print even(NR, a) + 0 }'''))
cells(name, x, y, z) = kept('{ '.columns.record(name).quoted(x).'; echo =; '.\
    columns.record(name).quoted(y).'; echo =; '.columns.record(name).quoted(z).'; } '.\
    '| LC_ALL=C awk '''.EVEN.\
    'function edge(n, a, i, f) { i = i < 2 ? 2 : i > n ? n : i; '.\
    'return n < 2 ? a[1] : f ? sqrt(a[i - 1]*a[i]) : (a[i - 1] + a[i])/2 } '.\
    'function low(n, a, i, f) { return i > 1 ? edge(n, a, i, f) : f ? a[1]*a[1]/edge(n, a, 2, f) : 2*a[1] - edge(n, a, 2, f) } '.\
    'function high(n, a, i, f) { return i < n ? edge(n, a, i + 1, f) : f ? a[n]*a[n]/edge(n, a, n, f) : 2*a[n] - edge(n, a, n, f) } '.\
    '$1 == "=" { part++; next } part == 0 { x[++n] = $1; next } part == 1 { y[++m] = $1; next } '.\
    '{ i++; f = even(n, x); g = even(m, y); for (j = 1; j <= NF; j++) '.\
    'print x[i], y[j], low(n, x, i, f), high(n, x, i, f), low(m, y, j, g), high(m, y, j, g), $j }''')
CELLS = '1:2:3:4:5:6:7'
MAP_CELLS = 'with boxxyerror fillcolor palette fillstyle solid noborder'
