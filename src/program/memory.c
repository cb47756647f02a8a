#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include <carom/program/memory.h>
#include <carom/record/internal.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/** Part of the memory that what is kept may take. */
#define KEPT_PART 0.5

/** Bytes in a gigabyte, for people. */
#define GIGABYTE 1e9

/** Bytes of a limit; infinite if there is none. */
static double bytes_of(rlim_t limit) {
    return limit == RLIM_INFINITY ? HUGE_VAL : (double)limit;
}

double carom_memory_size(void) {
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page_size = sysconf(_SC_PAGESIZE);
    const double machine =
        pages > 0 && page_size > 0 ? (double)pages * (double)page_size : HUGE_VAL;
    struct rlimit data = {RLIM_INFINITY, RLIM_INFINITY};
    struct rlimit space = {RLIM_INFINITY, RLIM_INFINITY};
    (void)getrlimit(RLIMIT_DATA, &data);
    (void)getrlimit(RLIMIT_AS, &space);
    return fmin(machine, fmin(bytes_of(data.rlim_cur), bytes_of(space.rlim_cur)));
}

/** Refuse things that take more than `most` bytes of what there is, in words. */
static carom_status check(double count, double bytes, double most, const char *things,
                          const char *what, const char *holder, carom_report *report) {
    if (count * bytes <= most) {
        return CAROM_OK;
    }
    if (!isfinite(count * bytes)) {
        return carom_report_say(report, CAROM_STATUS_OUT_OF_RANGE,
                                "%s are too many to be counted; %s %.3g GB, at most %.3g of them",
                                things, holder, most / GIGABYTE, floor(most / bytes));
    }
    return carom_report_say(report, CAROM_STATUS_OUT_OF_RANGE,
                            "%.3g %s need %.3g GB %s; %s %.3g GB, at most %.3g of them", count,
                            things, count * bytes / GIGABYTE, what, holder, most / GIGABYTE,
                            floor(most / bytes));
}

carom_status carom_memory_check(double count, double bytes, const char *things,
                                carom_report *report) {
    return check(count, bytes, KEPT_PART * carom_memory_size(), things, "of memory",
                 "this machine can keep", report);
}

carom_status carom_disk_check(const carom_record *record, double count, double bytes,
                              const char *things, carom_report *report) {
    return check(count, bytes, carom_record_room(record), things, "on the disk",
                 "the record has room for", report);
}

void carom_memory_keep(void) {
#ifdef __GLIBC__
    // The largest that glibc takes; what is larger goes back to the system.
    enum { MOST_KEPT = 1 << 25 };
    (void)mallopt(M_MMAP_THRESHOLD, MOST_KEPT);
    (void)mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}

void *carom_memory_begin_afresh(void) {
    enum { LARGE_PAGE = 1 << 21, ROOM = 1 << 23 };
    char *room = malloc(ROOM);
    if (room == NULL) {
        return NULL;
    }
    // The end of the heap has grown by that, and begins with what is given back.
    const size_t before = LARGE_PAGE - (uintptr_t)room % LARGE_PAGE;
#ifdef MADV_HUGEPAGE
    (void)madvise(room + before, ROOM - 2 * LARGE_PAGE, MADV_HUGEPAGE);
#endif
    void *kept = realloc(room, before);
    return kept != NULL ? kept : room;
}

void carom_memory_limit(void) {
    const double size = carom_memory_size();
    struct rlimit before;
    if (!isfinite(size) || getrlimit(RLIMIT_DATA, &before) != 0) {
        return;
    }
    const struct rlimit limit = {(rlim_t)size, before.rlim_max};
    if (setrlimit(RLIMIT_DATA, &limit) != 0) {
        return;
    }
    // A process that has reserved more than that already, as under a sanitizer, keeps its limit.
    const size_t size_of_probe = 1;
    void *probe =
        mmap(NULL, size_of_probe, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (probe == MAP_FAILED) {
        (void)setrlimit(RLIMIT_DATA, &before);
    } else {
        (void)munmap(probe, size_of_probe);
    }
}
