# What was kept of a sweep over two parameters: a map; blank where a point failed.
# tools/draw_record.sh sets: quantity, x_axis, y_axis, x_label, y_label, z_label.
load 'figures/style.gp'

do for [format in FORMATS] {
    eval figure(quantity, NARROW, 66)
    eval map_panel(1, 1, 1, 1)
    if (has_factors('sweep', '/'.x_axis)) { set logscale x; set format x '10^{%L}' }
    if (has_factors('sweep', '/'.y_axis)) { set logscale y; set format y '10^{%L}' }
    set xlabel x_label
    set ylabel y_label
    eval colour_label(z_label)
    set autoscale fix
    plot cells('sweep', '/'.x_axis, '/'.y_axis, '/'.quantity) using @CELLS @MAP_CELLS
    eval FINISH
}
