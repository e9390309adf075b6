"""Run real programs' own tests as they are and under ``install()``, and report which fail only with fasturl.

    python3 tools/dependents.py --list                     the projects and their commands
    python3 tools/dependents.py                            all projects; names as arguments: only these
    python3 tools/dependents.py --short                    those that take a few seconds, as for each pull request
    python3 tools/dependents.py --update docs/replace-urllib.md   also write the table into this page
    python3 tools/dependents.py --types                    check types with urllib.parse replaced by fasturl

Uses the fasturl that this Python imports, or else the one built in this checkout. --folder keeps a virtual environment
for each project, with the pinned release, the packages that its tests need, and the tests from its source archive. The
tests run by ``python -m fasturl.install``, see docs/replace-urllib.md. Tests that fail only so are repeated; a second
failure counts. Exit status 1: a test fails only with fasturl.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from common import ROOT, fail

sys.path.append(str(ROOT))
from bench import facts

LONGEST = 1200  # seconds per run of a project's tests


@dataclass(frozen=True)
class Project:
    """A project, and how its tests run.

    name, version : on PyPI
    tests : arguments of pytest, or of the script, in the folder `at` of the source archive
    needs : further packages for the tests
    script : runs the tests if pytest does not
    short : takes a few seconds, and runs for each pull request
    """

    name: str
    version: str
    tests: tuple[str, ...]
    needs: tuple[str, ...] = ()
    script: str = ""
    at: str = "."
    short: bool = False

    def command(self, report: Path) -> list[str]:
        if self.script:
            return [self.script, *self.tests]
        quiet = ["-q", "-p", "no:cacheprovider", "-p", "no:randomly", f"--junitxml={report}"]
        return ["-m", "pytest", *quiet, *self.tests]


PROJECTS = (
    Project("requests", "2.34.2", ("tests",), ("pytest-httpbin==2.1.0", "httpbin~=0.10.0", "trustme", "PySocks",
            "pytest-mock"), short=True),
    Project("urllib3", "2.8.0", ("test/test_util.py", "test/test_connectionpool.py", "test/test_poolmanager.py",
            "test/test_proxymanager.py", "test/test_response.py", "test/test_retry.py",
            "test/with_dummyserver/test_poolmanager.py", "test/with_dummyserver/test_proxy_poolmanager.py"),
            ("httpx", "hypercorn", "pysocks", "pytest-socket", "pytest-timeout", "quart", "quart-trio", "trio", "h2",
             "anyio[trio]", "trustme", "cryptography", "idna")),
    Project("werkzeug", "3.1.9", ("tests", "--ignore=tests/test_serving.py"),
            ("cffi", "cryptography", "ephemeral-port-reserve", "pytest-timeout", "watchdog"), short=True),
    Project("django", "5.2.19", ("--parallel=1", "handlers", "httpwrappers", "utils_tests", "urlpatterns",
            "urlpatterns_reverse", "requests_tests", "redirects_tests", "resolve_url", "responses", "test_client",
            "csrf_tests", "middleware", "sitemaps_tests", "syndication_tests", "staticfiles_tests", "validators",
            "pagination", "auth_tests.test_views", "auth_tests.test_decorators"),
            ("jinja2", "tblib", "PyYAML", "Pillow", "tzdata", "docutils"), "runtests.py", "tests"),
    Project("sqlalchemy", "2.1.9", ("test/engine", "test/dialect/sqlite/test_dialect.py",
            "test/dialect/mysql/test_dialect.py", "test/dialect/postgresql/test_dialect.py",
            "test/dialect/mssql/test_engine.py"), ("psycopg2-binary", "PyMySQL")),
    Project("scrapy", "2.19.0", tuple(f"tests/test_{part}.py" for part in ("linkextractors", "link", "http_request",
            "http_request_form", "http_response", "http_response_text", "utils_url", "utils_sitemap", "utils_curl",
            "utils_httpobj", "downloadermiddleware_cookies", "downloadermiddleware_httpproxy",
            "downloadermiddleware_offsite", "downloadermiddleware_redirect", "downloadermiddleware_robotstxt",
            "downloadermiddleware_redirect_metarefresh", "robotstxt_interface", "spidermiddleware_referer",
            "spider_sitemap")),
            ("attrs", "pexpect", "psutil", "pyftpdlib", "pygments", "pytest-twisted", "pytest-timeout", "sybil",
             "pytest-cov", "pytest-rerunfailures", "pytest-xdist", "trustme", "cryptography")),
    Project("w3lib", "2.5.0", ("tests", "--ignore=tests/benchmarks"), ("hypothesis",), short=True),
    Project("botocore", "1.44.5", tuple(f"tests/unit/{part}" for part in ("auth", "test_auth_sigv4.py", "test_utils.py",
            "test_awsrequest.py", "test_endpoint.py", "test_endpoint_provider.py", "test_handlers.py",
            "test_http_session.py", "test_httpchecksum.py", "test_protocols.py", "test_s3_addressing.py",
            "test_serialize.py", "test_signers.py")), ("jsonschema",)),
    Project("yarl", "1.25.1", ("-o", "addopts=", "tests", "--ignore=tests/test_quoting_benchmarks.py",
            "--ignore=tests/test_query_benchmarks.py", "--ignore=tests/test_url_benchmarks.py"),
            ("hypothesis", "pydantic"), short=True),
    Project("httpx", "0.28.1", ("tests",), ("chardet==5.2.0", "trustme", "trio", "uvicorn", "anyio", "brotli",
            "zstandard", "h2", "socksio", "click", "rich", "pygments"), short=True),
    Project("feedparser", "6.0.14", (), (), "tests/runtests.py", short=True),
    Project("oauthlib", "4.0.1", ("tests",), ("blinker", "cryptography", "pyjwt"), short=True),
)  # fmt: skip


class NoResult(Exception):
    """The reason why a project has no result: it could not be installed, or none of its tests ran."""


def say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


# --- environments and archives ---------------------------------------------------------------------------------------


def pip(folder: Path, *arguments: str) -> None:
    """Run pip in a folder's environment. Make the environment unless it exists."""
    python = folder / "env/bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder / "env")], check=True)
    command = [str(python), "-m", "pip", "-q", "--disable-pip-version-check", *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise NoResult(f"pip {' '.join(arguments)}: {done.stderr.strip() or done.stdout.strip()}")


def prepare(project: Project, folder: Path) -> Path:
    """Install a project and the packages that its tests need; return its unpacked source archive."""
    pinned = f"{project.name}=={project.version}"
    stamp, wanted = folder / "installed", f"{sys.version}\n{pinned} {' '.join(project.needs)}"
    archive = folder / "archive"
    if not stamp.is_file() or stamp.read_text() != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        pip(folder, "install", pinned, "pytest", *project.needs)
        pip(folder, "download", "--no-deps", "--no-binary", project.name, "-d", str(archive), pinned)
        for packed in archive.glob("*.tar.gz"):
            with tarfile.open(packed) as opened:
                opened.extractall(archive, filter="data")
        stamp.write_text(wanted)
    source = next(path for path in sorted(archive.iterdir()) if path.is_dir())
    # A folder of the archive must not hide the installed package.
    packages = next(folder.glob("env/lib/python*/site-packages"))
    for hidden in sorted(source.iterdir()):
        if (hidden / "__init__.py").is_file() and (packages / hidden.name / "__init__.py").is_file():
            shutil.rmtree(hidden)
    return source


def only_fasturl(folder: Path) -> Path:
    """Return a folder for PYTHONPATH with the package fasturl and no other package of this Python."""
    found = importlib.util.find_spec("fasturl")
    package = Path(found.origin).parent if found and found.origin else ROOT / "src/fasturl"
    link = folder / "path/fasturl"
    link.parent.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(package.resolve())
    return link.parent


# --- a run -----------------------------------------------------------------------------------------------------------


@dataclass
class Run:
    """The number of tests, and the names of those that failed."""

    tests: int
    failed: set[str]


def of_pytest(report: Path) -> Run:
    tests, failed = 0, set()
    for case in ElementTree.parse(report).iter("testcase"):
        if case.find("skipped") is None:
            tests += 1
        if case.find("failure") is not None or case.find("error") is not None:
            failed.add(f"{case.get('classname')}::{case.get('name')}")
    return Run(tests, failed)


def of_unittest(output: str) -> Run | None:
    """Read the closing lines of unittest."""
    ran = re.findall(r"^Ran (\d+) tests? in", output, re.MULTILINE)
    skipped = re.findall(r"\bskipped=(\d+)", output)
    if not ran:
        return None
    failed = re.findall(r"^(?:FAIL|ERROR): (.+)$", output, re.MULTILINE)
    return Run(sum(map(int, ran)) - sum(map(int, skipped)), set(failed))


def run(project: Project, folder: Path, source: Path, path: Path | None) -> Run:
    """Run a project's tests, under install() if a path to fasturl is given."""
    way = "with" if path else "without"
    report = folder / f"{way}.xml"
    report.unlink(missing_ok=True)
    command, environment = project.command(report), dict(os.environ)
    environment.pop("PYTHONPATH", None)
    environment["PYTHONNOUSERSITE"] = "1"
    if path:
        command = ["-m", "fasturl.install", *command]
        environment["PYTHONPATH"] = str(path)
    log = folder / f"{way}.log"
    with log.open("w") as out:
        try:
            subprocess.run([str(folder / "env/bin/python"), *command], cwd=source / project.at, env=environment,
                           stdin=subprocess.DEVNULL, stdout=out, stderr=out, timeout=LONGEST)  # fmt: skip
        except subprocess.TimeoutExpired:
            raise NoResult(f"no end after {LONGEST} seconds, see {log}") from None
    result = of_pytest(report) if report.is_file() else of_unittest(log.read_text(errors="replace"))
    if result is None or not result.tests:
        raise NoResult(f"no test ran, see {log}")
    return result


@dataclass(frozen=True)
class Result:
    """A row of the table: the tests, and the failures without fasturl and only with it."""

    name: str
    version: str
    tests: int
    failed: int
    only_with: tuple[str, ...]


def compare(project: Project, folder: Path) -> Result:
    path = only_fasturl(folder)
    folder = folder / project.name
    say(f"{project.name} {project.version}")
    source = prepare(project, folder)
    without, under = run(project, folder, source, None), run(project, folder, source, path)
    only_with = under.failed - without.failed
    if only_with:
        only_with &= run(project, folder, source, path).failed
        only_with -= run(project, folder, source, None).failed
    result = Result(project.name, project.version, under.tests, len(without.failed), tuple(sorted(only_with)))
    say(f"  {without.tests} and {under.tests} tests; {len(without.failed)} and {len(under.failed)} fail")
    for test in result.only_with:
        say(f"  only with fasturl: {test}")
    return result


# --- types -----------------------------------------------------------------------------------------------------------

# The packages whose types are checked, with a version unless PROJECTS has one.
TYPED = {
    "requests": "", "urllib3": "", "werkzeug": "", "w3lib": "", "httpx": "", "oauthlib": "", "feedparser": "",
    "botocore": "", "scrapy": "", "flask": "3.1.3", "starlette": "1.10.0", "pip": "23.2.1", "tornado": "6.6.1",
    "bottle": "0.13.4", "webob": "1.8.11", "pyramid": "2.1",
}  # fmt: skip
CHECKERS = ("mypy", "basedpyright")


# Each pattern and its replacement. Other names of urllib must stay importable.
REPLACEMENTS = (
    (r"\bfrom urllib\.parse import\b", "from fasturl import"),
    (r"\bfrom urllib import parse as (\w+)(?=\s*\n)", r"import fasturl as \1"),
    (r"\bfrom urllib import parse(?=\s*\n)", "import fasturl as parse"),
    (r"\bimport urllib\.parse\b(?= as)", "import fasturl"),
    (r"\bimport urllib\.parse\b", "import fasturl, urllib"),
    (r"\burllib\.parse\.", "fasturl."),
)


def copies(folder: Path) -> int:
    """Copy the packages' sources to "before", and with fasturl to "after"; return the number of replacements."""
    packages = next(folder.glob("env/lib/python*/site-packages"))
    changed = 0
    for way in ("before", "after"):
        shutil.rmtree(folder / way, ignore_errors=True)
        for name in TYPED:
            if (packages / name).is_dir():
                data = shutil.ignore_patterns("*.so", "*.pyc", "__pycache__", "data")
                shutil.copytree(packages / name, folder / way / name, ignore=data)
            else:
                shutil.copy(packages / f"{name}.py", folder / way)
    for file in sorted((folder / "after").rglob("*.py")):
        text, places = file.read_bytes().decode("latin-1"), 0
        for pattern, new in REPLACEMENTS:
            text, count = re.subn(pattern, new, text)
            places += count
        file.write_bytes(text.encode("latin-1"))
        changed += places
    return changed


def complaints(checker: str, folder: Path, way: str) -> Counter[str]:
    """Return the messages of a type checker about the sources in "before" or "after"."""
    python = folder / "env/bin/python"
    if checker == "mypy":
        named = [part for name in TYPED for part in ("-p", name)]
        plain = ["--no-error-summary", "--hide-error-context", "--no-incremental", "--show-absolute-path"]
        command = [str(python), "-m", "mypy", "--strict", *plain, *named]
    else:
        # A replacement may leave "import urllib" unused.
        settings = {"typeCheckingMode": "strict", "venvPath": "..", "venv": "env", "reportUnusedImport": "none"}
        (folder / way / "pyrightconfig.json").write_text(json.dumps(settings))
        command = [str(python), "-m", "basedpyright", "-p", "."]
    done = subprocess.run(command, cwd=folder / way, capture_output=True, text=True)
    (folder / f"{checker}-{way}.log").write_text(done.stdout + done.stderr)
    return Counter(read_complaints(done.stdout, folder / way))


def read_complaints(output: str, folder: Path) -> Iterator[str]:
    """Yield a checker's errors and warnings, with relative paths and with one name for both modules."""
    for line in output.splitlines():
        file, colon, rest = line.strip().partition(".py:")
        message = re.fullmatch(r"(\d+)(?::\d+)?(?: -)?:? *((?:error|warning)\b.*)", rest)
        if colon and message and file.startswith(str(folder)):
            yield f"{Path(file).relative_to(folder)}.py:{message[1]}: {message[2]}".replace("urllib.parse", "fasturl")


def check_types(folder: Path) -> bool:
    """Return True if no checker has more messages about the packages with fasturl."""
    only = only_fasturl(folder)
    folder = folder / "types"
    versions = TYPED | {project.name: project.version for project in PROJECTS if project.name in TYPED}
    pip(folder, "install", *CHECKERS, "typing_extensions", *(f"{name}=={pin}" for name, pin in versions.items()))
    link = next(folder.glob("env/lib/python*/site-packages")) / "fasturl"
    link.unlink(missing_ok=True)
    link.symlink_to((only / "fasturl").resolve())
    say(f"urllib.parse replaced in {copies(folder)} places of {len(TYPED)} packages")
    good = True
    for checker in CHECKERS:
        before, after = complaints(checker, folder, "before"), complaints(checker, folder, "after")
        new = after - before
        good = good and bool(before) and not new
        print(f"{checker}: {before.total()} before, {after.total()} after, {new.total()} new")
        for line in sorted(new):
            print(f"  {line}")
    return good


# --- the table -------------------------------------------------------------------------------------------------------


def table(results: Iterable[Result]) -> list[str]:
    head = ["| project | tests | fail without | fail only with |", "|---|---:|---:|---:|"]
    rows = (f"| {one.name} {one.version} | {one.tests} | {one.failed} | {len(one.only_with)} |" for one in results)
    return [*head, *rows]


def chosen(names: list[str], short: bool) -> list[Project]:
    unknown = set(names) - {project.name for project in PROJECTS}
    if unknown:
        fail(f"no such project: {', '.join(sorted(unknown))}; see --list")
    return [one for one in PROJECTS if (not names or one.name in names) and (one.short or not short)]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="a project; default: all")
    parser.add_argument("--list", action="store_true", help="print the projects and their commands, run nothing")
    parser.add_argument("--short", action="store_true", help="only projects that take a few seconds")
    parser.add_argument("--folder", type=Path, default=ROOT / "out/dependents", help="default: out/dependents")
    parser.add_argument("--update", type=Path, metavar="PAGE", help="write the table between the markers of a page")
    parser.add_argument("--types", action="store_true", help="check types instead of running tests")
    options = parser.parse_args()
    projects = chosen(options.names, options.short)
    if options.list:
        for project in projects:
            print(project.name, project.version, *project.command(Path("report.xml")), sep=" ")
        return 0
    folder = options.folder.resolve()
    if options.types:
        return 0 if check_types(folder) else 1
    results = []
    for project in projects:
        try:
            results.append(compare(project, folder))
        except NoResult as error:
            say(f"  no result: {error}")
    lines = table(results)
    print(*lines, sep="\n")
    if options.update:
        command = f"tools/dependents.py --update {options.update}"
        facts.record(options.update, "dependents", lines, command, platform.platform())
        facts.paste(options.update, "dependents", lines)
    good = not any(one.only_with for one in results)
    return 0 if good and len(results) == len(projects) else 1


if __name__ == "__main__":
    sys.exit(main())
