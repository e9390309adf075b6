/* Read the fields of one line of a common or combined log.
 *
 *     [vhost] client[, forwarded] ident user [time] "request" status size ["referer" "agent"] more
 *
 * A line is one record or a reject. Two lines torn together must not pass for a record. So only a quoted field may hold a
 * bracket or a quote, and a quote in it has a backslash. Neither the user nor the text after the known fields may look like
 * the start of another record. No load leaves the line. Each byte is read a fixed number of times. */
#ifndef FASTURL_LOGS_LINE_H
#define FASTURL_LOGS_LINE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The model checker of proofs/ has no intrinsics. */
#if (defined(__SSE2__) || defined(_M_X64)) && !defined(FASTURL_PROOF_H)
#define FU_LOG_VECTORS 1
#include <emmintrin.h>
#endif

#include "ascii.h"
#include "compiler.h"
#include "logs/time.h"
#include "split/brackets.h"

#define FU_LOG_TIME_MAX 64
#define FU_LOG_SIZE_DIGITS_MAX 20

/* The numbers by which templates name the fields of a line. */
enum {
    FU_FIELD_SKIPPED,
    FU_FIELD_VHOST,
    FU_FIELD_CLIENT,
    FU_FIELD_USER,
    FU_FIELD_TIME,
    FU_FIELD_REQUEST,
    FU_FIELD_METHOD,
    FU_FIELD_TARGET,
    FU_FIELD_QUERY,
    FU_FIELD_PROTOCOL,
    FU_FIELD_REFERER,
    FU_FIELD_AGENT,
    FU_FIELD_FORWARDED,
    FU_FIELD_REQUEST_ID,
    FU_FIELD_CACHE_STATUS,
    FU_FIELD_DURATION, /* the text of a duration */
    FU_FIELD_CLOCK,    /* the time of day, in UTC, if the time is a date */
    FU_LOG_FIELDS
};

typedef struct {
    union {
        fu_slice fields[FU_LOG_FIELDS];
        struct {
            fu_slice skipped, vhost, client, user, time, request, method, target, query, protocol, referer, agent, forwarded,
                request_id, cache_status, duration_text, clock;
        };
    };
    fu_moment moment; /* the time of a template; the time of a common log is a field */
    uint32_t plain; /* a bit per field that has no escape sequence; 0 if unknown */
    int is_object; /* each field has the escape sequences of its object, and a target may be empty */
    int status; /* -1 if absent */
    int has_size; /* 0 if absent or above 64 bits */
    uint64_t size;
    int has_duration;
    double duration; /* in seconds */
    int has_request_length;
    uint64_t request_length;
} fu_log_line;

FU_STATIC_ASSERT(offsetof(fu_log_line, cache_status) == FU_FIELD_CACHE_STATUS * sizeof(fu_slice), "a name for each field");

typedef struct {
    fu_slice method, target, protocol;
} fu_request_line;

#define FU_ALL_PLAIN 0xFFFFFFFFu

static inline int fu_is_plain_field(const fu_log_line *line, int field) { return line->plain >> field & 1; }

/* --- fields: each function returns the end of the field, or NULL -------------------------------------------------- */

static inline int fu_encloses_field(uint8_t byte) { return byte == '"' || byte == '[' || byte == ']'; }

static inline int fu_is_lone_hyphen(const uint8_t *p, size_t n) { return n == 1 && p[0] == '-'; }

static inline int fu_log_field_says(const fu_slice *field) { return field->p != NULL && !fu_is_lone_hyphen(field->p, field->n); }

static inline const uint8_t *fu_set_field(fu_slice *field, const uint8_t *p, const uint8_t *end) {
    field->p = p;
    field->n = (size_t)(end - p);
    return end;
}

static inline const uint8_t *fu_log_space(const uint8_t *p, const uint8_t *end) {
    return p != NULL && p < end && *p == ' ' ? p + 1 : NULL;
}

/* Return the first quote, bracket or `stop`, or `end`. Sixteen bytes at a time, because the branch predictor cannot learn
 * the lengths of fields. */
static inline const uint8_t *fu_log_field_end(const uint8_t *p, const uint8_t *end, uint8_t stop) {
#ifdef FU_LOG_VECTORS
    for (; end - p >= 16; p += 16) {
        const __m128i data = _mm_loadu_si128((const __m128i *)p);
#define FU_EQUAL_TO(byte) _mm_cmpeq_epi8(data, _mm_set1_epi8((char)(byte)))
        const __m128i ends =
            _mm_or_si128(_mm_or_si128(FU_EQUAL_TO('"'), FU_EQUAL_TO('[')), _mm_or_si128(FU_EQUAL_TO(']'), FU_EQUAL_TO(stop)));
#undef FU_EQUAL_TO
        const uint64_t found = (uint64_t)(unsigned)_mm_movemask_epi8(ends);
        if (found) return p + __builtin_ctzll(found);
    }
#endif
    while (p < end && *p != stop && !fu_encloses_field(*p)) p++;
    return p;
}

/* Read a field of one byte or more, and the space after it. */
static inline const uint8_t *fu_log_word(const uint8_t *p, const uint8_t *end, fu_slice *field) {
    const uint8_t *at;
    if (p == NULL) return NULL;
    at = fu_set_field(field, p, fu_log_field_end(p, end, ' '));
    return at == p ? NULL : fu_log_space(at, end);
}

/* Read the rest of an X-Forwarded-For list, which stands in place of the client, and the space after it. */
static inline const uint8_t *fu_log_forwarded(const uint8_t *p, const uint8_t *end, fu_log_line *line) {
    const uint8_t *start = line->client.p, *comma = (const uint8_t *)memchr(start, ',', line->client.n);
    fu_slice word;
    if (comma == NULL) return p;
    line->client.n = 0;
    line->forwarded.p = start;
    while (p != NULL && p[-2] == ',') p = fu_log_word(p, end, &word);
    if (p != NULL) line->forwarded.n = (size_t)(p - 1 - line->forwarded.p);
    return p;
}

/* Read the user's name, and the space and bracket after it. A name may have spaces, but none of several words is a lone
 * hyphen: a record has one in place of its ident. Apache writes an empty name as two quotes. */
static inline const uint8_t *fu_log_user(const uint8_t *p, const uint8_t *end, fu_slice *field) {
    const uint8_t *bracket, *word = p, *stop;
    if (p == NULL) return NULL;
    if (end - p > 2 && memcmp(p, "- [", 3) == 0) { /* the usual case */
        fu_set_field(field, p, p + 1);
        return p + 3;
    }
    bracket = (const uint8_t *)memchr(p, '[', (size_t)(end - p));
    if (bracket == NULL || bracket - p < 2 || bracket[-1] != ' ') return NULL;
    stop = fu_set_field(field, p, bracket - 1);
    if (field->n == 2 && memcmp(p, "\"\"", 2) == 0) {
        field->n = 0;
        return bracket + 1;
    }
    for (const uint8_t *at = p; at < stop; at++) {
        if (fu_encloses_field(*at)) return NULL;
        if (*at != ' ') continue;
        if (fu_is_lone_hyphen(word, (size_t)(at - word))) return NULL;
        word = at + 1;
    }
    if (word > p && fu_is_lone_hyphen(word, (size_t)(stop - word))) return NULL;
    return bracket + 1;
}

/* Read the time and the bracket after it. */
static inline const uint8_t *fu_log_time(const uint8_t *p, const uint8_t *end, fu_slice *field) {
    const uint8_t *at;
    if (p == NULL) return NULL;
    at = fu_set_field(field, p, fu_log_field_end(p, end - p > FU_LOG_TIME_MAX ? p + FU_LOG_TIME_MAX + 1 : end, ']'));
    return at == end || *at != ']' || at == p || field->n > FU_LOG_TIME_MAX ? NULL : at + 1;
}

/* Read up to the closing quote. The byte after a backslash does not end the field. */
static inline const uint8_t *fu_log_in_quotes(const uint8_t *p, const uint8_t *end, fu_slice *field) {
    const uint8_t *at, *quote = (const uint8_t *)memchr(p, '"', (size_t)(end - p));
    if (quote == NULL) return NULL;
    at = (const uint8_t *)memchr(p, '\\', (size_t)(quote - p));
    if (at != NULL) {
        for (; at < end && *at != '"'; at++)
            if (*at == '\\' && ++at == end) return NULL;
        if (at == end) return NULL;
        quote = at;
    }
    return fu_set_field(field, p, quote);
}

/* Read a quoted field. `backslash` is the first backslash of the line, or its end. */
static inline const uint8_t *fu_log_quoted(const uint8_t *p, const uint8_t *end, const uint8_t *backslash, fu_slice *field) {
    const uint8_t *quote;
    if (p == NULL || p == end || *p != '"') return NULL;
    if (++p == end) return NULL;
    quote = p < backslash ? (const uint8_t *)memchr(p, '"', (size_t)(backslash - p)) : NULL;
    if (quote == NULL) {
        p = backslash == end ? NULL : fu_log_in_quotes(p, end, field);
        return p == NULL ? NULL : p + 1;
    }
    return fu_set_field(field, p, quote) + 1;
}

/* Read a number, or a hyphen or -1 for none. `has` is 0 for none and for a number above 64 bits. */
static inline const uint8_t *fu_log_number(const uint8_t *p, const uint8_t *end, int at_least, int at_most, uint64_t *number,
                                           int *has) {
    int count = 0;
    *number = 0;
    *has = 0;
    if (p == NULL || p == end) return NULL;
    if (*p == '-') return p + 1 + (end - p > 1 && p[1] == '1' && (end - p == 2 || !fu_is_time_digit(p[2])));
    for (*has = 1; p < end && *p >= '0' && *p <= '9'; p++, count++) {
        const uint64_t digit = (uint64_t)(*p - '0');
        if (count == at_most) return NULL;
        if (count >= 19 && *number > (UINT64_MAX - digit) / 10) *has = 0; /* 19 digits always fit 64 bits */
        *number = *number * 10 + digit;
    }
    return count >= at_least ? p : NULL;
}

/* Set the status, or -1 if it is absent or zero. Return 0 for a number that is no status of an answer. */
static inline int fu_set_status(fu_log_line *line, uint64_t number, int has) {
    line->status = has && number != 0 ? (int)number : -1;
    return number - 100 < 500 || number == 999 || !has || number == 0;
}

/* --- the request line --------------------------------------------------------------------------------------------- */

/* RFC 7230's tchar, the bytes of methods. */
static inline int fu_is_method_byte(uint8_t byte) {
    const uint8_t letter = byte | 0x20;
    return (letter >= 'a' && letter <= 'z') || (byte >= '0' && byte <= '9') ||
           (byte != 0 && strchr("!#$%&'*+-.^_`|~", byte) != NULL);
}

/* Return 1 for the request line of a connection without a request: "", "-"; of load balancers "- - -" and "- http://host:80- -";
 * HAProxy's. */
static inline int fu_is_no_request(const uint8_t *p, size_t n) {
    if (n == 0 || (n == 8 && memcmp(p, "<BADREQ>", n) == 0)) return 1;
    if (n > 5 && memcmp(p, "- ", 2) == 0 && memcmp(p + n - (p[n - 1] == ' ') - 3, "- -", 3) == 0) return 1;
    if (n != 1 && n != 5 && n != 6) return 0;
    for (size_t i = 0; i < n; i++)
        if (p[i] != (i % 2 ? ' ' : '-')) return 0;
    return 1;
}

/* Split a request line. The method is the word before the first space. The protocol is the word after the last space if it
 * begins with HTTP/ or is empty. The rest is the target. The present parts, joined by spaces, give the request line again. */
static inline fu_request_line fu_split_request(const uint8_t *p, size_t n) {
    static const char http[] = "HTTP/";
    fu_request_line line = {{NULL, 0}, {p, n}, {NULL, 0}};
    const uint8_t *end = p + n, *at = p, *last;
    while (at < end && *at != ' ' && fu_is_method_byte(*at)) at++;
    if (at == p || at == end || *at != ' ') return line;
    fu_set_field(&line.method, p, at);
    for (last = end; last > at + 1 && last[-1] != ' '; last--) {}
    if (last > at + 1 && (last == end || ((size_t)(end - last) >= sizeof http - 1 && memcmp(last, http, sizeof http - 1) == 0))) {
        fu_set_field(&line.protocol, last, end);
        end = last - 1;
    }
    fu_set_field(&line.target, at + 1, end);
    return line;
}

/* --- the line ----------------------------------------------------------------------------------------------------- */

/* Read a word after the known fields, up to a space or a quote. Brackets in it come in pairs without a space. */
static inline const uint8_t *fu_log_more_word(const uint8_t *p, const uint8_t *end) {
    for (; p < end && *p != ' ' && *p != '"'; p++) {
        if (*p == ']') return NULL;
        if (*p != '[') continue;
        for (p++; p < end && *p != ' ' && !fu_encloses_field(*p); p++) {}
        if (p == end || *p != ']') return NULL;
    }
    return p;
}

/* Return 1 if the text after the known fields is more fields and no other record. Each word may end in a quoted string. A
 * quoted string after a bracket would be a request after its time. No string may be a request line. */
static inline int fu_log_more_is_fields(const uint8_t *p, const uint8_t *end) {
    while (p < end) {
        const int follows_bracket = p[-1] == ']';
        fu_slice quoted;
        fu_request_line request;
        const uint8_t *word = fu_log_space(p, end);
        p = word == NULL ? NULL : fu_log_more_word(word, end);
        if (p == NULL) return 0;
        if (p == end || *p != '"') continue;
        if (p == word && follows_bracket) return 0;
        p = fu_log_quoted(p, end, p, &quoted);
        if (p == NULL) return 0;
        request = fu_split_request(quoted.p, quoted.n);
        if (request.protocol.n != 0) return 0;
    }
    return 1;
}

/* Skip a block of NULs, which a crash leaves before the next record. */
static inline const uint8_t *fu_log_after_nuls(const uint8_t *p, const uint8_t *end) {
    while (p < end && *p == 0) p++;
    return p;
}

/* Return 1 for a field that begins with a date, 2015-05-17: it is the prefix of a logger, no host. Ten bytes can be read. */
static inline int fu_log_is_dated(const uint8_t *p) {
    uint8_t text[FU_TIME_TEXT_LENGTH];
    return p[4] == '-' && p[7] == '-' && fu_read_shape(p, p + 10, "ABCD-FG-IJ", text) != NULL;
}

static inline int fu_is_address_byte(uint8_t byte) {
    return fu_is_time_digit(byte) || byte == ':' || byte == '.' || ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'f');
}

/* Return 1 for a text that is an address: of IPv4, or with two colons. */
static inline int fu_is_client_address(const uint8_t *p, size_t n) {
    size_t colons = 0, dots = 0, letters = 0;
    for (size_t i = 0; i < n; i++) {
        if (!fu_is_address_byte(p[i])) return 0;
        colons += p[i] == ':';
        dots += p[i] == '.';
        letters += (size_t)fu_is_time_letter(p[i]);
    }
    return colons > 1 || (colons == 0 && letters == 0 && dots == 3);
}

#ifdef FU_LOG_VECTORS
/* Return 1 for an address of IPv4 of n bytes. Sixteen bytes can be read. Masks have a bit per byte, and a dot at the end. */
static inline int fu_is_short_ipv4(const uint8_t *p, size_t n) {
    const __m128i data = _mm_loadu_si128((const __m128i *)p);
#define FU_MASK_OF(compare, byte) ((unsigned)_mm_movemask_epi8(compare(data, _mm_set1_epi8(byte))))
    const unsigned within = (1u << n) - 1, dots = (FU_MASK_OF(_mm_cmpeq_epi8, '.') & within) | 1u << n;
    const unsigned digits = FU_MASK_OF(_mm_cmpgt_epi8, '/') & ~FU_MASK_OF(_mm_cmpgt_epi8, '9'), firsts = dots << 1 | 1;
    const unsigned longer = firsts & within & ~(dots >> 1), longest = longer & ~(dots >> 2);
    const unsigned sixes = FU_MASK_OF(_mm_cmpgt_epi8, '5'), fives = FU_MASK_OF(_mm_cmpeq_epi8, '5');
    const unsigned over = FU_MASK_OF(_mm_cmpeq_epi8, '2') & (sixes >> 1 | (fives >> 1 & sixes >> 2));
    const unsigned large = longest & (over | FU_MASK_OF(_mm_cmpgt_epi8, '2') | ~(dots >> 3));
    const unsigned wrong = (firsts & dots) | (longer & FU_MASK_OF(_mm_cmpeq_epi8, '0')) | large | (within & ~(digits | dots));
    const unsigned three = dots & (dots - 1), two = three & (three - 1), one = two & (two - 1);
#undef FU_MASK_OF
    return wrong == 0 && one != 0 && (one & (one - 1)) == 0;
}
#endif

/* Return 0 for a text that is no client: its last label has only digits, and it is no address of IPv4. The line ends at
 * line_end. */
static inline int fu_may_be_client(const uint8_t *p, size_t n, const uint8_t *line_end) {
    const uint8_t *end = p + n, *label = end;
    if (n == 0 || !fu_is_time_digit(end[-1])) return 1;
#ifdef FU_LOG_VECTORS
    if (n < 16 && line_end - p >= 16 && fu_is_short_ipv4(p, n)) return 1;
#else
    (void)line_end;
#endif
    while (label > p && fu_is_time_digit(label[-1])) label--;
    if (label > p && label[-1] != '.') return 1;
    while (label > p && (fu_is_time_digit(label[-1]) || label[-1] == '.')) label--;
    return (label == p || label[-1] == ':' || label[-1] == ' ' || label[-1] == ',') && fu_is_ipv4(label, (size_t)(end - label));
}

/* Return 1 if a client and its port stand before a host and its port. The name of a client has no port. */
static inline int fu_log_is_swapped(const fu_slice *vhost, const fu_slice *client) {
    return fu_is_time_digit(*vhost->p) && fu_is_time_letter(*client->p) && fu_is_time_digit(client->p[client->n - 1]) &&
           memchr(vhost->p, ':', vhost->n) != NULL && memchr(client->p, ':', client->n) != NULL &&
           memchr(client->p, '.', client->n) != NULL;
}

/* Return 1 and the fields if the line is a record. `combined`: referer and agent follow the size in each line, not only where
 * they are. */
static inline int fu_read_log_line(const uint8_t *p, size_t n, int vhost, int combined, fu_log_line *line) {
    const uint8_t *end = p + n, *backslash = (const uint8_t *)memchr(p, '\\', n), *more;
    fu_slice ident;
    uint64_t status;
    int has_status;
    line->vhost.p = line->referer.p = line->agent.p = line->forwarded.p = NULL;
    line->plain = backslash == NULL ? FU_ALL_PLAIN : 0;
    if (backslash == NULL) backslash = end;
    p = fu_log_after_nuls(p, end);
    if (vhost) {
        p = fu_log_word(p, end, &line->vhost);
        /* A hyphen is the ident of a log without hosts. A comma follows the client of one with a list of addresses, which
         * others put in brackets. */
        if (p == NULL || (end - p >= 2 && p[0] == '-' && p[1] == ' ') || p[-2] == ',' || (p < end && *p == '(')) return 0;
    }
    p = fu_log_word(p, end, &line->client);
    if (vhost && p != NULL && fu_log_is_swapped(&line->vhost, &line->client)) {
        ident = line->vhost;
        line->vhost = line->client;
        line->client = ident;
    }
    if (p != NULL) p = fu_log_forwarded(p, end, line);
    p = fu_log_word(p, end, &ident);
    if (p != NULL && ident.n > 3 && !vhost) {
        if (line->client.n && fu_is_client_address(ident.p, ident.n) && !fu_is_client_address(line->client.p, line->client.n))
            return 0; /* this is the client, behind a host or a scheme */
        if (fu_is_time_letter(p[-2]) && memchr(ident.p, '.', ident.n) != NULL)
            line->vhost = ident; /* lighttpd and others write the host in place of the ident */
    }
    if (p != NULL && p < end && *p == ' ') p++; /* some formats have two spaces here and there */
    p = fu_log_user(p, end, &line->user);
    p = fu_log_space(fu_log_time(p, end, &line->time), end);
    more = fu_log_quoted(p, end, backslash, &line->request);
    if (more == NULL && p != NULL && p < end && *p == ' ') more = fu_log_quoted(p + 1, end, backslash, &line->request);
    p = fu_log_number(fu_log_space(more, end), end, 1, 3, &status, &has_status);
    p = fu_log_number(fu_log_space(p, end), end, 1, FU_LOG_SIZE_DIGITS_MAX, &line->size, &line->has_size);
    if (p == NULL || fu_log_is_dated(line->client.p) || (vhost && fu_log_is_dated(line->vhost.p))) return 0;
    if (!fu_set_status(line, status, has_status) || !fu_may_be_client(line->client.p, line->client.n, end)) return 0;
    more = fu_log_quoted(fu_log_space(p, end), end, backslash, &line->referer);
    more = fu_log_quoted(fu_log_space(more, end), end, backslash, &line->agent);
    if (more == NULL) {
        if (combined) return 0;
        line->referer.p = line->agent.p = NULL;
        more = p;
    }
    return fu_log_more_is_fields(more, end);
}

#endif
