"""The proofs and promises, their stubs and their planted faults fit one another and the code. tools/prove.py runs the
checker, tools/promises.py plants the faults of docs/trust.md."""

import importlib
import re
from pathlib import Path
from types import ModuleType

import pytest
from promises import BREAKS

ROOT = Path(__file__).resolve().parents[2]
KERNEL = ROOT / "src" / "kernel"
# tools/faults.py has the faults of this claim.
PROVED = "Functions of the scalar kernel"


@pytest.fixture
def script() -> ModuleType:
    pytest.importorskip("resource", reason="it limits the checker's CPU time")
    return importlib.import_module("prove")


def test_every_harness_is_a_proof(script: ModuleType) -> None:
    assert {proof.harness or proof.name for proof in script.LIST} == set(script.harnesses())
    text = "".join(path.read_text(encoding="utf-8") for path in ROOT.joinpath("proofs").glob("*.c"))
    assert text.count("static void prove_") == len(script.harnesses())
    assert len(script.BY_NAME) == len(script.LIST)
    assert all(proof.shortest <= proof.short <= proof.full for proof in script.LIST)


def test_every_harness_ends_in_the_main_function_of_proof_h(script: ModuleType) -> None:
    """The main function ends with the assertion that shows that a text reaches the end: no early return may skip it."""
    for proof in script.LIST:
        assert proof.of.body and "return" not in proof.of.body, proof.name
        assert "main(" not in proof.of.file.read_text(encoding="utf-8"), proof.name


def test_each_proof_has_a_planted_fault(script: ModuleType) -> None:
    """Each harness has one; the shapes of validation share a harness."""
    proofs = [script.BY_NAME[fault.proof] for fault in script.FAULTS]
    assert {proof.harness or proof.name for proof in proofs} >= set(script.harnesses())


def test_a_planted_fault_is_in_the_kernel(script: ModuleType) -> None:
    for fault in script.FAULTS:
        text = KERNEL.joinpath(fault.file).read_text(encoding="utf-8")
        assert fault.old in text, f"{fault.file}: {fault.old}"
        assert fault.old != fault.new
        assert fault.least <= fault.length


def test_each_stub_is_proved_by_a_harness_that_does_not_use_it(script: ModuleType) -> None:
    stubs = script.read_stubs()
    harnesses = script.harnesses()
    assert set(stubs) == {name for harness in harnesses.values() for name in harness.given}
    for name, stub in stubs.items():
        assert stub.proved_by and set(stub.proved_by) <= set(harnesses), name
        proofs = [harnesses[proof] for proof in stub.proved_by]
        assert not any(name in proof.given for proof in proofs), name
        assert any(re.search(rf"\b{name}\b", proof.file.read_text(encoding="utf-8")) for proof in proofs), name


def test_no_proof_rests_on_itself(script: ModuleType) -> None:
    stubs = script.read_stubs()

    def visit(name: str, above: tuple[str, ...] = ()) -> None:
        assert name not in above, (*above, name)
        for part in script.parts_of(script.BY_NAME[name], stubs):
            visit(part, (*above, name))

    for name in script.BY_NAME:
        visit(name)


def test_a_proof_reaches_no_further_than_the_proofs_that_it_rests_on(script: ModuleType) -> None:
    stubs = script.read_stubs()
    proved = {"passwords": 24, "readings": 20, "scheme": 30, "add_place": 0}
    assert script.reach("passwords", proved, stubs) == -1
    proved |= {"login": 0, "find": 22}
    assert script.reach("passwords", proved, stubs) == 20
    assert script.reach("login", proved, stubs) == 22
    proved |= {"masks": 64, "netloc_end": 70}
    assert script.reach("netloc_end", proved, stubs) == 70


def test_stubs_replace_functions_of_the_kernel(script: ModuleType, tmp_path: Path) -> None:
    kernel = script.copy_kernel(str(tmp_path))
    text = "".join(path.read_text(encoding="utf-8") for path in kernel.rglob("*.h"))
    for name, stub in script.read_stubs().items():
        assert f"#ifdef GIVEN_{name}\n{stub.code}#else\n" in text, name


def claims() -> dict[str, list[str]]:
    """Return the names of the planted faults that the page lists for each claim."""
    page = ROOT.joinpath("docs/trust.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([A-Z][^|]+) \| [^|]+ \| ([^|]+) \|$", page, re.MULTILINE)
    assert len(rows) == len(re.findall(r"^\| [A-Z]", page, re.MULTILINE))
    return {claim: re.findall(r"`([^`]+)`", faults) for claim, faults in rows}


def test_each_claim_is_broken_and_names_its_faults() -> None:
    assert len(claims()) > 8
    for claim, faults in claims().items():
        broken = [one.name for one in BREAKS if claim.startswith(one.claim)]
        assert faults == (["tools/faults.py"] if claim.startswith(PROVED) else broken) and faults, claim
    for one in BREAKS:
        assert any(claim.startswith(one.claim) for claim in claims()), one.claim


def test_each_fault_stands_once_and_its_check_is_there() -> None:
    for one in BREAKS:
        text = ROOT.joinpath(one.file).read_text(encoding="utf-8")
        assert text.count(one.old) == 1 and one.new != one.old, one.name
        for word in one.check.split():
            assert not word.startswith("tests/") or ROOT.joinpath(word).exists(), word
