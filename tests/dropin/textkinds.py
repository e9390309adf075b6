"""Compare urllib.parse with fasturl for texts of many classes. Also a script: see main(). A subclass of str may
override any method. Each class here overrides one, in one of three ways, or is a class of a known library. The outcome
includes the class of each value, and which values are the arguments themselves."""

import contextlib
import logging
import sys
import urllib.parse

import differential
import urlgen

FUNCTIONS = sorted(name for name in urllib.parse.__all__ if "Result" not in name)
METHODS = """
lstrip strip rstrip find rfind index partition rpartition split rsplit replace encode lower count startswith isascii
isalpha isdigit join translate __len__ __bool__ __contains__ __getitem__ __iter__ __hash__ __eq__ __ne__ __lt__ __str__
__repr__ __format__ __add__ __radd__ __mul__ __rmul__ __mod__ __rmod__ __getattribute__ __getattr__ __class__ __index__
__sizeof__ __reduce__ __getnewargs__ items decode __buffer__
""".split()
ANSWERS = ["x:y", b"x:y", "", 7, 0, True, None, ("a", "b", "c"), ["%41=b"], NotImplemented]


def override(base, name, how, answer):
    """Return a subclass that calls the method of its base, returns another answer, or raises."""

    def method(self, *args, **kwargs):
        if how == "calls":
            return getattr(super(made, self), name)(*args, **kwargs)
        if how == "answers":
            return answer
        raise LookupError(name)

    made = type(f"{base.__name__}_{name}_{how}", (base,), {name: property(method) if name == "__class__" else method})
    if name == "__eq__" and how != "raises":
        made.__hash__ = base.__hash__
    return made


class Attributes(str):
    """Its instances have attributes."""


class Slotted(str):
    __slots__ = ()


class Before:
    def lstrip(self, *blanks):
        return "before"


class MixedBefore(Before, str):
    pass


class MixedAfter(str, Before):
    pass


class Safe(str):
    """As Django's SafeString."""

    def __add__(self, other):
        return Safe(super().__add__(other))

    def __str__(self):
        return self


class Reference(str):
    """As rdflib's URIRef."""

    __slots__ = ()

    def __eq__(self, other):
        return type(self) is type(other) and str(self) == str(other)

    def __add__(self, other):
        return Reference(str(self) + other)

    def __radd__(self, other):
        return Reference(other + str(self))

    __hash__ = str.__hash__


class Folded(str):
    """Equal without case, so that urllib's cache answers with another text's result."""

    def __eq__(self, other):
        return self.lower() == other.lower()

    def __hash__(self):
        return hash(self.lower())


class Meta(type):
    def __getattribute__(cls, name):
        return "meta" if name == "lstrip" else super().__getattribute__(name)


class OfMeta(str, metaclass=Meta):
    pass


class Changing(str):
    """Gets and loses a method while the test runs."""


class Data(bytes):
    pass


def known_classes():
    with contextlib.suppress(ImportError):
        import numpy

        yield numpy.str_
        yield type("NumPyText", (numpy.str_,), {})
    with contextlib.suppress(ImportError):
        from django.utils.safestring import SafeString

        yield SafeString
    with contextlib.suppress(ImportError):
        from rdflib import URIRef

        yield URIRef
    with contextlib.suppress(ImportError):
        from lxml import etree

        yield type(etree.fromstring("<a/>").xpath("name()"))


PLAIN = [urlgen.Text, Slotted, Attributes, MixedAfter, OfMeta, Safe, Reference, Folded, Changing, *known_classes()]


def described(value, args):
    """Return a value with its class and those of its items, and the position of each object that is an argument."""
    at = next((i for i, arg in enumerate(args) if value is arg and type(arg) not in (str, bytes)), None)
    kind = type(value)
    if isinstance(value, tuple | list):
        kind = kind.__name__ if kind.__name__ in differential.RESULTS else kind
        return kind, [described(item, args) for item in value]
    if isinstance(value, dict):
        return kind, [(described(key, args), described(values, args)) for key, values in value.items()]
    return kind, at, str.__str__(value) if isinstance(value, str) else repr(value)


def flat(args):
    return [item for arg in args for item in (arg if type(arg) in (tuple, list) else (arg,))]


def dict_of(key, value):
    """Return a dict, or a list of pairs for a key that is not hashable."""
    try:
        return {key: value}
    except (TypeError, LookupError):
        return [(key, value)]


def outcome(module, name, args, kwargs):
    try:
        return "returns", described(getattr(module, name)(*args, **kwargs), flat(args))
    except RecursionError:
        raise
    except Exception as error:
        return "raises", type(error), str(error)


class Texts(urlgen.Generator):
    """Functions of urllib.parse and arguments for them, of which some are of a subclass."""

    def __init__(self, seed):
        super().__init__(seed)
        self.classes = [override(base, name, how, self.rng.choice(ANSWERS)) for base in (str, urlgen.Text)
                        for name in METHODS for how in ("calls", "answers", "raises")]  # fmt: skip
        self.classes.append(MixedBefore)

    def piece(self):
        if self.rng.random() < 0.6:
            return self.random_text()
        pieces = ("a", "b=c", "%41", "%C3%A9", "%", "+", "&", "=", "é", " ", "\0", "/", ";", "x" * 70, "#", "日")
        return "".join(self.rng.choices(pieces, k=self.rng.randrange(7)))

    def maker(self, text):
        """Return a function that makes the text anew: of the class str, or of a subclass."""
        roll = self.rng.random()
        if roll < 0.2:
            return lambda: text
        kind = self.rng.choice(PLAIN if roll < 0.6 else self.classes) if roll < 0.97 else Data
        if kind is Data:
            return lambda: Data(text.encode("utf-8", "surrogatepass"))
        name, value = self.rng.choice(METHODS), self.rng.choice(ANSWERS)
        if kind is not Attributes or self.rng.random() < 0.3:
            return lambda: kind(text)

        def with_attributes():
            made = Attributes(text)
            made.own = 1
            with contextlib.suppress(TypeError, AttributeError):
                setattr(made, name, lambda *args: value)
            return made

        return with_attributes

    def call(self):
        """Return the name of a function, makers of its arguments, and its keyword arguments."""
        name, choice = self.rng.choice(FUNCTIONS), self.rng.choice
        first, second = self.maker(self.piece()), self.maker(self.piece())
        if name in ("urlunsplit", "urlunparse"):
            n = 5 if name == "urlunsplit" else 6
            makers = [self.maker(choice(("", "http", "a", self.piece()))) for _ in range(n)]
            kind = choice((tuple, list))
            return name, [lambda: kind(maker() for maker in makers)], {}
        if name == "urlencode":
            return name, [lambda: dict_of(first(), second())], choice(({}, {"doseq": True}, {"safe": "/"}))
        if name == "urljoin":
            return name, [first, second], choice(({}, {}, {"allow_fragments": False}))
        if name in ("parse_qs", "parse_qsl"):
            return name, [first], choice(({}, {"keep_blank_values": True}, {"max_num_fields": 2}, {"separator": ";"}))
        if name in ("urlsplit", "urlparse") and self.rng.random() < 0.2:
            return name, [first, second], {}
        return name, [first], {}


def compare(ours, theirs, seed, tries):
    """Call functions of both modules with equal arguments. Raise AssertionError at the first disagreement."""
    texts = Texts(seed)
    returned = 0
    for trial in range(tries):
        name, makers, kwargs = texts.call()
        if trial % 100 == 0:
            Changing.lstrip = (lambda self, blanks: "changed") if trial % 200 else str.lstrip
        urllib.parse.clear_cache()
        theirs.clear_cache()
        for _ in range(texts.rng.choice((1, 1, 1, 2))):  # the second time, urllib's cache has the text
            got = outcome(ours, name, [make() for make in makers], kwargs)
            expected = outcome(theirs, name, [make() for make in makers], kwargs)
            if got != expected:
                args = [make() for make in makers]
                kinds = [type(arg) for arg in flat(args)]
                raise AssertionError(
                    f"{name}(*{args!r}, **{kwargs!r}) of {kinds}, seed {seed}, trial {trial}:\n"
                    f"  here    {got!r}\n  urllib  {expected!r}"
                )
        returned += got[0] == "returns"
    assert tries < 1000 or returned > tries / 3, f"only {returned} of {tries} tries returned a value"


def main(seed, tries, installed=""):
    """Compare fasturl, or with a third argument urllib.parse under install(), with a pristine urllib.parse."""
    reference = differential.pristine()
    logging.disable()  # rdflib says that most texts are no URI
    import fasturl

    if installed:
        fasturl.install()
    compare(urllib.parse if installed else fasturl, reference, seed, int(tries))
    print("agrees")


if __name__ == "__main__":
    main(*sys.argv[1:])
