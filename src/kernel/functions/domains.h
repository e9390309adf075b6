/* Public suffixes: the rules of the Public Suffix List as a trie over labels, the last label first.
 *
 * Nodes are found by a hash of their labels. Most hosts need only their last labels: a filter with one bit per hash shows,
 * without access to the tables, that "example.com" is not a node. The filter fits into the L1 cache. The trie holds each rule both
 * in Unicode and in punycode, so a host is looked up unchanged, except that ASCII letters compare as lower case. The caller
 * owns the memory. */
#ifndef FASTURL_DOMAINS_H
#define FASTURL_DOMAINS_H

#include <string.h>

#include "functions/result.h"
#include "split/schemes.h"
#include "split/spans.h"

enum {
    FU_RULE = 1 << 0,
    FU_RULE_BELOW = 1 << 1,     /* "*.": each child, named or not, has a rule */
    FU_RULE_EXCEPTION = 1 << 2, /* "!" */
    FU_RULE_BITS = 3,
    FU_FILTER_BITS = 2, /* bits of the filter per slot */
    FU_RULES_ICANN = (1 << FU_RULE_BITS) - 1,
    FU_RULES_PRIVATE = FU_RULES_ICANN << FU_RULE_BITS /* the same bits, for the list's private section */
};

/* The last 16 bytes of a label in lower case, as numbers; the whole label if it is shorter. */
typedef struct {
    uint64_t last, before; /* the last eight bytes, and the eight before them */
} fu_label_words;

typedef struct {
    const uint8_t *label; /* in lower case */
    fu_label_words words;
    uint32_t length;
    uint32_t parent;
    uint8_t rules;
} fu_suffix_node;

/* A node's number and the upper half of its hash. Number 0, the root's, marks a free slot. */
typedef struct {
    uint32_t hash, node;
} fu_suffix_slot;

typedef struct fu_suffixes {
    fu_suffix_node *nodes; /* the first is the root */
    uint32_t count;
    fu_suffix_slot *slots;
    size_t mask;       /* number of slots - 1; there are more slots than nodes, a power of two */
    uint64_t *filter;  /* FU_FILTER_BITS per slot; the bits of the nodes' hashes are set */
    uint32_t longest; /* length of the longest label of any rule */
} fu_suffixes;

/* Lower the letters A to Z of eight bytes, and nothing else. */
static inline uint64_t fu_lower_word(uint64_t word) {
    const uint64_t each = 0x0101010101010101u, low_bits = word & each * 0x7f;
    const uint64_t from_a = low_bits + each * (0x80 - 'A'), above_z = low_bits + each * (0x7f - 'Z');
    return word | ((from_a ^ above_z) & ~word & each * 0x80) >> 2;
}

/* Return the n bytes before `end`, 1 to 8, in lower case, as a little-endian number. No load leaves p[0:end). */
static inline uint64_t fu_bytes_before(const uint8_t *p, size_t end, size_t n) {
    uint64_t word = 0;
#ifdef FU_LITTLE_ENDIAN
    if (end >= 8) {
        memcpy(&word, p + end - 8, 8);
        return fu_lower_word(word >> 8 * (8 - n));
    }
#endif
    for (size_t i = 0; i < n; i++) word |= (uint64_t)p[end - n + i] << 8 * i;
    return fu_lower_word(word);
}

/* Return the words of the label of n bytes, at least 1, that ends at `end`. */
static inline fu_label_words fu_words_of_label(const uint8_t *p, size_t end, size_t n) {
    fu_label_words words = {fu_bytes_before(p, end, n < 8 ? n : 8), 0};
    if (n > 8) words.before = fu_bytes_before(p, end - 8, n < 16 ? n - 8 : 8);
    return words;
}

/* Hash a label and the labels after it. `behind` is the hash of the labels after it, 0 if there are none. The hash does not
 * require the node of those labels. */
static inline uint64_t fu_label_hash(uint64_t behind, const uint8_t *p, size_t end, size_t n, const fu_label_words *words) {
    uint64_t hash = (behind ^ words->last ^ (uint64_t)n << 56) * 0x9E3779B97F4A7C15u;
    hash = (hash ^ hash >> 32 ^ words->before) * 0xBF58476D1CE4E5B9u;
    for (size_t seen = 16; seen < n; seen += 8)
        hash = (hash ^ hash >> 32 ^ fu_bytes_before(p, end - seen, n - seen < 8 ? n - seen : 8)) * 0x94D049BB133111EBu;
    return hash ^ hash >> 29;
}

/* Return the index of a hash's bit in the filter. */
static inline uint64_t fu_filter_place(const fu_suffixes *t, uint64_t hash) {
    return (hash >> 20) & ((t->mask + 1) * FU_FILTER_BITS - 1);
}

static inline int fu_may_be_node(const fu_suffixes *t, uint64_t hash) {
    const uint64_t place = fu_filter_place(t, hash);
    return (int)(t->filter[place >> 6] >> (place & 63) & 1);
}

static inline int fu_is_label(const fu_suffix_node *node, const uint8_t *p, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (fu_lower(p[i]) != node->label[i]) return 0;
    return 1;
}

/* Return the slot of the parent's child with the label of n bytes before `end`, or the free slot where that child belongs. */
static inline fu_suffix_slot *fu_suffix_slot_of(const fu_suffixes *t, uint32_t parent, const uint8_t *p, size_t end, size_t n,
                                                const fu_label_words *words, uint64_t hash) {
    for (size_t i = (size_t)hash & t->mask;; i = (i + 1) & t->mask) {
        fu_suffix_slot *slot = &t->slots[i];
        if (slot->node == 0) return slot;
        if (slot->hash != (uint32_t)(hash >> 32)) continue;
        const fu_suffix_node *node = &t->nodes[slot->node];
        if (node->parent != parent || node->length != n) continue;
        if (node->words.last != words->last || node->words.before != words->before) continue;
        if (n <= 16 || fu_is_label(node, p + end - n, n)) return slot;
    }
}

/* Add a rule in lower case, without its "*." or "!". The nodes point into the rule's memory, so it must outlive them. There is
 * space for a node and a slot per label. */
static inline void fu_add_suffix_rule(fu_suffixes *t, const uint8_t *p, size_t n, uint8_t rules) {
    uint32_t node = 0;
    uint64_t hash = 0;
    for (size_t end = n;;) {
        const size_t dot = fu_find_last(p, 0, end, '.'), start = dot == FU_ABSENT ? 0 : dot + 1, length = end - start;
        const fu_label_words words = fu_words_of_label(p, end, length);
        hash = fu_label_hash(hash, p, end, length, &words);
        fu_suffix_slot *slot = fu_suffix_slot_of(t, node, p, end, length, &words, hash);
        if (slot->node == 0) {
            const fu_suffix_node new_node = {p + start, words, (uint32_t)length, node, 0};
            const uint64_t place = fu_filter_place(t, hash);
            t->nodes[t->count] = new_node;
            t->filter[place >> 6] |= (uint64_t)1 << (place & 63);
            slot->hash = (uint32_t)(hash >> 32);
            slot->node = t->count++;
            if (length > t->longest) t->longest = (uint32_t)length;
        }
        node = slot->node;
        if (start == 0) break;
        end = start - 1;
    }
    t->nodes[node].rules |= rules;
}

typedef struct {
    size_t suffix;      /* offset of its start */
    size_t registrable; /* offset of its start; FU_ABSENT if the host is a suffix itself */
    size_t start, end;
} fu_domain;

/* Return 1 if [start, end) may have a domain: no label is empty, and the last label is not a number. */
static inline int fu_has_labels(const uint8_t *p, size_t start, size_t end) {
    uint8_t before = '.';
    int number = 1;
    for (size_t i = start; i < end; i++) {
        const uint8_t c = p[i];
        if (c == '.') {
            if (before == '.') return 0;
            number = 1;
        } else {
            number &= fu_is(c, TERM_DIGIT);
        }
        before = c;
    }
    return before != '.' && !number;
}

/* Return the start of the label that ends at `end`. dots: the mask of the host's dots, one bit per byte, or NULL. */
static inline size_t fu_label_start(const uint8_t *p, size_t start, size_t end, const uint64_t *dots) {
    if (dots == NULL) {
        const size_t dot = fu_find_last(p, start, end, '.');
        return dot == FU_ABSENT ? start : dot + 1;
    }
    const uint64_t before = *dots & fu_low_bits(end - start);
    return before ? start + 64 - (size_t)__builtin_clzll(before) : start;
}

/* Divide the labels of [start, end), none of them empty, by the rules of both sections, or without the private section. */
static inline void fu_divide_labels(const fu_suffixes *t, const uint8_t *p, size_t start, size_t end, const uint64_t *dots,
                                    int private_rules, fu_domain *out) {
    const unsigned mask = private_rules ? FU_RULES_ICANN | FU_RULES_PRIVATE : FU_RULES_ICANN;
    uint32_t node = 0;
    uint64_t hash = 0;
    unsigned above = 0; /* rules of the node of the labels after the current one */
    size_t label_end = end, suffix = end;
    while (label_end > start) {
        size_t label = fu_label_start(p, start, label_end, dots), length = label_end - label;
        if (label_end == end || above & (FU_RULE_BELOW | FU_RULE_BELOW << FU_RULE_BITS)) suffix = label;
        if (length > t->longest) break;
        const fu_label_words words = fu_words_of_label(p, label_end, length);
        hash = fu_label_hash(hash, p, label_end, length, &words);
        if (!fu_may_be_node(t, hash)) break;
        const fu_suffix_slot *slot = fu_suffix_slot_of(t, node, p, label_end, length, &words, hash);
        if (slot->node == 0) break;
        node = slot->node;
        above = t->nodes[node].rules & mask;
        if (above & (FU_RULE_EXCEPTION | FU_RULE_EXCEPTION << FU_RULE_BITS)) {
            suffix = label_end + 1;
            break;
        }
        if (above & (FU_RULE | FU_RULE << FU_RULE_BITS)) suffix = label;
        if (label == start) break;
        label_end = label - 1;
    }
    out->start = start;
    out->end = end;
    out->suffix = suffix;
    out->registrable = FU_ABSENT;
    if (suffix > start) out->registrable = fu_label_start(p, start, suffix - 1, dots);
}

/* Divide the host [start, end). A single trailing dot is ignored. Return 0 for an IPv4 address and for a host with an empty
 * label. */
static inline int fu_divide_host(const fu_suffixes *t, const uint8_t *p, size_t start, size_t end, int private_rules,
                                 fu_domain *out) {
    if (end > start && p[end - 1] == '.') end--;
    if (!fu_has_labels(p, start, end)) return 0;
    fu_divide_labels(t, p, start, end, NULL, private_rules, out);
    return 1;
}

/* Divide a host of 1 to 64 bytes, like fu_divide_host, by the mask of its dots. */
static inline int fu_divide_short_host(const fu_suffixes *t, const uint8_t *p, size_t start, size_t end, uint64_t dots,
                                       int private_rules, fu_domain *out) {
    const uint64_t last = (uint64_t)1 << (end - start - 1);
    if (dots & last) {
        dots &= ~last;
        end--;
    }
    if (end == start || dots & (dots << 1 | 1) || dots >> (end - start - 1) & 1) return 0;
    size_t digits = fu_label_start(p, start, end, &dots);
    while (digits < end && fu_is(p[digits], TERM_DIGIT)) digits++;
    if (digits == end) return 0;
    fu_divide_labels(t, p, start, end, &dots, private_rules, out);
    return 1;
}

typedef enum { FU_PUBLIC_SUFFIX, FU_REGISTRABLE_DOMAIN, FU_SUBDOMAIN } fu_domain_part;

/* Return the part of a domain as a range of the text. */
static inline fu_result fu_part_of_domain(const fu_domain *d, fu_domain_part part) {
    if (part == FU_PUBLIC_SUFFIX) return fu_part_result(d->suffix, d->end);
    if (d->registrable == FU_ABSENT) return fu_no_result();
    if (part == FU_REGISTRABLE_DOMAIN) return fu_part_result(d->registrable, d->end);
    return d->registrable == d->start ? fu_no_result() : fu_part_result(d->start, d->registrable - 1);
}

#endif
