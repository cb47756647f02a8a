/** Private to the driver: what the groups of the records are, for those who open one. */
#ifndef CAROM_PROGRAM_GROUP_NAMES_H
#define CAROM_PROGRAM_GROUP_NAMES_H

/**
 * One line about a group, by the vocabulary that the experiments share: a name means the same in
 * every record. An experiment with other groups describes them itself, by the attribute long_name.
 *
 * @param[in] path of the group, from the root ("/set/modes")
 * @return a static text; NULL for a group that the vocabulary does not know
 */
const char *carom_group_description(const char *path);

#endif
