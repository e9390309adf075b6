"""Does the bill of materials name each archive, each compiled file and each package that an extra brings?"""

import hashlib
import json
import zipfile
from pathlib import Path

import pytest
from scripts import script_of_tools

METADATA = """Metadata-Version: 2.4
Name: fasturl
Version: 1.2.3
Summary: Read URLs
License-Expression: MIT
Requires-Dist: pyarrow>=19; extra == "arrow"
Requires-Dist: fasturl[arrow]; extra == "cli"
Requires-Dist: ruamel.yaml>=1; extra == "cli"
Requires-Dist: pandas>=2.2; extra == "pandas"
Requires-Dist: pandas<3,>=2.2; extra == "spark"
"""


def archives(folder: Path, compiled: bytes = b"code") -> list[Path]:
    wheel, sdist = folder / "fasturl-1.2.3-cp311-cp311-any.whl", folder / "fasturl-1.2.3.tar.gz"
    with zipfile.ZipFile(wheel, "w") as file:
        file.writestr(zipfile.ZipInfo("fasturl/_a.so"), compiled)
        file.writestr(zipfile.ZipInfo("fasturl/__init__.py"), "")
        file.writestr(zipfile.ZipInfo("fasturl-1.2.3.dist-info/METADATA"), METADATA)
    sdist.write_bytes(b"source")
    return [wheel, sdist]


def test_each_archive_and_each_compiled_file_has_its_hash(tmp_path: Path) -> None:
    bill = script_of_tools("sbom").bill(archives(tmp_path))
    wheel, sdist = (each for each in bill["components"] if each["type"] == "file")
    for entry, octets in ((wheel, (tmp_path / wheel["name"]).read_bytes()), (sdist, b"source")):
        assert entry["hashes"] == [{"alg": "SHA-256", "content": hashlib.sha256(octets).hexdigest()}]
    (compiled,) = wheel["components"]
    assert compiled["name"] == "fasturl/_a.so"
    assert compiled["hashes"][0]["content"] == hashlib.sha256(b"code").hexdigest()


def test_what_an_extra_brings_is_optional_and_fasturl_is_no_part_of_itself(tmp_path: Path) -> None:
    bill = script_of_tools("sbom").bill(archives(tmp_path))
    packages = {each["name"]: each for each in bill["components"] if each["type"] == "library"}
    assert sorted(packages) == ["pandas", "pyarrow", "ruamel-yaml"]
    assert {each["scope"] for each in packages.values()} == {"optional"}
    assert len(packages["pandas"]["properties"]) == 2
    assert bill["metadata"]["component"]["purl"] == "pkg:pypi/fasturl@1.2.3"
    known = {bill["metadata"]["component"]["bom-ref"], *(each["bom-ref"] for each in packages.values())}
    assert {each["ref"] for each in bill["dependencies"]} == known


def test_the_same_archives_give_the_same_octets_and_others_another_number(tmp_path: Path) -> None:
    tool = script_of_tools("sbom")
    first, again, other = tmp_path / "a.json", tmp_path / "b.json", tmp_path / "c.json"
    made = archives(tmp_path)
    for output, order in ((first, made), (again, made[::-1])):
        assert tool.main([*map(str, order), "--output", str(output)]) == 0
    assert first.read_bytes() == again.read_bytes()
    tool.main([*map(str, archives(tmp_path, b"other")), "--output", str(other)])
    assert json.loads(first.read_text())["serialNumber"] != json.loads(other.read_text())["serialNumber"]


def test_without_a_wheel_there_is_no_bill(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="no wheel"):
        script_of_tools("sbom").bill(archives(tmp_path)[1:])
