/* Turn log lines into Arrow columns: one row per URL of a record, or per line that is a URL. Columns hold views of the block
 * of lines. Text that differs from the line (times, unescaped text) goes to an arena. The arena share of a line is at most
 * as long as the line, plus FU_TEMPLATE_ARENA_A_LINE for a line read by a template. */
#ifndef FASTURL_LOGS_ROWS_H
#define FASTURL_LOGS_ROWS_H

#include "columns/view.h"
#include "logs/escapes.h"
#include "logs/line.h"
#include "logs/object.h"
#include "logs/prefix.h"
#include "logs/template.h"

#define FU_LOG_ROWS_A_LINE 2 /* one row per URL: the target and the referer */
#define FU_LOG_TIME_KEPT 26  /* bytes of Apache's time with two digits of the day, without a fraction */
/* Arena bytes of a line beyond its length: its time, and the question mark between path and query. */
#define FU_TEMPLATE_ARENA_A_LINE (FU_MOMENT_TEXT_MAX + 1)

enum {
    FU_LOG_URL,
    FU_LOG_CLIENT,
    FU_LOG_USER,
    FU_LOG_TIME,
    FU_LOG_METHOD,
    FU_LOG_PROTOCOL,
    FU_LOG_AGENT,
    FU_LOG_VHOST,
    FU_LOG_FORWARDED,
    FU_LOG_REQUEST_ID,
    FU_LOG_CACHE_STATUS,
    FU_LOG_REFERER, /* only with one row per request */
    FU_LOG_VIEWS,
    FU_LOG_STATUS = FU_LOG_VIEWS,
    FU_LOG_SIZE,
    FU_LOG_DURATION,
    FU_LOG_REQUEST_LENGTH,
    FU_LOG_COLUMNS
};

typedef struct {
    const uint8_t *at, *end;   /* the start of the next line, and the end of the block */
    int64_t number, last;      /* the number of the next line, and of the first line without space */
    uint8_t separator;
    int strips_return;         /* strip a carriage return before the separator */
    const uint8_t *separated;  /* the separator of the current line */
} fu_lines;

typedef struct {
    int64_t rows, empty;
    int escaped;    /* how the server escapes fields */
    int by_request; /* one row per line, with a column for the referer */
    const uint8_t *block;
    int32_t buffer; /* the number of the block in views; the arena is buffer 0 */
    int64_t *numbers;
    int8_t *fields;   /* 0 for a target, 1 for a referer */
    uint8_t *targets; /* one bit per row: 1 for a target */
    fu_view *views[FU_LOG_VIEWS]; /* NULL: the column is not wanted */
    uint8_t *validity[FU_LOG_COLUMNS];
    int64_t nulls[FU_LOG_COLUMNS];
    int16_t *status;
    uint64_t *size;
    double *duration;          /* NULL: the column is not wanted */
    uint64_t *request_length;  /* NULL: the column is not wanted */
    uint8_t *arena;
    size_t arena_used;
    /* The last converted time. Neighbouring lines often have the same second or day. */
    uint8_t time[FU_LOG_TIME_KEPT];
    fu_view time_view;
} fu_log_rows;

static inline size_t fu_count_byte(const uint8_t *p, size_t n, uint8_t byte) {
    size_t count = 0, i = 0;
#ifdef FU_LOG_VECTORS
    const __m128i wanted = _mm_set1_epi8((char)byte), zero = _mm_setzero_si128();
    while (n - i >= 16) {
        /* Each lane counts up to 255. Then the lanes are summed. */
        const size_t end = n - i >= 255 * 16 ? i + 255 * 16 : n - (n - i) % 16;
        __m128i seen = zero, sums;
        for (; i < end; i += 16) seen = _mm_sub_epi8(seen, _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(p + i)), wanted));
        sums = _mm_sad_epu8(seen, zero);
        count += (size_t)_mm_cvtsi128_si32(sums) + (size_t)_mm_cvtsi128_si32(_mm_srli_si128(sums, 8));
    }
#endif
    for (; i < n; i++) count += p[i] == byte;
    return count;
}

/* --- lines ----------------------------------------------------------------------------------------------------------- */

/* Find the end of the line at lines->at, and return its length after stripping. The block must end with a separator. */
static inline size_t fu_line_length(fu_lines *lines) {
    const uint8_t *end = (const uint8_t *)memchr(lines->at, lines->separator, (size_t)(lines->end - lines->at));
    lines->separated = end;
    if (lines->strips_return && end > lines->at && end[-1] == '\r') end--;
    return (size_t)(end - lines->at);
}

static inline void fu_next_line(fu_lines *lines) {
    lines->at = lines->separated + 1;
    lines->number++;
}

/* --- values of a row ------------------------------------------------------------------------------------------------- */

static inline void fu_set_row_bit(uint8_t *bits, int64_t row) { bits[row >> 3] |= (uint8_t)(1u << (row & 7)); }

static inline void fu_put_log_bit(fu_log_rows *out, int column, int has) {
    if (has)
        fu_set_row_bit(out->validity[column], out->rows);
    else
        out->nulls[column]++;
}

static inline void fu_put_log_view(fu_log_rows *out, int column, const fu_view *view, int valid) {
    static const fu_view nothing = {0, {0, 0, 0, 0}, 0, 0};
    if (out->views[column] == NULL) return;
    out->views[column][out->rows] = valid ? *view : nothing;
    fu_put_log_bit(out, column, valid);
}

/* Copy a short text into a view with overlapping loads, without a loop or a call. */
static inline void fu_short_bytes(uint8_t *to, const uint8_t *p, size_t n) {
#ifdef FU_LITTLE_ENDIAN
    uint32_t first = 0, last = 0;
    uint64_t eight = 0;
    if (n >= 8) {
        memcpy(&eight, p, 8);
        memcpy(&last, p + n - 4, 4);
        last = (uint32_t)((uint64_t)last >> (8 * (FU_VIEW_INLINE_MAX - n)));
    } else if (n >= 4) {
        memcpy(&first, p, 4);
        memcpy(&last, p + n - 4, 4);
        eight = first | (uint64_t)last << (8 * (n - 4));
        last = 0;
    } else if (n) {
        eight = p[0] | (uint64_t)p[n / 2] << (8 * (n / 2)) | (uint64_t)p[n - 1] << (8 * (n - 1));
    }
    memcpy(to, &eight, 8);
    memcpy(to + 8, &last, 4);
#else
    memset(to, 0, FU_VIEW_INLINE_MAX);
    if (n) memcpy(to, p, n);
#endif
}

/* Point a view at bytes of the block or of the arena. */
static inline void fu_place_view(fu_view *view, const uint8_t *p, size_t n, int32_t buffer, const uint8_t *base) {
    view->length = (int32_t)n;
    if (n <= FU_VIEW_INLINE_MAX) {
        fu_short_bytes((uint8_t *)view + 4, p, n);
        return;
    }
    memcpy(view->data, p, 4);
    view->buffer = buffer;
    view->offset = (int32_t)(p - base);
}

/* Point a view at text that was written to the end of the arena. */
static inline void fu_view_of_arena(fu_view *view, fu_log_rows *out, size_t length) {
    fu_view_of(view, out->arena + out->arena_used, length, 0, (int64_t)out->arena_used);
    out->arena_used += length;
}

/* Return a view of a field, or of its unescaped copy in the arena. */
static inline fu_view fu_log_text(fu_log_rows *out, const fu_log_line *line, int name) {
    const fu_slice *field = &line->fields[name];
    fu_view view = {0, {0, 0, 0, 0}, 0, 0};
    if (field->p == NULL) return view;
    if (fu_is_plain_field(line, name) || (out->escaped != FU_QUOTES_DOUBLED && memchr(field->p, '\\', field->n) == NULL)) {
        fu_place_view(&view, field->p, field->n, out->buffer, out->block);
    } else {
        fu_view_of_arena(&view, out, fu_unescape_as(out->escaped, field->p, field->n, out->arena + out->arena_used));
    }
    return view;
}

/* Return 1 if eight bytes are a time of day such as 10:05:03. The sums carry into the top bit if a digit is above the most:
 * 29:59:59. */
static inline int fu_is_clock(const uint8_t *p) {
    static const uint8_t shape[] = "00:00:00", most[] = "\x7d\x76\x7f\x7a\x76\x7f\x7a\x76";
    uint64_t clock, zeros, bounds;
    memcpy(&clock, p, 8);
    memcpy(&zeros, shape, 8);
    memcpy(&bounds, most, 8);
    clock ^= zeros;
    return ((clock | (clock + bounds)) & 0x8080808080808080u) == 0 && (p[0] != '2' || p[1] < '4');
}

/* Write a time with the date and zone of the last one by replacing its time of day. Return 0 for other times. */
static inline size_t fu_same_day(const fu_log_rows *out, const uint8_t *p, uint8_t *to) {
    const size_t clock = 12, zone = 20, iso_clock = 11, length = 25;
    if (memcmp(p, out->time, clock) != 0 || memcmp(p + zone, out->time + zone, FU_LOG_TIME_KEPT - zone) != 0) return 0;
    if (!fu_is_clock(p + clock)) return 0;
    memcpy(to, out->arena + out->time_view.offset, length);
    memcpy(to + iso_clock, p + clock, 8);
    return length;
}

/* Set the time as ISO 8601, or as written if its form is unknown. Return 0 for an impossible time. */
static inline int fu_log_time_text(fu_log_rows *out, const fu_slice *time, fu_view *view) {
    const int keeps = time->n == FU_LOG_TIME_KEPT;
    uint8_t *data = out->arena + out->arena_used;
    size_t length = 0;
    if (keeps && memcmp(time->p, out->time, FU_LOG_TIME_KEPT) == 0) {
        *view = out->time_view;
        return 1;
    }
    if (keeps) length = fu_same_day(out, time->p, data);
    if (length == 0) length = fu_iso_time(time->p, time->n, data);
    if (length == 0) length = fu_checked_iso_time(time->p, time->n, data);
    if (length == FU_TIME_IMPOSSIBLE) {
        out->arena_used += time->n; /* it was written */
        return 0;
    }
    if (length == 0) {
        fu_view_of(view, time->p, time->n, out->buffer, time->p - out->block);
        return 1;
    }
    fu_view_of_arena(view, out, length);
    /* Not a leap second, which may have become the next day, nor a year of which not every time in a zone is possible. */
    if (keeps && time->p[18] != '6' && memcmp(data, "0001", 4) != 0 && memcmp(data, "9999", 4) != 0) {
        memcpy(out->time, time->p, FU_LOG_TIME_KEPT);
        out->time_view = *view;
    }
    return 1;
}

static inline int fu_moment_view(fu_log_rows *out, const fu_moment *moment, fu_view *view) {
    const size_t length = fu_moment_text(moment, out->arena + out->arena_used);
    if (length == FU_TIME_IMPOSSIBLE) return 0;
    fu_view_of_arena(view, out, length);
    return 1;
}

/* Join a date and a time of day, which are UTC. Return 0 for an impossible time. */
static inline int fu_utc_view(fu_log_rows *out, const fu_log_line *line, fu_view *view) {
    uint8_t *data = out->arena + out->arena_used, *at = data;
    memcpy(at, line->time.p, line->time.n);
    at += line->time.n;
    *at++ = 'T';
    memcpy(at, line->clock.p, line->clock.n);
    at += line->clock.n;
    *at++ = 'Z';
    out->arena_used += (size_t)(at - data);
    if (fu_checked_iso_time(data, (size_t)(at - data), data) == FU_TIME_IMPOSSIBLE) return 0;
    fu_view_of(view, data, (size_t)(at - data), 0, (int64_t)(data - out->arena));
    return 1;
}

/* Round a duration to nanoseconds, the finest unit that is read. A sum of decimal fractions may be off in its last digit:
 * 0.0009299999999999999 for 0.00093. */
static inline double fu_nearest_nanosecond(double seconds) {
    return seconds > 0 && seconds < 1e6 ? (double)(int64_t)(seconds * 1e9 + 0.5) / 1e9 : seconds;
}

static inline void fu_put_log_numbers(fu_log_rows *out, const fu_log_line *line, int64_t number, int referer) {
    const int64_t row = out->rows;
    out->numbers[row] = number;
    out->fields[row] = (int8_t)referer;
    if (!referer) fu_set_row_bit(out->targets, row);
    out->status[row] = (int16_t)(line->status < 0 ? 0 : line->status);
    out->size[row] = line->has_size ? line->size : 0;
    fu_put_log_bit(out, FU_LOG_STATUS, line->status >= 0);
    fu_put_log_bit(out, FU_LOG_SIZE, line->has_size);
    if (out->duration != NULL) {
        out->duration[row] = line->has_duration ? fu_nearest_nanosecond(line->duration) : 0;
        fu_put_log_bit(out, FU_LOG_DURATION, line->has_duration);
    }
    if (out->request_length != NULL) {
        out->request_length[row] = line->has_request_length ? line->request_length : 0;
        fu_put_log_bit(out, FU_LOG_REQUEST_LENGTH, line->has_request_length);
    }
}

/* --- rows ------------------------------------------------------------------------------------------------------------ */

/* Split a request line. One with escape sequences is unescaped into the arena first. */
static inline void fu_log_request(fu_log_rows *out, const fu_log_line *record, fu_view *method, fu_view *target,
                                  fu_view *protocol, fu_request_line *line) {
    const uint8_t *p = record->request.p, *base = out->block;
    size_t n = record->request.n;
    int32_t buffer = out->buffer;
    if (!fu_is_plain_field(record, FU_FIELD_REQUEST) && memchr(p, '\\', n) != NULL) {
        uint8_t *data = out->arena + out->arena_used;
        n = fu_unescape_as(out->escaped, p, n, data);
        out->arena_used += n;
        p = data;
        base = out->arena;
        buffer = 0;
    }
    if (n > 4 && *p == 0x1B && memcmp(p + n - 4, "\x1B[0m", 4) == 0) { /* Werkzeug colours requests by their status */
        const uint8_t *start = fu_behind_colour(p, p + n - 4);
        n -= 4 + (size_t)(start - p);
        p = start;
    }
    *line = fu_split_request(p, n);
    fu_place_view(target, line->target.p, line->target.n, buffer, base);
    if (line->method.p != NULL) fu_place_view(method, line->method.p, line->method.n, buffer, base);
    if (line->protocol.p != NULL) fu_place_view(protocol, line->protocol.p, line->protocol.n, buffer, base);
}

static inline int fu_log_is_there(const fu_slice *field) { return field->p != NULL && field->n > 0; }

static inline size_t fu_put_field(const fu_log_rows *out, const fu_log_line *line, int name, uint8_t *data) {
    const int escaped = fu_is_plain_field(line, name) ? FU_NOT_ESCAPED : out->escaped;
    return fu_unescape_as(escaped, line->fields[name].p, line->fields[name].n, data);
}

/* Join a path and a query that are separate fields. Apache's query begins with its question mark. */
static inline fu_view fu_joined_target(fu_log_rows *out, const fu_log_line *line) {
    fu_view view;
    uint8_t *data = out->arena + out->arena_used;
    size_t length = 0;
    if (line->target.p != NULL) length = fu_put_field(out, line, FU_FIELD_TARGET, data);
    if (line->query.p[0] != '?') data[length++] = '?';
    length += fu_put_field(out, line, FU_FIELD_QUERY, data + length);
    fu_view_of_arena(&view, out, length);
    return view;
}

/* Set the request columns from the request line, or from separate fields. */
static inline void fu_put_log_request(fu_log_rows *out, const fu_log_line *line, fu_view *views, int *valid) {
    fu_request_line request;
    if (line->request.p != NULL) {
        if (fu_is_no_request(line->request.p, line->request.n)) {
            valid[FU_LOG_URL] = valid[FU_LOG_METHOD] = valid[FU_LOG_PROTOCOL] = 0;
            return;
        }
        fu_log_request(out, line, &views[FU_LOG_METHOD], &views[FU_LOG_URL], &views[FU_LOG_PROTOCOL], &request);
        valid[FU_LOG_URL] = 1;
        valid[FU_LOG_METHOD] = request.method.p != NULL;
        valid[FU_LOG_PROTOCOL] = request.protocol.p != NULL;
        return;
    }
    valid[FU_LOG_URL] =
        fu_log_is_there(&line->target) || fu_log_is_there(&line->query) || (line->is_object && line->target.p != NULL);
    valid[FU_LOG_METHOD] = fu_log_is_there(&line->method);
    valid[FU_LOG_PROTOCOL] = fu_log_is_there(&line->protocol);
    views[FU_LOG_METHOD] = fu_log_text(out, line, FU_FIELD_METHOD);
    views[FU_LOG_PROTOCOL] = fu_log_text(out, line, FU_FIELD_PROTOCOL);
    views[FU_LOG_URL] = fu_log_is_there(&line->query) ? fu_joined_target(out, line) : fu_log_text(out, line, FU_FIELD_TARGET);
}

/* Append the rows of a record: one for its target, and with one row per URL another for its referer. */
static inline void fu_put_log_line(fu_log_rows *out, const fu_log_line *line, int64_t number) {
    fu_view views[FU_LOG_VIEWS];
    int valid[FU_LOG_VIEWS];
    const int has_referer = fu_log_field_says(&line->referer) && line->referer.n > 0;
    fu_put_log_request(out, line, views, valid);
    valid[FU_LOG_CLIENT] = fu_log_is_there(&line->client) && fu_log_field_says(&line->client) &&
                           !(line->client.n == 5 && memcmp(line->client.p, "unix:", 5) == 0); /* nginx's name of a socket */
    valid[FU_LOG_TIME] = line->moment.is_read || fu_log_field_says(&line->time);
    valid[FU_LOG_USER] = fu_log_field_says(&line->user);
    valid[FU_LOG_AGENT] = fu_log_field_says(&line->agent);
    valid[FU_LOG_VHOST] = fu_log_is_there(&line->vhost);
    valid[FU_LOG_REFERER] = out->by_request && has_referer;
    for (int i = 0; i < 3; i++) {
        const fu_slice *field = &line->fields[FU_FIELD_FORWARDED + i];
        valid[FU_LOG_FORWARDED + i] = fu_log_field_says(field) && field->n > 0;
        if (valid[FU_LOG_FORWARDED + i] && out->views[FU_LOG_FORWARDED + i] != NULL)
            views[FU_LOG_FORWARDED + i] = fu_log_text(out, line, FU_FIELD_FORWARDED + i);
    }
    if (valid[FU_LOG_CLIENT]) fu_place_view(&views[FU_LOG_CLIENT], line->client.p, line->client.n, out->buffer, out->block);
    if (valid[FU_LOG_VHOST]) fu_place_view(&views[FU_LOG_VHOST], line->vhost.p, line->vhost.n, out->buffer, out->block);
    if (line->is_object) { /* other servers write no escape sequences into these */
        views[FU_LOG_CLIENT] = fu_log_text(out, line, FU_FIELD_CLIENT);
        views[FU_LOG_VHOST] = fu_log_text(out, line, FU_FIELD_VHOST);
    }
    if (out->views[FU_LOG_TIME] != NULL && valid[FU_LOG_TIME])
        valid[FU_LOG_TIME] = line->moment.is_read    ? fu_moment_view(out, &line->moment, &views[FU_LOG_TIME])
                             : line->clock.p != NULL ? fu_utc_view(out, line, &views[FU_LOG_TIME])
                                                     : fu_log_time_text(out, &line->time, &views[FU_LOG_TIME]);
    if (out->views[FU_LOG_USER] != NULL) views[FU_LOG_USER] = fu_log_text(out, line, FU_FIELD_USER);
    if (out->views[FU_LOG_AGENT] != NULL) views[FU_LOG_AGENT] = fu_log_text(out, line, FU_FIELD_AGENT);
    if (valid[FU_LOG_REFERER] && out->views[FU_LOG_REFERER] != NULL)
        views[FU_LOG_REFERER] = fu_log_text(out, line, FU_FIELD_REFERER);
    for (int referer = 0; referer <= (has_referer && !out->by_request); referer++) {
        if (!referer && !valid[FU_LOG_URL] && !out->by_request) continue;
        if (referer) {
            views[FU_LOG_URL] = fu_log_text(out, line, FU_FIELD_REFERER);
            valid[FU_LOG_URL] = 1;
        }
        for (int column = 0; column < FU_LOG_VIEWS; column++) fu_put_log_view(out, column, &views[column], valid[column]);
        fu_put_log_numbers(out, line, number, referer);
        out->rows++;
    }
}

/* How to read lines: by a template, as objects, or as a common log. A prefix may stand before them, or `holder`, an object with
 * a text, may hold them. */
typedef struct {
    const fu_line_template *template;
    const fu_object_template *objects, *holder;
    int vhost, combined, prefix;
} fu_line_reader;

/* Return 1 and the unescaped text that an object holds, without the end of its line, and the time of the object. `data` has
 * space for n bytes. */
static inline int fu_held_line(const fu_line_reader *by, const uint8_t *p, size_t n, uint8_t *data, fu_slice *held,
                               fu_object_value *time) {
    const fu_object_value *value;
    const uint8_t *sender;
    fu_object_values found;
    memset(&found, 0, sizeof found);
    if (!fu_scan_json(p, p + n, by->holder, &found)) return 0;
    value = &found.values[FU_FIELD_TARGET];
    *time = found.values[FU_FIELD_TIME];
    if (value->rank == 0 || !value->is_text) return 0;
    held->p = data;
    held->n = fu_unescape_as(FU_ESCAPED_AS_JSON, value->start, value->length, data);
    while (held->n > 0 && (data[held->n - 1] == '\n' || data[held->n - 1] == '\r')) held->n--;
    if (memchr(data, '\n', held->n) != NULL || (held->n == 0 && by->prefix == FU_PREFIX_FIELD)) return 0;
    sender = by->prefix == FU_PREFIX_FIELD ? NULL : fu_prefix_sender(data, data + held->n);
    if (sender != NULL) {
        held->n -= (size_t)(sender - data);
        held->p = sender;
    }
    return 1;
}

/* Return 1 and the fields if the line is a record. */
static inline int fu_read_line(const fu_line_reader *by, const uint8_t *p, size_t n, fu_log_line *line) {
    if (by->template != NULL) return fu_read_template_line(p, n, by->template, line, NULL);
    if (by->objects != NULL) return fu_read_object_line(p, n, by->objects, line);
    if (!fu_read_log_line(p, n, by->vhost, by->combined, line)) return 0;
    if (fu_may_follow_file(&line->client)) fu_without_file(&line->client);
    if (fu_may_have_port(&line->client)) fu_without_port(&line->client);
    return 1;
}

/* Append the rows of one line and return 1, or 0 if it is not a record. */
static inline int fu_put_line(fu_log_rows *out, const fu_line_reader *by, const uint8_t *p, size_t n, int64_t number,
                              fu_log_line *line) {
    if (n == 0) {
        out->empty++;
        return 1;
    }
    if (!fu_read_line(by, p, n, line)) return 0;
    fu_put_log_line(out, line, number);
    return 1;
}

/* Set the time if the value is one in ISO 8601. */
static inline void fu_held_moment(const fu_object_value *value, fu_moment *moment) {
    static const uint8_t iso[] = "Y=-m=-d=TH=:M=:S";
    const uint8_t *p = value->start, *end = p + value->length;
    fu_moment read;
    if (value->rank == 0) return;
    memset(&read, 0, sizeof read);
    p = fu_read_moment(p, end, iso, sizeof iso - 1, &read);
    if (p == NULL) return;
    if (p < end) fu_moment_tail(p + (*p == '.'), end, *p == '.', &read);
    *moment = read;
}

/* As fu_put_line, for a line with a prefix. A line without it is read as it is, unless the user has named a field. */
FU_NOINLINE static int fu_put_prefixed_line(fu_log_rows *out, const fu_line_reader *by, const uint8_t *p, size_t n,
                                            int64_t number, fu_log_line *line) {
    fu_slice held;
    const uint8_t *block = out->block, *behind = by->holder != NULL ? NULL : fu_behind_prefix(by->prefix, p, p + n, &held);
    const int32_t buffer = out->buffer;
    fu_object_value time;
    int has_read;
    if (behind != NULL && behind < p + n) {
        if (!fu_read_line(by, behind, n - (size_t)(behind - p), line)) return 0;
        if (held.p != NULL && !line->moment.is_read && !fu_log_field_says(&line->time)) {
            line->time = held;
            line->clock.p = NULL;
        }
        fu_put_log_line(out, line, number);
        return 1;
    }
    if (behind != NULL) n = 0; /* nothing but the prefix */
    if (n == 0 || by->holder == NULL || !fu_held_line(by, p, n, out->arena + out->arena_used, &held, &time))
        return (n == 0 || by->prefix != FU_PREFIX_FIELD) && fu_put_line(out, by, p, n, number, line);
    out->block = out->arena;
    out->buffer = 0;
    out->arena_used += n;
    has_read = held.n == 0 || fu_read_line(by, held.p, held.n, line);
    if (held.n == 0) {
        out->empty++;
    } else if (has_read) { /* the arena has space for a moment only if a template reads the line */
        const int may_lack = by->template != NULL || by->objects != NULL;
        if (may_lack && !line->moment.is_read && !fu_log_field_says(&line->time)) fu_held_moment(&time, &line->moment);
        fu_put_log_line(out, line, number);
    }
    if (!has_read) out->arena_used -= n;
    out->block = block;
    out->buffer = buffer;
    return has_read;
}

/* Append the rows of lines. Stop at the end of the block, at a line that is not a record, or when there is no space. Count
 * empty lines. */
static inline void fu_put_log_lines(fu_log_rows *out, fu_lines *lines, const fu_line_reader *by) {
    fu_log_line line;
    memset(&line, 0, sizeof line);
    while (lines->at < lines->end && lines->number < lines->last) {
        const size_t length = fu_line_length(lines);
        if (by->prefix == FU_PREFIX_NONE ? !fu_put_line(out, by, lines->at, length, lines->number, &line)
                                         : !fu_put_prefixed_line(out, by, lines->at, length, lines->number, &line))
            return;
        fu_next_line(lines);
    }
}

/* Append one row per line that is not empty, after `rows` rows. Return the new number of rows. */
static inline int64_t fu_put_url_lines(fu_view *views, int64_t *numbers, int64_t rows, const uint8_t *block, int32_t buffer,
                                       fu_lines *lines) {
    while (lines->at < lines->end && lines->number < lines->last) {
        const size_t length = fu_line_length(lines);
        if (length != 0) {
            fu_view_of(&views[rows], lines->at, length, buffer, lines->at - block);
            numbers[rows++] = lines->number;
        }
        fu_next_line(lines);
    }
    return rows;
}

#endif
