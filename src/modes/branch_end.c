#include <carom/modes/orbit_search.h>

const char *carom_branch_end_name(carom_branch_end end) {
    switch (end) {
#define CAROM_BRANCH_END_CASE(code, name, sentence) \
    case CAROM_BRANCH_END_##code:                   \
        return name;
        CAROM_BRANCH_END_LIST(CAROM_BRANCH_END_CASE)
#undef CAROM_BRANCH_END_CASE
    }
    return "unknown";
}

const char *carom_branch_end_sentence(carom_branch_end end) {
    switch (end) {
#define CAROM_BRANCH_END_CASE(code, name, sentence) \
    case CAROM_BRANCH_END_##code:                   \
        return sentence;
        CAROM_BRANCH_END_LIST(CAROM_BRANCH_END_CASE)
#undef CAROM_BRANCH_END_CASE
    }
    return "unknown end";
}
