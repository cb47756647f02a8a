# Phases of the impacts of a ball on a vibrating table over its restitution, at one acceleration.
# figures: table-restitution-fig01
# records: table_restitution
load 'figures/style.gp'

NAME = 'table_restitution'
e = math('𝑒')
phases = spread(data(NAME, '', '/restitution /phase'))
acceleration = number(NAME, '/acceleration[0]')
flips(e) = sqrt((pi*(1 - e)/(1 + e))**2 + 4*(1 + e**2)**2/(1 + e)**4)
doubling = 0.5  # where the closed form has this acceleration, by Newton's method
do for [i=1:20] { doubling = doubling - (flips(doubling) - acceleration)/((flips(doubling + 1e-6) - flips(doubling - 1e-6))/2e-6) }
set style line 31 linecolor rgb '#0072b2' pointtype 7 pointsize 0.12

do for [format in FORMATS] {
    eval figure('table-restitution-fig01', WIDE, 70)
    eval panel(1, 1, 1, 1)
    set xlabel 'restitution '.e
    set ylabel 'phase of the impacts / rad'
    eval upright(doubling, 12)
    plot [0.33:0.57] [-0.5:2] phases using 1:($2 > pi ? $2 - 2*pi : $2) with points linestyle 31
    eval FINISH
}
