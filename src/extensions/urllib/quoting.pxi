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
    """Escape the characters that a URL part must not contain, as ``urllib.parse.quote`` does.
    $Parameters
    string : str, bytes or URL
        Text to escape.
    safe : str or bytes
        ASCII characters to keep, besides letters, digits and ``_.-~``.
    encoding : str, optional
        Encoding for a str, by default UTF-8. You cannot use it with bytes.
    errors : str, optional
        Error handler for a str, as ``str.encode`` takes it. By default "strict".
    $Returns
    str
        Escaped text. It is the same object when nothing needs an escape.
    $Raises
    TypeError
        If an argument has another type, as in urllib.
    UnicodeEncodeError
        If the encoding has no bytes for a character, for example for a lone surrogate.
    $See Also
    quote_plus : Escape a form value.
    quote_many : Escape many texts.
    $Notes
    Cost: O(n). Source: RFC 1738 section 2.2, with RFC 3986's characters, as in urllib.
    $Examples
    >>> quote("/caf\xe9 & bar")
    '/caf%C3%A9%20%26%20bar'
    """
    string = plain(string, FU_ASKS_TRUTH, "encode")
    result = quote_string(string, safe, encoding, errors, False)
    return urllib_quote(string, safe, encoding, errors) if result is None else result


def quote_plus(string, safe='', encoding=None, errors=None):
    """Escape a form value and write a space as ``+``, as ``urllib.parse.quote_plus`` does.
    $Parameters
    string : str, bytes or URL
        Text to escape.
    safe : str or bytes
        ASCII characters to keep, besides letters, digits and ``_.-~``. Unlike ``quote``, it has no ``/`` by default.
    encoding : str, optional
        Encoding for a str, by default UTF-8. You cannot use it with bytes.
    errors : str, optional
        Error handler for a str, as ``str.encode`` takes it. By default "strict".
    $Returns
    str
        Escaped text. It is the same object when nothing needs an escape.
    $Raises
    TypeError
        If an argument has another type, as in urllib.
    UnicodeEncodeError
        If the encoding has no bytes for a character, for example for a lone surrogate.
    $Notes
    Cost: O(n). Source: RFC 1738 section 2.2, and HTML's form encoding for the plus.
    $Examples
    >>> quote_plus("a b/c+d")
    'a+b%2Fc%2Bd'
    """
    string = plain(string, FU_ASKS_TRUTH | FU_ASKS_CONTAINS, "encode")
    result = quote_string(string, safe, encoding, errors, True)
    return urllib_quote_plus(string, safe, encoding, errors) if result is None else result


def quote_from_bytes(bs, safe='/'):
    """Escape bytes, as ``urllib.parse.quote_from_bytes`` does.
    $Parameters
    bs : bytes or bytearray
        Bytes to escape.
    safe : str or bytes
        ASCII characters to keep, besides letters, digits and ``_.-~``.
    $Returns
    str
        Escaped ASCII text.
    $Raises
    TypeError
        If you pass a str, as in urllib.
    $Notes
    Cost: O(n). Source: RFC 1738 section 2.2.
    $Examples
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
    """Decode the escapes in a text, as ``urllib.parse.unquote`` does.
    $Parameters
    string : str or bytes
        Text to decode. A ``%`` that starts no escape stays. In a str, each run of ASCII characters is decoded
        separately.
    $decoding
    $Returns
    str
        Decoded text. It is the same object when it contains no ``%``.
    $undecodable
    $See Also
    unquote_safe : Keep control characters escaped, for example for a log.
    unquote_many : Decode many texts.
    $Notes
    Cost: O(n). Source: RFC 1738 section 2.2.
    $Examples
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
    """Decode a form value and read ``+`` as a space, as ``urllib.parse.unquote_plus`` does.
    $Parameters
    string : str
        Text to decode. A ``%`` that starts no escape stays.
    $decoding
    $Returns
    str
        Decoded text. It is the same object when it contains neither ``+`` nor ``%``.
    $undecodable
    $Notes
    Cost: O(n). Source: RFC 1738 section 2.2, and HTML's form encoding for the plus.
    $Examples
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
    """Decode the escapes in a text to bytes, as ``urllib.parse.unquote_to_bytes`` does.
    $Parameters
    string : str or bytes
        Text to decode. A str is encoded as UTF-8. A ``%`` that starts no escape stays.
    $Returns
    bytes
        Decoded bytes. When you pass bytes without ``%``, it is the same object.
    $Raises
    AttributeError
        If ``string`` has another type, as in urllib.
    UnicodeEncodeError
        If the text contains a lone surrogate.
    $Notes
    Cost: O(n). Source: RFC 1738 section 2.2.
    $Examples
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


cdef object iterator_of(object strings, str caller):
    if isinstance(strings, (str, bytes, bytearray)):
        raise TypeError(f"{caller}() takes an iterable of texts, not one text")
    return iter(strings)


cdef class _Many:
    """An iterator that applies a function to each element of another iterator. Subclasses implement the function."""
    cdef object source
    cdef ErrorPolicy on_error

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
    """Escape many texts in constant memory. Each result is what ``quote`` returns.
    $Parameters
    strings : iterable of str or bytes
        Texts to escape. The iterator reads a text when you ask for a result.
    safe : str or bytes
        ASCII characters to keep, besides letters, digits and ``_.-~``.
    errors : {"raise", "null", "keep"}
        What to do when an element cannot be escaped, for example a number. "raise" raises the exception, "null" returns
        ``None`` for the element, and "keep" returns the exception. You can continue after an error.
    $Returns
    Iterator[str]
        A result for each element, in order.
    $Raises
    TypeError
        If ``strings`` is a single text or no iterable, or if urllib refuses ``safe``.
    ValueError
        If ``errors`` has another value.
    $Notes
    Cost: O(n) per text.
    $Examples
    >>> list(quote_many(["a b", None, b"\\xff"], errors="null"))
    ['a%20b', None, '%FF']
    """
    cdef _QuoteMany many = _QuoteMany.__new__(_QuoteMany)
    many.on_error = policy_of(errors)
    many.table = table_for(safe, False)
    if many.table is None:
        # Not a str or bytes: let urllib refuse it now, not once per element.
        urllib_quote("%", safe)
    many.safe = safe
    many.source = iterator_of(strings, "quote_many")
    return many


def unquote_many(strings, *, errors='raise'):
    """Decode the escapes in many texts in constant memory. Each result is what ``unquote`` returns.
    $Parameters
    strings : iterable of str or bytes
        Texts to decode. The iterator reads a text when you ask for a result. Invalid UTF-8 becomes U+FFFD.
    errors : {"raise", "null", "keep"}
        What to do when an element has another type. "raise" raises the exception, "null" returns ``None`` for the
        element, and "keep" returns the exception. You can continue after an error.
    $Returns
    Iterator[str]
        A result for each element, in order.
    $Raises
    TypeError
        If ``strings`` is a single text or no iterable.
    ValueError
        If ``errors`` has another value.
    $Notes
    Cost: O(n) per text.
    $Examples
    >>> list(unquote_many(["a%20b", b"%C3%A9", 7], errors="null"))
    ['a b', '\xe9', None]
    """
    cdef _UnquoteMany many = _UnquoteMany.__new__(_UnquoteMany)
    many.on_error = policy_of(errors)
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
