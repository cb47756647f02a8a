#include <carom/record/expression.h>

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Longest name or path, with its terminating zero, and deepest nesting. */
#define NAME_SIZE 256
#define MOST_DEPTH 64

/* A data set that was read, by "record:/path", or the value of a name of the scope. */
typedef struct finding {
    carom_value *value; /* in the pool */
    struct finding *next;
    char key[];
} finding;

/* Where the reading of an expression stands. */
typedef struct parser {
    const carom_expression_scope *scope;
    const char *text;
    const char *at;        /* what is read next */
    const char *end;       /* of the text without "in /group" */
    char group[NAME_SIZE]; /* "/group" of bare names; "" if none */
    carom_value_pool pool;
    finding *found; /* each once, however often it stands in the expression */
    int depth;      /* of parentheses, signs and names */
    int inner;      /* of functions, indices and names: comparisons there are no terms */
    bool has_terms; /* no "|" and "!" outside functions so far */
    carom_expression_result *result;
} parser;

static carom_status parse_level(parser *p, int level, carom_value **out);

static carom_status malformed(parser *p, const char *what) {
    return carom_report_say(p->pool.report, CAROM_STATUS_BAD_FORMAT, "%s", what);
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static char peek(parser *p) {
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\t')) {
        ++p->at;
    }
    return p->at < p->end ? *p->at : '\0';
}

static bool take(parser *p, char c) {
    if (peek(p) != c) {
        return false;
    }
    ++p->at;
    return true;
}

/* Letters, digits and "_"; with slashes if it is a path. */
static carom_status take_name(parser *p, bool is_path, char name[NAME_SIZE]) {
    const char *start = p->at;
    while (p->at < p->end &&
           (is_letter(*p->at) || is_digit(*p->at) || (is_path && *p->at == '/'))) {
        ++p->at;
    }
    const size_t length = (size_t)(p->at - start);
    if (length <= (is_path ? 1 : 0) || length >= NAME_SIZE || (is_path && p->at[-1] == '/')) {
        return malformed(p, is_path ? "a path is /name/name" : "a name is expected");
    }
    memcpy(name, start, length);
    name[length] = '\0';
    return CAROM_OK;
}

/* Why a data set cannot be had. */
static const char *sentence_of(carom_status status) {
    switch (status) {
    case CAROM_STATUS_IO:
        return "the record is missing or unreadable";
    case CAROM_STATUS_NOT_FOUND:
        return "the record has no such path";
    case CAROM_STATUS_BAD_FORMAT:
        return "the record is no HDF5, or the path names no numbers of at most two axes";
    default:
        return carom_status_sentence(status);
    }
}

static carom_value *recall(const parser *p, const char *key) {
    const finding *item = p->found;
    while (item != NULL && strcmp(item->key, key) != 0) {
        item = item->next;
    }
    return item == NULL ? NULL : item->value;
}

static carom_status remember(parser *p, const char *key, carom_value *value) {
    const size_t size = strlen(key) + 1;
    finding *item = malloc(sizeof *item + size);
    if (item == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    item->value = value;
    item->next = p->found;
    memcpy(item->key, key, size);
    p->found = item;
    return CAROM_OK;
}

/* A data set as a value of the pool. */
static carom_status load(parser *p, const char *record, const char *path, carom_value **out) {
    char key[3 * NAME_SIZE];
    snprintf(key, sizeof key, "%s:%s", record == NULL ? "" : record, path);
    if ((*out = recall(p, key)) != NULL) {
        return CAROM_OK;
    }
    carom_dataset data = {0};
    const carom_status status = p->scope->read(p->scope->context, record, path, &data);
    if (status != CAROM_OK) {
        return carom_report_say(p->pool.report, status, "%s%s%s: %s", record == NULL ? "" : record,
                                record == NULL ? "" : ":", path, sentence_of(status));
    }
    carom_status made = carom_value_make(&p->pool, data.rank, 0, 0, out);
    if (made == CAROM_OK) {
        free((*out)->values);
        (*out)->rows = data.rows;
        (*out)->columns = data.columns;
        (*out)->values = data.values;
        memcpy((*out)->units, data.units, sizeof data.units);
        data.values = NULL;
    }
    carom_dataset_clear(&data);
    return made == CAROM_OK ? remember(p, key, *out) : made;
}

/* "/path", after the name of another record. */
static carom_status parse_path(parser *p, const char *record, carom_value **out) {
    char path[NAME_SIZE];
    CAROM_TRY(take_name(p, true, path));
    return load(p, record, path, out);
}

/* A name of the scope: its expression, as if in parentheses. */
static carom_status parse_definition(parser *p, const carom_expression_name *definition,
                                     carom_value **out) {
    if ((*out = recall(p, definition->name)) != NULL) {
        return CAROM_OK;
    }
    const char *text = p->text;
    const char *at = p->at;
    const char *end = p->end;
    p->text = definition->text;
    p->at = p->text;
    p->end = p->text + strlen(p->text);
    p->inner += 1;
    carom_status status =
        ++p->depth > MOST_DEPTH ? malformed(p, "it is nested too deep") : parse_level(p, 0, out);
    if (status == CAROM_OK && peek(p) != '\0') {
        status = malformed(p, "an operator is expected");
    }
    if (status == CAROM_OK) {
        p->text = text;
        p->at = at;
        p->end = end;
        p->inner -= 1;
        p->depth -= 1;
        status = remember(p, definition->name, *out);
    }
    return status;
}

/* "(a, b)" behind the name of a function. */
static carom_status parse_call(parser *p, const carom_value_function *function, carom_value **out) {
    carom_value *arguments[CAROM_VALUE_MOST_ARGUMENTS] = {NULL};
    p->inner += 1;
    for (int i = 0; i < function->argument_count; ++i) {
        if (!take(p, i == 0 ? '(' : ',')) {
            return malformed(p, "a function takes its arguments in parentheses, with commas");
        }
        CAROM_TRY(parse_level(p, 0, &arguments[i]));
    }
    if (!take(p, ')')) {
        return malformed(p, "a closing parenthesis is expected");
    }
    p->inner -= 1;
    return function->apply(&p->pool, (const carom_value *const *)arguments, out);
}

/* A word: pi, function, name of the scope, other record, or data set of the group. */
static carom_status parse_word(parser *p, carom_value **out) {
    char name[NAME_SIZE];
    CAROM_TRY(take_name(p, false, name));
    if (p->at + 1 < p->end && p->at[0] == ':' && p->at[1] == '/') {
        ++p->at;
        return parse_path(p, name, out);
    }
    if (strcmp(name, "pi") == 0) {
        CAROM_TRY(carom_value_make(&p->pool, 0, 1, 1, out));
        (*out)->values[0] = M_PI;
        return CAROM_OK;
    }
    for (const carom_value_function *f = carom_value_functions; f->name != NULL; ++f) {
        if (strcmp(f->name, name) == 0) {
            return parse_call(p, f, out);
        }
    }
    for (int i = 0; i < p->scope->name_count; ++i) {
        if (strcmp(p->scope->names[i].name, name) == 0) {
            return parse_definition(p, &p->scope->names[i], out);
        }
    }
    if (p->group[0] == '\0') {
        return carom_report_say(p->pool.report, CAROM_STATUS_NOT_FOUND,
                                "%s is no function and no name, and there is no group", name);
    }
    char path[2 * NAME_SIZE];
    snprintf(path, sizeof path, "%s/%s", p->group, name);
    return load(p, NULL, path, out);
}

static carom_status parse_number(parser *p, carom_value **out) {
    char *end = NULL;
    const double x = strtod(p->at, &end);
    const bool is_decimal = p->at[0] != '0' || (p->at[1] != 'x' && p->at[1] != 'X');
    if (end == p->at || end > p->end || !is_decimal || !isfinite(x)) {
        return malformed(p, "a number is malformed");
    }
    p->at = end;
    CAROM_TRY(carom_value_make(&p->pool, 0, 1, 1, out));
    (*out)->values[0] = x;
    return CAROM_OK;
}

static carom_status parse_primary(parser *p, carom_value **out) {
    const char c = peek(p);
    if (is_digit(c) || c == '.') {
        return parse_number(p, out);
    }
    if (c == '/') {
        return parse_path(p, NULL, out);
    }
    if (c == '$') {
        ++p->at;
        char name[NAME_SIZE];
        char path[NAME_SIZE + sizeof "/parameters/"];
        CAROM_TRY(take_name(p, false, name));
        snprintf(path, sizeof path, "/parameters/%s", name);
        return load(p, NULL, path, out);
    }
    if (is_letter(c)) {
        return parse_word(p, out);
    }
    if (!take(p, '(')) {
        return malformed(p, c == '\0' ? "it ends too early" : "a value is expected");
    }
    CAROM_TRY(parse_level(p, 0, out));
    return take(p, ')') ? CAROM_OK : malformed(p, "a closing parenthesis is expected");
}

/* One entry of the brackets: a number, a series of numbers, or "a:b". */
static carom_status parse_index(parser *p, int count, carom_value **out) {
    carom_value *low = NULL;
    carom_value *high = NULL;
    if (peek(p) != ':') {
        CAROM_TRY(parse_level(p, 0, &low));
    }
    if (!take(p, ':')) {
        *out = low;
        return low != NULL && low->rank < 2 ? CAROM_OK
                                            : malformed(p, "an index is a number or a series");
    }
    if (peek(p) != ',' && peek(p) != ']') {
        CAROM_TRY(parse_level(p, 0, &high));
    }
    return carom_value_range(&p->pool, low, high, count, out);
}

/* "[i]" and "[i,j]" behind a value. */
static carom_status parse_postfix(parser *p, carom_value **out) {
    CAROM_TRY(parse_primary(p, out));
    CAROM_ASSERT(*out != NULL);
    while (take(p, '[')) {
        carom_value *indices[2] = {NULL, NULL};
        p->inner += 1;
        for (int axis = 0; axis < (*out)->rank; ++axis) {
            if (axis > 0 && !take(p, ',')) {
                return malformed(p, "a matrix takes two indices");
            }
            CAROM_TRY(parse_index(p, axis == 0 ? (*out)->rows : (*out)->columns, &indices[axis]));
        }
        if (indices[0] == NULL || !take(p, ']')) {
            return malformed(p, "as many indices as axes, and a closing bracket, are expected");
        }
        p->inner -= 1;
        CAROM_TRY(carom_value_select(&p->pool, *out, (const carom_value *const *)indices, out));
    }
    return CAROM_OK;
}

static double minus(double zero, double x) {
    return zero - x;
}

static double is_not(double zero, double x) {
    return zero < x ? 0.0 : 1.0;
}

static const carom_value_operator negation = {"-", 0, false, false, minus};
static const carom_value_operator complement = {"!", 0, false, true, is_not};
static const carom_value_operator power = {"^", 0, false, false, pow};

/* Signs, and powers, which bind tighter: -x^2 is -(x^2). */
static carom_status parse_signed(parser *p, carom_value **out) {
    if (++p->depth > MOST_DEPTH) {
        return malformed(p, "it is nested too deep");
    }
    const bool is_minus = take(p, '-');
    const bool is_complement = !is_minus && take(p, '!');
    if (is_minus || is_complement) {
        p->has_terms = p->has_terms && (is_minus || p->inner > 0);
        carom_value *x = NULL;
        carom_value *zero = NULL;
        CAROM_TRY(parse_signed(p, &x));
        CAROM_TRY(carom_value_make(&p->pool, 0, 1, 1, &zero));
        CAROM_TRY(carom_value_combine(&p->pool, is_minus ? &negation : &complement, zero, x, out));
    } else {
        CAROM_TRY(parse_postfix(p, out));
        if (take(p, '^')) {
            carom_value *exponent = NULL;
            CAROM_TRY(parse_signed(p, &exponent));
            CAROM_TRY(carom_value_combine(&p->pool, &power, *out, exponent, out));
        }
    }
    p->depth -= 1;
    return CAROM_OK;
}

/* The operator of that level that stands next; NULL if none does. */
static const carom_value_operator *take_operator(parser *p, int level) {
    (void)peek(p);
    for (const carom_value_operator *o = carom_value_operators; o->sign != NULL; ++o) {
        const size_t length = strlen(o->sign);
        if ((size_t)(p->end - p->at) >= length && strncmp(p->at, o->sign, length) == 0) {
            p->at += o->level == level ? length : 0;
            return o->level == level ? o : NULL;
        }
    }
    return NULL;
}

/* Keep a comparison of two numbers, to be shown. */
static void keep_term(parser *p, const carom_value_operator *operator, const carom_value * a,
                      const carom_value *b) {
    carom_expression_result *result = p->result;
    const bool is_term = operator->is_comparison && p->inner == 0 && a->rank == 0 && b->rank == 0;
    if (is_term && result->term_count < CAROM_EXPRESSION_MOST_TERMS) {
        result->terms[result->term_count++] =
            (carom_expression_term){a->values[0], operator->sign, b->values[0]};
    }
    p->has_terms = p->has_terms && (p->inner > 0 || strcmp(operator->sign, "|") != 0);
}

/* Operators of that level and tighter ones; comparisons do not chain. */
static carom_status parse_level(parser *p, int level, carom_value **out) {
    if (level == CAROM_VALUE_LEVELS) {
        return parse_signed(p, out);
    }
    CAROM_TRY(parse_level(p, level + 1, out));
    bool is_compared = false;
    for (const carom_value_operator *o = NULL; (o = take_operator(p, level)) != NULL;) {
        if (is_compared) {
            return malformed(p, "comparisons do not chain: join them by &");
        }
        is_compared = o->is_comparison;
        carom_value *right = NULL;
        carom_value *left = *out;
        CAROM_TRY(parse_level(p, level + 1, &right));
        CAROM_TRY(carom_value_combine(&p->pool, o, left, right, out));
        keep_term(p, o, left, right);
    }
    return CAROM_OK;
}

/* Cut " in /group" off the end. */
static carom_status parse_group(parser *p) {
    static const char sign[] = " in /";
    const char *found = NULL;
    for (const char *next = strstr(p->text, sign); next != NULL; next = strstr(next + 1, sign)) {
        found = next;
    }
    if (found != NULL) {
        p->at = found + strlen(sign) - 1;
        CAROM_TRY(take_name(p, true, p->group));
        if (peek(p) != '\0') {
            return malformed(p, "nothing stands behind the group");
        }
        p->end = found;
        p->at = p->text;
    }
    return CAROM_OK;
}

/* Hand the value out of the pool. */
static void keep_value(carom_value *value, carom_expression_result *out) {
    out->number = value->rank == 0 ? value->values[0] : (double)NAN;
    out->value = (carom_dataset){.rank = value->rank,
                                 .rows = value->rows,
                                 .columns = value->columns,
                                 .values = value->values};
    memcpy(out->value.units, value->units, sizeof value->units);
    value->values = NULL;
}

carom_status carom_expression_evaluate(const char *text, const carom_expression_scope *scope,
                                       carom_expression_result *out, carom_report *report) {
    CAROM_ASSERT(text != NULL && scope != NULL && scope->read != NULL && out != NULL);
    CAROM_ASSERT(scope->names != NULL || scope->name_count == 0);
    *out = (carom_expression_result){0};
    carom_report said = carom_report_empty();
    parser p = {.scope = scope,
                .text = text,
                .at = text,
                .end = text + strlen(text),
                .pool = {NULL, &said},
                .has_terms = true,
                .result = out};
    carom_value *value = NULL;
    carom_status status = parse_group(&p);
    if (status == CAROM_OK) {
        status = parse_level(&p, 0, &value);
    }
    if (status == CAROM_OK && peek(&p) != '\0') {
        status = malformed(&p, "an operator is expected");
    }
    if (status == CAROM_OK) {
        out->term_count = p.has_terms ? out->term_count : 0;
        keep_value(value, out);
    } else {
        *out = (carom_expression_result){0};
        carom_report_say(report, status, "character %d%s%s: %s", (int)(p.at - p.text) + 1,
                         p.text == text ? "" : " of ", p.text == text ? "" : p.text,
                         said.sentence[0] == '\0' ? carom_status_sentence(status) : said.sentence);
    }
    carom_value_pool_clear(&p.pool);
    while (p.found != NULL) {
        finding *next = p.found->next;
        free(p.found);
        p.found = next;
    }
    return status;
}

carom_status carom_expression_number(const char *text, const carom_expression_scope *scope,
                                     carom_expression_result *out, carom_report *report) {
    CAROM_TRY(carom_expression_evaluate(text, scope, out, report));
    const carom_dataset shape = out->value;
    carom_dataset_clear(&out->value);
    if (shape.rank != 0) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                "it has %d x %d entries, where one number is expected", shape.rows,
                                shape.columns);
    }
    if (!isfinite(out->number)) {
        return carom_report_say(report, CAROM_STATUS_NOT_FINITE, "it is %g", out->number);
    }
    return CAROM_OK;
}
