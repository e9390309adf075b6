"""Paragraphs that several docstrings share. A line ``$name`` in a docstring stands for one of them.

complete_docs() fills them in when a module is imported, so that each ``__doc__`` is complete.
"""

from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF

cdef extern from "Python.h":
    ctypedef struct PyMethodDef:
        const char *ml_doc
    ctypedef struct PyCFunctionObject:
        PyMethodDef *m_ml
    ctypedef struct PyMethodDescrObject:
        PyMethodDef *d_method
    bint PyCFunction_Check(object value)


cdef inline dict shared_paragraphs():
    cdef dict shared = {
        b"url": b"""\
url : str, bytes-like or URL
    URL to read. It may have any content, valid or not.""",
        b"form": b"""\
form : {"url", "request-target"}
    How to split the URL. Use "request-target" when it comes from an access log, for example ``/a?b`` or ``h:443``.""",
        b"form_or_host": b"""\
form : {"url", "request-target", "host"}
    How to split the URL. Use "host" when you pass a host alone, for example ``www.example.com``. Use "request-target"
    when the URL comes from an access log.""",
        b"raises": b"""\
Raises
------
TypeError
    If ``url`` has another type.
ValueError
    If ``form`` has another value.""",
        b"names": b"""\
names : str, bytes-like or iterable
    Names to look for, such as ``"id"`` or ``["id", "utm_*"]``. A ``*`` matches any characters. fasturl compares them
    with the decoded names in the query, and case matters. Bytes need a URL in bytes.""",
        b"private_suffixes": b"""\
private_suffixes : bool
    Also use the list's private section, which has suffixes such as ``github.io``.""",
        b"rules": b"""\
rules : Suffixes, optional
    Rules that you compiled with ``fasturl.domains.read``. By default, fasturl uses the package ``publicsuffixlist``.""",
        b"no_rules": b"""\
ModuleNotFoundError
    If you pass no rules and ``publicsuffixlist`` is missing. ``pip install 'fasturl[domains]'`` installs it.""",
        b"no_domain": b"""\
    ``None`` if the URL has no host, if the host is an IP address or has an empty label, or if programs read the host
    differently (``Finding.AMBIGUOUS_AUTHORITY``). One trailing dot is allowed.""",
        b"blocking": b"""\
An entry blocks the URL when it equals the host, when the host is below it, or when it is a network with that address.
Browsers and libraries read some texts differently. fasturl searches every host that any program may see, so that no
spelling avoids the list. If programs map a character in the host differently, fasturl also searches its NFKC form.""",
        b"exact": b"""\
exact : bool
    Match only the entries themselves. By default, a host below an entry matches too.""",
        b"hosts": b"""\
hosts : HostList, str, bytes-like or iterable
    Host list. Pass a ``HostList`` to reuse its index. Any other source is indexed again on each call.""",
        b"no_list": b"""\
Raises
------
TypeError
    If ``url`` or ``hosts`` has another type.
ValueError
    If ``form`` has another value, or if ``hosts`` contains a word that is no host, such as a URL.""",
        b"fetch": b"""\
Parameters
----------
url : str, bytes-like or URL
    URL to check. It may have any content, valid or not.
schemes : str or iterable of str
    Schemes that you fetch.
ports : iterable of int, optional
    Ports that you fetch. A URL without a port has the scheme's default port. By default, every port is allowed.
addresses : str or iterable of str
    Address scopes that you fetch, as ``address_scope`` returns them. Use "any" for all. A host name passes unless it is
    local, for example ``printer``, ``db.internal`` or a name below ``localhost``.
hosts : HostList, str, bytes-like or iterable, optional
    Hosts that you fetch. When you list a local name, it passes. ``addresses`` still decides about IP addresses.
not_hosts : HostList, str, bytes-like or iterable, optional
    Hosts that you never fetch.""",
        b"no_fetch": b"""\
Raises
------
TypeError
    If an argument has another type.
ValueError
    If a scope is unknown, if a port is above 65535, or if a list contains a word that is no host.""",
        b"key": b"""\
Parameters
----------
url : str, bytes-like or URL
    URL to read. It may have any content, valid or not.
normalize : bool
    Apply the normal form from RFC 1738 section 2.2, as ``fasturl.normalize`` does. Also write the ``/`` that an http
    URL may omit (section 3.3).
sort : bool
    Sort the query pairs by their bytes, and drop empty pairs.
fragment : bool
    Keep the fragment.
drop : str, bytes-like or iterable, optional
    Query names to drop. A ``*`` matches any characters. By default, fasturl drops the names that trackers add, such as
    ``utm_*``, ``gclid`` and ``fbclid``. Pass ``()`` to keep every name.""",
        b"decode": b"""\
decode : bool
    Decode escapes, and ``+`` as a space, as ``urllib.parse.parse_qsl`` does.""",
        b"limit": b"""\
limit : int
    Maximum number of prefixes. The longest are left out.""",
        b"decoding": b"""\
encoding : str
    Encoding by which the escaped bytes become characters.
errors : str
    Error handler, as ``bytes.decode`` takes it. By default, each invalid sequence becomes U+FFFD.""",
        b"undecodable": b"""\
Raises
------
TypeError
    If ``string`` has another type.
LookupError
    If ``encoding`` is unknown.
UnicodeDecodeError
    If you pass "strict" as ``errors``, and the encoding does not allow the bytes.""",
        b"pairs": b"""\
Parameters
----------
qs : str, bytes or URL
    Query without the ``?``. If you pass a URL, its query is read.
keep_blank_values : bool
    Keep pairs with an empty value or without ``=``.
strict_parsing : bool
    Raise ValueError when a pair has no ``=``.
encoding : str
    Encoding by which the escaped bytes become characters.
errors : str
    Error handler, as ``bytes.decode`` takes it. By default, each invalid sequence becomes U+FFFD.
max_num_fields : int, optional
    Maximum number of pairs. By default, there is no limit.
separator : str or bytes
    Delimiter between pairs.""",
        b"no_pairs": b"""\
Raises
------
TypeError
    If an argument has another type, as in urllib.
ValueError
    If the query has more pairs than ``max_num_fields``, or a pair without ``=`` under ``strict_parsing``.
    Also if ``separator`` is empty.""",
    }
    shared[b"parameters"] = b"Parameters\n----------\n" + shared[b"url"] + b"\n" + shared[b"form"]
    shared[b"linear"] = shared[b"raises"] + b"\n\nNotes\n-----\nCost: O(n) in the URL's length."
    return shared


cdef inline int complete_docs(object names) except -1:
    """Fill in the shared paragraphs in the docstrings of a module's functions or of a class's methods.

    The interpreter reads a docstring for as long as the process lives, so nothing releases the new text.
    """
    cdef PyMethodDef *method
    cdef dict shared = None
    cdef list lines
    for value in names.values():
        if PyCFunction_Check(value):
            method = (<PyCFunctionObject *>value).m_ml
        elif type(value) is type(str.join):
            method = (<PyMethodDescrObject *>value).d_method
        else:
            continue
        if method.ml_doc == NULL or b"\n$" not in <bytes>method.ml_doc:
            continue
        shared = shared_paragraphs() if shared is None else shared
        lines = []
        for line in (<bytes>method.ml_doc).split(b"\n"):
            lines.append(shared[line[1:]] if line[:1] == b"$" else line)
        text = b"\n".join(lines)
        Py_INCREF(text)
        method.ml_doc = <const char *><bytes>text
    return 0
