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

/* Return 1 if a zone is possible for a time of the shape 2015-05-17T10:05:03: the time has a year from 1 to 9999 in UTC too,
 * which are the years that types of times have. */
static inline int fu_is_zone(const uint8_t *text, const uint8_t *zone) {
    const int hours = fu_digit_pair(zone + 1), minutes = fu_digit_pair(zone + 3), shift = hours * 60 + minutes;
    const int clock = fu_digit_pair(text + 11) * 60 + fu_digit_pair(text + 14);
    if (hours > 23 || minutes > 59) return 0;
    if (zone[0] == '-') return clock + shift < 24 * 60 || memcmp(text, "9999-12-31", 10) != 0;
    return clock >= shift || memcmp(text, "0001-01-01", 10) != 0;
}

/* Return 1 if the first 19 bytes, which have the shape 2015-05-17T10:05:03, are a possible time. A leap second, which ends a
 * quarter of an hour, becomes the next second. */
static inline int fu_settle_clock(uint8_t *text) {
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

/* As fu_settle_clock, for a time in a zone: a sign and four digits, or NULL for UTC. */
static inline int fu_settle_time(uint8_t *text, const uint8_t *zone) {
    return fu_settle_clock(text) && (zone == NULL || fu_is_zone(text, zone));
}

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
    return fu_settle_time(out, NULL) ? 25 : FU_TIME_IMPOSSIBLE;
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
    if (!fu_settle_time(out, zoned != 0 ? at + fraction + 1 : NULL)) return FU_TIME_IMPOSSIBLE;
    if (zoned == 0) return 19 + fraction;
    memcpy(out + 19 + fraction, at + fraction + 1, 3);
    out[22 + fraction] = ':';
    memcpy(out + 23 + fraction, at + fraction + 4, 2);
    return 25 + fraction;
}

/* Set the zone, a sign and four digits, at the end of a text. It may have a colon, or be Z, or missing. Return 0 for another
 * form. */
static inline int fu_zone_at_end(const uint8_t *p, size_t n, uint8_t *zone) {
    size_t at = n;
    memcpy(zone, "+0000", 5);
    while (at > 0 && p[at - 1] != '+' && p[at - 1] != '-') at--;
    if (at == 0) return 1;
    if (n - at != 2 && n - at != 4 && n - at != 5) return 0;
    memcpy(zone, p + at - 1, 3);
    if (n - at > 2) memcpy(zone + 3, p + n - 2, 2);
    return fu_has_time_shape(zone, "+0000", 5) && (n - at != 5 || p[at + 2] == ':');
}

/* As fu_iso_time, for a text that is ISO 8601 already. Its zone may have a colon, or be Z. A possible time that ends after the
 * date or the minute stays as written. */
static inline size_t fu_checked_iso_time(const uint8_t *p, size_t n, uint8_t *out) {
    static const char dates[2][11] = {"0000-00-00", "0000/00/00"}, clock[] = "00:00:00";
    const size_t days = sizeof dates[0] - 1, minutes = days + 6, seconds = days + sizeof clock;
    uint8_t text[] = "0000-00-00T00:00:00", zone[5];
    size_t read = days;
    if (n < days || !fu_has_time_shape(p, dates[p[4] == '/'], days)) return 0;
    if (n > days) {
        if (n < minutes || (p[days] != 'T' && p[days] != 't' && p[days] != ' ')) return 0;
        if (!fu_has_time_shape(p + days + 1, clock, 5)) return 0;
        read = n >= seconds && fu_has_time_shape(p + minutes, clock + 5, 3) ? seconds : minutes;
    }
    if (!fu_zone_at_end(p + read, n - read, zone)) return 0;
    memcpy(text, p, read);
    text[4] = text[7] = '-';
    text[days] = 'T';
    if (!fu_settle_time(text, zone)) return FU_TIME_IMPOSSIBLE;
    if (read < seconds) return 0;
    if (out != p) memcpy(out, p, n);
    memcpy(out, text, seconds);
    return n;
}

#endif
