"""Build the extensions: each ``src/**/_NAME.pyx``, with the ``.pxi`` files that it includes, becomes ``fasturl._NAME``.

``FASTURL_BUILD`` picks the way: ``release`` (the default), ``debug`` (asserts on, no optimisation), ``asan``
(AddressSanitizer and UndefinedBehaviorSanitizer), ``tsan`` (ThreadSanitizer), ``coverage`` (clang counts branches:
tools/coverage_kernels.py) or ``trace`` (the lines of Cython are counted: tools/coverage_pyx.py).
"""

import hashlib
import multiprocessing
import os
import re
import shutil
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

sys.path.append(str(Path(__file__).resolve().parent / "tools"))
from published import readme

# The target's system and processor, not the machine's own: tools/release.py builds for others and says so with
# _PYTHON_HOST_PLATFORM and SETUPTOOLS_EXT_SUFFIX.
SYSTEM, _, MACHINE = sysconfig.get_platform().rpartition("-")
MODULE_SUFFIX = os.environ.get("SETUPTOOLS_EXT_SUFFIX") or sysconfig.get_config_var("EXT_SUFFIX") or ""
STRIPPED = ["-Wl,-s"] if SYSTEM == "linux" else []
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
# Files that a source names: a module of declarations, a part of it, or a C header.
NAMED = re.compile(
    r'^\s*(?:from (\w+) cimport|cimport (\w+)|#?\s*include "([^"]+)"|cdef extern from "([^"]+)")', re.MULTILINE
)


def dependencies(source, known):
    """Add the files that a source reads to those that are known, and return them: a change of one compiles it again."""
    for module, other, part, header in NAMED.findall(source.read_text(encoding="utf-8")):
        name = f"{module or other}.pxd" if module or other else part or header
        for folder in (source.parent, Path("src/kernel"), Path("src/python")):
            file = Path(os.path.normpath(folder / name))
            if file not in known and file.is_file():
                known.add(file)
                dependencies(file, known)
    return known


# The runtime and the kernels are compiled once, into the extension that hands them to the others.
RUNTIME_OWNER = "_fastparse"
runtime = sorted(map(str, Path("src/kernel").glob("*.c")))
# Libraries that link the runtime from different sources must not share it: runtime.h.
kernel_sources = sorted(path for path in Path("src/kernel").rglob("*") if path.suffix in (".c", ".h"))
KERNEL_BUILD = hashlib.blake2s(b"".join(path.read_bytes() for path in kernel_sources), digest_size=8).hexdigest()
# DuckDB's name for this platform, which is part of an extension for DuckDB; None where there is no such extension.
MACHINES = {"x86_64": "amd64", "aarch64": "arm64"}
DUCKDB_PLATFORM = None
if SYSTEM == "linux" and MACHINE in MACHINES and sys.maxsize > 1 << 32:
    libc = "_musl" if "musl" in MODULE_SUFFIX else ""
    DUCKDB_PLATFORM = f"linux_{MACHINES[MACHINE]}{libc}"
# The kernels are in a library of their own, which _fastparse and the extension for DuckDB share: each has no copy. The
# other builds measure or check one file.
SHARED_KERNELS = DUCKDB_PLATFORM is not None and BUILD in ("release", "debug")
# A name that ends with .so would be the name of a module.
LIBRARY, DUCKDB_EXTENSION = "libfasturl.so.0", "fasturl.duckdb_extension"
# For the kernels, which Cython has no part in: .ci/run looks for what the compiler says in the output of the build.
WARNINGS = [] if sys.platform == "win32" else ["-Wall", "-Wextra", "-Wconversion"]
# The kernels are compiled for time, Cython's code is not: at -O3 it takes more of a wheel than it gains. On x86-64 the
# scalar kernel runs only where it is asked for, and SSE2's on processors from before 2013: these may be small, too.
# DuckDB's extension only passes rows to the kernels.
HAS_SSE2 = MACHINE in ("x86_64", "amd64")
SMALLER = {"fasturl_duckdb": "-O2"} | ({"kernel_scalar": "-Os", "kernel_sse2": "-O2"} if HAS_SSE2 else {})
HIDDEN = [] if sys.platform == "win32" else ["-fvisibility=hidden"]
# The dynamic linker looks for libfasturl where the file is that needs it.
BESIDE = ["-Wl,-rpath,$ORIGIN"]
extensions = [
    Extension(
        f"fasturl.{source.stem}",
        [str(source)],
        include_dirs=["src/kernel", "src/python"],
        depends=sorted(map(str, dependencies(source, set()))),
        # Strings that Cython has compressed take more of a wheel, which is compressed itself.
        define_macros=[("FASTURL_BUILD_NAME", f'"{BUILD}"'), ("CYTHON_COMPRESS_STRINGS", "0")],
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


def duckdb_footer(*fields):
    """The end of an extension's file: a WebAssembly section with eight fields, the last first, and no signature."""
    padded = b"".join(field.encode().ljust(32, b"\0") for field in reversed([*fields, *[""] * (8 - len(fields))]))
    return b"\0\x93\x04\x10duckdb_signature\x80\x04" + padded + bytes(256)


# The format's version, the platform, the version of DuckDB's C API, the extension's version, the kind of its API.
VERSION = re.search(r'"(.+?)"', Path("src/fasturl/_version.py").read_text(encoding="utf-8"))[1]
DUCKDB_FOOTER = duckdb_footer("4", DUCKDB_PLATFORM or "", "v1.2.0", VERSION, "C_STRUCT")


class BuildExtensions(build_ext):
    """Compiles the kernels before the extensions and side by side: each takes as long as all the extensions."""

    def build_extensions(self):
        if sys.platform != "win32":
            needs_a_compiler(self.compiler.compiler_so[0])
            # Python's own flags contain one of these. With the same one, a compiler cache serves all Pythons.
            given = [flag for flag in self.compiler.compiler_so if flag not in ("-fwrapv", "-fno-strict-overflow")]
            self.compiler.compiler_so = [*given, "-fwrapv"]
        owner = next(extension for extension in self.extensions if extension.name.endswith(RUNTIME_OWNER))
        # setuptools' compiler for Windows is not made for threads.
        with ThreadPoolExecutor(1 if sys.platform == "win32" else os.cpu_count()) as pool:
            made = pool.map(lambda source: self.compile_alone(source, owner), runtime)
            objects = [name for names in made for name in names]
        owner.depends = [*owner.depends, *runtime]
        if SHARED_KERNELS:
            library = self.link(objects, LIBRARY, [f"-Wl,-soname,{LIBRARY}"])
            owner.extra_objects = [library]
            owner.depends = [*owner.depends, library]
            owner.extra_link_args = [*owner.extra_link_args, *BESIDE]
            self.build_duckdb_extension(library, owner)
        else:
            owner.extra_objects = objects
        super().build_extensions()

    def beside(self, name):
        """The path of a file beside the extensions."""
        return os.path.join(self.build_lib, "fasturl", name)

    def link(self, objects, name, arguments):
        target = self.beside(name)
        if not os.path.exists(target) or max(map(os.path.getmtime, [*objects, __file__])) >= os.path.getmtime(target):
            Path(target).parent.mkdir(parents=True, exist_ok=True)
            self.compiler.link_shared_object(objects, target, extra_postargs=[*link_args, *arguments])
        return target

    def build_duckdb_extension(self, library, owner):
        """Build the extension for DuckDB: a library with a footer that names the platform and DuckDB's C API."""
        made = self.compile_alone("src/duckdb_extension/fasturl_duckdb.c", owner, ["-isystem", "third_party/duckdb"])
        target = self.link([*made, library], DUCKDB_EXTENSION, BESIDE)
        content = Path(target).read_bytes()
        if not content.endswith(DUCKDB_FOOTER):
            Path(target).write_bytes(content + DUCKDB_FOOTER)

    def shared_files(self):
        return [self.beside(name) for name in (LIBRARY, DUCKDB_EXTENSION)] if SHARED_KERNELS else []

    def get_outputs(self):
        return [*super().get_outputs(), *self.shared_files()]

    def get_output_mapping(self):
        package = self.get_finalized_command("build_py").get_package_dir("fasturl")
        more = {file: os.path.join(package, os.path.basename(file)) for file in self.shared_files()}
        return {**super().get_output_mapping(), **(more if self.inplace else {})}

    def copy_extensions_to_source(self):
        super().copy_extensions_to_source()
        package = self.get_finalized_command("build_py").get_package_dir("fasturl")
        for file in self.shared_files():
            self.copy_file(file, os.path.join(package, os.path.basename(file)), level=self.verbose)

    def compile_alone(self, source, owner, more=()):
        """The object of one C source; made anew only when the source or a header is newer."""
        made = self.compiler.object_filenames([source], output_dir=self.build_temp)
        newest = max(os.path.getmtime(file) for file in (source, *headers, __file__))
        if not self.force and all(os.path.exists(one) and os.path.getmtime(one) > newest for one in made):
            return made
        flags, macros = owner.extra_compile_args, owner.define_macros
        if Path(source).stem in ("runtime", "fasturl_duckdb"):  # alone, so that caches keep the kernels
            macros = [*macros, ("FASTURL_KERNEL_BUILD", f'"{KERNEL_BUILD}"'), ("FASTURL_VERSION", f'"{VERSION}"')]
        if "-O2" in flags:
            level = SMALLER.get(Path(source).stem, "-O3")
            flags = [level if flag == "-O2" else flag for flag in flags]
        return self.compiler.compile(
            [source],
            output_dir=self.build_temp,
            include_dirs=owner.include_dirs,
            macros=macros,
            extra_postargs=[*flags, *WARNINGS, *HIDDEN, *more],
        )


# Cython's processes side by side only where they are forks: others would run this file again, and so itself.
TRANSLATORS = (os.cpu_count() or 1) if multiprocessing.get_start_method() == "fork" else 0

setup(
    long_description=readme(),
    long_description_content_type="text/markdown",
    cmdclass={"build_ext": BuildExtensions},
    options={"build_ext": {"parallel": os.cpu_count()}},
    ext_modules=cythonize(
        extensions,
        include_path=["src/python"],
        cache=os.environ.get("CYTHON_CACHE_DIR"),
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
