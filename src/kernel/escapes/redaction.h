/* The redactor: finds the ranges of a text that hold a password or the value of a secret parameter. docs/redaction.md lists
 * the rules. Four searches return ranges from left to right, and fu_next_hidden merges them:
 *
 *   passwords   the passwords that split/readings.h finds in the whole text
 *   logins      the bytes between ":" and "@" after the slashes of any URL in the text, also of a URL inside a value
 *   values      the bytes after a secret name and "=", or after one as a member of JSON or a header
 *   shapes      the tokens that escapes/secrets.h knows by their shape or their place in a path
 *
 * Without names, there are passwords and logins only. The searches for logins and values decode escapes of any depth. Each
 * search visits each byte a bounded number of times. No load leaves [p, p + n). */
#ifndef FASTURL_REDACTION_H
#define FASTURL_REDACTION_H

#include "ascii.h"
#include "escapes/characters.h"
#include "escapes/query.h"
#include "escapes/secrets.h"
#include "split/readings.h"

/* Return 1 if the character ends a URL that a text quotes. */
static inline int fu_ends_word(fu_character c) {
    return c.depth == 0 && (fu_is_space(c.byte) || c.byte == '"' || c.byte == '\'' || c.byte == '<' || c.byte == '>');
}

/* Return 1 if a parameter name may start after the byte. In a text, a name may also start after a word delimiter. */
static inline int fu_divides(uint8_t byte, int is_text) {
    switch (byte) {
    case '?':
    case '&':
    case ';':
    case '#':
    case '=':
    case '[': return 1;
    case ',':
    case '"':
    case '\'':
    case '<':
    case '>':
    case '(':
    case ')':
    case '{':
    case '}':
    case ']':
    case '|':
    case '\\': return is_text;
    default: return is_text && fu_is_space(byte);
    }
}

typedef struct {
    const uint8_t *p;
    size_t n;
    const fu_name *names;
    size_t count;
    const fu_first_bytes *lasts; /* of `names`, or NULL */
    int hides_users; /* 1: a login is hidden with its user */
    int is_text;                   /* 1: a text that may quote URLs, which white space and quotes end; 0: a URL */
    fu_range passwords[FU_READINGS];
    size_t password, password_count;
    size_t login_at; /* the search for logins continues here */
    fu_range login;  /* the next login to hide; its start is FU_ABSENT after the last one */
    size_t sign, sign_until; /* the last "@" before sign_until, or FU_ABSENT */
    size_t value_at;         /* the search for values continues here */
    fu_range value;          /* the next value to hide, as `login` */
    size_t path, query, fragment; /* the start of each, or n; before `path`, only ";" ends a pair */
    size_t brackets_until, behind_brackets; /* the value after the brackets before brackets_until, or FU_ABSENT */
    uint64_t beside_known, beside_there; /* bits by condition: searched for; present */
    size_t shape_at;  /* the search for shapes continues here */
    fu_range shape;   /* the next token to hide, as `login` */
} fu_redaction;

/* ---- logins */

static inline int fu_is_word_byte(uint8_t byte) {
    return fu_is(byte, TERM_SCHEME) || byte == '_' || byte == '~' || byte == '/' || byte >= 0x80;
}

/* Return 1 if the colon at p[colon] ends the name of a special scheme: browsers find its login after any number of slashes,
 * even none. An escape may precede the name, so up to two letters of its hex digits are skipped. */
static inline int fu_is_browser_colon(const uint8_t *p, size_t colon) {
    size_t start = colon;
    while (start > 0 && colon - start < 8 && fu_is(p[start - 1], TERM_ALPHA)) start--;
    for (size_t letters = 0; start < colon && letters <= 2 && (letters == 0 || letters < start); letters++, start++)
        if (fu_browser_kind_of(p + start, colon - start) == FU_BROWSER_SPECIAL)
            return letters == 0 || p[start - letters - 1] == '%' || fu_is(p[start - letters - 1], TERM_DIGIT);
    return 0;
}

/* Return the start of the next authority at or after p[at], after its slashes; n if there is none. *depth: of its slashes. */
static inline size_t fu_next_authority(const uint8_t *p, size_t n, size_t at, int is_text, uint8_t *depth) {
    uint8_t before = at > 0 ? p[at - 1] : ' ';
    while (at < n) {
        fu_character c = fu_read_character(p, n, at);
        if (c.byte != '/' && c.byte != '\\' && c.byte != ':') {
            before = c.byte;
            at = c.end;
            continue;
        }
        const int is_colon = c.byte == ':' && fu_is_browser_colon(p, at);
        const int is_behind_colon = at > 0 && p[at - 1] == ':';
        size_t slashes = 0, forward = 0;
        *depth = c.depth;
        if (is_colon) at = c.end;
        for (; at < n; at = c.end, slashes++) {
            c = fu_read_character(p, n, at);
            if (c.byte != '/' && c.byte != '\\') break;
            forward += c.byte == '/';
            if (c.depth > *depth) *depth = c.depth;
        }
        /* Only browsers read backslashes as slashes: after a special scheme, or without a scheme. */
        if (is_colon) return at;
        if (slashes >= 2 && (is_text || (!fu_is_word_byte(before) && (forward > 0 || !is_behind_colon)))) return at;
        if (slashes == 0 && at < n) at = c.end;
        before = slashes > 0 ? '/' : c.byte;
    }
    return n;
}

/* Return the offset of the last "@" at or after p[at], FU_ABSENT if there is none. In a text, only the word at p[at] is
 * searched. The result is cached, since many authorities may need it. */
static inline size_t fu_last_sign(fu_redaction *r, size_t at) {
    if (at >= r->sign_until) {
        size_t i = at;
        r->sign = FU_ABSENT;
        while (i < r->n) {
            const fu_character c = fu_read_character(r->p, r->n, i);
            if (r->is_text && fu_ends_word(c)) break;
            if (c.byte == '@') r->sign = i;
            i = c.end;
        }
        r->sign_until = i + (i == at);
    }
    return r->sign != FU_ABSENT && r->sign >= at ? r->sign : FU_ABSENT;
}

/* Find the password of the authority at p[start]: the range from its first ":" to its last "@". depth: that of its slashes.
 * If the authority has no "@" and its ":" no port, the range ends at the last "@" of all: programs also write "/", "?" and
 * "#" in passwords. Return the end of the authority; place->start is FU_ABSENT if there is no password. */
static inline size_t fu_read_authority(fu_redaction *r, size_t start, uint8_t depth, fu_range *place) {
    size_t at = start, colon = FU_ABSENT, sign = FU_ABSENT, user_end = FU_ABSENT, digits = 0;
    int is_port = 0, is_bracketed = 0;
    place->start = FU_ABSENT;
    place->end = 0;
    while (at < r->n) {
        const fu_character c = fu_read_character(r->p, r->n, at);
        if (c.depth <= depth && (c.byte == '/' || c.byte == '\\' || c.byte == '?' || c.byte == '#')) break;
        if (r->is_text && fu_ends_word(c)) break;
        if (c.depth <= depth && c.byte == '&' && (sign != FU_ABSENT || colon == FU_ABSENT || is_port)) break;
        if (c.byte == '@') {
            if (colon != FU_ABSENT) sign = at;
            user_end = at;
        } else if (c.byte == ':') {
            if (colon == FU_ABSENT)
                colon = c.end;
            else if (!is_bracketed)
                digits = 6;
        } else if (c.byte == '[' && colon == FU_ABSENT) {
            is_bracketed = 1;
        } else if (c.byte == ']' && is_bracketed && sign == FU_ABSENT) {
            colon = FU_ABSENT;
            is_bracketed = 0;
            digits = 0;
        } else {
            if (c.byte != '.' && HEX_VALUE[c.byte] < 0) is_bracketed = 0; /* not an IPv6 address, so "[" opens no brackets */
            if (colon != FU_ABSENT) digits += c.byte >= '0' && c.byte <= '9' ? 1 : 6;
        }
        is_port = digits >= 1 && digits <= 5;
        at = c.end;
    }
    if (sign == FU_ABSENT && colon != FU_ABSENT && !is_port) sign = fu_last_sign(r, at);
    if (sign != FU_ABSENT) {
        place->start = r->hides_users ? start : colon;
        place->end = sign;
    } else if (r->hides_users && user_end != FU_ABSENT && user_end > start) {
        place->start = start;
        place->end = user_end;
    }
    return at;
}

static FU_NOINLINE void fu_next_login(fu_redaction *r) {
    r->login.start = FU_ABSENT;
    while (r->login_at < r->n && r->login.start == FU_ABSENT) {
        uint8_t depth = 0;
        const size_t start = fu_next_authority(r->p, r->n, r->login_at, r->is_text, &depth);
        const size_t end = fu_read_authority(r, start, depth, &r->login);
        r->login_at = r->login.start != FU_ABSENT && r->login.end > end ? r->login.end : end;
    }
}

/* ---- values */

/* Return 1 if a name may start after the character: also after an escaped quote, as in JSON inside a query. */
static inline int fu_starts_name(fu_character c, int is_text) {
    return fu_divides(c.byte, is_text) || (c.depth > 0 && (c.byte == '"' || c.byte == '\''));
}

/* Return the offset after the next character that divides names, where a name may start; n if there is none. */
static inline size_t fu_next_name_one_by_one(const uint8_t *p, size_t n, size_t at, int is_text) {
    while (at < n) {
        const fu_character c = fu_read_character(p, n, at);
        at = c.end;
        if (fu_starts_name(c, is_text)) return at;
    }
    return n;
}

/* As fu_next_name_one_by_one, with vectors. It passes most names that are no key: those that end in the same block before a
 * "&", or before a "=" after a byte that ends no key. */
static inline size_t fu_next_name(const fu_redaction *r, size_t at) {
    const uint8_t *p = r->p;
    const size_t n = r->n;
#ifdef FU_NAME_BITS
    if (!r->is_text) {
        for (size_t length; at < n; at += length) {
            length = n - at < 64 ? n - at : 64;
            for (uint64_t bits = FU_NAME_BITS(p + at, length); bits; bits &= bits - 1) {
                size_t start = at + (size_t)__builtin_ctzll(bits);
                /* skip unless "%22" to "%5B"; "%25" starts a deeper escape */
                if (p[start] == '%' && (start + 1 == n || p[start + 1] < '2' || p[start + 1] > '5')) continue;
                const fu_character c = fu_read_character(p, n, start);
                if (!fu_starts_name(c, 0)) continue;
                const uint64_t rest = bits & (bits - 1);
                const size_t end = rest ? at + (size_t)__builtin_ctzll(rest) : 0; /* the text until here has no escape */
                if (end > c.end && (p[end] == '&' || (p[end] == '=' && r->lasts && !r->lasts->seconds[p[end - 1]]))) continue;
                return c.end;
            }
        }
        return n;
    }
#endif
    return fu_next_name_one_by_one(p, n, at, r->is_text);
}

/* Read the name that starts at p[at]. Return the offset of the character that ends it. */
static inline size_t fu_read_key(const fu_redaction *r, size_t at, fu_key_text *key) {
    key->length = 0;
    key->is_long = 0;
    while (at < r->n) {
        const fu_character c = fu_read_character(r->p, r->n, at);
        if (fu_starts_name(c, r->is_text) || c.byte == ']' || ((r->is_text || c.depth > 0) && c.byte == ':')) break;
        fu_add_to_key(key, c.byte == '+' && c.depth == 0 ? ' ' : c.byte);
        at = c.end;
    }
    return at;
}

/* Return the start of the value whose name ends at p[at], as in "token=", "user[token]=" and "token[]="; FU_ABSENT if there is
 * no value. The value after brackets is cached, since many names may end before it. */
static inline size_t fu_value_start(fu_redaction *r, size_t at) {
    if (at >= r->n) return FU_ABSENT;
    fu_character c = fu_read_character(r->p, r->n, at);
    if (c.byte != '[' && c.byte != ']') return c.byte == '=' ? c.end : FU_ABSENT;
    if (at >= r->brackets_until) {
        for (; at < r->n; at = c.end) {
            c = fu_read_character(r->p, r->n, at);
            if (c.byte == '=' || (c.byte != '[' && fu_divides(c.byte, 0)) || (r->is_text && fu_ends_word(c))) break;
        }
        r->brackets_until = at;
        r->behind_brackets = at < r->n && c.byte == '=' ? c.end : FU_ABSENT;
    }
    return r->behind_brackets;
}

static inline size_t fu_pass_spaces(const fu_redaction *r, size_t at) {
    while (at < r->n) {
        const fu_character c = fu_read_character(r->p, r->n, at);
        if (c.byte != ' ') break;
        at = c.end;
    }
    return at;
}

/* If a quoted text starts at p[at], after any backslashes, set *out to its inside, and return the offset behind its quote.
 * Otherwise return FU_ABSENT. Deeper escapes and more backslashes make a quote a part of the text. */
static inline size_t fu_read_quoted(const fu_redaction *r, size_t at, fu_range *out) {
    size_t slashes = at;
    while (slashes < r->n && r->p[slashes] == '\\') slashes++;
    if (slashes == r->n) return FU_ABSENT;
    const fu_character quote = fu_read_character(r->p, r->n, slashes);
    const size_t most = slashes - at;
    if (quote.byte != '"' && quote.byte != '\'') return FU_ABSENT;
    out->start = quote.end;
    for (size_t i = quote.end, run = 0; i < r->n;) {
        const fu_character c = fu_read_character(r->p, r->n, i);
        if (c.byte == quote.byte && c.depth <= quote.depth && run <= most) {
            out->end = i - run;
            return c.end;
        }
        run = r->p[i] == '\\' && c.depth == 0 ? run + 1 : 0;
        i = c.end;
    }
    out->end = r->n;
    return r->n;
}

/* Read the value of a member of JSON, or of a header, whose name ends at p[at], before its quote or ":". Return 0 if there is
 * none. A number, true, false and null stay: a mark in their place would be no JSON. */
static FU_NOINLINE int fu_read_member(const fu_redaction *r, size_t at, fu_range *out) {
    size_t i = at;
    while (i < r->n && r->p[i] == '\\') i++;
    if (i == r->n) return 0;
    fu_character c = fu_read_character(r->p, r->n, i);
    const int is_quoted = c.byte == '"' || c.byte == '\'';
    if (is_quoted) {
        i = fu_pass_spaces(r, c.end);
        if (i == r->n) return 0;
        c = fu_read_character(r->p, r->n, i);
    }
    if (c.byte != ':') return 0;
    i = fu_pass_spaces(r, c.end);
    if (i == r->n) return 0;
    c = fu_read_character(r->p, r->n, i);
    if (is_quoted && c.byte == '[') { /* a list of texts: from the first to the last */
        fu_range next;
        i = fu_read_quoted(r, fu_pass_spaces(r, c.end), out);
        if (i == FU_ABSENT) return 0;
        while ((i = fu_pass_spaces(r, i)) < r->n && (c = fu_read_character(r->p, r->n, i)).byte == ',') {
            i = fu_read_quoted(r, fu_pass_spaces(r, c.end), &next);
            if (i == FU_ABSENT) break;
            out->end = next.end;
        }
        return out->end > out->start;
    }
    if (fu_read_quoted(r, i, out) != FU_ABSENT) /* "-" stands for nothing */
        return out->end > out->start && !(out->end - out->start == 1 && r->p[out->start] == '-');
    if (is_quoted || (c.byte == '/' && r->n - i > 1 && r->p[i + 1] == '/')) return 0;
    out->start = i;
    while (i < r->n) { /* a header, which may have several words */
        c = fu_read_character(r->p, r->n, i);
        if (c.byte == '\t' || c.byte == '\n' || c.byte == '\r' || (fu_ends_word(c) && c.byte != ' ')) break;
        i = c.end;
    }
    out->end = i;
    return out->end > out->start;
}

/* Return 1 if a quoted text may start at p[at], and not end there: a letter, a digit or the like follows the quote. */
static inline int fu_opens_quote(const fu_redaction *r, size_t at) {
    while (at < r->n && r->p[at] == '\\') at++;
    return r->n - at > 1 && (r->p[at] == '"' || r->p[at] == '\'') &&
           (fu_is_run_byte(r->p[at + 1]) || r->p[at + 1] == '%' || r->p[at + 1] == '*');
}

/* Return the end of the name at p[at] if a look at its last byte and at the next one shows that it is no key: for example
 * "page=" if no key ends in "e". Otherwise return FU_ABSENT. */
static inline size_t fu_pass_name(const fu_redaction *r, size_t at) {
    size_t end = at;
    while (end < r->n && fu_is_alnum(r->p[end])) end++;
    if (end == r->n || (r->p[end] == '&' && end > at)) return end;
    if (end == at || r->p[end] != '=' || r->lasts == NULL) return FU_ABSENT;
    return r->lasts->seconds[r->p[end - 1]] ? FU_ABSENT : end;
}

/* Return 1 if the name is not secret in this text, as far as is known: the parameter `beside` was sought, and is absent. */
static inline int fu_is_known_alone(const fu_redaction *r, const fu_name *name) {
    if (name->beside == NULL || name->condition >= 64) return 0;
    return (r->beside_known & ~r->beside_there & (uint64_t)1 << (uint64_t)name->condition) != 0;
}

/* Find the first secret name at or after p[at]. Set *place to its value, whose end may be FU_ABSENT if it is that of a
 * parameter. Return NULL if there is none. */
static inline const fu_name *fu_next_secret(fu_redaction *r, size_t at, fu_range *place) {
    fu_key_text key;
    if (at > 0 || !r->is_text) at = fu_next_name(r, at);
    for (size_t end; at < r->n; at = fu_next_name(r, end)) {
        end = fu_pass_name(r, at);
        if (end != FU_ABSENT) continue;
        end = fu_read_key(r, at, &key);
        const uint8_t stop = end < r->n ? fu_read_character(r->p, r->n, end).byte : '=';
        const int is_member = stop == '"' || stop == '\'' || stop == '\\';
        const fu_key_place of = stop == ':' ? FU_OF_HEADER : is_member ? FU_OF_MEMBER : FU_OF_PARAMETER;
        const uint8_t last = key.length ? key.data[key.length - 1] : 0;
        const size_t count = r->lasts == NULL || r->lasts->seconds[last] ? r->count : 0;
        for (size_t i = 0; i < count; i++) {
            if ((r->names[i].last && r->names[i].last != last) || !fu_is_key(&r->names[i], &key, of)) continue;
            if (fu_is_known_alone(r, &r->names[i])) continue; /* another key may have this name */
            place->end = FU_ABSENT;
            place->start = fu_value_start(r, end);
            if (place->start == FU_ABSENT) {
                if (of != FU_OF_PARAMETER && fu_read_member(r, end, place)) return &r->names[i];
                break; /* no other name is longer or shorter */
            }
            if (r->is_text && fu_opens_quote(r, place->start)) (void)fu_read_quoted(r, place->start, place);
            return &r->names[i];
        }
    }
    return NULL;
}

static inline size_t fu_value_end(const fu_redaction *r, size_t at) {
    const uint8_t *p = r->p;
    const size_t n = r->n;
    if (r->is_text) {
        while (at < n && p[at] != '&') {
            const fu_character c = {at + 1, p[at], 0};
            if (fu_ends_word(c)) break;
            at++;
        }
    } else if (at <= r->path) { /* a setting of a connection string */
        const int is_braced = at < n && p[at] == '{';
        while (at < n && !(p[at] == ';' && (!is_braced || p[at - 1] == '}'))) at++;
    } else if (at <= r->query) {
        while (at < n && p[at] != ';' && p[at] != '/' && p[at] != '?' && p[at] != '#') at++;
        return at;
    }
    /* A setting may end inside a pair of the query. Its range then hides that pair, which may be secret too. */
    if (!r->is_text && at > r->query) at = fu_first_near(p, at, at <= r->fragment ? r->fragment : n, '&');
    return at;
}

/* Set *out to the name of a key: "code&state" is the name "code", secret beside "state". *conditions counts such keys. */
static inline void fu_set_secret_name(fu_name *out, const uint8_t *key, size_t length, unsigned *conditions) {
    const size_t mark = length > 2 ? fu_find(key, 1, length - 1, '&') : length;
    const int has_condition = mark + 1 < length;
    out->data = key;
    out->length = has_condition ? mark : length;
    out->beside = has_condition ? key + mark + 1 : NULL;
    out->beside_length = has_condition ? length - mark - 1 : 0;
    out->condition = *conditions;
    out->last = fu_last_of_key(key, out->length);
    if (has_condition) (*conditions)++;
}

/* Return 1 if the name is secret in this text: it has no condition, or the parameter `beside` is present. */
static inline int fu_is_beside(fu_redaction *r, const fu_name *name) {
    if (name->beside == NULL || name->condition >= 64) return 1;
    const uint64_t bit = (uint64_t)1 << (name->condition);
    if (!(r->beside_known & bit)) {
        const fu_name other = {name->beside, name->beside_length, NULL, 0, 0, 0};
        fu_redaction search = *r;
        fu_range value;
        search.names = &other;
        search.count = 1;
        search.lasts = NULL;
        search.brackets_until = 0;
        r->beside_known |= bit;
        if (fu_next_secret(&search, 0, &value) != NULL) r->beside_there |= bit;
    }
    return (r->beside_there & bit) != 0;
}

static FU_NOINLINE void fu_next_value(fu_redaction *r) {
    fu_range place = {FU_ABSENT, FU_ABSENT};
    r->value.start = FU_ABSENT;
    while (r->value_at < r->n && r->value.start == FU_ABSENT) {
        const fu_name *name = fu_next_secret(r, r->value_at, &place);
        if (name == NULL) {
            r->value_at = r->n;
        } else if (fu_is_beside(r, name)) {
            const size_t end = r->is_text && place.end != FU_ABSENT ? r->n : fu_value_end(r, place.start);
            r->value.start = place.start;
            r->value.end = r->value_at = place.end < end ? place.end : end;
        } /* otherwise the name is known to be alone, and the search goes on without it */
    }
}

/* ---- shapes */

static FU_NOINLINE void fu_next_shape(fu_redaction *r) {
    r->shape.start = FU_ABSENT;
    while (r->shape_at < r->n && r->shape.start == FU_ABSENT) {
        const size_t from = r->shape_at, start = fu_next_run(r->p, r->n, from);
        const size_t end = fu_run_end(r->p, r->n, start);
        r->shape_at = end;
        if (start == r->n) break;
        if (!fu_secret_of_run(r->p, r->n, start, end, &r->shape)) {
            r->shape.start = FU_ABSENT;
            continue;
        }
        if (r->shape.start < from) r->shape.start = from; /* a prefix may be a part of the token before */
        if (r->shape.end > end) r->shape_at = r->shape.end;
    }
}

/* Set r->path, r->query and r->fragment, which decide what ends a value. A text that starts with "jdbc:" has settings up to
 * its "?", and no fragment. */
static inline void fu_find_parts(fu_redaction *r) {
    const uint8_t *p = r->p;
    const size_t n = r->n;
    const int is_jdbc =
        n >= 5 && fu_lower(p[0]) == 'j' && fu_lower(p[1]) == 'd' && fu_lower(p[2]) == 'b' && fu_lower(p[3]) == 'c' && p[4] == ':';
    size_t slash = 0;
    r->fragment = is_jdbc ? n : fu_first_of(p, 0, n, '#');
    r->query = fu_first_of(p, 0, r->fragment, '?');
    r->path = r->query;
    if (is_jdbc) return;
    while (slash < r->query && p[slash] != '/') slash++;
    if (r->query - slash < 2 || p[slash + 1] != '/')
        r->path = 0;
    else
        r->path = fu_first_of(p, slash + 2, r->query, '/');
}

#ifndef FU_MARK_BITS
static inline uint64_t fu_mark_bits_one_by_one(const uint8_t *p, size_t n) {
    uint64_t bits = 0;
    for (size_t i = 0; i < n; i++) bits |= (uint64_t)(p[i] == '@' || p[i] == '=' || p[i] == '%' || p[i] == '\\') << i;
    return bits;
}
#define FU_MARK_BITS fu_mark_bits_one_by_one
#endif

/* Set *has_sign if the text has an "@", *has_equals if it has a "=", plain or escaped. A login needs "@", a value "=". */
static inline void fu_look_for_marks(const uint8_t *p, size_t n, int *has_sign, int *has_equals) {
    *has_sign = *has_equals = 0;
    for (size_t length, at = 0; at < n; at += length) {
        length = n - at < 64 ? n - at : 64;
        for (uint64_t bits = FU_MARK_BITS(p + at, length); bits; bits &= bits - 1) {
            const size_t mark = at + (size_t)__builtin_ctzll(bits), next = mark + 1;
            *has_sign |= p[mark] == '@';
            *has_equals |= p[mark] == '=';
            if (p[mark] == '@' || p[mark] == '=') continue;
            /* "%40", "%3D" and "%25", and "\u" and "\x" */
            if (next == n || (p[mark] == '%' ? p[next] < '2' || p[next] > '4' : p[next] != 'u' && p[next] != 'x')) continue;
            const fu_character c = fu_read_escaped(p, n, mark);
            *has_sign |= c.byte == '@';
            *has_equals |= c.byte == '=';
        }
        if (*has_sign && *has_equals) return;
    }
}

static inline void fu_start_redaction(fu_redaction *r, const fu_scheme_table *table, const uint8_t *p, size_t n, int is_text,
                                      const fu_name *names, size_t count, const fu_first_bytes *lasts, int hides_users) {
    int has_sign, has_equals;
    fu_look_for_marks(p, n, &has_sign, &has_equals);
    r->p = p;
    r->n = n;
    r->names = names;
    r->count = count;
    r->lasts = lasts;
    r->hides_users = hides_users;
    r->is_text = is_text;
    r->password = 0;
    r->password_count = has_sign && !is_text ? fu_find_passwords(table, p, n, r->passwords) : 0;
    r->login_at = has_sign ? 0 : n;
    r->login.start = FU_ABSENT;
    r->sign_until = 0;
    r->value_at = (has_equals || is_text) && count > 0 ? 0 : n;
    r->value.start = FU_ABSENT;
    r->brackets_until = 0;
    r->beside_known = r->beside_there = 0;
    r->shape_at = count > 0 ? 0 : n;
    r->shape.start = FU_ABSENT;
    if (r->shape_at < n) fu_next_shape(r);
    if (has_sign) fu_next_login(r);
    if (r->value_at < n) {
        fu_find_parts(r);
        fu_next_value(r);
    }
}

/* Return 1 if fu_next_hidden has more ranges to return. */
static inline int fu_hides_any(const fu_redaction *r) {
    return r->password < r->password_count || r->login.start != FU_ABSENT || r->value.start != FU_ABSENT ||
           r->shape.start != FU_ABSENT;
}

/* Add the next range to *hidden, unless it lies behind it. Return 0 if no range was added. */
static inline int fu_take_range(fu_redaction *r, fu_range *hidden) {
    fu_range next = {FU_ABSENT, 0};
    int from = 0;
    if (r->password < r->password_count) next = r->passwords[r->password];
    if (r->login.start < next.start) {
        next = r->login;
        from = 1;
    }
    if (r->value.start < next.start) {
        next = r->value;
        from = 2;
    }
    if (r->shape.start < next.start) {
        next = r->shape;
        from = 3;
    }
    if (next.start == FU_ABSENT || (hidden->start != FU_ABSENT && next.start > hidden->end)) return 0;
    if (hidden->start == FU_ABSENT) hidden->start = next.start;
    if (next.end > hidden->end) hidden->end = next.end;
    if (from == 0)
        r->password++;
    else if (from == 1)
        fu_next_login(r);
    else if (from == 2)
        fu_next_value(r);
    else
        fu_next_shape(r);
    return 1;
}

/* Set *start and *end to the next range to hide, with overlapping ranges merged. Return 0 after the last one. */
static inline int fu_next_hidden(fu_redaction *r, size_t *start, size_t *end) {
    fu_range hidden = {FU_ABSENT, 0};
    while (fu_take_range(r, &hidden)) {}
    *start = hidden.start;
    *end = hidden.end;
    return hidden.start != FU_ABSENT;
}

#endif
