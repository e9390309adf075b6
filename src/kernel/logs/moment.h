/* Read a time by a form as strptime has them, and write it as ISO 8601.
 *
 * A form is compiled to a program with one byte per piece. After FU_TIME_LITERAL comes the byte that the text must have. */
#ifndef FASTURL_LOGS_MOMENT_H
#define FASTURL_LOGS_MOMENT_H

#include "logs/time.h"

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

/* --- reading: each function returns the end of the piece, or NULL ------------------------------------------------- */

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

static inline int fu_is_time_letter(uint8_t octet) { return (octet | 0x20) >= 'a' && (octet | 0x20) <= 'z'; }

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
static inline const uint8_t *fu_time_zone(const uint8_t *p, const uint8_t *end, fu_moment *moment) {
    const int is_utc = p < end && (*p == 'Z' || *p == 'z');
    if (!is_utc && (end - p < 3 || (*p != '+' && *p != '-') || !fu_is_time_digit(p[1]) || !fu_is_time_digit(p[2]))) return NULL;
    memcpy(moment->zone, "+0000", sizeof moment->zone);
    if (is_utc) return p + 1;
    memcpy(moment->zone, p, 3);
    p += 3;
    if (end - p >= 3 && *p == ':' && fu_is_time_digit(p[1]) && fu_is_time_digit(p[2])) p++;
    if (end - p >= 2 && fu_is_time_digit(p[0]) && fu_is_time_digit(p[1])) {
        memcpy(moment->zone + 3, p, 2);
        p += 2;
    }
    return p;
}

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
    case FU_TIME_ZONE: return fu_time_zone(p, end, moment);
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
    if (p != NULL && p < end) p = fu_time_zone(p, end, &read);
    if (p == end) *moment = read;
}

/* Read a text that is seconds since 1970 as a whole. Keep microseconds if they are not zero. Ignore any other text. */
static inline void fu_epoch_moment(const uint8_t *p, const uint8_t *end, fu_moment *moment) {
    static const uint8_t zeros[] = "000000";
    fu_moment read;
    memset(&read, 0, sizeof read);
    p = fu_time_epoch(p, end, 0, &read);
    if (p != NULL && p < end && *p == '.') p = fu_time_fraction(p + 1, end, &read);
    if (p != end) return;
    for (int i = read.fraction_length; i < FU_MOMENT_MICRO_DIGITS; i++) read.fraction[i] = '0';
    read.fraction_length = memcmp(read.fraction, zeros, FU_MOMENT_MICRO_DIGITS) == 0 ? 0 : FU_MOMENT_MICRO_DIGITS;
    read.is_read = 1;
    *moment = read;
}

/* Read a number since 1970 in the unit that its count of digits tells: seconds, perhaps with a fraction, or their thousandths,
 * millionths or billionths. Ignore any other text. */
static inline void fu_number_moment(const uint8_t *p, const uint8_t *end, fu_moment *moment) {
    static const uint8_t zeros[] = "000000";
    const uint8_t *digits = p, *fraction = end;
    int unit, places = 0;
    fu_moment read;
    memset(&read, 0, sizeof read);
    while (digits < end && fu_is_time_digit(*digits)) digits++;
    if (digits == p || digits - p > 20 || (digits < end && *digits != '.')) return;
    if (digits < end) fraction = digits + 1;
    for (const uint8_t *at = fraction; at < end; at++)
        if (!fu_is_time_digit(*at)) return;
    if (digits < end && fraction == end) return;
    unit = digits - p > 17 ? 9 : digits - p > 14 ? 6 : digits - p > 11 ? 3 : 0;
    if (fu_time_epoch(p, digits, unit, &read) != digits) return;
    for (; unit == 0 && fraction < end && places < FU_MOMENT_MICRO_DIGITS; fraction++) read.fraction[places++] = *fraction;
    for (places += unit; places < FU_MOMENT_MICRO_DIGITS; places++) read.fraction[places] = '0';
    read.fraction_length = memcmp(read.fraction, zeros, FU_MOMENT_MICRO_DIGITS) == 0 ? 0 : FU_MOMENT_MICRO_DIGITS;
    read.is_read = 1;
    *moment = read;
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

/* Write at most FU_MOMENT_TEXT_MAX bytes and return their number, 0 for an impossible time. */
static inline size_t fu_moment_text(const fu_moment *moment, uint8_t *out) {
    const int hour = moment->hour + 12 * moment->is_afternoon;
    uint8_t *start = out;
    out = fu_put_two_digits(out, moment->year / 100);
    out = fu_put_two_digits(out, moment->year);
    *out++ = '-';
    out = fu_put_two_digits(out, moment->month);
    *out++ = '-';
    out = fu_put_two_digits(out, moment->day);
    *out++ = 'T';
    out = fu_put_two_digits(out, hour);
    *out++ = ':';
    out = fu_put_two_digits(out, moment->minute);
    *out++ = ':';
    out = fu_put_two_digits(out, moment->second);
    if (hour > 23 || !fu_settle_time(start, moment->zone[0] != 0 ? moment->zone : NULL)) return 0;
    if (moment->fraction_length > 0) {
        *out++ = '.';
        memcpy(out, moment->fraction, (size_t)moment->fraction_length);
        out += moment->fraction_length;
    }
    if (moment->zone[0] != 0) {
        memcpy(out, moment->zone, 3);
        out[3] = ':';
        memcpy(out + 4, moment->zone + 3, 2);
        out += 6;
    }
    return (size_t)(out - start);
}

#endif
