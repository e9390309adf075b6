/* Find the line of a server behind the prefix of a relay or a container. No load leaves the line. Each byte is read a fixed
 * number of times. */
#ifndef FASTURL_LOGS_PREFIX_H
#define FASTURL_LOGS_PREFIX_H

#include "logs/object.h"

enum {
    FU_PREFIX_NONE,
    FU_PREFIX_SYSLOG,  /* RFC 3164 and RFC 5424 */
    FU_PREFIX_CRI,     /* 2015-05-17T10:05:03Z stdout F */
    FU_PREFIX_COMPOSE, /* web-1  | of docker compose; services of a swarm and pm2 write it too */
    FU_PREFIX_KUBECTL, /* [pod/web-1/nginx] */
    FU_PREFIX_TIME,    /* a time alone: docker logs -t, kubectl logs --timestamps, CloudWatch, Go */
    FU_PREFIX_LOGGER, /* anything before an address, as the loggers of programs write it */
    FU_PREFIX_HOLDER, /* a JSON object may hold the line: of docker, journald and others */
    FU_PREFIX_FIELD, /* a JSON object must hold the line, in a field that the user has named */
    FU_PREFIXES
};

enum { FU_RUN_DIGITS, FU_RUN_CLOCK, FU_RUN_DATE, FU_RUN_UPPER, FU_RUN_ID, FU_RUN_NAME, FU_RUN_TAG, FU_RUN_WORD };

static inline int fu_is_of_run(int run, uint8_t byte) {
    const int is_digit = fu_is_time_digit(byte), is_id = is_digit || fu_is_time_letter(byte) || byte == '_' || byte == '.';
    switch (run) {
    case FU_RUN_DIGITS: return is_digit;
    case FU_RUN_CLOCK: return is_digit || byte == ':' || byte == '.';
    case FU_RUN_DATE: return is_digit || byte == '-' || byte == '/';
    case FU_RUN_UPPER: return byte >= 'A' && byte <= 'Z';
    case FU_RUN_ID: return is_id;
    case FU_RUN_NAME: return is_id || byte == '-';
    case FU_RUN_TAG: return byte != ' ' && byte != ':' && byte != '[' && byte != '\n';
    default: return byte != ' ' && byte != '\n';
    }
}

/* --- pieces: each function returns the end of the piece, or NULL if there is none, or no p --------------------------- */

static inline const uint8_t *fu_run(const uint8_t *p, const uint8_t *end, int run, int least, int most) {
    int n = 0;
    if (p == NULL) return NULL;
    while (n < most && p + n < end && fu_is_of_run(run, p[n])) n++;
    return n < least ? NULL : p + n;
}

static inline const uint8_t *fu_text(const uint8_t *p, const uint8_t *end, const char *text) {
    const size_t n = strlen(text);
    return p != NULL && (size_t)(end - p) >= n && memcmp(p, text, n) == 0 ? p + n : NULL;
}

static inline const uint8_t *fu_prefix_time(const uint8_t *p, const uint8_t *end) {
    p = fu_text(fu_run(fu_text(fu_run(p, end, FU_RUN_DIGITS, 4, 4), end, "-"), end, FU_RUN_DATE, 5, 5), end, "T");
    p = fu_run(p, end, FU_RUN_CLOCK, 5, 24);
    if (p == NULL || p == end) return NULL;
    if (*p == 'Z') return p + 1;
    return *p == '+' || *p == '-' ? fu_run(p + 1, end, FU_RUN_CLOCK, 4, 5) : NULL;
}

/* May  7 10:05:03 */
static inline const uint8_t *fu_prefix_day(const uint8_t *p, const uint8_t *end) {
    if (end - p < 15 || fu_time_letters(p, p + 3) != p + 3 || p[3] != ' ' || (p[4] != ' ' && !fu_is_time_digit(p[4])))
        return NULL;
    return fu_run(fu_text(fu_run(p + 5, end, FU_RUN_DIGITS, 1, 1), end, " "), end, FU_RUN_CLOCK, 8, 15);
}

/* nginx[12]: */
static inline const uint8_t *fu_prefix_tag(const uint8_t *p, const uint8_t *end) {
    p = fu_run(p, end, FU_RUN_TAG, 1, 64);
    if (p != NULL && p < end && *p == '[') p = fu_text(fu_run(p + 1, end, FU_RUN_ID, 1, 255), end, "]");
    p = fu_text(p, end, ":");
    return p != NULL && p < end && *p == ' ' ? p + 1 : p;
}

/* The rest of RFC 5424 after its version: five words, and structured data. */
static inline const uint8_t *fu_prefix_5424(const uint8_t *p, const uint8_t *end) {
    const uint8_t *marked;
    for (int i = 0; i < 5; i++) p = fu_text(fu_run(p, end, FU_RUN_WORD, 1, 255), end, " ");
    if (p == NULL || p == end) return NULL;
    if (*p == '-')
        p++;
    else
        for (const uint8_t *data = p; p != NULL && (p == data || (p < end && *p == '['));) {
            p = *p == '[' ? (const uint8_t *)memchr(p, ']', (size_t)(end - p)) : NULL;
            if (p != NULL) p++;
        }
    p = fu_text(p, end, " ");
    marked = fu_text(p, end, "\xEF\xBB\xBF");
    return marked == NULL ? p : marked;
}

static inline const uint8_t *fu_prefix_syslog(const uint8_t *p, const uint8_t *end) {
    const uint8_t *at, *after, *host, *tagged;
    if (p < end && *p == '<') {
        p = fu_text(fu_run(p + 1, end, FU_RUN_DIGITS, 1, 3), end, ">");
        if (p == NULL) return NULL;
        at = fu_prefix_5424(fu_text(p, end, "1 "), end);
        if (at != NULL) return at;
    }
    after = fu_prefix_time(p, end);
    at = fu_text(after == NULL ? fu_prefix_day(p, end) : after, end, " ");
    host = fu_text(fu_run(at, end, FU_RUN_WORD, 1, 255), end, " ");
    tagged = fu_prefix_tag(at, end); /* there is no host; an address is not a tag */
    if (tagged != NULL && tagged[-1] == ' ') return tagged;
    return fu_prefix_tag(host, end);
}

static inline const uint8_t *fu_prefix_cri(const uint8_t *p, const uint8_t *end) {
    const uint8_t *at = fu_text(fu_prefix_time(p, end), end, " std");
    p = fu_text(at, end, "out ");
    if (p == NULL) p = fu_text(at, end, "err ");
    return p != NULL && p < end && (*p == 'F' || *p == 'P') ? fu_text(p + 1, end, " ") : NULL;
}

/* Skip the escape sequence of a colour. */
static inline const uint8_t *fu_behind_colour(const uint8_t *p, const uint8_t *end) {
    const uint8_t *at = fu_text(p, end, "\x1B[");
    while (at != NULL && at < end && (fu_is_time_digit(*at) || *at == ';')) at++;
    at = fu_text(at, end, "m");
    return at == NULL ? p : at;
}

static inline const uint8_t *fu_prefix_compose(const uint8_t *p, const uint8_t *end) {
    int spaces = 0;
    p = fu_behind_colour(p, end);
    if (p == end || (!fu_is_time_digit(*p) && (*p < 'a' || *p > 'z'))) return NULL;
    for (p++; p < end && (fu_is_of_run(FU_RUN_NAME, *p) || *p == '@' || *p == '|') && !(*p >= 'A' && *p <= 'Z'); p++) {}
    while (spaces < 64 && p < end && *p == ' ') p++, spaces++;
    p = spaces ? fu_text(p, end, "| ") : NULL;
    return p == NULL ? NULL : fu_behind_colour(p, end);
}

static inline const uint8_t *fu_prefix_kubectl(const uint8_t *p, const uint8_t *end) {
    p = fu_text(p, end, "[pod/");
    for (int i = 0; i < 2; i++) p = fu_run(fu_text(p, end, i ? "/" : ""), end, FU_RUN_NAME, 1, 253);
    return fu_text(p, end, "] ");
}

/* Read 2015/05/17 10:05:03 of Go, or 2015-05-17 10:05:03,123 of Python, and the space after it. */
static inline const uint8_t *fu_prefix_spaced_time(const uint8_t *p, const uint8_t *end, fu_slice *time) {
    const uint8_t *at = fu_run(fu_text(fu_run(p, end, FU_RUN_DATE, 10, 10), end, " "), end, FU_RUN_CLOCK, 8, 15), *seconds = at;
    if (fu_text(at, end, ",") != NULL) at = fu_run(at + 1, end, FU_RUN_DIGITS, 1, 6);
    at = fu_text(at, end, " ");
    if (at == NULL) return NULL;
    fu_set_field(time, p, seconds);
    return at;
}

/* Return the first address, perhaps with its port, behind a word that ends in one of `:)]`. Words are read once. */
static inline const uint8_t *fu_prefix_logger(const uint8_t *p, const uint8_t *end) {
    const uint8_t *python = fu_text(fu_run(p, end, FU_RUN_UPPER, 4, 8), end, ":");
    int is_behind = 0;
    python = fu_text(fu_run(python, end, FU_RUN_NAME, 1, 64), end, ":"); /* INFO:werkzeug: */
    if (python != NULL) return python;
    for (const uint8_t *at = p; at < end; at++) {
        fu_slice word = {at, 0}, host;
        while (at < end && *at != ' ') at++;
        word.n = (size_t)(at - word.p);
        if (word.n == 0) continue;
        host = word;
        fu_without_port(&host);
        if (is_behind && fu_is_client_address(host.p, host.n)) return word.p;
        is_behind = at[-1] == ':' || at[-1] == ')' || at[-1] == ']';
    }
    return NULL;
}

/* `frontend.0 nginx[12]: `, before the line in an object of Upsun, or `nginx.1 | ` in one of Docker. */
static inline const uint8_t *fu_prefix_sender(const uint8_t *p, const uint8_t *end) {
    const uint8_t *line = fu_prefix_compose(p, end);
    if (line != NULL) return line;
    p = fu_text(fu_run(p, end, FU_RUN_NAME, 1, 64), end, " ");
    if (p == NULL || p == end || !fu_is_time_letter(*p)) return NULL;
    p = fu_run(p, end, FU_RUN_NAME, 1, 64);
    if (p < end && *p == '[') p = fu_text(fu_run(p + 1, end, FU_RUN_DIGITS, 1, 20), end, "]");
    return fu_text(p, end, ": ");
}

/* Return the start of the line behind a prefix, or NULL if the line has no such prefix. Set the ISO 8601 time in the prefix;
 * containers may write one after their name too. */
static inline const uint8_t *fu_behind_prefix(int prefix, const uint8_t *p, const uint8_t *end, fu_slice *time) {
    const uint8_t *at = p, *stamp = p, *stamped;
    time->p = NULL;
    switch (prefix) {
    case FU_PREFIX_SYSLOG:
        at = fu_prefix_syslog(p, end);
        if (at == NULL || *p != '<') break;
        stamp = (const uint8_t *)memchr(p, '>', (size_t)(end - p)) + 1; /* it was read */
        if (fu_text(stamp, end, "1 ") != NULL) stamp += 2;
        break;
    case FU_PREFIX_CRI: at = fu_prefix_cri(p, end); break;
    case FU_PREFIX_COMPOSE: at = stamp = fu_prefix_compose(p, end); break;
    case FU_PREFIX_KUBECTL: at = stamp = fu_prefix_kubectl(p, end); break;
    case FU_PREFIX_LOGGER:
        at = fu_prefix_logger(p, end);
        fu_prefix_spaced_time(p, end, time);
        break;
    case FU_PREFIX_TIME:
        at = fu_prefix_spaced_time(p, end, time);
        if (at != NULL) return at;
        at = p;
        break;
    default: return NULL;
    }
    if (at == NULL) return NULL;
    stamped = fu_prefix_time(stamp, end);
    if (stamped == NULL || stamped == end || (*stamped != ' ' && *stamped != '\t')) return prefix == FU_PREFIX_TIME ? NULL : at;
    fu_set_field(time, stamp, stamped);
    return at > stamp ? at : stamped + 1;
}

#endif
