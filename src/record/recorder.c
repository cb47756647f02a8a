#include <carom/record/internal.h>

#include <limits.h>
#include <stdio.h>

carom_recorder carom_recorder_begin(carom_record *group, const char *axis, int total) {
    CAROM_ASSERT(group != NULL && axis != NULL && total >= 0);
    group->file->recorders++;
    return (carom_recorder){.group = *group, .axis = axis, .total = total};
}

int carom_record_block_extent(const carom_record_block *block) {
    return block->total > 0 ? block->total : block->first + block->count;
}

/* What is wrong with the number of rows stands in the cause. */
static void refuse_rows(carom_recorder *recorder) {
    carom_record_remember(&recorder->group, recorder->axis, CAROM_STATUS_OUT_OF_RANGE);
}

carom_record_block carom_recorder_next(carom_recorder *recorder, int left) {
    carom_record_file *file = recorder->group.file;
    const int most = recorder->total > 0 ? recorder->total : INT_MAX;
    carom_record_block block = {.first = recorder->row_count, .total = recorder->total};
    if (carom_record_is_idle(file)) {
        return block;
    }
    if (left > most - recorder->row_count) {
        snprintf(file->cause, sizeof file->cause, "%d rows are there, %d more come, and %d %s",
                 recorder->row_count, left, most,
                 recorder->total > 0 ? "were announced" : "are the most that fit");
        refuse_rows(recorder);
        return block;
    }
    const int room = CAROM_RECORD_CHUNK_ROWS - recorder->row_count % CAROM_RECORD_CHUNK_ROWS;
    block.count = recorder->total > 0 || left < room ? left : room;
    recorder->row_count += block.count;
    return block;
}

void carom_recorder_end(carom_recorder *recorder) {
    CAROM_ASSERT(recorder != NULL);
    carom_record_file *file = recorder->group.file;
    file->recorders--;
    if (!carom_record_is_idle(file) && recorder->total > 0 &&
        recorder->row_count != recorder->total) {
        snprintf(file->cause, sizeof file->cause, "%d rows have come, and %d were announced",
                 recorder->row_count, recorder->total);
        refuse_rows(recorder);
    }
}
