# The rod that strikes with its end, by every law: what sampled increments cross and where they end,
# beside the laws that give one outcome.
#
# figures: halm-2023-problem
# records: impact_problem
load 'figures/style.gp'

NAME = 'impact_problem'

INCLUSION = "with linespoints linestyle 31"
ROUTH = "with points linestyle 32"
TITLE_INCLUSION = 'inclusion'
TITLE_ROUTH = 'Routh'
set style line 31 linecolor rgb '#d55e00' linewidth 1.5 dashtype 1 pt 7 ps 0.35
set style line 32 linecolor rgb '#000000' linewidth 1.2 dashtype 1 pt 6 ps 0.9

of(group, row) = ' '.group.'/normal_velocity['.row.'0] '.group.'/tangential_velocity['.row.'0]'
BEFORE = data(NAME, '/', of('/before', ''))
from_before(group) = joined(BEFORE, data(NAME, '/', of(group, ':,')))

do for [format in FORMATS] {
    eval figure('halm-2023-problem', NARROW, 78)
    eval legend('SAMPLED_PATHS SAMPLED_ENDS INCLUSION ROUTH SIMULTANEOUS')
    set xlabel 'normal velocity / (m s^{−1})'
    set ylabel 'tangential velocity / (m s^{−1})'
    set offsets graph 0.04, graph 0.04, graph 0.04, graph 0.04
    plot within(NAME, 'paths', 'contact_end') using 1:2 @SAMPLED_PATHS, \
         within(NAME, 'points', 'contact_end') using 1:2 @SAMPLED_ENDS, \
         from_before('/simultaneous') using 1:2 @SIMULTANEOUS, \
         data(NAME, '/inclusion/equal', 'normal_velocity[:,0] tangential_velocity[:,0]') \
             using 1:2 @INCLUSION, \
         data(NAME, '/routh/end', 'normal_velocity[:,0] tangential_velocity[:,0]') using 1:2 @ROUTH
    unset offsets
    eval FINISH
}
