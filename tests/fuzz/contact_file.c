/**
 * Fuzz target (libFuzzer) for the reader of contact problems: a file in the layout of FCLIB, some
 * of its data sets left out, cut, of other numbers or kinds, is read or refused with a sentence,
 * without harm; what is read is solved or not, and what is solved has its certificate. HDF5 itself
 * is not what is tried: the bytes say what is changed, four of them a change.
 *
 *     make fuzz                                    (clang; a minute)
 *     ./contact_file -max_total_time=300 -max_len=64 CORPUS
 */
#include <carom/contact/contact.h>
#include <carom/record/contact_file.h>

#include <hdf5.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CONTACTS = 2, COORDINATES = 3, MOST_FIELDS = 32, MOST_NUMBERS = 12 };

/* What a number is changed to. */
static const double NUMBERS[] = {0.0,    1.0,   -1.0,   2.0, 3.0,         -2.0, 0.5,
                                 1e-300, 1e300, 1e-170, 4e9, (double)NAN, 1e19, (double)INFINITY,
                                 -1e3,   4.0};
enum { NUMBER_COUNT = sizeof NUMBERS / sizeof *NUMBERS };

enum { LEFT_OUT, CUT, RENUMBERED, OF_ANOTHER_KIND, OF_ANOTHER_RANK, AS_A_GROUP, CHANGES };

/* A data set below the group of the problem. */
typedef struct field {
    char name[16];
    double values[MOST_NUMBERS];
    int count;
    int rank;
    bool is_integer;
    bool is_left_out;
    bool is_group;
} field;

typedef struct fields {
    field list[MOST_FIELDS];
    int count;
} fields;

/** Stop the program, which the fuzzer reports with the input. */
static void require(bool holds) {
    if (!holds) {
        abort();
    }
}

/* `count` numbers, each `first` and what `by` adds. */
static void add(fields *f, const char *group, const char *name, bool is_integer, int count,
                double first, double by) {
    require(f->count < MOST_FIELDS && count <= MOST_NUMBERS);
    field *added = &f->list[f->count++];
    *added = (field){.count = count, .rank = 1, .is_integer = is_integer};
    (void)snprintf(added->name, sizeof added->name, "%s%s", group, name);
    for (int i = 0; i < count; i++) {
        added->values[i] = first + by * i;
    }
}

/* The diagonal of [rows][columns], as triplets or by columns (nz < 0), of which the last is short.
 */
static void add_matrix(fields *f, const char *group, int rows, int columns, int nz) {
    const int entries = rows < columns ? rows : columns;
    add(f, group, "m", true, 1, rows, 0.0);
    add(f, group, "n", true, 1, columns, 0.0);
    add(f, group, "nz", true, 1, nz < 0 ? nz : entries, 0.0);
    add(f, group, "p", true, nz == -1 ? columns + 1 : nz == -2 ? rows + 1 : entries, 0.0, 1.0);
    add(f, group, "i", true, entries, 0.0, 1.0);
    add(f, group, "x", false, entries, 1.5, 0.25);
}

/* A problem that is right; the kind by the bits of a number. */
static const char *make(unsigned kind, fields *f) {
    const bool is_global = (kind & 1U) != 0;
    const bool has_joint = (kind & 2U) != 0;
    const int dimension = (kind & 4U) != 0 ? 3 : 2;
    const int rows = CONTACTS * dimension;
    add(f, "", "spacedim", true, 1, dimension, 0.0);
    add(f, "vectors/", "mu", false, CONTACTS, 0.3, 0.2);
    if (is_global) {
        add_matrix(f, "M/", COORDINATES, COORDINATES, 0);
        add_matrix(f, "H/", COORDINATES, rows, 0);
        add(f, "vectors/", "f", false, COORDINATES, -1.0, 0.7);
        add(f, "vectors/", "w", false, rows, 0.2, -0.1);
    } else {
        add_matrix(f, "W/", rows, rows, 0);
        add(f, "vectors/", "q", false, rows, -1.0, 0.3);
    }
    if (has_joint && is_global) {
        add_matrix(f, "G/", COORDINATES, 1, 0);
        add(f, "vectors/", "b", false, 1, 0.4, 0.0);
    } else if (has_joint) {
        add_matrix(f, "V/", rows, 1, -1);
        add_matrix(f, "R/", 1, 1, -2);
        add(f, "vectors/", "s", false, 1, 0.4, 0.0);
    }
    return is_global ? "/fclib_global/" : "/fclib_local/";
}

/* Field, what becomes of it, where and to what. */
static void change(const uint8_t how[4], fields *f) {
    field *changed = &f->list[how[0] % f->count];
    switch (how[1] % CHANGES) {
    case LEFT_OUT:
        changed->is_left_out = true;
        break;
    case CUT:
        changed->count = how[2] % (MOST_NUMBERS + 1);
        break;
    case RENUMBERED:
        changed->values[how[2] % MOST_NUMBERS] = NUMBERS[how[3] % NUMBER_COUNT];
        break;
    case OF_ANOTHER_KIND:
        changed->is_integer = !changed->is_integer;
        break;
    case OF_ANOTHER_RANK:
        changed->rank = how[2] % 4;
        break;
    default:
        changed->is_group = true;
        break;
    }
}

static void write_field(hid_t file, hid_t links, const char *group, const field *f) {
    char path[64];
    int integers[MOST_NUMBERS];
    const hsize_t sizes[3] = {f->rank == 2 ? 1 : (hsize_t)f->count,
                              f->rank == 2 ? (hsize_t)f->count : 1, 1};
    (void)snprintf(path, sizeof path, "%s%s", group, f->name);
    if (f->is_left_out) {
        return;
    }
    if (f->is_group) {
        H5Gclose(H5Gcreate2(file, path, links, H5P_DEFAULT, H5P_DEFAULT));
        return;
    }
    for (int i = 0; i < MOST_NUMBERS; i++) { /* neither NaN nor what int cannot hold */
        integers[i] = fabs(f->values[i]) <= 2e9 ? (int)f->values[i] : INT32_MIN;
    }
    const hid_t space =
        f->rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(f->rank, sizes, NULL);
    const hid_t type = f->is_integer ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE;
    const hid_t set = H5Dcreate2(file, path, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT,
             f->is_integer ? (const void *)integers : (const void *)f->values);
    H5Dclose(set);
    H5Sclose(space);
}

static void write_file(const char *path, const char *group, const fields *f) {
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);
    require(file >= 0 && links >= 0);
    H5Pset_create_intermediate_group(links, 1);
    for (int i = 0; i < f->count; i++) {
        write_field(file, links, group, &f->list[i]);
    }
    H5Pclose(links);
    H5Fclose(file);
}

/* What every accepted problem keeps, and what is called its solution. */
static void check_problem(const carom_contact_problem *p) {
    double r[CONTACTS * MOST_NUMBERS + MOST_NUMBERS] = {0.0};
    double u[CONTACTS * MOST_NUMBERS + MOST_NUMBERS];
    require(p->row_count == p->joint_count + p->contact_count * (1 + p->tangent_count));
    require(p->row_count <= (int)(sizeof r / sizeof *r));
    for (int i = 0; i < p->contact_count; i++) {
        require(p->friction[i] >= 0.0 && isfinite(p->friction[i]));
    }
    carom_contact_solver *solver = NULL;
    require(carom_contact_solver_alloc(&solver) == CAROM_OK);
    carom_contact_params params = carom_contact_params_default();
    carom_contact_report result;
    params.most_sweeps = 100;
    params.most_newton_iterations = 20;
    if (carom_contact_solve(solver, p, &params, r, u, &result, NULL) == CAROM_OK) {
        carom_contact_certificate certificate;
        carom_contact_certify(p, r, u, &certificate);
        require(certificate.residual <= params.tolerance);
    }
    carom_contact_solver_free(solver);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char path[] = "contact_file.hdf5";
    fields f = {.count = 0};
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const char *group = make(size > 0 ? data[0] : 0, &f);
    for (size_t i = 1; i + 4 <= size; i += 4) {
        change(data + i, &f);
    }
    write_file(path, group, &f);
    carom_report report = carom_report_empty();
    carom_contact_problem *problem = NULL;
    const carom_status status = carom_contact_file_read(path, &problem, &report);
    if (status == CAROM_OK) {
        require(problem != NULL);
        check_problem(problem);
    } else {
        require(problem == NULL && report.sentence[0] != '\0');
    }
    carom_contact_problem_free(problem);
    return 0;
}
