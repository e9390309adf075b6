/* What is secret by its name or by its shape, for the redactor (escapes/redaction.h). docs/redaction.md has the rules.
 *
 * A key is compared with a decoded name without case, "_", "-" and ".": "access_token" is "accessToken". A key "*token" is any
 * name that ends so. A key "cookie:" is a header or a member of JSON only. A key "code&state" is "code" beside a parameter
 * "state". No load leaves [p, p + n). */
#ifndef FASTURL_SECRETS_H
#define FASTURL_SECRETS_H

#include <stdint.h>
#include <string.h>

#include "ascii.h"
#include "escapes/query.h"
#include "chars.h"
#include "split/schemes.h"

/* fasturl.SECRET_KEYS: the names in which well-known programs send secrets. */
static const char *const fu_secret_keys[] = {
    "*token",
    "*secret",
    "*password",
    "*passwd",
    "*pwd",
    "*passphrase",
    "*jwt",
    "*signature",
    "*credential",
    "*credentials",
    "*api_key",
    "*access_key",
    "*account_key",
    "*auth_key",
    "*encryption_key",
    "*master_key",
    "*private_key",
    "*secret_key",
    "*session_key",
    "*shared_key",
    "*signing_key",
    "*storage_key",
    "*subscription_key",
    "auth",
    "authorization",
    "bearer",
    "client_assertion",
    "csrf",
    "hmac",
    "jsessionid",
    "key",
    "oauth_verifier",
    "otp",
    "pass",
    "passcode",
    "phpsessid",
    "saml_response",
    "secrets",
    "session",
    "session_id",
    "sid",
    "sig",
    "ticket",
    "totp",
    "xsrf",
    "aws_access_key_id",
    "google_access_id",
    "key_pair_id",
    "code&state",
    "authorization:",
    "cookie:",
    "set_cookie:",
    "x_api_key:",
    "x_auth_token:",
    "proxy_authorization:",
};
#define FU_SECRET_KEYS (sizeof fu_secret_keys / sizeof fu_secret_keys[0])

/* ---- names */

enum { FU_KEY_WINDOW = 64 }; /* bytes of a name that are compared; of a longer one, the last ones */

/* A decoded name in lower case, without the marks that do not count. */
typedef struct {
    uint8_t data[FU_KEY_WINDOW];
    size_t length;
    int is_long;
} fu_key_text;

static inline int fu_is_key_mark(uint8_t byte) { return byte == '_' || byte == '-' || byte == '.'; }

static inline void fu_add_to_key(fu_key_text *key, uint8_t byte) {
    if (fu_is_key_mark(byte)) return;
    if (byte == '/') { /* "#/access_token=" */
        key->length = 0;
        key->is_long = 0;
        return;
    }
    if (key->length == FU_KEY_WINDOW) {
        memmove(key->data, key->data + FU_KEY_WINDOW / 2, FU_KEY_WINDOW / 2);
        key->length = FU_KEY_WINDOW / 2;
        key->is_long = 1;
    }
    key->data[key->length++] = fu_lower(byte);
}

/* What follows a name: "=", the quote of a member of JSON, or the ":" of a header. */
typedef enum { FU_OF_PARAMETER, FU_OF_MEMBER, FU_OF_HEADER } fu_key_place;

/* Return 1 if the name is the key's. */
static inline int fu_is_key(const fu_name *key, const fu_key_text *name, fu_key_place place) {
    const uint8_t *data = key->data;
    const size_t first = key->length > 1 && data[0] == '*';
    const int is_header = key->length > 1 && data[key->length - 1] == ':';
    size_t i = key->length - (size_t)is_header, j = name->length;
    if (is_header ? place == FU_OF_PARAMETER : place == FU_OF_HEADER) return 0;
    if (first == 0 && name->is_long) return 0;
    while (i > first) {
        const uint8_t byte = data[--i];
        if (fu_is_key_mark(byte)) continue;
        if (j == 0 || name->data[--j] != fu_lower(byte)) return 0;
    }
    return first > 0 || j == 0;
}

/* Return the last byte of a key that counts, in lower case: "n" for "*token" and "e" for "cookie:"; 0 if there is none. */
static inline uint8_t fu_last_of_key(const uint8_t *key, size_t length) {
    if (length > 1 && key[length - 1] == ':') length--;
    while (length > 0 && fu_is_key_mark(key[length - 1])) length--;
    return length > 0 ? fu_lower(key[length - 1]) : 0;
}

/* Fill the lookup table of the last bytes of names that may be one of the keys, as written: in any case, before marks, "/" and
 * "+". A name of no bytes counts as 0. */
static inline void fu_set_last_bytes(fu_first_bytes *out, const fu_name *keys, size_t count) {
    memset(out, 0, sizeof *out);
    for (const char *mark = "_-./+"; *mark; mark++) out->seconds[(uint8_t)*mark] = 1;
    for (size_t k = 0; k < count; k++) {
        out->seconds[keys[k].last] = 1;
        if (fu_is(keys[k].last, TERM_ALPHA)) out->seconds[keys[k].last ^ 0x20] = 1;
    }
}

/* ---- shapes */

enum { FU_RUN_MIN = 16 }; /* letters, digits, "-" and "_" in a row: the least that a shape has */

static inline int fu_is_run_byte(uint8_t byte) { return fu_is(byte, TERM_ALPHADIGIT) || byte == '-' || byte == '_'; }

/* Return the end of the run that holds p[at], or `at`. */
static inline size_t fu_run_end(const uint8_t *p, size_t n, size_t at) {
#ifdef FU_RUN_BITS
    for (uint64_t others; at < n; at += 64) {
        others = ~FU_RUN_BITS(p + at, n - at < 64 ? n - at : 64);
        if (others) return at + (size_t)__builtin_ctzll(others);
    }
#else
    while (at < n && fu_is_run_byte(p[at])) at++;
#endif
    return at;
}

/* Return the start of the first run of at least FU_RUN_MIN bytes at or after p[at]; n if there is none. */
static inline size_t fu_next_run(const uint8_t *p, size_t n, size_t at) {
#ifdef FU_RUN_BITS
    for (int before = 0; at < n; at += 64) { /* before: the bytes of a run at the end of the last block */
        const size_t length = n - at < 64 ? n - at : 64;
        const uint64_t bits = FU_RUN_BITS(p + at, length);
        if (~bits == 0 || before + __builtin_ctzll(~bits) >= FU_RUN_MIN) return at - (size_t)before;
        uint64_t runs = bits & bits >> 1;
        runs &= runs >> 2;
        runs &= runs >> 4;
        runs &= runs >> 8; /* the bytes that fifteen others of the block follow */
        if (runs) return at + (size_t)__builtin_ctzll(runs);
        before = __builtin_clzll(~bits);
    }
    return n;
#else
    for (size_t start = at; start + FU_RUN_MIN <= n;) {
        size_t last = start + FU_RUN_MIN;
        while (last > start && fu_is_run_byte(p[last - 1])) last--;
        if (last == start) return start;
        start = last; /* no run holds p[last - 1] */
    }
    return n;
#endif
}

enum { FU_ANY_RUN, FU_ALPHADIGITS, FU_CAPITALS, FU_HEX_DIGITS };

/* The keys of services that start with a word of their own: its first and second byte, the rest of it, the least and the most
 * bytes behind it, and their kind. tests/quoting/test_secret_shapes.py has an example and the source of each. */
#define FU_SHAPES_OF_KEYS(X)                       \
    X('g', 'h', "p_", 30, 255, FU_ALPHADIGITS)     \
    X('g', 'h', "o_", 30, 255, FU_ALPHADIGITS)     \
    X('g', 'h', "u_", 30, 255, FU_ALPHADIGITS)     \
    X('g', 'h', "s_", 30, 255, FU_ALPHADIGITS)     \
    X('g', 'h', "r_", 30, 255, FU_ALPHADIGITS)     \
    X('g', 'i', "thub_pat_", 22, 255, FU_ANY_RUN)  \
    X('g', 'l', "pat-", 20, 255, FU_ANY_RUN)       \
    X('g', 'l', "dt-", 20, 255, FU_ANY_RUN)        \
    X('g', 'l', "rt-", 20, 255, FU_ANY_RUN)        \
    X('g', 'l', "ptt-", 20, 255, FU_ANY_RUN)       \
    X('g', 'l', "cbt-", 20, 255, FU_ANY_RUN)       \
    X('s', 'k', "_live_", 16, 255, FU_ALPHADIGITS) \
    X('s', 'k', "_test_", 16, 255, FU_ALPHADIGITS) \
    X('r', 'k', "_live_", 16, 255, FU_ALPHADIGITS) \
    X('r', 'k', "_test_", 16, 255, FU_ALPHADIGITS) \
    X('w', 'h', "sec_", 20, 255, FU_ALPHADIGITS)   \
    X('A', 'K', "IA", 16, 16, FU_CAPITALS)         \
    X('A', 'S', "IA", 16, 16, FU_CAPITALS)         \
    X('A', 'I', "za", 35, 35, FU_ANY_RUN)          \
    X('G', 'O', "CSPX-", 28, 28, FU_ANY_RUN)       \
    X('n', 'p', "m_", 36, 36, FU_ALPHADIGITS)      \
    X('p', 'y', "pi-", 40, 4096, FU_ANY_RUN)       \
    X('S', 'K', "", 32, 32, FU_HEX_DIGITS)         \
    X('x', 'o', "xb-", 16, 255, FU_ANY_RUN)        \
    X('x', 'o', "xp-", 16, 255, FU_ANY_RUN)        \
    X('x', 'o', "xa-", 16, 255, FU_ANY_RUN)        \
    X('x', 'o', "xr-", 16, 255, FU_ANY_RUN)        \
    X('x', 'o', "xs-", 16, 255, FU_ANY_RUN)        \
    X('x', 'o', "xe-", 16, 255, FU_ANY_RUN)        \
    X('x', 'a', "pp-", 16, 255, FU_ANY_RUN)

typedef struct {
    uint8_t first, second, length; /* length: of `rest` */
    const char *rest;
    size_t least, most;
    int kind;
} fu_shape_row;

/* Most runs start with two bytes whose bit is not in fu_shape_starts, so they are compared with no row. */
#define FU_START_BIT(first, second) ((uint64_t)1 << (((first) * 5 + (second)) & 63))
#define FU_SHAPE_ROW(first, second, rest, least, most, kind) {first, second, sizeof rest - 1, rest, least, most, kind},
#define FU_SHAPE_BIT(first, second, rest, least, most, kind) | FU_START_BIT(first, second)
static const fu_shape_row fu_shapes[] = {FU_SHAPES_OF_KEYS(FU_SHAPE_ROW)};
static const uint64_t fu_shape_starts = 0 FU_SHAPES_OF_KEYS(FU_SHAPE_BIT);
enum { FU_SHAPE_ROWS = sizeof fu_shapes / sizeof fu_shapes[0] };
#undef FU_SHAPE_ROW
#undef FU_SHAPE_BIT

static inline int fu_may_start_shape(const uint8_t *p) { return (fu_shape_starts & FU_START_BIT(p[0], p[1])) != 0; }

/* The words of a path behind which a segment is secret if it looks random. */
static const char *const fu_secret_words[] = {
    "reset",      "verify",      "verification", "confirm",     "confirmation", "activate", "activation", "invite",
    "invitation", "invitations", "magic",        "unsubscribe", "share",        "shared",   "feed",       "webhook",
    "webhooks",   "hook",        "hooks",        "token",       "tokens",       "signed",   "webhookb",   "incomingwebhook",
};
enum { FU_SECRET_WORDS = sizeof fu_secret_words / sizeof fu_secret_words[0] };

static inline int fu_is_kind(const uint8_t *p, size_t n, int kind) {
    for (size_t i = 0; i < n; i++) {
        const int is_digit = fu_is(p[i], TERM_DIGIT);
        if (kind == FU_ALPHADIGITS && !fu_is(p[i], TERM_ALPHADIGIT)) return 0;
        if (kind == FU_CAPITALS && !is_digit && !(p[i] >= 'A' && p[i] <= 'Z')) return 0;
        if (kind == FU_HEX_DIGITS && !is_digit && !(p[i] >= 'a' && p[i] <= 'f')) return 0;
    }
    return 1;
}

static inline int fu_ends_with(const uint8_t *p, size_t at, const char *word) {
    const size_t length = strlen(word);
    return at >= length && memcmp(p + at - length, word, length) == 0;
}

/* Return the start of what a run says: behind the digits of an escape that ends in it. */
static inline size_t fu_run_start(const uint8_t *p, size_t start, size_t end) {
    size_t at = start;
    if (start == 0) return at;
    if (p[start - 1] == '%') {
        at += p[at] == 'u' ? 5 : 2;
        while (at + 2 < end && p[at - 2] == '2' && p[at - 1] == '5' && HEX_VALUE[p[at]] >= 0 && HEX_VALUE[p[at + 1]] >= 0)
            at += 2;
    } else if (p[start - 1] == '\\') {
        at += p[at] == 'u' ? 5 : p[at] == 'x' ? 3 : 1;
    }
    return at;
}

/* Return the start of the "/", raw or escaped, that ends before p[at]; `at` if there is none. */
static inline size_t fu_slash_before(const uint8_t *p, size_t at) {
    if (at == 0) return at;
    if (p[at - 1] == '/') return at - 1;
    if (fu_lower(p[at - 1]) != 'f') return at;
    return fu_ends_with(p, at - 1, "%2") ? at - 3 : fu_ends_with(p, at - 1, "%252") ? at - 5 : at;
}

/* Set [*start, *end) to the segment before p[at], which must follow a "/", raw or escaped. Return 0 if it follows none. */
static inline int fu_segment_before(const uint8_t *p, size_t at, size_t *start, size_t *end) {
    enum { MOST = 80 };
    size_t first = fu_slash_before(p, at);
    if (first == at) return 0;
    if (first > 0 && p[first - 1] == '\\') first--; /* JSON's "\/" */
    *end = first;
    while (first > 0 && *end - first < MOST && fu_slash_before(p, first) == first) first--;
    *start = first;
    return 1;
}

/* Return 1 if the letters p[0:n] are the word, in any case. */
static inline int fu_is_word(const uint8_t *p, size_t n, const char *word) {
    size_t k = 0;
    while (k < n && fu_lower(p[k]) == (uint8_t)word[k]) k++; /* ends at a NUL */
    return k == n && word[k] == '\0';
}

/* Return 1 if a word of p[start:end] is one of fu_secret_words. */
static inline int fu_names_secret(const uint8_t *p, size_t start, size_t end) {
    for (size_t at = start; at < end;) {
        size_t stop = at;
        while (stop < end && fu_is(p[stop], TERM_ALPHA)) stop++;
        for (size_t i = 0; i < FU_SECRET_WORDS && stop > at; i++)
            if (fu_is_word(p + at, stop - at, fu_secret_words[i])) return 1;
        at = stop + (stop == at);
    }
    return 0;
}

/* Return 1 if all of p[0:n] are small letters, "-" and "_", as in most names of pages. */
static inline int fu_is_small(const uint8_t *p, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (p[i] <= 'Z' && p[i] != '-') return 0;
    return 1;
}

/* Return 1 if p[0:n] looks random: hex digits, or a mix of digits, capitals and small letters that no words have. */
static inline int fu_looks_random(const uint8_t *p, size_t n) {
    size_t digits = 0, hex = 0, switches = 0, capitals = 0, letters = 0, hyphens = 0;
    int before = 0; /* 1: a digit, 2: a small letter, 3: a capital */
    for (size_t i = 0; i < n; i++) {
        const int kind = fu_is(p[i], TERM_DIGIT) ? 1 : p[i] >= 'a' && p[i] <= 'z' ? 2 : p[i] >= 'A' && p[i] <= 'Z' ? 3 : 0;
        digits += kind == 1;
        letters += kind >= 2;
        hex += HEX_VALUE[p[i]] >= 0;
        hyphens += p[i] == '-';
        switches += (kind == 1) != (before == 1) && kind && before;
        capitals += kind == 3 && before == 2;
        before = kind;
    }
    if (n < FU_RUN_MIN || digits + letters + hyphens < n - n / 4) return 0;
    if (hex + hyphens == n && digits >= 4 && letters > 0) return 1;
    return switches >= 3 || (switches >= 1 && capitals >= 2) || (capitals >= 4 && hyphens < 2);
}

/* Return the end of a segment that holds a token, from p[at] on. */
static inline size_t fu_token_end(const uint8_t *p, size_t n, size_t at) {
    while (at < n) {
        if (fu_is_run_byte(p[at]) || p[at] == '.' || p[at] == '~' || p[at] == '=' || p[at] == '@' || p[at] == ':')
            at++;
        else if (p[at] == '%' && n - at >= 3 && HEX_VALUE[p[at + 1]] >= 0 && HEX_VALUE[p[at + 2]] >= 0 &&
                 !(p[at + 1] == '2' && strchr("fF36057", p[at + 2]) != NULL) &&
                 !(p[at + 1] == '3' && strchr("FfEeCcBb", p[at + 2]) != NULL))
            at += 3;
        else
            break;
    }
    return at;
}

/* Return 1 if the segment at p[at] is the token of a webhook, or stands behind a word such as "reset". */
static inline int fu_is_secret_place(const uint8_t *p, size_t at) {
    size_t starts[3], ends[3];
    int count = 0;
    while (count < 3 && fu_segment_before(p, at, &starts[count], &ends[count])) at = starts[count++];
    for (int i = 0; i < count && i < 2; i++)
        if (fu_names_secret(p, starts[i], ends[i])) return 1;
    /* hooks.slack.com/services/T…/B…/… */
    return count == 3 && p[starts[0]] == 'B' && p[starts[1]] == 'T' && ends[2] - starts[2] == 8 &&
           memcmp(p + starts[2], "services", 8) == 0;
}

/* Return 1 if the number of a Telegram bot and ":" stand before p[at]. */
static inline int fu_is_behind_bot(const uint8_t *p, size_t at) {
    size_t digits = 0;
    if (at >= 1 && p[at - 1] == ':')
        at--;
    else if (fu_ends_with(p, at, "%3A") || fu_ends_with(p, at, "%3a"))
        at -= 3;
    else
        return 0;
    while (digits < 16 && at > 0 && fu_is(p[at - 1], TERM_DIGIT)) {
        at--;
        digits++;
    }
    return digits >= 6 && fu_ends_with(p, at, "bot");
}

/* Set *out to what is secret of the run [start, end). Return 0 if nothing is. */
static FU_NOINLINE int fu_secret_of_run(const uint8_t *p, size_t n, size_t start, size_t end, fu_range *out) {
    const size_t at = fu_run_start(p, start, end);
    if (at >= end) return 0;
    out->start = at;
    out->end = end;
    if (end - at >= 3 && p[at] == 'e' && p[at + 1] == 'y' && p[at + 2] == 'J' && end < n && p[end] == '.') {
        const size_t second = fu_run_end(p, n, end + 1); /* a JSON web token: header.payload.signature */
        if (second - end > 8) {
            out->end = second;
            for (int parts = 0; parts < 3 && out->end < n && p[out->end] == '.'; parts++)
                out->end = fu_run_end(p, n, out->end + 1);
            return 1;
        }
    }
    if (end - at > FU_RUN_MIN && fu_may_start_shape(p + at)) {
        for (size_t i = 0; i < FU_SHAPE_ROWS; i++) {
            const fu_shape_row *row = &fu_shapes[i];
            const size_t rest = at + 2 + row->length;
            if (p[at] != row->first || p[at + 1] != row->second || rest > end) continue;
            if (end - rest < row->least || end - rest > row->most || memcmp(p + at + 2, row->rest, row->length) != 0) continue;
            if (fu_is_kind(p + rest, end - rest, row->kind)) return 1;
        }
    }
    if (at == 0) return 0;
    switch (p[at - 1]) {
    case '.': { /* Google, SendGrid */
        const int is_sendgrid = fu_ends_with(p, at, "SG.") && end < n && p[end] == '.';
        if (!is_sendgrid && !fu_ends_with(p, at, "ya29.")) return 0;
        out->start = at - (is_sendgrid ? 3 : 5);
        break;
    }
    case ':':
    case 'A': /* "%3A" */
    case 'a': return end - at >= 30 && fu_is_behind_bot(p, at);
    case '/':
    case 'F': /* "%2F" */
    case 'f':
        if (fu_is_small(p + at, end - at) || !fu_looks_random(p + at, end - at) || !fu_is_secret_place(p, at)) return 0;
        break;
    default: return 0;
    }
    out->end = fu_token_end(p, n, end);
    return 1;
}

#endif
