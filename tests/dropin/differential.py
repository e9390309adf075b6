"""Compare the functions of two modules by their outcomes. Also a script: see main()."""

import importlib.util
import sys
import urllib.parse
import warnings

import urlgen

from fasturl import _urllib

RESULTS = {name for name in urllib.parse.__all__ if "Result" in name}
NAMES = ("urlsplit", "urlparse", "urlunsplit", "urlunparse", "urljoin", "urldefrag")


def outcome(function, args, kwargs):
    """Return the outcome of a call: its value with every type, or its exception, and its warnings. For a ValueError,
    the outcome includes the message."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        done = value_or_error(function, args, kwargs)
    return (*done, [(one.category, str(one.message)) for one in said])


def value_or_error(function, args, kwargs):
    try:
        value = function(*args, **kwargs)
    except Exception as error:
        return "raises", type(error), str(error) if isinstance(error, ValueError) else None
    kind = type(value)
    if isinstance(value, tuple):
        # A pristine copy of urllib.parse has result classes of its own.
        kind = kind.__name__ if kind.__name__ in RESULTS else kind
        return "returns", kind, tuple(value), tuple(type(item) for item in value), hash(value)
    return "returns", kind, value


def same(name, *args):
    """Return the outcome of a function, which must be that of urllib's."""
    got = outcome(getattr(_urllib, name), args, {})
    assert got == outcome(getattr(urllib.parse, name), args, {}), (name, args)
    return got


def arguments_of(name, generator, module):
    if name in ("urlsplit", "urlparse"):
        return generator.split_arguments()
    if name in ("urlunsplit", "urlunparse"):
        return (generator.components(5 if name == "urlunsplit" else 6, module),), {}
    data = generator.rng.random() < 0.15
    if name == "urldefrag":
        return (generator.url(data),), {}
    args = (generator.url(data), generator.url(data))
    if generator.rng.random() < 0.1:
        return args, {"allow_fragments": generator.rng.choice((True, False, 0, None))}
    return args, {}


def compare(name, ours, theirs, seed, tries, lines=()):
    """Call `name` of both modules with the same arguments; raise AssertionError at the first disagreement."""
    generator = urlgen.Generator(f"{name} {seed}", lines)
    function, reference = getattr(ours, name), getattr(theirs, name)
    returned = 0
    for trial in range(tries):
        args, kwargs = arguments_of(name, generator, theirs)
        got, expected = outcome(function, args, kwargs), outcome(reference, args, kwargs)
        if got != expected:
            raise AssertionError(
                f"{name}(*{args!r}, **{kwargs!r}), seed {seed}, trial {trial}:\n"
                f"  here    {got!r}\n  urllib  {expected!r}"
            )
        returned += got[0] == "returns"
    assert tries < 1000 or returned > tries / 3, f"{name}: only {returned} of {tries} tries returned a value"


def pristine():
    """Return an unpatched copy of urllib.parse with classes of its own."""
    spec = importlib.util.spec_from_file_location("pristine_parse", urllib.parse.__file__)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def main(seed, tries):
    """Compare urllib.parse under install() with a pristine copy of itself."""
    reference = pristine()
    from fasturl import _installing

    _installing.install()
    for name in NAMES:
        assert name in _installing.reached()
        compare(name, urllib.parse, reference, seed, int(tries))
        print(name, "agrees")


if __name__ == "__main__":
    main(*sys.argv[1:])
