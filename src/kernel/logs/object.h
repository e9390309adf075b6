/* Read a line that is an object: JSON or logfmt. One pass checks the grammar and keeps the values of wanted keys.
 *
 * A path such as request.uri is a key of the outermost object, or a key in a nested one. Each path is a candidate for one
 * column. If several have a value, the first in the template's order counts. The first value of a list counts. No load leaves
 * the line. Each byte is read a fixed number of times. */
#ifndef FASTURL_LOGS_OBJECT_H
#define FASTURL_LOGS_OBJECT_H

#include "ascii.h"
#include "logs/escapes.h"
#include "logs/template.h"

#define FU_OBJECT_KEYS_MAX 640
#define FU_OBJECT_SLOTS 2048 /* a power of two; at most half of them are used */
#define FU_OBJECT_BYTES_MAX 8192
#define FU_OBJECT_DEPTH_MAX 256
#define FU_OBJECT_ROOT 1 /* the node of the outermost object; 0 is an object without wanted keys */

enum { FU_OBJECT_JSON, FU_OBJECT_LOGFMT };

/* The columns: the fields of a log line, the numbers, and the kind of an event, which is not a column of a row. */
enum { FU_COLUMN_STATUS = FU_LOG_FIELDS, FU_COLUMN_SIZE, FU_COLUMN_LENGTH, FU_COLUMN_KIND, FU_OBJECT_COLUMNS };

typedef struct {
    uint16_t parent, node; /* the node that has this key, and the node of its value, if that has wanted keys */
    uint16_t at, length;   /* the key's text */
    uint16_t rank;         /* the place among all candidates, from 1; 0 for no candidate */
    uint8_t column;
    uint8_t exponent;      /* the digit of the unit of a duration */
    uint8_t required;      /* the bit of a key that each object of the format has, */
    uint8_t barred;        /* 1 for a key that no object of it has */
} fu_object_key;

typedef struct {
    int syntax;
    int needs;      /* how many of status, method, client, time and agent an object must have; two or more include the status */
    int is_mapped;  /* the user has named the keys: a request is a request line, a query is always joined */
    uint8_t required;
    uint16_t host;  /* the rank of a virtual host that may be the client's address */
    int count;
    size_t used;
    uint16_t slots[FU_OBJECT_SLOTS]; /* the number of a key from 1, by its hash; 0 is free */
    fu_object_key keys[FU_OBJECT_KEYS_MAX];
    uint8_t data[FU_OBJECT_BYTES_MAX];
} fu_object_template;

typedef struct {
    const uint8_t *start;
    size_t length;
    uint16_t rank; /* 0: there is no value */
    uint8_t exponent;
    uint8_t is_text;
} fu_object_value;

typedef struct {
    uint8_t required, barred;
    fu_object_value values[FU_OBJECT_COLUMNS];
} fu_object_values;

/* --- keys --------------------------------------------------------------------------------------------------------- */

static inline size_t fu_object_hash(uint16_t parent, const uint8_t *p, size_t n) {
    uint64_t first = 0, last = 0;
    if (n >= 8) {
        memcpy(&first, p, 8);
        memcpy(&last, p + n - 8, 8);
    } else {
        for (size_t i = 0; i < n; i++) first = first << 8 | p[i];
    }
    first = (first ^ (last << 21 | last >> 43) ^ n ^ (uint64_t)parent << 17) * 0x9E3779B97F4A7C15u;
    return (size_t)(first >> 40) & (FU_OBJECT_SLOTS - 1);
}

/* Return the slot of a key, or the free one where it belongs. */
static inline size_t fu_object_slot(const fu_object_template *template, uint16_t parent, const uint8_t *p, size_t n) {
    size_t slot = fu_object_hash(parent, p, n);
    for (; template->slots[slot] != 0; slot = (slot + 1) & (FU_OBJECT_SLOTS - 1)) {
        const fu_object_key *key = &template->keys[template->slots[slot] - 1];
        if (key->parent == parent && key->length == n && memcmp(template->data + key->at, p, n) == 0) break;
    }
    return slot;
}

/* Return the key, which is added if it is new, or NULL if there is no space. */
static inline fu_object_key *fu_add_object_key(fu_object_template *template, uint16_t parent, const uint8_t *p, size_t n) {
    const size_t slot = fu_object_slot(template, parent, p, n);
    fu_object_key *key;
    if (template->slots[slot] != 0) return &template->keys[template->slots[slot] - 1];
    if (template->count == FU_OBJECT_KEYS_MAX || n > FU_OBJECT_BYTES_MAX - template->used) return NULL;
    key = &template->keys[template->count++];
    key->parent = parent;
    key->at = (uint16_t)template->used;
    key->length = (uint16_t)n;
    if (n) memcpy(template->data + template->used, p, n);
    template->used += n;
    template->slots[slot] = (uint16_t)template->count;
    return key;
}

static inline const fu_object_key *fu_find_object_key(const fu_object_template *template, uint16_t parent, const uint8_t *p,
                                                      size_t n, fu_object_values *found) {
    const uint16_t number = parent == 0 ? 0 : template->slots[fu_object_slot(template, parent, p, n)];
    if (number == 0) return NULL;
    found->required |= template->keys[number - 1].required;
    found->barred |= template->keys[number - 1].barred;
    return &template->keys[number - 1];
}

/* Keep a value for the column of its key. If a key repeats, its last value counts. A hyphen and an empty text yield to the
 * value of another key. */
static inline void fu_keep_object_value(fu_object_values *found, const fu_object_key *key, const uint8_t *p, size_t n,
                                        int is_text) {
    fu_object_value *value;
    if (key == NULL || key->rank == 0) return;
    value = &found->values[key->column];
    if (value->rank != 0 && value->rank != key->rank) {
        const int is_known = value->length > 0 && !fu_is_lone_hyphen(value->start, value->length);
        if (is_known ? value->rank < key->rank || n == 0 || fu_is_lone_hyphen(p, n) : n == 0) return;
    }
    value->start = p;
    value->length = n;
    value->rank = key->rank;
    value->exponent = key->exponent;
    value->is_text = (uint8_t)is_text;
}

/* --- JSON: each function returns the end of what it reads, or NULL ------------------------------------------------ */

static inline const uint8_t *fu_json_blanks(const uint8_t *p, const uint8_t *end) {
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n')) p++;
    return p;
}

/* Read up to the closing quote. */
static inline const uint8_t *fu_json_string(const uint8_t *p, const uint8_t *end) {
    for (;;) {
#ifdef FU_LOG_VECTORS
        for (; end - p >= 16; p += 16) {
            const __m128i data = _mm_loadu_si128((const __m128i *)p), controls = _mm_set1_epi8(0x1F);
            const __m128i ends =
                _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(data, _mm_set1_epi8('"')), _mm_cmpeq_epi8(data, _mm_set1_epi8('\\'))),
                             _mm_cmpeq_epi8(_mm_min_epu8(data, controls), data));
            const uint64_t mask = (uint64_t)(unsigned)_mm_movemask_epi8(ends);
            if (mask == 0) continue;
            p += __builtin_ctzll(mask);
            break;
        }
#endif
        while (p < end && *p != '"' && *p != '\\' && *p >= 0x20) p++;
        if (p == end || *p < 0x20) return NULL;
        if (*p == '"') return p;
        do {
            if (end - p < 2) return NULL;
            if (p[1] == 'u') {
                if (fu_hex_unit(p + 2, end) < 0) return NULL;
                p += 6;
            } else {
                if (p[1] != '"' && p[1] != '\\' && (p[1] == 0 || strchr("/bfnrt", p[1]) == NULL)) return NULL;
                p += 2;
            }
        } while (p < end && *p == '\\');
    }
}

static inline const uint8_t *fu_json_digits(const uint8_t *p, const uint8_t *end) {
    const uint8_t *start = p;
    while (p < end && fu_is_time_digit(*p)) p++;
    return p == start ? NULL : p;
}

static inline const uint8_t *fu_json_number(const uint8_t *p, const uint8_t *end) {
    const uint8_t *start;
    if (p < end && *p == '-') p++;
    start = p;
    p = fu_json_digits(p, end);
    if (p == NULL || (*start == '0' && p - start > 1)) return NULL;
    if (p < end && *p == '.') p = fu_json_digits(p + 1, end);
    if (p != NULL && p < end && (*p | 0x20) == 'e') {
        p++;
        if (p < end && (*p == '+' || *p == '-')) p++;
        p = fu_json_digits(p, end);
    }
    return p;
}

static inline const uint8_t *fu_json_word(const uint8_t *p, const uint8_t *end) {
    static const char *const words[] = {"true", "false", "null"};
    for (int i = 0; i < 3; i++) {
        const size_t n = strlen(words[i]);
        if ((size_t)(end - p) >= n && memcmp(p, words[i], n) == 0) return p + n;
    }
    return NULL;
}

/* Return 1 if the line is a JSON object, nested at most FU_OBJECT_DEPTH_MAX deep. */
static inline int fu_scan_json(const uint8_t *p, const uint8_t *end, const fu_object_template *template,
                               fu_object_values *found) {
    uint16_t nodes[FU_OBJECT_DEPTH_MAX + 1];
    uint8_t lists[FU_OBJECT_DEPTH_MAX + 1];
    const fu_object_key *key = NULL;
    const uint8_t *start;
    int depth = 0, is_closed;
    p = fu_json_blanks(p, end);
    if (p == end || *p != '{') return 0;
    lists[0] = 0;
    nodes[0] = FU_OBJECT_ROOT;
    p = fu_json_blanks(p + 1, end);
    is_closed = p < end && *p == '}';
    for (;;) {
        if (!is_closed) {
            if (!lists[depth]) {
                if (p == end || *p != '"') return 0;
                start = p + 1;
                p = fu_json_string(start, end);
                if (p == NULL) return 0;
                key = fu_find_object_key(template, nodes[depth], start, (size_t)(p - start), found);
                p = fu_json_blanks(p + 1, end);
                if (p == end || *p != ':') return 0;
                p = fu_json_blanks(p + 1, end);
            }
            if (p == end) return 0;
            if (*p == '{' || *p == '[') {
                if (depth == FU_OBJECT_DEPTH_MAX) return 0;
                /* An object in a list has no path. The first value of a list is that of the list's key. */
                nodes[depth + 1] = key == NULL || lists[depth] || *p == '[' ? 0 : key->node;
                if (lists[depth]) key = NULL;
                lists[++depth] = *p == '[';
                p = fu_json_blanks(p + 1, end);
                is_closed = p < end && *p == (lists[depth] ? ']' : '}');
                if (!is_closed) continue;
            } else if (*p == '"') {
                start = p + 1;
                p = fu_json_string(start, end);
                if (p == NULL) return 0;
                fu_keep_object_value(found, key, start, (size_t)(p - start), 1);
                p++;
            } else {
                start = p;
                p = fu_json_number(start, end);
                if (p != NULL)
                    fu_keep_object_value(found, key, start, (size_t)(p - start), 0);
                else
                    p = fu_json_word(start, end);
                if (p == NULL) return 0;
            }
            key = NULL;
        }
        /* A value has ended: read delimiters, and the ends of objects and lists. */
        for (;;) {
            if (is_closed) {
                is_closed = 0;
                p++;
                if (depth-- == 0) return fu_json_blanks(p, end) == end;
            }
            p = fu_json_blanks(p, end);
            if (p == end) return 0;
            is_closed = *p == (lists[depth] ? ']' : '}');
            if (is_closed) continue;
            if (*p != ',') return 0;
            p = fu_json_blanks(p + 1, end);
            break;
        }
    }
}

/* --- logfmt ------------------------------------------------------------------------------------------------------ */

static inline int fu_is_label_byte(uint8_t byte) { return fu_is_time_letter(byte) || fu_is_time_digit(byte) || byte == '_'; }

/* Words without an equals sign may stand before the pairs: the priority of syslog, the time, the level and the message. */
static inline int fu_scan_logfmt(const uint8_t *p, const uint8_t *end, const fu_object_template *template,
                                 fu_object_values *found) {
    for (const uint8_t *at = p; at < end && *at != '=' && *at != '"'; at++)
        if (*at == ' ' || (*at == '>' && *p == '<')) p = at + 1;
    while (p < end) {
        const uint8_t *label = p, *start;
        const fu_object_key *key;
        fu_slice field;
        if (!fu_is_time_letter(*p) && *p != '_') return 0;
        while (p < end && (fu_is_label_byte(*p) || *p == '.' || *p == '@' || *p == '-')) p++;
        if (p == end || *p != '=') return 0;
        key = fu_find_object_key(template, FU_OBJECT_ROOT, label, (size_t)(p - label), found);
        start = ++p;
        if (p < end && *p == '"') {
            p = fu_log_in_quotes(p + 1, end, &field);
            if (p == NULL) return 0;
            fu_keep_object_value(found, key, field.p, field.n, 1);
            p++;
        } else {
            while (p < end && *p != ' ' && *p != '\t' && *p != '"') p++;
            fu_keep_object_value(found, key, start, (size_t)(p - start), 1);
        }
        if (p < end && *p != ' ') return 0;
        while (p < end && *p == ' ') p++;
    }
    return 1;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

/* Set a field of text. grok leaves quotes around a text. A hyphen and an empty text are absent. */
static inline void fu_object_text(const fu_object_value *value, fu_slice *field) {
    const uint8_t *p = value->start;
    size_t n = value->length;
    if (value->rank == 0) return;
    if (n > 3 && memcmp(p, "\\\"", 2) == 0 && memcmp(p + n - 2, "\\\"", 2) == 0) {
        p += 2;
        n -= 4;
    }
    if (n == 0 || fu_is_lone_hyphen(p, n)) return;
    fu_set_field(field, p, p + n);
}

/* Return 1 and the number. A JSON number may have a fraction, which is cut. */
static inline int fu_object_number(const fu_object_value *value, uint64_t *number) {
    const uint8_t *p = value->start, *end;
    int has;
    *number = 0;
    if (value->rank == 0) return 0;
    end = p + value->length;
    if (value->length == 2 && memcmp(p, "-0", 2) == 0) return !value->is_text; /* "-0" is a number in JSON */
    if (p == end || !fu_is_time_digit(*p)) return 0;
    p = fu_log_number(p, end, 1, FU_LOG_SIZE_DIGITS_MAX, number, &has);
    if (p != NULL && p < end && *p == '.' && !value->is_text) p = fu_json_digits(p + 1, end);
    return p == end && has;
}

/* Set the duration, whose unit may be that of its key. The first value of a list counts. */
static inline void fu_object_duration(const fu_object_value *value, fu_log_line *line) {
    const double unit = value->exponent == 1 ? 0 : fu_units_of_second(value->exponent); /* 0: unknown */
    const uint8_t *end, *comma;
    double sum;
    if (value->rank == 0) return;
    end = value->start + value->length;
    comma = (const uint8_t *)memchr(value->start, ',', value->length);
    if (!fu_duration_with_units(value->start, comma == NULL ? end : comma, unit, &sum)) return;
    line->has_duration = 1;
    line->duration = sum;
}

/* Set the time: a number since 1970, or a text, perhaps in brackets. */
static inline void fu_object_time(const fu_object_value *value, fu_log_line *line) {
    const uint8_t *p = value->start, *end;
    fu_object_text(value, &line->time);
    if (line->time.p == NULL) return;
    end = p + value->length;
    if (value->length > 2 && *p == '[' && end[-1] == ']') {
        line->time.p++;
        line->time.n -= 2;
    }
    /* A date without a time of day is not a time. */
    if (line->clock.p == NULL && line->time.n <= 10 && memchr(line->time.p, '-', line->time.n) != NULL) line->time.p = NULL;
    fu_number_moment(p, end, 0, &line->moment);
}

/* Return 0 for a bare address of IPv4, which has at most 15 bytes, for a name that ends in a letter, and for no client: a list
 * of addresses may begin with its comma. */
static inline int fu_may_follow_file(const fu_slice *field) {
    const size_t n = field->n;
    return n > 0 && fu_is_time_digit(field->p[n - 1]) && (n > 15 || !fu_is_time_digit(*field->p));
}

/* Remove the name of a file that a search put before an address of IPv4: access.log:192.0.2.1. */
FU_NOINLINE static void fu_without_file(fu_slice *field) {
    const uint8_t *p = field->p, *end = p + field->n, *at = end;
    while (at > p && at[-1] != ':') at--;
    if (at - p < 2 || memchr(at, '.', (size_t)(end - at)) == NULL || !fu_is_client_address(at, (size_t)(end - at))) return;
    if (fu_is_client_address(p, field->n)) return;
    fu_set_field(field, at, end);
}

/* Remove the port and the brackets of an address. */
static inline void fu_without_port(fu_slice *field) {
    const uint8_t *p = field->p, *end, *colon;
    if (p == NULL) return;
    end = colon = p + field->n;
    while (colon > p && fu_is_time_digit(colon[-1])) colon--;
    if (colon == end || end - colon > FU_TEMPLATE_PORT_DIGITS_MAX || colon - p < 2 || *--colon != ':') return;
    if (*p == '[' && colon[-1] == ']')
        fu_set_field(field, p + 1, colon - 1);
    else if (memchr(p, ':', (size_t)(colon - p)) == NULL)
        fu_set_field(field, p, colon);
}

/* Take a list of addresses in place of the client as `forwarded`, unless that is another field. */
static inline void fu_list_is_no_client(fu_log_line *line) {
    const uint8_t *start = line->client.p, *comma;
    if (start == NULL || (comma = (const uint8_t *)memchr(start, ',', line->client.n)) == NULL) return;
    if (!fu_is_client_address(start, (size_t)(comma - start))) return;
    if (line->forwarded.p == NULL) line->forwarded = line->client;
    line->client.p = NULL;
}

/* Return 0 for an address without a colon among its last eight bytes. */
static inline int fu_may_have_port(const fu_slice *field) {
    uint64_t last;
    if (field->n < 8) return 1;
    memcpy(&last, field->p + field->n - 8, 8);
    return fu_word_has(last, ':') != 0;
}

static inline int fu_is_slash(const uint8_t *p, size_t n) { return n > 0 && (*p == '/' || (n > 1 && memcmp(p, "\\/", 2) == 0)); }

static inline int fu_object_is_one_of(const fu_object_value *value, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        size_t n = 0;
        while (n < value->length && words[i][n] != '\0' && (value->start[n] & ~0x20) == words[i][n]) n++;
        if (value->rank != 0 && n == value->length && words[i][n] == '\0') return 1;
    }
    return 0;
}

/* Return 1 for a method of HTTP in any case. Other events have methods too: of a login, of a payment. */
static inline int fu_object_has_method(const fu_object_value *method) {
    static const char *const words[] = {"GET",   "POST",     "HEAD",      "PUT",       "OPTIONS", "DELETE", "PATCH",  "CONNECT",
                                        "TRACE", "PROPFIND", "PROPPATCH", "MKCOL",     "COPY",    "MOVE",   "LOCK",   "UNLOCK",
                                        "MERGE", "REPORT",   "SEARCH",    "SUBSCRIBE", "PURGE",   "QUERY",  "NOTIFY", "LINK"};
    return fu_object_is_one_of(method, words, sizeof words / sizeof words[0]);
}

/* Return 1 for an alert about a request, in the Elastic Common Schema. */
static inline int fu_object_is_alert(const fu_object_value *kind) {
    static const char *const words[] = {"ALERT", "SIGNAL"};
    return fu_object_is_one_of(kind, words, sizeof words / sizeof words[0]);
}

/* Set the request line, or the target and its query. Return 0 if the object has none. */
static inline int fu_object_request(const fu_object_template *template, fu_object_values *found, fu_log_line *line) {
    fu_object_value *request = &found->values[FU_FIELD_REQUEST], *target = &found->values[FU_FIELD_TARGET];
    if (request->rank != 0 && request->is_text &&
        (template->is_mapped ? request->length > 0 : memchr(request->start, ' ', request->length) != NULL)) {
        fu_set_field(&line->request, request->start, request->start + request->length);
        return 1;
    }
    if (target->rank == 0 && request->rank != 0 && fu_is_slash(request->start, request->length)) target = request;
    if (target->rank == 0 || !target->is_text) return 0;
    if (!template->is_mapped && !fu_is_slash(target->start, target->length) &&
        memchr(target->start, ' ', target->length) != NULL) {
        /* Some write the request line under the name of its URI. */
        fu_set_field(&line->request, target->start, target->start + target->length);
        return 1;
    }
    if (template->is_mapped) /* also an empty one */
        fu_set_field(&line->target, target->start, target->start + target->length);
    else
        fu_object_text(target, &line->target);
    fu_object_text(&found->values[FU_FIELD_QUERY], &line->query);
    if (!template->is_mapped && line->target.p != NULL && line->query.p != NULL &&
        memchr(line->target.p, '?', line->target.n) != NULL)
        line->query.p = NULL;
    return 1;
}

/* Return 1 and the fields if the line is a record. */
FU_NOINLINE static int fu_read_object_line(const uint8_t *p, size_t n, const fu_object_template *template, fu_log_line *line) {
    static const uint8_t others[] = {FU_COLUMN_STATUS, FU_FIELD_METHOD, FU_FIELD_CLIENT, FU_FIELD_TIME, FU_FIELD_AGENT};
    static const uint8_t texts[] = {FU_FIELD_VHOST,      FU_FIELD_CLIENT,       FU_FIELD_USER,  FU_FIELD_METHOD,
                                    FU_FIELD_PROTOCOL,   FU_FIELD_REFERER,      FU_FIELD_AGENT, FU_FIELD_FORWARDED,
                                    FU_FIELD_REQUEST_ID, FU_FIELD_CACHE_STATUS, FU_FIELD_CLOCK};
    const uint8_t *end = p + n;
    fu_object_values found;
    fu_object_value *values = found.values;
    uint64_t number;
    int count = 0, is_object;
    memset(&found, 0, sizeof found);
    is_object =
        template->syntax == FU_OBJECT_JSON ? fu_scan_json(p, end, template, &found) : fu_scan_logfmt(p, end, template, &found);
    if (!is_object || found.barred || (found.required & template->required) != template->required) return 0;
    if (template->host != 0 && values[FU_FIELD_VHOST].rank == template->host && values[FU_FIELD_CLIENT].rank == 0 &&
        fu_is_client_address(values[FU_FIELD_VHOST].start, values[FU_FIELD_VHOST].length)) {
        values[FU_FIELD_CLIENT] = values[FU_FIELD_VHOST];
        values[FU_FIELD_VHOST].rank = 0;
    }
    for (size_t i = 0; i < sizeof others; i++) count += values[others[i]].rank != 0;
    /* A message about a request has no status. An event with a status of its own has no method. */
    if (count < template->needs || (template->needs > 1 && values[FU_COLUMN_STATUS].rank == 0)) return 0;
    if (fu_object_is_alert(&values[FU_COLUMN_KIND])) return 0;
    memset(line, 0, sizeof *line);
    line->is_object = 1;
    is_object = fu_object_number(&values[FU_COLUMN_STATUS], &number);
    if (!fu_set_status(line, number, is_object)) return 0;
    if (!is_object && values[FU_COLUMN_STATUS].length > 1 && *values[FU_COLUMN_STATUS].start == '-' &&
        (values[FU_COLUMN_STATUS].length > 2 || values[FU_COLUMN_STATUS].start[1] != '1'))
        return 0;
    if (template->needs > 1 && !fu_object_has_method(&values[FU_FIELD_METHOD]) && values[FU_FIELD_REQUEST].rank == 0 &&
        line->status < 0)
        return 0;
    if (!fu_object_request(template, &found, line)) return 0;
    for (size_t i = 0; i < sizeof texts; i++) fu_object_text(&values[texts[i]], &line->fields[texts[i]]);
    fu_list_is_no_client(line);
    fu_without_port(&line->client);
    fu_object_time(&values[FU_FIELD_TIME], line);
    fu_object_duration(&values[FU_FIELD_DURATION], line);
    line->has_size = fu_object_number(&values[FU_COLUMN_SIZE], &line->size);
    line->has_request_length = fu_object_number(&values[FU_COLUMN_LENGTH], &line->request_length);
    return 1;
}

#endif
