"""Write what a release is made of: a bill of materials (CycloneDX 1.6, JSON) of its wheels and its sdist.

    python tools/sbom.py dist/* --output fasturl.cdx.json

It names each archive and each file in the wheels that is compiled, with their SHA-256, and what fasturl uses of others:
nothing where no extra is asked for, and for each extra the packages that `pip install 'fasturl[EXTRA]'` brings, marked
as optional. No code of others is in the archives. The same archives give the same octets.
"""

from __future__ import annotations

import argparse
import email
import hashlib
import json
import re
import sys
import uuid
import zipfile
from pathlib import Path
from typing import Any

COMPILED = (".so", ".pyd")
REQUIREMENT = re.compile(r"^([A-Za-z0-9._-]+)")


def hashes(octets: bytes) -> list[dict[str, str]]:
    return [{"alg": "SHA-256", "content": hashlib.sha256(octets).hexdigest()}]


def of_wheel(path: Path) -> tuple[Any, list[dict[str, Any]]]:
    """The wheel's metadata, and the files in it that are compiled."""
    with zipfile.ZipFile(path) as wheel:
        name = next(each for each in wheel.namelist() if each.endswith(".dist-info/METADATA"))
        metadata = email.message_from_bytes(wheel.read(name))
        compiled = [each for each in sorted(wheel.namelist()) if each.endswith(COMPILED)]
        files = [
            {"type": "file", "bom-ref": f"{path.name}#{each}", "name": each, "hashes": hashes(wheel.read(each))}
            for each in compiled
        ]
    return metadata, files


def requirements(metadata: Any) -> list[dict[str, Any]]:
    """The packages that the extras name, each once; fasturl's own extras name each other, which says nothing."""
    found: dict[str, set[str]] = {}
    for line in metadata.get_all("Requires-Dist", []):
        package = REQUIREMENT.match(line)
        assert package, line
        name = re.sub(r"[-_.]+", "-", package[1]).lower()
        if name != "fasturl":
            found.setdefault(name, set()).add(line)
    return [
        {
            "type": "library",
            "bom-ref": f"pkg:pypi/{name}",
            "name": name,
            "purl": f"pkg:pypi/{name}",
            "scope": "optional" if all("extra ==" in line for line in lines) else "required",
            "properties": [{"name": "fasturl:requirement", "value": line} for line in sorted(lines)],
        }
        for name, lines in sorted(found.items())
    ]


def bill(archives: list[Path]) -> dict[str, Any]:
    metadata, listed = None, []
    for path in sorted(archives, key=lambda path: path.name):
        entry: dict[str, Any] = {"type": "file", "bom-ref": path.name, "name": path.name}
        entry["hashes"] = hashes(path.read_bytes())
        if path.suffix == ".whl":
            metadata, files = of_wheel(path)
            entry["components"] = files
        listed.append(entry)
    if metadata is None:
        raise SystemExit("sbom: there is no wheel among the archives")
    version, packages = metadata["Version"], requirements(metadata)
    reference = f"pkg:pypi/fasturl@{version}"
    used = [package["bom-ref"] for package in packages]
    made: dict[str, Any] = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "tools": {"components": [{"type": "application", "name": "tools/sbom.py", "version": version}]},
            "component": {
                "type": "library",
                "bom-ref": reference,
                "name": "fasturl",
                "version": version,
                "purl": reference,
                "description": metadata["Summary"],
                "licenses": [{"license": {"id": metadata["License-Expression"]}}],
            },
        },
        "components": [*listed, *packages],
        "dependencies": [{"ref": reference, "dependsOn": used}, *({"ref": each} for each in used)],
    }
    # A number of its own for each content, and no other: no clock and no chance.
    content = json.dumps(made, sort_keys=True)
    return {"serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, content)}", **made}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Write the bill of materials of a release.")
    parser.add_argument("archives", nargs="+", type=Path)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args(arguments)
    options.output.write_text(json.dumps(bill(options.archives), indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
