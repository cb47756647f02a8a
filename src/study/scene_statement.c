#include <carom/study/scene_internal.h>

#include <carom/program/internal.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define BLANKS " \t\r\v\f"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

/** A clause: its word, and how many numbers follow, in the plane and in space; -1: a name. */
typedef struct clause_rule {
    const char *word;
    int numbers[2];
} clause_rule;

static const clause_rule CLAUSES[CAROM_CLAUSE_COUNT] = {
    [CAROM_CLAUSE_DURATION] = {"duration", {1, 1}},
    [CAROM_CLAUSE_STEP] = {"step", {1, 1}},
    [CAROM_CLAUSE_FRICTION] = {"friction", {1, 1}},
    [CAROM_CLAUSE_RESTITUTION] = {"restitution", {1, 1}},
    [CAROM_CLAUSE_MASS] = {"mass", {1, 1}},
    [CAROM_CLAUSE_INERTIA] = {"inertia", {1, 3}},
    [CAROM_CLAUSE_AT] = {"at", {2, 3}},
    [CAROM_CLAUSE_ANGLE] = {"angle", {1, 1}},
    [CAROM_CLAUSE_VELOCITY] = {"velocity", {2, 3}},
    [CAROM_CLAUSE_RATE] = {"rate", {1, 3}},
    [CAROM_CLAUSE_REPEAT] = {"repeat", {4, 6}},
    [CAROM_CLAUSE_STAGGER] = {"stagger", {1, 1}},
    [CAROM_CLAUSE_MATERIAL] = {"material", {-1, -1}},
    [CAROM_CLAUSE_BELT] = {"belt", {1, 1}},
    [CAROM_CLAUSE_FROM] = {"from", {2, 3}},
    [CAROM_CLAUSE_TO] = {"to", {2, 3}},
    [CAROM_CLAUSE_NORMAL] = {"normal", {2, 3}},
    [CAROM_CLAUSE_AXIS] = {"axis", {1, 3}},
    [CAROM_CLAUSE_SPEED] = {"speed", {1, 1}},
    [CAROM_CLAUSE_AMPLITUDE] = {"amplitude", {1, 1}},
    [CAROM_CLAUSE_FREQUENCY] = {"frequency", {1, 1}},
    [CAROM_CLAUSE_PHASE] = {"phase", {1, 1}},
    [CAROM_CLAUSE_STIFFNESS] = {"stiffness", {1, 1}},
    [CAROM_CLAUSE_DAMPING] = {"damping", {1, 1}},
    [CAROM_CLAUSE_LENGTH] = {"length", {1, 1}},
    [CAROM_CLAUSE_TOUCHING] = {"touching", {0, 0}},
    [CAROM_CLAUSE_STOPS] = {"stops", {2, 2}},
};

/** The set of some clauses. */
#define BIT(clause) (1UL << CAROM_CLAUSE_##clause)

/** Of any shape with a place of its own. */
#define ON_SHAPE (BIT(AT) | BIT(ANGLE) | BIT(MATERIAL) | BIT(BELT))

/** Of a joint that has a coordinate. */
#define ON_COORDINATE (BIT(STOPS) | BIT(RESTITUTION) | BIT(FRICTION))

/** Where a statement stands. */
enum { IN_PLANE = 1, IN_SPACE = 2, ANYWHERE = IN_PLANE | IN_SPACE };

/** A statement: names and numbers that follow its word, and its clauses. */
typedef struct statement_rule {
    carom_scene_word word;
    int where;
    const char *text;
    int names;
    int least; /**< numbers */
    int most;
    unsigned long clauses;
    unsigned long needed; /**< of these */
    const char *what;     /**< follows the word */
} statement_rule;

static const statement_rule STATEMENTS[] = {
    {CAROM_SCENE_SPACE, ANYWHERE, "space", 0, 0, 0, 0, 0, "nothing"},
    {CAROM_SCENE_PARAMETER, ANYWHERE, "parameter", 1, 1, 1, 0, 0, "a name and a number"},
    {CAROM_SCENE_GRAVITY, IN_PLANE, "gravity", 0, 2, 2, 0, 0, "two numbers"},
    {CAROM_SCENE_GRAVITY, IN_SPACE, "gravity", 0, 3, 3, 0, 0, "three numbers"},
    {CAROM_SCENE_RUN, ANYWHERE, "run", 0, 0, 0, BIT(DURATION) | BIT(STEP), 0, "duration and step"},
    {CAROM_SCENE_MATERIAL, ANYWHERE, "material", 1, 0, 0, BIT(FRICTION) | BIT(RESTITUTION), 0,
     "a name"},
    {CAROM_SCENE_GROUND, ANYWHERE, "ground", 0, 0, 0, 0, 0, "nothing"},
    {CAROM_SCENE_BODY, IN_PLANE, "body", 1, 0, 0,
     BIT(MASS) | BIT(INERTIA) | BIT(AT) | BIT(ANGLE) | BIT(VELOCITY) | BIT(RATE) | BIT(REPEAT) |
         BIT(STAGGER),
     BIT(MASS), "a name"},
    {CAROM_SCENE_BODY, IN_SPACE, "body", 1, 0, 0,
     BIT(MASS) | BIT(INERTIA) | BIT(AT) | BIT(AXIS) | BIT(ANGLE) | BIT(VELOCITY) | BIT(RATE) |
         BIT(REPEAT) | BIT(STAGGER),
     BIT(MASS), "a name"},
    {CAROM_SCENE_DISC, IN_PLANE, "disc", 0, 1, 1, ON_SHAPE, 0, "a radius"},
    {CAROM_SCENE_SPHERE, IN_SPACE, "sphere", 0, 1, 1, BIT(AT) | BIT(MATERIAL), 0, "a radius"},
    {CAROM_SCENE_BOX, IN_PLANE, "box", 0, 2, 2, ON_SHAPE, 0, "width and height"},
    {CAROM_SCENE_BOX, IN_SPACE, "box", 0, 3, 3, BIT(AT) | BIT(AXIS) | BIT(ANGLE) | BIT(MATERIAL), 0,
     "three edges"},
    {CAROM_SCENE_CAPSULE, IN_PLANE, "capsule", 0, 1, 1,
     BIT(FROM) | BIT(TO) | BIT(MATERIAL) | BIT(BELT), BIT(FROM) | BIT(TO), "a radius"},
    {CAROM_SCENE_CAPSULE, IN_SPACE, "capsule", 0, 1, 1, BIT(FROM) | BIT(TO) | BIT(MATERIAL),
     BIT(FROM) | BIT(TO), "a radius"},
    {CAROM_SCENE_SEGMENT, IN_PLANE, "segment", 0, 0, 0,
     BIT(FROM) | BIT(TO) | BIT(MATERIAL) | BIT(BELT), BIT(FROM) | BIT(TO), "from and to"},
    {CAROM_SCENE_POLYGON, IN_PLANE, "polygon", 0, 6, 2 * CAROM_SCENE_CORNERS, ON_SHAPE, 0,
     "x and y of three corners or more"},
    {CAROM_SCENE_HALF_PLANE, IN_PLANE, "half-plane", 0, 0, 0,
     BIT(AT) | BIT(NORMAL) | BIT(MATERIAL) | BIT(BELT), BIT(AT) | BIT(NORMAL), "at and normal"},
    {CAROM_SCENE_HALF_SPACE, IN_SPACE, "half-space", 0, 0, 0, BIT(AT) | BIT(NORMAL) | BIT(MATERIAL),
     BIT(AT) | BIT(NORMAL), "at and normal"},
    {CAROM_SCENE_REVOLUTE, IN_PLANE, "revolute", 2, 0, 0, BIT(AT) | BIT(TOUCHING) | ON_COORDINATE,
     BIT(AT), "two bodies"},
    {CAROM_SCENE_FIXED, IN_PLANE, "fixed", 2, 0, 0, BIT(TOUCHING), 0, "two bodies"},
    {CAROM_SCENE_PRISMATIC, IN_PLANE, "prismatic", 2, 0, 0,
     BIT(AT) | BIT(AXIS) | BIT(TOUCHING) | ON_COORDINATE, BIT(AT) | BIT(AXIS), "two bodies"},
    {CAROM_SCENE_DRIVE, IN_PLANE, "drive", 3, 0, 0,
     BIT(AT) | BIT(SPEED) | BIT(AMPLITUDE) | BIT(FREQUENCY) | BIT(PHASE) | BIT(TOUCHING), 0,
     "two bodies and x, y or turn"},
    {CAROM_SCENE_SPRING, IN_PLANE, "spring", 2, 0, 0,
     BIT(FROM) | BIT(TO) | BIT(STIFFNESS) | BIT(DAMPING) | BIT(LENGTH),
     BIT(FROM) | BIT(TO) | BIT(STIFFNESS), "two bodies"},
    {CAROM_SCENE_TORSION, IN_PLANE, "torsion", 2, 0, 0, BIT(STIFFNESS) | BIT(DAMPING) | BIT(ANGLE),
     BIT(STIFFNESS), "two bodies"},
};
enum { STATEMENT_COUNT = sizeof STATEMENTS / sizeof *STATEMENTS };

const char *carom_scene_word_text(carom_scene_word word) {
    int k = 0;
    while (STATEMENTS[k].word != word) {
        k++;
    }
    return STATEMENTS[k].text;
}

carom_status carom_scene_fail(const carom_scene_reader *reader, const char *format, ...) {
    if (reader->defect == NULL) {
        return CAROM_STATUS_BAD_FORMAT;
    }
    int length = 0;
    if (reader->line > 0) {
        length = snprintf(reader->defect, CAROM_SCENE_FILE_DEFECT_SIZE, "line %d: ", reader->line);
    }
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(reader->defect + length, CAROM_SCENE_FILE_DEFECT_SIZE - (size_t)length, format,
                    arguments);
    va_end(arguments);
    for (char *letter = reader->defect; *letter != '\0'; letter++) {
        *letter = *letter < ' ' || *letter > '~' ? '?' : *letter;
    }
    return CAROM_STATUS_BAD_FORMAT;
}

/** Cut the first word off a line; NULL if there is none. */
static const char *next_word(char **rest) {
    char *word = *rest + strspn(*rest, BLANKS);
    if (word[0] == '\0') {
        return NULL;
    }
    const size_t length = strcspn(word, BLANKS);
    *rest = word + length + (word[length] != '\0' ? 1 : 0);
    word[length] = '\0';
    return word;
}

/** The words of some clauses, one after the other. */
static void list_clauses(unsigned long clauses, char *text, size_t size) {
    size_t length = 0;
    text[0] = '\0';
    for (int i = 0; i < CAROM_CLAUSE_COUNT; i++) {
        if ((clauses >> i & 1) != 0 && length < size) {
            length += (size_t)snprintf(text + length, size - length, "%s%s", length > 0 ? ", " : "",
                                       CLAUSES[i].word);
        }
    }
}

/* --- parameters --------------------------------------------------------------------------------
 */

static carom_scene_parameter *find_parameter(carom_scene_reader *r, const char *name) {
    for (int i = 0; i < r->parameter_count; i++) {
        if (strcmp(r->parameters[i].name, name) == 0) {
            return &r->parameters[i];
        }
    }
    return NULL;
}

/** Letters, digits, _ and -, a letter first. */
static carom_status check_name(carom_scene_reader *r, const char *word, const char *name) {
    if (strchr(LETTERS, name[0]) == NULL || strspn(name, LETTERS DIGITS "_-") != strlen(name)) {
        return carom_scene_fail(r, "%s: \"%.40s\" is no name of letters, digits, _ and -", word,
                                name);
    }
    return strlen(name) < CAROM_SCENE_FILE_NAME_SIZE
               ? CAROM_OK
               : carom_scene_fail(r, "%s: \"%.40s\" is longer than %d letters", word, name,
                                  CAROM_SCENE_FILE_NAME_SIZE - 1);
}

/** A parameter that there was not; NULL if its name is none or there are too many. */
static carom_scene_parameter *add_parameter(carom_scene_reader *r, const char *name) {
    if (check_name(r, "parameter", name) != CAROM_OK) {
        return NULL;
    }
    if (r->parameter_count == CAROM_SCENE_MOST_PARAMETERS) {
        (void)carom_scene_fail(r, "parameter: \"%s\" is one too many, %d are possible", name,
                               CAROM_SCENE_MOST_PARAMETERS);
        return NULL;
    }
    carom_scene_parameter *parameter = &r->parameters[r->parameter_count++];
    *parameter = (carom_scene_parameter){.value = 0.0};
    memcpy(parameter->name, name, strlen(name) + 1);
    return parameter;
}

carom_status carom_scene_state_parameter(carom_scene_reader *r) {
    const char *name = r->statement.names[0];
    carom_scene_parameter *parameter = find_parameter(r, name);
    if (parameter != NULL && parameter->is_stated) {
        return carom_scene_fail(r, "parameter: \"%s\" has been stated above", name);
    }
    parameter = parameter != NULL ? parameter : add_parameter(r, name);
    if (parameter == NULL) {
        return CAROM_STATUS_BAD_FORMAT;
    }
    parameter->is_stated = true;
    parameter->value = parameter->is_given ? parameter->value : r->statement.numbers[0];
    return CAROM_OK;
}

carom_status carom_scene_take_parameters(carom_scene_reader *r, const char *text) {
    while (text != NULL && text[0] != '\0') {
        char item[2 * CAROM_SCENE_FILE_NAME_SIZE + 40];
        const size_t length = strcspn(text, ",");
        (void)snprintf(item, sizeof item, "%.*s", length < sizeof item ? (int)length : 80, text);
        char *equals = strchr(item, '=');
        if (equals == NULL) {
            return carom_scene_fail(r, "parameters: \"%.40s\" is no NAME=VALUE", item);
        }
        *equals = '\0';
        carom_scene_parameter *parameter = find_parameter(r, item);
        parameter = parameter != NULL ? parameter : add_parameter(r, item);
        if (parameter == NULL) {
            return CAROM_STATUS_BAD_FORMAT;
        }
        const char *defect = carom_number_defect(equals + 1, &parameter->value);
        if (defect != NULL) {
            return carom_scene_fail(r, "parameters: %s, \"%.40s\" %s", parameter->name, equals + 1,
                                    defect);
        }
        parameter->is_given = true;
        text += length + (text[length] == ',' ? 1 : 0);
    }
    return CAROM_OK;
}

/* --- numbers -----------------------------------------------------------------------------------
 */

/** A number, or a parameter that stands for one, with a sign before it or not. */
static carom_status take_number(carom_scene_reader *r, const char *of, const char *word,
                                double *number) {
    const bool is_negative = word[0] == '-';
    const carom_scene_parameter *parameter = find_parameter(r, word + (is_negative ? 1 : 0));
    if (parameter != NULL && parameter->is_stated) {
        *number = is_negative ? -parameter->value : parameter->value;
        return CAROM_OK;
    }
    const char *defect = carom_number_defect(word, number);
    if (defect == NULL) {
        return CAROM_OK;
    }
    return strchr(LETTERS, word[is_negative ? 1 : 0]) != NULL && word[is_negative ? 1 : 0] != '\0'
               ? carom_scene_fail(r, "%s: \"%.40s\" is no number and no parameter stated above", of,
                                  word)
               : carom_scene_fail(r, "%s: \"%.40s\" %s", of, word, defect);
}

/** Whether a word begins a clause of any statement. */
static int find_clause(const char *word) {
    for (int i = 0; i < CAROM_CLAUSE_COUNT; i++) {
        if (strcmp(word, CLAUSES[i].word) == 0) {
            return i;
        }
    }
    return -1;
}

/* --- a line ------------------------------------------------------------------------------------
 */

static carom_status take_clause(carom_scene_reader *r, const statement_rule *rule, int clause,
                                char **rest) {
    carom_scene_statement *s = &r->statement;
    if (s->has[clause]) {
        return carom_scene_fail(r, "%s: %s stands twice", rule->text, CLAUSES[clause].word);
    }
    s->has[clause] = true;
    const int count = CLAUSES[clause].numbers[r->file->is_space ? 1 : 0];
    if (count < 0) {
        s->material = next_word(rest);
        return s->material != NULL ? CAROM_OK
                                   : carom_scene_fail(r, "%s: a name expected after %s", rule->text,
                                                      CLAUSES[clause].word);
    }
    for (int i = 0; i < count; i++) {
        const char *word = next_word(rest);
        if (word == NULL || (find_clause(word) >= 0 && find_parameter(r, word) == NULL)) {
            return carom_scene_fail(r, "%s: %s is followed by %d number%s, %d expected", rule->text,
                                    CLAUSES[clause].word, i, i == 1 ? "" : "s", count);
        }
        CAROM_TRY(take_number(r, CLAUSES[clause].word, word, &s->values[clause][i]));
    }
    return CAROM_OK;
}

static carom_status fail_word(carom_scene_reader *r, const statement_rule *rule, const char *word) {
    char list[120];
    list_clauses(rule->clauses, list, sizeof list);
    return list[0] == '\0' ? carom_scene_fail(r, "%s: \"%.40s\" follows, %s expected", rule->text,
                                              word, rule->what)
                           : carom_scene_fail(r, "%s: \"%.40s\" is none of its words: %s",
                                              rule->text, word, list);
}

/** Numbers before the clauses, then the clauses. */
static carom_status take_rest(carom_scene_reader *r, const statement_rule *rule, char *rest) {
    carom_scene_statement *s = &r->statement;
    for (const char *word = next_word(&rest); word != NULL; word = next_word(&rest)) {
        const int clause = find_clause(word);
        if (clause >= 0 && (rule->clauses >> clause & 1) != 0) {
            CAROM_TRY(take_clause(r, rule, clause, &rest));
        } else if (clause < 0 && s->count < rule->most) {
            CAROM_TRY(take_number(r, rule->text, word, &s->numbers[s->count++]));
        } else {
            return fail_word(r, rule, word);
        }
    }
    if (s->count < rule->least || (s->word == CAROM_SCENE_POLYGON && s->count % 2 != 0)) {
        return carom_scene_fail(r, "%s: %d number%s, %s expected", rule->text, s->count,
                                s->count == 1 ? "" : "s", rule->what);
    }
    for (int i = 0; i < CAROM_CLAUSE_COUNT; i++) {
        if ((rule->needed >> i & 1) != 0 && !s->has[i]) {
            return carom_scene_fail(r, "%s: %s expected", rule->text, CLAUSES[i].word);
        }
    }
    return CAROM_OK;
}

static bool stands_here(const carom_scene_reader *r, const statement_rule *rule) {
    return (rule->where & (r->file->is_space ? IN_SPACE : IN_PLANE)) != 0;
}

static carom_status fail_statement(carom_scene_reader *r, const char *word) {
    char list[170];
    size_t length = 0;
    for (int i = 0; i < STATEMENT_COUNT && length < sizeof list; i++) {
        if (strcmp(word, STATEMENTS[i].text) == 0) {
            return carom_scene_fail(r, "%s: stands in %s", word,
                                    r->file->is_space
                                        ? "the plane, and this scene is in space"
                                        : "space, which a statement \"space\" begins");
        }
        if (stands_here(r, &STATEMENTS[i])) {
            length += (size_t)snprintf(list + length, sizeof list - length, "%s%s",
                                       i > 0 ? ", " : "", STATEMENTS[i].text);
        }
    }
    return carom_scene_fail(r, "\"%.20s\" is none of %s", word, list);
}

carom_status carom_scene_take_line(carom_scene_reader *r, char *line, bool *is_empty) {
    carom_scene_statement *s = &r->statement;
    memset(s, 0, sizeof *s);
    line[strcspn(line, "#")] = '\0';
    char *rest = line;
    const char *word = next_word(&rest);
    *is_empty = word == NULL;
    if (word == NULL) {
        return CAROM_OK;
    }
    int found = 0;
    while (found < STATEMENT_COUNT &&
           (strcmp(word, STATEMENTS[found].text) != 0 || !stands_here(r, &STATEMENTS[found]))) {
        found++;
    }
    if (found == STATEMENT_COUNT) {
        return fail_statement(r, word);
    }
    const statement_rule *rule = &STATEMENTS[found];
    s->word = rule->word;
    for (int i = 0; i < rule->names; i++) {
        s->names[i] = next_word(&rest);
        if (s->names[i] == NULL) {
            return carom_scene_fail(r, "%s: %s expected", rule->text, rule->what);
        }
        CAROM_TRY(check_name(r, rule->text, s->names[i]));
    }
    return take_rest(r, rule, rest);
}
