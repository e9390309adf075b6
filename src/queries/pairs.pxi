# The pairs of a query: what parse_qsl and parse_qs do for the arguments that are theirs.

cdef inline int plain_flag(object flag) noexcept:
    """The truth of a bool, an int or None; -1 for anything whose truth could be a program's own."""
    if flag is False or flag is None:
        return 0
    if flag is True:
        return 1
    if PyLong_CheckExact(flag):
        return 1 if flag else 0
    return -1


cdef inline int separator_octet(object separator) noexcept:
    """A separator of one ASCII character; -1 for any other."""
    cdef uint8_t octet
    if PyUnicode_CheckExact(separator):
        if PyUnicode_GET_LENGTH(separator) != 1 or not PyUnicode_IS_ASCII(separator):
            return -1
        octet = ascii_octets(separator)[0]
    elif PyBytes_CheckExact(separator) and PyBytes_GET_SIZE(separator) == 1:
        octet = octets_of(separator)[0]
    else:
        return -1
    return octet if octet < 0x80 else -1


cdef struct codec_names:
    # As decoded() takes them.
    const char *codec
    const char *handler


cdef inline object piece(const uint8_t *octets, size_t n, bint marks, bint as_text, const codec_names *names):
    """A name or a value of an ASCII query, decoded; None for octets that this interpreter cannot give as bytes."""
    cdef bytes value
    if as_text:
        if marks:
            return decoded_piece(octets, n, True, names.codec, names.handler)
        return ascii_text(octets, n)
    value = unescaped_octets(octets, n, True)
    return value if ALL_OCTETS or value.isascii() else None


cdef inline int put(object into, object name, object value) except -1:
    """Add a pair to a list, or a value to a dict's list."""
    if type(into) is list:
        (<list>into).append((name, value))
        return 0
    found = (<dict>into).get(name)
    if found is None:
        (<dict>into)[name] = [value]
    else:
        (<list>found).append(value)
    return 0


cdef object wide_pairs(str qs, str separator, bint keep_blank_values, bint strict, const codec_names *names,
                       object into):
    """The pairs of a str that is not all ASCII; None when strict parsing has to refuse it."""
    cdef Py_ssize_t equals
    for text in qs.split(separator):
        if not text and not strict:
            continue
        equals = (<str>text).find("=")
        if equals < 0:
            if strict:
                return None
            if not keep_blank_values:
                continue
            name, value = text, ""
        else:
            name, value = (<str>text)[:equals], (<str>text)[equals + 1:]
        if value or keep_blank_values:
            put(into, decoded_with(name, True, names.codec, names.handler),
                decoded_with(value, True, names.codec, names.handler))
    return into


cdef object ascii_pairs(const uint8_t *octets, size_t n, uint8_t divider, bint keep, bint strict, bint as_text,
                        const codec_names *names, object into):
    """The pairs of octets, which are ASCII where they are a text; None when strict parsing has to refuse them."""
    cdef size_t i = 0
    cdef fu_pair pair
    while i < n:
        fu_next_pair(octets, n, i, divider, &pair)
        i = pair.end + 1
        if not pair.has_value:
            if strict:
                return None
            if pair.end == pair.start or not keep:
                continue
        if pair.value < pair.end or keep:
            name = piece(octets + pair.start, pair.name_end - pair.start, pair.name_marks, as_text, names)
            value = piece(octets + pair.value, pair.end - pair.value, pair.value_marks, as_text, names)
            if name is None or value is None:
                return None
            put(into, name, value)
    if strict and n and octets[n - 1] == divider:
        return None
    return into


cdef bint too_many(object qs, int divider, object max_num_fields) except -1:
    """Whether a query has more fields than it may have, or that is left to urllib to say."""
    cdef const uint8_t *octets
    cdef Py_ssize_t i, fields = 1
    if not PyLong_CheckExact(max_num_fields):
        return True
    if not qs:
        return max_num_fields < 0
    if PyUnicode_CheckExact(qs) and not PyUnicode_IS_ASCII(qs):
        fields += (<str>qs).count(chr(divider))
    else:
        octets = ascii_octets(qs) if PyUnicode_CheckExact(qs) else octets_of(qs)
        for i in range(len(qs)):
            fields += octets[i] == divider
    return max_num_fields < fields


cdef object pairs_of(object qs, object keep_blank_values, object strict_parsing, object encoding, object errors,
                     object max_num_fields, object separator, object into):
    """``into`` with all pairs; None for what is left to urllib, its refusals among it."""
    cdef int keep = plain_flag(keep_blank_values)
    cdef int strict = plain_flag(strict_parsing)
    cdef int divider = separator_octet(separator)
    cdef bint as_text = PyUnicode_CheckExact(qs)
    cdef codec_names names
    names.codec = names.handler = NULL
    if (keep | strict | divider) < 0:
        return None
    if not (usual(encoding, "utf-8") and usual(errors, "replace")) and (as_text or not ALL_OCTETS):
        if not codec_of(encoding, errors, &names.codec, &names.handler) or not (as_text or names.codec == NULL):
            return None
    if as_text:
        FU_TEXT_READY(qs)
    elif PyBytes_CheckExact(qs):
        if not ALL_OCTETS and not (<bytes>qs).isascii():
            return None
    elif qs is None and NONE_IS_EMPTY:
        qs = b""
    else:
        return None
    if max_num_fields is not None and too_many(qs, divider, max_num_fields):
        return None
    if not as_text:
        return ascii_pairs(octets_of(qs), PyBytes_GET_SIZE(qs), <uint8_t>divider, keep, strict, False, &names, into)
    if PyUnicode_IS_ASCII(qs):
        return ascii_pairs(ascii_octets(qs), PyUnicode_GET_LENGTH(qs), <uint8_t>divider, keep, strict, True, &names, into)
    return wide_pairs(qs, chr(divider), keep, strict, &names, into)
