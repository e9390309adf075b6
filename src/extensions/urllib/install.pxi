# Part of _urllib.pyx: make the functions of urllib.parse call the compiled functions. A program may have imported a
# function earlier, so the function object must stay. It gets another code object, the trampoline, which calls the compiled
# function. Either all functions are changed or none.

import sys

# All code objects from new_trampoline(). install() adds to it under its lock. A lookup needs no lock, because a set is
# safe by itself, also without the GIL.
cdef set trampolines = set()


@cython.binding(True)
def new_trampoline(function, compiled):
    """Return a code object for `function` that has the same parameters and calls `compiled` with them.

    The code object has the names, the file and the first line of the function's own code. So signatures, sources and
    profiles stay the same.

    The compiled function is a constant of the code object, because there is no other place for it. The trampoline runs
    with the globals of urllib.parse: a name there would be visible, and anyone could replace it. A default value would
    change the signature. A closure is impossible, because Python refuses a code object with another number of free
    variables.
    """
    code = function.__code__
    names = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]
    positional, keywords = names[:code.co_argcount], names[code.co_argcount:]
    callee = "_" * (1 + max(map(len, names))) + "function"  # differs from every parameter
    parameters = [*positional, *(["*"] if keywords else []), *keywords]
    arguments = [*positional, *(f"{name}={name}" for name in keywords)]
    # A constant in source must be a literal. So compile the callee's name as a string, and replace this string in
    # co_consts below. All on one line: every instruction then gets the line number of the function's own "def".
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
    """Return the number of trampoline frames between a compiled function and its caller: 1 under install(), else 0.

    A compiled function has no frame of its own, so the current frame is that of its caller: the user's code, or the
    trampoline if the user called urllib.parse under install(). A warning needs this number. Its stack level counts from
    urllib's frame to the user's line, and the trampoline is a frame more.
    """
    return 1 if sys._getframe().f_code in trampolines else 0


@cython.binding(True)
def exchange(list changes, *, bint renews=False):
    """Set the code object of each function. If one change fails, undo the others.

    changes : pairs (function, code object)
    renews : also switch to the current result classes of urllib.parse
    This function is compiled so that no signal handler and, with the GIL, no other thread runs between the first change
    and the last. Without the GIL, another thread can call some functions with the new code and others with the old code.
    That is harmless, because both give the same answers. Two exchanges never overlap, because the callers hold a lock.
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
def names_of_urllib(module, others, take):
    """Return a __getattr__ for a module, which looks up names of urllib.parse outside its __all__.

    module : the name for an AttributeError. Modules that urllib.parse has imported are not visible, nor are names like
        "__path__".
    others, take : names that are not urllib's, and the function that returns the value of one
    This function is compiled: a Python frame would hide the caller from a DeprecationWarning.

    >>> names_of_urllib("fasturl", (), None)("unwrap")("<URL:http://h/>")
    'http://h/'
    """
    def __getattr__(name):
        if name in others:
            return take(name)
        value = sys if name[:2] == "__" else getattr(_urllib, name, sys)
        if type(value) is type(sys):
            from fasturl._quoted import quoted
            raise AttributeError(f"module {module!r} has no attribute {quoted(name)}")
        return value

    return __getattr__
