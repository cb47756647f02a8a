# Motion of the mass under two schemes, and the rebound of the closed form.
# figures: @FIGURE@-fig01
# records: @NAME@
load 'figures/style.gp'

motion(scheme) = data('@NAME@', scheme, 'time position[:,0]')
rebound = parameter('@NAME@', 'restitution')*parameter('@NAME@', 'initial_position')

do for [format in FORMATS] {
    eval figure('@FIGURE@-fig01', NARROW, 60)
    eval legend('NONSMOOTH_GALPHA MOREAU_JEAN')
    set xlabel time_label
    set ylabel x.' / m'
    plot [0:2] motion('nonsmooth_galpha') using 1:2 @NONSMOOTH_GALPHA, \
               motion('moreau_jean') using 1:2 @MOREAU_JEAN, \
               rebound with lines linestyle 8
    eval FINISH
}
