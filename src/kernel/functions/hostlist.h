/* Host lists: the entry of a list that a host equals, is below, or is an address of. One entry per name, address or network, as
 * in a file of domains or in /etc/hosts.
 *
 * A filter has two bits for each name and for each suffix of its labels, and fits into the L2 or L3 cache. For most hosts, the
 * lookup of the second label from the end shows that the list has no entry of more labels. The entries are in a hash table of
 * offsets, by their keys (hostkey.h). The caller owns the memory. */
#ifndef FASTURL_HOSTLIST_H
#define FASTURL_HOSTLIST_H

#include "functions/domains.h"
#include "functions/hostkey.h"
#include "split/brackets.h"
#include "split/urllib.h"

/* The steps from the place of a hash to its slot are below FU_LIST_STEPS_MAX, unless names were chosen to collide. */
enum { FU_LIST_FILTER_BITS = 10 /* per suffix */, FU_LIST_STEPS_MAX = 1024 };
#define FU_LIST_OTHER_TEXT ((uint32_t)1 << 31)

/* The lower half of an entry's hash, and the offset of its key in the names; 0 marks a free slot. FU_LIST_OTHER_TEXT is added if the
 * entry's text, which follows the key with its length in one byte, is not the key. */
typedef struct {
    uint32_t hash, place;
} fu_list_slot;

typedef struct fu_host_list {
    uint8_t *names; /* of each entry the length of its key in one byte, after a 0 if the entry has another text; and its key */
    size_t used, room;
    fu_list_slot *slots;
    uint32_t slot_count; /* more than there are entries */
    uint64_t *filter;
    uint32_t filter_words;
    uint32_t count;
    uint64_t labels; /* bit k: an entry has k + 1 labels; bit 63: or more */
    size_t longest; /* bytes of the longest name */
    uint64_t lengths; /* bit 63 - n: a name has n bytes */
    uint64_t prefixes[3]; /* bit k: there is a network of k bits */
    int unsure; /* a name has a character that only Unicode's tables show to be its own normal form */
} fu_host_list;

/* Return the place of a 32-bit hash among `count` places. */
static inline size_t fu_place_of(uint32_t hash, uint32_t count) { return (size_t)((uint64_t)hash * count >> 32); }

static inline uint64_t fu_filter_bits(uint64_t hash) {
    return (uint64_t)1 << (hash >> 32 & 63) | (uint64_t)1 << (hash >> 38 & 63);
}

static inline int fu_list_may_have(const fu_host_list *l, uint64_t hash) {
    const uint64_t bits = fu_filter_bits(hash);
    return (l->filter[fu_place_of((uint32_t)hash, l->filter_words)] & bits) == bits;
}

/* Return the slot of the entry p[0:n), or the free slot where it belongs. */
static inline fu_list_slot *fu_list_slot_of(const fu_host_list *l, const uint8_t *p, size_t n, uint64_t hash) {
    for (size_t i = fu_place_of((uint32_t)(hash >> 32), l->slot_count);; i = i + 1 < l->slot_count ? i + 1 : 0) {
        fu_list_slot *slot = &l->slots[i];
        if (slot->place == 0) return slot;
        if (slot->hash != (uint32_t)hash) continue;
        const uint8_t *name = l->names + (slot->place & ~FU_LIST_OTHER_TEXT);
        size_t k = 0;
        if (name[-1] != n) continue;
        while (k < n && fu_lower(p[k]) == name[k]) k++;
        if (k == n) return slot;
    }
}

/* A search for the entries that the host [start, end) equals or is below, from its last label on. */
typedef struct fu_host_search {
    size_t start, end, floor; /* floor: the least start of an entry; start if there are dots */
    size_t label; /* the current suffix is [label, end) */
    size_t labels; /* its number of labels */
    size_t found; /* start of the longest entry, or FU_ABSENT */
    uint32_t place; /* its place in the list */
    uint64_t hash, dots; /* dots: as for fu_label_start, if has_dots */
    int has_dots, has_capital;
    int is_slow; /* the readers may differ, so there is no search */
} fu_host_search;

/* Return an entry's text, in lower case. */
static inline fu_slice fu_entry_text(const fu_host_list *l, uint32_t place) {
    const uint8_t *key = l->names + (place & ~FU_LIST_OTHER_TEXT);
    fu_slice text = {key, key[-1]};
    if (place & FU_LIST_OTHER_TEXT) {
        text.p = key + key[-1] + 1;
        text.n = text.p[-1];
    }
    return text;
}

/* Start a search. Trailing dots are ignored. */
static inline void fu_start_search(const fu_host_list *l, const uint8_t *p, size_t start, size_t end, fu_host_search *s) {
    while (end > start && p[end - 1] == '.') end--;
    s->start = start;
    s->end = end;
    s->floor = !s->has_dots && end - start > l->longest ? end - l->longest : start;
    s->label = end + 1;
    s->labels = 0;
    s->found = FU_ABSENT;
    s->hash = 0;
}

/* Return 0 if no suffix of the host is as long as a name of the list. With few names, most searches end here. */
static inline int fu_has_length(const fu_host_list *l, const fu_host_search *s) {
    const size_t n = s->end - s->start;
    return !s->has_dots || n >= 64 || ((s->dots << 1 | 1) << (63 - n) & l->lengths) != 0;
}

/* Hash one more label. Return 0 if there is none, if it is empty, or if no entry is as long. */
static inline int fu_next_suffix(const fu_host_list *l, const uint8_t *p, fu_host_search *s) {
    if (s->label == s->floor) return 0;
    const size_t label_end = s->label - 1, label = fu_label_start(p, s->floor, label_end, s->has_dots ? &s->dots : NULL);
    const size_t n = label_end - label;
    if (n == 0 || s->end - label > l->longest || (label > s->start && p[label - 1] != '.')) return 0;
    const fu_label_words words = fu_words_of_label(p, label_end, n);
    s->hash = fu_label_hash(s->hash, p, label_end, n, &words);
    s->label = label;
    s->labels++;
    return 1;
}

/* Look up the current suffix. Return 0 if the list has no entry of more labels. */
static inline int fu_search_step(const fu_host_list *l, const uint8_t *p, fu_host_search *s) {
    if (!fu_list_may_have(l, s->hash)) return 0;
    if (!(l->labels >> (s->labels < 64 ? s->labels - 1 : 63) & 1)) return 1;
    const uint32_t place = fu_list_slot_of(l, p + s->label, s->end - s->label, s->hash)->place;
    if (place) {
        s->found = s->label;
        s->place = place;
    }
    return 1;
}

/* Return the place of the longest entry that a search found, or 0. exact: a host below an entry does not count */
static inline uint32_t fu_search_place(const fu_host_search *s, int exact) {
    return s->found == FU_ABSENT || (exact && s->found != s->start) ? 0 : s->place;
}

/* Return the place of the smallest network that has the address, at least of `least` bits, or 0. */
static inline uint32_t fu_find_network(const fu_host_list *l, const uint64_t halves[2], unsigned least) {
    uint8_t key[FU_ADDRESS_KEY];
    for (unsigned bits = 129; bits-- > least;) {
        if (!(l->prefixes[bits >> 6] >> (bits & 63) & 1)) continue;
        fu_key_of_network(halves, bits, key);
        const fu_label_words words = fu_words_of_label(key, sizeof key, sizeof key);
        const uint64_t hash = fu_label_hash(0, key, sizeof key, sizeof key, &words);
        const uint32_t place = fu_list_slot_of(l, key, sizeof key, hash)->place;
        if (place) return place;
    }
    return 0;
}

/* Return the place of the network that has the address of a host, or the IPv4 address inside the address, or 0. inside: search all
 * ways to write IPv4 inside IPv6, and not only those that lead to it */
static inline uint32_t fu_find_address(const fu_host_list *l, const uint64_t halves[2], int version, int inside) {
    uint64_t ipv4[2] = {0, (uint64_t)0xffff << 32};
    const uint32_t place = fu_find_network(l, halves, version == 4 ? 96 : 0);
    uint32_t address = (uint32_t)halves[1];
    if (place || version == 4) return place;
    if (!fu_leads_to_ipv4(halves[0], halves[1]) && !(inside && fu_may_hold_ipv4(halves[0], halves[1], &address))) return 0;
    ipv4[1] |= address;
    return fu_find_network(l, ipv4, 96);
}

enum {
    FU_LIST_EXACT = 1 << 0, /* a host below an entry does not count */
    FU_LIST_MAPPED = 1 << 1, /* Python has mapped the text, so no character is left to map */
    FU_LIST_ALLOWS = 1 << 2 /* all readers must agree on the host */
};

/* Return the place of the entry that the host [start, end), without brackets, equals, is below or is an address of, or 0. any: decode
 * the host, and search each IPv4 address that it may hold. Set *unsure for a character that readers may map differently. */
static inline uint32_t fu_find_host(const fu_host_list *l, const uint8_t *p, size_t start, size_t end, unsigned switches, int any,
                                    int *unsure) {
    uint64_t halves[2];
    fu_host_key key;
    fu_host_search s;
    const int version = fu_read_address(p, start, end, halves);
    if (version) return fu_find_address(l, halves, version, any);
    fu_key_of_host(p, start, end, any, &key);
    *unsure |= key.unsure;
    s.has_dots = 0;
    fu_start_search(l, key.text, key.start, FU_KEY_END, &s);
    while (fu_next_suffix(l, key.text, &s) && fu_search_step(l, key.text, &s)) continue;
    return fu_search_place(&s, (switches & FU_LIST_EXACT) != 0);
}

/* A text of lines: names, addresses and networks between white space. "#" starts a comment. An address at the start of a line, as in
 * /etc/hosts, is no entry if a name follows. */
typedef struct {
    const uint8_t *p;
    size_t n, at;
    size_t line; /* of the last entry, from 1 on */
    size_t line_seen; /* the last line with an entry or an address */
} fu_list_text;

static inline int fu_is_list_space(uint8_t byte) { return byte <= ' '; }

static inline int fu_is_literal(const fu_slice *s) { return fu_is_ipv4(s->p, s->n) || fu_is_ipv6(s->p, s->n); }

static inline int fu_next_word(fu_list_text *t, fu_slice *word) {
    for (; t->at < t->n && (fu_is_list_space(t->p[t->at]) || t->p[t->at] == '#'); t->at++) {
        if (t->p[t->at] == '#') t->at = fu_find(t->p, t->at, t->n, '\n');
        if (t->at < t->n && t->p[t->at] == '\n') t->line++;
        if (t->at == t->n) return 0;
    }
    word->p = t->p + t->at;
    while (t->at < t->n && !fu_is_list_space(t->p[t->at]) && t->p[t->at] != '#') t->at++;
    word->n = (size_t)(t->p + t->at - word->p);
    return word->n > 0;
}

/* Return the next entry, without a leading "*." or "." and a trailing ".". Return 0 at the end. */
static inline int fu_next_entry(fu_list_text *t, fu_slice *entry) {
    while (fu_next_word(t, entry)) {
        const int is_first = t->line != t->line_seen;
        t->line_seen = t->line;
        if (is_first && fu_is_literal(entry)) {
            fu_list_text rest = *t;
            fu_slice next;
            if (fu_next_word(&rest, &next) && rest.line == t->line) continue;
        }
        const size_t before = entry->n > 2 && entry->p[0] == '*' && entry->p[1] == '.' ? 2 : entry->n > 1 && entry->p[0] == '.';
        entry->p += before;
        entry->n -= before;
        if (entry->n > 1 && entry->p[entry->n - 1] == '.') entry->n--;
        return 1;
    }
    return 0;
}

/* An entry with its key. */
typedef struct {
    fu_slice text;
    uint8_t key[FU_ENTRY_MAX];
    size_t length;
    size_t labels; /* 0: a network */
    unsigned bits; /* of the network's prefix */
    int unsure; /* as for fu_host_key */
} fu_entry;

/* Return 1, and the key, if the text is an address or a network. */
static inline int fu_read_network(const fu_slice *text, fu_entry *out) {
    const int has_brackets = text->n > 2 && text->p[0] == '[' && text->p[text->n - 1] == ']';
    const uint8_t *p = text->p + has_brackets;
    const size_t n = text->n - 2 * (size_t)has_brackets, slash = fu_find(p, 0, n, '/');
    uint64_t halves[2];
    if (fu_find(p, 0, n, '%') < n) return 0;
    const int version = fu_read_address(p, 0, slash, halves), width = version == 4 ? 32 : 128;
    if (version == 0 || (has_brackets && version == 4)) return 0;
    int bits = width;
    if (slash < n) {
        if (has_brackets || (version == 4 && !fu_is_ipv4(p, slash)) || n - slash > 4) return 0;
        if (fu_skip(p, slash + 1, n, TERM_DIGIT) < n || (bits = fu_port_number(p, slash + 1, n)) < 0 || bits > width) return 0;
    }
    out->labels = 0;
    out->bits = (unsigned)(bits + 128 - width);
    out->length = FU_ADDRESS_KEY;
    fu_key_of_network(halves, out->bits, out->key);
    return 1;
}

/* Return 1, and the key, if the text is a name, an address or a network. */
static inline int fu_read_entry(const fu_slice *text, fu_entry *out) {
    fu_host_key key;
    out->text = *text;
    out->unsure = 0;
    if (text->n > FU_ENTRY_MAX) return 0;
    if (fu_read_network(text, out)) return 1;
    for (size_t i = 0; i < text->n; i++)
        if (!fu_is(text->p[i], TERM_HOST) && text->p[i] != '_' && text->p[i] != '.' && text->p[i] < 0x80) return 0;
    fu_key_of_host(text->p, 0, text->n, 0, &key);
    out->length = FU_KEY_END - key.start;
    out->labels = 1;
    out->unsure = key.unsure;
    if (out->length == 0 || out->length > FU_ENTRY_MAX || text->p[text->n - 1] == '.') return 0;
    memcpy(out->key, key.text + key.start, out->length);
    for (size_t i = 0; i < out->length; i++) {
        if (out->key[i] == '?' || (out->key[i] == '.' && (i == 0 || out->key[i - 1] == '.'))) return 0;
        out->labels += out->key[i] == '.';
    }
    return 1;
}

/* Return 1 if an entry's text is its key, but for the case of ASCII letters. */
static inline int fu_is_own_key(const fu_entry *e) { return e->labels > 0 && fu_is_ascii(e->text.p, e->text.n); }

/* Add an entry. There is space for it. Return 0 if too many keys have its hash. */
static inline int fu_add_entry(fu_host_list *l, const fu_entry *e) {
    const int has_other_text = !fu_is_own_key(e);
    uint64_t hash = 0;
    for (size_t end = e->length;;) {
        const size_t dot = e->labels ? fu_find_last(e->key, 0, end, '.') : FU_ABSENT, start = dot == FU_ABSENT ? 0 : dot + 1;
        const fu_label_words words = fu_words_of_label(e->key, end, end - start);
        hash = fu_label_hash(hash, e->key, end, end - start, &words);
        if (e->labels) l->filter[fu_place_of((uint32_t)hash, l->filter_words)] |= fu_filter_bits(hash);
        if (start == 0) break;
        end = start - 1;
    }
    fu_list_slot *slot = fu_list_slot_of(l, e->key, e->length, hash),
                 *home = &l->slots[fu_place_of((uint32_t)(hash >> 32), l->slot_count)];
    if (slot->place) return 1;
    if ((slot < home ? l->slot_count : 0) + (slot - home) > FU_LIST_STEPS_MAX) return 0;
    if (has_other_text) l->names[l->used++] = 0;
    l->names[l->used++] = (uint8_t)e->length;
    slot->hash = (uint32_t)hash;
    slot->place = (uint32_t)l->used | (has_other_text ? FU_LIST_OTHER_TEXT : 0);
    memcpy(l->names + l->used, e->key, e->length);
    l->used += e->length;
    if (has_other_text) {
        l->names[l->used++] = (uint8_t)e->text.n;
        for (size_t i = 0; i < e->text.n; i++) l->names[l->used++] = fu_lower(e->text.p[i]);
    }
    l->count++;
    l->unsure |= e->unsure;
    if (e->labels == 0) {
        l->prefixes[e->bits >> 6] |= (uint64_t)1 << (e->bits & 63);
        return 1;
    }
    l->labels |= (uint64_t)1 << (e->labels - 1 < 63 ? e->labels - 1 : 63);
    if (e->length > l->longest) l->longest = e->length;
    if (e->length < 64) l->lengths |= (uint64_t)1 << (63 - e->length);
    return 1;
}

/* Read the entries of a text: count them, their suffixes and their bytes, and then, if `l` is not NULL, add them. Return the number
 * of words that are not entries, or one more if too many keys have one hash. *line: the line of the first of them */
static FU_NOINLINE size_t fu_read_list(const uint8_t *p, size_t n, fu_host_list *l, size_t counts[3], size_t *line) {
    const size_t start = n >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    fu_list_text text = {p, n, start, 1, 0};
    fu_slice word;
    fu_entry entry;
    size_t ignored = 0;
    while (fu_next_entry(&text, &word)) {
        if (!fu_read_entry(&word, &entry)) {
            if (ignored++ == 0) *line = text.line;
        } else if (l == NULL) {
            counts[0]++;
            counts[1] += entry.labels;
            counts[2] += entry.length + 1 + (fu_is_own_key(&entry) ? 0 : word.n + 2);
        } else if (!fu_add_entry(l, &entry)) {
            return ignored + 1;
        }
    }
    return ignored;
}

/* The outcome of sizing or filling a list. FU_LIST_OTHER_WORDS: a word is not a name. FU_LIST_COLLIDES: too many keys have one hash. */
typedef enum { FU_LIST_DONE, FU_LIST_OTHER_WORDS, FU_LIST_TOO_LARGE, FU_LIST_COLLIDES } fu_list_outcome;

/* Set the sizes of an empty list for the entries of a text. The caller then allocates `room` bytes of names, zeroed slots and a
 * zeroed filter, and fills the list. ignores: other words are counted, and end nothing. *line: as for fu_read_list */
static inline fu_list_outcome fu_size_list(const uint8_t *p, size_t n, int ignores, fu_host_list *l, size_t *ignored,
                                           size_t *line) {
    size_t counts[3] = {0, 0, 0}; /* entries, suffixes, bytes */
    *ignored = fu_read_list(p, n, NULL, counts, line);
    if (*ignored && !ignores) return FU_LIST_OTHER_WORDS;
    if (counts[2] >> 31 || counts[1] >> 32) return FU_LIST_TOO_LARGE;
    l->room = counts[2] + 1;
    l->slot_count = (uint32_t)(counts[0] + counts[0] / 3 + 1);
    l->filter_words = (uint32_t)(counts[1] * FU_LIST_FILTER_BITS / 64 + 1);
    return FU_LIST_DONE;
}

/* Add the entries of the text. ignored: the number that fu_size_list found */
static inline fu_list_outcome fu_fill_list(const uint8_t *p, size_t n, fu_host_list *l, size_t ignored) {
    size_t line;
    return fu_read_list(p, n, l, NULL, &line) == ignored ? FU_LIST_DONE : FU_LIST_COLLIDES;
}

#endif
