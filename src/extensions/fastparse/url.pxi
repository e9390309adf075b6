# Part of _fastparse.pyx: the URL object, a text with the spans of its parts.

cimport cython
from cpython.object cimport PyObject_Hash
from libc.stdint cimport int32_t

from _pybytes cimport fu_lower_substring, fu_substring
from _scan cimport fu_netloc

from types import GenericAlias

cdef tuple FIELDS = ("scheme", "netloc", "path", "query", "fragment")


@cython.final
@cython.no_gc
@cython.freelist(512)
cdef class URL:
    """A URL as written, with the spans of its parts and its findings. Created by :func:`parse`.

    The parts have the names and values of ``urllib.parse.urlsplit``'s result, str for str and bytes for bytes. A part
    is built when read; the text is stored unchanged. A URL unpacks and indexes as the 5-tuple (scheme, netloc, path,
    query, fragment). It equals such a tuple by value and another URL by its text. It is hashable, can be pickled, is
    immutable, and is safe to share between threads. It takes 104 bytes besides its text.

    >>> url = parse("http://user@example.com:8080/a/b?x=1#top")
    >>> url.scheme, url.hostname, url.port, url.path, url.query
    ('http', 'example.com', 8080, '/a/b', 'x=1')
    >>> url.span("query"), url.text[slice(*url.span("query"))]
    ((33, 36), 'x=1')
    >>> url.valid_rfc1738, url.error_offset, url.findings
    (False, 7, <Finding.FRAGMENT|LOGIN|NONDEFAULT_PORT: 132128>)
    """

    cdef readonly object text
    cdef size_t scheme_end, netloc_start, path_start, path_end, query_end, first_violation
    cdef uint32_t flags, finding_bits, scheme_index
    cdef fu_form form_
    cdef Strictness strict_

    _fields = FIELDS
    __match_args__ = FIELDS
    __class_getitem__ = classmethod(GenericAlias)

    cdef object part(self, size_t start, size_t end):
        return fu_substring(self.text, start, end)

    cdef object empty(self):
        return b"" if PyBytes_CheckExact(self.text) else ""

    cdef size_t length(self):
        return <size_t>len(self.text)

    cdef void fill(self, fu_spans *out) noexcept:
        """Set the spans of the text, except their masks."""
        out.scheme_end, out.netloc_start, out.path_start = self.scheme_end, self.netloc_start, self.path_start
        out.path_end, out.query_end, out.length = self.path_end, self.query_end, self.length()
        out.flags, out.scheme = self.flags, self.scheme_index

    @property
    def scheme(self):
        """The scheme in lower case, "" without one."""
        if not self.flags & _scan.FU_HAS_SCHEME:
            return self.empty()
        if self.scheme_index != _scan.FU_NO_SCHEME:
            return (scheme_names_bytes if PyBytes_CheckExact(self.text) else scheme_names)[self.scheme_index]
        return self.part(0, self.scheme_end).lower()

    @property
    def netloc(self):
        """The text between "//" and the path, "" without one."""
        return self.part(self.netloc_start, self.path_start)

    @property
    def path(self):
        """The path, including its leading "/"."""
        return self.part(self.path_start, self.path_end)

    @property
    def query(self):
        """The text between "?" and "#", "" without one."""
        if not self.flags & _scan.FU_HAS_QUERY:
            return self.empty()
        return self.part(self.path_end + 1, self.query_end)

    @property
    def fragment(self):
        """The text after the first "#", "" without one."""
        if not self.flags & _scan.FU_HAS_FRAGMENT:
            return self.empty()
        return self.part(self.query_end + 1, self.length())

    cdef int cut_netloc(self, fu_netloc *out) except -1:
        cdef fu_bytes data
        fu_bytes_of(self.text, &data)
        _scan.fu_split_netloc(data.p, self.netloc_start, self.path_start, out)
        fu_free_bytes(&data)
        return 0

    @property
    def username(self):
        """The text before the first ":" of the login, None without a login."""
        cdef fu_netloc offsets
        self.cut_netloc(&offsets)
        return None if offsets.user_start == _scan.FU_ABSENT else self.part(offsets.user_start, offsets.user_end)

    @property
    def password(self):
        """The text after the first ":" of the login, None without one."""
        cdef fu_netloc offsets
        self.cut_netloc(&offsets)
        if offsets.password_start == _scan.FU_ABSENT:
            return None
        return self.part(offsets.password_start, offsets.password_end)

    @property
    def host(self):
        """The host as written, without brackets; None if it is absent or empty."""
        cdef fu_netloc offsets
        self.cut_netloc(&offsets)
        return None if offsets.host_start == offsets.host_end else self.part(offsets.host_start, offsets.host_end)

    @property
    def hostname(self):
        """The host in lower case, up to the "%" of a zone as in urllib; None if it is absent or empty."""
        if self.flags & _scan.FU_NETLOC_IS_HOSTNAME:
            return fu_lower_substring(self.text, self.netloc_start, self.path_start)
        host = self.host
        if host is None:
            return None
        percent = b"%" if PyBytes_CheckExact(host) else "%"
        if percent not in host:
            return host.lower()
        host, percent, zone = host.partition(percent)
        return host.lower() + percent + zone

    @property
    def port(self):
        """The port as an int, None if it is absent or empty.

        ValueError, as in urllib, if it is not a number from 0 to 65535. The parse keeps such a port, and reports BAD_PORT
        if the scheme's production has a port.
        """
        cdef fu_netloc offsets
        cdef fu_bytes data
        cdef int32_t number = -1
        cdef bint digits = True
        if self.flags & _scan.FU_NETLOC_IS_HOSTNAME:
            return None
        fu_bytes_of(self.text, &data)
        _scan.fu_split_netloc(data.p, self.netloc_start, self.path_start, &offsets)
        if offsets.port_start != offsets.port_end:
            number = _scan.fu_port_number(data.p, offsets.port_start, offsets.port_end)
            if number < 0:
                digits = _scan.fu_skip(data.p, offsets.port_start, offsets.port_end, _scan.TERM_DIGIT) == offsets.port_end
        fu_free_bytes(&data)
        if offsets.port_start == offsets.port_end:
            return None
        if number < 0:
            raise ValueError("Port out of range 0-65535" if digits else "Port is not a decimal number")
        return number

    def span(self, str name not None):
        """Return the (start, end) of a part in the text, in bytes of bytes or characters of str.

        name : scheme netloc username password host (or hostname) port path query fragment
        Returns None for an absent part and an empty range for an empty part. KeyError for another name.

        >>> parse("http://h?#").span("query"), parse("http://h").span("query")
        ((9, 9), None)
        """
        cdef fu_netloc offsets
        cdef size_t start, end
        if name == "path":
            return self.path_start, self.path_end
        if name == "scheme":
            return (0, self.scheme_end) if self.flags & _scan.FU_HAS_SCHEME else None
        if name == "query":
            return (self.path_end + 1, self.query_end) if self.flags & _scan.FU_HAS_QUERY else None
        if name == "fragment":
            return (self.query_end + 1, self.length()) if self.flags & _scan.FU_HAS_FRAGMENT else None
        if name == "netloc":
            return (self.netloc_start, self.path_start) if self.flags & _scan.FU_HAS_NETLOC else None
        self.cut_netloc(&offsets)
        if name == "username":
            start, end = offsets.user_start, offsets.user_end
        elif name == "password":
            start, end = offsets.password_start, offsets.password_end
        elif name == "port":
            start, end = offsets.port_start, offsets.port_end
        elif name == "host" or name == "hostname":
            start, end = offsets.host_start, offsets.host_end
            if not self.flags & _scan.FU_HAS_NETLOC:
                return None
        else:
            from fasturl._quoted import without_secrets
            raise KeyError(without_secrets(name))
        return None if start == _scan.FU_ABSENT else (start, end)

    @property
    def findings(self):
        """Finding: all violations and hazards."""
        return finding_set(self.finding_bits)

    @property
    def valid_rfc1738(self):
        """bool: True without a violation: RFC 1738 section 5 derives the text, or its form allows it."""
        return not self.finding_bits & _scan.FU_VIOLATIONS

    @property
    def valid_rfc3986(self):
        """bool: True if RFC 3986 derives the text: ``URI``, or a request target by RFC 9112 section 3.2.

        A relative reference is not a URI. ``valid_rfc1738`` and ``findings`` are by RFC 1738. ``problems(url, standard="rfc3986")``
        lists the violations. Cost: the read splits the text again, and reads the bytes outside xchar.

        >>> parse("http://h/~u?q[]=").valid_rfc3986, parse("http://h/~u?a=b/c#top").valid_rfc3986, parse("/~u").valid_rfc3986
        (False, True, False)
        >>> parse("/~u", form="request-target").valid_rfc3986
        True
        """
        cdef fu_bytes data
        cdef fu_spans spans
        cdef fu_diagnostics found
        fu_bytes_of(self.text, &data)
        own.kernel.split(own.schemes, data.p, data.n, self.form_, False, &spans)
        _scan.fu_start_diagnostics(&found)
        if not _scan.fu_is_plainly_3986(data.p, &spans, self.form_, False):
            found.only_whether = True
            own.kernel.validate_3986(data.p, &spans, self.form_, &found)
        fu_free_bytes(&data)
        return not found.findings

    @property
    def error_offset(self):
        """int | None: the offset of the first violation, in bytes of bytes or characters of str."""
        return None if self.first_violation == _scan.FU_ABSENT else self.first_violation

    @property
    def form(self):
        """str: how the text was read, "url" or "request-target"."""
        return "url" if self.form_ == _scan.FU_FORM_URL else "request-target"

    @property
    def strict(self):
        """bool: the ``strict`` of the parse."""
        return self.strict_ != LENIENT

    @property
    def standard(self):
        """str: the standard by which a strict parse judged the text, "rfc1738" or "rfc3986"."""
        return "rfc3986" if self.strict_ == STRICT_3986 else "rfc1738"

    def geturl(self):
        """Return the text as written, str or bytes. (urllib's geturl() rebuilds it and drops an empty "?" or "#".)"""
        return self.text

    def decompose(self, *, bint strict=True):
        """Return the URL's parts as its scheme defines them: :func:`fasturl.schemes.decompose`."""
        from fasturl.schemes import decompose
        return decompose(self, strict=strict)

    def redact(self, keys=None, mark=None, *, user=False):
        """Return the text with a mark for its passwords, tokens and secret parameters: :func:`fasturl.redact`."""
        from fasturl._urllib import redact
        return redact(self.text, keys, mark, user=user)

    def normalize(self, *, standard="rfc1738"):
        """Return the normal form by section 2.2: :func:`fasturl.normalize`."""
        from fasturl._functions import normalize
        return normalize(self.text, standard=standard)

    def problems(self, *, standard="rfc1738"):
        """List every violation and hazard with its place: :func:`fasturl.problems`."""
        return problems(self, standard=standard)

    def _asdict(self):
        """Return the five parts by name, like the ``_asdict`` of a namedtuple."""
        return dict(zip(FIELDS, self))

    def _replace(self, **parts):
        """Return a URL with some of the five parts replaced and the others as written.

        parts : scheme netloc path query fragment, each of the text's type; "" removes a part.
        ValueError if the new text would not split into the given parts, as with a path that contains "?". TypeError for
        an unknown name or another type. Strictness and form stay the same.

        >>> str(parse("http://h/a?x#f")._replace(path="/b", fragment=""))
        'http://h/b?x'
        """
        from fasturl._edits import replace
        return replace(self, parts)

    def replace(self, **parts):
        """Return a URL with some parts replaced and every other byte as written.

        parts : scheme, username, password, host, port, path, query and fragment, each of the text's type; port an int.
            None removes a part. In path, query and fragment, escapes stay, and what RFC 3986 does not allow there is
            escaped. username and password are decoded, so all but letters, digits and ``-._~`` is escaped.
        Raises: UnsafeURL if a program would read another host than the given one, or another part; InvalidURL for an
        invalid result of a strict URL; TypeError for an unknown part or another type; ValueError for a port above 65535.

        >>> parse("http://h:80/a?x=%7e#f").replace(host="::1", path="/b c", fragment=None).text
        'http://[::1]:80/b%20c?x=%7e'
        >>> parse("redis://:old@h/0").replace(password="n/w").text
        'redis://:n%2Fw@h/0'
        """
        from fasturl._edits import replace_parts
        return replace_parts(self, parts)

    def __iter__(self):
        return iter((self.scheme, self.netloc, self.path, self.query, self.fragment))

    def __len__(self):
        return 5

    def __getitem__(self, index):
        return tuple(self)[index]

    def __contains__(self, part):
        return part in tuple(self)

    def __hash__(self):
        return PyObject_Hash(tuple(self))

    def __eq__(self, other):
        if isinstance(other, URL):
            return (
                type(self.text) is type((<URL>other).text)
                and self.form_ == (<URL>other).form_
                and self.text == (<URL>other).text
            )
        if isinstance(other, tuple):
            return tuple(self) == other
        return NotImplemented

    def __str__(self):
        if PyBytes_CheckExact(self.text):
            return self.text.decode("utf-8", "surrogateescape")
        return self.text

    def __bytes__(self):
        if PyBytes_CheckExact(self.text):
            return self.text
        return self.text.encode("utf-8", "surrogateescape")

    def __repr__(self):
        return f"<URL {self.redact()!r}>"

    def __reduce__(self):
        return _restore, (self.text, self.form, self.strict, self.standard)


# make() does not use this slot. A call of URL() would return a URL without a text, whose spans are invalid.
refuse_new(URL)
