# Reading a URL relative to another: urljoin.

cdef object join(base, url, bint fragments):
    """urljoin of two str or two bytes that are not empty, or None."""
    cdef fu_pytext base_text, text
    cdef fu_spans b, s
    text.octets.owned = NULL
    try:
        base_kept = cut(base, &base_text, &b)
        kept = None if base_kept is None else cut(url, &text, &s)
        if kept is None:
            return None
        if not fu_same_scheme(base_text.p, &b, text.p, &s):
            return url
        scheme = scheme_of(&base_text, &b, False)
        if not uses_relative.has(scheme):
            return url if b.scheme_end else None
        if not uses_netloc.has(scheme):
            return None
        if base_text.kind == FU_PYTEXT_WIDE or text.kind == FU_PYTEXT_WIDE:
            base_kept, kept = cut_utf8(base_kept, &base_text, &b), cut_utf8(kept, &text, &s)
            text.kind = FU_PYTEXT_WIDE
        if not fragments:
            fu_drop_fragment(base_text.p, &b)
            fu_drop_fragment(text.p, &s)
        return join_cut(scheme, &base_text, &b, &text, &s)
    finally:
        fu_release_text(&base_text)
        fu_release_text(&text)


cdef object cut_utf8(str kept, fu_pytext *text, fu_spans *s):
    """Cut the UTF-8 of a str that has been cut: at the same characters. Gives the octets, to be kept."""
    octets = kept.encode("utf-8", "surrogatepass")
    fu_release_text(text)
    fu_split_text(octets, text, s)  # it is not ASCII, which says nothing of the spans
    return octets


cdef object join_cut(scheme, const fu_pytext *base, const fu_spans *b, const fu_pytext *text, const fu_spans *s):
    cdef fu_parts parts
    cdef uint8_t room[1024]
    cdef uint8_t *merged = room
    cdef size_t size
    cdef fu_join how
    parts.slashes = False
    fu_piece_of(scheme, &parts.scheme)
    how = fu_join_parts(base.p, b, text.p, s, drops_empty, &parts)
    if how != FU_JOIN_MERGE:
        return build(&parts, text.kind) if how == FU_JOIN_BUILD else None
    size = (b.path_end - b.path_start) + parts.path.n + 2
    if size > sizeof(room):
        merged = <uint8_t *>PyMem_Malloc(size)
        if merged == NULL:
            raise MemoryError
    try:
        parts.path.n = fu_merge_paths(
            base.p + b.path_start, b.path_end - b.path_start, parts.path.p, parts.path.n, merged
        )
        parts.path.p = merged
        return build(&parts, text.kind)
    finally:
        if merged != room:
            PyMem_Free(merged)
