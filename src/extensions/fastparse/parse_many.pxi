# Part of _fastparse.pyx: a stream of URLs.

cimport cython
from cpython.list cimport PyList_GET_ITEM, PyList_GET_SIZE


@cython.final
cdef class _ParseMany:
    """The iterator of parse_many(). It reads one item per call, in constant memory."""

    cdef object items       # a list, read by index; None without the GIL, or if the source is not a list
    cdef object source      # the iterator of any other source
    cdef Py_ssize_t index
    cdef fu_form form
    cdef Strictness strict
    cdef ErrorPolicy policy

    def __iter__(self):
        return self

    def __length_hint__(self):
        if self.items is not None:
            return max(0, len(self.items) - self.index)
        hint = getattr(self.source, "__length_hint__", None)
        return hint() if hint is not None else NotImplemented

    def __next__(self):
        cdef object text
        if self.items is not None:
            if self.index >= PyList_GET_SIZE(self.items):
                self.items = []     # like a list iterator, this iterator stays exhausted
                raise StopIteration
            text = <object>PyList_GET_ITEM(self.items, self.index)
            self.index += 1
        else:
            text = next(self.source)
        if self.policy == RAISE:
            if not (PyUnicode_CheckExact(text) or PyBytes_CheckExact(text)):
                text = fu_exact_text(text, URL, b"parse_many() items:")
            return make(text, self.form, self.strict)
        result = None
        try:
            result = make(fu_exact_text(text, URL, b"parse_many() items:"), self.form, self.strict)
        except (InvalidURL, TypeError) as error:
            result = kept_error(error, (InvalidURL, TypeError), self.policy == KEEP)
        return result


def parse_many(urls, *, strict=False, standard="rfc1738", form="url", errors="raise"):
    """Parse a stream of URLs in constant memory.
    $Parameters
    urls : iterable of str, bytes-like or URL
        URLs to read, with any content.
    strict : bool
        Treat a text that the standard does not allow as an error.
    standard : {"rfc1738", "rfc3986"}
        Standard that ``strict`` applies: RFC 1738 section 5, or RFC 3986.
    $form
    errors : {"raise", "null", "keep"}
        What to do when an item has a wrong type, or is invalid under ``strict``. "raise" raises the exception, "null"
        returns ``None`` for the item, and "keep" returns the exception. You can continue after an error.
    $Returns
    Iterator[URL]
        A result for each item, in order.
    $Raises
    TypeError
        If ``urls`` is a single text, or no iterable.
    ValueError
        If ``form``, ``standard`` or ``errors`` has another value.
    $Notes
    Cost: O(n) per URL. Use each iterator in a single thread.
    $Examples
    >>> [url.path for url in parse_many(["http://h/a", b"/b"])]
    ['/a', b'/b']
    >>> list(parse_many(["http://h/a", None, "nonsense"], strict=True, errors="null"))[1:]
    [None, None]
    """
    cdef _ParseMany many = _ParseMany.__new__(_ParseMany)
    many.policy = policy_of(errors)
    many.form = form_of(form)
    many.strict = strictness_of(strict, standard)
    many.index = 0
    if isinstance(urls, (str, bytes)):
        raise TypeError("parse_many() takes an iterable of URLs, not one URL")
    if FU_HAS_GIL and PyList_CheckExact(urls):
        many.items = urls
    else:
        many.source = iter(urls)
    return many
