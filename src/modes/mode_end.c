#include <carom/modes/mode_end.h>

const char *carom_mode_end_name(carom_mode_end end) {
    switch (end) {
#define CAROM_MODE_END_CASE(code, name, sentence) \
    case CAROM_MODE_END_##code:                   \
        return name;
        CAROM_MODE_END_LIST(CAROM_MODE_END_CASE)
#undef CAROM_MODE_END_CASE
    }
    return "unknown";
}

const char *carom_mode_end_sentence(carom_mode_end end) {
    switch (end) {
#define CAROM_MODE_END_CASE(code, name, sentence) \
    case CAROM_MODE_END_##code:                   \
        return sentence;
        CAROM_MODE_END_LIST(CAROM_MODE_END_CASE)
#undef CAROM_MODE_END_CASE
    }
    return "unknown end";
}
