# Scenes of data/examples from their records: dashed the start, filled the end, thin the ways of the bodies'
# frames, circles the impacts; and their energy.
# figures: dominoes-fig01 foot-fig01 pile-fig01
# records: dominoes foot pile
load 'figures/style.gp'

# Outlines of bodies in a frame, a block each: rows of outlines, of poses and of points are told by their columns.
PLACED = "'BEGIN { n = m = 0 } NF == 2 { body[n] = $1; kind[n++] = $2 } NF == 3 { X[m] = $1; Y[m] = $2; A[m++] = $3 } "
PLACED = PLACED.'NF == 4 && kind[$1] != 2 { b = body[$1]; c = cos(A[b]); s = sin(A[b]); if ($1 != last) print ""; '
PLACED = PLACED."print X[b] + $2 * c - $3 * s, Y[b] + $2 * s + $3 * c; last = $1 }'"
# Half planes: a line of 20 m by a point of the edge and the end of the normal.
EDGES = "'BEGIN { n = 0 } NF == 2 { kind[n++] = $2 } NF == 4 && kind[$1] == 2 { if ($1 != last) { x = $2; y = $3 } "
EDGES = EDGES.'else { u = 10 * ($3 - y); v = 10 * ($2 - x); print ""; print x - u, y + v; print x + u, y - v } last = $1 }'."'"
outlines(name) = data(name, '/geometry', 'body_of_outline kind_of_outline')
points(name) = data(name, '/geometry', 'outline_of_point x y x')
poses(name, i) = data(name, '/moreau_jean', sprintf('body_x[%d,:] body_y[%d,:] body_angle[%d,:]', i, i, i))
placed(name, i) = filtered(joined(joined(outlines(name), poses(name, i)), points(name)), PLACED)
edges(name) = filtered(joined(outlines(name), points(name)), EDGES)
way(name, k) = data(name, '/moreau_jean', sprintf('body_x[:,%d] body_y[:,%d]', k, k))
energy(name) = data(name, '/moreau_jean', 'time energy')

START = 'with lines linestyle 13'
END = "with filledcurves closed fillcolor rgb '#a9cfe6' fillstyle transparent solid 0.6 border linecolor rgb '#0072b2'"
GROUND = 'with lines linewidth 0.7 linecolor rgb "#404040"'
WAY = 'with lines linewidth 0.5 linecolor rgb "#009e73"'
IMPACT = 'with points pointtype 6 pointsize 0.3 linewidth 0.7 linecolor rgb "#c8431b"'
FLAT = 'set size ratio -1; set xlabel x." / m"; set ylabel y." / m"'

# Frames and numbers are made before they are drawn.
NAMES = 'dominoes foot pile'
array first[3]
array final[3]
array ground[3]
array struck[3]
array count[3]
array stride[3]
do for [i=1:3] {
    name = word(NAMES, i)
    first[i] = placed(name, 0)
    final[i] = placed(name, -1)
    ground[i] = edges(name)
    struck[i] = data(name, '/moreau_jean/impacts', 'x y')
    count[i] = int(number(name, 'max(/geometry/body_of_outline)'))
    stride[i] = placed('foot', 60*i)
}

do for [format in FORMATS] {
    eval figure('dominoes-fig01', WIDE, 52)
    eval FLAT
    plot [-0.02:0.35] [-0.005:0.06] ground[1] @GROUND, final[1] @END, first[1] @START, \
        for [k=0:count[1]] way('dominoes', k) @WAY, struck[1] @IMPACT
    eval FINISH

    eval figure('foot-fig01', WIDE, 75)
    eval pair(1)
    eval FLAT
    set xtics 0.4
    plot [-0.4:1.4] [-0.1:1.1] ground[2] @GROUND, final[2] @END, first[2] @START, for [i=1:3] stride[i] @START, \
        for [k=0:count[2]] way('foot', k) @WAY, struck[2] @IMPACT
    eval pair(2)
    set xlabel time_label
    set ylabel E.' / J'
    plot energy('foot') with lines linestyle 2
    eval FINISH

    eval figure('pile-fig01', WIDE, 95)
    eval pair(1)
    eval FLAT
    set xtics 0.4
    plot [-0.9:0.9] [-0.1:2.1] ground[3] @GROUND, final[3] @END, first[3] @START, \
        for [k=0:count[3]] way('pile', k) @WAY, struck[3] @IMPACT
    eval pair(2)
    set xlabel time_label
    set ylabel E.' / J'
    plot energy('pile') with lines linestyle 2
    eval FINISH
}
