/* Conversion of columns of views to Arrow's older types: texts with offsets, and times as numbers. No load leaves the slice of
 * a view. */
#ifndef FASTURL_VIEWCOLUMNS_H
#define FASTURL_VIEWCOLUMNS_H

#include <string.h>

#include "columns/view.h"

typedef struct {
    const fu_view *views;
    const uint8_t *validity; /* NULL: every row has a value */
    const uint8_t *const *data; /* the buffers that the views refer to */
    int64_t rows;
} fu_view_column;

static inline int fu_view_is_null(const fu_view_column *column, int64_t row) {
    return column->validity != NULL && !fu_bit_at(column->validity, row);
}

/* Return the sum of the lengths of all texts. */
static inline uint64_t fu_view_total(const fu_view_column *column) {
    uint64_t total = 0;
    for (int64_t row = 0; row < column->rows; row++)
        if (!fu_view_is_null(column, row)) total += (uint64_t)column->views[row].length;
    return total;
}

/* Write rows + 1 offsets, and the bytes of all texts. `data` has space for fu_view_total + FU_VIEW_COPY_SLACK bytes. A null
 * becomes an empty text. */
static inline void fu_copy_views(const fu_view_column *column, int32_t *offsets, uint8_t *data) {
    size_t used = 0;
    for (int64_t row = 0; row < column->rows; row++) {
        const fu_view *view = &column->views[row];
        offsets[row] = (int32_t)used;
        if (fu_view_is_null(column, row)) continue;
        fu_copy_of_view(data + used, fu_view_bytes(view, column->data), (size_t)view->length);
        used += (size_t)view->length;
    }
    offsets[column->rows] = (int32_t)used;
}

/* --- times ----------------------------------------------------------------------------------------------------------- */

#define FU_VIEW_TIME_LENGTH 19 /* without a fraction and a zone */
#define FU_VIEW_FRACTION_MAX 9
/* The first and the last second of the years 1 to 9999, which types of times have. */
#define FU_FIRST_SECOND (-62135596800)
#define FU_LAST_SECOND 253402300799

/* Return the value of two digits, or a number above 99 if either byte is not a digit. */
static inline unsigned fu_number_of_two(const uint8_t *p) {
    const unsigned tens = (unsigned)p[0] - '0', ones = (unsigned)p[1] - '0';
    return tens > 9 || ones > 9 ? 100 : tens * 10 + ones;
}

/* Return the days from 1970-01-01 to a day of the Gregorian calendar. The year is counted from March, so that a leap day is its
 * last day. */
static inline int64_t fu_days_to(int64_t year, unsigned month, unsigned day) {
    const int64_t moved = year - (month <= 2), cycle = moved / 400, of_cycle = moved - cycle * 400;
    const int64_t of_year = (153 * (int64_t)(month > 2 ? month - 3 : month + 9) + 2) / 5 + (int64_t)day - 1;
    return cycle * 146097 + of_cycle * 365 + of_cycle / 4 - of_cycle / 100 + of_year - 719468;
}

static inline unsigned fu_days_of_month(unsigned year, unsigned month) {
    static const uint8_t days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const int is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return days[month - 1] + (unsigned)(month == 2 && is_leap);
}

/* Read a fraction of a second, of which six digits count. Return its end, or NULL for no digit or too many. */
static inline const uint8_t *fu_view_fraction(const uint8_t *p, const uint8_t *end, int64_t *microseconds) {
    const uint8_t *start = p;
    int64_t unit = 100000;
    for (; p < end && *p >= '0' && *p <= '9'; p++, unit /= 10) *microseconds += (*p - '0') * unit;
    return p == start || p - start > FU_VIEW_FRACTION_MAX ? NULL : p;
}

/* Set the microseconds since 1970 of a time such as `2015-05-17T10:05:03.25+02:00`, and return 1. It ends in a zone, a Z, or
 * without one in UTC. Return 0 for any other form, for a day or an hour that does not exist, and for another year in UTC. */
static inline int fu_full_time(const uint8_t *p, size_t n, int64_t *microseconds) {
    const uint8_t *end = p + n, *at = p + FU_VIEW_TIME_LENGTH;
    unsigned century, year, month, day, hour, minute, second, zone_hour = 0, zone_minute = 0;
    int64_t fraction = 0, seconds, zone;
    int has_colon;
    if (n < FU_VIEW_TIME_LENGTH) return 0;
    if (p[4] != '-' || p[7] != '-' || p[10] != 'T' || p[13] != ':' || p[16] != ':') return 0;
    century = fu_number_of_two(p), year = fu_number_of_two(p + 2), month = fu_number_of_two(p + 5);
    day = fu_number_of_two(p + 8), hour = fu_number_of_two(p + 11), minute = fu_number_of_two(p + 14);
    second = fu_number_of_two(p + 17);
    if (century > 99 || year > 99 || century + year == 0 || month - 1 > 11 || hour > 23 || minute > 59 || second > 59) return 0;
    year += century * 100;
    if (day == 0 || day > fu_days_of_month(year, month)) return 0;
    if (at < end && *at == '.') at = fu_view_fraction(at + 1, end, &fraction);
    if (at == NULL) return 0;
    zone = at < end && *at == '-' ? -60 : 60;
    has_colon = end - at == 6 && at[3] == ':';
    if ((has_colon || end - at == 5) && (*at == '+' || *at == '-')) {
        zone_hour = fu_number_of_two(at + 1);
        zone_minute = fu_number_of_two(end - 2);
        if (zone_hour > 23 || zone_minute > 59) return 0;
    } else if (at != end && (end - at != 1 || *at != 'Z')) {
        return 0;
    }
    seconds = fu_days_to((int64_t)year, month, day) * 86400 + (int64_t)((hour * 60 + minute) * 60 + second);
    seconds -= zone * (int64_t)(zone_hour * 60 + zone_minute);
    *microseconds = seconds * 1000000 + fraction;
    return seconds >= FU_FIRST_SECOND && seconds <= FU_LAST_SECOND;
}

/* Write one time per row, 0 for a null. Return 0 if a text is not a full time. Neighbouring rows often have the same second, so
 * a repeated view is not parsed again. */
static inline int fu_put_view_times(const fu_view_column *column, int64_t *times) {
    const fu_view *last = NULL;
    int64_t time = 0;
    for (int64_t row = 0; row < column->rows; row++) {
        const fu_view *view = &column->views[row];
        times[row] = 0;
        if (fu_view_is_null(column, row)) continue;
        if (last == NULL || memcmp(view, last, sizeof *view) != 0) {
            if (!fu_full_time(fu_view_bytes(view, column->data), (size_t)view->length, &time)) return 0;
            last = view;
        }
        times[row] = time;
    }
    return 1;
}

#endif
