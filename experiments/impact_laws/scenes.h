/** The constructors of scenes that the table of all scenes lists from other files. */
#ifndef CAROM_EXPERIMENTS_IMPACT_LAWS_SCENES_H
#define CAROM_EXPERIMENTS_IMPACT_LAWS_SCENES_H

#include <carom/impact/impact_problem.h>

/** A block flat on the floor that has turned about its left corner with `rate` > 0: the right one
 * lands. */
CAROM_MUST_CHECK carom_status impact_laws_make_swing(double width, double height, double friction,
                                                     double rate, carom_impact_problem **out,
                                                     carom_report *report);

/* bruls-2014 and thorin-2017: scenes_single.c */
CAROM_MUST_CHECK carom_status impact_laws_make_ball(carom_impact_problem **out,
                                                    carom_report *report);
CAROM_MUST_CHECK carom_status impact_laws_make_pendulum(carom_impact_problem **out,
                                                        carom_report *report);
CAROM_MUST_CHECK carom_status impact_laws_make_bar(carom_impact_problem **out,
                                                   carom_report *report);
CAROM_MUST_CHECK carom_status impact_laws_make_corner(carom_impact_problem **out,
                                                      carom_report *report);
CAROM_MUST_CHECK carom_status impact_laws_make_rocking_swing(carom_impact_problem **out,
                                                             carom_report *report);
CAROM_MUST_CHECK carom_status impact_laws_make_chain(carom_impact_problem **out,
                                                     carom_report *report);
CAROM_MUST_CHECK carom_status impact_laws_make_clamped_bar(carom_impact_problem **out,
                                                           carom_report *report);

/* seghete-2014: scenes_elastic.c */
CAROM_MUST_CHECK carom_status impact_laws_make_cradle(carom_impact_problem **out,
                                                      carom_report *report);
CAROM_MUST_CHECK carom_status impact_laws_make_unequal_cradle(carom_impact_problem **out,
                                                              carom_report *report);
CAROM_MUST_CHECK carom_status impact_laws_make_break_45(carom_impact_problem **out,
                                                        carom_report *report);
CAROM_MUST_CHECK carom_status impact_laws_make_break_60(carom_impact_problem **out,
                                                        carom_report *report);
CAROM_MUST_CHECK carom_status impact_laws_make_break_90(carom_impact_problem **out,
                                                        carom_report *report);
CAROM_MUST_CHECK carom_status impact_laws_make_break_120(carom_impact_problem **out,
                                                         carom_report *report);
CAROM_MUST_CHECK carom_status impact_laws_make_trex_optimized(carom_impact_problem **out,
                                                              carom_report *report);
CAROM_MUST_CHECK carom_status impact_laws_make_trex_unoptimized(carom_impact_problem **out,
                                                                carom_report *report);
CAROM_MUST_CHECK carom_status impact_laws_make_trex_initial(carom_impact_problem **out,
                                                            carom_report *report);

#endif
