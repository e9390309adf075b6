"""The proofs and their planted faults fit each other and the sources; tools/prove.py itself runs the checker."""

import re
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
    for path in ROOT.joinpath("proofs").glob("*.c"):
        for name in re.findall(r'#include "([\w/]+\.h)"', path.read_text(encoding="utf-8")):
            assert name == "proof.h" or name.split("/")[0] in ("logs", "percent", "split", "validate"), name


def test_lengths_are_split_where_each_is_a_run(script: ModuleType) -> None:
    whole = script.Proof("a", "b", 2, 3)
    assert whole.lengths(3) == [(0, 3)]
    alone = script.Proof("a", "b", 2, 3, each=True, shortest=1)
    assert alone.lengths(3) == [(1, 1), (2, 2), (3, 3)]
