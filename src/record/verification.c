#include <carom/record/published.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Evaluate our number and judge it. */
static void compare(const carom_expression_scope *scope, carom_verification_item *item) {
    carom_report report = carom_report_empty();
    carom_expression_result result;
    item->ours = NAN;
    if (item->row->expression[0] == '\0') {
        item->verdict = carom_published_judge(item->row, NULL, &item->reason);
    } else if (carom_expression_number(item->row->expression, scope, &result, &report) ==
               CAROM_OK) {
        item->ours = result.number;
        item->term_count = result.term_count;
        memcpy(item->terms, result.terms, sizeof result.terms);
        item->verdict = carom_published_judge(item->row, &result, &item->reason);
    } else {
        item->verdict = CAROM_VERDICT_FAILS;
        memcpy(item->failure, report.sentence, sizeof item->failure);
        item->reason = item->failure;
    }
}

carom_status carom_verification_run(const char *name, const char *text, size_t size,
                                    carom_record_set *records, carom_verification *out,
                                    carom_report *report) {
    CAROM_ASSERT(name != NULL && records != NULL && out != NULL);
    memset(out, 0, sizeof *out);
    CAROM_TRY(carom_published_parse(text, size, &out->published, report));
    const int count = out->published.row_count;
    out->items = calloc(count > 0 ? (size_t)count : 1, sizeof *out->items);
    if (out->items == NULL) {
        carom_verification_clear(out);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    out->item_count = count;
    carom_record_choice choice = {records, name};
    const carom_expression_scope scope = {.read = carom_record_set_read,
                                          .context = &choice,
                                          .names = out->published.names,
                                          .name_count = out->published.name_count};
    for (int i = 0; i < count; ++i) {
        out->items[i].row = &out->published.rows[i];
        compare(&scope, &out->items[i]);
    }
    return CAROM_OK;
}

/* Two items of one name: neither can be trusted. */
static void fail_if_same_id(carom_verification_item *a, carom_verification_item *b) {
    if (strcmp(a->row->id, b->row->id) == 0) {
        a->verdict = CAROM_VERDICT_FAILS;
        b->verdict = CAROM_VERDICT_FAILS;
        a->reason = "the id is used twice";
        b->reason = "the id is used twice";
    }
}

void carom_verification_fail_duplicates(carom_verification *files, int count) {
    for (int file = 0; file < count; ++file) {
        for (int i = 0; i < files[file].item_count; ++i) {
            carom_verification_item *item = &files[file].items[i];
            for (int k = i + 1; k < files[file].item_count; ++k) {
                fail_if_same_id(item, &files[file].items[k]);
            }
            for (int other = file + 1; other < count; ++other) {
                for (int k = 0; k < files[other].item_count; ++k) {
                    fail_if_same_id(item, &files[other].items[k]);
                }
            }
        }
    }
}

void carom_verification_clear(carom_verification *file) {
    free(file->items);
    carom_published_clear(&file->published);
    memset(file, 0, sizeof *file);
}
