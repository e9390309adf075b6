/* Lines to Arrow columns: a row for each URL of a log's records, or for each line that is a URL. Nothing is made of a line
 * but views of the block it stands in; what differs from what stands there (times, unescaped text) goes to an arena, whose
 * share of a line is never longer than the line, and by a plan FU_PLAN_ARENA_A_LINE more. */
#ifndef FASTURL_LOGS_ROWS_H
#define FASTURL_LOGS_ROWS_H

#include "columns/view.h"
#include "logs/escapes.h"
#include "logs/line.h"
#include "logs/plan.h"
#include "logs/time.h"

#define FU_LOG_ROWS_A_LINE 2 /* of rows by URL: the target and the referer */
#define FU_LOG_TIME_KEPT 26  /* octets of a time in full */
/* Octets of the arena that a line by a plan may take beyond its own length: its time, and what joins path and query. */
#define FU_PLAN_ARENA_A_LINE (FU_MOMENT_TEXT_MAX + 1)

enum {
    FU_LOG_URL,
    FU_LOG_CLIENT,
    FU_LOG_USER,
    FU_LOG_TIME,
    FU_LOG_METHOD,
    FU_LOG_PROTOCOL,
    FU_LOG_AGENT,
    FU_LOG_VHOST,
    FU_LOG_REFERER, /* of rows by request only */
    FU_LOG_VIEWS,
    FU_LOG_STATUS = FU_LOG_VIEWS,
    FU_LOG_SIZE,
    FU_LOG_COLUMNS
};

typedef struct {
    const uint8_t *at, *end;   /* where the next line begins, and the end of the block */
    int64_t number, last;      /* of the next line, and behind the last one there is space for */
    uint8_t separator;
    int strips_return;         /* a carriage return before the separator is no part of the line */
    const uint8_t *line_end;   /* of the line that stopped the reader, without and with what was stripped */
    const uint8_t *separated;
} fu_lines;

typedef struct {
    int64_t rows, empty;
    int escaped;    /* how fields were escaped */
    int by_request; /* one row a line, with the referer in a column of its own */
    const uint8_t *block;
    int32_t buffer; /* by which views name the block; the arena is buffer 0 */
    int64_t *numbers;
    int8_t *fields;   /* 0 for a target, 1 for a referer */
    uint8_t *targets; /* a bit for each target */
    fu_view *views[FU_LOG_VIEWS]; /* NULL: the column is not wanted */
    uint8_t *validity[FU_LOG_COLUMNS];
    int64_t nulls[FU_LOG_COLUMNS];
    int16_t *status;
    uint64_t *size;
    uint8_t *arena;
    size_t arena_used;
    /* The last time that was converted: neighbours are often of the same second. */
    uint8_t time[FU_LOG_TIME_KEPT];
    fu_view time_view;
} fu_log_rows;

static inline size_t fu_count_octet(const uint8_t *p, size_t n, uint8_t octet) {
    size_t count = 0, i = 0;
#ifdef FU_LOG_VECTORS
    const __m128i wanted = _mm_set1_epi8((char)octet), zero = _mm_setzero_si128();
    while (n - i >= 16) {
        /* Each lane counts up to 255, then all are added up. */
        const size_t end = n - i >= 255 * 16 ? i + 255 * 16 : n - (n - i) % 16;
        __m128i seen = zero, sums;
        for (; i < end; i += 16)
            seen = _mm_sub_epi8(seen, _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(p + i)), wanted));
        sums = _mm_sad_epu8(seen, zero);
        count += (size_t)_mm_cvtsi128_si32(sums) + (size_t)_mm_cvtsi128_si32(_mm_srli_si128(sums, 8));
    }
#endif
    for (; i < n; i++) count += p[i] == octet;
    return count;
}

/* --- lines ----------------------------------------------------------------------------------------------------------- */

/* Find the end of the line at lines->at, which is before the end of a block that ends with a separator. */
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

/* The octets of a short text as they stand in a view: loads that overlap, without a loop or a call. */
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

/* A view of octets of the block, or of the arena. */
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

/* What a field says: a view of it where it stands, or of what its escapes stand for. */
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

/* Whether eight octets are a clock, 10:05:03: all digits are at most nine above 0, what stands between them is a colon. */
static inline int fu_is_clock(const uint8_t *p) {
    static const uint8_t shape[] = "00:00:00", most[] = "\x76\x76\x7f\x76\x76\x7f\x76\x76";
    uint64_t clock, zeros, bounds;
    memcpy(&clock, p, 8);
    memcpy(&zeros, shape, 8);
    memcpy(&bounds, most, 8);
    clock ^= zeros;
    return ((clock | (clock + bounds)) & 0x8080808080808080u) == 0;
}

/* A time of the day and the zone of the last one: its text with another clock. 0 for other times. */
static inline size_t fu_same_day(const fu_log_rows *out, const uint8_t *p, uint8_t *to) {
    const size_t clock = 12, zone = 20, iso_clock = 11, length = 25;
    if (memcmp(p, out->time, clock) != 0 || memcmp(p + zone, out->time + zone, FU_LOG_TIME_KEPT - zone) != 0) return 0;
    if (!fu_is_clock(p + clock)) return 0;
    memcpy(to, out->arena + out->time_view.offset, length);
    memcpy(to + iso_clock, p + clock, 8);
    return length;
}

/* The time in ISO 8601; as it stands where it is written in another form. */
static inline fu_view fu_log_time_text(fu_log_rows *out, const fu_log_field *time) {
    const int keeps = time->length == FU_LOG_TIME_KEPT;
    fu_view view;
    size_t length = 0;
    if (keeps && memcmp(time->start, out->time, FU_LOG_TIME_KEPT) == 0) return out->time_view;
    if (keeps) length = fu_same_day(out, time->start, out->arena + out->arena_used);
    if (length == 0) length = fu_iso_time(time->start, time->length, out->arena + out->arena_used);
    if (length == 0) {
        fu_view_of(&view, time->start, time->length, out->buffer, time->start - out->block);
        return view;
    }
    fu_view_of(&view, out->arena + out->arena_used, length, 0, (int64_t)out->arena_used);
    out->arena_used += length;
    if (keeps) {
        memcpy(out->time, time->start, FU_LOG_TIME_KEPT);
        out->time_view = view;
    }
    return view;
}

/* The time of a line by a plan. */
static inline fu_view fu_moment_view(fu_log_rows *out, const fu_moment *moment) {
    fu_view view;
    uint8_t *octets = out->arena + out->arena_used;
    const size_t length = fu_moment_text(moment, octets);
    fu_view_of(&view, octets, length, 0, (int64_t)out->arena_used);
    out->arena_used += length;
    return view;
}

static inline void fu_put_log_numbers(fu_log_rows *out, const fu_log_line *line, int64_t number, int referer) {
    const int64_t row = out->rows;
    out->numbers[row] = number;
    out->fields[row] = (int8_t)referer;
    if (!referer) fu_set_row_bit(out->targets, row);
    out->status[row] = (int16_t)(line->status < 0 ? 0 : line->status);
    out->size[row] = line->has_size ? line->size : 0;
    if (line->status < 0)
        out->nulls[FU_LOG_STATUS]++;
    else
        fu_set_row_bit(out->validity[FU_LOG_STATUS], row);
    if (line->has_size)
        fu_set_row_bit(out->validity[FU_LOG_SIZE], row);
    else
        out->nulls[FU_LOG_SIZE]++;
}

/* --- rows ------------------------------------------------------------------------------------------------------------ */

/* A request line that has escapes is split as the client sent it, in the arena; another where it stands. */
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

/* The target of which path and query are fields of their own. Apache gives the query its question mark. */
static inline fu_view fu_joined_target(fu_log_rows *out, const fu_log_line *line) {
    fu_view view;
    uint8_t *octets = out->arena + out->arena_used;
    size_t length = 0;
    if (line->target.start != NULL)
        length = fu_unescape_as(out->escaped, line->target.start, line->target.length, octets);
    if (line->query.start[0] != '?') octets[length++] = '?';
    length += fu_unescape_as(out->escaped, line->query.start, line->query.length, octets + length);
    fu_view_of(&view, octets, length, 0, (int64_t)out->arena_used);
    out->arena_used += length;
    return view;
}

/* What a line asks for, by its request line or by fields of their own. */
static inline void fu_put_log_request(fu_log_rows *out, const fu_log_line *line, fu_view *views, int *valid) {
    fu_request_line request;
    if (line->request.start != NULL) {
        fu_log_request(out, line, &views[FU_LOG_METHOD], &views[FU_LOG_URL], &views[FU_LOG_PROTOCOL], &request);
        valid[FU_LOG_URL] = 1;
        valid[FU_LOG_METHOD] = request.method.start != NULL;
        valid[FU_LOG_PROTOCOL] = request.protocol.start != NULL;
        return;
    }
    valid[FU_LOG_URL] = fu_log_is_there(&line->target) || fu_log_is_there(&line->query);
    valid[FU_LOG_METHOD] = fu_log_is_there(&line->method);
    valid[FU_LOG_PROTOCOL] = fu_log_is_there(&line->protocol);
    views[FU_LOG_METHOD] = fu_log_text(out, &line->method, line->is_plain);
    views[FU_LOG_PROTOCOL] = fu_log_text(out, &line->protocol, line->is_plain);
    views[FU_LOG_URL] =
        fu_log_is_there(&line->query) ? fu_joined_target(out, line) : fu_log_text(out, &line->target, line->is_plain);
}

/* The rows of a record: its target, and by URL its referer where there is one. */
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
    if (valid[FU_LOG_CLIENT])
        fu_place_view(&views[FU_LOG_CLIENT], line->client.start, line->client.length, out->buffer, out->block);
    if (valid[FU_LOG_VHOST])
        fu_place_view(&views[FU_LOG_VHOST], line->vhost.start, line->vhost.length, out->buffer, out->block);
    if (out->views[FU_LOG_TIME] != NULL && valid[FU_LOG_TIME])
        views[FU_LOG_TIME] = line->moment.is_read ? fu_moment_view(out, &line->moment) : fu_log_time_text(out, &line->time);
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
        for (int column = 0; column < FU_LOG_VIEWS; column++)
            fu_put_log_view(out, column, &views[column], valid[column]);
        fu_put_log_numbers(out, line, number, referer);
        out->rows++;
    }
}

/* The rows of the lines up to the end of the block, a line that is no record, or the last there is space for. Empty lines
 * are counted. Lines are read by the plan where there is one. */
static inline void fu_put_log_lines(fu_log_rows *out, fu_lines *lines, int vhost, int combined, const fu_log_plan *plan) {
    fu_log_line line;
    memset(&line, 0, sizeof line);
    while (lines->at < lines->end && lines->number < lines->last) {
        const size_t length = fu_line_length(lines);
        if (length == 0)
            out->empty++;
        else if (plan != NULL ? fu_read_plan_line(lines->at, length, plan, &line)
                              : fu_read_log_line(lines->at, length, vhost, combined, &line))
            fu_put_log_line(out, &line, lines->number);
        else
            return;
        fu_next_line(lines);
    }
}

/* A row for each line of a block that is not empty, after `rows` others; returns how many there are then. */
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
