"""Random arguments for urllib.parse's URL functions: pieces of URLs, and mutated real lines."""

import random

WORDS = r"""
http: https: HTTP: hTTps: ftp: file: mailto: tel: sip: svn+ssh: s3: x-y.z: prospero: rtsp: 1a: : // /// /
? # ; @ .. ../ /.. . ./ /. a b c.html d/e h.example H 127.0.0.1 [::1] [v1.a] [V1.a] [ ] [1.2.3.4] :80 :x
u:p@ %41 %4 % ?q=1 ?q=a/b?c #f #f?x#y ;p ;p=1 ;; a;b ./;x ..;x = & + - _ ~ ! $ ' ( ) * , | { } ^ ` < > \ "
/a/b/c/ //h /;
"""
TOKENS = ["", *WORDS.split()]
ODD = [" ", "\t", "\r", "\n", "\x00", "\x1f", "\x7f", "\x80", "\xa0", "é", "ß", "İ", "ª", "℀", "＃", "／", "：",
       "\u3000", "\u2028", "日本", "\U0001f600", "\ud800", "\ufeff"]  # fmt: skip


class Text(str):
    """A subclass of str."""


class Generator:
    def __init__(self, seed, lines=()):
        self.rng = random.Random(seed)
        self.lines = list(lines)

    def token(self):
        roll = self.rng.random()
        if roll < 0.06:
            return self.rng.choice(ODD)
        return self.bracketed() if roll < 0.1 else self.rng.choice(TOKENS)

    def bracketed(self):
        """Return a bracketed host that is an address, or nearly one."""
        choice = self.rng.choice
        groups = [choice(("0", "1", "fe80", "FFFF", "0db8", "", "12345", "g")) if self.rng.random() < 0.1 else "a1"
                  for _ in range(choice((8, 8, 8, 7, 9, 2, 1)))]  # fmt: skip
        if self.rng.random() < 0.6:
            groups[slice(*sorted(self.rng.choices(range(len(groups) + 1), k=2)))] = [""]
        if groups[0] == "" and self.rng.random() < 0.8:
            groups.insert(0, "")
        if groups[-1] == "" and self.rng.random() < 0.8:
            groups.append("")
        if self.rng.random() < 0.2:
            groups[-2:] = [choice(("1.2.3.4", "255.0.0.10", "01.2.3.4", "1.2.3", "256.1.1.1", "1.2.3.4.5", "."))]
        address = ":".join(groups)
        if self.rng.random() < 0.1:
            address = choice(("v1.a", "v1f.:", "V1.a", "v.a", "v1.", "v1", "vg.a", "v1.[", "1.2.3.4", ":", "::", ":::"))
        zone = choice(("%eth0", "%25eth0", "%", "%a%b", "%é", "%/")) if self.rng.random() < 0.1 else ""
        before, after = choice(("", "", "u@", "u:p@", "a", "[")), choice(("", "", ":80", "x", "@h", "]"))
        return f"//{before}[{address}{zone}]{after}/"

    def random_text(self):
        return "".join(self.token() for _ in range(self.rng.randrange(9)))

    def mutated(self):
        text = self.rng.choice(self.lines)
        for _ in range(self.rng.choice((0, 1, 1, 2, 3))):
            start = self.rng.randrange(len(text) + 1)
            end = min(len(text), start + self.rng.choice((0, 0, 1, 1, 4)))
            text = text[:start] + self.token() + text[end:]
        return text

    def text(self):
        text = self.mutated() if self.lines and self.rng.random() < 0.5 else self.random_text()
        if self.rng.random() < 0.01:  # longer than a block of the kernel, and than a stack buffer
            text += self.token() * self.rng.choice((70, 700))
        return text

    def data(self):
        data = self.text().encode(self.rng.choice(("utf-8", "utf-16-le")), "surrogatepass")
        return data if self.rng.random() < 0.3 else data.replace(b"\0", b"")

    def odd(self):
        return self.rng.choice(
            (None, 0, 1, 1.5, True, (), [], ["http://h/"], {}, b"", "", bytearray(b"http://h/a?b#c"),
             bytearray(), memoryview(b"//h/"), Text(self.random_text()), Text("http://h/a;b?c#d"), range(3))
        )  # fmt: skip

    def url(self, data=False):
        if self.rng.random() < 0.03:
            return self.odd()
        if self.rng.random() < 0.01:
            data = not data
        return self.data() if data else self.text()

    def scheme(self, data):
        choice = self.rng.choice
        scheme = choice(("", "http", "HTTP", "ftp", "mailto", " http ", "ht\ntp", "é", "x:", "\0", "sip", "z"))
        if self.rng.random() < 0.05:
            return self.odd()
        return scheme.encode() if data and choice((True, True, False)) else scheme

    def split_arguments(self):
        """Return arguments and keyword arguments for urlsplit and urlparse."""
        data = self.rng.random() < 0.25
        args, kwargs = [self.url(data)], {}
        if self.rng.random() < 0.4:
            if self.rng.random() < 0.6:
                args.append(self.scheme(data))
            else:
                kwargs["scheme"] = self.scheme(data)
            if self.rng.random() < 0.5:
                flag = self.rng.choice((True, False, False, 0, 1, None, "", "x", []))
                if len(args) == 2 and self.rng.random() < 0.5:
                    args.append(flag)
                else:
                    kwargs["allow_fragments"] = flag
        if self.rng.random() < 0.01:
            self.rng.choice((args.clear, lambda: args.append(1), lambda: kwargs.update(bogus=1)))()
        return tuple(args), kwargs

    def components(self, n, module):
        """Return a sequence of components for urlunsplit (n = 5) or urlunparse (n = 6)."""
        roll = self.rng.random()
        data = self.rng.random() < 0.25
        if roll < 0.3:
            try:
                url = self.data() if data else self.text()
                return (module.urlsplit if n == 5 else module.urlparse)(url)
            except ValueError:
                pass
        choice = self.rng.choice
        items = [
            choice(("", "http", "file", "mailto", "s3", "x", "HTTP", "é")),
            choice(("", "", "h", "u@h:1", "é", "[::1]")),
            choice(("", "/", "a", "/a/b", "//a", "///", "//a/b", "a//b", "?", ":x", self.random_text())),
            choice(("", "", "p", ";", "p;q", "é")), choice(("", "q", "?", "a/b", "é")),
            choice(("", "f", "#", "\n")),
        ]  # fmt: skip
        if n == 5:
            del items[3]
        if data:
            items = [item.encode("utf-8", "surrogatepass") for item in items]
        if roll < 0.45:
            items[self.rng.randrange(n)] = self.odd()
        elif roll < 0.6:
            items = [None if self.rng.random() < 0.3 else item for item in items]
        if roll > 0.97:
            items = items[: self.rng.randrange(n)] if roll > 0.985 else [*items, ""]
        if self.rng.random() < 0.02:
            return self.odd()
        return self.rng.choice((tuple, tuple, list))(items)
