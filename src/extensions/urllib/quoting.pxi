# Part of _urllib.pyx: the quote and unquote functions of urllib.parse, and iterators over many texts.

cdef object urllib_quote = _originals.original("quote")
cdef object urllib_quote_plus = _originals.original("quote_plus")
cdef object urllib_quote_from_bytes = _originals.original("quote_from_bytes")
cdef object urllib_unquote = _originals.original("unquote")
cdef object urllib_unquote_plus = _originals.original("unquote_plus")
cdef object urllib_unquote_to_bytes = _originals.original("unquote_to_bytes")

cdef dict TABLES = {}
cdef object SLASH = "/"
cdef object EMPTY = ""
cdef bytes SLASH_TABLE = safe_table(SLASH, False, {})
cdef bytes PLUS_TABLE = safe_table(EMPTY, True, {})


cdef object last_safe = None  # the `safe` of the last call of quote with another set than the default
cdef object last_table = None  # its quote table
cdef const fu_quote_table *last_quote = NULL  # the same table, for the kernel


cdef inline object table_for(object safe, bint plus):
    if not plus and safe is SLASH:
        return SLASH_TABLE
    if plus and safe is EMPTY:
        return PLUS_TABLE
    if plus or not FU_HAS_GIL:
        return safe_table(safe, plus, TABLES)
    return last_table if safe is last_safe and last_table is not None else new_last(safe)


cdef object new_last(object safe):
    global last_safe, last_table, last_quote
    table = safe_table(safe, False, TABLES)
    if table is not None and len(safe) <= MAX_KEY:
        last_safe, last_table = safe, table
        last_quote = table_of(table)
    return table


cdef extern from "Python.h":
    bint PyByteArray_CheckExact(object data)


cdef inline object quote_string(object string, object safe, object encoding, object errors, bint plus):
    """Return the result of quote or quote_plus, or None to fall back to urllib."""
    if PyUnicode_CheckExact(string):
        if not (usual(encoding, "utf-8") and usual(errors, "strict")):
            return quoted_by_codec(string, safe, encoding, errors, plus)
        table = table_for(safe, plus)
        if table is not None:
            return quoted_text(table_of(table), string)
    elif PyBytes_CheckExact(string) and encoding is None and errors is None:
        table = table_for(safe, plus)
        if table is not None:
            return quoted_bytes(table_of(table), bytes_of(string), PyBytes_GET_SIZE(string))
    return None


cdef object quoted_by_codec(object string, object safe, object encoding, object errors, bint plus):
    """Quote an exact str in any encoding. Return None to fall back to urllib."""
    cdef const char *codec = plain_name("utf-8" if encoding is None else encoding)
    cdef const char *handler = plain_name("strict" if errors is None else errors)
    if codec == NULL or handler == NULL:
        return None
    FU_TEXT_READY(string)
    if PyUnicode_GET_LENGTH(string) == 0:
        return string
    # Like urllib, replace the byte 20 by a plus only if the text contains a space.
    table = table_for(safe, plus and PyUnicode_FindChar(string, 0x20, 0, PyUnicode_GET_LENGTH(string), 1) >= 0)
    if table is None:
        return None
    if is_utf8(encoding) and (usual(errors, "strict") or (PyUnicode_IS_ASCII(string) and is_built_in_handler(errors))):
        return quoted_text(table_of(table), string)
    data = PyUnicode_AsEncodedString(string, codec, handler)
    return quoted_bytes(table_of(table), bytes_of(data), PyBytes_GET_SIZE(data))


# Unlike the others, a bound function: programs and the interpreter's own tests read its ``__defaults__``.
@cython.binding(True)
def quote(string, safe='/', encoding=None, errors=None):
    """Escape the characters that a part of a URL may not contain: ``urllib.parse.quote``.

    string : str, bytes or URL.
    safe : str or bytes, the ASCII characters to keep, besides letters, digits and ``_.-~``.
    encoding, errors : for str only; UTF-8 and ``strict`` by default.
    Returns: str, the same object if nothing needs an escape.
    Raises: as urllib (TypeError, UnicodeEncodeError).
    Cost: O(n), one allocation.
    Source: RFC 1738 section 2.2, with the characters of RFC 3986 as urllib has them.

    >>> quote("/caf\xe9 & bar")
    '/caf%C3%A9%20%26%20bar'
    """
    string = plain(string, FU_ASKS_TRUTH, "encode")
    result = quote_string(string, safe, encoding, errors, False)
    return urllib_quote(string, safe, encoding, errors) if result is None else result


def quote_plus(string, safe='', encoding=None, errors=None):
    """Escape a form value, with ``+`` for a space: ``urllib.parse.quote_plus``.

    string, safe, encoding, errors : as for ``quote``, but ``/`` is not safe by default.
    Returns: str, the same object if nothing needs an escape.
    Raises: as urllib (TypeError, UnicodeEncodeError).
    Cost: O(n), one allocation.
    Source: RFC 1738 section 2.2; HTML's form encoding for the plus.

    >>> quote_plus("a b/c+d")
    'a+b%2Fc%2Bd'
    """
    string = plain(string, FU_ASKS_TRUTH | FU_ASKS_CONTAINS, "encode")
    result = quote_string(string, safe, encoding, errors, True)
    return urllib_quote_plus(string, safe, encoding, errors) if result is None else result


def quote_from_bytes(bs, safe='/'):
    """Escape bytes: ``urllib.parse.quote_from_bytes``.

    bs : bytes or bytearray.
    safe : as for ``quote``.
    Returns: str of ASCII characters.
    Raises: TypeError for a str, as urllib does.
    Cost: O(n), one allocation.
    Source: RFC 1738 section 2.2.

    >>> quote_from_bytes(b"a b\\xff/")
    'a%20b%FF/'
    """
    if PyBytes_CheckExact(bs) or PyByteArray_CheckExact(bs):
        result = quote_string(bytes(bs), safe, None, None, False)
        if result is not None:
            return result
    return urllib_quote_from_bytes(bs, safe)


cdef object unquoted_bytes(object data, object encoding, object errors):
    """Unquote an exact bytes object. Return None to fall back to urllib."""
    cdef const char *codec = NULL
    cdef const char *handler = NULL
    if encoding is None or errors is None or PyBytes_GET_SIZE(data) == 0:
        return None
    if not codec_of(encoding, errors, &codec, &handler):
        return None
    return decode_bytes(bytes_of(data), PyBytes_GET_SIZE(data), False, False, codec, handler)


def unquote(string, encoding='utf-8', errors='replace'):
    """Decode the escapes in a text: ``urllib.parse.unquote``.

    string : str or bytes. A ``%`` that starts no escape stays.
    encoding, errors : how the bytes become characters. In a str, each run of ASCII is decoded separately.
    Returns: str, the same object if it contains no ``%``.
    Raises: as urllib (TypeError, LookupError, UnicodeDecodeError under ``strict``).
    Cost: O(n), one allocation below 512 characters.
    Source: RFC 1738 section 2.2.

    >>> unquote("caf%C3%A9%20100%")
    'caf\xe9 100%'
    """
    text = plain(string, FU_ASKS_CONTAINS | FU_ASKS_SLICE, "split")
    if PyUnicode_CheckExact(text):
        result = decoded_text(text, encoding, errors, False)
        if result is not None:
            # urllib returns a text without "%" itself.
            return result if text is string or "%" in <str>text else given(string, text)
    elif PyBytes_CheckExact(string):
        result = unquoted_bytes(string, encoding, errors)
        if result is not None:
            return result
    elif string is None:
        return "%" in string  # raises urllib's TypeError; requests catches it for every URL without a login
    return urllib_unquote(given(string, text), encoding, errors)


def unquote_plus(string, encoding='utf-8', errors='replace'):
    """Decode the escapes in a form value, and ``+`` as a space: ``urllib.parse.unquote_plus``.

    string : str.
    encoding, errors : as for ``unquote``.
    Returns: str, the same object if it contains neither ``+`` nor ``%``.
    Raises: as urllib (TypeError for bytes, LookupError, UnicodeDecodeError under ``strict``).
    Cost: O(n), one allocation below 512 characters.
    Source: RFC 1738 section 2.2; HTML's form encoding for the plus.

    >>> unquote_plus("a+b%2Bc")
    'a b+c'
    """
    string = plain(string, 0, "replace")
    if PyUnicode_CheckExact(string):
        result = decoded_text(string, encoding, errors, True)
        if result is not None:
            return result
    return urllib_unquote_plus(string, encoding, errors)


def unquote_to_bytes(string):
    """Decode the escapes in a text to bytes: ``urllib.parse.unquote_to_bytes``.

    string : str, which is encoded as UTF-8, or bytes. A ``%`` that starts no escape stays.
    Returns: bytes, the same object for bytes without ``%``.
    Raises: as urllib (TypeError, AttributeError, UnicodeEncodeError for a lone surrogate).
    Cost: O(n), one allocation.
    Source: RFC 1738 section 2.2.

    >>> unquote_to_bytes("caf%E9 100%")
    b'caf\\xe9 100%'
    """
    string = plain(string, FU_ASKS_TRUTH, "encode")
    if PyUnicode_CheckExact(string):
        FU_TEXT_READY(string)
        if PyUnicode_IS_ASCII(string):
            return unescaped_bytes(ascii_bytes(string), PyUnicode_GET_LENGTH(string), False)
        string = PyUnicode_AsUTF8String(string)
    elif not PyBytes_CheckExact(string):
        return urllib_unquote_to_bytes(string)
    if runtime.kernel.unquote_find(bytes_of(string), PyBytes_GET_SIZE(string), False) == <size_t>PyBytes_GET_SIZE(string):
        return string
    return unescaped_bytes(bytes_of(string), PyBytes_GET_SIZE(string), False)


cdef enum:
    RAISE, NULL_IN_PLACE, KEEP


cdef int policy(object errors) except -1:
    if errors == "raise":
        return RAISE
    if errors == "null":
        return NULL_IN_PLACE
    if errors == "keep":
        return KEEP
    from fasturl._quoted import quoted
    raise ValueError(f"errors must be 'raise', 'null' or 'keep', not {quoted(errors)}")


cdef object iterator_of(object strings, str caller):
    if isinstance(strings, (str, bytes, bytearray)):
        raise TypeError(f"{caller}() takes an iterable of texts, not one text")
    return iter(strings)


cdef class _Many:
    """An iterator that applies a function to each element of another iterator. Subclasses implement the function."""
    cdef object source
    cdef int on_error

    def __iter__(self):
        return self

    def __next__(self):
        item = next(self.source)
        if self.on_error == RAISE:
            # A separate path without try: entering a try costs a tenth of the work on a short text.
            return self.one(item)
        result = None
        try:
            result = self.one(item)
        except (TypeError, AttributeError, ValueError) as error:
            result = kept_error(error, (TypeError, AttributeError, ValueError), self.on_error == KEEP)
        return result

    cdef object one(self, object item):
        raise NotImplementedError


cdef class _QuoteMany(_Many):
    cdef object safe
    cdef object table

    cdef object one(self, object item):
        if self.table is not None:
            if PyUnicode_CheckExact(item):
                return quoted_text(table_of(self.table), item)
            if PyBytes_CheckExact(item):
                return quoted_bytes(table_of(self.table), bytes_of(item), PyBytes_GET_SIZE(item))
        return urllib_quote(item, self.safe)


cdef class _UnquoteMany(_Many):
    cdef object one(self, object item):
        if PyUnicode_CheckExact(item):
            return decoded_text(item, "utf-8", "replace", False)
        if PyBytes_CheckExact(item):
            result = unquoted_bytes(item, "utf-8", "replace")
            if result is not None:
                return result
        return urllib_unquote(item)


def quote_many(strings, safe='/', *, errors='raise'):
    """Apply ``quote`` to many texts, in order. Return an iterator.

    strings : any iterable of str or bytes, read one element per result.
    safe : as for ``quote``.
    errors : for an element that cannot be quoted (None, a number, a lone surrogate): ``raise`` raises its exception,
        ``null`` returns None, ``keep`` returns the exception. The iterator can continue after any of them.
    Returns: iterator of str, as long as ``strings``.
    Raises: ValueError for another ``errors``; TypeError for a single text, for another object that is not an iterable
        of texts, or for a ``safe`` that urllib refuses.
    Cost: that of ``quote`` per element; constant memory.

    >>> list(quote_many(["a b", None, b"\\xff"], errors="null"))
    ['a%20b', None, '%FF']
    """
    cdef _QuoteMany many = _QuoteMany.__new__(_QuoteMany)
    many.on_error = policy(errors)
    many.table = table_for(safe, False)
    if many.table is None:
        # Not a str or bytes: let urllib refuse it now, not once per element.
        urllib_quote("%", safe)
    many.safe = safe
    many.source = iterator_of(strings, "quote_many")
    return many


def unquote_many(strings, *, errors='raise'):
    """Apply ``unquote`` to many texts, in order. Return an iterator.

    strings : any iterable of str or bytes, read one element per result.
    errors : for an element of another type, as for ``quote_many``. Invalid UTF-8 is not an error: it becomes U+FFFD, as in
        ``unquote``.
    Returns: iterator of str, as long as ``strings``.
    Raises: ValueError for another ``errors``; TypeError for a single text, or another object that is not an iterable.
    Cost: that of ``unquote`` per element; constant memory.

    >>> list(unquote_many(["a%20b", b"%C3%A9", 7], errors="null"))
    ['a b', '\xe9', None]
    """
    cdef _UnquoteMany many = _UnquoteMany.__new__(_UnquoteMany)
    many.on_error = policy(errors)
    many.source = iterator_of(strings, "unquote_many")
    return many


# ---- The fast path for the most frequent calls: a str by position, without the rare arguments

cdef fu_call quote_behind, unquote_behind


cdef object quote_in_front(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *names):
    cdef const fu_quote_table *known = NULL
    cdef Py_ssize_t length
    if names == NULL and n == 2 and FU_HAS_GIL and args[1] == <PyObject *>last_safe:
        known = last_quote
    if known != NULL and PyUnicode_CheckExact(<object>args[0]) and PyUnicode_IS_COMPACT_ASCII(<object>args[0]):
        # No other code runs in between that could replace last_table, which owns `known`.
        length = PyUnicode_GET_LENGTH(<object>args[0])
        if runtime.kernel.quote_find(known, ascii_bytes(<object>args[0]), length) == <size_t>length:
            return <object>args[0]
        return quoted_bytes(known, ascii_bytes(<object>args[0]), length)
    if names == NULL and (n == 1 or n == 2) and PyUnicode_CheckExact(<object>args[0]):
        table = SLASH_TABLE if n == 1 else table_for(<object>args[1], False)
        if table is not None:
            return quoted_text(table_of(table), <object>args[0])
    return quote_behind(module, args, n, names)


cdef object unquote_in_front(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *names):
    if names != NULL or n != 1 or not PyUnicode_CheckExact(<object>args[0]):
        return unquote_behind(module, args, n, names)
    if PyUnicode_IS_COMPACT_ASCII(<object>args[0]):
        n = PyUnicode_GET_LENGTH(<object>args[0])
        if runtime.kernel.unquote_find(ascii_bytes(<object>args[0]), n, False) == <size_t>n:
            return <object>args[0]
        return decode_bytes(ascii_bytes(<object>args[0]), n, True, False, NULL, NULL)
    return decoded_with(<object>args[0], False, NULL, NULL)


quote_behind = fu_install_fast_call(quote, quote_in_front)
unquote_behind = fu_install_fast_call(unquote, unquote_in_front)

_originals.take_shapes(globals(), {
    "quote": {"string, safe='/', encoding=None, errors=None": quote},
    "quote_from_bytes": {"bs, safe='/'": quote_from_bytes},
    "quote_plus": {"string, safe='', encoding=None, errors=None": quote_plus},
    "unquote": {"string, encoding='utf-8', errors='replace'": unquote},
    "unquote_plus": {"string, encoding='utf-8', errors='replace'": unquote_plus},
    "unquote_to_bytes": {"string": unquote_to_bytes},
})
