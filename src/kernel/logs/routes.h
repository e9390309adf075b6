/* The routes of paths: a trie of literal segments and parameters, all of whose ways are followed at once.
 *
 * The nodes of one depth that a path reaches are at most the nodes of the trie, so the work is linear in the path for a
 * given trie. No load leaves the path. */
#ifndef FASTURL_ROUTES_H
#define FASTURL_ROUTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A literal segment after a node, in a hash table. */
typedef struct {
    const uint8_t *data;
    size_t length;
    int32_t node; /* -1: the slot is free */
    int32_t after;
} fu_route_literal;

/* A parameter after a node, with the text before and after it in its segment. */
typedef struct {
    const uint8_t *prefix, *suffix;
    size_t prefix_length, suffix_length;
    int32_t node, after;
    int32_t next; /* the next parameter of the same node, or -1 */
    int is_tail;  /* 1: it matches the rest of the path */
} fu_route_parameter;

typedef struct {
    fu_route_literal *slots;
    size_t slot_mask; /* the number of slots, a power of two, minus 1 */
    size_t longest;   /* length of the longest literal */
    fu_route_parameter *parameters;
    int32_t *first_parameter; /* of each node, or -1 */
    int32_t *ranks;           /* of the route that ends at each node, or -1; the lowest rank wins */
    int32_t *here, *ahead;    /* space for one int32_t per node */
} fu_route_table;

static inline size_t fu_route_hash(const uint8_t *p, size_t n, int32_t node) {
    uint64_t hash = 0xcbf29ce484222325u ^ (uint64_t)(uint32_t)node * 0x9e3779b97f4a7c15u;
    for (size_t i = 0; i < n; i++) hash = (hash ^ p[i]) * 0x100000001b3u;
    return (size_t)(hash ^ hash >> 29);
}

/* Return the slot of a literal, or the free slot where it would be. */
static inline fu_route_literal *fu_route_slot(const fu_route_table *t, const uint8_t *p, size_t n, int32_t node) {
    size_t at = fu_route_hash(p, n, node) & t->slot_mask;
    while (t->slots[at].node >= 0) {
        fu_route_literal *slot = &t->slots[at];
        if (slot->node == node && slot->length == n && (n == 0 || memcmp(slot->data, p, n) == 0)) return slot;
        at = (at + 1) & t->slot_mask;
    }
    return &t->slots[at];
}

static inline int fu_route_fits(const fu_route_parameter *q, const uint8_t *p, size_t n) {
    return n > q->prefix_length + q->suffix_length && memcmp(p, q->prefix, q->prefix_length) == 0 &&
           memcmp(p + n - q->suffix_length, q->suffix, q->suffix_length) == 0;
}

static inline int32_t fu_better_rank(int32_t a, int32_t b) { return b < 0 || (a >= 0 && a < b) ? a : b; }

/* Return the rank of the best route of a path, or -1. */
static inline int32_t fu_match_route(const fu_route_table *t, const uint8_t *p, size_t n) {
    int32_t *here = t->here, *ahead = t->ahead, best = -1;
    size_t count = 1, at = 0;
    here[0] = 0;
    if (n == 0 || p[0] != '/') return -1;
    while (at < n && count > 0) {
        const uint8_t *segment = p + at + 1;
        const uint8_t *slash = memchr(segment, '/', n - at - 1);
        const size_t stop = slash == NULL ? n : (size_t)(slash - p);
        size_t length = stop - at - 1, reached = 0;
        const uint8_t *params = memchr(segment, ';', length);
        if (params != NULL) length = (size_t)(params - segment);
        for (size_t i = 0; i < count; i++) {
            if (length <= t->longest) {
                const fu_route_literal *slot = fu_route_slot(t, segment, length, here[i]);
                if (slot->node >= 0) ahead[reached++] = slot->after;
            }
            for (int32_t k = t->first_parameter[here[i]]; k >= 0; k = t->parameters[k].next) {
                const fu_route_parameter *q = &t->parameters[k];
                if (q->is_tail) {
                    if (at + 1 < n) best = fu_better_rank(best, t->ranks[q->after]);
                } else if (fu_route_fits(q, segment, length)) {
                    ahead[reached++] = q->after;
                }
            }
        }
        int32_t *swapped = here;
        here = ahead;
        ahead = swapped;
        count = reached;
        at = stop;
    }
    for (size_t i = 0; i < count; i++) best = fu_better_rank(best, t->ranks[here[i]]);
    return best;
}

#endif
