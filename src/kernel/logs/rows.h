/* Turn log lines into Arrow columns: one row per URL of a record, or per line that is a URL. Columns hold views of the block
 * of lines. Text that differs from the line (times, unescaped text) goes to an arena. The arena share of a line is at most
 * as long as the line, plus FU_TEMPLATE_ARENA_A_LINE for a line read by a template. */
#ifndef FASTURL_LOGS_ROWS_H
#define FASTURL_LOGS_ROWS_H

#include "columns/view.h"
#include "logs/escapes.h"
#include "logs/line.h"
#include "logs/object.h"
#include "logs/template.h"
#include "logs/time.h"

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
    const uint8_t *line_end;   /* the end of the current line, after stripping */
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

static inline size_t fu_count_octet(const uint8_t *p, size_t n, uint8_t octet) {
    size_t count = 0, i = 0;
#ifdef FU_LOG_VECTORS
    const __m128i wanted = _mm_set1_epi8((char)octet), zero = _mm_setzero_si128();
    while (n - i >= 16) {
        /* Each lane counts up to 255. Then the lanes are summed. */
        const size_t end = n - i >= 255 * 16 ? i + 255 * 16 : n - (n - i) % 16;
        __m128i seen = zero, sums;
        for (; i < end; i += 16) seen = _mm_sub_epi8(seen, _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(p + i)), wanted));
        sums = _mm_sad_epu8(seen, zero);
        count += (size_t)_mm_cvtsi128_si32(sums) + (size_t)_mm_cvtsi128_si32(_mm_srli_si128(sums, 8));
    }
#endif
    for (; i < n; i++) count += p[i] == octet;
    return count;
}

/* --- lines ----------------------------------------------------------------------------------------------------------- */

/* Find the end of the line at lines->at. The block must end with a separator. */
static inline size_t fu_line_length(fu_lines *lines) {
    lines->separated = (const uint8_t *)memchr(lines->at, lines->separator, (size_t)(lines->end - lines->at));
    lines->line_end = lines->separated;
    if (lines->strips_return && lines->line_end > lines->at && lines->line_end[-1] == '\r') lines->line_end--;
    return (size_t)(lines->line_end - lines->at);
}

static inline void fu_next_line(fu_lines *lines) {
    lines->at = lines->separated + 1;
    lines->number++;
}

/* --- values of a row ------------------------------------------------------------------------------------------------- */

static inline void fu_set_row_bit(uint8_t *bits, int64_t row) { bits[row >> 3] |= (uint8_t)(1u << (row & 7)); }

static inline void fu_put_log_view(fu_log_rows *out, int column, const fu_view *view, int valid) {
    static const fu_view nothing = {0, {0, 0, 0, 0}, 0, 0};
    if (out->views[column] == NULL) return;
    out->views[column][out->rows] = valid ? *view : nothing;
    if (valid)
        fu_set_row_bit(out->validity[column], out->rows);
    else
        out->nulls[column]++;
}

/* Copy a short text into a view with overlapping loads, without a loop or a call. */
static inline void fu_short_octets(uint8_t *to, const uint8_t *p, size_t n) {
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
        fu_short_octets((uint8_t *)view + 4, p, n);
        return;
    }
    memcpy(view->octets, p, 4);
    view->buffer = buffer;
    view->offset = (int32_t)(p - base);
}

/* Return a view of a field, or of its unescaped copy in the arena. */
static inline fu_view fu_log_text(fu_log_rows *out, const fu_log_field *field, int is_plain) {
    fu_view view = {0, {0, 0, 0, 0}, 0, 0};
    if (field->start == NULL) return view;
    if (is_plain || memchr(field->start, '\\', field->length) == NULL) {
        fu_place_view(&view, field->start, field->length, out->buffer, out->block);
    } else {
        uint8_t *octets = out->arena + out->arena_used;
        const size_t length = fu_unescape_as(out->escaped, field->start, field->length, octets);
        fu_view_of(&view, octets, length, 0, (int64_t)out->arena_used);
        out->arena_used += length;
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
static inline int fu_log_time_text(fu_log_rows *out, const fu_log_field *time, fu_view *view) {
    const int keeps = time->length == FU_LOG_TIME_KEPT;
    uint8_t *octets = out->arena + out->arena_used;
    size_t length = 0;
    if (keeps && memcmp(time->start, out->time, FU_LOG_TIME_KEPT) == 0) {
        *view = out->time_view;
        return 1;
    }
    if (keeps) length = fu_same_day(out, time->start, octets);
    if (length == 0) length = fu_iso_time(time->start, time->length, octets);
    if (length == 0) length = fu_checked_iso_time(time->start, time->length, octets);
    if (length == FU_TIME_IMPOSSIBLE) {
        out->arena_used += time->length; /* it was written */
        return 0;
    }
    if (length == 0) {
        fu_view_of(view, time->start, time->length, out->buffer, time->start - out->block);
        return 1;
    }
    fu_view_of(view, octets, length, 0, (int64_t)out->arena_used);
    out->arena_used += length;
    if (keeps && time->start[18] != '6') { /* a leap second, which may have become the next day */
        memcpy(out->time, time->start, FU_LOG_TIME_KEPT);
        out->time_view = *view;
    }
    return 1;
}

static inline int fu_moment_view(fu_log_rows *out, const fu_moment *moment, fu_view *view) {
    uint8_t *octets = out->arena + out->arena_used;
    const size_t length = fu_moment_text(moment, octets);
    fu_view_of(view, octets, length, 0, (int64_t)out->arena_used);
    out->arena_used += length;
    return length != 0;
}

static inline void fu_put_log_bit(fu_log_rows *out, int column, int has) {
    if (has)
        fu_set_row_bit(out->validity[column], out->rows);
    else
        out->nulls[column]++;
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
        out->duration[row] = line->has_duration ? line->duration : 0;
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
    const uint8_t *p = record->request.start, *base = out->block;
    size_t n = record->request.length;
    int32_t buffer = out->buffer;
    if (!record->is_plain && memchr(p, '\\', n) != NULL) {
        uint8_t *octets = out->arena + out->arena_used;
        n = fu_unescape_as(out->escaped, p, n, octets);
        out->arena_used += n;
        p = octets;
        base = out->arena;
        buffer = 0;
    }
    *line = fu_split_request(p, n);
    fu_place_view(target, line->target.start, line->target.length, buffer, base);
    if (line->method.start != NULL) fu_place_view(method, line->method.start, line->method.length, buffer, base);
    if (line->protocol.start != NULL) fu_place_view(protocol, line->protocol.start, line->protocol.length, buffer, base);
}

static inline int fu_log_is_there(const fu_log_field *field) { return field->start != NULL && field->length > 0; }

/* Join a path and a query that are separate fields. Apache's query begins with its question mark. */
static inline fu_view fu_joined_target(fu_log_rows *out, const fu_log_line *line) {
    fu_view view;
    uint8_t *octets = out->arena + out->arena_used;
    size_t length = 0;
    if (line->target.start != NULL) length = fu_unescape_as(out->escaped, line->target.start, line->target.length, octets);
    if (line->query.start[0] != '?') octets[length++] = '?';
    length += fu_unescape_as(out->escaped, line->query.start, line->query.length, octets + length);
    fu_view_of(&view, octets, length, 0, (int64_t)out->arena_used);
    out->arena_used += length;
    return view;
}

/* Set the request columns from the request line, or from separate fields. */
static inline void fu_put_log_request(fu_log_rows *out, const fu_log_line *line, fu_view *views, int *valid) {
    fu_request_line request;
    if (line->request.start != NULL) {
        if (fu_is_no_request(line->request.start, line->request.length)) {
            valid[FU_LOG_URL] = valid[FU_LOG_METHOD] = valid[FU_LOG_PROTOCOL] = 0;
            return;
        }
        fu_log_request(out, line, &views[FU_LOG_METHOD], &views[FU_LOG_URL], &views[FU_LOG_PROTOCOL], &request);
        valid[FU_LOG_URL] = 1;
        valid[FU_LOG_METHOD] = request.method.start != NULL;
        valid[FU_LOG_PROTOCOL] = request.protocol.start != NULL;
        return;
    }
    valid[FU_LOG_URL] =
        fu_log_is_there(&line->target) || fu_log_is_there(&line->query) || (line->is_object && line->target.start != NULL);
    valid[FU_LOG_METHOD] = fu_log_is_there(&line->method);
    valid[FU_LOG_PROTOCOL] = fu_log_is_there(&line->protocol);
    views[FU_LOG_METHOD] = fu_log_text(out, &line->method, line->is_plain_target);
    views[FU_LOG_PROTOCOL] = fu_log_text(out, &line->protocol, line->is_plain_target);
    views[FU_LOG_URL] =
        fu_log_is_there(&line->query) ? fu_joined_target(out, line) : fu_log_text(out, &line->target, line->is_plain_target);
}

/* Append the rows of a record: one for its target, and with one row per URL another for its referer. */
static inline void fu_put_log_line(fu_log_rows *out, const fu_log_line *line, int64_t number) {
    fu_view views[FU_LOG_VIEWS];
    int valid[FU_LOG_VIEWS];
    const int has_referer = fu_log_field_says(&line->referer) && line->referer.length > 0;
    fu_put_log_request(out, line, views, valid);
    valid[FU_LOG_CLIENT] = fu_log_is_there(&line->client);
    valid[FU_LOG_TIME] = line->moment.is_read || fu_log_field_says(&line->time);
    valid[FU_LOG_USER] = fu_log_field_says(&line->user);
    valid[FU_LOG_AGENT] = fu_log_field_says(&line->agent);
    valid[FU_LOG_VHOST] = fu_log_is_there(&line->vhost);
    valid[FU_LOG_REFERER] = out->by_request && has_referer;
    for (int i = 0; i < 3; i++) {
        const fu_log_field *field = &line->fields[FU_FIELD_FORWARDED + i];
        valid[FU_LOG_FORWARDED + i] = fu_log_field_says(field) && field->length > 0;
        if (valid[FU_LOG_FORWARDED + i] && out->views[FU_LOG_FORWARDED + i] != NULL)
            views[FU_LOG_FORWARDED + i] = fu_log_text(out, field, line->is_plain);
    }
    if (valid[FU_LOG_CLIENT])
        fu_place_view(&views[FU_LOG_CLIENT], line->client.start, line->client.length, out->buffer, out->block);
    if (valid[FU_LOG_VHOST]) fu_place_view(&views[FU_LOG_VHOST], line->vhost.start, line->vhost.length, out->buffer, out->block);
    if (line->is_object) { /* other servers write no escape sequences into these */
        views[FU_LOG_CLIENT] = fu_log_text(out, &line->client, 0);
        views[FU_LOG_VHOST] = fu_log_text(out, &line->vhost, 0);
    }
    if (out->views[FU_LOG_TIME] != NULL && valid[FU_LOG_TIME])
        valid[FU_LOG_TIME] = line->moment.is_read ? fu_moment_view(out, &line->moment, &views[FU_LOG_TIME])
                                                  : fu_log_time_text(out, &line->time, &views[FU_LOG_TIME]);
    if (out->views[FU_LOG_USER] != NULL) views[FU_LOG_USER] = fu_log_text(out, &line->user, line->is_plain);
    if (out->views[FU_LOG_AGENT] != NULL) views[FU_LOG_AGENT] = fu_log_text(out, &line->agent, line->is_plain);
    if (valid[FU_LOG_REFERER] && out->views[FU_LOG_REFERER] != NULL)
        views[FU_LOG_REFERER] = fu_log_text(out, &line->referer, line->is_plain);
    for (int referer = 0; referer <= (has_referer && !out->by_request); referer++) {
        if (!referer && !valid[FU_LOG_URL] && !out->by_request) continue;
        if (referer) {
            views[FU_LOG_URL] = fu_log_text(out, &line->referer, line->is_plain);
            valid[FU_LOG_URL] = 1;
        }
        for (int column = 0; column < FU_LOG_VIEWS; column++) fu_put_log_view(out, column, &views[column], valid[column]);
        fu_put_log_numbers(out, line, number, referer);
        out->rows++;
    }
}

/* Append the rows of lines. Stop at the end of the block, at a line that is no record, or when there is no space. Count
 * empty lines. Without a template and without objects, read a common log. */
static inline void fu_put_log_lines(fu_log_rows *out, fu_lines *lines, int vhost, int combined, const fu_line_template *template,
                                    const fu_object_template *objects) {
    fu_log_line line;
    memset(&line, 0, sizeof line);
    while (lines->at < lines->end && lines->number < lines->last) {
        const size_t length = fu_line_length(lines);
        if (length == 0)
            out->empty++;
        else if (template != NULL  ? fu_read_template_line(lines->at, length, template, &line, NULL)
                 : objects != NULL ? fu_read_object_line(lines->at, length, objects, &line)
                                   : fu_read_log_line(lines->at, length, vhost, combined, &line))
            fu_put_log_line(out, &line, lines->number);
        else
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
