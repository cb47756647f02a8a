/* The skeleton of an experiment: parameters are options of the command line with units and ranges,
 * a function computes and writes, and the record is there as a whole or not at all. It computes the
 * free fall of a stone; prints the table of what the record has. Try --help, --height -1. */
#include <carom/carom.h>
#include <math.h>
#include <string.h>

typedef struct settings {
    double height, gravity; /* m, m/s2 */
    int points;
} settings;

static const carom_option OPTIONS[] = {
    CAROM_REAL("height", settings, height, "m", "height of the fall", "positive"),
    CAROM_REAL("gravity", settings, gravity, "m s-2", "acceleration", "positive"),
    CAROM_INTEGER("points", settings, points, "1", "instants that are written", "[2, 1000]"),
};

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *why) {
    const settings *given = (const settings *)context;
    (void)common, (void)why; /* seed and threads; what failed */
    const double duration = sqrt(2 * given->height / given->gravity);
    double time[1000], height[1000];
    for (int i = 0; i < given->points; i++) {
        time[i] = duration * i / (given->points - 1);
        height[i] = given->height - given->gravity * time[i] * time[i] / 2;
    }
    carom_record fall = carom_record_group(record, "fall");
    carom_record_scalar(&fall, "duration", duration, "s", "duration of the fall");
    carom_record_scalar(&fall, "speed", given->gravity * duration, "m s-1", "speed at its end");
    carom_record_axis(&fall, "time", given->points, time, "s", "time");
    carom_record_series(&fall, "height", height, "time", NULL, "m", "height of the stone");
    return CAROM_OK; /* what a write refused is told by the frame */
}

static const carom_table_column COLUMNS[] = {
    {"duration", "duration", NULL, 0},
    {"speed", "speed", NULL, 0},
};
static const carom_table TABLES[] = {{"/fall", NULL, COLUMNS, 2}};

int main(int argc, char **argv) {
    settings values = {20, 9.81, 101};
    carom_program program;
    memset(&program, 0, sizeof program);
    program.name = "experiment";
    program.title = "Free fall";
    program.source = "own";
    program.schema = "experiment 1";
    program.options.rows = OPTIONS;
    program.options.count = 3;
    program.tables = TABLES;
    program.table_count = 1;
    return carom_experiment_main(&program, argc, argv, NULL, body, &values);
}
