# Part of _urllib.pyx: parse_qsl, parse_qs and urlencode of urllib.parse; query_value; and redact.

cdef object urllib_parse_qs = _originals.original("parse_qs")
cdef object urllib_parse_qsl = _originals.original("parse_qsl")
cdef object urllib_urlencode = _originals.original("urlencode")
# The functions under their names in urllib.parse: programs pass these as quote_via.
cdef object named_quote = _originals.FUNCTIONS.get("quote", quote)
cdef object named_quote_plus = _originals.FUNCTIONS.get("quote_plus", quote_plus)
cdef object own_quote = quote
cdef object own_quote_plus = quote_plus

# True if the running interpreter writes None as "None".
cdef bint NONE_IS_TEXT = _originals.gives("urlencode", ({"a": None},), "a=None")
# True if names and values in bytes may contain any byte. Older Pythons decode them as ASCII.
cdef bint ALL_BYTES = _originals.gives("parse_qsl", (b"\xff=%FF",), [(b"\xff", b"\xff")])
cdef bint NONE_IS_EMPTY = _originals.gives("parse_qsl", (None,), [])
# True if the interpreter warns of a false query that is neither None, str nor bytes.
cdef bint WARNS = "_stacklevel" in _originals.SHAPES.get("parse_qsl", "")


# ---- parse_qsl and parse_qs

cdef inline object query_in(object qs, object max_num_fields):
    """Return the query of a URL object, a copy of a str of a subclass, and any other object as it is."""
    if type(qs) is url_class:
        return qs.query
    text = plain(qs, FU_ASKS_TRUTH, "split")
    counts = text is not qs and max_num_fields is not None
    return qs if counts and not acts_as_str(qs, 0, "count") else text


def parse_qsl(qs, keep_blank_values=False, strict_parsing=False, encoding='utf-8', errors='replace', max_num_fields=None,
              separator='&'):
    """Return a query's pairs in order, as ``urllib.parse.parse_qsl`` does.
    $pairs
    $Returns
    list of tuple
        Pairs (name, value), in str for a str and in bytes for bytes.
    $no_pairs
    $See Also
    parse_qs : Return a dict.
    query_value : Return a single value without building the other pairs.
    $Notes
    Cost: O(n).
    $Examples
    >>> parse_qsl("a=1&b=%C3%A9+x&c=")
    [('a', '1'), ('b', '\xe9 x')]
    """
    qs = query_in(qs, max_num_fields)
    result = pairs_of(qs, keep_blank_values, strict_parsing, encoding, errors, max_num_fields, separator, False)
    if result is not None:
        return result
    return urllib_parse_qsl(qs, keep_blank_values, strict_parsing, encoding, errors, max_num_fields, separator)


# Since 3.14, urllib may warn. _stacklevel is the number of frames from urllib's own frame to the cause of the warning.
@cython.binding(True)
def later_parse_qsl(qs, keep_blank_values=False, strict_parsing=False, encoding='utf-8', errors='replace',
                    max_num_fields=None, separator='&', *, _stacklevel=1):
    qs = query_in(qs, max_num_fields)
    result = pairs_of(qs, keep_blank_values, strict_parsing, encoding, errors, max_num_fields, separator, False)
    if result is not None:
        return result
    return urllib_parse_qsl(qs, keep_blank_values, strict_parsing, encoding, errors, max_num_fields, separator,
                            _stacklevel=_stacklevel + frames_between())


def parse_qs(qs, keep_blank_values=False, strict_parsing=False, encoding='utf-8', errors='replace', max_num_fields=None,
             separator='&'):
    """Return a query's values by name, as ``urllib.parse.parse_qs`` does.
    $pairs
    $Returns
    dict of list
        Values for each name, in str for a str and in bytes for bytes. A name's place is that of the first pair.
    $no_pairs
    $See Also
    parse_qsl : Return a list of pairs.
    $Notes
    Cost: O(n).
    $Examples
    >>> parse_qs("a=1&b=2&a=3")
    {'a': ['1', '3'], 'b': ['2']}
    """
    qs = query_in(qs, max_num_fields)
    result = pairs_of(qs, keep_blank_values, strict_parsing, encoding, errors, max_num_fields, separator, True)
    if result is not None:
        return result
    if not WARNS:
        return urllib_parse_qs(qs, keep_blank_values, strict_parsing, encoding, errors, max_num_fields, separator)
    # Not urllib's parse_qs: it does not count the trampoline frame that may be between it and its caller.
    result = {}
    for name, value in urllib_parse_qsl(qs, keep_blank_values, strict_parsing, encoding, errors, max_num_fields,
                                        separator, _stacklevel=1 + frames_between()):
        (<dict>result).setdefault(name, []).append(value)
    return result


# ---- urlencode

cdef enum:
    ASKED_OF_ITEMS = FU_ASKS_TRUTH | FU_ASKS_CONTAINS | FU_ASKS_STR | FU_ASKS_SUM


cdef struct quoting:
    const fu_quote_table *table
    const fu_quote_table *spaceless  # for a text without a space, whose encoded form may still contain the byte 20
    const char *codec  # NULL for UTF-8 that must be valid
    const char *handler


cdef int sink_item(sink *out, const quoting *how, object item) except -1:
    """Write a key or a value as quote_via does. Return 0 to fall back to urllib."""
    cdef long long number
    cdef int overflow = 0
    if PyBytes_CheckExact(item):
        sink_quote(out, how.table, bytes_of(item), PyBytes_GET_SIZE(item))
        return 1
    if PyLong_CheckExact(item):
        number = PyLong_AsLongLongAndOverflow(item, &overflow)
        if not overflow and how.codec == NULL:
            sink_number(out, how.table, number)
            return 1
        item = str(item)
    elif not PyUnicode_CheckExact(item):
        if not (acts_as_str(item, ASKED_OF_ITEMS, "encode")
                or type(item) is bool or type(item) is float or (item is None and NONE_IS_TEXT)):
            return 0
        item = str(item)
    if how.codec == NULL:
        sink_text(out, how.table, item)
    elif item:
        data = PyUnicode_AsEncodedString(item, how.codec, how.handler)
        sink_quote(out, how.table if " " in <str>item else how.spaceless, bytes_of(data), PyBytes_GET_SIZE(data))
    return 1


cdef int sink_pair(sink *out, const quoting *how, object key, object value, bint doseq) except -1:
    """Write one pair, or one per element of a value. Return 0 to fall back to urllib."""
    cdef size_t start, length
    cdef bint first = True
    if out.used:
        sink_put(out, 38)
    start = out.used
    if not sink_item(out, how, key):
        return 0
    sink_put(out, 61)
    if not doseq or not (type(value) is list or type(value) is tuple):
        return sink_item(out, how, value)
    length = out.used - start
    for element in value:
        if not first:
            sink_reserve(out, length + 1)
            out.data[out.used] = 38
            memcpy(out.data + out.used + 1, out.data + start, length)
            out.used += length + 1
        first = False
        if not sink_item(out, how, element):
            return 0
    if first:
        # No element, no pair: remove the key and the & before it.
        out.used = start - 1 if start else 0
    return 1


cdef object encode_query(object query, bint doseq, const quoting *how):
    """Return the text of a query, or None to fall back to urllib."""
    cdef sink out
    out.data = out.initial
    out.used = 0
    out.capacity = sizeof(out.initial)
    try:
        if type(query) is dict:
            for key, value in (<dict>query).items():
                if not sink_pair(&out, how, key, value, doseq):
                    return None
        else:
            for item in query:
                if type(item) is not tuple or len(<tuple>item) != 2:
                    return None
                if not sink_pair(&out, how, (<tuple>item)[0], (<tuple>item)[1], doseq):
                    return None
        return ascii_text(out.data, out.used)
    finally:
        if out.data != out.initial:
            PyMem_Free(out.data)


# Unlike the others, a bound function: the signature of a built-in function cannot show a function as a default.
@cython.binding(True)
def urlencode(query, doseq=False, safe='', encoding=None, errors=None, quote_via=quote_plus):
    """Build a query from pairs, as ``urllib.parse.urlencode`` does.
    $Parameters
    query : mapping or sequence of pairs
        Keys and values: str, bytes, or objects that ``str()`` accepts.
    doseq : bool
        Write a pair for each element when a value is a sequence.
    safe : str or bytes
        ASCII characters to keep, besides letters, digits and ``_.-~``.
    encoding : str, optional
        Encoding for str, by default UTF-8.
    errors : str, optional
        Error handler for str, as ``str.encode`` takes it. By default "strict".
    quote_via : callable
        Function that quotes each key and value, for example ``quote`` for ``%20`` instead of ``+``.
    $Returns
    str
        Query in ASCII, without the ``?``.
    $Raises
    TypeError
        If ``query`` is neither a mapping nor a sequence of pairs.
    UnicodeEncodeError
        If the encoding has no bytes for a character.
    $Notes
    Cost: O(n) when dicts, lists and tuples contain str, bytes and numbers. fasturl delegates other objects to urllib.
    $Examples
    >>> urlencode({"q": "caf\xe9 & tea", "n": 2})
    'q=caf%C3%A9+%26+tea&n=2'
    """
    cdef int each = plain_flag(doseq)
    cdef bint plus = quote_via is own_quote_plus or quote_via is named_quote_plus
    cdef quoting how
    cdef object table = None, spaceless = None
    if each >= 0 and (type(query) is dict or type(query) is list or type(query) is tuple) and (
        plus or quote_via is own_quote or quote_via is named_quote
    ):
        table = PLUS_TABLE if plus and safe is EMPTY else safe_table(safe, plus, TABLES)
    if table is not None:
        how.table = how.spaceless = table_of(table)
        how.codec = how.handler = NULL
        if not (is_utf8(encoding) and usual(errors, "strict")):
            spaceless = safe_table(safe, False, TABLES)
            how.spaceless = table_of(spaceless)
            how.codec = plain_name("utf-8" if encoding is None else encoding)
            how.handler = plain_name("strict" if errors is None else errors)
        if spaceless is None or (how.codec != NULL and how.handler != NULL):
            result = encode_query(query, each, &how)
            if result is not None:
                return result
    return urllib_urlencode(query, doseq, safe, encoding, errors, quote_via)


cdef str QUERY = "qs, keep_blank_values=False, strict_parsing=False, encoding='utf-8', errors='replace', " \
    "max_num_fields=None, separator='&'"
complete_docs(globals())
_originals.take_shapes(globals(), {
    "parse_qs": {QUERY: parse_qs},
    "parse_qsl": {QUERY: parse_qsl, QUERY + ", *, _stacklevel": later_parse_qsl},
    "urlencode": {"query, doseq=False, safe='', encoding=None, errors=None, quote_via=quote_plus": urlencode},
})
del later_parse_qsl
parse_qsl_behind = fu_install_fast_call(parse_qsl, parse_qsl_in_front)
parse_qs_behind = fu_install_fast_call(parse_qs, parse_qs_in_front)


# ---- query_value and redact

cpdef bytes _name_bytes(object name, bint of_bytes):
    """Return the bytes that represent a name in comparisons."""
    text = fu_exact_text(name, None, b"a query's name:")
    if PyUnicode_CheckExact(text):
        return PyUnicode_AsEncodedString(text, "utf-8", "surrogateescape" if of_bytes else "surrogatepass")
    if of_bytes:
        return text
    raise TypeError(f"a query's name is a str, not {type(name).__name__}")


cpdef bytes _value_name(object name, bint of_bytes):
    """Return the bytes of the name of a value. ValueError for a pattern, which would match no name."""
    cdef bytes data = _name_bytes(name, of_bytes)
    if memchr(bytes_of(data), 42, PyBytes_GET_SIZE(data)) != NULL:
        from fasturl._quoted import quoted
        raise ValueError(
            f"{quoted(name)} is a pattern, but a value is read by its exact name; query_pairs returns all pairs")
    return data


cdef bint decodes_to(const uint8_t *data, size_t n, bint marks, bytes name):
    """Return True if the name of a pair decodes to `name`. For names that cannot be compared as bytes."""
    if not marks:
        return n == <size_t>PyBytes_GET_SIZE(name) and memcmp(data, bytes_of(name), n) == 0
    return decoded_part(data, n, True, True) == name.decode("utf-8", "surrogatepass")


cpdef bint _bytes_tell(bytes name, bint as_text):
    """Return True if a name can be compared as bytes.

    Invalid UTF-8 also decodes to U+FFFD, and no escape decodes to a surrogate. So names with these characters are
    compared as str.
    """
    cdef Py_UCS4 c
    if not as_text or name.isascii():
        return True
    for c in name.decode("utf-8", "surrogatepass"):
        if c == 0xFFFD or 0xD800 <= c <= 0xDFFF:
            return False
    return True


cdef object first_value(bytes query, bytes name, bint as_text, object default):
    cdef const uint8_t *data = bytes_of(query)
    cdef size_t n = PyBytes_GET_SIZE(query)
    cdef size_t i = 0
    cdef fu_pair pair
    cdef fu_name wanted
    if _bytes_tell(name, as_text):
        wanted.data = bytes_of(name)
        wanted.length = PyBytes_GET_SIZE(name)
        if fu_find_pair(data, n, &wanted, NULL, &pair):
            return decoded_part(data + pair.value, pair.end - pair.value, pair.value_marks, as_text)
        return default
    while i < n:
        fu_next_pair(data, n, i, 38, &pair)
        i = pair.end + 1
        if pair.end > pair.start and decodes_to(data + pair.start, pair.name_end - pair.start, pair.name_marks, name):
            return decoded_part(data + pair.value, pair.end - pair.value, pair.value_marks, as_text)
    return default


def query_value(url, name, default=None):
    """Return a name's first value in a URL's query, without building the other pairs.

    ``+`` becomes a space, and escapes are decoded as UTF-8, as in ``parse_qsl``.
    $Parameters
    url : str, bytes-like, URL or SplitResult
        URL to read, or any object with a ``query``.
    name : str or bytes-like
        Name to look for. fasturl compares it with the decoded names in the query, and case matters. Bytes need a URL in
        bytes.
    default : object, optional
        Result if no pair has this name.
    $Returns
    str, bytes or default
        Decoded value in the same type as ``url``. It is empty when the pair has no ``=``.
    $Raises
    TypeError
        If ``url`` or ``name`` has another type.
    ValueError
        If ``name`` contains ``*``.
    $See Also
    query_values : Return the values for several names.
    $Notes
    Cost: O(n) in the URL's length.
    $Examples
    >>> query_value("http://h/?a=1&b=x+%C3%A9&b=2#f", "b")
    'x \xe9'
    >>> query_value(b"/p?a", b"a"), query_value(b"/p", b"a")
    (b'', None)
    """
    cdef size_t start = 0, end = 0
    cdef bint as_text, whole = PyUnicode_Check(url) or PyObject_CheckBuffer(url)
    if not whole:
        try:
            url = url.query
        except AttributeError:
            raise TypeError(f"a URL is a str or bytes-like, or has a query; not {type(url).__name__}") from None
        if url is None:
            return default
    data = fu_exact_text(url, None, b"query_value()")
    as_text = PyUnicode_CheckExact(data)
    wanted = _value_name(name, not as_text)
    if as_text:
        data = PyUnicode_AsEncodedString(data, "utf-8", "surrogatepass")
    if whole:
        if not fu_query_span(bytes_of(data), PyBytes_GET_SIZE(data), &start, &end):
            return default
        data = (<bytes>data)[start:end]
    return first_value(data, wanted, as_text, default)


@cython.final
cdef class _Names:
    """The names of secrets, as the kernel compares them."""

    cdef fu_name *names
    cdef fu_first_bytes lasts
    cdef size_t count
    cdef tuple held             # owns the bytes of the names

    def __dealloc__(self):
        PyMem_Free(self.names)


# The number of names from which a look-up is faster than encoding them.
cdef enum: NAMES_KEPT_FROM = 8
cdef object kept_names = lru_cache(8)(lambda keys, of_bytes: new_names(keys, of_bytes))


cdef _Names new_names(object keys, bint of_bytes):
    cdef _Names result = _Names.__new__(_Names)
    result.held = tuple({_name_bytes(key, of_bytes) for key in keys})
    set_names(&result.names, result.held, True)
    result.count = <size_t>len(result.held)
    fu_set_last_bytes(&result.lasts, result.names, result.count)
    return result


cdef _Names names_of(object keys, bint of_bytes):
    """Return the names. Those of a long tuple, as SECRET_KEYS is, are kept for the next call."""
    if isinstance(keys, (str, bytes)):
        keys = (keys,)
    if type(keys) is tuple and len(<tuple>keys) >= NAMES_KEPT_FROM and all_exact(<tuple>keys):
        return kept_names(keys, of_bytes)
    return new_names(keys, of_bytes)


cdef bint all_exact(tuple keys):
    """Return True if each key is a str and no object of a subclass, which could change."""
    for key in keys:
        if not PyUnicode_CheckExact(key):
            return False
    return True


cdef list hidden_places(bytes text, _Names names, bint is_text, bint hides_users):
    """Return the ranges (start, end) that redaction hides for these names, or None if there are none."""
    cdef size_t start = 0, end = 0
    cdef fu_redaction redaction
    cdef list places = None
    fu_start_redaction(&redaction, runtime.schemes, bytes_of(text), PyBytes_GET_SIZE(text), is_text, names.names,
                       names.count, &names.lasts, hides_users)
    while fu_next_hidden(&redaction, &start, &end):
        if places is None:
            places = []
        places.append((start, end))
    return places


# The names of SECRET_KEYS, once: redaction by default looks nothing up.
cdef _Names usual_names = None
cdef _Names usual_bytes = None


cdef _Names names_for(object keys, bint of_bytes):
    global usual_names, usual_bytes
    if keys is not None and keys is not SECRET_KEYS:
        return names_of(keys, of_bytes)
    if usual_names is None:
        usual_bytes = new_names(SECRET_KEYS, True)
        usual_names = new_names(SECRET_KEYS, False)
    return usual_bytes if of_bytes else usual_names


# fasturl.SECRET_KEYS.
SECRET_KEYS = tuple([fu_secret_keys[i].decode() for i in range(FU_SECRET_KEYS)])


def checked_mark(mark not None):
    """Return what stands for a secret, as bytes. ValueError unless it is 1 to 64 characters that cannot change a URL."""
    text = fu_exact_text(mark, None, b"a mark:")
    cdef bytes data = PyUnicode_AsEncodedString(text, "utf-8", "surrogatepass") if PyUnicode_CheckExact(text) else text
    if not 0 < len(data) <= 64 or data.translate(None, MARK_BYTES):
        from fasturl._quoted import quoted
        raise ValueError(f"a mark has 1 to 64 letters, digits and characters of -._~*, not {quoted(mark)}")
    return data


cdef bytes MARK_BYTES = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~*"


cdef object redact_exact(object text, object keys, bint is_text, object mark, bint user):
    cdef bint as_text = PyUnicode_CheckExact(text)
    cdef bytes data = PyUnicode_AsEncodedString(text, "utf-8", "surrogatepass") if as_text else text
    cdef bytes shown = b"***" if mark is None else checked_mark(mark)
    cdef list parts = []
    cdef size_t start, end, done = 0
    places = hidden_places(data, names_for(keys, not as_text), is_text, user)
    if places is None:
        return text
    for start, end in places:
        parts += [data[done:start], shown]
        done = end
    parts.append(data[done:])
    result = b"".join(parts)
    return result.decode("utf-8", "surrogatepass") if as_text else result


def redact(url, keys=None, mark=None, *, bint user=False):
    """Hide the passwords, tokens and secret parameters in a URL, for example before you log it.

    fasturl hides every password that some program sees: by RFC 1738, in urllib, in browsers, and in programs that allow
    ``/``, ``?`` and ``#`` in passwords. It also hides passwords in URLs inside the URL, even in escaped URLs. Secret
    parameters are hidden in the query, in the path after ``;``, and in the fragment. A token is hidden when it has a
    token's shape, or when it follows a word such as ``reset`` in the path. docs/redaction.md lists the rules.
    $Parameters
    url : str, bytes-like or URL
        URL to redact. It may have any content, valid or not.
    keys : str, bytes-like or iterable, optional
        Names of secret parameters. By default, ``fasturl.SECRET_KEYS``. fasturl compares decoded names, without case
        and without ``_``, ``-`` and ``.``. A key ``*token`` matches every name with this end. A key ``code&state``
        matches ``code`` when the URL also has a parameter ``state``. Pass ``()`` to hide only passwords and tokens.
        Bytes need a URL in bytes.
    mark : str or bytes, optional
        Text that replaces a secret, by default ``***``: 1 to 64 letters, digits and ``-._~*``.
    user : bool
        Also hide the user.
    $Returns
    str or bytes
        Text of the same type as ``url``, with the rest as written. It is the same object when nothing is hidden.
    $Raises
    TypeError
        If an argument has another type.
    ValueError
        If ``mark`` has other characters.
    $Notes
    Cost: O(n) in the URL's length. Each name in the URL is compared with each key. Source: RFC 1738 sections 3.1 and 6.
    $Examples
    >>> redact("ftp://me:secret@h/x?token=abc&n=1"), redact("http://h/?id=7&n=1", ["id"])
    ('ftp://me:***@h/x?token=***&n=1', 'http://h/?id=***&n=1')
    >>> redact("https://h/reset/9f86d081884c7d659a2feaa0c55ad015", mark="REDACTED")
    'https://h/reset/REDACTED'
    """
    return redact_exact(fu_exact_text(url, URL, b"redact()"), keys, False, mark, user)


def _redact_text(text, keys, mark=None, *, bint user=False):
    """Redact a str or bytes that may quote URLs, as a line of a log or a message. White space and quotes end a URL."""
    return redact_exact(fu_exact_text(text, None, b"_redact_text()"), keys, True, mark, user)


def _hidden_places(text not None, keys, *, bint is_text=False, bint user=False):
    """Return the ranges (start, end) that redact hides in a str or bytes, in order, in bytes (of UTF-8)."""
    text = fu_exact_text(text, None, b"_hidden_places()")
    cdef bint as_text = PyUnicode_CheckExact(text)
    data = PyUnicode_AsEncodedString(text, "utf-8", "surrogatepass") if as_text else text
    return hidden_places(data, names_for(keys, not as_text), is_text, user) or []
