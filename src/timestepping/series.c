#include <carom/timestepping/trajectory.h>

#include <math.h>

/* A row belongs to a window if its time lies in it up to this fraction of a step. */
static const double WINDOW_SLACK = 1e-3;

carom_series carom_series_whole(const carom_trajectory *trajectory, const double *values,
                                int columns, int column) {
    CAROM_ASSERT(trajectory != NULL && values != NULL && column >= 0 && column < columns);
    return (carom_series){values, columns, column, 0, trajectory->row_count};
}

carom_series carom_series_window(const carom_trajectory *trajectory, const double *values,
                                 int columns, int column, double from, double to) {
    carom_series series = carom_series_whole(trajectory, values, columns, column);
    const double slack = WINDOW_SLACK * trajectory->step;
    while (series.first < series.end && trajectory->time[series.first] < from - slack) {
        series.first++;
    }
    while (series.end > series.first && trajectory->time[series.end - 1] > to + slack) {
        series.end--;
    }
    return series;
}

/** Value in a row of the array, counted from its first. */
static double value_at(carom_series series, int row) {
    return series.values[(size_t)row * (size_t)series.columns + (size_t)series.column];
}

double carom_series_minimum(carom_series series) {
    double smallest = (double)NAN;
    for (int row = series.first; row < series.end; row++) {
        smallest = fmin(smallest, value_at(series, row));
    }
    return smallest;
}

double carom_series_maximum(carom_series series) {
    double largest = (double)NAN;
    for (int row = series.first; row < series.end; row++) {
        largest = fmax(largest, value_at(series, row));
    }
    return largest;
}

double carom_series_mean(carom_series series) {
    double sum = 0.0;
    for (int row = series.first; row < series.end; row++) {
        sum += value_at(series, row);
    }
    return sum / (double)(series.end - series.first);
}

bool carom_trajectory_is_pressed(const carom_trajectory *trajectory, int contact, int row) {
    CAROM_ASSERT(trajectory != NULL && contact >= 0 && contact < trajectory->contact_count &&
                 row >= 0 && row < trajectory->row_count);
    const size_t k = (size_t)row * (size_t)trajectory->contact_count + (size_t)contact;
    const double *const pressures[] = {trajectory->contact_impulse, trajectory->contact_force,
                                       trajectory->normal_rate};
    bool is_pressed = false;
    for (size_t i = 0; i < sizeof pressures / sizeof pressures[0]; i++) {
        is_pressed = is_pressed || (pressures[i] != NULL && pressures[i][k] > 0.0);
    }
    return is_pressed;
}

int carom_trajectory_impacts(const carom_trajectory *trajectory, int contact, int capacity,
                             int *rows) {
    CAROM_ASSERT(trajectory != NULL && (rows != NULL || capacity <= 0));
    int count = 0;
    for (int row = 1; row < trajectory->row_count && count < capacity; row++) {
        if (carom_trajectory_is_pressed(trajectory, contact, row) &&
            !carom_trajectory_is_pressed(trajectory, contact, row - 1)) {
            rows[count++] = row;
        }
    }
    return count;
}

double carom_trajectory_smallest_gap(const carom_trajectory *trajectory) {
    CAROM_ASSERT(trajectory != NULL);
    double smallest = (double)NAN;
    for (int j = 0; j < trajectory->contact_count; j++) {
        const carom_series gap =
            carom_series_whole(trajectory, trajectory->gap, trajectory->contact_count, j);
        smallest = fmin(smallest, carom_series_minimum(gap));
    }
    return smallest;
}

long carom_trajectory_total(const carom_trajectory *trajectory, const int *values) {
    CAROM_ASSERT(trajectory != NULL && values != NULL);
    long total = 0;
    for (int row = 0; row < trajectory->row_count; row++) {
        total += values[row];
    }
    return total;
}
