/* Every function from a URL to one text or to a list of texts, behind one call each. Calls for a single URL and for a column's
 * rows both use these. */
#ifndef FASTURL_FUNCTIONS_H
#define FASTURL_FUNCTIONS_H

#include "functions/address.h"
#include "functions/canonical.h"
#include "functions/dedup.h"
#include "functions/domains.h"
#include "functions/fetch.h"
#include "functions/hostmatch.h"
#include "functions/path.h"
#include "functions/querylist.h"
#include "functions/surt.h"
#include "functions/template.h"
#include "functions/drop_parts.h"

/* A row per function: its kind, FU_GIVES_…, and its name in Python; the space that `to` needs for a text of n bytes; the spans that
 * it reads; and its call, for a text p with the spans s. */
#define FU_FUNCTIONS(X)                                                                                                         \
    X(FILE_NAME, file_name, 0, FU_DETAIL_PLACES, fu_file_name(p, s))                                                            \
    X(FILE_EXTENSION, file_extension, 0, FU_DETAIL_PLACES, fu_file_extension(p, s))                                             \
    X(FIRST_SEGMENT, first_segment, 0, FU_DETAIL_PLACES, fu_first_segment(p, s))                                                \
    X(PATH_AND_QUERY, path_and_query, 0, FU_DETAIL_PLACES, fu_path_and_query(s))                                                \
    X(QUERY_AND_FRAGMENT, query_and_fragment, 0, FU_DETAIL_TAIL, fu_query_and_fragment(s))                                      \
    X(ORIGIN, origin, n, FU_DETAIL_NETLOC, fu_origin(f->schemes, p, s, to))                                                     \
    X(PATH_TEMPLATE, path_template, (FU_TEMPLATE_GROWTH * n), FU_DETAIL_PLACES, fu_path_template(p, s, f->names, f->count, to)) \
    X(DROP_PARAMS, drop_params, n, FU_DETAIL_TAIL, fu_drop_params(p, s, f->names, f->count, to))                                \
    X(DROP_PARTS, drop_parts, n + FU_PART_SLACK, fu_drop_detail(f->switches), fu_drop_any_parts(p, s, f->switches, to))         \
    X(PUBLIC_SUFFIX, public_suffix, n, FU_DETAIL_OF_HOST, fu_domain_of(f, p, s, to))                                            \
    X(REGISTRABLE_DOMAIN, registrable_domain, n, FU_DETAIL_OF_HOST, fu_domain_of(f, p, s, to))                                  \
    X(SUBDOMAIN, subdomain, n, FU_DETAIL_OF_HOST, fu_domain_of(f, p, s, to))                                                    \
    X(BLOCKS, blocks, fu_list_capacity(n), FU_DETAIL_OF_HOST, fu_ask_list_of_url(f, p, s, to))                                  \
    X(ALLOWS, allows, fu_list_capacity(n), FU_DETAIL_OF_HOST, fu_ask_list_of_url(f, p, s, to))                                  \
    X(DEDUP_KEY, dedup_key, fu_dedup_capacity(n), FU_DETAIL_ALL,                                                                \
      fu_dedup_key(f->schemes, p, s, f->switches, f->names, f->count, to))                                                      \
    X(HOST_KIND, host_kind, FU_WORD_MAX, FU_DETAIL_NETLOC, fu_word_result(fu_host_kind_words[fu_facts_of(p, s).kind], to))      \
    X(ADDRESS_SCOPE, address_scope, FU_WORD_MAX, FU_DETAIL_NETLOC, fu_word_result(fu_scope_words[fu_facts_of(p, s).scope], to)) \
    X(FETCH_REFUSAL, fetch_refusal, FU_REFUSAL_MAX, FU_DETAIL_ALL, fu_refusal_result(f, p, s, to))                              \
    X(CANONICALIZE, canonicalize, fu_canonical_capacity(n), FU_DETAIL_ALL,                                                      \
      fu_canonical(p, s, f->switches, f->names, f->count, to))                                                                  \
    X(SURT, surt, fu_surt_capacity(n), FU_DETAIL_ALL, fu_surt(p, s->length, f->switches != 0, to))

#define FU_FUNCTION_KIND(kind, ...) FU_GIVES_##kind,
#define FU_FUNCTION_NAME(kind, name, ...) #name,
typedef enum { FU_FUNCTIONS(FU_FUNCTION_KIND) FU_FUNCTION_KINDS } fu_function_kind;
static const char *const fu_function_names[FU_FUNCTION_KINDS] = {FU_FUNCTIONS(FU_FUNCTION_NAME)};
#undef FU_FUNCTION_KIND
#undef FU_FUNCTION_NAME

typedef struct fu_function {
    fu_function_kind kind;
    fu_form form;
    int is_host; /* for domains and host lists: the text is a host, to pass to fu_apply_to_host, and not a URL */
    const fu_scheme_table *schemes;
    /* FU_LESS_…, FU_DEDUP_…, FU_FETCH_…, FU_CANONICAL_…, FU_LIST_…; 1: private rules, or the final host of a SURT key */
    unsigned switches;
    const fu_name *names; /* patterns, segments to keep, or schemes to fetch */
    size_t count;
    const fu_suffixes *suffixes;
    const fu_host_list *hosts, *not_hosts; /* for fetch_refusal: NULL for any host, and for no list */
    const uint8_t *ports; /* one bit per port to fetch; NULL for all */
} fu_function;

static inline fu_domain_part fu_domain_part_of(const fu_function *f) {
    return (fu_domain_part)(f->kind - FU_GIVES_PUBLIC_SUFFIX);
}

static inline int fu_asks_list(const fu_function *f) { return f->kind == FU_GIVES_BLOCKS || f->kind == FU_GIVES_ALLOWS; }

static inline fu_list_question fu_question_of(const fu_function *f) {
    const unsigned allows = f->kind == FU_GIVES_ALLOWS ? FU_LIST_ALLOWS : 0;
    const fu_list_question question = {f->hosts, f->schemes, f->form, f->switches | allows};
    return question;
}

static inline fu_result fu_ask_list_of_url(const fu_function *f, const uint8_t *p, const fu_spans *s, uint8_t *to) {
    const fu_list_question question = fu_question_of(f);
    return fu_ask_list(&question, p, s, to);
}

/* Apply a domain function to the host p[start:end), or ask a list about it. The result is in lower case. */
static inline fu_result fu_apply_to_host(const fu_function *f, const uint8_t *p, size_t start, size_t end, uint8_t *to) {
    const fu_list_question question = fu_question_of(f);
    fu_domain d;
    if (fu_asks_list(f)) return fu_ask_list_of_host(&question, p, start, end, to);
    /* An IPv6 or IPvFuture address; or the text is more than a host. */
    if ((start > 0 && p[start - 1] == '[') || fu_find(p, start, end, ':') < end) return fu_no_result();
    if (!fu_divide_host(f->suffixes, p, start, end, (int)f->switches, &d)) return fu_no_result();
    const fu_result found = fu_part_of_domain(&d, fu_domain_part_of(f));
    return found.kind == FU_RESULT_NULL ? found : fu_lower_result(p, found.start, found.start + found.length, to);
}

/* Apply a domain function to the host of a URL, whose spans are all there. Without a host on which all readers agree, there is no
 * result. */
static inline fu_result fu_domain_of(const fu_function *f, const uint8_t *p, const fu_spans *s, uint8_t *to) {
    size_t start, end;
    if (!fu_host_of(p, s, &start, &end) || fu_is_ambiguous(f->schemes, p, s, f->form)) return fu_no_result();
    return fu_apply_to_host(f, p, start, end, to);
}

static inline fu_result fu_word_result(fu_word word, uint8_t *to) {
    if (word.length == 0) return fu_no_result();
    memcpy(to, word.text, word.length);
    return fu_new_text(word.length);
}

static inline fu_host_facts fu_facts_of(const uint8_t *p, const fu_spans *s) {
    fu_host_facts none = {FU_HOST_NONE, FU_NO_SCOPE};
    size_t start, end;
    return fu_host_of(p, s, &start, &end) ? fu_facts_of_host(p, start, end) : none;
}

/* Return the spans that fu_drop_any_parts reads. */
static inline fu_span_detail fu_drop_detail(unsigned less) {
    const unsigned tail = FU_LESS_QUERY | FU_LESS_FRAGMENT, places = tail | FU_LESS_SCHEME | FU_LESS_PATH;
    return !(less & ~tail) ? FU_DETAIL_TAIL : !(less & ~places) ? FU_DETAIL_PLACES : FU_DETAIL_HOST;
}

static inline fu_result fu_drop_any_parts(const uint8_t *p, const fu_spans *s, unsigned less, uint8_t *to) {
    return fu_drop_detail(less) == FU_DETAIL_TAIL ? fu_drop_tail(p, s, less, to) : fu_drop_parts(p, s, less, to);
}

/* Return 1 if the result is the text itself for each text without a "?". */
static inline int fu_changes_only_query(const fu_function *f) {
    return f->kind == FU_GIVES_DROP_PARAMS || (f->kind == FU_GIVES_DROP_PARTS && f->switches == FU_LESS_QUERY);
}

/* Return 1 if the split must also read schemes that do not start with a letter, as fu_normal requires. */
static inline int fu_function_any_first(const fu_function *f) { return f->kind == FU_GIVES_DEDUP_KEY; }

/* Return why a URL must not be fetched. Without a reason, the result is empty, or absent if FU_FETCH_NULL is set. */
static inline fu_result fu_refusal_result(const fu_function *f, const uint8_t *p, const fu_spans *s, uint8_t *to) {
    const fu_word reason = fu_refusal(f->schemes, p, s, f->names, f->count, f->ports, f->switches, f->hosts, f->not_hosts);
    return reason.length || f->switches & FU_FETCH_NULL ? fu_word_result(reason, to) : fu_part_result(0, 0);
}

#define FU_FUNCTION_CAPACITY(kind, name, capacity, ...) \
    case FU_GIVES_##kind: return capacity;
#define FU_FUNCTION_DETAIL(kind, name, capacity, reads, ...) \
    case FU_GIVES_##kind: return reads;
#define FU_FUNCTION_CALL(kind, name, capacity, reads, call) \
    case FU_GIVES_##kind: return call;
#define FU_FUNCTION_CALL_OF(kind, name, capacity, reads, call) \
    case FU_GIVES_##kind: return (reads) == detail ? call : fu_no_result();

/* Return the space that `to` needs for a text of n bytes. */
static inline size_t fu_function_capacity(const fu_function *f, size_t n) {
    switch (f->kind) {
        FU_FUNCTIONS(FU_FUNCTION_CAPACITY)
    default: return n;
    }
}

/* Return the spans that a function reads. */
static inline fu_span_detail fu_function_detail(const fu_function *f) {
    switch (f->kind) {
        FU_FUNCTIONS(FU_FUNCTION_DETAIL)
    default: return FU_DETAIL_ALL;
    }
}

/* Apply any function to a text with these spans. */
static inline fu_result fu_apply(const fu_function *f, const uint8_t *p, const fu_spans *s, uint8_t *to) {
    switch (f->kind) {
        FU_FUNCTIONS(FU_FUNCTION_CALL)
    default: return fu_no_result();
    }
}

/* The same for a function that reads these spans. Each call passes a constant `detail`, so each call compiles only the functions
 * with that detail. */
static inline fu_result fu_apply_detail(const fu_function *f, fu_span_detail detail, const uint8_t *p, const fu_spans *s,
                                        uint8_t *to) {
    switch (f->kind) {
        FU_FUNCTIONS(FU_FUNCTION_CALL_OF)
    default: return fu_no_result();
    }
}

typedef enum { FU_LISTS_PATH_PREFIXES, FU_LISTS_URL_PREFIXES, FU_LISTS_QUERY } fu_list_kind;

/* Iterator over the items of a list, from left to right. */
typedef struct {
    fu_list_kind kind;
    const uint8_t *p;
    size_t first, at, end; /* for prefixes: common start, end of the last one, end of the longest */
    uint64_t ends; /* short path: mask of the prefixes not yet listed, from `base` on; 0: search for them */
    size_t base;
    size_t left; /* prefixes left before the limit */
    int whole; /* the URL has no path: it is the only prefix */
} fu_listing;

/* Start a list. Without a query, a list of pairs is empty. */
static inline void fu_start_listing(fu_listing *l, fu_list_kind kind, size_t limit, const uint8_t *p, const fu_spans *s) {
    l->kind = kind;
    l->p = p;
    l->left = limit;
    l->whole = 0;
    l->ends = 0;
    l->first = kind == FU_LISTS_URL_PREFIXES ? 0 : s->path_start;
    l->at = s->path_start;
    l->end = s->path_end;
    if (kind == FU_LISTS_QUERY) {
        l->at = s->path_end + (s->flags & FU_HAS_QUERY ? 1 : 0);
        l->end = s->query_end;
        return;
    }
    /* "/" is the first prefix of a URL, but not of a path. A URL without a path is its own prefix. */
    if (kind == FU_LISTS_PATH_PREFIXES)
        while (l->at < l->end && p[l->at] == '/') l->at++;
    l->whole = kind == FU_LISTS_URL_PREFIXES && l->at == l->end;
    l->base = l->at;
    if (l->at < l->end && l->end - l->at <= 64) l->ends = fu_prefix_ends(p + l->at, l->end - l->at);
    if (l->whole) l->at = 0;
}

/* Get the next item: a pair, or a prefix as a pair's value. Return 0 at the end. */
static inline int fu_next_item(fu_listing *l, fu_pair *item) {
    if (l->kind == FU_LISTS_QUERY) return fu_next_nonempty_pair(l->p, l->end, &l->at, item);
    if (l->at == l->end || l->left == 0) return 0;
    if (l->ends) {
        l->at = l->base + (size_t)__builtin_ctzll(l->ends) + 1;
        l->ends &= l->ends - 1;
    } else {
        l->at = l->whole ? l->end : fu_next_prefix(l->p, l->at, l->end);
    }
    l->left--;
    item->start = item->name_end = item->value = l->first;
    item->end = l->at;
    item->has_value = 1;
    item->name_marks = item->value_marks = 0;
    return 1;
}

#endif
