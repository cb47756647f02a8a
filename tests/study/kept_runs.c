/* Runs in steps go on from any part that was kept, with the same bytes at the end: runs of schemes,
 * whatever rows are recorded, with what who watches has added up, and motions of scenes. */
#include "recorded_impact.h"
#include "scene_text.h"

#include <carom/base/parallel.h>
#include <carom/models/bouncing_ball.h>
#include <carom/study/scene_motion.h>
#include <carom/study/scheme_options.h>

#include <string.h>

enum { MOST_BATCHES = 600 };

/** A checkpoint in memory: the batches of all maps in their order. */
typedef struct memory {
    int map;
    int count;
    int maps[MOST_BATCHES];
    carom_parallel_bytes batches[MOST_BATCHES];
    int known; /**< of them that the next run is told; what it keeps is counted beyond */
    int kept;
} memory;

static carom_status begin(void *self, int count, carom_work_delivery deliver, void *context) {
    memory *m = self;
    (void)count;
    for (int i = 0; i < m->known; i++) {
        if (m->maps[i] == m->map) {
            CAROM_TRY(deliver(m->batches[i].data, m->batches[i].size, context));
        }
    }
    m->map++;
    return CAROM_OK;
}

static void next(void *self, int count, int *first, int *end) {
    (void)self;
    *first = *end;
    *end = count;
}

static bool is_due(void *self, size_t size) {
    (void)self;
    (void)size;
    return false;
}

static void keep(void *self, int count, const unsigned char *entries, size_t size) {
    memory *m = self;
    (void)count;
    m->kept++;
    if (m->known == 0) {
        ck_assert_int_lt(m->count, MOST_BATCHES);
        m->maps[m->count] = m->map - 1;
        assert_ok(carom_parallel_append(&m->batches[m->count++], entries, size));
    }
}

static int smallest(void *self, int number) {
    (void)self;
    return number;
}

static carom_status gather(void *self, unsigned char *entries, size_t size,
                           carom_work_delivery deliver, void *context) {
    (void)self, (void)entries, (void)size, (void)deliver, (void)context;
    return CAROM_OK;
}

static carom_work_exchange exchange_of(memory *m) {
    return (carom_work_exchange){.self = m,
                                 .rank_count = 1,
                                 .is_kept = true,
                                 .begin = begin,
                                 .next = next,
                                 .is_due = is_due,
                                 .keep = keep,
                                 .smallest = smallest,
                                 .gather = gather};
}

static void memory_clear(memory *m) {
    for (int i = 0; i < m->count; i++) {
        carom_parallel_bytes_clear(&m->batches[i]);
    }
}

/** The bytes of a record, which ends here. */
static size_t read_record(record_scene *scene, char *bytes, size_t size) {
    assert_ok(carom_record_commit(scene->record, NULL));
    scene->record = NULL;
    FILE *file = fopen(scene->path, "rb");
    ck_assert_ptr_nonnull(file);
    const size_t length = fread(bytes, 1, size, file);
    fclose(file);
    scene_end(scene);
    ck_assert(length > 0 && length < size);
    return length;
}

/** Runs a thing into a record, with an exchange or without one; the bytes. */
typedef size_t (*recorded)(int which, carom_work_exchange *exchange, char *bytes, size_t size);

/** The same bytes without a checkpoint, with one, and from any part of it; and what was kept is not
 * computed again. */
static void assert_goes_on(recorded run, int which, int least_parts) {
    static char whole[1 << 21];
    static char other[1 << 21];
    memory m = {.map = 0};
    carom_work_exchange exchange = exchange_of(&m);
    const size_t length = run(which, NULL, whole, sizeof whole);
    ck_assert_uint_eq(run(which, &exchange, other, sizeof other), length);
    ck_assert_mem_eq(other, whole, length);
    ck_assert_int_ge(m.count, least_parts);
    const int known[] = {1, m.count / 3, m.count / 2, m.count - 1, m.count};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        m.map = 0;
        m.kept = 0;
        m.known = known[k];
        ck_assert_uint_eq(run(which, &exchange, other, sizeof other), length);
        ck_assert_mem_eq(other, whole, length);
        ck_assert_int_eq(m.kept, m.count - m.known);
    }
    memory_clear(&m);
}

/* --- schemes ---------------------------------------------------------------------------------- */

/** What who watches knows. */
typedef struct watcher {
    double sum;
    int calls;
} watcher;

static carom_status add_up(const carom_trajectory *rows, void *context, carom_report *report) {
    (void)report;
    watcher *w = context;
    w->calls++;
    for (int row = 0; row < rows->row_count; row++) {
        w->sum += rows->time[row] * rows->position[row];
    }
    return CAROM_OK;
}

static const carom_recorded_steps CHOICES[] = {{.every = 1}, {.every = 7}, {.are_events = true}};
enum { CHOICE_COUNT = sizeof CHOICES / sizeof CHOICES[0] };

/** All schemes, one of them in memory, of a ball that bounces, and the sum of who watches. */
static size_t run_schemes(int which, carom_work_exchange *exchange, char *bytes, size_t size) {
    enum { KEPT = 1, WATCHED = 0, PARTS = 93 }; // of 14 of 1301 rows
    const carom_bouncing_ball_params ball = carom_bouncing_ball_params_default();
    carom_model *model = NULL;
    carom_scheme_run runs[CAROM_SCHEME_COUNT];
    watcher watched = {0.0, 0};
    record_scene scene = scene_begin();
    assert_ok(carom_bouncing_ball_alloc(&ball, &model, NULL));
    for (int i = 0; i < CAROM_SCHEME_COUNT; i++) {
        runs[i] = (carom_scheme_run){.is_kept = i == KEPT};
        snprintf(runs[i].group, sizeof runs[i].group, "%s", carom_scheme_name((carom_scheme)i));
        runs[i].params = carom_stepper_params_default((carom_scheme)i);
        runs[i].params.step = 0.001 * (1 + i);
    }
    runs[WATCHED].watch = (carom_trajectory_listener){add_up, &watched};
    runs[WATCHED].watched = &watched.sum;
    runs[WATCHED].watched_size = sizeof watched.sum;
    const carom_common_options common = {
        .workers = {.threads = 2, .exchange = exchange}, .is_quiet = true, .steps = CHOICES[which]};
    assert_ok(carom_scheme_runs(model, 1.3, runs, CAROM_SCHEME_COUNT, &common, scene.record, NULL));
    carom_record_scalar(scene.record, "/sum", watched.sum, "m s", "of who watches");
    carom_record_scalar(scene.record, "/last", runs[KEPT].trajectory->energy[650], "J", "energy");
    const bool is_kept = exchange != NULL && ((const memory *)exchange->self)->known == 0;
    ck_assert_int_ge(watched.calls, is_kept ? PARTS : 0);
    carom_trajectory_free(runs[KEPT].trajectory);
    carom_model_free(model);
    return read_record(&scene, bytes, size);
}

LOOP_TEST(property, runs_of_schemes_go_on_from_any_part_that_was_kept, CHOICE_COUNT) {
    assert_goes_on(run_schemes, _i, 100);
}

/* --- scenes ----------------------------------------------------------------------------------- */

/** Two boxes that fall on each other; a failure that is kept, of more contacts than rows. */
static size_t move_scene(int which, carom_work_exchange *exchange, char *bytes, size_t size) {
    CAROM_AUTO(carom_scene_file)
    file = parse_with("run duration 0.6 step 1e-3\nmaterial wood friction 0.3 restitution 0.4\n"
                      "ground\n half-plane at 0 0 normal 0.1 1 material wood\n"
                      "body box mass 1 at 0 1.1 angle 0.1\n box 1 1 material wood\n"
                      "body ball mass 2 at 0.3 2.2 rate 3\n disc 0.4 material wood\n",
                      NULL);
    carom_scene_motion_params params = carom_scene_motion_params_default(CAROM_SCHEME_MOREAU_JEAN);
    params.duration = file->duration;
    params.stepper.step = file->step;
    params.frames = 50;
    params.exchange = exchange;
    params.keeps_partial = which == 1;
    file->spec.most_contacts = which == 1 ? 1 : file->spec.most_contacts;
    record_scene scene = scene_begin();
    carom_scene_motion_result result;
    carom_report report = carom_report_empty();
    assert_ok(carom_scene_motion_run(file, &params, NULL, NULL, scene.record, &result, &report));
    ck_assert_int_eq(result.outcome, which == 1 ? CAROM_STATUS_OUT_OF_RANGE : CAROM_OK);
    ck_assert_int_eq(report.sentence[0] != '\0', which == 1);
    ck_assert(which == 1 || result.impacts > 2);
    return read_record(&scene, bytes, size);
}

LOOP_TEST(property, a_motion_of_a_scene_goes_on_from_any_part_that_was_kept, 2) {
    assert_goes_on(move_scene, _i, _i == 1 ? 20 : 100);
}
