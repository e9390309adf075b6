/* Host lists: the entry of a list that a host equals or is below. One entry per name, as in a file of domains or in /etc/hosts.
 *
 * A filter has two bits for each entry and for each suffix of its labels, and fits into the L2 or L3 cache. For most hosts, the
 * lookup of the second label from the end shows that the list has no entry of more labels. The entries are in a hash table of
 * offsets. A host is looked up as written, except that ASCII letters compare as lower case. The caller owns the memory. */
#ifndef FASTURL_HOSTLIST_H
#define FASTURL_HOSTLIST_H

#include "functions/domains.h"
#include "split/brackets.h"
#include "split/urllib.h"

/* The steps from the place of a hash to its slot are below FU_LIST_STEPS_MAX, unless names were chosen to collide. */
enum { FU_ENTRY_MAX = 255, FU_LIST_FILTER_BITS = 10 /* per suffix */, FU_LIST_STEPS_MAX = 1024 };

/* The lower half of an entry's hash, and its offset in the names plus 1; 0 marks a free slot. */
typedef struct {
    uint32_t hash, place;
} fu_list_slot;

typedef struct fu_host_list {
    uint8_t *names; /* of each entry its length in one byte, and its bytes in lower case */
    size_t used, room;
    fu_list_slot *slots;
    uint32_t slot_count; /* more than there are entries */
    uint64_t *filter;
    uint32_t filter_words;
    uint32_t count;
    uint64_t labels; /* bit k: an entry has k + 1 labels; bit 63: or more */
    size_t longest;  /* bytes of the longest entry */
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
        const uint8_t *name = l->names + slot->place;
        size_t k = 0;
        if (name[-1] != n) continue;
        while (k < n && fu_lower(p[k]) == name[k]) k++;
        if (k == n) return slot;
    }
}

/* A search for the entries that the host [start, end) equals or is below, from its last label on. */
typedef struct fu_host_search {
    size_t start, end, floor; /* floor: the least start of an entry; start if there are dots */
    size_t label;             /* the current suffix is [label, end) */
    size_t labels;            /* its number of labels */
    size_t found;             /* start of the longest entry, or FU_ABSENT */
    uint64_t hash, dots;      /* dots: as for fu_label_start, if has_dots */
    int has_dots, has_capital;
} fu_host_search;

/* Start a search. A single trailing dot is ignored. */
static inline void fu_start_search(const fu_host_list *l, const uint8_t *p, size_t start, size_t end, fu_host_search *s) {
    if (end > start && p[end - 1] == '.') end--;
    s->start = start;
    s->end = end;
    s->floor = !s->has_dots && end - start > l->longest ? end - l->longest : start;
    s->label = end + 1;
    s->labels = 0;
    s->found = FU_ABSENT;
    s->hash = 0;
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
    if (l->labels >> (s->labels < 64 ? s->labels - 1 : 63) & 1 &&
        fu_list_slot_of(l, p + s->label, s->end - s->label, s->hash)->place)
        s->found = s->label;
    return 1;
}

static inline fu_result fu_search_result(const fu_host_search *s) {
    return s->found == FU_ABSENT ? fu_no_result() : fu_part_result(s->found, s->end);
}

/* Find the longest entry that the host [start, end) equals or is below, as a range. */
static inline fu_result fu_listed(const fu_host_list *l, const uint8_t *p, size_t start, size_t end) {
    fu_host_search s;
    s.has_dots = 0;
    fu_start_search(l, p, start, end, &s);
    while (fu_next_suffix(l, p, &s) && fu_search_step(l, p, &s)) continue;
    return fu_search_result(&s);
}

/* A text of lines: names between white space. "#" starts a comment. An address at the start of a line, as in /etc/hosts, is no
 * entry if a name follows. */
typedef struct {
    const uint8_t *p;
    size_t n, at;
    size_t line;      /* of the last entry, from 1 on */
    size_t line_seen; /* the last line with an entry or an address */
} fu_list_text;

static inline int fu_is_list_space(uint8_t octet) { return octet <= ' '; }

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

/* Count the labels of an entry, 1 for an address with colons. Return 0 for a text that is not a name. */
static inline size_t fu_entry_labels(const fu_slice *entry) {
    size_t labels = 1;
    if (entry->n > FU_ENTRY_MAX) return 0;
    for (size_t i = 0; i < entry->n; i++) {
        const uint8_t c = entry->p[i];
        if (c == '.') {
            if (i == 0 || entry->p[i - 1] == '.' || i + 1 == entry->n) return 0;
            labels++;
        } else if (!fu_is(c, TERM_HOST) && c != '_' && c < 0x80) {
            return fu_is_ipv6(entry->p, entry->n) ? 1 : 0;
        }
    }
    return labels;
}

/* Add an entry of 1 to FU_ENTRY_MAX bytes. There is space for it. An address with colons and dots has one label. Return 0 if too
 * many names have its hash. */
static inline int fu_add_entry(fu_host_list *l, const fu_slice *entry) {
    uint64_t hash = 0;
    size_t labels = 0;
    for (size_t end = entry->n;; labels++) {
        const size_t dot = fu_find_last(entry->p, 0, end, '.'), start = dot == FU_ABSENT ? 0 : dot + 1;
        const fu_label_words words = fu_words_of_label(entry->p, end, end - start);
        hash = fu_label_hash(hash, entry->p, end, end - start, &words);
        l->filter[fu_place_of((uint32_t)hash, l->filter_words)] |= fu_filter_bits(hash);
        if (start == 0) break;
        end = start - 1;
    }
    fu_list_slot *slot = fu_list_slot_of(l, entry->p, entry->n, hash),
                 *home = &l->slots[fu_place_of((uint32_t)(hash >> 32), l->slot_count)];
    if (slot->place) return 1;
    if ((slot < home ? l->slot_count : 0) + (slot - home) > FU_LIST_STEPS_MAX) return 0;
    l->names[l->used++] = (uint8_t)entry->n;
    slot->hash = (uint32_t)hash;
    slot->place = (uint32_t)l->used;
    for (size_t i = 0; i < entry->n; i++) l->names[l->used++] = fu_lower(entry->p[i]);
    l->labels |= (uint64_t)1 << (labels < 63 ? labels : 63);
    if (entry->n > l->longest) l->longest = entry->n;
    l->count++;
    return 1;
}

/* Read the entries of a text: count them, their suffixes and their bytes, and then, if `l` is not NULL, add them. Return the number
 * of words that are not entries, or one more if too many names have one hash. *bad: the first of them, on line *line. */
static FU_NOINLINE size_t fu_read_list(const uint8_t *p, size_t n, fu_host_list *l, size_t counts[3], fu_slice *bad,
                                       size_t *line) {
    const size_t start = n >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    fu_list_text text = {p, n, start, 1, 0};
    fu_slice entry;
    size_t ignored = 0;
    while (fu_next_entry(&text, &entry)) {
        const size_t labels = fu_entry_labels(&entry);
        if (labels == 0 && ignored++ == 0) {
            *bad = entry;
            *line = text.line;
        }
        if (labels == 0) continue;
        if (l != NULL) {
            if (!fu_add_entry(l, &entry)) return ignored + 1;
            continue;
        }
        counts[0]++;
        counts[1] += labels;
        counts[2] += entry.n + 1;
    }
    return ignored;
}

/* The outcome of sizing or filling a list. FU_LIST_OTHER_WORDS: a word is not a name. FU_LIST_COLLIDES: too many names have one hash. */
typedef enum { FU_LIST_DONE, FU_LIST_OTHER_WORDS, FU_LIST_TOO_LARGE, FU_LIST_COLLIDES } fu_list_outcome;

/* Set the sizes of an empty list for the entries of a text. The caller then allocates `room` bytes of names, zeroed slots and a
 * zeroed filter, and fills the list. ignores: other words are counted, and end nothing. *bad, *line: as for fu_read_list */
static inline fu_list_outcome fu_size_list(const uint8_t *p, size_t n, int ignores, fu_host_list *l, size_t *ignored,
                                           fu_slice *bad, size_t *line) {
    size_t counts[3] = {0, 0, 0}; /* entries, suffixes, bytes */
    *ignored = fu_read_list(p, n, NULL, counts, bad, line);
    if (*ignored && !ignores) return FU_LIST_OTHER_WORDS;
    if (counts[2] >> 32 || counts[1] >> 32) return FU_LIST_TOO_LARGE;
    l->room = counts[2] + 1;
    l->slot_count = (uint32_t)(counts[0] + counts[0] / 3 + 1);
    l->filter_words = (uint32_t)(counts[1] * FU_LIST_FILTER_BITS / 64 + 1);
    return FU_LIST_DONE;
}

/* Add the entries of the text. ignored: the number that fu_size_list found */
static inline fu_list_outcome fu_fill_list(const uint8_t *p, size_t n, fu_host_list *l, size_t ignored) {
    fu_slice bad;
    size_t line;
    return fu_read_list(p, n, l, NULL, &bad, &line) == ignored ? FU_LIST_DONE : FU_LIST_COLLIDES;
}

#endif
