# What was kept of a sweep over one parameter: a line, or the entries of a series as points.
# tools/draw_record.sh sets: quantity, x_axis, x_label, z_label, has_entries.
load 'figures/style.gp'

values = data('sweep', '', '/'.x_axis.' /'.quantity)

do for [format in FORMATS] {
    eval figure(quantity, NARROW, 60)
    if (has_factors('sweep', '/'.x_axis)) { set logscale x; set format x '10^{%L}' }
    set xlabel x_label
    set ylabel z_label
    if (has_entries) { plot spread(values) using 1:2 with points linecolor rgb '#0072b2' pointtype 7 pointsize 0.15 } \
    else { plot values using 1:2 with linespoints linestyle 2 }
    eval FINISH
}
