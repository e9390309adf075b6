"""Write the kernel's table of default ports from grammar/ports.csv, the only place that names them.

python tools/gen_ports.py                          write src/kernel/split/ports.h
python tools/gen_ports.py --check                  write nothing; exit 1 if the file is stale
python tools/gen_ports.py --services FILE DATE     first update the rows of IANA's services from an /etc/services
"""

from __future__ import annotations

import csv
import io
import re
import sys
from pathlib import Path

from gen_chars import ROOT, generator, write

TABLE = Path("grammar/ports.csv")
HEADER = Path("src/kernel/split/ports.h")
SERVICES = "IANA services"
NAME = re.compile(r"[a-z0-9][a-z0-9+.-]*")
LONGEST = 15  # IANA's limit for the name of a service (RFC 6335 section 5.1)
# The ports of RFC 1738 are constants, because the table of schemes starts with them.
RFC = "RFC 1738"


def read(text: str) -> list[tuple[str, int, str]]:
    """Return the rows: scheme, port, source."""
    return [(name, int(port), source) for name, port, source in csv.reader(text.splitlines()[2:])]


def services(text: str, date: str) -> list[tuple[str, int, str]]:
    """Return the rows of an /etc/services as Debian's netbase writes it. It lists IANA's names before its own."""
    ports: dict[str, int] = {}
    for line in text.partition("not as allocated by IANA")[0].splitlines():
        name, port, *_ = [*line.partition("#")[0].split(), "", ""]
        number, _, protocol = port.partition("/")
        if (
            NAME.fullmatch(name)
            and len(name) <= LONGEST
            and (protocol == "tcp" or (protocol == "udp" and name not in ports))
        ):
            ports[name] = int(number)
    return [(name, port, f"{SERVICES} {date}") for name, port in ports.items()]


def updated(text: str, rows: list[tuple[str, int, str]]) -> str:
    """Return the table with other rows of services. Rows of another source take precedence."""
    kept = {row[0]: row for row in read(text) if not row[2].startswith(SERVICES)}
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(sorted({**{row[0]: row for row in rows}, **kept}.values()))
    return "".join(text.splitlines(keepends=True)[:2]) + out.getvalue()


def header(text: str) -> str:
    rows = read(text)
    names = [row[0] for row in rows]
    assert names == sorted(set(names)) and all(NAME.fullmatch(name) and len(name) <= LONGEST for name in names)
    assert all(0 < port < 1 << 16 for _, port, _ in rows)
    own = [f"#define FU_PORT_{name.upper()} {port}" for name, port, source in rows if source == RFC]
    lines = [f'    {{"{name}", {port}}},' for name, port, _ in rows]
    return f"""\
/* DO NOT EDIT: written by tools/gen_ports.py from {TABLE.as_posix()}. */
#ifndef FASTURL_PORTS_H
#define FASTURL_PORTS_H

#include <stdint.h>

/* The default ports of RFC 1738. */
{chr(10).join(own)}

/* The registered ports of schemes and services, sorted by name. */
#define FU_PORTS {len(rows)}
static const struct {{
    char name[{LONGEST + 1}];
    uint16_t port;
}} fu_ports[FU_PORTS] = {{
{chr(10).join(lines)}
}};

#endif
"""


def main() -> int:
    parser = generator("the table of default ports")
    parser.add_argument("--services", nargs=2, metavar=("FILE", "DATE"), help="read IANA's services from this file")
    options = parser.parse_args()
    table = ROOT / TABLE
    if options.services:
        file, date = options.services
        table.write_text(updated(table.read_text("ascii"), services(Path(file).read_text("ascii"), date)), "ascii")
    return write({HEADER: header(table.read_text("ascii"))}, "gen_ports.py", options)


if __name__ == "__main__":
    sys.exit(main())
