# Part of _urllib.pyx: urljoin and urldefrag.

cdef object join(base, url, bint fragments):
    """Return the urljoin of two str or two bytes that are not empty, or None to fall back to urllib."""
    cdef fu_pytext base_text, text
    cdef fu_spans b, s
    text.data.owned = NULL
    try:
        base_kept = cut(base, &base_text, &b, False)
        kept = None if base_kept is None else cut(url, &text, &s, False)
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
    """Split the UTF-8 of a str that has been split, at the same characters. Return the bytes for the caller to keep."""
    data = kept.encode("utf-8", "surrogatepass")
    fu_release_text(text)
    fu_split_text(data, text, s)  # may return FU_SPLIT_NOT_ASCII; the spans are valid all the same
    return data


cdef object join_cut(scheme, const fu_pytext *base, const fu_spans *b, const fu_pytext *text, const fu_spans *s):
    cdef fu_parts parts
    cdef uint8_t buffer[1024]
    cdef uint8_t *merged = buffer
    cdef size_t size
    cdef fu_join how
    fu_slice_of(scheme, &parts.scheme)
    how = fu_join_parts(base.p, b, text.p, s, drops_empty, &parts)
    if how != FU_JOIN_MERGE:
        return build_joined(&parts, text.kind) if how == FU_JOIN_BUILD else None
    size = (b.path_end - b.path_start) + parts.path.n + 2
    if size > sizeof(buffer):
        merged = <uint8_t *>PyMem_Malloc(size)
        if merged == NULL:
            raise MemoryError
    try:
        parts.path.n = fu_merge_paths(
            base.p + b.path_start, b.path_end - b.path_start, parts.path.p, parts.path.n, merged
        )
        parts.path.p = merged
        return build_joined(&parts, text.kind)
    finally:
        if merged != buffer:
            PyMem_Free(merged)


cdef inline object build_joined(fu_parts *parts, fu_pytext_kind kind):
    """Build the joined URL. Older Pythons call urlunparse for it; later ones know if there was a netloc."""
    if drops_empty:
        return build(parts, kind)
    if parts.netloc.n == 0 and has_slashes(&parts.path):
        parts.slashes = True
    return build_text(parts, kind)


cdef object defragment(url, original):
    """Return the urldefrag of a str or bytes, or None to fall back to urllib.

    original : the object with this text, which urllib returns if there is no "#"
    urllib splits and rebuilds the URL. If no Python changes it in this way, the result is the text before the "#".
    """
    cdef fu_pytext text
    cdef fu_spans s
    if PyUnicode_CheckExact(url) and "#" not in <str>url:
        return new_defrag(original, NOTHING)
    try:
        kept = cut(url, &text, &s, False)
        return None if kept is None else defrag_result(url, &text, &s)
    finally:
        fu_release_text(&text)


cdef object defrag_result(url, const fu_pytext *text, const fu_spans *s):
    cdef fu_range part
    if not s.flags & FU_HAS_FRAGMENT:
        return new_defrag(url, NO_BYTES)
    if fu_stands_before_fragment(text.p, s) and (
        s.flags & FU_HAS_NETLOC or s.scheme_end == 0 or not uses_netloc.has(scheme_of(text, s, False))
    ):
        part.start = 0
        part.end = s.query_end
        rest = fu_part(text, s.length, part)
    else:
        rest = rebuilt(text, s)
        if rest is None:
            return None
    part.start = s.query_end + 1
    part.end = s.length
    return new_defrag(rest, fu_part(text, s.length, part))


cdef object rebuilt(const fu_pytext *text, const fu_spans *s):
    """Return the text before the "#", split and rebuilt as urllib does. Return None for a str that is not ASCII."""
    cdef fu_parts parts
    cdef size_t params
    if text.kind == FU_PYTEXT_WIDE:
        return None
    scheme = scheme_of(text, s, False)
    fu_slice_of(scheme, &parts.scheme)
    parts.netloc = fu_slice_at(text.p, s.netloc_start if s.flags & FU_HAS_NETLOC else s.path_start, s.path_start)
    parts.path = fu_slice_at(text.p, s.path_start, s.path_end)
    parts.query = fu_query_slice(text.p, s)
    parts.params = parts.fragment = fu_slice_at(text.p, 0, 0)
    if drops_empty:
        params = fu_params_start(text.p, s)
        if params + 1 == s.path_end and uses_params.has(scheme):
            parts.path.n -= 1
        return build(&parts, text.kind)
    parts.empty_query = fu_empty_query(s)
    parts.empty_fragment = False
    parts.slashes = (s.flags & FU_HAS_NETLOC) != 0
    return build_text(&parts, text.kind)


cdef object new_defrag(url, fragment):
    cdef fu_pytext text
    cdef fu_range whole
    text.object = <PyObject *>fragment
    whole.start = 0
    whole.end = 0
    return with_state(fu_make_result(
        DefragResultBytes if type(url) is bytes else DefragResult, url, &text, 0, &whole, 1
    ))
