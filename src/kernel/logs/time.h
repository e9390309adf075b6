/* Read the times of logs, and write them as ISO 8601.
 *
 * Apache's time, the date of HTTP and ISO 8601 are read by shape. Other forms, as strptime has them, are compiled to a program
 * with one byte per piece. After FU_TIME_LITERAL comes the byte that the text must have. */
#ifndef FASTURL_LOGS_TIME_H
#define FASTURL_LOGS_TIME_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The length of a time that cannot be, such as that of a 31st of February. */
#define FU_TIME_IMPOSSIBLE ((size_t)-1)
#define FU_TIME_TEXT "0000-00-00T00:00:00"
#define FU_TIME_TEXT_LENGTH (sizeof FU_TIME_TEXT - 1)
#define FU_MOMENT_FRACTION_MAX 9
#define FU_MOMENT_MICRO_DIGITS 6
#define FU_MOMENT_TEXT_MAX 40

enum {
    FU_TIME_LITERAL = '=',
    FU_TIME_DAY = 'd',
    FU_TIME_PADDED_DAY = 'e', /* a space may precede it */
    FU_TIME_MONTH = 'm',
    FU_TIME_MONTH_NAME = 'b',
    FU_TIME_YEAR = 'Y',
    FU_TIME_SHORT_YEAR = 'y',
    FU_TIME_ANY_YEAR = 'g', /* of two or four digits */
    FU_TIME_HOUR = 'H',
    FU_TIME_HALF_DAY_HOUR = 'I',
    FU_TIME_HALF_DAY = 'p',
    FU_TIME_MINUTE = 'M',
    FU_TIME_SECOND = 'S',
    FU_TIME_FRACTION = 'f',
    FU_TIME_OPTIONAL_FRACTION = '.', /* a dot and a fraction, or nothing */
    FU_TIME_ZONE = 'z',
    FU_TIME_NAME = 'a', /* letters that are skipped: a day of the week or a zone */
    FU_TIME_EPOCH = 's',
    FU_TIME_EPOCH_MILLI = '3',
    FU_TIME_EPOCH_MICRO = '6'
};

typedef struct {
    int is_read; /* 0: the line has no time */
    int year, month, day, hour, minute, second;
    int is_afternoon;
    int fraction_length;
    uint8_t fraction[FU_MOMENT_FRACTION_MAX];
    uint8_t zone[5]; /* a sign and four digits, or a NUL first: no zone */
} fu_moment;

static inline int fu_is_time_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }
static inline int fu_is_time_letter(uint8_t byte) { return (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z'; }

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

/* Write a time of the shape 2015-05-17T10:05:03, the digits of its fraction, and its zone, which may be NULL. */
static inline size_t fu_put_time(uint8_t *text, const uint8_t *fraction, size_t digits, const uint8_t *zone, uint8_t *out) {
    uint8_t *at = out + FU_TIME_TEXT_LENGTH;
    if (!fu_settle_time(text, zone)) return FU_TIME_IMPOSSIBLE;
    memcpy(out, text, FU_TIME_TEXT_LENGTH);
    if (digits > 0) {
        *at++ = '.';
        memcpy(at, fraction, digits);
        at += digits;
    }
    if (zone != NULL) {
        memcpy(at, zone, 3);
        at[3] = ':';
        memcpy(at + 4, zone + 3, 2);
        at += 6;
    }
    return (size_t)(at - out);
}

/* --- pieces: each function returns the end of the piece, or NULL -------------------------------------------------- */

static inline const uint8_t *fu_time_number(const uint8_t *p, const uint8_t *end, int at_most, int *number) {
    const uint8_t *start = p;
    *number = 0;
    for (; p < end && p - start < at_most && fu_is_time_digit(*p); p++) *number = *number * 10 + (*p - '0');
    return p == start ? NULL : p;
}

static inline const uint8_t *fu_time_digits(const uint8_t *p, const uint8_t *end, int count, int *number) {
    const uint8_t *at = fu_time_number(p, end, count, number);
    return at != NULL && at - p == count ? at : NULL;
}

static inline const uint8_t *fu_time_letters(const uint8_t *p, const uint8_t *end) {
    const uint8_t *start = p;
    while (p < end && fu_is_time_letter(*p)) p++;
    return p == start ? NULL : p;
}

static inline const uint8_t *fu_time_month_name(const uint8_t *p, const uint8_t *end, int *month) {
    if (end - p < 3) return NULL;
    *month = fu_month_number(p);
    return *month == 0 ? NULL : fu_time_letters(p, end);
}

/* Read Z, +hh, +hhmm or +hh:mm. */
static inline const uint8_t *fu_time_zone(const uint8_t *p, const uint8_t *end, uint8_t *zone) {
    const int is_utc = p < end && (*p == 'Z' || *p == 'z');
    if (!is_utc && (end - p < 3 || (*p != '+' && *p != '-') || !fu_is_time_digit(p[1]) || !fu_is_time_digit(p[2]))) return NULL;
    memcpy(zone, "+0000", 5);
    if (is_utc) return p + 1;
    memcpy(zone, p, 3);
    p += 3;
    if (end - p >= 3 && *p == ':' && fu_is_time_digit(p[1]) && fu_is_time_digit(p[2])) p++;
    if (end - p >= 2 && fu_is_time_digit(p[0]) && fu_is_time_digit(p[1])) {
        memcpy(zone + 3, p, 2);
        p += 2;
    }
    return p;
}

/* --- programs ----------------------------------------------------------------------------------------------------- */

static inline const uint8_t *fu_time_fraction(const uint8_t *p, const uint8_t *end, fu_moment *moment) {
    const uint8_t *start = p;
    while (p < end && p - start < FU_MOMENT_FRACTION_MAX && fu_is_time_digit(*p)) p++;
    moment->fraction_length = (int)(p - start);
    memcpy(moment->fraction, start, (size_t)(p - start));
    return p == start ? NULL : p;
}

/* Compute the date from the days since 1970-01-01. Years begin in March here, so that the leap day is the last day. */
static inline void fu_moment_day(fu_moment *moment, int64_t days) {
    const int64_t from_era = days + 719468, era = from_era / 146097, day_of_era = from_era % 146097;
    const int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    const int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const int64_t month_from_march = (5 * day_of_year + 2) / 153;
    moment->day = (int)(day_of_year - (153 * month_from_march + 2) / 5 + 1);
    moment->month = (int)(month_from_march < 10 ? month_from_march + 3 : month_from_march - 9);
    moment->year = (int)(era * 400 + year_of_era + (moment->month <= 2));
}

/* Read the time since 1970 in units of 10^-digits seconds. At most 11 digits are seconds, so the year has four digits. */
static inline const uint8_t *fu_time_epoch(const uint8_t *p, const uint8_t *end, int digits, fu_moment *moment) {
    const uint8_t *start = p;
    int64_t seconds = 0;
    while (p < end && p - start < 11 + digits && fu_is_time_digit(*p)) p++;
    if (p - start <= digits) return NULL;
    for (; start < p - digits; start++) seconds = seconds * 10 + (*start - '0');
    memcpy(moment->fraction, start, (size_t)digits);
    moment->fraction_length = digits;
    fu_moment_day(moment, seconds / 86400);
    moment->hour = (int)(seconds % 86400 / 3600);
    moment->minute = (int)(seconds % 3600 / 60);
    moment->second = (int)(seconds % 60);
    memcpy(moment->zone, "+0000", sizeof moment->zone);
    return p;
}

static inline const uint8_t *fu_time_piece(const uint8_t *p, const uint8_t *end, uint8_t piece, fu_moment *moment) {
    switch (piece) {
    case FU_TIME_PADDED_DAY:
        if (p < end && *p == ' ') p++;
        return fu_time_number(p, end, 2, &moment->day);
    case FU_TIME_DAY: return fu_time_number(p, end, 2, &moment->day);
    case FU_TIME_MONTH: return fu_time_number(p, end, 2, &moment->month);
    case FU_TIME_MONTH_NAME: return fu_time_month_name(p, end, &moment->month);
    case FU_TIME_YEAR: return fu_time_digits(p, end, 4, &moment->year);
    case FU_TIME_ANY_YEAR:
    case FU_TIME_SHORT_YEAR:
        if (piece == FU_TIME_ANY_YEAR && end - p > 2 && fu_is_time_digit(p[2])) return fu_time_digits(p, end, 4, &moment->year);
        p = fu_time_digits(p, end, 2, &moment->year);
        moment->year += moment->year < 69 ? 2000 : 1900;
        return p;
    case FU_TIME_HOUR: return fu_time_number(p, end, 2, &moment->hour);
    case FU_TIME_HALF_DAY_HOUR:
        p = fu_time_number(p, end, 2, &moment->hour);
        moment->hour %= 12;
        return p;
    case FU_TIME_HALF_DAY:
        if (end - p < 2 || (p[1] | 0x20) != 'm' || ((p[0] | 0x20) != 'a' && (p[0] | 0x20) != 'p')) return NULL;
        moment->is_afternoon = (p[0] | 0x20) == 'p';
        return p + 2;
    case FU_TIME_MINUTE: return fu_time_number(p, end, 2, &moment->minute);
    case FU_TIME_SECOND: return fu_time_number(p, end, 2, &moment->second);
    case FU_TIME_FRACTION: return fu_time_fraction(p, end, moment);
    case FU_TIME_OPTIONAL_FRACTION:
        return end - p > 1 && *p == '.' && fu_is_time_digit(p[1]) ? fu_time_fraction(p + 1, end, moment) : p;
    case FU_TIME_ZONE: return fu_time_zone(p, end, moment->zone);
    case FU_TIME_NAME: return fu_time_letters(p, end);
    case FU_TIME_EPOCH: return fu_time_epoch(p, end, 0, moment);
    case FU_TIME_EPOCH_MILLI: return fu_time_epoch(p, end, 3, moment);
    case FU_TIME_EPOCH_MICRO: return fu_time_epoch(p, end, 6, moment);
    default: return NULL;
    }
}

/* Run a program. Return the end of the time, or NULL if a piece does not fit. */
static inline const uint8_t *fu_read_moment(const uint8_t *p, const uint8_t *end, const uint8_t *program, size_t length,
                                            fu_moment *moment) {
    for (size_t i = 0; i < length; i++) {
        if (program[i] == FU_TIME_LITERAL && i + 1 < length) {
            if (p == end || *p != program[++i]) return NULL;
            p++;
        } else {
            p = fu_time_piece(p, end, program[i], moment);
            if (p == NULL) return NULL;
        }
    }
    moment->is_read = 1;
    return p;
}

/* Add the zone, or after a dot the fraction and the zone, to a time. Ignore any other text. */
static inline void fu_moment_tail(const uint8_t *p, const uint8_t *end, int after_dot, fu_moment *moment) {
    fu_moment read = *moment;
    if (after_dot) p = fu_time_fraction(p, end, &read);
    if (p != NULL && p < end) p = fu_time_zone(p, end, read.zone);
    if (p == end) *moment = read;
}

/* Read a number since 1970 in the unit that its count of digits tells: seconds, perhaps with a fraction, or their thousandths,
 * millionths or billionths. Keep microseconds if they are not zero. Ignore any other text, such as one that is not seconds with
 * a fraction of at most nine digits if `is_seconds`. */
static inline void fu_number_moment(const uint8_t *p, const uint8_t *end, int is_seconds, fu_moment *moment) {
    static const uint8_t zeros[] = "000000";
    const uint8_t *digits = p, *fraction, *at;
    int unit, places = 0;
    fu_moment read;
    memset(&read, 0, sizeof read);
    while (digits < end && fu_is_time_digit(*digits)) digits++;
    fraction = at = digits + (digits < end && *digits == '.');
    while (at < end && fu_is_time_digit(*at)) at++;
    if (digits == p || digits - p > 20 || at != end || (fraction > digits && fraction == end)) return;
    unit = digits - p > 17 ? 9 : digits - p > 14 ? 6 : digits - p > 11 ? 3 : 0;
    if (is_seconds && (unit != 0 || end - fraction > FU_MOMENT_FRACTION_MAX)) return;
    if (fu_time_epoch(p, digits, unit, &read) != digits) return;
    for (; unit == 0 && fraction < end && places < FU_MOMENT_MICRO_DIGITS; fraction++) read.fraction[places++] = *fraction;
    for (places += unit; places < FU_MOMENT_MICRO_DIGITS; places++) read.fraction[places] = '0';
    read.fraction_length = memcmp(read.fraction, zeros, FU_MOMENT_MICRO_DIGITS) == 0 ? 0 : FU_MOMENT_MICRO_DIGITS;
    read.is_read = 1;
    *moment = read;
}

/* Write at most FU_MOMENT_TEXT_MAX bytes and return their number or FU_TIME_IMPOSSIBLE. */
static inline size_t fu_moment_text(const fu_moment *moment, uint8_t *out) {
    uint8_t text[] = FU_TIME_TEXT;
    const int hour = moment->hour + 12 * moment->is_afternoon;
    fu_put_two_digits(text, moment->year / 100);
    fu_put_two_digits(text + 2, moment->year);
    fu_put_two_digits(text + 5, moment->month);
    fu_put_two_digits(text + 8, moment->day);
    fu_put_two_digits(text + 11, hour > 23 ? 24 : hour);
    fu_put_two_digits(text + 14, moment->minute);
    fu_put_two_digits(text + 17, moment->second);
    return fu_put_time(text, moment->fraction, (size_t)moment->fraction_length, moment->zone[0] ? moment->zone : NULL, out);
}

/* --- shapes ------------------------------------------------------------------------------------------------------- */

/* Read by a shape into a text like FU_TIME_TEXT. A capital letter is a digit: A has the first place in the text. `a` is a letter,
 * `bbb` the name of a month, and `_` a colon or a space. Return the end, or NULL for a text of another shape. */
static inline const uint8_t *fu_read_shape(const uint8_t *p, const uint8_t *end, const char *shape, uint8_t *text) {
    for (; *shape != '\0'; shape++, p++) {
        const unsigned place = (unsigned)(*shape - 'A');
        if (end - p < (*shape == 'b' ? 3 : 1)) return NULL;
        if (place < FU_TIME_TEXT_LENGTH) {
            if (!fu_is_time_digit(*p)) return NULL;
            text[place] = *p;
        } else if (*shape == 'b') {
            const int month = fu_month_number(p);
            if (month == 0) return NULL;
            fu_put_two_digits(text + 5, month);
            shape += 2;
            p += 2;
        } else if (*shape == 'a' ? !fu_is_time_letter(*p) : *shape == '_' ? *p != ':' && *p != ' ' : *p != *shape) {
            return NULL;
        }
    }
    return p;
}

/* Write Apache's time, 17/May/2015:10:05:03 +0000, or the date of HTTP, Sun, 17 May 2015 10:05:03 GMT, as ISO 8601, and return
 * its length, which is at most n. Return 0 for another form, and FU_TIME_IMPOSSIBLE; the output is then undefined. Apache's day
 * has one or two digits. A space may stand before its time of day. A fraction of a second and a zone may follow. */
static inline size_t fu_iso_time(const uint8_t *p, size_t n, uint8_t *out) {
    static const char apache[] = "IJ/bbb/ABCD_LM:OP:RS", http[] = "aaa, IJ bbb ABCD LM:OP:RS", gmt[] = " GMT";
    const uint8_t *end = p + n, *fraction;
    uint8_t text[] = FU_TIME_TEXT, zone[] = "+0000";
    const int is_http = n > 0 && !fu_is_time_digit(*p);
    p = fu_read_shape(p, end, is_http ? http : apache + (n > 1 && !fu_is_time_digit(p[1])), text);
    if (p == NULL) return 0;
    if (is_http) return end - p == 4 && memcmp(p, gmt, 4) == 0 ? fu_put_time(text, p, 0, zone, out) : 0;
    fraction = p;
    if (p < end && *p == '.') {
        fraction = ++p;
        while (p < end && fu_is_time_digit(*p)) p++;
        if (p == fraction || p - fraction > FU_MOMENT_FRACTION_MAX) return 0;
    }
    if (p == end) return fu_put_time(text, fraction, (size_t)(p - fraction), NULL, out);
    if (end - p != 6 || *p != ' ' || fu_time_zone(p + 1, end, zone) != end) return 0;
    return fu_put_time(text, fraction, (size_t)(p - fraction), zone, out);
}

/* Set the zone, a sign and four digits, at the end of a text. It may have a colon, or be Z, or missing. Return 0 for another
 * form. */
static inline int fu_zone_at_end(const uint8_t *p, const uint8_t *end, uint8_t *zone) {
    const uint8_t *sign = end;
    memcpy(zone, "+0000", 5);
    while (sign > p && *--sign != '+' && *sign != '-') {}
    return sign == end || (*sign != '+' && *sign != '-') || fu_time_zone(sign, end, zone) == end;
}

/* As fu_iso_time, for a text that is ISO 8601 already. Its zone may have a colon, or be Z. A possible time that ends after the
 * date or the minute stays as written. */
static inline size_t fu_checked_iso_time(const uint8_t *p, size_t n, uint8_t *out) {
    static const char dates[2][11] = {"ABCD-FG-IJ", "ABCD/FG/IJ"};
    uint8_t text[] = FU_TIME_TEXT, zone[5];
    const uint8_t *end = p + n, *seconds = NULL, *at = n > 4 ? fu_read_shape(p, end, dates[p[4] == '/'], text) : NULL;
    if (at == NULL) return 0;
    if (at < end) {
        if (*at != 'T' && *at != 't' && *at != ' ') return 0;
        at = fu_read_shape(at + 1, end, "LM:OP", text);
        if (at == NULL) return 0;
        seconds = fu_read_shape(at, end, ":RS", text);
        if (seconds == NULL) text[17] = '0'; /* one digit is none */
    }
    if (!fu_zone_at_end(seconds == NULL ? at : seconds, end, zone)) return 0;
    if (!fu_settle_time(text, zone)) return FU_TIME_IMPOSSIBLE;
    if (seconds == NULL) return 0;
    if (out != p) memcpy(out, p, n);
    memcpy(out, text, FU_TIME_TEXT_LENGTH);
    return n;
}

#endif
