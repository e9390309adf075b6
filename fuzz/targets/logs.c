/* Log lines to columns: in a common format and by line templates, into buffers of exactly the documented sizes. Views point into
 * the block or the arena. A line is a record, empty or rejected. A request line can be rebuilt from its parts. */
#include "common.h"

#include "logs/rows.h"

/* --- templates ------------------------------------------------------------------------------------------------------------- */

typedef struct {
    uint8_t kind, field, stop;
    const char *literal, *program;
    uint8_t flag; /* none where a row ends before it */
} step;

#define STEPS_MAX 14

static const struct {
    int has_more, escaped, is_exact;
    step steps[STEPS_MAX];
} forms[] = {
    {0,
     0,
     0,
     {{FU_READ_WORD, FU_FIELD_CLIENT, ' ', " - ", ""},
      {FU_READ_USER, FU_FIELD_USER, ' ', "", ""},
      {FU_READ_TIME, FU_FIELD_SKIPPED, ']', "] \"", "d=/b=/Y=:H=:M=:S= z"},
      {FU_READ_QUOTED, FU_FIELD_REQUEST, '"', "\" ", ""},
      {FU_READ_STATUS, FU_FIELD_SKIPPED, '\n', " ", ""},
      {FU_READ_SIZE, FU_FIELD_SKIPPED, '\n', " \"", ""},
      {FU_READ_QUOTED, FU_FIELD_REFERER, '"', "\" \"", ""},
      {FU_READ_QUOTED, FU_FIELD_AGENT, '"', "\"", ""}}},
    {1,
     0,
     0,
     {{FU_READ_LIST, FU_FIELD_CLIENT, ' ', " ", "", FU_FLAG_FIRST},
      {FU_READ_WORDS, FU_FIELD_USER, '[', "[", ""},
      {FU_READ_TIME, FU_FIELD_SKIPPED, ']', "] ", "Y=-m=-d=TH=:M=:Sz"},
      {FU_READ_WORD, FU_FIELD_METHOD, ' ', " ", ""},
      {FU_READ_WORD, FU_FIELD_TARGET, '?', "?", ""},
      {FU_READ_WORD, FU_FIELD_QUERY, ' ', " ", ""},
      {FU_READ_STATUS, FU_FIELD_SKIPPED, ' ', "", ""}}},
    {0,
     1,
     0,
     {{FU_READ_TIME, FU_FIELD_SKIPPED, '\t', "\t", "s=.f"},
      {FU_READ_UNTIL, FU_FIELD_CLIENT, '\t', "\t", ""},
      {FU_READ_UNTIL, FU_FIELD_TARGET, '\t', "\t", ""},
      {FU_READ_UNTIL, FU_FIELD_QUERY, '\t', "\t", ""},
      {FU_READ_SIZE, FU_FIELD_SKIPPED, '\t', "", ""}}},
    {0,
     0,
     0,
     {{FU_READ_LAST, FU_FIELD_VHOST, ':', ":", ""},
      {FU_READ_WORD, FU_FIELD_SKIPPED, ' ', " ", ""},
      {FU_READ_TIME, FU_FIELD_SKIPPED, '.', ".", "e b=/y= I=:M=:S= p"},
      {FU_READ_ZONE, FU_FIELD_SKIPPED, ' ', " ", "", FU_FLAG_FRACTION},
      {FU_READ_ZONE, FU_FIELD_SKIPPED, ' ', " \"", ""},
      {FU_READ_QUOTED, FU_FIELD_METHOD, ' ', " ", "", FU_FLAG_WORD},
      {FU_READ_QUOTED, FU_FIELD_TARGET, '"', "\"", "", FU_FLAG_WORD},
      {FU_READ_SPACES, FU_FIELD_SKIPPED, ' ', "", ""},
      {FU_READ_REST, FU_FIELD_AGENT, '\n', "", ""}}},
    {1,
     1,
     0,
     {{FU_READ_LIST, FU_FIELD_CLIENT, ' ', " (", ""},
      {FU_READ_ENCLOSED, FU_FIELD_USER, ')', ") ", ""},
      {FU_READ_TIME, FU_FIELD_SKIPPED, ' ', " \"", "a= b= d= H=:M=:S= Y"},
      {FU_READ_QUOTED, FU_FIELD_CLIENT, '"', "\"", "", FU_FLAG_FIRST},
      {FU_READ_TIME, FU_FIELD_SKIPPED, ' ', "", "3"}}},
    {0,
     0,
     0,
     {{FU_READ_TIME, FU_FIELD_SKIPPED, ' ', " ", "6"},
      {FU_READ_QUOTED, FU_FIELD_REQUEST, '"', "", ""},
      {FU_READ_NOTHING, 0, 0, "\"", ""}}},
    {1,
     0,
     1,
     {{FU_READ_CHOICE, FU_FIELD_SKIPPED, ' ', " ", "http|h2"},
      {FU_READ_TIME, FU_FIELD_TIME, ' ', " ", "", FU_FLAG_EPOCH},
      {FU_READ_TIME, FU_FIELD_TIME, ' ', " [", "", FU_FLAG_ISO},
      {FU_READ_TIME, FU_FIELD_TIME, ']', " ", "", FU_FLAG_BRACKETED},
      {FU_READ_HOST, FU_FIELD_CLIENT, ' ', " ", ""},
      {FU_READ_WORD, FU_FIELD_TARGET, '/', "/", "", FU_FLAG_ANY},
      {FU_READ_STATUS, FU_FIELD_SKIPPED, '\n', " ", "", FU_FLAG_DIGITS},
      {FU_READ_SIZE, FU_FIELD_SKIPPED, '\n', " ", "", FU_FLAG_DIGITS},
      {FU_READ_STATUS, FU_FIELD_SKIPPED, '\n', " ", ""},
      {FU_READ_SIZE, FU_FIELD_SKIPPED, '\n', " ", ""},
      {FU_READ_NUMBER, FU_FIELD_SKIPPED, ' ', "", ""},
      {FU_READ_NOTHING, FU_FIELD_SKIPPED, ' ', " \"", "", FU_FLAG_OPTIONAL},
      {FU_READ_QUOTED, FU_FIELD_AGENT, '"', "\"", ""}}},
    {0,
     FU_QUOTES_DOUBLED,
     0,
     {{FU_READ_VALUE, FU_FIELD_TIME, 0, "", ""},
      {FU_READ_VALUE, FU_FIELD_CLOCK, 0, "", ""},
      {FU_READ_VALUE, FU_FIELD_TARGET, 1, "", ""},
      {FU_READ_VALUE, FU_FIELD_QUERY, 0, "", ""},
      {FU_READ_STATUS, FU_FIELD_SKIPPED, 0, "", ""},
      {FU_READ_VALUE, FU_FIELD_DURATION, 0, "", ""}}},
};
#define FORMS (sizeof forms / sizeof forms[0])

static fu_line_template templates[FORMS];

static void fill_templates(void) {
    for (size_t f = 0; f < FORMS; f++) {
        size_t used = 0;
        templates[f].has_more = forms[f].has_more;
        templates[f].escaped = forms[f].escaped;
        templates[f].is_exact = forms[f].is_exact;
        for (int i = 0; i < STEPS_MAX && forms[f].steps[i].literal; i++) {
            const step *from = &forms[f].steps[i];
            fu_template_step *to = &templates[f].steps[templates[f].count++];
            to->kind = from->kind;
            to->flag = from->flag;
            to->field = from->field;
            to->stop = from->stop;
            to->at = (uint16_t)used;
            to->length = (uint16_t)strlen(from->literal);
            memcpy(templates[f].data + used, from->literal, to->length);
            used += to->length;
            to->program_at = (uint16_t)used;
            to->program_length = (uint16_t)strlen(from->program);
            memcpy(templates[f].data + used, from->program, to->program_length);
            used += to->program_length;
        }
    }
}

/* --- columns ----------------------------------------------------------------------------------------------------------- */

typedef struct {
    fuzz_area numbers, fields, targets, status, size, arena, views[FU_LOG_VIEWS], validity[FU_LOG_COLUMNS];
    size_t rows, arena_size;
} memory;

static void *zeroed(fuzz_area *area, size_t size) {
    uint8_t *at = fuzz_at_end(area, size);
    memset(at, 0, size);
    return at;
}

/* Prepare the memory as the package does. Memory that need not be zero holds canaries. */
static void start(memory *m, fu_log_rows *out, size_t rows, size_t arena, unsigned wanted) {
    const size_t bits = (rows + 7) / 8;
    memset(out, 0, sizeof *out);
    m->rows = rows;
    m->arena_size = arena;
    out->buffer = 1;
    out->numbers = (int64_t *)(void *)fuzz_at_end(&m->numbers, 8 * rows);
    out->fields = (int8_t *)(void *)fuzz_at_end(&m->fields, rows);
    out->targets = (uint8_t *)zeroed(&m->targets, bits);
    out->status = (int16_t *)(void *)fuzz_at_end(&m->status, 2 * rows);
    out->size = (uint64_t *)(void *)fuzz_at_end(&m->size, 8 * rows);
    out->arena = fuzz_at_end(&m->arena, arena);
    memset(out->time, ']', sizeof out->time);
    for (int i = 0; i < FU_LOG_VIEWS; i++)
        if (i == FU_LOG_URL || wanted >> i & 1) out->views[i] = (fu_view *)(void *)fuzz_at_end(&m->views[i], 16 * rows);
    for (int i = 0; i < FU_LOG_COLUMNS; i++) out->validity[i] = (uint8_t *)zeroed(&m->validity[i], bits);
}

static int has(const fu_log_rows *out, int column, int64_t row) { return out->validity[column][row >> 3] >> (row & 7) & 1; }

static const uint8_t *bytes_of(const fu_log_rows *out, const uint8_t *block, size_t n, const fu_view *view) {
    FUZZ_CHECK(view->length >= 0);
    if (view->length <= FU_VIEW_INLINE_MAX) return (const uint8_t *)view + 4;
    FUZZ_CHECK((view->buffer == 0 || view->buffer == 1) && view->offset >= 0);
    const size_t end = (size_t)view->offset + (size_t)view->length;
    FUZZ_CHECK(end <= (view->buffer ? n : out->arena_used));
    const uint8_t *found = (view->buffer ? block : out->arena) + view->offset;
    FUZZ_CHECK(memcmp(found, view->data, 4) == 0);
    return found;
}

static int is_written(const fu_log_rows *out, int column) {
    if (column == FU_LOG_DURATION) return out->duration != NULL;
    if (column == FU_LOG_REQUEST_LENGTH) return out->request_length != NULL;
    return column >= FU_LOG_VIEWS || out->views[column] != NULL;
}

static void check_rows(const memory *m, const fu_log_rows *out, const uint8_t *block, size_t n, int64_t lines) {
    int64_t nulls[FU_LOG_COLUMNS] = {0};
    FUZZ_CHECK(out->rows >= 0 && (size_t)out->rows <= m->rows && out->arena_used <= m->arena_size);
    for (int64_t row = 0; row < out->rows; row++) {
        FUZZ_CHECK(out->numbers[row] >= 1 && out->numbers[row] <= lines && (out->fields[row] == 0 || out->fields[row] == 1));
        FUZZ_CHECK(row == 0 || out->numbers[row - 1] <= out->numbers[row]);
        FUZZ_CHECK((out->targets[row >> 3] >> (row & 7) & 1) == !out->fields[row]);
        FUZZ_CHECK(!has(out, FU_LOG_STATUS, row) ? out->status[row] == 0 : out->status[row] >= 0);
        for (int column = 0; column < FU_LOG_COLUMNS; column++) {
            if (!is_written(out, column)) continue;
            nulls[column] += !has(out, column, row);
            if (column < FU_LOG_VIEWS && has(out, column, row)) (void)bytes_of(out, block, n, &out->views[column][row]);
        }
    }
    for (int column = 0; column < FU_LOG_COLUMNS; column++)
        if (is_written(out, column)) FUZZ_CHECK(out->nulls[column] == nulls[column]);
}

/* In a common format a row's method, target and protocol make the request line. */
static void check_request(const fu_log_rows *out, int64_t row, const fu_log_line *line, const uint8_t *block, size_t n) {
    static const int columns[] = {FU_LOG_METHOD, FU_LOG_URL, FU_LOG_PROTOCOL};
    static uint8_t request[FUZZ_TEXT_MAX];
    size_t length = 0;
    if (memchr(line->request.p, '\\', line->request.n) != NULL) return;
    if (fu_is_no_request(line->request.p, line->request.n)) return;
    if (*line->request.p == 0x1B) return; /* its colours are left out */
    for (int i = 0; i < 3; i++) {
        if (out->views[columns[i]] == NULL) return;
        if (!has(out, columns[i], row)) continue;
        const fu_view *view = &out->views[columns[i]][row];
        if (length)
            request[length++] = ' ';
        else if (i == 1 && has(out, FU_LOG_METHOD, row))
            request[length++] = ' ';
        memcpy(request + length, bytes_of(out, block, n, view), (size_t)view->length);
        length += (size_t)view->length;
    }
    FUZZ_CHECK(length == line->request.n && memcmp(request, line->request.p, length) == 0);
}

/* Templates of objects with a key for each column, two per grammar: the second has the keys that a user maps. */
#define OBJECTS 4
static fu_object_template objects_of[OBJECTS];

static void fill_objects(void) {
    static const char *const keys[] = {"",  "host", "ip", "u", "t", "r", "m", "uri", "q", "p", "f",
                                       "a", "x",    "i",  "c", "d", "k", "s", "b",   "l", "e"};
    FUZZ_CHECK(FU_OBJECT_COLUMNS == sizeof keys / sizeof keys[0]);
    for (int i = 0; i < OBJECTS; i++) {
        fu_object_template *objects = &objects_of[i];
        memset(objects, 0, sizeof *objects);
        objects->syntax = i % 2;
        objects->is_mapped = i >= 2;
        for (int column = 1; column < FU_OBJECT_COLUMNS; column++)
            for (int parent = FU_OBJECT_ROOT; parent <= FU_OBJECT_ROOT + 1; parent++) {
                const char *name = keys[column];
                fu_object_key *key = fu_add_object_key(objects, (uint16_t)parent, (const uint8_t *)name, strlen(name));
                FUZZ_CHECK(key != NULL);
                if (key->rank != 0) continue;
                key->rank = (uint16_t)objects->count;
                key->column = (uint8_t)column;
                key->exponent = (uint8_t)(column % 10);
                key->node = parent == FU_OBJECT_ROOT && column % 2 ? FU_OBJECT_ROOT + 1 : 0;
                if (column == FU_FIELD_VHOST) objects->host = key->rank;
            }
    }
}

static void check_url_lines(const fuzz_input *in, const uint8_t *block, size_t n, size_t count) {
    static fuzz_area views_area, numbers_area;
    fu_view *views = (fu_view *)(void *)fuzz_at_end(&views_area, 16 * count);
    int64_t *numbers = (int64_t *)(void *)fuzz_at_end(&numbers_area, 8 * count);
    fu_lines lines = {block, block + n, 1, 1 + (int64_t)count, '\n', (in->one & 8) != 0, NULL};
    const int64_t rows = fu_put_url_lines(views, numbers, 0, block, 0, &lines);
    FUZZ_CHECK(lines.at == lines.end && rows >= 0 && (size_t)rows <= count);
    for (int64_t i = 0; i < rows; i++) {
        FUZZ_CHECK(views[i].length > 0 && (i == 0 || numbers[i - 1] < numbers[i]));
        if (views[i].length > FU_VIEW_INLINE_MAX) FUZZ_CHECK((size_t)views[i].offset + (size_t)views[i].length <= n);
    }
}

FUZZ_TARGET {
    static fuzz_area block_area;
    static memory m;
    fu_log_rows out;
    if (templates[0].count == 0) {
        fill_templates();
        fill_objects();
    }
    /* A block ends with a separator, at the edge of its memory. */
    const size_t n = in.n + 1;
    uint8_t *block = fuzz_at(&block_area, n, in.two < 0x80);
    memcpy(block, in.p, in.n);
    block[in.n] = '\n';
    const size_t count = fu_count_byte(block, n, '\n');
    if (in.one & 4) {
        check_url_lines(&in, block, n, count);
        return;
    }
    const unsigned which = (in.one >> 5 | (in.two & 0x80) >> 4) % (FORMS + 1);
    const fu_line_template *template = which ? &templates[which - 1] : NULL;
    const int vhost = in.one & 1, combined = (in.one >> 1 & 1) + (in.two & 1);
    const fu_object_template *objects = !template && vhost && combined == 2 ? &objects_of[(in.two >> 2) % OBJECTS] : NULL;
    const int prefix = in.two & 64 ? in.two % FU_PREFIXES : FU_PREFIX_NONE;
    const fu_object_template *holder = prefix >= FU_PREFIX_HOLDER ? &objects_of[0] : NULL;
    const fu_line_reader by = {template, objects, holder, vhost, combined, prefix};
    /* A value of the last template is the agent too. */
    const size_t copies = 1 + (holder != NULL) + (which == FORMS);
    start(&m, &out, FU_LOG_ROWS_A_LINE * count, copies * n + (template || objects ? count * FU_TEMPLATE_ARENA_A_LINE : 0),
          in.two & 2 ? ~0u : in.two);
    out.by_request = (in.one & 16) != 0;
    out.escaped = template ? template->escaped : !objects ? 0 : FU_ESCAPED_AS_JSON;
    out.block = block;
    fu_lines lines = {block, block + n, 1, 1 + (int64_t)count, '\n', (in.one & 8) != 0, NULL};
    int64_t refused = 0;
    for (;;) {
        fu_put_log_lines(&out, &lines, &by);
        if (lines.at == lines.end) break;
        FUZZ_CHECK(lines.number < lines.last);
        fu_log_line line;
        const size_t length = fu_line_length(&lines);
        memset(&line, 0, sizeof line);
        FUZZ_CHECK(prefix || !(template  ? fu_read_template_line(lines.at, length, template, &line, NULL)
                               : objects ? fu_read_object_line(lines.at, length, objects, &line)
                                         : fu_read_log_line(lines.at, length, vhost, combined, &line)));
        refused++;
        fu_next_line(&lines);
    }
    FUZZ_CHECK(lines.number == lines.last && refused + out.empty <= (int64_t)count);
    check_rows(&m, &out, block, n, (int64_t)count);
    if (template != NULL || objects != NULL || prefix) return;
    const uint8_t *at = block;
    for (int64_t number = 1, row = 0; at < block + n; number++) {
        const uint8_t *end = (const uint8_t *)memchr(at, '\n', (size_t)(block + n - at));
        size_t length = (size_t)(end - at);
        fu_log_line line;
        memset(&line, 0, sizeof line);
        if (length && in.one & 8 && end[-1] == '\r') length--;
        while (row < out.rows && out.numbers[row] < number) row++;
        const int is_record = length && fu_read_log_line(at, length, vhost, combined, &line);
        /* A request without a target has a row of its own only with one row per request. */
        const int has_row = is_record && (out.by_request || !fu_is_no_request(line.request.p, line.request.n) ||
                                          (fu_log_field_says(&line.referer) && line.referer.n > 0));
        if (has_row) {
            FUZZ_CHECK(row < out.rows && out.numbers[row] == number);
            if (!out.fields[row]) check_request(&out, row, &line, block, n);
        } else {
            FUZZ_CHECK(row == out.rows || out.numbers[row] != number);
        }
        at = end + 1;
    }
}
