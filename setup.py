"""Build the extensions: each ``src/**/_NAME.pyx``, with the ``.pxi`` files that it includes, becomes ``fasturl._NAME``.

``FASTURL_BUILD`` picks the way: ``release`` (the default), ``debug`` (asserts on, no optimisation), ``asan``
(AddressSanitizer and UndefinedBehaviorSanitizer), ``tsan`` (ThreadSanitizer), ``coverage`` (clang counts branches:
tools/coverage_kernels.py) or ``trace`` (the lines of Cython are counted: tools/coverage_pyx.py).
"""

import multiprocessing
import os
import platform
import shutil
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

STRIPPED = ["-Wl,-s"] if sys.platform.startswith("linux") else []
GCC_FLAGS = {
    # Without debug symbols, which would be four fifths of a wheel and hold the paths of the machine that built it.
    "release": (["-O2", "-fno-strict-aliasing", "-g0"], STRIPPED),
    "debug": (["-O0", "-g3", "-UNDEBUG"], []),
    "asan": (
        ["-O1", "-g", "-UNDEBUG", "-fno-omit-frame-pointer", "-fsanitize=address,undefined"],
        ["-fsanitize=address,undefined"],
    ),
    # By clang, for a CPython that was built so, too: tools/tsan.py.
    "tsan": (["-O1", "-g", "-fsanitize=thread"], ["-fsanitize=thread"]),
    "coverage": (
        ["-O0", "-g0", "-DNDEBUG", "-fprofile-instr-generate", "-fcoverage-mapping"],
        ["-fprofile-instr-generate"],
    ),
    # Each line of Cython calls the interpreter's trace function: tools/coverage_pyx.py.
    "trace": (["-O0", "-g0", "-DCYTHON_TRACE_NOGIL=1"], []),
}
BUILD = os.environ.get("FASTURL_BUILD", "release")
if BUILD not in GCC_FLAGS:
    raise SystemExit(f"FASTURL_BUILD={BUILD!r}: expected one of {', '.join(GCC_FLAGS)}")
compile_args, link_args = (["/O2"], []) if sys.platform == "win32" else GCC_FLAGS[BUILD]

headers = sorted(map(str, Path("src").rglob("*.h")))
# The runtime and the kernels are compiled once, into the extension that hands them to the others.
RUNTIME_OWNER = "_fastparse"
runtime = sorted(map(str, Path("src/kernel").glob("*.c")))
# For the kernels, which Cython has no part in: .ci/run looks for what the compiler says in the output of the build.
WARNINGS = [] if sys.platform == "win32" else ["-Wall", "-Wextra", "-Wconversion"]
# The kernels are compiled for time, Cython's code is not: at -O3 it takes more of a wheel than it gains. On x86-64 the
# scalar kernel runs only where it is asked for, and SSE2's on processors from before 2013: these may be small, too.
HAS_SSE2 = platform.machine() in ("x86_64", "AMD64")
SMALL_KERNELS = {"kernel_scalar": "-Os", "kernel_sse2": "-O2"} if HAS_SSE2 else {}
extensions = [
    Extension(
        f"fasturl.{source.stem}",
        [str(source)],
        include_dirs=["src/kernel", "src/python"],
        depends=[*headers, *map(str, Path("src/python").glob("*.pxd")), *map(str, Path("src").rglob("*.pxi"))],
        define_macros=[("FASTURL_BUILD_NAME", f'"{BUILD}"')],
        extra_compile_args=compile_args,
        extra_link_args=link_args,
    )
    for source in sorted(Path("src").rglob("_*.pyx"))
]


def needs_a_compiler(command):
    """End with what to install where there is none: setuptools would say that a command failed."""
    if shutil.which(command) is None:
        raise SystemExit(
            f"fasturl: there is no C compiler {command!r}, and no wheel for this machine was found: install one "
            "(Debian, Ubuntu: apt-get install build-essential; Fedora: dnf install gcc; macOS: xcode-select --install)"
        )
    include = sysconfig.get_path("include")
    if not Path(include, "Python.h").is_file():
        raise SystemExit(
            f"fasturl: there is no Python.h in {include}: install Python's headers "
            "(Debian, Ubuntu: apt-get install python3-dev; Fedora: dnf install python3-devel)"
        )


class BuildExtensions(build_ext):
    """Compiles the kernels before the extensions and side by side: each takes as long as all the extensions."""

    def build_extensions(self):
        if sys.platform != "win32":
            needs_a_compiler(self.compiler.compiler_so[0])
        owner = next(extension for extension in self.extensions if extension.name.endswith(RUNTIME_OWNER))
        # setuptools' compiler for Windows is not made for threads.
        with ThreadPoolExecutor(1 if sys.platform == "win32" else os.cpu_count()) as pool:
            made = pool.map(lambda source: self.compile_alone(source, owner), runtime)
            owner.extra_objects = [name for names in made for name in names]
        owner.depends = [*owner.depends, *runtime]
        super().build_extensions()

    def compile_alone(self, source, owner):
        """The object of one C source; made anew only when the source or a header is newer."""
        made = self.compiler.object_filenames([source], output_dir=self.build_temp)
        newest = max(os.path.getmtime(file) for file in (source, *headers, __file__))
        if not self.force and all(os.path.exists(one) and os.path.getmtime(one) > newest for one in made):
            return made
        flags = owner.extra_compile_args
        if "-O2" in flags:
            level = SMALL_KERNELS.get(Path(source).stem, "-O3")
            flags = [level if flag == "-O2" else flag for flag in flags]
        return self.compiler.compile(
            [source],
            output_dir=self.build_temp,
            include_dirs=owner.include_dirs,
            macros=owner.define_macros,
            extra_postargs=[*flags, *WARNINGS],
        )


# Cython's processes side by side only where they are forks: others would run this file again, and so itself.
TRANSLATORS = (os.cpu_count() or 1) if multiprocessing.get_start_method() == "fork" else 0

setup(
    cmdclass={"build_ext": BuildExtensions},
    options={"build_ext": {"parallel": os.cpu_count()}},
    ext_modules=cythonize(
        extensions,
        include_path=["src/python"],
        nthreads=TRANSLATORS,
        compiler_directives={
            "language_level": 3,
            "embedsignature": True,
            "embedsignature.format": "clinic",
            # Functions and methods as CPython's own: they check the type of self, which Cython's own kind does not.
            "binding": False,
            "auto_pickle": False,
            "autotestdict": False,
            "freethreading_compatible": True,
            "boundscheck": False,
            "wraparound": False,
            "cdivision": True,
            "linetrace": BUILD == "trace",
        },
    ),
)
