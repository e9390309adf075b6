/* Read a log line by a template: a list of fields and the delimiters between them.
 *
 * As in common logs, a line is one record or a reject. A quoted field may hold any byte; a quote in it has a backslash.
 * Other fields hold no quote and no bracket. Between delimiters that divide a whole line (tabs) a field holds any byte but
 * the delimiter. A field of several words has no lone hyphen among them. No load leaves the line. Each byte is read a fixed
 * number of times. */
#ifndef FASTURL_LOGS_TEMPLATE_H
#define FASTURL_LOGS_TEMPLATE_H

#include "logs/escapes.h"
#include "logs/line.h"

#define FU_TEMPLATE_STEPS_MAX 128
#define FU_TEMPLATE_BYTES_MAX 4096
#define FU_TEMPLATE_STATUS_DIGITS_MAX 3
#define FU_TEMPLATE_HOST_MAX 255
#define FU_TEMPLATE_PORT_DIGITS_MAX 5
#define FU_TEMPLATE_ISO_MIN 10
#define FU_TEMPLATE_ISO_MAX 41
#define FU_TEMPLATE_EPOCH_DIGITS_MAX 12
#define FU_UNIT_BESIDE 'u' /* in place of an exponent: the unit follows the number */

/* How a step reads its field. `stop` is the byte that ends the field: the first byte of the delimiter after it. */
enum {
    FU_READ_NOTHING,  /* only the delimiter */
    FU_READ_WORD,     /* up to a space or the stop */
    FU_READ_LAST,     /* a word up to the last stop in it */
    FU_READ_LIST,     /* words joined by commas, or by colons with spaces around them */
    FU_READ_WORDS,    /* words up to the bracket that is the stop */
    FU_READ_USER,     /* a user's name, and the space and bracket after it */
    FU_READ_UNTIL,    /* anything up to the stop */
    FU_READ_ENCLOSED, /* up to the closing bracket that is the stop */
    FU_READ_QUOTED,   /* up to the closing quote */
    FU_READ_REST,     /* the rest of the line */
    FU_READ_STATUS,
    FU_READ_SIZE,
    FU_READ_LENGTH,   /* as FU_READ_SIZE, of the request */
    FU_READ_TIME,     /* a time in the form of the step's program */
    FU_READ_ZONE,     /* a word after the time, which may be its zone */
    FU_READ_SPACES,   /* any number of spaces */
    FU_READ_HOST,     /* a word without the port at its end */
    FU_READ_NUMBER,   /* digits and hyphens */
    FU_READ_CHOICE,   /* one of the words in the step's program, which '|' divides */
    FU_READ_QUOTES,   /* a string with its quotes, or a lone hyphen */
    FU_READ_PAST,     /* anything up to the delimiter */
    FU_READ_NESTED,   /* up to the closing bracket that is the stop; brackets in it come in pairs */
    FU_READ_CAPTURES, /* a word in braces and the space after it, or nothing */
    FU_READ_VALUE,    /* a value of a table */
    FU_READ_UPPER,    /* a word of capital letters */
    FU_READ_REQUEST   /* a method in capital letters, a target and perhaps a protocol, without quotes */
};

/* What differs in a step from its kind. */
enum {
    FU_FLAG_NONE,
    FU_FLAG_ANY,       /* a word may hold quotes and brackets */
    FU_FLAG_FIRST,     /* a list, or text in quotes, ends at its first comma or space */
    FU_FLAG_WORD,      /* text in quotes ends at a space or the stop */
    FU_FLAG_DIGITS,    /* a number is never a hyphen */
    FU_FLAG_BRACKETED, /* a time is kept as written, and the bracket is read after it */
    FU_FLAG_ISO,       /* a time is kept as written: an ISO 8601 date in UTC */
    FU_FLAG_EPOCH,     /* a time is kept as written: seconds since 1970 with a fraction */
    FU_FLAG_FRACTION,  /* a fraction may stand in front of a zone, after a dot */
    FU_FLAG_FIELDS,    /* text up to a delimiter is fields, of which none is another record */
    FU_FLAG_OPTIONAL   /* the steps after this one may be missing */
};

typedef struct {
    uint8_t kind, flag, field, stop; /* in a table, `stop` is 1 if the value is the agent too */
    uint16_t at, length; /* the delimiter after the field */
    uint16_t program_at, program_length; /* the form of a time, or the words of a choice */
} fu_template_step;

typedef struct {
    int count;
    int has_more; /* other fields may follow */
    int escaped; /* how the server escapes fields (logs/escapes.h) */
    /* One server always writes this format in the same way: a status has three digits, digits never follow a hyphen, and a
     * client, host or target may be a hyphen. */
    int is_exact;
    fu_template_step steps[FU_TEMPLATE_STEPS_MAX];
    uint8_t data[FU_TEMPLATE_BYTES_MAX];
} fu_line_template;

/* --- fields: each function returns the end of the field, or NULL -------------------------------------------------- */

static inline const uint8_t *fu_template_word(const uint8_t *p, const uint8_t *end, uint8_t stop, fu_slice *field) {
    const uint8_t *at = fu_log_field_end(p, end, ' ');
    if (stop != ' ') at = fu_log_field_end(p, at, stop);
    return fu_set_field(field, p, at) == p ? NULL : at;
}

static inline const uint8_t *fu_template_last(const uint8_t *p, const uint8_t *end, uint8_t stop, fu_slice *field) {
    const uint8_t *at = fu_template_word(p, end, ' ', field);
    while (at != NULL && at > p && *--at != stop) {}
    if (at == NULL || at == p) return NULL;
    field->n = (size_t)(at - p);
    return at;
}

static inline void fu_keep_first(fu_slice *field) {
    size_t one = 0;
    while (one < field->n && field->p[one] != ',' && field->p[one] != ' ') one++;
    field->n = one;
}

static inline const uint8_t *fu_template_list(const uint8_t *p, const uint8_t *end, uint8_t stop, fu_slice *field) {
    const uint8_t *at = fu_template_word(p, end, stop, field);
    while (at != NULL && at < end && *at == ' ') {
        fu_slice word;
        const int by_colon = end - at > 3 && at[1] == ':' && at[2] == ' ';
        if (!by_colon && at[-1] != ',') break;
        at = fu_template_word(by_colon ? at + 3 : at + 1, end, stop, &word);
    }
    if (at != NULL) field->n = (size_t)(at - p);
    return at;
}

/* Read the words between a client and its time: an ident and a user's name with spaces, or hyphens. After the first of
 * several words, none is a lone hyphen unless all are: a lone hyphen belongs to another record. */
static inline const uint8_t *fu_template_words(const uint8_t *p, const uint8_t *end, uint8_t stop, fu_slice *field) {
    const uint8_t *at = (const uint8_t *)memchr(p, stop, (size_t)(end - p)), *word = p, *last;
    size_t words = 0, hyphens = 0, first_hyphens = 0;
    if (at == NULL) return NULL;
    last = fu_set_field(field, p, at > p && at[-1] == ' ' ? at - 1 : at);
    for (const uint8_t *byte = p; byte <= last; byte++) {
        if (byte < last && fu_encloses_field(*byte)) return NULL;
        if (byte < last && *byte != ' ') continue;
        hyphens += (size_t)fu_is_lone_hyphen(word, (size_t)(byte - word));
        if (words++ == 0) first_hyphens = hyphens;
        word = byte + 1;
    }
    return hyphens == words || words == 2 || hyphens == first_hyphens ? at : NULL;
}

static inline const uint8_t *fu_template_until(const uint8_t *p, const uint8_t *end, uint8_t stop, fu_slice *field) {
    const uint8_t *at = (const uint8_t *)memchr(p, stop, (size_t)(end - p));
    return fu_set_field(field, p, at == NULL ? end : at);
}

/* The delimiter is short, so the search is linear. */
static inline const uint8_t *fu_template_past(const uint8_t *p, const uint8_t *end, const uint8_t *delimiter, size_t length,
                                              fu_slice *field) {
    const uint8_t *at = p;
    while (at != NULL && ((size_t)(end - at) < length || memcmp(at, delimiter, length) != 0))
        at = at == end ? NULL : (const uint8_t *)memchr(at + 1, delimiter[0], (size_t)(end - at - 1));
    fu_set_field(field, p, at == NULL ? p : at);
    return at;
}

static inline const uint8_t *fu_template_nested(const uint8_t *p, const uint8_t *end, uint8_t stop, fu_slice *field) {
    const uint8_t open = stop == ')' ? '(' : stop == ']' ? '[' : stop == '}' ? '{' : stop == '>' ? '<' : stop;
    const uint8_t *at = p;
    size_t depth = 0;
    for (; at < end && *at != '"' && (depth > 0 || *at != stop); at++) {
        depth += *at == open;
        depth -= *at == stop;
    }
    return fu_set_field(field, p, at);
}

static inline const uint8_t *fu_template_captures(const uint8_t *p, const uint8_t *end, fu_slice *field) {
    const uint8_t *at = p == end || *p != '{' ? NULL : (const uint8_t *)memchr(p, '}', (size_t)(end - p));
    at = fu_set_field(field, p, at == NULL ? p : at + 1);
    return at > p && at < end && *at == ' ' ? at + 1 : at;
}

static inline const uint8_t *fu_template_quoted_word(const uint8_t *p, const uint8_t *end, uint8_t stop, fu_slice *field) {
    const uint8_t *at = p;
    for (; at < end && *at != ' ' && *at != stop && *at != '"'; at++)
        if (*at == '\\' && ++at == end) return NULL;
    return fu_set_field(field, p, at) == p ? NULL : at;
}

static inline const uint8_t *fu_template_rest(const uint8_t *p, const uint8_t *end, fu_slice *field) {
    fu_set_field(field, p, end);
    return memchr(p, '"', field->n) == NULL ? end : NULL;
}

static inline const uint8_t *fu_template_any(const uint8_t *p, const uint8_t *end, uint8_t stop, fu_slice *field) {
    const uint8_t *at = p;
    while (at < end && *at != ' ' && *at != stop) at++;
    return fu_set_field(field, p, at) == p ? NULL : at;
}

static inline const uint8_t *fu_template_upper(const uint8_t *p, const uint8_t *end, fu_slice *field) {
    const uint8_t *at = p;
    while (at < end && ((*at >= 'A' && *at <= 'Z') || *at == '-')) at++;
    return fu_set_field(field, p, at) == p || *p == '-' ? NULL : at;
}

/* Return 1 if a text begins as a target does: with a slash, an asterisk alone, or a scheme. */
static inline int fu_begins_target(const uint8_t *p, const uint8_t *end) {
    const uint8_t *at = p;
    if (p == end || *p == '/' || (*p == '*' && (end - p == 1 || p[1] == ' '))) return p < end;
    while (at < end && fu_is_time_letter(*at)) at++;
    return at > p && end - at > 3 && memcmp(at, "://", 3) == 0;
}

/* Read a request line that has no quotes. The target of CONNECT is a host. */
static inline const uint8_t *fu_template_request(const uint8_t *p, const uint8_t *end, uint8_t stop, fu_slice *field) {
    static const char connect[] = "CONNECT", http[] = " HTTP/";
    const size_t n = sizeof http - 1;
    fu_slice word;
    const uint8_t *target = fu_template_upper(p, end, &word), *at;
    if (target == NULL || target == end || *target++ != ' ') return NULL;
    if (!fu_begins_target(target, end) && (word.n != sizeof connect - 1 || memcmp(p, connect, word.n) != 0)) return NULL;
    at = fu_template_any(target, end, stop, &word);
    if (at != NULL && (size_t)(end - at) > n && memcmp(at, http, n) == 0) at = fu_template_any(at + 1, end, stop, &word);
    return at == NULL ? NULL : fu_set_field(field, p, at);
}

/* Read a host, of which the field leaves out the port and the brackets. */
static inline const uint8_t *fu_template_host(const uint8_t *p, const uint8_t *end, uint8_t stop, fu_slice *field) {
    const uint8_t *at, *port;
    if (p < end && *p == '[') {
        at = fu_template_word(p + 1, end, ']', field);
        if (at == NULL || at == end || *at != ']' || !fu_is_client_address(field->p, field->n)) return NULL;
        if (++at == end || *at != ':') return at;
        for (port = ++at; at < end && at - port < FU_TEMPLATE_PORT_DIGITS_MAX && fu_is_time_digit(*at); at++) {}
        return at;
    }
    port = at = fu_template_word(p, end, stop, field);
    if (at == NULL) return NULL;
    while (port > p && fu_is_time_digit(port[-1])) port--;
    /* The digits after two colons end an address of IPv6, to which some servers append a port without brackets. */
    if (port != at && at - port <= FU_TEMPLATE_PORT_DIGITS_MAX && port - p >= 2 && port[-1] == ':' &&
        (port[-2] != ':' || (port - p > 2 && port[-3] == ':')))
        field->n = (size_t)(port - 1 - p);
    return field->n <= FU_TEMPLATE_HOST_MAX ? at : NULL;
}

static inline const uint8_t *fu_template_hyphens(const uint8_t *p, const uint8_t *end, fu_slice *field) {
    const uint8_t *at = p;
    while (at < end && (*at == '-' || fu_is_time_digit(*at))) at++;
    return fu_set_field(field, p, at) == p ? NULL : at;
}

static inline const uint8_t *fu_template_choice(const uint8_t *p, const uint8_t *end, const uint8_t *words, size_t length,
                                                uint8_t stop) {
    size_t word = 0;
    for (size_t i = 0; i <= length; i++) {
        if (i < length && words[i] != '|') continue;
        const size_t n = i - word;
        if ((size_t)(end - p) >= n && memcmp(p, words + word, n) == 0)
            if (p + n == end || p[n] == stop || p[n] == ' ') return p + n;
        word = i + 1;
    }
    return NULL;
}

/* Set the number of this kind: the status of the answer, its size, or the length of the request. Return 0 for no status. */
static inline int fu_set_number(fu_log_line *line, int kind, uint64_t number, int has) {
    if (kind == FU_READ_STATUS) {
        return fu_set_status(line, number, has);
    } else if (kind == FU_READ_LENGTH) {
        line->request_length = number;
        line->has_request_length = has;
    } else {
        line->size = number;
        line->has_size = has;
    }
    return 1;
}

/* Read digits, or a hyphen for an absent number. Digits may follow the hyphen. Between delimiters the field may be empty. */
static inline const uint8_t *fu_template_number(const uint8_t *p, const uint8_t *end, const fu_line_template *template,
                                                const fu_template_step *step, fu_log_line *line) {
    const int is_status = step->kind == FU_READ_STATUS;
    const int at_most = is_status ? FU_TEMPLATE_STATUS_DIGITS_MAX : FU_LOG_SIZE_DIGITS_MAX;
    uint64_t number = 0;
    int has = 0;
    if (!template->is_exact && p < end && *p == step->stop) return p;
    if (!template->is_exact && p < end && *p == '+') p++; /* HAProxy's sign of an unfinished answer */
    if (step->flag == FU_FLAG_DIGITS && p < end && *p == '-') return NULL;
    p = fu_log_number(p, end, is_status && template->is_exact ? at_most : 1, at_most, &number, &has);
    if (p == NULL) return NULL;
    if (p[-1] == '-' && !template->is_exact)
        while (p < end && *p >= '0' && *p <= '9') p++;
    return fu_set_number(line, step->kind, number, has) ? p : NULL;
}

/* Read a number with a fraction. A sign is read too, as HAProxy writes one before the time of an unfinished request. */
static inline const uint8_t *fu_template_decimal(const uint8_t *p, const uint8_t *end, double *number) {
    static const double tens[] = {1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
    uint64_t whole = 0;
    int digits = 0, places = 0;
    if (p < end && *p == '+') p++;
    for (; p < end && fu_is_time_digit(*p) && digits < 18; p++, digits++) whole = whole * 10 + (uint64_t)(*p - '0');
    if (p < end && *p == '.') {
        for (p++; p < end && fu_is_time_digit(*p); p++)
            if (places < 9 && digits + places < 18) {
                whole = whole * 10 + (uint64_t)(*p - '0');
                places++;
            }
    }
    *number = (double)whole / tens[places]; /* the nearest number, unless there are many digits */
    return digits || places ? p : NULL;
}

/* How many of a unit of 10^-exponent seconds make a second. */
static inline double fu_units_of_second(int exponent) {
    return exponent == 3 ? 1e3 : exponent == 6 ? 1e6 : exponent == 9 ? 1e9 : 1;
}

/* Read numbers, each with an exponent as JSON has it and a unit, as Go writes 1m2.5s. `unit` is how many of the unit of a lone
 * number without one make a second, 0 if that is unknown. Return 0 for any other text. */
static inline int fu_duration_with_units(const uint8_t *p, const uint8_t *end, double unit, double *sum) {
    static const struct {
        const char *name;
        double unit;
    } suffixes[] = {{"ns", 1e9}, {"us", 1e6}, {"\xC2\xB5s", 1e6}, {"\xCE\xBCs", 1e6},
                    {"ms", 1e3}, {"s", 1},    {"m", 1 / 60.0},    {"h", 1 / 3600.0}};
    const uint8_t *start = p;
    double number;
    *sum = 0;
    if (p == end || !fu_is_time_digit(*p)) return 0;
    while (p < end) {
        if (p > start) unit = 0; /* only a lone number has the unit of its key */
        p = fu_template_decimal(p, end, &number);
        if (p != NULL && end - p > 1 && (*p | 0x20) == 'e') {
            const int is_negative = p[1] == '-';
            int exponent;
            p = fu_time_number(p + 1 + (is_negative || p[1] == '+'), end, 2, &exponent);
            for (; p != NULL && exponent > 0; exponent--) number = is_negative ? number / 10 : number * 10;
        }
        if (p == NULL) return 0;
        if (p < end) unit = 0;
        for (size_t i = 0; unit == 0 && i < sizeof suffixes / sizeof suffixes[0]; i++) {
            const uint8_t *after = p;
            const char *name = suffixes[i].name;
            while (after < end && *name != '\0' && *after == (uint8_t)*name) after++, name++;
            if (*name != '\0') continue;
            unit = suffixes[i].unit;
            p = after;
        }
        if (unit == 0 || number >= 1e18) return 0;
        *sum += number / unit;
        if (p < end && !fu_is_time_digit(*p)) return 0;
    }
    return 1;
}

/* Set the duration from its text: a number, or a list of numbers, which are added. A hyphen, and -1, is an absent one. Any
 * other text is none. `exponent` is the digit of the unit: 3 for milliseconds; or FU_UNIT_BESIDE. */
static inline void fu_template_duration(const fu_slice *field, uint8_t exponent, fu_log_line *line) {
    const uint8_t *p = field->p, *end = p + field->n;
    double sum = 0;
    int has = 0;
    if (exponent == FU_UNIT_BESIDE) {
        line->has_duration = fu_duration_with_units(p, end, 0, &line->duration);
        return;
    }
    while (p < end) {
        double number;
        if (*p == '-') {
            p++;
            if (p < end && *p == '1') p++;
        } else {
            p = fu_template_decimal(p, end, &number);
            if (p == NULL) return;
            sum += number;
            has = 1;
        }
        if (end - p > 2 && p[0] == ',' && p[1] == ' ')
            p += 2;
        else if (end - p > 3 && memcmp(p, " : ", 3) == 0)
            p += 3;
        else
            break;
    }
    if (p != end) return;
    if (!line->has_duration) line->duration = 0; /* a format may have a duration in parts */
    line->has_duration |= has;
    line->duration += sum / fu_units_of_second(exponent - '0');
}

/* Read a string and its quotes, or a lone hyphen, which some servers write without quotes. */
static inline const uint8_t *fu_template_quotes(const uint8_t *p, const uint8_t *end, fu_slice *field) {
    if (p == end) return NULL;
    if (*p == '-') return fu_set_field(field, p, p + 1);
    if (*p != '"') return NULL;
    p = fu_log_in_quotes(p + 1, end, field);
    return p == NULL ? NULL : p + 1;
}

static inline const uint8_t *fu_template_time_word(const uint8_t *p, const uint8_t *end, int is_epoch) {
    const uint8_t *at = p;
    int fraction;
    if (p == end || !fu_is_time_digit(*p)) return NULL;
    while (at < end && (fu_is_time_digit(*at) || (!is_epoch && memchr("T:.Z-", *at, 5) != NULL))) at++;
    if (!is_epoch) return at - p >= FU_TEMPLATE_ISO_MIN && at - p <= FU_TEMPLATE_ISO_MAX ? at : NULL;
    if (at - p > FU_TEMPLATE_EPOCH_DIGITS_MAX || at == end || *at != '.') return NULL;
    return fu_time_number(at + 1, end, FU_MOMENT_MICRO_DIGITS, &fraction);
}

/* Keep a time as it is written. Seconds since 1970 are converted. */
static inline const uint8_t *fu_template_written_time(const uint8_t *p, const uint8_t *end, const fu_template_step *step,
                                                      fu_log_line *line) {
    fu_slice *field = &line->fields[step->field];
    const uint8_t *at;
    if (step->flag == FU_FLAG_BRACKETED) {
        at = fu_log_time(p, end, field);
        if (at == NULL) return NULL;
    } else {
        at = fu_template_time_word(p, end, step->flag == FU_FLAG_EPOCH);
        if (at == NULL) return NULL;
        fu_set_field(field, p, at);
    }
    fu_number_moment(field->p, field->p + field->n, 1, &line->moment);
    return at;
}

static inline const uint8_t *fu_template_time(const uint8_t *p, const uint8_t *end, const fu_line_template *template,
                                              const fu_template_step *step, fu_log_line *line) {
    if (step->flag) return fu_template_written_time(p, end, step, line);
    if (!line->moment.is_read && p < end && *p == '-' && (p + 1 == end || p[1] == step->stop)) return p + 1;
    return fu_read_moment(p, end, template->data + step->program_at, step->program_length, &line->moment);
}

static inline const uint8_t *fu_template_tail(const uint8_t *p, const uint8_t *end, const fu_template_step *step,
                                              fu_log_line *line) {
    const uint8_t *at = fu_template_word(p, end, step->stop, &line->skipped);
    if (at != NULL && line->moment.is_read) fu_moment_tail(p, at, step->flag == FU_FLAG_FRACTION, &line->moment);
    return at;
}

static inline const uint8_t *fu_template_field(const uint8_t *p, const uint8_t *end, const fu_line_template *template,
                                               const fu_template_step *step, fu_log_line *line) {
    fu_slice *field = &line->fields[step->field];
    switch (step->kind) {
    case FU_READ_NOTHING: return p;
    case FU_READ_WORD:
        return step->flag == FU_FLAG_ANY ? fu_template_any(p, end, step->stop, field)
                                         : fu_template_word(p, end, step->stop, field);
    case FU_READ_LAST: return fu_template_last(p, end, step->stop, field);
    case FU_READ_LIST: return fu_template_list(p, end, step->stop, field);
    case FU_READ_WORDS: return fu_template_words(p, end, step->stop, field);
    case FU_READ_USER: return fu_log_user(p, end, field);
    case FU_READ_UNTIL: return fu_template_until(p, end, step->stop, field);
    case FU_READ_ENCLOSED: return fu_set_field(field, p, fu_log_field_end(p, end, step->stop));
    case FU_READ_QUOTED:
        return step->flag == FU_FLAG_WORD ? fu_template_quoted_word(p, end, step->stop, field) : fu_log_in_quotes(p, end, field);
    case FU_READ_REST: return fu_template_rest(p, end, field);
    case FU_READ_STATUS:
    case FU_READ_SIZE:
    case FU_READ_LENGTH: return fu_template_number(p, end, template, step, line);
    case FU_READ_TIME: return fu_template_time(p, end, template, step, line);
    case FU_READ_ZONE: return fu_template_tail(p, end, step, line);
    case FU_READ_SPACES:
        while (p < end && *p == ' ') p++;
        return p;
    case FU_READ_HOST: return fu_template_host(p, end, step->stop, field);
    case FU_READ_NUMBER: return fu_template_hyphens(p, end, field);
    case FU_READ_CHOICE: return fu_template_choice(p, end, template->data + step->program_at, step->program_length, step->stop);
    case FU_READ_QUOTES: return fu_template_quotes(p, end, field);
    case FU_READ_PAST: {
        const uint8_t *at = fu_template_past(p, end, template->data + step->at, step->length, field);
        return at == NULL || step->flag != FU_FLAG_FIELDS || fu_log_more_is_fields(p, at) ? at : NULL;
    }
    case FU_READ_NESTED: return fu_template_nested(p, end, step->stop, field);
    case FU_READ_CAPTURES: return fu_template_captures(p, end, field);
    case FU_READ_UPPER: return fu_template_upper(p, end, field);
    case FU_READ_REQUEST: return fu_template_request(p, end, step->stop, field);
    default: return NULL;
    }
}

/* --- what follows the known fields of an exact template ----------------------------------------------------------- */

/* Return 1 if the quoted string at p holds two spaces or more, and a protocol after one of them. */
static inline int fu_template_is_request(const uint8_t *p, const uint8_t *end) {
    static const char http[] = " HTTP/";
    const size_t n = sizeof http - 1;
    const uint8_t *quote = (const uint8_t *)memchr(p, '"', (size_t)(end - p)), *at;
    if (quote == NULL) quote = end;
    at = (const uint8_t *)memchr(p, ' ', (size_t)(quote - p));
    if (at == NULL || at == p) return 0;
    for (at++; quote - at > (ptrdiff_t)n; at++)
        if (memcmp(at, http, n) == 0 && fu_is_time_digit(at[n])) return 1;
    return 0;
}

/* As fu_log_more_is_fields, but a quoted string may follow a bracket: these servers write the request with its time apart. */
static inline int fu_template_more_is_fields(const uint8_t *p, const uint8_t *end) {
    fu_slice quoted;
    while (p < end) {
        const uint8_t *word = fu_log_space(p, end);
        p = word == NULL ? NULL : fu_log_more_word(word, end);
        if (p == NULL) return 0;
        if (p == end || *p != '"') continue;
        if (fu_template_is_request(p + 1, end)) return 0;
        p = fu_log_quoted(p, end, p, &quoted);
        if (p == NULL) return 0;
    }
    return 1;
}

/* --- a line of a table: values divided by tabs or spaces, a hyphen for an absent one -------------------------------- */

/* The step and the offset at which a line stopped to fit a template. */
typedef struct {
    int step;
    size_t at;
} fu_template_stop;

static inline void fu_set_stop(fu_template_stop *stop, int step, const uint8_t *line, const uint8_t *at) {
    stop->step = step;
    stop->at = (size_t)(at - line);
}

/* The separators of the bytes from `block`, as bits, up to `until`. Values are short, so that a search for each takes longer. */
typedef struct {
    const uint8_t *line, *end, *block, *until;
    uint64_t found;
    uint8_t separator;
} fu_separators;

#ifdef FU_LOG_VECTORS
/* Set the separators of the 64 bytes at p, which is before the end. No load leaves the line. */
static inline void fu_find_separators(fu_separators *separators, const uint8_t *p) {
    const __m128i wanted = _mm_set1_epi8((char)separators->separator);
    const size_t n = separators->end - p < 64 ? (size_t)(separators->end - p) : 64;
    size_t i = 0;
#define FU_SEPARATORS_AT(at) (uint64_t)(unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(at)), wanted))
    separators->block = p;
    separators->until = p + n;
    separators->found = 0;
    for (; n - i >= 16; i += 16) separators->found |= FU_SEPARATORS_AT(p + i) << i;
    if (i < n && separators->end - separators->line >= 16)
        separators->found |= FU_SEPARATORS_AT(p + n - 16) >> (16 - (n - i)) << i;
    else
        for (; i < n; i++) separators->found |= (uint64_t)(p[i] == separators->separator) << i;
#undef FU_SEPARATORS_AT
}
#endif

/* Return the first separator from p, or the end. */
static inline const uint8_t *fu_next_separator(fu_separators *separators, const uint8_t *p) {
#ifdef FU_LOG_VECTORS
    while (p < separators->end) {
        if (p >= separators->until) fu_find_separators(separators, p);
        const uint64_t found = separators->found >> (p - separators->block);
        if (found) return p + __builtin_ctzll(found);
        p = separators->until;
    }
    return p;
#else
    while (p < separators->end && *p != separators->separator) p++;
    return p;
#endif
}

/* Read a value up to the separator, or in quotes, in which a quote is doubled. */
static inline const uint8_t *fu_template_value(const uint8_t *p, fu_separators *separators, fu_slice *value, int *is_plain) {
    const uint8_t *at = p, *end = separators->end;
    *is_plain = 1;
    if (p < end && *p == '"') {
        do {
            at = (const uint8_t *)memchr(at + 1, '"', (size_t)(end - at - 1));
            if (at == NULL || end - at < 2 || at[1] != '"') break;
            *is_plain = 0;
        } while (++at < end);
        if (at != NULL && at < end && (end - at == 1 || at[1] == separators->separator))
            return fu_set_field(value, p + 1, at) + 1;
        *is_plain = 1;
    }
    return fu_set_field(value, p, fu_next_separator(separators, p));
}

/* Set a number. Return 0 if the value is none. */
static inline int fu_value_number(const fu_slice *value, int kind, fu_log_line *line) {
    const uint8_t *end = value->p + value->n;
    uint64_t number;
    int has;
    if (fu_log_number(value->p, end, 1, FU_LOG_SIZE_DIGITS_MAX, &number, &has) != end) return 0;
    return fu_set_number(line, kind, number, has);
}

/* Set the duration: in seconds if it has a decimal point, else in milliseconds. */
static inline void fu_value_duration(const fu_slice *value, fu_log_line *line) {
    const uint8_t *p = value->p, *end;
    if (p == NULL) return;
    end = p + value->n;
    if (!fu_is_time_digit(*p) || !fu_is_time_digit(end[-1])) return;
    line->has_duration = fu_template_decimal(p, end, &line->duration) == end;
    if (!line->has_duration)
        line->duration = 0;
    else if (memchr(p, '.', value->n) == NULL)
        line->duration /= 1e3;
}

/* Return 1 and the fields if the line is a record: a row with a value for each step, whose status and size are numbers, and
 * with a target, a query or a referer. A request is a URI here, which may have its query. */
FU_NOINLINE static int fu_read_value_line(const uint8_t *p, size_t n, const fu_line_template *template, fu_log_line *line,
                                          fu_template_stop *stop) {
    const uint8_t *start = p, *end = p + n, *target = p;
    const uint8_t separator = template->count > 0 && template->steps[0].length ? template->data[template->steps[0].at]
                              : memchr(p, '\t', n) != NULL                     ? '\t'
                                                                               : ' ';
    const int is_aligned = template->steps[0].length > 1; /* blanks align the columns */
    fu_separators separators = {p, p + n, p, p, 0, separator};
    fu_slice words;
    int target_step = 0;
    memset(line, 0, sizeof *line);
    line->is_object = 1;
    line->plain = FU_ALL_PLAIN;
    line->status = -1;
    fu_set_stop(stop, 0, start, start);
    if (n > 0 && *p == '#') return 0; /* a directive */
    for (int i = 0; i < template->count; i++) {
        const fu_template_step *step = &template->steps[i];
        fu_slice value;
        int is_plain;
        fu_set_stop(stop, i, start, p);
        if (i > 0 && p == end) return 0;
        p += i > 0;
        while (is_aligned && p < end && *p == separator) p++;
        fu_set_stop(stop, i, start, p);
        if (step->field == FU_FIELD_TARGET || step->field == FU_FIELD_REQUEST) {
            target = p;
            target_step = i;
        }
        p = fu_template_value(p, &separators, &value, &is_plain);
        if (step->stop) {
            line->agent = value;
            if (!is_plain) line->plain &= ~(1u << FU_FIELD_AGENT);
        }
        if (value.n == 0 || fu_is_lone_hyphen(value.p, value.n)) continue;
        if (step->field == FU_FIELD_DURATION && step->program_length) {
            fu_template_duration(&value, template->data[step->program_at], line);
        } else if (step->kind == FU_READ_VALUE) {
            line->fields[step->field] = value;
            if (!is_plain) line->plain &= ~(1u << step->field);
        } else if (!fu_value_number(&value, step->kind, line) && step->kind != FU_READ_LENGTH) {
            return 0;
        }
    }
    fu_set_stop(stop, template->count, start, p);
    if (p != end) return 0;
    if (line->method.p != NULL && *line->method.p == '[') return 0; /* a command of FTP, after its session */
    fu_set_stop(stop, target_step, start, target);
    if (line->request.p != NULL &&
        fu_template_request(line->request.p, line->request.p + line->request.n, separator, &words) == NULL) {
        line->target = line->request;
        if (!fu_is_plain_field(line, FU_FIELD_REQUEST)) line->plain &= ~(1u << FU_FIELD_TARGET);
        line->request.p = NULL;
        if (memchr(line->target.p, '?', line->target.n) != NULL) line->query.p = NULL;
    }
    fu_value_duration(&line->duration_text, line);
    if (line->time.p == NULL) {
        line->time = line->clock;
        line->clock.p = NULL;
    }
    if (line->time.p != NULL && line->clock.p == NULL)
        fu_number_moment(line->time.p, line->time.p + line->time.n, 0, &line->moment);
    return line->request.p != NULL || line->target.p != NULL || line->query.p != NULL || line->referer.p != NULL;
}

/* --- the line ----------------------------------------------------------------------------------------------------- */

/* Return 1 and the fields if the line is a record. A lone hyphen is an absent field, except for a request line. `stop`, which
 * may be NULL, is where another line stopped to fit. */
static inline int fu_read_template_line(const uint8_t *p, size_t n, const fu_line_template *template, fu_log_line *line,
                                        fu_template_stop *stop) {
    const uint8_t *start = p, *end = p + n, *required_end = NULL;
    fu_template_stop unused;
    fu_log_line required;
    if (template->escaped == FU_QUOTES_DOUBLED) return fu_read_value_line(p, n, template, line, stop == NULL ? &unused : stop);
    memset(line, 0, sizeof *line);
    line->status = -1;
    if (template->is_exact) line->plain = 1u << FU_FIELD_METHOD | 1u << FU_FIELD_TARGET | 1u << FU_FIELD_PROTOCOL;
    p = fu_log_after_nuls(p, end);
    for (int i = 0; i < template->count; i++) {
        const fu_template_step *step = &template->steps[i];
        fu_slice *field = &line->fields[step->field];
        if (step->flag == FU_FLAG_OPTIONAL) {
            required_end = p;
            required = *line;
        }
        if (stop != NULL) fu_set_stop(stop, i, start, p);
        p = fu_template_field(p, end, template, step, line);
        if (p != NULL && step->flag == FU_FLAG_FIRST) fu_keep_first(field);
        if (p != NULL && step->field == FU_FIELD_CLIENT && !fu_may_be_client(field->p, field->n, end)) p = NULL;
        if (p == NULL || (size_t)(end - p) < step->length || memcmp(p, template->data + step->at, step->length) != 0) {
            if (stop != NULL && p != NULL) {
                size_t same = 0;
                while (same < step->length && same < (size_t)(end - p) && p[same] == template->data[step->at + same]) same++;
                fu_set_stop(stop, i + (same > 0 || p == end), start, p + same); /* the field is there, the next one is missing */
            }
            if (required_end == NULL) return 0;
            p = required_end;
            *line = required;
            break;
        }
        p += step->length;
        if (step->field == FU_FIELD_DURATION && step->program_length)
            fu_template_duration(field, template->data[step->program_at], line);
        if (!template->is_exact && step->field != FU_FIELD_REQUEST && !fu_log_field_says(field)) field->p = NULL;
    }
    if (line->moment.day == 0) line->moment.is_read = 0; /* a time of day without a date */
    if (p == end) return 1;
    if (stop != NULL) fu_set_stop(stop, template->count, start, p);
    if (!template->has_more || p == start) return 0;
    return template->is_exact ? fu_template_more_is_fields(p, end) : fu_log_more_is_fields(p, end);
}

#endif
