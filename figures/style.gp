# The look of every figure, and the few words a figure script is written in. See the example below.
#
# The Makefile sets three variables on gnuplot's command line:
#
#   columns   the reader that prints datasets of a record as columns of numbers
#   results   the folder of the records
#   out       the folder the figures go to
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
ROOM_BELOW = 10.5
ROOM_ABOVE = 5.0
ROOM_LEGEND_LINE = 4.2

left_edge(column, of) = ((column - 1)*page_width/of + ROOM_LEFT)/page_width
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
    '; unset label; unset arrow; unset object; unset logscale; set autoscale; '.\
    AXES.'; set key right top; set key off'.\
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
    "set xlabel '' offset 0,0.9; set ylabel '' offset -0.3,0; set format '%g'"
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

data(name, group, paths) = '< '.columns.record(name).paths_below(group, paths)
data_within(name, group, paths, low, high) = '< '.columns.' --where'.\
    quoted(below(group, 'time')).sprintf(' %.17g %.17g', low, high).\
    record(name).paths_below(group, paths)
data_every(name, group, paths, n) = '< '.columns.sprintf(' --every %d', n).\
    record(name).paths_below(group, paths)

number(name, path) = real(system(columns.record(name).quoted(path)))
parameter(name, key) = number(name, '/parameters/'.key)
