# Part of _urllib.pyx: install compiled functions behind those of urllib.parse. Each function of urllib.parse stays the
# same object and gets a code object that calls the compiled function. Either all functions are changed or none.

import sys

cdef set trampolines = set()  # all code objects from new_trampoline()


@cython.binding(True)
def new_trampoline(function, compiled):
    """Return a code object for `function` that has the same parameters and calls `compiled` with them.

    The code object has the names, the file and the first line of the function's own code. So signatures, sources and
    profiles stay the same.
    """
    code = function.__code__
    names = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]
    positional, keywords = names[:code.co_argcount], names[code.co_argcount:]
    callee = "_" * (1 + max(map(len, names))) + "function"  # differs from every parameter
    parameters = [*positional, *(["*"] if keywords else []), *keywords]
    arguments = [*positional, *(f"{name}={name}" for name in keywords)]
    # One line: every instruction gets the line number of the function's own "def".
    source = (f"def {code.co_name}({', '.join(parameters)}): {callee} = {callee!r}; "
              f"return {callee}({', '.join(arguments)})")
    module = compile(source, code.co_filename, "exec", dont_inherit=True)
    trampoline = next(one for one in module.co_consts if type(one) is type(code))
    trampoline = trampoline.replace(
        co_firstlineno=code.co_firstlineno,
        co_consts=tuple([compiled if one == callee else one for one in trampoline.co_consts]),
    )
    trampolines.add(trampoline)
    return trampoline


@cython.binding(True)
def frames_between():
    """Return the number of trampoline frames between a compiled function and its caller: 1 under install(), else 0."""
    return 1 if sys._getframe().f_code in trampolines else 0


@cython.binding(True)
def exchange(list changes, *, bint renews=False):
    """Set the code object of each function. If one change fails, undo the others.

    changes : pairs (function, code object)
    renews : also switch to the current result classes of urllib.parse
    This function is compiled so that no signal handler and no other thread runs between the first change and the last.
    """
    cdef list before = [function.__code__ for function, _ in changes]
    cdef tuple results = results_in(vars(_urllib)) if renews else None
    cdef Py_ssize_t done = 0, i
    try:
        for function, code in changes:
            function.__code__ = code
            done += 1
    except BaseException:
        for i in range(done):
            changes[i][0].__code__ = before[i]
        raise
    if results is not None:
        use_results(results)


@cython.binding(True)
def names_of_urllib(module):
    """Return a __getattr__ for a module, which looks up names of urllib.parse outside its __all__.

    module : the name for an AttributeError. Modules that urllib.parse has imported are not visible, nor are names like
        "__path__".
    This function is compiled: a Python frame would hide the caller from a DeprecationWarning.

    >>> names_of_urllib("fasturl")("unwrap")("<URL:http://h/>")
    'http://h/'
    """
    def __getattr__(name):
        value = sys if name[:2] == "__" else getattr(_urllib, name, sys)
        if type(value) is type(sys):
            from fasturl._quoted import quoted
            raise AttributeError(f"module {module!r} has no attribute {quoted(name)}")
        return value

    return __getattr__
