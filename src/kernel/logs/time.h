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

/* Write the time as ISO 8601 and return its length, which is at most n. Return 0 for another form; the output is then
 * undefined. The day has one or two digits. A fraction of a second and a zone may follow. */
static inline size_t fu_iso_time(const uint8_t *p, size_t n, uint8_t *out) {
    static const char shape[] = "/aaa/0000:00:00:00", zone[] = " +0000";
    const size_t shape_length = sizeof shape - 1, zone_length = sizeof zone - 1;
    const size_t days = n > 1 && fu_is_time_digit(p[1]) ? 2 : 1;
    const uint8_t *date, *at, *end = p + n;
    size_t fraction = 0, zoned;
    int month;
    if (n < days + shape_length || !fu_is_time_digit(p[0])) return 0;
    date = p + days;
    if (!fu_has_time_shape(date, shape, shape_length)) return 0;
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
    if (zoned == 0) return 19 + fraction;
    memcpy(out + 19 + fraction, at + fraction + 1, 3);
    out[22 + fraction] = ':';
    memcpy(out + 23 + fraction, at + fraction + 4, 2);
    return 25 + fraction;
}

#endif
