"""The module of terms is what its generator writes from the grammar files."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
TOOL = ROOT / "tools" / "gen_terms.py"
MODULE = Path("src/fasturl/schemes/_rfc1738.py")


def run(*arguments):
    return subprocess.run([sys.executable, TOOL, *arguments], capture_output=True, text=True, timeout=60)


def test_the_module_is_what_the_grammar_makes_it():
    checked = run("--check")
    assert (checked.returncode, checked.stderr) == (0, "")


def test_a_stale_module_is_told_and_written_anew(tmp_path):
    assert run("--check", "--root", tmp_path).returncode == 1
    written = run("--root", tmp_path)
    assert written.returncode == 0 and (tmp_path / MODULE).read_bytes() == (ROOT / MODULE).read_bytes()
    (tmp_path / MODULE).write_text((tmp_path / MODULE).read_text("utf-8").replace("hpath = ", "hpath =  "), "utf-8")
    stale = run("--check", "--root", tmp_path)
    assert stale.returncode == 1 and "stale" in stale.stderr
