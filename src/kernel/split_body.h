/* The split, once for every kernel: included by split.h with FU_KERNEL naming it and FU_TARGET its instructions.
 *
 * It cuts as urllib does and, on the way, proves most web URLs valid and free of hazards (FU_CLEAN): what it cannot
 * prove goes to the judge. It may doubt a good URL; it never calls a bad one clean. */

/* Whether the host at bits [start, end) of a block, 2 <= start < 64, is a hostname: only that, a number goes to the
 * judge. */
FU_TARGET static inline int FU_NAME(fu_block_hostname)(const uint8_t *p, const fu_masks *m, size_t start, size_t end) {
    const uint64_t host = FU_LOW_BITS(end) & ~FU_LOW_BITS(start);
    const uint64_t dots = m->dot & host;
    /* What has to be a letter or a digit: the host's ends, and both sides of every dot. The octets around the host, that
     * a dot at one of its ends looks at, are none. */
    const uint64_t labels = dots | (uint64_t)1 << (start - 1);
    const uint64_t edges = labels << 1 | dots >> 1 | (uint64_t)1 << (end - 1);
    if ((host & ~(m->alnum | m->dot | m->hyphen)) | (edges & ~m->alnum)) return 0;
    return fu_is(p[64 - (size_t)__builtin_clzll(labels)], TERM_ALPHA);
}

/* The common case, straight through: a web URL without a fragment whose netloc ends in the first block, whose masks `m`
 * are. 0, with nothing that counts written, for another text. */
FU_TARGET static inline int FU_NAME(fu_split_web)(const fu_scheme_table *table, const uint8_t *p, size_t n,
                                                  const fu_masks *m, fu_spans *out) {
    uint64_t head;
    if (n < 8 || m->hash | (m->odd & 0xff)) return 0;
    memcpy(&head, p, 8);
    head |= 0x2020202020202020u; /* lower case; an octet that this makes a ':' or '/' of is odd */
    /* Without a branch: which of the two it is, is as good as random. */
    const size_t https = FU_HEAD_IS(head, 'h', 't', 't', 'p', 's', ':', '/', '/');
    const size_t http = FU_HEAD_IS(head & FU_SEVEN_OCTETS, 'h', 't', 't', 'p', ':', '/', '/', 0);
    if (!(https | http) || table->https == FU_NO_SCHEME) return 0;
    const size_t start = 7 + https;
    const uint64_t ends = (m->slash | m->qmark) & ~FU_LOW_BITS(start);
    if (!ends && n > FU_BLOCK) return 0;
    const size_t delimiter = ends ? (size_t)__builtin_ctzll(ends) : n;
    const uint64_t qmarks = m->qmark & ~FU_LOW_BITS(delimiter);
    size_t query = qmarks ? (size_t)__builtin_ctzll(qmarks) : n;
    /* Behind the first '?', of which there may be none; and that one where the path is empty. */
    uint64_t reserved = ((m->slash | m->qmark) & ~(qmarks ^ (qmarks - 1))) | (m->qmark >> (delimiter & 63) & 1);
    uint64_t later = 0, beyond = 0; /* odd octets of later blocks; of those that are not marked one by one */
    out->odd[0] = m->odd;
    for (size_t base = FU_BLOCK; base < n; base += FU_BLOCK) {
        fu_masks next;
        FU_NAME(fu_masks)(p + base, n - base < FU_BLOCK ? n - base : FU_BLOCK, &next);
        if (next.hash) return 0;
        later |= next.odd;
        if (base < FU_BLOCK * FU_ODD_BLOCKS)
            out->odd[base / FU_BLOCK] = next.odd;
        else
            beyond |= next.odd;
        uint64_t searched = ~(uint64_t)0;
        if (query == n) {
            if (next.qmark) query = base + (size_t)__builtin_ctzll(next.qmark);
            searched = ~(next.qmark ^ (next.qmark - 1));
        }
        reserved |= (next.slash | next.qmark) & searched;
    }
    uint32_t flags = FU_HAS_SCHEME | FU_HAS_NETLOC;
    flags |= query < n ? FU_HAS_QUERY : 0;
    flags |= m->odd | later ? FU_ODD : 0;
    flags |= beyond ? FU_ODD_BEYOND : 0;
    if (FU_NAME(fu_block_hostname)(p, m, start, delimiter)) {
        flags |= FU_HOSTNAME | FU_WEB;
        flags |= reserved ? 0 : FU_TIDY;
        flags |= m->odd | later | reserved ? 0 : FU_CLEAN;
    }
    out->scheme = https ? table->https : FU_SCHEME_HTTP;
    out->scheme_end = 4 + https;
    out->netloc_start = start;
    out->path_start = delimiter;
    out->path_end = query;
    out->query_end = out->length = n;
    out->flags = flags;
    return 1;
}

FU_TARGET static void FU_NAME(fu_split)(const fu_scheme_table *table, const uint8_t *p, size_t n, fu_form form,
                                        int any_first, fu_spans *out) {
    fu_masks m;
    size_t rest = 0;
    uint32_t flags = 0;
    out->scheme = FU_NO_SCHEME;
    out->scheme_end = 0;
    out->length = n;
    if (n == 0) {
        out->netloc_start = out->path_start = out->path_end = out->query_end = 0;
        out->flags = 0;
        return;
    }
    if (form == FU_FORM_TARGET && p[0] != '/' && fu_split_authority(p, n, out)) return;
    FU_NAME(fu_masks)(p, n < FU_BLOCK ? n : FU_BLOCK, &m);

    if (FU_NAME(fu_split_web)(table, p, n, &m, out)) return;

    int origin = form == FU_FORM_TARGET && p[0] == '/';
    if (!origin) {
        uint64_t other = ~(m.alnum | m.dot | m.hyphen);
        size_t end = other ? (size_t)__builtin_ctzll(other) : FU_BLOCK;
        if (end >= n || p[end] == '+' || end == FU_BLOCK)
            while (end < n && fu_is(p[end], TERM_SCHEME)) end++;
        if (end < n && p[end] == ':' && end > 0 && (any_first || fu_is(p[0], TERM_ALPHA))) {
            out->scheme_end = end;
            rest = end + 1;
            flags |= FU_HAS_SCHEME;
            out->scheme = fu_find_scheme(table, p, end);
        }
    }

    size_t delimiter = rest;
    out->netloc_start = rest;
    if (!origin && n - rest >= 2 && p[rest] == '/' && p[rest + 1] == '/') {
        flags |= FU_HAS_NETLOC;
        out->netloc_start = delimiter = rest + 2;
        uint64_t ends = (m.slash | m.qmark | m.hash) & ~fu_low_bits(delimiter);
        if (ends) {
            delimiter = (size_t)__builtin_ctzll(ends);
        } else {
            if (delimiter < FU_BLOCK) delimiter = n < FU_BLOCK ? n : FU_BLOCK;
            while (delimiter < n && p[delimiter] != '/' && p[delimiter] != '?' && p[delimiter] != '#') delimiter++;
        }
    }
    out->path_start = delimiter;

    /* One pass over what is left, block by block: the first '?' and '#', reserved octets in the query, odd ones. */
    size_t query = FU_ABSENT, fragment = FU_ABSENT;
    uint64_t odd = m.odd, beyond = 0, reserved = 0;
    out->odd[0] = m.odd;
    size_t base = 0;
    uint64_t from = ~fu_low_bits(delimiter);
    for (;;) {
        if (fragment == FU_ABSENT) {
            uint64_t hash = m.hash & from, before = ~(uint64_t)0;
            if (hash) {
                before = (hash & (~hash + 1)) - 1;
                fragment = base + (size_t)__builtin_ctzll(hash);
            }
            uint64_t searched = query == FU_ABSENT ? 0 : before;
            if (query == FU_ABSENT) {
                uint64_t qmark = m.qmark & from & before;
                if (qmark) {
                    query = base + (size_t)__builtin_ctzll(qmark);
                    searched = before & ~(qmark ^ (qmark - 1));
                }
            }
            reserved |= (m.slash | m.qmark) & searched;
        }
        base += FU_BLOCK;
        if (base >= n) break;
        FU_NAME(fu_masks)(p + base, n - base < FU_BLOCK ? n - base : FU_BLOCK, &m);
        odd |= m.odd;
        if (base < FU_BLOCK * FU_ODD_BLOCKS)
            out->odd[base / FU_BLOCK] = m.odd;
        else
            beyond |= m.odd;
        from = delimiter <= base ? ~(uint64_t)0 : ~fu_low_bits(delimiter - base);
    }
    size_t end = n;
    if (fragment != FU_ABSENT) {
        flags |= FU_HAS_FRAGMENT;
        end = fragment;
    }
    out->query_end = end;
    if (query != FU_ABSENT) {
        flags |= FU_HAS_QUERY;
        end = query;
    }
    out->path_end = end;

    if (odd) flags |= FU_ODD;
    if (beyond) flags |= FU_ODD_BEYOND;
    if (flags & FU_HAS_NETLOC && out->netloc_start < delimiter && delimiter <= FU_BLOCK) {
        if (n > FU_BLOCK) FU_NAME(fu_masks)(p, FU_BLOCK, &m);
        if (FU_NAME(fu_block_hostname)(p, &m, out->netloc_start, delimiter)) flags |= FU_HOSTNAME;
    }
    if (!odd && !reserved) {
        int web = flags & FU_HOSTNAME && fu_shape_of(table, out->scheme) == FU_SHAPE_HTTP;
        if (origin || (web && (query == FU_ABSENT || query > delimiter))) flags |= FU_CLEAN;
    }
    out->flags = flags;
}

/* The same with the common case in line: for loops over many texts. */
FU_TARGET static inline void FU_NAME(fu_split_inline)(const fu_scheme_table *table, const uint8_t *p, size_t n,
                                                      fu_form form, fu_spans *out) {
    if (form == FU_FORM_URL && n > 0) {
        fu_masks m;
        FU_NAME(fu_masks)(p, n < FU_BLOCK ? n : FU_BLOCK, &m);
        if (FU_NAME(fu_split_web)(table, p, n, &m, out)) return;
    }
    FU_NAME(fu_split)(table, p, n, form, 0, out);
}
