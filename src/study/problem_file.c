#include <carom/study/internal.h>

#include <carom/record/text.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Sizes of a problem, inferred from its sections. */
typedef struct problem_sizes {
    int coordinates; /**< n */
    int contacts;    /**< m */
    int tangents;    /**< t */
} problem_sizes;

/** Without friction no tangents are needed, and without tangents no friction. */
static bool may_be_missing(const carom_problem_sections *self, carom_problem_section section) {
    const carom_section_numbers *friction = &self->section[CAROM_SECTION_FRICTION];
    switch (section) {
    case CAROM_SECTION_NAMES:
        return true;
    case CAROM_SECTION_TANGENTIAL:
        for (int i = 0; i < friction->count; i++) {
            if (!(friction->values[i] <= 0.0)) {
                return false;
            }
        }
        return true;
    case CAROM_SECTION_FRICTION:
        return self->section[CAROM_SECTION_TANGENTIAL].keyword_line == 0;
    default:
        return false;
    }
}

/** No section is missing or empty. */
static carom_status check_presence(const carom_problem_sections *self) {
    for (int i = 0; i < CAROM_SECTION_COUNT; i++) {
        const carom_section_numbers *found = &self->section[i];
        const char *keyword = carom_problem_section_keyword((carom_problem_section)i);
        if (found->keyword_line == 0 && !may_be_missing(self, (carom_problem_section)i)) {
            return carom_problem_sections_fail(self, "there is no section %s", keyword);
        }
        if (found->keyword_line > 0 && found->count == 0) {
            return carom_problem_sections_fail(self, "line %d: section %s is empty%s",
                                               found->keyword_line, keyword,
                                               i == CAROM_SECTION_NORMAL ? ": no contacts" : "");
        }
    }
    return CAROM_OK;
}

/** A size is within its limit. */
static carom_status check_limit(const carom_problem_sections *self, carom_problem_section section,
                                int count, const char *what, int most) {
    if (count > most) {
        return carom_problem_sections_fail(self, "line %d: %s has %d %s, at most %d are possible",
                                           self->section[section].keyword_line,
                                           carom_problem_section_keyword(section), count, what,
                                           most);
    }
    return CAROM_OK;
}

/** The rows of a Jacobian are as long as those of the mass matrix. */
static carom_status check_columns(const carom_problem_sections *self, carom_problem_section section,
                                  int columns) {
    const carom_section_numbers *found = &self->section[section];
    if (found->columns != columns) {
        return carom_problem_sections_fail(
            self, "line %d: rows of %s have %d number%s, %d expected as in mass", found->lines[0],
            carom_problem_section_keyword(section), found->columns, found->columns == 1 ? "" : "s",
            columns);
    }
    return CAROM_OK;
}

/** A list has the length that it must have; `why` says where that comes from. */
static carom_status check_count(const carom_problem_sections *self, carom_problem_section section,
                                int expected, const char *what, const char *why) {
    const carom_section_numbers *found = &self->section[section];
    if (found->count != expected) {
        return carom_problem_sections_fail(self, "line %d: %s has %d %s%s, %d expected%s",
                                           found->keyword_line,
                                           carom_problem_section_keyword(section), found->count,
                                           what, found->count == 1 ? "" : "s", expected, why);
    }
    return CAROM_OK;
}

/** The sizes of the problem, if all sections agree on them. */
static carom_status infer_sizes(const carom_problem_sections *self, problem_sizes *sizes) {
    const carom_section_numbers *s = self->section;
    const int n = s[CAROM_SECTION_MASS].columns;
    const int m = s[CAROM_SECTION_NORMAL].rows;
    const int tangential = s[CAROM_SECTION_TANGENTIAL].rows;
    if (s[CAROM_SECTION_MASS].rows != n) {
        return carom_problem_sections_fail(
            self, "line %d: mass has %d row%s of %d number%s, %d row%s expected",
            s[CAROM_SECTION_MASS].keyword_line, s[CAROM_SECTION_MASS].rows,
            s[CAROM_SECTION_MASS].rows == 1 ? "" : "s", n, n == 1 ? "" : "s", n, n == 1 ? "" : "s");
    }
    CAROM_TRY(
        check_limit(self, CAROM_SECTION_MASS, n, "rows", CAROM_PROBLEM_FILE_MOST_COORDINATES));
    CAROM_TRY(check_columns(self, CAROM_SECTION_NORMAL, n));
    CAROM_TRY(
        check_limit(self, CAROM_SECTION_NORMAL, m, "contacts", CAROM_PROBLEM_FILE_MOST_CONTACTS));
    const bool has_tangents = s[CAROM_SECTION_TANGENTIAL].keyword_line > 0;
    if (has_tangents) {
        CAROM_TRY(check_columns(self, CAROM_SECTION_TANGENTIAL, n));
    }
    if (has_tangents && tangential != m && tangential != 2 * m) {
        return carom_problem_sections_fail(
            self, "line %d: tangential has %d row%s, %d (plane) or %d (space) expected",
            s[CAROM_SECTION_TANGENTIAL].keyword_line, tangential, tangential == 1 ? "" : "s", m,
            2 * m);
    }
    if (s[CAROM_SECTION_FRICTION].count == 2 && m == 2 && self->friction_comma_line > 0) {
        return carom_problem_sections_fail(
            self,
            "line %d: friction: is the comma a decimal one? Write a point, or a blank after it",
            self->friction_comma_line);
    }
    if (s[CAROM_SECTION_FRICTION].count > 1) {
        CAROM_TRY(check_count(self, CAROM_SECTION_FRICTION, m, "number", ", one for each contact"));
    }
    CAROM_TRY(check_count(self, CAROM_SECTION_VELOCITY, n, "number", " as in mass"));
    if (s[CAROM_SECTION_NAMES].keyword_line > 0) {
        CAROM_TRY(check_count(self, CAROM_SECTION_NAMES, m, "name", ", one for each contact"));
    }
    *sizes = (problem_sizes){n, m, has_tangents ? tangential / m : 1};
    return CAROM_OK;
}

/** No friction coefficient is negative. */
static carom_status check_friction(const carom_problem_sections *self) {
    const carom_section_numbers *friction = &self->section[CAROM_SECTION_FRICTION];
    for (int i = 0; i < friction->count; i++) {
        if (friction->values[i] < 0.0) {
            return carom_problem_sections_fail(self, "line %d: friction, entry %d, %g is negative",
                                               friction->lines[i], i + 1, friction->values[i]);
        }
    }
    return CAROM_OK;
}

/** Say which two entries of the mass matrix differ most. */
static carom_status fail_asymmetric(const carom_problem_sections *self) {
    const carom_section_numbers *mass = &self->section[CAROM_SECTION_MASS];
    const int n = mass->columns;
    int row = 0;
    int column = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            if (fabs(mass->values[i * n + j] - mass->values[j * n + i]) >
                fabs(mass->values[row * n + column] - mass->values[column * n + row])) {
                row = i;
                column = j;
            }
        }
    }
    return carom_problem_sections_fail(
        self, "line %d: mass is not symmetric: row %d, entry %d is %g, row %d, entry %d is %g",
        mass->lines[row * n + column], row + 1, column + 1, mass->values[row * n + column],
        column + 1, row + 1, mass->values[column * n + row]);
}

/** Say which friction coefficient is too large. */
static carom_status fail_friction(const carom_problem_sections *self, const carom_report *report) {
    const carom_section_numbers *friction = &self->section[CAROM_SECTION_FRICTION];
    const int entry = friction->count == 1 ? 0 : report->index;
    return carom_problem_sections_fail(self, "line %d: friction, entry %d, %g is not in [0, %g]",
                                       friction->lines[entry], entry + 1, report->value,
                                       CAROM_IMPACT_LARGEST_FRICTION);
}

/** Say why numbers are no impact problem. */
static carom_status fail_problem(const carom_problem_sections *self, carom_status status,
                                 const carom_report *report) {
    const carom_section_numbers *mass = &self->section[CAROM_SECTION_MASS];
    switch (status) {
    case CAROM_STATUS_OUT_OF_MEMORY:
        (void)carom_problem_sections_fail(self, "there is no memory for it");
        return status;
    case CAROM_STATUS_NOT_SYMMETRIC:
        return fail_asymmetric(self);
    case CAROM_STATUS_NOT_FINITE:
        return carom_problem_sections_fail(self, "the numbers are too large or too small: J M^-1 "
                                                 "J', J v or v'M v is not finite");
    case CAROM_STATUS_OUT_OF_RANGE:
        if (strcmp(report->quantity, "friction") == 0) {
            return fail_friction(self, report);
        }
        if (report->index < 0) {
            return carom_problem_sections_fail(
                self, "the numbers are too large or too small: %s = %g, accepted %s",
                report->quantity, report->value, report->accepted);
        }
        // Sizes have been checked: what is left is a pivot of M.
        return carom_problem_sections_fail(
            self, "line %d: mass is not positive definite: pivot %g in row %d",
            mass->lines[report->index * mass->columns], report->value, report->index + 1);
    default:
        break;
    }
    return carom_problem_sections_fail(self, "%s%s%s", carom_status_sentence(status),
                                       report->quantity != NULL ? ": " : "",
                                       report->quantity != NULL ? report->quantity : "");
}

/** The problem of sections that agree in their sizes. */
static carom_status make_problem(carom_problem_sections *self, const problem_sizes *sizes,
                                 carom_impact_problem **out) {
    const carom_section_numbers *s = self->section;
    double friction[CAROM_PROBLEM_FILE_MOST_CONTACTS] = {0.0};
    for (int i = 0; i < sizes->contacts && s[CAROM_SECTION_FRICTION].count > 0; i++) {
        const int entry = s[CAROM_SECTION_FRICTION].count == 1 ? 0 : i;
        friction[i] = s[CAROM_SECTION_FRICTION].values[entry];
    }
    // Contacts without friction that have no tangents slide along rows of zeros.
    CAROM_AUTO_MEMORY double *none = NULL;
    const double *tangential = s[CAROM_SECTION_TANGENTIAL].values;
    if (s[CAROM_SECTION_TANGENTIAL].count == 0) {
        CAROM_ASSERT(sizes->contacts >= 1 && sizes->coordinates >= 1);
        none = calloc((size_t)sizes->contacts * (size_t)sizes->coordinates, sizeof *none);
        tangential = none;
    }
    carom_report report = carom_report_empty();
    const carom_status status =
        tangential == NULL
            ? CAROM_STATUS_OUT_OF_MEMORY
            : carom_impact_problem_alloc(sizes->coordinates, sizes->contacts, sizes->tangents,
                                         s[CAROM_SECTION_MASS].values,
                                         s[CAROM_SECTION_NORMAL].values, tangential, friction,
                                         s[CAROM_SECTION_VELOCITY].values, out, &report);
    return status == CAROM_OK ? CAROM_OK : fail_problem(self, status, &report);
}

/** The names of the contacts, if there are any. */
static carom_status copy_names(const carom_problem_sections *self, carom_problem_file *file) {
    const size_t count = (size_t)self->section[CAROM_SECTION_NAMES].count;
    if (count == 0) {
        return CAROM_OK;
    }
    file->names = malloc(count * sizeof *file->names);
    if (file->names == NULL) {
        (void)carom_problem_sections_fail(self, "there is no memory for it");
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    memcpy(file->names, self->names, count * sizeof *file->names);
    return CAROM_OK;
}

/** Everything that sections which were read say. */
static carom_status assemble(carom_problem_sections *self, carom_problem_file *file) {
    problem_sizes sizes = {0, 0, 0};
    CAROM_TRY(check_presence(self));
    CAROM_TRY(infer_sizes(self, &sizes));
    CAROM_TRY(check_friction(self));
    CAROM_TRY(make_problem(self, &sizes, &file->problem));
    return copy_names(self, file);
}

carom_status carom_problem_file_parse(const char *text, size_t length, carom_problem_file **out,
                                      char *defect) {
    CAROM_ASSERT((text != NULL || length == 0) && out != NULL);
    *out = NULL;
    if (defect != NULL) {
        defect[0] = '\0';
    }
    CAROM_AUTO_MEMORY carom_problem_sections *sections = malloc(sizeof *sections);
    CAROM_AUTO(carom_problem_file) file = calloc(1, sizeof *file);
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    if (sections != NULL && file != NULL) {
        status = carom_problem_sections_read(sections, text, length, defect);
        status = status == CAROM_OK ? assemble(sections, file) : status;
        carom_problem_sections_clear(sections);
    } else if (defect != NULL) {
        snprintf(defect, CAROM_PROBLEM_FILE_DEFECT_SIZE, "there is no memory for it");
    }
    if (status != CAROM_OK) {
        return status;
    }
    CAROM_HAND_OVER(file, out);
    return CAROM_OK;
}

/** Say why a file was not loaded. */
static carom_status fail_load(carom_status status, char *defect) {
    char sentence[CAROM_PROBLEM_FILE_DEFECT_SIZE];
    switch (status) {
    case CAROM_STATUS_IO:
        snprintf(sentence, sizeof sentence, "cannot be read: %s", strerror(errno));
        break;
    case CAROM_STATUS_OUT_OF_RANGE:
        status = CAROM_STATUS_BAD_FORMAT;
        snprintf(sentence, sizeof sentence, "is too large: more than %d bytes",
                 (int)CAROM_PROBLEM_FILE_MOST_BYTES);
        break;
    default:
        snprintf(sentence, sizeof sentence, "there is no memory for it");
        break;
    }
    if (defect != NULL) {
        snprintf(defect, CAROM_PROBLEM_FILE_DEFECT_SIZE, "%s", sentence);
    }
    return status;
}

carom_status carom_problem_file_read(const char *path, carom_problem_file **out, char *defect) {
    CAROM_ASSERT(path != NULL && out != NULL);
    *out = NULL;
    CAROM_AUTO_VALUE(carom_text_buffer) text = {0};
    carom_status status = carom_text_buffer_load(&text, path, CAROM_PROBLEM_FILE_MOST_BYTES);
    status = status == CAROM_OK ? carom_problem_file_parse(text.text, text.length, out, defect)
                                : fail_load(status, defect);
    return status;
}

void carom_problem_file_free(carom_problem_file *file) {
    if (file == NULL) {
        return;
    }
    carom_impact_problem_free(file->problem);
    free(file->names);
    free(file);
}
