# Part of _functions.pyx: the functions that take one URL and return a list: names and values of its query, path prefixes.

from _scan cimport *

from fasturl._urllib import _bytes_tell, query_value


cdef object listing_of(object url, fu_list_kind kind, object form, size_t limit, int columns, bint decode, const char *caller):
    """Return a list of names (columns 1), of values or prefixes (2), or of pairs (3)."""
    cdef Bytes data
    cdef fu_listing listing
    cdef fu_spans spans
    cdef fu_pair item
    cdef list found = []
    _held = split_of(url, form_of(form), caller, &data, &spans)
    fu_start_listing(&listing, kind, limit, data.p, &spans)
    while fu_next_item(&listing, &item):
        name = value = None
        if columns & 1:
            name = part_of_pair(&data, item.start, item.name_end, decode, item.name_marks)
        if columns & 2:
            value = part_of_pair(&data, item.value, item.end, decode, item.value_marks)
        found.append(name if columns == 1 else value if columns == 2 else (name, value))
    return found


cdef object part_of_pair(const Bytes *data, size_t start, size_t end, bint decode, bint marks):
    if decode and marks:
        return decoded_part(data.p + start, end - start, True, data.as_text)
    return text_out(data.p + start, end - start, data.as_text)


def query_names(url, *, bint decode=True, form="url"):
    """Return the names in a URL's query, in order and with repetitions.

    ``&`` separates pairs. Empty pairs are skipped. A pair without ``=`` is a name.
    $Parameters
    $url
    $decode
    $form
    $Returns
    list of str or list of bytes
        Names in the same type as ``url``. The list is empty when the URL has no query.
    $linear
    $Examples
    >>> query_names("/a?x=1&caf%C3%A9=2&x=3&&y"), query_names("/a")
    (['x', 'caf\xe9', 'x', 'y'], [])
    """
    return listing_of(url, FU_LISTS_QUERY, form, 0, 1, decode, b"query_names()")


def query_pairs(url, *, bint decode=True, form="url"):
    """Return the names and values in a URL's query, in order and with repetitions.

    ``&`` separates pairs. Empty pairs are skipped. When a pair has no ``=``, the value is empty.
    $Parameters
    $url
    $decode
    $form
    $Returns
    list of tuple
        Pairs (name, value) in the same type as ``url``. The list is empty when the URL has no query.
    $raises
    $See Also
    parse_qsl : Do the same for a query alone, as urllib does.
    $Notes
    Cost: O(n).
    $Examples
    >>> query_pairs("/a?x=1&y=a+b&x=%33&z"), query_pairs(b"/a?x=%FF", decode=False)
    ([('x', '1'), ('y', 'a b'), ('x', '3'), ('z', '')], [(b'x', b'%FF')])
    """
    return listing_of(url, FU_LISTS_QUERY, form, 0, 3, decode, b"query_pairs()")


def query_values(url, names, *, form="url"):
    """Return each name's first value in a URL's query, in a single pass.
    $Parameters
    $url
    names : str, bytes-like or iterable
        Names to look for. fasturl compares them with the decoded names in the query, and case matters. Bytes need a URL
        in bytes.
    $form
    $Returns
    dict
        Each name, as you passed it, with the decoded value in the same type as ``url``. The value is ``None`` if no
        pair has this name.
    $Raises
    TypeError
        If ``url`` or a name has another type.
    ValueError
        If ``form`` has another value, or if a name contains ``*``.
    $See Also
    query_value : Return a single value.
    $Notes
    Cost: O(n). Each name in the query is compared with each item in ``names``.
    $Examples
    >>> query_values("/a?x=1&y=a+b&x=2&z", ["x", "y", "z", "other"])
    {'x': '1', 'y': 'a b', 'z': '', 'other': None}
    """
    cdef Bytes data
    cdef fu_listing listing
    cdef fu_spans spans
    cdef Names wanted
    cdef fu_pair *found = NULL
    cdef size_t i
    cdef list keys
    _held = split_of(url, form_of(form), b"query_values()", &data, &spans)
    keys = [names] if isinstance(names, (str, bytes)) else list(names)
    wanted = Names(keys, data.as_text, False)
    result = dict.fromkeys(keys)
    fu_start_listing(&listing, FU_LISTS_QUERY, 0, data.p, &spans)
    found = <fu_pair *>PyMem_Malloc((wanted.count + 1) * sizeof(fu_pair))
    try:
        if found == NULL:
            raise MemoryError
        for i in range(wanted.count):
            found[i].end = FU_ABSENT
        fu_find_values(data.p, listing.at, listing.end, wanted.names, wanted.count, found, sizeof(fu_pair))
        for i, item in enumerate(keys):
            if not _bytes_tell(wanted.held[i], data.as_text):
                result[item] = query_value(url, item)
            elif found[i].end != FU_ABSENT:
                result[item] = part_of_pair(&data, found[i].value, found[i].end, True, found[i].value_marks)
        return result
    finally:
        PyMem_Free(found)


def path_prefixes(url, *, size_t limit=32, form="url"):
    """Return the paths above a URL's path and the path itself, shortest first.

    There is a prefix for each ``/`` except the first. Adjacent ``/`` count as a single delimiter. You can use the
    prefixes to count the pages below each directory, for example.
    $Parameters
    $url
    $limit
    $form
    $Returns
    list of str or list of bytes
        Prefixes in the same type as ``url``. The list is empty when the path is empty or ``/``.
    $raises
    $Notes
    Cost: O(n * limit).
    $Examples
    >>> path_prefixes("http://h/a/b/c.html?x=1"), path_prefixes("http://h/")
    (['/a/', '/a/b/', '/a/b/c.html'], [])
    """
    return listing_of(url, FU_LISTS_PATH_PREFIXES, form, limit, 2, False, b"path_prefixes()")


def url_prefixes(url, *, size_t limit=32, form="url"):
    """Return the URLs above a URL and the URL itself, shortest first, without query and fragment.

    There is a prefix for each ``/`` in the path. Adjacent ``/`` count as a single delimiter.
    $Parameters
    $url
    $limit
    $form
    $Returns
    list of str or list of bytes
        Prefixes in the same type as ``url``. When the URL has no path, the list contains only the URL.
    $raises
    $Notes
    Cost: O(n * limit).
    $Examples
    >>> url_prefixes("http://h/a/b?x=1"), url_prefixes("http://h?x=1")
    (['http://h/', 'http://h/a/', 'http://h/a/b'], ['http://h'])
    """
    return listing_of(url, FU_LISTS_URL_PREFIXES, form, limit, 2, False, b"url_prefixes()")
