# Part of _dropin.pyx: compiled functions behind urllib.parse's own, which keep their identity and get a code object that
# calls the compiled one. All of them do, or none.

import sys

cdef set trampolines = set()  # every code object that new_trampoline has made


def new_trampoline(function, compiled):
    """A code object for `function` that takes what it takes and calls `compiled` with it.

    It has the names, the file and the first line of the function's own code, so that signatures, sources and
    profiles show what they did.
    """
    code = function.__code__
    names = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]
    positional, keywords = names[:code.co_argcount], names[code.co_argcount:]
    callee = "_" * (1 + max(map(len, names))) + "function"  # no parameter's name
    parameters = [*positional, *(["*"] if keywords else []), *keywords]
    arguments = [*positional, *(f"{name}={name}" for name in keywords)]
    # One line, so that each place in it has the line of the function's own "def".
    source = (f"def {code.co_name}({', '.join(parameters)}): {callee} = {callee!r}; "
              f"return {callee}({', '.join(arguments)})")
    module = compile(source, code.co_filename, "exec", dont_inherit=True)
    made = next(one for one in module.co_consts if type(one) is type(code))
    made = made.replace(
        co_firstlineno=code.co_firstlineno,
        co_consts=tuple([compiled if one == callee else one for one in made.co_consts]),
    )
    trampolines.add(made)
    return made


def frames_between():
    """How many frames of ours stand between a compiled function and its caller: 1 under install(), or 0."""
    return 1 if sys._getframe().f_code in trampolines else 0


def exchange(list changes):
    """Give each function its code: changes holds pairs of the two. Where one cannot be had, none is changed.

    Compiled: no signal handler and no other thread runs between the first change and the last.
    """
    cdef list before = [function.__code__ for function, _ in changes]
    cdef Py_ssize_t done = 0, i
    try:
        for function, code in changes:
            function.__code__ = code
            done += 1
    except BaseException:
        for i in range(done):
            changes[i][0].__code__ = before[i]
        raise


def names_of_urllib(module):
    """A module's __getattr__: the names of urllib.parse outside its __all__, as they are at the moment.

    module : the name to give in an AttributeError. Modules that urllib.parse has imported are not passed on,
        nor are names like "__path__".
    Compiled, so that no frame of ours stands where a DeprecationWarning looks for its cause.

    >>> names_of_urllib("fasturl")("unwrap")("<URL:http://h/>")
    'http://h/'
    """
    def __getattr__(name):
        value = sys if name[:2] == "__" else getattr(_urllib, name, sys)
        if type(value) is type(sys):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        return value

    return __getattr__
