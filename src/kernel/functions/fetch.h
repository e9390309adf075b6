/* The filter for a server-side fetch: the reason not to fetch a URL from a stranger. Nothing is resolved. */
#ifndef FASTURL_FETCH_H
#define FASTURL_FETCH_H

#include <string.h>

#include "functions/hostlist.h"
#include "escapes/query.h"
#include "split/schemes.h"
#include "validate/validate.h"

/* The reasons that are not scopes. The first that applies, in this order, is returned. */
#define FU_REFUSALS(X)            \
    X(CHARACTER, "character")     \
    X(SCHEME, "scheme")           \
    X(NO_HOST, "no-host")         \
    X(AMBIGUOUS, "ambiguous")     \
    X(LOGIN, "login")             \
    X(PORT, "port")               \
    X(BLOCKED, "blocked")         \
    X(NOT_ALLOWED, "not-allowed") \
    X(LOCAL_NAME, "local-name")   \
    X(METADATA, "metadata")
#define FU_REFUSAL_ENUM(constant, name) FU_REFUSED_##constant,
enum { FU_REFUSALS(FU_REFUSAL_ENUM) FU_REFUSED_COUNT };
static const fu_word fu_refusal_words[FU_REFUSED_COUNT] = {FU_REFUSALS(FU_WORD)};

enum { FU_REFUSAL_MAX = FU_WORD_MAX, FU_FETCH_NULL = 1 << 8 }; /* the lower switches: one bit per scope to fetch */

/* Return 1 if a text has a character that readers strip, or that ends a line or a header: a control character, also as an escape,
 * a space or a backslash. */
static inline int fu_has_unfetchable(const uint8_t *p, size_t n, uint32_t findings) {
    if (findings & (FU_CONTROL | FU_ENCODED_CONTROL | FU_BACKSLASH)) return 1;
    if (!(findings & (FU_UNSAFE | FU_NON_ASCII))) return 0;
    for (size_t i = 0; i < n; i++)
        if (p[i] == ' ' || (p[i] == 0xc2 && i + 1 < n && p[i + 1] < 0xa0)) return 1; /* C1 controls are c2 80 to c2 9f */
    return 0;
}

/* Return 1 if the host is this name. If the name starts with a dot, return 1 also if the host is the rest of it, or is below it. */
static inline int fu_is_under(const uint8_t *p, size_t start, size_t end, fu_word domain) {
    size_t n = domain.length;
    const char *text = domain.text;
    const int is_domain = text[0] == '.';
    if (is_domain && end - start == n - 1) n--, text++;
    if (is_domain ? end - start < n : end - start != n) return 0;
    for (size_t i = 0; i < n; i++)
        if (fu_lower(p[end - n + i]) != (uint8_t)text[i]) return 0;
    return 1;
}

/* Names that lead to the machine itself, to its own network, or to the metadata of a cloud. */
typedef struct {
    fu_word name; /* with a dot in front: also the names below it */
    fu_scope scope;
    int is_metadata;
} fu_local_name;

#define FU_LOOPBACK(text) {FU_WORD_OF(text), FU_SCOPE_LOOPBACK, 0}
#define FU_PRIVATE(text) {FU_WORD_OF(text), FU_SCOPE_PRIVATE, 0}
#define FU_METADATA(text) {FU_WORD_OF(text), FU_SCOPE_LINK_LOCAL, 1}
#define FU_WORD_OF(text) {text, sizeof text - 1}
static const fu_local_name fu_local_names[] = {
    FU_LOOPBACK(".localhost"), /* RFC 6761 */
    FU_LOOPBACK("ip6-localhost"),
    FU_LOOPBACK("ip6-loopback"), /* Debian's /etc/hosts */
    FU_LOOPBACK(".localdomain"),
    FU_LOOPBACK("localhost4"),
    FU_LOOPBACK(".localdomain4"),
    FU_LOOPBACK("localhost6"),
    FU_LOOPBACK(".localdomain6"), /* Red Hat's /etc/hosts */
    FU_METADATA("metadata"),
    FU_METADATA("metadata.goog"),
    FU_METADATA("metadata.google.internal"), /* Google's server of metadata */
    FU_METADATA("instance-data"),
    FU_METADATA("instance-data.ec2.internal"), /* Amazon's */
    FU_PRIVATE(".local"),
    FU_PRIVATE(".home.arpa"),
    FU_PRIVATE(".internal"), /* RFC 6762, RFC 8375, ICANN */
    FU_PRIVATE(".lan"), /* OpenWrt's default */
    FU_PRIVATE(".svc"), /* Kubernetes */
};
#undef FU_LOOPBACK
#undef FU_PRIVATE
#undef FU_METADATA
#undef FU_WORD_OF

/* Return the scope of a name that must not reach the public DNS, or that has no dot, which only a local resolver completes. Set
 * *is_metadata if it is that of a server of metadata. */
static inline fu_scope fu_scope_of_name(const uint8_t *p, size_t start, size_t end, int *is_metadata) {
    *is_metadata = 0;
    if (end > start && p[end - 1] == '.') end--;
    for (size_t i = 0; i < sizeof fu_local_names / sizeof fu_local_names[0]; i++) {
        if (!fu_is_under(p, start, end, fu_local_names[i].name)) continue;
        *is_metadata = fu_local_names[i].is_metadata;
        return fu_local_names[i].scope;
    }
    return fu_find(p, start, end, '.') == end ? FU_SCOPE_PRIVATE : FU_NO_SCOPE;
}

/* Return 1 for the address from which Azure's machines get their metadata. IANA calls it global. */
static inline int fu_is_metadata_address(const uint8_t *p, size_t start, size_t end, fu_host_kind kind) {
    uint64_t halves[2];
    uint32_t address = 0;
    if (kind == FU_HOST_IPV6) {
        if (!fu_read_ipv6(p + start, fu_find(p, start, end, '%') - start, halves)) return 0;
        if (fu_leads_to_ipv4(halves[0], halves[1])) address = (uint32_t)halves[1];
    } else if (kind != FU_HOST_IPV4 || !fu_read_ipv4(p, start, end, &address)) {
        return 0;
    }
    return address == 0xa83f8110; /* 168.63.129.16 */
}

static inline int fu_is_of_names(const uint8_t *p, size_t n, const fu_name *names, size_t count) {
    for (size_t k = 0; k < count; k++) {
        size_t i = 0;
        if (names[k].length != n) continue;
        while (i < n && fu_lower(p[i]) == fu_lower(names[k].data[i])) i++;
        if (i == n) return 1;
    }
    return 0;
}

/* Return the reason not to fetch a URL, or an empty word. ports: one bit per port to fetch, or NULL for all. scopes: one bit per
 * scope to fetch. allowed, blocked: lists of hosts, or NULL. A name of `allowed` is fetched even if it looks local. */
static FU_NOINLINE fu_word fu_refusal(const fu_scheme_table *table, const uint8_t *p, const fu_spans *s, const fu_name *schemes,
                                      size_t count, const uint8_t *ports, unsigned scopes, const fu_host_list *allowed,
                                      const fu_host_list *blocked) {
    static const fu_word none = {"", 0};
    fu_netloc at = {FU_ABSENT, 0, FU_ABSENT, 0, s->netloc_start, s->path_start, FU_ABSENT, 0, 0, 0};
    fu_diagnostics found;
    int32_t port = fu_known_port(table, p, s);
    fu_start_diagnostics(&found);
    if (s->flags & FU_HAS_FINDINGS)
        found.findings = s->findings;
    else if (!(s->flags & FU_PROVEN_VALID))
        fu_validate(table, p, s, FU_FORM_URL, &found);
    if (fu_has_unfetchable(p, s->length, found.findings)) return fu_refusal_words[FU_REFUSED_CHARACTER];
    if (!(s->flags & FU_HAS_SCHEME) || !fu_is_of_names(p, s->scheme_end, schemes, count))
        return fu_refusal_words[FU_REFUSED_SCHEME];
    if (!(s->flags & FU_HAS_NETLOC)) return fu_refusal_words[FU_REFUSED_NO_HOST];
    if (!(s->flags & FU_NETLOC_IS_HOSTNAME)) fu_split_netloc(p, s->netloc_start, s->path_start, &at);
    const fu_host_facts host = fu_facts_of_host(p, at.host_start, at.host_end);
    int is_metadata = fu_is_metadata_address(p, at.host_start, at.host_end, host.kind);
    const fu_scope scope = is_metadata                 ? FU_SCOPE_LINK_LOCAL
                           : host.kind == FU_HOST_NAME ? fu_scope_of_name(p, at.host_start, at.host_end, &is_metadata)
                                                       : host.scope;
    if (host.kind == FU_HOST_NONE) return fu_refusal_words[FU_REFUSED_NO_HOST];
    if (found.findings & FU_AMBIGUOUS_AUTHORITY || host.kind == FU_HOST_NUMERIC) return fu_refusal_words[FU_REFUSED_AMBIGUOUS];
    if (at.user_start != FU_ABSENT) return fu_refusal_words[FU_REFUSED_LOGIN];
    if (at.port_start != FU_ABSENT && at.port_start < at.port_end) {
        port = fu_port_number(p, at.port_start, at.port_end);
        if (port < 0) return fu_refusal_words[FU_REFUSED_PORT];
    }
    if (ports != NULL && (port < 0 || port > UINT16_MAX || !(ports[port >> 3] >> (port & 7) & 1)))
        return fu_refusal_words[FU_REFUSED_PORT];
    int unsure = 0; /* all readers agree on the host, so its characters are their own normal forms */
    if (blocked != NULL && fu_find_host(blocked, p, at.host_start, at.host_end, 0, 1, &unsure))
        return fu_refusal_words[FU_REFUSED_BLOCKED];
    if (allowed != NULL && !fu_find_host(allowed, p, at.host_start, at.host_end, 0, 0, &unsure))
        return fu_refusal_words[FU_REFUSED_NOT_ALLOWED];
    if (scope == FU_NO_SCOPE || scopes >> scope & 1) return none;
    if (is_metadata) return fu_refusal_words[FU_REFUSED_METADATA];
    if (allowed != NULL && host.kind == FU_HOST_NAME) return none;
    return host.kind == FU_HOST_NAME ? fu_refusal_words[FU_REFUSED_LOCAL_NAME] : fu_scope_words[scope];
}

#endif
