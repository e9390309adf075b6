/* Convert the time of an access log, 17/May/2015:10:05:03 +0000, to ISO 8601. */
#ifndef FASTURL_LOGS_TIME_H
#define FASTURL_LOGS_TIME_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline int fu_is_time_digit(uint8_t octet) { return octet >= '0' && octet <= '9'; }

/* Return 1 if the text has this shape: 0 stands for a digit, a for a letter, + for a sign. */
static inline int fu_has_time_shape(const uint8_t *p, const char *shape, size_t length) {
    for (size_t i = 0; i < length; i++) {
        const uint8_t letter = p[i] | 0x20;
        const int fits = shape[i] == '0'   ? fu_is_time_digit(p[i])
                         : shape[i] == 'a' ? letter >= 'a' && letter <= 'z'
                         : shape[i] == '+' ? p[i] == '+' || p[i] == '-'
                                           : p[i] == (uint8_t)shape[i];
        if (!fits) return 0;
    }
    return 1;
}

/* Return the number of the month that these three letters begin, or 0. */
static inline int fu_month_number(const uint8_t *p) {
    static const char months[] = "janfebmaraprmayjunjulaugsepoctnovdec";
    const uint8_t name[3] = {p[0] | 0x20, p[1] | 0x20, p[2] | 0x20};
    for (int month = 1; month <= 12; month++)
        if (memcmp(months + 3 * (month - 1), name, 3) == 0) return month;
    return 0;
}

static inline int fu_digit_pair(const uint8_t *p) { return (p[0] - '0') * 10 + (p[1] - '0'); }

static inline uint8_t *fu_put_two_digits(uint8_t *out, int number) {
    out[0] = (uint8_t)('0' + number / 10 % 10);
    out[1] = (uint8_t)('0' + number % 10);
    return out + 2;
}

static inline int fu_days_of_month(int year, int month) {
    const int is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return month == 2 ? 28 + is_leap : 30 + (month + (month > 7)) % 2;
}

/* Add one to two digits. Return 1 if they were `most` and are `least` now. */
static inline int fu_carry(uint8_t *p, int least, int most) {
    const int number = fu_digit_pair(p);
    fu_put_two_digits(p, number == most ? least : number + 1);
    return number == most;
}

/* Return 1 if the first 19 bytes, which have the shape 2015-05-17T10:05:03, are a possible time. A leap second, which ends a
 * quarter of an hour, becomes the next second. */
static inline int fu_settle_time(uint8_t *text) {
    const int century = fu_digit_pair(text), year = century * 100 + fu_digit_pair(text + 2), month = fu_digit_pair(text + 5);
    const int day = fu_digit_pair(text + 8), minute = fu_digit_pair(text + 14), second = fu_digit_pair(text + 17);
    if (year == 0 || month < 1 || month > 12 || day < 1 || day > fu_days_of_month(year, month)) return 0;
    if (fu_digit_pair(text + 11) > 23 || minute > 59 || second > 60) return 0;
    if (second < 60) return 1;
    if (minute % 15 != 14) return 0;
    fu_put_two_digits(text + 17, 0);
    if (!fu_carry(text + 14, 0, 59) || !fu_carry(text + 11, 0, 23)) return 1;
    if (!fu_carry(text + 8, 1, fu_days_of_month(year, month)) || !fu_carry(text + 5, 1, 12)) return 1;
    return !fu_carry(text + 2, 0, 99) || !fu_carry(text, 0, 99);
}

/* Return 1 if these four digits, without the sign before them, are a possible zone. */
static inline int fu_is_zone(const uint8_t *digits) { return fu_digit_pair(digits) < 24 && fu_digit_pair(digits + 2) < 60; }

/* The length of a time that cannot be, such as that of a 31st of February. */
#define FU_TIME_IMPOSSIBLE ((size_t)-1)

/* Write a date of HTTP, Sun, 17 May 2015 10:05:03 GMT, as fu_iso_time does. */
static inline size_t fu_iso_http_date(const uint8_t *p, size_t n, uint8_t *out) {
    static const char shape[] = "aaa, 00 aaa 0000 00:00:00 ", zone[] = "GMT";
    const size_t length = sizeof shape - 1;
    int month;
    if (n != length + sizeof zone - 1 || !fu_has_time_shape(p, shape, length) || memcmp(p + length, zone, sizeof zone - 1) != 0)
        return 0;
    month = fu_month_number(p + 8);
    if (month == 0) return 0;
    memcpy(out, p + 12, 4);
    out[4] = out[7] = '-';
    fu_put_two_digits(out + 5, month);
    memcpy(out + 8, p + 5, 2);
    out[10] = 'T';
    memcpy(out + 11, p + 17, 8);
    memcpy(out + 19, "+00:00", 6);
    return fu_settle_time(out) ? 25 : FU_TIME_IMPOSSIBLE;
}

/* Write the time as ISO 8601 and return its length, which is at most n. Return 0 for another form and FU_TIME_IMPOSSIBLE; the
 * output is then undefined. The day has one or two digits. A space may stand before the time of day. A fraction of a second and a zone may follow. */
static inline size_t fu_iso_time(const uint8_t *p, size_t n, uint8_t *out) {
    static const char shape[] = "/aaa/0000:00:00:00", zone[] = " +0000";
    const size_t shape_length = sizeof shape - 1, zone_length = sizeof zone - 1;
    const size_t days = n > 1 && fu_is_time_digit(p[1]) ? 2 : 1;
    const uint8_t *date, *at, *end = p + n;
    size_t fraction = 0, zoned;
    int month;
    if (n < days + shape_length) return 0;
    if (!fu_is_time_digit(p[0])) return fu_iso_http_date(p, n, out);
    date = p + days;
    if (!fu_has_time_shape(date, shape, 9) || (date[9] != ':' && date[9] != ' ')) return 0;
    if (!fu_has_time_shape(date + 10, shape + 10, shape_length - 10)) return 0;
    month = fu_month_number(date + 1);
    if (month == 0) return 0;
    at = date + shape_length;
    if (at < end && *at == '.') {
        for (fraction = 1; at + fraction < end && fu_is_time_digit(at[fraction]); fraction++) {}
        if (fraction < 2 || fraction > 10) return 0;
    }
    zoned = (size_t)(end - at) - fraction;
    if (zoned != 0 && (zoned != zone_length || !fu_has_time_shape(at + fraction, zone, zone_length))) return 0;
    memcpy(out, date + 5, 4);
    out[4] = out[7] = '-';
    out[5] = (uint8_t)('0' + month / 10);
    out[6] = (uint8_t)('0' + month % 10);
    out[8] = days == 2 ? p[0] : '0';
    out[9] = p[days - 1];
    out[10] = 'T';
    memcpy(out + 11, date + 10, 8 + fraction); /* the clock and its fraction */
    if (!fu_settle_time(out) || (zoned != 0 && !fu_is_zone(at + fraction + 2))) return FU_TIME_IMPOSSIBLE;
    if (zoned == 0) return 19 + fraction;
    memcpy(out + 19 + fraction, at + fraction + 1, 3);
    out[22 + fraction] = ':';
    memcpy(out + 23 + fraction, at + fraction + 4, 2);
    return 25 + fraction;
}

/* Return 1 if the text after a time of day is a possible zone, 0 if it is none, -1 if it is a zone that cannot be. */
static inline int fu_ends_in_zone(const uint8_t *p, size_t n) {
    size_t zone = n;
    uint8_t digits[4] = {'0', '0', '0', '0'};
    while (zone > 0 && p[zone - 1] != '+' && p[zone - 1] != '-') zone--;
    if (zone == 0) return 1; /* none, or Z */
    p += zone;
    n -= zone;
    if (n != 2 && n != 4 && n != 5) return 0;
    memcpy(digits, p, 2);
    if (n > 2) memcpy(digits + 2, p + n - 2, 2);
    if (!fu_has_time_shape(digits, "0000", 4) || (n == 5 && p[2] != ':')) return 0;
    return fu_is_zone(digits) ? 1 : -1;
}

/* As fu_iso_time, for a text that is ISO 8601 already. Its zone may have a colon, or be Z. */
static inline size_t fu_checked_iso_time(const uint8_t *p, size_t n, uint8_t *out) {
    static const char dates[2][11] = {"0000-00-00", "0000/00/00"}, clock[] = "00:00:00";
    const size_t days = sizeof dates[0] - 1, length = days + sizeof clock;
    const char *date;
    int zone;
    if (n < length) return 0;
    date = dates[p[4] == '/'];
    if (p[4] != (uint8_t)date[4] || (p[days] != 'T' && p[days] != 't' && p[days] != ' ')) return 0;
    if (!fu_has_time_shape(p, date, days) || !fu_has_time_shape(p + days + 1, clock, sizeof clock - 1)) return 0;
    zone = fu_ends_in_zone(p + length, n - length);
    if (zone == 0) return 0;
    if (out != p) memcpy(out, p, n);
    out[days] = 'T';
    out[4] = out[7] = '-';
    return fu_settle_time(out) && zone > 0 ? n : FU_TIME_IMPOSSIBLE;
}

#endif
