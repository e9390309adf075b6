/* The search for one width of character. search_body.h includes this file once per width, with FU_CHAR and FU_WIDTH. */

static inline int FU_CONTEXT(fu_is_url_mark)(const FU_CHAR *p, size_t n, size_t i) {
    return n - i >= 4 && p[i + 3] == ':' && (p[i] | 0x20) == 'u' && (p[i + 1] | 0x20) == 'r' && (p[i + 2] | 0x20) == 'l';
}

static inline int FU_CONTEXT(fu_is_candidate)(const FU_CHAR *p, size_t n, size_t i, int bare) {
    if (p[i] == '<' || FU_CONTEXT(fu_is_url_mark)(p, n, i)) return 1;
    return bare && n - i >= 3 && p[i] == ':' && p[i + 1] == '/' && p[i + 2] == '/';
}

#if FU_WIDTH == 1 && defined(FU_VECTOR_SSE2)
/* Set each of the 16 bytes at p to 0xFF if a candidate starts there, else to 0. Reads 19 bytes. */
static inline __m128i fu_candidates_sse2(const uint8_t *p, int bare) {
    const __m128i case_bit = _mm_set1_epi8(0x20);
    __m128i v0 = _mm_loadu_si128((const __m128i *)p), v1 = _mm_loadu_si128((const __m128i *)(p + 1));
    __m128i v2 = _mm_loadu_si128((const __m128i *)(p + 2)), v3 = _mm_loadu_si128((const __m128i *)(p + 3));
    __m128i u = _mm_cmpeq_epi8(_mm_or_si128(v0, case_bit), _mm_set1_epi8('u'));
    __m128i r = _mm_cmpeq_epi8(_mm_or_si128(v1, case_bit), _mm_set1_epi8('r'));
    __m128i l = _mm_cmpeq_epi8(_mm_or_si128(v2, case_bit), _mm_set1_epi8('l'));
    __m128i mark = _mm_and_si128(_mm_and_si128(u, r), _mm_and_si128(l, _mm_cmpeq_epi8(v3, _mm_set1_epi8(':'))));
    __m128i hits = _mm_or_si128(mark, _mm_cmpeq_epi8(v0, _mm_set1_epi8('<')));
    if (!bare) return hits;
    __m128i slash = _mm_set1_epi8('/');
    __m128i slashes = _mm_and_si128(_mm_cmpeq_epi8(v1, slash), _mm_cmpeq_epi8(v2, slash));
    return _mm_or_si128(hits, _mm_and_si128(_mm_cmpeq_epi8(v0, _mm_set1_epi8(':')), slashes));
}
#endif

/* Return the offset of the first '<' or "URL:" (with `bare`, also "://") that starts in [i, limit), or limit if there is
 * none. */
static size_t FU_CONTEXT(fu_context_seek)(const FU_CHAR *p, size_t n, size_t i, size_t limit, int bare) {
#if FU_WIDTH == 1 && defined(FU_VECTOR_SSE2)
    /* Try 16 bytes before blocks of 64: candidates may be close together, as in HTML. */
    if (i < limit && n - i >= 16 + 3) {
        int mask = _mm_movemask_epi8(fu_candidates_sse2(p + i, bare));
        if (mask) {
            i += (size_t)__builtin_ctzll((uint64_t)(uint32_t)mask);
            return i < limit ? i : limit;
        }
        i += 16;
    }
    while (i < limit && n - i >= 64 + 3) {
        __m128i hits[4];
        for (size_t k = 0; k < 4; k++) hits[k] = fu_candidates_sse2(p + i + 16 * k, bare);
        __m128i any = _mm_or_si128(_mm_or_si128(hits[0], hits[1]), _mm_or_si128(hits[2], hits[3]));
        if (_mm_movemask_epi8(any)) {
            uint64_t mask = 0;
            for (int k = 0; k < 4; k++) mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(hits[k]) << 16 * k;
            i += (size_t)__builtin_ctzll(mask);
            return i < limit ? i : limit;
        }
        i += 64;
    }
#else
    /* The inner loop has no branch, so compilers vectorize it. */
    while (i < limit && n - i >= 32 + 3) {
        FU_CHAR hit = 0;
        const FU_CHAR *q = p + i;
        for (size_t k = 0; k < 32; k++) {
            FU_CHAR mark =
                (FU_CHAR)(((q[k] | 0x20) == 'u') & ((q[k + 1] | 0x20) == 'r') & ((q[k + 2] | 0x20) == 'l') & (q[k + 3] == ':'));
            FU_CHAR slashes = (FU_CHAR)((q[k] == ':') & (q[k + 1] == '/') & (q[k + 2] == '/'));
            hit |= (FU_CHAR)(mark | (FU_CHAR)(q[k] == '<') | (slashes & (FU_CHAR)(bare != 0)));
        }
        if (hit) break;
        i += 32;
    }
#endif
    while (i < limit && !FU_CONTEXT(fu_is_candidate)(p, n, i, bare)) i++;
    return i < limit ? i : limit;
}

static inline size_t FU_CONTEXT(fu_skip_space)(const FU_CHAR *p, size_t n, size_t i) {
    while (i < n && fu_is_space(p[i])) i++;
    return i;
}

static inline size_t FU_CONTEXT(fu_skip_scheme)(const FU_CHAR *p, size_t n, size_t i) {
    if (i >= n || p[i] >= 0x80 || !fu_is((uint8_t)p[i], TERM_ALPHA)) return i;
    while (i < n && p[i] < 0x80 && fu_is((uint8_t)p[i], TERM_SCHEME)) i++;
    return i;
}

/* Return the offset after "scheme://", or after "scheme:" for a registered scheme without "//". Return 0 if the text at i does
 * not start in one of these ways, and so need not be a URL. */
static size_t FU_CONTEXT(fu_url_opens)(const fu_scheme_table *table, const FU_CHAR *p, size_t n, size_t i) {
    size_t colon = FU_CONTEXT(fu_skip_scheme)(p, n, i);
    if (colon == i || colon >= n || p[colon] != ':') return 0;
    if (n - colon >= 3 && p[colon + 1] == '/' && p[colon + 2] == '/') return colon + 3;
    uint8_t name[FU_SCHEME_NAME_MAX];
    size_t length = colon - i;
    if (length > FU_SCHEME_NAME_MAX) return 0;
    for (size_t k = 0; k < length; k++) name[k] = (uint8_t)p[i + k];
    uint32_t scheme = fu_find_scheme(table, name, length);
    if (scheme == FU_NO_SCHEME) return 0;
    const uint8_t login = fu_traits[fu_shape_of(table, scheme)].login;
    return login == FU_LOGIN_NONE || login == FU_LOGIN_ANY ? colon + 1 : 0;
}

/* Match a URL in angle brackets: from `body` to the first '>'. A character other than white space must stand at or after
 * `after`, and before any '#'. If `plain` (no "URL:"), a quotation mark or a control character rejects the match. */
static int FU_CONTEXT(fu_take_bracket)(const FU_CHAR *p, size_t n, size_t body, size_t after, int plain, fu_context_match *out) {
    size_t hash = FU_ABSENT;
    int content = 0, url_spaced = 0, fragment_spaced = 0, hyphen = 0;
    for (size_t i = body; i < n; i++) {
        FU_CHAR c = p[i];
        if (c == '>') {
            if (!content) return 0;
            out->body = body;
            out->stop = i;
            out->end = i + 1;
            out->hash = hash == FU_ABSENT ? i : hash;
            out->url_spaced = url_spaced;
            out->fragment_spaced = fragment_spaced;
            out->hyphen = hyphen;
            return 1;
        }
        if (c == '<') return 0;
        if (fu_is_space(c)) {
            if (hash == FU_ABSENT)
                url_spaced = 1;
            else
                fragment_spaced = 1;
            if (fu_is_line_break(c) && i > body && p[i - 1] == '-') hyphen = 1;
        } else if (plain && (c == '"' || c < 0x20 || c == 0x7f)) {
            return 0;
        } else if (c == '#') {
            if (hash == FU_ABSENT) hash = i;
        } else if (hash == FU_ABSENT && i >= after) {
            content = 1;
        }
    }
    return 0;
}

/* Match a URL without brackets: from `body` to the end of a run of URL characters, which must reach past `after`. `before` is
 * the character before the match: a URL in parentheses or single quotation marks ends before the closing one. */
static int FU_CONTEXT(fu_take_run)(const FU_CHAR *p, size_t n, size_t body, size_t after, FU_CHAR before, fu_context_match *out) {
    size_t hash = FU_ABSENT, opened = 0, closed = 0, i = after;
    if (i >= n || p[i] == '#') return 0; /* reject before reading on, or runs of '#' would be read many times */
    for (; i < n && fu_is_text_url(p[i]); i++) {
        if (p[i] == '#' && hash == FU_ABSENT) hash = i;
        if (p[i] == '(') opened++;
        if (p[i] == ')') {
            if (closed == opened && before == '(') break;
            closed++;
        }
        if (p[i] == '\'' && before == '\'') break;
    }
    size_t run = i;
    while (i > after) {
        if (p[i - 1] == ')' && closed > opened)
            closed--;
        else if (!fu_is_sentence_end(p[i - 1]))
            break;
        i--;
    }
    if (i == after) return 0;
    out->body = body;
    out->stop = out->end = i;
    out->hash = hash < i ? hash : i;
    out->url_spaced = out->fragment_spaced = 0;
    out->hyphen = i == run && i < n && p[i - 1] == '-' && fu_is_line_break(p[i]);
    return 1;
}

static inline int FU_CONTEXT(fu_is_alnum)(FU_CHAR c) { return c < 0x80 && fu_is((uint8_t)c, TERM_ALPHADIGIT); }

static int FU_CONTEXT(fu_context_next)(const fu_scheme_table *table, const FU_CHAR *p, size_t n, int flags, fu_context *at,
                                       size_t limit, fu_context_match *out) {
    int bare = (flags & FU_CONTEXT_BARE) != 0, taken = 0;
    size_t i = at->position;
    while (i < limit) {
        i = FU_CONTEXT(fu_context_seek)(p, n, i, limit, bare);
        if (i == limit) break;
        /* Load the character once. Another thread may write to the buffer, and that must not make a branch read past its end. */
        FU_CHAR c = p[i];
        if (c == '<') {
            size_t inside = FU_CONTEXT(fu_skip_space)(p, n, i + 1), after;
            out->start = i;
            i++;
            if (inside < n && FU_CONTEXT(fu_is_url_mark)(p, n, inside)) {
                /* Skip this "URL:" even if the bracket is never closed: it must not also start a match without brackets. */
                i = inside + 4;
                taken = FU_CONTEXT(fu_take_bracket)(p, n, i, i, 0, out);
            } else if ((after = FU_CONTEXT(fu_url_opens)(table, p, n, inside)) != 0) {
                taken = FU_CONTEXT(fu_take_bracket)(p, n, inside, after, 1, out);
            }
        } else if (c == ':') {
            size_t scheme = i;
            while (scheme > at->taken && p[scheme - 1] < 0x80 && fu_is((uint8_t)p[scheme - 1], TERM_SCHEME)) scheme--;
            while (scheme < i && !fu_is((uint8_t)p[scheme], TERM_ALPHA)) scheme++;
            out->start = scheme;
            taken = scheme < i && FU_CONTEXT(fu_take_run)(p, n, scheme, i + 3, scheme > 0 ? p[scheme - 1] : ' ', out);
            i += 3;
        } else {
            FU_CHAR before = i > 0 ? p[i - 1] : ' ';
            size_t body = FU_CONTEXT(fu_skip_space)(p, n, i + 4);
            size_t after = FU_CONTEXT(fu_is_alnum)(before) ? 0 : FU_CONTEXT(fu_url_opens)(table, p, n, body);
            out->start = i;
            taken = after && FU_CONTEXT(fu_take_run)(p, n, body, after, before, out);
            i += 3; /* the ':' may be the start of "://" */
        }
        if (taken) {
            at->position = at->taken = out->end;
            return 1;
        }
    }
    at->position = i; /* past the limit if a rejected candidate extends beyond it */
    return 0;
}
