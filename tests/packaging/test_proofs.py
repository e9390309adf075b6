"""The proofs and their planted faults fit each other and the sources; tools/prove.py itself runs the checker."""

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest
from scripts import script_of_tools

ROOT = Path(__file__).resolve().parents[2]
KERNEL = ROOT / "src" / "kernel"


@pytest.fixture
def script() -> ModuleType:
    pytest.importorskip("resource", reason="the checker's time is limited by it")
    return script_of_tools("prove")


@pytest.fixture
def eva(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setitem(sys.modules, "prove", script)  # whose list it shares
    return script_of_tools("prove_eva")


def test_every_harness_is_a_proof(script: ModuleType) -> None:
    files = {path.stem for path in ROOT.joinpath("proofs").glob("*.c")}
    assert files == {proof.source or proof.name for proof in script.LIST}
    assert len({proof.name for proof in script.LIST}) == len(script.LIST)
    assert all(proof.shortest <= proof.short <= proof.full for proof in script.LIST)


def test_every_harness_has_an_end_that_can_be_looked_for() -> None:
    for path in ROOT.joinpath("proofs").glob("*.c"):
        assert path.read_text(encoding="utf-8").count("    proof_end();\n    return 0;\n}") == 1, path.name


def test_each_proof_has_a_planted_fault(script: ModuleType) -> None:
    """Each harness, that is: the shapes of validation share one."""
    sources = {script.BY_NAME[fault.proof].source or fault.proof for fault in script.FAULTS}
    assert sources == {path.stem for path in ROOT.joinpath("proofs").glob("*.c")}


def test_a_planted_fault_stands_at_one_place_of_the_kernel(script: ModuleType) -> None:
    for fault in script.FAULTS:
        text = KERNEL.joinpath(fault.file).read_text(encoding="utf-8")
        assert fault.old in text, f"{fault.file}: {fault.old}"
        assert fault.old != fault.new
        assert fault.least <= fault.length


def test_what_a_harness_includes_is_what_its_digest_is_of(script: ModuleType) -> None:
    names = {str(path.relative_to(ROOT)) for path in script.sources_of(script.BY_NAME["passwords"])}
    assert {"proofs/passwords.c", "proofs/given/fu_login_end.h", "src/kernel/split/readings.h"} <= names
    for proof in script.LIST:
        text = "".join(path.read_text(encoding="utf-8") for path in script.sources_of(proof))
        included = re.findall(r'^#include "([^"]+)"', text, re.MULTILINE)
        held = {path.name for path in script.sources_of(proof)}
        assert {Path(name).name for name in included} <= held, proof.name


def test_each_given_function_is_proved_by_a_harness_that_does_not_give_it(script: ModuleType) -> None:
    """And none rests on itself, on whatever way."""
    given = set(ROOT.joinpath("proofs", "given").glob("*.h"))
    assert given == {path for proof in script.LIST for path in script.given_to(proof)}
    for path in given:
        first = path.read_text(encoding="utf-8").partition("\n")[0]
        named = re.findall(r"(\w+)\.c\b", first)
        assert first.startswith("/* Proved by ") and named, path.name
        proved_by = [proof for proof in script.LIST if proof.file().stem in named]
        assert {proof.file().stem for proof in proved_by} == set(named), path.name
        assert not any(path in script.given_to(proof) for proof in proved_by if proof.name != "masks"), path.name
        texts = "".join(proof.file().read_text(encoding="utf-8") for proof in proved_by)
        assert re.search(rf"\b{path.stem}\b", texts), path.name

    def below(name: str, above: tuple[str, ...] = ()) -> None:
        assert name not in above, (*above, name)
        for part in script.parts_of(script.BY_NAME[name]):
            below(part, (*above, name))

    for name in script.BY_NAME:
        below(name)


def test_a_proof_reaches_no_further_than_what_it_rests_on(script: ModuleType) -> None:
    proved = script.Proved()
    proved.of = {"passwords": [24, 1.0], "readings": [20, 1.0], "scheme": [30, 1.0], "add_place": [0, 1.0]}
    assert proved.reach("passwords") == -1
    proved.of |= {"login": [0, 1.0], "find": [22, 1.0]}
    assert proved.reach("passwords") == 20
    assert proved.reach("login") == 22
    proved.of |= {"masks": [64, 1.0], "netloc_end": [70, 1.0]}
    assert proved.reach("netloc_end") == 70


def test_what_a_harness_gives_stands_in_for_the_kernels_own(script: ModuleType, tmp_path: Path) -> None:
    kernel = script.changed_kernel(str(tmp_path))
    for path in ROOT.joinpath("proofs", "given").glob("*.h"):
        name = path.stem
        held = [text for text in map(Path.read_text, kernel.rglob("*.h")) if f"#ifdef GIVEN_{name}\n" in text]
        assert name == "fu_masks" or len(held) >= 1, name


def test_lengths_are_split_where_each_is_a_run(script: ModuleType) -> None:
    whole = script.Proof("a", "b", 2, 3)
    assert whole.lengths(3) == [(0, 3)]
    alone = script.Proof("a", "b", 2, 3, each=True, shortest=1)
    assert alone.lengths(3) == [(1, 1), (2, 2), (3, 3)]


def test_what_eva_proves_is_of_the_list_and_has_planted_faults(script: ModuleType, eva: ModuleType) -> None:
    assert set(eva.LIST) <= set(script.BY_NAME)
    for name in eva.LIST:
        assert any(fault.proof == name for fault in eva.OF_EVA), name
        for part in script.parts_of(script.BY_NAME[name]):
            assert script.BY_NAME[part].is_long or part in eva.LIST, (name, part)


def test_eva_reads_each_octet_anew(eva: ModuleType, tmp_path: Path) -> None:
    copy = eva.copied(str(tmp_path / "copy"))
    for path in [*copy.joinpath("kernel", "percent").glob("un*.h"), copy / "proofs" / "unquote.c"]:
        assert not re.search(r"(?<!volatile )uint8_t \*(?!unit)", path.read_text(encoding="utf-8")), path.name


@pytest.mark.parametrize(
    "warning", ["[eva:alarm] a.h:1: Warning: out of bounds read.", "[kernel] Warning: path is dead"]
)
def test_any_warning_of_eva_is_no_proof(eva: ModuleType, warning: str) -> None:
    assert eva.verdict_of("[eva] done for function main\n", 0) == "proved"
    assert eva.verdict_of(f"{warning}\n[eva] done for function main\n", 0) != "proved"
    assert eva.verdict_of("[eva] done for function main\n", 1) != "proved"
    assert eva.verdict_of("", 0) != "proved"


def test_lengths_are_told_in_their_order(eva: ModuleType) -> None:
    assert eva.in_words(["128", "0 to 24", "64 to 65"]) == "0 to 24, 64 to 65 and 128"
    assert eva.in_words(["0 to 24"]) == "0 to 24"
