/** What the schemes dissipate of a free vibration. */
#ifndef CAROM_EXPERIMENTS_ELASTIC_BAR_DISSIPATION_H
#define CAROM_EXPERIMENTS_ELASTIC_BAR_DISSIPATION_H

#include <carom/carom.h>
#include <carom/study/scheme_options.h>

/** Write /dissipation: spectral radii of the selected schemes of the figures over the frequency. */
CAROM_MUST_CHECK carom_status elastic_bar_write_dissipation(const carom_scheme_options *schemes,
                                                            carom_record *record);

#endif
