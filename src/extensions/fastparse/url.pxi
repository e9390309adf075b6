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
    """A URL as written, with its parts and findings. Call ``parse`` to create it.

    The parts have the same names and values as in ``urllib.parse.urlsplit``'s result. They are str for a URL in str,
    and bytes for a URL in bytes.

    You can unpack and index a URL as the tuple (scheme, netloc, path, query, fragment). A URL equals such a tuple with
    the same parts, and another URL with the same text. It is hashable and immutable, and you can pickle it.

    Attributes
    ----------
    text : str or bytes
        The text that you passed to ``parse``.

    Notes
    -----
    A URL needs 104 bytes besides the text. Each part is built when you read it. Threads can share a URL.

    Examples
    --------
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
        """str or bytes: the scheme in lower case, empty if the URL has no scheme."""
        if not self.flags & _scan.FU_HAS_SCHEME:
            return self.empty()
        if self.scheme_index != _scan.FU_NO_SCHEME:
            return (scheme_names_bytes if PyBytes_CheckExact(self.text) else scheme_names)[self.scheme_index]
        return self.part(0, self.scheme_end).lower()

    @property
    def netloc(self):
        """str or bytes: the text between ``//`` and the path, empty if there is no ``//``."""
        return self.part(self.netloc_start, self.path_start)

    @property
    def path(self):
        """str or bytes: the path with the leading ``/``."""
        return self.part(self.path_start, self.path_end)

    @property
    def query(self):
        """str or bytes: the text between ``?`` and ``#``, empty if there is no ``?``."""
        if not self.flags & _scan.FU_HAS_QUERY:
            return self.empty()
        return self.part(self.path_end + 1, self.query_end)

    @property
    def fragment(self):
        """str or bytes: the text after the first ``#``, empty if there is no ``#``."""
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
        """str, bytes or None: the login's text before the first ``:``, if the URL has a login."""
        cdef fu_netloc offsets
        self.cut_netloc(&offsets)
        return None if offsets.user_start == _scan.FU_ABSENT else self.part(offsets.user_start, offsets.user_end)

    @property
    def password(self):
        """str, bytes or None: the login's text after the first ``:``, if there is a ``:``."""
        cdef fu_netloc offsets
        self.cut_netloc(&offsets)
        if offsets.password_start == _scan.FU_ABSENT:
            return None
        return self.part(offsets.password_start, offsets.password_end)

    @property
    def host(self):
        """str, bytes or None: the host as written, without brackets, unless it is absent or empty."""
        cdef fu_netloc offsets
        self.cut_netloc(&offsets)
        return None if offsets.host_start == offsets.host_end else self.part(offsets.host_start, offsets.host_end)

    @property
    def hostname(self):
        """str, bytes or None: the host in lower case, unless it is absent or empty.

        A zone after ``%`` keeps its case, as in urllib.
        """
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
        """int or None: the port, unless it is absent or empty.

        As in urllib, you get a ValueError when the port is not a number from 0 to 65535. The parse keeps such a port,
        and reports BAD_PORT if the scheme has a port.
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
        """Return where a part starts and ends in the text.
        $Parameters
        name : str
            Part: ``scheme``, ``netloc``, ``username``, ``password``, ``host`` (or ``hostname``), ``port``, ``path``,
            ``query`` or ``fragment``.
        $Returns
        tuple of int, or None
            Offsets (start, end), in characters for str and in bytes for bytes. The range is empty when the part is
            empty. ``None`` if the part is absent.
        $Raises
        KeyError
            If there is no part with this name.
        $Examples
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
        """Finding: all violations and hazards. ``problems()`` also returns their places."""
        return finding_set(self.finding_bits)

    @property
    def valid_rfc1738(self):
        """bool: True if the URL has no violation, so that RFC 1738 section 5 or the form allows the text."""
        return not self.finding_bits & _scan.FU_VIOLATIONS

    @property
    def valid_rfc3986(self):
        """bool: True if the text is a URI by RFC 3986, or a request target by RFC 9112 section 3.2.

        A relative reference is not a URI. To list the violations, call ``problems(standard="rfc3986")``.

        Notes
        -----
        Cost: each read splits the text again, and checks the bytes that RFC 1738 does not allow.

        Examples
        --------
        >>> [parse(text).valid_rfc3986 for text in ("http://h/~u?q[]=", "http://h/~u?a=b/c#top", "/~u")]
        [False, True, False]
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
        """int or None: the first violation's offset, if there is a violation, in characters for str and in bytes for bytes."""
        return None if self.first_violation == _scan.FU_ABSENT else self.first_violation

    @property
    def form(self):
        """str: how the text was split, "url" or "request-target"."""
        return "url" if self.form_ == _scan.FU_FORM_URL else "request-target"

    @property
    def strict(self):
        """bool: the ``strict`` that you passed to the parse."""
        return self.strict_ != LENIENT

    @property
    def standard(self):
        """str: the standard that a strict parse applied, "rfc1738" or "rfc3986"."""
        return "rfc3986" if self.strict_ == STRICT_3986 else "rfc1738"

    def geturl(self):
        """Return the text as written. urllib's ``geturl()`` instead rebuilds it, and drops an empty ``?`` or ``#``.
        $Returns
        str or bytes
            Text that you passed to ``parse``.
        """
        return self.text

    def decompose(self, *, bint strict=True):
        """Return the parts that the URL's scheme defines, for example an ftp URL's directories (RFC 1738 section 3).
        $Parameters
        strict : bool
            Raise InvalidURL if RFC 1738 does not allow the text. With False, you get a best effort whose ``findings``
            list the problems.
        $Returns
        fasturl.schemes.SchemeParts
            The scheme's dataclass, such as ``fasturl.schemes.Ftp``, or ``Generic``.
        $Raises
        InvalidURL
            If you pass ``strict`` and the text is invalid.
        $Examples
        >>> parse("ftp://h/a/b;type=i").decompose().cwd
        ('a',)
        """
        from fasturl.schemes import decompose
        return decompose(self, strict=strict)

    def redact(self, keys=None, mark=None, *, user=False):
        """Return the text with passwords, tokens and secret parameters hidden.
        $Parameters
        keys : str, bytes-like or iterable, optional
            Names of secret parameters. By default, ``fasturl.SECRET_KEYS``.
        mark : str, optional
            Text that replaces a secret, by default ``***``: 1 to 64 letters, digits and ``-._~*``.
        user : bool
            Also hide the user.
        $Returns
        str or bytes
            Text of the same type as the URL. It is the same object when nothing is hidden.
        $Raises
        TypeError
            If a key has another type.
        ValueError
            If ``mark`` has other characters.
        $Examples
        >>> parse("http://me:secret@h/?token=abc&n=1").redact()
        'http://me:***@h/?token=***&n=1'
        """
        from fasturl._urllib import redact
        return redact(self.text, keys, mark, user=user)

    def normalize(self, *, standard="rfc1738"):
        """Return the normal form, so that equivalent spellings become equal.
        $Parameters
        standard : {"rfc1738", "rfc3986"}
            Standard that defines it: RFC 1738 section 2.2, or RFC 3986 sections 6.2.2 and 6.2.3.
        $Returns
        str or bytes
            Text of the same type as the URL. It is the same object when nothing changes.
        $Raises
        ValueError
            If ``standard`` has another value.
        $Examples
        >>> parse("HTTP://H:80/%7euser").normalize()
        'http://h/%7Euser'
        """
        from fasturl._functions import normalize
        return normalize(self.text, standard=standard)

    def problems(self, *, standard="rfc1738"):
        """List every violation and hazard with its place, in order.
        $Parameters
        standard : {"rfc1738", "rfc3986"}
            Standard to judge by. With "rfc3986", you get only violations.
        $Returns
        list[Problem]
            Problems as (finding, start, end, message). Places count characters in a str, and bytes in bytes.
        $Raises
        ValueError
            If ``standard`` has another value.
        $Examples
        >>> [problem.start for problem in parse("http://h/a b#c").problems()]
        [10, 12]
        """
        return problems(self, standard=standard)

    def _asdict(self):
        """Return the five parts by name, like the ``_asdict`` of a namedtuple."""
        return dict(zip(FIELDS, self))

    def _replace(self, **parts):
        """Return a URL with some of the five tuple parts replaced, as a namedtuple does.
        $Parameters
        **parts : str or bytes
            New values for ``scheme``, ``netloc``, ``path``, ``query`` and ``fragment``, in the same type as the URL. An
            empty value removes the part.
        $Returns
        URL
            New URL with the same form and strictness.
        $Raises
        ValueError
            If the new text would split into other parts, for example when the path contains ``?``.
        TypeError
            If you name an unknown part, or if a value has another type.
        $Examples
        >>> str(parse("http://h/a?x#f")._replace(path="/b", fragment=""))
        'http://h/b?x'
        """
        from fasturl._edits import replace
        return replace(self, parts)

    def replace(self, **parts):
        """Return a URL with some parts replaced and every other byte as written.
        $Parameters
        **parts : str, bytes, int or None
            New values for ``scheme``, ``username``, ``password``, ``host``, ``port``, ``path``, ``query`` and
            ``fragment``, in the same type as the URL. The port is an int. ``None`` removes a part. You can pass escapes
            in path, query and fragment, and fasturl escapes what RFC 3986 does not allow there. Pass username and
            password decoded, because fasturl escapes everything but letters, digits and ``-._~``.
        $Returns
        URL
            New URL with the same form and strictness.
        $Raises
        UnsafeURL
            If some program would read another host than yours, or another part.
        InvalidURL
            If the URL is strict and the result is invalid.
        TypeError
            If you name an unknown part, or if a value has another type.
        ValueError
            If the port is above 65535.
        $Examples
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
