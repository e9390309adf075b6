"""Methods check the type of self, functions check their arguments, and no type makes an object that crashes.
``selves.py`` makes the calls, with a process per type and module: a crash fails its test."""

import json
import sys
from pathlib import Path

import pytest
import selves
from support import run_python

import fasturl

SCRIPT = Path(selves.__file__)
# A process of its own tells the types: other packages in this one bring further types of Cython's runtime.
TYPES: list[str] = json.loads(run_python(SCRIPT, "types"))
OWN = [name for name in TYPES if not name.startswith("_cython_")]
NAMES = {"wrong": [*TYPES], "raw": OWN, "functions": selves.MODULES}


@pytest.fixture(scope="module")
def outcomes() -> dict[tuple[str, str], tuple[int, str]]:
    """Return the exit status and the last output of each job and name."""
    found = {}
    for job, names in NAMES.items():
        for name, status, written in map(json.loads, run_python(SCRIPT, job, *names).splitlines()):
            found[job, name] = status, written
    return found


@pytest.mark.skipif(sys.platform == "win32", reason="each name is run in a fork")
@pytest.mark.parametrize(("job", "name"), [(job, name) for job, names in NAMES.items() for name in names])
def test_wrong_selves_and_arguments_raise(
    job: str, name: str, outcomes: dict[tuple[str, str], tuple[int, str]]
) -> None:
    assert outcomes[job, name][0] == 0, outcomes[job, name]


def test_every_extension_type_is_tried() -> None:
    without = {name for name in OWN if name not in selves.SOUND and ".__pyx_" not in name}
    assert without == {"_urllib._Many", "_urllib._Names"}  # the one has subclasses only, the other is never returned
    assert len(selves.MODULES) == 5


def test_methods_in_map_accept_urls_only() -> None:
    with pytest.raises(TypeError, match=r"descriptor 'geturl' .* 'str'"):
        list(map(fasturl.URL.geturl, ["http://h/"]))
    pd = pytest.importorskip("pandas")
    urls = pd.Series([fasturl.parse("http://h/a"), fasturl.parse("http://h/b")])
    assert [*urls.map(fasturl.URL.geturl)] == ["http://h/a", "http://h/b"]
    with pytest.raises(TypeError, match="NoneType"):
        pd.Series([fasturl.parse("http://h/"), None]).map(fasturl.URL.geturl)
