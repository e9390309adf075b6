"""Cases from the sentences of RFC 1738, in the order of its sections. Each table quotes or names its sentence.

The cases were written from the RFC's text and docs/deviations.md, not from the code.
"""

import pytest

from fasturl import InvalidURL, UnsafeURL, equivalent, find_urls, parse
from fasturl.schemes import decompose

VALID = {
    "2 url = scheme ':' scheme-specific-part": [
        "x-any:whatever",
        "x-any:",
        "x-a+b.c-1:anything/at;all?:@&=",
        "x-any:%00%FF",
    ],
    "2.1 names are letters, digits, plus, period and hyphen": [
        "a:b",
        "a1:b",
        "a+b:c",
        "a.b:c",
        "a-b:c",
        "z39.50r:b",
        "3com:x",
        "+a:x",
        ".a:x",
        "-a:x",
    ],
    "2.1 upper-case letters are equivalent to lower case in scheme names": [
        "HTTP://host.dom/",
        "hTtP://host.dom/",
        "MAILTO:a@b.dom",
        "News:comp.lang.c",
        "FTP://host.dom/a",
    ],
    "2.2 only alphanumerics and $-_.+!*'(), may be used unencoded": [
        "http://host.dom/azAZ09",
        "http://host.dom/$-_.+!*'(),",
        "ftp://host.dom/$-_.+!*'(),",
        "gopher://host.dom/1$-_.+!*'(),",
        "mailto:$-_.+!*'(),@host.dom",
        "wais://host.dom/$-_.+!*'(),",
        "prospero://host.dom/$-_.+!*'(),",
        "file://host.dom/$-_.+!*'(),",
        "telnet://$-_.+!*'(),@host.dom/",
        "x-any://$-_.+!*'(),@host.dom/",
    ],
    "2.2 octets are encoded by % and two hexadecimal digits, in either case": [
        "http://host.dom/%20",
        "http://host.dom/%7e",
        "http://host.dom/%7E",
        "http://host.dom/%aB",
        "http://host.dom/?%3f",
        "ftp://%41:%42@host.dom/%43",
        "mailto:%22a%20b%22@host.dom",
        "gopher://host.dom/%31",
        "news:%61@host.dom",
        "wais://host.dom/%20?%20",
        "prospero://host.dom/%20;%20=%20",
        "file:///%20",
        "telnet://%20:%20@host.dom",
    ],
    "3.1 some or all of user:password@, :password, :port and /url-path may be excluded": [
        "ftp://host.dom",
        "ftp://user@host.dom",
        "ftp://user:password@host.dom",
        "ftp://user:password@host.dom:21",
        "ftp://user:password@host.dom:21/url-path",
        "ftp://host.dom:21/url-path",
        "ftp://@host.dom/",
        "ftp://foo:@host.dom/",
        "ftp://:@host.dom/",
        "x-any://user:password@host.dom:1/url-path",
    ],
    "3.1 a host name is labels of alphanumerics and inner hyphens; the rightmost starts with a letter": [
        "http://a/",
        "http://a1/",
        "http://a-b/",
        "http://1a.b/",
        "http://1.b/",
        "http://a.b-c/",
        "http://a.b1/",
        "http://3com.com/",
        "http://a--b.c/",
    ],
    "3.1 an IP address is four groups of digits separated by periods": [
        "http://1.2.3.4/",
        "http://255.255.255.255/",
        "http://127.0.0.1:80/",
        "ftp://1.2.3.4",
    ],
    "3.1 user and password encode ':', '@' and '/'": [
        "ftp://a%3Ab:c%40d@host.dom/",
        "ftp://a%2Fb@host.dom/",
        "telnet://a%3Ab:c%2Fd@host.dom/",
        "ftp://a;b?c&d=e:f;g?h&i=j@host.dom/",
    ],
    "3.2.2 cwd1/cwd2/.../cwdN/name;type=typecode, all of which may be empty": [
        "ftp://host.dom/",
        "ftp://host.dom//",
        "ftp://host.dom/a/",
        "ftp://host.dom//a",
        "ftp://host.dom/;type=a",
        "ftp://host.dom/a/b/c;type=d",
        "ftp://host.dom/a;type=i",
        "ftp://host.dom/a;type=A",
        "ftp://myname@host.dom/%2Fetc/motd",
        "ftp://myname@host.dom/etc/motd",
        "ftp://myname@host.dom//etc/motd",
        "ftp://host.dom/a?b:c@d&e=f",
    ],
    "3.3 http://host:port/path?searchpart": [
        "http://host.dom",
        "http://host.dom:8080",
        "http://host.dom/",
        "http://host.dom/?",
        "http://host.dom/path?search",
        "http://host.dom/a;b:c@d&e=f",
        "http://host.dom/?a;b:c@d&e=f",
        "http://host.dom//",
        "http://host.dom/a//b",
    ],
    "3.4.1 gopher://host:port/gopher-path": [
        "gopher://host.dom",
        "gopher://host.dom/",
        "gopher://host.dom/1",
        "gopher://host.dom/1selector",
        "gopher://host.dom/1selector%09search",
        "gopher://host.dom/1selector%09search%09+view",
        "gopher://host.dom/00/a/b",
        "gopher://host.dom/7foo%09bar%20baz",
        "gopher://host.dom/11/;?:@&=",
        "gopher://host.dom:7070/1",
    ],
    "3.4.5 to 3.4.9 Gopher+ strings": [
        "gopher://host.dom/0a%09%09+",
        "gopher://host.dom/0a%09%09%3F",
        "gopher://host.dom/0a%09%09!",
        "gopher://host.dom/0a%09%09!+ABSTRACT%20+VIEWS",
        "gopher://host.dom/0a%09%09$",
        "gopher://host.dom/0a%09%09+application/postscript%20Es_ES",
        "gopher://host.dom/0a%09%09+%091%0D%0A+-1%0D%0Ax%0D%0A.%0D%0A",
    ],
    "3.5 mailto:<rfc822-addr-spec>, with the percent sign encoded": [
        "mailto:user@host.dom",
        "mailto:gorby%25kremvax@host.dom",
        "mailto:a.b@c.d.e",
        "mailto:%22a%22@host.dom",
    ],
    "3.6 news:<newsgroup-name>, news:<message-id>, news:*": [
        "news:comp.infosystems.www.misc",
        "news:*",
        "news:unique@full.domain.name",
        "news:alt.a-b_c+d",
        "news:a;b/c?d:e&f=g@host.dom",
        "news:%3C@host.dom",
    ],
    "3.7 nntp://<host>:<port>/<newsgroup-name>/<article-number>": [
        "nntp://host.dom/comp.lang.c/1234",
        "nntp://host.dom:119/comp.lang.c/1",
        "nntp://host.dom/a/0",
    ],
    "3.8 telnet://<user>:<password>@<host>:<port>/": [
        "telnet://user:password@host.dom:23/",
        "telnet://host.dom",
        "telnet://host.dom/",
        "telnet://user@host.dom",
    ],
    "3.9 wais databases, searches and documents": [
        "wais://host.dom/database",
        "wais://host.dom:210/database",
        "wais://host.dom/database?search",
        "wais://host.dom/database/wtype/wpath",
        "wais://host.dom/database/TEXT/%2Fa%3D1",
        "wais://host.dom/d?a;b:c@d&e=f",
    ],
    "3.10 file://<host>/<path>": [
        "file://host.dom/a/b",
        "file:///a/b",
        "file://localhost/a/b",
        "file://LOCALHOST/a",
        "file://vms.host.edu/disk$user/my/notes/note12345.txt",
        "file://host.dom/",
        "file:///",
        "file:///a?b:c@d&e=f",
    ],
    "3.11 prospero://<host>:<port>/<hsoname>;<field>=<value>": [
        "prospero://host.dom/hsoname",
        "prospero://host.dom:1525//pros/name",
        "prospero://host.dom/name;a=b",
        "prospero://host.dom/name;a=b;c=d",
        "prospero://host.dom/",
    ],
    "4 experimental schemes start with x-": ["x-private:a", "x-://host.dom/", "x-y:?"],
    "5 genericurl": ["x-any://host.dom?a/b", "x-any://u;?&=:p;?&=@host.dom/", "x-any:/a", "x-any://"],
    "2.1 the scheme ends at the first colon": [
        "a:b:c",
        "x-any::",
        "mailto:a@b.dom:",
        "x-any:http://host.dom/",
    ],
    "2.2 schemes other than Internet schemes may use the reserved characters as they are": [
        "x-any:;/?:@&=",
        "x-any:=",
        "x-any:/a//b/",
    ],
    "2.2 an octet may be encoded even if it need not be": [
        "http://host.dom/%41?%42",
        "ftp://host.dom/%41/%2E;type=a",
        "prospero://host.dom/%61;%62=%63",
        "gopher://host.dom/%31%2F",
        "file://host.dom/%61/%62",
    ],
    "3.1 a fully qualified domain name, digits inside of labels": [
        "http://a.b.c.d.e.f.g/",
        "http://0.0.a/",
        "http://9a9.x9/",
        "http://a-1-b.c2d/",
    ],
    "3.1 a port number in decimal": [
        "http://host.dom:0/",
        "http://host.dom:65535/",
        "wais://host.dom:1/d",
        "telnet://u:p@1.2.3.4:65535/",
    ],
    "3.2.2 a name with a typecode, in any directory": [
        "ftp://host.dom//;type=d",
        "ftp://u:p@host.dom:2121/a%3Bb;type=I",
        "ftp://host.dom/%2F;type=D",
        "ftp://host.dom/a%2Fb/c",
    ],
    "3.4.1 a gopher selector is any sequence of octets, slashes included": [
        "gopher://host.dom//",
        "gopher://host.dom/1%FF%80",
        "gopher://host.dom/%09",
        "gopher://host.dom/9a/b//c?d",
    ],
    "3.6 a message-id needs no angle brackets": [
        "news:1a2b@host.dom",
        "news:.@a.b",
        "news:%20@1.2.3.4",
    ],
    "3.9 wpath and wtype are opaque": [
        "wais://host.dom/d//",
        "wais://host.dom/d/%2F/%3F",
        "wais://host.dom//t/p",
        "wais://host.dom/d?",
    ],
    "3.11 fields may repeat, and an empty name or value is a name or value": [
        "prospero://host.dom/a;=",
        "prospero://host.dom/a;b=;b=",
        "prospero://host.dom/a=b;c=d",
        "prospero://host.dom/a;b?:@&=c?:@&",
    ],
}

INVALID = {
    "2.1 a URL starts with its scheme": ["", ":", ":a", "host.dom", "/a", "?a", "//host.dom/", "a/b:c"],
    "2.1 other characters are in no scheme name": ["a_b:c", "a b:c", "a%20:c", "a!b:c", "é:c", "a~:c"],
    "2.2 no corresponding graphic US-ASCII: 00-1F, 7F and 80-FF": [
        "http://host.dom/\0",
        "http://host.dom/\t",
        "http://host.dom/\n",
        "http://host.dom/\r",
        "http://host.dom/\x1f",
        "http://host.dom/\x7f",
        "http://host.dom/\x80",
        "http://host.dom/\xff",
    ],
    '2.2 unsafe: space, < > " # % { } | \\ ^ ~ [ ] `': [f"http://host.dom/{c}" for c in ' <>"#%{}|\\^~[]`'],
    "2.2 the same in a scheme without its own syntax": [f"x-any:{c}" for c in ' <>"#%{}|\\^~[]`'],
    "2.2 an escape has two hexadecimal digits": [
        "http://host.dom/%",
        "http://host.dom/%2",
        "http://host.dom/%g0",
        "http://host.dom/%0g",
        "mailto:%@host.dom",
        "x-any:%%",
    ],
    "3.1 the data starts with a double slash": [
        "http:host.dom/",
        "http:/host.dom/",
        "ftp:host.dom",
        "gopher:host.dom",
        "telnet:host.dom",
        "nntp:/host.dom/a",
        "wais:host.dom/d",
        "prospero:/host.dom/a",
        "file:/a",
    ],
    "3.1 a host is a name or four groups of digits": [
        "http:///",
        "ftp://:21/",
        "http://-a/",
        "http://a-/",
        "http://a..b/",
        "http://.a/",
        "http://a./",
        "http://a_b/",
        "http://a.1/",
        "http://1/",
        "http://1.2.3/",
        "http://1.2.3.4.5/",
        "http://%61/",
        "http://[::1]/",
        "http://a.1b/",
    ],
    "3.1 a port is digits": [
        "http://a:/",
        "http://a:b/",
        "http://a:1b/",
        "http://a:-1/",
        "http://a:80:80/",
        "ftp://a:%31/",
    ],
    "3.1 a ':', '@' or '/' in a user or password is encoded": [
        "ftp://a:b:c@host.dom/",
        "ftp://a@b@host.dom/",
        "telnet://a:b@c:d@host.dom/",
        "telnet://a/b@host.dom/",
    ],
    "3.2.2 the typecode is one of a, i and d": [
        "ftp://host.dom/a;type=",
        "ftp://host.dom/a;type=x",
        "ftp://host.dom/a;type=ai",
        "ftp://host.dom/a;b",
        "ftp://host.dom/a;type=a/b",
        "ftp://host.dom/a;type=%61",
    ],
    "3.3 no user name or password is allowed": [
        "http://user@host.dom/",
        "http://user:pw@host.dom/",
        "http://@host.dom/",
    ],
    "3.3 within path and searchpart, '/', ';', '?' are reserved": [
        "http://host.dom/a?b/c",
        "http://host.dom/a?b?c",
        "http://host.dom?a",
    ],
    "3.4 no user name or password in gopher, nntp, wais, file and prospero": [
        "gopher://user@host.dom/1",
        "nntp://user@host.dom/a/1",
        "wais://user:p@host.dom/d",
        "file://user@host.dom/a",
        "prospero://user@host.dom/a",
    ],
    "3.5 a mailto has an address": ["mailto:"],
    "3.6 a group name has its own alphabet": [
        "news:",
        "news:1a",
        "news:a/b",
        "news:a*",
        "news:**",
        "news:a%2Eb",
        "news:.a",
    ],
    "3.6 a message-id is <unique>@<full_domain_name>": ["news:@host.dom", "news:a@", "news:a@b_c", "news:a@b:80"],
    "3.7 an article has a group and a number": [
        "nntp://host.dom",
        "nntp://host.dom/",
        "nntp://host.dom/a/",
        "nntp://host.dom/a/b",
        "nntp://host.dom/a/1/2",
        "nntp://host.dom//1",
        "nntp://host.dom/*/1",
    ],
    "3.8 the final '/' may be omitted; nothing else follows": [
        "telnet://host.dom/a",
        "telnet://host.dom//",
        "telnet:///",
    ],
    "3.9 wais needs a database": [
        "wais://host.dom",
        "wais://host.dom/d/t",
        "wais://host.dom/d/t/a/b",
        "wais://host.dom/a;b",
    ],
    "3.10 file has no port": [
        "file://host.dom:80/a",
        "file://localhost:80/x",
        "file://host.dom",
        "file:///a;b",
        "file://",
    ],
    "3.11 prospero fields are pairs": [
        "prospero://host.dom",
        "prospero://host.dom/a;b",
        "prospero://host.dom/a;b=c=d",
        "prospero://host.dom/a;b=c/d",
    ],
    "2.1 a scheme name is not empty and holds no escape": [
        ":b:c",
        "a%2Bb:c",
        "a@b:c",
    ],
    "2.2 unsafe characters in a login, a host and a search": [
        "ftp://a b@host.dom/",
        "ftp://a~@host.dom/",
        "http://host dom/",
        "http://host.dom/?<",
        "http://host.dom/?a b",
        "telnet://a:{@host.dom/",
        'gopher://host.dom/0"',
        "wais://host.dom/|",
        "news:a^@host.dom",
    ],
    "3.1 a label starts and ends with a letter or digit": [
        "ftp://a.-b/",
        "ftp://a-.b/",
        "wais://a.b-/d",
        "nntp://-/a/1",
        "gopher://a.b..c/1",
        "prospero://a+b/c",
        "telnet://a*b/",
    ],
    "3.1 a colon asks for a port": [
        "ftp://host.dom:/a",
        "telnet://host.dom:",
        "gopher://host.dom:x/1",
        "nntp://host.dom:/a/1",
        "wais://host.dom:1x/d",
        "prospero://host.dom: 1/a",
    ],
    "3.2.2 a semicolon is reserved in an ftp path": [
        "ftp://host.dom/a;type=a;type=i",
        "ftp://host.dom/a;type",
        "ftp://host.dom/;",
        "ftp://host.dom/a;x/b",
        "ftp://host.dom/a;TYPE=a",
    ],
    "3.7 the article number is digits, and news has no host": [
        "nntp://host.dom/a/%31",
        "nntp://host.dom/a/1?",
        "news://host.dom/a",
    ],
    "3.11 the slash is part of the prospero URL": [
        "prospero://host.dom:1525",
        "prospero://host.dom;a=b",
        "prospero://host.dom/a;=;b",
    ],
}

EQUIVALENT = {
    "2.1 scheme names in any case": [("HTTP://host.dom/a", "http://host.dom/a"), ("X-any:a", "x-ANY:a")],
    "2.2 a character and its encoding have the same meaning": [
        ("http://host.dom/a", "http://host.dom/%61"),
        ("http://host.dom/%2d", "http://host.dom/-"),
        ("http://host.dom/?q=%28", "http://host.dom/?q=("),
        ("ftp://us%65r@host.dom/", "ftp://user@host.dom/"),
        ("mailto:a%40b.dom", "mailto:a@b.dom"),
        ("x-any:%61", "x-any:a"),
        ("x-any:%3a", "x-any:%3A"),
        ("http://host.dom/%7e", "http://host.dom/%7E"),
        ("http://host.dom/a%3Ab", "http://host.dom/a:b"),
        ("ftp://host.dom/a%3Fb", "ftp://host.dom/a?b"),
        ("gopher://host.dom/1a%3Bb", "gopher://host.dom/1a;b"),
        ("gopher://host.dom/1a%2Fb", "gopher://host.dom/1a/b"),
        ("file://host.dom/a%3Ab", "file://host.dom/a:b"),
        ("news:a%3Fb@host.dom", "news:a?b@host.dom"),
    ],
    "3.1 a host in any case, and the default port": [
        ("http://HOST.dom/", "http://host.dom/"),
        ("http://host.dom:80/", "http://host.dom/"),
        ("ftp://host.dom:21/a", "ftp://host.dom/a"),
        ("gopher://host.dom:70/1", "gopher://host.dom/1"),
        ("nntp://host.dom:119/a/1", "nntp://host.dom/a/1"),
        ("telnet://host.dom:23/", "telnet://host.dom/"),
        ("wais://host.dom:210/a", "wais://host.dom/a"),
        ("prospero://host.dom:1525/a", "prospero://host.dom/a"),
        ("http://host.dom:0080/", "http://host.dom/"),
    ],
    "3.2.2 a typecode in either case": [("ftp://host.dom/a;type=A", "ftp://host.dom/a;type=a")],
    "3.3 the '/' after the hostport may be omitted": [("http://host.dom", "http://host.dom/")],
    "3.4 so may gopher's, and its type": [
        ("gopher://host.dom", "gopher://host.dom/"),
        ("gopher://host.dom/", "gopher://host.dom/1"),
    ],
    "3.8 so may telnet's": [("telnet://host.dom", "telnet://host.dom/")],
    "3.10 localhost or the empty string is the machine that interprets the URL": [
        ("file:///a", "file://localhost/a"),
        ("file:///a", "FILE://LocalHost/a"),
        ("file:///", "file://localhost/"),
        ("file:///a%41", "file://localhost/aA"),
    ],
    "3.11 a slash in a hsoname has no meaning": [("prospero://host.dom/a%2Fb", "prospero://host.dom/a/b")],
    "2.2 an encoded octet that is not reserved in the scheme": [
        ("mailto:a%3Fb@c.dom", "mailto:a?b@c.dom"),
        ("ftp://host.dom/%40", "ftp://host.dom/@"),
        ("wais://host.dom/%64", "wais://host.dom/d"),
        ("prospero://host.dom/a;%62=c", "prospero://host.dom/a;b=c"),
    ],
    "3.1 host and scheme in any case, together with a default port": [
        ("FTP://HOST.DOM:21/a", "ftp://host.dom/a"),
        ("TELNET://u@HOST.dom:0023", "telnet://u@host.dom/"),
    ],
}

DIFFERENT = {
    "2.2 encoding a reserved character may change the meaning": [
        ("http://host.dom/a%2Fb", "http://host.dom/a/b"),
        ("http://host.dom/a%3Bb", "http://host.dom/a;b"),
        ("http://host.dom/a%3Fb", "http://host.dom/a?b"),
        ("ftp://host.dom/a%2Fb", "ftp://host.dom/a/b"),
        ("ftp://a%3Ab@host.dom/", "ftp://a:b@host.dom/"),
        ("wais://host.dom/a%3Fb", "wais://host.dom/a?b"),
        ("wais://host.dom/a/b/c%2Fd", "wais://host.dom/a%2Fb/c/d"),
        ("prospero://host.dom/a%3Bb=c", "prospero://host.dom/a;b=c"),
        ("file://host.dom/a%2Fb", "file://host.dom/a/b"),
        ("x-any:a%3Fb", "x-any:a?b"),
        ("x-any:a%2Fb", "x-any:a/b"),
    ],
    "2.2 the percent sign's escape is not an escape's start": [
        ("http://host.dom/%2541", "http://host.dom/%41"),
        ("x-any:%2541", "x-any:%41"),
        ("gopher://host.dom/1%2541", "gopher://host.dom/1A"),
    ],
    "3.1 an empty user or password differs from none": [
        ("ftp://@host.dom/", "ftp://host.dom/"),
        ("ftp://foo:@host.dom/", "ftp://foo@host.dom/"),
        ("telnet://@host.dom/", "telnet://host.dom/"),
    ],
    "3.1 the '/' is not part of the url-path": [
        ("ftp://host.dom/%2Fetc", "ftp://host.dom/etc"),
        ("ftp://host.dom//etc", "ftp://host.dom/etc"),
        ("ftp://host.dom//etc", "ftp://host.dom/%2Fetc"),
        ("http://host.dom//", "http://host.dom/"),
    ],
    "3.1 another port, another server": [("http://host.dom:81/", "http://host.dom/"), ("file://a/x", "file://b/x")],
    "3.2.2 a typecode differs from none": [
        ("ftp://host.dom/a;type=a", "ftp://host.dom/a;type=i"),
        ("ftp://host.dom/a;type=a", "ftp://host.dom/a"),
    ],
    "3.10 127.0.0.1 is a host like others": [
        ("file://127.0.0.1/a", "file://localhost/a"),
        ("file:///a", "file://host.dom/a"),
    ],
    "case matters elsewhere": [
        ("http://host.dom/A", "http://host.dom/a"),
        ("ftp://A@host.dom/", "ftp://a@host.dom/"),
        ("news:A.b", "news:a.b"),
    ],
    "3.1 user, password, host and port each matter": [
        ("ftp://u@host.dom/", "ftp://v@host.dom/"),
        ("ftp://u:p@host.dom/", "ftp://u:q@host.dom/"),
        ("ftp://a.dom/", "ftp://b.dom/"),
        ("telnet://host.dom:24/", "telnet://host.dom/"),
    ],
    "3.3 an empty searchpart is a searchpart": [
        ("http://host.dom/?", "http://host.dom/"),
        ("wais://host.dom/d?", "wais://host.dom/d"),
    ],
    "3.11 the order of the fields matters": [
        ("prospero://host.dom/a;b=1;c=2", "prospero://host.dom/a;c=2;b=1"),
    ],
}

PARTS = {
    "3.1 an empty user or password": [
        ("ftp://@host.dom/", {"user": "", "password": None}),
        ("ftp://host.dom/", {"user": None, "password": None}),
        ("ftp://foo:@host.dom/", {"user": "foo", "password": ""}),
    ],
    "3.1 default ports": [
        ("ftp://h/", {"port": 21}),
        ("http://h/", {"port": 80}),
        ("gopher://h/", {"port": 70}),
        ("nntp://h/a/1", {"port": 119}),
        ("telnet://h/", {"port": 23}),
        ("wais://h/d", {"port": 210}),
        ("prospero://h/n", {"port": 1525}),
    ],
    "3.2.2 the parts of an ftp url-path are decoded after the split": [
        ("ftp://h/%2Fetc/motd", {"cwd": ("/etc",), "name": "motd"}),
        ("ftp://h/etc/motd", {"cwd": ("etc",), "name": "motd"}),
        ("ftp://h//etc/motd", {"cwd": ("", "etc"), "name": "motd"}),
        ("ftp://h/a;type=d", {"name": "a", "typecode": "d"}),
        ("ftp://h/a%3Btype=d", {"name": "a;type=d", "typecode": None}),
        ("ftp://h/", {"cwd": (), "name": "", "typecode": None}),
        ("ftp://h", {"cwd": (), "name": None}),
    ],
    "3.3 path and searchpart": [
        ("http://h/a/b?c", {"path": "a/b", "search": "c"}),
        ("http://h", {"path": None, "search": None}),
        ("http://h/", {"path": "", "search": None}),
        ("http://h/?", {"path": "", "search": ""}),
    ],
    "3.4.1 gophertype, selector, search, gopher+_string": [
        ("gopher://h/", {"gtype": "1", "selector": "", "search": None, "plus": None}),
        ("gopher://h/0/a", {"gtype": "0", "selector": "/a"}),
        ("gopher://h/00/a", {"gtype": "0", "selector": "0/a"}),
        ("gopher://h/7a%09b", {"gtype": "7", "selector": "a", "search": "b", "plus": None}),
        ("gopher://h/0a%09%09+", {"selector": "a", "search": "", "plus": "+"}),
    ],
    "3.5 the address": [("mailto:gorby%25kremvax@h.dom", {"address": "gorby%kremvax@h.dom"})],
    "3.6 a commercial at distinguishes a message-id from a newsgroup name": [
        ("news:comp.lang.c", {"group": "comp.lang.c", "message_id": None}),
        ("news:a@h.dom", {"group": None, "message_id": "a@h.dom"}),
        ("news:*", {"group": "*"}),
    ],
    "3.7 newsgroup and article number": [("nntp://h/comp.lang.c/12", {"group": "comp.lang.c", "article": 12})],
    "3.8 the login of an interactive service": [("telnet://u:p@h:99/", {"user": "u", "password": "p", "port": 99})],
    "3.9 database, search, wtype and wpath": [
        ("wais://h/d", {"database": "d", "search": None, "wtype": None, "wpath": None}),
        ("wais://h/d?s", {"database": "d", "search": "s"}),
        ("wais://h/d/t/p", {"database": "d", "wtype": "t", "wpath": "p"}),
        ("wais://h/d/t/%2Fp", {"wpath": "/p"}),
    ],
    "3.10 host and path": [
        ("file://h.dom/a/b", {"host": "h.dom", "path": ("a", "b")}),
        ("file:///a%2Fb", {"host": "", "path": ("a/b",), "is_local": True}),
        ("file://localhost/a", {"is_local": True}),
        ("file://127.0.0.1/a", {"is_local": False}),
    ],
    "3.11 a hsoname may start with '/', and the fields keep their order": [
        ("prospero://h//pros/a", {"hsoname": "/pros/a", "fields": ()}),
        ("prospero://h/a;b=c;b=d;=", {"hsoname": "a", "fields": (("b", "c"), ("b", "d"), ("", ""))}),
    ],
    "2.2 an octet that is not UTF-8 is not lost": [
        ("ftp://h/%FF", {"name": "\udcff"}),
        ("gopher://h/0%80", {"selector": "\udc80"}),
    ],
    "3.1 a login is decoded after the split": [
        ("ftp://a%3Ab:c%40d@h/", {"user": "a:b", "password": "c@d"}),
        ("telnet://u%2Fv@h/", {"user": "u/v", "password": None}),
        ("ftp://:p@h/", {"user": "", "password": "p"}),
    ],
    "3.2.2 every typecode and empty segment": [
        ("ftp://h/;type=i", {"cwd": (), "name": "", "typecode": "i"}),
        ("ftp://h/a//b/", {"cwd": ("a", "", "b"), "name": ""}),
        ("ftp://h/a%2Fb", {"cwd": (), "name": "a/b"}),
    ],
    "3.4.1 a selector may be empty or start with a slash": [
        ("gopher://h/7%09s", {"gtype": "7", "selector": "", "search": "s"}),
        ("gopher://h//a", {"gtype": "/", "selector": "a"}),
    ],
    "3.7 the article number may be left out": [
        ("nntp://h/a.b", {"group": "a.b", "article": None}),
    ],
    "3.9 a database may be empty": [
        ("wais://h/", {"database": "", "search": None}),
        ("wais://h/d?", {"database": "d", "search": ""}),
    ],
    "3.11 names and values are decoded after the split": [
        ("prospero://h/a;b%3D=c%3B", {"hsoname": "a", "fields": (("b=", "c;"),)}),
    ],
}


def cases(table):
    return [pytest.param(case, id=f"{name}: {case}") for name, rows in table.items() for case in rows]


@pytest.mark.parametrize("url", cases(VALID))
def test_section_5_derives(url):
    assert parse(url).valid_rfc1738
    assert parse(url, strict=True).text == url
    decompose(url)


@pytest.mark.parametrize("url", cases(INVALID))
def test_section_5_does_not_derive(url):
    assert not parse(url).valid_rfc1738
    with pytest.raises(InvalidURL):
        parse(url, strict=True)


@pytest.mark.parametrize("pair", cases(EQUIVALENT))
def test_section_2_2_makes_equivalent(pair):
    assert all(parse(url).valid_rfc1738 for url in pair)
    assert equivalent(*pair) and equivalent(*reversed(pair))


@pytest.mark.parametrize("pair", cases(DIFFERENT))
def test_section_2_2_distinguishes(pair):
    assert all(parse(url).valid_rfc1738 for url in pair)
    assert not equivalent(*pair) and not equivalent(*reversed(pair))


@pytest.mark.parametrize("case", cases(PARTS))
def test_section_3_gives_the_parts(case):
    url, expected = case
    parts = decompose(url)
    assert {name: getattr(parts, name) for name in expected} == expected


@pytest.mark.parametrize(
    ("url", "commands"),
    [
        ("ftp://myname@host.dom/%2Fetc/motd", [("CWD", "/etc"), ("RETR", "motd")]),
        ("ftp://myname@host.dom/etc/motd", [("CWD", "etc"), ("RETR", "motd")]),
        ("ftp://myname@host.dom//etc/motd", [("CWD", ""), ("CWD", "etc"), ("RETR", "motd")]),
        ("ftp://myname@host.dom/a/b;type=a", [("CWD", "a"), ("TYPE", "A"), ("RETR", "b")]),
        ("ftp://myname@host.dom/a/b;type=d", [("CWD", "a"), ("NLST", "b")]),
        ("ftp://myname@host.dom/a/;type=d", [("CWD", "a"), ("NLST", "")]),
    ],
)
def test_3_2_2_the_ftp_commands(url, commands):
    assert list(decompose(url).commands()) == [("USER", "myname"), *commands]


@pytest.mark.parametrize(
    ("url", "request_"),
    [
        ("gopher://h/", b"\r\n"),
        ("gopher://h/0a", b"a\r\n"),
        ("gopher://h/7a%09b%20c", b"a\tb c\r\n"),
        ("gopher://h/0a%09%09+", b"a\t\t+\r\n"),
        ("gopher://h/0a%09b%09!+ABSTRACT", b"a\tb\t!+ABSTRACT\r\n"),
    ],
)
def test_3_4_the_gopher_request(url, request_):
    assert decompose(url).request() == request_


@pytest.mark.parametrize(
    "url", ["gopher://h:25/0%0D%0AHELO", "gopher://h/0a%0D", "ftp://h/a%0D%0ADELE%20b", "ftp://h/%00"]
)
def test_6_no_escaped_line_end_becomes_a_command(url):
    parts = decompose(url)
    with pytest.raises(UnsafeURL):
        parts.request() if url.startswith("gopher") else parts.commands()


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        (
            "Yes, Jim, I found it under <URL:ftp://info.cern.ch/pub/www/doc;type=d> but",
            ["ftp://info.cern.ch/pub/www/doc;type=d"],
        ),
        ("from <URL:ftp://ds.internic.net/rfc>.", ["ftp://ds.internic.net/rfc"]),
        (
            "<URL:http://ds.internic.\n  net/instructions/\toverview.html#WARNING>",
            ["http://ds.internic.net/instructions/overview.html"],
        ),
        ("<URL:http://host.dom/a-\nb>", ["http://host.dom/a-b"]),
        ("<URL:http://host.dom/a", []),
    ],
)
def test_appendix_urls_in_context(text, urls):
    assert [found.url for found in find_urls(text)] == urls
